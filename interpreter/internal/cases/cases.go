// Package cases runs the cases of a program against the engine: it plays a
// case's script, answers decisions as the script says, and compares what it asks
// with what must come.
package cases

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/layers"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Failure is one thing that came out otherwise than the case says.
type Failure struct {
	Span source.Span
	Code string // expect, refused, happened, never, asked, never-asked, legal, illegal, repair, answer, unanswered, loop, unused-answer
	Want string
	Got  string
	Rule []program.Ref
	Line string // a line that would mend it, or ""
}

// Result is the outcome of one case.
type Result struct {
	Case     *program.Case
	Failures []Failure
	Notes    []run.Note // everything that happened, in order
	Match    *run.Match // as the case left it
}

// Runner runs one case, step by step if wanted.
type Runner struct {
	En      *run.Engine
	K       *program.Case
	M       *run.Match
	Notes   []run.Note
	Step    func(step int)                       // called before each step, or nil
	Pick    func(options, least, most int) []int // answers what the script leaves open, or nil
	Raised  []Raised                             // what Pick answered
	at      int                                  // the step under way
	fails   []Failure
	last    int // where the notes of the last instruction begin
	answers []answer
	ahead   int // steps at the top that are answers, and known from the start
	l       []state.Val
	before  *snapshot
	refused *program.Step
	stopped bool
}

type answer struct {
	step *program.Step
	val  state.Val
	by   int32
	used bool
}

type snapshot struct {
	s *state.State
	l []state.Val
	f state.Frame
	r int
}

// Run plays a case to its end.
func Run(en *run.Engine, k *program.Case) Result {
	r := New(en, k)
	for i := range k.Script {
		if r.stopped {
			break
		}
		if r.Step != nil {
			r.Step(i)
		}
		r.Play(i)
	}
	return r.Finish()
}

// New sets a case's start up.
func New(en *run.Engine, k *program.Case) *Runner { return Improvising(en, k, nil) }

// Improvising sets a case's start up as New does; what the script leaves open, pick
// answers.
func Improvising(en *run.Engine, k *program.Case, pick func(options, least, most int) []int) *Runner {
	r := &Runner{En: en, K: k, M: en.NewMatch(1), Pick: pick}
	r.M.Keep = true
	r.M.Notes = func(n run.Note) { r.Notes = append(r.Notes, n) }
	r.M.Luck = r.luck
	r.M.SetCase(r)
	r.l = make([]state.Val, k.Locals)
	for i := range r.l {
		r.l[i].N = state.None
	}
	r.M.Pinned, r.M.PinnedTypes = r.l, k.Types
	for _, g := range k.Givens {
		owner, controller := r.player(g.Owner), r.player(g.Controller)
		cell := int32(state.None)
		if g.HasCell {
			cell = r.cell(g.Zone, g.X, g.Y)
		}
		r.l[g.Local].N = int64(r.M.NewCard(g.Card, owner, controller, g.Zone, cell))
	}
	for i := range k.Script { // answers at the top are for what is asked while the givens are put down
		if k.Script[i].Kind != program.StepAnswer {
			break
		}
		r.keepAnswer(&k.Script[i])
		r.ahead++
	}
	r.check(r.M.Settle(), k.Span)
	r.settle(k.Span)
	return r
}

// Reload goes on from a copy of the state, which may have been saved and loaded: what
// a match keeps beside its state must not matter.
func (r *Runner) Reload(s *state.State) {
	old := r.M
	m := r.En.Resume(s)
	m.Notes, m.Luck, m.Keep = old.Notes, old.Luck, old.Keep
	m.SetCase(r)
	m.Pinned, m.PinnedTypes = r.l, r.K.Types
	r.M = m
}

func (r *Runner) player(n *program.Node) int32 {
	if n == nil {
		return 1
	}
	return int32(r.value(n).N)
}

func (r *Runner) cell(zone, x, y int) int32 {
	for i := range r.M.S.Objects {
		if o := &r.M.S.Objects[i]; o.Entity == program.Place && int(o.Zone) == zone && int(o.X) == x && int(o.Y) == y {
			return int32(i)
		}
	}
	return state.None
}

