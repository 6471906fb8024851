package lint

import (
	"math"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// A small prover. It is asked one thing: can these conditions all be true in one
// state? It says no only where constants, declared bounds and the meaning of the
// operators leave no other answer, so that a warning built on it is never wrong;
// where it does not know, it says that they can.
//
// Every condition is broken into literals, each true or false: a comparison, or
// a flag of which nothing is known but that equal expressions have equal values.
// Comparisons narrow what a number or a name can be, and how two of them stand
// to each other.

type prover struct {
	p      *program.Program
	floors bool // some layer puts floors and ceilings on
	splits int  // how many alternatives may still be tried
}

// maxSplits bounds how many alternatives of one question are tried.
const maxSplits = 64

// literal is a condition with the answer that it must have.
type literal struct {
	n    *program.Node
	want bool
}

// How two numbers stand to each other, as a set.
const (
	less    = 1
	equal   = 2
	greater = 4
	anyhow  = 7
)

// span is what a number can be. Names out of a list, objects and texts are
// numbers here too, of which only equality is asked.
type span struct{ lo, hi int64 }

const (
	low  = math.MinInt64 / 4
	high = math.MaxInt64 / 4
)

var anything = span{low, high}

// facts is what is known of one state.
type facts struct {
	flags map[string]bool
	nums  map[string]span
	holes map[string]map[int64]bool // values that a number does not have
	pairs map[[2]string]int
	final bool
	no    bool // nothing is like this
}

// impossible reports whether the conditions can't all be true in one state. final
// says that they are read after all layers, so that declared bounds hold.
func (v *prover) impossible(final bool, conds ...literal) bool {
	v.splits = maxSplits
	return v.contradict(final, conds, nil)
}

// contradict looks at plain literals first, then tries alternatives one by one.
func (v *prover) contradict(final bool, lits, ors []literal) bool {
	f := &facts{flags: map[string]bool{}, nums: map[string]span{}, holes: map[string]map[int64]bool{}, pairs: map[[2]string]int{}, final: final}
	var plain []literal
	for len(lits) > 0 {
		l := lits[0]
		lits = lits[1:]
		switch l.n.Op {
		case program.OpNot:
			lits = append(lits, literal{l.n.Kids[0], !l.want})
		case program.OpAnd, program.OpOr:
			if (l.n.Op == program.OpAnd) == l.want {
				lits = append(lits, literal{l.n.Kids[0], l.want}, literal{l.n.Kids[1], l.want})
			} else {
				ors = append(ors, l)
			}
		default:
			plain = append(plain, l)
		}
	}
	for range 3 { // what one literal narrows may decide another that came before it
		for _, l := range plain {
			v.assume(f, l)
		}
		v.weigh(f)
		if f.no {
			return true
		}
	}
	for i, o := range ors {
		if v.splits -= 2; v.splits < 0 {
			return false
		}
		rest := append(append([]literal(nil), ors[:i]...), ors[i+1:]...)
		if v.contradict(final, append(plain[:len(plain):len(plain)], literal{o.n.Kids[0], o.want}), rest) &&
			v.contradict(final, append(plain[:len(plain):len(plain)], literal{o.n.Kids[1], o.want}), rest) {
			return true
		}
		if len(ors) > 1 {
			return false // the first alternative has tried the others within it
		}
	}
	return false
}

// assume puts a literal into the facts.
func (v *prover) assume(f *facts, l literal) {
	n := l.n
	switch n.Op {
	case program.OpConst:
		f.no = f.no || (n.N != 0) != l.want
		return
	case program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		rel := map[program.NodeOp]int{program.OpEq: equal, program.OpNe: less | greater, program.OpLt: less, program.OpLe: less | equal,
			program.OpGt: greater, program.OpGe: greater | equal}[n.Op]
		if !l.want {
			rel = anyhow &^ rel
		}
		v.compare(f, n.Kids[0], n.Kids[1], rel)
		return
	case program.OpListEq:
		if !l.want == same(n.Kids[0], n.Kids[1]) && same(n.Kids[0], n.Kids[1]) {
			f.no = true
		}
	case program.OpMaskHas:
		v.member(f, n.Kids[0], n.Kids[1], l.want)
	case program.OpInList:
		if list := n.Kids[1]; list.Op == program.OpList {
			v.listed(f, n.Kids[0], list.Kids, l.want)
		}
	case program.OpNone: // as the opposite of any
		l = literal{&program.Node{Op: program.OpAny, T: n.T, N: n.N, M: n.M, Kids: n.Kids}, !l.want}
		n = l.n
	}
	k := key(n)
	if old, ok := f.flags[k]; ok && old != l.want {
		f.no = true
	}
	f.flags[k] = l.want
}

// member: a name is in a set, or is not.
func (v *prover) member(f *facts, name, set *program.Node, want bool) {
	switch {
	case set.Op == program.OpConst && name.Op == program.OpConst:
		f.no = f.no || (name.N >= 0 && set.N&(1<<name.N) != 0) != want
	case set.Op == program.OpConst && name.T.Base == program.IsOneOf:
		k := key(name)
		for i := int64(-1); i < int64(len(v.p.Values[name.T.ID].Names)); i++ {
			if (i >= 0 && set.N&(1<<i) != 0) != want {
				v.not(f, k, i)
			}
		}
		v.narrow(f, k, v.reach(name, f.final))
	case name.Op == program.OpConst && want:
		// A set that has this many names can't be smaller.
		count := &program.Node{Op: program.OpMaskCount, Kids: []*program.Node{set}}
		has := int64(1)
		for i := range v.p.Values[name.T.ID].Names {
			other := &program.Node{Op: program.OpMaskHas, T: program.FlagType, Kids: []*program.Node{{Op: program.OpConst, T: name.T, N: int64(i)}, set}}
			if int64(i) != name.N && f.flags[key(other)] {
				has++
			}
		}
		v.narrow(f, key(count), span{has, high})
	}
}

// listed: a value is among those written out, or is not.
func (v *prover) listed(f *facts, x *program.Node, list []*program.Node, want bool) {
	for _, e := range list {
		if e.Op != program.OpConst {
			return
		}
	}
	if x.Op == program.OpConst {
		return
	}
	k := key(x)
	if !want {
		for _, e := range list {
			v.not(f, k, e.N)
		}
		return
	}
	s := span{high, low}
	in := map[int64]bool{}
	for _, e := range list {
		s.lo, s.hi = min(s.lo, e.N), max(s.hi, e.N)
		in[e.N] = true
	}
	v.narrow(f, k, s)
	if s.hi-s.lo <= 64 {
		for i := s.lo; i <= s.hi; i++ {
			if !in[i] {
				v.not(f, k, i)
			}
		}
	}
}

func (v *prover) not(f *facts, k string, n int64) {
	if f.holes[k] == nil {
		f.holes[k] = map[int64]bool{}
	}
	f.holes[k][n] = true
}

func (v *prover) narrow(f *facts, k string, s span) {
	old, ok := f.nums[k]
	if !ok {
		old = anything
	}
	f.nums[k] = span{max(old.lo, s.lo), min(old.hi, s.hi)}
}

// compare narrows by a comparison of two values.
func (v *prover) compare(f *facts, a, b *program.Node, rel int) {
	if a.T.List() || b.T.List() {
		return
	}
	a, da := offset(a)
	b, db := offset(b)
	switch {
	case a == nil && b == nil:
		f.no = f.no || rel&order(da, db) == 0
		return
	case a == nil:
		v.bound(f, b, da-db, turned(rel))
		return
	case b == nil:
		v.bound(f, a, db-da, rel)
		return
	}
	ka, kb := key(a), key(b)
	if ka == kb {
		f.no = f.no || rel&order(da, db) == 0
		return
	}
	sa, sb := v.current(f, a, ka), v.current(f, b, kb)
	sa.lo, sa.hi = sat(sa.lo+da), sat(sa.hi+da)
	sb.lo, sb.hi = sat(sb.lo+db), sat(sb.hi+db)
	can := 0
	if sa.lo < sb.hi {
		can |= less
	}
	if sa.hi > sb.lo {
		can |= greater
	}
	if sa.lo <= sb.hi && sb.lo <= sa.hi {
		can |= equal
	}
	rel &= can
	if da == db {
		pair := [2]string{ka, kb}
		r := rel
		if ka > kb {
			pair, r = [2]string{kb, ka}, turned(r)
		}
		if old, ok := f.pairs[pair]; ok {
			r &= old
		}
		f.pairs[pair] = r
		rel = r
		if ka > kb {
			rel = turned(r)
		}
	}
	if rel == 0 {
		f.no = true
		return
	}
	if rel&greater == 0 { // a ≤ b, or a < b
		gap := int64(0)
		if rel&equal == 0 {
			gap = 1
		}
		v.narrow(f, ka, span{low, sat(sb.hi - gap - da)})
		v.narrow(f, kb, span{sat(sa.lo + gap - db), high})
	}
	if rel&less == 0 {
		gap := int64(0)
		if rel&equal == 0 {
			gap = 1
		}
		v.narrow(f, ka, span{sat(sb.lo + gap - da), high})
		v.narrow(f, kb, span{low, sat(sa.hi - gap - db)})
	}
}

// bound narrows by a comparison with a constant.
func (v *prover) bound(f *facts, n *program.Node, c int64, rel int) {
	k := key(n)
	v.narrow(f, k, v.reach(n, f.final))
	switch rel {
	case 0:
		f.no = true
	case less:
		v.narrow(f, k, span{low, c - 1})
	case less | equal:
		v.narrow(f, k, span{low, c})
	case equal:
		v.narrow(f, k, span{c, c})
	case greater:
		v.narrow(f, k, span{c + 1, high})
	case greater | equal:
		v.narrow(f, k, span{c, high})
	case less | greater:
		v.not(f, k, c)
	}
}

// current is what is known of a value so far.
func (v *prover) current(f *facts, n *program.Node, k string) span {
	s := v.reach(n, f.final)
	if old, ok := f.nums[k]; ok {
		s = span{max(s.lo, old.lo), min(s.hi, old.hi)}
	}
	return s
}

// weigh looks for a value that nothing is left for.
func (v *prover) weigh(f *facts) {
	for k, s := range f.nums {
		for s.lo <= s.hi && f.holes[k][s.lo] {
			s.lo++
		}
		for s.hi >= s.lo && f.holes[k][s.hi] {
			s.hi--
		}
		f.nums[k] = s
		if s.lo > s.hi {
			f.no = true
		}
	}
}

func order(a, b int64) int {
	switch {
	case a < b:
		return less
	case a > b:
		return greater
	}
	return equal
}

// turned is how b stands to a where a stands so to b.
func turned(rel int) int {
	out := rel & equal
	if rel&less != 0 {
		out |= greater
	}
	if rel&greater != 0 {
		out |= less
	}
	return out
}

func sat(n int64) int64 { return max(low, min(high, n)) }

// offset takes x + c apart. x is nil for a constant alone.
func offset(n *program.Node) (*program.Node, int64) {
	switch n.Op {
	case program.OpConst:
		if n.T.Several {
			return n, 0 // a set
		}
		return nil, n.N
	case program.OpAdd, program.OpSub:
		a, da := offset(n.Kids[0])
		b, db := offset(n.Kids[1])
		if b == nil && n.Op == program.OpSub {
			return a, sat(da - db)
		}
		if b == nil {
			return a, sat(da + db)
		}
		if a == nil && n.Op == program.OpAdd {
			return b, sat(da + db)
		}
	case program.OpNeg:
		if a, da := offset(n.Kids[0]); a == nil {
			return nil, -da
		}
	}
	return n, 0
}

// reach is what the value of an expression can be in any state.
func (v *prover) reach(n *program.Node, final bool) span {
	if n.T.Base == program.IsFlag && !n.T.Several {
		return span{0, 1}
	}
	if n.T.Base == program.IsOneOf && !n.T.Several {
		return span{-1, int64(len(v.p.Values[n.T.ID].Names)) - 1}
	}
	switch n.T.Base {
	case program.IsObject, program.IsHappening:
		if !n.T.Several {
			return span{-1, high}
		}
	}
	kid := func(i int) span { return v.reach(n.Kids[i], final) }
	switch n.Op {
	case program.OpConst:
		return span{n.N, n.N}
	case program.OpCount:
		if l := n.Kids[0]; l.Op == program.OpList {
			return span{0, int64(len(l.Kids))}
		}
		return span{0, high}
	case program.OpMaskCount:
		s := span{0, 63}
		if t := n.Kids[0].T; t.Mask() {
			s.hi = int64(len(v.p.Values[t.ID].Names))
		}
		return s
	case program.OpTally:
		s := span{0, high}
		if k := n.Kids[1]; k.Constant() && k.N >= 0 && int(k.N) < len(v.p.Tokens) {
			if t := v.p.Tokens[k.N]; t.Limit > 0 {
				s.hi = int64(t.Limit)
			}
		}
		return s
	case program.OpAbilityCount, program.OpFired:
		return span{0, high}
	case program.OpAdd:
		a, b := kid(0), kid(1)
		return span{sat(a.lo + b.lo), sat(a.hi + b.hi)}
	case program.OpSub:
		a, b := kid(0), kid(1)
		return span{sat(a.lo - b.hi), sat(a.hi - b.lo)}
	case program.OpNeg:
		a := kid(0)
		return span{sat(-a.hi), sat(-a.lo)}
	case program.OpAbs:
		a := kid(0)
		s := span{0, max(-a.lo, a.hi)}
		if a.lo > 0 {
			s.lo = a.lo
		} else if a.hi < 0 {
			s.lo = -a.hi
		}
		return s
	case program.OpMul:
		a, b := kid(0), kid(1)
		const small = 1 << 30
		if max(-a.lo, a.hi, -b.lo, b.hi) > small {
			if a.lo >= 0 && b.lo >= 0 {
				return span{0, high}
			}
			return anything
		}
		w, x, y, z := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
		return span{min(w, x, y, z), max(w, x, y, z)}
	case program.OpIf:
		a, b := kid(1), kid(2)
		return span{min(a.lo, b.lo), max(a.hi, b.hi)}
	case program.OpTable:
		t := v.p.Tables[n.N]
		s := span{t.Default, t.Default}
		for _, c := range t.Cells {
			s.lo, s.hi = min(s.lo, c), max(s.hi, c)
		}
		return s
	case program.OpChar:
		return v.charReach(n, final)
	}
	return anything
}

// charReach is what a characteristic can be. Where there may be no object to read
// it of, its empty value is possible whatever its bounds.
func (v *prover) charReach(n *program.Node, final bool) span {
	ch := v.p.Chars[n.N]
	if ch.Type != program.NumberType || ch.Memory || ch.Fact != program.FactNone {
		return anything
	}
	s := anything
	if ch.Value != nil && !ch.Value.Constant() && !ch.Written {
		s = v.shallow(ch.Value, final)
	}
	if final && v.floors {
		if ch.Floor != nil {
			s.lo = max(s.lo, ch.Floor.N)
		}
		if ch.Ceiling != nil {
			s.hi = min(s.hi, ch.Ceiling.N)
		}
	}
	switch n.Kids[0].Op {
	case program.OpElem, program.OpSelf, program.OpGame, program.OpYou:
	default:
		s.lo, s.hi = min(s.lo, 0), max(s.hi, 0)
	}
	return s
}

// shallow is reach for what a characteristic is worked out from: only a count is
// looked into, so that no question goes in circles.
func (v *prover) shallow(n *program.Node, final bool) span {
	switch n.Op {
	case program.OpCount, program.OpMaskCount, program.OpTally, program.OpTable, program.OpAbilityCount:
		return v.reach(n, final)
	}
	return anything
}

// same reports whether two expressions are written alike: then they have the same
// value in one state.
func same(a, b *program.Node) bool { return key(a) == key(b) }

// key writes an expression so that equal ones are equal texts.
func key(n *program.Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *program.Node) {
	if n == nil {
		b.WriteByte('-')
		return
	}
	for _, x := range []int64{int64(n.Op), n.N, n.M} {
		b.WriteString(strconv.FormatInt(x, 36))
		b.WriteByte('.')
	}
	b.WriteByte('(')
	for _, k := range n.Kids {
		write(b, k)
	}
	b.WriteByte(')')
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

// alternatives appends the conditions of which one must hold.
func alternatives(n *program.Node, out []*program.Node) []*program.Node {
	if n.Op == program.OpOr {
		return alternatives(n.Kids[1], alternatives(n.Kids[0], out))
	}
	return append(out, n)
}
