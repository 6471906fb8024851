package interpreter_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// Files that are too large, too deep, damaged, hostile or random, and folders
// that stand on each other.

// TestLimits: what is too long or too many is refused with the limit's name.
func TestLimits(t *testing.T) {
	list := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ code, text string }{
		"values":       {"too-many-values", "values Weather {\n" + list(64, "  Rain%d\n") + "}"},
		"values added": {"too-many-values", "extend values Element {\n" + list(64, "  Rain%d\n") + "}"},
		"roles":        {"too-many", "action leap object: card" + list(65, " within c%d: check") + " { do: incite object }"},
		"attributes":   {"too-many", "action leap object: card {\n" + list(65, "  characteristic a%d: number = 1\n") + "  do: incite object\n}"},
		"abilities":    {"too-many", "card \"C\" {\n  element Fire\n" + list(65, "  always while self.power > %d: raise power by 1\n") + "}"},
		"expression":   {"expression-too-long", "keyword A { always: raise power by 1" + list(300, " + 1%d") + list(300, " + 1%d") + " }"},
		"brackets":     {"too-deep", "keyword A { always: raise power by " + strings.Repeat("(", 500) + "1" + strings.Repeat(")", 500) + " }"},
		"braces":       {"too-deep", "keyword A { On Summon " + strings.Repeat("{ together ", 500) + "{ draw by you " + strings.Repeat("}", 502)},
		"instructions": {"too-deep", "keyword A { On Summon: " + strings.Repeat("may: ", 5000) + "draw by you }"},
		"file":         {"file-too-large", "# " + strings.Repeat("x", grammar.MaxFileBytes)},
		"errors":       {"too-many-errors", strings.Repeat("card 3\n", grammar.MaxReports+100)},
		"functions":    {"nested-too-deep", "characteristic odd of player: flag = " + strings.Repeat("any(momon, ", 6) + "true" + strings.Repeat(")", 6)},
		"number":       {"number-too-large", "card \"C\" { element Fire; power 99999999999999999999 }"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ds := load(t, "rules", c.text)
			n := 0
			for _, d := range errorsOf(ds) {
				if d.Code == c.code {
					n++
				} else if name != "errors" {
					t.Errorf("another error:\n%s", render([]*diag.Diagnostic{d}, "en"))
				}
			}
			if n != 1 {
				t.Errorf("%s: %d times\n%s", c.code, n, render(ds[:min(len(ds), 5)], "en"))
			}
		})
	}
}

// TestBytes: files in other encodings are named as such, once; line ends and a
// byte-order mark don't matter.
func TestBytes(t *testing.T) {
	const text = "keyword Brave (n: number) en \"Brave\" th \"กล้า\" {\n  # a comment\n  always:\n    raise power by n\n}\ncard \"Dune Cat\" {\n  element Fire\n  Brave 2\n}\n"
	utf16 := func(s string) string {
		b := "\xff\xfe"
		for _, r := range s {
			b += string([]byte{byte(r), byte(r >> 8)})
		}
		return b
	}
	for name, c := range map[string]struct{ code, text string }{
		"as it is":         {"", text},
		"CRLF":             {"", strings.ReplaceAll(text, "\n", "\r\n")},
		"mark":             {"", "\ufeff" + text},
		"mark and CRLF":    {"", "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")},
		"no last line end": {"", strings.TrimSpace(text)},
		"tabs":             {"", strings.ReplaceAll(text, "  ", "\t")},
		"empty":            {"", ""},
		"only a mark":      {"", "\ufeff"},
		"only a comment":   {"", "# ไม่มีอะไร"},
		"joiners in texts": {"", strings.ReplaceAll(text, "กล้า", "กล้า\u200bหาญ\u200d")},
		"TIS-620":          {"bad-utf8", strings.ReplaceAll(text, "กล้า", "\xa1\xc5\xe9\xd2")},
		"UTF-16":           {"bad-utf8", utf16(text)},
		"cut in a letter":  {"bad-utf8", text + "# \xe0\xb8"},
		"zero bytes":       {"stray-character", text + "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ds := errorsOf(load(t, "rules", c.text))
			switch {
			case c.code == "" && len(ds) > 0, c.code != "" && (len(ds) != 1 || ds[0].Code != c.code) && !(c.code == "stray-character" && len(ds) == 1):
				t.Errorf("want %q, got\n%s", c.code, render(ds, "en"))
			}
		})
	}
}

