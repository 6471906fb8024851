// Package report shows records of conformance runs: as a page for browsers, as
// Markdown, as JUnit XML, as JSON and as a badge, one program or several side by
// side, and what differs between two records. All of it comes from the records
// alone; none of them is read anew by rules.
package report

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
)

// Set is records to be shown side by side.
type Set struct {
	Programs []*Program
	Rules    []*Rule
	Proof    *Proof // how good the suite is; nil where it is not told
}

// Program is a program that was checked, with its record.
type Program struct {
	Name     string // unlike that of any other program of the set
	Record   *runner.Report
	Standing Standing

	lines map[string]*runner.CaseLine
}

// Rule is a numbered rule with the cases that stand under it: those whose first
// cover it is. The last one has no number: it is the rule language, with the cases
// of tier data.
type Rule struct {
	runner.Rule
	Cases []*Case
}

// Case is a case in the records of a set.
type Case struct {
	ID     string
	Status string
	Tier   string
	Title  map[string]string
	Covers []runner.Cover
	Lines  []*runner.CaseLine // of each program; nil where its record does not have the case
}

// NewSet makes a set of records, which are in the order of the programs.
func NewSet(records ...*runner.Report) *Set {
	s := &Set{}
	for _, r := range records {
		p := &Program{Name: r.Header.Program.String(), Record: r, Standing: StandingOf(r), lines: map[string]*runner.CaseLine{}}
		name := p.Name
		for n := 2; slices.ContainsFunc(s.Programs, func(o *Program) bool { return o.Name == p.Name }); n++ {
			p.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		for i := range r.Cases {
			p.lines[r.Cases[i].ID] = &r.Cases[i]
		}
		s.Programs = append(s.Programs, p)
	}
	byRule := map[string]*Rule{}
	rule := func(number string) *Rule {
		if byRule[number] == nil {
			byRule[number] = &Rule{Rule: runner.Rule{Rule: number}}
			s.Rules = append(s.Rules, byRule[number])
		}
		return byRule[number]
	}
	seen := map[string]bool{}
	for _, p := range s.Programs {
		for _, r := range p.Record.Header.Rules {
			if x := rule(r.Rule); x.Statements == nil {
				x.Rule = r
			}
		}
		for i := range p.Record.Cases {
			l := &p.Record.Cases[i]
			if seen[l.ID] {
				continue
			}
			seen[l.ID] = true
			c := &Case{ID: l.ID, Status: l.Status, Tier: l.Tier, Title: l.Title, Covers: l.Covers}
			for _, q := range s.Programs {
				c.Lines = append(c.Lines, q.lines[l.ID])
			}
			r := rule(l.Rule())
			r.Cases = append(r.Cases, c)
		}
	}
	s.Rules = slices.DeleteFunc(s.Rules, func(r *Rule) bool { return len(r.Cases) == 0 })
	slices.SortStableFunc(s.Rules, func(a, b *Rule) int { return compareRules(a.Rule.Rule, b.Rule.Rule) })
	return s
}

// compareRules orders rule numbers part by part: 2 before 11, 11.2 before 11.10.
func compareRules(a, b string) int {
	if a == "" || b == "" { // the rule language comes last
		return cmp.Compare(b, a)
	}
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		m, err1 := strconv.Atoi(x)
		n, err2 := strconv.Atoi(y)
		if err1 == nil && err2 == nil {
			return cmp.Compare(m, n)
		}
		return cmp.Compare(x, y)
	})
}

// Name is the rule's number, or that it is the rule language.
func (r *Rule) Name(lang string) string {
	if r.Rule.Rule == "" {
		return Text(lang, runner.Language)
	}
	return r.Rule.Rule
}

// statement is what a rule says under a key, by language.
func (s *Set) statement(c runner.Cover) map[string]string {
	for _, p := range s.Programs {
		if t := p.Record.Statement(c); t != nil {
			return t
		}
	}
	return nil
}

// Figures count cases by what they came to. Each case is counted once.
type Figures struct {
	Cases       int `json:"cases"`
	Passed      int `json:"passed"`
	Failed      int `json:"failed"`
	Known       int `json:"known_failures"` // failed, as it is known that they do
	Unsupported int `json:"unsupported"`
	Skipped     int `json:"skipped"`
	Reading     int `json:"other_reading"` // the program reads the point otherwise
	NotRun      int `json:"not_run"`
	NotMeant    int `json:"not_meant"` // of tier data, for a program whose rules are built in
}

