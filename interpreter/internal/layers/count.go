package layers

// Counters say how computations were made, for benches and tests.
type Counters struct {
	Full     int // from nothing
	Replayed int // layers brought up to date for the objects that a change reached
	Rerun    int // layers run again because their order might have changed
}
