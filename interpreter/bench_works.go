package interpreter

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// This file turns works of the yardstick (board positions with effects and a
// list of changes, as JSON) into rule text. The text goes through the ordinary
// loader. What it makes has a small vocabulary of its own, which has nothing to do
// with any game's: things with names, marks of several sorts, and two numbers. The
// keys of the JSON, and what an effect's op is called, are the yardstick's words.

// Work is a work description: objects with base values, effects, and changes
// that each call for a recompute.
type Work struct {
	Objects []WorkObject `json:"objects"`
	Effects []WorkEffect `json:"effects"`
	Changes []WorkChange `json:"changes"`
	Seed    uint64       `json:"seed"`
}

// WorkObject is one object's base values; its id is its place in the list.
type WorkObject struct {
	Name       string   `json:"name"`
	Controller int      `json:"controller"`
	Traits     []string `json:"traits,omitempty"`
	Element    string   `json:"element"`
	Power      int      `json:"power"`
	Sight      []string `json:"snatch,omitempty"`
	Mark       []string `json:"mark,omitempty"`
	Abilities  []string `json:"abilities,omitempty"`
	Token      int      `json:"token"`
}

// WorkEffect is one continuous effect.
type WorkEffect struct {
	ID        int         `json:"id"`
	Timestamp int         `json:"timestamp"`
	Source    int         `json:"source"`
	Layer     int         `json:"layer"`
	Filter    WorkFilter  `json:"filter"`
	Gate      *WorkGate   `json:"gate,omitempty"`
	Op        string      `json:"op"`
	Values    []string    `json:"values,omitempty"`
	From      int         `json:"from,omitempty"`
	Amount    *WorkAmount `json:"amount,omitempty"`
}

// WorkGate says when an effect applies at all.
type WorkGate struct {
	Ability string      `json:"ability,omitempty"`
	AtLeast int         `json:"atLeast,omitempty"`
	Of      *WorkFilter `json:"of,omitempty"`
}

// WorkAmount is a number, fixed or read from the board.
type WorkAmount struct {
	N           int         `json:"n"`
	CountOf     *WorkFilter `json:"countOf,omitempty"`
	OwnTraits   bool        `json:"ownTraits,omitempty"`
	SourcePower bool        `json:"sourcePower,omitempty"`
}

// WorkFilter is a conjunction of tests; an absent one always passes.
type WorkFilter struct {
	Traits     []string `json:"traits,omitempty"`
	NotTraits  []string `json:"notTraits,omitempty"`
	Abilities  []string `json:"abilities,omitempty"`
	Elements   []string `json:"elements,omitempty"`
	Name       string   `json:"name,omitempty"`
	MinPower   *int     `json:"minPower,omitempty"`
	MaxPower   *int     `json:"maxPower,omitempty"`
	Controller string   `json:"controller,omitempty"`
}

// WorkChange is one change of state.
type WorkChange struct {
	Kind   string      `json:"kind"`
	Object int         `json:"object,omitempty"`
	N      int         `json:"n,omitempty"`
	Trait  string      `json:"trait,omitempty"`
	Effect *WorkEffect `json:"effect,omitempty"`
	ID     int         `json:"id,omitempty"`
}

// WorkBoard is the outcome for one object, in the words of the work.
type WorkBoard struct {
	Name       string              `json:"name"`
	Controller int                 `json:"controller"`
	Traits     []string            `json:"traits"`
	Element    string              `json:"element"`
	Power      int                 `json:"power"`
	Sight      []string            `json:"snatch"`
	Mark       []string            `json:"mark"`
	Abilities  []string            `json:"abilities"`
	Token      int                 `json:"token"`
	Rules      map[string][]string `json:"rules"`
}

// ReadWork reads a work written out in full.
func ReadWork(data []byte) (*Work, error) {
	w := new(Work)
	if err := json.Unmarshal(data, w); err != nil {
		return nil, fmt.Errorf("this is no work written out in full: %w", err)
	}
	return w, nil
}

// The sorts of symbol: letter in the work, name of the values list in the rules.
var workSorts = []struct{ letter, list string }{
	{"t", "Trait"}, {"a", "Gift"}, {"s", "Sight"}, {"e", "Element"}, {"n", "Title"}, {"r", "Rule"},
}

