package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
)

func (a *app) runCmd() *cobra.Command {
	var only, view string
	var replay, all bool
	c := &cobra.Command{
		Use:   "run FILE|CASE",
		Short: "Play a case or a saved game step by step",
		Long: `Plays what a file holds and shows each step with what came of it: the cases of a
.momon file, or the decisions of a saved game from the start. A game that was
saved under other rules is refused; with --replay its decisions are played under
the present ones, and the first that no longer fits is named.`,
		Example: `  momon run my-case.momon
  momon run CASE-ID
  momon run momon-save.json
  momon run momon-save.json --rules ./new-rules --replay`,
		Args: a.takes(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := a.viewer(view); err != nil {
				return err
			}
			st, err := os.Stat(args[0])
			switch {
			case args[0] == "":
				return errors.New(a.t("no-case", ""))
			case err == nil && !st.IsDir() && !strings.HasSuffix(args[0], ".momon"):
				return a.runSave(args[0], view, replay, all)
			case err == nil:
				return a.runCases([]string{args[0]}, only)
			case strings.HasSuffix(args[0], ".momon") || strings.HasSuffix(args[0], ".json"):
				return err
			}
			return a.runCases(nil, args[0])
		},
	}
	c.Flags().StringVar(&only, "case", "", "only the case with this `ID`")
	c.Flags().StringVar(&view, "view", "all", "whose view of a saved game: `WHOSE` is P1, P2 or all")
	c.Flags().BoolVar(&replay, "replay", false, "play a game saved under other rules under the present ones")
	c.Flags().BoolVar(&all, "all", false, "show small events too")
	return c
}

type stepJSON struct {
	Number int               `json:"number"`
	Text   string            `json:"text"`
	Place  interpreter.Place `json:"place,omitzero"`
	Events []eventJSON       `json:"events"`
}

func (a *app) runCases(files []string, only string) error {
	p, own, err := a.loadArgued(files)
	if err != nil {
		return err
	}
	var out []any
	failed, ran := false, 0
	for _, c := range p.Cases(a.lang) {
		if only != "" && c.ID != only || !within(c.Place.File, own) {
			continue
		}
		ran++
		run, err := p.StartCase(c)
		if err != nil {
			return err
		}
		text := func(e *interpreter.Event) string { return run.Text(e, a.lang) }
		does := func(e *interpreter.Event) string { return run.Ability(e, a.lang) }
		var steps []stepJSON
		if !a.json {
			a.heading(c.ID)
			if c.Title != "" {
				a.para(c.Title, 2)
			}
			a.under(c)
			a.para(c.Place.String(), 2)
		}
		for run.More() {
			s, err := run.Step()
			if err != nil {
				return err
			}
			if a.json {
				steps = append(steps, stepJSON{s.Number, s.Text, s.Place, eventsJSON(text, s.Events)})
				continue
			}
			a.println("")
			a.item(a.bold(fmt.Sprintf("%3d ", s.Number)), s.Text, 0)
			(&teller{a: a, all: true, text: text, does: does, inline: true}).tell(s.Events)
		}
		res := run.Finish()
		failed = failed || !res.Passed()
		if a.json {
			out = append(out, map[string]any{"case": c, "steps": steps, "failures": res.Failures, "board": run.View(a.lang)})
			continue
		}
		a.println("")
		if res.Passed() {
			a.println("  " + a.t("as-stated"))
		}
		for _, f := range res.Failures {
			a.item("× ", fmt.Sprintf("%s (%s)", a.t("fail-"+f.Code), f.Place), 2)
			a.para(f.Line, 4)
			if f.Want != "" {
				a.para(a.t("want", f.Want), 4)
			}
			a.came(&f)
		}
		a.println("")
	}
	if ran == 0 && only == "" {
		return errors.New(a.t("no-case-in", strings.Join(files, ", ")))
	}
	if ran == 0 {
		return errors.New(a.noCase(p, only))
	}
	if a.json {
		if err := a.printJSON(out); err != nil {
			return err
		}
	}
	if failed {
		return errFound
	}
	return nil
}

func (a *app) runSave(name, view string, replay, all bool) error {
	v, err := a.viewer(view)
	if err != nil {
		return err
	}
	m, found := a.openSave(name, replay)
	if m == nil {
		return found
	}
	text := func(e *interpreter.Event) string { return m.Text(e, a.lang, v) }
	if a.json {
		if err := a.printJSON(map[string]any{"packs": packsJSON(m.Program()), "edition": m.Program().Edition(), "digest": m.Program().Digest(), "decisions": m.Decisions(), "over": m.Over(), "winners": winners(m), "hash": m.Hash(),
			"events": eventsJSON(text, m.Events()), "board": m.View(a.lang, v)}); err != nil {
			return err
		}
		return found
	}
	t := &teller{a: a, all: all, viewer: v, text: text, does: func(e *interpreter.Event) string { return m.Ability(e, a.lang) }}
	t.tell(m.Events())
	a.println("")
	if m.Over() {
		a.result(m)
	} else {
		a.board(m.View(a.lang, v))
		if d := m.Pending(a.lang); d != nil {
			a.println("")
			a.println(a.t("waits-player", m.Player(d.Player)))
		}
	}
	return found
}
