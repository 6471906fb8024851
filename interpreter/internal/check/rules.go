package check

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// declareRules names keywords' parameters and cards, then puts off their text:
// headers first, since rule text is built out of them.
func (c *checker) declareRules() {
	for _, d := range c.byHead["keyword"] {
		k := c.p.Keywords[c.keywords[d.name]]
		for _, p := range d.Rules.Params {
			t, _ := c.typeRef(p.Type)
			k.Params = append(k.Params, program.Param{Name: p.Name.Text, Type: t, Span: p.Span})
		}
	}
	for _, d := range c.byHead["card"] {
		c.cards[d.name] = len(c.p.Cards)
		c.p.Cards = append(c.p.Cards, &program.CardDef{Decl: c.head(d), Index: len(c.p.Cards), Module: d.module})
	}
	for _, d := range c.byHead["header"] {
		c.later = append(c.later, func() { c.header(d) })
	}
	for _, d := range c.byHead["keyword"] {
		c.later = append(c.later, func() { c.keyword(d) })
	}
	errata := map[string]*decl{}
	for _, d := range c.byHead["errata"] {
		if _, ok := c.cards[d.name]; !ok {
			c.unknown("unknown-card", grammar.Name{Span: d.Rules.Name.Span, Text: d.name}, c.cards)
			continue
		}
		if old := errata[d.name]; old != nil {
			if !c.supersedes(d, old) && !c.supersedes(old, d) {
				c.diags.Add("declared-twice", nameSpan(d.Decl), "name", d.name, "head", "errata").With("declared-here", nameSpan(old.Decl))
			}
			if !c.supersedes(d, old) {
				continue
			}
		}
		errata[d.name] = d
	}
	for _, d := range c.byHead["card"] {
		c.later = append(c.later, func() {
			card := c.p.Cards[c.cards[d.name]]
			lines := d.Rules.Lines
			if e := errata[d.name]; e != nil {
				lines = withErrata(lines, e.Rules.Lines)
				card.Errata = &program.Errata{Decl: c.head(e)}
				if f := e.Rules.Tail.From; f != nil {
					card.Errata.Since = f.Value
				}
			}
			c.cardText(card, lines, newScope())
			if card.Errata != nil {
				c.misprinted(card, d.Rules.Lines, lines)
			}
		})
	}
	for _, d := range c.byHead["always"] {
		c.later = append(c.later, func() {
			if e := c.always(d.Always, newScope(), "rule"); e >= 0 {
				c.p.GameRules = append(c.p.GameRules, e)
			}
		})
	}
	for _, d := range c.byHead["table"] {
		c.table_(d)
	}
	for _, d := range c.byHead["case"] {
		if s := d.Case.Status; c.opts.Stub && s != "" && s != "normative" {
			continue
		}
		c.later = append(c.later, func() { c.caseDecl(d) })
	}
	for _, d := range c.again {
		c.later = append(c.later, func() { c.checkAgain(d) })
	}
}

// checkAgain looks for what else is wrong with a declaration whose name another one
// has. There will be no program, so that what it adds to this one is of no account.
func (c *checker) checkAgain(d *decl) {
	switch d.Head {
	case "card":
		card := &program.CardDef{Decl: c.head(d), Index: len(c.p.Cards), Module: d.module}
		c.p.Cards = append(c.p.Cards, card)
		c.cardText(card, d.Rules.Lines, newScope())
	case "keyword":
		k := &program.Keyword{Decl: c.head(d), Index: len(c.p.Keywords)}
		for _, p := range d.Rules.Params {
			t, _ := c.typeRef(p.Type)
			k.Params = append(k.Params, program.Param{Name: p.Name.Text, Type: t, Span: p.Span})
		}
		c.p.Keywords = append(c.p.Keywords, k)
		first, ok := c.keywords[d.name]
		c.keywords[d.name] = k.Index
		c.keyword(d)
		if c.keywords[d.name] = first; !ok {
			delete(c.keywords, d.name)
		}
	case "case":
		c.caseDecl(d)
	}
}

// supersedes reports whether errata d came out after old.
func (c *checker) supersedes(d, old *decl) bool {
	a, b := d.Rules.Tail.From, old.Rules.Tail.From
	return a != nil && (b == nil || c.editionAt(a) > c.editionAt(b)) // one without an edition holds from the first
}

// withErrata restates characteristics; ability lines of an errata, together,
// replace the card's.
func withErrata(lines, errata []*grammar.RuleLine) []*grammar.RuleLine {
	abilities, fields := false, map[string]bool{}
	for _, l := range errata {
		if l.Field != nil {
			fields[l.Field.Name.Text] = true
		} else if l.Says == nil {
			abilities = true
		}
	}
	var out []*grammar.RuleLine
	for _, l := range lines {
		if l.Field != nil && fields[l.Field.Name.Text] || l.Field == nil && l.Says == nil && abilities {
			continue
		}
		out = append(out, l)
	}
	return append(out, errata...)
}

// misprinted keeps what is printed on a card where errata say otherwise.
func (c *checker) misprinted(card *program.CardDef, printed, now []*grammar.RuleLine) {
	was := &program.CardDef{}
	for _, l := range printed {
		if l.Field != nil && !slices.Contains(now, l) {
			c.printed(was, l, map[string]source.Span{})
		}
	}
	card.Errata.Was = was.Values
}

