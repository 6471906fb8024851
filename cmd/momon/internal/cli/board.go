package cli

import (
	"fmt"
	"strings"

	"github.com/momon-rules/momon/interpreter"
)

// board draws what a viewer sees.
func (a *app) board(v *interpreter.View) {
	for i := range v.Grids {
		if a.plain {
			a.gridPlain(&v.Grids[i])
		} else {
			a.grid(&v.Grids[i])
		}
	}
	if a.inOneLine(v.Players) {
		return
	}
	for _, p := range v.Players {
		mark := "  "
		if p.Turn {
			mark = "▸ "
			if a.plain {
				mark = "* "
			}
		}
		if a.plain {
			for _, l := range p.Lines {
				a.printf("%s: %s\n", p.Name, l)
			}
			if p.Turn {
				a.println(a.t("turn-of", p.Name))
			}
			continue
		}
		for i, l := range wrap(strings.Join(p.Lines, " · "), a.cols-12) {
			name := a.bold(pad(p.Name, 8))
			if i > 0 {
				mark, name = "  ", pad("", 8)
			}
			a.println(" " + mark + name + " " + l)
		}
	}
}

// inOneLine shows the players beside each other, where there is room for that.
func (a *app) inOneLine(players []interpreter.PlayerView) bool {
	if a.plain {
		return false
	}
	line := ""
	for i, p := range players {
		mark := "  "
		if p.Turn {
			mark = "▸ "
		}
		if i > 0 {
			line += "   "
		}
		line += mark + a.bold(p.Name) + "  " + strings.Join(p.Lines, " · ")
	}
	if width(line) > a.cols-1 {
		return false
	}
	a.println(" " + line)
	return true
}

func (a *app) gridPlain(g *interpreter.GridView) {
	for _, c := range g.Cells {
		if len(c.Cards) == 0 {
			a.item(g.Name+" "+c.Name+": ", a.t("empty"), 0)
			continue
		}
		for _, card := range c.Cards {
			a.item(g.Name+" "+c.Name+": ", joinFull(card.Lines, "; "), 0)
		}
	}
}

// joinFull joins the lines that are not empty.
func joinFull(lines []string, sep string) string {
	var out []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, sep)
}

// leastCell is how wide a square of a board is at least: narrower, names can't be
// told apart.
const leastCell = 12

// grid draws a grid with columns by letter and rows by number.
func (a *app) grid(g *interpreter.GridView) {
	const left = 4
	w := min((a.cols-left-1)/g.Width-1, 24)
	if w < leastCell { // too wide for the screen: as a list
		if !a.listed {
			a.listed = true
			a.para(a.t("board-as-list", left+1+(leastCell+1)*g.Width), 0)
		}
		a.gridPlain(g)
		return
	}
	head := strings.Repeat(" ", left)
	for x := range g.Width {
		name := strings.TrimRight(g.Cells[x].Name, "0123456789")
		head += pad(" "+strings.Repeat(" ", (w-width(name))/2)+name, w+1)
	}
	a.println(strings.TrimRight(head, " "))
	line := func(l, m, r string) {
		a.println("   " + a.dim(l+strings.TrimSuffix(strings.Repeat(strings.Repeat("─", w)+m, g.Width), m)+r))
	}
	for y := range g.Height {
		if y == 0 {
			line("┌", "┬", "┐")
		} else {
			line("├", "┼", "┤")
		}
		rows := 1
		cells := make([][]string, g.Width)
		owner := make([]int, g.Width)
		for x := range g.Width {
			c := g.Cells[y*g.Width+x]
			for _, card := range c.Cards {
				owner[x] = card.Controller
				cells[x] = append(cells[x], cardCell(card.Lines, w-2)...)
			}
			rows = max(rows, len(cells[x]))
		}
		for r := range rows {
			label := "   "
			if r == 0 {
				label = fmt.Sprintf("%2d ", y+1)
			}
			out := label + a.dim("│")
			for x := range g.Width {
				s := ""
				if r < len(cells[x]) {
					s = cells[x][r]
				}
				s = pad(" "+s, w)
				if r == 0 && owner[x] > 0 {
					s = a.paint(playerColor(owner[x]), s)
				}
				out += s + a.dim("│")
			}
			a.println(out)
		}
	}
	line("└", "┴", "┘")
}

