package run

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// newAct makes an act and enters it among the records.
func (m *Match) newAct(action int) *state.Act {
	s, p := m.S, m.En.P
	var a *state.Act
	if n := len(m.freeActs); n > 0 {
		a = m.freeActs[n-1]
		m.freeActs = m.freeActs[:n-1]
		roles, attrs, replaced := a.Roles[:0], a.Attrs[:0], a.Replaced[:0]
		*a = state.Act{Roles: roles, Attrs: attrs, Replaced: replaced}
	} else {
		a = m.freshAct()
	}
	def := p.Actions[action]
	a.ID, a.Action, a.Parent = int64(len(s.Acts)), int32(action), state.None
	a.AbilityOf, a.Causer, a.Kind, a.Until = state.None, state.None, state.None, state.None
	a.Self, a.You = state.None, state.None
	a.Code, a.At = state.None, state.None
	for range def.Roles {
		a.Roles = append(a.Roles, state.Val{N: state.None})
	}
	for range def.Attrs {
		a.Attrs = append(a.Attrs, state.Val{})
	}
	s.Clock++
	a.Start = s.Clock
	s.Acts = append(s.Acts, a)
	return a
}

// freshAct makes room for an act, with its roles and attributes, out of a block.
func (m *Match) freshAct() *state.Act {
	if len(m.actBlock) == 0 {
		const n = 8
		m.actBlock = make([]state.Act, n)
		m.valBlock = make([]state.Val, n*(m.En.roles+m.En.attributes))
	}
	a := &m.actBlock[0]
	m.actBlock = m.actBlock[1:]
	k := m.En.roles + m.En.attributes
	a.Roles, a.Attrs = m.valBlock[:0:m.En.roles], m.valBlock[m.En.roles:m.En.roles:k]
	m.valBlock = m.valBlock[k:]
	return a
}

// fill gives an act's roles that nothing has named what surrounds it, or their
// defaults.
func (m *Match) fill(a *state.Act, given uint64) {
	def := m.En.P.Actions[a.Action]
	for i, r := range def.Roles {
		if given&(1<<i) != 0 {
			continue
		}
		if r.Prep == "within" {
			// Only through bodies of actions: an ability or a replacement starts
			// without a parent, so what it does is no part of what is around it.
			for id := a.Parent; id >= 0; id = m.S.Acts[id].Parent {
				if int(m.S.Acts[id].Action) == r.Type.ID {
					a.Roles[i].N = id
					break
				}
			}
			continue
		}
		if d := m.En.defaults[a.Action][i]; d.set() {
			e := &m.env
			oldAct, oldSelf := e.Act, e.Self
			e.Act, e.Self = a, state.None
			a.Roles[i] = d.val(e)
			e.Act, e.Self = oldAct, oldSelf
		}
	}
}

// attr works out an attribute: its base, and what effects on the action do to it.
// Attributes are worked out whenever they are read until the act has passed the
// gate; then they are fixed.
func (m *Match) attr(e *eval.Env, a *state.Act, slot int) state.Val {
	if m.runningOf == a && m.computing&(1<<slot) != 0 {
		return m.running[slot] // asked for while it is worked out: as it stands
	}
	ch := m.En.P.Chars[m.En.P.Actions[a.Action].Attrs[slot]]
	oldAct, oldL, oldSelf, oldYou, oldHits := e.Act, e.L, e.Self, e.You, e.Hits
	e.Act, e.L, e.Self, e.You, e.Hits = a, nil, state.None, state.None, nil
	oldBase := e.Enter()
	var v state.Val
	switch {
	case a.Base&(1<<slot) != 0:
		v = a.Attrs[slot]
	case m.En.lists[ch.Index] != nil:
		v = expr{l: m.En.lists[ch.Index]}.val(e)
	case m.En.attrs[ch.Index] != nil:
		v = state.Val{N: m.En.attrs[ch.Index](e)}
	default:
		v = state.Val{N: eval.Empty(ch.Type)}
		if ch.Type.List() {
			v = a.Attrs[slot]
		}
	}
	if m.res != nil && int(a.Action) < len(m.res.Attended) && len(m.res.Attended[a.Action]) > 0 && !ch.Type.List() {
		v.N = m.attend(e, a, slot, ch, v.N)
	}
	e.Leave(oldBase)
	e.Act, e.L, e.Self, e.You, e.Hits = oldAct, oldL, oldSelf, oldYou, oldHits
	if !ch.Type.List() && len(m.res0(a)) == 0 {
		v.N = eval.Bound(ch, v.N)
	}
	return v
}

