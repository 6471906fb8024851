package interpreter

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Rule is a numbered rule: what it says in our own words, and its statements.
type Rule struct {
	Number     string      `json:"number"`
	Summary    string      `json:"summary,omitempty"`
	Statements []Statement `json:"statements"`
	Data       []Citation  `json:"data"` // clauses that cite the number without naming a statement
}

// Statement is one statement of what a numbered rule means.
type Statement struct {
	Rule     string     `json:"rule"`
	Key      string     `json:"key"`
	Status   string     `json:"status"` // "normative", "interpretation" or "provisional"
	Text     string     `json:"text"`
	By       string     `json:"by,omitempty"` // what carries it out where no clause can
	Place    Place      `json:"place"`
	Data     []Citation `json:"data"`
	Confirms []string   `json:"confirms"` // cases that confirm it
	Refutes  []string   `json:"refutes"`  // cases that show where it ends
	Readings []Reading  `json:"readings,omitempty"`
	Under    []Under    `json:"under,omitempty"` // cases that are played under a stated reading
}

// Under lists the cases of a statement that are played under a stated choice of a
// reading, or of several.
type Under struct {
	Choice   string   `json:"choice"`
	Confirms []string `json:"confirms"`
	Refutes  []string `json:"refutes"`
}

// cases are the lists that a case under some readings belongs to.
func (s *Statement) cases(under []string) (confirms, refutes *[]string) {
	if len(under) == 0 {
		return &s.Confirms, &s.Refutes
	}
	choice := strings.Join(under, ", ")
	i := slices.IndexFunc(s.Under, func(u Under) bool { return u.Choice == choice })
	if i < 0 {
		i = len(s.Under)
		s.Under = append(s.Under, Under{Choice: choice, Confirms: []string{}, Refutes: []string{}})
	}
	return &s.Under[i].Confirms, &s.Under[i].Refutes
}

// Citation is a declaration or clause that carries out a rule.
type Citation struct {
	What  string `json:"what"`
	Text  string `json:"text"` // as written, cut to one line
	Place Place  `json:"place"`
}

// Reading is a named interpretation, with the other ways to read the rule.
type Reading struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	Switch string   `json:"switch,omitempty"`
	Value  string   `json:"value"`
	Others []string `json:"others"`
	Rules  []Ref    `json:"rules"`
	Place  Place    `json:"place"`
}

// Rules lists the numbered rules in order of number.
func (p *Program) Rules(lang string) []Rule {
	byNumber := map[string]*Rule{}
	at := func(number string) *Rule {
		r := byNumber[number]
		if r == nil {
			r = &Rule{Number: number, Statements: []Statement{}, Data: []Citation{}}
			byNumber[number] = r
		}
		return r
	}
	for _, s := range p.p.Summaries {
		at(s.Rule).Summary = p.text(s.Texts, lang, "")
	}
	type place struct {
		r *Rule
		i int
	}
	byKey := map[Ref]place{}
	readings := p.Readings(lang)
	for _, s := range p.p.Statement {
		r := at(s.Rule)
		st := Statement{Rule: s.Rule, Key: s.Key, Status: s.Status, Text: p.text(s.Texts, lang, ""), By: s.By, Place: placeOf(s.Span),
			Data: []Citation{}, Confirms: []string{}, Refutes: []string{}}
		for _, rd := range readings {
			for _, ref := range rd.Rules {
				if ref == (Ref{s.Rule, s.Key}) {
					st.Readings = append(st.Readings, rd)
				}
			}
		}
		byKey[Ref{s.Rule, s.Key}] = place{r, len(r.Statements)}
		r.Statements = append(r.Statements, st)
	}
	p.citations(func(what string, c program.Cite, span source.Span) {
		for _, ref := range c.Refs {
			cite := Citation{what, clause(span, 120), placeOf(span)}
			if k, ok := byKey[Ref{ref.Rule, ref.Key}]; ok {
				st := &k.r.Statements[k.i]
				if !slices.Contains(st.Data, cite) { // several lines of one clause can cite it
					st.Data = append(st.Data, cite)
				}
				continue
			}
			r := at(ref.Rule)
			if !slices.Contains(r.Data, cite) {
				r.Data = append(r.Data, cite)
			}
		}
	})
	for _, c := range p.p.Cases {
		if c.Status == Draft { // nobody has confirmed it
			continue
		}
		for _, cv := range c.Covers {
			k, ok := byKey[Ref{cv.Ref.Rule, cv.Ref.Key}]
			if !ok {
				continue
			}
			list, refutes := k.r.Statements[k.i].cases(under(c))
			if !cv.Confirms {
				list = refutes
			}
			*list = append(*list, c.ID)
		}
	}
	var out []Rule
	for _, r := range byNumber {
		out = append(out, *r)
	}
	sort.Slice(out, func(i, j int) bool { return program.LessRule(out[i].Number, out[j].Number) })
	return out
}

