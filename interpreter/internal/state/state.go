// Package state is the state of a match as a value: it can be copied, saved,
// loaded, hashed and compared. It holds facts only; everything that follows from
// them (characteristics, rules in force) is worked out elsewhere.
package state

import (
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/program"
)

// None is the absent object, player, place or name.
const None = -1

// Val is a value: N for everything that fits a number (a flag, a name, an
// object, a set of names), L for a list. A list is never changed once it is made.
type Val struct {
	N int64   `json:"n,omitempty"`
	L []int64 `json:"l,omitempty"`
}

// Object is one thing of the game. Its number in State.Objects is its identity,
// and numbers are given in order of birth.
type Object struct {
	Entity     program.Entity
	Def        int32 // card, kind of token, zone, or number of the player
	Owner      int32
	Controller int32
	Zone       int32     // of a card: the zone; of a place: the zone that it is or lies in
	Cell       int32     // of a card on a grid: the place
	Host       int32     // of a token: what it is on
	X, Y       int32     // of a cell
	Gone       bool      // left for good; the rest are its last values
	Next       int32     // what it became as it left, or None
	Mem        []int64   `json:",omitempty"`
	Lists      [][]int64 `json:",omitempty"` // memories that are lists, by their place in Mem; absent before one is written; replaced whole
	Base       []int64   `json:",omitempty"` // the row of base values where it is no longer the printed one; replaced whole, never written to
	Last       []int64   `json:",omitempty"` // the row of layered values that it had as it left
	Tokens     []int32   `json:",omitempty"` // on it, in order of birth
}

// Effect is a continuous effect in being, or one that has ended.
type Effect struct {
	Def     int32
	Source  int32 // the object whose ability made it, or None
	You     int32 // the player who is "you", None for whoever controls the source now
	Stamp   int64 // 0 while it has not begun
	Created int64
	Frame   []Val   `json:",omitempty"` // what it captured
	Act     *Act    `json:",omitempty"` // the action in whose body it was made, as of then, where it reads roles of it
	Objects []int64 // what it names, where it names objects; an empty list is not the same as none
	Bit     int32   // of a static one: the ability's place among its source's, else None
	Origin  int32   // of one from a granted ability: the number of the Grant, else None
	Host    int32   // of one that is a keyword: the object that has the keyword
	Ended   bool
	Static  bool
	Pinned  bool // its Timestamp was given outright
}

// Grant is a keyword, or the abilities of a copied card, that an effect gives an
// object, as of the last computation.
type Grant struct {
	Effect  int32 // the effect that gives it
	Op      int32
	Object  int32
	Keyword int32   // None for a copied card
	Card    int32   // None for a keyword
	Bit     int32   // its place in the object's set of abilities
	Frame   []Val   `json:",omitempty"` // the keyword's arguments
	Effects []int32 `json:",omitempty"`
	Lost    bool
}

// Act is an action under way or over: its roles and, once it has passed the
// gate, its attributes, fixed.
type Act struct {
	ID        int64
	Action    int32
	Parent    int64  // the act in whose body it happens, or None
	AbilityOf int32  // the player whose ability made it, or None
	Causer    int32  // the object whose ability made it, or None
	Roles     []Val  `json:",omitempty"`
	Attrs     []Val  `json:",omitempty"`
	Have      uint64 // attributes that Attrs holds for good
	Base      uint64 // attributes that Attrs holds as given by with, before effects on them
	Number    int64  // the how many-th of its action
	Start     int64  // moment at which it began
	Passed    bool   // went through the gate
	Done      bool
	Kind      int32   // place: the kind of token
	Args      []Val   `json:",omitempty"` // grant: the keyword's arguments
	Replaced  []int32 `json:",omitempty"` // effects that have replaced it already
	Until     int32   // grant: the call that states a duration, or None
	Group     int64   // the group in which it was judged, or 0
	Frame     []Val   `json:",omitempty"` // the frame of the call, for its duration
	Self      int32
	You       int32
	Code, At  int32 // the instruction that called for it: routine and place, or None
}

// Delayed is a trigger that waits for its moment, once.
type Delayed struct {
	Trigger   int32
	Self, You int32
	Created   int64
	Frame     []Val `json:",omitempty"`
}

// Queued is a trigger that has fired and waits to resolve.
type Queued struct {
	Trigger   int32
	Self, You int32
	Act       int64
	Hits      []int64 `json:",omitempty"`
	Frame     []Val   `json:",omitempty"`
	Effect    int32   // the effect that holds it, or None
	Copy      int32   `json:",omitempty"` // which of its Object's copies of the ability it is, for limits
}

// FrameKind says what a frame of the stack does.
type FrameKind uint8

