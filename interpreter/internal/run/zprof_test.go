package run_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/check"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
)

func loadBuiltin(tb testing.TB) *program.Program {
	var d diag.List
	var mods []check.Module
	for _, dir := range []string{"../../../rules", "../../../cards"} {
		m := check.Module{Name: dir}
		fs, _ := filepath.Glob(dir + "/*.momon")
		for _, f := range fs {
			b, _ := os.ReadFile(f)
			m.Files = append(m.Files, grammar.Parse(source.NewFile(f, string(b)), &d))
		}
		mods = append(mods, m)
	}
	p := check.Check(mods, check.Options{}, &d)
	if d.Errors() > 0 {
		diag.Text(os.Stderr, d.Sorted(), "en", false)
		tb.Fatal("errors")
	}
	return p
}

func BenchmarkGames(b *testing.B) {
	p := loadBuiltin(b)
	en := run.New(p)
	deck := 0
	for z, zone := range p.Zones {
		if zone.HiddenFrom == program.HiddenFromEveryone {
			deck = z
		}
	}
	decisions := 0
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		m := en.NewMatch(uint64(i))
		r := rand.New(rand.NewPCG(uint64(i), 1))
		for k := range 2 {
			for _, c := range p.Decks[k].Cards {
				m.NewCard(c, int32(k+1), int32(k+1), deck, -1)
			}
		}
		err := m.Start()
		for err == nil && m.S.Pending != nil {
			decisions++
			d := m.S.Pending
			if d.Max == 1 {
				err = m.Choose(r.IntN(len(d.Options)))
			} else {
				err = m.Choose(r.Perm(len(d.Options))[:d.Min]...)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
