package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/momon-rules/momon/conformance/report"
	"github.com/momon-rules/momon/conformance/runner"
)

// TestEveryVerdict sees that each verdict of the report's schema has its words in
// both languages, what to do about it where it is a fault of the protocol, and a
// place on the page.
func TestEveryVerdict(t *testing.T) {
	data, err := os.ReadFile("../../../../conformance/schema/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]bool{}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	collect(doc, verdicts)
	if len(verdicts) < 18 {
		t.Errorf("only %d verdicts: %v", len(verdicts), verdicts)
	}
	for v := range verdicts {
		if !strings.Contains(string(page), "`"+v+"`") {
			t.Errorf("the page does not speak of %s", v)
		}
		v := runner.Verdict(v)
		if en, th := report.Sentence("en", v), report.Sentence("th", v); en == "" || th == "" || en == th || strings.HasPrefix(en, "verdict-") {
			t.Errorf("%s has no words in both languages: %q, %q", v, en, th)
		}
		if !v.Bad() || v == runner.Fail || v == runner.Mended { // no fault of the protocol
			continue
		}
		if w := words["advice-"+string(v)]; w[0] == "" || w[1] == "" {
			t.Errorf("%s has no advice in both languages", v)
		}
	}
}

// collect finds the verdicts of a schema: the lists that have pass among them.
func collect(v any, out map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			list, ok := x.([]any)
			if !ok || k != "enum" {
				collect(x, out)
				continue
			}
			for _, e := range list {
				if e == string(runner.Pass) {
					for _, e := range list {
						out[e.(string)] = true
					}
				}
			}
		}
	case []any:
		for _, x := range v {
			collect(x, out)
		}
	}
}
