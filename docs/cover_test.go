package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/rules"
)

// The language reference is complete when its examples use every part of the
// syntax tree, and every word that the built-in data uses as a head or a verb.

// uses counts what syntax trees hold: "Type.Field" for each part that is there,
// "Type.Field=word" for the words that choose between constructs.
type uses map[string]bool

// choosers are the fields whose values are words of the language.
var choosers = map[string]bool{
	"Decl.Mod": true, "Decl.Head": true, "Op.Verb": true, "Moment.Edge": true, "CaseLine.Verb": true, "Case.Status": true, "Role.Prep": true,
}

func (u uses) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*source.File]() {
			u.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			u.walk(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[source.Span]() || v.Type() == reflect.TypeFor[grammar.Token]() {
			return
		}
		for i := range v.NumField() {
			f := v.Field(i)
			if f.IsZero() {
				continue
			}
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			u[name] = true
			if choosers[name] {
				u[name+"="+f.String()] = true
			}
			u.walk(f)
		}
	}
	if in, ok := v.Interface().(grammar.Instr); ok && in.Action == nil {
		u["Instr.Verb="+in.Verb] = true
	}
	if d, ok := v.Interface().(grammar.Decl); ok && d.Plain != nil && d.Head != "values" && d.Plain.Title.Text != "values" { // there a line begins with a value
		for _, l := range d.Plain.Lines {
			u[d.Head+" line "+l.Head.Text] = true
		}
	}
}

// parts lists every field of the tree.
func parts(t reflect.Type, seen map[reflect.Type]bool, out map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		parts(t.Elem(), seen, out)
	case reflect.Struct:
		if seen[t] || t == reflect.TypeFor[source.Span]() || t == reflect.TypeFor[grammar.Token]() || t == reflect.TypeFor[source.File]() {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			out[t.Name()+"."+f.Name] = true
			parts(f.Type, seen, out)
		}
	}
}

// notShown are parts of the tree that no example can or need show.
var notShown = map[string]string{
	"File.Source":   "the file itself",
	"File.Decls":    "the list itself",
	"File.Comments": "comments are tokens",
	"Decl.Failed":   "set by the parser on a mistake",
}

func TestReferenceIsComplete(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := blocks("language.md", string(text))
	if err != nil {
		t.Fatal(err)
	}
	shown := uses{}
	for _, b := range list {
		if len(b.words) == 0 || b.words[0] != "broken" {
			shown.parse(fmt.Sprintf("language.md:%d", b.line), b.text)
		}
	}
	want := map[string]bool{}
	parts(reflect.TypeFor[grammar.File](), map[reflect.Type]bool{}, want)
	used := uses{}
	for _, f := range []fs.FS{rules.FS, cards.FS, conformance.Cases} {
		err := fs.WalkDir(f, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(f, name)
			used.parse(name, string(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for k := range used {
		want[k] = true
	}
	var missing []string
	for k := range want {
		if !shown[k] && notShown[k] == "" {
			missing = append(missing, k)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no example of language.md shows:\n  %s", strings.Join(missing, "\n  "))
	}
}

func (u uses) parse(name, text string) {
	var diags diag.List
	for _, d := range grammar.Parse(source.NewFile(name, text), &diags).Decls {
		u.walk(reflect.ValueOf(d))
	}
}

// tokens of the grammar that section 2 explains in words.
var tokens = []string{"Word", "Name", "Int", "RuleNo", "String", "EOL", "ExprTok", "PhraseTok", "BracketTok", "Block", "X"}

func TestGrammarIsClosed(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), fence+"ebnf\n")
	body, _, closed := strings.Cut(rest, "\n"+fence)
	if !ok || !closed {
		t.Fatal("language.md has no grammar")
	}
	defined, used := map[string]bool{"File": true}, map[string]bool{"File": true}
	for rule := range strings.SplitSeq(body, " .\n") {
		head, right, ok := strings.Cut(rule, "=")
		if !ok {
			continue
		}
		name := strings.TrimSpace(head)
		defined[name] = true
		for i, part := range strings.Split(right, `"`) {
			if i%2 == 1 {
				continue // a word of the language
			}
			for w := range strings.FieldsFuncSeq(part, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }) {
				used[w] = true
			}
		}
	}
	for w := range used {
		if !defined[w] && !slices.Contains(tokens, w) {
			t.Errorf("the grammar uses %s and does not say what it is", w)
		}
	}
	for w := range defined {
		if !used[w] {
			t.Errorf("the grammar defines %s and does not use it", w)
		}
	}
}
