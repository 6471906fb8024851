package interpreter

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// GamesReport is what momon bench games prints.
type GamesReport struct {
	Games     int            `json:"games"`
	Decisions int            `json:"decisions"`
	Seconds   float64        `json:"seconds"`
	PerSecond float64        `json:"games_per_second"`
	Choices   float64        `json:"decisions_per_second"`
	Zones     map[string]int `json:"cells"` // cells of each grid, as the data has them
	Decks     []int          `json:"deck_sizes"`
	Unended   int            `json:"games_without_end"`
}

// BenchGames plays games between the first two decks with random choices, one
// after another on one core. How large grid and decks are is said in the data.
func BenchGames(p *Program, n int, seed uint64) (GamesReport, error) {
	rep := GamesReport{Games: n, Zones: map[string]int{}}
	for _, z := range p.p.Zones {
		if z.Width > 0 {
			rep.Zones[z.Name] = z.Width * z.Height
		}
	}
	for i := range min(2, len(p.p.Decks)) {
		rep.Decks = append(rep.Decks, len(p.p.Decks[i].Cards))
	}
	ctx := context.Background()
	start := time.Now()
	var picks, order []int
	for g := range n {
		m, err := p.NewMatch(ctx, MatchOptions{Seed: seed + uint64(g), NoLog: true, Fast: true})
		if err != nil {
			return rep, err
		}
		r := rand.New(rand.NewPCG(seed+uint64(g), 1))
		for m.run.S.Pending != nil {
			d := m.run.S.Pending
			k := int(d.Min)
			if d.Max > d.Min {
				k += r.IntN(int(d.Max-d.Min) + 1)
			}
			order, picks = order[:0], picks[:0]
			for i := range d.Options {
				order = append(order, i)
			}
			for i := range k {
				j := i + r.IntN(len(order)-i)
				order[i], order[j] = order[j], order[i]
				picks = append(picks, order[i])
			}
			rep.Decisions++
			if err := m.run.Choose(picks...); err != nil {
				return rep, fmt.Errorf("game %d: %w", seed+uint64(g), err)
			}
		}
		if !m.run.S.Over {
			rep.Unended++
		}
		m.Release()
	}
	rep.Seconds = time.Since(start).Seconds()
	rep.PerSecond, rep.Choices = float64(n)/rep.Seconds, float64(rep.Decisions)/rep.Seconds
	return rep, nil
}
