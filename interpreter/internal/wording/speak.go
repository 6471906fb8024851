package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar/joined"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// words is a piece of text. While it is put together it holds marks: gap for a
// space that may fall away, capital for a letter that is to be a capital.
type words struct {
	s    string
	many bool // it speaks of several, for {hole|one|many}
	none bool // it stands for nothing: an optional part with it is left out
	todo bool // it tells somebody to do something, so that "you may" fits before it
}

const (
	gapMark = "\uE000"
	capMark = "\uE001"
)

// speaker words one ability in one language.
type speaker struct {
	g       *Generator
	lang    string
	vars    map[string]*ref
	said    map[*ref]bool // what was spoken of already, so that it is "it" from now on
	missing []string      // parts without a phrase
	action  string        // the action whose roles the body can name, for words of them
	bound   []bound       // names that must be spoken of
	plain   bool          // verbs in their plain form: "may have it get", as after many
	depth   int
	names   map[string]string // words for names that stand for known things
}

// bound is a name whose choice would be lost if nothing spoke of it.
type bound struct {
	r  *ref
	at *term
}

// ref is a name that the text of an ability binds.
type ref struct {
	alias  *term // stands for another term: a parameter with its argument, record x = …
	from   *term // chosen, or gone through, out of this
	each   bool  // for … in
	chance bool
	count  *term // choose 2 m
	on     *term // what an effect changes
}

// env gives the words of a template's hole.
type env func(hole, form string, optional bool) (words, bool)

func (s *speaker) miss(t *term) words {
	if part := t.source(); part != "" {
		for _, m := range s.missing {
			if m == part {
				return words{}
			}
		}
		s.missing = append(s.missing, part)
	}
	return words{}
}

// try calls f; where it fails, nothing that it did remains.
func (s *speaker) try(f func() (words, bool)) (words, bool) {
	said := make(map[*ref]bool, len(s.said))
	for k, v := range s.said {
		said[k] = v
	}
	w, ok := f()
	if !ok {
		s.said = said
	}
	return w, ok
}

// expand fills in a template.
func (s *speaker) expand(t template, e env) (words, bool) {
	var b strings.Builder
	out := words{}
	numbers := map[string]bool{}
	for i, p := range t {
		switch {
		case p.plural:
			out.many = true
		case p.order:
			out.todo = true
		case p.cap:
			b.WriteString(capMark)
		case p.gap:
			b.WriteString(gapMark)
		case p.optional != nil:
			uses := map[string]bool{}
			p.optional.holes(uses)
			none := false
			for h := range uses {
				w, ok := s.peek(e, h)
				if !ok {
					e(h, "", true) // for what it reports
					return words{}, false
				}
				none = none || w.none || w.s == ""
			}
			if none {
				continue
			}
			w, ok := s.expand(p.optional, e)
			if !ok {
				return words{}, false
			}
			b.WriteString(w.s)
		case p.choice:
			many, ok := numbers[p.hole]
			if !ok {
				w, found := s.peek(e, p.hole)
				if !found {
					return words{}, false
				}
				many = w.many
			}
			many = many || s.plain
			branch := p.one
			if many {
				branch = p.many
			}
			w, ok := s.expand(branch, e)
			if !ok {
				return words{}, false
			}
			b.WriteString(w.s)
		case p.hole != "":
			w, ok := e(p.hole, p.form, false)
			if !ok {
				return words{}, false
			}
			if _, ok := numbers[p.hole]; !ok {
				numbers[p.hole] = w.many
			}
			b.WriteString(w.s)
			if p.hole == "noun" {
				out.many = out.many || w.many
			}
			if i == 0 {
				out.todo = w.todo
			}
		default:
			b.WriteString(p.lit)
		}
	}
	out.s = b.String()
	return out, true
}

// peek asks for a hole's words without speaking of it.
func (s *speaker) peek(e env, hole string) (words, bool) {
	said, missing := s.said, s.missing
	s.said = make(map[*ref]bool, len(said))
	for k, v := range said {
		s.said[k] = v
	}
	w, ok := e(hole, "", true)
	s.said, s.missing = said, missing
	return w, ok
}

// say expands one of the phrases that carry a whole line together.
func (s *speaker) say(name string, e env) (words, bool) {
	for _, p := range s.g.class["say "+name] {
		if p.form == "" {
			if t, ok := p.text[s.lang]; ok {
				return s.expand(t, e)
			}
		}
	}
	s.miss(&term{op: "id", text: "say " + name})
	return words{}, false
}

