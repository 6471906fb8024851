package lsp

import (
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// Modules are how the program finds rule files; the commands of the terminal find
// them the same way.
type Modules struct {
	Builtin func(cases bool) []interpreter.Source
	Folder  func(dir string, cases bool) ([]interpreter.Source, error)
	Alone   func(dir string) bool                                      // it declares the game itself, so it takes the place of the built-in rules
	Beneath func(dir string, cases bool) ([]interpreter.Source, error) // the packs that it is locked to; nil for none

	// Complete puts beneath archives among sources what they stand on; nil for nothing.
	Complete func(all []interpreter.Source, cases bool) ([]interpreter.Source, error)
	// Changed reports whether archives that were read are no longer what they were, and
	// has them read anew; nil where that can't be.
	Changed func() bool
}

// unit is what is checked together: folders of the user's and what they stand on.
type unit struct {
	dir   string // of the user's folder
	loose bool   // the files right in dir, where no folder of rules is open
	base  *unit  // a project that it stands on; nil for the built-in rules or those of the settings

	listed time.Time
	layers []layer
	own    map[string]bool // names of the user's files
	err    error

	result *result
	good   *result // the last one without errors
	stale  bool
}

// layer is one folder of a unit.
type layer struct {
	src   interpreter.Source
	files []string // paths on the disk, or names of built-in files
	own   bool
}

// result is what was found of a unit in one state of its files.
type result struct {
	*interpreter.Analysis
	files map[string]*interpreter.RuleFile // by name
	own   []string                         // names of the user's files, sorted

	mu    sync.Mutex // guards what is worked out when it is asked for
	byID  map[string]interpreter.Case
	hangs map[string]string // what the outcome of each case hangs on
}

// workspace holds the texts and what was found of them. Its methods are called
// with mu held; analysing takes work as well.
type workspace struct {
	modules Modules
	set     settings
	edition string
	folders []string
	watched bool // the client tells of files that change on the disk

	mu    sync.Mutex
	docs  map[string]*document // by path
	units map[string]*unit
	cache map[string]*cached // parsed files, by name

	work sync.Mutex // held while something is analysed
}

type cached struct {
	doc  *document // the text it was parsed from, where it is open
	text string
	mod  time.Time
	size int64
	file *interpreter.RuleFile
}

// locked calls f with mu held; a panic in it lets go of mu.
func (w *workspace) locked(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

// --- paths and URIs

// pathOf is the path that a URI names; of one that is no file, the URI itself.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	p := u.Path
	if u.Host != "" && u.Host != "localhost" {
		p = "//" + u.Host + p
	}
	if runtime.GOOS == "windows" && len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = strings.ToUpper(p[1:2]) + p[2:]
	}
	return path.Clean(filepath.ToSlash(p))
}

func fileURI(p string) string {
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// isFile reports whether a document's path is one of a file.
func isFile(p string) bool { return filepath.IsAbs(filepath.FromSlash(p)) }

// uri is how the client spells the URI of a file.
func (w *workspace) uri(p string) string {
	if d := w.docs[p]; d != nil {
		return d.uri
	}
	if !isFile(p) {
		return p
	}
	return fileURI(p)
}

// --- units

func exists(p string) bool { _, err := os.Stat(p); return err == nil }

func isDir(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.IsDir()
}

var parts = []string{"rules", "cards", "conformance/cases", "cases"}

// isProject reports whether a folder is laid out as a project.
func isProject(dir string) bool { return isDir(path.Join(dir, "rules")) }

// inProject reports whether a file lies right in a part of a project.
func inProject(dir, file string) bool {
	rel := strings.TrimPrefix(path.Dir(file), strings.TrimSuffix(dir, "/")+"/")
	return slices.Contains(parts, rel)
}

// folderOf is the open folder that holds a path, or "".
func (w *workspace) folderOf(p string) string {
	best := ""
	for _, f := range w.folders {
		if (p == f || strings.HasPrefix(p, strings.TrimSuffix(f, "/")+"/")) && len(f) > len(best) {
			best = f
		}
	}
	return best
}

// unitFor finds what a file is checked with: the module or project that it lies in,
// else the open folder, else the files beside it.
func (w *workspace) unitFor(file string) *unit {
	if !isFile(file) {
		return w.unit(file, true)
	}
	top := w.folderOf(file)
	for d, up := path.Dir(file), 0; up < 32; d, up = path.Dir(d), up+1 {
		switch {
		case exists(path.Join(d, "module.momon")):
			return w.unit(d, false)
		case isProject(d):
			if inProject(d, file) {
				return w.unit(d, false)
			}
		case d == top && seen(strings.TrimPrefix(path.Dir(file), d)):
			return w.unit(d, false)
		}
		if d == top || d == path.Dir(d) {
			break
		}
	}
	return w.unit(path.Dir(file), true)
}

// seen reports whether a folder is read with the one that it lies in.
func seen(rel string) bool {
	for _, part := range strings.Split(rel, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return false
		}
	}
	return true
}

