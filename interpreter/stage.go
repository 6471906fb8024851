package interpreter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/internal/cases"
	"github.com/momon-rules/momon/interpreter/internal/export"
)

// Stage plays exported cases by rules that it keeps parsed: each case is told in
// the rule language again and stands on the rules as a folder of its own. It is not
// safe for several goroutines.
type Stage struct {
	folders []Folder
	opts    Options
	rules   *Program
}

// Answer is what came of a question of an exported case.
type Answer struct {
	Step   int `json:"step"` // from 1
	Answer any `json:"answer"`
}

// StageError says what is wrong with an exported case, as far as the rules can
// tell: Code is case for one that can't be told, rules for one that the rules do not
// take, decision for an answer that is missing, does not fit, or was not asked for,
// and loop for rules that go on without end.
type StageError struct {
	Code string
	Step int // 0 where it is not known
	Text string
}

func (e *StageError) Error() string { return e.Text }

// NewStage makes a stage of folders of rules. Cases in them are left out: what
// those need beside the rules, such as tokens, stays.
func NewStage(sources []Source, opts Options) (*Stage, []*diag.Diagnostic, error) {
	var folders []Folder
	for _, src := range sources {
		names, err := ruleFiles(src.FS)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", src.Name, err)
		}
		f := Folder{Name: src.Name}
		for _, name := range names {
			data, _, err := readRules(src.FS, name)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", src.Name, err)
			}
			file := ParseFile(path.Join(src.Name, name), string(data))
			f.Files = append(f.Files, file.Only(func(d *grammar.Decl) bool { return d.Case == nil }))
		}
		folders = append(folders, f)
	}
	return StageOf(folders, opts)
}

// StageOf is NewStage for a program that holds the files itself. Cases in them are
// read too.
func StageOf(folders []Folder, opts Options) (*Stage, []*diag.Diagnostic, error) {
	a := Analyse(folders, opts)
	if a.Program == nil {
		return nil, a.Diags, ErrRules
	}
	return &Stage{folders: folders, opts: opts, rules: a.Program}, a.Diags, nil
}

// Analyse checks folders that stand on the rules of the stage.
func (s *Stage) Analyse(folders ...Folder) *Analysis {
	return Analyse(append(s.folders[:len(s.folders):len(s.folders)], folders...), s.opts)
}

// Rules is the program of the rules alone.
func (s *Stage) Rules() *Program { return s.rules }

// Tell tells an exported case in the rule language.
func (s *Stage) Tell(data json.RawMessage) (string, error) {
	text, err := export.Retell(s.rules.p, data)
	if err != nil {
		return "", &StageError{Code: "case", Text: err.Error()}
	}
	return text, nil
}

// load stands cases, told in the rule language, on the rules. A case that the rules
// do not take has its error, and the others are loaded without it.
func (s *Stage) load(texts []string) (*Program, []Case, []error, error) {
	cases, errs := make([]Case, len(texts)), make([]error, len(texts))
	files := make([]*RuleFile, len(texts))
	at := map[string]int{} // by name
	for i, text := range texts {
		files[i] = ParseFile(fmt.Sprintf("case/%06d.momon", i), text)
		at[files[i].Source().Name] = i
	}
	for {
		folder := Folder{Name: "case"}
		for i, f := range files {
			if errs[i] == nil {
				folder.Files = append(folder.Files, f)
			}
		}
		a := s.Analyse(folder)
		if a.Program != nil {
			for _, c := range a.Program.Cases("en") {
				if i, ok := at[c.Place.File]; ok {
					cases[i] = c
				}
			}
			for i := range cases {
				if errs[i] == nil && cases[i].c == nil {
					errs[i] = &StageError{Code: "case", Text: "there is no case"}
				}
			}
			return a.Program, cases, errs, nil
		}
		found := false
		for _, d := range a.Diags {
			if d.Severity != diag.Error || d.Span.File == nil {
				continue
			}
			if i, ok := at[d.Span.File.Name]; ok && errs[i] == nil {
				errs[i] = &StageError{Code: "rules", Text: diag.Message(d, "en") + ": " + clause(d.Span, 80)}
				found = true
			}
		}
		if !found {
			return nil, nil, nil, &StageError{Code: "rules", Text: ErrRules.Error()}
		}
	}
}

// Start tells an exported case and sets up what it starts from.
func (s *Stage) Start(data json.RawMessage) (*CaseRun, error) {
	text, err := s.Tell(data)
	if err != nil {
		return nil, err
	}
	p, list, errs, err := s.load([]string{text})
	if err = errors.Join(err, errs[0]); err != nil {
		return nil, err
	}
	return p.StartCase(list[0])
}

