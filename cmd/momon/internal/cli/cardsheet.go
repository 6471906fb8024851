package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cmd/momon/internal/sheet"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// everyLang is what --lang says for a sheet in all languages of the rules.
const everyLang = "both"

func (a *app) sheetCmd() *cobra.Command {
	var out, format string
	c := &cobra.Command{
		Use:   "sheet [CARD | DECK…]",
		Short: "Lay cards out to be printed and cut",
		Long: `Writes cards as a page to print: nine of poker size (63 by 88 mm) on a page of A4
with marks to cut along, each with what the rules say is printed on it, its
rules text as large as it fits, and edition and errata in small print. Below the
cards stand the packs that they are of, with their versions. A deck stands for
its cards.
Without names it takes all cards, or those of the folders that --with names,
where they have any. With --lang it speaks that language, without
it, or with --lang both, all languages of the rules. Print it without margins
and at 100 %. HTML is for browsers, SVG for drawing programs. FILE may be there
already only if it is such a page.`,
		Example: `  momon cards sheet -o cards.html
  momon cards sheet "NAME OF A DECK" --lang th -o deck.html
  momon cards sheet "ONE CARD" "ANOTHER" --format svg -o two.svg
  momon cards sheet --with ./my-cards -o cards.html`,
		RunE: func(c *cobra.Command, args []string) error {
			every := !c.Flags().Changed("lang")
			if a.lang == everyLang {
				every, a.lang = true, "en"
			}
			return a.sheet(args, out, format, every)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the `FILE` to write; nothing, or -, is the standard output")
	c.Flags().StringVar(&format, "format", "", "the `FORMAT`, html or svg; what the name of FILE ends with by default")
	return c
}

func (a *app) sheet(names []string, out, format string, every bool) error {
	if format == "" {
		switch end := strings.ToLower(filepath.Ext(out)); {
		case out == "" || out == "-" || end == ".html" || end == ".htm":
			format = "html"
		case end == ".svg":
			format = "svg"
		case isDir(out):
			return errors.New(a.t("is-folder", out))
		default:
			return errors.New(a.t("sheet-ending", out))
		}
	}
	if format != "html" && format != "svg" {
		return errors.New(a.t("sheet-format", format))
	}
	if a.term && !a.json && (out == "" || out == "-") {
		return errors.New(a.t("sheet-where", format))
	}
	p, err := a.load(false)
	if err != nil {
		return err
	}
	langs := []string{a.lang}
	if every {
		langs = nil
		for _, l := range p.Languages() {
			langs = append(langs, l.Code)
		}
		if langs == nil {
			langs = []string{a.lang}
		}
	}
	cards, err := a.named(p, names)
	if err != nil {
		return err
	}
	if len(names) == 0 && len(a.with) > 0 {
		if cards, err = a.ownCards(p); err != nil {
			return err
		}
	}
	faces := p.Faces(langs, cards...)
	if a.json {
		return a.printJSON(faces)
	}
	title := a.t("sheet-title")
	if len(names) > 0 {
		title = strings.Join(shownNames(p, names, a.lang), ", ")
	}
	s := &sheet.Sheet{Title: title, Lang: a.lang, Page: a.t("sheet-page"), Faces: faces, Packs: p.Packs(a.lang)}
	var b bytes.Buffer
	if format == "svg" {
		err = s.SVG(&b)
	} else {
		err = s.HTML(&b)
	}
	if err != nil {
		return err
	}
	if out == "" || out == "-" {
		_, err = a.out.Write(b.Bytes())
		return err
	}
	if st, err := os.Stat(out); err == nil && st.IsDir() {
		return errors.New(a.t("is-folder", out))
	}
	if st, err := os.Stat(out); err == nil && st.Mode().IsRegular() && st.Size() > 0 {
		if have, err := os.ReadFile(out); err != nil {
			return err
		} else if !sheet.Made(have) {
			return errors.New(a.t("sheet-taken", out))
		}
	}
	if err := a.disk.Write(out, b.Bytes()); err != nil {
		return err
	}
	a.para(a.t("sheet-written", out, len(faces), (len(faces)+8)/9), 0)
	if small := s.Small(); len(small) > 0 {
		a.para(a.t("sheet-small", strings.Join(small, ", ")), 0)
	}
	return nil
}

// ownCards are the declared names of the cards in the folders of --with.
func (a *app) ownCards(p *interpreter.Program) ([]string, error) {
	own := []interpreter.Source{}
	for _, dir := range a.with {
		src, err := a.folder(dir, false)
		if err != nil {
			return nil, err
		}
		own = append(own, src...)
	}
	var out []string
	for _, c := range p.Cards(a.lang) {
		if within(c.Place.File, own) {
			out = append(out, c.Name)
		}
	}
	return out, nil
}

// named are the declared names of the cards that words name, in any language:
// themselves, or by a deck.
func (a *app) named(p *interpreter.Program, words []string) ([]string, error) {
	langs := []string{a.lang}
	for _, l := range p.Languages() {
		langs = append(langs, l.Code)
	}
	find := map[string][]string{}
	var known []string
	add := func(word string, cards []string) {
		if _, ok := find[strings.ToLower(word)]; !ok {
			find[strings.ToLower(word)] = cards
			known = append(known, word)
		}
	}
	for _, lang := range langs {
		for _, c := range p.Cards(lang) {
			add(c.Name, []string{c.Name})
			add(c.Shown, []string{c.Name})
		}
		for _, d := range p.Decks(lang) {
			add(d.Name, d.Cards)
			add(d.Shown, d.Cards)
		}
	}
	if len(known) == 0 {
		return nil, errors.New(a.t("no-cards"))
	}
	var out []string
	for _, w := range words {
		cards, ok := find[strings.ToLower(w)]
		if !ok {
			if near := diag.Nearest(w, known); near != "" {
				return nil, errors.New(a.t("no-card-deck-near", w, near))
			}
			return nil, errors.New(a.t("no-card-deck", w))
		}
		out = append(out, cards...)
	}
	return out, nil
}

// shownNames are decks and cards, named as one likes, as people call them in a language.
func shownNames(p *interpreter.Program, names []string, lang string) []string {
	decks, cards := p.Decks(lang), p.Cards(lang)
	out := slices.Clone(names)
	for i, name := range names {
		for _, d := range decks {
			if strings.EqualFold(d.Name, name) {
				out[i] = d.Shown
			}
		}
		for _, c := range cards {
			if strings.EqualFold(c.Name, name) {
				out[i] = c.Shown
			}
		}
	}
	return out
}
