// Package changelog reads what stands in the changelog of a pack, as far as somebody
// who releases it has to know: which versions it speaks of, and what it says of one.
package changelog

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/momon-rules/momon/cmd/momon/internal/thai"
	"github.com/momon-rules/momon/interpreter/pack"
)

// Section is what a changelog says of a version.
type Section struct {
	Version string
	Items   []string // points of lists, and paragraphs, each on one line
}

var (
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	point   = regexp.MustCompile(`^\s*(?:[-*+•]|\d+[.)])\s+`)
)

// Read reads a changelog that is written in Markdown. A version stands in a heading,
// as in "## 1.2.0" or "## [1.2.0] - 2026-01-01"; what follows it, under deeper
// headings too, is said of it. Comments and blocks of code say nothing.
func Read(text string) []Section {
	var out []Section
	level := 0    // of the heading that the last section stands under
	open := false // there is such a section
	code, more := false, false
	text = comment.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
	for _, line := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			code, more = !code, false
			continue
		}
		if code {
			continue
		}
		if n := len(bare) - len(strings.TrimLeft(bare, "#")); n > 0 && n <= 6 && len(bare) > n && bare[n] == ' ' {
			more = false
			if v := versionIn(bare[n:]); v != "" {
				out, open, level = append(out, Section{Version: v}), true, n
			} else if n <= level {
				open = false
			}
			continue
		}
		switch mark := point.FindString(line); {
		case !open:
		case bare == "":
			more = false
		case mark != "":
			last := &out[len(out)-1]
			last.Items, more = append(last.Items, strings.TrimSpace(line[len(mark):])), true
		case more:
			last := &out[len(out)-1]
			last.Items[len(last.Items)-1] += " " + bare
		default:
			last := &out[len(out)-1]
			last.Items, more = append(last.Items, bare), true
		}
	}
	return out
}

// versionIn is the first version that a heading speaks of.
func versionIn(heading string) string {
	for _, word := range strings.FieldsFunc(heading, func(r rune) bool { return r != '.' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if v := strings.TrimPrefix(strings.Trim(word, ".-"), "v"); pack.IsVersion(v) {
			return v
		}
	}
	return ""
}

// Of is what a changelog says of a version, and whether it speaks of it at all.
func Of(list []Section, version string) (items []string, ok bool) {
	for _, s := range list {
		if s.Version == version {
			items, ok = append(items, s.Items...), true
		}
	}
	return items, ok
}

// Says reports whether something is said in a language: of a case, by its id or its
// title in that language, or of anything where neither is named.
func Says(items []string, lang, id, title string) bool {
	for _, it := range items {
		in := written(it, lang)
		switch {
		case id == "" && in, id != "" && in && names(it, id), title != "" && (in || written(title, lang)) && has(it, title):
			return true
		}
	}
	return false
}

// written reports whether a text is in a language, as far as its letters tell.
func written(text, lang string) bool { return strings.ContainsFunc(text, thai.Is) == (lang == "th") }

// has reports whether a text holds another, however either is laid out.
func has(text, part string) bool {
	return strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(part), " "))
}

// names reports whether a text has a word in it.
func names(text, word string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if strings.Trim(w, ".") == word {
			return true
		}
	}
	return false
}
