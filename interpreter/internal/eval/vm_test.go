package eval_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/check"
	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// The closures are held to expr's own compiler and virtual machine here: a
// checked expression is written as expr text whose operators, predicates and
// conditionals are expr's, and whose reads of the state are the functions below,
// written without a thought for speed.

func loadAll(t testing.TB, dirs ...string) *program.Program {
	t.Helper()
	var list diag.List
	var mods []check.Module
	for _, dir := range dirs {
		m := check.Module{Name: dir}
		files, _ := filepath.Glob("../../../" + dir + "/*.momon")
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			m.Files = append(m.Files, grammar.Parse(source.NewFile(f, string(b)), &list))
		}
		mods = append(mods, m)
	}
	p := check.Check(mods, check.Options{}, &list)
	if list.Errors() > 0 {
		diag.Text(os.Stderr, list.Sorted(), "en", false)
		t.Fatal("the rules have errors")
	}
	return p
}

// roots finds every expression of a program.
func roots(p *program.Program) []*program.Node {
	var out []*program.Node
	seen := map[any]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Interface()] {
				return
			}
			seen[v.Interface()] = true
			if n, ok := v.Interface().(*program.Node); ok {
				out = append(out, n)
				return
			}
			walk(v.Elem())
		case reflect.Struct:
			if v.Type().PkgPath() != "github.com/momon-rules/momon/interpreter/internal/program" {
				return
			}
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(p))
	return out
}

// depth is the fewest candidates that must be open around an expression.
func depth(n *program.Node, nested int64) int64 {
	need := int64(0)
	if n.Op == program.OpElem {
		need = max(0, n.N-nested+1)
	}
	for i, k := range n.Kids {
		inner := nested
		switch n.Op {
		case program.OpEach:
			inner++
		case program.OpCount, program.OpAny, program.OpAll, program.OpNone, program.OpFind, program.OpFirst, program.OpFilter, program.OpMap, program.OpSum, program.OpSortBy:
			if i == 1 {
				inner++
			}
		}
		need = max(need, depth(k, inner))
	}
	return need
}

func isList(n *program.Node) bool { return n.T.List() || n.Op == program.OpMaskList }

// writer writes expressions for expr; with checked set, arithmetic goes through
// functions that notice when a number no longer fits.
type writer struct {
	p       *program.Program
	outer   int64
	level   int64
	checked bool
}

func (w *writer) bool(n *program.Node) string {
	if n.T.Base == program.IsFlag && !n.T.Several {
		return w.text(n)
	}
	return "(" + w.text(n) + " != 0)"
}

func (w *writer) int(n *program.Node) string {
	if n.T.Base == program.IsFlag && !n.T.Several {
		return "(" + w.text(n) + " ? 1 : 0)"
	}
	return w.text(n)
}

func (w *writer) read(n *program.Node, f string, args ...string) string {
	call := func(f string) string { return f + "(" + strings.Join(args, ", ") + ")" }
	switch {
	case isList(n):
		return call(f + "List")
	case n.T.Base == program.IsFlag:
		return "(" + call(f) + " != 0)"
	}
	return call(f)
}

// pred is a predicate: its element gets a name, since expr can't speak of an
// outer one otherwise.
func (w *writer) pred(n *program.Node, as func(*program.Node) string) string {
	name := fmt.Sprint("e", w.level)
	w.level++
	defer func() { w.level-- }()
	return "let " + name + " = #; " + as(n)
}

