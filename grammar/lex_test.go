package grammar

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// show writes tokens in short: w word, N name, i number, r rule number, s string,
// p the rest, ; a line end, # a comment, ! what can't be read.
func show(ts []Token) string {
	var s []string
	for _, t := range ts {
		switch t.Kind {
		case EOF:
		case EOL:
			s = append(s, ";")
		case String:
			s = append(s, fmt.Sprintf("s%q", t.Text))
		default:
			s = append(s, string("  wNirsp#!"[t.Kind])+t.Text)
		}
	}
	return strings.Join(s, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, text, want, codes string }{
		{"kinds", `raise Ward 12 13.2.4 "a" ==`, `wraise NWard i12 r13.2.4 s"a" p==`, ""},
		{"member of a number is no rule number", "3.x", "i3 p. wx", ""},
		{"thai", "ผู้พิทักษ์ กล้า", "Nผู้พิทักษ์ Nกล้า", ""},
		{"sara ae of two sara e", "เเมว", "Nแมว", ""},
		{"sara am of two", "นํา นํ้า", "Nนำ Nน้ำ", ""},
		{"normal form c", "Cafe\u0301", "NCafé", ""},
		{"apostrophes", "Owner’s Owner's", "NOwner's NOwner's", ""},
		{"line end", "a\n\nb", "wa ; wb", ""},
		{"semicolon", "a;\nb", "wa ; wb", ""},
		{"crlf and bom", "\ufeffa\r\nb\r\n", "wa ; wb", ""},
		{"goes on in brackets", "a (b\nc) d", "wa p( wb wc p) wd", ""},
		{"goes on after comma", "a,\nb", "wa p, wb", ""},
		{"goes on after operator", "a +\n b", "wa p+ wb", ""},
		{"goes on after colon", "a:\n b", "wa p: wb", ""},
		{"goes on before where", "a # note\n  where b", "wa #… wwhere wb", ""},
		{"until begins a line", "a\n  until b", "wa ; wuntil wb", ""},
		{"provisional in column 1", "a\nprovisional \"x\"", `wa ; wprovisional s"x"`, ""},
		{"provisional farther in", "a\n  provisional", "wa wprovisional", ""},
		{"brace on the next line", "a\n{\nb\n}\nc", "wa p{ wb p} ; wc", ""},
		{"element", "(# != a)", "p( p# p!= wa p)", ""},
		{"element in square brackets", "[#]", "p[ p# p]", ""},
		{"escapes", `"a\"b\\c\n\t"`, `s"a\"b\\c\n\t"`, ""},
		{"zero width in a string", "\"ก\u200bข\"", `s"ก\u200bข"`, ""},
		{"zero width in a comment", "# ก\u200bข", "#…", ""},
		{"zero width in a name", "po\u200bwer", "wpower", "invisible-character"},
		{"bidi in a comment", "# a\u202eb", "#…", "invisible-character"},
		{"bidi in a string", "\"a\u2066b\"", `s"a\u2066b"`, "invisible-character"},
		{"no-break space", "a\u00a0b", "wa wb", ""},
		{"cyrillic", "p\u043ewer", "wpоwer", "lookalike-character"},
		{"all twins", "\u0421\u0430\u0440", "NСар", "lookalike-character"},
		{"truly russian", "Огонь", "NОгонь", ""},
		{"greek", "Α\u03b2", "NΑβ", ""},
		{"dash", "a – b", "wa !character wb", "lookalike-character"},
		{"thai digits", "๑๒", "!character", "lookalike-character"},
		{"full width", "ＡＢ", "!character", "full-width-character"},
		{"curly quotes", "“a”", `s"a"`, "curly-quote"},
		{"single quotes", "'it's so' b", `s"it's so" wb`, "single-quote"},
		{"unterminated", "a \"b\nc", "wa !text ; wc", "unterminated-string"},
		{"unknown escape", `"\q"`, `s"q"`, "unknown-escape"},
		{"doubled mark in a name", "ก\u0e48\u0e48า", "Nก่า", "doubled-mark"},
		{"doubled mark in a string", "\"ก\u0e48\u0e48า\"", "s\"ก\u0e48\u0e48า\"", "doubled-mark"},
		{"largest number", "9007199254740991", "i9007199254740991", ""},
		{"number too large", "9007199254740992", "!character", "number-too-large"},
		{"comment after operator", "a == # b", "wa p== #…", "element-outside-brackets"},
		{"comment after comma", "a, # b\nc", "wa p, #… wc", ""},
		{"bracket open at the line's end", "a (b\n} c", "wa !character wb p} wc", "unclosed-bracket"},
		{"control character", "a\x01b", "wa wb", "invisible-character"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l diag.List
			ts := Tokens(source.NewFile("a", c.text), &l)
			for i := range ts {
				if ts[i].Kind == Comment {
					ts[i].Text = "…"
				}
			}
			if d := cmp.Diff(c.want, show(ts)); d != "" {
				t.Error(d)
			}
			var codes []string
			for _, d := range l.Sorted() {
				codes = append(codes, d.Code)
			}
			if got := strings.Join(codes, " "); got != c.codes {
				t.Errorf("codes %q, want %q", got, c.codes)
			}
		})
	}
}

// TestLimits holds the limits that keep a hostile file cheap.
func TestLimits(t *testing.T) {
	for code, text := range map[string]string{
		"file-too-large":  strings.Repeat("#", MaxFileBytes+1),
		"too-many-errors": strings.Repeat("$ ", MaxReports+5),
		"too-deep":        "card \"A\" {\n On Summon: " + strings.Repeat("repeat 2: ", 500) + "incite self\n}",
	} {
		_, ds := parseText("a", text)
		found := 0
		for _, d := range ds {
			if d.Code == code {
				found++
			}
		}
		if found != 1 || len(ds) > MaxReports {
			t.Errorf("%s: %d of %d", code, found, len(ds))
		}
	}
}

// TestFourOfEight: half of eight declarations are broken; each gives one message
// and the others are read.
func TestFourOfEight(t *testing.T) {
	data, err := os.ReadFile("testdata/errors/four-of-eight.momon")
	if err != nil {
		t.Fatal(err)
	}
	f, ds := parseText("a", string(data))
	if len(ds) != 4 {
		t.Errorf("%d messages: %s", len(ds), codesOf(ds))
	}
	whole := 0
	for _, d := range f.Decls {
		if !d.Failed {
			whole++
		}
	}
	if whole != 4 {
		t.Errorf("%d declarations without a fault, want 4", whole)
	}
}
