package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
)

func (a *app) testCmd() *cobra.Command {
	var run, covers string
	var verbose bool
	c := &cobra.Command{
		Use:   "test [DIR…]",
		Short: "Run the cases that say how the rules work",
		Long: `Runs cases: short stories written in rule files that say what must come of them.
Without DIR these are the cases of the rules in force, and where those are the
built-in ones, the rule files that must not load; with one, the cases in it. A
failed case shows what differed and what happened, with the rules that led
there. Exit status 1 means that a case failed.`,
		Example: `  momon test
  momon test --covers layers.order
  momon test --covers 13.2.4 -v
  momon test --run '^floor-' --json
  momon test ./my-cases`,
		RunE: func(_ *cobra.Command, dirs []string) error { return a.test(dirs, run, covers, verbose) },
	}
	c.Flags().StringVar(&run, "run", "", "only cases whose ID fits the regular expression `RE`")
	c.Flags().StringVar(&covers, "covers", "", "only cases that speak to a statement's `KEY` or a rule number")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "name each case")
	return c
}

type caseJSON struct {
	ID       string                `json:"id"`
	Passed   bool                  `json:"passed"`
	Covers   []interpreter.Cover   `json:"covers"`
	Under    []string              `json:"under,omitempty"`
	Place    interpreter.Place     `json:"place"`
	Failures []interpreter.Failure `json:"failures,omitempty"`
	Events   []eventJSON           `json:"events,omitempty"`
}

