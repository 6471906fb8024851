package interpreter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Viewer is a point of view. What a viewer can't see in the game is in no view,
// log or explanation made for that viewer.
type Viewer int

// The points of view. Everyone sees what both players see; nobody sees the order
// of a hidden pile or the seed.
const (
	Everyone Viewer = 0
	P1       Viewer = 1
	P2       Viewer = 2
)

// EventKind says what an event tells of.
type EventKind string

// The kinds of event.
const (
	Happened EventKind = "happened" // an action was carried out
	Began    EventKind = "began"    // an action that holds others began
	Ended    EventKind = "ended"    // such an action is over
	Refused  EventKind = "refused"  // an action was not possible
	Fired    EventKind = "fired"    // a trigger joined the queue
	Resolves EventKind = "resolves" // a trigger begins to resolve
	Effect   EventKind = "effect"   // a continuous effect began
	Over     EventKind = "over"     // a continuous effect ended
	Asked    EventKind = "asked"    // somebody must decide
	Chosen   EventKind = "chosen"   // somebody decided, or chance did
	NoChoice EventKind = "nothing"  // a choice had nothing to offer
	Spent    EventKind = "spent"    // what may be used only so often was not offered
	Replaced EventKind = "replaced" // a rule replaced an action
	Said     EventKind = "said"     // a player conceded, agreed on a draw, or took decisions back
)

// Event is one thing that happened in a match.
type Event struct {
	Number   int       // from 1
	Decision int       // how many decisions had been made before it
	Kind     EventKind //
	Action   string    // name of the action it is about, or ""
	Depth    int       // how many actions were under way around it
	Window   bool      // Began and Ended: a turn, one of its steps, or the game itself
	Rules    []Ref     // what its clauses cite

	note    run.Note
	seen    [3]bool // by viewer: what it is about is seen
	players [2]string
	unfit   unfit               // Refused for what a role holds: what is wrong with it
	change  map[string]string   // Effect: what it changes and how, by language, as it began
	parts   map[string][]string // Refused by a condition: what kept it from holding then, by language
	called  func(o int64) string
	args    []int
	secret  bool       // chance was rolled or a hidden card seen
	copy    *run.Match // where it happened, if that was a copy that was thrown away
}

// log turns notes into events.
type log struct {
	p       *Program
	m       *run.Match
	players [2]string
	events  []Event
	called  func(o int64) string
	viewer  Viewer // whose view reasons are worded for, where nothing else says
}

