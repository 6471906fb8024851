package lint

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Texts that people write by hand can say other than the data. What can be told:
// numbers and holes that one language has and another has not, a change of +N
// that the data does not make, a name out of a list where the data has another,
// and a parameter that no text shows.

// texts looks at the texts of every declaration.
func (l *linter) texts() {
	d := l.newDigest()
	for _, k := range l.kept {
		switch {
		case k.Case != nil, k.Head == "phrase", k.Head == "text":
			continue
		case k.Rules != nil:
			l.sameTexts(k.Rules.Tail.Texts, false)
			for _, line := range k.Rules.Lines {
				if line.Says != nil {
					l.sameTexts(line.Says, true)
					l.saysOther(k, line.Says, d)
				}
				if line.Granted != nil {
					for _, g := range line.Granted.Lines {
						l.sameTexts(g.Else, true)
					}
				}
			}
			if k.Head == "keyword" {
				l.shown(k)
			}
		case k.Action != nil:
			l.actTexts(k.Action.Lines)
			l.sameTexts(k.Action.Tail.Texts, false)
		case k.Step != nil:
			l.actTexts(k.Step.Lines)
		case k.Plain != nil:
			l.sameTexts(k.Plain.Tail.Texts, k.Head == "summary" || k.Head == "statement")
		}
		l.named(k)
	}
}

func (l *linter) actTexts(lines []*grammar.ActLine) {
	for _, line := range lines {
		l.sameTexts(line.Says, true)
		l.sameTexts(line.Else, true)
	}
}

// sameTexts warns of a number, or of a hole, that a text has in one language and
// lacks in another. Names are put into other words more freely than sentences: of
// them only holes count.
func (l *linter) sameTexts(list []grammar.Text, sentence bool) {
	for _, a := range list {
		for _, b := range list {
			if a.Lang == b.Lang {
				continue
			}
			for _, h := range holes(a.Value) {
				if !slices.Contains(holes(b.Value), h) {
					l.warn("text-differs", b.Span, "what", "{"+h+"}", "language", a.Lang, "other", b.Lang)
					return
				}
			}
			for _, n := range numbers(a.Value) {
				if sentence && n.value > 1 && !says(b, n.value) {
					l.warn("text-differs", b.Span, "what", strconv.FormatInt(n.value, 10), "language", a.Lang, "other", b.Lang)
					return
				}
			}
		}
	}
}

// holes lists the names in braces of a text.
func holes(s string) []string {
	var out []string
	for {
		_, after, ok := strings.Cut(s, "{")
		name, rest, closed := strings.Cut(after, "}")
		if !ok || !closed {
			return out
		}
		name, _, _ = strings.Cut(name, "|")
		name, _, _ = strings.Cut(name, ":")
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
		s = rest
	}
}

// figure is a number in a text; signed says that a + or - stands before it.
type figure struct {
	value  int64
	signed bool
}

// numbers lists the whole numbers that a text writes in digits of any script.
// Those with points in them, as rule numbers have, are none.
func numbers(s string) []figure {
	var out []figure
	rest := []rune(s)
	for i := 0; i < len(rest); i++ {
		if digit(rest[i]) < 0 {
			continue
		}
		start, v := i, int64(0)
		for i < len(rest) && digit(rest[i]) >= 0 {
			if v < 1<<50 {
				v = v*10 + digit(rest[i])
			}
			i++
		}
		before, after := ' ', ' '
		if start > 0 {
			before = rest[start-1]
		}
		if i < len(rest) {
			after = rest[i]
		}
		pointed := (after == '.' || after == ',') && i+1 < len(rest) && digit(rest[i+1]) >= 0 ||
			(before == '.' || before == ',') && start > 1 && digit(rest[start-2]) >= 0
		if pointed || before < utf8.RuneSelf && unicode.IsLetter(before) {
			continue
		}
		out = append(out, figure{v, before == '+' || before == '-' || before == '−'})
	}
	return out
}

func digit(r rune) int64 {
	switch {
	case r >= '0' && r <= '9':
		return int64(r - '0')
	case r >= '๐' && r <= '๙':
		return int64(r - '๐')
	}
	return -1
}