func (a *app) test(dirs []string, run, covers string, verbose bool) error {
	re, err := regexp.Compile(run)
	if err != nil {
		var at *syntax.Error
		if errors.As(err, &at) {
			return errors.New(a.t("bad-regexp", run, at.Expr))
		}
		return err
	}
	p, own, err := a.loadArgued(dirs)
	if err != nil {
		return err
	}
	start := time.Now()
	out := []caseJSON{}
	failed, drafts := 0, 0
	for _, c := range p.Cases(a.lang) {
		if !re.MatchString(c.ID) || !coversKey(c, covers) || !within(c.Place.File, own) {
			continue
		}
		res, err := p.RunCase(a.ctx, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		if c.Status == interpreter.Draft {
			drafts++
		}
		k := caseJSON{ID: c.ID, Passed: res.Passed(), Covers: c.Covers, Under: c.Under, Place: c.Place, Failures: res.Failures}
		text := func(e *interpreter.Event) string { return res.Run().Text(e, a.lang) }
		if !res.Passed() {
			failed++
			if a.json {
				k.Events = eventsJSON(text, res.Run().Events())
			} else {
				a.failure(res)
			}
		} else if verbose && !a.json {
			a.println(a.t("pass", c.ID))
		}
		out = append(out, k)
	}
	if own == nil && covers == "" {
		list, bad, err := a.testLoads(re, verbose)
		if err != nil {
			return err
		}
		out = append(out, list...)
		failed += bad
	}
	apart, err := others(own)
	if err != nil {
		return err
	}
	if a.json {
		all := map[string]any{"cases": out, "run": len(out), "failed": failed}
		if drafts > 0 {
			all["drafts"] = drafts
		}
		if len(apart) > 0 {
			all["left_out"] = apart
		}
		if err := a.printJSON(all); err != nil {
			return err
		}
	} else {
		a.tellOthers("test", apart)
		if drafts > 0 {
			a.println(a.t("drafts", drafts))
		}
		a.println(a.t("tested", len(out), failed, time.Since(start).Round(time.Millisecond)))
	}
	switch {
	case failed > 0:
		return errFound
	case len(out) == 0 && own == nil && len(p.Cases(a.lang)) == 0:
		return errors.New(a.t("no-cases-at-all"))
	case len(out) == 0 && covers != "":
		if near := meant(covers, ruleWords(p.Rules(a.lang))); near != "" && near != covers {
			return errors.New(a.t("no-cases-cover", covers, near))
		}
		return errors.New(a.t("no-cases"))
	case len(out) == 0:
		var known []string
		for _, c := range p.Cases(a.lang) {
			if within(c.Place.File, own) {
				known = append(known, c.ID)
			}
		}
		if near := meant(run, known); near != "" {
			return errors.New(a.t("no-cases-near", near))
		}
		return errors.New(a.t("no-cases"))
	}
	return nil
}

// loadArgued reads rules for a command that may be given folders; the cases of
// the folders alone are meant then.
func (a *app) loadArgued(dirs []string) (*interpreter.Program, []interpreter.Source, error) {
	if len(dirs) == 0 {
		p, err := a.load(true)
		return p, nil, err
	}
	src, own, err := a.argued(dirs, false)
	if err != nil {
		return nil, nil, err
	}
	p, err := a.loadFrom(src)
	return p, own, err
}

// within reports whether a file lies in one of the sources; without any it does.
func within(file string, own []interpreter.Source) bool {
	for _, s := range own {
		if rel, ok := strings.CutPrefix(file, s.Name+"/"); ok {
			if one, ok := s.FS.(oneFile); !ok || one.name == rel {
				return true
			}
		}
		if s.Name == "." && fs.ValidPath(file) { // its files are shown without a folder, as those built in are
			if _, err := fs.Stat(s.FS, file); err == nil {
				return true
			}
		}
	}
	return own == nil
}

// coversKey reports whether a case speaks to a statement, by its key, or to a
// rule or one of its parts, by number.
func coversKey(c interpreter.Case, key string) bool {
	for _, cv := range c.Covers {
		if cv.Key == key || cv.Rule == key || strings.HasPrefix(cv.Rule, key+".") || cv.Ref.String() == key {
			return true
		}
	}
	return key == ""
}

// failure shows a failed case: what differed, and what happened.
func (a *app) failure(res *interpreter.Result) {
	c := res.Case
	a.heading(a.t("fail", c.ID))
	if c.Title != "" {
		a.para(c.Title, 2)
	}
	a.para(c.Place.String(), 2)
	for _, cv := range c.Covers {
		key := "refutes"
		if cv.Confirms {
			key = "confirms"
		}
		a.para(a.t(key, cv.Ref), 2)
	}
	a.under(c)
	for _, f := range res.Failures {
		a.println("")
		a.item("× ", a.t("fail-"+f.Code), 2)
		a.para(f.Place.String(), 4)
		a.para(f.Line, 4)
		if f.Want != "" {
			a.para(a.t("want", f.Want), 4)
		}
		a.came(&f)
		for _, r := range f.Rules {
			a.para(a.t("rule", r), 4)
		}
	}
	a.println("")
	run := res.Run()
	if len(run.Events()) == 0 {
		return
	}
	a.para(a.t("what-happened"), 2)
	t := &teller{a: a, all: true, inline: true, text: func(e *interpreter.Event) string { return run.Text(e, a.lang) },
		does: func(e *interpreter.Event) string { return run.Ability(e, a.lang) }}
	t.tell(run.Events())
	a.println("")
}

// under says under which readings a case is played, where it says so itself.
func (a *app) under(c interpreter.Case) {
	if len(c.Under) > 0 {
		a.para(a.t("under", strings.Join(c.Under, ", ")), 2)
	}
}

// came shows what came in place of what a case wants.
func (a *app) came(f *interpreter.Failure) {
	switch {
	case f.Got == interpreter.GotNone:
		a.para(a.t("got", a.t("none-of-kind")), 4)
	case f.Got == interpreter.GotNoneSince:
		a.para(a.t("got", a.t("none-since")), 4)
	case f.Got != "":
		a.para(a.t("got", f.Got), 4)
	case f.Code == "illegal":
		a.para(a.t("got", a.t("let-through")), 4)
	}
	if f.Mend != "" {
		a.para(a.t("mend-line", f.Mend), 4)
	}
}