func (c *checker) table_(d *decl) {
	t := &program.TableDef{Decl: c.head(d)}
	c.tables[d.name] = len(c.p.Tables)
	c.p.Tables = append(c.p.Tables, t)
	t.Result = program.NumberType
	if d.Table.Result != nil {
		t.Result, _ = c.typeRef(*d.Table.Result)
	}
	size := 1
	for _, p := range d.Table.Params {
		pt, ok := c.typeRef(p.Type)
		if !ok {
			c.failed[d.name] = true
			continue
		}
		if pt.Base != program.IsOneOf || pt.Several {
			c.diags.Add("wrong-type", p.Type.Span, "want", "values", "got", c.p.TypeName(pt))
			c.failed[d.name] = true
			continue
		}
		t.Params = append(t.Params, pt)
		size *= len(c.p.Values[pt.ID].Names)
	}
	t.Strides = make([]int, len(t.Params))
	stride := 1
	for i := len(t.Params) - 1; i >= 0; i-- {
		t.Strides[i] = stride
		stride *= len(c.p.Values[t.Params[i].ID].Names)
	}
	c.later = append(c.later, func() {
		if n := c.expr(d.Table.Default, newScope(), t.Result); n != nil {
			if n.Op != program.OpConst {
				c.diags.Add("number-wanted", d.Table.Default.Span)
			}
			t.Default = n.N
		}
		t.Cells = make([]int64, size)
		for i := range t.Cells {
			t.Cells[i] = t.Default
		}
		rows := d.Table.Rows
		for _, e := range d.extends {
			rows = append(rows[:len(rows):len(rows)], e.Table.Rows...)
		}
		seen := map[int]source.Span{}
		for _, r := range rows {
			at, bad := 0, len(r.Keys) != len(t.Params)
			if bad && c.fails(t.Name) {
				continue
			}
			if bad {
				c.diags.Add("wrong-argument-count", r.Span, "name", t.Name, "want", itoa(len(t.Params)), "got", itoa(len(r.Keys)))
				continue
			}
			for i, k := range r.Keys {
				n := c.expr(k, newScope(), t.Params[i])
				if n == nil {
					bad = true
					continue
				}
				at += int(n.N) * t.Strides[i]
			}
			v := c.expr(r.Value, newScope(), t.Result)
			if bad || v == nil {
				continue
			}
			if old, dup := seen[at]; dup {
				c.diags.Add("declared-twice", r.Span, "name", strings.TrimSpace(r.Span.Text()), "head", "table").With("declared-here", old)
			}
			seen[at] = r.Span
			t.Cells[at] = v.N
		}
	})
}

func (c *checker) header(d *decl) {
	h := c.p.Headers[c.headers[d.name]]
	s := newScope()
	s.self, s.you = objectType(program.KindCard), true
	n, errs := 0, c.trouble()
	for _, l := range d.Rules.Lines {
		switch {
		case l.When != nil && n > 0:
			c.diags.Add("declared-twice", l.Span, "name", "when", "head", "header")
		case l.When != nil:
			n++
			c.noNext(l.When)
			if l.When.Body != nil {
				c.diags.Add("header-with-body", l.When.Body.Span, "name", d.name)
			}
			h.Trigger = *c.trigger(l.When, s, false)
			h.Trigger.Cite = merge(h.Trigger.Cite, c.cite(l.Cite))
		case l.Says != nil:
		default:
			c.diags.Add("not-in-header", l.Span)
		}
	}
	if n != 1 {
		if !d.Failed && c.trouble() == errs {
			c.diags.Add("header-without-when", nameSpan(d.Decl), "name", d.name)
		}
		h.Trigger.Moment.Action = -1
	}
}

func (c *checker) keyword(d *decl) {
	k := c.p.Keywords[c.keywords[d.name]]
	s := newScope()
	s.self, s.you = objectType(program.KindCard), true
	errs := c.trouble()
	for i, p := range k.Params {
		if old, dup := s.frame.find(p.Name); dup {
			c.diags.Add("declared-twice", d.Rules.Params[i].Name.Span, "name", p.Name, "head", "parameter").With("declared-here", k.Params[old].Span)
		}
		c.bind(s, d.Rules.Params[i].Name, p.Type, 0)
	}
	for _, l := range d.Rules.Lines {
		switch {
		case l.Says != nil:
			k.Says = texts(l.Says)
		case l.Granted != nil:
			if k.Granted != nil {
				c.diags.Add("declared-twice", l.Span, "name", "granted", "head", "granted").With("declared-here", k.Granted.Span)
				continue
			}
			k.Granted = c.granted(l.Granted, s, d.name)
		case l.Field != nil:
			c.diags.Add("not-in-keyword", l.Field.Name.Span, "name", l.Field.Name.Text)
		default:
			if a := c.ability(l, s, "keyword "+d.name, nil); a >= 0 {
				k.Abilities = append(k.Abilities, a)
			}
		}
	}
	if c.trouble() != errs {
		return // a line that failed may be what does something, or reads a parameter
	}
	if len(k.Abilities) == 0 && k.Granted == nil && !d.Failed {
		c.diags.Add("keyword-does-nothing", nameSpan(d.Decl), "name", d.name)
	}
	for i := range k.Params {
		if !s.frame.used[i] && !d.Failed {
			c.diags.Add("unused-parameter", k.Params[i].Span, "name", k.Params[i].Name, "keyword", d.name)
		}
	}
}

