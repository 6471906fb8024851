// Package runner checks a program against the conformance suite: it starts the
// program, sends it the cases without what is expected, compares the answers, and
// gives each case a verdict.
package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
)

// Suite is a suite as read from its files.
type Suite struct {
	Info     protocol.SuiteInfo
	Told     string // the name of the twin, where the cases are told otherwise
	Cases    []*Case
	Rules    []Rule           // in the order of the files
	Readings map[string]Point // the open points, by name
}

// Rule is a numbered rule, as far as the suite speaks of it.
type Rule struct {
	Rule       string            `json:"rule"`
	Summary    map[string]string `json:"summary,omitempty"` // by language
	Statements []Statement       `json:"statements"`
}

// Statement is one thing that a rule says.
type Statement struct {
	Statement string            `json:"statement"`
	Status    string            `json:"status"`
	Text      map[string]string `json:"text"` // by language
}

// Point is a point that the rulebook leaves open.
type Point struct {
	Text   map[string]string `json:"text"`          // what it is about, by language
	Chosen string            `json:"chosen"`        // how the suite reads it
	Own    string            `json:"own,omitempty"` // how a program reads it
	Others []string          `json:"-"`
}

// Case is a case of a suite.
type Case struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Tier     string            `json:"tier"`
	Title    map[string]string `json:"title"`
	Covers   []Cover           `json:"covers"`
	Readings map[string]string `json:"readings"`
	Features []string          `json:"features"`
	Script   []Step            `json:"script"`

	Data  json.RawMessage // whole
	Asked json.RawMessage // without what is expected: what a program is sent
}

// Cover is a statement that a case speaks to.
type Cover struct {
	Rule      string `json:"rule"`
	Statement string `json:"statement"`
	Side      string `json:"side"`
}

// Step is a step that asks something; of others only the number is read.
type Step struct {
	Step   int             `json:"step"`
	Ask    json.RawMessage `json:"ask"`
	Expect json.RawMessage `json:"expect"`
}

// Question is the kind of the question, or "".
func (s *Step) Question() string {
	var q struct {
		Question string `json:"question"`
	}
	if json.Unmarshal(s.Ask, &q) != nil {
		return ""
	}
	return q.Question
}

// Load reads a suite from its files.
func Load(fsys fs.FS) (*Suite, error) {
	data, err := fs.ReadFile(fsys, export.Index)
	if err != nil {
		return nil, err
	}
	var index struct {
		Suite           int
		Edition, Digest string
		Files           []struct{ File string }
		Load            struct{ File string }
		Cases           []struct{ ID string }
		Vocabulary      struct {
			Reading []struct {
				Name, Chosen string
				Others       []string
				Text         map[string]string
			}
		}
	}
	if err := json.Unmarshal(data, &index); err != nil {
		return nil, fmt.Errorf("%s: %w", export.Index, err)
	}
	if index.Suite != export.Version {
		return nil, fmt.Errorf("%s: a suite of version %d; this program reads version %d", export.Index, index.Suite, export.Version)
	}
	s := &Suite{Readings: map[string]Point{}}
	for _, r := range index.Vocabulary.Reading {
		s.Readings[r.Name] = Point{Text: r.Text, Chosen: r.Chosen, Others: r.Others}
	}
	seen := map[string]bool{}
	if index.Load.File != "" {
		index.Files = append(index.Files, index.Load)
	}
	for _, f := range index.Files {
		data, err := fs.ReadFile(fsys, f.File)
		if err != nil {
			return nil, err
		}
		var file struct {
			Rule
			Cases []json.RawMessage
		}
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", f.File, err)
		}
		if file.Rule.Rule != "" {
			s.Rules = append(s.Rules, file.Rule)
		}
		for _, raw := range file.Cases {
			c, err := NewCase(raw)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.File, err)
			}
			if seen[c.ID] {
				return nil, fmt.Errorf("%s: two cases are called %s", f.File, c.ID)
			}
			seen[c.ID] = true
			s.Cases = append(s.Cases, c)
		}
	}
	for _, c := range index.Cases {
		if !seen[c.ID] {
			return nil, fmt.Errorf("%s names %s, which no file has", export.Index, c.ID)
		}
	}
	if len(index.Cases) != len(s.Cases) {
		return nil, fmt.Errorf("%s names %d cases, the files have %d", export.Index, len(index.Cases), len(s.Cases))
	}
	s.Info = protocol.SuiteInfo{Version: index.Suite, Edition: index.Edition, Digest: index.Digest, Cases: len(s.Cases)}
	return s, nil
}

// NewCase reads a case of a suite.
func NewCase(raw json.RawMessage) (*Case, error) {
	c := &Case{}
	if err := json.Unmarshal(raw, c); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, err
	}
	c.Data = b.Bytes()
	var err error
	if c.Loads() {
		return c, c.asLoad()
	}
	if c.Asked, err = Unanswered(c.Data); err != nil {
		return nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	return c, nil
}

// Loads reports whether the case is of tier data: its files are loaded, or must not
// load.
func (c *Case) Loads() bool { return c.Tier == load.Tier }

