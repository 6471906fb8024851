package export

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Retell writes an exported case in the rule language again, each step of its
// script as one step, in order. A question becomes a condition that compares the
// value asked for with itself: who plays the case asks for the value. The words of
// the language that an exported case uses are those of p's actions.
func Retell(p *program.Program, data []byte) (text string, err error) {
	c, err := read(data)
	if err != nil {
		return "", err
	}
	t := &teller{p: p}
	defer caught(&err)
	t.whole(c)
	return t.b.String(), nil
}

// Script is an exported case in the rule language, part by part.
type Script struct {
	Start  []string // its objects
	Script []Told
}

// Told is a step. A question stands there without its answer.
type Told struct {
	Text     string
	Expected json.RawMessage
	Acts     bool // something is done in it, or a window begins or ends

	Question            string // its kind
	Of, Header, Keyword string // what it is about, where those are names
}

// Steps tells an exported case part by part.
func Steps(p *program.Program, data []byte) (out *Script, err error) {
	c, err := read(data)
	if err != nil {
		return nil, err
	}
	defer caught(&err)
	out = &Script{}
	t := &teller{p: p, terse: true}
	for i := range c.Start {
		t.object(c, i)
		out.Start = append(out.Start, t.take())
	}
	for _, s := range c.Script {
		told := Told{}
		if q, ok := s["ask"].(part); ok {
			text, _ := t.question(q)
			told.Text = strings.TrimPrefix(strings.TrimPrefix(text, "expect "), "never ") // it asks whether, not that
			for key, to := range map[string]*string{"question": &told.Question, "of": &told.Of, "header": &told.Header, "keyword": &told.Keyword} {
				*to, _ = q[key].(string)
			}
			if told.Expected, err = json.Marshal(s["expect"]); err != nil {
				return nil, err
			}
		} else {
			t.step(s)
			told.Text, told.Acts = t.take(), s["answer"] == nil
		}
		out.Script = append(out.Script, told)
	}
	return out, nil
}

// take takes what was told so far, inner lines indented.
func (t *teller) take() string {
	var out []string
	depth := 0
	for _, l := range strings.Split(strings.TrimSpace(t.b.String()), "\n") {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if depth > 0 && strings.HasPrefix(l, "}") {
			depth--
			out = append(out, strings.Repeat("  ", depth)+l)
			depth += max(0, strings.Count(l[1:], "{")-strings.Count(l[1:], "}"))
			continue
		}
		out = append(out, strings.Repeat("  ", depth)+l)
		depth += strings.Count(l, "{") - strings.Count(l, "}")
		depth = max(depth, 0)
	}
	t.b.Reset()
	return strings.Join(out, "\n")
}

func read(data []byte) (*told, error) {
	var c told
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	return &c, d.Decode(&c)
}

// caught turns what can't be told into an error.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case untold:
		*err = r
	case *runtime.TypeAssertionError: // a part has another shape than the schema says
		*err = untold("the case does not fit its schema")
	default:
		panic(r)
	}
}

// untold is what a case says that can't be told.
type untold string

func (u untold) Error() string { return string(u) }

// part is a part of a case, as JSON.
type part = map[string]any

type told struct {
	ID       string
	Status   string
	Readings map[string]string
	Start    []struct {
		Object, Zone, Owner, Controller, Name string
		Cell                                  []int
		Printed, Errata                       part
		Abilities                             []any
	}
	Script []part
}

// teller keeps which names are open: candidates, which are written it, and
// elements of a list, which are written #.
type teller struct {
	p     *program.Program
	terse bool // what goes without saying is left out
	b     strings.Builder
	open  []opened
}

type opened struct {
	name    string
	element bool
}

func fail(format string, args ...any) { panic(untold(fmt.Sprintf(format, args...))) }

func (t *teller) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

// under tells something with one more name open.
func (t *teller) under(v part, element bool, f func() string) string {
	name, _ := v["as"].(string)
	t.open = append(t.open, opened{name, element})
	s := f()
	t.open = t.open[:len(t.open)-1]
	return s
}

