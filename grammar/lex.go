package grammar

// The lexer is written by hand: participle's own stateful lexer halves an
// already slow parse, and no regular expression can say what this one needs to
// know (brackets decide whether # is a comment, the next line decides whether
// this one has ended). It never aborts. What it cannot read becomes an Illegal
// token with a diagnostic of its own; the parser gives up the line that holds
// one without a second message.

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// Limits of a rule file.
const (
	MaxFileBytes = 4 << 20          // a longer file is not read
	MaxDepth     = 64               // braces and brackets inside each other
	MaxNumber    = 9007199254740991 // the largest whole number that JSON carries exactly
)

// maxRewinds bounds how often the lexer goes back to the line of a bracket that
// is never closed, so that hostile files stay linear.
const maxRewinds = 100

// What the Text of an Illegal token may say. After a structural one the braces
// that follow cannot be trusted, so the parser gives up the whole declaration.
const (
	illegalChar       = "character"
	illegalStructural = "structure"
	illegalText       = "text" // a text without its end
)

type lexer struct {
	file     *source.File
	src      string
	diags    *diag.List
	i        int
	toks     []Token
	comments []Token
	keep     bool  // comments also go among the tokens
	newline  int   // offset of a line end that may end a clause, or -1
	open     []int // indices in toks of the open ( and [
	braces   int
	tooDeep  bool
	rewinds  int
	rewound  int // bytes read again, in all
	badUTF8  bool
	reports  *reports
	last     int // index of the last token that is no comment, or -1
}

// Tokens returns all tokens of a file in order, comments and line ends that end
// a clause included, and EOF last. The formatter and editors need them.
func Tokens(file *source.File, diags *diag.List) []Token {
	l := scan(file, diags, true)
	return l.toks
}

func scan(file *source.File, diags *diag.List, keep bool) *lexer {
	l := &lexer{file: file, src: file.Text, diags: diags, keep: keep, newline: -1, last: -1, reports: &reports{}}
	if len(l.src) > MaxFileBytes {
		diags.Add("file-too-large", source.Span{File: file}, "size", strconv.Itoa(len(l.src)), "limit", strconv.Itoa(MaxFileBytes))
		l.src = ""
	} else if n := invalidUTF8(l.src); n >= 0 {
		// One message a file: in a file saved as TIS-620 or UTF-16 every letter is wrong.
		diags.Add("bad-utf8", l.span(n, n+1))
		l.badUTF8 = true
		if strings.IndexByte(l.src, 0) >= 0 {
			l.src = ""
		}
	}
	l.toks = make([]Token, 0, len(l.src)/3+8) // dense text has so many; to make room again and again costs more
	l.run()
	return l
}

func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// reports counts what is reported for a file. A file that is no rule file at all
// could give millions; nobody reads more than the first.
type reports struct{ n int }

// MaxReports is how many diagnostics Parse gives for one file.
const MaxReports = 500

func (r *reports) add(diags *diag.List, at source.Span, add func() *diag.Diagnostic) *diag.Diagnostic {
	switch r.n++; {
	case r.n == MaxReports:
		diags.Add("too-many-errors", at, "limit", strconv.Itoa(MaxReports))
	case r.n < MaxReports:
		return add()
	}
	return &diag.Diagnostic{Span: at}
}

func (l *lexer) report(code string, at source.Span, values ...string) *diag.Diagnostic {
	return l.reports.add(l.diags, at, func() *diag.Diagnostic { return l.diags.Add(code, at, values...) })
}

func (l *lexer) span(start, end int) source.Span {
	return source.Span{File: l.file, Start: start, End: end}
}

func (l *lexer) run() {
	for {
		l.space()
		if l.i >= len(l.src) {
			if len(l.open) > 0 && l.unclosed() {
				continue
			}
			l.emit(EOF, len(l.src), len(l.src), "")
			return
		}
		l.next()
	}
}

