package grammar

import (
	"strings"

	"github.com/momon-rules/momon/grammar/source"
)

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of token.
const (
	EOF     TokenKind = iota
	EOL               // a line's end where a clause ends, or a semicolon
	Word              // begins with a small letter: raise, power
	Ident             // begins with a capital or a letter without case: Name, ผู้
	Int               // 12
	RuleNo            // 13.2.4, also 13.2
	String            // "…"
	Punct             // == != <= >= < > + - * % ? . # ( ) [ ] { } : , = ; and the like
	Comment           // # …
	Illegal           // anything else; Text says what
	Accepts           // accept never-true; Text is the code
)

// Token is one token of a rule file. Text is as written (a Word or Ident is
// folded, see Fold; a String has its escapes resolved).
type Token struct {
	source.Span
	Kind TokenKind
	Text string
}

// Joined is the text of tokens with a space between each, except around a mark that
// stands right beside its neighbour, as the hyphen of a name does.
func Joined(tokens []Token) string {
	var b strings.Builder
	for i := range tokens {
		if i > 0 && !(tokens[i-1].End == tokens[i].Start && (tokens[i-1].Kind == Punct || tokens[i].Kind == Punct)) {
			b.WriteByte(' ')
		}
		b.WriteString(tokens[i].Text)
	}
	return b.String()
}
