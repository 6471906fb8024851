package interpreter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/interpreter/internal/state"
)

// saveFormat numbers the form of save files. Older forms are read for ever. Form 1
// did not say how the program that wrote it had laid the rules out.
const saveFormat = 2

// saved is a match as a file: enough to go on at once, and to play it again
// under other rules.
type saved struct {
	Momon     string          `json:"momon"` // says what the file is: "match"
	Format    int             `json:"format"`
	Language  int             `json:"language"`
	Digest    string          `json:"digest"`
	Layout    string          `json:"layout,omitempty"` // how the rules were laid out when State was written
	Edition   string          `json:"edition"`
	Packs     []PackID        `json:"packs,omitempty"` // that the rules were from, so that they can be found again
	Seed      uint64          `json:"seed,string"`
	Decks     [2][]string     `json:"decks"`
	Players   [2]string       `json:"players"`
	Random    int             `json:"random,omitempty"`
	Decisions []move          `json:"decisions"`
	Gap       int             `json:"gap,omitempty"`
	Hash      string          `json:"hash"`
	State     json.RawMessage `json:"state"`
}

// Save returns the match as JSON. It holds everything, hidden cards and the seed
// among it, so hand it to nobody who plays.
func (m *Match) Save() ([]byte, error) {
	st, err := encode(m.run.S)
	if err != nil {
		return nil, err
	}
	decisions := m.moves
	if decisions == nil {
		decisions = []move{}
	}
	b, err := encode(saved{Momon: "match", Format: saveFormat, Language: m.prog.p.Language, Digest: m.prog.digest, Layout: m.prog.layout(), Edition: m.prog.p.Edition, Packs: m.prog.PackIDs(),
		Seed: m.opts.Seed, Decks: m.opts.Decks, Players: m.players, Random: m.opts.Random, Decisions: decisions, Gap: m.gap, Hash: m.Hash(), State: st})
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// differing lists packs that are not among others.
func differing(packs, others []PackID) string {
	var out []string
	for _, p := range packs {
		if !slices.Contains(others, p) {
			out = append(out, p.String())
		}
	}
	return strings.Join(out, ", ")
}

// layout is the digest of how the rules are laid out, worked out when it is first
// asked for.
func (p *Program) layout() string {
	p.laidOut.Do(func() { p.layoutDigest = p.p.Layout() })
	return p.layoutDigest
}

// encode is the JSON of a value, on one line.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Errors of saved matches.
var (
	// ErrOtherRules says that a match was saved under other rules or another
	// edition. LoadOptions.Replay plays its decisions again under the present ones.
	ErrOtherRules = errors.New("the match was saved under other rules")
	// ErrNotSaved says that the data is no saved match.
	ErrNotSaved = errors.New("this is not a saved match")
	// ErrDamaged says that a saved match is cut short or was changed.
	ErrDamaged = errors.New("the saved match is damaged")
	// ErrOtherLayout says that another version of the program wrote the match, that
	// its state can't be read by this one, and that its decisions don't go back to the
	// beginning, so that it can't be played again.
	ErrOtherLayout = errors.New("the match was saved by another version of the program, and its record is not whole")
	// ErrFormat says that the form of a saved match is not known.
	ErrFormat = errors.New("the saved match has a form that this program does not know")
)

// LoadOptions say how a saved match is taken up.
type LoadOptions struct {
	// Replay plays the decisions again from the start, as the present rules have
	// it, instead of refusing a match of other rules. A match that another version of
	// the program saved under the same rules is played again in any case. The error is a *MisfitError
	// where a decision does not fit; the match is then as far as they did.
	Replay bool
	// NoLog and Fast are as in MatchOptions.
	NoLog, Fast bool
}

// LoadMatch takes up a saved match. The data is only read: whatever is wrong with
// it, nothing of it is lost.
func (p *Program) LoadMatch(ctx context.Context, data []byte, opts LoadOptions) (m *Match, err error) {
	defer rescue(&err)
	sv, err := readSaved(data)
	if err != nil {
		return nil, err
	}
	mo := MatchOptions{Seed: sv.Seed, Decks: sv.Decks, Players: sv.Players, Random: sv.Random, NoLog: opts.NoLog, Fast: opts.Fast}
	same := sv.Digest == p.digest && sv.Edition == p.p.Edition
	if opts.Replay {
		if sv.Gap > 0 {
			return nil, ErrIncomplete
		}
		return p.replay(ctx, mo, sv.Decisions, !same)
	}
	if !same {
		if was, now := differing(sv.Packs, p.PackIDs()), differing(p.PackIDs(), sv.Packs); was+now != "" && len(sv.Packs) > 0 {
			return nil, &fault{ErrOtherRules, "save-packs", []any{cmp.Or(was, "–"), sv.Edition, cmp.Or(now, "–"), p.p.Edition}}
		}
		return nil, &fault{ErrOtherRules, "save-rules", []any{sv.Digest, sv.Edition, p.digest, p.p.Edition}}
	}
	if sv.Layout != "" && sv.Layout != p.layout() {
		if sv.Gap > 0 {
			return nil, ErrOtherLayout
		}
		return p.replay(ctx, mo, sv.Decisions, true)
	}
	s := &state.State{}
	if err := json.Unmarshal(sv.State, s); err != nil {
		return nil, jsonFault(ErrDamaged, err)
	}
	if hashState(s) != sv.Hash {
		return nil, &fault{ErrDamaged, "save-state", nil}
	}
	if !p.en.Fits(s) {
		if sv.Layout == "" && sv.Gap == 0 { // of form 1: its program may have laid the rules out otherwise
			return p.replay(ctx, mo, sv.Decisions, true)
		}
		return nil, &fault{ErrDamaged, "save-unfit", nil}
	}
	m = &Match{prog: p, opts: mo, players: mo.Players, moves: sv.Decisions, gap: sv.Gap}
	// The log comes from playing the decisions again. Where that leads elsewhere
	// the state that was saved counts, and the record begins with it.
	if (!opts.NoLog || sv.Layout == "") && sv.Gap == 0 {
		again, err := p.replay(ctx, mo, sv.Decisions, false)
		if err == nil && again.Hash() == sv.Hash {
			m.log, m.moves = &log{events: again.log.events}, again.moves
		} else if err == nil && sv.Layout == "" { // form 1 can't tell which of the two is meant; decisions say more than numbers
			return again, nil
		} else if err := ctx.Err(); err != nil {
			return nil, err
		} else {
			m.gap, m.moves = int(s.Decided), nil
		}
	}
	m.attach(p.en.Resume(s))
	return m, nil
}

// readSaved reads the file's envelope, whatever the rules.
func readSaved(data []byte) (*saved, error) {
	var head struct {
		Momon  string `json:"momon"`
		Format int    `json:"format"`
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&head); err != nil {
		kind := ErrNotSaved
		if bytes.HasPrefix(data, []byte(`{"momon":"match"`)) {
			kind = ErrDamaged
		}
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, &fault{ErrDamaged, "save-cut", []any{len(data)}}
		case errors.Is(err, io.EOF):
			return nil, &fault{ErrNotSaved, "save-empty", nil}
		}
		return nil, jsonFault(kind, err)
	}
	if head.Momon != "match" {
		return nil, ErrNotSaved
	}
	if head.Format < 1 || head.Format > saveFormat {
		return nil, &fault{ErrFormat, "save-form", []any{head.Format, saveFormat}}
	}
	sv := &saved{}
	if err := json.Unmarshal(data, sv); err != nil {
		return nil, jsonFault(ErrDamaged, err)
	}
	if sv.Gap < 0 {
		return nil, &fault{ErrDamaged, "save-gap", nil}
	}
	if sv.Random < 0 || sv.Random > 2 {
		return nil, &fault{ErrDamaged, "save-player", []any{sv.Random}}
	}
	for i := range sv.Decisions {
		mv := &sv.Decisions[i]
		ended := mv.Ends == "concede" || mv.Ends == "draw"
		if mv.Ends != "" && !ended || mv.Ends != "draw" && mv.Player != 1 && mv.Player != 2 {
			return nil, &fault{ErrDamaged, "save-decision", []any{i + 1}}
		}
	}
	for i := range sv.Players {
		sv.Players[i] = playerName(sv.Players[i])
	}
	for i := range sv.Decisions {
		if sv.Decisions[i].Picks == nil {
			sv.Decisions[i].Picks = []int{}
		}
	}
	return sv, nil
}

// jsonFault says what is wrong with JSON, without the words of Go.
func jsonFault(of, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return &fault{of, "json-syntax", []any{syntax.Offset}}
	case errors.As(err, &kind) && kind.Field != "":
		return &fault{of, "json-field", []any{kind.Value, strings.TrimPrefix(kind.Field, ".")}}
	case errors.As(err, &kind):
		return &fault{of, "json-kind", []any{kind.Value}}
	}
	return &fault{of, "json-value", nil}
}

// mostName is how many characters of a player's name count.
const mostName = 60

// playerName is a name as it can be shown: characters that command a terminal
// or show nothing are left out, and a very long name is cut.
func playerName(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if r == utf8.RuneError || r != 0x200c && r != 0x200d && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			continue
		}
		if n++; n > mostName {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
