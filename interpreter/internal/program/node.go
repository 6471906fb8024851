package program

import "github.com/momon-rules/momon/grammar/source"

// NodeOp is what a node of a checked expression does.
type NodeOp uint8

// The operations of expressions. Comments give the use of N, M and Kids.
const (
	OpConst        NodeOp = iota // N
	OpList                       // Kids
	OpSelf                       // the source object
	OpYou                        // the player
	OpIt                         // the candidate
	OpElem                       // element of the predicate N levels out
	OpLocal                      // N: local of the frame
	OpRole                       // N: role of the action looked at
	OpAttr                       // N: attribute slot of the action looked at
	OpAct                        // the action looked at
	OpHits                       // what among let through
	OpGame                       // the game
	OpUnderway                   // N: the innermost action of that kind under way
	OpChar                       // N: characteristic of Kids[0]
	OpRoleOf                     // N: role of the happening Kids[0]
	OpAttrOf                     // N: attribute slot of the happening Kids[0]
	OpActFact                    // N: Fact of the happening Kids[0]
	OpHas                        // Kids[0] has the keyword Kids[1]
	OpTally                      // tokens of the kind Kids[1] on Kids[0]
	OpTable                      // table N looked up by Kids
	OpEach                       // objects of kind N, Kids[0] the filter or absent
	OpCount                      // Kids[0] list, Kids[1] predicate or absent
	OpAny                        //
	OpAll                        //
	OpNone                       //
	OpFind                       //
	OpFilter                     //
	OpMap                        //
	OpSum                        //
	OpMin                        //
	OpMax                        //
	OpFirst                      //
	OpSortBy                     // Kids: list, key; N: 1 for descending
	OpAbs                        //
	OpLook                       // object, direction, distance
	OpOpposite                   // direction
	OpDistance                   // two places
	OpCellAt                     // N zone; Kids x, y
	OpMaskCount                  // how many names in a set
	OpMaskHas                    // Kids: name, set
	OpMaskList                   // the names of a set as a list
	OpInList                     // Kids: element, list
	OpAdd                        //
	OpSub                        //
	OpMul                        //
	OpMod                        //
	OpNeg                        //
	OpEq                         //
	OpNe                         //
	OpLt                         //
	OpLe                         //
	OpGt                         //
	OpGe                         //
	OpAnd                        //
	OpOr                         //
	OpNot                        //
	OpIf                         // Kids: condition, then, else
	OpIsKind                     // Kids[0] is of kind N
	OpFired                      // Kids[0] object; N header index
	OpOrder                      // Kids[0] object; N characteristic, or -1 for the rules layer
	OpMaskOf                     // a set out of names: Kids
	OpUnion                      // what Kids[1], a set or list, has for any element of Kids[0]
	OpJoin                       // Kids[0] and what else is in Kids[1], two sets or lists
	OpWithout                    // what of Kids[0] is not in Kids[1]
	OpListEq                     // Kids: two lists alike
	OpAbilityCount               // how many abilities Kids[0] has
	OpTouch                      // fails when evaluated: N is the text that names what was touched
)

// Node is a checked, typed expression.
type Node struct {
	Op   NodeOp
	T    Type
	N    int64
	M    int64
	Kids []*Node
	Span source.Span
}

// Back reports whether what is asked of an object is read in the state in which the
// group of the action looked at was judged.
func (n *Node) Back() bool {
	switch n.Op {
	case OpChar, OpHas, OpTally, OpIsKind:
		return n.M == 1
	}
	return false
}

// Walk calls f for n and every node below it.
func (n *Node) Walk(f func(*Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, k := range n.Kids {
		k.Walk(f)
	}
}

// Constant reports whether the node is a constant.
func (n *Node) Constant() bool { return n != nil && n.Op == OpConst }
