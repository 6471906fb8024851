package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Row is what there is for a statement.
type Row struct {
	Ref
	Status         string   `json:"status"`
	Data           int      `json:"data"` // clauses and readings that carry it out
	By             bool     `json:"by"`   // it says itself what carries it out
	Confirms       int      `json:"confirms"`
	ConfirmsProven int      `json:"confirms_proven"`
	Refutes        int      `json:"refutes"`
	RefutesProven  int      `json:"refutes_proven"`
	Mutants        int      `json:"mutants"` // of what carries it out
	Killed         int      `json:"killed"`  // of these
	Mistakes       int      `json:"mistakes"`
	Languages      []string `json:"languages"` // in which it is worded
}

// Record is what a whole proof came to, without what changes from run to run.
type Record struct {
	Proof      int            `json:"proof"` // the version of the form
	Edition    string         `json:"edition"`
	Claims     map[Proof]int  `json:"claims"`
	Mutants    map[Fate]int   `json:"mutants"`
	Fakes      int            `json:"fakes"`
	Twins      map[string]int `json:"twins"`
	Trips      map[string]int `json:"round_trips"`
	Compare    *Comparison    `json:"compare"`
	Modules    []ModuleRow    `json:"modules"`
	Statements []Row          `json:"statements"`
	Unproven   []OpenClaim    `json:"unproven"`
}

// ModuleRow is what a module's own cases are shown to see of it.
type ModuleRow struct {
	Module  string        `json:"module"`
	Cases   int           `json:"cases"`
	Claims  map[Proof]int `json:"claims"`
	Mutants map[Fate]int  `json:"mutants"`
}

// OpenClaim is a claim that nothing proves.
type OpenClaim struct {
	Ref
	Case   string `json:"case"`
	Side   string `json:"side"`
	Proof  Proof  `json:"why"`
	Tried  int    `json:"tried"`
	Reason Text   `json:"reason,omitempty"` // of the ledger
}

// Rows puts together what there is for each statement. wrong are the engines with a
// mistake that were tried.
func (s *Set) Rows(c *CoverReport, m *MutantReport, wrong []Wrong) []Row {
	at := map[Ref]*Row{}
	out := []Row{}
	langs := s.program.Languages()
	texts := map[Ref][]string{}
	for _, l := range langs {
		for _, r := range s.program.Rules(l.Code) {
			for _, st := range r.Statements {
				if ref := (Ref{st.Rule, st.Key}); st.Text != "" && (l.Code == langs[0].Code || st.Text != s.english(ref)) {
					texts[ref] = append(texts[ref], l.Code)
				}
			}
		}
	}
	for _, r := range s.program.Rules("en") {
		for _, st := range r.Statements {
			ref := Ref{st.Rule, st.Key}
			out = append(out, Row{Ref: ref, Status: st.Status, Data: len(st.Data) + len(st.Readings), By: st.By != "", Languages: texts[ref]})
		}
	}
	for i := range out {
		at[out[i].Ref] = &out[i]
	}
	for i := range c.Claims {
		cl := &c.Claims[i]
		row := at[cl.Ref]
		if row == nil {
			continue
		}
		n, proven := &row.Refutes, &row.RefutesProven
		if cl.Side == "confirms" {
			n, proven = &row.Confirms, &row.ConfirmsProven
		}
		if *n++; cl.Proof.Proven() {
			*proven++
		}
	}
	for i := range m.Mutants {
		t := &m.Mutants[i]
		for _, ref := range t.Refs {
			row := at[ref]
			if row == nil || t.Fate == Refused {
				continue
			}
			if row.Mutants++; t.Fate == Killed || t.Fate == Limit || t.Fate == Played {
				row.Killed++
			}
		}
	}
	for _, w := range wrong {
		for _, ref := range w.Breaks {
			if row := at[ref]; row != nil {
				row.Mistakes++
			}
		}
	}
	return out
}

func (s *Set) english(ref Ref) string {
	for _, r := range s.program.Rules("en") {
		for _, st := range r.Statements {
			if (Ref{st.Rule, st.Key}) == ref {
				return st.Text
			}
		}
	}
	return ""
}

// Whole is what came of all parts of a proof.
type Whole struct {
	Covers  *CoverReport
	Mutants *MutantReport
	Fakes   *FakeReport
	Twins   *CheckReport
	Trips   *CheckReport
	Compare *Comparison
	Modules []ModuleRow
	Wrong   []Wrong // the engines with a mistake that were tried
}

// NewRecord sums a whole proof up.
func (s *Set) NewRecord(w *Whole) *Record {
	c := w.Covers
	r := &Record{Proof: 1, Edition: s.program.Edition(), Claims: c.Totals, Mutants: w.Mutants.Totals, Fakes: len(w.Fakes.Fakes), Twins: map[string]int{}, Trips: map[string]int{},
		Compare: w.Compare, Modules: w.Modules, Statements: s.Rows(c, w.Mutants, w.Wrong), Unproven: []OpenClaim{}}
	for _, k := range w.Twins.Checks {
		r.Twins[k.Name] = k.Made
	}
	for _, k := range w.Trips.Checks {
		r.Trips[k.Name] = k.Made
	}
	for i := range c.Claims {
		if cl := &c.Claims[i]; !cl.Proof.Proven() {
			r.Unproven = append(r.Unproven, OpenClaim{cl.Ref, cl.Case, cl.Side, cl.Proof, cl.Tried, cl.Reason})
		}
	}
	return r
}

// JSON is the record as a file.
func (r *Record) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(r)
	return b.Bytes(), err
}

