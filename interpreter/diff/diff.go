// Package diff tells what an edit of rule data changes. Compare looks at two sets of
// rules declaration by declaration and statement by statement, however the files are
// laid out and in whatever order; Cases and Games play what there is under both.
//
// Declarations are compared as clauses of tokens, as the digest of a pack's content
// is, and not as syntax trees: a clause is what people edit, what has a margin, and
// what can be shown. What an edit means for players is asked of the loaded programs.
package diff

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// Side is one of two sets of rules.
type Side struct {
	Name    string // as somebody named it
	Sources []interpreter.Source
	Options interpreter.Options
	Folders []interpreter.Folder
	Program *interpreter.Program
}

// Open reads the rules of a side. The error is interpreter.ErrRules where the
// diagnostics have errors.
func Open(ctx context.Context, name string, sources []interpreter.Source, o interpreter.Options) (*Side, []*diag.Diagnostic, error) {
	s := &Side{Name: name, Sources: sources, Options: o}
	var diags []*diag.Diagnostic
	var err error
	s.Program, s.Folders, diags, err = interpreter.LoadFolders(ctx, sources, o)
	return s, diags, err
}

// ID names a declaration: its head word and name, and for some what it is of.
type ID struct {
	Head string `json:"head"`
	Name string `json:"name"`
	Of   string `json:"of,omitempty"`
}

// String is the ID as rule data begins the declaration.
func (id ID) String() string {
	name := id.Name
	switch id.Head {
	case "statement":
		if rule, key, ok := strings.Cut(name, " "); ok {
			name = rule + ` "` + key + `"`
		}
	case "text":
		if lang, key, ok := strings.Cut(name, " "); ok {
			name = lang + ` "` + key + `"`
		}
	default:
		if strings.Contains(name, " ") || strings.Contains(name, ".") && strings.ContainsFunc(name, letter) {
			name = `"` + name + `"`
		}
	}
	s := strings.TrimSpace(id.Head + " " + name)
	if id.Of != "" {
		s += " of " + id.Of
	}
	return s
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// Kind says what became of a declaration.
type Kind string

// The kinds of change, in the order in which they are told.
const (
	Renamed Kind = "renamed"
	Changed Kind = "changed"
	Added   Kind = "added"
	Removed Kind = "removed"
	Private Kind = "private" // only a name changed that nothing outside of it knows
)

// Kinds lists them in that order.
var Kinds = []Kind{Renamed, Changed, Added, Removed, Private}

// Change is a declaration that is not what it was.
type Change struct {
	Kind   Kind              `json:"kind"`
	ID     ID                `json:"id"`               // Added: its new name; else its old
	To     string            `json:"to,omitempty"`     // Renamed: the new name
	Names  [][2]string       `json:"names,omitempty"`  // Private: old names with the new
	Lines  []Line            `json:"lines,omitempty"`  // Changed, and Renamed where more changed than the name
	Follow []ID              `json:"follow,omitempty"` // Renamed: what else speaks of it, and changed in nothing but that
	Rules  []interpreter.Ref `json:"rules,omitempty"`  // statements that the changed data carries out, or of which it speaks
	Old    interpreter.Place `json:"old,omitzero"`
	New    interpreter.Place `json:"new,omitzero"`
}

// Line is a clause that was changed, taken out or put in. Old or New is "" where
// there is none.
type Line struct {
	In    string            `json:"in,omitempty"` // the clause whose block it stands in
	Old   string            `json:"old,omitempty"`
	New   string            `json:"new,omitempty"`
	Cited string            `json:"cited,omitempty"` // where the margin alone changed, or it too: the old one
	Cites string            `json:"cites,omitempty"` // and the new one
	Rules []interpreter.Ref `json:"rules,omitempty"` // that it carries out, before or now
	Place interpreter.Place `json:"place"`
}

// Statement is a statement of the rules whose wording or standing changed, or whose
// data did.
type Statement struct {
	interpreter.Ref
	Kind   Kind              `json:"kind"`
	Status string            `json:"status,omitempty"`
	Text   map[string]string `json:"text,omitempty"` // by language, as it is now; where it is gone, as it was
	By     []ID              `json:"by"`             // the declarations that brought it about
}

// Fact is something that players can see of a declaration and that changed.
type Fact struct {
	ID    ID                `json:"id"`
	Label map[string]string `json:"label"`         // by language
	Old   map[string]string `json:"old,omitempty"` // nothing where it was not there
	New   map[string]string `json:"new,omitempty"` // nothing where it is gone
}

// Report is what differs between two sets of rules.
type Report struct {
	Old        Version     `json:"old"`
	New        Version     `json:"new"`
	Changes    []Change    `json:"changes"`
	Suite      []Change    `json:"cases_changed"` // cases, which are no rules
	Statements []Statement `json:"statements"`
	Seen       []Fact      `json:"seen"`
	Cases      *Cases      `json:"cases,omitempty"`
	Games      *Games      `json:"games,omitempty"`
	Find       *Search     `json:"search,omitempty"`
	Step       *Step       `json:"step"`

	a, b     *Side
	was, now defs
}

// Version is what is said of a side.
type Version struct {
	Name    string `json:"name"`
	Pack    string `json:"pack,omitempty"`
	Version string `json:"version,omitempty"`
	Edition string `json:"edition,omitempty"`
	Digest  string `json:"digest"` // of the rule files as read
}

// Compare finds what differs between the declarations of two sets of rules.
func Compare(old, new *Side) *Report {
	r := &Report{Changes: []Change{}, Suite: []Change{}, Statements: []Statement{}, Seen: []Fact{}, a: old, b: new}
	r.Old, r.New = versionOf(old), versionOf(new)
	r.was, r.now = read(old, new)
	r.pack()
	var pairs [][2]*def
	var gone, come []*def
	for _, key := range keys(r.was, r.now) {
		p, g, c := paired(r.was[key], r.now[key])
		pairs, gone, come = append(pairs, p...), append(gone, g...), append(come, c...)
	}
	names, renamed, gone, come := renames(gone, come)
	var list []Change
	at := map[string]int{}
	for _, p := range renamed {
		c := changeOf(Renamed, p[0], p[1])
		c.To = p[1].id.Name
		if !sameBut(p[0], p[1], names) {
			c.Lines = lines(p[0], p[1], names)
		}
		at[p[0].id.Head+"\x00"+p[0].id.Name] = len(list)
		list = append(list, c)
	}
	for _, p := range pairs {
		if p[0].whole == p[1].whole {
			continue
		}
		if sameBut(p[0], p[1], names) {
			for _, n := range names {
				if n.in(p[0], p[1]) {
					c := &list[at[n.head+"\x00"+n.old]]
					c.Follow = append(c.Follow, p[0].id)
				}
			}
			continue
		}
		if own, ok := private(p[0], p[1]); ok {
			c := changeOf(Private, p[0], p[1])
			c.Names = own
			list = append(list, c)
			continue
		}
		c := changeOf(Changed, p[0], p[1])
		c.Lines = lines(p[0], p[1], names)
		for _, l := range c.Lines {
			c.Rules = addRefs(c.Rules, l.Rules...)
		}
		c.Rules = addRefs(c.Rules, p[1].own()...)
		list = append(list, c)
	}
	for _, d := range gone {
		c := changeOf(Removed, d, nil)
		c.Rules = d.rules()
		list = append(list, c)
	}
	for _, d := range come {
		c := changeOf(Added, nil, d)
		c.Rules = d.rules()
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(slices.Index(Kinds, a.Kind)-slices.Index(Kinds, b.Kind), cmp.Compare(a.ID.String(), b.ID.String()))
	})
	for _, c := range list {
		if c.ID.Head == "case" {
			r.Suite = append(r.Suite, c)
		} else {
			r.Changes = append(r.Changes, c)
		}
	}
	r.statements()
	r.facts()
	r.versions()
	r.step()
	return r
}

