package interpreter

import (
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/check"
	"github.com/momon-rules/momon/interpreter/internal/lint"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
	"github.com/momon-rules/momon/interpreter/internal/wording"
)

// RuleFile is one rule file, parsed. It never changes but for what Analyse works
// out once, so an editor parses again only the file that was typed in; two
// analyses that share files must not run at once.
type RuleFile struct {
	tree  *grammar.File
	diags []*diag.Diagnostic
}

// ParseFile reads the text of one rule file.
func ParseFile(name, text string) *RuleFile { return parseFile(source.NewFile(name, text), nil) }

// parseFile reads a file; early is what was found before.
func parseFile(file *source.File, early *diag.Diagnostic) *RuleFile {
	var diags diag.List
	if early != nil {
		diags.Put(early)
	}
	tree := grammar.Parse(file, &diags)
	return &RuleFile{tree: tree, diags: diags.Sorted()}
}

// Only is the file with some of its declarations, parsed already.
func (f *RuleFile) Only(keep func(*grammar.Decl) bool) *RuleFile {
	tree := *f.tree
	tree.Decls = nil
	for _, d := range f.tree.Decls {
		if keep(d) {
			tree.Decls = append(tree.Decls, d)
		}
	}
	return &RuleFile{tree: &tree, diags: f.diags}
}

// Source is the file's text, and places in it.
func (f *RuleFile) Source() *source.File { return f.tree.Source }

// Tree is the syntax tree of the file. It must not be changed.
func (f *RuleFile) Tree() *grammar.File { return f.tree }

// Slips lists what is wrong with the form of the file, before any name in it is
// looked at.
func (f *RuleFile) Slips() []*diag.Diagnostic { return f.diags }

// Folder is a folder of parsed rule files. Later folders stand on earlier ones,
// as with Source.
type Folder struct {
	Name  string
	Files []*RuleFile
}

// Analysis is what an editor wants to know of rules that somebody is writing:
// it is there also while they have errors.
type Analysis struct {
	Program *Program           // nil while there are errors
	Diags   []*diag.Diagnostic // everything that was found, by file and place
	Index   *Index             // nil unless Options ask for it
}

// Analyse checks parsed folders. It is Load for a program that holds the files
// itself.
func Analyse(folders []Folder, opts Options) *Analysis {
	var diags diag.List
	var mods []check.Module
	for _, f := range folders {
		mod := check.Module{Name: f.Name}
		for _, file := range f.Files {
			for _, d := range file.diags {
				diags.Put(d)
			}
			mod.Files = append(mod.Files, file.tree)
		}
		mods = append(mods, mod)
	}
	var names *program.Names
	if opts.Index {
		names = &program.Names{}
	}
	p := checked(mods, opts, names, &diags)
	a := &Analysis{Diags: diags.Sorted()}
	if opts.Index {
		a.Index = newIndex(p, names)
	}
	if diags.Errors() == 0 {
		a.Program = &Program{p: p, en: run.New(p), Diags: a.Diags, inputs: newInputs(mods)}
	}
	return a
}

// checked checks modules, looks for warnings where they are wanted, and marks
// those that the data accepts.
func checked(mods []check.Module, opts Options, names *program.Names, diags *diag.List) *program.Program {
	var kept []lint.Kept
	p := check.Check(mods, check.Options{Edition: opts.Edition, Stub: opts.Stub, Names: names, Kept: func(d *grammar.Decl, module int) {
		if opts.Warnings || len(d.Accepts) > 0 {
			kept = append(kept, lint.Kept{Decl: d, Module: module})
		}
	}}, diags)
	sound := diags.Errors() == 0
	if opts.Warnings && sound {
		lint.Run(p, kept, diags)
		unworded(p, diags)
		idleDecks(p, diags)
	}
	lint.Accept(kept, diags, opts.Warnings && sound)
	return p
}

// idleDecks warns of decks that no game can begin with, whichever of the declared decks
// the other player has: it puts them where decks lie and asks the gate.
func idleDecks(p *program.Program, diags *diag.List) {
	prog := &Program{p: p, en: run.New(p)}
	zone := prog.deckZone()
	if p.Root < 0 || zone < 0 || len(p.Actions[p.Root].OnlyIf) == 0 {
		return
	}
	// begins reports whether a game can begin with two decks, and in what words not.
	begins := func(decks ...*program.Deck) (bool, map[string]string) {
		m := prog.en.NewMatch(0)
		defer m.Release()
		for i, d := range decks {
			for _, c := range d.Cards {
				m.NewCard(c, int32(i+1), int32(i+1), zone, state.None)
			}
		}
		ok, note := m.Judge(run.Attempt{Action: p.Root, Causer: state.None, AbilityOf: state.None, Kind: state.None})
		if ok {
			return true, nil
		}
		why := map[string]string{}
		for _, lang := range []string{"en", "th"} { // as the words of a diagnostic are
			why[lang] = partWords(refusedParts(prog, m, &note, &namer{p: prog, s: m.S, lang: lang}))
		}
		return false, why
	}
	for _, d := range p.Decks {
		ok, why := begins(d, d)
		if ok || why["en"] == "" { // or it is no condition that refuses
			continue
		}
		for _, other := range p.Decks {
			if ok, _ = begins(other, d); ok {
				break
			}
			var but map[string]string
			if ok, but = begins(d, other); ok {
				break
			}
			if fits, _ := begins(other, other); fits { // then it speaks of this one alone
				why = but
			}
		}
		if !ok {
			diags.Warn("deck-cannot-begin", d.Head, "name", d.Name, "en", why["en"], "th", why["th"])
		}
	}
}

// unworded notes cards and keywords whose text can't be written in a language.
func unworded(p *program.Program, diags *diag.List) {
	at, keyword := map[string]source.Span{}, map[string]bool{}
	for _, c := range p.Cards {
		at[c.Name] = c.Head
	}
	for _, k := range p.Keywords {
		at[k.Name], keyword[k.Name] = k.Head, true
	}
	g := wording.New(p)
	for _, lang := range p.Languages {
		gaps := g.Gaps(lang.Lang)
		told := map[string]bool{} // of a keyword; the cards that have it are not told of again
		for _, gap := range gaps {
			if keyword[gap.Of] && len(gap.Missing) > 0 {
				told[gap.Missing[0]] = true
			}
		}
		for _, gap := range gaps {
			if len(gap.Missing) > 0 && at[gap.Of].Valid() && (keyword[gap.Of] || !told[gap.Missing[0]]) {
				diags.Note("not-worded", at[gap.Of], "name", gap.Of, "language", lang.Lang, "part", gap.Missing[0])
			}
		}
	}
}
