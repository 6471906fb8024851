package wording

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// line words one line of rule text.
func (s *speaker) line(t *term) (words, bool) {
	w, ok := s.lineWords(t)
	for _, b := range s.bound {
		if ok && !s.said[b.r] {
			return s.miss(b.at), false
		}
	}
	return w, ok
}

// only reports whether a term has no parts but those.
func (t *term) only(labels ...string) bool {
	for _, l := range t.lab {
		if !slices.Contains(labels, l) {
			return false
		}
	}
	return true
}

func (s *speaker) lineWords(t *term) (words, bool) {
	switch t.op {
	case "keyword":
		return s.word(t, "")
	case "always":
		return s.always(t)
	case "when":
		return s.when(t)
	case "header":
		return s.header(t)
	}
	return s.miss(t), false
}

// always words a static ability.
func (s *speaker) always(t *term) (words, bool) {
	whole := s.subst(t)
	for _, p := range s.g.class["line"] {
		b := binding{}
		if tmpl, ok := p.text[s.lang]; ok && s.match(p, p.pats[0], whole, b) {
			if w, ok := s.try(func() (words, bool) { return s.expand(tmpl, s.holes(b, s.target(ident("self")))) }); ok {
				return w, true
			}
		}
	}
	on := t.part("on")
	if on == nil {
		on = ident("self")
	}
	changes := t.part("changes")
	if changes == nil {
		return s.miss(t), false
	}
	text, ok := s.changes(on, changes)
	if !ok {
		return text, false
	}
	return s.surround(text, t.part("while"), t.part("in"), nil)
}

// surround adds a condition, a zone and an end.
func (s *speaker) surround(text words, while, in, until *term) (words, bool) {
	ok := true
	if until != nil {
		var end words
		if end, ok = s.pattern("until", until, nil); !ok {
			return end, false
		}
		if text, ok = s.say("until", fixed(map[string]words{"text": text, "until": end})); !ok {
			return text, false
		}
	}
	if while != nil {
		c, ok := s.word(while, "")
		if !ok {
			return c, false
		}
		if text, ok = s.say("while", fixed(map[string]words{"text": text, "while": c})); !ok {
			return text, false
		}
	}
	if in != nil {
		z, ok := s.word(in, "")
		if !ok {
			return z, false
		}
		if text, ok = s.say("in", fixed(map[string]words{"text": text, "zone": z})); !ok {
			return text, false
		}
	}
	return text, ok
}

// target is the env of an operation: {on} is what it changes.
func (s *speaker) target(on *term) env {
	r := &ref{on: on}
	return s.targetRef(r)
}

func (s *speaker) targetRef(r *ref) env {
	return func(hole, form string, _ bool) (words, bool) {
		if hole == "on" {
			return s.mention(r, r.on, form)
		}
		return words{}, false
	}
}

// changes words the operations of an effect on the same objects.
func (s *speaker) changes(on, c *term) (words, bool) {
	var ops []*term
	var while, until *term
	for i, k := range c.kids {
		switch c.lab[i] {
		case "op":
			ops = append(ops, k)
		case "until":
			if until != nil {
				return s.miss(k), false
			}
			until = k
		case "while":
			if while != nil {
				return s.miss(k), false
			}
			while = k
		default:
			return s.miss(k), false
		}
	}
	// Names added to or taken from one characteristic are said together.
	var merged []*term
	for _, op := range ops {
		if n := len(merged); n > 0 && (op.op == "op:add" || op.op == "op:remove") && merged[n-1].op == op.op &&
			equal(merged[n-1].part("char"), op.part("char")) && op.part("value") != nil {
			last := *merged[n-1]
			v := last.part("value")
			if v.op != "values" {
				v = node("values", v)
			} else {
				v = node("values", v.kids...)
			}
			v.kids = append(v.kids, op.part("value"))
			last.kids = append([]*term(nil), last.kids...)
			for i, l := range last.lab {
				if l == "value" {
					last.kids[i] = v
				}
			}
			merged[n-1] = &last
			continue
		}
		merged = append(merged, op)
	}
	target := &ref{on: on}
	if on.op == "id" && s.vars[on.text] != nil && s.vars[on.text].alias == nil {
		target = s.vars[on.text]
	}
	e := func(hole, form string, optional bool) (words, bool) {
		if hole != "on" {
			return words{}, false
		}
		return s.mention(target, on, form)
	}
	var list []words
	for _, op := range merged {
		w, ok := s.op(op, e)
		if !ok {
			return w, false
		}
		list = append(list, w)
	}
	text, ok := s.join(list, "also")
	if !ok {
		return text, false
	}
	return s.surround(text, while, nil, until)
}