func (l *log) note(n run.Note) {
	p := l.p.p
	e := Event{Number: len(l.events) + 1, Decision: int(l.m.S.Decided), Depth: n.Depth, note: n, players: l.players, called: l.called}
	for v := range e.seen {
		e.seen[v] = true
	}
	var cites []program.Cite
	if a := n.Act; a != nil {
		def := p.Actions[a.Action]
		e.Action, e.Window = def.Name, def.Window
		cites = append(cites, def.Cite)
		if a.Code >= 0 && int(a.Code) < len(p.Routines) {
			if code := p.Routines[a.Code].Code; a.At >= 0 && int(a.At) < len(code) {
				cites = append(cites, code[a.At].Cite)
			}
		}
		if def.Basic == program.BasicLapse && a.Roles[0].N >= 0 {
			cites = append(cites, p.Keywords[a.Roles[0].N].Cite)
		}
		l.see(&e, a)
		if n.Inner != nil {
			l.see(&e, n.Inner)
		}
	}
	switch n.Kind {
	case run.Happened:
		e.Kind = Happened
		if def := p.Actions[n.Act.Action]; def.Basic == program.NotBasic {
			e.Kind = Ended
		} else if def.Basic == program.BasicArrange {
			e.secret = true
		} else if def.Basic == program.BasicMove {
			e.secret = l.reveals(n.Act)
		}
	case run.Began, run.Entered:
		e.Kind = Began
		e.Depth--
	case run.Refused:
		e.Kind = Refused
		cites = cites[:0]
		if n.Effect >= 0 {
			d := p.Effects[l.m.S.Effects[n.Effect].Def]
			cites = append(cites, d.Cite)
			if n.Op >= 0 && len(d.Ops[n.Op].Cite.Refs) > 0 {
				cites = []program.Cite{d.Ops[n.Op].Cite}
			}
		} else if c := l.p.condition(&n); c != nil {
			cites = append(cites, c.Cite)
			if len(c.Else) == 0 { // else the data says what to tell
				e.parts = l.failed(&n)
			}
		} else {
			e.unfit = l.unfit(&n)
		}
		if n.Need != nil {
			cites = append(cites, n.Need.Cite)
		}
	case run.Fired, run.Resolved:
		e.Kind = Fired
		if n.Kind == run.Resolved {
			e.Kind = Resolves
		}
		cites = l.p.triggerCites(int(n.Trigger))
	case run.Made, run.Ended:
		e.Kind = Effect
		if n.Kind == run.Ended {
			e.Kind = Over
		}
		d := p.Effects[l.m.S.Effects[n.Effect].Def]
		cites = append(cites, d.Cite)
		if n.Kind == run.Made {
			e.change = l.changes(n.Effect)
		}
		if n.Kind == run.Ended {
			for i := range d.Until {
				cites = append(cites, d.Until[i].Cite)
			}
		}
	case run.Asked:
		e.Kind = Asked
	case run.Chosen:
		e.Kind = Chosen
		e.secret = n.Player < 1
		d := n.Decision
		if d.Type.Base == program.IsObject {
			for v := range e.seen {
				if Viewer(v) == Viewer(n.Player) {
					continue
				}
				for _, o := range append(append([]int64(nil), d.Options...), n.Picks...) {
					if !l.sees(Viewer(v), nil, o) {
						e.seen[v] = false
					}
				}
			}
		}
	case run.Nothing:
		e.Kind = NoChoice
	case run.Spent:
		e.Kind = Spent
		cites = []program.Cite{n.Limit.Cite}
	case run.Replaced:
		e.Kind = Replaced
		d := p.Effects[l.m.S.Effects[n.Effect].Def]
		cites = []program.Cite{d.Cite}
		if n.Op >= 0 {
			cites = append(cites, d.Ops[n.Op].Cite)
		}
	}
	e.Rules = refs(cites...)
	if e.Kind == Ended { // what a body has laid open may be named where it began
		for i := len(l.events) - 1; i >= 0; i-- {
			if b := &l.events[i]; b.Kind == Began && b.note.Act.ID == n.Act.ID {
				for v := range b.seen {
					b.seen[v] = b.seen[v] || e.seen[v]
				}
				break
			}
		}
	}
	l.events = append(l.events, e)
}

// changes words what an effect that has just been made changes, and how, in every
// language of the data. What names chosen objects names them; it is empty where the
// effect is about whatever fits, or its own source alone, or changes no value.
func (l *log) changes(i int32) map[string]string {
	x := &l.m.S.Effects[i]
	d := l.p.p.Effects[x.Def]
	if x.Static || len(x.Objects) == 0 || len(d.Ops) == 0 || len(x.Objects) == 1 && x.Objects[0] == int64(x.Source) {
		return nil
	}
	out := map[string]string{}
	for _, lang := range l.p.Languages() {
		n := l.namer(lang.Code)
		if l.called == nil {
			n = n.seenBy(l.m, l.viewer)
		}
		if how := n.changes(l.m, i); how != "" {
			var names []string
			for _, o := range x.Objects {
				name := n.object(o)
				if ob := &l.m.S.Objects[o]; ob.Entity == program.Token && ob.Host >= 0 {
					name = say(lang.Code, "on", name, n.object(int64(ob.Host)))
				}
				names = append(names, name)
			}
			out[lang.Code] = say(lang.Code, "part", strings.Join(names, ", "), how)
		}
	}
	return out
}

// changes words the operations of an effect on values: by how much, or to what, as
// far as that can be said of all that it is about.
func (n *namer) changes(m *run.Match, i int32) string {
	d := n.p.p.Effects[m.S.Effects[i].Def]
	e := m.ReaderAsIs()
	m.Enter(e, i)
	j := &judge{n, e}
	if objects := m.S.Effects[i].Objects; len(objects) == 1 {
		e.Push(objects[0])
		defer e.Pop()
	}
	var out []string
	for k := range d.Ops {
		op := &d.Ops[k]
		if op.Char < 0 || op.Value == nil || op.Value.T.Base == program.IsAbility || len(m.S.Effects[i].Objects) != 1 && !forAll(op.Value) {
			continue
		}
		what := n.p.charText(n.p.p.Chars[op.Char], n.lang)
		switch op.Verb {
		case program.VerbRaise:
			out = append(out, say(n.lang, "change-number", what, j.value(op.Value).N))
		case program.VerbLower:
			out = append(out, say(n.lang, "change-number", what, -j.value(op.Value).N))
		case program.VerbSet:
			out = append(out, say(n.lang, "change-set", what, j.show(op.Value)))
		case program.VerbAdd:
			out = append(out, say(n.lang, "change-add", what, j.show(op.Value)))
		case program.VerbRemove:
			out = append(out, say(n.lang, "change-remove", what, j.show(op.Value)))
		}
	}
	return strings.Join(out, ", ")
}