// Play plays an exported case to its end and answers its questions.
func (s *Stage) Play(ctx context.Context, data json.RawMessage) ([]Answer, error) {
	r, err := s.Start(data)
	if err != nil {
		return nil, err
	}
	return r.answers(ctx)
}

// Pick answers a decision: the places of what is picked, at least and at most so
// many of the options, in the order that is wanted where there is one.
type Pick func(options, least, most int) []int

// Raised is a decision that an exported case left open and that was answered while
// it was played.
type Raised struct {
	Step   int    // from 1: the step that raised it; an answer stands before that one
	Answer string // the decision's name
	With   any    // the answer, as a case says it
	By     string // the player
}

// Played is what came of an exported case: its answers, or why there are none.
type Played struct {
	Answers []Answer
	Raised  []Raised
	Err     error
}

// ErrNotScripted says that a decision was answered in a way that no case can say:
// by an object that has no label.
var ErrNotScripted = errors.New("a decision has no answer that a case could say")

// PlayAll plays exported cases, whose ids must differ; the rules are read once for
// all.
func (s *Stage) PlayAll(ctx context.Context, list []json.RawMessage) ([]Played, error) {
	return s.Improvise(ctx, list, nil)
}

// Improvise plays exported cases like PlayAll. Decisions that a case leaves open are
// answered by what pick gives for its place in the list, if it is there.
func (s *Stage) Improvise(ctx context.Context, list []json.RawMessage, pick func(i int) Pick) ([]Played, error) {
	out := make([]Played, len(list))
	var texts []string
	var at []int
	for i, data := range list {
		text, err := s.Tell(data)
		if out[i].Err = err; err == nil {
			texts = append(texts, text)
			at = append(at, i)
		}
	}
	p, cases, errs, err := s.load(texts)
	if err != nil {
		return nil, err
	}
	for k, c := range cases {
		x := &out[at[k]]
		if x.Err = errs[k]; x.Err != nil {
			continue
		}
		var own Pick
		if pick != nil {
			own = pick(at[k])
		}
		r, err := p.startCase(c, own)
		if err == nil {
			x.Answers, err = r.answers(ctx)
			for _, d := range r.runner.Raised {
				if d.Nameless {
					err = errors.Join(err, ErrNotScripted)
				}
				x.Raised = append(x.Raised, Raised{Step: d.Step + 1, Answer: d.Name, With: d.With, By: d.By})
			}
		}
		x.Err = err
	}
	return out, ctx.Err()
}

func (r *CaseRun) answers(ctx context.Context) ([]Answer, error) {
	out := []Answer{}
	for r.More() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step := r.next + 1
		if v, asks := r.Ask(); asks {
			out = append(out, Answer{Step: step, Answer: v})
		}
		if _, err := r.Step(); err != nil {
			return nil, err
		}
	}
	return out, r.broken()
}

// Story is what happens in an exported case.
type Story struct {
	Start []string          `json:"start"`         // its objects, as the rule language says them
	Steps []StoryStep       `json:"steps"`         // the last is the one up to which it was told
	Why   map[string]string `json:"why,omitempty"` // why what the last step asks for is as expected, by language
}

// StoryStep is a step of an exported case and what comes of it.
type StoryStep struct {
	Step     int                 `json:"step"`               // from 1
	Text     string              `json:"text"`               // as the rule language says it, but a question without its answer
	Expected json.RawMessage     `json:"expected,omitempty"` // that answer
	Happens  map[string][]string `json:"happens,omitempty"`  // what comes of it, by language
	Entries  []int               `json:"entries,omitempty"`  // the numbers of that in the log, which Why may speak of
}

// Telling is an exported case that is to be told up to a step, or to the end where
// Step is 0.
type Telling struct {
	Case json.RawMessage
	Step int
}

// Stories tells exported cases, whose ids must differ, in all languages of the
// rules. A case that the rules do not take has no story.
func (s *Stage) Stories(list []Telling) []*Story {
	out := make([]*Story, len(list))
	var texts []string
	var at []int
	for i, t := range list {
		text, err := s.Tell(t.Case)
		if err != nil {
			continue
		}
		texts, at = append(texts, text), append(at, i)
	}
	p, cases, errs, err := s.load(texts)
	if err != nil {
		return out
	}
	for k, i := range at {
		if errs[k] == nil {
			out[i] = s.story(p, cases[k], list[i])
		}
	}
	return out
}

