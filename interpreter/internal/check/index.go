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
		e.Near = c.near(e)
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
	var walk func(n *program.Node)
	walk = func(n *program.Node) {
		if n == nil {
			return
		}
		switch n.Op {
		case program.OpMaskHas:
			if k := n.Kids[1]; n.Kids[0].Op == program.OpConst && k.Op == program.OpChar && c.layered(k) {
				out = append(out, program.Reading{Char: int(k.N), Value: int(n.Kids[0].N)})
				walk(k.Kids[0])
				return
			}
		case program.OpEq, program.OpNe:
			for i := range n.Kids {
				k, v := n.Kids[i], n.Kids[1-i]
				if k.Op == program.OpChar && v.Op == program.OpConst && k.T.Base == program.IsOneOf && !k.T.Several && c.layered(k) {
					out = append(out, program.Reading{Char: int(k.N), Value: int(v.N)})
					walk(k.Kids[0])
					return
				}
			}
		case program.OpHas, program.OpAbilityCount:
			out = append(out, program.Reading{Char: c.char(program.Card, "ability").Index, Value: -1})
		case program.OpChar:
			ch := c.p.Chars[n.N]
			if ch.Fact == program.FactAbilities || c.layered(n) {
				out = append(out, program.Reading{Char: ch.Index, Value: -1})
			}
			if ch.Value != nil && !seen[ch.Index] {
				seen[ch.Index] = true
				walk(ch.Value)
				seen[ch.Index] = false
			}
		case program.OpAttr, program.OpAttrOf:
			if ch := c.p.Chars[n.M]; ch.Value != nil && !seen[ch.Index] {
				seen[ch.Index] = true
				walk(ch.Value)
				seen[ch.Index] = false
			}
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(n)
	return out
}

// near reports whether an effect reads layered values of nothing but the objects
// that it changes, as far as what it is allows to say. It may say no where yes is true.
func (c *checker) near(e *program.Effect) bool {
	self := e.Target == program.TargetSelf
	if !self && (e.Target != program.TargetFixed || e.Static) { // one of an ability reads whether its source has that
		return false
	}
	only := func(n *program.Node, opened bool) bool {
		yes := true
		n.Walk(func(n *program.Node) {
			switch n.Op {
			case program.OpChar:
				ch := c.p.Chars[n.N]
				if ch.Value != nil && !ch.Value.Constant() {
					yes = false
				}
				if !c.layered(n) && ch.Fact != program.FactAbilities {
					return
				}
			case program.OpHas, program.OpAbilityCount:
			case program.OpConst, program.OpList, program.OpSelf, program.OpYou, program.OpIt, program.OpElem, program.OpLocal, program.OpTally, program.OpTable,
				program.OpAbs, program.OpMaskCount, program.OpMaskHas, program.OpAdd, program.OpSub, program.OpMul, program.OpMod, program.OpNeg,
				program.OpEq, program.OpNe, program.OpLt, program.OpLe, program.OpGt, program.OpGe, program.OpAnd, program.OpOr, program.OpNot,
				program.OpIf, program.OpIsKind:
				return
			case program.OpMin, program.OpMax:
				yes = yes && n.Kids[0].Op == program.OpList
				return
			default:
				yes = false
				return
			}
			of := n.Kids[0]
			yes = yes && (self && of.Op == program.OpSelf || opened && of.Op == program.OpElem && of.N == 0)
		})
		return yes
	}
	if !only(e.Where, true) || !only(e.While, false) {
		return false
	}
	for i := range e.Ops {
		op := &e.Ops[i]
		if op.Call != nil {
			for _, a := range op.Call.Args {
				if !only(a, e.Opened) {
					return false
				}
			}
		}
		if !only(op.Value, e.Opened) {
			return false
		}
	}
	return true
}

// layered reports whether effects can change what the node reads.
func (c *checker) layered(n *program.Node) bool {
	ch := c.p.Chars[n.N]
	return ch.Fact == program.FactNone && !ch.Memory && ch.Action < 0
}
