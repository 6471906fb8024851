package lint

import (
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// bodies warns of instructions that are never done, of operations that change
// nothing, and of memories that stay empty.
func (l *linter) bodies() {
	for _, e := range l.p.Effects {
		only := len(e.Ops) == 1 && len(e.Triggers) == 0 && len(e.Finally) == 0
		for i := range e.Ops {
			op := &e.Ops[i]
			l.negative(op)
			if only && (op.Verb == program.VerbRaise || op.Verb == program.VerbLower) && op.Value.Constant() && op.Value.N == 0 {
				l.warn("changes-nothing", op.Span, "verb", op.Verb.String())
			}
			if op.Verb == program.VerbSet && op.Value != nil && op.Value.Op == program.OpChar && int(op.Value.N) == op.Char && op.Layer == e.First &&
				op.Value.Kids[0].Op == program.OpElem && only && e.Action < 0 {
				l.warn("changes-nothing", op.Span, "verb", op.Verb.String())
			}
		}
	}
	for _, r := range l.p.Routines {
		l.neverDone(r)
	}
	l.neverRecorded()
}

// negative warns of an amount below 0, which turns the operation round.
func (l *linter) negative(op *program.Op) {
	other := ""
	switch op.Verb {
	case program.VerbRaise:
		other = program.VerbLower.String()
	case program.VerbLower:
		other = program.VerbRaise.String()
	}
	if other == "" || !op.Value.Constant() || op.Value.N >= 0 {
		return
	}
	d := l.warn("negative-amount", op.Span, "verb", op.Verb.String(), "amount", strconv.FormatInt(op.Value.N, 10), "other", other, "size", strconv.FormatInt(-op.Value.N, 10))
	text := op.Span.Text()
	if head, amount, ok := strings.Cut(text, " by "); ok && strings.HasPrefix(head, op.Verb.String()) && strings.TrimSpace(amount) == strconv.FormatInt(op.Value.N, 10) {
		d.Fix = &diag.Fix{Span: op.Span, Text: other + strings.TrimPrefix(head, op.Verb.String()) + " by " + strconv.FormatInt(-op.Value.N, 10)}
	}
}

// neverDone looks for instructions that no way leads to.
func (l *linter) neverDone(r *program.Routine) {
	warn := func(at source.Span, why string) {
		l.warn("never-done", at, "why", why)
	}
	for i := range r.Code {
		in := &r.Code[i]
		switch in.Op {
		case program.CodeCount:
			if in.X != nil && l.reach(in.X, true).hi <= 0 {
				warn(in.X.Span, "@repeat-of-none")
			}
		case program.CodeListInit:
			if l.empty(in.X) {
				warn(in.X.Span, "@empty-list")
			}
		case program.CodeChoose:
			if l.empty(in.Choice.From) {
				warn(in.Choice.From.Span, "@empty-list")
			}
			if in.Choice.Max != nil && in.Choice.Max.Constant() && in.Choice.Max.N <= 0 {
				warn(in.Choice.Max.Span, "@repeat-of-none")
			}
		case program.CodeAct:
			// The game is over; what stands behind is not reached.
			if l.p.Actions[in.Call.Action].Basic == program.BasicFinish && i+1 < len(r.Code) {
				switch next := &r.Code[i+1]; next.Op {
				case program.CodeEnd, program.CodeJump, program.CodeGroupEnd:
				default:
					if !l.jumpedTo(r, i+1) {
						warn(next.Span, "@after-the-end")
					}
				}
			}
			if c := in.Call.Count; c != nil && l.reach(c, true).hi <= 0 {
				warn(c.Span, "@repeat-of-none")
			}
		}
	}
}

func (l *linter) jumpedTo(r *program.Routine, at int) bool {
	for i := range r.Code {
		in := &r.Code[i]
		switch in.Op {
		case program.CodeJump, program.CodeUnless:
			if in.A == at {
				return true
			}
		case program.CodeChoose, program.CodeMay:
			if in.B == at {
				return true
			}
		case program.CodeListNext, program.CodeCounted:
			if in.C == at {
				return true
			}
		case program.CodeBranch:
			for _, j := range in.Jumps {
				if j == at {
					return true
				}
			}
		}
	}
	return false
}

// empty reports whether a list has nothing in it whatever the state.
func (l *linter) empty(n *program.Node) bool {
	if n == nil {
		return false
	}
	switch n.Op {
	case program.OpList:
		return len(n.Kids) == 0
	case program.OpMaskList:
		return n.Kids[0].Op == program.OpConst && n.Kids[0].N == 0
	}
	return false
}

// neverRecorded warns of memories that are read and that nothing writes.
func (l *linter) neverRecorded() {
	written, read := map[int]bool{}, map[int]source.Span{}
	for _, r := range l.p.Routines {
		for i := range r.Code {
			if r.Code[i].Op == program.CodeMemory {
				written[r.Code[i].A] = true
			}
		}
	}
	l.everyNode(func(n *program.Node) {
		if n.Op == program.OpChar {
			if _, seen := read[int(n.N)]; !seen || n.Span.Before(read[int(n.N)]) {
				read[int(n.N)] = n.Span
			}
		}
	})
	for _, ch := range l.p.Chars {
		if at, is := read[ch.Index]; is && ch.Memory && ch.Action < 0 && !written[ch.Index] {
			l.warn("never-recorded", ch.Head, "name", ch.Name).With("used-here", at)
		}
	}
}

// everyNode calls f for every expression of the program and every part of it.
func (l *linter) everyNode(f func(*program.Node)) {
	p := l.p
	for _, k := range p.Kinds {
		k.Where.Walk(f)
	}
	for _, ch := range p.Chars {
		ch.Value.Walk(f)
	}
	for i := range p.Abilities {
		for _, a := range p.Abilities[i].Args {
			a.Walk(f)
		}
	}
	for _, e := range p.Effects {
		effectNodes(e, f)
	}
	for _, h := range p.Headers {
		triggerNodes(&h.Trigger, f)
	}
	for _, t := range p.Triggers {
		triggerNodes(t, f)
	}
	for _, a := range p.Actions {
		for i := range a.OnlyIf {
			a.OnlyIf[i].Expr.Walk(f)
		}
		needNodes(a.Needs, f)
		for i := range a.Roles {
			a.Roles[i].Default.Walk(f)
		}
	}
	for _, k := range p.Keywords {
		if k.Granted != nil {
			for _, o := range k.Granted.OnlyIf {
				o.Expr.Walk(f)
			}
			needNodes(k.Granted.Needs, f)
		}
	}
	for _, r := range p.Routines {
		routineNodes(r, f)
	}
	for _, c := range p.Cases {
		for i := range c.Script {
			s := &c.Script[i]
			s.X.Walk(f)
			s.Of.Walk(f)
			s.Pattern.Where.Walk(f)
		}
	}
}

func effectNodes(e *program.Effect, f func(*program.Node)) {
	for _, n := range []*program.Node{e.Where, e.On, e.While, e.Stamp} {
		n.Walk(f)
	}
	for i := range e.Until {
		e.Until[i].Where.Walk(f)
	}
	for i := range e.Ops {
		op := &e.Ops[i]
		op.Value.Walk(f)
		op.Pattern.Where.Walk(f)
		keywordNodes(op.Call, f)
	}
}

func keywordNodes(k *program.KeywordCall, f func(*program.Node)) {
	if k != nil {
		for _, a := range k.Args {
			a.Walk(f)
		}
	}
}

func triggerNodes(t *program.Trigger, f func(*program.Node)) {
	t.Moment.Where.Walk(f)
	t.Where.Walk(f)
	t.Among.Walk(f)
	for _, w := range t.AmongWhere {
		w.Walk(f)
	}
	for _, x := range t.Limits {
		x.Count.Walk(f)
	}
}

func routineNodes(r *program.Routine, f func(*program.Node)) {
	for i := range r.Code {
		in := &r.Code[i]
		in.X.Walk(f)
		in.Y.Walk(f)
		callNodes(in.Call, f)
		if ch := in.Choice; ch != nil {
			for _, n := range []*program.Node{ch.Min, ch.Max, ch.From, ch.By} {
				n.Walk(f)
			}
			callNodes(ch.For, f)
			for _, x := range ch.Limits {
				x.Count.Walk(f)
			}
		}
	}
}

func needNodes(list []program.Need, f func(*program.Node)) {
	for _, n := range list {
		callNodes(n.Call, f)
		n.Where.Walk(f)
	}
}

func callNodes(c *program.Call, f func(*program.Node)) {
	if c == nil {
		return
	}
	for _, n := range c.Roles {
		n.Walk(f)
	}
	for _, w := range c.With {
		w.Value.Walk(f)
	}
	c.Count.Walk(f)
	c.By.Walk(f)
	keywordNodes(c.Keyword, f)
	if c.Until != nil {
		c.Until.Where.Walk(f)
	}
}

// parameters warns of a parameter that a keyword only hands on to itself: no
// value of it makes a difference.
func (l *linter) parameters() {
	for _, k := range l.p.Keywords {
		for i := range k.Params {
			uses, passes := l.paramUses(k, i)
			if passes > 0 && uses == passes {
				l.warn("only-passed-on", k.Params[i].Span, "name", k.Params[i].Name, "keyword", k.Name)
			}
		}
	}
}

// paramUses counts how often a keyword's text reads a parameter, and how often it
// only hands it to the same parameter of itself.
func (l *linter) paramUses(k *program.Keyword, param int) (uses, passes int) {
	read := func(n *program.Node) {
		if n.Op == program.OpLocal && int(n.N) == param {
			uses++
		}
	}
	pass := func(c *program.KeywordCall) {
		if c != nil && c.Keyword == k.Index && param < len(c.Args) {
			if a := c.Args[param]; a != nil && a.Op == program.OpLocal && int(a.N) == param {
				passes++
			}
		}
	}
	seen := map[any]bool{}
	var effect func(i int)
	var trigger func(i int)
	var routine func(i int)
	effect = func(i int) {
		e := l.p.Effects[i]
		if seen[e] {
			return
		}
		seen[e] = true
		effectNodes(e, read)
		for j := range e.Ops {
			pass(e.Ops[j].Call)
			if e.Ops[j].Verb == program.VerbInstead {
				routine(e.Ops[j].Body)
			}
		}
		for _, t := range e.Triggers {
			trigger(t)
		}
		for _, r := range e.Finally {
			routine(r)
		}
	}
	trigger = func(i int) {
		t := l.p.Triggers[i]
		if !seen[t] {
			seen[t] = true
			triggerNodes(t, read)
			routine(t.Body)
		}
	}
	routine = func(i int) {
		if i < 0 || seen[l.p.Routines[i]] {
			return
		}
		r := l.p.Routines[i]
		seen[r] = true
		routineNodes(r, read)
		for j := range r.Code {
			in := &r.Code[j]
			if in.Call != nil {
				pass(in.Call.Keyword)
			}
			switch in.Op {
			case program.CodeEffect:
				effect(in.A)
			case program.CodeLater:
				trigger(in.A)
			}
		}
	}
	for _, a := range k.Abilities {
		def := l.p.Abilities[a]
		for _, n := range def.Args {
			n.Walk(read)
		}
		if def.Keyword >= 0 {
			pass(&program.KeywordCall{Keyword: def.Keyword, Args: def.Args})
		}
		for _, e := range def.Effects {
			effect(e)
		}
		for _, t := range def.Triggers {
			trigger(t)
		}
	}
	if g := k.Granted; g != nil {
		for _, o := range g.OnlyIf {
			o.Expr.Walk(read)
		}
		needNodes(g.Needs, read)
		routine(g.Body)
	}
	return uses, passes
}
