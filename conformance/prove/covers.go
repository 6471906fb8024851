package prove

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"sync"

	"github.com/momon-rules/momon/interpreter"
)

// A case claims to speak to a statement. The claim is proven when the case fails as
// soon as what carries out that statement is broken: by a mistake that is known to
// break it, or by a change of a clause that cites it. The narrower the better, so
// the first of these is told that fits:
//
//	mistake  a wrong engine of the table of fakes, which breaks this statement
//	own      a change of a clause that cites no other statement
//	shared   a change of a clause that cites others too

// Proof is how a claim was proven.
type Proof string

// The kinds of proof, best first.
const (
	ByMistake Proof = "mistake"
	ByOwn     Proof = "own"
	ByShared  Proof = "shared"
	Unmoved   Proof = "unmoved"  // not proven, a fault: the case passes whatever was tried
	Untried   Proof = "untried"  // not proven, a fault: nothing carries the statement out that could be broken
	Accepted  Proof = "accepted" // not proven, and the ledger says why that is well
)

// Proven reports whether it is a proof.
func (p Proof) Proven() bool { return p == ByMistake || p == ByOwn || p == ByShared }

// Claim is what a case says of a statement.
type Claim struct {
	Ref
	Case   string `json:"case"`
	Side   string `json:"side"`   // confirms or refutes
	Status string `json:"status"` // of the statement
	Proof  Proof  `json:"proof"`
	By     string `json:"by,omitempty"` // what made the case fail
	Tried  int    `json:"tried"`        // how many changes were tried
	Reason Text   `json:"reason,omitempty"`
}

// Wrong is an engine with a mistake.
type Wrong struct {
	Name    string
	Breaks  []Ref
	Changed map[string]string                                                   // of the files that were read; or else
	Play    func(ctx context.Context, cases []string) (fails []string, e error) // those of the cases that it fails
}

// CoverOptions say which claims to prove.
type CoverOptions struct {
	Options
	Of     []string       // names of the sources whose cases and statements are meant, with all claims about these; none for all
	Run    *regexp.Regexp // of the cases' ids
	Covers string         // only of this statement, or of this rule or one below
	Wrong  []Wrong
	Alone  bool // try these mistakes and no mutants
	Ledger []Unproven
}

// CoverReport is what came of the claims.
type CoverReport struct {
	Claims     []Claim       `json:"claims"`
	Totals     map[Proof]int `json:"totals"`
	Unproven   []Ref         `json:"unproven_statements"` // firm statements without a proven case that confirms them
	Statements int           `json:"statements"`          // firm ones that were looked at
	Ledger     []LedgerFault `json:"ledger_faults"`
}

// Failed reports whether a claim is not proven and the ledger does not say why, a firm
// statement has no proven case, or the ledger is not true.
func (r *CoverReport) Failed() bool {
	return r.Totals[Unmoved] > 0 || r.Totals[Untried] > 0 || len(r.Unproven) > 0 || len(r.Ledger) > 0
}