// workText writes a work as rule text.
type workText struct {
	strings.Builder
	most map[string]int
	err  error
}

// WorkRules writes a work as rule text: vocabulary, layers, and one case with
// the objects and every effect that begins at any time. With static, dependency
// is judged once, as a layer starts.
func WorkRules(w *Work, static bool) (string, error) {
	t := &workText{most: map[string]int{}}
	body := &workText{most: t.most}
	for i := range w.Objects {
		body.object(i, &w.Objects[i])
	}
	effects := 0
	each := func(e *WorkEffect) {
		if e.Source < 0 || e.Source >= len(w.Objects) || e.From < 0 || e.From >= len(w.Objects) {
			body.fail("effect %d: no such object", e.ID)
		}
		body.effect(e)
		effects++
	}
	for i := range w.Effects {
		each(&w.Effects[i])
	}
	for i := range w.Changes {
		if e := w.Changes[i].Effect; e != nil {
			each(e)
		}
		if s := w.Changes[i].Trait; s != "" {
			body.sym(s)
		}
	}
	if body.err != nil {
		return "", body.err
	}
	t.line("language 1")
	for _, s := range workSorts {
		if s.list == "Rule" {
			continue
		}
		t.line("values %s {", s.list)
		for i := range t.most[s.letter] + 1 {
			t.line("  %s%d", strings.ToUpper(s.letter), i)
		}
		t.line("}")
	}
	t.line("zone Table { renews objects }")
	t.line("kind Thing is card where zone == Table")
	for _, c := range []string{"title of card: Title", "element of card: Element", "trait of card: several Trait", "gift of card: several Gift",
		"sight of card: several Sight", "mark of card: several Sight", "power of card: number"} {
		t.line("characteristic %s printed", c)
	}
	t.line("characteristic worth of card: number printed floor 0")
	t.line("characteristic things of game: several Thing = each Thing")
	t.line("memory noted of card: number")
	for i := range t.most["r"] + 1 {
		t.line("action touch%d target: Thing { do: record target.noted = 1 }", i)
	}
	t.line("layer Base { takes base, copy }")
	t.line("layer Set after Base { takes set }")
	t.line("layer Add after Set { takes add, remove }")
	t.line("layer Modify after Add { takes raise; ends with floors }")
	t.line("layer Rules after Modify { takes prohibit, require, permit, instead }")
	t.line("order effects { dependency; timestamp }")
	t.line("reading \"begins\" { begins when_created; other when_true }")
	t.line("reading \"copied\" { copied as_it_stands; other as_printed }")
	if static {
		t.line("reading \"dependency\" { dependency judged_once; other judged_after_each }")
	}
	t.line("case \"work\" {")
	t.WriteString(body.String())
	t.line("  expect true")
	t.line("}")
	return t.String(), nil
}

func (t *workText) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func (t *workText) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
	}
}

// sym writes a symbol as a name of the rules and notes how many there are.
func (t *workText) sym(s string) string {
	if len(s) < 2 || !strings.Contains("taesnr", s[:1]) {
		t.fail("%q is no symbol", s)
		return "X0"
	}
	n, err := strconv.Atoi(s[1:])
	if err != nil || n < 0 || n > 62 {
		t.fail("%q: a values list holds at most 63 names", s)
		return "X0"
	}
	t.most[s[:1]] = max(t.most[s[:1]], n)
	return strings.ToUpper(s[:1]) + s[1:]
}

func (t *workText) syms(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = t.sym(s)
	}
	return strings.Join(out, ", ")
}

func (t *workText) object(i int, o *WorkObject) {
	fmt.Fprintf(t, "  given O%d: Thing of P%d { title %s; element %s; power %d; worth %d", i, o.Controller&1+1, t.sym(o.Name), t.sym(o.Element), o.Power, o.Token)
	for _, f := range []struct {
		name string
		list []string
	}{{"trait", o.Traits}, {"gift", o.Abilities}, {"sight", o.Sight}, {"mark", o.Mark}} {
		if len(f.list) > 0 {
			fmt.Fprintf(t, "; %s %s", f.name, t.syms(f.list))
		}
	}
	t.WriteString(" }\n")
}

// workStamp makes Timestamps positive: an effect with Timestamp 0 has not begun.
const workStamp = 1000

