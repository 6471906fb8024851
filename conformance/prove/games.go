package prove

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"

	"github.com/momon-rules/momon/interpreter"
)

// What carries no statement that a case could speak of, such as the size of a deck, is
// looked at in whole games: they are played from seeds with choices by chance, and
// must come out otherwise by rules that were changed.

const (
	gamesPlayed   = 4
	mostDecisions = 400 // a changed game may have no end
)

// story plays a game and sums up all that a player sees of it.
func story(ctx context.Context, p *interpreter.Program, seed uint64) (string, error) {
	m, err := p.NewMatch(ctx, interpreter.MatchOptions{Seed: seed})
	if err != nil {
		return "", err
	}
	defer m.Release()
	asked := fnv.New128a()
	if err := byChance(ctx, m, seed, asked); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x %s", asked.Sum(nil), logged(m)), nil
}

// byChance plays a game to its end with choices by chance, and writes down what was
// asked.
func byChance(ctx context.Context, m *interpreter.Match, seed uint64, asked io.Writer) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	decisions := 0
	return m.Play(ctx, "en", func(d *interpreter.Decision) ([]int, error) {
		if decisions++; decisions > mostDecisions {
			return nil, fmt.Errorf("more than %d decisions", mostDecisions)
		}
		fmt.Fprintln(asked, d.Player, d.Prompt, d.Min, d.Max)
		for _, o := range d.Options {
			fmt.Fprintln(asked, o.Text)
		}
		picks := rng.Perm(len(d.Options))
		return picks[:d.Min+rng.IntN(d.Max-d.Min+1)], nil
	})
}

// logged sums up the log of a match, as everybody sees it.
func logged(m *interpreter.Match) string {
	sum := fnv.New128a()
	for i := range m.Events() {
		e := &m.Events()[i]
		for _, v := range []interpreter.Viewer{interpreter.Everyone, 1, 2} {
			fmt.Fprintln(sum, e.Kind, m.Text(e, "en", v))
		}
	}
	fmt.Fprintln(sum, m.Over(), m.Winners())
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// stories plays all games; one that can't be played has its error for a story.
func stories(ctx context.Context, p *interpreter.Program) []string {
	out := make([]string, gamesPlayed)
	for i := range out {
		s, err := story(ctx, p, uint64(i+1))
		if err != nil {
			s = err.Error()
		}
		out[i] = s
	}
	return out
}
