package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cmd/momon/internal/skeleton"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/rules"
)

// longestName bounds a name, so that it fits on a card and in a file's name.
const longestName = 60

func (a *app) newCmd() *cobra.Command {
	var dir string
	var texts map[string]string
	c := &cobra.Command{
		Use:   "new [KIND NAME]",
		Short: "Write the first version of a keyword, card, case or pack",
		Long: `Writes a rule file that loads as it stands, with comments that explain each line
and with cases. The first case fails, and its title says what to do about it.
Without KIND it lists what can be written; rules of your own can bring more, as
rule files in a folder named skeletons. A pack is a folder of its own. The
comments are in the language of --lang, the texts in every one: with --text they
can differ from NAME. Nothing that is there is written over.`,
		Example: `  momon new
  momon new keyword "New Name" --dir ./mine
  momon new keyword "New Name" --text th="ชื่อใหม่"
  momon new pack "New Name" --lang th`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return &misuse{a.t("new-args", args[0]), c}
			}
			return a.takes(0, 2)(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listNew()
			}
			return a.makeNew(args[0], args[1], dir, texts)
		},
	}
	c.Flags().StringVar(&dir, "dir", ".", "the folder `DIR` to write in; it is made if it is not there")
	c.Flags().StringToStringVar(&texts, "text", nil, "the name as people read it in a language, as `LANG=NAME` (repeatable)")
	return c
}

// skeletons lists what can be written: what is built in, and what the folders of
// the flags bring.
func (a *app) skeletons() ([]*skeleton.Skeleton, error) {
	sub, err := fs.Sub(rules.Skeletons, "skeletons")
	if err != nil {
		return nil, err
	}
	folders := []fs.FS{sub}
	for _, dir := range append(append([]string{}, a.rules...), a.with...) {
		if !isArchive(dir) {
			folders = append(folders, skeletonFolders(os.DirFS(dir))...)
			continue
		}
		p, err := a.trusted(dir)
		if err != nil {
			return nil, err
		}
		folders = append(folders, skeletonFolders(p.FS())...)
	}
	return skeleton.List(folders)
}

func (a *app) listNew() error {
	list, err := a.skeletons()
	if err != nil {
		return err
	}
	type kind struct {
		Kind   string            `json:"kind"`
		Folder bool              `json:"folder"`
		About  map[string]string `json:"about"`
	}
	out := []kind{}
	w := 0
	for _, s := range list {
		out = append(out, kind{s.Kind, s.Folder, s.About})
		w = max(w, width(s.Kind))
	}
	if a.json {
		return a.printJSON(out)
	}
	for _, s := range list {
		about, ok := s.About[a.lang]
		if !ok {
			about = s.About["en"]
		}
		a.item(pad(s.Kind, w+2), about, 2)
	}
	return nil
}

func (a *app) makeNew(kind, name, dir string, texts map[string]string) error {
	list, err := a.skeletons()
	if err != nil {
		return err
	}
	var kinds []string
	var s *skeleton.Skeleton
	for _, x := range list {
		kinds = append(kinds, x.Kind)
		if x.Kind == kind {
			s = x
		}
	}
	if s == nil {
		if near := diag.Nearest(kind, kinds); near != "" {
			return errors.New(a.t("new-kind-near", kind, near))
		}
		return errors.New(a.t("new-kind", kind, strings.Join(kinds, ", ")))
	}
	src, err := a.sources(true)
	if err != nil {
		return err
	}
	p, err := a.loadFrom(src)
	if err != nil {
		return err
	}
	n := &skeleton.Name{Lang: a.lang, Texts: map[string]string{}}
	for _, l := range p.Languages() {
		n.Langs = append(n.Langs, l.Code)
	}
	for _, b := range p.Packs(a.lang) {
		n.Bases = append(n.Bases, skeleton.Base{Name: b.Name, From: b.Version, Until: pack.Next(b.Version)})
	}
	bare, err := s.Bare()
	if err != nil {
		return err
	}
	if n.Name, err = a.newName(name, bare); err != nil {
		return err
	}
	for _, lang := range slices.Sorted(maps.Keys(texts)) {
		if !slices.Contains(n.Langs, lang) {
			return errors.New(a.t("new-text-lang", lang, strings.Join(n.Langs, ", ")))
		}
		if n.Texts[lang], err = a.newName(texts[lang], false); err != nil {
			return err
		}
	}
	if n.Slug() == "" {
		return errors.New(a.t("new-no-letter", name))
	}
	files, err := s.Fill(n)
	if err != nil {
		return err
	}
	top := files[0].Name
	if s.Folder {
		top, _, _ = strings.Cut(top, "/")
	}
	if _, err := os.Lstat(filepath.Join(dir, top)); err == nil {
		return errors.New(a.t("new-taken", filepath.ToSlash(filepath.Join(dir, top))))
	}
	if !s.Folder && isDir(filepath.Join(dir, "rules")) {
		return errors.New(a.t("new-project", dir, filepath.ToSlash(filepath.Join(dir, "rules"))))
	}
	if err := a.fitsIn(src, p, s, n, dir, files); err != nil {
		return err
	}
	if err := writeNew(dir, top, s.Folder, files); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return errors.New(a.t("new-taken", filepath.ToSlash(filepath.Join(dir, top))))
		}
		return err
	}
	return a.tellNew(dir, top, files)
}

