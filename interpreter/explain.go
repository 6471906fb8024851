package interpreter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Explanation tells why a characteristic has the value that it has.
type Explanation struct {
	Object         string      `json:"object"`
	Characteristic string      `json:"characteristic"` // as it is shown
	Name           string      `json:"name"`           // as rule data names it
	Value          string      `json:"value"`
	Base           string      `json:"base,omitempty"`    // what is printed, or what it is without any effect
	Formula        string      `json:"formula,omitempty"` // of one that is worked out
	Parts          []Part      `json:"parts,omitempty"`   // of one that is worked out: what it reads
	Place          Place       `json:"place"`
	Rules          []Ref       `json:"rules,omitempty"`
	Layers         []LayerPart `json:"layers"`
	Readings       []Reading   `json:"readings,omitempty"` // interpretations that had a say
	Sentence       string      `json:"sentence"`           // the answer in one sentence, for a player
	Statements     []Used      `json:"statements"`         // the statements of the rules that were used, with what each did
}

// Part is one thing that a worked-out value reads of the object.
type Part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// LayerPart is what happened in one layer.
type LayerPart struct {
	Layer string  `json:"layer"`
	Rules []Ref   `json:"rules,omitempty"`
	Steps []Step  `json:"steps"`
	Value string  `json:"value"` // after the layer
	index int     // of the layer
	note  []int32 // the effects that were applied
}

// StepKind says what a step of an explanation tells.
type StepKind string

// The kinds of step.
const (
	Applied StepKind = "applied" // an effect changed the value
	Waited  StepKind = "waits"   // an effect waits for another that it depends on
	Ring    StepKind = "ring"    // effects depend on each other; age decides between them
	Bounded StepKind = "bounded" // a floor or ceiling
	Skipped StepKind = "skipped" // an effect did not apply
)

// Step is one step in a layer.
type Step struct {
	Kind    StepKind      `json:"kind"`
	Effect  *EffectInfo   `json:"effect,omitempty"`
	For     *EffectInfo   `json:"for,omitempty"`     // waits: for what
	Members []*EffectInfo `json:"members,omitempty"` // ring
	Before  string        `json:"before,omitempty"`
	After   string        `json:"after,omitempty"`
	Why     string        `json:"why,omitempty"`    // skipped: "condition" or "ability"
	Verb    string        `json:"verb,omitempty"`   // applied: what the operation does, as rule data says it
	Amount  int64         `json:"amount,omitempty"` // applied to a number: by how much it rose
	What    string        `json:"what,omitempty"`   // applied to a set: what came in or went; waits: what the other one changes
	Parts   []Value       `json:"parts,omitempty"`  // applied: what was read for what is not written outright, as it stood then
	amount  int64         // applied: what the operation works with
	outside bool          // waits: for a member of a ring that it is not in itself
}

// Explain tells why a characteristic of an object has its value, layer by layer
// and effect by effect. The characteristic is meant by its name in the data or
// by how it is shown. It keeps nothing back; ExplainTo does.
func (m *Match) Explain(object int, characteristic, lang string) (*Explanation, error) {
	return explain(m.prog, m.run, m.namer(lang), object, characteristic)
}

// ExplainTo is Explain for a viewer: cards that the viewer can't see are only
// counted.
func (m *Match) ExplainTo(v Viewer, object int, characteristic, lang string) (*Explanation, error) {
	return explain(m.prog, m.run, m.namer(lang).seenBy(m.run, v), object, characteristic)
}

// Characteristics lists what can be explained of an object: names as rule data
// has them.
func (m *Match) Characteristics(object int) []string {
	if object < 0 || object >= len(m.run.S.Objects) {
		return nil
	}
	return m.prog.charNames(m.run, int64(object))
}

