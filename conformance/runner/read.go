package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// RecordError says what is wrong with a record. Code is one of
//
//	empty      there is nothing in it
//	json       line Line is not JSON, or not of the shape of a record's line
//	header     it does not begin with a header
//	version    its form is version Detail, which is not this program's
//	type       line Line is neither a case nor the footer
//	cut        it has no footer: it was cut short after Count of Of cases
//	behind     line Line stands behind the footer
//	count      it has Count cases where its header says Of
//	case       line Line: the case Detail stands there twice, or has what no case has
//	changed    a line was changed since it was written
type RecordError struct {
	Code   string
	Line   int
	Detail string
	Count  int
	Of     int
}

// Error says it plainly, in English.
func (e *RecordError) Error() string {
	switch e.Code {
	case "cut", "count":
		return fmt.Sprintf("the record is not whole: %d of %d cases", e.Count, e.Of)
	case "changed":
		return "the record was changed since it was written"
	}
	return fmt.Sprintf("line %d is not of a record (%s): %s", e.Line, e.Code, e.Detail)
}

// Read reads a record. It must be whole and as it was written; what it says may
// still be that a run was given up.
func Read(in io.Reader) (*Report, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &RecordError{Code: "empty"}
	}
	r := &Report{}
	sum := sha256.New()
	seen := map[string]bool{}
	footer := false
	n := 0
	for line := range bytes.Lines(data) {
		n++
		line = bytes.TrimRight(line, "\r\n")
		bad := func(code, detail string) error { return &RecordError{Code: code, Line: n, Detail: detail} }
		if footer {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			return nil, bad("behind", short(line))
		}
		var kind struct{ Type string }
		if err := json.Unmarshal(line, &kind); err != nil {
			if n > 1 && !bytes.HasSuffix(data, []byte("\n")) && bytes.HasSuffix(data, line) { // the end of it is missing
				return nil, &RecordError{Code: "cut", Count: len(r.Cases), Of: r.Header.Selected}
			}
			return nil, bad("json", short(line))
		}
		switch {
		case n == 1 && kind.Type != "header":
			return nil, bad("header", short(line))
		case n == 1:
			if err := json.Unmarshal(line, &r.Header); err != nil {
				return nil, bad("json", err.Error())
			}
			if r.Header.Report != ReportVersion {
				return nil, bad("version", fmt.Sprint(r.Header.Report))
			}
		case kind.Type == "case":
			var c CaseLine
			if err := json.Unmarshal(line, &c); err != nil {
				return nil, bad("json", err.Error())
			}
			if c.ID == "" || seen[c.ID] || len(c.Covers) == 0 && c.Status != Language || !slices.Contains(Statuses, c.Status) || !slices.Contains(Verdicts, c.Verdict) {
				return nil, bad("case", c.ID)
			}
			seen[c.ID] = true
			r.Cases = append(r.Cases, c)
		case kind.Type == "footer":
			if err := json.Unmarshal(line, &r.Footer); err != nil {
				return nil, bad("json", err.Error())
			}
			footer = true
		default:
			return nil, bad("type", kind.Type)
		}
		if !footer {
			sum.Write(line)
			sum.Write([]byte("\n"))
		}
	}
	switch {
	case !footer:
		return nil, &RecordError{Code: "cut", Count: len(r.Cases), Of: r.Header.Selected}
	case len(r.Cases) != r.Header.Selected:
		return nil, &RecordError{Code: "count", Count: len(r.Cases), Of: r.Header.Selected}
	case hex.EncodeToString(sum.Sum(nil)) != r.Footer.Sum,
		!maps.EqualFunc(r.totals(), r.Footer.Totals, func(a, b map[Verdict]int) bool { return maps.Equal(a, b) }),
		r.Footer.Complete != (r.Unrun() == 0):
		return nil, &RecordError{Code: "changed"}
	}
	return r, nil
}
