package check

import (
	"sort"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// basics are the actions that Go itself can do. Their roles are named here and
// nowhere else; rule data speaks of them like of its own.
func (c *checker) basics() {
	several := func(t program.Type) program.Type { t.Several = true; return t }
	card, player, token := objectType(program.KindCard), objectType(program.KindPlayer), objectType(program.KindToken)
	any := objectType(-1)
	oneOf := func(id int) program.Type { return program.Type{Base: program.IsOneOf, ID: id} }
	add := func(b program.Basic, name string, roles ...program.Role) *program.Action {
		a := &program.Action{Decl: program.Decl{Name: name}, Basic: b, Roles: roles, Body: -1, StepOf: -1, Index: len(c.p.Actions), AttrSlot: map[string]int{}}
		c.actions[name] = a.Index
		c.p.Actions = append(c.p.Actions, a)
		return a
	}
	attr := func(a *program.Action, name string, t program.Type, value *program.Node) {
		ch := &program.Char{Decl: program.Decl{Name: name}, Kind: -1, Action: a.Index, Type: t, Value: value, ReadAfter: true}
		c.addAttr(a, ch)
	}
	role := func(prep, name string, t program.Type) program.Role {
		return program.Role{Prep: prep, Name: name, Type: t}
	}
	roleFact := func(r int, t program.Type, entity program.Entity, name string) *program.Node {
		recv := &program.Node{Op: program.OpRole, N: int64(r), T: t}
		ch := c.char(entity, name)
		return &program.Node{Op: program.OpChar, N: int64(ch.Index), T: ch.Type, Kids: []*program.Node{recv}}
	}
	a := add(program.BasicMove, "move", role("", "object", any), role("to", "place", any))
	attr(a, "out_of", oneOf(program.ListZone), roleFact(0, any, program.Card, "zone"))
	attr(a, "into", oneOf(program.ListZone), nil)
	a.Joined = map[string]string{"from": "out_of", "to": "into"} // zones are asked about more often than places
	a = add(program.BasicGive, "give", role("", "object", card), role("to", "player", player))
	attr(a, "giver", player, roleFact(0, card, program.Card, "controller"))
	a.Joined = map[string]string{"from": "giver"}
	add(program.BasicPlace, "place", role("", "token", token), role("on", "host", any))
	a = add(program.BasicRemove, "remove", role("", "token", token), role("from", "host", any))
	a.Roles[1].Default = roleFact(0, token, program.Token, "host")
	add(program.BasicGrant, "grant", role("", "keyword", oneOf(program.ListKeyword)), role("to", "object", card))
	add(program.BasicArrange, "arrange", role("", "cards", several(card)))
	add(program.BasicShow, "show", role("", "object", card), role("to", "player", player))
	a = add(program.BasicFinish, "finish")
	attr(a, "winners", several(player), nil)
	a = add(program.BasicTrigger, "trigger", role("", "header", oneOf(program.ListHeader)), role("of", "source", card))
	attr(a, "times", program.NumberType, &program.Node{Op: program.OpConst, T: program.NumberType, N: 1})
	add(program.BasicLapse, "lapse", role("", "keyword", oneOf(program.ListKeyword)), role("of", "host", card))
	add(program.BasicPick, "pick", role("", "object", any), role("by", "player", player))
}

func (c *checker) addAttr(a *program.Action, ch *program.Char) {
	ch.Slot = len(a.Attrs)
	if old, dup := a.AttrSlot[ch.Name]; dup {
		c.diags.Add("declared-twice", ch.Head, "name", ch.Name, "head", "characteristic").With("declared-here", c.p.Chars[a.Attrs[old]].Head)
		return
	}
	for _, r := range a.Roles {
		if r.Name == ch.Name {
			c.diags.Add("declared-twice", ch.Head, "name", ch.Name, "head", "role").With("declared-here", r.Span)
			return
		}
	}
	if reservedName(ch.Name) || ch.Name == "number" || ch.Name == "ability_of" || ch.Name == "ability_from" {
		c.diags.Add("name-taken", ch.Head, "name", ch.Name, "by", "@word-of-expressions")
		return
	}
	a.AttrSlot[ch.Name] = ch.Slot
	c.addChar(ch)
	a.Attrs = append(a.Attrs, ch.Index)
}

// declareActions names every action and step, then their roles, so that they
// can speak of each other.
func (c *checker) declareActions() {
	c.basics()
	for _, head := range []string{"action", "step"} {
		var own []*decl
		for _, d := range c.byHead[head] {
			if _, taken := c.actions[d.name]; taken {
				c.diags.Add("action-of-the-program", nameSpan(d.Decl), "name", d.name)
				continue
			}
			own = append(own, d)
		}
		c.byHead[head] = own
	}
	var all []*decl
	all = append(all, c.byHead["action"]...)
	all = append(all, c.byHead["step"]...)
	for _, d := range all {
		a := &program.Action{Decl: c.head(d), Body: -1, StepOf: -1, Index: len(c.p.Actions), AttrSlot: map[string]int{}}
		c.actions[d.name] = a.Index
		c.p.Actions = append(c.p.Actions, a)
		if d.Action != nil && len(d.Action.Roles) == 0 && d.name == "game" {
			a.Window = true
			c.p.Root = a.Index
		} else if d.Action != nil && d.name == "game" {
			c.diags.Add("game-with-roles", d.Action.Roles[0].Span)
		}
	}
	for _, a := range c.p.Actions {
		c.addValue(program.ListAction, a.Name, a.Head, a.Texts)
	}
	for _, d := range all {
		a := c.action(d.name)
		if d.Step != nil {
			a.Window = true
			of, ok := c.actions[d.Step.Of.Text]
			if !ok {
				c.unknown("unknown-action", d.Step.Of, c.actions)
				continue
			}
			c.mention(actionKey(d.Step.Of.Text), d.Step.Of.Span)
			a.StepOf = of
			c.p.Actions[of].Window = true
			c.p.Actions[of].Steps = append(c.p.Actions[of].Steps, a.Index)
			if d.Step.After != nil {
				a.After = d.Step.After.Text
				if _, ok := c.actions[a.After]; ok {
					c.mention(actionKey(a.After), d.Step.After.Span)
				}
			}
			continue
		}
		for _, r := range d.Action.Roles {
			t, ok := c.typeRef(r.Type)
			if !ok {
				t = program.Type{}
			}
			for i, old := range a.Roles {
				switch {
				case old.Name == r.Name.Text:
					c.diags.Add("declared-twice", r.Name.Span, "name", old.Name, "head", "role").With("declared-here", d.Action.Roles[i].Name.Span)
				case old.Prep == r.Prep && r.Prep != "within":
					c.diags.Add("preposition-twice", r.Name.Span, "name", r.Prep, "action", d.name).With("declared-here", d.Action.Roles[i].Name.Span)
				}
			}
			if reservedName(r.Name.Text) {
				c.diags.Add("name-taken", r.Name.Span, "name", r.Name.Text, "by", "@word-of-expressions")
			}
			a.Roles = append(a.Roles, program.Role{Name: r.Name.Text, Prep: r.Prep, Type: t, Span: r.Span})
		}
	}
	for _, a := range c.p.Actions {
		chain := []string{a.Name}
		for up := a.StepOf; up >= 0 && len(chain) <= len(c.p.Actions); up = c.p.Actions[up].StepOf {
			chain = append(chain, c.p.Actions[up].Name)
			if up == a.Index {
				c.diags.Add("circle", a.Head, "name", a.Name, "chain", strings.Join(chain, " → "))
				a.StepOf = -1
				break
			}
		}
	}
	for _, a := range c.p.Actions {
		c.sortSteps(a)
	}
}

// byName finds a declaration; those of a head are in order of name.
func (c *checker) byName(head, name string) *decl {
	list := c.byHead[head]
	if i := sort.Search(len(list), func(i int) bool { return list[i].name >= name }); i < len(list) && list[i].name == name {
		return list[i]
	}
	return nil
}

func (c *checker) action(name string) *program.Action { return c.p.Actions[c.actions[name]] }

func (c *checker) sortSteps(a *program.Action) {
	if len(a.Steps) == 0 {
		return
	}
	var names []string
	after := map[string]string{}
	for _, s := range a.Steps {
		names = append(names, c.p.Actions[s].Name)
	}
	for _, s := range a.Steps {
		st := c.p.Actions[s]
		if st.After != "" {
			if i, ok := c.actions[st.After]; !ok || c.p.Actions[i].StepOf != a.Index {
				span := st.Head
				if d := c.byName("step", st.Name); d != nil && d.Step.After != nil {
					span = d.Step.After.Span
				}
				c.diags.Add("unknown-step", span, "name", st.After).Near = nearest(st.After, names)
				continue
			}
			after[st.Name] = st.After
		}
	}
	order, circle := c.sortAfter("step", names, after)
	if circle != "" {
		c.diags.Add("order-circle", c.action(circle).Head, "what", "step", "name", circle)
	}
	for i, n := range order {
		a.Steps[i] = c.actions[n]
	}
}

// typeRef resolves a type's name.
func (c *checker) typeRef(t grammar.TypeRef) (program.Type, bool) {
	out := program.Type{Several: t.Several}
	switch name := t.Kind.Text; name {
	case "number":
		out.Base = program.IsNumber
	case "flag":
		out.Base = program.IsFlag
	case "text":
		out.Base = program.IsText
	case "object":
		out.Base, out.ID = program.IsObject, -1
	case "keyword", "header":
		out.Base = program.IsOneOf
		out.ID = map[string]int{"keyword": program.ListKeyword, "header": program.ListHeader}[name]
	default:
		if v, ok := c.values[name]; ok {
			c.mention(program.NameKey{Sort: "values", Name: name}, t.Kind.Span)
			out.Base, out.ID = program.IsOneOf, v
		} else if k, ok := c.kinds[name]; ok {
			c.mentionKind(k, t.Kind.Span)
			out.Base, out.ID = program.IsObject, k
		} else if a, ok := c.actions[name]; ok {
			c.mention(actionKey(name), t.Kind.Span)
			out.Base, out.ID = program.IsHappening, a
		} else {
			if !c.fails(name) && name != "" {
				known := append(keys(c.values), keys(c.kinds)...)
				known = append(known, keys(c.actions)...)
				known = append(known, "number", "flag", "text", "keyword", "header", "object")
				c.diags.Add("unknown-type", t.Kind.Span, "name", name).Near = nearest(name, known)
			}
			return out, false
		}
	}
	return out, true
}

// declareChars names every characteristic, then puts off their expressions and
// the bodies of actions until all names are known.
func (c *checker) declareChars() {
	var all []*decl
	all = append(all, c.byHead["characteristic"]...)
	all = append(all, c.byHead["memory"]...)
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		if x, y := shortName(a), shortName(b); x != y {
			return x < y
		}
		if a.module != b.module { // of two that clash, the later module's is the one too many
			return a.module < b.module
		}
		return a.name < b.name
	})
	for _, d := range all {
		c.charDecl(d.Char, c.head(d), "")
	}
	for _, d := range c.byHead["token"] {
		for _, ch := range d.Token.Chars {
			h := program.Decl{Name: ch.Name.Text, Texts: texts(ch.Tail.Texts), Cite: c.cite(ch.Tail.Cite), Span: ch.Span, Head: ch.Name.Span, Provisional: d.provisional}
			c.charDecl(ch, h, d.name)
		}
		for _, r := range d.Token.Rules {
			i := c.tokens[d.name]
			c.later = append(c.later, func() {
				s := newScope()
				s.self = objectType(c.p.Tokens[i].Kind)
				s.you = true
				e := c.always(r, s, "token "+c.p.Tokens[i].Name)
				if e >= 0 {
					c.p.Tokens[i].Effects = append(c.p.Tokens[i].Effects, e)
				}
			})
		}
	}
	for _, d := range append(c.byHead["action"], c.byHead["step"]...) {
		a := c.action(d.name)
		lines := c.actLines(d)
		for _, l := range lines {
			switch {
			case l.Char != nil:
				h := program.Decl{Name: l.Char.Name.Text, Texts: texts(l.Char.Tail.Texts), Cite: merge(c.cite(l.Char.Tail.Cite), c.cite(l.Cite)),
					Span: l.Char.Span, Head: l.Char.Name.Span, Provisional: d.provisional}
				c.attrDecl(l.Char, h, a)
			case l.Gathers != nil:
				from, ok := c.actions[l.Gathers.From.Text]
				if !ok {
					c.unknown("unknown-action", l.Gathers.From, c.actions)
					continue
				}
				c.mention(actionKey(l.Gathers.From.Text), l.Gathers.From.Span)
				t := happening(from)
				t.Several = true
				ch := &program.Char{Decl: program.Decl{Name: l.Gathers.Name.Text, Texts: texts(l.Gathers.Texts), Span: l.Span, Head: l.Gathers.Name.Span}, Kind: -1, Action: a.Index, Type: t, ReadAfter: true}
				a.Gathers = append(a.Gathers, program.Gather{Slot: len(a.Attrs), Action: from})
				c.addAttr(a, ch)
			case l.Role != nil:
				c.roleWords(a, l.Role)
			case l.Says != nil:
				a.Says = texts(l.Says)
			}
		}
		c.later = append(c.later, func() { c.actionBody(a, d, lines) })
	}
}

