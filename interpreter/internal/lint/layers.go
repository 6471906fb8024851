package lint

import "github.com/momon-rules/momon/interpreter/internal/program"

// layers notes what the order of the layers makes of an effect: conditions that
// see a value before a later layer changes it, and abilities that are given when
// a part of them is over. Both can be meant so.
func (l *linter) layers() {
	// The last layer in which something changes each characteristic.
	last := map[int]int{}
	for _, e := range l.p.Effects {
		if l.inCase(e.Span) {
			continue
		}
		for i := range e.Ops {
			if op := &e.Ops[i]; op.Char >= 0 && op.Verb < program.VerbProhibit && op.Verb != program.VerbLock {
				if at, ok := last[op.Char]; !ok || op.Layer > at {
					last[op.Char] = op.Layer
				}
			}
		}
	}
	for _, e := range l.p.Effects {
		if e.Action < 0 && e.First >= 0 {
			l.readsLater(e, e.Where, last)
			l.readsLater(e, e.While, last)
		}
		l.goingBack(e)
	}
}

// readsLater looks for what a filter or condition reads of the object that it
// judges, and that a layer after the effect's first changes.
func (l *linter) readsLater(e *program.Effect, n *program.Node, last map[int]int) {
	n.Walk(func(n *program.Node) {
		if n.Op != program.OpChar || n.Span.File == nil {
			return
		}
		ch := l.p.Chars[n.N]
		at, changed := last[ch.Index]
		if !changed || at <= e.First || ch.Memory || ch.Fact != program.FactNone || ch.Action >= 0 {
			return
		}
		l.note("reads-later-layer", n.Span, "name", ch.Name, "layer", l.p.Layers[e.First].Name, "later", l.p.Layers[at].Name)
	})
}

// goingBack notes where an ability is given in a layer that comes after one in
// which the ability itself would act: that part has nothing left to do.
func (l *linter) goingBack(e *program.Effect) {
	for i := range e.Ops {
		op := &e.Ops[i]
		if op.Verb != program.VerbAdd || op.Call == nil {
			continue
		}
		k := l.p.Keywords[op.Call.Keyword]
		for _, a := range k.Abilities {
			if at := l.earlier(a, op.Layer); at >= 0 {
				l.note("no-going-back", op.Call.Span, "name", k.Name, "layer", l.p.Layers[at].Name, "given", l.p.Layers[op.Layer].Name)
			}
		}
	}
}

// earlier returns a layer before the one given in which an ability acts, or -1.
func (l *linter) earlier(ability, layer int) int {
	a := l.p.Abilities[ability]
	if a.Keyword >= 0 {
		return -1 // a keyword inside a keyword stands for itself
	}
	for _, i := range a.Effects {
		for k := range l.p.Effects[i].Ops {
			if op := &l.p.Effects[i].Ops[k]; op.Verb < program.VerbProhibit && op.Layer < layer {
				return op.Layer
			}
		}
	}
	return -1
}

// moot warns of rules effects that another one leaves nothing to do: what a rule
// of the game prohibits anyway, and permissions for what nothing stands against.
func (l *linter) moot() {
	before := map[program.Verb]int{}
	for i, v := range l.p.Options.Authority {
		before[v] = i
	}
	first := func(a, b program.Verb) bool {
		i, ok := before[a]
		j, other := before[b]
		return ok && (!other || i < j)
	}
	for _, e := range l.p.Effects {
		for i := range e.Ops {
			op := &e.Ops[i]
			if op.Pattern.Action < 0 || op.Verb < program.VerbProhibit || op.Verb > program.VerbInstead || op.Span.File == nil {
				continue
			}
			a := l.p.Actions[op.Pattern.Action]
			if op.Verb == program.VerbPermit && len(a.OnlyIf) == 0 && first(program.VerbProhibit, program.VerbPermit) {
				l.warn("permits-nothing", op.Pattern.Span, "name", a.Name)
				continue
			}
			if op.Verb == program.VerbPermit && !first(program.VerbProhibit, program.VerbPermit) {
				continue
			}
			for _, g := range l.p.GameRules {
				if l.prohibitedBy(l.p.Effects[g], e, op) {
					l.warn("moot", op.Span, "name", a.Name, "verb", op.Verb.String()).With("prohibited-here", l.p.Effects[g].Span)
					break
				}
			}
		}
	}
}

// prohibitedBy reports whether a rule of the game that always holds prohibits all
// that an operation speaks of.
func (l *linter) prohibitedBy(rule, e *program.Effect, op *program.Op) bool {
	if rule == e || rule.While != nil || rule.Where != nil || len(rule.Until) > 0 {
		return false
	}
	for i := range rule.Ops {
		by := &rule.Ops[i]
		if by.Verb != program.VerbProhibit || by.Pattern.Action != op.Pattern.Action {
			continue
		}
		if by.Pattern.Where == nil {
			return true
		}
		facts := []literal{{by.Pattern.Where, false}}
		if op.Pattern.Where != nil {
			facts = append(facts, literal{op.Pattern.Where, true})
		}
		if !l.impossible(true, facts[1:]...) && l.impossible(true, facts...) {
			// Two rules of the game that say the same: the later one is the one too many.
			return !l.isGameRule(e) || rule.Span.Before(op.Span)
		}
	}
	return false
}

func (l *linter) isGameRule(e *program.Effect) bool {
	for _, g := range l.p.GameRules {
		if l.p.Effects[g] == e {
			return true
		}
	}
	return false
}
