package cases

import (
	"fmt"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Raised is a decision that the script left open, and how it was answered: what a
// step says that answers it.
type Raised struct {
	Step     int // index of the step that raised it
	Name     string
	By       string
	With     any  // a label, whether, or a list of labels
	Nameless bool // what was picked has no label
}

// mostRaised is how many decisions are answered so: abilities can go on for ever with a
// decision in each round, and the match can't tell that from players who like to.
const mostRaised = 100

// improvise answers a decision that the script leaves open, if somebody is there to
// pick.
func (r *Runner) improvise(d *state.Decision) ([]int, bool) {
	if r.Pick == nil || len(r.Raised) >= mostRaised {
		return nil, false
	}
	picks := r.Pick(len(d.Options), int(d.Min), int(d.Max))
	x := Raised{Step: r.at, Name: d.Name, By: r.Name(int64(d.Player))}
	var labels []any
	for _, k := range picks {
		label, ok := r.optionLabel(d, k)
		x.Nameless = x.Nameless || !ok
		labels = append(labels, label)
	}
	switch {
	case d.Kind == state.DecideMay:
		x.With = d.Options[picks[0]] != 0
	case d.Kind == state.DecideChoose && d.Max == 1 && len(labels) == 1:
		x.With = labels[0]
	default:
		x.With = labels
	}
	r.Raised = append(r.Raised, x)
	return picks, true
}

// optionLabel is what an answer calls an option, where a single word of the script
// can say it.
func (r *Runner) optionLabel(d *state.Decision, k int) (string, bool) {
	o := d.Options[k]
	switch {
	case d.Kind == state.DecideMay:
		return "", true
	case d.Kind == state.DecideOrder && len(d.Labels) > 0 && r.En.P.Effects[r.M.S.Effects[o].Def].Label == "":
		return d.Labels[k], false
	case k < len(d.Labels):
		for i, l := range d.Labels {
			if i != k && l == d.Labels[k] {
				return l, false
			}
		}
		return d.Labels[k], true
	case d.Type.Base == program.IsObject:
		if o == 1 || o == 2 {
			return r.Name(o), true
		}
		for i, v := range r.l {
			if i < len(r.K.Types) && r.K.Types[i].Base == program.IsObject && !r.K.Types[i].Several && v.L == nil && v.N == o && r.K.Names[i] != "" {
				return r.K.Names[i], true
			}
		}
	}
	return fmt.Sprint(o), false
}
