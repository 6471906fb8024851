package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance/compare"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// compareFlags are what conformance compare can be told.
type compareFlags struct {
	seed, from     uint64
	count          int
	jobs, most     int
	shrink         bool
	draft, grammar string
	limit          time.Duration
}

func (a *app) compareCmd() *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare -- CMD…",
		Short: "Look for differences between these rules and a program",
		Long: `Makes random scenarios out of a seed, plays each by these rules and by CMD, and
compares the answers question by question. One that comes out otherwise is made as
small as it can be and told: what is done, what is asked, both answers, the
statements that had a part in it, and how these rules come to theirs. Which of the
two is right, the rulebook says. Scenarios use only what CMD claims to have, and
leave no decision open.
Exit status 1 means that something differs, 2 that it could not be compared, or
that more than 5 in 100 scenarios were left out.`,
		Example: `  momon conformance compare -- ./my-engine --adapter
  momon conformance compare --count 20000 --jobs 2 -- node adapter.js
  momon conformance compare --seed 7 --from 1234 --count 1 -- ./my-engine
  momon conformance compare --draft drafts -- ./my-engine`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &misuse{a.t("run-what"), c}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.compare(f, args) },
	}
	fl := c.Flags()
	fl.Uint64Var(&f.seed, "seed", 1, "the seed `N`: the same one gives the same scenarios")
	fl.Uint64Var(&f.from, "from", 0, "the number `N` of the first scenario of that seed")
	fl.IntVar(&f.count, "count", 1000, "how many scenarios, `N`")
	fl.IntVar(&f.jobs, "jobs", 1, "how many programs to run at once, `N`; the outcome is the same")
	fl.IntVar(&f.most, "most", 10, "end after `N` differences; 0 for no end")
	fl.BoolVar(&f.shrink, "shrink", true, "make each difference as small as it can be")
	fl.StringVar(&f.draft, "draft", "", "write each difference to the folder `DIR`: the draft of a case, and as the program gets it, in JSON")
	fl.StringVar(&f.grammar, "grammar", "", "make scenarios by the grammar in `FILE`, in place of the built-in one")
	fl.DurationVar(&f.limit, "limit", runner.DefaultLimit, "how long to wait for an answer, as `TIME` (5s, 500ms)")
	return c
}

// compared is the outcome, for programs.
type compared struct {
	Program     string          `json:"program"`
	Version     string          `json:"version"`
	Seed        uint64          `json:"seed"`
	From        uint64          `json:"from"`
	Scenarios   int             `json:"scenarios"`
	Questions   int             `json:"questions"`
	Same        int             `json:"same"`
	Different   int             `json:"different"`
	Uncompared  int             `json:"uncompared"`
	Reasons     []compareReason `json:"reasons"`
	Differences []differs       `json:"differences"`
	Complete    bool            `json:"complete"`
}

type compareReason struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

type differs struct {
	Number     uint64             `json:"number"`
	Step       int                `json:"step"`
	Question   json.RawMessage    `json:"question,omitempty"`
	Asks       string             `json:"asks,omitempty"`
	Momon      string             `json:"momon"`
	Program    string             `json:"program"`
	Statements []interpreter.Ref  `json:"statements"`
	Case       json.RawMessage    `json:"case"`
	Story      *interpreter.Story `json:"story,omitempty"`
	Draft      string             `json:"draft,omitempty"`

	involved []interpreter.Used
}

