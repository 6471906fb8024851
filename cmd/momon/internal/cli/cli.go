// Package cli is the momon program: its commands, and how it shows things at a
// terminal. It knows no game; what it shows of one comes from the rule data.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// Exit statuses.
const (
	exitFine  = 0
	exitFound = 1 // failed cases, errors in rules
	exitCant  = 2 // could not run, or was called wrongly
)

// errFound ends a command that has said what it found.
var errFound = errors.New("found")

// app is one run of the program.
type app struct {
	in       io.Reader
	out, err io.Writer
	ctx      context.Context

	rules   []string
	with    []string
	edition string
	lang    string
	json    bool
	plain   bool
	color   bool
	term    bool
}

// Main runs the program and returns its exit status.
func Main(args []string, in io.Reader, out, errw io.Writer) (status int) {
	w := &sink{w: out}
	a := &app{in: in, out: w, err: errw, ctx: context.Background()}
	if f, isFile := out.(*os.File); isFile {
		a.term = isTerminal(f)
	}
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errw, "momon: %s\n", a.t("internal", r))
			status = exitCant
		}
	}()
	root := a.root()
	if langOf(args) == "th" {
		inThai(root)
	}
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(w)
	root.SetErr(errw)
	c, err := root.ExecuteC()
	if w.err != nil && (err == nil || errors.Is(err, errFound)) {
		err = w.err
	}
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errFound):
		return exitFound
	}
	text := strings.TrimSpace(a.fault(err))
	if misused(text) {
		text += "\nsee: " + c.CommandPath() + " --help"
	}
	fmt.Fprintf(errw, "momon: %s\n", text)
	return exitCant
}

// misused reports whether an error of the command line lacks a word on where
// help is.
func misused(text string) bool {
	for _, lead := range []string{"accepts ", "unknown command ", "required flag"} {
		if strings.HasPrefix(text, lead) {
			return true
		}
	}
	return false
}

// sink remembers that something could not be written, such as to a full disk.
type sink struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (s *sink) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "momon",
		Short: "Rules of a card game as data: play, test and explain them",
		Long: `momon reads the rules of a two-player card game from .momon files and plays by
them. Nothing of the game is built into the program: edit a rule file, run the
command again, and the game has changed.`,
		Example: `  momon demo                      watch a complete game
  momon play --random             play against random choices
  momon test                      run every case of the rules
  momon rules 13.2.4              what a rule says, and what carries it out
  momon demo --rules ./my-rules   the same with rules of your own`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			_, no := os.LookupEnv("NO_COLOR")
			a.color = a.term && !no && !a.plain && !a.json && os.Getenv("TERM") != "dumb"
			return nil
		},
	}
	f := root.PersistentFlags()
	f.StringArrayVar(&a.rules, "rules", nil, "read the rules, cards and cases of `DIR` in place of the built-in ones (repeatable)")
	f.StringArrayVar(&a.with, "with", nil, "read the rules of `DIR` too, on top of the others (repeatable)")
	f.StringVar(&a.edition, "edition", "", "the edition in force: its `NAME`, or a day in it (YYYY-MM-DD); the newest by default")
	f.StringVar(&a.lang, "lang", "en", "the language of what is shown: `LANG` is en, th, or another of the rules")
	f.BoolVar(&a.json, "json", false, "print JSON, for programs")
	f.BoolVar(&a.plain, "plain", false, "no box drawing and no colour, one fact a line")
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", lineWidth)))
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		// The cause as Go's parser of numbers words it helps nobody.
		text := parserWords.ReplaceAllString(err.Error(), "")
		return fmt.Errorf("%s\nsee: %s --help", text, c.CommandPath())
	})
	root.AddCommand(a.demoCmd(), a.playCmd(), a.checkCmd(), a.fmtCmd(), a.testCmd(), a.runCmd(), a.explainCmd(),
		a.rulesCmd(), a.cardsCmd(), a.keywordsCmd(), a.wordsCmd(), a.versionCmd())
	root.AddCommand(a.newCmd(), a.watchCmd())
	root.SetHelpCommand(a.helpCmd(root))
	root.AddCommand(a.benchCmd())
	root.AddCommand(a.lspCmd())
	return root
}

var parserWords = regexp.MustCompile(`strconv\.\w+: parsing "[^\n]*": `)

// fault words an error that ends the program.
func (a *app) fault(err error) string {
	var internal *interpreter.InternalError
	var limit *interpreter.LimitError
	switch {
	case errors.As(err, &limit):
		text := a.t("limit-" + limit.What)
		if strings.Contains(text, "%d") {
			text = fmt.Sprintf(text, limit.Limit)
		}
		if len(limit.Chain) > 0 {
			text += "\n" + a.t("limit-in", strings.Join(limit.Chain, " → "))
		}
		return text
	case errors.As(err, &internal):
		return a.t("internal", internal.What)
	case errors.Is(err, interpreter.ErrOtherRules):
		return a.t("other-rules", err)
	case errors.Is(err, interpreter.ErrDamaged), errors.Is(err, interpreter.ErrNotSaved), errors.Is(err, interpreter.ErrFormat):
		return a.t("bad-save", err)
	}
	return err.Error()
}

func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// printJSON prints a value for programs.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

func (a *app) println(s string) { fmt.Fprintln(a.out, s) }

// load reads the rules that the flags name. Errors in them are shown, and end
// the command.
func (a *app) load(cases bool) (*interpreter.Program, error) {
	src, err := a.sources(cases)
	if err != nil {
		return nil, err
	}
	return a.loadFrom(src)
}

// loadFrom reads rules from given folders.
func (a *app) loadFrom(src []interpreter.Source) (*interpreter.Program, error) {
	p, diags, err := interpreter.Load(a.ctx, src, interpreter.Options{Edition: a.edition})
	if errors.Is(err, interpreter.ErrRules) {
		if err := a.checkEdition(src, diags); err != nil {
			return nil, err
		}
		if a.json {
			if err := diag.JSON(a.out, diags, a.lang); err != nil {
				return nil, err
			}
			return nil, errFound
		}
		diag.Text(a.err, onlyErrors(diags), a.lang, a.color)
		fmt.Fprintf(a.err, "\n%s\n", a.t("rules-have-errors"))
		return nil, errFound
	}
	if err != nil {
		return nil, err
	}
	return p, a.checkLang(p)
}

// checkEdition returns an error where nothing but the name given with --edition
// is wrong.
func (a *app) checkEdition(src []interpreter.Source, diags []*diag.Diagnostic) error {
	for _, d := range onlyErrors(diags) {
		if a.edition == "" || d.Code != "unknown-edition" || d.Span.Valid() {
			return nil
		}
	}
	p, _, err := interpreter.Load(a.ctx, src, interpreter.Options{})
	if err != nil {
		return nil
	}
	known := []string{}
	for _, e := range p.Editions(a.lang) {
		known = append(known, a.t("edition-from", e.Name, e.From))
	}
	if len(known) == 0 {
		return errors.New(a.t("no-editions", a.edition))
	}
	return errors.New(a.t("no-edition", a.edition, strings.Join(known, ", ")))
}

func (a *app) checkLang(p *interpreter.Program) error {
	known := []string{}
	for _, l := range p.Languages() {
		if l.Code == a.lang {
			return nil
		}
		known = append(known, l.Code)
	}
	if len(known) == 0 {
		return nil
	}
	return fmt.Errorf("--lang %q: the rules have texts in %s", a.lang, strings.Join(known, ", "))
}

func onlyErrors(list []*diag.Diagnostic) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, d := range list {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}
