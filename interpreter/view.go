package interpreter

import (
	"slices"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// View is what a viewer sees of a match. What is shown of each object is said by
// the view declarations of the data: `view board of KIND` for what lies on a
// grid, `view pile of KIND` for what lies elsewhere, `view player of player`,
// `view card of card` for a whole card, and `view token of KIND` for what lies on
// a card.
type View struct {
	Viewer  Viewer       `json:"viewer"`
	Over    bool         `json:"over"`
	Winners []string     `json:"winners,omitempty"`
	Under   []string     `json:"under"` // turns and steps under way, outermost first
	Grids   []GridView   `json:"grids"`
	Players []PlayerView `json:"players"`
	Piles   []PileView   `json:"piles"`
}

// GridView is a zone that is a grid, row by row.
type GridView struct {
	Name   string     `json:"name"`
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Cells  []CellView `json:"cells"`
}

// CellView is one square of a grid, and the cards in it.
type CellView struct {
	Name  string     `json:"name"`
	Cards []CardView `json:"cards,omitempty"`
}

// CardView is one card as the viewer sees it.
type CardView struct {
	Object     int      `json:"object"`
	Name       string   `json:"name"`
	Owner      int      `json:"owner"`
	Controller int      `json:"controller"`
	Lines      []string `json:"lines"`
}

// PlayerView is what is shown of a player.
type PlayerView struct {
	Number int      `json:"number"`
	Name   string   `json:"name"`
	Turn   bool     `json:"turn"` // the turn under way is this player's
	Lines  []string `json:"lines"`
}

// PileView is a zone that is no grid. Cards is nil where the viewer can't see
// them; Count may be seen by all.
type PileView struct {
	Name  string     `json:"name"`
	Owner int        `json:"owner,omitempty"` // 0: nobody's
	Count int        `json:"count"`
	Cards []CardView `json:"cards,omitempty"`
}

// View returns what a viewer sees now.
func (m *Match) View(lang string, v Viewer) *View {
	return viewOf(m.prog, m.run, m.namer(lang), v)
}

func viewOf(p *Program, rm *run.Match, n *namer, viewer Viewer) *View {
	s, pp := rm.S, p.p
	n = n.seenBy(rm, viewer)
	out := &View{Viewer: viewer, Over: s.Over, Under: []string{}, Grids: []GridView{}, Players: []PlayerView{}, Piles: []PileView{}}
	for _, w := range s.Winners {
		out.Winners = append(out.Winners, n.object(w))
	}
	turn := int64(0)
	for _, id := range s.Under {
		a := s.Acts[id]
		def := pp.Actions[a.Action]
		if !def.Window {
			continue
		}
		if a.Action != int32(pp.Root) {
			text := p.text(def.Says, n.lang, "")
			if text == "" {
				text = p.textOf(&def.Decl, n.lang)
			}
			out.Under = append(out.Under, n.act(text, a, nil))
		}
		for i, r := range def.Roles {
			if r.Type.Base == program.IsObject && r.Type.ID == program.KindPlayer {
				turn = a.Roles[i].N
			}
		}
	}
	for z, zone := range pp.Zones {
		if zone.Width == 0 {
			owners := []int32{0}
			if zone.PerPlayer {
				owners = []int32{1, 2}
			}
			for _, owner := range owners {
				pile := s.Piles[state.Pile(zone, z, owner)]
				pv := PileView{Name: p.textOf(&zone.Decl, n.lang), Owner: int(owner), Count: len(pile)}
				if seesZone(zone, viewer, owner) && zone.HiddenFrom != program.HiddenFromEveryone {
					for _, o := range pile {
						pv.Cards = append(pv.Cards, cardView(p, rm, n, o, "pile"))
					}
				}
				out.Piles = append(out.Piles, pv)
			}
			continue
		}
		g := GridView{Name: p.textOf(&zone.Decl, n.lang), Width: zone.Width, Height: zone.Height}
		for y := range zone.Height {
			for x := range zone.Width {
				c := CellView{Name: cellName(x, y)}
				for _, o := range s.Piles[z*3] {
					if cell := s.Objects[o].Cell; cell >= 0 && int(s.Objects[cell].X) == x && int(s.Objects[cell].Y) == y {
						c.Cards = append(c.Cards, cardView(p, rm, n, o, "board"))
					}
				}
				g.Cells = append(g.Cells, c)
			}
		}
		out.Grids = append(out.Grids, g)
	}
	for i := 1; i <= 2; i++ {
		out.Players = append(out.Players, PlayerView{Number: i, Name: n.player(i), Turn: int64(i) == turn, Lines: shown(p, rm, n, int64(i), "player")})
	}
	return out
}

func cardView(p *Program, rm *run.Match, n *namer, o int32, view string) CardView {
	ob := &rm.S.Objects[o]
	return CardView{Object: int(o), Name: n.object(int64(o)), Owner: int(ob.Owner), Controller: int(ob.Controller), Lines: shown(p, rm, n, int64(o), view)}
}

// Sheet returns the whole of one object, as `view card` has it.
func (m *Match) Sheet(object int, lang string) []string {
	if object < 0 || object >= len(m.run.S.Objects) {
		return nil
	}
	return shown(m.prog, m.run, m.namer(lang), int64(object), "card")
}

// shown fills the lines of the view that fits an object best: one of the
// narrowest kind, and one of any other name where there is none of this.
func shown(p *Program, rm *run.Match, n *namer, o int64, view string) []string {
	v := p.view(rm, o, view)
	if v == nil {
		return []string{n.object(o)}
	}
	var out []string
	for _, l := range v.Lines {
		line := fill(p.text(l.Texts, n.lang, ""), func(name string) (string, bool) { return n.field(rm, o, name) })
		out = append(out, line)
	}
	return out
}

func (p *Program) view(rm *run.Match, o int64, name string) *program.View {
	var best *program.View
	depth := -1
	env := rm.Env()
	for _, v := range p.p.Views {
		instead := name != "token" && name != "player" && v.Name == "card" && best == nil // the whole card is better than its name alone
		if v.Name != name && !instead || v.Kind < 0 || !p.en.C.IsKind(v.Kind)(env, o) {
			continue
		}
		d := 0
		for k := p.p.Kinds[v.Kind].Parent; k >= 0; k = p.p.Kinds[k].Parent {
			d++
		}
		if v.Name != name {
			d = -1
		}
		if best == nil || d > depth {
			best, depth = v, d
		}
	}
	return best
}

// field words one thing that a view asks for: a characteristic by its name, the
// object's name, or what lies on it.
func (n *namer) field(rm *run.Match, o int64, name string) (string, bool) {
	p := n.p.p
	ob := &rm.S.Objects[o]
	if short, ok := strings.CutSuffix(name, "|symbol"); ok {
		if ch := n.p.char(ob, short); ch != nil {
			return n.symbols(ch.Type, rm.Char(o, ch)), true
		}
		return "", false
	}
	switch name {
	case "name":
		return n.object(o), true
	case "tokens":
		return n.tokens(rm, ob.Tokens), true
	case "keywords":
		var out []string
		for i := range p.Keywords {
			if rm.Env().Has(o, int64(i)) {
				out = append(out, n.keyword(i, nil))
			}
		}
		return strings.Join(out, ", "), true
	}
	if ch := n.p.char(ob, name); ch != nil {
		return n.value(ch.Type, rm.Char(o, ch)), true
	}
	return "", false
}

// symbols shows a value out of a list by its symbol, a direction without one by an
// arrow, and what has neither by its name.
func (n *namer) symbols(t program.Type, v state.Val) string {
	if t.Base != program.IsOneOf || t.ID >= len(n.p.p.Values) {
		return n.value(t, v)
	}
	one := func(i int64) string {
		for _, view := range n.p.p.Views {
			for _, l := range view.Looks {
				if view.List == t.ID && int64(l.Value) == i && l.Symbol != "" {
					return l.Symbol
				}
			}
		}
		if names := n.p.p.Values[t.ID].Names; i >= 0 && int(i) < len(names) && names[i].At {
			if x, y := names[i].DX, names[i].DY; x >= -1 && x <= 1 && y >= -1 && y <= 1 {
				return arrows[y+1][x+1]
			}
		}
		return n.oneOf(t.ID, i)
	}
	if !t.Mask() {
		return one(v.N)
	}
	out := ""
	for i := range n.p.p.Values[t.ID].Names {
		if v.N>>i&1 != 0 {
			s := one(int64(i))
			if out != "" && len([]rune(s)) > 1 { // names need room between them
				s = " " + s
			}
			out += s
		}
	}
	if out == "" {
		return "-"
	}
	return out
}

// arrows point along a step of a grid, row by row from the top left.
var arrows = [3][3]string{{"↖", "↑", "↗"}, {"←", "·", "→"}, {"↙", "↓", "↘"}}

// tokens words what lies on an object, alike ones counted.
func (n *namer) tokens(rm *run.Match, list []int32) string {
	var names []string
	count := map[string]int{}
	for _, t := range list {
		s := strings.Join(shown(n.p, rm, n, int64(t), "token"), " ")
		if count[s]++; count[s] == 1 {
			names = append(names, s)
		}
	}
	for i, s := range names {
		if count[s] > 1 {
			names[i] = s + " ×" + n.one(program.NumberType, int64(count[s]))
		}
	}
	return strings.Join(names, ", ")
}

// char finds a characteristic of an object by its name.
func (p *Program) char(ob *state.Object, name string) *program.Char {
	var found *program.Char
	for _, ch := range p.p.Chars {
		if ch.Name != name || ch.Entity != ob.Entity || ch.Action >= 0 {
			continue
		}
		if ch.Kind >= 0 && ob.Entity == program.Token && p.p.Kinds[ch.Kind].Token >= 0 && p.p.Kinds[ch.Kind].Token != int(ob.Def) {
			continue
		}
		found = ch
	}
	return found
}

// ObjectInfo names one object of a match.
type ObjectInfo struct {
	Object int    `json:"object"`
	Name   string `json:"name"`
	At     string `json:"at,omitempty"`

	on string // of a token: what it lies on, as it can be told from others
}

// Call is a name that the object can be asked for by: of a token, also what it lies
// on.
func (o *ObjectInfo) Call(lang string) string {
	if o.on == "" {
		return o.Name
	}
	return say(lang, "on", o.Name, o.on)
}

// WhichOf lists by what name to ask for one of several objects that the same words
// mean, or returns nil where the first is as good as any: it is the only one that is
// anywhere.
func WhichOf(list []ObjectInfo, lang string) []string {
	var out []string
	for i := range list {
		o := &list[i]
		name := o.Call(lang)
		switch {
		case o.At == "":
			continue
		case o.on == "" && len(list) > 1:
			name = o.At
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// Objects lists the cards, tokens and players that a viewer sees and that words
// fit: a name in any language, a square, a number, or nothing for all of them.
func (m *Match) Objects(words string, lang string, v Viewer) []ObjectInfo {
	return objectsOf(m.prog, m.run, m.namer(lang), words, v)
}

// objectsOf finds objects by words. Of tokens, which are many, what they lie on can be
// said as well: TOKEN on HOST, HOST TOKEN.
func objectsOf(p *Program, rm *run.Match, n *namer, words string, v Viewer) []ObjectInfo {
	out := objectsNamed(p, rm, n, words, v)
	if len(out) > 0 || words == "" {
		return out
	}
	try := func(token, host string) {
		var hosts []int
		for _, h := range objectsNamed(p, rm, n, strings.TrimSpace(host), v) {
			hosts = append(hosts, h.Object)
		}
		if len(hosts) == 0 || len(out) > 0 {
			return
		}
		for _, t := range objectsNamed(p, rm, n, strings.TrimSpace(token), v) {
			if ob := &rm.S.Objects[t.Object]; ob.Entity == program.Token && ob.Host >= 0 && slices.Contains(hosts, int(ob.Host)) {
				out = append(out, t)
			}
		}
	}
	for _, between := range []string{" on ", " of ", " บน ", " ของ ", " ("} { // as answers put it
		if token, host, ok := strings.Cut(words, between); ok {
			try(token, strings.TrimSuffix(host, ")"))
		}
	}
	for i := range words {
		if words[i] == ' ' {
			try(words[i:], words[:i])
		}
	}
	return out
}

// objectsNamed finds objects by a name, a square or a number.
func objectsNamed(p *Program, rm *run.Match, n *namer, words string, v Viewer) []ObjectInfo {
	var out []ObjectInfo
	l := &log{p: p, m: rm}
	for i := range rm.S.Objects {
		ob := &rm.S.Objects[i]
		o := int64(i)
		if ob.Gone || ob.Entity == program.Place || ob.Entity == program.Game || !l.sees(v, nil, o) {
			continue
		}
		info := ObjectInfo{Object: i, Name: n.object(o), At: n.where(o)}
		if ob.Entity == program.Token && ob.Host >= 0 {
			host := int64(ob.Host)
			info.on = n.object(host)
			if at := n.where(host); at != "" && (n.called == nil || n.called(host) == "") {
				info.on = at
			}
		}
		if words != "" && !p.named(n, ob, info, words) {
			continue
		}
		out = append(out, info)
	}
	return out
}

func (p *Program) named(n *namer, ob *state.Object, info ObjectInfo, words string) bool {
	if strings.EqualFold(info.Name, words) || strings.EqualFold(info.At, words) && ob.Entity == program.Card {
		return true
	}
	if strings.TrimPrefix(words, "#") == n.one(program.NumberType, int64(info.Object)) {
		return true
	}
	var d *program.Decl
	switch ob.Entity {
	case program.Card:
		d = &p.p.Cards[ob.Def].Decl
	case program.Token:
		d = &p.p.Tokens[ob.Def].Decl
	default:
		return false
	}
	if strings.EqualFold(d.Name, words) {
		return true
	}
	for _, t := range d.Texts {
		if strings.EqualFold(t.Value, words) {
			return true
		}
	}
	return false
}
