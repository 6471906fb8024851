package prove

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/momon-rules/momon/conformance/fakes"
	"github.com/momon-rules/momon/conformance/runner"
)

// FakeOptions say which programs that are wrong on purpose to try.
type FakeOptions struct {
	Options
	Fakes   []fakes.Fake
	Command func(name string) []string // which starts one
	Whole   bool                       // ask each the whole suite, not those cases alone that are about it and a sample of the rest
}

// FakeResult is what came of a fake.
type FakeResult struct {
	Fake   string                 `json:"fake"`
	Title  Text                   `json:"title"`
	Breaks []Ref                  `json:"breaks"`
	Want   string                 `json:"verdict"`
	Got    map[runner.Verdict]int `json:"got"`
	Caught map[string]string      `json:"caught"` // of each statement that it breaks: a case about that which fails
	Fault  string                 `json:"fault,omitempty"`
	Detail string                 `json:"detail,omitempty"`
}

// The faults of a fake: it is not shown to be wrong as the table says.
const (
	FaultStart   = "start"   // it could not be started
	FaultVerdict = "verdict" // no case gets the verdict
	FaultMissed  = "missed"  // no case about a statement that it breaks fails
	FaultBroad   = "broad"   // it fails most of what it should not touch: it is no engine with one mistake
)

// FakeReport is what came of the fakes.
type FakeReport struct {
	Fakes []FakeResult `json:"fakes"`
	Fine  int          `json:"fine"`
}

// Failed reports whether some fake was not caught as it must be.
func (r *FakeReport) Failed() bool { return r.Fine < len(r.Fakes) }

const (
	besides    = 60 // cases that a fake is asked besides those about it
	faultLimit = 500 * time.Millisecond
	faultCases = 8
)

// Fakes runs programs that are wrong on purpose and sees that each is caught as the
// table says: an engine with a mistake by a case about what it breaks.
func Fakes(ctx context.Context, suite *runner.Suite, o FakeOptions) (*FakeReport, error) {
	rep := &FakeReport{Fakes: make([]FakeResult, len(o.Fakes))}
	tick := o.ticker(len(o.Fakes))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, o.Jobs) {
		wg.Go(func() {
			for i := range next {
				rep.Fakes[i] = tryFake(ctx, suite, &o.Fakes[i], &o)
				tick()
			}
		})
	}
	for i := range o.Fakes {
		next <- i
	}
	close(next)
	wg.Wait()
	for i := range rep.Fakes {
		if rep.Fakes[i].Fault == "" {
			rep.Fine++
		}
	}
	return rep, ctx.Err()
}

func tryFake(ctx context.Context, suite *runner.Suite, f *fakes.Fake, o *FakeOptions) FakeResult {
	r := FakeResult{Fake: f.Name, Title: f.Title, Breaks: Refs(f.Breaks), Want: f.Verdict, Got: map[runner.Verdict]int{}, Caught: map[string]string{}}
	cases := slices.DeleteFunc(slices.Clone(suite.Cases), (*runner.Case).Loads) // fakes have their rules built in
	opts := runner.Options{Command: o.Command(f.Name)}
	switch {
	case f.Made == fakes.None: // the first that ask plainly; a program that hangs does so at each
		cases = cases[:min(faultCases, len(cases))]
		opts.Faults = 2
		if f.Verdict == string(runner.Hang) {
			opts.Limit = faultLimit
		}
	case !o.Whole:
		cases = about(suite, cases, r.Breaks)
	}
	out, err := runner.Run(ctx, suite, cases, opts)
	if err != nil {
		r.Fault, r.Detail = FaultStart, err.Error()
		if e := (*runner.StartError)(nil); errors.As(err, &e) && e.Fault != nil && e.Fault.Stderr != "" {
			r.Detail += ": " + e.Fault.Stderr
		}
		return r
	}
	rest, restPassed := 0, 0
	for _, x := range out.Results {
		r.Got[x.Verdict]++
		mine := false
		for _, ref := range r.Breaks {
			if !covers(suite, x.Case, ref) {
				continue
			}
			mine = true
			if string(x.Verdict) == f.Verdict && r.Caught[ref.String()] == "" {
				r.Caught[ref.String()] = x.Case.ID
			}
		}
		asked := x.Verdict != runner.Unsupported && x.Verdict != runner.Skipped && x.Verdict != runner.Reading
		if !mine && asked {
			rest++
			if x.Verdict == runner.Pass {
				restPassed++
			}
		}
	}
	switch {
	case r.Got[runner.Verdict(f.Verdict)] == 0:
		r.Fault = FaultVerdict
	case f.Made == fakes.None:
	case len(r.Caught) < len(r.Breaks):
		r.Fault = FaultMissed
	case restPassed*2 < rest:
		r.Fault = FaultBroad
	}
	return r
}

