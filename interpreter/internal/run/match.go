package run

import (
	"errors"
	"fmt"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Limits of what happens between two decisions. They are far above what any
// sensible rule does, and low enough that a loop is reported at once.
const (
	maxSteps   = 200_000
	maxDepth   = 400
	maxObjects = 20_000
	maxEffects = 20_000
	maxQueue   = 5_000
	maxKept    = 1_000_000 // objects in all states that groups under way look back at

	maxAbilities = 62 // of one card: each is a bit of a number
)

// Room that a match begins with: a game of two decks of eighteen needs about so
// much. More is made where more is needed.
const (
	roomObjects = 96
	roomEffects = 32
	roomStack   = 16
	roomActs    = 64
)

// Loop says that rules went round without end, with the chain that led there.
type Loop struct {
	What  string // "steps", "depth", "objects", "effects", "queue", "states", "abilities", "expression-steps", "expression-depth", "overflow"
	Limit int
	Chain []string
}

func (l *Loop) Error() string { return fmt.Sprintf("%s beyond the limit of %d", l.What, l.Limit) }

// Kind says what a Note tells of.
type Kind uint8

// The kinds of note.
const (
	Happened Kind = iota // an action was carried out
	Began                // a window began
	Refused              // the gate refused an action
	Fired                // a trigger joined the queue
	Resolved             // a trigger began to resolve
	Ended                // an effect ended
	Made                 // an effect began
	Asked                // a decision came up
	Chosen               // a decision was made
	Nothing              // a choice had nothing to offer
	Replaced             // an action was replaced
	Entered              // an action with a body that is no window began
	Spent                // what may be used only so often was not offered
)

// Note is one thing that happened, for logs, explanations and cases.
type Note struct {
	Kind     Kind
	Act      *state.Act // a copy as of then
	Verb     string     // Refused: "prohibit", "require" or "impossible"
	Effect   int32      // the effect that stood in the way, replaced, began or ended
	Op       int32
	Cond     int           // Refused as impossible: which condition, -1 for none, -2 for a choice that no longer fits, or see GrantCond
	Need     *program.Need // Refused: what the action needs, where that is refused; the reason is then the inner act's
	Inner    *state.Act    // Refused: the act that it needs, as it would have been
	Others   []RuleAt      // Refused: more prohibitions in the way, where records are kept (Match.Keep)
	Trigger  int32
	Self     int32
	Player   int32
	Decision *state.Decision
	Picks    []int64
	Limit    *program.Limit // Spent: the limit that was reached
	Most     int64          // Spent: how often it allows
	Depth    int
}

// RuleAt is an operation of an effect.
type RuleAt struct {
	Effect int32
	Op     int32
}

// Match is a game under way.
type Match struct {
	En    *Engine
	S     *state.State
	Notes func(Note)                  // told of everything that happens, or nil
	Keep  bool                        // keep the records of all that has happened, for questions about it later: cases ask them
	Luck  func(*state.Decision) []int // settles what is chosen by chance, by option numbers; nil: chance does

	// Judging is told of moments that have come, in the state in which it is judged
	// what they trigger, or nil. It only reads.
	Judging func(events []state.Event)

	// Tried is told of every act that is attempted, in the state in which the gate has
	// judged it, or nil. It only reads.
	Tried func(*state.Act)

	Cancelled func() error // asked now and then; an error ends the run with it

	Pinned      []state.Val // names that go along with cards although no frame holds them: a case's
	PinnedTypes []program.Type

	env     eval.Env
	board   *eval.Board
	run     *layers.Run
	res     *layers.Result
	changed change // since the board was worked out
	outside bool   // changes come from outside, where no rule can go round for ever
	untold  change // … of which the layers were not told exactly what it was
	reached change // what would change the board, as of then
	err     error
	busy    bool              // Run is at work
	thawed  map[int32][]int64 // in a copied state in the middle of a group: what effects had found
	joining bool              // an act is judged that joins a group
	probe   int               // >0 while something is tried out: nothing is told

	awaited []int // by action: effects in being that it may end, or whose triggers it may fire
	unbegun int   // effects in being that have not begun
	giving  int   // effects in being that give or take abilities

	blocked    int // which condition kept can from being true
	computing  uint64
	runningOf  *state.Act
	running    [64]state.Val
	freeActs   []*state.Act
	actBlock   []state.Act // acts to come, and their roles and attributes
	valBlock   []state.Val
	memBlock   []int64      // memories of objects to come
	spare      state.Before // memory of a state before a group that nothing looks back at any more
	piles      [][]int32    // memory for piles, of the match that had it before
	freeLocals [][]state.Val
	resolved   []state.Queued // the last triggers that resolved, for the chain of a loop
}

// NewMatch makes a match with nothing in it but the game, its players and places.
func (en *Engine) NewMatch(seed uint64) *Match {
	m, ok := en.released.Get().(*Match)
	if !ok {
		s := &state.State{Counts: make([]int64, len(en.P.Actions)), Piles: make([][]int32, 3*len(en.P.Zones))}
		s.Objects, s.Effects, s.Live = make([]state.Object, 0, roomObjects), make([]state.Effect, 0, roomEffects), make([]int32, 0, roomEffects)
		s.Stack, s.Acts, s.Under = make([]state.Frame, 0, roomStack), make([]*state.Act, 0, roomActs), make([]int64, 0, roomStack)
		m = &Match{En: en, S: s}
		m.attach()
	}
	s := m.S
	s.Rand = [2]uint64{seed, 0}
	s.Objects = append(s.Objects, state.Object{Entity: program.Game, Owner: state.None, Controller: state.None, Zone: state.None, Cell: state.None, Host: state.None, Next: state.None})
	for n := range 2 {
		s.Objects = append(s.Objects, state.Object{Entity: program.Player, Def: int32(n + 1), Owner: int32(n + 1), Controller: int32(n + 1), Zone: state.None, Cell: state.None, Host: state.None, Next: state.None})
	}
	for z, zone := range en.P.Zones {
		if zone.Width == 0 {
			s.Objects = append(s.Objects, place(z, 0, 0))
			continue
		}
		for y := range zone.Height {
			for x := range zone.Width {
				s.Objects = append(s.Objects, place(z, x, y))
			}
		}
	}
	for i := range s.Objects {
		m.memories(int32(i))
	}
	for _, e := range en.P.GameRules {
		m.addEffect(state.Effect{Def: int32(e), Source: state.None, You: state.None, Bit: state.None, Origin: state.None, Host: state.None, Static: true})
	}
	return m
}

// Release hands the memory of a match that nobody looks at any more to matches
// that NewMatch makes later.
func (m *Match) Release() {
	s := m.S
	for i, p := range s.Piles {
		if cap(p) > cap(m.piles[i]) {
			m.piles[i] = p[:0]
		}
		s.Piles[i] = nil
	}
	for _, a := range s.Acts {
		if a != nil {
			m.freeActs = append(m.freeActs, a)
		}
	}
	clear(s.Counts)
	clear(s.Acts)
	*s = state.State{Objects: s.Objects[:0], Piles: s.Piles, Effects: s.Effects[:0], Live: s.Live[:0], Acts: s.Acts[:0], Under: s.Under[:0],
		Stack: s.Stack[:0], Counts: s.Counts}
	old := *m
	*m = Match{En: m.En, S: s, run: old.run, board: old.board, env: old.env, awaited: old.awaited, changed: anyChange,
		freeActs: old.freeActs, actBlock: old.actBlock, valBlock: old.valBlock, memBlock: old.memBlock, spare: old.spare, freeLocals: old.freeLocals,
		piles: old.piles, resolved: old.resolved[:0]}
	clear(m.awaited)
	m.env.Again()
	m.run.Again()
	m.En.released.Put(m)
}

func place(zone, x, y int) state.Object {
	return state.Object{Entity: program.Place, Def: int32(zone), Zone: int32(zone), X: int32(x), Y: int32(y),
		Owner: state.None, Controller: state.None, Cell: state.None, Host: state.None, Next: state.None}
}

// Resume wraps a state that was loaded or copied.
func (en *Engine) Resume(s *state.State) *Match {
	m := &Match{En: en, S: s}
	m.attach()
	return m
}

// attach makes ready what is kept beside the state.
func (m *Match) attach() {
	m.run = m.En.L.NewRun()
	m.env = eval.Env{C: m.En.C, S: m.S, Attr: m.attr, Case: m.env.Case}
	m.board = &eval.Board{}
	m.changed = anyChange
	m.awaited, m.piles = make([]int, len(m.En.P.Actions)), make([][]int32, len(m.S.Piles))
	for _, i := range m.S.Live {
		m.account(i, 1)
	}
}

// SetCase gives the answers that only cases may ask for.
func (m *Match) SetCase(c eval.Case) { m.env.Case = c }

// memories gives an object its memories, at their first values.
func (m *Match) memories(o int32) {
	ob := &m.S.Objects[o]
	chars := m.En.P.MemChars[ob.Entity]
	if len(chars) == 0 {
		return
	}
	if len(m.memBlock) < len(chars) {
		m.memBlock = make([]int64, 64+len(chars))
	}
	ob.Mem = m.memBlock[:len(chars):len(chars)]
	m.memBlock = m.memBlock[len(chars):]
	for i, c := range chars {
		ob.Mem[i] = eval.Empty(m.En.P.Chars[c].Type)
	}
}

// Env returns the surroundings with an up-to-date board, for reading.
func (m *Match) Env() *eval.Env {
	m.compute()
	e := &m.env
	e.Self, e.You, e.Act, e.L, e.Hits = state.None, state.None, nil, nil, nil
	return e
}

// Char reads a characteristic.
func (m *Match) Char(o int64, ch *program.Char) state.Val { return m.Env().Char(o, ch) }

// Trace works the board out once more and tells what happens.
func (m *Match) Trace(t layers.Trace) {
	m.compute()
	env := eval.Env{C: m.En.C, S: m.S, Attr: m.attr, Case: m.env.Case}
	m.En.L.NewRun().Compute(&env, &eval.Board{}, t)
}

func (m *Match) tell(n Note) {
	if m.Notes == nil || m.probe > 0 {
		return
	}
	if n.Act != nil {
		a := *n.Act
		a.Roles = append([]state.Val(nil), a.Roles...)
		a.Attrs = append([]state.Val(nil), a.Attrs...)
		if n.Kind == Refused || n.Kind == Entered || n.Kind == Began {
			m.attrsAsOfNow(&a, n.Act)
		}
		n.Act = &a
	}
	n.Depth = len(m.S.Under)
	m.Notes(n)
}

// Run goes on until somebody must decide, nothing is left to do, or the game is
// over. An error leaves the state in the middle of things: callers go back to
// the last decision.
func (m *Match) Run() error {
	s := m.S
	m.env.S = s
	m.busy = true
	defer func() { m.busy = false }()
	for s.Pending == nil && len(s.Stack) > 0 && !s.Over {
		if s.Stack[len(s.Stack)-1].Kind == state.FrameManual {
			return nil
		}
		s.Steps++
		if m.Cancelled != nil && s.Steps&255 == 0 {
			if err := m.Cancelled(); err != nil {
				return err
			}
		}
		switch {
		case s.Steps > maxSteps:
			return m.loop("steps", maxSteps)
		case len(s.Stack) > maxDepth:
			return m.loop("depth", maxDepth)
		case len(s.Objects) > maxObjects:
			return m.loop("objects", maxObjects)
		case len(s.Live) > maxEffects:
			return m.loop("effects", maxEffects)
		case len(s.Queue) > maxQueue:
			return m.loop("queue", maxQueue)
		case len(s.Befores)*len(s.Objects) > maxKept:
			return m.loop("states", maxKept)
		}
		m.step()
		if m.env.Err != nil {
			if l, ok := m.env.Err.(*eval.LimitError); ok {
				err := m.loop(l.What, l.Limit)
				if len(err.Chain) == 0 && l.Self >= 0 && int(l.Self) < len(s.Objects) && s.Objects[l.Self].Entity == program.Card {
					err.Chain = append(err.Chain, m.En.P.Cards[s.Objects[l.Self].Def].Name)
				}
				return err
			}
			return m.env.Err
		}
		if m.err != nil {
			return m.err
		}
	}
	return nil
}

// loop names what was under way when a limit was reached, innermost last.
func (m *Match) loop(what string, limit int) *Loop {
	l := &Loop{What: what, Limit: limit}
	for i := range m.S.Stack {
		f := &m.S.Stack[i]
		name := ""
		switch f.Kind {
		case state.FrameCode:
			name = m.En.P.Routines[f.Routine].What
		case state.FrameAct:
			name = m.En.P.Actions[m.S.Acts[f.Act].Action].Name
		default:
			continue
		}
		if n := len(l.Chain); n == 0 || l.Chain[n-1] != name {
			l.Chain = append(l.Chain, name)
		}
	}
	for i := range m.resolved {
		name := m.triggerLabel(&m.resolved[i])
		if h := m.En.P.Triggers[m.resolved[i].Trigger].Header; h >= 0 {
			name += ": " + m.En.P.Headers[h].Name
		} else {
			name += ": when " + m.En.P.Actions[m.En.P.Triggers[m.resolved[i].Trigger].Moment.Action].Name
		}
		if n := len(l.Chain); n == 0 || l.Chain[n-1] != name {
			l.Chain = append(l.Chain, name)
		}
	}
	if n := len(l.Chain); n > 12 {
		l.Chain = append(append([]string(nil), l.Chain[:4]...), append([]string{"…"}, l.Chain[n-7:]...)...)
	}
	return l
}

func (m *Match) push(f state.Frame) { m.S.Stack = append(m.S.Stack, f) }

func (m *Match) pop() { m.S.Stack = m.S.Stack[:len(m.S.Stack)-1] }

func (m *Match) top() *state.Frame { return &m.S.Stack[len(m.S.Stack)-1] }

func (m *Match) step() {
	f := m.top()
	switch f.Kind {
	case state.FrameCode:
		m.code()
	case state.FrameAct:
		m.actPhase()
	case state.FrameGroup:
		m.group()
	case state.FrameAfter:
		m.after()
	case state.FrameDrain:
		m.drain()
	case state.FrameChoose:
		m.replacing()
	case state.FrameMany:
		m.many()
	}
}

// Choose answers the pending decision with option numbers; may takes 1 for yes
// and 0 for no.
func (m *Match) Choose(picks ...int) error {
	d := m.S.Pending
	if d == nil {
		return fmt.Errorf("nobody has to decide anything")
	}
	if err := Fits(d, picks); err != nil {
		return err
	}
	vals := make([]int64, len(picks))
	for i, p := range picks {
		vals[i] = d.Options[p]
	}
	m.tell(Note{Kind: Chosen, Decision: d, Picks: vals, Player: d.Player})
	s := m.S
	s.Pending, s.Answer, s.Ready = nil, vals, true
	s.Decided++
	s.Steps = 0
	m.env.Reset()
	return m.Run()
}

// Unfit says what is wrong with an answer to a decision.
type Unfit struct {
	What    string // "count" (wanted, given), "range" (least, most, given), "unknown" (option), "twice" (option)
	Numbers []int
}

// Error implements error.
func (u *Unfit) Error() string {
	switch u.What {
	case "count":
		return fmt.Sprintf("options to choose: %d, not %d", u.Numbers[0], u.Numbers[1])
	case "range":
		return fmt.Sprintf("%d to %d of the options are wanted, not %d", u.Numbers[0], u.Numbers[1], u.Numbers[2])
	case "unknown":
		return fmt.Sprintf("there is no option %d", u.Numbers[0])
	}
	return fmt.Sprintf("option %d is chosen twice", u.Numbers[0])
}

// Fits reports what is wrong with an answer to a decision.
func Fits(d *state.Decision, picks []int) error {
	if len(picks) < int(d.Min) || len(picks) > int(d.Max) {
		if d.Min == d.Max {
			return &Unfit{"count", []int{int(d.Min), len(picks)}}
		}
		return &Unfit{"range", []int{int(d.Min), int(d.Max), len(picks)}}
	}
	for i, p := range picks {
		if p < 0 || p >= len(d.Options) {
			return &Unfit{"unknown", []int{p + 1}}
		}
		for _, q := range picks[:i] {
			if p == q {
				return &Unfit{"twice", []int{p + 1}}
			}
		}
	}
	return nil
}

// ask puts a decision; the frame on top goes on once it is answered.
func (m *Match) ask(d *state.Decision) {
	m.freeze()
	m.S.Pending = d
	m.tell(Note{Kind: Asked, Decision: d, Player: d.Player})
}

// answered returns the answer to the decision that the frame on top asked for.
func (m *Match) answered() ([]int64, bool) {
	if !m.S.Ready {
		return nil, false
	}
	m.S.Ready = false
	a := m.S.Answer
	m.S.Answer = nil
	return a, true
}

// ErrNotBegun says that the gate refused the root action; the last note tells why.
var ErrNotBegun = errors.New("the game can't begin")

// Start begins the game itself: the root action.
func (m *Match) Start() error {
	if m.En.P.Root < 0 {
		return fmt.Errorf("the rules declare no action game, so there is nothing to play")
	}
	m.S.Begun = true
	m.settleNow()
	a := m.newAct(m.En.P.Root)
	if !m.perform(a, false) {
		return ErrNotBegun
	}
	return m.Run()
}

// settleNow gives effects that are there from the start their Timestamps.
func (m *Match) settleNow() {
	m.push(state.Frame{Kind: state.FrameAfter, Act: state.None, Parent: state.None})
}

// Do runs a routine to its end as though a body of the given surroundings held
// it, and resolves what it triggers.
func (m *Match) Do(routine int, l []state.Val, f state.Frame) []state.Val {
	f.Drains = true
	m.pushCode(routine, l, f)
	return m.top().L
}

// Settle has effects that are there from the start begin.
func (m *Match) Settle() error {
	m.S.Begun = true
	m.touch(effectChange) // what was read so far may have named objects that were not there yet
	m.settleNow()
	return m.Run()
}

// Drain resolves what waits in the queue.
func (m *Match) Drain() error {
	if len(m.S.Queue) > 0 && m.S.Pending == nil {
		m.push(state.Frame{Kind: state.FrameDrain, Act: state.None, Parent: state.None})
	}
	return m.Run()
}

// Open begins a window that is held open from outside; none of its steps and
// no body of its own runs.
func (m *Match) Open(action int, of state.Val) error {
	s := m.S
	a := m.newAct(action)
	if len(a.Roles) > 0 {
		a.Roles[0] = of
	}
	if n := len(s.Under); n > 0 {
		a.Parent = s.Under[n-1]
	}
	m.compute()
	m.fix(a)
	s.Under = append(s.Under, a.ID)
	s.Counts[action]++
	a.Number = s.Counts[action]
	m.push(state.Frame{Kind: state.FrameManual, Act: a.ID, Parent: state.None})
	m.touch(windowChange)
	m.tell(Note{Kind: Began, Act: a})
	m.happen(state.Event{Act: a.ID, Edge: program.Start})
	return m.Run()
}

// Close ends the window that Open began last.
func (m *Match) Close() error {
	s := m.S
	if len(s.Stack) == 0 || m.top().Kind != state.FrameManual {
		return fmt.Errorf("no window is held open")
	}
	a := s.Acts[m.top().Act]
	m.pop()
	s.Under = s.Under[:len(s.Under)-1]
	m.touch(windowChange)
	m.done(a)
	return m.Run()
}

// Try takes a call through the gate without carrying it out.
func (m *Match) Try(k *program.Call, l []state.Val, f state.Frame) (ok bool, note Note) {
	m.probe++
	defer func() { m.probe-- }()
	f.L = l
	e := m.enterFrame(&f)
	a, given := m.prepareOne(&f, m.En.call(k), e)
	m.fill(a, given)
	v := m.gate(a)
	n := v.refusal(a)
	if v.ok {
		m.fix(a)
		n.Kind = Happened
	}
	m.dropAct(a)
	return v.ok, n
}

// RulesOn lists the effects in force that change the rules and were made on an
// object, in the order in which their layer applies them.
func (m *Match) RulesOn(o int64) []int32 {
	m.compute()
	return m.run.RulesOn(o)
}
