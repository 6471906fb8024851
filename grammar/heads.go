package grammar

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2"
	plex "github.com/alecthomas/participle/v2/lexer"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// The heads of declarations as participle grammars. Each alternative differs in
// its first token and a choice once made is kept (lookahead 0), so the message
// speaks of the place where the slip is. A grammar's leaves keep token indices
// only; the tree is built from them afterwards, with the parser's own spans.

// Definition is the rule language's lexer as participle wants it.
type Definition struct{}

// Symbols names the token kinds; a kind's number is its TokenKind plus 10, since
// participle keeps the small negative ones for itself.
func (Definition) Symbols() map[string]plex.TokenType {
	return map[string]plex.TokenType{
		"EOF": plex.EOF, "EOL": kindType(EOL), "Word": kindType(Word), "Ident": kindType(Ident), "Int": kindType(Int),
		"RuleNo": kindType(RuleNo), "String": kindType(String), "Punct": kindType(Punct), "Comment": kindType(Comment),
		"Illegal": kindType(Illegal), "Accepts": kindType(Accepts),
	}
}

func kindType(k TokenKind) plex.TokenType { return plex.TokenType(k) + 10 }

// Lex reads a whole file. Parse itself hands participle tokens that are there
// already; what is wrong with the tokens is not reported here.
func (Definition) Lex(name string, r io.Reader) (plex.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	l := scan(source.NewFile(name, string(text)), &diag.List{}, false)
	return &replay{toks: l.toks[:len(l.toks)-1]}, nil
}

// replay hands tokens to participle. A token's place is its index: Line, from 1.
type replay struct {
	toks []Token
	i    int
}

func (r *replay) Next() (plex.Token, error) {
	i := r.i
	if i >= len(r.toks) {
		return plex.Token{Type: plex.EOF, Pos: plex.Position{Line: i + 1, Column: 1}}, nil
	}
	r.i++
	t := &r.toks[i]
	v := t.Text
	if t.Kind == String {
		v = `"` + v // so that no string is taken for a word of the grammar
	}
	return plex.Token{Type: kindType(t.Kind), Value: v, Pos: plex.Position{Offset: t.Start, Line: i + 1, Column: 1}}, nil
}

// wanted is a leaf's error: what should have stood at the token.
type wanted struct {
	what string
	pos  plex.Position
}

func (w *wanted) Error() string           { return "expected " + w.what }
func (w *wanted) Message() string         { return w.Error() }
func (w *wanted) Position() plex.Position { return w.pos }

// leaf is a run of tokens: indices into the clause.
type leaf struct{ From, To int }

func (l *leaf) one(lex *plex.PeekingLexer, what string, ok func(*Token) bool) error {
	t := lex.Peek()
	tok := Token{Kind: TokenKind(t.Type - 10), Text: t.Value}
	if t.EOF() {
		tok = end
	}
	if !ok(&tok) {
		return &wanted{what, t.Pos}
	}
	l.From = lex.Cursor()
	lex.Next()
	l.To = lex.Cursor()
	return nil
}

// upTo copies at most n of the tokens that are left, with an EOF behind.
func upTo(lex plex.PeekingLexer, n int) []Token {
	var out []Token
	for t := lex.Next(); !t.EOF() && len(out) < n; t = lex.Next() {
		out = append(out, Token{Kind: TokenKind(t.Type - 10), Text: t.Value})
	}
	return append(out, end, end)
}

type (
	wordLeaf   struct{ leaf } // a word, as characteristics and actions have
	roleLeaf   struct{ leaf } // a word that begins a role, or nothing
	kindLeaf   struct{ leaf } // a name or a word
	typeLeaf   struct{ leaf } // what a value is of
	exprLeaf   struct{ leaf }
	sourceLeaf struct{ leaf }
	restLeaf   struct{ leaf } // all that is left; read by hand
)

func (l *wordLeaf) Parse(lex *plex.PeekingLexer) error { return l.one(lex, "@word", isWordLike) }
func (l *kindLeaf) Parse(lex *plex.PeekingLexer) error { return l.one(lex, "@kind", isKind) }

func (l *typeLeaf) Parse(lex *plex.PeekingLexer) error {
	return l.one(lex, "@type", func(t *Token) bool { return isKind(t) && !(t.Kind == Word && reserved(t.Text)) })
}

func (l *roleLeaf) Parse(lex *plex.PeekingLexer) error {
	toks := upTo(*lex, 2)
	if !isWordLike(&toks[0]) || reserved(toks[0].Text) || toks[1].Kind == String {
		return participle.NextMatch
	}
	return l.one(lex, "@word", isWordLike)
}