func (a *app) compare(f compareFlags, command []string) error {
	switch {
	case f.limit <= 0:
		return errors.New(a.t("limit-positive", f.limit))
	case f.count < 1:
		return errors.New(a.t("count-positive", f.count))
	}
	text := compare.Scenarios
	if f.grammar != "" {
		data, err := os.ReadFile(f.grammar)
		if err != nil {
			return err
		}
		text = data
	}
	g, err := compare.Parse(text)
	if err != nil {
		return errors.New(a.t("bad-grammar", f.grammar, err))
	}
	suite, err := suiteOf("")
	if err != nil {
		return err
	}
	files, err := a.filesToSend()
	if err != nil {
		return err
	}
	start := func() (*compare.Program, *protocol.About, error) {
		p := &compare.Program{Command: command, Limit: f.limit, Info: suite.Info, Files: files}
		about, err := p.Start()
		if e := (*runner.StartError)(nil); errors.As(err, &e) {
			err = errors.New(a.startFault(e))
		}
		return p, about, err
	}
	// The one that shrinks is started first: what can't be started is told once.
	side, about, err := start()
	if err != nil {
		return err
	}
	defer side.Close()
	stage, err := a.stage()
	if err != nil {
		return err
	}
	o := compare.Options{Grammar: g, Seed: f.seed, From: f.from, Count: f.count, Jobs: f.jobs, Most: f.most,
		Features: slices.Clone(about.Features), Questions: slices.Clone(about.Questions)}
	o.Open = func() (*interpreter.Stage, compare.Side, func(), error) {
		s, err := a.stage()
		if err != nil {
			return nil, nil, nil, err
		}
		p, _, err := start()
		return s, p, p.Close, err
	}
	if a.term {
		o.Done = func(n int) { fmt.Fprintf(a.err, "\r%d/%d", n, f.count) }
	}
	list, failure := compare.Run(a.ctx, o)
	if a.term {
		fmt.Fprint(a.err, "\r\033[K")
	}
	out := compared{Program: about.Name, Version: about.Version, Seed: f.seed, From: f.from, Scenarios: len(list),
		Reasons: []compareReason{}, Differences: []differs{}, Complete: failure == nil}
	for i := range list {
		r := &list[i]
		out.Questions += r.Asked
		switch r.Outcome {
		case compare.Same:
			out.Same++
		case compare.Uncompared:
			out.Uncompared++
		case compare.Different:
			out.Different++
			d := r.Diff
			if f.shrink && a.ctx.Err() == nil {
				d, err = compare.Shrink(a.ctx, stage, side, r, f.seed)
				if err != nil && !errors.Is(err, context.Canceled) {
					return err
				}
			}
			x := a.differs(stage, r.Number, d)
			if f.draft != "" {
				if x.Draft, err = a.draft(f, stage, about, x); err != nil {
					return err
				}
			}
			if out.Differences = append(out.Differences, x); !a.json {
				a.difference(&x, about)
			}
		}
	}
	for _, r := range compare.Reasons(list) {
		out.Reasons = append(out.Reasons, compareReason{r.Why, r.Count})
	}
	if a.json {
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else {
		a.println(a.t("compared-with", diag.Printable(about.Name+" "+about.Version), f.seed))
		a.println(a.t("compared", out.Scenarios, out.Questions, out.Same, out.Different, out.Uncompared))
		if f.most > 0 && out.Different >= f.most && out.Scenarios < f.count {
			a.para(a.t("compared-enough", out.Different, f.count-out.Scenarios), 0)
		}
		for _, r := range out.Reasons {
			a.item("• ", fmt.Sprintf("%d: %s", r.Count, diag.Printable(r.Why)), 2)
		}
	}
	switch {
	case failure != nil:
		return failure
	case out.Different > 0:
		return errFound
	case !compare.Enough(out.Same, out.Uncompared, out.Scenarios):
		return errors.New(a.t("too-few-compared", out.Uncompared, out.Scenarios))
	}
	return nil
}

// differs puts together what is told of a difference.
func (a *app) differs(s *interpreter.Stage, number uint64, d *compare.Difference) differs {
	x := differs{Number: number, Step: d.Step, Question: d.Question, Momon: d.First, Program: d.Second, Case: d.Case, Statements: []interpreter.Ref{}}
	x.Asks = string(d.Question)
	if list := s.Stories([]interpreter.Telling{{Case: d.Case, Step: d.Step}}); len(list) == 1 {
		if x.Story = list[0]; x.Story != nil && d.Question != nil && d.Step > 0 && d.Step <= len(x.Story.Steps) {
			x.Asks = x.Story.Steps[d.Step-1].Text
		}
		if x.Story != nil {
			for i := range x.Story.Steps {
				x.Story.Steps[i].Expected = nil // a scenario expects nothing
			}
		}
	}
	if list, err := s.Involved(d.Case, d.Step, a.lang); err == nil {
		x.involved = list // where these rules can't play it, the story tells how far they come
	}
	for _, u := range x.involved {
		x.Statements = append(x.Statements, u.Ref)
	}
	return x
}

// difference shows one.
func (a *app) difference(x *differs, about *protocol.About) {
	a.heading(a.t("differs", x.Number))
	if x.Asks != "" {
		a.para(a.t("at-step", x.Step, diag.Printable(x.Asks)), 2)
	}
	a.para(a.t("one-says", "momon", diag.Printable(x.Momon)), 4)
	a.para(a.t("one-says", diag.Printable(about.Name), diag.Printable(x.Program)), 4)
	if x.Story != nil {
		a.println("")
		a.story(&runner.CaseLine{Story: x.Story})
	}
	if len(x.involved) > 0 {
		a.println("")
		a.para(a.t("involved"), 2)
		for _, u := range x.involved {
			a.item("• ", strings.TrimSpace(u.Rule+" "+u.Key)+": "+u.Text, 4)
		}
	}
	if x.Draft != "" {
		a.para(a.t("draft-written", x.Draft), 2)
	}
	a.println("")
}

// draft writes a difference as a case that says nothing yet, and gives its name; beside
// it, what the program was sent.
func (a *app) draft(f compareFlags, s *interpreter.Stage, about *protocol.About, x differs) (string, error) {
	told, err := s.Tell(x.Case)
	if err != nil {
		return "", err
	}
	name := filepath.Join(f.draft, fmt.Sprintf("difference-%d-%d.momon", f.seed, x.Number))
	var b strings.Builder
	for _, line := range []string{a.t("draft-head", f.seed, x.Number), a.t("draft-do"), x.Asks,
		a.t("one-says", "momon", x.Momon), a.t("one-says", about.Name, x.Program)} {
		for _, l := range strings.Split(line, "\n") {
			b.WriteString(strings.TrimRight("# "+diag.Printable(l), " ") + "\n")
		}
	}
	b.WriteString("\n" + told)
	if err := os.MkdirAll(f.draft, 0o777); err != nil {
		return "", err
	}
	var sent bytes.Buffer
	if err := json.Indent(&sent, x.Case, "", "  "); err != nil {
		return "", err
	}
	if err := a.disk.Write(strings.TrimSuffix(name, ".momon")+".json", append(sent.Bytes(), '\n')); err != nil {
		return "", err
	}
	text, found, err := format.File(source.NewFile(name, b.String()), format.Options{})
	if err != nil || len(found) > 0 {
		text = b.String() // it is a draft; how it is laid out does not matter
	}
	return name, a.disk.Write(name, []byte(text))
}
