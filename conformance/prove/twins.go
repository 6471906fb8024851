package prove

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

// CheckReport is what came of checks of one kind: how many of each there were, and
// what failed.
type CheckReport struct {
	Checks []Check `json:"checks"`
}

// Check is one check, made on many things.
type Check struct {
	Name  string    `json:"check"`
	Made  int       `json:"made"`
	Wrong []Finding `json:"wrong"`
}

// Finding is a thing that a check found wrong.
type Finding struct {
	What   string `json:"what"` // a case, a file, a game
	Detail string `json:"detail"`
}

// Failed reports whether anything is wrong, or nothing was looked at.
func (r *CheckReport) Failed() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return len(c.Wrong) > 0 || c.Made == 0 })
}

func (c *Check) wrong(what, detail string) { c.Wrong = append(c.Wrong, Finding{what, detail}) }

func newCheck(name string) Check { return Check{Name: name, Wrong: []Finding{}} }

// Twins plays each case told otherwise: with the players swapped, objects renamed, a
// bystander added, and the state saved and loaded before every step.
func (s *Set) Twins(ctx context.Context, o Options) (*CheckReport, error) {
	stage, _, err := interpreter.NewStage(s.sources, interpreter.Options{Edition: s.edition})
	if err != nil {
		return nil, err
	}
	twins := []struct {
		name string
		twin interpreter.Twin
	}{{"swap", interpreter.Twin{Swap: true}}, {"rename", interpreter.Twin{Rename: true}}, {"bystander", interpreter.Twin{Bystander: true}}}
	rep := &CheckReport{}
	tick := o.ticker(len(twins) + 1)
	for _, t := range twins {
		c := newCheck(t.name)
		told, err := export.Cases(s.program, t.twin)
		if err != nil {
			return nil, err
		}
		if err := playTold(ctx, stage, told.Cases, &c); err != nil {
			return nil, err
		}
		rep.Checks = append(rep.Checks, c)
		tick()
	}
	saved := newCheck("saved")
	for _, c := range s.cases {
		saved.Made++
		run, err := s.program.StartCase(c)
		if err == nil {
			for run.More() && err == nil && ctx.Err() == nil {
				if err = run.Reload(); err == nil {
					_, err = run.Step()
				}
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			saved.wrong(c.ID, err.Error())
		default:
			if r := run.Finish(); !r.Passed() {
				f := r.Failures[0]
				saved.wrong(c.ID, f.Code+": "+f.Line)
			}
		}
	}
	tick()
	rep.Checks = append(rep.Checks, saved)
	return rep, nil
}

// playTold plays exported cases and holds their answers against what they expect.
func playTold(ctx context.Context, stage *interpreter.Stage, list []export.Case, c *Check) error {
	var data []json.RawMessage
	for _, k := range list {
		data = append(data, k.Data)
	}
	played, err := stage.PlayAll(ctx, data)
	if err != nil {
		return err
	}
	for i, k := range list {
		c.Made++
		if err := played[i].Err; err != nil {
			c.wrong(k.ID, err.Error())
			continue
		}
		want, err := runner.NewCase(k.Data)
		if err != nil {
			return err
		}
		reply := &protocol.Reply{Outcome: protocol.Done}
		for _, a := range played[i].Answers {
			v, err := json.Marshal(a.Answer)
			if err != nil {
				return err
			}
			reply.Answers = append(reply.Answers, protocol.Answer{Step: a.Step, Answer: v})
		}
		if r := runner.Judge(want, reply); r.Verdict != runner.Pass {
			detail := string(r.Verdict)
			if r.Step != nil {
				detail += ": " + string(r.Step.Ask) + ": " + string(r.Step.Expect) + " ≠ " + string(r.Given)
			}
			c.wrong(k.ID, detail)
		}
	}
	return nil
}
