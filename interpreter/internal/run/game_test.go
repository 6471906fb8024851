package run_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// newGame sets a game up with 18 cards for each player: the built-in decks, or
// cards drawn from the whole program.
func newGame(t testing.TB, en *run.Engine, seed uint64, mixed bool) *run.Match {
	t.Helper()
	p := en.P
	m := en.NewMatch(seed)
	deck := -1
	for z, zone := range p.Zones {
		if zone.Name == "Deck" {
			deck = z
		}
	}
	r := rand.New(rand.NewPCG(seed, 77))
	var pool []int
	for i, c := range p.Cards {
		if !c.Anonymous && (seed%2 == 0 || strings.HasPrefix(c.Name, "Stress")) {
			pool = append(pool, i)
		}
	}
	for player := range int32(2) {
		cards := p.Decks[player].Cards
		if mixed {
			r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
			cards = pool[:18]
		}
		for _, c := range cards {
			m.NewCard(c, player+1, player+1, deck, state.None)
		}
	}
	return m
}

// pick makes a random legal answer.
func pick(r *rand.Rand, d *state.Decision) []int {
	n := int(d.Min) + r.IntN(int(d.Max-d.Min)+1)
	return r.Perm(len(d.Options))[:n]
}

func encode(t testing.TB, s *state.State) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func decode(t testing.TB, text string) *state.State {
	t.Helper()
	s := &state.State{}
	if err := json.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// wrong lists what does not hold together in a state.
func wrong(p *program.Program, s *state.State) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	where := map[int32]int{}
	for i, pile := range s.Piles {
		for _, c := range pile {
			if old, twice := where[c]; twice {
				bad("card %d lies in piles %d and %d", c, old, i)
			}
			where[c] = i
			if o := &s.Objects[c]; o.Entity != program.Card || o.Gone {
				bad("pile %d holds %d, which is no card in play", i, c)
			}
		}
	}
	cells := map[int32]int{}
	for i := range s.Objects {
		o := &s.Objects[i]
		switch {
		case o.Gone:
			if len(o.Tokens) > 0 {
				bad("object %d is gone and has tokens", i)
			}
			if o.Next >= 0 && (int(o.Next) <= i || s.Objects[o.Next].Entity != o.Entity) {
				bad("object %d became %d", i, o.Next)
			}
			continue
		case o.Entity == program.Card:
			if at, ok := where[int32(i)]; !ok || at != state.Pile(p.Zones[o.Zone], int(o.Zone), o.Owner) {
				bad("card %d says zone %d of %d and lies in pile %d (%v)", i, o.Zone, o.Owner, at, ok)
			}
			if o.Cell >= 0 {
				if other, ok := cells[o.Cell]; ok {
					bad("cards %d and %d share a cell", i, other)
				}
				cells[o.Cell] = i
				if s.Objects[o.Cell].Zone != o.Zone {
					bad("card %d of zone %d is in a cell of zone %d", i, o.Zone, s.Objects[o.Cell].Zone)
				}
			}
			if o.Controller != 1 && o.Controller != 2 || o.Owner != 1 && o.Owner != 2 {
				bad("card %d has owner %d, controller %d", i, o.Owner, o.Controller)
			}
		case o.Entity == program.Token:
			n := 0
			if o.Host >= 0 {
				if s.Objects[o.Host].Gone {
					bad("token %d is on %d, which is gone", i, o.Host)
				}
				for _, t := range s.Objects[o.Host].Tokens {
					if int(t) == i {
						n++
					}
				}
			}
			if n != 1 {
				bad("token %d is %d times on its host %d", i, n, o.Host)
			}
		}
		last, count := int32(-1), map[int32]int{}
		for _, t := range o.Tokens {
			k := &s.Objects[t]
			if k.Host != int32(i) || k.Gone || k.Entity != program.Token || t <= last {
				bad("object %d lists token %d wrongly", i, t)
			}
			last = t
			count[k.Def]++
			if l := p.Tokens[k.Def].Limit; l > 0 && count[k.Def] > l {
				bad("object %d has %d tokens of kind %d", i, count[k.Def], k.Def)
			}
		}
	}
	live := map[int32]bool{}
	for _, i := range s.Live {
		if live[i] || s.Effects[i].Ended {
			bad("effect %d is live twice or ended", i)
		}
		live[i] = true
	}
	for i := range s.Effects {
		x := &s.Effects[i]
		if !x.Ended && !live[int32(i)] {
			bad("effect %d is neither live nor ended", i)
		}
		if !x.Ended && x.Bit >= 0 && s.Objects[x.Source].Gone {
			bad("effect %d of an ability outlives its source %d", i, x.Source)
		}
		if x.Stamp > s.Clock || x.Created > s.Clock {
			bad("effect %d is from the future", i)
		}
	}
	for i, a := range s.Acts {
		if a == nil || a.ID != int64(i) {
			bad("record %d is wrong", i)
		}
	}
	act := func(id int64, what string) {
		if id >= int64(len(s.Acts)) {
			bad("%s speaks of record %d of %d", what, id, len(s.Acts))
		}
	}
	for _, id := range s.Under {
		act(id, "what is under way")
	}
	for i := range s.Stack {
		f := &s.Stack[i]
		act(f.Act, "a frame")
		act(f.Parent, "a frame")
		for _, id := range f.Acts {
			act(id, "a group")
		}
		for _, ev := range f.Events {
			act(ev.Act, "an event")
		}
		if f.Kind == state.FrameCode {
			if int(f.PC) >= len(p.Routines[f.Routine].Code) || len(f.L) < p.Routines[f.Routine].Locals {
				bad("frame %d is not where code is", i)
			}
		}
	}
	for i := range s.Queue {
		act(s.Queue[i].Act, "the queue")
	}
	if len(s.Stack) == 0 && !s.Over && s.Begun && s.Pending == nil && s.Grouped != 0 {
		bad("a group was left open")
	}
	return out
}