// pack takes out of the declarations what a pack says of itself: that is told with
// the versions.
func (r *Report) pack() {
	for _, all := range []defs{r.was, r.now} {
		for key, list := range all {
			if len(list) > 0 && list[0].id.Head == "pack" {
				delete(all, key)
			}
		}
	}
}

func versionOf(s *Side) Version {
	v := Version{Name: s.Name, Edition: s.Program.Edition(), Digest: s.Program.Digest()}
	if packs := s.Program.Packs("en"); len(packs) > 0 {
		last := packs[len(packs)-1]
		v.Pack, v.Version = last.Name, last.Version
	}
	return v
}

// versions finds the pack whose version has to go up: the last in which something
// changed, and the last of all where that is in none.
func (r *Report) versions() {
	touched := [2]map[string]bool{{}, {}} // folders, by side
	for side, s := range []*Side{r.a, r.b} {
		for _, f := range s.Folders {
			for _, c := range append(slices.Clone(r.Changes), r.Suite...) {
				if file := []string{c.Old.File, c.New.File}[side]; strings.HasPrefix(file, path.Clean(f.Name)+"/") || f.Name == "." {
					if file != "" {
						touched[side][f.Name] = true
					}
				}
			}
		}
	}
	find := func(s *Side, touched map[string]bool, name string) (pack, version string) {
		for _, p := range s.Program.Packs("en") {
			for _, f := range s.Folders {
				if name == p.Name || name == "" && touched[f.Name] && (f.Name == "." || strings.HasPrefix(p.Place.File, path.Clean(f.Name)+"/")) {
					pack, version = p.Name, p.Version
				}
			}
		}
		return pack, version
	}
	if len(r.Changes) == 0 && len(r.Suite) == 0 {
		return
	}
	r.New.Pack, r.New.Version = find(r.b, touched[1], "")
	if r.New.Pack == "" { // what was taken out can have been in one
		r.Old.Pack, r.Old.Version = find(r.a, touched[0], "")
		if len(touched[1]) == 0 { // nothing was put in its place
			r.New.Pack, r.New.Version = find(r.b, nil, r.Old.Pack)
		}
		return
	}
	r.Old.Pack, r.Old.Version = find(r.a, nil, r.New.Pack)
}

