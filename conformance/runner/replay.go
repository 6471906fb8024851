package runner

import (
	"fmt"
	"slices"

	"github.com/momon-rules/momon/conformance/protocol"
)

// MisfitError says that a record can't be run again with a suite. Code is one of
//
//	digest    the record is of a suite with other rules; Record and Suite are the
//	          editions and digests
//	twin      the record is of another twin of the suite
//	case      Cases are not in the suite
//	verdict   what the record says that the program said does not come to the
//	          verdicts in it, of Cases
type MisfitError struct {
	Code          string
	Record, Suite string
	Cases         []string
}

// Error says it plainly, in English.
func (e *MisfitError) Error() string {
	return fmt.Sprintf("the record does not fit the suite (%s): %s, %s; %v", e.Code, e.Record, e.Suite, e.Cases)
}

// Replay runs cases again without the program, from what it said as the record was
// made. Each verdict must be the record's; cases that the record does not have are
// left out.
func Replay(s *Suite, rec *Report, cases []*Case) (*Outcome, error) {
	h := &rec.Header
	if h.Digest != s.Info.Digest || h.Edition != s.Info.Edition || h.Cases != s.Info.Cases {
		return nil, &MisfitError{Code: "digest", Record: h.Edition + " " + h.Digest, Suite: s.Info.Edition + " " + s.Info.Digest}
	}
	if h.Twin != s.Told {
		return nil, &MisfitError{Code: "twin", Record: h.Twin, Suite: s.Told}
	}
	lines := map[string]*CaseLine{}
	for i := range rec.Cases {
		lines[rec.Cases[i].ID] = &rec.Cases[i]
	}
	for _, c := range s.Cases {
		delete(lines, c.ID)
	}
	if len(lines) > 0 {
		return nil, &MisfitError{Code: "case", Cases: sorted(lines)}
	}
	for i := range rec.Cases {
		lines[rec.Cases[i].ID] = &rec.Cases[i]
	}
	j := judge{suite: s, about: protocol.About{Protocol: protocol.Version, Name: h.Program.Name, Version: h.Program.Version, Rules: h.Program.Rules,
		Features: h.Features, Questions: h.Questions, Readings: h.Readings}}
	for name, l := range h.Lacks {
		if j.about.Lacks == nil {
			j.about.Lacks = map[string]protocol.Lack{}
		}
		j.about.Lacks[name] = protocol.Lack(l)
	}
	out := &Outcome{About: j.about, Isolated: h.Isolated}
	var other []string
	for _, c := range cases {
		l := lines[c.ID]
		if l == nil {
			continue
		}
		r := &Result{Case: c, Verdict: NotRun}
		left := (l.Verdict != NotRun || !meant(&j.about, c)) && j.leaveOut(r)
		if !left && !slices.ContainsFunc(l.Said, func(s Said) bool { return (s.Answer == nil) == (s.Fault == nil) }) {
			r.Said = l.Said
			j.settle(r)
		}
		if r.Verdict != l.Verdict && (l.Verdict != Mended || r.Verdict != Pass) {
			other = append(other, c.ID)
		}
		out.Results = append(out.Results, r)
	}
	if len(other) > 0 {
		return nil, &MisfitError{Code: "verdict", Cases: other}
	}
	if len(out.Results) == 0 {
		return nil, ErrNone
	}
	for _, f := range rec.Footer.Faults {
		out.Faults = append(out.Faults, &Fault{Verdict: f.Verdict, Detail: f.Detail, Stderr: f.Stderr})
	}
	return out, nil
}

// ExpectAgain takes known failures into account as a record did.
func (r *Report) ExpectAgain(rec *Report) {
	known := map[string]Known{}
	expired := map[string]bool{}
	for i := range rec.Cases {
		if c := &rec.Cases[i]; c.Known != nil {
			known[c.ID], expired[c.ID] = *c.Known, c.Expired
		}
	}
	r.expect(known, func(k Known) bool { return expired[k.ID] })
}
