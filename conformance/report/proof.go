package report

import (
	"encoding/json"
	"fmt"
)

// Proof is how good the suite was shown to be: the part of what momon conformance
// prove writes down that reports show.
type Proof struct {
	Proof      int            `json:"proof"` // the version of the form
	Edition    string         `json:"edition"`
	Claims     map[string]int `json:"claims"`  // what cases say that they cover, by what shows it
	Mutants    map[string]int `json:"mutants"` // changes of the rules, by what became of them
	Fakes      int            `json:"fakes"`   // programs that are wrong on purpose, all caught
	Compare    *Compared      `json:"compare"` // nil where nothing was compared
	Statements []ProofRow     `json:"statements"`
}

// Compared is what came of random scenarios that two engines played.
type Compared struct {
	Scenarios int `json:"scenarios"`
	Questions int `json:"questions"`
	Same      int `json:"same"`
	Different int `json:"different"`
}

// ProofRow is what there is for a statement.
type ProofRow struct {
	Rule           string `json:"rule"`
	Statement      string `json:"statement"`
	Confirms       int    `json:"confirms"`
	ConfirmsProven int    `json:"confirms_proven"`
	Refutes        int    `json:"refutes"`
	RefutesProven  int    `json:"refutes_proven"`
	Mutants        int    `json:"mutants"`
	Killed         int    `json:"killed"`
	Mistakes       int    `json:"mistakes"`
}

// proofVersion is the version of the form that is read.
const proofVersion = 1

// ErrNoProof says that a file is no proof that this package can read.
var ErrNoProof = fmt.Errorf("this is no proof of form %d", proofVersion)

// ReadProof reads a proof.
func ReadProof(data []byte) (*Proof, error) {
	p := &Proof{}
	if json.Unmarshal(data, p) != nil || p.Proof != proofVersion || p.Edition == "" {
		return nil, ErrNoProof
	}
	return p, nil
}

// Of reports whether the proof is of the edition that all records of a set are of.
func (p *Proof) Of(s *Set) bool {
	for _, x := range s.Programs {
		if x.Record.Header.Edition != p.Edition {
			return false
		}
	}
	return true
}

// Lines say in a few sentences what was shown.
func (p *Proof) Lines(lang string) []string {
	proven, claims := 0, 0
	for how, n := range p.Claims {
		claims += n
		if how == "mistake" || how == "own" || how == "shared" {
			proven += n
		}
	}
	mutants := 0
	for fate, n := range p.Mutants {
		if fate != "refused" { // it could not be read, so it is none
			mutants += n
		}
	}
	lines := []string{
		Text(lang, "proof-claims", proven, claims),
		Text(lang, "proof-mutants", p.Mutants["killed"]+p.Mutants["limit"], mutants, p.Mutants["game"], p.Mutants["ledger"], p.Mutants["survived"]),
		Text(lang, "proof-fakes", p.Fakes),
	}
	if c := p.Compare; c != nil {
		lines = append(lines, Text(lang, "proof-compare", c.Scenarios, c.Questions, c.Same, c.Different))
	}
	return lines
}

// row is what there is for a statement; nil where there is nothing.
func (p *Proof) row(rule, statement string) *ProofRow {
	for i := range p.Statements {
		if r := &p.Statements[i]; r.Rule == rule && r.Statement == statement {
			return r
		}
	}
	return nil
}

// line says it in one line.
func (r *ProofRow) line(lang string) string {
	return Text(lang, "proof-row", r.ConfirmsProven, r.Confirms, r.RefutesProven, r.Refutes, r.Killed, r.Mutants, r.Mistakes)
}
