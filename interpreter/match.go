package interpreter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// MatchOptions say how a match begins. The zero value plays the first two decks
// of the data from seed 0.
type MatchOptions struct {
	Seed uint64
	// Decks are the cards that each player brings, by name. Both empty: the first
	// two decks that the data declares.
	Decks [2][]string
	// Players are the names that logs and boards use; "" is P1 or P2.
	Players [2]string
	// Random is the player whose choices are made at random, or 0. A match does not
	// make them; it only keeps in its saves that they are, for whoever goes on.
	Random int
	// NoLog keeps no log: Events stays empty.
	NoLog bool
	// Fast takes no copy before a decision. An error then leaves a match that
	// can't go on, where otherwise it stands as it was before the decision.
	Fast bool
	// Watch is told of each event as it happens; now returns a copy of the match
	// at that moment, to look at only. What is played again is not told again.
	Watch func(e *Event, now func() *Match)

	witness *witness // of a match that is played again to be asked about
}

// Match is one game. It belongs to one goroutine at a time; clones are matches
// of their own.
type Match struct {
	prog    *Program
	run     *run.Match
	opts    MatchOptions
	players [2]string
	log     *log
	moves   []move
	broken  error
	gap     int // decisions made before the record that this match has begins

	told refusalsTold // conditions of refusals that were broken down already
}

// move is one entry of the record: a decision, or a game that ended outside the
// rules of the data.
type move struct {
	Player int      `json:"player"`
	Name   string   `json:"name,omitempty"`
	Picks  []int    `json:"picks"`
	Chosen []string `json:"chosen,omitempty"` // as worded, so that other rules can be held against it
	Ends   string   `json:"ends,omitempty"`   // "concede" or "draw"
	events int      // length of the log when it was asked
	secret bool     // what followed rolled chance or showed a hidden card
}

// Errors that callers tell apart.
var (
	ErrOver       = errors.New("the game is over")
	ErrNoDecks    = errors.New("the rules declare fewer than two decks, so decks must be given")
	ErrNoPile     = errors.New("the rules declare no pile of each player that is hidden from everyone, so there is nowhere to put a deck")
	ErrNothing    = errors.New("there is no decision to take back")
	ErrSeen       = errors.New("what followed that decision showed a hidden card or rolled chance; taking it back needs an explicit option")
	ErrIncomplete = errors.New("the record does not go back so far")
)

// LimitError says that rules went round without end, and where.
type LimitError struct {
	What  string   // "steps", "depth", "objects", "effects", "queue", "states", "expression-steps", "expression-depth", "overflow"
	Limit int      //
	Chain []string // what was under way, outermost first
}

func (e *LimitError) Error() string {
	s := fmt.Sprintf("the rules go on without end: more than %d %s", e.Limit, e.What)
	if e.What == "overflow" {
		s = "a number became too large"
	}
	for i, c := range e.Chain {
		if i == 0 {
			s += ", in " + c
		} else {
			s += " → " + c
		}
	}
	return s
}

// InternalError is a fault of the interpreter itself.
type InternalError struct{ What any }

func (e *InternalError) Error() string { return fmt.Sprintf("internal error: %v", e.What) }

// rescue turns a panic into an error, at the package's edge.
func rescue(err *error) {
	if r := recover(); r != nil {
		*err = &InternalError{r}
	}
}

func public(err error) error {
	var l *run.Loop
	if errors.As(err, &l) {
		return &LimitError{l.What, l.Limit, l.Chain}
	}
	return err
}

// Deck returns the cards of a declared deck, by name.
func (p *Program) Deck(name string) ([]string, bool) {
	for _, d := range p.p.Decks {
		if d.Name == name {
			return p.deckCards(d), true
		}
	}
	return nil, false
}

func (p *Program) deckCards(d *program.Deck) []string {
	out := make([]string, 0, len(d.Cards))
	for _, c := range d.Cards {
		out = append(out, p.p.Cards[c].Name)
	}
	return out
}

