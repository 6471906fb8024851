package check

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// What can be proven of rules before they are played: values that would be
// worked out from themselves, effects that can never act, memories that nothing
// reads. Only what constants and declared values prove is reported.

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

// needRings reports actions that need each other: each would wait for the next to
// be judged.
func (c *checker) needRings() {
	state := make([]uint8, len(c.p.Actions)) // 1 while it is on the path, 2 when it is done with
	var path []*program.Action
	var visit func(a *program.Action)
	visit = func(a *program.Action) {
		state[a.Index] = 1
		path = append(path, a)
		for _, n := range a.Needs {
			switch b := c.p.Actions[n.Call.Action]; state[b.Index] {
			case 0:
				visit(b)
			case 1:
				var chain []string
				for _, p := range path[slices.Index(path, b):] {
					chain = append(chain, p.Name)
				}
				c.diags.Add("circle", n.Call.Span, "name", a.Name, "chain", strings.Join(append(chain, b.Name), " → "))
			}
		}
		path = path[:len(path)-1]
		state[a.Index] = 2
	}
	for _, a := range c.p.Actions {
		if state[a.Index] == 0 {
			visit(a)
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

// dead warns of effects, triggers and actions whose conditions can't be true,
// and of changes that change nothing.
func (c *checker) dead() {
	for _, e := range c.p.Effects {
		c.never(e.Where, e.Kind)
		c.never(e.While, -1)
		for _, op := range e.Ops {
			c.never(op.Pattern.Where, -1)
			if op.Verb == program.VerbPermit && op.Pattern.Action >= 0 && len(c.p.Actions[op.Pattern.Action].OnlyIf) == 0 && c.prohibitFirst() {
				c.diags.Warn("permits-nothing", op.Pattern.Span, "name", c.p.Actions[op.Pattern.Action].Name)
			}
			only := len(e.Ops) == 1 && len(e.Triggers) == 0 && len(e.Finally) == 0
			if only && (op.Verb == program.VerbRaise || op.Verb == program.VerbLower) && op.Value.Constant() && op.Value.N == 0 {
				c.diags.Warn("changes-nothing", op.Span, "verb", op.Verb.String())
			}
		}
	}
	for _, t := range c.p.Triggers {
		c.never(t.Moment.Where, -1)
		c.never(t.Where, -1)
		for _, w := range t.AmongWhere {
			c.never(w, -1)
		}
	}
	for _, h := range c.p.Headers {
		c.never(h.Trigger.Moment.Where, -1)
		for _, w := range h.Trigger.AmongWhere {
			c.never(w, -1)
		}
	}
	for _, a := range c.p.Actions {
		for _, o := range a.OnlyIf {
			c.never(o.Expr, -1)
		}
	}
}

// prohibitFirst reports whether a prohibition stands above permissions, so that
// these lift conditions of the action alone.
func (c *checker) prohibitFirst() bool {
	order := c.p.Options.Authority
	i := slices.Index(order, program.VerbProhibit)
	return i >= 0 && i < slices.Index(order, program.VerbPermit)
}

// never warns of a condition that is false whatever the state; kind is what its
// candidate is, or -1.
func (c *checker) never(n *program.Node, kind int) {
	if n == nil || n.Span.File == nil {
		return
	}
	var facts []*program.Node
	for k := kind; k >= 0; k = c.p.Kinds[k].Parent {
		facts = conjuncts(c.p.Kinds[k].Where, facts)
	}
	for _, f := range conjuncts(n, nil) {
		if v, ok := known(f); ok && v == 0 {
			c.diags.Warn("never-true", f.Span)
			return
		}
		for _, old := range facts {
			if contradict(old, f) {
				c.diags.Warn("never-true", f.Span)
				return
			}
		}
		facts = append(facts, f)
	}
}

// conjuncts appends the conditions that must all hold.
func conjuncts(n *program.Node, out []*program.Node) []*program.Node {
	if n == nil {
		return out
	}
	if n.Op == program.OpAnd {
		return conjuncts(n.Kids[1], conjuncts(n.Kids[0], out))
	}
	return append(out, n)
}

// equation takes x == constant apart.
func equation(n *program.Node) (x, v *program.Node) {
	if n.Op != program.OpEq || len(n.Kids) != 2 || n.Kids[0].T.Several {
		return nil, nil
	}
	for i := range n.Kids {
		if n.Kids[i].Op == program.OpConst && n.Kids[1-i].Op != program.OpConst {
			return n.Kids[1-i], n.Kids[i]
		}
	}
	return nil, nil
}

func contradict(a, b *program.Node) bool {
	x, v := equation(a)
	y, w := equation(b)
	return x != nil && y != nil && v.N != w.N && v.T.Base == w.T.Base && samePath(x, y)
}

// samePath reports whether two nodes read the same characteristic, role or
// attribute of the same thing.
func samePath(a, b *program.Node) bool {
	if a.Op != b.Op || a.N != b.N || len(a.Kids) != len(b.Kids) {
		return false
	}
	switch a.Op {
	case program.OpChar, program.OpElem, program.OpSelf, program.OpYou, program.OpRole, program.OpAttr, program.OpAct, program.OpActFact, program.OpLocal, program.OpGame:
	default:
		return false
	}
	for i := range a.Kids {
		if !samePath(a.Kids[i], b.Kids[i]) {
			return false
		}
	}
	return true
}

// known works out a flag or a number that constants alone decide.
func known(n *program.Node) (int64, bool) {
	if n == nil {
		return 0, false
	}
	switch n.Op {
	case program.OpConst:
		return n.N, (n.T.Base == program.IsNumber || n.T.Base == program.IsFlag) && !n.T.Several
	case program.OpNot:
		v, ok := known(n.Kids[0])
		return 1 - v, ok
	case program.OpOr:
		a, ok1 := known(n.Kids[0])
		b, ok2 := known(n.Kids[1])
		return a | b, ok1 && ok2
	case program.OpLt, program.OpLe, program.OpGt, program.OpGe, program.OpEq, program.OpNe:
		if n.Kids[0].T.Base != program.IsNumber && n.Kids[0].T.Base != program.IsFlag {
			return 0, false
		}
		a, ok1 := known(n.Kids[0])
		b, ok2 := known(n.Kids[1])
		if !ok1 || !ok2 {
			return counted(n)
		}
		switch n.Op {
		case program.OpLt:
			return b2i(a < b), true
		case program.OpLe:
			return b2i(a <= b), true
		case program.OpGt:
			return b2i(a > b), true
		case program.OpGe:
			return b2i(a >= b), true
		case program.OpEq:
			return b2i(a == b), true
		}
		return b2i(a != b), true
	}
	return 0, false
}

// counted knows that a count is never below 0.
func counted(n *program.Node) (int64, bool) {
	l, v := n.Kids[0], n.Kids[1]
	if v.Op != program.OpConst || l.Op != program.OpCount && l.Op != program.OpMaskCount && l.Op != program.OpTally {
		return 0, false
	}
	switch {
	case n.Op == program.OpLt && v.N <= 0, n.Op == program.OpLe && v.N < 0, n.Op == program.OpEq && v.N < 0:
		return 0, true
	}
	return 0, false
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
			if d := c.byName("card", card.Name); d != nil && !d.Failed && !saysField(d, ch.Name) {
				c.diags.Warn("missing-field", card.Head, "name", ch.Name, "card", card.Name)
			}
		}
	}
}

// saysField reports whether a card has a line for a characteristic, right or wrong.
func saysField(d *decl, name string) bool {
	for _, l := range d.Rules.Lines {
		if l.Field != nil && l.Field.Name.Text == name {
			return true
		}
	}
	return false
}

// goingBack notes where an ability is given in a layer that comes after one in
// which the ability itself would act: that part has nothing left to do.
func (c *checker) goingBack() {
	for _, e := range c.p.Effects {
		for i := range e.Ops {
			op := &e.Ops[i]
			if op.Verb != program.VerbAdd || op.Call == nil {
				continue
			}
			for _, a := range c.p.Keywords[op.Call.Keyword].Abilities {
				if l := c.earlier(a, op.Layer); l >= 0 {
					c.diags.Note("no-going-back", op.Call.Span, "name", c.p.Keywords[op.Call.Keyword].Name,
						"layer", c.p.Layers[l].Name, "given", c.p.Layers[op.Layer].Name)
				}
			}
		}
	}
}

// earlier returns a layer before the one given in which an ability acts, or -1.
func (c *checker) earlier(ability, layer int) int {
	a := c.p.Abilities[ability]
	if a.Keyword >= 0 {
		return -1 // a keyword inside a keyword stands for itself
	}
	for _, i := range a.Effects {
		for k := range c.p.Effects[i].Ops {
			if op := &c.p.Effects[i].Ops[k]; op.Verb < program.VerbProhibit && op.Layer < layer {
				return op.Layer
			}
		}
	}
	return -1
}
