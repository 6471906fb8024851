package interpreter_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/interpreter"
)

// TestExplainCitesWhatDecided: an explanation cites the statements that decided
// something about the value, and no others. What is expected was thought out.
func TestExplainCitesWhatDecided(t *testing.T) {
	mine := fstest.MapFS{"mine.momon": {Data: []byte(`
case "as-printed" { given A: Momon of P1 { power 2 }; expect A.power == 2 }
case "two-bonuses" {
  given A: Momon of P1 { power 2 }
  effect D on A: raise power by 1
  effect E on A: raise power by 1
  expect A.power == 4
}
case "same-value-twice" {
  given A: Momon of P1 { power 2 }
  effect D on A: set power to 1
  effect E on A: set power to 1
  expect A.power == 1
}
case "another-is-waited-for" {
  given A: Momon of P1 { trait Beast }
  given B: Momon of P2
  effect D on each Momon where Beast in trait: add trait Elder
  effect E on B: add trait Beast
  expect Elder in A.trait and Elder in B.trait
}
case "kept-away-by-waiting" {
  given A: Momon of P1 { trait Beast }
  effect D on each Momon where Beast in trait: add trait Elder
  effect E on A: remove trait Beast
  expect not (Elder in A.trait)
}
case "floor" {
  given A: Momon of P1 { worth 1 }
  place Marking on A
  effect D on A.marks: lower points by 3
  expect first(A.marks).points == 0
}
case "refused" {
  given A: Momon of P1 { power 2 }
  given B: Momon of P2
  grant Ward to B
  check by A on [B] with sure = true
  refused snatch where target == B
}
`)}}
	p := builtIn(t, interpreter.Source{Name: "cases", FS: os.DirFS("../conformance/cases")}, interpreter.Source{Name: "mine", FS: mine})
	for _, x := range []struct{ name, object, char, want string }{
		{"as-printed", "A", "power", ""},
		{"two-bonuses", "A", "power", "layers.modify"},                         // whichever is the older
		{"same-value-twice", "A", "power", "layers.set"},                       //
		{"another-is-waited-for", "A", "trait", "layers.add"},                  // to A it is all the same that D waits
		{"another-is-waited-for", "B", "trait", "dependency.first layers.add"}, //
		{"kept-away-by-waiting", "A", "trait", "dependency.first layers.add"},  // else A would have it
		{"floor", "A's Marking", "points", "floor.once layers.modify floor.running"},
		{"across-power-older-bonus-newer-zero", "A", "power", "layers.set layers.modify layers.order layers.across"},
		{"across-order-of-making-does-not-matter", "A", "power", "layers.set layers.modify layers.order"}, // age says the same
		{"across-is-not-within-a-layer", "A", "power", "timestamp.order layers.set"},
		{"age-in-layer-three", "A", "trait", "timestamp.order layers.add"},
		{"ring-of-two-older-first", "A", "element", "dependency.ring layers.set"},
		{"outsider-waits-for-the-older-member", "C", "element", "dependency.first dependency.outside layers.set"},
		{"outsider-depends-on-one-of-two", "A", "trait", "dependency.ring layers.add"}, // D is older than F, and E older than D
	} {
		c, ok := p.Case(x.name, "en")
		if !ok {
			t.Fatalf("no case %s", x.name)
		}
		r, err := p.StartCase(c)
		if err != nil {
			t.Fatal(err)
		}
		for r.More() {
			if _, err := r.Step(); err != nil {
				t.Fatal(err)
			}
		}
		o := r.Named(x.object, "en")
		if x.object == "A's Marking" {
			o = r.Named("Marking on A", "en")
		}
		if len(o) != 1 {
			t.Fatalf("%s: %d objects are called %s", x.name, len(o), x.object)
		}
		e, err := r.Explain(o[0].Object, x.char, "en")
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, u := range e.Statements {
			keys = append(keys, u.Key)
			if len(u.Did) == 0 {
				t.Errorf("%s: %s did nothing", x.name, u.Key)
			}
		}
		if got := strings.Join(keys, " "); got != x.want {
			t.Errorf("%s of %s in %s cites\n%s\nand not\n%s", x.char, x.object, x.name, got, x.want)
		}
	}
	c, _ := p.Case("refused", "en")
	r, err := p.StartCase(c)
	if err != nil {
		t.Fatal(err)
	}
	for r.More() {
		if _, err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range r.Events() {
		if e.Kind != interpreter.Refused {
			continue
		}
		for _, u := range r.Cause(&e, "en").Statements {
			if u.Key == "ward.stamp" { // which speaks of age
				t.Errorf("the refusal cites %s", u.Key)
			}
		}
	}
}

// TestRefusedByLimit: what lays one token too many is told to be that.
func TestRefusedByLimit(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "mine", FS: fstest.MapFS{"mine.momon": {Data: []byte(`
token Rust on Momon limit 2 en "Rust" th "สนิม"
case "limit" {
  given A, B: Momon of P1
  place 2 Rust on A
  place Rust on A
  place Rust on B
  move first(B.tokens) to A
  expect A.tally(Rust) == 2 and B.tally(Rust) == 1
}`)}}})
	c, _ := p.Case("limit", "en")
	r, err := p.StartCase(c)
	if err != nil {
		t.Fatal(err)
	}
	for r.More() {
		if _, err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	refused := 0
	for _, e := range r.Events() {
		if e.Kind != interpreter.Refused {
			continue
		}
		refused++
		if en, th := r.Text(&e, "en"), r.Text(&e, "th"); !strings.Contains(en, "no more than 2 of Rust may lie on A") || strings.Contains(en, "nothing") || !strings.Contains(th, "วางสนิมบน A ได้ไม่เกิน 2") {
			t.Errorf("%s\n%s", en, th)
		}
	}
	if refused != 2 {
		t.Errorf("%d refusals", refused)
	}
}

