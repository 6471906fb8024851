package program

import "github.com/momon-rules/momon/grammar/source"

// Routine is the flat code of a body. Locals number from 0; those that the
// surroundings captured come first.
type Routine struct {
	Code   []Instr
	Locals int
	Names  []string // names of the locals
	Types  []Type
	Span   source.Span
	Index  int
	What   string // "action snatch", "keyword Ward", for chains and errors
}

// CodeOp is one operation of a routine.
type CodeOp uint8

// The operations of routines.
const (
	CodeEnd      CodeOp = iota
	CodeSet             // local A = X
	CodeMemory          // memory of object X, characteristic A = Y
	CodeJump            // to A
	CodeUnless          // unless X jump to A
	CodeChoose          // decision; A local; B jump when there is nothing; Choice
	CodeMay             // decision; B jump when declined; Choice
	CodeEither          // decision; Choice with Labels
	CodeBranch          // on the option taken: Jumps
	CodeListInit        // local A = list X, local A+1 = 0
	CodeListNext        // local B = next of list A, or jump to C
	CodeCount           // local A = number X
	CodeCounted         // if local A is 0 jump to C, else count down
	CodeTogether        // begin of a group; A: its end
	CodeGroupEnd        // carry out what the group gathered
	CodeEffect          // make effect A
	CodeLater           // delayed trigger A
	CodeProceed         // the replaced action goes on; Call holds the changed roles
	CodeAct             // perform Call
	CodeArrange         // order list in local A by player X
	CodeRepeat          // guard against endless repetition
	CodeAs              // in a case: go on as by an ability of object or player X; what was is kept in local A
	CodeAsEnd           // back to what local A keeps
)

// Instr is one operation with its operands.
type Instr struct {
	Op      CodeOp
	A, B, C int
	X, Y    *Node
	Call    *Call
	Choice  *Choice
	Jumps   []int
	Cite    Cite
	Span    source.Span
}

// Call is an action with the expressions for its roles.
type Call struct {
	Action  int
	Roles   []*Node // nil: filled from around, or the default
	With    []With
	Until   *Moment
	Recheck []Recheck
	Kind    int          // place, remove: token kind, or -1
	Count   *Node        // place 2, remove 1; nil for one (place) and all (remove)
	Keyword *KeywordCall // grant
	By      *Node        // arrange: who orders
	Chance  bool         // arrange: by chance
	Grants  int          // grant: the effect that adds a keyword which has no instructions of its own, or -1
	Goes    bool         // it is the replaced action that goes on, not a new one
	Span    source.Span
}

// Recheck is a choice whose filter is tested again before its object is used.
type Recheck struct {
	Role  int
	Kind  int
	Where *Node
}

// With gives an attribute its value.
type With struct {
	Slot  int
	Value *Node
}

// Choice is a decision as written.
type Choice struct {
	Name     string
	Min, Max *Node // nil: one
	From     *Node
	For      *Call
	By       *Node
	Chance   bool
	Labels   [][]Text
	Limits   []Limit
	Type     Type
	Requires *Call // the first action of a may, for requirements
	Else     bool  // a may that says what is done otherwise
}

// Case is a test of the rules.
type Case struct {
	Decl
	ID     string
	Status string
	Covers []Cover
	Kept   string     // why it is handed to no other program, as the case says, or ""
	Under  []Switched // readings under which it is played, whichever are chosen
	Givens []Given
	Script []Step
	Locals int
	Names  []string
	Types  []Type
	Index  int
}

// Cover is a claim of a case.
type Cover struct {
	Confirms bool
	Ref      Ref
	Span     source.Span
}

// Switched is a reading with the choice that a case is played under.
type Switched struct {
	Switch, Choice string
	Span           source.Span
}

// Given is an object that a case starts with; its name is a local.
type Given struct {
	Local      int
	Card       int
	Owner      *Node
	Controller *Node
	Zone       int
	X, Y       int
	HasCell    bool
	Span       source.Span
}

// StepKind says what a step of a case's script is.
type StepKind uint8

// The kinds of step.
const (
	StepDo      StepKind = iota // Routine
	StepOpen                    // window Action with Of
	StepClose                   //
	StepExpect                  // X
	StepRefused                 // Pattern, Word
	StepHappened
	StepNever
	StepAsked
	StepNeverAsked
	StepLegal
	StepIllegal
	StepRepair
	StepAnswer
)

// Step is one step of a case's script.
type Step struct {
	Kind    StepKind
	Routine int
	Action  int
	Of      *Node
	X       *Node
	Pattern Pattern
	Word    string
	Labels  []string // answer: effects, abilities or objects in order, as lists name them
	By      *Node
	Call    *Call
	As      *Node
	Rule    []Ref
	Span    source.Span
	Expect  *Expectation
	Bool    bool
}

// Expectation is a question with the answer that must come, kept apart for
// messages.
type Expectation struct {
	Parts []Question
}

// Question is one comparison of an expectation.
type Question struct {
	Text string
	Left *Node
	Op   NodeOp
	Want *Node
	All  *Node
}
