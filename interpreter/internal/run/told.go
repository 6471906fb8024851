package run

import (
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// attrsAsOfNow fills in, for whoever is told of an act, the attributes that the
// act itself has not kept. Reading them leaves no trace in the match.
func (m *Match) attrsAsOfNow(to, a *state.Act) {
	err := m.env.Err
	for slot := range m.En.P.Actions[a.Action].Attrs {
		if a.Have&(1<<slot) == 0 {
			to.Attrs[slot] = m.attr(&m.env, a, slot)
			to.Have |= 1 << slot
		}
	}
	m.env.Err = err
}

// Barred is a candidate that the pending decision does not offer, with the
// refusal that stood in the way.
type Barred struct {
	Value int64
	Note  Note
}

// Barred lists the candidates that the pending decision leaves out. It works on
// a match that nobody goes on with: callers hand it a copy.
func (m *Match) Barred() []Barred {
	s := m.S
	if s.Pending == nil || s.Pending.Kind != state.DecideChoose || s.Pending.Why < 0 || len(s.Stack) == 0 {
		return nil
	}
	m.probe++
	defer func() { m.probe-- }()
	f := m.top()
	if f.Kind != state.FrameCode || f.Routine != s.Pending.Why || f.PC != s.Pending.PC {
		return nil
	}
	in := &m.En.code[f.Routine][f.PC]
	if in.choice == nil {
		return nil
	}
	e := m.enterFrame(f)
	var out []Barred
	for _, o := range in.choice.from.val(e).L {
		if containsValue(s.Pending.Options, o) {
			continue
		}
		n := Note{Kind: Refused, Verb: "require", Effect: state.None, Op: state.None, Cond: -1}
		if a := m.barring(f, in, o); a != nil {
			n = *a
		}
		out = append(out, Barred{o, n})
	}
	return out
}

// barring finds what keeps a candidate from being offered.
func (m *Match) barring(f *state.Frame, in *instr, o int64) *Note {
	note := func(a *state.Act) *Note {
		v := m.gate(a)
		if v.ok {
			return nil
		}
		c := *a
		c.Roles = append([]state.Val(nil), a.Roles...)
		c.Attrs = append([]state.Val(nil), a.Attrs...)
		m.attrsAsOfNow(&c, a)
		n := v.refusal(&c)
		return &n
	}
	if pick := m.En.basic[program.BasicPick]; in.choice.Type.Base == program.IsObject {
		a := m.newAct(pick)
		a.Roles[0].N, a.Roles[1].N = o, int64(m.env.You)
		a.AbilityOf, a.Causer, a.Parent = f.AbilityOf, f.Causer, state.None
		n := note(a)
		m.dropAct(a)
		m.enterFrame(f)
		if n != nil {
			return n
		}
	}
	if in.choice.call == nil {
		return nil
	}
	was := f.L[in.A]
	f.L[in.A] = state.Val{N: o}
	a := m.tried(f, in.choice.call, m.enterFrame(f))
	n := note(a)
	m.dropAct(a)
	f.L[in.A] = was
	m.enterFrame(f)
	return n
}

func containsValue(list []int64, v int64) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// Attr reads an attribute of an act that has been recorded.
func (m *Match) Attr(a *state.Act, slot int) state.Val {
	if a.Have&(1<<slot) != 0 {
		return a.Attrs[slot]
	}
	return m.attr(m.Env(), a, slot)
}
