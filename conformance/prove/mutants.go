package prove

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter"
)

// Fate is what became of a mutant.
type Fate string

// The fates.
const (
	Killed   Fate = "killed"   // a case fails
	Limit    Fate = "limit"    // a case does not come to an end, which kills it too
	Played   Fate = "game"     // no case sees it, and it carries no statement that one should see; a game comes out otherwise
	Refused  Fate = "refused"  // the rules can't be read so: it is no mutant
	Excused  Fate = "ledger"   // no case sees it, and the ledger says why
	Survived Fate = "survived" // no case sees it
)

// Tried is a mutant and what became of it.
type Tried struct {
	*Mutant
	Fate   Fate   `json:"fate"`
	By     string `json:"by,omitempty"`     // the case that killed it
	Reason Text   `json:"reason,omitempty"` // of the ledger
}

// Text is a text by language.
type Text map[string]string

// MutantOptions say which mutants to make.
type MutantOptions struct {
	Options
	Of     []string       // names of the sources whose files are changed; none for all
	Alone  bool           // only cases of these sources are played, and no games: it is asked how good they are
	Run    *regexp.Regexp // of Mutant.String
	Covers string         // only of clauses that carry out this statement, or this rule or one below
	Ruling bool           // none that changes what is printed: a case that sees it only says it again
	Sample int            // so many of them, by chance; 0 for all
	Seed   uint64
	Ledger []Entry
}

// String is the mutant on one line.
func (m *Mutant) String() string {
	to := m.New
	if to == "" {
		to = "∅"
	}
	return m.File + ": " + m.In + ": " + m.Operator + ": " + m.Old + " → " + to
}

// MutantReport is what came of the mutants.
type MutantReport struct {
	Mutants []Tried        `json:"mutants"`
	Totals  map[Fate]int   `json:"totals"`
	Ledger  []LedgerFault  `json:"ledger_faults"`
	By      map[string]int `json:"by_operator"` // killed, by operator
	Rate    Rate           `json:"rate"`
}

// Rate is how many of the mutants that could be seen are.
type Rate struct {
	Seen int `json:"seen"` // by a case, or in games
	Of   int `json:"of"`   // all that are rules and that the ledger does not speak of
}

// rate sums up what became of mutants.
func rate(totals map[Fate]int) Rate {
	seen := totals[Killed] + totals[Limit] + totals[Played]
	return Rate{seen, seen + totals[Survived]}
}

// Failed reports whether something survived, or the ledger is not true.
func (r *MutantReport) Failed() bool { return r.Totals[Survived] > 0 || len(r.Ledger) > 0 }

// Mutants makes all mutants that are asked for.
func (s *Set) Mutants(of []string) []*Mutant {
	var out []*Mutant
	l := s.lab()
	var all []*grammar.File
	for _, list := range l.files {
		for _, f := range list {
			all = append(all, f.Tree())
		}
	}
	for i, src := range s.sources {
		if len(of) > 0 && !slices.Contains(of, src.Name) {
			continue
		}
		for _, f := range l.files[i] {
			out = append(out, Make(f.Tree(), all)...)
		}
	}
	return out
}

// Mutate makes mutants and plays the cases against each until one fails, those
// first that speak to what the changed clause carries out.
func (s *Set) Mutate(ctx context.Context, o MutantOptions) (*MutantReport, error) {
	var list, left []*Mutant
	for _, m := range s.Mutants(o.Of) {
		if m.Printed && o.Ruling {
			left = append(left, m)
			continue
		}
		if (o.Run == nil || o.Run.MatchString(m.String())) && (o.Covers == "" || slices.ContainsFunc(m.Refs, func(r Ref) bool { return r.Under(o.Covers) })) {
			list = append(list, m)
		}
	}
	part := o.Run != nil || o.Covers != ""
	if o.Sample > 0 && o.Sample < len(list) {
		part = true
		rng := rand.New(rand.NewPCG(o.Seed, 0))
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		list = list[:o.Sample]
	}
	rep := &MutantReport{Mutants: make([]Tried, len(list)), Totals: map[Fate]int{}, Ledger: []LedgerFault{}, By: map[string]int{}}
	tick := o.ticker(len(list))
	err := s.each(ctx, o.Jobs, len(list), func(l *lab, i int) {
		rep.Mutants[i] = s.try(ctx, l, list[i], &o)
		tick()
	})
	if err != nil {
		return nil, err
	}
	rep.Ledger = excuse(rep.Mutants, o.Ledger, part, left)
	for i := range rep.Mutants {
		t := &rep.Mutants[i]
		rep.Totals[t.Fate]++
		if t.Fate == Killed || t.Fate == Limit || t.Fate == Played {
			rep.By[t.Operator]++
		}
	}
	rep.Rate = rate(rep.Totals)
	return rep, nil
}

// Under reports whether a statement is meant by a key, or by a rule that it belongs to.
func (r Ref) Under(key string) bool {
	return r.Key == key || r.Rule == key || strings.HasPrefix(r.Rule, key+".") || r.String() == key
}

func (s *Set) try(ctx context.Context, l *lab, m *Mutant, o *MutantOptions) Tried {
	t := Tried{Mutant: m}
	var of []string
	if o.Alone {
		of = o.Of
	}
	first, rest := s.killers(m, of)
	for _, batch := range [][]string{first, rest} {
		if len(batch) == 0 && len(rest) > 0 {
			continue
		}
		failed, limit, ok := l.play(ctx, map[string]string{m.File: m.text}, batch, false)
		switch {
		case !ok:
			t.Fate = Refused
			return t
		case len(failed) > 0:
			if t.Fate, t.By = Killed, failed[0]; limit {
				t.Fate = Limit
			}
			return t
		}
	}
	t.Fate = Survived
	if o.Alone || s.firm(m) {
		return t
	}
	p := l.load(map[string]string{m.File: m.text}, nil)
	if p == nil {
		t.Fate = Refused
	} else if !slices.Equal(stories(ctx, p), s.told(ctx)) {
		t.Fate = Played
	}
	return t
}

// firm reports whether what a mutant changes carries out a statement that is more
// than a stand-in: a case should see it.
func (s *Set) firm(m *Mutant) bool {
	return slices.ContainsFunc(m.Refs, func(r Ref) bool { return s.status[r] != "provisional" })
}

// told are the games by the rules as they are.
func (s *Set) told(ctx context.Context) []string {
	s.stories.Do(func() { s.asTold = stories(ctx, s.program) })
	return s.asTold
}

// killers parts the cases of some sources, or all, in those that are likely to see a
// mutant, and the rest.
func (s *Set) killers(m *Mutant, of []string) (first, rest []string) {
	for _, side := range []bool{true, false} {
		for _, c := range s.cases {
			if s.Within(of, c.Place.File) && slices.ContainsFunc(c.Covers, func(cv interpreter.Cover) bool {
				return cv.Confirms == side && slices.Contains(m.Refs, Ref{cv.Rule, cv.Key})
			}) && !slices.Contains(first, c.ID) {
				first = append(first, c.ID)
			}
		}
	}
	if len(m.Refs) == 0 && m.name != "" { // nothing is cited: those that use what is declared
		for _, c := range s.cases {
			if s.Within(of, c.Place.File) && strings.Contains(s.caseText[c.ID], m.name) {
				first = append(first, c.ID)
			}
		}
	}
	for _, c := range s.cases {
		if s.Within(of, c.Place.File) && !slices.Contains(first, c.ID) {
			rest = append(rest, c.ID)
		}
	}
	return first, rest
}
