// Package export writes cases down as data, for programs that have the rules built
// in and no reader of the rule language: objects, instructions, effects and
// conditions in a closed vocabulary of JSON, which docs/conformance.md explains.
// Names of the game come from the checked program.
//
// A case is exported from its checked form, not from its text, so that every name
// in it is resolved. Bodies are flat code there; blocks are found again by the
// places that their jumps lead to. What a normative case may use of the vocabulary,
// the checker says (check/exportable.go).
package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Field is a member of an object, and Object one that keeps their order.
type Field struct {
	Key   string
	Value any
}

// Object is a JSON object whose members stand in order.
type Object []Field

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		k, err := plain(f.Key)
		if err != nil {
			return nil, err
		}
		v, err := plain(f.Value)
		if err != nil {
			return nil, err
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plain writes JSON without escapes that only pages of HTML need.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func (o *Object) put(key string, value any) { *o = append(*o, Field{key, value}) }

// Outside is what a case has that the vocabulary lacks.
type Outside struct {
	Span source.Span
	Part string
}

func (o *Outside) Error() string { return fmt.Sprintf("%q is not in the exported vocabulary", o.Part) }

// Twin is a case told otherwise, which must come out alike.
type Twin struct {
	Swap      bool // the two players change places
	Rename    bool // objects have other labels
	Bystander bool // one more object stands by, which nothing speaks of
}

// Case is a case as data.
type Case struct {
	ID       string
	Features []string // the parts of the vocabulary that it uses, beside the plain ones
	Rules    []string // the rules that it covers, in order
	Data     Object
}

// names of the parts of the vocabulary that an implementation can lack.
const (
	featChoice  = "choices"      // choose, may
	featReplace = "replacements" // instead, proceed
	featRecord  = "recorded"     // record
	featTrigger = "moments"      // when, later: triggers without a header
	featLimit   = "limits"       // once per
	featGroup   = "groups"       // together
	featLoop    = "loops"        // for
	featIf      = "conditions"   // if
	featOwn     = "keywords"     // keywords of the case's own
	featFinally = "finally"
	featStamp   = "timestamps"
	featKinds   = "permissions" // permit, require
	featOrder   = "order"
	featAsked   = "decisions"
	featBy      = "refused-rule"
	featSteps   = "steps"
	featReading = "readings"
	featLists   = "lists"
	featAttr    = "attributes" // effects on actions
)

// core are the features that every implementation of the plain rules has: the rest
// makes a case an extended one.
var core = []string{featSteps, featIf, featGroup}

// Features are all of them.
var Features = []string{featAttr, featChoice, featIf, featAsked, featFinally, featGroup, featOwn, featLimit, featLists, featLoop, featTrigger, featOrder,
	featKinds, featReading, featRecord, featBy, featReplace, featSteps, featStamp}

// Questions are the kinds of question that a case can ask.
var Questions = []string{"value", "has", "count", "controller", "owner", "zone", "happened", "refused", "refused-rule", "legal", "fired", "order",
	"decision", "holds"}

type exporter struct {
	p    *program.Program
	k    *program.Case
	twin Twin
	feat map[string]bool

	names  []string          // of the locals that stand for something nameable
	given  map[int]bool      // locals that are objects of the start
	args   map[int]any       // locals that are parameters, with their arguments
	depth  int               // how many candidates are open
	act    int               // the action whose roles are at hand, or -1
	insert map[string]string // labels as this twin calls them
}

// Cases exports a case, and with it the case that its repairs make of it: the same
// story with the smallest change, after which the refused action must happen.
func Cases(p *program.Program, k *program.Case, twin Twin) (out []Case, err error) {
	defer func() {
		if r := recover(); r != nil {
			o, ok := r.(*Outside)
			if !ok {
				panic(r)
			}
			out, err = nil, o
		}
	}()
	x := newExporter(p, k, twin)
	out = append(out, x.whole(k.ID, "", x.script(k.Script)))
	n := 0
	for i := range k.Script {
		if k.Script[i].Kind == program.StepRepair {
			n++
			id := k.ID + "~repair"
			if n > 1 {
				id += fmt.Sprint(n)
			}
			x := newExporter(p, k, twin)
			out = append(out, x.whole(id, k.ID, x.repaired(k.Script, i)))
		}
	}
	return out, nil
}

func newExporter(p *program.Program, k *program.Case, twin Twin) *exporter {
	x := &exporter{p: p, k: k, twin: twin, feat: map[string]bool{}, given: map[int]bool{}, act: -1, insert: map[string]string{}}
	x.names = k.Names
	for _, g := range k.Givens {
		x.given[g.Local] = true
	}
	if twin.Rename {
		// The labels move on by one, so that nothing can hang on which is which.
		for i, g := range k.Givens {
			next := k.Givens[(i+1)%len(k.Givens)].Local
			x.insert[k.Names[g.Local]] = k.Names[next] + "x"
		}
	}
	return x
}

func (x *exporter) out(at source.Span, part string) {
	if part == "" && at.File != nil {
		part = at.Text()
	}
	panic(&Outside{at, strings.Join(strings.Fields(part), " ")})
}

func (x *exporter) label(name string) string {
	if to, ok := x.insert[name]; ok {
		return to
	}
	return name
}

// whole puts a case together.
func (x *exporter) whole(id, of string, script []any) Case {
	start := x.start()
	k := x.k
	o := Object{{"id", id}}
	if of != "" {
		o.put("repairs", of)
	}
	o.put("status", k.Status)
	c := Case{ID: id}
	var covers []any
	for _, cv := range k.Covers {
		side := "confirms"
		if !cv.Confirms || of != "" && !cv.Confirms {
			side = "refutes"
		}
		covers = append(covers, Object{{"rule", cv.Ref.Rule}, {"statement", cv.Ref.Key}, {"side", side}})
		if !slices.Contains(c.Rules, cv.Ref.Rule) {
			c.Rules = append(c.Rules, cv.Ref.Rule)
		}
	}
	if len(k.Under) > 0 {
		x.feat[featReading] = true
	}
	tier := "core"
	for f := range x.feat {
		c.Features = append(c.Features, f)
		if !slices.Contains(core, f) {
			tier = "extended"
		}
	}
	slices.Sort(c.Features)
	o.put("tier", tier)
	title := Object{}
	for _, t := range k.Texts {
		title.put(t.Lang, t.Value)
	}
	o.put("title", title)
	o.put("covers", covers)
	if len(k.Under) > 0 {
		r := Object{}
		for _, u := range k.Under {
			for _, d := range x.p.Readings {
				if d.Switch == u.Switch {
					r.put(d.Name, u.Choice)
				}
			}
		}
		o.put("readings", r)
	}
	feats := []any{}
	for _, f := range c.Features {
		feats = append(feats, f)
	}
	o.put("features", feats)
	o.put("start", start)
	o.put("script", script)
	c.Data = o
	return c
}

// start lists the objects that a case begins with.
func (x *exporter) start() []any {
	list := []any{}
	for _, g := range x.k.Givens {
		def := x.p.Cards[g.Card]
		o := Object{{"object", x.label(x.k.Names[g.Local])}, {"zone", x.p.Zones[g.Zone].Name}}
		o.put("owner", x.player(g.Owner))
		o.put("controller", x.player(g.Controller))
		if g.HasCell {
			o.put("cell", []any{g.X, g.Y})
		}
		name := def.Name
		if def.Anonymous {
			name = x.label(x.k.Names[g.Local])
		}
		o.put("name", name)
		printed, errata := Object{}, Object{}
		for _, v := range def.Values {
			if ch := x.p.Chars[v.Char]; ch.Index != x.p.NameChar {
				printed.put(ch.Name, x.printed(ch, v))
			}
		}
		for _, v := range misprinted(def) {
			ch := x.p.Chars[v.Char]
			for i := range printed {
				if printed[i].Key == ch.Name {
					errata.put(ch.Name, printed[i].Value)
					printed[i].Value = x.printed(ch, v)
				}
			}
		}
		o.put("printed", printed)
		if len(errata) > 0 {
			o.put("errata", errata)
		}
		if len(def.Abilities) > 0 {
			o.put("abilities", x.abilities(def.Abilities))
		}
		list = append(list, o)
	}
	if x.twin.Bystander {
		list = append(list, Object{{"object", "Bystander"}, {"zone", x.p.Zones[x.asideZone()].Name}, {"owner", x.side(2)}, {"controller", x.side(2)},
			{"name", "Bystander"}, {"printed", Object{}}})
	}
	return list
}

// misprinted lists what was printed where errata say otherwise.
func misprinted(c *program.CardDef) []program.Printed {
	if c.Errata == nil {
		return nil
	}
	return c.Errata.Was
}

// printed is a printed value, bare.
func (x *exporter) printed(ch *program.Char, v program.Printed) any {
	c := x.constant(ch.Type, v.Value, v.Span)
	if o, ok := c.(Object); ok {
		return bare(o)
	}
	return c
}

// asideZone is a zone in which nothing is counted and no ability works: the last
// that the data names which is neither home nor hidden.
func (x *exporter) asideZone() int {
	at := 0
	for i, z := range x.p.Zones {
		if i != x.p.Home && z.HiddenFrom == program.HiddenFromNobody {
			at = i
		}
	}
	return at
}

// side names a player, who has changed places in a twin.
func (x *exporter) side(n int64) string {
	if x.twin.Swap {
		n = 3 - n
	}
	return fmt.Sprint("P", n)
}

func (x *exporter) player(n *program.Node) any {
	if n == nil {
		return x.side(1)
	}
	return x.expr(n)
}
