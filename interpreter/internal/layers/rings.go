package layers

import "math/bits"

// cycles finds, among the units that may both depend and be depended on, those
// that depend on one another in a ring. Rows of the dependency graph and the
// rings are worked out only when asked for, and again only after a change that
// can matter to them.
type cycles struct {
	n       int
	words   int
	rows    []uint64 // n rows of words: bit b of row a is set if a depends on b
	broken  []uint64 // likewise: dependencies disregarded since their ring was settled
	forced  []uint64 // likewise: what stands in their place, the younger waits for the older
	at      []int32  // by row, the step at which it was worked out, or -1
	stale   []bool   // by row
	left    []uint64 // units not yet applied
	ring    []int    // by unit visited, the number of its ring; units alone have one too
	members []uint64
	ringOK  bool

	index, low, stack []int // Tarjan's algorithm
	counter, rings    int
	onStack           []bool
}

func (g *cycles) reset(n int) {
	g.n, g.words = n, (n+63)/64
	g.rows, g.broken, g.forced = zeroed(g.rows, n*g.words), zeroed(g.broken, n*g.words), zeroed(g.forced, n*g.words)
	g.at, g.stale = zeroed(g.at, n), zeroed(g.stale, n)
	g.left, g.members = zeroed(g.left, g.words), zeroed(g.members, g.words)
	g.ring, g.index, g.low = zeroed(g.ring, n), zeroed(g.index, n), zeroed(g.low, n)
	g.onStack = zeroed(g.onStack, n)
	for i := range n {
		g.at[i], g.stale[i] = -1, true
		g.left[i>>6] |= 1 << (i & 63)
	}
	g.ringOK = false
}

// zeroed returns a slice of length n with every element zero.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (g *cycles) drop(i int) {
	g.left[i>>6] &^= 1 << (i & 63)
	g.ringOK = false
}

// breakRing is called as u, which is not blocked, is about to apply. If it still
// depends on others, they are in a ring with it: from now on the members wait
// for one another by age alone.
func (g *cycles) breakRing(q *order, u *unit) {
	if !g.waits(g.row(q, u), u.mixed) {
		return
	}
	clear(g.members)
	for k := range g.n {
		if g.inRing(k, u.mixed) {
			g.members[k>>6] |= 1 << (k & 63)
		}
	}
	for k := range g.n {
		if g.members[k>>6]>>(k&63)&1 == 0 {
			continue
		}
		for w, word := range g.members {
			at := k*g.words + w
			older := word
			if w == k>>6 {
				older &= 1<<(k&63) - 1
			} else if w > k>>6 {
				older = 0
			}
			g.broken[at] |= word
			g.forced[at] = g.forced[at]&^word | older
		}
	}
}

// edges is word w of what unit i waits for among the units left.
func (g *cycles) edges(row []uint64, i, w int) uint64 {
	at := i*g.words + w
	return (row[w]&^g.broken[at] | g.forced[at]) & g.left[w]
}

func (g *cycles) waits(row []uint64, i int) bool {
	for w := range g.words {
		if g.edges(row, i, w) != 0 {
			return true
		}
	}
	return false
}

// inRing reports whether k is left and in the ring of i, which was visited.
func (g *cycles) inRing(k, i int) bool {
	return g.index[k] != 0 && g.ring[k] == g.ring[i] && g.left[k>>6]>>(k&63)&1 != 0
}

// touch forgets the rows that a change of these facets can alter.
func (g *cycles) touch(mixed []*unit, touched facets) {
	for i, u := range mixed {
		if !g.stale[i] && u.trialReads.meets(touched) {
			g.stale[i] = true
			g.ringOK = false
		}
	}
}

// blocked reports whether u depends on a unit outside its ring, or an older unit
// of its ring is left.
func (g *cycles) blocked(q *order, u *unit) bool {
	row := g.row(q, u)
	if !g.waits(row, u.mixed) {
		return false
	}
	if !g.ringOK {
		g.forgetRings()
	}
	if g.index[u.mixed] == 0 {
		g.visit(q, u.mixed)
	}
	for k := range u.mixed {
		if g.inRing(k, u.mixed) {
			return true
		}
	}
	for w := range g.words {
		for word := g.edges(row, u.mixed, w); word != 0; word &= word - 1 {
			if g.ring[w*64+bits.TrailingZeros64(word)] != g.ring[u.mixed] {
				return true
			}
		}
	}
	return false
}

func (g *cycles) row(q *order, u *unit) []uint64 {
	row := g.rows[u.mixed*g.words : (u.mixed+1)*g.words]
	if !g.stale[u.mixed] {
		return row
	}
	at := g.at[u.mixed]
	all := !q.fresh(u.list, at)
	for _, c := range u.cands[u.pure:] {
		if q.done[c.slot] || !all && q.fresh(c.list, at) {
			continue
		}
		if bit := uint64(1) << (c.mixed & 63); q.depends(u, c) {
			row[c.mixed>>6] |= bit
		} else {
			row[c.mixed>>6] &^= bit
		}
	}
	g.at[u.mixed], g.stale[u.mixed] = q.step, false
	return row
}

func (g *cycles) forgetRings() {
	clear(g.index)
	clear(g.onStack)
	g.stack = g.stack[:0]
	g.counter, g.rings = 0, 0
	g.ringOK = true
}

// visit is Tarjan's depth-first search for strongly connected sets. It settles
// the rings of all that can be reached from i.
func (g *cycles) visit(q *order, i int) {
	g.counter++
	g.index[i], g.low[i] = g.counter, g.counter
	g.stack = append(g.stack, i)
	g.onStack[i] = true
	row := g.row(q, q.plan.mixed[i])
	for w := range g.words {
		for word := g.edges(row, i, w); word != 0; word &= word - 1 {
			k := w*64 + bits.TrailingZeros64(word)
			if g.index[k] == 0 {
				g.visit(q, k)
				g.low[i] = min(g.low[i], g.low[k])
			} else if g.onStack[k] {
				g.low[i] = min(g.low[i], g.index[k])
			}
		}
	}
	if g.low[i] != g.index[i] {
		return
	}
	g.rings++
	for {
		k := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.onStack[k] = false
		g.ring[k] = g.rings
		if k == i {
			return
		}
	}
}
