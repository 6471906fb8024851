package diff_test

import (
	"testing"

	"github.com/momon-rules/momon/interpreter/diff"
)

// TestPromises: a version is high enough at the step that is wanted, or before it as one
// that stands before that; never below the last.
func TestPromises(t *testing.T) {
	for _, c := range []struct {
		last    string
		size    diff.Size
		version string
		want    bool
	}{
		{"1.0.0", diff.Minor, "1.1.0", true},
		{"1.0.0", diff.Minor, "1.0.1", false},
		{"1.0.0", diff.Minor, "1.1.0-rc.1", true},
		{"1.0.0", diff.Minor, "1.0.1-rc.1", false},
		{"1.1.0-rc.1", diff.Minor, "1.1.0-rc.2", true},
		{"1.1.0-rc.2", diff.Minor, "1.1.0-rc.1", false},
		{"1.1.0-rc.2", diff.Minor, "1.1.0-rc.2", false},
		{"1.1.0-rc.2", diff.Patch, "1.1.0", true},
		{"1.1.0", diff.Patch, "1.1.1-rc.1", true},
		{"1.1.0", diff.Patch, "1.1.0-rc.9", false},
		{"1.1.0", diff.Major, "2.0.0-rc.1", true},
		{"1.1.0", diff.Major, "1.9.0", false},
		{"0.1.0", diff.Major, "0.2.0-rc.1", true},
		{"1.0.0", diff.None, "1.0.0", true},
	} {
		to := diff.Next(c.last, c.size)
		if got := diff.Promises(c.version, c.last, to); got != c.want {
			t.Errorf("%s after %s, a %s step (%s): %v", c.version, c.last, c.size, to, got)
		}
	}
}
