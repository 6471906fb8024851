package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestProgress sees that the line says how far a run is, does not change too often,
// and is gone at the end.
func TestProgress(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	p := &progress{w: &out, all: 40, now: func() time.Time { return at },
		say: func(done, all, bad int) string { return fmt.Sprintf("%d/%d/%d", done, all, bad) }}
	p.clear()
	if out.Len() > 0 {
		t.Error("it takes away what it never wrote")
	}
	for i := range 40 {
		at = at.Add(progressEvery / 4)
		p.done(i%10 == 9)
	}
	p.clear()
	lines := strings.Split(out.String(), "\r\x1b[K")
	if len(lines) != 12 || lines[1] != "1/40/0" || lines[10] != "37/40/3" || lines[11] != "" {
		t.Errorf("%q", lines)
	}
}
