package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// subject is something that can be asked about: a case at a step, or a saved
// game at a decision.
type subject struct {
	events  []interpreter.Event
	text    func(*interpreter.Event) string
	cause   func(*interpreter.Event) *interpreter.Cause
	find    func(words string) []interpreter.ObjectInfo
	explain func(object int, characteristic string) (*interpreter.Explanation, error)
	whyNot  func(words []string, since int) (*interpreter.WhyNot, error)
	offer   func() []interpreter.Refusal // what the pending decision leaves out; nil for a case
	names   []string
	viewer  interpreter.Viewer
	match   bool // a saved game: its moments are decisions
}

// The sizes of an answer.
const (
	sizeSentence   = "sentence"
	sizeStatements = "statements"
	sizeFull       = "full"
)

func (a *app) explainCmd() *cobra.Command {
	var at, event, since int
	var refused, fired, replay, not bool
	var view, size string
	c := &cobra.Command{
		Use:   "explain CASE|FILE [OBJECT CHARACTERISTIC | QUESTION --why-not]",
		Short: "Tell why something is so, or why not",
		Long: `Plays a case, or a saved game, up to a moment and answers why. With an object
and a characteristic: the value layer by layer and effect by effect, each with
its source, its Timestamp, what it waited for, and the rules. With --refused or
--fired: every refusal, with the prohibition that stood, or every trigger, with
what it waited for. With --event: one entry of the log by its number. With none
of them: what there is to ask about.

With --why-not: why something is not so. Behind the case stand an object and
what it lacks (a header that did not trigger, "trigger" for any ability of it, a
keyword, a characteristic with a value, or an effect that does not reach it), or
an action with its roles, as rule data writes it. Of a saved game, --why-not
alone tells what the pending decision leaves out.

--size makes the answer a sentence for a player, the statements of the rules
that were used with what each did, or full.`,
		Example: `  momon explain CASE-ID                       what can be asked about
  momon explain CASE-ID A CHARACTERISTIC      why A has that value
  momon explain CASE-ID A CHARACTERISTIC --at 2    … after step 2
  momon explain CASE-ID A CHARACTERISTIC --size sentence
  momon explain CASE-ID --refused
  momon explain CASE-ID --fired --lang th
  momon explain CASE-ID A "HEADER" --why-not       why it did not trigger
  momon explain CASE-ID A KEYWORD --why-not        why A does not have it
  momon explain CASE-ID A CHARACTERISTIC 5 --why-not
  momon explain CASE-ID A EFFECT --why-not         why it does not reach A
  momon explain CASE-ID ACTION A by B --why-not    why that can't be done
  momon explain momon-save.json B2 CHARACTERISTIC --at 12 --view P1`,
		Args: a.takes(1, 50),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case size != sizeSentence && size != sizeStatements && size != sizeFull:
				return errors.New(a.t("no-size", size))
			case at < -1:
				return errors.New(a.t("at-below", at))
			case since < 0:
				return errors.New(a.t("since-below", since))
			case since > 0 && !not:
				return errors.New(a.t("since-alone"))
			case !not && len(args) == 2:
				return errors.New(a.t("no-characteristic-named", args[1]))
			case !not && len(args) > 3:
				return errors.New(a.t("explain-many"))
			}
			s, err := a.subject(args[0], at, view, replay)
			if err != nil {
				return err
			}
			if not {
				return a.notSo(s, args[1:], since, size)
			}
			if len(args) == 3 {
				list := s.find(args[1])
				if len(list) == 0 {
					return errors.New(a.t("no-object", args[1], strings.Join(counted(s.names), ", ")))
				}
				if which := interpreter.WhichOf(list, a.lang); which != nil {
					return errors.New(a.t("which-one", strings.Join(which, ", ")))
				}
				x, err := s.explain(list[0].Object, args[2])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(x)
				}
				if !a.sized(size, x.Sentence, x.Statements) {
					a.explanation(x)
				}
				return nil
			}
			if cmd.Flags().Changed("event") && (event < 1 || event > len(s.events)) {
				return errors.New(a.t("no-entry", event, len(s.events)))
			}
			return a.causes(s, event, refused, fired, size)
		},
	}
	c.Flags().IntVar(&at, "at", -1, "the moment: after so many steps of a case, or decisions of a saved game")
	c.Flags().BoolVar(&refused, "refused", false, "why actions were refused")
	c.Flags().BoolVar(&fired, "fired", false, "why triggers fired")
	c.Flags().BoolVar(&not, "why-not", false, "why something is not so")
	c.Flags().IntVar(&since, "since", 0, "with --why-not: look only at what came after so many steps or decisions")
	c.Flags().StringVar(&size, "size", sizeFull, "how much to tell: `SIZE` is sentence, statements or full")
	c.Flags().IntVar(&event, "event", 0, "why the log entry with this `NUMBER` came about")
	c.Flags().StringVar(&view, "view", "all", "whose view of a saved game: `WHOSE` is P1, P2 or all")
	c.Flags().BoolVar(&replay, "replay", false, "take a game saved under other rules, by playing its decisions again")
	return c
}

