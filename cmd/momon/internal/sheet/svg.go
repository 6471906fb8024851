package sheet

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// maker is how a sheet names what has made it.
const maker = "momon cards sheet"

// Made reports whether a file is one that this package has written, so that another
// may take its place.
func Made(data []byte) bool {
	head, _, _ := bytes.Cut(data, []byte("<style>"))
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head, []byte(maker))
}

// SVG writes the sheet as one drawing, its pages below each other.
func (s *Sheet) SVG(w io.Writer) error {
	var b strings.Builder
	h := pageHigh * float64(s.pages())
	fmt.Fprintf(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" xml:lang=\"%s\" width=\"%smm\" height=\"%smm\" viewBox=\"0 0 %s %s\" role=\"group\" aria-labelledby=\"sheet\">\n<!-- "+maker+" -->\n",
		esc(s.Lang), num(pageWide), num(h), num(pageWide), num(h))
	fmt.Fprintf(&b, "<title id=\"sheet\">%s</title>\n<style>text{font-family:%s}</style>\n<rect width=\"%s\" height=\"%s\" fill=\"#FFFFFF\"/>\n", esc(s.Title), fonts, num(pageWide), num(h))
	id := 0
	for n := range s.pages() {
		top := pageHigh * float64(n)
		fmt.Fprintf(&b, "<g role=\"group\" aria-label=\"%s\">\n", esc(fmt.Sprintf(s.Page, n+1, s.pages())))
		cutMarks(&b, " aria-hidden=\"true\"", top)
		list := s.page(n)
		for i := range list {
			id++
			x, y := place(i)
			layOut(&list[i]).svg(&b, id, x, top+y)
		}
		m := s.margin(n)
		m.put(&b, pageWide/2, top+marginTop-m.high()/2, middle)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// cutMarks draws the lines to cut along, outside of the cards. With no attributes
// it makes a drawing of its own.
func cutMarks(b *strings.Builder, attrs string, top float64) {
	own := attrs == ""
	if own {
		fmt.Fprintf(b, "<svg class=\"cuts\" aria-hidden=\"true\" viewBox=\"0 0 %s %s\">", num(pageWide), num(pageHigh))
	}
	var d strings.Builder
	const gap, long = 1.0, 6.0
	for i := range across + 1 {
		x := leftEdge + float64(i)*cardWide
		for _, y := range []float64{topEdge - gap - long, topEdge + down*cardHigh + gap} {
			fmt.Fprintf(&d, "M%s %sv%s", num(x), num(top+y), num(long))
		}
	}
	for i := range down + 1 {
		y := topEdge + float64(i)*cardHigh
		for _, x := range []float64{leftEdge - gap - long, leftEdge + across*cardWide + gap} {
			fmt.Fprintf(&d, "M%s %sh%s", num(x), num(top+y), num(long))
		}
	}
	fmt.Fprintf(b, "<path%s d=\"%s\" stroke=\"#000000\" stroke-width=\"0.15\" fill=\"none\"/>", attrs, d.String())
	if own {
		b.WriteString("</svg>")
	}
	b.WriteString("\n")
}

// line writes one line of text.
func line(b *strings.Builder, x, y, size float64, lang, more, s string) {
	if lang != "" {
		more += fmt.Sprintf(" xml:lang=\"%s\"", esc(lang))
	}
	fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" font-size=\"%s\"%s>%s</text>\n", num(x), num(y), num(size*point), more, esc(s))
}

// put writes the lines of a block from a height down, and returns where it ends.
func (t *block) put(b *strings.Builder, x, y float64, more string) float64 {
	for _, l := range t.lines {
		line(b, x, y+0.74*t.lead(), t.size, t.Lang, more, l)
		y += t.lead()
	}
	return y
}

const middle = ` text-anchor="middle"`

func (c *card) svg(b *strings.Builder, id int, x, y float64) {
	name := c.face.Card
	if len(c.title) > 0 {
		name = c.title[0].Text
	}
	fmt.Fprintf(b, "<g role=\"group\" aria-labelledby=\"c%d\" transform=\"translate(%s %s)\">\n<title id=\"c%d\">%s</title>\n", id, num(x), num(y), id, esc(name))
	fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"3\" fill=\"#FFFFFF\" stroke=\"%s\" stroke-width=\"%s\"/>\n",
		num(inset+border/2), num(inset+border/2), num(cardWide-2*inset-border), num(cardHigh-2*inset-border), esc(c.tint), num(border))
	left := inset + border + pad
	top := left
	for i := range c.corners {
		k := &c.corners[i]
		cx := left + disc/2
		if i == 1 {
			cx = left + wide - disc/2
		}
		fmt.Fprintf(b, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"#FFFFFF\" stroke=\"%s\" stroke-width=\"0.5\"/>\n", num(cx), num(top+disc/2), num(disc/2-0.25), esc(c.tint))
		line(b, cx, top+disc/2+0.36*k.size*point, k.size, "", middle+` font-weight="700"`, k.value)
		line(b, cx, top+disc+1.9, k.small, "", middle, joined(k.label))
	}
	center := left + wide/2
	if len(c.corners) == 1 {
		center += disc / 2
	}
	ty := top
	for i := range c.title {
		more := middle
		if i == 0 {
			more += ` font-weight="700"`
		}
		ty = c.title[i].put(b, center, ty, more)
	}
	if len(c.corners) > 0 {
		ty = max(ty, top+cornerHigh)
	}
	ty += rowGap
	for i := range c.chips {
		k := &c.chips[i]
		cy := ty + float64(k.row)*(chipHigh+chipGap/2)
		fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\" fill=\"%s\"/>\n", num(left+k.x), num(cy), num(k.wide), num(chipHigh), num(chipHigh/2), esc(k.tint))
		words := k.words
		if k.Symbol != "" {
			words = symbol(k.Symbol) + strings.TrimPrefix(words, k.Symbol)
		}
		line(b, left+k.x+k.wide/2, cy+chipHigh/2+0.35*k.size*point, k.size, "", fmt.Sprintf(`%s font-weight="600" fill="%s"`, middle, contrast(k.tint)), words)
	}
	if n := len(c.chips); n > 0 {
		ty += float64(c.chips[n-1].row+1)*(chipHigh+chipGap/2) + rowGap/2
	}
	for i := range c.lines {
		ty = c.lines[i].put(b, left, ty, "")
	}
	if n := len(c.roses); n > 0 {
		ty += rowGap
		for i := range c.roses {
			r := &c.roses[i]
			mid := left + wide*(float64(i)+0.5)/float64(n)
			r.svg(b, mid-rose/2, ty, c.tint, false)
			line(b, mid, ty+rose+2.2, r.size, "", middle+` aria-hidden="true"`, r.label)
		}
	}
	foot := inset + border + pad + high
	for i := range c.foot {
		foot -= c.foot[i].high()
	}
	c.svgText(b, left, top+c.textTop, foot)
	for i := range c.foot {
		foot = c.foot[i].put(b, left, foot, ` fill="#333333"`)
	}
	b.WriteString("</g>\n")
}

