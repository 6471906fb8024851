package layers

import (
	"math/bits"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// found lists the objects that an effect found, ascending where it went the fast
// way: nothing that it does to one can change what it does to another.
func (st *runState) found(objects []state.Object) []int64 {
	if st.unit == nil {
		return st.targets
	}
	st.targets = st.targets[:0]
	if st.unit.rec.gate {
		for w, word := range st.unit.rec.targets {
			for ; word != 0; word &= word - 1 {
				// What is named is not looked for anew while nothing that is read changes.
				if o := w*64 + bits.TrailingZeros64(word); !objects[o].Gone {
					st.targets = append(st.targets, int64(o))
				}
			}
		}
	}
	return st.targets
}

// begin makes ready for a computation from nothing.
func (r *Run) begin() {
	en := r.en
	if r.ran == nil {
		r.ran = make([]bool, len(en.P.Layers))
		r.cardSize, r.lock = en.P.RowSize[program.Card], en.P.LockSlot[program.Card]
	}
	r.sync()
	w := (len(r.s.Objects) + 63) / 64
	r.words = w
	r.zones = sized(r.zones, w*(len(en.P.Zones)+1))
	for i := range r.s.Objects {
		if o := &r.s.Objects[i]; o.Entity == program.Card && !o.Gone {
			r.zones[i>>6] |= 1 << (i & 63)
			if o.Zone >= 0 {
				r.zones[(int(o.Zone)+1)*w+i>>6] |= 1 << (i & 63)
			}
		}
	}
}

// fastLayer reports whether all of a layer's effects in being can go the fast way.
func (r *Run) fastLayer(l int) bool {
	r.ran[l] = false
	lay := &r.t.layers[l]
	if r.trace != nil || r.full || r.slowly || lay.slow > 0 {
		return false
	}
	for _, u := range lay.units {
		if u.head != nil && !r.ran[u.head.layer] || !r.usable(u) {
			return false
		}
	}
	r.ran[l] = true
	return true
}

// runFast applies a layer by its units.
func (r *Run) runFast(l int) {
	r.q.run(r, l, r.b.Vals)
	for _, u := range r.q.seq {
		st := &r.begun[u.effect]
		if u.head == nil {
			st.state, st.unit = 2, u
			if u.rec.gate {
				st.state = 1
			}
		}
		if l == r.en.rules && u.rec.gate {
			r.rule(u)
		}
	}
}

// rule enters the rules of a unit among those in force.
func (r *Run) rule(u *unit) {
	d := r.en.def(r.s.Effects[u.effect].Def)
	for _, k := range u.rules {
		a := d.ops[k].Pattern.Action
		r.res.Rules[a] = append(r.res.Rules[a], Rule{u.effect, k})
	}
}