func (m *Match) res0(a *state.Act) []int32 {
	if m.res == nil {
		return nil
	}
	return m.res.Attended[a.Action]
}

// attend applies the effects on an action to one of its attributes, layer by
// layer, oldest first.
func (m *Match) attend(e *eval.Env, a *state.Act, slot int, ch *program.Char, v int64) int64 {
	oldOf, oldComputing := m.runningOf, m.computing
	if m.runningOf != a {
		m.runningOf, m.computing = a, 0
	}
	m.computing |= 1 << slot
	m.running[slot] = state.Val{N: v}
	bounded := false
	for l := range m.En.P.Layers {
		for _, i := range m.res.Attended[a.Action] {
			x := &m.S.Effects[i]
			ec := &m.En.attended[x.Def]
			for k := range ec.ops {
				op := &ec.ops[k]
				if op.Layer != l || op.Char != ch.Index {
					continue
				}
				m.enterEffect(e, i)
				e.Act = a
				if ec.where != nil && ec.where(e) == 0 {
					continue
				}
				n := m.running[slot].N
				amount := int64(0)
				if op.value != nil {
					amount = op.value(e)
				}
				switch op.Verb {
				case program.VerbSet:
					n = amount
				case program.VerbRaise:
					n = e.Add(n, amount)
				case program.VerbLower:
					n = e.Sub(n, amount)
				case program.VerbAdd:
					n |= amount
				case program.VerbRemove:
					n &^= amount
				case program.VerbStrip:
					n = 0
				}
				m.running[slot].N = n
			}
		}
		if m.En.P.Layers[l].FloorsEnd {
			m.running[slot].N = eval.Bound(ch, m.running[slot].N)
			bounded = true
		}
	}
	v = m.running[slot].N
	if !bounded {
		v = eval.Bound(ch, v)
	}
	m.runningOf, m.computing = oldOf, oldComputing
	return v
}

// enterEffect makes an effect's source, player and captured values the
// surroundings.
func (m *Match) enterEffect(e *eval.Env, i int32) {
	x := &m.S.Effects[i]
	e.Self, e.L, e.Hits, e.Act = int64(x.Source), x.Frame, nil, x.Act
	e.You = int64(x.You)
	if x.You < 0 {
		e.You = e.Controller(int64(x.Source))
	}
}

// verdict is what the gate says.
type verdict struct {
	ok     bool
	verb   string
	effect int32
	op     int32
	cond   int
	need   *program.Need // what the action needs and does not get; the rest tells why
	inner  *state.Act    // that action, as it would have been
	others []RuleAt      // the other prohibitions that stood in the way, where they are kept
}

// refusal is what is told of an act that the gate refused.
func (v *verdict) refusal(a *state.Act) Note {
	return Note{Kind: Refused, Act: a, Verb: v.verb, Effect: v.effect, Op: v.op, Cond: v.cond, Need: v.need, Inner: v.inner, Others: v.others}
}

