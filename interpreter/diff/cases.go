package diff

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// Way says what became of a case.
type Way string

// The ways, in the order in which they are told.
const (
	Broke      Way = "fails"      // it passed, and fails under the new rules
	Mended     Way = "passes"     // it failed, and passes under the new rules
	Rewritten  Way = "rewritten"  // what it said fails under the new rules; it says something else now
	Gone       Way = "gone"       // it is not there any more
	New        Way = "new"        // it was not there
	Unreadable Way = "unreadable" // the new rules do not take what it says
)

// Ways lists them in that order.
var Ways = []Way{Broke, Mended, Rewritten, Unreadable, Gone, New}

// Cases is what became of the cases of both sides.
type Cases struct {
	Old   int    `json:"old"` // how many there were
	New   int    `json:"new"`
	Same  int    `json:"same"` // that came out as before
	Flips []Flip `json:"flips"`
}

// Flip is a case that came out otherwise, is new or is gone.
type Flip struct {
	ID      string              `json:"id"`
	Way     Way                 `json:"way"`
	Status  string              `json:"status"`
	Title   map[string]string   `json:"title,omitempty"`
	Covers  []interpreter.Cover `json:"covers"`
	Through []interpreter.Ref   `json:"through"` // the statements that led to it
	By      []ID                `json:"by"`      // the declarations that changed and can have led to it
	Passed  bool                `json:"passed"`  // New and Rewritten: what it says now comes out so
	Still   bool                `json:"still"`   // Gone: what it said still comes out so
	Line    string              `json:"line,omitempty"`
	Want    string              `json:"want,omitempty"`
	Got     string              `json:"got,omitempty"`
	Before  map[string][]string `json:"before,omitempty"` // how it came about, by language
	After   map[string][]string `json:"after,omitempty"`
	Place   interpreter.Place   `json:"place"`
}

// outcome is a case that was played, or why it was not.
type outcome struct {
	c    interpreter.Case
	res  *interpreter.Result
	fail string
}

func (o *outcome) passed() bool { return o.res != nil && o.res.Passed() }

// PlayCases plays the cases of both sides under both rules and finds those that come
// out otherwise. An old case is played under the new rules as it was written.
func (r *Report) PlayCases(ctx context.Context) error {
	out := &Cases{Flips: []Flip{}}
	old, now := map[string]interpreter.Case{}, map[string]interpreter.Case{}
	for _, c := range r.a.Program.Cases("en") {
		old[c.ID] = c
	}
	for _, c := range r.b.Program.Cases("en") {
		now[c.ID] = c
	}
	out.Old, out.New = len(old), len(now)
	edited := map[string]bool{}
	for _, c := range r.Suite {
		if c.Kind == Changed || c.Kind == Removed || c.Kind == Renamed {
			edited[c.ID.Name] = true
		}
	}
	var under *interpreter.Program
	var unread map[string]string
	var fault error
	read := make(chan struct{})
	go func() { // beside the cases that do not need it
		defer close(read)
		under, unread, fault = r.under(ctx, edited)
	}()
	outcomes := map[part]outcome{}
	var list []part
	for _, c := range r.a.Program.Cases("en") {
		list = append(list, part{r.a.Program, c.ID})
	}
	for _, c := range r.b.Program.Cases("en") {
		list = append(list, part{r.b.Program, c.ID})
	}
	err := playAll(ctx, list, outcomes)
	if <-read; err == nil {
		err = fault
	}
	if err != nil {
		return err
	}
	again := map[string]bool{}
	if under != nil {
		list = nil
		for _, c := range under.Cases("en") {
			if again[c.ID] = true; edited[c.ID] {
				list = append(list, part{under, c.ID})
			}
		}
		if err := playAll(ctx, list, outcomes); err != nil {
			return err
		}
	}
	for _, c := range r.a.Program.Cases("en") {
		was := outcomes[part{r.a.Program, c.ID}]
		_, there := now[c.ID]
		var then outcome
		var p *interpreter.Program
		switch {
		case !edited[c.ID] && there:
			p = r.b.Program
			then = outcomes[part{p, c.ID}]
		case unread[c.ID] == "":
			p = under
			if !again[c.ID] {
				return fmt.Errorf("case %q was lost", c.ID)
			}
			then = outcomes[part{p, c.ID}]
		}
		f := r.flip(c)
		switch {
		case !there:
			f.Way, f.Still = Gone, then.passed()
		case unread[c.ID] != "":
			f.Way, f.Got = Unreadable, unread[c.ID]
		case was.passed() == then.passed():
			out.Same++
			continue
		case then.passed():
			f.Way = Mended
		case edited[c.ID]:
			fresh := outcomes[part{r.b.Program, c.ID}]
			f.Way, f.Passed = Rewritten, fresh.passed()
		default:
			f.Way = Broke
		}
		if was.passed() != then.passed() && p != nil {
			r.explain(&f, &was, &then, p)
			f.By = r.by(f.Through)
		}
		out.Flips = append(out.Flips, f)
	}
	for _, c := range r.b.Program.Cases("en") {
		if _, there := old[c.ID]; there {
			continue
		}
		o := outcomes[part{r.b.Program, c.ID}]
		f := r.flip(c)
		f.Way, f.Passed = New, o.passed()
		if !f.Passed {
			f.failed(&o)
		}
		out.Flips = append(out.Flips, f)
	}
	titles(out.Flips, r)
	slices.SortStableFunc(out.Flips, func(a, b Flip) int { return slices.Index(Ways, a.Way) - slices.Index(Ways, b.Way) })
	r.Cases = out
	r.step()
	return nil
}

