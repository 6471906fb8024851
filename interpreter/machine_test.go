package interpreter_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/momon-rules/momon/interpreter"
)

// machine is a match and what is known of it: its hash after each decision.
type machine struct {
	p      *interpreter.Program
	m      *interpreter.Match
	hashes []string // before each decision, and now
	picks  [][]int
}

func (x *machine) choose(t *rapid.T) {
	d := x.m.Pending("en")
	if d == nil {
		t.Skip("nothing to decide")
	}
	n := rapid.IntRange(d.Min, d.Max).Draw(t, "how many")
	all := make([]int, len(d.Options))
	for i := range all {
		all[i] = i
	}
	picks := rapid.Permutation(all).Draw(t, "picks")[:n]
	if err := x.m.Choose(ctx, picks...); err != nil {
		t.Fatal(err)
	}
	x.picks, x.hashes = append(x.picks, picks), append(x.hashes, x.m.Hash())
}

// misfit answers in a way that fits nothing.
func (x *machine) misfit(t *rapid.T) {
	d := x.m.Pending("en")
	picks := rapid.SliceOfN(rapid.IntRange(-2, 40), 0, 5).Draw(t, "picks")
	if d != nil {
		fits := len(picks) >= d.Min && len(picks) <= d.Max
		for i, k := range picks {
			fits = fits && k >= 0 && k < len(d.Options) && !slices.Contains(picks[:i], k)
		}
		if fits {
			t.Skip("an answer that fits")
		}
	}
	if err := x.m.Choose(ctx, picks...); err == nil {
		t.Fatalf("%v is taken for an answer", picks)
	}
}

func (x *machine) undo(t *rapid.T) {
	if err := x.m.Undo(ctx, interpreter.UndoOptions{Seen: true}); err != nil {
		if len(x.picks) == 0 {
			t.Skip("nothing to take back")
		}
		t.Fatal(err)
	}
	x.picks, x.hashes = x.picks[:len(x.picks)-1], x.hashes[:len(x.hashes)-1]
}

func (x *machine) save(t *rapid.T) {
	data, err := x.m.Save()
	if err != nil {
		t.Fatal(err)
	}
	noLog := rapid.Bool().Draw(t, "without a log")
	again, err := x.p.LoadMatch(ctx, data, interpreter.LoadOptions{NoLog: noLog})
	if err != nil {
		t.Fatal(err)
	}
	if !noLog {
		x.m = again
	} else if again.Hash() != x.m.Hash() {
		t.Fatal("taken up without a log it is another match")
	}
}

// copy goes on with a copy; the match that it was copied from stays where it is,
// whatever becomes of the copy.
func (x *machine) copy(t *rapid.T) {
	old, hash := x.m, x.m.Hash()
	x.m = old.Clone()
	if x.m.Pending("en") != nil {
		x.choose(t)
	}
	if old.Hash() != hash {
		t.Fatal("a match changes with its copy")
	}
}

func (x *machine) replay(t *rapid.T) {
	n := rapid.IntRange(0, len(x.picks)).Draw(t, "decisions")
	again, err := x.m.Replay(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != x.hashes[n] {
		t.Fatalf("played again, %d decisions lead elsewhere", n)
	}
}

// check holds after every action. What is shown of a copy, which works everything
// out anew, is what is shown of the match.
func (x *machine) check(t *rapid.T) {
	if got := x.m.Hash(); got != x.hashes[len(x.hashes)-1] {
		t.Fatalf("the state is another one after %d decisions", len(x.picks))
	}
	if n := x.m.Decisions(); n != len(x.picks) {
		t.Fatalf("%d decisions, not %d", n, len(x.picks))
	}
	if (x.m.Pending("en") == nil) != x.m.Over() {
		t.Fatal("a game that is not over asks nothing, or one that is over does")
	}
	if d := cmp.Diff(x.m.View("en", interpreter.Everyone), x.m.Clone().View("en", interpreter.Everyone)); d != "" {
		t.Fatalf("a copy works out other values: %s", d)
	}
}

// TestMatchMachine plays a match in random ways: choices, wrong answers, decisions
// taken back, saved and taken up, copied, played again.
func TestMatchMachine(t *testing.T) {
	interpreter.RapidChecks(t, "12")
	p := builtIn(t)
	rapid.Check(t, func(t *rapid.T) {
		m, err := p.NewMatch(ctx, interpreter.MatchOptions{Seed: rapid.Uint64Range(0, 1<<20).Draw(t, "seed")})
		if err != nil {
			t.Fatal(err)
		}
		x := &machine{p: p, m: m, hashes: []string{m.Hash()}}
		for range rapid.IntRange(0, 25).Draw(t, "decisions before") {
			if x.m.Pending("en") != nil {
				x.choose(t)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"choose": x.choose, "choose more": x.choose, "misfit": x.misfit, "undo": x.undo,
			"save": x.save, "copy": x.copy, "replay": x.replay, "": x.check,
		})
	})
}
