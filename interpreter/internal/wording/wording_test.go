package wording

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/check"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/rules"
)

var update = flag.Bool("update", false, "write the golden file anew")

// load checks the built-in rules and cards with more rule text added.
func load(t *testing.T, more string) *program.Program {
	t.Helper()
	var diags diag.List
	var mods []check.Module
	for i, fsys := range []fs.FS{rules.FS, cards.FS} {
		names, err := fs.Glob(fsys, "*.momon")
		if err != nil {
			t.Fatal(err)
		}
		mod := check.Module{Name: fmt.Sprint(i)}
		for _, n := range names {
			text, err := fs.ReadFile(fsys, n)
			if err != nil {
				t.Fatal(err)
			}
			mod.Files = append(mod.Files, grammar.Parse(source.NewFile(n, string(text)), &diags))
		}
		mods = append(mods, mod)
	}
	if more != "" {
		mods = append(mods, check.Module{Name: "more", Files: []*grammar.File{grammar.Parse(source.NewFile("more.momon", more), &diags)}})
	}
	p := check.Check(mods, check.Options{}, &diags)
	if diags.Errors() > 0 {
		var b strings.Builder
		diag.Text(&b, diags.Sorted(), "en", false)
		t.Fatal(b.String())
	}
	return p
}

func card(t *testing.T, p *program.Program, name string) *program.CardDef {
	t.Helper()
	for _, c := range p.Cards {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no card %q", name)
	return nil
}

// TestGolden holds every generated text against the one that a person read.
func TestGolden(t *testing.T) {
	p := load(t, "")
	g := New(p)
	g.generate = true
	var b strings.Builder
	for _, c := range p.Cards {
		if len(c.Abilities) == 0 {
			continue
		}
		fmt.Fprintf(&b, "card %s\n", c.Name)
		for n := range c.Abilities {
			for _, lang := range []string{"en", "th"} {
				fmt.Fprintf(&b, "  %s %s\n", lang, show(g.Ability(c, n, lang), lang))
			}
		}
	}
	for _, k := range p.Keywords {
		fmt.Fprintf(&b, "keyword %s\n", k.Name)
		for _, lang := range []string{"en", "th"} {
			fmt.Fprintf(&b, "  %s %s: %s\n", lang, g.KeywordName(k, lang).Value, show(g.Keyword(k, lang), lang))
		}
	}
	const name = "testdata/texts.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		a, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(a), len(w)) {
			if a[i] != w[i] {
				t.Errorf("line %d:\n got %s\nwant %s", i+1, a[i], w[i])
			}
		}
		if len(a) != len(w) {
			t.Errorf("%d lines, want %d", len(a), len(w))
		}
	}
}

func show(t Text, lang string) string {
	switch {
	case t.Value == "":
		return fmt.Sprintf("MISSING %q", t.Missing)
	case t.Lang != lang:
		return fmt.Sprintf("(%s, for want of %q) %s", t.Lang, t.Missing, t.Value)
	case t.Origin == Says:
		return "(says) " + t.Value
	}
	return t.Value
}

// TestComplete: every ability of every built-in card and keyword has a text in
// every language of the data, generated but for Ward, whose own words say more
// than its grant does.
func TestComplete(t *testing.T) {
	p := load(t, "")
	g := New(p)
	g.generate = true
	for _, l := range p.Languages {
		for _, gap := range g.Gaps(l.Lang) {
			t.Errorf("%s has no text in %s: %q", gap.Of, gap.Lang, gap.Missing)
		}
		for _, c := range p.Cards {
			for n := range c.Abilities {
				if text := g.Ability(c, n, l.Lang); text.Origin != Generated || text.Lang != l.Lang || len(text.Missing) > 0 {
					t.Errorf("%s, %s: ability %d is not generated: %q", c.Name, l.Lang, n, text.Missing)
				}
			}
		}
		for _, k := range p.Keywords {
			if text := g.Keyword(k, l.Lang); text.Origin != Generated && k.Granted == nil {
				t.Errorf("%s, %s: not generated: %q", k.Name, l.Lang, text.Missing)
			}
		}
	}
	if u := g.Unread(); len(u) > 0 {
		t.Errorf("phrases whose key can't be read: %q", u)
	}
}

const stub = ` {
  element Fire; trait Beast; power 1; worth 1; sight North; mark South
`

// TestWorded: constructs beyond the built-in cards.
func TestWorded(t *testing.T) {
	for rule, want := range map[string]string{
		`On Summon: may: grant Ward to self`:                                                                                       "On Summon: you may have this Momon gain Ward.",
		`On Summon: may once per game: incite self`:                                                                                "On Summon: you may Incite this Momon, once per game.",
		`On Summon: repeat 2: incite self`:                                                                                         "On Summon: Incite this Momon twice.",
		`On Summon { choose 2 m from each Momon where controller == opponent; for x in m: incite x }`:                              "",
		`always on each Momon where Beast in trait and Guard in trait: raise power by 2`:                                           "Beast Guards get +2 Power.",
		`always on each Momon where it != self and controller == opponent: lower power by 1`:                                       "Other enemy Momon get -1 Power.",
		`always { raise power by 1; add trait Guard }`:                                                                             "This Momon gets +1 Power, and it is a Guard too.",
		`On Summon { choose m from each Momon where element == Water; effect on m until end of turn: lower power by 2; incite m }`: "On Summon: a Water Momon gets -2 Power until end of turn. Incite it.",
		`On Summon { choose m from each Momon where Elder in trait; incite m }`:                                                    "On Summon: Incite an Elder.",
		`always while turn.player == you: raise power by 1`:                                                                        "While it is your turn, this Momon gets +1 Power.",
		`when start of turn where player == you limit 2 per game: draw by you`:                                                     "",
		`always: prohibit snatch where source == self`:                                                                             "This Momon can't Snatch.",
		`On Summon: grant Elusive to self until end of turn`:                                                                       "On Summon: this Momon gains Elusive until end of turn.",
	} {
		p := load(t, "card Zq en \"Zq\" th \"Zq\""+stub+"  "+rule+"\n}\n")
		got := New(p).Ability(card(t, p, "Zq"), 0, "en")
		switch {
		case want == "" && (got.Value != "" || len(got.Missing) == 0):
			t.Errorf("%s: got %q, want it reported", rule, got.Value)
		case got.Value != want:
			t.Errorf("%s:\n got %q %q\nwant %q", rule, got.Value, got.Missing, want)
		}
	}
}

