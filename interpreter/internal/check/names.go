package check

import (
	"sort"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

func itoa(n int) string { return strconv.Itoa(n) }

// isCapital reports whether a name is written as something declared: with a
// capital, or in a script without case.
func isCapital(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsLower(r) && r != '_'
}

func keys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// valueLists lists the values lists that have a name, in order of declaration.
func (c *checker) valueLists(name string) []int { return c.byValue[name] }

func (c *checker) char(e program.Entity, name string) *program.Char {
	return c.chars[charKey{e, -1, name}]
}

func (c *checker) charNames(entities []program.Entity) []string {
	var names []string
	for _, ch := range c.p.Chars {
		for _, e := range entities {
			if ch.Action < 0 && ch.Entity == e {
				names = append(names, ch.Name)
			}
		}
	}
	return names
}

func (c *checker) actNames(action int) []string {
	a := c.p.Actions[action]
	names := []string{"ability_of", "ability_from", "number"}
	for _, r := range a.Roles {
		names = append(names, r.Name)
	}
	return append(names, keys(a.AttrSlot)...)
}

func (x *exprChecker) knownNames() []string {
	names := []string{"self", "you", "it", "nothing", "game", "event", "hits"}
	names = append(names, x.s.frame.names...)
	if x.s.act >= 0 {
		names = append(names, x.actNames(x.s.act)...)
	}
	for i := range x.s.open {
		if t := x.s.open[i].t; t.Base == program.IsObject {
			names = append(names, x.charNames(x.entitiesOf(t.ID))...)
		}
	}
	return append(names, keys(x.actions)...)
}

func (x *exprChecker) knownCapitals() []string {
	names := append(keys(x.byValue), keys(x.zones)...)
	if x.s.inCase {
		names = append(names, "P1", "P2")
	}
	return append(names, x.s.frame.names...)
}

// directions is the values list whose names are steps on a grid.
func (x *exprChecker) directions() program.Type {
	for i, v := range x.p.Values {
		if len(v.Names) > 0 && v.Names[0].At {
			return program.Type{Base: program.IsOneOf, ID: i}
		}
	}
	return program.Type{}
}

// grid is the zone that has cells, or -1.
func (c *checker) grid() int {
	if h := c.p.Home; h >= 0 && c.p.Zones[h].Width > 0 {
		return h
	}
	for i, z := range c.p.Zones {
		if z.Width > 0 {
			return i
		}
	}
	return -1
}

func texts(list []grammar.Text) []program.Text {
	if len(list) == 0 {
		return nil
	}
	out := make([]program.Text, len(list))
	for i, t := range list {
		out[i] = program.Text{Lang: t.Lang, Value: t.Value}
	}
	return out
}

// single returns the name that an expression consists of, if it is just one.
func single(e *grammar.Expr) (string, source.Span, bool) {
	if e == nil || len(e.Tokens) != 1 {
		return "", source.Span{}, false
	}
	t := e.Tokens[0]
	switch t.Kind {
	case grammar.Word, grammar.Ident, grammar.RuleNo:
		return t.Text, t.Span, true
	case grammar.String:
		return grammar.Fold(t.Text), t.Span, true
	}
	return "", t.Span, false
}

// number returns the whole number that an expression consists of.
func number(e *grammar.Expr) (int64, bool) {
	if e == nil {
		return 0, false
	}
	toks, sign := e.Tokens, int64(1)
	if len(toks) == 2 && toks[0].Text == "-" {
		toks, sign = toks[1:], -1
	}
	if len(toks) != 1 || toks[0].Kind != grammar.Int {
		return 0, false
	}
	n, err := strconv.ParseInt(toks[0].Text, 10, 64)
	return n * sign, err == nil
}
