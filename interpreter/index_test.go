package interpreter

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/rules"
)

// parsed reads the built-in rules, and files beside them.
func parsed(t testing.TB, more map[string]string) []Folder {
	t.Helper()
	var out []Folder
	for _, src := range []Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance", FS: conformance.Cases}} {
		names, err := src.Files()
		if err != nil {
			t.Fatal(err)
		}
		f := Folder{Name: src.Name}
		for _, n := range names {
			data, err := fs.ReadFile(src.FS, n)
			if err != nil {
				t.Fatal(err)
			}
			f.Files = append(f.Files, ParseFile(src.Name+"/"+n, string(data)))
		}
		out = append(out, f)
	}
	mine := Folder{Name: "mine"}
	for n, text := range more {
		mine.Files = append(mine.Files, ParseFile("mine/"+n, text))
	}
	return append(out, mine)
}

// Whatever stands in the place of a mention is the name itself, and every name in
// the built-in rules that is not a word of the language is mentioned.
func TestIndexIsWhole(t *testing.T) {
	folders := parsed(t, nil)
	var all []*Index
	for _, edition := range Analyse(folders, Options{Index: true}).Index.Editions() {
		a := Analyse(folders, Options{Index: true, Edition: edition})
		if a.Program == nil {
			t.Fatal(a.Diags)
		}
		all = append(all, a.Index)
	}
	missed := map[string]int{}
	for _, f := range folders {
		for _, file := range f.Files {
			at := map[int]bool{}
			var list []Mention
			for _, x := range all {
				list = append(list, x.File(file.Source())...)
			}
			for _, m := range list {
				text := grammar.Fold(m.Span.Text())
				if text != m.Symbol.Name && strings.Trim(text, `"`) != m.Symbol.Name && m.Symbol.Sort != NameView {
					t.Errorf("%s:%d: %q is said to mention %s %q", file.Source().Name, file.Source().Line(m.Span.Start), text, m.Symbol.Sort, m.Symbol.Name)
				}
				for i := m.Span.Start; i < m.Span.End; i++ {
					at[i] = true
				}
			}
			for _, tok := range grammar.Tokens(file.Source(), nil) {
				if tok.Kind == grammar.Ident && !at[tok.Start] && tok.Text != "P1" && tok.Text != "P2" {
					missed[tok.Text]++
					if missed[tok.Text] == 1 {
						t.Errorf("%s:%d: nothing is known of %q", file.Source().Name, file.Source().Line(tok.Start), tok.Text)
					}
				}
			}
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	folders := parsed(b, nil)
	for name, opts := range map[string]Options{"plain": {}, "index": {Index: true}, "warnings": {Warnings: true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if Analyse(folders, opts).Program == nil {
					b.Fatal("errors")
				}
			}
		})
	}
}
