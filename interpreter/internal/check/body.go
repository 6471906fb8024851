package check

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// emitter flattens a body to code.
type emitter struct {
	*checker
	r     *program.Routine
	s     *scope
	exits []int // jumps to the end of the innermost block, from an empty choice
	outer int   // locals that the surroundings gave
}

// routine compiles a body. The locals that the scope already has are captured:
// whoever runs the routine hands them over first.
func (c *checker) routine(b *grammar.Body, s *scope, what string) int {
	return c.routineIn(b, s, what, s.frame.fork())
}

// routineIn compiles a body whose locals stay known in the given frame.
func (c *checker) routineIn(b *grammar.Body, s *scope, what string, f *frame) int {
	r := &program.Routine{Span: b.Span, What: what, Index: len(c.p.Routines)}
	c.p.Routines = append(c.p.Routines, r)
	in := s.with()
	in.frame, in.open = f, nil // a body runs with no candidate at hand
	errs := c.trouble()
	e := &emitter{checker: c, r: r, s: in, outer: len(s.frame.names)}
	if f == s.frame {
		e.outer = 0 // the lines of a case share their names
	}
	e.block(b)
	e.emit(program.Instr{Op: program.CodeEnd, Span: b.Span})
	outer := len(s.frame.names)
	if f != s.frame {
		s.frame.mark(f)
	} else {
		outer = len(f.names)
	}
	for i := outer; i < len(f.names); i++ {
		if !f.used[i] && f.names[i] != "" && c.trouble() == errs && !c.cut(f.spans[i]) {
			c.diags.Warn("unused-local", f.spans[i], "name", f.names[i])
		}
	}
	r.Locals, r.Names, r.Types = len(f.names), f.names, f.types
	return r.Index
}

func (e *emitter) emit(in program.Instr) int {
	e.r.Code = append(e.r.Code, in)
	return len(e.r.Code) - 1
}

func (e *emitter) here() int { return len(e.r.Code) }

func (e *emitter) block(b *grammar.Body) {
	if b == nil {
		return
	}
	outer := e.exits
	e.exits = nil
	for _, in := range b.Instrs {
		e.instr(in)
	}
	for _, at := range e.exits {
		e.r.Code[at].B = e.here()
	}
	e.exits = outer
}

// by is the player who decides: the one named, else you.
func (e *emitter) by(g *grammar.Expr, at source.Span) *program.Node {
	if g != nil {
		return e.expr(g, e.s, objectType(program.KindPlayer))
	}
	if !e.s.you {
		e.diags.Add("who-decides", at)
		return nil
	}
	return &program.Node{Op: program.OpYou, T: objectType(program.KindPlayer), Span: at}
}

