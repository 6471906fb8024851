package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

func (a *app) checkCmd() *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:   "check [DIR…]",
		Short: "Find errors in rules, cards and cases",
		Long: `Reads rules, cards and cases and shows everything that is wrong with them, with
the place and what to do about it. A DIR stands on the built-in rules, or on
those of --rules; one that declares the action game stands for itself and takes
their place. Exit status 1 means that errors were found; with --strict, warnings
count as well.

A warning or note that the data accepts is not shown and does not count: at the
end of a line stands accept CODE because "reason". --accepted lists those too.

With --fix, mistakes that can be mended safely are mended in the files: all
files or none, and never what is built into the program. What was changed is
shown, then what is left.`,
		Example: `  momon check                          the built-in rules
  momon check ./my-cards               cards on top of them
  momon check rules cards conformance/cases
  momon check ./my-cards --fix         mend what can be mended safely
  momon check ./my-cards --strict      for a build: warnings fail it too
  momon help unknown-name              what a code means`,
		RunE: func(_ *cobra.Command, dirs []string) error { return a.check(dirs, o) },
	}
	c.Flags().BoolVar(&o.notes, "notes", false, "show notes too: what is good to know and not wrong")
	c.Flags().BoolVar(&o.fix, "fix", false, "mend what can be mended safely, in the files")
	c.Flags().BoolVar(&o.strict, "strict", false, "exit status 1 for warnings too, but not for those that are accepted")
	c.Flags().BoolVar(&o.all, "all", false, "show everything that was found, not the first 50 alone")
	c.Flags().BoolVar(&o.accepted, "accepted", false, "show what the data accepts, with the reasons")
	return c
}

// mostShown is how many findings are shown unless all are wanted: one slip can be
// in every line of a file, and a screen holds a few.
const mostShown = 50

// foremost picks the findings to show: errors before warnings, warnings before
// notes, each in the order in which they stand. more is how many are left out.
func foremost(list []*diag.Diagnostic) (few []*diag.Diagnostic, more int) {
	if len(list) <= mostShown {
		return list, 0
	}
	picked := map[*diag.Diagnostic]bool{}
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Note} {
		for _, d := range list {
			if d.Severity == s && len(picked) < mostShown {
				picked[d] = true
			}
		}
	}
	for _, d := range list {
		if picked[d] {
			few = append(few, d)
		}
	}
	return few, len(list) - len(few)
}

type checkOptions struct{ notes, fix, strict, accepted, all bool }

func (a *app) check(dirs []string, o checkOptions) error {
	src, own, err := a.argued(dirs, true)
	if err != nil {
		return err
	}
	var diags []*diag.Diagnostic
	var made []change
	if o.fix {
		diags, made, err = a.fix(src)
	} else {
		diags, err = a.find(src)
	}
	if err != nil {
		return err
	}
	shown, count, accepted := a.counted(diags, own, o)
	switch {
	case a.json && o.fix:
		if err := a.fixesJSON(made, shown); err != nil {
			return err
		}
	case a.json:
		if err := diag.JSON(a.out, shown, a.lang); err != nil {
			return err
		}
	default:
		if o.fix {
			a.tellFixes(made)
			if len(shown) > 0 {
				a.println("")
			}
		}
		few, more := foremost(shown)
		if o.all {
			few, more = shown, 0
		}
		if err := diag.TextFitted(a.out, few, a.lang, a.color, a.fit); err != nil {
			return err
		}
		if len(few) > 0 {
			a.println("")
		}
		if more > 0 {
			a.para(a.t("found-more", more), 0)
		}
		apart, err := others(own)
		if err != nil {
			return err
		}
		a.tellOthers("check", apart)
		sum := a.t("checked", count[diag.Error], count[diag.Warning], count[diag.Note])
		if accepted > 0 {
			sum += a.t("checked-accepted", accepted)
		}
		a.println(sum)
		if count[diag.Error] > 0 { // what rules mean can only be told of whole ones
			a.para(a.t("checked-later"), 0)
		}
	}
	if count[diag.Error] > 0 || o.strict && count[diag.Warning] > 0 {
		return errFound
	}
	return nil
}

// counted are the findings to show, how many there are of each severity, and how many
// are accepted.
func (a *app) counted(diags []*diag.Diagnostic, own []interpreter.Source, o checkOptions) (shown []*diag.Diagnostic, count [3]int, accepted int) {
	for _, d := range diags {
		if d.Severity == diag.Note && d.Span.File != nil && !within(d.Span.File.Name, own) {
			continue // what the rules that DIR stands on may note is not about DIR
		}
		if d.Accepted != nil {
			accepted++
			if o.accepted || a.json {
				shown = append(shown, d)
			}
			continue
		}
		count[d.Severity]++
		if d.Severity != diag.Note || o.notes {
			shown = append(shown, d)
		}
	}
	return shown, count, accepted
}

// find reads rules and returns what is wrong with them. An error says that they
// could not be read as the flags want it.
func (a *app) find(src []interpreter.Source) ([]*diag.Diagnostic, error) {
	_, diags, err := a.examine(src)
	return diags, err
}

// examine is find with the rules themselves, where they have no errors.
func (a *app) examine(src []interpreter.Source) (*interpreter.Program, []*diag.Diagnostic, error) {
	p, diags, err := interpreter.Load(a.ctx, src, interpreter.Options{Edition: a.edition, Warnings: true})
	switch {
	case err == nil:
		err = a.checkLang(p)
	case errors.Is(err, interpreter.ErrRules):
		err = a.checkEdition(src, diags)
	}
	return p, diags, err
}