func (c *checker) granted(g *grammar.Granted, s *scope, name string) *program.Granted {
	out := &program.Granted{To: g.To.Text, Body: -1, Span: g.Span}
	in := s.with()
	in.frame = s.frame.fork()
	in.self = program.Type{}
	in.granted = true
	c.bind(in, g.To, objectType(program.KindCard), len(s.frame.names))
	body := &grammar.Body{Span: g.Span, Block: true}
	for _, l := range g.Lines {
		switch {
		case l.OnlyIf != nil:
			if n := c.flag(l.OnlyIf, in); n != nil {
				out.OnlyIf = append(out.OnlyIf, program.Condition{Expr: n, Else: texts(l.Else), Cite: c.cite(l.Cite)})
			}
		case l.Needs != nil:
			out.Needs = c.need(out.Needs, l.Needs, l.Cite, in)
		case l.Instr != nil:
			if l.Instr.Cite == nil {
				l.Instr.Cite = l.Cite
			}
			body.Instrs = append(body.Instrs, l.Instr)
		}
	}
	out.Body = c.routine(body, in, "keyword "+name)
	s.frame.mark(in.frame)
	return out
}

// cardText compiles the lines of a card or of a given of a case.
func (c *checker) cardText(card *program.CardDef, lines []*grammar.RuleLine, base *scope) {
	s := base.with()
	s.self, s.you, s.act = objectType(program.KindCard), true, -1
	seen := map[string]source.Span{}
	card.Values = append(card.Values, program.Printed{Char: c.p.NameChar, Value: c.textID(card.Name)})
	for _, l := range lines {
		if f := c.fieldOf(l); f != nil {
			l = f
		}
		switch {
		case l.Field != nil:
			c.printed(card, l, seen)
		case l.Says != nil:
			card.Says = texts(l.Says)
		case l.Granted != nil:
			c.diags.Add("granted-outside-keyword", l.Span)
		default:
			if a := c.ability(l, s, "card "+card.Name, nil); a >= 0 {
				card.Abilities = append(card.Abilities, a)
				card.Lines = append(card.Lines, strings.TrimSpace(l.Span.Text()))
			}
		}
	}
}

// printedFields are the names of what can be printed on a card.
func (c *checker) printedFields() []string {
	var out []string
	for _, k := range c.p.Chars {
		if k.Entity == program.Card && k.Printed {
			out = append(out, k.Name)
		}
	}
	return out
}

func (c *checker) printed(card *program.CardDef, l *grammar.RuleLine, seen map[string]source.Span) {
	f := l.Field
	if old, dup := seen[f.Name.Text]; dup {
		c.diags.Add("declared-twice", f.Name.Span, "name", f.Name.Text, "head", "field").With("declared-here", old)
		return
	}
	seen[f.Name.Text] = f.Name.Span
	ch := c.char(program.Card, f.Name.Text)
	if ch == nil || ch.Memory || ch.Fact != program.FactNone || !ch.Printed {
		known := c.printedFields()
		if !c.fails(f.Name.Text) {
			d := c.diags.Add("unknown-field", f.Name.Span, "name", f.Name.Text)
			if len(f.Exprs) == 0 { // a keyword stands alone
				known = append(keys(c.keywords), known...)
			}
			d.Near = nearest(f.Name.Text, known)
		}
		return
	}
	c.mentionChar(ch, f.Name.Span)
	if len(f.Exprs) == 0 {
		at := f.Name.Span
		at.Start = at.End
		c.diags.Add("expected", at, "want", "@expression", "found", "@end-of-line", "here", "@expression")
		return
	}
	want := ch.Type
	one := want
	one.Several = false
	var v int64
	s := newScope()
	s.printed = c.p.TypeName(one)
	for _, e := range f.Exprs {
		n := c.expr(e, s, one)
		if n == nil {
			return
		}
		if n.Op != program.OpConst {
			c.diags.Add("constant-wanted", e.Span, "name", ch.Name)
			return
		}
		if want.Several {
			if n.N >= 0 && v&(1<<n.N) != 0 {
				c.diags.Add("value-twice", e.Span, "name", ch.Name)
			}
			v |= 1 << n.N
		} else {
			v = n.N
		}
	}
	if len(f.Exprs) == 0 || len(f.Exprs) > 1 && !want.Several {
		c.diags.Add("one-value", l.Span, "name", ch.Name)
		return
	}
	card.Values = append(card.Values, program.Printed{Char: ch.Index, Value: v, Span: f.Name.Span})
}