func (e *emitter) instr(in *grammar.Instr) {
	cite := e.cite(in.Cite)
	switch in.Verb {
	case "record":
		e.record(in, cite)
	case "choose":
		e.choose(in, cite)
	case "may":
		ch := &program.Choice{Name: "may", By: e.by(in.By, in.At)}
		if in.Limit != nil {
			ch.Limits = append(ch.Limits, e.limit(in.Limit, e.s))
		}
		at := e.emit(program.Instr{Op: program.CodeMay, Choice: ch, Cite: cite, Span: in.At})
		e.block(in.Body)
		end := e.here()
		if in.Else != nil {
			ch.Else = true
			jump := e.emit(program.Instr{Op: program.CodeJump, Span: in.At})
			e.r.Code[at].B = e.here()
			e.block(in.Else)
			e.r.Code[jump].A = e.here()
		} else {
			e.r.Code[at].B = end
		}
		if next := at + 1; next < end && e.r.Code[next].Op == program.CodeAct {
			ch.Requires = e.r.Code[next].Call
		}
	case "either":
		ch := &program.Choice{Name: "either", By: e.by(in.By, in.At)}
		if len(in.Options) < 2 {
			e.diags.Add("either-of-one", in.At)
		}
		e.emit(program.Instr{Op: program.CodeEither, Choice: ch, Cite: cite, Span: in.At})
		branch := e.emit(program.Instr{Op: program.CodeBranch, Span: in.At})
		var ends, jumps []int
		for _, o := range in.Options {
			ch.Labels = append(ch.Labels, texts(o.Texts))
			e.complete(o.Texts)
			jumps = append(jumps, e.here())
			e.block(o.Body)
			ends = append(ends, e.emit(program.Instr{Op: program.CodeJump, Span: o.Span}))
		}
		e.r.Code[branch].Jumps = jumps
		for _, at := range ends {
			e.r.Code[at].A = e.here()
		}
	case "if":
		cond := e.flag(in.Cond, e.s)
		at := e.emit(program.Instr{Op: program.CodeUnless, X: cond, Cite: cite, Span: in.At})
		e.block(in.Body)
		if in.Else != nil {
			end := e.emit(program.Instr{Op: program.CodeJump, Span: in.At})
			e.r.Code[at].A = e.here()
			e.block(in.Else)
			e.r.Code[end].A = e.here()
			return
		}
		e.r.Code[at].A = e.here()
	case "for":
		e.forEach(in, cite)
	case "repeat":
		e.repeat(in, cite)
	case "together":
		at := e.emit(program.Instr{Op: program.CodeTogether, Cite: cite, Span: in.At})
		e.block(in.Body)
		e.r.Code[at].A = e.emit(program.Instr{Op: program.CodeGroupEnd, Cite: cite, Span: in.At})
	case "as":
		e.as(in, cite)
	case "effect":
		if i := e.madeEffect(in, cite); i >= 0 {
			e.emit(program.Instr{Op: program.CodeEffect, A: i, Cite: cite, Span: in.At})
		}
	case "later":
		t := e.delayed(in)
		e.emit(program.Instr{Op: program.CodeLater, A: t, Cite: cite, Span: in.At})
	case "proceed":
		call := &program.Call{Action: e.s.act, Kind: -1, Grants: -1, Span: in.At}
		if e.s.act < 0 || !e.s.replaces {
			e.diags.Add("proceed-outside", in.At)
			return
		}
		e.with(call, in.With, e.s)
		e.emit(program.Instr{Op: program.CodeProceed, Call: call, Cite: cite, Span: in.At})
	default:
		if call := e.done(in.Action, in.Verb, in.Object, in.Count, in.Args, in.With, in.Moment, in.At, e.s); call != nil {
			e.doneToGone(call)
			e.later = append(e.later, func() { e.withoutCell(call) }) // once defaults are known
			e.emit(program.Instr{Op: program.CodeAct, Call: call, Cite: cite, Span: in.At})
		}
	}
}

