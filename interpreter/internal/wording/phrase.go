package wording

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// phrase is a phrase declaration made ready: what it fits, and its templates.
type phrase struct {
	key    string
	class  string // what is worded by it: "expr", "where", "do", "op", "say" …
	form   string // the form asked for: "many", "a" …; "" for the plain one
	at     int    // where: how near to the noun it stands
	pats   []*term
	types  map[string]string // of typed holes
	weight int
	text   map[string]template
}

var (
	holeRE = regexp.MustCompile(`\{([a-z][a-z0-9_]*)(?::\s*([^{}]+?))?\}`)
	asRE   = regexp.MustCompile(`\s+as ([a-z]+)$`)
	atRE   = regexp.MustCompile(`\s+at ([0-9]+)$`)
	hostRE = regexp.MustCompile(`^(\w+) is \{x: ([^{}]+)\}$`)
)

// compile reads a phrase's key. It reports whether the key can be read.
func (g *Generator) compile(d *program.Phrase) (*phrase, bool) {
	p := &phrase{key: d.Key, types: map[string]string{}, text: map[string]template{}}
	for _, t := range d.Texts {
		p.text[t.Lang] = parseTemplate(t.Value)
	}
	key := strings.TrimSpace(d.Key)
	if m := atRE.FindStringSubmatch(key); m != nil && (strings.HasPrefix(key, "where ") || strings.HasPrefix(key, "say ")) {
		p.at, _ = strconv.Atoi(m[1])
		key = strings.TrimSuffix(key, m[0])
	}
	if form, ok := strings.CutPrefix(key, "say as "); ok {
		p.class = "say as " + form
		return p, true
	}
	if m := asRE.FindStringSubmatch(key); m != nil {
		p.form = m[1]
		key = strings.TrimSuffix(key, m[0])
	}
	if rest, ok := strings.CutPrefix(key, "say "); ok {
		p.class = "say " + rest
		return p, true
	}
	if rest, ok := strings.CutPrefix(key, "mend "); ok {
		p.class, p.key, p.weight = "mend", rest, len(rest)
		return p, true
	}
	if m := hostRE.FindStringSubmatch(strings.TrimPrefix(key, "where ")); m != nil && strings.HasPrefix(key, "where ") {
		p.class, p.types["x"], p.weight = "host "+m[1], m[2], 1
		return p, true
	}
	key = holeRE.ReplaceAllStringFunc(key, func(s string) string {
		m := holeRE.FindStringSubmatch(s)
		if m[2] != "" {
			p.types[m[1]] = m[2]
		}
		return holePrefix + m[1]
	})
	r := &reader{keywords: g.isKeyword}
	snippet := func(text string) *grammar.RuleLine {
		var l diag.List
		f := grammar.Parse(source.NewFile("phrase", "card Zq {\n"+text+"\n}\n"), &l)
		if l.Errors() > 0 || len(f.Decls) != 1 || len(f.Decls[0].Rules.Lines) != 1 {
			return nil
		}
		return f.Decls[0].Rules.Lines[0]
	}
	expr := func(text string) *term {
		if l := snippet("always while " + text + ": strip zq"); l != nil && l.Always != nil && l.Always.Changes != nil {
			return r.expr(l.Always.While)
		}
		return nil
	}
	switch {
	case strings.HasPrefix(key, "do:"):
		p.class = "do"
		if l := snippet("Zq {\n" + strings.TrimPrefix(key, "do:") + "\n}"); l != nil && l.Phrase != nil && l.Phrase.Body != nil {
			p.pats = r.body(l.Phrase.Body).kids
		}
	case strings.HasPrefix(key, "always"):
		if strings.HasPrefix(key, "always: instead of ") {
			key += ": zq" // what happens instead is no part of the key
		}
		l := snippet(key)
		if l == nil || l.Always == nil {
			return p, false
		}
		a := l.Always
		if a.On != nil || a.While != nil || a.In != nil {
			p.class, p.pats = "line", []*term{r.always(a)}
			break
		}
		c := r.changes(a.Changes)
		if len(c.kids) != 1 || c.lab[0] != "op" {
			return p, false
		}
		op := c.kids[0]
		p.class, p.pats = "op", []*term{op}
		if pat := op.part("pattern"); pat != nil {
			p.class, p.pats = op.op, []*term{pat}
		}
	case strings.HasPrefix(key, "when "), strings.HasPrefix(key, "until "):
		p.class, key, _ = strings.Cut(key, " ")
		if l := snippet("when " + key + ": zq"); l != nil && l.When != nil {
			if m := r.moment(l.When.Moment); m != nil {
				p.pats = []*term{m}
			}
		}
	case strings.HasPrefix(key, "once per "), strings.HasPrefix(key, "limit "):
		p.class = "limit"
		if l := snippet("when zq " + key + ": zq"); l != nil && l.When != nil && l.When.Limit != nil {
			p.pats = []*term{r.limit(l.When.Limit)}
		}
	case strings.HasPrefix(key, "where "):
		p.class = "where"
		if t := expr(strings.TrimPrefix(key, "where ")); t != nil {
			p.pats = conjuncts(t)
		}
	case strings.HasPrefix(key, "in ") && strings.Contains(key, ":"):
		class, cond, _ := strings.Cut(key, ":")
		p.class = class
		if t := expr(strings.TrimSpace(cond)); t != nil {
			p.pats = []*term{t}
		}
	default:
		head, cond, _ := strings.Cut(key, " where ")
		if _, ok := g.headers[head]; ok {
			p.class = "header"
			pat := node("pattern").with("action", ident(head))
			if cond != "" {
				w := expr(cond)
				if w == nil {
					return p, false
				}
				pat.with("where", w)
			}
			p.pats = []*term{pat}
			break
		}
		p.class = "expr"
		if l := snippet("always on " + key + ": strip zq"); l != nil && l.Always != nil && l.Always.On != nil && l.Always.On.Each != nil {
			p.pats = []*term{r.source(l.Always.On)}
		} else if t := expr(key); t != nil {
			p.pats = []*term{t}
		}
	}
	for _, t := range p.pats {
		p.weight += p.weigh(t)
	}
	return p, len(p.pats) > 0
}

