package export

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// steps numbers what it is given.
type steps []any

func (s *steps) add(o Object) {
	*s = append(*s, append(Object{{"step", len(*s) + 1}}, o...))
}

// script writes a case's script; a repair is left to a case of its own.
func (x *exporter) script(list []program.Step) []any {
	s := steps{}
	for i := range list {
		x.step(&s, &list[i])
	}
	return s
}

// repaired is the script up to the action that was refused, with the repair before
// it; then that action must happen. Only what leads there is played.
func (x *exporter) repaired(list []program.Step, at int) []any {
	refused, do := -1, -1
	for i := at - 1; i >= 0 && do < 0; i-- {
		switch list[i].Kind {
		case program.StepRefused:
			if refused < 0 {
				refused = i
			}
		case program.StepDo:
			do = i
		}
	}
	if refused < 0 || do < 0 {
		x.out(list[at].Span, "repair")
	}
	s := steps{}
	var closing []program.Step
	for i := range list[:do] {
		switch st := &list[i]; st.Kind {
		case program.StepDo, program.StepOpen, program.StepClose, program.StepAnswer:
			x.step(&s, st)
			if st.Kind == program.StepOpen {
				closing = append(closing, *st)
			} else if st.Kind == program.StepClose {
				closing = closing[:len(closing)-1]
			}
		}
	}
	x.step(&s, &program.Step{Kind: program.StepDo, Routine: list[at].Routine, Span: list[at].Span})
	x.step(&s, &list[do])
	p := &list[refused].Pattern
	q := Object{{"question", "happened"}}
	x.pattern(&q, p.Action, p.Where)
	s.add(Object{{"ask", q}, {"expect", true}})
	for range closing {
		s.add(Object{{"close", x.p.Actions[closing[len(closing)-1].Action].Name}})
		closing = closing[:len(closing)-1]
	}
	return s
}

func (x *exporter) step(s *steps, st *program.Step) {
	x.names = x.k.Names
	switch st.Kind {
	case program.StepDo:
		o := Object{{"do", x.routine(st.Routine)}}
		if st.As != nil {
			o.put("as", x.expr(st.As))
		}
		s.add(o)
	case program.StepOpen:
		a := x.p.Actions[st.Action]
		o := Object{{"open", a.Name}}
		if a.StepOf >= 0 {
			x.feat[featSteps] = true
		}
		if st.Of != nil {
			o.put("of", x.expr(st.Of))
		}
		s.add(o)
	case program.StepClose:
		s.add(Object{{"close", x.p.Actions[x.open(st)].Name}})
	case program.StepAnswer:
		x.answer(s, st)
	case program.StepExpect:
		for i := range st.Expect.Parts {
			x.ask(s, st.Expect.Parts[i].All, true)
		}
	case program.StepRefused:
		q := Object{{"question", "refused"}}
		x.pattern(&q, st.Pattern.Action, st.Pattern.Where)
		s.add(Object{{"ask", q}, {"expect", x.refusal(st.Word)}})
		for _, r := range st.Rule {
			x.feat[featBy] = true
			q := Object{{"question", "refused-rule"}}
			x.pattern(&q, st.Pattern.Action, st.Pattern.Where)
			q.put("rule", r.Rule)
			s.add(Object{{"ask", q}, {"expect", true}})
		}
	case program.StepHappened, program.StepNever:
		q := Object{{"question", "happened"}}
		x.pattern(&q, st.Pattern.Action, st.Pattern.Where)
		s.add(Object{{"ask", q}, {"expect", st.Kind == program.StepHappened}})
	case program.StepAsked:
		x.feat[featAsked] = true
		q := Object{{"question", "decision"}, {"name", st.Word}}
		if st.By != nil {
			q.put("by", x.expr(st.By))
		}
		s.add(Object{{"ask", q}, {"expect", true}})
	case program.StepNeverAsked:
		x.feat[featAsked] = true
		s.add(Object{{"ask", Object{{"question", "decision"}}}, {"expect", false}})
	case program.StepLegal, program.StepIllegal:
		q := Object{{"question", "legal"}}
		q.put("action", x.call(st.Call))
		want := any("yes")
		if st.Kind == program.StepIllegal {
			want = x.refusal(st.Word)
		}
		s.add(Object{{"ask", q}, {"expect", want}})
	case program.StepRepair:
	default:
		x.out(st.Span, "")
	}
}

// refusal is how an attempt was refused, where the case says so.
func (x *exporter) refusal(word string) any {
	if word == "" {
		return []any{"prohibit", "require", "impossible"}
	}
	return word
}

// open finds the window that a step closes: the last one still open before it.
func (x *exporter) open(closing *program.Step) int {
	var stack []int
	for i := range x.k.Script {
		st := &x.k.Script[i]
		switch st.Kind {
		case program.StepOpen:
			stack = append(stack, st.Action)
		case program.StepClose:
			if st == closing {
				return stack[len(stack)-1]
			}
			stack = stack[:len(stack)-1]
		}
	}
	return -1
}

