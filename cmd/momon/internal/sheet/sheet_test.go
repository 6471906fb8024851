package sheet

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/interpreter"
)

var update = flag.Bool("update", false, "write the golden files")

func both(en, th string) []interpreter.FaceText {
	return []interpreter.FaceText{{Lang: "en", Text: en}, {Lang: "th", Text: th}}
}

func value(en, th, colour, symbol string, x, y int) interpreter.FaceValue {
	return interpreter.FaceValue{Name: en, Said: both(en, th), Colour: colour, Symbol: symbol, X: x, Y: y}
}

// faces are a card with one part of each sort, and one with nothing but a name
// that could be taken for a part of the page.
func faces() []interpreter.Face {
	north, east := value("North", "เหนือ", "", "", 0, -1), value("East", "ตะวันออก", "", "", 1, 0)
	number := func(s string) []interpreter.FaceValue {
		return []interpreter.FaceValue{{Name: s, Said: []interpreter.FaceText{{Lang: "en", Text: s}}}}
	}
	return []interpreter.Face{
		{Card: "Ember Pup", Pack: "first", Tint: "#B3261E", Parts: []interpreter.FacePart{
			{Place: "title", Said: both("Ember Pup", "ลูกหมาเพลิง")},
			{Place: "badge", Said: both("Element", "ธาตุ"), Values: []interpreter.FaceValue{value("Fire", "ไฟ", "#B3261E", "▲", 0, 0)}},
			{Place: "corner", Said: both("Power", "พลัง"), Values: number("3")},
			{Place: "corner", Said: both("Points", "แต้ม"), Values: number("1")},
			{Place: "corner", Said: both("Luck", "โชค"), Values: number("7")},
			{Place: "line", Said: both("Beast", "สัตว์")},
			{Place: "compass", Said: both("Sight", "มอง"), Values: []interpreter.FaceValue{north, east}, All: []interpreter.FaceValue{north, east}, Reach: 2},
			{Place: "compass", Said: both("Mark", "จุด"), Values: []interpreter.FaceValue{east}, All: []interpreter.FaceValue{north, east}, Reach: 1, Symbol: "●"},
			{Place: "text", Said: both("On Summon: gain Ward.\nOther Beasts get +1 Power.", "On Summon: ได้รับ Ward\nสัตว์ตัวอื่นได้ Power +1")},
			{Place: "foot", Said: both("Edition 1", "ฉบับ 1")},
		}},
		{Card: `<b> & "c"`, Parts: []interpreter.FacePart{{Place: "title", Said: []interpreter.FaceText{{Lang: "en", Text: `<b> & "c"`}}}}},
	}
}

func written(t *testing.T, list []interpreter.Face, svg bool) string {
	t.Helper()
	s := &Sheet{Title: "A & B", Lang: "en", Page: "Page %d of %d", Faces: list, Packs: []interpreter.PackInfo{{Name: "first", Version: "1.0.0", Shown: "First & best"}, {Name: "other", Version: "2.0.0", Shown: "Other"}}}
	var b bytes.Buffer
	write := s.HTML
	if svg {
		write = s.SVG
	}
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"small.html", "small.svg"} {
		got := written(t, faces(), strings.HasSuffix(name, ".svg"))
		if *update {
			if err := os.WriteFile("testdata/"+name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s -want +got:\n%s", name, d)
		}
	}
}

// TestWellFormed reads the drawing as XML, and holds that neither form needs
// anything from elsewhere.
func TestWellFormed(t *testing.T) {
	var many []interpreter.Face
	for range 6 {
		many = append(many, faces()...)
	}
	svg, page := written(t, many, true), written(t, many, false)
	d := xml.NewDecoder(strings.NewReader(svg))
	depth := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 {
		t.Error("an element is open")
	}
	for _, s := range []string{svg, page} {
		rest := strings.ReplaceAll(s, "http://www.w3.org/2000/svg", "")
		for _, bad := range []string{"http:", "https:", "<script", "url(", "@import", " src=", " href="} {
			if strings.Contains(rest, bad) {
				t.Errorf("%s in the sheet", bad)
			}
		}
		if !strings.Contains(s, "Page 2 of 2") {
			t.Error("twelve cards take two pages")
		}
	}
}

