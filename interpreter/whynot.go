package interpreter

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// WhyNot tells why something is not so: why an ability did not trigger, a keyword
// or value is not there, an effect does not reach an object, or an action can't be
// done.
type WhyNot struct {
	Sort       Subject  `json:"sort"`
	Object     string   `json:"object,omitempty"`
	What       string   `json:"what"`       // what was asked about: a header, a keyword, a value, an effect, an action
	So         bool     `json:"so"`         // it is so after all
	Sentence   string   `json:"sentence"`   // the answer in one sentence, for a player
	Statements []Used   `json:"statements"` // the statements of the rules that were used, with what each did
	Reasons    []Reason `json:"reasons"`    // all that was in the way, what decided first
}

// Subject says what a question is about.
type Subject string

// The subjects of questions.
const (
	AboutTrigger Subject = "trigger"
	AboutKeyword Subject = "keyword"
	AboutValue   Subject = "value"
	AboutEffect  Subject = "effect"
	AboutAction  Subject = "action"
)

// ReasonKind says what sort of thing was in the way.
type ReasonKind string

// The kinds of reason.
const (
	ReasonNone      ReasonKind = "none"      // nothing of the kind is there at all
	ReasonNoEvent   ReasonKind = "no-event"  // what it waits for did not happen
	ReasonCondition ReasonKind = "condition" // a condition was false
	ReasonRefused   ReasonKind = "refused"   // what it waits for was refused
	ReasonReplaced  ReasonKind = "replaced"  // something else came in the place of what it waits for
	ReasonZone      ReasonKind = "zone"      // the object was somewhere else
	ReasonLost      ReasonKind = "lost"      // the ability was not there
	ReasonLater     ReasonKind = "later"     // the ability comes only in a later layer
	ReasonGone      ReasonKind = "gone"      // the object, or its source, has left
	ReasonAmong     ReasonKind = "among"     // none of what happened fits
	ReasonLimit     ReasonKind = "limit"     // it has been used as often as it may be
	ReasonStopped   ReasonKind = "stopped"   // a rules effect kept it from triggering
	ReasonEnded     ReasonKind = "ended"     // the effect is over
	ReasonNotBegun  ReasonKind = "not-begun" // the effect's condition has never been true
	ReasonFilter    ReasonKind = "filter"    // the effect is not about the object
	ReasonOther     ReasonKind = "other"     // the effect does something else to it
	ReasonOverwrote ReasonKind = "overwritten"
	ReasonLocked    ReasonKind = "locked"
	ReasonProhibit  ReasonKind = "prohibit"   // a rules effect forbids it
	ReasonUnfit     ReasonKind = "impossible" // what it needs is not there
	ReasonPossible  ReasonKind = "possible"   // nothing is in the way
	ReasonSo        ReasonKind = "so"         // it is so
)

// Reason is one thing that was in the way.
type Reason struct {
	Kind   ReasonKind  `json:"kind"`
	Words  string      `json:"words"`
	Event  int         `json:"event,omitempty"`  // number of the log entry that it is about
	What   string      `json:"what,omitempty"`   // what that entry says
	Effect *EffectInfo `json:"effect,omitempty"` // the effect that did not do it
	By     *EffectInfo `json:"by,omitempty"`     // the effect that was in the way
	Layer  string      `json:"layer,omitempty"`
	Parts  []Deciding  `json:"parts,omitempty"` // the parts of a condition that decided
	Rules  []Ref       `json:"rules,omitempty"`
	Place  Place       `json:"place,omitzero"`

	decided []Ref     // of Rules, what put two effects in order
	act     int64     // of a trigger that fired: the act that it fired for
	spent   *run.Note // of a trigger that fired: its offer could not be used again
	rank    int       // how much it decided
	foreign int       // among reasons of one rank, the lower comes first
}

// WhyNotOptions say from where and by whom a question is asked.
type WhyNotOptions struct {
	Lang   string
	Viewer Viewer // a match only; in a case nothing is secret
	Since  int    // look only at what came after so many steps of a case, or decisions of a match
}

// scene is a moment that is asked about, with the way that led there.
type scene struct {
	p      *Program
	m      *run.Match
	n      *namer
	events []Event
	viewer Viewer
	first  int // number of the first log entry that counts
	// again goes through everything once more, telling a witness of it.
	again func(*witness) error
	text  func(*Event) string
	find  func(words string) (int, bool)
	all   func(words string) []ObjectInfo // all that the words can mean
	known []string

	over map[int32]ending // how effects ended, once somebody has asked
}

// ending is how an effect came to its end.
type ending struct {
	until *program.Moment
	words string // how long it lasted, or what ended it
}

// ending tells how an effect ended: which of its ends came.
func (s *scene) ending(i int32) ending {
	if s.over == nil {
		s.over = map[int32]ending{}
		s.again(&witness{note: func(m *run.Match, n run.Note, _ int) {
			if n.Kind == run.Ended {
				now := *s.n
				now.s = m.S
				s.over[n.Effect] = s.endingNow(m, &now, n.Effect)
			}
		}})
	}
	return s.over[i]
}