// Count counts the cases of a record that are wanted; nil wants all.
func Count(r *runner.Report, want func(*runner.CaseLine) bool) Figures {
	var f Figures
	for i := range r.Cases {
		if c := &r.Cases[i]; want == nil || want(c) {
			f.add(KindOf(r, c))
		}
	}
	return f
}

func (f *Figures) add(k Kind) {
	f.Cases++
	*f.of(k)++
}

func (f *Figures) of(k Kind) *int {
	switch k {
	case Passed:
		return &f.Passed
	case Known:
		return &f.Known
	case Unsupported:
		return &f.Unsupported
	case Skipped:
		return &f.Skipped
	case Reading:
		return &f.Reading
	case NotRun:
		return &f.NotRun
	case NotMeant:
		return &f.NotMeant
	}
	return &f.Failed
}

// Kind is a verdict as reports count it.
type Kind string

// The kinds, in the order in which they are told.
const (
	Passed      Kind = "passed"
	Failed      Kind = "failed"
	Known       Kind = "known"
	Unsupported Kind = "unsupported"
	Skipped     Kind = "skipped"
	Reading     Kind = "reading"
	NotRun      Kind = "not-run"
	NotMeant    Kind = "not-meant"
)

// Kinds lists them.
var Kinds = []Kind{Passed, Failed, Known, Unsupported, Skipped, Reading, NotRun, NotMeant}

// Of is how many cases are of a kind.
func (f Figures) Of(k Kind) int { return *f.of(k) }

// KindOf is the kind of what a case of a record came to.
func KindOf(r *runner.Report, c *runner.CaseLine) Kind {
	switch {
	case c.Verdict == runner.NotRun && !r.Meant(c):
		return NotMeant
	case c.Failed():
		return Failed
	case c.Verdict == runner.Pass:
		return Passed
	case c.Known != nil:
		return Known
	case c.Verdict == runner.Unsupported:
		return Unsupported
	case c.Verdict == runner.Skipped:
		return Skipped
	case c.Verdict == runner.Reading:
		return Reading
	}
	return NotRun
}

// Figures are those of a program for the rule's cases of a status.
func (s *Set) Figures(r *Rule, program int, status string) Figures {
	var f Figures
	for _, c := range r.Cases {
		if k := s.Kind(c, program); k != Absent && c.Status == status {
			f.add(k)
		}
	}
	return f
}

// Absent stands in place of a Kind where a record does not have a case.
const Absent Kind = "absent"

// Kind is what a case came to with a program.
func (s *Set) Kind(c *Case, program int) Kind {
	if l := c.Lines[program]; l != nil {
		return KindOf(s.Programs[program].Record, l)
	}
	return Absent
}

// Level says how far a program follows the rules.
type Level string

// The levels, each above the one before.
const (
	NoLevel     Level = "none"
	Core        Level = "core"
	FullReasons Level = "full-with-reasons"
	Full        Level = "full"
)

// Levels lists them.
var Levels = []Level{Core, FullReasons, Full}

// Standing is the level of a program and what keeps it from the next one.
type Standing struct {
	Level   Level      `json:"level"`
	Next    Level      `json:"next,omitempty"` // "" above the highest
	Between []Obstacle `json:"between,omitempty"`
}

// Obstacle keeps a program from a level. Code is twin (the cases were told
// otherwise), faults (breaches of the protocol that belong to no case), left (cases
// that were not selected), unexplained (cases left out without a reason and a link)
// or the Kind of cases.
type Obstacle struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// StandingOf works the level of a program out from its record. Core: each normative
// case of the core tier passes. Full: each normative case passes, and each
// interpretation passes or is of a point that the program says it reads otherwise;
// so does each case of the rule language, if the program loads rules. Full with
// reasons: core, and full but for cases that are left out with a reason and a link.
// Provisional cases count for none.
func StandingOf(r *runner.Report) Standing {
	general := []Obstacle{}
	if r.Header.Twin != "" {
		general = append(general, Obstacle{"twin", r.Header.Selected})
	}
	if n := len(r.Footer.Faults); n > 0 {
		general = append(general, Obstacle{"faults", n})
	}
	at := NoLevel
	for _, l := range Levels {
		between := append(slices.Clone(general), obstacles(r, l)...)
		if len(between) > 0 {
			return Standing{Level: at, Next: l, Between: between}
		}
		at = l
	}
	return Standing{Level: at}
}