func (s *speaker) has(name, form string) (template, bool) {
	for _, p := range s.g.class["say "+name] {
		if t, ok := p.text[s.lang]; ok && p.form == form {
			return t, true
		}
	}
	return nil, false
}

// fixed is an env of finished words.
func fixed(m map[string]words) env {
	return func(hole, _ string, _ bool) (words, bool) {
		w, ok := m[hole]
		if !ok || w.s == "" {
			w.none = true
		}
		return w, true
	}
}

// holes is an env of what a key's holes stand for.
func (s *speaker) holes(b binding, more env) env {
	return func(hole, form string, optional bool) (words, bool) {
		if t, ok := b[hole]; ok {
			if strings.HasPrefix(t.op, "do:") || t.op == "body" {
				return s.body(t)
			}
			return s.word(t, form)
		}
		if more != nil {
			return more(hole, form, optional)
		}
		return words{}, false
	}
}

// subst puts aliases and arguments in the place of names.
func (s *speaker) subst(t *term) *term {
	if t == nil {
		return nil
	}
	if t.op == "id" {
		r := s.vars[t.text]
		switch {
		case r == nil:
			return t
		case r.alias != nil:
			return r.alias
		}
		return &term{op: "var", text: t.text, span: t.span, file: t.file}
	}
	if len(t.kids) == 0 {
		return t
	}
	c := *t
	c.kids = make([]*term, len(t.kids))
	for i, k := range t.kids {
		member := t.op == "." && i == 1
		binds := len(t.lab) > i && (t.lab[i] == "var" || t.lab[i] == "path" && k.op == "id")
		if member || binds {
			c.kids[i] = k
		} else {
			c.kids[i] = s.subst(k)
		}
	}
	return &c
}

// word words an expression in a form.
func (s *speaker) word(t *term, form string) (words, bool) {
	if s.depth++; s.depth > 100 {
		return s.miss(t), false
	}
	defer func() { s.depth-- }()
	t = s.subst(t)
	if name, ok := s.names[t.text]; ok && t.op == "id" {
		if tmpl, found := s.has("as "+form, ""); found && form != "" {
			return s.expand(tmpl, fixed(map[string]words{"x": {s: name}}))
		}
		return words{s: name}, true
	}
	if w, ok := s.phrased(t, form); ok {
		return w, true
	}
	if t.op == "var" {
		return s.mention(s.vars[t.text], t, form)
	}
	if s.isList(t) {
		return s.noun(t, form)
	}
	if form != "" {
		if tmpl, ok := s.has("as "+form, ""); ok {
			return s.expand(tmpl, func(hole, f string, _ bool) (words, bool) { return s.word(t, f) })
		}
		return s.word(t, "")
	}
	switch t.op {
	case "num":
		n := strings.TrimPrefix(t.text, "-")
		return words{s: t.text, many: n != "1"}, true
	case "text":
		for _, c := range s.g.p.Cards {
			if c.Name == t.text {
				return s.display(&c.Decl, t)
			}
		}
	case "id":
		if d, texts := s.g.named(t.text); d != nil || texts != nil {
			if d != nil {
				return s.display(d, t)
			}
			return s.textIn(texts, t)
		}
	case "token":
		return s.display(&s.g.tokens[t.text].Decl, t)
	case "zone":
		return s.display(&s.g.zones[t.text].Decl, t)
	case "param":
		p := s.g.param(t)
		if p == nil {
			break
		}
		name := words{s: p.Name, many: true}
		if p.Type.Base == program.IsOneOf {
			for _, c := range s.g.p.Chars { // "Trait": the characteristic that has such values
				if c.Type.Base == program.IsOneOf && c.Type.ID == p.Type.ID && len(c.Texts) > 0 {
					w, ok := s.display(&c.Decl, t)
					if !ok {
						return w, false
					}
					return s.say("parameter", fixed(map[string]words{"name": name, "of": w}))
				}
			}
		}
		return name, true
	case "keyword":
		return s.keyword(t)
	case "list", "values":
		return s.series(t.kids, "list")
	case "and", "or":
		return s.series(t.kids, t.op)
	}
	return s.miss(t), false
}

// display is the display text of a declaration.
func (s *speaker) display(d *program.Decl, t *term) (words, bool) { return s.textIn(d.Texts, t) }

func (s *speaker) textIn(texts []program.Text, t *term) (words, bool) {
	for _, x := range texts {
		if x.Lang == s.lang {
			return words{s: x.Value}, true
		}
	}
	return s.miss(t), false
}

