// Package cli is the momon program: its commands, and how it shows things at a
// terminal. It knows no game; what it shows of one comes from the rule data.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/momon-rules/momon/cmd/momon/internal/disk"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
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
	errTerm bool // the error output is a terminal
	cols    int  // how wide to lay things out
	fits    bool // a person looks at it, on a screen of that width
	listed  bool // it was told why a board comes as a list

	trust         string                // the trust file, where one is named
	allowUnsigned bool                  // archives that nobody trusted has signed are loaded too
	opened        map[string]*pack.Pack // archives that were found to be fit to load
	seen          map[string]string     // where the program goes on while files change: what was opened, and how it was then
	store         string                // the folder of archives, where one is named
	held          []held                // the locks that what is read must keep to
	passed        map[string]bool       // files in the store that can't be read, of which was told

	disk disk.Disk // where files are written

	loaded *interpreter.Program // the rules, where they have been read already
}

// Main runs the program and returns its exit status.
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	return run(args, in, out, errw, disk.Disk{})
}

// run is Main with the disk to write to.
func run(args []string, in io.Reader, out, errw io.Writer, d disk.Disk) (status int) {
	w := &sink{w: out}
	a := &app{in: in, out: w, err: errw, ctx: context.Background(), disk: d}
	a.cols, a.fits = columns(out)
	if f, isFile := out.(*os.File); isFile {
		a.term = term.IsTerminal(int(f.Fd()))
	}
	if f, isFile := errw.(*os.File); isFile {
		a.errTerm = term.IsTerminal(int(f.Fd()))
	}
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errw, "momon: %s\n", a.t("internal", r))
			status = exitCant
		}
	}()
	var strayed error
	root := a.tree(langOf(args), &strayed)
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		err = strayed
	}
	if w.err != nil && (err == nil || errors.Is(err, errFound)) {
		err = w.err
	}
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errFound):
		return exitFound
	}
	a.complain("momon: " + strings.TrimSpace(a.fault(err)))
	return exitCant
}

// tree is the program's commands, worded in a language; a word that no command knows
// ends in strayed.
func (a *app) tree(lang string, strayed *error) *cobra.Command {
	root := a.root()
	a.lang = lang // what goes wrong before the flags are parsed is told in it too
	root.SetIn(a.in)
	root.SetOut(a.out) // completion keeps what it finds here
	root.SetErr(a.err)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	a.helped(root, strayed)
	a.usageOf(root)
	if a.lang == "th" {
		inThai(root)
	}
	return root
}

