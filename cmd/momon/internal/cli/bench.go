package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
)

// benchCmd measures; its figures are JSON, for comparing within one run.
func (a *app) benchCmd() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure the layers, games, loading and packs",
		Long: `Measures how fast the program works. The figures are always JSON, to be compared
within one run: another machine gives others.`,
		Example: "  momon bench layers --work work.json"}
	c.AddCommand(a.benchLayersCmd(), a.benchGamesCmd(), a.benchLoadCmd(), a.benchPacksCmd())
	return c
}

func (a *app) benchLayersCmd() *cobra.Command {
	var work, dump, order, modes string
	var rules bool
	var least time.Duration
	c := &cobra.Command{
		Use:   "layers --work FILE",
		Short: "Work a described board out again and again, a change at a time",
		Long: `bench layers reads a work description (objects, effects and changes, as JSON),
turns it into rule text, loads that as any rules are loaded, makes the changes
one by one, and prints the time of one recompute in nanoseconds: in full, and
following only what a change reaches.

What a work description holds: go doc github.com/momon-rules/momon/interpreter Work`,
		Example: `  momon bench layers --work work.json
  momon bench layers --work work.json --dump board.json   the last board too
  momon bench layers --work work.json --rules-text        the rule text`,
		Args: a.takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.required(c, "work"); err != nil {
				return err
			}
			data, err := os.ReadFile(work)
			if err != nil {
				return err
			}
			w, err := interpreter.ReadWork(data)
			if err != nil {
				return fmt.Errorf("%s: %w", work, err)
			}
			if order != "stepwise" && order != "static" {
				return errors.New(a.t("bench-order", order))
			}
			b, err := interpreter.NewLayersBench(a.ctx, w, order == "static")
			if err != nil {
				return err
			}
			if rules {
				a.printf("%s", b.Rules)
				return nil
			}
			rep, board, err := b.Measure(strings.Split(modes, ","), 7, least)
			if err != nil {
				return err
			}
			if dump != "" {
				if err := os.WriteFile(dump, interpreter.BoardJSON(board), 0o644); err != nil {
					return err
				}
			}
			return a.printJSON(rep)
		},
	}
	f := c.Flags()
	f.StringVar(&work, "work", "", "the work description, a JSON `FILE`")
	f.StringVar(&dump, "dump", "", "write the board after the last change to `FILE`")
	f.StringVar(&order, "order", "stepwise", "when dependency is judged: `ORDER` is stepwise or static")
	f.StringVar(&modes, "modes", "full,incremental", "what to measure: `MODES`, with commas between")
	f.BoolVar(&rules, "rules-text", false, "print the rule text and stop")
	f.DurationVar(&least, "time", 300*time.Millisecond, "time to spend on each mode, at least")
	return c
}

// atLeast refuses a number of a flag with which nothing can be measured.
func (a *app) atLeast(flag string, n, least int) error {
	if n < least {
		return errors.New(a.t("flag-below", flag, n, least))
	}
	return nil
}

func (a *app) benchGamesCmd() *cobra.Command {
	var n int
	var seed uint64
	c := &cobra.Command{
		Use:   "games",
		Short: "Play random games to the end",
		Args:  a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if err := a.atLeast("games", n, 1); err != nil {
				return err
			}
			p, err := a.load(false)
			if err != nil {
				return err
			}
			rep, err := interpreter.BenchGames(p, n, seed)
			if err != nil {
				return err
			}
			return a.printJSON(rep)
		},
	}
	c.Flags().IntVar(&n, "games", 2000, "how many games")
	c.Flags().Uint64Var(&seed, "seed", 1, "the seed of the first game")
	return c
}

func (a *app) benchLoadCmd() *cobra.Command {
	var cards, shapes, runs int
	var seed uint64
	c := &cobra.Command{
		Use:   "load",
		Short: "Load cards made from a seed, and the same as JSON",
		Args:  a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			for _, f := range []struct {
				name     string
				n, least int
			}{{"cards", cards, 1}, {"shapes", shapes, 0}, {"runs", runs, 1}} {
				if err := a.atLeast(f.name, f.n, f.least); err != nil {
					return err
				}
			}
			rep, err := interpreter.BenchLoad(a.ctx, cards, shapes, runs, seed)
			if err != nil {
				return err
			}
			return a.printJSON(rep)
		},
	}
	f := c.Flags()
	f.IntVar(&cards, "cards", 10_000, "how many cards")
	f.IntVar(&shapes, "shapes", 200, "how many shapes of ability; 0 for every one distinct")
	f.IntVar(&runs, "runs", 5, "how often each is loaded")
	f.Uint64Var(&seed, "seed", 1, "the seed")
	return c
}
