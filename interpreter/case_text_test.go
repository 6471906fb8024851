package interpreter

import (
	"context"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/rules"
)

// TestCaseTexts words every event of every case, and why it came about, under
// rules that many cases were not written for.
func TestCaseTexts(t *testing.T) {
	cases, err := fs.Sub(conformance.Cases, "cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{
		"",
		"override zone Arena { grid 4 by 3 }",
		"override zone Arena { grid 4 by 3; renews objects }",
		"override characteristic power of card: number = 7 printed floor 0",
		"override characteristic reach of Momon: number = 2",
	} {
		p, diags, err := Load(context.Background(), []Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "cases", FS: cases},
			{Name: "more", FS: fstest.MapFS{"m.momon": {Data: []byte(more)}}}}, Options{})
		if err != nil {
			t.Fatal(more, err, diags[0])
		}
		for _, c := range p.Cases("en") {
			res, err := p.RunCase(context.Background(), c)
			if err != nil {
				t.Fatal(c.ID, err)
			}
			for _, lang := range []string{"en", "th"} {
				for i := range res.Run().Events() {
					e := &res.Run().Events()[i]
					res.Run().Text(e, lang)
					res.Run().Cause(e, lang)
				}
				res.Run().View(lang)
			}
		}
	}
}