// endingNow finds which end of an effect has just come, among the moments that the
// match is looking at.
func (s *scene) endingNow(m *run.Match, n *namer, i int32) ending {
	x := &m.S.Effects[i]
	d := s.p.p.Effects[x.Def]
	if len(m.S.Stack) == 0 {
		return ending{}
	}
	e := m.ReaderAsIs()
	j := &judge{n, e}
	for k := range d.Until {
		mo := &d.Until[k]
		edge := mo.Edge
		if edge == program.During {
			edge = program.Start
		}
		for _, ev := range m.S.Stack[len(m.S.Stack)-1].Events {
			a := m.S.Acts[ev.Act]
			if int(a.Action) != mo.Action || ev.Edge != edge || mo.Next && a.Start <= x.Created {
				continue
			}
			m.Enter(e, i)
			e.Act = a
			if !j.holds(mo.Where) {
				continue
			}
			words := n.momentWords(m, i, mo)
			if words == "" {
				words = say(n.lang, "ended-with", n.deed(a, nil))
			} else {
				words = say(n.lang, "lasted", words)
			}
			return ending{mo, words}
		}
	}
	return ending{}
}

// witness is told of what happens as it happens again, with the match as it
// stands then.
type witness struct {
	note   func(m *run.Match, n run.Note, number int)
	judged func(m *run.Match, events []state.Event)
	tried  func(m *run.Match, a *state.Act)
}

// listen has a witness hear of a match, whose log is l.
func (w *witness) listen(m *run.Match, l *log) {
	if w == nil {
		return
	}
	if w.judged != nil {
		m.Judging = func(events []state.Event) { w.judged(m, events) }
	}
	if w.tried != nil {
		m.Tried = func(a *state.Act) { w.tried(m, a) }
	}
	if w.note == nil {
		return
	}
	old := m.Notes
	m.Notes = func(n run.Note) {
		old(n)
		w.note(m, n, len(l.events))
	}
}

// WhyNot answers why something is not so at this point of the case. The words are
// those of a question without "why not": an object and a header, keyword, effect or
// characteristic with a value ("A On Summon", "A might 5"), or an action with its
// roles ("take A by B"), all by the names that the rule data or the case gives.
func (r *CaseRun) WhyNot(words []string, o WhyNotOptions) (out *WhyNot, err error) {
	defer rescue(&err)
	first := 1
	for k, n := range r.steps {
		if k < o.Since {
			first = n + 1
		}
	}
	s := &scene{p: r.p, m: r.runner.M, n: r.namer(o.Lang), events: r.log.events, viewer: allSeeing, first: first, again: r.again,
		text:  func(e *Event) string { return r.Text(e, o.Lang) },
		find:  func(w string) (int, bool) { return r.Object(w, o.Lang) },
		all:   func(w string) []ObjectInfo { return r.Named(w, o.Lang) },
		known: r.Askable(o.Lang)}
	return s.ask(words)
}

// again plays the case once more, up to where it is.
func (r *CaseRun) again(w *witness) error {
	c, err := r.p.StartCase(r.c)
	if err != nil {
		return err
	}
	if told := w.note; told != nil {
		heard := *w
		heard.note = func(m *run.Match, n run.Note, number int) {
			if !c.trying {
				told(m, n, number)
			}
		}
		w = &heard
	}
	w.listen(c.runner.M, c.log)
	for c.next < r.next && c.More() {
		if _, err := c.Step(); err != nil {
			return err
		}
	}
	return nil
}

// WhyNot answers why something is not so now, for a viewer. It is asked as in a
// case; objects go by name, square or number.
func (m *Match) WhyNot(words []string, o WhyNotOptions) (out *WhyNot, err error) {
	defer rescue(&err)
	first := 1
	for i := range m.log.events {
		if m.log.events[i].Decision < o.Since {
			first = i + 2
		}
	}
	n := m.namer(o.Lang)
	if o.Viewer >= 0 {
		n = n.seenBy(m.run, o.Viewer)
	}
	s := &scene{p: m.prog, m: m.run, n: n, events: m.log.events, viewer: o.Viewer, first: first, again: m.again,
		text: func(e *Event) string { return m.Text(e, o.Lang, o.Viewer) },
		find: func(w string) (int, bool) {
			if list := m.Objects(w, o.Lang, o.Viewer); len(list) > 0 {
				return list[0].Object, true
			}
			return 0, false
		},
		all: func(w string) []ObjectInfo { return m.Objects(w, o.Lang, o.Viewer) }}
	for _, x := range m.Objects("", o.Lang, o.Viewer) {
		if name := x.Call(o.Lang); x.At != "" && !slices.Contains(s.known, name) {
			s.known = append(s.known, name)
		}
	}
	return s.ask(words)
}

// again plays the match once more, up to where it is.
func (m *Match) again(w *witness) error {
	if m.gap > 0 {
		return ErrIncomplete
	}
	opts := m.opts
	opts.Watch, opts.NoLog, opts.witness = nil, false, w
	_, err := m.prog.replay(context.Background(), opts, m.moves, false)
	return err
}

