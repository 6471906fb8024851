package interpreter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/interpreter"
)

var ctx = context.Background()

// builtIn loads the project's own rules and cards.
func builtIn(t testing.TB, more ...interpreter.Source) *interpreter.Program {
	t.Helper()
	src := append([]interpreter.Source{{Name: "rules", FS: top(os.DirFS("../rules"))}, {Name: "cards", FS: os.DirFS("../cards")}}, more...)
	p, diags, err := interpreter.Load(ctx, src, interpreter.Options{})
	if err != nil {
		for _, d := range diags {
			t.Log(d.Code, d.Values)
		}
		t.Fatal(err)
	}
	return p
}

// top is the files of a folder without its folders.
func top(fsys fs.FS) fs.FS {
	out := fstest.MapFS{}
	names, _ := fs.Glob(fsys, "*.momon")
	for _, n := range names {
		data, _ := fs.ReadFile(fsys, n)
		out[n] = &fstest.MapFile{Data: data}
	}
	return out
}

func start(t testing.TB, p *interpreter.Program, opts interpreter.MatchOptions) *interpreter.Match {
	t.Helper()
	m, err := p.NewMatch(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// step makes one random decision.
func step(t testing.TB, m *interpreter.Match, r *rand.Rand) []int {
	t.Helper()
	picks := interpreter.Random(r, m.Pending("en"))
	if err := m.Choose(ctx, picks...); err != nil {
		t.Fatal(err)
	}
	return picks
}

func TestSavedAtEveryDecision(t *testing.T) {
	p := builtIn(t)
	for seed := range uint64(4) {
		m := start(t, p, interpreter.MatchOptions{Seed: seed})
		other := m
		r := rand.New(rand.NewPCG(seed, 0))
		for !m.Over() {
			data, err := other.Save()
			if err != nil {
				t.Fatal(err)
			}
			if other, err = p.LoadMatch(ctx, data, interpreter.LoadOptions{NoLog: m.Decisions()%3 == 1}); err != nil {
				t.Fatal(err)
			}
			picks := step(t, m, r)
			if err := other.Choose(ctx, picks...); err != nil {
				t.Fatal(err)
			}
			if m.Hash() != other.Hash() {
				a, _ := m.Save()
				b, _ := other.Save()
				t.Fatalf("seed %d: after decision %d the loaded match differs: %s", seed, m.Decisions(), firstDifference(a, b))
			}
		}
	}
}

// firstDifference shows where two saved matches part.
func firstDifference(a, b []byte) string {
	a, b = a[bytes.Index(a, []byte(`"state":`)):], b[bytes.Index(b, []byte(`"state":`)):]
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-200)
			return string(a[from:min(len(a), i+80)]) + "\n\nagainst\n\n" + string(b[from:min(len(b), i+80)])
		}
	}
	return "nowhere"
}

func TestCloneAndUndo(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 5})
	r := rand.New(rand.NewPCG(5, 0))
	var hashes []string
	for !m.Over() {
		hashes = append(hashes, m.Hash())
		c := m.Clone()
		if c.Hash() != m.Hash() {
			t.Fatal("a clone differs")
		}
		step(t, c, rand.New(rand.NewPCG(1, uint64(m.Decisions()))))
		if m.Hash() != hashes[len(hashes)-1] {
			t.Fatal("a clone's decision changed the original")
		}
		step(t, m, r)
	}
	for i := len(hashes) - 1; i >= 0; i-- {
		if err := m.Undo(ctx, interpreter.UndoOptions{Seen: true}); err != nil {
			t.Fatal(err)
		}
		if m.Hash() != hashes[i] {
			t.Fatalf("undo to decision %d leads elsewhere", i)
		}
	}
	if err := m.Undo(ctx, interpreter.UndoOptions{Seen: true}); !errors.Is(err, interpreter.ErrNothing) {
		t.Error(err)
	}
}

func TestNothingHiddenIsShown(t *testing.T) {
	p := builtIn(t)
	names := map[string]bool{}
	for _, c := range p.Cards("en") {
		names[c.Shown] = true
	}
	for seed := range uint64(6) {
		m := start(t, p, interpreter.MatchOptions{Seed: seed})
		r := rand.New(rand.NewPCG(seed, 9))
		for !m.Over() {
			for v := interpreter.Everyone; v <= interpreter.P2; v++ {
				hidden := hiddenNames(m, v)
				var said strings.Builder
				b, err := json.Marshal(m.View("en", v))
				if err != nil {
					t.Fatal(err)
				}
				said.Write(b)
				for i := range m.Events() {
					e := &m.Events()[i]
					said.WriteString(m.Text(e, "en", v) + "\n")
					c, err := json.Marshal(m.Cause(e, "en", v))
					if err != nil {
						t.Fatal(err)
					}
					said.Write(c)
				}
				for _, h := range hidden {
					if strings.Contains(said.String(), h) {
						t.Fatalf("seed %d, decision %d: viewer %d learns of %s", seed, m.Decisions(), v, h)
					}
				}
			}
			step(t, m, r)
		}
	}
}

// hiddenNames are the cards that a viewer has never seen: decks without copies
// make names enough to tell them, and what a viewer has seen once stays in Objects
// or has left for a zone that all see.
func hiddenNames(m *interpreter.Match, v interpreter.Viewer) []string {
	seen := map[string]bool{}
	for _, o := range m.Objects("", "en", v) {
		seen[o.Name] = true
	}
	var out []string
	for _, c := range m.Program().Cards("en") {
		if len(c.Decks) > 0 && !seen[c.Shown] {
			out = append(out, c.Shown)
		}
	}
	return out
}

