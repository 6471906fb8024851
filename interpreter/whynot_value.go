package interpreter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// The ranks of what kept a value or keyword away, of what is asked about first.
const (
	rankNothing = iota
	rankOther
	rankOver
	rankAway
	rankChanged
	rankSo
)

// reachTrace notes what the layers do to one object, and why effects that they
// come to do nothing to it.
type reachTrace struct {
	layers.Silent
	s       *scene
	e       *eval.Env
	o       int64
	reached map[[2]int32]*reach
	applied []application
	taken   []taking
}

// reach is what became of an effect in a layer.
type reach struct {
	applies bool
	found   bool
	why     string // Skipped: "condition" or "ability"
	parts   []Deciding
	other   string // the effect is about something else, in words
}

type application struct {
	layer, op     int
	effect        int32
	ch            *program.Char
	before, after int64
}

type taking struct {
	layer, op     int
	effect        int32
	o             int64
	before, after int64
}

// Applied implements layers.Trace.
func (t *reachTrace) Applied(l int, effect int32, op int, o int64, ch *program.Char, _, before, after int64) {
	if ch.Fact == program.FactAbilities {
		t.taken = append(t.taken, taking{l, op, effect, o, before, after})
	}
	if o == t.o {
		t.applied = append(t.applied, application{l, op, effect, ch, before, after})
	}
}

func (t *reachTrace) at(l int, effect int32) *reach {
	k := [2]int32{int32(l), effect}
	if t.reached[k] == nil {
		t.reached[k] = &reach{}
	}
	return t.reached[k]
}

// Skipped implements layers.Trace.
func (t *reachTrace) Skipped(l int, effect int32, why string) { t.at(l, effect).why = why }

// Reached implements layers.Trace.
func (t *reachTrace) Reached(l int, effect int32, applies bool, targets []int64) {
	r := t.at(l, effect)
	r.applies, r.found = applies, slices.Contains(targets, t.o)
	if r.found {
		return
	}
	// In a later layer an effect goes on with what it found in its first.
	if first := t.s.p.p.Effects[t.s.m.S.Effects[effect].Def].First; first >= 0 && first != l {
		if f := t.reached[[2]int32{int32(first), effect}]; f != nil {
			r.parts, r.other = f.parts, f.other
			return
		}
	}
	m := t.s.m
	x := &m.S.Effects[effect]
	d := t.s.p.p.Effects[x.Def]
	m.Enter(t.e, effect)
	j := &judge{t.s.n, t.e}
	if !applies {
		if d.While != nil && !j.holds(d.While) {
			r.parts = j.deciding(d.While, true)
			t.then(r, func(j *judge) []Deciding {
				if j.holds(d.While) {
					return nil
				}
				return j.deciding(d.While, true)
			}, effect, l)
		}
		return
	}
	r.parts, r.other = t.s.misses(j, effect, t.o)
	t.then(r, func(j *judge) []Deciding { parts, _ := t.s.misses(j, effect, t.o); return parts }, effect, l)
}

// then says of which layer the values in a condition are, where they are others in
// the end.
func (t *reachTrace) then(r *reach, again func(*judge) []Deciding, effect int32, l int) {
	if len(r.parts) == 0 {
		return
	}
	e := t.s.m.Reader()
	t.s.m.Enter(e, effect)
	if partWords(again(&judge{t.s.n, e})) != partWords(r.parts) {
		last := &r.parts[len(r.parts)-1]
		last.Words = say(t.s.n.lang, "as-of-layer", last.Words, t.s.p.textOf(&t.s.p.p.Layers[l].Decl, t.s.n.lang))
	}
}

// misses tells why an effect that applies is not about an object.
func (s *scene) misses(j *judge, effect int32, o int64) ([]Deciding, string) {
	x := &s.m.S.Effects[effect]
	d := s.p.p.Effects[x.Def]
	lang := s.n.lang
	list := func(objects []int64) string {
		var names []string
		for _, o := range objects {
			names = append(names, s.n.object(o))
		}
		if len(names) == 0 {
			return say(lang, "nothing")
		}
		return strings.Join(names, ", ")
	}
	switch {
	case d.Target == program.TargetSelf:
		return nil, say(lang, "only-itself", s.n.precise(int64(x.Source)))
	case d.Target == program.TargetFixed && d.Static:
		e := j.e
		return nil, say(lang, "only-these", list(e.C.List(d.On)(e)))
	case !d.Static && s.former(x.Objects, o) != state.None:
		was := s.former(x.Objects, o)
		if at := became(s.p, s.events, was); at > 0 {
			return nil, say(lang, "only-former", s.n.object(was), at)
		}
		return nil, say(lang, "only-former-one", s.n.object(was))
	case d.Target == program.TargetFixed || x.Objects != nil:
		return nil, say(lang, "only-these", list(x.Objects))
	case d.Target == program.TargetEach && d.Kind >= 0:
		if !j.e.C.IsKind(d.Kind)(j.e, o) {
			return nil, say(lang, "no-kind", s.n.object(o), s.n.kindName(program.Type{Base: program.IsObject, ID: d.Kind}))
		}
		old := j.e.Enter()
		j.e.Push(o)
		defer func() {
			j.e.Pop()
			j.e.Leave(old)
		}()
		if d.Where != nil && !j.holds(d.Where) {
			return j.deciding(d.Where, true), ""
		}
	}
	return nil, ""
}