// refusalsTold keeps what refusals found for one point of view, as long as nothing
// has happened since.
type refusalsTold struct {
	lang   string
	viewer Viewer
	events int
	parts  map[int][]Deciding
}

// refusals breaks down the condition of every refusal so far, each in the state in
// which it came, by number of the log entry.
func refusals(p *Program, again func(*witness) error, namer func(m *run.Match) *namer) map[int][]Deciding {
	out := map[int][]Deciding{}
	again(&witness{note: func(m *run.Match, n run.Note, number int) { // as far as it gets
		if n.Kind == run.Refused {
			if parts := refusedParts(p, m, &n, namer(m)); parts != nil {
				out[number] = parts
			}
		}
	}})
	return out
}

// ask finds out what a question is about, and answers it.
func (s *scene) ask(words []string) (*WhyNot, error) {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	if len(words) == 0 {
		return nil, fmt.Errorf("%s", say(s.n.lang, "ask-what"))
	}
	if t, err := s.attempt(words); t != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return s.action(t, strings.Join(words, " ")), nil
	}
	// The longest name that is an object, then what is asked of it.
	for k := len(words) - 1; k > 0; k-- {
		if o, ok := s.find(strings.Join(words[:k], " ")); ok {
			if which := WhichOf(s.all(strings.Join(words[:k], " ")), s.n.lang); which != nil {
				return nil, fmt.Errorf("%s", say(s.n.lang, "which-one", strings.Join(which, ", ")))
			}
			return s.about(int32(o), strings.Join(words[k:], " "))
		}
	}
	if _, ok := s.find(strings.Join(words, " ")); ok {
		return nil, fmt.Errorf("%s", say(s.n.lang, "ask-of", strings.Join(words, " ")))
	}
	return nil, fmt.Errorf("%s", say(s.n.lang, "ask-begins", strings.Join(words, " "), strings.Join(s.known, ", ")))
}

// is reports whether words name a declaration, in the data or in any language.
func is(d *program.Decl, words string) bool {
	if strings.EqualFold(d.Name, words) {
		return true
	}
	for _, t := range d.Texts {
		if strings.EqualFold(t.Value, words) {
			return true
		}
	}
	return false
}

// about answers what is asked of an object.
func (s *scene) about(o int32, what string) (*WhyNot, error) {
	p := s.p.p
	for _, h := range p.Headers {
		if is(&h.Decl, what) {
			return s.trigger(o, s.p.textOf(&h.Decl, s.n.lang), func(w run.Watcher, t *program.Trigger) bool { return t.Header == h.Index })
		}
	}
	any := p.Actions[s.p.basic(program.BasicTrigger)].Name // stands for every header
	if strings.EqualFold(what, any) {
		if len(s.rulesOf(s.m, s.chain(o), nil)) > 0 && !s.watches(o, nil) {
			return s.rules(o, say(s.n.lang, "any-ability"), nil)
		}
		return s.trigger(o, say(s.n.lang, "any-ability"), func(run.Watcher, *program.Trigger) bool { return true })
	}
	ob := &s.m.S.Objects[o]
	for _, k := range p.Keywords {
		if ob.Entity == program.Card {
			if isKeyword(k, what) {
				return s.keyword(o, k, nil)
			}
			if args, ok := s.arguments(k, what); ok {
				return s.keyword(o, k, args)
			}
		}
		for i := range what { // the keyword's trigger: its name, then a header
			if what[i] != ' ' || !isKeyword(k, what[:i]) {
				continue
			}
			name, rest := s.n.keywordName(k), what[i+1:]
			if strings.EqualFold(rest, any) {
				if len(s.rulesOf(s.m, s.chain(o), k)) > 0 && !s.watches(o, k) {
					return s.rules(o, name, k)
				}
				return s.trigger(o, name, func(w run.Watcher, _ *program.Trigger) bool { return w.Keyword == k.Index })
			}
			for _, h := range p.Headers {
				if is(&h.Decl, rest) {
					return s.trigger(o, name+": "+s.p.textOf(&h.Decl, s.n.lang),
						func(w run.Watcher, t *program.Trigger) bool { return t.Header == h.Index && w.Keyword == k.Index })
				}
			}
		}
	}
	// A characteristic, with the value that it does not have.
	parts := strings.Fields(what)
	for k := len(parts); k > 0; k-- {
		ch := s.char(ob, strings.Join(parts[:k], " "))
		if ch == nil {
			continue
		}
		return s.value(o, ch, strings.Join(parts[k:], " "))
	}
	if list := s.effectsCalled(what); len(list) > 0 {
		return s.effects(o, what, list), nil
	}
	known := s.p.charNames(s.m, int64(o))
	for _, h := range p.Headers {
		known = append(known, h.Name)
	}
	for _, k := range p.Keywords {
		known = append(known, k.Name)
		if name := s.n.keywordName(k); name != k.Name {
			known = append(known, name)
		}
	}
	for k := len(parts); k > 0; k-- {
		if near := diag.Nearest(strings.Join(parts[:k], " "), known); near != "" && strings.Count(near, " ") == k-1 {
			return nil, fmt.Errorf("%s", say(s.n.lang, "ask-near", what, strings.Join(append([]string{near}, parts[k:]...), " ")))
		}
	}
	return nil, fmt.Errorf("%s", say(s.n.lang, "ask-unknown", what, strings.Join(s.p.charNames(s.m, int64(o)), ", ")))
}

