package interpreter

import (
	"encoding/json"
	"flag"
	"testing"

	"github.com/momon-rules/momon/interpreter/internal/state"
)

// LayoutOf is the layout of a program, for tests.
func LayoutOf(p *Program) string { return p.layout() }

// HashOfState is the hash that a saved match has for a state, for tests.
func HashOfState(t *testing.T, fields map[string]json.RawMessage) string {
	t.Helper()
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	s := &state.State{}
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	return hashState(s)
}

var rapidSet bool // by RapidChecks, not by the command line

// RapidChecks bounds how many random sequences a property is tried on, unless the
// command line says so.
func RapidChecks(t *testing.T, n string) {
	t.Helper()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "rapid.checks" && !rapidSet })
	if said {
		return
	}
	f := flag.Lookup("rapid.checks")
	old := f.Value.String()
	if err := flag.Set("rapid.checks", n); err != nil {
		t.Fatal(err)
	}
	rapidSet = true
	t.Cleanup(func() { f.Value.Set(old) })
}
