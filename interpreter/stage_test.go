package interpreter_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// stage is the built-in rules.
func stage(t testing.TB) *interpreter.Stage {
	t.Helper()
	s, _, err := interpreter.NewStage([]interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance", FS: conformance.Cases}},
		interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestExportedCases tells every exported case in the rule language again and plays
// it: the answers must be those that the suite expects, which stand in the case
// that it came from. So what is exported is the whole case.
func TestExportedCases(t *testing.T) {
	s := stage(t)
	all := exported(t)
	var data []json.RawMessage
	for _, k := range all {
		data = append(data, k.Data)
	}
	played, err := s.PlayAll(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range all {
		if err := played[i].Err; err != nil {
			t.Errorf("%s: %v", k.ID, err)
			continue
		}
		compare(t, k, played[i].Answers)
	}
	// One by one it is the same.
	for i := 0; i < len(all); i += 100 {
		got, err := s.Play(context.Background(), all[i].Data)
		if err != nil {
			t.Errorf("%s: %v", all[i].ID, err)
			continue
		}
		compare(t, all[i], got)
	}
}

// exported is every case as the suite has it.
func exported(t *testing.T) []interpreter.ExportedCase {
	t.Helper()
	p, _, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS},
		{Name: "conformance", FS: conformance.Cases}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []interpreter.ExportedCase
	for _, c := range p.Cases("en") {
		list, err := p.ExportCase(c, interpreter.Twin{})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		all = append(all, list...)
	}
	return all
}

// TestStories tells every case up to its last question: each step in words, with
// what comes of it in both languages, and how a value comes about.
func TestStories(t *testing.T) {
	s := stage(t)
	var list []interpreter.Telling
	for _, k := range exported(t) {
		var c struct {
			Script []struct {
				Step int
				Ask  json.RawMessage
			}
		}
		if err := json.Unmarshal(k.Data, &c); err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, st := range c.Script {
			if st.Ask != nil {
				last = st.Step
			}
		}
		list = append(list, interpreter.Telling{Case: k.Data, Step: last})
	}
	list = append(list, interpreter.Telling{Case: json.RawMessage(`{"id": "x", "start": [], "script": [{"step": 1, "nothing": 0}]}`)})
	told := s.Stories(list)
	if told[len(told)-1] != nil {
		t.Error("a case that can't be told has a story")
	}
	whys := map[string]int{}
	for i, st := range told[:len(told)-1] {
		if st == nil {
			t.Errorf("no story: %s", list[i].Case)
			continue
		}
		if len(st.Steps) != list[i].Step || st.Steps[len(st.Steps)-1].Expected == nil {
			t.Errorf("told to step %d of %d", len(st.Steps), list[i].Step)
		}
		if len(st.Why) > 0 {
			var q struct {
				Script []struct{ Ask struct{ Question string } }
			}
			if err := json.Unmarshal(list[i].Case, &q); err != nil {
				t.Fatal(err)
			}
			whys[q.Script[list[i].Step-1].Ask.Question]++
			if st.Why["en"] == "" || st.Why["th"] == "" {
				t.Errorf("why: %v", st.Why)
			}
		}
		for _, x := range st.Steps {
			if x.Text == "" || len(x.Happens["en"]) != len(x.Happens["th"]) || len(x.Happens["en"]) != len(x.Entries) {
				t.Errorf("step %d: %q, %v", x.Step, x.Text, x.Happens)
			}
		}
	}
	for question, least := range map[string]int{"value": 50, "fired": 10, "has": 10, "refused": 10, "refused-rule": 10, "happened": 3} {
		if whys[question] < least {
			t.Errorf("only %d questions of %s are explained", whys[question], question)
		}
	}
	// A case that the rules don't take does not spoil the others.
	bad := interpreter.Telling{Case: json.RawMessage(`{"id": "bad", "status": "normative", "start": [], "script": [{"step": 1, "do": [{"do": "no such action"}]}]}`)}
	if told := s.Stories([]interpreter.Telling{list[0], bad}); told[0] == nil || told[1] != nil {
		t.Error("a bad case spoils the others, or is told")
	}
}

// TestTwins tells every case otherwise: the players swapped, objects renamed, a
// card more that nothing speaks of. It must come out alike.
func TestTwins(t *testing.T) {
	s := stage(t)
	p, _, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS},
		{Name: "conformance", FS: conformance.Cases}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, twin := range []interpreter.Twin{{Swap: true}, {Rename: true}, {Bystander: true}} {
		var all []interpreter.ExportedCase
		var data []json.RawMessage
		for _, c := range p.Cases("en") {
			list, err := p.ExportCase(c, twin)
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				continue
			}
			for _, k := range list {
				all = append(all, k)
				data = append(data, k.Data)
			}
		}
		played, err := s.PlayAll(context.Background(), data)
		if err != nil {
			t.Fatalf("%+v: %v", twin, err)
		}
		for i, k := range all {
			if err := played[i].Err; err != nil {
				t.Errorf("%+v %s: %v", twin, k.ID, err)
				continue
			}
			compare(t, k, played[i].Answers)
		}
	}
}