// isKeyword reports whether words name a keyword, without its arguments.
func isKeyword(k *program.Keyword, words string) bool {
	if is(&k.Decl, words) {
		return true
	}
	for _, t := range k.Texts {
		if strings.EqualFold(bare(t.Value), words) {
			return true
		}
	}
	return false
}

// arguments reads words that name a keyword together with its arguments, as rule
// data or as a text for people has it.
func (s *scene) arguments(k *program.Keyword, words string) ([]state.Val, bool) {
	if len(k.Params) == 0 {
		return nil, false
	}
	written := k.Name
	for _, prm := range k.Params {
		written += " {" + prm.Name + "}"
	}
	templates := []string{written}
	for _, t := range k.Texts {
		templates = append(templates, t.Value)
	}
next:
	for _, t := range templates {
		var holes []string
		const mark = "\x00"
		form := regexp.QuoteMeta(fill(t, func(name string) (string, bool) {
			holes = append(holes, name)
			return mark, true
		}))
		found := regexp.MustCompile("(?i)^" + strings.ReplaceAll(form, mark, "(.+?)") + "$").FindStringSubmatch(words)
		if found == nil {
			continue
		}
		args := make([]state.Val, len(k.Params))
		for i, prm := range k.Params {
			at := slices.Index(holes, prm.Name)
			if at < 0 {
				continue next
			}
			v, ok := s.read(prm.Type, strings.TrimSpace(found[at+1]))
			if !ok {
				continue next
			}
			args[i] = v
		}
		return args, true
	}
	return nil, false
}

func (p *Program) basic(b program.Basic) int {
	for _, a := range p.p.Actions {
		if a.Basic == b {
			return a.Index
		}
	}
	return -1
}

func (s *scene) char(ob *state.Object, words string) *program.Char {
	if ch := s.p.char(ob, words); ch != nil {
		return ch
	}
	for _, c := range s.p.p.Chars {
		if c.Entity == ob.Entity && c.Action < 0 && is(&c.Decl, words) && s.p.char(ob, c.Name) == c {
			return c
		}
	}
	return nil
}

// finish orders the reasons, picks the one that decided, and words the answer.
func (s *scene) finish(w *WhyNot, lead string) *WhyNot {
	slices.SortStableFunc(w.Reasons, func(a, b Reason) int {
		switch {
		case a.rank != b.rank:
			return b.rank - a.rank
		case a.foreign != b.foreign:
			return a.foreign - b.foreign
		}
		return b.Event - a.Event // what came last first
	})
	u := &uses{p: s.p, lang: s.n.lang}
	if w.Reasons == nil {
		w.Reasons = []Reason{}
	}
	if len(w.Reasons) == 0 {
		w.Sentence = lead + say(s.n.lang, "stop")
		w.Statements = u.done()
		return w
	}
	top := &w.Reasons[0]
	w.So = top.Kind == ReasonSo
	words := top.Words
	// Several effects that stand in the way alike are all told.
	for i := 1; i < len(w.Reasons) && w.Sort != AboutTrigger && i < 4; i++ {
		if r := &w.Reasons[i]; r.rank == top.rank && r.Words != top.Words {
			words += "; " + r.Words
		}
	}
	if w.So {
		if often := s.often(w); often != "" {
			words = often
		}
		w.Sentence = words + ruleNumbers(top.Rules) + say(s.n.lang, "stop")
	} else {
		w.Sentence = say(s.n.lang, "not-for", lead, words) + ruleNumbers(top.Rules) + say(s.n.lang, "stop")
	}
	for i := range w.Reasons {
		r := &w.Reasons[i]
		if r.rank == top.rank {
			u.add(r.Words, append(s.p.about(r.Rules, 0, 0), r.decided...)...)
		}
	}
	w.Statements = u.done()
	return w
}

// often words that a trigger came more than once; "" where it did not.
func (s *scene) often(w *WhyNot) string {
	var at []string
	for i := len(w.Reasons) - 1; i >= 0; i-- { // the last comes first there
		if r := &w.Reasons[i]; r.Kind == ReasonSo && r.Event > 0 {
			at = append(at, strconv.Itoa(r.Event))
		}
	}
	if w.Sort != AboutTrigger || len(at) < 2 {
		return ""
	}
	text := say(s.n.lang, "did-trigger-often", w.Object, w.What, len(at), strings.Join(at, ", "))
	var spent []string
	var last *run.Note
	for i := len(w.Reasons) - 1; i >= 0; i-- {
		if r := &w.Reasons[i]; r.spent != nil {
			spent, last = append(spent, strconv.Itoa(r.Event)), r.spent
		}
	}
	if last != nil {
		text = say(s.n.lang, "spent-often", text, strings.Join(spent, ", "), s.n.limit(last.Limit, last.Most))
	}
	return text
}

