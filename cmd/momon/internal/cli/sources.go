package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/rules"
)

// sources are the folders to read: the built-in ones or those of --rules, then
// those of --with.
func (a *app) sources(cases bool) ([]interpreter.Source, error) {
	return overridable(cases, a.inForce)
}

// overridable reads sources with or without cases: with them also where one of the
// sources overrides a case, for which the overridden one has to be there.
func overridable(cases bool, read func(cases bool) ([]interpreter.Source, error)) ([]interpreter.Source, error) {
	list, err := read(cases)
	if err != nil || cases || !slices.ContainsFunc(list, overridesCase) {
		return list, err
	}
	return read(true)
}

var caseOverride = regexp.MustCompile(`(?m)^[ \t]*override[ \t]+case[ \t]`)

func overridesCase(s interpreter.Source) bool {
	found := false
	eachRuleFile(s.FS, func(text []byte) { found = found || caseOverride.Match(text) })
	return found
}

// inForce are the sources that the flags name.
func (a *app) inForce(cases bool) ([]interpreter.Source, error) {
	a.held, a.opened = nil, nil
	given, err := a.given(cases)
	if err != nil {
		return nil, err
	}
	return a.based(once(given), cases)
}

// given are the folders that the flags name.
func (a *app) given(cases bool) ([]interpreter.Source, error) {
	var out []interpreter.Source
	for _, dir := range append(slices.Clone(a.rules), a.with...) {
		below, err := a.beneath(dir, cases)
		if err != nil {
			return nil, err
		}
		src, err := a.folder(dir, cases)
		if err != nil {
			return nil, err
		}
		out = append(append(out, below...), src...)
	}
	return out, nil
}

// based puts the built-in rules below those that were given, unless --rules names
// some in their place. A built-in pack that was given itself is read in its place.
func (a *app) based(given []interpreter.Source, cases bool) ([]interpreter.Source, error) {
	at := map[string]string{} // pack to the source that it is
	for _, s := range given {
		for _, name := range packsIn(s.FS) {
			if old, twice := at[name]; twice && old != s.Name {
				return nil, errors.New(a.t("pack-twice", name, old, s.Name))
			}
			at[name] = s.Name
		}
	}
	if len(a.rules) > 0 {
		return a.finished(given, cases)
	}
	var out []interpreter.Source
	for _, s := range builtin(cases) {
		i := -1
		for _, name := range packsIn(s.FS) {
			i = slices.IndexFunc(given, func(g interpreter.Source) bool { return at[name] != "" && g.Name == at[name] })
		}
		if i < 0 {
			out = append(out, s)
			continue
		}
		out = append(out, given[i])
		given = slices.Delete(slices.Clone(given), i, i+1)
	}
	return a.finished(append(out, given...), cases)
}

// finished puts beneath archives what they stand on, and sees that all that is read
// is what locks say.
func (a *app) finished(all []interpreter.Source, cases bool) ([]interpreter.Source, error) {
	all, err := a.completed(all, cases)
	if err != nil {
		return nil, err
	}
	return all, a.keepPins(all)
}

