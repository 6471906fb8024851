// Package check turns syntax trees into a program: it resolves names and types,
// reports everything that is wrong in one run, and lays out what the match needs.
//
// Order never matters: declarations are sorted by head and name before anything
// is numbered, so that moving a declaration to another file changes no result.
package check

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Module is a folder of rule files. Later modules stand on earlier ones: they
// may override what those declare.
type Module struct {
	Name  string
	Files []*grammar.File
}

// Options choose what is loaded.
type Options struct {
	Edition string // the edition in force; "" is the newest in the data

	// Stub replaces what provisional files work out and do by something that
	// fails when it is touched, and leaves out every case that is not normative:
	// so it is shown that no normative case hangs on a stand-in.
	Stub bool

	// Names collects every name that is resolved, for editors; nil for not at all.
	Names *program.Names

	// Kept, where it is set, is called with every declaration that holds and that
	// nothing overrides, extensions too, and the module that it is from.
	Kept func(d *grammar.Decl, module int)
}

// maxSet bounds a values list, since sets of its names are held as bits.
const maxSet = 63

type charKey struct {
	entity program.Entity
	action int
	name   string
}

type decl struct {
	*grammar.Decl
	name        string
	module      int
	provisional string
	extends     []*decl
	index       int
	based       bool // an override whose base has been seen
}

type line struct {
	file *source.File
	n    int
}

type checker struct {
	p      *program.Program
	diags  *diag.List
	opts   Options
	decls  []*decl
	byHead map[string][]*decl

	modules map[*source.File]int // the number of each file's module

	values   map[string]int
	byValue  map[string][]int // a name to the values lists that have it
	kinds    map[string]int
	zones    map[string]int
	tokens   map[string]int
	layers   map[string]int
	actions  map[string]int
	tables   map[string]int
	headers  map[string]int
	keywords map[string]int
	cards    map[string]int
	chars    map[charKey]*program.Char
	failed   map[string]bool   // names whose declaration failed: their uses are silent
	lacking  map[string]string // what a name that failed would have declared, where there is nothing to override
	again    []*decl           // declarations of a name that another has: nothing is built of them
	silent   int               // how often that was so
	charRead map[int]bool
	layerOf  map[program.Verb]int
	rules    map[string]bool // rule numbers that exist
	keys     map[string]string
	later    []func() // bodies, after every name is known
	textIDs  map[string]int64
	trees    map[string]ast.Node    // parsed expressions by shape
	slips    map[line]bool          // lines in which the parser found something
	cuts     []source.Span          // declarations of which it could not read a part
	labels   map[string]source.Span // of effects in the case at hand
	asked    []grammar.Name         // decisions that cases speak of
	chosen   []program.NameKey      // what decisions are called after, for editors
	all      []*decl                // every declaration, for editors: also those that are not in force
}

// Check builds a program out of modules, the base first. The program is nil if
// there were errors that leave nothing to run.
func Check(modules []Module, opts Options, diags *diag.List) *program.Program {
	c := &checker{
		p: &program.Program{Root: -1, Language: 1}, diags: diags, opts: opts, byHead: map[string][]*decl{},
		values: map[string]int{}, byValue: map[string][]int{}, kinds: map[string]int{}, zones: map[string]int{},
		tokens: map[string]int{}, layers: map[string]int{}, actions: map[string]int{}, tables: map[string]int{},
		headers: map[string]int{}, keywords: map[string]int{}, cards: map[string]int{}, chars: map[charKey]*program.Char{},
		failed: map[string]bool{}, lacking: map[string]string{}, charRead: map[int]bool{}, layerOf: map[program.Verb]int{}, rules: map[string]bool{},
		keys: map[string]string{}, textIDs: map[string]int64{}, trees: map[string]ast.Node{},
	}
	c.textID("")
	c.slips = map[line]bool{}
	for _, d := range diags.Sorted() {
		if d.Span.File != nil {
			c.slips[line{d.Span.File, d.Span.File.Line(d.Span.Start)}] = true
		}
		if d.Code == "unknown-declaration" {
			if m := nameBehind.FindStringSubmatch(rest(d.Span)); m != nil { // what it would have declared
				c.failed[m[1]+m[2]] = true
			}
		}
		if d.Code == "lookalike-character" { // what is called so is silent, in either spelling
			c.failed[d.Value("text")], c.failed[d.Value("mended")] = true, true
		}
	}
	c.collect(modules)
	c.builtins()
	c.vocabulary()
	c.declareActions()
	c.declareChars()
	c.declareRules()
	c.runLater()
	c.strictAll()
	c.runLater()
	if opts.Names != nil {
		c.declaredNames(c.all)
		c.mentionChoices()
	}
	c.circles()
	c.needRings()
	c.choices()
	c.unread()
	c.exportable()
	if opts.Kept != nil {
		for _, d := range c.decls {
			opts.Kept(d.Decl, d.module)
			for _, e := range d.extends {
				opts.Kept(e.Decl, e.module)
			}
		}
	}
	if opts.Stub {
		c.stub()
	}
	c.index()
	c.finish()
	return c.p
}