func (l *exprLeaf) Parse(lex *plex.PeekingLexer) error {
	// Copy as much as the expression is long, not all that is left: a head with
	// many joins would take time in the square of its length.
	size := 16
	toks := upTo(*lex, size)
	n, bad := exprEnd(toks, 0, "")
	for n >= size-1 && len(toks) > size {
		size *= 2
		toks = upTo(*lex, size)
		n, bad = exprEnd(toks, 0, "")
	}
	l.From = lex.Cursor()
	for range n {
		lex.Next()
	}
	l.To = lex.Cursor()
	switch {
	case bad:
		return &wanted{"word-in-brackets", lex.Peek().Pos}
	case n == 0:
		return &wanted{"@expression", lex.Peek().Pos}
	}
	return nil
}

func (l *sourceLeaf) Parse(lex *plex.PeekingLexer) error {
	l.From = lex.Cursor()
	var e exprLeaf
	if toks := upTo(*lex, 2); toks[0].Kind == Word && toks[0].Text == "each" && isKind(&toks[1]) {
		lex.Next()
		lex.Next()
		if t := lex.Peek(); t.Type == kindType(Word) && t.Value == "where" {
			lex.Next()
			if err := e.Parse(lex); err != nil {
				return err
			}
		}
	} else if err := e.Parse(lex); err != nil {
		return err
	}
	l.To = lex.Cursor()
	return nil
}

func (l *restLeaf) Parse(lex *plex.PeekingLexer) error {
	l.From = lex.Cursor()
	for !lex.Peek().EOF() {
		lex.Next()
	}
	l.To = lex.Cursor()
	return nil
}

type typeClause struct {
	Several *kindLeaf `parser:"( (?= 'several' (Word|Ident)) @@ )?"`
	Kind    typeLeaf  `parser:"@@"`
}

type boundClause struct {
	Printed bool      `parser:"  @'printed'"`
	Floor   *exprLeaf `parser:"| 'floor' @@"`
	Ceiling *exprLeaf `parser:"| 'ceiling' @@"`
}

type charClause struct {
	Name   wordLeaf      `parser:"@@"`
	Of     *kindLeaf     `parser:"( 'of' @@ )?"`
	Type   typeClause    `parser:"':' @@"`
	Value  *sourceLeaf   `parser:"( '=' @@ )?"`
	Bounds []boundClause `parser:"@@*"`
	Rest   restLeaf      `parser:"@@"`
}

type paramClause struct {
	Name wordLeaf   `parser:"@@"`
	Type typeClause `parser:"':' @@"`
}

type tableClause struct {
	Name    wordLeaf      `parser:"@@"`
	Params  []paramClause `parser:"( '(' @@ ( ',' @@ )* ')'"`
	Result  *typeClause   `parser:"':' @@"`
	Default *exprLeaf     `parser:"( '=' @@ )? )?"`
	Rest    restLeaf      `parser:"@@"`
}

type firstRole struct {
	Name    roleLeaf    `parser:"@@"`
	Type    typeClause  `parser:"':' @@"`
	Default *sourceLeaf `parser:"( '=' @@ )?"`
}

type prepRole struct {
	Prep    string      `parser:"@( 'by' | 'to' | 'from' | 'at' | 'on' | 'of' | 'within' )"`
	Name    wordLeaf    `parser:"@@"`
	Type    typeClause  `parser:"':' @@"`
	Default *sourceLeaf `parser:"( '=' @@ )?"`
}

type actionClause struct {
	Name  wordLeaf   `parser:"@@"`
	First *firstRole `parser:"@@?"`
	Roles []prepRole `parser:"( (?! 'from' String) @@ )*"`
	Rest  restLeaf   `parser:"@@"`
}

type stepClause struct {
	Name  kindLeaf  `parser:"@@"`
	Of    kindLeaf  `parser:"'of' @@"`
	After *kindLeaf `parser:"( 'after' @@ )?"`
	Rest  restLeaf  `parser:"@@"`
}

type tokenClause struct {
	Name  kindLeaf  `parser:"@@"`
	On    *kindLeaf `parser:"( 'on' @@ )?"`
	Limit *exprLeaf `parser:"( 'limit' @@ )?"`
	Rest  restLeaf  `parser:"@@"`
}

type joinClause struct {
	Word  string     `parser:"@( 'by' | 'to' | 'from' | 'at' | 'on' | 'of' | 'in' | 'after' | 'is' | 'where' | 'with' )"`
	Exprs []exprLeaf `parser:"@@ ( ',' @@ )*"`
}

