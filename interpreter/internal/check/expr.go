package check

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Expressions are expr-lang's: its parser reads them, and the types are checked
// here, since kinds of object, values lists and names of a category are not Go
// types and expr's own checker could not tell a Trait from an Element. What
// comes out is a typed tree that eval turns into closures.

// maxExpr bounds the length of one expression in bytes, and maxNest how deep
// predicates nest: expr has no budget of its own.
const (
	maxExpr = 2000
	maxNest = 4
)

var parseConfig = conf.New(nil)

// exprText is the text given to expr: names that it would reject are replaced,
// texts are numbered, so that it is ASCII throughout.
type exprText struct {
	tokens []grammar.Token
	out    string
	starts []int // where each token starts in out
}

// writeExpr writes an expression for expr. With holes, numbers and names with a
// capital are replaced too, so that expressions of one shape have one text and
// are parsed once.
func writeExpr(e *grammar.Expr, holes bool) exprText {
	var b strings.Builder
	x := exprText{tokens: e.Tokens, starts: make([]int, len(e.Tokens))}
	b.Grow(e.End - e.Start + 4*len(e.Tokens))
	end, depth := -1, 0
	var closes []int // where each list that is written out in place ends
	for i, t := range e.Tokens {
		for len(closes) > 0 && closes[len(closes)-1] == i {
			b.WriteByte(')')
			closes = closes[:len(closes)-1]
		}
		if end >= 0 && t.Start > end {
			b.WriteByte(' ')
		}
		x.starts[i] = b.Len()
		if t.Kind == grammar.Punct {
			switch t.Text {
			case "(", "[":
				depth++
			case ")", "]":
				depth--
			}
		}
		switch {
		case depth > 0 && grammar.EachAt(e.Tokens, i):
			b.WriteString(eachCall + "(")
			closes = append(closes, grammar.EachEnd(e.Tokens, i))
		case t.Text == "union" && called(e.Tokens, i):
			b.WriteString(unionCall)
		case (t.Text == "any" || t.Text == "none") && bare(e.Tokens, i):
			b.WriteString(alias + t.Text)
		case t.Kind == grammar.Word && t.Text == "where" && i > 1 && grammar.EachAt(e.Tokens, i-2):
			b.WriteByte(',')
		case t.Kind == grammar.String:
			b.WriteByte('"')
			b.WriteString(strconv.Itoa(i))
			b.WriteByte('"')
		case (t.Kind == grammar.Word || t.Kind == grammar.Ident) && (!plain(t.Text) || holes && t.Kind == grammar.Ident || strings.HasPrefix(t.Text, alias) || t.Text == unionCall),
			holes && t.Kind == grammar.Int:
			b.WriteString(alias)
			b.WriteString(strconv.Itoa(i))
		default:
			b.WriteString(t.Text)
		}
		end = t.End
	}
	x.out = b.String()
	return x
}

// alias begins the names that stand for tokens, by number; a name of the data
// that begins so is replaced itself.
const alias = "zq_"

// eachCall is how each Kind where … inside brackets is given to expr.
const eachCall = alias + "each"

// unionCall is how union is given to expr: as its function that takes the same.
const unionCall = "groupBy"

// called reports whether a word is the name of a function that is called.
func called(toks []grammar.Token, i int) bool {
	return i+2 < len(toks) && toks[i].Kind == grammar.Word && toks[i+1].Kind == grammar.Punct && toks[i+1].Text == "(" && (i == 0 || toks[i-1].Text != ".")
}

// bare reports whether a function is called with a list and no condition, which
// expr's own any and none don't take.
func bare(toks []grammar.Token, i int) bool {
	if !called(toks, i) {
		return false
	}
	end := grammar.EachEnd(toks, i+2)
	return end > i+2 && end < len(toks) && toks[end].Text == ")"
}

func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

func (x *exprText) name(s string) string {
	if t := x.hole(s); t != nil {
		return t.Text
	}
	return s
}

// hole returns the token that a name stands for, or nil.
func (x *exprText) hole(s string) *grammar.Token {
	if !strings.HasPrefix(s, alias) {
		return nil
	}
	if i, err := strconv.Atoi(s[len(alias):]); err == nil && i < len(x.tokens) {
		return &x.tokens[i]
	}
	return nil
}

// span maps a position in out back to the token that it lies in.
func (x *exprText) span(at int) source.Span {
	if i := x.index(at); i >= 0 {
		return x.tokens[i].Span
	}
	return source.Span{}
}

// index is the token that a position in out lies in, or -1.
func (x *exprText) index(at int) int {
	for i := len(x.starts) - 1; i >= 0; i-- {
		if x.starts[i] <= at {
			return i
		}
	}
	return -1
}

// exprChecker checks one expression.
type exprChecker struct {
	*checker
	s    *scope
	text exprText
	nest int
}

// expr checks an expression that must have the type want; the zero Type wants
// nothing in particular. It returns nil when it reported an error.
func (c *checker) expr(e *grammar.Expr, s *scope, want program.Type) *program.Node {
	if e == nil {
		return nil
	}
	if len(e.Tokens) == 0 {
		return nil // it could not be read, and that was reported
	}
	if e.End-e.Start > maxExpr {
		c.diags.Add("expression-too-long", e.Span, "limit", strconv.Itoa(maxExpr))
		return nil
	}
	x := exprChecker{checker: c, s: s, text: writeExpr(e, true)}
	root, err := c.trees[x.text.out], error(nil)
	if root == nil {
		var tree *parser.Tree
		if tree, err = parser.ParseWithConfig(x.text.out, parseConfig); err == nil {
			root = tree.Node
			c.trees[x.text.out] = root
		} else { // the message speaks of the text as written
			x.text = writeExpr(e, false)
			if tree, err = parser.ParseWithConfig(x.text.out, parseConfig); err == nil {
				root = tree.Node
			}
		}
	}
	if err != nil {
		var fe *file.Error
		span := e.Span
		if errors.As(err, &fe) {
			span = x.text.span(fe.From)
			if fe.From >= len(x.text.out) {
				span = e.Tokens[len(e.Tokens)-1].Span
			}
		}
		found := span.Text()
		if fe == nil || fe.From >= len(x.text.out) {
			span.Start, found = span.End, "@end-of-expression"
		}
		switch {
		case span.File != nil && c.slips[line{span.File, span.File.Line(span.Start)}]: // cut short by what the parser reported
		case x.apart(e):
		case found == "#" || found == ".":
			c.diags.Add("no-element", span)
		default:
			d := c.diags.Add("bad-expression", span, "found", found)
			if found == ">" && strings.HasSuffix(span.File.Text[:span.Start], "<") {
				d.Values = append(d.Values, "unequal", "!=")
			}
		}
		return nil
	}
	n := x.check(root, want)
	if n == nil {
		return nil
	}
	c.rowOfNone(n, s)
	return x.fit(n, want, e.Span)
}

