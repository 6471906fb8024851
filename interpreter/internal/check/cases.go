package check

import (
	"slices"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// caseDecl compiles a case: what it starts with, and its script step by step.
// All steps share one frame, so that names of objects hold from line to line.
func (c *checker) caseDecl(d *decl) {
	g := d.Case
	k := &program.Case{Decl: c.head(d), ID: g.ID.Value, Status: g.Status, Index: len(c.p.Cases)}
	if k.Status == "" {
		k.Status = "normative"
	}
	c.p.Cases = append(c.p.Cases, k)
	errs := c.trouble()
	c.labels = map[string]source.Span{}
	s := newScope()
	s.inCase = true
	b := &caseBuilder{checker: c, k: k, s: s}
	// Givens come first in the frame, wherever their line stands, so that their
	// own text can speak of each other.
	for _, l := range g.Lines {
		if l.Verb == "given" {
			for _, n := range l.Names {
				if _, dup := s.frame.find(n.Text); dup {
					c.diags.Add("declared-twice", n.Span, "name", n.Text, "head", "given")
					continue
				}
				if !c.givenName(n) {
					n.Text = ""
				}
				slot := s.frame.add(n.Text, objectType(program.KindCard))
				s.frame.read(slot)
				s.frame.spans[slot] = n.Span
				c.named(s.frame, slot, objectType(program.KindCard))
			}
		}
	}
	b.lines(g.Lines, -1)
	for _, t := range b.said {
		b.mentionLabel(t)
	}
	k.Locals, k.Names, k.Types = len(s.frame.names), s.frame.names, s.frame.types
	expects := false
	for _, st := range k.Script {
		switch st.Kind {
		case program.StepExpect, program.StepRefused, program.StepHappened, program.StepNever, program.StepAsked, program.StepNeverAsked, program.StepLegal, program.StepIllegal:
			expects = true
		}
	}
	if !expects && !d.Failed && c.trouble() == errs {
		c.diags.Add("case-expects-nothing", nameSpan(d.Decl), "name", k.ID)
	}
}

// givenName warns where the name of an object is the name of something else too:
// which of them an expression means would hang on its place. It does not where that
// came later, in a module on top: whoever wrote it has other names in view, and can't
// change this one.
func (c *checker) givenName(n grammar.Name) bool {
	known := func(at source.Span) bool { return c.modules[at.File] <= c.modules[n.Span.File] }
	hides := false
	if z, ok := c.zones[n.Text]; ok {
		hides = known(c.p.Zones[z].Span)
	}
	for _, list := range c.byValue[n.Text] {
		v := c.p.Values[list]
		hides = hides || known(v.Names[v.Index[n.Text]].Span)
	}
	switch {
	case reservedName(n.Text) || n.Text == "P1" || n.Text == "P2":
		c.diags.Add("name-taken", n.Span, "name", n.Text, "by", "@word-of-expressions")
	case hides:
		c.diags.Warn("hides-name", n.Span, "name", n.Text)
	}
	return !reservedName(n.Text) && n.Text != "P1" && n.Text != "P2"
}

type caseBuilder struct {
	*checker
	k *program.Case
	s *scope

	said []grammar.Token // labels in answers, which may come before what they name
}

func (b *caseBuilder) step(st program.Step) { b.k.Script = append(b.k.Script, st) }

func (b *caseBuilder) do(body *grammar.Body, as *program.Node, span source.Span) {
	s := b.s.with()
	if as != nil {
		s.you = true
		if as.T.Base == program.IsObject && b.p.Kinds[as.T.ID].Entity == program.Card {
			s.self = as.T
		}
	}
	r := b.routineIn(body, s, "case "+b.k.ID, b.s.frame)
	b.step(program.Step{Kind: program.StepDo, Routine: r, As: as, Span: span})
}

func (b *caseBuilder) lines(lines []*grammar.CaseLine, window int) {
	for _, l := range lines {
		b.line(l, window)
	}
}

func (b *caseBuilder) line(l *grammar.CaseLine, window int) {
	cite := b.cite(l.Cite)
	switch l.Verb {
	case "confirms", "refutes":
		if l.Ref != nil {
			b.citeLater(*l.Ref)
			if l.Word != nil {
				b.under(l.Word)
			}
			b.k.Covers = append(b.k.Covers, program.Cover{Confirms: l.Verb == "confirms", Ref: program.Ref{Rule: l.Ref.Rule, Key: l.Ref.Key}, Span: l.Span})
		}
	case "not":
		if l.Kept == nil {
			return
		}
		if b.k.Kept != "" {
			b.diags.Add("declared-twice", l.Span, "name", "not exportable", "head", "case")
		}
		b.k.Kept = l.Kept.Value
	case "given":
		b.given(l)
	case "during":
		b.during(l)
	case "as":
		as := b.expr(l.Expr, b.s, program.Type{})
		if as != nil && (as.T.Base != program.IsObject || as.T.Several || as.T.ID < 0) {
			b.diags.Add("wrong-type", l.Expr.Span, "want", "card, player", "got", b.p.TypeName(as.T))
			as = nil
		}
		if l.Body != nil {
			b.do(l.Body, as, l.Span)
		}
	case "expect":
		if n := b.flag(l.Expr, b.s); n != nil {
			b.step(program.Step{Kind: program.StepExpect, X: n, Span: l.Expr.Span, Expect: expectation(n), Rule: cite.Refs})
		}
	case "refused", "happened", "never":
		st := program.Step{Kind: program.StepRefused, Span: l.Span, Rule: cite.Refs}
		switch l.Verb {
		case "happened":
			st.Kind = program.StepHappened
		case "never":
			st.Kind = program.StepNever
		}
		if l.Pattern == nil && l.Word != nil && l.Word.Text == "asked" {
			b.step(program.Step{Kind: program.StepNeverAsked, Span: l.Span})
			return
		}
		s := b.s.with()
		st.Pattern = b.pattern(l.Pattern, s)
		if l.Word != nil {
			st.Word = b.refusal(l.Word)
		}
		b.step(st)
	case "asked":
		st := program.Step{Kind: program.StepAsked, Span: l.Span}
		if l.Word != nil {
			st.Word = l.Word.Text
			b.asked = append(b.asked, *l.Word)
		}
		if l.By != nil {
			st.By = b.expr(l.By, b.s, objectType(program.KindPlayer))
		}
		b.step(st)
	case "legal", "illegal":
		st := program.Step{Kind: program.StepLegal, Span: l.Span, Rule: cite.Refs}
		if l.Verb == "illegal" {
			st.Kind = program.StepIllegal
		}
		if l.Call == nil {
			return
		}
		st.Call = b.call(&l.Call.Action, "", l.Call.Object, nil, l.Call.Args, l.Call.With, nil, l.Call.Span, b.s)
		if l.Word != nil && l.Verb == "legal" {
			b.unusedPart(l.Word.Span, "by "+l.Word.Text, l.Verb)
		} else if l.Word != nil {
			st.Word = b.refusal(l.Word)
		}
		if st.Call != nil {
			b.step(st)
		}
	case "repair":
		if l.Body != nil {
			r := b.routineIn(l.Body, b.s, "case "+b.k.ID, b.s.frame)
			b.step(program.Step{Kind: program.StepRepair, Routine: r, Span: l.Span})
		}
	case "answer":
		b.answer(l)
	default:
		if l.Instr != nil {
			if l.Instr.Cite == nil {
				l.Instr.Cite = l.Cite
			}
			b.do(&grammar.Body{Span: l.Span, Instrs: []*grammar.Instr{l.Instr}}, nil, l.Span)
		}
	}
}

// under has a case played under a reading, by the name of its choice.
func (b *caseBuilder) under(n *grammar.Name) {
	word, inData := "", false
	var known []string
	for _, r := range b.p.Readings {
		for _, choice := range append([]string{r.Value}, r.Others...) {
			if r.Switch != "chosen" {
				known = append(known, choice)
			}
			switch {
			case choice != n.Text:
			case r.Switch == "chosen":
				inData = true
			default:
				word = r.Switch
			}
		}
	}
	switch {
	case word == "" && inData:
		b.diags.Add("reading-in-data", n.Span, "name", n.Text)
		return
	case word == "":
		b.diags.Add("unknown-reading", n.Span, "name", n.Text).Near = nearest(n.Text, known)
		return
	case b.k.Status == "normative":
		b.diags.Add("normative-under", n.Span, "name", n.Text)
		return
	}
	for _, u := range b.k.Under {
		if u.Switch == word {
			if u.Choice != n.Text {
				b.diags.Add("two-readings", n.Span, "name", n.Text, "other", u.Choice).With("also-here", u.Span)
			}
			return
		}
	}
	b.k.Under = append(b.k.Under, program.Switched{Switch: word, Choice: n.Text, Span: n.Span})
}

var refusals = []string{"prohibit", "require", "impossible"}

func (b *caseBuilder) refusal(n *grammar.Name) string {
	for _, r := range refusals {
		if n.Text == r {
			return r
		}
	}
	b.diags.Add("unknown-refusal", n.Span, "name", n.Text).Near = nearest(n.Text, refusals)
	return ""
}

func (b *caseBuilder) during(l *grammar.CaseLine) {
	if l.Window == nil {
		return
	}
	a, ok := b.actions[l.Window.Text]
	if !ok {
		b.unknown("unknown-action", *l.Window, b.actions)
		return
	}
	b.mention(actionKey(l.Window.Text), l.Window.Span)
	act := b.p.Actions[a]
	if !act.Window {
		b.diags.Add("no-duration", l.Window.Span, "name", act.Name)
		return
	}
	st := program.Step{Kind: program.StepOpen, Action: a, Span: l.Window.Span}
	if l.Of != nil {
		st.Span = st.Span.To(l.Of.Span)
	}
	if l.Of != nil && len(act.Roles) == 0 {
		b.unusedPart(l.Of.Span, "of", "during "+act.Name)
	} else if l.Of != nil {
		st.Of = b.expr(l.Of, b.s, act.Roles[0].Type)
	}
	b.step(st)
	b.lines(l.Case, a)
	b.step(program.Step{Kind: program.StepClose, Span: st.Span})
}

func (b *caseBuilder) given(l *grammar.CaseLine) {
	var owner, controller *program.Node
	zone, card, hasCell := b.renewing(), -1, false
	var x, y int64
	var lines []*grammar.RuleLine
	for _, rl := range l.Lines {
		b.citeOnly(rl.Cite)
		if f := rl.Field; f != nil && (f.Name.Text == "owner" || f.Name.Text == "controller") && len(f.Exprs) == 1 {
			n := b.expr(f.Exprs[0], b.s, objectType(program.KindPlayer))
			if f.Name.Text == "owner" && owner != nil || f.Name.Text == "controller" && controller != nil {
				b.diags.Add("declared-twice", f.Name.Span, "name", f.Name.Text, "head", "field")
			}
			if f.Name.Text == "owner" {
				owner = n
			} else {
				controller = n
			}
			continue
		}
		lines = append(lines, rl)
	}
	if l.Kind != nil {
		name := l.Kind.Text
		if l.IsCard {
			i, ok := b.cards[grammar.Fold(name)]
			if !ok {
				b.unknown("unknown-card", *l.Kind, b.cards)
				return
			}
			b.mention(program.NameKey{Sort: "card", Name: grammar.Fold(name)}, l.Kind.Span)
			card = i
			if len(lines) > 0 {
				b.diags.Add("given-card-with-text", lines[0].Span, "name", name)
			}
		} else if k, ok := b.kinds[name]; !ok {
			b.unknown("unknown-kind", *l.Kind, b.kinds)
			return
		} else if b.p.Kinds[k].Entity != program.Card {
			b.diags.Add("given-not-card", l.Kind.Span, "name", name)
			return
		} else {
			b.mentionKind(k, l.Kind.Span)
		}
		if len(b.p.Zones) == 0 {
			b.diags.Add("no-zone", l.Kind.Span)
			return
		}
	}
	seen := map[string]bool{}
	for _, j := range l.Joins {
		if seen[j.Word] {
			b.unusedPart(j.Span, j.Word, "given")
			continue
		}
		seen[j.Word] = true
		switch {
		case j.Word == "of" && len(j.Exprs) == 1:
			n := b.expr(j.Exprs[0], b.s, objectType(program.KindPlayer))
			if controller == nil {
				controller = n
			}
			if owner == nil {
				owner = n
			}
		case (j.Word == "at" || j.Word == "in") && len(j.Exprs) == 1:
			zone = b.zoneOf(j.Exprs[0])
		case j.Word == "at" && len(j.Exprs) == 2:
			var ok1, ok2 bool
			x, ok1 = number(j.Exprs[0])
			y, ok2 = number(j.Exprs[1])
			hasCell = ok1 && ok2
			zone = b.grid()
			if !hasCell || zone < 0 || x < 0 || y < 0 || int(x) >= b.p.Zones[zone].Width || int(y) >= b.p.Zones[zone].Height {
				b.diags.Add("no-such-cell", j.Span)
				return
			}
			for _, g := range b.k.Givens {
				if g.HasCell && g.Zone == zone && g.X == int(x) && g.Y == int(y) {
					b.diags.Add("cell-taken", j.Span).With("used-here", g.Span)
					return
				}
			}
			if len(l.Names) > 1 {
				b.diags.Add("cell-taken", j.Span).With("used-here", l.Names[0].Span)
				return
			}
		default:
			if !slices.ContainsFunc(l.Joins, func(o grammar.Join) bool { return o.Word == "of" }) && !seen["of"] {
				b.diags.Add("given-of-whom", j.Span) // it stands in place of that
				seen["of"] = true
				continue
			}
			b.unusedPart(j.Span, j.Word, "given")
		}
	}
	if controller == nil {
		if !seen["of"] { // else it was told what is wrong with it
			b.diags.Add("given-of-whom", l.Span)
		}
		return
	}
	for _, n := range l.Names {
		slot, _ := b.s.frame.find(n.Text)
		c := card
		if c < 0 {
			def := &program.CardDef{Decl: program.Decl{Name: n.Text, Span: l.Span, Head: n.Span}, Anonymous: true, Index: len(b.p.Cards)}
			b.p.Cards = append(b.p.Cards, def)
			b.cardText(def, lines, b.s)
			c = def.Index
		}
		b.k.Givens = append(b.k.Givens, program.Given{Local: slot, Card: c, Owner: owner, Controller: controller, Zone: zone,
			X: int(x), Y: int(y), HasCell: hasCell, Span: n.Span})
	}
}

// renewing is the zone in which a card stands unless something else is said.
func (c *checker) renewing() int { return max(c.p.Home, 0) }

// home finds the zone in which abilities work unless they say otherwise: the one
// that says so, else the one that renews objects.
func (c *checker) home() {
	c.p.Home = -1
	said, renews := -1, -1
	for i, z := range c.p.Zones {
		if z.Works {
			if said >= 0 {
				c.diags.Add("two-homes", z.Head, "name", z.Name, "other", c.p.Zones[said].Name).With("also-here", c.p.Zones[said].Head)
			}
			said = i
		}
		if z.Renews {
			if renews >= 0 && renews != i {
				c.p.Home = -2
			}
			renews = i
		}
	}
	switch {
	case said >= 0:
		c.p.Home = said
	case c.p.Home == -2:
		c.diags.Add("no-home", c.p.Zones[renews].Head, "name", c.p.Zones[renews].Name)
		c.p.Home = renews
	default:
		c.p.Home = renews
	}
	if c.p.Home < 0 && len(c.p.Zones) > 0 && len(c.byHead["card"])+len(c.byHead["keyword"]) > 0 {
		z := c.p.Zones[0]
		for _, other := range c.p.Zones { // where the cards lie on a grid, if anywhere
			if other.Width > 0 {
				z = other
			}
		}
		c.diags.Warn("abilities-nowhere", z.Head, "name", z.Name)
	}
}

func (b *caseBuilder) answer(l *grammar.CaseLine) {
	if l.Word == nil || l.Expr == nil {
		return
	}
	st := program.Step{Kind: program.StepAnswer, Word: l.Word.Text, Span: l.Span}
	b.asked = append(b.asked, *l.Word)
	if l.By != nil {
		st.By = b.expr(l.By, b.s, objectType(program.KindPlayer))
	}
	if name, _, ok := single(l.Expr); ok && (name == "yes" || name == "no") {
		if _, known := b.s.frame.find(name); l.Word.Text != "may" && !known {
			b.silent++ // it answers something that is asked otherwise, which is told where that is
			return
		}
	}
	if name, _, ok := single(l.Expr); ok && l.Word.Text == "may" {
		switch name {
		case "yes", "no":
			st.Bool = name == "yes"
			b.step(st)
			return
		}
	}
	if l.Word.Text == "order" || l.Word.Text == "replace" { // labels of effects, abilities and objects alike
		var labels []string
		for _, t := range l.Expr.Tokens {
			if t.Kind == grammar.Ident || t.Kind == grammar.Word || t.Kind == grammar.String {
				labels = append(labels, t.Text)
				b.said = append(b.said, t)
			}
		}
		st.Labels = labels
		b.step(st)
		return
	}
	// What may be answered depends on the decision: an object, a name, a number
	// or a list of them. A name of several categories stays open.
	if st.X = b.expr(l.Expr, b.s, program.Type{}); st.X != nil {
		b.step(st)
	}
}

// expectation takes a condition apart at its top-level and, so that a message
// can show each question with what came instead.
func expectation(n *program.Node) *program.Expectation {
	out := &program.Expectation{}
	var split func(n *program.Node)
	split = func(n *program.Node) {
		if n.Op == program.OpAnd {
			split(n.Kids[0])
			split(n.Kids[1])
			return
		}
		q := program.Question{All: n, Op: n.Op}
		if n.Op >= program.OpEq && n.Op <= program.OpGe && len(n.Kids) == 2 {
			q.Left, q.Want = n.Kids[0], n.Kids[1]
		}
		out.Parts = append(out.Parts, q)
	}
	split(n)
	return out
}
