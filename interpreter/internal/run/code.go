package run

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// enterFrame makes a frame's names the surroundings of expressions.
func (m *Match) enterFrame(f *state.Frame) *eval.Env {
	m.compute()
	e := &m.env
	e.Self, e.You, e.L, e.Hits, e.Act = int64(f.Self), int64(f.You), f.L, f.Hits, nil
	if f.Act >= 0 {
		e.Act = m.S.Acts[f.Act]
	}
	return e
}

// code carries out one instruction of the frame on top.
func (m *Match) code() {
	s := m.S
	at := len(s.Stack) - 1
	f := &s.Stack[at]
	if f.Drains && len(s.Queue) > 0 && s.Grouped == 0 && !s.Ready {
		// What has triggered resolves before the window goes on.
		m.push(state.Frame{Kind: state.FrameDrain, Act: state.None, Parent: state.None})
		return
	}
	if f.Drains && s.Grouped == 0 && !s.Ready {
		if n := len(s.Befores); n > 0 { // whatever looked back at a group has done so
			m.spare, s.Befores = s.Befores[n-1], nil
		}
		if len(s.Acts) > int(f.Parent)+8 {
			m.forget(f.Parent)
		}
	}
	in := &m.En.code[f.Routine][f.PC]
	if in.Op == program.CodeEnd {
		if m.Pinned == nil { // a case goes on reading what its instructions named
			m.freeLocals = append(m.freeLocals, f.L)
		}
		f.L = nil
		m.pop()
		return
	}
	e := m.enterFrame(f)
	switch in.Op {
	case program.CodeSet:
		if in.x.set() {
			f.L[in.A] = in.x.val(e)
		}
	case program.CodeMemory:
		o := in.x.i(e)
		v := in.y.val(e)
		if o >= 0 {
			ob := &s.Objects[o]
			ch := m.En.P.Chars[in.A]
			if ch.Slot < len(ob.Mem) {
				if ch.Type.List() {
					lists := make([][]int64, len(ob.Mem)) // copies of the state go on with the old ones
					copy(lists, ob.Lists)
					lists[ch.Slot] = v.L
					ob.Lists = lists
				} else {
					ob.Mem[ch.Slot] = eval.Bound(ch, v.N)
				}
				m.touch(memoryChange)
				f.PC++
				if m.unsettled() {
					m.happen()
				}
				return
			}
		}
	case program.CodeJump:
		f.PC = int32(in.A)
		return
	case program.CodeUnless:
		if in.x.i == nil || in.x.i(e) == 0 {
			f.PC = int32(in.A)
			return
		}
	case program.CodeChoose:
		m.chooseInstr(f, in, e)
		return
	case program.CodeMay:
		m.may(f, in, e)
		return
	case program.CodeEither:
		if !s.Ready {
			d := &state.Decision{Name: "either", Kind: state.DecideEither, Player: int32(in.choice.by(e)), Min: 1, Max: 1, Why: f.Routine, PC: f.PC}
			for i := range in.choice.Labels {
				d.Options = append(d.Options, int64(i))
			}
			m.ask(d)
			return
		}
		ans, _ := m.answered()
		f.PC = int32(m.En.P.Routines[f.Routine].Code[f.PC+1].Jumps[ans[0]])
		return
	case program.CodeListInit:
		f.L[in.A] = in.x.val(e)
		f.L[in.A+1] = state.Val{}
	case program.CodeArrange:
		list := f.L[in.A].L
		if len(list) > 1 {
			ans, ok := m.answered()
			if !ok {
				m.ask(&state.Decision{Name: "order", Kind: state.DecideOrder, Player: int32(in.x.i(e)), Options: append([]int64(nil), list...),
					Min: int32(len(list)), Max: int32(len(list)), Type: in.choice.Type, Why: f.Routine, PC: f.PC})
				return
			}
			f.L[in.A].L = ans
		}
	case program.CodeListNext:
		i := f.L[in.A+1].N
		if int(i) >= len(f.L[in.A].L) {
			f.PC = int32(in.C)
			return
		}
		f.L[in.B] = state.Val{N: f.L[in.A].L[i]}
		f.L[in.A+1].N++
	case program.CodeCount:
		f.L[in.A].N = in.x.i(e)
	case program.CodeCounted:
		if f.L[in.A].N <= 0 {
			f.PC = int32(in.C)
			return
		}
		f.L[in.A].N--
	case program.CodeRepeat:
	case program.CodeAs:
		f.L[in.A].L = []int64{int64(f.Self), int64(f.You), int64(f.AbilityOf), int64(f.Causer)}
		o := in.x.i(e)
		f.You = int32(e.Controller(o))
		f.AbilityOf, f.Self, f.Causer = f.You, state.None, state.None
		if o > 2 {
			f.Self, f.Causer = int32(o), int32(o)
		}
	case program.CodeAsEnd:
		if was := f.L[in.A].L; len(was) == 4 {
			f.Self, f.You, f.AbilityOf, f.Causer = int32(was[0]), int32(was[1]), int32(was[2]), int32(was[3])
		}
	case program.CodeTogether:
		m.beginGroup(f)
	case program.CodeGroupEnd:
		f.PC++
		m.endGroup(f)
		return
	case program.CodeEffect:
		f.PC++
		m.makeEffect(f, in.A, e)
		return
	case program.CodeLater:
		m.later(f, in.A, e)
	case program.CodeProceed:
		f.PC++
		m.proceed(f, in, e)
		return
	case program.CodeAct:
		f.PC++
		m.act(f, in.call, e)
		return
	}
	f.PC++
}