// space skips blanks and comments and remembers that a line ended.
func (l *lexer) space() {
	for l.i < len(l.src) {
		switch c := l.src[l.i]; {
		case c == ' ' || c == '\t':
			l.i++
		case c == '\n':
			if l.newline < 0 {
				l.newline = l.i
			}
			l.i++
		case c == '\r' && l.i+1 < len(l.src) && l.src[l.i+1] == '\n':
			l.i++
		case c == '#' && len(l.open) == 0:
			l.comment()
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(l.src[l.i:])
			if r == '\u00a0' || r == '\u202f' || (r >= '\u2000' && r <= '\u200a') {
				l.i += n
				continue
			}
			if invisible(r) {
				l.hidden(l.i, n, r)
				l.i += n
				continue
			}
			return
		case c < ' ' || c == 0x7f:
			l.hidden(l.i, 1, rune(c))
			l.i++
		default:
			return
		}
	}
}

func (l *lexer) hidden(at, n int, r rune) {
	if l.badUTF8 {
		return
	}
	d := l.report("invisible-character", l.span(at, at+n), "code", codePoint(r))
	d.Fix = &diag.Fix{Span: l.span(at, at+n)}
}

func codePoint(r rune) string {
	s := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	for len(s) < 4 {
		s = "0" + s
	}
	return "U+" + s
}

func (l *lexer) comment() {
	start := l.i
	end := strings.IndexByte(l.src[start:], '\n')
	if end < 0 {
		end = len(l.src)
	} else {
		end += start
	}
	l.i = end
	if end > start && l.src[end-1] == '\r' {
		end--
	}
	// A # right after an operator is nearly always the element, outside its brackets.
	if l.newline < 0 && l.last >= 0 && wantsOperand(&l.toks[l.last]) {
		l.report("element-outside-brackets", l.span(start, start+1), "after", l.toks[l.last].Text)
	}
	text := l.src[start:end]
	l.controls(text, start)
	t := Token{Span: l.span(start, end), Kind: Comment, Text: text}
	l.comments = append(l.comments, t)
	if l.keep {
		l.toks = append(l.toks, t)
	}
}

// controls finds characters that turn the direction of text inside a string or
// comment: what a reader sees is then not what the program reads.
func (l *lexer) controls(text string, offset int) {
	for k := 0; k < len(text); k++ {
		if text[k] < utf8.RuneSelf {
			continue
		}
		r, n := utf8.DecodeRuneInString(text[k:])
		if (r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069') {
			l.hidden(offset+k, n, r)
		}
		k += n - 1
	}
}

// wantsOperand reports whether an expression cannot end with the token.
func wantsOperand(t *Token) bool {
	switch t.Kind {
	case Punct:
		switch t.Text {
		case "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "?", "??", "?.", "=", ".", "&&", "||", "!", "**", "|", "..":
			return true
		}
	case Word:
		switch t.Text {
		case "and", "or", "not", "in", "where", "if":
			return true
		}
	}
	return false
}

// goesOn reports whether a line that ends with the token goes on in the next.
func goesOn(t *Token) bool {
	switch t.Kind {
	case Punct:
		switch t.Text {
		case ",", ":", "{":
			return true
		}
		return wantsOperand(t)
	case Word:
		switch t.Text {
		case "and", "or", "not":
			return true
		}
	}
	return false
}

// continues reports whether a line that begins with the word belongs to the
// line before it. "until" is not among them though it mostly does: in the block
// of an effect it begins a line of its own, so the parser decides.
func continues(word string) bool {
	switch word {
	case "where", "and", "or", "among", "limit", "once", "rule", "provisional", "else", "by", "printed", "with":
		return true
	}
	return false
}

// endLine emits the line end seen before the token at start, unless the clause
// goes on.
func (l *lexer) endLine(kind TokenKind, start int, text string) {
	at := l.newline
	if at < 0 {
		return
	}
	l.newline = -1
	if len(l.open) > 0 || l.last < 0 {
		return
	}
	prev := &l.toks[l.last]
	if prev.Kind == EOL || goesOn(prev) || kind == EOF {
		return
	}
	switch {
	case kind == Punct && (text == "{" || text == "}"):
		return
	case kind == EOL:
		return
	case kind == Accepts:
		return
	case kind == Word && prev.Kind == String && l.textFollows(start, text):
		return // the text in another language, on a line of its own
	case kind == Word && continues(text):
		// In column 1, provisional is a declaration of its own.
		if text != "provisional" || l.braces > 0 || !l.columnOne(start) {
			return
		}
	}
	l.last = len(l.toks)
	for l.last > 0 && l.toks[l.last-1].Kind == Comment && l.toks[l.last-1].Start > at {
		l.last-- // comments on lines of their own come after the line end
	}
	l.toks = slices.Insert(l.toks, l.last, Token{Span: l.span(at, at+1), Kind: EOL, Text: "\n"})
}

