package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPages(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} {
		if err := write(dir, "1700000000"); err != nil {
			t.Fatal(err)
		}
	}
	files := 0
	err := filepath.WalkDir(one, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		rel, err := filepath.Rel(one, path)
		if err != nil {
			return err
		}
		a, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(two, rel))
		if err != nil {
			return err
		}
		if string(a) != string(b) {
			t.Errorf("%s is not the same twice", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 30 {
		t.Errorf("only %d files", files)
	}
	for name, want := range map[string]string{
		"man1/momon-explain.1":    "why-not",
		"th/man1/momon-version.1": "แสดงรุ่น",
		"completions/momon.bash":  "momon",
	} {
		text, err := os.ReadFile(filepath.Join(one, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
	if err := write(t.TempDir(), "soon"); err == nil {
		t.Error("a date that is no number is taken")
	}
}
