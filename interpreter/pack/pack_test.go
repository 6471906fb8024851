package pack

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/rules"
)

const manifestText = `language 1
pack "tides" en "Tides" th "น้ำขึ้นน้ำลง" {
  version "1.2.0"
  needs "views", "cases"
  stands on "wonder-rules" from "1.0.0" until "2.0.0"
}
`

func tides() map[string]string {
	return map[string]string{
		"module.momon":   manifestText,
		"keyword.momon":  "keyword Swell en \"Swell\" th \"คลื่น\" {\n  always: raise power by 1\n}\n",
		"more/one.momon": "# a comment\nkeyword Ebb en \"Ebb\" th \"น้ำลง\" { always: lower power by 1 }\n",
		"README.md":      "# Tides\n",
		"น้ำ.momon":      "keyword น้ำขึ้น en \"High tide\" th \"น้ำขึ้น\" { always: raise power by 2 }\n",
	}
}

func mapFS(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func folder(t testing.TB, files map[string]string) *Pack {
	t.Helper()
	p, err := FromFolder(mapFS(files))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestArchive holds that a pack and its archive are the same, and that the archive
// is what archive/tar takes it for.
func TestArchive(t *testing.T) {
	p := folder(t, tides())
	q, err := FromArchive(p.Archive())
	if err != nil {
		t.Fatal(err)
	}
	if p.Raw != q.Raw || p.Content != q.Content || p.Name != "tides" || q.Version != "1.2.0" || q.Texts["th"] != "น้ำขึ้นน้ำลง" {
		t.Errorf("%s %s %s %s %q and %s %s", p.Raw, p.Content, p.Name, q.Version, q.Texts, q.Raw, q.Content)
	}
	if d := cmp.Diff(p.Files, q.Files); d != "" {
		t.Error(d)
	}
	if !slices.Equal(q.Needs, []string{"cases", "views"}) || len(q.Stands) != 1 || !q.Stands[0].Fits("1.9.9") || q.Stands[0].Fits("2.0.0") || q.Stands[0].Fits("2.0.0-a") {
		t.Errorf("%+v", q)
	}
	if err := fstest.TestFS(q.FS(), "module.momon", "more/one.momon", "น้ำ.momon"); err != nil {
		t.Error(err)
	}
	r := tar.NewReader(bytes.NewReader(p.Archive()))
	for i := 0; ; i++ {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		want := p.sums()
		if i > 0 {
			want = tides()[h.Name]
		}
		if string(data) != want || h.Mode != 0o644 || h.Typeflag != tar.TypeReg {
			t.Errorf("%+v %q", h, data)
		}
	}
}

// TestPinned holds the form of archives and of the digest of the content: they
// must never change, since packs name each other by them.
func TestPinned(t *testing.T) {
	p := folder(t, tides())
	const raw, content = "7775e6d0f51819de24c89674ed65024378f0780285ffa20d8dc13e89cdba30fb", "f70dbf7bdad43ad6a591492ac9055c70389dd86a532172fc1ca6927409fcd144"
	if p.Raw != raw || p.Content != content {
		t.Errorf("raw %s\ncontent %s", p.Raw, p.Content)
	}
}

// TestLongPaths: a path of any length that is allowed comes back.
func TestLongPaths(t *testing.T) {
	for _, n := range []int{1, 90, 94, 95, 96, 97, 100} {
		for _, dirs := range []string{"", "d/", strings.Repeat("d", 30) + "/", strings.Repeat("e", 49) + "/", "a/b/c/d/e/f/g/h/", strings.Repeat("f", 100) + "/"} {
			name := dirs + strings.Repeat("x", max(n-6, 1)) + ".momon"
			if len(name) > MaxPath {
				continue
			}
			files := tides()
			files[name] = "keyword Long { always: raise power by 1 }\n"
			p := folder(t, files)
			q, err := FromArchive(p.Archive())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got, err := fs.ReadFile(q.FS(), name); err != nil || string(got) != files[name] {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}

// TestContent holds what the digest of the content passes over, and what not.
func TestContent(t *testing.T) {
	base := folder(t, tides()).Content
	change := func(f func(files map[string]string)) string {
		files := tides()
		f(files)
		return folder(t, files).Content
	}
	same := map[string]func(map[string]string){
		"comment": func(f map[string]string) { f["keyword.momon"] = "# why\n" + f["keyword.momon"] },
		"comment inside": func(f map[string]string) {
			f["keyword.momon"] = strings.Replace(f["keyword.momon"], "{\n", "{ # so\n", 1)
		},
		"one line": func(f map[string]string) {
			f["keyword.momon"] = "keyword Swell en \"Swell\"   th \"คลื่น\" { always: raise power by 1 }"
		},
		"many lines": func(f map[string]string) {
			f["more/one.momon"] = "\n\nkeyword Ebb en \"Ebb\" th \"น้ำลง\"\n{\n\n  always: lower power by 1\n\n}\n"
		},
		"semicolons": func(f map[string]string) { f["module.momon"] = strings.ReplaceAll(manifestText, "\n  ", "; ") },
		"windows":    func(f map[string]string) { f["module.momon"] = strings.ReplaceAll(manifestText, "\n", "\r\n") },
		"mark":       func(f map[string]string) { f["module.momon"] = "\ufeff" + manifestText },
		"readme":     func(f map[string]string) { f["README.md"] = "other" },
		"file name":  func(f map[string]string) { f["a.momon"] = f["keyword.momon"]; delete(f, "keyword.momon") },
		"one file":   func(f map[string]string) { f["module.momon"] += f["keyword.momon"]; delete(f, "keyword.momon") },
		"order": func(f map[string]string) {
			f["module.momon"] = f["keyword.momon"] + manifestText
			delete(f, "keyword.momon")
		},
		"doublets": func(f map[string]string) {
			f["น้ำ.momon"] = strings.Replace(f["น้ำ.momon"], "keyword น้ำขึ้น", "keyword นํ้าขึ้น", 1)
		},
		"skeletons": func(f map[string]string) {
			f["skeletons/oath.momon"] = "keyword SKELETON { always: raise power by 1 }\n"
		},
		"not packed": func(f map[string]string) { f["a.go"] = "package a"; f[".git/x"] = "x"; f[LockName] = "{}" },
	}
	for name, f := range same {
		if got := change(f); got != base {
			t.Errorf("%s changes the digest", name)
		}
	}
	other := map[string]func(map[string]string){
		"number": func(f map[string]string) { f["keyword.momon"] = strings.Replace(f["keyword.momon"], "by 1", "by 2", 1) },
		"text": func(f map[string]string) {
			f["keyword.momon"] = strings.Replace(f["keyword.momon"], `en "Swell"`, `en "swell"`, 1)
		},
		"version":     func(f map[string]string) { f["module.momon"] = strings.Replace(manifestText, "1.2.0", "1.2.1", 1) },
		"provisional": func(f map[string]string) { f["keyword.momon"] = "provisional \"9\"\n" + f["keyword.momon"] },
		"one less":    func(f map[string]string) { delete(f, "keyword.momon") },
		"twice":       func(f map[string]string) { f["again.momon"] = "language 1\n" },
		"order inside": func(f map[string]string) {
			f["module.momon"] = strings.Replace(manifestText, `"views", "cases"`, `"cases", "views"`, 1)
		},
		"moved word": func(f map[string]string) {
			f["keyword.momon"] = strings.Replace(f["keyword.momon"], `th "คลื่น"`, ``, 1)
			f["more/one.momon"] = strings.Replace(f["more/one.momon"], `en "Ebb"`, `en "Ebb" th "คลื่น"`, 1)
		},
	}
	seen := map[string]string{base: "nothing"}
	for name, f := range other {
		got := change(f)
		if o, dup := seen[got]; dup {
			t.Errorf("%s gives the digest of %s", name, o)
		}
		seen[got] = name
	}
}

// TestFormatKeepsContent: momon fmt changes no digest, over all files that there are.
func TestFormatKeepsContent(t *testing.T) {
	for name, fsys := range map[string]fs.FS{"rules": rules.FS, "cards": cards.FS, "cases": conformance.Cases, "gallery": os.DirFS("../../rules/gallery")} {
		n := 0
		digest := func(lay bool) string {
			c := newContent()
			err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || filepath.Ext(p) != ".momon" {
					return err
				}
				data, err := fs.ReadFile(fsys, p)
				if err != nil {
					return err
				}
				text := string(data)
				if lay { // first everything that is the writer's choice made worse, then laid out
					text = strings.ReplaceAll(text, "\n  ", "\n         ")
					text = strings.ReplaceAll(text, " {\n", "\n{\n\n")
					out, diags, err := format.File(source.NewFile(p, text), format.Options{})
					if err != nil || len(diags) > 0 {
						return fmt.Errorf("%s: %v %v", p, err, diags)
					}
					text = out
				}
				n++
				c.tree(".", parse(p, text))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return c.digest()
		}
		if digest(false) != digest(true) {
			t.Errorf("%s: the layout changes the digest", name)
		}
		if n == 0 {
			t.Errorf("%s: no files", name)
		}
	}
}

// TestProject: a folder laid out as a project keeps its parts apart, and what is
// not read is left out and told.
func TestProject(t *testing.T) {
	p := folder(t, map[string]string{
		"rules/a.momon":                manifestText,
		"rules/skeletons/module.momon": "language 1\n",
		"rules/skeletons/oath.momon":   "# new en: an oath\nkeyword SKELETON { always: raise power by 1 }\n",
		"rules/deep/b.momon":           "language 1\n",
		"rules/embed.go":               "package rules",
		"cards/c.momon":                "language 1\n",
		"cases/d.momon":                "language 1\n",
		"elsewhere/e.momon":            "language 1\n",
		"top.momon":                    "language 1\n",
		"cards/own/module.momon":       "language 1\n",
		"CHANGELOG.md":                 "x",
		"docs/page.md":                 "x",
	})
	var names []string
	for _, f := range p.Files {
		names = append(names, f.Path)
	}
	if want := []string{"CHANGELOG.md", "cards/c.momon", "cases/d.momon", "rules/a.momon", "rules/skeletons/module.momon", "rules/skeletons/oath.momon"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	want := []Left{{"cards/own", "module"}, {"docs", "elsewhere"}, {"elsewhere", "elsewhere"}, {"rules/deep", "elsewhere"}, {"rules/embed.go", "kind"}, {"top.momon", "elsewhere"}}
	if d := cmp.Diff(want, p.Left); d != "" {
		t.Error(d)
	}
	if _, err := FromArchive(p.Archive()); err != nil {
		t.Error(err)
	}
	// The same declaration in another part is another content: parts stand on each other.
	q := folder(t, map[string]string{"rules/a.momon": manifestText, "rules/k.momon": "keyword K { always: raise power by 1 }\n"})
	r := folder(t, map[string]string{"rules/a.momon": manifestText, "cards/k.momon": "keyword K { always: raise power by 1 }\n"})
	if q.Content == r.Content {
		t.Error("the part does not count")
	}
}

// TestBuiltin: the rules and cards of the program are packs.
func TestBuiltin(t *testing.T) {
	for _, dir := range []string{"../../rules", "../../cards"} {
		p, err := FromFolder(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := FromArchive(p.Archive()); err != nil {
			t.Error(err)
		}
	}
}

// TestNoPack holds what is said of folders that can't be packs.
func TestNoPack(t *testing.T) {
	with := func(name, text string) map[string]string {
		f := tides()
		f[name] = text
		return f
	}
	for code, files := range map[string]map[string]string{
		"no-manifest": {"a.momon": "language 1\n"},
		"rules":       with("b.momon", "keyword {"),
		"file-large":  with("b.md", strings.Repeat("x", MaxText+1)),
		"path-device": with("aux.momon", "language 1\n"),
		"path-sign":   with("ab:c.momon", "language 1\n"),
		"path-form":   with("b /a.momon", "language 1\n"),
		"path-normal": with("e\u0301.momon", "language 1\n"),
		"clash":       with("KEYWORD.momon", "language 1\n"),
		"path-long":   with(strings.Repeat("x", 101)+".momon", "language 1\n"),
		"path-deep":   with("a/b/c/d/e/f/g/h/i/j.momon", "language 1\n"),
		"path-taken":  with("sha256sums/x.md", "x"),
	} {
		_, err := FromFolder(mapFS(files))
		var e *Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	two := with("b.momon", "pack \"other\" en \"O\" th \"โอ\" { version \"1.0.0\" }\n")
	if _, err := FromFolder(mapFS(two)); err == nil || !strings.Contains(err.Error(), "can't be two packs") {
		t.Error(err)
	}
	m := mapFS(tides())
	m["link.momon"] = &fstest.MapFile{Data: []byte("x"), Mode: fs.ModeSymlink}
	var e *Error
	if _, err := FromFolder(m); !errors.As(err, &e) || e.Code != "link" {
		t.Error(err)
	}
	m["link.momon"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	if _, err := FromFolder(m); !errors.As(err, &e) || e.Code != "not-file" {
		t.Error(err)
	}
}

// TestWords: every reason is worded in both languages, with the same values.
func TestWords(t *testing.T) {
	for code, w := range reasons {
		if w[0] == "" || w[1] == "" || strings.Count(w[0], "%") != strings.Count(w[1], "%") {
			t.Errorf("%s: %q", code, w)
		}
	}
}
