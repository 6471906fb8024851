package grammar

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// check parses a text and reports what must never be: a span outside the file, a
// diagnostic that can't be shown.
func check(t *testing.T, text string) {
	t.Helper()
	src := source.NewFile("fuzz.momon", text)
	var l diag.List
	f := Parse(src, &l)
	inside := func(s source.Span, what string) {
		if s.File != src || s.Start < 0 || s.End < s.Start || s.End > len(src.Text) {
			t.Fatalf("%s: span %d to %d of %d", what, s.Start, s.End, len(src.Text))
		}
	}
	for _, d := range f.Decls {
		inside(d.Span, d.Head)
		inside(d.At, d.Head)
	}
	for _, d := range l.Sorted() {
		inside(d.Span, d.Code)
		if d.Fix != nil {
			inside(d.Fix.Span, d.Code)
		}
		for _, lang := range []string{"en", "th"} {
			if diag.Message(d, lang) == "" {
				t.Fatal("no message for", d.Code)
			}
		}
	}
	var b strings.Builder
	if err := diag.Text(&b, l.Sorted(), "en", true); err != nil {
		t.Fatal(err)
	}
	last := 0
	var again diag.List
	for _, tok := range Tokens(src, &again) {
		inside(tok.Span, "token")
		if tok.Start < last {
			t.Fatalf("tokens out of order at %d", tok.Start)
		}
		last = tok.Start
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/draft/*.momon", "testdata/errors/*.momon"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Add("card \"A\" { On Summon: repeat 2: repeat 2: incite self\n}")
	f.Add("\ufeffcard \u201cA\u201d {\r\n power \u0e53\r\n}\r\n")
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

// TestHostile parses long files that are made to be slow; each must take time in
// proportion to its length.
func TestHostile(t *testing.T) {
	const n = 1 << 20
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	for name, text := range map[string]string{
		"brackets":     rep("("),
		"bracketlines": rep("(\n"),
		"braces":       rep("{"),
		"cards":        rep("card {\n"),
		"opencards":    rep("card \"A\" {\n x y\n"),
		"closing":      rep("}"),
		"strings":      rep("\""),
		"quotes":       rep("'"),
		"curly":        rep("“"),
		"dollars":      rep("$ "),
		"repeat":       "card \"A\" {\n On Summon: " + rep("repeat 2: ") + "\n}",
		"if":           "card \"A\" {\n On Summon: " + rep("if a: b else: ") + "\n}",
		"commas":       "values A { " + rep("B, ") + " }",
		"head":         "kind A " + rep("of B "),
		"roles":        "action a " + rep("by b: c "),
		"action":       "action a " + rep("b "),
		"words":        rep("where "),
		"colons":       "card \"A\" {\n" + rep("A:"),
		"marks":        rep("ก่่"),
		"invisible":    rep("a\u200b"),
		"apostrophes":  rep("a'"),
		"bad":          rep("\xff"),
		"comments":     rep("#\n"),
		"blank":        rep("\n"),
		"semicolons":   rep(";"),
		"until":        "card \"A\"" + rep("\nuntil \"x\""),
		"unindented":   "card \"A\" {\n" + rep("always: raise a by 1\n"),
		"wide":         rep("３ "),
		"mixed":        rep("([)]{}\n"),
	} {
		t.Run(name, func(t *testing.T) {
			// What takes more than linear time on a text of this size runs
			// into the test binary's own time limit.
			check(t, text)
		})
	}
}

// TestOneCut removes every single token of a good file in turn: whatever goes,
// few messages come and the other declarations stay.
func TestOneCut(t *testing.T) {
	text, err := os.ReadFile("testdata/draft/cards-starter.momon")
	if err != nil {
		t.Fatal(err)
	}
	var l diag.List
	toks := Tokens(source.NewFile("a", string(text)), &l)
	for _, tok := range toks {
		if tok.Kind == EOF || tok.Kind == Comment {
			continue
		}
		broken := string(text[:tok.Start]) + strings.Repeat(" ", tok.End-tok.Start) + string(text[tok.End:])
		f, ds := parseText("a", broken)
		if len(ds) > 1 || len(f.Decls) < 7 {
			t.Errorf("without %q at %d: %d declarations, %s", tok.Text, tok.Start, len(f.Decls), codesOf(ds))
		}
	}
}

func generated(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `card "Card %d" th "การ์ด %d" {
  element Fire; trait Beast, Spirit; power %d; worth 2; sight North, East; mark South
  On Summon: grant Ward to self
  On Snatch where target.element == Wood: may { choose m from each Momon where controller == you and it != self; incite m }
  always on each Momon where controller == you and Beast in trait: raise power by 1
  Bulwark 2
}
`, i, i, i%9)
	}
	return b.String()
}

// BenchmarkParseCards parses ten thousand cards in ten files.
func BenchmarkParseCards(b *testing.B) {
	text := generated(1000)
	b.SetBytes(int64(10 * len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for range 10 {
			var l diag.List
			f := Parse(source.NewFile("cards.momon", text), &l)
			if len(f.Decls) != 1000 || l.Errors() > 0 {
				b.Fatal("did not parse")
			}
		}
	}
}

// BenchmarkLexCards is the lexer's part of it.
func BenchmarkLexCards(b *testing.B) {
	text := generated(1000)
	b.SetBytes(int64(10 * len(text)))
	for b.Loop() {
		for range 10 {
			var l diag.List
			Tokens(source.NewFile("cards.momon", text), &l)
		}
	}
}
