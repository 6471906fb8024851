package program

import "github.com/momon-rules/momon/grammar/source"

// Role is a place in an action.
type Role struct {
	Name    string
	Prep    string // "" for the object, "within" for what is filled from around
	Type    Type
	Default *Node
	Texts   []Text // what people call it
	Span    source.Span
}

// Basic is an action that Go itself can do.
type Basic uint8

// The elementary actions and happenings.
const (
	NotBasic Basic = iota
	BasicMove
	BasicGive
	BasicPlace
	BasicRemove
	BasicGrant
	BasicRecord
	BasicArrange
	BasicShow
	BasicFinish
	BasicTrigger
	BasicLapse
	BasicPick
)

// Action is a kind of happening.
type Action struct {
	Decl
	Basic    Basic
	Roles    []Role
	Attrs    []int // indices into Chars, in slot order
	OnlyIf   []Condition
	Needs    []Need
	Body     int // routine, or -1
	Gathers  []Gather
	Steps    []int // actions that are its steps, in order
	StepOf   int   // the window that it is a step of, or -1
	After    string
	Says     []Text
	Index    int
	Window   bool // has steps, is one, or is the root: its body resolves triggers between instructions
	AttrSlot map[string]int
	Joined   map[string]string // which attribute tells what stands behind a word, where no role does
	// Indexed by later passes:
	Watched  bool // some moment or pattern in the program speaks of it
	Attended bool // some effect writes one of its attributes
}

// Gather collects nested happenings of one action as an attribute.
type Gather struct {
	Slot   int
	Action int
}

// Condition is an expression with its margin.
type Condition struct {
	Expr *Node
	Else []Text // what is told where it fails, with roles and attributes in its holes
	Cite Cite
}

// Need is an action that another one leads to: without it the other is not done.
// Its expressions read the roles and attributes of the one that needs it; those of
// a keyword's grant read its parameters and who it is granted to.
type Need struct {
	Call  *Call
	Where *Node // when it is needed; nil for always
	Cite  Cite
}

// Moment is a point in time that a trigger, an end or a limit speaks of.
type Moment struct {
	Edge   Edge
	Next   bool
	Action int
	Where  *Node // read with the action as Act
	Cite   Cite
	Span   source.Span
}

// Edge is the part of an action that a moment means.
type Edge uint8

// The edges.
const (
	Done Edge = iota // complete
	Start
	End
	During
)

// Pattern speaks of a kind of action.
type Pattern struct {
	Action int
	Where  *Node
	Span   source.Span
}

// Target says what an effect changes.
type Target uint8

// The targets of an effect.
const (
	TargetNone  Target = iota // it only changes the rules
	TargetEach                // every object of a kind that fits now
	TargetFixed               // objects named as it was made
	TargetSelf                // the source
)

// Effect is a continuous effect as written: the changes of an always, or of an
// effect instruction, or those that belong to a token or to the game itself.
type Effect struct {
	Label    string
	Static   bool // from an ability
	Target   Target
	Kind     int   // TargetEach: kind; -1 when an action is meant
	Action   int   // TargetEach over happenings: action, else -1
	Where    *Node // TargetEach: the filter, read with the candidate as It
	On       *Node // TargetFixed: the objects, read as it is made
	While    *Node
	Ops      []Op
	Triggers []int
	Until    []Moment
	Finally  []int // routines
	In       int   // zone in which the ability works, -1 for where kinds renew (the default)
	Locals   int   // size of the frame that it captures
	Parent   int   // index into Abilities for a static one, or -1
	Keyword  int   // the keyword whose text made it, or -1
	Granted  bool  // made by what the keyword does as it is granted: it is the keyword on its object
	Stamp    *Node // the Timestamp that a case gives
	Cite     Cite
	Span     source.Span
	Index    int
	Names    []string // names of the captured locals, for explanations

	Opened bool      // expressions of its operations see its target, or its source, at level 0
	First  int       // first layer of its characteristic operations, -1 for none
	Parts  [][]int   // by layer: which Ops
	Reads  []Reading // what the filter and the condition read of layered values
	Near   bool      // reads layered values of nothing but what it changes
}

// Reading is one thing that an expression reads or an operation writes.
type Reading struct {
	Char  int
	Value int // of a set or OneOf: the value when constant, else -1
}

