package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/report"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// loadCases are the cases of tier data: they are about the built-in rules, and other
// rules may well declare a name that one of them says is not there.
func (a *app) loadCases() ([]*load.Case, error) {
	if len(a.rules) > 0 || len(a.with) > 0 || a.edition != "" {
		return nil, nil
	}
	return load.Cases()
}

// testLoads loads the rule files that must not load. A case and the one that mends
// it count as one, as those do that are played.
func (a *app) testLoads(re *regexp.Regexp, verbose bool) (list []caseJSON, failed int, err error) {
	cases, err := a.loadCases()
	if err != nil {
		return nil, 0, err
	}
	var s *interpreter.Stage
	for _, c := range cases {
		if !re.MatchString(c.ID) {
			continue
		}
		if s == nil {
			if s, err = a.stage(); err != nil {
				return nil, 0, err
			}
		}
		got, errs := c.Try(s)
		if c.Repairs != "" && got == *c.Expect {
			continue
		}
		k := caseJSON{ID: c.ID, Passed: got == *c.Expect, Covers: []interpreter.Cover{}, Place: c.Place}
		if !k.Passed {
			failed++
			k.Failures = []interpreter.Failure{{Code: "load", Want: outcome(c.Expect), Got: outcome(&got), Place: c.Place}}
		}
		list = append(list, k)
		switch {
		case a.json:
		case !k.Passed:
			a.heading(a.t("fail", c.ID))
			a.para(report.InLang(c.Title, a.lang), 2)
			a.para(c.Place.String(), 2)
			a.println("")
			a.item("× ", a.t("fail-load"), 2)
			a.para(a.t("want", outcome(c.Expect)), 4)
			a.para(a.t("got", outcome(&got)), 4)
			for _, d := range errs {
				a.para(said(d, a.lang), 4)
			}
			a.println("")
		case verbose:
			a.println(a.t("pass", c.ID))
		}
	}
	return list, failed, nil
}

// outcome is what comes of loading, on one line.
func outcome(r *load.Result) string {
	return strings.TrimSpace(r.Load + " " + r.Stage + " " + r.Code)
}

// said is an error in the files of a case, with its place.
func said(d *diag.Diagnostic, lang string) string {
	return interpreter.PlaceOf(d.Span).String() + ": " + diag.Message(d, lang)
}

// loadStory is what these rules say of the files of a case, in each language.
func loadStory(s *interpreter.Stage, c *runner.Case) *interpreter.Story {
	var k load.Case
	if json.Unmarshal(c.Data, &k) != nil {
		return nil
	}
	out := &interpreter.Story{Start: []string{}}
	for _, f := range k.Files {
		text := "…" // bytes that are no text
		if f.Text != nil {
			text = strings.TrimRight(*f.Text, "\n")
		}
		out.Start = append(out.Start, path.Join(f.Folder, f.Name)+"\n  "+strings.ReplaceAll(text, "\n", "\n  "))
	}
	step := interpreter.StoryStep{Step: 1, Text: protocol.LoadQuestion, Expected: c.Script[0].Expect, Happens: map[string][]string{}}
	_, errs := k.Try(s)
	for _, l := range s.Rules().Languages() {
		for _, d := range errs {
			step.Happens[l.Code] = append(step.Happens[l.Code], said(d, l.Code))
		}
	}
	out.Steps = []interpreter.StoryStep{step}
	return out
}

// filesToSend are the rules as a program gets them that loads rules: without cases,
// which say what is expected.
func (a *app) filesToSend() ([]protocol.RuleFile, error) {
	src, err := a.sources(true)
	if err != nil {
		return nil, err
	}
	var out []protocol.RuleFile
	for _, s := range src {
		names, err := s.Files()
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			data, err := fs.ReadFile(s.FS, n)
			if err != nil {
				return nil, err
			}
			if text := withoutCases(s.Name+"/"+n, string(data)); strings.TrimSpace(text) != "" {
				out = append(out, protocol.RuleFile{Folder: s.Name, Name: n, Text: text})
			}
		}
	}
	return out, nil
}

// withoutCases is the text of a rule file without the cases in it; in their place
// stand empty lines. A file with nothing else in it is empty.
func withoutCases(name, text string) string {
	var b strings.Builder
	at, others := 0, false
	for _, d := range interpreter.ParseFile(name, text).Tree().Decls {
		if d.Case == nil {
			others = true
			continue
		}
		b.WriteString(text[at:d.Start])
		b.WriteString(strings.Repeat("\n", strings.Count(d.Text(), "\n")))
		at = d.End
	}
	if at > 0 && !others {
		return ""
	}
	return b.String() + text[at:]
}

// loader is this program as one that is checked and takes its rules from the runner.
type loader struct{ own }

// Hello implements protocol.Adapter.
func (o *loader) Hello(q protocol.Request) protocol.About {
	about := o.own.Hello(q)
	about.Rules = protocol.Loaded
	about.Questions = append(about.Questions, protocol.LoadQuestion)
	return about
}

// Rules implements protocol.Adapter.
func (o *loader) Rules(files []protocol.RuleFile) error {
	var folders []interpreter.Folder
	for _, f := range files {
		if n := len(folders); n == 0 || folders[n-1].Name != f.Folder {
			folders = append(folders, interpreter.Folder{Name: f.Folder})
		}
		last := &folders[len(folders)-1]
		last.Files = append(last.Files, interpreter.ParseFile(path.Join(f.Folder, f.Name), f.Text))
	}
	s, found, err := interpreter.StageOf(folders, interpreter.Options{Edition: o.a.edition})
	for _, d := range found {
		if err != nil && d.Severity == diag.Error {
			return errors.New(said(d, "en"))
		}
	}
	o.s = s
	return err
}

// Play implements protocol.Adapter.
func (o *loader) Play(data json.RawMessage) protocol.Reply {
	if o.s == nil {
		return withoutRules
	}
	return o.own.Play(data)
}

// withoutRules answers what comes before the rules.
var withoutRules = protocol.Reply{Outcome: protocol.Failed, Code: "rules", Message: "no rules have come"}

// Load implements protocol.Loader.
func (o *loader) Load(data json.RawMessage) protocol.Reply {
	var c load.Case
	if err := json.Unmarshal(data, &c); err != nil {
		return protocol.Reply{Outcome: protocol.Failed, Code: "case", Message: err.Error()}
	}
	if o.s == nil {
		return withoutRules
	}
	got, _ := c.Try(o.s)
	return protocol.Reply{Outcome: got.Load, Stage: got.Stage, Code: got.Code}
}