func (w *writer) text(n *program.Node) string {
	num := func(i int64) string { return fmt.Sprintf("(%d)", i) }
	kid := func(i int) string { return w.int(n.Kids[i]) }
	p := w.p
	then := ""
	if n.Back() {
		then = "Then"
	}
	switch n.Op {
	case program.OpConst:
		if isList(n) {
			return "noList()"
		}
		if n.T.Base == program.IsFlag {
			return fmt.Sprint(n.N != 0)
		}
		return num(n.N)
	case program.OpSelf:
		return "self_()"
	case program.OpYou:
		return "you_()"
	case program.OpIt, program.OpElem:
		if n.N < w.outer {
			return w.read(n, "outer", num(n.N))
		}
		if n.T.Base == program.IsFlag {
			return fmt.Sprintf("(e%d != 0)", n.N)
		}
		return fmt.Sprint("e", n.N)
	case program.OpLocal:
		return w.read(n, "local", num(n.N))
	case program.OpRole:
		return w.read(n, "role", "act_()", num(n.N))
	case program.OpAttr:
		return w.read(n, "attr", "act_()", num(n.N), num(eval.Empty(n.T)))
	case program.OpAct:
		return "act_()"
	case program.OpHits:
		return "hits_()"
	case program.OpGame:
		return num(state.Game)
	case program.OpUnderway:
		return "underway(" + num(n.N) + ")"
	case program.OpChar:
		t := n.Kids[0].T
		if n.M == 1 {
			return w.read(n, "then", num(n.N), fmt.Sprint(t.Base == program.IsObject && t.ID < 0), kid(0))
		}
		return w.read(n, "char", num(n.N), fmt.Sprint(t.Base == program.IsObject && t.ID < 0), kid(0))
	case program.OpRoleOf:
		return w.read(n, "role", kid(0), num(n.N))
	case program.OpAttrOf:
		return w.read(n, "attr", kid(0), num(n.N), num(eval.Empty(n.T)))
	case program.OpActFact:
		return "actFact(" + kid(0) + ", " + num(n.N) + ")"
	case program.OpHas:
		return "has" + then + "(" + kid(0) + ", " + kid(1) + ")"
	case program.OpTally:
		return "tally" + then + "(" + kid(0) + ", " + kid(1) + ")"
	case program.OpTable:
		args := []string{num(n.N)}
		for i := range n.Kids {
			args = append(args, kid(i))
		}
		return "table(" + strings.Join(args, ", ") + ")"
	case program.OpEach:
		zone := int64(-1)
		for k := p.Kinds[n.N]; ; k = p.Kinds[k.Parent] {
			if k.Zone >= 0 {
				zone = int64(k.Zone)
			}
			if k.Parent < 0 {
				break
			}
		}
		if len(n.Kids) == 0 {
			return fmt.Sprintf("each(%d, %d)", n.N, zone)
		}
		var conj func(k *program.Node)
		conj = func(k *program.Node) {
			if k.Op == program.OpAnd {
				conj(k.Kids[0])
				conj(k.Kids[1])
			}
			if k.Op == program.OpEq && k.Kids[0].Op == program.OpChar && p.Chars[k.Kids[0].N].Fact == program.FactZone &&
				k.Kids[0].Kids[0].Op == program.OpElem && k.Kids[0].Kids[0].N == w.level && k.Kids[1].Op == program.OpConst {
				zone = k.Kids[1].N // a zone's cards come in the zone's order
			}
		}
		conj(n.Kids[0])
		return fmt.Sprintf("filter(each(%d, %d), %s)", n.N, zone, w.pred(n.Kids[0], w.bool))
	case program.OpCount, program.OpAny, program.OpAll, program.OpNone, program.OpFind, program.OpFirst, program.OpFilter, program.OpMap, program.OpSum, program.OpMin, program.OpMax, program.OpSortBy:
		l := w.text(n.Kids[0])
		if !isList(n.Kids[0]) {
			l = "maskList(" + l + ")"
		}
		empty := num(eval.Empty(n.T))
		if n.Op == program.OpMin || n.Op == program.OpMax {
			f := map[program.NodeOp]string{program.OpMin: "min", program.OpMax: "max"}[n.Op]
			return fmt.Sprintf("(len(%s) == 0 ? 0 : %s(%s))", l, f, l)
		}
		if len(n.Kids) == 1 {
			switch n.Op {
			case program.OpCount:
				return "len(" + l + ")"
			case program.OpFind, program.OpFirst:
				return "orElse(" + empty + ", first(" + l + "))"
			case program.OpSum:
				if w.checked {
					return "sumc(" + l + ")"
				}
				return "sum(" + l + ")"
			case program.OpSortBy:
				return fmt.Sprintf("sorted(%s, %s, %v)", l, l, n.N == 1)
			}
		}
		switch n.Op {
		case program.OpCount:
			return "count(" + l + ", " + w.pred(n.Kids[1], w.bool) + ")"
		case program.OpAny, program.OpAll, program.OpNone:
			f := map[program.NodeOp]string{program.OpAny: "any", program.OpAll: "all", program.OpNone: "none"}[n.Op]
			return f + "(" + l + ", " + w.pred(n.Kids[1], w.bool) + ")"
		case program.OpFind, program.OpFirst:
			return "orElse(" + empty + ", find(" + l + ", " + w.pred(n.Kids[1], w.bool) + "))"
		case program.OpFilter:
			return "filter(" + l + ", " + w.pred(n.Kids[1], w.bool) + ")"
		case program.OpMap:
			return "map(" + l + ", " + w.pred(n.Kids[1], w.int) + ")"
		case program.OpSum:
			if w.checked {
				return "sumc(map(" + l + ", " + w.pred(n.Kids[1], w.int) + "))"
			}
			return "sum(map(" + l + ", " + w.pred(n.Kids[1], w.int) + "))"
		}
		return fmt.Sprintf("sorted(%s, map(%s, %s), %v)", l, l, w.pred(n.Kids[1], w.int), n.N == 1)
	case program.OpList:
		var args []string
		for i := range n.Kids {
			args = append(args, kid(i))
		}
		l := "ints([" + strings.Join(args, ", ") + "])"
		if n.T.Base == program.IsObject || n.T.Base == program.IsHappening {
			return "filter(" + l + ", # >= 0)"
		}
		return l
	case program.OpAbs:
		if w.checked {
			return "absc(" + kid(0) + ")"
		}
		return "abs(" + kid(0) + ")"
	case program.OpLook:
		return "look(" + kid(0) + ", " + kid(1) + ", " + kid(2) + ", " + num(int64(n.Kids[1].T.ID)) + ")"
	case program.OpOpposite:
		return "opposite(" + kid(0) + ", " + num(int64(n.T.ID)) + ")"
	case program.OpDistance:
		return "distance(" + kid(0) + ", " + kid(1) + ")"
	case program.OpCellAt:
		return "cellAt(" + num(n.N) + ", " + kid(0) + ", " + kid(1) + ")"
	case program.OpMaskCount:
		return "len(maskList(" + kid(0) + "))"
	case program.OpMaskHas:
		return "(" + kid(0) + " in maskList(" + kid(1) + "))"
	case program.OpMaskList:
		return "maskList(" + kid(0) + ")"
	case program.OpMaskOf:
		var args []string
		for i := range n.Kids {
			args = append(args, kid(i))
		}
		return "maskOf(ints([" + strings.Join(args, ", ") + "]))"
	case program.OpInList:
		return "(" + kid(0) + " in ints(" + w.text(n.Kids[1]) + "))"
	case program.OpListEq:
		return "(ints(" + w.text(n.Kids[0]) + ") == ints(" + w.text(n.Kids[1]) + "))"
	case program.OpAdd, program.OpSub, program.OpMul:
		if w.checked {
			f := map[program.NodeOp]string{program.OpAdd: "addc", program.OpSub: "subc", program.OpMul: "mulc"}[n.Op]
			return f + "(" + kid(0) + ", " + kid(1) + ")"
		}
		op := map[program.NodeOp]string{program.OpAdd: "+", program.OpSub: "-", program.OpMul: "*"}[n.Op]
		return "(" + kid(0) + " " + op + " " + kid(1) + ")"
	case program.OpMod:
		return fmt.Sprintf("(%s == 0 ? 0 : %s %% %s)", kid(1), kid(0), kid(1))
	case program.OpNeg:
		if w.checked {
			return "subc(0, " + kid(0) + ")"
		}
		return "(-" + kid(0) + ")"
	case program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		op := map[program.NodeOp]string{program.OpEq: "==", program.OpNe: "!=", program.OpLt: "<", program.OpLe: "<=", program.OpGt: ">", program.OpGe: ">="}[n.Op]
		if t := n.Kids[0].T; t.Base == program.IsObject && (t.ID < 0 || p.Kinds[t.ID].Entity == program.Place) && (n.Op == program.OpEq || n.Op == program.OpNe) {
			return "(samePlace(" + kid(0) + ", " + kid(1) + ") " + op + " true)"
		}
		return "(" + kid(0) + " " + op + " " + kid(1) + ")"
	case program.OpAnd:
		return "(" + w.bool(n.Kids[0]) + " and " + w.bool(n.Kids[1]) + ")"
	case program.OpOr:
		return "(" + w.bool(n.Kids[0]) + " or " + w.bool(n.Kids[1]) + ")"
	case program.OpNot:
		return "(not " + w.bool(n.Kids[0]) + ")"
	case program.OpIf:
		as := w.text
		if !isList(n) && n.T.Base != program.IsFlag {
			as = w.int
		}
		return "(" + w.bool(n.Kids[0]) + " ? " + as(n.Kids[1]) + " : " + as(n.Kids[2]) + ")"
	case program.OpIsKind:
		return "isKind" + then + "(" + num(n.N) + ", " + kid(0) + ")"
	case program.OpAbilityCount:
		return "abilities(" + kid(0) + ")"
	}
	return "unknown_" + fmt.Sprint(n.Op) + "()"
}