// atEnd reports whether a routine is what an effect does as it ends.
func (p *Program) atEnd(routine int) bool {
	return slices.ContainsFunc(p.p.Effects, func(d *program.Effect) bool { return slices.Contains(d.Finally, routine) })
}

// forAll reports whether an amount is the same for whatever an effect is about.
func forAll(c *program.Node) bool {
	same := true
	c.Walk(func(k *program.Node) { same = same && k.Op != program.OpIt && k.Op != program.OpElem })
	return same
}

// whoseOffer words whose offer it is that could not be used again: an ability's, or
// the game's.
func (n *namer) whoseOffer(note *run.Note) string {
	if note.Self < 0 {
		return say(n.lang, "rules")
	}
	source := n.object(int64(note.Self))
	for _, k := range n.p.p.Keywords {
		if holds(k.Span, note.Limit.Span) {
			return say(n.lang, "whose", source, n.keywordName(k))
		}
	}
	return say(n.lang, "ability-of", source)
}

// limit words how often a limit allows something: as the data does, or by its number.
func (n *namer) limit(l *program.Limit, most int64) string {
	a := n.p.p.Actions[l.Per]
	if text, ok := n.p.Wording().g.Limit(most, l.Count == nil, a.Name, n.lang); ok {
		return text
	}
	per := a.Name
	if len(a.Roles) == 0 {
		per = n.p.textOf(&a.Decl, n.lang)
	}
	return say(n.lang, "limit", most, per)
}

// failed words what kept the condition of a refusal from holding, in every language
// of the data: later the state is another. Where numbers had a say, they are all that a
// log needs to tell. It names only what the log's viewer sees, which is everyone in a
// game; in a case nothing is secret.
func (l *log) failed(n *run.Note) map[string][]string {
	out := map[string][]string{}
	for _, lang := range l.p.Languages() {
		who := l.namer(lang.Code)
		if l.called == nil {
			who = who.seenBy(l.m, l.viewer)
		}
		var amounts, all []string
		for _, d := range refusedParts(l.p, l.m, n, who) {
			amounts, all = append(amounts, d.amounts...), append(all, d.Words)
		}
		if out[lang.Code] = all; len(amounts) > 0 {
			out[lang.Code] = amounts
		}
	}
	return out
}

// unfit is what is wrong with what a role of an act holds.
type unfit struct {
	how    string // "" where nothing is known to be
	object int64
	other  int64 // taken: what lies there
	kind   program.Type
	since  int // former: the log entry since when it is another object, 0 for unknown
}

// unfit finds out what is wrong with a role of an act that is not possible, in the
// state in which it was refused.
func (l *log) unfit(n *run.Note) unfit {
	a := n.Act
	if n.Inner != nil {
		a = n.Inner
	}
	if n.Cond != -1 {
		return unfit{}
	}
	s, def := l.m.S, l.p.p.Actions[a.Action]
	if def.Basic == program.BasicRemove && a.Roles[0].N < 0 && a.Kind >= 0 && a.Roles[1].N >= 0 && !s.Objects[a.Roles[1].N].Gone {
		return unfit{how: "no-token", object: int64(a.Kind)}
	}
	if host, kind := l.onto(a, def); kind >= 0 { // no more of them fit there
		return unfit{how: "full", object: host, other: int64(kind)}
	}
	for i, r := range def.Roles {
		v := a.Roles[i].N
		if r.Type.Base != program.IsObject || r.Type.Several || r.Prep == "within" || v < 0 || int(v) >= len(s.Objects) {
			continue
		}
		switch ob := &s.Objects[v]; {
		case ob.Gone && ob.Next >= 0:
			return unfit{how: "former", object: v, since: became(l.p, l.events, v)}
		case ob.Gone && (def.Basic != program.BasicPlace || i > 0):
			return unfit{how: "role-gone", object: v}
		case r.Type.ID >= 0 && l.p.p.Kinds[r.Type.ID].Entity != program.Place && !ob.Gone:
			if e := l.m.Reader(); !e.C.IsKind(r.Type.ID)(e, v) {
				return unfit{how: "no-kind", object: v, kind: r.Type}
			}
		case def.Basic == program.BasicMove && i == 1 && ob.Entity == program.Place && l.p.p.Zones[ob.Zone].Width > 0:
			for k := range s.Objects {
				if c := &s.Objects[k]; c.Entity == program.Card && !c.Gone && c.Zone == ob.Zone && c.Cell == int32(v) && int64(k) != a.Roles[0].N {
					return unfit{how: "taken", object: v, other: int64(k)}
				}
			}
		}
	}
	return unfit{}
}

