package interpreter

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/cases"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Case is a test of the rules, written in the language itself.
type Case struct {
	ID     string  `json:"id"`
	Title  string  `json:"title,omitempty"`
	Status string  `json:"status"`
	Covers []Cover `json:"covers"`
	// Under names the choices of readings under which the case is played, where it
	// says any: it shows what its statements come to then.
	Under []string `json:"under,omitempty"`
	// Kept says why the case is not for other programs, where it says so itself.
	Kept  string `json:"kept,omitempty"`
	Steps int    `json:"steps"`
	Place Place  `json:"place"`
	c     *program.Case
}

// Draft is the status of a case that nobody has confirmed.
const Draft = "draft"

// Cover is a statement that a case speaks to.
type Cover struct {
	Ref
	Confirms bool `json:"confirms"` // else it refutes: it shows where the statement ends
}

// Cases lists the cases in the order of their files.
func (p *Program) Cases(lang string) []Case {
	var out []Case
	for _, c := range p.p.Cases {
		k := Case{ID: c.ID, Title: p.text(c.Texts, lang, ""), Status: c.Status, Covers: []Cover{}, Under: under(c), Kept: c.Kept, Steps: len(c.Script), Place: placeOf(c.Span), c: c}
		for _, cv := range c.Covers {
			k.Covers = append(k.Covers, Cover{Ref{cv.Ref.Rule, cv.Ref.Key}, cv.Confirms})
		}
		out = append(out, k)
	}
	return out
}

// under lists the choices of readings under which a case is played.
func under(c *program.Case) []string {
	var out []string
	for _, u := range c.Under {
		out = append(out, u.Choice)
	}
	return out
}

// engine is the engine that plays a case: the program's own, or one with the
// readings switched that the case names.
func (p *Program) engine(c *program.Case) *run.Engine {
	q := *p.p
	for _, u := range c.Under {
		q.Options.Set(u.Switch, u.Choice)
	}
	if reflect.DeepEqual(q.Options, p.p.Options) {
		return p.en
	}
	key := fmt.Sprint(q.Options)
	p.switched.Lock()
	defer p.switched.Unlock()
	if en := p.switched.engines[key]; en != nil {
		return en
	}
	if p.switched.engines == nil {
		p.switched.engines = map[string]*run.Engine{}
	}
	en := run.New(&q)
	p.switched.engines[key] = en
	return en
}

// switched are the engines with other readings, made as cases ask for them.
type switched struct {
	sync.Mutex
	engines map[string]*run.Engine
}

// Case returns the case with an ID.
func (p *Program) Case(id, lang string) (Case, bool) {
	for _, c := range p.Cases(lang) {
		if c.ID == id {
			return c, true
		}
	}
	return Case{}, false
}

// Failure is one thing that came out otherwise than a case says.
type Failure struct {
	Code  string `json:"code"`
	Want  string `json:"want,omitempty"`
	Got   string `json:"got,omitempty"`
	Line  string `json:"line"` // of the case, as written
	Place Place  `json:"place"`
	Rules []Ref  `json:"rules,omitempty"`
	Mend  string `json:"mend,omitempty"` // a line that would mend it: an answer to what was asked
}

// What Failure.Got says where nothing of the kind that a question is about came of
// the line before it.
const (
	GotNone      = cases.NoneOfKind
	GotNoneSince = cases.NoneSince // an earlier line led to it
)

// Result is what came of a case.
type Result struct {
	Case     Case      `json:"case"`
	Failures []Failure `json:"failures"`
	run      *CaseRun
}

// Passed reports whether everything came out as the case says.
func (r *Result) Passed() bool { return len(r.Failures) == 0 }

// Run is the case as it was played, to ask for what happened.
func (r *Result) Run() *CaseRun { return r.run }

// CaseRun is a case being played.
type CaseRun struct {
	p      *Program
	c      Case
	runner *cases.Runner
	log    *log
	next   int
	steps  []int // length of the log after each step
	trying bool  // the step under way only tries something out

	parts map[string]map[int][]Deciding // by language: see refusals
}

// RunCase plays a case to its end.
func (p *Program) RunCase(ctx context.Context, c Case) (*Result, error) {
	r, err := p.StartCase(c)
	if err != nil {
		return nil, err
	}
	for r.More() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := r.Step(); err != nil {
			return nil, err
		}
	}
	return r.Finish(), nil
}

// StartCase sets up what a case starts from.
func (p *Program) StartCase(c Case) (r *CaseRun, err error) { return p.startCase(c, nil) }

