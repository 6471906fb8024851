package grammar

import "github.com/momon-rules/momon/grammar/source"

// File is one rule file as it was read: its declarations in order, those that
// failed to parse left out (each has a diagnostic).
type File struct {
	Source   *source.File
	Decls    []*Decl
	Comments []Token // every comment, in order; the formatter puts them back
}

// Decl is one declaration: a head word and what belongs to it. Exactly one of
// the pointers below Head is set, the one that fits the head word.
type Decl struct {
	source.Span
	Mod     string      // "", "override" or "extend"
	Head    string      // the head word: "card", "layer", "action" …
	At      source.Span // the head word itself
	Plain   *Plain      // edition provisional values kind zone layer order reading statement summary phrase view language text pack
	Char    *Char       // characteristic, memory
	Always  *Always     // a rule of the game that no card carries
	Table   *Table
	Action  *Action
	Step    *Step
	Token   *TokenDecl
	Rules   *Rules // keyword, card, header, errata
	Case    *Case
	Failed  bool      // a part of it could not be read; its name still counts as declared
	Accepts []*Accept // all that stand in it, in order
}

// Name is a name or word as written, in Unicode normal form C with the
// apostrophe and the Thai doublets folded (see Fold).
type Name struct {
	source.Span
	Text string
}

// Str is a string literal, its escapes resolved.
type Str struct {
	source.Span
	Value string
}

// Text is a display text in one language: en "Ward".
type Text struct {
	source.Span
	Lang  string
	Value string
}

// Ref names a numbered rule and, where one is meant, a statement of it:
// 13.2.4 "ward.regrant".
type Ref struct {
	source.Span
	Rule string
	Key  string
}

// Cite is the margin of a clause: the rules that it carries out.
type Cite struct {
	source.Span
	Refs        []Ref
	Provisional bool
	Accepts     []*Accept
}

// Accept says that a warning is meant to be there: accept CODE because "reason".
type Accept struct {
	source.Span
	Code   Name
	Reason Str
	Covers source.Span // the line in which it stands, with its block; in the head of a declaration, all of it
}

// Tail ends a declaration's head: texts, editions, citation.
type Tail struct {
	Texts []Text
	From  *Str // from "1.1.0": the first edition in which it holds
	Until *Str // until "1.2.0": the first edition in which it no longer holds
	Cite  *Cite
}

// Expr is an expression as a slice of tokens; the interpreter gives it meaning.
type Expr struct {
	source.Span
	Tokens []Token
}

// Join is a preposition or join word with its expressions: at 0, -1.
type Join struct {
	source.Span
	Word  string // by to from at on of in after is where with
	Exprs []*Expr
}

// Plain is a declaration of the simplest shape: a title, joins, and lines.
type Plain struct {
	Title  Name // the name, the string's value, or the rule number
	Kind   TitleKind
	Key    *Str // after a rule number: statement 1.2.3 "some.key"; of text en "English", the name (also in Tail.Texts)
	Status Name // after the title of a statement: normative, interpretation or provisional
	Joins  []Join
	Tail   Tail
	Lines  []*Line
	Block  bool // had braces
}

// TitleKind says what a title was written as.
type TitleKind int

// The ways to write a title.
const (
	TitleName TitleKind = iota
	TitleString
	TitleRule
)

// Line is one line of a Plain block: a head, expressions, joins.
type Line struct {
	source.Span
	Head  Name
	IsStr bool // the head was a string literal
	Exprs []*Expr
	Joins []Join
	Tail  Tail
}

// TypeRef names a type: a kind, a values list, number, flag or text.
type TypeRef struct {
	source.Span
	Several bool
	Kind    Name
}

// Source says where objects or a value come from: each Kind where …, or an
// expression.
type Source struct {
	source.Span
	Each  *Name
	Where *Expr
	Expr  *Expr
}

// Char declares a characteristic or a memory:
// characteristic NAME of KIND: TYPE = SOURCE printed floor 0 en "…".
type Char struct {
	source.Span
	Memory  bool
	Name    Name
	Of      *Name
	Type    TypeRef
	Value   *Source
	Printed bool
	Floor   *Expr
	Ceiling *Expr
	Tail    Tail
}

// Param is a typed parameter: (n: number).
type Param struct {
	source.Span
	Name Name
	Type TypeRef
}

// Table is a number for each pair (or single, or triple) of names.
type Table struct {
	Name    Name
	Params  []Param
	Result  *TypeRef
	Default *Expr
	Tail    Tail
	Rows    []*Row
}