// ability compiles one line of rule text and returns its index, or -1.
func (c *checker) ability(l *grammar.RuleLine, s *scope, what string, into *program.Effect) int {
	a := &program.AbilityDef{Keyword: -1, Granted: -1, Span: l.Span, Index: len(c.p.Abilities), Cite: c.cite(l.Cite), Params: len(s.frame.names)}
	c.p.Abilities = append(c.p.Abilities, a)
	switch {
	case l.Always != nil:
		if e := c.always(l.Always, s, what); e >= 0 {
			a.Effects = append(a.Effects, e)
			c.p.Effects[e].Parent = a.Index
			c.p.Effects[e].Cite = merge(c.p.Effects[e].Cite, a.Cite)
		}
	case l.When != nil:
		if l.When.Body == nil {
			if !c.slipsIn(l.Span) {
				c.diags.Add("trigger-without-body", l.Span)
			}
			return -1
		}
		c.noNext(l.When)
		t := c.trigger(l.When, s, true)
		t.Ability = a.Index
		a.Triggers = append(a.Triggers, t.Index)
	case l.Phrase != nil:
		if !c.phrase(a, l.Phrase, s, what) {
			return -1
		}
	default:
		return -1
	}
	return a.Index
}

// noNext: the next of something is counted from when an effect is made; an
// ability that is simply there has no such time.
func (c *checker) noNext(w *grammar.When) {
	if w.Moment != nil && w.Moment.Next {
		c.unusedPart(w.Moment.Span, "next", "when")
	}
}

// phrase is a line that begins with a name: the longest declared header or
// keyword at its start is meant.
func (c *checker) phrase(a *program.AbilityDef, p *grammar.Phrase, s *scope, what string) bool {
	for n := len(p.Words); n > 0; n-- {
		name := grammar.Joined(p.Words[:n])
		if h, ok := c.headers[name]; ok {
			c.mention(program.NameKey{Sort: "header", Name: name}, p.Words[0].Span.To(p.Words[n-1].Span))
			if n < len(p.Words) {
				c.diags.Add("unexpected-words", p.Words[n].Span, "name", name)
				return false
			}
			return c.headerLine(a, h, p, s, what)
		}
		if k, ok := c.keywords[name]; ok {
			call := c.keywordCall(p.Words, s, p.Span)
			if call == nil {
				return false
			}
			if p.Where != nil || p.Body != nil || p.Limit != nil || p.In != nil {
				at := p.Span
				switch {
				case p.Body != nil:
					at = p.Body.Span
				case p.Where != nil:
					at = p.Where.Span
				case p.Limit != nil:
					at = p.Limit.Span
				case p.In != nil:
					at = p.In.Span
				}
				c.diags.Add("keyword-with-body", at, "name", name)
				return false
			}
			if c.missingArgs(call) {
				return false
			}
			a.Keyword, a.Args = k, call.Args
			return true
		}
	}
	name := grammar.Joined(p.Words)
	if !c.fails(name) && (len(p.Words) == 0 || !c.fails(p.Words[0].Text)) {
		span := p.Span
		if len(p.Words) > 0 {
			span = p.Words[0].Span.To(p.Words[len(p.Words)-1].Span)
		}
		head, as := "keyword", name
		if p.Body != nil || p.Where != nil || p.Limit != nil { // only headers have those
			head = "header"
		}
		if strings.Contains(name, " ") {
			as = `"` + name + `"`
		}
		d := c.diags.Add("unknown-header-or-keyword", span, "name", name)
		if d.Near = c.smallWord(p); d.Near == "" {
			d.Values = append(d.Values, "head", head, "as", as)
			d.Near = nearest(name, append(keys(c.headers), keys(c.keywords)...))
		}
	}
	return false
}

func (c *checker) headerLine(a *program.AbilityDef, h int, p *grammar.Phrase, s *scope, what string) bool {
	head := &c.p.Headers[h].Trigger
	if head.Moment.Action < 0 {
		return false
	}
	if p.Body == nil {
		if c.slipsIn(p.Span) {
			return false // it was cut short
		}
		c.diags.Add("trigger-without-body", p.Words[0].Span.To(p.Words[len(p.Words)-1].Span))
		return false
	}
	t := *head
	t.Header, t.Ability, t.Span, t.Index = h, a.Index, p.Span, len(c.p.Triggers)
	t.AmongWhere = append([]*program.Node(nil), head.AmongWhere...)
	t.Limits = append([]program.Limit(nil), head.Limits...)
	c.p.Triggers = append(c.p.Triggers, &t)
	in := s.looking(t.Moment.Action)
	if p.Where != nil {
		if head.Among != nil {
			el := s.looking(head.Among.T.ID)
			el.before = true
			if n := c.flag(p.Where, el); n != nil {
				t.AmongWhere = append(t.AmongWhere, n)
			}
		} else if n := c.flag(p.Where, in); n != nil {
			t.Where = n
		}
	}
	if p.Limit != nil {
		t.Limits = append(t.Limits, c.limit(p.Limit, s))
	}
	if p.In != nil {
		t.In = c.zoneOf(p.In)
	}
	if head.Among != nil {
		in.hits = head.Among.T.ID
	}
	c.leaving(t.Moment, t.Where, in)
	t.Body = c.routine(p.Body, in, what)
	a.Triggers = append(a.Triggers, t.Index)
	return true
}

func (c *checker) zoneOf(e *grammar.Expr) int {
	if e == nil {
		return -1
	}
	name, span, ok := single(e)
	if z, known := c.zones[name]; ok && known {
		c.mention(program.NameKey{Sort: "zone", Name: name}, span)
		return z
	}
	if !ok {
		name, span = e.Span.Text(), e.Span
	}
	c.unknown("unknown-zone", grammar.Name{Span: span, Text: name}, c.zones)
	return -1
}

