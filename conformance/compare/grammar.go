package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Grammar says how scenarios are made: for each name, alternatives with weights.
// It is data, as all that speaks of the game is; the page of the suite explains its
// form. See Parse.
type Grammar struct {
	labels []class
	rules  map[string][]alternative
	names  []string // of the rules, as they stand
}

// class is a group of labels that mean objects of one kind, named by a letter.
type class struct {
	name        string
	least, most int
}

// alternative is one way to write out a name.
type alternative struct {
	weight int
	when   []string // what must be known (x) or have a value (x=v), and with ! must not
	needs  string   // the feature that it uses, or ""
	is     any
}

// root is the name of a whole scenario.
const root = "scenario"

// Parse reads a grammar. It is an object: `labels` has the classes of labels with
// how many there are at least and at most; each other member is a name with a list
// of alternatives. An alternative is a template, or an object with `is` (the
// template) and `weight` (1 unless said), `if` and `needs`. In a template
//
//	"$name"                    one of the alternatives of the name
//	"$*name"                   in a list: all that the list has which the name gives
//	"$=v"                      the value of the variable v
//	{"$": name, "with": {v: x}, "without": [v]}  as "$name", with other variables
//	{"$new": {v: prefix}, "in": template}        with a new name in the variable
//	{"$each": classes, "as": v, "of": template}  in a list: for each label
//	{"$some": classes, "of": [least, most]}      in a list: so many of the labels
//	{"$label": classes}        a label of one of the classes, each letter as likely
//	{"$number": [least, most]} a number
//	{"$fresh": prefix}         a name that nothing has yet
//	"member?30": template      a member that is there in 30 of 100
//
// The first alternative of a name must need nothing and end soon: it is taken where
// the scenario has become deep.
func Parse(data []byte) (*Grammar, error) {
	v, err := decode(data)
	if err != nil {
		return nil, err
	}
	o, ok := v.(object)
	if !ok {
		return nil, fmt.Errorf("a grammar is an object")
	}
	g := &Grammar{rules: map[string][]alternative{}}
	for _, f := range o {
		if f.key == "labels" {
			classes, _ := f.value.(object)
			for _, c := range classes {
				least, most, err := bounds(c.value)
				if err != nil {
					return nil, fmt.Errorf("labels %s: %w", c.key, err)
				}
				g.labels = append(g.labels, class{c.key, least, most})
			}
			continue
		}
		list, ok := f.value.([]any)
		if !ok || len(list) == 0 {
			return nil, fmt.Errorf("%s: a list of alternatives belongs here", f.key)
		}
		for _, a := range list {
			alt := alternative{weight: 1, is: a}
			if o, ok := a.(object); ok && o.has("is") {
				alt.is = o.get("is")
				if w := o.get("weight"); w != nil {
					if alt.weight, err = strconv.Atoi(fmt.Sprint(w)); err != nil {
						return nil, fmt.Errorf("%s: the weight %v is no number", f.key, w)
					}
				}
				alt.needs, _ = o.get("needs").(string)
				list, _ := o.get("if").([]any)
				for _, c := range list {
					alt.when = append(alt.when, fmt.Sprint(c))
				}
			}
			g.rules[f.key] = append(g.rules[f.key], alt)
		}
		g.names = append(g.names, f.key)
	}
	for _, name := range append(slices.Clone(g.names), root) {
		if _, ok := g.rules[name]; !ok {
			return nil, fmt.Errorf("there is no %s", name)
		}
		if g.rules[name][0].needs != "" {
			return nil, fmt.Errorf("%s: the first alternative is there for programs that lack a feature, so it can't need one", name)
		}
		for _, a := range g.rules[name] {
			if bad := g.unknown(a.is); bad != "" {
				return nil, fmt.Errorf("%s: there is no %s", name, bad)
			}
		}
	}
	return g, nil
}