// charNames lists the characteristics of an object; of its memories those that hold
// something: a memory belongs to every object of its sort, whatever it is kept for.
func (p *Program) charNames(m *run.Match, o int64) []string {
	ob := &m.S.Objects[o]
	var out []string
	for _, ch := range p.p.Chars {
		if ch.Entity != ob.Entity || ch.Action >= 0 || p.char(ob, ch.Name) != ch {
			continue
		}
		if v := m.Char(o, ch); ch.Memory && len(v.L) == 0 && v.N == eval.Empty(ch.Type) {
			continue
		}
		out = append(out, ch.Name)
	}
	return out
}

func explain(p *Program, rm *run.Match, n *namer, object int, name string) (*Explanation, error) {
	if object < 0 || object >= len(rm.S.Objects) {
		return nil, fmt.Errorf("there is no object %d", object)
	}
	ob := &rm.S.Objects[object]
	ch := p.char(ob, name)
	if ch == nil {
		for _, c := range p.p.Chars {
			if c.Entity == ob.Entity && c.Action < 0 && p.char(ob, c.Name) == c {
				for _, t := range c.Texts {
					if strings.EqualFold(t.Value, name) {
						ch = c
					}
				}
			}
		}
	}
	if ch == nil {
		known := p.charNames(rm, int64(object))
		if near := diag.Nearest(name, known); near != "" {
			return nil, errors.New(say(n.lang, "no-char-near", n.object(int64(object)), name, near))
		}
		return nil, errors.New(say(n.lang, "no-char", n.object(int64(object)), name, strings.Join(known, ", ")))
	}
	o := int64(object)
	x := &Explanation{Object: n.precise(o), Characteristic: p.charText(ch, n.lang), Name: ch.Name, Value: n.value(ch.Type, rm.Char(o, ch)),
		Place: placeOf(ch.Span), Rules: refs(ch.Cite), Layers: []LayerPart{}}
	if ch.Printed && ob.Entity == program.Card {
		for _, v := range p.p.Cards[ob.Def].Values {
			if v.Char == ch.Index {
				x.Place = placeOf(v.Span)
			}
		}
	}
	if ch.Value != nil && ch.Value.Op != program.OpConst {
		x.Formula = p.formula(ch)
		x.Parts = p.partsOf(rm, n, o, ch)
	}
	t := &valueTrace{p: p, m: rm, n: n, o: o, ch: ch, x: x}
	rm.TraceAt(func(e *eval.Env) layers.Trace {
		t.e = e
		return t
	})
	t.close()
	all := append([]Ref(nil), x.Rules...)
	for _, l := range x.Layers {
		all = append(all, l.Rules...)
		for _, s := range l.Steps {
			if s.Effect != nil {
				all = append(all, s.Effect.Rules...)
			}
		}
	}
	x.Readings = p.readingsFor(all, n.lang)
	x.say(p, rm, n, o, ch)
	return x, nil
}

// partsOf lists what a worked-out characteristic reads of its object, and of what it
// gets to from there: of a.b the b alone.
func (p *Program) partsOf(rm *run.Match, n *namer, o int64, ch *program.Char) []Part {
	var out []Part
	inner := map[*program.Node]bool{}
	ch.Value.Walk(func(node *program.Node) {
		if node.Op != program.OpChar || len(node.Kids) == 0 {
			return
		}
		path := []*program.Char{p.p.Chars[node.N]} // from the outermost
		k := node.Kids[0]
		for k.Op == program.OpChar && len(k.Kids) > 0 && !k.T.Several && k.T.Base == program.IsObject {
			inner[k] = true
			path = append(path, p.p.Chars[k.N])
			k = k.Kids[0]
		}
		if inner[node] || !ofItself(k) {
			return
		}
		of, part := o, Part{}
		for i := len(path) - 1; i >= 0; i-- {
			c := path[i]
			if of < 0 || int(of) >= len(rm.S.Objects) || c.Entity != rm.S.Objects[of].Entity {
				return
			}
			v := rm.Char(of, c)
			if part = (Part{p.charText(c, n.lang), n.value(c.Type, v)}); of != o {
				part.Name = say(n.lang, "of", part.Name, n.object(of))
			}
			of = v.N
		}
		if !slices.Contains(out, part) {
			out = append(out, part)
		}
	})
	return out
}

