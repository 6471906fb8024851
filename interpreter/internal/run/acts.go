package run

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// elementary does what Go itself can do. It reports whether the act is complete;
// a grant is only when its keyword's own instructions are.
func (m *Match) elementary(a *state.Act, def *program.Action) bool {
	s := m.S
	switch def.Basic {
	case program.BasicMove:
		if s.Objects[a.Roles[0].N].Entity == program.Token {
			m.moveToken(int32(a.Roles[0].N), int32(a.Roles[1].N))
		} else {
			m.move(a)
		}
	case program.BasicGive:
		s.Objects[a.Roles[0].N].Controller = int32(a.Roles[1].N)
		m.turned(int32(a.Roles[0].N))
	case program.BasicPlace:
		t, host := int32(a.Roles[0].N), int32(a.Roles[1].N)
		if !s.Objects[t].Gone { // placed already, by a replacement that proceeds twice
			t = m.newObject(m.unplaced(a.Kind))
			a.Roles[0].N = int64(t)
		}
		o := &s.Objects[t]
		o.Host, o.Gone = host, false
		m.host(t, host)
		for _, e := range m.En.P.Tokens[o.Def].Effects {
			m.addEffect(state.Effect{Def: int32(e), Source: t, You: state.None, Bit: state.None, Origin: state.None, Host: state.None, Static: true})
		}
		m.touch(ofToken(int(o.Def)))
	case program.BasicRemove:
		m.removeToken(int32(a.Roles[0].N))
	case program.BasicGrant:
		return m.grant(a)
	case program.BasicArrange:
		m.arrangePile(a.Roles[0].L)
	case program.BasicFinish:
		s.Over = true
		s.Winners = append([]int64(nil), a.Attrs[0].L...)
		m.tell(Note{Kind: Happened, Act: a})
		return false
	}
	return true
}

// newObject makes an object; it returns its number.
func (m *Match) newObject(o state.Object) int32 {
	m.S.Objects = append(m.S.Objects, o)
	n := int32(len(m.S.Objects) - 1)
	m.memories(n)
	switch {
	case o.Gone: // it is not there yet
		m.touch(roomChange)
	case o.Entity == program.Token:
		m.touch(ofToken(int(o.Def)))
	default:
		m.touch(cardChange)
	}
	return n
}

// NewCard puts a card into play from outside: for set-up and for cases.
func (m *Match) NewCard(def int, owner, controller int32, zone int, cell int32) int32 {
	o := m.newObject(state.Object{Entity: program.Card, Def: int32(def), Owner: owner, Controller: controller, Zone: int32(zone), Cell: cell,
		Host: state.None, Next: state.None})
	m.enter(o)
	return o
}

// enter puts a card where its Zone says and brings its static abilities into being.
func (m *Match) enter(o int32) {
	ob := &m.S.Objects[o]
	z := int(ob.Zone)
	pile := state.Pile(m.En.P.Zones[z], z, ob.Owner)
	if m.S.Piles[pile] == nil {
		m.S.Piles[pile], m.piles[pile] = m.piles[pile], nil
	}
	if m.En.P.Zones[z].Pile {
		m.S.Piles[pile] = append(m.S.Piles[pile], o)
	} else {
		m.S.Piles[pile] = inserted(m.S.Piles[pile], o)
	}
	for bit, ab := range m.En.P.Cards[ob.Def].Abilities {
		m.attachAbility(o, int32(bit), ab, z, nil, state.None)
	}
}

// inserted puts an object among others in order of birth.
func inserted(list []int32, o int32) []int32 {
	at := len(list)
	for at > 0 && list[at-1] > o {
		at--
	}
	return slices.Insert(list, at, o)
}

// without takes an object out of a list.
func without(list []int32, o int32) []int32 {
	if k := slices.Index(list, o); k >= 0 {
		return slices.Delete(list, k, k+1)
	}
	return list
}

// attachAbility makes the effects of one ability.
func (m *Match) attachAbility(o, bit int32, ability, zone int, frame []state.Val, origin int32) {
	ab := m.En.P.Abilities[ability]
	if ab.Keyword >= 0 {
		args := make([]state.Val, len(ab.Args))
		for i, a := range ab.Args {
			args[i] = m.En.C.Value(a, &m.env)
		}
		for _, k := range m.En.P.Keywords[ab.Keyword].Abilities {
			m.attachAbility(o, bit, k, zone, args, origin)
		}
		return
	}
	if frame == nil && m.En.P.Cards[m.S.Objects[o].Def].Anonymous {
		frame = m.Pinned // the text of a case's own card may name what the case starts with
	}
	for _, e := range ab.Effects {
		if m.En.P.Effects[e].In == zone {
			n := m.addEffect(state.Effect{Def: int32(e), Source: o, You: state.None, Frame: frame, Bit: bit, Origin: origin, Host: state.None, Static: true})
			if origin >= 0 {
				g := &m.S.Grants[origin]
				g.Effects = append(g.Effects, n)
			}
		}
	}
}

