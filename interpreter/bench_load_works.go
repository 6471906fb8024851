package interpreter

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// LoadReport is what momon bench load prints.
type LoadReport struct {
	Cards     int     `json:"cards"`
	Shapes    int     `json:"shapes"` // 0: every ability has a shape of its own
	Bytes     int     `json:"bytes"`
	JSONBytes int     `json:"json_bytes"`
	Median    float64 `json:"ms"`
	Min       float64 `json:"min_ms"`
	JSON      float64 `json:"json_ms"`
	JSONMin   float64 `json:"json_min_ms"`
	Ratio     float64 `json:"ratio"`
	RatioMin  float64 `json:"ratio_of_mins"`
}

// loadCard is a card as JSON has it.
type loadCard struct {
	Name      string        `json:"name"`
	Element   string        `json:"element"`
	Trait     []string      `json:"trait"`
	Gift      []string      `json:"gift"`
	Power     int           `json:"power"`
	Worth     int           `json:"worth"`
	Abilities []loadAbility `json:"abilities"`
}

type loadAbility struct {
	On     string `json:"on"`
	While  string `json:"while,omitempty"`
	Change string `json:"change"`
}

// BenchLoad loads cards made from a seed, two abilities each out of so many
// shapes with constants drawn freely, and the same cards as JSON through
// encoding/json, alternately.
func BenchLoad(ctx context.Context, cards, shapes, runs int, seed uint64) (LoadReport, error) {
	rep := LoadReport{Cards: cards, Shapes: shapes}
	list := loadCards(cards, shapes, seed)
	asJSON, err := json.Marshal(list)
	if err != nil {
		return rep, err
	}
	rep.JSONBytes = len(asJSON)
	fsys := memory{"vocabulary.momon": loadVocabulary()}
	for from := 0; from < cards; from += 1000 {
		var b strings.Builder
		for i := range list[from:min(from+1000, cards)] {
			list[from+i].write(&b)
		}
		rep.Bytes += b.Len()
		fsys[fmt.Sprintf("cards-%d.momon", from)] = b.String()
	}
	var ours, theirs []float64
	for range runs {
		start := time.Now()
		if _, diags, err := Load(ctx, []Source{{Name: "bench", FS: fsys}}, Options{}); err != nil {
			if len(diags) > 0 {
				return rep, fmt.Errorf("%w: %s", err, diags[0].Code)
			}
			return rep, err
		}
		ours = append(ours, float64(time.Since(start).Nanoseconds())/1e6)
		start = time.Now()
		var back []loadCard
		if err := json.Unmarshal(asJSON, &back); err != nil {
			return rep, err
		}
		theirs = append(theirs, float64(time.Since(start).Nanoseconds())/1e6)
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	rep.Median, rep.Min, rep.JSON, rep.JSONMin = ours[runs/2], ours[0], theirs[runs/2], theirs[0]
	rep.Ratio, rep.RatioMin = rep.Median/rep.JSON, rep.Min/rep.JSONMin
	return rep, nil
}

// loadCards makes cards from a seed.
func loadCards(cards, shapes int, seed uint64) []loadCard {
	r := rand.New(rand.NewPCG(seed, 7))
	list := make([]loadCard, cards)
	for i := range list {
		list[i] = loadCard{Name: fmt.Sprintf("Card %d", i), Element: fmt.Sprint("E", r.IntN(6)), Trait: []string{fmt.Sprint("T", r.IntN(12)), fmt.Sprint("T", 12+r.IntN(12))},
			Gift: []string{fmt.Sprint("A", r.IntN(12))}, Power: 1 + r.IntN(9), Worth: r.IntN(4)}
		for k := range 2 {
			shape := i*2 + k
			if shapes > 0 {
				shape = r.IntN(shapes)
			}
			list[i].Abilities = append(list[i].Abilities, shapeOf(r, shape))
		}
	}
	return list
}

// write writes a card as rule data.
func (c *loadCard) write(b *strings.Builder) {
	fmt.Fprintf(b, "card %q {\n  element %s\n  trait %s\n  gift %s\n  power %d\n  worth %d\n", c.Name, c.Element, strings.Join(c.Trait, ", "), c.Gift[0], c.Power, c.Worth)
	for _, a := range c.Abilities {
		while := ""
		if a.While != "" {
			while = " while " + a.While
		}
		fmt.Fprintf(b, "  always on %s%s: %s\n", a.On, while, a.Change)
	}
	b.WriteString("}\n")
}

// BenchPack makes the folder of a pack of so many cards and cases, from a seed. In a
// later version every hundredth card and case says something else than in the one
// before, and the cases still pass.
func BenchPack(cards, cases, version int, seed uint64) fs.FS {
	out := memory{"module.momon": fmt.Sprintf("pack \"bench\" {\n  version \"1.%d.0\"\n}\n", version), "vocabulary.momon": loadVocabulary()}
	list := loadCards(cards, 200, seed)
	for from := 0; from < cards; from += 1000 {
		var b strings.Builder
		for i := from; i < min(from+1000, cards); i++ {
			if i%100 == 0 {
				list[i].Power += version
			}
			list[i].write(&b)
		}
		out[fmt.Sprintf("cards-%05d.momon", from)] = b.String()
	}
	r := rand.New(rand.NewPCG(seed, 11))
	for from := 0; from < cases; from += 100 {
		var b strings.Builder
		for i := from; i < min(from+100, cases); i++ {
			power, more := 1+r.IntN(9), 1+r.IntN(9)
			if i%100 == 0 {
				more += version
			}
			fmt.Fprintf(&b, "case \"bench-%d\" {\n  given A: Thing of P1 { title N%d; element E%d; power %d; worth 0 }\n", i, r.IntN(20), r.IntN(6), power)
			fmt.Fprintf(&b, "  given B: Thing of P2 { title N%d; element E%d; power %d; worth 0 }\n", r.IntN(20), r.IntN(6), power)
			fmt.Fprintf(&b, "  as A: effect on A: raise power by %d\n  expect A.power == %d\n  expect B.power == %d\n}\n", more, power+more, power)
		}
		out[fmt.Sprintf("cases-%05d.momon", from)] = b.String()
	}
	return out
}

// loadVocabulary is what the cards speak in.
func loadVocabulary() string {
	w := &Work{Objects: []WorkObject{{Name: "n20", Element: "e5", Traits: []string{"t23"}, Abilities: []string{"a11"}, Sight: []string{"s7"}}},
		Effects: []WorkEffect{{Layer: 5, Op: "permit", Values: []string{"r5"}}}}
	text, _ := WorkRules(w, false)
	text, _, _ = strings.Cut(text, "case \"work\"")
	return text
}

// shapeOf writes an ability of a shape with constants of its own. The first
// digits of the shape choose what it is on, when it applies and what it does;
// what is left over adds comparisons, so that no two shapes are alike.
func shapeOf(r *rand.Rand, shape int) loadAbility {
	trait := func() string { return fmt.Sprint("T", r.IntN(24)) }
	on := []string{
		trait() + " in trait", "element == E" + fmt.Sprint(r.IntN(6)), fmt.Sprintf("power >= %d", 1+r.IntN(9)), "not (" + trait() + " in trait)",
		fmt.Sprintf("power <= %d", 1+r.IntN(9)), fmt.Sprint("A", r.IntN(12)) + " in gift", "controller == you", "controller != you", "it != self", trait() + " in trait and controller == you",
	}[shape%10]
	a := loadAbility{On: "each Thing where " + on}
	shape /= 10
	switch shape % 4 {
	case 1:
		a.While = fmt.Sprintf("A%d in self.gift", r.IntN(12))
	case 2:
		a.While = fmt.Sprintf("self.power > %d", r.IntN(9))
	case 3:
		a.While = fmt.Sprintf("count(game.things, %s in .trait) >= %d", trait(), 1+r.IntN(4))
	}
	shape /= 4
	switch shape % 5 {
	case 0:
		a.Change = fmt.Sprintf("raise power by %d", 1+r.IntN(9))
	case 1:
		a.Change = "add trait " + trait()
	case 2:
		a.Change = fmt.Sprintf("set power to %d", 1+r.IntN(9))
	case 3:
		a.Change = fmt.Sprintf("raise power by %d * count(game.things, .element == E%d)", 1+r.IntN(3), r.IntN(6))
	case 4:
		a.Change = fmt.Sprintf("remove gift A%d", r.IntN(12))
	}
	for shape /= 5; shape > 0; shape /= 6 {
		a.On += []string{fmt.Sprintf(" and power != %d", r.IntN(9)), fmt.Sprintf(" and element != E%d", r.IntN(6)), fmt.Sprintf(" and worth >= %d", r.IntN(4)),
			fmt.Sprintf(" and title != N%d", r.IntN(20)), fmt.Sprintf(" and power + worth > %d", r.IntN(9)), fmt.Sprintf(" and S%d in sight", r.IntN(8))}[shape%6]
	}
	return a
}
