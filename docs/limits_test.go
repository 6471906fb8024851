package docs_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar"
)

// inside are limits that only the packages themselves can see: where they stand.
var inside = map[string][2]string{
	"files in one load":                                       {"../interpreter/load.go", "maxFiles"},
	"bytes in an expression":                                  {"../interpreter/internal/check/expr.go", "maxExpr"},
	"conditions inside conditions":                            {"../interpreter/internal/check/expr.go", "maxNest"},
	"names in a values list":                                  {"../interpreter/internal/check/check.go", "maxSet"},
	"roles of an action, and its attributes":                  {"../interpreter/internal/check/strict.go", "maxParts"},
	"abilities of one card, those that effects give included": {"../interpreter/internal/run/match.go", "maxAbilities"},
	"steps between two decisions":                             {"../interpreter/internal/run/match.go", "maxSteps"},
	"actions inside actions":                                  {"../interpreter/internal/run/match.go", "maxDepth"},
	"objects in one game":                                     {"../interpreter/internal/run/match.go", "maxObjects"},
	"effects in one game":                                     {"../interpreter/internal/run/match.go", "maxEffects"},
	"triggers waiting":                                        {"../interpreter/internal/run/match.go", "maxQueue"},
	"things that expressions and layers look at between two decisions": {"../interpreter/internal/eval/env.go", "maxSteps"},
	"worked-out characteristics inside each other":                     {"../interpreter/internal/eval/env.go", "maxDepth"},
}

// TestLimits holds the table of limits to the limits.
func TestLimits(t *testing.T) {
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, want int) {
		m := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(what) + ` \| ([0-9,]+)`).FindSubmatch(text)
		if m == nil {
			t.Errorf("language.md does not tell of the limit on %s", what)
			return
		}
		if got := strings.ReplaceAll(string(m[1]), ",", ""); got != strconv.Itoa(want) {
			t.Errorf("language.md says %s for %s; it is %d", m[1], what, want)
		}
	}
	check("bytes in a file", grammar.MaxFileBytes)
	check("braces and brackets inside each other", grammar.MaxDepth)
	check("messages for one file", grammar.MaxReports)
	check("largest number that can be written", grammar.MaxNumber)
	for what, at := range inside {
		src, err := os.ReadFile(at[0])
		if err != nil {
			t.Error(err)
			continue
		}
		m := regexp.MustCompile(`(?m)\b` + at[1] + `\s*= ([0-9_]+)`).FindSubmatch(src)
		if m == nil {
			t.Errorf("%s has no %s", at[0], at[1])
			continue
		}
		n, err := strconv.Atoi(strings.ReplaceAll(string(m[1]), "_", ""))
		if err != nil {
			t.Error(err)
			continue
		}
		check(what, n)
	}
}