// ReadRecord reads a record.
func ReadRecord(data []byte) (*Record, error) {
	r := &Record{}
	return r, json.Unmarshal(data, r)
}

// Page is the record as a page of Markdown. The same record gives the same bytes.
func (r *Record) Page() []byte {
	var b strings.Builder
	b.WriteString(`# Coverage

<!-- Written by momon conformance prove --write. Do not edit. -->

What there is for each statement of the rules, and what was proven of it.
[The suite proves itself](conformance.md#18-the-suite-proves-itself) tells what the words mean.

สิ่งที่มีสำหรับข้อความแต่ละข้อของกติกา และสิ่งที่พิสูจน์แล้ว

`)
	claims := 0
	for _, n := range r.Claims {
		claims += n
	}
	proven := r.Claims[ByMistake] + r.Claims[ByOwn] + r.Claims[ByShared]
	tried := r.Mutants[Killed] + r.Mutants[Limit] + r.Mutants[Played] + r.Mutants[Excused] + r.Mutants[Survived]
	fmt.Fprintf(&b, "| | |\n| --- | --- |\n")
	fmt.Fprintf(&b, "| claims of cases · คำอ้างของกรณี | %d, of which %d proven: %d by a mistake, %d by data of their own, %d by shared data |\n",
		claims, proven, r.Claims[ByMistake], r.Claims[ByOwn], r.Claims[ByShared])
	fmt.Fprintf(&b, "| mutants · กติกาที่ถูกเปลี่ยน | %d: %d killed by a case, %d by a limit, %d seen in games, %d in the ledger, %d survived |\n",
		tried, r.Mutants[Killed], r.Mutants[Limit], r.Mutants[Played], r.Mutants[Excused], r.Mutants[Survived])
	fmt.Fprintf(&b, "| wrong programs · โปรแกรมที่จงใจให้ผิด | %d, all caught |\n", r.Fakes)
	fmt.Fprintf(&b, "| twins · กรณีคู่แฝด | %d swapped, %d renamed, %d with a bystander, %d saved and loaded |\n", r.Twins["swap"], r.Twins["rename"], r.Twins["bystander"], r.Twins["saved"])
	fmt.Fprintf(&b, "| round trips · ไปแล้วกลับ | %d files laid out, %d cases told again, %d games played again |\n", r.Trips["fmt-again"], r.Trips["export"], r.Trips["replay"])
	if x := r.Compare; x != nil {
		fmt.Fprintf(&b, "| random scenarios, played by two engines · สถานการณ์สุ่มที่เล่นด้วยสองโปรแกรม | %d with %d questions: %d alike, %d different, %d not compared |\n", x.Scenarios, x.Questions, x.Same, x.Different, x.Uncompared)
	}
	b.WriteString(`
Columns: *data*, clauses and readings that carry the statement out (“engine”: no clause
can); *confirm*, *refute*, cases on either side, and how many of them are proven;
*mutants*, changes of its clauses, and how many are killed; *mistakes*, wrong engines
that break it.

| statement · ข้อความ | status | data | confirm | refute | mutants | mistakes | English | ไทย |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`)
	for _, s := range r.Statements {
		data := fmt.Sprint(s.Data)
		if s.Data == 0 && s.By {
			data = "engine"
		}
		mark := func(lang string) string {
			for _, l := range s.Languages {
				if l == lang {
					return "yes"
				}
			}
			return "no"
		}
		mutants := "–"
		if s.Mutants > 0 {
			mutants = fmt.Sprintf("%d of %d", s.Killed, s.Mutants)
		}
		fmt.Fprintf(&b, "| %s `%s` | %s | %s | %d of %d | %d of %d | %s | %d | %s | %s |\n", s.Rule, s.Key, s.Status, data, s.ConfirmsProven, s.Confirms,
			s.RefutesProven, s.Refutes, mutants, s.Mistakes, mark("en"), mark("th"))
	}
	b.WriteString(`
## Modules · โมดูล

What the own cases of a module see of its own rules.

| module · โมดูล | cases | claims | mutants | killed | in its ledger | survived |
| --- | --- | --- | --- | --- | --- | --- |
`)
	for _, m := range r.Modules {
		claims, proven := 0, 0
		for p, n := range m.Claims {
			if claims += n; p.Proven() {
				proven += n
			}
		}
		seen := rate(m.Mutants)
		fmt.Fprintf(&b, "| %s | %d | %d of %d | %d | %d | %d | %d |\n", m.Module, m.Cases, proven, claims, seen.Of+m.Mutants[Excused], seen.Seen, m.Mutants[Excused], m.Mutants[Survived])
	}
	b.WriteString("\n## Claims without a proof · คำอ้างที่ยังไม่ได้พิสูจน์\n\n")
	if len(r.Unproven) == 0 {
		b.WriteString("None: each case fails as soon as a statement that it speaks to is broken.\n\nไม่มี: ทุกกรณีไม่ผ่านทันทีที่ข้อความที่มันพูดถึงถูกทำให้ผิด\n")
		return []byte(b.String())
	}
	b.WriteString(`Nothing that was tried makes these cases fail. The ledger says why that is well.

| case | statement | side | tried | why · เหตุผล |
| --- | --- | --- | --- | --- |
`)
	for _, u := range r.Unproven {
		fmt.Fprintf(&b, "| `%s` | %s `%s` | %s | %d | %s %s |\n", u.Case, u.Rule, u.Key, u.Side, u.Tried, u.Reason["en"], u.Reason["th"])
	}
	return []byte(b.String())
}
