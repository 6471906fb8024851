package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/report"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// runFlags are what conformance run can be told.
type runFlags struct {
	suite, run, skip, covers, tier, status, record, replay, twin, known string
	jobs                                                                int
	limit                                                               time.Duration
	isolate                                                             bool
}

func (a *app) conformanceRunCmd() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run -- CMD…",
		Short: "Run the suite against a program",
		Long: `Starts CMD, asks it the cases of the suite over its standard input and output, and
compares its answers. What a program must do stands in docs/conformance.md. Of a
failed case it shows the first answer that differs, the statements that the case
is about, and what happens by the rules up to there. --record keeps the report and
all that the program said; --replay judges that again without the program. Exit
status 1 means that the program failed a case, 2 that not every case could be run.`,
		Example: `  momon conformance run -- ./my-engine --adapter
  momon conformance run --tier core --covers 11.6 -- node adapter.js
  momon conformance run --jobs 4 --record report.jsonl -- ./my-engine
  momon conformance run --replay report.jsonl
  momon conformance run -- momon conformance serve`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case f.replay == "" && len(args) == 0:
				return &misuse{a.t("run-what"), c}
			case f.replay == "":
				return nil
			case len(args) > 0:
				return &misuse{a.t("replay-no-program", args[0]), c}
			}
			for _, name := range []string{"jobs", "limit", "isolate", "twin"} {
				if c.Flags().Changed(name) {
					return &misuse{a.t("replay-no-flag", name), c}
				}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.conform(f, args) },
	}
	fl := c.Flags()
	fl.StringVar(&f.suite, "suite", "", "the suite in `DIR`, in place of the built-in one")
	fl.StringVar(&f.run, "run", "", "only cases whose ID fits the regular expression `RE`")
	fl.StringVar(&f.skip, "skip", "", "no case whose ID fits the regular expression `RE`")
	fl.StringVar(&f.covers, "covers", "", "only cases that speak to a statement's `KEY`, or to a rule and those below it")
	fl.StringVar(&f.tier, "tier", "", "only cases of a `TIER`: core, extended or data")
	fl.StringVar(&f.status, "status", "", "only cases of a `STATUS`: normative, interpretation, provisional or language")
	fl.StringVar(&f.record, "record", "", "write the report and what the program said to `FILE`, as JSON Lines")
	fl.StringVar(&f.replay, "replay", "", "judge again what a program said, from the record in `FILE`; no program is run")
	fl.StringVar(&f.known, "known", "", "failures that are known, in `FILE`: id, reason, issue and until of each, as JSON")
	fl.StringVar(&f.twin, "twin", "", "tell the cases otherwise, as `TWIN`: swap (the players), rename (objects) or bystander; they must come out alike")
	fl.IntVar(&f.jobs, "jobs", 1, "how many programs to run at once, `N`; the report is the same")
	fl.DurationVar(&f.limit, "limit", runner.DefaultLimit, "how long to wait for an answer, as `TIME` (5s, 500ms)")
	fl.BoolVar(&f.isolate, "isolate", false, "a program of its own for each case")
	return c
}

func (a *app) serveCmd() *cobra.Command {
	var loads bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer the suite by these rules, as a program that is checked",
		Long: `Speaks the protocol of docs/conformance.md over standard input and output, as any
program does that is checked. Each case that comes is told in the rule language
again and played, so nothing but what is sent decides. With --loads it has no rules
of its own and takes those that the runner sends.`,
		Example: `  momon conformance run -- momon conformance serve
  momon conformance run -- momon conformance serve --loads`,
		Args: a.takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if loads {
				return protocol.Serve(&loader{own{a: a, name: "momon"}}, a.in, a.out)
			}
			s, err := a.stage()
			if err != nil {
				return err
			}
			return protocol.Serve(&own{a: a, s: s, name: "momon"}, a.in, a.out)
		},
	}
	c.Flags().BoolVar(&loads, "loads", false, "take the rules from the runner")
	return c
}

func (a *app) adapterCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "adapter",
		Short: "Help with an adapter: the part of a program that speaks the protocol",
		Long:  `An adapter is the part of a program that speaks the protocol of docs/conformance.md.`,
		Example: `  momon conformance adapter new python ./my-adapter
  momon conformance adapter check -- ./my-engine --adapter`,
		Args: a.takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var limit time.Duration
	check := &cobra.Command{
		Use:   "check -- CMD…",
		Short: "Try an adapter out and explain each fault",
		Long: `Starts CMD and goes through the protocol with it step by step: hello, a case of
each kind that it says it can play, a case again, bye. Each fault is explained in
plain words. Whether its answers are right is not looked at; run does that.`,
		Example: `  momon conformance adapter check -- ./my-engine --adapter`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &misuse{a.t("run-what"), c}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.adapterCheck(args, limit) },
	}
	check.Flags().DurationVar(&limit, "limit", runner.DefaultLimit, "how long to wait for an answer, as `TIME` (5s, 500ms)")
	c.AddCommand(a.adapterNewCmd(), check)
	return c
}

