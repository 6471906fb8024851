package run_test

import (
	"math/rand/v2"
	"testing"

	"github.com/momon-rules/momon/interpreter/internal/run"
)

// BenchmarkGames plays random games between the built-in decks to the end.
func BenchmarkGames(b *testing.B) {
	en := run.New(load(b, "", root+"rules", root+"cards"))
	decisions := 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m := newGame(b, en, uint64(i), false)
		r := rand.New(rand.NewPCG(uint64(i), 1))
		err := m.Start()
		for err == nil && m.S.Pending != nil {
			decisions++
			err = m.Choose(pick(r, m.S.Pending)...)
		}
		if err != nil {
			b.Fatal(err)
		}
		m.Release()
	}
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
