package layers

import (
	"math/bits"
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// A unit is what one effect in being does in one layer. Units live as long as
// their effects: which other units of the layer one can depend on at all is
// found when it comes, from what each can read and write, and kept.
type unit struct {
	f      *fastPart
	effect int32
	source int32
	you    int32 // -1: whoever controls the source
	from   int32 // what it copies, or None
	bit    int32 // the ability that it comes from among its source's, or None
	slot   int32 // position in its layer
	head   *unit // the same effect's unit in its first layer, where this is a later one
	target program.Target
	rec    outcomeOf

	layer   int
	stamp   int64
	reads   facets
	writes  facets
	list    []int32 // reads, one by one
	members bitset  // the objects that it names, where it names objects
	rules   []int32 // the operations that change rules, by number

	cands      []*unit // units that write what this one reads; those that can be in no ring first
	pure       int
	trialReads facets // what trials against cands can read
	readers    int    // how many units have this one among their cands
	shape      int    // number of what it writes among those shared by many, or -1
	mixed      int    // position among the units that both depend and are depended on, or -1
}

// outcomeOf is all that a unit does at the moment it is applied.
type outcomeOf struct {
	targets bitset
	gate    bool
	par     [maxOps]int64
	cnt     [maxCounts]int64
	copied  []int64
}

// bitset is a set of object numbers.
type bitset []uint64

func (s bitset) has(i int32) bool { return int(i)>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }
func (s bitset) put(i int32)      { s[i>>6] |= 1 << (i & 63) }
func (s bitset) drop(i int32)     { s[i>>6] &^= 1 << (i & 63) }
func (s bitset) assign(i int32, on bool) {
	if on {
		s.put(i)
	} else {
		s.drop(i)
	}
}

func (s bitset) any() bool {
	for _, w := range s {
		if w != 0 {
			return true
		}
	}
	return false
}

// sized returns an empty set with room for so many words.
func sized(s bitset, words int) bitset {
	if cap(s) < words {
		return make(bitset, words)
	}
	s = s[:words]
	clear(s)
	return s
}

// units of one effect.
type effectUnits struct {
	def            int32
	stamp, created int64
	seen           int64 // the computation in which the effect was last seen alive
	units          []*unit
}

// table is the units by layer, with what can be known of each layer's order from
// reads and writes alone.
type table struct {
	of     []*effectUnits // by effect; nil for none
	alive  []int32
	layers []layerUnits
	seen   int64
	odd    int // effects in being that follow other rules than values: on actions, holding triggers, not begun
}

type layerUnits struct {
	units []*unit // in order of Timestamp
	slow  int     // how many of them have no fast part
	plan  plan

	// All that any unit that was ever here reads and writes: where the two never
	// meet, no unit is looked at when one comes or goes.
	reads, writes facets
}

type plan struct {
	stale   bool
	watched facets // all that a trial of a candidate pair can read; while none of it changes, the order cannot change
	empty   bool   // nothing is watched
	mixed   []*unit
	shapes  int
}

// minShared is how many units must write the same thing before it pays to work
// out what that would do to every object.
const minShared = 5

func (u *unit) paired() bool { return len(u.cands) > 0 || u.readers > 0 }

// before orders units by Timestamp, then by number.
func (u *unit) before(v *unit) bool {
	if u.stamp != v.stamp {
		return u.stamp < v.stamp
	}
	return u.effect < v.effect
}

// sync brings the units up to date with the effects in being.
func (r *Run) sync() {
	t, s := &r.t, r.s
	if r.of != s {
		r.of = s
		clear(t.of)
		*t = table{of: t.of[:0], alive: t.alive[:0], layers: t.layers}
		if t.layers == nil {
			t.layers = make([]layerUnits, len(r.en.P.Layers))
		}
		for i := range t.layers {
			lay := &t.layers[i]
			clear(lay.units)
			*lay = layerUnits{units: lay.units[:0], plan: plan{stale: true}}
		}
	}
	t.seen++
	t.odd = 0
	changed := false
	for len(t.of) < len(s.Effects) {
		t.of = append(t.of, nil)
	}
	for _, i := range s.Live {
		x := &s.Effects[i]
		if x.Stamp == 0 {
			t.odd++
			continue
		}
		if d := r.en.def(x.Def); d.Action >= 0 || len(d.Triggers) > 0 {
			t.odd++
		}
		if e := t.of[i]; e != nil {
			if e.stamp == x.Stamp && e.created == x.Created && e.def == x.Def {
				e.seen = t.seen
				continue
			}
			r.removeUnits(i)
		}
		r.addUnits(i)
		t.of[i].seen = t.seen
		changed = true
	}
	for _, i := range t.alive {
		if e := t.of[i]; e != nil && e.seen != t.seen {
			r.removeUnits(i)
			changed = true
		}
	}
	if changed {
		t.alive = append(t.alive[:0], s.Live...)
	}
}

// addUnits makes the units of an effect.
func (r *Run) addUnits(i int32) *effectUnits {
	x := &r.s.Effects[i]
	d := r.en.def(x.Def)
	e := &effectUnits{def: x.Def, stamp: x.Stamp, created: x.Created}
	for len(r.t.of) <= int(i) {
		r.t.of = append(r.t.of, nil)
	}
	r.t.of[i] = e
	if d.Action >= 0 {
		return e
	}
	var head *unit
	for l := range d.parts {
		pt := &d.parts[l]
		if len(pt.ops) == 0 {
			continue
		}
		lay := &r.t.layers[l]
		if !pt.fast.ok || x.Origin >= 0 || head != nil && !head.f.ok {
			lay.slow++
			u := &unit{effect: i, layer: l, f: &fastPart{}, stamp: x.Stamp}
			e.units = append(e.units, u)
			if head == nil {
				head = u
			}
			continue
		}
		u := r.newUnit()
		*u = unit{effect: i, source: x.Source, you: x.You, from: state.None, bit: x.Bit, layer: l, stamp: x.Stamp, target: d.Target,
			f: pt.fast, head: head, reads: pt.first, writes: pt.writes, list: pt.firstList}
		if head != nil {
			u.reads, u.list = pt.later, pt.laterList
		} else {
			head = u
		}
		if u.f.copies {
			u.from = r.from(x, u.f)
		}
		if l == r.en.rules {
			for _, k := range pt.ops {
				if d.ops[k].Pattern.Action >= 0 {
					u.rules = append(u.rules, int32(k))
				}
			}
		}
		if d.Target == program.TargetFixed || x.Objects != nil {
			u.target = program.TargetFixed
			for _, o := range x.Objects {
				for int(o)>>6 >= len(u.members) {
					u.members = append(u.members, 0)
				}
				u.members.put(int32(o))
			}
		}
		e.units = append(e.units, u)
		lay.add(u)
	}
	return e
}

// newUnit takes units out of blocks, so that those that came together lie
// together: a layer is gone through in about that order.
func (r *Run) newUnit() *unit {
	if len(r.block) == 0 {
		r.block = make([]unit, min(max(len(r.t.of)/4, 8), 512))
	}
	u := &r.block[0]
	r.block = r.block[1:]
	return u
}

func (r *Run) removeUnits(i int32) *effectUnits {
	e := r.t.of[i]
	r.t.of[i] = nil
	for _, u := range e.units {
		if lay := &r.t.layers[u.layer]; u.f.ok {
			lay.remove(u)
		} else {
			lay.slow--
		}
	}
	return e
}

func (l *layerUnits) find(u *unit) int {
	at, _ := slices.BinarySearchFunc(l.units, u, func(a, b *unit) int {
		switch {
		case a == b:
			return 0
		case a.before(b):
			return -1
		}
		return 1
	})
	return at
}

func (l *layerUnits) add(u *unit) {
	if l.reads == nil {
		l.reads, l.writes = make(facets, len(u.reads)), make(facets, len(u.reads))
	}
	near := l.units
	if !l.reads.meets(u.writes) && !l.writes.meets(u.reads) {
		near = nil
	}
	l.reads.add(u.reads)
	l.writes.add(u.writes)
	for _, v := range near {
		if u.reads.meets(v.writes) {
			u.cands = append(u.cands, v)
			v.readers++
		}
		if v.reads.meets(u.writes) {
			v.cands = append(v.cands, u)
			u.readers++
		}
	}
	l.units = slices.Insert(l.units, l.find(u), u)
	l.plan.stale = true
}

func (l *layerUnits) remove(u *unit) {
	at := l.find(u)
	l.units = slices.Delete(l.units, at, at+1)
	for _, v := range u.cands {
		v.readers--
	}
	if u.readers > 0 {
		for _, v := range l.units {
			if i := slices.Index(v.cands, u); i >= 0 {
				v.cands = slices.Delete(v.cands, i, i+1)
			}
		}
	}
	u.cands, u.readers = nil, 0
	l.plan.stale = true
}

// planOf returns a layer's plan, made anew if the layer's units have changed.
func (r *Run) planOf(l int) *plan {
	lay := &r.t.layers[l]
	p := &lay.plan
	if !p.stale {
		return p
	}
	p.stale = false
	if p.watched == nil && len(lay.units) == 0 || lay.reads != nil && !lay.reads.meets(lay.writes) {
		if p.watched != nil {
			clear(p.watched)
		} else {
			p.watched = make(facets, r.en.facets)
		}
		p.mixed, p.shapes, p.empty = p.mixed[:0], 0, true
		return p
	}
	if p.watched == nil {
		p.watched = make(facets, r.en.facets)
	}
	clear(p.watched)
	p.mixed = p.mixed[:0]
	most := int32(-1)
	for _, u := range lay.units {
		most = max(most, u.f.shape)
	}
	for len(r.uses) <= int(most) {
		r.uses = append(r.uses, 0)
	}
	uses := r.uses
	for i, u := range lay.units {
		u.slot, u.shape, u.mixed = int32(i), -1, -1
		if u.paired() {
			p.watched.add(u.reads)
		}
		if len(u.cands) > 0 && u.readers > 0 {
			u.mixed = len(p.mixed)
			p.mixed = append(p.mixed, u)
		}
		if u.readers > 0 && u.f.shape >= 0 {
			uses[u.f.shape]++
		}
	}
	p.shapes = 0
	for _, u := range lay.units {
		if u.readers > 0 && u.f.shape >= 0 {
			n := uses[u.f.shape]
			if n >= minShared { // the first to come numbers the shape
				p.shapes++
				n = int32(-p.shapes)
				uses[u.f.shape] = n
			}
			if n < 0 {
				u.shape = int(-n) - 1
			}
		}
		u.arrange()
	}
	for _, u := range lay.units {
		if u.f.shape >= 0 {
			uses[u.f.shape] = 0
		}
	}
	p.empty = true
	for _, w := range p.watched {
		p.empty = p.empty && w == 0
	}
	return p
}

// arrange puts the candidates that can be in no ring first, and sums up what
// trials against any of them read.
func (u *unit) arrange() {
	u.pure = 0
	if len(u.cands) == 0 {
		return
	}
	if u.trialReads == nil {
		u.trialReads = make(facets, len(u.reads))
	}
	copy(u.trialReads, u.reads)
	for i, c := range u.cands {
		u.trialReads.add(c.reads)
		if len(c.cands) == 0 {
			u.cands[i], u.cands[u.pure] = u.cands[u.pure], c
			u.pure++
		}
	}
}

func (f facets) add(g facets) {
	for i := range f {
		f[i] |= g[i]
	}
}

func (f facets) none() bool {
	for _, w := range f {
		if w != 0 {
			return false
		}
	}
	return true
}

func (f facets) each(out []int32) []int32 {
	for w, word := range f {
		for ; word != 0; word &= word - 1 {
			out = append(out, int32(w*64+bits.TrailingZeros64(word)))
		}
	}
	return out
}