// Op is one operation of an effect.
type Op struct {
	Verb    Verb
	Layer   int
	Char    int
	Value   *Node
	Call    *KeywordCall // add or remove an ability by keyword
	Ability int          // add an ability written out, or -1
	Pattern Pattern
	Body    int // routine of an instead
	Cite    Cite
	Span    source.Span
	Reads   []Reading // what the value reads
}

// KeywordCall is a keyword with arguments.
type KeywordCall struct {
	Keyword int
	Args    []*Node
	Any     bool // "remove ability Bulwark": whatever its arguments
	Span    source.Span
}

// Limit bounds how often a trigger fires, or a may is used, in one window.
type Limit struct {
	Count *Node // nil for once
	Per   int   // action
	Cite  Cite
	Index int // number of the limit among all, for counting
	Span  source.Span
}

// Trigger is a triggered ability as written.
type Trigger struct {
	Moment     Moment
	Header     int // index into Headers, or -1
	Where      *Node
	Among      *Node // list of happenings
	AmongWhere []*Node
	AmongCite  Cite
	Limits     []Limit
	Body       int // routine
	In         int // zone, or -1
	Ability    int // the ability that it is, or -1
	Cite       Cite
	Span       source.Span
	Index      int
}

// AbilityDef is one ability: what one line of rule text gives.
type AbilityDef struct {
	Effects  []int
	Triggers []int
	Keyword  int // the keyword that it is, or -1
	Args     []*Node
	Params   int
	Text     []Text // says of the keyword or the line
	Span     source.Span
	Index    int
	Cite     Cite
	Granted  int // keyword whose granted block it stands for, or -1
}

// Keyword is named rule text.
type Keyword struct {
	Decl
	Params    []Param
	Abilities []int    // compiled with the parameters as the first locals
	Granted   *Granted // nil when it has no granted block
	Says      []Text
	Index     int
}

// Granted is what happens as a keyword is granted.
type Granted struct {
	To     string
	OnlyIf []Condition
	Needs  []Need
	Body   int
	Span   source.Span
}

// Header is a named trigger.
type Header struct {
	Decl
	Trigger Trigger
	Index   int
}

// CardDef is a card as printed.
type CardDef struct {
	Decl
	Values    []Printed
	Abilities []int
	Lines     []string // each line of its text as written, for lists
	Says      []Text
	Anonymous bool // made by a case
	Index     int
	Module    int     // the folder that declares it
	Errata    *Errata // what corrected it, or nil
}

// Errata is a correction of a card.
type Errata struct {
	Decl
	Since string    // the day from which it holds, or ""
	Was   []Printed // what was printed where it says otherwise
}

// Printed is the printed value of a characteristic.
type Printed struct {
	Char  int
	Value int64
	Span  source.Span
}

// ReadingDef is a named choice between readings of a rule.
type ReadingDef struct {
	Decl
	Switch string
	Value  string
	Others []string
}

// Statement is one statement of what the rules mean.
type Statement struct {
	Decl
	Rule   string
	Key    string
	Status string
	By     string
	Topics Topics // an explanation cites it only where it tells of these
}

// Topics are what the story of a value can turn on, beside the effects in it.
type Topics uint8

// The topics.
const (
	TopicLayers  Topics = 1 << iota // effects of several layers had a part
	TopicAges                       // age would have put effects the other way round
	TopicWaiting                    // an effect waited for one that it depends on
	TopicRings                      // effects depended on each other
)

// TopicNames are the topics as a statement names them.
var TopicNames = []string{"layers", "ages", "waiting", "rings"}

// Summary is the own-words summary of a numbered rule.
type Summary struct {
	Decl
	Rule string
}

// Edition is a dated edition of rules.
type Edition struct {
	Decl
	From string // a date, YYYY-MM-DD
}

// Pack is a pack of rules that was loaded.
type Pack struct {
	Decl
	Version string
	Module  int // the folder that it is
}

// OrderDef is the criteria for one place where order shows.
type OrderDef struct {
	Decl
	Criteria []string
	Cites    []Cite // of each criterion
}

// View says what boards, tables and cards show of a kind, or how the values of a
// list look.
type View struct {
	Decl
	Kind  int // or -1
	Lines []ViewLine
	List  int // of a view of values, else -1
	Looks []Look
}