func (c *checker) limit(g *grammar.Limit, s *scope) program.Limit {
	l := program.Limit{Per: -1, Index: c.p.Limits, Cite: c.cite(g.Cite), Span: g.Span}
	c.p.Limits++
	if g.Count != nil {
		l.Count = c.expr(g.Count, s, program.NumberType)
	}
	if i, ok := c.actions[g.Per.Text]; ok {
		l.Per = i
		c.p.Actions[i].Watched = true
		c.mention(actionKey(g.Per.Text), g.Per.Span)
	} else {
		c.unknown("unknown-action", g.Per, c.actions)
	}
	return l
}

// trigger compiles when …; with add it is entered among the program's triggers.
func (c *checker) trigger(g *grammar.When, s *scope, add bool) *program.Trigger {
	t := &program.Trigger{Header: -1, Ability: -1, Body: -1, Span: g.Span}
	if add {
		t.Index = len(c.p.Triggers)
		c.p.Triggers = append(c.p.Triggers, t)
	}
	t.In = c.zoneOf(g.In)
	t.Moment = c.moment(g.Moment, s, g.MomentCite)
	if t.Moment.Action < 0 {
		return t
	}
	in := s.looking(t.Moment.Action)
	if g.Among != nil {
		t.Among = c.expr(g.Among, in, program.Type{})
		t.AmongCite = c.cite(g.AmongCite)
		if t.Among != nil {
			if t.Among.T.Base != program.IsHappening || !t.Among.T.Several {
				c.diags.Add("wrong-type", g.Among.Span, "want", "several action", "got", c.p.TypeName(t.Among.T))
				t.Among = nil
			} else {
				el := s.looking(t.Among.T.ID)
				el.before = true
				if n := c.flag(g.AmongWhere, el); n != nil {
					t.AmongWhere = append(t.AmongWhere, n)
				}
				in.hits = t.Among.T.ID
			}
		}
	}
	if g.Limit != nil {
		t.Limits = append(t.Limits, c.limit(g.Limit, s))
	}
	if g.Body != nil {
		c.leaving(t.Moment, nil, in)
		t.Body = c.routine(g.Body, in, "when "+c.p.Actions[t.Moment.Action].Name)
	}
	return t
}

// keywordCall finds the longest keyword at the start of tokens; what follows are
// its arguments: numbers, names, texts, or expressions in brackets.
func (c *checker) keywordCall(tokens []grammar.Token, s *scope, span source.Span) *program.KeywordCall {
	name, n, k := "", 0, -1
	for n = len(tokens); n > 0; n-- {
		name = grammar.Joined(tokens[:n])
		if i, ok := c.keywords[name]; ok {
			k = i
			break
		}
	}
	if k < 0 {
		name = grammar.Joined(tokens)
		if !c.fails(name) {
			c.diags.Add("unknown-keyword", span, "name", name).Near = nearest(name, keys(c.keywords))
		}
		return nil
	}
	if c.another(span.File, name) || c.fails(name) {
		return nil
	}
	call := &program.KeywordCall{Keyword: k, Span: span}
	c.mention(program.NameKey{Sort: "keyword", Name: name}, tokens[0].Span.To(tokens[n-1].Span))
	params := c.p.Keywords[k].Params
	rest := tokens[n:]
	for i := 0; len(rest) > 0; i++ {
		arg := argument(rest)
		rest = rest[len(arg):]
		if len(arg) == 1 && arg[0].Text == "," && arg[0].Kind == grammar.Punct {
			i--
			continue
		}
		if i >= len(params) {
			c.diags.Add("wrong-argument-count", arg[0].Span, "name", name, "want", itoa(len(params)), "got", itoa(i+1), "form", c.keywordForm(k))
			return nil
		}
		e := &grammar.Expr{Span: arg[0].Span.To(arg[len(arg)-1].Span), Tokens: arg}
		v := c.expr(e, s, params[i].Type)
		if v == nil {
			return nil
		}
		call.Args = append(call.Args, v)
	}
	if len(call.Args) < len(params) {
		if len(call.Args) == 0 {
			call.Any = true // only "remove ability" may leave them out; its caller checks
			return call
		}
		c.diags.Add("wrong-argument-count", span, "name", name, "want", itoa(len(params)), "got", itoa(len(call.Args)), "form", c.keywordForm(k))
		return nil
	}
	return call
}

// listWith is the list of an object whose elements have a characteristic, or "".
func (c *checker) listWith(t program.Type, name string) string {
	for _, en := range c.entitiesOf(t.ID) {
		for _, ch := range c.p.Chars {
			if ch.Action >= 0 || ch.Entity != en || !ch.Type.Several || ch.Type.Base != program.IsObject || ch.Type.ID < 0 || c.p.Kinds[ch.Type.ID].Entity == en {
				continue
			}
			if x := c.char(c.p.Kinds[ch.Type.ID].Entity, name); x != nil && (x.Kind < 0 || x.Kind == ch.Type.ID) {
				return ch.Name
			}
		}
	}
	return ""
}

