package diff

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// A situation is what a case sets up and does, as a tree of clauses that can be made
// smaller. It is kept in the rule language and not as exported data: a card by its
// name, or a word that one side alone has, is no part of the exported vocabulary.

// node is a clause of a situation, with the clauses in its block.
type node struct {
	toks  []grammar.Token // before the block
	kids  []*node
	block bool
	tail  []grammar.Token // behind it
}

// asks are the words with which a case asks something.
var asks = []string{"expect", "refused", "happened", "never", "asked", "legal", "illegal"}

// speaks are those with which it says what it is about, which nobody plays.
var speaks = []string{"confirms", "refutes", "not"}

func (n *node) head() string {
	if len(n.toks) == 0 {
		return ""
	}
	return n.toks[0].Text
}

func (n *node) asks() bool { return slices.Contains(asks, n.head()) }

// situation reads the body of a case; nil where it has none.
func situation(text string) []*node {
	toks := grammar.Tokens(source.NewFile("situation", text), &diag.List{})
	i := 0
	for i < len(toks) && !(toks[i].Kind == grammar.Punct && toks[i].Text == "{") {
		i++
	}
	i++
	return drop(clauses(toks, &i), func(n *node) bool { return slices.Contains(speaks, n.head()) })
}

// clauses reads a block up to its end.
func clauses(toks []grammar.Token, i *int) []*node {
	var out []*node
	n := &node{}
	end := func() {
		if len(n.toks) > 0 {
			out = append(out, n)
		}
		n = &node{}
	}
	for ; *i < len(toks); *i++ {
		t := toks[*i]
		switch {
		case t.Kind == grammar.EOF:
			end()
			return out
		case t.Kind == grammar.Comment:
		case t.Kind == grammar.EOL:
			end()
		case t.Kind == grammar.Punct && t.Text == "}":
			end()
			return out
		case t.Kind == grammar.Punct && t.Text == "{":
			*i++
			n.kids, n.block = clauses(toks, i), true
		case t.Kind == grammar.Punct && t.Text == ":" && !n.block && n.head() == "during":
			*i++
			if *i < len(toks) && toks[*i].Text == "{" {
				*i--
				continue
			}
			// One clause behind a colon becomes a block.
			from := *i
			depth := 0
			for ; *i < len(toks); *i++ {
				k := toks[*i]
				if k.Kind == grammar.Punct && k.Text == "{" {
					depth++
				}
				if k.Kind == grammar.Punct && k.Text == "}" {
					depth--
				}
				if k.Kind == grammar.EOF || k.Kind == grammar.EOL && depth == 0 || depth < 0 {
					break
				}
			}
			k := 0
			n.kids, n.block = clauses(toks[from:*i], &k), true
			*i--
		case n.block:
			n.tail = append(n.tail, t)
		default:
			n.toks = append(n.toks, t)
		}
	}
	end()
	return out
}

// written are the tokens of a clause as text.
func written(toks []grammar.Token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && (t.File != toks[i-1].File || t.Start > toks[i-1].End) {
			b.WriteByte(' ')
		}
		b.WriteString(t.File.Text[t.Start:t.End])
	}
	return b.String()
}

// render writes clauses, one a line.
func render(list []*node, indent string, b *strings.Builder) {
	for _, n := range list {
		b.WriteString(indent + written(n.toks))
		if n.block {
			if len(n.kids) == 0 {
				b.WriteString(" { }")
			} else {
				b.WriteString(" {\n")
				render(n.kids, indent+"  ", b)
				b.WriteString(indent + "}")
			}
		}
		if len(n.tail) > 0 {
			b.WriteString(" " + written(n.tail))
		}
		b.WriteByte('\n')
	}
}

// text is a situation as a case.
func text(id string, list []*node) string {
	var b strings.Builder
	b.WriteString("case " + strconv.Quote(id) + " {\n")
	render(list, "  ", &b)
	b.WriteString("}\n")
	return b.String()
}

// size is how many clauses and tokens there are.
func size(list []*node) int {
	n := 0
	for _, x := range list {
		n += 10 + len(x.toks) + size(x.kids)
	}
	return n
}

func clone(list []*node) []*node {
	var out []*node
	for _, n := range list {
		c := *n
		c.kids = clone(n.kids)
		out = append(out, &c)
	}
	return out
}

// drop leaves clauses out, wherever they stand.
func drop(list []*node, out func(*node) bool) []*node {
	var kept []*node
	for _, n := range list {
		if out(n) {
			continue
		}
		c := *n
		c.kids = drop(n.kids, out)
		kept = append(kept, &c)
	}
	return kept
}

