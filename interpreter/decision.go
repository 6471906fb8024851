package interpreter

import (
	"fmt"
	"strings"

	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// DecisionKind says what sort of decision somebody must make.
type DecisionKind string

// The kinds of decision.
const (
	Choose  DecisionKind = "choose"  // pick Min to Max of the options
	May     DecisionKind = "may"     // option 0 is no, option 1 is yes
	Either  DecisionKind = "either"  // pick one
	Arrange DecisionKind = "order"   // pick all of them, in the order wanted
	Instead DecisionKind = "replace" // pick the rule that replaces an action
)

var decisionKinds = map[state.DecisionKind]DecisionKind{
	state.DecideChoose: Choose, state.DecideMay: May, state.DecideEither: Either,
	state.DecideOrder: Arrange, state.DecideReplace: Instead,
}

// Decision is what somebody must decide before the match goes on.
type Decision struct {
	Number  int          `json:"number"` // decisions made before it
	Kind    DecisionKind `json:"kind"`
	Name    string       `json:"name"` // the variable that the choice fills
	Player  int          `json:"player"`
	Min     int          `json:"min"`
	Max     int          `json:"max"`
	Prompt  string       `json:"prompt"`
	Source  string       `json:"source,omitempty"` // the object whose ability asks
	Text    string       `json:"text,omitempty"`   // that ability, as the card has it
	Options []Option     `json:"options"`
	About   []CardView   `json:"about,omitempty"` // cards that were chosen for it before, as the player who decides sees them
	Place   Place        `json:"place"`
}

// Option is one thing that can be picked. Its number is its place in Options.
type Option struct {
	Text   string   `json:"text"`
	Object int      `json:"object,omitempty"` // the number of the object that it is, or 0
	Lines  []string `json:"lines,omitempty"`  // of a card: what the view of it shows, where the player who decides sees it
}

// Pending returns the decision that the match waits for, worded in a language,
// or nil when the game is over. The options are those of the player who decides;
// hand them to nobody else.
func (m *Match) Pending(lang string) *Decision {
	d := m.run.S.Pending
	if d == nil || m.run.S.Over {
		return nil
	}
	n := m.namer(lang)
	out := &Decision{Number: int(m.run.S.Decided), Kind: decisionKinds[d.Kind], Name: d.Name, Player: int(d.Player), Min: int(d.Min), Max: int(d.Max)}
	for _, o := range d.Options {
		opt := Option{Text: optionText(m.prog, m.run, n, d, o)}
		if d.Type.Base == program.IsObject && d.Kind == state.DecideChoose || d.Kind == state.DecideOrder && d.Labels == nil {
			opt.Object = int(o)
			if m.run.S.Objects[o].Entity == program.Card && (&log{p: m.prog, m: m.run}).sees(Viewer(d.Player), nil, o) {
				opt.Lines = m.cardView(n, o, Viewer(d.Player)).Lines
			}
		}
		out.Options = append(out.Options, opt)
	}
	distinct(out.Options)
	if in := m.instr(d); in != nil {
		out.Place = placeOf(in.Span)
	}
	if f := m.asking(); f != nil && f.Self >= 0 {
		out.Source = n.precise(int64(f.Self))
		if ob := &m.run.S.Objects[f.Self]; ob.Entity == program.Card {
			out.Text = m.prog.cardSays(int(ob.Def), lang)
		}
	}
	out.Prompt = m.prompt(d, n)
	out.About = m.chosenBefore(d, n)
	return out
}

// cardView is a card as a viewer sees it: as on the board, or as in a pile.
func (m *Match) cardView(n *namer, o int64, v Viewer) CardView {
	view := "pile"
	if m.prog.p.Zones[m.run.S.Objects[o].Zone].Width > 0 {
		view = "board"
	}
	return cardView(m.prog, m.run, n.seenBy(m.run, v), int32(o), view)
}

// chosenBefore are the cards that were chosen before in the body in which a decision
// stands, as far as the player who decides sees them.
func (m *Match) chosenBefore(d *state.Decision, n *namer) []CardView {
	f := m.asking()
	if f == nil || d.Why < 0 || int(d.Why) >= len(m.prog.p.Routines) || f.Routine != d.Why {
		return nil
	}
	var out []CardView
	l := &log{p: m.prog, m: m.run}
	for i := range m.prog.p.Routines[d.Why].Code[:d.PC] {
		in := &m.prog.p.Routines[d.Why].Code[i]
		if in.Op != program.CodeChoose || in.Choice.Chance || in.Choice.Type.Several || in.Choice.Type.Base != program.IsObject || in.A >= len(f.L) {
			continue
		}
		o := f.L[in.A].N
		if o < 0 || int(o) >= len(m.run.S.Objects) {
			continue
		}
		if ob := &m.run.S.Objects[o]; ob.Entity == program.Card && !ob.Gone && l.sees(Viewer(d.Player), nil, o) {
			out = append(out, m.cardView(n, o, Viewer(d.Player)))
		}
	}
	return out
}

// distinct numbers options that are worded alike.
func distinct(options []Option) {
	count := map[string]int{}
	for _, o := range options {
		count[o.Text]++
	}
	seen := map[string]int{}
	for i := range options {
		t := options[i].Text
		if count[t] > 1 {
			seen[t]++
			options[i].Text = fmt.Sprintf("%s #%d", t, seen[t])
		}
	}
}

// asking is the body in which a decision stands.
func (m *Match) asking() *state.Frame {
	st := m.run.S.Stack
	for i := len(st) - 1; i >= 0; i-- {
		if st[i].Kind == state.FrameCode {
			return &st[i]
		}
	}
	return nil
}

func (m *Match) instr(d *state.Decision) *program.Instr { return instrOf(m.prog.p, d) }

func instrOf(p *program.Program, d *state.Decision) *program.Instr {
	if d.Why < 0 || int(d.Why) >= len(p.Routines) {
		return nil
	}
	code := p.Routines[d.Why].Code
	if d.PC < 0 || int(d.PC) >= len(code) {
		return nil
	}
	return &code[d.PC]
}

// prompt words what is to be decided.
func (m *Match) prompt(d *state.Decision, n *namer) string {
	lang := n.lang
	in := m.instr(d)
	switch d.Kind {
	case state.DecideMay:
		if in != nil && in.Choice != nil && in.Choice.Requires != nil {
			if s := m.callText(in.Choice.Requires, n); s != "" {
				return say(lang, "may-do", s)
			}
		}
		return say(lang, "may")
	case state.DecideEither:
		return say(lang, "either")
	case state.DecideOrder:
		return say(lang, "order")
	case state.DecideReplace:
		if f := m.run.S.Stack[len(m.run.S.Stack)-1]; f.Act >= 0 {
			return say(lang, "replace", n.deed(m.run.S.Acts[f.Act], nil))
		}
	}
	if in != nil && in.Choice != nil && in.Choice.For != nil {
		if s := m.callText(in.Choice.For, n); s != "" && !strings.Contains(s, "{") {
			return s
		}
	}
	what := n.kindName(d.Type)
	if what == "" {
		what = d.Name
	}
	if lang != "th" {
		what = strings.TrimSpace(what)
	}
	if d.Min == 1 && d.Max == 1 {
		return say(lang, "choose", what)
	}
	count := fmt.Sprint(d.Min)
	if d.Max != d.Min {
		count = fmt.Sprintf("%d-%d", d.Min, d.Max)
	}
	return say(lang, "choose-some", what, count)
}

// callText words an action that is only planned: roles that are not known yet
// stand as what they are.
func (m *Match) callText(k *program.Call, n *namer) string {
	def := m.prog.p.Actions[k.Action]
	text := m.prog.text(def.Texts, n.lang, "")
	if text == "" {
		return ""
	}
	return fillIn(text, func(name string) (string, bool) {
		for _, r := range def.Roles {
			if r.Name == name {
				if w := n.kindName(r.Type); w != "" {
					return w, true
				}
				return "…", true
			}
		}
		return "", false
	})
}

// optionText words one option of a decision.
func optionText(p *Program, rm *run.Match, n *namer, d *state.Decision, o int64) string {
	switch d.Kind {
	case state.DecideMay:
		if o != 0 {
			return say(n.lang, "yes")
		}
		return say(n.lang, "no")
	case state.DecideEither:
		if in := instrOf(p.p, d); in != nil && in.Choice != nil && int(o) < len(in.Choice.Labels) {
			if s := p.text(in.Choice.Labels[o], n.lang, ""); s != "" {
				return s
			}
		}
		return say(n.lang, "option", o+1)
	}
	if len(d.Labels) > 0 {
		for i, x := range d.Options {
			if x == o && i < len(d.Labels) {
				return p.labelText(d.Labels[i], n.lang)
			}
		}
	}
	if d.Type.Base == program.IsObject {
		return n.precise(o)
	}
	return n.one(d.Type, o)
}

// labelText words a label by which cases name an effect or a trigger.
func (p *Program) labelText(label, lang string) string {
	for _, c := range p.p.Cards {
		if c.Name == label {
			return p.textOf(&c.Decl, lang)
		}
	}
	for _, k := range p.p.Keywords {
		if k.Name == label {
			return p.textOf(&k.Decl, lang)
		}
	}
	return label
}

// Refusal is something that the pending decision does not offer, and why.
type Refusal struct {
	Text  string      `json:"text"` // what it is
	Why   string      `json:"why"`
	By    *EffectInfo `json:"by,omitempty"` // the effect that stands in the way
	Rules []Ref       `json:"rules,omitempty"`
}

// Refusals lists what the pending decision leaves out because it is not possible
// now, with the reason for each. Like Pending it is for the player who decides.
func (m *Match) Refusals(lang string) []Refusal {
	d := m.run.S.Pending
	if d == nil {
		return nil
	}
	c := m.prog.en.Resume(m.run.S.Clone())
	n := &namer{p: m.prog, s: c.S, lang: lang, players: m.players}
	var out []Refusal
	for _, b := range c.Barred() {
		r := Refusal{Text: optionText(m.prog, c, n, d, b.Value)}
		if b.Note.Act == nil {
			r.Why = say(lang, "required")
			out = append(out, r)
			continue
		}
		l := &log{p: m.prog, m: c, players: m.players, viewer: Viewer(d.Player)}
		l.note(b.Note)
		e := &l.events[0]
		r.Why, r.Rules = refusal(m.prog, c, e, n, nil), e.Rules
		if b.Note.Effect >= 0 {
			r.By = m.prog.effect(c, b.Note.Effect, b.Note.Op, n)
		}
		out = append(out, r)
	}
	return out
}
