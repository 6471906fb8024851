package lsp

import (
	"strings"
	"unicode/utf8"
)

// document is a text as the client has it.
type document struct {
	uri     string
	path    string // of the file, or the URI itself where it is no file
	version int
	text    string
}

// lines finds places in a text. The protocol counts lines from 0, ends them at
// \n, \r\n or \r, and counts columns in UTF-16 units.
type lines struct {
	text   string
	starts []int
	lead   int // units of a byte-order mark, which rule files are read without
}

const bom = "\uFEFF"

func linesOf(text string) *lines {
	l := &lines{text: text, starts: []int{0}}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// end is the offset at which a line ends, without its line end.
func (l *lines) end(line int) int {
	if line+1 >= len(l.starts) {
		return len(l.text)
	}
	end := l.starts[line+1] - 1
	if end > l.starts[line] && l.text[end] == '\n' && l.text[end-1] == '\r' {
		end--
	}
	return end
}

// offset returns the byte offset of a position. One outside of the text is
// brought to the nearest place inside, as the protocol says.
func (l *lines) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(l.starts) {
		return len(l.text)
	}
	at, end := l.starts[p.Line], l.end(p.Line)
	units := p.Character
	if p.Line == 0 {
		units -= l.lead
	}
	for at < end && units > 0 {
		r, n := utf8.DecodeRuneInString(l.text[at:])
		units -= width(r)
		if units < 0 {
			break // between the halves of a pair
		}
		at += n
	}
	return at
}

// position returns the position of a byte offset.
func (l *lines) position(at int) position {
	at = max(0, min(at, len(l.text)))
	lo, hi := 0, len(l.starts)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; l.starts[mid] <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	units := 0
	for _, r := range l.text[l.starts[lo]:at] {
		units += width(r)
	}
	if lo == 0 {
		units += l.lead
	}
	return position{lo, units}
}

// width is how many UTF-16 units a rune takes; a byte that is no UTF-8 counts as
// the replacement character that a client has in its place.
func width(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

func (l *lines) span(start, end int) textRange {
	return textRange{l.position(start), l.position(end)}
}

// fileLines finds places in a text as rule files are read, without the byte-order
// mark that the client counts.
func fileLines(text string) *lines {
	rest, has := strings.CutPrefix(text, bom)
	l := linesOf(rest)
	if has {
		l.lead = 1
	}
	return l
}

// change carries out one change of a text.
func change(text string, r *textRange, with string) string {
	if r == nil {
		return with
	}
	l := linesOf(text)
	start, end := l.offset(r.Start), l.offset(r.End)
	if end < start {
		start, end = end, start
	}
	return text[:start] + with + text[end:]
}
