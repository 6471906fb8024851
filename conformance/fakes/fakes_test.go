package fakes_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/fakes"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

const second = "../second"

// TestTable sees that every fake can be made: that the edits of rules fit and give
// rules, and those of the second implementation too, where it is built.
func TestTable(t *testing.T) {
	list, err := fakes.Table()
	if err != nil {
		t.Fatal(err)
	}
	sub, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		t.Fatal(err)
	}
	src := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "conformance/cases", FS: sub}}
	p, _, err := interpreter.NewStage(src, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	statements := map[string]bool{}
	for _, r := range p.Rules().Rules("en") {
		for _, s := range r.Statements {
			statements[s.Rule+" "+s.Key] = true
		}
	}
	_, unbuilt := os.Stat(second + "/" + fakes.Program)
	made := map[string]int{}
	for i := range list {
		f := &list[i]
		made[f.Made]++
		if f.Title["en"] == "" || f.Title["th"] == "" || f.Title["en"] == f.Title["th"] {
			t.Errorf("%s does not say in both languages what it does wrong", f.Name)
		}
		for _, b := range f.Breaks {
			if !statements[b] {
				t.Errorf("%s: there is no statement %s", f.Name, b)
			}
		}
		switch f.Made {
		case fakes.Ours:
			wrong, err := f.Rules(src)
			if err != nil {
				t.Error(err)
			} else if _, _, err := interpreter.NewStage(wrong, interpreter.Options{}); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		case fakes.Second:
			if unbuilt != nil {
				continue
			}
			program, clean, err := f.Build(second)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := os.Stat(program); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			clean()
			if _, err := os.Stat(program); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: it is still there", f.Name)
			}
		}
	}
	if made[fakes.Ours] < 25 || made[fakes.Second] < 25 || made[fakes.None] < 15 {
		t.Errorf("only %v", made)
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		``: "EOF", `{}`: "cannot unmarshal", `[] 1`: "behind", `[{"fake": ""}]`: "no name", `[{"fake": "a", "made_of": "none"}]`: "no verdict",
		`[{"fake": "a", "made_of": "clay", "verdict": "fail"}]`: "made of", `[{"fake": "a", "made_of": "none", "verdict": "fail"}]`: "no such program",
		`[{"fake": "a", "made_of": "momon", "verdict": "fail"}]`: "changes nothing", `[{"fake": "a", "colour": "red"}]`: "colour",
	} {
		if _, err := fakes.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestMisfit sees that an edit that no longer fits is an error, and which.
func TestMisfit(t *testing.T) {
	f := fakes.Fake{Name: "f", Edits: []fakes.Edit{{File: "a", Old: "x", New: "y"}, {File: "a", Old: "y", New: "z"}}}
	for text, want := range map[string]string{"axb": "azb", "axbx": "2 x", "ab": "0 x", "axy": "2 y"} {
		got, err := f.Apply(func(string) (string, error) { return text, nil })
		var m *fakes.Misfit
		if errors.As(err, &m) {
			got = map[string]string{"a": strings.TrimSpace(strings.Join([]string{string(rune('0' + m.Times)), m.Old}, " "))}
		} else if err != nil {
			t.Fatal(err)
		}
		if got["a"] != want {
			t.Errorf("%s: %s, want %s", text, got["a"], want)
		}
	}
	if _, err := f.Apply(func(string) (string, error) { return "", fs.ErrNotExist }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestSpeak asks the programs that know no rules a case.
func TestSpeak(t *testing.T) {
	ask := `{"seq": 1, "type": "hello"}
{"seq": 2, "type": "case", "case": {"id": "a", "script": [{"step": 1, "do": []}, {"step": 2, "ask": {"question": "value"}}]}}
{"seq": 3, "type": "bye"}
`
	for name, want := range map[string]string{
		"always-yes": `{"seq":2,"outcome":"done","answers":[{"step":2,"answer":true}]}`, "always-zero": `{"seq":2,"outcome":"done","answers":[{"step":2,"answer":0}]}`,
		"skips-all": `{"seq":2,"outcome":"skipped","reason":"later"}`, "garbage": "thinking…", "answers-less": `{"seq":2,"outcome":"done"}`,
		"claims-features": `{"seq":2,"outcome":"unsupported","feature":"attributes"}`, "wrong-seq": `{"seq":1002,"outcome":"done","answers":[{"step":2,"answer":1}]}`,
	} {
		f, err := fakes.Find(name)
		if err != nil {
			t.Fatal(name, err)
		}
		var out bytes.Buffer
		if err := f.Speak([]string{"attributes"}, []string{"value"}, strings.NewReader(ask), &out); err != nil {
			t.Fatal(name, err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 3 || lines[1] != want || lines[2] != `{"seq":3,"ok":true}` {
			t.Errorf("%s: %q", name, fmt.Sprint(lines))
		}
	}
	for _, name := range []string{"crash", "crash-later"} {
		f, err := fakes.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Speak(nil, nil, strings.NewReader(ask+strings.Repeat(strings.Split(ask, "\n")[1]+"\n", 5)), new(bytes.Buffer)); name == "crash" && err == nil {
			t.Errorf("%s goes on", name)
		}
	}
	if _, err := fakes.Find("nobody"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