// sameValues compares every characteristic of every object in two matches.
func sameValues(t testing.TB, what string, a, b *run.Match) {
	t.Helper()
	for i := range a.S.Objects {
		for _, ch := range a.En.P.Chars {
			if ch.Action >= 0 || ch.Entity != a.S.Objects[i].Entity {
				continue
			}
			x, y := a.Char(int64(i), ch), b.Char(int64(i), ch)
			if x.N != y.N || len(x.L) != len(y.L) || len(x.L) > 0 && !reflect.DeepEqual(x.L, y.L) {
				t.Fatalf("%s: %s of object %d: %v and %v", what, ch.Name, i, x, y)
			}
		}
	}
}

// parting shows where two texts part.
func parting(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s string) string { return s[max(0, min(i, len(s))-120):min(len(s), i+80)] }
	return "\n" + cut(a) + "\n" + cut(b)
}

// shadow is a copy of a match that is played on with the same answers.
type shadow struct {
	what string
	m    *run.Match
}

// playout plays a game with random choices, holding copies to it that were made
// on the way, and returns its last state and all that was told.
func playout(t *testing.T, en *run.Engine, seed uint64, mixed, shadows bool) (string, []string) {
	t.Helper()
	m := newGame(t, en, seed, mixed)
	var told []string
	m.Notes = func(n run.Note) {
		b, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, string(b))
	}
	r := rand.New(rand.NewPCG(seed, 5))
	err := m.Start()
	var copies []shadow
	for n := 0; err == nil && m.S.Pending != nil; n++ {
		if list := wrong(en.P, m.S); len(list) > 0 {
			t.Fatalf("seed %d, decision %d: %v", seed, n, list)
		}
		if shadows && r.IntN(6) == 0 {
			text := encode(t, m.S)
			back := decode(t, text)
			if again := encode(t, back); again != text {
				t.Fatalf("seed %d, decision %d: a saved state is another once it is read: %s", seed, n, parting(text, again))
			}
			cold := en.Resume(m.S.Clone())
			sameValues(t, fmt.Sprintf("seed %d, decision %d, cold copy", seed, n), m, cold)
			copies = append(copies[:min(len(copies), 2)], shadow{fmt.Sprint("clone of ", n), cold}, shadow{fmt.Sprint("saved at ", n), en.Resume(back)})
			for _, c := range copies {
				c.m.Notes = func(run.Note) {}
			}
		}
		picks := pick(r, m.S.Pending)
		err = m.Choose(picks...)
		for _, c := range copies {
			if e := c.m.Choose(picks...); (e == nil) != (err == nil) {
				t.Fatalf("seed %d, decision %d, %s: %v and %v", seed, n, c.what, err, e)
			}
			if a, b := encode(t, m.S), encode(t, c.m.S); a != b {
				t.Fatalf("seed %d, decision %d, %s went another way: %s", seed, n, c.what, parting(a, b))
			}
		}
	}
	if err != nil {
		t.Fatalf("seed %d: %v: %+v", seed, err, err)
	}
	if !m.S.Over {
		t.Fatalf("seed %d: the game stopped before its end", seed)
	}
	if list := wrong(en.P, m.S); len(list) > 0 {
		t.Fatalf("seed %d, at the end: %v", seed, list)
	}
	return encode(t, m.S), told
}