// apart reports two values of an expression that stand side by side with nothing
// to join them.
func (x *exprChecker) apart(e *grammar.Expr) bool {
	operand := func(t *grammar.Token) bool {
		switch t.Kind {
		case grammar.Ident, grammar.Int, grammar.String:
			return true
		case grammar.Word:
			switch t.Text {
			case "and", "or", "not", "in":
				return false
			}
			return true
		}
		return false
	}
	for i := 1; i < len(e.Tokens); i++ {
		a, b := &e.Tokens[i-1], &e.Tokens[i]
		if grammar.EachAt(e.Tokens, i-1) || i > 1 && grammar.EachAt(e.Tokens, i-2) || i > 2 && grammar.EachAt(e.Tokens, i-3) {
			continue
		}
		ends := operand(a) || a.Kind == grammar.Punct && (a.Text == ")" || a.Text == "]")
		begins := operand(b) || b.Kind == grammar.Word && b.Text == "not" && !(i+1 < len(e.Tokens) && e.Tokens[i+1].Text == "in")
		if b.Kind == grammar.Punct && b.Text == "." && a.End < b.Start && i+1 < len(e.Tokens) && b.End == e.Tokens[i+1].Start {
			begins = true // a member of the element looked at
		}
		if ends && begins && (i < 2 || e.Tokens[i-2].Text != "." || operand(a)) {
			d := x.diags.Add("nothing-between", b.Span, "left", a.Span.Text(), "right", b.Span.Text())
			if b.Text == "for" {
				d.Values = append(d.Values, "until", "until end of next turn")
			}
			return true
		}
	}
	return false
}

// flag checks a condition.
func (c *checker) flag(e *grammar.Expr, s *scope) *program.Node {
	return c.expr(e, s, program.FlagType)
}

// fit converts n to the wanted type where that is harmless, or reports.
func (x *exprChecker) fit(n *program.Node, want program.Type, span source.Span) *program.Node {
	if want.Base == program.IsUnknown || n.T.Base == program.IsUnknown {
		return n
	}
	if x.fits(n.T, want) {
		if want.Several && !n.T.Several && n.T.Base != program.IsNothing {
			if want.Base == program.IsOneOf {
				return &program.Node{Op: program.OpMaskOf, T: want, Kids: []*program.Node{n}, Span: n.Span}
			}
			return &program.Node{Op: program.OpList, T: want, Kids: []*program.Node{n}, Span: n.Span}
		}
		if n.T.Base == program.IsNothing {
			c := *n
			c.T = want
			if !want.Several && (want.Base == program.IsNumber || want.Base == program.IsFlag) {
				x.diags.Add("wrong-type", span, "want", x.p.TypeName(want), "got", "nothing")
				return nil
			}
			if want.Mask() {
				c.N = 0
			}
			return &c
		}
		if n.Op == program.OpList && len(n.Kids) == 0 {
			c := *n
			c.T = want
			if want.Mask() {
				c.Op, c.N = program.OpConst, 0
			}
			return &c
		}
		return n
	}
	if span.File == nil || !x.slips[line{span.File, span.File.Line(span.End)}] { // else it was cut short
		d := x.diags.Add("wrong-type", span, "want", x.p.TypeName(want), "got", x.p.TypeName(n.T))
		if want == program.FlagType && n.T == program.NumberType && len(span.Text()) < 40 {
			d.Values = append(d.Values, "compare", span.Text())
		}
		if path := x.path(span); want == program.NumberType && n.T.Several && path != "" {
			d.Values = append(d.Values, "counted", path)
		}
	}
	return nil
}

// path is a value as it stands in the source, from what its last member belongs to; ""
// where that is more than names.
func (x *exprChecker) path(span source.Span) string {
	for i, t := range x.text.tokens {
		if t.Start != span.Start && !(t.End == span.End && t.Kind == grammar.Word) {
			continue
		}
		from, to := i, i
		for from > 1 && x.text.tokens[from-1].Text == "." {
			from -= 2
		}
		for to+2 < len(x.text.tokens) && x.text.tokens[to+1].Text == "." {
			to += 2
		}
		if to+1 < len(x.text.tokens) && x.text.tokens[to+1].Text == "(" || x.text.tokens[to].End < span.End {
			return ""
		}
		return x.text.tokens[from].Span.To(x.text.tokens[to].Span).Text()
	}
	return ""
}

func (c *checker) fits(got, want program.Type) bool {
	if got.Base == program.IsNothing {
		return true
	}
	if got.Several && !want.Several {
		return false
	}
	if got.Base == program.IsUnknown || want.Base == program.IsUnknown {
		return true
	}
	if got.Base != want.Base {
		return false
	}
	switch got.Base {
	case program.IsOneOf:
		return got.ID == want.ID
	case program.IsObject:
		return c.sameEntity(got.ID, want.ID)
	case program.IsHappening:
		return got.ID < 0 || want.ID < 0 || got.ID == want.ID
	}
	return true
}

func (c *checker) sameEntity(a, b int) bool {
	return a < 0 || b < 0 || c.p.Kinds[a].Entity == c.p.Kinds[b].Entity
}

func (x *exprChecker) node(op program.NodeOp, t program.Type, at ast.Node, kids ...*program.Node) *program.Node {
	return &program.Node{Op: op, T: t, Kids: kids, Span: x.at(at)}
}

func (x *exprChecker) at(n ast.Node) source.Span { return x.text.span(n.Location().From) }

