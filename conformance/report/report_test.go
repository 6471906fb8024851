package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/joshdk/go-junit"

	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/report"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

var update = flag.Bool("update", false, "write the golden files")

// suite is a small suite of two rules.
func suite() *runner.Suite {
	s := &runner.Suite{Info: protocol.SuiteInfo{Version: 1, Edition: "1.1.0", Digest: strings.Repeat("0123456789abcdef", 4), Cases: 7},
		Readings: map[string]runner.Point{"end.whose": {Text: map[string]string{"en": "Whose turns end", "th": "จบเทิร์นของใคร"}, Chosen: "every_turn", Others: []string{"controller_only"}}},
		Rules: []runner.Rule{
			{Rule: "13.10", Summary: map[string]string{"en": "Ward lasts.", "th": "Ward คงอยู่"}, Statements: []runner.Statement{
				{Statement: "ward.lasts", Status: "normative", Text: map[string]string{"en": "Ward lasts until the end of the turn.", "th": "Ward คงอยู่จนจบเทิร์น"}},
				{Statement: "end.whose", Status: "interpretation", Text: map[string]string{"en": "Every turn's end counts.", "th": "จบเทิร์นใดก็นับ"}}}},
			{Rule: "13.9", Summary: map[string]string{"en": "Ward stops <everything>.", "th": "Ward หยุดทุกอย่าง"}, Statements: []runner.Statement{
				{Statement: "ward.stops", Status: "normative", Text: map[string]string{"en": "An attempt on it fails.", "th": "ความพยายามต่อมันล้มเหลว"}}}}}}
	add := func(id, status, tier, rule, statement string) {
		s.Cases = append(s.Cases, &runner.Case{ID: id, Status: status, Tier: tier, Title: map[string]string{"en": "Title of " + id, "th": "ชื่อของ " + id},
			Covers: []runner.Cover{{Rule: rule, Statement: statement, Side: "confirms"}},
			Script: []runner.Step{{Step: 1}, {Step: 2, Ask: json.RawMessage(`{"question":"value","of":"A","characteristic":"power"}`), Expect: json.RawMessage("2")}}})
	}
	add("lasts", "normative", "core", "13.10", "ward.lasts")
	add("lasts-long", "normative", "extended", "13.10", "ward.lasts")
	add("whose-end", "interpretation", "core", "13.10", "end.whose")
	add("stops", "normative", "core", "13.9", "ward.stops")
	add("stops-again", "normative", "extended", "13.9", "ward.stops")
	add("stops-too", "normative", "extended", "13.9", "ward.stops")
	add("later", "provisional", "core", "13.9", "ward.stops")
	return s
}