// stage is what plays exported cases by the rules in force.
func (a *app) stage() (*interpreter.Stage, error) {
	src, err := a.sources(true)
	if err != nil {
		return nil, err
	}
	s, _, err := interpreter.NewStage(src, interpreter.Options{Edition: a.edition})
	if errors.Is(err, interpreter.ErrRules) {
		_, err = a.loadFrom(src) // which tells what is wrong
	}
	return s, err
}

// own is this program as one that is checked.
type own struct {
	a    *app
	s    *interpreter.Stage
	name string
}

// Hello implements protocol.Adapter.
func (o *own) Hello(protocol.Request) protocol.About {
	return protocol.About{Protocol: protocol.Version, Name: o.name, Version: version(), Rules: protocol.BuiltIn,
		Features: interpreter.ExportFeatures(), Questions: interpreter.ExportQuestions()}
}

// Rules implements protocol.Adapter. The rules are those that the program was
// started with.
func (o *own) Rules([]protocol.RuleFile) error { return errors.New("it has rules built in") }

// Play implements protocol.Adapter.
func (o *own) Play(data json.RawMessage) protocol.Reply {
	list, err := o.s.Play(o.a.ctx, data)
	if err != nil {
		r := protocol.Reply{Outcome: protocol.Failed, Code: "engine", Message: err.Error()}
		if e := (*interpreter.StageError)(nil); errors.As(err, &e) {
			r.Code, r.Step = e.Code, e.Step
		}
		return r
	}
	r := protocol.Reply{Outcome: protocol.Done, Answers: []protocol.Answer{}}
	for _, x := range list {
		v, err := json.Marshal(x.Answer)
		if err != nil {
			return protocol.Reply{Outcome: protocol.Failed, Code: "engine", Step: x.Step, Message: err.Error()}
		}
		r.Answers = append(r.Answers, protocol.Answer{Step: x.Step, Answer: v})
	}
	return r
}

// suiteOf reads a suite: the built-in one, or that of a folder.
func suiteOf(dir string) (*runner.Suite, error) {
	if dir != "" {
		return runner.Load(os.DirFS(dir))
	}
	sub, err := fs.Sub(conformance.Suite, "suite")
	if err != nil {
		return nil, err
	}
	return runner.Load(sub)
}

// teller tells failed cases by the rules in force, which are read when there are
// any.
func (a *app) teller() runner.Teller {
	return func(failed []*runner.Result) []*interpreter.Story {
		s, err := a.stage()
		if err != nil {
			return make([]*interpreter.Story, len(failed))
		}
		var list []interpreter.Telling
		for _, r := range failed {
			t := interpreter.Telling{Case: r.Case.Data}
			if r.Step != nil {
				t.Step = r.Step.Step
			}
			list = append(list, t)
		}
		stories := s.Stories(list)
		for i, r := range failed {
			if r.Case.Loads() {
				stories[i] = loadStory(s, r.Case)
			}
		}
		return stories
	}
}