// roleWords takes what people call a role.
func (c *checker) roleWords(a *program.Action, w *grammar.RoleWords) {
	var known []string
	for i := range a.Roles {
		r := &a.Roles[i]
		known = append(known, r.Name)
		if r.Name != w.Name.Text {
			continue
		}
		c.mention(program.NameKey{Sort: "role", Of: a.Name, Name: r.Name}, w.Name.Span)
		if len(r.Texts) > 0 {
			c.diags.Add("declared-twice", w.Name.Span, "name", r.Name, "head", "role")
			return
		}
		r.Texts = texts(w.Texts)
		return
	}
	c.diags.Add("unknown-role", w.Name.Span, "name", w.Name.Text, "action", a.Name).Near = nearest(w.Name.Text, known)
}

func merge(a, b program.Cite) program.Cite {
	a.Refs = append(a.Refs, b.Refs...)
	a.Provisional = a.Provisional || b.Provisional
	return a
}

// actLines lists the lines of an action or step and of what extends it.
func (c *checker) actLines(d *decl) []*grammar.ActLine {
	of := func(d *decl) []*grammar.ActLine {
		if d.Step != nil {
			return d.Step.Lines
		}
		if d.Action != nil {
			return d.Action.Lines
		}
		return nil
	}
	lines := of(d)
	for _, e := range d.extends {
		lines = append(lines[:len(lines):len(lines)], of(e)...)
	}
	return lines
}