// chain lists what an object was before it last became a new one, oldest first,
// itself last.
func (s *scene) chain(o int32) []int32 {
	out := []int32{o}
	for {
		before := int32(state.None)
		for i := range s.m.S.Objects {
			if s.m.S.Objects[i].Next == out[0] {
				before = int32(i)
			}
		}
		if before < 0 || len(out) > 1000 {
			return out
		}
		out = append([]int32{before}, out...)
	}
}

// The ranks of what kept an ability from triggering: how far it came.
const (
	farNothing = iota
	farNoEvent
	farCondition
	farRefused
	farZone
	farLost
	farAmong
	farLimit
	farStopped
	farSo
)

// trigger answers why an ability did not trigger: every moment that it waits for
// is held against it once more, in the state in which it was judged.
func (s *scene) trigger(o int32, what string, wanted func(run.Watcher, *program.Trigger) bool) (*WhyNot, error) {
	p := s.p.p
	out := &WhyNot{Sort: AboutTrigger, Object: s.n.precise(int64(o)), What: what}
	chain := s.chain(o)
	had := false
	moments := map[[2]int]bool{} // action and edge that it waits for
	var refused []run.Note
	var numbers []int
	last := map[int64]int{} // number of the last log entry about an act
	fired := map[int32]bool{}
	now := func(m *run.Match) *namer {
		n := *s.n
		n.s = m.S
		return &n
	}
	w := &witness{}
	w.note = func(m *run.Match, n run.Note, number int) {
		if n.Act != nil && n.Kind != run.Fired && n.Kind != run.Resolved {
			last[n.Act.ID] = number
		}
		if number < s.first {
			return
		}
		switch n.Kind {
		case run.Fired:
			for _, c := range chain {
				if c == n.Self {
					tr := p.Triggers[n.Trigger]
					for _, wt := range m.Watchers(c) {
						if wt.Trigger == int(n.Trigger) && wanted(wt, tr) && !fired[int32(number)] {
							fired[int32(number)] = true
							out.Reasons = append(out.Reasons, Reason{Kind: ReasonSo, Words: say(s.n.lang, "did-trigger", now(m).object(int64(c)), what, number, now(m).moment(tr, n.Act, s.n.hidden)),
								Event: number, What: s.logText(number), rank: farSo, act: firedBy(&n), Rules: refs(s.p.triggerCites(int(n.Trigger))...), Place: placeOf(tr.Span)})
						}
					}
				}
			}
		case run.Spent:
			for _, c := range chain {
				for i := len(out.Reasons) - 1; i >= 0 && c == n.Self && n.Act != nil; i-- {
					if r := &out.Reasons[i]; r.Kind == ReasonSo && r.act == n.Act.ID && r.spent == nil {
						note := n
						r.spent = &note
						r.Words = say(s.n.lang, "spent-so", r.Words, s.n.limit(n.Limit, n.Most))
						r.Rules = append(r.Rules, refs(n.Limit.Cite)...)
						break
					}
				}
			}
		case run.Replaced:
			s.refusedMoment(m, &n, number, chain, wanted, what, out, now(m))
		case run.Refused:
			refused, numbers = append(refused, n), append(numbers, number)
			s.refusedMoment(m, &n, number, chain, wanted, what, out, now(m))
		}
	}
	w.judged = func(m *run.Match, events []state.Event) {
		for _, c := range chain {
			if int(c) >= len(m.S.Objects) {
				continue
			}
			for _, wt := range m.Watchers(c) {
				tr := p.Triggers[wt.Trigger]
				if !wanted(wt, tr) {
					continue
				}
				had = true
				edge := tr.Moment.Edge
				if edge == program.During {
					edge = program.Start
				}
				moments[[2]int{tr.Moment.Action, int(edge)}] = true
				for _, ev := range events {
					a := m.S.Acts[ev.Act]
					if int(a.Action) != tr.Moment.Action || ev.Edge != edge || last[ev.Act] < s.first {
						continue
					}
					if r := s.judge(m, now(m), c, wt, tr, ev, events, refused, numbers, what); r != nil {
						r.Event, r.What = last[ev.Act], s.logText(last[ev.Act])
						out.Reasons = append(out.Reasons, *r)
					}
				}
			}
		}
	}
	if err := s.again(w); err != nil {
		return nil, err
	}
	for _, c := range chain { // also where nothing has happened at all
		for _, wt := range s.m.Watchers(c) {
			tr := p.Triggers[wt.Trigger]
			if !wanted(wt, tr) {
				continue
			}
			had = true
			if len(out.Reasons) == 0 {
				r := Reason{Kind: ReasonNoEvent, rank: farNoEvent, Rules: refs(s.p.triggerCites(wt.Trigger)...), Place: placeOf(tr.Span)}
				r.Words = say(s.n.lang, "no-moment", s.moment(tr))
				out.Reasons = append(out.Reasons, r)
			}
		}
	}
	if !had {
		r := Reason{Kind: ReasonNone, Words: say(s.n.lang, "no-such-ability", s.n.object(int64(o)), what), rank: farNothing}
		if what == say(s.n.lang, "any-ability") {
			r.Words = say(s.n.lang, "no-trigger", s.n.object(int64(o)))
		}
		out.Reasons = append(out.Reasons, r)
	}
	lead := say(s.n.lang, "not-triggered", out.Object, what)
	if what == say(s.n.lang, "any-ability") {
		lead = say(s.n.lang, "none-triggered", out.Object)
	}
	return s.finish(out, lead), nil
}

