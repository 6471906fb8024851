package interpreter_test

import (
	"os"
	"strings"
	"testing"

	"github.com/momon-rules/momon/interpreter"
)

// TestFunctions: what is listed is what docs/language.md tells of and the checker
// knows.
func TestFunctions(t *testing.T) {
	doc, err := os.ReadFile("../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range interpreter.Functions() {
		call := "`" + f.Name + "("
		if f.Method {
			call = "`x." + f.Name + "("
		}
		if !strings.Contains(string(doc), call) {
			t.Errorf("%s is not in docs/language.md", f.Form())
		}
		if f.Says("en") == "" || f.Says("th") == "" {
			t.Errorf("%s says nothing", f.Name)
		}
		for _, d := range load(t, "rules", "keyword Calm { always while "+strings.TrimPrefix(call, "`")+"): raise power by 1 }") {
			if d.Code == "unknown-function" {
				t.Errorf("the checker doesn't know %s", f.Name)
			}
		}
	}
}