// world is what the functions read; it is set before each comparison.
type world struct {
	m     *run.Match
	e     *eval.Env
	act   *state.Act
	self  int64
	you   int64
	outer []int64
	l     []state.Val
	hits  []int64
	over  bool
}

func num(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case int64:
		return int(v)
	case nil:
		return state.None
	}
	panic(fmt.Sprintf("%T is no number", v))
}

func ints(v any) []int {
	out := []int{}
	if l, ok := v.([]int); ok {
		return append(out, l...)
	}
	for _, x := range v.([]any) {
		out = append(out, num(x))
	}
	return out
}

func of(list []int64) []int {
	out := []int{}
	for _, x := range list {
		out = append(out, int(x))
	}
	return out
}

func (w *world) record(id int) *state.Act {
	if w.act != nil && w.act.ID == int64(id) {
		return w.act
	}
	if id < 0 || id >= len(w.m.S.Acts) {
		return nil
	}
	return w.m.S.Acts[id]
}

func (w *world) role(id, i int) state.Val {
	if a := w.record(id); a != nil && i < len(a.Roles) {
		return a.Roles[i]
	}
	return state.Val{N: state.None}
}

func (w *world) attr(id, slot, empty int) state.Val {
	a := w.record(id)
	if a == nil {
		return state.Val{N: int64(empty)}
	}
	return w.m.Attr(a, slot)
}