// textFollows reports whether a word is a language with its text: th "…".
func (l *lexer) textFollows(start int, word string) bool {
	if len(word) != 2 || l.columnOne(start) {
		return false
	}
	switch word {
	case "by", "to", "at", "on", "of", "in", "is", "as", "if", "or":
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(l.src[start+len(word):], " \t"), `"`)
}

func (l *lexer) columnOne(at int) bool { return at == 0 || l.src[at-1] == '\n' }

func (l *lexer) emit(kind TokenKind, start, end int, text string) {
	if kind == Word && len(l.open) > 0 && l.newline >= 0 && (reserved(text) || l.columnOne(start) && declHead(text)) {
		// No expression holds such a word: the bracket before it is not closed.
		if l.unclosed() {
			return
		}
	}
	l.endLine(kind, start, text)
	l.last = len(l.toks)
	l.toks = append(l.toks, Token{Span: l.span(start, end), Kind: kind, Text: text})
}

// unclosed reports the outermost open bracket and reads on from the end of its
// line as if the bracket had never been there. It reports whether it went back.
func (l *lexer) unclosed() bool {
	at := l.open[0]
	b := &l.toks[at]
	l.report("unclosed-bracket", b.Span, "bracket", b.Text, "want", string(closer(b.Text[0])))
	b.Kind, b.Text = Illegal, illegalChar
	end := strings.IndexByte(l.src[b.End:l.i], '\n')
	l.open = l.open[:0]
	if end < 0 || l.rewinds >= maxRewinds || l.rewound > len(l.src) {
		return false
	}
	end += b.End
	l.rewinds++
	l.rewound += l.i - end
	for len(l.toks) > 0 && l.toks[len(l.toks)-1].Start > end {
		l.toks = l.toks[:len(l.toks)-1]
	}
	for len(l.comments) > 0 && l.comments[len(l.comments)-1].Start > end {
		l.comments = l.comments[:len(l.comments)-1]
	}
	for l.last = len(l.toks) - 1; l.last >= 0 && l.toks[l.last].Kind == Comment; l.last-- {
	}
	l.i, l.newline = end, -1
	return true
}

func closer(c byte) byte {
	if c == '(' {
		return ')'
	}
	return ']'
}

// next reads one token; l.i stands on its first character.
func (l *lexer) next() {
	start := l.i
	c := l.src[start]
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_':
		l.name()
		return
	case c >= '0' && c <= '9':
		l.number()
		return
	case c == '"':
		l.str(1, '"')
		return
	case c >= utf8.RuneSelf:
		l.wide()
		return
	}
	two := ""
	if start+1 < len(l.src) {
		two = l.src[start : start+2]
	}
	switch two {
	case "==", "!=", "<=", ">=", "&&", "||", "?.", "??", "..", "**":
		l.i += 2
		l.emit(Punct, start, l.i, two)
		return
	}
	switch c {
	case '(', '[':
		l.i++
		if l.deep(start) {
			return
		}
		l.emit(Punct, start, l.i, l.src[start:l.i])
		l.open = append(l.open, l.last)
	case ')', ']':
		l.closeBracket(c)
	case '{', '}':
		if len(l.open) > 0 && l.unclosed() {
			return
		}
		l.i++
		if c == '{' {
			if l.deep(start) {
				return
			}
			l.braces++
		} else if l.braces > 0 {
			l.braces--
		}
		l.emit(Punct, start, l.i, l.src[start:l.i])
	case ';':
		if len(l.open) > 0 && l.unclosed() {
			return
		}
		l.i++
		l.newline = -1
		l.emit(EOL, start, l.i, ";")
	case '+', '-', '*', '/', '%', '<', '>', '=', '!', '?', '.', ',', ':', '|', '#':
		l.i++
		l.emit(Punct, start, l.i, l.src[start:l.i])
	default:
		l.i++
		if c == '\'' {
			l.singleQuote(start)
			return
		}
		for l.i < len(l.src) && l.src[l.i] == c {
			l.i++
		}
		l.report("stray-character", l.span(start, l.i), "character", l.src[start:min(l.i, start+8)])
		l.emit(Illegal, start, l.i, illegalChar)
	}
}

