package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
)

// TestWarningsAreListed: the page on warnings has each warning and each note once,
// under the right heading, and says something of it.
func TestWarningsAreListed(t *testing.T) {
	text, err := os.ReadFile("warnings.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("`([a-z-]+)`")
	want := map[diag.Severity][]string{}
	for _, c := range diag.Acceptable() {
		s, _ := diag.SeverityOf(c)
		want[s] = append(want[s], c)
	}
	for severity, heading := range map[diag.Severity]string{diag.Warning: "\n## Warnings\n", diag.Note: "\n## Notes\n"} {
		_, part, ok := strings.Cut(string(text), heading)
		if !ok {
			t.Fatalf("no part %s", heading)
		}
		part, _, _ = strings.Cut(part, "\n## ")
		var got []string
		for line := range strings.Lines(part) {
			cells := strings.Split(line, " | ")
			if !strings.HasPrefix(line, "| `") || len(cells) < 3 {
				continue
			}
			for _, m := range code.FindAllStringSubmatch(cells[0], -1) {
				got = append(got, m[1])
			}
			if len(cells[1]) < 20 {
				t.Errorf("%s says nothing", cells[0])
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want[severity]) {
			t.Errorf("%s\n got %v\nwant %v", strings.TrimSpace(heading), got, want[severity])
		}
	}
}