// firedBy is the act that a trigger fired for.
func firedBy(n *run.Note) int64 {
	if n.Act == nil {
		return state.None
	}
	return n.Act.ID
}

// moment words what a trigger waits for: as its own text does, or the action that it
// names, with the condition as it is written.
func (s *scene) moment(tr *program.Trigger) string {
	if tr.Header >= 0 {
		return s.actionWords(tr.Moment.Action)
	}
	if text, ok := s.p.Wording().g.Moment(tr.Span, s.n.lang); ok {
		return text
	}
	if tr.Moment.Where == nil {
		return s.actionWords(tr.Moment.Action)
	}
	return say(s.n.lang, "moment-as-written", s.actionWords(tr.Moment.Action), sourceLine(tr.Moment.Span, 160))
}

// actionWords words an action with dots for its roles.
func (s *scene) actionWords(i int) string {
	a := s.p.p.Actions[i]
	t := s.p.text(a.Texts, s.n.lang, "")
	if ph := s.p.phrase(a.Name); t == "" && ph != nil {
		t = s.p.textOf(&ph.Decl, s.n.lang)
	}
	if t != "" {
		text := fillIn(t, func(name string) (string, bool) {
			for _, r := range a.Roles {
				if r.Name == name {
					return "…", true
				}
			}
			return "", false
		})
		return text
	}
	return a.Name
}

func (s *scene) logText(number int) string {
	if number < 1 || number > len(s.events) {
		return ""
	}
	e := &s.events[number-1]
	if e.Hidden(s.viewer) {
		return ""
	}
	if text := s.text(e); text != "" || e.note.Act == nil {
		return text
	}
	return s.n.deed(e.note.Act, nil)
}