func (x *exporter) answer(s *steps, st *program.Step) {
	o := Object{{"answer", st.Word}}
	switch {
	case st.Labels != nil:
		labels := []any{}
		for _, l := range st.Labels {
			labels = append(labels, x.label(l))
		}
		o.put("with", labels)
	case st.Word == "may" && st.X == nil:
		o.put("with", st.Bool)
	case st.X.Op == program.OpList:
		o.put("with", x.exprs(st.X.Kids))
	default:
		o.put("with", x.expr(st.X))
	}
	if st.By != nil {
		o.put("by", x.expr(st.By))
	}
	s.add(o)
}

// ask turns a condition into a question and its answer.
func (x *exporter) ask(s *steps, n *program.Node, want bool) {
	switch n.Op {
	case program.OpNot:
		x.ask(s, n.Kids[0], !want)
		return
	case program.OpEq, program.OpListEq:
		if want {
			if v, ok := x.answerOf(n.Kids[1]); ok {
				if q := x.question(n.Kids[0]); q != nil {
					s.add(Object{{"ask", q}, {"expect", v}})
					return
				}
			}
		}
	case program.OpHas:
		s.add(Object{{"ask", Object{{"question", "has"}, {"of", x.expr(n.Kids[0])}, {"keyword", x.p.Keywords[x.index(n.Kids[1])].Name}}}, {"expect", want}})
		return
	case program.OpMaskHas:
		if l := n.Kids[1]; n.Kids[0].Op == program.OpConst && l.Op == program.OpChar {
			v, _ := x.answerOf(n.Kids[0])
			s.add(Object{{"ask", Object{{"question", "has"}, {"of", x.expr(l.Kids[0])}, {"characteristic", x.p.Chars[l.N].Name}, {"name", v}}}, {"expect", want}})
			return
		}
	}
	s.add(Object{{"ask", Object{{"question", "holds"}, {"condition", x.expr(n)}}}, {"expect", want}})
}

// answerOf is a constant as an answer writes it: bare.
func (x *exporter) answerOf(n *program.Node) (any, bool) {
	switch n.Op {
	case program.OpConst:
		switch v := x.constant(n.T, n.N, n.Span).(type) {
		case Object:
			return bare(v), true
		default:
			return v, true
		}
	case program.OpLocal:
		if x.given[int(n.N)] {
			return x.label(x.names[n.N]), true
		}
	case program.OpList:
		out := []any{}
		for _, k := range n.Kids {
			v, ok := x.answerOf(k)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	}
	return nil, false
}

// bare is a constant without its operator: a name, a text, a list, or null.
func bare(o Object) any {
	switch o[0].Value {
	case "nothing":
		return nil
	case "list":
		out := []any{}
		for _, v := range o[1].Value.([]any) {
			if k, ok := v.(Object); ok {
				v = bare(k)
			}
			out = append(out, v)
		}
		return out
	}
	return o[len(o)-1].Value
}

var direct = []string{"controller", "owner", "zone"} // what has a question of its own

// question is the question for a value, or nil where there is none in the list.
func (x *exporter) question(n *program.Node) Object {
	switch n.Op {
	case program.OpChar:
		ch := x.p.Chars[n.N]
		of := n.Kids[0]
		if of.Op == program.OpFirst && len(of.Kids) == 1 && of.Kids[0].Op == program.OpChar { // of the one token on it
			if t := of.T; t.Base == program.IsObject && t.ID >= 0 && x.p.Kinds[t.ID].Token >= 0 {
				return Object{{"question", "value"}, {"of", x.expr(of.Kids[0].Kids[0])}, {"token", x.token(x.p.Kinds[t.ID].Token, n.Span)}, {"characteristic", ch.Name}}
			}
		}
		if slices.Contains(direct, ch.Name) && ch.Fact != program.FactNone {
			return Object{{"question", ch.Name}, {"of", x.expr(of)}}
		}
		return Object{{"question", "value"}, {"of", x.expr(of)}, {"characteristic", ch.Name}}
	case program.OpTally:
		return Object{{"question", "count"}, {"of", x.expr(n.Kids[0])}, {"token", x.token(x.index(n.Kids[1]), n.Span)}}
	case program.OpCount, program.OpMaskCount:
		if l := n.Kids[0]; len(n.Kids) == 1 && l.Op == program.OpChar {
			return Object{{"question", "count"}, {"of", x.expr(l.Kids[0])}, {"characteristic", x.p.Chars[l.N].Name}}
		}
		o := Object{{"question", "count"}, {"list", x.expr(n.Kids[0])}}
		if len(n.Kids) > 1 {
			x.under(func(name string) { o.put("as", name); o.put("where", x.expr(n.Kids[1])) })
		}
		return o
	case program.OpAbilityCount:
		return Object{{"question", "count"}, {"of", x.expr(n.Kids[0])}, {"characteristic", "ability"}}
	case program.OpFired:
		return Object{{"question", "fired"}, {"of", x.expr(n.Kids[0])}, {"header", x.p.Headers[n.N].Name}}
	case program.OpOrder:
		o := x.expr(n).(Object)
		return append(Object{{"question", "order"}}, o[1:]...)
	}
	return nil
}