// series joins words as a list.
func (s *speaker) series(list []*term, kind string) (words, bool) {
	var all []words
	for _, t := range list {
		w, ok := s.word(t, "")
		if !ok {
			return w, false
		}
		all = append(all, w)
	}
	return s.join(all, kind)
}

// join joins two by the phrase "say KIND", more by "say KIND more" before the
// last.
func (s *speaker) join(list []words, kind string) (words, bool) {
	if len(list) == 0 {
		return words{none: true}, true
	}
	out := list[0]
	for i, w := range list[1:] {
		name := kind
		if i < len(list)-2 {
			if _, ok := s.has(name+" more", ""); ok {
				name += " more"
			}
		}
		var ok bool
		if out, ok = s.say(name, fixed(map[string]words{"a": out, "b": w})); !ok {
			return words{}, false
		}
	}
	return words{s: out.s, many: len(list) > 1 || list[0].many, todo: list[0].todo}, true
}

// keyword words a keyword with its arguments.
func (s *speaker) keyword(t *term) (words, bool) {
	k := s.g.keywords[t.text]
	for _, x := range k.Texts {
		if x.Lang == s.lang {
			return s.expand(parseTemplate(x.Value), func(hole, form string, _ bool) (words, bool) {
				for i, p := range k.Params {
					if p.Name == hole {
						if i < len(t.kids) && t.kids[i] != nil {
							return s.word(t.kids[i], form)
						}
						return s.word(&term{op: "param", text: k.Name + "\x00" + p.Name}, form)
					}
				}
				return words{}, false
			})
		}
	}
	return s.miss(t), false
}

// phrased words a term by the most specific phrase that fits it in this form.
func (s *speaker) phrased(t *term, form string) (words, bool) {
	return s.phrasedIn("expr", t, form)
}

func (s *speaker) phrasedIn(class string, t *term, form string) (words, bool) {
	for _, p := range s.g.class[class] {
		if p.form != form || len(p.pats) != 1 {
			continue
		}
		tmpl, ok := p.text[s.lang]
		b := binding{}
		if !ok || !s.match(p, p.pats[0], t, b) {
			continue
		}
		if w, ok := s.try(func() (words, bool) { return s.expand(tmpl, s.holes(b, nil)) }); ok {
			return w, true
		}
	}
	return words{}, false
}

// mention words what a name of the ability stands for: described the first
// time, "it" from then on.
func (s *speaker) mention(r *ref, t *term, form string) (words, bool) {
	switch {
	case r.on != nil && !s.said[r]:
		s.said[r] = true
		if form == "" && s.isList(r.on) {
			form = "many"
		}
		return s.word(r.on, form)
	case s.said[r]:
		many := r.count != nil || r.on != nil && (s.isList(r.on) && !s.one(r.on))
		name := "again"
		if many {
			name = "again many"
		}
		w, ok := words{}, false
		if tmpl, found := s.has(name, form); found {
			w, ok = s.expand(tmpl, fixed(nil))
		} else {
			w, ok = s.say(name, fixed(nil))
		}
		w.many = w.many || many
		return w, ok
	case r.from == nil:
		return s.miss(t), false
	}
	first := "a"
	switch {
	case r.each:
		first = "each"
	case r.chance:
		first = "chance"
	case r.count != nil:
		first = "several"
	}
	if form != "" {
		if tmpl, ok := s.has("as "+form, ""); ok {
			return s.expand(tmpl, func(string, string, bool) (words, bool) { return s.mention(r, t, "") })
		}
	}
	s.said[r] = true
	w, ok := s.nounCounted(r.from, first, r.count)
	w.many = w.many || r.count != nil
	return w, ok
}

// isList reports whether a term stands for several objects.
func (s *speaker) isList(t *term) bool {
	switch t.op {
	case "each", "filter()", "sortBy()":
		return true
	case ".", "id":
		if c := s.g.list(lastName(t)); c != nil {
			return true
		}
	}
	return false
}

// one reports whether a list is worded as a single thing.
func (s *speaker) one(t *term) bool {
	w, ok := s.peek(func(_, form string, _ bool) (words, bool) { return s.word(t, "many") }, "")
	return ok && !w.many
}

func lastName(t *term) string {
	switch {
	case t.op == "." && t.kids[1].op == "id":
		return t.kids[1].text
	case t.op == "id":
		return t.text
	}
	return ""
}

// kindOf names the kind of the objects of a list.
func (s *speaker) kindOf(t *term) string {
	switch t.op {
	case "each":
		return t.kids[0].text
	case "filter()", "sortBy()":
		return s.kindOf(t.kids[0])
	}
	if c := s.g.list(lastName(t)); c != nil && c.Type.ID >= 0 && c.Type.Base == program.IsObject {
		return s.g.p.Kinds[c.Type.ID].Name
	}
	return ""
}

