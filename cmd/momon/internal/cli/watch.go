package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cmd/momon/internal/watch"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// wholeFailures is how many failed cases are told in full; of more there are the
// names.
const wholeFailures = 3

func (a *app) watchCmd() *cobra.Command {
	var once, poll bool
	c := &cobra.Command{
		Use:   "watch [DIR…]",
		Short: "Check rules and run their cases whenever a file is saved",
		Long: `Checks rules and runs cases, and does so again whenever a rule file in DIR is
saved, added, renamed or deleted: of all cases, those of the rules beneath DIR
too, it runs those that the change can reach, and those that failed before.
Without DIR it watches the folders of --rules and --with, or this folder. Ctrl-C
ends it with exit status 0.

With --once it ends after the first time, with exit status 1 if something was
found. With --json it prints one line for each time.`,
		Example: `  momon watch ./mine
  momon watch --rules ./my-rules
  momon watch ./mine --once        check and test, for scripts`,
		RunE: func(_ *cobra.Command, dirs []string) error { return a.watch(dirs, once, poll) },
	}
	c.Flags().BoolVar(&once, "once", false, "end after the first time")
	c.Flags().BoolVar(&poll, "poll", false, "look at the files again and again, where the system does not tell of changes")
	return c
}

// round is what one round of watching found.
type round struct {
	Round        int             `json:"round"`
	Changed      []string        `json:"changed"` // files, since the round before
	Problem      string          `json:"problem,omitempty"`
	Errors       int             `json:"errors"`
	Warnings     int             `json:"warnings"`
	Diagnostics  json.RawMessage `json:"diagnostics"`
	Own          int             `json:"own"`    // cases in the folders that are watched
	Others       int             `json:"others"` // cases of the rules beneath
	Run          int             `json:"run"`    // of all
	Failed       []caseJSON      `json:"failed"`
	NowFail      []string        `json:"now_fail"` // that did not in the round before
	NowPass      []string        `json:"now_pass"`
	Milliseconds int64           `json:"ms"`
}

// watching is what is kept from one round to the next.
type watching struct {
	a      *app
	dirs   []string
	rounds int
	files  map[string][sha256.Size]byte // what was read, by name
	cases  map[string]known
}

// known is how a case came out, and what that hangs on.
type known struct {
	inputs string
	passed bool
}