func (w *world) char(ch int, anyKind bool, o int) state.Val {
	p, s := w.m.En.P, w.m.S
	c := p.Chars[ch]
	empty := state.Val{N: eval.Empty(c.Type)}
	if o < state.None && c.Type.List() && c.Entity == program.Place { // a zone by name
		return w.e.Char(int64(o), c)
	}
	if o < 0 || o >= len(s.Objects) {
		return empty
	}
	if anyKind {
		found := false
		for _, k := range p.Chars {
			if k.Action < 0 && k.Name == c.Name && k.Type.Several == c.Type.Several && k.Entity == s.Objects[o].Entity {
				c, found = k, true
			}
		}
		if !found {
			return empty
		}
	}
	return w.e.Char(int64(o), c)
}

// back asks in the state in which the act's group was judged, where that is kept.
func (w *world) back(ask func(then *state.Before)) {
	if w.act != nil && w.act.Group != 0 {
		for i := range w.m.S.Befores {
			b := &w.m.S.Befores[i]
			if b.Group != w.act.Group {
				continue
			}
			m, e := w.m, w.e
			defer func() { w.m, w.e = m, e }()
			mm, ee, s := *m, *e, *m.S
			s.Objects, s.Piles, s.Grants, s.Live = b.Objects, b.Piles, b.Grants, nil
			mm.S, ee.S, ee.B = &s, &s, &eval.Board{Off: b.Off, Vals: b.Vals, Floors: true}
			w.m, w.e = &mm, &ee
			ask(b)
			return
		}
	}
	ask(nil)
}

// then reads a characteristic so.
func (w *world) then(ch int, anyKind bool, o int) (v state.Val) {
	w.back(func(*state.Before) { v = w.char(ch, anyKind, o) })
	return v
}

