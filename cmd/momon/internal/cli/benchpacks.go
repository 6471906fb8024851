package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/diff"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
)

// benchOf is how long something takes, and how much memory.
type benchOf struct {
	Median float64 `json:"ms"`
	Min    float64 `json:"min_ms"`
	CPU    float64 `json:"cpu_ms,omitempty"` // of all processors, the median, where the system tells
	Alloc  float64 `json:"allocated_mb"`
	Peak   float64 `json:"peak_mb"` // on the heap at one time, beyond what was there before
}

// benchRatio holds two measurements against each other, and says what it may come to.
type benchRatio struct {
	Median float64 `json:"ratio"`
	Min    float64 `json:"ratio_of_mins"`
	CPU    float64 `json:"ratio_of_cpu,omitempty"`
	Target float64 `json:"target,omitempty"`
}

// packsReport is what momon bench packs prints.
type packsReport struct {
	Cards   int                    `json:"cards"`
	Cases   int                    `json:"cases"`
	Runs    int                    `json:"runs"`
	Archive int                    `json:"archive_bytes"`
	Raw     string                 `json:"archive"` // its digest, the same on every machine
	Times   map[string]*benchOf    `json:"times"`
	Ratios  map[string]*benchRatio `json:"ratios"`
}

func (a *app) benchPacksCmd() *cobra.Command {
	var cards, cases, runs int
	var seed uint64
	c := &cobra.Command{
		Use:   "packs",
		Short: "Build, verify, load and compare packs made from a seed",
		Long: `Makes a pack of so many cards and cases from a seed, and another version of it,
and measures in turn, so often as --runs says:

  build      the archive of a folder, with both digests
  sha256     SHA-256 over the bytes of the archive
  sha256sum  the same by the program of that name, if it is there
  verify     SHA-256 over them and a signature of them
  open       all that is done with an archive before any of it is used
  load       the rules of the folder, with the cases
  diff       both versions loaded, compared, and told
  cases      the same with --cases

Ratios hold verify against sha256 and sha256sum, build against load, and diff and
cases against twice load; docs/speed.md tells what they may come to, and what came of
it. Medians count; the least of all runs and the time of the processors tell how
far they can be believed.`,
		Args: a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			for _, f := range []struct {
				name     string
				n, least int
			}{{"cards", cards, 1}, {"cases", cases, 1}, {"runs", runs, 1}} {
				if err := a.atLeast(f.name, f.n, f.least); err != nil {
					return err
				}
			}
			rep, err := benchPacks(a.ctx, cards, cases, runs, seed)
			if err != nil {
				return err
			}
			return a.printJSON(rep)
		},
	}
	f := c.Flags()
	f.IntVar(&cards, "cards", 10_000, "how many cards")
	f.IntVar(&cases, "cases", 1_000, "how many cases")
	f.IntVar(&runs, "runs", 5, "how often each is measured")
	f.Uint64Var(&seed, "seed", 1, "the seed")
	return c
}

// benchStep is something that is measured.
type benchStep struct {
	name  string
	times int // how often it is done by do, so that the clock is fine enough
	do    func() error
}

