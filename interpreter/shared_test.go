package interpreter_test

import (
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/momon-rules/momon/interpreter"
)

// TestShared plays matches and cases of one Program in several goroutines at
// once; the race detector watches.
func TestShared(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "cases", FS: os.DirFS("../conformance/cases")})
	cases := p.Cases("en")
	hashes := make([]string, 4)
	var wg sync.WaitGroup
	for g := range hashes {
		wg.Go(func() {
			m, err := p.NewMatch(ctx, interpreter.MatchOptions{Seed: 5})
			if err != nil {
				t.Error(err)
				return
			}
			r := rand.New(rand.NewPCG(5, 5))
			err = m.Play(ctx, "en", func(d *interpreter.Decision) ([]int, error) { return interpreter.Random(r, d), nil })
			if err != nil {
				t.Error(err)
			}
			hashes[g] = m.Hash()
			for i := g; i < len(cases); i += 7 {
				if res, err := p.RunCase(ctx, cases[i]); err != nil || !res.Passed() {
					t.Errorf("%s: %v", cases[i].ID, err)
				}
			}
		})
	}
	wg.Wait()
	for _, h := range hashes {
		if h != hashes[0] {
			t.Errorf("the same game ended in different states: %v", hashes)
		}
	}
}
