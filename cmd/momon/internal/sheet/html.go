package sheet

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/momon-rules/momon/interpreter"
)

// fonts are those that are common and have Thai letters, then any.
const fonts = `"Noto Sans","Noto Sans Thai","Sarabun","Leelawadee UI","Thonburi","Loma","Tahoma","Segoe UI","Helvetica Neue",Arial,sans-serif`

var esc = html.EscapeString

// HTML writes the sheet as a page for browsers, which can print it.
func (s *Sheet) HTML(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n", esc(s.Lang))
	fmt.Fprintf(&b, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\""+maker+"\">\n<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n", esc(s.Title), style(), esc(s.Title))
	id := 0
	for n := range s.pages() {
		fmt.Fprintf(&b, "<section class=\"page\" aria-label=\"%s\">\n", esc(fmt.Sprintf(s.Page, n+1, s.pages())))
		cutMarks(&b, "", 0)
		list := s.page(n)
		for i := range list {
			id++
			x, y := place(i)
			layOut(&list[i]).html(&b, id, x, y)
		}
		m := s.margin(n)
		fmt.Fprintf(&b, "<p class=\"margin\"><span%s>%s</span></p>\n", m.attrs(), esc(m.Text))
		b.WriteString("</section>\n")
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// place is the corner of the nth card of a page.
func place(i int) (x, y float64) {
	return leftEdge + float64(i%across)*cardWide, topEdge + float64(i/across)*cardHigh
}

func style() string {
	return strings.NewReplacer("@wide@", num(pageWide), "@high@", num(pageHigh), "@cw@", num(cardWide), "@ch@", num(cardHigh),
		"@inset@", num(inset), "@border@", num(border), "@pad@", num(pad), "@fonts@", fonts, "@disc@", num(disc), "@chip@", num(chipHigh),
		"@rose@", num(rose), "@gap@", num(rowGap), "@corner@", num(cornerHigh), "@line@", num(marginTop), "@side@", num((pageWide-cardWide)/2)).Replace(`@page{size:A4;margin:0}
*{box-sizing:border-box;margin:0;padding:0}
html{font-family:@fonts@;color:#000;background:#E4E4E4;-webkit-print-color-adjust:exact;print-color-adjust:exact}
h1{font-size:16pt;margin:6mm auto 2mm;width:@wide@mm;max-width:100%;padding:0 4mm}
.page{position:relative;width:@wide@mm;height:@high@mm;margin:4mm auto;background:#FFF;overflow:hidden;break-after:page}
.page:last-child{break-after:auto}
.cuts{position:absolute;left:0;top:0;width:@wide@mm;height:@high@mm}
.card{position:absolute;width:@cw@mm;height:@ch@mm;padding:@inset@mm;background:#FFF;line-height:1.28;overflow-wrap:anywhere}
.frame{height:100%;border:@border@mm solid var(--tint);border-radius:3mm;padding:@pad@mm;display:flex;flex-direction:column;overflow:hidden}
.tall{line-height:1.5}
header{display:flex;justify-content:space-between;align-items:flex-start;gap:1mm;margin-bottom:@gap@mm}
.names{flex:1;text-align:center;min-width:0}
h2{font-weight:700}
.corner{flex:none;width:@disc@mm;height:@corner@mm;text-align:center;white-space:nowrap}
.corner b{display:flex;align-items:center;justify-content:center;width:@disc@mm;height:@disc@mm;border-radius:50%;border:.5mm solid var(--tint);line-height:1}
.corner i{display:block;margin:.3mm -1.2mm 0;line-height:1.3}
i{font-style:normal}
.chips{display:flex;flex-wrap:wrap;gap:.5mm 1mm;list-style:none;margin-bottom:calc(@gap@mm / 2)}
.chips li{height:@chip@mm;line-height:@chip@mm;border-radius:@chip@mm;padding:0 1.5mm;font-weight:600;white-space:nowrap}
.roses{display:flex;justify-content:space-around;margin:@gap@mm 0}
.roses figure{text-align:center}
.roses svg{display:block;width:@rose@mm;height:@rose@mm;margin:0 auto;overflow:visible}
.roses figcaption{height:3mm;line-height:3mm;white-space:nowrap}
.text{flex:1;min-height:0;background:#F6F4EF;border-radius:1mm;padding:1mm;display:flex;flex-direction:column;justify-content:center}
.none{background:none}
.text p+p{margin-top:.35em}
.text div+div{margin-top:1mm;padding-top:.9mm;border-top:.1mm solid #777}
footer{margin-top:.4mm;color:#333}
.margin{position:absolute;left:@side@mm;width:@cw@mm;top:calc(@line@mm - 4mm);height:8mm;display:flex;align-items:center;justify-content:center;text-align:center}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{html{background:#FFF}h1{display:none}.page{margin:0}}
@media screen and (max-width:@wide@mm){.page{width:auto;height:auto;display:flex;flex-wrap:wrap;justify-content:center;gap:2mm;padding:2mm 0}.card,.margin{position:static}.cuts{display:none}}
`)
}

func (c *card) html(b *strings.Builder, id int, x, y float64) {
	fmt.Fprintf(b, "<article class=\"card\" style=\"left:%smm;top:%smm;--tint:%s\" aria-labelledby=\"c%d\"><div class=\"frame\">\n<header>", num(x), num(y), esc(c.tint), id)
	if len(c.corners) > 0 {
		c.corners[0].html(b)
	}
	b.WriteString("<div class=\"names\">")
	for i := range c.title {
		t := &c.title[i]
		if i == 0 {
			fmt.Fprintf(b, "<h2 id=\"c%d\"%s>%s</h2>", id, t.attrs(), esc(t.Text))
		} else {
			fmt.Fprintf(b, "<p%s>%s</p>", t.attrs(), esc(t.Text))
		}
	}
	if len(c.title) == 0 { // the card still has a name for who does not see it
		fmt.Fprintf(b, "<h2 id=\"c%d\" class=\"unseen\">%s</h2>", id, esc(c.face.Card))
	}
	b.WriteString("</div>")
	if len(c.corners) > 1 {
		c.corners[1].html(b)
	}
	b.WriteString("</header>\n")
	if len(c.chips) > 0 {
		b.WriteString("<ul class=\"chips\">")
		for _, k := range c.chips {
			fmt.Fprintf(b, "<li style=\"background:%s;color:%s;font-size:%spt\">%s</li>", esc(k.tint), contrast(k.tint), num(k.size), k.html())
		}
		b.WriteString("</ul>\n")
	}
	for i := range c.lines {
		fmt.Fprintf(b, "<p%s>%s</p>\n", c.lines[i].attrs(), spoken(c.lines[i].said))
	}
	if len(c.roses) > 0 {
		b.WriteString("<div class=\"roses\">")
		for i := range c.roses {
			r := &c.roses[i]
			fmt.Fprintf(b, "<figure>")
			r.svg(b, 0, 0, c.tint, true)
			fmt.Fprintf(b, "<figcaption aria-hidden=\"true\" style=\"font-size:%spt\">%s</figcaption></figure>", num(r.size), esc(r.label))
		}
		b.WriteString("</div>\n")
	}
	b.WriteString("<div class=\"text" + map[bool]string{true: " none"}[len(c.text) == 0] + "\">")
	for i := range c.text {
		t := &c.text[i]
		fmt.Fprintf(b, "<div%s>", t.attrs())
		for _, par := range strings.Split(t.Text, "\n") {
			fmt.Fprintf(b, "<p>%s</p>", esc(par))
		}
		b.WriteString("</div>")
	}
	b.WriteString("</div>\n")
	if len(c.foot) > 0 {
		b.WriteString("<footer>")
		for i := range c.foot {
			fmt.Fprintf(b, "<p%s>%s</p>", c.foot[i].attrs(), spoken(c.foot[i].said))
		}
		b.WriteString("</footer>\n")
	}
	b.WriteString("</div></article>\n")
}

// attrs are a block's language, size and kind of letters.
func (b *block) attrs() string {
	out := ""
	if b.Lang != "" {
		out += fmt.Sprintf(" lang=\"%s\"", esc(b.Lang))
	}
	if b.tall {
		out += " class=\"tall\""
	}
	return out + fmt.Sprintf(" style=\"font-size:%spt\"", num(b.size))
}

func (k *corner) html(b *strings.Builder) {
	fmt.Fprintf(b, "<p class=\"corner\"><b style=\"font-size:%spt\">%s</b><i style=\"font-size:%spt\">%s</i></p>", num(k.size), esc(k.value), num(k.small), spoken(k.label))
}

func (k *chip) html() string {
	words := spoken(k.Said)
	if len(k.label) > 0 {
		words = spoken(k.label) + " " + words
	}
	if k.Symbol == "" {
		return words
	}
	return fmt.Sprintf("<i aria-hidden=\"true\">%s</i> %s", esc(symbol(k.Symbol)), words)
}

// spoken is joined, each part in its language.
func spoken(list []interpreter.FaceText) string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s.Text] {
			out = append(out, fmt.Sprintf("<span lang=\"%s\">%s</span>", esc(s.Lang), esc(s.Text)))
		}
		seen[s.Text] = true
	}
	return strings.Join(out, " · ")
}
