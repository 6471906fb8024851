// Package program is the checked form of a rule set: every name resolved, every
// expression typed, every body flattened to code. A Program never changes once
// it is built, so any number of matches share it without a lock.
//
// It knows objects, characteristics, layers, effects, actions and triggers, but
// no game: all names in it come from rule data.
package program

import "github.com/momon-rules/momon/grammar/source"

// Base is the family of a type.
type Base uint8

// The families of types.
const (
	IsUnknown   Base = iota // a part that failed to check; fits everything, silently
	IsNothing               // the absent object
	IsNumber                // a whole number, 64 bits, overflow is an error
	IsFlag                  // true or false, held as 1 or 0
	IsText                  // a text, held as an index into Program.Texts
	IsOneOf                 // a name out of a values list, held as its index; -1 is nothing
	IsObject                // an object, held as its index in the state; -1 is nothing
	IsHappening             // an action, under way or over, held as an index into the state's records; -1 is nothing
	IsAbility               // an ability of a card
)

// Type is the type of an expression, characteristic or role.
type Type struct {
	Base    Base
	Several bool // a set (of OneOf) or a list in order of birth (of objects, numbers, texts)
	ID      int  // OneOf: index into Values; Object: index into Kinds, -1 any; Happening: index into Actions, -1 any
}

// Scalar types that need no ID.
var (
	NumberType  = Type{Base: IsNumber}
	FlagType    = Type{Base: IsFlag}
	TextType    = Type{Base: IsText}
	NothingType = Type{Base: IsNothing}
)

// Mask reports whether values of the type are sets held as a bit mask.
func (t Type) Mask() bool { return t.Several && t.Base == IsOneOf }

// List reports whether values of the type are lists.
func (t Type) List() bool { return t.Several && t.Base != IsOneOf }

// Entity is the base kind of an object: what Go itself knows of it.
type Entity uint8

// The base kinds.
const (
	NoEntity Entity = iota
	Card
	Token
	Player
	Game
	Place // a zone or a cell of one
	Entities
)

// Values is an ordered list of names: the type of a OneOf.
type Values struct {
	Decl
	Names   []ValueName
	Index   map[string]int
	Builtin string // "keyword", "header", "token", "action": filled from what is declared
}

// ValueName is one name of a values list.
type ValueName struct {
	Name   string
	Texts  []Text
	DX, DY int // a direction's step on a grid, where At is set
	At     bool
	Span   source.Span
}

// Text is a display text in one language.
type Text struct {
	Lang  string
	Value string
}

// Cite names the rules and statements that a definition or clause carries out.
type Cite struct {
	Refs        []Ref
	Provisional bool
}

// Ref is a rule number with, maybe, a statement key.
type Ref struct {
	Rule, Key string
}

// Decl is what every declaration has.
type Decl struct {
	Name        string
	Texts       []Text
	Cite        Cite
	Provisional string // the section that the file stands in for, or ""
	Span        source.Span
	Head        source.Span // the name itself
	Order       int         // position among all declarations, by name, so that file order never matters
}

// Kind is a sort of object: an entity, a declared token, or another kind with
// a condition.
type Kind struct {
	Decl
	Entity Entity
	Parent int   // index of the kind that it narrows, or -1
	Token  int   // index into Tokens for the kind that a token declaration makes, or -1
	Where  *Node // the condition, read with the object as It; nil for none
	Zone   int   // where the condition is just that the object is in one zone: its index, else -1
}

// Char is a characteristic: of objects of an entity, or an attribute of an
// action.
type Char struct {
	Decl
	Entity  Entity // NoEntity for an attribute of an action
	Kind    int    // the kind in the declaration, or -1
	Action  int    // for an attribute: the action, else -1
	Type    Type
	Memory  bool
	Printed bool
	Fact    Fact  // for what Go itself keeps: FactNone otherwise
	Value   *Node // a worked-out characteristic's expression, read with the object as It and Self; nil otherwise
	Floor   *Node // constant
	Ceiling *Node // constant

	Slot      int  // position in the object's row of layered values, of memory, or of an action's attributes
	ReadAfter bool // an attribute that something reads once the act has passed the gate
	Written   bool // some effect in the program can write it, so that a worked-out one needs room for changes
	Index     int
}

// Fact is something about an object that Go keeps and only actions change.
type Fact uint8