// NewMatch begins a game and plays it up to the first decision.
func (p *Program) NewMatch(ctx context.Context, opts MatchOptions) (m *Match, err error) {
	defer rescue(&err)
	for i := range opts.Players {
		opts.Players[i] = playerName(opts.Players[i])
	}
	var decks [2][]int
	if len(opts.Decks[0]) == 0 && len(opts.Decks[1]) == 0 {
		if len(p.p.Decks) < 2 {
			return nil, ErrNoDecks
		}
		for i := range decks {
			decks[i] = p.p.Decks[i].Cards
			opts.Decks[i] = p.deckCards(p.p.Decks[i])
		}
	}
	zone := p.deckZone()
	if zone < 0 {
		return nil, ErrNoPile
	}
	m = &Match{prog: p, opts: opts, players: opts.Players}
	m.attach(p.en.NewMatch(opts.Seed))
	for i, deck := range opts.Decks {
		for k, name := range deck {
			c, ok := 0, decks[i] != nil
			if ok {
				c = decks[i][k]
			} else if c, ok = p.card(name); !ok {
				return nil, fmt.Errorf("the rules know no card %q", name)
			}
			m.run.NewCard(c, int32(i+1), int32(i+1), zone, state.None)
		}
	}
	m.cancel(ctx)
	err = public(m.run.Start())
	m.run.Cancelled = nil
	if err != nil {
		if n := len(m.log.events); n > 0 && m.log.events[n-1].Kind == Refused && errors.Is(err, run.ErrNotBegun) {
			why := phrased{}
			for _, lang := range []string{"en", "th"} {
				why[lang] = refusal(p, m.run, &m.log.events[n-1], m.namer(lang), nil)
			}
			err = &fault{key: "not-begun", args: []any{why}}
		}
		return nil, err
	}
	return m, nil
}

// Release ends the use of a match: its memory goes to matches that the program
// makes later. Nothing of the match may be looked at afterwards. There is no need
// to call it; whoever plays many games, one after another, saves time by it.
func (m *Match) Release() {
	if m.run != nil {
		m.run.Release()
		m.run = nil
	}
}

// deckZone is where decks lie: the pile of each player that nobody sees.
func (p *Program) deckZone() int {
	for i, z := range p.p.Zones {
		if z.PerPlayer && z.Pile && z.HiddenFrom == program.HiddenFromEveryone {
			return i
		}
	}
	return -1
}

func (p *Program) card(name string) (int, bool) {
	for i, c := range p.p.Cards {
		if c.Name == name && !c.Anonymous {
			return i, true
		}
	}
	return 0, false
}

func (m *Match) attach(r *run.Match) {
	m.run = r
	if m.opts.NoLog {
		m.log = &log{p: m.prog, m: r}
		return
	}
	var before []Event
	if m.log != nil {
		before = m.log.events
	}
	l := &log{p: m.prog, m: r, players: m.players, events: before}
	m.log = l
	r.Notes = func(n run.Note) {
		l.note(n)
		if w := m.opts.Watch; w != nil {
			w(&l.events[len(l.events)-1], func() *Match {
				c := &Match{prog: m.prog, opts: m.opts, players: m.players, log: &log{}}
				c.opts.Watch, c.opts.NoLog = nil, true
				c.attach(m.prog.en.Resume(m.run.S.Clone()))
				return c
			})
		}
	}
	m.opts.witness.listen(r, l)
}

// cancel has the running of rules end with the context.
func (m *Match) cancel(ctx context.Context) {
	m.run.Cancelled = nil
	if ctx != nil && ctx.Done() != nil {
		m.run.Cancelled = ctx.Err
	}
}

func (m *Match) namer(lang string) *namer {
	return &namer{p: m.prog, s: m.run.S, lang: lang, players: m.players}
}

// Random is the player whose choices are made at random, as MatchOptions or
// SetRandom say, or 0.
func (m *Match) Random() int { return m.opts.Random }

// SetRandom says whose choices are made at random from now on; 0 is nobody's.
func (m *Match) SetRandom(player int) { m.opts.Random = player }

// Program returns the rules that the match is played by.
func (m *Match) Program() *Program { return m.prog }

// Over reports whether the game has ended.
func (m *Match) Over() bool { return m.run.S.Over }

// Winners lists the players who have won; both or neither is a draw.
func (m *Match) Winners() []int {
	var out []int
	for _, w := range m.run.S.Winners {
		out = append(out, int(w))
	}
	return out
}

// Decisions returns how many decisions have been made.
func (m *Match) Decisions() int { return int(m.run.S.Decided) }

// FromStart reports whether the record of decisions goes back to the beginning,
// so that Undo and Replay can be used. It does not in a saved match whose record
// leads to another state than the one that was saved with it.
func (m *Match) FromStart() bool { return m.gap == 0 }

// Events returns what has happened, oldest first. Ask Text for words; it keeps
// from each viewer what that viewer could not see.
func (m *Match) Events() []Event { return m.log.events }

// Player is the name that a player goes by.
func (m *Match) Player(i int) string { return m.namer("").player(i) }

