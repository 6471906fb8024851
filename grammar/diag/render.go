package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/momon-rules/momon/grammar/source"
)

// Text writes diagnostics for people, each with the line it speaks of and a mark
// under the place. color adds ANSI colours; nothing is said by colour alone.
func Text(w io.Writer, diags []*Diagnostic, lang string, color bool) error {
	return TextFitted(w, diags, lang, color, nil)
}

// TextFitted is Text where fit breaks what is said into lines of at most so many
// cells as remain beside a lead. A nil fit breaks nothing. Lines of rule files
// stand as they are.
func TextFitted(w io.Writer, diags []*Diagnostic, lang string, color bool, fit func(text string, lead int) []string) error {
	if fit == nil {
		fit = func(text string, _ int) []string { return []string{text} }
	}
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	var b strings.Builder
	for i, d := range diags {
		if i > 0 {
			b.WriteByte('\n')
		}
		tint := map[Severity]string{Error: "1;31", Warning: "1;33", Note: "1;36"}[d.Severity]
		head := term(d.Severity.String(), lang) + "[" + d.Code + "]: "
		for k, l := range fit(head+Message(d, lang), 0) {
			if rest, ok := strings.CutPrefix(l, strings.TrimSpace(head)); k == 0 && ok {
				rest = strings.TrimPrefix(rest, " ")
				b.WriteString(paint(tint, head[:len(head)-2]) + ": " + paint("1", rest) + "\n")
				continue
			}
			b.WriteString(paint("1", l) + "\n")
		}
		gutter := ""
		if f := d.Span.File; f != nil {
			line := f.Line(d.Span.Start)
			gutter = strings.Repeat(" ", len(strconv.Itoa(line)))
			fmt.Fprintf(&b, "%s%s %s:%d:%d\n", gutter, paint("34", "-->"), Printable(f.Name), line, f.Column(d.Span.Start))
			if !binary(f.LineText(line)) {
				text, mark := underline(f, line, d.Span)
				fmt.Fprintf(&b, "%s %s\n", gutter, paint("34", "|"))
				fmt.Fprintf(&b, "%s %s %s\n", paint("34", strconv.Itoa(line)), paint("34", "|"), text)
				lead := strings.TrimRight(mark, "^")
				fmt.Fprintf(&b, "%s %s %s%s\n", gutter, paint("34", "|"), lead, paint(tint, mark[len(lead):]))
			}
		}
		if todo := Todo(d, lang); todo != "" {
			lead := term("help", lang) + ": "
			for k, l := range fit(todo, len(gutter)+3+cellsOf(lead)) {
				if k == 0 {
					fmt.Fprintf(&b, "%s %s %s%s\n", gutter, paint("34", "="), lead, l)
					continue
				}
				fmt.Fprintf(&b, "%s   %*s%s\n", gutter, cellsOf(lead), "", l)
			}
		}
		if a := d.Accepted; a != nil {
			fmt.Fprintf(&b, "%s %s %s: %s\n", gutter, paint("34", "="), term("accepted", lang), printable(a.Reason))
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "%s %s %s: %s", gutter, paint("34", "="), term("note", lang), term(r.Label, lang))
			if f := r.Span.File; f != nil {
				fmt.Fprintf(&b, " %s:%d:%d", Printable(f.Name), f.Line(r.Span.Start), f.Column(r.Span.Start))
			}
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String returns the severity's English word.
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error"
}

// longLine is how many bytes of a line are shown at most.
const longLine = 200

// binary reports whether a line is not text at all, so that showing it says nothing.
func binary(line string) bool {
	return !utf8.ValidString(line) && strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' })
}

// underline returns the line as a terminal may show it, and the marks below it.
func underline(f *source.File, line int, s source.Span) (text, mark string) {
	raw := f.LineText(line)
	start := min(s.Start-f.LineStart(line), len(raw))
	stop := min(max(s.End-f.LineStart(line), start), len(raw))
	var t, m strings.Builder
	from, to := 0, len(raw)
	if to > longLine {
		// Show the part around the place.
		from = max(0, start-longLine/3)
		for from > 0 && from < len(raw) && !utf8.RuneStart(raw[from]) {
			from--
		}
		to = min(len(raw), from+longLine)
		for to < len(raw) && !utf8.RuneStart(raw[to]) {
			to++
		}
		stop = min(stop, to)
	}
	if from > 0 {
		t.WriteString("…")
		m.WriteByte(' ')
	}
	carets := 0
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(raw[i:])
		shown := shownRune(r, n)
		t.WriteString(shown)
		switch cells := cellsOf(shown); {
		case i < start && r == '\t':
			m.WriteByte('\t')
		case i < start:
			m.WriteString(strings.Repeat(" ", cells))
		case i < stop:
			carets += cells
		}
		i += n
	}
	if to < len(raw) {
		t.WriteString("…")
	}
	m.WriteString(strings.Repeat("^", max(carets, 1)))
	return t.String(), m.String()
}