// former finds among objects one that has become another, which o is now, or None.
func (s *scene) former(list []int64, o int64) int64 {
	for _, was := range list {
		k := was
		for was != o && k >= 0 && int(k) < len(s.m.S.Objects) {
			if k = int64(s.m.S.Objects[k].Next); k == o {
				return was
			}
		}
	}
	return state.None
}

// reaches works the layers out once more for an object.
func (s *scene) reaches(o int32) *reachTrace {
	t := &reachTrace{s: s, o: int64(o), reached: map[[2]int32]*reach{}}
	s.m.TraceAt(func(e *eval.Env) layers.Trace {
		t.e = e
		return t
	})
	return t
}

// held tells why an operation of an effect does not do to an object what it could.
func (s *scene) held(t *reachTrace, i int32, k int, o int32) Reason {
	m, lang := s.m, s.n.lang
	x := &m.S.Effects[i]
	d := s.p.p.Effects[x.Def]
	by := s.n.by(m, i, int64(o))
	r := Reason{Effect: s.p.effect(m, i, int32(k), s.n), rank: rankAway}
	r.Rules, r.Place = r.Effect.Rules, r.Effect.Place
	layer := -1
	if k >= 0 {
		layer = d.Ops[k].Layer
	}
	if layer >= 0 && layer < len(s.p.p.Layers) {
		r.Layer = s.p.textOf(&s.p.p.Layers[layer].Decl, lang)
	}
	if x.Ended {
		r.Kind, r.rank = ReasonEnded, rankOver
		for n := range s.events {
			e := &s.events[n]
			if e.Kind == Over && e.note.Effect == i {
				r.Event, r.What = e.Number, s.logText(e.Number)
				break
			}
		}
		end := s.ending(i)
		if end.until != nil {
			r.Rules, r.Place = refs(end.until.Cite), placeOf(end.until.Span)
		}
		switch {
		case x.Source >= 0 && m.S.Objects[x.Source].Gone && x.Static:
			r.Kind = ReasonGone
			r.Words = say(lang, "source-left", by)
		case r.Event > 0 && end.until != nil:
			r.Words = say(lang, "ended-in", by, r.Event, end.words)
		case r.Event > 0:
			r.Words = say(lang, "ended-at", by, r.Event)
		default:
			r.Words = say(lang, "ended", by)
		}
		return r
	}
	if x.Stamp == 0 {
		r.Kind = ReasonNotBegun
		if z := t.reached[[2]int32{int32(d.First), i}]; z != nil {
			r.Parts = z.parts
		}
		r.Words = say(lang, "not-begun", by, partWords(r.Parts))
		return r
	}
	z := t.reached[[2]int32{int32(layer), i}]
	switch {
	case z == nil:
		r.Kind, r.rank = ReasonOther, rankOther
		r.Words = say(lang, "does-not-change", by)
	case !z.applies && z.why == "ability":
		r.Kind = ReasonLost
		if x.Source >= 0 && x.Bit >= 0 && m.Abilities(x.Source)>>x.Bit&1 != 0 {
			r.Kind = ReasonLater
			r.Words = say(lang, "comes-later", by, r.Layer)
			break
		}
		r.Words = say(lang, "ability-missing", by)
		for _, a := range t.taken {
			if a.o == int64(x.Source) && x.Bit >= 0 && uint64(a.before)>>x.Bit&1 != 0 && uint64(a.after)>>x.Bit&1 == 0 {
				r.By = s.p.effect(m, a.effect, int32(a.op), s.n)
				r.Words = say(lang, "ability-taken", by, s.n.by(m, a.effect, int64(o)))
				r.Rules = append(r.Rules, r.By.Rules...)
			}
		}
	case !z.applies:
		r.Kind, r.Parts = ReasonCondition, z.parts
		r.Words = say(lang, "needs-that", by, partWords(z.parts))
	case !z.found:
		r.Kind, r.Parts = ReasonFilter, z.parts
		why := z.other
		if why == "" {
			why = partWords(z.parts)
		}
		r.Words = say(lang, "not-about", by, s.n.object(int64(o)), why)
	default:
		did := false
		for n, a := range t.applied {
			if a.effect == i && a.op == k {
				did, r.foreign = true, n
				r.Kind, r.rank = ReasonOther, rankOther
				step := Step{Verb: d.Ops[k].Verb.String(), Amount: a.after - a.before}
				if a.ch.Fact != program.FactAbilities {
					step.After = s.n.value(a.ch.Type, state.Val{N: a.after})
					if a.ch.Type.Mask() {
						step.What = s.n.value(a.ch.Type, state.Val{N: a.before ^ a.after})
					}
				} else if d.Ops[k].Call != nil {
					step.What = s.n.keyword(d.Ops[k].Call.Keyword, nil)
				}
				r.Words = step.change(lang, by)
			}
		}
		if !did {
			r.Kind = ReasonLocked
			r.Words = say(lang, "locked-out", by)
			for n, f := range m.S.Effects {
				if f.Ended {
					continue
				}
				for q := range s.p.p.Effects[f.Def].Ops {
					op := &s.p.p.Effects[f.Def].Ops[q]
					if z := t.reached[[2]int32{int32(op.Layer), int32(n)}]; op.Verb == program.VerbLock && op.Char == d.Ops[k].Char && z != nil && z.applies && z.found {
						r.By = s.p.effect(m, int32(n), int32(q), s.n)
						r.Rules = append(r.Rules, r.By.Rules...)
						r.Words = say(lang, "locked-by", by, s.n.by(m, int32(n), int64(o)))
					}
				}
			}
		}
	}
	return r
}

