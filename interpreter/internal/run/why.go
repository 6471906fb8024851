package run

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// What explanations need to see of a match. Nothing here changes it, and nothing
// of it runs in play.

// Reader returns surroundings of its own with an up-to-date board: whoever reads
// through them leaves no trace in the match.
func (m *Match) Reader() *eval.Env {
	m.compute()
	return m.reader(m.board)
}

// ReaderAsIs is Reader in the midst of a change: its board is that of before.
func (m *Match) ReaderAsIs() *eval.Env { return m.reader(m.board) }

func (m *Match) reader(b *eval.Board) *eval.Env {
	return &eval.Env{C: m.En.C, S: m.S, B: b, Attr: m.attr, Case: m.env.Case, Self: state.None, You: state.None}
}

// TraceAt works the board out once more and tells what happens; look makes the
// trace, out of surroundings that read the board as it stands at each point.
func (m *Match) TraceAt(look func(e *eval.Env) layers.Trace) {
	m.compute()
	b := &eval.Board{}
	env := eval.Env{C: m.En.C, S: m.S, Attr: m.attr, Case: m.env.Case}
	m.En.L.NewRun().Compute(&env, b, look(m.reader(b)))
}

// Enter makes an effect's source, player and captured values the surroundings.
func (m *Match) Enter(e *eval.Env, effect int32) { m.enterEffect(e, effect) }

// InForce reports whether a rules effect is in force for an action: its ability is
// there and its condition is true.
func (m *Match) InForce(action int, effect, op int32) bool {
	m.compute()
	for _, r := range m.res.Rules[action] {
		if r.Effect == effect && r.Op == op {
			return true
		}
	}
	return false
}

// OverTargets makes an effect and an act the surroundings and tells look of each
// object that the effect is about, as the gate goes through them; of an effect that is
// about none, once. It stops where look reports true.
func (m *Match) OverTargets(e *eval.Env, effect int32, a *state.Act, look func() bool) {
	m.Enter(e, effect)
	e.Act = a
	d := m.En.P.Effects[m.S.Effects[effect].Def]
	old := e.Enter()
	defer e.Leave(old)
	targets := []int64{e.Self}
	switch {
	case !d.Opened:
		look()
		return
	case d.Target != program.TargetNone:
		targets = slices.Clone(m.targets(effect))
	}
	for _, t := range targets {
		e.Push(t)
		stop := look()
		e.Pop()
		if stop {
			return
		}
	}
}

// Watcher is a trigger that an ability of a card is, or that an effect on or from it
// holds, whether the ability is there or the effect is over.
type Watcher struct {
	Trigger int
	Keyword int   // the keyword that the ability is, or -1
	Bit     int   // the ability's place among those of its card
	Grant   int   // what gives the ability, by number, or -1 for a printed one
	Effect  int32 // the effect that holds the trigger, or None
	Frame   []state.Val
}

// Watchers lists the triggers of a card's abilities, printed and given, lost ones
// too, and of the effects that come from it or are a keyword of it.
func (m *Match) Watchers(o int32) []Watcher {
	ob := &m.S.Objects[o]
	if ob.Entity != program.Card {
		return nil
	}
	var out []Watcher
	add := func(ability, bit, grant, keyword int, frame []state.Val) {
		if k := m.En.P.Abilities[ability].Keyword; k >= 0 {
			keyword = k
		}
		for _, w := range m.watchers(ability, frame, nil) {
			if w.frame == nil && m.En.P.Cards[ob.Def].Anonymous {
				w.frame = m.Pinned
			}
			out = append(out, Watcher{w.trigger, keyword, bit, grant, state.None, w.frame})
		}
	}
	for bit, ab := range m.En.P.Cards[ob.Def].Abilities {
		add(ab, bit, -1, -1, nil)
	}
	for i := range m.S.Grants {
		g := &m.S.Grants[i]
		if g.Object != o {
			continue
		}
		if g.Keyword >= 0 {
			for _, ab := range m.En.P.Keywords[g.Keyword].Abilities {
				add(ab, int(g.Bit), i, int(g.Keyword), g.Frame)
			}
		} else {
			for _, ab := range m.En.P.Cards[g.Card].Abilities {
				add(ab, int(g.Bit), i, -1, nil)
			}
		}
	}
	for i := range m.S.Effects {
		x := &m.S.Effects[i]
		if x.Source != o && x.Host != o {
			continue
		}
		d := m.En.P.Effects[x.Def]
		for _, t := range d.Triggers {
			out = append(out, Watcher{t, d.Keyword, int(x.Bit), -1, int32(i), x.Frame})
		}
	}
	return out
}

