package diff

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter"
)

// name is a name that became another.
type name struct {
	head     string
	old, new string
}

// in reports whether a declaration speaks of the old name where it now has the new.
func (n name) in(old, new *def) bool {
	return !sameTokens(old.toks, new.toks, nil) && mentions(old, n.old)
}

func mentions(d *def, word string) bool {
	first, _, _ := strings.Cut(word, " ")
	for _, t := range d.toks {
		if t.Text == first || t.Kind == grammar.String && strings.Contains(t.Text, word) {
			return true
		}
	}
	return false
}

// renames finds declarations that are gone and came back under another name: those
// that say the same but for it, and those that are nearly the same.
func renames(gone, come []*def) (names []name, pairs [][2]*def, left, fresh []*def) {
	take := func(old, new *def) {
		names = append(names, name{old.id.Head, old.id.Name, new.id.Name})
		pairs = append(pairs, [2]*def{old, new})
	}
	byShape := map[string][]*def{}
	for _, d := range come {
		byShape[shape(d)] = append(byShape[shape(d)], d)
	}
	taken := map[*def]bool{}
	for _, d := range gone {
		if list := byShape[shape(d)]; len(list) > 0 && d.id.Name != "" {
			byShape[shape(d)] = list[1:]
			taken[d], taken[list[0]] = true, true
			take(d, list[0])
		}
	}
	rest := func(list []*def) []*def {
		return slices.DeleteFunc(slices.Clone(list), func(d *def) bool { return taken[d] })
	}
	left, fresh = rest(gone), rest(come)
	if len(left)*len(fresh) <= 40_000 {
		for {
			best, x, y := 0.75, (*def)(nil), (*def)(nil)
			for _, g := range left {
				for _, c := range fresh {
					if g.id.Head == c.id.Head && g.id.Name != "" && c.id.Name != "" && len(g.toks) > 8 {
						if s := alike(g, c); s > best {
							best, x, y = s, g, c
						}
					}
				}
			}
			if x == nil {
				break
			}
			taken[x], taken[y] = true, true
			take(x, y)
			left, fresh = rest(left), rest(fresh)
		}
	}
	return names, pairs, left, fresh
}

// shape is what a declaration says when its name is left out.
func shape(d *def) string {
	var b strings.Builder
	b.WriteString(d.id.Head + "\x00" + d.id.Of + "\x00" + d.section)
	for i := range d.clauses {
		for _, t := range d.clauses[i].toks {
			text := t.Text
			if text == d.id.Name {
				text = "\x03"
			} else if t.Kind == grammar.String && len(d.id.Name) > 2 {
				text = strings.ReplaceAll(text, d.id.Name, "\x03")
			}
			b.WriteByte('\x01')
			b.WriteByte(byte('0' + t.Kind))
			b.WriteString(text)
		}
		b.WriteByte('\n')
		b.WriteByte(byte('a' + min(d.clauses[i].depth, 25)))
		b.WriteString(d.clauses[i].margin())
	}
	return b.String()
}

// sameBut reports whether two declarations say the same but for names that became
// others.
func sameBut(a, b *def, names []name) bool {
	if len(a.clauses) != len(b.clauses) || a.section != b.section {
		return false
	}
	for i := range a.clauses {
		if a.clauses[i].margin() != b.clauses[i].margin() || a.clauses[i].depth != b.clauses[i].depth ||
			!sameTokens(a.clauses[i].toks, b.clauses[i].toks, names) {
			return false
		}
	}
	return true
}

// sameTokens is sameBut for tokens.
func sameTokens(a, b []grammar.Token, names []name) bool {
	i, k := 0, 0
next:
	for i < len(a) && k < len(b) {
		if a[i].Kind == b[k].Kind && a[i].Text == b[k].Text {
			i, k = i+1, k+1
			continue
		}
		for _, n := range names {
			if x, y := begins(a[i:], n.old), begins(b[k:], n.new); x > 0 && y > 0 {
				i, k = i+x, k+y
				continue next
			}
		}
		if a[i].Kind == grammar.String && b[k].Kind == grammar.String {
			text := a[i].Text
			for _, n := range names {
				text = strings.ReplaceAll(text, n.old, n.new)
			}
			if text == b[k].Text {
				i, k = i+1, k+1
				continue
			}
		}
		return false
	}
	return i == len(a) && k == len(b)
}