func TestDamagedSaves(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 2})
	step(t, m, rand.New(rand.NewPCG(1, 1)))
	data, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data)-2; n += 97 {
		if _, err := p.LoadMatch(ctx, data[:n], interpreter.LoadOptions{}); err == nil {
			t.Fatalf("cut after %d bytes it loads", n)
		}
	}
	for _, c := range []struct {
		old, new string
		want     error
	}{
		{`"format":2`, `"format":99`, interpreter.ErrFormat},
		{`"momon":"match"`, `"momon":"pack"`, interpreter.ErrNotSaved},
		{`"Clock":`, `"Clock":1`, interpreter.ErrDamaged},
		{`"digest":"`, `"digest":"0`, interpreter.ErrOtherRules},
	} {
		if _, err := p.LoadMatch(ctx, bytes.Replace(data, []byte(c.old), []byte(c.new), 1), interpreter.LoadOptions{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.new, err, c.want)
		}
	}
	if _, err := p.LoadMatch(ctx, data, interpreter.LoadOptions{}); err != nil {
		t.Error("the original:", err)
	}
}

func TestOtherRules(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 3})
	r := rand.New(rand.NewPCG(3, 3))
	for range 6 {
		step(t, m, r)
	}
	data, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	comment := builtIn(t, interpreter.Source{Name: "more", FS: fstest.MapFS{"a.momon": {Data: []byte("# nothing\n")}}})
	if _, err := comment.LoadMatch(ctx, data, interpreter.LoadOptions{}); !errors.Is(err, interpreter.ErrOtherRules) {
		t.Fatal(err)
	}
	same, err := comment.LoadMatch(ctx, data, interpreter.LoadOptions{Replay: true})
	if err != nil || same.Hash() != m.Hash() {
		t.Fatal("rules that differ in a comment play otherwise:", err)
	}
	smaller := builtIn(t, interpreter.Source{Name: "more", FS: fstest.MapFS{"a.momon": {Data: []byte("override characteristic opening_hand of game: number = 1 en \"x\" th \"x\"\n")}}})
	_, err = smaller.LoadMatch(ctx, data, interpreter.LoadOptions{Replay: true})
	var misfit *interpreter.MisfitError
	if !errors.As(err, &misfit) || misfit.Number < 1 {
		t.Fatal("a decision that can't fit was not named:", err)
	}
}

func TestCancel(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 2})
	before := m.Hash()
	over, cancel := context.WithCancel(ctx)
	cancel()
	err := m.Play(over, "en", func(d *interpreter.Decision) ([]int, error) { return []int{0}, nil })
	if !errors.Is(err, context.Canceled) || m.Hash() != before {
		t.Fatal(err)
	}
}

func TestEndlessRulesLeaveTheMatchAsItWas(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "loop", FS: fstest.MapFS{"a.momon": {Data: []byte(
		"token Endless on Momon en \"Endless\" th \"Endless\"\nextend step End of turn {\n  do: repeat until 1 == 2 { for m in each Momon: place Endless on m }\n}\n")}}})
	m := start(t, p, interpreter.MatchOptions{Seed: 2})
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		before, events := m.Hash(), len(m.Events())
		err := m.Choose(ctx, interpreter.Random(r, m.Pending("en"))...)
		var limit *interpreter.LimitError
		if errors.As(err, &limit) {
			if m.Hash() != before || len(m.Events()) != events || len(limit.Chain) == 0 {
				t.Fatal("the match is not as it was")
			}
			if m.Pending("en") == nil {
				t.Fatal("nothing can be decided any more")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no limit was reached")
}

func TestConcede(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 2})
	if err := m.Concede(1); err != nil {
		t.Fatal(err)
	}
	if w := m.Winners(); !m.Over() || len(w) != 1 || w[0] != 2 {
		t.Error(w)
	}
	data, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.LoadMatch(ctx, data, interpreter.LoadOptions{})
	if err != nil || !again.Over() || again.Hash() != m.Hash() {
		t.Error("saved and loaded it goes on:", err)
	}
}

func TestWrongAnswersChangeNothing(t *testing.T) {
	p := builtIn(t)
	m := start(t, p, interpreter.MatchOptions{Seed: 2})
	before := m.Hash()
	for _, picks := range [][]int{{}, {-1}, {1000}, {0, 0}, {0, 1, 2, 3, 4, 5}} {
		if err := m.Choose(ctx, picks...); err == nil {
			t.Error(picks, "fits")
		}
	}
	if m.Hash() != before {
		t.Error("a wrong answer changed the match")
	}
}

func TestSameSeedSameLog(t *testing.T) {
	p := builtIn(t)
	play := func() string {
		m := start(t, p, interpreter.MatchOptions{Seed: 8})
		r := rand.New(rand.NewPCG(8, 8))
		for !m.Over() {
			step(t, m, r)
		}
		var b strings.Builder
		for i := range m.Events() {
			b.WriteString(m.Text(&m.Events()[i], "th", interpreter.Everyone) + "\n")
		}
		return b.String() + m.Hash()
	}
	if first, second := play(), play(); first != second {
		t.Error("the same seed and decisions give another log")
	}
}

func TestListings(t *testing.T) {
	p := builtIn(t)
	if len(p.Rules("en")) == 0 || len(p.Layers("en")) != 5 || len(p.Headers("th")) == 0 || len(p.Decks("en")) < 2 || len(p.Readings("en")) == 0 || len(p.Languages()) < 2 {
		t.Error("a listing is empty")
	}
	for _, r := range p.Rules("en") {
		for _, s := range r.Statements {
			if len(s.Data) == 0 && s.By == "" && len(s.Readings) == 0 && s.Status != "provisional" {
				t.Errorf("%s %s: nothing carries it out", s.Rule, s.Key)
			}
		}
	}
}
