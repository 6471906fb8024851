package eval

import (
	"slices"
	"sort"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

func (c *Code) lowerList(n *program.Node) List {
	switch n.Op {
	case program.OpTouch:
		f := c.Int(n)
		return func(e *Env) []int64 {
			f(e)
			return nil
		}
	case program.OpConst: // nothing, as a list
		return func(*Env) []int64 { return nil }
	case program.OpList:
		kids := c.all(n.Kids)
		skip := n.T.Base == program.IsObject || n.T.Base == program.IsHappening
		return func(e *Env) []int64 {
			var buf [8]int64
			vals := buf[:0]
			for _, k := range kids {
				if x := k(e); !skip || x >= 0 { // a missing object is no element
					vals = append(vals, x)
				}
			}
			start := len(e.lists)
			e.lists = append(e.lists, vals...)
			return e.lists[start:]
		}
	case program.OpLocal:
		v := n.N
		return func(e *Env) []int64 {
			if int(v) < len(e.L) {
				return e.L[v].L
			}
			return nil
		}
	case program.OpRole:
		v := n.N
		return func(e *Env) []int64 { return role(e.Act, int(v)).L }
	case program.OpAttr:
		v := n.N
		return func(e *Env) []int64 { return e.attr(e.Act, int(v)).L }
	case program.OpRoleOf:
		k, v := c.Int(n.Kids[0]), n.N
		return func(e *Env) []int64 { return role(e.act(k(e)), int(v)).L }
	case program.OpAttrOf:
		k, v := c.Int(n.Kids[0]), n.N
		return func(e *Env) []int64 { return e.attr(e.act(k(e)), int(v)).L }
	case program.OpHits:
		return func(e *Env) []int64 { return e.Hits }
	case program.OpChar:
		ch := c.P.Chars[n.N]
		o := c.Int(n.Kids[0])
		if t := n.Kids[0].T; t.Base == program.IsObject && t.ID < 0 {
			by := c.readers(ch)
			return func(e *Env) []int64 {
				x := o(e)
				if r := by[e.entity(x)].l; r != nil && x >= 0 {
					return r(e, x)
				}
				return nil
			}
		}
		r := c.charReader(ch).l
		if r == nil {
			return func(*Env) []int64 { return nil }
		}
		f := func(e *Env) []int64 {
			x := o(e)
			if x < 0 && x != state.None && ch.Entity == program.Place { // a zone by name
				return r(e, x)
			}
			if x < 0 {
				return nil
			}
			return r(e, x)
		}
		if n.Back() {
			return func(e *Env) []int64 {
				restore := e.before()
				l := f(e)
				restore()
				return l
			}
		}
		return f
	case program.OpEach:
		return c.lowerEach(n)
	case program.OpFilter:
		l, pred := c.List(n.Kids[0]), c.Int(n.Kids[1])
		return func(e *Env) []int64 {
			src := l(e)
			start := len(e.lists)
			for _, x := range src {
				if !e.tick() {
					break
				}
				e.stk = append(e.stk, x)
				ok := pred(e) != 0
				e.stk = e.stk[:len(e.stk)-1]
				if ok {
					e.lists = append(e.lists, x)
				}
			}
			return e.lists[start:]
		}
	case program.OpMap:
		l, f := c.List(n.Kids[0]), c.Int(n.Kids[1])
		return func(e *Env) []int64 {
			src := l(e)
			out := make([]int64, 0, len(src))
			for _, x := range src {
				if !e.tick() {
					break
				}
				e.stk = append(e.stk, x)
				out = append(out, f(e))
				e.stk = e.stk[:len(e.stk)-1]
			}
			return out
		}
	case program.OpMaskList:
		k := c.Int(n.Kids[0])
		return func(e *Env) []int64 {
			m := uint64(k(e))
			start := len(e.lists)
			for i := int64(0); m != 0; i, m = i+1, m>>1 {
				if m&1 != 0 {
					e.lists = append(e.lists, i)
				}
			}
			return e.lists[start:]
		}
	case program.OpSortBy:
		return c.lowerSort(n)
	case program.OpIf:
		a, b, d := c.Int(n.Kids[0]), c.List(n.Kids[1]), c.List(n.Kids[2])
		return func(e *Env) []int64 {
			if a(e) != 0 {
				return b(e)
			}
			return d(e)
		}
	case program.OpOrder:
		k, ch := c.Int(n.Kids[0]), int(n.N)
		return func(e *Env) []int64 {
			if e.Case == nil {
				return nil
			}
			return e.Case.Order(k(e), ch)
		}
	}
	if n.T.List() {
		switch n.Op {
		case program.OpUnion:
			return c.lowerUnion(n)
		case program.OpJoin, program.OpWithout:
			return c.lowerJoin(n)
		}
	}
	if n.T.Mask() {
		return c.lowerList(&program.Node{Op: program.OpMaskList, T: n.T, Kids: []*program.Node{n}})
	}
	return func(*Env) []int64 { return nil }
}

// lowerUnion compiles the union of what each element of a list has: objects in
// order of birth, other values as they come.
func (c *Code) lowerUnion(n *program.Node) List {
	l, each := c.List(n.Kids[0]), c.List(n.Kids[1])
	objects := n.T.Base == program.IsObject
	return func(e *Env) []int64 {
		var out []int64
		for _, x := range l(e) {
			e.stk = append(e.stk, x)
			for _, y := range each(e) {
				if !e.tick() {
					break
				}
				if !slices.Contains(out, y) {
					out = append(out, y)
				}
			}
			e.stk = e.stk[:len(e.stk)-1]
		}
		if objects {
			slices.Sort(out)
		}
		return out
	}
}

// lowerJoin compiles a list with what else another has, or without what it has.
func (c *Code) lowerJoin(n *program.Node) List {
	a, b := c.List(n.Kids[0]), c.List(n.Kids[1])
	without := n.Op == program.OpWithout
	return func(e *Env) []int64 {
		out := append([]int64(nil), a(e)...)
		list := b(e)
		if without {
			return slices.DeleteFunc(out, func(x int64) bool { return !e.tick() || slices.Contains(list, x) })
		}
		for _, x := range list {
			if !e.tick() {
				break
			}
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
		return out
	}
}

func (c *Code) lowerSort(n *program.Node) List {
	l, key := c.List(n.Kids[0]), (Int)(nil)
	if len(n.Kids) > 1 {
		key = c.Int(n.Kids[1])
	}
	down := n.N == 1
	return func(e *Env) []int64 {
		src := append([]int64(nil), l(e)...)
		keys := make(map[int64]int64, len(src))
		for _, x := range src {
			keys[x] = x
			if key != nil {
				e.stk = append(e.stk, x)
				keys[x] = key(e)
				e.stk = e.stk[:len(e.stk)-1]
			}
		}
		sort.SliceStable(src, func(i, j int) bool {
			if down {
				return keys[src[i]] > keys[src[j]]
			}
			return keys[src[i]] < keys[src[j]]
		})
		return src
	}
}

func (c *Code) lowerFold(n *program.Node) Int {
	l := c.List(n.Kids[0])
	var pred Int
	if len(n.Kids) > 1 {
		pred = c.Int(n.Kids[1])
	}
	fold := func(step func(e *Env, x int64, acc *int64) bool, start int64) Int {
		return func(e *Env) int64 {
			mark, acc := e.Mark(), start
			for _, x := range l(e) {
				if !e.tick() || !step(e, x, &acc) {
					break
				}
			}
			e.Release(mark)
			return acc
		}
	}
	test := func(e *Env, x int64) int64 {
		if pred == nil {
			return 1
		}
		e.stk = append(e.stk, x)
		v := pred(e)
		e.stk = e.stk[:len(e.stk)-1]
		return v
	}
	switch n.Op {
	case program.OpCount:
		if pred == nil {
			return func(e *Env) int64 {
				mark := e.Mark()
				k := int64(len(l(e)))
				e.Release(mark)
				return k
			}
		}
		return fold(func(e *Env, x int64, acc *int64) bool { *acc += test(e, x); return true }, 0)
	case program.OpAny:
		return fold(func(e *Env, x int64, acc *int64) bool { *acc = test(e, x); return *acc == 0 }, 0)
	case program.OpAll:
		return fold(func(e *Env, x int64, acc *int64) bool { *acc = test(e, x); return *acc != 0 }, 1)
	case program.OpNone:
		return fold(func(e *Env, x int64, acc *int64) bool { *acc = 1 - test(e, x); return *acc != 0 }, 1)
	case program.OpFind, program.OpFirst:
		return fold(func(e *Env, x int64, acc *int64) bool {
			if test(e, x) != 0 {
				*acc = x
				return false
			}
			return true
		}, Empty(n.T))
	case program.OpSum:
		return fold(func(e *Env, x int64, acc *int64) bool {
			v := x
			if pred != nil {
				v = test(e, x)
			}
			*acc = e.Add(*acc, v)
			return true
		}, 0)
	}
	least := n.Op == program.OpMin
	return func(e *Env) int64 {
		mark := e.Mark()
		list := l(e)
		best := int64(0)
		for i, x := range list {
			if i == 0 || (x < best) == least && x != best {
				best = x
			}
		}
		e.Release(mark)
		return best
	}
}

// conjuncts splits a filter at its ands.
func conjuncts(n *program.Node) []*program.Node {
	if n == nil {
		return nil
	}
	if n.Op == program.OpAnd {
		return append(conjuncts(n.Kids[0]), conjuncts(n.Kids[1])...)
	}
	return []*program.Node{n}
}

// pinned is where a filter says that its objects lie, and what is left to ask of
// them one by one.
type pinned struct {
	zone  int64 // of cards, or None
	owner Int   // of cards in a zone of each player
	host  Int   // of tokens
	rest  Filter
}

// pin takes a filter's conditions apart. level is the candidate's.
func (c *Code) pin(kind *program.Kind, where *program.Node, level int64) pinned {
	p := pinned{zone: state.None}
	for k := kind; ; k = c.P.Kinds[k.Parent] {
		if k.Zone >= 0 {
			p.zone = int64(k.Zone)
		}
		if k.Parent < 0 {
			break
		}
	}
	list := conjuncts(where)
	equal := func(k *program.Node, f program.Fact) bool {
		return k.Op == program.OpEq && k.Kids[0].Op == program.OpChar && k.Kids[0].M == 0 && c.P.Chars[k.Kids[0].N].Fact == f &&
			k.Kids[0].Kids[0].Op == program.OpElem && k.Kids[0].Kids[0].N == level && !mentions(k.Kids[1], level)
	}
	for _, k := range list {
		if kind.Entity == program.Card && equal(k, program.FactZone) && k.Kids[1].Op == program.OpConst {
			p.zone = k.Kids[1].N
		}
	}
	for _, k := range list {
		switch {
		case kind.Entity == program.Card && equal(k, program.FactZone) && k.Kids[1].Op == program.OpConst && k.Kids[1].N == p.zone:
		case kind.Entity == program.Card && p.zone >= 0 && c.P.Zones[p.zone].PerPlayer && p.owner == nil && equal(k, program.FactOwner):
			p.owner = c.Int(k.Kids[1])
		case kind.Entity == program.Token && p.host == nil && equal(k, program.FactHost):
			p.host = c.Int(k.Kids[1])
		default:
			p.rest = append(p.rest, c.condition(k, level))
		}
	}
	return p
}

// lowerEach compiles each Kind where …. Where the filter pins the zone, the owner
// or, for tokens, the host, only what lies there is looked at.
func (c *Code) lowerEach(n *program.Node) List {
	kind := c.P.Kinds[n.N]
	var where *program.Node
	if len(n.Kids) > 0 {
		where = n.Kids[0]
	}
	p := c.pin(kind, where, n.M)
	is := c.IsKind(int(n.N))
	zone, rest := p.zone, p.rest
	if zone >= 0 && kind.Zone == int(zone) && kind.Parent >= 0 && c.P.Kinds[kind.Parent].Parent < 0 {
		is = nil // lying there is all that makes it one
	}
	if kind.Parent < 0 {
		is = nil
	}
	take := func(e *Env, o int64) bool {
		if !e.tick() {
			return false
		}
		if e.S.Objects[o].Gone || is != nil && !is(e, o) {
			return true
		}
		if len(rest) > 0 {
			e.stk = append(e.stk, o)
			ok := rest.Pass(e, o)
			e.stk = e.stk[:len(e.stk)-1]
			if !ok {
				return true
			}
		}
		e.lists = append(e.lists, o)
		return true
	}
	pile := func(e *Env, list []int32) bool {
		for _, o := range list {
			if !take(e, int64(o)) {
				return false
			}
		}
		return true
	}
	list := c.lowerEachFrom(p, kind, pile, take)
	if !rest.Keeps() {
		return list
	}
	return func(e *Env) []int64 {
		old := rest.Begin(e)
		out := list(e)
		rest.End(e, old)
		return out
	}
}

// lowerEachFrom goes through the objects among which those meant must be.
func (c *Code) lowerEachFrom(p pinned, kind *program.Kind, pile func(*Env, []int32) bool, take func(*Env, int64) bool) List {
	entity, zone := kind.Entity, p.zone
	switch {
	case p.host != nil:
		return func(e *Env) []int64 {
			start := len(e.lists)
			if h := p.host(e); h >= 0 && int(h) < len(e.S.Objects) {
				pile(e, e.S.Objects[h].Tokens)
			}
			return e.lists[start:]
		}
	case p.owner != nil:
		return func(e *Env) []int64 {
			start := len(e.lists)
			if o := p.owner(e); o == 1 || o == 2 {
				pile(e, e.S.Piles[zone*3+o])
			}
			return e.lists[start:]
		}
	case zone >= 0 && entity == program.Card:
		ordered := c.P.Zones[zone].Pile || !c.P.Zones[zone].PerPlayer
		return func(e *Env) []int64 {
			start := len(e.lists)
			for i := range int64(3) {
				if !pile(e, e.S.Piles[zone*3+i]) {
					break
				}
			}
			if !ordered { // both players' cards, in order of birth
				slices.Sort(e.lists[start:])
			}
			return e.lists[start:]
		}
	}
	return func(e *Env) []int64 {
		start := len(e.lists)
		for o := range e.S.Objects {
			if e.S.Objects[o].Entity == entity && !take(e, int64(o)) {
				break
			}
		}
		return e.lists[start:]
	}
}

func mentions(n *program.Node, level int64) bool {
	found := false
	n.Walk(func(k *program.Node) { found = found || k.Op == program.OpElem && k.N >= level })
	return found
}

// IsKind compiles the test whether an object is of a kind.
func (c *Code) IsKind(kind int) func(*Env, int64) bool {
	if kind < 0 {
		return func(e *Env, o int64) bool { return o >= 0 && int(o) < len(e.S.Objects) }
	}
	k := c.P.Kinds[kind]
	if k.Parent < 0 {
		return func(e *Env, o int64) bool { return e.entity(o) == k.Entity }
	}
	parent := c.IsKind(k.Parent)
	switch {
	case k.Token >= 0:
		return func(e *Env, o int64) bool {
			return e.entity(o) == program.Token && e.S.Objects[o].Def == int32(k.Token)
		}
	case k.Zone >= 0 && c.P.Kinds[k.Parent].Parent < 0:
		return func(e *Env, o int64) bool {
			return e.entity(o) == k.Entity && e.S.Objects[o].Zone == int32(k.Zone)
		}
	case k.Where != nil:
		f := c.Int(k.Where)
		return func(e *Env, o int64) bool {
			if !parent(e, o) {
				return false
			}
			old := e.Enter()
			e.Push(o)
			ok := f(e) != 0
			e.Pop()
			e.Leave(old)
			return ok
		}
	}
	return parent
}