// asLoad gives a case of tier data its one question.
func (c *Case) asLoad() error {
	var k load.Case
	if err := json.Unmarshal(c.Data, &k); err != nil {
		return err
	}
	if k.Expect == nil {
		return fmt.Errorf("%s expects nothing", c.ID)
	}
	want, err := json.Marshal(k.Expect)
	if err != nil {
		return err
	}
	c.Script = []Step{{Step: 1, Ask: json.RawMessage(`{"question":"` + protocol.LoadQuestion + `"}`), Expect: want}}
	k.Expect = nil
	c.Asked, err = k.Data()
	return err
}

// Twin is the suite with its cases told otherwise, under the name of that twin: as
// the cases of the same ids tell them that it is given. Those of tier data, which
// can't be told otherwise, are left out.
func (s *Suite) Twin(name string, cases []export.Case) (*Suite, error) {
	told := map[string]json.RawMessage{}
	for _, c := range cases {
		told[c.ID] = c.Data
	}
	out := *s
	out.Told = name
	out.Cases = nil
	for _, c := range s.Cases {
		if c.Loads() {
			continue
		}
		data, ok := told[c.ID]
		if !ok {
			return nil, fmt.Errorf("the suite has the case %s, and the rules don't", c.ID)
		}
		k, err := NewCase(data)
		if err != nil {
			return nil, err
		}
		out.Cases = append(out.Cases, k)
	}
	return &out, nil
}

// Unanswered is a case without what is expected of its questions.
func Unanswered(data json.RawMessage) (json.RawMessage, error) {
	// Members keep their order: a program may print what it is sent.
	d := json.NewDecoder(bytes.NewReader(data))
	var b bytes.Buffer
	b.WriteByte('{')
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for first := true; d.More(); first = false {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if key == "script" {
			if v, err = withoutExpect(v); err != nil {
				return nil, err
			}
		}
		if !first {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", key, v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func withoutExpect(script json.RawMessage) (json.RawMessage, error) {
	var steps []json.RawMessage
	if err := json.Unmarshal(script, &steps); err != nil {
		return nil, err
	}
	for i, raw := range steps {
		var st Step
		if err := json.Unmarshal(raw, &st); err != nil {
			return nil, err
		}
		if st.Ask != nil {
			steps[i] = json.RawMessage(fmt.Sprintf(`{"step":%d,"ask":%s}`, st.Step, st.Ask))
		}
	}
	var b bytes.Buffer
	b.WriteByte('[')
	for i, s := range steps {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(s)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// Selection says which cases to run. The zero value takes all.
type Selection struct {
	Run    *regexp.Regexp // ids that fit
	Skip   *regexp.Regexp // ids that fit are left out
	Covers string         // a statement's key, or a rule number: that rule and those below it
	Tier   string
	Status string
}

// ErrNone says that a selection leaves nothing to run.
var ErrNone = errors.New("no case is selected")

// Select picks cases; to pick none is an error.
func (s *Suite) Select(sel Selection) ([]*Case, error) {
	var out []*Case
	for _, c := range s.Cases {
		switch {
		case sel.Run != nil && !sel.Run.MatchString(c.ID), sel.Skip != nil && sel.Skip.MatchString(c.ID),
			sel.Tier != "" && c.Tier != sel.Tier, sel.Status != "" && c.Status != sel.Status:
		case sel.Covers != "" && !slices.ContainsFunc(c.Covers, func(cv Cover) bool {
			return cv.Statement == sel.Covers || cv.Rule == sel.Covers || strings.HasPrefix(cv.Rule, sel.Covers+".")
		}):
		default:
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, ErrNone
	}
	return out, nil
}

// Equal compares an answer with what is expected. Lists are compared without their
// order, unless the question is for an order.
func Equal(question string, want, got json.RawMessage) bool {
	w, ok1 := value(want)
	g, ok2 := value(got)
	if !ok1 || !ok2 {
		return false
	}
	if question == protocol.LoadQuestion {
		return reflect.DeepEqual(w, g)
	}
	wl, wIsList := w.([]any)
	if question == "refused" || question == "legal" {
		if wIsList { // any of them
			return slices.ContainsFunc(wl, func(v any) bool { return same(v, g) })
		}
		return same(w, g)
	}
	gl, gIsList := g.([]any)
	if !wIsList || !gIsList {
		return same(w, g)
	}
	if len(wl) != len(gl) {
		return false
	}
	rest := slices.Clone(gl)
	for i, v := range wl {
		at := slices.IndexFunc(rest, func(x any) bool { return same(v, x) })
		if question == "order" {
			if !same(v, gl[i]) {
				return false
			}
			continue
		}
		if at < 0 {
			return false
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return true
}

func value(data json.RawMessage) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	return v, len(data) > 0 && d.Decode(&v) == nil
}

// same compares two plain values; numbers by their value, so that 3.0 is 3.
func same(a, b any) bool {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if !ok1 || !ok2 {
		switch a.(type) {
		case []any, map[string]any:
			return false
		}
		switch b.(type) {
		case []any, map[string]any:
			return false
		}
		return a == b
	}
	if x == y {
		return true
	}
	f, err1 := x.Float64()
	g, err2 := y.Float64()
	return err1 == nil && err2 == nil && f == g
}