// Readings lists the named interpretations of the data.
func (p *Program) Readings(lang string) []Reading {
	var out []Reading
	for _, r := range p.p.Readings {
		out = append(out, Reading{Name: r.Name, Text: p.textOf(&r.Decl, lang), Switch: r.Switch, Value: r.Value, Others: append([]string{}, r.Others...),
			Rules: refs(r.Cite), Place: placeOf(r.Span)})
	}
	return out
}

// citations visits everything that can cite a rule.
func (p *Program) citations(visit func(what string, c program.Cite, span source.Span)) {
	pp := p.p
	decl := func(what string, d *program.Decl) {
		if len(d.Cite.Refs) > 0 {
			visit(what+" "+d.Name, d.Cite, d.Span)
		}
	}
	part := func(what string, c program.Cite, span source.Span) {
		if len(c.Refs) > 0 {
			visit(what, c, span)
		}
	}
	for _, v := range pp.Values {
		decl("values", &v.Decl)
	}
	for _, k := range pp.Kinds {
		decl("kind", &k.Decl)
	}
	for _, c := range pp.Chars {
		decl("characteristic", &c.Decl)
	}
	for _, z := range pp.Zones {
		decl("zone", &z.Decl)
	}
	for _, t := range pp.Tokens {
		decl("token", &t.Decl)
	}
	for _, l := range pp.Layers {
		decl("layer", &l.Decl)
	}
	for _, t := range pp.Tables {
		decl("table", &t.Decl)
	}
	for _, o := range pp.Orders {
		decl("order", &o.Decl)
	}
	for _, r := range pp.Readings {
		decl("reading", &r.Decl)
	}
	for _, k := range pp.Keywords {
		decl("keyword", &k.Decl)
		if k.Granted != nil {
			for _, o := range k.Granted.OnlyIf {
				part("keyword "+k.Name, o.Cite, o.Expr.Span)
			}
			for _, n := range k.Granted.Needs {
				part("keyword "+k.Name, n.Cite, n.Call.Span)
			}
		}
	}
	for _, h := range pp.Headers {
		decl("header", &h.Decl)
		t := &h.Trigger
		part("header "+h.Name, t.Cite, t.Span)
		part("header "+h.Name, t.Moment.Cite, t.Moment.Span)
		part("header "+h.Name, t.AmongCite, t.Span)
		for _, l := range t.Limits {
			part("header "+h.Name, l.Cite, t.Span)
		}
	}
	for _, a := range pp.Actions {
		decl("action", &a.Decl)
		for _, o := range a.OnlyIf {
			part("action "+a.Name, o.Cite, o.Expr.Span)
		}
		for _, n := range a.Needs {
			part("action "+a.Name, n.Cite, n.Call.Span)
		}
	}
	for _, e := range pp.Effects {
		if p.inCase(e.Span) {
			continue
		}
		part("effect", e.Cite, e.Span)
		for i := range e.Ops {
			part("effect", e.Ops[i].Cite, e.Ops[i].Span)
		}
		for i := range e.Until {
			part("until", e.Until[i].Cite, e.Until[i].Span)
		}
	}
	for _, t := range pp.Triggers {
		if p.inCase(t.Span) {
			continue
		}
		part("trigger", t.Cite, t.Span)
		if t.Header < 0 {
			part("trigger", t.Moment.Cite, t.Moment.Span)
			part("trigger", t.AmongCite, t.Span)
			for _, l := range t.Limits {
				part("trigger", l.Cite, t.Span)
			}
		}
	}
	for _, r := range pp.Routines {
		if p.inCase(r.Span) {
			continue
		}
		last := source.Span{}
		for i := range r.Code {
			if r.Code[i].Span != last { // several instructions can come of one clause
				part(r.What, r.Code[i].Cite, r.Code[i].Span)
				last = r.Code[i].Span
			}
		}
	}
}

