package interpreter_test

import (
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
)

// TestAdvice holds slips that designers made against what they are told: one error,
// and in both languages what helps.
func TestAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		text, code string
		en, th     []string // what the advice says
		not        []string // what it must not say
	}{
		"a role of what hits are": {"keyword Calm { On Snatch: effect on target.marks: lower points by 1 }", "unknown-name",
			[]string{"`hits`", "`map(hits, .target)`", "`for h in hits"}, []string{"`map(hits, .target)`"}, []string{"targets"}},
		"a role of the list itself": {"keyword Calm { On Snatch: effect on hits.target until end of turn: lower power by 1 }", "member-of-several",
			[]string{"`map(hits, .target)`", "`for x in hits: …`"}, []string{"`map(hits, .target)`"}, []string{"sum("}},
		"a flag of a list": {"keyword Calm { On Snatch { record x = hits.enemy; if x: draw by you } }", "member-of-several",
			[]string{"`any(hits, .enemy)`"}, []string{"`any(hits, .enemy)`"}, nil},
		"what none of a list has": {"keyword Calm { On Snatch { record x = you.momon.nonsense; if x: draw by you } }", "member-of-several",
			[]string{"None of `you.momon` has it"}, []string{"`you.momon`"}, []string{"sum("}},
		"an operation on what a path names": {"keyword Calm { On Snatch: lower hits.target.marks.points by 1 }", "operation-outside-effect",
			[]string{"`effect on hits.target.marks until end of turn: lower points by 1`"}, []string{"lower points by 1`"}, []string{"on self"}},
		"twice per turn": {"keyword Calm { when move where out_of == Arena: may twice per turn: draw by you }", "expected",
			[]string{"Write instead: `limit 2 per turn`"}, []string{"`limit 2 per turn`"}, []string{"missing"}},
		"choose one": {"keyword Calm { On Snatch: choose one { option en \"a\" th \"b\": draw by you } }", "expected",
			[]string{"`either { option … }`"}, []string{"`either { option … }`"}, []string{"small letter"}},
		"set by": {"keyword Calm { always { set power by 3 } }", "expected", []string{"Write `to` here"}, []string{"`to`"}, nil},
		"from in a condition": {"keyword Calm { when move where object.controller == you and from == Arena: draw by you }", "joining-word",
			[]string{"`out_of`", "place"}, []string{"`out_of`"}, []string{"Take"}},
		"by in a condition": {"keyword Calm { when snatch where by == self: draw by you }", "joining-word",
			[]string{"`source`", "target"}, []string{"`source`"}, nil},
		"a counter": {"token Grit on Momon\nkeyword Calm { always: raise power by self.grits }", "unknown-member",
			[]string{"`.tally(Grit)`"}, []string{"`.tally(Grit)`"}, nil},
		"a counter that is called": {"token Grit on Momon\nkeyword Calm { always: raise power by self.counters(Grit) }", "unknown-function",
			[]string{"`tally`"}, []string{"`tally`"}, nil},
		"a bound of an amount": {"keyword Calm { always: raise power by 1 floor 0 }", "stray-bound",
			[]string{"`characteristic … = 0 floor 0`"}, []string{"`characteristic … = 0 floor 0`"}, []string{"new line"}},
		"a bound before the value": {"characteristic luck of Momon: number ceiling 4 = 2", "stray-token",
			[]string{"`= 2 ceiling …`"}, []string{"`= 2 ceiling …`"}, []string{"Take"}},
		"two lists": {"keyword Calm { always while self.element == self.trait: raise power by 1 }", "never-equal",
			[]string{"`self.element == Fire`", "`Beast in self.trait`"}, []string{"`Beast in self.trait`"}, nil},
		"one of two": {"keyword Calm { always while self.element == [Fire, Water]: raise power by 1 }", "never-equal",
			[]string{"`self.element in [Fire, Water]`"}, []string{"`self.element in [Fire, Water]`"}, nil},
		"a name of another list": {"keyword Calm { always while self.element == Beast: raise power by 1 }", "unknown-value",
			[]string{"`Beast in trait`"}, []string{"`Beast in trait`"}, []string{"extend"}},
		"the greatest": {"keyword Calm { always: raise power by max(opponent.momon, power) }", "wrong-type",
			[]string{"`max(map(opponent.momon, .power))`"}, []string{"`max(map(opponent.momon, .power))`"}, []string{"count("}},
		"a list for a number": {"keyword Calm { always: raise power by opponent.momon }", "wrong-type",
			[]string{"`count(opponent.momon)`"}, []string{"`count(opponent.momon)`"}, nil},
		"points of a card": {"keyword Calm { On Snatch: effect on self: lower points by 1 }", "unknown-characteristic",
			[]string{"`effect on self.marks: …`"}, []string{"`effect on self.marks: …`"}, nil},
		"a sentence for people": {"keyword Calm { When this Momon leaves the Arena, draw a card }", "unknown-header-or-keyword",
			[]string{"Did you mean `when`?"}, []string{"`when`"}, []string{"declare it"}},
		"a misspelt line of a case": {"case \"c\" { given A: Momon of P1 { power 3 }\n  expct A.power == 3\n}", "unknown-action",
			[]string{"Did you mean `expect`?"}, []string{"`expect`"}, nil},
		"a body that is not closed": {"keyword Calm {\n  On Snatch {\n    draw by you\n\n  always: raise power by 1\n}\ncase \"c\" {\n  given A: Momon of P1 { Calm }\n  expect A.power == 0\n}", "unclosed-block",
			[]string{"Put a `}` where the block ends"}, []string{"`}`"}, nil},
		"a hyphen where a name is declared": {"keyword Sea-born { always: raise power by 1 }", "stray-token",
			[]string{"`\"Sea-born\"`"}, []string{"`\"Sea-born\"`"}, []string{"Take"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var own []*diag.Diagnostic
			for _, d := range errorsOf(load(t, "rules", c.text)) {
				if mine(d) {
					own = append(own, d)
				}
			}
			if len(own) != 1 || own[0].Code != c.code {
				t.Fatalf("one %s wanted:\n%s", c.code, render(own, "en"))
			}
			checkShown(t, own[0])
			for lang, want := range map[string][]string{"en": c.en, "th": c.th} {
				todo := diag.Todo(own[0], lang)
				for _, w := range want {
					if !strings.Contains(todo, w) {
						t.Errorf("%s: no %q in %q", lang, w, todo)
					}
				}
				for _, w := range c.not {
					if strings.Contains(todo, w) {
						t.Errorf("%s: %q in %q", lang, w, todo)
					}
				}
			}
		})
	}
}