// The facts.
const (
	FactNone       Fact = iota
	FactOwner           // of card, token: player
	FactController      // of card, token: player
	FactZone            // of card: place
	FactCell            // of card: place
	FactX               // of place: column, 0-based
	FactY               // of place: row
	FactHost            // of token: the object that it is on
	FactKind            // of token: its kind's name
	FactHere            // false once the object has left for good
	FactTokens          // of any object: tokens on it
	FactCards           // of place: cards in it, in order
	FactCells           // of place: cells of a grid
	FactEmpty           // of place: no card in it
	FactPlayers         // of game: both players
	FactNumber          // of a happening: the how many-th of its kind
	FactAbilityOf       // of a happening: the player whose ability made it
	FactAbilities       // of card: abilities
	FactCauser          // of a happening: the object whose ability made it
	FactPrinted         // of card: the name of its definition
)

// Zone is a place for cards.
type Zone struct {
	Decl
	PerPlayer bool
	Works     bool // abilities work there unless they say otherwise
	Renews    bool // a card that enters becomes a new object
	Pile      bool // ordered; cards are taken from the top
	HiddenFrom
	Width, Height int // of a grid, or 0
	Object        int // filled by the state: the place object of a zone that belongs to no player
}

// HiddenFrom says who can't see a zone's cards.
type HiddenFrom uint8

// Who a zone is hidden from.
const (
	HiddenFromNobody HiddenFrom = iota
	HiddenFromOpponent
	HiddenFromEveryone
)

// TokenKind is a declared kind of token.
type TokenKind struct {
	Decl
	On      int // kind that it can be on, or -1
	Kind    int // the kind that it makes
	Limit   int // at most so many on one object; 0 for no limit
	Effects []int
}

// Layer is one layer of continuous effects.
type Layer struct {
	Decl
	Takes       []Verb
	FloorsEnd   bool // floors and ceilings are applied when the layer ends
	FloorsEach  bool // … after each operation
	NewestFirst bool
	FloorCite   Cite // what the line on floors cites; Cite has it too
}

// Verb is what an operation of an effect does.
type Verb uint8

// The verbs. The first five name what the base holds.
const (
	VerbNone Verb = iota
	VerbSet
	VerbCopy
	VerbAdd
	VerbRemove
	VerbStrip
	VerbLock
	VerbRaise
	VerbLower
	VerbProhibit
	VerbRequire
	VerbPermit
	VerbInstead
	VerbTrigger
	VerbPrint
	VerbErrata
	VerbTable
	VerbBase // set base …: a set in the layer that takes it
)

// VerbNames are the words of the language for verbs.
var VerbNames = []string{"", "set", "copy", "add", "remove", "strip", "lock", "raise", "lower",
	"prohibit", "require", "permit", "instead", "trigger", "print", "errata", "table", "base"}

// String returns the verb's word.
func (v Verb) String() string { return VerbNames[v] }

// TableDef is a number for each combination of names.
type TableDef struct {
	Decl
	Params  []Type
	Result  Type
	Default int64
	Cells   []int64 // row-major over the params' value lists, each with one more for nothing
	Strides []int
	Touch   *Node // in place of the cells, where provisional data must not be read
}

// Param is a parameter of a keyword or card.
type Param struct {
	Name string
	Type Type
	Span source.Span
	Read bool
}

// LessRule orders rule numbers by their parts: 11.9 before 11.10.
func LessRule(a, b string) bool {
	for a != "" && b != "" {
		x, i := leading(a)
		y, j := leading(b)
		if x != y {
			return x < y
		}
		a, b = a[i:], b[j:]
	}
	return len(a) < len(b)
}

func leading(s string) (n, end int) {
	for end < len(s) && s[end] != '.' {
		n = n*10 + int(s[end]-'0')
		end++
	}
	if end < len(s) {
		end++
	}
	return n, end
}

// TypeName is a type as rule data writes it.
func (p *Program) TypeName(t Type) string {
	s := "?"
	switch t.Base {
	case IsNothing:
		s = "nothing"
	case IsNumber:
		s = "number"
	case IsFlag:
		s = "flag"
	case IsText:
		s = "text"
	case IsOneOf:
		s = p.Values[t.ID].Name
	case IsObject:
		s = "object"
		if t.ID >= 0 {
			s = p.Kinds[t.ID].Name
		}
	case IsHappening:
		s = "action"
		if t.ID >= 0 {
			s = p.Actions[t.ID].Name
		}
	case IsAbility:
		s = "ability"
	}
	if t.Several {
		s = "several " + s
	}
	return s
}
