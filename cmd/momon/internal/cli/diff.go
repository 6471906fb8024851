package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/diff"
	"github.com/momon-rules/momon/interpreter/pack"
)

// changeViews are the forms in which differences between rules can be had.
var changeViews = []string{"terminal", "markdown", "html", "json"}

// diffOptions are the flags of diff.
type diffOptions struct {
	format, out string
	cases, exit bool
	games       []string
	search      bool
	bound       int
	seed        uint64
	within      time.Duration
	save        string
}

func (a *app) rulesDiffCmd() *cobra.Command {
	var o diffOptions
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Tell what differs between two sets of rules",
		Long: `Compares two sets of rules, declaration by declaration and statement by
statement. Layout, comments and the order of declarations and files do not
count. OLD and NEW are folders, archives of packs or rule files; git:REV is this
folder at a revision, REV:PATH a folder as git names it; - stands for the rules
in force. A folder that is no whole game stands on the rules in force, and each
side on what its own momon.lock says: where that is other than a pack of --with,
the pack counts for the other side alone.

--cases plays the cases of both sides under both rules and tells which flip, and
through which statement. --games takes saved games, or folders of them, and
tells which would go otherwise. --search looks for a smallest situation in which
the two differ, and tells it as a story. The version step follows from what
flips. Exit status 1 means, with --exit-code, that something differs.`,
		Example: `  momon diff ./old ./new
  momon diff git:HEAD . --cases
  momon diff mine-1.0.0.momonpack ./mine --cases --out changes.md
  momon diff - ./mine --games ./saves
  momon diff git:HEAD . --search --save draft.momon`,
		Args: a.takes(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			format, err := a.viewOf(c, o.format, o.out, changeViews)
			if err != nil {
				return err
			}
			for _, name := range []string{"bound", "seed", "within", "save"} {
				if c.Flags().Changed(name) && !o.search {
					return &misuse{a.t("search-flag", name), c}
				}
			}
			if o.bound < 0 {
				return &misuse{a.t("bound-below"), c}
			}
			if o.format = format; format == "html" && o.out == "" && a.term {
				return errors.New(a.t("html-where"))
			}
			return a.rulesDiff(args[0], args[1], &o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.format, "format", "terminal", "the `FORM`: terminal, markdown, html or json")
	f.StringVarP(&o.out, "out", "o", "", "write it to `FILE`, whose ending says the form unless --format does")
	f.BoolVar(&o.cases, "cases", false, "play the cases under both rules")
	f.StringArrayVar(&o.games, "games", nil, "play the saved game `FILE`, or those in a folder, under both rules (repeatable)")
	f.BoolVar(&o.search, "search", false, "look for a smallest situation in which they differ")
	f.IntVar(&o.bound, "bound", 500, "with --search: make up `N` situations where nothing else shows a difference")
	f.Uint64Var(&o.seed, "seed", 1, "with --search: where the chance of those begins")
	f.DurationVar(&o.within, "within", 2*time.Minute, "with --search: give up after this `TIME`")
	f.StringVar(&o.save, "save", "", "with --search: write the situation to `FILE`, as a draft for a case")
	f.BoolVar(&o.exit, "exit-code", false, "end with status 1 where something differs")
	return c
}

// side are the folders that a side of a comparison stands for.
func (a *app) side(name string, cases bool) ([]interpreter.Source, error) {
	return overridable(cases, func(cases bool) ([]interpreter.Source, error) { return a.sideAs(name, cases) })
}

// sideAs is side with or without cases.
func (a *app) sideAs(name string, cases bool) ([]interpreter.Source, error) {
	a.held, a.opened = nil, nil
	if name == diff.InForce {
		return a.inForce(cases)
	}
	fsys, err := a.revised(name)
	if err != nil {
		return nil, err
	}
	if fsys != nil {
		own, err := partSources(name, fsys, cases)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(own, func(s interpreter.Source) bool { n, err := s.Files(); return err != nil || len(n) > 0 }) {
			return nil, errors.New(a.t("no-rules", diag.Printable(name)))
		}
		file := path.Join(diag.Printable(name), pack.LockName)
		l, err := a.lockIn(fsys, file)
		if err != nil {
			return nil, err
		}
		var below []interpreter.Source
		if l != nil {
			if below, err = a.locked(l, file, cases); err != nil {
				return nil, err
			}
		}
		return a.stacked(below, own, declaresGame(fsys), cases)
	}
	below, err := a.beneath(name, cases)
	if err != nil {
		return nil, err
	}
	own, err := a.folderOrFile(name, cases)
	if err != nil {
		return nil, err
	}
	return a.stacked(below, own, a.standsAlone(name), cases)
}

// revised opens what a name says if that is a revision; it is nil for what is none.
func (a *app) revised(name string) (fs.FS, error) {
	if _, err := os.Lstat(name); name == diff.InForce || !errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	rev, ok := revisionOf(name)
	if !ok {
		return nil, nil
	}
	fsys, err := rev.open(a.ctx)
	switch {
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return nil, errors.New(a.t("no-git-here", diag.Printable(name)))
	case err != nil:
		return nil, errors.New(a.t("no-revision", diag.Printable(name), err))
	}
	return fsys, nil
}

// lockOfSide is the lock that a side has of its own: an archive has none.
func (a *app) lockOfSide(name string) (*pack.Lock, error) {
	fsys, err := a.revised(name)
	if err != nil {
		return nil, err
	}
	if fsys != nil {
		return a.lockIn(fsys, path.Join(diag.Printable(name), pack.LockName))
	}
	l, _, err := a.lockOf(name)
	return l, err
}

// beside are the packs of --with that each side is read with: all, but for one that the
// lock of one side has with other content. That side is read on what its lock says, the
// other on what was named. What the locks of both have otherwise stays, and is refused.
func (a *app) beside(old, new string) (with [2][]string, err error) {
	with = [2][]string{a.with, a.with}
	if len(a.with) == 0 {
		return with, nil
	}
	var locks [2]*pack.Lock
	for i, name := range []string{old, new} {
		if locks[i], err = a.lockOfSide(name); err != nil {
			return with, err
		}
	}
	with = [2][]string{}
	for _, dir := range a.with {
		other := [2]bool{}
		if p, err := a.packNamed(dir); err == nil { // what is wrong with it is told where it is read
			for i, l := range locks {
				other[i] = l != nil && slices.ContainsFunc(l.Packs, func(k pack.Locked) bool {
					return k.Name == p.Name && k.Raw != "" && k.Content != p.Content
				})
			}
		}
		for i := range with {
			if !other[i] || other[1-i] {
				with[i] = append(with[i], dir)
			}
		}
	}
	return with, nil
}

// packNamed is the pack that is named: in a folder, a revision or a file, in the store, or an
// archive.
func (a *app) packNamed(name string) (*pack.Pack, error) {
	if isDir(name) {
		return a.openPack(name)
	}
	fsys, err := a.revised(name)
	switch {
	case err != nil:
		return nil, err
	case fsys != nil:
		p, err := pack.FromFolder(fsys)
		return p, refused(diag.Printable(name), err)
	}
	p, err := a.archived(name)
	if errors.Is(err, fs.ErrNotExist) {
		src, err := a.folderOrFile(name, true) // one rule file, or nothing, which it says
		if err != nil {
			return nil, err
		}
		p, err := pack.FromFolder(src[0].FS)
		return p, refused(diag.Printable(name), err)
	}
	return p, err
}

// sides reads both sides at once.
func (a *app) sides(old, new string, cases bool) (x, y *diff.Side, err error) {
	type read struct {
		side  *diff.Side
		diags []*diag.Diagnostic
		err   error
	}
	with, err := a.beside(old, new)
	if err != nil {
		return nil, nil, err
	}
	given := a.with
	defer func() { a.with = given }()
	var list [2]chan read
	for i, name := range []string{old, new} {
		a.with = with[i]
		src, err := a.side(name, cases)
		if err != nil {
			return nil, nil, err
		}
		list[i] = make(chan read, 1)
		go func() {
			s, ds, err := diff.Open(a.ctx, diag.Printable(name), src, interpreter.Options{Edition: a.edition})
			list[i] <- read{s, ds, err}
		}()
	}
	var both [2]read
	for i := range both {
		both[i] = <-list[i]
	}
	for _, r := range both {
		if errors.Is(r.err, interpreter.ErrRules) {
			a.complain(a.t("diff-errors", r.side.Name))
			_, err := a.loadFrom(r.side.Sources) // it shows them
			return nil, nil, err
		}
		if r.err != nil {
			return nil, nil, r.err
		}
		if err := a.checkLang(r.side.Program); err != nil {
			return nil, nil, err
		}
	}
	return both[0].side, both[1].side, nil
}

func (a *app) rulesDiff(old, new string, o *diffOptions) error {
	x, y, err := a.sides(old, new, true)
	if err != nil {
		return err
	}
	r := diff.Compare(x, y)
	if o.cases {
		if err := r.PlayCases(a.ctx); err != nil {
			return err
		}
	}
	if len(o.games) > 0 {
		list, err := a.records(o.games)
		if err != nil {
			return err
		}
		p, q, err := a.sides(old, new, false)
		if err != nil {
			return err
		}
		if err := r.PlayGames(a.ctx, p.Program, q.Program, list); err != nil {
			return err
		}
	}
	if o.search {
		ctx, end := context.WithTimeout(a.ctx, o.within)
		defer end()
		if err := r.Search(ctx, diff.SearchOptions{Most: o.bound, Seed: o.seed}); err != nil {
			return err
		}
	}
	if w := r.Find; o.save != "" && w != nil && w.Witness != nil {
		if _, err := os.Lstat(o.save); err == nil {
			return errors.New(a.t("save-taken", diag.Printable(o.save)))
		}
		if err := a.disk.Write(o.save, []byte(w.Witness.Case)); err != nil {
			return err
		}
		if o.format == "terminal" {
			defer func() { a.println(a.t("draft-wrote", diag.Printable(o.save))) }()
		}
	}
	if err := a.writeTo(o.out, diff.Made, func(w io.Writer) error {
		switch o.format {
		case "markdown":
			return r.Markdown(w, a.lang)
		case "html":
			return r.HTML(w, a.lang)
		case "json":
			return r.JSON(w)
		}
		a.blocks(r.Document(a.lang))
		return nil
	}); err != nil {
		return err
	}
	if o.exit && (len(r.Changes) > 0 || len(r.Suite) > 0) {
		return errFound
	}
	return nil
}

// records reads saved games: files, or all that lie in folders.
func (a *app) records(names []string) ([]diff.Record, error) {
	var out []diff.Record
	for _, name := range names {
		st, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		files := []string{name}
		if st.IsDir() {
			list, err := os.ReadDir(name)
			if err != nil {
				return nil, err
			}
			files = nil
			for _, d := range list {
				if filepath.Ext(d.Name()) == ".json" {
					files = append(files, filepath.Join(name, d.Name()))
				}
			}
			if len(files) == 0 {
				return nil, errors.New(a.t("no-games", diag.Printable(name)))
			}
		}
		for _, file := range files {
			data, err := a.readSave(file)
			if err != nil {
				return nil, err
			}
			out = append(out, diff.Record{File: diag.Printable(filepath.ToSlash(file)), Data: data})
		}
	}
	return out, nil
}

// blocks shows a report at a terminal.
func (a *app) blocks(list []diff.Block) {
	for i, b := range list {
		switch b.Kind {
		case diff.Title:
			a.heading(b.Text)
		case diff.Heading:
			a.println("")
			a.heading(b.Text)
		case diff.Sub:
			if i > 0 && list[i-1].Kind != diff.Heading {
				a.println("")
			}
			a.para(a.bold(b.Text), 0)
		case diff.Para:
			a.para(b.Text, 0)
		case diff.Item, diff.Draft:
			a.item("• ", b.Text, 2)
		case diff.Under:
			a.para(b.Text, 6)
		case diff.Code:
			a.println("    " + b.Text)
		case diff.Was:
			a.item(a.paint("31", "- "), b.Text, 6)
		case diff.Is:
			a.item(a.paint("32", "+ "), b.Text, 6)
		}
	}
}
