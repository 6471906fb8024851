package check

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Functions that expressions may use. expr parses its own built-in names apart
// from other calls; both kinds end here, and all others are refused.

var listOps = map[string]program.NodeOp{
	"count": program.OpCount, "any": program.OpAny, "all": program.OpAll, "none": program.OpNone,
	"find": program.OpFind, "filter": program.OpFilter, "map": program.OpMap, "sum": program.OpSum,
	"first": program.OpFirst, "min": program.OpMin, "max": program.OpMax, "sortBy": program.OpSortBy,
	"abs": program.OpAbs, "len": program.OpCount, unionCall: program.OpUnion,
}

var functionNames = []string{"count", "any", "all", "none", "find", "filter", "map", "sum", "first", "min", "max", "sortBy", "abs", "union",
	"look", "opposite", "distance", "fired", "order", "has", "tally", "cell"}

func (x *exprChecker) builtin(n *ast.BuiltinNode, want program.Type) *program.Node {
	op, ok := listOps[n.Name]
	if !ok {
		x.unknownFunction(n.Name, n)
		return nil
	}
	switch op {
	case program.OpAbs:
		if !x.argCount(n.Name, len(n.Arguments), 1, 1, n) {
			return nil
		}
		if k := x.checkAs(n.Arguments[0], program.NumberType); k != nil {
			return x.node(op, program.NumberType, n, k)
		}
		return nil
	case program.OpMin, program.OpMax:
		return x.minMax(n, op)
	}
	if len(n.Arguments) == 0 {
		x.argCount(n.Name, 0, 1, 2, n)
		return nil
	}
	list := x.check(n.Arguments[0], program.Type{})
	if list == nil {
		return nil
	}
	if list.T.Base == program.IsAbility && op == program.OpCount {
		return x.node(program.OpAbilityCount, program.NumberType, n, list.Kids...)
	}
	if !list.T.Several {
		if list.T.Base != program.IsUnknown {
			x.diags.Add("wrong-type", x.at(n.Arguments[0]), "want", "several", "got", x.p.TypeName(list.T))
		}
		return nil
	}
	one := list.T
	one.Several = false
	if list.T.Mask() {
		if op == program.OpCount && len(n.Arguments) == 1 {
			return x.node(program.OpMaskCount, program.NumberType, n, list)
		}
		list = x.node(program.OpMaskList, list.T, n.Arguments[0], list)
	}
	var pred *program.Node
	if len(n.Arguments) > 1 {
		if x.nest++; x.nest > maxNest {
			x.diags.Add("nested-too-deep", x.at(n))
			return nil
		}
		level := len(x.s.open)
		x.s.push(one, true)
		predWant := program.FlagType
		if op == program.OpSum || op == program.OpSortBy {
			predWant = program.NumberType
		}
		if op == program.OpMap || op == program.OpUnion {
			predWant = program.Type{}
		}
		pred = x.checkAs(n.Arguments[1], predWant)
		x.s.pop()
		x.nest--
		if pred == nil {
			return nil
		}
		if !x.s.inCase {
			x.ofElement(pred, level, one, n)
		}
	}
	kids := []*program.Node{list}
	if pred != nil {
		kids = append(kids, pred)
	}
	switch op {
	case program.OpCount:
		return x.node(op, program.NumberType, n, kids...)
	case program.OpAny, program.OpAll, program.OpNone:
		if pred == nil {
			x.argCount(n.Name, 1, 2, 2, n)
			return nil
		}
		return x.node(op, program.FlagType, n, kids...)
	case program.OpFind, program.OpFirst:
		return x.node(op, one, n, kids...)
	case program.OpFilter:
		t := list.T
		if t.Base == program.IsOneOf {
			x.diags.Add("not-in-expressions", x.at(n), "what", "filter")
			return nil
		}
		return x.node(op, t, n, kids...)
	case program.OpMap:
		t := pred.T
		if t.Several || t.Base == program.IsOneOf {
			x.diags.Add("map-of-sets", x.at(n), "got", x.p.TypeName(t), "list", x.written(n.Arguments[0]))
			return nil
		}
		t.Several = true
		return x.node(op, t, n, kids...)
	case program.OpUnion:
		t := pred.T
		if t.Base == program.IsAbility || t.Base == program.IsNothing {
			x.diags.Add("wrong-type", x.at(n.Arguments[1]), "want", "several", "got", x.p.TypeName(t))
			return nil
		}
		if !t.Several { // one value of each: what map gives, each once, and names as a set
			t.Several = true
			if kids[1] = x.fit(pred, t, pred.Span); kids[1] == nil {
				return nil
			}
		}
		return x.node(op, t, n, kids...)
	case program.OpSum:
		if pred == nil && one.Base != program.IsNumber {
			x.diags.Add("wrong-type", x.at(n.Arguments[0]), "want", "several number", "got", x.p.TypeName(list.T))
			return nil
		}
		return x.node(op, program.NumberType, n, kids...)
	case program.OpSortBy:
		k := x.node(op, list.T, n, kids...)
		if len(n.Arguments) > 2 {
			s, ok := n.Arguments[2].(*ast.StringNode)
			if !ok {
				x.diags.Add("wrong-type", x.at(n.Arguments[2]), "want", `"asc", "desc"`, "got", x.at(n.Arguments[2]).Text())
				return nil
			}
			order := x.text_(s, program.TextType)
			switch x.p.Texts[order.N] {
			case "desc":
				k.N = 1
			case "asc":
			default:
				x.diags.Add("wrong-type", x.at(n.Arguments[2]), "want", `"asc", "desc"`, "got", x.p.Texts[order.N])
				return nil
			}
		}
		return k
	}
	return nil
}

