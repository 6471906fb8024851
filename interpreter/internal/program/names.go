package program

import (
	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
)

// NameKey says which thing a name means. Two keys are equal where they mean the
// same thing, in whatever edition and with whatever folders it was checked.
type NameKey struct {
	Sort string      // "keyword", "role", "local" …
	Of   string      // what it belongs to: an action, a values list, a family of kinds
	Name string      // folded
	At   source.Span // of a name that only a body or a case knows: where it is given
}

// Mention is a place that speaks of a named thing.
type Mention struct {
	Key      NameKey
	Span     source.Span
	Declares bool
	Whole    source.Span // of a declaration: all of it
	Loose    bool        // it may mean something else as well
}

// Names collects the places that name things while a program is checked.
type Names struct {
	Mentions []Mention
	Locals   map[NameKey]Type // of names that only a body or a case knows: their types
	Chars    map[NameKey]*grammar.Char
}