// chooseInstr offers what there is to choose. One that nothing can answer ends
// its body; one that can be answered in one way only is answered so.
func (m *Match) chooseInstr(f *state.Frame, in *instr, e *eval.Env) {
	ch := in.choice
	set := func(picks []int64) {
		if ch.Type.Several {
			f.L[in.A] = state.Val{L: picks}
		} else if len(picks) > 0 {
			f.L[in.A] = state.Val{N: picks[0]}
		} else {
			f.L[in.A] = state.Val{N: state.None}
		}
		f.PC++
	}
	picked := func(player int32, picks []int64) {
		by := state.Frame{AbilityOf: f.AbilityOf, Causer: f.Causer, Self: f.Self, You: f.You}
		set(picks)
		if ch.Type.Base == program.IsObject {
			m.picked(by, player, picks)
		}
	}
	if ans, ok := m.answered(); ok {
		picked(int32(ch.by(e)), ans)
		return
	}
	d, lo, hi := m.offered(f, in, e)
	f = m.top()
	n := int64(len(d.Options))
	if lo > n || hi <= 0 {
		if lo > 0 {
			m.tell(Note{Kind: Nothing, Decision: d, Player: d.Player})
			f.PC = int32(in.B)
			return
		}
		set(nil)
		return
	}
	d.Min, d.Max = int32(lo), int32(hi)
	if ch.Chance {
		picks := append([]int64(nil), d.Options...)
		for i := range picks {
			j := i + m.S.Random(len(picks)-i)
			picks[i], picks[j] = picks[j], picks[i]
		}
		picks = picks[:lo]
		if m.Luck != nil && m.probe == 0 {
			if list := m.Luck(d); list != nil && Fits(d, list) == nil {
				picks = picks[:0]
				for _, k := range list {
					picks = append(picks, d.Options[k])
				}
			}
		}
		m.tell(Note{Kind: Chosen, Decision: d, Picks: picks, Player: state.None})
		set(picks)
		return
	}
	if lo == n && hi == n {
		picked(d.Player, d.Options)
		return
	}
	m.ask(d)
}

// offered is what a choice offers, and how many of it may be picked.
func (m *Match) offered(f *state.Frame, in *instr, e *eval.Env) (d *state.Decision, lo, hi int64) {
	ch := in.choice
	lo, hi = 1, 1
	if ch.min != nil {
		lo = ch.min(e)
	}
	if ch.max != nil {
		hi = ch.max(e)
	}
	d = &state.Decision{Name: ch.Name, Kind: state.DecideChoose, Type: ch.Type, Why: f.Routine, PC: f.PC}
	d.Type.Several = false
	if !ch.Chance {
		d.Player = int32(ch.by(e))
	}
	mark := e.Mark()
	list := ch.from.l(e)
	d.Options = make([]int64, 0, len(list))
	f = m.top()
	required := false
	for _, o := range list {
		ok, must := m.offers(f, in, d.Player, o)
		if !ok {
			continue
		}
		if must && !required {
			d.Options, required = d.Options[:0], true
		}
		if must || !required {
			d.Options = append(d.Options, o)
		}
	}
	e.Release(mark)
	return d, lo, min(hi, int64(len(d.Options)))
}

