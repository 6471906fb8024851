package interpreter_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// TestQuiet loads the built-in rules, cards and cases: nothing is reported.
func TestQuiet(t *testing.T) {
	for _, list := range [][]interpreter.Source{
		{{Name: "rules", FS: rules.FS}},
		{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}},
		{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "cases", FS: conformance.Cases}},
	} {
		_, ds, err := interpreter.Load(context.Background(), list, interpreter.Options{})
		var b bytes.Buffer
		diag.Text(&b, ds, "en", false)
		loud := 0
		for _, d := range ds {
			if d.Severity != diag.Note {
				loud++
			}
		}
		if err != nil || loud > 0 {
			t.Errorf("%d folders: %v\n%s", len(list), err, b.String())
		}
	}
}
