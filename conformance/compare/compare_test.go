package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// engine is the built-in rules as a side, with mistakes made on purpose: texts of rule
// files that are replaced.
type engine struct{ s *interpreter.Stage }

func stage(t testing.TB, mistakes ...string) *interpreter.Stage {
	t.Helper()
	var fsys fs.FS = rules.FS
	if len(mistakes) > 0 {
		changed := fstest.MapFS{}
		found := map[string]bool{}
		err := fs.WalkDir(rules.FS, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(rules.FS, name)
			text := string(data)
			for i := 0; i < len(mistakes); i += 2 {
				if strings.Contains(text, mistakes[i]) {
					found[mistakes[i]] = true
					text = strings.Replace(text, mistakes[i], mistakes[i+1], 1)
				}
			}
			changed[name] = &fstest.MapFile{Data: []byte(text)}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(mistakes); i += 2 {
			if !found[mistakes[i]] {
				t.Fatalf("no rule file says %q", mistakes[i])
			}
		}
		fsys = changed
	}
	s, diags, err := interpreter.NewStage([]interpreter.Source{{Name: "rules", FS: fsys}, {Name: "cards", FS: cards.FS},
		{Name: "conformance", FS: conformance.Cases}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err, diags)
	}
	return s
}

func (e engine) Play(ctx context.Context, data json.RawMessage) (*protocol.Reply, error) {
	list, err := e.s.Play(ctx, data)
	if err != nil {
		return &protocol.Reply{Outcome: protocol.Failed, Code: "engine", Message: err.Error()}, nil
	}
	r := &protocol.Reply{Outcome: protocol.Done}
	for _, a := range list {
		r.Answers = append(r.Answers, protocol.Answer{Step: a.Step, Answer: encode(a.Answer)})
	}
	return r, nil
}

func options(t testing.TB, other *interpreter.Stage) Options {
	g, err := Parse(Scenarios)
	if err != nil {
		t.Fatal(err)
	}
	own := stage(t)
	return Options{Grammar: g, Seed: 7, Count: 150, Open: func() (*interpreter.Stage, Side, func(), error) {
		return own, engine{other}, func() {}, nil
	}}
}

// TestAlike compares the rules with themselves: nothing may differ, and hardly
// anything may be left out.
func TestAlike(t *testing.T) {
	o := options(t, stage(t))
	list, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	asked, out := 0, 0
	for _, r := range list {
		asked += r.Asked
		switch r.Outcome {
		case Different:
			t.Errorf("scenario %d: step %d %s: %s, then %s", r.Number, r.Diff.Step, r.Diff.Question, r.Diff.First, r.Diff.Second)
		case Uncompared:
			out++
		}
	}
	if len(list) != o.Count || asked < 20*o.Count || out > o.Count/20 {
		t.Errorf("%d scenarios, %d questions, %d left out: %v", len(list), asked, out, Reasons(list))
	}
}

// TestMistakes holds that a mistake in one of the engines is found and made small.
func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		mistakes []string
		steps    int // that the smallest scenario has at most
		says     string
	}{
		"a clock of Ward that is a turn too long": {[]string{"until end of next turn where player == who.opponent", "until end of next turn where player == who"}, 10, "turn"},
		"Ward that stops nothing":                 {[]string{"prohibit snatch where target == m ", "prohibit snatch where target == m and false "}, 6, "Ward"},
		"an Incite that triggers headers":         {[]string{"when check where source == self and not incite", "when check where source == self"}, 4, "incite"},
	} {
		t.Run(name, func(t *testing.T) {
			wrong := stage(t, c.mistakes...)
			o := options(t, wrong)
			o.Count, o.Most = 1000, 1
			list, err := Run(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			r := &list[len(list)-1]
			if r.Outcome != Different {
				t.Fatalf("%d scenarios show no difference", len(list))
			}
			d, err := Shrink(context.Background(), stage(t), engine{wrong}, r, o.Seed)
			if err != nil {
				t.Fatal(err)
			}
			var small struct{ Script []json.RawMessage }
			if err := json.Unmarshal(d.Case, &small); err != nil {
				t.Fatal(err)
			}
			if len(small.Script) > c.steps || !strings.Contains(string(d.Case), c.says) || len(d.Case) >= len(r.Diff.Case) {
				t.Errorf("the smallest scenario is %s", d.Case)
			}
			if d.First == d.Second || d.Step == 0 {
				t.Errorf("step %d: %s, then %s", d.Step, d.First, d.Second)
			}
			first, err := stage(t).Play(context.Background(), d.Case)
			if err != nil {
				t.Fatal(err)
			}
			if last := first[len(first)-1]; string(encode(last.Answer)) != d.First {
				t.Errorf("played again, the answer is %s", encode(last.Answer))
			}
		})
	}
}