// begins is how many tokens at the beginning of a list are a name, or 0.
func begins(toks []grammar.Token, text string) int {
	if len(toks) > 0 && toks[0].Text == text {
		return 1
	}
	words := strings.Split(text, " ")
	if len(words) < 2 || len(words) > len(toks) {
		return 0
	}
	for i, w := range words {
		if toks[i].Text != w {
			return 0
		}
	}
	return len(words)
}

// locals are the names that a declaration gives to things of its own.
func locals(d *def) map[string]bool {
	out := map[string]bool{}
	for _, c := range d.clauses {
		for i, t := range c.toks {
			if i == 0 || t.Kind != grammar.Word && t.Kind != grammar.Ident {
				continue
			}
			last := c.toks[i-1]
			after := func(text string) bool { return i+1 < len(c.toks) && c.toks[i+1].Text == text }
			switch {
			case last.Text == "record" && after("="), last.Text == "for" && after("in"), last.Text == "choose" && after("from"),
				last.Kind == grammar.Int && after("from"), // choose 2 x from
				last.Text == "to" && i >= 2 && c.toks[i-2].Text == "granted",
				(last.Text == "(" || last.Text == ",") && after(":"):
				out[t.Text] = true
			}
		}
	}
	return out
}

// private reports whether two declarations say the same but for names that they give
// to things of their own, and which became which.
func private(a, b *def) (names [][2]string, ok bool) {
	if len(a.clauses) != len(b.clauses) || a.section != b.section {
		return nil, false
	}
	to, from := map[string]string{}, map[string]string{}
	inA, inB := locals(a), locals(b)
	for i := range a.clauses {
		x, y := &a.clauses[i], &b.clauses[i]
		if len(x.toks) != len(y.toks) || x.depth != y.depth || x.margin() != y.margin() {
			return nil, false
		}
		for k := range x.toks {
			s, t := x.toks[k], y.toks[k]
			word := func(t grammar.Token) bool { return t.Kind == grammar.Word || t.Kind == grammar.Ident }
			switch {
			case s.Kind == grammar.String && t.Kind == grammar.String:
			case word(s) && word(t) && inA[s.Text] && inB[t.Text]:
				if _, known := to[s.Text]; !known {
					if _, known := from[t.Text]; known {
						return nil, false
					}
					to[s.Text], from[t.Text] = t.Text, s.Text
					if s.Text != t.Text {
						names = append(names, [2]string{s.Text, t.Text})
					}
				}
				if to[s.Text] != t.Text {
					return nil, false
				}
			case s.Kind != t.Kind || s.Text != t.Text || from[t.Text] != "" && from[t.Text] != s.Text:
				return nil, false
			}
		}
	}
	for i := range a.clauses { // texts speak of them in braces
		for k, s := range a.clauses[i].toks {
			if s.Kind != grammar.String {
				continue
			}
			var pairs []string
			for _, n := range names {
				pairs = append(pairs, "{"+n[0]+"}", "{"+n[1]+"}")
			}
			if strings.NewReplacer(pairs...).Replace(s.Text) != b.clauses[i].toks[k].Text {
				return nil, false
			}
		}
	}
	return names, len(names) > 0
}

