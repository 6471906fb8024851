// Package sheet lays cards out for print: nine poker-size cards on a page of A4,
// with marks to cut along. It knows no game: what is on a card, and where, comes
// with its face. Nothing in what it writes needs a script or a network.
package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/cmd/momon/internal/thai"
	"github.com/momon-rules/momon/interpreter"
)

// Sheet is what is to be printed.
type Sheet struct {
	Title string
	Lang  string // of the title
	Page  string // "page %d of %d"
	Faces []interpreter.Face
	Packs []interpreter.PackInfo // those that the faces can be of
}

// All lengths are millimetres, all sizes of letters points.
const (
	pageWide, pageHigh = 210.0, 297.0
	cardWide, cardHigh = 63.0, 88.0
	across, down       = 3, 3
	leftEdge           = (pageWide - across*cardWide) / 2
	topEdge            = (pageHigh - down*cardHigh) / 2
	perPage            = across * down

	inset  = 2.0 // from the cut to the frame, so that a cut may stray
	border = 1.2
	pad    = 1.6
	wide   = cardWide - 2*(inset+border+pad) // for what is on the card
	high   = cardHigh - 2*(inset+border+pad)

	point = 25.4 / 72

	disc       = 9.0 // a corner's circle
	cornerHigh = 12.6
	chipHigh   = 4.6
	chipGap    = 1.0
	rose       = 11.0 // the little grid
	roseGap    = 2.0
	rowGap     = 1.0

	titleMost, titleLeast = 11.0, 5.0
	subMost, subLeast     = 7.5, 4.0
	textMost              = 11.0 // no larger than the name
	textLeast             = 2.0
	smallest              = 5.0 // below it a text is hard to read in print
	cutWords              = 5.0 // from it on down, long words are rather broken than set smaller
	footMost, footLeast   = 6.0, 3.0
	labelMost, labelLeast = 6.0, 2.5 // below a corner
	roseMost, roseLeast   = 7.0, 3.0 // below a rosette

	marginTop             = topEdge + down*cardHigh + 5 // the line between the lower cut marks
	marginMost, marginLow = 8.0, 4.0
)

// plainTint is the colour of a card that has none of its own.
const plainTint = "#4A4A4A"

// block is a text laid out: its lines in one size.
type block struct {
	interpreter.FaceText
	said  []interpreter.FaceText // where several languages stand in one line: each
	size  float64
	lines []string
	tall  bool // letters with marks above and below
}

func (b *block) lead() float64 { return leadOf(b.tall) * b.size * point }
func (b *block) high() float64 { return float64(len(b.lines)) * b.lead() }

// leadOf is the height of a line against the size of its letters.
func leadOf(tall bool) float64 {
	if tall {
		return 1.5
	}
	return 1.28
}

// card is a face laid out.
type card struct {
	face    *interpreter.Face
	tint    string
	title   []block // the first is the name, others say it in other languages
	corners []corner
	chips   []chip
	lines   []block
	roses   []rosette
	text    []block
	foot    []block
	textTop float64 // from the top of what is on the card
}

type corner struct {
	value string
	label []interpreter.FaceText
	size  float64 // of the value
	small float64 // of the label
}

type chip struct {
	interpreter.FaceValue
	label       []interpreter.FaceText
	tint, words string
	x, wide     float64
	row         int
	size        float64
}

// rosette is a little grid that shows directions around a card.
type rosette struct {
	interpreter.FacePart
	reach int
	cells int // across
	label string
	size  float64
	says  string // all of it in words
}

// Small lists the cards whose text had to be set smaller than is well read, with
// its size in points.
func (s *Sheet) Small() []string {
	var out []string
	for i := range s.Faces {
		c := layOut(&s.Faces[i])
		for k := range c.text {
			if c.text[k].size < smallest {
				out = append(out, fmt.Sprintf("%s (%s pt)", s.Faces[i].Card, num(c.text[k].size)))
				break
			}
		}
	}
	return out
}