// sized shows an answer in one of the smaller sizes; of a full one it reports
// false.
func (a *app) sized(size, sentence string, used []interpreter.Used) bool {
	if size == sizeFull {
		return false
	}
	a.para(sentence, 0)
	if size == sizeStatements {
		a.statements(used)
	}
	return true
}

// statements shows the statements used, each with what it did.
func (a *app) statements(used []interpreter.Used) {
	if len(used) == 0 {
		a.println("")
		a.para(a.t("no-statements"), 2)
		return
	}
	for _, u := range used {
		a.println("")
		title := u.Ref.String()
		if u.Status != "" {
			title += " (" + a.t(u.Status) + ")"
		}
		a.println("  " + a.bold(title))
		if u.Text != "" {
			a.para(u.Text, 4)
		}
		for _, d := range u.Did {
			a.item(a.t("here")+" ", d, 4)
		}
	}
}

// notSo answers why something is not so.
func (a *app) notSo(s *subject, words []string, since int, size string) error {
	if len(words) == 0 && s.offer != nil {
		return a.notOffered(s.offer(), size)
	}
	var list []string
	for _, w := range words { // A "On X" and A On X are the same question
		list = append(list, strings.Fields(strings.ReplaceAll(w, `"`, " "))...)
	}
	w, err := s.whyNot(list, since)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(w)
	}
	if !a.sized(size, w.Sentence, w.Statements) {
		a.whyNotText(w)
	}
	return nil
}

// notOffered lists what the pending decision leaves out.
func (a *app) notOffered(list []interpreter.Refusal, size string) error {
	if a.json {
		if list == nil {
			list = []interpreter.Refusal{}
		}
		return a.printJSON(list)
	}
	if len(list) == 0 {
		a.println(a.t("all-offered"))
	}
	for i := range list {
		r := &list[i]
		if size == sizeFull {
			a.refusal(r)
			continue
		}
		a.item("× ", r.Text+": "+r.Why, 0)
		if n := refList(r.Rules); n != "" && size == sizeStatements {
			a.para(a.t("rules-of", n), 2)
		}
	}
	return nil
}

// refusal shows why something is not offered.
func (a *app) refusal(r *interpreter.Refusal) {
	a.item("× ", r.Text+": "+r.Why, 0)
	if r.By != nil {
		a.effect(r.By, 2)
	} else if n := refList(r.Rules); n != "" {
		a.para(a.t("rules-of", n), 2)
	}
}