func (x *exprChecker) constant(t program.Type, v int64, at ast.Node) *program.Node {
	return &program.Node{Op: program.OpConst, T: t, N: v, Span: x.at(at)}
}

// check types one node. want is a hint for names whose category is open.
func (x *exprChecker) check(n ast.Node, want program.Type) *program.Node {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return x.constant(program.NumberType, int64(n.Value), n)
	case *ast.BoolNode:
		return x.constant(program.FlagType, b2i(n.Value), n)
	case *ast.NilNode:
		return x.constant(program.NothingType, -1, n)
	case *ast.StringNode:
		return x.text_(n, want)
	case *ast.IdentifierNode:
		if t := x.text.hole(n.Value); t != nil && t.Kind == grammar.Int {
			v, err := strconv.ParseInt(t.Text, 10, 64)
			if err != nil {
				x.diags.Add("bad-expression", t.Span, "found", t.Text)
				return nil
			}
			return x.constant(program.NumberType, v, n)
		}
		return x.ident(n, want)
	case *ast.UnaryNode:
		return x.unary(n)
	case *ast.BinaryNode:
		return x.binary(n)
	case *ast.MemberNode:
		return x.member(n)
	case *ast.PointerNode:
		return x.pointer(n)
	case *ast.ConditionalNode:
		cond := x.checkAs(n.Cond, program.FlagType)
		a, b := x.check(n.Exp1, want), x.check(n.Exp2, want)
		if cond == nil || a == nil || b == nil {
			return nil
		}
		if !x.fits(a.T, b.T) && !x.fits(b.T, a.T) {
			x.diags.Add("wrong-type", x.at(n.Exp2), "want", x.p.TypeName(a.T), "got", x.p.TypeName(b.T))
			return nil
		}
		t := a.T
		if t.Base == program.IsNothing {
			t = b.T
		}
		return x.node(program.OpIf, t, n, cond, a, b)
	case *ast.ArrayNode:
		return x.array(n, want)
	case *ast.BuiltinNode:
		return x.builtin(n, want)
	case *ast.CallNode:
		return x.call(n)
	case *ast.PredicateNode:
		return x.check(n.Node, want)
	case *ast.ChainNode:
		return x.check(n.Node, want)
	case *ast.FloatNode:
		x.diags.Add("fraction", x.at(n))
		return nil
	}
	x.diags.Add("not-in-expressions", x.at(n), "what", x.at(n).Text())
	return nil
}

