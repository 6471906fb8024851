package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/momon-rules/momon/conformance/runner"
)

// Diff is what changed from one record to another.
type Diff struct {
	Old, New         *runner.Report
	OldName, NewName string
	Changes          []Change // what became worse first
	Rules            []RuleChange
}

// Change is a case that came out otherwise.
type Change struct {
	Way      Way               `json:"way"`
	ID       string            `json:"id"`
	Rule     string            `json:"rule"`
	Status   string            `json:"status"`
	Tier     string            `json:"tier"`
	Old      runner.Verdict    `json:"old,omitempty"` // "" where it is new
	New      runner.Verdict    `json:"new,omitempty"` // "" where it is gone
	Detail   string            `json:"detail,omitempty"`
	OldKnown bool              `json:"old_known,omitempty"` // it was known to fail
	NewKnown bool              `json:"new_known,omitempty"`
	Title    map[string]string `json:"title"`
	Counts   bool              `json:"counts"` // it is not provisional
}

// Way is which way a case went.
type Way string

// The ways.
const (
	Worse   Way = "worse"
	Better  Way = "better"
	Changed Way = "changed"
	New     Way = "new"
	Gone    Way = "gone"
)

// Ways lists them in the order in which they are told.
var Ways = []Way{Worse, Better, Changed, New, Gone}

// RuleChange is how the figures of a rule's cases of a status changed.
type RuleChange struct {
	Rule   string  `json:"rule"`
	Status string  `json:"status"`
	Old    Figures `json:"old"`
	New    Figures `json:"new"`
}

// Compare finds what changed from one record to another. A case that passed and
// does not any more, or that was left out and fails, became worse.
func Compare(old, new *runner.Report) *Diff {
	s := NewSet(old, new)
	d := &Diff{Old: old, New: new, OldName: s.Programs[0].Name, NewName: s.Programs[1].Name}
	if old.Header.Program == new.Header.Program {
		d.NewName = d.OldName // the same program, at another time
	}
	for _, r := range s.Rules {
		for _, status := range runner.Statuses {
			if x := (RuleChange{r.Rule.Rule, status, s.Figures(r, 0, status), s.Figures(r, 1, status)}); x.Old != x.New {
				d.Rules = append(d.Rules, x)
			}
		}
		for _, c := range r.Cases {
			a, b := c.Lines[0], c.Lines[1]
			x := Change{ID: c.ID, Rule: r.Rule.Rule, Status: c.Status, Tier: c.Tier, Title: c.Title, Counts: c.Status != runner.Provisional}
			if a != nil {
				x.Old, x.OldKnown = a.Verdict, KindOf(old, a) == Known
			}
			if b != nil {
				x.New, x.NewKnown, x.Detail = b.Verdict, KindOf(new, b) == Known, b.Detail
				x.Status, x.Tier, x.Title, x.Counts = b.Status, b.Tier, b.Title, b.Status != runner.Provisional
			}
			switch {
			case a == nil:
				x.Way = New
			case b == nil:
				x.Way = Gone
			case rank(b.Verdict) < rank(a.Verdict):
				x.Way = Worse
			case rank(b.Verdict) > rank(a.Verdict):
				x.Way = Better
			case a.Verdict != b.Verdict || a.Failed() != b.Failed():
				x.Way = Changed
			default:
				continue
			}
			d.Changes = append(d.Changes, x)
		}
	}
	slices.SortStableFunc(d.Changes, func(x, y Change) int { return slices.Index(Ways, x.Way) - slices.Index(Ways, y.Way) })
	return d
}

// rank orders verdicts: what passes, what is left out, what was not run, what fails.
func rank(v runner.Verdict) int {
	switch v {
	case runner.Pass:
		return 3
	case runner.Mended: // it passes; only its list is out of date
		return 3
	case runner.Unsupported, runner.Skipped, runner.Reading:
		return 2
	case runner.NotRun:
		return 1
	}
	return 0
}

// Count is how many cases went a way.
func (d *Diff) Count(w Way) int {
	n := 0
	for _, c := range d.Changes {
		if c.Way == w {
			n++
		}
	}
	return n
}

// Worse reports whether something became worse that counts: a case, a new case
// that fails, or a breach of the protocol that was not there before.
func (d *Diff) Worse() bool {
	return len(d.New.Footer.Faults) > len(d.Old.Footer.Faults) || slices.ContainsFunc(d.Changes, func(c Change) bool {
		return c.Counts && (c.Way == Worse || c.Way == New && c.New.Bad() && !c.NewKnown)
	})
}

// Notes are the sentences that stand above the cases: what is not alike about the
// records, and the levels.
func (d *Diff) Notes(lang string) []string {
	var out []string
	a, b := &d.Old.Header, &d.New.Header
	if a.Edition != b.Edition || a.Digest != b.Digest {
		out = append(out, Text(lang, "diff-suites", a.Edition, Brief(a.Digest), b.Edition, Brief(b.Digest)))
	}
	if a.Twin != b.Twin {
		name := func(s string) string {
			if s == "" {
				return Text(lang, "as-they-stand")
			}
			return s
		}
		out = append(out, Text(lang, "diff-twins", name(a.Twin), name(b.Twin)))
	}
	x, y := StandingOf(d.Old), StandingOf(d.New)
	if x.Level == y.Level {
		out = append(out, Text(lang, "diff-level-is", Text(lang, "level-"+string(y.Level))))
	} else {
		out = append(out, Text(lang, "diff-level", Text(lang, "level-"+string(x.Level)), Text(lang, "level-"+string(y.Level))))
	}
	if o := Obstacles(lang, y); o != "" {
		out[len(out)-1] += " (" + o + ")"
	}
	if m, n := len(d.Old.Footer.Faults), len(d.New.Footer.Faults); m+n > 0 {
		out = append(out, Text(lang, "diff-faults", m, n))
	}
	return out
}

