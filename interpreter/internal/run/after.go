package run

import (
	"math/bits"
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// happen has what follows from moments worked out: at once, or after the group
// that is being carried out.
func (m *Match) happen(events ...state.Event) {
	if m.S.Grouped > 0 {
		m.S.Waiting = append(m.S.Waiting, events...)
		return
	}
	if m.Judging == nil && m.idle(events) {
		return
	}
	m.push(state.Frame{Kind: state.FrameAfter, Events: append([]state.Event(nil), events...), Act: state.None, Parent: state.None})
}

// idle reports whether surely nothing follows from moments: no effect ends or
// begins, no ability is given or lost, nothing in play has a trigger on them.
// Most moments are such, and need no frame.
func (m *Match) idle(events []state.Event) bool {
	if m.unsettled() || len(m.S.Later) > 0 || len(m.S.Grants) > 0 {
		return false
	}
	for _, ev := range events {
		a := m.S.Acts[ev.Act]
		if m.awaited[a.Action] > 0 {
			return false
		}
		if !m.En.interest[a.Action][ev.Edge] {
			continue
		}
		for _, z := range m.En.zones {
			for k := range 3 {
				for _, o := range m.S.Piles[z*3+k] {
					if m.En.hears[m.S.Objects[o].Def].has(a.Action) {
						return false
					}
				}
			}
		}
		for _, ev2 := range events { // what left in the same moments looks back
			b := m.S.Acts[ev2.Act]
			if m.En.P.Actions[b.Action].Basic != program.BasicMove {
				continue
			}
			if o := b.Roles[0].N; o >= 0 && m.S.Objects[o].Gone && m.S.Objects[o].Entity == program.Card && m.En.hears[m.S.Objects[o].Def].has(a.Action) {
				return false
			}
		}
		if ev.Edge == program.Done {
			for _, o := range m.departed(a, events) {
				if m.En.hears[m.S.Objects[o].Def].has(a.Action) {
					return false
				}
			}
		}
	}
	return true
}

// departed are the cards that left while an action which is complete was under way:
// they see its end too, by their last values. What left in the same moments is not among
// them, and what left in a window, such as a turn, does not see the window's end.
func (m *Match) departed(a *state.Act, events []state.Event) []int32 {
	if m.En.P.Actions[a.Action].Window {
		return nil
	}
	var out []int32
	for _, b := range m.S.Acts[a.ID+1:] {
		if !b.Done || m.En.P.Actions[b.Action].Basic != program.BasicMove || slices.ContainsFunc(events, func(ev state.Event) bool { return ev.Act == b.ID }) {
			continue
		}
		was := b.Roles[0].N
		if was < 0 || m.S.Objects[was].Entity != program.Card || !m.S.Objects[was].Gone || !m.En.P.Zones[m.S.Objects[was].Zone].Renews {
			continue
		}
		out = append(out, int32(was))
	}
	return out
}

// unsettled reports whether some effect may begin, or an ability be given or
// lost, by a change of the state alone.
func (m *Match) unsettled() bool {
	if m.giving > 0 || m.unbegun > 0 {
		return true
	}
	for i := range m.S.Grants {
		if !m.S.Grants[i].Lost {
			return true
		}
	}
	return false
}

// account keeps count of what the effects in being may lead to, as one begins to
// be (n is 1) or ends (-1).
func (m *Match) account(i int32, n int) {
	x := &m.S.Effects[i]
	for _, a := range m.En.awaits[x.Def] {
		m.awaited[a] += n
	}
	if x.Stamp == 0 {
		m.unbegun += n
	}
	if m.En.gives[x.Def] {
		m.giving += n
	}
}

// stampEffect gives an effect in being its Timestamp: from now on the layers know it.
func (m *Match) stampEffect(i int32, stamp int64) {
	m.account(i, -1)
	m.S.Effects[i].Stamp = stamp
	m.account(i, 1)
	m.touchEffect(i, true)
}

// The phases of what follows from moments: effects that end, their last
// instructions, Timestamps of what begins, triggers.
const (
	phaseEnds = iota
	phaseFinally
	phaseSettle
	phaseTriggers
	phaseOrder
)

func (m *Match) after() {
	n := len(m.S.Stack)
	for range phaseOrder + 1 { // mostly one after another, with nothing to do in between
		f := m.top()
		switch f.Phase {
		case phaseEnds:
			m.ends(f)
		case phaseFinally:
			m.finally(f)
		case phaseSettle:
			m.settle(f)
		case phaseTriggers:
			m.collect(f)
		case phaseOrder:
			m.queueBatch(f)
			return
		}
		if len(m.S.Stack) != n || m.S.Pending != nil || m.err != nil || m.env.Err != nil {
			return
		}
		m.S.Steps++
	}
}

// at reports whether an event is the moment that is meant.
func (m *Match) at(mo *moment, ev state.Event, created int64) bool {
	a := m.S.Acts[ev.Act]
	if int(a.Action) != mo.Action {
		return false
	}
	edge := mo.Edge
	if edge == program.During {
		edge = program.Start
	}
	if edge != ev.Edge || mo.Next && a.Start <= created {
		return false
	}
	if mo.where == nil {
		return true
	}
	e := &m.env
	e.Act = a
	old, mark := e.Enter(), e.Mark()
	ok := mo.where(e) != 0
	e.Release(mark)
	e.Leave(old)
	return ok
}

// ends finds the effects that end at the moments that have come. All of them end
// as one change; nothing is seen half-way.
func (m *Match) ends(f *state.Frame) {
	f.Phase = phaseSettle
	var ended []int32
	for k := int(f.Step); k < len(f.Events); k++ {
		ev := f.Events[k]
		for _, i := range m.S.Live {
			moments := m.En.moments[m.S.Effects[i].Def]
			for n := range moments {
				if moments[n].Action != int(m.S.Acts[ev.Act].Action) {
					continue
				}
				m.compute()
				m.enterEffect(&m.env, i)
				if m.at(&moments[n], ev, m.S.Effects[i].Created) && !contains(ended, i) {
					ended = append(ended, i)
				}
			}
		}
	}
	f.Step = int32(len(f.Events))
	m.finish(f, ended)
}

// finish ends effects and turns to their last instructions, if there are any.
func (m *Match) finish(f *state.Frame, ended []int32) {
	any := false
	for _, i := range ended {
		if m.endEffect(i) {
			d := m.En.P.Effects[m.S.Effects[i].Def]
			any = any || len(d.Finally) > 0 || d.Keyword >= 0
			f.Pool = append(f.Pool, i)
		}
	}
	if any {
		f.Phase, f.At = phaseFinally, 0
		m.compute()
		m.S.Grouped++
	} else {
		f.Pool = f.Pool[:0]
	}
}

func contains(list []int32, x int32) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// finally runs the last instructions of effects that have ended, as one group,
// and tells that keywords have ended.
func (m *Match) finally(f *state.Frame) {
	if int(f.At) < len(f.Pool) {
		i := f.Pool[f.At]
		f.At++
		x := m.S.Effects[i]
		act := int64(state.None)
		if x.Act != nil { // its last instructions may name the roles of what it was made in
			a := x.Act.Clone()
			a.ID = int64(len(m.S.Acts))
			m.S.Acts = append(m.S.Acts, a)
			act = a.ID
		}
		for _, r := range m.En.P.Effects[x.Def].Finally {
			m.pushCode(r, x.Frame, state.Frame{Self: x.Source, You: x.You, Act: act, Parent: state.None, AbilityOf: x.You, Causer: x.Source})
		}
		return
	}
	if m.S.Grouped--; m.S.Grouped == 0 {
		m.S.Frozen = nil
	}
	f.Events = append(f.Events, m.S.Waiting...)
	m.S.Waiting = nil
	lapse := m.En.basic[program.BasicLapse]
	for _, i := range f.Pool {
		x := &m.S.Effects[i]
		if k := m.En.P.Effects[x.Def].Keyword; k >= 0 && x.Host >= 0 {
			a := m.newAct(lapse)
			a.Roles[0].N, a.Roles[1].N = int64(k), int64(x.Host)
			a.Done, a.Passed = true, true
			m.tell(Note{Kind: Happened, Act: a})
			if m.En.interest[lapse][program.Done] {
				f.Events = append(f.Events, state.Event{Act: a.ID, Edge: program.Done})
			}
		}
	}
	f.Pool = f.Pool[:0]
	f.Phase = phaseEnds // what the last instructions did may end more
}

// settle gives what begins its Timestamp and what an effect gives its place,
// until the state has come to rest.
func (m *Match) settle(f *state.Frame) {
	s := m.S
	if len(f.Pool) == 0 {
		for _, i := range s.Live { // what has just come into being and needs no condition
			if x := &s.Effects[i]; x.Stamp == 0 && (m.En.P.Effects[x.Def].While == nil || m.En.P.Options.BeginsCreated) {
				f.Pool = append(f.Pool, i)
			}
		}
		if len(f.Pool) > 0 && m.unbegun > len(f.Pool) {
			f.Pool = append(f.Pool, m.beginsWith(f.Pool)...)
			slices.Sort(f.Pool) // in the order in which they came to be
		}
		f.At = 0
	}
	if len(f.Pool) > 0 {
		if !m.stamp(f) {
			return // somebody must order them
		}
		f.Pool = f.Pool[:0]
	}
	m.compute()
	if f.Picked++; f.Picked > 1000 {
		m.err = m.loop("effects", 1000)
		return
	}
	res := m.res
	switch {
	case len(res.Begun) > 0:
		f.Pool = append(f.Pool[:0], res.Begun...)
		slices.Sort(f.Pool) // in the order in which they came to be, not in that of the computation
		f.At = 0
	case len(res.New) > 0:
		for _, n := range append(res.New[:0:0], res.New...) {
			m.newGrant(n.Effect, n.Op, n.Object, n.Keyword, n.Card, n.Frame)
		}
	case len(res.Lost) > 0:
		for _, g := range append(res.Lost[:0:0], res.Lost...) {
			s.Grants[g].Lost = true
			for _, i := range s.Grants[g].Effects {
				m.endEffect(i)
			}
		}
		m.touch(effectChange)
	case len(res.Ended) > 0:
		m.finish(f, append([]int32(nil), res.Ended...))
	case len(res.Once) > 0:
		n := res.Once[0]
		s.Given = append(s.Given, [2]int32{n.Effect, n.Object})
		x := s.Effects[n.Effect]
		m.enterEffect(&m.env, n.Effect)
		a := m.newAct(m.En.basic[program.BasicGrant])
		a.Roles[0].N, a.Roles[1].N, a.Args = int64(n.Keyword), int64(n.Object), n.Frame
		a.Self, a.You = x.Source, int32(m.env.You)
		a.AbilityOf, a.Causer = a.You, x.Source
		m.touch(effectChange)
		m.perform(a, false)
	default:
		f.Phase = phaseTriggers
	}
}

// beginsWith finds the effects whose condition is first true as others begin: all of
// them begin together. It is tried out.
func (m *Match) beginsWith(fresh []int32) []int32 {
	clock := m.S.Clock
	for _, i := range fresh {
		m.S.Clock++
		m.stampEffect(i, m.S.Clock)
	}
	m.compute()
	begun := append([]int32(nil), m.res.Begun...)
	for _, i := range fresh {
		m.stampEffect(i, 0)
	}
	m.S.Clock = clock
	return begun
}

// stamp gives Timestamps to effects that begin together: the turn player's first,
// each player ordering their own where the order can matter. It reports false
// while it waits for an answer.
func (m *Match) stamp(f *state.Frame) bool {
	s := m.S
	players := m.players(m.En.P.Options.Timestamps)
	for ; int(f.At) < len(players); f.At++ {
		var own []int32
		for _, i := range f.Pool {
			x := &s.Effects[i]
			you := x.You
			if you < 0 {
				you = int32(m.env.Controller(int64(x.Source)))
			}
			if you == players[f.At] || players[f.At] == state.None && you < 1 {
				if x.Stamp == 0 {
					own = append(own, i)
				}
			}
		}
		if players[f.At] != state.None && len(own) > 1 && !m.En.P.Options.Timestamps.Fixed && m.disputed(own) {
			ans, ok := m.answered()
			if !ok {
				d := &state.Decision{Name: "order", Kind: state.DecideOrder, Player: players[f.At], Min: int32(len(own)), Max: int32(len(own)), Why: state.None}
				for _, i := range own {
					d.Options = append(d.Options, int64(i))
					d.Labels = append(d.Labels, m.Label(i))
				}
				m.ask(d)
				return false
			}
			own = own[:0]
			for _, i := range ans {
				own = append(own, int32(i))
			}
		}
		for _, i := range own {
			s.Clock++
			m.stampEffect(i, s.Clock)
		}
	}
	return true
}

// players lists the players in the order in which theirs come, then nobody.
func (m *Match) players(t program.Together) []int32 {
	first := m.turnPlayer()
	if t.OtherFirst {
		first = 3 - first
	}
	return []int32{first, 3 - first, state.None}
}

func (m *Match) disputed(list []int32) bool {
	for i, a := range list {
		for _, b := range list[:i] {
			if !m.alike(a, b) && !m.En.L.Commute(m.S.Effects[a].Def, m.S.Effects[b].Def, m.apart(a, b)) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two effects are the same but for their place among their
// source's printed abilities, so that neither order is another.
func (m *Match) alike(a, b int32) bool {
	x, y := &m.S.Effects[a], &m.S.Effects[b]
	return x.Def == y.Def && x.Source == y.Source && x.You == y.You && x.Host == y.Host && x.Static && y.Static && x.Origin == state.None && y.Origin == state.None &&
		slices.Equal(x.Objects, y.Objects) && slices.EqualFunc(x.Frame, y.Frame, func(v, w state.Val) bool { return v.N == w.N && slices.Equal(v.L, w.L) })
}

// apart reports whether two effects can never change the same object: each
// changes its own source, or what it named.
func (m *Match) apart(a, b int32) bool {
	x, y := m.own(a), m.own(b)
	if x == nil || y == nil {
		return false
	}
	for _, o := range x {
		for _, p := range y {
			if o == p {
				return false
			}
		}
	}
	return true
}

func (m *Match) own(i int32) []int64 {
	x := &m.S.Effects[i]
	switch m.En.P.Effects[x.Def].Target {
	case program.TargetSelf:
		return []int64{int64(x.Source)}
	case program.TargetFixed:
		return x.Objects
	}
	return nil
}

// newGrant records an ability that an effect gives, and makes its effects.
func (m *Match) newGrant(effect, op, object, keyword, card int32, frame []state.Val) {
	s := m.S
	used := uint64(1)<<len(m.En.P.Cards[s.Objects[object].Def].Abilities) - 1
	for i := range s.Grants {
		if g := &s.Grants[i]; g.Object == object && !g.Lost {
			used |= 1 << g.Bit
		}
	}
	bit := bits.TrailingZeros64(^used) // the lowest free place
	if bit > maxAbilities {
		m.err = m.loop("abilities", maxAbilities)
		return
	}
	s.Grants = append(s.Grants, state.Grant{Effect: effect, Op: op, Object: object, Keyword: keyword, Card: card, Frame: frame, Bit: int32(bit)})
	origin := int32(len(s.Grants) - 1)
	before := len(s.Effects)
	zone := int(s.Objects[object].Zone)
	if keyword >= 0 {
		for _, ab := range m.En.P.Keywords[keyword].Abilities {
			m.attachAbility(object, int32(bit), ab, zone, frame, origin)
		}
	} else {
		for _, ab := range m.En.P.Cards[card].Abilities {
			m.attachAbility(object, int32(bit), ab, zone, nil, origin)
		}
		for i := before; i < len(s.Effects); i++ { // copied abilities are as old as the effect that copies
			m.stampEffect(int32(i), s.Effects[effect].Stamp)
		}
	}
	m.touch(effectChange)
}

// cardTrigger is a trigger that a card carries, with its keyword's arguments.
type watcher struct {
	trigger int
	frame   []state.Val
	away    bool // the card does not have the ability now
}

func (m *Match) watchers(ability int, frame []state.Val, out []watcher) []watcher {
	ab := m.En.P.Abilities[ability]
	if ab.Keyword >= 0 {
		args := make([]state.Val, len(ab.Args))
		for i, a := range ab.Args {
			args[i] = m.En.C.Value(a, &m.env)
		}
		for _, k := range m.En.P.Keywords[ab.Keyword].Abilities {
			out = m.watchers(k, args, out)
		}
		return out
	}
	for _, t := range ab.Triggers {
		out = append(out, watcher{trigger: t, frame: frame})
	}
	return out
}

// collect finds what the moments have triggered, in the state right after them.
func (m *Match) collect(f *state.Frame) {
	f.Phase, f.At = phaseOrder, 0
	if len(f.Events) == 0 {
		return
	}
	m.compute()
	if m.Judging != nil {
		m.Judging(f.Events)
	}
	e := &m.env
	var batch []state.Queued
	for _, ev := range f.Events {
		a := m.S.Acts[ev.Act]
		if !m.En.interest[a.Action][ev.Edge] {
			continue
		}
		for _, z := range m.En.zones {
			for k := range 3 {
				for _, o := range m.S.Piles[z*3+k] {
					batch = m.ofCard(o, z, ev, batch)
				}
			}
		}
		for _, ev2 := range f.Events { // what left in the same moments looks back
			b := m.S.Acts[ev2.Act]
			if m.En.P.Actions[b.Action].Basic == program.BasicMove && ev2.Edge == program.Done {
				if o := b.Roles[0].N; o >= 0 && m.S.Objects[o].Gone && m.S.Objects[o].Entity == program.Card {
					batch = m.ofGone(int32(o), ev, batch)
				}
			}
		}
		if ev.Edge == program.Done {
			for _, o := range m.departed(a, f.Events) {
				batch = m.ofGone(o, ev, batch)
			}
		}
		for _, i := range m.res.Holders {
			x := &m.S.Effects[i]
			if x.Ended {
				continue
			}
			for _, t := range m.En.P.Effects[x.Def].Triggers {
				m.enterEffect(e, i)
				batch = m.fire(t, x.Source, int32(e.You), x.Frame, ev, i, m.copyOf(i), batch)
			}
		}
		for k := 0; k < len(m.S.Later); k++ {
			d := m.S.Later[k]
			t := &m.En.triggers[d.Trigger]
			mo := moment{Moment: &t.Moment, where: t.where}
			e.Self, e.You, e.L, e.Hits = int64(d.Self), int64(d.You), d.Frame, nil
			if m.at(&mo, ev, d.Created) {
				m.S.Later = append(m.S.Later[:k:k], m.S.Later[k+1:]...)
				k--
				batch = append(batch, state.Queued{Trigger: d.Trigger, Self: d.Self, You: d.You, Act: ev.Act, Frame: d.Frame, Effect: state.None})
			}
		}
	}
	f.Batch = batch
}

// ofGone tries the triggers of a card that became another object. Where it left a zone
// that renews objects, the roles of the action have gone along with what it became; for
// the card they speak of itself.
func (m *Match) ofGone(was int32, ev state.Event, batch []state.Queued) []state.Queued {
	a, zone := m.S.Acts[ev.Act], int(m.S.Objects[was].Zone)
	if !m.En.P.Zones[zone].Renews {
		return m.ofCard(was, zone, ev, batch)
	}
	is := was
	for m.S.Objects[is].Next >= 0 {
		is = m.S.Objects[is].Next
	}
	roles := slices.Clone(a.Roles)
	for k, r := range m.En.P.Actions[a.Action].Roles {
		m.rename(&a.Roles[k], r.Type, int64(is), int64(was))
	}
	batch = m.ofCard(was, zone, ev, batch)
	copy(a.Roles, roles)
	return batch
}

// ofCard tries the triggers of a card's abilities on a moment.
func (m *Match) ofCard(o int32, zone int, ev state.Event, batch []state.Queued) []state.Queued {
	ob := &m.S.Objects[o]
	abilities := m.En.P.Cards[ob.Def].Abilities
	mask := uint64(0)
	if ob.Gone {
		if slot := m.En.P.AbilSlot; slot < len(ob.Last) {
			mask = uint64(ob.Last[slot])
		}
	} else if off := m.board.Off[o]; off >= 0 {
		mask = uint64(m.board.Vals[int(off)+m.En.P.AbilSlot])
	}
	if mask == 0 {
		return batch
	}
	action := m.S.Acts[ev.Act].Action
	if mask>>len(abilities) == 0 && !m.En.hears[ob.Def].has(action) {
		return batch
	}
	var list []watcher
	add := func(ab int, frame []state.Val, here bool) {
		from := len(list)
		list = m.watchers(ab, frame, list)
		for i := range list[from:] {
			list[from+i].away = !here
		}
	}
	for bit, ab := range abilities {
		if m.En.hearing[ab].has(action) {
			add(ab, nil, mask>>bit&1 != 0)
		}
	}
	if mask>>len(abilities) != 0 {
		for i := range m.S.Grants {
			g := &m.S.Grants[i]
			if g.Object != o || g.Lost && !ob.Gone {
				continue
			}
			here := mask>>g.Bit&1 != 0
			if g.Keyword >= 0 {
				for _, ab := range m.En.P.Keywords[g.Keyword].Abilities {
					add(ab, g.Frame, here)
				}
			} else {
				for _, ab := range m.En.P.Cards[g.Card].Abilities {
					add(ab, nil, here)
				}
			}
		}
	}
	for i, w := range list {
		if w.away {
			continue
		}
		copy := int32(0)
		for _, v := range list[:i] {
			if v.trigger == w.trigger {
				copy++
			}
		}
		if w.frame == nil && m.En.P.Cards[ob.Def].Anonymous {
			w.frame = m.Pinned
		}
		if m.En.P.Triggers[w.trigger].In == zone {
			batch = m.fire(w.trigger, o, ob.Controller, w.frame, ev, state.None, copy, batch)
		}
	}
	return batch
}

// hear enters the actions on which an ability has triggers.
func (en *Engine) hear(ability int, s actionSet) {
	ab := en.P.Abilities[ability]
	if ab.Keyword >= 0 {
		for _, k := range en.P.Keywords[ab.Keyword].Abilities {
			en.hear(k, s)
		}
		return
	}
	for _, t := range ab.Triggers {
		if a := en.P.Triggers[t].Moment.Action; a >= 0 {
			s[a>>6] |= 1 << (a & 63)
		}
	}
}

// copyOf tells an effect that holds triggers from others with the same text: one of
// an ability by how many copies of that its Object has before it, so that a copy
// which is lost and comes back goes on counting; one that an instruction made by
// its number.
func (m *Match) copyOf(i int32) int32 {
	x := &m.S.Effects[i]
	if !x.Static {
		return i + 1
	}
	n := int32(0)
	for _, k := range m.S.Live {
		if y := &m.S.Effects[k]; k < i && y.Def == x.Def && y.Source == x.Source {
			n++
		}
	}
	return n
}

// fire tries one trigger on one moment. Limits count by the Object and, where it has
// the same ability several times, by copy.
func (m *Match) fire(t int, self, you int32, frame []state.Val, ev state.Event, effect, copy int32, batch []state.Queued) []state.Queued {
	tr := &m.En.triggers[t]
	e := &m.env
	e.Self, e.You, e.L, e.Hits = int64(self), int64(you), frame, nil
	mo := moment{Moment: &tr.Moment, where: tr.where}
	if !m.at(&mo, ev, 0) {
		return batch
	}
	var hits []int64
	if tr.among != nil {
		a := m.S.Acts[ev.Act]
		e.Act = a
		mark := e.Mark()
	hits:
		for _, id := range tr.among(e) {
			e.Act = m.S.Acts[id]
			for _, fits := range tr.amongFits {
				if fits(e) == 0 {
					continue hits
				}
			}
			hits = append(hits, id)
		}
		e.Release(mark)
		if len(hits) == 0 {
			return batch
		}
	}
	if !m.within(tr, self, copy, ev, false) {
		return batch
	}
	times := int64(1)
	q := state.Queued{Trigger: int32(t), Self: self, You: you, Act: ev.Act, Hits: hits, Frame: frame, Effect: effect, Copy: copy}
	action := m.En.basic[program.BasicTrigger]
	// The action trigger is of a card's ability; what the game itself, a token or an
	// effect of nobody waits for is none.
	ofCard := self >= 0 && m.S.Objects[self].Entity == program.Card
	if ofCard && (len(m.res.Rules[action]) > 0 || len(m.res.Attended[action]) > 0) {
		a := m.newAct(action)
		a.Roles[0].N, a.Roles[1].N = int64(tr.Header), int64(self)
		a.AbilityOf, a.Causer = you, self
		if v := m.gate(a); !v.ok {
			m.tell(v.refusal(a))
			return batch
		}
		m.fix(a)
		times = a.Attrs[0].N
		e.Self, e.You, e.L, e.Hits = int64(self), int64(you), frame, hits
	}
	if times > 0 {
		m.within(tr, self, copy, ev, true)
	}
	for range min(times, maxQueue+1) {
		batch = append(batch, q)
	}
	return batch
}

// within reports whether a trigger's limits allow a firing, or counts one.
func (m *Match) within(tr *trigger, self, copy int32, ev state.Event, count bool) bool {
	for i := range tr.Limits {
		l := &tr.Limits[i]
		u := m.used(l.Index, self, int32(tr.Index), copy, m.window(l.Per, ev.Act))
		if count {
			u.Count++
			continue
		}
		most := int64(1)
		if f := m.En.limits[l.Index]; f != nil {
			most = f(&m.env)
		}
		if u.Count >= most {
			return false
		}
	}
	return true
}

// window names the window in which a limit counts: the act itself, or the
// innermost of its kind under way.
func (m *Match) window(per int, act int64) int64 {
	if act >= 0 {
		if a := m.S.Acts[act]; int(a.Action) == per {
			return a.Start
		}
	}
	for i := len(m.S.Under) - 1; i >= 0; i-- {
		if a := m.S.Acts[m.S.Under[i]]; int(a.Action) == per {
			return a.Start
		}
	}
	return 0
}

func (m *Match) used(limit int, o, trigger, copy int32, window int64) *state.Used {
	for i := range m.S.Used {
		u := &m.S.Used[i]
		if int(u.Limit) == limit && u.Object == o && u.Bit == trigger && u.Copy == copy && u.Window == window {
			return u
		}
	}
	m.S.Used = append(m.S.Used, state.Used{Limit: int32(limit), Object: o, Bit: trigger, Copy: copy, Window: window})
	return &m.S.Used[len(m.S.Used)-1]
}

// queueBatch puts triggers that arose together into the queue: the turn player's
// first, each player ordering their own.
func (m *Match) queueBatch(f *state.Frame) {
	if len(f.Batch) == 0 {
		m.pop()
		return
	}
	players := m.players(m.En.P.Options.Triggers)
	for ; int(f.At) < len(players); f.At++ {
		var own []int
		for k := range f.Batch {
			if f.Batch[k].You == players[f.At] || players[f.At] == state.None && f.Batch[k].You < 1 {
				own = append(own, k)
			}
		}
		if players[f.At] != state.None && len(own) > 1 && !m.En.P.Options.Triggers.Fixed && !alike(f.Batch, own) {
			ans, ok := m.answered()
			if !ok {
				d := &state.Decision{Name: "order", Kind: state.DecideTriggers, Player: players[f.At], Min: int32(len(own)), Max: int32(len(own)), Why: state.None}
				for _, k := range own {
					d.Options = append(d.Options, int64(k))
					d.Labels = append(d.Labels, m.triggerLabel(&f.Batch[k]))
				}
				m.ask(d)
				return
			}
			own = own[:0]
			for _, k := range ans {
				own = append(own, int(k))
			}
		}
		for _, k := range own {
			m.enqueue(f.Batch[k])
		}
	}
	batch := f.Batch
	m.pop()
	m.triggered(batch)
}

// triggered notes that abilities have triggered, where something watches that.
func (m *Match) triggered(batch []state.Queued) {
	action := m.En.basic[program.BasicTrigger]
	if !m.En.interest[action][program.Done] {
		return
	}
	var events []state.Event
	for i := range batch {
		q := &batch[i]
		if q.Self < 0 || m.S.Objects[q.Self].Entity != program.Card {
			continue
		}
		a := m.newAct(action)
		a.Roles[0].N, a.Roles[1].N = int64(m.En.P.Triggers[q.Trigger].Header), int64(q.Self)
		a.AbilityOf, a.Causer, a.You = q.You, q.Self, q.You
		m.fix(a)
		a.Done = true
		m.tell(Note{Kind: Happened, Act: a})
		events = append(events, state.Event{Act: a.ID, Edge: program.Done})
	}
	if len(events) > 0 {
		m.happen(events...)
	}
}

// alike reports whether triggers that arose together are one ability's own: then
// their order can't be told.
func alike(batch []state.Queued, own []int) bool {
	for _, k := range own[1:] {
		a, b := &batch[own[0]], &batch[k]
		if a.Trigger != b.Trigger || a.Self != b.Self || a.Act != b.Act {
			return false
		}
	}
	return true
}

func (m *Match) triggerLabel(q *state.Queued) string {
	if q.Self >= 0 && m.S.Objects[q.Self].Entity == program.Card {
		return m.En.P.Cards[m.S.Objects[q.Self].Def].Name
	}
	return m.En.P.Routines[m.En.P.Triggers[q.Trigger].Body].What
}

func (m *Match) enqueue(q state.Queued) {
	m.S.Queue = append(m.S.Queue, q)
	m.tell(Note{Kind: Fired, Trigger: q.Trigger, Self: q.Self, Player: q.You, Act: m.S.Acts[q.Act], Effect: q.Effect})
}

// drain resolves what waits in the queue, first in first out.
func (m *Match) drain() {
	s := m.S
	if len(s.Queue) == 0 {
		m.pop()
		return
	}
	at := 0
	if m.En.P.Options.NewestTrigger {
		at = len(s.Queue) - 1
	}
	q := s.Queue[at]
	s.Queue = append(s.Queue[:at:at], s.Queue[at+1:]...)
	if len(m.resolved) == 6 {
		m.resolved = append(m.resolved[:0], m.resolved[1:]...)
	}
	m.resolved = append(m.resolved, q)
	m.tell(Note{Kind: Resolved, Trigger: q.Trigger, Self: q.Self, Player: q.You, Act: s.Acts[q.Act], Effect: q.Effect})
	m.pushCode(m.En.P.Triggers[q.Trigger].Body, q.Frame, state.Frame{Self: q.Self, You: q.You, Act: q.Act, Parent: state.None, AbilityOf: q.You, Causer: q.Self, Hits: q.Hits, Copy: q.Copy})
}