func (e *emitter) record(in *grammar.Instr, cite program.Cite) {
	last := in.Path[len(in.Path)-1]
	if len(in.Path) == 1 {
		name := last.Text
		if slot, ok := e.s.frame.find(name); ok && name != "" {
			e.mention(e.s.frame.key(slot), last.Span)
			v := e.expr(in.Value, e.s, e.s.frame.types[slot])
			if slot < e.outer {
				e.diags.Add("captured-name", last.Span, "name", name).With("declared-here", e.s.frame.spans[slot])
				return
			}
			e.s.frame.chosen[slot] = chosen{}
			e.emit(program.Instr{Op: program.CodeSet, A: slot, X: v, Cite: cite, Span: in.At})
			return
		}
		v := e.expr(in.Value, e.s, program.Type{})
		t := program.Type{}
		if v != nil {
			t = v.T
		}
		slot := e.bind(e.s, last, t, e.outer)
		if e.s.left.is(v) {
			l := *e.s.left
			l.slots = append(slices.Clone(l.slots), slot)
			e.s.left = &l
		}
		e.emit(program.Instr{Op: program.CodeSet, A: slot, X: v, Cite: cite, Span: in.At})
		return
	}
	if e.another(last.File, last.Text) {
		return
	}
	// record a.b.mem = …: everything before the last dot is the object.
	base := &grammar.Expr{Span: in.Path[0].Span.To(in.Path[len(in.Path)-2].Span)}
	for i, n := range in.Path[:len(in.Path)-1] {
		if i > 0 {
			base.Tokens = append(base.Tokens, grammar.Token{Span: source.Span{File: n.File, Start: n.Start - 1, End: n.Start}, Kind: grammar.Punct, Text: "."})
		}
		kind := grammar.Word
		if isCapital(n.Text) {
			kind = grammar.Ident
		}
		base.Tokens = append(base.Tokens, grammar.Token{Span: n.Span, Kind: kind, Text: n.Text})
	}
	obj := e.expr(base, e.s, program.Type{})
	if obj == nil {
		return
	}
	if obj.T.Base != program.IsObject || obj.T.Several {
		e.diags.Add("no-members", last.Span, "name", last.Text, "type", e.p.TypeName(obj.T))
		return
	}
	var ch *program.Char
	for _, en := range e.entitiesOf(obj.T.ID) {
		if ch = e.char(en, last.Text); ch != nil {
			break
		}
	}
	if ch == nil {
		if !e.fails(last.Text) {
			e.diags.Add("unknown-member", last.Span, "name", last.Text, "of", e.p.TypeName(obj.T)).Near = nearest(last.Text, e.charNames(e.entitiesOf(obj.T.ID)))
		}
		return
	}
	if !ch.Memory {
		e.diags.Add("no-memory", last.Span, "name", last.Text)
		return
	}
	e.mentionChar(ch, last.Span)
	v := e.expr(in.Value, e.s, ch.Type)
	e.emit(program.Instr{Op: program.CodeMemory, A: ch.Index, X: obj, Y: v, Cite: cite, Span: in.At})
}

// listFrom checks what to choose or go through: a list; the filter is returned
// apart, since it is tested again when what was chosen is used.
func (e *emitter) listFrom(g *grammar.Source) (*program.Node, chosen) {
	if g == nil {
		return nil, chosen{}
	}
	if g.Each != nil {
		list, where := e.each(g, e.s)
		if list == nil {
			return nil, chosen{}
		}
		return list, chosen{ok: true, kind: int(list.N), where: where}
	}
	n := e.expr(g.Expr, e.s, program.Type{})
	if n == nil {
		return nil, chosen{}
	}
	if !n.T.Several {
		if n.T.Base != program.IsUnknown {
			e.diags.Add("wrong-type", g.Span, "want", "several", "got", e.p.TypeName(n.T))
		}
		return nil, chosen{}
	}
	if n.T.Mask() {
		n = &program.Node{Op: program.OpMaskList, T: n.T, Kids: []*program.Node{n}, Span: n.Span}
	}
	return n, chosen{}
}