// under stands old cases that were edited or taken out on the new rules, each in a
// file of its own. Those that the new rules do not take are left out, with why.
func (r *Report) under(ctx context.Context, ids map[string]bool) (*interpreter.Program, map[string]string, error) {
	unread := map[string]string{}
	if len(ids) == 0 {
		return nil, unread, nil
	}
	var files []*interpreter.RuleFile
	of := map[string]string{}
	for id := range ids {
		list := r.was["case\x00"+id+"\x00"]
		if len(list) == 0 {
			continue
		}
		d := list[0]
		text := d.span.Text() + "\n"
		if d.section != "" {
			text = "provisional " + d.section + "\n" + text
		}
		f := interpreter.ParseFile(fmt.Sprintf("before/%06d.momon", len(files)), text)
		files = append(files, f)
		of[f.Source().Name] = id
	}
	folders := make([]interpreter.Folder, 0, len(r.b.Folders)+1)
	for _, f := range r.b.Folders {
		kept := interpreter.Folder{Name: f.Name}
		for _, file := range f.Files {
			kept.Files = append(kept.Files, file.Only(func(d *grammar.Decl) bool { return d.Case == nil || !ids[d.Case.ID.Value] }))
		}
		folders = append(folders, kept)
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		a := interpreter.Analyse(append(folders[:len(folders):len(folders)], interpreter.Folder{Name: "before", Files: files}), r.b.Options)
		if a.Program != nil {
			return a.Program, unread, nil
		}
		n := len(files)
		for _, d := range a.Diags {
			if d.Severity != diag.Error || !d.Span.Valid() {
				continue
			}
			if id := of[d.Span.File.Name]; id != "" && unread[id] == "" {
				unread[id] = diag.Message(d, "en")
				files = slices.DeleteFunc(files, func(f *interpreter.RuleFile) bool { return f.Source().Name == d.Span.File.Name })
			}
		}
		if len(files) == n { // none of them is to blame
			return nil, nil, interpreter.ErrRules
		}
	}
}

// part is a case under some rules.
type part struct {
	rules *interpreter.Program
	id    string
}

