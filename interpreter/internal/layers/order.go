package layers

import (
	"math/bits"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// order puts the units of one layer in order and applies them: it tries a pair
// only where one reads what the other writes, only on the objects affected, and
// only until it is settled which comes next. What a unit would do, and what
// would become of it if an object changed in a way that many units change
// objects, is kept until something that it reads has changed.
type order struct {
	r    *Run
	vals []int64 // the rows as they change
	ref  []int64 // the rows that trials look at: vals, or a copy if dependency is judged once

	frozen  []int64
	once    bool
	layer   []*unit
	plan    *plan
	done    []bool
	step    int32
	changed []int32  // by facet: the last step at which it changed
	next    []int32  // linked list of slots not yet applied; next[0] is the head
	cache   []cached // by slot: what the unit would do
	witness []*unit  // by slot: the last unit seen to block it
	whatIfs [][]whatIf
	direct  whatIf
	graph   cycles
	scratch []int64 // a row
	touched facets
	seq     []*unit // in the order applied
	tries   int     // trials on an object made since the layer began

	tryCtx, hitCtx ctx // kept here so that a trial takes no memory
	hitCnt         [maxCounts]int64
	after, fixed   outcomeOf
}

type cached struct {
	step int32 // the step at which o was worked out, or -1
	seen int32 // the last step at which o was known to be right
	o    outcomeOf
}

// layerRows returns the row of an object.
func (r *Run) row(vals []int64, o int32) []int64 {
	off := int(r.b.Off[o])
	return vals[off : off+r.cardSize]
}

// context fills in what a unit's tests read beside the object.
func (r *Run) context(u *unit, vals []int64, x *ctx, cnt *[maxCounts]int64) {
	x.self, x.cnt = u.source, cnt
	x.own, x.you, x.selfRow = -1, u.you, nil
	if u.source < 0 {
		return
	}
	if o := &r.s.Objects[u.source]; o.Entity == program.Card {
		x.own = o.Controller
		if r.b.Off[u.source] >= 0 {
			x.selfRow = r.row(vals, u.source)
		}
	} else if u.f.relation {
		x.own = int32(r.e.Controller(int64(u.source)))
	}
	if x.you < 0 {
		x.you = x.own
	}
}

// usable reports whether what a unit stands on is there; otherwise its layer
// goes the general way.
func (r *Run) usable(u *unit) bool {
	if u.f.self || u.bit >= 0 {
		if u.source < 0 || r.s.Objects[u.source].Entity != program.Card || r.b.Off[u.source] < 0 {
			return u.source >= 0 && r.s.Objects[u.source].Entity == program.Card && !u.f.self // gone: its ability is not there
		}
	}
	if u.f.copies && (u.from < 0 || r.s.Objects[u.from].Entity != program.Card || r.b.Off[u.from] < 0) {
		return false
	}
	if u.target == program.TargetFixed || u.target == program.TargetSelf {
		return r.cardsOnly(u)
	}
	return true
}

// cardsOnly reports whether all that a unit names is cards.
func (r *Run) cardsOnly(u *unit) bool {
	if len(u.f.ops) == 0 {
		return true
	}
	if u.target == program.TargetSelf {
		return u.source >= 0 && r.s.Objects[u.source].Entity == program.Card
	}
	for w, word := range u.members {
		for ; word != 0; word &= word - 1 {
			if r.s.Objects[w*64+bits.TrailingZeros64(word)].Entity != program.Card {
				return false
			}
		}
	}
	return true
}

// zoneSet is the cards of a zone, or all cards that are there for -1.
func (r *Run) zoneSet(zone int32) bitset {
	w := r.words
	return r.zones[int(zone+1)*w : int(zone+2)*w]
}

// fill works out what a unit does on the rows given.
func (r *Run) fill(u *unit, vals []int64, o *outcomeOf) {
	if len(o.targets) != r.words {
		o.targets = r.newSet(o.targets)
	}
	r.globals(u, vals, o)
	r.targetsOf(u, vals, o)
}

// newSet makes an empty set of objects, out of a block where it needs memory.
func (r *Run) newSet(old bitset) bitset {
	if cap(old) >= r.words {
		return sized(old, r.words)
	}
	if len(r.bits) < r.words {
		r.bits = make(bitset, 64*r.words)
	}
	s := r.bits[:r.words:r.words]
	r.bits = r.bits[r.words:]
	return s
}

// globals works out whether a unit applies and the numbers that it reads of
// other objects than the one it affects.
func (r *Run) globals(u *unit, vals []int64, o *outcomeOf) {
	f, x := u.f, &r.fillCtx
	r.context(u, vals, x, &o.cnt)
	for k := range f.counts {
		o.cnt[k] = r.tally(&f.counts[k], x, vals)
	}
	if u.head != nil {
		o.gate = u.head.rec.gate
	} else {
		o.gate = r.gate(u, x)
	}
	r.params(u, x, o)
	if f.copies {
		o.copied = append(o.copied[:0], r.row(vals, u.from)...)
	}
}

func (r *Run) tally(c *counted, x *ctx, vals []int64) int64 {
	n := int64(0)
	for w, word := range r.zoneSet(c.zone) {
		if len(c.tests) == 0 {
			n += int64(bits.OnesCount64(word))
			continue
		}
		for ; word != 0; word &= word - 1 {
			i := int32(w*64 + bits.TrailingZeros64(word))
			if c.match(x, i, r.s.Objects[i].Controller, r.row(vals, i)) {
				n++
			}
		}
	}
	return n
}

func (r *Run) gate(u *unit, x *ctx) bool {
	if u.bit >= 0 && (x.selfRow == nil || uint64(x.selfRow[r.en.P.AbilSlot])>>u.bit&1 == 0) {
		return false
	}
	for _, g := range u.f.gate {
		if g(x, nil) == 0 {
			return false
		}
	}
	return true
}

func (r *Run) params(u *unit, x *ctx, o *outcomeOf) {
	for k := range u.f.ops {
		if op := &u.f.ops[k]; op.amount == amountGlobal {
			o.par[k] = op.num(x, nil)
		} else {
			o.par[k] = op.n
		}
	}
}

func (r *Run) targetsOf(u *unit, vals []int64, o *outcomeOf) {
	if u.head != nil {
		copy(o.targets, u.head.rec.targets)
		return
	}
	clear(o.targets)
	switch u.target {
	case program.TargetSelf:
		if !r.s.Objects[u.source].Gone {
			o.targets.put(u.source)
		}
		return
	case program.TargetFixed:
		for w, word := range u.members {
			for ; word != 0; word &= word - 1 {
				if i := int32(w*64 + bits.TrailingZeros64(word)); !r.s.Objects[i].Gone {
					o.targets.put(i)
				}
			}
		}
		return
	case program.TargetEach:
	default:
		return
	}
	f := u.f
	zone := r.zoneSet(f.zone)
	if len(f.where.tests) == 0 {
		copy(o.targets, zone)
		return
	}
	x := &r.fillCtx // as globals left it
	objects, off, size := r.s.Objects, r.b.Off, r.cardSize
	for w, word := range zone {
		hits := uint64(0)
		for m := word; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			i := int32(w*64 + bit)
			at := int(off[i])
			if f.where.match(x, i, objects[i].Controller, vals[at:at+size]) {
				hits |= 1 << bit
			}
		}
		o.targets[w] = hits
	}
}

