package run

import (
	"math/bits"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// change is a set of kinds of change of the state. A board stays good until
// something changes that an effect in being can read: most of what happens in a
// turn (a card drawn, a step begun) touches nothing of the kind.
type change uint64

// The kinds of change.
const (
	placeChange   change = 1 << iota // a card lies elsewhere
	controlChange                    // a card changed hands
	cardChange                       // a card came or went
	memoryChange
	windowChange // a window began or ended
	effectChange // effects came, went or began
	cellChange   // a card lies in another cell of a grid, or came from a grid or went to one
	roomChange   // there are more or fewer records of objects, of such as are not there: nothing can read that
	firstToken   // a token of the first kind came, went or moved; the other kinds have the bits above it

	tokenChange = ^(firstToken - 1)
	anyChange   = ^change(0) &^ roomChange
)

// ofToken is a change of tokens of a kind. The last kinds may have to share a bit.
func ofToken(kind int) change {
	return firstToken << min(kind, bits.LeadingZeros64(uint64(firstToken)))
}

func (m *Match) touch(c change) {
	m.changed |= c
	m.untold |= c
	m.S.Version++
}

// reach works out which changes can alter what an effect does. token is the kind
// of token that carries it, or -1.
func (en *Engine) reach(e *program.Effect, token int) change {
	r := reacher{p: en.P, seen: map[int]bool{}, token: token}
	r.node(e.Where)
	r.node(e.While)
	r.node(e.On)
	for i := range e.Ops {
		if op := &e.Ops[i]; op.Verb < program.VerbProhibit { // a pattern is read at the gate, not on the board
			r.node(op.Value)
			if op.Call != nil {
				for _, a := range op.Call.Args {
					r.node(a)
				}
			}
		}
	}
	if e.Target == program.TargetEach && e.Kind >= 0 {
		r.kind(e.Kind)
	}
	return r.c
}

type reacher struct {
	p    *program.Program
	seen map[int]bool
	c    change

	token int // the kind of token that is the source, or -1
}

func (r *reacher) kind(k int) {
	switch r.p.Kinds[k].Entity {
	case program.Card:
		r.c |= cardChange
	case program.Token:
		r.c |= r.tokens(k)
	}
	for ; k >= 0; k = r.p.Kinds[k].Parent {
		kind := r.p.Kinds[k]
		if kind.Zone >= 0 && r.p.Zones[kind.Zone].Renews {
			continue // whoever comes or goes there is another object
		}
		if kind.Zone >= 0 {
			r.c |= placeChange
		}
		r.node(kind.Where)
	}
}

// tokens is a change of tokens of a kind of object, or of any where that says
// nothing of tokens.
func (r *reacher) tokens(k int) change {
	for ; k >= 0; k = r.p.Kinds[k].Parent {
		if t := r.p.Kinds[k].Token; t >= 0 {
			return ofToken(t)
		}
	}
	return tokenChange
}

func (r *reacher) node(n *program.Node) {
	n.Walk(func(n *program.Node) {
		switch n.Op {
		case program.OpYou:
			if r.c |= controlChange; r.token >= 0 { // whoever controls what the token is on
				r.c |= ofToken(r.token)
			}
		case program.OpTally:
			if k := n.Kids[1]; k.Op == program.OpConst && k.N >= 0 {
				r.c |= ofToken(int(k.N))
			} else {
				r.c |= tokenChange
			}
		case program.OpEach, program.OpIsKind:
			r.kind(int(n.N))
		case program.OpUnderway, program.OpActFact:
			r.c |= windowChange
		case program.OpLook, program.OpDistance:
			r.c |= cellChange | cardChange
		case program.OpFired, program.OpOrder:
			r.c |= anyChange
		case program.OpAttr, program.OpAttrOf:
			if r.c |= windowChange; !r.seen[int(n.M)] {
				r.seen[int(n.M)] = true
				r.node(r.p.Chars[n.M].Value)
			}
		case program.OpRole, program.OpRoleOf:
			r.c |= windowChange
		case program.OpChar:
			ch := r.p.Chars[n.N]
			if (ch.Fact == program.FactController || ch.Fact == program.FactOwner) && (ch.Entity == program.Token || n.Kids[0].T.ID < 0) {
				r.c |= r.tokens(n.Kids[0].T.ID) // whose it is hangs on what it is on
			}
			switch ch.Fact {
			case program.FactController:
				r.c |= controlChange
			case program.FactZone, program.FactCards, program.FactEmpty:
				r.c |= placeChange | cardChange
			case program.FactCell:
				r.c |= cellChange | cardChange
			case program.FactTokens:
				r.c |= tokenChange
			case program.FactHost:
				r.c |= r.tokens(n.Kids[0].T.ID)
			case program.FactHere:
				r.c |= cardChange | tokenChange
			}
			if ch.Memory {
				r.c |= memoryChange
			}
			if ch.Value != nil && !r.seen[ch.Index] {
				r.seen[ch.Index] = true
				r.node(ch.Value)
			}
		}
	})
}

// compute brings the board up to date, unless a group is being carried out: its
// members were judged in the state before, and that board stands until all of
// them are done.
func (m *Match) compute() {
	if !m.busy { // whoever reads from outside has the whole allowance each time
		m.env.Reset()
	}
	if m.changed == 0 || m.S.Grouped > 0 && m.res != nil {
		return
	}
	if m.S.Grouped > 0 && m.S.Frozen != nil {
		m.thaw(m.S.Frozen)
		return
	}
	m.thawed = nil
	n := len(m.S.Live)
	if !m.outside {
		m.env.Spend(4*len(m.S.Objects) + 4*n + 2*n*n) // which effects may wait for which is asked of every pair
	}
	m.env.S = m.S
	if m.res != nil && m.changed&(m.reached|effectChange) == 0 {
		if m.changed&(cardChange|tokenChange|roomChange) != 0 {
			m.extend()
		}
		m.changed = 0
		return
	}
	if m.res == nil || m.unbegun > 0 || m.untold&(m.reached|effectChange|cardChange) != 0 {
		m.run.Forget() // something changed of which the layers were not told
	}
	if m.run.Follows() && m.untold&(tokenChange|roomChange) != 0 {
		m.extend() // tokens that no effect reads came or went
	}
	m.untold = 0
	m.res = m.run.Compute(&m.env, m.board, nil)
	m.changed, m.reached = 0, 0
	for _, i := range m.S.Live {
		m.reached |= m.En.reaches[m.S.Effects[i].Def]
	}
}

// extend keeps a board that is still good in step with the objects: a row for
// those that came, none for those that went.
func (m *Match) extend() {
	b, p, objects := m.board, m.En.P, m.S.Objects
	if len(b.Off) > len(objects) {
		b.Off = b.Off[:len(objects)]
	}
	for len(b.Off) < len(objects) {
		b.Off = append(b.Off, -1)
	}
	for i := range objects {
		o := &objects[i]
		if o.Gone {
			b.Off[i] = -1
			continue
		}
		if b.Off[i] >= 0 || p.RowSize[o.Entity] == 0 {
			continue
		}
		at := len(b.Vals)
		b.Off[i] = int32(at)
		b.Vals = append(b.Vals, m.En.C.BaseRow(m.S, int64(i))...)
		for slot, ch := range p.RowChars[o.Entity] {
			if ch >= 0 && (p.Chars[ch].Value == nil || p.Chars[ch].Value.Op == program.OpConst) {
				b.Vals[at+slot] = eval.Bound(p.Chars[ch], b.Vals[at+slot])
			}
		}
	}
}