// startCase sets a case up; what its script leaves open, pick answers, if it is there.
func (p *Program) startCase(c Case, pick Pick) (r *CaseRun, err error) {
	defer rescue(&err)
	if c.c == nil {
		return nil, fmt.Errorf("case %q is not of these rules", c.ID)
	}
	r = &CaseRun{p: p, c: c, runner: cases.Improvising(p.engine(c.c), c.c, pick)}
	r.log = &log{p: p, m: r.runner.M, called: r.name}
	for _, n := range r.runner.Notes {
		r.log.note(n)
	}
	r.listen()
	return r, nil
}

func (r *CaseRun) listen() {
	old := r.runner.M.Notes
	r.runner.M.Notes = func(n run.Note) {
		if old != nil {
			old(n)
		}
		r.log.m = r.runner.M
		r.log.note(n)
	}
}

// name is what the case calls an object, with what it became.
func (r *CaseRun) name(o int64) string {
	if o < 0 || o == 1 || o == 2 {
		return ""
	}
	s := r.runner.M.S
	for i, t := range r.c.c.Types {
		if t.Base != program.IsObject || t.Several || i >= len(r.c.c.Names) || r.c.c.Names[i] == "" {
			continue
		}
		v, ok := r.runner.Local(r.c.c.Names[i])
		if !ok {
			continue
		}
		for k := o; ; {
			if v.N == k {
				return r.c.c.Names[i]
			}
			if k < 0 || int(k) >= len(s.Objects) || s.Objects[k].Next < 0 {
				break
			}
			k = int64(s.Objects[k].Next)
		}
	}
	return ""
}