func changeOf(k Kind, old, new *def) Change {
	c := Change{Kind: k}
	if old != nil {
		c.ID, c.Old = old.id, interpreter.PlaceOf(old.span)
	} else {
		c.ID = new.id
	}
	if new != nil {
		c.New = interpreter.PlaceOf(new.span)
	}
	return c
}

// keys lists the keys of both sides in order.
func keys(a, b defs) []string {
	var out []string
	for k := range a {
		out = append(out, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// paired puts declarations of the same name together: those that say the same, then
// those that are most alike.
func paired(old, new []*def) (pairs [][2]*def, gone, come []*def) {
	old, new = apartFrom(old, new), apartFrom(new, old)
	count := map[string]int{}
	for _, d := range append(slices.Clone(old), new...) {
		d.cut()
	}
	for _, d := range new {
		count[d.whole]++
	}
	for _, d := range old {
		if count[d.whole] > 0 {
			count[d.whole]--
			continue
		}
		gone = append(gone, d)
	}
	for i := len(new) - 1; i >= 0; i-- {
		if d := new[i]; count[d.whole] > 0 {
			count[d.whole]--
			come = append(come, d)
		}
	}
	slices.Reverse(come)
	if len(gone)*len(come) > 10_000 {
		return pairs, gone, come
	}
	named := len(gone) > 0 && gone[0].id.Name != ""
	for len(gone) > 0 && len(come) > 0 {
		best, x, y := -1.0, 0, 0
		for i, g := range gone {
			for k, c := range come {
				if s := alike(g, c); s > best {
					best, x, y = s, i, k
				}
			}
		}
		if !named && best < 0.5 {
			break
		}
		pairs = append(pairs, [2]*def{gone[x], come[y]})
		gone, come = slices.Delete(gone, x, x+1), slices.Delete(come, y, y+1)
	}
	return pairs, gone, come
}

// apartFrom leaves out of declarations those that others hold letter for letter.
func apartFrom(list, others []*def) []*def {
	if len(others) == 0 {
		return list
	}
	have := map[string]int{}
	for _, d := range others {
		have[d.written()]++
	}
	var out []*def
	for _, d := range list {
		if w := d.written(); have[w] > 0 {
			have[w]--
		} else {
			out = append(out, d)
		}
	}
	return out
}

// alike is how much of two declarations is the same, from 0 to 1.
func alike(a, b *def) float64 {
	have := map[string]int{}
	for _, t := range a.toks {
		have[t.Text]++
	}
	n := 0
	for _, t := range b.toks {
		if have[t.Text] > 0 {
			have[t.Text]--
			n++
		}
	}
	return 2 * float64(n) / float64(max(1, len(a.toks)+len(b.toks)))
}

// statements gathers the statements that changes speak of or whose data they are.
func (r *Report) statements() {
	at := map[interpreter.Ref]int{}
	for _, c := range r.Changes {
		if c.Kind == Private {
			continue
		}
		self := c.ID.Head == "statement"
		for _, ref := range c.Rules {
			i, ok := at[ref]
			if !ok {
				i = len(r.Statements)
				at[ref] = i
				r.Statements = append(r.Statements, Statement{Ref: ref, Kind: Changed})
			}
			s := &r.Statements[i]
			s.By = append(s.By, c.ID)
			if self && (c.Kind == Added || c.Kind == Removed) {
				s.Kind = c.Kind
			}
		}
	}
	if len(r.Statements) == 0 {
		return
	}
	for _, lang := range r.languages() {
		for _, p := range []*interpreter.Program{r.a.Program, r.b.Program} { // the new one counts
			for _, rule := range p.Rules(lang) {
				if i, ok := at[interpreter.Ref{Rule: rule.Number}]; ok && rule.Summary != "" {
					r.Statements[i].say(lang, "", rule.Summary)
				}
				for _, s := range rule.Statements {
					if i, ok := at[interpreter.Ref{Rule: s.Rule, Key: s.Key}]; ok {
						r.Statements[i].say(lang, s.Status, s.Text)
					}
				}
			}
		}
	}
	slices.SortFunc(r.Statements, func(a, b Statement) int {
		if a.Rule != b.Rule {
			if interpreter.LessRule(a.Rule, b.Rule) {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Key, b.Key)
	})
}

func (s *Statement) say(lang, status, text string) {
	if s.Text == nil {
		s.Text = map[string]string{}
	}
	s.Text[lang], s.Status = text, status
}

// languages are those that both sides can be told in.
func (r *Report) languages() []string {
	out := []string{}
	for _, p := range []*interpreter.Program{r.a.Program, r.b.Program} {
		for _, l := range p.Languages() {
			if !slices.Contains(out, l.Code) {
				out = append(out, l.Code)
			}
		}
	}
	return out
}

// Empty reports whether nothing differs that could be seen: not even a statement.
func (r *Report) Empty() bool {
	for _, c := range r.Changes {
		if c.Kind != Private {
			return false
		}
	}
	return len(r.Seen) == 0
}
