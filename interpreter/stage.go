package interpreter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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

// NewStage makes a stage of parsed folders of rules.
func NewStage(folders []Folder, opts Options) (*Stage, []*diag.Diagnostic, error) {
	a := Analyse(folders, opts)
	if a.Program == nil {
		return nil, a.Diags, ErrRules
	}
	return &Stage{folders: folders, opts: opts, rules: a.Program}, a.Diags, nil
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

// Start tells an exported case and sets up what it starts from.
func (s *Stage) Start(data json.RawMessage) (*CaseRun, error) {
	text, err := s.Tell(data)
	if err != nil {
		return nil, err
	}
	folder := Folder{Name: "case", Files: []*RuleFile{ParseFile("case/case.momon", text)}}
	a := Analyse(append(s.folders[:len(s.folders):len(s.folders)], folder), s.opts)
	if a.Program == nil {
		for _, d := range a.Diags {
			if d.Severity == diag.Error {
				return nil, &StageError{Code: "rules", Text: diag.Message(d, "en") + ": " + clause(d.Span, 80)}
			}
		}
		return nil, &StageError{Code: "rules", Text: ErrRules.Error()}
	}
	list := a.Program.Cases("en")
	for _, c := range list {
		if c.Place.File == "case/case.momon" {
			return a.Program.StartCase(c)
		}
	}
	return nil, &StageError{Code: "case", Text: "there is no case"}
}

// Play plays an exported case to its end and answers its questions.
func (s *Stage) Play(ctx context.Context, data json.RawMessage) ([]Answer, error) {
	r, err := s.Start(data)
	if err != nil {
		return nil, err
	}
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
