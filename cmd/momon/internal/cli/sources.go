package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// sources are the folders to read: the built-in ones or those of --rules, then
// those of --with.
func (a *app) sources(cases bool) ([]interpreter.Source, error) {
	var out []interpreter.Source
	if len(a.rules) == 0 {
		out = builtin(cases)
	}
	for _, dir := range a.rules {
		src, err := a.folder(dir, cases)
		if err != nil {
			return nil, err
		}
		out = append(out, src...)
	}
	for _, dir := range a.with {
		src, err := a.folder(dir, cases)
		if err != nil {
			return nil, err
		}
		out = append(out, src...)
	}
	return out, nil
}

func builtin(cases bool) []interpreter.Source {
	out := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}}
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
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New(a.t("no-folder", dir))
	}
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		return nil, errors.New(a.t("not-folder", dir))
	}
	var out []interpreter.Source
	if isDir(filepath.Join(dir, "rules")) {
		for _, part := range []string{"rules", "cards", "conformance/cases", "cases"} {
			if p := filepath.Join(dir, part); isDir(p) && (cases || part == "rules" || part == "cards") {
				out = append(out, interpreter.Source{Name: filepath.ToSlash(p), FS: flat{os.DirFS(p)}})
			}
		}
	} else {
		out = []interpreter.Source{{Name: filepath.ToSlash(filepath.Clean(dir)), FS: os.DirFS(dir)}}
	}
	for _, src := range out {
		if names, err := src.Files(); err != nil || len(names) > 0 {
			return out, err
		}
	}
	return nil, errors.New(a.t("no-rules", dir))
}

func isDir(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.IsDir()
}

var rootAction = regexp.MustCompile(`(?m)^action game\b`)

// standsAlone reports whether a folder declares the game itself, so that it
// takes the place of the built-in rules.
func standsAlone(dir string) bool {
	found := false
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || found {
			return fs.SkipAll
		}
		if st, err := os.Stat(p); err == nil && st.Mode().IsRegular() && st.Size() <= grammar.MaxFileBytes && filepath.Ext(p) == ".momon" {
			if b, err := os.ReadFile(p); err == nil && rootAction.Match(b) {
				found = true
			}
		}
		return nil
	})
	return found
}

// argued are the sources for a command that is given folders: they stand on the
// rules of the flags, or for themselves where one of them declares the game.
func (a *app) argued(dirs []string, cases bool) (all, own []interpreter.Source, err error) {
	alone := false
	for _, dir := range dirs {
		src, err := a.folderOrFile(dir, true)
		if err != nil {
			return nil, nil, err
		}
		own = append(own, src...)
		alone = alone || standsAlone(dir)
	}
	if alone && len(a.rules) == 0 {
		for _, dir := range a.with {
			src, err := a.folder(dir, cases)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, src...)
		}
		return append(own, all...), own, nil
	}
	all, err = a.sources(cases)
	return append(all, own...), own, err
}

// folderOrFile is a folder, or one rule file as though it lay in one alone.
func (a *app) folderOrFile(name string, cases bool) ([]interpreter.Source, error) {
	st, err := os.Stat(name)
	if err != nil || st.IsDir() {
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
