package check

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// What can be proven of rules before they are played and has to be known whenever
// they are loaded: values that would be worked out from themselves, memories that
// nothing reads. The rest is found by package lint, for those who ask.

// circles reports characteristics that are worked out from themselves, through
// others, through roles' defaults or through the condition of a kind.
func (c *checker) circles() {
	// A vertex is a characteristic, a kind behind all characteristics, or a
	// role behind these.
	kinds := len(c.p.Chars)
	roles := kinds + len(c.p.Kinds)
	var roleOf []int // first vertex of each action's roles
	total := roles
	for _, a := range c.p.Actions {
		roleOf = append(roleOf, total)
		total += len(a.Roles)
	}
	edges := make([][]int, total)
	names := make([]string, total)
	spans := make([]source.Span, total)
	for i, ch := range c.p.Chars {
		names[i], spans[i] = ch.Name, ch.Head
		if ch.Value != nil && !ch.Memory && ch.Fact == program.FactNone {
			edges[i] = c.sources(ch.Value, ch.Action, kinds, roleOf)
		}
	}
	for i, k := range c.p.Kinds {
		names[kinds+i], spans[kinds+i] = k.Name, k.Head
		edges[kinds+i] = c.sources(k.Where, -1, kinds, roleOf)
		if k.Parent >= 0 {
			edges[kinds+i] = append(edges[kinds+i], kinds+k.Parent)
		}
	}
	for i, a := range c.p.Actions {
		for r := range a.Roles {
			names[roleOf[i]+r], spans[roleOf[i]+r] = a.Roles[r].Name, a.Roles[r].Span
			edges[roleOf[i]+r] = c.sources(a.Roles[r].Default, a.Index, kinds, roleOf)
		}
	}
	const (
		unseen = iota
		open
		done
	)
	mark := make([]uint8, total)
	var path []int
	var visit func(v int)
	visit = func(v int) {
		mark[v] = open
		path = append(path, v)
		for _, w := range edges[v] {
			switch mark[w] {
			case unseen:
				visit(w)
			case open:
				i := len(path) - 1
				for path[i] != w {
					i--
				}
				at := w
				for _, p := range path[i:] { // at one that a file declares, the first of them
					if spans[p].File != nil && (spans[at].File == nil || spans[p].Before(spans[at])) {
						at = p
					}
				}
				var chain []string
				start := 0
				for j, p := range path[i:] {
					if p == at {
						start = j
					}
				}
				ring := path[i:]
				for j := range len(ring) + 1 {
					chain = append(chain, names[ring[(start+j)%len(ring)]])
				}
				c.diags.Add("circle", spans[at], "name", names[at], "chain", strings.Join(chain, " → "))
			}
		}
		path = path[:len(path)-1]
		mark[v] = done
	}
	for v := range edges {
		if mark[v] == unseen {
			visit(v)
		}
	}
}

// needRings reports actions and grants of keywords that need each other: each would
// wait for the next to be judged. Keywords are numbered behind the actions.
func (c *checker) needRings() {
	actions := len(c.p.Actions)
	state := make([]uint8, actions+len(c.p.Keywords)) // 1 while it is on the path, 2 when it is done with
	name := func(i int) string {
		if i < actions {
			return c.p.Actions[i].Name
		}
		return c.p.Keywords[i-actions].Name
	}
	var path []int
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		path = append(path, i)
		var needs []program.Need
		if i < actions {
			needs = c.p.Actions[i].Needs
		} else if g := c.p.Keywords[i-actions].Granted; g != nil {
			needs = g.Needs
		}
		for _, n := range needs {
			to := n.Call.Action
			if k := n.Call.Keyword; k != nil {
				to = actions + k.Keyword
			}
			switch state[to] {
			case 0:
				visit(to)
			case 1:
				var chain []string
				for _, p := range path[slices.Index(path, to):] {
					chain = append(chain, name(p))
				}
				c.diags.Add("circle", n.Call.Span, "name", name(i), "chain", strings.Join(append(chain, name(to)), " → "))
			}
		}
		path = path[:len(path)-1]
		state[i] = 2
	}
	for i := range state {
		if state[i] == 0 {
			visit(i)
		}
	}
}

// sources lists the vertices that an expression reads.
func (c *checker) sources(n *program.Node, action, kinds int, roleOf []int) []int {
	var out []int
	var walk func(n *program.Node)
	walk = func(n *program.Node) {
		if n == nil {
			return
		}
		switch n.Op {
		case program.OpChar:
			out = append(out, int(n.N))
		case program.OpAttr, program.OpAttrOf:
			out = append(out, int(n.M))
		case program.OpEach, program.OpIsKind:
			out = append(out, kinds+int(n.N))
		case program.OpRole:
			if action >= 0 && int(n.N) < len(c.p.Actions[action].Roles) {
				out = append(out, roleOf[action]+int(n.N))
			}
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(n)
	return out
}

// choices checks the decisions that cases ask for or answer: a name that no
// instruction chooses is a slip.
func (c *checker) choices() {
	known := map[string]bool{"may": true, "either": true, "order": true, "replace": true}
	for _, r := range c.p.Routines {
		for i := range r.Code {
			if ch := r.Code[i].Choice; ch != nil && isName(ch.Name) {
				known[ch.Name] = true
			}
		}
	}
	for _, n := range c.asked {
		if !known[n.Text] && !c.fails(n.Text) {
			c.diags.Add("unknown-choice", n.Span, "name", n.Text).Near = nearest(n.Text, keys(known))
		}
	}
}

// unread notes memories that nothing reads, and warns of cards that leave out a
// name which has no sensible default.
func (c *checker) unread() {
	for _, ch := range c.p.Chars {
		if ch.Memory && ch.Action < 0 && !c.charRead[ch.Index] && c.diags.Errors() == 0 {
			c.diags.Note("unread-memory", ch.Head, "name", ch.Name)
		}
	}
	for _, card := range c.p.Cards {
		if card.Anonymous || card.Head.File == nil {
			continue
		}
		for _, ch := range c.p.Chars {
			if ch.Entity != program.Card || !ch.Printed || ch.Action >= 0 || ch.Type.Several || ch.Type.Base != program.IsOneOf || ch.Value != nil {
				continue
			}
			has := false
			for _, v := range card.Values {
				has = has || v.Char == ch.Index
			}
			if has {
				continue
			}
			if d := c.byName("card", card.Name); d != nil && !d.Failed && !c.saysField(d, ch.Name) {
				c.diags.Warn("missing-field", card.Head, "name", ch.Name, "card", card.Name)
			}
		}
	}
}

// saysField reports whether a card has a line for a characteristic, right or wrong, or
// with its name misspelt.
func (c *checker) saysField(d *decl, name string) bool {
	for _, l := range d.Rules.Lines {
		if l.Field == nil {
			continue
		}
		said := l.Field.Name.Text
		if said == name || c.char(program.Card, said) == nil && nearest(said, c.printedFields()) == name {
			return true
		}
	}
	return false
}