// ofItself reports whether a node of a worked-out characteristic is the object
// that it belongs to.
func ofItself(n *program.Node) bool {
	return n.Op == program.OpSelf || n.Op == program.OpIt || n.Op == program.OpElem && n.N == 0
}

// formula is the expression of a worked-out characteristic as its declaration
// writes it.
func (p *Program) formula(ch *program.Char) string {
	text := sourceLine(ch.Span, 1000)
	_, text, ok := strings.Cut(text, "=")
	if !ok {
		return sourceLine(ch.Value.Span, 200)
	}
	end, quoted := len(text), false
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			quoted = !quoted
		}
		if quoted || text[i] != ' ' {
			continue
		}
		rest := text[i+1:]
		for _, l := range p.p.Languages {
			if strings.HasPrefix(rest, l.Lang+` "`) {
				end = min(end, i)
			}
		}
		if strings.HasPrefix(rest, "floor ") || strings.HasPrefix(rest, "ceiling ") {
			end = min(end, i)
		}
	}
	return strings.TrimSpace(text[:end])
}

// without leaves out some of a list of refs.
func without(list, some []Ref) []Ref {
	return slices.DeleteFunc(list, func(r Ref) bool { return slices.Contains(some, r) })
}

func asRefs(list []Ref) []program.Ref {
	var out []program.Ref
	for _, r := range list {
		out = append(out, program.Ref{Rule: r.Rule, Key: r.Key})
	}
	return out
}

// valueTrace gathers what a computation does to one characteristic of one object.
type valueTrace struct {
	layers.Silent
	p     *Program
	m     *run.Match
	n     *namer
	e     *eval.Env // the values as far as they have been worked out
	o     int64
	ch    *program.Char
	x     *Explanation
	parts map[[3]int][]Value // by layer, effect and operation
	waits []wait
	rings []ring
	skips []skip
}

type wait struct {
	layer     int
	effect, f int32
	moved     bool // it does another thing to the object since
}
type ring struct {
	layer   int
	members []int32
}
type skip struct {
	layer  int
	effect int32
	why    string
}

func (t *valueTrace) word(v int64) string { return t.n.value(t.ch.Type, state.Val{N: v}) }

func (t *valueTrace) layer(l int) *LayerPart {
	for i := range t.x.Layers {
		if t.x.Layers[i].index == l {
			return &t.x.Layers[i]
		}
	}
	def := t.p.p.Layers[l]
	t.x.Layers = append(t.x.Layers, LayerPart{Layer: t.p.textOf(&def.Decl, t.n.lang), Rules: t.p.about(without(refs(def.Cite), refs(def.FloorCite)), 0, 0), index: l})
	return &t.x.Layers[len(t.x.Layers)-1]
}

// Base implements layers.Trace.
func (t *valueTrace) Base(o int64, ch *program.Char, v int64) {
	if o == t.o && ch == t.ch {
		t.x.Base = t.word(v)
	}
}

// Applied implements layers.Trace.
func (t *valueTrace) Applied(l int, effect int32, op int, o int64, ch *program.Char, amount, before, after int64) {
	if o != t.o || ch != t.ch {
		return
	}
	part := t.layer(l)
	step := Step{Kind: Applied, Effect: t.p.effect(t.m, effect, int32(op), t.n), Before: t.word(before), After: t.word(after), amount: amount}
	if d := t.p.p.Effects[t.m.S.Effects[effect].Def]; op >= 0 && op < len(d.Ops) {
		o := &d.Ops[op]
		step.Verb = o.Verb.String()
		step.Parts = t.parts[[3]int{l, int(effect), op}]
		switch {
		case ch.Type == program.NumberType:
			step.Amount = after - before
		case ch.Type.Mask() && before != after:
			step.What = t.word(before ^ after)
		case o.Call != nil:
			step.What = t.n.keyword(o.Call.Keyword, nil)
		}
	}
	if ch.Fact == program.FactAbilities {
		step.Before, step.After = "", ""
	}
	part.Steps = append(part.Steps, step)
	part.note = append(part.note, effect)
	part.Value = t.word(after)
}

