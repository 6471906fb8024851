package export

import (
	"fmt"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// words are the operators that take their parts as a list, by their words.
var words = map[program.NodeOp]string{
	program.OpAdd: "+", program.OpSub: "-", program.OpMul: "*",
	program.OpEq: "==", program.OpNe: "!=", program.OpLt: "<", program.OpLe: "<=", program.OpGt: ">", program.OpGe: ">=",
	program.OpListEq: "==",
	program.OpAnd:    "and", program.OpOr: "or", program.OpMin: "least", program.OpMax: "most",
}

// loops are the operators that go through a list with a condition or an amount.
var loops = map[program.NodeOp]string{
	program.OpCount: "count", program.OpAny: "any", program.OpAll: "all", program.OpNone: "none", program.OpFilter: "filter", program.OpFirst: "first",
	program.OpFind: "first", program.OpSum: "sum",
}

// it names the candidate or element that was opened at a depth.
func it(level int) string {
	if level == 0 {
		return "it"
	}
	return fmt.Sprint("it", level+1)
}

// under works with one more candidate open, whose name it is told.
func (x *exporter) under(f func(name string)) {
	name := it(x.depth)
	x.depth++
	f(name)
	x.depth--
}

// fresh works with no candidate open, as a body or an end does.
func (x *exporter) fresh(f func()) {
	old := x.depth
	x.depth = 0
	f()
	x.depth = old
}

// constant writes a value of a type.
func (x *exporter) constant(t program.Type, n int64, at source.Span) any {
	switch {
	case t.Base == program.IsNumber && !t.Several:
		return n
	case t.Base == program.IsFlag:
		return n != 0
	case t.Base == program.IsText:
		return Object{{"op", "text"}, {"text", x.label(x.p.Texts[n])}}
	case t.Mask():
		items := []any{}
		for i := range x.p.Values[t.ID].Names {
			if n>>i&1 != 0 {
				items = append(items, x.name(t.ID, int64(i)))
			}
		}
		return Object{{"op", "list"}, {"items", items}}
	case t.Base == program.IsOneOf:
		if n < 0 {
			return Object{{"op", "nothing"}}
		}
		return x.name(t.ID, n)
	case t.Base == program.IsNothing:
		return Object{{"op", "nothing"}}
	case t.Base == program.IsObject && t.Several:
		return Object{{"op", "list"}, {"items", []any{}}}
	case t.Base == program.IsObject && (n == 1 || n == 2):
		return x.side(n)
	case t.Base == program.IsObject && n <= -2:
		return Object{{"op", "zone"}, {"zone", x.p.Zones[-2-n].Name}}
	case t.Base == program.IsObject && n == -1:
		return Object{{"op", "nothing"}}
	}
	x.out(at, "")
	return nil
}

func (x *exporter) name(list int, n int64) any {
	v := x.p.Values[list]
	return Object{{"op", "name"}, {"of", v.Name}, {"name", v.Names[n].Name}}
}

func (x *exporter) exprs(list []*program.Node) []any {
	out := []any{}
	for _, n := range list {
		out = append(out, x.expr(n))
	}
	return out
}

// local is a name: an object of the start, or what an instruction named.
func (x *exporter) local(n *program.Node) any {
	if v, ok := x.args[int(n.N)]; ok {
		return v
	}
	if int(n.N) >= len(x.names) || x.names[n.N] == "" {
		x.out(n.Span, "")
	}
	return x.label(x.names[n.N])
}

func (x *exporter) expr(n *program.Node) any {
	switch n.Op {
	case program.OpConst:
		return x.constant(n.T, n.N, n.Span)
	case program.OpList, program.OpMaskOf:
		return Object{{"op", "list"}, {"items", x.exprs(n.Kids)}}
	case program.OpSelf:
		return "self"
	case program.OpYou:
		return "you"
	case program.OpIt, program.OpElem:
		return it(int(n.N))
	case program.OpLocal:
		return x.local(n)
	case program.OpRole:
		return Object{{"op", "role"}, {"role", x.roleName(n)}}
	case program.OpRoleOf:
		return Object{{"op", "role"}, {"of", x.expr(n.Kids[0])}, {"role", x.p.Actions[n.Kids[0].T.ID].Roles[n.N].Name}}
	case program.OpAttr:
		return Object{{"op", "attribute"}, {"attribute", x.p.Chars[n.M].Name}}
	case program.OpAttrOf:
		return Object{{"op", "attribute"}, {"of", x.expr(n.Kids[0])}, {"attribute", x.p.Chars[n.M].Name}}
	case program.OpActFact:
		o := Object{{"op", "attribute"}}
		if n.Kids[0].Op != program.OpAct {
			o.put("of", x.expr(n.Kids[0]))
		}
		switch program.Fact(n.N) {
		case program.FactAbilityOf:
			o.put("attribute", "ability_of")
		case program.FactCauser:
			o.put("attribute", "ability_from")
		default:
			x.out(n.Span, "")
		}
		return o
	case program.OpHits:
		return Object{{"op", "hits"}}
	case program.OpChar:
		return back(n, Object{{"op", "get"}, {"of", x.expr(n.Kids[0])}, {"characteristic", x.p.Chars[n.N].Name}})
	case program.OpHas:
		return back(n, Object{{"op", "has"}, {"of", x.expr(n.Kids[0])}, {"keyword", x.p.Keywords[x.index(n.Kids[1])].Name}})
	case program.OpTally:
		return back(n, Object{{"op", "tally"}, {"of", x.expr(n.Kids[0])}, {"token", x.token(x.index(n.Kids[1]), n.Span)}})
	case program.OpIsKind:
		return back(n, Object{{"op", "is"}, {"of", x.expr(n.Kids[0])}, {"kind", x.p.Kinds[n.N].Name}})
	case program.OpEach:
		o := Object{{"op", "each"}, {"kind", x.p.Kinds[n.N].Name}}
		if len(n.Kids) > 0 {
			x.under(func(name string) { o.put("as", name); o.put("where", x.expr(n.Kids[0])) })
		}
		return o
	case program.OpCount, program.OpAny, program.OpAll, program.OpNone, program.OpFilter, program.OpFirst, program.OpFind, program.OpSum:
		o := Object{{"op", loops[n.Op]}, {"list", x.expr(n.Kids[0])}}
		if len(n.Kids) > 1 {
			if n.Op != program.OpCount && n.Op != program.OpFilter {
				x.feat[featLists] = true
			}
			key := "where"
			if n.Op == program.OpSum {
				key = "amount"
			}
			x.under(func(name string) { o.put("as", name); o.put(key, x.expr(n.Kids[1])) })
		}
		return o
	case program.OpMaskCount:
		return Object{{"op", "count"}, {"list", x.expr(n.Kids[0])}}
	case program.OpMaskList:
		return x.expr(n.Kids[0])
	case program.OpAbilityCount:
		return Object{{"op", "count"}, {"list", Object{{"op", "get"}, {"of", x.expr(n.Kids[0])}, {"characteristic", "ability"}}}}
	case program.OpMaskHas, program.OpInList:
		return Object{{"op", "in"}, {"item", x.expr(n.Kids[0])}, {"list", x.expr(n.Kids[1])}}
	case program.OpNot:
		return Object{{"op", "not"}, {"arg", x.expr(n.Kids[0])}}
	case program.OpIf:
		return Object{{"op", "if"}, {"condition", x.expr(n.Kids[0])}, {"then", x.expr(n.Kids[1])}, {"else", x.expr(n.Kids[2])}}
	case program.OpGame:
		return Object{{"op", "game"}}
	case program.OpUnderway:
		return Object{{"op", "underway"}, {"action", x.p.Actions[n.N].Name}}
	case program.OpNeg:
		return Object{{"op", "-"}, {"args", []any{0, x.expr(n.Kids[0])}}}
	case program.OpFired:
		return Object{{"op", "fired"}, {"of", x.expr(n.Kids[0])}, {"header", x.p.Headers[n.N].Name}}
	case program.OpOrder:
		x.feat[featOrder] = true
		o := Object{{"op", "order"}, {"of", x.expr(n.Kids[0])}}
		if n.N < 0 {
			o.put("rules", true)
		} else {
			o.put("characteristic", x.p.Chars[n.N].Name)
		}
		return o
	}
	if w, ok := words[n.Op]; ok {
		return Object{{"op", w}, {"args", x.flat(n, n.Op)}}
	}
	x.out(n.Span, "")
	return nil
}

// index is what a name that stands for a declaration counts as.
func (x *exporter) index(n *program.Node) int {
	if n.Op != program.OpConst || n.N < 0 {
		x.out(n.Span, "")
	}
	return int(n.N)
}

// flat lists the parts of a chain of and or or.
func (x *exporter) flat(n *program.Node, op program.NodeOp) []any {
	if (op == program.OpMin || op == program.OpMax) && len(n.Kids) == 1 && n.Kids[0].Op == program.OpList {
		return x.exprs(n.Kids[0].Kids)
	}
	if op != program.OpAnd && op != program.OpOr {
		return x.exprs(n.Kids)
	}
	var out []any
	for _, k := range n.Kids {
		if k.Op == op {
			out = append(out, x.flat(k, op)...)
		} else {
			out = append(out, x.expr(k))
		}
	}
	return out
}

// roleName is the role of the action looked at.
func (x *exporter) roleName(n *program.Node) string {
	if x.act < 0 || int(n.N) >= len(x.p.Actions[x.act].Roles) {
		x.out(n.Span, "role")
	}
	return x.p.Actions[x.act].Roles[n.N].Name
}

// looking works with the roles of an action at hand.
func (x *exporter) looking(action int, f func()) {
	old := x.act
	x.act = action
	f()
	x.act = old
}

// token names a kind of token. One that no rule knows may only count.
func (x *exporter) token(i int, at source.Span) string {
	t := x.p.Tokens[i]
	known := len(t.Cite.Refs) > 0
	own := len(t.Effects) > 0
	for _, ch := range x.p.Chars {
		if ch.Kind == t.Kind && ch.Span.File != nil {
			own = true
			known = known || len(ch.Cite.Refs) > 0
		}
	}
	if own && !known {
		x.out(at, t.Name)
	}
	return t.Name
}

// back marks what is read in the state in which the group was judged.
func back(n *program.Node, o Object) Object {
	if n.Back() {
		o.put("before", true)
	}
	return o
}
