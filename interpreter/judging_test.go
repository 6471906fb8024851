package interpreter

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/momon-rules/momon/rules"
)

// Dependency is judged again after each effect; under another reading it is judged
// once, as the layer starts. 11.6.2 leaves that open, but not everywhere: where
// applying an effect can't change which of the others wait, both must give the same.

// TestJudgedAlikePairs: of two effects in a layer, the one that is left waits for
// nothing, however often that is asked. The works of the test data are cut down to
// two effects a layer and worked out both ways.
func TestJudgedAlikePairs(t *testing.T) {
	tried := 0
	for _, w := range benchWorks(t) {
		work := w.Work
		layer, kept := map[int]int{}, map[int]bool{}
		keep := func(e *WorkEffect) bool {
			if layer[e.Layer]++; layer[e.Layer] > 2 {
				return false
			}
			kept[e.ID] = true
			return true
		}
		work.Effects, work.Changes = nil, nil
		for i := range w.Work.Effects {
			if e := &w.Work.Effects[i]; keep(e) {
				work.Effects = append(work.Effects, *e)
			}
		}
		for _, c := range w.Work.Changes {
			if c.Effect == nil && c.Kind != "remove" || c.Effect != nil && keep(c.Effect) || c.Kind == "remove" && kept[c.ID] {
				work.Changes = append(work.Changes, c)
			}
		}
		var runs []*LayersRun
		for _, once := range []bool{false, true} {
			b, err := NewLayersBench(context.Background(), &work, once)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, b.Start(false))
		}
		for s := range runs[0].b.steps {
			tried++
			if a, b := runs[0].Step(s).Vals, runs[1].Step(s).Vals; !slices.Equal(a, b) {
				t.Fatalf("work %d, change %d:\nagain after each %s\nonce %s", work.Seed, s, BoardJSON(runs[0].Board()), BoardJSON(runs[1].Board()))
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d boards", tried)
	}
}

// TestJudgedAlikeRings: where all effects of a layer depend on each other in one
// ring, they go by age, and the ring is settled as its first member is applied. The
// ring passes Traits on: effect i gives Trait i+1 to what has Trait i, and each
// Momon has one Trait at first, so that every effect matters to the next.
func TestJudgedAlikeRings(t *testing.T) {
	RapidChecks(t, "40")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "effects")
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		order = rapid.Permutation(order).Draw(t, "by age")
		momon := make([]int, n) // the Trait that each has at first; all are there once at least
		copy(momon, order)
		for range rapid.IntRange(0, 3).Draw(t, "more Momon") {
			momon = append(momon, rapid.IntRange(0, n-1).Draw(t, "Trait"))
		}
		var b strings.Builder
		b.WriteString("values Rank {")
		for i := range n {
			fmt.Fprintf(&b, " R%d en %q th %q;", i, fmt.Sprint("R", i), fmt.Sprint("R", i))
		}
		b.WriteString(" }\ncharacteristic rank of card: several Rank printed en \"rank\" th \"rank\"\n")
		for _, reading := range []string{"judged_after_each", "judged_once"} {
			fmt.Fprintf(&b, "case %q interpretation {\n  confirms 11.6.2 \"dependency.ring\" under %s\n", reading, reading)
			for i, r := range momon {
				fmt.Fprintf(&b, "  given M%d: Momon of P1 { rank R%d }\n", i, r)
			}
			for _, e := range order {
				fmt.Fprintf(&b, "  effect on each Momon where R%d in rank: add rank R%d\n", e, (e+1)%n)
			}
			for i, r := range momon {
				has := map[int]bool{r: true}
				for _, e := range order { // by age alone
					if has[e] {
						has[(e+1)%n] = true
					}
				}
				var want []string
				for r := range n {
					if has[r] {
						want = append(want, fmt.Sprint("R", r))
					}
				}
				fmt.Fprintf(&b, "  expect M%d.rank == [%s]\n", i, strings.Join(want, ", "))
			}
			b.WriteString("}\n")
		}
		src := []Source{{Name: "rules", FS: rules.FS}, {Name: "ring", FS: fstest.MapFS{"ring.momon": {Data: []byte(b.String())}}}}
		p, diags, err := Load(context.Background(), src, Options{})
		if err != nil {
			t.Fatalf("%v %v\n%s", err, diags, b.String())
		}
		for _, c := range p.Cases("en") {
			res, err := p.RunCase(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range res.Failures {
				t.Fatalf("%s: want %s, got %s: %s\n%s", c.ID, f.Want, f.Got, f.Line, b.String())
			}
		}
	})
}