func (w *workspace) unit(dir string, loose bool) *unit {
	key := dir
	if loose {
		key += "\x00"
	}
	u := w.units[key]
	if u == nil {
		u = &unit{dir: dir, loose: loose, stale: true}
		w.units[key] = u
		if isFile(dir) && len(w.set.Rules) == 0 {
			u.base = w.baseOf(dir)
		}
	}
	return u
}

// baseOf finds the project around a module, where that declares the game itself.
func (w *workspace) baseOf(dir string) *unit {
	for d, up := path.Dir(dir), 0; up < 32; d, up = path.Dir(d), up+1 {
		if isProject(d) && w.modules.Alone(filepath.FromSlash(path.Join(d, "rules"))) {
			return w.unit(d, false)
		}
		if d == path.Dir(d) || d == w.folderOf(dir) {
			return nil
		}
	}
	return nil
}

// forget has the files of every unit listed anew.
func (w *workspace) forget() {
	for _, u := range w.units {
		u.listed = time.Time{}
		u.stale = true
	}
}

// relist is how long a listing of files is believed where the client does not
// tell of changes on the disk.
const relist = 2 * time.Second

// archives has everything listed anew where archives that were read have changed: they
// can lie where no client looks.
func (w *workspace) archives() {
	if w.modules.Changed != nil && w.modules.Changed() {
		w.forget()
	}
}

// known reports whether the files of a unit are listed as they are. What could not be
// read is tried again, since what it waits for can come from anywhere.
func (w *workspace) known(u *unit) bool {
	return !u.listed.IsZero() && (w.watched && u.err == nil || time.Since(u.listed) < relist)
}

// list finds the files of a unit.
func (w *workspace) list(u *unit) {
	w.archives()
	if w.known(u) {
		return
	}
	u.listed = time.Now()
	u.err = nil
	u.layers = nil
	var all []interpreter.Source
	mine := map[string]bool{} // names of sources
	add := func(own bool, list []interpreter.Source) {
		for _, src := range list {
			all = append(all, src)
			mine[src.Name] = mine[src.Name] || own
		}
	}
	folder := func(own bool, dir string, cases bool) {
		list, err := w.modules.Folder(filepath.FromSlash(dir), cases)
		if err != nil && !own && u.err == nil {
			u.err = err
		}
		add(own, list)
	}
	alone := !u.loose && isFile(u.dir) && len(w.set.Rules) == 0 && w.modules.Alone(filepath.FromSlash(u.dir))
	switch {
	case alone:
	case u.base != nil && u.base != u:
		folder(false, u.base.dir, true)
	case len(w.set.Rules) == 0:
		add(false, w.modules.Builtin(true))
	default:
		for _, dir := range w.set.Rules {
			if path.Clean(filepath.ToSlash(dir)) == u.dir { // it is what stands below everything
				alone = true
				break
			}
			folder(false, dir, true)
		}
	}
	with := func() {
		for _, dir := range w.set.With {
			if path.Clean(filepath.ToSlash(dir)) != u.dir {
				folder(false, dir, true)
			}
		}
	}
	if !alone {
		with()
	}
	switch {
	case u.loose && isFile(u.dir):
		add(true, []interpreter.Source{{Name: u.dir, FS: flat{os.DirFS(filepath.FromSlash(u.dir))}}})
	case u.loose: // a text that is no file
	default:
		if w.modules.Beneath != nil {
			list, err := w.modules.Beneath(filepath.FromSlash(u.dir), true)
			if err != nil && u.err == nil {
				u.err = err
			}
			add(false, list)
		}
		folder(true, u.dir, true)
	}
	if alone {
		with()
	}
	if w.modules.Complete != nil {
		list, err := w.modules.Complete(all, true)
		if err != nil && u.err == nil {
			u.err = err
		} else if err == nil {
			all = list
		}
	}
	for _, src := range all {
		l := layer{src: src, own: mine[src.Name]}
		names, err := src.Files()
		if err != nil && u.err == nil {
			u.err = err
		}
		for _, n := range names {
			l.files = append(l.files, path.Join(src.Name, n))
		}
		u.layers = append(u.layers, l)
	}
	if u.loose && !isFile(u.dir) {
		u.layers = append(u.layers, layer{own: true, src: interpreter.Source{Name: u.dir}, files: []string{u.dir}})
	}
	w.unsaved(u)
	u.own = map[string]bool{}
	for _, l := range u.layers {
		for _, f := range l.files {
			if l.own {
				u.own[f] = true
			}
		}
	}
}