// TestFolders: later folders add to earlier ones; a name again is an error unless
// it says that it overrides.
func TestFolders(t *testing.T) {
	const base = "keyword A { always: raise power by 1 }"
	for name, c := range map[string]struct {
		texts []string
		codes string
	}{
		"add":                            {[]string{base, "keyword B { always: raise power by 1 }"}, ""},
		"again":                          {[]string{base, base}, "declared-twice"},
		"override":                       {[]string{base, "override keyword A { always: raise power by 2 }"}, ""},
		"override twice":                 {[]string{base, "override " + base, "override " + base}, ""},
		"override twice in one":          {[]string{base, "override " + base + "\noverride " + base}, "declared-twice"},
		"override in one folder":         {[]string{base + "\noverride " + base}, ""},
		"override before, in one folder": {[]string{"override " + base + "\n" + base}, ""},
		"again after an override":        {[]string{base, "override " + base, base}, "declared-twice"},
		"override of a later one":        {[]string{"override " + base, base}, "declared-twice"},
		"override of nothing":            {[]string{base, "override keyword C { always: raise power by 1 }"}, "nothing-to-override"},
		"extend":                         {[]string{"values W { X }", "extend values W { Y }", "extend values W { Z }"}, ""},
		"extend by what is there":        {[]string{"values W { X }", "extend values W { X }"}, "declared-twice"},
		"extend before":                  {[]string{"extend values W { Y }", "values W { X }"}, ""},
		"override of what is extended":   {[]string{"override zone Arena { renews objects; grid 4 by 4 }"}, ""},
		"extend what an override says":   {[]string{"override zone Arena { renews objects; grid 4 by 4 }", "extend zone Arena { grid 5 by 5 }"}, ""},
		"extend of nothing":              {[]string{"extend values Q { Y }"}, "nothing-to-extend"},
		"a kind before its parent":       {[]string{"kind Aa is Bb where power > 1\nkind Bb is Momon where power > 0"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := []interpreter.Source{{Name: "rules", FS: rules.FS}}
			for i, text := range c.texts {
				list = append(list, interpreter.Source{Name: fmt.Sprintf("m%d", i), FS: oneFile("a.momon", text)})
			}
			_, ds, err := interpreter.Load(context.Background(), list, interpreter.Options{})
			if err != nil && err != interpreter.ErrRules {
				t.Fatal(err)
			}
			var codes []string
			for _, d := range errorsOf(ds) {
				codes = append(codes, d.Code)
			}
			if got := strings.Join(codes, " "); got != c.codes {
				t.Errorf("want %q, got %q\n%s", c.codes, got, render(errorsOf(ds), "en"))
			}
		})
	}
}

// TestFolds: names that differ only in ways that can't be seen are the same, and
// what can't be seen at all is refused.
func TestFolds(t *testing.T) {
	card := func(name string) string { return "card \"" + name + "\" { element Fire }\n" }
	for name, c := range map[string]struct{ code, text string }{
		"composed and decomposed": {"declared-twice", card("Caf\u00e9") + card("Cafe\u0301")},
		"apostrophes":             {"declared-twice", card("Owl's Pet") + card("Owl\u2019s Pet")},
		"Thai AE":                 {"declared-twice", card("\u0e41\u0e21\u0e48") + card("\u0e40\u0e40\u0e21\u0e48")},
		"Thai AM":                 {"declared-twice", card("\u0e19\u0e49\u0e33") + card("\u0e19\u0e4d\u0e49\u0e32")},
		"found in the other form": {"", card("Caf\u00e9") + "deck \"D\" { card \"Cafe\u0301\" }\ncase \"c\" { given A: \"Cafe\u0301\" of P1; expect A.here }"},
		"keyword in two words":    {"", "keyword \"Owl\u2019s Own\" { always: raise power by 1 }\ncard \"C\" { element Fire\n  Owl's Own\n}"},
		"invisible in a name":     {"invisible-character", card("Dune\u200bCat")},
		"invisible in a word":     {"invisible-character", "card \"C\" { element Fire; po\u200bwer 1 }"},
		"look-alike":              {"lookalike-character", "card \"C\" { element Fire; p\u043ewer 1 }"},
		"full width":              {"full-width-character", "card \"C\" { element Fire; power \uff13 }"},
		"doubled mark":            {"doubled-mark", "keyword \u0e01\u0e25\u0e49\u0e49\u0e32 { always: raise power by 1 }"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ds := errorsOf(load(t, "rules", c.text))
			if c.code == "" && len(ds) > 0 || c.code != "" && (len(ds) != 1 || ds[0].Code != c.code) {
				t.Errorf("want %q, got\n%s", c.code, render(ds, "en"))
			}
		})
	}
}

// TestUnknownEdition: an edition that is asked for and not there is an error
// without a place.
func TestUnknownEdition(t *testing.T) {
	_, ds, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "rules", FS: rules.FS}}, interpreter.Options{Edition: "9.9.9"})
	if err != interpreter.ErrRules || len(ds) == 0 || ds[0].Code != "unknown-edition" {
		t.Errorf("%v\n%s", err, render(ds, "en"))
	}
}

