package prove

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
)

// Mutants are made from the parsed tree, by operators that know the language and no
// game: a condition is negated wherever the language has a condition. Each is a
// few edits of the text of one file, so that what is tried can be shown as it would
// be written, and is read as any file is.

// Ref names a statement of a numbered rule.
type Ref struct {
	Rule string `json:"rule"`
	Key  string `json:"statement"`
}

// String is the rule and the key.
func (r Ref) String() string { return strings.TrimSpace(r.Rule + " " + r.Key) }

// Mutant is a small change of the rules that a case should notice.
type Mutant struct {
	File     string `json:"file"`
	In       string `json:"in"`       // the declaration, such as: zone Hall
	Operator string `json:"operator"` // what kind of change it is
	Old      string `json:"old"`      // the clause as it stands, without its citations
	New      string `json:"new"`      // and changed; "" where it is left out
	Nth      int    `json:"nth"`      // among those alike in all of the above, from 1
	Line     int    `json:"line"`
	Refs     []Ref  `json:"carries"`           // the statements that the clause carries out
	Printed  bool   `json:"printed,omitempty"` // it changes a value that something is printed with, or a list of cards

	text string // the whole file, changed
	name string // of the declaration
}

// maker makes the mutants of one file.
type maker struct {
	f      *grammar.File
	names  *names
	in     string
	name   string
	refs   []grammar.Ref
	clause source.Span // what is shown as old and new
	print  bool        // the clause is a printed value, or in a list of cards
	seen   map[string]bool
	alike  map[string]int
	out    []*Mutant
}

// edit is a change of the text of a file.
type edit struct {
	start, end int
	text       string
}

// Make makes the mutants of a file of a folder whose files are all.
func Make(f *grammar.File, all []*grammar.File) []*Mutant {
	m := &maker{f: f, names: namesOf(all), seen: map[string]bool{f.Source.Text: true}, alike: map[string]int{}}
	for _, d := range f.Decls {
		m.decl(d)
	}
	return m.out
}

// put adds a mutant that edits the file, unless another one is the same.
func (m *maker) put(operator string, edits ...edit) {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	text := m.f.Source.Text
	whole, ok := apply(text, 0, len(text), edits)
	if !ok || m.seen[whole] {
		return
	}
	m.seen[whole] = true
	var inside []edit
	beside := ""
	for _, e := range edits {
		switch {
		case e.start >= m.clause.Start && e.end <= m.clause.End:
			inside = append(inside, e)
			continue
		case e.start <= m.clause.Start && e.end >= m.clause.End && e.text == "": // more goes than is shown
			inside = append(inside, edit{m.clause.Start, m.clause.End, ""})
			continue
		}
		if e.start == e.end {
			beside += " | + " + oneLine(e.text)
		} else {
			beside += " | " + oneLine(text[e.start:e.end]) + " → " + oneLine(e.text)
		}
	}
	changed, _ := apply(text, m.clause.Start, m.clause.End, inside)
	mu := &Mutant{File: m.f.Source.Name, In: m.in, Operator: operator, Old: oneLine(uncited(m.clause.Text())), New: oneLine(uncited(changed)) + beside,
		Line: m.f.Source.Line(edits[0].start), Printed: m.print, text: whole, name: m.name}
	for _, r := range m.refs {
		mu.Refs = append(mu.Refs, Ref{r.Rule, r.Key})
	}
	id := mu.In + "\x00" + mu.Operator + "\x00" + mu.Old + "\x00" + mu.New
	m.alike[id]++
	mu.Nth = m.alike[id]
	m.out = append(m.out, mu)
}