// minMax is min or max: of a list, or of several numbers.
func (x *exprChecker) minMax(n *ast.BuiltinNode, op program.NodeOp) *program.Node {
	if len(n.Arguments) == 1 {
		list := x.checkAs(n.Arguments[0], program.Type{Base: program.IsNumber, Several: true})
		if list == nil {
			return nil
		}
		return x.node(op, program.NumberType, n, list)
	}
	list := x.node(program.OpList, program.Type{Base: program.IsNumber, Several: true}, n)
	for i, a := range n.Arguments {
		k := x.check(a, program.NumberType)
		if k != nil && i == 0 && k.T.Several && len(n.Arguments) == 2 { // as sum is written
			d := x.diags.Add("wrong-type", x.at(a), "want", x.p.TypeName(program.NumberType), "got", x.p.TypeName(k.T))
			if l, of := x.written(a), x.written(n.Arguments[1]); l != "" && of != "" {
				d.Values = append(d.Values, "mapped", n.Name+"(map("+l+", ."+strings.TrimPrefix(of, ".")+"))")
			}
			return nil
		}
		if k != nil {
			k = x.fit(k, program.NumberType, x.at(a))
		}
		if k == nil {
			return nil
		}
		list.Kids = append(list.Kids, k)
	}
	return x.node(op, program.NumberType, n, list)
}

func (x *exprChecker) argCount(name string, got, least, most int, at ast.Node) bool {
	if got >= least && got <= most {
		return true
	}
	x.diags.Add("wrong-argument-count", x.at(at), "name", name, "want", itoa(least), "got", itoa(got))
	return false
}

func (x *exprChecker) unknownFunction(name string, at ast.Node) {
	known := append([]string(nil), functionNames...)
	for t := range x.tables {
		known = append(known, t)
	}
	d := x.diags.Add("unknown-function", x.at(at), "name", name)
	d.Near = nearest(name, known)
	if slices.Contains(methodNames, name) { // what is asked of an object, without the object
		d.Near = "self." + name
		if x.s.candidate() != nil {
			d.Near = "it." + name
		}
		d.Fix = &diag.Fix{Span: d.Span, Text: d.Near, Guess: true}
	}
}

// methodNames are what objects are asked.
var methodNames = []string{"has", "tally", "is"}

// call is a call of a function, table or member.
func (x *exprChecker) call(n *ast.CallNode) *program.Node {
	if m, ok := n.Callee.(*ast.MemberNode); ok {
		return x.method(n, m)
	}
	id, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		x.diags.Add("not-in-expressions", x.at(n), "what", "( )")
		return nil
	}
	name := x.text.name(id.Value)
	args := n.Arguments
	place, dir := objectType(program.KindPlace), x.directions()
	switch name {
	case eachCall:
		return x.eachIn(n)
	case alias + "any", alias + "none":
		return x.whether(n, name == alias+"any")
	case "look": // the object found from another in a direction
		if !x.argCount(name, len(args), 2, 3, n) || dir.Base == program.IsUnknown {
			return nil
		}
		from, d := x.checkAs(args[0], objectType(program.KindCard)), x.checkAs(args[1], dir)
		far := x.constant(program.NumberType, 1, n)
		if len(args) > 2 {
			far = x.checkAs(args[2], program.NumberType)
		}
		if from == nil || d == nil || far == nil {
			return nil
		}
		return x.node(program.OpLook, objectType(program.KindCard), n, from, d, far)
	case "opposite":
		if !x.argCount(name, len(args), 1, 1, n) || dir.Base == program.IsUnknown {
			return nil
		}
		if d := x.checkAs(args[0], dir); d != nil {
			return x.node(program.OpOpposite, dir, n, d)
		}
		return nil
	case "distance":
		if !x.argCount(name, len(args), 2, 2, n) {
			return nil
		}
		a, b := x.checkAs(args[0], place), x.checkAs(args[1], place)
		if a == nil || b == nil {
			return nil
		}
		return x.node(program.OpDistance, program.NumberType, n, a, b)
	case "cell":
		if !x.argCount(name, len(args), 2, 2, n) {
			return nil
		}
		a, b := x.checkAs(args[0], program.NumberType), x.checkAs(args[1], program.NumberType)
		if a == nil || b == nil {
			return nil
		}
		k := x.node(program.OpCellAt, place, n, a, b)
		k.N = int64(x.grid())
		return k
	case "fired", "order":
		return x.caseFunction(name, n)
	}
	if t, ok := x.tables[name]; ok {
		return x.table(n, name, t)
	}
	x.unknownFunction(name, n)
	return nil
}

