package check

import (
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/manifest"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Nothing in a rule file is ignored in silence. The grammar is loose: it lets a
// part stand wherever it can be told apart. What the rest of this package does
// not read at some head is reported here, declaration by declaration.

// unusedPart reports a part that means nothing where it stands.
func (c *checker) unusedPart(at source.Span, part, where string) {
	c.diags.Add("unused-part", at, "part", part, "where", where)
}

func (c *checker) noJoins(l *grammar.Line, where string) {
	for _, j := range l.Joins {
		c.unusedPart(j.Span, j.Word, where)
	}
}

// nothingAfter wants a line to be its head word alone, with texts or without.
func (c *checker) nothingAfter(l *grammar.Line, where string, texts bool) {
	if len(l.Exprs) > 0 {
		c.unusedPart(l.Exprs[0].Span, l.Exprs[0].Span.Text(), where)
	}
	c.noJoins(l, where)
	if !texts && len(l.Tail.Texts) > 0 {
		c.unusedPart(l.Tail.Texts[0].Span, l.Tail.Texts[0].Lang, where)
	}
}

// strictAll looks at every declaration that holds, and at what extends it.
func (c *checker) strictAll() {
	langs := map[string]bool{}
	for _, l := range c.p.Languages {
		langs[l.Lang] = true
	}
	for _, d := range c.decls {
		c.strict(d, langs)
		for _, e := range d.extends {
			c.strict(e, langs)
		}
	}
	c.limits()
}

func (c *checker) strict(d *decl, langs map[string]bool) {
	if d.Failed {
		return
	}
	tx := texter{checker: c, d: d, langs: langs}
	tail := d.Decl.Common()
	if d.Mod == "extend" {
		c.strictExtend(d)
	} else if d.Char == nil {
		c.citeOnly(tail.Cite)
	}
	switch {
	case d.Plain != nil:
		c.strictHead(d)
		c.strictLines(d)
		for _, l := range d.Plain.Lines {
			known, open := c.viewNames(d), d.Head != "view"
			list := l.Tail.Texts
			if d.Head == "view" { // colours and symbols are no texts
				if list = wordsOf(list); d.Plain.Title.Text == looksView {
					list = nil
				}
				if l.Head.Text == "foot" {
					known = append(known, "edition", "errata")
				}
			}
			tx.holes(list, known, open, true)
			tx.complete(list)
		}
	case d.Char != nil:
		c.strictChar(d.Char, d.Head, true)
	case d.Token != nil:
		for _, ch := range d.Token.Chars {
			c.strictChar(ch, "token", false)
			c.innerTail(&ch.Tail, "token")
			tx.complete(ch.Tail.Texts)
		}
		for _, a := range d.Token.Rules {
			if a.In != nil { // a token lies where its host does
				c.unusedPart(a.In.Span, "in", "token")
			}
		}
	case d.Table != nil:
		if len(d.Table.Params) == 0 && d.Mod != "extend" {
			c.diags.Add("table-without-columns", d.Table.Name.Span, "name", d.name)
		}
	case d.Action != nil:
		tx.act(d.Action.Lines, d)
	case d.Step != nil:
		tx.act(d.Step.Lines, d)
	case d.Rules != nil:
		c.strictRules(d, &tx)
	case d.Always != nil:
		if d.Always.In != nil { // no card carries it
			c.unusedPart(d.Always.In.Span, "in", "always")
		}
		c.citeOnly(d.Always.Cite)
	}
	if d.Head == "text" {
		return
	}
	known, open := c.holeNames(d)
	tx.holes(tail.Texts, known, open, false)
	tx.part = d.Head == "phrase" && strings.HasPrefix(d.name, "mend ") // one language's own spelling
	tx.complete(tail.Texts)
}

// citeOnly checks the references of a margin that nothing else looks at.
func (c *checker) citeOnly(g *grammar.Cite) {
	if g != nil {
		for _, r := range g.Refs {
			c.citeLater(r)
		}
	}
}

// versions checks from and until against each other.
func (c *checker) versions(d *decl, t *grammar.Tail) {
	if d.Head == "edition" || t.From == nil || t.Until == nil {
		return
	}
	from, until := -1, -1
	for i, e := range c.p.Editions {
		if e.Name == t.From.Value || e.From == t.From.Value {
			from = i
		}
		if e.Name == t.Until.Value || e.From == t.Until.Value {
			until = i
		}
	}
	if from >= 0 && until >= 0 && until <= from {
		c.diags.Add("never-holds", t.Until.Span, "from", t.From.Value, "until", t.Until.Value)
	}
}

// innerTail reports editions on a part of a declaration: only a whole
// declaration comes and goes with an edition.
func (c *checker) innerTail(t *grammar.Tail, where string) {
	if t.From != nil {
		c.unusedPart(t.From.Span, "from", where)
	}
	if t.Until != nil {
		c.unusedPart(t.Until.Span, "until", where)
	}
}

// strictExtend: an extension adds lines; the head stands as it was declared.
func (c *checker) strictExtend(d *decl) {
	where := "extend " + d.Head
	t := d.Decl.Common()
	if len(t.Texts) > 0 {
		c.unusedPart(t.Texts[0].Span, t.Texts[0].Lang, where)
	}
	if t.Cite != nil && (len(t.Cite.Refs) > 0 || t.Cite.Provisional) {
		c.unusedPart(t.Cite.Span, "rule", where)
	}
	switch {
	case d.Action != nil:
		for _, r := range d.Action.Roles {
			c.unusedPart(r.Span, r.Name.Text, where)
		}
	case d.Step != nil:
		if d.Step.After != nil {
			c.unusedPart(d.Step.After.Span, "after", where)
		}
		if a, ok := c.actions[d.Step.Name.Text]; ok {
			if of := c.p.Actions[a].StepOf; of >= 0 && c.p.Actions[of].Name != d.Step.Of.Text {
				c.diags.Add("step-of-other", d.Step.Of.Span, "name", d.name, "of", c.p.Actions[of].Name)
			}
		}
	case d.Table != nil:
		for _, p := range d.Table.Params {
			c.unusedPart(p.Span, p.Name.Text, where)
		}
	case d.Plain != nil:
		for _, j := range d.Plain.Joins {
			if d.Head != "view" { // of a kind is part of a view's name
				c.unusedPart(j.Span, j.Word, where)
			}
		}
	}
}

// titles say how the name of each plain declaration is written.
var titles = map[string]grammar.TitleKind{
	"edition": grammar.TitleString, "provisional": grammar.TitleString, "reading": grammar.TitleString, "deck": grammar.TitleString, "pack": grammar.TitleString,
	"statement": grammar.TitleRule, "summary": grammar.TitleRule, "language": grammar.TitleRule,
	"kind": grammar.TitleName, "zone": grammar.TitleName, "layer": grammar.TitleName, "values": grammar.TitleName,
	"order": grammar.TitleName, "text": grammar.TitleName, "view": grammar.TitleName,
}

var titleTerms = map[grammar.TitleKind]string{grammar.TitleString: "@string", grammar.TitleRule: "@rule-number", grammar.TitleName: "@name"}

// strictHead checks the head of a plain declaration.
func (c *checker) strictHead(d *decl) {
	p := d.Plain
	if want, ok := titles[d.Head]; ok && p.Kind != want && p.Title.Span.File != nil && !(d.Head == "deck" && p.Kind == grammar.TitleName) &&
		!(p.Kind == grammar.TitleString && want == grammar.TitleName && d.Head != "text" && d.Head != "order") {
		term := titleTerms[want]
		if d.Head == "language" {
			term = "1"
		}
		c.diags.Add("expected", p.Title.Span, "want", term, "found", p.Title.Span.Text(), "here", term)
	}
	c.hidden(p.Title)
	if p.Key != nil && d.Head != "statement" && d.Head != "text" {
		c.unusedPart(p.Key.Span, p.Key.Span.Text(), d.Head)
	}
	if p.Status.Text != "" && d.Head != "statement" {
		c.unusedPart(p.Status.Span, p.Status.Text, d.Head)
	}
	switch d.Head {
	case "zone", "kind", "layer", "view": // read where they are declared
	default:
		for _, j := range p.Joins {
			if d.Mod != "extend" {
				c.unusedPart(j.Span, j.Word, d.Head)
			}
		}
	}
	switch d.Head {
	case "edition", "kind", "summary", "phrase", "language", "text", "provisional":
		if p.Block && len(p.Lines) > 0 {
			c.unusedPart(p.Lines[0].Span, p.Lines[0].Head.Text, d.Head)
		}
	}
	t := &p.Tail
	switch d.Head {
	case "edition":
		if t.From == nil {
			c.diags.Add("edition-without-date", p.Title.Span, "name", d.name)
		} else if !isDate(t.From.Value) {
			c.diags.Add("bad-date", t.From.Span, "text", t.From.Value)
		}
		if t.Until != nil {
			c.unusedPart(t.Until.Span, "until", d.Head)
		}
	case "language", "provisional":
		if len(t.Texts) > 0 {
			c.unusedPart(t.Texts[0].Span, t.Texts[0].Lang, d.Head)
		}
		if d.Head == "provisional" {
			c.innerTail(t, d.Head)
			if t.Cite != nil && (len(t.Cite.Refs) > 0 || t.Cite.Provisional) {
				c.unusedPart(t.Cite.Span, "rule", d.Head)
			}
		}
	case "text":
		if p.Key == nil && len(t.Texts) == 0 {
			c.diags.Add("expected", source.Span{File: p.Title.File, Start: p.Title.End, End: p.Title.End}, "want", "@string", "found", "@end-of-line", "here", "@string")
		}
	case "view":
		if len(p.Lines) == 0 {
			c.diags.Add("view-shows-nothing", p.Title.Span, "name", d.name)
		}
	case "phrase":
		if len(t.Texts) == 0 {
			c.diags.Add("expected", source.Span{File: p.Title.File, Start: p.Title.End, End: p.Title.End}, "want", "@text", "found", "@end-of-line", "here", "@text")
		}
	}
}

// isDate reports whether s is a day of the calendar, written YYYY-MM-DD.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// hidden reports an invisible character in a name that stands in quotation
// marks; the lexer looks for them only outside.
func (c *checker) hidden(n grammar.Name) {
	for _, r := range n.Text {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) {
			c.diags.Add("invisible-character", n.Span, "code", codePoint(r))
			return
		}
	}
}

