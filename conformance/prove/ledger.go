package prove

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
)

// Entry is a line of the ledger: why no case can see some mutants. What it leaves
// open holds for any, so that one entry can speak of several; it says how many.
type Entry struct {
	File     string  `json:"file"`
	In       string  `json:"in,omitempty"`
	Operator string  `json:"operator,omitempty"`
	Old      string  `json:"old,omitempty"`
	New      *string `json:"new,omitempty"`
	Mutants  int     `json:"mutants"` // how many it speaks of
	Reason   Text    `json:"reason"`
}

// Unproven is a claim that nothing proves, and why that is well.
type Unproven struct {
	Case      string `json:"case"`
	Statement string `json:"statement"`
	Reason    Text   `json:"reason"`
}

// Ledger is what has been looked at by a person and found to be well.
type Ledger struct {
	Mutants []Entry    `json:"mutants"`
	Claims  []Unproven `json:"claims"`
}

// LedgerFault says that an entry of the ledger is not true.
type LedgerFault struct {
	Entry string `json:"entry"`
	Code  string `json:"code"` // count: it speaks of another number of mutants; killed: a case sees one of them; proven: the claim is proven; no-claim: there is no such claim
	Want  int    `json:"want,omitempty"`
	Got   int    `json:"got,omitempty"`
}

// ReadLedger reads a ledger. Each entry has its reason in every language.
func ReadLedger(data []byte, languages []string) (*Ledger, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	l := &Ledger{}
	if err := d.Decode(l); err != nil {
		return nil, err
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind the ledger")
	}
	reasoned := func(what string, t Text) error {
		for _, lang := range languages {
			if t[lang] == "" {
				return fmt.Errorf("%s: it has no reason in %q", what, lang)
			}
		}
		return nil
	}
	for i := range l.Mutants {
		e := &l.Mutants[i]
		if err := reasoned(e.String(), e.Reason); err != nil {
			return nil, err
		}
		if e.File == "" || e.Mutants < 1 {
			return nil, fmt.Errorf("%s: an entry names a file and says of how many mutants it speaks", e.String())
		}
	}
	for _, c := range l.Claims {
		if err := reasoned(c.Case+" "+c.Statement, c.Reason); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Seen names the files of a ledger's entries as they are told, where the ledger names
// them from another folder: from that in which it lies, say. has tells which there are,
// and from are the folders to look from, best first. What is found nowhere stays, and
// speaks of no mutant.
func (l *Ledger) Seen(has func(file string) bool, from ...string) {
	for i := range l.Mutants {
		e := &l.Mutants[i]
		for _, dir := range append([]string{""}, from...) {
			if name := path.Join(dir, e.File); has(name) {
				e.File = name
				break
			}
		}
	}
}

// String names the entry.
func (e *Entry) String() string {
	s := e.File
	for _, part := range []string{e.In, e.Operator, e.Old} {
		if part != "" {
			s += ": " + part
		}
	}
	if e.New != nil {
		s += " → " + *e.New
	}
	return s
}

func (e *Entry) fits(m *Mutant) bool {
	return e.File == m.File && (e.In == "" || e.In == m.In) && (e.Operator == "" || e.Operator == m.Operator) && (e.Old == "" || e.Old == m.Old) &&
		(e.New == nil || *e.New == m.New)
}

// excuse marks the survivors that a ledger speaks of. Where only a part of the
// mutants was tried, or some that an entry fits were left out, what it says of their
// number can't be held against it.
func excuse(list []Tried, ledger []Entry, part bool, left []*Mutant) []LedgerFault {
	faults := []LedgerFault{}
	for k := range ledger {
		e := &ledger[k]
		n := 0
		for i := range list {
			t := &list[i]
			if t.Fate == Survived && e.fits(t.Mutant) {
				t.Fate, t.Reason = Excused, e.Reason
				n++
			}
		}
		some := part || slices.ContainsFunc(left, e.fits)
		if n > e.Mutants || n != e.Mutants && !some {
			faults = append(faults, LedgerFault{Entry: e.String(), Code: "count", Want: e.Mutants, Got: n})
		}
	}
	return faults
}