// onto is what an act would lay a token on that takes no more of that kind, and the kind,
// or None.
func (l *log) onto(a *state.Act, def *program.Action) (host int64, kind int32) {
	s := l.m.S
	kind, host = a.Kind, a.Roles[min(1, len(a.Roles)-1)].N
	switch o := a.Roles[0].N; {
	case def.Basic == program.BasicPlace:
	case def.Basic == program.BasicMove && o >= 0 && int(o) < len(s.Objects) && s.Objects[o].Entity == program.Token && !s.Objects[o].Gone:
		kind = s.Objects[o].Def
	default:
		return 0, state.None
	}
	if kind < 0 || host < 0 || int(host) >= len(s.Objects) || s.Objects[host].Gone {
		return 0, state.None
	}
	there := int64(0)
	for _, k := range s.Objects[host].Tokens {
		if s.Objects[k].Def == kind {
			there++
		}
	}
	if limit := int64(l.p.p.Tokens[kind].Limit); limit == 0 || there < limit {
		return 0, state.None
	}
	return host, kind
}

// words words it; "" where nothing is known.
func (u unfit) words(n *namer, hide func(o int64) bool) string {
	name := func(o int64) string {
		if hide != nil && hide(o) {
			return say(n.lang, "a-card")
		}
		return n.object(o)
	}
	switch u.how {
	case "full":
		k := n.p.p.Tokens[u.other]
		return say(n.lang, "token-limit", k.Limit, n.p.textOf(&k.Decl, n.lang), name(u.object))
	case "no-token":
		return say(n.lang, "no-token", n.oneOf(program.ListToken, u.object))
	case "former":
		if u.since > 0 {
			return say(n.lang, "former-at", name(u.object), u.since)
		}
		return say(n.lang, "former", name(u.object))
	case "role-gone":
		return say(n.lang, "role-gone", name(u.object))
	case "no-kind":
		return say(n.lang, "no-kind", name(u.object), n.kindName(u.kind))
	case "taken":
		return say(n.lang, "taken", name(u.object), name(u.other))
	}
	return ""
}

// became is the number of the log entry with which an object became another one, or
// 0 where the log does not tell.
func became(p *Program, events []Event, o int64) int {
	for i := range events {
		if e := &events[i]; e.Kind == Happened && p.p.Actions[e.note.Act.Action].Basic == program.BasicMove && e.note.Act.Roles[0].N == o {
			return e.Number
		}
	}
	return 0
}

func (l *log) namer(lang string) *namer {
	return &namer{p: l.p, s: l.m.S, lang: lang, players: l.players, called: l.called}
}

// triggerCites is what a trigger's clauses carry out.
func (p *Program) triggerCites(i int) []program.Cite {
	t := p.p.Triggers[i]
	cites := []program.Cite{}
	if t.Header >= 0 {
		h := p.p.Headers[t.Header]
		cites = append(cites, h.Cite, h.Trigger.Moment.Cite, h.Trigger.AmongCite)
		for _, l := range h.Trigger.Limits {
			cites = append(cites, l.Cite)
		}
	}
	return append(cites, t.Cite, t.Moment.Cite)
}

// see notes for whom an act names something hidden.
func (l *log) see(e *Event, a *state.Act) {
	for v := range e.seen {
		for i, r := range l.p.p.Actions[a.Action].Roles {
			if r.Type.Base == program.IsObject && !r.Type.Several && !l.sees(Viewer(v), a, a.Roles[i].N) {
				e.seen[v] = false
			}
		}
	}
}

