package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/interpreter"
)

// Teller tells failed cases by an engine that is known to be right: what happens up
// to the step at which the program went another way, or to the end where that step
// is nil. The stories come in the order of the failures; one can be nil.
type Teller func(failed []*Result) []*interpreter.Story

// Report is a run as it is recorded: a header, a line for each case, a footer.
type Report struct {
	Header Header
	Cases  []CaseLine
	Footer Footer
}

// Header is the first line of a record.
type Header struct {
	Type      string                    `json:"type"` // header
	Report    int                       `json:"report"`
	Suite     int                       `json:"suite"`
	Edition   string                    `json:"edition"`
	Digest    string                    `json:"digest"`
	Cases     int                       `json:"cases"` // of the whole suite
	Tiers     map[string]map[string]int `json:"tiers"` // likewise, by status and tier
	Selected  int                       `json:"selected"`
	Twin      string                    `json:"twin,omitempty"`     // the cases are told otherwise
	Isolated  bool                      `json:"isolated,omitempty"` // each was sent to a program of its own
	Program   Program                   `json:"program"`
	Features  []string                  `json:"features"`
	Questions []string                  `json:"questions"`
	Lacks     map[string]LackLine       `json:"lacks,omitempty"`
	Readings  map[string]string         `json:"readings"` // what the program says of open points
	Open      map[string]Point          `json:"open"`     // those that it reads otherwise than the suite
	Rules     []Rule                    `json:"rules"`    // those that the cases are about
}

// OfStatus is how many cases of a status the whole suite has.
func (h *Header) OfStatus(status string) int {
	n := 0
	for _, k := range h.Tiers[status] {
		n += k
	}
	return n
}

// Program is what was checked.
type Program struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Rules   string `json:"rules"`
}

// LackLine says why a program lacks a feature or a question.
type LackLine struct {
	Reason string `json:"reason"`
	Issue  string `json:"issue,omitempty"`
}

// CaseLine is what a case came to.
type CaseLine struct {
	Type    string             `json:"type"` // case
	ID      string             `json:"id"`
	Status  string             `json:"status"`
	Tier    string             `json:"tier"`
	Title   map[string]string  `json:"title"`
	Covers  []Cover            `json:"covers"`
	Verdict Verdict            `json:"verdict"`
	Detail  string             `json:"detail,omitempty"`
	Reason  string             `json:"reason,omitempty"` // unsupported: why
	Issue   string             `json:"issue,omitempty"`  // a link, of what is left out
	Stderr  string             `json:"stderr,omitempty"`
	Known   *Known             `json:"known,omitempty"`   // it is listed as a failure that is known
	Expired bool               `json:"expired,omitempty"` // and should be mended by now
	At      *Divergence        `json:"divergence,omitempty"`
	Story   *interpreter.Story `json:"story,omitempty"` // of a case that failed: what happens by the rules
	Said    []Said             `json:"said,omitempty"`
}

// Divergence is the first question that came out otherwise.
type Divergence struct {
	Step     int             `json:"step"`
	Question json.RawMessage `json:"question,omitempty"` // none where the step asks nothing
	Expected json.RawMessage `json:"expected,omitempty"`
	Given    json.RawMessage `json:"given,omitempty"`
}

// Footer is the last line: without it a record is incomplete.
type Footer struct {
	Type     string                     `json:"type"` // footer
	Complete bool                       `json:"complete"`
	Totals   map[string]map[Verdict]int `json:"totals"` // by status
	Faults   []FaultLine                `json:"faults"` // not of a case
	Sum      string                     `json:"sum"`    // SHA-256 of the lines before, each with a line feed
}

// FaultLine is a breach of the protocol.
type FaultLine struct {
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
	Stderr  string  `json:"stderr,omitempty"`
}

// ReportVersion is the version of the form of records.
const ReportVersion = 1