func (r *Runner) env() *eval.Env {
	e := r.M.Env()
	e.L = r.l
	return e
}

func (r *Runner) value(n *program.Node) state.Val { return r.En.C.Value(n, r.env()) }

func (r *Runner) fail(span source.Span, code, want, got string, rule []program.Ref) {
	r.fails = append(r.fails, Failure{Span: span, Code: code, Want: want, Got: got, Rule: rule})
}

// check notes an error of the engine, which ends the case.
func (r *Runner) check(err error, span source.Span) {
	if err != nil {
		text := err.Error()
		if l, ok := err.(*run.Loop); ok {
			text += ": " + strings.Join(l.Chain, " → ")
		}
		r.fail(span, "loop", "", text, nil)
		r.stopped = true
	}
}

// settle answers decisions as the script says until nothing is left to do.
func (r *Runner) settle(span source.Span) {
	for !r.stopped {
		d := r.M.S.Pending
		if d == nil {
			if len(r.M.S.Queue) == 0 || r.M.S.Over {
				return
			}
			r.check(r.M.Drain(), span)
			continue
		}
		picks, ok := r.answer(d)
		if !ok && d.Kind == state.DecideTriggers {
			// Who orders triggers is provisional, so a case may leave it open
			// where nothing hangs on it; then they go as they arose.
			for i := range d.Options {
				picks = append(picks, i)
			}
			ok = true
			r.Notes = slices.DeleteFunc(r.Notes, func(n run.Note) bool { return n.Decision == d }) // nobody was asked
		}
		if !ok {
			picks, ok = r.improvise(d)
		}
		if !ok {
			r.fail(span, "unanswered", "", r.Decision(d), nil)
			r.fails[len(r.fails)-1].Line = r.answerLine(d)
			r.stopped = true
			return
		}
		if err := run.Fits(d, picks); err != nil {
			r.fail(span, "answer", r.Decision(d), err.Error(), nil)
			r.stopped = true
			return
		}
		r.check(r.M.Choose(picks...), span)
	}
}

// luck is what the script says of a choice by chance; nothing leaves it to chance.
func (r *Runner) luck(d *state.Decision) []int {
	picks, ok := r.answer(d)
	if !ok {
		return nil
	}
	if err := run.Fits(d, picks); err != nil {
		r.fail(r.K.Span, "answer", r.Decision(d), err.Error(), nil)
		return nil
	}
	return picks
}

// answer finds the script's answer to a decision.
func (r *Runner) answer(d *state.Decision) ([]int, bool) {
	for i := range r.answers {
		a := &r.answers[i]
		if a.used || a.step.Word != d.Name || a.by > 0 && a.by != d.Player {
			continue
		}
		a.used = true
		switch {
		case d.Kind == state.DecideMay:
			if a.step.X != nil {
				return []int{int(a.val.N)}, true
			}
			if a.step.Bool {
				return []int{1}, true
			}
			return []int{0}, true
		case d.Kind == state.DecideEither:
			return []int{int(a.val.N) - 1}, true
		case len(a.step.Labels) > 0:
			return r.labels(d, a.step.Labels), true
		}
		want := a.val.L
		if a.val.L == nil && a.step.X != nil && !a.step.X.T.Several {
			want = []int64{a.val.N}
		}
		picks := []int{}
		for _, v := range want {
			at := -1
			for k, o := range d.Options {
				if named := d.Type.Base == program.IsHappening && a.step.X.T.Base == program.IsText; named && v >= 0 && int(v) < len(r.En.P.Texts) {
					if r.En.P.Texts[v] == r.option(d, k) {
						at = k
					}
				} else if o == v {
					at = k
				}
			}
			picks = append(picks, at)
		}
		return picks, true
	}
	return nil, false
}

// labels maps names, as lists show them, to options.
func (r *Runner) labels(d *state.Decision, labels []string) []int {
	picks := []int{}
	used := make([]bool, len(d.Options))
	for _, l := range labels {
		at := -1
		for k := range d.Options {
			if used[k] {
				continue
			}
			name := ""
			if k < len(d.Labels) {
				name = d.Labels[k]
			} else if b := d.Type.Base; b == program.IsObject || b == program.IsHappening {
				name = r.option(d, k)
			}
			if name == l {
				at = k
				break
			}
		}
		if at >= 0 {
			used[at] = true
		}
		picks = append(picks, at)
	}
	return picks
}

