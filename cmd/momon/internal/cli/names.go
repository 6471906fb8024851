package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

func (a *app) wordsCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "words [NAME…]",
		Short: "List the names that the rules declare, for writing rules",
		Long: `Lists what rule text can speak of: the actions with their roles and attributes,
the steps, what each kind of object has, tables, tokens, zones, headers,
keywords and lists of values. All of that is read from the rules in force;
behind it come the functions of expressions, which are always the same. With
names it shows only what has one: itself, in a part, or in what people read.`,
		Example: `  momon words
  momon words NAME
  momon words NAME --lang th
  momon words --with ./my-cards --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := a.load(false)
			if err != nil {
				return err
			}
			return a.names(p.Names(a.lang), args)
		},
	}
}

// nameFits reports whether a declared name is a word, or has a part that is.
func nameFits(n *interpreter.Name, word string) bool {
	if strings.EqualFold(n.Name, word) || strings.EqualFold(n.Shown, word) || strings.EqualFold(n.Of, word) {
		return true
	}
	for _, x := range n.Parts {
		if strings.EqualFold(x.Name, word) || strings.EqualFold(x.Shown, word) {
			return true
		}
	}
	return false
}

func (a *app) names(all []interpreter.Name, words []string) error {
	list := []interpreter.Name{}
	for i := range all {
		fits := len(words) == 0
		for _, w := range words {
			fits = fits || nameFits(&all[i], w)
		}
		if fits {
			list = append(list, all[i])
		}
	}
	if len(list) == 0 && len(words) > 0 {
		var known []string
		for i := range all {
			known = append(known, all[i].Name)
		}
		if near := diag.Nearest(words[0], known); near != "" {
			return errors.New(a.t("no-name-near", words[0], near))
		}
		return errors.New(a.t("no-name", strings.Join(words, " ")))
	}
	if a.json {
		return a.printJSON(list)
	}
	title := ""
	for i := range list {
		n := &list[i]
		t := a.t("names-" + string(n.Sort))
		if n.Sort == interpreter.NameCharacteristic || n.Sort == interpreter.NameMemory {
			t = a.t("names-"+string(n.Sort), n.Of)
		}
		if t != title {
			if i > 0 {
				a.println("")
			}
			title = t
			a.heading(t)
		}
		a.name(n, len(words) > 0)
	}
	return nil
}

// name shows one name: in a line or two, or with all there is to it.
func (a *app) name(n *interpreter.Name, whole bool) {
	text := a.bold(n.Form)
	if n.Shown != n.Name {
		text += " — " + n.Shown
	}
	a.item("", text, 2)
	if n.Says != "" && (whole || n.Sort == interpreter.NameFunction) {
		a.item("", n.Says, 6)
	}
	if n.When != "" && whole {
		a.item("", n.When, 6)
	}
	var parts []string
	for _, x := range n.Parts {
		if x.Sort == "hits" && whole {
			a.item("", a.t("names-hits", x.Name, x.Type), 6)
		}
		s := x.Name
		if x.Type != "" {
			s += ": " + x.Type
		}
		if x.Shown != "" && x.Shown != x.Name {
			s += " (" + x.Shown + ")"
		}
		if x.Sort == "value" || x.Sort == "attribute" {
			parts = append(parts, s)
		}
	}
	if len(parts) > 0 {
		a.item("", strings.Join(parts, ", "), 6)
	}
	if whole && n.Place.File != "" {
		line := n.Place.String()
		if r := refList(n.Rules); r != "" {
			line += "  " + a.t("rules-of", r)
		}
		a.para(line, 6)
	}
}
