package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestWidth holds what people read to 80 cells a line, in both languages.
func TestWidth(t *testing.T) {
	for _, args := range [][]string{
		{"demo", "--seed", "5"}, {"demo", "--seed", "6", "--all"}, {"rules"}, {"rules", "11.6"}, {"rules", "13"}, {"rules", "readings"}, {"cards"},
		{"cards", "a"}, {"cards", "decks"}, {"keywords"}, {"test", "--covers", "13.2.4"}, {"explain", "ward-regrant-by-another-effect"},
		{"explain", "ward-regrant-by-another-effect", "--refused"}, {"run", "ring-of-two-older-first"},
	} {
		for _, lang := range []string{"en", "th"} {
			var out, errs bytes.Buffer
			if code := Main(append(args, "--lang", lang), strings.NewReader(""), &out, &errs); code != exitFine {
				t.Errorf("%v: %d %s", args, code, errs.String())
			}
			for line := range strings.Lines(out.String()) {
				if line = strings.TrimRight(line, "\n"); width(line) > lineWidth {
					t.Errorf("%v %s: %d cells: %s", args, lang, width(line), line)
				}
			}
		}
	}
}

// TestPlain holds --plain to letters and marks that every screen reader knows.
func TestPlain(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Main([]string{"demo", "--plain"}, strings.NewReader(""), &out, &errs); code != exitFine {
		t.Fatal(errs.String())
	}
	if strings.ContainsAny(out.String(), "│─┌┬┐├┼┤└┴┘·▸×\x1b") {
		t.Error("something is drawn")
	}
}

// TestHelp asks every command for its help, and for an example in it.
func TestHelp(t *testing.T) {
	a := &app{out: new(bytes.Buffer), err: new(bytes.Buffer)}
	for _, c := range a.root().Commands() {
		if c.Name() != "completion" && (c.Example == "" || c.Short == "") {
			t.Errorf("%s has no example", c.Name())
		}
		var out, errs bytes.Buffer
		if code := Main([]string{c.Name(), "--help"}, strings.NewReader(""), &out, &errs); code != exitFine {
			t.Error(c.Name(), errs.String())
		}
		for line := range strings.Lines(out.String()) {
			if width(strings.TrimRight(line, "\n")) > lineWidth && c.Name() != "completion" {
				t.Errorf("%s --help: %s", c.Name(), line)
			}
		}
	}
}
