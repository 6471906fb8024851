package layers

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Commute reports whether the order of two effects' Timestamps can make no
// difference to any value, as far as what they are allows to say. It may say no
// where yes is true; then somebody is asked an idle question, never the reverse.
//
// apart says that the two can never change the same object. Then one that reads only
// what it changes waits for nothing that the other does.
func (en *Engine) Commute(a, b int32, apart bool) bool {
	x, y := en.def(a), en.def(b)
	for l := range en.P.Layers {
		p, q := &x.parts[l], &y.parts[l]
		if len(p.ops) == 0 || len(q.ops) == 0 || l == en.rules {
			continue
		}
		if p.first.meets(q.writes) && q.first.meets(p.writes) && !(apart && (x.Near || y.Near)) {
			return false // each may wait for the other: age decides
		}
		if apart || !p.writes.meets(q.writes) {
			continue
		}
		for _, i := range p.ops {
			for _, k := range q.ops {
				if !commuteOps(&x.ops[i], &y.ops[k]) {
					return false
				}
			}
		}
	}
	return true
}

func commuteOps(a, b *op) bool {
	if a.Verb == program.VerbCopy || b.Verb == program.VerbCopy {
		return false
	}
	if a.Char != b.Char {
		return true
	}
	kind := func(v program.Verb) int {
		switch v {
		case program.VerbRaise, program.VerbLower:
			return 1
		case program.VerbAdd:
			return 2
		case program.VerbRemove, program.VerbStrip:
			return 3
		}
		return 0
	}
	if k := kind(a.Verb); k != 0 && k == kind(b.Verb) {
		return true
	}
	if a.Verb == program.VerbSet && b.Verb == program.VerbSet {
		return a.Value.Constant() && b.Value.Constant() && a.Value.N == b.Value.N
	}
	if kind(a.Verb)+kind(b.Verb) == 5 && a.Value.Constant() && b.Value.Constant() {
		return a.Value.N&b.Value.N == 0
	}
	return false
}

// Targets lists the objects that an effect found in the last computation.
func (r *Run) Targets(effect int32) []int64 {
	if int(effect) < len(r.begun) {
		return r.begun[effect].found(r.s.Objects)
	}
	return nil
}

// RulesOn lists the effects of the rules layer that found an object or are a
// keyword on it, in the order in which the last computation applied them.
func (r *Run) RulesOn(o int64) []int32 {
	var out []int32
	if r.en.rules < 0 {
		return nil
	}
	if r.fol.unsorted {
		r.sortOrder()
	}
	for _, i := range r.order {
		d := r.en.def(r.s.Effects[i].Def)
		if r.begun[i].state != 1 || len(d.parts[r.en.rules].ops) == 0 {
			continue
		}
		on := int64(r.s.Effects[i].Host) == o || d.Target == program.TargetNone && r.s.Effects[i].Static && int64(r.s.Effects[i].Source) == o
		for _, t := range r.begun[i].found(r.s.Objects) {
			on = on || t == o
		}
		if on {
			out = append(out, i)
		}
	}
	if r.en.P.Layers[r.en.rules].NewestFirst {
		slices.Reverse(out)
	}
	return out
}
