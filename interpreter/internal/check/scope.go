package check

import (
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// scope is what an expression can name.
type scope struct {
	self     program.Type // unknown where there is no self
	you      bool
	frame    *frame
	open     []opener // candidates and elements, outermost first
	act      int      // the action whose roles and attributes are bare names, or -1
	hits     int      // the action that hits are, or -1
	before   bool     // act is looked at as the group in which it happened was judged
	inCase   bool
	replaces bool   // in the body of instead of, where act can proceed
	granted  bool   // in what a keyword does as it is granted
	gate     bool   // read while the action is judged, before its attributes are fixed
	left     *left  // in a body that runs as its source has left, or nil
	printed  string // in a printed value: its type
	outer    int    // how many of open were opened before the action was looked at
}

// opener is something whose members are bare names (a candidate), or that is
// written # (the element of a predicate).
type opener struct {
	t     program.Type
	level int
	pred  bool
}

// frame is the locals that a routine can name.
type frame struct {
	names  []string
	types  []program.Type
	spans  []source.Span // where each was named
	used   []bool
	chosen []chosen
	taken  map[string]bool // names that could not be given
}

// chosen remembers the filter by which a local was chosen.
type chosen struct {
	ok    bool
	kind  int
	where *program.Node
}

func newScope() *scope { return &scope{frame: &frame{}, act: -1, hits: -1} }

// with returns a copy whose openers can grow by themselves.
func (s *scope) with() *scope {
	c := *s
	c.open = append([]opener(nil), s.open...)
	return &c
}

// looking returns a copy in which the roles of an action are bare names.
func (s *scope) looking(action int) *scope {
	c := s.with()
	c.act, c.before, c.replaces = action, false, false
	c.outer = len(c.open)
	if c.left != nil && c.left.object { // the role is another action's
		l := *c.left
		l.object, c.left = false, &l
	}
	return c
}

func (s *scope) push(t program.Type, pred bool) {
	s.open = append(s.open, opener{t: t, level: len(s.open), pred: pred})
}

func (s *scope) pop() { s.open = s.open[:len(s.open)-1] }

func (s *scope) candidate() *opener {
	for i := len(s.open) - 1; i >= 0; i-- {
		if !s.open[i].pred {
			return &s.open[i]
		}
	}
	return nil
}

func (f *frame) find(name string) (int, bool) {
	for i := len(f.names) - 1; i >= 0; i-- {
		if f.names[i] == name {
			return i, true
		}
	}
	return 0, false
}

func (f *frame) add(name string, t program.Type) int {
	f.names = append(f.names, name)
	f.types = append(f.types, t)
	f.used = append(f.used, false)
	f.spans = append(f.spans, source.Span{})
	f.chosen = append(f.chosen, chosen{})
	return len(f.names) - 1
}

func (f *frame) read(slot int) { f.used[slot] = true }

// fork copies the frame for a body that is kept for later: what the outer body
// names afterwards is not seen by it.
func (f *frame) fork() *frame {
	return &frame{
		names:  append([]string(nil), f.names...),
		types:  append([]program.Type(nil), f.types...),
		spans:  append([]source.Span(nil), f.spans...),
		used:   append([]bool(nil), f.used...),
		chosen: append([]chosen(nil), f.chosen...),
		taken:  f.taken,
	}
}

// mark passes on to f what a fork of it has read.
func (f *frame) mark(fork *frame) {
	for i := range f.used {
		f.used[i] = f.used[i] || fork.used[i]
	}
}