// matches reports whether a unit affects an object, given its row and controller.
func (r *Run) matches(u *unit, x *ctx, o, ctl int32, row []int64) bool {
	return r.zoneSet(u.f.zone).has(o) && u.f.where.match(x, o, ctl, row)
}

// change changes the row of one object as a unit does.
func (r *Run) change(u *unit, row []int64, o *outcomeOf) {
	f := u.f
	if f.copies {
		lock := row[r.lock]
		for _, s := range r.en.printed {
			if lock&(1<<(s&63)) == 0 {
				row[s] = o.copied[s]
			}
		}
		return
	}
	par := &o.par
	if f.perTarget {
		own := o.par
		for k := range f.ops {
			if op := &f.ops[k]; op.amount == amountTarget {
				own[k] = op.num(nil, row)
			}
		}
		par = &own
	}
	for k := range f.ops {
		op := &f.ops[k]
		if r.en.locks {
			if row[r.lock]&(1<<(op.slot&63)) != 0 {
				continue
			}
			if op.verb == program.VerbLock {
				row[r.lock] |= 1 << (op.slot & 63)
				continue
			}
		}
		v := &row[op.slot]
		switch op.verb {
		case program.VerbRaise:
			*v = r.e.Add(*v, par[k])
		case program.VerbLower:
			*v = r.e.Sub(*v, par[k])
		case program.VerbSet:
			*v = par[k]
		case program.VerbAdd:
			*v |= par[k]
		case program.VerbRemove:
			*v &^= par[k]
		case program.VerbStrip:
			*v = 0
		}
	}
}