// smallWord is the word that a line should begin with where it begins with the
// same one in a capital letter: a characteristic, or always.
func (c *checker) smallWord(p *grammar.Phrase) string {
	if len(p.Words) == 0 {
		return ""
	}
	first := p.Words[0].Text
	known := []string{"always", "when", "says"}
	for _, ch := range c.p.Chars {
		if ch.Entity == program.Card && ch.Printed {
			known = append(known, ch.Name)
		}
	}
	for _, k := range known {
		if strings.EqualFold(k, first) {
			return k
		}
	}
	return ""
}

// slipsIn reports whether the parser found something in the lines of a place.
func (c *checker) slipsIn(s source.Span) bool {
	if s.File == nil {
		return false
	}
	for l := s.File.Line(s.Start); l <= s.File.Line(s.End); l++ {
		if c.slips[line{s.File, l}] {
			return true
		}
	}
	return false
}

// keywordForm is a keyword as it is declared, with what it takes.
func (c *checker) keywordForm(k int) string {
	w := c.p.Keywords[k]
	var params []string
	for _, p := range w.Params {
		params = append(params, p.Name+": "+c.p.TypeName(p.Type))
	}
	if params == nil {
		return w.Name
	}
	return w.Name + " (" + strings.Join(params, ", ") + ")"
}

// missingArgs reports a keyword whose arguments were all left out.
func (c *checker) missingArgs(call *program.KeywordCall) bool {
	if !call.Any {
		return false
	}
	k := c.p.Keywords[call.Keyword]
	c.diags.Add("wrong-argument-count", call.Span, "name", k.Name, "want", itoa(len(k.Params)), "got", "0", "form", c.keywordForm(call.Keyword))
	return true
}

// argument cuts one argument off: one token, a signed number, or a bracket.
func argument(t []grammar.Token) []grammar.Token {
	if t[0].Kind == grammar.Punct {
		switch t[0].Text {
		case "-", "+":
			return t[:min(2, len(t))]
		case "(", "[":
			depth := 0
			for i := range t {
				switch t[i].Text {
				case "(", "[":
					depth++
				case ")", "]":
					depth--
				}
				if depth == 0 {
					return t[:i+1]
				}
			}
			return t
		}
	}
	n := 1
	for n+1 < len(t) && t[n].Text == "." && t[n].Kind == grammar.Punct {
		n += 2
	}
	return t[:n]
}

// always compiles a static ability's effect.
func (c *checker) always(g *grammar.Always, s *scope, what string) int {
	label, at := "", source.Span{}
	if g.Name != nil {
		label, at = g.Name.Text, g.Name.Span
	}
	return c.effect(effectSource{label: label, labelAt: at, on: g.On, while: g.While, changes: g.Changes, in: c.zoneOf(g.In), static: true, cite: c.cite(g.Cite), span: g.Span}, s, what)
}

func (e *emitter) madeEffect(in *grammar.Instr, cite program.Cite) int {
	label, at := "", source.Span{}
	if in.Label != nil {
		label, at = in.Label.Text, in.Label.Span
	}
	i := e.effect(effectSource{label: label, labelAt: at, on: in.From, while: in.While, until: in.Moment, stamp: in.Timestamp, changes: in.Changes, in: -1, cite: cite, span: in.Span}, e.s, e.r.What)
	return i
}

// labelled warns where a case calls two things the same: an answer that names
// one of them could mean either.
func (c *checker) labelled(label string, at source.Span, s *scope) {
	old, dup := c.labels[label]
	if _, given := s.frame.find(label); given || dup && old != at {
		c.diags.Warn("hides-name", at, "name", label)
		return
	}
	c.labels[label] = at
	k := program.NameKey{Sort: "label", Name: label, At: at}
	c.declares(k, at, at)
}

type effectSource struct {
	label   string
	labelAt source.Span
	on      *grammar.Source
	while   *grammar.Expr
	until   *grammar.Moment
	stamp   *grammar.Expr
	changes *grammar.Changes
	in      int
	static  bool
	cite    program.Cite
	span    source.Span
}

