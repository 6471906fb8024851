package eval

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// factReader reads what only actions change.
func (c *Code) factReader(ch *program.Char) charReader {
	entity, empty, p := ch.Entity, c.empty[ch.Index], c.P
	one := func(f func(e *Env, o *state.Object) int64) charReader {
		return charReader{i: func(e *Env, o int64) int64 {
			if e.entity(o) != entity {
				return empty
			}
			return f(e, &e.S.Objects[o])
		}}
	}
	list := func(f func(e *Env, o int64)) charReader {
		return charReader{l: func(e *Env, o int64) []int64 {
			start := len(e.lists)
			f(e, o)
			return e.lists[start:]
		}}
	}
	switch ch.Fact {
	case program.FactOwner:
		if entity == program.Token { // a token belongs with what it is on
			return one(func(e *Env, o *state.Object) int64 { return e.ownerOf(o.Host) })
		}
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Owner) })
	case program.FactController:
		if entity == program.Token {
			return one(func(e *Env, o *state.Object) int64 { return e.Controller(int64(o.Host)) })
		}
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Controller) })
	case program.FactZone:
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Zone) })
	case program.FactCell:
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Cell) })
	case program.FactHost:
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Host) })
	case program.FactKind:
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Def) })
	case program.FactHere:
		return one(func(_ *Env, o *state.Object) int64 { return flag(!o.Gone) })
	case program.FactX:
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.X) })
	case program.FactY:
		return one(func(_ *Env, o *state.Object) int64 { return int64(o.Y) })
	case program.FactEmpty:
		return charReader{i: func(e *Env, o int64) int64 {
			if e.entity(o) != program.Place {
				return empty
			}
			z := int(e.S.Objects[o].Zone)
			for _, card := range e.S.Piles[z*3] {
				if e.S.Objects[card].Cell == int32(o) {
					return 0
				}
			}
			return 1
		}}
	case program.FactTokens:
		return list(func(e *Env, o int64) {
			if o < 0 || int(o) >= len(e.S.Objects) {
				return
			}
			for _, t := range e.S.Objects[o].Tokens {
				e.lists = append(e.lists, int64(t))
			}
		})
	case program.FactPlayers:
		return list(func(e *Env, _ int64) { e.lists = append(e.lists, 1, 2) })
	case program.FactCards:
		return list(func(e *Env, o int64) {
			z, cell := int64(-1), int32(-1)
			if o < state.None {
				z = -2 - o
			} else if e.entity(o) == program.Place {
				z = int64(e.S.Objects[o].Zone)
				cell = int32(o)
			}
			if z < 0 {
				return
			}
			for i := range 3 {
				for _, card := range e.S.Piles[z*3+int64(i)] {
					if cell < 0 || e.S.Objects[card].Cell == cell {
						e.lists = append(e.lists, int64(card))
					}
				}
			}
		})
	case program.FactCells:
		return list(func(e *Env, o int64) {
			z := int32(-1)
			if o < state.None {
				z = int32(-2 - o)
			} else if e.entity(o) == program.Place {
				z = e.S.Objects[o].Zone
			}
			if z < 0 || p.Zones[z].Width == 0 {
				return
			}
			for i := range e.S.Objects { // places come right behind the players
				ob := &e.S.Objects[i]
				if ob.Entity == program.Place && ob.Zone == z {
					e.lists = append(e.lists, int64(i))
				} else if ob.Entity == program.Card {
					break
				}
			}
		})
	}
	return charReader{i: func(*Env, int64) int64 { return empty }, l: func(*Env, int64) []int64 { return nil }}
}

func (e *Env) ownerOf(o int32) int64 {
	switch e.entity(int64(o)) {
	case program.Card:
		return int64(e.S.Objects[o].Owner)
	case program.Player:
		return int64(o)
	}
	return state.None
}

// Controller returns who controls an object: of a token, who controls what it
// is on; of a player, the player.
func (e *Env) Controller(o int64) int64 {
	switch e.entity(o) {
	case program.Card:
		return int64(e.S.Objects[o].Controller)
	case program.Token:
		return e.Controller(int64(e.S.Objects[o].Host))
	case program.Player:
		return o
	}
	return state.None
}