// unsaved adds the open files that are not on the disk yet.
func (w *workspace) unsaved(u *unit) {
	paths := make([]string, 0, len(w.docs))
	for p := range w.docs {
		paths = append(paths, p)
	}
	sort.Strings(paths)
next:
	for _, p := range paths {
		if path.Ext(p) != ".momon" || !isFile(p) || w.unitFor(p) != u {
			continue
		}
		best := -1
		for i, l := range u.layers {
			if slices.Contains(l.files, p) {
				continue next
			}
			if l.own && strings.HasPrefix(p, l.src.Name+"/") && (best < 0 || len(l.src.Name) > len(u.layers[best].src.Name)) {
				best = i
			}
		}
		if best < 0 { // nothing of the folder is on the disk
			u.layers = append(u.layers, layer{own: true, src: interpreter.Source{Name: path.Dir(p)}})
			best = len(u.layers) - 1
		}
		u.layers[best].files = append(u.layers[best].files, p)
		sort.Strings(u.layers[best].files)
	}
}

// flat is a folder without the folders in it.
type flat struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (f flat) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	return slices.DeleteFunc(list, func(d fs.DirEntry) bool { return d.IsDir() }), err
}

// Stat implements fs.StatFS.
func (f flat) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// inArchive reports whether the files of a layer are in an archive, and so not on the
// disk, whatever their names look like.
func inArchive(l *layer) bool { return l.src.FS != nil && !isDir(l.src.Name) }

// read parses a file, unless that was done for the same text.
func (w *workspace) read(l *layer, name string) *interpreter.RuleFile {
	c := w.cache[name]
	if d := w.docs[name]; d != nil {
		if c != nil && c.doc != nil && c.text == d.text {
			return c.file
		}
		f := interpreter.ParseFile(name, d.text)
		w.cache[name] = &cached{doc: d, text: d.text, file: f}
		return f
	}
	if !isFile(name) || inArchive(l) {
		switch {
		case l.src.FS == nil && c == nil:
			return nil // a text that was never a file, and was closed
		case l.src.FS == nil:
			return c.file
		}
		data, err := fs.ReadFile(l.src.FS, strings.TrimPrefix(name, l.src.Name+"/"))
		if err != nil {
			return nil
		}
		if c == nil || c.text != string(data) {
			c = &cached{text: string(data), file: interpreter.ParseFile(name, string(data))}
			w.cache[name] = c
		}
		return c.file
	}
	st, err := os.Stat(filepath.FromSlash(name))
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	if c != nil && c.doc == nil && c.mod.Equal(st.ModTime()) && c.size == st.Size() {
		return c.file
	}
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer f.Close()
	// One byte above the limit is enough to be told of it.
	data, err := io.ReadAll(io.LimitReader(f, grammar.MaxFileBytes+int64(len(bom))+1))
	if err != nil {
		return nil
	}
	if c != nil && c.doc != nil && c.text == string(data) { // it was closed as it was saved
		w.cache[name] = &cached{mod: st.ModTime(), size: st.Size(), file: c.file}
		return c.file
	}
	out := interpreter.ParseFile(name, string(data))
	w.cache[name] = &cached{mod: st.ModTime(), size: st.Size(), file: out}
	return out
}

// gather parses the files of a unit.
func (w *workspace) gather(u *unit) ([]interpreter.Folder, *result) {
	w.list(u)
	r := &result{files: map[string]*interpreter.RuleFile{}}
	var folders []interpreter.Folder
	for i := range u.layers {
		l := &u.layers[i]
		f := interpreter.Folder{Name: l.src.Name}
		for _, name := range l.files {
			if r.files[name] != nil {
				continue // a folder that is asked for twice
			}
			file := w.read(l, name)
			if file == nil {
				continue
			}
			r.files[name] = file
			f.Files = append(f.Files, file)
			if l.own {
				r.own = append(r.own, name)
			}
		}
		folders = append(folders, f)
	}
	sort.Strings(r.own)
	return folders, r
}

