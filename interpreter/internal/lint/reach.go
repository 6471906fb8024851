package lint

import (
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// made is what can happen in a game at all: what the action game does, what
// follows from that, and what the abilities of cards, keywords, tokens and rules
// do as their events come. Conditions are taken to be true, and every card and
// keyword to be there; of a library, everything is taken to be used. What only a
// case does by hand does not count.
type made struct {
	l        *linter
	actions  []bool
	placed   []bool // token kinds
	granted  []bool // keywords
	anyToken bool   // a token is placed that is not named
	anyGrant bool
	routines []bool
	triggers []bool
	effects  []bool
	waiting  map[int][]func() // what an action sets going once it is made
	todo     []func()
}

func (l *linter) reachable() {
	if l.p.Root < 0 {
		return // no game: whatever can happen is done from outside
	}
	p := l.p
	m := &made{l: l, actions: make([]bool, len(p.Actions)), placed: make([]bool, len(p.Tokens)), granted: make([]bool, len(p.Keywords)),
		routines: make([]bool, len(p.Routines)), triggers: make([]bool, len(p.Triggers)), effects: make([]bool, len(p.Effects)), waiting: map[int][]func(){}}
	l.made = m
	m.act(p.Root)
	for _, e := range p.GameRules {
		m.effect(e)
	}
	for _, t := range p.Tokens {
		for _, e := range t.Effects {
			m.effect(e)
		}
	}
	for i, t := range p.Tokens {
		m.placed[i] = m.placed[i] || l.library[t.Head.File]
	}
	for _, a := range p.Actions {
		if l.library[a.Head.File] && a.StepOf < 0 {
			m.act(a.Index)
		}
	}
	for _, k := range p.Keywords {
		m.abilities(k.Abilities)
		if l.library[k.Head.File] {
			m.grant(k.Index)
		}
	}
	for _, c := range p.Cards {
		if !c.Anonymous {
			m.abilities(c.Abilities)
		}
	}
	for len(m.todo) > 0 {
		f := m.todo[0]
		m.todo = m.todo[1:]
		f()
	}
	l.unmade()
}

func (m *made) abilities(list []int) {
	for _, a := range list {
		def := m.l.p.Abilities[a]
		for _, e := range def.Effects {
			m.effect(e)
		}
		for _, t := range def.Triggers {
			m.trigger(t)
		}
	}
}

// when runs f once an action is made.
func (m *made) when(action int, f func()) {
	if action < 0 {
		return
	}
	if m.actions[action] {
		m.todo = append(m.todo, f)
		return
	}
	m.waiting[action] = append(m.waiting[action], f)
}

func (m *made) act(action int) {
	if action < 0 || m.actions[action] {
		return
	}
	m.actions[action] = true
	m.todo = append(m.todo, m.waiting[action]...)
	m.waiting[action] = nil
	a := m.l.p.Actions[action]
	m.routine(a.Body)
	for _, s := range a.Steps {
		m.act(s)
	}
}

// basic makes the action that the program itself does.
func (m *made) basic(b program.Basic) {
	for _, a := range m.l.p.Actions {
		if a.Basic == b {
			m.act(a.Index)
		}
	}
}

func (m *made) trigger(t int) {
	if m.triggers[t] {
		return
	}
	m.triggers[t] = true
	def := m.l.p.Triggers[t]
	m.when(def.Moment.Action, func() {
		m.basic(program.BasicTrigger)
		m.routine(def.Body)
	})
}

func (m *made) effect(e int) {
	if e < 0 || m.effects[e] {
		return
	}
	m.effects[e] = true
	def := m.l.p.Effects[e]
	for _, t := range def.Triggers {
		m.trigger(t)
	}
	for _, r := range def.Finally {
		m.routine(r)
	}
	for i := range def.Ops {
		op := &def.Ops[i]
		if op.Verb == program.VerbInstead {
			m.when(op.Pattern.Action, func() { m.routine(op.Body) })
		}
		if op.Verb == program.VerbAdd && op.Call != nil {
			m.grant(op.Call.Keyword)
		}
	}
}

func (m *made) grant(keyword int) {
	if m.granted[keyword] {
		return
	}
	m.granted[keyword] = true
	if g := m.l.p.Keywords[keyword].Granted; g != nil {
		m.basic(program.BasicGrant)
		m.basic(program.BasicLapse)
		m.routine(g.Body)
	}
}

func (m *made) routine(r int) {
	if r < 0 || m.routines[r] {
		return
	}
	m.routines[r] = true
	code := m.l.p.Routines[r].Code
	for i := range code {
		in := &code[i]
		switch in.Op {
		case program.CodeChoose:
			m.basic(program.BasicPick)
		case program.CodeEffect:
			m.effect(in.A)
		case program.CodeLater:
			m.trigger(in.A)
		case program.CodeAct:
			m.call(in.Call)
		}
	}
}

func (m *made) call(c *program.Call) {
	m.act(c.Action)
	switch m.l.p.Actions[c.Action].Basic {
	case program.BasicPlace:
		if c.Kind >= 0 {
			m.placed[c.Kind] = true
		} else {
			m.anyToken = true
		}
		m.basic(program.BasicRemove) // a host that becomes a new object loses its tokens
	case program.BasicGrant:
		if c.Keyword != nil {
			m.grant(c.Keyword.Keyword)
			m.basic(program.BasicLapse)
		} else {
			m.anyGrant = true
		}
		m.effect(c.Grants)
	}
}

// happens reports whether an action can happen with the condition.
func (m *made) happens(action int, where *program.Node) bool {
	if action < 0 {
		return true
	}
	if !m.actions[action] {
		return false
	}
	basic := m.l.p.Actions[action].Basic
	for _, c := range conjuncts(where, nil) {
		x, v := equation(c)
		if x == nil || v.T.Base != program.IsOneOf || v.N < 0 {
			continue
		}
		role := x
		if x.Op == program.OpChar && m.l.p.Chars[x.N].Fact == program.FactKind {
			role = x.Kids[0]
		}
		if role.Op != program.OpRole || role.N != 0 {
			continue
		}
		switch basic {
		case program.BasicPlace, program.BasicRemove:
			if v.T.ID == program.ListToken && !m.anyToken && !m.placed[v.N] {
				return false
			}
		case program.BasicGrant, program.BasicLapse:
			if v.T.ID == program.ListKeyword && !m.anyGrant && !m.granted[v.N] {
				return false
			}
		}
	}
	return true
}

// equation takes x == constant apart.
func equation(n *program.Node) (x, v *program.Node) {
	if n.Op != program.OpEq || len(n.Kids) != 2 || n.Kids[0].T.Several {
		return nil, nil
	}
	for i := range n.Kids {
		if n.Kids[i].Op == program.OpConst && n.Kids[1-i].Op != program.OpConst {
			return n.Kids[1-i], n.Kids[i]
		}
	}
	return nil, nil
}

// unmade warns of what waits for, or speaks of, what can't happen.
func (l *linter) unmade() {
	p, m := l.p, l.made
	gone := func(at source.Span, action int, where *program.Node) {
		if !m.happens(action, where) {
			l.warn("never-happens", at, "name", p.Actions[action].Name)
		}
	}
	moment := func(x *program.Moment) { gone(x.Span, x.Action, x.Where) }
	limits := func(list []program.Limit) {
		for _, x := range list {
			gone(x.Span, x.Per, nil)
		}
	}
	for _, h := range p.Headers {
		moment(&h.Trigger.Moment)
		limits(h.Trigger.Limits)
	}
	for _, t := range p.Triggers {
		moment(&t.Moment)
		limits(t.Limits)
	}
	for _, e := range p.Effects {
		ends := 0
		for i := range e.Until {
			if m.happens(e.Until[i].Action, e.Until[i].Where) {
				ends++
			}
		}
		if ends == 0 && len(e.Until) > 0 {
			l.warn("never-ends", e.Until[0].Span, "name", p.Actions[e.Until[0].Action].Name)
		} else {
			for i := range e.Until {
				moment(&e.Until[i])
			}
		}
		for i := range e.Ops {
			gone(e.Ops[i].Pattern.Span, e.Ops[i].Pattern.Action, e.Ops[i].Pattern.Where)
		}
		if e.Action >= 0 && e.Target == program.TargetEach {
			gone(e.Span, e.Action, e.Where)
		}
	}
	for _, r := range p.Routines {
		for i := range r.Code {
			if ch := r.Code[i].Choice; ch != nil {
				limits(ch.Limits)
			}
		}
	}
}