// gate judges an act: roles and conditions, then the rules in force in the
// order of authority, then what it needs. It changes nothing.
func (m *Match) gate(a *state.Act) verdict {
	m.compute()
	impossible := func(cond int) verdict {
		return verdict{verb: "impossible", effect: state.None, op: state.None, cond: cond}
	}
	e := &m.env
	def := m.En.P.Actions[a.Action]
	if def.Basic == program.BasicMove {
		m.destination(a)
	}
	for i, is := range m.En.roleKind[a.Action] {
		if def.Basic == program.BasicPlace && i == 0 {
			continue // the token is only about to come into being
		}
		if is == nil {
			if t := def.Roles[i].Type; t.Base == program.IsObject && !t.Several && a.Roles[i].N == state.None && def.Roles[i].Prep != "within" && def.Basic != program.BasicPlace {
				return impossible(-1)
			}
			continue
		}
		o := a.Roles[i].N
		if o < 0 || !is(e, o) || m.S.Objects[o].Gone && def.Basic != program.BasicLapse && def.Basic != program.BasicTrigger {
			return impossible(-1)
		}
	}
	m.blocked = -1
	if !m.can(a, def) {
		return impossible(m.blocked)
	}
	blocked := -1
	oldAct, oldL, oldSelf, oldYou := e.Act, e.L, e.Self, e.You
	for i, f := range m.En.onlyIf[a.Action] {
		e.Act, e.L, e.Self, e.You = a, nil, state.None, state.None
		if f(e) == 0 {
			blocked = i
			break
		}
	}
	out := verdict{ok: blocked < 0, verb: "impossible", effect: state.None, op: state.None, cond: blocked}
	if rules := m.res.Rules[a.Action]; len(rules) > 0 {
	authority:
		for _, v := range m.En.P.Options.Authority {
			for _, r := range rules {
				op := &m.En.P.Effects[m.S.Effects[r.Effect].Def].Ops[r.Op]
				if op.Verb != v || !m.matches(r, op, a) {
					continue
				}
				switch v {
				case program.VerbProhibit:
					if out.verb == "prohibit" {
						out.others = append(out.others, RuleAt{r.Effect, r.Op})
						continue
					}
					out = verdict{verb: "prohibit", effect: r.Effect, op: r.Op, cond: -1}
					if !m.Keep {
						break authority
					}
				case program.VerbPermit:
					// A permission lifts a condition of the action itself.
					out = verdict{ok: true, effect: r.Effect, op: r.Op, cond: -1}
					break authority
				}
			}
			if out.verb == "prohibit" {
				break
			}
		}
	}
	if out.ok && len(m.En.needs[a.Action]) > 0 {
		m.needs(a, m.En.needs[a.Action], nil, &out)
	}
	if out.ok && def.Basic == program.BasicGrant {
		if list := m.En.granted[a.Roles[0].N].needs; len(list) > 0 {
			m.needs(a, list, granting(a), &out)
		}
	}
	e.Act, e.L, e.Self, e.You = oldAct, oldL, oldSelf, oldYou
	return out
}

// needs judges the actions without which an act is not done, as its body would
// lead to them, in the state as it stands. The first that is refused refuses the
// act, for the same reason. That another would be done in its place is no refusal.
func (m *Match) needs(a *state.Act, list []need, locals []state.Val, out *verdict) {
	m.eachNeed(a, list, locals, func(k need, b *state.Act) bool {
		v := m.gate(b)
		if !v.ok {
			if v.inner == nil {
				inner := *b
				inner.Roles, inner.Attrs = slices.Clone(b.Roles), slices.Clone(b.Attrs)
				m.attrsAsOfNow(&inner, b)
				v.inner = &inner
			}
			v.need = k.def
			*out = v
		}
		return v.ok
	})
}

// eachNeed makes the acts that an act needs, one after another, for as long as f lets it
// go on, and leaves nothing of them. It reports whether f did to the end.
func (m *Match) eachNeed(a *state.Act, list []need, locals []state.Val, f func(need, *state.Act) bool) bool {
	frame := state.Frame{Self: a.Self, You: a.You, Act: a.ID, Parent: a.ID, AbilityOf: a.AbilityOf, Causer: a.Causer, Routine: state.None, L: locals}
	if locals != nil {
		frame.Act = state.None
	}
	clock := m.S.Clock // being tried out takes no time
	for _, k := range list {
		e := m.enterFrame(&frame)
		if k.where != nil && k.where(e) == 0 {
			continue
		}
		b, given := m.prepareOne(&frame, k.call, e)
		m.fill(b, given)
		ok := f(k, b)
		m.dropAct(b)
		m.S.Clock = clock
		if !ok {
			return false
		}
	}
	return true
}

// granting is what the instructions of a keyword's grant begin with: the keyword's
// arguments and who it is granted to.
func granting(a *state.Act) []state.Val {
	return append(append([]state.Val(nil), a.Args...), state.Val{N: a.Roles[1].N})
}

// GrantCond and the numbers below it are the conditions of a keyword's grant, as
// Note.Cond counts them: the first is GrantCond, the second GrantCond-1.
const GrantCond = -10

// destination notes the zone that a move leads to, for the rules that judge it.
func (m *Match) destination(a *state.Act) {
	slot := m.En.into[a.Action]
	to := a.Roles[1].N
	if slot < 0 || to == state.None {
		return
	}
	zone := -2 - to
	if to >= 0 {
		zone = int64(m.S.Objects[to].Zone)
	}
	a.Attrs[slot].N = zone
	a.Base |= 1 << slot
}

