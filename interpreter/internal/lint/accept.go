package lint

import (
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
)

// Accept marks the warnings and notes that the data accepts, each by the
// innermost acceptance that covers it. With all, everything has been looked for,
// so that an acceptance with nothing to accept is one too many.
func Accept(kept []Kept, diags *diag.List, all bool) {
	var list []*grammar.Accept
	for _, k := range kept {
		list = append(list, k.Accepts...)
	}
	used := map[*grammar.Accept]bool{}
	for _, d := range diags.Sorted() {
		if d.Severity == diag.Error {
			continue
		}
		var by *grammar.Accept
		for _, a := range list {
			if a.Code.Text == d.Code && within(d.Span, a.Covers) && (by == nil || within(a.Covers, by.Covers)) {
				by = a
			}
		}
		d.Accepted = nil // what a file was found to hold is kept, and looked at again
		if by != nil {
			used[by] = true
			d.Accepted = &diag.Accepted{Span: by.Span, Reason: by.Reason.Value}
		}
	}
	if !all {
		return
	}
	for _, a := range list {
		if !used[a] {
			diags.Warn("accepts-nothing", a.Code.Span, "code", a.Code.Text)
		}
	}
}