func codePoint(r rune) string {
	const hex = "0123456789ABCDEF"
	s := ""
	for i := 0; r > 0 || i < 4; i++ {
		s = string(hex[r&15]) + s
		r >>= 4
	}
	return "U+" + s
}

// strictLines checks what the lines of a plain declaration carry beside what
// the declaration itself reads.
func (c *checker) strictLines(d *decl) {
	for _, l := range d.Plain.Lines {
		if d.Head != manifest.Head { // versions stand behind from and until there, and package manifest reads them
			c.innerTail(&l.Tail, d.Head)
		}
		c.citeOnly(l.Tail.Cite)
		if l.IsStr && d.Head != "values" && d.Head != "deck" && d.Head != manifest.Head { // a deck says itself that its lines begin with a word
			c.unusedPart(l.Head.Span, l.Head.Span.Text(), d.Head)
		}
		switch d.Head {
		case "zone", "layer", "deck", "statement":
			if len(l.Tail.Texts) > 0 {
				c.unusedPart(l.Tail.Texts[0].Span, l.Tail.Texts[0].Lang, d.Head)
			}
		}
	}
}

// strictChar checks a characteristic, a memory or an attribute of an action.
func (c *checker) strictChar(g *grammar.Char, where string, outer bool) {
	c.citeOnly(g.Tail.Cite)
	c.boundsOnce(g, where)
	attribute := where == "action" || where == "step"
	if g.Of != nil {
		if !outer {
			c.unusedPart(g.Of.Span, "of", where)
		} else if _, ok := c.actions[g.Of.Text]; ok {
			_, kind := c.kinds[g.Of.Text]
			attribute = !kind
		}
	}
	switch {
	case g.Memory && attribute:
		c.diags.Add("memory-of-action", g.Name.Span, "name", g.Name.Text)
	case g.Memory:
		if g.Value != nil {
			c.unusedPart(g.Value.Span, "=", "memory")
		}
	}
	if !g.Printed || g.Of == nil && outer {
		return
	}
	card := false
	if g.Of != nil && outer {
		if k, ok := c.kinds[g.Of.Text]; ok {
			card = c.p.Kinds[k].Entity == program.Card
		} else {
			return // unknown, and reported
		}
	}
	if !card || g.Memory || attribute {
		c.unusedPart(g.Name.Span, "printed", where)
	} else if ch := c.char(program.Card, g.Name.Text); ch != nil && ch.Value != nil && ch.Value.Op != program.OpConst {
		c.unusedPart(g.Name.Span, "printed", "characteristic … =")
	}
}

