package eval

import (
	"math/bits"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Int compiles a node that evaluates to one number.
func (c *Code) Int(n *program.Node) Int {
	if n == nil {
		return func(*Env) int64 { return 0 }
	}
	c.mu.RLock()
	f, ok := c.ints[n]
	c.mu.RUnlock()
	if !ok {
		f = c.lower(n)
		c.mu.Lock()
		c.ints[n] = f
		c.mu.Unlock()
	}
	return f
}

// List compiles a node that evaluates to a list.
func (c *Code) List(n *program.Node) List {
	if n == nil {
		return func(*Env) []int64 { return nil }
	}
	c.mu.RLock()
	f, ok := c.lists[n]
	c.mu.RUnlock()
	if !ok {
		f = c.lowerList(n)
		c.mu.Lock()
		c.lists[n] = f
		c.mu.Unlock()
	}
	return f
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (c *Code) lower(n *program.Node) Int {
	f := c.lowerNow(n)
	if !n.Back() {
		return f
	}
	return func(e *Env) int64 {
		restore := e.before()
		v := f(e)
		restore()
		return v
	}
}

// lowerNow compiles a node as if it were read in the present state.
func (c *Code) lowerNow(n *program.Node) Int {
	kid := func(i int) Int { return c.Int(n.Kids[i]) }
	v := n.N
	switch n.Op {
	case program.OpConst:
		return func(*Env) int64 { return v }
	case program.OpSelf:
		return func(e *Env) int64 { return e.Self }
	case program.OpYou:
		return func(e *Env) int64 { return e.You }
	case program.OpElem:
		return func(e *Env) int64 { return e.stk[e.base+int(v)] }
	case program.OpLocal:
		return func(e *Env) int64 {
			if int(v) < len(e.L) {
				return e.L[v].N
			}
			return 0
		}
	case program.OpRole:
		return func(e *Env) int64 { return role(e.Act, int(v)).N }
	case program.OpAttr:
		empty := Empty(n.T)
		return func(e *Env) int64 {
			if e.Act == nil {
				return empty
			}
			return e.attr(e.Act, int(v)).N
		}
	case program.OpAct:
		return func(e *Env) int64 {
			if e.Act == nil {
				return state.None
			}
			return e.Act.ID
		}
	case program.OpGame:
		return func(*Env) int64 { return state.Game }
	case program.OpUnderway:
		return func(e *Env) int64 {
			for i := len(e.S.Under) - 1; i >= 0; i-- {
				if int64(e.S.Acts[e.S.Under[i]].Action) == v {
					return e.S.Under[i]
				}
			}
			return state.None
		}
	case program.OpChar:
		return c.lowerChar(n)
	case program.OpRoleOf:
		k := kid(0)
		return func(e *Env) int64 { return role(e.act(k(e)), int(v)).N }
	case program.OpAttrOf:
		k, empty := kid(0), Empty(n.T)
		return func(e *Env) int64 {
			if a := e.act(k(e)); a != nil {
				return e.attr(a, int(v)).N
			}
			return empty
		}
	case program.OpActFact:
		k := kid(0)
		if n.Kids[0].Op == program.OpAct { // an act being judged may not be in the records yet
			return func(e *Env) int64 { return actFact(e.Act, program.Fact(v)) }
		}
		return func(e *Env) int64 { return actFact(e.act(k(e)), program.Fact(v)) }
	case program.OpHas:
		o, k := kid(0), kid(1)
		return func(e *Env) int64 { return flag(e.Has(o(e), k(e))) }
	case program.OpTally:
		o, k := kid(0), kid(1)
		return func(e *Env) int64 { return e.tally(o(e), k(e)) }
	case program.OpTable:
		return c.lowerTable(n)
	case program.OpCount, program.OpAny, program.OpAll, program.OpNone, program.OpFind, program.OpSum, program.OpFirst, program.OpMin, program.OpMax:
		return c.lowerFold(n)
	case program.OpAbs:
		k := kid(0)
		return func(e *Env) int64 {
			x := k(e)
			if x < 0 {
				return e.sub(0, x)
			}
			return x
		}
	case program.OpLook:
		from, dir, far := kid(0), kid(1), kid(2)
		list := c.P.Values[n.Kids[1].T.ID]
		return func(e *Env) int64 { return e.look(from(e), dir(e), far(e), list) }
	case program.OpOpposite:
		k := kid(0)
		list := c.P.Values[n.T.ID]
		opp := make([]int64, len(list.Names))
		for i := range list.Names {
			opp[i] = state.None
			for j := range list.Names {
				if list.Names[j].DX == -list.Names[i].DX && list.Names[j].DY == -list.Names[i].DY {
					opp[i] = int64(j)
				}
			}
		}
		return func(e *Env) int64 {
			if d := k(e); d >= 0 && int(d) < len(opp) {
				return opp[d]
			}
			return state.None
		}
	case program.OpDistance:
		a, b := kid(0), kid(1)
		return func(e *Env) int64 { return e.distance(a(e), b(e)) }
	case program.OpCellAt:
		x, y := kid(0), kid(1)
		return func(e *Env) int64 { return e.cellAt(int(v), x(e), y(e)) }
	case program.OpMaskCount:
		k := kid(0)
		return func(e *Env) int64 { return int64(bits.OnesCount64(uint64(k(e)))) }
	case program.OpMaskHas:
		return c.lowerMaskHas(n)
	case program.OpMaskOf:
		kids := c.all(n.Kids)
		return func(e *Env) int64 {
			m := int64(0)
			for _, k := range kids {
				if x := k(e); x >= 0 {
					m |= 1 << x
				}
			}
			return m
		}
	case program.OpUnion:
		l, k := c.List(n.Kids[0]), kid(1)
		return func(e *Env) int64 {
			mark, m := e.Mark(), int64(0)
			for _, x := range l(e) {
				if !e.tick() {
					break
				}
				e.stk = append(e.stk, x)
				m |= k(e)
				e.stk = e.stk[:len(e.stk)-1]
			}
			e.Release(mark)
			return m
		}
	case program.OpJoin:
		a, b := kid(0), kid(1)
		return func(e *Env) int64 { return a(e) | b(e) }
	case program.OpWithout:
		a, b := kid(0), kid(1)
		return func(e *Env) int64 { return a(e) &^ b(e) }
	case program.OpInList:
		k, l := kid(0), c.List(n.Kids[1])
		return func(e *Env) int64 {
			x, mark := k(e), e.Mark()
			found := int64(0)
			for _, y := range l(e) {
				if x == y {
					found = 1
					break
				}
			}
			e.Release(mark)
			return found
		}
	case program.OpListEq:
		a, b := c.List(n.Kids[0]), c.List(n.Kids[1])
		return func(e *Env) int64 {
			mark := e.Mark()
			x, y := a(e), b(e)
			same := len(x) == len(y)
			for i := range x {
				same = same && x[i] == y[i]
			}
			e.Release(mark)
			return flag(same)
		}
	case program.OpAdd, program.OpSub, program.OpMul, program.OpMod, program.OpNeg:
		return c.lowerArith(n)
	case program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		return c.lowerCompare(n)
	case program.OpAnd:
		a, b := kid(0), kid(1)
		return func(e *Env) int64 {
			if a(e) == 0 {
				return 0
			}
			return b(e)
		}
	case program.OpOr:
		a, b := kid(0), kid(1)
		return func(e *Env) int64 {
			if a(e) != 0 {
				return 1
			}
			return b(e)
		}
	case program.OpNot:
		a := kid(0)
		return func(e *Env) int64 { return 1 - a(e) }
	case program.OpIf:
		a, b, d := kid(0), kid(1), kid(2)
		return func(e *Env) int64 {
			if a(e) != 0 {
				return b(e)
			}
			return d(e)
		}
	case program.OpIsKind:
		k := kid(0)
		is := c.IsKind(int(v))
		return func(e *Env) int64 { return flag(is(e, k(e))) }
	case program.OpFired:
		k := kid(0)
		return func(e *Env) int64 {
			if e.Case == nil {
				return 0
			}
			return e.Case.Fired(k(e), int(v))
		}
	case program.OpTouch:
		what := c.P.Texts[v]
		return func(e *Env) int64 {
			e.fail("provisional "+what, 0)
			return 0
		}
	case program.OpAbilityCount:
		k := kid(0)
		slot := c.P.AbilSlot
		return func(e *Env) int64 { return int64(bits.OnesCount64(uint64(e.slot(k(e), program.Card, slot, 0)))) }
	}
	return func(*Env) int64 { return 0 }
}

func (c *Code) all(nodes []*program.Node) []Int {
	out := make([]Int, len(nodes))
	for i, n := range nodes {
		out[i] = c.Int(n)
	}
	return out
}

func role(a *state.Act, i int) state.Val {
	if a == nil || i >= len(a.Roles) {
		return state.Val{N: state.None}
	}
	return a.Roles[i]
}

func (e *Env) attr(a *state.Act, slot int) state.Val {
	if a == nil {
		return state.Val{N: state.None}
	}
	if a.Have&(1<<slot) != 0 {
		return a.Attrs[slot]
	}
	if e.Attr == nil {
		return state.Val{}
	}
	return e.Attr(e, a, slot)
}

// act returns the act with a number, or nil.
func (e *Env) act(id int64) *state.Act {
	if e.Act != nil && e.Act.ID == id {
		return e.Act
	}
	if id < 0 || int(id) >= len(e.S.Acts) {
		return nil
	}
	return e.S.Acts[id]
}

func actFact(a *state.Act, f program.Fact) int64 {
	if a == nil {
		if f == program.FactNumber {
			return 0
		}
		return state.None
	}
	switch f {
	case program.FactNumber:
		return a.Number
	case program.FactAbilityOf:
		return int64(a.AbilityOf)
	case program.FactCauser:
		return int64(a.Causer)
	}
	return 0
}

// slot reads one number of an object's row; empty stands where there is none.
func (e *Env) slot(o int64, entity program.Entity, slot int, empty int64) int64 {
	if o < 0 {
		return empty
	}
	if int(o) < len(e.B.Off) {
		if at := e.B.Off[o]; at >= 0 {
			return e.B.Vals[int(at)+slot]
		}
	}
	return e.slotSlow(o, entity, slot, empty)
}

// slotSlow reads of an object that the board has no row for: one that has left
// has its last values, one that came while a group is carried out its printed ones.
func (e *Env) slotSlow(o int64, entity program.Entity, slot int, empty int64) int64 {
	if int(o) >= len(e.S.Objects) {
		return empty
	}
	ob := &e.S.Objects[o]
	if ob.Entity != entity {
		return empty
	}
	if slot < len(ob.Last) {
		return ob.Last[slot]
	}
	if chars := e.C.P.RowChars[entity]; slot < len(chars) && chars[slot] >= 0 {
		ch := e.C.P.Chars[chars[slot]]
		if ch.Value == nil || ch.Value.Op == program.OpConst {
			return e.C.Base(e.S, o, ch)
		}
	}
	return 0
}

// charReader reads one characteristic of an object that is at hand.
type charReader struct {
	i func(*Env, int64) int64
	l func(*Env, int64) []int64
}

func (c *Code) charReader(ch *program.Char) charReader {
	p, entity, empty := c.P, ch.Entity, c.empty[ch.Index]
	if ch.Fact != program.FactNone {
		return c.factReader(ch)
	}
	if ch.Memory {
		slot := ch.Slot
		return charReader{
			i: func(e *Env, o int64) int64 {
				if e.entity(o) != entity {
					return empty
				}
				if m := e.S.Objects[o].Mem; slot < len(m) {
					return m[slot]
				}
				return empty
			},
			l: func(e *Env, o int64) []int64 {
				if e.entity(o) != entity {
					return nil
				}
				if m := e.S.Objects[o].Lists; slot < len(m) {
					return m[slot]
				}
				return nil
			},
		}
	}
	if ch.Value == nil || ch.Value.Op == program.OpConst {
		slot := ch.Slot
		return charReader{i: func(e *Env, o int64) int64 { return e.slot(o, entity, slot, empty) }}
	}
	code := &c.chars[ch.Index]
	if ch.Type.List() {
		return charReader{l: func(e *Env, o int64) []int64 {
			if e.entity(o) != entity {
				return nil
			}
			return e.deriveList(o, code.l)
		}}
	}
	if !ch.Written {
		return charReader{i: func(e *Env, o int64) int64 {
			if e.entity(o) != entity {
				return empty
			}
			return bound(ch, e.deriveInt(o, code.i))
		}}
	}
	slot, size := ch.Slot, p.RowSize[entity]
	return charReader{i: func(e *Env, o int64) int64 {
		if e.entity(o) != entity {
			return empty
		}
		var row []int64
		if int(o) < len(e.B.Off) && e.B.Off[o] >= 0 {
			at := int(e.B.Off[o])
			row = e.B.Vals[at : at+size]
		} else if l := e.S.Objects[o].Last; len(l) == size {
			row = l
		} else {
			return bound(ch, e.deriveInt(o, code.i))
		}
		v := worked(ch.Type, row[slot:slot+3], func() int64 { return e.deriveInt(o, code.i) })
		if e.B.Floors {
			v = bound(ch, v)
		}
		return v
	}}
}

// bound applies a characteristic's floor and ceiling.
func bound(ch *program.Char, v int64) int64 {
	if ch.Floor != nil && v < ch.Floor.N {
		return ch.Floor.N
	}
	if ch.Ceiling != nil && v > ch.Ceiling.N {
		return ch.Ceiling.N
	}
	return v
}

// Bound applies a characteristic's floor and ceiling to a value.
func Bound(ch *program.Char, v int64) int64 { return bound(ch, v) }

// readers returns the reader by entity, for objects whose kind is open.
func (c *Code) readers(ch *program.Char) (out [program.Entities]charReader) {
	for _, o := range c.P.Chars {
		if o.Action < 0 && o.Name == ch.Name && o.Type.Several == ch.Type.Several {
			out[o.Entity] = c.charReader(o)
		}
	}
	return out
}

func (c *Code) lowerChar(n *program.Node) Int {
	ch := c.P.Chars[n.N]
	o := c.Int(n.Kids[0])
	empty := c.empty[ch.Index]
	var f Int
	if t := n.Kids[0].T; t.Base == program.IsObject && t.ID < 0 {
		by := c.readers(ch)
		f = func(e *Env) int64 {
			x := o(e)
			if r := by[e.entity(x)].i; r != nil && x >= 0 {
				return r(e, x)
			}
			return empty
		}
	} else if ch.Fact == program.FactNone && !ch.Memory && (ch.Value == nil || ch.Value.Op == program.OpConst) {
		entity, slot := ch.Entity, ch.Slot
		f = func(e *Env) int64 {
			x := o(e)
			if x >= 0 && int(x) < len(e.B.Off) {
				if at := e.B.Off[x]; at >= 0 {
					return e.B.Vals[int(at)+slot]
				}
			}
			return e.slot(x, entity, slot, empty)
		}
	} else {
		r := c.charReader(ch).i
		if r == nil {
			return func(*Env) int64 { return empty }
		}
		f = func(e *Env) int64 {
			x := o(e)
			if x < 0 {
				return empty
			}
			return r(e, x)
		}
	}
	return f
}

// before turns to the state in which the act looked at was judged.
func (e *Env) before() func() {
	if e.Act == nil || e.Act.Group == 0 {
		return func() {}
	}
	for i := range e.S.Befores {
		if b := &e.S.Befores[i]; b.Group == e.Act.Group {
			s, board, was := e.S, e.B, e.then
			then := *s
			then.Objects, then.Piles, then.Grants = b.Objects, b.Piles, b.Grants
			e.S, e.then = &then, b
			e.B = &Board{Off: b.Off, Vals: b.Vals, Floors: true}
			return func() { e.S, e.B, e.then = s, board, was }
		}
	}
	return func() {}
}

func (c *Code) lowerMaskHas(n *program.Node) Int {
	set := c.Int(n.Kids[1])
	if k := n.Kids[0]; k.Op == program.OpConst {
		bit := int64(0)
		if k.N >= 0 {
			bit = 1 << k.N
		}
		if r := n.Kids[1]; r.Op == program.OpChar && r.M == 0 {
			ch := c.P.Chars[r.N]
			if t := r.Kids[0]; ch.Fact == program.FactNone && !ch.Memory && ch.Value == nil && t.T.ID >= 0 && t.Op == program.OpElem {
				at, slot, entity := int(t.N), ch.Slot, ch.Entity
				return func(e *Env) int64 { // the commonest filter of all: a name in a candidate's set
					return flag(e.slot(e.stk[e.base+at], entity, slot, 0)&bit != 0)
				}
			}
		}
		return func(e *Env) int64 { return flag(set(e)&bit != 0) }
	}
	one := c.Int(n.Kids[0])
	return func(e *Env) int64 {
		x := one(e)
		return flag(x >= 0 && set(e)&(1<<x) != 0)
	}
}

func (c *Code) lowerTable(n *program.Node) Int {
	t := c.P.Tables[n.N]
	kids := c.all(n.Kids)
	if t.Touch != nil {
		return c.Int(t.Touch)
	}
	return func(e *Env) int64 {
		at := 0
		for i, k := range kids {
			x := k(e)
			if x < 0 { // nothing has no row
				return t.Default
			}
			at += int(x) * t.Strides[i]
		}
		return t.Cells[at]
	}
}

func (e *Env) add(a, b int64) int64 {
	s := a + b
	if (s > a) != (b > 0) {
		e.fail("overflow", 0)
	}
	return s
}

func (e *Env) sub(a, b int64) int64 {
	s := a - b
	if (s < a) != (b > 0) {
		e.fail("overflow", 0)
	}
	return s
}

func (e *Env) mul(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	m := a * b
	if m/b != a || a == -1 && b == -1<<63 || b == -1 && a == -1<<63 {
		e.fail("overflow", 0)
	}
	return m
}

// Add adds with the check for overflow.
func (e *Env) Add(a, b int64) int64 {
	if b == 0 {
		return a
	}
	return e.add(a, b)
}

// Sub subtracts with the check for overflow.
func (e *Env) Sub(a, b int64) int64 {
	if b == 0 {
		return a
	}
	return e.sub(a, b)
}

func (c *Code) lowerArith(n *program.Node) Int {
	a := c.Int(n.Kids[0])
	if n.Op == program.OpNeg {
		return func(e *Env) int64 { return e.Sub(0, a(e)) }
	}
	b := c.Int(n.Kids[1])
	switch n.Op {
	case program.OpAdd:
		return func(e *Env) int64 { return e.Add(a(e), b(e)) }
	case program.OpSub:
		return func(e *Env) int64 { return e.Sub(a(e), b(e)) }
	case program.OpMul:
		return func(e *Env) int64 { return e.mul(a(e), b(e)) }
	}
	return func(e *Env) int64 { // the remainder has the sign of the dividend, and by 0 it is 0
		x, y := a(e), b(e)
		if y == 0 || y == -1 {
			return 0
		}
		return x % y
	}
}

func (c *Code) lowerCompare(n *program.Node) Int {
	a, b := c.Int(n.Kids[0]), c.Int(n.Kids[1])
	if k := n.Kids[1]; k.Op == program.OpConst && !placeType(c.P, n.Kids[0].T) {
		v := k.N
		switch n.Op {
		case program.OpEq:
			return func(e *Env) int64 { return flag(a(e) == v) }
		case program.OpNe:
			return func(e *Env) int64 { return flag(a(e) != v) }
		case program.OpLt:
			return func(e *Env) int64 { return flag(a(e) < v) }
		case program.OpLe:
			return func(e *Env) int64 { return flag(a(e) <= v) }
		case program.OpGt:
			return func(e *Env) int64 { return flag(a(e) > v) }
		case program.OpGe:
			return func(e *Env) int64 { return flag(a(e) >= v) }
		}
	}
	if placeType(c.P, n.Kids[0].T) && (n.Op == program.OpEq || n.Op == program.OpNe) {
		want := flag(n.Op == program.OpEq)
		return func(e *Env) int64 {
			if e.samePlace(a(e), b(e)) {
				return want
			}
			return 1 - want
		}
	}
	switch n.Op {
	case program.OpEq:
		return func(e *Env) int64 { return flag(a(e) == b(e)) }
	case program.OpNe:
		return func(e *Env) int64 { return flag(a(e) != b(e)) }
	case program.OpLt:
		return func(e *Env) int64 { return flag(a(e) < b(e)) }
	case program.OpLe:
		return func(e *Env) int64 { return flag(a(e) <= b(e)) }
	case program.OpGt:
		return func(e *Env) int64 { return flag(a(e) > b(e)) }
	}
	return func(e *Env) int64 { return flag(a(e) >= b(e)) }
}

func placeType(p *program.Program, t program.Type) bool {
	return t.Base == program.IsObject && (t.ID < 0 || p.Kinds[t.ID].Entity == program.Place)
}

// samePlace compares places; a zone written by name stands for any cell of it.
func (e *Env) samePlace(a, b int64) bool {
	if a == b {
		return true
	}
	if a < state.None {
		a, b = b, a
	}
	if b >= state.None || a < 0 {
		return false
	}
	z := int32(-2 - b)
	return int(a) < len(e.S.Objects) && e.S.Objects[a].Entity == program.Place && e.S.Objects[a].Zone == z
}
