package interpreter

import (
	"sort"
	"sync"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// More sorts of names, which an Index has beside those of Names.
const (
	NameValue     NameSort = "value"
	NameRole      NameSort = "role"
	NameAttribute NameSort = "attribute"
	NameLocal     NameSort = "local" // what a body, a case or a parameter names
	NameLabel     NameSort = "label" // what a case calls an effect
	NameCard      NameSort = "card"
	NameDeck      NameSort = "deck"
	NameCase      NameSort = "case"
	NameEdition   NameSort = "edition"
	NameReading   NameSort = "reading"
	NameOrder     NameSort = "order"
	NamePhrase    NameSort = "phrase"
	NameView      NameSort = "view"
	NameLanguage  NameSort = "language"
	NameRule      NameSort = "rule"      // a rule number
	NameStatement NameSort = "statement" // its key
)

// Index tells where each name is declared and used, as the checker resolved it.
type Index struct {
	p      *Program
	names  *program.Names
	syms   map[program.NameKey]*Symbol
	byFile map[*source.File][]Mention

	once   sync.Once
	sorted []*Symbol // worked out when it is first asked for
}

// Symbol is one named thing. Equal keys of two indexes of the same files mean the
// same thing.
type Symbol struct {
	Key      any // comparable
	Sort     NameSort
	Name     string
	Of       string // what it belongs to: the action of a role, the list of a value, the family of a characteristic
	Type     string // of a local name
	Mentions []Mention
}

// Mention is a place that speaks of a symbol.
type Mention struct {
	Symbol   *Symbol
	Span     source.Span
	Declares bool
	Whole    source.Span // of a declaration: all of it
	Loose    bool        // it may mean something else as well
}

func newIndex(p *program.Program, names *program.Names) *Index {
	x := &Index{p: &Program{p: p}, names: names, syms: map[program.NameKey]*Symbol{}, byFile: map[*source.File][]Mention{}}
	byFile := map[*source.File][]int{}
	var files []*source.File
	for i := range names.Mentions {
		f := names.Mentions[i].Span.File
		if byFile[f] == nil {
			files = append(files, f)
		}
		byFile[f] = append(byFile[f], i)
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	for _, f := range files {
		x.enter(byFile[f])
	}
	return x
}

// enter takes over the mentions of one file.
func (x *Index) enter(list []int) {
	all := x.names.Mentions
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &all[list[i]], &all[list[j]]
		switch {
		case a.Span.Start != b.Span.Start:
			return a.Span.Start < b.Span.Start
		case a.Span.End != b.Span.End:
			return a.Span.End < b.Span.End
		}
		return a.Declares && !b.Declares
	})
	for _, i := range list {
		m := &all[i]
		s := x.syms[m.Key]
		if s == nil {
			s = &Symbol{Key: m.Key, Sort: NameSort(m.Key.Sort), Name: m.Key.Name, Of: m.Key.Of}
			if t, ok := x.names.Locals[m.Key]; ok {
				s.Type = x.p.p.TypeName(t)
			}
			x.syms[m.Key] = s
		}
		if n := len(s.Mentions); n > 0 && s.Mentions[n-1].Span == m.Span {
			continue
		}
		out := Mention{Symbol: s, Span: m.Span, Declares: m.Declares, Whole: m.Whole, Loose: m.Loose}
		s.Mentions = append(s.Mentions, out)
		x.byFile[m.Span.File] = append(x.byFile[m.Span.File], out)
	}
}

// File lists what a file mentions, from its start to its end.
func (x *Index) File(f *source.File) []Mention { return x.byFile[f] }

// At lists the symbols that the name at a place means; most often there is one.
// A place just behind a name counts as in it.
func (x *Index) At(f *source.File, offset int) []Mention {
	var in, behind []Mention
	for _, m := range x.byFile[f] {
		switch {
		case m.Span.Start <= offset && offset < m.Span.End:
			in = append(in, m)
		case m.Span.End == offset:
			behind = append(behind, m)
		}
	}
	if len(in) == 0 {
		in = behind
	}
	// A name may lie in a longer one, such as a hole in a text: the shortest counts.
	least := -1
	for _, m := range in {
		if n := m.Span.End - m.Span.Start; least < 0 || n < least {
			least = n
		}
	}
	var out []Mention
	for _, m := range in {
		if m.Span.End-m.Span.Start == least {
			out = append(out, m)
		}
	}
	return out
}