// boundsOnce reports printed, floor or ceiling written twice; the tree keeps the
// last only.
func (c *checker) boundsOnce(g *grammar.Char, where string) {
	text := g.Span.Text()
	for _, word := range []string{"printed", "floor", "ceiling"} {
		if strings.Count(text, word) < 2 {
			continue
		}
		n := 0
		for _, t := range grammar.Tokens(source.NewFile(g.Span.File.Name, text), &diag.List{}) {
			if t.Kind != grammar.Word || t.Text != word {
				continue
			}
			if n++; n == 2 {
				c.unusedPart(source.Span{File: g.Span.File, Start: g.Span.Start + t.Start, End: g.Span.Start + t.End}, word, where)
			}
		}
	}
}

// act checks the lines of an action or a step.
func (tx *texter) act(lines []*grammar.ActLine, d *decl) {
	c := tx.checker
	var says *grammar.ActLine
	known, _ := c.holeNames(d)
	for _, l := range lines {
		c.citeOnly(l.Cite)
		switch {
		case l.Char != nil:
			c.strictChar(l.Char, d.Head, false)
			c.innerTail(&l.Char.Tail, d.Head)
			tx.complete(l.Char.Tail.Texts)
		case l.Says != nil:
			if says != nil {
				c.diags.Add("declared-twice", l.Span, "name", "says", "head", "says").With("declared-here", says.Span)
			}
			says = l
			tx.holes(l.Says, known, false, false)
			tx.complete(l.Says)
		case l.OnlyIf != nil:
			tx.holes(l.Else, known, false, false)
			tx.complete(l.Else)
		case l.Gathers != nil:
			tx.complete(l.Gathers.Texts)
		case l.Role != nil:
			tx.complete(l.Role.Texts)
		}
	}
}