// Covers proves claims.
func (s *Set) Covers(ctx context.Context, o CoverOptions) (*CoverReport, error) {
	rep := &CoverReport{Totals: map[Proof]int{}, Unproven: []Ref{}, Ledger: []LedgerFault{}, Claims: []Claim{}}
	of := map[Ref][]int{} // claims, by statement
	for _, c := range s.cases {
		if o.Run != nil && !o.Run.MatchString(c.ID) || !s.Within(o.Of, c.Place.File) {
			continue
		}
		for _, cv := range c.Covers {
			ref := Ref{cv.Rule, cv.Key}
			if o.Covers != "" && !ref.Under(o.Covers) {
				continue
			}
			side := "refutes"
			if cv.Confirms {
				side = "confirms"
			}
			of[ref] = append(of[ref], len(rep.Claims))
			rep.Claims = append(rep.Claims, Claim{Ref: ref, Case: c.ID, Side: side, Status: s.status[ref], Proof: Untried})
		}
	}
	// What breaks a statement: everything is tried on all claims that it could prove.
	type trial struct {
		name    string
		refs    []Ref
		proof   Proof
		changed map[string]string
		play    func(context.Context, []string) ([]string, error)
	}
	var trials []trial
	for _, w := range o.Wrong {
		trials = append(trials, trial{w.Name, w.Breaks, ByMistake, w.Changed, w.Play})
	}
	var mutants []*Mutant
	if !o.Alone {
		mutants = s.Mutants(nil)
	}
	for _, m := range mutants {
		if len(m.Refs) == 0 {
			continue
		}
		proof := ByShared
		if len(m.Refs) == 1 {
			proof = ByOwn
		}
		trials = append(trials, trial{m.String(), m.Refs, proof, map[string]string{m.File: m.text}, nil})
	}
	type hit struct {
		tried bool
		fails map[string]bool
	}
	hits := make([]hit, len(trials))
	tick := o.ticker(len(trials))
	var mu sync.Mutex
	var failed error
	err := s.each(ctx, o.Jobs, len(trials), func(l *lab, i int) {
		defer tick()
		t := &trials[i]
		var ids []string
		for _, r := range t.refs {
			for _, k := range of[r] {
				if id := rep.Claims[k].Case; !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
		if len(ids) == 0 {
			return
		}
		var fails []string
		if t.play != nil {
			var err error
			if fails, err = t.play(ctx, ids); err != nil {
				mu.Lock()
				failed = cmp.Or(failed, err)
				mu.Unlock()
				return
			}
		} else {
			var ok bool
			if fails, _, ok = l.play(ctx, t.changed, ids, true); !ok {
				return // the rules can't be read so
			}
		}
		hits[i] = hit{true, map[string]bool{}}
		for _, id := range fails {
			hits[i].fails[id] = true
		}
	})
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	better := []Proof{ByMistake, ByOwn, ByShared, Unmoved, Untried}
	for i := range trials {
		t := &trials[i]
		if !hits[i].tried {
			continue
		}
		for _, r := range t.refs {
			for _, k := range of[r] {
				c := &rep.Claims[k]
				c.Tried++
				proof := Unmoved
				if hits[i].fails[c.Case] {
					proof = t.proof
				}
				if slices.Index(better, proof) < slices.Index(better, c.Proof) {
					if c.Proof = proof; proof.Proven() {
						c.By = t.name
					}
				}
			}
		}
	}
	rep.Ledger = accept(rep.Claims, o.Ledger, o.Run != nil || o.Covers != "")
	good := map[Ref]bool{}
	for i := range rep.Claims {
		c := &rep.Claims[i]
		rep.Totals[c.Proof]++
		if c.Side == "confirms" && c.Proof.Proven() {
			good[c.Ref] = true
		}
	}
	for ref, st := range s.status {
		if st == "provisional" || len(of[ref]) == 0 && (o.Run != nil || o.Covers != "" || !s.Within(o.Of, s.declared[ref])) {
			continue
		}
		if rep.Statements++; !good[ref] && o.Run == nil {
			rep.Unproven = append(rep.Unproven, ref)
		}
	}
	slices.SortFunc(rep.Unproven, func(a, b Ref) int {
		switch {
		case a.Rule == b.Rule:
			return cmp.Compare(a.Key, b.Key)
		case interpreter.LessRule(a.Rule, b.Rule):
			return -1
		}
		return 1
	})
	return rep, nil
}

// accept marks claims that nothing proves and that the ledger speaks of.
func accept(claims []Claim, ledger []Unproven, part bool) []LedgerFault {
	faults := []LedgerFault{}
	for _, u := range ledger {
		i := slices.IndexFunc(claims, func(c Claim) bool { return c.Case == u.Case && (c.Key == u.Statement || c.Ref.String() == u.Statement) })
		switch {
		case i < 0 && !part:
			faults = append(faults, LedgerFault{Entry: u.Case + " " + u.Statement, Code: "no-claim"})
		case i >= 0 && claims[i].Proof.Proven():
			faults = append(faults, LedgerFault{Entry: u.Case + " " + u.Statement, Code: "proven"})
		case i >= 0:
			claims[i].Proof, claims[i].Reason = Accepted, u.Reason
		}
	}
	return faults
}
