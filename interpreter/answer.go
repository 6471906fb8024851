package interpreter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Used is a numbered statement of the rules that had a part in an answer, and what
// it did there.
type Used struct {
	Ref
	Status string   `json:"status,omitempty"` // normative, interpretation or provisional; "" where a rule is cited as a whole
	Text   string   `json:"text,omitempty"`   // what it says, in the data's own words
	Did    []string `json:"did"`
}

// uses gathers the statements of an answer, each once, in the order in which they
// come up.
type uses struct {
	p    *Program
	lang string
	list []Used
}

func (u *uses) add(did string, list ...Ref) {
next:
	for _, r := range list {
		for i := range u.list {
			if x := &u.list[i]; x.Ref == r {
				for _, d := range x.Did {
					if d == did {
						continue next
					}
				}
				x.Did = append(x.Did, did)
				continue next
			}
		}
		x := Used{Ref: r, Did: []string{did}}
		if s := u.p.statement(r); s != nil {
			x.Status, x.Text = s.Status, u.p.textOf(&s.Decl, u.lang)
		} else {
			for _, s := range u.p.p.Summaries {
				if s.Rule == r.Rule {
					x.Text = u.p.textOf(&s.Decl, u.lang)
				}
			}
		}
		u.list = append(u.list, x)
	}
}

// done returns the list; one without entries is written as an empty list.
func (u *uses) done() []Used {
	if u.list == nil {
		return []Used{}
	}
	return u.list
}

// about leaves of some refs what has no topic, and the statements that speak of a topic
// and of nothing else but what there is beside it.
func (p *Program) about(list []Ref, topic, beside program.Topics) []Ref {
	return slices.DeleteFunc(slices.Clone(list), func(r Ref) bool {
		s := p.statement(r)
		return s != nil && s.Topics != 0 && (s.Topics&topic == 0 || s.Topics&^(topic|beside) != 0)
	})
}

// speaking is about, without what has no topic.
func (p *Program) speaking(list []Ref, topic, beside program.Topics) []Ref {
	return slices.DeleteFunc(p.about(list, topic, beside), func(r Ref) bool {
		s := p.statement(r)
		return s == nil || s.Topics == 0
	})
}

// orderRefs is what a criterion of one of the engine's orders cites.
func (p *Program) orderRefs(name, criterion string) []Ref {
	for _, o := range p.p.Orders {
		for i, c := range o.Criteria {
			if o.Name == name && c == criterion {
				return refs(o.Cites[i])
			}
		}
	}
	return nil
}

// ruleNumbers words the rule numbers of refs in brackets, or "".
func ruleNumbers(list []Ref) string {
	if n := RuleNumbers(list); len(n) > 0 {
		return " (" + strings.Join(n, ", ") + ")"
	}
	return ""
}

// by words an effect as a player would: whose ability it is, or what it is called.
func (n *namer) by(m *run.Match, i int32, of int64) string {
	words, _ := n.byName(m, i, of)
	return words
}

// byName is by, and whether that says which effect it is.
func (n *namer) byName(m *run.Match, i int32, of int64) (string, bool) {
	if i < 0 || int(i) >= len(m.S.Effects) {
		return say(n.lang, "effect-gone"), false
	}
	x := &m.S.Effects[i]
	d := n.p.p.Effects[x.Def]
	if d.Keyword >= 0 && x.Host >= 0 {
		return say(n.lang, "on", n.keyword(d.Keyword, x.Frame), n.precise(int64(x.Host))), true
	}
	if d.Label != "" {
		return d.Label, true
	}
	if x.Source < 0 {
		for _, k := range n.p.p.Keywords {
			if holds(k.Span, d.Span) {
				return n.keyword(k.Index, nil), true
			}
		}
		if !x.Static {
			return say(n.lang, "an-effect"), false
		}
		return say(n.lang, "rules"), false
	}
	what := ""
	for _, k := range n.p.p.Keywords {
		if holds(k.Span, d.Span) {
			what = n.keyword(k.Index, x.Frame[:min(len(x.Frame), len(k.Params))])
		}
	}
	switch {
	case int64(x.Source) == of && what != "":
		return say(n.lang, "its-own", what), true
	case int64(x.Source) == of:
		return say(n.lang, "its-ability"), true
	case what != "":
		return say(n.lang, "whose", n.precise(int64(x.Source)), what), true
	case n.s.Objects[x.Source].Entity == program.Token:
		return n.precise(int64(x.Source)), true
	}
	return say(n.lang, "ability-of", n.precise(int64(x.Source))), true
}