// obstacles are the cases that keep a program from a level whose lower one it has.
func obstacles(r *runner.Report, l Level) []Obstacle {
	want := func(status, tier string) bool {
		if l == Core {
			return status == runner.Normative && tier == "core"
		}
		return status == runner.Normative || status == runner.Interpretation ||
			status == runner.Language && r.Header.Program.Rules == protocol.Loaded
	}
	of := 0
	for status, tiers := range r.Header.Tiers {
		for tier, n := range tiers {
			if want(status, tier) {
				of += n
			}
		}
	}
	var f Figures
	unexplained := 0
	for i := range r.Cases {
		c := &r.Cases[i]
		if !want(c.Status, c.Tier) {
			continue
		}
		k := KindOf(r, c)
		f.add(k)
		if (k == Unsupported || k == Skipped) && !explained(c) {
			unexplained++
		}
	}
	var out []Obstacle
	add := func(code string, n int) {
		if n > 0 {
			out = append(out, Obstacle{code, n})
		}
	}
	add("left", of-f.Cases)
	add(string(Failed), f.Failed)
	add(string(Known), f.Known)
	if l == FullReasons {
		add("unexplained", unexplained)
	} else {
		add(string(Unsupported), f.Unsupported)
		add(string(Skipped), f.Skipped)
	}
	if l == Core {
		add(string(Reading), f.Reading) // what the rulebook says can't be read otherwise
	}
	add(string(NotRun), f.NotRun)
	return out
}

// explained reports whether it is said why a case was left out, with a link.
func explained(c *runner.CaseLine) bool {
	reason := c.Reason
	if c.Verdict == runner.Skipped {
		reason = c.Detail
	}
	return strings.TrimSpace(reason) != "" && link(c.Issue)
}

// link reports whether a text is an address that a browser may follow.
func link(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// failed reports whether a program failed a case, known or not.
func failed(c *runner.CaseLine) bool { return c.Failed() || c.Known != nil }

// leftOut is what a program lacks, skips or reads otherwise, and how many cases
// that keeps away.
type leftOut struct {
	Kind   Kind   `json:"kind"`
	What   string `json:"what"` // the feature, the reason, or the reading and its choice
	Reason string `json:"reason,omitempty"`
	Issue  string `json:"issue,omitempty"`
	Cases  int    `json:"cases"`
}

func leftOuts(r *runner.Report) []leftOut {
	var out []leftOut
	for i := range r.Cases {
		c := &r.Cases[i]
		k := KindOf(r, c)
		if k != Unsupported && k != Skipped && k != Reading {
			continue
		}
		x := leftOut{Kind: k, What: c.Detail, Reason: c.Reason, Issue: c.Issue}
		at := slices.IndexFunc(out, func(o leftOut) bool {
			return o.Kind == k && o.What == x.What && o.Reason == x.Reason && o.Issue == x.Issue
		})
		if at < 0 {
			at = len(out)
			out = append(out, x)
		}
		out[at].Cases++
	}
	slices.SortStableFunc(out, func(a, b leftOut) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(b.Cases, a.Cases), cmp.Compare(a.What, b.What))
	})
	return out
}

// maker is how a view names what has made it.
const maker = "momon conformance"

// Made reports whether a file is a view that this package has written, so that
// another may take its place.
func Made(data []byte) bool {
	head := data[:min(len(data), 1000)]
	for _, begin := range []string{"{\n  \"programs\": [", "{\n  \"old\": {\n    \"name\"", "{\n  \"schemaVersion\": 1,\n  \"label\""} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte(maker))
}

// oneSuite reports whether all records are of the same suite.
func (s *Set) oneSuite() bool {
	first := &s.Programs[0].Record.Header
	return !slices.ContainsFunc(s.Programs, func(p *Program) bool {
		h := &p.Record.Header
		return h.Edition != first.Edition || h.Digest != first.Digest || h.Cases != first.Cases
	})
}

// count counts the cases of all records.
func (s *Set) count(want func(*runner.CaseLine) bool) Figures {
	var sum Figures
	for _, p := range s.Programs {
		f := Count(p.Record, want)
		sum.Cases += f.Cases
		for _, k := range Kinds {
			*sum.of(k) += f.Of(k)
		}
	}
	return sum
}

// selection says which cases of the suite were run, and how.
func (p *Program) selection(lang string) string {
	h := &p.Record.Header
	text := Text(lang, "all-cases", h.Cases)
	if h.Selected != h.Cases {
		text = Text(lang, "some-cases", h.Selected, h.Cases)
	}
	if h.Twin != "" {
		text += "; " + Text(lang, "twin", h.Twin)
	}
	if h.Isolated {
		text += "; " + Text(lang, "isolated")
	}
	return text
}

// Brief is the beginning of a digest, enough to tell one from another.
func Brief(digest string) string {
	if len(digest) > 12 {
		return digest[:12]
	}
	return digest
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
