package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
)

func (a *app) cardsCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "cards [NAME]",
		Short: "List cards and decks, and show one card",
		Long: `Without a name it lists the cards. With the name of a card, in any language, or
a part of it, it shows what is printed on the card, its text, and its abilities
as the rule data has them.`,
		Example: `  momon cards
  momon cards list --lang th
  momon cards "PART OF A NAME"
  momon cards decks`,
		Args: a.takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listCards("")
			}
			return a.showCard(args[0])
		},
	}
	c.AddCommand(&cobra.Command{
		Use: "list [WORD]", Short: "List the cards, or those that a word fits", Args: a.takes(0, 1),
		Example: "  momon cards list\n  momon cards list WORD",
		RunE: func(_ *cobra.Command, args []string) error {
			return a.listCards(strings.Join(args, ""))
		},
	}, &cobra.Command{
		Use: "show NAME", Short: "Show one card", Args: a.takes(1, 1), Example: `  momon cards show NAME`,
		RunE: func(_ *cobra.Command, args []string) error { return a.showCard(args[0]) },
	}, &cobra.Command{
		Use: "decks [NAME]", Short: "List the decks with their cards", Args: a.takes(0, 1), Example: `  momon cards decks`,
		RunE: func(_ *cobra.Command, args []string) error { return a.showDecks(strings.Join(args, "")) },
	}, a.sheetCmd())
	return c
}

func cardFits(c *interpreter.Card, word string) bool {
	word = strings.ToLower(word)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), word) }
	if has(c.Name) || has(c.Shown) || has(c.Says) {
		return true
	}
	for _, f := range c.Fields {
		if has(f.Value) {
			return true
		}
	}
	for _, l := range c.Lines {
		if has(l) {
			return true
		}
	}
	return false
}

func (a *app) listCards(word string) error {
	p, err := a.load(false)
	if err != nil {
		return err
	}
	list := []interpreter.Card{}
	for _, c := range p.Cards(a.lang) {
		if cardFits(&c, word) {
			list = append(list, c)
		}
	}
	if a.json {
		return a.printJSON(list)
	}
	narrow := a.cols < 60
	if len(list) > 0 && !a.plain && !narrow {
		var names []string
		for _, f := range list[0].Fields {
			names = append(names, f.Shown)
		}
		for _, l := range wrap(strings.Join(names, " · "), a.cols-25) {
			a.println(a.dim(pad("", 25) + l))
		}
	}
	for _, c := range list {
		if a.plain {
			var fields []string
			for _, f := range c.Fields {
				fields = append(fields, f.Shown+": "+f.Value)
			}
			a.println(c.Shown + ": " + strings.Join(fields, "; "))
			continue
		}
		var fields []string
		for _, f := range c.Fields {
			fields = append(fields, f.Value)
		}
		if narrow {
			a.println(a.bold(c.Shown))
			a.item("", strings.Join(fields, " · "), 2)
			continue
		}
		a.item(pad(cut(c.Shown, 24), 25), strings.Join(fields, " · "), 0)
	}
	if !a.plain {
		a.println("")
		a.println(a.t("cards", len(list)))
	}
	return nil
}

func (a *app) showCard(name string) error {
	p, err := a.load(false)
	if err != nil {
		return err
	}
	all := p.Cards(a.lang)
	var found []interpreter.Card
	for _, c := range all {
		if strings.EqualFold(c.Name, name) || strings.EqualFold(c.Shown, name) {
			found = append(found, c)
		}
	}
	if found == nil {
		for _, l := range p.Languages() {
			for i, c := range p.Cards(l.Code) {
				if strings.EqualFold(c.Shown, name) {
					found = append(found, all[i])
				}
			}
		}
	}
	if found == nil {
		for _, c := range all {
			if strings.Contains(strings.ToLower(c.Name+"\n"+c.Shown), strings.ToLower(name)) {
				found = append(found, c)
			}
		}
	}
	if found == nil {
		var known []string
		for _, c := range all {
			known = append(known, c.Name)
			if c.Shown != c.Name {
				known = append(known, c.Shown)
			}
		}
		if near := meant(name, known); near != "" {
			return errors.New(a.t("no-card-near", name, near))
		}
		return errors.New(a.t("no-card", name))
	}
	if a.json {
		return a.printJSON(found)
	}
	decks := map[string]string{}
	for _, d := range p.Decks(a.lang) {
		decks[d.Name] = d.Shown
	}
	for i := range found {
		if i > 0 {
			a.println("")
		}
		for k, d := range found[i].Decks {
			found[i].Decks[k] = decks[d]
		}
		a.card(p, &found[i])
	}
	return nil
}

