// Package source holds rule files as they were read, and places in them.
// A place is a span of byte offsets; lines, columns and UTF-16 units are worked
// out from it only when somebody asks.
package source

import (
	"sort"
	"unicode/utf8"
)

// File is one rule file. Text is its content in UTF-8, a byte-order mark
// removed; offsets count bytes of Text.
type File struct {
	Name  string // path with forward slashes, as messages show it
	Text  string
	lines []int // offset of each line's start
}

// NewFile wraps a file's text. A leading byte-order mark is dropped.
func NewFile(name, text string) *File {
	const bom = "\uFEFF"
	if len(text) >= len(bom) && text[:len(bom)] == bom {
		text = text[len(bom):]
	}
	f := &File{Name: name, Text: text, lines: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Line returns the 1-based number of the line that holds the offset.
func (f *File) Line(offset int) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
}

// LineText returns line n, counted from 1, without its line end.
func (f *File) LineText(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	if start := f.lines[n-1]; end > start && f.Text[end-1] == '\r' {
		end--
	}
	return f.Text[f.lines[n-1]:end]
}

// LineStart returns the offset at which line n, counted from 1, starts.
func (f *File) LineStart(n int) int { return f.lines[n-1] }

// Lines returns how many lines the file has; an empty file has one.
func (f *File) Lines() int { return len(f.lines) }

// Column returns the 1-based column of the offset in code points.
func (f *File) Column(offset int) int {
	start := f.lines[f.Line(offset)-1]
	return utf8.RuneCountInString(f.Text[start:min(offset, len(f.Text))]) + 1
}

// Span is a half-open range of bytes in a file. The zero Span is nowhere.
type Span struct {
	File       *File
	Start, End int
}

// Valid reports whether the span lies in a file.
func (s Span) Valid() bool { return s.File != nil }

// Text returns what the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// To returns the span from the start of s to the end of t.
func (s Span) To(t Span) Span {
	if s.File == nil {
		return t
	}
	if t.File == s.File && t.End > s.End {
		s.End = t.End
	}
	return s
}

// Before orders spans by file name, then start, then end.
func (s Span) Before(t Span) bool {
	if s.File != t.File {
		if s.File == nil || t.File == nil {
			return s.File == nil
		}
		return s.File.Name < t.File.Name
	}
	if s.Start != t.Start {
		return s.Start < t.Start
	}
	return s.End < t.End
}
