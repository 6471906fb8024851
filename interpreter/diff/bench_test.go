package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/momon-rules/momon/interpreter/diff"
)

// BenchmarkDiff compares two packs of 10,000 cards and 1,000 cases that differ in one
// card and one case each hundred. Both are read one after the other in load, and
// compared in compare; the second is to take no longer than the first.
//
//	go test ./interpreter/diff -run '^$' -bench Diff -benchtime 3x
func BenchmarkDiff(b *testing.B) {
	pack := func(power int) map[string]string {
		files := builtin(b)
		for part := range 10 {
			var cards, cases strings.Builder
			for i := range 1000 {
				p := 1 + i%5
				if i%100 == 0 {
					p = power
				}
				fmt.Fprintf(&cards, "card \"Bench %d %d\" en \"Bench\" th \"ทดสอบ\" {\n  element Fire; trait Beast; power %d; worth 1; sight North; mark South\n  On Summon: effect on self until end of turn: raise power by %d\n}\n", part, i, p, p)
			}
			for i := range 100 {
				p := 3
				if i == 0 {
					p = power
				}
				fmt.Fprintf(&cases, "case \"bench-%d-%d\" interpretation {\n  given A: Momon of P1 { power 3 }\n  effect on A: raise power by %d\n  expect A.power == %d\n}\n", part, i, p, 3+p)
			}
			files[fmt.Sprintf("cards/bench-%d.momon", part)] = cards.String()
			files[fmt.Sprintf("cases/bench-%d.momon", part)] = cases.String()
		}
		return files
	}
	one, two := pack(1), pack(2)
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			open(b, "old", one)
			open(b, "new", two)
		}
	})
	old, now := open(b, "old", one), open(b, "new", two)
	b.Run("compare", func(b *testing.B) {
		for b.Loop() {
			if r := diff.Compare(old, now); len(r.Changes) != 100 || len(r.Suite) != 10 {
				b.Fatal(len(r.Changes), len(r.Suite))
			}
		}
	})
	b.Run("cases", func(b *testing.B) {
		for b.Loop() {
			if err := diff.Compare(old, now).PlayCases(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}