// can reports whether Go itself can do an elementary action.
func (m *Match) can(a *state.Act, def *program.Action) bool {
	s := m.S
	switch def.Basic {
	case program.BasicMove:
		o, to := a.Roles[0].N, a.Roles[1].N
		if o < 0 || s.Objects[o].Gone || to == state.None {
			return false
		}
		if s.Objects[o].Entity == program.Token {
			return to >= 0 && m.fitsToken(s.Objects[o].Def, to)
		}
		if s.Objects[o].Entity != program.Card {
			return false
		}
		if to >= 0 {
			if s.Objects[to].Entity != program.Place {
				return false
			}
			z := s.Objects[to].Zone
			if m.En.P.Zones[z].Width > 0 { // a cell holds one card
				for _, c := range s.Piles[z*3] {
					if s.Objects[c].Cell == int32(to) && int64(c) != o && !m.leaves(int64(c), to) {
						return false
					}
				}
			}
		}
	case program.BasicPlace:
		return a.Kind >= 0 && a.Roles[1].N >= 0 && m.fitsToken(a.Kind, a.Roles[1].N)
	case program.BasicRemove:
		return a.Roles[0].N >= 0 && !s.Objects[a.Roles[0].N].Gone
	case program.BasicGrant:
		k := a.Roles[0].N
		o := a.Roles[1].N
		if k < 0 || o < 0 || s.Objects[o].Gone {
			return false
		}
		e := &m.env
		oldAct, oldL, oldSelf, oldYou := e.Act, e.L, e.Self, e.You
		defer func() { e.Act, e.L, e.Self, e.You = oldAct, oldL, oldSelf, oldYou }()
		e.Act, e.Self, e.You = a, state.None, int64(a.You)
		e.L = granting(a)
		for i, f := range m.En.granted[k].onlyIf {
			if f(e) == 0 {
				m.blocked = GrantCond - i
				return false
			}
		}
	}
	return true
}

// leaves reports whether a card makes room: it moves somewhere else in the group
// that is carried out. While a group is still being written every card may; when
// it is complete, settlePlaces looks again.
func (m *Match) leaves(card, cell int64) bool {
	if m.joining {
		return true
	}
	for i := range m.S.Stack {
		f := &m.S.Stack[i]
		if f.Kind != state.FrameGroup {
			continue
		}
		for _, id := range f.Acts[f.At:] {
			if b := m.S.Acts[id]; m.En.P.Actions[b.Action].Basic == program.BasicMove && b.Roles[0].N == card && b.Roles[1].N != cell {
				return true
			}
		}
	}
	return false
}

// settlePlaces leaves out the moves of a group that would put a card where another
// one stays, or where an earlier member of the group puts one.
func (m *Match) settlePlaces(f *state.Frame) {
	moves := false
	for _, id := range f.Acts {
		moves = moves || m.En.P.Actions[m.S.Acts[id].Action].Basic == program.BasicMove
	}
	if !moves {
		return
	}
	f.Acts = append([]int64(nil), f.Acts...)
	for k := 0; k < len(f.Acts); k++ {
		a := m.S.Acts[f.Acts[k]]
		def := m.En.P.Actions[a.Action]
		if def.Basic != program.BasicMove {
			continue
		}
		taken := !m.can(a, def)
		for _, id := range f.Acts[:k] {
			b := m.S.Acts[id]
			taken = taken || m.En.P.Actions[b.Action].Basic == program.BasicMove && b.Roles[1].N == a.Roles[1].N &&
				a.Roles[1].N >= 0 && m.En.P.Zones[m.S.Objects[a.Roles[1].N].Zone].Width > 0 && m.S.Objects[a.Roles[1].N].Entity == program.Place
		}
		if taken {
			m.tell(Note{Kind: Refused, Act: a, Verb: "impossible", Effect: state.None, Op: state.None, Cond: -1})
			f.Acts = append(f.Acts[:k], f.Acts[k+1:]...)
			k = -1 // who counted on its leaving may have to stay too
		}
	}
}