func (e *emitter) choose(in *grammar.Instr, cite program.Cite) {
	ch := &program.Choice{Name: in.Var.Text, Chance: in.Chance}
	list, filter := e.listFrom(in.From)
	t := program.Type{}
	if list != nil {
		t = list.T
		t.Several = false
		ch.From = list
	}
	by, args := in.By, []grammar.Join(nil)
	if in.For != nil {
		args = in.For.Args
		if a, ok := e.actions[in.For.Action.Text]; ok && by == nil && !in.Chance && !slices.ContainsFunc(e.p.Actions[a].Roles, func(r program.Role) bool { return r.Prep == "by" }) {
			// Where the action takes none, by says who chooses.
			if i := slices.IndexFunc(args, func(j grammar.Join) bool { return j.Word == "by" && len(j.Exprs) == 1 }); i >= 0 {
				by = args[i].Exprs[0]
				args = append(slices.Clone(args[:i]), args[i+1:]...)
			}
		}
	}
	if !in.Chance {
		ch.By = e.by(by, in.At)
	}
	if in.Min != nil {
		ch.Min = e.expr(in.Min, e.s, program.NumberType)
		ch.Max = ch.Min
	}
	if in.Max != nil {
		ch.Max = e.expr(in.Max, e.s, program.NumberType)
	}
	if in.Min != nil && !(ch.Min.Constant() && ch.Max.Constant() && ch.Max.N == 1 && ch.Min.N == 1) {
		t.Several = true
	}
	slot := e.bind(e.s, *in.Var, t, e.outer)
	e.s.frame.chosen[slot] = filter
	if e.opts.Names != nil && e.s.frame.names[slot] != "" {
		e.checker.chosen = append(e.checker.chosen, e.s.frame.key(slot))
	}
	ch.Type = t
	if in.For != nil {
		// What is offered is the first role of the action, unless it is written out.
		c := in.For
		obj := c.Object
		if obj == nil {
			obj = &grammar.Expr{Span: in.Var.Span, Tokens: []grammar.Token{{Span: in.Var.Span, Kind: grammar.Word, Text: in.Var.Text}}}
			if isCapital(in.Var.Text) {
				obj.Tokens[0].Kind = grammar.Ident
			}
		}
		used := e.s.frame.used[slot]
		was := e.s.frame.types[slot]
		e.s.frame.types[slot].Several = false
		if c.Action.Text == "proceed" {
			ch.For = e.goesOn(c)
		} else {
			ch.For = e.done(&c.Action, c.Action.Text, obj, nil, args, c.With, nil, c.Span, e.s)
		}
		e.s.frame.types[slot] = was
		e.s.frame.used[slot] = used
	}
	at := e.emit(program.Instr{Op: program.CodeChoose, A: slot, Choice: ch, Cite: cite, Span: in.At})
	e.exits = append(e.exits, at)
}

// goesOn is the replaced action, as it could proceed with what is chosen.
func (e *emitter) goesOn(c *grammar.Call) *program.Call {
	switch {
	case e.s.act < 0 || !e.s.replaces:
		e.diags.Add("proceed-outside", c.Span)
		return nil
	case len(c.Args) > 0:
		e.diags.Add("unknown-preposition", c.Args[0].Span, "name", c.Args[0].Word, "action", c.Action.Text).Near = "with"
		return nil
	}
	call := &program.Call{Action: e.s.act, Kind: -1, Grants: -1, Goes: true, Span: c.Span}
	if e.with(call, c.With, e.s) {
		return nil
	}
	return call
}

func (e *emitter) forEach(in *grammar.Instr, cite program.Cite) {
	list, filter := e.listFrom(in.From)
	t := program.Type{}
	if list != nil {
		t = list.T
		t.Several = false
	}
	hidden := e.s.frame.add("", program.Type{Base: t.Base, ID: t.ID, Several: true})
	e.s.frame.add("", program.NumberType) // the position in the list
	slot := e.bind(e.s, *in.Var, t, e.outer)
	e.s.frame.chosen[slot] = filter
	e.emit(program.Instr{Op: program.CodeListInit, A: hidden, X: list, Cite: cite, Span: in.At})
	if in.OrderedBy != nil {
		e.emit(program.Instr{Op: program.CodeArrange, A: hidden, X: e.expr(in.OrderedBy, e.s, objectType(program.KindPlayer)),
			Choice: &program.Choice{Name: "order", Type: t}, Cite: cite, Span: in.At})
	}
	next := e.emit(program.Instr{Op: program.CodeListNext, A: hidden, B: slot, Span: in.At})
	e.block(in.Body)
	e.emit(program.Instr{Op: program.CodeJump, A: next, Span: in.At})
	e.r.Code[next].C = e.here()
}

