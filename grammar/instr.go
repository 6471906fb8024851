package grammar

import "github.com/momon-rules/momon/grammar/diag"

// Instructions and the bodies that hold them.

func nearest(word string, known []string) string { return diag.Nearest(word, known) }

func capital(t *Token) *diag.Fix {
	if t.Text == "" || t.Text[0] < 'a' || t.Text[0] > 'z' {
		return nil
	}
	return &diag.Fix{Span: t.Span, Text: string(t.Text[0]-'a'+'A') + t.Text[1:]}
}

// maybeBody reads a body if one begins here.
func (p *parser) maybeBody() *Body {
	if p.isPunct(":") || p.isPunct("{") {
		return p.body()
	}
	return nil
}

// colonAndBrace reports ": {" and lets the block be read all the same.
func (p *parser) colonAndBrace() {
	colon := p.toks[p.i-1].Span
	d := p.reports.add(p.diags, colon, func() *diag.Diagnostic { return p.diags.Add("colon-and-brace", colon) })
	d.Fix = &diag.Fix{Span: colon}
	p.slips++
}

func (p *parser) body() *Body {
	start := p.i
	b := &Body{}
	at := 0
	if p.isPunct(":") {
		at++
	}
	if o := p.ahead(at + 1); p.ahead(at).Text == "{" && o.Kind == Word && o.Text == "option" {
		p.i += at
		p.want("either")
		return b
	}
	if p.gotPunct(":") {
		if !p.isPunct("{") {
			b.Instrs = []*Instr{p.instr()}
			b.Span = p.since(start)
			return b
		}
		p.colonAndBrace()
	}
	if !p.isPunct("{") {
		p.want("@colon-or-block")
		return b
	}
	b.Block = true
	p.lines(func() {
		in := p.instr()
		in.Cite = p.cite()
		if !p.bad {
			b.Instrs = append(b.Instrs, in)
		}
	})
	b.Span = p.since(start)
	return b
}

var blockVerbs = []string{"choose", "may", "either", "if", "for", "repeat", "together", "effect", "later", "record", "proceed"}

func (p *parser) instr() *Instr {
	start := p.i
	in := &Instr{}
	t := p.peek()
	if !isWordLike(t) || t.Kind == Word && (reserved(t.Text) || t.Text == "option") {
		p.want("@instruction")
		return in
	}
	if n := p.ahead(1); t.Kind == Word && t.Text == "when" && n.Kind == Word { // a trigger that waits once
		p.fail("expected", t.Span, "want", "@instruction", "found", t.Text, "instead", "later when …")
		return in
	}
	if n := len(p.blocks); t.Kind == Word && t.Text == "always" && n > 0 { // a line of rule text: the body before it was not closed
		p.fail("unclosed-block", p.blocks[n-1])
		p.lost = true
		return in
	}
	if !p.nest() {
		return in
	}
	defer func() { p.depth-- }()
	in.Verb, in.At = t.Text, t.Span
	p.i++
	switch t.Text {
	case "record":
		p.record(in)
	case "choose":
		p.choose(in)
	case "may":
		in.By = p.maybeBy()
		if p.isWord("once") || p.isWord("limit") {
			in.Limit = p.limit()
		}
		in.Body = p.body()
		p.orElse(in)
	case "either":
		in.By = p.maybeBy()
		p.options(in)
	case "if":
		in.Cond = p.expr()
		p.noThen(in.Cond)
		in.Body = p.body()
		p.orElse(in)
	case "for":
		n := p.wordName()
		in.Var = &n
		if !p.gotWord("in") {
			p.want("in")
		}
		in.From = p.source("ordered")
		if p.gotWord("ordered") {
			if !p.gotWord("by") {
				p.want("by")
			}
			in.OrderedBy = p.expr()
		}
		in.Body = p.body()
	case "repeat":
		in.Until = p.gotWord("until")
		in.Cond = p.expr()
		in.Body = p.body()
	case "together":
		in.Body = p.body()
	case "as": // in the script of a case: done as by an ability of that object or player
		in.By = p.expr()
		in.Body = p.body()
	case "effect":
		p.effect(in)
	case "later":
		if !p.gotWord("when") {
			p.want("when")
		}
		in.Moment = p.moment()
		in.Body = p.body()
	case "proceed":
		in.With = p.withs()
	default:
		p.call(in, t)
	}
	in.Span = p.since(start)
	return in
}

