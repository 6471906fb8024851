package interpreter_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/interpreter"
)

// TestWhyNotKnowsWhatIsSo asks of every object of every case why no header
// triggered and why it lacks each keyword. The answer must say that it did, or has
// it, exactly where that is so, by the log and by the view of the board; else it
// must give a reason. No answer may change the case.
func TestWhyNotKnowsWhatIsSo(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "cases", FS: os.DirFS("../conformance/cases")})
	var headers, keywords []interpreter.Name
	for _, n := range p.Names("en") {
		switch n.Sort {
		case interpreter.NameHeader:
			headers = append(headers, n)
		case interpreter.NameKeyword:
			keywords = append(keywords, n)
		}
	}
	asked, not := 0, 0
	for i, c := range p.Cases("en") {
		if i%4 != 0 && !strings.HasPrefix(c.ID, "on-s") && !strings.HasPrefix(c.ID, "snatched-back") {
			continue // enough; a trigger is played again for each question
		}
		r, err := p.StartCase(c)
		if err != nil {
			t.Fatal(err)
		}
		tried := map[int]bool{} // entries of what a repair only tries out
		for r.More() {
			step, err := r.Step()
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range step.Events {
				tried[e.Number] = strings.HasPrefix(step.Text, "repair")
			}
		}
		events := len(r.Events())
		for _, name := range r.Objects() {
			o, ok := r.Object(name, "en")
			if !ok {
				continue
			}
			for _, h := range headers {
				w, err := r.WhyNot(append([]string{name}, strings.Fields(h.Name)...), interpreter.WhyNotOptions{Lang: "en"})
				if err != nil {
					t.Fatalf("%s: %s %s: %v", c.ID, name, h.Name, err)
				}
				fired := slices.ContainsFunc(r.Events(), func(e interpreter.Event) bool {
					if e.Kind != interpreter.Fired || tried[e.Number] {
						return false
					}
					cause := r.Cause(&e, "en")
					return (cause.Source == name || strings.HasPrefix(cause.Source, name+" (")) && strings.HasSuffix(cause.What, ": "+h.Name)
				})
				if w.So != fired {
					t.Errorf("%s: %s %q: %s", c.ID, name, h.Name, w.Sentence)
				}
				asked++
				check(t, c.ID, w)
			}
			lines := ""
			if x, err := r.Explain(o, "zone", "en"); err == nil {
				lines = x.Value
			}
			if lines == "" {
				continue
			}
			for _, k := range keywords[:min(len(keywords), 3)] {
				w, err := r.WhyNot([]string{name, k.Name}, interpreter.WhyNotOptions{Lang: "th"})
				if err != nil {
					t.Fatalf("%s: %s %s: %v", c.ID, name, k.Name, err)
				}
				if not++; w.So {
					not--
				}
				check(t, c.ID, w)
			}
		}
		if len(r.Events()) != events {
			t.Fatalf("%s: an answer changed the log", c.ID)
		}
		if res := r.Finish(); !res.Passed() && len(c.Under) == 0 {
			t.Errorf("%s: an answer changed the case", c.ID)
		}
	}
	if asked < 500 || not < 100 {
		t.Errorf("%d and %d questions", asked, not)
	}
}

func check(t *testing.T, id string, w *interpreter.WhyNot) {
	t.Helper()
	if len(w.Reasons) == 0 || w.Sentence == "" || w.Statements == nil {
		t.Errorf("%s: no reason: %+v", id, w)
	}
	for _, r := range w.Reasons {
		if r.Words == "" || strings.Contains(r.Words, "%!") {
			t.Errorf("%s: %s without words: %q", id, r.Kind, r.Words)
		}
		if (r.Kind == interpreter.ReasonCondition || r.Kind == interpreter.ReasonNotBegun) && len(r.Parts) == 0 {
			t.Errorf("%s: %s does not say which part: %s", id, r.Kind, r.Words)
		}
		if r.Kind == interpreter.ReasonSo && !w.So {
			t.Errorf("%s: it is so, and the answer says it is not: %s", id, w.Sentence)
		}
	}
}