// TestSame holds that a seed gives the same scenarios and outcomes, whatever the
// number of workers, and that scenarios are cases by their form.
func TestSame(t *testing.T) {
	schema, err := form()
	if err != nil {
		t.Fatal(err)
	}
	g, err := Parse(Scenarios)
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(300) {
		a, _ := g.Make(3, n, nil)
		b, _ := g.Make(3, n, nil)
		o := Options{Grammar: g, Seed: 3}
		m := o.make(n)
		if !bytes.Equal(encode(a), encode(b)) {
			t.Fatalf("scenario %d is another one the second time", n)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(encode(numbered(m.bare, nil))))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Fatalf("scenario %d: %v", n, err)
		}
	}
	wrong := []string{"prohibit snatch where target == m ", "prohibit snatch where target == m and false "}
	var outcomes []string
	for _, jobs := range []int{1, 3} {
		o := options(t, nil)
		o.Count, o.Jobs, o.Most = 400, jobs, 3
		o.Open = func() (*interpreter.Stage, Side, func(), error) {
			return stage(t), engine{stage(t, wrong...)}, func() {}, nil
		}
		list, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, r := range list {
			s += fmt.Sprintln(r.Number, r.Outcome, r.Why, r.Asked)
			if r.Diff != nil {
				s += fmt.Sprintln(string(r.Diff.Case), r.Diff.Step, r.Diff.First, r.Diff.Second)
			}
		}
		outcomes = append(outcomes, s)
	}
	if outcomes[0] != outcomes[1] {
		t.Error("with three workers it comes out otherwise")
	}
}

// TestFeatures holds that a scenario uses no feature and asks no question that the
// other side lacks.
func TestFeatures(t *testing.T) {
	g, err := Parse(Scenarios)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Grammar: g, Features: []string{"conditions"}, Questions: []string{"value", "has"}}
	for n := range uint64(200) {
		text := string(encode(o.make(n).bare))
		for _, bad := range []string{`"choose"`, `"together"`, `"instead"`, `"permit"`, `"question":"count"`, `"question":"order"`} {
			if strings.Contains(text, bad) {
				t.Fatalf("scenario %d has %s", n, bad)
			}
		}
	}
	_, used := g.Make(1, 1, nil)
	for _, f := range used {
		known := false
		for _, k := range interpreter.ExportFeatures() {
			known = known || k == f
		}
		if !known {
			t.Errorf("there is no feature %q", f)
		}
	}
}

// TestEnded holds that a comparison that is ended gives back what it has.
func TestEnded(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	o := options(t, stage(t))
	o.Count = 100000
	o.Done = func(int) { end() }
	list, err := Run(ctx, o)
	if !errors.Is(err, context.Canceled) || len(list) == 0 || len(list) == o.Count {
		t.Errorf("%d scenarios, %v", len(list), err)
	}
}

// TestGrammar holds that a grammar that can't be right is refused.
func TestGrammar(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                             "is an object",
		`{"scenario": []}`:               "a list of alternatives",
		`{"scenario": ["$other"]}`:       "there is no other",
		`{"other": [1]}`:                 "there is no scenario",
		`{"scenario": [{"$": "other"}]}`: "there is no other",
		`{"scenario": [{"is": 1, "needs": "choices"}]}`: "the first alternative",
		`{"scenario": [{"is": 1, "weight": "much"}]}`:   "no number",
		`{"labels": {"M": [2, 1]}, "scenario": ["x"]}`:  "is nothing",
		`{"scenario": [1], "scenario": [1]}`:            "stands twice",
		`{"scenario": [1]`:                              "EOF",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
