package lsp

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// teller words what is known of a name.
type teller struct {
	s    *server
	r    *result
	good *interpreter.Program // the last rules without errors; nil where there were none
	lang string

	list  []interpreter.Name            // what Names tells
	names map[string][]interpreter.Name // the same by name
	rules map[string]*interpreter.Rule
	words map[interpreter.NameSort]map[string]interpreter.Word
	cards map[string]interpreter.Card
}

func (s *server) teller(u *unit, r *result) *teller {
	t := &teller{s: s, r: r, lang: s.language()}
	s.locked(func() {
		if u.good != nil {
			t.good = u.good.Program
		}
	})
	return t
}

// form is how a name is written with its parts, as momon words shows it.
func (t *teller) form(y *interpreter.Symbol) (interpreter.Name, bool) {
	t.all()
	for _, n := range t.names[y.Name] {
		same := n.Sort == y.Sort || y.Sort == interpreter.NameAction && n.Sort == interpreter.NameStep
		if same {
			return n, true
		}
	}
	return interpreter.Name{}, false
}

func (t *teller) all() []interpreter.Name {
	if t.names == nil {
		t.names = map[string][]interpreter.Name{}
		t.list = t.r.Index.Names(t.lang)
		for _, n := range t.list {
			t.names[n.Name] = append(t.names[n.Name], n)
		}
	}
	return t.list
}

func (t *teller) rule(number string) *interpreter.Rule {
	if t.rules == nil {
		t.rules = map[string]*interpreter.Rule{}
		if t.good != nil {
			list := t.good.Rules(t.lang)
			for i := range list {
				t.rules[list[i].Number] = &list[i]
			}
		}
	}
	return t.rules[number]
}

func (t *teller) word(sort interpreter.NameSort, name string) interpreter.Word {
	if t.words == nil {
		t.words = map[interpreter.NameSort]map[string]interpreter.Word{}
	}
	if t.words[sort] == nil {
		t.words[sort] = map[string]interpreter.Word{}
		var list []interpreter.Word
		if t.good != nil {
			switch sort {
			case interpreter.NameKeyword:
				list = t.good.Keywords(t.lang)
			case interpreter.NameHeader:
				list = t.good.Headers(t.lang)
			case interpreter.NameLayer:
				list = t.good.Layers(t.lang)
			}
		}
		for _, w := range list {
			t.words[sort][w.Name] = w
		}
	}
	return t.words[sort][name]
}

func (t *teller) card(name string) (interpreter.Card, bool) {
	if t.cards == nil {
		t.cards = map[string]interpreter.Card{}
		if t.good != nil {
			for _, c := range t.good.Cards(t.lang) {
				t.cards[c.Name] = c
			}
		}
	}
	c, ok := t.cards[name]
	return c, ok
}

// sortWord is what a sort of name is called.
func sortWord(sort interpreter.NameSort) string {
	switch sort {
	case interpreter.NameLocal:
		return "name"
	case interpreter.NameLabel:
		return "effect"
	}
	return string(sort)
}

// head is the line of rule text that says what a name is.
func (t *teller) head(y *interpreter.Symbol) string {
	switch y.Sort {
	case interpreter.NameLocal:
		if y.Type != "" {
			return y.Name + ": " + y.Type
		}
		return y.Name
	case interpreter.NameCharacteristic, interpreter.NameAttribute:
		if ch, ok := t.r.Index.Characteristic(y, t.lang); ok {
			word := "characteristic"
			if ch.Memory {
				word = "memory"
			}
			return word + " " + ch.Name + " of " + ch.Of + ": " + ch.Type
		}
	case interpreter.NameRule:
		return "rule " + y.Name
	case interpreter.NameCard, interpreter.NameDeck, interpreter.NameCase, interpreter.NameEdition, interpreter.NameReading, interpreter.NameStatement:
		return sortWord(y.Sort) + ` "` + y.Name + `"`
	case interpreter.NameValue, interpreter.NameRole:
		return sortWord(y.Sort) + " " + y.Name + " of " + y.Of
	}
	if n, ok := t.form(y); ok {
		return string(n.Sort) + " " + n.Form
	}
	return sortWord(y.Sort) + " " + y.Name
}

