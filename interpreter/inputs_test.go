package interpreter_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

var inputEdits = flag.Int("inputs.edits", 24, "how many random edits TestInputs makes")

// ruleText is rule files in memory that edits are made to.
type ruleText struct {
	folder string
	files  fstest.MapFS
}

func editable(t *testing.T) []ruleText {
	t.Helper()
	var out []ruleText
	for _, s := range []struct {
		name string
		fsys fs.FS
	}{{"rules", rules.FS}, {"cards", cards.FS}, {"cases", conformance.Cases}, {"gallery", os.DirFS("../rules/gallery")}} {
		r := ruleText{s.name, fstest.MapFS{}}
		names, err := interpreter.Source{Name: s.name, FS: s.fsys}.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			data, err := fs.ReadFile(s.fsys, n)
			if err != nil {
				t.Fatal(err)
			}
			r.files[n] = &fstest.MapFile{Data: data, Mode: 0o644}
		}
		out = append(out, r)
	}
	return append(out, ruleText{"chain", fstest.MapFS{"chain.momon": {Data: []byte(chain), Mode: 0o644}}})
}

// chain is rule text that reaches cases by way of other rule text.
const chain = `keyword Link (n: number) { always: raise power by n }
keyword Hook { always: add ability Link 2 }
keyword Ring { On Chain: effect on self: add ability Hook }
header "On Chain" { when give where object == self and self.worth < 5 }
card "Chain Bearer" { element Fire; power 0; worth 1; Hook; On Summon: grant Link 1 to self until end of turn }
errata "Chain Bearer" { power 1 }
characteristic slack of Momon: number = 5
always on each Momon where slack > 5: raise power by 1
case "chain-card" { given A: "Chain Bearer" of P1; expect A.power == 3 }
case "chain-ring" { given A: Momon of P1 { Ring }; give A to P2; expect A.power == 2 }
case "chain-summon" {
  given A: "Chain Bearer" of P1 at Hand
  during turn of P1 { summon A to Arena; expect A.power == 4 }
}
case "chain-grant" { given A: Momon of P1; grant Hook to A; expect A.has(Link) and A.power == 2 }
case "chain-none" { given A: Momon of P1 { power 2 }; expect A.power == 2 }
case "chain-header" { given A: Momon of P1 { worth 5; Ring }; give A to P2; expect A.power == 0 }
`

func withEdit(all []ruleText, folder, file, text string) []interpreter.Source {
	var out []interpreter.Source
	for _, r := range all {
		files := r.files
		if r.folder == folder {
			files = fstest.MapFS{}
			for n, f := range r.files {
				files[n] = f
			}
			files[file] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
		out = append(out, interpreter.Source{Name: r.folder, FS: files})
	}
	return out
}

// outcomes plays all cases: by ID, what a case hangs on and what came of it.
func outcomes(t *testing.T, p *interpreter.Program) map[string][2]string {
	t.Helper()
	out := map[string][2]string{}
	for _, c := range p.Cases("en") {
		var came strings.Builder
		if res, err := p.RunCase(ctx, c); err != nil {
			fmt.Fprint(&came, err)
		} else {
			for _, f := range res.Failures {
				fmt.Fprintln(&came, f.Code, f.Want, f.Got, f.Line)
			}
		}
		out[c.ID] = [2]string{p.Inputs(c), came.String()}
	}
	return out
}

// TestInputs makes random edits to rules, cards and cases. A case that comes out
// otherwise than before must hang on something else than before.
func TestInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("plays all cases many times")
	}
	all := editable(t)
	load := func(src []interpreter.Source) *interpreter.Program {
		p, _, err := interpreter.Load(ctx, src, interpreter.Options{})
		if err != nil && !errors.Is(err, interpreter.ErrRules) {
			t.Fatal(err)
		}
		return p
	}
	p := load(withEdit(all, "", "", ""))
	before := outcomes(t, p)
	ids := map[string]bool{}
	for _, x := range before {
		ids[x[0]] = true
	}
	if len(ids) < len(before)*9/10 {
		t.Errorf("%d cases share %d Inputs", len(before), len(ids))
	}
	r := rand.New(rand.NewPCG(uint64(*inputEdits), 7))
	words := corpus(all)
	loaded, flips, few := 0, 0, 0
	for made := 0; made < *inputEdits; {
		x := all[[]int{0, 1, 2, 3, 3, 3, 4, 4}[r.IntN(8)]] // mostly what has cases of its own
		names := slices.Sorted(func(yield func(string) bool) {
			for n := range x.files {
				if !yield(n) {
					return
				}
			}
		})
		name := names[r.IntN(len(names))]
		old := string(x.files[name].Data)
		text := randomEdit(r, old, words)
		if text == old {
			continue
		}
		made++
		q := load(withEdit(all, x.folder, name, text))
		if q == nil {
			continue
		}
		loaded++
		changed := 0
		for id, now := range outcomes(t, q) {
			was, ok := before[id]
			if !ok {
				continue
			}
			if now[0] != was[0] {
				changed++
			}
			if now[1] != was[1] {
				flips++
				if now[0] == was[0] {
					t.Errorf("%s flips unseen: %q, then %q, after this edit of %s/%s:\n%s", id, was[1], now[1], x.folder, name, difference(old, text))
				}
			}
		}
		if changed < len(before)/4 {
			few++
		}
	}
	t.Logf("%d of %d edits load; %d outcomes change; %d edits reach fewer than a quarter of the cases", loaded, *inputEdits, flips, few)
	if loaded < *inputEdits/6 || flips == 0 || few < loaded/4 {
		t.Errorf("the edits show little: %d of %d load, %d outcomes change, %d edits reach few cases", loaded, *inputEdits, flips, few)
	}
}

