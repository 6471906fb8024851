package diff

import (
	"path"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// clause is one line of a declaration, as it counts: without comments, blanks and
// margin.
type clause struct {
	toks  []grammar.Token
	depth int
	in    int               // the clause whose block it stands in, or -1
	own   bool              // it has a margin of its own
	refs  []interpreter.Ref // of its margin, or of that of what it stands in
	key   string            // what it says: depth, kinds and texts of the tokens
}

// margin is what stands in its own margin, as one text.
func (c *clause) margin() string {
	if !c.own {
		return ""
	}
	var out []string
	for _, r := range c.refs {
		out = append(out, r.String())
	}
	return strings.Join(out, ", ")
}

// text is a clause as it was written, on one line.
func (c *clause) text() string {
	if len(c.toks) == 0 {
		return ""
	}
	var b strings.Builder
	for i, t := range c.toks {
		if i > 0 && (t.Start > c.toks[i-1].End || t.File != c.toks[i-1].File) {
			b.WriteByte(' ')
		}
		b.WriteString(t.File.Text[t.Start:t.End])
	}
	return b.String()
}

// def is a declaration.
type def struct {
	id      ID
	key     string
	mod     string
	section string // that its file is provisional for
	span    source.Span
	file    *lexed
	read    bool // the parts below are there
	toks    []grammar.Token
	clauses []clause // the head first
	whole   string   // what it says, all in one
}

// rules are the statements that the data of a declaration carries out.
func (d *def) rules() []interpreter.Ref {
	var out []interpreter.Ref
	for _, c := range d.clauses {
		out = addRefs(out, c.refs...)
	}
	return addRefs(out, d.own()...)
}

// own is the statement or the rule that a declaration is itself about.
func (d *def) own() []interpreter.Ref {
	if rule, key, ok := strings.Cut(d.id.Name, " "); ok && d.id.Head == "statement" {
		return []interpreter.Ref{{Rule: rule, Key: key}}
	}
	if d.id.Head == "summary" {
		return []interpreter.Ref{{Rule: d.id.Name}}
	}
	return nil
}

// lexed is a file whose tokens are read when somebody wants them: most declarations
// are letter for letter what they were.
type lexed struct {
	source *source.File
	toks   []grammar.Token
}

// tokens are those of a part of the file.
func (l *lexed) tokens(s source.Span) []grammar.Token {
	if l.toks == nil {
		l.toks = grammar.Tokens(l.source, &diag.List{})
	}
	at := func(pos int) int {
		n, _ := slices.BinarySearchFunc(l.toks, pos, func(t grammar.Token, pos int) int { return t.Start - pos })
		return n
	}
	return l.toks[at(s.Start):at(s.End)]
}

// defsOf lists the declarations of a file.
func defsOf(f *interpreter.RuleFile) []*def {
	tree, file := f.Tree(), &lexed{source: f.Source()}
	section := ""
	for _, d := range tree.Decls {
		if d.Head == "provisional" && d.Plain != nil {
			section = d.Plain.Title.Text
		}
	}
	var out []*def
	for _, d := range tree.Decls {
		if d.Head != "provisional" {
			x := &def{mod: d.Mod, section: section, span: d.Span, id: idOf(d), file: file}
			x.key = x.id.Head + "\x00" + x.id.Name + "\x00" + x.id.Of
			if x.mod == "extend" {
				x.key += "\x00extend"
			}
			out = append(out, x)
		}
	}
	return out
}

// idOf names a declaration.
func idOf(d *grammar.Decl) ID {
	id := ID{Head: d.Head}
	switch {
	case d.Plain != nil:
		id.Name = d.Plain.Title.Text
		if d.Plain.Key != nil {
			id.Name += " " + d.Plain.Key.Value
		}
	case d.Char != nil:
		id.Name = d.Char.Name.Text
		if d.Char.Of != nil {
			id.Of = d.Char.Of.Text
		}
	case d.Always != nil:
		if d.Always.Name != nil {
			id.Name = d.Always.Name.Text
		}
	case d.Table != nil:
		id.Name = d.Table.Name.Text
	case d.Action != nil:
		id.Name = d.Action.Name.Text
	case d.Step != nil:
		id.Name, id.Of = d.Step.Name.Text, d.Step.Of.Text
	case d.Token != nil:
		id.Name = d.Token.Name.Text
	case d.Rules != nil:
		id.Name = d.Rules.Name.Text
	case d.Case != nil:
		id.Name = d.Case.ID.Value
	}
	return id
}

// written is what is the same of two declarations that are so letter for letter.
func (d *def) written() string { return d.mod + "\x00" + d.section + "\x00" + d.span.Text() }

// cut cuts the tokens of a declaration into clauses.
func (d *def) cut() {
	if d.read {
		return
	}
	d.read = true
	toks := d.file.tokens(d.span)
	var all strings.Builder
	at := -1       // the clause that tokens go to
	var open []int // the clauses whose blocks are open
	start := func() {
		in := -1
		if len(open) > 0 {
			in = open[len(open)-1]
		}
		d.clauses = append(d.clauses, clause{depth: len(open), in: in})
		at = len(d.clauses) - 1
	}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.Kind == grammar.Comment:
			continue
		case t.Kind == grammar.EOL:
			at = -1
			continue
		case t.Kind == grammar.Punct && t.Text == "{":
			if at < 0 { // the brace stands on the next line
				if at = len(d.clauses) - 1; at < 0 {
					start()
				}
			}
			open = append(open, at)
			at = -1
			continue
		case t.Kind == grammar.Punct && t.Text == "}":
			if len(open) > 0 {
				at = open[len(open)-1] // what follows on the line is its
				open = open[:len(open)-1]
			}
			continue
		case t.Kind == grammar.Word && t.Text == "rule" && i+1 < len(toks) && (toks[i+1].Kind == grammar.RuleNo || toks[i+1].Kind == grammar.Int):
			var refs []interpreter.Ref
			for i+1 < len(toks) {
				n := toks[i+1]
				if n.Kind == grammar.RuleNo || n.Kind == grammar.Int {
					refs = append(refs, interpreter.Ref{Rule: n.Text})
				} else if n.Kind == grammar.String && len(refs) > 0 && refs[len(refs)-1].Key == "" {
					refs[len(refs)-1].Key = n.Text
				} else if n.Kind != grammar.Punct || n.Text != "," {
					break
				}
				i++
			}
			if at < 0 {
				at = max(0, len(d.clauses)-1)
			}
			if at < len(d.clauses) {
				d.clauses[at].refs = append(d.clauses[at].refs, refs...)
				d.clauses[at].own = true
			}
			at = -1 // what follows a margin is another clause
			continue
		}
		if at < 0 {
			start()
		}
		d.clauses[at].toks = append(d.clauses[at].toks, t)
		d.toks = append(d.toks, t)
	}
	if len(d.clauses) > 0 && d.mod == "override" { // it stands in the place of what it overrides
		d.clauses[0].toks = d.clauses[0].toks[1:]
		d.toks = d.toks[1:]
	}
	all.WriteString(d.section)
	for i := range d.clauses {
		c := &d.clauses[i]
		c.key = keyOf(c.toks, c.depth)
		if !c.own && c.in >= 0 { // what has no margin of its own belongs to what it stands in
			c.refs = d.clauses[c.in].refs
		}
		all.WriteString(c.key)
		if c.own {
			all.WriteString("\x02" + c.margin())
		}
	}
	d.whole = all.String()
}