// charDecl declares a characteristic or a memory; of names the kind where the
// declaration stands inside a token.
func (c *checker) charDecl(g *grammar.Char, h program.Decl, of string) {
	h.Name = g.Name.Text
	name := of
	if g.Of != nil {
		name = g.Of.Text
	}
	if a, ok := c.actions[name]; ok && c.kinds[name] == 0 && name != "card" {
		if _, isKind := c.kinds[name]; !isKind {
			c.attrDecl(g, h, c.p.Actions[a])
			return
		}
	}
	k, ok := c.kinds[name]
	if !ok {
		if g.Of == nil {
			if c.slipsIn(g.Name.Span) {
				return // it was told what stands there
			}
			c.diags.Add("missing-of", g.Name.Span, "name", g.Name.Text)
			return
		}
		known := append(keys(c.kinds), keys(c.actions)...)
		if !c.fails(name) {
			c.diags.Add("unknown-kind", g.Of.Span, "name", name).Near = nearest(name, known)
		}
		c.failed[g.Name.Text] = true
		return
	}
	t, ok := c.typeRef(g.Type)
	if !ok {
		c.failed[g.Name.Text] = true
		return
	}
	ch := &program.Char{Decl: h, Entity: c.p.Kinds[k].Entity, Kind: k, Action: -1, Type: t, Memory: g.Memory, Printed: g.Printed}
	if reservedName(ch.Name) {
		c.diags.Add("name-taken", h.Head, "name", ch.Name, "by", "@word-of-expressions")
		return
	}
	if old := c.chars[charKey{ch.Entity, -1, ch.Name}]; old != nil {
		d := c.diags.Add("declared-twice", h.Head, "name", ch.Name, "head", "characteristic")
		d.With("declared-here", old.Head)
		return
	}
	c.addChar(ch)
	if t.List() && g.Value == nil && !g.Memory {
		c.diags.Add("list-without-value", h.Head, "name", ch.Name)
	}
	c.later = append(c.later, func() {
		if g.Value != nil {
			s := newScope()
			s.self = objectType(k)
			s.push(objectType(k), false)
			ch.Value = c.sourceNode(g.Value, s, t)
		}
		c.bounds(ch, g)
	})
}

