// Package pack makes one file of a folder of rules that others can check, pin and
// stand on, and reads such files without trusting them.
//
// A pack is a folder with a pack declaration in its rules, or one archive of it.
// FromFolder and FromArchive give the same Pack of both; Archive gives the bytes.
// There is one archive of a folder and no other: an archive whose bytes are not
// those that its own contents would give is refused, so what hides in an order, a
// mode, a padding or behind the end has no place to be.
//
// Nothing here writes files. A Pack never changes.
package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/manifest"
)

// Limits of what a pack may hold. What lies beyond is refused before it is read.
const (
	MaxArchive = 64 << 20 // bytes of an archive
	MaxFiles   = 20_000   // files
	MaxText    = 1 << 20  // bytes of a file that is no rule file
	MaxRules   = grammar.MaxFileBytes
	MaxPath    = 150              // bytes of a file's path
	MaxName    = 100              // bytes of one name in it
	MaxDepth   = 8                // folders inside each other
	MaxID      = manifest.MaxName // bytes of the name of a pack
)

// Ext is how the names of archives end.
const Ext = ".momonpack"

// Language is the newest version of the rule language that packs can be in.
const Language = 1

// Features are what a pack can say that it needs of a program.
func Features() []string { return manifest.Features() }

// LockName is the file beside a folder of rules that says exactly which packs the
// folder stands on. It is no part of a pack.
const LockName = "momon.lock"

// Sums is the file in an archive that lists the others. It can be checked with
// sha256sum -c.
const Sums = "SHA256SUMS"

// Pack is a pack of rules: what it says of itself, and its files.
type Pack struct {
	Name     string
	Version  string            // a semantic version, without a v
	Texts    map[string]string // what people call it, by language
	Edition  string            // the edition of the rules that it was made for, or ""
	Date     string            // the day from which that holds (YYYY-MM-DD), or ""
	Language int               // the version of the rule language
	Needs    []string          // what a program must be able to do
	Stands   []Stand           // what it stands on
	Content  string            // SHA-256 of its canonical content, in hexadecimal
	Raw      string            // SHA-256 of its archive, in hexadecimal
	Files    []File            // by path
	Left     []Left            // what lies in the folder and is no part of the pack

	fsys    *memory
	archive []byte
}

// Stand is a pack that another stands on.
type Stand struct {
	Name   string
	From   string // the lowest version that will do, or ""
	Until  string // the lowest version that no longer does, or ""
	Digest string // of its canonical content, or "" for any
}

// Next is the first version that may mean something else by the same names: the
// next with another first number, or before 1.0.0 another second.
func Next(version string) string {
	core, _, _ := strings.Cut(version, "-")
	n := strings.Split(core, ".")
	if len(n) != 3 {
		return ""
	}
	at := 0
	if n[0] == "0" {
		at = 1
	}
	v, err := strconv.Atoi(n[at])
	if err != nil {
		return ""
	}
	n[at] = strconv.Itoa(v + 1)
	for i := at + 1; i < 3; i++ {
		n[i] = "0"
	}
	return strings.Join(n, ".")
}

// Fits reports whether a version lies in the range.
func (s Stand) Fits(version string) bool {
	m := manifest.Stand{From: s.From, Until: s.Until}
	return m.Fits(version)
}

// Range is the range of versions as rule data writes it, or "".
func (s Stand) Range() string {
	m := manifest.Stand{From: s.From, Until: s.Until}
	return m.Range()
}

// Compare orders versions: below 0 where a comes before b.
func Compare(a, b string) int { return manifest.Compare(a, b) }

// IsName reports whether a text can be the name of a pack.
func IsName(s string) bool { return manifest.IsName(s) }

// IsVersion reports whether a text can be the version of a pack.
func IsVersion(s string) bool { return manifest.IsVersion(s) }

// IsDigest reports whether a text is a SHA-256 in hexadecimal.
func IsDigest(s string) bool { return manifest.IsDigest(s) }

// File is one file of a pack.
type File struct {
	Path   string // with /, from the top of the pack
	Size   int64  // in bytes
	SHA256 string // in hexadecimal
}

// Left is something in a folder that is no part of the pack.
type Left struct {
	Path string
	Why  string // kind, module or elsewhere
}

// FS is the folder that the pack is. It can be read by several goroutines.
func (p *Pack) FS() fs.FS { return p.fsys }

// Archive is the pack as one file. It must not be changed.
func (p *Pack) Archive() []byte { return p.archive }

