package eval_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// grower grows random expressions of the types that rules use.
type grower struct {
	p    *program.Program
	r    *rand.Rand
	open []program.Type // elements of the predicates around
}

func (g *grower) node(op program.NodeOp, t program.Type, n int64, kids ...*program.Node) *program.Node {
	return &program.Node{Op: op, T: t, N: n, Kids: kids}
}

// reads lists the characteristics of a type that something of a type has.
func (g *grower) reads(of, want program.Type) []*program.Char {
	var out []*program.Char
	for _, ch := range g.p.Chars {
		if ch.Action >= 0 || of.ID < 0 || ch.Entity != g.p.Kinds[of.ID].Entity || ch.Type.Base != want.Base || ch.Type.Several != want.Several {
			continue
		}
		if want.Base == program.IsOneOf && ch.Type.ID != want.ID {
			continue
		}
		out = append(out, ch)
	}
	return out
}

// read reads a characteristic of some object, or nothing where none fits.
func (g *grower) read(want program.Type, deep int) *program.Node {
	for range 8 {
		kind := []int{program.KindCard, program.KindPlayer, program.KindToken}[g.r.IntN(3)]
		of := program.Type{Base: program.IsObject, ID: kind}
		if list := g.reads(of, want); len(list) > 0 {
			ch := list[g.r.IntN(len(list))]
			return g.node(program.OpChar, ch.Type, int64(ch.Index), g.object(of, deep-1))
		}
	}
	return nil
}

func (g *grower) object(t program.Type, deep int) *program.Node {
	var fits []int64
	for i, o := range g.open {
		if o.Base == program.IsObject && o.ID >= 0 && g.p.Kinds[o.ID].Entity == g.p.Kinds[t.ID].Entity {
			fits = append(fits, int64(i))
		}
	}
	if len(fits) > 0 && g.r.IntN(3) > 0 {
		n := fits[g.r.IntN(len(fits))]
		return g.node(program.OpElem, g.open[n], n)
	}
	if deep > 0 && g.r.IntN(2) == 0 {
		if g.r.IntN(2) == 0 {
			if k := g.read(t, deep); k != nil && k.T.ID >= 0 && g.p.Kinds[k.T.ID].Entity == g.p.Kinds[t.ID].Entity {
				return k
			}
		}
		list := g.list(t, deep-1)
		one := list.T
		one.Several = false
		if g.r.IntN(2) == 0 {
			return g.node(program.OpFirst, one, 0, list)
		}
		return g.node(program.OpFind, one, 0, list, g.under(one, func() *program.Node { return g.flag(deep - 1) }))
	}
	if g.p.Kinds[t.ID].Entity == program.Player && g.r.IntN(2) == 0 {
		return g.node(program.OpYou, t, 0)
	}
	return g.node(program.OpLocal, t, int64(g.p.Kinds[t.ID].Entity))
}

func (g *grower) under(t program.Type, f func() *program.Node) *program.Node {
	g.open = append(g.open, t)
	defer func() { g.open = g.open[:len(g.open)-1] }()
	return f()
}

func (g *grower) list(t program.Type, deep int) *program.Node {
	t.Several = true
	one := t
	one.Several = false
	if deep > 0 {
		switch g.r.IntN(5) {
		case 0:
			l := g.list(t, deep-1)
			o := l.T
			o.Several = false
			return g.node(program.OpFilter, l.T, 0, l, g.under(o, func() *program.Node { return g.flag(deep - 1) }))
		case 1:
			l := g.list(t, deep-1)
			o := l.T
			o.Several = false
			return g.node(program.OpSortBy, l.T, int64(g.r.IntN(2)), l, g.under(o, func() *program.Node { return g.number(deep - 1) }))
		case 2:
			return g.node(program.OpIf, t, 0, g.flag(deep-1), g.list(t, deep-1), g.list(t, deep-1))
		case 3:
			if k := g.read(t, deep); k != nil && k.T.ID >= 0 && g.p.Kinds[k.T.ID].Entity == g.p.Kinds[t.ID].Entity {
				return k
			}
		}
	}
	if g.r.IntN(3) == 0 {
		return g.node(program.OpList, t, 0, g.object(one, 0), g.object(one, 0))
	}
	if deep > 0 && g.r.IntN(2) == 0 {
		return g.node(program.OpEach, t, int64(t.ID), g.under(one, func() *program.Node { return g.flag(deep - 1) }))
	}
	return g.node(program.OpEach, t, int64(t.ID))
}

