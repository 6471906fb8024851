package wording

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
)

// term is one form for everything that rule text is made of: expressions,
// instructions, operations, moments. Phrases' keys become terms too, with holes
// in them, so that one matcher serves for all.
type term struct {
	op   string // what it is: "id", "num", "text", "hole", an operator, "do:VERB", "op:VERB" …
	text string // of id, num, text, hole
	kids []*term
	lab  []string // a label for each kid, where kids are told apart by labels
	span source.Span
	file bool // span lies in a rule file, not in a phrase's key
}

func node(op string, kids ...*term) *term { return &term{op: op, kids: kids} }

func ident(name string) *term { return &term{op: "id", text: name} }

// with adds a labelled part; a part that is not there is left out.
func (t *term) with(label string, kid *term) *term {
	if kid != nil {
		t.lab = append(t.lab, label)
		t.kids = append(t.kids, kid)
	}
	return t
}

// part returns the labelled part, or nil.
func (t *term) part(label string) *term {
	for i, l := range t.lab {
		if l == label {
			return t.kids[i]
		}
	}
	return nil
}

// source is the rule text that a term was read from, for reports.
func (t *term) source() string {
	if t == nil {
		return ""
	}
	if s := strings.Join(strings.Fields(t.span.Text()), " "); s != "" {
		return s
	}
	return t.write()
}

// write writes a term out, for reports about terms that no file holds.
func (t *term) write() string {
	var b strings.Builder
	switch t.op {
	case "id", "num":
		return t.text
	case "text":
		return strconv.Quote(t.text)
	case "hole":
		return "{" + t.text + "}"
	case ".":
		return t.kids[0].write() + "." + t.kids[1].write()
	case "and", "or", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "%", "in":
		for i, k := range t.kids {
			if i > 0 {
				b.WriteString(" " + t.op + " ")
			}
			b.WriteString(k.write())
		}
		return b.String()
	}
	b.WriteString(t.op)
	for i, k := range t.kids {
		if i == 0 {
			b.WriteString("(")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(k.write())
	}
	if len(t.kids) > 0 {
		b.WriteString(")")
	}
	return b.String()
}

// equal compares terms, places apart.
func equal(a, b *term) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.op != b.op || a.text != b.text || len(a.kids) != len(b.kids) {
		return false
	}
	for i := range a.kids {
		if !equal(a.kids[i], b.kids[i]) || len(a.lab) > i && (len(b.lab) <= i || a.lab[i] != b.lab[i]) {
			return false
		}
	}
	return true
}

// mentions reports whether an identifier occurs in a term, as a name and not as
// a member's.
func (t *term) mentions(name string) bool {
	if t == nil {
		return false
	}
	if t.op == "id" {
		return t.text == name
	}
	if t.op == "." {
		return t.kids[0].mentions(name)
	}
	for _, k := range t.kids {
		if k.mentions(name) {
			return true
		}
	}
	return false
}

// replace returns t with each name that f knows replaced by another term. Inside
// what opens a candidate of its own (each, filter), f is told so.
func (t *term) replace(f func(t *term) *term) *term {
	if t == nil {
		return nil
	}
	if r := f(t); r != nil {
		return r
	}
	if len(t.kids) == 0 {
		return t
	}
	c := *t
	c.kids = make([]*term, len(t.kids))
	for i, k := range t.kids {
		if t.op == "." && i == 1 {
			c.kids[i] = k
			continue
		}
		c.kids[i] = k.replace(f)
	}
	return &c
}

// opened rewrites a condition on the object called name as one whose bare names
// are that object's: NAME.x becomes x, NAME itself becomes it.
func (t *term) opened(name string) *term {
	return t.replace(func(t *term) *term {
		if t.op == "." && t.kids[0].op == "id" && t.kids[0].text == name {
			if t.kids[1].op == "id" {
				return &term{op: "id", text: t.kids[1].text, span: t.span}
			}
		}
		if t.op == "id" && t.text == name {
			return &term{op: "id", text: "it", span: t.span}
		}
		return nil
	})
}

// conjuncts are the conditions that and joins.
func conjuncts(t *term) []*term {
	switch {
	case t == nil:
		return nil
	case t.op == "and":
		return t.kids
	}
	return []*term{t}
}

// reader turns syntax into terms.
type reader struct {
	keywords func(name string) bool
	file     bool
}

const holePrefix = "zq_"

func (r *reader) name(n *grammar.Name) *term {
	if n == nil {
		return nil
	}
	if h, ok := strings.CutPrefix(n.Text, holePrefix); ok {
		return &term{op: "hole", text: h, span: n.Span}
	}
	return &term{op: "id", text: n.Text, span: n.Span, file: r.file}
}

