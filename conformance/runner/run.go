package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/momon-rules/momon/conformance/protocol"
)

// Verdict is what a case came to.
type Verdict string

// The verdicts. Those from Error on are failures, but for NotRun, which makes a run
// incomplete.
const (
	Pass        Verdict = "pass"
	Unsupported Verdict = "unsupported" // the program says that it lacks a feature or a question
	Skipped     Verdict = "skipped"     // the program says why it leaves the case out
	Reading     Verdict = "reading"     // the program reads the open point otherwise, so the case does not speak of it
	NotRun      Verdict = "not-run"     // the run was given up before, or the case loads rules and the program's are built in

	Mended   Verdict = "known-passes"    // it is listed as a known failure, and passes
	Fail     Verdict = "fail"            // an answer is another than expected
	Errored  Verdict = "error"           // the program reports an error
	Missing  Verdict = "missing-answers" // a question has no answer
	Extra    Verdict = "extra-answers"   // an answer to what was not asked, or a second one
	Lie      Verdict = "contradiction"   // what it says does not fit what it said
	Talks    Verdict = "talkative"       // lines that nobody asked for
	Leak     Verdict = "leak"            // asked again, it answers otherwise
	Crash    Verdict = "crash"           // the program ended
	Hang     Verdict = "hang"            // no answer in time
	Garbage  Verdict = "garbage"         // the line is not what the protocol says
	TooLong  Verdict = "too-long"        // the line has too many bytes
	WrongSeq Verdict = "wrong-seq"       // the answer belongs to another request
)

// Verdicts lists them all.
var Verdicts = []Verdict{Pass, Unsupported, Skipped, Reading, NotRun, Mended, Fail, Errored, Missing, Extra, Lie, Talks, Leak, Crash, Hang, Garbage, TooLong, WrongSeq}

// Bad reports whether a verdict is a failure of the program.
func (v Verdict) Bad() bool {
	switch v {
	case Pass, Unsupported, Skipped, Reading, NotRun:
		return false
	}
	return true
}

// Result is what a case came to, and why.
type Result struct {
	Case    *Case
	Verdict Verdict
	Detail  string // of a verdict that is not a matter of answers
	Reason  string // unsupported: why, where the program says it
	Issue   string // skipped, unsupported: a link
	Stderr  string // evidence of a fault
	Step    *Step  // fail, missing-answers: the first question that came out otherwise
	Given   json.RawMessage
	Said    []Said // what the program said: once, and once more if it was asked again
}

// Said is what a program said as it was sent a case: an answer, or the fault in its
// place.
type Said struct {
	Answer *protocol.Reply `json:"answer,omitempty"`
	Fault  *FaultLine      `json:"fault,omitempty"`
	Stray  string          `json:"stray,omitempty"` // the first line that nobody had asked for
}

// Options say how to run.
type Options struct {
	Command []string
	Limit   time.Duration       // for one answer; 0 for DefaultLimit, which is also the least for the first ones
	Jobs    int                 // programs at once; 0 for one
	Isolate bool                // a program of its own for each case
	Faults  int                 // give up after so many programs that had to be ended; 0 for DefaultFaults
	Files   []protocol.RuleFile // what a program gets that loads rules
	Done    func(r *Result)     // called as each case is done, by one at a time

	wait patience // nil for the clock
}

// What holds where Options say nothing.
const (
	DefaultLimit  = 30 * time.Second
	DefaultFaults = 20

	repeats = 25 // so many cases are asked again at the end
)

// Outcome is what a run came to.
type Outcome struct {
	About    protocol.About
	Isolated bool      // each case was sent to a program of its own
	Results  []*Result // in the order of the cases
	Faults   []*Fault  // not of a case: of hello, rules and bye
}

// Complete reports whether every case was run that is meant for the program.
func (o *Outcome) Complete() bool {
	return !slices.ContainsFunc(o.Results, func(r *Result) bool { return r.Verdict == NotRun && meant(&o.About, r.Case) })
}

// meant reports whether a case is meant for a program: one that loads rules is not
// for a program whose rules are built in.
func meant(a *protocol.About, c *Case) bool { return !c.Loads() || a.Rules == protocol.Loaded }

// StartError says that the program could not be spoken with at all.
type StartError struct {
	Fault *Fault
	Err   error
}

// Error says why: the system's reason, or the fault in what the program said.
func (e *StartError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return e.Fault.Error()
}

