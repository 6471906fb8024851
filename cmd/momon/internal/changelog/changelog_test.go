package changelog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const text = `# Changelog

Not of a version.

## [Unreleased]

- not yet

## [1.2.0] - 2026-01-02

Everything is new.

### Cases

- ambush-gives-power: Ambush
  gives 3.
- ซุ่มโจมตีให้ Power 3 (ambush-gives-power)
* another

<!-- - hidden -->
` + "```\n## 9.9.9\n- in code\n```" + `

## v1.1.0-draft.1

1. first

## Thanks

- to all
`

func TestRead(t *testing.T) {
	want := []Section{
		{"1.2.0", []string{"Everything is new.", "ambush-gives-power: Ambush gives 3.", "ซุ่มโจมตีให้ Power 3 (ambush-gives-power)", "another"}},
		{"1.1.0-draft.1", []string{"first"}},
	}
	if d := cmp.Diff(want, Read(text)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, Read("\ufeff"+text)); d != "" {
		t.Error(d)
	}
	for _, none := range []string{"", "1.2.0\n- no heading", "#1.2.0\n- no heading either", "## 1.2\n- no version"} {
		if got := Read(none); len(got) > 0 {
			t.Errorf("%q: %v", none, got)
		}
	}
}

func TestSays(t *testing.T) {
	items, ok := Of(Read(text), "1.2.0")
	if !ok || len(items) != 4 {
		t.Fatal(items)
	}
	if _, ok := Of(Read(text), "1.1.0"); ok {
		t.Error("it says something of a version that it does not name")
	}
	for _, c := range []struct {
		lang, id, title string
		want            bool
	}{
		{"en", "", "", true}, {"th", "", "", true},
		{"en", "ambush-gives-power", "", true}, {"th", "ambush-gives-power", "", true},
		{"en", "ambush-gives", "", false}, {"th", "another", "", false}, {"en", "another", "", true},
		{"en", "x", "Ambush gives  3", true}, {"th", "x", "ซุ่มโจมตีให้ Power 3", true}, {"th", "x", "อื่น", false},
	} {
		if got := Says(items, c.lang, c.id, c.title); got != c.want {
			t.Errorf("%+v", c)
		}
	}
	both := []string{"Ambush gives 3 / ซุ่มโจมตีให้ 3"}
	if !Says(both, "en", "x", "Ambush gives 3") || !Says(both, "th", "x", "ซุ่มโจมตีให้ 3") || !Says([]string{"Ambush – เดิม 2"}, "th", "x", "Ambush") {
		t.Error("a title is not found")
	}
	if Says([]string{"only English"}, "th", "", "") || Says([]string{"ไทย"}, "en", "", "") {
		t.Error("a language is taken for another")
	}
}