// Reached implements layers.Trace. What an operation reads is looked up before it
// changes anything.
func (t *valueTrace) Reached(l int, effect int32, applies bool, targets []int64) {
	if !applies || !slices.Contains(targets, t.o) || !t.writes(effect, l) {
		return
	}
	t.m.Enter(t.e, effect)
	old := t.e.Enter()
	t.e.Push(t.o)
	defer func() {
		t.e.Pop()
		t.e.Leave(old)
	}()
	j := &judge{t.n, t.e}
	for k, o := range t.p.p.Effects[t.m.S.Effects[effect].Def].Ops {
		if o.Layer != l {
			continue
		}
		var parts []Value
		if o.Value != nil {
			parts = j.reads(o.Value, parts)
		}
		if o.Call != nil {
			for _, a := range o.Call.Args {
				parts = j.reads(a, parts)
			}
		}
		if len(parts) > 0 {
			if t.parts == nil {
				t.parts = map[[3]int][]Value{}
			}
			t.parts[[3]int{l, int(effect), k}] = parts
		}
	}
}

// Waits implements layers.Trace.
func (t *valueTrace) Waits(l int, effect, f int32, moved []int64) {
	t.waits = append(t.waits, wait{l, effect, f, slices.Contains(moved, t.o) && t.writes(effect, l)})
}

// writes reports whether an effect has a say in the characteristic in a layer.
func (t *valueTrace) writes(effect int32, l int) bool {
	d := t.p.p.Effects[t.m.S.Effects[effect].Def]
	for i := range d.Ops {
		o := &d.Ops[i]
		if o.Layer == l && (o.Char == t.ch.Index || o.Verb == program.VerbCopy && t.ch.Printed) {
			return true
		}
	}
	return false
}

// Ring implements layers.Trace.
func (t *valueTrace) Ring(l int, members []int32) { t.rings = append(t.rings, ring{l, members}) }

// Skipped implements layers.Trace.
func (t *valueTrace) Skipped(l int, effect int32, why string) {
	t.skips = append(t.skips, skip{l, effect, why})
}

// Floor implements layers.Trace.
func (t *valueTrace) Floor(l int, o int64, ch *program.Char, before, after int64) {
	if o != t.o || ch != t.ch {
		return
	}
	part := t.layer(l)
	part.Steps = append(part.Steps, Step{Kind: Bounded, Before: t.word(before), After: t.word(after)})
	part.Value = t.word(after)
	part.Rules = refs(program.Cite{Refs: append(asRefs(part.Rules), t.p.p.Layers[l].FloorCite.Refs...)}) // they mattered
}

