package diff

import (
	"io"
	"strings"
)

// Markdown writes the report for a pull request or a changelog.
func (r *Report) Markdown(w io.Writer, lang string) error {
	var b strings.Builder
	last := BlockKind("")
	for _, x := range r.Document(lang) {
		text := x.Text
		switch x.Kind {
		case Title:
			b.WriteString("## " + escaped(text) + "\n")
		case Heading:
			b.WriteString("\n### " + escaped(text) + "\n")
		case Sub:
			b.WriteString("\n#### " + escaped(text) + "\n")
		case Para:
			b.WriteString("\n" + escaped(text) + "\n")
		case Item, Draft:
			if last == Title || last == Heading || last == Sub || last == Para {
				b.WriteByte('\n')
			}
			b.WriteString("- " + escaped(text) + "\n")
		case Under:
			b.WriteString("  - " + escaped(text) + "\n")
		case Code:
			if last == Para {
				b.WriteByte('\n')
			}
			b.WriteString("- " + code(strings.TrimSpace(text)) + "\n")
		case Was:
			b.WriteString("  - − " + code(text) + "\n")
		case Is:
			b.WriteString("  - + " + code(text) + "\n")
		}
		last = x.Kind
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escaped keeps what means something in Markdown from doing so.
func escaped(s string) string {
	var b strings.Builder
	for i, r := range s {
		if strings.ContainsRune("\\`*_[]<>|", r) || r == '#' && i == 0 {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code is a text as code, in as many signs as it needs.
func code(s string) string {
	if !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return "`` " + s + " ``"
}
