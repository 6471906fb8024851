package conformance_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// modules are the folders that are read on top of the built-in rules on request.
func modules(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../rules/also/*")
	if err != nil || len(list) == 0 {
		t.Fatalf("no modules: %v", err)
	}
	return append(list, "../rules/gallery")
}

func TestModules(t *testing.T) {
	for _, dir := range modules(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			src := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: dir, FS: os.DirFS(dir)}}
			p, diags, err := interpreter.Load(context.Background(), src, interpreter.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range diags {
				if d.Severity != diag.Note {
					t.Errorf("%s: %s", d.Code, diag.Message(d, "en"))
				}
			}
			if len(p.Cases("en")) < 3 {
				t.Error("fewer than three cases")
			}
			for id, r := range failed(t, p) {
				for _, f := range r.Failures {
					t.Errorf("%s %s: %s: want %q, got %q: %s", f.Place, id, f.Code, f.Want, f.Got, f.Line)
				}
			}
		})
	}
}

// TestGalleryKeywords sees that each keyword of the gallery has its texts in both
// languages and at least three cases that use it.
func TestGalleryKeywords(t *testing.T) {
	const dir = "../rules/gallery"
	uses := map[string]int{} // by the text of a case
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".momon" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var diags diag.List
		for _, d := range grammar.Parse(source.NewFile(name, string(data)), &diags).Decls {
			if d.Case != nil {
				uses[d.Text()]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, interpreter.Options{}, append(sources(), interpreter.Source{Name: dir, FS: os.DirFS(dir)})...)
	builtIn := map[string]bool{}
	for _, k := range load(t, interpreter.Options{}, sources()...).Keywords("en") {
		builtIn[k.Name] = true
	}
	n := 0
	for _, k := range p.Keywords("en") {
		if builtIn[k.Name] {
			continue
		}
		n++
		for _, lang := range []string{"en", "th"} {
			if p.KeywordText(k.Name, lang) == "" {
				t.Errorf("%s has no text in %s", k.Name, lang)
			}
		}
		if p.KeywordText(k.Name, "en") == p.KeywordText(k.Name, "th") {
			t.Errorf("%s has the same text in both languages", k.Name)
		}
		word := regexp.MustCompile(`(^|[^\pL"-])"?` + regexp.QuoteMeta(k.Name) + `([^\pL]|$)`)
		found := 0
		for text := range uses {
			if word.MatchString(text) {
				found++
			}
		}
		if found < 3 {
			t.Errorf("%s has %d cases", k.Name, found)
		}
	}
	if n < 28 {
		t.Errorf("only %d keywords", n)
	}
}
