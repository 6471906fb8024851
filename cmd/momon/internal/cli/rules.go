package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/interpreter"
)

func (a *app) rulesCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules [NUMBER | KEY | WORD]",
		Short: "Show the numbered rules, the data behind them, and their cases",
		Long: `Lists the numbered rules with a summary in our own words. With a number it shows
the rule's statements: whether each is normative, an interpretation or
provisional, the clauses of the rule data that carry it out, and the cases that
confirm it or show where it ends. A key names one statement; any other word is
searched for.`,
		Example: `  momon rules
  momon rules 13.2.4
  momon rules layers.order
  momon rules WORD --lang th
  momon rules readings           the named interpretations
  momon rules layers             the layers, in order
  momon rules editions`,
		Args: a.takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			word := ""
			if len(args) > 0 {
				word = args[0]
			}
			return a.showRules(word)
		},
	}
	return c
}

func (a *app) showRules(word string) error {
	p, err := a.load(true)
	if err != nil {
		return err
	}
	switch word {
	case "readings":
		return a.showReadings(p.Readings(a.lang))
	case "layers":
		return a.showWords(p, p.Layers(a.lang))
	case "headers":
		return a.showWords(p, p.Headers(a.lang))
	case "editions":
		return a.showEditions(p.Editions(a.lang))
	}
	all := p.Rules(a.lang)
	var list []interpreter.Rule
	whole := word != ""
	for _, r := range all {
		switch {
		case word == "", r.Number == word, strings.HasPrefix(r.Number, word+"."):
			list = append(list, r)
		default:
			var only []interpreter.Statement
			for _, s := range r.Statements {
				if s.Key == word || s.Rule+" "+s.Key == word {
					only = append(only, s)
				}
			}
			if only != nil {
				r.Statements, r.Data = only, nil
				list = append(list, r)
			}
		}
	}
	if len(list) == 0 {
		list, whole = find(all, word), true
	}
	if len(all) == 0 {
		return errors.New(a.t("no-rule-at-all"))
	}
	if len(list) == 0 {
		if near := meant(word, ruleWords(all)); near != "" {
			return errors.New(a.t("no-rule-near", word, near))
		}
		return errors.New(a.t("no-rule", word))
	}
	if a.json {
		return a.printJSON(list)
	}
	for i := range list {
		a.rule(&list[i], whole)
	}
	return nil
}

// ruleWords are the numbers and keys that rules go by.
func ruleWords(all []interpreter.Rule) []string {
	var out []string
	for _, r := range all {
		out = append(out, r.Number)
		for _, s := range r.Statements {
			out = append(out, s.Key)
		}
	}
	return out
}

// find looks for a word in numbers, keys, summaries and statements.
func find(all []interpreter.Rule, word string) []interpreter.Rule {
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(word)) }
	var out []interpreter.Rule
	for _, r := range all {
		var only []interpreter.Statement
		for _, s := range r.Statements {
			if has(s.Key) || has(s.Text) {
				only = append(only, s)
			}
		}
		if only != nil || has(r.Summary) {
			r.Statements, r.Data = only, nil
			out = append(out, r)
		}
	}
	return out
}

