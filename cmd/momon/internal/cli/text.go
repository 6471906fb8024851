package cli

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/momon-rules/momon/interpreter"
)

const lineWidth = 80

// width is how many cells a text takes at a terminal.
func width(s string) int { return uniseg.StringWidth(s) }

// pad fills a text with spaces to a width.
func pad(s string, w int) string {
	if n := w - width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// cut shortens a text to a width; what is left out shows as an ellipsis.
func cut(s string, w int) string {
	if width(s) <= w {
		return s
	}
	var b strings.Builder
	n := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		c := g.Str()
		if n += width(c); n > w-1 {
			break
		}
		b.WriteString(c)
	}
	return b.String() + "…"
}

// wrap breaks a text into lines of a width: at spaces where it can, else between
// the clusters that a person sees as one character.
func wrap(s string, w int) []string {
	var out []string
	line, n := "", 0
	flush := func() {
		out = append(out, strings.TrimRight(line, " "))
		line, n = "", 0
	}
	for _, word := range strings.Fields(s) {
		k := width(word)
		if n > 0 && n+1+k > w {
			flush()
		}
		if n > 0 {
			line += " "
			n++
		}
		if k <= w {
			line += word
			n += k
			continue
		}
		for g := uniseg.NewGraphemes(word); g.Next(); {
			c := g.Str()
			if cw := width(c); n+cw > w {
				flush()
			}
			line += c
			n += width(c)
		}
	}
	if n > 0 || len(out) == 0 {
		flush()
	}
	return out
}

// para prints a text wrapped and indented.
func (a *app) para(s string, indent int) {
	lead := strings.Repeat(" ", indent)
	if a.plain {
		a.println(lead + s)
		return
	}
	for _, l := range wrap(s, lineWidth-indent) {
		a.println(lead + l)
	}
}

// item prints a text behind a mark; its further lines stand under the text.
func (a *app) item(mark, s string, indent int) {
	lead := strings.Repeat(" ", indent) + mark
	if a.plain {
		a.println(lead + s)
		return
	}
	for i, l := range wrap(s, lineWidth-width(lead)) {
		if i > 0 {
			lead = strings.Repeat(" ", width(lead))
		}
		a.println(lead + l)
	}
}

func (a *app) paint(code, s string) string {
	if !a.color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (a *app) bold(s string) string { return a.paint("1", s) }
func (a *app) dim(s string) string  { return a.paint("2", s) }

// heading prints a line that a part begins with.
func (a *app) heading(s string) {
	if a.plain {
		a.println(s)
		return
	}
	n := max(0, lineWidth-width(s)-4)
	a.println(a.dim("── ") + a.bold(s) + " " + a.dim(strings.Repeat("─", n)))
}

// marked prints a text behind a mark, with the rules that it carries out at the
// right edge; further lines stand under the text.
func (a *app) marked(mark, s string, rules []interpreter.Ref, indent int) {
	nums := strings.Join(interpreter.RuleNumbers(rules), " ")
	lead := strings.Repeat(" ", indent)
	if a.plain {
		if nums != "" {
			s += " [" + nums + "]"
		}
		a.println(lead + mark + s)
		return
	}
	room := lineWidth - indent - width(mark)
	if nums != "" {
		room -= width(nums) + 2
	}
	lines := wrap(s, room)
	for i, l := range lines {
		if i == 0 && nums != "" {
			l = pad(l, room) + "  " + a.dim(nums)
		} else if i > 0 && mark == "" {
			l = "  " + l
		}
		if i > 0 {
			mark = strings.Repeat(" ", width(mark))
		}
		a.println(lead + mark + l)
	}
}
