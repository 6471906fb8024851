package check

import (
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// index lays out rows and memories and works out what every effect reads and
// writes.
func (c *checker) index() {
	p := c.p
	for _, ch := range p.Chars {
		switch {
		case ch.Action >= 0 || ch.Fact != program.FactNone:
		case ch.Memory:
			ch.Slot = p.MemSize[ch.Entity]
			p.MemSize[ch.Entity]++
			p.MemChars[ch.Entity] = append(p.MemChars[ch.Entity], ch.Index)
		case ch.Value == nil || ch.Value.Op == program.OpConst:
			ch.Slot = p.RowSize[ch.Entity]
			p.RowSize[ch.Entity]++
			p.RowChars[ch.Entity] = append(p.RowChars[ch.Entity], ch.Index)
		case ch.Written:
			// A worked-out characteristic that effects change keeps, beside its
			// expression, whether it was set and what was added and taken away.
			ch.Slot = p.RowSize[ch.Entity]
			p.RowSize[ch.Entity] += 3
			p.RowChars[ch.Entity] = append(p.RowChars[ch.Entity], ch.Index, -1, -1)
		}
	}
	p.AbilSlot = p.RowSize[program.Card]
	p.RowSize[program.Card]++
	p.RowChars[program.Card] = append(p.RowChars[program.Card], -1)
	for e := range p.LockSlot {
		p.LockSlot[e] = p.RowSize[e]
		p.RowSize[e]++
		p.RowChars[e] = append(p.RowChars[e], -1)
	}
	if p.Home >= 0 {
		for _, e := range p.Effects {
			if e.Static && e.In < 0 {
				e.In = p.Home
			}
		}
		for _, t := range p.Triggers {
			if t.In < 0 {
				t.In = p.Home
			}
		}
	}
	for _, e := range p.Effects {
		e.Parts = make([][]int, len(p.Layers))
		for i := range e.Ops {
			op := &e.Ops[i]
			e.Parts[op.Layer] = append(e.Parts[op.Layer], i)
			if op.Verb < program.VerbProhibit && (e.First < 0 || op.Layer < e.First) {
				e.First = op.Layer
			}
			op.Reads = c.reads(op.Value)
			if op.Call != nil {
				for _, a := range op.Call.Args {
					op.Reads = append(op.Reads, c.reads(a)...)
				}
			}
		}
		e.Reads = append(c.reads(e.Where), c.reads(e.While)...)
		if e.On != nil {
			e.Reads = append(e.Reads, c.reads(e.On)...)
		}
	}
	p.TextIDs = map[string]int{}
	for s, i := range c.textIDs {
		p.TextIDs[s] = int(i)
	}
}

// reads lists the layered values that an expression can read. What is compared
// with a constant is narrowed to it; a worked-out characteristic stands for what
// it reads itself.
func (c *checker) reads(n *program.Node) []program.Reading {
	var out []program.Reading
	seen := map[int]bool{}
	var walk func(n *program.Node, remote bool)
	walk = func(n *program.Node, remote bool) {
		if n == nil {
			return
		}
		switch n.Op {
		case program.OpMaskHas:
			if k := n.Kids[1]; n.Kids[0].Op == program.OpConst && k.Op == program.OpChar && c.layered(k) {
				out = append(out, program.Reading{Char: int(k.N), Value: int(n.Kids[0].N), Remote: remote || !candidate(k.Kids[0])})
				walk(k.Kids[0], remote)
				return
			}
		case program.OpEq, program.OpNe:
			for i := range n.Kids {
				k, v := n.Kids[i], n.Kids[1-i]
				if k.Op == program.OpChar && v.Op == program.OpConst && k.T.Base == program.IsOneOf && !k.T.Several && c.layered(k) {
					out = append(out, program.Reading{Char: int(k.N), Value: int(v.N), Remote: remote || !candidate(k.Kids[0])})
					walk(k.Kids[0], remote)
					return
				}
			}
		case program.OpHas:
			out = append(out, program.Reading{Char: c.char(program.Card, "ability").Index, Value: -1, Remote: remote || !candidate(n.Kids[0])})
		case program.OpChar:
			ch := c.p.Chars[n.N]
			far := remote || !candidate(n.Kids[0])
			if ch.Fact == program.FactAbilities || c.layered(n) {
				out = append(out, program.Reading{Char: ch.Index, Value: -1, Remote: far})
			}
			if ch.Value != nil && !seen[ch.Index] {
				seen[ch.Index] = true
				walk(ch.Value, true)
				seen[ch.Index] = false
			}
		case program.OpAttr, program.OpAttrOf:
			if ch := c.p.Chars[n.M]; ch.Value != nil && !seen[ch.Index] {
				seen[ch.Index] = true
				walk(ch.Value, true)
				seen[ch.Index] = false
			}
		}
		for _, k := range n.Kids {
			walk(k, remote)
		}
	}
	walk(n, false)
	return out
}

// candidate reports whether a node is the candidate of the filter itself.
func candidate(n *program.Node) bool { return n.Op == program.OpElem && n.N == 0 }

// layered reports whether effects can change what the node reads.
func (c *checker) layered(n *program.Node) bool {
	ch := c.p.Chars[n.N]
	return ch.Fact == program.FactNone && !ch.Memory && ch.Action < 0
}
