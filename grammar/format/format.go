// Package format lays rule files out the one way that momon fmt prints them. It
// moves tokens and comments and changes neither: no word, no text and no order.
//
// It prints from the tokens, because they are all that a file holds, and asks the
// syntax tree only where the tokens leave it open (is this minus a sign?). What it
// made is read again and held against the source before anybody sees it, so that a
// mistake in here can cost a layout and never a meaning.
package format

import (
	"errors"
	"reflect"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// Width is how many cells a line may be long before its blocks in one line are
// broken up. Nothing else is: texts and conditions stay on their line.
const Width = 100

const indentWidth = 2

// Options say how files are laid out. The zero Options keep a file's line ends.
type Options struct {
	// EOL is the line end to write: "\n", "\r\n", or "" for the one that most lines
	// of the file have.
	EOL string
}

// ErrMeaning is returned where the laid out file would not read as the source
// does. It is a mistake in this package; the source is to be left as it is.
var ErrMeaning = errors.New("the layout would change what the file says")

// maxRounds bounds how often a file is laid out anew. Columns that were lined up
// bring others into line; two rounds settle nearly every file.
const maxRounds = 16

// File lays a rule file out, and returns what is wrong with it too. A file with an
// error among that is returned as it is. Laying out the result changes nothing more.
func File(file *source.File, o Options) (string, []*diag.Diagnostic, error) {
	eol := o.EOL
	if eol == "" {
		eol = lineEnd(file.Text)
	}
	var own diag.List
	tree := grammar.Parse(file, &own)
	found := own.Sorted()
	if own.Errors() > 0 {
		return file.Text, found, nil
	}
	text, now := "", file
	for range maxRounds {
		if now != file {
			own = diag.List{}
			tree = grammar.Parse(now, &own)
		}
		var ok bool
		if text, ok = lay(now, tree); !ok {
			return file.Text, found, ErrMeaning
		}
		if text == now.Text {
			break
		}
		now = source.NewFile(file.Name, text)
	}
	if eol != "\n" {
		text = strings.ReplaceAll(text, "\n", eol)
	}
	return text, found, nil
}

// lineEnd is the line end of most lines.
func lineEnd(text string) string {
	if crlf := strings.Count(text, "\r\n"); 2*crlf > strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}

// lay does one round: it lays out, and once more with a semicolon kept wherever a
// new line alone does not end the clause.
func lay(file *source.File, tree *grammar.File) (string, bool) {
	p := newPrinter(file, tree)
	for {
		text := p.print()
		now := source.NewFile(file.Name, text)
		var diags diag.List
		more, ok := p.compare(now, grammar.Tokens(now, &diags))
		if !ok {
			return "", false
		}
		if more {
			continue
		}
		diags = diag.List{}
		other := grammar.Parse(now, &diags)
		return text, diags.Errors() == 0 && Same(tree, other)
	}
}

// compare holds the tokens of a layout against those of the source. Line ends count
// where they part two clauses; Same sees to comments. Line ends of the source that
// the layout lacks become hard ones, and there is more to do; ok is false where
// anything else differs.
func (p *printer) compare(now *source.File, bs []grammar.Token) (more, ok bool) {
	as := p.all
	next := func(ts []grammar.Token, i int) int {
		for i < len(ts) && (ts[i].Kind == grammar.Comment || ts[i].Kind == grammar.EOL && !parts(ts, i)) {
			i++
		}
		return i
	}
	i, k := next(as, 0), next(bs, 0)
	for i < len(as) && k < len(bs) {
		x, y := &as[i], &bs[k]
		switch {
		case x.Kind == grammar.EOL && y.Kind == grammar.EOL:
		case x.Kind == grammar.EOL && !p.hard[x.Start]:
			p.hard[x.Start] = true
			more = true
			i = next(as, i+1)
			continue
		case x.Kind != y.Kind || bare(p.file, x) != bare(now, y):
			return false, false
		}
		i, k = next(as, i+1), next(bs, k+1)
	}
	return more, i == len(as) && k == len(bs)
}

// bare is a token as it is written, a comment without blanks behind it.
func bare(f *source.File, t *grammar.Token) string {
	s := f.Text[t.Start:t.End]
	if t.Kind == grammar.Comment {
		return strings.TrimRight(s, " \t\r")
	}
	if t.Kind == grammar.Accepts {
		return "accept " + t.Text
	}
	return s
}

// parts reports whether a line end stands between two clauses: not at the start
// or the end of a block or the file, nor behind another.
func parts(ts []grammar.Token, i int) bool {
	before, after := i-1, i+1
	for before >= 0 && ts[before].Kind == grammar.Comment {
		before--
	}
	if before < 0 || ts[before].Kind == grammar.EOL || isPunct(&ts[before], "{") {
		return false
	}
	for after < len(ts) && (ts[after].Kind == grammar.Comment || ts[after].Kind == grammar.EOL) {
		after++
	}
	return after < len(ts) && ts[after].Kind != grammar.EOF && !isPunct(&ts[after], "}")
}

func isPunct(t *grammar.Token, s string) bool { return t.Kind == grammar.Punct && t.Text == s }

// Same reports whether two files say the same: their trees are equal but for the
// places, and so are their comments, but for blanks behind them.
func Same(a, b *grammar.File) bool {
	if len(a.Comments) != len(b.Comments) {
		return false
	}
	for i := range a.Comments {
		if strings.TrimRight(a.Comments[i].Text, " \t\r") != strings.TrimRight(b.Comments[i].Text, " \t\r") {
			return false
		}
	}
	return same(reflect.ValueOf(a.Decls), reflect.ValueOf(b.Decls))
}

var spanType = reflect.TypeFor[source.Span]()

func same(a, b reflect.Value) bool {
	if a.Type() == spanType {
		return true
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