func benchPacks(ctx context.Context, cards, cases, runs int, seed uint64) (*packsReport, error) {
	folder, next := interpreter.BenchPack(cards, cases, 0, seed), interpreter.BenchPack(cards, cases, 1, seed)
	p, err := pack.FromFolder(folder)
	if err != nil {
		return nil, err
	}
	archive := p.Archive()
	public, secret, err := trust.NewKey(nil, "")
	if err != nil {
		return nil, err
	}
	key, err := trust.OpenKey(secret, "")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(public.String()), "\n")
	keys := &trust.File{Keys: []trust.Key{{ID: trust.IDOf(public), Public: lines[len(lines)-1], Roles: []string{trust.Publisher}}}}
	sigs := []trust.Signature{{File: "bench" + trust.Ext, Data: trust.Sign(key, p, trust.Publisher)}}
	judged := func(h *trust.Hash, q *pack.Pack) error {
		if v := keys.JudgeHashed(q, sigs, h); v[0].Status != trust.Trusted {
			return fmt.Errorf("bench: the signature is %s", v[0].Status)
		}
		return nil
	}
	load := func() error {
		_, _, err := interpreter.Load(ctx, []interpreter.Source{{Name: "bench", FS: folder}}, interpreter.Options{})
		return err
	}
	compared := func(played bool) error {
		old, _, err := diff.Open(ctx, "old", []interpreter.Source{{Name: "old", FS: folder}}, interpreter.Options{})
		if err != nil {
			return err
		}
		now, _, err := diff.Open(ctx, "new", []interpreter.Source{{Name: "new", FS: next}}, interpreter.Options{})
		if err != nil {
			return err
		}
		r := diff.Compare(old, now)
		if len(r.Changes) != (cards+99)/100 || len(r.Suite) != (cases+99)/100 {
			return fmt.Errorf("bench: %d and %d changes", len(r.Changes), len(r.Suite))
		}
		if played {
			if err := r.PlayCases(ctx); err != nil {
				return err
			}
		}
		var told strings.Builder
		return r.Markdown(&told, "en")
	}
	const often = 20
	steps := []benchStep{
		{"build", 1, func() error { _, err := pack.FromFolder(folder); return err }},
		{"sha256", often, func() error {
			for range often {
				if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != p.Raw {
					return errors.New("bench: another digest")
				}
			}
			return nil
		}},
		{"verify", often, func() error {
			for range often {
				h := trust.StartHash(archive)
				if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != p.Raw {
					return errors.New("bench: another digest")
				}
				if err := judged(h, p); err != nil {
					return err
				}
			}
			return nil
		}},
		{"open", 1, func() error {
			h := trust.StartHash(archive)
			q, err := pack.FromArchive(archive)
			if err != nil {
				return err
			}
			return judged(h, q)
		}},
		{"load", 1, load},
		{"diff", 1, func() error { return compared(false) }},
		{"cases", 1, func() error { return compared(true) }},
	}
	if program, err := exec.LookPath("sha256sum"); err == nil {
		dir, err := os.MkdirTemp("", "momon-bench")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "archive")
		if err := os.WriteFile(file, archive, 0o600); err != nil {
			return nil, err
		}
		steps = append(steps, benchStep{"sha256sum", often, func() error { // so often that its start counts for little
			out, err := exec.CommandContext(ctx, program, slices.Repeat([]string{file}, often)...).Output()
			if err == nil && !strings.HasPrefix(string(out), p.Raw) {
				err = errors.New("bench: sha256sum prints another digest")
			}
			return err
		}})
	}
	rep := &packsReport{Cards: cards, Cases: cases, Runs: runs, Archive: len(archive), Raw: p.Raw, Times: map[string]*benchOf{}, Ratios: map[string]*benchRatio{}}
	walls, cpus := map[string][]float64{}, map[string][]float64{}
	for range runs { // in turn, so that what else the machine does falls on all alike
		for _, s := range steps {
			runtime.GC()
			cpu, start := processorTime(), time.Now()
			if err := s.do(); err != nil {
				return nil, err
			}
			walls[s.name] = append(walls[s.name], float64(time.Since(start).Nanoseconds())/1e6/float64(s.times))
			cpus[s.name] = append(cpus[s.name], float64((processorTime()-cpu).Nanoseconds())/1e6/float64(s.times))
		}
	}
	for _, s := range steps {
		w, c := walls[s.name], cpus[s.name]
		slices.Sort(w)
		slices.Sort(c)
		t := &benchOf{Median: w[runs/2], Min: w[0], CPU: c[runs/2]}
		rep.Times[s.name] = t
		if s.name == "sha256sum" {
			continue // its memory is its own
		}
		if t.Alloc, t.Peak, err = memoryOf(s.do); err != nil {
			return nil, err
		}
		t.Alloc /= float64(s.times)
	}
	ratio := func(name, of, to string, times, target float64) {
		x, y := rep.Times[of], rep.Times[to]
		if x == nil || y == nil {
			return
		}
		r := &benchRatio{Median: x.Median / y.Median / times, Min: x.Min / y.Min / times, Target: target}
		if y.CPU > 0 {
			r.CPU = x.CPU / y.CPU / times
		}
		rep.Ratios[name] = r
	}
	ratio("verify_to_sha256", "verify", "sha256", 1, 0) // the processor may have instructions for it
	ratio("verify_to_sha256sum", "verify", "sha256sum", 1, 3)
	ratio("build_to_load", "build", "load", 1, 1.5)
	ratio("diff_to_two_loads", "diff", "load", 2, 2)
	ratio("cases_to_two_loads", "cases", "load", 2, 2)
	return rep, nil
}

// memoryOf is what something takes from the heap in all, and at one time, in millions
// of bytes.
func memoryOf(do func() error) (alloc, peak float64, err error) {
	const live = "/memory/classes/heap/objects:bytes"
	now := func() float64 {
		s := []metrics.Sample{{Name: live}}
		metrics.Read(s)
		return float64(s[0].Value.Uint64())
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	base := now()
	stop, most := make(chan struct{}), make(chan float64)
	go func() {
		top := base
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				top = max(top, now())
			case <-stop:
				most <- top
				return
			}
		}
	}()
	err = do()
	top := now()
	close(stop)
	top = max(top, <-most)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / 1e6, (top - base) / 1e6, err
}