// picked notes what a player has chosen, where something watches that.
func (m *Match) picked(f state.Frame, player int32, picks []int64) {
	pick := m.En.basic[program.BasicPick]
	if !m.En.interest[pick][program.Done] {
		return
	}
	var events []state.Event
	for _, o := range picks {
		a := m.newAct(pick)
		a.Roles[0].N, a.Roles[1].N = o, int64(player)
		a.AbilityOf, a.Causer, a.Self, a.You = f.AbilityOf, f.Causer, f.Self, f.You
		a.Done, a.Passed = true, true
		m.tell(Note{Kind: Happened, Act: a})
		events = append(events, state.Event{Act: a.ID, Edge: program.Done})
	}
	m.happen(events...)
}

// offers reports whether a candidate may be offered: picking it passes the gate,
// and so does the action that it is chosen for; and whether it must be.
func (m *Match) offers(f *state.Frame, in *instr, player int32, o int64) (ok, must bool) {
	ch := in.choice
	pick := m.En.basic[program.BasicPick]
	isObject := ch.Type.Base == program.IsObject
	if isObject && !ch.Chance && len(m.res.Rules[pick]) > 0 {
		a := m.newAct(pick)
		a.Roles[0].N, a.Roles[1].N = o, int64(player)
		a.AbilityOf, a.Causer, a.Parent = f.AbilityOf, f.Causer, state.None
		v := m.gate(a)
		must = v.ok && m.required(a)
		m.dropAct(a)
		if !v.ok {
			return false, false
		}
	}
	if ch.call == nil {
		return true, must
	}
	was := f.L[in.A]
	f.L[in.A] = state.Val{N: o}
	e := m.enterFrame(f)
	a := m.tried(f, ch.call, e)
	v := m.gate(a)
	must = must || v.ok && m.required(a)
	m.dropAct(a)
	f.L[in.A] = was
	m.enterFrame(f)
	return v.ok, must
}

// tried is the act that a choice is for, with what is about to be chosen.
func (m *Match) tried(f *state.Frame, k *call, e *eval.Env) *state.Act {
	if k.Goes {
		return m.going(f, k, e)
	}
	a, given := m.prepare(f, k, e)
	m.fill(a, given)
	return a
}

// dropAct takes back the last act made.
func (m *Match) dropAct(a *state.Act) {
	if int(a.ID) == len(m.S.Acts)-1 {
		if m.En.P.Actions[a.Action].Basic == program.BasicPlace {
			m.dropToken(a)
		}
		m.S.Acts = m.S.Acts[:a.ID]
		m.freeActs = append(m.freeActs, a)
	}
}

func (m *Match) may(f *state.Frame, in *instr, e *eval.Env) {
	if ans, ok := m.answered(); ok {
		if ans[0] == 0 {
			f.PC = int32(in.B)
		} else {
			m.uses(f, in)
			f.PC++
		}
		return
	}
	if l, most := m.spent(f, in, e); l != nil {
		n := Note{Kind: Spent, Self: f.Self, Effect: state.None, Op: state.None, Limit: l, Most: most}
		if f.Act >= 0 {
			n.Act = m.S.Acts[f.Act]
		}
		m.tell(n)
		f.PC = int32(in.B)
		return
	}
	if m.pointless(f, in, e) {
		m.top().PC = int32(in.B)
		return
	}
	f = m.top()
	if r := in.choice.requires; r != nil { // a requirement leaves no choice where it can be met
		a, given := m.prepareOne(f, r, e)
		m.fill(a, given)
		must := m.gate(a).ok && m.required(a)
		m.dropAct(a)
		m.enterFrame(f)
		if must {
			m.uses(f, in)
			f.PC++
			return
		}
	}
	m.ask(&state.Decision{Name: "may", Kind: state.DecideMay, Player: int32(in.choice.by(e)), Options: []int64{0, 1}, Min: 1, Max: 1, Why: f.Routine, PC: f.PC})
}

// pointless reports whether what a may allows begins with a choice that nothing can
// answer, so that it would end at once; nobody is asked then.
func (m *Match) pointless(f *state.Frame, in *instr, e *eval.Env) bool {
	first := &m.En.code[f.Routine][f.PC+1]
	if first.Op != program.CodeChoose {
		return false
	}
	d, lo, hi := m.offered(f, first, e)
	m.enterFrame(m.top())
	if lo <= 0 || lo <= int64(len(d.Options)) && hi > 0 {
		return false
	}
	m.tell(Note{Kind: Nothing, Decision: d, Player: d.Player})
	return true
}

