package run_test

import (
	"errors"
	"os"
	"testing"

	"github.com/momon-rules/momon/interpreter/internal/run"
)

// FuzzPlay takes bytes for choices, sensible or not: nothing panics, an answer
// that does not fit changes nothing, and the state holds together.
func FuzzPlay(f *testing.F) {
	stress, err := os.ReadFile("testdata/stress.momon")
	if err != nil {
		f.Fatal(err)
	}
	en := run.New(rulesAnd(f, string(stress)))
	f.Add([]byte{0, 0, 0})
	f.Add([]byte{1, 255, 128, 3, 7, 9, 200, 14, 5, 77, 31, 90, 2, 2, 2, 8, 8, 1, 0, 1, 1, 0, 3, 4})
	f.Add([]byte("a game of chance and of choice, played by the letters of a sentence that goes on for a while"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 400 {
			return
		}
		m := newGame(t, en, uint64(data[0]), true)
		if err := m.Start(); err != nil {
			t.Fatal(err)
		}
		at := 1
		next := func() int {
			if at >= len(data) {
				return 0
			}
			at++
			return int(data[at-1])
		}
		for n := 0; n < 400 && m.S.Pending != nil; n++ {
			d := m.S.Pending
			if at < len(data) && data[at]%5 == 4 { // an answer out of the blue
				before := m.S.Decided
				picks := []int{next() - 100, next()}
				if run.Fits(d, picks) != nil {
					if m.Choose(picks...) == nil || m.S.Decided != before || m.S.Pending != d {
						t.Fatalf("the answer %v to %+v was taken", picks, d)
					}
				}
			}
			left := make([]int, len(d.Options))
			for i := range left {
				left[i] = i
			}
			var picks []int
			want := int(d.Min)
			if d.Max > d.Min {
				want += next() % int(d.Max-d.Min+1)
			}
			for len(picks) < want {
				k := next() % len(left)
				picks = append(picks, left[k])
				left = append(left[:k], left[k+1:]...)
			}
			if err := m.Choose(picks...); err != nil {
				var loop *run.Loop
				if errors.As(err, &loop) {
					return
				}
				t.Fatal(err)
			}
			if list := wrong(en.P, m.S); len(list) > 0 {
				t.Fatal(list)
			}
		}
	})
}
