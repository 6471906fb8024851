package interpreter

import (
	"encoding/json"
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
