package load_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

func stage(t *testing.T) *interpreter.Stage {
	t.Helper()
	s, _, err := interpreter.NewStage([]interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS},
		{Name: "conformance", FS: conformance.Cases}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCases loads each case: what must be refused is, at the stage and with the code
// that it names and for no other reason, and what is mended loads.
func TestCases(t *testing.T) {
	list, err := load.Cases()
	if err != nil {
		t.Fatal(err)
	}
	s := stage(t)
	refused := map[string]int{}
	for _, c := range list {
		got, errs := c.Try(s)
		if got != *c.Expect {
			t.Errorf("%s (%s): %+v, want %+v", c.ID, c.Place, got, *c.Expect)
		}
		for _, d := range errs {
			if d.Code != c.Expect.Code {
				t.Errorf("%s: another error, %s: %s", c.ID, d.Code, diag.Message(d, "en"))
			}
		}
		if c.Repairs == "" {
			refused[c.Expect.Stage]++
			if diag.Stage(c.Expect.Code) != c.Expect.Stage {
				t.Errorf("%s: %s is of the stage %s", c.ID, c.Expect.Code, diag.Stage(c.Expect.Code))
			}
		}
		if c.Title["en"] == c.Title["th"] || strings.HasSuffix(c.Title["en"], ".") {
			t.Errorf("%s: titles %q", c.ID, c.Title)
		}
	}
	for _, st := range diag.StageNames() {
		if refused[st] < 10 {
			t.Errorf("only %d cases of the stage %s", refused[st], st)
		}
	}
	for st := range refused {
		if !slices.Contains(diag.StageNames(), st) {
			t.Errorf("no stage is called %s", st)
		}
	}
}

// TestRead sees that an archive which says too little, or nothing that is known, is
// refused.
func TestRead(t *testing.T) {
	const about = "-- a/about --\nstage: form\ncode: expected\nen: A\nth: ก\n"
	const files = "-- a/my.momon --\ncrad\n-- a/mended/my.momon --\n\n"
	for name, c := range map[string]struct{ text, problem string }{
		"as it is":          {about + files, ""},
		"no about":          {files, "stands before a/about"},
		"no files":          {about, "no files"},
		"not mended":        {about + "-- a/my.momon --\ncrad\n", "a~repair has no files"},
		"of no case":        {"-- about --\n", "belongs to no case"},
		"no code":           {strings.Replace(about, "code: expected\n", "", 1) + files, "missing"},
		"no title in Thai":  {strings.Replace(about, "th: ก\n", "", 1) + files, "missing"},
		"an unknown line":   {strings.Replace(about, "th: ก\n", "th: ก\nde: A\n", 1) + files, "there is no"},
		"a line of nothing": {strings.Replace(about, "th: ก\n", "th: ก\nsomething\n", 1) + files, "says nothing"},
		"no base64":         {about + "-- a/my.momon.base64 --\n###\n-- a/mended/my.momon --\n\n", "base64"},
		"twice":             {about + files + about + files, "two cases"},
	} {
		_, err := load.Read(fstest.MapFS{"load/a.txtar": {Data: []byte(c.text)}}, "load")
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v, want %q", name, err, c.problem)
		}
	}
}