// TestWhyNotInAGame asks at random moments of games, by each player's view. The
// game must be the same afterwards, and a value that an object has must be told as
// such.
func TestWhyNotInAGame(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "cases", FS: os.DirFS("../conformance/cases")})
	for seed := range uint64(3) {
		m, err := p.NewMatch(ctx, interpreter.MatchOptions{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for n := 0; !m.Over() && n < 40; n++ {
			if n%9 == 4 {
				before := m.Hash()
				for _, o := range m.Objects("", "en", interpreter.P1)[:6] {
					for _, ch := range m.Characteristics(o.Object) {
						x, err := m.ExplainTo(interpreter.P1, o.Object, ch, "en")
						if err != nil || x.Sentence == "" || strings.Contains(x.Sentence, "%!") {
							t.Fatalf("%s %s: %v %+v", o.Name, ch, err, x)
						}
						if x.Value == "-" || strings.Contains(x.Value, ",") || x.Value == "" {
							continue
						}
						w, err := m.WhyNot(append([]string{"#" + number(o.Object), ch}, strings.Fields(x.Value)...), interpreter.WhyNotOptions{Lang: "en", Viewer: interpreter.P1})
						if err == nil && !w.So && len(m.Objects(x.Value, "en", interpreter.P1)) < 2 {
							t.Errorf("%s has %s %s: %s", o.Name, ch, x.Value, w.Sentence)
						}
					}
					if _, err := m.WhyNot([]string{"#" + number(o.Object), "trigger"}, interpreter.WhyNotOptions{Lang: "th", Viewer: interpreter.P1}); err != nil {
						t.Error(err)
					}
				}
				if m.Hash() != before {
					t.Fatal("an answer changed the game")
				}
			}
			d := m.Pending("en")
			if err := m.Choose(ctx, interpreter.Random(r, d)...); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func number(n int) string { return strconv.Itoa(n) }

// Each case stands for a thing that can be in the way, and below it the questions.
const kinds = `
keyword "Test Once" { when give where object == self once per turn: place Bark on self }
keyword "Test Hand" { when in Hand give where player == you: place Bark on first(you.momon) }
keyword "Test Mute" { always: prohibit trigger where source.controller == opponent }
keyword "Test Firm" { always: lock power }
keyword "Test Lent" { always on each Momon where it != self: add ability "Test Once" }
keyword "Test Wide" { always on each Momon where not (Beast in trait or power > 3): raise power by 1 }

case "limit" {
  given A: Momon of P1 { Test Once }
  during turn of P1 { give A to P2; give A to P1; expect A.tally(Bark) == 1 }
}
case "zone" {
  given A: Momon of P1 { Test Hand }
  give A to P2
  expect A.tally(Bark) == 0
}
case "stopped" {
  given A: Momon of P1 { Test Once }
  given B: Momon of P2 { Test Mute }
  during turn of P1 { give A to P1; expect A.tally(Bark) == 0 }
}
case "locked" {
  given A: Momon of P1 { power 2; Test Firm }
  effect D on A: raise power by 3
  expect A.power == 2
}
case "lent" {
  given A: Momon of P1
  given B: Momon of P1 { Test Lent }
  effect E on B: strip ability
  during turn of P1 { give A to P2; expect A.tally(Bark) == 0 }
}
case "wide" {
  given A: Momon of P1 { power 2; trait Beast }
  given B: Momon of P1 { power 5 }
  given C: Momon of P2 { Test Wide }
  expect A.power == 2 and B.power == 5
}
case "left" {
  given A: Momon of P1 { power 1 }
  given B: Momon of P1 { Test Wide }
  move B to Discard
  expect A.power == 1
}
case "held" {
  given A: Momon of P1
  during turn of P1: as A: effect D on A until end of turn { raise power by 1; when give where object == self: place Bark on self }
  give A to P2
  expect A.tally(Bark) == 0
}
case "taken" {
  given A: Momon of P1 { Test Once }
  effect D on A: remove ability "Test Once"
  expect not A.has("Test Once")
}
`

// TestWhyNotKinds asks for every kind of reason that the cases of the suite do not
// come by, and holds the first reason to what the case was written for.
func TestWhyNotKinds(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "kinds", FS: fstest.MapFS{"kinds.momon": {Data: []byte(kinds)}}})
	for _, q := range []struct {
		id, words string
		kind      interpreter.ReasonKind
		says      string
	}{
		{"limit", "A trigger", interpreter.ReasonSo, "did trigger"},
		{"zone", "A trigger", interpreter.ReasonZone, "A was in Arena, and the ability works in Hand"},
		{"stopped", "A trigger", interpreter.ReasonStopped, "Test Mute of B forbids it"},
		{"locked", "A power 5", interpreter.ReasonLocked, "D can't change what its own Test Firm has locked"},
		{"locked", "A D", interpreter.ReasonLocked, "Test Firm has locked"},
		{"lent", "A Test Once", interpreter.ReasonLost, "Test Lent of B was taken away by E"},
		{"wide", "A power 3", interpreter.ReasonFilter, "Beast is in Trait of A (Beast)"},
		{"wide", "B power 6", interpreter.ReasonFilter, "Power of B is 5"},
		{"left", "A power 2", interpreter.ReasonGone, "its source has left"},
		{"held", "A trigger", interpreter.ReasonEnded, "D is over"},
		{"taken", "A Test Once", interpreter.ReasonLost, "A had lost the ability to D"},
		{"taken", "A ability", "", ""},
	} {
		c, ok := p.Case(q.id, "en")
		if !ok {
			t.Fatal(q.id)
		}
		res, err := p.RunCase(ctx, c)
		if err != nil || !res.Passed() {
			t.Fatalf("%s: %v %+v", q.id, err, res)
		}
		w, err := res.Run().WhyNot(strings.Fields(q.words), interpreter.WhyNotOptions{Lang: "en"})
		if q.kind == "" {
			if err == nil {
				t.Errorf("%s %s: a value is missing, and it was answered: %s", q.id, q.words, w.Sentence)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", q.id, q.words, err)
			continue
		}
		if w.Reasons[0].Kind != q.kind || !strings.Contains(w.Sentence, q.says) {
			t.Errorf("%s %s: %s: %s", q.id, q.words, w.Reasons[0].Kind, w.Sentence)
		}
		if q.id == "limit" && !slices.ContainsFunc(w.Reasons, func(r interpreter.Reason) bool { return r.Kind == interpreter.ReasonLimit }) {
			t.Errorf("limit: no reason tells that it is used up: %+v", w.Reasons)
		}
	}
}
