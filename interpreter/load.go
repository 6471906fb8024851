// Package interpreter loads rule data and plays by it. Load turns folders of
// .momon files into a Program, which never changes and may be shared by any
// number of goroutines; a Match is one game under way and belongs to one
// goroutine at a time.
package interpreter

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
)

// Source is one folder of rule files. Later sources stand on earlier ones: they
// add to them, and may override or extend what those declare.
type Source struct {
	Name string // how messages name it; files are shown as Name/path
	FS   fs.FS  // every .momon file in it is read, in folders too, but not in a folder that holds a module.momon: that is a module of its own

	// Pack says which pack it is from, where that is known exactly; saved matches
	// name it. It is asked when somebody wants to know. It may be nil.
	Pack func() PackID
}

// PackID names a pack exactly.
type PackID struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Content string `json:"content,omitempty"` // the digest of its content, where it is known
	Archive string `json:"archive,omitempty"` // the digest of its archive, where it came from one
}

// String is name and version, with the beginning of the digest where there is one.
func (p PackID) String() string {
	s := p.Name + " " + p.Version
	if d := cmp.Or(p.Archive, p.Content); len(d) > 12 {
		s += " (" + d[:12] + ")"
	}
	return s
}

// Options choose what is loaded.
type Options struct {
	// Edition is the edition in force, by its name or by a day (YYYY-MM-DD) on
	// which it was in force. The zero value takes the newest in the data, never
	// the clock's.
	Edition string

	// Warnings looks for what deserves a warning or a note beyond what reading the
	// rules finds anyway: it takes longer than reading them, and nobody who only
	// plays wants it.
	Warnings bool

	// Stub puts something that fails when it is touched in place of all
	// provisional data and leaves out every case that is not normative, to show
	// that no normative case hangs on a stand-in.
	Stub bool

	// Index has Analyse list every name with the places that speak of it.
	Index bool
}

// maxFiles bounds how many rule files one load reads.
const maxFiles = 20_000

// Program is a checked rule set, ready to play.
type Program struct {
	p      *program.Program
	en     *run.Engine
	Diags  []*diag.Diagnostic // everything that was found, errors first to last by place; a Program has no errors
	digest string
	from   []func() PackID // by folder
	words  words
	inputs *inputs

	switched     switched
	laidOut      sync.Once
	layoutDigest string
}

// ErrRules says that the rule data has errors; the diagnostics tell which.
var ErrRules = errors.New("the rules have errors")

// Load reads and checks folders of rules. Where the data has errors the Program
// is nil and the error is ErrRules; the diagnostics are returned in either case.
func Load(ctx context.Context, sources []Source, opts Options) (*Program, []*diag.Diagnostic, error) {
	p, _, diags, err := LoadFolders(ctx, sources, opts)
	return p, diags, err
}

// LoadFolders is Load for somebody who wants to look at the files too, as they were
// parsed.
func LoadFolders(ctx context.Context, sources []Source, opts Options) (*Program, []Folder, []*diag.Diagnostic, error) {
	var folders []Folder
	sum := sha256.New()
	for _, src := range sources {
		names, err := ruleFiles(src.FS)
		if err != nil {
			return nil, nil, nil, placed(src.Name, err)
		}
		folder := Folder{Name: src.Name}
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return nil, nil, nil, err
			}
			data, size, err := readRules(src.FS, name)
			if err != nil {
				return nil, nil, nil, placed(src.Name, err)
			}
			fmt.Fprintf(sum, "%s %d\n", name, len(data))
			sum.Write(data)
			file := source.NewFile(path.Join(src.Name, name), string(data))
			var early *diag.Diagnostic
			if size > grammar.MaxFileBytes {
				early = &diag.Diagnostic{Code: "file-too-large", Span: source.Span{File: file},
					Values: []string{"size", strconv.FormatInt(size, 10), "limit", strconv.Itoa(grammar.MaxFileBytes)}}
			}
			folder.Files = append(folder.Files, parseFile(file, early))
		}
		folders = append(folders, folder)
	}
	a := Analyse(folders, opts)
	if a.Program == nil {
		return nil, folders, a.Diags, ErrRules
	}
	a.Program.digest = hex.EncodeToString(sum.Sum(nil))
	a.Program.p.Digest = a.Program.digest
	for _, src := range sources {
		a.Program.from = append(a.Program.from, src.Pack)
	}
	return a.Program, folders, a.Diags, nil
}

