// Package run plays a match: it takes actions through the gate, carries them
// out, finds what they trigger, and stops wherever somebody must decide. All that
// changes is a state.State, so a match can be copied, saved and replayed at any
// decision.
package run

import (
	"sync"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Engine is a program compiled to run. It never changes, so any number of
// matches share it.
type Engine struct {
	P *program.Program
	C *eval.Code
	L *layers.Engine

	code     [][]instr
	triggers []trigger
	moments  [][]moment // by effect: its ends
	attrs    []eval.Int // by characteristic, for attributes of one number
	lists    []eval.List
	onlyIf   [][]eval.Int
	needs    [][]need // by action
	defaults [][]expr
	granted  []granted
	interest [][4]bool // by action and edge: somebody may wait for it
	keep     bool      // some body names a happening, so that records must stay
	before   bool      // some trigger looks back at the state in which a group was judged
	zones    []int     // zones outside which no ability works
	limits   []eval.Int
	roleKind [][]func(*eval.Env, int64) bool
	basic    [program.BasicPick + 1]int
	opWhere  map[*program.Op]eval.Int
	attended []effectCode

	released sync.Pool // matches whose memory is free

	roles, attributes int         // the most that any action has
	into, outOf       []int       // by action: the attributes that tell where a card goes and comes from, or -1
	reaches           []change    // by effect: what changes what it does
	acting            []bool      // by effect: it reads roles of the action in whose body it is made
	awaits            [][]int     // by effect: the actions that may end it or fire triggers that it holds
	gives             []bool      // by effect: it gives or takes abilities
	hearing           []actionSet // by ability: actions on which it has triggers
	hears             []actionSet // by card: … on which one of its abilities has
}

// actionSet is a set of actions.
type actionSet []uint64

func (s actionSet) has(a int32) bool { return s[a>>6]>>(a&63)&1 != 0 }

// actionSets makes n empty sets.
func actionSets(n, actions int) []actionSet {
	words := actions/64 + 1
	all, out := make(actionSet, words*n), make([]actionSet, n)
	for i := range out {
		out[i] = all[i*words : (i+1)*words]
	}
	return out
}

type effectCode struct {
	where eval.Int
	ops   []attrOp
}

type attrOp struct {
	*program.Op
	value eval.Int
}

type granted struct {
	onlyIf []eval.Int
	needs  []need
}

// need is an action without which another is not done.
type need struct {
	*call
	where eval.Int // when it is needed; nil for always
	def   *program.Need
}

type expr struct {
	i eval.Int
	l eval.List
}

func (x expr) set() bool { return x.i != nil || x.l != nil }

func (x expr) val(e *eval.Env) state.Val {
	if x.l != nil {
		mark := e.Mark()
		list := append([]int64(nil), x.l(e)...)
		e.Release(mark)
		return state.Val{L: list}
	}
	return state.Val{N: x.i(e)}
}

type moment struct {
	*program.Moment
	where eval.Int
}

type trigger struct {
	*program.Trigger
	where     eval.Int
	among     eval.List
	amongFits []eval.Int
}

type instr struct {
	*program.Instr
	Op     program.CodeOp // beside the rest: it is read for every instruction
	x, y   expr
	call   *call
	choice *choice
}

type call struct {
	*program.Call
	roles   []expr
	with    []expr
	recheck []eval.Int
	is      []func(*eval.Env, int64) bool
	count   eval.Int
	args    []eval.Int
	by      eval.Int
	until   *moment
}

type choice struct {
	*program.Choice
	min, max eval.Int
	from     expr
	by       eval.Int
	call     *call
	requires *call
}

// New compiles a program to run.
func New(p *program.Program) *Engine {
	c := eval.New(p)
	en := &Engine{P: p, C: c, L: layers.New(p, c), opWhere: map[*program.Op]eval.Int{}}
	en.attrs, en.lists = make([]eval.Int, len(p.Chars)), make([]eval.List, len(p.Chars))
	for i, ch := range p.Chars {
		if ch.Action >= 0 && ch.Value != nil {
			if ch.Type.List() {
				en.lists[i] = c.List(ch.Value)
			} else {
				en.attrs[i] = c.Int(ch.Value)
			}
		}
	}
	slot := func(a *program.Action, name string) int {
		if s, ok := a.AttrSlot[name]; ok {
			return s
		}
		return -1
	}
	for _, a := range p.Actions {
		en.into, en.outOf = append(en.into, slot(a, "into")), append(en.outOf, slot(a, "out_of"))
	}
	en.interest = make([][4]bool, len(p.Actions))
	for i := range en.basic {
		en.basic[i] = -1
	}
	for _, a := range p.Actions {
		if a.Basic != program.NotBasic {
			en.basic[a.Basic] = a.Index
		}
		var only []eval.Int
		for _, o := range a.OnlyIf {
			only = append(only, c.Int(o.Expr))
		}
		en.onlyIf = append(en.onlyIf, only)
		en.needs = append(en.needs, en.needed(a.Needs))
		var defs []expr
		var kinds []func(*eval.Env, int64) bool
		for _, r := range a.Roles {
			defs = append(defs, en.expr(r.Default))
			var is func(*eval.Env, int64) bool
			if r.Type.Base == program.IsObject && !r.Type.Several && r.Type.ID >= 0 && p.Kinds[r.Type.ID].Entity != program.Place {
				is = c.IsKind(r.Type.ID)
			}
			kinds = append(kinds, is)
		}
		en.defaults = append(en.defaults, defs)
		en.roles, en.attributes = max(en.roles, len(a.Roles)), max(en.attributes, len(a.Attrs))
		en.roleKind = append(en.roleKind, kinds)
	}
	for _, k := range p.Keywords {
		var g granted
		if k.Granted != nil {
			for _, o := range k.Granted.OnlyIf {
				g.onlyIf = append(g.onlyIf, c.Int(o.Expr))
			}
			g.needs = en.needed(k.Granted.Needs)
		}
		en.granted = append(en.granted, g)
	}
	note := func(m *program.Moment) {
		if m.Action < 0 {
			return
		}
		en.interest[m.Action][m.Edge] = true
		if m.Edge == program.During {
			en.interest[m.Action][program.Start] = true
		}
	}
	en.reaches, en.acting = make([]change, len(p.Effects)), make([]bool, len(p.Effects))
	tokens := map[int]int{}
	for k, t := range p.Tokens {
		for _, e := range t.Effects {
			tokens[e] = k
		}
	}
	for i, e := range p.Effects {
		token, ok := tokens[i]
		if !ok {
			token = -1
		}
		en.reaches[i] = en.reach(e, token)
		en.acting[i] = acts(e)
	}
	en.moments = make([][]moment, len(p.Effects))
	en.awaits, en.gives = make([][]int, len(p.Effects)), make([]bool, len(p.Effects))
	en.attended = make([]effectCode, len(p.Effects))
	for i, e := range p.Effects {
		for k := range e.Until {
			note(&e.Until[k])
			en.moments[i] = append(en.moments[i], en.moment(&e.Until[k]))
		}
		if e.Action >= 0 {
			ec := &en.attended[i]
			if e.Where != nil {
				ec.where = c.Int(e.Where)
			}
			for k := range e.Ops {
				ec.ops = append(ec.ops, attrOp{&e.Ops[k], c.Int(e.Ops[k].Value)})
			}
		}
		for k := range e.Ops {
			op := &e.Ops[k]
			if op.Pattern.Where != nil {
				en.opWhere[op] = c.Int(op.Pattern.Where)
			}
			if op.Verb == program.VerbCopy || op.Call != nil {
				en.gives[i] = true
			}
		}
		await := func(action int) {
			if action >= 0 && !has(en.awaits[i], action) {
				en.awaits[i] = append(en.awaits[i], action)
			}
		}
		for k := range e.Until {
			await(e.Until[k].Action)
		}
		for _, t := range e.Triggers {
			await(p.Triggers[t].Moment.Action)
		}
	}
	en.hearing, en.hears = actionSets(len(p.Abilities), len(p.Actions)), actionSets(len(p.Cards), len(p.Actions))
	for i := range p.Abilities {
		en.hear(i, en.hearing[i])
	}
	for i, card := range p.Cards {
		for _, ab := range card.Abilities {
			for w, word := range en.hearing[ab] {
				en.hears[i][w] |= word
			}
		}
	}
	for _, t := range p.Triggers {
		note(&t.Moment)
		tr := trigger{Trigger: t}
		if t.Moment.Where != nil || t.Where != nil {
			tr.where = both(c, t.Moment.Where, t.Where)
		}
		if t.Among != nil {
			tr.among = c.List(t.Among)
			for _, w := range t.AmongWhere {
				tr.amongFits = append(tr.amongFits, c.Int(w))
				w.Walk(func(n *program.Node) { en.before = en.before || n.Back() })
			}
		}
		en.triggers = append(en.triggers, tr)
	}
	if p.Home >= 0 {
		en.zones = append(en.zones, p.Home)
	}
	for _, t := range p.Triggers {
		if t.In >= 0 && !has(en.zones, t.In) {
			en.zones = append(en.zones, t.In)
		}
	}
	for _, e := range p.Effects {
		if e.In >= 0 && !has(en.zones, e.In) {
			en.zones = append(en.zones, e.In)
		}
	}
	en.limits = make([]eval.Int, p.Limits)
	for _, t := range p.Triggers {
		for _, l := range t.Limits {
			if l.Count != nil {
				en.limits[l.Index] = c.Int(l.Count)
			}
		}
	}
	for _, r := range p.Routines {
		for k := range r.Code {
			if ch := r.Code[k].Choice; ch != nil {
				for _, l := range ch.Limits {
					en.limits[l.Index] = en.int(l.Count)
				}
			}
		}
	}
	en.code = make([][]instr, len(p.Routines))
	for i, r := range p.Routines {
		for _, t := range r.Types {
			en.keep = en.keep || t.Base == program.IsHappening
		}
		en.code[i] = make([]instr, len(r.Code))
		for k := range r.Code {
			en.code[i][k] = en.instr(&r.Code[k])
		}
	}
	return en
}

func has(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

func both(c *eval.Code, a, b *program.Node) eval.Int {
	if a == nil {
		return c.Int(b)
	}
	if b == nil {
		return c.Int(a)
	}
	x, y := c.Int(a), c.Int(b)
	return func(e *eval.Env) int64 {
		if x(e) == 0 {
			return 0
		}
		return y(e)
	}
}

func (en *Engine) expr(n *program.Node) expr {
	switch {
	case n == nil:
		return expr{}
	case n.T.List() || n.Op == program.OpMaskList:
		return expr{l: en.C.List(n)}
	}
	return expr{i: en.C.Int(n)}
}

func (en *Engine) moment(m *program.Moment) moment {
	out := moment{Moment: m}
	if m.Where != nil {
		out.where = en.C.Int(m.Where)
	}
	return out
}

func (en *Engine) instr(in *program.Instr) instr {
	out := instr{Instr: in, Op: in.Op, x: en.expr(in.X), y: en.expr(in.Y)}
	if in.Call != nil {
		out.call = en.call(in.Call)
	}
	if ch := in.Choice; ch != nil {
		out.choice = &choice{Choice: ch, from: en.expr(ch.From), by: en.int(ch.By), min: en.int(ch.Min), max: en.int(ch.Max)}
		if ch.For != nil {
			out.choice.call = en.call(ch.For)
		}
		if ch.Requires != nil {
			out.choice.requires = en.call(ch.Requires)
		}
	}
	return out
}

func (en *Engine) int(n *program.Node) eval.Int {
	if n == nil {
		return nil
	}
	return en.C.Int(n)
}

func (en *Engine) needed(list []program.Need) []need {
	var out []need
	for i := range list {
		n := need{call: en.call(list[i].Call), def: &list[i]}
		if list[i].Where != nil {
			n.where = en.C.Int(list[i].Where)
		}
		out = append(out, n)
	}
	return out
}

func (en *Engine) call(k *program.Call) *call {
	out := &call{Call: k, count: en.int(k.Count), by: en.int(k.By)}
	for _, r := range k.Roles {
		out.roles = append(out.roles, en.expr(r))
	}
	for _, w := range k.With {
		out.with = append(out.with, en.expr(w.Value))
	}
	for _, r := range k.Recheck {
		out.recheck = append(out.recheck, en.C.Int(r.Where))
		out.is = append(out.is, en.C.IsKind(r.Kind))
	}
	if k.Keyword != nil {
		for _, a := range k.Keyword.Args {
			out.args = append(out.args, en.C.Int(a))
		}
	}
	if k.Until != nil {
		m := en.moment(k.Until)
		out.until = &m
	}
	return out
}

// acts reports whether an effect reads roles or attributes of the action in
// whose body it is made.
func acts(e *program.Effect) bool {
	if e.Static {
		return false
	}
	found := len(e.Finally) > 0
	look := func(n *program.Node) {
		n.Walk(func(n *program.Node) {
			switch n.Op {
			case program.OpRole, program.OpAttr, program.OpAct:
				found = true
			}
		})
	}
	look(e.Where)
	look(e.While)
	look(e.On)
	for i := range e.Ops {
		look(e.Ops[i].Value)
		if e.Ops[i].Call != nil {
			for _, a := range e.Ops[i].Call.Args {
				look(a)
			}
		}
	}
	return found
}
