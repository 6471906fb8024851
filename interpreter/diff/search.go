package diff

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// SearchOptions bound a search.
type SearchOptions struct {
	Most int    // how many situations are made up, where the others show no difference
	Seed uint64 // the same seed makes up the same ones
}

// Outcome says how a search ended.
type Outcome string

// The outcomes.
const (
	Found   Outcome = "found"
	NoneIn  Outcome = "none"   // none within the bound
	GivenUp Outcome = "gaveup" // the time was over before the bound
)

// Search is what came of a search for a situation that differs.
type Search struct {
	Outcome Outcome  `json:"outcome"`
	Made    int      `json:"made"`   // situations that were made of what changed
	Cases   int      `json:"cases"`  // that were taken from the cases of both sides
	Random  int      `json:"random"` // that were made up
	Bound   int      `json:"bound"`  // how many could be made up
	Smaller int      `json:"smaller"`
	Witness *Witness `json:"witness,omitempty"`
}

// Witness is a smallest situation in which two sets of rules differ: one in which no
// part can be left out.
type Witness struct {
	Lines    []string            `json:"lines"`              // as a case says it
	Question string              `json:"question,omitempty"` // the line whose answer differs
	Old      string              `json:"old"`                // the answer
	New      string              `json:"new"`
	Taken    [2]bool             `json:"taken"` // whether the rules of a side take it at all
	Why      map[string]string   `json:"why,omitempty"`
	Story    []Told              `json:"story"`
	Before   map[string][]string `json:"before"` // both explanations, by language
	After    map[string][]string `json:"after"`
	Through  []interpreter.Ref   `json:"through"`
	By       []ID                `json:"by"`
	Of       string              `json:"of,omitempty"` // the case that it was made of
	Case     string              `json:"case"`         // a draft for a case

	list []*node
	made *ID
}

// Told is a line of a situation with what happens: on both sides, and on one alone.
type Told struct {
	Line string              `json:"line"`
	Both map[string][]string `json:"both,omitempty"`
	Old  map[string][]string `json:"old,omitempty"`
	New  map[string][]string `json:"new,omitempty"`
}

// try is a situation that is tried.
type try struct {
	list []*node
	of   string
	made *ID // of which declaration that changed: that one side does not take it is a difference
}

// played is a situation as one side plays it.
type played struct {
	taken   bool
	why     map[string]string // it is not taken
	answers []string
	broken  bool // a decision has no answer, or it goes on without end
	log     []string
	run     *interpreter.Program
	c       interpreter.Case
}

// searcher looks for a situation.
type searcher struct {
	r     *Report
	ctx   context.Context
	bare  [2][]interpreter.Folder // the rules without cases
	tries int
}

const (
	batch     = 40 // situations that are read at once: reading the rules takes longer than playing one
	few       = 4  // statements that can all have led to a difference
	contented = 3  // differences that are made small, of which the smallest counts
)

// Search looks for a smallest situation in which the two sides differ: it tries what
// can be made of the declarations that changed, then the cases of both sides, then
// situations that are made up, and leaves out of what it found whatever can be. Where
// the context ends first, it gives up with what it has.
func (r *Report) Search(ctx context.Context, o SearchOptions) error {
	s := &searcher{r: r, ctx: ctx}
	out := &Search{Outcome: NoneIn, Bound: o.Most}
	r.Find = out
	for i, side := range []*Side{r.a, r.b} {
		for _, f := range side.Folders {
			kept := interpreter.Folder{Name: f.Name}
			for _, file := range f.Files {
				kept.Files = append(kept.Files, file.Only(func(d *grammar.Decl) bool { return d.Case == nil }))
			}
			s.bare[i] = append(s.bare[i], kept)
		}
	}
	var best *Witness
	var told []*hit // those in which only what is told differs
	found := 0
	look := func(list []try) error {
		for len(list) > 0 && found < contented {
			n := min(batch, len(list))
			hits, err := s.compare(list[:n])
			if err != nil {
				return err
			}
			slices.SortStableFunc(hits, func(a, b *hit) int { return size(a.list) - size(b.list) })
			for _, h := range hits {
				if h.question == -2 {
					told = append(told, h)
					continue
				}
				if found == contented {
					break
				}
				found++
				w, err := s.shrink(h)
				if w != nil && (best == nil || better(w, best)) {
					best = w
				}
				if err != nil {
					return err
				}
			}
			list = list[n:]
		}
		return nil
	}
	err := func() error {
		made := s.directed()
		out.Made = len(made)
		if err := look(made); err != nil {
			return err
		}
		cases := s.cases()
		if best == nil || best.Question == "" || found < contented {
			out.Cases = len(cases)
			if err := look(cases); err != nil {
				return err
			}
		}
		asked := s.values()
		for len(cases) > 0 && out.Random < o.Most && found == 0 {
			var list []try
			for ; len(list) < batch && out.Random < o.Most; out.Random++ {
				list = append(list, try{list: madeUp(cases, asked, o.Seed, uint64(out.Random))})
			}
			if err := look(list); err != nil {
				return err
			}
		}
		if best == nil && len(told) > 0 {
			w, err := s.shrink(told[0])
			best = w
			return err
		}
		return nil
	}()
	out.Smaller = s.tries
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch {
	case best != nil:
		out.Outcome, out.Witness = Found, best
		s.tell(best)
	case err != nil:
		out.Outcome = GivenUp
	}
	return nil
}

