package interpreter_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// What is wrong with rule data, one code at a time and many at once.

var updateBad = flag.Bool("update-bad", false, "write the golden files of diagnostics")

// oneFile is a folder with one rule file.
func oneFile(name, text string) fs.FS {
	return fstest.MapFS{name: &fstest.MapFile{Data: []byte(text)}}
}

// load reads a text, standing on what the word names.
func load(t testing.TB, on, text string) []*diag.Diagnostic {
	t.Helper()
	var list []interpreter.Source
	switch on {
	case "rules":
		list = append(list, interpreter.Source{Name: "rules", FS: rules.FS})
	case "cards":
		list = append(list, interpreter.Source{Name: "rules", FS: rules.FS}, interpreter.Source{Name: "cards", FS: cards.FS})
	}
	list = append(list, interpreter.Source{Name: "mine", FS: oneFile("my.momon", text)})
	_, ds, err := interpreter.Load(context.Background(), list, interpreter.Options{Warnings: true})
	if err != nil && err != interpreter.ErrRules {
		t.Fatal(err)
	}
	return ds
}

func errorsOf(ds []*diag.Diagnostic) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, d := range ds {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}

func render(ds []*diag.Diagnostic, langs ...string) string {
	var b bytes.Buffer
	for _, lang := range langs {
		if err := diag.Text(&b, ds, lang, false); err != nil {
			return err.Error()
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestQuiet loads the built-in rules, cards and cases: nothing is reported but
// notes.
func TestQuiet(t *testing.T) {
	all := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "cases", FS: conformance.Cases}}
	for n := 1; n <= len(all); n++ {
		_, ds, err := interpreter.Load(context.Background(), all[:n], interpreter.Options{Warnings: true})
		var loud []*diag.Diagnostic
		for _, d := range ds {
			if d.Severity != diag.Note {
				loud = append(loud, d)
			}
		}
		if err != nil || len(loud) > 0 {
			t.Errorf("%d folders: %v\n%s", n, err, render(loud, "en"))
		}
	}
}

// TestEveryCode runs the example of every code: the broken file gives that code
// once and no other error, the mended one no error. How it is shown stands in a
// file for each code, in English and Thai.
func TestEveryCode(t *testing.T) {
	for _, code := range diag.Codes() {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			broken, mended := diag.Example(code)
			if broken == "" {
				if !noExample[code] {
					t.Fatal("no example")
				}
				return
			}
			ds := load(t, diag.Stands(code), broken)
			var own []*diag.Diagnostic
			for _, d := range ds {
				if d.Code == code && mine(d) {
					own = append(own, d)
				} else if d.Severity == diag.Error {
					t.Errorf("another error:\n%s", render([]*diag.Diagnostic{d}, "en"))
				}
			}
			if len(own) != 1 {
				t.Errorf("%d times:\n%s", len(own), render(ds, "en"))
			}
			if e := load(t, diag.Stands(code), mended); len(errorsOf(e)) > 0 || has(e, code) {
				t.Errorf("mended:\n%s", render(e, "en"))
			}
			for _, d := range own {
				early := slices.ContainsFunc(interpreter.ParseFile("mine/my.momon", broken).Slips(), func(x *diag.Diagnostic) bool { return x.Code == code })
				if st := diag.Stage(code); d.Severity == diag.Error && early != (st == "text" || st == "form") {
					t.Errorf("its entry says that it is of the stage %s; found as the file is parsed: %v", st, early)
				}
				if s, _ := diag.SeverityOf(code); s != d.Severity && code != "doubled-mark" { // which is an error in a name and a warning in a text
					t.Errorf("its page says %v, and it is %v", s, d.Severity)
				}
				checkShown(t, d)
			}
			bad := filepath.Join("testdata", "bad", "codes", code+".txt")
			got := render(own, "en", "th")
			if *updateBad {
				if err := os.MkdirAll(filepath.Dir(bad), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(bad, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(bad)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// TestCodesHaveEntries: every code that the checker can give has an entry in the
// catalog, and every golden file a code.
func TestCodesHaveEntries(t *testing.T) {
	known := map[string]bool{}
	for _, code := range diag.Codes() {
		known[code] = true
		s, _ := diag.SeverityOf(code)
		if stage := diag.Stage(code); !slices.Contains(diag.StageNames(), stage) && (stage != "" || s == diag.Error) {
			t.Errorf("%s is of the stage %q: write one of %v at the top of its entry, as \"stage: names\"", code, stage, diag.StageNames())
		}
	}
	emits := regexp.MustCompile(`(?:\.(?:Add|Warn|Note)|unknown)\("([a-z][a-z-]*[a-z])"`)
	files, _ := filepath.Glob("internal/check/*.go")
	manifests, _ := filepath.Glob("internal/manifest/*.go")
	files = append(files, manifests...)
	seen := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range emits.FindAllStringSubmatch(string(data), -1) {
			seen++
			if !known[m[1]] {
				t.Errorf("%s: %s is not in the catalog", name, m[1])
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d codes found", seen)
	}
	golden, _ := filepath.Glob("testdata/bad/codes/*.txt")
	for _, name := range golden {
		if !known[strings.TrimSuffix(filepath.Base(name), ".txt")] {
			t.Errorf("%s: no such code", name)
		}
	}
}

// noExample are the codes whose example would be a file of its own kind or size;
// TestLimits and TestBytes show them.
var noExample = map[string]bool{
	"bad-utf8": true, "file-too-large": true, "too-many-errors": true, "too-many": true, "too-many-values": true, "expression-too-long": true,
}

// mine reports whether a diagnostic speaks of the test's own file.
func mine(d *diag.Diagnostic) bool {
	return d.Span.File != nil && strings.HasPrefix(d.Span.File.Name, "mine/")
}

func has(ds []*diag.Diagnostic, code string) bool {
	for _, d := range ds {
		if d.Code == code && mine(d) {
			return true
		}
	}
	return false
}

// checkShown sees that a message has all its values and leaves no hole open.
func checkShown(t *testing.T, d *diag.Diagnostic) {
	t.Helper()
	for _, lang := range []string{"en", "th"} {
		for _, s := range []string{diag.Message(d, lang), diag.Todo(d, lang)} {
			if strings.Contains(s, "``") || strings.Contains(s, "  ") {
				t.Errorf("%s: a value is missing: %q", lang, s)
			}
		}
		if diag.Todo(d, lang) == "" && d.Near == "" && d.Code != "unknown-clause" {
			t.Errorf("%s: nothing to do", lang)
		}
	}
	if d.Span.File == nil || d.Span.Start < 0 || d.Span.End > len(d.Span.File.Text) || d.Span.Start > d.Span.End {
		t.Errorf("span %d to %d", d.Span.Start, d.Span.End)
	}
}

// TestBadFiles holds what is reported for the chunks of testdata/bad/*.momon
// against what they say themselves: "#! code text; code text" at the end of a
// line lists all errors and warnings of that line, and the text that each marks.
func TestBadFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/bad/*.momon")
	n := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		chunks := strings.Split("\n"+string(data), "\n--- ")[1:]
		n += len(chunks)
		for _, chunk := range chunks {
			title, text, _ := strings.Cut(chunk, "\n")
			t.Run(strings.TrimSuffix(filepath.Base(name), ".momon")+"/"+title, func(t *testing.T) {
				t.Parallel()
				want := map[string]int{}
				line := 0
				for l := range strings.Lines(text) {
					line++
					_, list, ok := strings.Cut(strings.TrimRight(l, "\n"), "#!")
					if !ok || strings.TrimSpace(list) == "" {
						continue
					}
					for _, w := range strings.Split(list, "; ") {
						want[strconv.Itoa(line)+" "+strings.TrimSpace(w)]++
					}
				}
				ds := load(t, "rules", text)
				got := map[string]int{}
				var shown []*diag.Diagnostic
				for _, d := range ds {
					if !mine(d) {
						if d.Severity == diag.Error {
							t.Errorf("elsewhere:\n%s", render([]*diag.Diagnostic{d}, "en"))
						}
						continue
					}
					if d.Code == "no-text" || d.Code == "not-worded" {
						continue // these chunks are short: they do without texts for people
					}
					checkShown(t, d)
					at := d.Span.Text()
					if at == "" {
						at = "@"
					}
					got[strconv.Itoa(d.Span.File.Line(d.Span.Start))+" "+d.Code+" "+at]++
					shown = append(shown, d)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("-want +got:\n%s\n%s", d, render(shown, "en"))
				}
			})
		}
	}
	if n < 60 {
		t.Errorf("%d chunks", n)
	}
}