func (a *app) card(p *interpreter.Program, c *interpreter.Card) {
	title := c.Shown
	if c.Name != c.Shown {
		title += " (" + c.Name + ")"
	}
	a.heading(title)
	w := 0
	for _, f := range c.Fields {
		w = max(w, width(f.Shown))
	}
	for _, f := range c.Fields {
		if a.plain {
			a.println(f.Shown + ": " + f.Value)
			continue
		}
		a.item(pad(f.Shown, w)+"  ", f.Value, 2)
	}
	if c.Says != "" {
		a.println("")
		for _, l := range strings.Split(c.Says, "\n") {
			a.para(l, 2)
		}
	}
	lines := c.Lines
	if c.Says != "" { // it tells of the keywords already
		lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return isKeyword(p, l) })
	}
	if len(lines) > 0 {
		a.println("")
		for _, l := range lines {
			for i, written := range strings.Split(l, "\n") { // each line as it stands in the file
				lead := 0
				if i > 0 {
					lead = max(0, len(written)-len(strings.TrimLeft(written, " "))-2)
				}
				a.item("", strings.TrimSpace(written), 2+lead)
			}
		}
	}
	a.println("")
	if len(c.Errata) > 0 {
		a.para(a.t("errata", strings.Join(c.Errata, ", ")), 2)
	}
	if len(c.Decks) > 0 {
		a.para(a.t("in-decks", strings.Join(c.Decks, ", ")), 2)
	}
	a.para(c.Place.String(), 2)
}

// isKeyword reports whether a line of a card is a keyword and nothing else.
func isKeyword(p *interpreter.Program, line string) bool {
	if strings.ContainsAny(line, ":{\n") {
		return false
	}
	return slices.ContainsFunc(p.Keywords("en"), func(w interpreter.Word) bool { return strings.HasPrefix(line+" ", w.Name+" ") })
}

func (a *app) showDecks(name string) error {
	p, err := a.load(false)
	if err != nil {
		return err
	}
	list := []interpreter.Deck{}
	for _, d := range p.Decks(a.lang) {
		if strings.Contains(strings.ToLower(d.Name+"\n"+d.Shown), strings.ToLower(name)) {
			list = append(list, d)
		}
	}
	if len(list) == 0 && name == "" {
		return errors.New(a.t("no-decks"))
	}
	if len(list) == 0 {
		return errors.New(a.t("no-deck", name))
	}
	if a.json {
		return a.printJSON(list)
	}
	shown := map[string]string{}
	for _, c := range p.Cards(a.lang) {
		shown[c.Name] = c.Shown
	}
	for _, d := range list {
		a.heading(a.t("deck", d.Shown, len(d.Cards)))
		for _, c := range d.Cards {
			a.println("  " + shown[c])
		}
	}
	return nil
}

func (a *app) keywordsCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "keywords [WORD]",
		Short: "Show the keywords, their meaning, and the cards that have them",
		Long:  "Shows the keywords and timing headers of the rules: what each means, the rule\nthat it comes from, the cards that have it, and where it is declared.",
		Example: `  momon keywords
  momon keywords WORD --lang th`,
		Args: a.takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.load(false)
			if err != nil {
				return err
			}
			word := strings.ToLower(strings.Join(args, ""))
			list := []interpreter.Word{}
			var known []string
			for _, w := range append(p.Keywords(a.lang), p.Headers(a.lang)...) {
				known = append(known, w.Name)
				if strings.Contains(strings.ToLower(w.Name+"\n"+w.Shown), word) {
					list = append(list, w)
				}
			}
			if len(list) == 0 && word == "" {
				return errors.New(a.t("no-keywords"))
			}
			if len(list) == 0 {
				if near := meant(word, known); near != "" {
					return errors.New(a.t("no-keyword-near", args[0], near))
				}
				return errors.New(a.t("no-keyword", args[0]))
			}
			return a.showWords(p, list)
		},
	}
}