// words are the numbers that languages write out. For a language that is not
// here, a text without digits may say any number.
var words = map[string]map[int64][]string{
	"en": {2: {"two", "twice", "both", "second", "pair", "double"}, 3: {"three", "third", "thrice", "triple"}, 4: {"four"}, 5: {"five", "fifth"},
		6: {"six"}, 7: {"seven"}, 8: {"eight"}, 9: {"nine", "ninth"}, 10: {"ten"}, 11: {"eleven"}, 12: {"twelve", "twelfth"}},
	"th": {2: {"สอง", "คู่", "ทั้ง", "เท่าตัว"}, 3: {"สาม"}, 4: {"สี่"}, 5: {"ห้า"}, 6: {"หก"}, 7: {"เจ็ด"}, 8: {"แปด"}, 9: {"เก้า"}, 10: {"สิบ"},
		11: {"สิบเอ็ด"}, 12: {"สิบสอง"}},
}

// says reports whether a text says a number, or may say it.
func says(t grammar.Text, n int64) bool {
	found := numbers(t.Value)
	for _, f := range found {
		if f.value == n {
			return true
		}
	}
	known := words[t.Lang]
	if known == nil {
		return len(found) == 0
	}
	if n > 12 && len(found) == 0 {
		return true // written out, maybe
	}
	text := strings.ToLower(t.Value)
	for _, w := range known[n] {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// digest is what each declaration speaks of: its numbers and names, and through
// names those of others.
type digest struct {
	l     *linter
	decls map[string][]Kept // by name
	of    map[*grammar.Decl]*spoken
}

type spoken struct {
	numbers map[int64]bool
	names   map[string]bool
	own     map[string]bool // names that the declaration itself has
}

func (l *linter) newDigest() *digest {
	d := &digest{l: l, decls: map[string][]Kept{}, of: map[*grammar.Decl]*spoken{}}
	for _, k := range l.kept {
		if name, _ := head(k.Decl); name != "" && k.Head != "values" { // who speaks of one name of a list does not speak of all
			d.decls[name] = append(d.decls[name], k)
		}
	}
	return d
}

// head is a declaration's name and where it stands.
func head(d *grammar.Decl) (string, source.Span) {
	switch {
	case d.Rules != nil:
		return d.Rules.Name.Text, d.Rules.Name.Span
	case d.Token != nil:
		return d.Token.Name.Text, d.Token.Name.Span
	case d.Char != nil:
		return d.Char.Name.Text, d.Char.Name.Span
	case d.Table != nil:
		return d.Table.Name.Text, d.Table.Name.Span
	case d.Action != nil:
		return d.Action.Name.Text, d.Action.Name.Span
	case d.Step != nil:
		return d.Step.Name.Text, d.Step.Name.Span
	case d.Plain != nil && (d.Head == "kind" || d.Head == "zone" || d.Head == "values"):
		return d.Plain.Title.Text, d.Plain.Title.Span
	}
	return "", source.Span{}
}

// tokens are those of a file, without the texts for people.
func (l *linter) tokens(f *source.File) []grammar.Token {
	list := grammar.Tokens(f, &diag.List{})
	var out []grammar.Token
	for i, t := range list {
		if t.Kind == grammar.String && i > 0 && slices.ContainsFunc(l.p.Languages, func(x program.Text) bool { return x.Lang == list[i-1].Text }) {
			continue // en "…"
		}
		out = append(out, t)
	}
	return out
}

// speaks works out what a declaration and all that it names speak of.
func (d *digest) speaks(k Kept) *spoken {
	out := &spoken{numbers: map[int64]bool{}, names: map[string]bool{}}
	seen := map[*grammar.Decl]bool{}
	queue := []*grammar.Decl{k.Decl}
	for len(queue) > 0 {
		decl := queue[0]
		queue = queue[1:]
		if seen[decl] {
			continue
		}
		seen[decl] = true
		own := d.spoken(decl)
		for n := range own.numbers {
			out.numbers[n] = true
		}
		for n := range own.names {
			out.names[n] = true
			for _, next := range d.decls[n] {
				queue = append(queue, next.Decl)
			}
		}
	}
	out.own = d.spoken(k.Decl).names
	return out
}

func (d *digest) spoken(decl *grammar.Decl) *spoken {
	if s := d.of[decl]; s != nil {
		return s
	}
	s := &spoken{numbers: map[int64]bool{}, names: map[string]bool{}}
	d.of[decl] = s
	list := d.l.tokens(source.NewFile(decl.File.Name, decl.Span.Text()))
	for i, t := range list {
		switch t.Kind {
		case grammar.Int:
			n, err := strconv.ParseInt(t.Text, 10, 64)
			if err == nil {
				s.numbers[n] = true
			}
		case grammar.Ident, grammar.Word, grammar.String:
			s.names[t.Text] = true
			// Names of several words.
			name := t.Text
			for j := i + 1; j < len(list) && j < i+8 && (list[j].Kind == grammar.Ident || list[j].Kind == grammar.Word); j++ {
				name += " " + list[j].Text
				if len(d.decls[name]) > 0 {
					s.names[name] = true
				}
			}
		}
	}
	return s
}

// saysOther warns where the hand-written text of a card or keyword names a change
// that its data can't make, or a name out of a list where the data has another.
func (l *linter) saysOther(k Kept, says []grammar.Text, d *digest) {
	data := d.speaks(k)
	l.otherNumber(says, data)
	for id := program.BuiltinLists; id < len(l.p.Values); id++ {
		list := l.p.Values[id]
		var in []string // names of the list that the data speaks of
		for i := range list.Names {
			if data.names[list.Names[i].Name] {
				in = append(in, list.Names[i].Name)
			}
		}
		if len(in) == 0 || !slices.ContainsFunc(in, func(n string) bool { return data.own[n] }) {
			continue
		}
		for _, t := range says {
			if l.otherName(list, in, t) {
				break
			}
		}
	}
}

func (l *linter) otherNumber(says []grammar.Text, data *spoken) {
	for _, t := range says {
		for _, f := range numbers(t.Value) {
			if f.signed && f.value > 1 && !data.numbers[f.value] && !sums(data.numbers, f.value) {
				l.warn("text-other-number", t.Span, "number", strconv.FormatInt(f.value, 10))
				return
			}
		}
	}
}

// sums reports whether a number is the sum or product of two that the data has:
// texts add up what data says in parts.
func sums(data map[int64]bool, n int64) bool {
	for a := range data {
		if a != 0 && n%a == 0 && data[n/a] || data[n-a] {
			return true
		}
	}
	return false
}

// otherName reports whether it warned.
func (l *linter) otherName(list *program.Values, in []string, t grammar.Text) bool {
	other := ""
	for i := range list.Names {
		n := &list.Names[i]
		word := shownAs(n, t.Lang)
		if !mentions(t.Value, word) && !mentions(t.Value, n.Name) {
			continue
		}
		if slices.Contains(in, n.Name) {
			return false // it speaks of what the data speaks of
		}
		if other == "" {
			other = n.Name
		}
	}
	if other != "" {
		l.warn("text-other-name", t.Span, "name", other, "data", in[0])
	}
	return other != ""
}

// shownAs is how a name is written in a language.
func shownAs(n *program.ValueName, lang string) string {
	for _, t := range n.Texts {
		if t.Lang == lang {
			return t.Value
		}
	}
	return n.Name
}

// mentions reports whether a text has a word in it; one of letters that stand
// with blanks between words must begin a word.
func mentions(text, word string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		first, _ := utf8.DecodeRuneInString(word)
		if first >= utf8.RuneSelf || !unicode.IsLetter(before) && (!unicode.IsLetter(after) || after == 's') {
			return true
		}
		at += len(word)
	}
}

// shown warns of a parameter that the texts of a keyword don't show.
func (l *linter) shown(k Kept) {
	var said []grammar.Text
	for _, line := range k.Rules.Lines {
		if line.Says != nil {
			said = line.Says
		}
	}
	for _, t := range said {
		title := ""
		for _, h := range k.Rules.Tail.Texts {
			if h.Lang == t.Lang {
				title = h.Value
			}
		}
		if title == "" {
			continue // the name is shown with what it is given
		}
		for _, p := range k.Rules.Params {
			if !slices.Contains(holes(t.Value+title), p.Name.Text) {
				l.warn("parameter-not-shown", t.Span, "name", p.Name.Text, "language", t.Lang)
			}
		}
	}
}

// parts notes a role, attribute or gathered list of an action that has no text: where
// an explanation speaks of it, its name is shown as the data writes it. One is enough
// to be told.
func (l *linter) parts(k Kept) {
	var lines []*grammar.ActLine
	switch {
	case k.Action != nil:
		lines = k.Action.Lines
		for _, a := range l.p.Actions {
			if k.Mod == "extend" || a.Name != k.Action.Name.Text {
				continue
			}
			for _, r := range a.Roles {
				if len(r.Texts) == 0 {
					l.note("no-text", r.Span, "name", r.Name)
					return
				}
			}
		}
	case k.Step != nil:
		lines = k.Step.Lines
	}
	for _, line := range lines {
		switch {
		case line.Gathers != nil && len(line.Gathers.Texts) == 0:
			l.note("no-text", line.Gathers.Name.Span, "name", line.Gathers.Name.Text)
			return
		case line.Char != nil && len(line.Char.Tail.Texts) == 0:
			l.note("no-text", line.Char.Name.Span, "name", line.Char.Name.Text)
			return
		}
	}
}

// named notes what players see and what has no text at all: its name is shown in
// every language as the data writes it.
func (l *linter) named(k Kept) {
	if len(l.p.Languages) == 0 {
		return
	}
	l.parts(k)
	if k.Mod == "extend" {
		return
	}
	var list []grammar.Text
	var at source.Span
	switch k.Head {
	case "card", "keyword", "header", "token", "zone":
		_, at = head(k.Decl)
		switch {
		case k.Rules != nil:
			list = k.Rules.Tail.Texts
		case k.Token != nil:
			list = k.Token.Tail.Texts
		case k.Plain != nil:
			list = k.Plain.Tail.Texts
		}
	case "deck", "summary", "statement":
		list, at = k.Plain.Tail.Texts, k.Plain.Title.Span
	case "values":
		for _, line := range k.Plain.Lines {
			if len(line.Tail.Texts) == 0 {
				l.note("no-text", line.Head.Span, "name", line.Head.Text)
				return // one is enough to be told
			}
		}
		return
	default:
		return
	}
	if len(list) == 0 {
		l.note("no-text", at, "name", strings.Trim(at.Text(), `"`))
	}
}

// unused notes a keyword, header, token or table that nothing speaks of, in a
// folder that has cards: there, things are declared to be used. Rules and folders
// of keywords alone declare them for others.
func (l *linter) unused() {
	heads := map[source.Span]bool{}
	files := map[*source.File]bool{}
	var list []*source.File
	for _, k := range l.kept {
		_, at := head(k.Decl)
		heads[at] = true
		if !files[k.File] {
			files[k.File] = true
			list = append(list, k.File)
		}
	}
	for _, k := range l.kept {
		if !l.set[k.File] {
			continue
		}
		name, at := head(k.Decl)
		switch k.Head {
		case "keyword", "token", "table", "header":
		default:
			continue
		}
		if !slices.ContainsFunc(list, func(f *source.File) bool { return l.usedIn(f, name, heads) }) {
			l.note("nothing-uses", at, "name", name, "head", k.Head)
		}
	}
}

// usedIn reports whether a file speaks of a name, other than to declare it, in a
// text for people or in a comment of its own.
func (l *linter) usedIn(f *source.File, name string, heads map[source.Span]bool) bool {
	for at := 0; ; at += len(name) {
		i := strings.Index(f.Text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		before, _ := utf8.DecodeLastRuneInString(f.Text[:at])
		after, _ := utf8.DecodeRuneInString(f.Text[end:])
		if letter(before) || letter(after) || heads[source.Span{File: f, Start: at, End: end}] || heads[source.Span{File: f, Start: at - 1, End: end + 1}] {
			continue
		}
		line := f.Text[f.LineStart(f.Line(at)):at]
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		if strings.Count(line, `"`)%2 == 0 {
			return true
		}
		// In quotation marks: a name if it stands there alone and is no text.
		if opened := strings.TrimSpace(strings.TrimSuffix(line, `"`)); before == '"' && after == '"' && !l.language(opened) {
			return true
		}
	}
}

// language reports whether a line so far ends in the name of a language.
func (l *linter) language(line string) bool {
	word := line[strings.LastIndexAny(line, " \t{;")+1:]
	return slices.ContainsFunc(l.p.Languages, func(x program.Text) bool { return x.Lang == word })
}

func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '_'
}