// Row is one line of a table: keys, a colon, a value.
type Row struct {
	source.Span
	Keys  []*Expr
	Value *Expr
}

// Role is a place in an action: target: Momon, by source: Momon.
type Role struct {
	source.Span
	Prep    string // "" for the object, else by to from at on of, or "within"
	Name    Name
	Type    TypeRef
	Default *Source
}

// Action declares a kind of happening.
type Action struct {
	Name  Name
	Roles []Role
	Tail  Tail
	Lines []*ActLine
}

// ActLine is one line of an action or a step; exactly one field is set.
type ActLine struct {
	source.Span
	Char    *Char
	OnlyIf  *Expr
	Else    []Text // with OnlyIf: what is told of one that was refused for it
	Needs   *Need
	Gathers *Gathers
	Role    *RoleWords
	Says    []Text
	Do      *Body
	Cite    *Cite
}

// Need is an action without which another is not done: needs give target to taker.
type Need struct {
	source.Span
	Call  *Call
	Where *Expr // when it is needed; nil for always
}

// Gathers collects the records of nested actions: gathers snatched from snatch.
type Gathers struct {
	Name  Name
	From  Name
	Texts []Text
}

// RoleWords says what people call a role: role source en "source".
type RoleWords struct {
	Name  Name
	Texts []Text
}

// Step is a window inside a window: step Main of turn after Start.
type Step struct {
	Name  Name
	Of    Name
	After *Name
	Tail  Tail
	Lines []*ActLine
}

// TokenDecl declares a kind of token: token Ward on Momon limit 1.
type TokenDecl struct {
	Name  Name
	On    *Name
	Limit *Expr
	Tail  Tail
	Chars []*Char
	Rules []*Always
}

// Rules is a keyword, card, header or errata: named rule text.
type Rules struct {
	Name   Name
	IsStr  bool
	Params []Param
	Tail   Tail
	Lines  []*RuleLine
}

// RuleLine is one line of rule text; exactly one pointer is set.
type RuleLine struct {
	source.Span
	Phrase  *Phrase // a header or keyword call: Header: …, Keyword 2
	Always  *Always
	When    *When
	Granted *Granted
	Says    []Text
	Field   *Field // power 3; trait Beast, Spirit; owner P1
	Cite    *Cite
}

// Phrase is a line that begins with a name. The longest declared header or
// keyword at its start is meant; the rest are arguments.
type Phrase struct {
	source.Span
	Words []Token
	In    *Expr // in ZONE
	Where *Expr
	Limit *Limit
	Body  *Body
}

// Field gives a characteristic its printed value.
type Field struct {
	Name  Name
	Exprs []*Expr
}

// Always is a static ability: always [in ZONE] [on SOURCE] [while COND] changes.
type Always struct {
	source.Span
	Name    *Name // always D on …: a label for cases
	In      *Expr
	On      *Source
	While   *Expr
	Changes *Changes
	Cite    *Cite
}

// When is a triggered ability.
type When struct {
	source.Span
	In         *Expr
	Moment     *Moment
	MomentCite *Cite
	Among      *Expr
	AmongWhere *Expr
	AmongCite  *Cite
	Limit      *Limit
	Body       *Body
}

// Limit bounds how often something may happen: once per turn, limit 2 per check.
type Limit struct {
	source.Span
	Count *Expr // nil for once
	Per   Name
	Cite  *Cite
}

// Granted is what happens as a keyword is granted: granted to m { … }.
type Granted struct {
	source.Span
	To    Name
	Lines []*GrantLine
}

// GrantLine is a condition, a need or an instruction of a Granted block.
type GrantLine struct {
	source.Span
	OnlyIf *Expr
	Else   []Text // with OnlyIf: what is told of one that was refused for it
	Needs  *Need
	Instr  *Instr
	Cite   *Cite
}

// Moment is a point in time: [start of|end of|during] [next] PATTERN.
type Moment struct {
	source.Span
	Edge    string // "", "start", "end" or "during"
	Next    bool
	Pattern *Pattern
}

// Pattern speaks of a kind of action: snatch where target == self.
type Pattern struct {
	source.Span
	Action Name
	Where  *Expr
}

// Changes is what an effect does: one operation, or a block.
type Changes struct {
	source.Span
	Items []*Change
	Block bool
}

// Change is one line of Changes; exactly one pointer is set.
type Change struct {
	source.Span
	Op      *Op
	When    *When
	Until   *Moment
	While   *Expr
	Finally *Body
	Cite    *Cite
}