// weigh says how specific a key is: what is written out counts most, a hole
// with a type a little.
func (p *phrase) weigh(t *term) int {
	switch {
	case t == nil:
		return 0
	case t.op == "hole":
		if p.types[t.text] != "" {
			return 1
		}
		return 0
	}
	n := 3
	for _, k := range t.kids {
		n += p.weigh(k)
	}
	return n
}

// binding is what the holes of a key stand for.
type binding map[string]*term

// match fits a key's term to a term of the rules.
func (s *speaker) match(p *phrase, k, t *term, b binding) bool {
	if k == nil || t == nil {
		return k == t
	}
	if k.op == "hole" {
		if old, ok := b[k.text]; ok {
			return equal(old, t)
		}
		if want := p.types[k.text]; want != "" && !s.isA(t, want) {
			return false
		}
		if want := p.types[k.text]; t.op == "id" && (want == "keyword" || want == "token" || want == "zone") {
			c := *t // a name that is of several categories is of this one
			c.op = want
			t = &c
		}
		b[k.text] = t
		return true
	}
	if k.op == "body" && len(k.kids) == 1 && k.kids[0].op == "hole" && t.op == "body" {
		return s.match(p, k.kids[0], t, b)
	}
	if k.op != t.op || k.text != t.text || len(k.kids) != len(t.kids) {
		return false
	}
	switch {
	case k.op == "==" || k.op == "!=":
		c := binding{}
		for n, v := range b {
			c[n] = v
		}
		if s.match(p, k.kids[0], t.kids[0], c) && s.match(p, k.kids[1], t.kids[1], c) {
			for n, v := range c {
				b[n] = v
			}
			return true
		}
		return s.match(p, k.kids[0], t.kids[1], b) && s.match(p, k.kids[1], t.kids[0], b)
	case k.op == "and":
		rest, ok := s.matchSome(p, k.kids, t.kids, b)
		return ok && len(rest) == 0
	}
	for i := range k.kids {
		if len(k.lab) > i && (len(t.lab) <= i || k.lab[i] != t.lab[i]) {
			return false
		}
		if !s.match(p, k.kids[i], t.kids[i], b) {
			return false
		}
	}
	return true
}