// Verdicts words what a case came to before and now.
func (c *Change) Verdicts(lang string) string {
	word := func(v runner.Verdict, known bool) string {
		switch {
		case v == "":
			return Text(lang, "absent")
		case v == runner.Pass, v == runner.Unsupported, v == runner.Skipped, v == runner.Reading, v == runner.NotRun:
			k := map[runner.Verdict]Kind{runner.Pass: Passed, runner.Unsupported: Unsupported, runner.Skipped: Skipped, runner.Reading: Reading, runner.NotRun: NotRun}
			return Text(lang, string(k[v]))
		case v == runner.Fail && known:
			return Text(lang, "known")
		case v == runner.Fail:
			return Text(lang, "failed")
		case known && v != runner.Mended:
			return Text(lang, "known") + " (" + string(v) + ")"
		}
		return Text(lang, "failed") + " (" + string(v) + ")"
	}
	switch c.Way {
	case New:
		return word(c.New, c.NewKnown)
	case Gone:
		return word(c.Old, c.OldKnown)
	}
	return word(c.Old, c.OldKnown) + " → " + word(c.New, c.NewKnown)
}

// Where is the number of the rule under which the case stands, or that it is of the
// rule language.
func (c *Change) Where(lang string) string { return ruleName(c.Rule, lang) }

// Where is the rule's number, or that it is the rule language.
func (r *RuleChange) Where(lang string) string { return ruleName(r.Rule, lang) }

func ruleName(number, lang string) string {
	return (&Rule{Rule: runner.Rule{Rule: number}}).Name(lang)
}

// Title names the two records.
func (d *Diff) Title(lang string) string { return Text(lang, "diff-title", d.OldName, d.NewName) }

// Totals counts the cases that went each way.
func (d *Diff) Totals(lang string) string {
	return Text(lang, "diff-totals", d.Count(Worse), d.Count(Better), d.Count(Changed), d.Count(New), d.Count(Gone))
}

// JSON writes what changed as JSON.
func (d *Diff) JSON(w io.Writer) error {
	type side struct {
		Name     string             `json:"name"`
		Program  runner.Program     `json:"program"`
		Edition  string             `json:"edition"`
		Digest   string             `json:"digest"`
		Twin     string             `json:"twin,omitempty"`
		Standing Standing           `json:"standing"`
		Figures  map[string]Figures `json:"figures"` // by status
		Faults   []runner.FaultLine `json:"faults"`
	}
	of := func(name string, r *runner.Report) side {
		x := side{Name: name, Program: r.Header.Program, Edition: r.Header.Edition, Digest: r.Header.Digest, Twin: r.Header.Twin,
			Standing: StandingOf(r), Figures: map[string]Figures{}, Faults: r.Footer.Faults}
		for _, status := range runner.Statuses {
			if f := Count(r, ofStatus(status)); f.Cases > 0 {
				x.Figures[status] = f
			}
		}
		return x
	}
	out := struct {
		Old     side         `json:"old"`
		New     side         `json:"new"`
		Worse   bool         `json:"worse"`
		Changes []Change     `json:"changes"`
		Rules   []RuleChange `json:"rules"`
	}{of(d.OldName, d.Old), of(d.NewName, d.New), d.Worse(), append([]Change{}, d.Changes...), append([]RuleChange{}, d.Rules...)}
	return encode(w, out)
}

// Markdown writes what changed as Markdown.
func (d *Diff) Markdown(w io.Writer, lang string) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	t := func(key string, args ...any) string { return Text(lang, key, args...) }
	line("<!-- %s diff -->\n## %s\n", maker, md(d.Title(lang)))
	for _, n := range d.Notes(lang) {
		line("- %s", md(n))
	}
	line("")
	if len(d.Changes) == 0 {
		line("%s", t("diff-same"))
	} else {
		line("%s", md(d.Totals(lang)))
	}
	more := 0
	for _, w := range Ways {
		if n := d.Count(w); n > 0 {
			line("\n### %s (%d)\n", t("diff-"+string(w)), n)
		}
		for _, c := range d.Changes {
			if c.Way != w {
				continue
			}
			if b.Len() > mostMarkdown {
				more++
				continue
			}
			text := fmt.Sprintf("- %s (%s): %s – %s", code(c.ID), md(c.Where(lang)), md(c.Verdicts(lang)), md(InLang(c.Title, lang)))
			if c.Detail != "" {
				text += " " + code(c.Detail)
			}
			if !c.Counts {
				text += " (" + t("diff-not-count") + ")"
			}
			line("%s", text)
		}
	}
	if more > 0 {
		line("\n%s", t("diff-more", more))
	}
	if len(d.Rules) > 0 {
		line("\n### %s\n", t("by-rule"))
		line("| %s | %s | %s | %s |\n| --- | --- | --- | --- |", t("rule"), t("status"), t("diff-before"), t("diff-now"))
		for _, r := range d.Rules {
			line("| %s | %s | %s | %s |", md(r.Where(lang)), t(r.Status), cell(r.Old, lang), cell(r.New, lang))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