// until words how long an effect lasts, where the data has words for it.
func (n *namer) until(m *run.Match, i int32) string {
	if i < 0 || int(i) >= len(m.S.Effects) {
		return ""
	}
	d := n.p.p.Effects[m.S.Effects[i].Def]
	var out []string
	for k := range d.Until {
		if w := n.momentWords(m, i, &d.Until[k]); w != "" {
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + strings.Join(out, say(n.lang, "or"))
}

// momentWords words an end of an effect, or "" where the data has no words for it.
func (n *namer) momentWords(m *run.Match, i int32, mo *program.Moment) string {
	e := m.ReaderAsIs()
	m.Enter(e, i)
	text := map[program.Edge]string{program.Start: "start of ", program.End: "end of ", program.During: "during "}[mo.Edge]
	if mo.Next {
		text += "next "
	}
	text += n.p.p.Actions[mo.Action].Name
	names := map[string]string{}
	if c := mo.Where; c != nil {
		if c.Op != program.OpEq || c.Kids[0].Op != program.OpRole || mentionsAct(c.Kids[1]) {
			return "" // only who it is of can be said without knowing what happens
		}
		text += " where " + n.p.p.Actions[mo.Action].Roles[c.Kids[0].N].Name + " == known"
		names["known"] = (&judge{n, e}).show(c.Kids[1])
	}
	w, _ := n.p.Wording().g.Until(text, names, n.lang)
	return w
}

func mentionsAct(c *program.Node) bool {
	found := false
	c.Walk(func(k *program.Node) {
		found = found || k.Op == program.OpRole || k.Op == program.OpAttr || k.Op == program.OpAct
	})
	return found
}

// say puts an explanation into one sentence, and lists the statements used.
func (x *Explanation) say(p *Program, m *run.Match, n *namer, o int64, ch *program.Char) {
	u := &uses{p: p, lang: n.lang}
	var parts []string
	if x.Base != "" && x.Formula == "" {
		key := "first"
		if ch.Printed {
			key = "printed"
		}
		parts = append(parts, say(n.lang, key, x.Base))
	}
	if x.Formula != "" {
		var from []string
		for _, part := range x.Parts {
			from = append(from, part.Name+" "+part.Value)
		}
		if len(from) > 0 {
			parts = append(parts, say(n.lang, "worked-out-from", strings.Join(from, ", ")))
		} else {
			parts = append(parts, say(n.lang, "worked-out", x.Formula))
		}
	}
	if len(x.Rules) > 0 {
		u.add(say(n.lang, "did-value", x.Characteristic), x.Rules...)
	}
	var general []Ref
	for _, l := range x.Layers {
		applied := false
		before := ""
		if ages := x.ages(p, m, n, o, &l); len(ages) > 0 {
			key := "did-age"
			if p.p.Layers[l.index].NewestFirst {
				key = "did-age-newest"
			}
			u.add(say(n.lang, key, strings.Join(ages, ", ")), p.about(p.orderRefs("effects", "timestamp"), 0, 0)...)
		}
		for _, s := range l.Steps {
			switch s.Kind {
			case Applied:
				if !applied {
					before = s.Before
				}
				applied = true
				by := n.by(m, int32(s.Effect.Number), o)
				if (s.Verb == "add" || s.Verb == "remove") && s.Before == s.After && s.After != "" {
					continue // it was there, or was not, already
				}
				text := s.change(n.lang, by)
				if s.Verb == "set" || s.Verb == "copy" || s.Verb == "strip" {
					parts = parts[:0] // what was there before no longer matters
				}
				parts = append(parts, text+ruleNumbers(s.Effect.Rules)+n.until(m, int32(s.Effect.Number)))
				if s.After != "" {
					u.add(say(n.lang, "did-change", by, x.Characteristic, s.Before, s.After), p.about(s.Effect.Rules, 0, 0)...)
				} else {
					u.add(say(n.lang, "did-ability", by), p.about(s.Effect.Rules, 0, 0)...)
				}
			case Bounded:
				parts = append(parts, say(n.lang, "bounded", s.Before, s.After))
			case Waited:
				waits := say(n.lang, "sentence-waits", n.by(m, int32(s.Effect.Number), o), n.by(m, int32(s.For.Number), o))
				if s.What != "" {
					waits = say(n.lang, "with-change", waits, s.What)
				}
				parts = append(parts, waits)
				beside := program.Topics(0)
				if s.outside {
					beside = program.TopicRings
				}
				u.add(say(n.lang, "did-wait", n.by(m, int32(s.Effect.Number), o), n.by(m, int32(s.For.Number), o)), p.about(p.orderRefs("effects", "dependency"), program.TopicWaiting, beside)...)
			case Ring:
				var names []string
				for _, e := range s.Members {
					names = append(names, n.by(m, int32(e.Number), o))
				}
				u.add(say(n.lang, "did-ring", strings.Join(names, ", ")), p.about(p.orderRefs("effects", "dependency"), program.TopicRings, 0)...)
			case Skipped:
				u.add(say(n.lang, "did-skip-"+s.Why, n.by(m, int32(s.Effect.Number), o)), p.about(s.Effect.Rules, 0, 0)...)
			}
		}
		if l.Value != "" && (applied || before != "") {
			u.add(say(n.lang, "did-layer", l.Layer, before, l.Value), l.Rules...)
			general = append(general, l.Rules...)
		} else if len(l.Steps) > 0 {
			u.add(say(n.lang, "did-look", l.Layer), l.Rules...)
		}
	}
	x.across(p, m, n, o, u)
	x.Statements = u.done()
	lead := say(n.lang, "has-value", x.Object, x.Characteristic, x.Value)
	if ch.Type.Several && x.Value == "-" {
		lead = say(n.lang, "has-none", x.Object, x.Characteristic)
	}
	switch {
	case len(general) == 0 && ch.Printed && x.Formula == "" && ch.Fact == program.FactNone:
		x.Sentence = say(n.lang, "as-printed", lead) + say(n.lang, "stop")
	case len(parts) == 0:
		x.Sentence = lead + say(n.lang, "stop")
	default:
		sep := ", "
		if ch.Type.Several {
			sep = "; " // the parts are lists themselves
		}
		x.Sentence = lead + ": " + strings.Join(parts, sep) + say(n.lang, "stop")
	}
}

// ages names the effects of a layer between which nothing but age decided, where
// another order would have come to something else.
func (x *Explanation) ages(p *Program, m *run.Match, n *namer, o int64, l *LayerPart) []string {
	ring := func(a, b *Step) bool {
		return slices.ContainsFunc(l.Steps, func(s Step) bool {
			has := func(e *EffectInfo) bool {
				return slices.ContainsFunc(s.Members, func(f *EffectInfo) bool { return f.Number == e.Number })
			}
			return s.Kind == Ring && has(a.Effect) && has(b.Effect)
		})
	}
	decided := make([]bool, len(l.Steps))
	for i := range l.Steps {
		for j := i + 1; j < len(l.Steps); j++ {
			a, b := &l.Steps[i], &l.Steps[j]
			if a.Kind == Applied && b.Kind == Applied && a.Effect.Number != b.Effect.Number && p.byAge(l, a, b) && !p.commute(l, a, b) && !ring(a, b) {
				decided[i], decided[j] = true, true
			}
		}
	}
	var out []string
	for i := range l.Steps {
		if decided[i] {
			if by := n.by(m, int32(l.Steps[i].Effect.Number), o); !slices.Contains(out, by) {
				out = append(out, by)
			}
		}
	}
	return out
}

// across tells of effects in different layers: that their layers put them in order,
// and where age would have put them the other way round.
func (x *Explanation) across(p *Program, m *run.Match, n *namer, o int64, u *uses) {
	var before *LayerPart
	for i := range x.Layers {
		l := &x.Layers[i]
		if !slices.ContainsFunc(l.Steps, func(s Step) bool { return s.Kind == Applied }) {
			continue
		}
		cites := refs(p.p.Layers[l.index].Cite)
		if before != nil {
			l.Rules = append(l.Rules, p.speaking(cites, program.TopicLayers, 0)...)
			u.add(say(n.lang, "did-layers", before.Layer, l.Layer), p.speaking(cites, program.TopicLayers, 0)...)
		}
		before = l
	older:
		for _, b := range l.Steps {
			for _, earlier := range x.Layers[:i] {
				for _, a := range earlier.Steps {
					if a.Kind == Applied && b.Kind == Applied && a.Effect.Number != b.Effect.Number && b.Effect.Timestamp < a.Effect.Timestamp {
						over := p.speaking(cites, program.TopicLayers, program.TopicAges)
						over = without(over, p.speaking(cites, program.TopicLayers, 0))
						l.Rules = append(l.Rules, over...)
						u.add(say(n.lang, "did-across", n.by(m, int32(b.Effect.Number), o), n.by(m, int32(a.Effect.Number), o), earlier.Layer, l.Layer), over...)
						break older
					}
				}
			}
		}
	}
}

// between is what puts an effect before another that changed the same value later.
func (p *Program) between(first, then *EffectInfo, layer, later int) []Ref {
	cites := refs(p.p.Layers[later].Cite)
	switch {
	case layer == later && first.Timestamp <= then.Timestamp:
		return p.about(p.orderRefs("effects", "timestamp"), 0, 0)
	case layer == later:
		return p.about(p.orderRefs("effects", "dependency"), program.TopicWaiting, 0)
	case first.Timestamp <= then.Timestamp:
		return p.speaking(cites, program.TopicLayers, 0)
	}
	return p.speaking(cites, program.TopicLayers, program.TopicAges)
}

// change words one step of a value.
func (s *Step) change(lang, by string) string {
	switch s.Verb {
	case "raise", "lower":
		return say(lang, "changed-by", fmt.Sprintf("%+d", s.Amount), by)
	case "set", "base":
		return say(lang, "set-by", s.After, by)
	case "add", "remove", "strip", "lock":
		what := s.What
		if s.Verb == "strip" || what == "" {
			return say(lang, s.Verb+"-all", by)
		}
		return say(lang, s.Verb+"-by", what, by)
	}
	return say(lang, "copied-by", s.After, by)
}

// say puts a cause into one sentence, and lists the statements used.
func (c *Cause) say(p *Program, m *run.Match, e *Event, n *namer, hide func(o int64) bool) {
	u := &uses{p: p, lang: n.lang}
	note := &e.note
	switch e.Kind {
	case Refused:
		deed, why := n.deed(note.Act, hide), c.Why
		switch {
		case note.Effect >= 0:
			why = say(n.lang, "forbidden-by", n.by(m, note.Effect, -1)) + n.until(m, note.Effect)
		case n.reason(note, hide) != "":
			why = n.reason(note, hide)
		case len(c.Parts) > 0:
			why = partWords(c.Parts)
		}
		if note.Inner != nil && why != c.Why {
			why = say(n.lang, "needs-deed", n.deed(note.Inner, hide), why)
		}
		c.Sentence = say(n.lang, "not-for", say(n.lang, "cant", deed), why) + ruleNumbers(c.Rules) + say(n.lang, "stop")
		u.add(say(n.lang, "did-refuse-for", deed, why), p.about(c.Rules, 0, 0)...)
	case Fired, Resolves:
		_, header := n.triggerNames(note)
		source := say(n.lang, "rules")
		if note.Self >= 0 {
			source = n.precise(int64(note.Self))
		}
		c.Sentence = say(n.lang, "fired-for", source, header, n.moment(p.p.Triggers[note.Trigger], note.Act, hide)) + ruleNumbers(c.Rules) + say(n.lang, "stop")
		u.add(say(n.lang, "did-fire", source, header), p.about(c.Rules, 0, 0)...)
	default:
		c.Sentence = c.What + ruleNumbers(c.Rules) + say(n.lang, "stop")
		if c.What != "" {
			u.add(c.What, p.about(c.Rules, 0, 0)...)
		}
	}
	c.Statements = u.done()
}

// moment words the moment that a trigger came with: what its action did, and of a
// beginning or an end that it was one.
func (n *namer) moment(t *program.Trigger, a *state.Act, hide func(o int64) bool) string {
	if a == nil {
		return ""
	}
	def := n.p.p.Actions[a.Action]
	switch t.Moment.Edge {
	case program.Start, program.During:
		if len(def.Says) > 0 {
			return n.act(n.p.text(def.Says, n.lang, ""), a, hide)
		}
	case program.End:
		return say(n.lang, "end-of", n.deed(a, hide))
	}
	return n.deed(a, hide)
}

// partWords joins what decided a condition.
func partWords(list []Deciding) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Words)
	}
	return strings.Join(out, "; ")
}

// refusedParts breaks the condition down that kept an act from being possible, in
// the state that a match is in.
func refusedParts(p *Program, m *run.Match, note *run.Note, n *namer) []Deciding {
	c := p.condition(note)
	if c == nil {
		return nil
	}
	a := note.Act
	if note.Inner != nil {
		a = note.Inner
	}
	e := m.Reader()
	e.Act = a
	if note.Cond <= run.GrantCond {
		e.You = int64(a.You)
		e.L = append(append([]state.Val(nil), a.Args...), state.Val{N: a.Roles[1].N})
	}
	j := &judge{n, e}
	if j.holds(c.Expr) {
		return nil // the state has moved on since
	}
	return j.deciding(c.Expr, true)
}