func (s *Sheet) pages() int { return max(1, (len(s.Faces)+perPage-1)/perPage) }

func (s *Sheet) page(n int) []interpreter.Face {
	return s.Faces[n*perPage : min(len(s.Faces), (n+1)*perPage)]
}

// margin is what stands below the cards of a page: the packs that they are of, and which
// page it is.
func (s *Sheet) margin(n int) block {
	var said []string
	for _, f := range s.page(n) {
		for _, p := range s.Packs {
			if words := p.Shown + " " + p.Version; p.Name == f.Pack && !slices.Contains(said, words) {
				said = append(said, words)
			}
		}
	}
	said = append(said, fmt.Sprintf(s.Page, n+1, s.pages()))
	t := interpreter.FaceText{Lang: s.Lang, Text: strings.Join(said, " · ")}
	return fit([]interpreter.FaceText{t}, cardWide-2, 1.5*marginMost*point, marginMost, marginLow)[0]
}

// layOut puts the parts of a face into the places of a card.
func layOut(f *interpreter.Face) *card {
	c := &card{face: f, tint: f.Tint}
	if c.tint == "" {
		c.tint = plainTint
	}
	var foot []interpreter.FacePart
	for i := range f.Parts {
		p := &f.Parts[i]
		switch p.Place {
		case "corner":
			if len(c.corners) < 2 {
				c.corners = append(c.corners, cornerOf(p))
				for k := range c.corners { // labels side by side are of one size
					c.corners[k].small = min(c.corners[0].small, c.corners[len(c.corners)-1].small)
				}
				continue
			}
			c.chip(p) // a card has two upper corners
		case "badge":
			c.chip(p)
		case "compass":
			c.roses = append(c.roses, roseOf(p))
		}
	}
	top := 0.0
	for i := range f.Parts {
		p := &f.Parts[i]
		switch p.Place {
		case "title":
			c.titles(p.Said)
		case "foot":
			foot = append(foot, *p)
		}
	}
	for i := range c.title {
		top += c.title[i].high()
	}
	if len(c.corners) > 0 {
		top = max(top, cornerHigh)
	}
	top += rowGap
	if n := len(c.chips); n > 0 {
		top += float64(c.chips[n-1].row+1)*(chipHigh+chipGap/2) + rowGap/2
	}
	for i := range f.Parts {
		if p := &f.Parts[i]; p.Place == "line" {
			b := oneLine(p.Said, 2*1.5*subMost*point, subMost, subLeast)
			c.lines = append(c.lines, b)
			top += b.high()
		}
	}
	if len(c.roses) > 0 {
		top += rowGap + rose + 3 + rowGap
		for i := range c.roses {
			r := &c.roses[i]
			room := wide/float64(len(c.roses)) - 1
			r.size = fit([]interpreter.FaceText{{Text: r.label}}, room, 3, roseMost, roseLeast)[0].size
		}
	}
	c.textTop = top
	bottom := 0.0
	for _, p := range foot {
		b := oneLine(p.Said, 3*1.5*footMost*point, footMost, footLeast)
		c.foot = append(c.foot, b)
		bottom += b.high()
	}
	var text []interpreter.FaceText
	for i := range f.Parts {
		if p := &f.Parts[i]; p.Place == "text" {
			text = append(text, p.Said...)
		}
	}
	if len(text) > 0 {
		c.text = fit(text, wide-2, high-top-bottom-2.4, textMost, textLeast)
	}
	return c
}

// oneLine lays out what is said in several languages behind each other.
func oneLine(said []interpreter.FaceText, high, most, least float64) block {
	t := interpreter.FaceText{Text: joined(said)}
	if len(said) == 1 {
		t.Lang = said[0].Lang
	}
	b := fit([]interpreter.FaceText{t}, wide, high, most, least)[0]
	b.said = said
	return b
}