// shownRune returns what is shown for a character: itself, or a sign in place of
// one that would command the terminal or show nothing.
func shownRune(r rune, n int) string {
	if r == utf8.RuneError && n <= 1 || r != '\t' && hides(r) {
		return "\uFFFD"
	}
	return string(r)
}

func hides(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x00ad || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029
}

// printable makes a value safe to show inside a message.
func printable(s string) string {
	for _, r := range s {
		if r == utf8.RuneError || hides(r) && r != '\n' {
			var b strings.Builder
			for i := 0; i < len(s); {
				r, n := utf8.DecodeRuneInString(s[i:])
				b.WriteString(shownRune(r, n))
				i += n
			}
			return b.String()
		}
	}
	return s
}

// Printable makes a text safe to show at a terminal: what would command the
// terminal or show nothing becomes a sign.
func Printable(s string) string { return strings.ReplaceAll(printable(s), "\n", "\uFFFD") }

// Cells returns how many terminal cells a text takes: Thai vowels and tone marks
// above and below take none, East Asian wide characters two, a tab one.
func Cells(s string) int { return cellsOf(s) }

func cellsOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			n++
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), unicode.Is(unicode.Cf, r):
		default:
			n++
			if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
				n++
			}
		}
	}
	return n
}

type place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in code points
	Start  int    `json:"start"`  // in bytes, from 0
	End    int    `json:"end"`
}

type report struct {
	Code     string      `json:"code"`
	Stage    string      `json:"stage,omitempty"` // of an error: where reading ends
	Severity string      `json:"severity"`
	Message  string      `json:"message"`
	Todo     string      `json:"todo,omitempty"`
	Place    *place      `json:"place,omitempty"`
	Values   [][2]string `json:"values,omitempty"` // name and value, in order
	Near     string      `json:"near,omitempty"`
	Related  []related   `json:"related,omitempty"`
	Fix      *fix        `json:"fix,omitempty"`
	Accepted *accepted   `json:"accepted,omitempty"` // the data says why it may stay
}

type accepted struct {
	Reason string `json:"reason"`
	Place  *place `json:"place,omitempty"`
}

type related struct {
	Label   string `json:"label"`
	Message string `json:"message"`
	Place   *place `json:"place,omitempty"`
}

type fix struct {
	Place *place `json:"place"`
	Text  string `json:"text"`
}

func placeOf(s source.Span) *place {
	if s.File == nil {
		return nil
	}
	return &place{s.File.Name, s.File.Line(s.Start), s.File.Column(s.Start), s.Start, s.End}
}

// JSON writes diagnostics as an array of objects, for programs.
func JSON(w io.Writer, diags []*Diagnostic, lang string) error {
	out := make([]report, 0, len(diags))
	for _, d := range diags {
		r := report{Code: d.Code, Severity: d.Severity.String(), Message: Message(d, lang), Todo: Todo(d, lang), Place: placeOf(d.Span), Near: d.Near}
		if d.Severity == Error {
			r.Stage = Stage(d.Code)
		}
		for i := 0; i+1 < len(d.Values); i += 2 {
			r.Values = append(r.Values, [2]string{d.Values[i], d.Values[i+1]})
		}
		for _, x := range d.Related {
			r.Related = append(r.Related, related{x.Label, term(x.Label, lang), placeOf(x.Span)})
		}
		if d.Fix != nil {
			r.Fix = &fix{placeOf(d.Fix.Span), d.Fix.Text}
		}
		if d.Accepted != nil {
			r.Accepted = &accepted{d.Accepted.Reason, placeOf(d.Accepted.Span)}
		}
		out = append(out, r)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