// close adds what has to do with the effects that changed the value: what they
// waited for, the rings they were in, and what of their kind did not apply.
func (t *valueTrace) close() {
	for i := range t.x.Layers {
		part := &t.x.Layers[i]
		var first []Step
		done := map[[2]int32]bool{}
		for _, w := range t.waits {
			if w.layer != part.index || !w.moved && !t.overtaken(part, w.effect) || done[[2]int32{w.effect, w.f}] {
				continue
			}
			done[[2]int32{w.effect, w.f}] = true
			s := Step{Kind: Waited, Effect: t.p.effect(t.m, w.effect, -1, t.n), For: t.p.effect(t.m, w.f, -1, t.n), What: t.n.changes(t.m, w.f)}
			for _, r := range t.rings {
				s.outside = s.outside || r.layer == w.layer && slices.Contains(r.members, w.f) && !slices.Contains(r.members, w.effect)
			}
			first = append(first, s)
		}
		for _, r := range t.rings {
			touches := false
			s := Step{Kind: Ring}
			for _, e := range r.members {
				touches = touches || slices.Contains(part.note, e)
				s.Members = append(s.Members, t.p.effect(t.m, e, -1, t.n))
			}
			if r.layer == part.index && touches {
				first = append(first, s)
			}
		}
		part.Steps = append(first, part.Steps...)
	}
	for _, s := range t.skips {
		x := &t.m.S.Effects[s.effect]
		about := int64(x.Source) == t.o
		for _, o := range x.Objects {
			about = about || o == t.o
		}
		if about && t.writes(s.effect, s.layer) {
			part := t.layer(s.layer)
			part.Steps = append(part.Steps, Step{Kind: Skipped, Effect: t.p.effect(t.m, s.effect, -1, t.n), Why: s.why})
		}
	}
	for i := range t.x.Layers { // layers in the order in which they are worked out
		for j := i; j > 0 && t.x.Layers[j].index < t.x.Layers[j-1].index; j-- {
			t.x.Layers[j], t.x.Layers[j-1] = t.x.Layers[j-1], t.x.Layers[j]
		}
	}
}

// overtaken reports whether a younger effect was applied to the value before an
// effect, and it would have mattered if they had gone by age.
func (t *valueTrace) overtaken(part *LayerPart, effect int32) bool {
	for i, a := range part.Steps {
		if a.Kind != Applied || a.Effect.Number == int(effect) {
			continue
		}
		for _, b := range part.Steps[i+1:] {
			if b.Kind == Applied && b.Effect.Number == int(effect) && !t.p.byAge(part, &a, &b) && !t.p.commute(part, &a, &b) {
				return true
			}
		}
	}
	return false
}

// byAge reports whether the first of two steps of a layer goes first by age.
func (p *Program) byAge(part *LayerPart, a, b *Step) bool {
	if p.p.Layers[part.index].NewestFirst {
		a, b = b, a
	}
	return a.Effect.Timestamp <= b.Effect.Timestamp
}

// commute reports whether two steps of a layer come to the same in either order.
func (p *Program) commute(part *LayerPart, a, b *Step) bool {
	number := func(s *Step) bool { return s.Verb == "raise" || s.Verb == "lower" }
	switch {
	case number(a) && number(b):
		return !p.p.Layers[part.index].FloorsEach
	case a.Verb == "add" && b.Verb == "remove", a.Verb == "remove" && b.Verb == "add":
		return a.amount&b.amount == 0
	case a.Verb == "strip" && b.Verb == "remove", a.Verb == "remove" && b.Verb == "strip":
		return true
	case a.Verb == b.Verb:
		return a.Verb != "set" && a.Verb != "copy" && a.Verb != "base" || a.amount == b.amount
	}
	return false
}

// readingsFor lists the named readings that belong to statements.
func (p *Program) readingsFor(list []Ref, lang string) []Reading {
	var out []Reading
	for _, r := range p.Readings(lang) {
	refs:
		for _, a := range r.Rules {
			for _, b := range list {
				if a == b {
					out = append(out, r)
					break refs
				}
			}
		}
	}
	return out
}

// Cause tells why something happened, or did not: a refusal, a trigger that
// fired, a replacement, an effect.
type Cause struct {
	What   string      `json:"what"`
	Kind   EventKind   `json:"kind"`
	Why    string      `json:"why,omitempty"`
	Effect *EffectInfo `json:"effect,omitempty"`
	Source string      `json:"source,omitempty"`
	Moment string      `json:"moment,omitempty"` // fired: what it waited for, as written
	By     string      `json:"by,omitempty"`     // fired: the action that was that moment
	Hits   []string    `json:"hits,omitempty"`
	Text   string      `json:"text,omitempty"` // the ability as the card has it
	Place  Place       `json:"place"`
	Rules  []Ref       `json:"rules,omitempty"`
	Words  []string    `json:"words,omitempty"` // what the cited statements say

	Parts      []Deciding `json:"parts,omitempty"` // refused: what kept its condition from holding
	Sentence   string     `json:"sentence"`        // the answer in one sentence, for a player
	Statements []Used     `json:"statements"`      // the statements of the rules that were used, with what each did
}