func (x *exprChecker) checkAs(n ast.Node, want program.Type) *program.Node {
	k := x.check(n, want)
	if k == nil {
		return nil
	}
	return x.fit(k, want, x.at(n))
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// text_ is a text constant: a text, or a name that needs quotes.
func (x *exprChecker) text_(n *ast.StringNode, want program.Type) *program.Node {
	i, err := strconv.Atoi(n.Value)
	if err != nil || i >= len(x.text.tokens) { // a member's name that the parser made
		return x.constant(program.TextType, x.textID(n.Value), n)
	}
	value := x.text.tokens[i].Text
	if want.Base == program.IsOneOf {
		return x.valueName(grammar.Fold(value), want, n)
	}
	return x.constant(program.TextType, x.textID(value), n)
}

func (x *exprChecker) valueName(name string, want program.Type, at ast.Node) *program.Node {
	list := x.p.Values[want.ID]
	if v, ok := list.Index[name]; ok {
		x.mentionAt(x.valueKey(want.ID, name), x.at(at))
		return x.constant(program.Type{Base: program.IsOneOf, ID: want.ID}, int64(v), at)
	}
	if x.fails(name) {
		return nil
	}
	if list.Builtin != "" {
		x.diags.Add("unknown-"+list.Builtin, x.at(at), "name", name).Near = nearest(name, valueNames(list))
		return nil
	}
	d := x.diags.Add("unknown-value", x.at(at), "name", name, "list", list.Name)
	if d.Near = nearest(name, valueNames(list)); d.Near == "" {
		if l := x.valueLists(name); len(l) == 1 {
			d.Values = append(d.Values, "other", x.p.Values[l[0]].Name)
			for _, ch := range x.p.Chars {
				if ch.Entity == program.Card && ch.Type.Base == program.IsOneOf && ch.Type.ID == l[0] && ch.Action < 0 {
					as := ch.Name + " == " + name
					if ch.Type.Several {
						as = name + " in " + ch.Name
					}
					d.Values = append(d.Values, "as", as)
					break
				}
			}
			return nil
		}
	}
	d.Values = append(d.Values, "add", list.Name)
	return nil
}

// ident is a bare name.
func (x *exprChecker) ident(n *ast.IdentifierNode, want program.Type) *program.Node {
	name := x.text.name(n.Value)
	switch name {
	case "nothing":
		return x.constant(program.NothingType, -1, n)
	case "self":
		if x.s.self.Base == program.IsUnknown {
			x.diags.Add("no-self", x.at(n))
			return nil
		}
		return x.node(program.OpSelf, x.s.self, n)
	case "you":
		if !x.s.you {
			x.diags.Add("no-you", x.at(n))
			return nil
		}
		return x.node(program.OpYou, objectType(program.KindPlayer), n)
	case "game":
		return x.node(program.OpGame, objectType(program.KindGame), n)
	case "it":
		if e := x.s.candidate(); e != nil {
			return x.elem(e, n)
		}
		x.diags.Add("no-it", x.at(n))
		return nil
	case "event":
		if x.s.act >= 0 {
			return x.node(program.OpAct, happening(x.s.act), n)
		}
		x.diags.Add("no-event", x.at(n))
		return nil
	case "hits":
		if x.s.hits >= 0 {
			t := happening(x.s.hits)
			t.Several = true
			return x.node(program.OpHits, t, n)
		}
		x.diags.Add("no-hits", x.at(n))
		return nil
	}
	if isCapital(name) {
		return x.capital(name, n, want)
	}
	if x.s.frame.taken[name] {
		return nil // could not be named so, and that was reported
	}
	// Innermost first: what where (or a predicate) opened since the action was
	// looked at, the action, what was opened before, then the locals.
	for i := len(x.s.open) - 1; i >= -1; i-- {
		if i == min(x.s.outer, len(x.s.open))-1 && x.s.act >= 0 {
			if k := x.actMember(nil, x.s.act, name, n); k != nil {
				x.hiding(name, n, x.p.Actions[x.s.act].Name)
				return k
			}
		}
		if i < 0 {
			break
		}
		e := &x.s.open[i]
		if e.pred {
			continue // inside a predicate the element is written .x or #
		}
		if k := x.memberOf(x.elem(e, n), name, n, false); k != nil {
			x.hiding(name, n, x.p.TypeName(e.t))
			return k
		}
	}
	if slot, ok := x.s.frame.find(name); ok {
		x.s.frame.read(slot)
		x.mentionAt(x.s.frame.key(slot), x.at(n))
		k := x.node(program.OpLocal, x.s.frame.types[slot], n)
		k.N = int64(slot)
		return k
	}
	if a, ok := x.actions[name]; ok && a < len(x.p.Actions) {
		x.p.Actions[a].Watched = true
		x.mentionAt(actionKey(name), x.at(n))
		k := x.node(program.OpUnderway, happening(a), n)
		k.N = int64(a)
		return k
	}
	if x.s.you { // opponent, and the like: a player that belongs to you
		if ch := x.char(program.Player, name); ch != nil && ch.Type.Base == program.IsObject && !ch.Type.Several &&
			x.p.Kinds[ch.Type.ID].Entity == program.Player {
			you := x.node(program.OpYou, objectType(program.KindPlayer), n)
			return x.readChar(you, ch, n)
		}
	}
	if grammar.Reserved(name) {
		x.joining(name, n)
		return nil
	}
	if x.fails(name) || x.misspelt(name, x.at(n)) {
		return nil
	}
	if span := x.at(n); span.File != nil && x.slips[line{span.File, span.File.Line(span.Start)}] {
		x.silent++ // what would have given the name was not read
		return nil
	}
	if x.nameless(x.at(n), name) {
		return nil
	}
	known := x.knownNames()
	for _, ch := range x.p.Chars {
		if x.s.you && ch.Entity == program.Player && ch.Type.Base == program.IsObject && !ch.Type.Several && ch.Type.ID >= 0 && x.p.Kinds[ch.Type.ID].Entity == program.Player {
			known = append(known, ch.Name)
		}
	}
	d := x.diags.Add("unknown-name", x.at(n), "name", name)
	if x.s.hits >= 0 && slices.Contains(x.actNames(x.s.hits), name) { // it is there, though of each of several
		d.Values = append(d.Values, "each", name)
		return nil
	}
	d.Near = nearest(name, known)
	if x.s.printed != "" {
		d.Values = append(d.Values, "want", x.s.printed)
	} else {
		x.whose(d, name)
	}
	lost(d)
	return nil
}

// joining reports a word that joins the parts of a sentence where a value is asked for:
// what it speaks of in the sentence has a name of its own.
func (x *exprChecker) joining(word string, at ast.Node) {
	d := x.diags.Add("joining-word", x.at(at), "word", word)
	if x.s.act < 0 {
		d.Values = append(d.Values, "words", "momon words")
		return
	}
	a := x.p.Actions[x.s.act]
	d.Near = a.Joined[word]
	for _, r := range a.Roles {
		if d.Near == "" && r.Prep == word {
			d.Near = r.Name
		}
	}
	if d.Near != "" {
		d.Fix = &diag.Fix{Span: d.Span, Text: d.Near, Guess: true}
	}
	d.Values = append(d.Values, "action", a.Name, "known", strings.Join(x.actNames(x.s.act), ", "))
}

// lost says where the known names are listed, if nothing else is known of a name.
func lost(d *diag.Diagnostic) {
	if d.Near == "" && len(d.Values) == 2 {
		d.Values = append(d.Values, "words", "momon words")
	}
}

// whose says of an unknown name whose it could be: of what the candidate has, or of self.
func (x *exprChecker) whose(d *diag.Diagnostic, name string) {
	if e := x.s.candidate(); e != nil {
		if path := x.through(e.t, name); path != "" {
			d.Values = append(d.Values, "inner", path)
		}
		return
	}
	self := x.s.self
	switch path := x.through(self, name); {
	case self.Base == program.IsUnknown || x.has(self, name):
		d.Values = append(d.Values, "whose", name)
	case path != "":
		d.Values = append(d.Values, "whose", path)
	case x.has(self, d.Near):
		d.Values = append(d.Values, "whose", d.Near)
	}
}

// has reports whether objects of a type have a characteristic.
func (x *exprChecker) has(t program.Type, name string) bool {
	return name != "" && t.Base == program.IsObject && slices.ContainsFunc(x.entitiesOf(t.ID), func(e program.Entity) bool { return x.char(e, name) != nil })
}

// through is how a characteristic is reached through one fact of an object, or "".
func (x *exprChecker) through(t program.Type, name string) string {
	if t.Base != program.IsObject {
		return ""
	}
	for _, e := range x.entitiesOf(t.ID) {
		for _, ch := range x.p.Chars {
			if ch.Entity == e && ch.Fact != program.FactNone && ch.Type.Base == program.IsObject && !ch.Type.Several && ch.Type.ID >= 0 &&
				x.p.Kinds[ch.Type.ID].Entity != e && x.has(ch.Type, name) {
				return ch.Name + "." + name
			}
		}
	}
	return ""
}

// misspelt reports a name that is known in other capital and small letters.
func (x *exprChecker) misspelt(name string, at source.Span) bool {
	known := append(x.knownNames(), x.knownCapitals()...)
	known = append(known, "self", "you", "it", "true", "false", "nothing")
	for _, list := range x.p.Values {
		known = append(known, valueNames(list)...)
	}
	for _, m := range []map[string]int{x.tokens, x.zones, x.keywords, x.kinds} {
		known = append(known, keys(m)...)
	}
	near := ""
	for _, k := range known {
		if k != name && strings.EqualFold(k, name) {
			if near != "" && near != k {
				return false // more than one may be meant
			}
			near = k
		}
	}
	if near == "" {
		return false
	}
	d := x.diags.Add("wrong-capitals", at, "name", name)
	d.Near, d.Fix = near, &diag.Fix{Span: at, Text: near}
	return true
}

// hiding warns where a name that is read means something of what is looked at,
// though the body has named a value the same.
func (x *exprChecker) hiding(name string, at ast.Node, of string) {
	if slot, ok := x.s.frame.find(name); ok {
		x.s.frame.read(slot) // one message is enough
		x.diags.Warn("hidden-local", x.at(at), "name", name, "of", of).With("declared-here", x.s.frame.spans[slot])
	}
}

func objectType(kind int) program.Type { return program.Type{Base: program.IsObject, ID: kind} }
func happening(action int) program.Type {
	return program.Type{Base: program.IsHappening, ID: action}
}

func (x *exprChecker) elem(e *opener, at ast.Node) *program.Node {
	k := x.node(program.OpElem, e.t, at)
	k.N = int64(e.level)
	return k
}

// capital is a name that somebody declared: a value, zone, token, keyword, or
// an object of a case.
func (x *exprChecker) capital(name string, at ast.Node, want program.Type) *program.Node {
	if want.Base == program.IsOneOf {
		if v, ok := x.p.Values[want.ID].Index[name]; ok {
			x.mentionAt(x.valueKey(want.ID, name), x.at(at))
			return x.constant(program.Type{Base: program.IsOneOf, ID: want.ID}, int64(v), at)
		}
	}
	if slot, ok := x.s.frame.find(name); ok { // a given of a case, or a parameter in Thai
		x.s.frame.read(slot)
		x.mentionAt(x.s.frame.key(slot), x.at(at))
		k := x.node(program.OpLocal, x.s.frame.types[slot], at)
		k.N = int64(slot)
		return k
	}
	if x.s.inCase && (name == "P1" || name == "P2") {
		return x.constant(objectType(program.KindPlayer), int64(name[1]-'0'), at)
	}
	if z, ok := x.zones[name]; ok && (want.Base == program.IsObject && (want.ID < 0 || x.p.Kinds[want.ID].Entity == program.Place) || want.Base == program.IsUnknown) {
		x.mentionAt(program.NameKey{Sort: "zone", Name: name}, x.at(at))
		return x.constant(objectType(program.KindPlace), zoneConstant(z), at)
	}
	// A characteristic may be named in a script without small letters.
	for i := len(x.s.open) - 1; i >= 0; i-- {
		if e := &x.s.open[i]; !e.pred {
			if k := x.memberOf(x.elem(e, at), name, at, false); k != nil {
				return k
			}
		}
	}
	if want.Base == program.IsOneOf {
		return x.valueName(name, want, at)
	}
	if want.Base != program.IsUnknown && want.Base != program.IsText {
		// Wanted is no name at all; say what the name is, if anything.
		if l := x.valueLists(name); len(l) > 0 {
			x.mentionAt(x.valueKey(l[0], name), x.at(at))
			return x.constant(program.Type{Base: program.IsOneOf, ID: l[0]}, int64(x.p.Values[l[0]].Index[name]), at)
		}
	}
	lists := x.valueLists(name)
	if len(lists) == 1 || len(lists) > 1 && want.Base == program.IsUnknown {
		for _, l := range lists {
			x.mentionAt(x.valueKey(l, name), x.at(at))
		}
		return &program.Node{Op: program.OpConst, T: program.Type{Base: program.IsOneOf, ID: lists[0]}, N: int64(x.p.Values[lists[0]].Index[name]),
			Span: x.at(at), M: int64(len(lists))}
	}
	if x.fails(name) {
		return nil
	}
	if want.Base == program.IsObject && want.ID >= 0 && len(lists) == 0 {
		switch x.p.Kinds[want.ID].Entity {
		case program.Place:
			x.diags.Add("unknown-zone", x.at(at), "name", name).Near = nearest(name, keys(x.zones))
			return nil
		case program.Token:
			x.diags.Add("unknown-token", x.at(at), "name", name).Near = nearest(name, keys(x.tokens))
			return nil
		}
	}
	if x.misspelt(name, x.at(at)) {
		return nil
	}
	if x.nameless(x.at(at), name) {
		return nil
	}
	d := x.diags.Add("unknown-name", x.at(at), "name", name)
	d.Near = nearest(name, x.knownCapitals())
	lost(d)
	return nil
}

// zoneConstant is how an expression writes a zone before it is known whose.
func zoneConstant(z int) int64 { return int64(-2 - z) }

// pointer is # in a predicate.
func (x *exprChecker) pointer(n *ast.PointerNode) *program.Node {
	if n.Name != "" {
		x.diags.Add("not-in-expressions", x.at(n), "what", "#"+n.Name)
		return nil
	}
	for i := len(x.s.open) - 1; i >= 0; i-- {
		if e := &x.s.open[i]; e.pred {
			return x.elem(e, n)
		}
	}
	x.diags.Add("no-element", x.at(n))
	return nil
}

// member is a.b.
func (x *exprChecker) member(n *ast.MemberNode) *program.Node {
	prop, ok := n.Property.(*ast.StringNode)
	if !ok {
		x.diags.Add("not-in-expressions", x.at(n), "what", "[ ]")
		return nil
	}
	name := x.text.name(prop.Value)
	if id, ok := n.Node.(*ast.IdentifierNode); ok {
		z, ok := x.zones[x.text.name(id.Value)]
		if _, local := x.s.frame.find(x.text.name(id.Value)); ok && !local {
			x.mentionAt(program.NameKey{Sort: "zone", Name: x.p.Zones[z].Name}, x.at(id))
			recv := x.constant(objectType(program.KindPlace), zoneConstant(z), id)
			if x.p.Zones[z].PerPlayer {
				x.diags.Add("whose-zone", x.at(id), "name", x.p.Zones[z].Name)
				return nil
			}
			return x.memberOf(recv, name, n.Property, true)
		}
	}
	recv := x.check(n.Node, program.Type{})
	if recv == nil {
		return nil
	}
	if recv.T.Several {
		x.ofSeveral(recv, name, n)
		return nil
	}
	return x.memberOf(recv, name, n.Property, true)
}

// ofSeveral reports a member that is asked of a list, with what asks it of each.
func (x *exprChecker) ofSeveral(recv *program.Node, name string, n *ast.MemberNode) {
	d := x.diags.Add("member-of-several", x.at(n.Property), "name", name)
	list := x.written(n.Node)
	if list == "" || len(list) > 40 {
		list = "list"
	}
	one := *recv
	one.T.Several = false
	switch k := x.memberOf(&one, name, n.Property, false); {
	case k == nil:
		if recv.T.Base == program.IsObject || recv.T.Base == program.IsHappening {
			d.Values = append(d.Values, "any", list)
		} else {
			d.Values = append(d.Values, "list", list)
		}
	case k.T.Several || k.T.Mask():
		d.Values = append(d.Values, "list", list)
	case k.T.Base == program.IsNumber:
		d.Values = append(d.Values, "list", list, "sum", list)
	case k.T.Base == program.IsFlag:
		d.Values = append(d.Values, "list", list, "flags", list)
	default:
		d.Values = append(d.Values, "list", list, "all", list)
	}
}

// memberOf reads a member of a value; with say it reports what is not there.
func (x *exprChecker) memberOf(recv *program.Node, name string, at ast.Node, say bool) *program.Node {
	if recv.T.Several {
		return nil
	}
	switch recv.T.Base {
	case program.IsUnknown, program.IsNothing:
		if say {
			return &program.Node{Op: program.OpConst, Span: x.at(at)}
		}
		return nil
	case program.IsHappening:
		if k := x.actMember(recv, recv.T.ID, name, at); k != nil {
			return k
		}
		if say && !x.fails(name) {
			var known []string
			what := "action"
			if recv.T.ID >= 0 {
				known, what = x.actNames(recv.T.ID), x.p.Actions[recv.T.ID].Name
			}
			x.diags.Add("unknown-member", x.at(at), "name", name, "of", what).Near = nearest(name, known)
		}
		return nil
	case program.IsObject:
		entities := x.entitiesOf(recv.T.ID)
		for _, e := range entities {
			if ch := x.char(e, name); ch != nil {
				return x.readChar(recv, ch, at)
			}
		}
		if say && !x.fails(name) {
			d := x.diags.Add("unknown-member", x.at(at), "name", name, "of", x.p.TypeName(recv.T), "inner", x.through(recv.T, name))
			if d.Near = nearest(name, x.charNames(entities)); d.Near == "" {
				d.Values = append(d.Values, "tally", x.tallied(entities, name))
			}
		}
		return nil
	}
	if say {
		x.diags.Add("no-members", x.at(at), "name", name, "type", x.p.TypeName(recv.T))
	}
	return nil
}

// tallied is how many of a token lie on an object, for a name that may have meant that:
// the token of that name, or whichever was declared last; "" where none lies there.
func (x *exprChecker) tallied(entities []program.Entity, name string) string {
	out := ""
	for _, t := range x.p.Tokens {
		if t.On >= 0 && !slices.Contains(entities, x.p.Kinds[t.On].Entity) {
			continue
		}
		out = "tally(" + t.Name + ")"
		if strings.EqualFold(t.Name, name) || strings.EqualFold(t.Name+"s", name) {
			break
		}
	}
	return out
}

// entitiesOf lists what an object of the kind can be.
func (c *checker) entitiesOf(kind int) []program.Entity {
	if kind >= 0 {
		return []program.Entity{c.p.Kinds[kind].Entity}
	}
	return []program.Entity{program.Card, program.Token, program.Player, program.Place, program.Game}
}

func (x *exprChecker) readChar(recv *program.Node, ch *program.Char, at ast.Node) *program.Node {
	if at := x.at(at); at.File != nil && x.another(at.File, ch.Name) {
		x.failed[ch.Name] = true
		return nil
	}
	x.charRead[ch.Index] = true
	x.mentionAt(x.charKey(ch), x.at(at))
	t := ch.Type
	if ch.Fact == program.FactHost && recv.T.ID >= 0 { // what a kind of token is on is known from its declaration
		if tok := x.p.Kinds[recv.T.ID].Token; tok >= 0 && x.p.Tokens[tok].On >= 0 {
			t = objectType(x.p.Tokens[tok].On)
		}
	}
	k := x.back(x.node(program.OpChar, t, at, recv))
	k.N = int64(ch.Index)
	return k
}

// back marks what is asked of an object that was reached through the action looked
// at, where that is read in the state in which the group was judged.
func (x *exprChecker) back(n *program.Node) *program.Node {
	if x.s.before && throughAct(n.Kids[0]) {
		n.M = 1
	}
	return n
}

// actMember reads a role, attribute or fact of a happening; recv is nil for the
// one looked at.
func (x *exprChecker) actMember(recv *program.Node, action int, name string, at ast.Node) *program.Node {
	op := func(bare, of program.NodeOp, n int, t program.Type) *program.Node {
		k := x.node(bare, t, at)
		if recv != nil {
			k = x.node(of, t, at, recv)
		}
		k.N = int64(n)
		return k
	}
	if action >= 0 {
		a := x.p.Actions[action]
		for i, r := range a.Roles {
			if r.Name == name {
				x.mentionAt(program.NameKey{Sort: "role", Of: a.Name, Name: name}, x.at(at))
				return op(program.OpRole, program.OpRoleOf, i, r.Type)
			}
		}
		if slot, ok := a.AttrSlot[name]; ok {
			ch := x.p.Chars[a.Attrs[slot]]
			x.charRead[ch.Index] = true
			x.mentionAt(x.charKey(ch), x.at(at))
			ch.ReadAfter = ch.ReadAfter || recv != nil || !x.s.gate
			k := op(program.OpAttr, program.OpAttrOf, slot, ch.Type)
			k.M = int64(ch.Index)
			return k
		}
	}
	var fact program.Fact
	var t program.Type
	switch name {
	case "number":
		fact, t = program.FactNumber, program.NumberType
	case "ability_of":
		fact, t = program.FactAbilityOf, objectType(program.KindPlayer)
	case "ability_from":
		fact, t = program.FactCauser, objectType(program.KindCard)
	default:
		return nil
	}
	r := recv
	if r == nil {
		r = x.node(program.OpAct, happening(action), at)
	}
	k := x.node(program.OpActFact, t, at, r)
	k.N = int64(fact)
	return k
}

func (x *exprChecker) unary(n *ast.UnaryNode) *program.Node {
	switch n.Operator {
	case "not", "!":
		if k := x.checkAs(n.Node, program.FlagType); k != nil {
			return x.node(program.OpNot, program.FlagType, n, k)
		}
		return nil
	case "-", "+":
		k := x.checkAs(n.Node, program.NumberType)
		if k == nil || n.Operator == "+" {
			return k
		}
		if k.Op == program.OpConst {
			return x.constant(program.NumberType, -k.N, n)
		}
		return x.node(program.OpNeg, program.NumberType, n, k)
	}
	x.diags.Add("not-in-expressions", x.at(n), "what", n.Operator)
	return nil
}

var binaryOps = map[string]program.NodeOp{
	"+": program.OpAdd, "-": program.OpSub, "*": program.OpMul, "%": program.OpMod,
	"<": program.OpLt, "<=": program.OpLe, ">": program.OpGt, ">=": program.OpGe,
	"==": program.OpEq, "!=": program.OpNe,
	"and": program.OpAnd, "&&": program.OpAnd, "or": program.OpOr, "||": program.OpOr,
}

func (x *exprChecker) binary(n *ast.BinaryNode) *program.Node {
	if n.Operator == "in" {
		return x.in(n)
	}
	op, ok := binaryOps[n.Operator]
	if !ok {
		code := "not-in-expressions"
		if n.Operator == "/" || n.Operator == "**" || n.Operator == "^" {
			code = "no-division"
		}
		x.diags.Add(code, x.at(n), "what", n.Operator)
		return nil
	}
	switch op {
	case program.OpAnd, program.OpOr:
		l, r := x.checkAs(n.Left, program.FlagType), program.FlagType
		k := x.check(n.Right, r)
		if k != nil && k.T.Base == program.IsOneOf && !k.T.Several {
			x.diags.Add("value-as-condition", x.at(n.Right), "op", n.Operator, "value", x.at(n.Right).Text(), "list", x.p.Values[k.T.ID].Name)
			return nil
		}
		if k != nil {
			k = x.fit(k, r, x.at(n.Right))
		}
		if l == nil || k == nil {
			return nil
		}
		return x.node(op, program.FlagType, n, l, k)
	case program.OpEq, program.OpNe:
		return x.equal(n, op)
	}
	if op == program.OpAdd || op == program.OpSub {
		hint := program.NumberType
		if _, list := n.Left.(*ast.ArrayNode); list {
			hint = program.Type{}
		}
		l := x.check(n.Left, hint)
		if l != nil && l.T.Several && l.T.Base != program.IsAbility {
			return x.join(n, op, l)
		}
		if l != nil {
			l = x.fit(l, program.NumberType, x.at(n.Left))
		}
		r := x.checkAs(n.Right, program.NumberType)
		if l == nil || r == nil {
			return nil
		}
		return x.node(op, program.NumberType, n, l, r)
	}
	l, r := x.checkAs(n.Left, program.NumberType), x.checkAs(n.Right, program.NumberType)
	if l == nil || r == nil {
		return nil
	}
	t := program.FlagType
	if op >= program.OpAdd && op <= program.OpMod {
		t = program.NumberType
	}
	return x.node(op, t, n, l, r)
}

// join is a list with what else another has, or without what another has.
func (x *exprChecker) join(n *ast.BinaryNode, op program.NodeOp, l *program.Node) *program.Node {
	r := x.checkAs(n.Right, l.T)
	if r == nil {
		return nil
	}
	if op == program.OpAdd {
		return x.node(program.OpJoin, l.T, n, l, r)
	}
	return x.node(program.OpWithout, l.T, n, l, r)
}

// open reports whether a node is a name whose category the other side decides.
func (x *exprChecker) openName(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if t := x.text.hole(n.Value); t != nil && t.Kind == grammar.Int {
			return false
		}
		name := x.text.name(n.Value)
		if _, local := x.s.frame.find(name); local {
			return false
		}
		return isCapital(name)
	case *ast.StringNode, *ast.ArrayNode:
		return true
	}
	return false
}

