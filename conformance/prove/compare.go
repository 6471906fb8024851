package prove

import (
	"context"

	"github.com/momon-rules/momon/conformance/compare"
)

// Comparison is what came of random scenarios that two implementations played.
type Comparison struct {
	Seed       uint64   `json:"seed"`
	Scenarios  int      `json:"scenarios"`
	Questions  int      `json:"questions"`
	Same       int      `json:"same"`
	Different  int      `json:"different"`
	Uncompared int      `json:"uncompared"` // left out by one side, or played by neither
	Numbers    []uint64 `json:"numbers"`    // of those that differ
}

// Failed reports whether something differs, or too little was compared to say so.
func (c *Comparison) Failed() bool {
	return c.Different > 0 || !compare.Enough(c.Same, c.Uncompared, c.Scenarios)
}

// Compare has random scenarios played by two sides and counts what comes out alike.
func Compare(ctx context.Context, o compare.Options) (*Comparison, error) {
	list, err := compare.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Seed: o.Seed, Scenarios: len(list), Numbers: []uint64{}}
	for i := range list {
		r := &list[i]
		c.Questions += r.Asked
		switch r.Outcome {
		case compare.Same:
			c.Same++
		case compare.Uncompared:
			c.Uncompared++
		case compare.Different:
			c.Different++
			c.Numbers = append(c.Numbers, r.Number)
		}
	}
	return c, nil
}