// still reports whether a member of a group can be done after those before it. All
// were judged in the one state before; but one card moves once, a token comes off
// once, a cell holds one card, a limit of tokens stands, a second grant of a
// keyword meets the first, and nothing is done of which a needed part can't be.
func (m *Match) still(a *state.Act) bool {
	def := m.En.P.Actions[a.Action]
	if list := m.En.needs[a.Action]; len(list) > 0 && !m.eachNeed(a, list, nil, func(_ need, b *state.Act) bool { return m.still(b) }) {
		return false
	}
	switch def.Basic {
	case program.BasicMove, program.BasicPlace, program.BasicRemove:
		return m.can(a, def)
	case program.BasicGive:
		return !m.S.Objects[a.Roles[0].N].Gone
	case program.BasicGrant:
		if m.S.Objects[a.Roles[1].N].Gone {
			return false
		}
		f := m.top()
		for _, id := range f.Acts[:f.At-1] {
			b := m.S.Acts[id]
			if b.Action == a.Action && b.Done && b.Roles[0].N == a.Roles[0].N && b.Roles[1].N == a.Roles[1].N {
				return m.can(a, def)
			}
		}
	}
	return true
}

func (m *Match) fitsToken(kind int32, host int64) bool {
	t := m.En.P.Tokens[kind]
	if m.S.Objects[host].Gone {
		return false
	}
	if t.On >= 0 && !m.En.C.IsKind(t.On)(&m.env, host) {
		return false
	}
	if t.Limit > 0 {
		n := 0
		for _, k := range m.S.Objects[host].Tokens {
			if m.S.Objects[k].Def == kind {
				n++
			}
		}
		return n < t.Limit
	}
	return true
}

// matches reports whether a rule in force speaks of an act.
func (m *Match) matches(r layers.Rule, op *program.Op, a *state.Act) bool {
	where := m.En.opWhere[op]
	e := &m.env
	m.enterEffect(e, r.Effect)
	e.Act = a
	def := m.En.P.Effects[m.S.Effects[r.Effect].Def]
	if where == nil { // on objects, it speaks as long as there is one
		return !def.Opened || def.Target == program.TargetNone || len(m.targets(r.Effect)) > 0
	}
	old := e.Enter()
	defer e.Leave(old)
	mark := e.Mark()
	defer e.Release(mark)
	if !def.Opened {
		return where(e) != 0
	}
	if def.Target == program.TargetNone {
		e.Push(e.Self)
		ok := where(e) != 0
		e.Pop()
		return ok
	}
	for _, t := range m.targets(r.Effect) {
		e.Push(t)
		ok := where(e) != 0
		e.Pop()
		if ok {
			return true
		}
	}
	return false
}

// required reports whether a requirement in force asks for an act.
func (m *Match) required(a *state.Act) bool {
	m.compute()
	for _, r := range m.res.Rules[a.Action] {
		op := &m.En.P.Effects[m.S.Effects[r.Effect].Def].Ops[r.Op]
		if op.Verb == program.VerbRequire && m.matches(r, op, a) {
			return true
		}
	}
	return false
}

// replacements lists the rules that would replace an act and have not yet.
func (m *Match) replacements(a *state.Act) []int32 {
	var out []int32
	for k, r := range m.res.Rules[a.Action] {
		op := &m.En.P.Effects[m.S.Effects[r.Effect].Def].Ops[r.Op]
		if op.Verb != program.VerbInstead {
			continue
		}
		done := false
		for _, x := range a.Replaced {
			done = done || x == r.Effect
		}
		if !done && m.matches(r, op, a) {
			out = append(out, int32(k))
		}
	}
	return out
}

// fix works out an act's attributes for good.
func (m *Match) fix(a *state.Act) {
	def := m.En.P.Actions[a.Action]
	for slot, ch := range def.Attrs {
		if a.Have&(1<<slot) == 0 && m.En.P.Chars[ch].ReadAfter {
			a.Attrs[slot] = m.attr(&m.env, a, slot)
			a.Have |= 1 << slot
		}
	}
	a.Passed = true
}

// perform takes an act through the gate and, if it passes, begins to carry it
// out, or lets it join the group that is being written. It reports whether the
// act passed or was replaced.
func (m *Match) perform(a *state.Act, grouped bool) bool {
	m.joining = grouped
	v := m.gate(a)
	m.joining = false
	if m.Tried != nil {
		m.Tried(a)
	}
	if !v.ok && v.verb == "prohibit" && m.S.Grouped > 0 && m.neededBy(a) {
		v = verdict{ok: true} // the member of the group that needs it was judged with it, in the state before
	}
	if !v.ok {
		if m.En.P.Actions[a.Action].Basic == program.BasicPlace {
			m.dropToken(a)
		}
		m.tell(v.refusal(a))
		return false
	}
	if len(m.res.Rules[a.Action]) > 0 {
		if list := m.replacements(a); len(list) > 0 {
			f := state.Frame{Kind: state.FrameChoose, Act: a.ID, Parent: a.Parent, Pool: list, Grouped: grouped, AbilityOf: a.AbilityOf, Causer: a.Causer}
			m.push(f)
			return true
		}
	}
	m.fix(a)
	if grouped {
		g := &m.S.Gates[len(m.S.Gates)-1]
		*g = append(*g, a.ID)
		return true
	}
	m.execute(a)
	return true
}

