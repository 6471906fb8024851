package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

func program(t testing.TB, more ...interpreter.Source) *interpreter.Program {
	t.Helper()
	cases, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		t.Fatal(err)
	}
	src := append([]interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance/cases", FS: cases}}, more...)
	p, _, err := interpreter.Load(context.Background(), src, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func loads(t testing.TB) []*load.Case {
	t.Helper()
	list, err := load.Cases()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func schemas(t testing.TB) func(name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	names, err := filepath.Glob("../schema/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	ids := map[string]string{}
	for _, name := range names {
		f, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(f))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		id := doc.(map[string]any)["$id"].(string)
		if err := c.AddResource(id, doc); err != nil {
			t.Fatal(err)
		}
		ids[filepath.Base(name)] = id
	}
	return func(name string) *jsonschema.Schema {
		t.Helper()
		s, err := c.Compile(ids[name])
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// TestSuiteIsFresh holds the files in the repository to what the rules give.
func TestSuiteIsFresh(t *testing.T) {
	files, _, err := export.Make(program(t), conformance.Retired, loads(t))
	if err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Glob("../suite/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(there) != len(files) {
		t.Errorf("conformance/suite has %d files, the rules give %d; momon conformance export writes them", len(there), len(files))
	}
	for _, name := range files.Names() {
		have, err := os.ReadFile(filepath.Join("../suite", name))
		if err != nil || !bytes.Equal(have, files[name]) {
			t.Errorf("conformance/suite/%s is not what the rules give; momon conformance export writes it (%v)", name, err)
		}
	}
}

// TestSuiteFitsItsSchemas validates the suite, and sees that the schemas refuse
// what is not in the vocabulary.
func TestSuiteFitsItsSchemas(t *testing.T) {
	files, _, err := export.Make(program(t), conformance.Retired, loads(t))
	if err != nil {
		t.Fatal(err)
	}
	schema := schemas(t)
	rule, index := schema("rule.schema.json"), schema("index.schema.json")
	for _, name := range files.Names() {
		s := rule
		switch name {
		case export.Index:
			s = index
		case export.Loads:
			s = schema("load.schema.json")
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(files[name]))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := string(files["11.6.1.json"])
	for _, m := range [][2]string{
		{`"op": "raise"`, `"op": "rise"`}, {`"question": "value"`, `"question": "worth"`}, {`"step": 1,`, `"step": 0,`},
		{`"effect": {`, `"efect": {`}, {`"tier": "core"`, `"tier": "hard"`}, {`"status": "normative"`, `"state": "normative"`},
	} {
		bad := strings.Replace(text, m[0], m[1], 1)
		if bad == text {
			t.Fatalf("the suite has no %s", m[0])
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if rule.Validate(doc) == nil {
			t.Errorf("the schema lets %s through", m[1])
		}
	}
}

// TestSuiteIsWhole sees that every case of a statement is exported, every refusal
// with a repair has its twin, and no id is used twice or was retired.
func TestSuiteIsWhole(t *testing.T) {
	p := program(t)
	s, err := export.Cases(p, interpreter.Twin{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range s.Lacks {
		t.Errorf("not exported: %v", l)
	}
	have := map[string]export.Case{}
	for _, c := range s.Cases {
		have[c.ID] = c
	}
	for _, c := range p.Cases("en") {
		if k, ok := have[c.ID]; !ok || k.Status != c.Status {
			t.Errorf("%s is not in the suite as %s", c.ID, c.Status)
		}
	}
	repairs := 0
	mended := map[string]bool{}
	for _, c := range s.Cases {
		mended[c.Repairs] = true
	}
	for _, c := range s.Cases {
		if refuses(t, c.Data) && c.Repairs == "" && !mended[c.ID] && c.ID != "ward-token-may-not-move-though-permitted" { // which nothing makes possible
			t.Errorf("%s: something is refused, and no repair shows the smallest change that helps", c.ID)
		}
		if c.Repairs != "" {
			repairs++
			if have[c.Repairs].ID == "" {
				t.Errorf("%s repairs %s, which is not there", c.ID, c.Repairs)
			}
		}
		if c.Title["en"] == "" || c.Title["th"] == "" {
			t.Errorf("%s has no title in one of the languages", c.ID)
		}
	}
	if repairs < 60 {
		t.Errorf("only %d repairs", repairs)
	}
	id := s.Cases[0].ID
	reason := map[string]string{"en": "it meant something else", "th": "เคยมีความหมายอื่น"}
	for name, gone := range map[string][]map[string]any{
		"used":              {{"id": id, "since": "1", "reason": reason}},
		"twice":             {{"id": "gone", "since": "1", "reason": reason}, {"id": "gone", "since": "2", "reason": reason}},
		"no day":            {{"id": "gone", "reason": reason}},
		"no reason":         {{"id": "gone", "since": "1"}},
		"no reason in Thai": {{"id": "gone", "since": "1", "reason": map[string]string{"en": "it meant something else"}}},
		"":                  {{"id": "gone", "since": "1", "reason": reason}},
	} {
		data, err := json.Marshal(gone)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := export.Make(p, data, nil); (err == nil) != (name == "") {
			t.Errorf("a retired id (%s): %v", name, err)
		}
	}
}

// refuses reports whether a case expects that something is refused.
func refuses(t *testing.T, data json.RawMessage) bool {
	t.Helper()
	var c struct {
		Script []struct {
			Ask    struct{ Question string }
			Expect json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Script {
		if s.Ask.Question == "refused" && string(s.Expect) != `"no"` {
			return true
		}
	}
	return false
}
