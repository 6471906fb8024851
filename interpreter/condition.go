package interpreter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Deciding is one of the smallest parts of a condition that decide it: what has to
// be changed for the condition to come out otherwise.
type Deciding struct {
	Text   string  `json:"text"`             // the part as rule data writes it
	Holds  bool    `json:"holds"`            // whether it is true
	Words  string  `json:"words"`            // how it is, in words
	Values []Value `json:"values,omitempty"` // what took part in it

	amounts []string // the comparisons of numbers that it comes down to, in words
	foreign bool     // it says that the object itself is meant, or another one
}

// Value is one thing that a condition reads.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// judge breaks conditions down in one state and its surroundings.
type judge struct {
	n *namer
	e *eval.Env
}

// holds evaluates a condition; a missing one holds.
func (j *judge) holds(c *program.Node) bool {
	if c == nil {
		return true
	}
	mark := j.e.Mark()
	defer j.e.Release(mark)
	return j.e.C.Int(c)(j.e) != 0
}

// deciding lists the parts of a condition that keep it from being what is wanted.
// It is called only where the condition is not what is wanted.
func (j *judge) deciding(c *program.Node, want bool) []Deciding {
	switch c.Op {
	case program.OpAnd, program.OpOr:
		var out []Deciding
		// All parts that are not as wanted count: of `and` where it should hold
		// those that are false, of `or` where it should not those that are true.
		// Else every part is to blame, since one of the other sort would do.
		for _, k := range c.Kids {
			if j.holds(k) != want {
				out = append(out, j.deciding(k, want)...)
			}
		}
		return out
	case program.OpNot:
		return j.deciding(c.Kids[0], !want)
	case program.OpIf:
		branch := c.Kids[2]
		if j.holds(c.Kids[0]) {
			branch = c.Kids[1]
		}
		if branch.Op == program.OpConst {
			return j.deciding(c.Kids[0], !j.holds(c.Kids[0]))
		}
		return j.deciding(branch, want)
	}
	d := Deciding{Text: j.write(c), Holds: !want, Words: j.leaf(c, want), Values: j.values(c)}
	switch c.Op {
	case program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		d.amounts = []string{d.Words}
	case program.OpAttr:
		for _, p := range j.behind(c, want) {
			d.amounts = append(d.amounts, p.amounts...)
		}
	}
	for _, k := range c.Kids {
		d.foreign = d.foreign || k.Op == program.OpSelf && (c.Op == program.OpEq || c.Op == program.OpNe)
	}
	return []Deciding{d}
}

// value evaluates any expression.
func (j *judge) value(c *program.Node) state.Val { return j.e.C.Value(c, j.e) }

// show words the value of an expression.
func (j *judge) show(c *program.Node) string { return j.n.value(c.T, j.value(c)) }

// values lists what a part reads: its sides, with what they come to.
func (j *judge) values(c *program.Node) []Value {
	var out []Value
	add := func(k *program.Node) {
		if k.Op == program.OpConst {
			return
		}
		v := Value{j.write(k), j.show(k)}
		for _, o := range out {
			if o == v {
				return
			}
		}
		out = append(out, v)
	}
	switch c.Op {
	case program.OpAny, program.OpAll, program.OpNone, program.OpHas, program.OpIsKind:
		add(c.Kids[0])
	case program.OpConst:
	default:
		if len(c.Kids) == 0 || c.Op == program.OpChar || c.Op == program.OpAttrOf {
			add(c)
			return out
		}
		for _, k := range c.Kids {
			add(k)
		}
	}
	return out
}