// ViewLine is one line of a view: a template in each language. In a sheet it is
// a part of a card's face, which can show characteristics.
type ViewLine struct {
	Head   string
	Texts  []Text
	Chars  []int
	Far    int // the characteristic that says how far directions reach, or -1
	Symbol string
}

// Look is how a value looks: beside its name, never in place of it.
type Look struct {
	Value  int
	Colour string // as #RRGGBB, or ""
	Symbol string
}

// Deck is a list of cards by name.
type Deck struct {
	Decl
	Cards []int
}

// Phrase is a template for generated rules text.
type Phrase struct {
	Decl
	Key string
}

// Together says how things that come at one moment are put in order. The zero
// value puts the turn player's first and lets each player order their own.
type Together struct {
	OtherFirst bool // the other player's come first
	Fixed      bool // nobody chooses: they go as they came to be
}

// Options are the switches of the engine that readings and orders set.
type Options struct {
	JudgedOnce    bool // dependency is judged once, as the layer starts
	ReadAfresh    bool // each layer of an effect finds its objects anew
	BeginsCreated bool // an effect begins when it is created, whatever its condition
	KeepsCards    bool // a resolved effect keeps the cards that it found
	Authority     []Verb
	Timestamps    Together // of effects that begin together
	Triggers      Together // that arise together
	Replacements  Together // of one action; their controller is that of what it affects
	NewestTrigger bool     // what triggers last resolves first
	CopiesCurrent bool     // a copy takes values over as they stand, not as they are printed
	NoDependency  bool     // order effects without dependency: Timestamp alone
}

// Switches are the choices that readings set, by the word of the switch: the zero
// value of Options first, then the other.
var Switches = map[string][2]string{
	"dependency":   {"judged_after_each", "judged_once"},
	"later_layers": {"go_on", "read_afresh"},
	"begins":       {"when_true", "when_created"},
	"resolved":     {"looks_again", "keeps_cards"},
	"copied":       {"as_printed", "as_it_stands"},
}

// Set turns a switch; it reports whether there is that switch with that choice.
func (o *Options) Set(word, choice string) bool {
	known, ok := Switches[word]
	if !ok || choice != known[0] && choice != known[1] {
		return false
	}
	on := choice == known[1]
	switch word {
	case "dependency":
		o.JudgedOnce = on
	case "later_layers":
		o.ReadAfresh = on
	case "begins":
		o.BeginsCreated = on
	case "resolved":
		o.KeepsCards = on
	case "copied":
		o.CopiesCurrent = on
	}
	return true
}

// Program is a checked rule set.
type Program struct {
	Values    []*Values
	Kinds     []*Kind
	Chars     []*Char
	Zones     []*Zone
	Tokens    []*TokenKind
	Layers    []*Layer
	Tables    []*TableDef
	Actions   []*Action
	Headers   []*Header
	Keywords  []*Keyword
	Abilities []*AbilityDef
	Effects   []*Effect
	Triggers  []*Trigger
	Routines  []*Routine
	Cards     []*CardDef
	Cases     []*Case
	Decks     []*Deck
	Readings  []*ReadingDef
	Statement []*Statement
	Summaries []*Summary
	Editions  []*Edition
	Packs     []*Pack // the base first
	Orders    []*OrderDef
	Views     []*View
	Phrases   []*Phrase
	Languages []Text // Lang and its own name
	Texts     []string
	Limits    int
	GameRules []int // effects that no card carries
	Options   Options
	Home      int // the zone in which abilities work unless they say otherwise, or -1
	Edition   string
	Digest    string
	Language  int

	RowSize  [Entities]int   // layered values of an object of the entity
	MemSize  [Entities]int   // memories
	RowChars [Entities][]int // the characteristics with a slot in the row, by slot
	MemChars [Entities][]int
	NameChar int // the characteristic that holds a card's name
	AbilSlot int // slot of the mask of abilities in a card's row
	LockSlot [Entities]int
	Root     int // the action that is the game
	TextIDs  map[string]int
}

// Kinds that Go itself declares, by index.
const (
	KindCard = iota
	KindToken
	KindPlayer
	KindGame
	KindPlace
	BuiltinKinds
)

// Lists of names that Go fills from what is declared, by index into Values.
const (
	ListKeyword = iota
	ListHeader
	ListToken
	ListAction
	ListZone
	BuiltinLists
)