// once leaves of folders that are named twice, in whatever way, only the last: a
// file that is read twice declares all that is in it twice.
func once(list []interpreter.Source) []interpreter.Source {
	var out []interpreter.Source
	for i, s := range list {
		again := slices.ContainsFunc(list[i+1:], func(t interpreter.Source) bool { return covers(t, s) })
		if !again && !slices.ContainsFunc(out, func(t interpreter.Source) bool { return covers(t, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// asRead names sources as their files are named when they are read with others.
func asRead(own, all []interpreter.Source) []interpreter.Source {
	out := slices.Clone(own)
	for i, s := range own {
		for _, t := range all {
			if t.Name == s.Name || !covers(t, s) {
				continue
			}
			if rel, err := filepath.Rel(realPath(t.Name), realPath(s.Name)); err == nil {
				out[i].Name = path.Join(t.Name, filepath.ToSlash(rel))
			}
		}
	}
	return out
}

// covers reports whether all that one source reads is read with another too.
func covers(t, s interpreter.Source) bool {
	if !onDisk(t.FS) || !onDisk(s.FS) {
		return t.Name == s.Name && !onDisk(t.FS) && !onDisk(s.FS) // one archive
	}
	at, in := realPath(t.Name), realPath(s.Name)
	switch x := t.FS.(type) {
	case oneFile:
		y, one := s.FS.(oneFile)
		return one && at == in && x.name == y.name
	case flat:
		return at == in
	}
	if at == in {
		return true
	}
	rel, err := filepath.Rel(at, in)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	for dir := filepath.ToSlash(rel); dir != "."; dir = path.Dir(dir) {
		if base := path.Base(dir); strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || exists(filepath.Join(at, filepath.FromSlash(dir), "module.momon")) {
			return false // it is not read with the other
		}
	}
	return true
}

// realPath is where a folder lies, however it is named.
func realPath(name string) string {
	p := filepath.FromSlash(name)
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	if real, err := filepath.EvalSymlinks(p); err == nil {
		p = real
	}
	return p
}

func builtin(cases bool) []interpreter.Source {
	out := []interpreter.Source{{Name: "rules", FS: rules.FS, Pack: builtinID(rules.FS)}, {Name: "cards", FS: cards.FS, Pack: builtinID(cards.FS)}}
	if cases {
		out = append(out, builtinCases()...)
	}
	return out
}

func builtinCases() []interpreter.Source {
	sub, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return []interpreter.Source{{Name: "conformance/cases", FS: sub}}
}

// folder is what a folder holds: the parts of a project where it is laid out as
// one, else all of its rule files. Folders inside a project's parts are modules of
// their own and are not read with them.
func (a *app) folder(dir string, cases bool) ([]interpreter.Source, error) {
	if raw, _, err := a.byVersion(dir); err != nil {
		return nil, err
	} else if raw != "" {
		p, file, err := a.fromStore(raw)
		if err != nil {
			return nil, err
		}
		return packSources(filepath.ToSlash(file), p, cases)
	}
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New(a.t("no-folder", dir))
	}
	if err != nil {
		return nil, err
	}
	if isArchive(dir) {
		return a.archive(dir, cases)
	}
	if !st.IsDir() {
		return nil, errors.New(a.t("not-folder", dir))
	}
	var out []interpreter.Source
	for _, part := range pack.Parts(os.DirFS(dir)) {
		if part.Cases && !cases {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(part.Dir))
		src := interpreter.Source{Name: filepath.ToSlash(p), FS: os.DirFS(p)}
		if part.Flat {
			src.FS = flat{src.FS}
		}
		out = append(out, src)
	}
	for _, src := range out {
		if names, err := src.Files(); err != nil || len(names) > 0 {
			return out, err
		}
	}
	if mods, err := leftOut(out); err != nil || len(mods) > 0 {
		if err == nil {
			err = errors.New(a.t("only-modules", dir, a.several(mods), mods[0]))
		}
		return nil, err
	}
	return nil, errors.New(a.t("no-rules", dir))
}

// leftOut are the folders that are modules of their own, and were not read with
// the sources that they lie in.
func leftOut(list []interpreter.Source) ([]string, error) {
	var out []string
	for _, s := range list {
		if _, one := s.FS.(oneFile); one {
			continue
		}
		mods, err := s.Modules()
		if err != nil {
			return nil, err
		}
		for _, m := range mods {
			out = append(out, path.Join(s.Name, m))
		}
	}
	return out, nil
}

// others are the modules in the folders that a command was given, without those
// that were given too.
func others(own []interpreter.Source) ([]string, error) {
	mods, err := leftOut(own)
	return slices.DeleteFunc(mods, func(m string) bool {
		return slices.ContainsFunc(own, func(s interpreter.Source) bool { return s.Name == m })
	}), err
}

// tellOthers says that modules were left out, and how they are looked at.
func (a *app) tellOthers(command string, mods []string) {
	if len(mods) > 0 {
		a.para(a.t("left-out", len(mods), a.several(mods)), 0)
		a.println("  momon " + command + " " + shellQuoted(mods[0])) // not broken, so that it can be copied
	}
}

// several lists a few names, and says how many there are besides.
func (a *app) several(names []string) string {
	if len(names) <= 4 {
		return strings.Join(names, ", ")
	}
	return a.t("and-more", strings.Join(names[:3], ", "), len(names)-3)
}

func isDir(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.IsDir()
}

var rootAction = regexp.MustCompile(`(?m)^action game\b`)

// standsAlone reports whether a folder declares the game itself, so that it
// takes the place of the built-in rules.
func (a *app) standsAlone(dir string) bool {
	if isDir(dir) {
		return declaresGame(os.DirFS(dir))
	}
	if isArchive(dir) {
		p, err := a.trusted(dir)
		return err == nil && declaresGame(p.FS())
	}
	return declaresGame(oneFile{os.DirFS(filepath.Dir(dir)), filepath.Base(dir)})
}

// declaresGame is standsAlone for a folder that is open.
func declaresGame(fsys fs.FS) bool {
	found := false
	fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || found {
			return fs.SkipAll
		}
		if st, err := fs.Stat(fsys, p); err == nil && st.Mode().IsRegular() && st.Size() <= grammar.MaxFileBytes && path.Ext(p) == ".momon" {
			if b, err := fs.ReadFile(fsys, p); err == nil && rootAction.Match(b) {
				found = true
			}
		}
		return nil
	})
	return found
}

var packName = regexp.MustCompile(`(?m)^pack "([^"\n]+)"`)

// packsIn lists the packs that the files of a source declare.
func packsIn(fsys fs.FS) []string {
	var out []string
	eachRuleFile(fsys, func(text []byte) {
		for _, m := range packName.FindAllSubmatch(text, -1) {
			out = append(out, string(m[1]))
		}
	})
	return out
}

// eachRuleFile hands on the rule files that are read with a folder. What can't be
// read is passed over: reading the rules will say why.
func eachRuleFile(fsys fs.FS, take func(text []byte)) {
	names, err := interpreter.Source{FS: fsys}.Files()
	if err != nil {
		return
	}
	for _, name := range names {
		st, err := fs.Stat(fsys, name)
		if err != nil || !st.Mode().IsRegular() || st.Size() > grammar.MaxFileBytes {
			continue
		}
		if text, err := fs.ReadFile(fsys, name); err == nil {
			take(text)
		}
	}
}

// argued are the sources for a command that is given folders: they stand on the
// rules of the flags, or for themselves where one of them declares the game.
func (a *app) argued(dirs []string, cases bool) (all, own []interpreter.Source, err error) {
	all, err = overridable(cases, func(cases bool) ([]interpreter.Source, error) {
		list, mine, err := a.placed(dirs, cases)
		own = mine
		return list, err
	})
	return all, own, err
}

// placed are the sources of argued, with all cases or with those of the folders alone.
func (a *app) placed(dirs []string, cases bool) (all, own []interpreter.Source, err error) {
	a.held, a.opened = nil, nil
	alone := false
	var below []interpreter.Source
	for _, dir := range dirs {
		locked, err := a.beneath(dir, cases)
		if err != nil {
			return nil, nil, err
		}
		below = append(below, locked...)
		src, err := a.folderOrFile(dir, true)
		if err != nil {
			return nil, nil, err
		}
		own = append(own, src...)
		alone = alone || a.standsAlone(dir)
	}
	all, err = a.stacked(below, own, alone, cases)
	return all, asRead(own, all), err
}

// stacked puts folders that a command was given on what they are locked to, and on
// the rules of the flags, or on nothing where they stand alone.
func (a *app) stacked(below, own []interpreter.Source, alone, cases bool) ([]interpreter.Source, error) {
	if alone && len(a.rules) == 0 {
		var all []interpreter.Source
		for _, dir := range a.with {
			src, err := a.folder(dir, cases)
			if err != nil {
				return nil, err
			}
			all = append(all, src...)
		}
		return a.finished(once(slices.Concat(below, own, all)), cases)
	}
	all, err := a.given(cases)
	if err != nil {
		return nil, err
	}
	return a.based(once(slices.Concat(all, below, own)), cases)
}

// folderOrFile is a folder, or one rule file as though it lay in one alone.
func (a *app) folderOrFile(name string, cases bool) ([]interpreter.Source, error) {
	st, err := os.Stat(name)
	if err != nil || st.IsDir() {
		return a.folder(name, cases)
	}
	if isArchive(name) {
		return a.folder(name, cases)
	}
	if filepath.Ext(name) != ".momon" {
		return nil, errors.New(a.t("not-rules", name))
	}
	return []interpreter.Source{{Name: filepath.ToSlash(filepath.Dir(name)), FS: oneFile{os.DirFS(filepath.Dir(name)), filepath.Base(name)}}}, nil
}

// flat is a folder without the folders in it.
type flat struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (f flat) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	var out []fs.DirEntry
	for _, d := range list {
		if !d.IsDir() {
			out = append(out, d)
		}
	}
	return out, err
}

// Stat implements fs.StatFS.
func (f flat) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// oneFile is a file system with one file of another in it.
type oneFile struct {
	fs.FS
	name string
}

// Open implements fs.FS.
func (f oneFile) Open(name string) (fs.File, error) {
	if name != "." && name != f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.FS.Open(name)
}

// Stat implements fs.StatFS.
func (f oneFile) Stat(name string) (fs.FileInfo, error) {
	if name != "." && name != f.name {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return fs.Stat(f.FS, name)
}

// ReadDir implements fs.ReadDirFS.
func (f oneFile) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		if d.Name() == f.name {
			return []fs.DirEntry{d}, nil
		}
	}
	return nil, nil
}
