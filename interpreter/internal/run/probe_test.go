package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/cases"
	"github.com/momon-rules/momon/interpreter/internal/check"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
)

const root = "../../../"

// load reads folders of rules, and rule text written in a test.
func load(t testing.TB, text string, dirs ...string) *program.Program {
	t.Helper()
	p, diags := tryLoad(t, text, dirs...)
	if diags != "" {
		t.Fatalf("rules have errors:\n%s", diags)
	}
	return p
}

func tryLoad(t testing.TB, text string, dirs ...string) (*program.Program, string) {
	t.Helper()
	var list diag.List
	var mods []check.Module
	for _, dir := range dirs {
		m := check.Module{Name: dir}
		files, err := filepath.Glob(dir + "/*.momon")
		if err != nil || len(files) == 0 {
			t.Fatalf("no rule files in %s: %v", dir, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			m.Files = append(m.Files, grammar.Parse(source.NewFile(f, string(b)), &list))
		}
		mods = append(mods, m)
	}
	if text != "" {
		mods = append(mods, check.Module{Name: "test", Files: []*grammar.File{grammar.Parse(source.NewFile("test.momon", text), &list)}})
	}
	p := check.Check(mods, check.Options{}, &list)
	if list.Errors() == 0 {
		return p, ""
	}
	var out strings.Builder
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			diag.Text(&out, []*diag.Diagnostic{d}, "en", false)
		}
	}
	return nil, out.String()
}

func rulesAnd(t testing.TB, text string) *program.Program {
	t.Helper()
	return load(t, text, root+"rules", root+"cards")
}

// TestProbes runs cases whose answers come from thought about what the rules
// mean, away from what the published cases ask.
func TestProbes(t *testing.T) {
	files, _ := filepath.Glob("testdata/probes/*.momon")
	if len(files) == 0 {
		t.Fatal("no probes")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".momon"), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			p := rulesAnd(t, string(b))
			en := run.New(p)
			for _, k := range p.Cases {
				t.Run(k.ID, func(t *testing.T) {
					for _, f := range cases.Run(en, k).Failures {
						t.Errorf("line %d: %s: want %q got %q: %s", f.Span.File.Line(f.Span.Start), f.Code, f.Want, f.Got,
							strings.TrimSpace(f.Span.File.LineText(f.Span.File.Line(f.Span.Start))))
					}
				})
			}
		})
	}
}
