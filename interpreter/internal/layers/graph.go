package layers

// graph is what waits for what among the effects of a layer that are left.
// Positions are in order of Timestamp. forced holds what a settled ring put in
// place of its members' own dependencies: 1 waits, -1 does not.
type graph struct {
	n      int
	left   []int
	edges  []bool
	forced []int8
}

func (g *graph) waits(a, b int) bool {
	if f := g.forced[a*g.n+b]; f != 0 {
		return f > 0
	}
	return g.edges[a*g.n+b]
}

// next returns the first effect by Timestamp that waits for nothing outside its
// own ring and is the first of that ring, with the members of the ring, in order.
func (g *graph) next() (at int, members []int) {
	if a := g.left[0]; g.alone(a) {
		return a, nil // the oldest waits for nothing, so it is in no ring
	}
	comp := g.rings()
	for _, a := range g.left {
		free := true
		for _, b := range g.left {
			if a == b {
				continue
			}
			if comp[b] == comp[a] {
				free = free && a < b
			} else {
				free = free && !g.waits(a, b)
			}
		}
		// The members go by age, and the younger wait for the older; so the
		// first of them must not wait for anything outside, and neither must
		// those that come after it wait on its behalf.
		if free {
			for _, b := range g.left {
				if comp[b] == comp[a] {
					members = append(members, b)
				}
			}
			return a, members
		}
	}
	return g.left[0], []int{g.left[0]} // a finite graph of rings always has a free one
}

// alone reports whether an effect waits for nothing.
func (g *graph) alone(a int) bool {
	for _, b := range g.left {
		if a != b && g.waits(a, b) {
			return false
		}
	}
	return true
}

// settle puts age in place of the dependencies between members.
func (g *graph) settle(members []int) {
	for _, a := range members {
		for _, b := range members {
			switch {
			case a > b:
				g.forced[a*g.n+b] = 1
			case a < b:
				g.forced[a*g.n+b] = -1
			}
		}
	}
}

// rings numbers the strongly connected sets (Tarjan's algorithm).
func (g *graph) rings() map[int]int {
	index, low, comp := map[int]int{}, map[int]int{}, map[int]int{}
	on := map[int]bool{}
	var stack []int
	counter, rings := 0, 0
	var visit func(a int)
	visit = func(a int) {
		counter++
		index[a], low[a] = counter, counter
		stack = append(stack, a)
		on[a] = true
		for _, b := range g.left {
			if a == b || !g.waits(a, b) {
				continue
			}
			if index[b] == 0 {
				visit(b)
				low[a] = min(low[a], low[b])
			} else if on[b] {
				low[a] = min(low[a], index[b])
			}
		}
		if low[a] == index[a] {
			rings++
			for {
				b := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				on[b] = false
				comp[b] = rings
				if b == a {
					break
				}
			}
		}
	}
	for _, a := range g.left {
		if index[a] == 0 {
			visit(a)
		}
	}
	return comp
}
