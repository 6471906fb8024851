package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/momon-rules/momon/cmd/momon/internal/disk"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
)

// stdin is what standard input is called in messages.
const stdin = "<stdin>"

// layout is what fmt does with the files that differ from their layout.
type layout struct {
	check, diff bool
	eol         string
}

func (a *app) fmtCmd() *cobra.Command {
	var l layout
	c := &cobra.Command{
		Use:   "fmt [FILE | DIR | -]…",
		Short: "Lay rule files out",
		Long: `Gives .momon files the one layout: indentation, blanks, empty lines and columns.
Words, texts, comments and their order stay, and so does what a file says. The
names of files that were changed are printed. A DIR is taken with the folders in
it, but for links and for folders whose names begin with . or _; a link that is
named itself is followed. - reads standard input and prints the layout; so does
fmt alone with something piped into it. Otherwise fmt alone takes this folder.

With --check or --diff no file is changed. A file that does not parse is left as
it is; what is wrong with it is shown. A byte-order mark is taken away.

Exit status 1 means that a file does not parse or, with --check, that one is not
laid out; 2 that something could not be read or written: nothing was changed.`,
		Example: `  momon fmt                            all rule files of this folder
  momon fmt ./my-cards                 all rule files of a folder
  momon fmt --check rules cards        list what is not laid out
  momon fmt --diff my.momon            show what would change
  momon fmt --eol lf .                 with line ends of one kind
  momon fmt - < my.momon               print the layout`,
		RunE: func(_ *cobra.Command, args []string) error { return a.fmt(args, l) },
	}
	c.Flags().BoolVar(&l.check, "check", false, "change nothing, list the files that are not laid out")
	c.Flags().BoolVar(&l.diff, "diff", false, "change nothing, show what would change")
	c.Flags().StringVar(&l.eol, "eol", "keep", "the line ends: `EOL` is lf, crlf, or keep for those that most lines have")
	return c
}

// laid is one file that fmt has looked at.
type laid struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"` // its layout is another
	Written bool   `json:"written"`
	Diff    string `json:"diff,omitempty"`

	was, now string
}

func (a *app) fmt(args []string, l layout) error {
	opts := format.Options{}
	switch l.eol {
	case "keep":
	case "lf":
		opts.EOL = "\n"
	case "crlf":
		opts.EOL = "\r\n"
	default:
		return errors.New(a.t("fmt-eol", l.eol))
	}
	if len(args) == 0 {
		args = []string{"."}
		if a.piped() && !l.check && !l.diff {
			args = []string{"-"}
		}
	}
	if slices.Contains(args, "-") && len(args) > 1 {
		return errors.New(a.t("fmt-both"))
	}
	names, err := a.ruleFiles(args)
	if err != nil {
		return err
	}
	var files []*laid
	var diags []*diag.Diagnostic
	broken := 0
	for _, name := range names {
		f, found, err := a.layFile(name, opts)
		if err != nil {
			return err
		}
		if bad := onlyErrors(found); len(bad) > 0 {
			diags = append(diags, bad...)
			broken++
		}
		files = append(files, f)
	}
	if !l.check && !l.diff && args[0] != "-" {
		was, now := map[string]string{}, map[string]string{}
		for _, f := range files {
			if f.Changed {
				was[f.File], now[f.File] = f.was, f.now
			}
		}
		if err := a.replaceFiles(was, now); err != nil {
			return err
		}
		for _, f := range files {
			f.Written = f.Changed
		}
	}
	return a.tellLayout(files, diags, broken, args[0] == "-", l)
}

// piped reports whether something other than a terminal is at standard input.
func (a *app) piped() bool {
	f, ok := a.in.(*os.File)
	if !ok {
		return a.in != nil
	}
	return !term.IsTerminal(int(f.Fd()))
}