// Name is what the case calls an object.
func (r *Runner) Name(o int64) string {
	for i, v := range r.l {
		if i < len(r.K.Types) && r.K.Types[i].Base == program.IsObject && !r.K.Types[i].Several && v.L == nil && v.N == o && r.K.Names[i] != "" {
			return r.K.Names[i]
		}
	}
	if o == 1 || o == 2 {
		return fmt.Sprint("P", o)
	}
	if o >= 0 && int(o) < len(r.M.S.Objects) {
		switch ob := &r.M.S.Objects[o]; ob.Entity {
		case program.Card:
			return r.En.P.Cards[ob.Def].Name
		case program.Token:
			return r.En.P.Tokens[ob.Def].Name
		case program.Place:
			return fmt.Sprintf("%s %d, %d", r.En.P.Zones[ob.Zone].Name, ob.X, ob.Y)
		}
	}
	return "nothing"
}

func (r *Runner) keepAnswer(st *program.Step) {
	a := answer{step: st}
	if st.X != nil {
		a.val = r.value(st.X)
	}
	if st.By != nil {
		a.by = int32(r.value(st.By).N)
	}
	r.answers = append(r.answers, a)
}

// Decision words a decision for a message.
func (r *Runner) Decision(d *state.Decision) string {
	var opts []string
	for k := range d.Options {
		s := r.option(d, k)
		if d.Kind == state.DecideOrder && k < len(d.Labels) { // of several effects of one source, which
			if e := r.En.P.Effects[r.M.S.Effects[d.Options[k]].Def]; e.Label == "" && len(e.Ops) > 0 {
				s += ": " + strings.Join(strings.Fields(e.Ops[0].Span.Text()), " ")
			}
		}
		opts = append(opts, s)
	}
	return fmt.Sprintf("%s by P%d of [%s]", d.Name, d.Player, strings.Join(opts, ", "))
}

// option is what an answer calls one of a decision's options.
func (r *Runner) option(d *state.Decision, k int) string {
	o := d.Options[k]
	switch {
	case k < len(d.Labels):
		return d.Labels[k]
	case d.Kind == state.DecideMay:
		return [...]string{"no", "yes"}[o]
	case d.Kind == state.DecideEither:
		return fmt.Sprint(o + 1)
	case d.Type.Base == program.IsObject:
		return r.Name(o)
	case d.Type.Base == program.IsText && o >= 0 && int(o) < len(r.En.P.Texts):
		return strconv.Quote(r.En.P.Texts[o])
	case d.Type.Base == program.IsHappening && o >= 0 && int(o) < len(r.M.S.Acts):
		return r.happening(r.M.S.Acts[o])
	case d.Type.Base == program.IsOneOf && o >= 0:
		if list := r.En.P.Values[d.Type.ID]; int(o) < len(list.Names) {
			return list.Names[o].Name
		}
	}
	return fmt.Sprint(o)
}

// happening is what answers call an action that happened: as it would be written, with
// the objects that it was done to and with.
func (r *Runner) happening(a *state.Act) string {
	def := r.En.P.Actions[a.Action]
	text := def.Name
	for i, role := range def.Roles {
		if role.Type.Base != program.IsObject || role.Type.Several || a.Roles[i].N < 0 {
			continue
		}
		if role.Prep != "" {
			text += " " + role.Prep
		}
		text += " " + r.Name(a.Roles[i].N)
	}
	return text
}

// answerLine is a line that answers a decision, its options as they stand.
func (r *Runner) answerLine(d *state.Decision) string {
	var picks []string
	for k := range d.Options {
		s := r.option(d, k)
		if k < len(d.Labels) || d.Type.Base == program.IsHappening {
			s = strconv.Quote(s)
		}
		picks = append(picks, s)
	}
	with := ""
	switch {
	case d.Kind == state.DecideMay:
		with = "yes"
	case d.Max == 1:
		with = picks[0]
	default:
		with = "[" + strings.Join(picks[:d.Max], ", ") + "]"
	}
	return fmt.Sprintf("answer %s with %s by P%d", d.Name, with, d.Player)
}

