package conformance_test

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
	"github.com/momon-rules/momon/rules"
)

func sources() []interpreter.Source {
	return []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance", FS: conformance.Cases}}
}

func load(t *testing.T, opts interpreter.Options, src ...interpreter.Source) *interpreter.Program {
	t.Helper()
	p, diags, err := interpreter.Load(context.Background(), src, opts)
	if err != nil {
		var b strings.Builder
		diag.Text(&b, diags, "en", false)
		t.Fatalf("%v\n%s", err, b.String())
	}
	return p
}

// failed runs every case and returns those that fail, with what they speak to.
func failed(t *testing.T, p *interpreter.Program) map[string]*interpreter.Result {
	t.Helper()
	out := map[string]*interpreter.Result{}
	for _, c := range p.Cases("en") {
		r, err := p.RunCase(context.Background(), c)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if !r.Passed() {
			out[c.ID] = r
		}
	}
	return out
}

func TestEveryCase(t *testing.T) {
	p := load(t, interpreter.Options{}, sources()...)
	if n := len(p.Cases("en")); n < 220 {
		t.Errorf("only %d cases", n)
	}
	for id, r := range failed(t, p) {
		for _, f := range r.Failures {
			t.Errorf("%s %s: %s: want %q, got %q: %s", f.Place, id, f.Code, f.Want, f.Got, f.Line)
		}
	}
}

// TestEveryStatement sees that each statement is carried out by something and,
// unless it is a stand-in, has a case on either side.
func TestEveryStatement(t *testing.T) {
	p := load(t, interpreter.Options{}, sources()...)
	statements := 0
	for _, rule := range p.Rules("en") {
		for _, s := range rule.Statements {
			statements++
			if len(s.Data) == 0 && len(s.Readings) == 0 && s.By == "" {
				t.Errorf("%s %s: nothing carries it out", s.Rule, s.Key)
			}
			if s.Text == "" {
				t.Errorf("%s %s has no text", s.Rule, s.Key)
			}
			if s.Status == "provisional" {
				continue
			}
			if len(s.Confirms) == 0 {
				t.Errorf("%s %s: no case confirms it", s.Rule, s.Key)
			}
			if len(s.Refutes) == 0 {
				t.Errorf("%s %s: no case refutes it", s.Rule, s.Key)
			}
		}
		if rule.Summary == "" && rule.Number != "0.1" && rule.Number != "0.2" {
			t.Errorf("%s has no summary", rule.Number)
		}
	}
	if statements < 90 {
		t.Errorf("only %d statements", statements)
	}
}

// TestEveryCaseCovers sees that a case says which statements it serves, that
// its status is theirs, and that it has a title in both languages.
func TestEveryCaseCovers(t *testing.T) {
	p := load(t, interpreter.Options{}, sources()...)
	status := map[string]string{}
	for _, rule := range p.Rules("en") {
		for _, s := range rule.Statements {
			status[s.Key] = s.Status
		}
	}
	thai := map[string]string{}
	for _, c := range p.Cases("th") {
		thai[c.ID] = c.Title
	}
	for _, c := range p.Cases("en") {
		if len(c.Covers) == 0 {
			t.Errorf("%s covers nothing", c.ID)
		}
		if c.Title == "" || thai[c.ID] == "" || c.Title == thai[c.ID] {
			t.Errorf("%s lacks a title in one of the languages", c.ID)
		}
		for _, cv := range c.Covers {
			if st := status[cv.Key]; c.Status == "normative" && st != "normative" {
				t.Errorf("%s is normative, but %s is %s", c.ID, cv.Key, st)
			}
		}
	}
}

// TestExportable sees that the normative cases are made of what can be handed to
// other programs, and that none says that it is not.
func TestExportable(t *testing.T) {
	p := load(t, interpreter.Options{}, sources()...)
	for _, d := range p.Diags {
		if d.Code == "not-exportable" {
			t.Errorf("%s: %s", d.Value("name"), d.Value("part"))
		}
	}
	for _, c := range p.Cases("en") {
		if c.Kept != "" {
			t.Errorf("%s is kept back: %s", c.ID, c.Kept)
		}
	}
}

// TestNormativeStandsAlone runs the normative cases with everything provisional
// replaced by something that fails when it is touched.
func TestNormativeStandsAlone(t *testing.T) {
	p := load(t, interpreter.Options{Stub: true}, sources()...)
	cases := p.Cases("en")
	if len(cases) < 100 {
		t.Fatalf("only %d normative cases", len(cases))
	}
	for id, r := range failed(t, p) {
		t.Errorf("%s touches provisional data: %s", id, r.Failures[0].Got)
	}
	// The stub does fail when it is touched: the game itself is provisional.
	if _, err := p.NewMatch(context.Background(), interpreter.MatchOptions{Seed: 1}); err == nil {
		t.Error("a game could be played on stubs")
	}
}

// TestReadings switches each reading that the engine knows both ways: some case
// that serves the statement must see it, and no normative case may.
func TestReadings(t *testing.T) {
	for key, other := range map[string]string{
		"layers.same-objects": "later_layers read_afresh",
		"dependency.present":  "dependency judged_once",
		"timestamp.condition": "begins when_created",
		"live.others":         "resolved keeps_cards",
	} {
		over := fstest.MapFS{"other.momon": {Data: []byte("override reading \"" + key + "\" { " + other + " }\n")}}
		bad := failed(t, load(t, interpreter.Options{}, append(sources(), interpreter.Source{Name: "other", FS: over})...))
		seen := false
		for id, r := range bad {
			if r.Case.Status == "normative" {
				t.Errorf("%s: switching it changes the normative case %s", key, id)
			}
			seen = seen || slices.ContainsFunc(r.Case.Covers, func(c interpreter.Cover) bool { return c.Key == key })
		}
		if !seen {
			t.Errorf("%s: no case that serves it sees the switch (%d others do)", key, len(bad))
		}
	}
}

// TestOtherSides sees that each reading that is a switch has cases on either side
// of its other choice, and that such a case shows it: played under the chosen one,
// each that confirms fails.
func TestOtherSides(t *testing.T) {
	p := load(t, interpreter.Options{}, sources()...)
	confirms, refutes := map[string]int{}, map[string]int{}
	other := map[string]string{} // choice: what is chosen instead
	for _, r := range p.Readings("en") {
		for _, o := range r.Others {
			if r.Switch != "chosen" {
				other[o] = r.Value
			}
		}
	}
	swapped := fstest.MapFS{}
	names, err := fs.Glob(conformance.Cases, "cases/*.momon")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(conformance.Cases, name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for o, chosen := range other {
			text = strings.ReplaceAll(text, " under "+o+"\n", " under "+chosen+"\n")
		}
		swapped[name] = &fstest.MapFile{Data: []byte(text)}
	}
	src := sources()
	src[2].FS = swapped
	bad := failed(t, load(t, interpreter.Options{}, src...))
	for _, c := range p.Cases("en") {
		for _, cv := range c.Covers {
			for _, u := range c.Under {
				if cv.Confirms {
					confirms[u]++
					if bad[c.ID] == nil {
						t.Errorf("%s passes under %s too", c.ID, other[u])
					}
				} else {
					refutes[u]++
				}
			}
		}
	}
	for o := range other {
		if confirms[o] == 0 || refutes[o] == 0 {
			t.Errorf("%s: %d cases confirm it, %d refute it", o, confirms[o], refutes[o])
		}
	}
}
