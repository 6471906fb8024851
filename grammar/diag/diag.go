// Package diag is the one type for everything that is wrong with rule data,
// whichever phase finds it. A diagnostic holds a code and named values; its words
// come from a catalog, one entry a code, in English and Thai, as late as possible.
package diag

import (
	"sort"

	"github.com/momon-rules/momon/grammar/source"
)

// Severity says how bad a diagnostic is.
type Severity int

// The severities. Only errors keep rules from loading.
const (
	Error Severity = iota
	Warning
	Note
)

// Diagnostic is one finding.
type Diagnostic struct {
	Code     string // stable, a slug: "unknown-characteristic"
	Severity Severity
	Span     source.Span
	Values   []string  // name, value, name, value …: what the catalog's templates fill in
	Near     string    // the nearest known name, or ""
	Related  []Related // other places that matter
	Fix      *Fix      // a change that mends it, where one is known
	Accepted *Accepted // who wrote the data means it to be so; nil for all the rest
}

// Accepted is the reason for which a warning or a note is accepted in the data.
type Accepted struct {
	Span   source.Span // of the acceptance
	Reason string
}

// Related is another place that a diagnostic speaks of. Code names the
// catalog's label for it: "declared-here", "overridden-here".
type Related struct {
	Span  source.Span
	Label string
}

// Fix replaces what a span covers.
type Fix struct {
	Span  source.Span
	Text  string
	Guess bool // the nearest name: worth offering, not worth doing unasked
}

// Value returns the named value, or "".
func (d *Diagnostic) Value(name string) string {
	for i := 0; i+1 < len(d.Values); i += 2 {
		if d.Values[i] == name {
			return d.Values[i+1]
		}
	}
	return ""
}

// List collects diagnostics. The zero List is ready to use.
type List struct {
	all  []*Diagnostic
	seen map[key]bool
}

type key struct {
	code string
	span source.Span
}

// Add notes an error with the code's named values and returns it for more
// details. A second one of the same code at the same place is dropped.
func (l *List) Add(code string, span source.Span, values ...string) *Diagnostic {
	return l.add(Error, code, span, values)
}

// Warn notes a warning.
func (l *List) Warn(code string, span source.Span, values ...string) *Diagnostic {
	return l.add(Warning, code, span, values)
}

// Note notes something worth knowing that is not wrong.
func (l *List) Note(code string, span source.Span, values ...string) *Diagnostic {
	return l.add(Note, code, span, values)
}

func (l *List) add(s Severity, code string, span source.Span, values []string) *Diagnostic {
	d := &Diagnostic{Code: code, Severity: s, Span: span, Values: values}
	l.Put(d)
	return d
}

// Put notes a finding of an earlier run.
func (l *List) Put(d *Diagnostic) {
	k := key{d.Code, d.Span}
	if l.seen[k] {
		return
	}
	if l.seen == nil {
		l.seen = map[key]bool{}
	}
	l.seen[k] = true
	l.all = append(l.all, d)
}

// Sorted returns the diagnostics by file, place and severity.
func (l *List) Sorted() []*Diagnostic {
	sort.SliceStable(l.all, func(i, j int) bool {
		a, b := l.all[i], l.all[j]
		if a.Span != b.Span {
			return a.Span.Before(b.Span)
		}
		return a.Severity < b.Severity
	})
	return l.all
}

// Errors returns how many of the diagnostics are errors.
func (l *List) Errors() int {
	n := 0
	for _, d := range l.all {
		if d.Severity == Error {
			n++
		}
	}
	return n
}

// With adds a related place and returns d.
func (d *Diagnostic) With(label string, span source.Span) *Diagnostic {
	if span.Valid() {
		d.Related = append(d.Related, Related{span, label})
	}
	return d
}
