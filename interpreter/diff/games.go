package diff

import (
	"context"
	"errors"
	"slices"

	"github.com/momon-rules/momon/interpreter"
)

// Fate says what becomes of a recorded game under the new rules.
type Fate string

// The fates, in the order in which they are told.
const (
	OtherResult Fate = "result"   // another result
	Misfit      Fate = "misfit"   // a decision that was made does not fit any more
	OtherCourse Fate = "course"   // it goes otherwise and ends the same
	SameGame    Fate = "same"     // nothing differs
	Unplayed    Fate = "unplayed" // it could not be played again under the old rules either
)

// Fates lists them in that order.
var Fates = []Fate{OtherResult, Misfit, OtherCourse, SameGame, Unplayed}

// Games is what becomes of recorded games.
type Games struct {
	Games []Game `json:"games"`
}

// Game is a recorded game under both rules.
type Game struct {
	File     string            `json:"file"`
	Fate     Fate              `json:"fate"`
	Decision int               `json:"decision,omitempty"` // how many had been made where they part
	Old      map[string]string `json:"old,omitempty"`      // what happens there, by language
	New      map[string]string `json:"new,omitempty"`
	Why      map[string]string `json:"why,omitempty"` // Misfit, Unplayed
	Over     [2]bool           `json:"over"`          // whether it ends, on each side
	Winners  [2][]int          `json:"winners"`       // numbers of the players
	Rules    []interpreter.Ref `json:"rules,omitempty"`
	Other    bool              `json:"other_rules,omitempty"` // it was recorded under other rules than the old ones
}

// Record is a recorded game: a save.
type Record struct {
	File string
	Data []byte
}

// PlayGames plays the decisions of recorded games under both rules; old and new are
// those of the sides without their cases, as games are played by them.
func (r *Report) PlayGames(ctx context.Context, old, new *interpreter.Program, list []Record) error {
	out := &Games{Games: []Game{}}
	for _, rec := range list {
		g, err := r.game(ctx, old, new, rec)
		if err != nil {
			return err
		}
		out.Games = append(out.Games, *g)
	}
	slices.SortStableFunc(out.Games, func(a, b Game) int { return slices.Index(Fates, a.Fate) - slices.Index(Fates, b.Fate) })
	r.Games = out
	return nil
}

func (r *Report) game(ctx context.Context, a, b *interpreter.Program, rec Record) (*Game, error) {
	g := &Game{File: rec.File}
	say := func(err error) map[string]string {
		out := map[string]string{}
		var misfit *interpreter.MisfitError
		for _, lang := range r.languages() {
			if errors.As(err, &misfit) {
				out[lang] = misfit.ReasonText(lang)
			} else {
				out[lang] = interpreter.ErrorText(err, lang)
			}
		}
		return out
	}
	old, err := a.LoadMatch(ctx, rec.Data, interpreter.LoadOptions{Replay: true})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		g.Fate, g.Why = Unplayed, say(err)
		var misfit *interpreter.MisfitError
		if errors.As(err, &misfit) {
			g.Decision = misfit.Number
		}
		return g, nil
	}
	_, err = a.LoadMatch(ctx, rec.Data, interpreter.LoadOptions{NoLog: true})
	g.Other = errors.Is(err, interpreter.ErrOtherRules)
	now, err := b.LoadMatch(ctx, rec.Data, interpreter.LoadOptions{Replay: true})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var misfit *interpreter.MisfitError
	if err != nil && !errors.As(err, &misfit) {
		g.Fate, g.Why = Misfit, say(err)
		return g, nil
	}
	g.Over, g.Winners = [2]bool{old.Over(), now.Over()}, [2][]int{old.Winners(), now.Winners()}
	x, y := old.Events(), now.Events()
	i := 0
	for i < len(x) && i < len(y) && old.Text(&x[i], "en", interpreter.Everyone) == now.Text(&y[i], "en", interpreter.Everyone) && x[i].Kind == y[i].Kind {
		i++
	}
	switch {
	case misfit != nil:
		g.Fate, g.Why = Misfit, say(misfit)
		g.Decision = misfit.Number
	case g.Over[0] != g.Over[1] || !slices.Equal(g.Winners[0], g.Winners[1]):
		g.Fate = OtherResult
	case i == len(x) && i == len(y):
		g.Fate = SameGame
		return g, nil
	default:
		g.Fate = OtherCourse
	}
	g.Old, g.New = map[string]string{}, map[string]string{}
	tell := func(m *interpreter.Match, list []interpreter.Event, to map[string]string) {
		for k := i; k < len(list); k++ { // one that has no words tells nothing
			if m.Text(&list[k], "en", interpreter.Everyone) == "" {
				continue
			}
			if g.Fate != Misfit {
				g.Decision = list[k].Decision
			}
			g.Rules = addRefs(g.Rules, list[k].Rules...)
			for _, lang := range r.languages() {
				to[lang] = m.Text(&list[k], lang, interpreter.Everyone)
			}
			return
		}
	}
	tell(now, y, g.New)
	tell(old, x, g.Old)
	return g, nil
}
