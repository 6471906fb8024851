package grammar

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// TestErrors renders what is wrong with each file under testdata/errors, in
// English and Thai, and holds it against the text beside the file.
func TestErrors(t *testing.T) {
	files, _ := filepath.Glob("testdata/errors/*.momon")
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".momon"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var l diag.List
			Parse(source.NewFile(filepath.Base(name), string(text)), &l)
			var b bytes.Buffer
			for _, lang := range []string{"en", "th"} {
				if err := diag.Text(&b, l.Sorted(), lang, false); err != nil {
					t.Fatal(err)
				}
				b.WriteString("\n")
			}
			golden(t, strings.TrimSuffix(name, ".momon")+".txt", b.String())
		})
	}
}

// TestCatalog holds the catalog's own examples against the parser: the broken
// one gives its code and nothing else, the mended one nothing.
func TestCatalog(t *testing.T) {
	for _, code := range diag.Codes() {
		broken, mended := diag.Example(code)
		for _, lang := range []string{"en", "th"} {
			if page, ok := diag.Help(code, lang); !ok || page == "" {
				t.Errorf("%s: no help page", code)
			}
		}
		if !syntax[code] || broken == "" {
			continue
		}
		if _, ds := parseText(code, broken); len(ds) != 1 || ds[0].Code != code {
			t.Errorf("%s: the broken example gives %s", code, codesOf(ds))
		}
		if _, ds := parseText(code, mended); len(ds) != 0 {
			t.Errorf("%s: the mended example gives %s", code, codesOf(ds))
		}
	}
	for code := range syntax {
		if _, ok := diag.Help(code, "en"); !ok {
			t.Errorf("%s: not in the catalog", code)
		}
	}
}

// syntax are the codes of this package; the others need a vocabulary.
var syntax = map[string]bool{
	"expected": true, "stray-token": true, "unknown-declaration": true, "unknown-clause": true, "unclosed-block": true,
	"extra-brace": true, "colon-and-brace": true, "small-letter": true, "word-in-brackets": true, "unclosed-bracket": true,
	"unopened-bracket": true, "wrong-bracket": true, "element-outside-brackets": true, "unterminated-string": true,
	"unknown-escape": true, "curly-quote": true, "single-quote": true, "stray-character": true, "stray-mark": true,
	"number-and-letters": true, "number-too-large": true, "bad-utf8": true, "invisible-character": true,
	"lookalike-character": true, "full-width-character": true, "doubled-mark": true, "file-too-large": true, "too-deep": true,
	"too-many-errors": true,
}

func codesOf(ds []*diag.Diagnostic) string {
	var s []string
	for _, d := range ds {
		s = append(s, d.Code+" "+strings.Join(d.Values, " ")+" at "+d.Span.Text())
	}
	return "[" + strings.Join(s, "; ") + "]"
}
