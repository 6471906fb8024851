package interpreter

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// ruleOf is an operation of an effect on or from an object that judges actions: it
// replaces, prohibits, permits or requires one.
type ruleOf struct {
	effect, op int32
}

// rulesOf lists the rules effects that come from objects or are on them; of one
// keyword, where that is given.
func (s *scene) rulesOf(m *run.Match, objects []int32, k *program.Keyword) []ruleOf {
	var out []ruleOf
	for i := range m.S.Effects {
		x := &m.S.Effects[i]
		d := s.p.p.Effects[x.Def]
		if !slices.Contains(objects, x.Source) && !slices.Contains(objects, x.Host) || k != nil && !holds(k.Span, d.Span) {
			continue
		}
		for q := range d.Ops {
			switch d.Ops[q].Verb {
			case program.VerbInstead, program.VerbProhibit, program.VerbPermit, program.VerbRequire:
				out = append(out, ruleOf{int32(i), int32(q)})
			}
		}
	}
	return out
}

// watches reports whether an object has a trigger; of one keyword, where that is
// given.
func (s *scene) watches(o int32, k *program.Keyword) bool {
	for _, c := range s.chain(o) {
		for _, w := range s.m.Watchers(c) {
			if k == nil || w.Keyword == k.Index {
				return true
			}
		}
	}
	return false
}

// rules answers why abilities that replace, prohibit, permit or require did not: every
// attempt at an action that they judge is held against them once more, in the state in
// which the gate judged it.
func (s *scene) rules(o int32, what string, k *program.Keyword) (*WhyNot, error) {
	p, lang := s.p.p, s.n.lang
	out := &WhyNot{Sort: AboutTrigger, Object: s.n.precise(int64(o)), What: what}
	chain := s.chain(o)
	now := func(m *run.Match) *namer {
		n := *s.n
		n.s = m.S
		return &n
	}
	acts := []int64{} // what each reason is about
	entry := map[int64]int{}
	used := func(m *run.Match, note *run.Note, number int) {
		d := p.Effects[m.S.Effects[note.Effect].Def]
		if !slices.Contains(s.rulesOf(m, chain, k), ruleOf{note.Effect, note.Op}) {
			return
		}
		op := &d.Ops[note.Op]
		out.Reasons = append(out.Reasons, Reason{Kind: ReasonSo, rank: farSo, Event: number, What: s.logText(number), Words: say(lang, "did-apply", now(m).object(int64(o)), what, number),
			Rules: refs(d.Cite, op.Cite), Place: placeOf(op.Span)})
		acts = append(acts, note.Act.ID)
	}
	w := &witness{}
	w.note = func(m *run.Match, n run.Note, number int) {
		if n.Act == nil {
			return
		}
		if entry[n.Act.ID] == 0 {
			entry[n.Act.ID] = number
		}
		if number >= s.first && (n.Kind == run.Replaced || n.Kind == run.Refused && n.Effect >= 0) {
			used(m, &n, number)
		}
	}
	w.tried = func(m *run.Match, a *state.Act) {
		for _, r := range s.rulesOf(m, chain, k) {
			x := &m.S.Effects[r.effect]
			d := p.Effects[x.Def]
			if op := &d.Ops[r.op]; op.Pattern.Action != int(a.Action) || x.Ended || slices.Contains(a.Replaced, r.effect) {
				continue
			}
			if why := s.ruleMissed(m, now(m), a, r, o); why != nil {
				out.Reasons = append(out.Reasons, *why)
				acts = append(acts, a.ID)
			}
		}
	}
	if err := s.again(w); err != nil {
		return nil, err
	}
	// An attempt at something else tells nothing, where one was about the object.
	near := slices.ContainsFunc(out.Reasons, func(r Reason) bool { return r.foreign == 0 })
	var reasons []Reason
	for i, r := range out.Reasons {
		if r.Event == 0 {
			r.Event = entry[acts[i]]
		}
		if near && r.foreign > 0 || r.Event < s.first {
			continue
		}
		r.What = s.logText(r.Event)
		reasons = append(reasons, r)
	}
	out.Reasons = reasons
	if len(out.Reasons) == 0 {
		for _, r := range s.rulesOf(s.m, chain, k) {
			op := &p.Effects[s.m.S.Effects[r.effect].Def].Ops[r.op]
			why := Reason{Kind: ReasonNoEvent, rank: farNoEvent, Words: say(lang, "not-tried", s.actionWords(op.Pattern.Action)), Rules: refs(op.Cite), Place: placeOf(op.Span)}
			if !slices.ContainsFunc(out.Reasons, func(x Reason) bool { return x.Words == why.Words }) {
				out.Reasons = append(out.Reasons, why)
			}
		}
	}
	lead := say(lang, "not-applied", out.Object, what)
	if k == nil {
		lead = say(lang, "none-applied", out.Object)
	}
	return s.finish(out, lead), nil
}

// ruleMissed tells why a rules effect did not judge an act, or returns nil where it
// did.
func (s *scene) ruleMissed(m *run.Match, n *namer, a *state.Act, r ruleOf, o int32) *Reason {
	x := &m.S.Effects[r.effect]
	d := s.p.p.Effects[x.Def]
	op := &d.Ops[r.op]
	out := &Reason{Kind: ReasonCondition, rank: farCondition, Effect: s.p.effect(m, r.effect, r.op, n), Rules: refs(d.Cite, op.Cite), Place: placeOf(op.Span)}
	e := m.Reader()
	j := &judge{n, e}
	fits := false
	m.OverTargets(e, r.effect, a, func() bool {
		if fits = j.holds(op.Pattern.Where); !fits {
			out.Parts = append(out.Parts, j.deciding(op.Pattern.Where, true)...)
		}
		return fits
	})
	if !fits {
		for _, part := range out.Parts {
			if part.foreign {
				out.foreign++
			}
		}
		out.Words = partWords(out.Parts)
		if out.Words == "" {
			out.Words = say(n.lang, "does-not-reach", n.by(m, r.effect, int64(o)), n.deed(a, nil))
		}
		return out
	}
	if m.InForce(int(a.Action), r.effect, r.op) {
		return nil
	}
	out.Parts, out.rank = nil, farLost
	by := n.by(m, r.effect, int64(o))
	m.Enter(e, r.effect)
	switch {
	case d.While != nil && !j.holds(d.While):
		out.Parts = j.deciding(d.While, true)
		out.Words = say(n.lang, "needs-that", by, partWords(out.Parts))
	case x.Source >= 0 && x.Bit >= 0 && m.Abilities(x.Source)>>x.Bit&1 == 0:
		out.Kind = ReasonLost
		s.lost(m, n, x.Source, int(x.Bit), -1, out)
	default:
		out.Kind, out.Words = ReasonLost, say(n.lang, "ability-missing", by)
	}
	return out
}