func (e *emitter) repeat(in *grammar.Instr, cite program.Cite) {
	if in.Until {
		top := e.emit(program.Instr{Op: program.CodeRepeat, Span: in.At})
		cond := e.flag(in.Cond, e.s)
		var not *program.Node
		if cond != nil {
			not = &program.Node{Op: program.OpNot, T: program.FlagType, Kids: []*program.Node{cond}, Span: cond.Span}
		}
		at := e.emit(program.Instr{Op: program.CodeUnless, X: not, Cite: cite, Span: in.At})
		e.block(in.Body)
		e.emit(program.Instr{Op: program.CodeJump, A: top, Span: in.At})
		e.r.Code[at].A = e.here()
		return
	}
	slot := e.s.frame.add("", program.NumberType)
	e.emit(program.Instr{Op: program.CodeCount, A: slot, X: e.expr(in.Cond, e.s, program.NumberType), Cite: cite, Span: in.At})
	top := e.emit(program.Instr{Op: program.CodeCounted, A: slot, Span: in.At})
	e.block(in.Body)
	e.emit(program.Instr{Op: program.CodeJump, A: top, Span: in.At})
	e.r.Code[top].C = e.here()
}

// delayed compiles later when …
func (e *emitter) delayed(in *grammar.Instr) int {
	t := &program.Trigger{Header: -1, Ability: -1, In: -1, Span: in.Span, Cite: e.cite(in.Cite), Index: len(e.p.Triggers)}
	e.p.Triggers = append(e.p.Triggers, t)
	s := e.s.with()
	s.frame = e.s.frame.fork()
	t.Moment = e.moment(in.Moment, s, nil)
	if t.Moment.Action >= 0 {
		s = s.looking(t.Moment.Action)
	}
	t.Body = e.routine(in.Body, s, e.r.What)
	e.s.frame.mark(s.frame)
	return t.Index
}

// instructions are the words that begin an instruction which is no action.
var instructions = []string{"record", "choose", "may", "either", "if", "for", "repeat", "together", "effect", "later", "proceed", "as"}

// done checks an action that a body does, or that another needs: not every action
// of the program can be done.
func (c *checker) done(name *grammar.Name, verb string, object, count *grammar.Expr, args []grammar.Join, with []grammar.With,
	until *grammar.Moment, at source.Span, s *scope) *program.Call {
	call := c.call(name, verb, object, count, args, with, until, at, s)
	if call == nil {
		return nil
	}
	switch a := c.p.Actions[call.Action]; a.Basic {
	case program.BasicTrigger, program.BasicLapse, program.BasicPick:
		c.diags.Add("only-happens", at, "name", a.Name)
		return nil
	}
	return call
}

// need checks an action without which another is not done, and adds it to list.
func (c *checker) need(list []program.Need, n *grammar.Need, cite *grammar.Cite, s *scope) []program.Need {
	k := c.done(&n.Call.Action, "", n.Call.Object, nil, n.Call.Args, n.Call.With, nil, n.Call.Span, s)
	out := program.Need{Call: k, Cite: c.cite(cite)}
	if n.Where != nil {
		if out.Where = c.flag(n.Where, s); out.Where == nil {
			return list
		}
	}
	if k == nil {
		return list
	}
	return append(list, out)
}

