package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
)

// Teller explains a failed case by an engine that is known to be right: what a step
// asks, and what happens up to there, in the languages of the suite.
type Teller func(c *Case, step *Step) (asks string, story map[string][]string)

// Report is a run as it is recorded: a header, a line for each case, a footer.
type Report struct {
	Header Header
	Cases  []CaseLine
	Footer Footer
}

// Header is the first line of a record.
type Header struct {
	Type     string            `json:"type"` // header
	Report   int               `json:"report"`
	Suite    int               `json:"suite"`
	Edition  string            `json:"edition"`
	Digest   string            `json:"digest"`
	Cases    int               `json:"cases"` // of the whole suite
	Selected int               `json:"selected"`
	Program  Program           `json:"program"`
	Readings map[string]string `json:"readings"`
	Features []string          `json:"features"`
}

// Program is what was checked.
type Program struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Rules   string `json:"rules"`
}

// CaseLine is what a case came to.
type CaseLine struct {
	Type    string            `json:"type"` // case
	ID      string            `json:"id"`
	Status  string            `json:"status"`
	Tier    string            `json:"tier"`
	Title   map[string]string `json:"title"`
	Covers  []Cover           `json:"covers"`
	Verdict Verdict           `json:"verdict"`
	Detail  string            `json:"detail,omitempty"`
	Issue   string            `json:"issue,omitempty"`
	Stderr  string            `json:"stderr,omitempty"`
	Known   *Known            `json:"known,omitempty"`   // a failure that is known
	Expired bool              `json:"expired,omitempty"` // and should be mended by now
	At      *Divergence       `json:"divergence,omitempty"`
}

// Divergence is the first question that came out otherwise.
type Divergence struct {
	Step       int                          `json:"step"`
	Question   json.RawMessage              `json:"question"`
	Asks       string                       `json:"asks,omitempty"` // the question in words
	Expected   json.RawMessage              `json:"expected"`
	Given      json.RawMessage              `json:"given,omitempty"`
	Statements map[string]map[string]string `json:"statements"`      // what the case covers: rule and key, then by language
	Story      map[string][]string          `json:"story,omitempty"` // what happens by the rules up to there, by language
}

// Footer is the last line: without it a record is incomplete.
type Footer struct {
	Type     string                     `json:"type"` // footer
	Complete bool                       `json:"complete"`
	Totals   map[string]map[Verdict]int `json:"totals"` // by status
	Faults   []FaultLine                `json:"faults"` // not of a case
}

// FaultLine is a breach of the protocol that belongs to no case.
type FaultLine struct {
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
	Stderr  string  `json:"stderr,omitempty"`
}

// ReportVersion is the version of the form of records.
const ReportVersion = 1

// NewReport makes the report of a run. tell may be nil.
func NewReport(s *Suite, o *Outcome, tell Teller) *Report {
	r := &Report{Header: Header{Type: "header", Report: ReportVersion, Suite: s.Info.Version, Edition: s.Info.Edition, Digest: s.Info.Digest,
		Cases: s.Info.Cases, Selected: len(o.Results), Program: Program{o.About.Name, o.About.Version, o.About.Rules},
		Readings: o.About.Readings, Features: o.About.Features}}
	if r.Header.Readings == nil {
		r.Header.Readings = map[string]string{}
	}
	if r.Header.Features == nil {
		r.Header.Features = []string{}
	}
	r.Footer = Footer{Type: "footer", Complete: o.Complete(), Totals: map[string]map[Verdict]int{}, Faults: []FaultLine{}}
	for _, x := range o.Results {
		c := x.Case
		l := CaseLine{Type: "case", ID: c.ID, Status: c.Status, Tier: c.Tier, Title: c.Title, Covers: c.Covers, Verdict: x.Verdict, Detail: x.Detail,
			Issue: x.Issue, Stderr: x.Stderr}
		if l.Covers == nil {
			l.Covers = []Cover{}
		}
		if x.Step != nil {
			l.At = &Divergence{Step: x.Step.Step, Question: x.Step.Ask, Expected: x.Step.Expect, Given: x.Given, Statements: map[string]map[string]string{}}
			for _, cv := range c.Covers {
				key := cv.Rule + " " + cv.Statement
				l.At.Statements[key] = s.Texts[key]
			}
			if tell != nil {
				l.At.Asks, l.At.Story = tell(c, x.Step)
			}
		}
		r.Cases = append(r.Cases, l)
		if r.Footer.Totals[c.Status] == nil {
			r.Footer.Totals[c.Status] = map[Verdict]int{}
		}
		r.Footer.Totals[c.Status][x.Verdict]++
	}
	for _, f := range o.Faults {
		r.Footer.Faults = append(r.Footer.Faults, FaultLine{f.Verdict, f.Detail, f.Stderr})
	}
	slices.SortStableFunc(r.Footer.Faults, func(a, b FaultLine) int {
		switch x, y := fmt.Sprint(a), fmt.Sprint(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return r
}

// Write writes the report as JSON Lines.
func (r *Report) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.Header); err != nil {
		return err
	}
	for i := range r.Cases {
		if err := e.Encode(&r.Cases[i]); err != nil {
			return err
		}
	}
	return e.Encode(r.Footer)
}

// Count counts the cases of a status, or of all where it is "", that came to one
// of some verdicts, or to any where none is named.
func (r *Report) Count(status string, verdicts ...Verdict) int {
	n := 0
	for i := range r.Cases {
		c := &r.Cases[i]
		if (status == "" || c.Status == status) && (len(verdicts) == 0 || slices.Contains(verdicts, c.Verdict)) {
			n++
		}
	}
	return n
}

// Unrun counts the cases that were not run and are meant for the program.
func (r *Report) Unrun() int {
	n := r.Count("", NotRun)
	if r.Header.Program.Rules != protocol.Loaded {
		n -= r.Count(load.Status, NotRun)
	}
	return n
}

// Failed reports whether the program failed: a case that is not provisional, or
// the protocol.
func (r *Report) Failed() bool {
	return len(r.Footer.Faults) > 0 || slices.ContainsFunc(r.Cases, func(c CaseLine) bool { return c.Failed() && c.Status != "provisional" })
}