func (w *world) tally(o, kind int) int {
	n := 0
	if o >= 0 {
		for _, t := range w.m.S.Objects[o].Tokens {
			if int(w.m.S.Objects[t].Def) == kind {
				n++
			}
		}
	}
	return n
}

func (w *world) checked(x *big.Int) int {
	if !x.IsInt64() {
		w.over = true
		return 0
	}
	return int(x.Int64())
}

func (w *world) functions() map[string]any {
	big_ := func(n int) *big.Int { return big.NewInt(int64(n)) }
	s := func() *state.State { return w.m.S }
	return map[string]any{
		"noList": func() []int { return []int{} },
		"ints":   ints,
		"self_":  func() int { return int(w.self) },
		"you_":   func() int { return int(w.you) },
		"act_": func() int {
			if w.act == nil {
				return state.None
			}
			return int(w.act.ID)
		},
		"hits_":     func() []int { return of(w.hits) },
		"outer":     func(n int) int { return int(w.outer[n]) },
		"local":     func(n int) int { return int(w.l[n].N) },
		"localList": func(n int) []int { return of(w.l[n].L) },
		"role":      func(id, i int) int { return int(w.role(id, i).N) },
		"roleList":  func(id, i int) []int { return of(w.role(id, i).L) },
		"attr":      func(id, slot, empty int) int { return int(w.attr(id, slot, empty).N) },
		"attrList":  func(id, slot, empty int) []int { return of(w.attr(id, slot, empty).L) },
		"char":      func(ch int, open bool, o any) int { return int(w.char(ch, open, num(o)).N) },
		"charList":  func(ch int, open bool, o any) []int { return of(w.char(ch, open, num(o)).L) },
		"then":      func(ch int, open bool, o any) int { return int(w.then(ch, open, num(o)).N) },
		"thenList":  func(ch int, open bool, o any) []int { return of(w.then(ch, open, num(o)).L) },
		"underway": func(n int) int {
			for i := len(s().Under) - 1; i >= 0; i-- {
				if int(s().Acts[s().Under[i]].Action) == n {
					return int(s().Under[i])
				}
			}
			return state.None
		},
		"actFact": func(id any, f int) int {
			a := w.record(num(id))
			switch {
			case program.Fact(f) == program.FactNumber:
				if a == nil {
					return 0
				}
				return int(a.Number)
			case a == nil:
				return state.None
			case program.Fact(f) == program.FactAbilityOf:
				return int(a.AbilityOf)
			}
			return int(a.Causer)
		},
		"has": func(o, k any) bool { return w.e.Has(int64(num(o)), int64(num(k))) },
		"hasThen": func(o, k any) (is bool) {
			w.back(func(b *state.Before) {
				is = b != nil && slices.Contains(b.Held, state.Held{Object: int32(num(o)), Keyword: int32(num(k))}) || w.e.Has(int64(num(o)), int64(num(k)))
			})
			return is
		},
		"tally": func(o, k any) int { return w.tally(num(o), num(k)) },
		"tallyThen": func(o, k any) (n int) {
			w.back(func(*state.Before) { n = w.tally(num(o), num(k)) })
			return n
		},
		"table": func(n int, args ...any) int {
			t := w.m.En.P.Tables[n]
			at := 0
			for i, a := range args {
				x := num(a)
				if x < 0 {
					return int(t.Default)
				}
				at += x * t.Strides[i]
			}
			return int(t.Cells[at])
		},
		"each": func(kind, zone int) []int {
			out := []int{}
			is := w.m.En.C.IsKind(kind)
			add := func(o int) {
				if !s().Objects[o].Gone && is(w.e, int64(o)) {
					out = append(out, o)
				}
			}
			if zone >= 0 && w.m.En.P.Kinds[kind].Entity == program.Card {
				for i := range 3 {
					for _, o := range s().Piles[zone*3+i] {
						add(int(o))
					}
				}
				return out
			}
			for o := range s().Objects {
				add(o)
			}
			return out
		},
		"isKind": func(kind int, o any) bool { return w.m.En.C.IsKind(kind)(w.e, int64(num(o))) },
		"isKindThen": func(kind int, o any) (is bool) {
			w.back(func(*state.Before) { is = w.m.En.C.IsKind(kind)(w.e, int64(num(o))) })
			return is
		},
		"orElse": func(empty int, v any) int {
			if v == nil {
				return empty
			}
			return num(v)
		},
		"sorted": func(list, keys any, down bool) []int {
			l, k := ints(list), ints(keys)
			order := make([]int, len(l))
			for i := range order {
				order[i] = i
			}
			sort.SliceStable(order, func(i, j int) bool {
				if down {
					return k[order[i]] > k[order[j]]
				}
				return k[order[i]] < k[order[j]]
			})
			out := []int{}
			for _, i := range order {
				out = append(out, l[i])
			}
			return out
		},
		"look": func(from, dir, far any, list int) int {
			o, d := num(from), num(dir)
			names := w.m.En.P.Values[list].Names
			if o < 0 || s().Objects[o].Entity != program.Card || d < 0 || d >= len(names) || s().Objects[o].Cell < 0 {
				return state.None
			}
			at := s().Objects[s().Objects[o].Cell]
			best, found := math.MaxInt, state.None
			for i := range s().Objects {
				c := &s().Objects[i]
				if c.Entity != program.Card || c.Gone || c.Zone != at.Zone || c.Cell < 0 {
					continue
				}
				for n := 1; n <= min(num(far), 50); n++ {
					cell := s().Objects[c.Cell]
					if int(cell.X) == int(at.X)+n*names[d].DX && int(cell.Y) == int(at.Y)+n*names[d].DY && n < best {
						best, found = n, i
					}
				}
			}
			return found
		},
		"opposite": func(dir any, list int) int {
			names, d := w.m.En.P.Values[list].Names, num(dir)
			if d < 0 || d >= len(names) {
				return state.None
			}
			for i := range names {
				if names[i].DX == -names[d].DX && names[i].DY == -names[d].DY {
					return i
				}
			}
			return state.None
		},
		"distance": func(a, b any) int {
			x, y := num(a), num(b)
			if x < 0 || y < 0 {
				return 0
			}
			p, q := s().Objects[x], s().Objects[y]
			if p.Entity != program.Place || q.Entity != program.Place || p.Zone != q.Zone {
				return 0
			}
			return int(math.Abs(float64(p.X-q.X)) + math.Abs(float64(p.Y-q.Y)))
		},
		"cellAt": func(zone int, x, y any) int {
			for i := range s().Objects {
				if o := &s().Objects[i]; o.Entity == program.Place && int(o.Zone) == zone && int(o.X) == num(x) && int(o.Y) == num(y) {
					return i
				}
			}
			return state.None
		},
		"samePlace": func(a, b any) bool {
			x, y := num(a), num(b)
			if x == y {
				return true
			}
			if x < state.None {
				x, y = y, x
			}
			return x >= 0 && y < state.None && s().Objects[x].Entity == program.Place && int(s().Objects[x].Zone) == -2-y
		},
		"maskList": func(m any) []int {
			out := []int{}
			for i := range 64 {
				if uint64(num(m))>>i&1 != 0 {
					out = append(out, i)
				}
			}
			return out
		},
		"maskOf": func(l any) int {
			m := 0
			for _, x := range ints(l) {
				if x >= 0 {
					m |= 1 << x
				}
			}
			return m
		},
		"abilities": func(o any) int {
			if x := num(o); x >= 0 && s().Objects[x].Entity == program.Card {
				row := w.e.B.Row(w.m.En.P, program.Card, int64(x))
				if row == nil {
					row = s().Objects[x].Last
				}
				n := 0
				if slot := w.m.En.P.AbilSlot; slot < len(row) {
					for m := uint64(row[slot]); m != 0; m &= m - 1 {
						n++
					}
				}
				return n
			}
			return 0
		},
		"addc": func(a, b int) int { return w.checked(new(big.Int).Add(big_(a), big_(b))) },
		"subc": func(a, b int) int { return w.checked(new(big.Int).Sub(big_(a), big_(b))) },
		"mulc": func(a, b int) int { return w.checked(new(big.Int).Mul(big_(a), big_(b))) },
		"absc": func(a int) int { return w.checked(new(big.Int).Abs(big_(a))) },
		"sumc": func(l any) int {
			t := 0
			for _, x := range ints(l) {
				t = w.checked(new(big.Int).Add(big_(t), big_(x)))
			}
			return t
		},
	}
}

