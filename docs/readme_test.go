package docs_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCommands types what pages tell people to type, each page in a copy of the
// data: blocks marked "sh run" in order, examples marked "file=" written first. The
// program is built once; "go run" in the copy would build all of it again.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell at hand")
	}
	momon := filepath.Join(t.TempDir(), "momon")
	if out, err := exec.Command("go", "build", "-o", momon, "../cmd/momon").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, page := range []string{"../README.md", "conformance.md"} {
		typed(t, page, sh, momon)
	}
}

func typed(t *testing.T, page, sh, momon string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := copyData(dir, ".."); err != nil {
		t.Fatal(err)
	}
	ran := 0
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		info, ok := strings.CutPrefix(lines[i], fence)
		if !ok || info == "" {
			continue
		}
		at, from := i+1, i+1
		for i++; i < len(lines) && lines[i] != fence; i++ {
		}
		body := strings.Join(lines[from:i], "\n") + "\n"
		if _, name, ok := strings.Cut(info, "file="); ok {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if info != "sh run" {
			continue
		}
		cmd := exec.Command(sh, "-e")
		ran++
		cmd.Dir = dir
		cmd.Env = surroundings(t, filepath.Dir(momon))
		cmd.Stdin = strings.NewReader(strings.ReplaceAll(body, "go run ./cmd/momon", momon))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s:%d: %v\n%s%s", page, at, err, body, out)
		}
	}
	if ran == 0 {
		t.Errorf("%s has no command", page)
	}
}

// copyData copies the rule files.
func copyData(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // somebody builds something beside
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && rel != "." || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".momon" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o644)
	})
}

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	prose  = regexp.MustCompile("(?s)```.*?\n```|`[^`\n]*`")
	unsaid = regexp.MustCompile(`[^\p{L}\p{N}\p{M} _-]`)
)

// TestLinks follows every link inside the documents, headings included.
func TestLinks(t *testing.T) {
	for _, page := range append(pages(t), "../CHANGELOG.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllSubmatch(prose.ReplaceAll(text, nil), -1) {
			target := string(m[1])
			if strings.Contains(target, "://") {
				continue
			}
			file, anchor, _ := strings.Cut(target, "#")
			name := page
			if file != "" {
				name = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
			}
			if st, err := os.Stat(name); err == nil && st.IsDir() && anchor == "" {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Errorf("%s: %s: %v", page, target, err)
				continue
			}
			if anchor != "" && !hasHeading(data, anchor) {
				t.Errorf("%s: %s: no such heading", page, target)
			}
		}
	}
}

// hasHeading finds a heading by the anchor that it gets.
func hasHeading(page []byte, anchor string) bool {
	inBlock := false
	for line := range bytes.Lines(page) {
		s := strings.TrimSpace(string(line))
		if strings.HasPrefix(s, fence) {
			inBlock = !inBlock
		}
		if !inBlock && strings.HasPrefix(s, "#") {
			s = strings.ToLower(strings.TrimSpace(strings.TrimLeft(s, "#")))
			if strings.ReplaceAll(unsaid.ReplaceAllString(s, ""), " ", "-") == anchor {
				return true
			}
		}
	}
	return false
}