func (t *teller) fresh(f func() string) string {
	old := t.open
	t.open = nil
	s := f()
	t.open = old
	return s
}

func (t *teller) whole(c *told) {
	status := c.Status
	if len(c.Readings) > 0 {
		status = "interpretation"
	}
	t.line("case %s %s {", strconv.Quote(c.ID), status)
	for _, name := range sortedKeys(c.Readings) {
		ref := program.Ref{}
		for _, r := range t.p.Readings {
			if r.Name == name && len(r.Cite.Refs) > 0 {
				ref = r.Cite.Refs[0]
			}
		}
		if ref.Rule == "" {
			fail("there is no reading %q", name)
		}
		t.line("confirms %s %q under %s", ref.Rule, ref.Key, c.Readings[name])
	}
	for i := range c.Start {
		t.object(c, i)
	}
	for _, s := range c.Script {
		t.step(s)
	}
	t.line("}")
}

// object tells one of the objects that the case starts with.
func (t *teller) object(c *told, i int) {
	o := &c.Start[i]
	at := o.Zone
	if len(o.Cell) == 2 {
		at = fmt.Sprintf("%d, %d", o.Cell[0], o.Cell[1])
	}
	head := fmt.Sprintf("given %s: card of %s at %s", o.Object, o.Controller, at)
	if t.terse && o.Owner == o.Controller && len(o.Printed)+len(o.Abilities) == 0 {
		t.line("%s", head)
		return
	}
	t.line("%s {", head)
	if !t.terse || o.Owner != o.Controller {
		t.line("owner %s", o.Owner)
	}
	for _, k := range sortedKeys(o.Printed) {
		v := o.Printed[k]
		if e, ok := o.Errata[k]; ok {
			v = e
		}
		if s := printedText(v); s != "" {
			t.line("%s %s", k, s)
		}
	}
	t.abilities(o.Abilities)
	t.line("}")
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		at := len(out)
		for at > 0 && out[at-1] > k {
			at--
		}
		out = append(out[:at], append([]string{k}, out[at:]...)...)
	}
	return out
}

func printedText(v any) string {
	switch v := v.(type) {
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, fmt.Sprint(x))
		}
		return strings.Join(out, ", ")
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

func (t *teller) step(s part) {
	switch {
	case s["do"] != nil:
		body := t.body(s["do"])
		if as, ok := s["as"]; ok {
			t.line("as %s %s", t.expr(as), body)
			return
		}
		if list, _ := s["do"].([]any); len(list) == 1 {
			t.line("%s", t.instr(list[0].(part)))
			return
		}
		t.line("if true %s", body) // several instructions as one step
	case s["open"] != nil:
		of := ""
		if v, ok := s["of"]; ok {
			of = " of " + t.expr(v)
		}
		t.line("during %s%s {", s["open"], of)
	case s["close"] != nil:
		t.line("}")
	case s["answer"] != nil:
		t.answer(s)
	case s["ask"] != nil:
		t.ask(s["ask"].(part))
	default:
		fail("step %v is none", s["step"])
	}
}

func (t *teller) answer(s part) {
	with := ""
	name := fmt.Sprint(s["answer"])
	switch v := s["with"].(type) {
	case bool:
		with = "no"
		if v {
			with = "yes"
		}
	case []any:
		var out []string
		for _, x := range v {
			if label, ok := x.(string); ok && (name == "order" || name == "replace") {
				if strings.ContainsAny(label, " '’") {
					label = strconv.Quote(label)
				}
				out = append(out, label)
			} else {
				out = append(out, t.expr(x))
			}
		}
		with = "[" + strings.Join(out, ", ") + "]"
	default:
		with = t.expr(v)
	}
	by := ""
	if v, ok := s["by"]; ok {
		by = " by " + t.expr(v)
	}
	t.line("answer %s with %s%s", name, with, by)
}

func (t *teller) ask(q part) {
	s, value := t.question(q)
	if value {
		s = fmt.Sprintf("expect (%s) == (%s)", s, s)
	}
	t.line("%s", s)
}

