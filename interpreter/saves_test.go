package interpreter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
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
	if *updateSaves {
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
		var form struct{ Format int }
		if err := json.Unmarshal(data, &form); err != nil {
			t.Fatal(err)
		}
		now := filepath.Join(dir, fmt.Sprintf("format-%d.json", form.Format))
		if _, err := os.Stat(now); err == nil {
			t.Fatalf("%s is there: a save is never written again", now)
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

// TestSavesOfAnotherLayout: where another version of the program has numbered
// routines, effects and characteristics otherwise, a match is played again from its
// decisions; the state that was saved with it is not looked at.
func TestSavesOfAnotherLayout(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 6})
	r := rand.New(rand.NewPCG(6, 6))
	for range 9 {
		step(t, m, r)
	}
	data, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	edit := func(data []byte, f func(saved map[string]json.RawMessage, state map[string]json.RawMessage)) []byte {
		t.Helper()
		var saved, state map[string]json.RawMessage
		if err := json.Unmarshal(data, &saved); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(saved["state"], &state); err != nil {
			t.Fatal(err)
		}
		f(saved, state)
		if saved["state"], err = json.Marshal(state); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(saved)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	other := func(saved, state map[string]json.RawMessage) {
		saved["layout"] = []byte(`"of another version"`)
		state["Effects"] = bytes.ReplaceAll(state["Effects"], []byte(`"Def":1`), []byte(`"Def":7`))
		state["Stack"] = []byte(`[{"Kind":0,"Routine":9999}]`)
	}
	for _, noLog := range []bool{false, true} {
		again, err := p.LoadMatch(ctx, edit(data, other), interpreter.LoadOptions{NoLog: noLog})
		if err != nil {
			t.Fatal(err)
		}
		if again.Hash() != m.Hash() || again.Decisions() != m.Decisions() || !again.FromStart() {
			t.Error("played again it is another match")
		}
		if len(again.Events()) != len(m.Events()) && !noLog {
			t.Errorf("%d events, not %d", len(again.Events()), len(m.Events()))
		}
		whole, err := again.Save()
		if err != nil || !bytes.Equal(whole, data) {
			t.Error("saved again it is another file:", err)
		}
	}
	// A record that is not whole can't be played again.
	_, err = p.LoadMatch(ctx, edit(data, func(saved, state map[string]json.RawMessage) {
		other(saved, state)
		saved["gap"], saved["decisions"] = []byte("9"), []byte("[]")
	}), interpreter.LoadOptions{})
	if !errors.Is(err, interpreter.ErrOtherLayout) {
		t.Error("a record that begins in the middle:", err)
	}
	// One whose decisions don't fit says which.
	_, err = p.LoadMatch(ctx, edit(data, func(saved, state map[string]json.RawMessage) {
		other(saved, state)
		saved["decisions"] = bytes.Replace(saved["decisions"], []byte(`"chosen":["`), []byte(`"chosen":["No such `), 1)
	}), interpreter.LoadOptions{})
	var misfit *interpreter.MisfitError
	if !errors.As(err, &misfit) || misfit.Number != 1 {
		t.Error("a decision that does not fit:", err)
	}
	// Under the layout at hand, a state that leads nowhere is damage; form 1 does not
	// name its layout, and is played again.
	astray := func(saved, state map[string]json.RawMessage) {
		state["Stack"] = []byte(`[{"Kind":0,"Routine":9999}]`)
	}
	if _, err := p.LoadMatch(ctx, edit(data, astray), interpreter.LoadOptions{}); !errors.Is(err, interpreter.ErrDamaged) {
		t.Error("a state that leads nowhere:", err)
	}
	first := edit(data, func(saved, state map[string]json.RawMessage) {
		delete(saved, "layout")
		saved["format"] = []byte("1")
		state["Clock"] = []byte("1") // what its program wrote; the hash goes with it
		saved["hash"] = []byte(`"` + interpreter.HashOfState(t, state) + `"`)
	})
	again, err := p.LoadMatch(ctx, first, interpreter.LoadOptions{NoLog: true})
	if err != nil || again.Hash() != m.Hash() {
		t.Error("of form 1:", err)
	}
}

// TestLayout: the layout is the same for the same rules, however often they are
// loaded, and another for other rules.
func TestLayout(t *testing.T) {
	one, two := interpreter.LayoutOf(builtIn(t)), interpreter.LayoutOf(builtIn(t))
	more := interpreter.LayoutOf(builtIn(t, interpreter.Source{Name: "more", FS: oneFile("a.momon", "memory naps of player: number\nextend step End of turn { do: record turn.player.naps = turn.player.naps + 1 }\n")}))
	if one != two || one == more {
		t.Errorf("%s, %s, %s", one, two, more)
	}
}
