package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/momon-rules/momon/conformance/load"
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
	Issue   string // skipped: a link
	Stderr  string // evidence of a fault
	Step    *Step  // fail, missing-answers: the first question that came out otherwise
	Given   json.RawMessage

	answers []protocol.Answer
}

// Options say how to run.
type Options struct {
	Command []string
	Limit   time.Duration       // for one answer; 0 for DefaultLimit
	Jobs    int                 // programs at once; 0 for one
	Isolate bool                // a program of its own for each case
	Faults  int                 // give up after so many programs that had to be ended; 0 for DefaultFaults
	Files   []protocol.RuleFile // what a program gets that loads rules
	Done    func(r *Result)     // called as each case is done, by one at a time

	wait patience // nil for the clock
}

// What holds where Options say nothing.
const (
	DefaultLimit  = 10 * time.Second
	DefaultFaults = 20

	repeats = 25 // so many cases are asked again at the end
)

// Outcome is what a run came to.
type Outcome struct {
	About   protocol.About
	Results []*Result // in the order of the cases
	Faults  []*Fault  // not of a case: of hello, rules and bye
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
	out := &Outcome{Results: make([]*Result, len(cases))}
	for i, c := range cases {
		out.Results[i] = &Result{Case: c, Verdict: NotRun}
	}
	shared := &shared{left: opts.Faults, out: out, done: opts.Done}
	var workers []*worker
	for k := range opts.Jobs {
		w := &worker{ctx: ctx, suite: s, opts: &opts, shared: shared}
		for i := k; i < len(cases); i += opts.Jobs {
			w.list = append(w.list, i)
		}
		workers = append(workers, w)
	}
	// The first one starts before the others: what can't be started is told once.
	if err := workers[0].open(); err != nil {
		return nil, err
	}
	out.About = workers[0].about
	for _, w := range workers {
		w.about = out.About // what it says holds for every program of the run
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.run()
		}()
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	return out, nil
}

// shared is what workers share.
type shared struct {
	mu   sync.Mutex
	left int // faults until the run is given up
	out  *Outcome
	done func(*Result)
}

func (s *shared) give(f *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Faults = append(s.out.Faults, f)
}

// worker runs some of the cases with a program of its own.
type worker struct {
	*shared
	ctx   context.Context
	suite *Suite
	opts  *Options
	list  []int
	p     *process
	about protocol.About
	last  *Result // whose answer came last: a stray line is its
}

// open starts the program and greets it.
func (w *worker) open() error {
	w.last = nil
	p, err := start(w.opts.Command, func(text string) {
		if w.last != nil && !w.last.Verdict.Bad() {
			w.last.Verdict, w.last.Detail = Talks, text
		} else if w.last == nil {
			w.give(&Fault{Verdict: Talks, Detail: text})
		}
	}, w.opts.wait)
	if err != nil {
		return &StartError{Err: err}
	}
	info := w.suite.Info
	var about protocol.About
	if f := p.ask(protocol.Request{Type: protocol.Hello, Protocols: []int{protocol.Version}, Suite: &info}, w.opts.Limit, &about); f != nil {
		p.stop()
		return &StartError{Fault: f}
	}
	if problem := greeting(&about); problem != "" {
		f := p.fault(Garbage, "%s", problem)
		p.stop()
		return &StartError{Fault: f}
	}
	if w.about.Name != "" && !sameAbout(&w.about, &about) {
		w.give(&Fault{Verdict: Lie, Detail: "it introduces itself otherwise than before"})
	}
	w.about = about
	if about.Rules == protocol.Loaded {
		var r protocol.Reply
		f := p.ask(protocol.Request{Type: protocol.Rules, Files: w.opts.Files}, w.opts.Limit, &r)
		if f == nil && !r.Yes() {
			f = p.fault(Errored, "it does not take the rules: %s", r.Message)
		}
		if f != nil {
			p.stop()
			return &StartError{Fault: f}
		}
	}
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
	case a.Rules != protocol.BuiltIn && a.Rules != protocol.Loaded:
		return fmt.Sprintf("hello: rules is %q; it is %q or %q", a.Rules, protocol.BuiltIn, protocol.Loaded)
	}
	return ""
}

