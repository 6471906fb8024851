package check

import (
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// What a normative case may be made of. Cases of what the rules themselves say are
// handed to other programs as data, and those have the rules built in: they know the
// actions, keywords and characteristics of the rules by name, and have no reader of
// this language. So a case is made of a closed vocabulary, which can be written down
// as data and carried out by a program that knows nothing else:
//
//   - objects, with owner, controller, zone, printed values, and abilities;
//   - effects: operations, the objects that they are on, a condition, ends, labels and
//     Timestamps; triggers under a header or a moment, with a limit;
//   - instructions: actions of the rules, effects, later, proceed, record of a name,
//     choices, may, if, for, together;
//   - conditions and amounts: constants, characteristics, facts, roles and attributes,
//     compared, added, and joined by and, or, not; has, tally, count, first, lists by a
//     filter;
//   - tokens that only count, and keywords made of all that, which are written out;
//   - windows, answers, and every kind of question.
//
// The tables below are that vocabulary; what is not in them is noted. Package export
// writes it down, and some more that only interpretations use; a test holds that it
// can write every case in which nothing was noted.

// exportNodes are the operations that conditions and amounts are made of.
var exportNodes = nodes(
	program.OpConst, program.OpList, program.OpMaskOf, program.OpSelf, program.OpYou, program.OpIt, program.OpElem, program.OpLocal,
	program.OpRole, program.OpAttr, program.OpAct, program.OpActFact, program.OpHits, program.OpChar, program.OpHas, program.OpTally,
	program.OpEach, program.OpFilter, program.OpFirst, program.OpCount, program.OpMaskCount, program.OpMaskHas, program.OpMaskList,
	program.OpInList,
	program.OpAdd, program.OpSub, program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe, program.OpListEq,
	program.OpAnd, program.OpOr, program.OpNot, program.OpGame, program.OpUnderway, program.OpRoleOf, program.OpAttrOf,
	program.OpFired, program.OpOrder,
)

func nodes(list ...program.NodeOp) map[program.NodeOp]bool {
	out := map[program.NodeOp]bool{}
	for _, op := range list {
		out[op] = true
	}
	return out
}

// exportCode are the operations of instructions.
var exportCode = map[program.CodeOp]bool{
	program.CodeEnd: true, program.CodeAct: true, program.CodeEffect: true, program.CodeLater: true, program.CodeProceed: true,
	program.CodeSet: true, program.CodeChoose: true, program.CodeMay: true,
	program.CodeJump: true, program.CodeUnless: true, program.CodeListInit: true, program.CodeListNext: true,
	program.CodeTogether: true, program.CodeGroupEnd: true, program.CodeAs: true, program.CodeAsEnd: true,
}

// exporter looks through one case.
type exporter struct {
	*checker
	module int // of the case
	seen   map[any]bool
	at     source.Span
	part   string
}

// exportable notes normative cases of normative statements that use something
// outside the vocabulary, unless they say that they are not handed on.
func (c *checker) exportable() {
	status := map[program.Ref]string{}
	for _, s := range c.p.Statement {
		status[program.Ref{Rule: s.Rule, Key: s.Key}] = s.Status
	}
	for _, k := range c.p.Cases {
		covers := false
		for _, cv := range k.Covers {
			covers = covers || status[cv.Ref] == "normative"
		}
		if k.Status != "normative" || !covers || k.Kept != "" {
			continue
		}
		x := &exporter{checker: c, module: c.modules[k.Span.File], seen: map[any]bool{}}
		x.of(k)
		if x.part != "" {
			c.diags.Note("not-exportable", x.at, "name", k.ID, "part", x.part)
		}
	}
}

// found keeps the first thing that is outside the vocabulary.
func (x *exporter) found(at source.Span, part string) {
	if x.part == "" && at.File != nil && part != "" {
		x.at, x.part = at, strings.Join(strings.Fields(part), " ")
	}
}

// known reports whether another program knows a declaration: those that the case
// stands on are the rules; those beside it are its own.
func (x *exporter) known(d *program.Decl) bool {
	return d.Span.File == nil || x.modules[d.Span.File] == 0 || x.modules[d.Span.File] < x.module
}

func (x *exporter) of(k *program.Case) {
	for i := range k.Givens {
		g := &k.Givens[i]
		if g.HasCell { // a place on a grid belongs to what a Check finds, which the case states instead
			x.found(g.Span, g.Span.Text())
		}
		for _, a := range x.p.Cards[g.Card].Abilities {
			x.ability(a)
		}
	}
	for i := range k.Script {
		st := &k.Script[i]
		for _, n := range []*program.Node{st.Of, st.X, st.By, st.As, st.Pattern.Where} {
			x.node(n)
		}
		switch st.Kind {
		case program.StepDo, program.StepRepair:
			x.routine(st.Routine)
		case program.StepOpen:
			x.action(st.Action, st.Span)
		case program.StepRefused, program.StepHappened, program.StepNever:
			x.action(st.Pattern.Action, st.Span)
		case program.StepLegal, program.StepIllegal:
			x.call(st.Call)
		}
	}
}

// once reports whether something is met for the first time.
func (x *exporter) once(kind string, i int) bool {
	key := [2]any{kind, i}
	if i < 0 || x.seen[key] {
		return false
	}
	x.seen[key] = true
	return true
}

func (x *exporter) action(i int, at source.Span) {
	if i >= 0 && !x.known(&x.p.Actions[i].Decl) {
		x.found(at, x.p.Actions[i].Name)
	}
}

func (x *exporter) keyword(i int) {
	if !x.once("keyword", i) {
		return
	}
	k := x.p.Keywords[i]
	if x.known(&k.Decl) {
		return
	}
	if k.Granted != nil {
		x.found(k.Granted.Span, "granted")
	}
	for _, a := range k.Abilities {
		x.ability(a)
	}
}

func (x *exporter) ability(i int) {
	if !x.once("ability", i) {
		return
	}
	a := x.p.Abilities[i]
	x.keyword(a.Keyword)
	for _, n := range a.Args {
		x.node(n)
	}
	for _, e := range a.Effects {
		x.effect(e)
	}
	for _, t := range a.Triggers {
		x.trigger(t)
	}
}

func (x *exporter) effect(i int) {
	if !x.once("effect", i) {
		return
	}
	e := x.p.Effects[i]
	for _, n := range []*program.Node{e.Where, e.On, e.While, e.Stamp} {
		x.node(n)
	}
	for k := range e.Ops {
		op := &e.Ops[k]
		x.node(op.Value)
		x.action(op.Pattern.Action, op.Span)
		x.node(op.Pattern.Where)
		x.routine(op.Body)
		if op.Call != nil {
			x.keyword(op.Call.Keyword)
			for _, n := range op.Call.Args {
				x.node(n)
			}
		}
		if op.Char >= 0 && !x.known(&x.p.Chars[op.Char].Decl) {
			x.found(op.Span, op.Span.Text())
		}
	}
	for _, t := range e.Triggers {
		x.trigger(t)
	}
	for k := range e.Until {
		x.action(e.Until[k].Action, e.Until[k].Span)
		x.node(e.Until[k].Where)
	}
	for _, r := range e.Finally {
		x.routine(r)
	}
}

func (x *exporter) trigger(i int) {
	if !x.once("trigger", i) {
		return
	}
	t := x.p.Triggers[i]
	if t.Header >= 0 && !x.known(&x.p.Headers[t.Header].Decl) {
		x.found(t.Span, x.p.Headers[t.Header].Name)
	}
	if t.Header < 0 { // a header's own moment is known with it
		x.action(t.Moment.Action, t.Span)
		x.node(t.Moment.Where)
		x.node(t.Among)
	}
	for _, n := range t.AmongWhere { // a header's own is of the vocabulary too
		x.node(n)
	}
	x.node(t.Where)
	for _, l := range t.Limits {
		x.node(l.Count)
	}
	x.routine(t.Body)
}

func (x *exporter) routine(i int) {
	if !x.once("routine", i) {
		return
	}
	for k := range x.p.Routines[i].Code {
		in := &x.p.Routines[i].Code[k]
		if !exportCode[in.Op] || in.Choice != nil && in.Choice.Else {
			x.found(in.Span, in.Span.Text())
		}
		x.node(in.X)
		x.node(in.Y)
		x.call(in.Call)
		switch in.Op {
		case program.CodeEffect:
			x.effect(in.A)
		case program.CodeLater:
			x.trigger(in.A)
		}
		if ch := in.Choice; ch != nil {
			for _, n := range []*program.Node{ch.Min, ch.Max, ch.From, ch.By} {
				x.node(n)
			}
			if ch.Chance {
				x.found(in.Span, "by chance")
			}
			if ch.For != nil && ch.For.Goes {
				x.found(ch.For.Span, ch.For.Span.Text())
			}
			x.call(ch.For)
		}
	}
}

func (x *exporter) call(k *program.Call) {
	if k == nil {
		return
	}
	x.action(k.Action, k.Span)
	if k.Chance {
		x.found(k.Span, "by chance")
	}
	for _, n := range k.Roles {
		x.node(n)
	}
	for _, w := range k.With {
		x.node(w.Value)
	}
	x.node(k.Count)
	x.node(k.By)
	if k.Keyword != nil {
		x.keyword(k.Keyword.Keyword)
		for _, n := range k.Keyword.Args {
			x.node(n)
		}
	}
	if k.Kind >= 0 {
		x.token(k.Kind, k.Span)
	}
}

// token: one that the rules don't have may only count.
func (x *exporter) token(i int, at source.Span) {
	t := x.p.Tokens[i]
	if x.known(&t.Decl) {
		return
	}
	own := len(t.Effects) > 0
	for _, ch := range x.p.Chars {
		own = own || ch.Kind == t.Kind && ch.Span.File != nil
	}
	if own {
		x.found(at, t.Name)
	}
}

func (x *exporter) node(n *program.Node) {
	n.Walk(func(n *program.Node) {
		if !exportNodes[n.Op] {
			x.found(n.Span, n.Span.Text())
		}
		switch n.Op {
		case program.OpChar:
			if ch := x.p.Chars[n.N]; !x.known(&ch.Decl) {
				x.found(n.Span, ch.Name)
			}
		case program.OpTally:
			if k := n.Kids[1]; k.Op == program.OpConst && k.N >= 0 {
				x.token(int(k.N), n.Span)
			}
		case program.OpHas:
			if k := n.Kids[1]; k.Op == program.OpConst && k.N >= 0 {
				x.keyword(int(k.N))
			}
		case program.OpEach, program.OpIsKind:
			if k := x.p.Kinds[n.N]; !x.known(&k.Decl) && k.Token < 0 {
				x.found(n.Span, k.Name)
			}
		}
	})
}