// TestInputsChain changes each number of the chain in turn: what a case reaches by
// way of others counts, and what has no name counts for all.
func TestInputsChain(t *testing.T) {
	all := editable(t)
	all = []ruleText{all[0], all[1], all[4]}
	load := func(text string) map[string][2]string {
		p, diags, err := interpreter.Load(ctx, withEdit(all, "chain", "chain.momon", text), interpreter.Options{})
		if err != nil {
			t.Fatal(diags[0].Code, text)
		}
		return outcomes(t, p)
	}
	before := load(chain)
	for id, x := range before {
		if x[1] != "" {
			t.Errorf("%s: %s", id, x[1])
		}
	}
	flips := map[string]bool{}
	edits, same := 0, 0
	rules, _, _ := strings.Cut(chain, "case ")
	for _, k := range grammar.Tokens(source.NewFile("chain", rules), &diag.List{}) {
		if k.Kind != grammar.Int {
			continue
		}
		edits++
		n, _ := strconv.Atoi(k.Text)
		text := chain[:k.Start] + strconv.Itoa(n+1) + chain[k.End:]
		for id, now := range load(text) {
			if now[1] != before[id][1] {
				flips[id] = true
				if now[0] == before[id][0] {
					t.Errorf("%s flips unseen after: %s", id, difference(chain, text))
				}
			} else if now[0] == before[id][0] {
				same++
			}
		}
	}
	if edits < 8 || len(flips) < len(before) || same == 0 {
		t.Errorf("%d edits flip only %v; %d times a case had nothing to do with one", edits, flips, same)
	}
}