// Run runs cases. It is an error if the program can't be started or does not
// answer hello; what happens later is told by verdicts.
func Run(ctx context.Context, s *Suite, cases []*Case, opts Options) (*Outcome, error) {
	if opts.Limit == 0 {
		opts.Limit = DefaultLimit
	}
	if opts.Faults == 0 {
		opts.Faults = DefaultFaults
	}
	if opts.wait == nil {
		opts.wait = plainPatience
	}
	if opts.Jobs < 1 {
		opts.Jobs = 1
	}
	if opts.Jobs > len(cases) {
		opts.Jobs = len(cases)
	}
	out := &Outcome{Isolated: opts.Isolate, Results: make([]*Result, len(cases))}
	for i, c := range cases {
		out.Results[i] = &Result{Case: c, Verdict: NotRun}
	}
	shared := &shared{end: len(cases), out: out, done: opts.Done}
	var workers []*worker
	for k := range opts.Jobs {
		w := &worker{ctx: ctx, judge: judge{suite: s}, opts: &opts, shared: shared}
		for i := k; i < len(cases); i += opts.Jobs {
			w.list = append(w.list, i)
		}
		workers = append(workers, w)
	}
	defer func() {
		for _, w := range workers {
			w.stop()
		}
	}()
	// The first one starts before the others: what can't be started is told once.
	if err := workers[0].open(); err != nil {
		return nil, err
	}
	out.About = workers[0].about
	for _, w := range workers {
		w.about = out.About // what it says holds for every program of the run
	}
	all := func(f func(*worker)) {
		var wg sync.WaitGroup
		for _, w := range workers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				f(w)
			}()
		}
		wg.Wait()
	}
	all((*worker).run)
	if !shared.givenUp(workers[0]) && !opts.Isolate {
		all((*worker).repeat)
		shared.repeated(workers[0])
	}
	all((*worker).close)
	return out, ctx.Err()
}

// shared is what workers share. How far they got when a run is given up, or a
// program breaks down as it is asked again, depends on how many they are; the
// report must not, so what one worker alone would not have asked is taken back.
type shared struct {
	mu     sync.Mutex
	broken []int // cases at which a program had to be ended
	again  []int // likewise as it was asked again
	end    int   // the first case for which no program could be started any more
	out    *Outcome
	done   func(*Result)
}

func (s *shared) give(f *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Faults = append(s.out.Faults, f)
}

// over reports whether the run is given up before the case i.
func (s *shared) over(i, faults int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, at := range s.broken {
		if at < i {
			n++
		}
	}
	return n >= faults || i >= s.end
}

// givenUp reports whether the run was given up, and takes back what was asked
// behind that point.
func (s *shared) givenUp(w *worker) bool {
	up := false
	for i, r := range s.out.Results {
		if s.over(i, w.opts.Faults) {
			up = true
			if *r = (Result{Case: r.Case, Verdict: NotRun}); !meant(&w.about, r.Case) {
				w.leaveOut(r)
			}
		}
	}
	return up
}

// repeated takes back what was asked again after a program had broken down at it.
func (s *shared) repeated(w *worker) {
	if len(s.again) == 0 {
		return
	}
	for _, r := range s.out.Results[:slices.Max(s.again)] {
		if len(r.Said) > 1 {
			r.Said = r.Said[:1]
			w.settle(r)
		}
	}
}

// worker runs some of the cases with a program of its own.
type worker struct {
	*shared
	judge
	ctx  context.Context
	opts *Options
	list []int
	p    *process
	last *Result // whose answer came last: a stray line is its
}

// The numbers of requests. Each case has its own, whoever sends it, so that what a
// program does with them does not depend on how many programs there are.
const (
	seqHello = 1
	seqRules = 2
	seqCase  = 3 // and the case's place
)

// seqAgain is the number of a request that asks case i again: the last is the first.
func (w *worker) seqAgain(i int) int { return seqCase + len(w.out.Results) + repeats - i }

// seqBye comes after all others.
func (w *worker) seqBye() int { return w.seqAgain(0) + 1 }