// Editions lists the editions that the data declares, by date. Names in what does
// not hold in the edition of an index are not in it; an index of each edition has
// them all.
func (x *Index) Editions() []string {
	var out []string
	for _, e := range x.p.p.Editions {
		out = append(out, e.Name)
	}
	return out
}

// Edition is the edition that the index is of.
func (x *Index) Edition() string { return x.p.p.Edition }

// Symbols lists every symbol, by sort and name.
func (x *Index) Symbols() []*Symbol {
	x.once.Do(func() { x.sorted = x.sort() })
	return x.sorted
}

func (x *Index) sort() []*Symbol {
	out := make([]*Symbol, 0, len(x.syms))
	for _, s := range x.syms {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case a.Sort != b.Sort:
			return a.Sort < b.Sort
		case a.Name != b.Name:
			return a.Name < b.Name
		case a.Of != b.Of:
			return a.Of < b.Of
		}
		return a.Mentions[0].Span.Before(b.Mentions[0].Span)
	})
	return out
}

// Symbol finds the symbol with the key of one in another index.
func (x *Index) Symbol(key any) *Symbol {
	k, ok := key.(program.NameKey)
	if !ok {
		return nil
	}
	return x.syms[k]
}

// Names lists the names that the rules declare, as Program.Names does, also while
// they have errors.
func (x *Index) Names(lang string) (list []Name) {
	defer func() {
		if recover() != nil { // what is half-checked may lack anything
			list = nil
		}
	}()
	return x.p.Names(lang)
}

// Texts gives the texts of a declared thing in each language of the data, in
// their order, and what a bare name is called there.
func (x *Index) Texts(s *Symbol) []Text {
	k, ok := s.Key.(program.NameKey)
	if !ok {
		return nil
	}
	var list []program.Text
	p := x.p.p
	switch k.Sort {
	case "characteristic", "attribute":
		if ch := x.char(k); ch != nil {
			list = ch.Texts
		}
	case "value":
		for _, v := range p.Values {
			if i, ok := v.Index[k.Name]; ok && v.Name == k.Of {
				list = v.Names[i].Texts
			}
		}
	case "rule":
		for _, r := range p.Summaries {
			if r.Rule == k.Name {
				list = r.Texts
			}
		}
	case "statement":
		for _, st := range p.Statement {
			if st.Key == k.Name {
				list = st.Texts
			}
		}
	default:
		if d := x.decl(k); d != nil {
			list = d.Texts
		}
	}
	var out []Text
	for _, t := range list {
		out = append(out, Text{Lang: t.Lang, Value: t.Value})
	}
	return out
}

// Text is a display text in one language.
type Text struct {
	Lang  string `json:"lang"`
	Value string `json:"value"`
}

func (x *Index) decl(k program.NameKey) *program.Decl {
	p := x.p.p
	switch k.Sort {
	case "action":
		return find(p.Actions, func(a *program.Action) *program.Decl { return &a.Decl }, k.Name)
	case "kind":
		return find(p.Kinds, func(a *program.Kind) *program.Decl { return &a.Decl }, k.Name)
	case "token":
		return find(p.Tokens, func(a *program.TokenKind) *program.Decl { return &a.Decl }, k.Name)
	case "zone":
		return find(p.Zones, func(a *program.Zone) *program.Decl { return &a.Decl }, k.Name)
	case "layer":
		return find(p.Layers, func(a *program.Layer) *program.Decl { return &a.Decl }, k.Name)
	case "table":
		return find(p.Tables, func(a *program.TableDef) *program.Decl { return &a.Decl }, k.Name)
	case "values":
		return find(p.Values, func(a *program.Values) *program.Decl { return &a.Decl }, k.Name)
	case "header":
		return find(p.Headers, func(a *program.Header) *program.Decl { return &a.Decl }, k.Name)
	case "keyword":
		return find(p.Keywords, func(a *program.Keyword) *program.Decl { return &a.Decl }, k.Name)
	case "card":
		return find(p.Cards, func(a *program.CardDef) *program.Decl { return &a.Decl }, k.Name)
	case "deck":
		return find(p.Decks, func(a *program.Deck) *program.Decl { return &a.Decl }, k.Name)
	case "edition":
		return find(p.Editions, func(a *program.Edition) *program.Decl { return &a.Decl }, k.Name)
	case "reading":
		return find(p.Readings, func(a *program.ReadingDef) *program.Decl { return &a.Decl }, k.Name)
	case "order":
		return find(p.Orders, func(a *program.OrderDef) *program.Decl { return &a.Decl }, k.Name)
	case "phrase":
		return find(p.Phrases, func(a *program.Phrase) *program.Decl { return &a.Decl }, k.Name)
	case "case":
		return find(p.Cases, func(a *program.Case) *program.Decl { return &a.Decl }, k.Name)
	}
	return nil
}