// NewReport makes the report of a run. tell may be nil.
func NewReport(s *Suite, o *Outcome, tell Teller) *Report {
	h := Header{Type: "header", Report: ReportVersion, Suite: s.Info.Version, Edition: s.Info.Edition, Digest: s.Info.Digest,
		Cases: s.Info.Cases, Tiers: map[string]map[string]int{}, Selected: len(o.Results), Twin: s.Told, Isolated: o.Isolated,
		Program:  Program{o.About.Name, o.About.Version, o.About.Rules},
		Features: list(o.About.Features), Questions: list(o.About.Questions), Readings: o.About.Readings, Open: map[string]Point{}, Rules: []Rule{}}
	if h.Readings == nil {
		h.Readings = map[string]string{}
	}
	for name, l := range o.About.Lacks {
		if h.Lacks == nil {
			h.Lacks = map[string]LackLine{}
		}
		h.Lacks[name] = LackLine(l)
	}
	for name, own := range h.Readings {
		if p, ok := s.Readings[name]; ok && p.Chosen != own {
			p.Own = own
			h.Open[name] = p
		}
	}
	for _, c := range s.Cases {
		if h.Tiers[c.Status] == nil {
			h.Tiers[c.Status] = map[string]int{}
		}
		h.Tiers[c.Status][c.Tier]++
	}
	about := map[string]bool{}
	var failed []*Result
	for _, x := range o.Results {
		for _, cv := range x.Case.Covers {
			about[cv.Rule] = true
		}
		if x.Verdict.Bad() {
			failed = append(failed, x)
		}
	}
	for _, r := range s.Rules {
		if about[r.Rule] {
			h.Rules = append(h.Rules, r)
		}
	}
	r := &Report{Header: h, Footer: Footer{Type: "footer", Complete: o.Complete(), Faults: []FaultLine{}}}
	stories := map[*Result]*interpreter.Story{}
	if tell != nil && len(failed) > 0 {
		for i, t := range tell(failed) {
			stories[failed[i]] = t
		}
	}
	for _, x := range o.Results {
		c := x.Case
		l := CaseLine{Type: "case", ID: c.ID, Status: c.Status, Tier: c.Tier, Title: c.Title, Covers: c.Covers, Verdict: x.Verdict, Detail: x.Detail,
			Reason: x.Reason, Issue: x.Issue, Stderr: x.Stderr, Said: x.Said, Story: stories[x]}
		if l.Covers == nil {
			l.Covers = []Cover{}
		}
		if x.Step != nil {
			l.At = &Divergence{Step: x.Step.Step, Question: x.Step.Ask, Expected: x.Step.Expect, Given: x.Given}
		}
		r.Cases = append(r.Cases, l)
	}
	for _, f := range o.Faults {
		r.Footer.Faults = append(r.Footer.Faults, FaultLine{f.Verdict, f.Detail, f.Stderr})
	}
	slices.SortStableFunc(r.Footer.Faults, func(a, b FaultLine) int {
		return slices.Compare([]string{string(a.Verdict), a.Detail, a.Stderr}, []string{string(b.Verdict), b.Detail, b.Stderr})
	})
	r.Footer.Faults = slices.Compact(r.Footer.Faults) // of several programs at once, each the same
	r.Footer.Totals = r.totals()
	return r
}

func list(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

func (r *Report) totals() map[string]map[Verdict]int {
	out := map[string]map[Verdict]int{}
	for i := range r.Cases {
		c := &r.Cases[i]
		if out[c.Status] == nil {
			out[c.Status] = map[Verdict]int{}
		}
		out[c.Status][c.Verdict]++
	}
	return out
}

// Write writes the report as JSON Lines.
func (r *Report) Write(w io.Writer) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.Header); err != nil {
		return err
	}
	for i := range r.Cases {
		if err := e.Encode(&r.Cases[i]); err != nil {
			return err
		}
	}
	f := r.Footer
	sum := sha256.Sum256(b.Bytes())
	f.Sum = hex.EncodeToString(sum[:])
	if err := e.Encode(f); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Statement is what a rule says under a key, by language; nil where the record
// does not have it.
func (r *Report) Statement(c Cover) map[string]string {
	for i := range r.Header.Rules {
		if r.Header.Rules[i].Rule != c.Rule {
			continue
		}
		for _, s := range r.Header.Rules[i].Statements {
			if s.Statement == c.Statement {
				return s.Text
			}
		}
	}
	return nil
}

// Asks is the question of a divergence in words: as the rule language would say
// it, or as it stands in the suite.
func (c *CaseLine) Asks() string {
	if c.At == nil {
		return ""
	}
	if c.Story != nil {
		for _, st := range c.Story.Steps {
			if st.Step == c.At.Step {
				return st.Text
			}
		}
	}
	return string(c.At.Question)
}

// Rule is the rule under which the case stands: its first cover's; "" for a case of
// tier data, which is about the rule language.
func (c *CaseLine) Rule() string {
	if len(c.Covers) == 0 {
		return ""
	}
	return c.Covers[0].Rule
}

// Meant reports whether a case is meant for the program that was checked: one that
// loads rules is not for a program whose rules are built in.
func (r *Report) Meant(c *CaseLine) bool {
	return c.Status != load.Status || r.Header.Program.Rules == protocol.Loaded
}

// Unrun counts the cases that were not run and are meant for the program.
func (r *Report) Unrun() int {
	n := 0
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Verdict == NotRun && r.Meant(c) {
			n++
		}
	}
	return n
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

// Failed reports whether the program failed: a case that is not provisional, or
// the protocol.
func (r *Report) Failed() bool {
	return len(r.Footer.Faults) > 0 || slices.ContainsFunc(r.Cases, func(c CaseLine) bool { return c.Failed() && c.Status != Provisional })
}

// The statuses of cases.
const (
	Normative      = "normative"
	Interpretation = "interpretation"
	Provisional    = "provisional"
	Language       = load.Status // of the rule language, for programs that load rules
)

// Statuses lists them, what binds most first.
var Statuses = []string{Normative, Interpretation, Language, Provisional}

// String is what the program calls itself, with its version.
func (p Program) String() string { return strings.TrimSpace(p.Name + " " + p.Version) }
