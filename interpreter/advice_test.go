package interpreter_test

import (
	"strings"
	"testing"

	"github.com/momon-rules/momon/grammar/diag"
)

// TestAdvice holds slips that designers made against what they are told: one error,
// and in both languages what helps.
func TestAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		text, code string
		en, th     []string // what the advice says
		not        []string // what it must not say
	}{
		"a role of what hits are": {"keyword Calm { On Snatch: effect on target.marks: lower points by 1 }", "unknown-name",
			[]string{"`hits`", "`map(hits, .target)`", "`for h in hits"}, []string{"`map(hits, .target)`"}, []string{"targets"}},
		"a role of the list itself": {"keyword Calm { On Snatch: effect on hits.target until end of turn: lower power by 1 }", "member-of-several",
			[]string{"`map(hits, .target)`", "`for x in hits: …`"}, []string{"`map(hits, .target)`"}, []string{"sum("}},
		"a flag of a list": {"keyword Calm { On Snatch { record x = hits.enemy; if x: draw by you } }", "member-of-several",
			[]string{"`any(hits, .enemy)`"}, []string{"`any(hits, .enemy)`"}, nil},
		"what none of a list has": {"keyword Calm { On Snatch { record x = you.momon.nonsense; if x: draw by you } }", "member-of-several",
			[]string{"None of `you.momon` has it"}, []string{"`you.momon`"}, []string{"sum("}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var own []*diag.Diagnostic
			for _, d := range errorsOf(load(t, "rules", c.text)) {
				if mine(d) {
					own = append(own, d)
				}
			}
			if len(own) != 1 || own[0].Code != c.code {
				t.Fatalf("one %s wanted:\n%s", c.code, render(own, "en"))
			}
			checkShown(t, own[0])
			for lang, want := range map[string][]string{"en": c.en, "th": c.th} {
				todo := diag.Todo(own[0], lang)
				for _, w := range want {
					if !strings.Contains(todo, w) {
						t.Errorf("%s: no %q in %q", lang, w, todo)
					}
				}
				for _, w := range c.not {
					if strings.Contains(todo, w) {
						t.Errorf("%s: %q in %q", lang, w, todo)
					}
				}
			}
		})
	}
}
