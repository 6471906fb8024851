package diff_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/diff"
)

// TestWitnesses finds for each update that can be seen a situation that shows it, and
// for the others none.
func TestWitnesses(t *testing.T) {
	old := open(t, "old", builtin(t))
	for _, u := range updates {
		t.Run(u.name, func(t *testing.T) {
			files := builtin(t)
			u.edit(files)
			r := diff.Compare(old, open(t, "new", files))
			if err := r.Search(ctx, diff.SearchOptions{Most: 40, Seed: 1}); err != nil {
				t.Fatal(err)
			}
			w := r.Find.Witness
			if u.size == diff.None || strings.HasPrefix(u.changes[0], "private") {
				if w != nil || r.Find.Outcome != diff.NoneIn || r.Find.Random != 40 || r.Find.Cases < 500 {
					t.Errorf("%+v %+v", r.Find, w)
				}
				return
			}
			if w == nil || r.Find.Outcome != diff.Found {
				t.Fatalf("%+v", r.Find)
			}
			whole := strings.Join(w.Lines, "\n") + "\n" + w.Old + " | " + w.New
			if len(w.Lines) > 9 {
				t.Errorf("not small:\n%s", whole)
			}
			if len(w.By) == 0 {
				t.Errorf("by nothing:\n%s", whole)
			}
			for _, id := range w.By {
				if !slices.ContainsFunc(r.Changes, func(c diff.Change) bool { return c.ID == id }) {
					t.Errorf("by %s, which did not change", id)
				}
			}
			if !w.Taken[0] || !w.Taken[1] {
				if w.Why["en"] == "" || w.Why["th"] == "" {
					t.Errorf("not told why:\n%s", whole)
				}
				return
			}
			if w.Question == "" || w.Old == w.New || len(w.Story) != len(w.Lines) {
				t.Errorf("no question:\n%s", whole)
			}
			for _, lang := range []string{"en", "th"} {
				if len(w.Before[lang])+len(w.After[lang]) == 0 {
					t.Errorf("not explained in %s:\n%s", lang, whole)
				}
			}
			// What it is saved as holds under the new rules and not under the old ones.
			for i, side := range []map[string]string{builtin(t), files} {
				side["cases/draft.momon"] = w.Case
				p := open(t, "saved", side).Program
				at := slices.IndexFunc(p.Cases("en"), func(c interpreter.Case) bool { return c.Status == interpreter.Draft })
				if at < 0 {
					t.Fatalf("no draft:\n%s", w.Case)
				}
				res, err := p.RunCase(ctx, p.Cases("en")[at])
				if err != nil {
					t.Fatal(err)
				}
				if res.Passed() != (i == 1) {
					t.Errorf("passed %v:\n%s", res.Passed(), w.Case)
				}
			}
		})
	}
}

// TestMadeUp finds a difference where there is no case to take it from, only some to
// make situations up of.
func TestMadeUp(t *testing.T) {
	files := builtin(t)
	for name := range files {
		if strings.HasPrefix(name, "cases/") {
			delete(files, name)
		}
	}
	files["cases/plain.momon"] = `
case "a" { given A: Momon of P1; effect on A: raise power by 1; expect A.power == 1 }
case "b" { given A: Momon of P1; grant Ward to A; expect A.here }
case "c" { given A: Momon of P1; during turn of P1 { expect A.here }; expect A.here }
case "d" { given A: Momon of P1; effect on A: set power to 3; expect A.power == 3 }
`
	old := open(t, "old", files)
	replace(layers, "layer Set    after Base ", "layer Set    after Modify ")(files)
	replace(layers, "layer Add    after Set ", "layer Add    after Base ")(files)
	replace(layers, "layer Rules after Modify", "layer Rules after Set")(files)
	r := diff.Compare(old, open(t, "new", files))
	if err := r.Search(ctx, diff.SearchOptions{Most: 400, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	if r.Find.Outcome != diff.Found || r.Find.Random == 0 || len(r.Find.Witness.Lines) != 4 {
		t.Fatalf("%+v %+v", r.Find, r.Find.Witness)
	}

	// Where the time is over before, it says so.
	late, end := context.WithTimeout(ctx, time.Nanosecond)
	defer end()
	if err := r.Search(late, diff.SearchOptions{Most: 400}); err != nil {
		t.Fatal(err)
	}
	if r.Find.Outcome != diff.GivenUp {
		t.Errorf("%+v", r.Find)
	}
}
