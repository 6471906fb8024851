package check

import (
	"slices"
	"sort"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// builtins declares what Go itself keeps: kinds of object, their facts, and the
// lists of names that are filled from what is declared.
func (c *checker) builtins() {
	for _, name := range []string{"keyword", "header", "token", "action", "zone"} {
		c.p.Values = append(c.p.Values, &program.Values{Decl: program.Decl{Name: name}, Index: map[string]int{}, Builtin: name})
	}
	for i, name := range []string{"card", "token", "player", "game", "place"} {
		c.kinds[name] = i
		c.p.Kinds = append(c.p.Kinds, &program.Kind{Decl: program.Decl{Name: name}, Entity: program.Entity(i + 1), Parent: -1, Token: -1, Zone: -1})
	}
	several := func(t program.Type) program.Type { t.Several = true; return t }
	player, card, token, place := objectType(program.KindPlayer), objectType(program.KindCard), objectType(program.KindToken), objectType(program.KindPlace)
	fact := func(e program.Entity, name string, f program.Fact, t program.Type) {
		c.addChar(&program.Char{Decl: program.Decl{Name: name}, Entity: e, Kind: -1, Action: -1, Type: t, Fact: f})
	}
	oneOf := func(id int) program.Type { return program.Type{Base: program.IsOneOf, ID: id} }
	fact(program.Card, "owner", program.FactOwner, player)
	fact(program.Card, "controller", program.FactController, player)
	fact(program.Card, "zone", program.FactZone, oneOf(program.ListZone))
	fact(program.Card, "cell", program.FactCell, place)
	fact(program.Card, "here", program.FactHere, program.FlagType)
	fact(program.Card, "tokens", program.FactTokens, several(token))
	fact(program.Card, "ability", program.FactAbilities, program.Type{Base: program.IsAbility})
	fact(program.Token, "owner", program.FactOwner, player)
	fact(program.Token, "controller", program.FactController, player)
	fact(program.Token, "host", program.FactHost, objectType(-1))
	fact(program.Token, "kind", program.FactKind, oneOf(program.ListToken))
	fact(program.Token, "here", program.FactHere, program.FlagType)
	fact(program.Player, "tokens", program.FactTokens, several(token))
	fact(program.Game, "players", program.FactPlayers, several(player))
	fact(program.Place, "cards", program.FactCards, several(card))
	fact(program.Place, "cells", program.FactCells, several(place))
	fact(program.Place, "empty", program.FactEmpty, program.FlagType)
	fact(program.Place, "column", program.FactX, program.NumberType)
	fact(program.Place, "row", program.FactY, program.NumberType)
	name := &program.Char{Decl: program.Decl{Name: "name"}, Entity: program.Card, Kind: -1, Action: -1, Type: program.TextType, Printed: true}
	c.addChar(name)
	c.p.NameChar = name.Index
}

func (c *checker) addChar(ch *program.Char) {
	ch.Index = len(c.p.Chars)
	c.p.Chars = append(c.p.Chars, ch)
	c.chars[charKey{ch.Entity, ch.Action, ch.Name}] = ch
}

func (c *checker) addValue(list int, name string, span source.Span, t []program.Text) {
	v := c.p.Values[list]
	if old, ok := v.Index[name]; ok {
		c.diags.Add("declared-twice", span, "name", name, "head", v.Name).With("declared-here", v.Names[old].Span)
		return
	}
	v.Index[name] = len(v.Names)
	v.Names = append(v.Names, program.ValueName{Name: name, Texts: t, Span: span})
	c.byValue[name] = append(c.byValue[name], list)
}

// vocabulary declares everything with a name of its own but actions,
// characteristics and rule text.
func (c *checker) vocabulary() {
	for _, d := range c.byHead["language"] {
		if n := d.name; n != "1" {
			c.diags.Add("language-too-new", nameSpan(d.Decl), "language", n)
		}
	}
	c.packs()
	for _, d := range c.byHead["text"] {
		t := program.Text{Lang: d.name}
		if l := texts(d.Plain.Tail.Texts); len(l) > 0 {
			t.Value = l[0].Value
			for _, x := range l { // its name in itself, if that is there
				if x.Lang == d.name {
					t.Value = x.Value
				}
			}
		} else if len(d.Plain.Joins) == 0 && len(d.Plain.Lines) == 0 && d.Plain.Key != nil {
			t.Value = d.Plain.Key.Value
		}
		c.p.Languages = append(c.p.Languages, t)
	}
	for _, d := range c.byHead["values"] {
		list := len(c.p.Values)
		v := &program.Values{Decl: c.head(d), Index: map[string]int{}}
		c.p.Values = append(c.p.Values, v)
		c.values[d.name] = list
		lines := d.Plain.Lines
		for _, e := range d.extends {
			lines = append(lines[:len(lines):len(lines)], e.Plain.Lines...)
		}
		for _, l := range lines {
			c.addValue(list, l.Head.Text, l.Head.Span, texts(l.Tail.Texts))
			if len(v.Names) == 0 || v.Names[len(v.Names)-1].Span != l.Head.Span {
				continue // a name that was there
			}
			n := &v.Names[len(v.Names)-1]
			for _, j := range l.Joins {
				if j.Word != "at" || len(j.Exprs) != 2 {
					c.unusedPart(j.Span, j.Word, "values")
					continue
				}
				x, ok1 := number(j.Exprs[0])
				y, ok2 := number(j.Exprs[1])
				if !ok1 || !ok2 {
					c.diags.Add("number-wanted", j.Span)
				}
				if n.At {
					c.unusedPart(j.Span, j.Word, "values")
				}
				n.DX, n.DY, n.At = int(x), int(y), true
			}
			if len(l.Exprs) > 0 {
				c.unusedPart(l.Exprs[0].Span, l.Exprs[0].Span.Text(), "values")
			}
		}
		if len(v.Names) > maxSet {
			c.diags.Add("too-many-values", nameSpan(d.Decl), "name", d.name, "limit", itoa(maxSet))
			v.Names = v.Names[:maxSet]
		}
	}
	for _, d := range c.byHead["zone"] {
		c.zone(d)
	}
	c.home()
	for _, d := range c.byHead["token"] {
		i := len(c.p.Tokens)
		c.tokens[d.name] = i
		kind := len(c.p.Kinds)
		t := &program.TokenKind{Decl: c.head(d), Kind: kind, On: -1}
		c.p.Tokens = append(c.p.Tokens, t)
		if _, dup := c.kinds[d.name]; dup {
			c.diags.Add("declared-twice", nameSpan(d.Decl), "name", d.name, "head", "kind").With("declared-here", c.kindSpan(d.name))
		}
		c.kinds[d.name] = kind
		c.p.Kinds = append(c.p.Kinds, &program.Kind{Decl: c.head(d), Entity: program.Token, Parent: program.KindToken, Token: i, Zone: -1})
		c.addValue(program.ListToken, d.name, nameSpan(d.Decl), t.Texts)
		if l := d.Token.Limit; l != nil {
			n, ok := number(l)
			if !ok || n < 1 {
				c.diags.Add("number-wanted", l.Span)
			}
			t.Limit = int(n)
		}
	}
	c.kindDecls()
	for _, d := range c.byHead["token"] {
		if on := d.Token.On; on != nil {
			k, ok := c.kinds[on.Text]
			if !ok {
				c.unknown("unknown-kind", *on, c.kinds)
				continue
			}
			c.mentionKind(k, on.Span)
			c.p.Tokens[c.tokens[d.name]].On = k
		}
	}
	for _, d := range c.byHead["header"] {
		c.headers[d.name] = len(c.p.Headers)
		c.p.Headers = append(c.p.Headers, &program.Header{Decl: c.head(d), Index: len(c.p.Headers)})
		c.addValue(program.ListHeader, d.name, nameSpan(d.Decl), texts(d.Rules.Tail.Texts))
	}
	for _, d := range c.byHead["keyword"] {
		c.keywords[d.name] = len(c.p.Keywords)
		c.p.Keywords = append(c.p.Keywords, &program.Keyword{Decl: c.head(d), Index: len(c.p.Keywords)})
		c.addValue(program.ListKeyword, d.name, nameSpan(d.Decl), texts(d.Rules.Tail.Texts))
	}
	c.layersAndOrders()
	c.texts()
}

func (c *checker) unknown(code string, n grammar.Name, known map[string]int) {
	if n.Text == "" {
		c.silent++ // not read, and reported as such
		return
	}
	if head := c.lacking[n.Text]; (head == "" || code != "unknown-card" || head == "card") && c.fails(n.Text) {
		return
	}
	d := c.diags.Add(code, n.Span, "name", n.Text)
	d.Near = nearest(n.Text, keys(known))
	if code == "unknown-action" && c.p.Home >= 0 {
		// What people look for: to come into a zone and to go out of it is no action
		// of its own.
		switch home := c.p.Zones[c.p.Home].Name; n.Text {
		case "leave", "leaves", "exit", "exits", "go", "goes":
			d.Values = append(d.Values, "move", "move where object == self and out_of == "+home)
		case "enter", "enters", "arrive", "arrives", "come", "comes":
			d.Values = append(d.Values, "move", "move where object == self and into == "+home)
		}
	}
}

// maxGrid is how many columns, and how many rows, a grid has at most.
const maxGrid = 64

func (c *checker) zone(d *decl) {
	z := &program.Zone{Decl: c.head(d)}
	c.zones[d.name] = len(c.p.Zones)
	c.p.Zones = append(c.p.Zones, z)
	c.addValue(program.ListZone, d.name, nameSpan(d.Decl), z.Texts)
	for _, j := range d.Plain.Joins {
		if name, _, ok := single(j.Exprs[0]); j.Word == "of" && ok && name == "player" && len(j.Exprs) == 1 {
			z.PerPlayer = true
		} else {
			c.unusedPart(j.Span, j.Word, "zone")
		}
	}
	// A folder that is stacked on top says a line anew: extend zone Arena { grid 4 by 3 }.
	latest := map[string]int{}
	all := append([]*decl{d}, d.extends...)
	for _, e := range all {
		for _, l := range e.Plain.Lines {
			latest[l.Head.Text] = max(latest[l.Head.Text], e.module)
		}
	}
	var lines []*grammar.Line
	for _, e := range all {
		for _, l := range e.Plain.Lines {
			if e.module == latest[l.Head.Text] {
				lines = append(lines, l)
			}
		}
	}
	seen := map[string]source.Span{}
	for _, l := range lines {
		c.once(l, "zone", seen)
		switch l.Head.Text {
		case "renews":
			z.Renews = true
			c.wordAfter(l, "objects")
			c.noJoins(l, "zone")
		case "abilities":
			z.Works = true
			c.wordAfter(l, "work")
			c.noJoins(l, "zone")
		case "pile":
			z.Pile = true
			c.nothingAfter(l, "zone", false)
		case "hidden":
			who := ""
			if len(l.Joins) == 1 && l.Joins[0].Word == "from" && len(l.Joins[0].Exprs) == 1 && len(l.Exprs) == 0 {
				who, _, _ = single(l.Joins[0].Exprs[0])
			}
			switch who {
			case "opponent":
				z.HiddenFrom = program.HiddenFromOpponent
			case "everyone":
				z.HiddenFrom = program.HiddenFromEveryone
			default:
				c.diags.Add("bad-line", l.Span, "want", "hidden from opponent, hidden from everyone")
			}
		case "grid":
			ok := false
			if len(l.Exprs) == 1 && len(l.Joins) == 1 && l.Joins[0].Word == "by" && len(l.Joins[0].Exprs) == 1 {
				w, ok1 := number(l.Exprs[0])
				h, ok2 := number(l.Joins[0].Exprs[0])
				ok = ok1 && ok2
				if ok && (w < 1 || h < 1 || w > maxGrid || h > maxGrid) {
					c.diags.Add("grid-size", l.Span, "width", l.Exprs[0].Span.Text(), "height", l.Joins[0].Exprs[0].Span.Text(), "limit", itoa(maxGrid))
					w, h = 0, 0
				}
				z.Width, z.Height = int(w), int(h)
			}
			if !ok {
				c.diags.Add("bad-line", l.Span, "want", "grid 3 by 3")
				z.Width, z.Height = 0, 0
			}
		default:
			c.unknownLine(l, "zone", "renews", "abilities", "pile", "hidden", "grid")
		}
	}
}

func (c *checker) unknownLine(l *grammar.Line, where string, known ...string) {
	d := c.diags.Add("unknown-line", l.Head.Span, "found", l.Head.Text, "where", where, "known", strings.Join(known, ", "))
	d.Near = nearest(l.Head.Text, known)
}

// once reports a second line with the same head word.
func (c *checker) once(l *grammar.Line, head string, seen map[string]source.Span) {
	if old, dup := seen[l.Head.Text]; dup {
		c.diags.Add("declared-twice", l.Head.Span, "name", l.Head.Text, "head", head).With("declared-here", old)
	}
	seen[l.Head.Text] = l.Head.Span
}

// wordAfter expects exactly one given word behind a line's head.
func (c *checker) wordAfter(l *grammar.Line, want string) {
	if len(l.Exprs) == 1 {
		if w, _, ok := single(l.Exprs[0]); ok && w == want {
			return
		}
	}
	c.diags.Add("bad-line", l.Span, "want", l.Head.Text+" "+want)
}

// kindDecls names every kind before any looks for its parent, since one may be
// declared after those that it is made of.
func (c *checker) kindDecls() {
	for _, d := range c.byHead["kind"] {
		if _, dup := c.kinds[d.name]; dup {
			c.diags.Add("declared-twice", nameSpan(d.Decl), "name", d.name, "head", "kind").With("declared-here", c.kindSpan(d.name))
			continue
		}
		d.index = len(c.p.Kinds)
		c.kinds[d.name] = d.index
		c.p.Kinds = append(c.p.Kinds, &program.Kind{Decl: c.head(d), Parent: program.KindCard, Token: -1, Zone: -1, Entity: program.Card})
	}
	for _, d := range c.byHead["kind"] {
		if d.index > 0 {
			c.kind(d)
		}
	}
	for _, d := range c.byHead["kind"] {
		if d.index == 0 {
			continue
		}
		k := c.p.Kinds[d.index]
		chain := []string{k.Name}
		for up := k.Parent; up >= 0; up = c.p.Kinds[up].Parent {
			chain = append(chain, c.p.Kinds[up].Name)
			if up == d.index {
				c.diags.Add("circle", k.Head, "name", k.Name, "chain", strings.Join(chain, " → "))
				k.Parent = program.KindCard
				break
			}
			if len(chain) > len(c.p.Kinds) {
				k.Parent = program.KindCard // hangs on a circle that is reported elsewhere
				break
			}
		}
	}
	for _, d := range c.byHead["kind"] { // the family of the outermost
		if d.index > 0 {
			k := c.p.Kinds[d.index]
			for up := k.Parent; up >= 0; up = c.p.Kinds[up].Parent {
				k.Entity = c.p.Kinds[up].Entity
			}
		}
	}
}

func (c *checker) kindSpan(name string) source.Span {
	if k, ok := c.kinds[name]; ok {
		return c.p.Kinds[k].Head
	}
	return source.Span{}
}

func (c *checker) kind(d *decl) {
	k := c.p.Kinds[d.index]
	var where *grammar.Expr
	is := false
	for _, j := range d.Plain.Joins {
		switch {
		case len(j.Exprs) > 1:
			c.unusedPart(j.Exprs[1].Span, j.Exprs[1].Span.Text(), "kind")
		case j.Word == "is" && !is:
			is = true
			name, span, ok := single(j.Exprs[0])
			if !ok {
				name, span = j.Exprs[0].Span.Text(), j.Exprs[0].Span
			}
			parent, ok := c.kinds[name]
			if !ok {
				c.unknown("unknown-kind", grammar.Name{Span: span, Text: name}, c.kinds)
				continue
			}
			c.mentionKind(parent, span)
			k.Parent = parent
		case j.Word == "where" && where == nil:
			where = j.Exprs[0]
		default:
			c.unusedPart(j.Span, j.Word, "kind")
		}
	}
	if !is && !d.Failed {
		c.diags.Add("kind-of-what", nameSpan(d.Decl), "name", d.name)
	}
	if where == nil {
		return
	}
	c.later = append(c.later, func() {
		s := newScope()
		s.push(objectType(k.Parent), false)
		k.Where = c.flag(where, s)
		// The commonest condition, being in one zone, is looked up and not evaluated.
		if w := k.Where; w != nil && w.Op == program.OpEq && w.Kids[0].Op == program.OpChar && w.Kids[1].Op == program.OpConst &&
			c.p.Chars[w.Kids[0].N].Fact == program.FactZone {
			k.Zone = int(w.Kids[1].N)
		}
	})
}

func (c *checker) layersAndOrders() {
	after, afterAt := map[string]string{}, map[string]source.Span{}
	var names []string
	for _, d := range c.byHead["layer"] {
		l := &program.Layer{Decl: c.head(d)}
		c.layers[d.name] = len(c.p.Layers)
		c.p.Layers = append(c.p.Layers, l)
		names = append(names, d.name)
		for _, j := range d.Plain.Joins {
			name, span, ok := single(j.Exprs[0])
			switch {
			case j.Word != "after" || !ok || len(j.Exprs) != 1 || after[d.name] != "":
				c.unusedPart(j.Span, j.Word, "layer")
			default:
				after[d.name], afterAt[d.name] = name, span
			}
		}
		seen := map[string]source.Span{}
		for _, line := range d.Plain.Lines {
			if line.Head.Text != "takes" {
				c.once(line, "layer", seen)
			}
			c.layerLine(l, line)
		}
	}
	for _, d := range c.byHead["layer"] {
		if a, ok := after[d.name]; ok {
			if _, known := c.layers[a]; !known {
				c.unknown("unknown-layer", grammar.Name{Span: afterAt[d.name], Text: a}, c.layers)
				delete(after, d.name)
			} else {
				c.mention(program.NameKey{Sort: "layer", Name: a}, afterAt[d.name])
			}
		}
	}
	order, circle := c.sortAfter("layer", names, after)
	if circle != "" {
		c.diags.Add("order-circle", c.p.Layers[c.layers[circle]].Head, "what", "layer", "name", circle)
	}
	layers := make([]*program.Layer, len(order))
	for i, name := range order {
		layers[i] = c.p.Layers[c.layers[name]]
	}
	c.p.Layers = layers
	for i, l := range layers {
		c.layers[l.Name] = i
	}
	c.takeOver()
	for _, d := range c.byHead["order"] {
		if d.Plain.Kind == grammar.TitleRule {
			continue // no name, and reported as such
		}
		o := &program.OrderDef{Decl: c.head(d)}
		c.p.Orders = append(c.p.Orders, o)
		for _, l := range d.Plain.Lines {
			for _, old := range o.Criteria {
				if old == l.Head.Text {
					c.diags.Add("declared-twice", l.Head.Span, "name", l.Head.Text, "head", "order")
				}
			}
			o.Criteria = append(o.Criteria, l.Head.Text)
			o.Cites = append(o.Cites, c.cite(l.Tail.Cite))
			c.nothingAfter(l, "order", true)
		}
		c.order(o, d)
	}
	for _, d := range c.byHead["reading"] {
		r := &program.ReadingDef{Decl: c.head(d)}
		c.p.Readings = append(c.p.Readings, r)
		var at, valueAt source.Span
		var others []grammar.Name
		for _, l := range d.Plain.Lines {
			value, span := "", l.Span
			if len(l.Exprs) == 1 {
				value, span, _ = single(l.Exprs[0])
			}
			c.noJoins(l, "reading")
			switch {
			case value == "":
				c.diags.Add("bad-line", l.Span, "want", "later_layers go_on")
			case l.Head.Text == "other":
				r.Others = append(r.Others, value)
				others = append(others, grammar.Name{Span: span, Text: value})
			case r.Switch == "":
				r.Switch, r.Value, at, valueAt = l.Head.Text, value, l.Head.Span, span
			default:
				c.unknownLine(l, "reading", "other")
			}
		}
		if r.Switch == "" && !d.Failed {
			c.diags.Add("reading-of-nothing", r.Head, "name", r.Name)
		}
		c.reading(r, at, valueAt)
		if known, ok := program.Switches[r.Switch]; ok {
			for _, o := range others {
				if !contains(known[:], o.Text) {
					c.diags.Add("unknown-switch", o.Span, "name", o.Text).Near = nearest(o.Text, known[:])
				}
			}
		}
	}
}

// takeOver says which layer takes which operation. A layer may take one over
// from another: takes copy from Set.
func (c *checker) takeOver() {
	taken := map[program.Verb]source.Span{}
	for over := range 2 {
		for _, d := range c.byHead["layer"] {
			at := c.layers[d.name]
			for _, line := range d.Plain.Lines {
				from := len(line.Joins) == 1 && line.Joins[0].Word == "from"
				if line.Head.Text != "takes" || from != (over == 1) {
					continue
				}
				for _, e := range line.Exprs {
					v := verb(e)
					if v == program.VerbNone {
						continue
					}
					if !from {
						if old, dup := taken[v]; dup {
							c.diags.Add("two-layers-take", e.Span, "name", v.String()).With("declared-here", old)
							continue
						}
						taken[v] = e.Span
						c.layerOf[v] = at
						continue
					}
					name, span, _ := single(line.Joins[0].Exprs[0])
					if span.File == nil {
						span = line.Joins[0].Span
					}
					old, ok := c.layers[name]
					if ok {
						c.mention(program.NameKey{Sort: "layer", Name: name}, span)
					}
					switch {
					case !ok:
						c.unknown("unknown-layer", grammar.Name{Span: span, Text: name}, c.layers)
					case c.layerOf[v] != old || taken[v].File == nil:
						c.diags.Add("layer-does-not-take", span, "name", name, "verb", v.String())
					default:
						c.layerOf[v] = at
					}
				}
			}
		}
	}
}

func verb(e *grammar.Expr) program.Verb {
	name, _, _ := single(e)
	for v, n := range program.VerbNames {
		if n == name && n != "" {
			return program.Verb(v)
		}
	}
	return program.VerbNone
}

func (c *checker) layerLine(l *program.Layer, line *grammar.Line) {
	switch line.Head.Text {
	case "takes":
		for _, e := range line.Exprs {
			v := verb(e)
			if v == program.VerbNone {
				name, span, _ := single(e)
				if span.File == nil {
					span = e.Span
				}
				c.diags.Add("unknown-operation", span, "name", name).Near = nearest(name, program.VerbNames[1:])
				continue
			}
			l.Takes = append(l.Takes, v)
		}
		if len(line.Exprs) == 0 {
			c.diags.Add("bad-line", line.Span, "want", "takes set, copy")
		}
		for i, j := range line.Joins {
			if i > 0 || j.Word != "from" || len(j.Exprs) != 1 {
				c.unusedPart(j.Span, j.Word, "layer")
			}
		}
	case "ends":
		l.FloorsEnd = true
		l.FloorCite = c.cite(line.Tail.Cite)
		what := ""
		if len(line.Joins) == 1 && line.Joins[0].Word == "with" && len(line.Joins[0].Exprs) == 1 && len(line.Exprs) == 0 {
			what, _, _ = single(line.Joins[0].Exprs[0])
		}
		if what != "floors" {
			c.diags.Add("bad-line", line.Span, "want", "ends with floors")
		}
	case "floors":
		l.FloorsEach = true
		l.FloorCite = c.cite(line.Tail.Cite)
		c.wordAfter(line, "each")
		c.noJoins(line, "layer")
	case "timestamp":
		l.NewestFirst = true
		c.wordAfter(line, "newest")
		c.noJoins(line, "layer")
	default:
		c.unknownLine(line, "layer", "takes", "ends", "floors", "timestamp")
	}
}

// sortAfter orders names so that each comes after the one that it names. Of
// several behind the same one, that of the latest module comes first, so that a
// new layer or step lands where it was put; ties inside a module go by name. Of a
// circle it returns the first name.
func (c *checker) sortAfter(head string, names []string, after map[string]string) (order []string, circle string) {
	module := map[string]int{}
	for _, d := range c.byHead[head] {
		module[d.name] = d.module
	}
	names = append([]string(nil), names...)
	sort.SliceStable(names, func(i, j int) bool { return module[names[i]] < module[names[j]] })
	var out []string
	placed := map[string]bool{}
	for len(out) < len(names) {
		found := false
		for _, n := range names {
			if a, ok := after[n]; !placed[n] && (!ok || placed[a]) {
				at := len(out)
				for i := range out {
					if ok && out[i] == a {
						at = i + 1
					}
				}
				out = append(out, "")
				copy(out[at+1:], out[at:])
				out[at] = n
				placed[n], found = true, true
				break // one of an earlier module may have waited for it
			}
		}
		if !found {
			for _, n := range names {
				if !placed[n] {
					out = append(out, n)
					if circle == "" {
						circle = n
					}
				}
			}
			return out, circle
		}
	}
	return out, ""
}

var orderWords = map[string][]string{
	"effects":      {"dependency", "timestamp"},
	"timestamps":   {"turn_player", "other_player", "choice"},
	"authority":    {"prohibit", "require", "permit"},
	"triggers":     {"arrival", "newest", "turn_player", "other_player", "choice"},
	"replacements": {"choice"},
}

func (c *checker) order(o *program.OrderDef, d *decl) {
	known, ok := orderWords[o.Name]
	if !ok {
		c.diags.Add("unknown-order", nameSpan(d.Decl), "name", o.Name).Near = nearest(o.Name, keys(orderWords))
		return
	}
	for _, l := range d.Plain.Lines {
		found := false
		for _, k := range known {
			found = found || k == l.Head.Text
		}
		if !found {
			c.unknownLine(l, "order "+o.Name, known...)
			return
		}
	}
	switch o.Name {
	case "authority":
		for _, w := range o.Criteria {
			for v, n := range program.VerbNames {
				if n == w {
					c.p.Options.Authority = append(c.p.Options.Authority, program.Verb(v))
				}
			}
		}
	case "timestamps":
		c.p.Options.Timestamps = together(o.Criteria)
	case "triggers":
		c.p.Options.Triggers = together(o.Criteria)
		c.p.Options.NewestTrigger = len(o.Criteria) > 0 && o.Criteria[0] == "newest"
	case "replacements":
		c.p.Options.Replacements = together(o.Criteria)
	case "effects":
		c.p.Options.NoDependency = len(o.Criteria) == 0 || o.Criteria[0] != "dependency"
	}
}

// together reads how things that come at one moment are put in order.
func together(criteria []string) program.Together {
	t := program.Together{Fixed: true}
	for _, w := range criteria {
		switch w {
		case "other_player":
			t.OtherFirst = true
		case "choice":
			t.Fixed = false
		}
	}
	return t
}

func (c *checker) reading(r *program.ReadingDef, at, valueAt source.Span) {
	if r.Switch == "chosen" {
		return // named, and carried out by the data beside it
	}
	known, ok := program.Switches[r.Switch]
	switch {
	case r.Switch == "":
	case !ok:
		c.diags.Add("unknown-switch", at, "name", r.Switch).Near = nearest(r.Switch, keys(program.Switches))
	case !c.p.Options.Set(r.Switch, r.Value):
		c.diags.Add("unknown-switch", valueAt, "name", r.Value).Near = nearest(r.Value, known[:])
	}
}

// topics reads what a statement speaks of.
func (c *checker) topics(l *grammar.Line, s *program.Statement) {
	want := "speaks of " + strings.Join(program.TopicNames, ", ")
	if len(l.Exprs) > 0 || len(l.Joins) != 1 || l.Joins[0].Word != "of" || s.Topics != 0 {
		c.diags.Add("bad-line", l.Span, "want", want)
		return
	}
	for _, e := range l.Joins[0].Exprs {
		name, span, _ := single(e)
		if span.File == nil {
			span = e.Span
		}
		i := slices.Index(program.TopicNames, name)
		if i < 0 {
			c.diags.Add("unknown-topic", span, "name", name, "known", strings.Join(program.TopicNames, ", ")).Near = nearest(name, program.TopicNames)
			continue
		}
		s.Topics |= 1 << i
	}
}

// texts declares statements, summaries, views, phrases and decks.
func (c *checker) texts() {
	for _, d := range c.byHead["statement"] {
		s := &program.Statement{Decl: c.head(d), Rule: d.Plain.Title.Text, Status: d.Plain.Status.Text}
		if d.Plain.Kind != grammar.TitleRule || d.Plain.Key == nil {
			if !d.Failed {
				c.diags.Add("bad-statement", nameSpan(d.Decl))
			}
			continue
		}
		s.Key = d.Plain.Key.Value
		c.rules[s.Rule] = true
		c.keys[s.Key] = s.Rule
		for _, l := range d.Plain.Lines {
			switch l.Head.Text {
			case "by":
			case "speaks":
				c.topics(l, s)
				continue
			default:
				c.unknownLine(l, "statement", "by", "speaks")
				continue
			}
			by := ""
			if len(l.Exprs) == 1 {
				if _, _, ok := single(l.Exprs[0]); ok {
					by = l.Exprs[0].Tokens[0].Text
				}
			}
			if by == "" || s.By != "" {
				c.diags.Add("bad-line", l.Span, "want", `by "…"`)
			}
			s.By = by
			c.noJoins(l, "statement")
		}
		switch s.Status {
		case "normative", "interpretation", "provisional":
		default:
			if !d.Failed {
				c.diags.Add("statement-without-status", d.Plain.Key.Span, "key", s.Key)
			}
		}
		c.p.Statement = append(c.p.Statement, s)
	}
	for _, d := range c.byHead["summary"] {
		s := &program.Summary{Decl: c.head(d), Rule: d.Plain.Title.Text}
		c.rules[s.Rule] = true
		c.p.Summaries = append(c.p.Summaries, s)
	}
	for _, d := range c.byHead["phrase"] {
		c.p.Phrases = append(c.p.Phrases, &program.Phrase{Decl: c.head(d), Key: d.name})
	}
	c.views()
	for _, d := range c.byHead["deck"] {
		deck := &program.Deck{Decl: c.head(d)}
		c.p.Decks = append(c.p.Decks, deck)
		c.later = append(c.later, func() {
			seen := map[string]bool{}
			var twice *diag.Diagnostic
			var others []string
			for _, l := range d.Plain.Lines {
				if l.Head.Text != "card" {
					c.unknownLine(l, "deck", "card")
					continue
				}
				name, span, ok := "", l.Span, false
				if len(l.Exprs) == 1 {
					name, span, ok = single(l.Exprs[0])
				}
				if !ok || len(l.Joins) > 0 {
					c.diags.Add("bad-line", l.Span, "want", `card "…"`)
					continue
				}
				i, ok := c.cards[name]
				if !ok {
					c.unknown("unknown-card", grammar.Name{Span: span, Text: name}, c.cards)
					continue
				}
				c.mention(program.NameKey{Sort: "card", Name: name}, span)
				switch {
				case seen[name] && twice == nil: // one warning for the deck: where several are meant, many are
					twice = c.diags.Warn("card-twice-in-deck", span, "name", name)
				case seen[name] && twice.Value("name") != name && !slices.Contains(others, name):
					others = append(others, name)
				}
				seen[name] = true
				deck.Cards = append(deck.Cards, i)
			}
			if others != nil {
				twice.Values = append(twice.Values, "more", strings.Join(others, ", "))
			}
			if len(d.Plain.Lines) == 0 && !d.Failed {
				c.diags.Add("empty-deck", deck.Head, "name", deck.Name)
			}
		})
	}
}
