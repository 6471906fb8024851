package run

import (
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Fits reports whether the numbers in a stored state point at something in the
// program: one that was laid out otherwise, or written by hand, could lead anywhere.
func (en *Engine) Fits(s *state.State) bool {
	p := en.P
	if len(s.Counts) != len(p.Actions) || len(s.Piles) != 3*len(p.Zones) || len(s.Objects) < 3 {
		return false
	}
	defs := [program.Entities]int{program.Card: len(p.Cards), program.Token: len(p.Tokens), program.Player: 3, program.Game: 1, program.Place: len(p.Zones)}
	for i := range s.Objects {
		o := &s.Objects[i]
		if o.Entity <= program.NoEntity || o.Entity >= program.Entities || !within(o.Def, defs[o.Entity]) || int(o.Zone) >= len(p.Zones) ||
			len(o.Mem) != len(p.MemChars[o.Entity]) || len(o.Lists) != 0 && len(o.Lists) != len(o.Mem) || len(o.Last) != 0 && len(o.Last) != p.RowSize[o.Entity] {
			return false
		}
	}
	for i := range s.Effects {
		if !within(s.Effects[i].Def, len(p.Effects)) {
			return false
		}
	}
	for i := range s.Grants {
		if g := &s.Grants[i]; !within(g.Effect, len(s.Effects)) || int(g.Keyword) >= len(p.Keywords) || int(g.Card) >= len(p.Cards) {
			return false
		}
	}
	for _, a := range s.Acts {
		if a == nil || !within(a.Action, len(p.Actions)) || len(a.Roles) != len(p.Actions[a.Action].Roles) || len(a.Attrs) != len(p.Actions[a.Action].Attrs) {
			return false
		}
	}
	for i := range s.Stack {
		f := &s.Stack[i]
		if f.Kind == state.FrameCode && (!within(f.Routine, len(p.Routines)) || !within(f.PC, len(p.Routines[f.Routine].Code)) || len(f.L) != p.Routines[f.Routine].Locals) {
			return false
		}
	}
	for i := range s.Later {
		if !within(s.Later[i].Trigger, len(p.Triggers)) {
			return false
		}
	}
	for i := range s.Queue {
		if !within(s.Queue[i].Trigger, len(p.Triggers)) {
			return false
		}
	}
	return true
}

func within(i int32, n int) bool { return i >= 0 && int(i) < n }
