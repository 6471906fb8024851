package diff_test

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/diff"
	"github.com/momon-rules/momon/rules"
)

var ctx = context.Background()

// update is an edit of the built-in rules that a publisher could make, by data alone.
type update struct {
	name       string
	edit       func(files map[string]string) // by folder and name
	changes    []string                      // kind and declaration, all that differ
	statements []string                      // all whose data or text does
	flips      []string                      // some cases that must be among those that flip
	seen       []string                      // what players see otherwise, in English
	size       diff.Size
}

// replace edits one place of one file.
func replace(file, old, new string) func(map[string]string) {
	return func(files map[string]string) {
		if strings.Count(files[file], old) != 1 {
			panic(file + " does not have exactly one " + old)
		}
		files[file] = strings.Replace(files[file], old, new, 1)
	}
}

func all(list ...func(map[string]string)) func(map[string]string) {
	return func(files map[string]string) {
		for _, f := range list {
			f(files)
		}
	}
}

const (
	ward     = "rules/13-2-ward.momon"
	headers  = "rules/13-3-timing-headers.momon"
	layers   = "rules/11-6-continuous-effects.momon"
	words    = "rules/00-vocabulary.momon"
	keywords = "cards/keywords.momon"
)

var updates = []update{
	{
		name:       "Ward's clock counts the current turn",
		edit:       replace(ward, "until end of next turn where player == who.opponent", "until end of turn where player == who.opponent"),
		changes:    []string{"changed keyword Ward"},
		statements: []string{"13.2.2 ward.clock", "13.2.2 ward.real-turns", "13.2.5 ward.expires-when"},
		flips:      []string{"ward-clock-from-the-opponents-turn", "ward-clock-from-the-opponents-step-three"},
		size:       diff.Minor,
	}, {
		name: "a second Ward restarts the clock",
		edit: all(
			replace(ward, `    only if not m.has(Ward) else en "{m} has Ward already" th "{m} มี Ward อยู่แล้ว" rule 13.2.4 "ward.regrant"`+"\n", `    remove Ward from m where m.has(Ward) rule 13.2.4 "ward.regrant"`+"\n"),
			replace(ward, "remove Ward from m where m.has(Ward)", "if m.has(Ward): remove Ward from m"),
		),
		changes:    []string{"changed keyword Ward"},
		statements: []string{"13.2.4 ward.regrant"},
		flips:      []string{"ward-regrant-on-the-last-turn", "ward-regrant-triggers-nothing"},
		size:       diff.Minor,
	}, {
		name:       "Ward stops only enemies",
		edit:       replace(ward, "prohibit snatch where target == m  ", "prohibit snatch where target == m and enemy  "),
		changes:    []string{"changed keyword Ward"},
		statements: []string{"13.2.1 ward.any", "13.2.1 ward.no-bypass", "13.2.1 ward.stamp"},
		flips:      []string{"ward-stops-the-same-side"},
		size:       diff.Minor,
	}, {
		name:       "an Incite Check triggers On Snatch",
		edit:       replace(headers, "when check where source == self and not incite", "when check where source == self"),
		changes:    []string{"changed header \"On Snatch\""},
		statements: []string{"13.1.3 incite.no-header", "13.3 snatch.trigger", "13.3 snatch.not-incite", "13.3 snatch.not-direct"},
		flips:      []string{"incite-check-triggers-no-on-snatch"},
		size:       diff.Minor,
	}, {
		name: "On Snatch once per Momon",
		edit: all(
			replace(headers, "when check where source == self and not incite", "when snatch where source == self and enemy and not incite and not direct"),
			replace(headers, "    among snatched where enemy                          rule 13.3 \"snatch.enemy\", 13.3 \"snatch.conditions-before\"\n", ""),
			replace(headers, "    once per check                                      rule 13.3 \"snatch.once\"\n", ""),
			replace("cards/water.momon", "{ record caught = count(hits); effect on self.marks: raise points by caught }", "{ effect on self.marks: raise points by 1 }"),
		),
		changes:    []string{"changed card \"Reef Scribe\"", "changed header \"On Snatch\""},
		statements: []string{"13.1.3 incite.no-header", "13.3 snatch.conditions-before", "13.3 snatch.enemy", "13.3 snatch.once", "13.3 snatch.trigger", "13.3 snatch.not-incite", "13.3 snatch.not-direct"},
		seen:       []string{"card \"Reef Scribe\": its text: On Snatch: this Momon's Marking Token gets +1 Point Value for each Momon Snatched. > On Snatch: this Momon's Marking Token gets +1 Point Value."},
		flips:      []string{"on-snatch-once-for-three"},
		size:       diff.Minor,
	}, {
		name: "layers 3 and 4 swapped",
		edit: all(
			replace(layers, "layer Add    after Set ", "layer Add    after Modify "),
			replace(layers, "layer Modify after Add ", "layer Modify after Set "),
			replace(layers, "layer Rules after Modify", "layer Rules after Add"),
		),
		changes:    []string{"changed layer Add", "changed layer Modify", "changed layer Rules"},
		statements: []string{"11.6.1 layers.across", "11.6.1 layers.add", "11.6.1 layers.modify", "11.6.1 layers.order", "11.6.1 layers.rules"},
		seen:       []string{"layer Add: its place in the order: 3 > 4", "layer Modify: its place in the order: 4 > 3"},
		flips:      []string{"reads-not-a-later-layer"},
		size:       diff.Minor,
	}, {
		name:       "floor after each modifier",
		edit:       replace(layers, "  ends with floors ", "  floors each "),
		changes:    []string{"changed layer Modify"},
		statements: []string{"11.6.1 floor.once", "11.6.1 floor.running"},
		flips:      []string{"floor-after-minus-three-plus-one"},
		size:       diff.Minor,
	}, {
		name: "newest Timestamp first",
		edit: all(
			replace(layers, "  takes set, copy\n", "  takes set, copy\n  timestamp newest\n"),
			replace(layers, "  takes add, remove, strip\n", "  takes add, remove, strip\n  timestamp newest\n"),
			replace(layers, "  takes raise, lower\n", "  takes raise, lower\n  timestamp newest\n"),
		),
		changes:    []string{"changed layer Add", "changed layer Modify", "changed layer Set"},
		statements: []string{"11.6.1 layers.across", "11.6.1 layers.add", "11.6.1 layers.modify", "11.6.1 layers.order", "11.6.1 layers.set"},
		flips:      []string{"age-in-layer-two"},
		size:       diff.Minor,
	}, {
		name: "errata for a card",
		edit: func(files map[string]string) {
			files["cards/errata.momon"] += `
errata "Brook Otter" from "2026-03-01" en "Its Power was misprinted." th "Power พิมพ์ผิด" {
  power 4
}
`
		},
		changes: []string{"added errata \"Brook Otter\""},
		seen:    []string{"card \"Brook Otter\": Power: 3 > 4"},
		size:    diff.Patch,
	}, {
		name:    "a new Element",
		edit:    replace(words, `  Wood  en "Wood"  th "ไม้"`, `  Wood  en "Wood"  th "ไม้"`+"\n"+`  Void  en "Void"  th "ว่างเปล่า"`),
		changes: []string{"changed values Element"},
		size:    diff.Minor,
	}, {
		name: "a keyword renamed",
		edit: func(files map[string]string) {
			for name, text := range files {
				files[name] = strings.ReplaceAll(text, "Smolder", "Kindle")
			}
		},
		changes: []string{"renamed keyword Smolder > Kindle"},
		seen:    []string{"keyword Kindle: its name: Smolder > Kindle"},
		size:    diff.Major,
	}, {
		name: "a reading switched",
		edit: all(
			replace(layers, `  resolved looks_again en "what fits`, `  other looks_again en "what fits`),
			replace(layers, `  other keeps_cards    en "the cards`, `  resolved keeps_cards en "the cards`),
		),
		changes:    []string{"changed reading \"live.others\""},
		statements: []string{"11.6.5 live.others"},
		seen:       []string{"reading \"live.others\": how it is read: looks_again > keeps_cards"},
		flips:      []string{"others-description-looks-now"},
		size:       diff.Patch,
	}, {
		name: "another layout",
		edit: func(files map[string]string) {
			for name, text := range files {
				files[name] = "# Laid out otherwise.\n\n" + strings.ReplaceAll(strings.ReplaceAll(text, "  ", "   "), "\n}", "\n\n  # the end\n  }")
			}
		},
		size: diff.None,
	}, {
		name: "another order",
		edit: func(files map[string]string) {
			// The declarations of one file go to another, and stand the other way round.
			parts := strings.Split(files[keywords], "\nkeyword ")
			slices.Reverse(parts[1:])
			files["cards/zz.momon"] = "keyword " + strings.Join(parts[1:], "\nkeyword ")
			files[keywords] = parts[0] + "\n"
		},
		size: diff.None,
	}, {
		name: "another private name",
		edit: all(
			replace(ward, "record who = m.controller", "record noted = m.controller"),
			replace(ward, "where player == who.opponent", "where player == noted.opponent"),
		),
		changes: []string{"private keyword Ward"},
		size:    diff.Patch,
	},
}

