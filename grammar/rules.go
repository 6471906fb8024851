package grammar

import "github.com/momon-rules/momon/grammar/diag"

// Rule text: keyword, card, header, errata, and what stands in them.

func (p *parser) rules() *Rules {
	r := &Rules{}
	switch t := p.peek(); {
	case t.Kind == String:
		r.Name, r.IsStr = Name{t.Span, t.Text}, true
		p.i++
	case t.Kind == Ident:
		r.Name = Name{t.Span, t.Text}
		p.i++
	case t.Kind == Word:
		d := p.fail("small-letter", t.Span, "found", t.Text)
		d.Fix = capital(t)
		return r
	default:
		p.want("@title")
		return r
	}
	if p.isPunct("(") {
		r.Params = p.params()
	}
	r.Tail = p.tail()
	if p.isWord("once") || p.isWord("where") {
		p.want("{")
		return r
	}
	if !p.isPunct("{") && p.peek().Kind != EOL && p.peek().Kind != EOF {
		p.stray()
		return r
	}
	p.lines(func() {
		if l := p.ruleLine(); !p.bad {
			r.Lines = append(r.Lines, l)
		}
	})
	return r
}

func (p *parser) params() []Param {
	var out []Param
	p.i++
	for !p.bad {
		start := p.i
		n := p.wordName()
		if !p.gotPunct(":") {
			p.want(":")
		}
		ty := p.typeRef()
		out = append(out, Param{p.since(start), n, ty})
		if p.gotPunct(")") {
			break
		}
		if !p.gotPunct(",") {
			p.want(")")
		}
	}
	return out
}

func (p *parser) typeRef() TypeRef {
	start := p.i
	t := TypeRef{}
	if p.isWord("several") && isKind(p.ahead(1)) {
		t.Several = true
		p.i++
	}
	t.Kind = p.kindName()
	t.Span = p.since(start)
	return t
}

func (p *parser) ruleLine() *RuleLine {
	start := p.i
	l := &RuleLine{}
	t := p.peek()
	switch {
	case t.Kind == Ident:
		l.Phrase = p.phrase()
	case t.Kind != Word:
		p.want("@rule-line")
	case t.Text == "always":
		p.i++
		l.Always = p.always()
		l.Always.Span = p.since(start)
		l.Always.Cite = p.cite()
	case t.Text == "when":
		l.When = p.when()
	case t.Text == "granted":
		l.Granted = p.granted()
	case t.Text == "says":
		p.i++
		l.Says = p.someTexts()
	default:
		l.Field = p.field()
	}
	if c := p.cite(); c != nil {
		l.Cite = c
	} else if l.Always != nil {
		l.Cite = l.Always.Cite
	}
	l.Span = p.since(start)
	return l
}

var ruleHeads = []string{"always", "when", "granted", "says"}

func (p *parser) field() *Field {
	head := p.peek()
	p.i++
	f := &Field{Name: Name{head.Span, head.Text}}
	t := p.peek()
	ends := t.Kind == EOL || t.Kind == EOF || t.Kind == Accepts || t.Kind == Punct && (t.Text == ":" || t.Text == "{" || t.Text == "=" || t.Text == "}") ||
		t.Kind == Word && reserved(t.Text)
	if !ends {
		f.Exprs = p.exprs()
		if t = p.peek(); p.bad || t.Kind == EOL || t.Kind == EOF || t.Kind == Accepts || t.Kind == Punct && t.Text == "}" ||
			t.Kind == Word && (t.Text == "rule" || t.Text == "provisional") {
			return f
		}
	}
	switch {
	case len(f.Exprs) == 0 && p.lineOver(): // which word it is, the vocabulary decides
		return f
	case p.isPunct(":") || p.isPunct("=") && len(f.Exprs) == 0:
		if nearest(head.Text, ruleHeads) == "" {
			p.fail("sign-behind-word", t.Span, "found", t.Text, "name", head.Span.To(p.toks[p.i-1].Span).Text())
			return f
		}
	}
	// What follows is no list of values, so the head word was meant as another.
	p.unknownClause(head, ruleHeads...)
	return f
}

// lineOver reports whether nothing more stands in the line.
func (p *parser) lineOver() bool {
	t := p.peek()
	return !p.bad && (t.Kind == EOL || t.Kind == EOF || t.Kind == Punct && t.Text == "}")
}

