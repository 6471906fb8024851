package interpreter

// What a case can hang on, found without running it, so that a change of the
// rules calls for no more cases than it can reach. It must never leave a case
// out that comes out otherwise, so it takes too much where it is in doubt:
//
//   - Most declarations can reach every case: a characteristic, an action, a rule
//     that no card carries. They count for all cases alike.
//   - Rule text with a name (a card, a keyword, a header) and a deck do nothing
//     before somebody names them. They count for a case that names them, or that
//     names something that names them, and so on. Whoever has the first word of a
//     name anywhere in its text counts as naming it, since rule text finds the
//     longest name that fits: a name that nobody has yet is found this way too.
//   - Errata count with the card.
//
// It compares words, not compiled rules: comments and layout do not count, and a
// trace of a run, which could tell less, can't tell what a new declaration will
// stop or replace.

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/check"
)

// inputs is worked out when it is first asked for.
type inputs struct {
	once  sync.Once
	decls []inputDecl // in the order of modules and files

	names   map[string]int   // every name of dormant declarations, numbered
	holders [][]int          // by name: the declarations that have it
	byFirst map[string][]int // first word of a name: names
	base    []bool           // by name: whether all cases reach it
	common  [sha256.Size]byte
	byCase  map[source.Span]*inputDecl
}

// inputDecl is a declaration as far as it matters here.
type inputDecl struct {
	span    source.Span
	dormant bool
	isCase  bool
	names   []string // that it is known by, if it is dormant
	sum     [sha256.Size]byte
	refs    []int // names that it may speak of
}

func newInputs(mods []check.Module) *inputs {
	in := &inputs{}
	for _, m := range mods {
		for _, f := range m.Files {
			for _, d := range f.Decls {
				x := inputDecl{span: d.Span, isCase: d.Case != nil}
				switch {
				case d.Rules != nil:
					x.dormant, x.names = true, known(d.Rules.Name.Text, &d.Rules.Tail)
				case d.Head == "deck" && d.Plain != nil:
					x.dormant, x.names = true, known(d.Plain.Title.Text, &d.Plain.Tail)
				}
				in.decls = append(in.decls, x)
			}
		}
	}
	return in
}

// known is what something may be called: its name, and its texts.
func known(name string, tail *grammar.Tail) []string {
	out := []string{grammar.Fold(name)}
	for _, t := range tail.Texts {
		out = append(out, grammar.Fold(t.Value))
	}
	return out
}

func (in *inputs) build() {
	in.names, in.byFirst, in.byCase = map[string]int{}, map[string][]int{}, map[source.Span]*inputDecl{}
	for i := range in.decls {
		for _, n := range in.decls[i].names {
			k, ok := in.names[n]
			if !ok {
				k = len(in.holders)
				in.names[n] = k
				in.holders = append(in.holders, nil)
				first := firstWord(n)
				in.byFirst[first] = append(in.byFirst[first], k)
			}
			in.holders[k] = append(in.holders[k], i)
		}
	}
	toks := map[*source.File][]grammar.Token{}
	all := sha256.New()
	var start []int
	for i := range in.decls {
		d := &in.decls[i]
		list, ok := toks[d.span.File]
		if !ok {
			list = grammar.Tokens(d.span.File, &diag.List{})
		}
		for len(list) > 0 && list[0].Start < d.span.Start {
			list = list[1:] // declarations come in the order of the file
		}
		sum := sha256.New()
		seen := map[int]bool{}
		for len(list) > 0 && list[0].Start < d.span.End {
			t := list[0]
			list = list[1:]
			if t.Kind == grammar.Comment || t.Kind == grammar.EOF {
				continue
			}
			sum.Write([]byte{byte(t.Kind)})
			sum.Write([]byte(t.Text))
			sum.Write([]byte{0})
			var found []int
			if t.Kind == grammar.String {
				if k, ok := in.names[grammar.Fold(t.Text)]; ok {
					found = []int{k}
				}
			} else {
				found = in.byFirst[t.Text]
			}
			for _, k := range found {
				if !seen[k] {
					seen[k] = true
					d.refs = append(d.refs, k)
				}
			}
		}
		toks[d.span.File] = list
		sum.Sum(d.sum[:0])
		switch {
		case d.isCase:
			in.byCase[d.span] = d
		case !d.dormant:
			all.Write(d.sum[:])
			start = append(start, d.refs...)
		}
	}
	in.base = make([]bool, len(in.holders))
	in.spread(in.base, start)
	all.Sum(in.common[:0])
}

// firstWord is the first token of a name.
func firstWord(name string) string {
	for _, t := range grammar.Tokens(source.NewFile("", name), &diag.List{}) {
		return t.Text
	}
	return name
}

// spread adds names, and all that is named by what has them.
func (in *inputs) spread(reached []bool, from []int) {
	for todo := from; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[k] {
			continue
		}
		reached[k] = true
		for _, i := range in.holders[k] {
			todo = append(todo, in.decls[i].refs...)
			for _, n := range in.decls[i].names { // its other names
				todo = append(todo, in.names[n])
			}
		}
	}
}

// Inputs identifies everything that the outcome of a case can hang on, but for
// the options that the program was loaded with: a case that has the same Inputs
// in two programs comes out the same in both. It is empty for a case that is not
// of the program.
func (p *Program) Inputs(c Case) string {
	in := p.inputs
	in.once.Do(in.build)
	if c.c == nil {
		return ""
	}
	d, ok := in.byCase[c.c.Span]
	if !ok {
		return ""
	}
	reached := append([]bool(nil), in.base...)
	in.spread(reached, append([]int(nil), d.refs...))
	sum := sha256.New()
	sum.Write(in.common[:])
	sum.Write(d.sum[:])
	for i := range in.decls {
		if !in.decls[i].dormant {
			continue
		}
		for _, n := range in.decls[i].names {
			if reached[in.names[n]] {
				sum.Write(in.decls[i].sum[:])
				break
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
