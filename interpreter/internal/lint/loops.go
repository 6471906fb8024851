package lint

import (
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Triggers that set each other off. A trigger leads to another when its body,
// before any choice or condition, does what the other waits for, and nothing that
// the other asks of the event is left open. A ring of such triggers, none of them
// limited, goes on for ever once it has begun; where an action in it can become
// impossible, it goes on until then, and that is only noted.

// link is a trigger, or a replacement, as a place in the graph.
type link struct {
	event   int             // the action that it waits for
	where   []*program.Node // what it asks of it
	body    int
	at      source.Span
	holder  int   // the ability that it is part of, or -1: only within one is self the same
	zone    int   // where the ability works
	instead bool  // replaces the action
	next    []arc // where it leads
}

type arc struct {
	to    int
	stops bool // an action on the way can be impossible
}

// deed is an action that a body does without asking.
type deed struct {
	action int
	call   *program.Call // in the words of the trigger
	direct bool          // by the trigger's own body, not by an action in it
	stops  bool
}

func (l *linter) loops() {
	owner := map[int]int{} // trigger or effect to the card or keyword that it belongs to
	effects := map[int]int{}
	n := 0
	own := func(abilities []int) {
		n++
		for _, a := range abilities {
			for _, t := range l.p.Abilities[a].Triggers {
				owner[t] = n
			}
			for _, e := range l.p.Abilities[a].Effects {
				effects[e] = n
				if l.p.Effects[e].While == nil {
					for _, t := range l.p.Effects[e].Triggers {
						owner[t] = n
					}
				}
			}
		}
	}
	for _, k := range l.p.Keywords {
		own(k.Abilities)
	}
	for _, c := range l.p.Cards {
		if !c.Anonymous {
			own(c.Abilities)
		}
	}
	var links []*link
	for _, t := range l.p.Triggers {
		o, mine := owner[t.Index]
		if !mine || t.Among != nil || len(t.Limits) > 0 || t.Moment.Action < 0 || t.Moment.Edge == program.During {
			continue
		}
		k := &link{event: t.Moment.Action, body: t.Body, at: t.Span, holder: o, zone: t.In}
		k.where = conjuncts(t.Where, conjuncts(t.Moment.Where, nil))
		links = append(links, k)
	}
	for i, e := range l.p.Effects {
		o, mine := effects[i]
		for j := range e.Ops {
			op := &e.Ops[j]
			if op.Verb == program.VerbInstead && mine && e.While == nil && op.Body >= 0 {
				links = append(links, &link{event: op.Pattern.Action, where: conjuncts(op.Pattern.Where, nil), body: op.Body, at: op.Span, holder: o, zone: e.In, instead: true})
			}
		}
	}
	for _, k := range links {
		calm := l.calm(k.body, map[int]bool{})
		for _, d := range l.deeds(k.body, k) {
			d.stops = d.stops || !calm
			for j, to := range links {
				if k.instead && (to != k || !d.direct) {
					continue // what a replacement leads to is looked at only where it meets itself
				}
				if !k.instead && to.instead {
					continue
				}
				if to.event == d.action && l.met(k, to, d) {
					k.next = append(k.next, arc{j, d.stops})
				}
			}
		}
	}
	l.rings(links)
}

// calm reports whether nothing that a body does can take the abilities away, or
// their card, or end the game.
func (l *linter) calm(routine int, seen map[int]bool) bool {
	if routine < 0 || seen[routine] {
		return true
	}
	seen[routine] = true
	code := l.p.Routines[routine].Code
	for i := range code {
		in := &code[i]
		switch in.Op {
		case program.CodeLater:
			return false
		case program.CodeEffect:
			e := l.p.Effects[in.A]
			if len(e.Triggers) > 0 || len(e.Finally) > 0 {
				return false
			}
			for _, op := range e.Ops {
				if op.Verb >= program.VerbProhibit || op.Verb == program.VerbCopy || op.Call != nil ||
					op.Char >= 0 && l.p.Chars[op.Char].Fact == program.FactAbilities {
					return false
				}
			}
		case program.CodeAct:
			switch a := l.p.Actions[in.Call.Action]; a.Basic {
			case program.NotBasic:
				if !l.calm(a.Body, seen) {
					return false
				}
			case program.BasicPlace, program.BasicShow, program.BasicArrange, program.BasicGive:
			default:
				return false
			}
		}
	}
	return true
}

// deeds lists what a body does whatever happens: its instructions up to the first
// that asks, and what the actions in them do in turn.
func (l *linter) deeds(routine int, k *link) []deed {
	var out []deed
	seen := map[int]bool{}
	var walk func(routine int, outer *program.Call, stops bool)
	walk = func(routine int, outer *program.Call, stops bool) {
		if routine < 0 {
			return
		}
		code := l.p.Routines[routine].Code
		for i := range code {
			in := &code[i]
			switch in.Op {
			case program.CodeSet, program.CodeMemory, program.CodeEffect, program.CodeLater, program.CodeTogether, program.CodeGroupEnd:
			case program.CodeAct:
				a := l.p.Actions[in.Call.Action]
				c := l.filled(in.Call, outer)
				s := stops || l.refusable(c, k)
				out = append(out, deed{action: a.Index, call: c, direct: outer == nil, stops: s})
				if !seen[a.Index] {
					seen[a.Index] = true
					walk(a.Body, c, s)
				}
			default:
				return
			}
		}
	}
	walk(routine, nil, false)
	return out
}

// filled says a call in the body of an action in the words of the trigger that
// leads to it. Roles and attributes that can't be said so are left out.
func (l *linter) filled(c, outer *program.Call) *program.Call {
	out := *c
	out.Roles = make([]*program.Node, len(c.Roles))
	out.With = nil
	say := func(n *program.Node) *program.Node {
		if n != nil && outer != nil {
			n, _ = l.fill(n, outer)
		}
		if n == nil || !plain(n) {
			return nil
		}
		return n
	}
	for i, n := range c.Roles {
		out.Roles[i] = say(n)
	}
	for _, w := range c.With {
		if v := say(w.Value); v != nil {
			out.With = append(out.With, program.With{Slot: w.Slot, Value: v})
		}
	}
	return &out
}

// refusable reports whether an action can become impossible by itself: a
// condition of its own that is not sure, or one of those that the program knows.
func (l *linter) refusable(c *program.Call, k *link) bool {
	a := l.p.Actions[c.Action]
	switch a.Basic {
	case program.NotBasic, program.BasicShow:
	case program.BasicPlace:
		if c.Kind < 0 || l.p.Tokens[c.Kind].Limit > 0 {
			return true
		}
	default:
		return true
	}
	for i, r := range a.Roles {
		if r.Type.Base != program.IsObject || r.Type.Several || r.Prep == "within" || a.Basic == program.BasicPlace && i == 0 {
			continue
		}
		switch n := c.Roles[i]; {
		case n == nil:
			return true // found around, or not
		case n.Op == program.OpYou:
		case n.Op != program.OpSelf || !l.isKind(r.Type.ID, k):
			return true // whoever it is may be gone, or be another kind of thing
		}
	}
	if c.Kind >= 0 && a.Basic == program.BasicPlace && l.p.Tokens[c.Kind].On >= 0 && !l.isKind(l.p.Tokens[c.Kind].On, k) {
		return true
	}
	if len(a.Needs) > 0 {
		return true // what it needs may be refused
	}
	for _, o := range a.OnlyIf {
		for _, part := range conjuncts(o.Expr, nil) {
			if !l.sure(part, c, k) {
				return true
			}
		}
	}
	return false
}

// isKind reports whether a card whose ability works is of a kind.
func (l *linter) isKind(kind int, k *link) bool {
	for ; kind >= 0; kind = l.p.Kinds[kind].Parent {
		w := l.p.Kinds[kind].Where
		if w == nil {
			continue
		}
		self := &program.Node{Op: program.OpSelf, T: program.Type{Base: program.IsObject, ID: program.KindCard}}
		if !l.impossible(true, append(l.working(k), literal{candidate(w, self), false})...) {
			return false
		}
	}
	return true
}

// candidate puts an object in place of the candidate of a kind's condition.
func candidate(n, by *program.Node) *program.Node {
	if n.Op == program.OpElem && n.N == 0 {
		return by
	}
	out := *n
	out.Kids = make([]*program.Node, len(n.Kids))
	for i, k := range n.Kids {
		out.Kids[i] = candidate(k, by)
	}
	return &out
}

// working is what is known as an ability works: its card is where it works.
func (l *linter) working(k *link) []literal {
	zone := -1
	for _, ch := range l.p.Chars {
		if ch.Entity == program.Card && ch.Fact == program.FactZone && ch.Action < 0 {
			zone = ch.Index
		}
	}
	if zone < 0 || k.zone < 0 {
		return nil
	}
	self := &program.Node{Op: program.OpSelf, T: program.Type{Base: program.IsObject, ID: program.KindCard}}
	at := &program.Node{Op: program.OpChar, N: int64(zone), T: l.p.Chars[zone].Type, Kids: []*program.Node{self}}
	in := &program.Node{Op: program.OpConst, T: program.Type{Base: program.IsOneOf, ID: program.ListZone}, N: int64(k.zone)}
	return []literal{{&program.Node{Op: program.OpEq, T: program.FlagType, Kids: []*program.Node{at, in}}, true}}
}

// met reports whether a deed is what a trigger waits for, whatever the state.
func (l *linter) met(from, to *link, d deed) bool {
	if len(to.where) == 0 {
		return true
	}
	if from.holder != to.holder {
		return false // self and the roles are somebody else's
	}
	for _, w := range to.where {
		if !l.sure(w, d.call, to) {
			return false
		}
	}
	return true
}

// sure reports whether a condition on an action holds for a call of it whatever
// the state, as far as its roles tell.
func (l *linter) sure(n *program.Node, c *program.Call, k *link) bool {
	filled, ok := l.fill(n, c)
	if !ok {
		return false
	}
	return l.impossible(true, append(l.working(k), literal{filled, false})...)
}

// fill puts what a call gives in place of the roles and attributes that a
// condition reads. It fails where the condition reads anything else of the action
// or of a body.
func (l *linter) fill(n *program.Node, c *program.Call) (*program.Node, bool) {
	switch n.Op {
	case program.OpRole:
		if int(n.N) >= len(c.Roles) || c.Roles[n.N] == nil {
			return nil, false
		}
		return c.Roles[n.N], true
	case program.OpAttr:
		for _, w := range c.With {
			if int64(w.Slot) == n.N && !l.p.Chars[n.M].Written {
				return w.Value, true
			}
		}
		return nil, false
	case program.OpAct, program.OpHits, program.OpLocal, program.OpActFact, program.OpAttrOf, program.OpRoleOf:
		return nil, false
	case program.OpChar:
		// The token that is placed is no object yet, but of which kind it is stands there.
		if c.Kind >= 0 && l.p.Chars[n.N].Fact == program.FactKind && n.Kids[0].Op == program.OpRole && n.Kids[0].N == 0 {
			return &program.Node{Op: program.OpConst, T: n.T, N: int64(c.Kind), Span: n.Span}, true
		}
	}
	out := *n
	out.Kids = make([]*program.Node, len(n.Kids))
	for i, k := range n.Kids {
		filled, ok := l.fill(k, c)
		if !ok {
			return nil, false
		}
		out.Kids[i] = filled
	}
	return &out, true
}

// plain reports whether an expression means the same in the body of one trigger
// and in the condition of another of the same card.
func plain(n *program.Node) bool {
	ok := true
	n.Walk(func(n *program.Node) {
		switch n.Op {
		case program.OpLocal, program.OpRole, program.OpAttr, program.OpAct, program.OpHits, program.OpElem:
			ok = false
		}
	})
	return ok
}

// rings reports each set of links that lead round in a circle, once.
func (l *linter) rings(links []*link) {
	done := map[int]bool{}
	for start := range links {
		if done[start] || links[start].at.File == nil || l.inCase(links[start].at) {
			continue
		}
		path, stops := l.ring(links, start, false)
		if path == nil {
			path, stops = l.ring(links, start, true)
		}
		if path == nil {
			continue
		}
		var names []string
		for _, i := range path {
			done[i] = true
			names = append(names, l.p.Actions[links[i].event].Name)
		}
		chain := strings.Join(append(names, names[0]), " → ")
		if stops {
			l.note("loops-until-refused", links[start].at, "chain", chain)
			continue
		}
		x := l.warn("loops-for-ever", links[start].at, "chain", chain)
		for _, i := range path[1:] {
			x.With("also-here", links[i].at)
		}
	}
}

// ring finds a shortest way from a link back to itself; with stops, also over
// actions that can become impossible.
func (l *linter) ring(links []*link, start int, stops bool) ([]int, bool) {
	from := map[int]int{}
	queue := []int{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, a := range links[at].next {
			if a.stops && !stops {
				continue
			}
			if a.to == start {
				path := []int{at}
				for path[0] != start {
					path = append([]int{from[path[0]]}, path...)
				}
				return path, stops
			}
			if _, seen := from[a.to]; !seen {
				from[a.to] = at
				queue = append(queue, a.to)
			}
		}
	}
	return nil, false
}
