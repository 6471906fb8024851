package interpreter

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/export"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// Twin is a case told otherwise, which must come out alike.
type Twin struct {
	Swap      bool // the two players change places
	Rename    bool // objects have other labels
	Bystander bool // one more object stands by, which nothing speaks of
}

// ExportedCase is a case as data, for programs that don't read the rule language.
type ExportedCase struct {
	ID    string
	Rules []string // the numbered rules that it covers
	Data  json.RawMessage
}

// NotExportable says what a case uses that the exported vocabulary lacks.
type NotExportable struct {
	ID    string
	Part  string
	Place Place
}

func (e *NotExportable) Error() string {
	return fmt.Sprintf("%s: %s: %q is not in the exported vocabulary", e.Place, e.ID, e.Part)
}

// ExportCase writes a case down as data, and the cases that its repairs make of
// it. docs/conformance.md explains every part. The error is a *NotExportable where
// the case uses something that the vocabulary lacks.
func (p *Program) ExportCase(c Case, t Twin) (out []ExportedCase, err error) {
	defer rescue(&err)
	if c.c == nil {
		return nil, fmt.Errorf("case %q is not of these rules", c.ID)
	}
	list, err := export.Cases(p.p, c.c, export.Twin(t))
	if o := (*export.Outside)(nil); errors.As(err, &o) {
		return nil, &NotExportable{ID: c.ID, Part: o.Part, Place: placeOf(o.Span)}
	}
	for _, k := range list {
		data, err := k.Data.MarshalJSON()
		if err != nil {
			return nil, err
		}
		out = append(out, ExportedCase{ID: k.ID, Rules: k.Rules, Data: data})
	}
	return out, nil
}

// LessRule orders rule numbers by their parts: 11.9 before 11.10.
func LessRule(a, b string) bool { return program.LessRule(a, b) }

// ExportFeatures lists the parts of the exported vocabulary that a case can use
// beyond the plain ones.
func ExportFeatures() []string { return slices.Clone(export.Features) }

// ExportQuestions lists the kinds of question that an exported case can ask.
func ExportQuestions() []string { return slices.Clone(export.Questions) }