// whether is any(list) or none(list): whether there is something in it.
func (x *exprChecker) whether(n *ast.CallNode, some bool) *program.Node {
	list := x.check(n.Arguments[0], program.Type{})
	if list == nil {
		return nil
	}
	if !list.T.Several {
		if list.T.Base != program.IsUnknown {
			x.diags.Add("wrong-type", x.at(n.Arguments[0]), "want", "several", "got", x.p.TypeName(list.T))
		}
		return nil
	}
	op := program.OpCount
	if list.T.Mask() {
		op = program.OpMaskCount
	}
	how := program.OpGt
	if !some {
		how = program.OpEq
	}
	return x.node(how, program.FlagType, n, x.node(op, program.NumberType, n, list), x.constant(program.NumberType, 0, n))
}

// eachIn is each Kind where …, written where a list may stand inside brackets.
// ofElement warns where a function asks the same of each element: nothing in its
// condition or amount is the element's.
func (x *exprChecker) ofElement(pred *program.Node, level int, one program.Type, n *ast.BuiltinNode) {
	found := false
	pred.Walk(func(k *program.Node) { found = found || k.Op == program.OpElem && int(k.N) == level })
	if found {
		return
	}
	d := x.diags.Warn("same-for-each", x.at(n.Arguments[1]), "function", n.Name)
	ast.Find(n.Arguments[1], func(a ast.Node) bool {
		id, ok := a.(*ast.IdentifierNode)
		if !ok {
			return false
		}
		name := x.text.name(id.Value)
		if !x.has(one, name) {
			return false
		}
		at := x.at(id)
		d.Span = at
		d.Values = append(d.Values, "member", name)
		d.Fix = &diag.Fix{Span: at, Text: "." + name, Guess: true}
		return true
	})
}

func (x *exprChecker) eachIn(n *ast.CallNode) *program.Node {
	at := x.text.index(n.Location().From)
	toks := x.text.tokens
	name := toks[at+1]
	k, ok := x.kinds[name.Text]
	if !ok {
		x.unknown("unknown-kind", grammar.Name{Span: name.Span, Text: name.Text}, x.kinds)
		return nil
	}
	x.mentionKind(k, name.Span)
	list := x.node(program.OpEach, objectType(k), n)
	list.T.Several, list.N = true, int64(k)
	list.Span = toks[at].Span.To(toks[grammar.EachEnd(toks, at)-1].Span)
	if len(n.Arguments) < 2 {
		if end := at + 3; end <= len(toks)-1 && toks[at+2].Text == "where" {
			x.diags.Add("bad-expression", toks[end].Span, "found", toks[end].Text)
			return nil
		}
		return list
	}
	if x.nest++; x.nest > maxNest {
		x.diags.Add("nested-too-deep", x.at(n))
		return nil
	}
	list.M = int64(len(x.s.open))
	x.s.push(objectType(k), false)
	where := x.checkAs(n.Arguments[1], program.FlagType)
	x.s.pop()
	x.nest--
	if where == nil {
		return nil
	}
	list.Kids = []*program.Node{where}
	return list
}

func (x *exprChecker) table(n *ast.CallNode, name string, t int) *program.Node {
	tab := x.p.Tables[t]
	if x.fails(name) {
		return nil
	}
	if !x.argCount(name, len(n.Arguments), len(tab.Params), len(tab.Params), n) {
		return nil
	}
	x.mentionAt(program.NameKey{Sort: "table", Name: name}, x.at(n.Callee))
	k := x.node(program.OpTable, tab.Result, n)
	k.N = int64(t)
	for i, a := range n.Arguments {
		v := x.checkAs(a, tab.Params[i])
		if v == nil {
			return nil
		}
		k.Kids = append(k.Kids, v)
	}
	return k
}