func (c *checker) bounds(ch *program.Char, g *grammar.Char) {
	for i, e := range []*grammar.Expr{g.Floor, g.Ceiling} {
		if e == nil {
			continue
		}
		n := c.expr(e, newScope(), program.NumberType)
		if ch.Type != program.NumberType {
			c.diags.Add("bound-of-no-number", e.Span, "name", ch.Name)
			continue
		}
		if n != nil && n.Op != program.OpConst {
			c.diags.Add("number-wanted", e.Span)
			continue
		}
		if i == 0 {
			ch.Floor = n
		} else {
			ch.Ceiling = n
		}
	}
	if ch.Floor != nil && ch.Ceiling != nil && ch.Floor.N > ch.Ceiling.N {
		c.diags.Add("floor-above-ceiling", g.Floor.Span, "name", ch.Name)
	}
}

func (c *checker) attrDecl(g *grammar.Char, h program.Decl, a *program.Action) {
	h.Name = g.Name.Text
	t, ok := c.typeRef(g.Type)
	if !ok {
		c.failed[g.Name.Text] = true
		return
	}
	ch := &program.Char{Decl: h, Kind: -1, Action: a.Index, Type: t}
	c.addAttr(a, ch)
	c.later = append(c.later, func() {
		if g.Value != nil {
			s := newScope().looking(a.Index)
			s.gate = true
			ch.Value = c.sourceNode(g.Value, s, t)
		}
		c.bounds(ch, g)
	})
}