// reads lists what an amount is worked out from: its named parts with their values, and
// of what counts or adds up objects, these.
func (j *judge) reads(c *program.Node, out []Value) []Value {
	add := func(k *program.Node) {
		v := Value{j.write(k), j.show(k) + j.ofWhich(k)}
		if k.Op != program.OpConst && v.Name != v.Value && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	switch c.Op {
	case program.OpAdd, program.OpSub, program.OpMul, program.OpMod, program.OpNeg, program.OpAbs, program.OpMaskOf, program.OpJoin, program.OpWithout:
		for _, k := range c.Kids {
			out = j.reads(k, out)
		}
	case program.OpMin, program.OpMax:
		kids := c.Kids
		if len(kids) == 1 && kids[0].Op == program.OpList {
			kids = kids[0].Kids
		} else if len(kids) > 0 && kids[0].T.Several {
			add(c)
			break
		}
		for _, k := range kids {
			out = j.reads(k, out)
		}
	case program.OpIf:
		add(c.Kids[0])
		branch := c.Kids[2]
		if j.holds(c.Kids[0]) {
			branch = c.Kids[1]
		}
		out = j.reads(branch, out)
	default:
		add(c)
	}
	return out
}

// ofWhich lists behind a number what it was counted or made from, each with what it adds;
// "" where there is nothing to list.
func (j *judge) ofWhich(c *program.Node) string {
	switch c.Op {
	case program.OpCount, program.OpSum, program.OpMin, program.OpMax, program.OpMaskCount:
	default:
		return ""
	}
	if len(c.Kids) == 0 || !c.Kids[0].T.Several {
		return ""
	}
	list := c.Kids[0]
	if list.T.Base != program.IsObject || list.T.Mask() {
		if shown := j.show(list); shown != "-" && len(c.Kids) == 1 {
			return ": " + shown
		}
		return ""
	}
	var names []string
	unseen := 0
	for _, o := range slices.Clone(j.value(list).L) {
		name := j.n.object(o)
		if len(c.Kids) > 1 {
			j.e.Push(o)
			switch {
			case c.Op != program.OpCount:
				name += " " + j.show(c.Kids[1])
			case !j.holds(c.Kids[1]):
				name = ""
			}
			j.e.Pop()
		}
		switch {
		case name == "":
		case j.n.hidden != nil && j.n.hidden(o):
			unseen++
		default:
			names = append(names, name)
		}
	}
	if len(names) == 0 || unseen > 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

var comparisons = map[program.NodeOp]string{program.OpEq: "cond-eq", program.OpLt: "cond-lt", program.OpLe: "cond-le",
	program.OpGt: "cond-gt", program.OpGe: "cond-ge"}

// leaf words the smallest part of a condition: how it is, and, where it should
// hold, what would be needed.
func (j *judge) leaf(c *program.Node, want bool) string {
	lang := j.n.lang
	switch c.Op {
	case program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe:
		l, r := c.Kids[0], c.Kids[1]
		if l.Op == program.OpConst {
			return say(lang, "cond-so", j.operand(r), j.operand(l))
		}
		left, is := j.term(l), j.show(l)
		if want && c.Op == program.OpNe && (l.Op == program.OpSelf || r.Op == program.OpSelf) {
			return say(lang, "cond-itself", is)
		}
		if left == is {
			left = j.called(l)
		}
		if want && c.Op == program.OpEq && is == j.show(r) { // two objects of one name
			return say(lang, "cond-apart", left, is)
		}
		if want && c.Op == program.OpNe && r.Op != program.OpConst {
			return say(lang, "cond-both", left, j.term(r), is)
		}
		if want && c.Op != program.OpNe {
			return say(lang, comparisons[c.Op], left, is, j.operand(r))
		}
		return say(lang, "cond-is", left, is)
	case program.OpMaskHas, program.OpInList:
		key := "cond-in"
		if want {
			key = "cond-not-in"
		}
		list := j.show(c.Kids[1])
		if list == "-" {
			list = say(lang, "none")
		}
		return say(lang, key, j.show(c.Kids[0]), j.term(c.Kids[1]), list)
	case program.OpHas:
		key := "cond-has"
		if want {
			key = "cond-has-not"
		}
		return say(lang, key, j.show(c.Kids[0]), j.show(c.Kids[1]))
	case program.OpIsKind:
		key := "cond-kind"
		if want {
			key = "cond-not-kind"
		}
		return say(lang, key, j.show(c.Kids[0]), j.n.kindName(program.Type{Base: program.IsObject, ID: int(c.N)}))
	case program.OpAttr, program.OpChar, program.OpAttrOf:
		key := "cond-yes"
		if want {
			key = "cond-no"
		}
		text := say(lang, key, j.term(c))
		if because := j.because(c, want); because != "" {
			text = say(lang, "cond-because", text, because)
		}
		return text
	case program.OpConst:
		return say(lang, "cond-never")
	case program.OpAny, program.OpAll, program.OpNone:
		if t := c.Kids[0].T; len(c.Kids) == 2 && t.Base == program.IsObject {
			return j.among(c, want)
		}
	}
	key := "cond-true"
	if want {
		key = "cond-false"
	}
	return say(lang, key, j.write(c))
}

// among words a condition on the objects of a list: which of them it holds for, or
// why for none.
func (j *judge) among(c *program.Node, want bool) string {
	lang, test := j.n.lang, c.Kids[1]
	list := slices.Clone(j.value(c.Kids[0]).L)
	if len(list) == 0 {
		return say(lang, "among-nothing")
	}
	// What decides: those that fit where one is too many or one is enough, else
	// those that do not.
	fits := want == (c.Op == program.OpNone)
	if c.Op == program.OpAll {
		fits = !want
	}
	var names, why []string
	for _, o := range list {
		j.e.Push(o)
		if j.holds(test) == fits {
			parts := j.deciding(test, !fits)
			if fits || !slices.ContainsFunc(parts, func(d Deciding) bool { return d.foreign }) { // else it is not meant
				names = append(names, j.n.object(o))
				for _, d := range parts {
					if !d.foreign && !slices.Contains(why, d.Words) {
						why = append(why, d.Words)
					}
				}
			}
		}
		j.e.Pop()
	}
	if len(why) > 3 {
		why = append(why[:3], "…")
	}
	key := "among-not"
	switch {
	case fits:
		key = "among-is"
	case c.Op == program.OpAll:
		key = "among-some-not"
	}
	if len(names) == 0 {
		return say(lang, "among-nothing")
	}
	text := say(lang, key, strings.Join(names, ", "))
	if len(why) == 0 {
		return text
	}
	return say(lang, "cond-because", text, strings.Join(why, "; "))
}

// because words what is behind a flag that is worked out.
func (j *judge) because(c *program.Node, want bool) string { return partWords(j.behind(c, want)) }

// behind goes on into a flag that is worked out, as long as what it is worked
// out from still gives what it was.
func (j *judge) behind(c *program.Node, want bool) []Deciding {
	var ch *program.Char
	e := j.e
	old, self := e.Act, e.Self
	defer func() { e.Act, e.Self = old, self }()
	switch c.Op {
	case program.OpAttr:
		if e.Act == nil {
			return nil
		}
		ch = j.n.p.p.Chars[j.n.p.p.Actions[e.Act.Action].Attrs[c.N]]
		e.Self = state.None
	default:
		return nil
	}
	if ch.Value == nil || ch.Value.Op == program.OpConst || j.holds(ch.Value) == want {
		return nil
	}
	return j.deciding(ch.Value, want)
}

// operand words the other side of a comparison: its value, and where it comes
// from if it is no constant.
func (j *judge) operand(c *program.Node) string {
	v := j.show(c)
	if c.Op == program.OpConst {
		return v
	}
	if t := j.term(c); t != v && t != j.write(c) {
		return say(j.n.lang, "at", v, t)
	}
	return v
}

// term words what an expression speaks of, with the names that stand for things
// replaced by the things.
func (j *judge) term(c *program.Node) string {
	p, lang := j.n.p, j.n.lang
	switch c.Op {
	case program.OpSelf, program.OpYou, program.OpIt, program.OpElem, program.OpLocal, program.OpRole, program.OpRoleOf:
		if c.T.Base == program.IsObject && !c.T.Several {
			return j.show(c)
		}
	case program.OpChar:
		ch := p.p.Chars[c.N]
		if text := p.charText(ch, lang); (len(ch.Texts) > 0 || ch.Fact != program.FactNone) && len(c.Kids) > 0 {
			return say(lang, "of", text, j.term(c.Kids[0]))
		}
	case program.OpAttr:
		if j.e.Act != nil {
			return p.charText(p.p.Chars[p.p.Actions[j.e.Act.Action].Attrs[c.N]], lang)
		}
	case program.OpAttrOf:
		if a := c.Kids[0].T; a.Base == program.IsHappening && a.ID >= 0 {
			return p.charText(p.p.Chars[p.p.Actions[a.ID].Attrs[c.N]], lang)
		}
	case program.OpCount, program.OpMaskCount:
		if len(c.Kids) == 1 {
			return say(lang, "count-of", j.term(c.Kids[0]))
		}
	case program.OpActFact:
		switch program.Fact(c.N) {
		case program.FactAbilityOf:
			return say(lang, "act-ability-of")
		case program.FactCauser:
			return say(lang, "act-ability-from")
		}
	case program.OpTally:
		return say(lang, "tally-of", j.show(c.Kids[1]), j.term(c.Kids[0]))
	case program.OpConst, program.OpGame:
		return j.show(c)
	}
	return j.called(c)
}

// called is what people call the role that an expression speaks of; what is no role, or
// has no words, is written as rule data does.
func (j *judge) called(c *program.Node) string {
	if a := j.actionOf(c); a >= 0 && (c.Op == program.OpRole || c.Op == program.OpRoleOf) {
		if roles := j.n.p.p.Actions[a].Roles; int(c.N) < len(roles) {
			if text := j.n.p.text(roles[c.N].Texts, j.n.lang, ""); text != "" {
				return text
			}
			// What the program itself can do has no declaration to say so.
			if key := "role-of-" + roles[c.N].Name; j.n.p.p.Actions[a].Basic != program.NotBasic && sentences[key] != [2]string{} {
				return say(j.n.lang, key)
			}
		}
	}
	return j.write(c)
}

// actionOf is the action whose role or attribute an expression is, or -1.
func (j *judge) actionOf(c *program.Node) int {
	switch c.Op {
	case program.OpRole, program.OpAttr:
		if j.e.Act != nil {
			return int(j.e.Act.Action)
		}
	case program.OpRoleOf, program.OpAttrOf:
		if t := c.Kids[0].T; t.Base == program.IsHappening {
			return t.ID
		}
	}
	return -1
}

// charText is what people call a characteristic. What the engine itself keeps of
// objects has no declaration to say so.
func (p *Program) charText(ch *program.Char, lang string) string {
	key := "fact-" + ch.Name
	if ch.Action >= 0 {
		key = "attribute-" + ch.Name
	}
	if _, ok := sentences[key]; ok && len(ch.Texts) == 0 && (ch.Fact != program.FactNone || ch.Action >= 0) {
		return say(lang, key)
	}
	return p.textOf(&ch.Decl, lang)
}

var infix = map[program.NodeOp]string{program.OpEq: "==", program.OpNe: "!=", program.OpLt: "<", program.OpLe: "<=", program.OpGt: ">", program.OpGe: ">=",
	program.OpAdd: "+", program.OpSub: "-", program.OpMul: "*", program.OpMod: "%", program.OpAnd: "and", program.OpOr: "or", program.OpInList: "in", program.OpMaskHas: "in",
	program.OpListEq: "==", program.OpJoin: "+", program.OpWithout: "-"}

var callNames = map[program.NodeOp]string{program.OpCount: "count", program.OpAny: "any", program.OpAll: "all", program.OpNone: "none", program.OpFind: "find",
	program.OpFilter: "filter", program.OpMap: "map", program.OpSum: "sum", program.OpMin: "min", program.OpMax: "max", program.OpFirst: "first",
	program.OpSortBy: "sortBy", program.OpAbs: "abs", program.OpLook: "look", program.OpOpposite: "opposite", program.OpDistance: "distance", program.OpMaskCount: "count", program.OpUnion: "union"}

// write writes an expression as rule data would.
func (j *judge) write(c *program.Node) string {
	p := j.n.p.p
	kid := func(i int) string {
		if i >= len(c.Kids) {
			return ""
		}
		return j.write(c.Kids[i])
	}
	member := func(name string) string {
		if len(c.Kids) == 0 {
			return name
		}
		switch k := c.Kids[0]; k.Op {
		case program.OpIt:
			return name
		case program.OpElem:
			if k.N == 0 {
				return name
			}
		}
		return kid(0) + "." + name
	}
	all := func() string {
		var list []string
		for i := range c.Kids {
			list = append(list, kid(i))
		}
		return strings.Join(list, ", ")
	}
	switch c.Op {
	case program.OpConst:
		return j.constant(c)
	case program.OpSelf:
		return "self"
	case program.OpYou:
		return "you"
	case program.OpIt, program.OpElem:
		return "it"
	case program.OpAct:
		return "event"
	case program.OpHits:
		return "hits"
	case program.OpGame:
		return "game"
	case program.OpUnderway:
		return p.Actions[c.N].Name
	case program.OpChar:
		return member(p.Chars[c.N].Name)
	case program.OpAttr, program.OpRole:
		if a := j.e.Act; a != nil {
			def := p.Actions[a.Action]
			if c.Op == program.OpRole && int(c.N) < len(def.Roles) {
				return def.Roles[c.N].Name
			}
			if c.Op == program.OpAttr && int(c.N) < len(def.Attrs) {
				return p.Chars[def.Attrs[c.N]].Name
			}
		}
	case program.OpAttrOf, program.OpRoleOf:
		if t := c.Kids[0].T; t.Base == program.IsHappening && t.ID >= 0 {
			def := p.Actions[t.ID]
			if c.Op == program.OpRoleOf {
				return member(def.Roles[c.N].Name)
			}
			return member(p.Chars[def.Attrs[c.N]].Name)
		}
	case program.OpHas:
		return kid(0) + ".has(" + kid(1) + ")"
	case program.OpTally:
		return kid(0) + ".tally(" + kid(1) + ")"
	case program.OpIsKind:
		return kid(0) + ".is(" + p.Kinds[c.N].Name + ")"
	case program.OpTable:
		return p.Tables[c.N].Name + "(" + all() + ")"
	case program.OpNot:
		if k := c.Kids[0]; len(k.Kids) > 1 {
			return "not (" + kid(0) + ")"
		}
		return "not " + kid(0)
	case program.OpNeg:
		return "-" + kid(0)
	case program.OpIf:
		return "(" + kid(0) + " ? " + kid(1) + " : " + kid(2) + ")"
	case program.OpList, program.OpMaskOf:
		return "[" + all() + "]"
	case program.OpMaskList:
		return kid(0)
	}
	if op, ok := infix[c.Op]; ok && len(c.Kids) == 2 {
		return kid(0) + " " + op + " " + kid(1)
	}
	if name, ok := callNames[c.Op]; ok && len(c.Kids) > 0 {
		return name + "(" + all() + ")"
	}
	if s := strings.TrimSpace(c.Span.Text()); c.Span.File != nil && s != "" {
		return s
	}
	return j.show(c)
}

// declared is a name out of a list that is filled from what is declared.
func (j *judge) declared(list int, i int64) string {
	p := j.n.p.p
	switch {
	case i < 0:
		return "nothing"
	case list == program.ListKeyword && int(i) < len(p.Keywords):
		return p.Keywords[i].Name
	case list == program.ListHeader && int(i) < len(p.Headers):
		return strconv.Quote(p.Headers[i].Name)
	case list == program.ListToken && int(i) < len(p.Tokens):
		return p.Tokens[i].Name
	case list == program.ListAction && int(i) < len(p.Actions):
		return p.Actions[i].Name
	case list == program.ListZone && int(i) < len(p.Zones):
		return p.Zones[i].Name
	}
	return strconv.FormatInt(i, 10)
}

// constant writes a constant as rule data would: names as they are declared.
func (j *judge) constant(c *program.Node) string {
	p := j.n.p.p
	switch c.T.Base {
	case program.IsFlag:
		return strconv.FormatBool(c.N != 0)
	case program.IsText:
		if c.N >= 0 && int(c.N) < len(p.Texts) {
			return strconv.Quote(p.Texts[c.N])
		}
	case program.IsOneOf:
		names := p.Values[c.T.ID].Names
		if p.Values[c.T.ID].Builtin != "" {
			return j.declared(c.T.ID, c.N)
		}
		if c.T.Several {
			var list []string
			for i := range names {
				if c.N>>i&1 != 0 {
					list = append(list, names[i].Name)
				}
			}
			return "[" + strings.Join(list, ", ") + "]"
		}
		if c.N >= 0 && int(c.N) < len(names) {
			return names[c.N].Name
		}
	case program.IsObject, program.IsNothing, program.IsHappening:
		if c.N == state.None {
			return "nothing"
		}
		if c.N < state.None {
			return p.Zones[-2-c.N].Name
		}
	}
	return j.n.one(c.T, c.N)
}