// written is an operand as it stands in the source, from what its members belong to
// up to the end of its call.
func (x *exprChecker) written(n ast.Node) string {
	toks := x.text.tokens
	i := x.text.index(n.Location().From)
	if i < 0 {
		return ""
	}
	if toks[i].Kind == grammar.Punct && toks[i].Text == "." && i+1 < len(toks) {
		i++
	}
	from, to := i, i
	for from > 1 && toks[from-1].Text == "." && toks[from-1].Kind == grammar.Punct {
		from -= 2
	}
	if to+1 < len(toks) && toks[to+1].Text == "(" {
		to = min(grammar.EachEnd(toks, to+2), len(toks)-1)
		for to < len(toks)-1 && toks[to].Text != ")" {
			to = min(grammar.EachEnd(toks, to+1), len(toks)-1)
		}
	}
	return strings.Join(strings.Fields(toks[from].Span.To(toks[to].Span).Text()), " ")
}

// sides are the names on both sides of an operator, as written.
func (x *exprChecker) sides(n *ast.BinaryNode) (left, right string) {
	at := x.at(n)
	part := func(t *grammar.Token) bool {
		return t.Kind == grammar.Ident || t.Kind == grammar.Word && t.Text != "and" && t.Text != "or" && t.Text != "not" || t.Kind == grammar.Punct && t.Text == "."
	}
	list := x.text.tokens
	for i := range list {
		if list[i].Span != at {
			continue
		}
		for k := i - 1; k >= 0 && part(&list[k]); k-- {
			left = list[k].Span.Text() + left
		}
		for k := i + 1; k < len(list) && part(&list[k]); k++ {
			right += list[k].Span.Text()
		}
		bracket := func(k int, s string) bool {
			return k >= 0 && k < len(list) && list[k].Kind == grammar.Punct && list[k].Text == s
		}
		if bracket(i+1, "[") {
			for k := i + 1; k < len(list); k++ {
				if bracket(k, "]") {
					right = list[i+1].Span.To(list[k].Span).Text()
					break
				}
			}
		}
		if bracket(i-1, "]") {
			for k := i - 1; k >= 0; k-- {
				if bracket(k, "[") {
					left = list[k].Span.To(list[i-1].Span).Text()
					break
				}
			}
		}
	}
	return left, right
}

