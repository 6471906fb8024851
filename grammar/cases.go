package grammar

// Cases: tests of the rules, written in the language itself.

func (p *parser) caseDecl() *Case {
	c := &Case{ID: p.str("@string")}
	if t := p.peek(); t.Kind == Word && (status(t.Text) || t.Text == "draft") {
		c.Status = t.Text
		p.i++
	} else if t.Kind == Word && p.ahead(1).Kind != String && !reserved(t.Text) {
		d := p.fail("unknown-clause", t.Span, "found", t.Text)
		p.near(d, t, "normative", "interpretation", "provisional", "draft")
		return c
	}
	c.Tail = p.tail()
	p.lines(func() {
		if l := p.caseLine(); !p.bad {
			c.Lines = append(c.Lines, l)
		}
	})
	return c
}

func status(s string) bool {
	return s == "normative" || s == "interpretation" || s == "provisional"
}

func (p *parser) caseLine() *CaseLine {
	start := p.i
	l := &CaseLine{}
	t := p.peek()
	if t.Kind != Word {
		l.Instr = p.instr()
		l.Cite = p.cite()
		l.Span = p.since(start)
		return l
	}
	if !p.nest() {
		return l
	}
	defer func() { p.depth-- }()
	l.Verb, l.At = t.Text, t.Span
	p.i++
	switch t.Text {
	case "confirms", "refutes":
		r := p.ref()
		l.Ref = &r
		if p.gotWord("under") {
			l.Word = p.anyName()
		}
	case "not":
		for _, w := range []string{"exportable", "because"} {
			if !p.gotWord(w) {
				p.want(w)
			}
		}
		s := p.str("@string")
		l.Kept = &s
	case "given":
		p.given(l)
	case "during":
		l.Window = p.anyName()
		if p.gotWord("of") {
			l.Of = p.expr()
		}
		switch {
		case p.gotPunct(":"):
			if p.isPunct("{") {
				p.colonAndBrace()
				l.Case = p.caseBlock()
				break
			}
			l.Case = []*CaseLine{p.caseLine()}
		case p.isPunct("{"):
			l.Case = p.caseBlock()
		default:
			p.want("@colon-or-block")
		}
	case "as":
		l.Expr = p.expr()
		l.Body = p.body()
	case "expect":
		l.Expr = p.expr()
	case "refused":
		l.Pattern = p.pattern()
		if p.gotWord("by") {
			l.Word = p.anyName()
		}
	case "happened":
		l.Pattern = p.pattern()
	case "never":
		if p.gotWord("asked") {
			l.Word = &Name{p.toks[p.i-1].Span, "asked"}
		} else {
			l.Pattern = p.pattern()
		}
	case "asked":
		l.Word = p.anyName()
		l.By = p.maybeBy()
	case "legal", "illegal":
		p.legal(l)
	case "repair":
		l.Body = p.body()
	case "answer":
		l.Word = p.anyName()
		if !p.gotWord("with") {
			p.want("with")
		}
		l.Expr = p.expr()
		l.By = p.maybeBy()
	default:
		p.i = start
		l.Verb = ""
		l.Instr = p.instr()
	}
	l.Cite = p.cite()
	l.Span = p.since(start)
	return l
}

func (p *parser) caseBlock() []*CaseLine {
	var out []*CaseLine
	p.lines(func() {
		if l := p.caseLine(); !p.bad {
			out = append(out, l)
		}
	})
	return out
}

func (p *parser) given(l *CaseLine) {
	for {
		l.Names = append(l.Names, p.name("@given-name", isKind))
		if !p.gotPunct(",") {
			break
		}
	}
	if !p.gotPunct(":") {
		p.want(":")
	}
	if t := p.peek(); t.Kind == String {
		l.Kind, l.IsCard = &Name{t.Span, t.Text}, true
		p.i++
	} else {
		k := p.name("@kind", func(t *Token) bool { return isKind(t) && !(t.Kind == Word && reserved(t.Text)) })
		l.Kind = &k
	}
	for !p.bad && p.prep() {
		l.Joins = append(l.Joins, p.join())
	}
	if p.isPunct("{") {
		p.lines(func() {
			if r := p.ruleLine(); !p.bad {
				l.Lines = append(l.Lines, r)
			}
		})
	}
}

// legal reads an action that is only tried. After "illegal", a last "by
// prohibit", "by require" or "by impossible" says what refuses it.
func (p *parser) legal(l *CaseLine) {
	start := p.i
	c := &Call{Action: p.name("@action", isWordLike)}
	if p.operand() {
		c.Object = p.expr()
	}
	for !p.bad && p.prep() {
		if p.isWord("by") {
			switch w := p.ahead(1); w.Text {
			case "prohibit", "require", "impossible", "permit":
				p.i += 2
				l.Word = &Name{w.Span, w.Text}
				c.Span = p.since(start)
				l.Call = c
				return
			}
		}
		c.Args = append(c.Args, p.join())
	}
	c.With = p.withs()
	if p.isWord("by") {
		p.i++
		l.Word = p.anyName()
	}
	c.Span = p.since(start)
	l.Call = c
}

// CaseWords are the words that lines of a case begin with, besides instructions.
func CaseWords() []string {
	return []string{"given", "during", "expect", "refused", "happened", "never", "asked", "legal", "illegal", "repair", "answer",
		"confirms", "refutes"}
}
