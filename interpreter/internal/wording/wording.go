// Package wording writes the rules text of cards and keywords out of their rule
// data, in any language that the data has phrases for.
//
// All words come from phrase declarations and display texts. A phrase's key is
// written in the rule language itself, with holes; keys and rule text are read
// into the same kind of tree, so that a key fits whatever it looks like. Of the
// keys that fit, the one that writes the most out wins. Where a part of an
// ability has no phrase in a language, the ability has no generated text in it:
// nothing is worded by half.
package wording

import (
	"slices"
	"strings"
	"sync"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Origin says where a text is from.
type Origin uint8

// The origins of a text.
const (
	None      Origin = iota // there is no text
	Generated               // made out of the rule data
	Says                    // the data's own wording: says
)

// Text is the text of an ability, card or keyword in one language.
type Text struct {
	Value   string
	Lang    string // the language that it is in: another one where the wanted one has no text
	Origin  Origin
	Missing []string // parts of the rule text without a phrase in the wanted language
}

// Generator writes texts of one program. It is safe for several goroutines.
type Generator struct {
	p        *program.Program
	mu       sync.Mutex
	class    map[string][]*phrase // ready phrases, the most specific first
	unread   []*program.Phrase
	files    map[*source.File]*grammar.File
	read     *reader
	headers  map[string]*program.Header
	keywords map[string]*program.Keyword
	actions  map[string]*program.Action
	tokens   map[string]*program.TokenKind
	zones    map[string]*program.Zone
	values   map[string]*program.Values
	names    map[string]*program.Decl
	texts    map[string][]program.Text
	lists    map[string]*program.Char
	generate bool // for tests: generate a text also where the data has words of its own
}

// New prepares a generator. The program is not changed.
func New(p *program.Program) *Generator {
	g := &Generator{
		p: p, class: map[string][]*phrase{}, files: map[*source.File]*grammar.File{},
		headers: map[string]*program.Header{}, keywords: map[string]*program.Keyword{}, actions: map[string]*program.Action{},
		tokens: map[string]*program.TokenKind{}, zones: map[string]*program.Zone{}, values: map[string]*program.Values{},
		names: map[string]*program.Decl{}, texts: map[string][]program.Text{}, lists: map[string]*program.Char{},
	}
	g.read = &reader{keywords: g.isKeyword, file: true}
	// Names of several categories can be alike; what is declared last here is
	// found first.
	for _, c := range p.Chars {
		if d := g.names[c.Name]; d == nil || len(d.Texts) == 0 {
			g.names[c.Name] = &c.Decl
		}
		if c.Type.List() {
			g.lists[c.Name] = c
		}
	}
	for _, k := range p.Kinds {
		g.names[k.Name] = &k.Decl
	}
	for _, k := range p.Keywords {
		g.keywords[k.Name] = k
		g.names[k.Name] = &k.Decl
	}
	for _, k := range p.Tokens {
		g.tokens[k.Name] = k
		g.names[k.Name] = &k.Decl
	}
	for _, z := range p.Zones {
		g.zones[z.Name] = z
		g.names[z.Name] = &z.Decl
	}
	for _, h := range p.Headers {
		g.headers[h.Name] = h
	}
	for _, a := range p.Actions {
		g.actions[a.Name] = a
	}
	for _, v := range p.Values {
		if v.Builtin != "" {
			continue
		}
		g.values[v.Name] = v
		for i := range v.Names {
			g.texts[v.Names[i].Name] = v.Names[i].Texts
		}
	}
	for _, d := range p.Phrases {
		if ph, ok := g.compile(d); ok {
			g.class[ph.class] = append(g.class[ph.class], ph)
		} else {
			g.unread = append(g.unread, d)
		}
	}
	for _, list := range g.class {
		sortPhrases(list)
	}
	return g
}

func (g *Generator) isKeyword(name string) bool { return g.keywords[name] != nil }

// named finds the display texts of a name.
func (g *Generator) named(name string) (*program.Decl, []program.Text) {
	if t := g.texts[name]; t != nil {
		return nil, t
	}
	return g.names[name], nil
}

// list returns the characteristic of that name if its values are lists.
func (g *Generator) list(name string) *program.Char { return g.lists[name] }

// A parameter without an argument is a term of its own; its text names the
// keyword and the parameter.
func (g *Generator) param(t *term) *program.Param {
	if t.op != "param" {
		return nil
	}
	kw, name, _ := strings.Cut(t.text, "\x00")
	k := g.keywords[kw]
	if k == nil {
		return nil
	}
	for i := range k.Params {
		if k.Params[i].Name == name {
			return &k.Params[i]
		}
	}
	return nil
}

// file parses a rule file again; a program keeps no trees.
func (g *Generator) file(f *source.File) *grammar.File {
	if t, ok := g.files[f]; ok {
		return t
	}
	var l diag.List
	t := grammar.Parse(f, &l)
	g.files[f] = t
	return t
}

// declaration finds the declaration with a span.
func (g *Generator) declaration(s source.Span) *grammar.Decl {
	if s.File == nil {
		return nil
	}
	for _, d := range g.file(s.File).Decls {
		if d.Span == s {
			return d
		}
	}
	return nil
}

// ruleLine finds the line of rule text with a span.
func (g *Generator) ruleLine(s source.Span) *grammar.RuleLine {
	if s.File == nil {
		return nil
	}
	for _, d := range g.file(s.File).Decls {
		if d.Start > s.Start || d.End < s.End {
			continue
		}
		var lines []*grammar.RuleLine
		if d.Rules != nil {
			lines = d.Rules.Lines
		} else if d.Case != nil {
			for _, l := range d.Case.Lines { // of a given
				lines = append(lines, l.Lines...)
			}
		}
		for _, l := range lines {
			if l.Span == s {
				return l
			}
		}
	}
	return nil
}

func (g *Generator) speaker(lang string) *speaker {
	return &speaker{g: g, lang: lang, vars: map[string]*ref{}, said: map[*ref]bool{}}
}

// ability words an ability by its index in the program. With reminder a keyword
// is followed by what it does.
func (g *Generator) ability(i int, lang string, params map[string]*ref) (string, []string, bool) {
	a := g.p.Abilities[i]
	l := g.ruleLine(a.Span)
	s := g.speaker(lang)
	if l == nil {
		return "", []string{strings.TrimSpace(a.Span.Text())}, false
	}
	t := g.read.line(l)
	if t == nil {
		return "", []string{strings.TrimSpace(a.Span.Text())}, false
	}
	for n, r := range params {
		s.vars[n] = r
	}
	w, ok := s.line(t)
	for _, k := range tokensPlaced(t) {
		if ok {
			w, ok = g.reminded(s, w, k)
		}
	}
	if ok && t.op == "keyword" {
		text := g.keywordText(g.keywords[t.text], t.kids, lang)
		s.missing = append(s.missing, text.Missing...)
		if text.Value == "" || text.Lang != lang {
			return "", s.missing, false
		}
		w, ok = s.say("keyword", fixed(map[string]words{"keyword": w, "text": {s: text.Value}}))
	} else if ok {
		w, ok = s.say("line", fixed(map[string]words{"text": w}))
	}
	if !ok {
		if len(s.missing) == 0 {
			s.miss(t)
		}
		return "", s.missing, false
	}
	return s.finish(w), nil, true
}

// tokensPlaced lists the kinds of token that a line puts somewhere.
func tokensPlaced(t *term) []string {
	var out []string
	if t.op == "do:place" {
		if k := t.part(""); k != nil {
			out = append(out, k.text)
		}
	}
	for _, k := range t.kids {
		for _, name := range tokensPlaced(k) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// reminded adds to a text what a token that it speaks of does by itself.
func (g *Generator) reminded(s *speaker, w words, token string) (words, bool) {
	k := g.tokens[token]
	if k == nil || len(k.Effects) == 0 {
		return w, true
	}
	text, missing, ok := g.token(k, s.lang)
	if !ok {
		s.missing = append(s.missing, missing...)
		return words{}, false
	}
	name, ok := s.display(&k.Decl, ident(token))
	if !ok {
		return name, false
	}
	return s.say("token", fixed(map[string]words{"text": w, "token": name, "does": text}))
}

// token words what a kind of token does by itself.
func (g *Generator) token(k *program.TokenKind, lang string) (words, []string, bool) {
	s := g.speaker(lang)
	d := g.declaration(k.Span)
	if d == nil || d.Token == nil {
		return words{}, []string{k.Name}, false
	}
	s.vars["self"] = &ref{alias: &term{op: "token", text: k.Name}}
	var list []words
	for _, a := range d.Token.Rules {
		w, ok := s.always(g.read.always(a))
		if !ok {
			return w, s.missing, false
		}
		list = append(list, w)
	}
	w, ok := s.join(list, "sentences")
	return w, s.missing, ok
}

// keywordText words what a keyword does, with arguments or without.
func (g *Generator) keywordText(k *program.Keyword, args []*term, lang string) Text {
	params := map[string]*ref{}
	for i, p := range k.Params {
		arg := &term{op: "param", text: k.Name + "\x00" + p.Name}
		if i < len(args) && args[i] != nil {
			arg = args[i]
		}
		params[p.Name] = &ref{alias: arg}
	}
	out := Text{Lang: lang}
	if own, ok := g.keywordSays(k, params, lang); ok && !g.generate {
		return own
	}
	var lines []words
	for _, i := range k.Abilities {
		text, missing, ok := g.ability(i, lang, params)
		if !ok {
			out.Missing = append(out.Missing, missing...)
			continue
		}
		lines = append(lines, words{s: text})
	}
	if k.Granted != nil {
		out.Missing = append(out.Missing, k.Name+": granted")
	}
	s := g.speaker(lang)
	if len(out.Missing) == 0 && len(lines) > 0 {
		if w, ok := s.join(lines, "lines"); ok {
			out.Value, out.Origin = s.finish(w), Generated
			return out
		}
		out.Missing = append(out.Missing, s.missing...)
	}
	if own, ok := g.keywordSays(k, params, lang); ok {
		return own
	}
	return out
}

// keywordSays is the keyword's own wording in a language.
func (g *Generator) keywordSays(k *program.Keyword, params map[string]*ref, lang string) (Text, bool) {
	for _, t := range k.Says {
		if t.Lang != lang {
			continue
		}
		s := g.speaker(lang)
		w, ok := s.expand(parseSays(t.Value), func(hole, form string, _ bool) (words, bool) {
			if r := params[hole]; r != nil {
				return s.word(r.alias, form)
			}
			return words{}, false
		})
		if ok {
			return Text{Value: s.finish(w), Lang: lang, Origin: Says}, true
		}
	}
	return Text{}, false
}

// parseSays reads a text that has {holes} and no other marks.
func parseSays(text string) template {
	var out template
	for {
		m := holeRE.FindStringIndex(text)
		if m == nil {
			return append(out, piece{lit: text})
		}
		out = append(out, piece{lit: text[:m[0]]}, piece{hole: text[m[0]+1 : m[1]-1]})
		text = text[m[1]:]
	}
}

func says(texts []program.Text, lang string) string {
	for _, t := range texts {
		if t.Lang == lang {
			return t.Value
		}
	}
	return ""
}

// languages lists the wanted language and, after it, those that stand in for it.
func (g *Generator) languages(lang string) []string {
	out := []string{lang}
	for _, l := range g.p.Languages {
		if l.Lang != lang {
			out = append(out, l.Lang)
		}
	}
	return out
}

// Ability is the text of the nth ability of a card, counted from 0 in the order
// in which they are printed: the card's own words where it is the card's only
// one, else what is generated; failing both, the text is another language's.
// Missing tells what lacked a phrase.
func (g *Generator) Ability(c *program.CardDef, n int, lang string) Text {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n < 0 || n >= len(c.Abilities) {
		return Text{}
	}
	return g.fallback(lang, func(l string) Text {
		own := says(c.Says, l)
		mine := own != "" && len(c.Abilities) == 1
		text, missing, ok := "", []string(nil), false
		if !mine || g.generate {
			text, missing, ok = g.ability(c.Abilities[n], l, nil)
		}
		if ok {
			return Text{Value: text, Lang: l, Origin: Generated}
		}
		if mine {
			return Text{Value: own, Lang: l, Origin: Says}
		}
		return Text{Lang: l, Missing: missing}
	})
}

// fallback asks for a text in the wanted language, then in the others.
func (g *Generator) fallback(lang string, f func(lang string) Text) Text {
	var first Text
	for i, l := range g.languages(lang) {
		t := f(l)
		if i == 0 {
			first = t
		}
		if t.Value != "" {
			t.Missing = first.Missing
			return t
		}
	}
	return first
}

// Card is the text of a card: its own words where it has them, else the text of
// every ability, one each.
func (g *Generator) Card(c *program.CardDef, lang string) []Text {
	if own := says(c.Says, lang); own != "" {
		return []Text{{Value: own, Lang: lang, Origin: Says}}
	}
	var out []Text
	for n := range c.Abilities {
		out = append(out, g.Ability(c, n, lang))
	}
	return out
}

// Keyword is what a keyword does, its parameters by their own names.
func (g *Generator) Keyword(k *program.Keyword, lang string) Text {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fallback(lang, func(l string) Text { return g.keywordText(k, nil, l) })
}

// KeywordName is the name of a keyword, its parameters by their own names.
func (g *Generator) KeywordName(k *program.Keyword, lang string) Text {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fallback(lang, func(l string) Text {
		s := g.speaker(l)
		if w, ok := s.word(&term{op: "keyword", text: k.Name}, ""); ok {
			return Text{Value: s.finish(w), Lang: l, Origin: Generated}
		}
		return Text{Lang: l, Missing: s.missing}
	})
}

// Token is what a kind of token does by itself; "" for one that does nothing.
func (g *Generator) Token(k *program.TokenKind, lang string) Text {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fallback(lang, func(l string) Text {
		w, missing, ok := g.token(k, l)
		if !ok || w.s == "" {
			return Text{Lang: l, Missing: missing}
		}
		s := g.speaker(l)
		if w, ok = s.say("line", fixed(map[string]words{"text": w})); !ok {
			return Text{Lang: l, Missing: s.missing}
		}
		return Text{Value: s.finish(w), Lang: l, Origin: Generated}
	})
}

// Gap is an ability or keyword that a language has no text for.
type Gap struct {
	Of      string // the card or keyword
	Lang    string
	Missing []string
}

// Gaps lists all that has neither a generated text nor words of its own in a
// language.
func (g *Generator) Gaps(lang string) []Gap {
	var out []Gap
	for _, c := range g.p.Cards {
		if c.Anonymous {
			continue
		}
		for _, t := range g.Card(c, lang) {
			if t.Value == "" || t.Lang != lang {
				out = append(out, Gap{c.Name, lang, t.Missing})
			}
		}
	}
	for _, k := range g.p.Keywords {
		if t := g.Keyword(k, lang); t.Value == "" || t.Lang != lang {
			out = append(out, Gap{k.Name, lang, t.Missing})
		}
	}
	return out
}

// Unread lists the keys of phrases that are neither rule text nor the plain name
// of an action, so that nothing can ever be worded by them.
func (g *Generator) Unread() []string {
	var out []string
	for _, d := range g.unread {
		out = append(out, d.Key)
	}
	return out
}
