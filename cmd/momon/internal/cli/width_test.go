package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode"
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

// TestNarrow holds that on a narrow screen no line is too long, unless it is one
// word or a command, and that words stay whole.
func TestNarrow(t *testing.T) {
	at := func(columns string, args ...string) string {
		t.Setenv("COLUMNS", columns)
		var out bytes.Buffer
		Main(args, strings.NewReader(""), &out, &out)
		return out.String()
	}
	parts := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '/' || r == '─' })
	}
	for _, args := range [][]string{
		{"demo", "--seed", "5"}, {"rules", "13.2"}, {"rules", "readings"}, {"cards"}, {"cards", "Ember"},
		{"explain", "ward-regrant-by-another-effect", "--refused"}, {"--help"}, {"play", "--help"}, {"cards", "a", "b", "c", "d"},
	} {
		for _, lang := range []string{"en", "th"} {
			narrow := at("40", append(args, "--lang", lang)...)
			for line := range strings.Lines(narrow) {
				line = strings.TrimRight(line, "\n")
				if width(line) > 40 && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "  momon ") {
					t.Errorf("%v %s: %d cells: %s", args, lang, width(line), line)
				}
			}
			if lang == "en" && args[0] == "rules" {
				whole := map[string]bool{}
				for _, w := range parts(at("80", args...)) {
					whole[w] = true
				}
				for _, w := range parts(narrow) {
					if !whole[w] && !strings.HasSuffix(w, "…") {
						t.Errorf("%v: %q is no whole word", args, w)
					}
				}
			}
		}
	}
}

// TestNumbered holds that one is one.
func TestNumbered(t *testing.T) {
	a := &app{lang: "en"}
	for n, want := range map[int]string{0: "0 errors, 1 warning, 2 notes", 1: "1 error, 1 warning, 2 notes", 11: "11 errors, 1 warning, 2 notes"} {
		if got := a.t("checked", n, 1, 2); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
	for key, w := range words {
		if strings.Contains(w[1], "{") {
			t.Errorf("%s: Thai has no plural", key)
		}
	}
}

// TestMain lets no terminal have a say, and is the program where a test wants it killed.
func TestMain(m *testing.M) {
	if at := os.Getenv(killedAt); at != "" {
		os.Exit(mortal(at))
	}
	os.Unsetenv("COLUMNS")
	os.Exit(m.Run())
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
