package wording

import (
	"fmt"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// Until words the end of an effect, as rule data writes it behind `until`, with the
// words for names in it that stand for known things. It reports false where no
// phrase fits.
func (g *Generator) Until(moment string, names map[string]string, lang string) (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var l diag.List
	f := grammar.Parse(source.NewFile("until", "case \"until\" {\n  effect on it until "+moment+": lock it\n}\n"), &l)
	if len(l.Sorted()) > 0 || len(f.Decls) != 1 || f.Decls[0].Case == nil || len(f.Decls[0].Case.Lines) != 1 {
		return "", false
	}
	in := f.Decls[0].Case.Lines[0].Instr
	if in == nil || in.Moment == nil {
		return "", false
	}
	s := g.speaker(lang)
	s.names = names
	w, ok := s.pattern("until", g.read.moment(in.Moment), nil)
	if !ok {
		return "", false
	}
	return s.finish(w), true
}

// Moment words what a triggered ability waits for, by the place of the ability. It
// reports false for one that is not a line of rule text, and where no phrase fits.
func (g *Generator) Moment(at source.Span, lang string) (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at.File == nil {
		return "", false
	}
	for _, d := range g.file(at.File).Decls {
		if d.Rules == nil || d.Start > at.Start || d.End < at.End {
			continue
		}
		for _, l := range d.Rules.Lines {
			if l.When == nil || l.When.Span != at {
				continue
			}
			s := g.speaker(lang)
			for i := range d.Rules.Params { // they stand for themselves
				name := d.Rules.Params[i].Name.Text
				if s.names == nil {
					s.names = map[string]string{}
				}
				s.names[name] = name
			}
			w, ok := s.pattern("when", g.read.moment(l.When.Moment), nil)
			if !ok {
				return "", false
			}
			return s.finish(w), true
		}
	}
	return "", false
}

// Limit words how often something may be done in each action of a name: once, or n
// times. It reports false where no phrase fits.
func (g *Generator) Limit(n int64, once bool, per, lang string) (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	text := fmt.Sprintf("limit %d per %s", n, per)
	if once {
		text = "once per " + per
	}
	var l diag.List
	f := grammar.Parse(source.NewFile("limit", "keyword Limit {\n  when "+per+" "+text+": draw\n}\n"), &l)
	if len(f.Decls) != 1 || f.Decls[0].Rules == nil || len(f.Decls[0].Rules.Lines) != 1 || f.Decls[0].Rules.Lines[0].When == nil {
		return "", false
	}
	w, ok := g.speaker(lang).limits(g.read.limit(f.Decls[0].Rules.Lines[0].When.Limit))
	if !ok || w.none {
		return "", false
	}
	return w.s, true
}