func keyOf(toks []grammar.Token, depth int) string {
	var b strings.Builder
	b.WriteByte(byte('a' + min(depth, 25)))
	for _, t := range toks {
		b.WriteByte('\x01')
		b.WriteByte(byte('0' + t.Kind))
		b.WriteString(t.Text)
	}
	b.WriteByte('\n')
	return b.String()
}

// defs are the declarations of rules by key. What overrides a declaration stands in
// its place.
type defs map[string][]*def

func (all defs) add(list []*def) {
	for _, d := range list {
		if d.mod == "override" {
			all[d.key] = nil
		}
	}
	for _, d := range list {
		all[d.key] = append(all[d.key], d)
	}
}

// read lists the declarations of rules; files that are the same in both, and which
// nothing overrides, are passed over.
func read(old, new *Side) (was, now defs) {
	same := map[string]string{} // by folder's place and name: the text
	for i, f := range old.Folders {
		for _, file := range f.Files {
			same[at(i, f, file)] = file.Source().Text
		}
	}
	alike := map[string]bool{}
	for i, f := range new.Folders {
		for _, file := range f.Files {
			if text, ok := same[at(i, f, file)]; ok && text == file.Source().Text {
				alike[at(i, f, file)] = true
			}
		}
	}
	overridden := map[string]bool{}
	for _, s := range []*Side{old, new} {
		for i, f := range s.Folders {
			for _, file := range f.Files {
				if alike[at(i, f, file)] {
					continue
				}
				for _, d := range file.Tree().Decls {
					if d.Mod == "override" {
						overridden[d.Head] = true
					}
				}
			}
		}
	}
	list := func(s *Side) defs {
		all := defs{}
		for i, f := range s.Folders {
			var own []*def
			for _, file := range f.Files {
				if alike[at(i, f, file)] && !holds(file, overridden) {
					continue
				}
				own = append(own, defsOf(file)...)
			}
			all.add(own)
		}
		return all
	}
	return list(old), list(new)
}

// holds reports whether a file declares something with one of the heads.
func holds(f *interpreter.RuleFile, heads map[string]bool) bool {
	for _, d := range f.Tree().Decls {
		if heads[d.Head] {
			return true
		}
	}
	return false
}

// at is where a file lies among the folders that are read, whatever those are called.
func at(i int, f interpreter.Folder, file *interpreter.RuleFile) string {
	name := strings.TrimPrefix(file.Source().Name, path.Clean(f.Name)+"/")
	return string(rune(i)) + "\x00" + name
}

func addRefs(list []interpreter.Ref, more ...interpreter.Ref) []interpreter.Ref {
next:
	for _, r := range more {
		for _, have := range list {
			if have == r {
				continue next
			}
		}
		list = append(list, r)
	}
	return list
}