// pair is an expression both ways.
type pair struct {
	n     *program.Node
	text  string
	prog  *vm.Program
	outer int64
	f     eval.Int
	l     eval.List
}

func compile(t testing.TB, p *program.Program, c *eval.Code, env map[string]any, n *program.Node, checked bool) *pair {
	t.Helper()
	k := &pair{n: n, outer: depth(n, 0)}
	w := &writer{p: p, outer: k.outer, level: k.outer, checked: checked}
	list := isList(n)
	if list {
		k.text = "ints(" + w.text(n) + ")"
	} else {
		k.text = w.int(n)
	}
	if strings.Contains(k.text, "unknown_") {
		return nil
	}
	prog, err := expr.Compile(k.text, expr.Env(env), expr.MaxNodes(0))
	if err != nil {
		t.Fatalf("%s\n%s: %v", spanText(n), k.text, err)
	}
	k.prog = prog
	if list {
		k.l = c.List(n)
	} else {
		k.f = c.Int(n)
	}
	return k
}

// value makes a value of a type that is good in a state.
func value(r *rand.Rand, w *world, t program.Type) state.Val {
	one := func() int64 {
		switch t.Base {
		case program.IsFlag:
			return r.Int64N(2)
		case program.IsOneOf:
			return r.Int64N(int64(len(w.m.En.P.Values[t.ID].Names))+1) - 1
		case program.IsObject:
			if r.IntN(8) == 0 {
				return state.None
			}
			for range 20 {
				o := r.Int64N(int64(len(w.m.S.Objects)))
				if t.ID < 0 || w.m.En.C.IsKind(t.ID)(w.e, o) {
					return o
				}
			}
			return state.None
		case program.IsHappening:
			for range 20 {
				if len(w.m.S.Acts) == 0 {
					break
				}
				id := r.Int64N(int64(len(w.m.S.Acts)))
				if t.ID < 0 || int(w.m.S.Acts[id].Action) == t.ID {
					return id
				}
			}
			return state.None
		case program.IsText:
			return r.Int64N(int64(len(w.m.En.P.Texts)))
		}
		return r.Int64N(12) - 3
	}
	if t.Mask() {
		return state.Val{N: r.Int64N(1 << len(w.m.En.P.Values[t.ID].Names))}
	}
	if !t.Several {
		return state.Val{N: one()}
	}
	v := state.Val{}
	for range r.IntN(5) {
		if x := one(); x >= 0 || t.Base == program.IsNumber {
			v.L = append(v.L, x)
		}
	}
	return v
}