func (s *speaker) noun(t *term, form string) (words, bool) { return s.nounCounted(t, form, nil) }

// nounCounted words a list of objects as a noun with what describes it. A form
// such as "a" or "each" is a phrase of its own that goes around the noun as
// those of its conditions do.
func (s *speaker) nounCounted(t *term, form string, count *term) (words, bool) {
	t = s.subst(t)
	for _, name := range []string{s.kindOf(t), "noun"} {
		for _, p := range s.g.class["say "+name] {
			if tmpl, ok := p.text[s.lang]; ok && p.form == form && form != "" {
				inner := ""
				for _, piece := range tmpl {
					if piece.hole == "noun" {
						inner = piece.form
					}
				}
				x := wrap{p: p, b: binding{}}
				if count != nil {
					x.b["n"] = count
				}
				return s.described(t, inner, x)
			}
		}
	}
	return s.described(t, form)
}

// described words the noun of a list with its conditions around it.
func (s *speaker) described(t *term, form string, wraps ...wrap) (words, bool) {
	var conds []*term
	for {
		if t.op != "each" {
			if w, ok := s.phrased(t, form); ok {
				return s.around(w, conds, form, wraps)
			}
		}
		switch t.op {
		case "filter()":
			conds = append(conds, conjuncts(t.kids[1])...)
			t = t.kids[0]
			continue
		case "each":
			if len(t.kids) > 1 {
				conds = append(conds, conjuncts(t.kids[1])...)
			}
			w, ok := s.kind(t.kids[0], form)
			if !ok {
				return w, false
			}
			w.many = w.many || form == "many"
			return s.around(w, conds, form, wraps)
		}
		if form != "" {
			if w, ok := s.phrased(t, ""); ok {
				return s.around(w, conds, form, wraps)
			}
		}
		if d := s.definition(t); d != nil {
			t = d
			continue
		}
		return s.miss(t), false
	}
}

// kind words the name of a kind.
func (s *speaker) kind(t *term, form string) (words, bool) {
	if t.op == "id" && s.g.tokens[t.text] != nil {
		return s.word(&term{op: "token", text: t.text, span: t.span, file: t.file}, form)
	}
	return s.word(t, form)
}

// definition is what a worked-out list stands for, with its owner put in.
func (s *speaker) definition(t *term) *term {
	c := s.g.list(lastName(t))
	if c == nil || t.op != "." {
		return nil
	}
	d := s.g.declaration(c.Span)
	if d == nil || d.Char == nil || d.Char.Value == nil || d.Char.Value.Each == nil {
		return nil
	}
	src := s.g.read.source(d.Char.Value)
	if src == nil {
		return nil
	}
	return src.replace(func(k *term) *term {
		if k.op == "id" && k.text == "self" {
			return t.kids[0]
		}
		return nil
	})
}

// wrap is a phrase that goes around a noun.
type wrap struct {
	p    *phrase
	b    binding
	kind string  // of what it stands on: where host is {x: KIND}
	on   []*term // … and what describes that
}

// around puts the words for conditions around a noun. What stands nearest to
// the noun is put there first.
func (s *speaker) around(w words, conds []*term, form string, wraps []wrap) (words, bool) {
	for found := true; found && len(conds) > 0; {
		found = false
		for _, p := range s.g.class["where"] {
			if _, ok := p.text[s.lang]; !ok || p.form != "" && p.form != form {
				continue
			}
			b := binding{}
			if rest, ok := s.matchSome(p, p.pats, conds, b); ok {
				conds, found = rest, true
				wraps = append(wraps, wrap{p: p, b: b})
				break
			}
		}
	}
	for len(conds) > 0 {
		var use *phrase
		var name string
		for class, list := range s.g.class {
			if n, ok := strings.CutPrefix(class, "host "); ok && conds[0].mentions(n) && (use == nil || n < name) {
				use, name = list[0], n
			}
		}
		if use == nil {
			return s.miss(conds[0]), false
		}
		x := wrap{p: use, kind: use.types["x"]}
		var rest []*term
		for _, c := range conds {
			if c.mentions(name) {
				x.on = append(x.on, c.opened(name))
			} else {
				rest = append(rest, c)
			}
		}
		conds = rest
		wraps = append(wraps, x)
	}
	for i := range wraps { // by place, stable and few
		for j := i; j > 0 && wraps[j].p.at < wraps[j-1].p.at; j-- {
			wraps[j], wraps[j-1] = wraps[j-1], wraps[j]
		}
	}
	for n, x := range wraps {
		tmpl, ok := x.p.text[s.lang]
		if !ok {
			return s.miss(&term{op: "id", text: x.p.key}), false
		}
		if n > 0 && !tmpl.uses("noun") {
			// It would take the place of what is said already.
			return s.miss(&term{op: "id", text: x.p.key}), false
		}
		in := w
		w, ok = s.expand(tmpl, s.holes(x.b, func(hole, f string, _ bool) (words, bool) {
			if hole == "noun" {
				return in, true
			}
			if hole == "x" && x.kind != "" {
				if len(x.on) == 1 && (x.on[0].op == "==") {
					if v := whole(x.on[0]); v != nil {
						return s.word(v, f)
					}
				}
				return s.noun(node("each", ident(x.kind), node("and", x.on...)), f)
			}
			return words{}, false
		}))
		if !ok {
			return w, false
		}
		w.many = in.many
	}
	return w, true
}