func (a *app) conform(f runFlags, command []string) error {
	sel := runner.Selection{Covers: f.covers, Tier: f.tier, Status: f.status}
	for flag, to := range map[*string]**regexp.Regexp{&f.run: &sel.Run, &f.skip: &sel.Skip} {
		if *flag == "" {
			continue
		}
		re, err := regexp.Compile(*flag)
		if err != nil {
			return err
		}
		*to = re
	}
	if have, err := os.ReadFile(f.record); err == nil && len(have) > 0 && !bytes.HasPrefix(have, []byte(`{"type":"header"`)) {
		return errors.New(a.t("record-taken", diag.Printable(f.record)))
	}
	if f.limit <= 0 {
		return errors.New(a.t("limit-positive", f.limit))
	}
	suite, err := suiteOf(f.suite)
	if err != nil {
		return err
	}
	var rec *runner.Report
	if f.replay != "" {
		if rec, err = a.readRecord(f.replay); err != nil {
			return err
		}
		f.twin = rec.Header.Twin
	}
	if f.twin != "" {
		if suite, err = a.twin(suite, f.twin); err != nil {
			return err
		}
	}
	list, err := suite.Select(sel)
	if errors.Is(err, runner.ErrNone) {
		return errors.New(a.t("no-cases"))
	}
	var known map[string]runner.Known
	if f.known != "" {
		data, err := os.ReadFile(f.known)
		if err != nil {
			return err
		}
		known, err = runner.LoadKnown(suite, data)
		if e := (*runner.KnownError)(nil); errors.As(err, &e) {
			args := []any{e.ID}
			if e.Code == "no-day" {
				args = append(args, e.Until)
			}
			return errors.New(a.t("bad-known", f.known, a.t("known-"+e.Code, args...)))
		}
		if err != nil {
			return errors.New(a.t("bad-known", f.known, a.t("known-form", err)))
		}
	}
	var out *runner.Outcome
	if rec != nil {
		out, err = runner.Replay(suite, rec, list)
	} else {
		out, err = a.ask(suite, list, f, command)
	}
	if e := (*runner.StartError)(nil); errors.As(err, &e) {
		return errors.New(a.startFault(e))
	}
	if e := (*runner.MisfitError)(nil); errors.As(err, &e) {
		return errors.New(a.misfit(f.replay, e))
	}
	if errors.Is(err, runner.ErrNone) {
		return errors.New(a.t("no-cases"))
	}
	if err != nil {
		return err
	}
	r := runner.NewReport(suite, out, a.teller())
	if rec != nil && f.known == "" {
		r.ExpectAgain(rec)
	} else {
		r.Expect(known, time.Now().Format(time.DateOnly))
	}
	if f.record != "" {
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			return err
		}
		if err := a.disk.Write(f.record, b.Bytes()); err != nil {
			return err
		}
	}
	if a.json {
		if err := r.Write(a.out); err != nil {
			return err
		}
	} else {
		a.reported(r)
	}
	switch {
	case !r.Footer.Complete:
		return errors.New(a.t("not-complete", r.Unrun()))
	case r.Count("", runner.NotRun) == len(r.Cases):
		return errors.New(a.t("only-loads", diag.Printable(r.Header.Program.Name)))
	case r.Failed():
		return errFound
	}
	return nil
}

// ask runs cases against a program, and tells at a terminal how far it is.
func (a *app) ask(suite *runner.Suite, list []*runner.Case, f runFlags, command []string) (*runner.Outcome, error) {
	files, err := a.filesToSend()
	if err != nil {
		return nil, err
	}
	opts := runner.Options{Command: command, Limit: f.limit, Jobs: f.jobs, Isolate: f.isolate, Files: files}
	if a.errTerm {
		p := &progress{w: a.err, all: len(list), now: time.Now, say: func(done, all, bad int) string { return a.t("progress", done, all, bad) }}
		opts.Done = func(r *runner.Result) { p.done(r.Verdict.Bad()) }
		defer p.clear()
	}
	return runner.Run(a.ctx, suite, list, opts)
}

// progress is a line at a terminal that says how far a run is.
type progress struct {
	w        io.Writer
	say      func(done, all, bad int) string
	now      func() time.Time
	all      int
	n, bad   int
	last     time.Time
	anything bool
}

// progressEvery is how often the line changes, at most.
const progressEvery = 100 * time.Millisecond

func (p *progress) done(bad bool) {
	p.n++
	if bad {
		p.bad++
	}
	if t := p.now(); t.Sub(p.last) >= progressEvery {
		fmt.Fprintf(p.w, "\r\033[K%s", p.say(p.n, p.all, p.bad))
		p.last, p.anything = t, true
	}
}

// clear takes the line away.
func (p *progress) clear() {
	if p.anything {
		fmt.Fprint(p.w, "\r\033[K")
	}
}

// twin is a suite told otherwise, by the rules in force.
func (a *app) twin(s *runner.Suite, name string) (*runner.Suite, error) {
	twins := map[string]interpreter.Twin{"swap": {Swap: true}, "rename": {Rename: true}, "bystander": {Bystander: true}}
	t, ok := twins[name]
	if !ok {
		return nil, errors.New(a.t("no-twin", name))
	}
	p, err := a.load(true)
	if err != nil {
		return nil, err
	}
	told, err := export.Cases(p, t)
	if err != nil {
		return nil, err
	}
	return s.Twin(name, told.Cases)
}

