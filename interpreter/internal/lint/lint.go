// Package lint finds what a designer would want to hear of rules that are right by
// themselves: conditions that can't be true, triggers whose event never comes,
// texts that say other than the data. It reads a checked program and its syntax
// trees, and runs only when somebody asks; nothing of it is needed to play.
//
// A warning is given only where it is proven from constants and from what is
// declared. What is not found is told in docs/warnings.md.
package lint

import (
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Kept is a declaration that holds in the edition in force and that nothing
// overrides.
type Kept struct {
	*grammar.Decl
	Module int // the folder that it is from, the lowest first
}

// Run adds what it finds to diags. The program must have no errors.
func Run(p *program.Program, kept []Kept, diags *diag.List) {
	l := &linter{kept: kept, diags: diags, prover: prover{p: p}, library: map[*source.File]bool{}, set: map[*source.File]bool{}}
	for _, layer := range p.Layers {
		l.floors = l.floors || layer.FloorsEnd
	}
	complete, cards := map[int]bool{}, map[int]bool{}
	for _, k := range kept {
		if k.Case != nil {
			l.cases = append(l.cases, k.Span)
		}
		cards[k.Module] = cards[k.Module] || k.Head == "card"
		complete[k.Module] = complete[k.Module] || k.Head == "card" || k.Action != nil && k.Action.Name.Text == rootName(p)
	}
	for _, k := range kept {
		if !complete[k.Module] {
			l.library[k.File] = true
		}
		if cards[k.Module] {
			l.set[k.File] = true
		}
	}
	l.conditions()
	l.layers()
	l.reachable()
	l.moot()
	l.loops()
	l.bodies()
	l.parameters()
	l.texts()
	l.languages()
	l.unused()
}

type linter struct {
	prover
	kept  []Kept
	diags *diag.List
	cases []source.Span
	made  *made

	// Files of a folder that has neither cards nor the action game. What is
	// declared there is for others to use, so that nothing in it is idle.
	library map[*source.File]bool
	set     map[*source.File]bool // files of a folder that has cards
}

func rootName(p *program.Program) string {
	if p.Root < 0 {
		return ""
	}
	return p.Actions[p.Root].Name
}

// inCase reports whether a place lies in a case: there, odd rules are tested.
func (l *linter) inCase(s source.Span) bool {
	for _, c := range l.cases {
		if within(s, c) {
			return true
		}
	}
	return false
}

// warn and note report a finding, but in a case nothing.
func (l *linter) warn(code string, at source.Span, values ...string) *diag.Diagnostic {
	if at.File == nil || l.inCase(at) {
		return &diag.Diagnostic{}
	}
	return l.diags.Warn(code, at, values...)
}

func (l *linter) note(code string, at source.Span, values ...string) *diag.Diagnostic {
	if at.File == nil || l.inCase(at) {
		return &diag.Diagnostic{}
	}
	return l.diags.Note(code, at, values...)
}

func within(s, in source.Span) bool {
	return s.File == in.File && s.Start >= in.Start && s.End <= in.End
}

// context is where a condition is read.
type context struct {
	final bool            // after all layers
	given []*program.Node // what is true there anyway
	kind  int             // what the candidate of the filter is, or -1
	level int64           // and how it is numbered
}

// conditions looks at every condition of the program.
func (l *linter) conditions() {
	p := l.p
	for _, k := range p.Kinds {
		c := context{kind: k.Parent}
		l.condition(k.Where, c)
	}
	for _, ch := range p.Chars {
		if ch.Value == nil || ch.Value.Constant() {
			continue
		}
		if ch.Type == program.FlagType {
			l.never(ch.Value, context{kind: -1})
		}
		l.inside(ch.Value, context{kind: -1})
	}
	for _, e := range p.Effects {
		final := e.Action >= 0 || !changesValues(e)
		c := context{final: final, kind: -1}
		where := c
		if e.Target == program.TargetEach && e.Kind >= 0 {
			where.kind = e.Kind
		}
		l.condition(e.Where, where)
		if e.Where != nil {
			c.given = conjuncts(e.Where, nil)
		}
		l.condition(e.While, c)
		l.inside(e.On, context{final: final, kind: -1})
		l.inside(e.Stamp, context{final: true, kind: -1})
		for i := range e.Ops {
			op := &e.Ops[i]
			l.condition(op.Pattern.Where, context{final: true, kind: -1})
			l.inside(op.Value, context{final: final, kind: -1})
			l.keywordCall(op.Call, final)
		}
		for i := range e.Until {
			l.condition(e.Until[i].Where, context{final: true, kind: -1})
		}
	}
	for _, h := range p.Headers {
		l.trigger(&h.Trigger)
	}
	for _, t := range p.Triggers {
		l.trigger(t)
	}
	for _, a := range p.Actions {
		c := context{final: true, kind: -1}
		for i := range a.OnlyIf {
			l.condition(a.OnlyIf[i].Expr, c)
			c.given = conjuncts(a.OnlyIf[i].Expr, c.given)
		}
		l.needs(a.Needs)
		for i := range a.Roles {
			l.inside(a.Roles[i].Default, context{kind: -1})
		}
	}
	for _, k := range p.Keywords {
		if k.Granted != nil {
			for _, o := range k.Granted.OnlyIf {
				l.condition(o.Expr, context{final: true, kind: -1})
			}
			l.needs(k.Granted.Needs)
		}
	}
	for _, r := range p.Routines {
		l.routine(r)
	}
}

// changesValues reports whether an effect is applied while values are worked out,
// so that its conditions are read before all layers are done.
func changesValues(e *program.Effect) bool {
	for _, op := range e.Ops {
		if op.Verb < program.VerbProhibit {
			return true
		}
	}
	return false
}

func (l *linter) trigger(t *program.Trigger) {
	c := context{final: true, kind: -1}
	l.condition(t.Moment.Where, c)
	c.given = conjuncts(t.Moment.Where, nil)
	l.condition(t.Where, c)
	l.inside(t.Among, context{final: true, kind: -1})
	c.given = nil
	for _, w := range t.AmongWhere {
		l.condition(w, c)
		c.given = conjuncts(w, c.given)
	}
	l.limits(t.Limits)
}

func (l *linter) limits(list []program.Limit) {
	for _, x := range list {
		l.inside(x.Count, context{final: true, kind: -1})
	}
}

func (l *linter) routine(r *program.Routine) {
	final := context{final: true, kind: -1}
	for i := range r.Code {
		in := &r.Code[i]
		switch {
		case in.Op == program.CodeUnless && in.X != nil:
			cond := in.X
			if cond.Op == program.OpNot && cond.Span == cond.Kids[0].Span { // repeat until
				cond = cond.Kids[0]
			}
			c := final
			c.given = l.otherwise(r, i)
			if !l.never(cond, c) {
				l.always(cond, final) // an else that says its condition in full is no slip
			}
			l.inside(cond, final)
		default:
			l.inside(in.X, final)
		}
		l.inside(in.Y, final)
		if ch := in.Choice; ch != nil {
			l.inside(ch.From, final)
			l.inside(ch.By, final)
			l.call(ch.For)
			l.limits(ch.Limits)
		}
		l.call(in.Call)
	}
}

// otherwise returns what is known at a condition that stands behind else: that
// the one before it failed. Nothing happens between the two.
func (l *linter) otherwise(r *program.Routine, at int) []*program.Node {
	var given []*program.Node
	for i := at - 1; i > 0; i-- {
		in := &r.Code[i]
		if in.Op != program.CodeUnless || in.A != at || in.X == nil {
			continue
		}
		if jump := &r.Code[at-1]; jump.Op != program.CodeJump || jump.A <= at {
			break // what is done before leads here too
		}
		given = append(given, &program.Node{Op: program.OpNot, T: program.FlagType, Kids: []*program.Node{in.X}, Span: in.X.Span})
		at = i // and what stood before that one
	}
	return given
}

func (l *linter) needs(list []program.Need) {
	for _, n := range list {
		l.call(n.Call)
		if n.Where != nil {
			l.condition(n.Where, context{final: true, kind: -1})
		}
	}
}

func (l *linter) call(c *program.Call) {
	if c == nil {
		return
	}
	final := context{final: true, kind: -1}
	for _, n := range c.Roles {
		l.inside(n, final)
	}
	for _, w := range c.With {
		l.inside(w.Value, final)
	}
	l.inside(c.Count, final)
	l.inside(c.By, final)
	l.keywordCall(c.Keyword, true)
	if c.Until != nil {
		l.condition(c.Until.Where, final)
	}
}

func (l *linter) keywordCall(k *program.KeywordCall, final bool) {
	if k == nil {
		return
	}
	for _, a := range k.Args {
		l.inside(a, context{final: final, kind: -1})
	}
}

// condition looks at a condition and at those inside it.
func (l *linter) condition(n *program.Node, c context) {
	if n == nil {
		return
	}
	if !l.never(n, c) {
		l.always(n, c)
	}
	l.inside(n, c)
}

// inside looks at the conditions inside an expression: those of lists, and of a
// choice between two values.
func (l *linter) inside(n *program.Node, c context) {
	if n == nil {
		return
	}
	in := context{final: c.final, kind: -1}
	switch n.Op {
	case program.OpEach:
		if len(n.Kids) > 0 {
			in.kind, in.level = int(n.N), n.M
			l.condition(n.Kids[0], in)
		}
		return
	case program.OpCount, program.OpAny, program.OpAll, program.OpNone, program.OpFind, program.OpFilter:
		if len(n.Kids) > 1 {
			l.inside(n.Kids[0], c)
			l.condition(n.Kids[1], in)
			return
		}
	case program.OpIf:
		l.condition(n.Kids[0], in)
		l.inside(n.Kids[1], c)
		l.inside(n.Kids[2], c)
		return
	}
	for _, k := range n.Kids {
		l.inside(k, c)
	}
}

// given returns what is true where a condition is read.
func (l *linter) given(c context) []literal {
	var out []literal
	for _, n := range c.given {
		out = append(out, literal{n, true})
	}
	for k := c.kind; k >= 0; k = l.p.Kinds[k].Parent {
		if w := l.p.Kinds[k].Where; w != nil {
			out = append(out, literal{shift(w, c.level), true})
		}
	}
	return out
}

// shift numbers the candidate of a kind's condition as the filter does in which
// it is read.
func shift(n *program.Node, by int64) *program.Node {
	if n == nil || by == 0 {
		return n
	}
	out := *n
	if n.Op == program.OpElem {
		out.N += by
	}
	if n.Op == program.OpEach {
		out.M += by
	}
	out.Kids = make([]*program.Node, len(n.Kids))
	for i, k := range n.Kids {
		out.Kids[i] = shift(k, by)
	}
	return &out
}

// never warns of a condition that can't be true, at the part that the others
// leave no room for. It reports whether it did.
func (l *linter) never(n *program.Node, c context) bool {
	if n == nil || n.Span.File == nil {
		return false
	}
	facts := l.given(c)
	if l.impossible(c.final, facts...) {
		return false // what is around it is not possible either, and has been told of
	}
	parts := conjuncts(n, nil)
	for _, part := range parts {
		facts = append(facts, literal{part, true})
		if l.impossible(c.final, facts...) {
			l.warn("never-true", part.Span)
			return true
		}
	}
	// One way of several that can't be taken.
	found := false
	for i, part := range parts {
		ways := alternatives(part, nil)
		if len(ways) < 2 {
			continue
		}
		for _, way := range ways {
			rest := append(l.given(c), literal{way, true})
			for j := range parts {
				if j != i {
					rest = append(rest, literal{parts[j], true})
				}
			}
			if l.impossible(c.final, rest...) {
				l.warn("never-true", way.Span)
				found = true
			}
		}
	}
	return found
}

// always warns of a condition that can't be false, and notes a part of one that
// the rest implies.
func (l *linter) always(n *program.Node, c context) {
	if n.Span.File == nil || l.impossible(c.final, l.given(c)...) {
		return
	}
	if l.impossible(c.final, append(l.given(c), literal{n, false})...) {
		l.warn("always-true", n.Span)
		return
	}
	parts := conjuncts(n, nil)
	if len(parts) < 2 {
		return
	}
	for i, part := range parts {
		rest := append(l.given(c), literal{part, false})
		for j := range parts {
			if j != i {
				rest = append(rest, literal{parts[j], true})
			}
		}
		if l.impossible(c.final, rest...) {
			l.note("implied-condition", part.Span)
			return // the other half of the pair is then not implied by itself
		}
	}
}
