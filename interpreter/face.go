package interpreter

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Face is what is printed on a card, in one or more languages; its name is in all
// languages that the rules have. What it has, and
// where, is said by `view sheet of card` in the data, and how values look by
// `view values of LIST`, so that a new characteristic appears without a change
// of the program. Where the data says nothing, a face is made of `view card`.
type Face struct {
	Card  string     `json:"card"`           // its name in the data
	Pack  string     `json:"pack,omitempty"` // the name of the pack that declares it, if its folder is one
	Tint  string     `json:"tint,omitempty"` // the colour of its frame, as #RRGGBB
	Parts []FacePart `json:"parts"`          // in the order of the data
}

// FacePart is one part of a face. Place is the word that its line begins with:
// title, badge, corner, line, compass, text or foot.
type FacePart struct {
	Place  string      `json:"place"`
	Field  string      `json:"field,omitempty"`  // the characteristic, of a badge, corner or compass
	Said   []FaceText  `json:"said"`             // the text, or what the part is called, in each language
	Values []FaceValue `json:"values,omitempty"` // what the card has of the characteristic
	All    []FaceValue `json:"all,omitempty"`    // of a compass: all that could be had
	Reach  int         `json:"reach,omitempty"`  // of a compass: how far it reaches
	Symbol string      `json:"symbol,omitempty"` // of a compass: what shows a direction; an arrow if there is none
}

// FaceText is a text in one language. Lang is the language that it is in, which is
// another than was asked for where that has no text.
type FaceText struct {
	Lang string `json:"lang"`
	Text string `json:"text"`
}

// FaceValue is one value on a face.
type FaceValue struct {
	Name   string     `json:"name"` // in the data, or a number
	Said   []FaceText `json:"said"`
	Colour string     `json:"colour,omitempty"`
	Symbol string     `json:"symbol,omitempty"`
	X      int        `json:"x"` // of a direction: its step to the right
	Y      int        `json:"y"` // and down
}

// Faces returns the faces of cards, by their declared names, in the order given;
// those of all cards where no name is. Names that no card has are left out.
func (p *Program) Faces(langs []string, names ...string) []Face {
	f := &facer{p: p, langs: langs}
	if len(names) == 0 {
		for _, c := range p.p.Cards {
			if !c.Anonymous {
				names = append(names, c.Name)
			}
		}
	}
	view, instead := f.view("sheet"), f.view("card")
	out := []Face{}
	for _, name := range names {
		c := p.cardDef(name)
		switch {
		case c == nil:
		case view != nil:
			out = append(out, f.face(c, view.Lines))
		case instead != nil:
			out = append(out, f.face(c, append(plainFace(instead.Lines), program.ViewLine{Head: "text", Far: -1})))
		default:
			out = append(out, f.face(c, []program.ViewLine{nameLine, {Head: "text", Far: -1}}))
		}
	}
	return out
}

var nameLine = program.ViewLine{Head: "title", Texts: []program.Text{{Lang: "en", Value: "{name}"}}, Far: -1}

// plainFace makes a face of the lines that `view card` has: the first is the
// title.
func plainFace(lines []program.ViewLine) []program.ViewLine {
	var out []program.ViewLine
	for i, l := range lines {
		l.Head = "line"
		if i == 0 {
			l.Head = "title"
		}
		out = append(out, l)
	}
	return out
}

type facer struct {
	p     *Program
	langs []string
}

// everywhere is the facer in all languages of the rules, those asked for first.
func (f *facer) everywhere() *facer {
	all := &facer{p: f.p, langs: append([]string{}, f.langs...)}
	for _, l := range f.p.p.Languages {
		if !slices.Contains(all.langs, l.Lang) {
			all.langs = append(all.langs, l.Lang)
		}
	}
	return all
}

// view finds the view of a name for cards as they lie anywhere.
func (f *facer) view(name string) *program.View {
	var found *program.View
	for _, v := range f.p.p.Views {
		if v.Name == name && v.Kind >= 0 && f.p.p.Kinds[v.Kind].Entity == program.Card && (found == nil || v.Kind == program.KindCard) {
			found = v
		}
	}
	return found
}

func (f *facer) face(c *program.CardDef, lines []program.ViewLine) Face {
	out := Face{Card: c.Name, Parts: []FacePart{}}
	for _, k := range f.p.p.Packs {
		if k.Module == c.Module {
			out.Pack = k.Name
		}
	}
	for i := range lines {
		l := &lines[i]
		switch l.Head {
		case "tint":
			for _, v := range f.values(c, f.p.p.Chars[l.Chars[0]]) {
				if out.Tint == "" {
					out.Tint = v.Colour
				}
			}
		case "text":
			if part := f.text(c, l); len(part.Said) > 0 {
				out.Parts = append(out.Parts, part)
			}
		case "title", "line", "foot":
			in := f
			if l.Head == "title" { // a card is known by its name in every language
				in = f.everywhere()
			}
			if said := in.filled(c, l.Texts); len(said) > 0 {
				out.Parts = append(out.Parts, FacePart{Place: l.Head, Said: said})
			}
		default:
			for _, k := range l.Chars {
				ch := f.p.p.Chars[k]
				part := FacePart{Place: l.Head, Field: ch.Name, Values: f.values(c, ch), Symbol: l.Symbol}
				if part.Said = f.said(l.Texts); len(part.Said) == 0 || len(l.Chars) > 1 {
					part.Said = f.said(ch.Texts)
				}
				if l.Head == "compass" {
					part.All = f.all(ch.Type.ID)
					part.Reach = f.reach(c, l.Far)
				}
				if len(part.Values) > 0 || l.Head == "compass" {
					out.Parts = append(out.Parts, part)
				}
			}
		}
	}
	return out
}

