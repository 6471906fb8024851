package diff

import (
	_ "embed"
	"html/template"
	"io"
)

// Both files stand in the page itself, so that it needs nothing but itself.
var (
	//go:embed page.tmpl
	pageTemplate string
	//go:embed page.css
	pageStyle string
)

// HTML writes the report as a page for browsers, in English and Thai; lang is the
// language that it shows at first.
func (r *Report) HTML(w io.Writer, lang string) error {
	t, err := template.New("page").Parse(pageTemplate)
	if err != nil {
		return err
	}
	if lang != "th" {
		lang = "en"
	}
	type entry struct {
		Text  string
		Code  bool
		Under []Block
	}
	type part struct {
		Kind  BlockKind
		Text  string
		Items []entry
	}
	type tongue struct {
		Lang, Title string
		Parts       []part
	}
	page := struct {
		Lang  string
		Style template.CSS
		In    []tongue
	}{Lang: lang, Style: template.CSS(pageStyle)}
	for _, l := range []string{"en", "th"} {
		in := tongue{Lang: l}
		for _, b := range r.Document(l) {
			last := len(in.Parts) - 1
			switch b.Kind {
			case Title:
				in.Title = b.Text
			case Item, Draft, Code:
				if last < 0 || in.Parts[last].Kind != Item {
					in.Parts = append(in.Parts, part{Kind: Item})
					last++
				}
				in.Parts[last].Items = append(in.Parts[last].Items, entry{Text: b.Text, Code: b.Kind == Code})
			case Under, Was, Is:
				if last >= 0 && len(in.Parts[last].Items) > 0 {
					e := &in.Parts[last].Items[len(in.Parts[last].Items)-1]
					e.Under = append(e.Under, b)
				}
			default:
				in.Parts = append(in.Parts, part{Kind: b.Kind, Text: b.Text})
			}
		}
		page.In = append(page.In, in)
	}
	return t.Execute(w, page)
}