// whyNotText shows all reasons that something is not so, what decided first.
func (a *app) whyNotText(w *interpreter.WhyNot) {
	a.para(w.Sentence, 0)
	dot := "·"
	if a.plain {
		dot = "-"
	}
	for i := range w.Reasons {
		r := &w.Reasons[i]
		a.println("")
		if w.So && r.Kind != interpreter.ReasonSo && w.Reasons[max(0, i-1)].Kind == interpreter.ReasonSo {
			a.para(a.t("so-not-else"), 0)
			a.println("")
		}
		if r.Event > 0 {
			what := r.What
			if what == "" {
				what = "…"
			}
			a.item(fmt.Sprintf("  %d  ", r.Event), what, 0)
		}
		a.item(dot+" ", r.Words, 2)
		a.parts(r.Parts)
		if r.Layer != "" {
			a.para(a.t("layer", r.Layer), 4)
		}
		if r.Effect != nil {
			a.effect(r.Effect, 4)
		}
		if r.By != nil {
			a.item(a.t("in-the-way")+" ", r.By.String(), 4)
			a.item(a.t("stamp")+" ", a.stamp(r.By), 6)
			a.item(a.t("data")+" ", r.By.Place.String(), 6)
		}
		if p := r.Place.String(); p != "" && r.Effect == nil {
			a.item(a.t("data")+" ", p, 4)
		}
		if n := refList(r.Rules); n != "" && r.Effect == nil {
			a.item("", a.t("rules-of", n), 4)
		}
	}
}

// parts shows the parts of a condition that decided it, as rule data writes them, and
// what took part in them.
func (a *app) parts(list []interpreter.Deciding) {
	for _, d := range list {
		key := "is-false"
		if d.Holds {
			key = "is-true"
		}
		a.item(a.t(key)+" ", d.Text, 4)
		for _, v := range d.Values {
			a.item("", v.Name+" = "+v.Value, 8)
		}
	}
}

func (a *app) viewer(name string) (interpreter.Viewer, error) {
	switch strings.ToLower(name) {
	case "p1", "1":
		return interpreter.P1, nil
	case "p2", "2":
		return interpreter.P2, nil
	case "", "all":
		return interpreter.Everyone, nil
	}
	return 0, errors.New(a.t("no-view", name))
}

func (a *app) subject(name string, at int, view string, replay bool) (*subject, error) {
	switch st, err := os.Stat(name); {
	case err == nil && strings.HasSuffix(name, ".momon"):
		return nil, errors.New(a.t("explain-file", filepath.Dir(name)))
	case err == nil && !st.IsDir():
		return a.savedSubject(name, at, view, replay)
	case err != nil && looksLikeFile(name):
		return nil, errors.New(a.t("no-folder", name))
	}
	if _, err := a.viewer(view); err != nil {
		return nil, err
	}
	p, err := a.load(true)
	if err != nil {
		return nil, err
	}
	c, ok := p.Case(name, a.lang)
	if !ok {
		return nil, errors.New(a.noCase(p, name))
	}
	run, err := p.StartCase(c)
	if err != nil {
		return nil, err
	}
	n := 0
	for ; run.More() && (at < 0 || n < at); n++ {
		if _, err := run.Step(); err != nil {
			return nil, err
		}
	}
	if n < at {
		return nil, errors.New(a.t("at-above", at, n))
	}
	return &subject{events: run.Events(), names: run.Askable(a.lang), viewer: -1, // nothing in a case is secret
		text:    func(e *interpreter.Event) string { return run.Text(e, a.lang) },
		cause:   func(e *interpreter.Event) *interpreter.Cause { return run.Cause(e, a.lang) },
		find:    func(w string) []interpreter.ObjectInfo { return run.Named(w, a.lang) },
		explain: func(o int, ch string) (*interpreter.Explanation, error) { return run.Explain(o, ch, a.lang) },
		whyNot: func(words []string, since int) (*interpreter.WhyNot, error) {
			return run.WhyNot(words, interpreter.WhyNotOptions{Lang: a.lang, Since: since})
		},
	}, nil
}

