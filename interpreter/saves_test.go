package interpreter_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/momon-rules/momon/interpreter"
)

var updateSaves = flag.Bool("update-saves", false, "write the save of the present format, where there is none yet")

// TestOldSaves goes on with a match saved in each format that there has been.
// After three decisions P1 has laid Setting and Gem, P2 Setting; P2 is to lay
// Pebble or Gem. With Pebble, 1 + 1 for P2's Setting, P2 has 2 and P1, 3 + 1, wins.
func TestOldSaves(t *testing.T) {
	dir := filepath.Join("testdata", "saves")
	p, _, err := interpreter.Load(ctx, []interpreter.Source{{Name: "saves", FS: os.DirFS(dir)}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if now := filepath.Join(dir, "format-1.json"); *updateSaves {
		if _, err := os.Stat(now); err == nil {
			t.Fatalf("%s is there: a save is never written again", now)
		}
		deck := []string{"Pebble", "Gem", "Setting"}
		m, err := p.NewMatch(ctx, interpreter.MatchOptions{Seed: 1, Decks: [2][]string{deck, deck}})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := m.Choose(ctx, len(m.Pending("en").Options)-1); err != nil {
				t.Fatal(err)
			}
		}
		data, err := m.Save()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(now, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no saves in %s: %v", dir, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.LoadMatch(ctx, data, interpreter.LoadOptions{})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if n := m.Decisions(); n != 3 {
			t.Errorf("%s: %d decisions", f, n)
		}
		if err := m.Choose(ctx, 0); err != nil {
			t.Errorf("%s: %v", f, err)
		}
		if w := m.Winners(); !m.Over() || len(w) != 1 || w[0] != 1 {
			t.Errorf("%s: over %v, winners %v", f, m.Over(), w)
		}
	}
}
