package check

import (
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Views: what boards and tables show of an object, what is printed on a card,
// and how the values of a list look. The engine never reads them.

// The views whose lines are more than texts.
const (
	sheetView = "sheet"  // of a kind: what is printed on a card
	looksView = "values" // of a list of values: their colours and symbols

	symbolForm = "symbol" // of a hole: values by their symbols, directions by arrows
)

// faceLines are the lines of a sheet, each a part of the card's face, with what
// they must show: nothing but texts, one of a list, several of a list, anything.
var faceLines = map[string]string{
	"title": "", "line": "", "text": "", "foot": "",
	"tint": "value", "badge": "value", "corner": "any", "compass": "directions",
}

var faceNames = []string{"title", "tint", "badge", "corner", "line", "compass", "text", "foot"}

func (c *checker) views() {
	for _, d := range c.byHead["view"] {
		v := &program.View{Decl: c.head(d), Kind: -1, List: -1}
		v.Name = d.Plain.Title.Text
		found := false
		for _, j := range d.Plain.Joins {
			name, span, ok := single(j.Exprs[0])
			if j.Word != "of" || !ok || len(j.Exprs) != 1 || found {
				c.unusedPart(j.Span, j.Word, "view")
				continue
			}
			found = true
			if list, known := c.values[name]; known && v.Name == looksView {
				c.mention(program.NameKey{Sort: "values", Name: c.p.Values[list].Name}, span)
				v.List = list
			} else if k, known := c.kinds[name]; known {
				c.mentionKind(k, span)
				v.Kind = k
			} else if v.Name == looksView {
				c.unknown("unknown-type", grammar.Name{Span: span, Text: name}, c.values)
			} else {
				c.unknown("unknown-kind", grammar.Name{Span: span, Text: name}, c.kinds)
			}
		}
		lines := d.Plain.Lines
		for _, e := range d.extends {
			lines = append(lines[:len(lines):len(lines)], e.Plain.Lines...)
		}
		c.later = append(c.later, func() {
			for _, l := range lines {
				switch {
				case v.List >= 0:
					c.look(v, l)
				case v.Name == looksView: // of what, could not be read
				case v.Name == sheetView:
					c.faceLine(v, l)
				case l.Head.Text != "line":
					c.unknownLine(l, "view", "line")
				default:
					c.nothingAfter(l, "view", true)
					v.Lines = append(v.Lines, program.ViewLine{Head: l.Head.Text, Texts: texts(l.Tail.Texts), Far: -1})
				}
			}
		})
		c.p.Views = append(c.p.Views, v)
	}
}

// faceLine checks a part of a card's face.
func (c *checker) faceLine(v *program.View, l *grammar.Line) {
	shows, ok := faceLines[l.Head.Text]
	if !ok {
		c.unknownLine(l, "view sheet", faceNames...)
		return
	}
	out := program.ViewLine{Head: l.Head.Text, Far: -1, Texts: texts(wordsOf(l.Tail.Texts)), Symbol: lookOf(l.Tail.Texts, "symbol")}
	if shows == "" {
		c.nothingAfter(l, "view sheet", true)
		v.Lines = append(v.Lines, out)
		return
	}
	if len(l.Exprs) == 0 {
		at := l.Head.Span
		at.Start = at.End
		c.diags.Add("expected", at, "want", "@characteristic", "found", "@end-of-line", "here", "@characteristic")
		return
	}
	for _, e := range l.Exprs {
		ch := c.faceChar(v, e)
		if ch == nil {
			return
		}
		t := ch.Type
		fits := t.Base == program.IsOneOf && c.p.Values[t.ID].Builtin == ""
		if shows == "directions" {
			fits = fits && t.Several && len(c.p.Values[t.ID].Names) > 0 && c.p.Values[t.ID].Names[0].At
		}
		if !ch.Printed || shows != "any" && !fits {
			c.diags.Add("not-on-a-face", e.Span, "line", l.Head.Text, "name", ch.Name)
			return
		}
		out.Chars = append(out.Chars, ch.Index)
	}
	for _, j := range l.Joins {
		if shows != "directions" || j.Word != "to" || out.Far >= 0 || len(j.Exprs) != 1 {
			c.unusedPart(j.Span, j.Word, "view sheet")
			return
		}
		ch := c.faceChar(v, j.Exprs[0])
		if ch == nil {
			return
		}
		c.later = append(c.later, func() { // when it is known how it is worked out
			// Nothing but what is printed, or the same for all, is known of a card on paper.
			if constant := ch.Value != nil && ch.Value.Op == program.OpConst; ch.Type != program.NumberType || !ch.Printed && !constant {
				c.diags.Add("not-on-a-face", j.Exprs[0].Span, "line", "to", "name", ch.Name)
			}
		})
		out.Far = ch.Index
	}
	v.Lines = append(v.Lines, out)
}

// faceChar is the characteristic that a part of a face shows.
func (c *checker) faceChar(v *program.View, e *grammar.Expr) *program.Char {
	name, span, ok := single(e)
	if !ok {
		c.diags.Add("expected", e.Span, "want", "@characteristic", "found", e.Span.Text(), "here", "@characteristic")
		return nil
	}
	if v.Kind < 0 {
		c.silent++
		return nil
	}
	for _, entity := range c.entitiesOf(v.Kind) {
		if ch := c.char(entity, name); ch != nil {
			c.charRead[ch.Index] = true
			c.mention(c.charKey(ch), span)
			return ch
		}
	}
	if !c.fails(name) {
		c.diags.Add("unknown-characteristic", span, "name", name, "of", c.p.Kinds[v.Kind].Name).Near = nearest(name, c.charNames(c.entitiesOf(v.Kind)))
	}
	return nil
}

// look checks how a value looks.
func (c *checker) look(v *program.View, l *grammar.Line) {
	list := c.p.Values[v.List]
	i, ok := list.Index[l.Head.Text]
	if !ok {
		if !c.fails(l.Head.Text) {
			c.diags.Add("unknown-value", l.Head.Span, "name", l.Head.Text, "list", list.Name).Near = nearest(l.Head.Text, valueNames(list))
		}
		return
	}
	c.mention(c.valueKey(v.List, list.Names[i].Name), l.Head.Span)
	c.nothingAfter(l, "view values", true)
	for _, old := range v.Looks {
		if old.Value == i {
			c.diags.Add("declared-twice", l.Head.Span, "name", l.Head.Text, "head", "view values")
			return
		}
	}
	out := program.Look{Value: i, Colour: lookOf(l.Tail.Texts, "colour"), Symbol: lookOf(l.Tail.Texts, "symbol")}
	for _, t := range l.Tail.Texts {
		if t.Lang == "colour" && !isColour(t.Value) {
			c.diags.Add("bad-colour", t.Span, "text", t.Value)
			return
		}
	}
	if words := wordsOf(l.Tail.Texts); len(words) > 0 {
		c.unusedPart(words[0].Span, words[0].Lang, "view values")
		return
	}
	if out.Colour == "" && out.Symbol == "" {
		c.diags.Add("bad-line", l.Span, "want", l.Head.Text+` colour "#B3261E" symbol "▲"`)
		return
	}
	v.Looks = append(v.Looks, out)
}

// isColour reports whether a text is a colour as #RRGGBB.
func isColour(s string) bool {
	if len(s) != 7 || s[0] != '#' {
		return false
	}
	return strings.Trim(s[1:], "0123456789abcdefABCDEF") == ""
}

// wordsOf leaves out of texts those that no language has: colours and symbols.
func wordsOf(list []grammar.Text) []grammar.Text {
	var out []grammar.Text
	for _, t := range list {
		if t.Lang != "colour" && t.Lang != "symbol" {
			out = append(out, t)
		}
	}
	return out
}

func lookOf(list []grammar.Text, what string) string {
	for _, t := range list {
		if t.Lang == what {
			return t.Value
		}
	}
	return ""
}