// touch notes the facets in which two rows differ, as far as a unit can have
// changed them.
func (r *Run) touch(u *unit, t facets, was, now []int64) {
	if u.f.copies {
		for _, s := range r.en.printed {
			if was[s] != now[s] {
				ch := r.en.P.Chars[r.en.P.RowChars[program.Card][s]]
				r.touchSlot(t, r.en.of[ch.Index], ch.Type.Mask(), ch.Type.Base == program.IsOneOf, was[s], now[s])
			}
		}
		return
	}
	for k := range u.f.ops {
		op := &u.f.ops[k]
		if was[op.slot] != now[op.slot] {
			r.touchSlot(t, op.facet, op.mask, op.ch.Type.Base == program.IsOneOf, was[op.slot], now[op.slot])
		}
	}
}

func (r *Run) touchSlot(t facets, f facetRange, mask, oneOf bool, was, now int64) {
	switch {
	case mask:
		for m := uint64(was ^ now); m != 0; m &= m - 1 {
			t.put(f.at + bits.TrailingZeros64(m))
		}
	case oneOf:
		for _, v := range [2]int64{was, now} {
			if v < 0 || int(v) >= f.n-1 {
				v = int64(f.n - 1)
			}
			t.put(f.at + int(v))
		}
	default:
		for i := range f.n {
			t.put(f.at + i)
		}
	}
}

// diff notes all facets in which two rows differ.
func (r *Run) diff(t facets, was, now []int64) {
	chars := r.en.P.RowChars[program.Card]
	for s := range was {
		if was[s] == now[s] {
			continue
		}
		if c := chars[s]; c >= 0 {
			ch := r.en.P.Chars[c]
			r.touchSlot(t, r.en.of[c], ch.Type.Mask(), ch.Type.Base == program.IsOneOf, was[s], now[s])
		} else {
			t.put(r.en.ability)
		}
	}
}

// run applies one layer to vals.
func (q *order) run(r *Run, l int, vals []int64) {
	q.r, q.vals, q.ref = r, vals, vals
	q.layer, q.plan = r.t.layers[l].units, r.planOf(l)
	q.seq = q.seq[:0]
	r.e.Spend(8 * len(q.layer))
	if q.plan.empty || r.en.P.Options.NoDependency {
		for _, u := range q.layer {
			q.applyNow(u)
		}
		return
	}
	q.prepare()
	for q.next[0] >= 0 {
		q.applyNext()
	}
	r.e.Spend(q.tries)
	q.tries = 0
}

func (q *order) prepare() {
	n := len(q.layer)
	q.once = q.r.en.P.Options.JudgedOnce
	if q.once {
		q.frozen = append(q.frozen[:0], q.vals...)
		q.ref = q.frozen
	}
	if q.touched == nil {
		q.touched = make(facets, q.r.en.facets)
		q.changed = make([]int32, q.r.en.facets*64)
	}
	for len(q.cache) < n {
		q.cache = append(q.cache, cached{})
		q.witness = append(q.witness, nil)
		q.done = append(q.done, false)
		q.whatIfs = append(q.whatIfs, nil)
	}
	q.next = q.next[:0]
	for i := range n {
		q.cache[i].step, q.cache[i].seen = -1, -1
		q.witness[i] = nil
		q.done[i] = false
		for k := range q.whatIfs[i] {
			q.whatIfs[i][k].step, q.whatIfs[i][k].seen = -1, -1
		}
		q.next = append(q.next, int32(i))
	}
	q.next = append(q.next, -1)
	q.step = 0
	clear(q.changed)
	q.graph.reset(len(q.plan.mixed))
}

// applyNext applies the oldest unit that waits for nothing. The successor of
// list position k is slot next[k], at position next[k]+1.
func (q *order) applyNext() {
	for k := int32(0); ; k = q.next[k] + 1 {
		slot := q.next[k]
		if slot < 0 {
			panic("no effect is free, which a finite dependency graph rules out")
		}
		u := q.layer[slot]
		if len(u.cands) > 0 && q.blocked(u) {
			continue
		}
		if u.mixed >= 0 {
			q.graph.breakRing(q, u)
			q.graph.drop(u.mixed)
		}
		q.next[k] = q.next[slot+1]
		q.done[slot] = true
		q.step++
		if u.paired() || u.writes.meets(q.plan.watched) {
			q.applyTracked(u)
		} else {
			q.applyNow(u)
		}
		return
	}
}