// op words one operation.
func (s *speaker) op(op *term, e env) (words, bool) {
	if pat := op.part("pattern"); pat != nil {
		return s.pattern(op.op, pat, s.holes(binding{"body": op.part("body")}, nil))
	}
	t := s.subst(op)
	for _, p := range s.g.class["op"] {
		b := binding{}
		tmpl, ok := p.text[s.lang]
		if !ok || !s.match(p, p.pats[0], t, b) {
			continue
		}
		if w, ok := s.try(func() (words, bool) { return s.expand(tmpl, s.holes(b, e)) }); ok {
			return w, true
		}
	}
	return s.miss(op), false
}

// limits words once per …, or nothing.
func (s *speaker) limits(t *term) (words, bool) {
	if t == nil {
		return words{none: true}, true
	}
	if w, ok := s.phrasedIn("limit", s.subst(t), ""); ok {
		return w, true
	}
	return s.miss(t), false
}

// when words a triggered ability.
func (s *speaker) when(t *term) (words, bool) {
	if a := t.part("among"); a != nil {
		return s.miss(a), false
	}
	m := t.part("moment")
	moment, ok := s.pattern("when", m, nil)
	if !ok {
		return moment, false
	}
	limit, ok := s.limits(t.part("limit"))
	if !ok {
		return limit, false
	}
	parts := map[string]words{"moment": moment, "limit": limit}
	name := "when"
	if in := t.part("in"); in != nil {
		if parts["zone"], ok = s.word(in, ""); !ok {
			return words{}, false
		}
		name = "when in"
	}
	defer s.looking(actionName(m))()
	if parts["body"], ok = s.body(t.part("body")); !ok {
		return words{}, false
	}
	return s.say(name, fixed(parts))
}

// looking makes the roles of an action nameable until what it returns is called.
func (s *speaker) looking(action string) func() {
	was := s.action
	s.action = action
	return func() { s.action = was }
}

func actionName(m *term) string {
	if a := m.part("action"); a != nil {
		return a.text
	}
	return ""
}

// header words an ability under a header.
func (s *speaker) header(t *term) (words, bool) {
	h := s.g.headers[t.text]
	if h == nil {
		return s.miss(t), false
	}
	name, ok := s.display(&h.Decl, t)
	if !ok {
		return name, false
	}
	pat := node("pattern").with("action", ident(t.text)).with("where", t.part("where"))
	pat.span, pat.file = t.span, t.file
	head := name
	if t.part("where") == nil {
		ok = true
	} else if head, ok = s.pattern("header", pat, fixed(map[string]words{"header": name})); !ok {
		// No phrase of the header's own: the condition is added.
		_, of := s.roles("header", t.text)
		rest, ok := s.rest(of, conjuncts(s.subst(t.part("where"))))
		if !ok {
			return rest, false
		}
		s.missing = nil
		if head, ok = s.say("header where", fixed(map[string]words{"header": name, "rest": rest})); !ok {
			return head, false
		}
	}
	parts := map[string]words{"header": head}
	if parts["limit"], ok = s.limits(t.part("limit")); !ok {
		return words{}, false
	}
	name2 := "header"
	if in := t.part("in"); in != nil {
		if parts["zone"], ok = s.word(in, ""); !ok {
			return words{}, false
		}
		name2 = "header in"
	}
	if tr := h.Trigger.Moment.Action; tr >= 0 {
		defer s.looking(s.g.p.Actions[tr].Name)()
	}
	if parts["body"], ok = s.body(t.part("body")); !ok {
		return words{}, false
	}
	return s.say(name2, fixed(parts))
}

