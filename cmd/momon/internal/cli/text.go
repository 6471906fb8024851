package cli

import (
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"github.com/momon-rules/momon/cmd/momon/internal/thai"
	"github.com/momon-rules/momon/interpreter"
)

// lineWidth is how wide the output is, at most: nobody reads longer lines well.
// leastWidth is the narrowest that things are laid out for.
const (
	lineWidth  = 80
	leastWidth = 30
)

// columns is how wide to lay things out: as the terminal is, or as COLUMNS says
// where the output goes elsewhere. known is false where nothing says it.
func columns(out io.Writer) (n int, known bool) {
	if f, ok := out.(*os.File); ok {
		n, _, _ = term.GetSize(int(f.Fd())) // 0 where it is no terminal
	}
	if n <= 0 {
		n, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if n <= 0 {
		return lineWidth, false
	}
	return max(leastWidth, min(n, lineWidth)), true
}

// width is how many cells a text takes at a terminal. Colours take none.
func width(s string) int {
	if strings.Contains(s, "\x1b") {
		s = colours.ReplaceAllString(s, "")
	}
	return uniseg.StringWidth(s)
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

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

// wrap breaks a text into lines of a width: at spaces, and between words that
// are written together, as in Thai. A word that is longer than a line is left
// whole, so that a name can be copied from the screen, unless it is Thai. At a
// no-break space it breaks nothing, and shows a space.
func wrap(s string, w int) []string {
	var out []string
	line, n := "", 0
	flush := func() {
		out = append(out, strings.ReplaceAll(strings.TrimRight(line, " "), "\u00a0", " "))
		line, n = "", 0
	}
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r != '\u00a0' && unicode.IsSpace(r) }) {
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
		for _, part := range thai.Pieces(word) {
			k := width(part)
			if n > 0 && n+k > w {
				flush()
			}
			if k > w && strings.ContainsFunc(part, thai.Is) {
				for i, bit := range thai.Cut(part, w, width) {
					if i > 0 {
						flush()
					}
					line += bit
					n += width(bit)
				}
				continue
			}
			line += part
			n += k
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
	for _, l := range wrap(s, a.cols-indent) {
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
	hang := width(lead)
	if a.cols < lineWidth && hang > a.cols/3 {
		hang = indent + 2 // beside the mark there is little room
	}
	if word, _, _ := strings.Cut(s, " "); hang < width(lead) && width(lead)+width(word) > a.cols {
		a.println(strings.TrimRight(lead, " "))
		for _, l := range wrap(s, a.cols-hang) {
			a.println(strings.Repeat(" ", hang) + l)
		}
		return
	}
	for i, l := range hung(s, a.cols-width(lead), a.cols-hang) {
		if i > 0 {
			lead = strings.Repeat(" ", hang)
		}
		a.println(lead + l)
	}
}

// hung is wrap with another width for the lines after the first.
func hung(s string, first, others int) []string {
	lines := wrap(s, first)
	if first == others || len(lines) < 2 {
		return lines
	}
	return append(lines[:1], wrap(strings.Join(lines[1:], " "), others)...)
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
	n := a.cols - width(s) - 4
	if n < 0 {
		for _, l := range wrap(s, a.cols) {
			a.println(a.bold(l))
		}
		return
	}
	a.println(a.dim("── ") + a.bold(s) + " " + a.dim(strings.Repeat("─", n)))
}

// marked prints a text behind a mark, with the rules that it carries out at the
// right edge; further lines stand under the text.
func (a *app) marked(mark, s string, rules []interpreter.Ref, indent int) {
	indent = min(indent, a.cols/4)
	nums := strings.Join(interpreter.RuleNumbers(rules), " ")
	lead := strings.Repeat(" ", indent)
	if a.plain {
		if nums != "" {
			s += " [" + nums + "]"
		}
		a.println(lead + mark + s)
		return
	}
	room := a.cols - indent - width(mark)
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

// fit breaks what a diagnostic or an error says into lines, beside a lead of so
// many cells. What goes to a file or to another program is left in one line.
func (a *app) fit(s string, lead int) []string {
	if a.plain || !a.fits {
		return []string{s}
	}
	return wrap(s, a.cols-lead)
}
