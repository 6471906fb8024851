package eval

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Filter is a condition on candidates, taken apart at its ands. Where it asks
// whether a candidate is in a list, and the list hangs on no candidate, the list
// is worked out once, as the first candidate comes to it.
type Filter []condition

type condition struct {
	f    Int
	list List // the candidate is in it; nil if f asks
}

// Filter compiles a condition on the candidate of a level.
func (c *Code) Filter(where *program.Node, level int64) Filter {
	var out Filter
	for _, k := range conjuncts(where) {
		out = append(out, c.condition(k, level))
	}
	return out
}

func (c *Code) condition(n *program.Node, level int64) condition {
	if n.Op == program.OpInList && n.Kids[0].Op == program.OpElem && n.Kids[0].N == level && !mentions(n.Kids[1], level) {
		return condition{list: c.List(n.Kids[1])}
	}
	return condition{f: c.Int(n)}
}

// kept says where a list that was worked out for a filter lies among Env.kept;
// at is -1 before it is.
type kept struct{ at, n int }

// Keeps reports whether the filter has lists to keep, so that Begin and End must
// stand around its use.
func (f Filter) Keeps() bool {
	return slices.ContainsFunc(f, func(c condition) bool { return c.list != nil })
}

// Around is what Begin found, for End to put back.
type Around struct{ filter, lists int }

// Begin makes ready for candidates.
func (f Filter) Begin(e *Env) Around {
	old := Around{e.filter, len(e.kept)}
	e.filter = len(e.filters)
	for range f {
		e.filters = append(e.filters, kept{at: -1})
	}
	return old
}

// End forgets the lists.
func (f Filter) End(e *Env, old Around) {
	e.filters, e.kept = e.filters[:e.filter], e.kept[:old.lists]
	e.filter = old.filter
}

// Pass reports whether a candidate, which is on the stack, fits.
func (f Filter) Pass(e *Env, o int64) bool {
	mark := len(e.lists)
	for i := range f {
		ok := false
		if c := &f[i]; c.list != nil {
			ok = slices.Contains(e.keptList(e.filter+i, c.list), o)
		} else {
			ok = c.f(e) != 0
		}
		e.lists = e.lists[:mark]
		if !ok {
			return false
		}
	}
	return true
}

// keptList returns the list of a filter's condition, worked out at the first call.
func (e *Env) keptList(i int, list List) []int64 {
	if k := e.filters[i]; k.at >= 0 {
		return e.kept[k.at : k.at+k.n]
	}
	l := list(e)
	at := len(e.kept)
	e.kept = append(e.kept, l...)
	e.filters[i] = kept{at, len(l)}
	return e.kept[at:]
}
