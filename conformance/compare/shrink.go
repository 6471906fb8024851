package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// form is the schema of a case: what a smaller scenario must still be.
func form() (*jsonschema.Schema, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(conformance.CaseSchema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("case.schema.json", v); err != nil {
		return nil, err
	}
	return c.Compile("case.schema.json")
}

// Shrink makes a scenario that comes out otherwise on the two sides as small as it
// can: it takes out and simplifies one part after the other, as long as the same
// kind of question, or none, still differs. Where it is ended before, what it has
// by then comes back.
func Shrink(ctx context.Context, stage *interpreter.Stage, side Side, r *Result, seed uint64) (*Difference, error) {
	schema, err := form()
	if err != nil {
		return nil, err
	}
	s := &shrinker{ctx: ctx, stage: stage, side: side, schema: schema, seed: seed, number: r.Number, best: r.Diff, seen: map[string]bool{}}
	s.cut()
	for tries := 0; s.pass() && tries < 40; tries++ {
	}
	return s.best, s.err
}

type shrinker struct {
	ctx    context.Context
	stage  *interpreter.Stage
	side   Side
	schema *jsonschema.Schema
	seed   uint64
	number uint64
	best   *Difference
	seen   map[string]bool // what was tried
	err    error
}

// kind is what must stay the same: which question differs.
func (d *Difference) kind() string {
	q := runner.Step{Ask: d.Question}
	return q.Question()
}

// fits reports whether a smaller scenario is worth a try: it is a case by its form,
// and was not tried before.
func (s *shrinker) fits(bare object) bool {
	data := encode(numbered(bare, nil))
	if s.seen[string(data)] {
		return false
	}
	s.seen[string(data)] = true
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	return err == nil && s.schema.Validate(v) == nil
}

// try keeps the first of several smaller scenarios that still comes out otherwise.
func (s *shrinker) try(list ...object) bool {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil || len(list) == 0 {
		return false
	}
	var all []made
	for i, bare := range list {
		bare = bare.with("id", fmt.Sprintf("smaller-%03d", i)) // ids must differ
		all = append(all, made{bare: bare, seed: s.seed, number: s.number})
	}
	first, err := script(s.ctx, s.stage, all)
	for i := 0; err == nil && i < len(all); i++ {
		var r *Result
		if r, err = judge(s.ctx, &all[i], first[i], s.side); err == nil && r.Outcome == Different && r.Diff.kind() == s.best.kind() {
			id := s.best.bare.get("id")
			s.best = r.Diff
			s.best.bare = s.best.bare.with("id", id)
			s.best.Case = bytes.Replace(s.best.Case, encode(all[i].bare.get("id")), encode(id), 1)
			tried, own := fmt.Sprint(all[i].bare.get("id")), fmt.Sprint(id)
			s.best.First, s.best.Second = strings.ReplaceAll(s.best.First, tried, own), strings.ReplaceAll(s.best.Second, tried, own)
			return true
		}
	}
	s.err = err
	return false
}

// cut leaves out what comes after the difference, and all other questions.
func (s *shrinker) cut() {
	bare := s.best.bare
	steps, _ := bare.get("script").([]any)
	for k := range steps { // the same may be asked several times
		o, _ := steps[k].(object)
		if s.best.Question != nil && bytes.Equal(encode(o.get("ask")), compact(s.best.Question)) &&
			s.try(bare.with("script", only(steps[:k+1], steps[k]))) {
			return
		}
	}
	s.try(bare.with("script", only(steps, nil)))
}

// only is a script with its questions left out, but for one.
func only(steps []any, question any) []any {
	keep := encode(question)
	out := []any{}
	for i, x := range steps {
		if o, ok := x.(object); ok && o.has("ask") && (i != len(steps)-1 || !bytes.Equal(encode(x), keep)) {
			continue
		}
		out = append(out, x)
	}
	return out
}

func compact(data json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return data
	}
	return b.Bytes()
}

// pass tries every part once; it reports whether anything became smaller.
func (s *shrinker) pass() bool {
	smaller := false
	for s.err == nil {
		again := false
		for _, key := range []string{"script", "start"} {
			if s.part(key) {
				smaller, again = true, true
			}
		}
		if !again {
			break
		}
	}
	return smaller
}

// part makes the first smaller form of the script or the start that still differs,
// again and again.
func (s *shrinker) part(key string) bool {
	smaller := false
	for found := true; found && s.err == nil; {
		found = false
		bare := s.best.bare
		var some []object
		smallerForms(bare.get(key), func(v any) bool {
			if b := bare.with(key, v); s.fits(b) {
				some = append(some, b)
			}
			if len(some) >= together {
				found = s.try(some...)
				some = nil
			}
			return found || s.err != nil
		})
		if !found {
			found = s.try(some...)
		}
		smaller = smaller || found
	}
	return smaller
}

// together is how many forms are tried at once: reading the rules takes longer than
// playing a few cases.
const together = 20

// smallerForms gives the forms of a value that are smaller by one part, the largest
// parts first, until yield reports that one will do.
func smallerForms(v any, yield func(any) bool) bool {
	switch v := v.(type) {
	case []any:
		for i := range v { // windows go with their ends
			open, ok := v[i].(object)
			if !ok || !open.has("open") {
				continue
			}
			for j := i + 1; j < len(v); j++ {
				if end, ok := v[j].(object); ok && end.get("close") == open.get("open") {
					out := append(append(append([]any{}, v[:i]...), v[i+1:j]...), v[j+1:]...)
					if yield(out) {
						return true
					}
					break
				}
			}
		}
		for i := range v {
			if yield(append(append([]any{}, v[:i]...), v[i+1:]...)) {
				return true
			}
		}
		for i := range v { // what an element holds, in its place
			if o, ok := v[i].(object); ok {
				for _, f := range o {
					if list, ok := f.value.([]any); ok && yield(append(append(append([]any{}, v[:i]...), list...), v[i+1:]...)) {
						return true
					}
				}
			}
		}
		for i := range v {
			if smallerForms(v[i], func(x any) bool {
				out := append([]any{}, v...)
				out[i] = x
				return yield(out)
			}) {
				return true
			}
		}
	case object:
		for _, f := range v {
			if yield(v.without(f.key)) {
				return true
			}
		}
		for _, x := range inner(v) {
			if yield(x) {
				return true
			}
		}
		if v.has("op") && (yield(true) || yield(number(0)) || yield(number(1))) {
			return true
		}
		for i, f := range v {
			if smallerForms(f.value, func(x any) bool {
				if f.key == "times" && x == number(0) {
					return false // never done: it would tell of something else
				}
				out := append(object(nil), v...)
				out[i].value = x
				return yield(out)
			}) {
				return true
			}
		}
	case json.Number:
		if v != "0" && (yield(number(0)) || v != "1" && yield(number(1))) {
			return true
		}
	}
	return false
}

// inner lists what could stand in the place of an object: what it holds.
func inner(o object) []any {
	var out []any
	for _, f := range o {
		switch v := f.value.(type) {
		case object:
			out = append(out, v)
		case string:
			if f.key == "of" {
				out = append(out, v)
			}
		case []any:
			out = append(out, v...)
		}
	}
	return out
}