// orElse reads what is done otherwise, if anything is.
func (p *parser) orElse(in *Instr) {
	if !p.gotWord("else") {
		return
	}
	if at := p.i; p.isWord("if") {
		nested := p.instr()
		in.Else = &Body{Span: p.since(at), Instrs: []*Instr{nested}}
	} else {
		in.Else = p.body()
	}
}

// noThen reports "then" behind a condition, which ":" stands for.
func (p *parser) noThen(cond *Expr) {
	if p.isPunct(":") || p.isPunct("{") {
		return
	}
	for i := range cond.Tokens {
		if t := &cond.Tokens[i]; t.Kind == Word && t.Text == "then" {
			d := p.fail("expected", t.Span, "want", "@colon-or-block", "found", t.Text, "here", "@colon-or-block")
			d.Fix = &diag.Fix{Span: t.Span, Text: ":", Guess: true}
			return
		}
	}
}

// manyAtOnce reports "each" where an action takes what it is done to: one object.
func (p *parser) manyAtOnce() {
	if t := p.peek(); t.Kind == Word && t.Text == "each" && p.ahead(1).Kind == Ident {
		p.fail("each-in-action", t.Span, "kind", p.ahead(1).Text)
	}
}

func (p *parser) maybeBy() *Expr {
	if p.gotWord("by") {
		return p.expr()
	}
	return nil
}

func (p *parser) record(in *Instr) {
	in.Path = append(in.Path, p.wordOrName())
	for p.gotPunct(".") {
		in.Path = append(in.Path, p.wordOrName())
	}
	if !p.gotPunct("=") {
		p.want("=")
	}
	in.Value = p.expr()
}

// wordOrName takes a name of either case: cases record to givens, A.power.
func (p *parser) wordOrName() Name { return p.name("@word", isKind) }

func (p *parser) choose(in *Instr) {
	if t, n := p.peek(), p.ahead(1); t.Kind == Int || isKind(t) && n.Kind != EOL && n.Kind != EOF && !(n.Kind == Word && n.Text == "from") {
		in.Min = p.primary()
		in.Max = in.Min
		if p.gotWord("to") {
			in.Max = p.primary()
		}
	}
	n := p.wordName()
	in.Var = &n
	if !p.gotWord("from") {
		p.want("from")
	}
	in.From = p.source("for")
	for !p.bad {
		switch {
		case p.isWord("by") && (in.By == nil && !in.Chance):
			p.i++
			if p.isWord("chance") {
				p.i++
				in.Chance = true
			} else {
				in.By = p.exprUntil("for")
			}
			continue
		case in.For == nil && p.gotWord("for"):
			in.For = p.chooseCall()
			continue
		}
		break
	}
}

// chooseCall reads what a choice is for. Of two "by", the first is the action's
// and the second says who chooses; "by chance" is always the choice's.
func (p *parser) chooseCall() *Call {
	start := p.i
	c := &Call{Action: p.name("@action", isWordLike)}
	by := false
	for !p.bad && p.prep() {
		if p.isWord("by") {
			if by || p.ahead(1).Text == "chance" {
				break
			}
			by = true
		}
		c.Args = append(c.Args, p.join())
	}
	c.With = p.withs()
	c.Span = p.since(start)
	return c
}