func bounds(v any) (least, most int, err error) {
	list, _ := v.([]any)
	if len(list) != 2 {
		return 0, 0, fmt.Errorf("two numbers belong here, the least and the most")
	}
	if least, err = strconv.Atoi(fmt.Sprint(list[0])); err != nil {
		return 0, 0, err
	}
	if most, err = strconv.Atoi(fmt.Sprint(list[1])); err != nil {
		return 0, 0, err
	}
	if most < least {
		return 0, 0, fmt.Errorf("%d to %d is nothing", least, most)
	}
	return least, most, nil
}

// unknown finds a name that a template speaks of and nothing defines.
func (g *Grammar) unknown(v any) string {
	switch v := v.(type) {
	case string:
		name, ok := strings.CutPrefix(v, "$")
		if !ok || strings.HasPrefix(name, "=") {
			return ""
		}
		name = strings.TrimPrefix(name, "*")
		if _, ok := g.rules[name]; !ok {
			return name
		}
	case []any:
		for _, x := range v {
			if bad := g.unknown(x); bad != "" {
				return bad
			}
		}
	case object:
		for _, f := range v {
			if f.key == "$" {
				if _, ok := g.rules[fmt.Sprint(f.value)]; !ok {
					return fmt.Sprint(f.value)
				}
				continue
			}
			if bad := g.unknown(f.value); bad != "" {
				return bad
			}
		}
	}
	return ""
}

// deepest is how many names may stand in one another before the first alternative
// is taken.
const deepest = 9

// maker writes one scenario out.
type maker struct {
	g        *Grammar
	r        *rand.Rand
	features map[string]bool // that may be used; nil for all
	used     map[string]bool
	labels   map[string][]string // by class
	count    map[string]int      // of new names, by prefix
}

// scope is what is known where a template stands.
type scope struct {
	vars  map[string]string
	depth int
}

func (s scope) with(name, value string) scope {
	vars := make(map[string]string, len(s.vars)+1)
	for k, v := range s.vars {
		vars[k] = v
	}
	vars[name] = value
	return scope{vars, s.depth}
}

func (s scope) without(name string) scope {
	vars := make(map[string]string, len(s.vars))
	for k, v := range s.vars {
		if k != name {
			vars[k] = v
		}
	}
	return scope{vars, s.depth}
}

func (s scope) allows(when []string) bool {
	for _, w := range when {
		name, not := strings.CutPrefix(w, "!")
		name, want, exact := strings.Cut(name, "=")
		v, known := s.vars[name]
		if not == (known && (!exact || v == want)) {
			return false
		}
	}
	return true
}

// Make writes the scenario with a number of a seed out, with no other features than
// those named (nil for all); it tells which features it uses.
func (g *Grammar) Make(seed, number uint64, features []string) (scenario object, used []string) {
	m := &maker{g: g, r: rand.New(rand.NewPCG(seed, number)), used: map[string]bool{}, labels: map[string][]string{}, count: map[string]int{}}
	if features != nil {
		m.features = map[string]bool{}
		for _, f := range features {
			m.features[f] = true
		}
	}
	at := 'A'
	for _, c := range g.labels {
		for range c.least + m.r.IntN(c.most-c.least+1) {
			m.labels[c.name] = append(m.labels[c.name], string(at))
			at++
		}
	}
	scenario, _ = m.name(root, scope{}).(object)
	for f := range m.used {
		used = append(used, f)
	}
	slices.Sort(used)
	return scenario, used
}

// name writes out one of the alternatives of a name.
func (m *maker) name(name string, s scope) any {
	s.depth++
	list := m.g.rules[name]
	fits := func(a *alternative) bool {
		return s.allows(a.when) && (a.needs == "" || m.features == nil || m.features[a.needs])
	}
	if s.depth > deepest && fits(&list[0]) {
		return m.take(&list[0], s)
	}
	sum := 0
	for i := range list {
		if fits(&list[i]) {
			sum += list[i].weight
		}
	}
	if sum == 0 {
		return m.take(&list[0], s)
	}
	at := m.r.IntN(sum)
	for i := range list {
		if !fits(&list[i]) {
			continue
		}
		if at -= list[i].weight; at < 0 {
			return m.take(&list[i], s)
		}
	}
	return nil
}