// sees reports whether a viewer sees an object now; of one that an act moves,
// whether it was seen where it came from or is seen where it is.
func (l *log) sees(v Viewer, a *state.Act, o int64) bool {
	s, p := l.m.S, l.p.p
	if o < 0 || int(o) >= len(s.Objects) || s.Objects[o].Entity != program.Card {
		return true
	}
	for k := o; k >= 0 && int(k) < len(s.Objects); k = int64(s.Objects[k].Next) {
		ob := &s.Objects[k]
		if seesZone(p.Zones[ob.Zone], v, ob.Owner) {
			return true
		}
	}
	if a != nil && p.Actions[a.Action].Basic == program.BasicMove {
		if z, ok := l.from(a); ok {
			return seesZone(p.Zones[z], v, s.Objects[o].Owner)
		}
	}
	return false
}

func seesZone(z *program.Zone, v Viewer, owner int32) bool {
	switch z.HiddenFrom {
	case program.HiddenFromEveryone:
		return false
	case program.HiddenFromOpponent:
		return int32(v) == owner
	}
	return true
}

// from is the zone that a move started from, where the act tells.
func (l *log) from(a *state.Act) (int, bool) {
	if slot, ok := l.p.p.Actions[a.Action].AttrSlot["out_of"]; ok && a.Have&(1<<slot) != 0 {
		z := a.Attrs[slot].N
		return int(z), z >= 0 && int(z) < len(l.p.p.Zones)
	}
	return 0, false
}

// reveals reports whether a move let somebody see what they could not see before.
func (l *log) reveals(a *state.Act) bool {
	z, ok := l.from(a)
	o := a.Roles[0].N
	if !ok || o < 0 {
		return false
	}
	for v := Everyone; v <= P2; v++ {
		if !seesZone(l.p.p.Zones[z], v, l.m.S.Objects[o].Owner) && l.sees(v, nil, o) {
			return true
		}
	}
	return false
}

// EffectInfo tells of one continuous effect.
type EffectInfo struct {
	Number    int      `json:"number"`
	Name      string   `json:"name"`             // its label, its keyword, or the card that it comes from
	Source    string   `json:"source,omitempty"` // what its ability belongs to
	By        string   `json:"by,omitempty"`     // whose ability it is, in words for people
	Text      string   `json:"text"`             // as written in the rule data
	Place     Place    `json:"place"`
	Timestamp int64    `json:"timestamp"` // 0: it has not begun
	Rules     []Ref    `json:"rules,omitempty"`
	Until     []string `json:"until,omitempty"`
}

// effect describes an effect, or the one operation of it that matters.
func (p *Program) effect(m *run.Match, i, op int32, n *namer) *EffectInfo {
	if i < 0 || int(i) >= len(m.S.Effects) { // made in a copy that was thrown away
		return &EffectInfo{Number: int(i), Name: say(n.lang, "rules"), Text: say(n.lang, "effect-gone")}
	}
	x := &m.S.Effects[i]
	d := p.p.Effects[x.Def]
	span := d.Span
	cites := []program.Cite{d.Cite}
	if op >= 0 && int(op) < len(d.Ops) {
		span = d.Ops[op].Span
		cites = append(cites, d.Ops[op].Cite)
	}
	info := &EffectInfo{Number: int(i), Text: sourceLine(span, 100), Place: placeOf(span), Timestamp: x.Stamp, Rules: refs(cites...)}
	if x.Source >= 0 {
		info.Source = n.precise(int64(x.Source))
	}
	switch {
	case d.Label != "":
		info.Name = d.Label
	case d.Keyword >= 0:
		info.Name = n.keyword(d.Keyword, x.Frame)
		if x.Host >= 0 {
			info.Source = n.precise(int64(x.Host))
		}
	case x.Source >= 0:
		info.Name = n.object(int64(x.Source))
	default:
		info.Name = say(n.lang, "rules")
	}
	info.By = n.by(m, i, -1)
	for _, u := range d.Until {
		info.Until = append(info.Until, sourceLine(u.Span, 80))
	}
	return info
}

// hides says which objects an event keeps from a viewer.
func (e *Event) hides(v Viewer) func(o int64) bool {
	if v < 0 || int(v) >= len(e.seen) || e.seen[v] {
		return nil
	}
	return func(o int64) bool { return o > 2 }
}