// TestUnphrased: what has no phrase is reported, nothing is worded by half, and
// a card's own words stand in.
func TestUnphrased(t *testing.T) {
	for rule, part := range map[string]string{
		`always while self.power % 2 == 0: raise power by 1`:                      "self.power % 2",
		`always on each Momon where count(tokens) > 3: raise power by 1`:          "count()(tokens)",
		`On Summon { effect on self: raise power by 1; arrange you.hand by you }`: "arrange you.hand by you",
		`On Summon { choose m from each Momon; draw by you }`:                     "choose m from each Momon",
		`On Summon: for m in each Momon: draw by you`:                             "for m in each Momon: draw by you",
	} {
		p := load(t, "card Zq en \"Zq\" th \"Zq\""+stub+"  "+rule+"\n}\n")
		g := New(p)
		for _, lang := range []string{"en", "th"} {
			got := g.Ability(card(t, p, "Zq"), 0, lang)
			if got.Value != "" || !contains(got.Missing, part) {
				t.Errorf("%s: got %q, missing %q; want no text and %q missing", rule, got.Value, got.Missing, part)
			}
			if gaps := g.Gaps(lang); len(gaps) != 1 || gaps[0].Of != "Zq" {
				t.Errorf("%s: gaps %v", rule, gaps)
			}
		}
		p = load(t, "card Zq en \"Zq\" th \"Zq\""+stub+"  says en \"Own words.\" th \"คำของตน\"\n  "+rule+"\n}\n")
		if got := New(p).Ability(card(t, p, "Zq"), 0, "th"); got.Value != "คำของตน" || got.Origin != Says {
			t.Errorf("%s: got %+v, want its own words", rule, got)
		}
	}
}

func contains(list []string, part string) bool {
	for _, s := range list {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// TestSays: the data's own words win over generated ones, for a card and for a
// keyword, also on a card that has the keyword.
func TestSays(t *testing.T) {
	p := load(t, `keyword Glow (n: number) en "Glow {n}" th "เรือง {n}" { says en "It glows {n} times." th "เรือง {n} ครั้ง"
  always: raise power by n }
card Zq en "Zq" th "Zq"`+stub+`  Glow 3
}
card Zr en "Zr" th "Zr"`+stub+`  says en "My own words." th "คำของตน"
  always: raise power by 1
  On Summon: incite self
}
`)
	g := New(p)
	for _, c := range p.Cards {
		switch got := g.Card(c, "en"); c.Name {
		case "Zq":
			if len(got) != 1 || !strings.Contains(got[0].Value, "It glows 3 times.") {
				t.Errorf("got %+v", got)
			}
		case "Zr":
			if len(got) != 1 || got[0].Value != "My own words." || got[0].Origin != Says {
				t.Errorf("got %+v", got)
			}
		}
	}
	for _, k := range p.Keywords {
		if k.Name == "Glow" {
			if got := g.Keyword(k, "en"); got.Value != "It glows n times." || got.Origin != Says {
				t.Errorf("got %+v", got)
			}
		}
	}
}

// TestThirdLanguage: a language that the data declares needs no Go. What it has
// phrases for is worded in it, the rest falls back and is reported.
func TestThirdLanguage(t *testing.T) {
	p := load(t, `
text fr en "French" fr "Français"
card Zq en "Zq" th "Zq" fr "Zq"`+stub+`  On Summon: incite self
  always: raise power by 1
}
override header "On Summon" en "On Summon" th "On Summon" fr "À l'invocation" {
  when summon where object == self and self.tally(Marking) > 0
}
override phrase "say line"    en "^{text}." th "^{text}" fr "^{text}."
override phrase "say header"  en "{header}[, {limit}]: {body}" th "{header}[ {limit}]: {body}" fr "{header}[, {limit}] : {body}"
override phrase "self"        en "this Momon" th "Momon นี้" fr "ce Momon"
override phrase "do: incite {m}" en "Incite {m}" th "Incite {m}" fr "incitez {m}"
`)
	g := New(p)
	c := card(t, p, "Zq")
	if got := g.Ability(c, 0, "fr"); got.Value != "À l'invocation : incitez ce Momon." || got.Lang != "fr" {
		t.Errorf("got %+v", got)
	}
	if got := g.Ability(c, 1, "fr"); got.Value != "This Momon gets +1 Power." || got.Lang != "en" || !contains(got.Missing, "raise power by 1") {
		t.Errorf("got %+v", got)
	}
	if len(g.Gaps("fr")) < 40 {
		t.Errorf("%d gaps", len(g.Gaps("fr")))
	}
}