// looksLikeFile reports whether a name can only be that of a file.
func looksLikeFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".momon")
}

// noCase words that there is no case with an ID, and what may have been meant.
func (a *app) noCase(p *interpreter.Program, id string) string {
	var known []string
	for _, c := range p.Cases(a.lang) {
		known = append(known, c.ID)
	}
	var some []string // that begin so
	for _, k := range known {
		if id != "" && strings.HasPrefix(k, strings.ToLower(id)) {
			some = append(some, k)
		}
	}
	if len(some) > 1 {
		few := strings.Join(some[:min(3, len(some))], ", ")
		if len(some) > 3 {
			few = a.t("and-more", few, len(some)-3)
		}
		return a.t("no-case-some", id, few)
	}
	if near := meant(id, known); near != "" {
		return a.t("no-case-near", id, near)
	}
	return a.t("no-case", id)
}

// meant is what may have been meant by a word that is not known: the nearest of those
// that are, or else the shortest that begins with it or that has it in it.
func meant(word string, known []string) string {
	if near := diag.Nearest(word, known); near != "" {
		return near
	}
	word = strings.ToLower(word)
	for _, fits := range []func(s, part string) bool{strings.HasPrefix, strings.Contains} {
		best := ""
		for _, k := range known {
			if word != "" && fits(strings.ToLower(k), word) && (best == "" || len(k) < len(best)) {
				best = k
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}

func (a *app) savedSubject(name string, at int, view string, replay bool) (*subject, error) {
	v, err := a.viewer(view)
	if err != nil {
		return nil, err
	}
	m, err := a.openSave(name, replay)
	if err != nil {
		return nil, err
	}
	if at > m.Decisions() {
		return nil, errors.New(a.t("at-above", at, m.Decisions()))
	}
	if at >= 0 {
		if m, err = m.Replay(a.ctx, at); err != nil {
			return nil, err
		}
	}
	return a.matchSubject(m, v), nil
}

func (a *app) matchSubject(m *interpreter.Match, v interpreter.Viewer) *subject {
	s := &subject{events: m.Events(), viewer: v, match: true,
		text:    func(e *interpreter.Event) string { return m.Text(e, a.lang, v) },
		cause:   func(e *interpreter.Event) *interpreter.Cause { return m.Cause(e, a.lang, v) },
		find:    func(w string) []interpreter.ObjectInfo { return m.Objects(w, a.lang, v) },
		explain: func(o int, ch string) (*interpreter.Explanation, error) { return m.ExplainTo(v, o, ch, a.lang) },
		whyNot: func(words []string, since int) (*interpreter.WhyNot, error) {
			return m.WhyNot(words, interpreter.WhyNotOptions{Lang: a.lang, Viewer: v, Since: since})
		},
		offer: func() []interpreter.Refusal { return m.Refusals(a.lang) },
	}
	for _, o := range m.Objects("", a.lang, v) {
		if o.At != "" {
			s.names = append(s.names, o.Call(a.lang))
		}
	}
	return s
}

// saveError is what is wrong with a saved game, with its file.
type saveError struct {
	file string
	err  error
}

// Error implements error.
func (e *saveError) Error() string { return e.file + ": " + e.err.Error() }

// Unwrap implements what errors.Is needs.
func (e *saveError) Unwrap() error { return e.err }

// openSave reads a saved game under the rules of the flags.
func (a *app) openSave(name string, replay bool) (*interpreter.Match, error) {
	data, err := a.readSave(name)
	if err != nil {
		return nil, err
	}
	p, err := a.load(false)
	if err != nil {
		return nil, err
	}
	m, err := p.LoadMatch(a.ctx, data, interpreter.LoadOptions{Replay: replay})
	if err != nil && m == nil {
		err = &saveError{name, err}
	}
	var misfit *interpreter.MisfitError
	if errors.As(err, &misfit) && m != nil {
		fmt.Fprintln(a.err, a.t("misfit", misfit.Number, misfit.Player, misfit.Name, strings.Join(misfit.Chosen, ", "), misfit.ReasonText(a.lang)))
		return m, errFound
	}
	if m != nil && err == nil && !m.FromStart() {
		fmt.Fprintln(a.err, a.t("record-lost", name))
	}
	return m, err
}

// mostSave is how many bytes of a saved game are read at most; a long game takes
// a few hundred thousand.
const mostSave = 64 << 20

func (a *app) causes(s *subject, event int, refused, fired bool, size string) error {
	var out []*interpreter.Cause
	var at []int
	for i := range s.events {
		e := &s.events[i]
		if event == e.Number || refused && e.Kind == interpreter.Refused || fired && e.Kind == interpreter.Fired {
			out = append(out, s.cause(e))
			at = append(at, e.Number)
		}
	}
	if event == 0 && !refused && !fired {
		return a.askable(s)
	}
	if a.json {
		if out == nil {
			out = []*interpreter.Cause{}
		}
		return a.printJSON(out)
	}
	if len(out) == 0 {
		a.println(a.t("no-event"))
		return nil
	}
	for i, c := range out {
		if i > 0 {
			a.println("")
		}
		if !a.sized(size, c.Sentence, c.Statements) {
			a.causeText(at[i], c)
		}
	}
	return nil
}

// askable lists what explain can be asked about.
func (a *app) askable(s *subject) error {
	if a.json {
		return a.printJSON(map[string]any{"objects": s.names, "events": eventsJSON(s.text, s.events)})
	}
	a.heading(a.t("objects"))
	a.para(strings.Join(counted(s.names), ", "), 2)
	a.heading(a.t("log"))
	made := 0
	for i := range s.events {
		e := &s.events[i]
		if s.match && e.Decision > made {
			made = e.Decision
			a.println(a.dim("   ── " + a.t("after-decision", made, made)))
		}
		if t := s.text(e); t != "" && !e.Hidden(s.viewer) && e.Kind != interpreter.Ended && e.Kind != interpreter.Asked {
			a.marked(fmt.Sprintf("%4d  ", e.Number)+strings.Repeat("  ", min(8, max(0, e.Depth))), t, e.Rules, 0)
		}
	}
	return nil
}

// counted is a list of names, each once, with how often it is there.
func counted(names []string) []string {
	count := map[string]int{}
	for _, n := range names {
		count[n]++
	}
	var out []string
	for _, n := range names {
		switch {
		case count[n] == 1:
			out = append(out, n)
		case count[n] > 1:
			out = append(out, fmt.Sprintf("%s\u00a0(%d)", n, count[n]))
			count[n] = 0
		}
	}
	return out
}

func (a *app) causeText(number int, c *interpreter.Cause) {
	what := c.What
	if what == "" {
		what = a.t("not-told")
	}
	a.item(fmt.Sprintf("%d  ", number), what, 0)
	if c.Why != "" {
		a.item(a.t("why")+" ", c.Why, 2)
	}
	a.parts(c.Parts)
	if c.Effect != nil {
		a.effect(c.Effect, 2)
	}
	if c.Source != "" {
		a.item(a.t("source")+" ", c.Source, 2)
	}
	if c.Moment != "" {
		a.item(a.t("waits-for")+" ", c.Moment, 2)
	}
	if c.By != "" {
		a.item(a.t("came-with")+" ", c.By, 2)
	}
	if c.Text != "" {
		a.item(a.t("card-text")+" ", c.Text, 2)
	}
	if p := c.Place.String(); p != "" && c.Effect == nil {
		a.item(a.t("data")+" ", p, 2)
	}
	for _, w := range c.Words {
		a.item(a.t("rule-says")+" ", w, 2)
	}
}

// effect shows one effect: what it does, from where, since when.
func (a *app) effect(e *interpreter.EffectInfo, indent int) {
	a.item(a.t("effect")+" ", e.String(), indent)
	if e.Source != "" && e.Source != e.Name {
		a.item(a.t("source")+" ", e.Source, indent+2)
	}
	a.item(a.t("stamp")+" ", a.stamp(e), indent+2)
	for _, u := range e.Until {
		a.item(a.t("until")+" ", u, indent+2)
	}
	line := e.Place.String()
	if n := refList(e.Rules); n != "" {
		line += "  " + a.t("rules-of", n)
	}
	a.item(a.t("data")+" ", line, indent+2)
}

// stamp words the Timestamp of an effect.
func (a *app) stamp(e *interpreter.EffectInfo) string {
	if e.Timestamp > 0 {
		return fmt.Sprint(e.Timestamp)
	}
	return a.t("not-begun")
}

func refList(list []interpreter.Ref) string {
	var out []string
	for _, r := range list {
		out = append(out, r.String())
	}
	return strings.Join(out, ", ")
}

// explanation shows a value layer by layer.
func (a *app) explanation(x *interpreter.Explanation) {
	a.heading(fmt.Sprintf("%s: %s = %s", x.Object, x.Characteristic, x.Value))
	if x.Formula != "" {
		a.item(a.t("formula")+" ", x.Formula, 2)
		for _, p := range x.Parts {
			a.item("", p.Name+": "+p.Value, 6)
		}
	} else if x.Base != "" {
		a.item(a.t("base")+" ", x.Base, 2)
	}
	line := x.Place.String()
	if n := refList(x.Rules); n != "" {
		line += "  " + a.t("rules-of", n)
	}
	a.item(a.t("data")+" ", line, 2)
	for _, l := range x.Layers {
		a.println("")
		title := a.t("layer", l.Layer)
		if n := interpreter.RuleNumbers(l.Rules); len(n) > 0 {
			title += "  " + a.t("rules-of", strings.Join(n, ", "))
		}
		a.println("  " + a.bold(title))
		for _, s := range l.Steps {
			switch s.Kind {
			case interpreter.Applied:
				if s.Before != s.After || s.After != "" {
					a.item("", a.t("from-to", s.Before, s.After), 4)
				}
				a.effect(s.Effect, 6)
				for _, v := range s.Parts {
					a.item("", v.Name+" = "+v.Value, 8)
				}
			case interpreter.Waited:
				other := label(s.For)
				if s.What != "" {
					other += " (" + s.What + ")"
				}
				a.item("", a.t("waits", label(s.Effect), other), 4)
			case interpreter.Ring:
				var names []string
				for _, m := range s.Members {
					names = append(names, label(m))
				}
				a.item("", a.t("ring", strings.Join(names, ", ")), 4)
			case interpreter.Bounded:
				a.item("", a.t("bounded", s.Before, s.After), 4)
			case interpreter.Skipped:
				a.item("", a.t("skip-"+s.Why, label(s.Effect)), 4)
			}
		}
	}
	if len(x.Layers) == 0 {
		a.println("  " + a.t("unchanged"))
	}
	if len(x.Readings) > 0 {
		a.println("")
		for _, r := range x.Readings {
			a.item(a.t("reading")+" ", fmt.Sprintf("%s: %s (%s %s)", r.Text, r.Value, a.t("other"), strings.Join(r.Others, ", ")), 2)
		}
	}
}

// label names an effect in a sentence: its name, what it does, its Timestamp.
func label(e *interpreter.EffectInfo) string {
	name := e.By
	if name == "" || name == e.Name { // what is called so by a case says what it does
		name = e.String()
	}
	return fmt.Sprintf("%s [%d]", name, e.Timestamp)
}

// readSave reads a saved game, if it is not far too large.
func (a *app) readSave(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostSave+1))
	if err == nil && len(data) > mostSave {
		err = errors.New(a.t("save-too-large", name, mostSave>>20))
	}
	return data, err
}