// TestFits holds that no text leaves its card, however long it is, and that a
// text of ordinary length is not set small.
func TestFits(t *testing.T) {
	long := map[string]string{
		"words":  strings.Repeat("When this is Snatched, draw a card and put a token on it. ", 60),
		"word":   strings.Repeat("Donaudampfschiff", 40),
		"thai":   strings.Repeat("เมื่อจบเทิร์นของคุณถ้าการ์ดนี้อยู่ในกองทิ้งคุณอาจนำกลับขึ้นมือ", 40),
		"lines":  strings.Repeat("a\n", 80) + "a",
		"little": "Draw a card.",
		"middle": "On Summon: put a Cinder on this Momon. Each Cinder gives +1 Power. When it is Snatched, remove one instead.",
	}
	for name, s := range long {
		f := faces()[0]
		for i := range f.Parts {
			switch f.Parts[i].Place {
			case "text":
				f.Parts[i].Said = both(s, s)
			case "title":
				f.Parts[i].Said = both(s[:min(len(s), 90)], "ก")
			}
		}
		c := layOut(&f)
		sum := c.textTop
		for i := range c.text {
			sum += c.text[i].high() + parGap(c.text[i].size)*float64(strings.Count(c.text[i].Text, "\n"))
			for _, l := range c.text[i].lines {
				if measure(l)*c.text[i].size*point > wide {
					t.Errorf("%s: a line is too wide: %s", name, l)
				}
			}
		}
		for i := range c.foot {
			sum += c.foot[i].high()
		}
		if sum > high {
			t.Errorf("%s: %.1f mm high, and the card has %.1f", name, sum, high)
		}
		sheet := &Sheet{Faces: []interpreter.Face{f}}
		if small := sheet.Small(); (len(small) > 0) != (name != "little" && name != "middle") {
			t.Errorf("%s: small: %v", name, small)
		}
		// The next larger size would leave the box, or is the largest.
		if size := c.text[0].size; size < textMost && size > cutWords {
			room := high - c.textTop - 2.4
			for i := range c.foot {
				room -= c.foot[i].high()
			}
			larger := 0.0
			for i, b := range fit([]interpreter.FaceText{c.text[0].FaceText, c.text[1].FaceText}, wide-2, 1e9, size+0.25, size+0.25) {
				larger += b.high() + parGap(b.size)*float64(strings.Count(b.Text, "\n"))
				if i > 0 {
					larger += languageGap
				}
			}
			if larger <= room {
				t.Errorf("%s: set in %.2f pt, and %.2f would fit", name, size, size+0.25)
			}
		}
	}
}

// TestPacks holds that each page names the packs of its cards, and no others, and that
// the line stays between the cut marks.
func TestPacks(t *testing.T) {
	s := &Sheet{Lang: "en", Page: "Page %d of %d", Packs: []interpreter.PackInfo{{Name: "first", Version: "1.0.0", Shown: "First"}, {Name: "other", Version: "2.0.0", Shown: strings.Repeat("Other ", 40)}}}
	for i := range 2 * perPage {
		s.Faces = append(s.Faces, interpreter.Face{Card: "A", Pack: []string{"first", "other"}[i/perPage]})
	}
	s.Faces = append(s.Faces, interpreter.Face{Card: "B"})
	if got := s.margin(0).Text; got != "First 1.0.0 · Page 1 of 3" {
		t.Error(got)
	}
	if got := s.margin(1).Text; !strings.HasPrefix(got, "Other ") || !strings.HasSuffix(got, "2.0.0 · Page 2 of 3") {
		t.Error(got)
	}
	if got := s.margin(2).Text; got != "Page 3 of 3" {
		t.Error(got)
	}
	for n := range 3 {
		m := s.margin(n)
		for _, l := range m.lines {
			if measure(l)*m.size*point > cardWide {
				t.Errorf("a line is too wide: %s", l)
			}
		}
		if marginTop+m.high()/2 > pageHigh || marginTop-m.high()/2 < topEdge+down*cardHigh {
			t.Errorf("page %d: %.1f mm high", n+1, m.high())
		}
	}
}

// TestContrast holds that letters on any ground are told from it as well as
// small letters need: 4.5 to 1.
func TestContrast(t *testing.T) {
	for _, ground := range []string{"#000000", "#FFFFFF", "#B3261E", "#2E6B34", "#1F5FA8", "#F2C200", "#777777", "#808080", "#FF0000", "#00FF00", "#0000FF"} {
		l, ink := luminance(ground), luminance(contrast(ground))
		if ratio := (max(l, ink) + 0.05) / (min(l, ink) + 0.05); ratio < 4.5 {
			t.Errorf("%s: %.2f", ground, ratio)
		}
	}
}
