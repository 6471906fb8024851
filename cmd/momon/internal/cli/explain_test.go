package cli

import (
	"bytes"
	"context"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lineNumbers change with every line that is put into a rule file.
var lineNumbers = regexp.MustCompile(`(\.momon):\d+`)

var update = flag.Bool("update", false, "write the golden files anew")

// TestAsked asks the questions of testdata/asked.txt, in both languages and all
// sizes. The rules are read once: the command line reads them for each question.
func TestAsked(t *testing.T) {
	list, err := os.ReadFile("testdata/asked.txt")
	if err != nil {
		t.Fatal(err)
	}
	loader := &app{out: new(bytes.Buffer), err: new(bytes.Buffer), ctx: context.Background(), lang: "en", cols: lineWidth}
	p, err := loader.load(true)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	asked := 0
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		asked++
		got.WriteString("== " + line + "\n")
		for _, lang := range []string{"en", "th"} {
			for _, size := range []string{sizeSentence, sizeStatements, sizeFull} {
				var out bytes.Buffer
				a := &app{out: &out, err: &out, ctx: context.Background(), lang: lang, cols: lineWidth, loaded: p}
				c := a.explainCmd()
				c.SetArgs(append(strings.Fields(line), "--size", size))
				c.SilenceErrors, c.SilenceUsage = true, true
				if err := c.Execute(); err != nil {
					t.Errorf("%s: %v", line, err)
				}
				for l := range strings.Lines(out.String()) {
					if width(strings.TrimRight(l, "\n")) > lineWidth {
						t.Errorf("%s: %s", line, l)
					}
				}
				got.WriteString("-- " + lang + " " + size + "\n" + lineNumbers.ReplaceAllString(out.String(), "$1:N"))
			}
		}
		got.WriteString("\n")
	}
	if asked < 30 {
		t.Errorf("only %d questions", asked)
	}
	if *update {
		if err := os.WriteFile("testdata/asked.golden", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/asked.golden")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("other answers (-want +got); go test -update writes them anew:\n%s", d)
	}
}