// frame is the surroundings of an instruction of the script.
func (r *Runner) frame(as *program.Node) state.Frame {
	f := state.Frame{Self: state.None, You: state.None, Act: state.None, Parent: state.None, AbilityOf: state.None, Causer: state.None}
	if as == nil {
		return f
	}
	o := r.value(as).N
	f.You = int32(r.env().Controller(o))
	f.AbilityOf = f.You
	if o > 2 {
		f.Self, f.Causer = int32(o), int32(o)
	}
	return f
}

// Play carries out one step of the script.
func (r *Runner) Play(i int) {
	st := &r.K.Script[i]
	r.at = i
	switch st.Kind {
	case program.StepDo:
		r.last = len(r.Notes)
		f := r.frame(st.As)
		if r.repairAhead(i) {
			r.before = &snapshot{s: r.M.S.Clone(), l: append([]state.Val(nil), r.l...), f: f, r: st.Routine}
		}
		r.do(st.Routine, f, st.Span)
	case program.StepOpen:
		r.last = len(r.Notes)
		of := state.Val{N: state.None}
		if st.Of != nil {
			of = r.value(st.Of)
		}
		r.check(r.M.Open(st.Action, of), st.Span)
		r.settle(st.Span)
	case program.StepClose:
		r.last = len(r.Notes)
		r.check(r.M.Close(), st.Span)
		r.settle(st.Span)
	case program.StepAnswer:
		if i >= r.ahead {
			r.keepAnswer(st)
		}
	case program.StepExpect:
		r.expect(st)
	case program.StepRefused:
		r.refused = st
		r.wantRefused(st)
	case program.StepHappened:
		if !r.happened(&st.Pattern) {
			r.fail(st.Span, "happened", "", r.instead(&st.Pattern), st.Rule)
		}
	case program.StepNever:
		if r.happened(&st.Pattern) {
			r.fail(st.Span, "never", "", "", st.Rule)
		}
	case program.StepAsked, program.StepNeverAsked:
		r.asked(st)
	case program.StepLegal, program.StepIllegal:
		ok, n := r.M.Try(st.Call, r.l, r.frame(nil))
		if ok != (st.Kind == program.StepLegal) || !ok && st.Word != "" && n.Verb != st.Word {
			code := "legal"
			if st.Kind == program.StepIllegal {
				code = "illegal"
			}
			got := n.Verb
			if ok {
				got = "" // it would be let through
			}
			r.fail(st.Span, code, st.Word, got, st.Rule)
		}
	case program.StepRepair:
		r.repair(st)
	}
}

func (r *Runner) repairAhead(i int) bool {
	for _, st := range r.K.Script[i+1:] {
		if st.Kind == program.StepRepair {
			return true
		}
		if st.Kind == program.StepDo || st.Kind == program.StepOpen || st.Kind == program.StepClose {
			return false
		}
	}
	return false
}

func (r *Runner) do(routine int, f state.Frame, span source.Span) {
	l := r.M.Do(routine, r.l, f)
	r.check(r.M.Run(), span)
	r.settle(span)
	for i := range l { // what the instruction recorded or chose
		if i < len(r.l) && (i >= len(r.K.Types) || r.K.Types[i].Base != program.IsObject || r.l[i].N == state.None) {
			r.l[i] = l[i]
		}
	}
}

func (r *Runner) expect(st *program.Step) {
	if r.value(st.X).N != 0 {
		return
	}
	for _, q := range st.Expect.Parts {
		if r.value(q.All).N != 0 {
			continue
		}
		got := "no"
		if q.Left != nil {
			got = r.Show(q.Left.T, r.value(q.Left))
		}
		want := ""
		if q.Want != nil {
			want = r.Show(q.Want.T, r.value(q.Want))
		}
		r.fail(q.All.Span, "expect", want, got, st.Rule)
	}
}

