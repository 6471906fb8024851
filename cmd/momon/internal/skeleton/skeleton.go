// Package skeleton writes first versions of rule files. What it writes is data:
// rule files with stand-ins for the new name, which lie in a folder "skeletons"
// beside the rules that they are for. It knows no kind of thing that a rule file
// declares.
package skeleton

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/joined"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/pack"
)

// The stand-ins: for the new name, for its form in names of files and cases, and
// for its form as the name of a pack.
const (
	standIn     = "SKELETON"
	standInSlug = "skeleton"
	standInID   = "skeleton-id"
)

const (
	ruleFile   = ".momon"
	moduleFile = "module.momon"
)

var (
	holes    = regexp.MustCompile(`\b(` + standInID + `|` + standIn + `|` + standInSlug + `)\b`)
	based    = regexp.MustCompile(`(?m)^([ \t]*)# base: (.*\n)`)
	tagged   = regexp.MustCompile(`^#[ \t]*(new[ \t]+)?(\pL[\pL\d-]*):[ \t]?(.*)$`)
	langFile = regexp.MustCompile(`^(.+)\.(\pL{2,3})(\.[^.]+)$`)
)

// Skeleton is one thing that can be written.
type Skeleton struct {
	Kind   string            // what one asks for it by: the name of its file or folder
	Folder bool              // it is written as a folder
	About  map[string]string // what it is, by language
	fsys   fs.FS
	files  []string // in fsys
}

// List finds the skeletons of several folders of them, sorted by kind. A later
// folder's take the place of those of the same kind in an earlier one.
func List(folders []fs.FS) ([]*Skeleton, error) {
	byKind := map[string]*Skeleton{}
	for _, f := range folders {
		entries, err := fs.ReadDir(f, ".")
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := e.Name()
			s := &Skeleton{fsys: f, Folder: e.IsDir(), Kind: strings.TrimSuffix(name, ruleFile), About: map[string]string{}}
			switch {
			case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"):
				continue
			case e.IsDir():
				err = fs.WalkDir(f, name, func(p string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						s.files = append(s.files, p)
					}
					return err
				})
				if err != nil {
					return nil, err
				}
			case path.Ext(name) == ruleFile && name != moduleFile:
				s.files = []string{name}
			default:
				continue
			}
			for _, p := range s.files {
				if path.Ext(p) != ruleFile {
					continue
				}
				data, err := fs.ReadFile(f, p)
				if err != nil {
					return nil, err
				}
				for line := range strings.Lines(string(data)) {
					if m := tagged.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil && m[1] != "" && s.About[m[2]] == "" {
						s.About[m[2]] = m[3]
					}
				}
			}
			if len(s.files) > 0 {
				byKind[s.Kind] = s
			}
		}
	}
	var out []*Skeleton
	for _, s := range byKind {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Kind < out[j].Kind })
	return out, nil
}

// Name is what stands in place of the stand-ins.
type Name struct {
	Name  string
	Texts map[string]string // the name as people read it, by language; Name where there is none
	Lang  string            // the language of comments
	Langs []string          // the languages that comments may be marked with, the one to fall back to first
	Bases []Base            // the packs that it is written for
}

// Base is a pack that what is written stands on.
type Base struct {
	Name  string
	From  string // its version
	Until string // the first version that may be too new
}

func (n *Name) text(lang string) string {
	if t, ok := n.Texts[lang]; ok {
		return t
	}
	return n.Name
}

// Slug is the name as a part of the names of files and cases: in small letters,
// its words with hyphens between, other marks left out.
func (n *Name) Slug() string {
	var b strings.Builder
	for _, r := range strings.ToLower(n.Name) {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case r == ' ' || r == '-' || r == '_' || r == '.':
			if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
				b.WriteByte('-')
			}
		}
	}
	return strings.Trim(b.String(), "-")
}

// File is a file to write.
type File struct {
	Name string // with forward slashes; of a folder's skeleton it begins with the folder
	Data string
}

// Bare reports whether the name is used in a place where rule text writes names
// without quotes, so that it has to look like a name.
func (s *Skeleton) Bare() (bool, error) {
	for _, p := range s.files {
		if path.Ext(p) != ruleFile {
			continue
		}
		data, err := fs.ReadFile(s.fsys, p)
		if err != nil {
			return false, err
		}
		for _, t := range grammar.Tokens(source.NewFile(p, string(data)), &diag.List{}) {
			if t.Kind == grammar.Ident && t.Text == standIn {
				return true, nil
			}
		}
	}
	return false, nil
}

// Fill makes the files of a skeleton for a name.
func (s *Skeleton) Fill(n *Name) ([]File, error) {
	slug := n.Slug()
	var out []File
	for _, p := range s.files {
		data, err := fs.ReadFile(s.fsys, p)
		if err != nil {
			return nil, err
		}
		file := File{Data: string(data)}
		if s.Folder {
			file.Name = path.Join(slug, strings.TrimPrefix(p, s.Kind+"/"))
		} else {
			file.Name = slug + ruleFile
			if file.Name == moduleFile { // this name would make a module of the folder
				file.Name = slug + "-" + s.Kind + ruleFile
			}
		}
		if path.Ext(p) == ruleFile {
			file.Data = fillRules(p, file.Data, n, strings.TrimSuffix(path.Base(file.Name), ruleFile), s.Folder)
		} else {
			if m := langFile.FindStringSubmatch(file.Name); m != nil && slices.Contains(n.Langs, m[2]) {
				if m[2] != s.langOf(n, p) {
					continue
				}
				file.Name = m[1] + m[3]
			}
			file.Data = fill(file.Data, n.Name, slug)
		}
		out = append(out, file)
	}
	return out, nil
}