// startFault words why a program could not be spoken with.
func (a *app) startFault(e *runner.StartError) string {
	if e.Fault == nil {
		return a.t("no-start", e.Error())
	}
	text := a.t("no-hello", report.Sentence(a.lang, e.Fault.Verdict), e.Fault.Detail)
	if e.Fault.Stderr != "" {
		text += "\n" + a.t("its-stderr", e.Fault.Stderr)
	}
	return text
}

// adapterCheck goes through the protocol with a program.
func (a *app) adapterCheck(command []string, limit time.Duration) error {
	suite, err := suiteOf("")
	if err != nil {
		return err
	}
	files, err := a.filesToSend()
	if err != nil {
		return err
	}
	// A case of each feature and of each question, and the plainest ones.
	var list []*runner.Case
	seen := map[string]bool{}
	for _, c := range suite.Cases {
		kinds := slices.Clone(c.Features)
		for i := range c.Script {
			kinds = append(kinds, "question "+c.Script[i].Question())
		}
		fresh := len(list) < 5
		for _, k := range kinds {
			fresh = fresh || !seen[k]
		}
		if fresh {
			list = append(list, c)
			for _, k := range kinds {
				seen[k] = true
			}
		}
	}
	out, err := runner.Run(a.ctx, suite, list, runner.Options{Command: command, Limit: limit, Files: files, Faults: 3})
	if e := (*runner.StartError)(nil); errors.As(err, &e) {
		a.item("× ", a.startFault(e), 2)
		if e.Fault != nil {
			a.para(a.t("advice-"+string(e.Fault.Verdict)), 4)
		}
		return errFound
	}
	if err != nil {
		return err
	}
	about := out.About
	a.println(a.t("hello-of", about.Name, about.Version))
	a.para(a.t("hello-rules", about.Rules), 2)
	a.para(a.t("hello-features", listed(about.Features)), 2)
	a.para(a.t("hello-questions", listed(about.Questions)), 2)
	bad, counts := 0, map[runner.Verdict]int{}
	fault := func(v runner.Verdict, where, detail, stderr string) {
		bad++
		a.item("× ", where+report.Sentence(a.lang, v), 2)
		if detail != "" {
			a.para(detail, 4)
		}
		a.para(a.t("advice-"+string(v)), 4)
		if stderr != "" {
			a.para(a.t("its-stderr", stderr), 4)
		}
	}
	for _, unknown := range unknownOf(about.Features, interpreter.ExportFeatures()) {
		a.item("! ", a.t("unknown-feature", unknown), 2)
	}
	for _, unknown := range unknownOf(about.Questions, append(interpreter.ExportQuestions(), protocol.LoadQuestion)) {
		a.item("! ", a.t("unknown-question", unknown), 2)
	}
	for _, name := range slices.Sorted(maps.Keys(about.Readings)) {
		own := about.Readings[name]
		p, ok := suite.Readings[name]
		switch {
		case !ok:
			a.item("! ", a.t("unknown-reading", name), 2)
		case own != p.Chosen && !slices.Contains(p.Others, own):
			a.item("! ", a.t("unknown-choice", name, own, strings.Join(append([]string{p.Chosen}, p.Others...), ", ")), 2)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(about.Lacks)) {
		if slices.Contains(about.Features, name) || slices.Contains(about.Questions, name) {
			a.item("! ", a.t("lacks-has", name), 2)
		} else if !slices.Contains(interpreter.ExportFeatures(), name) && !slices.Contains(interpreter.ExportQuestions(), name) {
			a.item("! ", a.t("unknown-lack", name), 2)
		}
	}
	for _, r := range out.Results {
		counts[r.Verdict]++
		if r.Verdict.Bad() && r.Verdict != runner.Fail {
			fault(r.Verdict, r.Case.ID+": ", r.Detail, r.Stderr)
		}
	}
	for _, f := range out.Faults {
		fault(f.Verdict, "", f.Detail, f.Stderr)
	}
	a.println(a.t("adapter-tried", len(list)-counts[runner.NotRun], counts[runner.Pass]+counts[runner.Fail], counts[runner.Unsupported]+counts[runner.Skipped]+counts[runner.Reading]))
	if bad > 0 {
		return errFound
	}
	if counts[runner.Pass]+counts[runner.Fail] == 0 {
		a.para(a.t("adapter-silent"), 0)
		return nil
	}
	a.println(a.t("adapter-fine"))
	return nil
}

func listed(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}

func unknownOf(list, known []string) []string {
	var out []string
	for _, x := range list {
		if !slices.Contains(known, x) {
			out = append(out, x)
		}
	}
	return out
}