// better reports whether a witness is to be preferred: one with a question, then the
// smaller.
func better(a, b *Witness) bool {
	if (a.Question == "") != (b.Question == "") {
		return a.Question != ""
	}
	return size(a.list) < size(b.list)
}

// cases are the cases of both sides as situations, the shortest first.
func (s *searcher) cases() []try {
	var out []try
	seen := map[string]bool{}
	for _, side := range []*Side{s.r.a, s.r.b} {
		for _, f := range side.Folders {
			for _, file := range f.Files {
				for _, d := range file.Tree().Decls {
					if d.Case == nil {
						continue
					}
					list := situation(d.Span.Text())
					if key := text("", list); !seen[key] {
						seen[key] = true
						out = append(out, try{list: list, of: d.Case.ID.Value})
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b try) int { return size(a.list) - size(b.list) })
	// Those about what changed come first.
	about := map[string]bool{}
	touched := map[interpreter.Ref]bool{}
	for _, st := range s.r.Statements {
		touched[st.Ref] = true
	}
	for _, p := range []*interpreter.Program{s.r.a.Program, s.r.b.Program} {
		for _, c := range p.Cases("en") {
			for _, cv := range c.Covers {
				about[c.ID] = about[c.ID] || touched[cv.Ref]
			}
		}
	}
	slices.SortStableFunc(out, func(a, b try) int {
		switch {
		case about[a.of] == about[b.of]:
			return 0
		case about[a.of]:
			return -1
		}
		return 1
	})
	return out
}

// directed makes situations of the declarations that changed: a card whose print did,
// something that has a new value, something with a keyword that is new, gone or
// renamed.
func (s *searcher) directed() []try {
	var out []try
	put := func(id ID, lines ...string) {
		out = append(out, try{list: asking(situation("case \"\" {\n" + strings.Join(lines, "\n") + "\n}")), made: &id})
	}
	a, b := s.r.a.Program, s.r.b.Program
	of := s.kindOf()
	if of == "" {
		return nil
	}
	names := map[string]bool{}
	for _, f := range s.r.Seen {
		if f.ID.Head != "card" || names[f.ID.Name] {
			continue
		}
		names[f.ID.Name] = true
		for _, c := range b.CardsNamed("en", f.ID.Name) {
			for _, field := range c.Fields {
				put(s.cause(f.ID), fmt.Sprintf("given A: %q of %s", c.Name, of), fmt.Sprintf("expect A.%s == A.%s", field.Name, field.Name))
			}
		}
	}
	kind := s.momentary()
	for _, c := range s.r.Changes {
		switch {
		case c.ID.Head == "card" && (c.Kind == Added || c.Kind == Removed || c.Kind == Renamed):
			put(c.ID, fmt.Sprintf("given A: %q of %s", c.ID.Name, of))
		case c.ID.Head == "keyword" && c.Kind != Changed && c.Kind != Private && kind != "":
			for _, p := range []*interpreter.Program{a, b} {
				for _, line := range linesWith(p, c.ID.Name) {
					put(c.ID, fmt.Sprintf("given A: %s of %s { %s }", kind, of, line))
				}
			}
			if !strings.Contains(c.ID.Name, " ") {
				put(c.ID, fmt.Sprintf("given A: %s of %s { %s }", kind, of, c.ID.Name))
			}
		case c.ID.Head == "values" && kind != "":
			for _, l := range c.Lines {
				if (l.Old == "") == (l.New == "") {
					continue
				}
				value, _, _ := strings.Cut(l.Old+l.New, " ")
				for _, ch := range s.printed(c.ID.Name) {
					put(c.ID, fmt.Sprintf("given A: %s of %s { %s %s }", kind, of, ch, value), fmt.Sprintf("expect A.%s == A.%s", ch, ch))
				}
			}
		}
	}
	return out
}

// cause is the declaration that changed through which something is seen otherwise:
// itself, or another of its name.
func (s *searcher) cause(id ID) ID {
	for _, c := range s.r.Changes {
		if c.ID == id {
			return id
		}
	}
	for _, c := range s.r.Changes {
		if c.ID.Name == id.Name {
			return c.ID
		}
	}
	return id
}

// asking puts a question that says nothing to a situation that asks none: a case has
// one.
func asking(list []*node) []*node {
	if _, found := only(list, 0); found {
		return list
	}
	for _, n := range list {
		if n.head() == "given" && len(n.toks) > 1 {
			name := n.toks[1].Text
			return append(list[:len(list):len(list)], situation(fmt.Sprintf("case \"\" {\nexpect %s == %s\n}", name, name))...)
		}
	}
	return list
}

// linesWith are lines of cards that begin with a keyword.
func linesWith(p *interpreter.Program, keyword string) []string {
	for _, k := range p.Keywords("en") {
		if k.Name != keyword || len(k.Cards) == 0 {
			continue
		}
		for _, c := range p.CardsNamed("en", k.Cards[0]) {
			for _, l := range c.Lines {
				if l == keyword || strings.HasPrefix(l, keyword+" ") {
					return []string{l}
				}
			}
		}
	}
	return nil
}

// givens are the kinds and owners that cases put things down with.
func (s *searcher) givens(found func(l *grammar.CaseLine) bool) {
	for _, side := range []*Side{s.r.b, s.r.a} {
		for _, f := range side.Folders {
			for _, file := range f.Files {
				for _, d := range file.Tree().Decls {
					if d.Case == nil {
						continue
					}
					for _, l := range d.Case.Lines {
						if l.Verb == "given" && found(l) {
							return
						}
					}
				}
			}
		}
	}
}

// kindOf is whose things are that cases put down, as the first case says it.
func (s *searcher) kindOf() (of string) {
	s.givens(func(l *grammar.CaseLine) bool {
		for _, j := range l.Joins {
			if j.Word == "of" && len(j.Exprs) == 1 {
				of = grammar.Joined(j.Exprs[0].Tokens)
			}
		}
		return of != ""
	})
	return of
}

// momentary is the kind of the things that cases put down.
func (s *searcher) momentary() (kind string) {
	s.givens(func(l *grammar.CaseLine) bool {
		if l.Kind != nil && !l.IsCard {
			kind = l.Kind.Text
		}
		return kind != ""
	})
	return kind
}

// values are the printed characteristics, which situations that are made up ask for.
func (s *searcher) values() []string {
	var out []string
	for _, f := range s.r.b.Folders {
		for _, file := range f.Files {
			for _, d := range file.Tree().Decls {
				if d.Char != nil && d.Char.Printed && !d.Char.Memory && !slices.Contains(out, d.Char.Name.Text) {
					out = append(out, d.Char.Name.Text)
				}
			}
		}
	}
	return out
}

// printed are the printed characteristics that take values of a list.
func (s *searcher) printed(values string) []string {
	var out []string
	for _, side := range []*Side{s.r.a, s.r.b} {
		for _, f := range side.Folders {
			for _, file := range f.Files {
				for _, d := range file.Tree().Decls {
					if d.Char != nil && d.Char.Printed && d.Char.Type.Kind.Text == values && !slices.Contains(out, d.Char.Name.Text) {
						out = append(out, d.Char.Name.Text)
					}
				}
			}
		}
	}
	return out
}

// hit is a situation that differs, and at which question: -1 where one side does not
// take it, -2 where only what is told differs.
type hit struct {
	try
	question int
}

// compare plays situations under both rules and lists those that differ.
func (s *searcher) compare(list []try) ([]*hit, error) {
	var texts []string
	for _, t := range list {
		texts = append(texts, "")
		texts[len(texts)-1] = text(fmt.Sprintf("situation-%d", len(texts)), t.list)
	}
	var both [2][]played
	for i := range both {
		p, err := s.play(i, texts)
		if err != nil {
			return nil, err
		}
		both[i] = p
	}
	var out []*hit
	for i, t := range list {
		a, b := &both[0][i], &both[1][i]
		switch {
		case a.taken != b.taken:
			if t.made != nil {
				out = append(out, &hit{t, -1})
			}
			continue
		case !a.taken || a.broken && b.broken:
			continue
		}
		at := -1
		for k := range min(len(a.answers), len(b.answers)) {
			if a.answers[k] != b.answers[k] {
				at = k
				break
			}
		}
		switch {
		case at >= 0:
			out = append(out, &hit{t, at})
		case t.of != "" && !a.broken && !b.broken && !slices.Equal(a.log, b.log):
			out = append(out, &hit{t, -2})
		}
	}
	return out, nil
}

// play plays situations under the rules of a side.
func (s *searcher) play(side int, texts []string) ([]played, error) {
	out := make([]played, len(texts))
	files := make([]*interpreter.RuleFile, len(texts))
	at := map[string]int{}
	for i, t := range texts {
		files[i] = interpreter.ParseFile(fmt.Sprintf("situation/%06d.momon", i), t)
		at[files[i].Source().Name] = i
	}
	var p *interpreter.Program
	for p == nil {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		folder := interpreter.Folder{Name: "situation"}
		for i, f := range files {
			if out[i].why == nil {
				folder.Files = append(folder.Files, f)
			}
		}
		opts := []*Side{s.r.a, s.r.b}[side].Options
		a := interpreter.Analyse(append(s.bare[side][:len(s.bare[side]):len(s.bare[side])], folder), opts)
		if p = a.Program; p != nil {
			break
		}
		n := 0
		for _, d := range a.Diags {
			if d.Severity != diag.Error || !d.Span.Valid() {
				continue
			}
			if i, ok := at[d.Span.File.Name]; ok && out[i].why == nil {
				out[i].why = map[string]string{}
				for _, lang := range s.r.languages() {
					out[i].why[lang] = diag.Message(d, lang)
				}
				n++
			}
		}
		if n == 0 {
			return nil, interpreter.ErrRules
		}
	}
	for _, c := range p.Cases("en") {
		i, ok := at[c.Place.File]
		if !ok {
			continue
		}
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		x := &out[i]
		x.taken, x.run, x.c = true, p, c
		run, err := p.StartCase(c)
		if err != nil {
			x.broken = true
			continue
		}
		for run.More() {
			if v, asks := run.Ask(); asks {
				b, err := json.Marshal(v)
				if err != nil {
					return nil, err
				}
				x.answers = append(x.answers, string(b))
			}
			if _, err := run.Step(); err != nil {
				x.broken = true
				break
			}
		}
		for _, f := range run.Finish().Failures {
			switch f.Code {
			case "unanswered", "answer", "unused-answer", "loop":
				x.broken = true
			}
		}
		for k := range run.Events() {
			x.log = append(x.log, run.Text(&run.Events()[k], "en"))
		}
	}
	return out, nil
}

// shrink leaves out of a situation that differs all that can be. Where it ends
// before, what it has by then comes back, with the error.
func (s *searcher) shrink(h *hit) (*Witness, error) {
	best := h
	keep := func(list []*node) (*hit, error) {
		hits, err := s.compare([]try{{list, h.of, h.made}})
		if err != nil || len(hits) == 0 || (hits[0].question >= 0) != (h.question >= 0) || hits[0].question < 0 && hits[0].question != h.question {
			return nil, err
		}
		return hits[0], nil
	}
	var err error
	if h.question >= 0 {
		if list, ok := only(h.list, h.question); ok {
			var x *hit
			if x, err = keep(list); x != nil {
				best = x
			}
		}
	} else {
		var x *hit
		if x, err = keep(asking(drop(h.list, (*node).asks))); x != nil {
			best = x
		}
	}
	for round := 0; err == nil && round < 100; round++ {
		forms := smaller(best.list)
		var next *hit
		for len(forms) > 0 && next == nil && err == nil {
			n := min(batch, len(forms))
			var list []try
			for _, f := range forms[:n] {
				list = append(list, try{f, h.of, h.made})
			}
			s.tries += n
			var hits []*hit
			hits, err = s.compare(list)
			for _, x := range hits {
				if (x.question >= 0) == (h.question >= 0) && (x.question >= 0 || x.question == h.question) && size(x.list) < size(best.list) || x.question == h.question && simpler(x.list, best.list) {
					next = x
					break
				}
			}
			forms = forms[n:]
		}
		if next == nil {
			break
		}
		best = next
	}
	return &Witness{list: best.list, made: h.made, Of: h.of, Question: s.question(best)}, err
}

// simpler reports whether a situation of the same size has smaller numbers.
func simpler(a, b []*node) bool { return size(a) == size(b) && text("", a) < text("", b) }

// question is the line that asks, or "".
func (s *searcher) question(h *hit) string {
	if h.question < 0 {
		return ""
	}
	list, _ := only(h.list, h.question)
	for len(list) > 0 {
		n := list[len(list)-1]
		if n.asks() {
			return written(n.toks)
		}
		list = n.kids
	}
	return ""
}

// tell makes the story of a witness. It is told even if the time is over.
func (s *searcher) tell(w *Witness) {
	s.ctx = context.WithoutCancel(s.ctx)
	r := s.r
	whole := text("situation", w.list)
	w.Lines = strings.Split(strings.TrimSpace(whole), "\n")
	w.Lines = w.Lines[1 : len(w.Lines)-1] // the case around it says nothing
	var both [2]played
	for i := range both {
		p, err := s.play(i, []string{whole})
		if err != nil {
			return
		}
		both[i] = p[0]
		w.Taken[i] = p[0].taken
		if p[0].why != nil {
			w.Why = p[0].why
		}
	}
	w.Before, w.After = map[string][]string{}, map[string][]string{}
	w.Through, w.By = []interpreter.Ref{}, []ID{}
	at := len(w.Lines) + 1 // the line that asks
	for i, l := range w.Lines {
		if word, _, _ := strings.Cut(strings.TrimSpace(l), " "); slices.Contains(asks, word) {
			at = i + 1
		}
	}
	var stories [2]*story
	for i := range both {
		stories[i] = &story{value: map[string]string{}}
		if both[i].taken {
			stories[i] = told(both[i].run, both[i].c, at, r.languages())
		}
		if n := len(both[i].answers); n > 0 {
			*[]*string{&w.Old, &w.New}[i] = both[i].answers[n-1]
		}
	}
	if both[0].taken && both[1].taken {
		for _, lang := range r.languages() {
			w.Before[lang], w.After[lang] = apart(stories[0], stories[1], lang)
		}
		w.story(stories, r.languages())
	}
	var refs []interpreter.Ref
	for _, list := range oneSided(stories[0].events, stories[1].events) {
		for _, e := range list {
			refs = addRefs(refs, e.refs...)
		}
	}
	refs = addRefs(addRefs(refs, stories[0].refs...), stories[1].refs...)
	w.Through = r.through(&Flip{}, refs)
	if len(w.Through) == 0 && len(r.Statements) <= few {
		for _, st := range r.Statements {
			w.Through = append(w.Through, st.Ref)
		}
	}
	w.By = r.by(w.Through)
	if w.made != nil {
		w.By, w.Through = []ID{*w.made}, []interpreter.Ref{}
		for _, st := range r.Statements {
			if slices.Contains(st.By, *w.made) {
				w.Through = append(w.Through, st.Ref)
			}
		}
	}
	w.Case = s.draft(w)
}

// story tells line by line what happens on both sides, and on one alone.
func (w *Witness) story(sides [2]*story, langs []string) {
	of := func(s *story, line int) []event {
		var out []event
		for _, e := range s.events {
			if e.line == line {
				out = append(out, e)
			}
		}
		return out
	}
	var open []int // lines whose blocks are open
	for i, l := range w.Lines {
		at := []int{i + 1}
		switch {
		case strings.HasSuffix(l, "{ }"):
			at = append(at, -(i + 1))
		case strings.HasSuffix(l, "{"):
			open = append(open, i+1)
		case strings.HasPrefix(strings.TrimSpace(l), "}") && len(open) > 0:
			at[0] = -open[len(open)-1]
			open = open[:len(open)-1]
		}
		var a, b []event
		for _, line := range at {
			a, b = append(a, of(sides[0], line)...), append(b, of(sides[1], line)...)
		}
		t := Told{Line: l}
		put := func(m *map[string][]string, e event) {
			for _, lang := range langs {
				if e.text[lang] == "" {
					continue
				}
				if *m == nil {
					*m = map[string][]string{}
				}
				if list := (*m)[lang]; len(list) == 0 || list[len(list)-1] != e.text[lang] {
					(*m)[lang] = append(list, e.text[lang])
				}
			}
		}
		x, y := 0, 0
		for _, m := range append(common(len(a), len(b), func(i, k int) bool { return a[i].key == b[k].key }), [2]int{len(a), len(b)}) {
			for ; x < m[0]; x++ {
				put(&t.Old, a[x])
			}
			for ; y < m[1]; y++ {
				put(&t.New, b[y])
			}
			if x < len(a) && y < len(b) {
				put(&t.Both, a[x])
				x, y = x+1, y+1
			}
		}
		w.Story = append(w.Story, t)
	}
}

// draft writes the witness as a case that holds under the new rules, as far as the
// program can word that.
func (s *searcher) draft(w *Witness) string {
	side := 1
	if !w.Taken[1] {
		side = 0
	}
	list := w.list
	if q := w.Question; q != "" {
		for _, line := range answered(q, []string{w.Old, w.New}[side]) {
			other := replaced(w.list, line)
			whole := text("situation", other)
			p, err := s.play(side, []string{whole})
			if err != nil || !p[0].taken || p[0].broken {
				continue
			}
			res, err := p[0].run.RunCase(s.ctx, p[0].c)
			if err == nil && res.Passed() {
				list = other
				break
			}
		}
	}
	var b strings.Builder
	for _, lang := range []string{"en", "th"} {
		for _, line := range strings.Split(Text(lang, "draft-head"), "\n") {
			b.WriteString("# " + line + "\n")
		}
		fmt.Fprintf(&b, "# %s\n", Text(lang, "draft-rules", s.r.Old.Name, s.r.New.Name))
		if w.Question != "" {
			fmt.Fprintf(&b, "# %s\n", Text(lang, "draft-asked", w.Old, w.New))
		}
	}
	for _, told := range []struct {
		key  string
		list map[string][]string
	}{{"before", w.Before}, {"after", w.After}} {
		for _, lang := range []string{"en", "th"} {
			if len(told.list[lang]) > 0 {
				fmt.Fprintf(&b, "# %s %s\n", Text(lang, told.key), strings.Join(told.list[lang], " "))
			}
		}
	}
	id := "draft-" + sumOf(text("", list))
	b.WriteString(strings.Replace(text(id, list), "{\n", "draft {\n", 1))
	out, _, err := format.File(source.NewFile("draft.momon", b.String()), format.Options{})
	if err != nil {
		return b.String()
	}
	return out
}

// sumOf is a short name for a text.
func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// answered are the ways to say that a question has an answer.
func answered(question, answer string) []string {
	out := []string{question}
	word, rest, _ := strings.Cut(question, " ")
	if left, right, ok := strings.Cut(rest, " == "); ok && left == right {
		out = nil // it is always so
	}
	switch word {
	case "expect":
		if left, _, ok := strings.Cut(rest, " == "); ok {
			value := strings.NewReplacer(`"`, "", "null", "nothing").Replace(answer)
			out = append(out, "expect "+left+" == "+strings.ReplaceAll(value, ",", ", "), "expect "+left+" == "+answer)
		}
		out = append(out, "expect not ("+rest+")")
	case "happened":
		out = append(out, "never "+rest)
	case "never":
		out = append(out, "happened "+rest)
	case "refused":
		plain, _, _ := strings.Cut(rest, " by ")
		out = append(out, "happened "+plain, "never "+plain)
	case "legal":
		out = append(out, "illegal "+rest)
	case "illegal":
		plain, _, _ := strings.Cut(rest, " by ")
		out = append(out, "legal "+plain)
	}
	return out
}

// replaced is a situation with another question.
func replaced(list []*node, line string) []*node {
	list = clone(list)
	at := list
	for len(at) > 0 {
		n := at[len(at)-1]
		if n.asks() {
			kids := situation("case \"\" {\n" + line + "\n}")
			if len(kids) == 1 {
				*n = *kids[0]
			}
			break
		}
		at = n.kids
	}
	return list
}