// covers reports whether a case is about a statement; a provisional one is about
// nothing but provisional statements.
func covers(suite *runner.Suite, c *runner.Case, r Ref) bool {
	return slices.ContainsFunc(c.Covers, func(cv runner.Cover) bool { return cv.Rule == r.Rule && cv.Statement == r.Key }) &&
		(c.Status != "provisional" || statusOf(suite, r) == "provisional")
}

func statusOf(suite *runner.Suite, ref Ref) string {
	for _, r := range suite.Rules {
		for _, s := range r.Statements {
			if (Ref{r.Rule, s.Statement}) == ref {
				return s.Status
			}
		}
	}
	return ""
}

// about are the cases about some statements, and some of the others, always the same.
func about(suite *runner.Suite, cases []*runner.Case, refs []Ref) []*runner.Case {
	var out, rest []*runner.Case
	for _, c := range cases {
		if slices.ContainsFunc(refs, func(r Ref) bool { return covers(suite, c, r) }) {
			out = append(out, c)
		} else {
			rest = append(rest, c)
		}
	}
	key := func(c *runner.Case) uint64 {
		h := fnv.New64a()
		h.Write([]byte(c.ID))
		return h.Sum64()
	}
	slices.SortFunc(rest, func(a, b *runner.Case) int {
		if key(a) < key(b) {
			return -1
		}
		return 1
	})
	return append(out, rest[:min(besides, len(rest))]...)
}

// Refs reads statements written as their rule and their key.
func Refs(list []string) []Ref {
	out := []Ref{}
	for _, s := range list {
		rule, key, _ := strings.Cut(s, " ")
		out = append(out, Ref{rule, key})
	}
	return out
}

// Mistakes are the engines with a mistake among some fakes, to prove claims with: ours
// by changed rules, and the second implementation by asking it.
func (s *Set) Mistakes(suite *runner.Suite, list []fakes.Fake, command func(name string) []string) ([]Wrong, error) {
	var out []Wrong
	for i := range list {
		f := &list[i]
		w := Wrong{Name: f.Name, Breaks: Refs(f.Breaks)}
		switch f.Made {
		case fakes.Ours:
			changed, err := f.Apply(s.text)
			if err != nil {
				return nil, err
			}
			w.Changed = changed
		case fakes.Second:
			w.Play = func(ctx context.Context, ids []string) ([]string, error) {
				var cases []*runner.Case
				for _, c := range suite.Cases {
					if slices.Contains(ids, c.ID) {
						cases = append(cases, c)
					}
				}
				if len(cases) == 0 {
					return nil, nil
				}
				run, err := runner.Run(ctx, suite, cases, runner.Options{Command: command(f.Name)})
				if err != nil {
					return nil, err
				}
				var fails []string
				for _, r := range run.Results {
					if r.Verdict == runner.Fail || r.Verdict == runner.Errored {
						fails = append(fails, r.Case.ID)
					}
				}
				return fails, nil
			}
		default:
			continue
		}
		out = append(out, w)
	}
	return out, nil
}

// text is the text of a file that was read.
func (s *Set) text(name string) (string, error) {
	k, ok := s.at[name]
	if !ok {
		return "", errors.New("there is no file " + name)
	}
	return s.files[k[0]][k[1]].text, nil
}