// nameBehind is the name that a declaration begins with behind its head word.
var nameBehind = regexp.MustCompile(`^[ \t]+(?:"([^"\n]+)"|([^\s"(:{]+))`)

// rest is what stands behind a place.
func rest(s source.Span) string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[min(s.End, len(s.File.Text)):]
}

// fails reports whether a name is silent because its declaration failed.
func (c *checker) fails(name string) bool {
	if c.failed[name] {
		c.silent++
		return true
	}
	return false
}

// trouble counts what went wrong so far, said or not.
func (c *checker) trouble() int { return c.diags.Errors() + c.silent }

// runLater does what was put off; it may put off more.
func (c *checker) runLater() {
	for i := 0; i < len(c.later); i++ {
		c.later[i]()
	}
	c.later = nil
}

func (c *checker) textID(s string) int64 {
	id, ok := c.textIDs[s]
	if !ok {
		id = int64(len(c.p.Texts))
		c.textIDs[s] = id
		c.p.Texts = append(c.p.Texts, s)
	}
	return id
}

// group puts heads that share their names together.
func group(head string) string {
	switch head {
	case "memory":
		return "characteristic"
	case "step":
		return "action"
	}
	return head
}

// collect takes what holds in the edition, applies override and extend, and
// reports duplicates.
func (c *checker) collect(modules []Module) {
	type key struct{ head, name string }
	found := map[key]*decl{}
	var extends, all []*decl
	c.modules = map[*source.File]int{}
	for m, mod := range modules {
		for _, f := range mod.Files {
			c.modules[f.Source] = m
			var section *grammar.Decl
			for _, d := range f.Decls {
				if d.Head != "provisional" || d.Plain == nil {
					continue
				}
				if section != nil {
					c.diags.Add("declared-twice", nameSpan(d), "name", d.Plain.Title.Text, "head", d.Head).With("declared-here", nameSpan(section))
					continue
				}
				section = d
				if d.Mod != "" {
					c.unusedPart(d.At, d.Mod, d.Head)
				}
				c.strictHead(&decl{Decl: d, name: d.Plain.Title.Text})
			}
			for _, d := range f.Decls {
				if d.Head == "provisional" {
					continue
				}
				n := &decl{Decl: d, name: declName(d), module: m}
				if section != nil {
					n.provisional = section.Plain.Title.Text
				}
				all = append(all, n)
			}
		}
	}
	c.editions(all)
	if c.opts.Names != nil {
		c.all = all
	}
	for _, d := range all {
		if d.Failed {
			c.cuts = append(c.cuts, d.Span)
		}
		if d.Failed && d.Head != "errata" { // errata speak of a name that something else declares
			c.failed[d.name] = true
			if d.Char != nil {
				c.failed[d.Char.Name.Text] = true
			}
		}
		c.versions(d, d.Decl.Common())
		switch {
		case !c.holds(d):
		case unnamed(d.Head):
			if d.Mod != "" {
				code := "cannot-override"
				if d.Mod == "extend" {
					code = "cannot-extend"
				}
				c.diags.Add(code, d.At, "head", d.Head)
			}
			c.decls = append(c.decls, d)
		case d.Mod == "extend":
			if !extensible(d.Head) {
				c.diags.Add("cannot-extend", d.At, "head", d.Head)
				continue
			}
			extends = append(extends, d)
		default:
			c.place(found[key{group(d.Head), d.name}], d, func() { found[key{group(d.Head), d.name}] = d })
		}
	}
	for k, d := range found {
		if d.Mod == "override" && !c.overrides(all, d, k.head) {
			c.diags.Add("nothing-to-override", nameSpan(d.Decl), "name", shortName(d), "head", d.Head).Near = nearest(d.name, declared(all, k.head))
			c.failed[d.name] = true
			c.lacking[d.name] = k.head
			continue
		}
		c.decls = append(c.decls, d)
	}
	sort.SliceStable(extends, func(i, j int) bool {
		if a, b := extends[i], extends[j]; a.module != b.module {
			return a.module < b.module
		}
		return lessDecl(extends[i], extends[j])
	})
	for _, d := range extends {
		base := found[key{group(d.Head), d.name}]
		if base == nil {
			if !c.fails(d.name) {
				c.diags.Add("nothing-to-extend", nameSpan(d.Decl), "name", shortName(d), "head", d.Head).Near = nearest(d.name, declared(all, group(d.Head)))
			}
			continue
		}
		if base.Mod == "override" && d.module < base.module {
			continue // replaced together with what it adds to
		}
		base.extends = append(base.extends, d)
	}
	sort.SliceStable(c.decls, func(i, j int) bool { return lessDecl(c.decls[i], c.decls[j]) })
	for _, d := range c.decls {
		c.byHead[d.Head] = append(c.byHead[d.Head], d)
	}
}