// Card is a card as the data has it.
type Card struct {
	Name   string      `json:"name"`
	Shown  string      `json:"shown"` // its name in the language asked for
	Fields []CardField `json:"fields"`
	Says   string      `json:"says,omitempty"`  // the rules text, a line for each ability
	Lines  []string    `json:"lines,omitempty"` // its abilities as written
	Decks  []string    `json:"decks,omitempty"`
	Errata []string    `json:"errata,omitempty"`
	Place  Place       `json:"place"`
}

// CardField is one thing that is printed on a card.
type CardField struct {
	Name  string `json:"name"`
	Shown string `json:"shown"`
	Value string `json:"value"`
}

// Cards lists the cards in order of declaration; those that cases make for
// themselves are left out.
func (p *Program) Cards(lang string) []Card {
	return p.cards(lang, func(string) bool { return true })
}

// CardsNamed is Cards for some of them.
func (p *Program) CardsNamed(lang string, names ...string) []Card {
	return p.cards(lang, func(name string) bool { return slices.Contains(names, name) })
}

func (p *Program) cards(lang string, wanted func(name string) bool) []Card {
	n := &namer{p: p, s: nil, lang: lang}
	order := p.fieldOrder()
	var out []Card
	for i, c := range p.p.Cards {
		if c.Anonymous || !wanted(c.Name) {
			continue
		}
		card := Card{Name: c.Name, Shown: p.textOf(&c.Decl, lang), Fields: []CardField{}, Says: p.cardSays(i, lang), Lines: c.Lines,
			Place: placeOf(c.Span)}
		if e := c.Errata; e != nil {
			since := e.Since
			if since == "" { // told by where it stands
				since = placeOf(e.Span).String()
			}
			card.Errata = append(card.Errata, since)
		}
		for _, ch := range p.p.Chars {
			if !ch.Printed || ch.Entity != program.Card {
				continue
			}
			for _, v := range c.Values {
				if v.Char == ch.Index && ch.Index != p.p.NameChar {
					card.Fields = append(card.Fields, CardField{ch.Name, p.textOf(&ch.Decl, lang), n.printed(ch.Type, v.Value)})
				}
			}
		}
		sort.SliceStable(card.Fields, func(a, b int) bool { return order(card.Fields[a].Name) < order(card.Fields[b].Name) })
		for _, d := range p.p.Decks {
			for _, k := range d.Cards {
				if k == i {
					card.Decks = append(card.Decks, d.Name)
					break
				}
			}
		}
		out = append(out, card)
	}
	return out
}

// fieldOrder puts what is printed on cards into the order in which the view of a
// card shows it.
func (p *Program) fieldOrder() func(name string) int {
	sheet := ""
	for _, v := range p.p.Views {
		if v.Name == "card" {
			for _, l := range v.Lines {
				sheet += p.text(l.Texts, "", "")
			}
		}
	}
	return func(name string) int {
		if i := strings.Index(sheet, "{"+name+"}"); i >= 0 {
			return i
		}
		return len(sheet)
	}
}

// printed words a printed value; there is no state that it could be an object of.
func (n *namer) printed(t program.Type, v int64) string {
	if t.Mask() {
		var parts []string
		for i := range n.p.p.Values[t.ID].Names {
			if v>>i&1 != 0 {
				parts = append(parts, n.oneOf(t.ID, int64(i)))
			}
		}
		return strings.Join(parts, ", ")
	}
	switch t.Base {
	case program.IsOneOf, program.IsFlag, program.IsText:
		return n.one(t, v)
	}
	return strconv.FormatInt(v, 10)
}

// Deck is a declared list of cards.
type Deck struct {
	Name  string   `json:"name"`
	Shown string   `json:"shown"`
	Cards []string `json:"cards"`
	Place Place    `json:"place"`
}

// Decks lists the declared decks.
func (p *Program) Decks(lang string) []Deck {
	var out []Deck
	for _, d := range p.p.Decks {
		out = append(out, Deck{d.Name, p.textOf(&d.Decl, lang), p.deckCards(d), placeOf(d.Span)})
	}
	return out
}

// WordSort says what sort of thing a Word is.
type WordSort string