// Abilities is the set of a card's abilities, as bits: those that it has, or had
// as it left.
func (m *Match) Abilities(o int32) uint64 {
	ob := &m.S.Objects[o]
	if ob.Gone {
		if slot := m.En.P.AbilSlot; slot < len(ob.Last) {
			return uint64(ob.Last[slot])
		}
		return 0
	}
	m.compute()
	if off := m.board.Off[o]; off >= 0 && ob.Entity == program.Card {
		return uint64(m.board.Vals[int(off)+m.En.P.AbilSlot])
	}
	return 0
}

// UsedUp reports the limit of a trigger that allows no further firing, with how
// many it allows, or nil.
func (m *Match) UsedUp(e *eval.Env, t int, self int32, ev state.Event) (*program.Limit, int64) {
	tr := &m.En.triggers[t]
	for i := range tr.Limits {
		l := &tr.Limits[i]
		most := int64(1)
		if f := m.En.limits[l.Index]; f != nil {
			most = f(e)
		}
		w := m.window(l.Per, ev.Act)
		for k := range m.S.Used {
			u := &m.S.Used[k]
			if int(u.Limit) == l.Index && u.Object == self && int(u.Bit) == tr.Index && u.Window == w && u.Count >= most {
				return l, most
			}
		}
		if most <= 0 {
			return l, most
		}
	}
	return nil, 0
}

// Attempt is an action that is only thought of: what the gate would say of it.
type Attempt struct {
	Action    int
	Roles     map[int]state.Val
	Kind      int32 // place: the kind of token
	AbilityOf int32
	Causer    int32
}

// Judge takes an attempt through the gate without carrying it out.
func (m *Match) Judge(t Attempt) (ok bool, note Note) {
	m.probe++
	defer func() { m.probe-- }()
	m.compute()
	a := m.attempted(t, state.None)
	ok, note = m.judged(a)
	m.dropAct(a)
	return ok, note
}

// JudgeWithin is Judge for an attempt that another action would lead to, which is
// only thought of as well and is handed to around. Where the gate refuses that one,
// reached is false and the note is of it.
func (m *Match) JudgeWithin(t, outer Attempt, around func(*state.Act)) (reached, ok bool, note Note) {
	m.probe++
	defer func() { m.probe-- }()
	m.compute()
	b := m.attempted(outer, state.None)
	reached, note = m.judged(b)
	around(note.Act)
	if reached {
		a := m.attempted(t, b.ID)
		ok, note = m.judged(a)
		m.dropAct(a)
	}
	m.dropAct(b)
	return reached, ok, note
}

// attempted makes the act that an attempt would be.
func (m *Match) attempted(t Attempt, parent int64) *state.Act {
	a := m.newAct(t.Action)
	a.AbilityOf, a.Causer, a.Kind, a.Parent = t.AbilityOf, t.Causer, t.Kind, parent
	a.Self, a.You = t.Causer, t.AbilityOf
	given := uint64(0)
	for i, v := range t.Roles {
		a.Roles[i] = v
		given |= 1 << i
	}
	if m.En.P.Actions[t.Action].Basic == program.BasicPlace {
		a.Roles[0].N = int64(m.newObject(m.unplaced(a.Kind)))
		given |= 1
	}
	m.fill(a, given)
	return a
}

// judged takes an act through the gate; the note has a copy of it as it is now.
func (m *Match) judged(a *state.Act) (bool, Note) {
	v := m.gate(a)
	c := *a
	c.Roles, c.Attrs = append([]state.Val(nil), a.Roles...), append([]state.Val(nil), a.Attrs...)
	m.attrsAsOfNow(&c, a)
	n := v.refusal(&c)
	if v.ok {
		n.Kind = Happened
	}
	return v.ok, n
}
