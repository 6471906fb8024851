package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/momon-rules/momon/conformance/runner"
)

// mostMarkdown bounds how long a Markdown report grows by stories: services that
// show it under a change take some 65,000 characters.
const mostMarkdown = 48000

// Markdown writes the records as Markdown, to be shown under a change.
func (s *Set) Markdown(w io.Writer, lang string) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	t := func(key string, args ...any) string { return Text(lang, key, args...) }
	row := func(cells ...string) { line("| %s |", strings.Join(cells, " | ")) }
	each := func(head string, cell func(*Program) string) {
		cells := []string{head}
		for _, p := range s.Programs {
			cells = append(cells, cell(p))
		}
		row(cells...)
	}

	line("<!-- %s report -->\n## %s\n", maker, t("title"))
	if s.oneSuite() {
		h := &s.Programs[0].Record.Header
		line("%s\n", md(t("of-suite", h.Edition, Brief(h.Digest))))
	} else {
		line("%s\n", md(t("suites")))
	}
	for _, p := range s.Programs {
		if n := p.Record.Unrun(); n > 0 {
			line("**%s**: %s\n", md(p.Name), md(t("incomplete", n)))
		}
	}
	each("", func(p *Program) string { return "**" + md(p.Name) + "**" })
	row(strings.Split(strings.Repeat("---,", len(s.Programs))+"---", ",")...)
	each(t("level"), func(p *Program) string { return "**" + t("level-"+string(p.Standing.Level)) + "**" })
	each(t("next"), func(p *Program) string { return md(Obstacles(lang, p.Standing)) })
	if !s.oneSuite() {
		each(t("suite"), func(p *Program) string { return md(p.Record.Header.Edition + " " + Brief(p.Record.Header.Digest)) })
	}
	each(t("selection"), func(p *Program) string { return md(p.selection(lang)) })
	for _, status := range runner.Statuses {
		if s.count(ofStatus(status)).Cases == 0 {
			continue
		}
		each(t(status), func(p *Program) string { return cell(Count(p.Record, ofStatus(status)), lang) })
	}

	if s.Proof != nil {
		line("\n### %s\n", t("proof"))
		for _, l := range s.Proof.Lines(lang) {
			line("- %s", md(l))
		}
	}

	line("\n<details><summary>%s</summary>\n", t("by-rule"))
	cells := []string{t("rule"), t("status")}
	for _, p := range s.Programs {
		cells = append(cells, md(p.Name))
	}
	row(cells...)
	row(strings.Split(strings.Repeat("---,", len(s.Programs)+1)+"---", ",")...)
	for _, r := range s.Rules {
		for _, status := range runner.Statuses {
			cells := []string{md(r.Name(lang)), t(status)}
			n := 0
			for i := range s.Programs {
				f := s.Figures(r, i, status)
				cells = append(cells, cell(f, lang))
				n += f.Cases
			}
			if n > 0 {
				row(cells...)
			}
		}
	}
	line("\n</details>")

	for _, p := range s.Programs {
		if len(p.Record.Header.Open) > 0 {
			line("\n### %s: %s\n", t("readings"), md(p.Name))
			for _, name := range keys(p.Record.Header.Open) {
				x := p.Record.Header.Open[name]
				line("- %s (%s): %s", md(InLang(x.Text, lang)), code(name), t("reading-line", code(x.Chosen), md(p.Name), code(x.Own)))
			}
		}
		if list := leftOuts(p.Record); len(list) > 0 {
			line("\n### %s: %s\n", t("left-out"), md(p.Name))
			for _, x := range list {
				text := fmt.Sprintf("%s %s (%d)", t(string(x.Kind)), code(x.What), x.Cases)
				if x.Kind == Unsupported {
					if x.Reason == "" {
						text += ": " + t("no-reason")
					} else {
						text += ": " + md(x.Reason)
					}
				}
				if link(x.Issue) {
					text += " " + md(x.Issue)
				} else if x.Kind != Reading {
					text += " (" + t("no-link") + ")"
				}
				line("- %s", text)
			}
		}
		if len(p.Record.Footer.Faults) > 0 {
			line("\n### %s: %s\n", t("faults"), md(p.Name))
			for _, f := range p.Record.Footer.Faults {
				line("- %s: %s", Sentence(lang, f.Verdict), code(f.Detail))
			}
		}
	}

	line("\n### %s\n", t("failures"))
	shown, more := 0, 0
	for _, p := range s.Programs {
		for i := range p.Record.Cases {
			c := &p.Record.Cases[i]
			if !failed(c) {
				continue
			}
			if b.Len() > mostMarkdown {
				more++
				continue
			}
			shown++
			story := s.markdownStory(p, c, lang)
			if len(story)+b.Len() > mostMarkdown {
				more++
				shown--
				continue
			}
			b.WriteString(story)
		}
	}
	switch {
	case more > 0:
		line("%s", t("more", more))
	case shown == 0:
		line("%s", t("no-failures"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *Set) markdownStory(p *Program, c *runner.CaseLine, lang string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	note := ""
	switch {
	case c.Expired:
		note = Text(lang, "known-over", c.Known.Until, c.Known.Reason)
	case KindOf(p.Record, c) == Known:
		note = Text(lang, "known-until", c.Known.Until, c.Known.Reason)
	case c.Status == runner.Provisional:
		note = Text(lang, "diff-not-count")
	}
	line("<details><summary>%s %s (%s): %s – %s</summary>\n", Sign(KindOf(p.Record, c)), tag(c.ID), tag(p.Name), tag(InLang(c.Title, lang)), Sentence(lang, c.Verdict))
	if note != "" {
		line("%s\n", md(note))
	}
	if c.Detail != "" {
		line("%s\n", code(c.Detail))
	}
	switch {
	case c.At == nil:
	case len(c.At.Question) == 0:
		line("- %s: %s\n", Text(lang, "at-step", c.At.Step), code(c.Asks()))
	default:
		line("- %s: %s", Text(lang, "question", c.At.Step), code(c.Asks()))
		line("- %s: %s", Text(lang, "expected"), code(string(c.At.Expected)))
		line("- %s: %s\n", md(Text(lang, "given", p.Name)), code(given(lang, c)))
	}
	told := clean(s.told(c, lang))
	line("%s\n%s%s\n", fence(told), told, fence(told))
	if c.Stderr != "" {
		text := clean(c.Stderr)
		line("%s:\n\n%s\n%s\n%s\n", Text(lang, "stderr"), fence(text), text, fence(text))
	}
	line("</details>\n")
	return b.String()
}

// cell is figures in a table.
func cell(f Figures, lang string) string {
	if f.Cases == 0 {
		return Text(lang, "dash")
	}
	if f.Cases == f.NotMeant {
		return Sign(NotMeant) + " " + fmt.Sprint(f.Cases) + " " + Text(lang, string(NotMeant))
	}
	text := Text(lang, "of", f.Passed, f.Cases)
	for _, k := range Kinds[1:] {
		if n := f.Of(k); n > 0 {
			text += fmt.Sprintf("<br>%s %d %s", Sign(k), n, Text(lang, string(k)))
		}
	}
	return text
}

// md is a text that Markdown leaves as it is.
func md(s string) string {
	var b strings.Builder
	for _, r := range clean(strings.Join(strings.Fields(s), " ")) {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@': // calls nobody
			b.WriteString("@\u200b")
		case strings.ContainsRune("\\`*_{}[]#|~", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// tag is a text within a line of HTML, where Markdown's own signs mean nothing.
func tag(s string) string {
	return strings.ReplaceAll(html.EscapeString(clean(strings.Join(strings.Fields(s), " "))), "@", "@\u200b")
}

// code is a text as code, outside of tables.
func code(s string) string {
	s = clean(strings.Join(strings.Fields(s), " "))
	if s == "" {
		return ""
	}
	marks := strings.Repeat("`", longest(s)+1)
	if len(marks) > 1 || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		return marks + " " + s + " " + marks
	}
	return marks + s + marks
}

// fence is a mark that nothing in a text can end.
func fence(s string) string { return strings.Repeat("`", max(3, longest(s)+1)) }

// longest is the longest run of grave accents in a text.
func longest(s string) int {
	most, n := 0, 0
	for _, r := range s {
		if n++; r != '`' {
			n = 0
		}
		most = max(most, n)
	}
	return most
}