// TestOrderOfFiles: the same declarations in other files and another order give
// the same messages.
func TestOrderOfFiles(t *testing.T) {
	decls := []string{
		"keyword A { always: raise pwer by 1 }", "keyword B (n: number) { always: raise power by 1 }", "kind Aa is Zz", "kind Zz is Aa",
		"card \"C\" { element Fier; A }", "layer Q after R", "layer R after Q", "characteristic q of card: number = q",
	}
	count := func(order []int) string {
		fsys := fstest.MapFS{}
		for i, d := range order {
			fsys[fmt.Sprintf("f%d.momon", i)] = &fstest.MapFile{Data: []byte(decls[d])}
		}
		_, ds, _ := interpreter.Load(context.Background(), []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "m", FS: fsys}}, interpreter.Options{})
		n := map[string]int{}
		for _, d := range ds {
			n[d.Code]++
		}
		return fmt.Sprint(n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	want := count([]int{0, 1, 2, 3, 4, 5, 6, 7})
	for range 5 {
		if got := count(r.Perm(len(decls))); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
}

// mini is enough vocabulary for random text to mean something now and then.
const mini = `text en "English"
text th "ไทย"
edition "1" from "2026-01-01"
values Element { Fire; Wood }
values Way { North at 0, -1; South at 0, 1 }
zone Arena { renews objects; grid 3 by 3 }
zone Hand of player { hidden from opponent }
kind Momon is card where zone == Arena
characteristic element of card: Element printed
characteristic trait of card: several Element printed
characteristic power of card: number printed floor 0
characteristic opponent of player: player = find(game.players, # != self)
characteristic momon of player: several Momon = each Momon where controller == self
memory noted of card: number
layer Set { takes set, copy }
layer Change after Set { takes add, remove, strip, lock }
layer Modify after Change { takes raise, lower; ends with floors }
layer Rules after Modify { takes prohibit, require, permit, instead, trigger }
table bonus (a: Element): number = 0 { Fire: 1 }
token Mark on Momon limit 2
action turn of player: player
step Start of turn
step Main of turn after Start
action hit target: Momon by source: Momon { characteristic wins: flag = source.power > target.power; only if wins; do: give target to source.controller }
header "On Hit" { when hit where source == self }
keyword Guard (n: number) { always: prohibit hit where target == self and source.power < n }
keyword Stay { granted to m { record m.noted = m.power; effect on m { raise power by m.noted; until end of turn } } }
action game { do: turn of first(game.players) }
`

// tryLoad loads a text on mini and sees that nothing panics, and that every place
// lies in its file. What hangs is ended with all tests.
func tryLoad(t *testing.T, text string) {
	t.Helper()
	_, ds, err := interpreter.Load(context.Background(), []interpreter.Source{
		{Name: "mini", FS: oneFile("mini.momon", mini)}, {Name: "mine", FS: oneFile("my.momon", text)},
	}, interpreter.Options{})
	if err != nil && err != interpreter.ErrRules {
		t.Fatal(err)
	}
	wellPlaced(t, ds)
}

func wellPlaced(t *testing.T, ds []*diag.Diagnostic) {
	t.Helper()
	for _, d := range ds {
		spans := []source.Span{d.Span}
		if d.Fix != nil {
			spans = append(spans, d.Fix.Span)
		}
		for _, r := range d.Related {
			spans = append(spans, r.Span)
		}
		for _, s := range spans {
			if s.File == nil || s.Start < 0 || s.End < s.Start || s.End > len(s.File.Text) {
				t.Fatalf("%s %v: span %d to %d", d.Code, d.Values, s.Start, s.End)
			}
		}
	}
	for _, lang := range []string{"en", "th"} {
		if s := render(ds, lang); len(ds) > 0 && s == "" {
			t.Fatal("nothing shown")
		}
	}
}

// TestSoup loads random sequences of the language's own tokens.
func TestSoup(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 200
	}
	words := tokensOf(t, rules.FS, cards.FS)
	heads := []string{"card \"X\" {", "keyword X {", "action x object: card {", "characteristic x of card: number =", "kind X is", "zone X {", "layer X",
		"header \"X\" {", "token X on card {", "values X {", "case \"x\" {", "table x (a: Element): number = 0 {", "always on each Momon", "view x of card {",
		"deck \"x\" {", "override keyword Stay {", "extend action hit {", "step X of turn {", "reading \"x\" {", "statement 1.2 \"x\"", "memory x of card:"}
	r := rand.New(rand.NewPCG(7, 11))
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(heads[r.IntN(len(heads))])
			for range r.IntN(25) {
				b.WriteByte(" \n;"[[]int{0, 0, 0, 0, 0, 0, 0, 1, 2}[r.IntN(9)]])
				b.WriteString(words[r.IntN(len(words))])
			}
			b.WriteString("\n}\n")
		}
		text := b.String()
		t.Run("", func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("%v\n%s", p, text)
				}
			}()
			tryLoad(t, text)
		})
	}
}