func (t *workText) effect(e *WorkEffect) {
	fmt.Fprintf(t, "  as O%d: effect on %s", e.Source, t.filter(&e.Filter))
	if g := e.Gate; g != nil {
		var conds []string
		if g.Ability != "" {
			conds = append(conds, t.sym(g.Ability)+" in self.gift")
		}
		if g.AtLeast > 0 && g.Of != nil {
			conds = append(conds, fmt.Sprintf("%s >= %d", t.count(g.Of), g.AtLeast))
		}
		if len(conds) > 0 {
			t.WriteString(" while " + strings.Join(conds, " and "))
		}
	}
	fmt.Fprintf(t, " timestamp %d: ", e.Timestamp+workStamp)
	verb, rest, _ := strings.Cut(e.Op, "-")
	char := map[string]string{"power": "power", "element": "element", "traits": "trait", "name": "title", "trait": "trait", "ability": "gift", "snatch": "sight", "mark": "mark"}[rest]
	switch {
	case e.Op == "base-power":
		t.line("set base power to %s", t.amount(e))
	case e.Op == "copy":
		t.line("copy O%d", e.From)
	case e.Op == "set-power":
		t.line("set power to %s", t.amount(e))
	case e.Op == "set-traits":
		t.line("set trait to [%s]", t.syms(e.Values))
	case verb == "set":
		t.line("set %s to %s", char, t.syms(e.Values))
	case verb == "add" || verb == "remove":
		t.line("%s %s %s", verb, char, t.syms(e.Values))
	case e.Op == "power":
		t.line("raise power by %s", t.amount(e))
	case e.Op == "token":
		t.line("raise worth by %s", t.amount(e))
	case verb == "permit" || verb == "prohibit" || verb == "require":
		t.line("%s touch%s", verb, t.sym(e.Values[0])[1:])
	case verb == "replace":
		t.line("instead of touch%s: proceed", t.sym(e.Values[0])[1:])
	default:
		t.fail("effect %d: no operation %q", e.ID, e.Op)
	}
}

func (t *workText) amount(e *WorkEffect) string {
	a := e.Amount
	if a == nil {
		a = &WorkAmount{}
	}
	switch {
	case a.CountOf != nil:
		return fmt.Sprintf("%d * %s", a.N, t.count(a.CountOf))
	case a.OwnTraits:
		return fmt.Sprintf("%d * count(trait)", a.N)
	case a.SourcePower:
		return "self.power"
	}
	return strconv.Itoa(a.N)
}

// count counts things; inside the brackets the thing's own words begin with a dot.
func (t *workText) count(f *WorkFilter) string {
	if tests := t.tests(f, "."); tests != "" {
		return "count(game.things, " + tests + ")"
	}
	return "count(game.things)"
}

func (t *workText) filter(f *WorkFilter) string {
	if tests := t.tests(f, ""); tests != "" {
		return "each Thing where " + tests
	}
	return "each Thing"
}

func (t *workText) tests(f *WorkFilter, dot string) string {
	var tests []string
	for _, s := range f.Traits {
		tests = append(tests, t.sym(s)+" in "+dot+"trait")
	}
	for _, s := range f.NotTraits {
		tests = append(tests, "not ("+t.sym(s)+" in "+dot+"trait)")
	}
	for _, s := range f.Abilities {
		tests = append(tests, t.sym(s)+" in "+dot+"gift")
	}
	switch len(f.Elements) {
	case 0:
	case 1:
		tests = append(tests, dot+"element == "+t.sym(f.Elements[0]))
	default:
		tests = append(tests, dot+"element in ["+t.syms(f.Elements)+"]")
	}
	if f.Name != "" {
		tests = append(tests, dot+"title == "+t.sym(f.Name))
	}
	if f.MinPower != nil {
		tests = append(tests, fmt.Sprintf("%spower >= %d", dot, *f.MinPower))
	}
	if f.MaxPower != nil {
		tests = append(tests, fmt.Sprintf("%spower <= %d", dot, *f.MaxPower))
	}
	switch f.Controller {
	case "same":
		tests = append(tests, dot+"controller == self.controller")
	case "other":
		tests = append(tests, dot+"controller != self.controller")
	}
	return strings.Join(tests, " and ")
}
