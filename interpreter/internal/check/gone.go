package check

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// A card that leaves a zone that renews objects becomes another object. What its own
// ability does as it has left can read the old one, but nothing can be done to that.

// leaving marks the scope of a trigger that comes as its own source has left.
func (c *checker) leaving(m program.Moment, where *program.Node, s *scope) {
	a := c.p.Actions[m.Action]
	if a.Basic != program.BasicMove || m.Edge != program.Done {
		return
	}
	outOf, into := a.AttrSlot["out_of"], a.AttrSlot["into"]
	self, from, to := false, -1, -1
	for _, w := range append(ands(where), ands(m.Where)...) {
		if w.Op != program.OpEq {
			continue
		}
		x, y := w.Kids[0], w.Kids[1]
		if x.Op == program.OpSelf || x.Op == program.OpConst {
			x, y = y, x
		}
		switch {
		case x.Op == program.OpRole && x.N == 0 && y.Op == program.OpSelf:
			self = true
		case x.Op == program.OpAttr && int(x.N) == outOf && y.Op == program.OpConst:
			from = int(y.N)
		case x.Op == program.OpAttr && int(x.N) == into && y.Op == program.OpConst:
			to = int(y.N)
		}
	}
	if self && from >= 0 && from != to && c.p.Zones[from].Renews {
		s.left = &left{zone: from, object: true}
	}
}

// ands are the conditions that and joins.
func ands(n *program.Node) []*program.Node {
	switch {
	case n == nil:
		return nil
	case n.Op == program.OpAnd:
		return append(ands(n.Kids[0]), ands(n.Kids[1])...)
	}
	return []*program.Node{n}
}

// left says that the source of a body has left a zone, and by which names the body
// still knows the old object.
type left struct {
	zone   int
	object bool  // the first role of the action looked at is it too
	slots  []int // locals that are it
}

// is reports whether an expression gives the old object.
func (l *left) is(n *program.Node) bool {
	if l == nil || n == nil {
		return false
	}
	switch n.Op {
	case program.OpSelf:
		return true
	case program.OpRole:
		return l.object && n.N == 0
	case program.OpLocal:
		return slices.Contains(l.slots, int(n.N))
	}
	return false
}

// doneToGone warns of an action that is done to an object that has left.
func (e *emitter) doneToGone(call *program.Call) {
	for _, n := range call.Roles {
		if e.s.left.is(n) {
			e.diags.Warn("gone-object", n.Span, "name", n.Span.Text(), "zone", e.p.Zones[e.s.left.zone].Name)
			return
		}
	}
}

// withoutCell warns of an action of a rule text that leads to a zone with cells and
// names none of them. A case may leave open where its cards lie.
func (e *emitter) withoutCell(call *program.Call) {
	if e.s.inCase {
		return
	}
	a := e.p.Actions[call.Action]
	for i := range a.Roles {
		n, at := call.Roles[i], call.Span
		if n == nil {
			n = a.Roles[i].Default
		} else {
			at = n.Span
		}
		if n == nil || n.Op != program.OpConst || n.T.Base != program.IsObject || n.N > zoneConstant(0) {
			continue
		}
		if z := e.p.Zones[zoneConstant(0)-n.N]; z.Width > 0 {
			object := "…"
			if call.Roles[0] != nil {
				object = call.Roles[0].Span.Text()
			}
			e.diags.Warn("no-cell", at, "action", a.Name, "zone", z.Name, "object", object)
		}
	}
}

// rowOfNone notes where a column or a row is asked of the cell of a card that may have
// none, unless the same expression asks whether it has one.
func (c *checker) rowOfNone(n *program.Node, s *scope) {
	if s.inCase {
		return
	}
	n.Walk(func(row *program.Node) {
		if row.Op != program.OpChar || len(row.Kids) == 0 {
			return
		}
		cell := row.Kids[0]
		if f := c.p.Chars[row.N].Fact; f != program.FactX && f != program.FactY || cell.Op != program.OpChar || c.p.Chars[cell.N].Fact != program.FactCell {
			return
		}
		asked := false
		n.Walk(func(k *program.Node) {
			if k.Op == program.OpEq || k.Op == program.OpNe {
				asked = asked || alike(k.Kids[0], cell) || alike(k.Kids[1], cell)
			}
		})
		if !asked {
			c.diags.Note("row-of-none", row.Span, "name", c.p.Chars[row.N].Name, "cell", cell.Span.Text())
		}
	})
}

// alike reports whether two expressions are the same, wherever they stand.
func alike(a, b *program.Node) bool {
	return a.Op == b.Op && a.N == b.N && a.M == b.M && slices.EqualFunc(a.Kids, b.Kids, alike)
}