// keyword reads tokens as a keyword with its arguments.
func (r *reader) keyword(tokens []grammar.Token, span source.Span) *term {
	if len(tokens) == 1 {
		if h, ok := strings.CutPrefix(tokens[0].Text, holePrefix); ok {
			return &term{op: "hole", text: h, span: span}
		}
	}
	for n := len(tokens); n > 0; n-- {
		name := grammar.Joined(tokens[:n])
		if !r.keywords(name) {
			continue
		}
		t := &term{op: "keyword", text: name, span: span, file: r.file}
		for i := n; i < len(tokens); {
			end := i + 1
			if tokens[i].Text == "(" && tokens[i].Kind == grammar.Punct {
				for depth := 1; end < len(tokens) && depth > 0; end++ {
					switch tokens[end].Text {
					case "(":
						depth++
					case ")":
						depth--
					}
				}
			} else {
				if tokens[i].Text == "-" && end < len(tokens) {
					end++
				}
				for end+1 < len(tokens) && tokens[end].Text == "." && tokens[end].Kind == grammar.Punct {
					end += 2
				}
			}
			t.kids = append(t.kids, r.expr(&grammar.Expr{Span: tokens[i].Span.To(tokens[end-1].Span), Tokens: tokens[i:end]}))
			i = end
		}
		return t
	}
	return nil
}

var exprConfig = conf.New(nil)

// expr reads an expression; nil if there is none. What can't be read becomes a
// term that nothing fits, so that it is reported and not left out.
func (r *reader) expr(e *grammar.Expr) *term {
	if e == nil || len(e.Tokens) == 0 {
		return nil
	}
	if t := r.tryExpr(e); t != nil {
		return t
	}
	return &term{op: "unread", span: e.Span, file: r.file}
}

func (r *reader) tryExpr(e *grammar.Expr) *term {
	var b strings.Builder
	x := exprReader{r: r, e: e, names: map[string]string{}}
	end := -1
	for i, t := range e.Tokens {
		if end >= 0 && t.Start > end {
			b.WriteByte(' ')
		}
		x.starts = append(x.starts, b.Len())
		switch {
		case t.Kind == grammar.String:
			b.WriteString(`"` + strconv.Itoa(i) + `"`)
		case (t.Kind == grammar.Word || t.Kind == grammar.Ident) && !ascii(t.Text):
			alias := "zr" + strconv.Itoa(i) + "_"
			x.names[alias] = t.Text
			b.WriteString(alias)
		default:
			b.WriteString(t.Text)
		}
		end = t.End
	}
	tree, err := parser.ParseWithConfig(b.String(), exprConfig)
	if err != nil {
		return nil
	}
	x.length = b.Len()
	t := x.read(tree.Node)
	if t != nil {
		t.span, t.file = e.Span, r.file
	}
	return t
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

type exprReader struct {
	r      *reader
	e      *grammar.Expr
	names  map[string]string
	starts []int
	length int
}

func (x *exprReader) name(s string) *term {
	if full, ok := x.names[s]; ok {
		s = full
	}
	if h, ok := strings.CutPrefix(s, holePrefix); ok {
		return &term{op: "hole", text: h}
	}
	return ident(s)
}

// read turns expr's tree into a term; nil for what rules can't say.
func (x *exprReader) read(n ast.Node) *term {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return &term{op: "num", text: strconv.Itoa(n.Value)}
	case *ast.BoolNode:
		return ident(strconv.FormatBool(n.Value))
	case *ast.NilNode:
		return ident("nothing")
	case *ast.StringNode:
		if i, err := strconv.Atoi(n.Value); err == nil && i < len(x.e.Tokens) {
			return &term{op: "text", text: x.e.Tokens[i].Text}
		}
		return &term{op: "text", text: n.Value}
	case *ast.IdentifierNode:
		return x.name(n.Value)
	case *ast.PointerNode:
		return ident("it")
	case *ast.PredicateNode:
		return x.read(n.Node)
	case *ast.ChainNode:
		return x.read(n.Node)
	case *ast.UnaryNode:
		k := x.read(n.Node)
		switch {
		case k == nil:
			return nil
		case n.Operator == "!" || n.Operator == "not":
			return node("not", k)
		case n.Operator == "+":
			return k
		case k.op == "num":
			return &term{op: "num", text: "-" + k.text}
		}
		return node("neg", k)
	case *ast.BinaryNode:
		l, r := x.read(n.Left), x.read(n.Right)
		if l == nil || r == nil {
			return nil
		}
		op := n.Operator
		switch op {
		case "&&", "and":
			return node("and", append(append([]*term(nil), conjuncts(l)...), conjuncts(r)...)...)
		case "||":
			op = "or"
		}
		return node(op, l, r)
	case *ast.MemberNode:
		p, ok := n.Property.(*ast.StringNode)
		recv := x.read(n.Node)
		if !ok || recv == nil {
			return nil
		}
		if recv.op == "id" && recv.text == "it" {
			if _, isPointer := n.Node.(*ast.PointerNode); isPointer {
				return x.name(p.Value)
			}
		}
		return node(".", recv, x.name(p.Value))
	case *ast.BuiltinNode:
		return x.call(n.Name, nil, n.Arguments)
	case *ast.CallNode:
		switch f := n.Callee.(type) {
		case *ast.IdentifierNode:
			return x.call(f.Value, nil, n.Arguments)
		case *ast.MemberNode:
			p, ok := f.Property.(*ast.StringNode)
			recv := x.read(f.Node)
			if !ok || recv == nil {
				return nil
			}
			return x.call(p.Value, recv, n.Arguments)
		}
	case *ast.ConditionalNode:
		a, b, c := x.read(n.Cond), x.read(n.Exp1), x.read(n.Exp2)
		if a == nil || b == nil || c == nil {
			return nil
		}
		return node("?", a, b, c)
	case *ast.ArrayNode:
		t := node("list")
		for _, e := range n.Nodes {
			k := x.read(e)
			if k == nil {
				return nil
			}
			t.kids = append(t.kids, k)
		}
		return t
	}
	return nil
}

