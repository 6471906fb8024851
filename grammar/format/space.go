package format

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar"
)

// Blanks between two tokens on a line. The tokens decide nearly everywhere. Three
// things they leave open: whether a minus is a sign, whether a bracket behind a
// word is a call, and whether a point begins an operand. There the tree says which
// tokens form one expression, and where even that doesn't help (the arguments of a
// keyword), the author's blank stays.

// place is what the tree knows of a token.
type place struct {
	first bool // the first of an expression
	expr  bool // in an expression
	words bool // in the words of a phrase: a header, or a keyword with arguments
	line  bool // the first of a clause that may begin with until
	field bool // the first of a field: power 3
}

// places walks a tree and returns what it knows of tokens, by their offset.
func places(tree *grammar.File) map[int]place {
	m := map[int]place{}
	walk(reflect.ValueOf(tree.Decls), m)
	return m
}

var (
	exprType   = reflect.TypeFor[grammar.Expr]()
	phraseType = reflect.TypeFor[grammar.Phrase]()
	changeType = reflect.TypeFor[grammar.Change]()
	lineType   = reflect.TypeFor[grammar.Line]()
	fieldType  = reflect.TypeFor[grammar.Field]()
)

func walk(v reflect.Value, m map[int]place) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), m)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			walk(v.Index(i), m)
		}
	case reflect.Struct:
		switch v.Type() {
		case spanType:
			return
		case exprType:
			for i, t := range v.Addr().Interface().(*grammar.Expr).Tokens {
				p := m[t.Start]
				p.expr, p.first = true, p.first || i == 0
				m[t.Start] = p
			}
			return
		case phraseType:
			for _, t := range v.Addr().Interface().(*grammar.Phrase).Words {
				m[t.Start] = place{words: true}
			}
		case changeType:
			m[v.Addr().Interface().(*grammar.Change).Start] = place{line: true}
		case lineType:
			m[v.Addr().Interface().(*grammar.Line).Start] = place{line: true}
		case fieldType:
			m[v.Addr().Interface().(*grammar.Field).Name.Start] = place{field: true}
		}
		for i := range v.NumField() {
			walk(v.Field(i), m)
		}
	}
}

// joining reports whether a word joins what stands before and after it, so that a
// bracket, a sign or a point behind it begins something new.
func joining(s string) bool {
	switch s {
	case "and", "or", "not", "in", "contains", "startsWith", "endsWith", "matches",
		"where", "until", "while", "by", "to", "from", "with", "at", "on", "of", "after", "among", "limit", "once", "per",
		"rule", "provisional", "else", "floor", "ceiling", "printed", "is", "within", "if", "each":
		return true
	}
	return false
}

// blank reports whether a blank stands between item i and the one before it, both
// code and on one line.
func (p *printer) blank(i int) bool {
	a, b := &p.items[i-1], &p.items[i]
	return p.wants(a, b, i) || glues(a, b, p.items, i)
}

// hyphen reports whether the minus at index i is the hyphen of a name: right behind a
// name with a capital, which nothing is taken from, and right before a word.
func (p *printer) hyphen(i int) bool {
	if i <= 0 || i+1 >= len(p.items) {
		return false
	}
	a, t, b := &p.items[i-1], &p.items[i], &p.items[i+1]
	if t.Kind != grammar.Punct || t.Text != "-" || t.gap > 0 || b.gap > 0 || t.lines > 0 || b.lines > 0 || b.Kind != grammar.Ident && b.Kind != grammar.Word {
		return false
	}
	return a.Kind == grammar.Ident || a.Kind == grammar.Word && p.hyphen(i-2)
}

// wants is blank without the care that no two tokens become one.
func (p *printer) wants(a, b *item, i int) bool {
	if p.hyphen(i) || p.hyphen(i-1) {
		return false
	}
	switch b.Kind {
	case grammar.Punct:
		switch b.Text {
		case ",", ")", "]":
			return false
		case ":":
			return b.ternary
		case "?.", "..":
			return false
		case ".":
			return p.pointBlank(a, b)
		case "(", "[":
			return p.bracketBlank(a, b)
		case "{", "}":
			return true
		}
	}
	switch a.Kind {
	case grammar.Punct:
		switch a.Text {
		case "(", "[", ".", "?.", "..", "!":
			return false
		case ":":
			return a.ternary || !a.slice
		case "-", "+":
			return !p.sign(i - 1)
		}
	}
	return true
}

// member reports whether the token stands behind a point: whatever its word, it is
// a name there.
func (p *printer) member(t *item) bool {
	return t.at > 0 && p.items[t.at-1].Kind == grammar.Punct && (p.items[t.at-1].Text == "." || p.items[t.at-1].Text == "?.")
}

