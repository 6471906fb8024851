package docs_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// A line <!-- from FOLDER: HEAD NAME; HEAD NAME --> of the cookbook stands above a
// block with these declarations of a folder of rules/, as they stand there.
var fromFolder = regexp.MustCompile(`^<!-- from ([a-z0-9/-]+): (.+) -->$`)

// TestCookbookShowsWhatIsThere holds the recipes of the cookbook to the data that
// the cases are run against, and demands a recipe for every keyword of the gallery.
func TestCookbookShowsWhatIsThere(t *testing.T) {
	const page = "cookbook.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]map[string]string{}
	shown := map[string]bool{}
	var out []string
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		m := fromFolder.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		if folders[m[1]] == nil {
			folders[m[1]] = declarations(t, m[1])
		}
		at := i + 1
		if i++; lines[i] != fence+"momon" {
			t.Fatalf("%s:%d: a block must follow", page, at+1)
		}
		out = append(out, lines[i])
		have := []string{}
		for i++; i < len(lines) && lines[i] != fence; i++ {
			have = append(have, lines[i])
		}
		var want []string
		for name := range strings.SplitSeq(m[2], "; ") {
			decl, ok := folders[m[1]][name]
			if !ok {
				t.Errorf("%s:%d: there is no %s in rules/%s", page, at, name, m[1])
				continue
			}
			shown[name] = true
			want = append(want, strings.Split(decl, "\n")...)
		}
		if h, w := strings.Join(have, "\n"), strings.Join(want, "\n"); h != w && !*update {
			t.Errorf("%s:%d: out of date: run go test ./docs -update\nhave:\n%s\nwant:\n%s", page, at, h, w)
		}
		out = append(append(out, want...), fence)
	}
	for name := range declarations(t, "gallery") {
		if strings.HasPrefix(name, "keyword ") && !shown[name] {
			t.Errorf("no recipe shows the %s", name)
		}
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(page, []byte(strings.Join(out, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// declarations reads the files of a folder of rules/: the text of each declaration by
// its head word and name; one without a name is found by its text up to the colon.
func declarations(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := fs.Glob(os.DirFS("../rules"), path.Join(folder, "*.momon"))
	if err != nil || len(files) == 0 {
		t.Fatalf("rules/%s: no files (%v)", folder, err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(os.DirFS("../rules"), name)
		if err != nil {
			t.Fatal(err)
		}
		var diags diag.List
		file := grammar.Parse(source.NewFile(name, string(data)), &diags)
		for _, d := range file.Decls {
			out[nameOf(d)] = d.Text()
		}
	}
	return out
}

func nameOf(d *grammar.Decl) string {
	switch {
	case d.Rules != nil:
		return d.Head + " " + d.Rules.Name.Text
	case d.Plain != nil:
		return d.Head + " " + d.Plain.Title.Text
	case d.Char != nil:
		return d.Head + " " + d.Char.Name.Text
	case d.Token != nil:
		return d.Head + " " + d.Token.Name.Text
	case d.Step != nil:
		return d.Head + " " + d.Step.Name.Text
	case d.Table != nil:
		return d.Head + " " + d.Table.Name.Text
	}
	head, _, _ := strings.Cut(d.Text(), ":")
	return head
}

// TestThaiPagesShowTheSameExamples holds a page in Thai to the examples of the page
// that it translates; comments may differ.
func TestThaiPagesShowTheSameExamples(t *testing.T) {
	comment := regexp.MustCompile(`(?m) *#.*$`)
	for _, page := range []string{"layers"} {
		var texts [2][]string
		for i, name := range []string{page + ".md", page + ".th.md"} {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list, err := blocks(name, string(data))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range list {
				texts[i] = append(texts[i], strings.TrimSpace(comment.ReplaceAllString(b.text, "")))
			}
		}
		if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
			t.Errorf("%s.th.md (+) shows other examples than %s.md (-):\n%s", page, page, diff)
		}
	}
}