func (a *app) watch(dirs []string, once, poll bool) error {
	if len(dirs)+len(a.rules)+len(a.with) == 0 {
		dirs = []string{"."}
	}
	w := &watching{a: a, dirs: dirs, cases: map[string]known{}}
	folders := append(append(slices.Clone(dirs), a.rules...), a.with...)
	for i, d := range folders {
		st, err := os.Stat(d)
		if errors.Is(err, fs.ErrNotExist) {
			return errors.New(a.t("no-folder", d))
		} else if err != nil {
			return err
		}
		if !st.IsDir() {
			folders[i] = filepath.Dir(d)
		}
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	a.ctx = ctx
	if once {
		return w.round(nil)
	}
	eye, err := watch.New(folders, poll)
	if err != nil {
		fmt.Fprintln(a.err, a.t("watch-poll", err))
	}
	defer eye.Close()
	for {
		err := w.round(folders)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !errors.Is(err, errFound) {
			return err
		}
		if s, ok := a.out.(*sink); ok && s.err != nil {
			return s.err
		}
		for {
			if eye.Next(ctx) != nil {
				return nil
			}
			if w.changed() {
				break
			}
		}
	}
}

// sources are those of the rules in force with all cases, and those watched.
func (w *watching) sources() ([]interpreter.Source, error) {
	if len(w.dirs) == 0 {
		return w.a.sources(true)
	}
	all, _, err := w.a.argued(w.dirs, true)
	return all, err
}

// read takes in what the files hold now.
func (w *watching) read() (map[string][sha256.Size]byte, error) {
	all, err := w.sources()
	out := map[string][sha256.Size]byte{}
	for _, s := range all {
		if !onDisk(s.FS) {
			continue
		}
		names, err := s.Files()
		if err != nil {
			return out, err
		}
		for _, n := range names {
			data, err := fs.ReadFile(s.FS, n)
			if err != nil {
				data = []byte(err.Error())
			}
			out[path.Join(s.Name, n)] = sha256.Sum256(data)
		}
	}
	return out, err
}

// changed reports whether a file is there that was not, or is gone, or another.
func (w *watching) changed() bool {
	now, _ := w.read()
	return len(w.difference(now)) > 0
}

func (w *watching) difference(now map[string][sha256.Size]byte) []string {
	out := []string{}
	for n, s := range now {
		if old, ok := w.files[n]; !ok || old != s {
			out = append(out, n)
		}
	}
	for n := range w.files {
		if _, ok := now[n]; !ok {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// round checks and runs what has to be run, and tells what came of it. folders
// are those that are watched from then on.
func (w *watching) round(folders []string) error {
	a := w.a
	start := time.Now()
	w.rounds++
	r := &round{Round: w.rounds, Changed: []string{}, Failed: []caseJSON{}, NowFail: []string{}, NowPass: []string{}}
	// The files are noted before they are loaded: what changes in between is
	// another round's.
	files, _ := w.read()
	if w.rounds > 1 {
		r.Changed = w.difference(files)
	}
	w.files = files
	var shown []*diag.Diagnostic
	var failures []*interpreter.Result
	all, err := w.sources()
	if err == nil {
		var p *interpreter.Program
		var diags []*diag.Diagnostic
		p, diags, err = a.examine(all)
		if err != nil && w.rounds == 1 && a.ctx.Err() == nil && !errors.Is(err, interpreter.ErrRules) {
			return err // a flag is wrong, and no save mends that
		}
		for _, d := range diags {
			switch {
			case d.Accepted != nil:
				continue
			case d.Severity == diag.Error:
				r.Errors++
			case d.Severity == diag.Warning:
				r.Warnings++
			default:
				continue
			}
			shown = append(shown, d)
		}
		if err == nil && p != nil {
			failures, err = w.play(p, r)
		}
	}
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	if err != nil {
		if folders == nil {
			return err
		}
		r.Problem = a.fault(err)
	}
	r.Milliseconds = time.Since(start).Milliseconds()
	if err := w.tell(r, shown, failures, folders); err != nil {
		return err
	}
	if r.Errors > 0 || len(r.Failed) > 0 {
		return errFound
	}
	return nil
}

// play runs the cases whose outcome is not known.
func (w *watching) play(p *interpreter.Program, r *round) ([]*interpreter.Result, error) {
	var failures []*interpreter.Result
	now := map[string]known{}
	for _, c := range p.Cases(w.a.lang) {
		if w.isOwn(c) {
			r.Own++
		} else {
			r.Others++
		}
		k := known{inputs: p.Inputs(c), passed: true}
		old, seen := w.cases[c.ID]
		if !seen || !old.passed || old.inputs != k.inputs {
			r.Run++
			res, err := p.RunCase(w.a.ctx, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.ID, err)
			}
			k.passed = res.Passed()
			if !k.passed {
				failures = append(failures, res)
				r.Failed = append(r.Failed, caseJSON{ID: c.ID, Covers: c.Covers, Place: c.Place, Failures: res.Failures})
			}
			switch {
			case seen && old.passed && !k.passed:
				r.NowFail = append(r.NowFail, c.ID)
			case seen && !old.passed && k.passed:
				r.NowPass = append(r.NowPass, c.ID)
			}
		}
		now[c.ID] = k
	}
	w.cases = now
	return failures, nil
}

func (w *watching) tell(r *round, shown []*diag.Diagnostic, failures []*interpreter.Result, folders []string) error {
	a := w.a
	if a.json {
		var b bytes.Buffer
		if err := diag.JSON(&b, shown, a.lang); err != nil {
			return err
		}
		r.Diagnostics = b.Bytes()
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	screen := a.term && !a.plain && os.Getenv("TERM") != "dumb"
	if screen && folders != nil {
		a.printf("\x1b[H\x1b[2J")
	}
	if r.Round > 1 {
		what := r.Changed
		if len(what) > 3 {
			what = append(slices.Clone(what[:3]), "…")
		}
		a.heading(strings.Join(what, ", "))
	}
	if err := diag.TextFitted(a.out, shown, a.lang, a.color, a.fit); err != nil {
		return err
	}
	if len(shown) > 0 {
		a.println("")
	}
	for i, res := range failures {
		if i < wholeFailures {
			a.failure(res)
			continue
		}
		a.println(a.t("fail", res.Case.ID) + "  " + res.Case.Place.String())
		if i == len(failures)-1 {
			a.println("")
		}
	}
	for _, id := range r.NowPass {
		a.println(a.t("watch-now-passes", id))
	}
	for _, id := range r.NowFail {
		a.println(a.t("watch-now-fails", id))
	}
	took := time.Duration(r.Milliseconds) * time.Millisecond
	switch {
	case r.Problem != "":
		a.para(r.Problem, 0)
	case r.Errors > 0:
		a.println(a.t("watch-errors", r.Errors, r.Warnings, took))
	default:
		failed := [2]int{}
		for _, f := range failures {
			if w.isOwn(f.Case) {
				failed[0]++
			} else {
				failed[1]++
			}
		}
		a.para(a.t("watch-cases", r.Own, failed[0], r.Others, failed[1]), 0)
		if r.Run == r.Own+r.Others {
			a.para(a.t("watch-ran-all", took), 0)
		} else {
			a.para(a.t("watch-run", r.Run, took), 0)
		}
	}
	if folders != nil && (screen || r.Round == 1) {
		a.para(a.dim(a.t("watch-waits", strings.Join(folders, ", "))), 0)
	}
	return nil
}

// isOwn reports whether a case stands in a folder that is watched.
func (w *watching) isOwn(c interpreter.Case) bool {
	_, ok := w.files[c.Place.File]
	return ok
}
