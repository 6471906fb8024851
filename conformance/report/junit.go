package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/momon-rules/momon/conformance/runner"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Skipped *junitSkipped `xml:"skipped"`
	Failure *junitWhy     `xml:"failure"`
	Error   *junitWhy     `xml:"error"`
	Stderr  string        `xml:"system-err,omitempty"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitWhy struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the records as JUnit XML: a test suite for each program and status.
// What JUnit calls skipped says in its message which kind it is. A failure that
// does not count, because it is known or of a provisional case, is skipped too: a
// reader of JUnit knows no other way to show it and let the build pass.
func (s *Set) JUnit(w io.Writer, lang string) error {
	out := junitSuites{Name: Text(lang, "title")}
	for _, p := range s.Programs {
		h := &p.Record.Header
		props := []junitProperty{{"program", h.Program.String()}, {"edition", h.Edition}, {"digest", h.Digest},
			{"level", string(p.Standing.Level)}, {"complete", fmt.Sprint(p.Record.Footer.Complete)}, {"selected", fmt.Sprintf("%d/%d", h.Selected, h.Cases)}}
		if h.Twin != "" {
			props = append(props, junitProperty{"twin", h.Twin})
		}
		for _, status := range runner.Statuses {
			suite := junitSuite{Name: p.Name + ": " + Text(lang, status), Properties: props}
			for i := range p.Record.Cases {
				if c := &p.Record.Cases[i]; c.Status == status {
					suite.add(s.junitCase(p, c, lang))
				}
			}
			if len(suite.Cases) > 0 {
				out.add(suite)
			}
		}
		suite := junitSuite{Name: p.Name + ": " + Text(lang, "faults"), Properties: props}
		for i, f := range p.Record.Footer.Faults {
			suite.add(junitCase{Class: "protocol", Name: fmt.Sprintf("%s-%d", f.Verdict, i+1), Stderr: f.Stderr,
				Error: &junitWhy{string(f.Verdict), Sentence(lang, f.Verdict) + ": " + f.Detail, f.Detail}})
		}
		if len(suite.Cases) > 0 {
			out.add(suite)
		}
	}
	if _, err := io.WriteString(w, xml.Header+"<!-- "+maker+" report -->\n"); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuites) add(x junitSuite) {
	s.Suites = append(s.Suites, x)
	s.Tests, s.Failures, s.Errors = s.Tests+x.Tests, s.Failures+x.Failures, s.Errors+x.Errors
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	}
}

func (s *Set) junitCase(p *Program, c *runner.CaseLine, lang string) junitCase {
	out := junitCase{Class: strings.TrimSuffix(c.Status+"."+c.Rule(), "."), Name: c.ID, Stderr: c.Stderr}
	kind := KindOf(p.Record, c)
	message := Sentence(lang, c.Verdict)
	if c.Detail != "" {
		message += ": " + c.Detail
	}
	if c.At != nil && len(c.At.Question) > 0 {
		message += fmt.Sprintf(" (%s: %s; %s; %s)", Text(lang, "question", c.At.Step), c.Asks(), Text(lang, "comes", plain(c.At.Expected)),
			Text(lang, "given", p.Name)+": "+given(lang, c))
	}
	switch {
	case kind == Passed:
	case kind == Known:
		out.Skipped = &junitSkipped{Text(lang, "known-until", c.Known.Until, c.Known.Reason) + " – " + message}
	case kind != Failed:
		out.Skipped = &junitSkipped{Text(lang, string(kind)) + ": " + detailOf(c)}
	case c.Status == runner.Provisional:
		out.Skipped = &junitSkipped{Text(lang, "diff-not-count") + ": " + message}
	default:
		why := &junitWhy{string(c.Verdict), message, s.told(c, lang)}
		switch c.Verdict {
		case runner.Fail, runner.Missing, runner.Extra, runner.Leak, runner.Mended:
			out.Failure = why
		default:
			out.Error = why
		}
	}
	return out
}

// detailOf says why a case was left out.
func detailOf(c *runner.CaseLine) string {
	text := c.Detail
	if c.Reason != "" {
		text += " – " + c.Reason
	}
	if c.Issue != "" {
		text += " – " + c.Issue
	}
	return text
}

func plain(data []byte) string {
	if len(data) == 0 {
		return "–"
	}
	return string(data)
}

func given(lang string, c *runner.CaseLine) string {
	if c.At == nil || len(c.At.Given) == 0 {
		return Text(lang, "nothing")
	}
	return string(c.At.Given)
}

// told tells a failed case as plain text.
func (s *Set) told(c *runner.CaseLine, lang string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", InLang(c.Title, lang))
	for _, cv := range c.Covers {
		line("%s %s", cv.Rule, cv.Statement)
		for _, l := range Languages(s.statement(cv), lang) {
			line("  %s", s.statement(cv)[l])
		}
	}
	if c.Story == nil {
		return b.String()
	}
	if len(c.Story.Start) > 0 {
		line("%s:", Text(lang, "start"))
		for _, o := range c.Story.Start {
			line("  %s", strings.ReplaceAll(o, "\n", "\n  "))
		}
	}
	line("%s:", Text(lang, "by-the-rules"))
	for _, st := range Steps(c.Story) {
		text := st.Text
		if st.Expected != nil {
			text += "   " + Text(lang, "comes", string(st.Expected))
		}
		line("%4d  %s", st.Step, strings.ReplaceAll(text, "\n", "\n      "))
		for i, h := range st.Happens[lang] {
			line("        → %s%s", Entry(&st, i), strings.ReplaceAll(h, "\n", "\n          "))
		}
	}
	if w := c.Story.Why[lang]; w != "" {
		line("%s: %s", Text(lang, "explained"), w)
	}
	return b.String()
}