func (m *maker) take(a *alternative, s scope) any {
	if a.needs != "" {
		m.used[a.needs] = true
	}
	return m.template(a.is, s)
}

func (m *maker) template(v any, s scope) any {
	switch v := v.(type) {
	case string:
		if name, ok := strings.CutPrefix(v, "$="); ok {
			return s.vars[name]
		}
		if name, ok := strings.CutPrefix(v, "$"); ok {
			return m.name(name, s)
		}
		return v
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, m.elements(x, s)...)
		}
		return out
	case object:
		if len(v) > 0 && strings.HasPrefix(v[0].key, "$") {
			return m.directive(v, s)
		}
		out := object{}
		for _, f := range v {
			key, chance, maybe := strings.Cut(f.key, "?")
			if n, _ := strconv.Atoi(chance); maybe && m.r.IntN(100) >= n {
				continue
			}
			out = append(out, field{key, m.template(f.value, s)})
		}
		return out
	}
	return v
}

// elements is what an element of a list stands for.
func (m *maker) elements(v any, s scope) []any {
	if text, ok := v.(string); ok {
		if name, ok := strings.CutPrefix(text, "$*"); ok {
			list, _ := m.name(name, s).([]any)
			return list
		}
	}
	if o, ok := v.(object); ok && o.has("$each") {
		var out []any
		for _, c := range fmt.Sprint(o.get("$each")) {
			for _, l := range m.labels[string(c)] {
				x := m.template(o.get("of"), s.with(fmt.Sprint(o.get("as")), l))
				if list, ok := x.([]any); ok {
					out = append(out, list...)
				} else {
					out = append(out, x)
				}
			}
		}
		return out
	}
	if o, ok := v.(object); ok && o.has("$some") {
		var all, out []any
		for _, c := range fmt.Sprint(o.get("$some")) {
			for _, l := range m.labels[string(c)] {
				all = append(all, l)
			}
		}
		least, most, err := bounds(o.get("of"))
		if err != nil || len(all) == 0 {
			return nil
		}
		n := min(len(all), least+m.r.IntN(most-least+1))
		for _, i := range m.r.Perm(len(all))[:n] {
			out = append(out, all[i])
		}
		return out
	}
	return []any{m.template(v, s)}
}

func (m *maker) directive(o object, s scope) any {
	arg := o[0].value
	switch o[0].key {
	case "$":
		without, _ := o.get("without").([]any)
		for _, name := range without {
			s = s.without(fmt.Sprint(name))
		}
		with, _ := o.get("with").(object)
		for _, f := range with {
			s = s.with(f.key, fmt.Sprint(m.template(f.value, s)))
		}
		return m.name(fmt.Sprint(arg), s)
	case "$new":
		names, _ := arg.(object)
		for _, f := range names {
			s = s.with(f.key, m.fresh(fmt.Sprint(f.value)))
		}
		return m.template(o.get("in"), s)
	case "$fresh":
		return m.fresh(fmt.Sprint(arg))
	case "$label":
		var from []string
		for _, c := range fmt.Sprint(arg) {
			if len(m.labels[string(c)]) > 0 {
				from = append(from, string(c))
			}
		}
		if len(from) == 0 {
			return nil
		}
		list := m.labels[from[m.r.IntN(len(from))]]
		return list[m.r.IntN(len(list))]
	case "$number":
		least, most, err := bounds(arg)
		if err != nil {
			return nil
		}
		return number(least + m.r.IntN(most-least+1))
	}
	return nil
}

func (m *maker) fresh(prefix string) string {
	m.count[prefix]++
	return prefix + strconv.Itoa(m.count[prefix])
}