func (p *parser) options(in *Instr) {
	p.lines(func() {
		at := p.i
		t := p.peek()
		if !p.gotWord("option") {
			if t.Kind != Word {
				p.want("option")
				return
			}
			d := p.fail("unknown-clause", t.Span, "found", t.Text)
			p.near(d, t, "option")
			return
		}
		o := &Option{Texts: p.someTexts()}
		o.Body = p.body()
		o.Span = p.since(at)
		if !p.bad {
			in.Options = append(in.Options, o)
		}
	})
}

func (p *parser) effect(in *Instr) {
	if p.peek().Kind == Ident {
		in.Label = p.anyName()
	}
	for !p.bad {
		switch {
		case in.From == nil && p.gotWord("on"):
			in.From = p.source("timestamp")
			continue
		case in.Moment == nil && p.gotUntil():
			in.Moment = p.moment()
			continue
		case in.While == nil && p.gotWord("while"):
			in.While = p.exprUntil("timestamp")
			continue
		case in.Timestamp == nil && p.gotWord("timestamp"):
			in.Timestamp = p.expr()
			continue
		}
		break
	}
	in.Changes = p.changes()
}

// prep reports whether a role of an action may begin here.
func (p *parser) prep() bool {
	t := p.peek()
	if t.Kind != Word {
		return false
	}
	switch t.Text {
	case "by", "to", "from", "at", "on", "of":
		return true
	}
	return false
}

func (p *parser) join() Join {
	start := p.i
	j := Join{Word: p.peek().Text}
	p.i++
	p.manyAtOnce()
	j.Exprs = p.exprs()
	j.Span = p.since(start)
	return j
}

func (p *parser) withs() []With {
	var out []With
	for {
		start := p.i
		if !p.gotWord("with") {
			return out
		}
		n := p.wordName()
		if !p.gotPunct("=") {
			p.want("=")
		}
		v := p.expr()
		out = append(out, With{p.since(start), n, v})
	}
}

// call reads an action with what it is done to.
func (p *parser) call(in *Instr, verb *Token) {
	in.Action = &Name{verb.Span, verb.Text}
	p.manyAtOnce()
	if p.operand() {
		if e, ok := p.count(); ok {
			in.Count = e
		}
		in.Object = p.expr()
	}
	for !p.bad && p.prep() {
		in.Args = append(in.Args, p.join())
	}
	if p.gotUntil() {
		in.Moment = p.moment()
	}
	in.With = p.withs()
	if verb.Text == "unless" && (p.isPunct(":") || p.isPunct("{")) {
		p.fail("no-unless", verb.Span)
		return
	}
	if p.isPunct(":") || p.isPunct("{") {
		p.unknownClause(verb, append(blockVerbs, clauseHeads...)...)
	}
}

// clauseHeads are head words of lines that hold instructions, for "did you mean".
var clauseHeads = []string{"when", "always", "granted", "option", "finally", "do", "during", "as", "repair", "given", "says"}

// operand reports whether an expression can begin here.
func (p *parser) operand() bool {
	t := p.peek()
	switch t.Kind {
	case Ident, Int, RuleNo, String:
		return true
	case Illegal:
		p.fail("", t.Span)
		return false
	case Word:
		return !reserved(t.Text) && p.ahead(1).Kind != String
	case Punct:
		switch t.Text {
		case "(", "[", "-", ".", "#", "!", "+":
			return true
		}
	}
	return false
}

// count reads the number before a name: remove 1 Growth from m. A bracket or a
// word before a capital name counts too.
func (p *parser) count() (*Expr, bool) {
	start := p.i
	t := p.peek()
	if t.Kind != Int && !(t.Kind == Word && t.Text != "not") && !(t.Kind == Punct && t.Text == "(") {
		return nil, false
	}
	if t.Kind == Word && p.ahead(1).Kind == Punct && p.ahead(1).Text != "." {
		return nil, false
	}
	e := p.primary()
	n := p.peek()
	if n.Kind == Ident || n.Kind == Word && t.Kind == Int && !reserved(n.Text) && !operator(n.Text) && p.ahead(1).Kind != String {
		return e, true
	}
	if !p.bad {
		p.i = start
	}
	return nil, false
}
