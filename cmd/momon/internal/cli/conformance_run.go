package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

// runFlags are what conformance run can be told.
type runFlags struct {
	suite, run, skip, covers, tier, status, record, twin, known string
	jobs                                                        int
	limit                                                       time.Duration
	isolate                                                     bool
}

func (a *app) conformanceRunCmd() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run -- CMD…",
		Short: "Run the suite against a program",
		Long: `Starts CMD, asks it the cases of the suite over its standard input and output, and
compares its answers. What a program must do stands in docs/conformance.md. Of a
failed case it shows the first answer that differs, the statements that the case
is about, and what happens by the rules up to there. Exit status 1 means that the
program failed a case, 2 that not every case could be run.`,
		Example: `  momon conformance run -- ./my-engine --adapter
  momon conformance run --tier core --covers 11.6 -- node adapter.js
  momon conformance run --jobs 4 --record report.jsonl -- ./my-engine
  momon conformance run -- momon conformance serve`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &misuse{a.t("run-what"), c}
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
	fl.StringVar(&f.record, "record", "", "write the report to `FILE`, as JSON Lines")
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
				return protocol.Serve(&loader{own{a: a}}, a.in, a.out)
			}
			s, err := a.stage()
			if err != nil {
				return err
			}
			return protocol.Serve(&own{a: a, s: s}, a.in, a.out)
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
	a *app
	s *interpreter.Stage
}