// sourceNode checks each Kind where …, or an expression.
func (c *checker) sourceNode(g *grammar.Source, s *scope, want program.Type) *program.Node {
	if g.Each == nil {
		return c.expr(g.Expr, s, want)
	}
	n, _ := c.each(g, s)
	if n == nil {
		return nil
	}
	x := exprChecker{checker: c, s: s}
	return x.fit(n, want, g.Span)
}

// each checks each Kind where … and returns the list and the filter alone.
func (c *checker) each(g *grammar.Source, s *scope) (list, where *program.Node) {
	k, ok := c.kinds[g.Each.Text]
	if !ok {
		c.unknown("unknown-kind", *g.Each, c.kinds)
		return nil, nil
	}
	c.mentionKind(k, g.Each.Span)
	t := objectType(k)
	list = &program.Node{Op: program.OpEach, T: program.Type{Base: program.IsObject, Several: true, ID: k}, N: int64(k), Span: g.Span}
	if g.Where != nil {
		in := s.with()
		in.push(t, false)
		where = c.flag(g.Where, in)
		if where == nil {
			return nil, nil
		}
		list.Kids, list.M = []*program.Node{where}, int64(len(in.open)-1)
	}
	return list, where
}

func (c *checker) actionBody(a *program.Action, d *decl, lines []*grammar.ActLine) {
	s := newScope().looking(a.Index)
	if d.Action != nil {
		for i, r := range d.Action.Roles {
			if r.Default != nil {
				a.Roles[i].Default = c.sourceNode(r.Default, s, a.Roles[i].Type)
			}
		}
	}
	var body []*grammar.Instr
	errs := c.trouble()
	var span = d.At
	var cites program.Cite
	for _, l := range lines {
		switch {
		case l.OnlyIf != nil:
			judged := s.with()
			judged.gate = true
			if n := c.flag(l.OnlyIf, judged); n != nil {
				a.OnlyIf = append(a.OnlyIf, program.Condition{Expr: n, Else: texts(l.Else), Cite: c.cite(l.Cite)})
			}
		case l.Needs != nil:
			judged := s.with()
			judged.gate = true
			a.Needs = c.need(a.Needs, l.Needs, l.Cite, judged)
		case l.Do != nil:
			body = append(body, l.Do.Instrs...)
			span = l.Do.Span
			cites = merge(cites, c.cite(l.Cite))
		}
	}
	a.Cite = merge(a.Cite, cites)
	if len(body) > 0 {
		a.Body = c.routine(&grammar.Body{Span: span, Instrs: body, Block: true}, s, a.Name)
	} else if len(a.Steps) == 0 && a.StepOf < 0 && !d.Failed && c.trouble() == errs {
		c.diags.Add("action-does-nothing", a.Head, "name", a.Name)
	}
}