// Hidden reports whether a viewer could not see what the event is about.
func (e *Event) Hidden(v Viewer) bool { return e.hides(v) != nil }

// Text words the event in a language for a viewer. It is "" for an event that
// only programs care about.
func (m *Match) Text(e *Event, lang string, v Viewer) string {
	return eventText(m.prog, m.run, e, lang, v)
}

// Ability is the rules text of the ability that a trigger is (Fired, Resolves),
// without the header that Text names; "" for any other event.
func (m *Match) Ability(e *Event, lang string) string { return abilityText(m.prog, m.run, e, lang) }

func abilityText(p *Program, rm *run.Match, e *Event, lang string) string {
	if e.Kind != Fired && e.Kind != Resolves {
		return ""
	}
	n := &namer{p: p, s: rm.S, lang: lang, players: e.players, called: e.called}
	return n.does(&e.note)
}

func eventText(p *Program, rm *run.Match, e *Event, lang string, v Viewer) string {
	n := &namer{p: p, s: rm.S, lang: lang, players: e.players, called: e.called}
	pp := p.p
	a := e.note.Act
	hide := e.hides(v)
	switch e.Kind {
	case Said:
		return e.said(n)
	case Happened:
		def := pp.Actions[a.Action]
		if len(def.Says) > 0 {
			return n.act(p.text(def.Says, lang, ""), a, hide)
		}
		if ph := p.phrase(def.Name); ph != nil {
			return n.act(p.textOf(&ph.Decl, lang), a, hide)
		}
		return ""
	case Began:
		def := pp.Actions[a.Action]
		switch {
		case len(def.Says) > 0:
			return n.act(p.text(def.Says, lang, ""), a, hide)
		case len(def.Texts) > 0:
			return n.act(p.textOf(&def.Decl, lang), a, hide)
		}
		return ""
	case Refused:
		if e.unfit.how == "no-token" && p.atEnd(int(a.Code)) {
			return "" // what is cleared away at an end may be gone already
		}
		return say(lang, "refused", n.deed(a, hide), refusal(p, rm, e, n, hide))
	case Fired:
		return n.trigger(&e.note)
	case Resolves:
		source, header := n.triggerNames(&e.note)
		return say(lang, "resolves", source, header)
	case Effect, Over:
		key := "begins"
		if e.Kind == Over {
			key = "ends"
		}
		if x := rm.S.Effects; e.Kind == Over && int(e.note.Effect) < len(x) {
			// What an ability does ends with its card; that the card has left is told.
			if x := &x[e.note.Effect]; x.Static && x.Source >= 0 && rm.S.Objects[x.Source].Gone {
				return ""
			}
		}
		text := n.effect(rm, e.note.Effect, -1)
		if e.Kind == Effect {
			text += n.until(rm, e.note.Effect)
			if _, named := n.byName(rm, e.note.Effect, -1); named && hide == nil && e.change[lang] != "" { // else the text itself says it
				text = say(lang, "with-change", text, e.change[lang])
			}
		}
		return say(lang, key, text)
	case Chosen:
		d := e.note.Decision
		if hide != nil {
			return say(lang, "chooses-hidden", n.player(int(d.Player)))
		}
		var picks []string
		for _, x := range e.note.Picks {
			picks = append(picks, optionText(p, rm, n, d, x))
		}
		list := strings.Join(picks, ", ")
		switch {
		case e.note.Player < 1:
			return say(lang, "chance", list)
		case d.Kind == state.DecideOrder:
			return say(lang, "orders", n.player(int(d.Player)), list)
		}
		if list == "" {
			list = say(lang, "nothing")
		}
		return say(lang, "chooses", n.player(int(d.Player)), list)
	case NoChoice:
		return say(lang, "no-choice")
	case Spent:
		return say(lang, "spent", n.whoseOffer(&e.note), n.limit(e.note.Limit, e.note.Most))
	case Replaced:
		return say(lang, "replaces", n.effect(rm, e.note.Effect, e.note.Op), n.deed(a, hide))
	}
	return ""
}