// story is that of one case, as it stands in p; nil where it can't be played.
func (s *Stage) story(p *Program, c Case, t Telling) *Story {
	r, err := p.StartCase(c)
	if err != nil {
		return nil
	}
	told, err := export.Steps(s.rules.p, t.Case)
	if err != nil {
		return nil
	}
	out := &Story{Start: told.Start, Steps: []StoryStep{}}
	for i, st := range told.Script {
		if t.Step > 0 && i >= t.Step {
			break
		}
		out.Steps = append(out.Steps, StoryStep{Step: i + 1, Text: st.Text, Expected: st.Expected})
	}
	acted := 0 // where the events of the last step begin that did something
	for r.More() && r.next < len(out.Steps) {
		i := r.next
		if i == t.Step-1 {
			for _, l := range p.Languages() {
				if text := r.whyAsked(&told.Script[i], l.Code, acted); text != "" {
					if out.Why == nil {
						out.Why = map[string]string{}
					}
					out.Why[l.Code] = text
				}
			}
			if out.Steps[i].Expected != nil {
				break
			}
		}
		from := 0
		if i > 0 {
			from = len(r.Events()) // what the start brought counts to the first step
		}
		if _, err := r.Step(); err != nil {
			return nil
		}
		if told.Script[i].Acts {
			acted = from
		}
		st := &out.Steps[i]
		for k := from; k < len(r.Events()); k++ {
			e := &r.Events()[k]
			told := false
			for _, l := range p.Languages() {
				if text := r.Text(e, l.Code); text != "" {
					if st.Happens == nil {
						st.Happens = map[string][]string{}
					}
					st.Happens[l.Code] = append(st.Happens[l.Code], text)
					told = true
				}
			}
			if told {
				st.Entries = append(st.Entries, e.Number)
			}
		}
	}
	return out
}

// whyAsked says why what is expected of the next step's question is so: how a value
// comes about, why something was refused in the events from acted on, why something
// did not trigger or an object lacks a keyword. It is "" for other questions.
func (r *CaseRun) whyAsked(q *export.Told, lang string, acted int) string {
	if o, ch, ok := r.runner.Asked(r.next); ok {
		if x, err := r.Explain(int(o), ch, lang); err == nil {
			return x.Sentence
		}
		return ""
	}
	not := func(words ...string) string {
		if w, err := r.WhyNot(words, WhyNotOptions{Lang: lang}); err == nil && !w.So {
			return w.Sentence
		}
		return ""
	}
	switch no := string(q.Expected); {
	case q.Question == "fired" && no == "0" && q.Of != "":
		return not(q.Of, q.Header)
	case q.Question == "has" && no == "false" && q.Of != "" && q.Keyword != "":
		return not(q.Of, q.Keyword)
	case q.Question == "refused", q.Question == "refused-rule", q.Question == "happened" && no == "false":
		var out []string
		for i := acted; i < len(r.Events()); i++ {
			if e := &r.Events()[i]; e.Kind == Refused {
				if text := r.Cause(e, lang).Sentence; text != "" && !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
		}
		return strings.Join(out, " ")
	}
	return ""
}

// Involved lists the statements that had a part in an exported case up to a step
// (to the end where it is 0): those of all that happens, and, where the step asks for
// a value, those of how it comes about.
func (s *Stage) Involved(data json.RawMessage, step int, lang string) ([]Used, error) {
	r, err := s.Start(data)
	if err != nil {
		return nil, err
	}
	for r.More() && (step == 0 || r.next+1 < step) {
		if _, err := r.Step(); err != nil {
			return nil, err
		}
	}
	u := &uses{p: r.p, lang: lang}
	for i := range r.Events() {
		u.add("", r.Events()[i].Rules...)
	}
	if r.More() {
		if o, ch, ok := r.runner.Asked(r.next); ok {
			if x, err := r.Explain(int(o), ch, lang); err == nil {
				for _, used := range x.Statements {
					u.add("", used.Ref)
				}
			}
		}
	}
	return u.done(), nil
}

// Ask answers what the next step asks, whatever the case says must come; it
// reports whether that step asks anything.
func (r *CaseRun) Ask() (answer any, asks bool) {
	if !r.More() || !cases.Asks(&r.c.c.Script[r.next]) {
		return nil, false
	}
	return r.runner.Ask(r.next), true
}

// broken tells why a case could not be played as it says.
func (r *CaseRun) broken() error {
	for _, f := range r.Finish().Failures {
		code := ""
		switch f.Code {
		case "unanswered", "answer", "unused-answer":
			code = "decision"
		case "loop":
			code = "loop"
		default:
			continue
		}
		return &StageError{Code: code, Step: r.next, Text: fmt.Sprintf("%s: %s%s", f.Code, f.Want, f.Got)}
	}
	if r.More() {
		return errors.New("the case stopped")
	}
	return nil
}
