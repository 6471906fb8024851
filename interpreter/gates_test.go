package interpreter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// gates are the actions that the program itself knows, and instructions that are
// none: an instruction that leads to one, and for each rules effect the lines that
// see it at work, or the code by which the checker says that it can have none.
var gates = []struct {
	action, do                         string
	prohibit, permit, require, instead string
}{
	{"move", "move A to Discard", refused, nothing, must, replaced},
	{"give", "give A to P2", refused, nothing, must, replaced},
	{"place", "place Thorn on A", refused, nothing, must, replaced},
	{"remove", "remove Rose from A", refused, nothing, must, replaced},
	{"grant", "grant Ward to A", refused, nothing, must, replaced},
	{"arrange", "arrange P1.deck by chance", refused, nothing, must, replaced},
	{"show", "show A to P2", refused, nothing, must, replaced},
	{"finish", "finish with winners = [P1]", refused, nothing, must, replaced},
	{"trigger", "place Rose on B", `DO; expect fired(A, "Pruned") == 1 and A.tally(Thorn) == 1`, nothing, "never-judged", "never-judged"},
	{"pick where object == A", "choose m from [A, B] by P1; give m to P2",
		"as P1 { DO }; expect A.controller == P1 and B.controller == P2", nothing,
		"as P1 { DO }; expect A.controller == P2 and B.controller == P1", "never-judged"},
	{"lapse", "remove Ward from A", "never-judged", "never-judged", "never-judged", "never-judged"},
	{"record", "record A.worn = 1", "instruction-word", "instruction-word", "instruction-word", "instruction-word"},
	{"choose", "draw by P1", "instruction-word", "instruction-word", "instruction-word", "instruction-word"},
	{"effect", "draw by P1", "instruction-word", "instruction-word", "instruction-word", "instruction-word"},
}

const (
	refused  = "DO; refused ACTION by prohibit"
	nothing  = "permits-nothing"
	must     = "as P1 { may: DO }; happened ACTION; never asked"
	replaced = "DO; never ACTION; expect P1.struck == 1"
)

// TestGates holds each rules effect on each elementary action against the table:
// what can have no effect is reported, and what is accepted has one.
func TestGates(t *testing.T) {
	for _, g := range gates {
		for verb, want := range map[string]string{"prohibit": g.prohibit, "permit": g.permit, "require": g.require, "instead of": g.instead} {
			t.Run(verb+" "+g.action, func(t *testing.T) {
				t.Parallel()
				body := ""
				if verb == "instead of" {
					body = ": record P1.struck = P1.struck + 1"
				}
				lines, code := want, ""
				if slices.Contains(diag.Codes(), want) {
					lines, code = "DO; expect A.here", want
				}
				text := fmt.Sprintf(`
token Thorn on Momon en "Thorn" th "Thorn"
token Rose on Momon en "Rose" th "Rose"
memory struck of player: number
memory worn of card: number
characteristic tired of card: flag = worn > 0
header "Pruned" { when place where token.kind == Rose }
case "gate" {
  given C, D: card of P1 at Deck
  given A: Momon of P1 { Pruned: place Thorn on self }
  given B: Momon of P1
  place Rose on A
  effect: %s %s%s
  %s
}
`, verb, g.action, body, strings.NewReplacer("DO", g.do, "ACTION", g.action).Replace(lines))
				if want == nothing { // in a case it is tested on purpose; in a rule it is reported
					text = fmt.Sprintf("keyword Lenient { always: permit %s }", strings.ReplaceAll(g.action, "== A", "== self"))
				}
				src := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "mine", FS: oneFile("my.momon", text)}}
				p, ds, err := interpreter.Load(ctx, src, interpreter.Options{Warnings: true})
				found := ""
				for _, d := range ds {
					if mine(d) && d.Severity != diag.Note && d.Code != "never-recorded" && d.Code != "never-happens" { // its memory is for one gate only, and there are no cards
						found += d.Code
					}
				}
				if found != code {
					t.Fatalf("got %q, want %q\n%s", found, code, render(ds, "en"))
				}
				if err != nil || code != "" {
					return
				}
				c, _ := p.Case("gate", "en")
				r, err := p.RunCase(ctx, c)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range r.Failures {
					t.Errorf("%s: want %q, got %q: %s\n%s", f.Code, f.Want, f.Got, f.Line, text)
				}
			})
		}
	}
}

// TestTriggersOfNoCard sees that what forbids abilities of cards to trigger leaves
// alone what the game itself waits for.
func TestTriggersOfNoCard(t *testing.T) {
	p, ds, err := interpreter.Load(ctx, []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "mine", FS: oneFile("my.momon", `
token Rose on Momon limit 2 en "Rose" th "Rose"
memory roses of player: number
characteristic proud of player: flag = roses > 0
always { when place where token.kind == Rose: record host.controller.roses = host.controller.roses + 1 }
case "gate" {
  given A: Momon of P1 { when place where token.kind == Rose: record P1.roses = 9 }
  effect: prohibit trigger
  place Rose on A
  expect P1.roses == 1
}
`)}}, interpreter.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, render(ds, "en"))
	}
	c, _ := p.Case("gate", "en")
	r, err := p.RunCase(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Failures {
		t.Errorf("%s: want %q, got %q: %s", f.Code, f.Want, f.Got, f.Line)
	}
}