// ruleFiles lists the rule files that arguments name, folders with those in them.
func (a *app) ruleFiles(args []string) ([]string, error) {
	var names []string
	for _, arg := range args {
		if arg == "-" {
			return []string{stdin}, nil
		}
		st, err := os.Stat(arg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, errors.New(a.t("no-folder", arg))
		case err != nil:
			return nil, err
		case !st.IsDir():
			if filepath.Ext(arg) != ".momon" {
				return nil, errors.New(a.t("not-rules", arg))
			}
			names = append(names, filepath.ToSlash(filepath.Clean(arg)))
			continue
		}
		dir, before := filepath.ToSlash(filepath.Clean(arg)), len(names)
		err = fs.WalkDir(os.DirFS(arg), ".", func(name string, d fs.DirEntry, err error) error {
			switch base := path.Base(name); {
			case err != nil:
				return err
			case d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
				return fs.SkipDir
			case d.Type().IsRegular() && path.Ext(name) == ".momon":
				names = append(names, path.Join(dir, name))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(names) == before {
			return nil, errors.New(a.t("no-rules", arg))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// layFile reads a file and lays it out. What is far too large to be a rule file
// is not read to its end.
func (a *app) layFile(name string, opts format.Options) (*laid, []*diag.Diagnostic, error) {
	in := a.in
	if name != stdin {
		st, err := os.Stat(filepath.FromSlash(name))
		if err != nil {
			return nil, nil, err
		}
		if !st.Mode().IsRegular() {
			return nil, nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("it is not a file with text in it")}
		}
		if st.Size() > grammar.MaxFileBytes {
			return &laid{File: name}, tooLarge(name, st.Size()), nil
		}
		f, err := os.Open(filepath.FromSlash(name))
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, grammar.MaxFileBytes+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > grammar.MaxFileBytes {
		return &laid{File: name}, tooLarge(name, int64(len(data))), nil
	}
	text := string(data)
	out, found, err := format.File(source.NewFile(name, text), opts)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(onlyErrors(found)) > 0 {
		out = text // with its byte-order mark
	}
	return &laid{File: name, Changed: out != text, was: text, now: out}, found, nil
}

func tooLarge(name string, size int64) []*diag.Diagnostic {
	var l diag.List
	l.Add("file-too-large", source.Span{File: source.NewFile(name, "")}, "size", strconv.FormatInt(size, 10), "limit", strconv.Itoa(grammar.MaxFileBytes))
	return l.Sorted()
}

// tellLayout prints what came of it.
func (a *app) tellLayout(files []*laid, diags []*diag.Diagnostic, broken int, piped bool, l layout) error {
	changed := 0
	for _, f := range files {
		if f.Changed {
			changed++
		}
		if f.Changed && l.diff {
			f.Diff = string(diff.Diff(f.File+".orig", []byte(f.was), f.File, []byte(f.now)))
			_, f.Diff, _ = strings.Cut(f.Diff, "\n") // the command line of a diff that nobody ran
		}
	}
	switch {
	case a.json:
		if err := a.layoutJSON(files, diags); err != nil {
			return err
		}
	case piped && !l.check && !l.diff:
		if broken == 0 {
			a.printf("%s", files[0].now)
		}
	default:
		for _, f := range files {
			switch {
			case !f.Changed:
			case l.diff:
				a.showDiff(f.Diff)
			default:
				a.println(diag.Printable(f.File))
			}
		}
	}
	if len(diags) > 0 && !a.json {
		diag.TextFitted(a.err, diags, a.lang, a.color, a.fit)
		fmt.Fprintf(a.err, "\n%s\n", a.t("fmt-broken", broken))
	}
	if changed > 0 && l.check && !a.json {
		fmt.Fprintln(a.err, a.t("fmt-check", changed))
	}
	if broken > 0 || l.check && changed > 0 {
		return errFound
	}
	return nil
}

// showDiff prints a diff, in colour at a terminal.
func (a *app) showDiff(text string) {
	for line := range strings.Lines(text) {
		line, _ = strings.CutSuffix(line, "\n")
		if a.term {
			line = diag.Printable(strings.TrimSuffix(line, "\r"))
		}
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
			line = a.bold(line)
		case strings.HasPrefix(line, "@@"):
			line = a.paint("36", line)
		case strings.HasPrefix(line, "-"):
			line = a.paint("31", line)
		case strings.HasPrefix(line, "+"):
			line = a.paint("32", line)
		}
		a.println(line)
	}
}

func (a *app) layoutJSON(files []*laid, diags []*diag.Diagnostic) error {
	found, err := diagsJSON(diags, a.lang)
	if err != nil {
		return err
	}
	if files == nil {
		files = []*laid{}
	}
	return a.printJSON(map[string]any{"files": files, "diagnostics": found})
}

// replaceFiles puts new texts in place of files: all of them are on the disk
// before the first is replaced, and none is that has changed meanwhile.
func (a *app) replaceFiles(was, now map[string]string) error {
	var parts []*disk.Part
	drop := func() {
		for _, p := range parts {
			p.Drop()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		target := filepath.FromSlash(name)
		data, err := os.ReadFile(target)
		if err == nil && string(data) != was[name] {
			err = fmt.Errorf("%s: %w", name, errChanged)
		}
		if err == nil {
			var part *disk.Part
			if part, err = a.disk.Prepare(target, []byte(now[name])); err == nil {
				parts = append(parts, part)
			}
		}
		if err != nil {
			drop()
			return &untouched{err}
		}
	}
	for i, p := range parts {
		if err := p.Put(); err != nil {
			parts = parts[i+1:]
			drop()
			return err
		}
	}
	return nil
}

// untouched is why files could not be replaced, before the first of them was.
type untouched struct{ error }

// Unwrap gives the reason.
func (u *untouched) Unwrap() error { return u.error }

var errChanged = errors.New("the file was changed while it was looked at")
