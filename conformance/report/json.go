package report

import (
	"encoding/json"
	"io"

	"github.com/momon-rules/momon/conformance/runner"
)

// JSON writes what the views show as JSON, without the cases that passed.
func (s *Set) JSON(w io.Writer) error {
	type byRule struct {
		Rule    string             `json:"rule"`
		Figures map[string]Figures `json:"figures"` // by status
	}
	type failure struct {
		ID       string          `json:"id"`
		Rule     string          `json:"rule"`
		Status   string          `json:"status"`
		Tier     string          `json:"tier"`
		Counts   bool            `json:"counts"` // as a failure of the program
		Verdict  runner.Verdict  `json:"verdict"`
		Detail   string          `json:"detail,omitempty"`
		Step     int             `json:"step,omitempty"`
		Asks     string          `json:"asks,omitempty"`
		Expected json.RawMessage `json:"expected,omitempty"`
		Given    json.RawMessage `json:"given,omitempty"`
		Known    *runner.Known   `json:"known,omitempty"`
	}
	type program struct {
		Name     string                  `json:"name"`
		Program  runner.Program          `json:"program"`
		Edition  string                  `json:"edition"`
		Digest   string                  `json:"digest"`
		Cases    int                     `json:"cases"`
		Selected int                     `json:"selected"`
		Twin     string                  `json:"twin,omitempty"`
		Isolated bool                    `json:"isolated,omitempty"`
		Complete bool                    `json:"complete"`
		Standing Standing                `json:"standing"`
		Figures  map[string]Figures      `json:"figures"` // by status
		Rules    []byRule                `json:"rules"`
		Open     map[string]runner.Point `json:"readings"`
		LeftOut  []leftOut               `json:"left_out"`
		Faults   []runner.FaultLine      `json:"faults"`
		Failures []failure               `json:"failures"`
	}
	out := struct {
		Programs []program `json:"programs"`
		Proof    *Proof    `json:"proof,omitempty"`
	}{[]program{}, s.Proof}
	for i, p := range s.Programs {
		h := &p.Record.Header
		x := program{Name: p.Name, Program: h.Program, Edition: h.Edition, Digest: h.Digest, Cases: h.Cases, Selected: h.Selected, Twin: h.Twin,
			Isolated: h.Isolated, Complete: p.Record.Footer.Complete, Standing: p.Standing, Figures: map[string]Figures{}, Rules: []byRule{},
			Open: h.Open, LeftOut: leftOuts(p.Record), Faults: p.Record.Footer.Faults, Failures: []failure{}}
		if x.LeftOut == nil {
			x.LeftOut = []leftOut{}
		}
		for _, status := range runner.Statuses {
			if f := Count(p.Record, ofStatus(status)); f.Cases > 0 {
				x.Figures[status] = f
			}
		}
		for _, r := range s.Rules {
			b := byRule{Rule: r.Rule.Rule, Figures: map[string]Figures{}}
			for _, status := range runner.Statuses {
				if f := s.Figures(r, i, status); f.Cases > 0 {
					b.Figures[status] = f
				}
			}
			if len(b.Figures) > 0 {
				x.Rules = append(x.Rules, b)
			}
		}
		for k := range p.Record.Cases {
			c := &p.Record.Cases[k]
			if !failed(c) {
				continue
			}
			f := failure{ID: c.ID, Rule: c.Rule(), Status: c.Status, Tier: c.Tier, Counts: c.Failed() && c.Status != runner.Provisional, Verdict: c.Verdict,
				Detail: c.Detail, Asks: c.Asks(), Known: c.Known}
			if c.At != nil {
				f.Step, f.Expected, f.Given = c.At.Step, c.At.Expected, c.At.Given
			}
			x.Failures = append(x.Failures, f)
		}
		out.Programs = append(out.Programs, x)
	}
	return encode(w, out)
}

func ofStatus(status string) func(*runner.CaseLine) bool {
	return func(c *runner.CaseLine) bool { return c.Status == status }
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