func (g *grower) number(deep int) *program.Node {
	t := program.NumberType
	if deep <= 0 {
		if g.r.IntN(2) == 0 {
			return g.node(program.OpLocal, t, 0)
		}
		n := g.r.Int64N(9) - 3
		if g.r.IntN(12) == 0 {
			n = []int64{math.MaxInt64, math.MinInt64 + 1, 1 << 62, 3037000500, -1 << 53}[g.r.IntN(5)]
		}
		return g.node(program.OpConst, t, n)
	}
	a, b := func() *program.Node { return g.number(deep - 1) }, func() *program.Node { return g.number(deep - 1) }
	card := program.Type{Base: program.IsObject, ID: program.KindCard}
	switch g.r.IntN(13) {
	case 0:
		return g.node(program.OpAdd, t, 0, a(), b())
	case 1:
		return g.node(program.OpSub, t, 0, a(), b())
	case 2:
		return g.node(program.OpMul, t, 0, a(), b())
	case 3:
		return g.node(program.OpMod, t, 0, a(), b())
	case 4:
		return g.node(program.OpNeg, t, 0, a())
	case 5:
		return g.node(program.OpAbs, t, 0, a())
	case 6:
		return g.node(program.OpIf, t, 0, g.flag(deep-1), a(), b())
	case 7:
		l := g.list(card, deep-1)
		one := l.T
		one.Several = false
		return g.node(program.OpCount, t, 0, l, g.under(one, func() *program.Node { return g.flag(deep - 1) }))
	case 8:
		l := g.list(card, deep-1)
		one := l.T
		one.Several = false
		return g.node(program.OpSum, t, 0, l, g.under(one, func() *program.Node { return g.number(deep - 1) }))
	case 9:
		l := g.list(card, deep-1)
		one := l.T
		one.Several = false
		m := g.node(program.OpMap, program.Type{Base: program.IsNumber, Several: true}, 0, l, g.under(one, func() *program.Node { return g.number(deep - 1) }))
		return g.node([]program.NodeOp{program.OpMin, program.OpMax, program.OpSum, program.OpFirst, program.OpCount}[g.r.IntN(5)], t, 0, m)
	case 10:
		return g.node(program.OpTally, t, 0, g.object(card, deep-1), g.node(program.OpConst, program.Type{Base: program.IsOneOf, ID: program.ListToken}, g.r.Int64N(int64(len(g.p.Tokens)))))
	}
	if k := g.read(t, deep); k != nil {
		return k
	}
	return g.number(0)
}

func (g *grower) flag(deep int) *program.Node {
	t := program.FlagType
	if deep <= 0 {
		return g.node([]program.NodeOp{program.OpLt, program.OpGe, program.OpEq, program.OpNe}[g.r.IntN(4)], t, 0, g.number(0), g.number(0))
	}
	a, b := func() *program.Node { return g.flag(deep - 1) }, func() *program.Node { return g.flag(deep - 1) }
	card := program.Type{Base: program.IsObject, ID: program.KindCard}
	switch g.r.IntN(11) {
	case 0:
		return g.node(program.OpAnd, t, 0, a(), b())
	case 1:
		return g.node(program.OpOr, t, 0, a(), b())
	case 2:
		return g.node(program.OpNot, t, 0, a())
	case 3:
		return g.node(program.OpIf, t, 0, a(), b(), a())
	case 4, 5:
		l := g.list(card, deep-1)
		one := l.T
		one.Several = false
		return g.node([]program.NodeOp{program.OpAny, program.OpAll, program.OpNone}[g.r.IntN(3)], t, 0, l, g.under(one, b))
	case 6:
		return g.node([]program.NodeOp{program.OpLt, program.OpLe, program.OpGt, program.OpGe, program.OpEq, program.OpNe}[g.r.IntN(6)], t, 0, g.number(deep-1), g.number(deep-1))
	case 7:
		return g.node(program.OpInList, t, 0, g.object(card, deep-1), g.list(card, deep-1))
	case 8:
		for _, ch := range g.p.Chars {
			if ch.Action < 0 && ch.Type.Mask() && ch.Entity == program.Card && g.r.IntN(2) == 0 {
				one := ch.Type
				one.Several = false
				set := g.node(program.OpChar, ch.Type, int64(ch.Index), g.object(card, deep-1))
				return g.node(program.OpMaskHas, t, 0, g.node(program.OpConst, one, g.r.Int64N(int64(len(g.p.Values[one.ID].Names)))), set)
			}
		}
	case 9:
		return g.node(program.OpEq, t, 0, g.object(card, deep-1), g.object(card, deep-1))
	case 10:
		return g.node(program.OpListEq, t, 0, g.list(card, deep-1), g.list(card, deep-1))
	}
	return g.node(program.OpHas, t, 0, g.object(card, deep-1), g.node(program.OpConst, program.Type{Base: program.IsOneOf, ID: program.ListKeyword}, g.r.Int64N(int64(len(g.p.Keywords)))))
}

// TestRandomClosuresAgainstMachine compares expressions that nobody wrote, with
// numbers near the limits; where a number no longer fits, both must say so.
func TestRandomClosuresAgainstMachine(t *testing.T) {
	p := loadAll(t, "rules", "cards")
	en := run.New(p)
	w := &world{}
	env := w.functions()
	r := rand.New(rand.NewPCG(4, 2))
	var pairs []*pair
	for len(pairs) < 500 {
		g := &grower{p: p, r: r}
		var n *program.Node
		switch len(pairs) % 3 {
		case 0:
			n = g.number(1 + r.IntN(4))
		case 1:
			n = g.flag(1 + r.IntN(4))
		default:
			n = g.list(program.Type{Base: program.IsObject, ID: []int{program.KindCard, program.KindPlayer, program.KindToken}[r.IntN(3)]}, 1+r.IntN(3))
		}
		size := 0
		n.Walk(func(*program.Node) { size++ })
		if size > 60 {
			continue
		}
		if k := compile(t, p, en.C, env, n, true); k != nil {
			pairs = append(pairs, k)
		}
	}
	over, n := 0, 0
	games(t, p, en, 4, 12, func(m *run.Match, r *rand.Rand) {
		w.m = m
		for _, k := range pairs {
			w.surround(r, k)
			if len(w.l) == 0 {
				w.l = append(w.l, state.Val{})
			}
			w.compare(t, env, k)
			n++
			if w.over {
				over++
			}
		}
	})
	if over == 0 {
		t.Error("no number ever failed to fit")
	}
	t.Logf("%d comparisons, %d of numbers that do not fit", n, over)
}