// The kinds of frame. Their numbers stand in saved matches: new ones come last.
const (
	FrameCode   FrameKind = iota // runs a routine
	FrameAct                     // takes an action through its phases
	FrameGroup                   // carries out a group
	FrameAfter                   // what follows from happenings: ends, Timestamps, triggers
	FrameDrain                   // resolves the queue
	FrameManual                  // a window that is held open from outside
	FrameChoose                  // picks a replacement
	FrameMany                    // takes several acts to the gate as one group
)

// Frame is one level of what is being done.
type Frame struct {
	Kind      FrameKind
	Routine   int32
	PC        int32
	Self, You int32
	Act       int64 // whose roles and attributes are bare names, or None
	Parent    int64 // the act in whose body this runs, or None
	AbilityOf int32
	Causer    int32
	Drains    bool
	Grouped   bool // acts made here join the innermost group
	Phase     int32
	At        int32
	Step      int32
	L         []Val   `json:",omitempty"`
	Hits      []int64 `json:",omitempty"`
	Acts      []int64 `json:",omitempty"`
	Events    []Event `json:",omitempty"`
	Pool      []int32 `json:",omitempty"`
	Picked    int64
	Batch     []Queued `json:",omitempty"`
	Copy      int32    `json:",omitempty"` // of a trigger's body: as in Queued
}

// Event is a moment that has come: an edge of an act.
type Event struct {
	Act  int64
	Edge program.Edge
}

// Decision is a choice that somebody must make before anything else happens.
type Decision struct {
	Name    string // of the variable, or "may", "either", "order", "replace"
	Kind    DecisionKind
	Player  int32
	Options []int64 // values; for may 0 and 1 (yes); for either numbers from 0
	Min     int32
	Max     int32
	Type    program.Type
	Why     int32 // routine in which it stands, or None
	PC      int32
	Labels  []string `json:",omitempty"` // for effects and triggers to be ordered: how cases name them
}

// DecisionKind says what sort of decision it is.
type DecisionKind uint8

// The kinds of decision. Their numbers stand in saved matches: new ones come last.
const (
	DecideChoose DecisionKind = iota
	DecideMay
	DecideEither
	DecideOrder
	DecideReplace
	DecideTriggers // the order of triggers that arose together
)

// Used counts a limit within one window, for an Object and, where that has the same
// ability several times, for each copy apart.
type Used struct {
	Limit  int32
	Object int32
	Bit    int32 // the trigger, or None for a may
	Copy   int32 `json:",omitempty"`
	Window int64
	Count  int64
}

// State is the whole of a match.
type State struct {
	Objects []Object
	Piles   [][]int32 // by zone*3+owner (0 for a zone of nobody): cards in order
	Effects []Effect  `json:",omitempty"`
	Live    []int32   `json:",omitempty"` // numbers of the effects that have not ended, oldest first by creation
	Grants  []Grant   `json:",omitempty"`
	Acts    []*Act    `json:",omitempty"`
	Under   []int64   `json:",omitempty"` // acts under way, outermost first
	Later   []Delayed `json:",omitempty"`
	Queue   []Queued  `json:",omitempty"`
	Stack   []Frame   `json:",omitempty"`
	Counts  []int64   `json:",omitempty"` // by action: how many windows have begun
	Used    []Used    `json:",omitempty"`
	Clock   int64     // the last Timestamp or moment that was given out
	Rand    [2]uint64
	Pending *Decision
	Answer  []int64 `json:",omitempty"` // the answer to the last decision, until it is taken up
	Ready   bool    // Answer is to be taken up
	Over    bool
	Winners []int64 `json:",omitempty"`
	Begun   bool
	Steps   int64      // work done since the last decision
	Grouped int32      // depth of groups being carried out
	Waiting []Event    `json:",omitempty"` // what the groups being carried out have led to
	Given   [][2]int32 `json:",omitempty"` // effect and object to which a keyword was granted once
	Decided int64      // decisions made so far
	Befores []Before   `json:",omitempty"` // states in which groups under way were judged
	Version int64      // counts changes
	Gates   [][]int64  `json:",omitempty"` // members gathered by groups being written
	Frozen  *Frozen    `json:",omitempty"` // what stands while a group is carried out, once somebody is asked in it
}

// Frozen is the board and the rules in force by which the members of a group are
// judged while the group is carried out. It is kept only where a decision comes
// up meanwhile, so that a copied state goes on from the same; it never changes.
type Frozen struct {
	Vals     []int64
	Off      []int32
	Rules    [][][2]int32 // by action: effect and operation
	Attended [][]int32    // by action
	Targets  []FrozenTargets
}

// FrozenTargets are the objects that an effect found.
type FrozenTargets struct {
	Effect  int32
	Objects []int64
}

// Before is the state before a group, as its members were judged.
type Before struct {
	Group   int64
	Objects []Object
	Piles   [][]int32
	Vals    []int64
	Off     []int32
	Held    []Held  `json:",omitempty"`
	Grants  []Grant `json:",omitempty"`
}