// spent is the limit on a may that does not allow it any more, with how often it does,
// or nil: limits count what was taken up, not what was offered, for each Object apart,
// and for each of its copies of the ability.
func (m *Match) spent(f *state.Frame, in *instr, e *eval.Env) (*program.Limit, int64) {
	for i := range in.choice.Limits {
		l := &in.choice.Limits[i]
		most := int64(1)
		if n := m.En.limits[l.Index]; n != nil {
			most = n(e)
		}
		if m.used(l.Index, f.Self, state.None, f.Copy, m.window(l.Per, f.Act)).Count >= most {
			return l, most
		}
	}
	return nil, 0
}

func (m *Match) uses(f *state.Frame, in *instr) {
	for i := range in.choice.Limits {
		l := &in.choice.Limits[i]
		m.used(l.Index, f.Self, state.None, f.Copy, m.window(l.Per, f.Act)).Count++
	}
}

// prepare makes the act of a call, its roles named; given says which.
func (m *Match) prepare(f *state.Frame, k *call, e *eval.Env) (*state.Act, uint64) {
	a := m.newAct(k.Action)
	a.Parent, a.AbilityOf, a.Causer = f.Parent, f.AbilityOf, f.Causer
	a.Self, a.You = f.Self, f.You
	a.Code, a.At = f.Routine, f.PC-1
	given := uint64(0)
	for i, r := range k.roles {
		if r.set() {
			a.Roles[i] = r.val(e)
			given |= 1 << i
		}
	}
	for i, w := range k.With {
		a.Attrs[w.Slot] = k.with[i].val(e)
		a.Base |= 1 << w.Slot
	}
	def := m.En.P.Actions[k.Action]
	switch def.Basic {
	case program.BasicGrant:
		a.Roles[0].N = int64(k.Keyword.Keyword)
		given |= 1
		for _, arg := range k.args {
			a.Args = append(a.Args, state.Val{N: arg(e)})
		}
		if k.Call.Grants >= 0 {
			a.Until = int32(k.Call.Grants)
			a.Frame = append([]state.Val(nil), f.L...)
		}
	}
	return a, given
}

// prepareOne makes the act of a call that is only tried: of one that places or
// removes tokens of a kind, for one token.
func (m *Match) prepareOne(f *state.Frame, k *call, e *eval.Env) (*state.Act, uint64) {
	a, given := m.prepare(f, k, e)
	if k.Kind < 0 {
		return a, given
	}
	a.Kind = int32(k.Kind)
	switch m.En.P.Actions[k.Action].Basic {
	case program.BasicPlace:
		a.Roles[0].N = int64(m.newObject(m.unplaced(a.Kind)))
		given |= 1
	case program.BasicRemove:
		if given&2 == 0 {
			a.Roles[1].N = e.Self
		}
		if h := a.Roles[1].N; h >= 0 {
			for _, t := range m.S.Objects[h].Tokens {
				if m.S.Objects[t].Def == a.Kind {
					a.Roles[0].N = int64(t)
					break
				}
			}
		}
		given |= 3
	}
	return a, given
}

// unplaced is a token that is about to come into being.
func (m *Match) unplaced(kind int32) state.Object {
	return state.Object{Entity: program.Token, Def: kind, Owner: state.None, Controller: state.None,
		Zone: state.None, Cell: state.None, Host: state.None, Next: state.None, Gone: true}
}

// act performs a call.
func (m *Match) act(f *state.Frame, k *call, e *eval.Env) {
	def := m.En.P.Actions[k.Action]
	grouped := f.Grouped
	switch {
	case def.Basic == program.BasicRemove && k.Kind >= 0, def.Basic == program.BasicPlace:
		m.tokens(f, k, e, def)
		return
	case def.Basic == program.BasicArrange:
		m.arrange(f, k, e)
		return
	}
	a, given := m.prepare(f, k, e)
	for i, r := range k.Recheck {
		o := a.Roles[r.Role].N
		if o < 0 || m.S.Objects[o].Gone || !k.is[i](e, o) || !m.fitsStill(k.recheck[i], e, o) {
			m.tell(Note{Kind: Refused, Act: a, Verb: "impossible", Effect: state.None, Op: state.None, Cond: -2})
			return
		}
	}
	m.fill(a, given)
	m.perform(a, grouped)
}

