package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
)

func (a *app) demoCmd() *cobra.Command {
	var seed uint64
	var decks []string
	var all bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch a complete game",
		Long: `Plays a complete game from the two first decks of the rules, with random
choices, and shows what happens: each rule as it acts, at the right edge by its
number, and the board after every turn. The same seed gives the same game.`,
		Example: `  momon demo
  momon demo --seed 7 --lang th
  momon demo --rules ./my-rules --plain`,
		Args: a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.demo(seed, decks, all) },
	}
	c.Flags().Uint64Var(&seed, "seed", 1, "the game to play")
	c.Flags().StringArrayVar(&decks, "deck", nil, "the `NAME` of a deck; twice for both players")
	c.Flags().BoolVar(&all, "all", false, "show small events too: effects that begin and end, abilities that resolve")
	return c
}

// chosenDecks are the cards of the named decks.
func (a *app) chosenDecks(p *interpreter.Program, names []string) ([2][]string, error) {
	var out [2][]string
	if len(names) == 0 {
		return out, nil
	}
	if len(names) != 2 {
		return out, errors.New(a.t("deck-twice"))
	}
	for i, n := range names {
		cards, ok := p.Deck(n)
		if !ok {
			var known []string
			for _, d := range p.Decks("") {
				known = append(known, fmt.Sprintf("%q", d.Name))
			}
			return out, errors.New(a.t("no-deck-there", n, strings.Join(known, ", ")))
		}
		out[i] = cards
	}
	return out, nil
}

// withDecks adds to what keeps a game from beginning how many cards the decks have
// that were asked for: too few or too many is the likeliest reason.
func (a *app) withDecks(err error, names []string, decks [2][]string) error {
	var limit *interpreter.LimitError
	if len(names) != 2 || errors.As(err, &limit) {
		return err
	}
	var list []string
	for i, n := range names {
		list = append(list, a.t("deck", n, len(decks[i])))
	}
	return errors.New(a.fault(err) + "\n" + a.t("decks-were", strings.Join(list, " · ")))
}

// longDemo is how many decisions a demo takes at most: rules may lack an end.
const longDemo = 10_000

func (a *app) demo(seed uint64, deckNames []string, all bool) error {
	p, err := a.load(false)
	if err != nil {
		return err
	}
	decks, err := a.chosenDecks(p, deckNames)
	if err != nil {
		return err
	}
	opts := interpreter.MatchOptions{Seed: seed, Decks: decks, Fast: true}
	t := &teller{a: a, all: all, boards: map[int]*interpreter.View{}}
	turns := 0
	if !a.json {
		opts.Watch = func(e *interpreter.Event, now func() *interpreter.Match) {
			if e.Kind == interpreter.Began && e.Window && e.Depth == 1 { // the turn before is over
				if turns++; turns > 1 {
					v := now().View(a.lang, interpreter.Everyone)
					for i := range v.Players {
						v.Players[i].Turn = false
					}
					t.boards[e.Number] = v
				}
			}
		}
	}
	m, err := p.NewMatch(a.ctx, opts)
	if err != nil {
		return a.withDecks(err, deckNames, decks)
	}
	t.text = func(e *interpreter.Event) string { return m.Text(e, a.lang, interpreter.Everyone) }
	t.does = func(e *interpreter.Event) string { return m.Ability(e, a.lang) }
	told := 0
	tell := func() {
		if !a.json {
			t.tell(m.Events()[told:])
			told = len(m.Events())
		}
	}
	r := rand.New(rand.NewPCG(seed, 0x6d6f6d6f6e))
	err = m.Play(a.ctx, a.lang, func(d *interpreter.Decision) ([]int, error) {
		tell()
		if m.Decisions() >= longDemo {
			return nil, errors.New(a.t("no-end", longDemo))
		}
		return interpreter.Random(r, d), nil
	})
	tell()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"seed": seed, "packs": packsJSON(p), "edition": p.Edition(), "digest": p.Digest(), "decisions": m.Decisions(), "winners": winners(m), "hash": m.Hash(),
			"events": eventsJSON(t.text, m.Events()), "board": m.View(a.lang, interpreter.Everyone)})
	}
	a.println("")
	a.board(m.View(a.lang, interpreter.Everyone))
	a.println("")
	a.result(m)
	return nil
}

// packsJSON names the packs that a game is played by, so that its log tells.
func packsJSON(p *interpreter.Program) []interpreter.PackID {
	return append([]interpreter.PackID{}, p.PackIDs()...)
}

func winners(m *interpreter.Match) []int {
	if w := m.Winners(); w != nil {
		return w
	}
	return []int{}
}

// result prints how a game ended.
func (a *app) result(m *interpreter.Match) {
	a.heading(a.t("game-over"))
	v := m.View(a.lang, interpreter.Everyone)
	for _, p := range v.Players {
		if a.plain {
			for _, l := range p.Lines {
				a.println(p.Name + ": " + l)
			}
			continue
		}
		a.println("  " + pad(p.Name, 8) + " " + strings.Join(p.Lines, " · "))
	}
	switch len(v.Winners) {
	case 1:
		a.para(a.bold(a.t("won", v.Winners[0])), 2)
	default:
		a.para(a.bold(a.t("draw")), 2)
	}
}