// strictRules checks keywords, cards, headers and errata.
func (c *checker) strictRules(d *decl, tx *texter) {
	c.hidden(d.Rules.Name)
	if d.Head != "keyword" {
		for _, p := range d.Rules.Params {
			c.unusedPart(p.Span, p.Name.Text, d.Head)
		}
	}
	if d.Head == "errata" && len(d.Rules.Lines) == 0 {
		c.diags.Add("errata-changes-nothing", d.Rules.Name.Span, "name", d.name)
	}
	known, _ := c.holeNames(d)
	var says *grammar.RuleLine
	for _, l := range d.Rules.Lines {
		c.citeOnly(l.Cite)
		if l.Granted != nil {
			for _, g := range l.Granted.Lines { // who it is granted to has a name there
				tx.holes(g.Else, append(known[:len(known):len(known)], l.Granted.To.Text), false, false)
				tx.complete(g.Else)
			}
		}
		if l.Says == nil {
			continue
		}
		if says != nil {
			c.diags.Add("declared-twice", l.Span, "name", "says", "head", "says").With("declared-here", says.Span)
		}
		says = l
		tx.holes(l.Says, known, false, false)
		tx.complete(l.Says)
	}
}

// complete checks the languages of a text inside a body.
func (c *checker) complete(list []grammar.Text) {
	tx := texter{checker: c, langs: map[string]bool{}}
	for _, l := range c.p.Languages {
		tx.langs[l.Lang] = true
	}
	tx.complete(list)
}

