package runner

import "time"

// Wait has a run ask f, in place of the clock, when a program has been waited for
// long enough.
func (o *Options) Wait(f func(limit time.Duration, closed bool) <-chan time.Time) { o.wait = f }
