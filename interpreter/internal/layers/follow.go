package layers

import (
	"math/bits"
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// A computation that follows a change keeps the rows as each layer started and
// what each unit did. It replays a layer for the objects that the change
// reaches, side by side as they were and as they are now; where the change
// touches anything that the order of a layer hangs on, that layer is run again.
// It is made only where everything in being goes the fast way and whoever
// changed the state told exactly what changed; all else starts from nothing.

// follower is what is kept between computations.
type follower struct {
	on    bool // the rest belongs to the state as of the last computation
	board *eval.Board
	snap  [][]int64 // by layer, the rows as it starts; the last as all is done
	seq   [][]*unit // by layer, the order in which it was applied
	hot   [][]hot   // beside seq: enough to pass most units over
	ctl   []int32   // by object, the controller

	was, now []int64 // rows of dirty objects in the middle of a layer
	full     []int64 // rows of the whole board, where one is needed
	mid      []int64 // one row
	dirty    bitset
	moved    bitset // objects that changed controller
	list     []int32
	scratch  outcomeOf
	ctx      ctx
	touched  facets
	vain     int  // computations whose rows were kept since one was last followed
	stale    bool // the rules in force must be listed again
	unsorted bool // r.order must be made again
}

// hot says of a unit, in half a cache line, which objects cannot matter to it. A
// change mostly reaches one or two objects, and of ten thousand effects a few
// have anything to do with them; the rest must not even be fetched.
type hot struct {
	a, b   int64
	source int32
	slot   int32
	kind   testKind
	always bool // it must be looked at whatever has changed
	self   bool // it reads its source's row
	rel    bool // it asks for controllers
}

func hotOf(u *unit) hot {
	f := u.f
	h := hot{kind: testNever, source: u.source, self: f.self || u.bit >= 0, rel: f.relation, always: len(f.counts) > 0 || f.copies || u.head != nil}
	if u.target != program.TargetEach {
		h.always = true
		return h
	}
	for i := range f.where.tests {
		t := &f.where.tests[i]
		switch t.kind {
		case testMask, testOneOf, testRange:
			if h.kind == testNever || h.kind == testRange || h.kind == testMask && h.b == 0 {
				h.kind, h.slot, h.a, h.b = t.kind, t.slot, t.a, t.b
			}
		}
	}
	h.always = h.always || h.kind == testNever
	return h
}

// hits reports whether a row may pass the unit's filter.
func (h *hot) hits(row []int64) bool {
	v := row[h.slot]
	switch h.kind {
	case testMask:
		return v&h.a == h.b
	case testOneOf:
		return uint64(h.a)>>uint(v+1)&1 != 0
	}
	return v >= h.a && v <= h.b
}

// passes reports whether nothing that is dirty can matter to a unit, neither as
// it was nor as it is.
func (r *Run) passes(h *hot, moved bool) bool {
	f := &r.fol
	if h.always || moved && h.rel || h.self && f.dirty.has(h.source) {
		return false
	}
	for _, i := range f.list {
		at := int(r.b.Off[i])
		if h.hits(f.now[at:]) || h.hits(f.was[at:]) {
			return false
		}
	}
	return true
}

// told is what whoever changed the state said of it.
type told struct {
	all     bool // anything may have changed
	objects []int32
	effects []toldEffect
}

type toldEffect struct {
	i    int32
	came bool
}

// minKept is for how many effects the rows are kept although the last change was
// not one to follow: with few, starting from nothing costs hardly more.
const minKept = 8

// maxVain is how many times in a row rows are kept that nothing then follows.
const maxVain = 4

// maxTold bounds how many changes a computation follows before it is cheaper to
// start from nothing.
const maxTold = 16

// Forget makes the next computation start from nothing: anything may have changed.
func (r *Run) Forget() {
	r.told.all = true
	r.told.objects, r.told.effects = r.told.objects[:0], r.told.effects[:0]
}

// Changed tells that the base values or the controller of an object changed.
func (r *Run) Changed(o int32) {
	if !r.told.all && !slices.Contains(r.told.objects, o) {
		r.told.objects = append(r.told.objects, o)
	}
}

// Began tells that an effect has come into being and has its Timestamp.
func (r *Run) Began(i int32) {
	if !r.told.all {
		r.told.effects = append(r.told.effects, toldEffect{i, true})
	}
}

// Ended tells that an effect has ended.
func (r *Run) Ended(i int32) {
	if !r.told.all {
		r.told.effects = append(r.told.effects, toldEffect{i, false})
	}
}

// Follows reports whether the next computation may bring the last one up to date.
func (r *Run) Follows() bool { return r.fol.on && !r.told.all }

// grow makes room for tokens that came and that no effect in being reads or
// changes. It reports false where more than that came.
func (r *Run) grow(e *eval.Env, b *eval.Board) bool {
	f := &r.fol
	old, objects := len(f.ctl), e.S.Objects
	if len(objects) < old || (len(objects)+63)/64 != r.words || len(b.Off) != len(objects) {
		return false
	}
	for i := old; i < len(objects); i++ {
		if objects[i].Entity != program.Token {
			return false
		}
	}
	for i := old; i < len(objects); i++ {
		f.ctl = append(f.ctl, objects[i].Controller)
	}
	for l := range f.snap {
		if n := len(f.snap[l]); n < len(b.Vals) {
			f.snap[l] = append(f.snap[l], b.Vals[n:]...)
		}
	}
	n := len(b.Vals)
	f.was, f.now, f.full = sizedRows(f.was, n), sizedRows(f.now, n), sizedRows(f.full, n)
	return true
}

// canFollow reports whether the last computation can be brought up to date.
func (r *Run) canFollow(e *eval.Env, b *eval.Board, trace Trace) bool {
	f := &r.fol
	if !f.on || r.told.all || trace != nil || r.full || r.slowly || e.S != r.of || b != f.board ||
		len(r.told.objects)+len(r.told.effects) > maxTold || len(e.S.Grants) > 0 || !r.grow(e, b) {
		return false
	}
	for _, o := range r.told.objects {
		if e.S.Objects[o].Entity != program.Card || b.Off[o] < 0 {
			return false
		}
	}
	for _, t := range r.told.effects {
		x := &e.S.Effects[t.i]
		d := r.en.def(x.Def)
		if d.Action >= 0 || len(d.Triggers) > 0 || t.came && x.Stamp == 0 {
			return false
		}
	}
	return true
}

// follow brings the last computation up to date.
func (r *Run) follow(e *eval.Env, b *eval.Board) *Result {
	r.e, r.s, r.b, r.trace = e, e.S, b, nil
	e.B = b
	if len(r.told.objects) > 0 {
		r.update(r.told.objects, nil, nil)
	}
	for _, t := range r.told.effects {
		had := r.unitsOf(t.i)
		switch {
		case t.came && had == nil && !r.s.Effects[t.i].Ended:
			came := r.addUnits(t.i)
			r.t.alive = append(r.t.alive, t.i)
			ok := true
			for _, u := range came.units {
				ok = ok && u.f.ok && r.usable(u)
			}
			if !ok { // what came does not go the fast way
				return nil
			}
			for len(r.begun) <= int(t.i) {
				r.begun = append(r.begun, runState{})
			}
			r.update(nil, came, nil)
			r.fol.unsorted = true
		case !t.came && had != nil:
			r.update(nil, nil, r.removeUnits(t.i))
			r.fol.unsorted = true
		}
	}
	r.told.objects, r.told.effects = r.told.objects[:0], r.told.effects[:0]
	r.fol.vain = 0
	if r.fol.stale {
		r.listRules()
	}
	return r.res
}

func (r *Run) unitsOf(i int32) *effectUnits {
	if int(i) < len(r.t.of) {
		return r.t.of[i]
	}
	return nil
}

func (r *Run) listRules() {
	r.fol.stale = false
	if r.en.rules < 0 {
		return
	}
	for i := range r.res.Rules {
		r.res.Rules[i] = r.res.Rules[i][:0]
	}
	for _, u := range r.fol.seq[r.en.rules] {
		if u.rec.gate {
			r.rule(u)
		}
	}
}

// keep notes the rows as a layer starts, while a computation from nothing is
// made that later ones are to follow.
func (r *Run) keep(l int) {
	f := &r.fol
	if f.snap == nil {
		f.snap = make([][]int64, len(r.en.P.Layers)+1)
		f.seq, f.hot = make([][]*unit, len(r.en.P.Layers)), make([][]hot, len(r.en.P.Layers))
		f.touched = make(facets, r.en.facets)
	}
	f.snap[l] = append(f.snap[l][:0], r.b.Vals...)
}

// applied notes the order in which a layer was applied.
func (r *Run) applied(l int) {
	f := &r.fol
	f.seq[l], f.hot[l] = append(f.seq[l][:0], r.q.seq...), f.hot[l][:0]
	for _, u := range f.seq[l] {
		f.hot[l] = append(f.hot[l], hotOf(u))
	}
}

// canKeep reports whether all that is in being can go the fast way, so that the
// rows are worth keeping.
func (r *Run) canKeep() bool {
	if r.trace != nil || r.full || r.slowly || r.t.odd > 0 || len(r.s.Grants) > 0 {
		return false
	}
	for l := range r.t.layers {
		if r.t.layers[l].slow > 0 {
			return false
		}
	}
	return true
}

// kept ends a computation whose rows were kept.
func (r *Run) kept() {
	f := &r.fol
	for _, ran := range r.ran {
		if !ran {
			return
		}
	}
	f.on = true
	f.vain++
	r.keep(len(r.en.P.Layers))
	f.board = r.b
	f.ctl = f.ctl[:0]
	for i := range r.s.Objects {
		f.ctl = append(f.ctl, r.s.Objects[i].Controller)
	}
	n := len(r.b.Vals)
	f.was, f.now, f.full = sizedRows(f.was, n), sizedRows(f.now, n), sizedRows(f.full, n)
	f.dirty, f.moved, f.list = sized(f.dirty, r.words), sized(f.moved, r.words), f.list[:0]
	f.scratch.targets = sized(f.scratch.targets, r.words)
	f.stale, f.unsorted = false, false
}

func sizedRows(v []int64, n int) []int64 {
	if cap(v) < n {
		return make([]int64, n)
	}
	return v[:n]
}

// update follows one change: of objects, or of one effect that came or went.
func (r *Run) update(objects []int32, came, went *effectUnits) {
	f := &r.fol
	f.clearDirty()
	moved := false
	for _, o := range objects {
		base, s := r.en.C.BaseRow(r.s, int64(o)), r.row(f.snap[0], o)
		turned := f.ctl[o] != r.s.Objects[o].Controller
		if turned {
			f.moved.put(o)
			moved = true
		}
		if turned || !slices.Equal(base, s) {
			f.mark(o)
			copy(r.row(f.was, o), s)
			copy(r.row(f.now, o), base)
			copy(s, base)
		}
	}
	for l := range r.en.P.Layers {
		a, b := unitIn(came, l), unitIn(went, l)
		if r.canReplay(l, moved, a, b) && r.replay(l, moved, a, b) {
			r.Counters.Replayed++
		} else {
			r.rerun(l)
			r.Counters.Rerun++
		}
	}
	for _, o := range f.list {
		copy(r.row(r.b.Vals, o), r.row(f.snap[len(r.en.P.Layers)], o))
	}
	if moved {
		for _, o := range objects {
			f.ctl[o] = r.s.Objects[o].Controller
			f.moved.drop(o)
		}
	}
}

func unitIn(e *effectUnits, l int) *unit {
	if e != nil {
		for _, u := range e.units {
			if u.layer == l {
				return u
			}
		}
	}
	return nil
}

// canReplay reports whether the order of a layer surely stays as it was, as far
// as can be told before the layer is replayed.
func (r *Run) canReplay(l int, moved bool, came, went *unit) bool {
	p := r.planOf(l)
	if p.empty && came == nil && went == nil || r.en.P.Options.NoDependency {
		return true
	}
	for _, u := range [2]*unit{came, went} {
		if u != nil && (u.paired() || u.writes.meets(p.watched) || r.wasPaired(u)) {
			return false
		}
	}
	if p.empty {
		return true
	}
	f := &r.fol
	if moved && p.watched[r.en.control>>6]>>(r.en.control&63)&1 != 0 {
		return false
	}
	for _, o := range f.list {
		clear(f.touched)
		if r.diff(f.touched, r.row(f.was, o), r.row(f.now, o)); f.touched.meets(p.watched) {
			return false
		}
	}
	return true
}

// wasPaired reports whether a unit that is gone was in a candidate pair.
func (r *Run) wasPaired(u *unit) bool {
	lay := &r.t.layers[u.layer]
	if !lay.reads.meets(u.writes) && !lay.writes.meets(u.reads) {
		return false
	}
	for _, v := range lay.units {
		if v != u && (u.reads.meets(v.writes) || v.reads.meets(u.writes)) {
			return true
		}
	}
	return false
}

// replay runs one layer on the dirty objects alone. It returns false if the
// order of the layer may no longer hold; the layer must then be run again.
func (r *Run) replay(l int, moved bool, came, went *unit) bool {
	f := &r.fol
	if came != nil {
		r.splice(l, came)
	}
	p := r.planOf(l)
	var watched facets
	if !p.empty && !r.en.P.Options.JudgedOnce && !r.en.P.Options.NoDependency {
		watched = p.watched
	}
	for at, u := range f.seq[l] {
		if u != came && u != went && r.passes(&f.hot[l][at], moved) {
			continue
		}
		if watched != nil {
			clear(f.touched)
		}
		if u == went {
			r.replayGone(l, at, u, watched)
		} else {
			r.replayOne(l, at, u, u == came, moved, watched)
		}
		if watched != nil && f.touched.meets(watched) {
			return false
		}
	}
	if went != nil {
		if i := slices.Index(f.seq[l], went); i >= 0 {
			f.seq[l] = slices.Delete(f.seq[l], i, i+1)
			f.hot[l] = slices.Delete(f.hot[l], i, i+1)
		}
		f.stale = f.stale || l == r.en.rules
	}
	r.settle(l)
	return true
}

// splice puts a unit that came where its Timestamp says.
func (r *Run) splice(l int, u *unit) {
	f := &r.fol
	at := len(f.seq[l])
	if p := r.planOf(l); p.empty { // the order is that of age
		for at > 0 && u.before(f.seq[l][at-1]) {
			at--
		}
	} else {
		for i, v := range f.seq[l] {
			if u.before(v) {
				at = i
				break
			}
		}
	}
	f.seq[l] = slices.Insert(f.seq[l], at, u)
	f.hot[l] = slices.Insert(f.hot[l], at, hotOf(u))
	u.rec.gate = false
	u.rec.targets = sized(u.rec.targets, r.words)
	f.stale = f.stale || l == r.en.rules
}

// replayGone takes back what a unit that is gone did.
func (r *Run) replayGone(l, at int, u *unit, watched facets) {
	if !u.rec.gate || len(u.f.ops) == 0 {
		return
	}
	f := &r.fol
	r.markAll(l, at, u.rec.targets)
	for _, i := range f.list {
		if u.rec.targets.has(i) {
			row := r.row(f.was, i)
			r.change(u, row, &u.rec)
			if watched != nil {
				r.touch(u, f.touched, row, r.row(f.now, i))
			}
		}
	}
}

// replayOne brings one unit up to date.
func (r *Run) replayOne(l, at int, u *unit, came, moved bool, watched facets) {
	f := &r.fol
	fp := u.f
	old, cur := &u.rec, &f.scratch
	turned := came || moved && fp.relation && u.source >= 0 && f.moved.has(u.source)
	if !turned && len(f.list) == 0 && u.head == nil {
		return
	}
	if !turned && u.head == nil && len(fp.counts) == 0 && !fp.copies && u.target == program.TargetEach &&
		!((fp.self || u.bit >= 0) && f.dirty.has(u.source)) {
		r.replayPlain(u, watched)
		return
	}
	cur.gate, cur.cnt, cur.par = old.gate, old.cnt, old.par
	same := true // it does the same to whatever it affects
	x := &f.ctx
	if turned {
		r.wholeBoard(l)
		r.fill(u, f.full, cur)
		same = false
	} else {
		r.context(u, f.now, x, &cur.cnt)
		same = r.follows(l, u, old, cur, x)
		if u.head != nil {
			copy(cur.targets, u.head.rec.targets)
			for w, word := range cur.targets {
				if word != old.targets[w] && old.gate {
					same = false // some that are not dirty may have come or gone
				}
			}
		} else {
			copy(cur.targets, old.targets)
			if u.target == program.TargetEach {
				zone := r.zoneSet(fp.zone)
				for _, i := range f.list {
					on := zone.has(i) && fp.where.match(x, i, r.s.Objects[i].Controller, r.row(f.now, i))
					cur.targets.assign(i, on)
				}
			}
		}
	}
	if old.gate != cur.gate && l == r.en.rules {
		f.stale = true
	}
	if len(fp.ops) > 0 {
		if !same {
			if old.gate {
				r.markAll(l, at, old.targets)
			}
			if cur.gate {
				r.markAll(l, at, cur.targets)
			}
		}
		if old.gate || cur.gate {
			for _, i := range f.list {
				a, b := old.gate && old.targets.has(i), cur.gate && cur.targets.has(i)
				if a {
					r.change(u, r.row(f.was, i), old)
				}
				if b {
					r.change(u, r.row(f.now, i), cur)
				}
				if watched != nil && (a || b) {
					r.touch(u, f.touched, r.row(f.was, i), r.row(f.now, i))
				}
			}
		}
	}
	if u.head == nil {
		st := &r.begun[u.effect]
		st.unit, st.state = u, 2
		if cur.gate {
			st.state = 1
		}
	}
	old.gate, old.cnt, old.par = cur.gate, cur.cnt, cur.par
	old.targets, cur.targets = cur.targets, old.targets
	if fp.copies {
		old.copied, cur.copied = cur.copied, old.copied
	}
}

// replayPlain brings a unit up to date that reads nothing of other objects, or
// nothing of any that is dirty.
func (r *Run) replayPlain(u *unit, watched facets) {
	f, fp, o := &r.fol, u.f, &u.rec
	x := &f.ctx
	r.context(u, f.now, x, &o.cnt)
	zone := r.zoneSet(fp.zone)
	act := o.gate && len(fp.ops) > 0
	for _, i := range f.list {
		at := int(r.b.Off[i])
		was, now := f.was[at:at+r.cardSize], f.now[at:at+r.cardSize]
		a := o.targets.has(i)
		b := zone.has(i) && fp.where.match(x, i, r.s.Objects[i].Controller, now)
		if a != b {
			o.targets.assign(i, b)
		}
		if !act {
			continue
		}
		if a {
			r.change(u, was, o)
		}
		if b {
			r.change(u, now, o)
		}
		if watched != nil && (a || b) {
			r.touch(u, f.touched, was, now)
		}
	}
}

// follows works out what a unit reads of other objects than those it affects
// from the dirty ones, and reports whether it does the same as before.
func (r *Run) follows(l int, u *unit, old, cur *outcomeOf, x *ctx) bool {
	f := &r.fol
	fp := u.f
	for k := range fp.counts {
		c := &fp.counts[k]
		zone := r.zoneSet(c.zone)
		for _, i := range f.list {
			if zone.has(i) {
				cur.cnt[k] += flag(c.match(x, i, r.s.Objects[i].Controller, r.row(f.now, i))) - flag(c.match(x, i, f.ctl[i], r.row(f.was, i)))
			}
		}
	}
	reads := fp.self || u.bit >= 0
	sourceDirty := reads && f.dirty.has(u.source)
	if sourceDirty || cur.cnt != old.cnt {
		if reads && !sourceDirty {
			f.mid = r.midLayer(f.mid[:0], l, u.source, u)
			x.selfRow = f.mid
		}
		if u.head == nil {
			cur.gate = r.gate(u, x)
		}
		r.params(u, x, cur)
	}
	if u.head != nil {
		cur.gate = u.head.rec.gate
	}
	same := old.gate == cur.gate && old.par == cur.par
	if fp.copies {
		from := old.copied
		if f.dirty.has(u.from) {
			from = r.row(f.now, u.from)
			same = same && slices.Equal(old.copied, from)
		}
		cur.copied = append(cur.copied[:0], from...)
	}
	return same
}

// midLayer appends a clean object's row as it is just before a unit applies.
func (r *Run) midLayer(out []int64, l int, i int32, stop *unit) []int64 {
	f := &r.fol
	out = append(out, r.row(f.snap[l], i)...)
	for _, u := range f.seq[l] {
		if u == stop {
			break
		}
		if u.rec.gate && u.rec.targets.has(i) && len(u.f.ops) > 0 {
			r.change(u, out, &u.rec)
		}
	}
	return out
}

// wholeBoard makes ready the whole board for a unit that came or whose source
// changed controller. Such a unit is in no candidate pair, or the layer would be run
// again, so nothing in its layer changes what it reads: the rows with which the
// layer starts will do.
func (r *Run) wholeBoard(l int) {
	f := &r.fol
	copy(f.full, f.snap[l])
	for _, i := range f.list {
		copy(r.row(f.full, i), r.row(f.now, i))
	}
}

// markAll makes objects dirty from position at of a layer on.
func (r *Run) markAll(l, at int, targets bitset) {
	f := &r.fol
	stop := f.seq[l][at]
	for w, word := range targets {
		for word &^= f.dirty[w]; word != 0; word &= word - 1 {
			i := int32(w*64 + bits.TrailingZeros64(word))
			now := r.row(f.now, i)
			r.midLayer(now[:0], l, i, stop)
			copy(r.row(f.was, i), now)
			f.mark(i)
		}
	}
}

func (f *follower) mark(i int32) {
	f.dirty.put(i)
	f.list = append(f.list, i)
}

func (f *follower) clearDirty() {
	for _, i := range f.list {
		f.dirty.drop(i)
	}
	f.list = f.list[:0]
}

// settle stores the layer's end and drops objects that ended up as they were.
func (r *Run) settle(l int) {
	f := &r.fol
	floors := r.en.P.Layers[l].FloorsEnd && len(r.en.cardBounds) > 0
	kept := f.list[:0]
	for _, i := range f.list {
		was, now := r.row(f.was, i), r.row(f.now, i)
		if floors {
			r.floorRow(was)
			r.floorRow(now)
		}
		if slices.Equal(was, now) && !f.moved.has(i) {
			f.dirty.drop(i)
			continue
		}
		copy(r.row(f.snap[l+1], i), now)
		kept = append(kept, i)
	}
	f.list = kept
}

// rerun runs a layer again from the rows that it starts with and finds what changed.
func (r *Run) rerun(l int) {
	f := &r.fol
	copy(f.full, f.snap[l])
	r.q.run(r, l, f.full)
	r.applied(l)
	if l == r.en.rules {
		f.stale = true
	}
	for _, u := range f.seq[l] {
		if u.head == nil {
			st := &r.begun[u.effect]
			st.unit, st.state = u, 2
			if u.rec.gate {
				st.state = 1
			}
		}
	}
	floors := r.en.P.Layers[l].FloorsEnd && len(r.en.cardBounds) > 0
	f.clearDirty()
	for w, word := range r.zoneSet(-1) {
		for ; word != 0; word &= word - 1 {
			i := int32(w*64 + bits.TrailingZeros64(word))
			now, was := r.row(f.full, i), r.row(f.snap[l+1], i)
			if floors {
				r.floorRow(now)
			}
			if f.moved.has(i) || !slices.Equal(now, was) {
				f.mark(i)
				copy(r.row(f.was, i), was)
				copy(r.row(f.now, i), now)
				copy(was, now)
			}
		}
	}
}

var _ = state.None
