package interpreter_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// stage is the built-in rules with the tokens and keywords that cases need, and
// without any case.
func stage(t testing.TB) *interpreter.Stage {
	t.Helper()
	var folders []interpreter.Folder
	for _, src := range []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance", FS: conformance.Cases}} {
		names, err := src.Files()
		if err != nil {
			t.Fatal(err)
		}
		f := interpreter.Folder{Name: src.Name}
		for _, name := range names {
			if src.Name == "conformance" && !strings.HasSuffix(name, "-tokens.momon") {
				continue
			}
			data, err := fs.ReadFile(src.FS, name)
			if err != nil {
				t.Fatal(err)
			}
			f.Files = append(f.Files, interpreter.ParseFile(src.Name+"/"+name, string(data)))
		}
		folders = append(folders, f)
	}
	s, _, err := interpreter.NewStage(folders, interpreter.Options{})
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
	p, _, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS},
		{Name: "conformance", FS: conformance.Cases}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range p.Cases("en") {
		if testing.Short() && i%10 != 0 {
			continue
		}
		list, err := p.ExportCase(c, interpreter.Twin{})
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		for _, k := range list {
			got, err := s.Play(context.Background(), k.Data)
			if err != nil {
				text, _ := s.Tell(k.Data)
				t.Errorf("%s: %v\n%s\n%s", k.ID, err, text, k.Data)
				continue
			}
			compare(t, k, got)
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