// Held is a keyword that an effect made an object have.
type Held struct {
	Object, Keyword int32
}

// Game is the number of the game object; players follow it.
const Game = 0

// Pile returns the index into Piles of a zone, for its owner where it has one.
func Pile(z *program.Zone, zone int, owner int32) int {
	if z.PerPlayer {
		return zone*3 + int(owner)
	}
	return zone * 3
}

// Clone copies the state; the copy shares nothing that either can
// change. An empty list stays one, so that both are written alike.
func (s *State) Clone() *State {
	c := *s
	c.Objects, c.Piles = CopyObjects(nil, s.Objects), CopyPiles(nil, s.Piles)
	c.Effects = slices.Clone(s.Effects)
	c.Live = slices.Clone(s.Live)
	c.Grants = slices.Clone(s.Grants)
	for i := range c.Grants {
		c.Grants[i].Effects = slices.Clip(c.Grants[i].Effects)
	}
	c.Acts = make([]*Act, len(s.Acts))
	for i, a := range s.Acts {
		c.Acts[i] = a.Clone()
	}
	c.Under = slices.Clone(s.Under)
	c.Later = slices.Clone(s.Later)
	c.Queue = slices.Clone(s.Queue)
	c.Stack = slices.Clone(s.Stack)
	for i := range c.Stack {
		f := &c.Stack[i]
		f.L = slices.Clone(f.L)
		f.Acts = slices.Clone(f.Acts)
		f.Events = slices.Clone(f.Events)
		f.Pool = slices.Clone(f.Pool)
		f.Batch = slices.Clone(f.Batch)
	}
	c.Counts = slices.Clone(s.Counts)
	c.Used = slices.Clone(s.Used)
	c.Waiting = slices.Clone(s.Waiting)
	c.Given = slices.Clone(s.Given)
	c.Befores = slices.Clone(s.Befores)
	for i := range c.Befores {
		b := &c.Befores[i]
		b.Objects, b.Piles = CopyObjects(nil, b.Objects), CopyPiles(nil, b.Piles)
		b.Vals, b.Off = slices.Clone(b.Vals), slices.Clone(b.Off)
		b.Held, b.Grants = slices.Clone(b.Held), slices.Clone(b.Grants)
	}
	c.Winners = slices.Clone(s.Winners)
	c.Answer = slices.Clone(s.Answer)
	c.Gates = make([][]int64, len(s.Gates))
	for i, g := range s.Gates {
		c.Gates[i] = slices.Clone(g)
	}
	if s.Pending != nil {
		d := *s.Pending
		d.Options = slices.Clone(d.Options)
		c.Pending = &d
	}
	return &c
}

// Clone copies an act; the copy shares nothing that can change.
func (a *Act) Clone() *Act {
	b := *a
	b.Roles, b.Attrs, b.Replaced = slices.Clone(a.Roles), slices.Clone(a.Attrs), slices.Clone(a.Replaced)
	return &b
}

// CopyObjects copies objects, into the memory of to if there is enough; the copies
// share nothing that can change.
func CopyObjects(to, list []Object) []Object {
	mem, tokens := 0, 0
	for i := range list {
		mem, tokens = mem+len(list[i].Mem), tokens+len(list[i].Tokens)
	}
	out, mems, toks := append(to[:0], list...), make([]int64, 0, mem), make([]int32, 0, tokens)
	for i := range out {
		o := &out[i]
		mems, o.Mem = copied(mems, o.Mem)
		toks, o.Tokens = copied(toks, o.Tokens)
	}
	return out
}

// CopyPiles copies piles likewise.
func CopyPiles(to, list [][]int32) [][]int32 {
	n := 0
	for _, p := range list {
		n += len(p)
	}
	if to == nil {
		to = make([][]int32, 0, len(list))
	}
	out, all := append(to[:0], list...), make([]int32, 0, n)
	for i, p := range list {
		all, out[i] = copied(all, p)
	}
	return out
}

// copied copies a list to the end of a block that has room for it. An empty list
// stays one, so that both are written alike.
func copied[T any](block, list []T) (rest, out []T) {
	if list == nil {
		return block, nil
	}
	n := len(block)
	block = append(block, list...)
	return block, block[n:len(block):len(block)]
}

// Rand returns a number in [0, n) from the state's own seeded source
// (splitmix64), the same on every machine.
func (s *State) Random(n int) int {
	if n <= 1 {
		return 0
	}
	limit := ^uint64(0) - ^uint64(0)%uint64(n)
	for {
		s.Rand[0] += 0x9E3779B97F4A7C15
		z := s.Rand[0]
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		z ^= z >> 31
		if z < limit {
			return int(z % uint64(n))
		}
	}
}
