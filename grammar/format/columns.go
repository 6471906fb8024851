package format

import (
	"slices"

	"github.com/rivo/uniseg"

	"github.com/momon-rules/momon/grammar"
)

// Columns. Where an author left two blanks or more inside a line, something was
// meant to stand in a column. Two kinds are told apart:
//
//   - Tables: rows of one indentation with no empty line between them, in which
//     tokens of the same key stand in the same column. The column is moved as far
//     as its widest row needs. A row whose token is alone goes into the column of
//     its neighbour where it fits without moving it.
//   - Margins: what a line carries out (rule …) at its end, and comments behind
//     lines. They stay in their column. One that is off goes into the next column
//     that several lines of the file use.
//
// Wide gaps that are neither are closed.

// How many lines make a margin of the file, and how far something may go to
// reach one.
const (
	marginLines = 3
	marginReach = 12
	marginGap   = 2
	longRow     = 200 // tokens of a line that is no row of a table
)

// cell is a token that may begin a column.
type cell struct {
	line, k int // the line, and which of its items
	col     int // in the source
	gap     int // in the source
	key     string
	column  *column
}

// column is what tokens under each other have in common.
type column struct {
	col    int // in the source
	cells  []*cell
	joined []*cell // those that have no say in where it is
	wide   bool
	least  int // the least gap before any of its tokens
}

func (c *column) add(x *cell) {
	if len(c.cells) == 0 {
		c.col, c.least = x.col, x.gap
	}
	c.cells = append(c.cells, x)
	c.wide = c.wide || x.gap > 1
	c.least = min(c.least, x.gap)
	x.column = c
}

// columns works out where each item of each line begins.
func (p *printer) columns(ls []line) {
	grid := make([][]*cell, len(ls)) // by line, by item; nil where no column can begin
	for i := range ls {
		grid[i] = p.row(ls, i)
	}
	var all []*column
	var parts [][2]int // lines that no empty line parts
	for from := 0; from < len(ls); {
		to := from + 1
		for to < len(ls) && !ls[to].blank {
			to++
		}
		all = append(all, table(ls, grid, from, to)...)
		parts = append(parts, [2]int{from, to})
		from = to
	}
	all = alone(ls, grid, all)
	for _, part := range parts {
		for i := part[0] + 1; i < part[1]; i++ {
			p.join(ls, grid, i, i-1)
		}
		for i := part[1] - 2; i >= part[0]; i-- {
			p.join(ls, grid, i, i+1)
		}
	}
	p.place(ls, grid, all)
	p.margins(ls)
}

// row makes the cells of a line. What stands in the margin, and what came from
// another line of the source, is in no column.
func (p *printer) row(ls []line, i int) []*cell {
	l := &ls[i]
	row := make([]*cell, len(l.items))
	margin := p.margin(l)
	for k := 1; k < len(l.items) && k < margin; k++ {
		t := &p.items[l.items[k]]
		if opens := isPunct(&t.Token, "{") && k == len(l.items)-1; t.lines == 0 && t.gap > 0 && !l.semi[k] && !opens {
			row[k] = &cell{line: i, k: k, col: t.col, gap: t.gap, key: t.key()}
		}
	}
	return row
}

// margin returns which item of a line begins its margin: a comment, or a citation
// or an acceptance at the end with a wide gap before it.
func (p *printer) margin(l *line) int {
	n := len(l.items)
	if n > 1 && p.items[l.items[n-1]].Kind == grammar.Comment {
		n--
	}
	for k := n - 1; k > 0; k-- {
		t := &p.items[l.items[k]]
		switch t.Kind {
		case grammar.RuleNo, grammar.Int, grammar.String:
			continue
		case grammar.Word, grammar.Accepts:
			if (t.Text == "rule" || t.Text == "provisional" || t.Kind == grammar.Accepts) && t.gap >= marginGap && t.lines == 0 {
				return k
			}
			if t.Text == "provisional" || t.Text == "because" || t.Kind == grammar.Accepts {
				continue
			}
		case grammar.Punct:
			if t.Text == "," {
				continue
			}
		}
		break
	}
	return n
}

// at is where a token can be in line with others.
type at struct {
	indent, col int
	key         string
}

// table finds the columns in lines that no empty line parts.
func table(ls []line, grid [][]*cell, from, to int) []*column {
	var found []*column
	last := map[at]*cell{}
	for i := from; i < to; i++ {
		for _, c := range grid[i] {
			if c == nil || c.key == "" {
				continue
			}
			where := at{ls[i].indent, c.col, c.key}
			if up := last[where]; up != nil {
				if up.column == nil {
					col := &column{}
					col.add(up)
					found = append(found, col)
				}
				up.column.add(c)
			}
			last[where] = c
		}
	}
	return slices.DeleteFunc(found, func(c *column) bool {
		if !c.wide {
			for _, x := range c.cells {
				x.column = nil
			}
		}
		return !c.wide
	})
}

// alone finds tokens that no neighbour is in line with, but a table elsewhere in
// the file is: the author has one column for several tables.
func alone(ls []line, grid [][]*cell, all []*column) []*column {
	known := map[at]bool{}
	for _, c := range all {
		known[at{ls[c.cells[0].line].indent, c.col, c.cells[0].key}] = true
	}
	for i := range grid {
		for _, c := range grid[i] {
			if c != nil && c.column == nil && c.gap > 1 && known[at{ls[i].indent, c.col, c.key}] {
				col := &column{}
				col.add(c)
				all = append(all, col)
			}
		}
	}
	return all
}