// meantMember is how an object is compared that stands for one of its facts: its kind of
// token, its name, or where it is; "" where it does not.
func (x *exprChecker) meantMember(l, r *program.Node, left, right, op string) string {
	if r.T.Base == program.IsObject && l.T.Base != program.IsObject {
		l, r, left, right = r, l, right, left
	}
	if l.T.Base != program.IsObject || l.T.Several || left == "" || right == "" {
		return ""
	}
	for _, e := range x.entitiesOf(l.T.ID) {
		for _, ch := range x.p.Chars {
			if ch.Entity == e && ch.Action < 0 && (ch.Fact != program.FactNone || ch.Printed) && ch.Type == r.T {
				return left + "." + ch.Name + " " + op + " " + right
			}
		}
	}
	return ""
}

// askedAs is a condition on a value of its own list, or "" where none can be written.
func (x *exprChecker) askedAs(n *program.Node, written string) string {
	if n.T.Base != program.IsOneOf || written == "" || n.Op == program.OpConst || len(x.p.Values[n.T.ID].Names) == 0 {
		return ""
	}
	name := x.p.Values[n.T.ID].Names[0].Name
	if n.T.Several {
		return name + " in " + written
	}
	return written + " == " + name
}

func (x *exprChecker) equal(n *ast.BinaryNode, op program.NodeOp) *program.Node {
	left, right := n.Left, n.Right
	if x.openName(left) && !x.openName(right) {
		left, right = right, left
	}
	l := x.check(left, program.Type{})
	if l == nil {
		return nil
	}
	want := l.T
	if l.T.Base == program.IsNothing {
		want = program.Type{}
	}
	r := x.check(right, want)
	if r == nil {
		return nil
	}
	if !x.fits(l.T, r.T) && !x.fits(r.T, l.T) {
		d := x.diags.Add("never-equal", x.at(n), "left", x.p.TypeName(l.T), "right", x.p.TypeName(r.T))
		a, b := x.sides(n)
		if left != n.Left {
			a, b = b, a
		}
		if as := x.meantMember(l, r, a, b, n.Operator); as != "" {
			d.Values = append(d.Values, "instead", as)
			return nil
		}
		if a, b = x.askedAs(l, a), x.askedAs(r, b); a != "" && b != "" {
			d.Values = append(d.Values, "one-way", a, "other-way", b)
		}
		return nil
	}
	if l.T.Several != r.T.Several && l.T.Base != program.IsNothing && r.T.Base != program.IsNothing {
		one, many := x.sides(n)
		if one == "[]" || many == "[]" {
			one = "" // nothing is in it
		}
		if l.T.Several != (left != n.Left) { // the list stands first
			one, many = many, one
		}
		x.diags.Add("never-equal", x.at(n), "left", x.p.TypeName(l.T), "right", x.p.TypeName(r.T), "one", one, "many", many)
		return nil
	}
	if l.T.Mask() || r.T.Mask() {
		t := l.T
		if !t.Mask() {
			t = r.T
		}
		if l = x.fit(l, t, l.Span); l == nil {
			return nil
		}
		if r = x.fit(r, t, r.Span); r == nil {
			return nil
		}
	}
	if l.T.List() {
		k := x.node(program.OpListEq, program.FlagType, n, l, r)
		if op == program.OpNe {
			return x.node(program.OpNot, program.FlagType, n, k)
		}
		return k
	}
	return x.node(op, program.FlagType, n, l, r)
}