// Show words a value.
func (r *Runner) Show(t program.Type, v state.Val) string {
	one := func(n int64) string {
		switch t.Base {
		case program.IsFlag:
			return map[bool]string{true: "true", false: "false"}[n != 0]
		case program.IsText:
			return fmt.Sprintf("%q", r.En.P.Texts[n])
		case program.IsOneOf:
			if n < 0 {
				return "nothing"
			}
			return r.En.P.Values[t.ID].Names[n].Name
		case program.IsObject:
			return r.Name(n)
		}
		return fmt.Sprint(n)
	}
	if !t.Several {
		return one(v.N)
	}
	var list []string
	if t.Mask() {
		for i := range r.En.P.Values[t.ID].Names {
			if v.N>>i&1 != 0 {
				list = append(list, one(int64(i)))
			}
		}
	} else {
		for _, x := range v.L {
			list = append(list, one(x))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// matches reports whether a pattern speaks of an act.
func (r *Runner) matches(p *program.Pattern, a *state.Act) bool {
	if int(a.Action) != p.Action {
		return false
	}
	e := r.env()
	e.Act = a.Clone()
	for k, role := range r.En.P.Actions[a.Action].Roles { // labels mean what cards have become
		if v := &e.Act.Roles[k]; role.Type.Base == program.IsObject && !role.Type.Several {
			v.N = r.now(v.N)
		}
	}
	return r.En.C.True(p.Where, e)
}

func (r *Runner) wantRefused(st *program.Step) {
	got := ""
	for _, n := range r.Notes[r.last:] {
		if n.Kind != run.Refused || !r.matches(&st.Pattern, n.Act) {
			continue
		}
		got = n.Verb
		if st.Word == "" || n.Verb == st.Word {
			if len(st.Rule) > 0 && n.Effect >= 0 && !r.cites(n, st.Rule) {
				got = "by " + r.M.Label(n.Effect)
				continue
			}
			return
		}
	}
	if got == "" {
		got = r.instead(&st.Pattern)
	}
	r.fail(st.Span, "refused", st.Word, got, st.Rule)
}

// cites reports whether anything that refused an act carries out one of the rules.
func (r *Runner) cites(n run.Note, rules []program.Ref) bool {
	for _, at := range append([]run.RuleAt{{Effect: n.Effect, Op: n.Op}}, n.Others...) {
		d := r.En.P.Effects[r.M.S.Effects[at.Effect].Def]
		refs := append([]program.Ref(nil), d.Cite.Refs...)
		if at.Op >= 0 {
			refs = append(refs, d.Ops[at.Op].Cite.Refs...)
		}
		for _, want := range rules {
			for _, have := range refs {
				if have.Rule == want.Rule {
					return true
				}
			}
		}
	}
	return false
}

func (r *Runner) happened(p *program.Pattern) bool {
	for _, n := range r.Notes[r.last:] {
		if (n.Kind == run.Happened || n.Kind == run.Began) && r.matches(p, n.Act) {
			return true
		}
	}
	return false
}

// What is told where nothing of the kind that a question is about came of the last
// line; NoneSince where an earlier line led to it.
const (
	NoneOfKind = "none of that kind"
	NoneSince  = "none of that kind with the line before; an earlier one led to it"
)

// instead tells what became of a kind of action.
func (r *Runner) instead(p *program.Pattern) string {
	var got []string
	for _, n := range r.Notes[r.last:] {
		if n.Act == nil || int(n.Act.Action) != p.Action {
			continue
		}
		switch n.Kind {
		case run.Happened:
			got = append(got, "happened")
		case run.Refused:
			got = append(got, "refused by "+n.Verb)
		}
	}
	if len(got) == 0 {
		for i := range r.Notes[:r.last] {
			if n := &r.Notes[i]; (n.Kind == run.Happened || n.Kind == run.Began || n.Kind == run.Refused) && r.matches(p, n.Act) {
				return NoneSince
			}
		}
		return NoneOfKind
	}
	return strings.Join(got, ", ")
}

func (r *Runner) asked(st *program.Step) {
	var got []string
	found := false
	for _, n := range r.Notes[r.last:] {
		if n.Kind == run.Asked {
			got = append(got, r.Decision(n.Decision))
			if n.Decision.Name == st.Word && (st.By == nil || r.value(st.By).N == int64(n.Player)) {
				found = true
			}
		}
	}
	if st.Kind == program.StepNeverAsked {
		if len(got) > 0 {
			r.fail(st.Span, "never-asked", "", strings.Join(got, "; "), st.Rule)
		}
		return
	}
	if !found {
		r.fail(st.Span, "asked", st.Word, strings.Join(got, "; "), st.Rule)
	}
}

// repair does what should make the refused instruction legal, on a copy, and
// tries the instruction again.
func (r *Runner) repair(st *program.Step) {
	if r.before == nil || r.refused == nil {
		r.fail(st.Span, "repair", "", "nothing was refused", nil)
		return
	}
	s, l, notes, last, answers, fails := r.M.S, append([]state.Val(nil), r.l...), r.Notes, r.last, r.answers, r.fails
	old := r.M
	r.Reload(r.before.s.Clone())
	copy(r.l, r.before.l)
	r.answers = append([]answer(nil), answers...)
	for i := range r.answers {
		r.answers[i].used = false
	}
	r.last = len(r.Notes)
	r.do(st.Routine, r.frame(nil), st.Span)
	r.last = len(r.Notes)
	if !r.stopped {
		r.do(r.before.r, r.before.f, st.Span)
	}
	ok := r.happened(&r.refused.Pattern)
	got := r.instead(&r.refused.Pattern)
	r.M, r.Notes, r.last, r.answers, r.fails = old, notes, last, answers, fails
	r.M.S = s
	copy(r.l, l)
	r.stopped = false
	if !ok {
		r.fail(st.Span, "repair", "", got, nil)
	}
}

// Stopped reports whether something went so wrong that the rest can't be played.
func (r *Runner) Stopped() bool { return r.stopped }

// Local returns what the case holds under a name.
func (r *Runner) Local(name string) (state.Val, bool) {
	for i, n := range r.K.Names {
		if n == name && i < len(r.l) {
			return r.l[i], true
		}
	}
	return state.Val{N: state.None}, false
}

// Finish closes the case and returns what came out.
func (r *Runner) Finish() Result {
	if !r.stopped {
		for i := range r.answers {
			if a := &r.answers[i]; !a.used {
				r.fail(a.step.Span, "unused-answer", a.step.Word, "", nil)
			}
		}
	}
	return Result{Case: r.K, Failures: r.fails, Notes: r.Notes, Match: r.M}
}

// Fired counts how often the ability of an object under a header has triggered.
func (r *Runner) Fired(o int64, header int) int64 {
	n := int64(0)
	for i := range r.Notes {
		k := &r.Notes[i]
		if k.Kind == run.Fired && r.En.P.Triggers[k.Trigger].Header == header && r.now(int64(k.Self)) == r.now(o) {
			n++
		}
	}
	return n
}

// now follows an object to what it is today.
func (r *Runner) now(o int64) int64 {
	for o >= 0 && int(o) < len(r.M.S.Objects) && r.M.S.Objects[o].Next >= 0 {
		o = int64(r.M.S.Objects[o].Next)
	}
	return o
}

// Order lists the labels of the effects that changed a characteristic of an
// object, in the order in which they were applied.
func (r *Runner) Order(o int64, char int) []int64 {
	var out []int64
	for _, effect := range r.applied(o, char) {
		if id, ok := r.En.P.TextIDs[r.M.Label(effect)]; ok {
			out = append(out, int64(id))
		} else {
			out = append(out, 0)
		}
	}
	return out
}

// applied lists the effects that changed a characteristic of an object, or with
// none the rules effects on it, in the order in which they were applied.
func (r *Runner) applied(o int64, char int) []int32 {
	if char < 0 {
		return r.M.RulesOn(o)
	}
	t := &orderTrace{o: o, char: char}
	r.M.Trace(t)
	return t.seen
}

type orderTrace struct {
	layers.Silent
	o    int64
	char int
	seen []int32
}

func (t *orderTrace) Applied(_ int, effect int32, _ int, o int64, ch *program.Char, _, _, _ int64) {
	if o != t.o || ch.Index != t.char {
		return
	}
	for _, e := range t.seen {
		if e == effect {
			return // several operations of one effect are one entry
		}
	}
	t.seen = append(t.seen, effect)
}
