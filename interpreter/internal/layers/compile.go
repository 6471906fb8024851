package layers

import (
	"math"
	"math/bits"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Most effects say something simple: objects of a kind that pass a few tests on
// their own row, an amount that is a constant, a count or a number of the source.
// Such parts are compiled to tests on rows here. A test costs a nanosecond or two
// where a closure costs ten, and, more important, it can be asked about a single
// object: what would become of this effect if that object changed? Trials and
// recomputes that only follow a change hang on that. Whatever is not recognised
// keeps its closures and goes the general way.

// testKind says what a test asks of an object.
type testKind uint8

const (
	testMask   testKind = iota // row[slot] & a == b
	testOneOf                  // bit row[slot]+1 of a
	testRange                  // a <= row[slot] <= b
	testOwn                    // its controller is (b=1) or is not (b=0) that of the source
	testYou                    // its controller is or is not you
	testSelf                   // it is or is not the source
	testNot                    // the one alternative does not hold
	testEither                 // one of the alternatives holds
	testNever
)

type test struct {
	a, b int64
	alt  *[2]pred
	slot int32
	kind testKind
}

// pred is a conjunction of tests on one object.
type pred struct {
	tests    []test
	relation bool // asks for controllers
}

// ctx is what tests and numbers read beside the object itself.
type ctx struct {
	self     int32
	own, you int32 // the controller of the source; the player who is you
	selfRow  []int64
	cnt      *[maxCounts]int64
}

const (
	maxCounts = 2
	maxOps    = 4
)

func (p *pred) match(x *ctx, o, ctl int32, row []int64) bool {
	for i := range p.tests {
		t := &p.tests[i]
		switch t.kind {
		case testMask:
			if row[t.slot]&t.a != t.b {
				return false
			}
		case testOneOf:
			if uint64(t.a)>>uint(row[t.slot]+1)&1 == 0 {
				return false
			}
		case testRange:
			if v := row[t.slot]; v < t.a || v > t.b {
				return false
			}
		case testOwn:
			if (ctl == x.own) != (t.b != 0) {
				return false
			}
		case testYou:
			if (ctl == x.you) != (t.b != 0) {
				return false
			}
		case testSelf:
			if (o == x.self) != (t.b != 0) {
				return false
			}
		case testNot:
			if t.alt[0].match(x, o, ctl, row) {
				return false
			}
		case testEither:
			if !t.alt[0].match(x, o, ctl, row) && !t.alt[1].match(x, o, ctl, row) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// num is a number that an effect reads: of its source, of counts, or of the
// object that it affects (it).
type num func(x *ctx, it []int64) int64

// fastPart is a layer's part of an effect as tests on rows.
type fastPart struct {
	ok        bool
	relation  bool // the filter or a count asks for controllers
	self      bool // reads the row of the source
	perTarget bool // some amount is read from the object affected
	copies    bool
	zone      int32 // candidates stand in it, or -1 for any card
	shape     int32 // number of what it writes, where that does not hang on the board, else -1
	where     pred
	ops       []fastOp
	counts    []counted
	gate      []num
}

// counted is a count of objects.
type counted struct {
	zone int32
	pred
}

type fastOp struct {
	n      int64
	slot   int32
	verb   program.Verb
	amount amountKind
	mask   bool // a set
	num    num
	facet  facetRange
	ch     *program.Char
	from   *program.Node // copy
}

type amountKind uint8

const (
	amountConst amountKind = iota
	amountGlobal
	amountTarget
)

// shape is what an operation writes; the same shape does the same to like rows.
type shape struct {
	verb program.Verb
	slot int32
	n    int64
}

// fastCompiler compiles one part.
type fastCompiler struct {
	en     *Engine
	f      *fastPart
	opened int64 // level of elements in predicates
	it     bool  // a number of the object affected was read
	global bool  // a number of the source, or a count, was read
}

// plain returns a characteristic of cards that has one number in the row.
func plain(ch *program.Char) bool {
	return ch.Entity == program.Card && ch.Action < 0 && ch.Fact == program.FactNone && !ch.Memory && !ch.Type.List() &&
		(ch.Value == nil || ch.Value.Op == program.OpConst)
}

// cardKind reports whether a kind is all cards, or the cards in one zone.
func (en *Engine) cardKind(kind int) (zone int32, ok bool) {
	if kind < 0 {
		return 0, false
	}
	k := en.P.Kinds[kind]
	switch {
	case k.Entity != program.Card:
		return 0, false
	case k.Parent < 0:
		return -1, true
	case k.Zone >= 0 && en.P.Kinds[k.Parent].Parent < 0:
		return int32(k.Zone), true
	}
	return 0, false
}

// fast compiles the layer's part of an effect, as far as it can be.
func (en *Engine) fast(d *def, l int) {
	pt := &d.parts[l]
	pt.fast = &into(&en.blocks.parts, []fastPart{{}})[0]
	f := pt.fast
	defer func() {
		f.where.tests, f.ops = into(&en.blocks.tests, f.where.tests), into(&en.blocks.ops, f.ops)
	}()
	f.shape, f.zone = -1, -1
	p := en.P
	if d.Action >= 0 || p.Options.ReadAfresh || p.Layers[l].NewestFirst || p.Layers[l].FloorsEach || len(pt.ops) > maxOps {
		return
	}
	c := &fastCompiler{en: en, f: f}
	switch d.Target {
	case program.TargetEach:
		zone, ok := en.cardKind(d.Kind)
		if !ok {
			return
		}
		f.zone = zone
		if d.Where != nil && !c.pred(d.Where, 0, &f.where) {
			return
		}
	case program.TargetFixed:
		if d.Static {
			return
		}
	}
	if d.While != nil && !c.gate(d.While) {
		return
	}
	if d.Opened {
		c.opened = 1
	}
	for _, k := range pt.ops {
		o := &d.ops[k]
		op := fastOp{verb: o.Verb, ch: o.ch}
		switch o.Verb {
		case program.VerbProhibit, program.VerbPermit, program.VerbRequire, program.VerbInstead:
			if l != en.rules {
				return
			}
			continue
		case program.VerbCopy:
			if len(pt.ops) > 1 || !en.noAbilities || !en.P.Options.CopiesCurrent {
				return
			}
			switch o.Value.Op {
			case program.OpLocal, program.OpSelf:
			default:
				return
			}
			op.from = o.Value
			f.copies = true
			f.ops = append(f.ops, op)
			continue
		}
		if o.ch == nil || !plain(o.ch) {
			return
		}
		op.slot, op.facet, op.mask = int32(o.slot), en.of[o.Char], o.ch.Type.Mask()
		switch {
		case o.Value == nil:
		case constant(o.Value) != nil:
			op.n = *constant(o.Value)
		default:
			c.it, c.global = false, false
			if op.num = c.num(o.Value); op.num == nil || c.it && c.global {
				return
			}
			op.amount = amountGlobal
			if c.it {
				op.amount = amountTarget
				f.perTarget = true
			}
		}
		f.ops = append(f.ops, op)
	}
	f.relation = f.where.relation
	for i := range f.counts {
		f.relation = f.relation || f.counts[i].relation
	}
	if f.relation && pt.first != nil {
		pt.first.put(en.control)
		if len(f.counts) > 0 {
			pt.later.put(en.control)
		}
	}
	if len(f.ops) == 1 && f.ops[0].amount == amountConst && !f.copies {
		s := shape{f.ops[0].verb, f.ops[0].slot, f.ops[0].n}
		n, ok := en.shapes[s]
		if !ok {
			n = int32(len(en.shapes))
			en.shapes[s] = n
		}
		f.shape = n
	}
	f.ok = true
}

// constant returns the number that a node always is, or nil.
func constant(n *program.Node) *int64 {
	switch n.Op {
	case program.OpConst:
		if n.T.List() {
			return nil
		}
		return &n.N
	case program.OpMaskOf:
		m := int64(0)
		for _, k := range n.Kids {
			if k.Op != program.OpConst {
				return nil
			}
			if k.N >= 0 {
				m |= 1 << k.N
			}
		}
		return &m
	}
	return nil
}

// gate takes a condition apart at its ands.
func (c *fastCompiler) gate(n *program.Node) bool {
	if n.Op == program.OpAnd {
		return c.gate(n.Kids[0]) && c.gate(n.Kids[1])
	}
	g := c.num(n)
	if g == nil || c.it {
		return false
	}
	c.f.gate = append(c.f.gate, g)
	return true
}

// slotOf returns the slot of a plain characteristic of the object that is.
func slotOf(en *Engine, n *program.Node, is func(*program.Node) bool) (slot int32, ch *program.Char, ok bool) {
	if n.Op != program.OpChar || n.M != 0 || !is(n.Kids[0]) {
		return 0, nil, false
	}
	ch = en.P.Chars[n.N]
	return int32(ch.Slot), ch, plain(ch)
}

func elem(level int64) func(*program.Node) bool {
	return func(n *program.Node) bool { return n.Op == program.OpElem && n.N == level }
}

func isSelf(n *program.Node) bool { return n.Op == program.OpSelf }

// pred compiles a filter on the element of a level.
func (c *fastCompiler) pred(n *program.Node, level int64, p *pred) bool {
	it := elem(level)
	switch n.Op {
	case program.OpConst:
		if n.N == 0 {
			p.tests = append(p.tests, test{kind: testNever})
		}
		return true
	case program.OpAnd:
		return c.pred(n.Kids[0], level, p) && c.pred(n.Kids[1], level, p)
	case program.OpOr:
		alt := new([2]pred)
		if !c.pred(n.Kids[0], level, &alt[0]) || !c.pred(n.Kids[1], level, &alt[1]) {
			return false
		}
		p.relation = p.relation || alt[0].relation || alt[1].relation
		p.tests = append(p.tests, test{kind: testEither, alt: alt})
		return true
	case program.OpNot:
		alt := new([2]pred)
		if !c.pred(n.Kids[0], level, &alt[0]) {
			return false
		}
		if a := alt[0].tests; len(a) == 1 && a[0].kind == testMask && bits.OnesCount64(uint64(a[0].a)) == 1 {
			a[0].b ^= a[0].a
			p.tests = append(p.tests, a[0])
			return true
		}
		p.relation = p.relation || alt[0].relation
		p.tests = append(p.tests, test{kind: testNot, alt: alt})
		return true
	case program.OpMaskHas:
		if k := n.Kids[0]; k.Op == program.OpConst {
			slot, ch, ok := slotOf(c.en, n.Kids[1], it)
			if !ok || !ch.Type.Mask() {
				return false
			}
			bit := int64(0)
			if k.N >= 0 {
				bit = 1 << k.N
			}
			p.tests = append(p.tests, test{kind: testMask, slot: slot, a: bit, b: bit})
			if bit == 0 {
				p.tests = append(p.tests, test{kind: testNever})
			}
			return true
		}
		slot, ch, ok := slotOf(c.en, n.Kids[0], it)
		set := constant(n.Kids[1])
		if !ok || set == nil || ch.Type.Several || ch.Type.Base != program.IsOneOf {
			return false
		}
		p.tests = append(p.tests, test{kind: testOneOf, slot: slot, a: *set << 1})
		return true
	case program.OpEq, program.OpNe:
		a, b := n.Kids[0], n.Kids[1]
		if a.Op == program.OpConst || isSelf(a) || a.Op == program.OpYou {
			a, b = b, a
		}
		eq := int64(0)
		if n.Op == program.OpEq {
			eq = 1
		}
		if it(a) && isSelf(b) {
			p.tests = append(p.tests, test{kind: testSelf, b: eq})
			return true
		}
		if c.controller(a, it) {
			switch {
			case c.controller(b, isSelf):
				p.tests = append(p.tests, test{kind: testOwn, b: eq})
			case b.Op == program.OpYou:
				p.tests = append(p.tests, test{kind: testYou, b: eq})
			default:
				return false
			}
			p.relation = true
			return true
		}
		slot, ch, ok := slotOf(c.en, a, it)
		if !ok || ch.Type.Several || b.Op != program.OpConst {
			return false
		}
		if ch.Type.Base == program.IsOneOf {
			set := int64(0)
			if b.N >= -1 {
				set = 1 << (b.N + 1)
			}
			if n.Op == program.OpNe {
				set = ^set
			}
			p.tests = append(p.tests, test{kind: testOneOf, slot: slot, a: set})
			return true
		}
		t := test{kind: testRange, slot: slot, a: b.N, b: b.N}
		if n.Op == program.OpNe {
			t = test{kind: testNot, alt: &[2]pred{{tests: []test{t}}}}
		}
		p.tests = append(p.tests, t)
		return true
	case program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		slot, _, ok := slotOf(c.en, n.Kids[0], it)
		v := n.Kids[1]
		if !ok || v.Op != program.OpConst {
			return false
		}
		t := test{kind: testRange, slot: slot, a: math.MinInt64, b: math.MaxInt64}
		switch {
		case n.Op == program.OpLe:
			t.b = v.N
		case n.Op == program.OpGe:
			t.a = v.N
		case n.Op == program.OpLt && v.N > math.MinInt64:
			t.b = v.N - 1
		case n.Op == program.OpGt && v.N < math.MaxInt64:
			t.a = v.N + 1
		default:
			return false
		}
		p.tests = append(p.tests, t)
		return true
	}
	return false
}

// controller reports whether a node is the controller of the object that is.
func (c *fastCompiler) controller(n *program.Node, is func(*program.Node) bool) bool {
	return n.Op == program.OpChar && n.M == 0 && is(n.Kids[0]) && n.Kids[0].T.ID >= 0 && c.en.P.Chars[n.N].Fact == program.FactController &&
		c.en.P.Kinds[n.Kids[0].T.ID].Entity == program.Card
}

// num compiles a number or condition, or returns nil.
func (c *fastCompiler) num(n *program.Node) num {
	if k := constant(n); k != nil {
		v := *k
		return func(*ctx, []int64) int64 { return v }
	}
	two := func() (a, b num, ok bool) {
		if a = c.num(n.Kids[0]); a == nil {
			return nil, nil, false
		}
		b = c.num(n.Kids[1])
		return a, b, b != nil
	}
	switch n.Op {
	case program.OpChar:
		if slot, _, ok := slotOf(c.en, n, isSelf); ok {
			c.f.self, c.global = true, true
			return func(x *ctx, _ []int64) int64 { return x.selfRow[slot] }
		}
		if c.opened > 0 {
			if slot, _, ok := slotOf(c.en, n, elem(0)); ok {
				c.it = true
				return func(_ *ctx, it []int64) int64 { return it[slot] }
			}
		}
	case program.OpMaskCount:
		if k := c.num(n.Kids[0]); k != nil {
			return func(x *ctx, it []int64) int64 { return int64(bits.OnesCount64(uint64(k(x, it)))) }
		}
	case program.OpMaskHas:
		if n.Kids[0].Op != program.OpConst || n.Kids[0].N < 0 {
			return nil
		}
		if slot, _, ok := slotOf(c.en, n.Kids[1], isSelf); ok {
			c.f.self, c.global = true, true
			shift := n.Kids[0].N
			return func(x *ctx, _ []int64) int64 { return x.selfRow[slot] >> shift & 1 }
		}
		if k := c.num(n.Kids[1]); k != nil {
			shift := n.Kids[0].N
			return func(x *ctx, it []int64) int64 { return k(x, it) >> shift & 1 }
		}
	case program.OpCount:
		return c.count(n)
	case program.OpMul:
		// A product by a constant cannot be told from the general way's as long as
		// it does not overflow; one that does goes that way.
		if a, b, ok := two(); ok && n.Kids[0].Op == program.OpConst && abs(n.Kids[0].N) < 1<<20 && n.Kids[1].Op != program.OpMul && n.Kids[1].Op != program.OpChar {
			return func(x *ctx, it []int64) int64 { return a(x, it) * b(x, it) }
		}
	case program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		if n.Kids[0].T.Base == program.IsObject || n.Kids[0].T.List() {
			return nil
		}
		if a, b, ok := two(); ok {
			return compare(n.Op, a, b)
		}
	case program.OpAnd:
		if a, b, ok := two(); ok {
			return func(x *ctx, it []int64) int64 { return a(x, it) & b(x, it) }
		}
	case program.OpOr:
		if a, b, ok := two(); ok {
			return func(x *ctx, it []int64) int64 { return a(x, it) | b(x, it) }
		}
	case program.OpNot:
		if a := c.num(n.Kids[0]); a != nil {
			return func(x *ctx, it []int64) int64 { return 1 - a(x, it) }
		}
	}
	return nil
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

func compare(op program.NodeOp, a, b num) num {
	switch op {
	case program.OpEq:
		return func(x *ctx, it []int64) int64 { return flag(a(x, it) == b(x, it)) }
	case program.OpNe:
		return func(x *ctx, it []int64) int64 { return flag(a(x, it) != b(x, it)) }
	case program.OpLt:
		return func(x *ctx, it []int64) int64 { return flag(a(x, it) < b(x, it)) }
	case program.OpLe:
		return func(x *ctx, it []int64) int64 { return flag(a(x, it) <= b(x, it)) }
	case program.OpGt:
		return func(x *ctx, it []int64) int64 { return flag(a(x, it) > b(x, it)) }
	}
	return func(x *ctx, it []int64) int64 { return flag(a(x, it) >= b(x, it)) }
}

// count compiles count(LIST, TEST) where LIST is every card of a kind.
func (c *fastCompiler) count(n *program.Node) num {
	if len(c.f.counts) == maxCounts {
		return nil
	}
	each := n.Kids[0]
	if each.Op == program.OpChar {
		ch := c.en.P.Chars[each.N]
		if ch.Value == nil || ch.Written || ch.Entity != program.Game || each.M != 0 || each.Kids[0].Op != program.OpGame {
			return nil
		}
		each = ch.Value
	}
	if each.Op != program.OpEach || len(each.Kids) > 0 {
		return nil
	}
	zone, ok := c.en.cardKind(int(each.N))
	if !ok {
		return nil
	}
	k := counted{zone: zone}
	if len(n.Kids) > 1 && !c.pred(n.Kids[1], c.opened, &k.pred) {
		return nil
	}
	at := len(c.f.counts)
	c.f.counts = append(c.f.counts, k)
	c.global = true
	return func(x *ctx, _ []int64) int64 { return x.cnt[at] }
}

// from returns the object that a unit copies, or None.
func (r *Run) from(x *state.Effect, f *fastPart) int32 {
	n := f.ops[0].from
	if n.Op == program.OpSelf {
		return x.Source
	}
	if int(n.N) < len(x.Frame) {
		return int32(x.Frame[n.N].N)
	}
	return state.None
}

// blocks are where parts, tests and operations lie, side by side in memory in the
// order in which matches first had them.
type blocks struct {
	parts []fastPart
	tests []test
	ops   []fastOp
}

// into copies a list into a block, or into a new one if that is full.
func into[T any](block *[]T, list []T) []T {
	if len(*block)+len(list) > cap(*block) {
		*block = make([]T, 0, max(64, min(2*cap(*block), 4096), len(list)))
	}
	n := len(*block)
	*block = append(*block, list...)
	return (*block)[n:len(*block):len(*block)]
}