// question tells a question: an expression whose value is asked for, or a line.
func (t *teller) question(q part) (s string, value bool) {
	of := func() string { return t.dotted(q["of"]) }
	switch q["question"] {
	case "value":
		if tok, ok := q["token"]; ok {
			return fmt.Sprintf("first(filter(%s.tokens, .kind == %s)).%s", of(), tok, q["characteristic"]), true
		}
		return fmt.Sprintf("%s.%s", of(), q["characteristic"]), true
	case "has":
		if k, ok := q["keyword"]; ok {
			return fmt.Sprintf("expect %s.has(%s)", of(), named(fmt.Sprint(k))), false
		}
		return fmt.Sprintf("expect %s in %s.%s", named(fmt.Sprint(q["name"])), of(), q["characteristic"]), false
	case "count":
		switch {
		case q["token"] != nil:
			return fmt.Sprintf("%s.tally(%s)", of(), named(fmt.Sprint(q["token"]))), true
		case q["list"] != nil:
			v := part{"op": "count", "list": q["list"]}
			for _, k := range []string{"as", "where"} {
				if q[k] != nil {
					v[k] = q[k]
				}
			}
			return t.expr(v), true
		}
		return fmt.Sprintf("count(%s.%s)", of(), q["characteristic"]), true
	case "controller", "owner", "zone":
		return fmt.Sprintf("%s.%s", of(), q["question"]), true
	case "happened", "refused":
		return fmt.Sprintf("%s %s", q["question"], t.pattern(q)), false
	case "refused-rule":
		return fmt.Sprintf("refused %s rule %s", t.pattern(q), q["rule"]), false
	case "legal":
		return "legal " + t.instr(q["action"].(part)), false
	case "fired":
		return fmt.Sprintf("fired(%s, %s)", t.expr(q["of"]), strconv.Quote(fmt.Sprint(q["header"]))), true
	case "order":
		what := "rules"
		if c, ok := q["characteristic"]; ok {
			what = fmt.Sprint(c)
		}
		return fmt.Sprintf("order(%s, %q)", t.expr(q["of"]), what), true
	case "decision":
		name, ok := q["name"]
		if !ok {
			return "never asked", false
		}
		by := ""
		if v, ok := q["by"]; ok {
			by = " by " + t.expr(v)
		}
		return fmt.Sprintf("asked %s%s", name, by), false
	case "holds":
		return t.expr(q["condition"]), true
	}
	fail("the question %q is not known", q["question"])
	return "", false
}

// named writes a name, quoted where it is not a single word.
func named(s string) string {
	if strings.ContainsAny(s, " '’") {
		return strconv.Quote(s)
	}
	return s
}

func (t *teller) pattern(v part) string {
	s := fmt.Sprint(v["action"])
	if w, ok := v["where"]; ok {
		s += " where " + t.expr(w)
	}
	return s
}

func (t *teller) moment(v any) string {
	m := v.(part)
	s := ""
	switch m["edge"] {
	case "start":
		s = "start of "
	case "end":
		s = "end of "
	case "during":
		s = "during "
	}
	if m["next"] == true {
		s += "next "
	}
	return s + t.fresh(func() string { return t.pattern(m) })
}

func (t *teller) body(v any) string {
	list, _ := v.([]any)
	var out []string
	for _, i := range list {
		out = append(out, t.instr(i.(part)))
	}
	return "{ " + strings.Join(out, "\n") + " }"
}

// loose is a body in which nothing that is opened outside is at hand.
func (t *teller) loose(v any) string { return t.fresh(func() string { return t.body(v) }) }

func (t *teller) source(v any) string {
	if e, ok := v.(part); ok && e["op"] == "each" {
		return t.each(e)
	}
	return t.expr(v)
}

func (t *teller) each(e part) string {
	kind := e["kind"]
	if kind == nil {
		kind = e["each"]
	}
	s := fmt.Sprintf("each %s", kind)
	if w, ok := e["where"]; ok {
		s += " where " + t.under(e, false, func() string { return t.expr(w) })
	}
	return s
}