// whole returns X for a condition it == X.
func whole(c *term) *term {
	if c.op == "==" {
		for i, k := range c.kids {
			if k.op == "id" && k.text == "it" {
				return c.kids[1-i]
			}
		}
	}
	return nil
}

// isA reports whether a term is of the type that a hole wants.
func (s *speaker) isA(t *term, want string) bool {
	prm := s.g.param(t)
	switch want {
	case "number":
		return t.op == "num" || prm != nil && prm.Type.Base == program.IsNumber
	case "text":
		return t.op == "text" || prm != nil && prm.Type.Base == program.IsText
	case "keyword":
		return t.op == "keyword" || t.op == "id" && s.g.isKeyword(t.text)
	case "token":
		return t.op == "token" || t.op == "id" && s.g.tokens[t.text] != nil
	case "zone":
		return t.op == "zone" || t.op == "id" && s.g.zones[t.text] != nil
	case "value":
		return t.op == "id" && s.g.names[t.text] != nil && s.g.list(t.text) == nil
	case "list":
		return s.isList(t)
	case "var":
		return t.op == "var"
	}
	if list := s.g.values[want]; list != nil {
		if prm != nil {
			return prm.Type.Base == program.IsOneOf && s.g.p.Values[prm.Type.ID] == list
		}
		if t.op == "values" {
			for _, k := range t.kids {
				if !s.isA(k, want) {
					return false
				}
			}
			return true
		}
		_, ok := list.Index[t.text]
		return ok && t.op == "id"
	}
	if s.isList(t) {
		return s.kindOf(t) == want
	}
	return false
}

// finish makes plain text of words: gaps become spaces or fall away, capitals
// are set, and the language's own spelling is mended.
func (s *speaker) finish(w words) string {
	var out []rune
	upper := false
	rs := []rune(w.s)
	for i, r := range rs {
		switch string(r) {
		case gapMark:
			var next rune
			for _, n := range rs[i+1:] {
				if string(n) != capMark && string(n) != gapMark {
					next = n
					break
				}
			}
			last, _ := utf8.DecodeLastRuneInString(string(out))
			if len(out) > 0 && next != 0 && !unicode.IsSpace(last) && !unicode.IsSpace(next) && !(joined.Unspaced(last) && joined.Unspaced(next)) {
				out = append(out, ' ')
			}
			continue
		case capMark:
			upper = true
			continue
		}
		if upper && !unicode.IsSpace(r) {
			if r != '“' && r != '(' {
				upper = false
			}
			r = unicode.ToUpper(r)
		}
		out = append(out, r)
	}
	text := string(out)
	for _, p := range s.g.class["mend"] {
		if t, ok := p.text[s.lang]; ok && len(t) == 1 {
			text = mend(text, p.key, t[0].lit)
		}
	}
	return strings.TrimSpace(text)
}

// mend replaces from by to where from begins a word, small or with a capital.
func mend(text, from, to string) string {
	for i := 0; i+len(from) <= len(text); i++ {
		last, _ := utf8.DecodeLastRuneInString(text[:i])
		if i > 0 && (unicode.IsLetter(last) || unicode.IsMark(last)) {
			continue
		}
		at := text[i:]
		switch {
		case strings.HasPrefix(at, from):
			text = text[:i] + to + at[len(from):]
			i += len(to) - 1
		case strings.HasPrefix(at, capital(from)):
			text = text[:i] + capital(to) + at[len(from):]
			i += len(to) - 1
		}
	}
	return text
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