func tokensOf(t *testing.T, list ...fs.FS) []string {
	var out []string
	for _, f := range list {
		names, _ := fs.Glob(f, "*.momon")
		for _, name := range names {
			data, err := fs.ReadFile(f, name)
			if err != nil {
				t.Fatal(err)
			}
			var l diag.List
			for _, tok := range grammar.Tokens(source.NewFile(name, string(data)), &l) {
				if tok.Kind != grammar.Comment && tok.Kind != grammar.EOF && tok.Kind != grammar.EOL {
					out = append(out, tok.Span.Text())
				}
			}
		}
	}
	return out
}

// TestMutations spoils the real rules and cards, a token at a time: one left out,
// one doubled, two exchanged, one put in place of another.
func TestMutations(t *testing.T) {
	n := 120
	if testing.Short() {
		n = 20
	}
	type file struct {
		name   string
		text   string
		tokens []grammar.Token
	}
	var files []file
	total := 0
	for _, f := range []fs.FS{rules.FS, cards.FS} {
		names, _ := fs.Glob(f, "*.momon")
		for _, name := range names {
			if strings.HasPrefix(name, "statements") || strings.HasPrefix(name, "texts") {
				continue // little but texts
			}
			data, err := fs.ReadFile(f, name)
			if err != nil {
				t.Fatal(err)
			}
			var l diag.List
			src := source.NewFile(name, string(data))
			var toks []grammar.Token
			for _, tok := range grammar.Tokens(src, &l) {
				if tok.Kind != grammar.Comment && tok.Kind != grammar.EOF {
					toks = append(toks, tok)
				}
			}
			files = append(files, file{name, src.Text, toks})
			total += len(toks)
		}
	}
	r := rand.New(rand.NewPCG(3, 5))
	reported := 0
	for range n {
		at := r.IntN(total)
		var f file
		for _, f = range files {
			if at < len(f.tokens) {
				break
			}
			at -= len(f.tokens)
		}
		a := f.tokens[at]
		b := f.tokens[(at+1)%len(f.tokens)]
		if b.Start < a.Start {
			a, b = b, a
		}
		text := f.text
		switch r.IntN(4) {
		case 0:
			text = text[:a.Start] + text[a.End:]
		case 1:
			text = text[:a.End] + " " + a.Span.Text() + text[a.End:]
		case 2:
			text = text[:a.Start] + b.Span.Text() + text[a.End:b.Start] + " " + a.Span.Text() + text[b.End:]
		case 3:
			text = text[:a.Start] + f.tokens[r.IntN(len(f.tokens))].Span.Text() + text[a.End:]
		}
		list := []interpreter.Source{{Name: "rules", FS: with(rules.FS, f.name, text)}, {Name: "cards", FS: with(cards.FS, f.name, text)}}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%v\n%s at %q", p, f.name, text[max(0, a.Start-60):min(len(text), a.End+60)])
				}
			}()
			_, ds, err := interpreter.Load(context.Background(), list, interpreter.Options{})
			if err != nil && err != interpreter.ErrRules {
				t.Fatal(err)
			}
			wellPlaced(t, ds)
			if len(errorsOf(ds)) > 0 {
				reported++
			}
		}()
	}
	t.Logf("%d of %d are reported", reported, n)
}

// with is a folder in which one file has another text.
func with(f fs.FS, name, text string) fs.FS {
	out := fstest.MapFS{}
	names, _ := fs.Glob(f, "*.momon")
	for _, n := range names {
		data, _ := fs.ReadFile(f, n)
		if n == name {
			data = []byte(text)
		}
		out[n] = &fstest.MapFile{Data: data}
	}
	return out
}

// FuzzLoad loads any bytes at all.
func FuzzLoad(f *testing.F) {
	f.Add(mini)
	for _, code := range diag.Codes() {
		broken, mended := diag.Example(code)
		f.Add(broken)
		f.Add(mended)
	}
	f.Add("card \"\x00\" {\xff}")
	f.Add("step A0")
	f.Add("always:raise")
	f.Add("keyword กล้า (น: number) { always: raise power by น }")
	f.Fuzz(func(t *testing.T, text string) { tryLoad(t, text) })
}