// analyse brings what is known of a unit up to date. It must be called without mu.
func (w *workspace) analyse(u *unit) *result {
	w.work.Lock()
	defer w.work.Unlock()
	var folders []interpreter.Folder
	var r, held *result
	w.locked(func() {
		w.archives()
		if !u.stale && u.result != nil && w.known(u) {
			held = u.result
			return
		}
		folders, r = w.gather(u)
		u.stale = false
		if u.result != nil && same(u.result.files, r.files) {
			held = u.result
		}
	})
	if held != nil {
		return held
	}
	r.Analysis = interpreter.Analyse(folders, interpreter.Options{Edition: w.edition, Index: true, Warnings: true})
	w.mu.Lock()
	defer w.mu.Unlock()
	u.result = r
	if r.Program != nil {
		u.good = r
	}
	return r
}

// glance checks one file of a unit without the cases in the others, which most of
// the time goes into. What it finds of the file is what a whole look would find, but
// for a case of the same name elsewhere.
func (w *workspace) glance(u *unit, name string) (*interpreter.Analysis, *interpreter.RuleFile) {
	w.work.Lock()
	defer w.work.Unlock()
	var folders []interpreter.Folder
	var r *result
	w.locked(func() { folders, r = w.gather(u) })
	file := r.files[name]
	if file == nil {
		return nil, nil
	}
	left := 0
	for i := range folders {
		folders[i].Files = slices.DeleteFunc(folders[i].Files, func(f *interpreter.RuleFile) bool {
			only := f != file && len(f.Tree().Decls) > 0
			for _, d := range f.Tree().Decls {
				only = only && d.Case != nil
			}
			left += b2i(only)
			return only
		})
	}
	if left < 5 {
		return nil, nil // a whole look is as good
	}
	return interpreter.Analyse(folders, interpreter.Options{Edition: w.edition}), file
}

func same(a, b map[string]*interpreter.RuleFile) bool {
	if len(a) != len(b) {
		return false
	}
	for n, f := range a {
		if b[n] != f {
			return false
		}
	}
	return true
}

// everywhere lists indexes of a unit under every edition, so that names are found
// wherever they hold.
func (w *workspace) everywhere(u *unit, r *result) []*interpreter.Index {
	out := []*interpreter.Index{r.Index}
	w.work.Lock()
	defer w.work.Unlock()
	var folders []interpreter.Folder
	var now *result
	w.locked(func() { folders, now = w.gather(u) })
	if !same(now.files, r.files) {
		return out
	}
	for _, e := range r.Index.Editions() {
		if e != r.Index.Edition() {
			out = append(out, interpreter.Analyse(folders, interpreter.Options{Edition: e, Index: true}).Index)
		}
	}
	return out
}

// discover makes units of the open folders and of the modules in them.
func (w *workspace) discover() {
	for _, dir := range w.folders {
		w.unit(dir, false)
		filepath.WalkDir(filepath.FromSlash(dir), func(p string, d fs.DirEntry, err error) error {
			switch base := filepath.Base(p); {
			case err != nil:
				return nil
			case d.IsDir() && filepath.ToSlash(p) != dir && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "node_modules"):
				return fs.SkipDir
			case !d.IsDir() && base == "module.momon":
				w.unit(path.Dir(filepath.ToSlash(p)), false)
			}
			return nil
		})
	}
}

// holding lists the units that read a file, the one that it belongs to first.
func (w *workspace) holding(name string) []*unit {
	own := w.unitFor(name)
	out := []*unit{own}
	for _, k := range w.keys() {
		u := w.units[k]
		if u == own {
			continue
		}
		for _, l := range u.layers {
			if slices.Contains(l.files, name) {
				out = append(out, u)
				break
			}
		}
	}
	return out
}

func (w *workspace) keys() []string {
	list := make([]string, 0, len(w.units))
	for k := range w.units {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// lines of a file as the client sees it.
func (w *workspace) lines(f *source.File) *lines {
	if d := w.docs[f.Name]; d != nil {
		if l := fileLines(d.text); l.text == f.Text {
			return l
		}
	}
	return linesOf(f.Text)
}

// linesOf is lines for one who does not hold mu.
func (w *workspace) linesOf(f *interpreter.RuleFile) (l *lines) {
	w.locked(func() { l = w.lines(f.Source()) })
	return l
}

// theirs lists what was found in files that are not the user's and was not there
// without the user's files.
func (r *result) theirs(base *result) []*diag.Diagnostic {
	own := map[string]bool{}
	for _, n := range r.own {
		own[n] = true
	}
	type key struct {
		code string
		span source.Span
	}
	known := map[key]bool{}
	if base != nil {
		for _, d := range base.Diags {
			known[key{d.Code, d.Span}] = true
		}
	}
	var out []*diag.Diagnostic
	for _, d := range r.Diags {
		if d.Severity != diag.Note && (d.Span.File == nil || !own[d.Span.File.Name]) && !known[key{d.Code, d.Span}] {
			out = append(out, d)
		}
	}
	return out
}
