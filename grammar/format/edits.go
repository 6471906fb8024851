package format

import (
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// Edit replaces whole lines of a file: from the start of line From to the start of
// line To, both counted from 1. Where the last line has no line end and is replaced,
// To is one more than there are lines. A byte-order mark is in no line.
type Edit struct {
	From, To int
	Text     string // with its line ends
}

// Edits returns what has to be done to a file so that it reads as its layout does
// (the result of File for it): from the top to the bottom, no two over each other,
// and no line at their ends that may stay as it is.
func Edits(file *source.File, layout string) []Edit {
	now := source.NewFile(file.Name, layout)
	// Lines are matched by the token that they begin with. Tokens are the same on
	// both sides, so what lies between two matches is the same tokens, laid out anew.
	a, b := starts(file), starts(now)
	var out []Edit
	i, k := 0, 0
	lineA, lineB := 1, 1
	put := func(toA, toB int) {
		old, text := span(file, lineA, toA), span(now, lineB, toB)
		if old == text {
			return
		}
		// Lines that are equal at either end stay.
		from, to := lineA, toA
		for from < to && strings.Contains(text, "\n") {
			first := text[:strings.IndexByte(text, '\n')+1]
			if span(file, from, from+1) != first {
				break
			}
			from, text = from+1, text[len(first):]
		}
		for to > from && strings.HasSuffix(text, "\n") {
			cut := strings.LastIndexByte(text[:len(text)-1], '\n') + 1
			if span(file, to-1, to) != text[cut:] {
				break
			}
			to, text = to-1, text[:cut]
		}
		out = append(out, Edit{from, to, text})
	}
	for i < len(a) && k < len(b) {
		switch {
		case a[i].token < b[k].token:
			i++
		case a[i].token > b[k].token:
			k++
		default:
			put(a[i].line, b[k].line)
			lineA, lineB = a[i].line, b[k].line
			i, k = i+1, k+1
		}
	}
	put(after(file), after(now))
	return out
}

// after is the number of the first line that holds nothing of the file.
func after(f *source.File) int {
	if f.Text == "" || strings.HasSuffix(f.Text, "\n") {
		return f.Lines()
	}
	return f.Lines() + 1
}

// Range is Edits for those lines alone that lie between two lines, both included
// and counted from 1. What begins outside and reaches in is laid out whole; so is
// the rest of the file where these lines can't be laid out without it.
func Range(file *source.File, layout string, first, last int) []Edit {
	all := Edits(file, layout)
	var out []Edit
	for _, e := range all {
		if e.From <= last && (e.To > first || e.From == e.To && e.To == first) {
			out = append(out, e)
		}
	}
	if len(out) == 0 || len(out) == len(all) {
		return out
	}
	var diags, again diag.List
	if !Same(grammar.Parse(file, &diags), grammar.Parse(source.NewFile(file.Name, Apply(file, out)), &again)) || again.Errors() > 0 {
		return all
	}
	return out
}

// Apply carries out edits and returns the text.
func Apply(file *source.File, edits []Edit) string {
	var b strings.Builder
	line := 1
	for _, e := range edits {
		b.WriteString(span(file, line, e.From))
		b.WriteString(e.Text)
		line = e.To
	}
	b.WriteString(span(file, line, after(file)))
	return b.String()
}

// start is the first token or comment of a line.
type start struct{ line, token int }

func starts(f *source.File) []start {
	var diags diag.List
	var out []start
	n, line := 0, 0
	for _, t := range grammar.Tokens(f, &diags) {
		if t.Kind == grammar.EOL || t.Kind == grammar.EOF {
			continue
		}
		if l := f.Line(t.Start); l != line {
			line = l
			out = append(out, start{l, n})
		}
		n++
	}
	return out
}

// span returns the lines from the start of one to the start of another.
func span(f *source.File, from, to int) string {
	begin, end := len(f.Text), len(f.Text)
	if from <= f.Lines() {
		begin = f.LineStart(from)
	}
	if to <= f.Lines() {
		end = f.LineStart(to)
	}
	return f.Text[begin:end]
}
