// Package docs_test runs the documentation: every fenced momon block of the pages
// is loaded on top of the built-in rules, and the cases in it are played.
package docs_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// block is one fenced example. What stands after "momon" says what it shows:
//
//	momon               loads without an error or a warning; its cases pass
//	momon case          the same, and has at least one case
//	momon broken CODE   gives the diagnostic CODE and no other
//
// A comment  # reads LANG "CARD": TEXT  says what text a card must have.
// file=NAME behind these names the file that a reader is told to write.
type block struct {
	page  string
	line  int // of the fence
	words []string
	text  string
}

const fence = "```"

// surroundings is what commands of the pages find around them, with a folder of programs
// first on the path: nothing of who runs the tests, and nothing that they write to.
func surroundings(t *testing.T, bin string) []string {
	home := t.TempDir()
	return append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "COLUMNS=", "LC_ALL=C",
		"HOME="+home, "XDG_CONFIG_HOME="+home, "MOMON_TRUST="+filepath.Join(home, "trust.json"), "MOMON_STORE="+filepath.Join(home, "store"))
}

var reads = regexp.MustCompile(`(?m)^# reads ([a-z]+) "([^"]+)": (.+)$`)

// blocks cuts the examples out of a page.
func blocks(page, text string) ([]block, error) {
	var out []block
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		info, ok := strings.CutPrefix(lines[i], fence)
		if !ok {
			continue
		}
		at, from := i+1, i+1
		for i++; i < len(lines) && lines[i] != fence; i++ {
		}
		if i == len(lines) {
			return nil, fmt.Errorf("%s:%d: a block that is never closed", page, at)
		}
		words := strings.Fields(info)
		if len(words) == 0 || words[0] != "momon" {
			continue
		}
		// Blank lines in front put the block where it stands on the page, so that
		// messages name the page's own lines.
		body := strings.Repeat("\n", from) + strings.Join(lines[from:i], "\n") + "\n"
		words = slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "file=") })
		out = append(out, block{page, at, words, body})
	}
	return out, nil
}

// pages lists the documents that hold examples.
func pages(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, "../README.md", "../CONTRIBUTING.md")
	slices.Sort(list)
	return list
}

// load loads a block on top of the built-in rules and cards. It returns what was
// reported in the block itself, and errors wherever they are.
func (b block) load() (*interpreter.Program, []*diag.Diagnostic, error) {
	const folder = "docs"
	file := fstest.MapFS{filepath.Base(b.page) + ".momon": &fstest.MapFile{Data: []byte(b.text), Mode: fs.ModePerm}}
	p, all, err := interpreter.Load(context.Background(), []interpreter.Source{
		{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: folder, FS: file},
	}, interpreter.Options{Warnings: true})
	if err != nil && !errors.Is(err, interpreter.ErrRules) {
		return nil, nil, err
	}
	var own []*diag.Diagnostic
	for _, d := range all {
		if d.Accepted != nil {
			continue
		}
		mine := d.Span.File == nil || strings.HasPrefix(d.Span.File.Name, folder+"/")
		told := d.Severity != diag.Note || slices.Contains(b.words, d.Code) // notes only where the block is about them
		if mine && told || d.Severity == diag.Error {
			own = append(own, d)
		}
	}
	return p, own, nil
}

func TestExamples(t *testing.T) {
	for _, page := range pages(t) {
		if slices.Contains(tutorials, page) {
			continue // TestTutorials follows them: their examples build on each other
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			continue
		}
		list, err := blocks(page, string(text))
		if err != nil {
			t.Error(err)
		}
		for _, b := range list {
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(page), b.line), func(t *testing.T) {
				t.Parallel()
				run(t, b)
			})
		}
	}
}

func run(t *testing.T, b block) {
	p, found, err := b.load()
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	wantCase := false
	switch {
	case len(b.words) == 0:
	case len(b.words) == 1 && b.words[0] == "case":
		wantCase = true
	case len(b.words) == 2 && b.words[0] == "broken":
		want = b.words[1]
	default:
		t.Fatalf("unknown kind of block: %s", strings.Join(b.words, " "))
	}
	if want != "" {
		if len(found) == 0 {
			t.Errorf("nothing is reported, want %s", want)
		}
		for _, d := range found {
			if d.Code != want {
				t.Errorf("want %s and nothing else, got %s", want, show(d))
			}
		}
		return
	}
	for _, d := range found {
		t.Error(show(d))
	}
	if p == nil {
		t.Fatal("the example does not load")
	}
	text := strings.TrimLeft(b.text, "\n")
	if layout, _, err := format.File(source.NewFile(b.page, text), format.Options{}); err != nil || layout != text {
		t.Errorf("%v; momon fmt would lay it out so:\n%s", err, layout)
	}
	for _, m := range reads.FindAllStringSubmatch(b.text, -1) {
		if got := strings.Join(p.CardText(m[2], m[1]), " "); got != m[3] {
			t.Errorf("%q reads in %s: %s\nwant: %s", m[2], m[1], got, m[3])
		}
	}
	list := p.Cases("en")
	if wantCase && len(list) == 0 {
		t.Error("there is no case in it")
	}
	for _, c := range list {
		res, err := p.RunCase(context.Background(), c)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		for _, f := range res.Failures {
			t.Errorf("%s: line %d: %s\n  %s: want %q, got %q", c.ID, f.Place.Line, f.Line, f.Code, f.Want, f.Got)
		}
	}
}

// show is a diagnostic in one line.
func show(d *diag.Diagnostic) string {
	at := ""
	if f := d.Span.File; f != nil {
		at = fmt.Sprintf(" at %s:%d: %q", f.Name, f.Line(d.Span.Start), strings.TrimSpace(d.Span.Text()))
	}
	return fmt.Sprintf("%s: %s%s", d.Code, diag.Message(d, "en"), at)
}