func find[T any](list []*T, decl func(*T) *program.Decl, name string) *program.Decl {
	for _, t := range list {
		if d := decl(t); d.Name == name {
			return d
		}
	}
	return nil
}

func (x *Index) char(k program.NameKey) *program.Char {
	for _, ch := range x.p.p.Chars {
		switch {
		case ch.Name != k.Name:
		case ch.Action >= 0:
			if k.Sort == "attribute" && x.p.p.Actions[ch.Action].Name == k.Of {
				return ch
			}
		case k.Sort == "characteristic" && ch.Kind < 0:
			if x.p.p.Kinds[entityKinds[ch.Entity]].Name == k.Of {
				return ch
			}
		case k.Sort == "characteristic":
			if x.p.p.Kinds[entityKinds[x.p.p.Kinds[ch.Kind].Entity]].Name == k.Of {
				return ch
			}
		}
	}
	return nil
}

// Characteristic is what an editor tells of a characteristic, a memory or an
// attribute of an action.
type Characteristic struct {
	Name, Of, Type string
	Memory         bool
	Printed        bool
	Value          string // how it is worked out, or what it starts from, as written
	Floor, Ceiling string // as written, or ""
	Layers         []Word // the layers whose operations can change it, in their order
}

// Characteristic describes a symbol that is one.
func (x *Index) Characteristic(s *Symbol, lang string) (Characteristic, bool) {
	k, ok := s.Key.(program.NameKey)
	if !ok || k.Sort != "characteristic" && k.Sort != "attribute" {
		return Characteristic{}, false
	}
	ch := x.char(k)
	if ch == nil {
		return Characteristic{}, false
	}
	out := Characteristic{Name: ch.Name, Of: k.Of, Type: x.p.p.TypeName(ch.Type), Memory: ch.Memory, Printed: ch.Printed}
	if ch.Kind >= 0 {
		out.Of = x.p.p.Kinds[ch.Kind].Name
	}
	if g := x.names.Chars[k]; g != nil {
		if g.Value != nil {
			out.Value = g.Value.Span.Text()
		}
		if g.Floor != nil {
			out.Floor = g.Floor.Span.Text()
		}
		if g.Ceiling != nil {
			out.Ceiling = g.Ceiling.Span.Text()
		}
	}
	if ch.Memory || ch.Fact != program.FactNone || ch.Type.List() {
		return out, true
	}
	for _, l := range x.p.p.Layers {
		takes := false
		for _, v := range l.Takes {
			switch v {
			case program.VerbSet, program.VerbLock, program.VerbBase, program.VerbCopy:
				takes = true
			case program.VerbRaise, program.VerbLower:
				takes = takes || ch.Type == program.NumberType
			case program.VerbAdd, program.VerbRemove, program.VerbStrip:
				takes = takes || ch.Type.Mask()
			}
		}
		if takes {
			w := Word{Name: l.Name, Shown: x.p.textOf(&l.Decl, lang)}
			for _, v := range l.Takes {
				w.Takes = append(w.Takes, v.String())
			}
			out.Layers = append(out.Layers, w)
		}
	}
	return out, true
}