// keyword answers why an object does not have a keyword.
// With arguments it is about the keyword with these alone.
func (s *scene) keyword(o int32, k *program.Keyword, args []state.Val) (*WhyNot, error) {
	m, lang := s.m, s.n.lang
	name := s.n.keywordName(k)
	has := m.Reader().Has(int64(o), int64(k.Index))
	var list []string // the ways in which it has it
	for _, v := range s.variants(o, k) {
		if text := s.n.keyword(k.Index, v); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	had := strings.Join(list, ", ")
	if had == "" {
		had = name
	}
	if args != nil {
		name = s.n.keyword(k.Index, args)
		if has && len(list) > 0 && !slices.Contains(list, name) {
			out := &WhyNot{Sort: AboutKeyword, Object: s.n.precise(int64(o)), What: name}
			out.Reasons = []Reason{{Kind: ReasonOther, Words: say(lang, "has-keyword", s.n.object(int64(o)), had), rank: rankChanged, Rules: refs(k.Cite), Place: placeOf(k.Span)}}
			return s.finish(out, say(lang, "has-no-keyword", out.Object, name)), nil
		}
		had = name
	}
	out := &WhyNot{Sort: AboutKeyword, Object: s.n.precise(int64(o)), What: name}
	lead := say(lang, "has-no-keyword", out.Object, name)
	if has {
		out.Reasons = []Reason{{Kind: ReasonSo, Words: say(lang, "has-keyword", out.Object, had), rank: rankSo, Rules: refs(k.Cite), Place: placeOf(k.Span)}}
		s.finish(out, lead)
		if len(s.rulesOf(m, s.chain(o), k)) > 0 { // then why it has not come in
			more, err := s.rules(o, name, k)
			if err != nil {
				return nil, err
			}
			out.Reasons = append(out.Reasons, more.Reasons...)
			out.Sentence = say(lang, "two-sentences", out.Sentence, more.Sentence)
			out.Statements = append(out.Statements, more.Statements...)
		}
		return out, nil
	}
	t := s.reaches(o)
	ob := &m.S.Objects[o]
	for bit, ab := range s.p.p.Cards[ob.Def].Abilities { // printed, and lost
		if s.p.p.Abilities[ab].Keyword == k.Index && k.Granted == nil && m.Abilities(o)>>bit&1 == 0 {
			r := Reason{Kind: ReasonLost, rank: rankChanged, Place: placeOf(s.p.p.Abilities[ab].Span)}
			s.lost(m, s.n, o, bit, -1, &r)
			out.Reasons = append(out.Reasons, r)
		}
	}
	for i := range m.S.Effects {
		x := &m.S.Effects[i]
		d := s.p.p.Effects[x.Def]
		if was := x.Host; d.Keyword == k.Index && was != o && slices.Contains(s.chain(o), was) { // it was granted to what it was before
			r := Reason{Kind: ReasonGone, rank: rankChanged, Effect: s.p.effect(m, int32(i), -1, s.n), Place: placeOf(k.Span)}
			r.Words = say(lang, "former-had", s.n.object(int64(o)), name)
			if at := became(s.p, s.events, int64(was)); at > 0 {
				r.Event, r.What = at, s.logText(at)
				r.Words = say(lang, "former-had-at", s.n.object(int64(o)), name, at)
			}
			for q := range d.Until {
				r.Rules = append(r.Rules, refs(d.Until[q].Cite)...)
			}
			if end := s.ending(int32(i)); end.until != nil {
				r.Rules, r.Place = refs(end.until.Cite), placeOf(end.until.Span)
			}
			out.Reasons = append(out.Reasons, r)
			continue
		}
		if d.Keyword == k.Index && x.Host == o && x.Ended { // what it was has ended
			r := Reason{Kind: ReasonEnded, rank: rankChanged, Effect: s.p.effect(m, int32(i), -1, s.n)}
			h := s.held(t, int32(i), -1, o)
			r.Event, r.What, r.Rules, r.Place = h.Event, h.What, h.Rules, h.Place
			r.Words = h.Words
			out.Reasons = append(out.Reasons, r)
			continue
		}
		for q := range d.Ops {
			op := &d.Ops[q]
			gives := op.Verb == program.VerbAdd && op.Call != nil && op.Call.Keyword == k.Index
			if !gives {
				continue
			}
			r := s.held(t, int32(i), q, o)
			if r.Kind == ReasonOther { // it was given; something takes it away again
				for _, a := range t.applied {
					if d := s.p.p.Effects[m.S.Effects[a.effect].Def]; a.ch.Fact == program.FactAbilities && int32(i) != a.effect && uint64(a.before)&^uint64(a.after) != 0 {
						r.Kind, r.rank = ReasonLost, rankChanged
						r.By = s.p.effect(m, a.effect, int32(a.op), s.n)
						r.Words = say(lang, "ability-lost", s.n.object(int64(o)), s.n.by(m, a.effect, -1), r.By.Timestamp)
						r.Rules = append(r.Rules, refs(d.Cite)...)
					}
				}
			}
			out.Reasons = append(out.Reasons, r)
		}
	}
	grant := s.p.basic(program.BasicGrant)
	s.again(&witness{note: func(m *run.Match, n run.Note, number int) {
		if n.Kind == run.Refused && number >= s.first && int(n.Act.Action) == grant && n.Act.Roles[0].N == int64(k.Index) && slices.Contains(s.chain(o), int32(n.Act.Roles[1].N)) {
			nn := *s.n
			nn.s = m.S
			r := s.refusalWords(m, &nn, &n, number)
			r.Kind, r.rank = ReasonRefused, rankOver
			r.Words = say(lang, "moment-refused", nn.deed(n.Act, nil), r.Words)
			out.Reasons = append(out.Reasons, r)
		}
	}})
	if len(out.Reasons) == 0 {
		out.Reasons = append(out.Reasons, Reason{Kind: ReasonNone, Words: say(lang, "nothing-gives", name), Place: placeOf(k.Span)})
	}
	return s.finish(out, lead), nil
}

// variants lists with which arguments an object has a keyword, once for each time
// that it has it. Of what is granted and runs by itself there are none.
func (s *scene) variants(o int32, k *program.Keyword) [][]state.Val {
	m := s.m
	var out [][]state.Val
	bits := m.Abilities(o)
	for bit, a := range s.p.p.Cards[m.S.Objects[o].Def].Abilities {
		ab := s.p.p.Abilities[a]
		if args, ok := constants(ab.Args); ok && ab.Keyword == k.Index && bits>>bit&1 != 0 {
			out = append(out, args)
		}
	}
	for i := range m.S.Grants {
		g := &m.S.Grants[i]
		if g.Object == o && int(g.Keyword) == k.Index && !g.Lost && bits>>g.Bit&1 != 0 {
			out = append(out, g.Frame)
		}
	}
	return out
}

// value answers why a characteristic of an object does not have a value.
func (s *scene) value(o int32, ch *program.Char, words string) (*WhyNot, error) {
	m, lang := s.m, s.n.lang
	shown := s.p.charText(ch, lang)
	if words == "" {
		return nil, fmt.Errorf("%s", say(lang, "ask-value", shown))
	}
	want, ok := s.read(ch.Type, words)
	if !ok {
		return nil, fmt.Errorf("%s", say(lang, "ask-no-value", shown, words))
	}
	is := m.Reader().Char(int64(o), ch)
	one := ch.Type
	one.Several = false
	out := &WhyNot{Sort: AboutValue, Object: s.n.precise(int64(o)), What: shown + " " + s.n.value(one, want)}
	lead := say(lang, "is-not-value", out.Object, shown, s.n.value(ch.Type, is), s.n.value(one, want))
	if ch.Type.Several {
		lead = say(lang, "has-not-value", out.Object, shown, s.n.value(one, want))
	}
	has := func(v state.Val) bool {
		switch {
		case ch.Type.Mask():
			return want.N >= 0 && v.N>>want.N&1 != 0
		case ch.Type.List():
			return slices.Contains(v.L, want.N)
		}
		return v.N == want.N
	}
	if has(is) {
		out.Reasons = []Reason{{Kind: ReasonSo, Words: say(lang, "has-value", out.Object, shown, s.n.value(ch.Type, is)), rank: rankSo, Rules: refs(ch.Cite), Place: placeOf(ch.Span)}}
		return s.finish(out, lead), nil
	}
	t := s.reaches(o)
	// What had the value until another effect changed it.
	overwrote := -1
	for n, a := range t.applied {
		if a.ch == ch && has(state.Val{N: a.before}) && !has(state.Val{N: a.after}) && ch.Type != program.NumberType {
			overwrote = n
		}
		if a.ch == ch && ch.Type == program.NumberType && has(state.Val{N: a.before}) && s.sets(a) {
			overwrote = n
		}
	}
	if overwrote >= 0 {
		a := t.applied[overwrote]
		r := Reason{Kind: ReasonOverwrote, rank: rankChanged, By: s.p.effect(m, a.effect, int32(a.op), s.n), Layer: s.p.textOf(&s.p.p.Layers[a.layer].Decl, lang)}
		r.Rules = append(append(r.Rules, r.By.Rules...), s.p.about(refs(s.p.p.Layers[a.layer].Cite), 0, 0)...)
		r.Place = r.By.Place
		r.Words = say(lang, "overwritten", s.n.value(ch.Type, state.Val{N: a.before}), s.n.value(ch.Type, state.Val{N: a.after}), s.n.by(m, a.effect, int64(o)), r.Layer)
		for n := overwrote - 1; n >= 0; n-- { // what had given it
			if b := t.applied[n]; b.ch == ch && b.after == a.before && b.before != b.after {
				r.Effect = s.p.effect(m, b.effect, int32(b.op), s.n)
				r.decided = s.p.between(r.Effect, r.By, b.layer, a.layer)
				r.Rules = append(r.Rules, r.decided...)
				break
			}
		}
		out.Reasons = append(out.Reasons, r)
	}
	for i := range m.S.Effects {
		d := s.p.p.Effects[m.S.Effects[i].Def]
		for q := range d.Ops {
			op := &d.Ops[q]
			copies := op.Verb == program.VerbCopy && ch.Printed
			if d.Action >= 0 || op.Char != ch.Index && !copies || op.Verb == program.VerbLock {
				continue
			}
			if !s.could(int32(i), op, ch, want) || m.S.Effects[i].Ended && s.elsewhere(int32(i), o) {
				continue
			}
			r := s.held(t, int32(i), q, o)
			if r.Kind == ReasonOther && overwrote >= 0 {
				continue // it is told already
			}
			if s.elsewhere(int32(i), o) {
				r.rank = rankOther // it was never meant
			}
			out.Reasons = append(out.Reasons, r)
		}
	}
	if ch.Value != nil && ch.Value.Op != program.OpConst {
		e := m.Reader()
		e.Self = int64(o)
		e.Push(int64(o))
		j := &judge{s.n, e}
		r := Reason{Kind: ReasonCondition, rank: rankAway, Rules: refs(ch.Cite), Place: placeOf(ch.Span)}
		switch c := ch.Value; {
		case ch.Type == program.FlagType && !j.holds(c):
			r.Parts = j.deciding(c, true)
		case c.Op == program.OpEach && want.N >= 0:
			if !e.C.IsKind(int(c.N))(e, want.N) {
				r.Words = say(lang, "no-kind", s.n.object(want.N), s.n.kindName(program.Type{Base: program.IsObject, ID: int(c.N)}))
			} else if e.Push(want.N); len(c.Kids) > 0 && c.Kids[0] != nil && !j.holds(c.Kids[0]) {
				r.Parts = j.deciding(c.Kids[0], true)
			}
		default:
			r.Kind, r.rank = ReasonOther, rankOther
			r.Words = say(lang, "worked-out", s.p.formula(ch))
		}
		if r.Words == "" {
			r.Words = partWords(r.Parts)
		}
		if r.Words != "" {
			out.Reasons = append(out.Reasons, r)
		}
	}
	if len(out.Reasons) == 0 && ch.Fact != program.FactNone && ch.Fact != program.FactPrinted {
		out.Reasons = append(out.Reasons, Reason{Kind: ReasonNone, Words: say(lang, "only-actions")})
	}
	if len(out.Reasons) == 0 {
		out.Reasons = append(out.Reasons, Reason{Kind: ReasonNone, Words: say(lang, "nothing-makes", s.n.value(one, want)), Rules: refs(ch.Cite), Place: placeOf(ch.Span)})
	}
	return s.finish(out, lead), nil
}

// elsewhere reports whether an effect names its objects, and an object is none of
// them.
func (s *scene) elsewhere(i, o int32) bool {
	x := &s.m.S.Effects[i]
	switch d := s.p.p.Effects[x.Def]; {
	case d.Target == program.TargetSelf:
		return x.Source != o
	case d.Target == program.TargetFixed && !d.Static:
		return !slices.Contains(x.Objects, int64(o)) && s.former(x.Objects, int64(o)) == state.None
	}
	return false
}

// sets reports whether an application gave a value outright.
func (s *scene) sets(a application) bool {
	v := s.p.p.Effects[s.m.S.Effects[a.effect].Def].Ops[a.op].Verb
	return v == program.VerbSet || v == program.VerbCopy || v == program.VerbBase
}

// could reports whether an operation could have led to a value: a set to another
// value could not, nor what only takes away.
func (s *scene) could(i int32, op *program.Op, ch *program.Char, want state.Val) bool {
	value := func() (int64, bool) {
		if op.Value == nil {
			return 0, false
		}
		e := s.m.Reader()
		s.m.Enter(e, i)
		old := e.Enter()
		defer e.Leave(old)
		e.Push(int64(s.m.S.Effects[i].Source))
		return e.C.Int(op.Value)(e), e.Err == nil
	}
	switch op.Verb {
	case program.VerbSet, program.VerbBase:
		v, ok := value()
		if ch.Type.Mask() {
			return !ok || v>>want.N&1 != 0
		}
		return !ok || v == want.N
	case program.VerbAdd:
		v, ok := value()
		return !ok || v>>want.N&1 != 0
	case program.VerbRemove, program.VerbStrip:
		return false
	}
	return true
}

// read reads a value of a type as people and rule data write it.
func (s *scene) read(t program.Type, words string) (state.Val, bool) {
	p := s.p.p
	switch t.Base {
	case program.IsNumber:
		v, err := strconv.ParseInt(words, 10, 64)
		return state.Val{N: v}, err == nil
	case program.IsFlag:
		for n, key := range []string{"no", "yes"} {
			if strings.EqualFold(words, say(s.n.lang, key)) || strings.EqualFold(words, say("en", key)) || words == strconv.FormatBool(n == 1) {
				return state.Val{N: int64(n)}, true
			}
		}
	case program.IsOneOf:
		switch t.ID {
		case program.ListKeyword:
			for _, k := range p.Keywords {
				if is(&k.Decl, words) {
					return state.Val{N: int64(k.Index)}, true
				}
			}
		case program.ListZone:
			for z := range p.Zones {
				if is(&p.Zones[z].Decl, words) {
					return state.Val{N: int64(z)}, true
				}
			}
		}
		for i := range p.Values[t.ID].Names {
			name := &p.Values[t.ID].Names[i]
			if is(&program.Decl{Name: name.Name, Texts: name.Texts}, words) {
				return state.Val{N: int64(i)}, true
			}
		}
	case program.IsText:
		for i, x := range p.Texts {
			if x == words {
				return state.Val{N: int64(i)}, true
			}
		}
		return state.Val{N: -2}, true // a text that nothing else is
	case program.IsObject:
		if o, ok := s.find(words); ok {
			return state.Val{N: int64(o)}, true
		}
		if t.ID < 0 || t.ID == program.KindPlace {
			for z := range p.Zones {
				if is(&p.Zones[z].Decl, words) {
					return state.Val{N: int64(-2 - z)}, true
				}
			}
			for i := range s.m.S.Objects {
				if ob := &s.m.S.Objects[i]; ob.Entity == program.Place && strings.EqualFold(s.n.place(ob), words) {
					return state.Val{N: int64(i)}, true
				}
			}
		}
	}
	return state.Val{}, false
}

// effectsCalled lists the effects that words mean: by label, by number, by what
// they are called in answers, or by the card that they come from.
func (s *scene) effectsCalled(words string) []int32 {
	var out []int32
	for i := range s.m.S.Effects {
		x := &s.m.S.Effects[i]
		d := s.p.p.Effects[x.Def]
		named := d.Label == words || "#"+strconv.Itoa(i) == words || strings.EqualFold(s.n.by(s.m, int32(i), -1), words)
		named = named || x.Source >= 0 && strings.EqualFold(s.n.object(int64(x.Source)), words)
		if named {
			out = append(out, int32(i))
		}
	}
	return out
}

// effects answers why effects do nothing to an object.
func (s *scene) effects(o int32, what string, list []int32) *WhyNot {
	out := &WhyNot{Sort: AboutEffect, Object: s.n.precise(int64(o)), What: what}
	t := s.reaches(o)
	for _, i := range list {
		d := s.p.p.Effects[s.m.S.Effects[i].Def]
		for q := range d.Ops {
			if d.Action >= 0 {
				continue
			}
			r := s.held(t, i, q, o)
			if z := t.reached[[2]int32{int32(d.Ops[q].Layer), i}]; d.Ops[q].Pattern.Action >= 0 && d.Ops[q].Char < 0 && z != nil && z.applies {
				r.Kind, r.rank = ReasonOther, rankOther
				r.Words = say(s.n.lang, "in-force", s.n.by(s.m, i, int64(o)))
			}
			switch r.Kind { // the effect is named already
			case ReasonOther:
				r.Kind, r.rank = ReasonSo, rankSo
			case ReasonFilter:
				if r.Words = t.at(d.Ops[q].Layer, i).other; r.Words == "" {
					r.Words = partWords(r.Parts)
				}
			case ReasonCondition:
				r.Words = say(s.n.lang, "its-condition", partWords(r.Parts))
			}
			out.Reasons = append(out.Reasons, r)
		}
	}
	return s.finish(out, say(s.n.lang, "does-not-reach", out.What, out.Object))
}

// attempt reads an action with its roles, as rule data writes it, or returns nil
// where the first word is no action.
func (s *scene) attempt(words []string) (*run.Attempt, error) {
	p := s.p.p
	var def *program.Action
	for _, a := range p.Actions {
		if a.Name == words[0] && a.StepOf < 0 {
			def = a
		}
	}
	if def == nil {
		return nil, nil
	}
	if _, ok := s.find(words[0]); ok {
		return nil, nil // an object of that name is meant
	}
	t := &run.Attempt{Action: def.Index, Roles: map[int]state.Val{}, Kind: state.None, AbilityOf: state.None, Causer: state.None}
	role, from := 0, 1
	set := func(to int) error {
		text := strings.Join(words[from:to], " ")
		if text == "" {
			return nil
		}
		if role < 0 || role >= len(def.Roles) {
			return fmt.Errorf("%s", say(s.n.lang, "ask-role", def.Name, text))
		}
		r := &def.Roles[role]
		if (def.Basic == program.BasicPlace || def.Basic == program.BasicRemove) && role == 0 {
			for i, k := range p.Tokens {
				if is(&k.Decl, text) {
					t.Kind = int32(i)
					return nil
				}
			}
		}
		if r.Type.List() {
			v := state.Val{L: []int64{}}
			for _, one := range strings.Split(strings.Trim(text, "[]"), ",") {
				single := r.Type
				single.Several = false
				x, ok := s.read(single, strings.TrimSpace(one))
				if !ok {
					return fmt.Errorf("%s", say(s.n.lang, "ask-object", strings.TrimSpace(one), strings.Join(s.known, ", ")))
				}
				v.L = append(v.L, x.N)
			}
			t.Roles[role] = v
			return nil
		}
		v, ok := s.read(r.Type, text)
		if !ok {
			return fmt.Errorf("%s", say(s.n.lang, "ask-object", text, strings.Join(s.known, ", ")))
		}
		t.Roles[role] = v
		return nil
	}
	if len(def.Roles) > 0 && def.Roles[0].Prep != "" {
		role = -1
	}
	for i := 1; i < len(words); i++ {
		for k, r := range def.Roles {
			if r.Prep != "" && r.Prep != "within" && r.Prep == words[i] {
				if err := set(i); err != nil {
					return nil, err
				}
				role, from = k, i+1
				break
			}
		}
	}
	if err := set(len(words)); err != nil {
		return nil, err
	}
	if def.Basic == program.BasicRemove && t.Kind >= 0 { // the token of that kind that lies there
		t.Roles[0] = state.Val{N: state.None}
		if h, ok := t.Roles[1]; ok && h.N >= 0 {
			for _, k := range s.m.S.Objects[h.N].Tokens {
				if s.m.S.Objects[k].Def == t.Kind {
					t.Roles[0] = state.Val{N: int64(k)}
				}
			}
		}
	}
	if def.Basic == program.BasicPlace && t.Kind < 0 {
		return nil, fmt.Errorf("%s", say(s.n.lang, "ask-token", def.Name))
	}
	return t, nil
}

// refusedFormer finds the last time that an action was refused because it was about
// what one of its objects was before.
func (s *scene) refusedFormer(t *run.Attempt) *Reason {
	for k := len(s.events) - 1; k >= 0; k-- {
		e := &s.events[k]
		if e.Kind != Refused || e.unfit.how != "former" || e.Number < s.first || e.Hidden(s.viewer) {
			continue
		}
		a := e.note.Act
		if e.note.Inner != nil {
			a = e.note.Inner
		}
		if int(a.Action) != t.Action && int(e.note.Act.Action) != t.Action {
			continue
		}
		for _, v := range t.Roles {
			if s.former([]int64{e.unfit.object}, v.N) == state.None {
				continue
			}
			return &Reason{Kind: ReasonGone, Event: e.Number, What: s.logText(e.Number), Rules: e.Rules,
				Words: say(s.n.lang, "was-refused", e.Number, s.n.deed(e.note.Act, nil), e.unfit.words(s.n, nil))}
		}
	}
	return nil
}

// within tells why an action that is possible by itself is not as part of one that it
// can be part of; nil where it is possible there as well. What it is by itself and is not
// there comes in brackets.
func (s *scene) within(t *run.Attempt, m *run.Match, n *namer, alone *state.Act) (*Reason, string) {
	p := s.p.p
	def := p.Actions[t.Action]
	for i, r := range def.Roles {
		if _, named := t.Roles[i]; r.Prep != "within" || r.Type.Base != program.IsHappening || r.Type.ID < 0 || named {
			continue
		}
		around := p.Actions[r.Type.ID]
		if around.Body < 0 {
			continue
		}
		lists := map[int]*program.Node{} // what the elements in a local are taken from
		of := map[int]*program.Node{}
		for _, in := range p.Routines[around.Body].Code {
			switch {
			case in.Op == program.CodeListInit:
				of[in.A] = in.X
			case in.Op == program.CodeListNext:
				lists[in.B] = of[in.A]
			case in.Op == program.CodeAct && in.Call.Action == t.Action:
				return s.partOf(t, r.Type.ID, in.Call, lists, m, n, alone)
			}
		}
	}
	return nil, ""
}

// partOf is within for one place in the body of the action around.
func (s *scene) partOf(t *run.Attempt, around int, call *program.Call, lists map[int]*program.Node, m *run.Match, n *namer, alone *state.Act) (*Reason, string) {
	outer := run.Attempt{Action: around, Roles: map[int]state.Val{}, Kind: state.None, AbilityOf: t.AbilityOf, Causer: t.Causer}
	for k, x := range call.Roles {
		if x != nil && x.Op == program.OpRole {
			outer.Roles[int(x.N)] = alone.Roles[k]
		}
	}
	var missing *Reason
	var by *state.Act
	reached, ok, note := m.JudgeWithin(*t, outer, func(b *state.Act) {
		by = b
		e := m.Reader()
		e.Act = b
		j := &judge{n, e}
		for k, x := range call.Roles {
			if x == nil || x.Op != program.OpLocal || lists[int(x.N)] == nil {
				continue
			}
			from := lists[int(x.N)]
			if from.Op == program.OpRole { // what nobody names comes from its default
				if d := s.p.p.Actions[around].Roles[from.N].Default; d != nil {
					from = d
				}
			}
			local := false
			from.Walk(func(y *program.Node) { local = local || y.Op == program.OpLocal })
			if local || slices.Contains(j.value(from).L, alone.Roles[k].N) {
				continue
			}
			missing = &Reason{Words: say(n.lang, "not-among", n.object(alone.Roles[k].N), j.term(from)), Place: placeOf(from.Span)}
		}
	})
	if reached && ok && missing == nil {
		return nil, ""
	}
	var r Reason
	if missing != nil {
		r = *missing
		r.Kind = ReasonNoEvent
	} else {
		r = s.refusalWords(m, n, &note, 0)
	}
	r.Words = say(n.lang, "not-within", n.deed(by, nil), r.Words)
	var flags []string
	if reached {
		for slot, c := range s.p.p.Actions[t.Action].Attrs {
			if ch := s.p.p.Chars[c]; ch.Type.Base == program.IsFlag && len(ch.Texts) > 0 && alone.Attrs[slot].N != 0 && note.Act.Attrs[slot].N == 0 {
				flags = append(flags, s.p.charText(ch, n.lang))
			}
		}
	}
	if flags == nil {
		return &r, ""
	}
	return &r, " (" + strings.Join(flags, ", ") + ")"
}

// action answers why an action can't be done now.
func (s *scene) action(t *run.Attempt, words string) *WhyNot {
	out := &WhyNot{Sort: AboutAction, What: words}
	m := s.m.En.Resume(s.m.S.Clone()) // what is thought of leaves no trace
	m.Pinned, m.PinnedTypes = s.m.Pinned, s.m.PinnedTypes
	ok, note := m.Judge(*t)
	n := *s.n
	n.s = m.S
	deed := n.deed(note.Act, nil)
	basic := s.p.p.Actions[t.Action].Basic
	if basic == program.BasicPlace || basic == program.BasicRemove {
		deed = words // the token is none yet, or none any more
	}
	if ok {
		r := Reason{Kind: ReasonPossible, Words: say(n.lang, "is-possible", deed), Place: placeOf(s.p.p.Actions[t.Action].Span)}
		out.Reasons = append(out.Reasons, r)
		words := r.Words
		if w, alone := s.within(t, m, &n, note.Act); w != nil {
			out.Reasons[0].Words = say(n.lang, "is-possible-alone", deed+alone)
			out.Reasons = append(out.Reasons, *w)
			words = say(n.lang, "two-sentences", out.Reasons[0].Words+say(n.lang, "stop"), w.Words)
		}
		if f := s.refusedFormer(t); f != nil {
			out.Reasons = append(out.Reasons, *f)
			words += say(n.lang, "and-then") + f.Words
		}
		s.finish(out, deed)
		out.So, out.Sentence = true, words+say(n.lang, "stop")
		return out
	}
	r := s.refusalWords(m, &n, &note, 0)
	if note.Inner == nil && note.Effect < 0 && note.Cond == -1 { // a role that is missing or not of its kind
		def := s.p.p.Actions[t.Action]
		for i, role := range def.Roles {
			if role.Type.Base != program.IsObject || role.Type.Several || role.Prep == "within" {
				continue
			}
			v := note.Act.Roles[i].N
			switch {
			case v == state.None && basic == program.BasicRemove && i == 0 && t.Kind >= 0:
				r.Words = say(n.lang, "no-token", s.p.textOf(&s.p.p.Tokens[t.Kind].Decl, n.lang))
			case v == state.None:
				r.Words = say(n.lang, "role-missing", role.Name)
			case basic == program.BasicPlace && i == 0:
				k, host := s.p.p.Tokens[t.Kind], note.Act.Roles[1].N
				if host < 0 || k.Limit == 0 || k.On >= 0 && !m.Reader().C.IsKind(k.On)(m.Reader(), host) {
					continue
				}
				r.Words, r.Rules = say(n.lang, "token-limit", k.Limit, s.p.textOf(&k.Decl, n.lang), n.object(host)), refs(k.Cite)
			case int(v) >= len(m.S.Objects):
				continue
			case v >= 0 && m.S.Objects[v].Gone:
				r.Words = say(n.lang, "role-gone", n.object(v))
			case v >= 0 && role.Type.ID >= 0 && s.p.p.Kinds[role.Type.ID].Entity != program.Place && !m.Reader().C.IsKind(role.Type.ID)(m.Reader(), v):
				r.Words = say(n.lang, "no-kind", n.object(v), n.kindName(role.Type))
			default:
				continue
			}
			break
		}
	}
	out.Reasons = append(out.Reasons, r)
	return s.finish(out, say(n.lang, "cant", deed))
}