// TestInputsLayout sees that comments and layout change nothing, and a new name
// that nobody speaks of reaches nobody.
func TestInputsLayout(t *testing.T) {
	all := editable(t)
	p, _, err := interpreter.Load(ctx, withEdit(all, "", "", ""), interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := "# A remark.\n\n" + strings.ReplaceAll(string(all[1].files["fire.momon"].Data), "{ ", "{   ") + "\nkeyword Unheard { always: raise power by 7 }\n"
	q, _, err := interpreter.Load(ctx, withEdit(all, "cards", "fire.momon", text), interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Cases("en") {
		d, _ := q.Case(c.ID, "en")
		if p.Inputs(c) == "" || p.Inputs(c) != q.Inputs(d) {
			t.Errorf("%s hangs on something else", c.ID)
		}
	}
	if p.Inputs(interpreter.Case{}) != "" {
		t.Error("no case hangs on something")
	}
}

// corpus collects words and names, and whole declarations, to edit with.
func corpus(all []ruleText) map[grammar.TokenKind][]string {
	out := map[grammar.TokenKind][]string{}
	for _, x := range all {
		for n, f := range x.files {
			for _, t := range grammar.Tokens(source.NewFile(n, string(f.Data)), &diag.List{}) {
				out[t.Kind] = append(out[t.Kind], t.Span.Text())
			}
		}
	}
	for k := range out {
		slices.Sort(out[k])
		out[k] = slices.Compact(out[k])
	}
	return out
}

// randomEdit is what somebody might do to a rule file, on purpose or not.
func randomEdit(r *rand.Rand, text string, words map[grammar.TokenKind][]string) string {
	file := source.NewFile("f", text)
	decls := grammar.Parse(file, &diag.List{}).Decls
	if len(decls) == 0 {
		return text
	}
	// Mostly text with a name, where what a case hangs on is the question; of the
	// rest an edit reaches all cases.
	if named := slices.DeleteFunc(slices.Clone(decls), func(d *grammar.Decl) bool { return d.Rules == nil }); len(named) > 0 && r.IntN(3) > 0 {
		decls = named
	}
	d := decls[r.IntN(len(decls))]
	own := text[d.Span.Start:d.Span.End]
	put := func(s string) string { return text[:d.Span.Start] + s + text[d.Span.End:] }
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	swaps := [][2]string{{"raise", "lower"}, {"prohibit", "permit"}, {"==", "!="}, {" and ", " or "}, {"P1", "P2"}, {"opponent", "you"},
		{"enemy", "not enemy"}, {"self", "source"}, {"power", "worth"}, {"end of turn", "end of game"}, {"On Summon", "On Snatch"}, {"until", "# until"}}
	switch r.IntN(10) {
	case 0, 1: // another number
		toks := slices.DeleteFunc(grammar.Tokens(source.NewFile("d", own), &diag.List{}), func(t grammar.Token) bool { return t.Kind != grammar.Int })
		if len(toks) == 0 {
			return put(strings.Replace(own, "raise", "lower", 1))
		}
		t := toks[r.IntN(len(toks))]
		n, _ := strconv.Atoi(t.Text)
		return put(own[:t.Start] + strconv.Itoa(max(0, n+[]int{1, -1, 3}[r.IntN(3)])) + own[t.End:])
	case 2: // another word or name of the same kind
		toks := slices.DeleteFunc(grammar.Tokens(source.NewFile("d", own), &diag.List{}), func(t grammar.Token) bool {
			return t.Kind != grammar.Ident && t.Kind != grammar.Word && t.Kind != grammar.Int
		})
		if len(toks) == 0 {
			return text
		}
		t := toks[r.IntN(len(toks))]
		return put(own[:t.Start] + pick(words[t.Kind]) + own[t.End:])
	case 3, 4: // the opposite
		s := swaps[r.IntN(len(swaps))]
		if r.IntN(2) == 0 {
			s[0], s[1] = s[1], s[0]
		}
		return put(strings.Replace(own, s[0], s[1], 1))
	case 5: // a line gone
		lines := strings.Split(own, "\n")
		i := r.IntN(len(lines))
		return put(strings.Join(slices.Delete(lines, i, i+1), "\n"))
	case 6: // a line again
		lines := strings.Split(own, "\n")
		i := r.IntN(len(lines))
		return put(strings.Join(slices.Insert(lines, i, lines[i]), "\n"))
	case 7: // all of it gone
		return put("")
	case 8: // an addition to something that is there, or something new
		name := pick(words[grammar.Ident])
		return text + "\n" + pick([]string{"keyword " + name + " { always: raise power by 1 }", "errata \"Ember Pup\" { " + name + " }",
			"header \"" + name + " " + pick(words[grammar.Ident]) + "\" { when snatch }", "header " + name + " { when give }",
			"card \"" + name + "\" { element Fire; power 1; worth 1 }", "always on each Momon where " + name + " in trait: raise power by 1",
			"always: prohibit snatch where target.has(" + name + ")"}) + "\n"
	default: // taken over
		if d.Rules == nil || d.Mod != "" || d.Head == "errata" {
			return text
		}
		return put(own + "\noverride " + strings.NewReplacer("raise", "lower", "On Summon", "On Snatch", "opponent", "you", " 1", " 2").Replace(own))
	}
}

// difference shows what an edit changed.
func difference(old, text string) string {
	i := 0
	for i < len(old) && i < len(text) && old[i] == text[i] {
		i++
	}
	j := 0
	for j < len(old)-i && j < len(text)-i && old[len(old)-1-j] == text[len(text)-1-j] {
		j++
	}
	from := max(0, i-150)
	return "…" + text[from:i] + "[[" + old[i:len(old)-j] + " → " + text[i:len(text)-j] + "]]" + text[len(text)-j:min(len(text), len(text)-j+80)] + "…"
}
