package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/momon-rules/momon/interpreter"
)

// fact is something that can be seen of a declaration, in one language.
type fact struct {
	id    ID
	label string // a key of words, or a name of the data after =
	value string
}

// facts finds what players see otherwise of the declarations that changed.
func (r *Report) facts() {
	touched := map[string][]string{} // names by head
	renamed := map[ID]string{}
	for _, c := range r.Changes {
		touched[c.ID.Head] = append(touched[c.ID.Head], c.ID.Name)
		if c.To != "" {
			touched[c.ID.Head] = append(touched[c.ID.Head], c.To)
			renamed[ID{Head: c.ID.Head, Name: c.ID.Name}] = c.To
		}
	}
	var list []*Fact
	byKey := map[string]*Fact{}
	for _, lang := range r.languages() {
		for side, p := range []*interpreter.Program{r.a.Program, r.b.Program} {
			for _, f := range factsOf(p, lang, touched) {
				if to := renamed[f.id]; to != "" && side == 0 {
					f.id.Name = to
				}
				key := f.id.String() + "\x00" + f.label
				x := byKey[key]
				if x == nil {
					x = &Fact{ID: f.id, Label: map[string]string{}, Old: map[string]string{}, New: map[string]string{}}
					byKey[key] = x
					list = append(list, x)
				}
				if name, ok := strings.CutPrefix(f.label, "="); ok {
					_, shown, _ := strings.Cut(name, "=")
					x.Label[lang] = shown
				} else {
					x.Label[lang] = Text(lang, f.label)
				}
				if side == 0 {
					x.Old[lang] = f.value
				} else {
					x.New[lang] = f.value
				}
			}
		}
	}
	// What is new or gone as a whole is told as that; here is what became another.
	whole := map[string]bool{}
	for _, c := range r.Changes {
		if c.Kind == Added || c.Kind == Removed {
			whole[c.ID.String()] = true
		}
	}
	for _, x := range list {
		changed := len(x.Old) != len(x.New)
		for lang, v := range x.New {
			changed = changed || x.Old[lang] != v
		}
		if changed && !whole[x.ID.String()] {
			r.Seen = append(r.Seen, *x)
		}
	}
}

// factsOf lists what can be seen of some declarations. Where the order of
// declarations counts, all of a head are looked at.
func factsOf(p *interpreter.Program, lang string, touched map[string][]string) []fact {
	var out []fact
	is := func(head, name string) bool { return slices.Contains(touched[head], name) }
	if names := append(slices.Clone(touched["card"]), touched["errata"]...); len(names) > 0 {
		for _, c := range p.CardsNamed(lang, names...) {
			id := ID{Head: "card", Name: c.Name}
			out = append(out, fact{id, "seen-name", c.Shown})
			for _, f := range c.Fields {
				out = append(out, fact{id, "=" + f.Name + "=" + f.Shown, f.Value})
			}
			out = append(out, fact{id, "seen-text", c.Says})
		}
	}
	word := func(head string, list []interpreter.Word) {
		for i, w := range list {
			id := ID{Head: head, Name: w.Name}
			if head == "layer" && len(touched[head]) > 0 {
				out = append(out, fact{id, "seen-place", fmt.Sprint(i + 1)})
			}
			if is(head, w.Name) {
				out = append(out, fact{id, "seen-name", w.Shown})
				if head == "keyword" {
					out = append(out, fact{id, "seen-text", w.Says})
				}
			}
		}
	}
	if len(touched["keyword"]) > 0 {
		word("keyword", p.Keywords(lang))
	}
	if len(touched["header"]) > 0 {
		word("header", p.Headers(lang))
	}
	if len(touched["layer"]) > 0 {
		word("layer", p.Layers(lang))
	}
	if len(touched["reading"]) > 0 {
		for _, rd := range p.Readings(lang) {
			if is("reading", rd.Name) {
				out = append(out, fact{ID{Head: "reading", Name: rd.Name}, "seen-reading", rd.Value})
			}
		}
	}
	if len(touched["deck"]) > 0 {
		for _, d := range p.Decks(lang) {
			if is("deck", d.Name) {
				out = append(out, fact{ID{Head: "deck", Name: d.Name}, "seen-list", strings.Join(d.Cards, ", ")})
			}
		}
	}
	return out
}