func (m *Match) addEffect(x state.Effect) int32 {
	s := m.S
	s.Clock++
	x.Created = s.Clock
	s.Effects = append(s.Effects, x)
	n := int32(len(s.Effects) - 1)
	s.Live = append(s.Live, n)
	m.account(n, 1)
	m.changed |= effectChange // the layers hear of it once it has its Timestamp
	s.Version++
	return n
}

// endEffect takes an effect out of being.
func (m *Match) endEffect(i int32) bool {
	s := m.S
	if s.Effects[i].Ended {
		return false
	}
	s.Effects[i].Ended = true
	m.account(i, -1)
	s.Live = without(s.Live, i)
	m.touchEffect(i, false)
	m.tell(Note{Kind: Ended, Effect: i})
	return true
}

// move takes a card from one place to another. One that enters or leaves a zone
// that renews objects goes on as a new object; nothing goes along.
func (m *Match) move(a *state.Act) {
	s, p := m.S, m.En.P
	o := int32(a.Roles[0].N)
	old := s.Objects[o]
	to, cell := int(-2-a.Roles[1].N), int32(state.None)
	if n := a.Roles[1].N; n >= 0 {
		to = int(s.Objects[n].Zone)
		if p.Zones[to].Width > 0 {
			cell = int32(n)
		}
	}
	if slot := m.En.into[a.Action]; slot >= 0 {
		a.Attrs[slot].N = int64(to)
	}
	from := int(old.Zone)
	if slot := m.En.outOf[a.Action]; slot >= 0 && a.Have&(1<<slot) == 0 { // logs ask for it later
		a.Attrs[slot].N = int64(from)
		a.Have |= 1 << slot
	}
	pile := state.Pile(p.Zones[from], from, old.Owner)
	renew := (p.Zones[from].Renews || p.Zones[to].Renews) && from != to
	if renew {
		m.compute()
		if row := m.board.Row(p, program.Card, int64(o)); row != nil {
			s.Objects[o].Last = append([]int64(nil), row...)
		}
	}
	if from == to && !p.Zones[to].Pile { // another cell: the same card with the same abilities
		s.Objects[o].Cell = cell
		m.touch(placeChange | cellChange)
		return
	}
	s.Piles[pile] = without(s.Piles[pile], o)
	if from == to { // to the end of its pile
		s.Piles[pile] = append(s.Piles[pile], o)
		m.touch(placeChange)
		return
	}
	for k := len(s.Live) - 1; k >= 0; k-- {
		i := s.Live[k]
		if x := &s.Effects[i]; x.Bit >= 0 && x.Source == o {
			m.endEffect(i)
		}
	}
	if !renew {
		s.Objects[o].Zone, s.Objects[o].Cell = int32(to), cell
		m.touch(placeChange)
		if p.Zones[from].Width > 0 || p.Zones[to].Width > 0 {
			m.touch(cellChange)
		}
		m.enter(o)
		return
	}
	for _, t := range slices.Clone(old.Tokens) {
		m.loseToken(t)
	}
	s.Objects[o].Gone, s.Objects[o].Tokens = true, nil
	controller := old.Controller
	if !p.Zones[to].Renews {
		controller = old.Owner
	} else if p.Zones[from].Renews {
		controller = old.Controller
	}
	n := m.newObject(state.Object{Entity: program.Card, Def: old.Def, Owner: old.Owner, Controller: controller, Zone: int32(to), Cell: cell,
		Host: state.None, Next: state.None})
	s.Objects[o].Next = n
	m.follow(a, int64(o), int64(n))
	if !p.Zones[from].Renews { // what watches an arrival sees who has arrived
		a.Roles[0].N = int64(n)
	}
	m.enter(n)
}

// follow makes the names in the bodies under way, and the roles of the actions
// under way, go along with a card that became a new object. The move itself
// keeps the old one: what watches a leaving looks back.
func (m *Match) follow(move *state.Act, old, now int64) {
	s, p := m.S, m.En.P
	for i := range s.Stack {
		f := &s.Stack[i]
		if f.Kind == state.FrameCode {
			types := p.Routines[f.Routine].Types
			for k := range f.L {
				if k < len(types) {
					m.rename(&f.L[k], types[k], old, now)
				}
			}
		}
	}
	for k := range m.Pinned {
		if k < len(m.PinnedTypes) {
			m.rename(&m.Pinned[k], m.PinnedTypes[k], old, now)
		}
	}
	for _, id := range s.Under {
		a := s.Acts[id]
		if a == move {
			continue
		}
		for k, r := range p.Actions[a.Action].Roles {
			m.rename(&a.Roles[k], r.Type, old, now)
		}
	}
}