// Op is one operation of a continuous effect.
type Op struct {
	source.Span
	Verb    string // set add remove strip lock raise lower copy prohibit permit require instead
	At      source.Span
	Base    bool     // set base CHAR to …
	Char    *Name    // set CHAR to …, add CHAR …, raise CHAR by …, strip CHAR, lock CHAR
	Value   *Expr    // the value, amount, keyword call or copied object
	Pattern *Pattern // prohibit, permit, require, instead of
	Body    *Body    // instead of
}

// Body is one instruction after a colon, or several in braces.
type Body struct {
	source.Span
	Instrs []*Instr
	Block  bool
}

// Instr is one instruction. Verb is its head word; the fields that the verb
// uses are set:
//
//	record   Path, Value
//	choose   Min, Max, Var, From, For, By, Chance
//	may      By, Body
//	either   By, Options
//	if       Cond, Body, Else
//	for      Var, From, OrderedBy, Body
//	repeat   Until (a flag), Cond, Body
//	together Body
//	as       By (the object or player), Body
//	effect   Label, From (on …), Moment (until …), While, Timestamp, Changes
//	later    Moment, Body
//	proceed  With
//	other    Action, Object (first role), Args, Moment (until …), With
type Instr struct {
	source.Span
	Verb      string
	At        source.Span // the verb
	Path      []Name
	Value     *Expr
	Min, Max  *Expr
	Var       *Name
	From      *Source
	For       *Call // choose m from … for ACTION
	By        *Expr
	Chance    bool   // by chance
	Limit     *Limit // may once per turn: how often it may be taken up
	Body      *Body
	Else      *Body
	Options   []*Option
	Cond      *Expr
	Until     bool
	OrderedBy *Expr
	Label     *Name
	Moment    *Moment
	While     *Expr
	Timestamp *Expr
	Changes   *Changes
	Action    *Name
	Count     *Expr // remove 1 X from m: the leading number
	Object    *Expr
	Args      []Join
	With      []With
	Cite      *Cite
}

// Call is an action with arguments, not carried out: for snatch by self.
type Call struct {
	source.Span
	Action Name
	Object *Expr
	Args   []Join
	With   []With
}

// Option is one choice of either.
type Option struct {
	source.Span
	Texts []Text
	Body  *Body
}

// With gives an action's attribute its value: with incite = true.
type With struct {
	source.Span
	Name  Name
	Value *Expr
}

// Case is a test of the rules: a start, a script, and what must be seen.
type Case struct {
	ID     Str
	Status string // "", "normative", "interpretation", "provisional" or "draft"
	Tail   Tail
	Lines  []*CaseLine
}

// CaseLine is one line of a case. Verb is its head word, "" for an instruction.
//
//	confirms, refutes   Ref, Reading (reading "…" of an interpretation: under VALUE)
//	given               Names, Kind, Joins, Lines
//	during              Window (Pattern.Action is the window or step), Of, Case
//	as                  Expr, Body
//	expect              Expr
//	refused             Pattern, Word (by prohibit)
//	happened, never     Pattern (never asked: Word is "asked", Pattern nil)
//	asked               Word, By
//	legal, illegal      Call, Word
//	repair              Body
//	answer              Word, Expr (with …), By
type CaseLine struct {
	source.Span
	Verb    string
	At      source.Span
	Ref     *Ref
	Names   []Name
	Kind    *Name
	IsCard  bool // Kind was written as a string: a card's name
	Joins   []Join
	Lines   []*RuleLine
	Window  *Name
	Of      *Expr
	Case    []*CaseLine
	Expr    *Expr
	Body    *Body
	Pattern *Pattern
	Call    *Call
	Kept    *Str // not exportable because "…"
	Word    *Name
	By      *Expr
	Instr   *Instr
	Cite    *Cite
}

// Common is what a declaration has in common with others: texts, citation, edition.
// One that can have none of it gives an empty one.
func (d *Decl) Common() *Tail {
	switch {
	case d.Plain != nil:
		return &d.Plain.Tail
	case d.Char != nil:
		return &d.Char.Tail
	case d.Table != nil:
		return &d.Table.Tail
	case d.Action != nil:
		return &d.Action.Tail
	case d.Step != nil:
		return &d.Step.Tail
	case d.Token != nil:
		return &d.Token.Tail
	case d.Rules != nil:
		return &d.Rules.Tail
	case d.Case != nil:
		return &d.Case.Tail
	}
	return &Tail{}
}