// neededBy reports whether an act is one that the act around it needs.
func (m *Match) neededBy(a *state.Act) bool {
	if a.Parent < 0 {
		return false
	}
	for _, n := range m.En.P.Actions[m.S.Acts[a.Parent].Action].Needs {
		if n.Call.Action == int(a.Action) {
			return true
		}
	}
	return false
}

// replacing picks which of several rules replaces an act, and starts it.
func (m *Match) replacing() {
	m.compute()
	f := m.top()
	a := m.S.Acts[f.Act]
	pick := int32(-1)
	if ans, ok := m.answered(); ok {
		pick = int32(ans[0])
	} else if len(f.Pool) == 1 || m.En.P.Options.Replacements.Fixed {
		pick = f.Pool[0]
	} else {
		d := &state.Decision{Name: "replace", Kind: state.DecideReplace, Player: m.affected(a), Min: 1, Max: 1, Why: state.None}
		for _, k := range f.Pool {
			r := m.res.Rules[a.Action][k]
			d.Options = append(d.Options, int64(k))
			d.Labels = append(d.Labels, m.Label(r.Effect))
		}
		m.ask(d)
		return
	}
	r := m.res.Rules[a.Action][pick]
	x := m.S.Effects[r.Effect]
	op := &m.En.P.Effects[x.Def].Ops[r.Op]
	a.Replaced = append(a.Replaced, r.Effect)
	grouped := f.Grouped
	m.pop()
	m.tell(Note{Kind: Replaced, Act: a, Effect: r.Effect, Op: r.Op})
	m.enterEffect(&m.env, r.Effect)
	you := int32(m.env.You)
	m.pushCode(op.Body, x.Frame, state.Frame{Self: x.Source, You: you, Act: a.ID, Parent: state.None, AbilityOf: you, Causer: x.Source, Grouped: grouped})
}

// affected is the player who chooses between replacements: the controller of the
// object that the act is about, else the player that it names.
func (m *Match) affected(a *state.Act) int32 {
	for _, r := range a.Roles {
		if r.N > 0 && r.L == nil {
			if c := m.env.Controller(r.N); c > 0 {
				return int32(c)
			}
		}
	}
	return m.turnPlayer()
}

// pushCode begins a routine with captured values as its first locals.
func (m *Match) pushCode(routine int, captured []state.Val, f state.Frame) {
	r := m.En.P.Routines[routine]
	f.Kind, f.Routine = state.FrameCode, int32(routine)
	if n := len(m.freeLocals); n > 0 && cap(m.freeLocals[n-1]) >= r.Locals {
		f.L = m.freeLocals[n-1][:r.Locals]
		m.freeLocals = m.freeLocals[:n-1]
		clear(f.L)
	} else {
		f.L = make([]state.Val, r.Locals)
	}
	copy(f.L, captured)
	m.push(f)
}

// execute carries out an act that has passed the gate.
func (m *Match) execute(a *state.Act) {
	def := m.En.P.Actions[a.Action]
	if def.Basic != program.NotBasic {
		if m.elementary(a, def) {
			m.done(a)
		}
		return
	}
	m.push(state.Frame{Kind: state.FrameAct, Act: a.ID, Parent: a.Parent})
}

// actPhase takes an action with a body or steps through its phases.
func (m *Match) actPhase() {
	s := m.S
	n := len(s.Stack)
	for m.actPhaseOnce(&s.Stack[n-1]) && len(s.Stack) == n && s.Pending == nil && m.err == nil && m.env.Err == nil {
		s.Steps++
	}
}

