package grammar

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

func parseText(name, text string) (*File, []*diag.Diagnostic) {
	var l diag.List
	f := Parse(source.NewFile(name, text), &l)
	return f, l.Sorted()
}

// TestDraft parses the blocks by which the language was designed.
func TestDraft(t *testing.T) {
	files, err := filepath.Glob("testdata/draft/*.momon")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, ds := parseText(name, string(text))
			for _, d := range ds {
				t.Errorf("%s:%d:%d: %s %q", name, f.Source.Line(d.Span.Start), f.Source.Column(d.Span.Start), d.Code, d.Values)
			}
			if len(f.Decls) == 0 {
				t.Error("no declarations")
			}
		})
	}
}
