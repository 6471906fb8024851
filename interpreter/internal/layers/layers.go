// Package layers works out the characteristics of everything from a state and
// the continuous effects in it: layer by layer, inside a layer by dependency and
// Timestamp (11.6.1 to 11.6.5 in the rule data that it was made for).
//
// Dependency is found by trial, as the rules define it: apply one effect to the
// present values, ask what the other would do, take it back. What an effect can
// read and write is known beforehand, and only pairs in which one reads what the
// other writes are tried; a property test holds this to the trial of all pairs.
// A graph fixed beforehand would be cheaper still, but whether one effect
// changes what another does hangs on the present values.
package layers

import (
	"math/bits"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Engine is the compiled effects of a program; it is shared by all matches. An
// effect is compiled when a match first has it.
type Engine struct {
	P       *program.Program
	C       *eval.Code
	defs    []atomic.Pointer[def]
	facets  int // words of a set of facets
	of      []facetRange
	ability int // the facet of abilities
	rules   int // the layer that takes prohibitions, or -1

	control     int             // the facet of controllers
	locks       bool            // some effect locks characteristics
	noAbilities bool            // no card has abilities, so that a copy takes over values alone
	printed     []int32         // slots of cards that a copy takes over
	bounded     []*program.Char // characteristics with a floor or ceiling
	cardBounds  []*program.Char // … of cards, held in the row

	mu     sync.Mutex // over what follows, which effects are compiled with
	shapes map[shape]int32
	blocks blocks
}

type facetRange struct{ at, n int }

// facets is a set of single things that can be read or written.
type facets []uint64

func (f facets) put(i int) { f[i>>6] |= 1 << (i & 63) }

func (f facets) meets(g facets) bool {
	for i := range f {
		if f[i]&g[i] != 0 {
			return true
		}
	}
	return false
}

type def struct {
	*program.Effect
	where  eval.Filter
	while  eval.Int
	on     eval.List
	ops    []op
	parts  []part // by layer
	first  int    // the first layer in which it does anything, or -1
	zone   int    // candidates all stand in this zone, or -1
	entity program.Entity
	is     func(*eval.Env, int64) bool
}

type part struct {
	ops    []int
	first  facets // read if the effect begins in this layer: filter, condition, amounts
	later  facets // read if it began before: amounts
	writes facets
	pure   bool // writes no abilities and copies nothing

	fast                 *fastPart
	firstList, laterList []int32 // first and later, one by one
}

type op struct {
	*program.Op
	value eval.Int
	slot  int
	ch    *program.Char
	mods  bool // the characteristic is worked out: changes are kept beside it
	args  []eval.Int
}

// New compiles a program's effects.
func New(p *program.Program, c *eval.Code) *Engine {
	en := &Engine{P: p, C: c, rules: -1}
	n := 1
	en.of = make([]facetRange, len(p.Chars))
	for i, ch := range p.Chars {
		if ch.Action >= 0 || ch.Memory {
			continue
		}
		k := 1
		if ch.Type.Base == program.IsOneOf {
			k = len(p.Values[ch.Type.ID].Names) + 1 // and one for nothing
		}
		if ch.Fact == program.FactAbilities {
			en.ability = n
		}
		en.of[i] = facetRange{n, k}
		n += k
	}
	en.control = n
	en.facets = n/64 + 1
	en.noAbilities = true
	for _, c := range p.Cards {
		en.noAbilities = en.noAbilities && len(c.Abilities) == 0
	}
	for _, ch := range p.Chars {
		if ch.Action >= 0 || ch.Memory {
			continue
		}
		if ch.Entity == program.Card && ch.Printed && ch.Fact == program.FactNone {
			en.printed = append(en.printed, int32(ch.Slot))
			en.noAbilities = en.noAbilities && plain(ch)
		}
		if ch.Floor != nil || ch.Ceiling != nil {
			en.bounded = append(en.bounded, ch)
			if plain(ch) {
				en.cardBounds = append(en.cardBounds, ch)
			}
		}
	}
	for i, l := range p.Layers {
		for _, v := range l.Takes {
			if v == program.VerbProhibit {
				en.rules = i
			}
		}
	}
	en.defs, en.shapes = make([]atomic.Pointer[def], len(p.Effects)), map[shape]int32{}
	for _, e := range p.Effects {
		for k := range e.Ops {
			en.locks = en.locks || e.Ops[k].Verb == program.VerbLock
		}
	}
	return en
}

// def returns an effect, compiled.
func (en *Engine) def(i int32) *def {
	if d := en.defs[i].Load(); d != nil {
		return d
	}
	return en.make(i)
}

func (en *Engine) make(i int32) *def {
	en.mu.Lock()
	defer en.mu.Unlock()
	if d := en.defs[i].Load(); d != nil { // another match was faster
		return d
	}
	d := &def{}
	en.compile(d, en.P.Effects[i])
	for l := range d.parts {
		if pt := &d.parts[l]; len(pt.ops) > 0 {
			en.fast(d, l)
			pt.firstList, pt.laterList = pt.first.each(nil), pt.later.each(nil)
		}
	}
	en.defs[i].Store(d)
	return d
}

func (en *Engine) read(f facets, list []program.Reading) {
	for _, r := range list {
		en.mark(f, r.Char, r.Value)
	}
}

func (en *Engine) mark(f facets, char, value int) {
	r := en.of[char]
	if r.n == 0 {
		return
	}
	if value >= 0 && value < r.n-1 {
		f.put(r.at + value)
		return
	}
	for i := range r.n {
		f.put(r.at + i)
	}
}

func (en *Engine) compile(d *def, e *program.Effect) {
	d.Effect, d.first, d.zone = e, -1, -1
	if e.Where != nil {
		d.where = en.C.Filter(e.Where, 0)
	}
	if e.While != nil {
		d.while = en.C.Int(e.While)
	}
	if e.On != nil {
		d.on = en.C.List(e.On)
	}
	if e.Kind >= 0 {
		d.is = en.C.IsKind(e.Kind)
		d.entity = en.P.Kinds[e.Kind].Entity
		for k := e.Kind; k >= 0; k = en.P.Kinds[k].Parent {
			if z := en.P.Kinds[k].Zone; z >= 0 {
				d.zone = z
			}
		}
	}
	for i := range e.Ops {
		o := op{Op: &e.Ops[i]}
		if o.Value != nil {
			o.value = en.C.Int(o.Value)
		}
		if o.Char >= 0 {
			o.ch = en.P.Chars[o.Char]
			o.slot = o.ch.Slot
			o.mods = o.ch.Value != nil && o.ch.Value.Op != program.OpConst
		}
		if o.Call != nil {
			for _, a := range o.Call.Args {
				o.args = append(o.args, en.C.Int(a))
			}
		}
		d.ops = append(d.ops, o)
	}
	d.parts = make([]part, len(en.P.Layers))
	for l := range d.parts {
		pt := &d.parts[l]
		if len(e.Parts) > l {
			pt.ops = e.Parts[l]
		}
		if len(pt.ops) == 0 {
			continue
		}
		if d.first < 0 {
			d.first = l
		}
		pt.first, pt.later, pt.writes = make(facets, en.facets), make(facets, en.facets), make(facets, en.facets)
		pt.pure = true
		en.read(pt.first, e.Reads)
		if e.Static && e.Parent >= 0 {
			pt.first.put(en.ability)
		}
		for _, i := range pt.ops {
			o := &d.ops[i]
			en.read(pt.first, o.Reads)
			en.read(pt.later, o.Reads)
			switch o.Verb {
			case program.VerbCopy:
				pt.pure = false
				pt.writes.put(en.ability)
				for _, ch := range en.P.Chars {
					if ch.Printed {
						en.mark(pt.writes, ch.Index, -1)
						if en.P.Options.CopiesCurrent {
							en.mark(pt.first, ch.Index, -1)
							en.mark(pt.later, ch.Index, -1)
						}
					}
				}
			case program.VerbProhibit, program.VerbPermit, program.VerbRequire, program.VerbInstead:
			default:
				value := -1
				if (o.Verb == program.VerbAdd || o.Verb == program.VerbRemove) && o.Value != nil && o.Value.Op == program.OpConst && o.Value.N > 0 &&
					bits.OnesCount64(uint64(o.Value.N)) == 1 {
					value = bits.TrailingZeros64(uint64(o.Value.N))
				}
				if o.Value != nil && o.Value.Op == program.OpMaskOf && len(o.Value.Kids) == 1 && o.Value.Kids[0].Op == program.OpConst &&
					(o.Verb == program.VerbAdd || o.Verb == program.VerbRemove) {
					value = int(o.Value.Kids[0].N)
				}
				if o.ch.Fact == program.FactAbilities {
					pt.pure = false
				}
				en.mark(pt.writes, o.Char, value)
			}
		}
	}
}

// Rule is one operation in force that changes how objects can interact.
type Rule struct {
	Effect int32
	Op     int32
}

// NewGrant is a keyword or copied card that an effect now gives and that has no
// record yet.
type NewGrant struct {
	Effect, Op, Object, Keyword, Card int32
	Frame                             []state.Val
}

// Result is what one computation found beside the values.
type Result struct {
	Rules    [][]Rule  // by action, in the order in which they were applied
	Attended [][]int32 // by action: effects that change its attributes
	Holders  []int32   // effects in force that hold triggers
	Begun    []int32   // effects whose condition is true for the first time
	New      []NewGrant
	Lost     []int32 // grants that no effect gives any more
	Once     []NewGrant
	Ended    []int32 // granted keywords that an effect takes away
	Targets  [][]int64
}

// Trace is told what happens, for explanations; it is nil in play.
type Trace interface {
	Base(object int64, ch *program.Char, value int64)
	// Applied tells what an operation made of a value; amount is what it works with.
	Applied(layer int, effect int32, op int, object int64, ch *program.Char, amount, before, after int64)
	// Waits tells that an effect let a younger one that it depends on go first, and to
	// which objects it does another thing since.
	Waits(layer int, effect, for_ int32, moved []int64)
	Ring(layer int, members []int32)
	Skipped(layer int, effect int32, why string)
	// Reached tells of each layer that an effect has a part in, before the part is
	// applied, and of the first layer of one that has not begun.
	Reached(layer int, effect int32, applies bool, targets []int64)
	Floor(layer int, object int64, ch *program.Char, before, after int64)
}

// Run is the memory of computations for one match.
type Run struct {
	en     *Engine
	e      *eval.Env
	s      *state.State
	b      *eval.Board
	res    *Result
	trace  Trace
	slowly bool // go the general way throughout
	full   bool // try every pair (the reference that tests hold the rest to)
	order  []int32
	begun  []runState // by effect
	pool   []int32
	undo   []undone
	log    bool
	active []bool // by grant
	layer  int
	edges  []bool
	forced []int8
	before []outcome
	after  outcome

	Counters Counters

	t        table
	of       *state.State // the state that the units belong to
	q        order
	uses     []int32 // by shape, while a plan is made
	words    int     // of a set of objects
	zones    bitset  // cards there, and cards by zone: words for each
	cardSize int     // of a card's row
	lock     int     // slot of the locks in a card's row
	ran      []bool  // by layer: it went the fast way in the computation under way
	told     told
	block    []unit // units to come
	bits     bitset // and their sets
	fillCtx  ctx
	fol      follower
}

type runState struct {
	state   uint8 // 0 not reached, 1 applies, 2 does not
	unit    *unit // where it went the fast way: holds the targets until somebody asks
	targets []int64
}

type undone struct {
	at  int32 // index into Vals, or -1-grant
	old int64
}

// NewRun makes the memory for one match.
func (en *Engine) NewRun() *Run { return &Run{en: en, res: &Result{}, told: told{all: true}} }

// Again makes the run as good as new, for another match; only its memory is kept.
func (r *Run) Again() {
	r.Forget()
	r.of, r.fol.on, r.slowly, r.full = nil, false, false, false
}

// TryAll makes the run try every pair of a layer, whatever the pairs read and
// write.
func (r *Run) TryAll(on bool) { r.full = on }

// General makes the run work every layer out the general way, by closures.
func (r *Run) General(on bool) { r.slowly = on }

// Compute works out the board of e.S into b and returns what else it found; the
// result is good until the next call.
//
// Where it was told exactly what has changed since the last call, it works out
// only what that reaches; a run that was told nothing starts from nothing.
func (r *Run) Compute(e *eval.Env, b *eval.Board, trace Trace) *Result {
	if r.canFollow(e, b, trace) {
		if res := r.follow(e, b); res != nil {
			return res
		}
	}
	r.e, r.s, r.b, r.trace = e, e.S, b, trace
	p := r.en.P
	e.B = b
	res := r.res
	if len(res.Rules) != len(p.Actions) {
		res.Rules, res.Attended = make([][]Rule, len(p.Actions)), make([][]int32, len(p.Actions))
	}
	for i := range res.Rules {
		res.Rules[i], res.Attended[i] = res.Rules[i][:0], res.Attended[i][:0]
	}
	res.Holders, res.Begun, res.New, res.Lost = res.Holders[:0], res.Begun[:0], res.New[:0], res.Lost[:0]
	res.Once, res.Ended = res.Once[:0], res.Ended[:0]
	r.Counters.Full++
	r.rows()
	r.sortEffects()
	r.begin()
	if cap(r.active) < len(r.s.Grants) {
		r.active = make([]bool, len(r.s.Grants)*2)
	}
	r.active = r.active[:len(r.s.Grants)]
	clear(r.active)
	b.Floors = false
	r.fol.on = false
	// Told well once: it will be again. With many effects it pays to be ready
	// for that, unless it was in vain several times.
	keep := (!r.told.all || len(r.order) >= minKept && r.fol.vain < maxVain) && r.canKeep()
	for l := range p.Layers {
		if keep {
			r.keep(l)
		}
		r.runLayer(l)
		if keep {
			r.applied(l)
		}
	}
	b.Floors = true
	if keep {
		r.kept()
	}
	r.told.all = false
	r.told.objects, r.told.effects = r.told.objects[:0], r.told.effects[:0]
	r.collect()
	return res
}

// rows fills in what is printed.
func (r *Run) rows() {
	p, s, b := r.en.P, r.s, r.b
	if cap(b.Off) < len(s.Objects) {
		b.Off = make([]int32, len(s.Objects)*2)
	}
	b.Off = b.Off[:len(s.Objects)]
	need := 0
	for i := range s.Objects {
		need += p.RowSize[s.Objects[i].Entity]
	}
	if cap(b.Vals) < need {
		b.Vals = make([]int64, 0, need+need/2)
	}
	vals := b.Vals[:0]
	for i := range s.Objects {
		o := &s.Objects[i]
		size := p.RowSize[o.Entity]
		if o.Gone || size == 0 {
			b.Off[i] = -1
			continue
		}
		at := len(vals)
		b.Off[i] = int32(at)
		vals = append(vals, r.en.C.BaseRow(s, int64(i))...)
		if r.trace != nil {
			for slot, ch := range p.RowChars[o.Entity] {
				if ch >= 0 && (p.Chars[ch].Value == nil || p.Chars[ch].Value.Op == program.OpConst) {
					r.trace.Base(int64(i), p.Chars[ch], vals[at+slot])
				}
			}
		}
	}
	b.Vals = vals
}

// sortEffects puts the effects in being in order of Timestamp; those that have
// not begun come last, in order of creation.
func (r *Run) sortEffects() {
	r.sortOrder()
	for len(r.begun) < len(r.s.Effects) {
		r.begun = append(r.begun, runState{})
	}
	for _, i := range r.order {
		r.begun[i].state = 0
		r.begun[i].unit = nil
		r.begun[i].targets = r.begun[i].targets[:0]
	}
}

func (r *Run) sortOrder() {
	r.fol.unsorted = false
	r.order = append(r.order[:0], r.s.Live...)
	effs := r.s.Effects
	for i := 1; i < len(r.order); i++ { // nearly always sorted already
		for j := i; j > 0 && older(effs, r.order[j], r.order[j-1]); j-- {
			r.order[j], r.order[j-1] = r.order[j-1], r.order[j]
		}
	}
}

func older(effs []state.Effect, a, b int32) bool {
	x, y := &effs[a], &effs[b]
	if x.Stamp != y.Stamp {
		if x.Stamp == 0 || y.Stamp == 0 {
			return y.Stamp == 0
		}
		return x.Stamp < y.Stamp
	}
	return a < b
}

// enter makes an effect's source, player and captured values the surroundings.
func (r *Run) enter(i int32) {
	x := &r.s.Effects[i]
	r.e.Self, r.e.L, r.e.Act = int64(x.Source), x.Frame, x.Act
	r.e.You = int64(x.You)
	if x.You < 0 {
		r.e.You = r.e.Controller(int64(x.Source))
	}
}

// present reports whether the ability that an effect comes from is there.
func (r *Run) present(i int32) bool {
	x := &r.s.Effects[i]
	if x.Bit < 0 {
		return true
	}
	if x.Origin >= 0 {
		if !r.active[x.Origin] {
			return false
		}
		if g := &r.s.Grants[x.Origin]; g.Card >= 0 { // copied abilities act from the next layer on
			def := r.en.def(r.s.Effects[g.Effect].Def)
			if def.ops[g.Op].Layer >= r.layer {
				return false
			}
		}
	}
	off := r.b.Off[x.Source]
	if off < 0 {
		return false
	}
	return uint64(r.b.Vals[int(off)+r.en.P.AbilSlot])>>x.Bit&1 != 0
}

// applies reports whether an effect that is reached for the first time applies.
func (r *Run) applies(i int32, d *def) bool {
	if !r.present(i) {
		return false
	}
	if d.while == nil {
		return true
	}
	r.enter(i)
	return d.while(r.e) != 0
}

// outcome is what an effect would do: whether it applies, to what, with which
// amounts.
type outcome struct {
	applies bool
	targets []int64
	amounts []int64
}

// moved lists the objects to which one outcome does something else than another.
func (a *outcome) moved(b *outcome) []int64 {
	did := func(o *outcome) map[int64][]int64 {
		m := map[int64][]int64{}
		for i, t := range o.targets {
			if n := len(o.amounts) / len(o.targets); o.applies {
				m[t] = o.amounts[i*n : (i+1)*n]
			}
		}
		return m
	}
	was, is := did(a), did(b)
	var out []int64
	for t, x := range was {
		if y, ok := is[t]; !ok || !slices.Equal(x, y) {
			out = append(out, t)
		}
	}
	for t := range is {
		if _, ok := was[t]; !ok {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}

func (a *outcome) equal(b *outcome) bool {
	if a.applies != b.applies {
		return false
	}
	if !a.applies {
		return true
	}
	if len(a.targets) != len(b.targets) || len(a.amounts) != len(b.amounts) {
		return false
	}
	for i := range a.targets {
		if a.targets[i] != b.targets[i] {
			return false
		}
	}
	for i := range a.amounts {
		if a.amounts[i] != b.amounts[i] {
			return false
		}
	}
	return true
}

// judge works out what the layer's part of an effect would do now.
func (r *Run) judge(i int32, out *outcome) {
	x := &r.s.Effects[i]
	d := r.en.def(x.Def)
	st := &r.begun[i]
	out.targets, out.amounts = out.targets[:0], out.amounts[:0]
	if st.state != 0 && !r.en.P.Options.ReadAfresh {
		out.applies = st.state == 1
		out.targets = append(out.targets, st.found(r.s.Objects)...)
	} else {
		out.applies = r.applies(i, d)
		if out.applies {
			out.targets = r.find(i, d, out.targets)
		}
	}
	if !out.applies {
		return
	}
	r.enter(i)
	old := r.e.Enter()
	for _, t := range out.targets {
		r.e.Push(t)
		for _, k := range d.parts[r.layer].ops {
			out.amounts = append(out.amounts, r.amount(&d.ops[k], t))
		}
		r.e.Pop()
	}
	r.e.Leave(old)
}

// amount is the number with which an operation works on a target.
func (r *Run) amount(o *op, t int64) int64 {
	switch {
	case o.Verb == program.VerbCopy:
		if r.en.P.Options.CopiesCurrent {
			return r.copied(o.value(r.e))
		}
		return o.value(r.e) // what is printed on it does not change
	case o.value != nil:
		return o.value(r.e)
	case len(o.args) > 0:
		h := int64(0)
		for _, a := range o.args {
			h = h*31 + a(r.e)
		}
		return h
	}
	return 0
}

// copied sums up what a copy would take over as it stands.
func (r *Run) copied(from int64) int64 {
	h := from
	for _, ch := range r.en.P.Chars {
		if ch.Entity == program.Card && ch.Printed && from >= 0 {
			h = h*1099511628211 + r.e.Char(from, ch).N
		}
	}
	return h
}

// find lists the objects that an effect finds now.
func (r *Run) find(i int32, d *def, out []int64) []int64 {
	x := &r.s.Effects[i]
	switch d.Target {
	case program.TargetSelf:
		if o := &r.s.Objects[x.Source]; !o.Gone {
			out = append(out, int64(x.Source))
		}
	case program.TargetFixed:
		if !d.Static {
			for _, o := range x.Objects {
				if !r.s.Objects[o].Gone {
					out = append(out, o)
				}
			}
			return out
		}
		r.enter(i)
		mark := r.e.Mark()
		for _, o := range d.on(r.e) {
			if o >= 0 && !r.s.Objects[o].Gone {
				out = append(out, o)
			}
		}
		r.e.Release(mark)
	case program.TargetEach:
		if d.Kind < 0 {
			return out
		}
		if x.Objects != nil { // a resolved effect that keeps the objects it found
			for _, o := range x.Objects {
				if !r.s.Objects[o].Gone {
					out = append(out, o)
				}
			}
			return out
		}
		r.enter(i)
		old := r.e.Enter()
		r.e.Push(0)
		around := d.where.Begin(r.e)
		if d.zone >= 0 {
			for k := range 3 {
				for _, o := range r.s.Piles[d.zone*3+k] {
					out = r.candidate(d, int64(o), out)
				}
			}
		} else {
			for o := range r.s.Objects {
				if ob := &r.s.Objects[o]; ob.Entity == d.entity && !ob.Gone {
					out = r.candidate(d, int64(o), out)
				}
			}
		}
		d.where.End(r.e, around)
		r.e.Pop()
		r.e.Leave(old)
	}
	return out
}

func (r *Run) candidate(d *def, o int64, out []int64) []int64 {
	if !d.is(r.e, o) {
		return out
	}
	if d.where != nil {
		r.e.Replace(o)
		if !d.where.Pass(r.e, o) {
			return out
		}
	}
	return append(out, o)
}

// runLayer applies one layer.
func (r *Run) runLayer(l int) {
	r.layer = l
	if r.fastLayer(l) {
		r.runFast(l)
		r.waiting(l)
		if r.en.P.Layers[l].FloorsEnd {
			r.floors()
		}
		return
	}
	r.pool = r.pool[:0]
	pairs := false
	for _, i := range r.order {
		x := &r.s.Effects[i]
		d := r.en.def(x.Def)
		if len(d.parts[l].ops) == 0 || d.Action >= 0 {
			continue
		}
		if x.Stamp == 0 {
			continue
		}
		r.pool = append(r.pool, i)
	}
	if r.en.P.Layers[l].NewestFirst {
		for i, j := 0, len(r.pool)-1; i < j; i, j = i+1, j-1 {
			r.pool[i], r.pool[j] = r.pool[j], r.pool[i]
		}
	}
	if len(r.pool) > 1 && !r.en.P.Options.NoDependency {
		pairs = r.full || r.anyPair()
	}
	if !pairs {
		for _, i := range r.pool {
			r.apply(i, nil)
		}
	} else {
		r.byDependency()
	}
	r.waiting(l)
	if r.en.P.Layers[l].FloorsEnd {
		r.floors()
	}
}

// waiting finds effects that have not begun and whose condition is now true.
func (r *Run) waiting(l int) {
	for k := len(r.order) - 1; k >= 0; k-- {
		i := r.order[k]
		x := &r.s.Effects[i]
		if x.Stamp != 0 {
			return
		}
		d := r.en.def(x.Def)
		if d.first == l && d.Action < 0 && r.applies(i, d) {
			r.res.Begun = append(r.res.Begun, i)
		} else if r.trace != nil && d.first == l {
			r.trace.Reached(l, i, false, nil)
		}
	}
}

// reads is what the layer's part of an effect can read now.
func (r *Run) reads(i int32) facets {
	pt := r.en.def(r.s.Effects[i].Def).parts[r.layer]
	if r.begun[i].state != 0 && !r.en.P.Options.ReadAfresh {
		return pt.later
	}
	return pt.first
}

func (r *Run) writes(i int32) facets { return r.en.def(r.s.Effects[i].Def).parts[r.layer].writes }

// mayDepend reports whether a can depend on b at all.
func (r *Run) mayDepend(a, b int32) bool {
	return r.full || r.reads(a).meets(r.writes(b))
}

func (r *Run) anyPair() bool {
	for _, a := range r.pool {
		f := r.reads(a)
		for _, b := range r.pool {
			if a != b && f.meets(r.writes(b)) {
				return true
			}
		}
	}
	return false
}

// byDependency applies the pool one by one: of the effects left, those that wait
// for nothing are candidates, and the first of them by Timestamp is applied. The
// members of a ring wait for each other by age alone once the first of them is
// applied.
func (r *Run) byDependency() {
	n := len(r.pool)
	r.e.Spend(2 * n * n)   // which effects may wait for which is asked of every pair
	left := make([]int, n) // positions in the pool
	for i := range left {
		left[i] = i
	}
	if len(r.edges) < n*n {
		r.edges, r.forced = make([]bool, n*n), make([]int8, n*n)
	}
	clear(r.forced[:n*n])
	if len(r.before) < n {
		r.before = append(r.before, make([]outcome, n-len(r.before))...)
	}
	once := r.en.P.Options.JudgedOnce
	if once {
		r.judgeAll(left, n)
	}
	for len(left) > 0 {
		if !once {
			r.judgeAll(left, n)
		}
		g := graph{n: n, left: left, edges: r.edges, forced: r.forced}
		at, members := g.next()
		if len(members) > 1 {
			g.settle(members)
			if r.trace != nil {
				list := make([]int32, len(members))
				for k, m := range members {
					list[k] = r.pool[m]
				}
				r.trace.Ring(r.layer, list)
			}
		}
		if r.trace == nil {
			r.apply(r.pool[at], nil)
		} else {
			r.applyTold(at, func(a int) bool { return a < at && g.waits(a, at) }, left)
		}
		for k, a := range left {
			if a == at {
				left = append(left[:k], left[k+1:]...)
				break
			}
		}
	}
}

// applyTold applies an effect of the pool and tells which of those left waited for it.
func (r *Run) applyTold(at int, waits func(a int) bool, left []int) {
	was := map[int]outcome{}
	for _, a := range left {
		if waits(a) {
			var o outcome
			r.judge(r.pool[a], &o)
			was[a] = o
		}
	}
	r.apply(r.pool[at], nil)
	for _, a := range left {
		if o, ok := was[a]; ok {
			var is outcome
			r.judge(r.pool[a], &is)
			r.trace.Waits(r.layer, r.pool[a], r.pool[at], o.moved(&is))
		}
	}
}

// judgeAll finds what depends on what among the effects left.
func (r *Run) judgeAll(left []int, n int) {
	for _, a := range left {
		for _, b := range left {
			r.edges[a*n+b] = false
		}
		r.before[a].applies = false
		need := false
		for _, b := range left {
			need = need || a != b && (r.mayDepend(r.pool[a], r.pool[b]) || r.mayDepend(r.pool[b], r.pool[a]))
		}
		if need {
			r.judge(r.pool[a], &r.before[a])
		}
	}
	for _, b := range left {
		tried := false
		for _, a := range left {
			if a == b || !r.mayDepend(r.pool[a], r.pool[b]) {
				continue
			}
			if !tried {
				if !r.before[b].applies || len(r.before[b].targets) == 0 {
					break // it would change nothing
				}
				r.log = true
				r.apply(r.pool[b], &r.before[b])
				r.log, tried = false, true
			}
			r.judge(r.pool[a], &r.after)
			r.edges[a*n+b] = !r.before[a].equal(&r.after)
		}
		if tried {
			r.takeBack()
		}
	}
}

func (r *Run) takeBack() {
	for k := len(r.undo) - 1; k >= 0; k-- {
		u := r.undo[k]
		if u.at < 0 {
			r.active[-1-u.at] = u.old != 0
		} else {
			r.b.Vals[u.at] = u.old
		}
	}
	r.undo = r.undo[:0]
}

func (r *Run) write(at int, v int64) {
	if r.log {
		r.undo = append(r.undo, undone{int32(at), r.b.Vals[at]})
	}
	r.b.Vals[at] = v
}

// apply carries out the layer's part of an effect; known is what it does, if
// that is known already.
func (r *Run) apply(i int32, known *outcome) {
	if known == nil {
		known = &r.after
		r.judge(i, known)
	}
	d := r.en.def(r.s.Effects[i].Def)
	if !r.log {
		st := &r.begun[i]
		if st.state == 0 {
			st.state = 2
			if known.applies {
				st.state = 1
				st.targets = append(st.targets, known.targets...)
			}
		}
		if r.trace != nil {
			r.trace.Reached(r.layer, i, known.applies, known.targets)
		}
		if !known.applies && r.trace != nil {
			why := "condition"
			if !r.present(i) {
				why = "ability"
			}
			r.trace.Skipped(r.layer, i, why)
		}
	}
	if !known.applies {
		return
	}
	ops := d.parts[r.layer].ops
	if r.layer == r.en.rules {
		if !r.log {
			for _, k := range ops {
				if a := d.ops[k].Pattern.Action; a >= 0 {
					r.res.Rules[a] = append(r.res.Rules[a], Rule{i, int32(k)})
				}
			}
		}
		return
	}
	at := 0
	for _, t := range known.targets {
		off := int(r.b.Off[t])
		for _, k := range ops {
			amount := known.amounts[at]
			at++
			if off >= 0 {
				r.do(i, k, &d.ops[k], t, off, amount)
			}
		}
	}
}

func (r *Run) do(i int32, k int, o *op, t int64, off int, amount int64) {
	p := r.en.P
	entity := r.s.Objects[t].Entity
	lock := off + p.LockSlot[entity]
	if o.Verb == program.VerbCopy {
		r.copy(i, k, o, t, off)
		return
	}
	if o.ch.Entity != entity {
		return
	}
	if o.ch.Fact == program.FactAbilities {
		r.abilities(i, k, o, t, off)
		return
	}
	if r.b.Vals[lock]&(1<<(o.slot&63)) != 0 {
		return
	}
	if o.Verb == program.VerbLock {
		r.write(lock, r.b.Vals[lock]|1<<(o.slot&63))
		return
	}
	var before int64
	if r.trace != nil && !r.log {
		before = r.e.Char(t, o.ch).N
	}
	at := off + o.slot
	if o.mods {
		r.modify(o, at, amount)
	} else {
		v := r.b.Vals[at]
		switch o.Verb {
		case program.VerbSet:
			v = amount
		case program.VerbRaise:
			v = r.e.Add(v, amount)
		case program.VerbLower:
			v = r.e.Sub(v, amount)
		case program.VerbAdd:
			v |= amount
		case program.VerbRemove:
			v &^= amount
		case program.VerbStrip:
			v = 0
		}
		if p.Layers[r.layer].FloorsEach {
			v = eval.Bound(o.ch, v)
		}
		r.write(at, v)
	}
	if r.trace != nil && !r.log {
		r.trace.Applied(r.layer, i, k, t, o.ch, amount, before, r.e.Char(t, o.ch).N)
	}
}

// modify notes a change beside a worked-out characteristic.
func (r *Run) modify(o *op, at int, amount int64) {
	v := r.b.Vals
	switch o.Verb {
	case program.VerbSet:
		r.write(at, 1)
		r.write(at+1, amount)
		r.write(at+2, 0)
		if o.ch.Type.Mask() {
			r.write(at+2, -1&^amount)
		}
	case program.VerbRaise:
		r.write(at+2, r.e.Add(v[at+2], amount))
	case program.VerbLower:
		r.write(at+2, r.e.Sub(v[at+2], amount))
	case program.VerbAdd:
		r.write(at+1, v[at+1]|amount)
		r.write(at+2, v[at+2]&^amount)
	case program.VerbRemove:
		r.write(at+1, v[at+1]&^amount)
		r.write(at+2, v[at+2]|amount)
	case program.VerbStrip:
		r.write(at, 1)
		r.write(at+1, 0)
		r.write(at+2, -1)
	}
	if r.en.P.Layers[r.layer].FloorsEach && (o.ch.Floor != nil || o.ch.Ceiling != nil) {
		// What a floor after each change leaves is a value of its own.
		x := eval.Bound(o.ch, r.e.Char(r.owner(at), o.ch).N)
		r.write(at, 1)
		r.write(at+1, x)
		r.write(at+2, 0)
	}
}

// owner finds the object whose row holds an index.
func (r *Run) owner(at int) int64 {
	i := sort.Search(len(r.b.Off), func(i int) bool { return int(r.b.Off[i]) > at })
	for i--; i >= 0; i-- {
		if r.b.Off[i] >= 0 && int(r.b.Off[i]) <= at {
			return int64(i)
		}
	}
	return state.None
}

// floors applies floors and ceilings to what is kept in rows; worked-out values
// get theirs as they are read, from here on.
func (r *Run) floors() {
	r.b.Floors = true
	for _, ch := range r.en.bounded {
		if r.trace == nil && ch.Value != nil && ch.Value.Op != program.OpConst {
			continue
		}
		for i := range r.s.Objects {
			off := r.b.Off[i]
			if r.s.Objects[i].Entity != ch.Entity || off < 0 {
				continue
			}
			if ch.Value != nil && ch.Value.Op != program.OpConst {
				if r.trace != nil {
					r.b.Floors = false
					before := r.e.Char(int64(i), ch).N
					r.b.Floors = true
					if v := eval.Bound(ch, before); v != before {
						r.trace.Floor(r.layer, int64(i), ch, before, v)
					}
				}
				continue
			}
			at := int(off) + ch.Slot
			v := eval.Bound(ch, r.b.Vals[at])
			if v != r.b.Vals[at] && r.trace != nil {
				r.trace.Floor(r.layer, int64(i), ch, r.b.Vals[at], v)
			}
			r.b.Vals[at] = v
		}
	}
}

// collect finds the rest that is in force: effects on actions and effects that
// hold triggers; and grants that have been lost.
func (r *Run) collect() {
	r.layer = len(r.en.P.Layers)
	for _, i := range r.order {
		x := &r.s.Effects[i]
		d := r.en.def(x.Def)
		if d.Action < 0 && len(d.Triggers) == 0 {
			continue
		}
		on := r.begun[i].state == 1
		if r.begun[i].state == 0 || d.Action >= 0 {
			on = r.applies(i, d)
		}
		if !on {
			continue
		}
		if x.Stamp == 0 {
			if d.Action >= 0 || d.first < 0 {
				r.res.Begun = append(r.res.Begun, i)
			}
			continue
		}
		if d.Action >= 0 {
			r.res.Attended[d.Action] = append(r.res.Attended[d.Action], i)
		}
		if len(d.Triggers) > 0 {
			r.res.Holders = append(r.res.Holders, i)
		}
	}
	for g := range r.s.Grants {
		if !r.s.Grants[g].Lost && !r.active[g] {
			r.res.Lost = append(r.res.Lost, int32(g))
		}
	}
}

// Silent is a Trace that hears nothing; others embed it.
type Silent struct{}

// Base implements Trace.
func (Silent) Base(int64, *program.Char, int64) {}

// Applied implements Trace.
func (Silent) Applied(int, int32, int, int64, *program.Char, int64, int64, int64) {}

// Waits implements Trace.
func (Silent) Waits(int, int32, int32, []int64) {}

// Ring implements Trace.
func (Silent) Ring(int, []int32) {}

// Skipped implements Trace.
func (Silent) Skipped(int, int32, string) {}

// Reached implements Trace.
func (Silent) Reached(int, int32, bool, []int64) {}

// Floor implements Trace.
func (Silent) Floor(int, int64, *program.Char, int64, int64) {}