// instruction is the text of an instruction, out of the place where it begins.
func instruction(at source.Span) string {
	text := at.File.Text[at.Start:]
	if i := strings.IndexAny(text, "\r\n;{}#"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}

// call checks an action with its arguments.
func (c *checker) call(name *grammar.Name, verb string, object, count *grammar.Expr, args []grammar.Join, with []grammar.With,
	until *grammar.Moment, at source.Span, s *scope) *program.Call {
	if name != nil {
		verb = name.Text
	}
	i, ok := c.actions[verb]
	if !ok {
		if c.fails(verb) {
			return nil
		}
		if v := slices.Index(program.VerbNames, verb); v >= int(program.VerbSet) && v <= int(program.VerbInstead) {
			write := "effect until end of turn: "
			if v < int(program.VerbProhibit) {
				write = "effect on self until end of turn: "
			}
			text := instruction(at)
			if what, rest, ok := strings.Cut(strings.TrimPrefix(text, verb+" "), " "); ok && v < int(program.VerbProhibit) {
				if dot := strings.LastIndexByte(what, '.'); dot > 0 { // it names what it changes
					write, text = "effect on "+what[:dot]+" until end of turn: ", verb+" "+what[dot+1:]+" "+rest
				}
			}
			c.diags.Add("operation-outside-effect", at, "verb", verb, "write", write+text)
		} else {
			c.diags.Add("unknown-action", at, "name", verb).Near = nearest(verb, append(append(keys(c.actions), instructions...), grammar.CaseWords()...))
		}
		return nil
	}
	if name != nil {
		c.mention(actionKey(verb), name.Span)
	} else {
		c.mention(actionKey(verb), at)
	}
	a := c.p.Actions[i]
	a.Cite.Provisional = a.Cite.Provisional || a.Provisional != ""
	call := &program.Call{Action: i, Roles: make([]*program.Node, len(a.Roles)), Kind: -1, Grants: -1, Span: at}
	bad := false
	given := make([]bool, len(a.Roles))
	set := func(r int, e *grammar.Expr) {
		given[r] = true
		call.Roles[r] = c.expr(e, s, a.Roles[r].Type)
		if call.Roles[r] == nil {
			bad = true
			return
		}
		n := call.Roles[r]
		if n.Op == program.OpLocal && !n.T.Several {
			if ch := s.frame.chosen[n.N]; ch.ok && ch.where != nil {
				call.Recheck = append(call.Recheck, program.Recheck{Role: r, Kind: ch.kind, Where: ch.where})
			}
		}
	}
	if object != nil {
		switch {
		case (a.Basic == program.BasicPlace || a.Basic == program.BasicRemove) && c.tokenName(object) >= 0:
			call.Kind = c.tokenName(object)
			c.mention(program.NameKey{Sort: "token", Name: c.p.Tokens[call.Kind].Name}, object.Span)
			given[0] = true
			if count != nil {
				call.Count = c.expr(count, s, program.NumberType)
			}
		case a.Basic == program.BasicGrant:
			given[0] = true
			if count != nil {
				c.diags.Add("unexpected-argument", count.Span, "action", a.Name)
			}
			if call.Keyword = c.keywordCall(object.Tokens, s, object.Span); call.Keyword == nil || c.missingArgs(call.Keyword) {
				bad = true
			}
		case len(a.Roles) > 0 && a.Roles[0].Prep == "":
			set(0, object)
			if count != nil && call.Roles[0] != nil {
				c.diags.Add("unexpected-argument", count.Span, "action", a.Name)
			}
		default:
			d := c.diags.Add("unexpected-argument", object.Span, "action", a.Name)
			for _, r := range a.Roles { // the one place that is left
				if r.Prep != "within" && !slices.ContainsFunc(args, func(j grammar.Join) bool { return j.Word == r.Prep }) {
					d.Values = append(d.Values, "write", a.Name+" "+r.Prep+" "+object.Span.Text())
					break
				}
			}
			bad = true
		}
	}
	for _, j := range args {
		found := false
		if a.Basic == program.BasicArrange && j.Word == "by" && len(j.Exprs) == 1 {
			if w, _, ok := single(j.Exprs[0]); ok && w == "chance" {
				call.Chance = true
			} else {
				call.By = c.expr(j.Exprs[0], s, objectType(program.KindPlayer))
			}
			continue
		}
		for r := range a.Roles {
			if a.Roles[r].Prep == j.Word && j.Word != "" && a.Roles[r].Prep != "within" {
				found = true
				if given[r] {
					c.diags.Add("argument-twice", j.Span, "name", j.Word, "action", a.Name)
					break
				}
				if len(j.Exprs) != 1 {
					c.diags.Add("unexpected-argument", j.Exprs[1].Span, "action", a.Name)
				}
				set(r, j.Exprs[0])
			}
		}
		if !found {
			bad = true
			d := c.diags.Add("unknown-preposition", j.Span, "name", j.Word, "action", a.Name)
			var known []string
			for _, r := range a.Roles {
				if r.Prep != "" && r.Prep != "within" {
					known = append(known, r.Prep)
				}
			}
			d.Near = nearest(j.Word, known)
			if d.Near == "" && len(known) > 0 {
				d.Near = known[0]
			}
		}
	}
	if c.with(call, with, s) {
		bad = true
	}
	if until != nil {
		if a.Basic != program.BasicGrant {
			c.diags.Add("unexpected-until", until.Span, "action", a.Name)
		} else {
			m := c.moment(until, s, nil)
			call.Until = &m
			if k := call.Keyword; k != nil {
				c.later = append(c.later, func() {
					if c.p.Keywords[k.Keyword].Granted != nil {
						c.diags.Note("stated-duration", until.Span, "name", c.p.Keywords[k.Keyword].Name)
					}
				})
			}
		}
	}
	if k := call.Keyword; k != nil {
		c.later = append(c.later, func() { c.plainGrant(call, k) })
	}
	if bad {
		return nil
	}
	// Roles without a default are checked once every role's default is known.
	c.later = append(c.later, func() {
		for r := range a.Roles {
			if !given[r] && a.Roles[r].Default == nil && a.Roles[r].Prep != "within" {
				c.diags.Add("missing-argument", at, "name", a.Roles[r].Name, "prep", a.Roles[r].Prep, "action", a.Name)
			}
		}
	})
	return call
}

// with checks what is given to attributes, or to roles of what proceeds. It
// returns whether something was wrong.
func (c *checker) with(call *program.Call, with []grammar.With, s *scope) (bad bool) {
	if call.Action < 0 {
		return false
	}
	a := c.p.Actions[call.Action]
	proceeds := call.Roles == nil
	seen := map[string]bool{}
	for _, w := range with {
		name := w.Name.Text
		if seen[name] {
			c.diags.Add("argument-twice", w.Name.Span, "name", name, "action", a.Name)
			bad = true
			continue
		}
		seen[name] = true
		if slot, ok := a.AttrSlot[name]; ok {
			c.mentionChar(c.p.Chars[a.Attrs[slot]], w.Name.Span)
			v := c.expr(w.Value, s, c.p.Chars[a.Attrs[slot]].Type)
			bad = bad || v == nil
			call.With = append(call.With, program.With{Slot: slot, Value: v})
			continue
		}
		role := -1
		for r := range a.Roles {
			if a.Roles[r].Name == name {
				role = r
			}
		}
		switch {
		case role >= 0 && proceeds: // proceed with target = …
			if call.Roles == nil {
				call.Roles = make([]*program.Node, len(a.Roles))
			}
			c.mention(program.NameKey{Sort: "role", Of: a.Name, Name: name}, w.Name.Span)
			call.Roles[role] = c.expr(w.Value, s, a.Roles[role].Type)
			bad = bad || call.Roles[role] == nil
		case role >= 0:
			prep := a.Roles[role].Prep
			c.diags.Add("role-with", w.Name.Span, "name", name, "prep", prep, "action", a.Name)
			bad = true
		default:
			bad = true
			if !c.fails(name) {
				c.diags.Add("unknown-attribute", w.Name.Span, "name", name, "action", a.Name).Near = nearest(name, keys(a.AttrSlot))
			}
		}
	}
	return bad
}

// tokenName returns the token kind that an expression names, or -1.
func (c *checker) tokenName(e *grammar.Expr) int {
	if name, _, ok := single(e); ok {
		if i, ok := c.tokens[name]; ok {
			return i
		}
	}
	if i, ok := c.tokens[grammar.Joined(e.Tokens)]; ok {
		return i
	}
	return -1
}

// phraseText joins tokens to a name of several words.

// moment checks a point in time. ability is the scope's own addition for
// triggers, or nil.
func (c *checker) moment(m *grammar.Moment, s *scope, cite *grammar.Cite) program.Moment {
	out := program.Moment{Action: -1, Next: m.Next, Span: m.Span, Cite: c.cite(cite)}
	switch m.Edge {
	case "start":
		out.Edge = program.Start
	case "end":
		out.Edge = program.End
	case "during":
		out.Edge = program.During
	}
	p := c.pattern(m.Pattern, s)
	out.Action, out.Where = p.Action, p.Where
	if out.Action >= 0 && out.Edge != program.Done && !c.p.Actions[out.Action].Window && c.p.Actions[out.Action].Body < 0 && c.p.Actions[out.Action].Basic != program.NotBasic {
		c.diags.Add("no-duration", m.Span, "name", c.p.Actions[out.Action].Name)
	}
	return out
}

func (c *checker) pattern(g *grammar.Pattern, s *scope) program.Pattern {
	p := program.Pattern{Action: -1}
	if g == nil {
		return p
	}
	p.Span = g.Span
	i, ok := c.actions[g.Action.Text]
	if !ok && slices.Contains(instructions, g.Action.Text) {
		c.diags.Add("instruction-word", g.Action.Span, "name", g.Action.Text)
		return p
	}
	if !ok {
		c.unknown("unknown-action", g.Action, c.actions)
		return p
	}
	c.p.Actions[i].Watched = true
	c.mention(actionKey(g.Action.Text), g.Action.Span)
	p.Action = i
	if g.Where != nil {
		p.Where = c.flag(g.Where, s.looking(i))
	}
	return p
}

// plainGrant makes the effect by which a keyword without instructions of its own
// is granted: one that adds it until the moment that the grant names.
func (c *checker) plainGrant(call *program.Call, k *program.KeywordCall) {
	if c.p.Keywords[k.Keyword].Granted != nil {
		return
	}
	layer, ok := c.layerOf[program.VerbAdd]
	if !ok {
		c.diags.Add("no-layer-takes", k.Span, "name", "add")
		return
	}
	e := &program.Effect{Target: program.TargetFixed, Kind: -1, Action: -1, In: -1, Parent: -1, Keyword: -1, Span: k.Span, Index: len(c.p.Effects), First: -1, Opened: true}
	e.Ops = []program.Op{{Verb: program.VerbAdd, Layer: layer, Char: c.char(program.Card, "ability").Index, Call: k, Ability: -1, Body: -1,
		Pattern: program.Pattern{Action: -1}, Span: k.Span}}
	if call.Until != nil {
		e.Until = []program.Moment{*call.Until}
	}
	c.p.Effects = append(c.p.Effects, e)
	call.Grants = e.Index
}

// as has a part of a case's script done as by an ability of an object or a
// player, so that what both players do can stand in one group.
func (e *emitter) as(in *grammar.Instr, cite program.Cite) {
	if !e.s.inCase {
		e.diags.Add("only-in-cases", in.At, "name", "as")
		return
	}
	x := e.expr(in.By, e.s, program.Type{})
	outer := e.s
	e.s = e.s.with()
	e.s.you = true
	if x != nil && x.T.Base == program.IsObject && !x.T.Several && x.T.ID >= 0 && e.p.Kinds[x.T.ID].Entity == program.Card {
		e.s.self = x.T
	}
	slot := e.s.frame.add("", program.Type{Base: program.IsNumber, Several: true})
	e.emit(program.Instr{Op: program.CodeAs, A: slot, X: x, Cite: cite, Span: in.At})
	e.block(in.Body)
	e.emit(program.Instr{Op: program.CodeAsEnd, A: slot, Span: in.At})
	e.s = outer
}