// TestWarnedOnce: a deck with many cards twice is told once, with all of them;
// and am twice on one letter is a doubled mark.
func TestWarnedOnce(t *testing.T) {
	text := `card "Aa" en "Aa" th "น้ำำ" { element Fire; power 1; trait Beast; worth 1; sight North; mark South }
card "Bb" en "Bb" th "บบ" { element Fire; power 1; trait Beast; worth 1; sight North; mark South }
deck "D" en "D" th "ด" {
  card "Aa"; card "Aa"; card "Aa"; card "Bb"; card "Bb"
}`
	twice, marks := 0, 0
	for _, d := range load(t, "rules", text) {
		switch d.Code {
		case "card-twice-in-deck":
			twice++
			if todo := diag.Todo(d, "en"); !strings.Contains(todo, "Bb") || !strings.Contains(todo, "accept card-twice-in-deck") {
				t.Error(todo)
			}
		case "doubled-mark":
			marks++
		}
	}
	if twice != 1 || marks != 1 {
		t.Errorf("%d warnings about the deck, %d about marks", twice, marks)
	}
}

// TestTwiceIsOnce: a name that cards have declared already is told once, whatever its uses
// would have meant.
func TestTwiceIsOnce(t *testing.T) {
	own := errorsOf(load(t, "cards", `memory grudge of card: several text en "grudges" th "ความแค้น"
keyword Calm {
  when snatch where target == self: record self.grudge = self.grudge + [source.name]
  always while self.name in self.grudge: raise power by 1
}
case "c" {
  given A: Momon of P1 { Calm }
  expect A.grudge == []
}`))
	if len(own) != 1 || own[0].Code != "declared-twice" {
		t.Error(render(own, "en"))
	}
}

// TestUnindented: a line of a block that stands in the first column belongs to it, as
// long as its braces say so.
func TestUnindented(t *testing.T) {
	for _, d := range errorsOf(load(t, "rules", "keyword Calm {\n  On Snatch: draw by you\nalways: raise power by 1\n}\ncard \"A\" { element Fire; power 1\n  Calm\n}")) {
		t.Error(render([]*diag.Diagnostic{d}, "en"))
	}
}