// Choose answers the pending decision with numbers of its options and plays on
// to the next. An answer that does not fit changes nothing. An error of the
// rules, or the end of the context, leaves the match as it was before.
func (m *Match) Choose(ctx context.Context, picks ...int) (err error) {
	if m.broken != nil {
		return m.broken
	}
	d := m.run.S.Pending
	if d == nil || m.run.S.Over {
		return ErrOver
	}
	if err := run.Fits(d, picks); err != nil {
		return answerFault(err)
	}
	mv := move{Player: int(d.Player), Name: d.Name, Picks: append([]int(nil), picks...), events: len(m.log.events)}
	if !m.opts.NoLog {
		mv.Chosen = m.worded(picks)
	}
	var was *state.State
	if !m.opts.Fast {
		was = m.run.S.Clone()
	}
	defer func() {
		m.run.Cancelled = nil
		if err == nil {
			mv.secret = m.secretSince(mv.events)
			m.moves = append(m.moves, mv)
			return
		}
		if was == nil {
			m.broken = err
			return
		}
		m.log.events = m.log.events[:mv.events]
		m.attach(m.prog.en.Resume(was))
	}()
	defer rescue(&err)
	m.cancel(ctx)
	return public(m.run.Choose(picks...))
}

// worded words picks in the first language of the data.
func (m *Match) worded(picks []int) []string {
	lang := ""
	if l := m.prog.p.Languages; len(l) > 0 {
		lang = l[0].Lang
	}
	d := m.Pending(lang)
	var out []string
	for _, p := range picks {
		out = append(out, d.Options[p].Text)
	}
	return out
}

func (m *Match) secretSince(events int) bool {
	if m.opts.NoLog {
		return true
	}
	for i := events; i < len(m.log.events); i++ {
		if m.log.events[i].secret {
			return true
		}
	}
	return false
}

// Random picks options of a decision at random, as many as there must be.
func Random(r *rand.Rand, d *Decision) []int {
	n := d.Min
	if d.Max > d.Min {
		n += r.IntN(d.Max - d.Min + 1)
	}
	return r.Perm(len(d.Options))[:n]
}

// Play lets a player, or several, answer until the game is over or pick returns
// an error.
func (m *Match) Play(ctx context.Context, lang string, pick func(*Decision) ([]int, error)) error {
	for !m.Over() {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := m.Pending(lang)
		if d == nil {
			return nil
		}
		picks, err := pick(d)
		if err != nil {
			return err
		}
		if err := m.Choose(ctx, picks...); err != nil {
			return err
		}
	}
	return nil
}

// Concede ends the game: the other player has won.
func (m *Match) Concede(player int) error {
	if m.Over() {
		return ErrOver
	}
	m.end(move{Player: player, Picks: []int{}, Ends: "concede"})
	return nil
}

// Draw ends the game by agreement, without a winner.
func (m *Match) Draw() error {
	if m.Over() {
		return ErrOver
	}
	m.end(move{Picks: []int{}, Ends: "draw"})
	return nil
}

func (m *Match) end(mv move) {
	s := m.run.S
	mv.events = len(m.log.events)
	s.Over = true
	s.Winners = nil
	if mv.Ends == "concede" {
		s.Winners = []int64{int64(3 - mv.Player)}
	}
	m.moves = append(m.moves, mv)
	m.say(mv.Ends, mv.Player)
}

// say puts something in the log that no rule did.
func (m *Match) say(what string, args ...int) {
	if m.opts.NoLog {
		return
	}
	m.log.events = append(m.log.events, Event{Number: len(m.log.events) + 1, Decision: int(m.run.S.Decided), Kind: Said, Action: what,
		seen: [3]bool{true, true, true}, players: m.players, args: args})
}

// Clone returns a match that goes its own way from here.
func (m *Match) Clone() *Match {
	c := &Match{prog: m.prog, opts: m.opts, players: m.players, moves: append([]move(nil), m.moves...), broken: m.broken, gap: m.gap}
	c.log = &log{events: append([]Event(nil), m.log.events...)}
	c.attach(m.prog.en.Resume(m.run.S.Clone()))
	return c
}

// Hash is the SHA-256 of the state, in hexadecimal. The same rules, seed and
// decisions give the same hash on every machine.
func (m *Match) Hash() string { return hashState(m.run.S) }