// operand reports whether something may end with the token that a point, a bracket
// or an operator goes on from.
func (p *printer) operand(t *item) bool {
	switch t.Kind {
	case grammar.Word:
		return p.member(t) || !joining(t.Text)
	case grammar.Ident, grammar.Int, grammar.RuleNo, grammar.String:
		return true
	case grammar.Punct:
		return t.Text == ")" || t.Text == "]" || t.Text == "#"
	}
	return false
}

// together reports whether two tokens stand in one expression.
func (p *printer) together(a, b *item) bool {
	return p.places[b.Start].expr && !p.places[b.Start].first && p.places[a.Start].expr
}

func (p *printer) pointBlank(a, b *item) bool {
	switch {
	case a.Kind == grammar.Punct && (a.Text == "(" || a.Text == "[" || a.Text == "!" || a.Text == "."):
		return false
	case a.Kind == grammar.Punct && (a.Text == "-" || a.Text == "+"):
		return !p.sign(a.at)
	case p.operand(a):
		return !p.together(a, b) && b.gap > 0
	}
	return true
}

func (p *printer) bracketBlank(a, b *item) bool {
	switch {
	case a.Kind == grammar.Punct && (a.Text == "(" || a.Text == "[" || a.Text == "." || a.Text == "?." || a.Text == "!"):
		return false
	case a.Kind == grammar.Punct && (a.Text == "-" || a.Text == "+"):
		return !p.sign(a.at)
	case !p.operand(a):
		return true
	case p.member(a):
		return false
	case a.Kind == grammar.Word && b.Text == "(" && p.together(a, b):
		return false
	case p.together(a, b), p.places[b.Start].words:
		return b.gap > 0
	}
	return true
}

// sign reports whether the plus or minus at index i belongs to what follows alone.
func (p *printer) sign(i int) bool {
	if i == 0 {
		return true
	}
	a, b := &p.items[i-1], &p.items[i]
	switch {
	case !p.operand(a), p.places[b.Start].first:
		return true
	case a.Kind == grammar.Ident, p.places[b.Start].words, !p.places[b.Start].expr:
		// Bulwark -2 gives a keyword its argument, A - 2 takes two away.
		return b.gap > 0 && i+1 < len(p.items) && p.items[i+1].gap == 0 && p.items[i+1].lines == 0
	}
	return false
}

// glues reports whether two tokens without a blank would read as others.
func glues(a, b *item, items []item, i int) bool {
	x, _ := utf8.DecodeLastRuneInString(a.text)
	y, _ := utf8.DecodeRuneInString(b.text)
	if wordy(x) && wordy(y) {
		return true
	}
	if a.Kind != grammar.Punct || b.Kind != grammar.Punct {
		// 1 . 5 is no rule number.
		number := func(k int) bool {
			return k >= 0 && k < len(items) && (items[k].Kind == grammar.Int || items[k].Kind == grammar.RuleNo)
		}
		switch {
		case b.text == "." && number(i-1):
			return number(i + 1)
		case a.text == "." && number(i):
			return number(i - 2)
		}
		return false
	}
	switch a.text[len(a.text)-1:] + b.text[:1] {
	case "==", "!=", "<=", ">=", "&&", "||", "?.", "??", "..", "**":
		return true
	}
	return false
}

func wordy(r rune) bool {
	return r == '_' || r == '\'' || r == '’' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// colons marks those colons that part the branches of a choice (a ? b : c), and
// those of a slice.
func colons(items []item) {
	type open struct {
		square bool
		asked  int
	}
	stack := []open{{}}
	for i := range items {
		t := &items[i]
		if t.Kind == grammar.EOL {
			continue
		}
		if t.Kind != grammar.Punct {
			continue
		}
		top := &stack[len(stack)-1]
		switch t.Text {
		case "(", "[":
			stack = append(stack, open{square: t.Text == "["})
		case ")", "]":
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			}
		case "{", "}":
			stack = append(stack[:0], open{})
		case "?":
			top.asked++
		case ":":
			switch {
			case len(stack) > 1 && top.asked > 0:
				top.asked--
				t.ternary = true
			case top.square:
				t.slice = true
			}
		}
	}
}

// key is what a token is to the column that it begins: rows whose tokens have the
// same key there are rows of one table.
func (t *item) key() string {
	switch t.Kind {
	case grammar.Word, grammar.Punct:
		return t.Text
	case grammar.Int, grammar.RuleNo:
		return "0"
	case grammar.Accepts:
		return "accept"
	case grammar.String:
		return `"`
	case grammar.Ident:
		return "A"
	}
	return ""
}

func lines(s string) int { return strings.Count(s, "\n") }