// surround sets up what an expression reads beside the state: it is typed by
// what the expression asks for.
func (w *world) surround(r *rand.Rand, k *pair) {
	w.e = w.m.Env()
	w.self, w.you, w.act, w.hits, w.over = state.None, 1+r.Int64N(2), nil, nil, false
	w.l = w.l[:0]
	w.outer = make([]int64, k.outer)
	for i := range w.outer {
		w.outer[i] = r.Int64N(int64(len(w.m.S.Objects)))
	}
	need, role := -1, false
	k.n.Walk(func(n *program.Node) {
		switch n.Op {
		case program.OpSelf:
			w.self = value(r, w, n.T).N
		case program.OpElem:
			if n.N < k.outer {
				w.outer[n.N] = value(r, w, n.T).N
			}
		case program.OpLocal:
			for len(w.l) <= int(n.N) {
				w.l = append(w.l, state.Val{})
			}
			w.l[n.N] = value(r, w, n.T)
		case program.OpHits:
			w.hits = value(r, w, n.T).L
		case program.OpAttr:
			need = w.m.En.P.Chars[n.M].Action
		case program.OpAct:
			if n.T.ID >= 0 {
				need = n.T.ID
			}
		case program.OpRole:
			role = true
		}
	})
	if need < 0 && !role || len(w.m.S.Acts) == 0 {
		return
	}
	for range 30 {
		a := w.m.S.Acts[r.IntN(len(w.m.S.Acts))]
		fits := need < 0 || int(a.Action) == need
		k.n.Walk(func(n *program.Node) {
			if n.Op == program.OpRole {
				roles := w.m.En.P.Actions[a.Action].Roles
				fits = fits && int(n.N) < len(roles) && roles[n.N].Type == n.T
			}
		})
		if fits {
			w.act = a
			return
		}
	}
}