// close says bye.
func (w *worker) close() {
	if w.p == nil {
		return
	}
	var r protocol.Reply
	if f := w.p.ask(protocol.Request{Type: protocol.Bye}, w.opts.Limit, &r); f != nil && f.Verdict != Crash {
		w.give(f) // that it ends without an answer is as good
	}
	w.p.stop()
	w.p = nil
}

func (w *worker) run() {
	defer func() {
		if w.p != nil {
			w.p.stop()
		}
	}()
	for _, i := range w.list {
		if w.ctx.Err() != nil {
			return
		}
		r := w.out.Results[i]
		if v, detail := w.leaveOut(r.Case); v != "" {
			r.Verdict, r.Detail = v, detail
			w.tell(r)
			continue
		}
		if !w.ready() {
			return
		}
		w.play(r)
		if w.opts.Isolate {
			w.close()
		}
		w.tell(r)
	}
	if !w.opts.Isolate {
		w.repeat()
	}
	w.close()
}

func (w *worker) tell(r *Result) {
	if w.done != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.done(r)
	}
}

// ready sees that a program runs; it reports false where the run is given up.
func (w *worker) ready() bool {
	if w.p != nil {
		return true
	}
	w.mu.Lock()
	left := w.left
	w.mu.Unlock()
	if left <= 0 {
		return false
	}
	if err := w.open(); err != nil {
		if e, ok := err.(*StartError); ok && e.Fault != nil {
			w.give(e.Fault)
		} else {
			w.give(&Fault{Verdict: Crash, Detail: err.Error()})
		}
		w.mu.Lock()
		w.left = 0
		w.mu.Unlock()
		return false
	}
	return true
}

// leaveOut tells whether a case is not for this program, by what it says of itself.
func (w *worker) leaveOut(c *Case) (Verdict, string) {
	if !meant(&w.about, c) {
		return NotRun, "its rules are built in"
	}
	for _, f := range c.Features {
		if !slices.Contains(w.about.Features, f) {
			return Unsupported, f
		}
	}
	for i := range c.Script {
		if q := c.Script[i].Question(); q != "" && !slices.Contains(w.about.Questions, q) {
			return Unsupported, "question " + q
		}
	}
	for _, name := range sorted(w.about.Readings) {
		own := w.about.Readings[name]
		if choice, ok := c.Readings[name]; ok {
			if choice != own {
				return Reading, name + " " + own
			}
			continue
		}
		covers := slices.ContainsFunc(c.Covers, func(cv Cover) bool { return cv.Statement == name })
		if chosen, ok := w.suite.Readings[name]; ok && covers && chosen != own && c.Status != "normative" {
			return Reading, name + " " + own
		}
	}
	return "", ""
}