// fitsStill tests the filter by which an object was chosen once more.
func (m *Match) fitsStill(where eval.Int, e *eval.Env, o int64) bool {
	old := e.Enter()
	e.Push(o)
	ok := where(e) != 0
	e.Pop()
	e.Leave(old)
	return ok
}

// tokens places tokens of a kind, or removes those of a kind from an object.
// Several are one group.
func (m *Match) tokens(f *state.Frame, k *call, e *eval.Env, def *program.Action) {
	n := int64(-1)
	if k.count != nil {
		n = k.count(e)
	}
	var acts []*state.Act
	if def.Basic == program.BasicPlace {
		if n < 0 {
			n = 1
		}
		if k.Kind < 0 {
			return
		}
		if n > maxObjects {
			m.err = m.loop("objects", maxObjects)
			return
		}
		for range n {
			a, given := m.prepare(f, k, e)
			a.Kind = int32(k.Kind)
			a.Roles[0].N = int64(m.newObject(m.unplaced(a.Kind)))
			m.fill(a, given|1)
			acts = append(acts, a)
		}
	} else {
		host := state.Val{N: state.None}
		if len(k.roles) > 1 && k.roles[1].set() {
			host = k.roles[1].val(e)
		} else {
			host.N = e.Self
		}
		if host.N >= 0 {
			for _, t := range m.S.Objects[host.N].Tokens {
				if m.S.Objects[t].Def == int32(k.Kind) && (n < 0 || int64(len(acts)) < n) {
					a, given := m.prepare(f, k, e)
					a.Roles[0].N, a.Roles[1] = int64(t), host
					m.fill(a, given|3)
					acts = append(acts, a)
				}
			}
		}
		if len(acts) == 0 {
			a, given := m.prepare(f, k, e)
			a.Kind = int32(k.Kind)
			m.fill(a, given|1)
			m.tell(Note{Kind: Refused, Act: a, Verb: "impossible", Effect: state.None, Op: state.None, Cond: -1})
			return
		}
	}
	if len(acts) == 1 {
		m.perform(acts[0], f.Grouped)
		return
	}
	many := state.Frame{Kind: state.FrameMany, Act: state.None, Parent: f.Parent, Grouped: f.Grouped}
	for _, a := range acts {
		many.Acts = append(many.Acts, a.ID)
	}
	m.push(many)
}

// many takes acts to the gate one by one, so that what replaces one of them is
// done with before the next; together they are a group, or join the one that is
// being written.
func (m *Match) many() {
	f := m.top()
	switch {
	case f.Phase == 0:
		f.Phase = 1
		if !f.Grouped {
			m.beginGroup(f)
			f.Phase = 2
		}
	case int(f.At) < len(f.Acts):
		f.At++
		m.perform(m.S.Acts[f.Acts[f.At-1]], true)
	default:
		over := *f
		m.pop()
		if over.Phase == 2 {
			m.endGroup(&over)
		}
	}
}

func (m *Match) arrange(f *state.Frame, k *call, e *eval.Env) {
	a, given := m.prepare(f, k, e)
	if k.Chance {
		list := append([]int64(nil), a.Roles[0].L...)
		for i := range list {
			j := i + m.S.Random(len(list)-i)
			list[i], list[j] = list[j], list[i]
		}
		a.Roles[0].L = list
	} else if len(a.Roles[0].L) > 1 {
		ans, ok := m.answered()
		if !ok {
			player := f.You
			if k.by != nil {
				player = int32(k.by(e))
			}
			d := &state.Decision{Name: "order", Kind: state.DecideOrder, Player: player, Options: append([]int64(nil), a.Roles[0].L...),
				Min: int32(len(a.Roles[0].L)), Max: int32(len(a.Roles[0].L)), Type: program.Type{Base: program.IsObject, ID: -1}, Why: f.Routine, PC: f.PC - 1}
			m.dropAct(a)
			f.PC-- // the instruction is taken up again with the answer
			m.ask(d)
			return
		}
		a.Roles[0].L = ans
	}
	m.fill(a, given)
	m.perform(a, f.Grouped)
}