type titleLeaf struct{ leaf }

func (l *titleLeaf) Parse(lex *plex.PeekingLexer) error {
	return l.one(lex, "@title", func(t *Token) bool {
		return isKind(t) && !reserved(t.Text) || t.Kind == String || t.Kind == RuleNo || t.Kind == Int
	})
}

type plainClause struct {
	Title  titleLeaf    `parser:"@@"`
	Key    string       `parser:"@String?"`
	Status string       `parser:"@( 'normative' | 'interpretation' | 'provisional' )?"`
	Joins  []joinClause `parser:"( (?! 'from' String) @@ )*"`
	Rest   restLeaf     `parser:"@@"`
}

var headOptions = []participle.Option{participle.Lexer(Definition{}), participle.UseLookahead(0)}

var (
	charHead   = participle.MustBuild[charClause](headOptions...)
	tableHead  = participle.MustBuild[tableClause](headOptions...)
	actionHead = participle.MustBuild[actionClause](headOptions...)
	stepHead   = participle.MustBuild[stepClause](headOptions...)
	tokenHead  = participle.MustBuild[tokenClause](headOptions...)
	plainHead  = participle.MustBuild[plainClause](headOptions...)
)

var firstWanted = regexp.MustCompile(`\(expected "([^"]+)"`)

// head parses the tokens up to the block or the end of the line with a participle
// grammar. On success the parser stands where the grammar's rest begins.
func head[C any](p *parser, g *participle.Parser[C], restOf func(*C) int) (*C, []Token) {
	start := p.i
	n := start
	for p.toks[n].Kind != EOF && p.toks[n].Kind != EOL && p.toks[n].Kind != Illegal &&
		!(p.toks[n].Kind == Punct && (p.toks[n].Text == "{" || p.toks[n].Text == "}")) {
		n++
	}
	toks := p.toks[start:n:n]
	lex, err := plex.Upgrade(&replay{toks: toks})
	if err != nil {
		return new(C), toks
	}
	c, err := g.ParseFromLexer(lex)
	if err == nil {
		p.i = start + restOf(c)
		return c, toks
	}
	p.i = start + lex.Cursor()
	what := "@more"
	var w *wanted
	var pe participle.Error
	if errors.As(err, &w) {
		p.i, what = start+w.pos.Line-1, w.what
	} else if errors.As(err, &pe) {
		p.i = start + pe.Position().Line - 1
		if m := firstWanted.FindStringSubmatch(pe.Message()); m != nil {
			what = m[1]
		}
	}
	p.i = min(max(p.i, start), n)
	switch t := p.peek(); {
	case what == "word-in-brackets":
		wordInBrackets(p.fail(what, t.Span, "word", t.Text))
	case what == "@more":
		p.stray()
	default:
		p.want(what)
	}
	return c, toks
}

// clause turns leaves into parts of the tree.
type clause []Token

func (c clause) name(l leaf) Name {
	if l.To <= l.From || l.To > len(c) {
		return Name{}
	}
	return Name{c[l.From].Span, c[l.From].Text}
}

func (c clause) names(l *kindLeaf) *Name {
	if l == nil {
		return nil
	}
	n := c.name(l.leaf)
	return &n
}

func (c clause) expr(l *exprLeaf) *Expr {
	if l == nil || l.To <= l.From {
		return nil
	}
	return &Expr{c[l.From].Span.To(c[l.To-1].Span), c[l.From:l.To:l.To]}
}

func (c clause) typeRef(t typeClause) TypeRef {
	k := c.name(t.Kind.leaf)
	r := TypeRef{k.Span, t.Several != nil, k}
	if t.Several != nil {
		r.Span = c.name(t.Several.leaf).Span.To(k.Span)
	}
	return r
}

func (c clause) source(l *sourceLeaf) *Source {
	if l == nil || l.To <= l.From {
		return nil
	}
	s := &Source{Span: c[l.From].Span.To(c[l.To-1].Span)}
	e := &exprLeaf{l.leaf}
	if c[l.From].Kind == Word && c[l.From].Text == "each" && l.To > l.From+1 && isKind(&c[l.From+1]) {
		k := Name{c[l.From+1].Span, c[l.From+1].Text}
		s.Each = &k
		e.From = l.From + 3 // each Kind where
		s.Where = c.expr(e)
		return s
	}
	s.Expr = c.expr(e)
	return s
}