// apply edits a part of a text; edits are in order. It reports false where they
// overlap.
func apply(text string, from, to int, edits []edit) (string, bool) {
	var b strings.Builder
	at := from
	for _, e := range edits {
		if e.start < at {
			return "", false
		}
		b.WriteString(text[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(text[at:to])
	return b.String(), true
}

// mostShown bounds how many characters of a clause are shown.
const mostShown = 160

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > mostShown {
		s = string([]rune(s)[:mostShown]) + "…"
	}
	return s
}

var citation = regexp.MustCompile(`\s+rule \d+(\.\d+)*( "[^"]*")?(,\s*\d+(\.\d+)*( "[^"]*")?)*`)

// uncited cuts citations out of a clause: they are no part of what it does.
func uncited(s string) string { return citation.ReplaceAllString(s, "") }

func (m *maker) replace(operator string, s source.Span, text string) {
	if s.Valid() {
		m.put(operator, edit{s.Start, s.End, text})
	}
}

// within makes mutants of a clause: those it carries are cited in cite, or else the
// same as before.
func (m *maker) within(clause source.Span, cite *grammar.Cite, make func()) {
	oldClause, oldRefs := m.clause, m.refs
	m.clause = clause
	if cite != nil && len(cite.Refs) > 0 {
		m.refs = cite.Refs
	}
	make()
	m.clause, m.refs = oldClause, oldRefs
}

// cited is a clause with the citation behind it.
func cited(s source.Span, cite *grammar.Cite) source.Span {
	if cite != nil {
		return s.To(cite.Span)
	}
	return s
}

// before finds a word that stands right before an offset, and where it starts.
func (m *maker) before(at int, word string) (int, bool) {
	head := strings.TrimRight(m.f.Source.Text[:at], " \t\r\n")
	if !strings.HasSuffix(head, word) {
		return 0, false
	}
	start := len(head) - len(word)
	if start > 0 && !strings.ContainsAny(head[start-1:start], " \t\r\n:;{([,") {
		return 0, false
	}
	for start > 0 && (head[start-1] == ' ' || head[start-1] == '\t') {
		start--
	}
	return start, true
}

func (m *maker) decl(d *grammar.Decl) {
	name := declName(d)
	if name == "" || d.Failed || slices.Contains(shown, d.Head) {
		return
	}
	m.name, m.print = name, d.Head == "deck"
	m.in, m.refs, m.clause = strings.TrimSpace(d.Mod+" "+d.Head+" "+name), nil, source.Span{File: d.File, Start: d.Start, End: headEnd(d)}
	tail := d.Common()
	own := m.refs
	if tail.Cite != nil {
		own = tail.Cite.Refs
	}
	m.refs = own
	m.head(d)
	// What stands in it carries the statements of the whole only where no clause
	// in it names its own.
	if citesInside(d, tail) {
		m.refs = nil
	}
	switch {
	case d.Plain != nil:
		m.plain(d)
	case d.Always != nil:
		m.within(d.Always.Span, d.Always.Cite, func() {
			m.always(d.Always)
			m.replace("drop", d.Span, "")
		})
	case d.Table != nil:
		m.table(d.Table)
	case d.Action != nil:
		m.actLines(d.Action.Lines)
	case d.Step != nil:
		m.actLines(d.Step.Lines)
	case d.Token != nil:
		for _, c := range d.Token.Chars {
			m.within(charSpan(c), c.Tail.Cite, func() { m.char(c) })
		}
		for _, a := range d.Token.Rules {
			m.within(cited(a.Span, a.Cite), a.Cite, func() {
				m.always(a)
				m.replace("drop", m.clause, "")
			})
		}
	case d.Rules != nil:
		for _, l := range d.Rules.Lines {
			m.ruleLine(l)
		}
	}
}

// headEnd is where the head of a declaration ends: before its block and before what
// is only shown.
func headEnd(d *grammar.Decl) int {
	text := d.File.Text[d.Start:d.End]
	if i := strings.IndexAny(text, "{\n"); i >= 0 && d.Char == nil { // texts, which could have a bracket, are cut off below
		text = text[:i]
	}
	text = strings.TrimRight(text, " \r")
	if t := d.Common(); len(t.Texts) > 0 && t.Texts[0].Start > d.Start && t.Texts[0].Start < d.Start+len(text) {
		text = strings.TrimRight(d.File.Text[d.Start:t.Texts[0].Start], " ")
	}
	return d.Start + len(text)
}

// charSpan is a characteristic without what is only shown.
func charSpan(c *grammar.Char) source.Span {
	s := c.Span
	if len(c.Tail.Texts) > 0 {
		s.End = c.Tail.Texts[0].Start
	}
	return s
}

func declName(d *grammar.Decl) string {
	switch {
	case d.Plain != nil:
		return d.Plain.Title.Text
	case d.Char != nil:
		of := ""
		if d.Char.Of != nil {
			of = " of " + d.Char.Of.Text
		}
		return d.Char.Name.Text + of
	case d.Always != nil:
		return oneLine(uncited(d.Always.Span.Text()))
	case d.Table != nil:
		return d.Table.Name.Text
	case d.Action != nil:
		return d.Action.Name.Text
	case d.Step != nil:
		return d.Step.Name.Text + " of " + d.Step.Of.Text
	case d.Token != nil:
		return d.Token.Name.Text
	case d.Rules != nil:
		return d.Rules.Name.Text
	}
	return ""
}

// citesInside reports whether a clause in a declaration names statements of its own.
func citesInside(d *grammar.Decl, tail *grammar.Tail) bool {
	cite := reflect.TypeFor[*grammar.Cite]()
	found := false
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		if found {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || v.Type() == reflect.TypeFor[*source.File]() {
				return
			}
			if v.Type() == cite {
				if c := v.Interface().(*grammar.Cite); len(c.Refs) > 0 && (tail == nil || c != tail.Cite) {
					found = true
				}
				return
			}
			look(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				look(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		}
	}
	look(reflect.ValueOf(d))
	return found
}

// head makes the mutants of what stands before the block of a declaration.
func (m *maker) head(d *grammar.Decl) {
	switch {
	case d.Char != nil:
		m.clause = source.Span{File: d.File, Start: d.Start, End: headEnd(d)}
		m.char(d.Char)
	case d.Action != nil:
		for _, r := range d.Action.Roles {
			m.from(r.Default)
		}
	case d.Step != nil:
		if a := d.Step.After; a != nil {
			if at, ok := m.before(a.Start, "after"); ok {
				m.put("drop", edit{at, a.End, ""})
			}
		}
	case d.Token != nil:
		m.bound(d.Token.Limit, "limit")
	case d.Table != nil:
		m.expr(d.Table.Default)
	case d.Plain != nil:
		for _, j := range d.Plain.Joins {
			for _, e := range j.Exprs {
				if j.Word == "where" {
					m.condition(e, "where")
				} else {
					m.expr(e)
				}
			}
		}
	}
}

// bound changes a number that a keyword goes before, and leaves it out.
func (m *maker) bound(e *grammar.Expr, word string) {
	if e == nil {
		return
	}
	m.expr(e)
	if at, ok := m.before(e.Start, word); ok {
		m.put("drop", edit{at, e.End, ""})
	}
}

// shown are the declarations that only say what there is, and how it is called and looks.
var shown = []string{"view", "text", "language", "edition", "summary", "statement", "phrase", "provisional", "module", "pack", "values"}

// plain makes the mutants of lines.
func (m *maker) plain(d *grammar.Decl) {
	p := d.Plain
	switch d.Head {
	case "layer":
		m.layer(d)
		return
	case "reading": // the other choice; one that the engine has no switch for is named by the word for that
		if len(p.Lines) > 1 && p.Lines[0].Head.Text != "chosen" && len(p.Lines[0].Exprs) > 0 && len(p.Lines[1].Exprs) > 0 {
			a, b := p.Lines[0].Exprs[0], p.Lines[1].Exprs[0]
			m.within(p.Lines[0].Span, nil, func() { m.put("other-reading", edit{a.Start, a.End, b.Text()}, edit{b.Start, b.End, a.Text()}) })
		}
		return
	}
	for i, l := range p.Lines {
		m.within(l.Span, l.Tail.Cite, func() {
			m.put("drop", edit{l.Start, l.End, ""})
			for _, w := range others[l.Head.Text] {
				if d.Head == "order" {
					m.replace("other-word", l.Head.Span, w)
				}
			}
			for _, e := range l.Exprs {
				m.expr(e)
			}
			for _, j := range l.Joins {
				for _, e := range j.Exprs {
					m.expr(e)
				}
			}
		})
		if i > 0 && d.Head == "order" {
			m.swap(p.Lines[i-1].Span, l.Span, mergedCite(p.Lines[i-1].Tail.Cite, l.Tail.Cite))
		}
	}
}

// others are words of the language of which one stands where another could.
var others = map[string][]string{
	"turn_player": {"other_player"}, "other_player": {"turn_player"},
	"arrival": {"newest"}, "newest": {"arrival"},
	"owner": {"controller"}, "controller": {"owner"},
	"any": {"all", "none"}, "all": {"any", "none"}, "none": {"any"}, "min": {"max"}, "max": {"min"}, "find": {"first"},
	"raise": {"lower"}, "lower": {"raise"}, "add": {"remove"}, "remove": {"add"},
	"prohibit": {"permit", "require"}, "permit": {"prohibit"}, "require": {"prohibit", "permit"},
	"true": {"false"}, "false": {"true"}, "and": {"or"}, "or": {"and"},
	"==": {"!="}, "!=": {"=="}, "<": {"<=", ">="}, "<=": {"<", ">"}, ">": {">=", "<="}, ">=": {">", "<"}, "+": {"-"}, "-": {"+"}, "*": {"+"},
}

// mergedCite is what two clauses carry out together.
func mergedCite(a, b *grammar.Cite) *grammar.Cite {
	out := &grammar.Cite{}
	for _, c := range []*grammar.Cite{a, b} {
		if c != nil {
			out.Refs = append(out.Refs, c.Refs...)
		}
	}
	return out
}

// swap lets two neighbours change places.
func (m *maker) swap(a, b source.Span, cite *grammar.Cite) {
	if a.End > b.Start {
		return
	}
	m.within(a.To(b), cite, func() { m.put("swap", edit{a.Start, a.End, b.Text()}, edit{b.Start, b.End, a.Text()}) })
}

// layer makes the mutants of a layer of continuous effects.
func (m *maker) layer(d *grammar.Decl) {
	p := d.Plain
	after := func(l *grammar.Decl) *grammar.Expr {
		for _, j := range l.Plain.Joins {
			if j.Word == "after" && len(j.Exprs) == 1 {
				return j.Exprs[0]
			}
		}
		return nil
	}
	m.refs = nil
	if p.Tail.Cite != nil {
		m.refs = p.Tail.Cite.Refs
	}
	var prev, next *grammar.Decl // its neighbours, where they stand in the same file
	for _, o := range m.f.Decls {
		if o.Plain == nil || o.Head != "layer" {
			continue
		}
		if e := after(d); e != nil && e.Text() == o.Plain.Title.Text {
			prev = o
		}
		if e := after(o); e != nil && e.Text() == p.Title.Text {
			next = o
		}
	}
	if prev != nil && after(prev) != nil { // prev, d → d, prev
		e := after(d)
		edits := []edit{{e.Start, e.End, after(prev).Text()}, {after(prev).Start, after(prev).End, p.Title.Text}}
		if next != nil {
			edits = append(edits, edit{after(next).Start, after(next).End, prev.Plain.Title.Text})
		}
		m.put("swap", edits...)
	}
	takes := func(l *grammar.Decl) *grammar.Line {
		if l != nil {
			for _, line := range l.Plain.Lines {
				if line.Head.Text == "takes" && len(line.Exprs) > 0 {
					return line
				}
			}
		}
		return nil
	}
	for _, l := range p.Lines {
		m.within(l.Span, l.Tail.Cite, func() {
			switch l.Head.Text {
			case "takes":
				for i, e := range l.Exprs { // an operation that belongs to a neighbour
					from, to := e.Start, e.End
					switch {
					case i+1 < len(l.Exprs):
						to = l.Exprs[i+1].Start
					case i > 0:
						from = l.Exprs[i-1].End
					default:
						from, to = l.Start, l.End
					}
					for _, o := range []*grammar.Decl{prev, next} {
						if t := takes(o); t != nil {
							at := t.Exprs[0].Start
							m.put("other-layer", edit{from, to, ""}, edit{at, at, e.Text() + ", "})
						}
					}
				}
			case "ends":
				m.put("drop", edit{l.Start, l.End, ""})
				m.replace("floors-each", l.Span, "floors each")
				at := l.Start
				m.put("floors-too", edit{at, at, "floors each\n  "})
			default:
				m.put("drop", edit{l.Start, l.End, ""})
			}
		})
	}
	if t := takes(d); t != nil && !slices.ContainsFunc(p.Lines, func(l *grammar.Line) bool { return l.Head.Text == "timestamp" }) {
		m.put("newest-first", edit{t.End, t.End, "\n  timestamp newest"})
	}
}

func (m *maker) char(c *grammar.Char) {
	m.from(c.Value)
	m.bound(c.Floor, "floor")
	m.bound(c.Ceiling, "ceiling")
	if at, ok := m.word(c.Span, "printed"); ok && c.Printed {
		m.put("drop", edit{at, at + len("printed"), ""})
	}
	if c.Type.Several {
		m.replace("one-of-several", c.Type.Span, c.Type.Kind.Text)
	}
}

// word finds a word in a span.
func (m *maker) word(s source.Span, word string) (int, bool) {
	i := strings.Index(" "+s.Text()+" ", " "+word+" ")
	return s.Start + i, i >= 0
}

func (m *maker) table(t *grammar.Table) {
	for _, r := range t.Rows {
		m.within(r.Span, nil, func() {
			m.replace("drop", r.Span, "")
			m.expr(r.Value)
			if len(r.Keys) == 2 {
				a, b := r.Keys[0], r.Keys[1]
				m.put("swap", edit{a.Start, a.End, b.Text()}, edit{b.Start, b.End, a.Text()})
			}
		})
	}
}

// from makes the mutants of a source: what objects or value are meant.
func (m *maker) from(s *grammar.Source) {
	switch {
	case s == nil:
	case s.Where != nil:
		m.condition(s.Where, "where")
	default:
		m.expr(s.Expr)
	}
}

func (m *maker) actLines(lines []*grammar.ActLine) {
	for _, l := range lines {
		shown := l.Span
		switch {
		case l.Char != nil:
			shown = charSpan(l.Char)
		case l.OnlyIf != nil:
			shown.End = l.OnlyIf.End
		}
		m.within(shown, l.Cite, func() {
			switch {
			case l.Char != nil:
				m.char(l.Char)
			case l.OnlyIf != nil:
				m.replace("drop", l.Span, "")
				m.condition(l.OnlyIf, "")
			case l.Needs != nil:
				m.replace("drop", l.Span, "")
				m.need(l.Needs)
			case l.Gathers != nil:
				m.replace("drop", l.Span, "")
			case l.Do != nil:
				m.replace("drop", l.Span, "")
				m.body(l.Do)
			}
		})
	}
}

func (m *maker) ruleLine(l *grammar.RuleLine) {
	cite := l.Cite
	if w := l.When; w != nil { // what its parts carry out goes with it
		cite = mergedCite(mergedCite(cite, w.MomentCite), w.AmongCite)
		if w.Limit != nil {
			cite = mergedCite(cite, w.Limit.Cite)
		}
	}
	m.within(l.Span, cite, func() {
		switch {
		case l.Phrase != nil:
			m.replace("drop", l.Span, "")
			m.phrase(l.Phrase)
		case l.Always != nil:
			m.replace("drop", l.Span, "")
			m.always(l.Always)
		case l.When != nil:
			m.replace("drop", l.Span, "")
			m.when(l.When)
		case l.Granted != nil:
			for i, g := range l.Granted.Lines {
				shown := g.Span
				if g.OnlyIf != nil {
					shown.End = g.OnlyIf.End
				}
				m.within(shown, g.Cite, func() {
					m.replace("drop", g.Span, "")
					if g.OnlyIf != nil {
						m.condition(g.OnlyIf, "")
					}
					if g.Needs != nil {
						m.need(g.Needs)
					}
					if g.Instr != nil {
						m.instr(g.Instr)
					}
				})
				if i > 0 {
					m.swap(l.Granted.Lines[i-1].Span, g.Span, mergedCite(l.Granted.Lines[i-1].Cite, g.Cite))
				}
			}
		case l.Field != nil:
			m.print = true
			defer func() { m.print = false }()
			for _, e := range l.Field.Exprs {
				m.expr(e)
			}
			m.replace("drop", l.Span, "")
		}
	})
}

func (m *maker) phrase(p *grammar.Phrase) {
	if p.Where != nil {
		m.condition(p.Where, "where")
	}
	m.limit(p.Limit)
	if p.In != nil {
		m.expr(p.In)
		if at, ok := m.before(p.In.Start, "in"); ok {
			m.put("drop", edit{at, p.In.End, ""})
		}
	}
	if len(p.Words) > 0 {
		whole := p.Words[0].Span.To(p.Words[len(p.Words)-1].Span)
		text := whole.Text()
		for i, h := range m.names.headers {
			if rest, ok := strings.CutPrefix(text, h); ok && (rest == "" || rest[0] == ' ') && len(m.names.headers) > 1 {
				m.put("other-header", edit{whole.Start, whole.Start + len(h), m.names.headers[(i+1)%len(m.names.headers)]})
				break
			}
		}
		for i := range p.Words {
			m.number(&p.Words[i])
		}
	}
	if p.Body != nil {
		m.body(p.Body)
	}
}

func (m *maker) limit(l *grammar.Limit) {
	if l == nil {
		return
	}
	m.within(l.Span, l.Cite, func() {
		m.replace("drop", l.Span, "")
		if l.Count != nil {
			m.expr(l.Count)
		} else if at, ok := m.word(l.Span, "once"); ok {
			m.put("number", edit{at, at + len("once"), "limit 2"})
		}
	})
}

func (m *maker) when(w *grammar.When) {
	if w.Moment != nil {
		m.within(cited(w.Moment.Span, w.MomentCite), w.MomentCite, func() { m.moment(w.Moment) })
	}
	if w.AmongWhere != nil {
		s := w.Among.Span.To(w.AmongWhere.Span)
		m.within(cited(s, w.AmongCite), w.AmongCite, func() { m.condition(w.AmongWhere, "where") })
	}
	if w.Among != nil {
		if at, ok := m.before(w.Among.Start, "among"); ok {
			end := w.Among.End
			if w.AmongWhere != nil {
				end = w.AmongWhere.End
			}
			s := source.Span{File: w.File, Start: at, End: end}
			m.within(cited(s, w.AmongCite), w.AmongCite, func() { m.replace("drop", m.clause, "") })
		}
	}
	m.limit(w.Limit)
	if w.Body != nil {
		m.body(w.Body)
	}
}

func (m *maker) moment(t *grammar.Moment) {
	text := t.Span.Text()
	switch t.Edge {
	case "start", "end":
		other := map[string]string{"start": "end", "end": "start"}[t.Edge]
		m.put("other-edge", edit{t.Start, t.Start + len(t.Edge), other})
		if i := strings.Index(text, "of"); i > 0 {
			at := t.Start + i + len("of")
			if t.Next {
				m.put("drop-next", edit{at, t.Pattern.Start, " "})
			} else {
				m.put("add-next", edit{at, at, " next"})
			}
		}
	case "during":
		m.put("other-edge", edit{t.Start, t.Start + len("during"), "start of"})
	}
	m.pattern(t.Pattern)
}

func (m *maker) pattern(p *grammar.Pattern) {
	if p != nil && p.Where != nil {
		m.condition(p.Where, "where")
	}
}

func (m *maker) always(a *grammar.Always) {
	if a.While != nil {
		m.condition(a.While, "while")
	}
	if a.On != nil && a.On.Where != nil {
		m.condition(a.On.Where, "where")
	}
	m.changes(a.Changes)
}

func (m *maker) changes(c *grammar.Changes) {
	if c == nil {
		return
	}
	for _, ch := range c.Items {
		do := func() {
			if c.Block {
				m.replace("drop", ch.Span, "")
			}
			switch {
			case ch.Op != nil:
				m.op(ch.Op)
			case ch.When != nil:
				m.when(ch.When)
			case ch.Until != nil:
				m.moment(ch.Until)
			case ch.While != nil:
				m.condition(ch.While, "")
			case ch.Finally != nil:
				m.body(ch.Finally)
			}
		}
		if c.Block {
			m.within(ch.Span, ch.Cite, do)
		} else {
			do()
		}
	}
}

func (m *maker) op(o *grammar.Op) {
	for _, w := range others[o.Verb] {
		m.replace("other-verb", o.At, w)
	}
	if o.Base {
		if i := strings.Index(o.Text(), "base "); i > 0 {
			m.put("drop", edit{o.Start + i, o.Start + i + len("base "), ""})
		}
	}
	m.expr(o.Value)
	if o.Body == nil {
		m.pattern(o.Pattern)
		return
	}
	// What is done instead is not shown with what it replaces.
	m.within(source.Span{File: o.File, Start: o.Start, End: o.Body.Start}, nil, func() { m.pattern(o.Pattern) })
	m.body(o.Body)
}

func (m *maker) body(b *grammar.Body) {
	for i, in := range b.Instrs {
		if !b.Block {
			m.instr(in)
			continue
		}
		whole := cited(in.Span, in.Cite)
		m.within(whole, in.Cite, func() {
			m.replace("drop", whole, "")
			m.instr(in)
		})
		if i > 0 {
			m.swap(cited(b.Instrs[i-1].Span, b.Instrs[i-1].Cite), whole, mergedCite(b.Instrs[i-1].Cite, in.Cite))
		}
	}
}

func (m *maker) instr(in *grammar.Instr) {
	// What stands before a body is shown without it.
	end := in.End
	switch {
	case in.Body != nil && in.Body.Block:
		end = in.Body.Start
	case in.Changes != nil && in.Changes.Block:
		end = in.Changes.Start
	}
	m.within(source.Span{File: in.File, Start: in.Start, End: end}, nil, func() { m.instrHead(in) })
	switch in.Verb { // what only says how the body is done
	case "together", "may":
		if in.Body != nil {
			m.within(in.Span, nil, func() { m.put("drop-"+in.Verb, edit{in.At.Start, in.Body.Start, "if true "}) })
		}
	}
	if in.Body != nil {
		m.body(in.Body)
	}
	if in.Else != nil {
		if at, ok := m.before(in.Else.Start, "else"); ok {
			m.within(source.Span{File: in.File, Start: at, End: in.Else.End}, nil, func() { m.put("drop", edit{at, in.Else.End, ""}) })
		}
		m.body(in.Else)
	}
	for _, o := range in.Options {
		m.within(o.Span, nil, func() {
			m.replace("drop", o.Span, "")
			m.body(o.Body)
		})
	}
	m.changes(in.Changes)
}

func (m *maker) instrHead(in *grammar.Instr) {
	m.expr(in.Value)
	m.expr(in.Min)
	m.from(in.From)
	m.limit(in.Limit)
	m.expr(in.Object)
	m.expr(in.Count)
	m.args(in.Args)
	for i := range in.With {
		m.expr(in.With[i].Value)
		m.replace("drop", in.With[i].Span, "")
	}
	if in.For != nil {
		m.call(in.For)
		if at, ok := m.before(in.For.Start, "for"); ok {
			m.put("drop", edit{at, in.For.End, ""})
		}
	}
	if in.By != nil && in.Verb != "as" {
		m.expr(in.By)
		if at, ok := m.before(in.By.Start, "by"); ok {
			m.put("drop", edit{at, in.By.End, ""})
		}
	}
	if in.OrderedBy != nil {
		if at, ok := m.before(in.OrderedBy.Start, "by"); ok {
			if at, ok = m.before(at, "ordered"); ok {
				m.put("drop", edit{at, in.OrderedBy.End, ""})
			}
		}
	}
	if in.Cond != nil {
		if in.Verb == "repeat" && !in.Until {
			m.expr(in.Cond)
		} else {
			m.condition(in.Cond, "")
		}
	}
	if in.While != nil {
		m.condition(in.While, "while")
	}
	if in.Moment != nil {
		m.moment(in.Moment)
		if at, ok := m.before(in.Moment.Start, "until"); ok {
			m.put("drop", edit{at, in.Moment.End, ""})
		}
	}
}

func (m *maker) need(n *grammar.Need) {
	m.call(n.Call)
	if n.Where != nil {
		m.condition(n.Where, "where")
	}
}

func (m *maker) call(c *grammar.Call) {
	m.expr(c.Object)
	m.args(c.Args)
	for i := range c.With {
		m.expr(c.With[i].Value)
		m.replace("drop", c.With[i].Span, "")
	}
}

func (m *maker) args(list []grammar.Join) {
	for i := range list {
		for _, e := range list[i].Exprs {
			m.expr(e)
		}
		m.replace("drop", list[i].Span, "")
	}
}

// condition makes the mutants of a condition. word is what goes before it where it
// can be left out with that word.
func (m *maker) condition(e *grammar.Expr, word string) {
	if e == nil {
		return
	}
	text := e.Text()
	m.replace("negate", e.Span, "not ("+text+")")
	if word != "" {
		if at, ok := m.before(e.Start, word); ok {
			m.put("drop-condition", edit{at, e.End, ""})
		}
	}
	m.expr(e)
}

// expr makes the mutants of an expression.
func (m *maker) expr(e *grammar.Expr) {
	if e == nil {
		return
	}
	toks := e.Tokens
	m.parts(toks)
	for i := range toks {
		t := &toks[i]
		m.number(t)
		after := i > 0 && toks[i-1].Kind == grammar.Punct && toks[i-1].Text == "." // a member
		call := i+1 < len(toks) && toks[i+1].Kind == grammar.Punct && toks[i+1].Text == "("
		switch t.Kind {
		case grammar.Word:
			if t.Text == "not" {
				m.put("drop-not", edit{t.Start, t.End, ""})
				break
			}
			operator := "other-word"
			switch t.Text {
			case "and", "or":
				operator = "and-or"
			case "true", "false":
				operator = "flag"
			}
			if !call || !after {
				for _, w := range others[t.Text] {
					m.replace(operator, t.Span, w)
				}
			}
			for _, w := range m.names.alike(t.Text) {
				m.replace("other-name", t.Span, w)
			}
		case grammar.Ident:
			for _, w := range m.names.alike(t.Text) {
				m.replace("other-name", t.Span, w)
			}
		case grammar.Punct:
			operator := "compare"
			switch t.Text {
			case "+", "-", "*":
				operator = "arithmetic"
			case "!":
				m.put("drop-not", edit{t.Start, t.End, ""})
			}
			for _, w := range others[t.Text] {
				m.replace(operator, t.Span, w)
			}
		}
		if after && t.Kind == grammar.Word && i > 1 && !call { // a.b.c: one member less
			m.put("drop-member", edit{toks[i-1].Start, t.End, ""})
		}
	}
}

func (m *maker) number(t *grammar.Token) {
	if t.Kind != grammar.Int {
		return
	}
	n, err := strconv.Atoi(t.Text)
	if err != nil {
		return
	}
	m.replace("number", t.Span, strconv.Itoa(n+1))
	if n > 0 {
		m.replace("number", t.Span, strconv.Itoa(n-1))
	}
}

// parts leaves out each part of a condition that "and" or "or" joins, in brackets
// too.
func (m *maker) parts(toks []grammar.Token) {
	depth, from := 0, 0
	join := -1 // the and, or before the part that starts at from
	leave := func(next int) {
		switch {
		case join >= 0 && from < next:
			m.put("drop-part", edit{toks[join].Start, toks[next-1].End, ""})
		case join < 0 && next < len(toks) && from < next && (toks[next].Text == "and" || toks[next].Text == "or"):
			m.put("drop-part", edit{toks[from].Start, toks[next+1].Start, ""})
		}
	}
	for i := range toks {
		t := &toks[i]
		switch {
		case t.Kind == grammar.Punct && (t.Text == "(" || t.Text == "["):
			if depth == 0 {
				if end := closing(toks, i); end > i+1 {
					m.parts(toks[i+1 : end])
				}
			}
			depth++
		case t.Kind == grammar.Punct && (t.Text == ")" || t.Text == "]"):
			depth--
		case depth == 0 && t.Kind == grammar.Word && (t.Text == "and" || t.Text == "or") && i+1 < len(toks),
			depth == 0 && t.Kind == grammar.Punct && t.Text == ",":
			if t.Text == "," { // another argument
				if join >= 0 {
					leave(i)
				}
				join, from = -1, i+1
				continue
			}
			leave(i)
			join, from = i, i+1
		}
	}
	if join >= 0 {
		leave(len(toks))
	}
}

func closing(toks []grammar.Token, at int) int {
	depth := 0
	for i := at; i < len(toks); i++ {
		if toks[i].Kind != grammar.Punct {
			continue
		}
		switch toks[i].Text {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// names are the declared names of which one can stand where another does: the
// language tells of what sort they are.
type names struct {
	sorts   map[string][]string // the names of a sort
	of      map[string][]string // the sorts of a name
	headers []string
}

func namesOf(files []*grammar.File) *names {
	n := &names{sorts: map[string][]string{}, of: map[string][]string{}}
	put := func(sort, name string) {
		if !slices.Contains(n.sorts[sort], name) {
			n.sorts[sort] = append(n.sorts[sort], name)
			n.of[name] = append(n.of[name], sort)
		}
	}
	char := func(c *grammar.Char, of string) {
		if c.Of != nil {
			of = c.Of.Text
		}
		put("characteristic "+of+" "+c.Type.Text(), c.Name.Text)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch {
			case d.Plain != nil && d.Head == "zone":
				put("zone", d.Plain.Title.Text)
			case d.Plain != nil && d.Head == "values":
				for _, l := range d.Plain.Lines {
					put("values "+d.Plain.Title.Text, l.Head.Text)
				}
			case d.Token != nil:
				put("token", d.Token.Name.Text)
			case d.Char != nil:
				char(d.Char, "")
			case d.Action != nil:
				for _, l := range d.Action.Lines {
					if l.Char != nil {
						char(l.Char, d.Action.Name.Text)
					}
				}
				for _, r := range d.Action.Roles {
					put("role "+d.Action.Name.Text+" "+r.Type.Text(), r.Name.Text)
				}
			case d.Rules != nil && d.Head == "header":
				n.headers = append(n.headers, d.Rules.Name.Text)
			}
		}
	}
	for _, list := range n.sorts {
		slices.Sort(list)
	}
	// The longest first: one may be the start of another.
	slices.SortFunc(n.headers, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return n
}

// alike lists, for each sort of a name, the next name of that sort.
func (n *names) alike(name string) []string {
	var out []string
	for _, sort := range n.of[name] {
		list := n.sorts[sort]
		if i := slices.Index(list, name); len(list) > 1 {
			if next := list[(i+1)%len(list)]; !slices.Contains(out, next) {
				out = append(out, next)
			}
		}
	}
	return out
}
