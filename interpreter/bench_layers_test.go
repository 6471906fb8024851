package interpreter

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// benchWork is one line of testdata/bench/works.jsonl.gz: a work, and the board
// that the yardstick's naive evaluator, a program of its own, ended with.
type benchWork struct {
	Order string      `json:"order"`
	Work  Work        `json:"work"`
	Board []WorkBoard `json:"board"`
}

func benchWorks(t testing.TB) []benchWork {
	t.Helper()
	data, err := os.ReadFile("testdata/bench/works.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out []benchWork
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var w benchWork
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		out = append(out, w)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWorks holds the boards of some hundred works against those that another
// program made of them, worked out in full and following each change.
func TestWorks(t *testing.T) {
	works := benchWorks(t)
	if len(works) < 300 {
		t.Fatalf("only %d works", len(works))
	}
	for i := range works {
		w := &works[i]
		lb, err := NewLayersBench(context.Background(), &w.Work, w.Order == "static")
		if err != nil {
			t.Fatalf("work %d: %v", w.Work.Seed, err)
		}
		for _, full := range []bool{true, false} {
			r := lb.Start(full)
			for k := range lb.steps {
				r.Step(k)
			}
			if got := r.Board(); !reflect.DeepEqual(got, w.Board) {
				t.Errorf("work %d, full %v:\n got %s\nwant %s", w.Work.Seed, full, BoardJSON(got), BoardJSON(w.Board))
			}
		}
	}
}

// TestWorksAllWays holds four ways to the same values after every change: units
// in full, units that follow the change, the general way with the pairs that
// reads and writes allow, and the general way with every pair tried.
func TestWorksAllWays(t *testing.T) {
	works := benchWorks(t)
	for i := range works {
		w := &works[i]
		if len(w.Work.Effects) > 14 { // trying every pair is cubic
			continue
		}
		lb, err := NewLayersBench(context.Background(), &w.Work, w.Order == "static")
		if err != nil {
			t.Fatal(err)
		}
		runs := make([]*LayersRun, 4)
		for k := range runs {
			runs[k] = lb.Start(k != 1)
			runs[k].m.Layers().General(k >= 2)
			runs[k].m.Layers().TryAll(k == 3)
		}
		for s := range lb.steps {
			want := slices.Clone(runs[3].Step(s).Vals)
			for k, r := range runs[:3] {
				if got := r.Step(s).Vals; !slices.Equal(got, want) {
					t.Fatalf("work %d, change %d, way %d: the values differ from trying every pair\n%s\n%s", w.Work.Seed, s, k, BoardJSON(r.Board()), BoardJSON(runs[3].Board()))
				}
			}
		}
		if c := runs[1].m.Layers().Counters; len(lb.steps) > 0 && c.Replayed == 0 && len(w.Work.Effects) < 2 {
			t.Errorf("work %d followed no change: %+v", w.Work.Seed, c)
		}
	}
}

// TestCopyStartsCold holds a copied state to the values of the match that it was
// copied from.
func TestCopyStartsCold(t *testing.T) {
	works := benchWorks(t)
	for i := 0; i < len(works); i += 9 {
		w := &works[i]
		lb, err := NewLayersBench(context.Background(), &w.Work, w.Order == "static")
		if err != nil {
			t.Fatal(err)
		}
		r := lb.Start(false)
		for s := range lb.steps {
			want := r.Step(s)
			cold, err := lb.en.Resume(r.m.S.Clone()).Refresh()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(cold.Vals, want.Vals) {
				t.Fatalf("work %d, change %d: a copy works out other values", w.Work.Seed, s)
			}
		}
	}
}

// TestWithoutDependency holds dependency to age alone in works in which nothing
// reads what its own layer writes.
func TestWithoutDependency(t *testing.T) {
	for _, w := range benchWorks(t) {
		if w.Work.Seed%5 != 0 { // the simple profile
			continue
		}
		lb, err := NewLayersBench(context.Background(), &w.Work, false)
		if err != nil {
			t.Fatal(err)
		}
		a := lb.Start(true)
		var want [][]int64
		for s := range lb.steps {
			want = append(want, slices.Clone(a.Step(s).Vals))
		}
		lb.p.Options.NoDependency = true
		b := lb.Start(true)
		for s := range lb.steps {
			if !slices.Equal(b.Step(s).Vals, want[s]) {
				t.Fatalf("work %d, change %d: dependency where there is none", w.Work.Seed, s)
			}
		}
	}
}

// TestWarmAllocations bounds what a warm recompute takes of memory.
func TestWarmAllocations(t *testing.T) {
	works := benchWorks(t)
	w := &works[len(works)-1].Work
	lb, err := NewLayersBench(context.Background(), w, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, full := range []bool{true, false} {
		r := lb.Start(full)
		rnd := rand.New(rand.NewPCG(1, 1))
		step := workStep{kind: "power"}
		lb.steps = append(lb.steps[:0:0], step)
		change := func() {
			lb.steps[0].object, lb.steps[0].n = int32(rnd.IntN(len(w.Objects))), int64(1+rnd.IntN(9))
			r.Step(0)
		}
		for range 50 {
			change()
		}
		if n := testing.AllocsPerRun(200, change); n > 10 {
			t.Errorf("full %v: %v allocations in a warm recompute", full, n)
		}
		before := r.m.Layers().Counters
		if n := testing.AllocsPerRun(100, func() { r.board() }); n > 0 || r.m.Layers().Counters != before {
			t.Errorf("full %v: an unchanged state is worked out again (%v allocations)", full, n)
		}
	}
}

// BenchmarkWorks measures a recompute over the works of the test data.
func BenchmarkWorks(b *testing.B) {
	works := benchWorks(b)
	for _, mode := range []string{"full", "incremental"} {
		b.Run(mode, func(b *testing.B) {
			lb, err := NewLayersBench(context.Background(), &works[len(works)-2].Work, false)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			var r *LayersRun
			for i := range b.N {
				if i%len(lb.steps) == 0 {
					b.StopTimer()
					r = lb.Start(mode == "full")
					b.StartTimer()
				}
				r.Step(i % len(lb.steps))
			}
		})
	}
}

// BenchmarkLoadCards measures loading 1,000 cards.
func BenchmarkLoadCards(b *testing.B) {
	for _, shapes := range []int{200, 0} {
		b.Run("shapes-"+strconv.Itoa(shapes), func(b *testing.B) {
			for range b.N {
				if _, err := BenchLoad(context.Background(), 1000, shapes, 1, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestBenchPack: what momon bench packs measures is sound rules whose cases pass, the
// same from the same seed, and each version differs from the one before.
func TestBenchPack(t *testing.T) {
	texts := func(version int) string {
		var b strings.Builder
		fsys := BenchPack(150, 250, version, 3)
		names, err := Source{FS: fsys}.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(name + "\n" + string(data))
		}
		p, diags, err := Load(t.Context(), []Source{{Name: "bench", FS: fsys}}, Options{})
		if err != nil {
			t.Fatal(err, diags)
		}
		list := p.Cases("en")
		if len(list) != 250 || len(p.Cards("en")) != 150 {
			t.Errorf("%d cases, %d cards", len(list), len(p.Cards("en")))
		}
		for _, c := range list {
			if res, err := p.RunCase(t.Context(), c); err != nil || !res.Passed() {
				t.Errorf("%s: %v %v", c.ID, err, res)
			}
		}
		return b.String()
	}
	one, again, two := texts(1), texts(1), texts(2)
	if one != again {
		t.Error("the same seed gives another pack")
	}
	if one == two {
		t.Error("the versions are the same")
	}
}