// place puts a declaration beside one of the same name: a later module's
// override counts, and whatever else has the name is a duplicate.
func (c *checker) place(old, d *decl, put func()) {
	switch {
	case old == nil:
		put()
	case d.Mod == "override" && (old.Mod == "" || old.module < d.module):
		d.based = d.based || old.Mod == "" || old.based
		put()
	case d.Mod == "" && old.Mod == "override" && !old.based && d.module <= old.module:
		old.based = true // what it overrides, read after it
	default:
		c.diags.Add("declared-twice", nameSpan(d.Decl), "name", shortName(d), "head", d.Head).With("declared-here", nameSpan(old.Decl))
		c.again = append(c.again, d)
	}
}

// cut reports whether a place lies in a declaration of which a part could not be read, so
// that what is missed there may have been said in it.
func (c *checker) cut(s source.Span) bool {
	for _, d := range c.cuts {
		if d.File == s.File && d.Start <= s.Start && s.End <= d.End {
			c.silent++
			return true
		}
	}
	return false
}

// givers begin the lines that give something a name.
var givers = []string{"given", "record", "choose", "for"}

// nameless reports whether a name may have been given in a line of its declaration that could
// not be read: one that has it, or one that gives names.
func (c *checker) nameless(at source.Span, name string) bool {
	for _, d := range c.cuts {
		if d.File != at.File || at.Start < d.Start || d.End < at.End {
			continue
		}
		for l := d.File.Line(d.Start); l <= d.File.Line(d.End); l++ {
			if !c.slips[line{d.File, l}] {
				continue
			}
			text, _, _ := strings.Cut(d.File.Text[d.File.LineStart(l):], "\n")
			words := strings.FieldsFunc(text, func(r rune) bool { return r < utf8.RuneSelf && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if slices.Contains(words, name) || len(words) > 0 && slices.Contains(givers, words[0]) {
				c.silent++
				return true
			}
		}
	}
	return false
}

// another reports whether a file's folder declares a name that another has already: what
// its uses there mean is not known until that is mended.
func (c *checker) another(f *source.File, name string) bool {
	if len(c.again) == 0 {
		return false
	}
	for _, d := range c.again {
		if shortName(d) == name && d.module == c.modules[f] {
			c.silent++
			return true
		}
	}
	return false
}

// declared lists the names that are declared under a head, for "did you mean".
func declared(all []*decl, head string) []string {
	var names []string
	for _, d := range all {
		if d.Mod == "" && group(d.Head) == head {
			names = append(names, d.name)
		}
	}
	return names
}

// extensible lists the heads whose blocks another declaration can add lines to.
func extensible(head string) bool {
	switch head {
	case "values", "zone", "table", "action", "step", "view":
		return true
	}
	return false
}

// shortName is a declaration's name as messages show it.
func shortName(d *decl) string {
	if d.Char != nil {
		return d.Char.Name.Text
	}
	return d.name
}

// nameSpan is where a declaration's name stands; where it has none, its head word.
func nameSpan(d *grammar.Decl) source.Span {
	s := source.Span{}
	switch {
	case d.Plain != nil:
		s = d.Plain.Title.Span
		if d.Head == "statement" && d.Plain.Key != nil {
			s = d.Plain.Key.Span
		}
	case d.Char != nil:
		s = d.Char.Name.Span
	case d.Table != nil:
		s = d.Table.Name.Span
	case d.Action != nil:
		s = d.Action.Name.Span
	case d.Step != nil:
		s = d.Step.Name.Span
	case d.Token != nil:
		s = d.Token.Name.Span
	case d.Rules != nil:
		s = d.Rules.Name.Span
	case d.Case != nil:
		s = d.Case.ID.Span
	}
	if s.File == nil {
		return d.At
	}
	return s
}

func lessDecl(a, b *decl) bool {
	if a.Head != b.Head {
		return a.Head < b.Head
	}
	if a.name != b.name {
		return a.name < b.name
	}
	return a.At.Before(b.At)
}

func (c *checker) overrides(all []*decl, d *decl, head string) bool {
	for _, o := range all {
		if o.Mod == "" && o.name == d.name && group(o.Head) == head {
			return true
		}
	}
	return false
}

// unnamed lists the heads whose declarations have no name to be unique by.
func unnamed(head string) bool {
	switch head {
	case "always", "language", "errata":
		return true
	}
	return false
}

// declName is the name that a declaration is known by, folded: a name in
// quotation marks is compared like any other.
func declName(d *grammar.Decl) string { return grammar.Fold(rawName(d)) }

func rawName(d *grammar.Decl) string {
	switch {
	case d.Plain != nil:
		if d.Head == "statement" && d.Plain.Key != nil {
			return d.Plain.Key.Value
		}
		if d.Head == "view" && len(d.Plain.Joins) > 0 && len(d.Plain.Joins[0].Exprs) > 0 { // a name may have a view for each kind
			return d.Plain.Title.Text + " " + d.Plain.Joins[0].Word + " " + d.Plain.Joins[0].Exprs[0].Span.Text()
		}
		return d.Plain.Title.Text
	case d.Char != nil:
		of := ""
		if d.Char.Of != nil {
			of = d.Char.Of.Text
		}
		return of + "." + d.Char.Name.Text
	case d.Table != nil:
		return d.Table.Name.Text
	case d.Action != nil:
		return d.Action.Name.Text
	case d.Step != nil:
		return d.Step.Name.Text
	case d.Token != nil:
		return d.Token.Name.Text
	case d.Rules != nil:
		return d.Rules.Name.Text
	case d.Case != nil:
		return d.Case.ID.Value
	}
	return ""
}

// editions finds the editions and picks the one in force.
func (c *checker) editions(all []*decl) {
	for _, d := range all {
		if d.Head != "edition" || d.Plain == nil {
			continue
		}
		e := &program.Edition{Decl: c.head(d)}
		if f := d.Plain.Tail.From; f != nil {
			e.From = f.Value
		}
		c.p.Editions = append(c.p.Editions, e)
	}
	sort.SliceStable(c.p.Editions, func(i, j int) bool { return c.p.Editions[i].From < c.p.Editions[j].From })
	if n := len(c.p.Editions); n > 0 {
		c.p.Edition = c.p.Editions[n-1].Name
	}
	if want := c.opts.Edition; want != "" {
		c.p.Edition = ""
		for _, e := range c.p.Editions {
			// An edition may be asked for by its name or by a day on which it was in force.
			if e.Name == want || isDate(want) && e.From <= want {
				c.p.Edition = e.Name
			}
		}
		if c.p.Edition == "" {
			c.diags.Add("unknown-edition", source.Span{}, "name", want)
		}
	}
}

// editionAt returns the position of an edition among all, by date. A date stands for
// the edition in force on that day.
func (c *checker) editionAt(s *grammar.Str) int {
	at := -1
	for i, e := range c.p.Editions {
		if e.Name == s.Value {
			c.mention(program.NameKey{Sort: "edition", Name: e.Name}, s.Span)
			return i
		}
		if isDate(s.Value) && e.From == s.Value {
			at = i
		}
	}
	if at < 0 {
		var known []string
		for _, e := range c.p.Editions {
			known = append(known, e.Name)
		}
		c.diags.Add("unknown-edition", s.Span, "name", s.Value).Near = nearest(s.Value, known)
	}
	return at
}

// holds reports whether a declaration holds in the edition in force.
func (c *checker) holds(d *decl) bool {
	if d.Head == "edition" {
		return true
	}
	now := -1
	for i, e := range c.p.Editions {
		if e.Name == c.p.Edition {
			now = i
		}
	}
	t := d.Decl.Common()
	if t.From != nil {
		if at := c.editionAt(t.From); at > now {
			return false
		}
	}
	if t.Until != nil {
		if at := c.editionAt(t.Until); at >= 0 && at <= now {
			return false
		}
	}
	return true
}

// head fills in what every declaration has.
func (c *checker) head(d *decl) program.Decl {
	t := d.Decl.Common()
	out := program.Decl{
		Name: d.name, Texts: texts(t.Texts), Cite: c.cite(t.Cite), Provisional: d.provisional,
		Span: d.Span, Head: nameSpan(d.Decl),
	}
	// What a line carries out, the declaration does; so does what extends it.
	for _, e := range append([]*decl{d}, d.extends...) {
		if e != d {
			out.Cite = merge(out.Cite, c.cite(e.Decl.Common().Cite))
		}
		if e.Plain != nil {
			for _, l := range e.Plain.Lines {
				out.Cite = merge(out.Cite, c.cite(l.Tail.Cite))
			}
		}
	}
	return out
}

func (c *checker) cite(g *grammar.Cite) program.Cite {
	if g == nil {
		return program.Cite{}
	}
	out := program.Cite{Provisional: g.Provisional}
	for _, r := range g.Refs {
		out.Refs = append(out.Refs, program.Ref{Rule: r.Rule, Key: r.Key})
		c.citeLater(r)
	}
	return out
}

// citeLater checks a reference once every statement is known.
func (c *checker) citeLater(r grammar.Ref) {
	if r.Rule == "" {
		return // not read
	}
	c.citeNames(r)
	c.later = append(c.later, func() {
		if len(c.rules) == 0 {
			return // rules without a rulebook of their own
		}
		if !c.rules[r.Rule] {
			c.diags.Add("unknown-rule", r.Span, "rule", r.Rule).Near = nearest(r.Rule, keys(c.rules))
			return
		}
		if r.Key == "" {
			return
		}
		if rule, ok := c.keys[r.Key]; !ok {
			c.diags.Add("unknown-statement", r.Span, "key", r.Key).Near = nearest(r.Key, keys(c.keys))
		} else if rule != r.Rule && !under(rule, r.Rule) && !under(r.Rule, rule) {
			c.diags.Add("statement-of-other-rule", r.Span, "key", r.Key, "rule", r.Rule, "of", rule)
		}
	})
}

// under reports whether rule number a lies below b: 13.2.1 below 13.2.
func under(a, b string) bool { return len(a) > len(b) && a[:len(b)] == b && a[len(b)] == '.' }

func nearest(word string, known []string) string { return diag.Nearest(word, known) }

func valueNames(v *program.Values) []string {
	names := make([]string, len(v.Names))
	for i := range v.Names {
		names[i] = v.Names[i].Name
	}
	return names
}

// finish reports what nothing reads.
func (c *checker) finish() {
	sort.SliceStable(c.p.Statement, func(i, j int) bool {
		a, b := c.p.Statement[i], c.p.Statement[j]
		if a.Rule != b.Rule {
			return program.LessRule(a.Rule, b.Rule)
		}
		return a.Head.Before(b.Head)
	})
	sort.SliceStable(c.p.Summaries, func(i, j int) bool { return program.LessRule(c.p.Summaries[i].Rule, c.p.Summaries[j].Rule) })
}

// stub puts something that fails when touched in place of provisional data.
func (c *checker) stub() {
	touch := func(d *program.Decl, t program.Type) *program.Node {
		return &program.Node{Op: program.OpTouch, T: t, N: c.textID(d.Name), Span: d.Head}
	}
	for _, ch := range c.p.Chars {
		if ch.Provisional != "" && ch.Value != nil {
			ch.Value = touch(&ch.Decl, ch.Type)
		}
	}
	for _, t := range c.p.Tables {
		if t.Provisional != "" {
			t.Touch = touch(&t.Decl, t.Result)
		}
	}
	for _, a := range c.p.Actions {
		stub := a.Provisional != ""
		for _, d := range append(c.byHead["action"], c.byHead["step"]...) {
			for _, e := range d.extends {
				stub = stub || d.name == a.Name && e.provisional != ""
			}
		}
		if stub && a.Body >= 0 {
			r := c.p.Routines[a.Body]
			r.Code = []program.Instr{{Op: program.CodeUnless, A: 1, X: touch(&a.Decl, program.FlagType)}, {Op: program.CodeEnd}}
		}
	}
}
