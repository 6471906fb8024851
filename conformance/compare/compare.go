// Package compare plays random scenarios by two implementations of the rules and
// looks where they differ. Scenarios are written in the exported vocabulary by a
// Grammar, which is data; decisions that come up are answered while the first side
// plays, so that the scenario which both are asked leaves nothing open. A scenario
// that comes out otherwise is made as small as it can be: see Shrink.
package compare

import (
	"context"
	_ "embed" // scenarios.json
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

// Scenarios is the grammar of the built-in rules.
//
//go:embed scenarios.json
var Scenarios []byte

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// Side is an implementation that is compared: it plays cases, each from an empty
// state. A side is not used by several goroutines.
type Side interface {
	Play(ctx context.Context, data json.RawMessage) (*protocol.Reply, error)
}

// Outcome says what a scenario came to.
type Outcome int

// The outcomes.
const (
	Same       Outcome = iota
	Different          // an answer, or whether there are answers at all
	Uncompared         // one side left it out, or neither could play it
)

// Result is what a scenario came to.
type Result struct {
	Number  uint64
	Outcome Outcome
	Why     string // Uncompared: the reason, the same for all of its kind
	Asked   int    // questions that were compared
	Diff    *Difference
}

// Difference is a scenario that comes out otherwise on the two sides.
type Difference struct {
	Case     json.RawMessage // with the answers to all decisions
	Step     int             // the first step that differs; 0 where it is not known
	Question json.RawMessage // what it asks; nil where one side could not go on
	First    string          // the answer of the first side, or why it has none
	Second   string

	bare object // without the answers to decisions
}

// Options say what to compare.
type Options struct {
	Grammar   *Grammar
	Seed      uint64
	From      uint64   // the number of the first scenario
	Count     int      // how many
	Jobs      int      // at once; 0 for one
	Features  []string // that scenarios may use; nil for all
	Questions []string // that they may ask; nil for all
	Most      int      // give up after so many differences; 0 for no limit

	// Open starts the two sides of a worker.
	Open func() (*interpreter.Stage, Side, func(), error)
	Done func(done int) // called as scenarios are done, by one at a time; or nil
}

// chunk is how many scenarios the first side plays at once: reading the rules takes
// longer than playing one.
const chunk = 100

// Run compares. Results come in the order of their numbers, whatever Jobs is; where
// it was given up or ended, those that come are whole up to there.
func Run(ctx context.Context, o Options) ([]Result, error) {
	jobs := max(1, o.Jobs)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	results := make([][]Result, (o.Count+chunk-1)/chunk)
	var mu sync.Mutex
	next, done, found := 0, 0, 0
	var wg sync.WaitGroup
	for range min(jobs, max(1, len(results))) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			stage, side, end, err := o.Open()
			if err != nil {
				stop(err)
				return
			}
			defer end()
			for {
				mu.Lock()
				k := next
				next++
				enough := o.Most > 0 && found >= o.Most
				mu.Unlock()
				if k >= len(results) || enough || ctx.Err() != nil {
					return
				}
				n := min(chunk, o.Count-k*chunk)
				list, err := o.chunk(ctx, stage, side, o.From+uint64(k*chunk), n)
				if err != nil {
					stop(err)
					return
				}
				mu.Lock()
				results[k] = list
				done += n
				for i := range list {
					if list[i].Outcome == Different {
						found++
					}
				}
				if o.Done != nil {
					o.Done(done)
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	var out []Result
	for _, list := range results {
		if list == nil {
			break
		}
		out = append(out, list...)
	}
	if o.Most > 0 { // what a worker found beyond that hangs on how many there are
		found := 0
		for i := range out {
			if out[i].Outcome == Different {
				if found++; found == o.Most {
					out = out[:i+1]
					break
				}
			}
		}
	}
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return out, err
	}
	return out, ctx.Err()
}

// chunk compares scenarios that follow each other.
func (o *Options) chunk(ctx context.Context, stage *interpreter.Stage, side Side, from uint64, n int) ([]Result, error) {
	made := make([]made, n)
	for i := range made {
		made[i] = o.make(from + uint64(i))
	}
	first, err := script(ctx, stage, made)
	if err != nil {
		return nil, err
	}
	out := make([]Result, n)
	for i := range out {
		r, err := judge(ctx, &made[i], first[i], side)
		if err != nil {
			return nil, err
		}
		r.Number = from + uint64(i)
		out[i] = *r
	}
	return out, nil
}

// made is a scenario, without answers to decisions.
type made struct {
	bare   object
	seed   uint64 // of the answers
	number uint64
}

func (o *Options) make(n uint64) made {
	bare, used := o.Grammar.Make(o.Seed, n, o.Features)
	features := []any{}
	for _, f := range used {
		features = append(features, f)
	}
	if steps, ok := bare.get("script").([]any); ok && o.Questions != nil {
		bare = bare.with("script", slices.DeleteFunc(steps, func(s any) bool {
			step, _ := s.(object)
			ask, _ := step.get("ask").(object)
			return ask != nil && !slices.Contains(o.Questions, fmt.Sprint(ask.get("question")))
		}))
	}
	var whole object
	whole = append(whole, field{"id", fmt.Sprintf("scenario-%d-%d", o.Seed, n)})
	for _, f := range bare {
		if f.key == "start" { // as a case has it: after what it covers
			whole = append(whole, field{"features", features})
		}
		whole = append(whole, f)
	}
	return made{bare: whole, seed: o.Seed, number: n}
}

// played is what the first side says of a scenario.
type played struct {
	data    json.RawMessage // with the answers to decisions
	answers []interpreter.Answer
	err     error
}

// script plays scenarios by the first side, which answers their decisions, and then
// plays what came of it.
func script(ctx context.Context, s *interpreter.Stage, list []made) ([]played, error) {
	out := make([]played, len(list))
	data := make([]json.RawMessage, len(list))
	for i := range list {
		data[i] = encode(numbered(list[i].bare, nil))
	}
	picks := func(i int) interpreter.Pick { return picker(list[i].seed, list[i].number) }
	results, err := s.Improvise(ctx, data, picks)
	if err != nil {
		return nil, err
	}
	var again []json.RawMessage
	var at []int
	for i, r := range results {
		out[i] = played{data: data[i], answers: r.Answers, err: r.Err}
		if r.Err == nil && len(r.Raised) > 0 {
			out[i].data = encode(numbered(list[i].bare, r.Raised))
			again = append(again, out[i].data)
			at = append(at, i)
		}
	}
	if len(again) == 0 {
		return out, nil
	}
	results, err = s.PlayAll(ctx, again)
	if err != nil {
		return nil, err
	}
	for k, r := range results {
		i := at[k]
		if e := (*interpreter.StageError)(nil); errors.As(r.Err, &e) && e.Code == "decision" {
			r.Err = errors.Join(interpreter.ErrNotScripted, r.Err)
		}
		out[i].answers, out[i].err = r.Answers, r.Err
	}
	return out, nil
}

// picker answers decisions by chance, the same for a scenario each time.
func picker(seed, number uint64) interpreter.Pick {
	r := rand.New(rand.NewPCG(seed^0x9e3779b97f4a7c15, number))
	return func(options, least, most int) []int {
		return r.Perm(options)[:least+r.IntN(most-least+1)]
	}
}

// numbered is a scenario with its steps numbered, each answer before the step that
// asks for it.
func numbered(bare object, raised []interpreter.Raised) object {
	steps, _ := bare.get("script").([]any)
	script := []any{}
	put := func(o object) {
		script = append(script, append(object{{"step", number(len(script) + 1)}}, o...))
	}
	for i, s := range steps {
		for _, d := range raised {
			if d.Step == i+1 {
				put(object{{"answer", d.Answer}, {"with", d.With}, {"by", d.By}})
			}
		}
		if o, ok := s.(object); ok {
			put(o)
		}
	}
	return bare.with("script", script)
}

// judge asks the second side and compares.
func judge(ctx context.Context, m *made, p played, side Side) (*Result, error) {
	r := &Result{Number: m.number}
	none := func(why string) (*Result, error) {
		r.Outcome, r.Why = Uncompared, why
		return r, nil
	}
	code := ""
	if p.err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		code = "engine"
		if e := (*interpreter.StageError)(nil); errors.As(p.err, &e) {
			code = e.Code
		}
		switch {
		case errors.Is(p.err, interpreter.ErrNotScripted):
			return none("a decision has no answer that a case could say")
		case code == "rules" || code == "case":
			return none("the rules do not take it: " + p.err.Error())
		}
	}
	reply, err := side.Play(ctx, p.data)
	if err != nil {
		return nil, err
	}
	d := &Difference{Case: p.data, bare: m.bare}
	switch {
	case reply.Outcome == protocol.Unsupported:
		return none("the second program lacks " + reply.Feature)
	case reply.Outcome == protocol.Skipped:
		return none("the second program leaves it out: " + reply.Reason)
	case reply.Outcome != protocol.Done && p.err != nil:
		return none("neither comes to an end: " + code + ", " + reply.Code)
	case reply.Outcome != protocol.Done:
		d.Step, d.First, d.Second = reply.Step, "played to its end", fmt.Sprintf("%s: %s", reply.Code, reply.Message)
		r.Outcome, r.Diff = Different, d
		return r, nil
	case p.err != nil:
		if e := (*interpreter.StageError)(nil); errors.As(p.err, &e) {
			d.Step = e.Step
		}
		d.First, d.Second = fmt.Sprintf("%s: %v", code, p.err), "played to its end"
		r.Outcome, r.Diff = Different, d
		return r, nil
	}
	given := map[int]json.RawMessage{}
	for _, a := range reply.Answers {
		given[a.Step] = a.Answer
	}
	asks := questions(p.data)
	for _, a := range p.answers {
		r.Asked++
		own := json.RawMessage(encode(a.Answer))
		other, ok := given[a.Step]
		if !ok {
			other = json.RawMessage("no answer")
		}
		if ok && runner.Equal(asks[a.Step].kind, own, other) {
			continue
		}
		d.Step, d.Question, d.First, d.Second = a.Step, asks[a.Step].data, string(own), string(other)
		r.Outcome, r.Diff = Different, d
		return r, nil
	}
	return r, nil
}

type question struct {
	kind string
	data json.RawMessage
}

func questions(data json.RawMessage) map[int]question {
	var c struct{ Script []runner.Step }
	out := map[int]question{}
	if json.Unmarshal(data, &c) != nil {
		return out
	}
	for i := range c.Script {
		if s := &c.Script[i]; s.Ask != nil {
			out[s.Step] = question{s.Question(), s.Ask}
		}
	}
	return out
}

// mostLeftOut is how many of a hundred scenarios may stay uncompared: beyond that
// the rest says little.
const mostLeftOut = 5

// Enough reports whether so much was compared that it says something. A few left out
// of a few say nothing yet.
func Enough(same, uncompared, of int) bool {
	return same > 0 && (uncompared <= mostLeftOut || uncompared*100 <= mostLeftOut*of)
}

// Reasons counts why scenarios were not compared, the commonest first.
func Reasons(list []Result) []Reason {
	count := map[string]int{}
	for _, r := range list {
		if r.Outcome == Uncompared {
			count[r.Why]++
		}
	}
	var out []Reason
	for why, n := range count {
		out = append(out, Reason{why, n})
	}
	slices.SortFunc(out, func(a, b Reason) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		if a.Why < b.Why {
			return -1
		}
		return 1
	})
	return out
}

// Reason is why scenarios were not compared, and how many.
type Reason struct {
	Why   string
	Count int
}
