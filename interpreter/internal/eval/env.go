// Package eval turns checked expressions into closures and gives them a state
// to read. A tree of typed closures costs about a twentieth of expr's own
// virtual machine for the small predicates of rule text, which is why the
// machine is kept only as the reference that a property test holds these to.
package eval

import (
	"fmt"
	"sync"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Int evaluates to a number, a flag (0 or 1), a name, a set (as bits) or an object.
type Int func(*Env) int64

// List evaluates to a list. The slice lives until the lists of the Env is cut
// back: callers use it at once or copy it.
type List func(*Env) []int64

// Limits of one evaluation.
const (
	maxSteps = 100_000_000 // candidates and elements looked at between two decisions, by expressions and layers
	maxDepth = 64          // worked-out characteristics inside each other
)

// Env is what expressions read. Its zero value with S, B and C set is ready.
type Env struct {
	C *Code
	S *state.State
	B *Board

	then *state.Before // the state looked back at, or nil

	Self, You int64
	Act       *state.Act
	L         []state.Val
	Hits      []int64

	Attr func(e *Env, a *state.Act, slot int) state.Val // works out an attribute that is not fixed yet
	Case Case                                           // answers what only cases may ask

	stk   []int64
	base  int
	lists []int64
	steps int

	filters []kept // of the filters under way
	filter  int    // where those of the innermost begin
	kept    []int64
	depth   int
	Err     error
}

// Case answers questions about what has happened in a case.
type Case interface {
	Fired(object int64, header int) int64
	Order(object int64, char int) []int64 // labels as texts
}

// Push makes an object the candidate at the next level and Pop drops it.
func (e *Env) Push(v int64) {
	e.steps += 2
	e.stk = append(e.stk, v)
}

// Pop drops the innermost candidate.
func (e *Env) Pop() { e.stk = e.stk[:len(e.stk)-1] }

// Enter starts an expression of its own: levels count from here. Leave undoes it.
func (e *Env) Enter() int {
	old := e.base
	e.steps += 20
	e.base = len(e.stk)
	return old
}

// Leave restores what Enter returned.
func (e *Env) Leave(old int) { e.base = old }

// Mark and Release bound the lists made in between.
func (e *Env) Mark() int { return len(e.lists) }

// Release forgets the lists made since the mark.
func (e *Env) Release(mark int) { e.lists = e.lists[:mark] }

// Again makes the surroundings as good as new, for another match; only their
// memory is kept.
func (e *Env) Again() {
	*e = Env{C: e.C, S: e.S, Attr: e.Attr, stk: e.stk[:0], lists: e.lists[:0], filters: e.filters[:0], kept: e.kept[:0]}
}

// Reset forgets steps and errors; the match calls it after each decision.
func (e *Env) Reset() { e.steps, e.depth, e.Err = 0, 0, nil }

// LimitError says that evaluation was cut off.
type LimitError struct {
	What  string // "expression-steps", "expression-depth" or "overflow"
	Limit int
	Self  int64 // the object whose text was being evaluated, or nothing
}

func (l *LimitError) Error() string { return fmt.Sprintf("%s (limit %d)", l.What, l.Limit) }

func (e *Env) fail(what string, limit int) {
	if e.Err == nil {
		e.Err = &LimitError{what, limit, e.Self}
	}
}

func (e *Env) tick() bool {
	e.steps++
	if e.steps > maxSteps {
		e.fail("expression-steps", maxSteps)
		return false
	}
	return e.Err == nil
}

// Spend counts work that is done for an evaluation outside expressions.
func (e *Env) Spend(n int) {
	if e.steps += n; e.steps > maxSteps {
		e.fail("expression-steps", maxSteps)
	}
}

// Board is the worked-out state: a row of layered values for each object.
type Board struct {
	Off    []int32 // where an object's row starts in Vals; -1 for none
	Vals   []int64
	Floors bool // the layer that ends with floors is over
}

// Row returns an object's row, or nil.
func (b *Board) Row(p *program.Program, entity program.Entity, o int64) []int64 {
	if o < 0 || int(o) >= len(b.Off) || b.Off[o] < 0 {
		return nil
	}
	at := int(b.Off[o])
	return b.Vals[at : at+p.RowSize[entity]]
}

// Code is the compiled expressions of a program, shared by all matches. A node is
// compiled when it is first used, mostly as the engine is made.
type Code struct {
	P     *program.Program
	chars []charCode
	mu    sync.RWMutex // over ints and lists: matches in several goroutines may compile a node that nobody has used before
	ints  map[*program.Node]Int
	lists map[*program.Node]List
	empty []int64 // by characteristic: the value where there is none
	base  [][]int64
	plain [program.Entities][]int64 // of what is no card
}

type charCode struct {
	i Int
	l List
}

// New compiles a program's characteristics.
func New(p *program.Program) *Code {
	c := &Code{P: p, chars: make([]charCode, len(p.Chars)), ints: map[*program.Node]Int{}, lists: map[*program.Node]List{}, empty: make([]int64, len(p.Chars))}
	for i, ch := range p.Chars {
		c.empty[i] = Empty(ch.Type)
	}
	for i := range c.plain {
		if program.Entity(i) == program.Card {
			continue // each card has a row of its own; there may be none
		}
		c.plain[i] = c.newRow(&state.State{Objects: []state.Object{{Entity: program.Entity(i)}}}, 0)
	}
	c.base = make([][]int64, len(p.Cards))
	for i := range p.Cards {
		s := &state.State{Objects: []state.Object{{Entity: program.Card, Def: int32(i)}}}
		c.base[i] = c.newRow(s, 0)
	}
	for i, ch := range p.Chars {
		if ch.Value == nil {
			continue
		}
		if ch.Type.List() {
			c.chars[i].l = c.List(ch.Value)
		} else {
			c.chars[i].i = c.Int(ch.Value)
		}
	}
	return c
}

// Empty is the value of a type where there is nothing.
func Empty(t program.Type) int64 {
	if !t.Several {
		switch t.Base {
		case program.IsOneOf, program.IsObject, program.IsHappening, program.IsNothing:
			return state.None
		}
	}
	return 0
}

// Value evaluates a node to a value of its own, whose list is a copy.
func (c *Code) Value(n *program.Node, e *Env) state.Val {
	if n == nil {
		return state.Val{}
	}
	if n.T.List() || n.Op == program.OpMaskList {
		mark := e.Mark()
		l := append([]int64(nil), c.List(n)(e)...)
		e.Release(mark)
		return state.Val{L: l}
	}
	return state.Val{N: c.Int(n)(e)}
}

// True evaluates a condition; a missing one holds.
func (c *Code) True(n *program.Node, e *Env) bool {
	return n == nil || c.Int(n)(e) != 0
}

// entity returns what an object is, or NoEntity.
func (e *Env) entity(o int64) program.Entity {
	if o < 0 || int(o) >= len(e.S.Objects) {
		return program.NoEntity
	}
	return e.S.Objects[o].Entity
}

// Base returns the value of a characteristic before any effect.
func (c *Code) Base(s *state.State, o int64, ch *program.Char) int64 {
	ob := &s.Objects[o]
	if ob.Entity == program.Card {
		for _, v := range c.P.Cards[ob.Def].Values {
			if v.Char == ch.Index {
				return v.Value
			}
		}
	}
	if ch.Value != nil && ch.Value.Op == program.OpConst {
		return ch.Value.N
	}
	return c.empty[ch.Index]
}

// Char reads a characteristic of an object as a value.
func (e *Env) Char(o int64, ch *program.Char) state.Val {
	f := e.C.charReader(ch)
	if ch.Type.List() {
		mark := e.Mark()
		l := append([]int64(nil), f.l(e, o)...)
		e.Release(mark)
		return state.Val{L: l}
	}
	return state.Val{N: f.i(e, o)}
}

// deriveInt works out a characteristic's expression with the object as candidate
// and self; deriveList does so for one that is a list.
func (e *Env) deriveInt(o int64, f Int) int64 {
	oldBase, oldSelf, oldAct := e.base, e.Self, e.Act
	e.base = len(e.stk)
	e.stk = append(e.stk, o)
	e.Self, e.Act = o, nil
	var v int64
	if e.depth++; e.depth > maxDepth {
		e.fail("expression-depth", maxDepth)
	} else {
		v = f(e)
	}
	e.depth--
	e.Self, e.Act = oldSelf, oldAct
	e.stk = e.stk[:len(e.stk)-1]
	e.base = oldBase
	return v
}

func (e *Env) deriveList(o int64, f List) []int64 {
	oldBase, oldSelf, oldAct := e.base, e.Self, e.Act
	e.base = len(e.stk)
	e.stk = append(e.stk, o)
	e.Self, e.Act = o, nil
	var l []int64
	if e.depth++; e.depth > maxDepth {
		e.fail("expression-depth", maxDepth)
	} else {
		l = f(e)
	}
	e.depth--
	e.Self, e.Act = oldSelf, oldAct
	e.stk = e.stk[:len(e.stk)-1]
	e.base = oldBase
	return l
}

// worked applies what effects have done to a worked-out value. Three numbers of
// the row keep that: whether it was set, and of a number the value set and what
// was added since, of a set of names what was added (or set) and what was taken away.
func worked(t program.Type, row []int64, base func() int64) int64 {
	set, a, b := row[0], row[1], row[2]
	if t.Mask() {
		v := int64(0)
		if set == 0 {
			v = base()
		}
		return v&^b | a
	}
	if t.Base == program.IsNumber {
		if set != 0 {
			return a + b
		}
		return base() + b
	}
	if set != 0 {
		return a
	}
	return base()
}

// Replace makes another object the innermost candidate.
func (e *Env) Replace(v int64) {
	e.steps += 2
	e.stk[len(e.stk)-1] = v
}

// BaseRow returns an object's row before any effect: what is printed, and a bit
// for each printed ability. The slice is shared: callers copy it.
func (c *Code) BaseRow(s *state.State, o int64) []int64 {
	ob := &s.Objects[o]
	if ob.Base != nil {
		return ob.Base
	}
	if ob.Entity == program.Card {
		return c.base[ob.Def]
	}
	return c.plain[ob.Entity]
}

func (c *Code) newRow(s *state.State, o int64) []int64 {
	ob := &s.Objects[o]
	p := c.P
	row := make([]int64, p.RowSize[ob.Entity])
	for slot, ch := range p.RowChars[ob.Entity] {
		if ch < 0 {
			continue
		}
		if k := p.Chars[ch]; k.Value == nil || k.Value.Op == program.OpConst {
			row[slot] = c.Base(s, o, k)
		}
	}
	if ob.Entity == program.Card && int(ob.Def) < len(p.Cards) {
		row[p.AbilSlot] = 1<<len(p.Cards[ob.Def].Abilities) - 1
	}
	return row
}
