package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// maxRounds bounds how often files are mended and looked at again: what mends one
// mistake can bring another to light.
const maxRounds = 50

const bom = "\uFEFF"

// change is one fix that was made. Its place is in the file as it was then.
type change struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Code   string `json:"code"`
	Old    string `json:"old"`
	New    string `json:"new"`
}

// fixer carries out the fixes that diagnostics know of: first in memory, until
// none is left; then all files that changed are replaced.
type fixer struct {
	src  []interpreter.Source
	was  map[string]string // by path on the disk: what the file held
	now  map[string]string // what it is to hold
	past map[string]bool   // what files have held, so that no two fixes go round
	over map[string]bool   // files in which they did: they are left as they are
	made []change
}

// newFixer takes over the sources, so that rules are read with the changes.
func newFixer(src []interpreter.Source) *fixer {
	f := &fixer{was: map[string]string{}, now: map[string]string{}, past: map[string]bool{}, over: map[string]bool{}}
	for _, s := range src {
		if onDisk(s.FS) {
			s.FS = mended{s.FS, s.Name, f}
		}
		f.src = append(f.src, s)
	}
	return f
}

// onDisk reports whether a folder is none of those built into the program.
func onDisk(fsys fs.FS) bool {
	switch x := fsys.(type) {
	case flat:
		return onDisk(x.FS)
	case oneFile:
		return onDisk(x.FS)
	}
	return fmt.Sprintf("%T", fsys) == fmt.Sprintf("%T", os.DirFS("."))
}

// mended is a folder with the changes that were made in memory.
type mended struct {
	fs.FS
	name string
	f    *fixer
}

// Stat implements fs.StatFS.
func (m mended) Stat(name string) (fs.FileInfo, error) { return fs.Stat(m.FS, name) }

// ReadFile implements fs.ReadFileFS.
func (m mended) ReadFile(name string) ([]byte, error) {
	shown := path.Join(m.name, name)
	if text, ok := m.f.now[shown]; ok {
		return []byte(text), nil
	}
	data, err := fs.ReadFile(m.FS, name)
	if err == nil {
		m.f.was[shown] = string(data)
	}
	return data, err
}

// round makes the fixes of a list of diagnostics. It reports whether there were
// any.
func (f *fixer) round(diags []*diag.Diagnostic) bool {
	byFile := map[string][]*diag.Diagnostic{}
	for _, d := range diags {
		if d.Fix == nil || d.Fix.Guess || !d.Fix.Span.Valid() {
			continue
		}
		file := d.Fix.Span.File
		held, ok := f.held(file.Name)
		if ok && !f.over[file.Name] && strings.TrimPrefix(held, bom) == file.Text { // else it is a built-in file of that name
			byFile[file.Name] = append(byFile[file.Name], d)
		}
	}
	any := false
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		held, _ := f.held(name)
		text, made := apply(held, byFile[name])
		if len(made) == 0 {
			continue
		}
		f.past[name+"\x00"+held] = true
		if f.past[name+"\x00"+text] { // the fixes go round
			f.over[name] = true
			delete(f.now, name)
			f.made = without(f.made, name)
			any = true
			continue
		}
		f.now[name] = text
		f.made = append(f.made, made...)
		any = true
	}
	return any
}

// held is what a file of the disk holds, with the changes so far.
func (f *fixer) held(name string) (string, bool) {
	if text, ok := f.now[name]; ok {
		return text, true
	}
	text, ok := f.was[name]
	return text, ok
}

func without(list []change, file string) []change {
	var out []change
	for _, c := range list {
		if c.File != file {
			out = append(out, c)
		}
	}
	return out
}

// apply makes the fixes of one file that don't touch each other.
func apply(held string, list []*diag.Diagnostic) (string, []change) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Fix.Span.Before(list[j].Fix.Span) })
	lead := ""
	if strings.HasPrefix(held, bom) {
		lead, held = bom, held[len(bom):]
	}
	var b strings.Builder
	var made []change
	at, last := 0, -1
	for _, d := range list {
		s := d.Fix.Span
		if s.Start < at || s.Start == last || s.End > len(held) || s.Text() == d.Fix.Text {
			continue
		}
		b.WriteString(held[at:s.Start])
		b.WriteString(d.Fix.Text)
		at, last = s.End, s.Start
		made = append(made, change{s.File.Name, s.File.Line(s.Start), s.File.Column(s.Start), d.Code, s.Text(), d.Fix.Text})
	}
	b.WriteString(held[at:])
	return lead + b.String(), made
}

// fix mends files as far as fixes are known, and returns what is left.
func (a *app) fix(src []interpreter.Source) ([]*diag.Diagnostic, []change, error) {
	f := newFixer(src)
	for range maxRounds {
		diags, err := a.find(f.src)
		if err != nil {
			return nil, nil, err
		}
		if f.round(diags) {
			continue
		}
		if err := a.replaceFiles(f.was, f.now); err != nil {
			return nil, nil, err
		}
		return diags, f.made, nil
	}
	return nil, nil, errors.New(a.t("fix-without-end", maxRounds) + ". " + a.t("fixed-nothing"))
}

// tellFixes lists what was changed.
func (a *app) tellFixes(made []change) {
	files := map[string]bool{}
	for _, c := range made {
		files[c.File] = true
		key := "fixed-to"
		switch {
		case c.New == "":
			key = "fixed-away"
		case c.Old == "":
			key = "fixed-in"
		}
		what := a.t(key, quoted(c.Old), quoted(c.New))
		a.item("", fmt.Sprintf("%s:%d:%d: %s [%s]", diag.Printable(c.File), c.Line, c.Column, what, c.Code), 0)
	}
	if len(made) == 0 {
		a.println(a.t("fixed-none"))
		return
	}
	a.println(a.t("fixed", len(made), len(files)))
}

// quoted shows a piece of a file, what can't be seen as its number.
func quoted(s string) string {
	if diag.Printable(s) != s {
		return fmt.Sprintf("%+q", s)
	}
	return "`" + s + "`"
}

func (a *app) fixesJSON(made []change, shown []*diag.Diagnostic) error {
	found, err := diagsJSON(shown, a.lang)
	if err != nil {
		return err
	}
	if made == nil {
		made = []change{}
	}
	return a.printJSON(map[string]any{"fixed": made, "diagnostics": found})
}

// diagsJSON is what diag.JSON prints, as a part of something larger.
func diagsJSON(diags []*diag.Diagnostic, lang string) (json.RawMessage, error) {
	var b bytes.Buffer
	err := diag.JSON(&b, diags, lang)
	return b.Bytes(), err
}