// texter checks display texts.
type texter struct {
	*checker
	d     *decl // whose texts they are
	langs map[string]bool
	part  bool // a language may be left out
}

// complete checks a text's languages: each known, none twice, none left out.
func (tx *texter) complete(list []grammar.Text) {
	if len(tx.langs) == 0 || len(list) == 0 {
		return
	}
	seen := map[string]source.Span{}
	bad := false
	for _, t := range list {
		word := source.Span{File: t.File, Start: t.Start, End: t.Start + len(t.Lang)}
		if !tx.langs[t.Lang] {
			tx.diags.Add("unknown-language", word, "name", t.Lang, "known", strings.Join(slices.Sorted(maps.Keys(tx.langs)), ", ")).Near = nearest(t.Lang, keys(tx.langs))
			bad = true
		}
		if old, dup := seen[t.Lang]; dup {
			tx.diags.Add("declared-twice", word, "name", t.Lang, "head", "text").With("declared-here", old)
		}
		seen[t.Lang] = word
	}
	for _, lang := range keys(tx.langs) {
		if _, ok := seen[lang]; !ok && !bad && !tx.part {
			tx.diags.Warn("missing-text", list[len(list)-1].Span, "language", lang)
			return
		}
	}
}

// holes checks the {…} of texts against the names that can fill them.
func (tx *texter) holes(list []grammar.Text, known []string, open, view bool) {
	if open && (tx.d == nil || tx.opts.Names == nil) {
		return
	}
	for _, t := range list {
		if !strings.Contains(t.Value, "{") {
			continue
		}
		quote, quoted := t.End-1, `"`+t.Value
		for quote > t.Start && !strings.HasPrefix(t.File.Text[quote:t.End], quoted) {
			quote--
		}
		rest, at := t.Value, 0
		for {
			i := strings.IndexByte(rest, '{')
			if i < 0 {
				break
			}
			j := strings.IndexByte(rest[i:], '}')
			if j < 0 {
				break
			}
			name, form, formed := strings.Cut(rest[i+1:i+j], "|")
			name = strings.TrimSpace(name)
			found := false
			for _, k := range known {
				found = found || k == name
			}
			if view && tx.d != nil && tx.d.Head == "view" && formed && (form != symbolForm || tx.d.name == sheetView) {
				name, found = rest[i+1:i+j], false
			}
			span := t.Span
			if s := quote + 1 + at + i; quote > t.Start && s+j+1 <= t.End {
				span = source.Span{File: t.File, Start: s, End: s + j + 1}
			}
			if tx.d != nil && span != t.Span {
				tx.mentionHole(tx.d, name, span)
			}
			if !found && !open && !tx.fails(name) {
				tx.diags.Add("unknown-hole", span, "name", name).Near = nearest(name, known)
			}
			at += i + j + 1
			rest = rest[i+j+1:]
		}
	}
}

// viewNames lists what the lines of a view can show.
func (c *checker) viewNames(d *decl) []string {
	if d.Head != "view" {
		return nil
	}
	names := []string{"name"}
	for _, j := range d.Plain.Joins {
		if name, _, ok := single(j.Exprs[0]); ok && j.Word == "of" {
			if k, known := c.kinds[name]; known {
				names = append(names, c.charNames(c.entitiesOf(k))...)
			}
		}
	}
	for _, l := range d.Plain.Lines {
		for _, t := range l.Tail.Texts {
			if !strings.Contains(t.Value, "{") {
				continue
			}
			for _, ch := range c.p.Chars {
				if ch.Action < 0 && (strings.Contains(t.Value, "{"+ch.Name+"}") || strings.Contains(t.Value, "{"+ch.Name+"|"+symbolForm+"}")) {
					c.charRead[ch.Index] = true
				}
			}
		}
	}
	return names
}