// roles lists the roles that a pattern's conditions can describe, by name, with
// their kinds, and the action whose attributes they can read.
func (s *speaker) roles(class, action string) (map[string]string, string) {
	var a *program.Action
	if class == "header" {
		h := &s.g.headers[action].Trigger
		i := h.Moment.Action
		if h.Among != nil {
			i = h.Among.T.ID
		}
		if i < 0 {
			return nil, action
		}
		a = s.g.p.Actions[i]
	} else if a = s.g.actions[action]; a == nil {
		return nil, action
	}
	out := map[string]string{}
	for _, r := range a.Roles {
		out[r.Name] = "" // a role that the data knows only by its name
		if r.Type.Base == program.IsObject && r.Type.ID >= 0 {
			out[r.Name] = s.g.p.Kinds[r.Type.ID].Name
		}
	}
	return out, a.Name
}

// pattern words a moment, or what a rules effect speaks of. The phrase that fits
// the most of its conditions wins; the conditions that its key does not write
// out describe the roles that its template names, and what is left is added
// where the template has {rest}.
func (s *speaker) pattern(class string, t *term, more env) (words, bool) {
	if t == nil {
		return words{}, false
	}
	t = s.subst(t)
	action := actionName(t)
	roles, of := s.roles(class, action)
	conds := conjuncts(t.part("where"))
	type found struct {
		p    *phrase
		b    binding
		rest []*term
	}
	var best []found
	for _, p := range s.g.class[class] {
		k := p.pats[0]
		if k.text != t.text || actionName(k) != action {
			continue
		}
		if _, ok := p.text[s.lang]; !ok {
			continue
		}
		b := binding{}
		if rest, ok := s.matchSome(p, conjuncts(k.part("where")), conds, b); ok {
			best = append(best, found{p, b, rest})
		}
	}
	for _, f := range best {
		tmpl := f.p.text[s.lang]
		described := map[string][]*term{}
		var rest []*term
	next:
		for _, c := range f.rest {
			for r := range roles {
				if c.mentions(r) && tmpl.uses(r) && s.onlyRole(c, r, roles) {
					described[r] = append(described[r], c.opened(r))
					continue next
				}
			}
			rest = append(rest, c)
		}
		if len(rest) > 0 && !tmpl.uses("rest") {
			continue
		}
		w, ok := s.try(func() (words, bool) {
			return s.expand(tmpl, s.holes(f.b, func(hole, form string, optional bool) (words, bool) {
				if kind, ok := roles[hole]; ok {
					return s.role(kind, described[hole], form, optional)
				}
				if hole == "rest" {
					return s.rest(of, rest)
				}
				if more != nil {
					return more(hole, form, optional)
				}
				return words{}, false
			}))
		})
		if ok {
			return w, true
		}
	}
	return s.miss(t), false
}

// onlyRole reports whether a condition speaks of one role alone.
func (s *speaker) onlyRole(c *term, role string, roles map[string]string) bool {
	for r := range roles {
		if r != role && c.mentions(r) {
			return false
		}
	}
	return true
}

func (s *speaker) role(kind string, conds []*term, form string, optional bool) (words, bool) {
	if len(conds) == 0 && optional {
		return words{none: true}, true
	}
	if len(conds) == 1 {
		if x := whole(conds[0]); x != nil {
			return s.word(x, form)
		}
	}
	if kind == "" {
		return words{}, false
	}
	t := node("each", ident(kind))
	if len(conds) > 0 {
		t.kids = append(t.kids, node("and", conds...))
	}
	return s.noun(t, form)
}

// rest words what is said of an action itself: "by your opponent's abilities".
func (s *speaker) rest(action string, conds []*term) (words, bool) {
	if len(conds) == 0 {
		return words{none: true}, true
	}
	var b strings.Builder
	for _, c := range conds {
		w, ok := s.phrasedIn("in "+action, c, "")
		if !ok {
			if w, ok = s.phrasedIn("in any", c, ""); !ok {
				if w, ok = s.word(c, ""); ok {
					w, ok = s.say("if it", fixed(map[string]words{"if": w}))
				}
			}
		}
		if !ok {
			return s.miss(c), false
		}
		b.WriteString(w.s)
	}
	return words{s: b.String()}, true
}

