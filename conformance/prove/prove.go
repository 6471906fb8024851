// Package prove shows that the conformance suite is good: that a case sees what it
// says it covers, that changed rules and wrong programs are caught, and that cases
// told otherwise, saved, laid out or exported mean the same.
//
// It knows the rule language and no game. What belongs to a game, such as classic
// mistakes and reasons why a change makes no difference, stands in data: the table
// of package fakes and the ledger.
package prove

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter"
)

// Set is rules with their cases.
type Set struct {
	sources []interpreter.Source
	files   [][]file          // by source
	at      map[string][2]int // in which source a file is, and which file of it
	edition string
	program *interpreter.Program
	cases   []interpreter.Case
	place   map[string][2]int // in which source and file a case stands
	status  map[Ref]string    // of the statements

	declared map[Ref]string // in which file a statement is declared
	caseText map[string]string

	stories sync.Once
	asTold  []string
}

type file struct{ name, text string }

// Open reads rules and cases. Where they have errors the diagnostics tell which, as
// interpreter.Load says.
func Open(ctx context.Context, sources []interpreter.Source, edition string) (*Set, error) {
	s := &Set{sources: sources, edition: edition, at: map[string][2]int{}, place: map[string][2]int{}, caseText: map[string]string{}}
	for _, src := range sources {
		names, err := src.Files()
		if err != nil {
			return nil, err
		}
		var list []file
		for _, n := range names {
			data, err := fs.ReadFile(src.FS, n)
			if err != nil {
				return nil, err
			}
			list = append(list, file{path.Join(src.Name, n), string(data)})
		}
		s.files = append(s.files, list)
	}
	p, _, err := interpreter.Load(ctx, sources, interpreter.Options{Edition: edition})
	if err != nil {
		return nil, err
	}
	s.program, s.cases, s.status = p, p.Cases("en"), map[Ref]string{}
	s.declared = map[Ref]string{}
	for _, r := range p.Rules("en") {
		for _, st := range r.Statements {
			s.status[Ref{st.Rule, st.Key}], s.declared[Ref{st.Rule, st.Key}] = st.Status, st.Place.File
		}
	}
	for i, list := range s.files {
		for j, f := range list {
			s.at[f.name] = [2]int{i, j}
		}
	}
	for _, c := range s.cases {
		k, ok := s.at[c.Place.File]
		if !ok {
			return nil, fmt.Errorf("%s: %s is in no file that was read", c.ID, c.Place.File)
		}
		s.place[c.ID] = k
	}
	for _, list := range s.lab().files {
		for _, f := range list {
			for _, d := range f.Tree().Decls {
				if d.Case != nil {
					s.caseText[d.Case.ID.Value] = d.Text()
				}
			}
		}
	}
	return s, nil
}

// Within reports whether a file belongs to one of some sources, or there are none.
func (s *Set) Within(of []string, file string) bool {
	k, ok := s.at[file]
	return len(of) == 0 || ok && slices.Contains(of, s.sources[k[0]].Name)
}

// Has reports whether a file was read, by the name that it is told by.
func (s *Set) Has(file string) bool {
	_, ok := s.at[file]
	return ok
}

// Program is the rules as they are.
func (s *Set) Program() *interpreter.Program { return s.program }

// Cases lists the cases.
func (s *Set) Cases() []interpreter.Case { return s.cases }

// lab plays cases by changed rules. It holds everything parsed, for one goroutine.
type lab struct {
	set   *Set
	files [][]*interpreter.RuleFile
	rules [][]*interpreter.RuleFile // the same without cases
}

func (s *Set) lab() *lab {
	l := &lab{set: s}
	for _, list := range s.files {
		var files, rules []*interpreter.RuleFile
		for _, f := range list {
			r := interpreter.ParseFile(f.name, f.text)
			files = append(files, r)
			rules = append(rules, r.Only(func(d *grammar.Decl) bool { return d.Case == nil }))
		}
		l.files, l.rules = append(l.files, files), append(l.rules, rules)
	}
	return l
}

// load reads the rules with some files changed, by name, and some cases.
func (l *lab) load(changed map[string]string, cases []string) *interpreter.Program {
	want := map[[2]int]map[string]bool{}
	for _, id := range cases {
		k := l.set.place[id]
		if want[k] == nil {
			want[k] = map[string]bool{}
		}
		want[k][id] = true
	}
	var folders []interpreter.Folder
	for i, list := range l.files {
		folder := interpreter.Folder{Name: l.set.sources[i].Name}
		for j, f := range list {
			ids := want[[2]int{i, j}]
			text, edited := changed[f.Source().Name]
			switch {
			case edited:
				f = interpreter.ParseFile(f.Source().Name, text)
				fallthrough
			case len(ids) > 0:
				f = f.Only(func(d *grammar.Decl) bool { return d.Case == nil || ids[d.Case.ID.Value] })
			default:
				f = l.rules[i][j]
			}
			folder.Files = append(folder.Files, f)
		}
		folders = append(folders, folder)
	}
	return interpreter.Analyse(folders, interpreter.Options{Edition: l.set.edition}).Program
}

// caseLimit is how long a case may take by changed rules: they can go on for ever,
// and the steps that the engine counts can each be long. It is far more than any case
// takes.
const caseLimit = 20 * time.Second

// play plays cases by changed rules until one of them fails, or all of them, and
// returns those that fail and whether the rules could be read with these cases at
// all. Limit tells those that did not come to an end.
func (l *lab) play(ctx context.Context, changed map[string]string, cases []string, all bool) (failed []string, limit, ok bool) {
	p := l.load(changed, cases)
	if p == nil {
		return nil, false, false
	}
	byID := map[string]interpreter.Case{}
	for _, c := range p.Cases("en") {
		byID[c.ID] = c
	}
	for _, id := range cases {
		within, cancel := context.WithTimeout(ctx, caseLimit)
		r, err := p.RunCase(within, byID[id])
		cancel()
		if ctx.Err() != nil {
			return nil, false, true
		}
		if err == nil && r.Passed() {
			continue
		}
		loop := err != nil || slices.ContainsFunc(r.Failures, func(f interpreter.Failure) bool { return f.Code == "loop" })
		failed, limit = append(failed, id), limit || loop
		if !all {
			return failed, limit, true
		}
	}
	return failed, limit, true
}

// each does something with the numbers below n, several at once, each worker with a
// lab of its own.
func (s *Set) each(ctx context.Context, jobs, n int, do func(l *lab, i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(jobs, n)) {
		wg.Go(func() {
			l := s.lab()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(l, i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// Options say how to prove.
type Options struct {
	Jobs int                   // workers; 0 for one
	Done func(done, whole int) // called now and then, by one at a time
}

// ticker counts what is done.
func (o *Options) ticker(whole int) func() {
	if o.Done == nil {
		return func() {}
	}
	var mu sync.Mutex
	n := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		n++
		o.Done(n, whole)
	}
}