func (p *parser) char(memory bool) Char {
	start := p.i - 1
	h, toks := head(p, charHead, func(c *charClause) int { return c.Rest.From })
	c := clause(toks)
	ch := Char{Memory: memory, Name: c.name(h.Name.leaf), Of: c.names(h.Of), Type: c.typeRef(h.Type), Value: c.source(h.Value)}
	for _, b := range h.Bounds {
		switch {
		case b.Printed:
			ch.Printed = true
		case b.Floor != nil:
			ch.Floor = c.expr(b.Floor)
		case b.Ceiling != nil:
			ch.Ceiling = c.expr(b.Ceiling)
		}
	}
	ch.Tail = p.tail()
	ch.Span = p.since(start)
	return ch
}

func (p *parser) table() *Table {
	h, toks := head(p, tableHead, func(c *tableClause) int { return c.Rest.From })
	c := clause(toks)
	t := &Table{Name: c.name(h.Name.leaf), Default: c.expr(h.Default)}
	for _, pc := range h.Params {
		n, ty := c.name(pc.Name.leaf), c.typeRef(pc.Type)
		t.Params = append(t.Params, Param{n.Span.To(ty.Span), n, ty})
	}
	if h.Result != nil {
		r := c.typeRef(*h.Result)
		t.Result = &r
	}
	t.Tail = p.tail()
	p.lines(func() {
		start := p.i
		r := &Row{Keys: p.exprs()}
		if !p.gotPunct(":") {
			p.want(":")
		}
		r.Value = p.expr()
		r.Span = p.since(start)
		if !p.bad {
			t.Rows = append(t.Rows, r)
		}
	})
	return t
}

func (p *parser) action() *Action {
	h, toks := head(p, actionHead, func(c *actionClause) int { return c.Rest.From })
	c := clause(toks)
	a := &Action{Name: c.name(h.Name.leaf)}
	role := func(prep string, name leaf, ty typeClause, def *sourceLeaf) {
		n, r := c.name(name), c.typeRef(ty)
		ro := Role{n.Span.To(r.Span), prep, n, r, c.source(def)}
		if ro.Default != nil {
			ro.Span = ro.Span.To(ro.Default.Span)
		}
		a.Roles = append(a.Roles, ro)
	}
	if f := h.First; f != nil {
		role("", f.Name.leaf, f.Type, f.Default)
	}
	for _, r := range h.Roles {
		role(r.Prep, r.Name.leaf, r.Type, r.Default)
	}
	a.Tail = p.tail()
	a.Lines = p.actLines()
	return a
}

// actLines reads the block of an action or a step, if there is one.
func (p *parser) actLines() []*ActLine {
	if !p.isPunct("{") {
		return nil
	}
	var out []*ActLine
	p.lines(func() {
		start := p.i
		l := &ActLine{}
		t := p.peek()
		if t.Kind != Word {
			p.want("@action-line")
			return
		}
		switch t.Text {
		case "characteristic", "memory":
			p.i++
			ch := p.char(t.Text == "memory")
			l.Char = &ch
			l.Cite = ch.Tail.Cite
		case "only":
			l.OnlyIf, l.Else = p.onlyIf()
		case "needs":
			l.Needs = p.needed()
		case "gathers":
			p.i++
			g := &Gathers{Name: p.wordName()}
			if !p.gotWord("from") {
				p.want("from")
			}
			g.From = p.name("@action", isKind)
			g.Texts = p.texts()
			l.Gathers = g
		case "role":
			p.i++
			l.Role = &RoleWords{Name: p.wordName()}
			l.Role.Texts = p.someTexts()
		case "says":
			p.i++
			l.Says = p.someTexts()
		case "do":
			p.i++
			l.Do = p.body()
		default:
			d := p.fail("unknown-clause", t.Span, "found", t.Text)
			p.near(d, t, "characteristic", "memory", "only", "needs", "gathers", "role", "says", "do")
			return
		}
		if c := p.cite(); c != nil {
			l.Cite = c
		}
		l.Span = p.since(start)
		if !p.bad {
			out = append(out, l)
		}
	})
	return out
}

// needed reads an action that another one needs, and when.
func (p *parser) needed() *Need {
	p.i++
	start := p.i
	c := &Call{Action: p.name("@action", isWordLike)}
	if p.operand() {
		c.Object = p.expr()
	}
	for !p.bad && p.prep() {
		c.Args = append(c.Args, p.join())
	}
	c.With = p.withs()
	c.Span = p.since(start)
	n := &Need{Call: c}
	if p.gotWord("where") {
		n.Where = p.expr()
	}
	n.Span = p.since(start)
	return n
}