// Cause tells why an event came about.
func (m *Match) Cause(e *Event, lang string, v Viewer) *Cause {
	var parts []Deciding
	if e.Kind == Refused && m.gap == 0 && !e.Hidden(v) {
		if t := &m.told; t.parts == nil || t.lang != lang || t.viewer != v || t.events != len(m.log.events) {
			*t = refusalsTold{lang, v, len(m.log.events), refusals(m.prog, m.again, func(now *run.Match) *namer {
				n := m.namer(lang)
				n.s = now.S
				if v >= 0 {
					n = n.seenBy(now, v)
				}
				return n
			})}
		}
		parts = m.told.parts[e.Number]
	}
	return causeOf(m.prog, m.run, e, lang, v, parts)
}

func causeOf(p *Program, rm *run.Match, e *Event, lang string, v Viewer, parts []Deciding) *Cause {
	n := &namer{p: p, s: rm.S, lang: lang, players: e.players, called: e.called}
	c := &Cause{What: eventText(p, rm, e, lang, v), Kind: e.Kind, Rules: e.Rules, Parts: parts}
	note := &e.note
	if c.What == "" && note.Act != nil && !e.Hidden(v) { // a log leaves it out
		c.What = n.deed(note.Act, e.hides(v))
		if e.Kind == Ended {
			c.What = say(lang, "end-of", c.What)
		}
	}
	switch e.Kind {
	case Refused:
		c.Why = refusal(p, rm, e, n, e.hides(v))
		if note.Effect >= 0 {
			c.Effect = p.effect(rm, note.Effect, note.Op, n)
			c.Place = c.Effect.Place
		} else if cond := p.condition(note); cond != nil {
			c.Place = placeOf(cond.Expr.Span)
		}
	case Fired, Resolves:
		t := p.p.Triggers[note.Trigger]
		c.Place = placeOf(t.Span)
		moment := t.Moment.Span
		if t.Header >= 0 {
			moment = p.p.Headers[t.Header].Trigger.Span
			c.Text = p.text(p.p.Headers[t.Header].Texts, lang, "")
		}
		c.Moment = sourceLine(moment, 160)
		if note.Self >= 0 {
			c.Source = n.precise(int64(note.Self))
			if ob := &rm.S.Objects[note.Self]; ob.Entity == program.Card {
				if says := p.cardSays(int(ob.Def), lang); says != "" {
					c.Text = says
				}
			}
		}
		if note.Act != nil {
			c.By = n.deed(note.Act, e.hides(v))
		}
	case Effect, Over, Replaced:
		op := note.Op
		if e.Kind != Replaced {
			op = -1
		}
		c.Effect = p.effect(rm, note.Effect, op, n)
		c.Place = c.Effect.Place
	default:
		if note.Act != nil {
			def := p.p.Actions[note.Act.Action]
			c.Place = placeOf(def.Span)
			if a := note.Act; a.Code >= 0 && int(a.Code) < len(p.p.Routines) && a.At >= 0 && int(a.At) < len(p.p.Routines[a.Code].Code) {
				c.Place = placeOf(p.p.Routines[a.Code].Code[a.At].Span)
			}
			if note.Act.Causer >= 0 {
				c.Source = n.precise(int64(note.Act.Causer))
			}
		}
	}
	for _, r := range c.Rules {
		if s := p.statement(r); s != nil {
			c.Words = append(c.Words, r.Rule+": "+p.textOf(&s.Decl, lang))
		}
	}
	c.say(p, rm, e, n, e.hides(v))
	return c
}

func (p *Program) statement(r Ref) *program.Statement {
	for _, s := range p.p.Statement {
		if s.Rule == r.Rule && s.Key == r.Key && r.Key != "" {
			return s
		}
	}
	return nil
}