func (a *app) rule(r *interpreter.Rule, whole bool) {
	if !whole {
		mark := pad(r.Number, 8)
		text := r.Summary
		if text == "" && len(r.Statements) > 0 {
			text = r.Statements[0].Text
		}
		if text == "" {
			text = a.t("cited-only", len(r.Data))
		}
		a.item(mark, text, 0)
		return
	}
	a.heading(r.Number)
	if r.Summary != "" {
		a.para(r.Summary, 2)
	}
	for _, c := range r.Data {
		a.citation(c)
	}
	for i := range r.Statements {
		s := &r.Statements[i]
		a.println("")
		a.item(a.bold(s.Key)+"  ", a.t(s.Status), 2)
		a.para(s.Text, 4)
		if s.By != "" {
			a.item(a.t("by")+" ", s.By, 4)
		}
		for _, c := range s.Data {
			a.citation(c)
		}
		for _, rd := range s.Readings {
			a.item(a.t("reading")+" ", fmt.Sprintf("%s: %s (%s)", rd.Text, rd.Value, strings.Join(rd.Others, ", ")), 4)
		}
		a.caseList(a.t("confirmed-by"), s.Confirms)
		a.caseList(a.t("refuted-by"), s.Refutes)
		for _, u := range s.Under {
			if len(u.Confirms) > 0 {
				a.caseList(a.t("confirmed-under", u.Choice), u.Confirms)
			}
			if len(u.Refutes) > 0 {
				a.caseList(a.t("refuted-under", u.Choice), u.Refutes)
			}
		}
	}
	a.println("")
}

func (a *app) caseList(title string, ids []string) {
	if a.plain {
		for _, id := range ids {
			a.println("    " + title + " " + id)
		}
		return
	}
	if len(ids) > 0 {
		a.item(title+" ", strings.Join(ids, ", "), 4)
	} else {
		a.item(title+" ", a.t("none"), 4)
	}
}

func (a *app) citation(c interpreter.Citation) {
	if a.plain {
		a.println("    " + a.t("data") + " " + c.Place.String() + " " + c.What + ": " + c.Text)
		return
	}
	a.item(a.t("data")+" ", c.Place.String()+" "+c.What, 4)
	a.println("      " + a.dim(cut(c.Text, a.cols-6)))
}

func (a *app) showReadings(list []interpreter.Reading) error {
	if a.json {
		return a.printJSON(list)
	}
	for _, r := range list {
		a.println(a.bold(r.Name) + "  " + strings.Join(refStrings(r.Rules), ", "))
		a.para(r.Text, 2)
		a.para(r.Switch+" "+r.Value+"; "+a.t("other")+" "+strings.Join(r.Others, ", "), 4)
	}
	return nil
}

func refStrings(list []interpreter.Ref) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.Rule)
	}
	return out
}

func (a *app) showEditions(list []interpreter.EditionInfo) error {
	if a.json {
		return a.printJSON(list)
	}
	for _, e := range list {
		mark := "  "
		if e.Now {
			mark = "* "
		}
		a.println(mark + pad(e.Name, 10) + " " + e.From + "  " + e.Shown)
	}
	return nil
}

// showWords lists keywords, headers or layers.
func (a *app) showWords(p *interpreter.Program, list []interpreter.Word) error {
	if a.json {
		return a.printJSON(list)
	}
	shown := map[string]string{}
	for _, c := range p.Cards(a.lang) {
		shown[c.Name] = c.Shown
	}
	sort := interpreter.WordSort("")
	for _, w := range list {
		if w.Sort != sort && w.Sort != interpreter.LayerWord && list[0].Sort != list[len(list)-1].Sort {
			if sort != "" {
				a.println("")
			}
			sort = w.Sort
			a.heading(a.t("words-" + string(sort)))
		}
		title := a.bold(w.Shown)
		if !strings.HasPrefix(w.Shown+" ", w.Name+" ") { // it has parameters
			title += "  " + a.dim(w.Name)
		}
		if n := interpreter.RuleNumbers(w.Rules); len(n) > 0 {
			title += "  " + a.t("rules-of", strings.Join(n, ", "))
		}
		a.println(title)
		if w.Says != "" {
			a.para(w.Says, 2)
		}
		if len(w.Takes) > 0 {
			a.para(a.t("takes", strings.Join(w.Takes, ", ")), 2)
		}
		if len(w.Cards) > 0 {
			var names []string
			for _, c := range w.Cards {
				names = append(names, shown[c])
			}
			a.para(a.t("on-cards", strings.Join(names, ", ")), 2)
		}
		a.para(w.Place.String(), 2)
	}
	return nil
}