// body words instructions, sentence by sentence.
func (s *speaker) body(t *term) (words, bool) {
	if t == nil {
		return words{none: true}, true
	}
	list, ok := s.sentences(t)
	if !ok {
		return words{}, false
	}
	return s.join(list, "sentences")
}

func (s *speaker) sentences(t *term) ([]words, bool) {
	instrs := []*term{t}
	if t.op == "body" {
		instrs = t.kids
	}
	var out []words
	for i := 0; i < len(instrs); {
		w, n, ok := s.instr(instrs[i:])
		if !ok {
			return nil, false
		}
		if !w.none {
			out = append(out, w)
		}
		i += n
	}
	return out, true
}

// instr words the first of some instructions, or several of them together; it
// returns how many.
func (s *speaker) instr(list []*term) (words, int, bool) {
	if t := list[0]; strings.HasPrefix(t.op, "do:") && t.op != "do:effect" && t.part("until") != nil && t.part("body") == nil {
		short := *t // what is done until a moment is worded apart from the moment
		short.kids, short.lab = nil, nil
		for i, k := range t.kids {
			if t.lab[i] != "until" {
				short.with(t.lab[i], k)
			}
		}
		w, _, ok := s.instr([]*term{&short})
		if !ok {
			return w, 1, false
		}
		w, ok = s.surround(w, nil, nil, t.part("until"))
		return w, 1, ok
	}
	if t := list[0]; t.part("limit") != nil {
		short := *t
		short.kids, short.lab = nil, nil
		for i, k := range t.kids {
			if t.lab[i] != "limit" {
				short.with(t.lab[i], k)
			}
		}
		w, _, ok := s.instr([]*term{&short})
		if !ok {
			return w, 1, false
		}
		limit, ok := s.limits(t.part("limit"))
		if !ok {
			return limit, 1, false
		}
		w, ok = s.say("limited", fixed(map[string]words{"text": w, "limit": limit}))
		return w, 1, ok
	}
	for _, p := range s.g.class["do"] {
		tmpl, ok := p.text[s.lang]
		if !ok || len(p.pats) > len(list) {
			continue
		}
		b, fits := binding{}, true
		for i, k := range p.pats {
			if fits = s.match(p, k, s.subst(list[i]), b); !fits {
				break
			}
		}
		if !fits {
			continue
		}
		w, ok := s.try(func() (words, bool) { return s.expand(tmpl, s.holes(b, nil)) })
		if ok {
			return w, len(p.pats), true
		}
	}
	w, ok := s.construct(list[0])
	return w, 1, ok
}

// bind gives a choice its name.
func (s *speaker) bind(t *term, r *ref) {
	s.vars[t.part("var").text] = r
	s.bound = append(s.bound, bound{r, t})
}

// allowed words what somebody may do. What does not tell a person to do
// something is worded as something to be let happen.
func (s *speaker) allowed(t *term) ([]words, bool) {
	said, binds := s.said, len(s.bound)
	s.said = make(map[*ref]bool, len(said))
	for k, v := range said {
		s.said[k] = v
	}
	body, ok := s.sentences(t)
	if !ok || len(body) == 0 || body[0].todo {
		return body, ok
	}
	s.said, s.bound = said, s.bound[:binds]
	s.plain = true
	plain, ok := s.sentences(t)
	s.plain = false
	if !ok {
		return nil, false
	}
	body[0], ok = s.say("let", fixed(map[string]words{"body": plain[0]}))
	return body, ok
}

