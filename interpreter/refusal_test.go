package interpreter_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/interpreter"
)

const refusals = `
action tease target: Momon by source: Momon en "tease {target}" th "แหย่ {target}" {
  characteristic gap: number = target.power - source.power
  only if gap < 2 else en "{source} is weaker by {gap}" th "{source} อ่อนกว่า {gap}"
  says en "{source} teases {target}" th "{source} แหย่ {target}"
  do: place Woof on target
}
token Woof on Momon
keyword Hush (n: number) en "Hush {n}" th "เงียบ {n}" {
  granted to m {
    only if m.power < n else en "{m} is not below {n}" th "{m} ไม่ต่ำกว่า {n}"
    effect on m until end of turn: lower power by n
  }
}
case "told" {
  given A: Momon of P1 { power 1 }
  given B: Momon of P2 { power 4 }
  tease B by A
  refused tease where target == B by impossible
  grant Hush 3 to B
  refused grant where object == B by impossible
  expect B.power == 4
}
case "alone" {
  given A: Momon of P1 at 0, 0 { power 2; sight East }
  given B: Momon of P2 at 1, 0 { power 3; mark West }
  given C: Momon of P2 at 2, 2 { power 1; mark West }
  expect A.power == 2
}
`

// TestRefusalText: what the data says of a condition that failed is told in the log, in
// the answer to why, and in the answer to why not, with what the action had then.
func TestRefusalText(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "told", FS: fstest.MapFS{"told.momon": {Data: []byte(refusals)}}})
	c, _ := p.Case("told", "en")
	res, err := p.RunCase(ctx, c)
	if err != nil || !res.Passed() {
		t.Fatal(err, res)
	}
	r := res.Run()
	for lang, wants := range map[string][]string{
		"en": {"A is weaker by 3", "B is not below 3"},
		"th": {"A อ่อนกว่า 3", "B ไม่ต่ำกว่า 3"},
	} {
		got := 0
		for _, e := range r.Events() {
			if e.Kind != interpreter.Refused {
				continue
			}
			want := wants[got]
			got++
			if text := r.Text(&e, lang); !strings.HasSuffix(text, "("+want+")") {
				t.Errorf("%s: the log says %q", lang, text)
			}
			if cause := r.Cause(&e, lang); cause.Why != want || !strings.Contains(cause.Sentence, want) || len(cause.Parts) == 0 {
				t.Errorf("%s: why: %+v", lang, cause)
			}
		}
		if got != 2 {
			t.Errorf("%s: %d refusals", lang, got)
		}
		w, err := r.WhyNot([]string{"tease", "B", "by", "A"}, interpreter.WhyNotOptions{Lang: lang})
		if err != nil || w.So || !strings.Contains(w.Sentence, wants[0]) {
			t.Errorf("%s: %v %+v", lang, err, w)
		}
	}
}

// TestWhyNotAsPart: an action that is possible by itself, and is not as part of the one
// that commonly leads to it, is told of both.
func TestWhyNotAsPart(t *testing.T) {
	p := builtIn(t, interpreter.Source{Name: "told", FS: fstest.MapFS{"told.momon": {Data: []byte(refusals)}}})
	c, _ := p.Case("alone", "en")
	res, err := p.RunCase(ctx, c)
	if err != nil || !res.Passed() {
		t.Fatal(err, res)
	}
	for _, q := range []struct{ words, lang, want string }{
		{"snatch B by A", "en", "“Snatch B (Direct Snatch)” by itself is possible: no rule is in its way. " +
			"As part of “perform a Snatch Check with A” it is not: strength 2 (Matrix bonus 0) does not beat 3."},
		{"snatch B by A", "th", "“Snatch B (Direct Snatch)” ทำได้โดยตัวมันเอง"},
		{"snatch C by A", "en", "it is not: C is not among the enemies in sight of A."},
		{"snatch C by A", "th", "C ไม่อยู่ในฝ่ายตรงข้ามในสายตาของ A"},
		{"snatch A by B", "en", "A is not among the enemies in sight of B."},
	} {
		w, err := res.Run().WhyNot(strings.Fields(q.words), interpreter.WhyNotOptions{Lang: q.lang})
		if err != nil || !w.So || !strings.Contains(w.Sentence, q.want) {
			t.Errorf("%s: %v %s", q.words, err, w.Sentence)
		}
	}
}