func (x *exprReader) call(name string, recv *term, args []ast.Node) *term {
	t := node(name + "()")
	if recv != nil {
		t.op = "." + t.op
		t.kids = append(t.kids, recv)
	}
	for _, a := range args {
		k := x.read(a)
		if k == nil {
			return nil
		}
		t.kids = append(t.kids, k)
	}
	// A predicate of count is a filter of what is counted.
	if name == "count" && len(t.kids) == 2 {
		return node("count()", node("filter()", t.kids...))
	}
	return t
}

func (r *reader) source(s *grammar.Source) *term {
	if s == nil {
		return nil
	}
	if s.Each == nil {
		return r.expr(s.Expr)
	}
	t := node("each", r.name(s.Each))
	t.span, t.file = s.Span, r.file
	if s.Where != nil {
		w := r.expr(s.Where)
		if w == nil {
			return nil
		}
		t.kids = append(t.kids, w)
	}
	return t
}

func (r *reader) pattern(p *grammar.Pattern) *term {
	if p == nil {
		return nil
	}
	t := node("pattern").with("action", r.name(&p.Action)).with("where", r.expr(p.Where))
	t.span, t.file = p.Span, r.file
	return t
}

func (r *reader) moment(m *grammar.Moment) *term {
	if m == nil {
		return nil
	}
	edge := m.Edge
	if m.Next {
		edge += " next"
	}
	t := r.pattern(m.Pattern)
	if t == nil {
		return nil
	}
	t.text, t.span = edge, m.Span
	return t
}

func (r *reader) body(b *grammar.Body) *term {
	if b == nil {
		return nil
	}
	t := node("body")
	t.span, t.file = b.Span, r.file
	for _, in := range b.Instrs {
		t.kids = append(t.kids, r.instr(in))
	}
	return t
}

