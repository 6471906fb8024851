package format

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// item is a token or comment with what stood before it in the source. Line ends
// are no items: ends says that a clause ended here.
type item struct {
	grammar.Token
	at    int    // its index
	text  string // as written
	lines int    // line ends between it and the item before
	gap   int    // blanks between it and the item before on the same line
	col   int    // the cell in which it begins in its line of the source
	ends  bool   // a clause ended before it
	end   int    // where the line end is that ended it
	match int    // of a brace: the index of the other one, or -1

	ternary, slice bool // of a colon
}

type printer struct {
	file   *source.File
	all    []grammar.Token
	items  []item
	code   []int // of each item: the index of the first at or behind it that is no comment
	places map[int]place
	hard   map[int]bool // line ends, by offset, that need their semicolon
	split  map[int]bool // opening braces whose block is too long for a line
}

func newPrinter(file *source.File, tree *grammar.File) *printer {
	var diags diag.List
	p := &printer{file: file, all: grammar.Tokens(file, &diags), places: places(tree), hard: map[int]bool{}, split: map[int]bool{}}
	p.collect()
	return p
}

// collect makes items of tokens.
func (p *printer) collect() {
	src := p.file.Text
	last := 0 // where the item before ended
	end := -1 // where a clause ended since
	lineStart, col, colAt := 0, 0, 0
	var open []int
	for _, t := range p.all {
		switch t.Kind {
		case grammar.EOL:
			if end < 0 {
				end = t.Start
			}
			continue
		case grammar.EOF:
			continue
		}
		between := src[last:t.Start]
		it := item{Token: t, at: len(p.items), text: bare(p.file, &t), lines: lines(between), match: -1}
		if k := strings.LastIndexByte(between, '\n'); k >= 0 {
			lineStart = last + k + 1
			col, colAt = 0, lineStart
		} else {
			it.gap = cells(strings.ReplaceAll(between, ";", ""), col)
		}
		col += cells(src[colAt:t.Start], col)
		colAt = t.Start
		it.col = col
		if end >= 0 && t.Kind != grammar.Comment {
			// A line that begins with until goes on, but for the block of an effect.
			onOwnLine := src[end] != ';' && t.Kind == grammar.Word && t.Text == "until" && !p.places[t.Start].line
			it.ends, it.end = !onOwnLine, end
			end = -1
		}
		if t.Kind == grammar.Punct {
			switch t.Text {
			case "{":
				open = append(open, len(p.items))
			case "}":
				if n := len(open); n > 0 {
					it.match = open[n-1]
					p.items[it.match].match = len(p.items)
					open = open[:n-1]
				}
			}
		}
		p.items = append(p.items, it)
		last = t.End
	}
	colons(p.items)
	p.code = make([]int, len(p.items))
	for i := len(p.items) - 1; i >= 0; i-- {
		p.code[i] = i
		if p.items[i].Kind == grammar.Comment {
			p.code[i] = len(p.items)
			if i+1 < len(p.items) {
				p.code[i] = p.code[i+1]
			}
		}
	}
}

// cells is how many cells of a terminal a text takes that begins in a cell. Thai
// vowels and marks take none, tabs go to the next eighth cell.
func cells(s string, from int) int {
	n := 0
	for {
		k := strings.IndexByte(s, '\t')
		if k < 0 {
			return n + uniseg.StringWidth(s)
		}
		n += uniseg.StringWidth(s[:k])
		n += 8 - (from+n)%8
		s = s[k+1:]
	}
}

// line is a line to be printed: the indices of its items, and where each begins.
type line struct {
	blank  bool // an empty line stands before it
	indent int
	items  []int
	cols   []int // of each item
	semi   []bool
	hard   int // the item behind which a semicolon stands for want of a line end that would do, or -1
}

// print lays the file out. Blocks that are too long for their line are broken up,
// the outer ones first, until every line fits or can't be helped.
func (p *printer) print() string {
	for {
		ls := p.lines()
		p.columns(ls)
		if !p.breakUp(ls) {
			return p.render(ls)
		}
	}
}

// breakUp marks the outermost blocks that end beyond Width. One that already begins
// there stays: its line would be as long without it.
func (p *printer) breakUp(ls []line) bool {
	any := false
	for i := range ls {
		l := &ls[i]
		until := -1 // inside a block that has been looked at
		for _, k := range l.items {
			t := &p.items[k]
			if k < until || !isPunct(&t.Token, "{") || t.match < 0 || t.match == k+1 || t.match > l.items[len(l.items)-1] {
				continue
			}
			until = t.match
			if l.cols[until-l.items[0]] >= Width && l.cols[k-l.items[0]] < Width {
				p.split[k] = true
				any = true
			}
		}
	}
	return any
}

// level is an open block of several lines.
type level struct {
	headBroken bool  // the clause has gone on in another line
	ifs        []how // the ifs of the clause that have had no else
	lastElse   int   // where the if of the last else stands
	multi      bool
	open       int // its brace
	begin      int // where the clause before began
}

// how an else is indented that belongs to an if.
type how struct{ indent int }