// effect words an effect for the log: by whose ability it is or what it is called,
// and what has no name by the rule text, cut short.
func (n *namer) effect(m *run.Match, i, op int32) string {
	bare := *n
	bare.bare = true
	name, named := bare.byName(m, i, -1)
	if named {
		return name
	}
	if i < 0 || int(i) >= len(m.S.Effects) {
		return name
	}
	d := n.p.p.Effects[m.S.Effects[i].Def]
	span := d.Span
	if op >= 0 && int(op) < len(d.Ops) {
		span = d.Ops[op].Span
	}
	text := sourceLine(span, 48)
	if !m.S.Effects[i].Static {
		return text
	}
	return say(n.lang, "part", name, text)
}

// String words an effect in one line.
func (e *EffectInfo) String() string {
	s := e.Text
	if e.Name != "" {
		s = e.Name + ": " + s
	}
	return s
}

func (e *Event) said(n *namer) string {
	switch e.Action {
	case "concede":
		return say(n.lang, "concedes", n.player(e.args[0]))
	case "draw":
		return say(n.lang, "agree")
	case "undo":
		return say(n.lang, "undone", e.args[0])
	case "undo-seen":
		return say(n.lang, "undone-seen", e.args[0])
	}
	return ""
}

// triggerNames words whose trigger it is, and its header or its moment.
func (n *namer) triggerNames(note *run.Note) (source, header string) {
	t := n.p.p.Triggers[note.Trigger]
	header = sourceLine(t.Moment.Span, 60)
	if t.Header >= 0 {
		header = n.p.textOf(&n.p.p.Headers[t.Header].Decl, n.lang)
	} else if text := n.abilityOf(t, int64(note.Self)); text != "" {
		header = text
	}
	source = say(n.lang, "rules")
	if note.Self >= 0 {
		source = n.object(int64(note.Self))
	}
	return source, header
}

// abilityOf words the ability that a trigger is, or that made it: its keyword, or
// the text of the card's line; "" where it has neither.
func (n *namer) abilityOf(t *program.Trigger, self int64) string {
	p := n.p.p
	var card *program.CardDef
	if self >= 0 && int(self) < len(n.s.Objects) && n.s.Objects[self].Entity == program.Card {
		card = p.Cards[n.s.Objects[self].Def]
	}
	for i, k := range p.Keywords {
		if !holds(k.Span, t.Span) {
			continue
		}
		if len(k.Params) == 0 {
			return n.keyword(i, nil)
		}
		if card != nil {
			for _, a := range card.Abilities {
				if args, ok := constants(p.Abilities[a].Args); ok && p.Abilities[a].Keyword == i {
					return n.keyword(i, args)
				}
			}
		}
		return k.Name
	}
	if card != nil {
		for at, a := range card.Abilities {
			if holds(p.Abilities[a].Span, t.Span) {
				return n.p.Wording().g.Ability(card, at, n.lang).Value
			}
		}
	}
	return ""
}

// does is the rules text of the ability that a trigger is, without the header that it
// begins with; "" where there is no text but its name.
func (n *namer) does(note *run.Note) string {
	p := n.p.p
	t := p.Triggers[note.Trigger]
	_, name := n.triggerNames(note)
	text := ""
	if s := note.Self; s >= 0 && int(s) < len(n.s.Objects) && n.s.Objects[s].Entity == program.Card {
		card := p.Cards[n.s.Objects[s].Def]
		for at, a := range card.Abilities {
			ab := p.Abilities[a]
			if holds(ab.Span, t.Span) || ab.Keyword >= 0 && holds(p.Keywords[ab.Keyword].Span, t.Span) {
				text = n.p.Wording().g.Ability(card, at, n.lang).Value
				break
			}
		}
	}
	if text == "" {
		for _, k := range p.Keywords { // one that was granted
			if holds(k.Span, t.Span) {
				text = n.p.Wording().g.Keyword(k, n.lang).Value
				break
			}
		}
	}
	for _, lead := range []string{":", " —", ""} {
		if rest, ok := strings.CutPrefix(text, name+lead); ok {
			rest = strings.TrimSpace(rest)
			if rest == "" {
				return ""
			}
			first, size := utf8.DecodeRuneInString(rest)
			return string(unicode.ToUpper(first)) + rest[size:]
		}
	}
	return text
}

// holds reports whether one place lies in another.
func holds(outer, inner source.Span) bool {
	return outer.File != nil && outer.File == inner.File && outer.Start <= inner.Start && inner.End <= outer.End
}

