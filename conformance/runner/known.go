package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Known is a case that a program is known to fail, until a day.
type Known struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Issue  string `json:"issue,omitempty"`
	Until  string `json:"until"` // the last day on which it may fail, YYYY-MM-DD
}

// KnownError says what is wrong with an entry of a list of known failures: Code is
// no-case, twice, no-reason or no-day.
type KnownError struct {
	Code, ID, Until string
}

// Error says it in English.
func (e *KnownError) Error() string {
	switch e.Code {
	case "no-case":
		return fmt.Sprintf("the suite has no case %q", e.ID)
	case "twice":
		return e.ID + " stands there twice"
	case "no-reason":
		return e.ID + " has no reason"
	}
	return fmt.Sprintf("%s: until %q is no day (YYYY-MM-DD)", e.ID, e.Until)
}

// LoadKnown reads a list of known failures. Each needs a reason and an end, and
// names a case of the suite, once.
func LoadKnown(s *Suite, data []byte) (map[string]Known, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []Known
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, c := range s.Cases {
		ids[c.ID] = true
	}
	out := map[string]Known{}
	for _, k := range list {
		switch _, twice := out[k.ID]; {
		case !ids[k.ID]:
			return nil, &KnownError{"no-case", k.ID, k.Until}
		case twice:
			return nil, &KnownError{"twice", k.ID, k.Until}
		case k.Reason == "":
			return nil, &KnownError{"no-reason", k.ID, k.Until}
		}
		if _, err := time.Parse(time.DateOnly, k.Until); err != nil {
			return nil, &KnownError{"no-day", k.ID, k.Until}
		}
		out[k.ID] = k
	}
	return out, nil
}

// Expect takes known failures into account: one that fails is set apart, one that
// passes is a failure, and so is one whose day is over.
func (r *Report) Expect(known map[string]Known, today string) {
	r.expect(known, func(k Known) bool { return k.Until < today })
}

func (r *Report) expect(known map[string]Known, over func(Known) bool) {
	for i := range r.Cases {
		c := &r.Cases[i]
		k, ok := known[c.ID]
		if !ok || !c.Verdict.Bad() && c.Verdict != Pass {
			continue
		}
		c.Known = &k
		if c.Verdict == Pass {
			c.Verdict, c.Detail = Mended, k.Reason
		} else {
			c.Expired = over(k)
		}
	}
	r.Footer.Totals = r.totals()
}

// Failed reports whether a case counts as a failure of the program.
func (c *CaseLine) Failed() bool {
	return c.Verdict == Mended || c.Verdict.Bad() && (c.Known == nil || c.Expired)
}