// open starts the program and greets it.
func (w *worker) open() error {
	w.last = nil
	p, err := start(w.opts.Command, func(text string) {
		if w.last == nil {
			w.give(&Fault{Verdict: Talks, Detail: text})
		} else if said := &w.last.Said[len(w.last.Said)-1]; said.Stray == "" {
			said.Stray = text
			w.settle(w.last)
		}
	}, w.opts.wait)
	if err != nil {
		return &StartError{Err: err}
	}
	var about protocol.About
	if f := greet(p, w.suite.Info, w.opts.Files, w.opts.Limit, &about); f != nil {
		p.stop()
		return &StartError{Fault: f}
	}
	if w.about.Name != "" && !sameAbout(&w.about, &about) {
		w.give(&Fault{Verdict: Lie, Detail: "it introduces itself otherwise than before"})
	}
	w.about = about
	w.p = p
	return nil
}

func sameAbout(a, b *protocol.About) bool {
	x, y := *a, *b
	x.Seq, y.Seq = 0, 0
	j, err1 := json.Marshal(x)
	k, err2 := json.Marshal(y)
	return err1 == nil && err2 == nil && bytes.Equal(j, k)
}

// greeting tells what is wrong with an answer to hello.
func greeting(a *protocol.About) string {
	switch {
	case a.Protocol != protocol.Version:
		return fmt.Sprintf("hello: it speaks protocol %d, and version %d was offered", a.Protocol, protocol.Version)
	case a.Name == "":
		return "hello: it has no name"
	case a.Version == "":
		return "hello: it has no version"
	case a.Features == nil:
		return "hello: it has no features, a list, [] for none"
	case a.Questions == nil:
		return "hello: it has no questions, a list, [] for none"
	case a.Rules != protocol.BuiltIn && a.Rules != protocol.Loaded:
		return fmt.Sprintf("hello: rules is %q; it is %q or %q", a.Rules, protocol.BuiltIn, protocol.Loaded)
	}
	return ""
}

// stop ends the program.
func (w *worker) stop() {
	if w.p != nil {
		w.p.stop()
		w.p = nil
	}
}

// close says bye.
func (w *worker) close() {
	if w.p == nil || w.ctx.Err() != nil {
		return
	}
	var r protocol.Reply
	if f := w.p.ask(protocol.Request{Seq: w.seqBye(), Type: protocol.Bye}, w.opts.Limit, &r); f != nil && f.Verdict != Crash {
		w.give(f) // that it ends without an answer is as good
	}
	w.stop()
}

func (w *worker) run() {
	for _, i := range w.list {
		if w.ctx.Err() != nil || w.over(i, w.opts.Faults) {
			return
		}
		r := w.out.Results[i]
		if !w.leaveOut(r) {
			if !w.ready(i) {
				return
			}
			if !w.put(r, seqCase+i) {
				w.mu.Lock()
				w.broken = append(w.broken, i)
				w.mu.Unlock()
			}
			if w.opts.Isolate {
				w.close()
			}
		}
		if w.done != nil {
			w.mu.Lock()
			w.done(r)
			w.mu.Unlock()
		}
	}
}

// ready sees that a program runs; it reports false where none can be started for
// case i.
func (w *worker) ready(i int) bool {
	if w.p != nil {
		return true
	}
	err := w.open()
	if err == nil {
		return true
	}
	if e, ok := err.(*StartError); ok && e.Fault != nil {
		w.give(e.Fault)
	} else {
		w.give(&Fault{Verdict: Crash, Detail: err.Error()})
	}
	w.mu.Lock()
	w.end = min(w.end, i)
	w.mu.Unlock()
	return false
}

// put sends a case and judges what comes; a program that breaks the protocol is
// ended, and put reports false.
func (w *worker) put(r *Result, seq int) bool {
	reply := &protocol.Reply{}
	q := protocol.Request{Seq: seq, Type: protocol.Play, Case: r.Case.Asked}
	if r.Case.Loads() {
		q.Type = protocol.Load
	}
	f := w.p.ask(q, w.opts.Limit, reply)
	if f != nil {
		w.stop()
		r.Said = append(r.Said, Said{Fault: &FaultLine{f.Verdict, f.Detail, f.Stderr}})
	} else {
		r.Said = append(r.Said, Said{Answer: reply})
	}
	w.last = r
	w.settle(r)
	return f == nil
}

// repeat asks the first cases again, in the opposite order: a program that keeps
// something from one case to the next answers otherwise.
func (w *worker) repeat() {
	for _, i := range slices.Backward(w.list) {
		r := w.out.Results[i]
		if i >= repeats || !answered(r) {
			continue
		}
		if w.p == nil || w.ctx.Err() != nil {
			return
		}
		if !w.put(r, w.seqAgain(i)) {
			w.mu.Lock()
			w.again = append(w.again, i)
			w.mu.Unlock()
		}
	}
}