// actPhaseOnce takes an action through one phase and reports whether there are more.
func (m *Match) actPhaseOnce(f *state.Frame) bool {
	s := m.S
	a := s.Acts[f.Act]
	def := m.En.P.Actions[a.Action]
	switch f.Phase {
	case 0:
		f.Phase = 1
		s.Under = append(s.Under, a.ID)
		s.Counts[a.Action]++
		a.Number = s.Counts[a.Action]
		s.Clock++
		a.Start = s.Clock
		if def.Window {
			m.touch(windowChange)
			m.tell(Note{Kind: Began, Act: a})
		} else {
			m.tell(Note{Kind: Entered, Act: a})
		}
		if m.En.interest[a.Action][program.Start] {
			m.happen(state.Event{Act: a.ID, Edge: program.Start})
		}
	case 1:
		f.Phase = 2
		if def.Body >= 0 {
			m.pushCode(def.Body, nil, state.Frame{Self: a.Self, You: a.You, Act: a.ID, Parent: a.ID, AbilityOf: a.AbilityOf, Causer: a.Causer, Drains: def.Window})
		}
	case 2:
		if def.Window && len(s.Queue) > 0 && s.Grouped == 0 {
			m.push(state.Frame{Kind: state.FrameDrain, Act: state.None, Parent: state.None})
			return true
		}
		if int(f.Step) < len(def.Steps) {
			step := def.Steps[f.Step]
			f.Step++
			b := m.newAct(step)
			b.Parent = a.ID
			m.perform(b, false)
			return true
		}
		f.Phase = 3
	case 3:
		m.pop()
		for i := len(s.Under) - 1; i >= 0; i-- {
			if s.Under[i] == a.ID {
				s.Under = append(s.Under[:i], s.Under[i+1:]...)
				break
			}
		}
		if def.Window {
			m.touch(windowChange)
		}
		m.done(a)
		return false
	}
	return true
}

// done notes that an act is complete, and what follows from it.
func (m *Match) done(a *state.Act) {
	s := m.S
	a.Done = true
	def := m.En.P.Actions[a.Action]
	m.tell(Note{Kind: Happened, Act: a})
	for id := a.Parent; id >= 0; id = s.Acts[id].Parent {
		b := s.Acts[id]
		for _, g := range m.En.P.Actions[b.Action].Gathers {
			if g.Action == int(a.Action) {
				b.Attrs[g.Slot].L = append(append([]int64(nil), b.Attrs[g.Slot].L...), a.ID)
			}
		}
	}
	interest := &m.En.interest[a.Action]
	if interest[program.End] && (def.Window || def.Body >= 0) {
		if interest[program.Done] {
			m.happen(state.Event{Act: a.ID, Edge: program.Done}, state.Event{Act: a.ID, Edge: program.End})
		} else {
			m.happen(state.Event{Act: a.ID, Edge: program.End})
		}
	} else if interest[program.Done] {
		m.happen(state.Event{Act: a.ID, Edge: program.Done})
	} else if m.unsettled() {
		m.happen()
	}
}

// forget drops the records of what happened in a window so far, between two of
// its instructions, where nothing can speak of them any more.
func (m *Match) forget(window int64) {
	s := m.S
	if m.En.keep || m.Keep || window < 0 { // whoever listens has copies: what is kept must not hang on it
		return
	}
	for id := window; id >= 0; id = s.Acts[id].Parent {
		if len(m.En.P.Actions[s.Acts[id].Action].Gathers) > 0 {
			return
		}
	}
	for i := len(s.Acts) - 1; i > int(window); i-- {
		m.freeActs = append(m.freeActs, s.Acts[i])
		s.Acts[i] = nil
	}
	s.Acts = s.Acts[:window+1]
	if len(s.Used) > 0 {
		kept := s.Used[:0]
		for _, u := range s.Used {
			for _, id := range s.Under {
				if s.Acts[id].Start == u.Window {
					kept = append(kept, u)
				}
			}
		}
		s.Used = kept
	}
}

// turnPlayer is the player of the innermost window under way that has one, else
// the first player.
func (m *Match) turnPlayer() int32 {
	for i := len(m.S.Under) - 1; i >= 0; i-- {
		a := m.S.Acts[m.S.Under[i]]
		def := m.En.P.Actions[a.Action]
		if !def.Window {
			continue
		}
		for k, r := range def.Roles {
			if r.Type.Base == program.IsObject && !r.Type.Several && r.Type.ID >= 0 && m.En.P.Kinds[r.Type.ID].Entity == program.Player && a.Roles[k].N > 0 {
				return int32(a.Roles[k].N)
			}
		}
	}
	return 1
}
