package check

import (
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Editors ask where a name is declared and used. The checker is what knows which
// thing a name means, so it notes every name that it resolves; nothing is noted
// where nobody asked for it.

// mention notes that a place speaks of a thing.
func (c *checker) mention(k program.NameKey, at source.Span) {
	if c.opts.Names != nil && at.File != nil && at.End > at.Start {
		c.opts.Names.Mentions = append(c.opts.Names.Mentions, program.Mention{Key: k, Span: at})
	}
}

func (c *checker) declares(k program.NameKey, at, whole source.Span) {
	if c.opts.Names != nil && at.File != nil && at.End > at.Start {
		c.opts.Names.Mentions = append(c.opts.Names.Mentions, program.Mention{Key: k, Span: at, Declares: true, Whole: whole})
	}
}

func (c *checker) mentionKind(k int, at source.Span) { c.mention(c.kindKey(k), at) }

func (c *checker) kindKey(k int) program.NameKey {
	kind := c.p.Kinds[k]
	if kind.Token >= 0 {
		return program.NameKey{Sort: "token", Name: kind.Name}
	}
	return program.NameKey{Sort: "kind", Name: kind.Name}
}

func actionKey(name string) program.NameKey { return program.NameKey{Sort: "action", Name: name} }

// valueKey is the key of a name of a values list.
func (c *checker) valueKey(list int, name string) program.NameKey {
	v := c.p.Values[list]
	if v.Builtin != "" {
		return program.NameKey{Sort: v.Builtin, Name: name}
	}
	return program.NameKey{Sort: "value", Of: v.Name, Name: name}
}

var entityNames = [program.Entities]string{program.Card: "card", program.Token: "token", program.Player: "player", program.Game: "game", program.Place: "place"}

func (c *checker) charKey(ch *program.Char) program.NameKey {
	if ch.Action >= 0 {
		return program.NameKey{Sort: "attribute", Of: c.p.Actions[ch.Action].Name, Name: ch.Name}
	}
	return program.NameKey{Sort: "characteristic", Of: entityNames[ch.Entity], Name: ch.Name}
}

func (c *checker) mentionChar(ch *program.Char, at source.Span) { c.mention(c.charKey(ch), at) }

// local is the key of a name of a body, by the place that first gave it.
func (f *frame) key(slot int) program.NameKey {
	return program.NameKey{Sort: "local", Name: f.names[slot], At: f.spans[slot]}
}

// named notes that a body or a case gives a name.
func (c *checker) named(f *frame, slot int, t program.Type) {
	if c.opts.Names == nil || f.names[slot] == "" {
		return
	}
	k := f.key(slot)
	c.declares(k, k.At, k.At)
	if c.opts.Names.Locals == nil {
		c.opts.Names.Locals = map[program.NameKey]program.Type{}
	}
	c.opts.Names.Locals[k] = t
}

// mentionAt notes a name in an expression. A member's place may be its dot; the
// name then is the next token.
func (x *exprChecker) mentionAt(k program.NameKey, at source.Span) {
	if x.opts.Names == nil || at.File == nil {
		return
	}
	for i, t := range x.text.tokens {
		if t.Span == at {
			if t.Kind == grammar.Punct && i+1 < len(x.text.tokens) {
				t = x.text.tokens[i+1]
			}
			if grammar.Fold(t.Text) == k.Name {
				x.mention(k, t.Span)
			}
			return
		}
	}
}

// citeNames notes the parts of 13.2.4 "ward.regrant".
func (c *checker) citeNames(r grammar.Ref) {
	if c.opts.Names == nil || r.File == nil {
		return
	}
	text := r.Span.Text()
	if !strings.HasPrefix(text, r.Rule) {
		return
	}
	at := r.Span
	at.End = at.Start + len(r.Rule)
	c.mention(program.NameKey{Sort: "rule", Name: r.Rule}, at)
	if q := strings.IndexByte(text, '"'); q >= 0 && r.Key != "" {
		c.mention(program.NameKey{Sort: "statement", Name: r.Key}, source.Span{File: r.File, Start: r.Start + q, End: r.End})
	}
}

// plainSorts are the heads whose declarations are known by their name alone.
var plainSorts = map[string]string{
	"values": "values", "kind": "kind", "zone": "zone", "layer": "layer", "order": "order", "reading": "reading", "phrase": "phrase",
	"deck": "deck", "edition": "edition", "table": "table", "token": "token", "keyword": "keyword", "header": "header", "card": "card",
	"case": "case", "action": "action", "step": "action", "text": "language",
}

// declaredNames notes what declarations name: also those that another replaces
// or that hold in another edition, since they share the name.
func (c *checker) declaredNames(all []*decl) {
	for _, d := range all {
		at := nameSpan(d.Decl)
		switch {
		case d.Head == "errata":
			if _, ok := c.cards[d.name]; ok {
				c.mention(program.NameKey{Sort: "card", Name: d.name}, at)
			}
		case d.Head == "statement" && d.Plain != nil:
			c.mention(program.NameKey{Sort: "rule", Name: d.Plain.Title.Text}, d.Plain.Title.Span)
			if d.Plain.Key != nil {
				c.declares(program.NameKey{Sort: "statement", Name: d.Plain.Key.Value}, d.Plain.Key.Span, d.Span)
			}
		case d.Head == "summary" && d.Plain != nil:
			c.declares(program.NameKey{Sort: "rule", Name: d.Plain.Title.Text}, d.Plain.Title.Span, d.Span)
		case d.Head == "view" && d.Plain != nil:
			c.declares(program.NameKey{Sort: "view", Name: d.name}, at, d.Span)
		case d.Char != nil:
			c.declaredChar(d.Char, "")
		case plainSorts[d.Head] != "" && at != d.At:
			k := program.NameKey{Sort: plainSorts[d.Head], Name: d.name}
			if d.Mod == "extend" {
				c.mention(k, at)
			} else {
				c.declares(k, at, d.Span)
			}
		}
		c.declaredParts(d)
	}
}

func (c *checker) declaredParts(d *decl) {
	switch {
	case d.Head == "values" && d.Plain != nil:
		for _, l := range d.Plain.Lines {
			c.declares(program.NameKey{Sort: "value", Of: d.name, Name: grammar.Fold(l.Head.Text)}, l.Head.Span, l.Span)
		}
	case d.Token != nil:
		for _, ch := range d.Token.Chars {
			c.declaredChar(ch, d.name)
		}
	case d.Action != nil:
		for _, r := range d.Action.Roles {
			c.declares(program.NameKey{Sort: "role", Of: d.name, Name: r.Name.Text}, r.Name.Span, r.Span)
		}
		c.declaredAttrs(d.name, d.Action.Lines)
	case d.Step != nil:
		c.declaredAttrs(d.name, d.Step.Lines)
	}
}

func (c *checker) declaredAttrs(action string, lines []*grammar.ActLine) {
	for _, l := range lines {
		switch {
		case l.Char != nil:
			c.declaresChar(program.NameKey{Sort: "attribute", Of: action, Name: l.Char.Name.Text}, l.Char)
		case l.Gathers != nil:
			c.declares(program.NameKey{Sort: "attribute", Of: action, Name: l.Gathers.Name.Text}, l.Gathers.Name.Span, l.Span)
		}
	}
}

func (c *checker) declaredChar(g *grammar.Char, of string) {
	var at source.Span
	if g.Of != nil {
		of, at = g.Of.Text, g.Of.Span
	}
	if k, ok := c.kinds[of]; ok {
		c.mentionKind(k, at)
		c.declaresChar(program.NameKey{Sort: "characteristic", Of: entityNames[c.p.Kinds[k].Entity], Name: g.Name.Text}, g)
	} else if _, ok := c.actions[of]; ok {
		c.mention(actionKey(of), at)
		c.declaresChar(program.NameKey{Sort: "attribute", Of: of, Name: g.Name.Text}, g)
	}
}

func (c *checker) declaresChar(k program.NameKey, g *grammar.Char) {
	c.declares(k, g.Name.Span, g.Span)
	if c.opts.Names.Chars == nil {
		c.opts.Names.Chars = map[program.NameKey]*grammar.Char{}
	}
	c.opts.Names.Chars[k] = g
}

// holeKey says what a hole in the texts of a declaration means.
func (c *checker) holeKey(d *decl, name string) (program.NameKey, bool) {
	if a, ok := c.actions[d.name]; ok && (d.Action != nil || d.Step != nil || d.Head == "phrase") {
		for _, r := range c.p.Actions[a].Roles {
			if r.Name == name {
				return program.NameKey{Sort: "role", Of: d.name, Name: name}, true
			}
		}
		if _, ok := c.p.Actions[a].AttrSlot[name]; ok {
			return program.NameKey{Sort: "attribute", Of: d.name, Name: name}, true
		}
	}
	switch {
	case d.Head == "keyword" && d.Rules != nil:
		for _, p := range d.Rules.Params {
			if p.Name.Text == name {
				return program.NameKey{Sort: "local", Name: name, At: p.Name.Span}, true
			}
		}
	case d.Head == "view" && d.Plain != nil:
		for _, j := range d.Plain.Joins {
			if kind, _, ok := single(j.Exprs[0]); ok && j.Word == "of" {
				if k, known := c.kinds[kind]; known {
					for _, e := range c.entitiesOf(k) {
						if ch := c.char(e, name); ch != nil {
							return c.charKey(ch), true
						}
					}
				}
			}
		}
	}
	return program.NameKey{}, false
}

// mentionHole notes the name in a hole: {name} or {name|…}.
func (c *checker) mentionHole(d *decl, name string, hole source.Span) {
	if c.opts.Names == nil || hole.File == nil {
		return
	}
	if k, ok := c.holeKey(d, name); ok {
		if i := strings.Index(hole.Text(), name); i >= 0 {
			c.mention(k, source.Span{File: hole.File, Start: hole.Start + i, End: hole.Start + i + len(name)})
		}
	}
}

// mentionChoices notes the decisions that cases answer: each is called after
// what some choose names. Where several are called so, it can't be told which.
func (c *checker) mentionChoices() {
	if c.opts.Names == nil || len(c.asked) == 0 {
		return
	}
	byName := map[string][]program.NameKey{}
	for _, k := range c.chosen {
		byName[k.Name] = append(byName[k.Name], k)
	}
	for _, n := range c.asked {
		for _, k := range byName[n.Text] {
			c.opts.Names.Mentions = append(c.opts.Names.Mentions,
				program.Mention{Key: k, Span: n.Span, Loose: len(byName[n.Text]) > 1})
		}
	}
}

// mentionLabel notes what an answer calls an object, an effect or an ability.
func (b *caseBuilder) mentionLabel(t grammar.Token) {
	name := grammar.Fold(t.Text)
	if slot, ok := b.s.frame.find(name); ok {
		b.mention(b.s.frame.key(slot), t.Span)
	} else if at, ok := b.labels[name]; ok {
		b.mention(program.NameKey{Sort: "label", Name: name, At: at}, t.Span)
	} else if _, ok := b.keywords[name]; ok {
		b.mention(program.NameKey{Sort: "keyword", Name: name}, t.Span)
	} else if _, ok := b.cards[name]; ok {
		b.mention(program.NameKey{Sort: "card", Name: name}, t.Span)
	}
}
