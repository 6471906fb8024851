package report

import (
	"fmt"
	"html"
	"io"

	"github.com/rivo/uniseg"

	"github.com/momon-rules/momon/conformance/runner"
)

// badge is what a badge says, and its colour: white letters on it can be read.
func badge(r *runner.Report, lang string) (label, message, colour string) {
	label = Text(lang, "badge-label") + " " + r.Header.Edition
	s := StandingOf(r)
	f := Count(r, ofStatus(runner.Normative))
	switch {
	case !r.Footer.Complete:
		return label, Text(lang, "badge-incomplete"), "#6a6a6a"
	case s.Level == Full:
		return label, Text(lang, "badge-full"), "#1e7a34"
	case s.Level == FullReasons:
		return label, Text(lang, "badge-full-with-reasons"), "#2a6a8c"
	case s.Level == Core:
		return label, Text(lang, "badge-core"), "#7a6100"
	}
	return label, Text(lang, "badge-none", f.Passed, r.Header.OfStatus(runner.Normative)), "#a8322a"
}

// Badge writes the level of a program as a small SVG picture. Below the levels it
// tells how many of all normative cases passed.
func Badge(w io.Writer, r *runner.Report, lang string) error {
	label, message, colour := badge(r, lang)
	const high, edge = 20, 6
	left, right := wide(label)+2*edge, wide(message)+2*edge
	all := html.EscapeString(label + ": " + message)
	text := func(x, n int, s string) string {
		return fmt.Sprintf(`<text x="%d" y="14" textLength="%d" lengthAdjust="spacingAndGlyphs">%s</text>`, x, n, html.EscapeString(s))
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%[3]s" xml:lang="%[4]s">
<!-- momon conformance report -->
<title>%[3]s</title>
<clipPath id="r"><rect width="%[1]d" height="%[2]d" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="%[5]d" height="%[2]d" fill="#3c3c3c"/><rect x="%[5]d" width="%[6]d" height="%[2]d" fill="%[7]s"/></g>
<g fill="#ffffff" font-family="Verdana,'DejaVu Sans','Noto Sans Thai',sans-serif" font-size="11" aria-hidden="true">
%[8]s
%[9]s
</g>
</svg>
`, left+right, high, all, html.EscapeString(lang), left, right, colour, text(edge, left-2*edge, label), text(left+edge, right-2*edge, message))
	return err
}

// wide is about how wide a text is in the letters of a badge, in pixels. The
// picture names its width too, so that other letters fit as well.
func wide(s string) int { return (uniseg.StringWidth(s)*13 + 1) / 2 }

// Endpoint writes what the badge says as JSON, for services that draw badges: the
// endpoint form of shields.io.
func Endpoint(w io.Writer, r *runner.Report, lang string) error {
	label, message, colour := badge(r, lang)
	return encode(w, struct {
		Schema  int    `json:"schemaVersion"`
		Label   string `json:"label"`
		Message string `json:"message"`
		Colour  string `json:"color"`
	}{1, label, message, colour})
}
