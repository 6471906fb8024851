package run_test

import (
	"errors"
	"testing"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

const spinRules = `
token Chip on Momon en "Chip" th "ชิป"
memory mood of card: number en "mood" th "อารมณ์"
action spin of m: Momon en "spin" th "หมุน" { says en "." th "."
  do: spin of m }
action ping of m: Momon en "ping" th "ปิง" { says en "." th "."
  do: record m.mood = m.mood }
action pong of m: Momon en "pong" th "ปอง" { says en "." th "."
  do: record m.mood = m.mood }
keyword Grow (n: number) en "Grow {n}" th "โต {n}" { always: raise power by n }
`

// spins are bodies that go on for ever, or nearly; each ends with an error that
// tells where it went round.
var spins = []struct{ name, given, body, chain string }{
	{"repeat-until-false", "", "repeat until A.mood == 1: record A.mood = 0", ""},
	{"repeat-huge", "", "repeat 1000000000: record A.mood = 0", ""},
	{"repeat-huge-empty", "", "repeat 9007199254740991: if A.mood == 1: record A.mood = 0", ""},
	{"repeat-tokens", "", "repeat until A.mood == 1: place Chip on A", ""},
	{"repeat-tokens-read", "always: raise power by self.tally(Chip)", "repeat until A.mood == 1: place Chip on A", ""},
	{"place-huge", "", "place 1000000 Chip on A", ""},
	{"repeat-effects", "", "repeat until A.mood == 1: effect on A: raise power by 1", ""},
	{"repeat-effects-waiting", "", "repeat until A.mood == 1: effect on A: raise power by B.power", ""},
	{"repeat-effects-ring", "", "repeat until A.mood == 1 { effect on each Momon where Beast in trait: add trait Guard; effect on each Momon where Guard in trait: remove trait Beast }", ""},
	{"repeat-effects-set", "", "repeat until A.mood == 1: effect on each Momon where power > 3: set power to A.power + 1", ""},
	{"repeat-abilities", "", "repeat until A.mood == 1: effect on A: add ability Grow 1", ""},
	{"repeat-grants", "", "repeat until A.mood == 1: grant Grow 1 to A", ""},
	{"repeat-moves", "", "repeat until A.mood == 1 { move A to Hand; move A to Arena }", ""},
	{"repeat-later", "", "repeat until A.mood == 1: later when turn: record A.mood = 0", ""},
	{"action-in-itself", "", "spin of A", "spin"},
	{"trigger-on-itself", "when ping: ping of self", "ping of A", "ping"},
	{"trigger-ping-pong", "when ping: pong of self; when pong: ping of self", "ping of A", "ping"},
	{"trigger-doubling", "when ping { ping of self; ping of self }", "ping of A", "when ping"},
	{"trigger-lapse", "when give where object == self: give self to self.controller.opponent", "give A to P2", ""},
	{"replacements-feed", "always: instead of ping: pong of self; always: instead of pong: ping of self", "ping of A", ""},
	{"replacement-proceeds-into-another", "always: instead of ping { pong of self; pong of self }; always: instead of pong { ping of self; ping of self }", "ping of A", ""},
	{"overflow-add", "", "record A.mood = 9007199254740991 * 1000; record A.mood = A.mood + A.mood", ""},
	{"overflow-multiply", "", "record A.mood = 3037000500; record A.mood = A.mood * A.mood * 2", ""},
	{"overflow-raise", "always: raise power by 9007199254740991 * 1000; always: raise power by 9007199254740991 * 1000", "record A.mood = A.power", ""},
	{"huge-reach", "always: raise reach by 9007199254740991; sight North, South; mark North", "check by A", "-"},
}

func spinCase(t *testing.T, given, body string) (*run.Engine, *program.Case) {
	t.Helper()
	text := spinRules + "case \"spin\" interpretation en \".\" th \".\" {\n  given A: Momon of P1 at 1, 1 { trait Beast; " + given + " }\n  given B: Momon of P2 at 0, 0 { power 1 }\n  " +
		body + "\n  expect A.mood == A.mood\n}\n"
	p := rulesAnd(t, text)
	return run.New(p), p.Cases[0]
}

func TestSpins(t *testing.T) {
	for _, k := range spins {
		t.Run(k.name, func(t *testing.T) {
			en, c := spinCase(t, k.given, k.body)
			m := en.NewMatch(1)
			l := make([]state.Val, c.Locals)
			for _, g := range c.Givens {
				who := int32(1)
				if g.X == 0 {
					who = 2
				}
				cell := int32(state.None)
				for i := range m.S.Objects {
					if o := &m.S.Objects[i]; o.Entity == program.Place && int(o.Zone) == g.Zone && int(o.X) == g.X && int(o.Y) == g.Y {
						cell = int32(i)
					}
				}
				l[g.Local].N = int64(m.NewCard(g.Card, who, who, g.Zone, cell))
			}
			outside := state.Frame{Self: state.None, You: 1, Act: state.None, Parent: state.None, AbilityOf: state.None, Causer: state.None}
			err := m.Settle()
			before := m.S.Clone()
			text := encode(t, before)
			for _, s := range c.Script {
				if err == nil && s.Kind == program.StepDo {
					m.Do(s.Routine, l, outside)
					err = m.Run()
					for err == nil && m.S.Pending != nil {
						d := m.S.Pending
						picks := make([]int, d.Min)
						for i := range picks {
							picks[i] = i
						}
						err = m.Choose(picks...)
					}
				}
			}
			if err == nil {
				m.Env()
				err = m.Run()
			}
			var loop *run.Loop
			if k.chain == "-" {
				if err != nil {
					t.Fatalf("got %v", err)
				}
				return
			}
			if !errors.As(err, &loop) {
				t.Fatalf("got %v, want a Loop (effects %d, objects %d)", err, len(m.S.Live), len(m.S.Objects))
			}
			t.Logf("%v: %v, %d objects, %d effects", loop, loop.Chain, len(m.S.Objects), len(m.S.Live))
			if len(loop.Chain) == 0 {
				t.Errorf("%v names no chain", loop)
			}
			found := k.chain == ""
			for _, name := range loop.Chain {
				found = found || name == k.chain
			}
			if !found {
				t.Errorf("the chain %v does not name %s", loop.Chain, k.chain)
			}
			// The state before stays as it was, and can be played on.
			if encode(t, before) != text {
				t.Fatal("the copy made before has changed")
			}
			if len(k.given) > 8 && loop.What == "overflow" {
				return
			}
			again := en.Resume(before)
			again.Do(c.Script[len(c.Script)-1].Routine, l, outside)
			if err := again.Run(); err != nil && k.given == "" {
				_ = err
			}
		})
	}
}