// join puts the tokens of a line that are in no column into those of a line beside
// it that begins alike, where they fit without moving the column. It is place that
// sees to the fitting: what doesn't fit is let go there.
func (p *printer) join(ls []line, grid [][]*cell, i, beside int) {
	if len(grid[i]) > longRow || len(grid[beside]) > longRow || ls[beside].indent != ls[i].indent || p.items[ls[beside].items[0]].key() != p.items[ls[i].items[0]].key() {
		return
	}
	for k, c := range grid[i] {
		if c == nil || c.column != nil || c.key == "" {
			continue
		}
		low, high := -1, int(^uint(0)>>1)
		for n, o := range grid[i] {
			if o != nil && o.column != nil {
				if n < k {
					low = o.column.col
				} else if o.column.col < high {
					high = o.column.col
				}
			}
		}
		for _, o := range grid[beside] {
			if o != nil && o.column != nil && o.column.least == 1 && o.key == c.key && o.column.col > low && o.column.col < high {
				c.column = o.column
				o.column.joined = append(o.column.joined, c)
				break
			}
		}
	}
}

// place works out columns from left to right.
func (p *printer) place(ls []line, grid [][]*cell, all []*column) {
	for i := range ls {
		l := &ls[i]
		l.cols = make([]int, len(l.items))
	}
	done := make([]int, len(ls)) // how many items of a line have their place
	// reach places the items of a line before item k, and returns where item k can
	// stand at the earliest.
	end := func(l *line, k int) int {
		return l.cols[k] + uniseg.StringWidth(p.items[l.items[k]].text)
	}
	earliest := func(l *line, k int) int {
		if k == 0 {
			return l.indent
		}
		at := end(l, k-1)
		switch {
		case l.semi[k]:
			at += 2
		case p.items[l.items[k]].Kind == grammar.Comment:
			at += marginGap
		case p.blank(l.items[k]):
			at++
		}
		return at
	}
	upTo := func(i, k int) int {
		l := &ls[i]
		for ; done[i] < k; done[i]++ {
			n := done[i]
			l.cols[n] = earliest(l, n)
		}
		return earliest(l, k)
	}
	slices.SortStableFunc(all, func(a, b *column) int { return a.col - b.col })
	for _, col := range all {
		at := 0
		for _, c := range col.cells {
			e := upTo(c.line, c.k)
			if p.blank(ls[c.line].items[c.k]) {
				e--
			}
			at = max(at, e+col.least)
		}
		for _, c := range slices.Concat(col.cells, col.joined) {
			if e := upTo(c.line, c.k); e <= at {
				ls[c.line].cols[c.k] = at
				done[c.line] = c.k + 1
			}
		}
	}
	for i := range ls {
		upTo(i, len(ls[i].items)-1)
		l := &ls[i]
		if k := len(l.items) - 1; done[i] <= k {
			l.cols[k] = earliest(l, k)
		}
	}
}

// edge is something in a margin.
type edge struct {
	line, k int
	col     int // where it stands
	least   int // the first cell in which it may
}

// margins puts citations and comments behind lines into their columns.
func (p *printer) margins(ls []line) {
	// A line's citation goes first: its comment stands behind it.
	cites := p.edges(ls, false)
	p.settle(ls, cites, nil)
	p.settle(ls, p.edges(ls, true), cites)
}

// edges lists what of a kind stands in the margin, in the columns of the source as
// far as there is room.
func (p *printer) edges(ls []line, comment bool) []*edge {
	var out []*edge
	for i := range ls {
		l := &ls[i]
		n := len(l.items)
		k := n - 1
		if comment {
			if n < 2 || p.items[l.items[k]].Kind != grammar.Comment {
				continue
			}
		} else if k = p.margin(l); k == n || p.items[l.items[k]].Kind == grammar.Comment {
			continue
		}
		least := l.cols[k-1] + uniseg.StringWidth(p.items[l.items[k-1]].text) + marginGap
		out = append(out, &edge{i, k, max(p.items[l.items[k]].col, least), least})
	}
	return out
}

// settle moves those that are off into the nearest margin of the file, until
// nothing moves. Others have their place already and only count.
func (p *printer) settle(ls []line, es, others []*edge) {
	count := map[int]int{}
	for _, e := range slices.Concat(es, others) {
		count[e.col]++
	}
	for moved := true; moved; {
		moved = false
		for i, e := range es {
			if count[e.col] >= marginLines || beside(es, i, i-1) && es[i-1].col == e.col || beside(es, i, i+1) && es[i+1].col == e.col {
				continue // in a margin, or in line with a neighbour
			}
			best, least := -1, marginReach+1
			for _, n := range []int{i - 1, i + 1} {
				if best >= 0 || !beside(es, i, n) {
					continue
				}
				if by := max(es[n].col-e.col, e.col-es[n].col); es[n].col >= e.least && by < least {
					best, least = es[n].col, 0
				}
			}
			for col, n := range count {
				by := max(col-e.col, e.col-col)
				if n >= marginLines && col >= e.least && (by < least || by == least && col > best) {
					best, least = col, by
				}
			}
			if best >= 0 {
				count[e.col]--
				count[best]++
				e.col = best
				moved = true
			}
		}
	}
	for _, e := range es {
		l := &ls[e.line]
		by := e.col - l.cols[e.k]
		for k := e.k; k < len(l.items); k++ {
			l.cols[k] += by
		}
	}
}

// beside reports whether two edges stand on lines next to each other.
func beside(es []*edge, i, n int) bool {
	return n >= 0 && n < len(es) && max(es[n].line-es[i].line, es[i].line-es[n].line) == 1
}
