package run

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// freeze keeps what stands while a group is carried out: what the group has done
// so far has changed the state that it was worked out from.
func (m *Match) freeze() {
	if m.S.Grouped == 0 || m.S.Frozen != nil || m.res == nil {
		return
	}
	z := &state.Frozen{Rules: make([][][2]int32, len(m.res.Rules)), Attended: make([][]int32, len(m.res.Attended))}
	z.Off, z.Vals = m.rows(nil, nil)
	seen := map[int32]bool{}
	for a, rules := range m.res.Rules {
		for _, r := range rules {
			z.Rules[a] = append(z.Rules[a], [2]int32{r.Effect, r.Op})
			if !seen[r.Effect] {
				seen[r.Effect] = true
				z.Targets = append(z.Targets, state.FrozenTargets{Effect: r.Effect, Objects: slices.Clone(m.targets(r.Effect))})
			}
		}
		z.Attended[a] = slices.Clone(m.res.Attended[a])
	}
	m.S.Frozen = z
}

// thaw takes up what a copied state keeps of the state before its group.
func (m *Match) thaw(z *state.Frozen) {
	m.board = &eval.Board{Vals: slices.Clone(z.Vals), Off: slices.Clone(z.Off), Floors: true}
	m.env.S, m.env.B = m.S, m.board
	m.res = &layers.Result{Rules: make([][]layers.Rule, len(z.Rules)), Attended: make([][]int32, len(z.Attended))}
	for a := range z.Rules {
		for _, r := range z.Rules[a] {
			m.res.Rules[a] = append(m.res.Rules[a], layers.Rule{Effect: r[0], Op: r[1]})
		}
		m.res.Attended[a] = slices.Clone(z.Attended[a])
	}
	m.thawed = map[int32][]int64{}
	for _, t := range z.Targets {
		m.thawed[t.Effect] = t.Objects
	}
}

// targets lists the objects that an effect of the rules found.
func (m *Match) targets(effect int32) []int64 {
	if m.thawed != nil {
		return m.thawed[effect]
	}
	return m.run.Targets(effect)
}