// lines breaks the file into lines and indents them.
func (p *printer) lines() []line {
	var out []line
	stack := []level{{multi: true, open: -1}}
	depth := 0 // blocks of several lines that are open
	begin := func(blank bool, indent int) {
		out = append(out, line{blank: blank && len(out) > 0, indent: indent, hard: -1})
	}
	code := -1 // the last item that is no comment
	for i := range p.items {
		t := &p.items[i]
		top := &stack[len(stack)-1]
		comment := t.Kind == grammar.Comment
		opens, closes := isPunct(&t.Token, "{"), isPunct(&t.Token, "}")
		afterOpen := code >= 0 && isPunct(&p.items[code].Token, "{")
		starts := !comment && (t.ends || code < 0 || afterOpen)
		if starts {
			top.headBroken = false
			if t.ends || afterOpen {
				top.ifs = nil
			}
		}
		brk := i == 0
		semi := false
		switch {
		case i == 0:
		case comment:
			brk = t.lines > 0
		case p.items[i-1].Kind == grammar.Comment:
			brk = true
		case closes:
			brk = top.multi && len(stack) > 1
		case afterOpen:
			brk = top.multi
		case t.ends:
			brk = t.lines > 0 || len(stack) > 1 && p.split[top.open] && !(p.places[t.Start].field && p.places[p.items[top.begin].Start].field)
			semi = !brk
		case opens && !top.headBroken:
			brk = false
		default:
			brk = t.lines > 0
		}
		if brk && !comment && t.ends && p.hard[t.end] {
			for k := len(out) - 1; k >= 0; k-- {
				if slices.Contains(out[k].items, code) {
					out[k].hard = code
					break
				}
			}
		}
		if brk {
			indent := depth * indentWidth
			if next := p.code[i]; next < len(p.items) {
				n := &p.items[next]
				switch goesOn := !n.ends && code >= 0 && !isPunct(&p.items[code].Token, "{"); {
				case isPunct(&n.Token, "}"):
					if !comment {
						indent -= indentWidth
					}
				case !goesOn, isPunct(&n.Token, "{"), isPunct(&n.Token, ")"), isPunct(&n.Token, "]"):
				case n.Kind == grammar.Word && n.Text == "else" && len(top.ifs) > 0:
					indent = top.ifs[len(top.ifs)-1].indent
				default:
					indent += indentWidth
				}
			}
			midClause := !comment && !t.ends && code >= 0 && !afterOpen && p.items[i-1].Kind != grammar.Comment
			blank := t.lines > 1 && !midClause && !closes && !(i > 0 && isPunct(&p.items[i-1].Token, "{"))
			begin(blank, max(indent, 0))
			if !comment && !t.ends && code >= 0 && !afterOpen && !closes {
				top.headBroken = true
			}
		}
		if starts {
			top.begin = i
		}
		l := &out[len(out)-1]
		l.items = append(l.items, i)
		l.semi = append(l.semi, semi && !brk)
		if comment {
			continue
		}
		switch {
		case opens:
			multi := p.multi(i)
			stack = append(stack, level{multi: multi, open: i})
			if multi {
				depth++
			}
		case closes:
			if len(stack) > 1 {
				if top.multi {
					depth--
				}
				stack = stack[:len(stack)-1]
			}
		case t.Kind == grammar.Word && (t.Text == "if" || t.Text == "may") && !(code >= 0 && p.items[code].Text == "only"):
			h := how{l.indent}
			switch {
			case code >= 0 && p.items[code].Kind == grammar.Word && p.items[code].Text == "else" && !t.ends:
				h.indent = top.lastElse
			case len(l.items) > 1:
				h.indent += indentWidth
			}
			top.ifs = append(top.ifs, h)
		case t.Kind == grammar.Word && t.Text == "else" && len(top.ifs) > 0:
			top.lastElse = top.ifs[len(top.ifs)-1].indent
			top.ifs = top.ifs[:len(top.ifs)-1]
		}
		code = i
	}
	return out
}

// multi reports whether the block that opens at item i takes several lines.
func (p *printer) multi(i int) bool {
	if p.split[i] {
		return true
	}
	t := &p.items[i]
	if t.match < 0 {
		return true
	}
	return p.srcLine(i) != p.srcLine(t.match)
}

func (p *printer) srcLine(i int) int { return p.file.Line(p.items[i].Start) }

// render writes lines.
func (p *printer) render(ls []line) string {
	var b strings.Builder
	b.Grow(len(p.file.Text) + len(p.file.Text)/8)
	for i := range ls {
		l := &ls[i]
		if l.blank {
			b.WriteByte('\n')
		}
		at := 0
		for k, n := range l.items {
			if l.semi[k] {
				b.WriteByte(';')
				at++
			}
			for ; at < l.cols[k]; at++ {
				b.WriteByte(' ')
			}
			t := &p.items[n]
			b.WriteString(t.text)
			at += uniseg.StringWidth(t.text)
			if n == l.hard {
				b.WriteByte(';')
				at++
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