// TestStageRefuses sees that a case that can't be told, or that the rules do not
// take, is told apart from one that can.
func TestStageRefuses(t *testing.T) {
	s := stage(t)
	start := `"id": "x", "status": "normative", "start": [{"object": "A", "zone": "Arena", "owner": "P1", "controller": "P1", "name": "A", "printed": {}}], `
	for _, c := range []struct{ data, code string }{
		{`{`, "case"},
		{`{` + start + `"script": [{"step": 1, "dont": []}]}`, "case"},
		{`{` + start + `"script": [{"step": 1, "do": [{"do": "vanish"}]}]}`, "case"},
		{`{` + start + `"script": [{"step": 1, "do": ["vanish"]}]}`, "case"},
		{`{` + start + `"script": [{"step": 1, "ask": {"question": "mood", "of": "A"}}]}`, "case"},
		{`{` + start + `"script": [{"step": 1, "ask": {"question": "value", "of": "A", "characteristic": "mood"}}]}`, "rules"},
		{`{` + start + `"script": [{"step": 1, "answer": "m", "with": "A"}, {"step": 2, "ask": {"question": "controller", "of": "A"}}]}`, "decision"},
	} {
		_, err := s.Play(context.Background(), json.RawMessage(c.data))
		var e *interpreter.StageError
		if !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: %v, want %s", c.data, err, c.code)
		}
	}
}

func compare(t *testing.T, k interpreter.ExportedCase, got []interpreter.Answer) {
	t.Helper()
	var c struct {
		Script []struct {
			Step   int
			Ask    any
			Expect any
		}
	}
	if err := json.Unmarshal(k.Data, &c); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, st := range c.Script {
		if st.Ask == nil {
			continue
		}
		if n >= len(got) || got[n].Step != st.Step {
			t.Errorf("%s: step %d is not answered", k.ID, st.Step)
			return
		}
		have, err := json.Marshal(got[n].Answer)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(st.Expect)
		list, _ := st.Expect.([]any)
		ok := string(have) == string(want)
		for _, v := range list {
			one, _ := json.Marshal(v)
			ok = ok || string(have) == string(one)
		}
		if !ok {
			t.Errorf("%s step %d: %s, want %s: %v", k.ID, st.Step, have, want, st.Ask)
		}
		n++
	}
	if n != len(got) {
		t.Errorf("%s: %d answers to %d questions", k.ID, len(got), n)
	}
}

// FuzzTell sees that no case, however it is made, makes the telling of it fail in
// another way than by an error.
func FuzzTell(f *testing.F) {
	s := stage(f)
	f.Add(`{"id": "x", "status": "normative", "start": [], "script": [{"step": 1, "do": [{"do": "effect", "effect": {"on": {"objects": ["A"]}, "ops": []}}]}]}`)
	f.Add(`{"id": "x", "script": [{"step": 1, "do": [{"do": "grant", "keyword": {}, "until": []}], "as": {"op": "list"}}]}`)
	f.Add(`{"id": "x", "script": [{"step": 1, "ask": {"question": "legal"}}, {"step": 2, "answer": "order", "with": [1]}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		_, _ = s.Tell(json.RawMessage(data))
		_ = s.Stories([]interpreter.Telling{{Case: json.RawMessage(data)}})
	})
}