// constants are the values of expressions that are all constant.
func constants(list []*program.Node) ([]state.Val, bool) {
	var out []state.Val
	for _, x := range list {
		if !x.Constant() {
			return nil, false
		}
		out = append(out, state.Val{N: x.N})
	}
	return out, true
}

// trigger words a trigger that fired: the phrase that the data has for it.
func (n *namer) trigger(note *run.Note) string {
	source, header := n.triggerNames(note)
	if ph := n.p.phrase("trigger"); ph != nil {
		return fillIn(n.p.textOf(&ph.Decl, n.lang), func(name string) (string, bool) {
			switch name {
			case "source":
				return source, true
			case "header":
				return header, true
			}
			return "", false
		})
	}
	return say(n.lang, "part", source, header)
}

// refusal words why an action was not possible.
func refusal(p *Program, rm *run.Match, e *Event, n *namer, hide func(o int64) bool) string {
	a, note := e.note.Act, &e.note
	if note.Inner != nil {
		inner := *e
		inner.note.Act, inner.note.Inner = note.Inner, nil
		return say(n.lang, "needs-deed", n.deed(note.Inner, hide), refusal(p, rm, &inner, n, hide))
	}
	switch {
	case note.Effect >= 0 && note.Verb == program.VerbProhibit.String():
		return say(n.lang, "prohibited", n.effect(rm, note.Effect, note.Op))
	case note.Verb == program.VerbRequire.String():
		return say(n.lang, "required")
	case n.reason(note, hide) != "":
		return n.reason(note, hide)
	case len(e.parts[n.lang]) > 0:
		return strings.Join(e.parts[n.lang], "; ")
	case p.condition(note) != nil:
		s := say(n.lang, "needs", strings.TrimPrefix(clause(p.condition(note).Expr.Span, 80), "only if "))
		if facts := n.numbers(a); facts != "" {
			s += "; " + facts
		}
		return s
	case note.Cond == -2:
		return say(n.lang, "not-any-more")
	}
	if words := e.unfit.words(n, hide); words != "" {
		return words
	}
	return say(n.lang, "gone")
}

// reason words a refusal as the data does for the condition that failed, out of the
// roles and attributes that the act had then; "" where the data has no words for it.
func (n *namer) reason(note *run.Note, hide func(o int64) bool) string {
	c := n.p.condition(note)
	if c == nil || len(c.Else) == 0 {
		return ""
	}
	a := note.Act
	if note.Inner != nil {
		a = note.Inner
	}
	text := n.p.text(c.Else, n.lang, "")
	if note.Cond > run.GrantCond {
		return n.act(text, a, hide)
	}
	k := n.p.p.Keywords[a.Roles[0].N]
	return fillIn(text, func(name string) (string, bool) {
		for i, p := range k.Params {
			if p.Name == name && i < len(a.Args) {
				return n.value(p.Type, a.Args[i]), true
			}
		}
		if o := a.Roles[1].N; hide != nil && hide(o) {
			return say(n.lang, "a-card"), true
		}
		return n.object(a.Roles[1].N), true
	})
}

// condition is the condition that kept an action, or the one that it needs, from
// being possible, or nil.
func (p *Program) condition(n *run.Note) *program.Condition {
	a := n.Act
	if n.Inner != nil {
		a = n.Inner
	}
	def := p.p.Actions[a.Action]
	if n.Cond >= 0 && n.Cond < len(def.OnlyIf) {
		return &def.OnlyIf[n.Cond]
	}
	if i := run.GrantCond - n.Cond; i >= 0 && def.Basic == program.BasicGrant && a.Roles[0].N >= 0 {
		if g := p.p.Keywords[a.Roles[0].N].Granted; g != nil && i < len(g.OnlyIf) {
			return &g.OnlyIf[i]
		}
	}
	return nil
}

// numbers words the attributes of an act that are numbers.
func (n *namer) numbers(a *state.Act) string {
	var parts []string
	for slot, c := range n.p.p.Actions[a.Action].Attrs {
		ch := n.p.p.Chars[c]
		if ch.Type == program.NumberType && a.Have&(1<<slot) != 0 {
			parts = append(parts, n.p.textOf(&ch.Decl, n.lang)+" "+n.value(ch.Type, a.Attrs[slot]))
		}
	}
	return strings.Join(parts, ", ")
}
