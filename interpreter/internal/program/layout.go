package program

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// layoutVersion numbers what a state means beside the numbers of a program: raise it
// when a stored state would be read otherwise, as when a phase of a frame comes in
// between others.
const layoutVersion = 1

// Layout is a digest of everything that the numbers in a state point into: which
// routine, effect, trigger, characteristic or card has which number, and how bodies,
// rows and frames are laid out. The same rules may be laid out otherwise by another
// version of the checker; a stored state is of use only where this is the same.
func (p *Program) Layout() string {
	sum := sha256.New()
	b := bufio.NewWriter(sum)
	p.layout(b)
	b.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

func (p *Program) layout(w io.Writer) {
	line := func(what string, v ...any) { fmt.Fprintf(w, "%s %v\n", what, v) }
	line("layout", layoutVersion, p.Limits, p.Home, p.Root, p.GameRules, p.Options)
	line("rows", p.RowSize, p.RowChars, p.AbilSlot, p.LockSlot, p.NameChar)
	line("memories", p.MemSize, p.MemChars)
	for _, v := range p.Values {
		line("values", v.Name)
		for _, n := range v.Names {
			line("value", n.Name, n.DX, n.DY)
		}
	}
	for _, s := range p.Texts {
		fmt.Fprintf(w, "text %q\n", s)
	}
	for _, k := range p.Kinds {
		line("kind", k.Name, k.Entity, k.Parent, k.Zone, k.Token)
	}
	for _, c := range p.Chars {
		line("characteristic", c.Name, c.Entity, c.Action, c.Slot, c.Type, c.Memory, c.Fact)
	}
	for _, z := range p.Zones {
		line("zone", z.Name, z.PerPlayer, z.Pile, z.Width, z.Height)
	}
	for _, t := range p.Tokens {
		line("token", t.Name, t.Kind, t.Effects)
	}
	for _, l := range p.Layers {
		line("layer", l.Name)
	}
	for _, a := range p.Actions {
		line("action", a.Name, a.Basic, a.Attrs, a.Body, a.Gathers, a.Steps, a.Window)
		for _, r := range a.Roles {
			line("role", r.Name, r.Prep, r.Type)
		}
	}
	for _, h := range p.Headers {
		line("header", h.Name)
	}
	for _, k := range p.Keywords {
		line("keyword", k.Name, len(k.Params), k.Abilities)
		if k.Granted != nil {
			line("granted", k.Granted.Body)
		}
	}
	for _, a := range p.Abilities {
		line("ability", a.Effects, a.Triggers, a.Keyword, a.Granted)
	}
	for _, e := range p.Effects {
		line("effect", e.Static, e.Target, e.Kind, e.Action, e.Triggers, e.Finally, e.In, e.Locals, e.Keyword, len(e.Until))
		for i := range e.Ops {
			op := &e.Ops[i]
			line("operation", op.Verb, op.Layer, op.Char, op.Ability, op.Pattern.Action, op.Body)
		}
	}
	for _, t := range p.Triggers {
		line("trigger", t.Moment.Edge, t.Moment.Action, t.Header, t.Body, t.In, t.Ability)
		for _, l := range t.Limits {
			line("limit", l.Index, l.Per)
		}
	}
	for _, r := range p.Routines {
		line("routine", r.Locals, r.Types)
		for i := range r.Code {
			in := &r.Code[i]
			line("instruction", in.Op, in.A, in.B, in.C, in.Jumps)
			if c := in.Call; c != nil {
				line("call", c.Action, len(c.Roles), c.Kind, c.Grants)
			}
			if c := in.Choice; c != nil {
				line("choice", c.Name, c.Type)
			}
		}
	}
	for _, c := range p.Cards {
		line("card", c.Name, c.Abilities)
	}
}