func (t *teller) limits(v any) string {
	list, _ := v.([]any)
	s := ""
	for _, l := range list {
		s += fmt.Sprintf(" limit %s per %s", t.expr(l.(part)["times"]), l.(part)["per"])
	}
	return s
}

func (t *teller) instr(i part) string {
	do := fmt.Sprint(i["do"])
	switch do {
	case "effect":
		return "effect " + t.effect(i["effect"].(part))
	case "as":
		return "as " + t.expr(i["as"]) + " " + t.body(i["body"])
	case "together":
		return "together " + t.body(i["body"])
	case "if":
		s := "if " + t.expr(i["condition"]) + " " + t.body(i["then"])
		if e, ok := i["else"]; ok {
			s += " else " + t.body(e)
		}
		return s
	case "for":
		s := fmt.Sprintf("for %s in %s", i["name"], t.source(i["list"]))
		if by, ok := i["ordered_by"]; ok {
			s += " ordered by " + t.expr(by)
		}
		return s + " " + t.body(i["body"])
	case "repeat":
		return "repeat " + t.expr(i["times"]) + " " + t.body(i["body"])
	case "record":
		return fmt.Sprintf("record %s = %s", i["name"], t.expr(i["value"]))
	case "choose":
		n := ""
		if l, ok := i["least"]; ok {
			n = fmt.Sprintf("(%s) to (%s) ", t.expr(l), t.expr(i["most"]))
		}
		s := fmt.Sprintf("choose %s%s from %s by %s", n, i["name"], t.source(i["from"]), t.expr(i["by"]))
		if f, ok := i["for"]; ok {
			s += " for " + t.forCall(f.(part), fmt.Sprint(i["name"]))
		}
		return s
	case "may":
		return "may by " + t.expr(i["by"]) + t.limits(i["limits"]) + " " + t.body(i["body"])
	case "later":
		return "later when " + t.moment(i["when"]) + " " + t.loose(i["body"])
	case "proceed":
		s := "proceed"
		for _, k := range []string{"roles", "with"} {
			v, _ := i[k].(part)
			for _, name := range sortedKeys(v) {
				s += fmt.Sprintf(" with %s = %s", name, t.expr(v[name]))
			}
		}
		return s
	}
	return t.action(i)
}

// forCall is the action that a choice is for: what is offered is its object.
func (t *teller) forCall(i part, name string) string {
	a := t.actionOf(i)
	roles, _ := i["roles"].(part)
	if len(a.Roles) > 0 && roles[a.Roles[0].Name] == name {
		rest := part{}
		for k, v := range roles {
			if k != a.Roles[0].Name {
				rest[k] = v
			}
		}
		c := part{}
		for k, v := range i {
			c[k] = v
		}
		c["roles"] = rest
		i = c
	}
	return t.action(i)
}

func (t *teller) actionOf(i part) *program.Action {
	do := fmt.Sprint(i["do"])
	for _, a := range t.p.Actions {
		if a.Name == do {
			return a
		}
	}
	fail("there is no action %q", do)
	return nil
}

func (t *teller) action(i part) string {
	a := t.actionOf(i)
	s := a.Name
	if c, ok := i["count"]; ok {
		s += " (" + t.expr(c) + ")"
	}
	if tok, ok := i["token"]; ok {
		s += " " + fmt.Sprint(tok)
	}
	if k, ok := i["keyword"]; ok {
		s += " " + t.keyword(k.(part))
	}
	roles, _ := i["roles"].(part)
	seen := 0
	for _, r := range a.Roles {
		v, ok := roles[r.Name]
		if !ok {
			continue
		}
		seen++
		if r.Prep == "within" {
			fail("%s can't be given its %s", a.Name, r.Name)
		}
		if r.Prep != "" {
			s += " " + r.Prep
		}
		s += " " + t.expr(v)
	}
	if seen != len(roles) {
		fail("%s has no such role among %v", a.Name, sortedKeys(roles))
	}
	if u, ok := i["until"].([]any); ok && len(u) > 0 {
		s += " until " + t.moment(u[0])
	}
	with, _ := i["with"].(part)
	for _, name := range sortedKeys(with) {
		s += fmt.Sprintf(" with %s = %s", name, t.expr(with[name]))
	}
	return s
}