// newName looks at a name as such: whether it can be written at all.
func (a *app) newName(name string, bare bool) (string, error) {
	name = grammar.Fold(strings.Join(strings.Fields(name), " "))
	first := ' '
	for i, r := range name {
		if i == 0 {
			first = r
		}
		if strings.ContainsRune("\"\\{}[]|~^#;:/", r) || unicode.IsControl(r) || !unicode.IsPrint(r) {
			return "", errors.New(a.t("new-sign", name, string(r)))
		}
	}
	switch {
	case !strings.ContainsFunc(name, unicode.IsLetter):
		return "", errors.New(a.t("new-no-letter", name))
	case uniseg.GraphemeClusterCount(name) > longestName:
		return "", errors.New(a.t("new-long", longestName))
	case bare && unicode.IsLower(first):
		return "", errors.New(a.t("new-small", name, strings.ToUpper(string(first))+name[len(string(first)):]))
	case bare && !unicode.IsLetter(first):
		return "", errors.New(a.t("new-first", name))
	}
	return name, nil
}

// fitsIn sees whether new files get along with the rules in force and with what
// lies in their folder: no name may be taken, and no message may come up that was
// not there before.
func (a *app) fitsIn(src []interpreter.Source, p *interpreter.Program, s *skeleton.Skeleton, n *skeleton.Name, dir string, files []skeleton.File) error {
	fsys := fstest.MapFS{}
	declares := map[string]bool{} // names
	cases := map[string]bool{}
	for _, f := range files {
		fsys[f.Name] = &fstest.MapFile{Data: []byte(f.Data), Mode: 0o644}
		if path.Ext(f.Name) != ".momon" {
			continue
		}
		for _, d := range grammar.Parse(source.NewFile(f.Name, f.Data), &diag.List{}).Decls {
			switch {
			case d.Rules != nil && d.Head != "errata":
				declares[grammar.Fold(d.Rules.Name.Text)] = true
			case d.Case != nil:
				cases[d.Case.ID.Value] = true
			}
		}
	}
	name := filepath.ToSlash(filepath.Clean(dir))
	if !s.Folder && isDir(dir) && !a.among(dir) {
		if all, own, err := a.argued([]string{dir}, true); err == nil {
			src, name = all, own[len(own)-1].Name
			if q, _, err := interpreter.Load(a.ctx, src, interpreter.Options{Edition: a.edition}); err == nil {
				p = q
			} else if !errors.Is(err, interpreter.ErrRules) {
				return err
			}
		}
	}
	for _, c := range p.Cases(a.lang) {
		if cases[c.ID] {
			return errors.New(a.t("new-case-there", c.ID, c.Place))
		}
	}
	there := func(name, shown string, place interpreter.Place) error {
		for want := range declares {
			if strings.EqualFold(want, name) {
				return errors.New(a.t("new-there", shown, place))
			}
		}
		return nil
	}
	for _, x := range p.Names(a.lang) {
		if err := there(x.Name, x.Name, x.Place); err != nil {
			return err
		}
		for _, part := range x.Parts {
			if part.Sort == "value" {
				if err := there(part.Name, part.Name, x.Place); err != nil {
					return err
				}
			}
		}
	}
	for _, c := range p.Cards(a.lang) {
		if err := there(c.Name, c.Name, c.Place); err != nil {
			return err
		}
	}
	found, err := a.find(append(slices.Clone(src), interpreter.Source{Name: name, FS: fsys}))
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(d *diag.Diagnostic) bool { return d.Severity == diag.Note })
	if len(found) == 0 {
		return nil
	}
	old, err := a.find(src)
	if err != nil {
		return err
	}
	before := map[string]bool{}
	for _, d := range old {
		before[fmt.Sprint(d.Code, interpreter.PlaceOf(d.Span))] = true
	}
	for _, d := range found {
		if !before[fmt.Sprint(d.Code, interpreter.PlaceOf(d.Span))] {
			return errors.New(a.t("new-unfit", n.Name, diag.Message(d, a.lang)))
		}
	}
	return nil
}