// compare evaluates an expression both ways in the state at hand.
func (w *world) compare(t testing.TB, env map[string]any, k *pair) {
	t.Helper()
	e := w.e
	e.Reset()
	old := e.Enter()
	for _, o := range w.outer {
		e.Push(o)
	}
	e.Self, e.You, e.Act, e.L, e.Hits = w.self, w.you, w.act, w.l, w.hits
	var got []int
	mark := e.Mark()
	if k.l != nil {
		got = of(k.l(e))
	} else {
		got = []int{int(k.f(e))}
	}
	e.Release(mark)
	for range w.outer {
		e.Pop()
	}
	e.Leave(old)
	err := e.Err
	e.Reset()
	v, vmErr := vm.Run(k.prog, env)
	if vmErr != nil {
		t.Fatalf("%s: %v", k.text, vmErr)
	}
	e.Reset()
	if w.over {
		if err == nil {
			t.Fatalf("%s: a number that does not fit went unnoticed: %v", k.text, got)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", k.text, err)
	}
	want := []int{}
	if k.l != nil {
		want = ints(v)
	} else {
		want = append(want, num(v))
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: closures give %v, the machine %v\n%s\nself %d you %d outer %v locals %v act %+v", spanText(k.n), got, want, k.text, w.self, w.you, w.outer, w.l, w.act)
	}
}

func deal(p *program.Program, en *run.Engine, seed uint64) *run.Match {
	m := en.NewMatch(seed)
	for z, zone := range p.Zones {
		if zone.Name != "Deck" {
			continue
		}
		for i := range 2 {
			for _, c := range p.Decks[i].Cards {
				m.NewCard(c, int32(i+1), int32(i+1), z, state.None)
			}
		}
	}
	m.Notes = func(run.Note) {} // so that all records are kept
	return m
}

// games calls f in many states of random games.
func games(t testing.TB, p *program.Program, en *run.Engine, n, every int, f func(m *run.Match, r *rand.Rand)) {
	t.Helper()
	for seed := range uint64(n) {
		m := deal(p, en, seed)
		r := rand.New(rand.NewPCG(seed, 9))
		err := m.Start()
		for i := 0; err == nil && m.S.Pending != nil; i++ {
			if i%every == 0 {
				f(m, r)
			}
			d := m.S.Pending
			k := int(d.Min) + r.IntN(int(d.Max-d.Min)+1)
			err = m.Choose(r.Perm(len(d.Options))[:k]...)
		}
		if err != nil {
			t.Fatal(err)
		}
		f(m, r)
	}
}

// TestClosuresAgainstMachine compares every expression of rules, cards and cases.
func TestClosuresAgainstMachine(t *testing.T) {
	p := loadAll(t, "rules", "cards", "conformance/cases")
	en := run.New(p)
	w := &world{}
	env := w.functions()
	var pairs []*pair
	seen := map[string]bool{}
	for _, n := range roots(p) {
		if n.Constant() {
			continue
		}
		k := compile(t, p, en.C, env, n, false)
		if k == nil || seen[k.text] {
			continue
		}
		seen[k.text] = true
		pairs = append(pairs, k)
	}
	if len(pairs) < 200 {
		t.Fatalf("only %d expressions were found", len(pairs))
	}
	states, n := 0, 0
	games(t, p, en, 6, 4, func(m *run.Match, r *rand.Rand) {
		states++
		w.m = m
		for _, k := range pairs {
			for range 2 {
				w.surround(r, k)
				w.compare(t, env, k)
				n++
			}
		}
	})
	t.Logf("%d expressions in %d states, %d comparisons", len(pairs), states, n)
}

func spanText(n *program.Node) string {
	if n.Span.File == nil {
		return ""
	}
	return n.Span.Text()
}