func (t *teller) keyword(k part) string {
	s := fmt.Sprint(k["keyword"])
	list, _ := k["arguments"].([]any)
	for _, a := range list {
		s += " (" + t.expr(a) + ")"
	}
	return s
}

func (t *teller) abilities(list []any) {
	for _, v := range list {
		a := v.(part)
		switch {
		case a["static"] != nil:
			t.line("always %s", t.effect(a["static"].(part)))
		case a["keyword"] != nil:
			t.line("%s", t.keyword(a))
		default:
			t.line("%s", t.trigger(a))
		}
	}
}

func (t *teller) trigger(a part) string {
	return t.fresh(func() string {
		s := ""
		in := ""
		if z, ok := a["in"]; ok {
			in = fmt.Sprintf(" in %s", z)
		}
		where := ""
		if w, ok := a["where"]; ok {
			where = " where " + t.expr(w)
		}
		if h, ok := a["header"]; ok {
			s = fmt.Sprint(h) + in + where
		} else {
			s = "when" + in + " " + t.moment(a["when"])
			if g, ok := a["among"]; ok {
				s += " among " + t.expr(g) + where
			} else if where != "" {
				fail("where of a trigger stands in its moment")
			}
		}
		return s + t.limits(a["limits"]) + " " + t.body(a["body"])
	})
}

func (t *teller) effect(e part) string {
	return t.fresh(func() string {
		s := ""
		if l, ok := e["label"]; ok {
			s += fmt.Sprint(l) + " "
		}
		if z, ok := e["in"]; ok {
			s += fmt.Sprintf("in %s ", z)
		}
		on, _ := e["on"].(part)
		opened := true
		switch {
		case on["objects"] != nil:
			list := on["objects"].([]any)
			if len(list) == 1 {
				s += "on " + t.expr(list[0]) + " "
			} else {
				s += "on " + t.expr(part{"op": "list", "items": list}) + " "
			}
		case on["all"] != nil:
			s += "on " + t.source(on["all"]) + " "
		case on["each"] != nil:
			s += "on " + t.each(on) + " "
		case on["action"] != nil:
			s += "on each " + t.pattern(on) + " "
			opened = false
		}
		if v, ok := e["timestamp"]; ok {
			s += "timestamp " + t.expr(v) + " "
		}
		s += "{\n"
		if w, ok := e["while"]; ok {
			s += "while " + t.expr(w) + "\n"
		}
		list, _ := e["until"].([]any)
		for _, m := range list {
			s += "until " + t.moment(m) + "\n"
		}
		list, _ = e["ops"].([]any)
		for _, op := range list {
			f := func() string { return t.op(op.(part)) }
			if opened {
				s += t.under(part{"as": "it"}, false, f) + "\n"
			} else {
				s += f() + "\n"
			}
		}
		list, _ = e["triggers"].([]any)
		for _, tr := range list {
			s += t.trigger(tr.(part)) + "\n"
		}
		if f, ok := e["finally"]; ok {
			s += "finally " + t.loose(f) + "\n"
		}
		return s + "}"
	})
}

func (t *teller) op(o part) string {
	verb := fmt.Sprint(o["op"])
	switch verb {
	case "set":
		return fmt.Sprintf("set %s to %s", o["characteristic"], t.expr(o["to"]))
	case "raise", "lower":
		return fmt.Sprintf("%s %s by %s", verb, o["characteristic"], t.expr(o["by"]))
	case "add", "remove":
		if k, ok := o["keyword"]; ok {
			return fmt.Sprintf("%s %s %s", verb, o["characteristic"], t.keyword(k.(part)))
		}
		return fmt.Sprintf("%s %s %s", verb, o["characteristic"], t.expr(o["value"]))
	case "strip":
		return fmt.Sprintf("strip %s", o["characteristic"])
	case "prohibit", "permit", "require":
		return verb + " " + t.pattern(o)
	case "instead":
		return "instead of " + t.pattern(o) + " " + t.loose(o["body"])
	}
	fail("there is no operation %q", verb)
	return ""
}