// beginGroup starts to gather: what is done until the group's end is judged in
// the one state before.
func (m *Match) beginGroup(f *state.Frame) {
	s := m.S
	if f.Grouped { // a group inside a group is part of it
		f.Step++
		return
	}
	f.Grouped = true
	s.Gates = append(s.Gates, nil)
}

// keepBefore keeps the state in which a group was judged, for triggers that look
// back at it. Gathering changes nothing, so it is early enough once a group has
// members.
func (m *Match) keepBefore(acts []int64) {
	s := m.S
	if !m.En.before || len(acts) == 0 {
		return
	}
	if s.Grouped == 0 {
		m.compute()
		s.Clock++
		b := m.spare
		m.spare = state.Before{}
		b.Group, b.Objects, b.Piles = s.Clock, state.CopyObjects(b.Objects, s.Objects), state.CopyPiles(b.Piles, s.Piles)
		b.Off, b.Vals = m.rows(b.Off[:0], b.Vals[:0])
		b.Held, b.Grants = m.held(b.Held[:0]), append(b.Grants[:0], s.Grants...)
		s.Befores = append(s.Befores, b)
	}
	if n := len(s.Befores); n > 0 {
		for _, id := range acts {
			s.Acts[id].Group = s.Befores[n-1].Group
		}
	}
}

// rows appends a copy of the board, row after row in order of birth, however the
// board came about: a copied state keeps the same.
func (m *Match) rows(off []int32, vals []int64) ([]int32, []int64) {
	off, vals = slices.Grow(off, len(m.board.Off)), slices.Grow(vals, len(m.board.Vals))
	for i, at := range m.board.Off {
		if at < 0 {
			off = append(off, state.None)
			continue
		}
		off = append(off, int32(len(vals)))
		vals = append(vals, m.board.Vals[at:int(at)+m.En.P.RowSize[m.S.Objects[i].Entity]]...)
	}
	return off, vals
}

// held lists which objects an effect makes have a keyword.
func (m *Match) held(list []state.Held) []state.Held {
	for _, i := range m.S.Live {
		f := &m.S.Effects[i]
		if k := m.En.P.Effects[f.Def].Keyword; k >= 0 && f.Host >= 0 && !f.Ended {
			list = append(list, state.Held{Object: f.Host, Keyword: int32(k)})
		}
	}
	return list
}

// endGroup hands over what was gathered.
func (m *Match) endGroup(f *state.Frame) {
	s := m.S
	if f.Step > 0 {
		f.Step--
		return
	}
	f.Grouped = false
	n := len(s.Gates) - 1
	acts := s.Gates[n]
	s.Gates = s.Gates[:n]
	m.keepBefore(acts)
	if s.Grouped > 0 {
		// Inside a group that is being carried out: everything in it is judged
		// before anything is done, so these wait for the rest.
		for i := range s.Stack {
			if s.Stack[i].Kind == state.FrameGroup {
				s.Stack[i].Acts = append(s.Stack[i].Acts[:len(s.Stack[i].Acts):len(s.Stack[i].Acts)], acts...)
				return
			}
		}
	}
	m.push(state.Frame{Kind: state.FrameGroup, Acts: acts, Act: state.None, Parent: f.Parent})
}

// group carries the members of a group out, one after another, with one
// recomputation at the end.
func (m *Match) group() {
	s := m.S
	f := m.top()
	if f.Phase == 0 {
		f.Phase = 1
		m.compute()
		m.settlePlaces(f)
		s.Grouped++
	}
	if int(f.At) < len(f.Acts) {
		a := s.Acts[f.Acts[f.At]]
		f.At++
		if !m.still(a) {
			m.tell(Note{Kind: Refused, Act: a, Verb: "impossible", Effect: state.None, Op: state.None, Cond: -1})
			return
		}
		m.execute(a)
		return
	}
	m.pop()
	s.Grouped--
	if s.Grouped == 0 {
		s.Frozen = nil
		events := s.Waiting
		s.Waiting = nil
		m.push(state.Frame{Kind: state.FrameAfter, Events: events, Act: state.None, Parent: state.None, Picked: 1})
	}
}