func (c *checker) effect(g effectSource, s *scope, what string) int {
	e := &program.Effect{Label: g.label, Static: g.static, Kind: -1, Action: -1, In: g.in, Parent: -1, Keyword: -1, Cite: g.cite, Span: g.span,
		Index: len(c.p.Effects), First: -1, Locals: len(s.frame.names), Names: append([]string(nil), s.frame.names...)}
	errs := c.trouble()
	c.p.Effects = append(c.p.Effects, e)
	if s.inCase && g.label != "" {
		c.labelled(g.label, g.labelAt, s)
	}
	if k, ok := strings.CutPrefix(what, "keyword "); ok && !g.static {
		e.Keyword, e.Granted = c.keywords[k], s.granted
	}
	ops := s.with()
	switch {
	case g.on == nil:
		if s.self.Base != program.IsUnknown {
			e.Target = program.TargetSelf
			ops.push(s.self, false)
		}
	case g.on.Each != nil:
		if a, ok := c.actions[g.on.Each.Text]; ok && c.kinds[g.on.Each.Text] == 0 && g.on.Each.Text != "card" {
			e.Target, e.Action = program.TargetEach, a
			c.mention(actionKey(g.on.Each.Text), g.on.Each.Span)
			c.p.Actions[a].Watched, c.p.Actions[a].Attended = true, true
			ops = s.looking(a)
			ops.gate = true
			if g.on.Where != nil {
				e.Where = c.flag(g.on.Where, ops)
			}
			break
		}
		list, where := c.each(g.on, s)
		if list == nil {
			return -1
		}
		e.Target, e.Kind, e.Where = program.TargetEach, int(list.N), where
		ops.push(objectType(e.Kind), false)
	default:
		n := c.expr(g.on.Expr, s, program.Type{})
		if n == nil {
			return -1
		}
		if n.T.Base != program.IsObject && n.T.Base != program.IsUnknown {
			c.diags.Add("wrong-type", g.on.Span, "want", "object", "got", c.p.TypeName(n.T))
			return -1
		}
		e.Target, e.On = program.TargetFixed, n
		if !n.T.Several {
			t := n.T
			t.Several = true
			e.On = &program.Node{Op: program.OpList, T: t, Kids: []*program.Node{n}, Span: n.Span}
		}
		one := n.T
		one.Several = false
		ops.push(one, false)
	}
	if g.while != nil {
		e.While = c.flag(g.while, s)
	}
	if g.until != nil {
		e.Until = append(e.Until, c.moment(g.until, s, nil))
	}
	if g.stamp != nil {
		e.Stamp = c.expr(g.stamp, s, program.NumberType)
	}
	if g.changes == nil {
		return e.Index
	}
	for _, ch := range g.changes.Items {
		cite := c.cite(ch.Cite)
		switch {
		case ch.Op != nil:
			if op, ok := c.op(ch.Op, e, ops, cite, what); ok {
				e.Ops = append(e.Ops, op)
			}
		case ch.When != nil:
			if ch.When.Body == nil {
				c.diags.Add("trigger-without-body", ch.When.Span)
				continue
			}
			t := c.trigger(ch.When, s, true)
			t.Cite = merge(t.Cite, cite)
			e.Triggers = append(e.Triggers, t.Index)
		case ch.Until != nil:
			e.Until = append(e.Until, c.moment(ch.Until, s, ch.Cite))
		case ch.While != nil:
			if e.While != nil {
				c.diags.Add("while-twice", ch.Span)
			}
			e.While = c.flag(ch.While, s)
		case ch.Finally != nil:
			e.Finally = append(e.Finally, c.routine(ch.Finally, s, what))
			e.Cite = merge(e.Cite, cite)
		}
	}
	if g.static && (len(e.Until) > 0 || len(e.Finally) > 0) {
		at := g.span
		for _, ch := range g.changes.Items {
			if ch.Until != nil || ch.Finally != nil {
				at = ch.Span
			}
		}
		c.diags.Add("static-with-end", at)
	}
	e.Opened = len(ops.open) > len(s.open)
	if e.Target == program.TargetSelf || e.Target == program.TargetNone {
		chars := false
		for _, op := range e.Ops {
			chars = chars || op.Verb < program.VerbProhibit
		}
		if !chars {
			e.Target = program.TargetNone
		} else if e.Target == program.TargetNone {
			if !c.cut(g.span) {
				c.diags.Add("effect-on-what", g.span)
			}
			return -1
		}
	}
	if len(e.Ops) == 0 && len(e.Triggers) == 0 && len(e.Finally) == 0 {
		if c.trouble() == errs && !c.slipsIn(g.span) {
			c.diags.Add("effect-does-nothing", g.span)
		}
		return -1
	}
	return e.Index
}

var opVerbs = map[string]program.Verb{
	"set": program.VerbSet, "add": program.VerbAdd, "remove": program.VerbRemove, "strip": program.VerbStrip, "lock": program.VerbLock,
	"raise": program.VerbRaise, "lower": program.VerbLower, "copy": program.VerbCopy, "prohibit": program.VerbProhibit,
	"permit": program.VerbPermit, "require": program.VerbRequire, "instead": program.VerbInstead,
}