func sorted(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// play asks one case.
func (w *worker) play(r *Result) {
	reply, f := w.put(r.Case)
	w.last = r
	if f != nil {
		r.Verdict, r.Detail, r.Stderr = f.Verdict, f.Detail, f.Stderr
		return
	}
	w.judge(r, reply)
}

// put sends a case; a program that breaks the protocol is ended.
func (w *worker) put(c *Case) (*protocol.Reply, *Fault) {
	var reply protocol.Reply
	q := protocol.Request{Type: protocol.Play, Case: c.Asked}
	if c.Loads() {
		q.Type = protocol.Load
	}
	f := w.p.ask(q, w.opts.Limit, &reply)
	if f != nil {
		w.p.stop()
		w.p = nil
		w.mu.Lock()
		w.left--
		w.mu.Unlock()
		return nil, f
	}
	return &reply, nil
}

// judge compares a reply with what is expected.
func (w *worker) judge(r *Result, reply *protocol.Reply) {
	c := r.Case
	switch reply.Outcome {
	case protocol.Unsupported:
		r.Verdict, r.Detail = Unsupported, reply.Feature
		switch {
		case reply.Feature == "":
			r.Verdict, r.Detail = Garbage, "unsupported, and no feature is named"
		case slices.Contains(w.about.Features, reply.Feature):
			r.Verdict, r.Detail = Lie, fmt.Sprintf("it said that it has %s", reply.Feature)
		}
		return
	case protocol.Skipped:
		r.Verdict, r.Detail, r.Issue = Skipped, reply.Reason, reply.Issue
		if reply.Reason == "" {
			r.Verdict, r.Detail = Garbage, "skipped, and no reason is given"
		}
		return
	case protocol.Failed:
		r.Verdict, r.Detail = Errored, reply.Code
		if reply.Message != "" {
			r.Detail += ": " + reply.Message
		}
		for i := range c.Script {
			if c.Script[i].Step == reply.Step {
				r.Step = &c.Script[i]
			}
		}
		return
	}
	var problem string
	if r.answers, problem = answers(c, reply); problem != "" {
		r.Verdict, r.Detail = Garbage, problem
		return
	}
	given := map[int]json.RawMessage{}
	for _, a := range r.answers {
		if _, twice := given[a.Step]; twice {
			r.Verdict, r.Detail = Extra, fmt.Sprintf("step %d is answered twice", a.Step)
			return
		}
		given[a.Step] = a.Answer
	}
	r.Verdict = Pass
	for i := range c.Script {
		st := &c.Script[i]
		if st.Ask == nil {
			continue
		}
		got, ok := given[st.Step]
		delete(given, st.Step)
		if r.Verdict != Pass {
			continue // the first is what counts
		}
		switch {
		case !ok || len(got) == 0:
			r.Verdict, r.Step, r.Detail = Missing, st, fmt.Sprintf("step %d has no answer", st.Step)
		case !equal(st.Question(), st.Expect, got):
			r.Verdict, r.Step, r.Given = Fail, st, got
		}
	}
	if r.Verdict == Pass && len(given) > 0 {
		for _, a := range r.answers {
			if _, ok := given[a.Step]; ok {
				r.Verdict, r.Detail = Extra, fmt.Sprintf("step %d asks nothing", a.Step)
				return
			}
		}
	}
}

// answers are those of a reply to a case that came to its end, or what is wrong
// with it. That files load or not answers the one question of such a case.
func answers(c *Case, reply *protocol.Reply) ([]protocol.Answer, string) {
	switch o := reply.Outcome; {
	case o == protocol.Done && !c.Loads():
		return reply.Answers, ""
	case o == protocol.Refused && c.Loads() && (reply.Stage == "" || reply.Code == ""):
		return nil, "refused, and the stage or the code is missing"
	case (o == protocol.Loaded || o == protocol.Refused) && c.Loads():
		given, err := json.Marshal(load.Result{Load: o, Stage: reply.Stage, Code: reply.Code})
		if err != nil {
			return nil, err.Error()
		}
		return []protocol.Answer{{Step: 1, Answer: given}}, ""
	case c.Loads():
		return nil, fmt.Sprintf("there is no outcome %q of load", o)
	default:
		return nil, fmt.Sprintf("there is no outcome %q", o)
	}
}

// repeat asks the first cases again, in the opposite order: a program that keeps
// something from one case to the next answers otherwise.
func (w *worker) repeat() {
	for k := len(w.list) - 1; k >= 0; k-- {
		i := w.list[k]
		r := w.out.Results[i]
		if i >= repeats || r.answers == nil || w.p == nil || w.ctx.Err() != nil {
			continue
		}
		reply, f := w.put(r.Case)
		switch {
		case f != nil:
			r.Verdict, r.Detail, r.Stderr = f.Verdict, "asked again: "+f.Detail, f.Stderr
		case !again(r, reply):
			r.Verdict, r.Detail = Leak, "asked again at the end, it answers otherwise"
		}
		w.last = r
	}
}

// again reports whether a reply answers a case as it was answered before.
func again(r *Result, reply *protocol.Reply) bool {
	list, problem := answers(r.Case, reply)
	return problem == "" && alike(r.answers, list)
}

func alike(a, b []protocol.Answer) bool {
	return slices.EqualFunc(a, b, func(x, y protocol.Answer) bool {
		return x.Step == y.Step && bytes.Equal(compact(x.Answer), compact(y.Answer))
	})
}

func compact(data json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return data
	}
	return b.Bytes()
}