// lines finds the clauses in which two declarations differ.
func lines(a, b *def, names []name) []Line {
	x, y := a.clauses, b.clauses
	same := func(i, k int) bool {
		return x[i].key == y[k].key || x[i].depth == y[k].depth && sameTokens(x[i].toks, y[k].toks, names)
	}
	var out []Line
	pair := func(i, k int) { // the same but for the margin
		if x[i].margin() != y[k].margin() {
			l := b.line(nil, &y[k])
			l.Old, l.Cited = l.New, x[i].margin()
			l.Rules = addRefs(slices.Clone(x[i].refs), y[k].refs...)
			out = append(out, l)
		}
	}
	gap := func(i0, i1, k0, k1 int) {
		gone, come := []int{}, []int{}
		for i := i0; i < i1; i++ {
			gone = append(gone, i)
		}
		for k := k0; k < k1; k++ {
			come = append(come, k)
		}
		for _, k := range come {
			best, at := 0.34, -1
			for n, i := range gone {
				if s := near(&x[i], &y[k]); s > best {
					best, at = s, n
				}
			}
			if at < 0 {
				out = append(out, b.line(nil, &y[k]))
				continue
			}
			l := b.line(&x[gone[at]], &y[k])
			if m := x[gone[at]].margin(); m != l.Cites {
				l.Cited = m
			}
			out = append(out, l)
			gone = slices.Delete(gone, at, at+1)
		}
		for _, i := range gone {
			out = append(out, a.line(&x[i], nil))
		}
	}
	i0, k0 := 0, 0
	for _, m := range common(len(x), len(y), same) {
		gap(i0, m[0], k0, m[1])
		pair(m[0], m[1])
		i0, k0 = m[0]+1, m[1]+1
	}
	gap(i0, len(x), k0, len(y))
	if a.section != b.section {
		out = append(out, Line{Old: "provisional " + a.section, New: "provisional " + b.section, Place: interpreter.PlaceOf(b.span)})
	}
	return out
}

// line is a clause that changed; d is what the one that is left stands in.
func (d *def) line(old, new *clause) Line {
	l := Line{}
	c := new
	if new == nil {
		c = old
	}
	if c.in > 0 {
		l.In = d.clauses[c.in].text()
	}
	if old != nil {
		l.Old = old.text()
		l.Rules = addRefs(l.Rules, old.refs...)
	}
	if new != nil {
		l.New = new.text()
		l.Rules = addRefs(l.Rules, new.refs...)
		l.Cites = new.margin()
	} else {
		l.Cited = old.margin()
	}
	if len(c.toks) > 0 {
		l.Place = interpreter.PlaceOf(c.toks[0].Span)
	}
	return l
}

// near is how much of two clauses is the same, from 0 to 1.
func near(a, b *clause) float64 {
	if a.depth != b.depth || len(a.toks) == 0 || len(b.toks) == 0 {
		return 0
	}
	n := 0
	have := map[string]int{}
	for _, t := range a.toks {
		have[t.Text]++
	}
	for _, t := range b.toks {
		if have[t.Text] > 0 {
			have[t.Text]--
			n++
		}
	}
	s := 2 * float64(n) / float64(len(a.toks)+len(b.toks))
	if a.toks[0].Text == b.toks[0].Text {
		s += 0.2
	}
	return s
}

// common finds a longest common subsequence, as pairs of places. Very long ones are
// only compared at both ends.
func common(n, m int, same func(i, k int) bool) [][2]int {
	var head, tail [][2]int
	i := 0
	for i < n && i < m && same(i, i) {
		head = append(head, [2]int{i, i})
		i++
	}
	n1, m1 := n, m
	for n1 > i && m1 > i && same(n1-1, m1-1) {
		n1, m1 = n1-1, m1-1
		tail = append(tail, [2]int{n1, m1})
	}
	slices.Reverse(tail)
	w, h := m1-i, n1-i
	if w == 0 || h == 0 || w*h > 4_000_000 {
		return append(head, tail...)
	}
	best := make([]int32, (h+1)*(w+1))
	for a := h - 1; a >= 0; a-- {
		for b := w - 1; b >= 0; b-- {
			if same(i+a, i+b) {
				best[a*(w+1)+b] = best[(a+1)*(w+1)+b+1] + 1
			} else {
				best[a*(w+1)+b] = max(best[(a+1)*(w+1)+b], best[a*(w+1)+b+1])
			}
		}
	}
	for a, b := 0, 0; a < h && b < w; {
		switch {
		case same(i+a, i+b):
			head = append(head, [2]int{i + a, i + b})
			a, b = a+1, b+1
		case best[(a+1)*(w+1)+b] >= best[a*(w+1)+b+1]:
			a++
		default:
			b++
		}
	}
	return append(head, tail...)
}