// unknownClause reports a line whose shape belongs to another head word, at the
// head word if a known one is near, else where the line stops making sense.
func (p *parser) unknownClause(head *Token, known ...string) {
	if p.bad {
		return
	}
	if p.toks[p.i].Kind == Illegal {
		p.fail("", head.Span)
		return
	}
	if near := nearest(head.Text, known); near != "" {
		d := p.fail("unknown-clause", head.Span, "found", head.Text)
		p.near(d, head, near)
		return
	}
	switch t := p.peek(); {
	case t.Kind == EOL || t.Kind == EOF || t.Kind == Punct && t.Text == "}":
		p.want("@expression")
	default:
		p.stray()
	}
}

// phrase reads a line that begins with a name: a header with what it does, or a
// keyword with its arguments. Which one, the vocabulary decides later.
func (p *parser) phrase() *Phrase {
	start, depth := p.i, 0
	ph := &Phrase{}
scan:
	for {
		t := &p.toks[p.i]
		switch t.Kind {
		case EOF, EOL, Accepts:
			break scan
		case Illegal:
			p.fail("", t.Span)
			return ph
		case Punct:
			switch t.Text {
			case "(", "[":
				depth++
			case ")", "]":
				depth--
			case ":":
				if depth == 0 {
					break scan
				}
			case "{", "}":
				break scan
			}
		case Word:
			if depth == 0 {
				switch t.Text {
				case "where", "limit", "once", "rule":
					break scan
				}
			}
		}
		p.i++
	}
	words := p.toks[start:p.i:p.i]
	if n := len(words); n >= 3 && words[n-1].Kind == Ident && words[n-2].Kind == Word && words[n-2].Text == "in" {
		ph.In = &Expr{words[n-1].Span, words[n-1:]}
		words = words[:n-2]
	}
	ph.Words = words
	for !p.bad {
		switch {
		case ph.Where == nil && p.gotWord("where"):
			ph.Where = p.expr()
			continue
		case ph.Limit == nil && (p.isWord("once") || p.isWord("limit")):
			ph.Limit = p.limit()
			continue
		}
		break
	}
	ph.Body = p.maybeBody()
	ph.Span = p.since(start)
	return ph
}

func (p *parser) limit() *Limit {
	start := p.i
	l := &Limit{}
	if !p.gotWord("once") {
		p.i++
		l.Count = p.expr()
	}
	if !p.gotWord("per") {
		p.want("per")
	}
	l.Per = p.kindName()
	l.Span = p.since(start)
	l.Cite = p.cite()
	return l
}

// always reads a static ability from behind its head word.
func (p *parser) always() *Always {
	start := p.i - 1
	a := &Always{}
	if t := p.peek(); t.Kind == Ident {
		a.Name = p.anyName()
	}
	for !p.bad {
		switch {
		case a.In == nil && p.gotWord("in"):
			a.In = p.primary()
			continue
		case a.On == nil && p.gotWord("on"):
			a.On = p.source("")
			continue
		case a.While == nil && p.gotWord("while"):
			a.While = p.expr()
			continue
		}
		break
	}
	a.Changes = p.changes()
	a.Span = p.since(start)
	return a
}

func (p *parser) when() *When {
	start := p.i
	p.i++
	w := &When{}
	if p.gotWord("in") {
		w.In = p.primary()
	}
	w.Moment = p.moment()
	w.MomentCite = p.cite()
	if p.gotWord("among") {
		w.Among = p.expr()
		if p.gotWord("where") {
			w.AmongWhere = p.expr()
		}
		w.AmongCite = p.cite()
	}
	if p.isWord("once") || p.isWord("limit") {
		w.Limit = p.limit()
	}
	w.Body = p.maybeBody()
	w.Span = p.since(start)
	return w
}

func (p *parser) granted() *Granted {
	start := p.i
	p.i++
	g := &Granted{}
	if !p.gotWord("to") {
		p.want("to")
	}
	g.To = p.wordName()
	p.lines(func() {
		at := p.i
		l := &GrantLine{}
		if p.isWord("only") {
			l.OnlyIf, l.Else = p.onlyIf()
		} else if p.isWord("needs") {
			l.Needs = p.needed()
		} else {
			l.Instr = p.instr()
		}
		l.Cite = p.cite()
		l.Span = p.since(at)
		if !p.bad {
			g.Lines = append(g.Lines, l)
		}
	})
	g.Span = p.since(start)
	return g
}