// among reports whether a folder is read already: it is one of those of the
// flags, or lies in one.
func (a *app) among(dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for _, d := range append(append([]string{}, a.rules...), a.with...) {
		if o, err := filepath.Abs(d); err == nil && (abs == o || strings.HasPrefix(abs, o+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// partOfNew is what the folder is called in which new files lie until all are there.
const partOfNew = ".momon-new-"

// writeNew writes files that must not be there yet: all of them or none.
func writeNew(dir, top string, folder bool, files []skeleton.File) (err error) {
	defer func() {
		var at *fs.PathError
		if errors.As(err, &at) && strings.Contains(at.Path, partOfNew) {
			err = &fs.PathError{Op: at.Op, Path: dir, Err: at.Err} // not that of the part
		}
	}()
	made := ""
	for d := filepath.Clean(dir); !isDir(d); d = filepath.Dir(d) {
		made = d // the outermost folder that has to be made
		if d == filepath.Dir(d) {
			break
		}
	}
	defer func() {
		if err != nil && made != "" {
			os.RemoveAll(made)
		}
	}()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		made = ""
		return err
	}
	part, err := os.MkdirTemp(dir, partOfNew+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(part, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.Data), 0o666); err != nil {
			return err
		}
	}
	from, to := filepath.Join(part, top), filepath.Join(dir, top)
	if !folder {
		// A link, unlike a rename, never takes the place of a file that has come
		// meanwhile. Not every file system has links.
		if err := os.Link(from, to); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

func (a *app) tellNew(dir, top string, files []skeleton.File) error {
	var names []string
	for _, f := range files {
		names = append(names, filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(f.Name))))
	}
	slices.Sort(names)
	target := filepath.ToSlash(filepath.Join(dir, top))
	var flags strings.Builder
	for _, x := range a.rules {
		flags.WriteString(" --rules " + shellQuoted(x))
	}
	for _, x := range a.with {
		flags.WriteString(" --with " + shellQuoted(x))
	}
	watched := target
	if len(files) == 1 {
		watched = filepath.ToSlash(filepath.Clean(dir))
	}
	next := []string{"momon test " + shellQuoted(target) + flags.String(), "momon watch " + shellQuoted(watched) + flags.String()}
	if a.json {
		return a.printJSON(map[string]any{"files": names, "next": next})
	}
	for _, n := range names {
		a.println(a.t("new-wrote", n))
	}
	a.println("")
	a.println(a.t("new-next"))
	w := max(width(next[0]), width(next[1])) + 3
	for i, key := range []string{"new-test", "new-watch"} {
		if w+width(a.t(key)) > a.cols-2 {
			a.println("  " + next[i])
			a.para(a.t(key), 6)
			continue
		}
		a.println("  " + pad(next[i], w) + a.t(key))
	}
	return nil
}

// shellQuoted is a word as it can be typed.
func shellQuoted(s string) string {
	if strings.ContainsAny(s, " '\"$&()*;<>?[]`{|}~!\\") {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}