// holeNames lists what fills the holes in the texts of a declaration; open says
// that they can't be known here.
func (c *checker) holeNames(d *decl) (known []string, open bool) {
	switch {
	case d.Action != nil || d.Step != nil:
		if a, ok := c.actions[d.name]; ok {
			return c.actNames(a), false
		}
		return nil, true
	case d.Head == "keyword":
		for _, p := range d.Rules.Params {
			known = append(known, p.Name.Text)
		}
		return known, false
	case d.Head == "phrase":
		if a, ok := c.actions[d.name]; ok {
			return c.actNames(a), false
		}
		return nil, true
	}
	return nil, false
}

// maxParts bounds the roles and attributes of an action and the printed
// abilities of a card: which of them are there is held as bits.
const maxParts = 64

func (c *checker) limits() {
	limit := itoa(maxParts)
	for _, a := range c.p.Actions {
		if len(a.Roles) > maxParts {
			c.diags.Add("too-many", a.Head, "name", a.Name, "what", "@roles", "limit", limit)
		}
		if len(a.Attrs) > maxParts {
			c.diags.Add("too-many", a.Head, "name", a.Name, "what", "@attributes", "limit", limit)
		}
	}
	for _, card := range c.p.Cards {
		if len(card.Abilities) >= maxParts {
			c.diags.Add("too-many", card.Head, "name", card.Name, "what", "@abilities", "limit", itoa(maxParts-1))
		}
	}
	for _, ch := range c.p.Chars {
		if ch.Type.Mask() && ch.Type.ID < program.BuiltinLists && len(c.p.Values[ch.Type.ID].Names) > maxSet {
			c.diags.Add("too-many-values", ch.Head, "name", c.p.Values[ch.Type.ID].Name, "limit", itoa(maxSet))
		}
	}
}

// reservedName reports whether expressions read a name as a word of their own,
// so that nothing else can be called so.
func reservedName(name string) bool {
	switch name {
	case "self", "you", "it", "game", "event", "hits", "nothing", "true", "false", "nil", "not", "and", "or", "in", "let", "if", "else",
		"contains", "startsWith", "endsWith", "matches", "count", "any", "all", "none", "find", "filter", "map", "sum", "first", "min", "max",
		"sortBy", "abs", "union":
		return true
	}
	return false
}

// bind gives a name to a value of a body. A name that an expression would read
// as something else can't be given; one that hides another is warned about.
func (c *checker) bind(s *scope, n grammar.Name, t program.Type, outer int) int {
	name := n.Text
	switch {
	case name == "" || c.fails(name):
	case reservedName(name):
		c.diags.Add("name-taken", n.Span, "name", name, "by", "@word-of-expressions")
		name = ""
	case s.act >= 0 && contains(c.actNames(s.act), name):
		c.diags.Add("name-taken", n.Span, "name", name, "by", c.p.Actions[s.act].Name)
		name = ""
	default:
		if i, ok := s.frame.find(name); ok && i < outer {
			c.diags.Warn("hides-name", n.Span, "name", name)
		} else if a, ok := c.actions[name]; ok && c.p.Actions[a].Window {
			c.diags.Warn("hides-name", n.Span, "name", name)
		}
	}
	if name != n.Text {
		if s.frame.taken == nil {
			s.frame.taken = map[string]bool{}
		}
		s.frame.taken[n.Text] = true
	}
	i := s.frame.add(name, t)
	s.frame.spans[i] = n.Span
	c.named(s.frame, i, t)
	return i
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// isName reports whether a text can be a name of the language at all.
func isName(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && unicode.IsLetter(r)
}
