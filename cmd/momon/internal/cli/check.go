package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

func (a *app) checkCmd() *cobra.Command {
	var notes bool
	c := &cobra.Command{
		Use:   "check [DIR…]",
		Short: "Find errors in rules, cards and cases",
		Long: `Reads rules, cards and cases and shows everything that is wrong with them, with
the place and what to do about it. A DIR stands on the built-in rules, or on
those of --rules; one that declares the action game stands for itself and takes
their place. Exit status 1 means that errors were found.`,
		Example: `  momon check                          the built-in rules
  momon check ./my-cards               cards on top of them
  momon check rules cards conformance/cases
  momon help unknown-name              what a code means`,
		RunE: func(_ *cobra.Command, dirs []string) error { return a.check(dirs, notes) },
	}
	c.Flags().BoolVar(&notes, "notes", false, "show notes too: what is good to know and not wrong")
	return c
}

func (a *app) check(dirs []string, notes bool) error {
	src, _, err := a.argued(dirs, true)
	if err != nil {
		return err
	}
	_, diags, err := interpreter.Load(a.ctx, src, interpreter.Options{Edition: a.edition})
	if err != nil && !errors.Is(err, interpreter.ErrRules) {
		return err
	}
	var shown []*diag.Diagnostic
	count := [3]int{}
	for _, d := range diags {
		count[d.Severity]++
		if d.Severity != diag.Note || notes {
			shown = append(shown, d)
		}
	}
	if a.json {
		if err := diag.JSON(a.out, shown, a.lang); err != nil {
			return err
		}
	} else {
		if err := diag.Text(a.out, shown, a.lang, a.color); err != nil {
			return err
		}
		if len(shown) > 0 {
			a.println("")
		}
		a.println(a.t("checked", count[diag.Error], count[diag.Warning], count[diag.Note]))
	}
	if count[diag.Error] > 0 {
		return errFound
	}
	return nil
}
