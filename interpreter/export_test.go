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

// RapidChecks bounds how many random sequences a property is tried on, and says which:
// so that no test fails by chance, they are the same each time. The command line has
// the last word: -rapid.seed and -rapid.checks try others, and more of them.
func RapidChecks(t *testing.T, n string) {
	t.Helper()
	for name, value := range map[string]string{"rapid.checks": n, "rapid.seed": "1"} {
		f := flag.Lookup(name)
		if f.Value.String() != f.DefValue {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Value.Set(f.DefValue) })
	}
}