// only leaves all questions out but the one with a number, and what comes after it.
// It reports whether there is that question.
func only(list []*node, question int) ([]*node, bool) {
	k, found := 0, false
	var walk func(list []*node) []*node
	walk = func(list []*node) []*node {
		var kept []*node
		for _, n := range list {
			if found {
				break
			}
			c := *n
			if n.asks() {
				k++
				if k-1 != question {
					continue
				}
				found = true
			} else {
				c.kids = walk(n.kids)
			}
			kept = append(kept, &c)
		}
		return kept
	}
	out := walk(list)
	return out, found
}

// smaller lists the situations that are smaller by one part, those that lose most
// first. The question stays.
func smaller(list []*node) [][]*node {
	type form struct {
		size int
		list []*node
	}
	var forms []form
	add := func(f []*node) { forms = append(forms, form{size(f), f}) }
	// at visits every clause of a copy: edit returns what takes its place.
	count := 0
	var visit func(list []*node, target int, edit func(*node) []*node) []*node
	visit = func(list []*node, target int, edit func(*node) []*node) []*node {
		var out []*node
		for _, n := range list {
			at := count
			count++
			c := *n
			c.kids = visit(n.kids, target, edit)
			if at == target {
				out = append(out, edit(&c)...)
			} else {
				out = append(out, &c)
			}
		}
		return out
	}
	all := 0
	var total func(list []*node)
	var flat []*node
	total = func(list []*node) {
		for _, n := range list {
			all++
			flat = append(flat, n)
			total(n.kids)
		}
	}
	total(list)
	holds := func(n *node) bool { // the question stands in it
		_, found := only([]*node{n}, 0)
		return found
	}
	for i := range all {
		n := flat[i]
		edit := func(f func(*node) []*node) {
			count = 0
			add(visit(list, i, f))
		}
		if !holds(n) {
			edit(func(*node) []*node { return nil })
		}
		if n.block && n.head() != "given" {
			edit(func(c *node) []*node { return c.kids })
		}
		if n.block && n.head() == "given" {
			edit(func(c *node) []*node {
				d := *c
				d.kids, d.block = nil, false
				return []*node{&d}
			})
		}
		for k, t := range n.toks {
			swap := func(toks ...grammar.Token) {
				edit(func(c *node) []*node {
					d := *c
					d.toks = slices.Concat(c.toks[:k:k], toks, c.toks[k+1:])
					return []*node{&d}
				})
			}
			if t.Kind == grammar.Int && t.Text != "0" && !n.asks() {
				for _, text := range []string{"0", "1"} {
					if text < t.Text || len(t.Text) > 1 {
						swap(made(grammar.Int, text, t))
					}
				}
			}
			if n.head() == "given" && t.Text == "," && k > 0 { // one name less
				edit(func(c *node) []*node {
					d := *c
					d.toks = slices.Concat(c.toks[:k:k], c.toks[k+2:])
					return []*node{&d}
				})
			}
		}
	}
	slices.SortStableFunc(forms, func(a, b form) int { return a.size - b.size })
	var out [][]*node
	for _, f := range forms {
		out = append(out, f.list)
	}
	return out
}

// made is a token that stands in the place of another.
func made(kind grammar.TokenKind, text string, at grammar.Token) grammar.Token {
	f := source.NewFile("situation", text)
	t := at
	t.Kind, t.Text, t.Span = kind, text, source.Span{File: f, Start: 0, End: len(text)}
	return t
}

// madeUp makes a situation up of parts of cases: one of them, with clauses of others
// put in, doubled or left out, and at its end the values of all that it put down. The
// same seed and number give the same one. Many are nonsense, and are not taken.
func madeUp(cases []try, values []string, seed, number uint64) []*node {
	r := rand.New(rand.NewPCG(seed, number))
	list := clone(cases[r.IntN(len(cases))].list)
	for range 1 + r.IntN(3) {
		from := cases[r.IntN(len(cases))].list
		if len(from) == 0 || len(list) == 0 {
			continue
		}
		n := from[r.IntN(len(from))]
		at := r.IntN(len(list) + 1)
		switch r.IntN(4) {
		case 0: // one of its own, again
			n = list[r.IntN(len(list))]
		case 1:
			list = slices.Delete(list, min(at, len(list)-1), min(at, len(list)-1)+1)
			continue
		}
		if n.head() == "given" {
			at = 0
		}
		list = slices.Insert(list, at, clone([]*node{n})[0])
	}
	for _, n := range list {
		if n.head() != "given" {
			continue
		}
		for i := 1; i < len(n.toks) && n.toks[i].Text != ":"; i++ {
			if name := n.toks[i].Text; name != "," {
				for _, v := range values {
					list = append(list, situation("case \"\" {\nexpect "+name+"."+v+" == "+name+"."+v+"\n}")...)
				}
			}
		}
	}
	return list
}
