package run

import (
	"sort"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Changes from outside, for set-up, editors and benches: they change facts as an
// action's body would and go past no rule, since nothing is attempted. What
// follows from them (values, rules in force) is worked out as always. They tell
// the layers exactly what changed, so that only what hangs on it is worked out
// anew.

// SetBase gives an object another base value of a characteristic that is kept in
// its row: a number, name, flag, or set of names as bits.
func (m *Match) SetBase(o int32, ch *program.Char, v int64) {
	ob := &m.S.Objects[o]
	row := append([]int64(nil), m.En.C.BaseRow(m.S, int64(o))...)
	row[ch.Slot] = v
	ob.Base = row
	m.touchObject(o)
}

// SetController hands a card to a player by no action.
func (m *Match) SetController(o, player int32) {
	m.S.Objects[o].Controller = player
	m.touchObject(o)
}

// Begin makes the effect of an instruction "effect …" with an explicit
// Timestamp, with the names of the surroundings in frame, which is kept and must
// not change. It returns the effect's number.
func (m *Match) Begin(def int, source int32, frame []state.Val) int32 {
	d := m.En.P.Effects[def]
	x := state.Effect{Def: int32(def), Source: source, You: state.None, Frame: frame, Bit: state.None, Origin: state.None, Host: state.None, Pinned: true}
	e := &m.env
	e.S = m.S
	e.Self, e.You, e.L, e.Act = int64(source), state.None, frame, nil
	if source >= 0 {
		e.You = e.Controller(int64(source))
		x.You = int32(e.You)
	}
	if d.Target == program.TargetFixed {
		mark := e.Mark()
		x.Objects = append([]int64{}, m.En.C.List(d.On)(e)...)
		e.Release(mark)
	}
	if d.Stamp != nil {
		x.Stamp = m.En.C.Int(d.Stamp)(e)
	}
	s := m.S
	s.Clock++
	x.Created = s.Clock
	s.Effects = append(s.Effects, x)
	n := int32(len(s.Effects) - 1)
	s.Live = append(s.Live, n)
	m.account(n, 1)
	m.touchEffect(n, true)
	return n
}

// End ends an effect; its last instructions, if it has any, are not run.
func (m *Match) End(i int32) {
	s := m.S
	if s.Effects[i].Ended {
		return
	}
	s.Effects[i].Ended = true
	m.account(i, -1)
	k := sort.Search(len(s.Live), func(k int) bool { return s.Live[k] >= i })
	if k < len(s.Live) && s.Live[k] == i {
		s.Live = append(s.Live[:k], s.Live[k+1:]...)
	}
	m.touchEffect(i, false)
}

// Refresh brings the board up to date and returns it; it is good until the next
// change.
func (m *Match) Refresh() (*eval.Board, error) {
	m.env.Reset()
	m.outside = true
	m.compute()
	m.outside = false
	return m.board, m.env.Err
}

// Layers is the match's run of the layers.
func (m *Match) Layers() *layers.Run { return m.run }

// touchObject notes that the base values or the controller of one object have
// changed, and nothing else.
func (m *Match) touchObject(o int32) {
	m.run.Changed(o)
	m.changed |= controlChange | effectChange
	m.S.Version++
}

// turned notes that one object has changed hands, and nothing else: the layers
// follow it alone.
func (m *Match) turned(o int32) {
	m.run.Changed(o)
	m.changed |= controlChange
	m.S.Version++
}

// touchEffect notes that one effect has begun or ended, and nothing else.
func (m *Match) touchEffect(i int32, begun bool) {
	if begun {
		m.run.Began(i)
	} else {
		m.run.Ended(i)
	}
	m.changed |= effectChange
	m.S.Version++
}

// RulesFor lists the rules in force on an action, in the order in which they
// were applied.
func (m *Match) RulesFor(action int) []layers.Rule {
	m.compute()
	return m.res.Rules[action]
}