// FileName is what an archive of the pack is called unless somebody wants it
// otherwise.
func (p *Pack) FileName() string { return p.Name + "-" + p.Version + Ext }

// ID is name and version in one.
func (p *Pack) ID() string { return p.Name + " " + p.Version }

// FromFolder makes a pack of a folder. The error is an *Error where the folder is
// no pack or can't be made one.
func FromFolder(fsys fs.FS) (*Pack, error) {
	files, left, err := collect(fsys)
	if err != nil {
		return nil, err
	}
	p, err := assemble(files, nil)
	if err != nil {
		return nil, err
	}
	p.Left = left
	return p, nil
}

// FromArchive reads a pack that came from anywhere. It believes nothing: each byte
// is compared with what a pack of these files must be. The error is an *Error.
func FromArchive(data []byte) (*Pack, error) {
	sums, files, err := unpack(data)
	if err != nil {
		return nil, err
	}
	head, err := readSums(sums)
	if err != nil {
		return nil, err
	}
	if err := head.matches(files); err != nil {
		return nil, err
	}
	p, err := assemble(files, data)
	if err != nil {
		return nil, err
	}
	_, left, err := survey(p.fsys)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		return nil, fault("no-part", left[0].Path)
	}
	if p.sums() != string(sums) {
		return nil, head.lie(p)
	}
	if string(p.archive) != string(data) { // all that could differ has been looked at
		return nil, fault("not-canonical")
	}
	return p, nil
}

// item is a file on its way into or out of an archive.
type item struct {
	path string
	data []byte
}

// assemble reads the manifest and works out the digests. Of an archive that is
// there already, the bytes are kept.
func assemble(files []item, from []byte) (*Pack, error) {
	p := &Pack{fsys: newMemory(files), Texts: map[string]string{}, Language: Language}
	raw := make(chan string, 1)
	if from != nil {
		go func() { raw <- sum(from) }()
	}
	for _, f := range files {
		p.Files = append(p.Files, File{Path: f.path, Size: int64(len(f.data)), SHA256: sum(f.data)})
	}
	err := p.read(files)
	if from != nil {
		p.Raw = <-raw
	}
	if err != nil {
		return nil, err
	}
	if p.archive, err = pack(p.sums(), files); err != nil {
		return nil, err
	}
	if from == nil {
		p.Raw = sum(p.archive)
	}
	return p, nil
}