func (r *reader) instr(in *grammar.Instr) *term {
	t := node("do:" + in.Verb)
	t.span, t.file = in.Span, r.file
	switch in.Verb {
	case "record":
		path := r.name(&in.Path[0])
		for i := range in.Path[1:] {
			path = node(".", path, r.name(&in.Path[i+1]))
		}
		return t.with("path", path).with("value", r.expr(in.Value))
	case "choose":
		t.with("var", r.name(in.Var)).with("from", r.source(in.From)).with("min", r.expr(in.Min)).with("max", r.expr(in.Max)).with("by", r.expr(in.By))
		if in.Chance {
			t.with("chance", ident("chance"))
		}
		return t
	case "may", "together":
		return t.with("by", r.expr(in.By)).with("limit", r.limit(in.Limit)).with("body", r.body(in.Body)).with("else", r.body(in.Else))
	case "either":
		t.with("by", r.expr(in.By))
		for _, o := range in.Options {
			op := node("option").with("body", r.body(o.Body))
			for _, x := range o.Texts {
				op.with(x.Lang, &term{op: "text", text: x.Value})
			}
			t.with("option", op)
		}
		return t
	case "if":
		return t.with("if", r.expr(in.Cond)).with("body", r.body(in.Body)).with("else", r.body(in.Else))
	case "for":
		return t.with("var", r.name(in.Var)).with("from", r.source(in.From)).with("ordered", r.expr(in.OrderedBy)).with("body", r.body(in.Body))
	case "repeat":
		label := "times"
		if in.Until {
			label = "until"
		}
		return t.with(label, r.expr(in.Cond)).with("body", r.body(in.Body))
	case "effect":
		return t.with("on", r.source(in.From)).with("until", r.moment(in.Moment)).with("while", r.expr(in.While)).
			with("stamp", r.expr(in.Timestamp)).with("changes", r.changes(in.Changes))
	case "later":
		return t.with("moment", r.moment(in.Moment)).with("body", r.body(in.Body))
	}
	if h, ok := strings.CutPrefix(in.Verb, holePrefix); ok && in.Object == nil && len(in.Args) == 0 {
		return &term{op: "hole", text: h, span: in.Span}
	}
	count, object := in.Count, in.Object
	if object != nil {
		toks := object.Tokens
		// {n} {k}: a count that is a hole.
		if count == nil && len(toks) == 2 && strings.HasPrefix(toks[0].Text, holePrefix) && toks[1].Kind != grammar.Punct {
			count = &grammar.Expr{Span: toks[0].Span, Tokens: toks[:1]}
			object = &grammar.Expr{Span: toks[1].Span, Tokens: toks[1:]}
		}
		t.with("count", r.expr(count))
		o := r.tryExpr(object)
		if k := r.keyword(object.Tokens, object.Span); k != nil && (o == nil || in.Verb == "grant") {
			o = k
		}
		if o == nil { // a name of several words
			o = &term{op: "id", text: grammar.Joined(object.Tokens), span: object.Span, file: r.file}
		}
		t.with("", o)
	}
	for _, a := range in.Args {
		for _, e := range a.Exprs {
			t.with(a.Word, r.expr(e))
		}
	}
	for _, w := range in.With {
		t.with("with", node("=", r.name(&w.Name), r.expr(w.Value)))
	}
	return t.with("until", r.moment(in.Moment))
}

func (r *reader) op(o *grammar.Op) *term {
	t := node("op:" + o.Verb)
	t.span, t.file = o.Span, r.file
	if o.Base {
		t.with("base", ident("base"))
	}
	t.with("char", r.name(o.Char))
	if o.Value != nil {
		v := r.expr(o.Value)
		if k := r.keyword(o.Value.Tokens, o.Value.Span); k != nil {
			v = k
		}
		t.with("value", v)
	}
	return t.with("pattern", r.pattern(o.Pattern)).with("body", r.body(o.Body))
}

func (r *reader) changes(c *grammar.Changes) *term {
	if c == nil {
		return nil
	}
	t := node("changes")
	t.span, t.file = c.Span, r.file
	for _, i := range c.Items {
		switch {
		case i.Op != nil:
			t.with("op", r.op(i.Op))
		case i.When != nil:
			t.with("when", r.when(i.When))
		case i.Until != nil:
			t.with("until", r.moment(i.Until))
		case i.While != nil:
			t.with("while", r.expr(i.While))
		case i.Finally != nil:
			t.with("finally", r.body(i.Finally))
		}
	}
	return t
}

func (r *reader) limit(l *grammar.Limit) *term {
	if l == nil {
		return nil
	}
	t := node("limit").with("count", r.expr(l.Count)).with("per", r.name(&l.Per))
	t.span, t.file = l.Span, r.file
	return t
}

func (r *reader) when(w *grammar.When) *term {
	t := node("when").with("in", r.expr(w.In)).with("moment", r.moment(w.Moment)).with("among", r.expr(w.Among)).
		with("among where", r.expr(w.AmongWhere)).with("limit", r.limit(w.Limit)).with("body", r.body(w.Body))
	t.span, t.file = w.Span, r.file
	return t
}

func (r *reader) always(a *grammar.Always) *term {
	t := node("always").with("in", r.expr(a.In)).with("on", r.source(a.On)).with("while", r.expr(a.While)).with("changes", r.changes(a.Changes))
	t.span, t.file = a.Span, r.file
	return t
}

// line reads one line of rule text; nil for what gives no ability.
func (r *reader) line(l *grammar.RuleLine) *term {
	switch {
	case l.Always != nil:
		return r.always(l.Always)
	case l.When != nil:
		return r.when(l.When)
	case l.Phrase != nil:
		p := l.Phrase
		if k := r.keyword(p.Words, p.Span); k != nil && p.Body == nil {
			return k
		}
		t := &term{op: "header", text: grammar.Joined(p.Words), span: p.Span, file: r.file}
		return t.with("in", r.expr(p.In)).with("where", r.expr(p.Where)).with("limit", r.limit(p.Limit)).with("body", r.body(p.Body))
	}
	return nil
}
