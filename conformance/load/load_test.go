package load_test

import (
	"slices"
	"strings"
	"testing"

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