// singleQuote reads a text in single quotation marks as the text that was meant,
// if it ends on its line.
func (l *lexer) singleQuote(start int) {
	for k := start + 1; k < len(l.src) && k-start < 1000 && l.src[k] != '\n' && l.src[k] != '"'; k++ {
		if l.src[k] != '\'' || l.letterAt(k+1) {
			continue
		}
		text := l.src[start+1 : k]
		l.i = k + 1
		d := l.report("single-quote", l.span(start, l.i), "text", text)
		if !strings.Contains(text, `\`) {
			d.Fix = &diag.Fix{Span: d.Span, Text: `"` + text + `"`}
		}
		l.emit(String, start, l.i, strings.ToValidUTF8(text, "\uFFFD"))
		return
	}
	l.report("single-quote", l.span(start, l.i))
	l.emit(Illegal, start, l.i, illegalChar)
}

// deep refuses an opening bracket or brace beyond MaxDepth, once a file.
func (l *lexer) deep(start int) bool {
	if l.braces+len(l.open) < MaxDepth {
		return false
	}
	if !l.tooDeep {
		l.tooDeep = true
		l.report("too-deep", l.span(start, l.i), "limit", strconv.Itoa(MaxDepth))
	}
	l.emit(Illegal, start, l.i, illegalStructural)
	return true
}

func (l *lexer) closeBracket(c byte) {
	start := l.i
	if n := len(l.open); n > 0 {
		b := &l.toks[l.open[n-1]]
		if closer(b.Text[0]) == c {
			l.i++
			l.open = l.open[:n-1]
			l.newline = -1
			l.emit(Punct, start, l.i, l.src[start:l.i])
			return
		}
		l.i++
		l.report("wrong-bracket", l.span(start, l.i), "found", string(rune(c)), "want", string(rune(closer(b.Text[0])))).
			With("opened-here", b.Span)
		l.open = l.open[:n-1]
		l.emit(Illegal, start, l.i, illegalChar)
		return
	}
	l.i++
	if !l.tooDeep {
		l.report("unopened-bracket", l.span(start, l.i), "bracket", string(rune(c)))
	}
	l.emit(Illegal, start, l.i, illegalChar)
}

// name reads a word or name. Its Text is folded; most are ASCII and stay as
// they are, without a copy.
func (l *lexer) name() {
	start := l.i
	plain := true
	for l.i < len(l.src) {
		c := l.src[l.i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
			l.i++
			continue
		case c == '\'':
			if l.i > start && l.letterAt(l.i+1) {
				l.i++
				continue
			}
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(l.src[l.i:])
			if r == '’' && l.i > start && l.letterAt(l.i+n) {
				plain = false
				l.i += n
				continue
			}
			if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || invisible(r) && l.letterAt(l.i+n) {
				plain = false
				l.i += n
				continue
			}
		}
		break
	}
	text := l.src[start:l.i]
	kind := Ident
	if c := text[0]; c >= 'a' && c <= 'z' || c == '_' {
		kind = Word
	}
	if !plain {
		var ok bool
		if text, ok = l.clean(start, text); !ok {
			l.emit(Illegal, start, l.i, illegalChar)
			return
		}
		if r, _ := utf8.DecodeRuneInString(text); unicode.IsLower(r) {
			kind = Word
		}
	}
	if kind == Word && text == "accept" && len(l.open) == 0 {
		if n, code := acceptance(l.src[l.i:]); n > 0 {
			l.i += n
			kind, text = Accepts, code
		}
	}
	l.emit(kind, start, l.i, text)
}

// acceptance reads the code that an acceptance names: small letters with hyphens
// between, as nothing else in the language is written. So accept stays free as a
// name. n is how far it reaches.
func acceptance(s string) (n int, code string) {
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	start, hyphens := n, 0
	for ; n < len(s); n++ {
		c := s[n]
		if c == '-' && n > start && n+1 < len(s) && s[n+1] >= 'a' && s[n+1] <= 'z' {
			hyphens++
		} else if c < 'a' || c > 'z' {
			break
		}
	}
	if start == 0 || hyphens == 0 {
		return 0, ""
	}
	return n, s[start:n]
}

func (l *lexer) letterAt(i int) bool {
	if i >= len(l.src) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(l.src[i:])
	return unicode.IsLetter(r) || unicode.IsMark(r) && r < utf8.MaxRune
}

// clean checks a name that is not plain ASCII and returns it folded.
func (l *lexer) clean(start int, text string) (string, bool) {
	var b strings.Builder
	for k := 0; k < len(text); {
		r, n := utf8.DecodeRuneInString(text[k:])
		if invisible(r) {
			l.hidden(start+k, n, r)
		} else {
			b.WriteRune(r)
		}
		k += n
	}
	s := b.String()
	if mended, ok := lookalike(s); ok {
		d := l.report("lookalike-character", l.span(start, start+len(text)), "text", s, "mended", mended)
		d.Fix = &diag.Fix{Span: d.Span, Text: mended}
		return s, true
	}
	if mended, ok := doubledMarks(s); ok {
		d := l.report("doubled-mark", l.span(start, start+len(text)), "text", s, "mended", mended)
		d.Fix = &diag.Fix{Span: d.Span, Text: mended}
		s = mended
	}
	s = Fold(s)
	return s, s != ""
}

func (l *lexer) number() {
	start := l.i
	digits := func() {
		for l.i < len(l.src) && l.src[l.i] >= '0' && l.src[l.i] <= '9' {
			l.i++
		}
	}
	digits()
	kind := Int
	for l.i+1 < len(l.src) && l.src[l.i] == '.' && l.src[l.i+1] >= '0' && l.src[l.i+1] <= '9' {
		kind = RuleNo
		l.i++
		digits()
	}
	text := l.src[start:l.i]
	if l.i < len(l.src) && (l.src[l.i] == '_' || l.letterAt(l.i)) {
		end := l.i
		for end < len(l.src) && (l.src[end] == '_' || l.src[end] >= '0' && l.src[end] <= '9' || l.letterAt(end)) {
			_, n := utf8.DecodeRuneInString(l.src[end:])
			end += n
		}
		d := l.report("number-and-letters", l.span(start, end), "number", text, "letters", l.src[l.i:end])
		d.Fix = &diag.Fix{Span: l.span(l.i, l.i), Text: " "}
		l.i = end
		l.emit(Illegal, start, end, illegalChar)
		return
	}
	if kind == Int && len(text) > 15 {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > MaxNumber {
			l.report("number-too-large", l.span(start, l.i), "number", text, "limit", strconv.Itoa(MaxNumber))
			l.emit(Illegal, start, l.i, illegalChar)
			return
		}
	}
	l.emit(kind, start, l.i, text)
}

// str reads a string whose opening quote is n bytes long. A curly quote is
// reported and read as the straight one that was meant.
func (l *lexer) str(n int, quote rune) {
	start := l.i
	l.i += n
	from := l.i
	curly := quote != '"'
	var b *strings.Builder
	for {
		if l.i >= len(l.src) || l.src[l.i] == '\n' {
			end := l.i
			if end > start && l.src[end-1] == '\r' {
				end--
			}
			l.report("unterminated-string", l.span(start, end))
			l.emit(Illegal, start, l.i, illegalText)
			return
		}
		c := l.src[l.i]
		switch {
		case c == '"':
			l.endString(start, from, l.i, 1, curly, b)
			return
		case c == '\\':
			if b == nil {
				b = &strings.Builder{}
				b.WriteString(l.src[from:l.i])
			}
			l.escape(b)
			continue
		case c >= utf8.RuneSelf:
			r, w := utf8.DecodeRuneInString(l.src[l.i:])
			if curly && (r == '”' || r == '“') {
				l.endString(start, from, l.i, w, true, b)
				return
			}
			if b != nil {
				b.WriteRune(r)
			}
			l.i += w
			continue
		case c < ' ' && c != '\t' && c != '\r' || c == 0x7f:
			l.hidden(l.i, 1, rune(c))
		}
		if b != nil {
			b.WriteByte(c)
		}
		l.i++
	}
}

func (l *lexer) endString(start, from, to, n int, curly bool, b *strings.Builder) {
	l.i = to + n
	raw := l.src[from:to]
	value := raw
	if b != nil {
		value = b.String()
	}
	ascii := true
	for k := 0; k < len(raw) && ascii; k++ {
		ascii = raw[k] < utf8.RuneSelf
	}
	if !ascii {
		l.controls(raw, from)
		if !utf8.ValidString(value) {
			value = strings.ToValidUTF8(value, "\uFFFD")
		}
		if mended, ok := doubledMarks(raw); ok {
			d := l.reports.add(l.diags, l.span(from, to), func() *diag.Diagnostic {
				return l.diags.Warn("doubled-mark", l.span(from, to), "text", raw, "mended", mended)
			})
			d.Fix = &diag.Fix{Span: d.Span, Text: mended}
		}
	}
	if curly {
		d := l.report("curly-quote", l.span(start, l.i), "text", raw)
		d.Fix = &diag.Fix{Span: d.Span, Text: `"` + raw + `"`}
	}
	l.emit(String, start, l.i, value)
}

func (l *lexer) escape(b *strings.Builder) {
	at := l.i
	l.i++
	if l.i >= len(l.src) {
		return
	}
	switch c := l.src[l.i]; c {
	case '"', '\\':
		b.WriteByte(c)
		l.i++
	case 'n':
		b.WriteByte('\n')
		l.i++
	case 't':
		b.WriteByte('\t')
		l.i++
	case '\n', '\r':
		// The string is not closed; that message is enough.
	default:
		r, n := utf8.DecodeRuneInString(l.src[l.i:])
		l.i += n
		d := l.report("unknown-escape", l.span(at, l.i), "escape", strings.ToValidUTF8(l.src[at:l.i], "\uFFFD"))
		d.Fix = &diag.Fix{Span: l.span(at, at), Text: `\`}
		b.WriteRune(r)
	}
}

// wide reads a token that begins with a character beyond ASCII.
func (l *lexer) wide() {
	start := l.i
	r, n := utf8.DecodeRuneInString(l.src[start:])
	if narrow, ok := narrowRun(l.src[start:]); ok > 0 {
		l.i += ok
		d := l.report("full-width-character", l.span(start, l.i), "text", l.src[start:l.i], "mended", narrow)
		d.Fix = &diag.Fix{Span: d.Span, Text: narrow}
		l.emit(Illegal, start, l.i, illegalChar)
		return
	}
	switch {
	case r == utf8.RuneError && n <= 1:
		for l.i < len(l.src) {
			r, n := utf8.DecodeRuneInString(l.src[l.i:])
			if r != utf8.RuneError || n > 1 {
				break
			}
			l.i++
		}
		l.emit(Illegal, start, l.i, illegalChar)
		return
	case r == '“' || r == '”' || r == '„':
		l.str(n, r)
		return
	case unicode.IsLetter(r):
		l.name()
		return
	case unicode.IsDigit(r):
		l.foreignDigits()
		return
	}
	l.i += n
	if unicode.IsMark(r) {
		// A mark that stands on nothing: the whole run of letters after it is one slip.
		for l.i < len(l.src) {
			r, n := utf8.DecodeRuneInString(l.src[l.i:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			l.i += n
		}
		l.report("stray-mark", l.span(start, l.i), "text", l.src[start:l.i])
		l.emit(Illegal, start, l.i, illegalChar)
		return
	}
	if mended, ok := typographic[r]; ok {
		d := l.report("lookalike-character", l.span(start, l.i), "text", string(r), "mended", mended)
		d.Fix = &diag.Fix{Span: d.Span, Text: mended}
		l.emit(Illegal, start, l.i, illegalChar)
		return
	}
	l.report("stray-character", l.span(start, l.i), "character", string(r))
	l.emit(Illegal, start, l.i, illegalChar)
}

// foreignDigits reads a number in Thai or other digits, reports it, and goes on
// as if it were written in ours.
func (l *lexer) foreignDigits() {
	start := l.i
	var b strings.Builder
	for l.i < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.i:])
		if !unicode.IsDigit(r) {
			break
		}
		b.WriteByte('0' + byte(digitValue(r)))
		l.i += n
	}
	d := l.report("lookalike-character", l.span(start, l.i), "text", l.src[start:l.i], "mended", b.String())
	d.Fix = &diag.Fix{Span: d.Span, Text: b.String()}
	l.emit(Illegal, start, l.i, illegalChar)
}

// digitValue relies on Unicode, where each script's ten digits stand in a row.
func digitValue(r rune) int {
	v := 0
	for v < 9 && unicode.IsDigit(r-1) {
		r--
		v++
	}
	return v % 10
}
