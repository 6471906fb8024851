package wording

import (
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