// tell words a symbol in Markdown.
func (t *teller) tell(y *interpreter.Symbol) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```momon\n%s\n```\n", t.head(y))
	line := func(format string, args ...any) { fmt.Fprintf(&b, "\n"+format+"\n", args...) }
	item := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "\n- %s: %s", words(key, t.lang), value)
		}
	}
	// A rule's summary and a name are told in every language of the data.
	for _, x := range t.r.Index.Texts(y) {
		line("%s: %s", x.Lang, escape(x.Value))
	}
	switch y.Sort {
	case interpreter.NameKeyword, interpreter.NameHeader, interpreter.NameLayer:
		w := t.word(y.Sort, y.Name)
		if w.Says != "" {
			line("> %s", escape(w.Says))
		}
		if len(w.Takes) > 0 {
			line("`takes %s`", strings.Join(w.Takes, ", "))
		}
		if y.Sort == interpreter.NameKeyword && t.good != nil && t.lang != "th" {
			if th := t.good.KeywordText(y.Name, "th"); th != "" && th != w.Says {
				line("> %s", escape(th))
			}
		} else if y.Sort == interpreter.NameKeyword && t.good != nil {
			if en := t.good.KeywordText(y.Name, "en"); en != "" && en != w.Says {
				line("> %s", escape(en))
			}
		}
		t.cites(&b, w.Rules)
	case interpreter.NameCharacteristic, interpreter.NameAttribute:
		if ch, ok := t.r.Index.Characteristic(y, t.lang); ok {
			item("type", "`"+ch.Type+"`")
			if ch.Value != "" {
				item("value", "`"+ch.Value+"`")
			}
			item("floor", ch.Floor)
			item("ceiling", ch.Ceiling)
			if ch.Printed {
				fmt.Fprintf(&b, "\n- %s", words("printed", t.lang))
			}
			var layers []string
			for _, l := range ch.Layers {
				layers = append(layers, fmt.Sprintf("%s (%s)", l.Name, strings.Join(l.Takes, ", ")))
			}
			item("layers", strings.Join(layers, "; "))
			b.WriteByte('\n')
		}
	case interpreter.NameCard:
		if c, ok := t.card(y.Name); ok {
			for _, f := range c.Fields {
				fmt.Fprintf(&b, "\n- %s: %s", escape(f.Shown), escape(f.Value))
			}
			b.WriteByte('\n')
			for says := range strings.Lines(c.Says) {
				line("> %s", escape(strings.TrimSpace(says)))
			}
		}
	case interpreter.NameRule:
		t.tellRule(&b, y.Name)
	case interpreter.NameStatement:
		t.tellStatement(&b, y.Name)
	default:
		if n, ok := t.form(y); ok {
			if n.Says != "" && n.Says != n.Shown {
				line("> %s", escape(n.Says))
			}
			for _, p := range n.Parts {
				fmt.Fprintf(&b, "\n- `%s`", strings.TrimSpace(p.Name+" "+p.Type))
				if p.Shown != "" && p.Shown != p.Name {
					fmt.Fprintf(&b, " %s", escape(p.Shown))
				}
			}
			if len(n.Parts) > 0 {
				b.WriteByte('\n')
			}
			t.cites(&b, n.Rules)
		}
	}
	t.where(&b, y)
	return b.String()
}

func (t *teller) cites(b *strings.Builder, refs []interpreter.Ref) {
	for _, n := range interpreter.RuleNumbers(refs) {
		text := ""
		if r := t.rule(n); r != nil {
			text = r.Summary
		}
		fmt.Fprintf(b, "\n- rule %s %s", n, escape(text))
	}
	if len(refs) > 0 {
		b.WriteByte('\n')
	}
}