// Hello implements protocol.Adapter.
func (o *own) Hello(protocol.Request) protocol.About {
	return protocol.About{Protocol: protocol.Version, Name: "momon", Version: version(), Rules: protocol.BuiltIn,
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

// mostStories bounds how many failed cases are explained.
const mostStories = 200

// teller explains failed cases by the rules. The rules are read when the first
// case has failed.
func (a *app) caseTeller() runner.Teller {
	var s *interpreter.Stage
	var failed error
	told := 0
	return func(c *runner.Case, st *runner.Step) (string, map[string][]string) {
		if s == nil && failed == nil {
			s, failed = a.stage()
		}
		if told++; failed != nil || told > mostStories {
			return "", nil
		}
		if c.Loads() {
			return protocol.LoadQuestion, loadStory(s, c)
		}
		out := map[string][]string{}
		for _, l := range s.Rules().Languages() {
			if list, err := s.Story(c.Data, st.Step, l.Code); err == nil {
				out[l.Code] = list
			}
		}
		return s.Question(st.Ask), out
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
	if f.limit <= 0 {
		return errors.New(a.t("limit-positive", f.limit))
	}
	suite, err := suiteOf(f.suite)
	if err != nil {
		return err
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
		if known, err = runner.LoadKnown(suite, data); err != nil {
			return errors.New(a.t("bad-known", f.known, err))
		}
	}
	files, err := a.filesToSend()
	if err != nil {
		return err
	}
	n := 0
	opts := runner.Options{Command: command, Limit: f.limit, Jobs: f.jobs, Isolate: f.isolate, Files: files}
	if a.term {
		opts.Done = func(*runner.Result) {
			if n++; n%20 == 0 || n == len(list) {
				fmt.Fprintf(a.err, "\r%d/%d", n, len(list))
			}
			if n == len(list) {
				fmt.Fprint(a.err, "\r\033[K")
			}
		}
	}
	out, err := runner.Run(a.ctx, suite, list, opts)
	if e := (*runner.StartError)(nil); errors.As(err, &e) {
		return errors.New(a.startFault(e))
	}
	if err != nil {
		return err
	}
	report := runner.NewReport(suite, out, a.caseTeller())
	report.Expect(known, time.Now().Format(time.DateOnly))
	if f.record != "" {
		var b bytes.Buffer
		if err := report.Write(&b); err != nil {
			return err
		}
		if err := writeWhole(f.record, b.Bytes()); err != nil {
			return err
		}
	}
	if a.json {
		if err := report.Write(a.out); err != nil {
			return err
		}
	} else {
		a.reported(report)
	}
	switch {
	case !report.Footer.Complete:
		return errors.New(a.t("not-complete", report.Unrun()))
	case report.Count("", runner.NotRun) == len(report.Cases):
		return errors.New(a.t("only-loads", report.Header.Program.Name))
	case report.Failed():
		return errFound
	}
	return nil
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
	return s.Twin(told.Cases)
}

// startFault words why a program could not be spoken with.
func (a *app) startFault(e *runner.StartError) string {
	if e.Fault == nil {
		return a.t("no-start", e.Error())
	}
	text := a.t("no-hello", a.t("fault-"+string(e.Fault.Verdict)), e.Fault.Detail)
	if e.Fault.Stderr != "" {
		text += "\n" + a.t("its-stderr", e.Fault.Stderr)
	}
	return text
}

// reported shows a report.
func (a *app) reported(r *runner.Report) {
	for i := range r.Cases {
		switch c := &r.Cases[i]; {
		case c.Failed():
			a.diverged(c)
		case c.Known != nil:
			a.item("• ", a.t("known-failure", c.ID, c.Known.Reason, c.Known.Until), 2)
		}
	}
	for _, f := range r.Footer.Faults {
		a.item("× ", a.t("fault-"+string(f.Verdict))+": "+f.Detail, 2)
		if f.Stderr != "" {
			a.para(a.t("its-stderr", f.Stderr), 4)
		}
	}
	a.println(a.t("checked-program", r.Header.Program.Name, r.Header.Program.Version, r.Header.Edition))
	verdicts := []runner.Verdict{runner.Unsupported, runner.Skipped, runner.Reading, runner.NotRun}
	for _, status := range []string{"normative", "interpretation", "provisional", load.Status} {
		all := r.Count(status)
		if all == 0 {
			continue
		}
		if status == load.Status && r.Header.Program.Rules == protocol.BuiltIn {
			a.println(a.t("conformed-built-in", a.t(status), r.Count(status, runner.NotRun)))
			continue
		}
		bad, known := 0, 0
		for i := range r.Cases {
			switch c := &r.Cases[i]; {
			case c.Status != status:
			case c.Failed():
				bad++
			case c.Known != nil:
				known++
			}
		}
		text := a.t("conformed", a.t(status), r.Count(status, runner.Pass), all, bad)
		if known > 0 {
			text += a.t("conformed-known", known)
		}
		for _, v := range verdicts {
			if n := r.Count(status, v); n > 0 {
				text += a.t("conformed-"+string(v), n)
			}
		}
		a.println(text)
	}
}

// diverged shows a failed case: what differs first, and what happens by the rules.
func (a *app) diverged(c *runner.CaseLine) {
	a.heading(a.t("fail", c.ID))
	a.para(inLang(c.Title, a.lang), 2)
	a.println("")
	a.item("× ", a.t("fault-"+string(c.Verdict)), 2)
	if c.Detail != "" {
		a.para(c.Detail, 4)
	}
	if c.Stderr != "" {
		a.para(a.t("its-stderr", c.Stderr), 4)
	}
	if c.Expired {
		a.para(a.t("known-expired", c.Known.Until, c.Known.Reason), 4)
	}
	d := c.At
	if d == nil {
		a.println("")
		return
	}
	asks := d.Asks
	if asks == "" {
		asks = string(d.Question)
	}
	a.para(a.t("at-step", d.Step, asks), 4)
	a.para(a.t("want", string(d.Expected)), 4)
	if d.Given != nil {
		a.para(a.t("given-answer", string(d.Given)), 4)
	}
	a.println("")
	var keys []string
	for k := range d.Statements {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		a.para(k, 2)
		for _, l := range languages(d.Statements[k], a.lang) {
			a.para(d.Statements[k][l], 4)
		}
	}
	if list := d.Story[a.lang]; len(list) > 0 {
		a.println("")
		a.para(a.t("by-the-rules"), 2)
		for _, s := range list {
			for _, part := range strings.Split(s, "\n") {
				a.para(part, 4)
			}
		}
	}
	a.println("")
}

func inLang(texts map[string]string, lang string) string {
	for _, l := range languages(texts, lang) {
		return texts[l]
	}
	return ""
}

// languages lists the languages of a text, the wanted one first.
func languages(texts map[string]string, lang string) []string {
	var out []string
	for l := range texts {
		out = append(out, l)
	}
	slices.SortFunc(out, func(x, y string) int {
		switch {
		case x == y:
			return 0
		case x == lang || y != lang && x < y:
			return -1
		}
		return 1
	})
	return out
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
		a.item("× ", where+a.t("fault-"+string(v)), 2)
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