// builtin are the built-in rules, cards and cases, by folder and name.
func builtin(t testing.TB) map[string]string {
	out := map[string]string{}
	sub, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		t.Fatal(err)
	}
	for dir, fsys := range map[string]fs.FS{"rules": rules.FS, "cards": cards.FS, "cases": sub} {
		names, err := interpreter.Source{Name: dir, FS: fsys}.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			out[dir+"/"+name] = string(text)
		}
	}
	return out
}

func open(t testing.TB, name string, files map[string]string) *diff.Side {
	var src []interpreter.Source
	for _, dir := range []string{"rules", "cards", "cases"} {
		m := fstest.MapFS{}
		for name, text := range files {
			if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
				m[rest] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		src = append(src, interpreter.Source{Name: name + "/" + dir, FS: m})
	}
	s, ds, err := diff.Open(ctx, name, src, interpreter.Options{})
	if err != nil {
		var b strings.Builder
		diag.Text(&b, ds, "en", false)
		t.Fatalf("%v\n%s", err, b.String())
	}
	return s
}

// TestUpdates makes each update and sees that exactly what it changed is named.
func TestUpdates(t *testing.T) {
	old := open(t, "old", builtin(t))
	for _, u := range updates {
		t.Run(u.name, func(t *testing.T) {
			files := builtin(t)
			u.edit(files)
			r := diff.Compare(old, open(t, "new", files))
			var changes, statements, seen []string
			for _, c := range r.Changes {
				s := string(c.Kind) + " " + c.ID.String()
				if c.To != "" {
					s += " > " + c.To
				}
				changes = append(changes, s)
			}
			for _, s := range r.Statements {
				statements = append(statements, s.Ref.String())
			}
			for _, f := range r.Seen {
				seen = append(seen, f.ID.String()+": "+f.Label["en"]+": "+f.Old["en"]+" > "+f.New["en"])
			}
			slices.Sort(changes)
			slices.Sort(statements)
			want := slices.Clone(u.statements)
			slices.Sort(want)
			if !slices.Equal(changes, u.changes) {
				t.Errorf("changes: %q, want %q", changes, u.changes)
			}
			if !slices.Equal(statements, want) {
				t.Errorf("statements: %q, want %q", statements, want)
			}
			for _, s := range u.seen {
				if !slices.Contains(seen, s) {
					t.Errorf("not seen: %q; there is %q", s, seen)
				}
			}
			if u.seen == nil && len(seen) > 0 {
				t.Errorf("seen: %q", seen)
			}
			if err := r.PlayCases(ctx); err != nil {
				t.Fatal(err)
			}
			flips := map[string]diff.Flip{}
			for _, f := range r.Cases.Flips {
				flips[f.ID] = f
			}
			for _, id := range u.flips {
				if flips[id].Way != diff.Broke {
					t.Errorf("%s does not flip: %v", id, flips[id])
				}
			}
			if r.Step.Size != u.size {
				t.Errorf("a %s step, want %s: %v", r.Step.Size, u.size, r.Step.Reasons)
			}
			for _, f := range r.Cases.Flips {
				for _, lang := range []string{"en", "th"} {
					if f.Before[lang] == nil || f.After[lang] == nil {
						t.Errorf("%s is not explained in %s", f.ID, lang)
					}
				}
				if len(f.Through) == 0 || len(f.By) == 0 {
					t.Errorf("%s flips through %v, by %v", f.ID, f.Through, f.By)
				}
			}
			if len(r.Step.Lines) != len(r.Cases.Flips) {
				t.Errorf("%d lines for the changelog, %d cases flip", len(r.Step.Lines), len(r.Cases.Flips))
			}
			if len(u.changes) == 0 != (len(r.Cases.Flips) == 0 && r.Empty()) && u.size != diff.Patch {
				t.Errorf("%d cases flip", len(r.Cases.Flips))
			}
		})
	}
}

// TestMargin sees that a margin is told apart from what its line says, and that what
// overrides a declaration is compared with that.
func TestMargin(t *testing.T) {
	old := open(t, "old", builtin(t))
	files := builtin(t)
	replace(ward, `rule 13.2.2 "ward.fixed", 13.2.4 "ward.after"`, `rule 13.2.2 "ward.fixed"`)(files)
	files["cases/house.momon"] = `override reading "live.others" rule 11.6.5 "live.others" { resolved keeps_cards; other looks_again }`
	r := diff.Compare(old, open(t, "new", files))
	if len(r.Changes) != 2 || len(r.Changes[0].Lines) != 1 || r.Changes[1].ID.String() != `reading "live.others"` {
		t.Fatalf("%+v", r.Changes)
	}
	l := r.Changes[0].Lines[0]
	if l.Old != l.New || l.Cited != "13.2.2 ward.fixed, 13.2.4 ward.after" || l.Cites != "13.2.2 ward.fixed" || l.In != "granted to m" {
		t.Errorf("%+v", l)
	}
	for _, l := range r.Changes[1].Lines {
		if l.Cited != l.Cites && l.Cited != "" {
			t.Errorf("the margin is the same: %+v", l)
		}
	}
}