// applyNow works out and applies a unit whose writes no trial can see.
func (q *order) applyNow(u *unit) {
	q.r.fill(u, q.vals, &u.rec)
	q.seq = append(q.seq, u)
	q.apply(u, nil)
}

// applyTracked applies a unit and notes which facets it changed, so that what
// was worked out from them is worked out again.
func (q *order) applyTracked(u *unit) {
	if !q.once && u.paired() {
		u.rec.copyFrom(q.match(u))
	} else {
		q.r.fill(u, q.vals, &u.rec)
	}
	q.seq = append(q.seq, u)
	if q.once {
		q.apply(u, nil)
		return
	}
	clear(q.touched)
	q.apply(u, q.touched)
	if q.touched.none() {
		return
	}
	for w, word := range q.touched {
		for ; word != 0; word &= word - 1 {
			q.changed[w*64+bits.TrailingZeros64(word)] = q.step
		}
	}
	q.graph.touch(q.plan.mixed, q.touched)
}

func (q *order) apply(u *unit, touched facets) {
	if !u.rec.gate || len(u.f.ops) == 0 {
		return
	}
	r := q.r
	for w, word := range u.rec.targets {
		for ; word != 0; word &= word - 1 {
			row := r.row(q.vals, int32(w*64+bits.TrailingZeros64(word)))
			if touched == nil {
				r.change(u, row, &u.rec)
				continue
			}
			q.scratch = append(q.scratch[:0], row...)
			r.change(u, row, &u.rec)
			r.touch(u, touched, q.scratch, row)
		}
	}
}

// blocked reports whether u depends on a unit that is in no ring with it.
func (q *order) blocked(u *unit) bool {
	if w := q.witness[u.slot]; w != nil && !q.done[w.slot] && q.depends(u, w) {
		return true
	}
	q.witness[u.slot] = nil
	for _, c := range u.cands[:u.pure] {
		if !q.done[c.slot] && q.depends(u, c) {
			q.witness[u.slot] = c
			return true
		}
	}
	if u.mixed >= 0 {
		return q.graph.blocked(q, u)
	}
	for _, c := range u.cands[u.pure:] {
		if !q.done[c.slot] && q.depends(u, c) {
			q.witness[u.slot] = c
			return true
		}
	}
	return false
}

// fresh reports whether nothing in the list has changed since a step.
func (q *order) fresh(reads []int32, step int32) bool {
	if step < 0 {
		return false
	}
	for _, f := range reads {
		if q.changed[f] > step {
			return false
		}
	}
	return true
}

// match returns what a unit would do on the rows that trials look at.
func (q *order) match(u *unit) *outcomeOf {
	c := &q.cache[u.slot]
	if c.seen == q.step {
		return &c.o
	}
	if !q.fresh(u.list, c.step) {
		c.step = q.step
		q.r.fill(u, q.ref, &c.o)
	}
	c.seen = q.step
	return &c.o
}

func (o *outcomeOf) copyFrom(p *outcomeOf) {
	targets, copied := append(o.targets[:0], p.targets...), append(o.copied[:0], p.copied...)
	*o = *p
	o.targets, o.copied = targets, copied
}