func (m *Match) rename(v *state.Val, t program.Type, old, now int64) {
	if t.Base != program.IsObject {
		return
	}
	if !t.Several {
		if v.N == old {
			v.N = now
		}
		return
	}
	for i, x := range v.L {
		if x == old {
			v.L = append([]int64(nil), v.L...)
			v.L[i] = now
		}
	}
}

// moveToken puts a token on another object.
func (m *Match) moveToken(t, host int32) {
	s := m.S
	m.unhost(t)
	s.Objects[t].Host = host
	m.host(t, host)
	m.touch(ofToken(int(s.Objects[t].Def)))
}

// host enters a token among those on an object, in order of birth.
func (m *Match) host(t, host int32) {
	h := &m.S.Objects[host]
	h.Tokens = inserted(h.Tokens, t)
}

func (m *Match) unhost(t int32) {
	if h := m.S.Objects[t].Host; h >= 0 {
		ob := &m.S.Objects[h]
		ob.Tokens = without(ob.Tokens, t)
	}
}

// removeToken takes a token off; it keeps the values that it had.
func (m *Match) removeToken(t int32) {
	m.compute()
	if row := m.board.Row(m.En.P, program.Token, int64(t)); row != nil {
		m.S.Objects[t].Last = append([]int64(nil), row...)
	}
	m.loseToken(t)
}

func (m *Match) loseToken(t int32) {
	m.unhost(t)
	m.S.Objects[t].Gone = true
	for k := len(m.S.Live) - 1; k >= 0; k-- {
		if i := m.S.Live[k]; m.S.Effects[i].Source == t && m.S.Effects[i].Static {
			m.endEffect(i)
		}
	}
	m.touch(ofToken(int(m.S.Objects[t].Def)))
}

// dropToken forgets a token that was to be placed and was not.
func (m *Match) dropToken(a *state.Act) {
	if t := a.Roles[0].N; t >= 0 && int(t) == len(m.S.Objects)-1 && m.S.Objects[t].Gone {
		m.S.Objects = m.S.Objects[:t]
		a.Roles[0].N = state.None
		m.touch(roomChange)
	}
}

// grant gives a keyword: by its own instructions where it has them, else as an
// effect that adds it for the stated duration.
func (m *Match) grant(a *state.Act) bool {
	k := m.En.P.Keywords[a.Roles[0].N]
	if k.Granted == nil {
		if a.Until >= 0 {
			m.addEffect(state.Effect{Def: a.Until, Source: a.Self, You: a.You, Frame: a.Frame, Objects: []int64{a.Roles[1].N},
				Bit: state.None, Origin: state.None, Host: state.None})
		}
		return true
	}
	m.push(state.Frame{Kind: state.FrameAct, Act: a.ID, Parent: a.Parent, Phase: 2})
	you := a.You
	if you < 0 {
		you = int32(m.env.Controller(a.Roles[1].N))
	}
	m.pushCode(k.Granted.Body, granting(a), state.Frame{Self: a.Self, You: you, Act: state.None, Parent: a.ID, AbilityOf: a.AbilityOf, Causer: a.Causer})
	return false
}

// arrangePile puts cards of one pile into the order given, where they lay.
func (m *Match) arrangePile(cards []int64) {
	if len(cards) == 0 {
		return
	}
	o := &m.S.Objects[cards[0]]
	z := int(o.Zone)
	pile := m.S.Piles[state.Pile(m.En.P.Zones[z], z, o.Owner)]
	in := func(c int32) bool {
		for _, x := range cards {
			if x == int64(c) {
				return true
			}
		}
		return false
	}
	out, k := append([]int32(nil), pile...), 0
	for i, c := range pile {
		if in(c) && k < len(cards) {
			out[i] = int32(cards[k])
			k++
		}
	}
	m.S.Piles[state.Pile(m.En.P.Zones[z], z, o.Owner)] = out
	m.touch(placeChange)
}

// Label is how cases and lists name an effect: its own label, its keyword, or
// the card that it comes from.
func (m *Match) Label(i int32) string {
	x := &m.S.Effects[i]
	d := m.En.P.Effects[x.Def]
	switch {
	case d.Label != "":
		return d.Label
	case d.Keyword >= 0:
		return m.En.P.Keywords[d.Keyword].Name
	case x.Source >= 0 && m.S.Objects[x.Source].Entity == program.Card:
		return m.En.P.Cards[m.S.Objects[x.Source].Def].Name
	case x.Source >= 0 && m.S.Objects[x.Source].Entity == program.Token:
		return m.En.P.Tokens[m.S.Objects[x.Source].Def].Name
	}
	return ""
}