// langOf is the language in which a file that is there in several is wanted.
func (s *Skeleton) langOf(n *Name, p string) string {
	m := langFile.FindStringSubmatch(p)
	for _, lang := range append([]string{n.Lang}, n.Langs...) {
		if slices.Contains(s.files, m[1]+"."+lang+m[3]) {
			return lang
		}
	}
	return ""
}

func fill(text, name, slug string) string {
	return joined.Smooth(holes.ReplaceAllStringFunc(text, func(h string) string {
		switch h {
		case standIn:
			return joined.Mark + name + joined.Mark
		case standInID:
			return packID(slug)
		}
		return slug
	}))
}

// packID is a slug as the name of a pack, which has fewer letters. A name that has
// none of them becomes one that somebody will want to change.
func packID(slug string) string {
	var b strings.Builder
	for _, r := range slug {
		if r == '-' && (b.Len() == 0 || strings.HasSuffix(b.String(), "-")) || b.Len() == pack.MaxID {
			continue
		}
		if r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	if id := strings.Trim(b.String(), "-"); pack.IsName(id) {
		return id
	}
	return "my-pack"
}

// standing writes a line that is marked with "# base:" once for each pack that what
// is written stands on.
func standing(text string, bases []Base) string {
	return based.ReplaceAllStringFunc(text, func(line string) string {
		m := based.FindStringSubmatch(line)
		var b strings.Builder
		for _, x := range bases {
			b.WriteString(m[1] + strings.NewReplacer("NAME", x.Name, "FROM", x.From, "UNTIL", x.Until).Replace(m[2]))
		}
		return b.String()
	})
}

// fillRules fills a rule file in. stem is its new name without the ending: what
// comments and texts call the file by.
func fillRules(name, text string, n *Name, stem string, folder bool) string {
	text = standing(text, n.Bases)
	file := source.NewFile(name, text)
	toks := grammar.Tokens(file, &diag.List{})
	lang := commentLang(file, toks, n)
	slug := n.Slug()
	if !folder {
		slugFile := regexp.MustCompile(`\b` + standInSlug + regexp.QuoteMeta(ruleFile))
		text = slugFile.ReplaceAllString(text, strings.ReplaceAll(stem, "$", "$$")+ruleFile)
		file = source.NewFile(name, text)
		toks = grammar.Tokens(file, &diag.List{})
	}
	var b strings.Builder
	at := 0
	for i, t := range toks {
		if t.Kind == grammar.EOF || t.Start < at {
			continue
		}
		old := t.Span.Text()
		switch t.Kind {
		case grammar.Comment:
			start := file.LineStart(file.Line(t.Start))
			lead := file.Text[start:t.Start]
			m := tagged.FindStringSubmatch(old)
			if strings.TrimSpace(lead) != "" || m == nil || m[1] == "" && !slices.Contains(n.Langs, m[2]) {
				b.WriteString(file.Text[at:t.Start] + fill(old, n.Name, slug))
				break
			}
			b.WriteString(file.Text[at:start])
			end := t.End
			if m[1] == "" && m[2] == lang {
				b.WriteString(strings.TrimRight(lead+"# "+fill(m[3], n.Name, slug), " "))
			} else if end < len(file.Text) {
				end = strings.IndexByte(file.Text[end:], '\n') + end + 1 // the whole line goes
			}
			at = end
			continue
		case grammar.String:
			shown := n.Name
			if i > 0 && toks[i-1].Kind == grammar.Word && slices.Contains(n.Langs, toks[i-1].Text) {
				shown = n.text(toks[i-1].Text)
			}
			b.WriteString(file.Text[at:t.Start] + fill(old, shown, slug))
		case grammar.Ident:
			b.WriteString(file.Text[at:t.Start])
			switch {
			case t.Text != standIn:
				b.WriteString(old)
			case i > 0 && toks[i-1].Start == file.LineStart(file.Line(t.Start)) && !oneToken(n.Name):
				b.WriteString(`"` + n.Name + `"`) // where it is declared
			default:
				b.WriteString(n.Name)
			}
		default:
			b.WriteString(file.Text[at:t.End])
		}
		at = t.End
	}
	return b.String() + file.Text[at:]
}

// oneToken reports whether a name is written without quotes everywhere.
func oneToken(name string) bool {
	toks := grammar.Tokens(source.NewFile("", name), &diag.List{})
	return toks[0].Kind == grammar.Ident && toks[0].Span.Text() == name
}

// commentLang is the language of a file's comments that is kept.
func commentLang(file *source.File, toks []grammar.Token, n *Name) string {
	has := map[string]bool{}
	for _, t := range toks {
		if t.Kind != grammar.Comment {
			continue
		}
		if m := tagged.FindStringSubmatch(t.Span.Text()); m != nil && m[1] == "" {
			has[m[2]] = true
		}
	}
	for _, lang := range append([]string{n.Lang}, n.Langs...) {
		if has[lang] {
			return lang
		}
	}
	return n.Lang
}