func (c *card) titles(said []interpreter.FaceText) {
	room := wide - float64(len(c.corners))*(disc+1)
	for i, s := range said {
		most, least, h := titleMost, titleLeast, 2*1.28*titleMost*point
		if i > 0 || len(c.title) > 0 {
			most, least, h = subMost, subLeast, 1.5*subMost*point
		}
		c.title = append(c.title, fit([]interpreter.FaceText{s}, room, h, most, least)...)
	}
}

func cornerOf(p *interpreter.FacePart) corner {
	var values []string
	for _, v := range p.Values {
		values = append(values, joined(v.Said))
	}
	k := corner{value: strings.Join(values, " "), label: p.Said}
	k.size = fit([]interpreter.FaceText{{Text: k.value}}, disc-2.4, 14*point*1.28, 14, 3)[0].size
	k.small = fit([]interpreter.FaceText{{Text: joined(p.Said)}}, disc+2, 1.5*labelMost*point, labelMost, labelLeast)[0].size
	return k
}

// chip adds a badge for each value of a part, or for a number with its label.
func (c *card) chip(p *interpreter.FacePart) {
	for _, v := range p.Values {
		k := chip{FaceValue: v, tint: v.Colour, words: joined(v.Said), size: 7}
		if k.tint == "" {
			k.tint = plainTint
		}
		if p.Place == "corner" {
			k.label = p.Said
			k.words = joined(p.Said) + " " + k.words
		}
		if v.Symbol != "" {
			k.words = v.Symbol + " " + k.words
		}
		k.size = fit([]interpreter.FaceText{{Text: k.words}}, wide-3, chipHigh, 7, 3)[0].size
		k.wide = measure(k.words)*k.size*point + 3
		if n := len(c.chips); n > 0 {
			last := &c.chips[n-1]
			k.x, k.row = last.x+last.wide+chipGap, last.row
			if k.x+k.wide > wide {
				k.x, k.row = 0, last.row+1
			}
		}
		c.chips = append(c.chips, k)
	}
}

func roseOf(p *interpreter.FacePart) rosette {
	r := rosette{FacePart: *p, label: joined(p.Said)}
	r.reach = min(max(p.Reach, 1), 4)
	step := 1
	for _, v := range p.All {
		step = max(step, abs(v.X), abs(v.Y))
	}
	r.cells = 2*min(step*r.reach, 6) + 1
	var words []string
	for _, v := range p.Values {
		words = append(words, joined(v.Said))
	}
	r.says = r.label + ": " + strings.Join(words, ", ")
	if len(words) == 0 {
		r.says = r.label + ": –"
	}
	return r
}

// marked lists the cells of a rosette that it looks at, from the middle.
func (r *rosette) marked() []interpreter.FaceValue {
	var out []interpreter.FaceValue
	half := r.cells / 2
	for _, v := range r.Values {
		for n := 1; n <= r.reach; n++ {
			w := v
			w.X, w.Y = v.X*n, v.Y*n
			if abs(w.X) <= half && abs(w.Y) <= half {
				out = append(out, w)
			}
		}
	}
	return out
}

func abs(n int) int { return max(n, -n) }