// makeEffect makes a continuous effect out of an instruction.
func (m *Match) makeEffect(f *state.Frame, def int, e *eval.Env) {
	d := m.En.P.Effects[def]
	x := state.Effect{Def: int32(def), Source: f.Self, You: f.You, Frame: append([]state.Val(nil), f.L...), Bit: state.None, Origin: state.None, Host: state.None}
	if x.You < 0 && f.Self >= 0 {
		x.You = int32(e.Controller(int64(f.Self)))
	}
	if f.Act >= 0 && m.En.acting[def] {
		x.Act = m.S.Acts[f.Act].Clone()
	}
	if d.Target == program.TargetFixed {
		mark := e.Mark()
		for _, o := range m.En.C.List(d.On)(e) {
			if o >= 0 {
				x.Objects = append(x.Objects, o)
			}
		}
		e.Release(mark)
		if x.Objects == nil {
			x.Objects = []int64{}
		}
	}
	if d.Granted {
		if k := m.En.P.Keywords[d.Keyword]; len(k.Params) < len(f.L) {
			x.Host = int32(f.L[len(k.Params)].N)
		}
	}
	if m.En.P.Options.KeepsCards && m.keepsCards(d) {
		mark := e.Mark()
		kids := []*program.Node(nil)
		if d.Where != nil {
			kids = []*program.Node{d.Where}
		}
		n := &program.Node{Op: program.OpEach, N: int64(d.Kind), Kids: kids, T: program.Type{Base: program.IsObject, Several: true, ID: d.Kind}}
		x.Objects = append([]int64{}, m.En.C.List(n)(e)...)
		e.Release(mark)
	}
	i := m.addEffect(x)
	if d.Stamp != nil {
		m.stampEffect(i, m.En.C.Int(d.Stamp)(e))
		m.S.Effects[i].Pinned = true
	}
	m.tell(Note{Kind: Made, Effect: i})
	if m.S.Grouped == 0 && !f.Grouped {
		m.happen()
	}
}

// keepsCards reports whether an effect keeps the cards that it found, under the
// reading that has it so. One that changes the rules looks again in any case, and
// so does one on tokens: what they count is asked of the present state.
func (m *Match) keepsCards(d *program.Effect) bool {
	if d.Target != program.TargetEach || d.Kind < 0 || m.En.P.Kinds[d.Kind].Entity != program.Card {
		return false
	}
	for i := range d.Ops {
		if d.Ops[i].Pattern.Action >= 0 {
			return false
		}
	}
	return true
}

// later keeps a trigger for its moment. One for a window that is under way comes
// at once.
func (m *Match) later(f *state.Frame, def int, e *eval.Env) {
	t := &m.En.triggers[def]
	d := state.Delayed{Trigger: int32(def), Self: f.Self, You: f.You, Created: m.S.Clock, Frame: append([]state.Val(nil), f.L...)}
	if t.Moment.Edge == program.During {
		for _, id := range m.S.Under {
			a := m.S.Acts[id]
			if int(a.Action) != t.Moment.Action {
				continue
			}
			old := e.Act
			e.Act = a
			ok := t.where == nil || t.where(e) != 0
			e.Act = old
			if ok {
				m.enqueue(state.Queued{Trigger: d.Trigger, Self: d.Self, You: d.You, Act: id, Frame: d.Frame, Effect: state.None})
				return
			}
		}
	}
	m.S.Later = append(m.S.Later, d)
}

// proceed lets a replaced action go on, with roles changed where the
// replacement says so. It comes to the gate again.
func (m *Match) proceed(f *state.Frame, in *instr, e *eval.Env) {
	if f.Act < 0 {
		return
	}
	m.perform(m.going(f, in.call, e), f.Grouped)
}

// going is a replaced action as it goes on.
func (m *Match) going(f *state.Frame, k *call, e *eval.Env) *state.Act {
	old := m.S.Acts[f.Act]
	a := m.newAct(int(old.Action))
	a.Parent, a.AbilityOf, a.Causer, a.Kind, a.Until = old.Parent, old.AbilityOf, old.Causer, old.Kind, old.Until
	a.Args, a.Frame, a.Self, a.You, a.Group = old.Args, old.Frame, old.Self, old.You, old.Group
	a.Code, a.At = f.Routine, f.PC-1
	copy(a.Roles, old.Roles)
	copy(a.Attrs, old.Attrs)
	a.Base = old.Base
	a.Replaced = append(a.Replaced, old.Replaced...)
	for i, r := range k.roles {
		if r.set() {
			a.Roles[i] = r.val(e)
		}
	}
	for i, w := range k.With {
		a.Attrs[w.Slot] = k.with[i].val(e)
		a.Base |= 1 << w.Slot
	}
	return a
}
