package interpreter_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

func facesOf(t *testing.T, text string, langs ...string) []interpreter.Face {
	t.Helper()
	src := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}}
	if text != "" {
		src = append(src, interpreter.Source{Name: "mine", FS: fstest.MapFS{"my.momon": {Data: []byte(text)}}})
	}
	p, diags, err := interpreter.Load(context.Background(), src, interpreter.Options{})
	if err != nil {
		for _, d := range diags {
			t.Log(d.Code, d.Values)
		}
		t.Fatal(err)
	}
	return p.Faces(langs, "Ember Pup", "No Such Card")
}

func partsOf(f interpreter.Face) string {
	var out []string
	for _, p := range f.Parts {
		s := p.Place
		for _, x := range p.Said {
			s += " " + x.Lang + ":" + x.Text
		}
		for _, v := range p.Values {
			s += " [" + v.Name + v.Colour + v.Symbol + "]"
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

// TestFaces holds what a face is made of: parts in the order of the data, texts
// in the languages asked for and once where they are alike, values with their
// looks.
func TestFaces(t *testing.T) {
	list := facesOf(t, `
override view sheet of card {
  title en "{name}" th "{name}"
  tint element
  corner power
  badge element, trait
  compass sight to reach en "Looks" th "มอง"
  foot en "E {errata}" th "E {errata}"
  foot en "{edition}" th "{edition}"
}
override view values of Element { Fire colour "#AA0000" }
`, "en", "th")
	if len(list) != 1 || list[0].Tint != "#AA0000" {
		t.Fatalf("%v", list)
	}
	const want = `title en:Ember Pup th:ลูกหมาเพลิง
corner en:Power th:Power [3]
badge en:Element th:Element [Fire#AA0000]
badge en:Trait th:Trait [Beast]
compass en:Looks th:มอง [North] [East] [West]
foot en:E 2026-03-01 It looks West as well; the arrow was left out in print. th:E 2026-03-01 มองทิศตะวันตกด้วย ลูกศรตกหล่นตอนพิมพ์
foot en:1.1.0 th:1.1.0`
	if got := partsOf(list[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c := list[0].Parts[4]; c.Reach != 1 || len(c.All) != 4 || c.Values[0].Y != -1 {
		t.Errorf("%+v", c)
	}
}

// TestFaceWithoutSheet takes what a whole card shows where the data says nothing
// of a sheet.
func TestFaceWithoutSheet(t *testing.T) {
	fsys := fstest.MapFS{"a.momon": {Data: []byte(`language 1
text xx "Xx"
values Hue { Red xx "Roo" }
zone Field
characteristic hue of card: Hue printed xx "Hoo"
view card of card { line xx "{name}!"; line xx "Hoo: {hue}" }
card "One" xx "Wun" { hue Red }
card "Two" { }
`)}}
	p, diags, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "x", FS: fsys}}, interpreter.Options{})
	if err != nil {
		for _, d := range diags {
			t.Log(d.Code, d.Values)
		}
		t.Fatal(err)
	}
	list := p.Faces([]string{"xx"})
	if len(list) != 2 || partsOf(list[0]) != "title xx:Wun!\nline xx:Hoo: Roo" {
		t.Errorf("%s", partsOf(list[0]))
	}
}