// TestExplainShowsWhatAnAmountIsMadeOf: of a worked-out amount each named part is shown
// with the value that it had when the effect was applied.
func TestExplainShowsWhatAnAmountIsMadeOf(t *testing.T) {
	mine := fstest.MapFS{"mine.momon": {Data: []byte(`
memory sulk of card: number
keyword Herd (n: number) en "Herd {n}" th "ฝูง {n}" {
  always: raise power by n * count(each Momon where controller == you and Guard in trait) + self.sulk
  when give where object == self: record self.sulk = self.sulk + 1
}
case "parts" {
  given A: Momon of P1 { power 2; trait Guard; Herd 2 }
  given B: Momon of P1 { power 1; trait Guard }
  given C, D: Momon of P2 { power 3 }
  effect E on C: raise power by (count(P2.hand) > 0 ? 1 : min(A.power, sum([B, D], .power) - 1, 9))
  effect F on D: set element to A.element
  expect A.power == 6 and C.power == 6
}`)}}
	p := builtIn(t, interpreter.Source{Name: "mine", FS: mine})
	c, _ := p.Case("parts", "en")
	r, err := p.StartCase(c)
	if err != nil {
		t.Fatal(err)
	}
	for r.More() {
		if _, err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		object, char string
		want         []interpreter.Value
	}{
		{"A", "power", []interpreter.Value{{Name: "n", Value: "2"}, {Name: "count(each Momon where controller == you and Guard in trait)", Value: "2: A, B"}, {Name: "self.sulk", Value: "0"}}},
		{"C", "power", []interpreter.Value{{Name: "count(P2.hand) > 0", Value: "no"}, {Name: "A.power", Value: "6"}, {Name: "sum([B, D], it.power)", Value: "4: B 1, D 3"}}},
		{"D", "element", []interpreter.Value{{Name: "A.element", Value: "nothing"}}},
	} {
		e, err := r.Explain(r.Named(x.object, "en")[0].Object, x.char, "en")
		if err != nil {
			t.Fatal(err)
		}
		var got []interpreter.Value
		for _, l := range e.Layers {
			for _, s := range l.Steps {
				got = append(got, s.Parts...)
			}
		}
		if d := cmp.Diff(x.want, got); d != "" {
			t.Errorf("%s of %s (-want +got):\n%s", x.char, x.object, d)
		}
	}
}