// dotted is an expression with something behind a point to come.
func (t *teller) dotted(v any) string {
	s := t.expr(v)
	if _, plain := v.(string); plain {
		return s
	}
	return "(" + s + ")"
}

func (t *teller) list(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, x := range list {
		out = append(out, t.expr(x))
	}
	return out
}

// reference is a name: of the innermost candidate or element, or as it stands.
func (t *teller) reference(name string) string {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.open[i].name != name {
			continue
		}
		for _, inner := range t.open[i+1:] {
			if inner.element == t.open[i].element {
				fail("%q is hidden by %q", name, inner.name)
			}
		}
		if t.open[i].element {
			return "#"
		}
		return "it"
	}
	return name
}

func (t *teller) expr(v any) string {
	switch v := v.(type) {
	case string:
		return t.reference(v)
	case bool, json.Number, int, int64:
		return fmt.Sprint(v)
	case part:
		return t.operator(v)
	}
	fail("%v is no expression", v)
	return ""
}

func (t *teller) operator(v part) string {
	op := fmt.Sprint(v["op"])
	of := func() string {
		if v["of"] == nil {
			return ""
		}
		return t.dotted(v["of"]) + "."
	}
	loop := func(word, key string) string {
		s := word + "(" + t.expr(v["list"])
		if w, ok := v[key]; ok {
			s += ", " + t.under(v, true, func() string { return t.expr(w) })
		}
		return s + ")"
	}
	switch op {
	case "nothing", "hits", "game":
		return op
	case "name":
		return named(fmt.Sprint(v["name"]))
	case "text":
		return strconv.Quote(fmt.Sprint(v["text"]))
	case "zone":
		return fmt.Sprint(v["zone"])
	case "list":
		return "[" + strings.Join(t.list(v["items"]), ", ") + "]"
	case "role":
		return of() + fmt.Sprint(v["role"])
	case "attribute":
		return of() + fmt.Sprint(v["attribute"])
	case "underway":
		return fmt.Sprint(v["action"])
	case "get":
		return of() + fmt.Sprint(v["characteristic"])
	case "has":
		return of() + "has(" + named(fmt.Sprint(v["keyword"])) + ")"
	case "tally":
		return of() + "tally(" + named(fmt.Sprint(v["token"])) + ")"
	case "is":
		return of() + "is(" + fmt.Sprint(v["kind"]) + ")"
	case "filter", "any", "all", "none", "first", "count":
		return loop(op, "where")
	case "sum":
		return loop(op, "amount")
	case "in":
		return "(" + t.expr(v["item"]) + " in " + t.expr(v["list"]) + ")"
	case "least":
		return "min(" + strings.Join(t.list(v["args"]), ", ") + ")"
	case "most":
		return "max(" + strings.Join(t.list(v["args"]), ", ") + ")"
	case "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "and", "or":
		return "(" + strings.Join(t.list(v["args"]), " "+op+" ") + ")"
	case "not":
		return "(not " + t.expr(v["arg"]) + ")"
	case "if":
		return fmt.Sprintf("(%s ? %s : %s)", t.expr(v["condition"]), t.expr(v["then"]), t.expr(v["else"]))
	case "fired":
		return fmt.Sprintf("fired(%s, %s)", t.expr(v["of"]), strconv.Quote(fmt.Sprint(v["header"])))
	case "order":
		what := "rules"
		if c, ok := v["characteristic"]; ok {
			what = fmt.Sprint(c)
		}
		return fmt.Sprintf("order(%s, %q)", t.expr(v["of"]), what)
	}
	fail("there is no operator %q", op)
	return ""
}