// depends reports whether applying b would change whether a applies, what it
// affects or what it does.
func (q *order) depends(a, b *unit) bool {
	ob := q.match(b)
	if !ob.gate || len(b.f.ops) == 0 {
		return false
	}
	oa := q.match(a)
	if b.shape >= 0 {
		return q.whatIf(a, b, oa).hits(q, a, oa, ob.targets)
	}
	w := &q.direct
	w.size(len(ob.targets), len(a.f.counts))
	x := &q.tryCtx
	q.r.context(a, q.ref, x, &oa.cnt)
	for i, word := range ob.targets {
		for ; word != 0; word &= word - 1 {
			q.try(w, a, b, oa, ob, x, int32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return w.hits(q, a, oa, ob.targets)
}

// whatIf returns what would become of a on each object if something of b's shape
// changed that object.
func (q *order) whatIf(a, b *unit, oa *outcomeOf) *whatIf {
	if len(q.whatIfs[a.slot]) < q.plan.shapes {
		grown := make([]whatIf, q.plan.shapes)
		n := copy(grown, q.whatIfs[a.slot])
		for k := n; k < len(grown); k++ {
			grown[k].step, grown[k].seen = -1, -1
		}
		q.whatIfs[a.slot] = grown
	}
	w := &q.whatIfs[a.slot][b.shape]
	if w.seen == q.step {
		return w
	}
	w.seen = q.step
	if q.fresh(a.list, w.step) {
		return w
	}
	w.step = q.step
	w.size(len(oa.targets), len(a.f.counts))
	fixed, x := &q.fixed, &q.tryCtx
	fixed.par[0] = b.f.ops[0].n
	q.r.context(a, q.ref, x, &oa.cnt)
	for i, word := range q.r.zoneSet(-1) {
		for ; word != 0; word &= word - 1 {
			q.try(w, a, b, oa, fixed, x, int32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return w
}

// whatIf says, for one unit and one way to change an object, on which objects
// that change would matter to the unit.
type whatIf struct {
	step      int32
	seen      int32
	turns     bitset            // the unit would affect it or not, or do another thing to it
	up, down  [maxCounts]bitset // it would begin, or cease, to be counted
	source    []int64           // the row of the source as it would be
	hasSource bool
	copied    bool // what the unit copies would differ
	all       bitset
}

// size empties w and makes room for sets of so many words.
func (w *whatIf) size(words, counts int) {
	w.hasSource, w.copied = false, false
	w.all = sized(w.all, (1+2*counts)*words)
	w.turns = w.all[:words]
	for k := range counts {
		w.up[k] = w.all[(1+2*k)*words : (2+2*k)*words]
		w.down[k] = w.all[(2+2*k)*words : (3+2*k)*words]
	}
}

// try notes what changing object i by b would mean to a.
func (q *order) try(w *whatIf, a, b *unit, oa, ob *outcomeOf, x *ctx, i int32) {
	r := q.r
	q.tries++
	s := r.row(q.ref, i)
	q.scratch = append(q.scratch[:0], s...)
	t := q.scratch
	r.change(b, t, ob)
	was := oa.targets.has(i)
	is := was
	ctl := r.s.Objects[i].Controller
	if a.head == nil && a.target == program.TargetEach {
		is = r.matches(a, x, i, ctl, t)
	}
	turns := was != is
	if is && a.f.perTarget && !turns {
		for k := range a.f.ops {
			if op := &a.f.ops[k]; op.amount == amountTarget && op.num(nil, s) != op.num(nil, t) {
				turns = true
			}
		}
	}
	if turns {
		w.turns.put(i)
	}
	for k := range a.f.counts {
		c := &a.f.counts[k]
		if !r.zoneSet(c.zone).has(i) {
			continue
		}
		if was, is := c.match(x, i, ctl, s), c.match(x, i, ctl, t); is && !was {
			w.up[k].put(i)
		} else if was && !is {
			w.down[k].put(i)
		}
	}
	if i == a.source {
		w.source, w.hasSource = append(w.source[:0], t...), true
	}
	if a.f.copies && i == a.from {
		for _, slot := range r.en.printed {
			w.copied = w.copied || s[slot] != t[slot]
		}
	}
}

// hits reports whether changing the targets, all at once, matters to a.
func (w *whatIf) hits(q *order, a *unit, oa *outcomeOf, targets bitset) bool {
	gate := oa.gate
	moved := false // some number that a reads of other objects may be another
	sourceHit := w.hasSource && targets.has(a.source) && (a.f.self || a.bit >= 0)
	if len(a.f.counts) > 0 || sourceHit {
		cnt, x, after := &q.hitCnt, &q.hitCtx, &q.after
		*cnt = oa.cnt
		for k := range a.f.counts {
			for i, word := range targets {
				cnt[k] += int64(bits.OnesCount64(word&w.up[k][i]) - bits.OnesCount64(word&w.down[k][i]))
			}
		}
		if sourceHit || *cnt != oa.cnt {
			q.r.context(a, q.ref, x, cnt)
			if sourceHit {
				x.selfRow = w.source
			}
			if a.head == nil {
				gate = q.r.gate(a, x)
			}
			q.r.params(a, x, after)
			for k := len(a.f.ops); k < maxOps; k++ {
				after.par[k] = oa.par[k]
			}
			moved = after.par != oa.par
		}
	}
	if gate != oa.gate {
		return true
	}
	if !gate {
		return false
	}
	for i, word := range targets {
		if word&w.turns[i] != 0 {
			return true
		}
	}
	return (moved || w.copied && targets.has(a.from)) && oa.targets.any()
}

// floorRow applies floors and ceilings to what an object's row holds.
func (r *Run) floorRow(row []int64) {
	for _, ch := range r.en.cardBounds {
		row[ch.Slot] = eval.Bound(ch, row[ch.Slot])
	}
}
