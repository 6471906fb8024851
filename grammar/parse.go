package grammar

import (
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// The structure of heads (what stands before a block) is a participle grammar,
// see heads.go. Blocks, instructions, expressions and everything inside a card
// are read by hand: ten thousand cards pass through here at every start, where
// participle's reflection costs ten times as much, and only a reader that knows
// what it was about to read can say what is wrong in a designer's words.
//
// Failing is a state, not an error value: after the first slip of a line, bad is
// set and peek shows an end of file, so that every loop ends by itself and no
// second message comes. The innermost block that the slip lies in clears bad,
// skips to the end of that line, and goes on. lost means that the braces can't
// be trusted either; then the declaration is given up.

type parser struct {
	file    *source.File
	diags   *diag.List
	reports *reports
	toks    []Token // no comments; ends with EOF
	i       int
	bad     bool
	lost    bool
	slips   int       // failed lines of the declaration being read
	valued  int       // where the last expression ended
	accepts []*Accept // of the declaration being read

	open       int           // braces that are open
	blocks     []source.Span // where they are
	depth      int           // instructions inside each other
	inChanges  bool          // directly in the block of an effect, where "until" begins a line
	unindented bool          // the declaration's body stands in column 1, so heads there don't end it
}

var end = Token{Kind: EOF}

// Parse reads one rule file. What is wrong goes to diags; declarations whose
// name could be read are in the File all the same, marked as Failed.
func Parse(file *source.File, diags *diag.List) *File {
	l := scan(file, diags, false)
	p := &parser{file: file, diags: diags, reports: l.reports, toks: l.toks}
	f := &File{Source: file, Comments: l.comments}
	for {
		p.bad, p.lost, p.slips, p.open, p.depth, p.inChanges, p.unindented = false, false, 0, 0, 0, false, false
		p.skipEOLs()
		if p.toks[p.i].Kind == EOF {
			return f
		}
		start := p.i
		p.accepts = nil
		d := p.decl()
		if !p.bad {
			switch t := p.peek(); {
			case t.Kind == EOL || t.Kind == EOF || p.atHead():
			default:
				p.stray()
			}
		}
		if d != nil {
			d.Span = p.since(start)
			d.Failed = p.bad || p.slips > 0
			d.Accepts = p.accepts
			p.covered(0, d.Span)
			f.Decls = append(f.Decls, d)
		}
		if p.bad {
			p.skipDecl(start)
		}
	}
}

// peek returns the next token, or an end of file once the line has failed.
func (p *parser) peek() *Token {
	if p.bad {
		return &end
	}
	return &p.toks[p.i]
}

func (p *parser) ahead(n int) *Token {
	if p.bad || p.i+n >= len(p.toks) {
		return &end
	}
	return &p.toks[p.i+n]
}

func (p *parser) isWord(s string) bool {
	t := p.peek()
	return t.Kind == Word && t.Text == s
}

func (p *parser) isPunct(s string) bool {
	t := p.peek()
	return t.Kind == Punct && t.Text == s
}

func (p *parser) gotWord(s string) bool {
	if p.isWord(s) {
		p.i++
		return true
	}
	return false
}

func (p *parser) gotPunct(s string) bool {
	if p.isPunct(s) {
		p.i++
		return true
	}
	return false
}

// since returns the span from the token at index start to the last one read.
func (p *parser) since(start int) source.Span {
	s := p.toks[start].Span
	if p.i > start {
		return s.To(p.toks[p.i-1].Span)
	}
	return s
}

func (p *parser) skipEOLs() {
	for p.peek().Kind == EOL {
		p.i++
	}
}

// atHead reports whether the next token begins a declaration: a head word in
// column 1. Such a line ends whatever is still open before it.
func (p *parser) atHead() bool {
	t := &p.toks[p.i]
	return t.Kind == Word && declHead(t.Text) && p.columnOne(t)
}

func (p *parser) columnOne(t *Token) bool {
	return t.Start == 0 || p.file.Text[t.Start-1] == '\n'
}

func (p *parser) skipDecl(start int) {
	p.bad = false
	if p.i == start {
		p.i++
	}
	for p.i < len(p.toks)-1 && !p.atHead() {
		p.i++
	}
	p.i = min(p.i, len(p.toks)-1)
}

// skipLine goes to the end of the line at the depth of the block being read.
func (p *parser) skipLine(start int) {
	p.bad = false
	depth := 0
	for ; ; p.i++ {
		t := &p.toks[p.i]
		switch {
		case t.Kind == EOF, t.Kind == EOL && depth == 0, p.i > start && p.atHead() && !p.unindented:
			return
		case t.Kind == Punct && t.Text == "{":
			depth++
		case t.Kind == Punct && t.Text == "}":
			if depth == 0 {
				return
			}
			depth--
		case t.Kind == Illegal && (t.Text == illegalStructural || t.Text == illegalText):
			p.bad, p.lost = true, true
			return
		}
	}
}

// fail reports a slip at a span and stops the line. An Illegal token has been
// reported by the lexer.
func (p *parser) fail(code string, at source.Span, values ...string) *diag.Diagnostic {
	if p.bad {
		return &diag.Diagnostic{}
	}
	t := &p.toks[p.i]
	switch code {
	case "stray-token", "unknown-clause", "unknown-declaration":
		if t.Kind == Word && (t.Text == "floor" || t.Text == "ceiling") {
			code, values = "stray-bound", []string{"found", t.Text}
		}
	}
	p.bad = true
	for i := p.i; p.toks[i].Kind != EOL && p.toks[i].Kind != EOF; i++ {
		if n := &p.toks[i]; n.Kind == Illegal && n.Text == illegalText {
			p.lost = true // a quotation mark is missing in the line, which says all
			return &diag.Diagnostic{}
		}
	}
	if p.reports.n >= MaxReports || p.unbalanced() {
		p.lost = true
	}
	if t.Kind == Illegal {
		p.lost = p.lost || t.Text == illegalStructural || t.Text == illegalText
		return &diag.Diagnostic{}
	}
	return p.reports.add(p.diags, at, func() *diag.Diagnostic { return p.diags.Add(code, at, values...) })
}

// unbalanced reports whether the braces from here to the next declaration fail to
// close just what is open. Then the slip has to do with a brace, and going on
// inside this declaration would only report it again in other words.
func (p *parser) unbalanced() bool {
	depth := p.open
	for i := p.i; i < len(p.toks); i++ {
		t := &p.toks[i]
		if t.Kind == Word && i > p.i && declHead(t.Text) && p.columnOne(t) && !p.unindented {
			break
		}
		if t.Kind == Punct {
			switch t.Text {
			case "{":
				depth++
			case "}":
				depth--
			}
		}
	}
	return depth != 0
}

// want reports that something else should stand here. A want that begins with @
// is a term of the catalog, anything else is what to write.
func (p *parser) want(what string) {
	if p.comparison() {
		return
	}
	if t := p.peek(); what == "@colon-or-block" && t.Kind == Word && t.Text == "unless" {
		p.fail("no-unless", t.Span)
		return
	}
	if t := p.peek(); what == "@colon-or-block" && t.Kind == EOL && t.Text == ";" {
		d := p.fail("expected", t.Span, "want", what, "found", ";", "here", what)
		d.Fix = &diag.Fix{Span: t.Span, Text: ":", Guess: true}
		p.i++ // what stands behind it belongs to it
		return
	}
	if write := p.meantBy(what); write != "" {
		p.fail("expected", p.here(), "want", what, "found", p.found(), "instead", write)
		return
	}
	p.fail("expected", p.here(), "want", what, "found", p.found(), "here", what)
}

// meantBy is how to write what other words for it stand here, or "": how often
// something may be done, and one of several options.
func (p *parser) meantBy(what string) string {
	switch {
	case what == "@word" && p.isPunct("{") && p.i > 1 && p.toks[p.i-2].Text == "choose":
		return "either { option … }"
	case what == "@colon-or-block" && p.peek().Kind == Word:
		for i := p.i; i < len(p.toks) && i < p.i+5 && p.toks[i].Kind != EOL && p.toks[i].Kind != EOF; i++ {
			if p.toks[i].Text == "per" && i+1 < len(p.toks) {
				return "limit 2 per " + p.toks[i+1].Text
			}
		}
	}
	return ""
}

// here is the span of the next token. Where the line has ended, it is the place
// behind the last word: the newline itself may lie below comments and blank lines.
func (p *parser) here() source.Span {
	s := p.toks[p.i].Span
	if p.lineEnded() && p.i > 0 {
		s.Start = p.toks[p.i-1].End
		s.End = s.Start
	}
	return s
}

// lineEnded reports whether the next token is a line end, or one before which
// the lexer leaves a line end out.
func (p *parser) lineEnded() bool {
	t := &p.toks[p.i]
	switch {
	case t.Kind == EOF:
		return true
	case t.Kind == EOL:
		return t.Text != ";"
	}
	return t.Kind == Punct && t.Text == "}" && p.i > 0 && strings.Contains(p.file.Text[p.toks[p.i-1].End:t.Start], "\n")
}

// found says what the next token is, for a message.
func (p *parser) found() string {
	t := &p.toks[p.i]
	switch {
	case t.Kind == EOF:
		return "@end-of-file"
	case t.Kind == EOL, p.lineEnded():
		return "@end-of-line"
	case t.Kind == String:
		return "@string"
	}
	return t.Text
}

// comparison reports "=" or "is" behind a value, where "==" was meant, and "=>" and
// "=<" there.
func (p *parser) comparison() bool {
	t := p.peek()
	if p.i == 0 || p.valued != p.i || !(t.Kind == Punct && t.Text == "=" || t.Kind == Word && t.Text == "is") {
		return false
	}
	if b := &p.toks[p.i-1]; t.Text == "=" && b.Kind == Punct && b.Text == "==" && b.End == t.Start {
		d := p.fail("single-equals", b.Span.To(t.Span), "found", "===")
		d.Fix = &diag.Fix{Span: d.Span, Text: "=="}
		return true
	}
	if n := p.ahead(1); t.Text == "=" && n.Kind == Punct && (n.Text == ">" || n.Text == "<") && n.Start == t.End {
		d := p.fail("turned-comparison", t.Span.To(n.Span), "found", t.Text+n.Text, "meant", n.Text+t.Text)
		d.Fix = &diag.Fix{Span: d.Span, Text: n.Text + t.Text}
		return true
	}
	if w := p.recording(); w != nil {
		d := p.fail("unknown-action", w.Span, "name", w.Text)
		d.Near = "record"
		d.Fix = &diag.Fix{Span: w.Span, Text: "record", Guess: true}
		return true
	}
	if p.giving() {
		p.fail("second-equals", t.Span)
		return true
	}
	d := p.fail("single-equals", t.Span, "found", t.Text)
	d.Fix = &diag.Fix{Span: t.Span, Text: "=="}
	p.furtherEquals()
	return true
}

// recording is the word at the start of an instruction that gives something a value, where
// "record" was meant by it, or nil.
func (p *parser) recording() *Token {
	i := p.i - 1
	for ; i > 0; i-- {
		if t := &p.toks[i-1]; t.Kind == EOL || t.Kind == Punct && (t.Text == "{" || t.Text == "}" || t.Text == ":") {
			break
		}
	}
	if w := &p.toks[max(i, 0)]; w.Kind == Word && w.Text != "record" && i+1 < p.i && p.toks[i+1].Kind != Punct && diag.Nearest(w.Text, []string{"record"}) != "" {
		return w
	}
	return nil
}

// giving reports whether the clause gives a value by "=" before this place.
func (p *parser) giving() bool {
	for i := p.i - 1; i >= 0; i-- {
		switch t := &p.toks[i]; {
		case t.Kind == EOL, t.Kind == Punct && (t.Text == "{" || t.Text == "}" || t.Text == ":"),
			t.Kind == Word && (t.Text == "where" || t.Text == "while"):
			return false
		case t.Kind == Punct && t.Text == "=":
			return true
		}
	}
	return false
}

// furtherEquals reports each "=" of the same condition behind one that compares.
func (p *parser) furtherEquals() {
	for i := p.i + 1; i+1 < len(p.toks); i++ {
		t, n := &p.toks[i], &p.toks[i+1]
		switch {
		case t.Kind == EOL, t.Kind == Punct && (t.Text == "{" || t.Text == "}" || t.Text == ":" || t.Text == ","),
			t.Kind == Word && t.Text == "with":
			return
		case t.Kind == Punct && t.Text == "=" && !(n.Kind == Punct && n.Start == t.End):
			d := p.reports.add(p.diags, t.Span, func() *diag.Diagnostic { return p.diags.Add("single-equals", t.Span, "found", t.Text) })
			d.Fix = &diag.Fix{Span: t.Span, Text: "=="}
		}
	}
}

// needless reports an article, which the language does without.
func (p *parser) needless() {
	t := p.peek()
	if t.Kind != Word || t.Text != "the" && t.Text != "a" && t.Text != "an" || !isKind(p.ahead(1)) || reserved(p.ahead(1).Text) && p.ahead(1).Text != "of" {
		return
	}
	if n := p.ahead(1); n.Text == "of" || n.Text == "where" {
		return
	}
	d := p.fail("needless-word", t.Span, "word", t.Text)
	d.Fix = &diag.Fix{Span: source.Span{File: t.File, Start: t.Start, End: p.toks[p.i+1].Start}}
}

// stray reports a token that nothing on its line can use.
func (p *parser) stray() {
	if p.comparison() {
		return
	}
	t := p.peek()
	if t.Kind == Punct && t.Text == "}" {
		p.fail("extra-brace", t.Span)
		return
	}
	if name := p.hyphened(); name != "" {
		p.fail("stray-token", p.here(), "found", p.found(), "quoted", `"`+name+`"`)
		return
	}
	if p.isPunct("=") {
		if p.giving() {
			p.fail("second-equals", t.Span)
			return
		}
		for i := p.i - 1; i > 0 && p.toks[i].Kind != EOL; i-- {
			if w := &p.toks[i]; w.Kind == Word && (w.Text == "floor" || w.Text == "ceiling" || w.Text == "printed") {
				p.fail("stray-token", p.here(), "found", p.found(), "bound", w.Text)
				return
			}
		}
	}
	if p.isWord("per") && isKind(p.ahead(1)) {
		p.fail("stray-token", p.here(), "found", p.found(), "often", "may limit 2 per "+p.ahead(1).Text+": …")
		return
	}
	p.fail("stray-token", p.here(), "found", p.found(), "away", p.found())
}

// hyphened is the name that a hyphen at this place belongs to, written without the
// quotation marks that it needs where it is declared, or "".
func (p *parser) hyphened() string {
	from, to := p.i-1, p.i
	if p.i == 0 || p.toks[p.i].Kind != Punct || p.toks[p.i].Text != "-" || p.toks[from].Kind != Ident {
		return ""
	}
	for to+1 < len(p.toks) && p.toks[to].End == p.toks[to+1].Start && p.toks[to+1].Kind != String {
		to++
	}
	if to == p.i || p.toks[from].End != p.toks[p.i].Start {
		return ""
	}
	return Joined(p.toks[from : to+1])
}

// lines reads a block: braces around lines that each is called for.
func (p *parser) lines(each func()) {
	open := p.peek()
	if !p.gotPunct("{") {
		p.want("{")
		return
	}
	wasIn := p.inChanges
	p.inChanges = false
	defer func() { p.inChanges = wasIn }()
	if t := p.peek(); p.depth == 0 && p.columnOne(t) && !(t.Kind == Word && declHead(t.Text) && t.Text != "always") && t.Text != "}" {
		p.unindented = true
	}
	p.depth++
	p.open++
	p.blocks = append(p.blocks, open.Span)
	defer func() { p.depth--; p.open--; p.blocks = p.blocks[:len(p.blocks)-1] }()
	for {
		p.skipEOLs()
		t := p.peek()
		if t.Kind == Punct && t.Text == "}" {
			p.i++
			return
		}
		if p.bad {
			return
		}
		if p.atHead() && t.Text == "always" && p.surplus() {
			p.unindented = true // a line of this block that was not indented
		}
		if t.Kind == EOF || p.atHead() && !p.unindented {
			p.fail("unclosed-block", open.Span)
			p.lost = true
			return
		}
		start, taken := p.i, len(p.accepts)
		each()
		p.covered(taken, p.since(start))
		if !p.bad {
			if t := p.peek(); t.Kind == EOL || t.Kind == EOF || t.Kind == Punct && t.Text == "}" || p.atHead() && !p.unindented {
				continue
			}
			p.stray()
		}
		p.slips++
		if p.lost {
			return
		}
		p.skipLine(start)
		if p.lost {
			return
		}
	}
}

// surplus reports whether a brace closes the block that is open, before the next
// declaration: then what comes next belongs to the block.
func (p *parser) surplus() bool {
	depth := 0
	for i := p.i; i < len(p.toks); i++ {
		switch t := &p.toks[i]; {
		case t.Kind == Punct && t.Text == "{":
			depth++
		case t.Kind == Punct && t.Text == "}":
			if depth--; depth < 0 {
				return true
			}
		case t.Kind == Word && t.Text != "always" && declHead(t.Text) && p.columnOne(t):
			return false
		}
	}
	return false
}

// nest guards against instructions inside each other without braces, which the
// lexer can't count.
func (p *parser) nest() bool {
	if p.depth >= 2*MaxDepth {
		p.fail("too-deep", p.here(), "limit", strconv.Itoa(MaxDepth))
		p.lost = true
		return false
	}
	p.depth++
	return true
}

func (p *parser) name(want string, ok func(*Token) bool) Name {
	t := p.peek()
	if !ok(t) {
		p.want(want)
		return Name{}
	}
	p.i++
	return Name{t.Span, t.Text}
}

// A name declared in capital letters, and a word in small ones. Letters without
// case, as Thai's, may be both.
func isKind(t *Token) bool { return t.Kind == Ident || t.Kind == Word }
func isWordLike(t *Token) bool {
	return t.Kind == Word || t.Kind == Ident && t.Text[0] >= 0x80
}

func (p *parser) wordName() Name { return p.name("@word", isWordLike) }
func (p *parser) kindName() Name { return p.name("@kind", isKind) }
func (p *parser) anyName() *Name { n := p.name("@name", isKind); return &n }
func (p *parser) str(want string) Str {
	t := p.peek()
	if t.Kind != String {
		p.want(want)
		return Str{}
	}
	p.i++
	return Str{t.Span, t.Text}
}

func declHead(s string) bool {
	switch s {
	case "edition", "provisional", "values", "kind", "zone", "layer", "order", "reading", "statement", "summary", "phrase",
		"view", "deck", "language", "text", "pack", "characteristic", "memory", "always", "table", "action", "step", "token",
		"keyword", "card", "header", "errata", "case", "override", "extend":
		return true
	}
	return false
}

// declHeads is declHead's list for "did you mean".
var declHeads = []string{"edition", "provisional", "values", "kind", "zone", "layer", "order", "reading", "statement",
	"summary", "phrase", "view", "deck", "language", "text", "pack", "characteristic", "memory", "always", "table", "action", "step",
	"token", "keyword", "card", "header", "errata", "case", "override", "extend"}

func (p *parser) decl() *Decl {
	d := &Decl{}
	if p.isWord("override") || p.isWord("extend") {
		d.Mod = p.peek().Text
		p.i++
	}
	t := p.peek()
	if t.Kind != Word || !declHead(t.Text) || t.Text == "override" || t.Text == "extend" {
		if t.Kind == Punct && t.Text == "}" {
			p.fail("extra-brace", t.Span)
			return nil
		}
		dg := p.fail("unknown-declaration", p.here(), "found", p.found())
		if t.Kind == Word || t.Kind == Ident {
			p.near(dg, t, declHeads...)
		}
		return nil
	}
	p.i++
	d.Head, d.At = t.Text, t.Span
	named := p.i
	switch d.Head {
	case "characteristic", "memory":
		c := p.char(d.Head == "memory")
		d.Char = &c
	case "always":
		d.Always = p.always()
		if !p.bad {
			d.Always.Cite = p.cite()
		}
	case "table":
		d.Table = p.table()
	case "action":
		d.Action = p.action()
	case "step":
		d.Step = p.step()
	case "token":
		d.Token = p.tokenDecl()
	case "keyword", "card", "header", "errata":
		d.Rules = p.rules()
	case "case":
		d.Case = p.caseDecl()
	default:
		d.Plain = p.plain(d.Head)
	}
	if p.bad && p.i == named {
		return nil // not even a name
	}
	return d
}

// near puts the nearest known name and a fix into a diagnostic.
func (p *parser) near(d *diag.Diagnostic, t *Token, known ...string) {
	if d.Code == "stray-bound" {
		return
	}
	if d.Near = diag.Nearest(t.Text, known); d.Near != "" {
		d.Fix = &diag.Fix{Span: t.Span, Text: d.Near, Guess: true}
		return
	}
	d.Values = append(d.Values, "known", strings.Join(known, ", "))
}

func (p *parser) texts() []Text {
	var out []Text
	for {
		t, s := p.peek(), p.ahead(1)
		if !isWordLike(t) || s.Kind != String || t.Text == "from" || t.Text == "until" {
			return out
		}
		p.i += 2
		out = append(out, Text{t.Span.To(s.Span), t.Text, s.Text})
	}
}

// someTexts is texts where at least one must stand.
func (p *parser) someTexts() []Text {
	ts := p.texts()
	if len(ts) == 0 {
		p.want("@text")
	}
	return ts
}

// tail reads texts, editions and the citation, in any order.
func (p *parser) tail() Tail {
	var tail Tail
	for {
		t := p.peek()
		if t.Kind == EOL && t.Text != ";" && p.untilNext() && p.ahead(2).Kind == String {
			p.i++
			continue
		}
		if !isWordLike(t) && t.Kind != Accepts {
			return tail
		}
		next := p.ahead(1)
		switch {
		case t.Kind == Accepts || t.Text == "rule" || t.Text == "provisional":
			if tail.Cite != nil {
				return tail
			}
			tail.Cite = p.cite()
		case next.Kind != String:
			return tail
		case t.Text == "from" && tail.From == nil:
			tail.From = &Str{next.Span, next.Text}
			p.i += 2
		case t.Text == "until" && tail.Until == nil:
			tail.Until = &Str{next.Span, next.Text}
			p.i += 2
		case t.Text == "from" || t.Text == "until":
			return tail
		default:
			tail.Texts = append(tail.Texts, Text{t.Span.To(next.Span), t.Text, next.Text})
			p.i += 2
		}
	}
}

// untilNext reports whether the line ends here and the next begins with "until"
// and belongs to it.
func (p *parser) untilNext() bool {
	if p.inChanges {
		return false
	}
	t, n := p.peek(), p.ahead(1)
	return t.Kind == EOL && t.Text != ";" && n.Kind == Word && n.Text == "until"
}

// gotUntil reads "until", on this line or at the start of the next.
func (p *parser) gotUntil() bool {
	if p.untilNext() {
		p.i++
	}
	return p.gotWord("until")
}

// cite reads what stands in the margin, or nothing: the rules that a line carries
// out, and the warnings that are accepted in it.
func (p *parser) cite() *Cite {
	start := p.i
	c := &Cite{}
	if p.gotWord("rule") {
		for {
			c.Refs = append(c.Refs, p.ref())
			if !p.gotPunct(",") {
				break
			}
		}
	}
	if p.gotWord("provisional") {
		c.Provisional = true
	}
	for p.peek().Kind == Accepts {
		if a := p.accept(); a != nil {
			c.Accepts = append(c.Accepts, a)
		}
	}
	if p.i == start {
		return nil
	}
	c.Span = p.since(start)
	return c
}

// accept reads the acceptance of a warning: accept CODE because "reason".
func (p *parser) accept() *Accept {
	start := p.i
	t := p.peek()
	p.i++
	a := &Accept{Code: Name{source.Span{File: t.File, Start: t.End - len(t.Text), End: t.End}, t.Text}}
	wants := a.Code.Span
	if because := p.peek(); p.gotWord("because") {
		wants = because.Span
		if s := p.peek(); s.Kind == String {
			p.i++
			wants = s.Span
			a.Reason = Str{s.Span, s.Text}
		}
	}
	if strings.TrimSpace(a.Reason.Value) == "" {
		p.fail("reason-wanted", wants, "code", t.Text)
		return nil
	}
	a.Span = p.since(start)
	switch s, ok := diag.SeverityOf(t.Text); {
	case !ok:
		d := p.reports.add(p.diags, a.Code.Span, func() *diag.Diagnostic { return p.diags.Add("unknown-code", a.Code.Span, "code", t.Text) })
		d.Near = diag.Nearest(t.Text, diag.Acceptable())
	case s == diag.Error:
		p.reports.add(p.diags, a.Code.Span, func() *diag.Diagnostic { return p.diags.Add("cannot-accept", a.Code.Span, "code", t.Text) })
	default:
		p.accepts = append(p.accepts, a)
	}
	return a
}

// covered gives the acceptances from the one at index from on, as far as no line
// inside has taken them, what they speak of: the line in which they stand.
func (p *parser) covered(from int, s source.Span) {
	for _, a := range p.accepts[from:] {
		if !a.Covers.Valid() {
			a.Covers = s
		}
	}
}

func (p *parser) ref() Ref {
	start := p.i
	t := p.peek()
	if t.Kind != RuleNo && t.Kind != Int {
		p.want("@rule-number")
		return Ref{}
	}
	p.i++
	r := Ref{Rule: t.Text}
	if k := p.peek(); k.Kind == String {
		r.Key = k.Text
		p.i++
	}
	r.Span = p.since(start)
	return r
}

// reserved reports whether a word ends an expression.
func reserved(s string) bool {
	switch s {
	case "where", "until", "while", "by", "to", "from", "with", "at", "on", "of", "after", "among", "limit", "once", "per",
		"rule", "provisional", "else", "floor", "ceiling", "printed", "is", "within":
		return true
	}
	return false
}

// Reserved reports whether a word joins the parts of a sentence, so that it can't name
// what an expression speaks of.
func Reserved(word string) bool { return reserved(word) }

// operator reports whether a word joins what stands before and after it, so that
// a string may follow it inside an expression.
func operator(s string) bool {
	switch s {
	case "in", "not", "and", "or", "contains", "startsWith", "endsWith", "matches":
		return true
	}
	return false
}

func (p *parser) expr() *Expr { return p.exprUntil("") }

// exprUntil reads an expression: all tokens up to the first that ends one
// outside brackets. stop is a word that ends it here besides the reserved ones.
func (p *parser) exprUntil(stop string) *Expr {
	if p.bad {
		return &Expr{}
	}
	start := p.i
	n, bad := exprEnd(p.toks, start, stop)
	p.i = n
	if t := &p.toks[n]; bad {
		wordInBrackets(p.fail("word-in-brackets", t.Span, "word", t.Text))
		return &Expr{}
	} else if t.Kind == Illegal {
		p.fail("", t.Span)
		return &Expr{}
	}
	if p.i == start {
		p.want("@expression")
		return &Expr{}
	}
	p.valued = p.i
	return &Expr{p.since(start), p.toks[start:p.i:p.i]}
}

// exprEnd returns the index of the first token at or after start that ends an
// expression, and whether that is a word that may not stand in brackets. The
// tokens must end with EOF.
func exprEnd(toks []Token, start int, stop string) (n int, bad bool) {
	depth := 0
	for i := start; ; i++ {
		t := &toks[i]
		switch t.Kind {
		case EOF, EOL, Illegal, Accepts:
			return i, false
		case Punct:
			switch t.Text {
			case "(", "[":
				depth++
			case ")", "]":
				if depth == 0 {
					return i, false
				}
				depth--
			case ":", ",", "=":
				if depth == 0 {
					return i, false
				}
			case "{", "}":
				return i, false
			}
		case Word:
			if i > start && toks[i-1].Kind == Punct && toks[i-1].Text == "." {
				continue // a member may have any name
			}
			switch res := reserved(t.Text) && !compared(toks, start, i); {
			case depth > 0:
				if res && !(t.Text == "where" && i >= start+2 && EachAt(toks, i-2)) {
					return i, true
				}
			case res:
				return i, false
			case i > start && t.Text == stop && !wantsOperand(&toks[i-1]),
				i > start && toks[i+1].Kind == String && !operator(t.Text) && !wantsOperand(&toks[i-1]):
				return i, false
			}
		}
	}
}

// compared reports whether a reserved word stands where a value is compared, so that it
// was meant as the name of one.
func compared(toks []Token, start, i int) bool {
	if i > start && !wantsOperand(&toks[i-1]) && !(toks[i-1].Kind == Punct && toks[i-1].Text == "(") {
		return false
	}
	switch n := &toks[i+1]; {
	case toks[i].Text == "where" || n.Kind != Punct:
	case n.Text == "==", n.Text == "!=", n.Text == "<", n.Text == ">", n.Text == "<=", n.Text == ">=":
		return true
	}
	return false
}

// wordInBrackets says what works inside brackets instead of where.
func wordInBrackets(d *diag.Diagnostic) {
	if d.Value("word") == "where" {
		d.Values = append(d.Values, "filter", "filter(list, condition)")
	}
}

// EachAt reports whether a list as each Kind begins at a token of an expression.
func EachAt(toks []Token, i int) bool {
	return i+1 < len(toks) && toks[i].Kind == Word && toks[i].Text == "each" && isKind(&toks[i+1]) && !reserved(toks[i+1].Text) &&
		!operator(toks[i+1].Text) && (i == 0 || toks[i-1].Kind != Punct || toks[i-1].Text != ".")
}

// EachEnd returns the index behind the last token of a list that begins at a token
// inside brackets: it goes up to the comma or bracket that ends its place there.
func EachEnd(toks []Token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		if toks[i].Kind != Punct {
			continue
		}
		switch toks[i].Text {
		case "(", "[":
			depth++
		case ")", "]", ",", "?", ":":
			if depth == 0 {
				return i
			}
			if toks[i].Text == ")" || toks[i].Text == "]" {
				depth--
			}
		}
	}
	return i
}