func (p *parser) step() *Step {
	h, toks := head(p, stepHead, func(c *stepClause) int { return c.Rest.From })
	c := clause(toks)
	s := &Step{Name: c.name(h.Name.leaf), Of: c.name(h.Of.leaf), After: c.names(h.After)}
	s.Tail = p.tail()
	s.Lines = p.actLines()
	return s
}

func (p *parser) tokenDecl() *TokenDecl {
	h, toks := head(p, tokenHead, func(c *tokenClause) int { return c.Rest.From })
	c := clause(toks)
	t := &TokenDecl{Name: c.name(h.Name.leaf), On: c.names(h.On), Limit: c.expr(h.Limit)}
	t.Tail = p.tail()
	if !p.isPunct("{") {
		return t
	}
	p.lines(func() {
		w := p.peek()
		switch {
		case p.isWord("characteristic") || p.isWord("memory"):
			p.i++
			ch := p.char(w.Text == "memory")
			if !p.bad {
				t.Chars = append(t.Chars, &ch)
			}
		case p.gotWord("always"):
			a := p.always()
			a.Cite = p.cite()
			if !p.bad {
				t.Rules = append(t.Rules, a)
			}
		case w.Kind == Word:
			d := p.fail("unknown-clause", w.Span, "found", w.Text)
			p.near(d, w, "characteristic", "memory", "always")
		default:
			p.want("@token-line")
		}
	})
	return t
}

func (p *parser) plain(headWord string) *Plain {
	h, toks := head(p, plainHead, func(c *plainClause) int { return c.Rest.From })
	c := clause(toks)
	pl := &Plain{Title: c.name(h.Title.leaf)}
	if len(toks) > 0 {
		switch toks[0].Kind {
		case String:
			pl.Kind = TitleString
		case RuleNo, Int:
			pl.Kind = TitleRule
		}
	}
	next := 1
	if h.Key != "" && len(toks) > 1 {
		k := toks[1]
		pl.Key = &Str{k.Span, k.Text}
		// text en "English": the name of the language is its text in itself.
		if toks[0].Kind != RuleNo && toks[0].Kind != Int {
			if headWord != "text" || pl.Kind != TitleName {
				if !p.bad {
					p.i = indexOf(p.toks, k.Start, p.i)
					p.stray()
				}
				return pl
			}
			pl.Tail.Texts = []Text{{toks[0].Span.To(k.Span), toks[0].Text, k.Text}}
		}
		next = 2
	}
	if h.Status != "" && next < len(toks) {
		pl.Status = Name{toks[next].Span, toks[next].Text}
	}
	for _, j := range h.Joins {
		jo := Join{Word: j.Word}
		for i := range j.Exprs {
			if e := c.expr(&j.Exprs[i]); e != nil {
				jo.Exprs = append(jo.Exprs, e)
			}
		}
		if len(jo.Exprs) > 0 {
			first, last := jo.Exprs[0], jo.Exprs[len(jo.Exprs)-1]
			jo.Span = toks[j.Exprs[0].From-1].Span.To(first.Span).To(last.Span)
			pl.Joins = append(pl.Joins, jo)
		}
	}
	texts := pl.Tail.Texts
	pl.Tail = p.tail()
	pl.Tail.Texts = append(texts, pl.Tail.Texts...)
	if h.Status == "provisional" && headWord != "statement" && headWord != "reading" {
		pl.Tail.Cite = &Cite{Span: pl.Status.Span, Provisional: true}
		pl.Status = Name{}
	}
	if p.isPunct("{") {
		pl.Block = true
		p.lines(func() {
			if l := p.plainLine(); !p.bad {
				pl.Lines = append(pl.Lines, l)
			}
		})
	}
	return pl
}

func indexOf(toks []Token, offset, before int) int {
	for before > 0 && toks[before].Start > offset {
		before--
	}
	return before
}

func (p *parser) plainLine() *Line {
	start := p.i
	l := &Line{}
	t := p.peek()
	switch {
	case t.Kind == String:
		l.IsStr = true
	case !isKind(t):
		p.want("@name")
		return l
	}
	p.i++
	l.Head = Name{t.Span, t.Text}
	if p.operand() {
		l.Exprs = p.exprs()
	}
	for !p.bad {
		w := p.peek()
		if w.Kind != Word || !joinWord(w.Text) || w.Text == "from" && p.ahead(1).Kind == String {
			break
		}
		l.Joins = append(l.Joins, p.join())
	}
	l.Tail = p.tail()
	l.Span = p.since(start)
	return l
}

func joinWord(s string) bool {
	return strings.Contains(" by to from at on of in after is where with ", " "+s+" ")
}