// caseFunction is a question that only a case can ask.
func (x *exprChecker) caseFunction(name string, n *ast.CallNode) *program.Node {
	if !x.s.inCase {
		x.diags.Add("only-in-cases", x.at(n), "name", name)
		return nil
	}
	if !x.argCount(name, len(n.Arguments), 2, 2, n) {
		return nil
	}
	obj := x.check(n.Arguments[0], program.Type{})
	s, ok := n.Arguments[1].(*ast.StringNode)
	if obj == nil {
		return nil
	}
	if !ok || obj.T.Base != program.IsObject {
		x.diags.Add("wrong-type", x.at(n.Arguments[1]), "want", "text", "got", x.at(n.Arguments[1]).Text())
		return nil
	}
	text := x.p.Texts[x.text_(s, program.TextType).N]
	if name == "fired" {
		h := x.check(n.Arguments[1], program.Type{Base: program.IsOneOf, ID: program.ListHeader})
		if h == nil {
			return nil
		}
		k := x.node(program.OpFired, program.NumberType, n, obj)
		k.N = h.N
		return k
	}
	k := x.node(program.OpOrder, program.Type{Base: program.IsText, Several: true}, n, obj)
	k.N = -1
	if text != "rules" {
		var ch *program.Char
		for _, e := range x.entitiesOf(obj.T.ID) {
			if ch = x.char(e, text); ch != nil {
				break
			}
		}
		if ch == nil {
			x.diags.Add("unknown-member", x.at(n.Arguments[1]), "name", text, "of", x.p.TypeName(obj.T)).Near =
				nearest(text, append(x.charNames(x.entitiesOf(obj.T.ID)), "rules"))
			return nil
		}
		x.mentionAt(x.charKey(ch), x.at(n.Arguments[1]))
		k.N = int64(ch.Index)
	}
	return k
}

// method is x.has(Keyword), x.tally(Token) or x.is(Kind).
func (x *exprChecker) method(n *ast.CallNode, m *ast.MemberNode) *program.Node {
	prop, ok := m.Property.(*ast.StringNode)
	if !ok {
		return nil
	}
	recv := x.check(m.Node, program.Type{})
	if recv == nil {
		return nil
	}
	name := x.text.name(prop.Value)
	if recv.T.Base != program.IsObject || recv.T.Several {
		x.diags.Add("no-members", x.at(m.Property), "name", name, "type", x.p.TypeName(recv.T))
		return nil
	}
	if !x.argCount(name, len(n.Arguments), 1, 1, n) {
		return nil
	}
	switch name {
	case "has":
		kw := x.checkAs(n.Arguments[0], program.Type{Base: program.IsOneOf, ID: program.ListKeyword})
		if kw == nil {
			return nil
		}
		return x.back(x.node(program.OpHas, program.FlagType, n, recv, kw))
	case "tally":
		kind := x.checkAs(n.Arguments[0], program.Type{Base: program.IsOneOf, ID: program.ListToken})
		if kind == nil {
			return nil
		}
		return x.back(x.node(program.OpTally, program.NumberType, n, recv, kind))
	case "is":
		id, ok := n.Arguments[0].(*ast.IdentifierNode)
		if !ok {
			x.diags.Add("unknown-kind", x.at(n.Arguments[0]), "name", x.at(n.Arguments[0]).Text())
			return nil
		}
		kind, ok := x.kinds[x.text.name(id.Value)]
		if !ok {
			x.diags.Add("unknown-kind", x.at(id), "name", id.Value).Near = nearest(id.Value, keys(x.kinds))
			return nil
		}
		x.mentionAt(x.kindKey(kind), x.at(id))
		k := x.back(x.node(program.OpIsKind, program.FlagType, n, recv))
		k.N = int64(kind)
		return k
	}
	d := x.diags.Add("unknown-function", x.at(m.Property), "name", name)
	d.Near = nearest(name, methodNames)
	if id, ok := n.Arguments[0].(*ast.IdentifierNode); ok && d.Near == "" { // what is asked about tells what asks
		what := x.text.name(id.Value)
		_, token := x.tokens[what]
		_, keyword := x.keywords[what]
		_, kind := x.kinds[what]
		switch {
		case token && !keyword:
			d.Near = "tally"
		case keyword && !token:
			d.Near = "has"
		case kind && !token && !keyword:
			d.Near = "is"
		}
		if d.Near != "" {
			d.Fix = &diag.Fix{Span: d.Span, Text: d.Near, Guess: true}
		}
	}
	return nil
}