// onlyIf reads a condition and, behind else, what is told where it fails.
func (p *parser) onlyIf() (*Expr, []Text) {
	p.i++
	if !p.gotWord("if") {
		p.want("if")
	}
	cond := p.expr()
	if p.gotWord("else") {
		return cond, p.someTexts()
	}
	return cond, nil
}

func (p *parser) moment() *Moment {
	p.needless()
	start := p.i
	m := &Moment{}
	if t := p.peek(); t.Kind == Word {
		switch {
		case (t.Text == "start" || t.Text == "end") && p.ahead(1).Text == "of":
			m.Edge = t.Text
			p.i += 2
			p.needless()
		case t.Text != "start" && t.Text != "end" && p.ahead(1).Text == "of" && diag.Nearest(t.Text, []string{"start", "end"}) != "":
			p.fail("expected", t.Span, "want", "@action", "found", t.Text, "instead", diag.Nearest(t.Text, []string{"start", "end"})+" of")
		case t.Text == "during" && isKind(p.ahead(1)):
			m.Edge = t.Text
			p.i++
		}
	}
	if p.isWord("next") && isKind(p.ahead(1)) && !reserved(p.ahead(1).Text) {
		m.Next = true
		p.i++
	}
	m.Pattern = p.pattern()
	m.Span = p.since(start)
	return m
}

func (p *parser) pattern() *Pattern {
	start := p.i
	t := p.peek()
	if t.Kind == Word && reserved(t.Text) {
		p.want("@action")
		return &Pattern{}
	}
	pt := &Pattern{Action: p.name("@action", isKind)}
	if p.gotWord("where") {
		pt.Where = p.expr()
	}
	pt.Span = p.since(start)
	return pt
}

func (p *parser) changes() *Changes {
	start := p.i
	c := &Changes{}
	switch {
	case p.gotPunct(":"):
		at := p.i
		if p.isPunct("{") {
			p.colonAndBrace()
			c.Items, c.Block = p.changeBlock(), true
			break
		}
		op := p.op()
		c.Items = append(c.Items, &Change{Span: p.since(at), Op: op})
	case p.isPunct("{"):
		c.Items, c.Block = p.changeBlock(), true
	default:
		p.want("@colon-or-block")
	}
	c.Span = p.since(start)
	return c
}

func (p *parser) changeBlock() []*Change {
	var out []*Change
	p.lines(func() {
		p.inChanges = true
		at := p.i
		c := &Change{}
		switch t := p.peek(); {
		case t.Kind == Word && t.Text == "when":
			c.When = p.when()
		case p.gotWord("until"):
			c.Until = p.moment()
		case p.gotWord("while"):
			c.While = p.expr()
		case p.gotWord("finally"):
			c.Finally = p.body()
		default:
			c.Op = p.op()
		}
		c.Cite = p.cite()
		c.Span = p.since(at)
		if !p.bad {
			out = append(out, c)
		}
	})
	return out
}

var opVerbs = []string{"set", "add", "remove", "strip", "lock", "raise", "lower", "copy", "prohibit", "permit", "require", "instead"}

func (p *parser) op() *Op {
	start := p.i
	t := p.peek()
	if t.Kind != Word {
		p.want("@operation")
		return &Op{}
	}
	o := &Op{Verb: t.Text, At: t.Span}
	p.i++
	char := func() { n := p.name("@characteristic", isWordLike); o.Char = &n }
	word := func(w string) {
		if !p.gotWord(w) {
			p.want(w)
		}
	}
	switch t.Text {
	case "set":
		if next := p.ahead(1); next.Kind == Word && next.Text != "to" || next.Kind == Ident {
			o.Base = p.gotWord("base") // "set base to 3" sets a characteristic of that name
		}
		char()
		word("to")
		o.Value = p.expr()
	case "add", "remove":
		char()
		o.Value = p.expr()
	case "raise", "lower":
		char()
		word("by")
		o.Value = p.expr()
	case "strip", "lock":
		char()
	case "copy":
		o.Value = p.expr()
	case "prohibit", "permit", "require":
		o.Pattern = p.pattern()
	case "instead":
		word("of")
		o.Pattern = p.pattern()
		o.Body = p.body()
	case "when", "until", "while", "finally":
		p.i, o.Verb = start, ""
		p.fail("line-of-a-block", t.Span, "found", t.Text)
	default:
		p.i, o.Verb = start, ""
		d := p.fail("unknown-clause", t.Span, "found", t.Text)
		p.near(d, t, append([]string{"when", "until", "while", "finally"}, opVerbs...)...)
	}
	o.Span = p.since(start)
	return o
}
