package layers

import (
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// abilities adds, removes or strips abilities. An ability is a bit in its
// object's row: printed ones in order of print, given ones where their grant says.
func (r *Run) abilities(i int32, k int, o *op, t int64, off int) {
	at := off + r.en.P.AbilSlot
	mask := r.b.Vals[at]
	switch o.Verb {
	case program.VerbStrip:
		r.trace_(i, k, o, t, at, 0)
		r.write(at, 0)
	case program.VerbRemove:
		r.trace_(i, k, o, t, at, mask&^r.keywordBits(i, o, t))
		r.write(at, mask&^r.keywordBits(i, o, t))
		if !r.log && r.en.P.Keywords[o.Call.Keyword].Granted != nil {
			for _, l := range r.s.Live {
				if f := &r.s.Effects[l]; f.Host == int32(t) && r.en.P.Effects[f.Def].Keyword == o.Call.Keyword {
					r.res.Ended = append(r.res.Ended, l)
				}
			}
		}
	case program.VerbAdd:
		r.give(NewGrant{Effect: i, Op: int32(k), Object: int32(t), Keyword: int32(o.Call.Keyword), Card: state.None}, o, at)
	}
}

func (r *Run) trace_(i int32, k int, o *op, t int64, at int, after int64) {
	if r.trace != nil && !r.log {
		r.trace.Applied(r.layer, i, k, t, o.ch, r.b.Vals[at]^after, r.b.Vals[at], after)
	}
}

// keywordBits are the abilities of an object that are the keyword meant.
func (r *Run) keywordBits(i int32, o *op, t int64) int64 {
	m := int64(0)
	ob := &r.s.Objects[t]
	want := r.args(i, o, t)
	for bit, a := range r.en.P.Cards[ob.Def].Abilities {
		ab := r.en.P.Abilities[a]
		if ab.Keyword != o.Call.Keyword {
			continue
		}
		same := true
		for k, arg := range ab.Args {
			same = same && (o.Call.Any || k < len(want) && arg.Op == program.OpConst && arg.N == want[k].N)
		}
		if same {
			m |= 1 << bit
		}
	}
	for g := range r.s.Grants {
		gr := &r.s.Grants[g]
		if gr.Object != int32(t) || gr.Lost || int(gr.Keyword) != o.Call.Keyword {
			continue
		}
		same := true
		for k := range gr.Frame {
			same = same && (o.Call.Any || k < len(want) && gr.Frame[k].N == want[k].N)
		}
		if same {
			m |= 1 << gr.Bit
		}
	}
	return m
}

func (r *Run) args(i int32, o *op, t int64) []state.Val {
	if len(o.args) == 0 {
		return nil
	}
	r.enter(i)
	old := r.e.Enter()
	r.e.Push(t)
	out := make([]state.Val, len(o.args))
	for k, a := range o.args {
		out[k].N = a(r.e)
	}
	r.e.Pop()
	r.e.Leave(old)
	return out
}

// give turns on a grant that has a record, or asks for one.
func (r *Run) give(n NewGrant, o *op, at int) {
	if n.Keyword >= 0 && r.en.P.Keywords[n.Keyword].Granted != nil {
		// Created once for the object and the effect, by the action itself. What else
		// the keyword means as a printed line is not given: a grant does not give it either.
		if !r.log && !r.given(n.Effect, n.Object) {
			n.Frame = r.args(n.Effect, o, int64(n.Object))
			r.res.Once = append(r.res.Once, n)
		}
		return
	}
	for g := range r.s.Grants {
		gr := &r.s.Grants[g]
		if gr.Effect == n.Effect && gr.Op == n.Op && gr.Object == n.Object && !gr.Lost {
			if r.log {
				r.undo = append(r.undo, undone{int32(-1 - g), flag(r.active[g])})
			}
			r.active[g] = true
			if r.trace != nil && !r.log {
				r.trace.Applied(r.layer, n.Effect, int(n.Op), int64(n.Object), o.ch, 1<<gr.Bit, r.b.Vals[at], r.b.Vals[at]|1<<gr.Bit)
			}
			r.write(at, r.b.Vals[at]|1<<gr.Bit)
			return
		}
	}
	if !r.log {
		n.Frame = r.args(n.Effect, o, int64(n.Object))
		r.res.New = append(r.res.New, n)
	}
}

func (r *Run) given(effect, object int32) bool {
	for _, g := range r.s.Given {
		if g[0] == effect && g[1] == object {
			return true
		}
	}
	return false
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// copy takes over what is printed on another object, whatever effects have made
// of it, and its printed abilities instead of the object's own.
func (r *Run) copy(i int32, k int, o *op, t int64, off int) {
	r.enter(i)
	old := r.e.Enter()
	r.e.Push(t)
	from := o.value(r.e)
	r.e.Pop()
	r.e.Leave(old)
	if from < 0 || from == t || r.s.Objects[from].Entity != program.Card {
		return
	}
	printed := r.en.C.BaseRow(r.s, from)
	lock := r.b.Vals[off+r.en.P.LockSlot[program.Card]]
	for _, ch := range r.en.P.Chars {
		if ch.Entity != program.Card || !ch.Printed || ch.Fact != program.FactNone || lock&(1<<(ch.Slot&63)) != 0 {
			continue
		}
		v := printed[ch.Slot]
		if r.en.P.Options.CopiesCurrent {
			v = r.e.Char(from, ch).N
		}
		if r.trace != nil && !r.log {
			r.trace.Applied(r.layer, i, k, t, ch, v, r.b.Vals[off+ch.Slot], v)
		}
		r.write(off+ch.Slot, v)
	}
	at := off + r.en.P.AbilSlot
	own := len(r.en.P.Cards[r.s.Objects[t].Def].Abilities)
	r.write(at, r.b.Vals[at]&^(1<<own-1))
	if len(r.en.P.Cards[r.s.Objects[from].Def].Abilities) > 0 {
		r.give(NewGrant{Effect: i, Op: int32(k), Object: int32(t), Keyword: state.None, Card: r.s.Objects[from].Def}, o, at)
	}
}