// Commands is the tree of the program's commands as its help words them, in English
// or Thai (th): for pages and completions that are made of it. Nothing is run.
func Commands(lang string) *cobra.Command {
	var strayed error
	var nobody strings.Builder
	a := &app{in: strings.NewReader(""), out: &nobody, err: &nobody, ctx: context.Background()}
	return a.tree(lang, &strayed)
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
  momon demo --rules ./my-game    the same with rules and cards of your own`,
		Args:          cobra.ArbitraryArgs, // usageOf says what is wrong with them
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			_, no := os.LookupEnv("NO_COLOR")
			a.color = a.term && !no && !a.plain && !a.json && os.Getenv("TERM") != "dumb"
			return nil
		},
	}
	f := root.PersistentFlags()
	f.StringArrayVar(&a.rules, "rules", nil, "read the rules, cards and cases of `DIR` in place of the built-in ones; it can be an archive of a pack (repeatable)")
	f.StringArrayVar(&a.with, "with", nil, "read the rules of `DIR` too, on top of the others; it can be an archive (repeatable)")
	f.StringVar(&a.edition, "edition", "", "the edition in force: its `NAME`, or a day in it (YYYY-MM-DD); the newest by default")
	f.StringVar(&a.lang, "lang", "en", "the language of what is shown: `LANG` is en, th, or another of the rules")
	f.BoolVar(&a.json, "json", false, "print JSON, for programs")
	f.BoolVar(&a.plain, "plain", false, "no box drawing and no colour, one fact a line")
	f.BoolVar(&a.allowUnsigned, "allow-unsigned", false, "load archives of packs that nobody whom you trust has signed, too")
	f.StringVar(&a.trust, "trust", "", "the `FILE` that says whose signatures count; see momon pack keys")
	f.StringVar(&a.store, "store", "", "the folder `DIR` of packs that were fetched; see momon pack list")
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetUsageFunc(a.usage)
	root.AddCommand(a.demoCmd(), a.playCmd(), a.checkCmd(), a.fmtCmd(), a.testCmd(), a.runCmd(), a.explainCmd(),
		a.rulesCmd(), a.cardsCmd(), a.keywordsCmd(), a.wordsCmd(), a.versionCmd())
	root.AddCommand(a.newCmd(), a.watchCmd())
	root.SetHelpCommand(a.helpCmd(root))
	root.AddCommand(a.benchCmd())
	root.AddCommand(a.lspCmd())
	root.AddCommand(a.conformanceCmd())
	root.AddCommand(a.packCmd(), a.rulesDiffCmd())
	return root
}

// fault words an error that ends the program.
func (a *app) fault(err error) string {
	var internal *interpreter.InternalError
	var limit *interpreter.LimitError
	var wrong *misuse
	var path *fs.PathError
	var packed *packError
	var distrust *trustError
	var save *saveError
	var none *untouched
	file := ""
	if errors.As(err, &save) {
		file = save.file + ": "
	}
	switch {
	case errors.As(err, &none):
		return a.fault(none.error) + ". " + a.t("fixed-nothing")
	case errors.As(err, &wrong):
		return a.misused(wrong)
	case errors.As(err, &packed):
		text := packed.name + ": " + packed.err.Text(a.lang)
		switch packed.err.Code {
		case "resolve-none", "resolve-versions", "resolve-digest":
			text += "\n" + a.t("resolve-get")
		}
		return text
	case errors.As(err, &distrust):
		return a.trustText(distrust)
	case errors.As(err, &path):
		return a.fileFault(path)
	case errors.As(err, &limit):
		text := a.t("limit-" + limit.What)
		if strings.Contains(text, "%d") {
			text = a.t("limit-"+limit.What, limit.Limit)
		}
		if len(limit.Chain) > 0 {
			text += "\n" + a.t("limit-in", strings.Join(limit.Chain, " → "))
		}
		return text
	case errors.As(err, &internal):
		return a.t("internal", internal.What)
	case errors.Is(err, interpreter.ErrNoDecks):
		return a.t("no-two-decks")
	case errors.Is(err, interpreter.ErrOtherRules):
		return a.t("other-rules", file+interpreter.ErrorText(err, a.lang))
	case errors.Is(err, interpreter.ErrDamaged), errors.Is(err, interpreter.ErrNotSaved), errors.Is(err, interpreter.ErrFormat),
		errors.Is(err, interpreter.ErrOtherLayout):
		return a.t("bad-save", file+interpreter.ErrorText(err, a.lang))
	}
	return file + interpreter.ErrorText(err, a.lang)
}

// fileFault words what could not be done with a file.
func (a *app) fileFault(err *fs.PathError) string {
	name := diag.Printable(err.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, there := os.Readlink(err.Path); there == nil {
			return a.t("dangling", name)
		}
		return a.t("no-folder", name)
	case errors.Is(err, fs.ErrPermission):
		return a.t("no-permission", name)
	case errors.Is(err, syscall.EISDIR):
		return a.t("is-folder", name)
	case errors.Is(err, syscall.ENOTDIR):
		return a.t("not-in-file", name)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return a.t("disk-full", name)
	case errors.Is(err, errNoText):
		return a.t("no-text", name)
	case errors.Is(err, disk.ErrNotFile):
		return a.t("not-file", name)
	}
	return fmt.Sprintf("%q: %v", name, err.Err)
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

// complain tells at the error output why the program could not do its work.
func (a *app) complain(text string) {
	for _, l := range strings.Split(text, "\n") {
		for _, l := range a.fit(l, 0) {
			fmt.Fprintln(a.err, l)
		}
	}
}

// load reads the rules that the flags name. Errors in them are shown, and end
// the command.
func (a *app) load(cases bool) (*interpreter.Program, error) {
	if a.loaded != nil {
		return a.loaded, nil
	}
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
		few, more := foremost(onlyErrors(diags))
		diag.TextFitted(a.err, few, a.lang, a.color, a.fit)
		fmt.Fprintln(a.err)
		if more > 0 {
			a.complain(a.t("found-more-errors", more, "momon check --all"+a.flagsAgain()))
		}
		a.complain(a.t("rules-have-errors"))
		if len(a.rules) > 0 && !slices.ContainsFunc(src, func(s interpreter.Source) bool { return declaresGame(s.FS) }) {
			a.complain(a.t("no-game", strings.Join(a.rules, ", "), strings.Join(a.rules, " --with ")))
		}
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
	return errors.New(a.t("no-lang", a.lang, strings.Join(known, ", ")))
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
