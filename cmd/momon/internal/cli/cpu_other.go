//go:build !unix

package cli

import "time"

// processorTime is not told by this system.
func processorTime() time.Duration { return 0 }
