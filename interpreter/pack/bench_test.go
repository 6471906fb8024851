package pack_test

import (
	"context"
	"testing"

	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
)

// BenchmarkPack builds and opens a pack of 10,000 cards and 1,000 cases, beside loading
// its rules; both digests are worked out each time. momon bench packs holds them against
// each other.
//
//	go test ./interpreter/pack -run '^$' -bench Pack -benchmem
func BenchmarkPack(b *testing.B) {
	folder := interpreter.BenchPack(10_000, 1_000, 0, 1)
	p, err := pack.FromFolder(folder)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			if _, err := pack.FromFolder(folder); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := pack.FromArchive(p.Archive()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "bench", FS: p.FS()}}, interpreter.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