func hashState(s *state.State) string {
	c := s.Clone() // the copy has one form for what can be written in two
	c.Version, c.Steps = 0, 0
	b, err := encode(c)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// UndoOptions say how far back Undo may go.
type UndoOptions struct {
	// Player is whose last decision is taken back, with all that came after it;
	// 0 takes back the last decision, whoever made it.
	Player int
	// Seen allows it although hidden cards have been seen or chance rolled since.
	Seen bool
}

// Undo takes decisions back by playing the others again from the start. Chance
// is not rolled anew: the same choices lead to the same results.
func (m *Match) Undo(ctx context.Context, opts UndoOptions) error {
	at := -1
	for i := len(m.moves) - 1; i >= 0 && at < 0; i-- {
		if mv := &m.moves[i]; opts.Player == 0 || mv.Player == opts.Player || mv.Ends != "" {
			at = i
		}
	}
	if at < 0 {
		if m.gap > 0 {
			return ErrIncomplete
		}
		return ErrNothing
	}
	if m.gap > 0 {
		return ErrIncomplete
	}
	secret := false
	for _, mv := range m.moves[at:] {
		secret = secret || mv.secret
	}
	if secret && !opts.Seen {
		return ErrSeen
	}
	fresh, err := m.prog.replay(ctx, m.opts, m.moves[:at], false)
	if err != nil {
		return err
	}
	n := len(m.moves) - at
	*m = *fresh
	if what := "undo"; secret {
		m.say(what+"-seen", n)
	} else {
		m.say(what, n)
	}
	return nil
}

// MisfitError says which decision of a record does not fit the rules.
type MisfitError struct {
	Number int    // of the decision, from 1
	Player int    // who made it
	Name   string // what it chose
	Chosen []string
	Reason string
	why    error
}

// ReasonText is the reason in a language.
func (e *MisfitError) ReasonText(lang string) string {
	if e.why == nil {
		return e.Reason
	}
	return ErrorText(e.why, lang)
}

func (e *MisfitError) Error() string {
	return fmt.Sprintf("decision %d of P%d (%s) no longer fits: %s", e.Number, e.Player, e.Name, e.Reason)
}

// replay plays a record from the start. By words it finds the options by what
// they say, for rules that may have changed.
func (p *Program) replay(ctx context.Context, opts MatchOptions, moves []move, words bool) (*Match, error) {
	watch := opts.Watch
	opts.Watch = nil
	m, err := p.NewMatch(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer func() { m.opts.Watch = watch }()
	for i := range moves {
		mv := &moves[i]
		misfit := func(why error) error {
			return &MisfitError{Number: i + 1, Player: mv.Player, Name: mv.Name, Chosen: mv.Chosen, Reason: why.Error(), why: why}
		}
		if mv.Ends != "" {
			m.end(*mv)
			continue
		}
		d := m.run.S.Pending
		if d == nil || m.Over() {
			return m, misfit(&fault{key: "misfit-over"})
		}
		picks := mv.Picks
		if words {
			if int(d.Player) != mv.Player || d.Name != mv.Name {
				return m, misfit(&fault{key: "misfit-other", args: []any{d.Player, d.Name}})
			}
			var ok bool
			if picks, ok = m.find(mv); !ok {
				return m, misfit(&fault{key: "misfit-option"})
			}
		}
		if err := m.Choose(ctx, picks...); err != nil {
			if ctx.Err() != nil {
				return m, err
			}
			return m, misfit(err)
		}
		if last := &m.moves[len(m.moves)-1]; last.Chosen == nil { // without a log nobody words them
			last.Chosen = mv.Chosen
		}
	}
	return m, nil
}

// find looks for the options that a decision of a record chose, by their words.
func (m *Match) find(mv *move) ([]int, bool) {
	if len(mv.Chosen) != len(mv.Picks) {
		return mv.Picks, true
	}
	lang := ""
	if l := m.prog.p.Languages; len(l) > 0 {
		lang = l[0].Lang
	}
	d := m.Pending(lang)
	var out []int
	for i, want := range mv.Chosen {
		at := -1
		if p := mv.Picks[i]; p >= 0 && p < len(d.Options) && d.Options[p].Text == want {
			at = p
		}
		for k := range d.Options {
			if at < 0 && d.Options[k].Text == want {
				at = k
			}
		}
		if at < 0 {
			return nil, false
		}
		out = append(out, at)
	}
	return out, true
}

// Replay begins a new match and makes the first n decisions of this one again; a
// negative n makes all of them.
func (m *Match) Replay(ctx context.Context, n int) (*Match, error) {
	if m.gap > 0 {
		return nil, ErrIncomplete
	}
	if n < 0 || n > len(m.moves) {
		n = len(m.moves)
	}
	return m.prog.replay(ctx, m.opts, m.moves[:n], false)
}
