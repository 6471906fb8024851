package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/momon-rules/momon/interpreter"
)

// Steps are the steps of a story, those inside of a window indented.
func Steps(s *interpreter.Story) []interpreter.StoryStep {
	out := slices.Clone(s.Steps)
	depth := 0
	for i := range out {
		st := &out[i]
		if st.Text == "}" {
			depth = max(0, depth-1)
		}
		lead := strings.Repeat("  ", depth)
		if strings.HasSuffix(st.Text, "{") {
			depth++
		}
		st.Text = lead + strings.ReplaceAll(st.Text, "\n", "\n"+lead)
	}
	return out
}

// Entry is the number in the log of the ith thing that came of a step, to stand
// before it; "" where the record does not have it.
func Entry(st *interpreter.StoryStep, i int) string {
	if i >= len(st.Entries) {
		return ""
	}
	return fmt.Sprintf("[%d] ", st.Entries[i])
}

// clean takes out of a text what no page and no Markdown can hold: signs that
// command a terminal. Line ends stay.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// Languages lists the languages of a text, the wanted one first.
func Languages(texts map[string]string, lang string) []string {
	var out []string
	for l := range texts {
		out = append(out, l)
	}
	slices.SortFunc(out, func(x, y string) int {
		switch {
		case x == y:
			return 0
		case x == lang || y != lang && x < y:
			return -1
		}
		return 1
	})
	return out
}

// InLang is a text in the wanted language, or in the first that there is.
func InLang(texts map[string]string, lang string) string {
	for _, l := range Languages(texts, lang) {
		return texts[l]
	}
	return ""
}