func (c *checker) op(g *grammar.Op, e *program.Effect, s *scope, cite program.Cite, what string) (program.Op, bool) {
	op := program.Op{Verb: opVerbs[g.Verb], Char: -1, Ability: -1, Body: -1, Cite: cite, Span: g.Span}
	op.Pattern.Action = -1
	layer, taken := c.layerOf[op.Verb]
	if g.Base { // "set base …" stands in the layer that takes base
		layer, taken = c.layerOf[program.VerbBase]
	}
	if !taken && g.Verb == "" {
		c.silent++
		return op, false
	}
	if !taken {
		c.diags.Add("no-layer-takes", g.At, "name", g.Verb)
		return op, false
	}
	op.Layer = layer
	switch op.Verb {
	case program.VerbProhibit, program.VerbPermit, program.VerbRequire, program.VerbInstead:
		judged := s.with()
		judged.gate = true
		op.Pattern = c.pattern(g.Pattern, judged)
		if op.Pattern.Action < 0 {
			return op, false
		}
		switch a := c.p.Actions[op.Pattern.Action]; a.Basic {
		case program.BasicLapse: // an end is settled by what ends, and never judged
			c.diags.Add("never-judged", op.Pattern.Span, "verb", g.Verb, "name", a.Name)
			return op, false
		case program.BasicTrigger, program.BasicPick: // judged, and nothing is there to replace
			if op.Verb == program.VerbInstead || op.Verb == program.VerbRequire && a.Basic == program.BasicTrigger { // nobody chooses what triggers
				verb := g.Verb
				if op.Verb == program.VerbInstead {
					verb = "instead of"
				}
				c.diags.Add("never-judged", op.Pattern.Span, "verb", verb, "name", a.Name)
				return op, false
			}
		}
		if op.Verb == program.VerbInstead {
			in := s.looking(op.Pattern.Action)
			in.replaces = true
			op.Body = c.routine(g.Body, in, what)
		}
		return op, true
	case program.VerbCopy:
		op.Value = c.expr(g.Value, s, objectType(program.KindCard))
		return op, op.Value != nil
	}
	if g.Char == nil {
		return op, false
	}
	ch := c.targetChar(g.Char, e, s)
	if ch == nil {
		return op, false
	}
	op.Char = ch.Index
	wrong := func(want string) (program.Op, bool) {
		c.diags.Add("wrong-operation", g.At.To(g.Char.Span), "verb", g.Verb, "name", ch.Name, "type", c.p.TypeName(ch.Type), "want", want)
		return op, false
	}
	if ch.Fact == program.FactAbilities {
		switch op.Verb {
		case program.VerbStrip:
			return op, true
		case program.VerbAdd, program.VerbRemove:
			if g.Value == nil {
				return op, false
			}
			op.Call = c.keywordCall(g.Value.Tokens, s, g.Value.Span)
			if op.Call == nil {
				return op, false
			}
			if op.Verb == program.VerbAdd && c.missingArgs(op.Call) {
				return op, false
			}
			return op, true
		}
		return wrong("add, remove, strip")
	}
	if ch.Fact != program.FactNone || ch.Memory {
		c.diags.Add("fact-not-changed", g.Char.Span, "name", ch.Name)
		return op, false
	}
	if ch.Type.List() || ch.Type.Base == program.IsHappening {
		c.diags.Add("list-not-changed", g.Char.Span, "name", ch.Name)
		return op, false
	}
	ch.Written = true
	switch op.Verb {
	case program.VerbStrip:
		if !ch.Type.Mask() {
			return wrong("set")
		}
		return op, true
	case program.VerbLock:
		return op, true
	case program.VerbRaise, program.VerbLower:
		if ch.Type != program.NumberType {
			if ch.Type.Mask() {
				return wrong("add, remove")
			}
			return wrong("set")
		}
	case program.VerbAdd, program.VerbRemove:
		if !ch.Type.Mask() {
			if ch.Type == program.NumberType {
				return wrong("raise, lower")
			}
			return wrong("set")
		}
	}
	op.Value = c.expr(g.Value, s, ch.Type)
	return op, op.Value != nil
}

// targetChar finds the characteristic that an operation names on what its effect
// changes.
func (c *checker) targetChar(n *grammar.Name, e *program.Effect, s *scope) *program.Char {
	if n.Text == "" {
		c.silent++ // not read, and reported as such
		return nil
	}
	if e.Action >= 0 {
		a := c.p.Actions[e.Action]
		if slot, ok := a.AttrSlot[n.Text]; ok {
			c.mentionChar(c.p.Chars[a.Attrs[slot]], n.Span)
			return c.p.Chars[a.Attrs[slot]]
		}
		if !c.fails(n.Text) {
			c.diags.Add("unknown-attribute", n.Span, "name", n.Text, "action", a.Name).Near = nearest(n.Text, keys(a.AttrSlot))
		}
		return nil
	}
	t := program.Type{}
	if o := s.candidate(); o != nil {
		t = o.t
	}
	if t.Base != program.IsObject {
		if !c.cut(n.Span) {
			c.diags.Add("effect-on-what", n.Span)
		}
		return nil
	}
	for _, en := range c.entitiesOf(t.ID) {
		if ch := c.char(en, n.Text); ch != nil {
			c.mentionChar(ch, n.Span)
			return ch
		}
	}
	if !c.fails(n.Text) {
		d := c.diags.Add("unknown-characteristic", n.Span, "name", n.Text, "of", c.p.TypeName(t))
		if d.Near = nearest(n.Text, c.charNames(c.entitiesOf(t.ID))); d.Near == "" {
			if list := c.listWith(t, n.Text); list != "" {
				d.Values = append(d.Values, "list", list)
			}
		}
	}
	return nil
}

// fieldOf reads a line that begins with a capital as a field, where a printed
// characteristic is named so: one whose script has no small letters.
func (c *checker) fieldOf(l *grammar.RuleLine) *grammar.RuleLine {
	p := l.Phrase
	if p == nil || len(p.Words) < 2 || p.Body != nil {
		return nil
	}
	ch := c.char(program.Card, p.Words[0].Text)
	if ch == nil || !ch.Printed {
		return nil
	}
	f := &grammar.Field{Name: grammar.Name{Span: p.Words[0].Span, Text: p.Words[0].Text}}
	for rest := p.Words[1:]; len(rest) > 0; {
		n := 0
		for n < len(rest) && rest[n].Text != "," {
			n++
		}
		if n > 0 {
			f.Exprs = append(f.Exprs, &grammar.Expr{Span: rest[0].Span.To(rest[n-1].Span), Tokens: rest[:n]})
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return &grammar.RuleLine{Span: l.Span, Field: f, Cite: l.Cite}
}