// matchSome fits each key to a condition of its own and returns the conditions
// that are left.
func (s *speaker) matchSome(p *phrase, keys, conds []*term, b binding) ([]*term, bool) {
	if len(keys) == 0 {
		return conds, true
	}
	for i, t := range conds {
		c := binding{}
		for n, v := range b {
			c[n] = v
		}
		if !s.match(p, keys[0], t, c) {
			continue
		}
		rest := append(append([]*term(nil), conds[:i]...), conds[i+1:]...)
		if left, ok := s.matchSome(p, keys[1:], rest, c); ok {
			for n, v := range c {
				b[n] = v
			}
			return left, true
		}
	}
	return conds, false
}

// template is a text with holes, as parsed.
type template []piece

type piece struct {
	lit      string
	hole     string
	form     string
	one      template // {hole|one|many}
	many     template
	choice   bool
	optional template // [ … ]: left out where a hole in it stands for nothing
	cap      bool     // ^: what comes next begins with a capital
	plural   bool     // {+}: the whole counts as many
	order    bool     // {!}: the whole tells somebody to do something
	gap      bool     // ~: a space, unless letters of one script meet
}

// parseTemplate reads a template; what it can't read stays as it is.
func parseTemplate(s string) template {
	t, _ := parsePieces(s, 0)
	return t
}

func parsePieces(s string, depth int) (template, string) {
	var out template
	lit := ""
	flush := func() {
		if lit != "" {
			out = append(out, piece{lit: lit})
			lit = ""
		}
	}
	for s != "" {
		c := s[0]
		switch {
		case c == '{' && closing(s) > 0:
			flush()
			end := closing(s)
			in := s[1:end]
			s = s[end+1:]
			if in == "+" {
				out = append(out, piece{plural: true})
				continue
			}
			if in == "!" {
				out = append(out, piece{order: true})
				continue
			}
			if parts := strings.Split(in, "|"); len(parts) == 3 {
				out = append(out, piece{hole: parts[0], one: parseTemplate(parts[1]), many: parseTemplate(parts[2]), choice: true})
				continue
			}
			name, form, _ := strings.Cut(in, ":")
			out = append(out, piece{hole: name, form: form})
		case c == '[':
			flush()
			var in template
			in, s = parsePieces(s[1:], depth+1)
			out = append(out, piece{optional: in})
		case c == ']' && depth > 0:
			flush()
			return out, s[1:]
		case c == '^':
			flush()
			out = append(out, piece{cap: true})
			s = s[1:]
		case c == '~':
			flush()
			out = append(out, piece{gap: true})
			s = s[1:]
		default:
			lit += s[:1]
			s = s[1:]
		}
	}
	flush()
	return out, ""
}

// closing finds the brace that closes the one that s begins with.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// uses reports whether a template has a hole.
func (t template) uses(hole string) bool {
	for _, p := range t {
		if p.hole == hole || p.optional.uses(hole) || p.one.uses(hole) || p.many.uses(hole) {
			return true
		}
	}
	return false
}

// holes lists the holes of a template that must stand for something.
func (t template) holes(out map[string]bool) {
	for _, p := range t {
		if p.hole != "" {
			out[p.hole] = true
		}
		p.optional.holes(out)
	}
}

func sortPhrases(list []*phrase) {
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].weight != list[j].weight {
			return list[i].weight > list[j].weight
		}
		return list[i].key < list[j].key
	})
}