// StepInfo is one step of a case's script.
type StepInfo struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`   // as written; the end of a window says of which
	Place  Place  `json:"place"`
	Ends   bool   `json:"ends,omitempty"` // a window ends, whose beginning is at Place
	Events []Event
}

// More reports whether steps are left.
func (r *CaseRun) More() bool { return r.next < len(r.c.c.Script) && !r.runner.Stopped() }

// AskedValue is the object and the characteristic that the next step asks for, where
// it asks for nothing else.
func (r *CaseRun) AskedValue() (object int, characteristic string, ok bool) {
	if !r.More() {
		return 0, "", false
	}
	o, ch, ok := r.runner.Asked(r.next)
	return int(o), ch, ok
}

// Step plays the next step.
func (r *CaseRun) Step() (info StepInfo, err error) {
	defer rescue(&err)
	if !r.More() {
		return StepInfo{}, fmt.Errorf("the case has no more steps")
	}
	i := r.next
	r.next++
	from := len(r.log.events)
	st := &r.c.c.Script[i]
	r.trying = st.Kind == program.StepRepair
	r.runner.Play(i)
	r.trying = false
	if st.Kind == program.StepRepair { // tried on a copy, whose objects and effects the case does not have
		for k := range r.log.events[from:] {
			r.log.events[from+k].copy = r.log.m
		}
		r.log.m = r.runner.M
	}
	r.steps = append(r.steps, len(r.log.events))
	r.parts = nil
	text := statementLine(st.Span)
	switch st.Kind {
	case program.StepOpen:
		text = "during " + text
	case program.StepClose:
		text = "end of " + text
	}
	return StepInfo{Number: i + 1, Text: text, Place: placeOf(st.Span), Ends: st.Kind == program.StepClose, Events: r.log.events[from:]}, nil
}

// Reload saves the state of the case and goes on from what was loaded again.
func (r *CaseRun) Reload() (err error) {
	defer rescue(&err)
	data, err := encode(r.runner.M.S)
	if err != nil {
		return err
	}
	s := &state.State{}
	if err := json.Unmarshal(data, s); err != nil {
		return err
	}
	r.runner.Reload(s)
	r.log.m = r.runner.M
	return nil
}

// statementLine is the source of a step, blank lines and indentation cut.
func statementLine(s source.Span) string {
	text := sourceLine(s, 200)
	return strings.TrimSpace(text)
}

// Finish closes the case and returns what came of it.
func (r *CaseRun) Finish() *Result {
	res := r.runner.Finish()
	out := &Result{Case: r.c, Failures: []Failure{}, run: r}
	for _, f := range res.Failures {
		fail := Failure{Code: f.Code, Want: f.Want, Got: f.Got, Place: placeOf(f.Span), Line: clause(f.Span, 160), Mend: f.Line}
		for _, ref := range f.Rule {
			fail.Rules = append(fail.Rules, Ref{ref.Rule, ref.Key})
		}
		out.Failures = append(out.Failures, fail)
	}
	return out
}

// Events returns what has happened so far.
func (r *CaseRun) Events() []Event { return r.log.events }

// Text words an event.
func (r *CaseRun) Text(e *Event, lang string) string {
	return eventText(r.p, r.where(e), e, lang, allSeeing)
}

// Ability is the rules text of the ability that a trigger is.
func (r *CaseRun) Ability(e *Event, lang string) string {
	return abilityText(r.p, r.where(e), e, lang)
}

// Cause tells why an event came about.
func (r *CaseRun) Cause(e *Event, lang string) *Cause {
	var parts []Deciding
	if e.Kind == Refused {
		if r.parts[lang] == nil {
			if r.parts == nil {
				r.parts = map[string]map[int][]Deciding{}
			}
			r.parts[lang] = refusals(r.p, r.again, func(m *run.Match) *namer {
				n := r.namer(lang)
				n.s = m.S
				return n
			})
		}
		parts = r.parts[lang][e.Number]
	}
	return causeOf(r.p, r.where(e), e, lang, allSeeing, parts)
}

// allSeeing is who reads a case: nothing in it is secret.
const allSeeing Viewer = -1

// where is the match that an event happened in.
func (r *CaseRun) where(e *Event) *run.Match {
	if e.copy != nil {
		return e.copy
	}
	return r.runner.M
}

// View returns what everyone sees of the case's board.
func (r *CaseRun) View(lang string) *View {
	return viewOf(r.p, r.runner.M, r.namer(lang), Everyone)
}

func (r *CaseRun) namer(lang string) *namer {
	return &namer{p: r.p, s: r.runner.M.S, lang: lang, called: r.name}
}

// Object finds an object by what the case calls it, or by its card's name.
func (r *CaseRun) Object(words, lang string) (int, bool) {
	if v, ok := r.runner.Local(words); ok && v.L == nil && v.N >= 0 {
		o := v.N
		for r.runner.M.S.Objects[o].Next >= 0 {
			o = int64(r.runner.M.S.Objects[o].Next)
		}
		return int(o), true
	}
	list := objectsOf(r.p, r.runner.M, r.namer(lang), words, Everyone)
	if len(list) == 0 {
		return 0, false
	}
	return list[0].Object, true
}

// Named finds objects by what the case calls them, or by name as in a match: several,
// where the words say no more.
func (r *CaseRun) Named(words, lang string) []ObjectInfo {
	list := objectsOf(r.p, r.runner.M, r.namer(lang), words, Everyone)
	if o, ok := r.Object(words, lang); ok && (len(list) == 0 || r.isLocal(words)) {
		n := r.namer(lang)
		return []ObjectInfo{{Object: o, Name: n.object(int64(o)), At: n.where(int64(o))}}
	}
	return list
}

// isLocal reports whether the case calls something so.
func (r *CaseRun) isLocal(words string) bool {
	_, ok := r.runner.Local(words)
	return ok
}

// Askable lists by what names objects can be asked about: those that the case gives,
// and the tokens with what they lie on.
func (r *CaseRun) Askable(lang string) []string {
	out := r.Objects()
	for _, o := range objectsOf(r.p, r.runner.M, r.namer(lang), "", Everyone) {
		if o.on != "" {
			out = append(out, o.Call(lang))
		}
	}
	return out
}

// Objects lists what the case calls objects.
func (r *CaseRun) Objects() []string {
	var out []string
	for i, t := range r.c.c.Types {
		if t.Base == program.IsObject && !t.Several && i < len(r.c.c.Names) && r.c.c.Names[i] != "" {
			out = append(out, r.c.c.Names[i])
		}
	}
	return out
}

// Explain tells why a characteristic of an object has its value at this point
// of the case.
func (r *CaseRun) Explain(object int, characteristic, lang string) (*Explanation, error) {
	x, err := explain(r.p, r.runner.M, r.namer(lang), object, characteristic)
	if err != nil {
		return nil, err
	}
	for i := range x.Readings { // as the case has them
		rd := &x.Readings[i]
		for _, u := range r.c.c.Under {
			if k := slices.Index(rd.Others, u.Choice); k >= 0 && rd.Switch == u.Switch {
				rd.Others[k], rd.Value = rd.Value, u.Choice
			}
		}
	}
	return x, nil
}
