package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
)

// The digest of the content stands for what the rules say, not for how they are
// written down. docs/packs.md states it so that anybody can work it out anew; it
// must never change, since packs name each other by it.
//
// It is made of tokens. A digest of the syntax tree would pass over a little more
// (braces around one instruction), but would change with every change of the tree.

// content collects declarations.
type content struct {
	sums []string
	b    []byte
}

func newContent() *content { return &content{} }

// tree adds the declarations of a file that is read.
func (c *content) tree(part string, f *grammar.File) {
	toks := grammar.Tokens(f.Source, &diag.List{})
	section := ""
	for _, d := range f.Decls {
		if d.Head == "provisional" && d.Plain != nil {
			section = d.Plain.Title.Text
		}
	}
	for _, d := range f.Decls {
		for len(toks) > 0 && toks[0].Start < d.Span.Start {
			toks = toks[1:]
		}
		n := 0
		for n < len(toks) && toks[n].Kind != grammar.EOF && toks[n].Start < d.Span.End {
			n++
		}
		if d.Head != "provisional" {
			c.decl(part, section, toks[:n])
		}
		toks = toks[n:]
	}
}

// decl adds one declaration.
func (c *content) decl(part, section string, toks []grammar.Token) {
	c.b = c.b[:0]
	c.word('f', part)
	c.word('p', section)
	ended := true // a line's end here says nothing
	pending := false
	for i := range toks {
		t := &toks[i]
		if t.Kind == grammar.Comment {
			continue
		}
		if t.Kind == grammar.EOL {
			pending = !ended
			continue
		}
		closes := t.Kind == grammar.Punct && (t.Text == "}" || t.Text == "{")
		if pending && !closes && !(t.Kind == grammar.Word && t.Text == "until") {
			c.b = append(c.b, ';')
		}
		pending = false
		c.word(letter(t.Kind), t.Text)
		ended = t.Kind == grammar.Punct && t.Text == "{"
	}
	s := sha256.Sum256(c.b)
	c.sums = append(c.sums, hex.EncodeToString(s[:]))
}

func (c *content) word(kind byte, text string) {
	c.b = append(c.b, kind)
	c.b = strconv.AppendInt(c.b, int64(len(text)), 10)
	c.b = append(c.b, ':')
	c.b = append(c.b, text...)
}

// letter is what a kind of token is written as.
func letter(k grammar.TokenKind) byte {
	switch k {
	case grammar.Word:
		return 'w'
	case grammar.Ident:
		return 'n'
	case grammar.Int, grammar.RuleNo:
		return 'i'
	case grammar.String:
		return 't'
	case grammar.Accepts:
		return 'a'
	}
	return 's'
}

func (c *content) digest() string {
	slices.Sort(c.sums)
	s := sha256.Sum256([]byte("momon content 1\n" + strings.Join(c.sums, "\n") + "\n"))
	return hex.EncodeToString(s[:])
}