// said gives a text in the languages asked for, each language once.
func (f *facer) said(texts []program.Text) []FaceText {
	var out []FaceText
	for _, lang := range f.langs {
		s := f.in(texts, lang)
		if s.Text != "" && !holdsSaid(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func holdsSaid(list []FaceText, s FaceText) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// in is Program.text that tells which language the text is in.
func (f *facer) in(texts []program.Text, lang string) FaceText {
	value := f.p.text(texts, lang, "")
	for _, t := range texts {
		if t.Value == value && (t.Lang == lang || f.in1(texts, lang) == "") {
			return FaceText{t.Lang, value}
		}
	}
	return FaceText{lang, value}
}

func (f *facer) in1(texts []program.Text, lang string) string {
	for _, t := range texts {
		if t.Lang == lang {
			return t.Value
		}
	}
	return ""
}

// filled fills the holes of a text; one that has nothing for a hole is left out.
func (f *facer) filled(c *program.CardDef, texts []program.Text) []FaceText {
	var out []FaceText
	for _, lang := range f.langs {
		t := f.in(texts, lang)
		whole := true
		t.Text = fill(t.Text, func(name string) (string, bool) {
			s := f.hole(c, name, t.Lang)
			whole = whole && s != ""
			return s, true
		})
		if whole && t.Text != "" && !holdsSaid(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func (f *facer) hole(c *program.CardDef, name, lang string) string {
	n := &namer{p: f.p, lang: lang}
	switch name {
	case "name":
		return f.p.textOf(&c.Decl, lang)
	case "edition":
		return f.p.p.Edition
	case "errata":
		if c.Errata == nil {
			return ""
		}
		return strings.TrimSpace(c.Errata.Since + " " + f.p.text(c.Errata.Texts, lang, ""))
	}
	for _, v := range c.Values {
		if ch := f.p.p.Chars[v.Char]; ch.Name == name {
			return n.printed(ch.Type, v.Value)
		}
	}
	return ""
}

// text is the rules text, in each language.
func (f *facer) text(c *program.CardDef, l *program.ViewLine) FacePart {
	out := FacePart{Place: l.Head}
	for _, lang := range f.langs {
		var lines []string
		in := lang
		for _, t := range f.p.Wording().g.Card(c, lang) {
			if t.Value != "" {
				lines, in = append(lines, t.Value), t.Lang
			}
		}
		if s := (FaceText{in, strings.Join(lines, "\n")}); s.Text != "" && !holdsSaid(out.Said, s) {
			out.Said = append(out.Said, s)
		}
	}
	return out
}

// values are what a card has printed of a characteristic.
func (f *facer) values(c *program.CardDef, ch *program.Char) []FaceValue {
	for _, v := range c.Values {
		if v.Char != ch.Index {
			continue
		}
		if ch.Type.Base == program.IsOneOf {
			var out []FaceValue
			all := f.all(ch.Type.ID)
			for i := range all {
				if ch.Type.Mask() && v.Value>>i&1 != 0 || !ch.Type.Mask() && v.Value == int64(i) {
					out = append(out, all[i])
				}
			}
			return out
		}
		out := FaceValue{}
		for _, lang := range f.langs {
			s := FaceText{lang, (&namer{p: f.p, lang: lang}).printed(ch.Type, v.Value)}
			out.Name = s.Text
			if len(out.Said) == 0 || out.Said[0].Text != s.Text {
				out.Said = append(out.Said, s)
			}
		}
		return []FaceValue{out}
	}
	return nil
}

// all are the values of a list, with their looks.
func (f *facer) all(list int) []FaceValue {
	var out []FaceValue
	for _, n := range f.p.p.Values[list].Names {
		out = append(out, FaceValue{Name: n.Name, Said: f.said(n.Texts), X: n.DX, Y: n.DY})
		if v := &out[len(out)-1]; len(v.Said) == 0 {
			v.Said = []FaceText{{f.langs[0], n.Name}}
		}
	}
	for _, v := range f.p.p.Views {
		if v.List != list {
			continue
		}
		for _, l := range v.Looks {
			out[l.Value].Colour, out[l.Value].Symbol = l.Colour, l.Symbol
		}
	}
	return out
}

// reach is how far directions reach on a card: what is printed on it, or the
// same for all.
func (f *facer) reach(c *program.CardDef, char int) int {
	if char < 0 {
		return 1
	}
	for _, v := range c.Values {
		if v.Char == char {
			return max(0, int(v.Value))
		}
	}
	if n := f.p.p.Chars[char].Value; n != nil && n.Op == program.OpConst {
		return max(0, int(n.N))
	}
	return 1
}