// made is a record of a program that came to given verdicts, in the order of the
// cases; "" leaves a case out of the record.
func made(t testing.TB, name string, verdicts []runner.Verdict, change func(*runner.Outcome, *runner.Report)) *runner.Report {
	t.Helper()
	s := suite()
	o := &runner.Outcome{About: protocol.About{Name: name, Version: "1.0", Rules: protocol.BuiltIn, Features: []string{"steps"}, Questions: []string{"value"},
		Readings: map[string]string{"end.whose": "controller_only"}}}
	for i, v := range verdicts {
		if v == "" {
			continue
		}
		r := &runner.Result{Case: s.Cases[i], Verdict: v}
		switch v {
		case runner.Fail:
			r.Step, r.Given = &s.Cases[i].Script[1], json.RawMessage(`"3 | <b>`+name+`</b>"`)
		case runner.Missing:
			r.Step = &s.Cases[i].Script[1]
		case runner.Unsupported:
			r.Detail = "loops"
		case runner.Skipped:
			r.Detail = "not yet, says @" + name
		case runner.Reading:
			r.Detail = "end.whose controller_only"
		case runner.Crash:
			r.Detail, r.Stderr = "exit status 9", "out of luck\n\x1b[31m```& <done>"
		}
		o.Results = append(o.Results, r)
	}
	if change != nil {
		change(o, nil)
	}
	r := runner.NewReport(s, o, func(failed []*runner.Result) []*interpreter.Story {
		var out []*interpreter.Story
		for range failed {
			out = append(out, &interpreter.Story{Start: []string{"given A: card of P1 at Arena {\n  power 2\n}"}, Steps: []interpreter.StoryStep{
				{Step: 1, Text: "during turn of P1 {", Happens: map[string][]string{"en": {"Turn of P1"}, "th": {"เทิร์นของ P1"}}, Entries: []int{4}},
				{Step: 2, Text: "A.power", Expected: json.RawMessage("2")}}, Why: map[string]string{"en": "A has 2, as it is printed.", "th": "A มี 2 ตามที่พิมพ์"}})
		}
		return out
	})
	if change != nil {
		change(nil, r)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	r, err := runner.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	pass    = runner.Pass
	fail    = runner.Fail
	unsup   = runner.Unsupported
	skip    = runner.Skipped
	reading = runner.Reading
	notRun  = runner.NotRun
)

// records are three programs: one that follows the rules, one that leaves things
// out, and one that is wrong.
func records(t testing.TB) []*runner.Report {
	return []*runner.Report{
		made(t, "right", []runner.Verdict{pass, pass, reading, pass, pass, pass, pass}, nil),
		made(t, "partial", []runner.Verdict{pass, unsup, pass, pass, skip, pass, fail}, func(_ *runner.Outcome, r *runner.Report) {
			if r != nil {
				r.Cases[1].Reason, r.Cases[1].Issue = "not yet", "https://issues.example/1"
				r.Cases[4].Issue = "javascript:alert(1)"
			}
		}),
		made(t, "wr|ong `<i>`", []runner.Verdict{fail, pass, pass, runner.Crash, runner.Missing, fail, ""}, func(o *runner.Outcome, r *runner.Report) {
			if o != nil {
				o.Faults = append(o.Faults, &runner.Fault{Verdict: runner.Talks, Detail: "Welcome <all>!"})
				return
			}
			r.Expect(map[string]runner.Known{"lasts-long": {ID: "lasts-long", Reason: "listed", Until: "2090-01-01"}, "stops": {ID: "stops", Reason: "in work", Until: "2090-01-01"},
				"stops-too": {ID: "stops-too", Reason: "was in work", Until: "2020-01-01"}}, "2026-06-01")
		}),
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// TestViews holds every view to what is checked in, in both languages.
func TestViews(t *testing.T) {
	s := report.NewSet(records(t)...)
	s.Proof = proof(t)
	one := records(t)[0]
	d := report.Compare(records(t)[0], records(t)[2])
	for _, lang := range []string{"en", "th"} {
		for name, write := range map[string]func(io.Writer) error{
			"report.md":   func(w io.Writer) error { return s.Markdown(w, lang) },
			"report.xml":  func(w io.Writer) error { return s.JUnit(w, lang) },
			"report.html": func(w io.Writer) error { return s.HTML(w, lang) },
			"badge.svg":   func(w io.Writer) error { return report.Badge(w, one, lang) },
			"badge.json":  func(w io.Writer) error { return report.Endpoint(w, one, lang) },
			"diff.md":     func(w io.Writer) error { return d.Markdown(w, lang) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if !report.Made(b.Bytes()) {
				t.Errorf("%s: it is not known again", name)
			}
			golden(t, lang+"-"+name, b.Bytes())
		}
	}
	var b bytes.Buffer
	if err := s.JSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", b.Bytes())
	b.Reset()
	if err := d.JSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.json", b.Bytes())
	record := new(bytes.Buffer)
	if err := one.Write(record); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"", "something else", "{\n  \"name\": 1\n}", "<!DOCTYPE html>\n<html>", record.String()} {
		if report.Made([]byte(other)) {
			t.Errorf("%.20q is taken for a view", other)
		}
	}
}

// proof is a proof of the small suite.
func proof(t *testing.T) *report.Proof {
	t.Helper()
	p, err := report.ReadProof([]byte(`{"proof": 1, "edition": "1.1.0", "claims": {"mistake": 3, "own": 2, "unmoved": 1}, "fakes": 5,
		"mutants": {"killed": 7, "limit": 1, "game": 2, "ledger": 4, "refused": 9}, "twins": {"swap": 7}, "compare": {"scenarios": 20, "questions": 90, "same": 19, "different": 1},
		"statements": [{"rule": "13.9", "statement": "ward.stops", "confirms": 4, "confirms_proven": 3, "refutes": 2, "refutes_proven": 2, "mutants": 6, "killed": 5, "mistakes": 1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProof sees that only a proof of the records' edition is taken, and that it is
// counted right.
func TestProof(t *testing.T) {
	p := proof(t)
	if got := strings.Join(p.Lines("en"), "\n"); !strings.Contains(got, "proven: 5 of 6\n") || !strings.Contains(got, "a case sees: 8 of 14. Seen only in games: 2") ||
		!strings.Contains(got, "caught: 5") || !strings.Contains(got, "20 with 90 questions; alike: 19, different: 1") {
		t.Error(got)
	}
	s := report.NewSet(records(t)...)
	if !p.Of(s) {
		t.Error("it is of another edition")
	}
	if p.Edition = "2"; p.Of(s) {
		t.Error("a proof of another edition is taken")
	}
	for _, bad := range []string{"", "{}", `{"proof": 2, "edition": "1"}`, `{"proof": "1"}`} {
		if _, err := report.ReadProof([]byte(bad)); err == nil {
			t.Errorf("%s is taken for a proof", bad)
		}
	}
}

// TestLevels sees which level each record comes to, and what is between it and the
// next.
func TestLevels(t *testing.T) {
	reasons := func(_ *runner.Outcome, r *runner.Report) {
		if r == nil {
			return
		}
		for i := range r.Cases {
			switch c := &r.Cases[i]; c.Verdict {
			case unsup:
				c.Reason, c.Issue = "not yet", "https://issues.example/1"
			case skip:
				c.Issue = "https://issues.example/2"
			}
		}
	}
	for _, c := range []struct {
		name     string
		verdicts []runner.Verdict
		change   func(*runner.Outcome, *runner.Report)
		level    report.Level
		between  string
	}{
		{"all pass", []runner.Verdict{pass, pass, pass, pass, pass, pass, pass}, nil, report.Full, ""},
		{"a provisional one fails", []runner.Verdict{pass, pass, pass, pass, pass, pass, fail}, nil, report.Full, ""},
		{"a provisional one was not selected", []runner.Verdict{pass, pass, pass, pass, pass, pass, ""}, nil, report.Full, ""},
		{"another reading", []runner.Verdict{pass, pass, reading, pass, pass, pass, pass}, nil, report.Full, ""},
		{"left out with reasons", []runner.Verdict{pass, unsup, pass, pass, skip, pass, pass}, reasons, report.FullReasons, "unsupported 1, skipped 1"},
		{"left out without", []runner.Verdict{pass, unsup, pass, pass, skip, pass, pass}, nil, report.Core, "unexplained 2"},
		{"a core case left out with a reason", []runner.Verdict{skip, pass, pass, pass, pass, pass, pass}, reasons, report.NoLevel, "skipped 1"},
		{"an extended case fails", []runner.Verdict{pass, fail, pass, pass, pass, pass, pass}, nil, report.Core, "failed 1"},
		{"an interpretation fails", []runner.Verdict{pass, pass, fail, pass, pass, pass, pass}, nil, report.Core, "failed 1"},
		{"a core case fails", []runner.Verdict{fail, pass, pass, pass, pass, pass, pass}, nil, report.NoLevel, "failed 1"},
		{"only core cases that are normative", []runner.Verdict{pass, "", "", pass, "", "", ""}, nil, report.Core, "left 4"},
		{"a core case was not selected", []runner.Verdict{"", pass, pass, pass, pass, pass, pass}, nil, report.NoLevel, "left 1"},
		{"given up", []runner.Verdict{pass, pass, pass, notRun, notRun, notRun, notRun}, nil, report.NoLevel, "not-run 1"},
		{"the protocol was broken", []runner.Verdict{pass, pass, pass, pass, pass, pass, pass}, func(o *runner.Outcome, _ *runner.Report) {
			if o != nil {
				o.Faults = append(o.Faults, &runner.Fault{Verdict: runner.Hang})
			}
		}, report.NoLevel, "faults 1"},
		{"a twin", []runner.Verdict{pass, pass, pass, pass, pass, pass, pass}, func(_ *runner.Outcome, r *runner.Report) {
			if r != nil {
				r.Header.Twin = "swap"
			}
		}, report.NoLevel, "twin 7"},
		{"a known failure", []runner.Verdict{fail, pass, pass, pass, pass, pass, pass}, func(_ *runner.Outcome, r *runner.Report) {
			if r != nil {
				r.Expect(map[string]runner.Known{"lasts": {ID: "lasts", Reason: "x", Until: "2090-01-01"}}, "2026-06-01")
			}
		}, report.NoLevel, "known 1"},
	} {
		got := report.StandingOf(made(t, "p", c.verdicts, c.change))
		var between []string
		for _, o := range got.Between {
			between = append(between, o.Code+" "+strconv.Itoa(o.Count))
		}
		if got.Level != c.level || strings.Join(between, ", ") != c.between || (got.Next == "") != (c.level == report.Full) {
			t.Errorf("%s: %+v, want %s, %s", c.name, got, c.level, c.between)
		}
	}
}

// TestFigures sees that each case is counted once, by what it came to, and that
// provisional ones never add to the normative figure.
func TestFigures(t *testing.T) {
	for _, r := range records(t) {
		for _, status := range runner.Statuses {
			f := report.Count(r, func(c *runner.CaseLine) bool { return c.Status == status })
			if f.Cases != f.Passed+f.Failed+f.Known+f.Unsupported+f.Skipped+f.Reading+f.NotRun+f.NotMeant {
				t.Errorf("%s %s: %+v", r.Header.Program.Name, status, f)
			}
		}
	}
	r := records(t)[2]
	f := report.Count(r, func(c *runner.CaseLine) bool { return c.Status == runner.Normative })
	if want := (report.Figures{Cases: 5, Failed: 4, Known: 1}); f != want { // one passes though it is listed
		t.Errorf("%+v, want %+v", f, want)
	}
	s := report.NewSet(records(t)...)
	if len(s.Rules) != 2 || s.Rules[0].Rule.Rule != "13.9" || s.Rules[1].Rule.Rule != "13.10" {
		t.Errorf("the rules are not in order: %v", s.Rules)
	}
	if same := report.NewSet(r, r); same.Programs[0].Name == same.Programs[1].Name {
		t.Error("two records have one name")
	}
}

// TestCompare sees which way each pair of verdicts goes, and what of it makes the
// new record worse.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		old, new runner.Verdict
		way      report.Way
		worse    bool
	}{
		{pass, fail, report.Worse, true}, {pass, unsup, report.Worse, true}, {skip, fail, report.Worse, true},
		{fail, pass, report.Better, false}, {fail, unsup, report.Better, false}, {reading, pass, report.Better, false},
		{fail, runner.Crash, report.Changed, false}, {unsup, skip, report.Changed, false}, {pass, pass, "", false}, {fail, fail, "", false},
		{"", pass, report.New, false}, {"", fail, report.New, true}, {"", skip, report.New, false}, {pass, "", report.Gone, false}, {fail, "", report.Gone, false},
	} {
		old := []runner.Verdict{c.old, pass, pass, pass, pass, pass, pass}
		new := []runner.Verdict{c.new, pass, pass, pass, pass, pass, pass}
		d := report.Compare(made(t, "p", old, nil), made(t, "p", new, nil))
		if c.way == "" {
			if len(d.Changes) != 0 || len(d.Rules) != 0 {
				t.Errorf("%s → %s: %+v", c.old, c.new, d.Changes)
			}
			continue
		}
		if len(d.Changes) != 1 || d.Changes[0].Way != c.way || d.Worse() != c.worse || d.Count(c.way) != 1 || len(d.Rules) > 1 {
			t.Errorf("%s → %s: %+v, worse %v", c.old, c.new, d.Changes, d.Worse())
		}
		// A provisional case is told, and does not count.
		slices.Reverse(old)
		slices.Reverse(new)
		if d := report.Compare(made(t, "p", old, nil), made(t, "p", new, nil)); len(d.Changes) != 1 || d.Worse() {
			t.Errorf("provisional %s → %s: %+v, worse %v", c.old, c.new, d.Changes, d.Worse())
		}
	}
	fault := func(o *runner.Outcome, _ *runner.Report) {
		if o != nil {
			o.Faults = append(o.Faults, &runner.Fault{Verdict: runner.Hang})
		}
	}
	all := []runner.Verdict{pass, pass, pass, pass, pass, pass, pass}
	if !report.Compare(made(t, "p", all, nil), made(t, "p", all, fault)).Worse() || report.Compare(made(t, "p", all, fault), made(t, "p", all, nil)).Worse() {
		t.Error("a breach of the protocol is not seen")
	}
}

// TestJUnit reads the XML with a reader of its own, and sees that what does not
// count fails no build.
func TestJUnit(t *testing.T) {
	for _, lang := range []string{"en", "th"} {
		var b bytes.Buffer
		if err := report.NewSet(records(t)...).JUnit(&b, lang); err != nil {
			t.Fatal(err)
		}
		suites, err := junit.Ingest(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		var sum junit.Totals
		for _, s := range suites {
			sum.Tests, sum.Passed, sum.Skipped, sum.Failed, sum.Error = sum.Tests+s.Totals.Tests, sum.Passed+s.Totals.Passed, sum.Skipped+s.Totals.Skipped,
				sum.Failed+s.Totals.Failed, sum.Error+s.Totals.Error
		}
		// right: 6 pass, 1 is read otherwise. partial: 4 pass, 2 are left out, a provisional
		// one fails. wrong: a fault, lasts, lasts-long (listed), stops-again and stops-too
		// fail, stops is known, whose-end passes.
		if want := (junit.Totals{Tests: 21, Passed: 11, Skipped: 5, Failed: 4, Error: 1}); sum != want {
			t.Errorf("%s: %+v, want %+v", lang, sum, want)
		}
		var counted struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
		}
		if err := xml.Unmarshal(b.Bytes(), &counted); err != nil {
			t.Fatal(err)
		}
		if counted.Tests != 21 || counted.Failures != 4 || counted.Errors != 1 {
			t.Errorf("%+v", counted)
		}
	}
}

var tags = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>`)

// TestPage sees that the page needs nothing but itself, is well formed, says
// everything in both languages and can be used without a mouse and without
// colours.
func TestPage(t *testing.T) {
	for _, lang := range []string{"en", "th"} {
		var b bytes.Buffer
		if err := report.NewSet(records(t)...).HTML(&b, lang); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !strings.Contains(text, `<html lang="`+lang+`">`) || !strings.Contains(text, `id="in-`+lang+`" checked`) {
			t.Errorf("it does not begin in %s", lang)
		}
		if strings.Contains(text, "ZgotmplZ") || strings.Contains(text, "javascript:") {
			t.Error("something unsafe was put in")
		}
		for _, word := range []string{"<script", "<link", "<img", "<iframe", "url(", "@import", "src=", " on"} {
			if word != " on" && strings.Contains(text, word) {
				t.Errorf("it has %s", word)
			}
		}
		var open []string
		ids := map[string]int{}
		var links []string
		texts := map[string]int{}
		for _, m := range tags.FindAllStringSubmatch(text, -1) {
			attrs := map[string]string{}
			for _, a := range regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`).FindAllStringSubmatch(m[3], -1) {
				attrs[a[1]] = a[2]
				if strings.HasPrefix(a[1], "on") {
					t.Errorf("a script: %s", m[0])
				}
			}
			if m[1] == "/" {
				if len(open) == 0 || open[len(open)-1] != m[2] {
					t.Fatalf("</%s> closes %v", m[2], open)
				}
				open = open[:len(open)-1]
				continue
			}
			if id, ok := attrs["id"]; ok {
				ids[id]++
			}
			if h, ok := attrs["href"]; ok {
				links = append(links, h)
			}
			if l := attrs["lang"]; attrs["class"] == "en" || attrs["class"] == "th" {
				if l == "" {
					t.Errorf("%s has no language", m[0])
				}
				texts[attrs["class"]]++
			}
			if attrs["class"] == "wide" && (attrs["tabindex"] != "0" || attrs["role"] != "region" || attrs["aria-labelledby"] == "") {
				t.Errorf("%s can't be scrolled by keys", m[0])
			}
			if m[2] == "th" && attrs["scope"] == "" {
				t.Errorf("%s is the head of nothing", m[0])
			}
			if ti, ok := attrs["tabindex"]; ok && ti != "0" {
				t.Errorf("%s: the order of keys is not that of the page", m[0])
			}
			if !slices.Contains([]string{"meta", "input", "br"}, m[2]) {
				open = append(open, m[2])
			}
		}
		if len(open) > 0 {
			t.Errorf("not closed: %v", open)
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("the id %s stands there %d times", id, n)
			}
		}
		for _, h := range links {
			if id, ok := strings.CutPrefix(h, "#"); ok && ids[id] == 0 || !ok && !strings.HasPrefix(h, "https://issues.example/") {
				t.Errorf("the link %s leads nowhere, or out", h)
			}
		}
		if texts["en"] != texts["th"] || texts["en"] < 100 {
			t.Errorf("texts: %v", texts)
		}
	}
	signs := map[string]bool{}
	for _, k := range append(slices.Clone(report.Kinds), "absent") {
		signs[report.Sign(k)] = true
	}
	if len(signs) != len(report.Kinds)+1 {
		t.Error("two kinds share a sign")
	}
}

// TestContrast sees that letters can be read on what is behind them, in light and
// in dark.
func TestContrast(t *testing.T) {
	data, err := os.ReadFile("page.css")
	if err != nil {
		t.Fatal(err)
	}
	roots := regexp.MustCompile(`:root\{([^}]*)\}`).FindAllStringSubmatch(string(data), -1)
	if len(roots) != 3 { // light, dark, print
		t.Fatalf("%d sets of colours", len(roots))
	}
	for i, root := range roots {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([a-z]+):#([0-9a-f]+)`).FindAllStringSubmatch(root[1], -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		for _, ink := range []string{"ink", "soft", "good", "bad", "warn", "cool", "link"} {
			for _, back := range []string{"back", "band"} {
				a, b := colours[ink], colours[back]
				if a < b {
					a, b = b, a
				}
				if c := (a + 0.05) / (b + 0.05); c < 4.5 {
					t.Errorf("set %d: %s on %s: %.1f", i, ink, back, c)
				}
			}
		}
	}
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, part := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(n>>(16-8*i)&0xff) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += part * v
	}
	return sum
}

// TestBadge sees that the badge is a picture and says the level, or how far the
// program is below it.
func TestBadge(t *testing.T) {
	for _, c := range []struct {
		record *runner.Report
		says   string
	}{
		{records(t)[0], "momon rules 1.1.0: full"},
		{records(t)[1], "momon rules 1.1.0: core"},
		{records(t)[2], "momon rules 1.1.0: 0 of 5"},
		{made(t, "p", []runner.Verdict{pass, pass, pass, notRun, notRun, notRun, notRun}, nil), "momon rules 1.1.0: incomplete"},
	} {
		var b bytes.Buffer
		if err := report.Badge(&b, c.record, "en"); err != nil {
			t.Fatal(err)
		}
		var svg struct {
			XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
			Title   string   `xml:"title"`
		}
		if err := xml.Unmarshal(b.Bytes(), &svg); err != nil || svg.Title != c.says {
			t.Errorf("%v, %q, want %q", err, svg.Title, c.says)
		}
		b.Reset()
		if err := report.Endpoint(&b, c.record, "en"); err != nil {
			t.Fatal(err)
		}
		var e map[string]any
		if err := json.Unmarshal(b.Bytes(), &e); err != nil || e["schemaVersion"] != 1.0 || e["label"].(string)+": "+e["message"].(string) != c.says {
			t.Errorf("%v, %v", err, e)
		}
	}
}

// TestMarkdown sees that a report of many failures stays small enough to be shown
// under a change, and says what it does not show; and that what a program says
// can't break out of its place.
func TestMarkdown(t *testing.T) {
	r := records(t)[2]
	for len(r.Cases) < 2000 {
		c := r.Cases[0]
		c.ID += strconv.Itoa(len(r.Cases))
		r.Cases = append(r.Cases, c)
	}
	var b bytes.Buffer
	if err := report.NewSet(r).Markdown(&b, "en"); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 65000 || !regexp.MustCompile(`Not shown here: \d\d\d+ more`).MatchString(b.String()) {
		t.Errorf("%d bytes: …%s", b.Len(), b.String()[b.Len()-200:])
	}
	b.Reset()
	r = made(t, "<i>|@all", []runner.Verdict{fail, skip, pass, runner.Crash, pass, pass, pass}, nil)
	if err := report.NewSet(r).Markdown(&b, "en"); err != nil {
		t.Fatal(err)
	}
	fence := ""
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "<!-- momon conformance "):
			continue
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = line
			continue
		case fence != "":
			if line == fence {
				fence = ""
			}
			continue
		}
		line = regexp.MustCompile("`[^`]*`").ReplaceAllString(line, "") // what is code stands as it is
		line = regexp.MustCompile("</?(details|summary|br)>").ReplaceAllString(line, "")
		if strings.Contains(line, "<") || strings.Contains(line, "@all") || strings.Contains(line, "i>|") {
			t.Errorf("a program's words are taken for Markdown: %s", line)
		}
	}
	if fence != "" || strings.Contains(b.String(), "\x1b") || strings.Count(b.String(), "<details>") != strings.Count(b.String(), "</details>") {
		t.Error("what a program says breaks out of its place")
	}
}

// TestWords sees that every text stands in both languages, and that each verdict
// and kind has its own.
func TestWords(t *testing.T) {
	thai := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x0e01 && r <= 0x0e5b })
	}
	for _, v := range runner.Verdicts {
		if en, th := report.Sentence("en", v), report.Sentence("th", v); en == "verdict-"+string(v) || !thai(th) {
			t.Errorf("%s: %q, %q", v, en, th)
		}
	}
	for _, k := range report.Kinds {
		if !thai(report.Text("th", string(k))) || !thai(report.Text("th", "about-"+string(k))) {
			t.Errorf("%s has no name", k)
		}
	}
	for _, l := range append(slices.Clone(report.Levels), report.NoLevel) {
		if !thai(report.Text("th", "level-"+string(l))) {
			t.Errorf("%s has no name", l)
		}
	}
}