// quietly plays a game with the choices of playout and tells nobody.
func quietly(t *testing.T, m *run.Match, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	err := m.Start()
	for err == nil && m.S.Pending != nil {
		r.IntN(6)
		err = m.Choose(pick(r, m.S.Pending)...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestGames plays random games with the built-in decks and with stress cards.
func TestGames(t *testing.T) {
	stress, err := os.ReadFile("testdata/stress.momon")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name  string
		text  string
		mixed bool
		games uint64
	}{{"decks", "", false, 24}, {"stress", string(stress), true, 50}} {
		t.Run(k.name, func(t *testing.T) {
			en := run.New(rulesAnd(t, k.text))
			for seed := range k.games {
				a, told := playout(t, en, seed, k.mixed, true)
				if seed%4 != 0 {
					continue
				}
				b, again := playout(t, en, seed, k.mixed, true)
				if a != b {
					t.Fatalf("seed %d: the same game twice ends otherwise: %s", seed, parting(a, b))
				}
				if !reflect.DeepEqual(told, again) {
					t.Fatalf("seed %d: the same game twice is told otherwise", seed)
				}
				quiet := newGame(t, en, seed, k.mixed)
				quietly(t, quiet, seed)
				s := decode(t, a)
				for _, x := range []*state.State{s, quiet.S} { // what is told keeps its records
					x.Acts = nil
				}
				if a, b := encode(t, s), encode(t, quiet.S); a != b {
					t.Fatalf("seed %d: a game that nobody listens to goes another way: %s", seed, parting(a, b))
				}
			}
		})
	}
}

// TestReleased plays games in the memory of games that are over; they go as
// games in fresh memory do.
func TestReleased(t *testing.T) {
	stress, err := os.ReadFile("testdata/stress.momon")
	if err != nil {
		t.Fatal(err)
	}
	p := rulesAnd(t, string(stress))
	used, fresh := run.New(p), run.New(p)
	for seed := range uint64(120) {
		a, b := newGame(t, used, seed, true), newGame(t, fresh, seed, true)
		quietly(t, a, seed)
		quietly(t, b, seed)
		if x, y := encode(t, a.S), encode(t, b.S); x != y {
			t.Fatalf("seed %d: a game in used memory goes another way: %s", seed, parting(x, y))
		}
		a.Release()
	}
}

// TestFollowed holds boards that were brought up to date for what changed to
// boards worked out from nothing, at every decision of random games.
func TestFollowed(t *testing.T) {
	stress, err := os.ReadFile("testdata/stress.momon")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name  string
		p     *program.Program
		mixed bool
		games uint64
	}{
		{"decks", rulesAnd(t, ""), false, 16},
		{"gallery", load(t, "", root+"rules", root+"cards", root+"rules/gallery"), true, 16},
		{"stress", rulesAnd(t, string(stress)), true, 12},
	} {
		t.Run(k.name, func(t *testing.T) {
			en := run.New(k.p)
			followed := 0
			for seed := range k.games {
				m := newGame(t, en, seed*2, k.mixed) // even seeds draw from all cards
				r := rand.New(rand.NewPCG(seed, 9))
				err := m.Start()
				for n := 0; err == nil && m.S.Pending != nil; n++ {
					what := fmt.Sprintf("seed %d, decision %d", seed, n)
					cold := en.Resume(m.S.Clone())
					sameValues(t, what, m, cold)
					if m.S.Frozen == nil {
						for a := range k.p.Actions {
							if x, y := m.RulesFor(a), cold.RulesFor(a); len(x)+len(y) > 0 && !reflect.DeepEqual(x, y) {
								t.Fatalf("%s: rules on %s: %v and %v", what, k.p.Actions[a].Name, x, y)
							}
						}
					}
					err = m.Choose(pick(r, m.S.Pending)...)
				}
				if err != nil {
					t.Fatal(err)
				}
				c := m.Layers().Counters
				followed += c.Replayed + c.Rerun
			}
			if followed == 0 {
				t.Error("no change was followed")
			}
			t.Log(followed, "layers followed")
		})
	}
}