func (t *teller) tellRule(b *strings.Builder, number string) {
	r := t.rule(number)
	if r == nil {
		return
	}
	for i := range r.Statements {
		st := &r.Statements[i]
		fmt.Fprintf(b, "\n**%s** (%s) %s\n", st.Key, t.s.opts.Say(t.lang, st.Status), escape(st.Text))
		t.tellCases(b, st)
	}
}

func (t *teller) tellStatement(b *strings.Builder, key string) {
	if t.good == nil {
		return
	}
	t.rule("") // has the rules listed
	for _, r := range t.rules {
		for i := range r.Statements {
			if st := &r.Statements[i]; st.Key == key {
				fmt.Fprintf(b, "\nrule %s (%s)\n", r.Number, t.s.opts.Say(t.lang, st.Status))
				t.tellCases(b, st)
				return
			}
		}
	}
}

func (t *teller) tellCases(b *strings.Builder, st *interpreter.Statement) {
	list := func(key string, ids []string) {
		if len(ids) > 0 {
			fmt.Fprintf(b, "\n- %s: `%s`", words(key, t.lang), strings.Join(ids, "`, `"))
		}
	}
	list("confirm", st.Confirms)
	list("refute", st.Refutes)
	b.WriteByte('\n')
}

// where tells where a name is declared.
func (t *teller) where(b *strings.Builder, y *interpreter.Symbol) {
	if y.Sort == interpreter.NameLocal || y.Sort == interpreter.NameLabel {
		return
	}
	var places []string
	for _, m := range y.Mentions {
		if !m.Declares {
			continue
		}
		f := m.Span.File
		place := fmt.Sprintf("%s:%d", path.Base(f.Name), f.Line(m.Span.Start))
		t.s.locked(func() {
			if loc, ok := t.s.location(m.Span); ok {
				place = fmt.Sprintf("[%s](%s#L%d)", place, loc.URI, f.Line(m.Span.Start))
			}
		})
		if t.s.builtin(f.Name) {
			place += " (" + words("built-in", t.lang) + ")"
		}
		places = append(places, place)
	}
	if len(places) > 0 {
		fmt.Fprintf(b, "\n%s %s\n", words("declared", t.lang), strings.Join(places, ", "))
	}
}

// escape keeps a text from being read as Markdown.
func escape(s string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[", "#", "\\#", "\n", "  \n").Replace(s)
}

// hover tells what stands at a place: the name, and what is wrong with it.
func (s *server) hover(ctx context.Context, p *positionParams) (any, error) {
	u, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, ctx.Err()
	}
	l := s.linesOf(f)
	at := l.offset(p.Position)
	var out []string
	var over *textRange
	t := s.teller(u, r)
	for _, m := range r.Index.At(f.Source(), at) {
		text := t.tell(m.Symbol)
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
		span := l.span(m.Span.Start, m.Span.End)
		over = &span
	}
	if len(out) == 0 {
		if text, span, ok := s.languageWord(f, l, at); ok {
			out, over = append(out, text), &span
		}
	}
	for _, d := range r.Diags {
		if d.Span.File == f.Source() && d.Span.Start <= at && at <= d.Span.End {
			out = append(out, diag.HelpFor(d, t.lang))
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return hoverResult{markdown(strings.Join(out, "\n---\n")), over}, nil
}

// languageWord tells of a word of the language itself.
func (s *server) languageWord(f *interpreter.RuleFile, l *lines, at int) (string, textRange, bool) {
	for _, tok := range grammar.Tokens(f.Source(), &diag.List{}) {
		if tok.Start > at {
			break
		}
		if at <= tok.End && tok.Kind == grammar.Word {
			if doc, ok := wordDocs[tok.Text]; ok {
				i := 0
				if s.language() == "th" {
					i = 1
				}
				return "```momon\n" + doc.form + "\n```\n\n" + doc.text[i], l.span(tok.Start, tok.End), true
			}
		}
	}
	return "", textRange{}, false
}
