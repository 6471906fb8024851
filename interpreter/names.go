package interpreter

import (
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// NameSort says what a declared name names.
type NameSort string

// The sorts of names, in the order in which Names lists them.
const (
	NameAction         NameSort = "action"
	NameStep           NameSort = "step"
	NameCharacteristic NameSort = "characteristic"
	NameMemory         NameSort = "memory"
	NameKind           NameSort = "kind"
	NameTable          NameSort = "table"
	NameToken          NameSort = "token"
	NameZone           NameSort = "zone"
	NameHeader         NameSort = "header"
	NameKeyword        NameSort = "keyword"
	NameValues         NameSort = "values"
	NameLayer          NameSort = "layer"
	NameFunction       NameSort = "function"
)

// Name is a name that rule data can use, with what stands in it.
type Name struct {
	Sort  NameSort   `json:"sort"`
	Name  string     `json:"name"`
	Of    string     `json:"of,omitempty"`   // the kind that has it; of a step: its action; of a token: what it lies on
	Type  string     `json:"type,omitempty"` // of a characteristic or table
	Form  string     `json:"form"`           // how it is written, with its parts
	Shown string     `json:"shown"`          // as people read it
	Says  string     `json:"says,omitempty"` // of an action: what the log says
	When  string     `json:"when,omitempty"` // of a header: the moment that it waits for, as written
	Parts []NamePart `json:"parts,omitempty"`
	Rules []Ref      `json:"rules,omitempty"`
	Place Place      `json:"place,omitzero"` // none for what the engine itself declares
}

// NamePart is a role or attribute of an action, a characteristic of a token, a
// parameter, one of a list of values, or the hits of a header: the happenings that
// qualified, of which its body can speak.
type NamePart struct {
	Sort  string `json:"sort"` // "role", "attribute", "parameter", "value" or "hits"
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"`
	Shown string `json:"shown,omitempty"`
}

// Names lists the names that the rules declare, sort by sort and each in the
// order of declaration, for people who write rule data.
func (p *Program) Names(lang string) []Name {
	var out []Name
	add := func(sort NameSort, d *program.Decl, form string) *Name {
		out = append(out, Name{Sort: sort, Name: d.Name, Form: form, Shown: p.textOf(d, lang), Rules: refs(d.Cite), Place: placeOf(d.Span)})
		return &out[len(out)-1]
	}
	action := func(a *program.Action) {
		form := quoted(a.Name)
		for _, r := range a.Roles {
			part := strings.TrimSpace(r.Prep + " " + r.Name + ": " + p.p.TypeName(r.Type))
			if r.Default != nil || r.Prep == "within" { // can be left out
				part = "[" + part + "]"
			}
			form += " " + part
		}
		n := add(NameAction, &a.Decl, form)
		if a.StepOf >= 0 {
			n.Sort, n.Of = NameStep, p.p.Actions[a.StepOf].Name
			n.Form += " of " + n.Of
		}
		if n.Says = p.text(a.Says, lang, ""); n.Says == "" && len(a.Texts) == 0 {
			if ph := p.phrase(a.Name); ph != nil {
				n.Says = p.textOf(&ph.Decl, lang)
			}
		}
		for _, r := range a.Roles {
			n.Parts = append(n.Parts, NamePart{Sort: "role", Name: r.Name, Type: p.p.TypeName(r.Type)})
		}
		for _, c := range a.Attrs {
			ch := p.p.Chars[c]
			n.Parts = append(n.Parts, NamePart{"attribute", ch.Name, p.p.TypeName(ch.Type), p.text(ch.Texts, lang, "")})
		}
	}
	for _, a := range p.p.Actions {
		if a.StepOf < 0 {
			action(a)
		}
	}
	for _, a := range p.p.Actions {
		for _, s := range a.Steps {
			action(p.p.Actions[s])
		}
	}
	for _, sort := range []NameSort{NameCharacteristic, NameMemory} {
		for k := range p.p.Kinds {
			for _, ch := range p.p.Chars {
				if ch.Action >= 0 || ch.Memory != (sort == NameMemory) || charKind(ch) != k {
					continue
				}
				of := p.p.Kinds[k].Name
				n := add(sort, &ch.Decl, quoted(ch.Name)+" of "+of+": "+p.p.TypeName(ch.Type))
				n.Of, n.Type = of, p.p.TypeName(ch.Type)
			}
		}
	}
	for _, k := range p.p.Kinds {
		form := quoted(k.Name)
		if k.Parent >= 0 {
			form += ": " + p.p.Kinds[k.Parent].Name
		}
		if k.Token < 0 {
			add(NameKind, &k.Decl, form)
		}
	}
	for _, t := range p.p.Tables {
		var in []string
		for _, x := range t.Params {
			in = append(in, p.p.TypeName(x))
		}
		n := add(NameTable, &t.Decl, quoted(t.Name)+"("+strings.Join(in, ", ")+"): "+p.p.TypeName(t.Result))
		n.Type = p.p.TypeName(t.Result)
	}
	for _, t := range p.p.Tokens {
		n := add(NameToken, &t.Decl, quoted(t.Name))
		if t.On >= 0 {
			n.Of = p.p.Kinds[t.On].Name
			n.Form += " on " + n.Of
		}
	}
	for _, z := range p.p.Zones {
		add(NameZone, &z.Decl, quoted(z.Name))
	}
	for _, h := range p.p.Headers {
		n := add(NameHeader, &h.Decl, h.Name)
		n.When = sourceLine(h.Trigger.Span, 400)
		if l := h.Trigger.Among; l != nil {
			n.Parts = []NamePart{{Sort: "hits", Name: "hits", Type: p.p.TypeName(l.T)}}
		}
	}
	for _, k := range p.p.Keywords {
		form := k.Name
		var parts []NamePart
		var in []string
		for _, x := range k.Params {
			in = append(in, x.Name+": "+p.p.TypeName(x.Type))
			parts = append(parts, NamePart{Sort: "parameter", Name: x.Name, Type: p.p.TypeName(x.Type)})
		}
		if in != nil {
			form += " (" + strings.Join(in, ", ") + ")"
		}
		add(NameKeyword, &k.Decl, form).Parts = parts
	}
	for _, v := range p.p.Values {
		if v.Builtin != "" {
			continue
		}
		n := add(NameValues, &v.Decl, quoted(v.Name))
		for i := range v.Names {
			n.Parts = append(n.Parts, NamePart{Sort: "value", Name: v.Names[i].Name, Shown: p.text(v.Names[i].Texts, lang, "")})
		}
	}
	for _, l := range p.p.Layers {
		add(NameLayer, &l.Decl, quoted(l.Name))
	}
	for _, f := range Functions() {
		out = append(out, Name{Sort: NameFunction, Name: f.Name, Form: f.Form(), Shown: f.Name, Says: f.Says(lang)})
	}
	return out
}

// quoted is a name as rule data writes it.
func quoted(name string) string {
	if strings.Contains(name, " ") {
		return `"` + name + `"`
	}
	return name
}

var entityKinds = map[program.Entity]int{program.Card: program.KindCard, program.Token: program.KindToken, program.Player: program.KindPlayer,
	program.Game: program.KindGame, program.Place: program.KindPlace}

// charKind is the kind of object that has a characteristic, by index.
func charKind(ch *program.Char) int {
	if ch.Kind < 0 {
		return entityKinds[ch.Entity]
	}
	return ch.Kind
}