// joined puts what is said in several languages on one line, each once.
func joined(list []interpreter.FaceText) string {
	var out []string
	for _, s := range list {
		known := false
		for _, o := range out {
			known = known || o == s.Text
		}
		if !known {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, " · ")
}

// fit lays texts out below each other in one size: the largest in which they fit
// into so much room. A size below the least is taken only where nothing else
// fits, so that a text never leaves its card.
func fit(texts []interpreter.FaceText, wide, high, most, least float64) []block {
	for size := most; ; size -= 0.25 {
		var out []block
		sum, broad := 0.0, 0.0
		for i, t := range texts {
			b := block{FaceText: t, size: size, tall: strings.ContainsFunc(t.Text, thai.Is)}
			for k, par := range strings.Split(t.Text, "\n") {
				if k > 0 {
					sum += parGap(size)
				}
				lines, w := wrap(par, wide/(size*point), size <= cutWords)
				b.lines = append(b.lines, lines...)
				broad = max(broad, w*size*point)
			}
			if i > 0 {
				sum += languageGap
			}
			sum += b.high()
			out = append(out, b)
		}
		if sum <= high && (broad <= wide || size <= cutWords) || size <= 0.25 {
			return out
		}
		if size-0.25 < least && least > textLeast {
			least = textLeast // better small than cut off
		}
	}
}

const languageGap = 2.0

func parGap(size float64) float64 { return 0.35 * size * point }

// wrap breaks a text into lines of so many widths of an m, and tells how wide the
// widest is. With cut, words that are longer than a line are broken too.
func wrap(s string, room float64, cut bool) (out []string, broad float64) {
	line, n := "", 0.0
	put := func(part string, gap float64) {
		k := measure(part)
		if line != "" && n+gap+k > room {
			out, line, n = append(out, line), "", 0
			gap = 0
		}
		if line == "" {
			gap = 0
		}
		if gap > 0 {
			line += " "
		}
		line += part
		n += gap + k
		broad = max(broad, n)
	}
	for _, word := range strings.Fields(s) {
		for i, part := range thai.Pieces(word) {
			gap := 0.0
			if i == 0 {
				gap = measure(" ")
			}
			for k, bit := range bits(part, room, cut) {
				if k > 0 {
					gap = 0
				}
				put(bit, gap)
			}
		}
	}
	if line != "" || len(out) == 0 {
		out = append(out, line)
	}
	return out, broad
}

// bits cuts a word that fits on no line into parts that do.
func bits(s string, room float64, cut bool) []string {
	if !cut || measure(s) <= room {
		return []string{s}
	}
	var out []string
	bit, n := "", 0.0
	for _, r := range s {
		if k := wideOf(r); n+k > room && bit != "" && k > 0 && !thai.Follows(r) {
			out, bit, n = append(out, bit), "", 0
		}
		bit += string(r)
		n += wideOf(r)
	}
	return append(out, bit)
}

// measure is how wide a text is against the size of its letters, in no font in
// particular: a little more than in the wide ones that are common.
func measure(s string) float64 {
	n := 0.0
	for _, r := range s {
		n += wideOf(r)
	}
	return n
}

func wideOf(r rune) float64 {
	switch {
	case thai.Is(r):
		if thai.Over(r) {
			return 0
		}
		switch {
		case strings.ContainsRune("เโใไ", r):
			return 0.42
		case strings.ContainsRune("ะาำรวงฯ", r):
			return 0.54
		case strings.ContainsRune("ญณฌฒ", r):
			return 0.92
		}
		return 0.66
	case strings.ContainsRune("iljI.,;:'|!()[]ft ’", r):
		return 0.36
	case strings.ContainsRune("mwMW@%—", r):
		return 0.92
	case r >= 'A' && r <= 'Z':
		return 0.7
	case r < 0x250:
		return 0.6
	}
	return 1
}

// contrast is the colour for letters on a ground: black or white, whichever is
// told from it better. One of the two always has the contrast that small letters
// need.
func contrast(ground string) string {
	if l := luminance(ground); (l+0.05)/0.05 > 1.05/(l+0.05) {
		return "#000000"
	}
	return "#FFFFFF"
}

// luminance is that of WCAG, with the curve of sRGB taken as a square of 2.2.
func luminance(colour string) float64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil {
		return 0
	}
	part := func(shift uint) float64 {
		c := float64(n>>shift&255) / 255
		return c * c * (0.8 + 0.2*c) // close to c^2.2, and the same on every machine
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// num writes a length without digits that nobody sees.
func num(f float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

// symbol keeps a symbol from being shown as a coloured picture.
func symbol(s string) string {
	if len([]rune(s)) == 1 {
		return s + "\ufe0e"
	}
	return s
}
