package export

import (
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// routine writes a body as a list of instructions.
func (x *exporter) routine(i int) []any {
	if i < 0 {
		return []any{}
	}
	r := x.p.Routines[i]
	old := x.names
	x.names = r.Names
	var out []any
	x.fresh(func() { out = x.block(r.Code, 0, len(r.Code)) })
	x.names = old
	return out
}

// block writes the code from one place to another as instructions. Jumps in code
// that was made of blocks lead nowhere else than to the ends of those.
func (x *exporter) block(code []program.Instr, from, to int) []any {
	out := []any{}
	for i := from; i < to; {
		in := &code[i]
		next := i + 1
		switch in.Op {
		case program.CodeEnd:
			return out
		case program.CodeSet:
			x.feat[featRecord] = true
			out = append(out, Object{{"do", "record"}, {"name", x.names[in.A]}, {"value", x.expr(in.X)}})
		case program.CodeAct:
			out = append(out, x.call(in.Call))
		case program.CodeProceed:
			x.feat[featReplace] = true
			o := Object{{"do", "proceed"}}
			x.roles(&o, in.Call)
			out = append(out, o)
		case program.CodeEffect:
			out = append(out, Object{{"do", "effect"}, {"effect", x.effect(in.A)}})
		case program.CodeLater:
			x.feat[featTrigger] = true
			t := x.p.Triggers[in.A]
			o := Object{{"do", "later"}, {"when", x.moment(&t.Moment)}}
			x.looking(t.Moment.Action, func() { o.put("body", x.routine(t.Body)) })
			out = append(out, o)
		case program.CodeUnless:
			o := Object{{"do", "if"}, {"condition", x.expr(in.X)}}
			end := in.A
			// A jump forward at the end of the body leads past what is done otherwise.
			if last := in.A - 1; last > i && code[last].Op == program.CodeJump && code[last].A > in.A {
				o.put("then", x.block(code, i+1, last))
				end = code[last].A
				o.put("else", x.block(code, in.A, end))
			} else {
				o.put("then", x.block(code, i+1, in.A))
			}
			x.feat[featIf] = true
			next = end
			out = append(out, o)
		case program.CodeListInit:
			x.feat[featLoop] = true
			o := Object{{"do", "for"}}
			at := i + 1
			var by any
			if code[at].Op == program.CodeArrange {
				by = x.expr(code[at].X)
				at++
			}
			head := &code[at]
			if head.Op != program.CodeListNext {
				x.out(in.Span, "for")
			}
			o.put("name", x.names[head.B])
			o.put("list", x.expr(in.X))
			if by != nil {
				o.put("ordered_by", by)
			}
			o.put("body", x.block(code, at+1, head.C-1))
			next = head.C
			out = append(out, o)
		case program.CodeCount:
			head := &code[i+1]
			if head.Op != program.CodeCounted {
				x.out(in.Span, "")
			}
			x.feat[featLoop] = true
			out = append(out, Object{{"do", "repeat"}, {"times", x.expr(in.X)}, {"body", x.block(code, i+2, head.C-1)}})
			next = head.C
		case program.CodeTogether:
			x.feat[featGroup] = true
			out = append(out, Object{{"do", "together"}, {"body", x.block(code, i+1, in.A)}})
			next = in.A + 1
		case program.CodeAs:
			end := i + 1
			for depth := 1; ; end++ {
				switch code[end].Op {
				case program.CodeAs:
					depth++
				case program.CodeAsEnd:
					depth--
				}
				if depth == 0 {
					break
				}
			}
			out = append(out, Object{{"do", "as"}, {"as", x.expr(in.X)}, {"body", x.block(code, i+1, end)}})
			next = end + 1
		case program.CodeMay:
			x.feat[featChoice] = true
			if in.Choice.Else {
				x.out(in.Span, "may … else")
			}
			o := Object{{"do", "may"}, {"by", x.expr(in.Choice.By)}}
			x.limits(&o, in.Choice.Limits)
			o.put("body", x.block(code, i+1, in.B))
			next = in.B
			out = append(out, o)
		case program.CodeChoose:
			out = append(out, x.choose(in))
		default:
			x.out(in.Span, "")
		}
		i = next
	}
	return out
}

func (x *exporter) choose(in *program.Instr) Object {
	x.feat[featChoice] = true
	ch := in.Choice
	if ch.Chance || ch.By == nil {
		x.out(in.Span, "by chance")
	}
	o := Object{{"do", "choose"}, {"name", x.names[in.A]}, {"from", x.expr(ch.From)}, {"by", x.expr(ch.By)}}
	if ch.Min != nil {
		o.put("least", x.expr(ch.Min))
		o.put("most", x.expr(ch.Max))
	}
	if ch.For != nil {
		if ch.For.Goes {
			x.out(in.Span, "for proceed")
		}
		o.put("for", x.call(ch.For))
	}
	return o
}

// call writes an action with its roles and attributes.
func (x *exporter) call(k *program.Call) Object {
	a := x.p.Actions[k.Action]
	o := Object{{"do", a.Name}}
	if k.Chance || k.By != nil || a.Basic == program.BasicShow || a.Basic == program.BasicArrange || a.Basic == program.BasicFinish {
		x.out(k.Span, "")
	}
	if k.Kind >= 0 {
		o.put("token", x.token(k.Kind, k.Span))
		if k.Count != nil {
			o.put("count", x.expr(k.Count))
		}
	}
	if k.Keyword != nil {
		o.put("keyword", x.keyword(k.Keyword.Keyword, k.Keyword.Args))
	}
	x.roles(&o, k)
	if k.Until != nil {
		o.put("until", []any{x.moment(k.Until)})
	}
	return o
}

func (x *exporter) roles(o *Object, k *program.Call) {
	a := x.p.Actions[k.Action]
	roles, with := Object{}, Object{}
	for r, n := range k.Roles {
		if n != nil {
			roles.put(a.Roles[r].Name, x.expr(n))
		}
	}
	for _, w := range k.With {
		with.put(x.p.Chars[a.Attrs[w.Slot]].Name, x.expr(w.Value))
	}
	if len(roles) > 0 {
		o.put("roles", roles)
	}
	if len(with) > 0 {
		o.put("with", with)
	}
	var again []any
	for _, rc := range k.Recheck {
		x.fresh(func() {
			x.under(func(name string) {
				again = append(again, Object{{"role", a.Roles[rc.Role].Name}, {"kind", x.p.Kinds[rc.Kind].Name}, {"as", name}, {"where", x.expr(rc.Where)}})
			})
		})
	}
	if again != nil {
		o.put("still", again)
	}
}

var edges = map[program.Edge]string{program.Done: "done", program.Start: "start", program.End: "end", program.During: "during"}

func (x *exporter) moment(m *program.Moment) Object {
	o := Object{{"edge", edges[m.Edge]}}
	if m.Next {
		o.put("next", true)
	}
	x.pattern(&o, m.Action, m.Where)
	return o
}

func (x *exporter) pattern(o *Object, action int, where *program.Node) {
	if action < 0 {
		x.out(source.Span{}, "pattern")
	}
	o.put("action", x.p.Actions[action].Name)
	if where != nil {
		x.looking(action, func() { o.put("where", x.expr(where)) })
	}
}

func (x *exporter) limits(o *Object, list []program.Limit) {
	var out []any
	for _, l := range list {
		x.feat[featLimit] = true
		n := any(1)
		if l.Count != nil {
			n = x.expr(l.Count)
		}
		out = append(out, Object{{"times", n}, {"per", x.p.Actions[l.Per].Name}})
	}
	if out != nil {
		o.put("limits", out)
	}
}

// known reports whether the rules themselves name a keyword, so that another
// program has it built in; others are written out.
func known(k *program.Keyword) bool { return len(k.Cite.Refs) > 0 }

// keyword writes a keyword with what it stands for, unless the rules name it.
func (x *exporter) keyword(i int, args []*program.Node) Object {
	k := x.p.Keywords[i]
	o := Object{{"keyword", k.Name}}
	if len(args) > 0 {
		o.put("arguments", x.exprs(args))
	}
	if known(k) {
		return o
	}
	x.feat[featOwn] = true
	if k.Granted != nil {
		x.out(k.Granted.Span, "granted")
	}
	if len(args) < len(k.Params) { // whatever its arguments
		return o
	}
	bound := map[int]any{}
	for n, a := range args {
		bound[n] = x.expr(a)
	}
	old, names := x.args, x.names
	x.args, x.names = bound, nil
	for n := range k.Params {
		x.names = append(x.names, k.Params[n].Name)
	}
	o.put("abilities", x.abilities(k.Abilities))
	x.args, x.names = old, names
	return o
}

func (x *exporter) abilities(list []int) []any {
	out := []any{}
	for _, i := range list {
		a := x.p.Abilities[i]
		if a.Keyword >= 0 {
			out = append(out, x.keyword(a.Keyword, a.Args))
			continue
		}
		for _, e := range a.Effects {
			out = append(out, Object{{"static", x.effect(e)}})
		}
		for _, t := range a.Triggers {
			out = append(out, x.trigger(t))
		}
	}
	return out
}

// trigger writes a triggered ability. What a header stands for is known.
func (x *exporter) trigger(i int) Object {
	t := x.p.Triggers[i]
	o := Object{}
	skip := 0
	if t.Header >= 0 {
		h := x.p.Headers[t.Header]
		o.put("header", h.Name)
		skip = len(h.Trigger.AmongWhere)
	} else {
		x.feat[featTrigger] = true
		o.put("when", x.moment(&t.Moment))
		if t.Among != nil {
			x.looking(t.Moment.Action, func() { o.put("among", x.expr(t.Among)) })
		}
	}
	if t.In >= 0 && t.In != x.p.Home {
		o.put("in", x.p.Zones[t.In].Name)
	}
	if t.Among != nil {
		x.looking(t.Among.T.ID, func() {
			var where []any
			for _, n := range t.AmongWhere[skip:] {
				where = append(where, x.expr(n))
			}
			switch len(where) {
			case 0:
			case 1:
				o.put("where", where[0])
			default:
				o.put("where", Object{{"op", "and"}, {"args", where}})
			}
		})
	} else if t.Where != nil {
		x.looking(t.Moment.Action, func() { o.put("where", x.expr(t.Where)) })
	}
	own := t.Limits
	if t.Header >= 0 {
		own = own[len(x.p.Headers[t.Header].Trigger.Limits):]
	}
	x.limits(&o, own)
	x.looking(t.Moment.Action, func() { o.put("body", x.routine(t.Body)) })
	return o
}

// effect writes a continuous effect.
func (x *exporter) effect(i int) Object {
	e := x.p.Effects[i]
	o := Object{}
	if e.Label != "" {
		o.put("label", e.Label)
	}
	old, act := x.depth, x.act
	x.depth, x.act = 0, -1
	defer func() { x.depth, x.act = old, act }()
	switch {
	case e.Target == program.TargetEach && e.Action >= 0:
		x.feat[featAttr] = true
		on := Object{{"action", x.p.Actions[e.Action].Name}}
		if e.Where != nil {
			x.looking(e.Action, func() { on.put("where", x.expr(e.Where)) })
		}
		o.put("on", on)
	case e.Target == program.TargetEach:
		on := Object{{"each", x.p.Kinds[e.Kind].Name}}
		if e.Where != nil {
			x.under(func(name string) { on.put("as", name); on.put("where", x.expr(e.Where)) })
		}
		o.put("on", on)
	case e.Target == program.TargetFixed:
		if e.On.Op == program.OpList {
			o.put("on", Object{{"objects", x.exprs(e.On.Kids)}})
		} else {
			o.put("on", Object{{"all", x.expr(e.On)}})
		}
	case e.Target == program.TargetSelf:
		o.put("on", Object{{"self", true}})
	}
	if e.In >= 0 && e.In != x.p.Home {
		o.put("in", x.p.Zones[e.In].Name)
	}
	if e.While != nil {
		o.put("while", x.expr(e.While))
	}
	var until []any
	for k := range e.Until {
		until = append(until, x.moment(&e.Until[k]))
	}
	if until != nil {
		o.put("until", until)
	}
	if e.Stamp != nil {
		x.feat[featStamp] = true
		o.put("timestamp", x.expr(e.Stamp))
	}
	ops := []any{}
	if e.Action >= 0 {
		x.act = e.Action
	}
	if e.Opened {
		x.depth = 1
	}
	for k := range e.Ops {
		ops = append(ops, x.op(&e.Ops[k]))
	}
	o.put("ops", ops)
	x.depth = 0
	var triggers []any
	for _, t := range e.Triggers {
		triggers = append(triggers, x.trigger(t))
	}
	if triggers != nil {
		o.put("triggers", triggers)
	}
	var last []any
	for _, r := range e.Finally {
		x.feat[featFinally] = true
		last = append(last, x.routine(r)...)
	}
	if last != nil {
		o.put("finally", last)
	}
	return o
}

// op writes one operation.
func (x *exporter) op(op *program.Op) Object {
	o := Object{{"op", op.Verb.String()}}
	if op.Char >= 0 {
		o.put("characteristic", x.p.Chars[op.Char].Name)
	}
	switch op.Verb {
	case program.VerbSet:
		if x.p.Layers[op.Layer].Takes != nil && !takes(x.p.Layers[op.Layer], program.VerbSet) {
			x.out(op.Span, "") // set base
		}
		o.put("to", x.expr(op.Value))
	case program.VerbRaise, program.VerbLower:
		o.put("by", x.expr(op.Value))
	case program.VerbAdd, program.VerbRemove:
		switch {
		case op.Call != nil:
			o.put("keyword", x.keyword(op.Call.Keyword, op.Call.Args))
		case op.Ability >= 0:
			x.out(op.Span, "")
		default:
			o.put("value", x.expr(op.Value))
		}
	case program.VerbStrip:
	case program.VerbProhibit, program.VerbPermit, program.VerbRequire:
		if op.Verb != program.VerbProhibit {
			x.feat[featKinds] = true
		}
		x.pattern(&o, op.Pattern.Action, op.Pattern.Where)
	case program.VerbInstead:
		x.feat[featReplace] = true
		x.pattern(&o, op.Pattern.Action, op.Pattern.Where)
		x.looking(op.Pattern.Action, func() { o.put("body", x.routine(op.Body)) })
	default:
		x.out(op.Span, "")
	}
	return o
}

func takes(l *program.Layer, v program.Verb) bool {
	for _, t := range l.Takes {
		if t == v {
			return true
		}
	}
	return false
}