// cardCell fits the lines of a card into a cell. Behind the first, which stands out,
// those that have room beside each other share a line: a screen has few.
func cardCell(lines []string, w int) []string {
	var packed []string
	for i, l := range lines {
		if l = strings.TrimSpace(l); l == "" && i > 0 {
			continue
		}
		if n := len(packed); n > 1 && width(packed[n-1])+1+width(l) <= w {
			packed[n-1] += " " + l
			continue
		}
		packed = append(packed, l)
	}
	var out []string
	for i, l := range packed {
		out = append(out, wrapCell(l, w, i == len(packed)-1)...)
	}
	return out
}

// wrapCell fits a line into a cell: in two lines, the last one of a card in three.
func wrapCell(s string, w int, last bool) []string {
	most := 2
	if last {
		most = 3
	}
	lines := wrap(s, w)
	if len(lines) > most {
		lines = append(lines[:most-1], strings.Join(lines[most-1:], " "))
	}
	for i := range lines {
		lines[i] = cut(lines[i], w) // a word can be too long for a line
	}
	return lines
}

func playerColor(p int) string {
	if p == 1 {
		return "1;36"
	}
	return "1;33"
}

// teller prints events as one viewer sees them.
type teller struct {
	a      *app
	text   func(*interpreter.Event) string
	does   func(*interpreter.Event) string // what the ability of a trigger does
	viewer interpreter.Viewer
	all    bool                      // small events too
	boards map[int]*interpreter.View // to draw before the event of a number
	inline bool                      // inside something else: no headings
}

func (t *teller) tell(list []interpreter.Event) {
	for i := 0; i < len(list); i++ {
		e := &list[i]
		if v := t.boards[e.Number]; v != nil {
			t.a.println("")
			t.a.board(v)
		}
		more := 0 // refusals of the same, one after another, are told once
		for e.Kind == interpreter.Refused && i+more+1 < len(list) {
			if n := &list[i+more+1]; n.Kind != e.Kind || n.Depth != e.Depth || n.Action != e.Action || t.text(n) != t.text(e) {
				break
			}
			more++
		}
		t.event(e, more)
		i += more
	}
}

// event prints one event. Those that say little to people are left out unless
// all are wanted. more is how many of the same follow it.
func (t *teller) event(e *interpreter.Event, more int) {
	a := t.a
	switch e.Kind {
	case interpreter.Asked, interpreter.Ended:
		return
	case interpreter.Resolves, interpreter.Effect, interpreter.Over:
		if !t.all {
			return
		}
	}
	if e.Hidden(t.viewer) && !t.all && (e.Kind == interpreter.Happened || e.Kind == interpreter.Chosen) {
		return
	}
	s := t.text(e)
	if s == "" || e.Window && e.Depth == 0 && !t.inline {
		return
	}
	if e.Window && e.Depth == 1 && e.Kind == interpreter.Began && !t.inline {
		a.println("")
		a.heading(s)
		return
	}
	mark := ""
	switch e.Kind {
	case interpreter.Refused:
		mark = "× "
		if a.plain {
			mark = "x "
		}
	case interpreter.Fired:
		mark = "! "
	case interpreter.Chosen:
		mark = "> "
	}
	indent := min(max(0, e.Depth-1)*2, 20)
	if t.inline {
		indent = 4 + min(e.Depth*2, 16)
	}
	if more > 0 {
		s = a.t("so-often", s, more+1)
	}
	a.marked(mark, s, e.Rules, indent)
	if e.Kind == interpreter.Fired && t.does != nil {
		if does := t.does(e); does != "" && !strings.Contains(s, does) {
			for _, l := range strings.Split(does, "\n") {
				a.para(l, min(indent, a.cols/4)+4)
			}
		}
	}
}

// eventJSON is an event for programs.
type eventJSON struct {
	Number   int                   `json:"number"`
	Decision int                   `json:"decision"` // how many decisions had been made before it
	Kind     interpreter.EventKind `json:"kind"`
	Action   string                `json:"action,omitempty"`
	Depth    int                   `json:"depth"`
	Text     string                `json:"text,omitempty"`
	Rules    []interpreter.Ref     `json:"rules,omitempty"`
}

func eventsJSON(text func(*interpreter.Event) string, list []interpreter.Event) []eventJSON {
	out := []eventJSON{}
	for i := range list {
		e := &list[i]
		out = append(out, eventJSON{e.Number, e.Decision, e.Kind, e.Action, e.Depth, text(e), e.Rules})
	}
	return out
}