// conditions are the conditions on the action of a trigger's moment.
func conditions(tr *program.Trigger) []*program.Node {
	var out []*program.Node
	for _, c := range []*program.Node{tr.Moment.Where, tr.Where} {
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// judge holds one moment against one ability, in the state in which it came. It
// returns nil where the ability triggered, which the log tells.
func (s *scene) judge(m *run.Match, n *namer, c int32, wt run.Watcher, tr *program.Trigger, ev state.Event, events []state.Event, refused []run.Note, numbers []int, what string) *Reason {
	p := s.p.p
	ob := &m.S.Objects[c]
	lang := n.lang
	e := m.Reader()
	enter := func() {
		if wt.Effect >= 0 {
			m.Enter(e, wt.Effect)
			e.Hits, e.Act = nil, m.S.Acts[ev.Act]
			return
		}
		e.Self, e.You, e.L, e.Hits, e.Act = int64(c), int64(ob.Controller), wt.Frame, nil, m.S.Acts[ev.Act]
	}
	enter()
	j := &judge{n, e}
	r := &Reason{Rules: refs(tr.Cite), Place: placeOf(tr.Span)}
	leaves := false // it left in the same moments, so that it looks back
	for _, x := range events {
		b := m.S.Acts[x.Act]
		leaves = leaves || p.Actions[b.Action].Basic == program.BasicMove && x.Edge == program.Done && b.Roles[0].N == int64(c) && ob.Gone
	}
	for _, cond := range conditions(tr) {
		if !j.holds(cond) {
			r.Parts = append(r.Parts, j.deciding(cond, true)...)
			if cond == tr.Moment.Where {
				r.Rules = append(r.Rules, refs(tr.Moment.Cite)...)
			}
		}
	}
	if ob.Gone && !leaves {
		return nil // it is something else by now, which is judged by itself
	}
	if len(r.Parts) > 0 {
		r.Kind, r.rank = ReasonCondition, farCondition
		for _, d := range r.Parts {
			if d.foreign {
				r.foreign++
			}
		}
		r.Words = partWords(r.Parts)
		return r
	}
	if wt.Effect >= 0 {
		x := &m.S.Effects[wt.Effect]
		d := p.Effects[x.Def]
		by := n.by(m, wt.Effect, int64(c))
		r.Effect = s.p.effect(m, wt.Effect, -1, n)
		r.Rules = append(r.Rules, r.Effect.Rules...)
		switch {
		case x.Ended:
			r.Kind, r.rank, r.Words = ReasonEnded, farLost, say(lang, "ended", by)
			return r
		case d.While != nil && !j.holds(d.While):
			r.Parts = j.deciding(d.While, true)
			r.Kind, r.rank, r.Words = ReasonCondition, farLost, say(lang, "needs-that", by, partWords(r.Parts))
			return r
		}
	} else if tr.In != int(ob.Zone) {
		r.Kind, r.rank = ReasonZone, farZone
		r.Words = say(lang, "not-in-zone", n.object(int64(c)), n.object(int64(-2-ob.Zone)), s.zone(tr.In))
		return r
	}
	if wt.Bit >= 0 && m.Abilities(c)>>wt.Bit&1 == 0 {
		r.Kind, r.rank = ReasonLost, farLost
		s.lost(m, n, c, wt.Bit, wt.Grant, r)
		return r
	}
	if tr.Among != nil {
		list := append([]int64(nil), e.C.List(tr.Among)(e)...)
		hits := 0
		for _, id := range list {
			e.Act = m.S.Acts[id]
			var parts []Deciding
			for _, cond := range tr.AmongWhere {
				if !j.holds(cond) {
					parts = append(parts, j.deciding(cond, true)...)
				}
			}
			if len(parts) == 0 {
				hits++
			}
			r.Parts = append(r.Parts, parts...)
		}
		enter()
		if hits == 0 {
			r.Kind, r.rank = ReasonAmong, farAmong
			r.Rules = append(r.Rules, refs(tr.AmongCite)...)
			switch {
			case len(list) > 0:
				r.Words = say(lang, "none-fits", partWords(r.Parts))
			default:
				r.Words = say(lang, "nothing-in", j.term(tr.Among))
				for i := len(refused) - 1; i >= 0; i-- { // what was refused inside it
					if x := &refused[i]; gathered(p, m, ev.Act, x.Act, tr.Among) {
						why := s.refusalWords(m, n, x, numbers[i])
						r.Words = say(lang, "refused-in", n.deed(x.Act, nil), why.Words)
						r.By, r.Parts = why.By, why.Parts
						r.Rules = append(r.Rules, why.Rules...)
						break
					}
				}
			}
			return r
		}
	}
	if l, most := m.UsedUp(e, wt.Trigger, c, ev); l != nil {
		r.Kind, r.rank = ReasonLimit, farLimit
		r.Words = say(lang, "used-up", n.limit(l, most))
		r.Rules = append(r.Rules, refs(l.Cite)...)
		return r
	}
	return nil
}

// zone words a zone by number.
func (s *scene) zone(z int) string {
	if z < 0 {
		return say(s.n.lang, "nothing")
	}
	return s.p.textOf(&s.p.p.Zones[z].Decl, s.n.lang)
}

// gathered reports whether an act that was refused would have been among what
// another one gathers, as a trigger looks for it.
func gathered(p *program.Program, m *run.Match, of int64, a *state.Act, among *program.Node) bool {
	wanted := -1
	among.Walk(func(k *program.Node) {
		if k.T.Base == program.IsHappening && k.T.Several {
			wanted = k.T.ID
		}
	})
	if int(a.Action) != wanted {
		return false
	}
	for id := a.Parent; id >= 0 && int(id) < len(m.S.Acts); id = m.S.Acts[id].Parent {
		if id == of {
			return true
		}
	}
	return false
}

// refusalWords words why an act was refused, in the state in which it was.
func (s *scene) refusalWords(m *run.Match, n *namer, note *run.Note, number int) Reason {
	r := Reason{Kind: ReasonRefused, Event: number, What: s.logText(number)}
	l := &log{p: s.p, m: m, players: n.players, called: n.called}
	l.note(*note)
	e := &l.events[0]
	r.Rules = e.Rules
	switch {
	case note.Effect >= 0:
		r.Kind = ReasonProhibit
		r.By = s.p.effect(m, note.Effect, note.Op, n)
		r.Words = say(n.lang, "forbidden-by", n.by(m, note.Effect, -1)) + n.until(m, note.Effect)
		if d := s.p.p.Effects[m.S.Effects[note.Effect].Def]; d.While != nil {
			e := m.Reader()
			m.Enter(e, note.Effect)
			if j := (&judge{n, e}); j.holds(d.While) {
				r.Parts = j.deciding(d.While, false)
				r.Words = say(n.lang, "while-so", r.Words, partWords(r.Parts))
			}
		}
		r.Place = r.By.Place
	default:
		r.Kind = ReasonUnfit
		if c := s.p.condition(note); c != nil {
			r.Place = placeOf(c.Expr.Span)
		}
		r.Parts = refusedParts(s.p, m, note, n)
		if r.Words = n.reason(note, n.hidden); r.Words != "" {
			break
		}
		if len(r.Parts) > 0 {
			r.Words = partWords(r.Parts)
		} else {
			r.Words = refusal(s.p, m, e, n, nil)
			return r
		}
	}
	if note.Inner != nil {
		r.Words = say(n.lang, "needs-deed", n.deed(note.Inner, nil), r.Words)
	}
	return r
}

// refusedMoment tells of an act that was refused or replaced and would have been what an
// ability waits for.
func (s *scene) refusedMoment(m *run.Match, note *run.Note, number int, chain []int32, wanted func(run.Watcher, *program.Trigger) bool, what string, out *WhyNot, n *namer) {
	for _, c := range chain {
		if int(c) >= len(m.S.Objects) || m.S.Objects[c].Gone {
			continue
		}
		for _, wt := range m.Watchers(c) {
			tr := s.p.p.Triggers[wt.Trigger]
			if !wanted(wt, tr) {
				continue
			}
			stopped := s.p.p.Actions[note.Act.Action].Basic == program.BasicTrigger && note.Act.Roles[1].N == int64(c) && note.Act.Roles[0].N == int64(tr.Header)
			if !stopped && int(note.Act.Action) != tr.Moment.Action {
				continue
			}
			e := m.Reader()
			e.Self, e.You, e.L, e.Act = int64(c), int64(m.S.Objects[c].Controller), wt.Frame, note.Act
			j := &judge{n, e}
			fits := true // as far as it can be told of what did not happen: it is about the object
			for _, cond := range conditions(tr) {
				if stopped || j.holds(cond) {
					continue
				}
				for _, d := range j.deciding(cond, true) {
					fits = fits && !d.foreign
				}
			}
			if !fits {
				continue
			}
			if note.Kind == run.Replaced {
				by := s.p.effect(m, note.Effect, note.Op, n)
				out.Reasons = append(out.Reasons, Reason{Kind: ReasonReplaced, rank: farRefused, Event: number, What: s.logText(number), By: by, Rules: by.Rules,
					Place: by.Place, Words: say(n.lang, "moment-replaced", n.deed(note.Act, nil), n.by(m, note.Effect, -1))})
				return
			}
			r := s.refusalWords(m, n, note, number)
			if stopped {
				r.Kind, r.rank = ReasonStopped, farStopped
			} else {
				r.Kind, r.rank = ReasonRefused, farRefused
				r.Words = say(n.lang, "moment-refused", n.deed(note.Act, nil), r.Words)
			}
			out.Reasons = append(out.Reasons, r)
			return
		}
	}
}

// abilityTrace finds what takes abilities of one object away.
type abilityTrace struct {
	layers.Silent
	p    *program.Program
	m    *run.Match
	o    int64
	bit  int
	by   int32
	op   int
	at   int
	from int
}

// Applied implements layers.Trace.
func (t *abilityTrace) Applied(l int, effect int32, op int, o int64, ch *program.Char, _, before, after int64) {
	if o != t.o {
		return
	}
	d := t.p.Effects[t.m.S.Effects[effect].Def]
	copies := op >= 0 && op < len(d.Ops) && d.Ops[op].Verb == program.VerbCopy && t.bit < t.from
	gone := ch.Fact == program.FactAbilities && uint64(before)>>t.bit&1 != 0 && uint64(after)>>t.bit&1 == 0
	if copies || gone {
		t.by, t.op, t.at = effect, op, l
	}
}

// lost tells what an ability was lost by, or why nothing gives it any more.
func (s *scene) lost(m *run.Match, n *namer, o int32, bit, grant int, r *Reason) {
	card := m.S.Objects[o].Def
	t := &abilityTrace{p: s.p.p, m: m, o: int64(o), bit: bit, by: state.None, from: len(s.p.p.Cards[card].Abilities)}
	m.Trace(t)
	if t.by >= 0 {
		r.By = s.p.effect(m, t.by, int32(t.op), n)
		r.Layer = s.p.textOf(&s.p.p.Layers[t.at].Decl, n.lang)
		r.Words = say(n.lang, "ability-lost", n.object(int64(o)), n.by(m, t.by, -1), r.By.Timestamp)
		r.Rules = append(r.Rules, r.By.Rules...)
		r.Rules = append(r.Rules, s.p.about(refs(s.p.p.Layers[t.at].Cite), 0, 0)...)
		return
	}
	if grant >= 0 {
		g := &m.S.Grants[grant]
		r.By = s.p.effect(m, g.Effect, g.Op, n)
		key := "ability-given-no-more"
		if m.S.Effects[g.Effect].Ended {
			key = "ability-given-ended"
		}
		r.Words = say(n.lang, key, n.object(int64(o)), n.by(m, g.Effect, -1))
		r.Rules = append(r.Rules, r.By.Rules...)
		return
	}
	r.Words = say(n.lang, "ability-gone", n.object(int64(o)))
	if !m.S.Objects[o].Gone {
		return
	}
	// Of one that has left, the layers tell nothing any more; an effect that names
	// it still says so.
	for i := range m.S.Effects {
		x := &m.S.Effects[i]
		d := s.p.p.Effects[x.Def]
		for k := range d.Ops {
			op := &d.Ops[k]
			takes := op.Char >= 0 && s.p.p.Chars[op.Char].Fact == program.FactAbilities && (op.Verb == program.VerbStrip || op.Verb == program.VerbRemove)
			if takes && x.Stamp > 0 && !x.Ended && slices.Contains(x.Objects, int64(o)) {
				r.By = s.p.effect(m, int32(i), int32(k), n)
				r.Words = say(n.lang, "ability-lost", n.object(int64(o)), n.by(m, int32(i), -1), x.Stamp)
				r.Rules = append(r.Rules, r.By.Rules...)
			}
		}
	}
}