// The sorts of Word.
const (
	KeywordWord WordSort = "keyword"
	HeaderWord  WordSort = "header"
	LayerWord   WordSort = "layer"
)

// Word is a declared thing with a name and a text: a keyword, a timing header, a
// layer.
type Word struct {
	Sort  WordSort `json:"sort"`
	Name  string   `json:"name"`
	Shown string   `json:"shown"`
	Says  string   `json:"says,omitempty"`
	Takes []string `json:"takes,omitempty"` // of a layer: the operations that it takes
	Cards []string `json:"cards,omitempty"` // that have it
	Rules []Ref    `json:"rules,omitempty"`
	Place Place    `json:"place"`
}

// Keywords lists the keywords, with the cards that have each.
func (p *Program) Keywords(lang string) []Word {
	n := &namer{p: p, lang: lang}
	var out []Word
	for i, k := range p.p.Keywords {
		w := Word{Sort: KeywordWord, Name: k.Name, Shown: n.keyword(i, nil), Rules: refs(k.Cite), Place: placeOf(k.Span)}
		if w.Says = n.paramNames(k, p.text(k.Says, lang, "")); w.Says == "" {
			w.Says = p.Wording().g.Keyword(k, lang).Value
		}
		for _, c := range p.p.Cards {
			for _, a := range c.Abilities {
				if !c.Anonymous && p.p.Abilities[a].Keyword == i {
					w.Cards = append(w.Cards, c.Name)
				}
			}
		}
		out = append(out, w)
	}
	return out
}

// paramNames puts what stands for a keyword's parameters into its text.
func (n *namer) paramNames(k *program.Keyword, text string) string {
	return fill(text, func(name string) (string, bool) {
		for _, prm := range k.Params {
			if prm.Name == name {
				return n.param(prm), true
			}
		}
		return "", false
	})
}

// inCase reports whether a place lies in a case: clauses of cases are no rule data.
func (p *Program) inCase(s source.Span) bool {
	for _, c := range p.p.Cases {
		if holds(c.Span, s) {
			return true
		}
	}
	return false
}

// Headers lists the timing headers, with the cards that use each.
func (p *Program) Headers(lang string) []Word {
	var out []Word
	for i, h := range p.p.Headers {
		w := Word{Sort: HeaderWord, Name: h.Name, Shown: p.textOf(&h.Decl, lang), Rules: refs(append([]program.Cite{h.Cite}, h.Trigger.Moment.Cite)...), Place: placeOf(h.Span)}
		for _, c := range p.p.Cards {
			has := false
			for _, a := range c.Abilities {
				for _, t := range p.p.Abilities[a].Triggers {
					has = has || p.p.Triggers[t].Header == i
				}
			}
			if has && !c.Anonymous {
				w.Cards = append(w.Cards, c.Name)
			}
		}
		out = append(out, w)
	}
	return out
}

// Layers lists the layers in the order in which they are worked out.
func (p *Program) Layers(lang string) []Word {
	var out []Word
	for _, l := range p.p.Layers {
		w := Word{Sort: LayerWord, Name: l.Name, Shown: p.textOf(&l.Decl, lang), Rules: refs(l.Cite), Place: placeOf(l.Span)}
		for _, v := range l.Takes {
			w.Takes = append(w.Takes, v.String())
		}
		out = append(out, w)
	}
	return out
}

// EditionInfo is a dated edition of the rules.
type EditionInfo struct {
	Name  string `json:"name"`
	From  string `json:"from"`
	Shown string `json:"shown"`
	Now   bool   `json:"now"` // the one in force
}

// Editions lists the editions that the data declares.
func (p *Program) Editions(lang string) []EditionInfo {
	var out []EditionInfo
	for _, e := range p.p.Editions {
		out = append(out, EditionInfo{e.Name, e.From, p.textOf(&e.Decl, lang), e.Name == p.p.Edition})
	}
	return out
}

// PackInfo is a pack that was loaded.
type PackInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Shown   string `json:"shown"`
	Place   Place  `json:"place"`
}

// Packs lists the packs that the folders are, the base first.
func (p *Program) Packs(lang string) []PackInfo {
	out := []PackInfo{}
	for _, k := range p.p.Packs {
		out = append(out, PackInfo{k.Name, k.Version, p.textOf(&k.Decl, lang), PlaceOf(k.Head)})
	}
	return out
}
