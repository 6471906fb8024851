package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/source"
)

func TestNearest(t *testing.T) {
	known := []string{"always", "when", "granted", "says", "Ward", "ผู้พิทักษ์", "power"}
	for word, want := range map[string]string{
		"alwyas": "always", "wehn": "when", "grnated": "granted", "say": "says", "ward": "Ward", "pwoer": "power",
		"ผู้พิทักษ": "ผู้พิทักษ์", "zzz": "", "x": "", "elephant": "", "": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestUnknownCode(t *testing.T) {
	f := source.NewFile("a.momon", "ก้า\tpower\n")
	var l List
	at := strings.Index(f.Text, "power")
	d := l.Add("no-such-code-at-all", source.Span{File: f, Start: at, End: at + 5}, "name", "power", "kind", "card")
	d.Near = "powder"
	d.With("declared-here", source.Span{File: f, End: 3})
	var b bytes.Buffer
	if err := Text(&b, l.Sorted(), "en", false); err != nil {
		t.Fatal(err)
	}
	want := "error[no-such-code-at-all]: no such code at all: name `power`, kind `card`\n" +
		" --> a.momon:1:5\n  |\n1 | ก้า\tpower\n  |   \t^^^^^\n" +
		"  = help: Did you mean `powder`?\n  = note: declared here: a.momon:1:1\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := JSON(&b, l.Sorted(), "th"); err != nil {
		t.Fatal(err)
	}
	var back []map[string]any
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back) != 1 || back[0]["near"] != "powder" {
		t.Error(err, b.String())
	}
}

// TestWords: every code has all its words in both languages.
func TestWords(t *testing.T) {
	for code, e := range catalog().codes {
		for _, s := range []string{"summary", "todo", "cause"} {
			for _, lang := range []string{"en", "th"} {
				if e[s+"."+lang] == "" {
					t.Errorf("%s: no %s.%s", code, s, lang)
				}
			}
		}
	}
}

func TestHidden(t *testing.T) {
	f := source.NewFile("a", "a\x1b[31m\u202eb")
	var b bytes.Buffer
	d := &Diagnostic{Code: "x", Span: source.Span{File: f, End: 1}, Values: []string{"v", "\x1b[31m"}}
	if err := Text(&b, []*Diagnostic{d}, "en", false); err != nil || strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("%v %q", err, b.String())
	}
}