// playAll plays cases side by side, as many as there are processors.
func playAll(ctx context.Context, list []part, out map[part]outcome) error {
	cases := map[part]interpreter.Case{}
	for _, x := range list {
		if _, there := cases[x]; there {
			continue
		}
		for _, c := range x.rules.Cases("en") {
			cases[part{x.rules, c.ID}] = c
		}
	}
	done := make([]outcome, len(list))
	faults := make([]error, len(list))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				done[i], faults[i] = play(ctx, list[i].rules, cases[list[i]])
			}
		})
	}
	all.Wait()
	for i, x := range list {
		if faults[i] != nil {
			return faults[i]
		}
		out[x] = done[i]
	}
	return nil
}

func play(ctx context.Context, p *interpreter.Program, c interpreter.Case) (outcome, error) {
	res, err := p.RunCase(ctx, c)
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	if err != nil {
		return outcome{c: c, fail: err.Error()}, nil
	}
	return outcome{c: c, res: res}, nil
}

func (r *Report) flip(c interpreter.Case) Flip {
	return Flip{ID: c.ID, Status: c.Status, Covers: c.Covers, Place: c.Place, Through: []interpreter.Ref{}, By: []ID{}}
}

// titles puts the titles of cases in, in all languages.
func titles(list []Flip, r *Report) {
	at := map[string][]int{}
	for i := range list {
		at[list[i].ID] = append(at[list[i].ID], i)
	}
	for _, lang := range r.languages() {
		for _, p := range []*interpreter.Program{r.a.Program, r.b.Program} {
			for _, c := range p.Cases(lang) {
				for _, i := range at[c.ID] {
					if list[i].Title == nil {
						list[i].Title = map[string]string{}
					}
					if c.Title != "" {
						list[i].Title[lang] = c.Title
					}
				}
			}
		}
	}
}

// failed takes over what came out otherwise than a case says.
func (f *Flip) failed(o *outcome) {
	f.Got = o.fail
	if o.res != nil && len(o.res.Failures) > 0 {
		x := o.res.Failures[0]
		f.Line, f.Want, f.Got = x.Line, x.Want, x.Got
	}
}

// explain tells how a case comes out on both sides, up to the line that differs.
func (r *Report) explain(f *Flip, was, then *outcome, p *interpreter.Program) {
	bad := then
	if then.passed() {
		bad = was
	}
	f.failed(bad)
	if bad.res == nil {
		f.Through = r.through(f, nil)
		return
	}
	line := bad.res.Failures[0].Place.Line
	if bad.c.Place.Line > 0 {
		line -= bad.c.Place.Line
	}
	f.Before, f.After = map[string][]string{}, map[string][]string{}
	a := told(r.a.Program, was.c, line, r.languages())
	b := told(p, then.c, line, r.languages())
	var refs []interpreter.Ref
	for _, lang := range r.languages() {
		f.Before[lang], f.After[lang] = apart(a, b, lang)
	}
	for _, list := range oneSided(a.events, b.events) {
		for _, e := range list {
			refs = addRefs(refs, e.refs...)
		}
	}
	refs = addRefs(refs, a.refs...)
	refs = addRefs(refs, b.refs...)
	refs = addRefs(refs, bad.res.Failures[0].Rules...)
	f.Through = r.through(f, refs)
}

// through picks of statements those whose data changed; where there is none, those
// that changed and the case speaks to, and at last what the case speaks to.
func (r *Report) through(f *Flip, refs []interpreter.Ref) []interpreter.Ref {
	changed := map[interpreter.Ref]bool{}
	for _, s := range r.Statements {
		changed[s.Ref] = true
	}
	out := []interpreter.Ref{}
	for _, ref := range refs {
		if changed[ref] {
			out = addRefs(out, ref)
		}
	}
	for _, cv := range f.Covers {
		if changed[cv.Ref] {
			out = addRefs(out, cv.Ref)
		}
	}
	if len(out) == 0 {
		for _, cv := range f.Covers {
			out = addRefs(out, cv.Ref)
		}
	}
	return out
}

