package prove_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/compare"
	"github.com/momon-rules/momon/conformance/fakes"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/prove"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

var ctx = context.Background()

func open(t *testing.T, more ...interpreter.Source) *prove.Set {
	t.Helper()
	sub, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		t.Fatal(err)
	}
	src := append([]interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance/cases", FS: sub}}, more...)
	s, err := prove.Open(ctx, src, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mutants(t *testing.T, text string) []*prove.Mutant {
	t.Helper()
	var ds diag.List
	f := grammar.Parse(source.NewFile("my.momon", text), &ds)
	if ds.Errors() > 0 {
		t.Fatal(diag.Message(ds.Sorted()[0], "en"))
	}
	return prove.Make(f, []*grammar.File{f})
}

// TestOperators holds each operator against what it makes of a clause.
func TestOperators(t *testing.T) {
	for _, c := range []struct{ text, operator, new string }{
		{"token T on Momon limit 1", "number", "token T on Momon limit 2"},
		{"token T on Momon limit 1", "drop", "token T on Momon"},
		{"characteristic c of card: flag = power > 3 and worth < 2", "and-or", "characteristic c of card: flag = power > 3 or worth < 2"},
		{"characteristic c of card: flag = power > 3 and worth < 2", "drop-part", "characteristic c of card: flag = worth < 2"},
		{"characteristic c of card: flag = power > 3 and worth < 2", "compare", "characteristic c of card: flag = power >= 3 and worth < 2"},
		{"characteristic c of card: flag = not full", "drop-not", "characteristic c of card: flag = full"},
		{"characteristic c of card: number = power + 1", "arithmetic", "characteristic c of card: number = power - 1"},
		{"characteristic c of card: player = self.owner.opponent", "other-word", "characteristic c of card: player = self.controller.opponent"},
		{"characteristic c of card: player = self.owner.opponent", "drop-member", "characteristic c of card: player = self.owner"},
		{"characteristic c of card: number = 1 floor 0", "drop", "characteristic c of card: number = 1"},
		{"characteristic c of card: flag = true", "flag", "characteristic c of card: flag = false"},
		{"characteristic c of card: several card = each card where power > 3", "negate", "characteristic c of card: several card = each card where not (power > 3)"},
		{"characteristic c of card: several card = each card where power > 3", "drop-condition", "characteristic c of card: several card = each card"},
		{"characteristic a of card: number printed\ncharacteristic b of card: number printed\ncharacteristic c of card: number = a", "other-name", "characteristic c of card: number = b"},
		{"zone A\nzone B\ncharacteristic c of card: flag = zone == A", "other-name", "characteristic c of card: flag = zone == B"},
		{"layer A { takes set }\nlayer B after A { takes add }\nlayer C after B { takes raise }", "swap", "layer C after A | A → C"},
		{"layer A { takes set }\nlayer B after A { takes add }", "newest-first", "layer B after A | + timestamp newest"},
		{"layer A { takes set }\nlayer B after A { takes raise\n ends with floors }", "floors-each", "floors each"},
		{"layer A { takes set, copy }\nlayer B after A { takes raise }", "other-layer", "takes copy | + set,"},
		{"order x { a\n b }", "swap", "b a"},
		{"order x { turn_player }", "other-word", "other_player"},
		{"reading \"r\" { begins one\n other two }", "other-reading", "begins two | two → one"},
		{"table t (a: card, b: card): number = 0 { x, y: 1 }", "swap", "y, x: 1"},
		{"keyword K { When it leaves once per turn: draw }", "drop", ""},
		{"keyword K { always: prohibit snatch where target == self }", "other-verb", "always: permit snatch where target == self"},
		{"keyword K { always: raise power by 1 }", "other-verb", "always: lower power by 1"},
		{"keyword K { when end of next turn: draw }", "drop-next", "end of turn"},
		{"keyword K { when end of turn: draw }", "other-edge", "start of turn"},
		{"keyword K { when end of turn: draw }", "add-next", "end of next turn"},
		{"keyword K { when a once per turn: draw }", "drop", ""},
		{"header \"On A\" { when a }\nheader \"On B\" { when b }\nkeyword K { On A: draw }", "other-header", "On B: draw"},
		{"action a { do { draw\n place } }", "swap", "place draw"},
		{"action a { do: together { draw } }", "drop-together", "if true { draw }"},
		{"action a { do: for p in game.players ordered by you: draw }", "drop", "for p in game.players: draw"},
	} {
		found := []string{}
		ok := false
		for _, m := range mutants(t, c.text) {
			found = append(found, m.Operator+": "+m.New)
			ok = ok || m.Operator == c.operator && m.New == c.new
		}
		if !ok {
			t.Errorf("%s: no %s gives %q:\n%s", c.text, c.operator, c.new, strings.Join(found, "\n"))
		}
	}
	for _, text := range []string{"values V { A\n B }", "text greeting { x en \"1\" th \"2\" }", "case \"c\" { draw }", "view board of card { line en \"1\" th \"2\" }"} {
		if list := mutants(t, text); len(list) > 0 {
			t.Errorf("%s: %s", text, list[0])
		}
	}
}

// TestPrinted tells what only says what there is from what does something.
func TestPrinted(t *testing.T) {
	for _, m := range mutants(t, `card "A" { power 3; trait T; always: raise power by 1 }
errata "A" { power 4 }
deck "D" { card "A" }
always on each card: raise power by 2
`) {
		does := strings.HasPrefix(m.Old, "always")
		if m.Printed == does {
			t.Errorf("%s: printed: %v", m, m.Printed)
		}
	}
}

// TestCitations sees which statements a changed clause is said to carry out.
func TestCitations(t *testing.T) {
	for _, m := range mutants(t, `keyword K rule 1.1 "whole" {
  when a where x == 1 rule 1.2 "part"
  always: prohibit snatch
}
token T limit 1 rule 1.3 "token"
`) {
		want := map[string]string{"when a where x == 1": "1.2 part", "a where x == 1": "1.2 part", "always: prohibit snatch": "", "token T limit 1": "1.3 token"}[m.Old]
		got := ""
		for _, r := range m.Refs {
			got += r.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %q", m, got, want)
		}
	}
}

// TestSample tries some mutants of the built-in rules, against the built-in ledger.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long under the race detector; other tests have several workers too")
	}
	s := open(t)
	ledger, err := prove.ReadLedger(conformance.Ledger, []string{"en", "th"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Mutate(ctx, prove.MutantOptions{Of: []string{"rules"}, Sample: 16, Seed: 11, Ledger: ledger.Mutants})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Mutants {
		if m.Fate == prove.Survived {
			t.Errorf("survived: %s", m.Mutant)
		}
	}
	if r.Failed() {
		t.Error(r.Ledger)
	}
	if r.Totals[prove.Killed] < 5 {
		t.Errorf("only %v", r.Totals)
	}
	two, err := s.Mutate(ctx, prove.MutantOptions{Options: prove.Options{Jobs: 2}, Of: []string{"rules"}, Sample: 16, Seed: 11, Ledger: ledger.Mutants})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Totals, two.Totals); d != "" {
		t.Errorf("two workers find otherwise: %s", d)
	}
}

var mine = interpreter.Source{Name: "mine", FS: fstest.MapFS{"mine.momon": {Data: []byte(`
summary 99 en "Mine." th "ของฉัน"
statement 99 "mine.two" interpretation en "It raises by 2." th "เพิ่ม 2"
keyword Mine rule 99 "mine.two" { always: raise power by 2 }
case "mine-two" interpretation en "two" th "สอง" {
  confirms 99 "mine.two"
  given A: Momon of P1 { power 1; Mine }
  expect A.power > 2
}
case "mine-nothing" interpretation en "nothing" th "ไม่มี" {
  confirms 99 "mine.two"
  given A: Momon of P1 { power 1 }
  expect A.power == 1
}
`)}}}

// TestOwnKeyword proves a keyword of somebody's own: a weak case lets a mutant live,
// and a case that does not see its statement proves nothing.
func TestOwnKeyword(t *testing.T) {
	s := open(t, mine)
	o := prove.MutantOptions{Options: prove.Options{Jobs: 2}, Of: []string{"mine"}}
	r, err := s.Mutate(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	fates := map[string]prove.Fate{}
	for _, m := range r.Mutants {
		fates[m.New] = m.Fate
	}
	want := map[string]prove.Fate{"": prove.Refused, // a keyword without a line
		"always: lower power by 2": prove.Killed, "always: raise power by 3": prove.Survived, "always: raise power by 1": prove.Killed}
	if d := cmp.Diff(want, fates); d != "" {
		t.Error(d)
	}
	if !r.Failed() {
		t.Error("a mutant survived, and the proof holds")
	}
	raised := "always: raise power by 3"
	why := prove.Text{"en": "because", "th": "เพราะ"}
	for _, c := range []struct {
		ledger []prove.Entry
		code   string
	}{
		{[]prove.Entry{{File: "mine/mine.momon", In: "keyword Mine", New: &raised, Mutants: 1, Reason: why}}, ""},
		{[]prove.Entry{{File: "mine/mine.momon", Mutants: 1, Reason: why}}, ""},
		{[]prove.Entry{{File: "mine/mine.momon", Mutants: 2, Reason: why}}, "count"},
		{[]prove.Entry{{File: "mine/mine.momon", Operator: "drop", Mutants: 1, Reason: why}}, "count"},
	} {
		o.Ledger = c.ledger
		r, err := s.Mutate(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		code := ""
		if len(r.Ledger) > 0 {
			code = r.Ledger[0].Code
		}
		if code != c.code || r.Failed() != (c.code != "") {
			t.Errorf("%s: %q, failed %v", c.ledger[0].String(), code, r.Failed())
		}
	}
	cv, err := s.Covers(ctx, prove.CoverOptions{Of: []string{"mine"}})
	if err != nil {
		t.Fatal(err)
	}
	proofs := map[string]prove.Proof{}
	for _, c := range cv.Claims {
		proofs[c.Case] = c.Proof
	}
	if d := cmp.Diff(map[string]prove.Proof{"mine-two": prove.ByOwn, "mine-nothing": prove.Unmoved}, proofs); d != "" || len(cv.Unproven) > 0 {
		t.Errorf("%s %v", d, cv.Unproven)
	}
	if !cv.Failed() {
		t.Error("a claim is not proven, nobody says why, and the proof holds")
	}
	claims := []prove.Unproven{{Case: "mine-nothing", Statement: "mine.two", Reason: why}, {Case: "mine-two", Statement: "mine.two", Reason: why}, {Case: "gone", Statement: "mine.two", Reason: why}}
	cv, err = s.Covers(ctx, prove.CoverOptions{Of: []string{"mine"}, Ledger: claims})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, f := range cv.Ledger {
		codes = append(codes, f.Code)
	}
	if !slices.Equal(codes, []string{"proven", "no-claim"}) || cv.Totals[prove.Accepted] != 1 {
		t.Errorf("%v %v", codes, cv.Totals)
	}
	if cv, err = s.Covers(ctx, prove.CoverOptions{Of: []string{"mine"}, Ledger: claims[:1]}); err != nil || cv.Failed() {
		t.Errorf("the ledger says why, and the proof fails: %v %v", cv, err)
	}
	// A mistake of one's own proves it too.
	list, err := fakes.Read([]byte(`[{"fake": "mine-one", "title": {}, "made_of": "momon", "breaks": ["99 mine.two"], "verdict": "fail",
		"edits": [{"file": "mine/mine.momon", "old": "by 2 }", "new": "by 1 }"}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := s.Mistakes(nil, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	cv, err = s.Covers(ctx, prove.CoverOptions{Of: []string{"mine"}, Wrong: wrong})
	if err != nil || cv.Totals[prove.ByMistake] != 1 {
		t.Errorf("%v %v", cv.Totals, err)
	}
}

func TestReadLedger(t *testing.T) {
	for _, text := range []string{"", "[]", `{"mutants": []} x`, `{"mutant": []}`, `{"mutants": [{"file": "f", "mutants": 1, "reason": {"en": "x"}}]}`,
		`{"mutants": [{"file": "f", "mutants": 0, "reason": {"en": "x", "th": "y"}}]}`, `{"claims": [{"case": "c", "statement": "s", "reason": {}}]}`} {
		if _, err := prove.ReadLedger([]byte(text), []string{"en", "th"}); err == nil {
			t.Errorf("%s is taken for a ledger", text)
		}
	}
}

// TestChecks sees that twins and round trips look at everything and find nothing.
func TestChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine plays everything several times")
	}
	s := open(t)
	for _, f := range []func(context.Context, prove.Options) (*prove.CheckReport, error){s.Twins, s.RoundTrips} {
		r, err := f(ctx, prove.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			for _, w := range c.Wrong {
				t.Errorf("%s: %s: %s", c.Name, w.What, w.Detail)
			}
		}
		if r.Failed() {
			t.Error(r)
		}
	}
	if r := (prove.CheckReport{Checks: []prove.Check{{Name: "idle"}}}); !r.Failed() {
		t.Error("a check that looked at nothing holds")
	}
}

// echo answers as a stage does, but for the answers that it changes.
type echo struct {
	s      *interpreter.Stage
	change func(string) string
}

func (e echo) Play(ctx context.Context, data json.RawMessage) (*protocol.Reply, error) {
	list, err := e.s.Play(ctx, data)
	if err != nil {
		return &protocol.Reply{Outcome: protocol.Failed, Code: "engine", Message: err.Error()}, nil
	}
	r := &protocol.Reply{Outcome: protocol.Done}
	for _, a := range list {
		v, err := json.Marshal(a.Answer)
		if err != nil {
			return nil, err
		}
		r.Answers = append(r.Answers, protocol.Answer{Step: a.Step, Answer: json.RawMessage(e.change(string(v)))})
	}
	return r, nil
}

// TestCompare sees that what two sides answer is counted, and that a difference fails
// the proof.
func TestCompare(t *testing.T) {
	sub, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		t.Fatal(err)
	}
	stage, _, err := interpreter.NewStage([]interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance/cases", FS: sub}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := compare.Parse(compare.Scenarios)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(string) string{
		"alike": func(v string) string { return v },
		"wrong": func(v string) string {
			if n, err := strconv.Atoi(v); err == nil {
				return strconv.Itoa(n + 1)
			}
			return v
		},
	} {
		o := compare.Options{Grammar: g, Seed: 3, Count: 5, Open: func() (*interpreter.Stage, compare.Side, func(), error) {
			return stage, echo{stage, change}, func() {}, nil
		}}
		c, err := prove.Compare(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		if c.Scenarios != 5 || c.Same+c.Different+c.Uncompared != 5 || c.Questions < 5 || len(c.Numbers) != c.Different {
			t.Errorf("%s: %+v", name, c)
		}
		if wrong := name == "wrong"; c.Failed() != wrong || (c.Different > 0) != wrong {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestRecord holds what was written down of the last whole proof against the rules as
// they are: momon conformance prove --write writes it.
func TestRecord(t *testing.T) {
	data, err := os.ReadFile("../proof.json")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := prove.ReadRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := rec.JSON()
	if err != nil || !bytes.Equal(again, data) {
		t.Errorf("conformance/proof.json is not as it is written: %v", err)
	}
	page, err := os.ReadFile("../../docs/coverage.md")
	if err != nil || !bytes.Equal(page, rec.Page()) {
		t.Errorf("docs/coverage.md is not the page of conformance/proof.json: %v", err)
	}
	s := open(t)
	list, err := fakes.Table()
	if err != nil {
		t.Fatal(err)
	}
	fresh := map[prove.Ref][4]int{}
	for _, r := range s.Program().Rules("en") {
		for _, st := range r.Statements {
			fresh[prove.Ref{Rule: st.Rule, Key: st.Key}] = [4]int{len(st.Data) + len(st.Readings)}
		}
	}
	add := func(ref prove.Ref, k int) {
		n := fresh[ref]
		n[k]++
		fresh[ref] = n
	}
	for _, c := range s.Cases() {
		for _, cv := range c.Covers {
			k := 2
			if cv.Confirms {
				k = 1
			}
			add(prove.Ref{Rule: cv.Rule, Key: cv.Key}, k)
		}
	}
	for _, f := range list {
		for _, ref := range prove.Refs(f.Breaks) {
			add(ref, 3)
		}
	}
	recorded := map[prove.Ref][4]int{}
	for _, r := range rec.Statements {
		recorded[r.Ref] = [4]int{r.Data, r.Confirms, r.Refutes, r.Mistakes}
	}
	if d := cmp.Diff(fresh, recorded); d != "" {
		t.Errorf("what was proven is another (-now +then); run: momon conformance prove --write\n%s", d)
	}
	for _, r := range rec.Statements {
		if r.Status != "provisional" && r.ConfirmsProven == 0 {
			t.Errorf("%s has no proven case", r.Ref)
		}
	}
	if n := rec.Claims[prove.Unmoved] + rec.Claims[prove.Untried]; n > 0 {
		t.Errorf("%d claims have no proof and no reason", n)
	}
	for _, u := range rec.Unproven {
		if u.Reason["en"] == "" || u.Reason["th"] == "" {
			t.Errorf("%s has no proof and no reason", u.Case)
		}
	}
	for _, m := range rec.Modules {
		if m.Mutants[prove.Survived] > 0 || m.Mutants[prove.Killed] == 0 {
			t.Errorf("%s: %v", m.Module, m.Mutants)
		}
	}
	if rec.Compare == nil || rec.Compare.Failed() {
		t.Errorf("two engines: %+v", rec.Compare)
	}
	if rec.Mutants[prove.Survived] > 0 {
		t.Errorf("%d mutants survived", rec.Mutants[prove.Survived])
	}
}

// TestFakes tries programs that break the protocol, and engines with a mistake that
// are this one, in the process of the test.
func TestFakes(t *testing.T) {
	sub, err := fs.Sub(conformance.Suite, "suite")
	if err != nil {
		t.Fatal(err)
	}
	suite, err := runner.Load(sub)
	if err != nil {
		t.Fatal(err)
	}
	list, err := fakes.Read([]byte(`[
		{"fake": "always-yes", "title": {}, "made_of": "none", "verdict": "fail"},
		{"fake": "crash", "title": {}, "made_of": "none", "verdict": "crash"},
		{"fake": "hang", "title": {}, "made_of": "none", "verdict": "crash"}]`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := prove.Fakes(ctx, suite, prove.FakeOptions{Options: prove.Options{Jobs: 2}, Fakes: list[:2], Command: func(name string) []string { return []string{os.Args[0], "-fake", name} }})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Fakes {
		if f.Fault != "" {
			t.Errorf("%s: %s %s %v", f.Fake, f.Fault, f.Detail, f.Got)
		}
	}
	r, err = prove.Fakes(ctx, suite, prove.FakeOptions{Fakes: list[1:], Command: func(string) []string { return []string{"no-such-program-at-all"} }})
	if err != nil || !r.Failed() || r.Fakes[0].Fault != prove.FaultStart {
		t.Errorf("%v %v", r, err)
	}
	list[0].Verdict = "crash"
	r, err = prove.Fakes(ctx, suite, prove.FakeOptions{Fakes: list[:1], Command: func(name string) []string { return []string{os.Args[0], "-fake", name} }})
	if err != nil || !r.Failed() || r.Fakes[0].Fault != prove.FaultVerdict {
		t.Errorf("%v %v", r, err)
	}
}

// TestMain lets the test program play a fake.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "-fake" {
		f, err := fakes.Find(os.Args[2])
		if err == nil {
			err = f.Speak(interpreter.ExportFeatures(), interpreter.ExportQuestions(), os.Stdin, os.Stdout)
		}
		if err != nil {
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