// placed names the file that an error is about with the folder that it lies in.
func placed(folder string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && !path.IsAbs(at.Path) {
		return &fs.PathError{Op: at.Op, Path: path.Join(folder, at.Path), Err: at.Err}
	}
	return fmt.Errorf("%s: %w", folder, err)
}

// readRules reads a rule file and tells its size. One that is far too large is
// not read; what is no file, such as a pipe, could go on for ever.
func readRules(fsys fs.FS, name string) ([]byte, int64, error) {
	st, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, 0, err
	}
	if !st.Mode().IsRegular() {
		return nil, 0, &fs.PathError{Op: "read", Path: name, Err: errors.New("it is not a file with text in it")}
	}
	if st.Size() > grammar.MaxFileBytes+3 { // a byte-order mark does not count
		return nil, st.Size(), nil
	}
	data, err := fs.ReadFile(fsys, name)
	return data, 0, err
}

// Files lists the rule files that Load reads, by name.
func (s Source) Files() ([]string, error) {
	names, err := ruleFiles(s.FS)
	if err != nil {
		return nil, placed(s.Name, err)
	}
	return names, nil
}

// Modules lists the folders in it that are modules of their own, so that Load does
// not read them with the others.
func (s Source) Modules() ([]string, error) {
	var out []string
	err := walkRules(s.FS, func(string) error { return nil }, func(dir string) { out = append(out, dir) })
	if err != nil {
		return nil, placed(s.Name, err)
	}
	sort.Strings(out)
	return out, nil
}

// ruleFiles lists the .momon files of a folder, by name.
func ruleFiles(fsys fs.FS) ([]string, error) {
	var names []string
	err := walkRules(fsys, func(name string) error {
		if names = append(names, name); len(names) > maxFiles {
			return &fault{key: "many-files", args: []any{maxFiles}}
		}
		return nil
	}, func(string) {})
	sort.Strings(names)
	return names, err
}

// walkRules visits the .momon files of a folder, and the folders in it that are
// modules of their own.
func walkRules(fsys fs.FS, file func(name string) error, module func(dir string)) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			base := path.Base(name)
			switch {
			case name == ".":
			case strings.HasPrefix(base, "."), strings.HasPrefix(base, "_"):
				return fs.SkipDir
			case ownModule(fsys, name):
				module(name)
				return fs.SkipDir
			}
		case strings.HasSuffix(name, ".momon"):
			return file(name)
		}
		return nil
	})
}

// moduleFile marks a folder as a module of its own, which is not read with the
// folder that it lies in.
const moduleFile = "module.momon"

func ownModule(fsys fs.FS, dir string) bool {
	_, err := fs.Stat(fsys, path.Join(dir, moduleFile))
	return err == nil
}

// Digest is the SHA-256 of the rule files as read, in hexadecimal.
func (p *Program) Digest() string { return p.digest }

// PackIDs names the packs that were loaded, the base first: what each declares of
// itself, with its digests where the Source said them.
func (p *Program) PackIDs() []PackID {
	var out []PackID
	for _, k := range p.p.Packs {
		id := PackID{Name: k.Name, Version: k.Version}
		if k.Module < len(p.from) && p.from[k.Module] != nil {
			if known := p.from[k.Module](); known.Name == k.Name && known.Version == k.Version {
				id = known
			}
		}
		out = append(out, id)
	}
	return out
}

// Edition is the name of the edition in force, or "" where the data has none.
func (p *Program) Edition() string { return p.p.Edition }

// Language is the version of the rule language that the data is written in.
func (p *Program) Language() int { return p.p.Language }