// construct words the instructions that hold others, and those that only bind a
// name.
func (s *speaker) construct(t *term) (words, bool) {
	switch t.op {
	case "do:choose":
		if by := t.part("by"); by != nil && !(by.op == "id" && by.text == "you") {
			return s.miss(t), false
		}
		from := t.part("from")
		if from == nil || !s.isList(s.subst(from)) {
			return s.miss(t), false
		}
		r := &ref{from: s.subst(from), chance: t.part("chance") != nil}
		if n := t.part("min"); n != nil {
			if t.part("max") != nil {
				return s.miss(t), false
			}
			if n.op != "num" || n.text != "1" {
				r.count = s.subst(n)
			}
		}
		s.bind(t, r)
		return words{none: true}, true
	case "do:record":
		if path := t.part("path"); path.op == "id" {
			v := s.subst(t.part("value"))
			if v.op == "var" {
				s.vars[path.text] = s.vars[v.text]
			} else {
				s.vars[path.text] = &ref{alias: v}
			}
			return words{none: true}, true
		}
	case "do:may":
		body, ok := s.allowed(t.part("body"))
		if !ok || len(body) == 0 {
			return s.miss(t), false
		}
		by := t.part("by")
		if by == nil {
			by = ident("you")
		}
		who, ok := s.word(by, "")
		if !ok {
			return who, false
		}
		if t.part("else") != nil {
			all, ok := s.join(body, "sentences")
			if !ok {
				return all, false
			}
			other, ok := s.body(t.part("else"))
			if !ok {
				return other, false
			}
			return s.say("may else", fixed(map[string]words{"by": who, "body": all, "else": other}))
		}
		if len(body) == 1 {
			return s.say("may", fixed(map[string]words{"by": who, "body": body[0]}))
		}
		rest, ok := s.join(body[1:], "sentences")
		if !ok {
			return rest, false
		}
		return s.say("may then", fixed(map[string]words{"by": who, "first": body[0], "rest": rest}))
	case "do:either":
		var list []words
		for i, o := range t.kids {
			if t.lab[i] != "option" {
				return s.miss(o), false
			}
			title := o.part(s.lang)
			body, ok := s.body(o.part("body"))
			if !ok {
				return body, false
			}
			if title != nil {
				if body, ok = s.say("option", fixed(map[string]words{"title": {s: title.text}, "body": body})); !ok {
					return body, false
				}
			}
			list = append(list, body)
		}
		all, ok := s.join(list, "options")
		if !ok {
			return all, false
		}
		return s.say("either", fixed(map[string]words{"options": all}))
	case "do:if":
		cond, ok := s.word(t.part("if"), "")
		if !ok {
			return cond, false
		}
		body, ok := s.body(t.part("body"))
		if !ok {
			return body, false
		}
		if t.part("else") == nil {
			return s.say("if", fixed(map[string]words{"if": cond, "body": body}))
		}
		other, ok := s.body(t.part("else"))
		if !ok {
			return other, false
		}
		return s.say("if else", fixed(map[string]words{"if": cond, "body": body, "else": other}))
	case "do:for":
		s.bind(t, &ref{from: s.subst(t.part("from")), each: true})
		body, ok := s.body(t.part("body"))
		if !ok {
			return body, false
		}
		if by := t.part("ordered"); by != nil {
			who, ok := s.word(by, "")
			if !ok {
				return who, false
			}
			return s.say("ordered", fixed(map[string]words{"body": body, "by": who}))
		}
		return body, true
	case "do:repeat":
		n := t.part("times")
		if n == nil {
			return s.miss(t), false
		}
		return s.say("repeat", s.holes(binding{"times": n, "body": t.part("body")}, nil))
	case "do:together":
		return s.body(t.part("body"))
	case "do:effect":
		if !t.only("on", "until", "while", "changes") {
			return s.miss(t), false
		}
		on := t.part("on")
		if on == nil {
			on = ident("self")
		}
		text, ok := s.changes(on, t.part("changes"))
		if !ok {
			return text, false
		}
		return s.surround(text, t.part("while"), nil, t.part("until"))
	case "do:later":
		m := t.part("moment")
		moment, ok := s.pattern("when", m, nil)
		if !ok {
			return moment, false
		}
		defer s.looking(actionName(m))()
		body, ok := s.body(t.part("body"))
		if !ok {
			return body, false
		}
		return s.say("later", fixed(map[string]words{"moment": moment, "body": body}))
	}
	return s.miss(t), false
}