// by are the declarations through which statements changed, or all that changed.
func (r *Report) by(through []interpreter.Ref) []ID {
	out := []ID{}
	put := func(id ID) {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	for _, s := range r.Statements {
		if slices.Contains(through, s.Ref) {
			for _, id := range s.By {
				put(id)
			}
		}
	}
	if len(out) == 0 {
		for _, c := range r.Changes {
			if c.Kind != Private && c.ID.Head != "statement" && c.ID.Head != "summary" {
				put(c.ID)
			}
		}
	}
	return out
}

// telling is how many events of each side are told.
const telling = 4

// event is one that happened in a case.
type event struct {
	line int // below the first of the case; of the end of a window, that of its beginning, below 0
	key  string
	text map[string]string // its cause in one sentence, by language
	refs []interpreter.Ref
}

// story is what happens in a case up to a line, and how the value comes about that
// the line asks for.
type story struct {
	events []event
	value  map[string]string
	refs   []interpreter.Ref
}

// told plays a case up to a line: so many lines below its first.
func told(p *interpreter.Program, c interpreter.Case, line int, langs []string) *story {
	s := &story{value: map[string]string{}}
	run, err := p.StartCase(c)
	if err != nil {
		return s
	}
	add := func(line int) {
		for i := len(s.events); i < len(run.Events()); i++ {
			e := &run.Events()[i]
			x := event{line: line, key: run.Text(e, "en"), text: map[string]string{}, refs: e.Rules}
			for _, lang := range langs {
				if cause := run.Cause(e, lang); cause != nil && cause.Sentence != "" && run.Text(e, lang) != "" {
					x.text[lang] = cause.Sentence
				} else {
					x.text[lang] = run.Text(e, lang)
				}
			}
			s.events = append(s.events, x)
		}
	}
	add(1)
	for run.More() {
		object, ch, asks := run.AskedValue()
		value := map[string]string{}
		var refs []interpreter.Ref
		if asks {
			for _, lang := range langs {
				if x, err := run.Explain(object, ch, lang); err == nil {
					value[lang] = x.Sentence
					for _, u := range x.Statements {
						refs = addRefs(refs, u.Ref)
					}
				}
			}
		}
		st, err := run.Step()
		if err != nil {
			return s
		}
		at := st.Place.Line - c.Place.Line
		if st.Ends {
			at = -at
		}
		add(at)
		if st.Place.Line-c.Place.Line >= line {
			if asks {
				s.value, s.refs = value, refs
			}
			return s
		}
	}
	return s
}

// oneSided are the events of each side that the other does not have: the first of
// them, and the last before the line that differs.
func oneSided(a, b []event) [2][]event {
	both := common(len(a), len(b), func(i, k int) bool { return a[i].key == b[k].key })
	var out [2][]event
	for side, list := range [2][]event{a, b} {
		at := 0
		for i, e := range list {
			if at < len(both) && both[at][side] == i {
				at++
			} else if e.key != "" {
				out[side] = append(out[side], e)
			}
		}
		if n := len(out[side]); n > telling {
			out[side] = append(out[side][:1:1], out[side][n-telling+1:]...)
		}
	}
	return out
}

// apart tells what happens on each side from where they part, and how the value that
// was asked for comes about.
func apart(a, b *story, lang string) (before, after []string) {
	tell := func(list []event) []string {
		out := []string{}
		for _, e := range list {
			if t := e.text[lang]; t != "" && (len(out) == 0 || out[len(out)-1] != t) {
				out = append(out, t)
			}
		}
		return out
	}
	sides := oneSided(a.events, b.events)
	before, after = tell(sides[0]), tell(sides[1])
	if v := a.value[lang]; v != "" {
		before = append(before, v)
	}
	if v := b.value[lang]; v != "" {
		after = append(after, v)
	}
	return before, after
}

// title is what a case is called in a language, or its id.
func (f *Flip) title(lang string) string {
	for _, l := range []string{lang, "en"} {
		if t := strings.TrimSpace(f.Title[l]); t != "" {
			return t
		}
	}
	return f.ID
}
