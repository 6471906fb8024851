package cases

import (
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Asks reports whether a step asks something, rather than doing it.
func Asks(st *program.Step) bool {
	switch st.Kind {
	case program.StepExpect, program.StepRefused, program.StepHappened, program.StepNever, program.StepAsked, program.StepNeverAsked,
		program.StepLegal, program.StepIllegal:
		return true
	}
	return false
}

// Ask answers what a step asks, whatever the case says must come: the left side of
// a comparison, or whether something is so, happened or was asked. Objects are told
// by what the case calls them.
func (r *Runner) Ask(i int) any {
	st := &r.K.Script[i]
	switch st.Kind {
	case program.StepExpect:
		if n := st.X; n.Op == program.OpListEq && n.Kids[0].Op == program.OpOrder {
			labels := []any{}
			for _, effect := range r.applied(r.value(n.Kids[0].Kids[0]).N, int(n.Kids[0].N)) {
				if r.labelled(effect) {
					labels = append(labels, r.M.Label(effect))
				}
			}
			return labels
		}
		if q := st.Expect.Parts; len(q) == 1 && q[0].Left != nil {
			return r.plain(q[0].Left.T, r.value(q[0].Left))
		} else if n := st.X; n.Op == program.OpListEq {
			return r.plain(n.Kids[0].T, r.value(n.Kids[0]))
		}
		return r.value(st.X).N != 0
	case program.StepHappened:
		return r.happened(&st.Pattern)
	case program.StepNever:
		return !r.happened(&st.Pattern)
	case program.StepRefused:
		return r.howRefused(st)
	case program.StepAsked, program.StepNeverAsked:
		for _, n := range r.Notes[r.last:] {
			if n.Kind == run.Asked && (st.Kind == program.StepNeverAsked ||
				n.Decision.Name == st.Word && (st.By == nil || r.value(st.By).N == int64(n.Player))) {
				return true
			}
		}
		return false
	case program.StepLegal, program.StepIllegal:
		ok, n := r.M.Try(st.Call, r.l, r.frame(nil))
		if ok {
			return "yes"
		}
		return n.Verb
	}
	return nil
}

// labelled reports whether an effect has a name that a case can know: a label, or
// that of the keyword whose grant made it.
func (r *Runner) labelled(effect int32) bool {
	d := r.En.P.Effects[r.M.S.Effects[effect].Def]
	return d.Label != "" || d.Keyword >= 0
}

// howRefused is the way in which the last instruction was refused, or no; with a
// rule behind it, whether what refused it carries that rule out.
func (r *Runner) howRefused(st *program.Step) any {
	how := "no"
	for _, n := range r.Notes[r.last:] {
		if n.Kind != run.Refused || !r.matches(&st.Pattern, n.Act) {
			continue
		}
		if how = n.Verb; len(st.Rule) == 0 {
			return how
		}
		if n.Effect >= 0 && r.cites(n, st.Rule) {
			return true
		}
	}
	if len(st.Rule) > 0 {
		return false
	}
	return how
}

// plain is a value as data: numbers, flags, texts, names, and lists of them; nil
// for nothing.
func (r *Runner) plain(t program.Type, v state.Val) any {
	one := func(n int64) any {
		switch t.Base {
		case program.IsFlag:
			return n != 0
		case program.IsText:
			return r.En.P.Texts[n]
		case program.IsOneOf:
			if n >= 0 {
				return r.En.P.Values[t.ID].Names[n].Name
			}
			return nil
		case program.IsObject:
			if n >= 0 {
				return r.Name(n)
			}
			return nil
		}
		return n
	}
	if !t.Several {
		return one(v.N)
	}
	list := []any{}
	if t.Mask() {
		for i := range r.En.P.Values[t.ID].Names {
			if v.N>>i&1 != 0 {
				list = append(list, one(int64(i)))
			}
		}
		return list
	}
	for _, x := range v.L {
		list = append(list, one(x))
	}
	return list
}

// Asked is the object and the characteristic whose value a step asks for.
func (r *Runner) Asked(i int) (object int64, characteristic string, ok bool) {
	st := &r.K.Script[i]
	if st.Kind != program.StepExpect || len(st.Expect.Parts) != 1 {
		return 0, "", false
	}
	n := st.Expect.Parts[0].Left
	if n == nil || n.Op != program.OpChar || n.Kids[0].T.Base != program.IsObject {
		return 0, "", false
	}
	o := r.value(n.Kids[0]).N
	return o, r.En.P.Chars[n.N].Name, o >= 0
}