func (x *exprChecker) in(n *ast.BinaryNode) *program.Node {
	set := x.check(n.Right, program.Type{})
	if set == nil {
		return nil
	}
	if set.T.Base == program.IsUnknown {
		return set
	}
	if !set.T.Several {
		x.diags.Add("wrong-type", x.at(n.Right), "want", "several", "got", x.p.TypeName(set.T))
		return nil
	}
	one := set.T
	one.Several = false
	k := x.checkAs(n.Left, one)
	if k == nil {
		return nil
	}
	op := program.OpInList
	if set.T.Mask() {
		op = program.OpMaskHas
	}
	return x.node(op, program.FlagType, n, k, set)
}

func (x *exprChecker) array(n *ast.ArrayNode, want program.Type) *program.Node {
	one := want
	one.Several = false
	k := x.node(program.OpList, program.Type{Several: true}, n)
	for _, e := range n.Nodes {
		hint := one
		if hint.Base == program.IsUnknown && len(k.Kids) > 0 {
			hint = k.T
			hint.Several = false
		}
		v := x.check(e, hint)
		if v == nil {
			return nil
		}
		if v.T.Several {
			x.diags.Add("list-in-list", x.at(e), "list", x.written(e))
			return nil
		}
		if hint.Base != program.IsUnknown && !x.fits(v.T, hint) {
			x.diags.Add("wrong-type", x.at(e), "want", x.p.TypeName(hint), "got", x.p.TypeName(v.T))
			return nil
		}
		if len(k.Kids) == 0 {
			k.T = v.T
			k.T.Several = true
		}
		k.Kids = append(k.Kids, v)
	}
	if len(n.Nodes) == 0 && want.Base != program.IsUnknown {
		k.T = want
		k.T.Several = true
	}
	if k.T.Mask() {
		k.Op = program.OpMaskOf
		mask, all := int64(0), true
		for _, v := range k.Kids {
			all = all && v.Op == program.OpConst
			if v.N >= 0 {
				mask |= 1 << v.N
			}
		}
		if all {
			return &program.Node{Op: program.OpConst, T: k.T, N: mask, Span: k.Span}
		}
	}
	return k
}

// throughAct reports whether a value was reached through a role or attribute of
// the action looked at.
func throughAct(n *program.Node) bool {
	switch n.Op {
	case program.OpRole, program.OpAttr, program.OpRoleOf, program.OpAttrOf:
		return true
	case program.OpChar:
		return throughAct(n.Kids[0])
	}
	return false
}