// Has reports whether an object has a keyword: because it was granted and the
// grant still holds, or because one of its abilities is the keyword.
func (e *Env) Has(o, keyword int64) bool {
	if e.entity(o) != program.Card || keyword < 0 {
		return false
	}
	if e.then != nil {
		if slices.Contains(e.then.Held, state.Held{Object: int32(o), Keyword: int32(keyword)}) {
			return true
		}
	} else {
		for _, i := range e.S.Live {
			f := &e.S.Effects[i]
			if f.Host == int32(o) && !f.Ended && e.C.P.Effects[f.Def].Keyword == int(keyword) {
				return true
			}
		}
	}
	if e.C.P.Keywords[keyword].Granted != nil {
		return false // it is had only by being granted
	}
	mask := uint64(e.slot(o, program.Card, e.C.P.AbilSlot, 0))
	if mask == 0 {
		return false
	}
	card := e.C.P.Cards[e.S.Objects[o].Def]
	for bit, a := range card.Abilities {
		if mask>>bit&1 != 0 && int64(e.C.P.Abilities[a].Keyword) == keyword {
			return true
		}
	}
	if mask>>len(card.Abilities) == 0 {
		return false
	}
	for i := range e.S.Grants {
		if g := &e.S.Grants[i]; g.Object == int32(o) && !g.Lost && mask>>g.Bit&1 != 0 && e.grants(g, keyword) {
			return true
		}
	}
	return false
}

func (e *Env) tally(o, kind int64) int64 {
	if o < 0 || int(o) >= len(e.S.Objects) {
		return 0
	}
	n := int64(0)
	for _, t := range e.S.Objects[o].Tokens {
		if int64(e.S.Objects[t].Def) == kind {
			n++
		}
	}
	return n
}

// look finds the card that lies some squares away in a direction.
func (e *Env) look(o, dir, far int64, list *program.Values) int64 {
	if e.entity(o) != program.Card || dir < 0 || int(dir) >= len(list.Names) {
		return state.None
	}
	cell := e.S.Objects[o].Cell
	if cell < 0 {
		return state.None
	}
	at := &e.S.Objects[cell]
	d := list.Names[dir]
	zone := e.C.P.Zones[at.Zone]
	for n := int64(1); n <= far; n++ { // the first one met in that direction
		x, y := int64(at.X)+n*int64(d.DX), int64(at.Y)+n*int64(d.DY)
		if x < 0 || y < 0 || x >= int64(zone.Width) || y >= int64(zone.Height) || d.DX == 0 && d.DY == 0 {
			break
		}
		for _, card := range e.S.Piles[int(at.Zone)*3] {
			c := e.S.Objects[card].Cell
			if c >= 0 && int64(e.S.Objects[c].X) == x && int64(e.S.Objects[c].Y) == y {
				return int64(card)
			}
		}
	}
	return state.None
}

// distance counts squares along rows and columns; 0 where a place is missing or
// the two lie in different zones.
func (e *Env) distance(a, b int64) int64 {
	if e.entity(a) != program.Place || e.entity(b) != program.Place {
		return 0
	}
	p, q := &e.S.Objects[a], &e.S.Objects[b]
	if p.Zone != q.Zone {
		return 0
	}
	return abs(int64(p.X)-int64(q.X)) + abs(int64(p.Y)-int64(q.Y))
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

func (e *Env) cellAt(zone int, x, y int64) int64 {
	for i := range e.S.Objects {
		if o := &e.S.Objects[i]; o.Entity == program.Place && int(o.Zone) == zone && int64(o.X) == x && int64(o.Y) == y {
			return int64(i)
		}
	}
	return state.None
}

// grants reports whether a grant gives the keyword, itself or with a copied card.
func (e *Env) grants(g *state.Grant, keyword int64) bool {
	if g.Keyword >= 0 {
		return int64(g.Keyword) == keyword
	}
	for _, a := range e.C.P.Cards[g.Card].Abilities {
		if int64(e.C.P.Abilities[a].Keyword) == keyword {
			return true
		}
	}
	return false
}
