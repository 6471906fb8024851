// Package fakes holds programs that are wrong on purpose, to show that the
// conformance suite catches them: engines with one classic mistake each, and
// programs that break the protocol. Its table says of each what it does wrong, which
// statement that breaks, and which verdict it must get.
//
// An engine with a mistake is a whole engine: ours by changed rules, or the second
// implementation with a place in it changed. None looks at what is expected.
package fakes

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// The table of fakes, as JSON.
//
//go:embed table.json
var table []byte

// What a fake is made of.
const (
	Ours   = "momon"  // this engine, by changed rules
	Second = "second" // the second implementation, changed
	None   = "none"   // a program that knows no rules
)

// Fake is a program that is wrong on purpose.
type Fake struct {
	Name    string            `json:"fake"`
	Title   map[string]string `json:"title"` // what it does wrong, by language
	Made    string            `json:"made_of"`
	Edits   []Edit            `json:"edits,omitempty"`
	Breaks  []string          `json:"breaks,omitempty"` // statements, as "13.2.2 key"
	Verdict string            `json:"verdict"`          // that a case gets, or the program
}

// Edit is a change of one place in a file.
type Edit struct {
	File string `json:"file"`
	Old  string `json:"old"` // stands there once
	New  string `json:"new"`
}

// Table lists the fakes.
func Table() ([]Fake, error) { return Read(table) }

// Read reads a table of fakes.
func Read(data []byte) ([]Fake, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []Fake
	if err := d.Decode(&list); err != nil {
		return nil, err
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("something stands behind the table")
	}
	seen := map[string]bool{}
	for i := range list {
		f := &list[i]
		switch {
		case f.Name == "" || seen[f.Name]:
			return nil, fmt.Errorf("fake %d has no name of its own", i+1)
		case f.Verdict == "":
			return nil, fmt.Errorf("%s: it says no verdict", f.Name)
		case f.Made != Ours && f.Made != Second && f.Made != None:
			return nil, fmt.Errorf("%s: it is made of %q", f.Name, f.Made)
		case f.Made == None && (len(f.Edits) > 0 || faults[f.Name] == nil):
			return nil, fmt.Errorf("%s: there is no such program", f.Name)
		case f.Made != None && (len(f.Edits) == 0 || len(f.Breaks) == 0):
			return nil, fmt.Errorf("%s: it changes nothing, or breaks no statement", f.Name)
		}
		seen[f.Name] = true
	}
	return list, nil
}

// Find finds a fake of the table by its name.
func Find(name string) (*Fake, error) {
	list, err := Table()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
	}
	return nil, fs.ErrNotExist
}

// Misfit says that what a fake changes does not stand once in its file.
type Misfit struct {
	Fake, File, Old string
	Times           int
}

// Error says what was looked for.
func (m *Misfit) Error() string {
	return fmt.Sprintf("fake %s: %s must have once, and has %d times: %s", m.Fake, m.File, m.Times, m.Old)
}

// Apply edits files, which read returns by name, and returns those that changed.
// An edit that no longer fits its file is an error.
func (f *Fake) Apply(read func(name string) (string, error)) (map[string]string, error) {
	out := map[string]string{}
	for _, e := range f.Edits {
		text, ok := out[e.File]
		if !ok {
			var err error
			if text, err = read(e.File); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return nil, &Misfit{Fake: f.Name, File: e.File, Old: e.Old, Times: n}
		}
		out[e.File] = strings.Replace(text, e.Old, e.New, 1)
	}
	return out, nil
}
