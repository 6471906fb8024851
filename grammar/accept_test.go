package grammar

import (
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// TestAcceptCovers: an acceptance covers the line in which it stands, with its
// block; in the head of a declaration, all of it.
func TestAcceptCovers(t *testing.T) {
	const because = ` accept never-true because "so"`
	for text, want := range map[string]string{
		"keyword A { always: raise power by 1" + because + " }":                                "always: raise power by 1" + because,
		"keyword A { always: raise power by 1; always: raise power by 2" + because + " }":      "always: raise power by 2" + because,
		"keyword A {\n  always: raise power by 1\n   " + because + "\n}":                       "always: raise power by 1\n   " + because,
		"keyword A {\n  always: raise power by 1    rule 13.2" + because + "\n}":               "always: raise power by 1    rule 13.2" + because,
		"keyword A en \"A\"" + because + " { always: raise power by 1 }":                       "keyword A en \"A\"" + because + " { always: raise power by 1 }",
		"keyword A en \"A\"\n " + because + "\n{ always: raise power by 1 }":                   "keyword A en \"A\"\n " + because + "\n{ always: raise power by 1 }",
		"keyword A { always { raise power by 1" + because + "; add trait X } }":                "raise power by 1" + because,
		"keyword A { always { raise power by 1; add trait X }" + because + " }":                "always { raise power by 1; add trait X }" + because,
		"keyword A { when draw where player == you" + because + ": draw by you }":              "when draw where player == you" + because + ": draw by you",
		"keyword A { On Summon { draw by you" + because + " } }":                               "draw by you" + because,
		"keyword A { Bulwark 2" + because + " }":                                               "Bulwark 2" + because,
		"card \"A\" { power 3" + because + "; worth 1 }":                                       "power 3" + because,
		"always on each Momon where power > 3: raise power by 1" + because:                     "always on each Momon where power > 3: raise power by 1" + because,
		"characteristic luck of card: number = 1 floor 0" + because:                            "characteristic luck of card: number = 1 floor 0" + because,
		"action a by p: player { only if p.x > 3" + because + "\n do: draw by p }":             "only if p.x > 3" + because,
		"token T on Momon limit 1" + because + " { always: prohibit draw }":                    "token T on Momon limit 1" + because + " { always: prohibit draw }",
		"zone Z of player" + because + " { pile }":                                             "zone Z of player" + because + " { pile }",
		"keyword A { granted to m { only if m.x" + because + "\n draw by m } }":                "only if m.x" + because,
		"case \"c\" { given A: Momon of P1 { always: raise power by 1" + because + " } }":      "always: raise power by 1" + because,
		"keyword A { On Summon: for m in x { draw by m }" + because + " }":                     "On Summon: for m in x { draw by m }" + because,
		"keyword A { always: raise power by 1 accept no-text because \"a\"" + because + "\n }": "always: raise power by 1 accept no-text because \"a\"" + because,
	} {
		var diags diag.List
		f := Parse(source.NewFile("a.momon", text), &diags)
		if diags.Errors() > 0 || len(f.Decls) != 1 || len(f.Decls[0].Accepts) == 0 {
			t.Errorf("%s: %d errors", text, diags.Errors())
			continue
		}
		list := f.Decls[0].Accepts
		a := list[len(list)-1]
		if got := a.Covers.Text(); got != want || a.Code.Text != "never-true" || a.Reason.Value != "so" || a.Span.Text() != strings.TrimSpace(because) {
			t.Errorf("%s\n got %q %q %q %q\nwant %q", text, got, a.Code.Text, a.Reason.Value, a.Span.Text(), want)
		}
	}
}

// TestAcceptIsAWord: without a code behind it, accept is a word like any other.
func TestAcceptIsAWord(t *testing.T) {
	for _, text := range []string{
		"keyword A { always: raise accept by 1 }",
		"keyword A { always: raise power by accept }",
		"keyword A { always: raise power by self.accept - power }",
		"keyword A { On Summon: accept self by you }",
		"keyword A { On Summon { draw by you\n accept x - y\n } }",
		"keyword A { always: raise power by (accept never-true) }",
		"action accept by x: player { do: draw by x }",
		"characteristic accept of card: flag",
		"card \"A\" { accept 3 }",
	} {
		var diags diag.List
		f := Parse(source.NewFile("a.momon", text), &diags)
		if diags.Errors() > 0 || len(f.Decls) != 1 || len(f.Decls[0].Accepts) > 0 {
			t.Errorf("%s: %d errors", text, diags.Errors())
		}
	}
}
