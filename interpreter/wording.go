package interpreter

import (
	"strings"
	"sync"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/wording"
)

// Wording writes the rules text of a program's cards, keywords and tokens out of
// their rule data, with the phrases that the data declares. It is safe for
// several goroutines.
type Wording struct {
	p *Program
	g *wording.Generator
}

// RulesText is the text of one ability, or of a whole card, keyword or token.
type RulesText struct {
	Text      string   `json:"text"`
	Lang      string   `json:"lang"`              // the language that it is in: another one where the wanted one has no text
	Generated bool     `json:"generated"`         // made out of the rule data; otherwise the data's own words (says), or none
	Missing   []string `json:"missing,omitempty"` // parts of the rule text that the wanted language has no phrase for
}

// WordingGap is a card or keyword that a language has no text for, with the
// parts of its rule text that lack a phrase.
type WordingGap struct {
	Of      string   `json:"of"`
	Lang    string   `json:"lang"`
	Missing []string `json:"missing"`
}

// words keeps a program's wording and the card texts already written: making
// them costs more than asking for them at every decision should.
type words struct {
	once  sync.Once
	w     *Wording
	cards sync.Map // cardLang to string
}

type cardLang struct {
	card int
	lang string
}

// Wording returns the writer of rules text.
func (p *Program) Wording() *Wording {
	p.words.once.Do(func() { p.words.w = &Wording{p, wording.New(p.p)} })
	return p.words.w
}

// cardSays is the text of a card, a line for each ability.
func (p *Program) cardSays(card int, lang string) string {
	key := cardLang{card, lang}
	if s, ok := p.words.cards.Load(key); ok {
		return s.(string)
	}
	var lines []string
	for _, t := range p.Wording().g.Card(p.p.Cards[card], lang) {
		if t.Value != "" {
			lines = append(lines, t.Value)
		}
	}
	s := strings.Join(lines, "\n")
	p.words.cards.Store(key, s)
	return s
}

func rulesText(t wording.Text) RulesText {
	return RulesText{Text: t.Value, Lang: t.Lang, Generated: t.Origin == wording.Generated, Missing: t.Missing}
}

func (p *Program) cardDef(name string) *program.CardDef {
	for _, c := range p.p.Cards {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Card is the text of a card, by its declared name: one entry for each ability,
// or a single one where the card's own words (says) stand for them all. It is
// empty for a card without abilities and for one that does not exist.
func (w *Wording) Card(name, lang string) []RulesText {
	c := w.p.cardDef(name)
	if c == nil {
		return nil
	}
	var out []RulesText
	for _, t := range w.g.Card(c, lang) {
		out = append(out, rulesText(t))
	}
	return out
}

// Ability is the text of the nth ability of a card, counted from 0 as printed.
func (w *Wording) Ability(card string, n int, lang string) RulesText {
	c := w.p.cardDef(card)
	if c == nil {
		return RulesText{}
	}
	return rulesText(w.g.Ability(c, n, lang))
}

// Keyword is what a keyword does, its parameters by their own names.
func (w *Wording) Keyword(name, lang string) RulesText {
	for _, k := range w.p.p.Keywords {
		if k.Name == name {
			return rulesText(w.g.Keyword(k, lang))
		}
	}
	return RulesText{}
}

// Token is what a kind of token does by itself, empty for one that does nothing.
func (w *Wording) Token(name, lang string) RulesText {
	for _, k := range w.p.p.Tokens {
		if k.Name == name {
			return rulesText(w.g.Token(k, lang))
		}
	}
	return RulesText{}
}

// Gaps lists the cards and keywords that have no text in a language, neither a
// generated one nor words of their own.
func (w *Wording) Gaps(lang string) []WordingGap {
	var out []WordingGap
	for _, g := range w.g.Gaps(lang) {
		out = append(out, WordingGap(g))
	}
	return out
}

// UnreadPhrases lists the keys of phrases that can't be read, so that nothing
// is ever worded by them.
func (w *Wording) UnreadPhrases() []string { return w.g.Unread() }

// AbilityText is the text of the nth ability of a card, counted from 0. A
// language without a text falls back to another; "" means that there is none.
func (p *Program) AbilityText(card string, n int, lang string) string {
	return p.Wording().Ability(card, n, lang).Text
}

// CardText is the text of a card, one line for each ability.
func (p *Program) CardText(name, lang string) []string {
	var out []string
	for _, t := range p.Wording().Card(name, lang) {
		if t.Text != "" {
			out = append(out, t.Text)
		}
	}
	return out
}

// KeywordText is what a keyword does, its parameters by their own names.
func (p *Program) KeywordText(name, lang string) string {
	return p.Wording().Keyword(name, lang).Text
}