// svgText writes the text into its box, in the middle of its height.
func (c *card) svgText(b *strings.Builder, left, top, bottom float64) {
	if len(c.text) == 0 {
		return
	}
	fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"1\" fill=\"#F6F4EF\"/>\n", num(left), num(top), num(wide), num(bottom-0.4-top))
	sum := 0.0
	for i := range c.text {
		sum += c.text[i].high() + parGap(c.text[i].size)*float64(strings.Count(c.text[i].Text, "\n"))
		if i > 0 {
			sum += languageGap
		}
	}
	y := top + (bottom-0.4-top-sum)/2
	for i := range c.text {
		t := &c.text[i]
		if i > 0 {
			y += languageGap
			fmt.Fprintf(b, "<path d=\"M%s %sh%s\" stroke=\"#777777\" stroke-width=\"0.1\"/>\n", num(left+1), num(y-languageGap/2), num(wide-2))
		}
		at := 0
		for k, par := range strings.Split(t.Text, "\n") {
			if k > 0 {
				y += parGap(t.size)
			}
			lines, _ := wrap(par, (wide-2)/(t.size*point), t.size <= cutWords)
			one := block{FaceText: t.FaceText, size: t.size, tall: t.tall, lines: t.lines[at : at+len(lines)]}
			y = one.put(b, left+1, y, "")
			at += len(lines)
		}
	}
}

// svg draws a rosette: the card in the middle, and what it shows around it.
func (r *rosette) svg(b *strings.Builder, x, y float64, tint string, own bool) {
	cell := rose / float64(r.cells)
	half := r.cells / 2
	if own {
		fmt.Fprintf(b, "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %s %s\">", esc(r.says), num(rose), num(rose))
	} else {
		fmt.Fprintf(b, "<g role=\"img\" aria-label=\"%s\" transform=\"translate(%s %s)\">", esc(r.says), num(x), num(y))
	}
	var grid strings.Builder
	for i := range r.cells + 1 {
		at := num(float64(i) * cell)
		fmt.Fprintf(&grid, "M%s 0v%sM0 %sh%s", at, num(rose), at, num(rose))
	}
	fmt.Fprintf(b, "<path d=\"%s\" stroke=\"#999999\" stroke-width=\"0.15\" fill=\"none\"/>", grid.String())
	fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\"/>", num(float64(half)*cell+cell*0.12), num(float64(half)*cell+cell*0.12), num(cell*0.76), num(cell*0.76), esc(tint))
	for _, v := range r.marked() {
		cx, cy := (float64(half+v.X)+0.5)*cell, (float64(half+v.Y)+0.5)*cell
		mark := r.Symbol
		if mark == "" {
			mark = v.Symbol
		}
		if mark == "" {
			arrow(b, cx, cy, v.X, v.Y, cell*0.36)
			continue
		}
		fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" font-size=\"%s\" text-anchor=\"middle\">%s</text>", num(cx), num(cy+cell*0.26), num(cell*0.75), esc(symbol(mark)))
	}
	if own {
		b.WriteString("</svg>")
	} else {
		b.WriteString("</g>\n")
	}
}

// arrow draws an arrow that points along a step.
func arrow(b *strings.Builder, cx, cy float64, dx, dy int, r float64) {
	n := max(1, abs(dx), abs(dy))
	ux, uy := float64(dx)/float64(n), float64(dy)/float64(n)
	at := func(along, aside float64) string {
		return num(cx+r*(along*ux-aside*uy)) + " " + num(cy+r*(along*uy+aside*ux))
	}
	fmt.Fprintf(b, "<path d=\"M%sL%sL%sL%sL%sL%sL%sz\" fill=\"#000000\"/>", at(1, 0), at(0, 0.95), at(0, 0.35), at(-1, 0.35), at(-1, -0.35), at(0, -0.35), at(0, -0.95))
}