// read parses the rule files: for the manifest, and for the digest of the content.
func (p *Pack) read(files []item) error {
	var diags diag.List
	var found *manifest.Manifest
	sum := newContent()
	parts := Parts(p.fsys)
	for _, f := range files {
		if path.Ext(f.path) != ".momon" {
			continue
		}
		part, ok := partOf(parts, f.path)
		if !ok {
			continue
		}
		file := source.NewFile(f.path, string(f.data))
		tree := grammar.Parse(file, &diags)
		sum.tree(part, tree)
		for _, d := range tree.Decls {
			switch {
			case d.Head == manifest.Head && d.Plain != nil:
				m := manifest.Read(d, &diags)
				if found != nil {
					diags.Add("pack-twice", m.At, "name", m.Name, "other", found.Name).With("declared-here", found.At)
				}
				found = m
			case d.Head == "language" && d.Plain != nil && d.Plain.Title.Text != "1":
				diags.Add("language-too-new", d.Plain.Title.Span, "language", d.Plain.Title.Text)
			}
		}
	}
	if diags.Errors() > 0 {
		e := fault("rules")
		for _, d := range diags.Sorted() {
			if d.Severity == diag.Error {
				e.Diags = append(e.Diags, d)
			}
		}
		return e
	}
	if found == nil {
		return fault("no-manifest")
	}
	p.Name, p.Version, p.Edition, p.Date, p.Needs = found.Name, found.Version, found.Edition, found.Date, found.Needs
	slices.Sort(p.Needs)
	for _, t := range found.Texts {
		p.Texts[t.Lang] = t.Value
	}
	for _, s := range found.Stands {
		p.Stands = append(p.Stands, Stand{Name: s.Name, From: s.From, Until: s.Until, Digest: s.Digest})
	}
	slices.SortFunc(p.Stands, func(a, b Stand) int { return cmp.Compare(a.Name, b.Name) })
	p.Content = sum.digest()
	return nil
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// Part is a folder of rule files that is read as one.
type Part struct {
	Dir   string // "." or where it lies
	Cases bool   // it holds cases, which not everybody wants
	Flat  bool   // folders in it are not read with it
}

// Parts are the folders of a folder that are read, in order: those of a project
// where it is laid out as one, with a folder rules, else the folder itself.
func Parts(fsys fs.FS) []Part {
	if !isDir(fsys, "rules") {
		return []Part{{Dir: "."}}
	}
	var out []Part
	for _, dir := range []string{"rules", "cards", "conformance/cases", "cases"} {
		if isDir(fsys, dir) {
			out = append(out, Part{Dir: dir, Cases: path.Base(dir) == "cases", Flat: true})
		}
	}
	return out
}

func isDir(fsys fs.FS, dir string) bool {
	st, err := fs.Stat(fsys, dir)
	return err == nil && st.IsDir()
}

// partOf is the part that a rule file is read with.
func partOf(parts []Part, name string) (string, bool) {
	if inSkeletons(name) {
		return "", false
	}
	for _, part := range parts {
		if part.Dir == "." || path.Dir(name) == part.Dir {
			return part.Dir, true
		}
	}
	return "", false
}

// inSkeletons reports whether a file is a first version for people who write rules
// of their own, which lies in the pack and is not read with it.
func inSkeletons(name string) bool {
	return strings.HasPrefix(name, "skeletons/") || strings.HasPrefix(name, "rules/skeletons/")
}

// collect reads the files of a folder that belong to the pack, by path.
func collect(fsys fs.FS) (files []item, left []Left, err error) {
	names, left, err := survey(fsys)
	if err != nil {
		return nil, nil, err
	}
	c := newClashes()
	total := int64(0)
	for _, name := range names {
		if err := checkPath(name); err != nil {
			return nil, nil, err
		}
		if err := c.add(name); err != nil {
			return nil, nil, err
		}
		st, err := fs.Stat(fsys, name)
		if err != nil {
			return nil, nil, err
		}
		limit := limitOf(name)
		if st.Size() > limit {
			return nil, nil, fault("file-large", name, limit)
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, nil, err
		}
		if total += padded(int64(len(data))) + block; total > MaxArchive {
			return nil, nil, fault("large", MaxArchive>>20)
		}
		files = append(files, item{name, data})
	}
	return files, left, nil
}

// survey finds the files of a folder that belong to the pack, and what does not.
func survey(fsys fs.FS) (files []string, left []Left, err error) {
	project, parts := isDir(fsys, "rules"), Parts(fsys)
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".":
			return nil
		}
		base := path.Base(name)
		if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			switch _, err := fs.Stat(fsys, path.Join(name, "module.momon")); {
			case err == nil && !inSkeletons(name+"/"):
				left = append(left, Left{name, "module"})
				return fs.SkipDir
			case project && !projectFolder(name):
				left = append(left, Left{name, "elsewhere"})
				return fs.SkipDir
			}
			return nil
		}
		_, read := partOf(parts, name)
		switch {
		case name == LockName:
		case !packed(base):
			left = append(left, Left{name, "kind"})
		case path.Ext(base) == ".momon" && !read && !inSkeletons(name):
			left = append(left, Left{name, "elsewhere"})
		case d.Type()&fs.ModeSymlink != 0:
			return fault("link", name)
		case !d.Type().IsRegular():
			return fault("not-file", name)
		case len(files) == MaxFiles:
			return fault("many", MaxFiles)
		default:
			files = append(files, name)
		}
		return nil
	})
	slices.Sort(files)
	slices.SortFunc(left, func(a, b Left) int { return cmp.Compare(a.Path, b.Path) })
	return files, left, err
}

// projectFolder reports whether a folder of a project can hold files of the pack.
func projectFolder(name string) bool {
	switch name {
	case "rules", "cards", "cases", "conformance", "conformance/cases", "skeletons":
		return true
	}
	return inSkeletons(name + "/")
}

// packed reports whether files of that name go into packs: rules, and what people
// read.
func packed(base string) bool {
	switch path.Ext(base) {
	case ".momon", ".md", ".txt":
		return true
	}
	switch base {
	case "LICENSE", "NOTICE", "COPYING":
		return true
	}
	return false
}

// limitOf is how large a file may be, in bytes.
func limitOf(name string) int64 {
	if path.Ext(name) == ".momon" {
		return MaxRules + 3 // a byte-order mark does not count
	}
	return MaxText
}