// primary reads the smallest expression: a bracket or a name with members.
func (p *parser) primary() *Expr {
	start := p.i
	t := p.peek()
	switch {
	case t.Kind == Punct && (t.Text == "(" || t.Text == "["):
		for depth := 0; ; {
			t := p.peek()
			if t.Kind == EOF || t.Kind == EOL || t.Kind == Illegal {
				p.want("@expression")
				return &Expr{}
			}
			p.i++
			if t.Kind == Punct && (t.Text == "(" || t.Text == "[") {
				depth++
			} else if t.Kind == Punct && (t.Text == ")" || t.Text == "]") {
				if depth--; depth == 0 {
					break
				}
			}
		}
	case t.Kind == Int, isKind(t):
		p.i++
		for p.isPunct(".") && isKind(p.ahead(1)) {
			p.i += 2
		}
	default:
		p.want("@expression")
		return &Expr{}
	}
	return &Expr{p.since(start), p.toks[start:p.i:p.i]}
}

func (p *parser) exprs() []*Expr {
	out := []*Expr{p.expr()}
	for p.gotPunct(",") {
		out = append(out, p.expr())
	}
	return out
}

func (p *parser) source(stop string) *Source {
	start := p.i
	s := &Source{}
	if p.isWord("each") && isKind(p.ahead(1)) {
		p.i++
		k := p.kindName()
		s.Each = &k
		if p.gotWord("where") {
			s.Where = p.exprUntil(stop)
		}
	} else {
		s.Expr = p.exprUntil(stop)
	}
	s.Span = p.since(start)
	return s
}
