package diff

import (
	"fmt"
	"strings"

	"github.com/momon-rules/momon/interpreter"
)

// BlockKind says how a part of a report is laid out.
type BlockKind string

// The kinds of block.
const (
	Title   BlockKind = "title"
	Heading BlockKind = "heading"
	Sub     BlockKind = "sub"
	Para    BlockKind = "para"
	Item    BlockKind = "item"
	Under   BlockKind = "under" // belongs to the item before it
	Was     BlockKind = "was"   // rule data as it was, below an item
	Is      BlockKind = "is"    // and as it is
	Draft   BlockKind = "draft" // a line to be copied
	Code    BlockKind = "code"  // a line of a story, in the rule language
)

// Block is one part of a report as people read it.
type Block struct {
	Kind BlockKind
	Text string
}

// most is how many reasons for a step are told.
const most = 8

// Document is the report in words, for a terminal, a page or a file.
func (r *Report) Document(lang string) []Block {
	var out []Block
	put := func(k BlockKind, text string) { out = append(out, Block{k, text}) }
	say := func(k BlockKind, key string, args ...any) { put(k, Text(lang, key, args...)) }
	say(Title, "title", r.Old.shown(lang), r.New.shown(lang))
	if len(r.Changes) == 0 && len(r.Suite) == 0 {
		say(Para, "same")
	} else if r.Empty() && len(r.Suite) == 0 {
		say(Para, "unseen")
	}
	if len(r.Seen) > 0 {
		say(Heading, "seen")
		for _, f := range r.Seen {
			was, before := f.Old[lang]
			is, now := f.New[lang]
			switch {
			case before && now:
				say(Item, "seen-change", f.ID, f.Label[lang], shown(was), shown(is))
			case now:
				say(Item, "seen-come", f.ID, f.Label[lang], shown(is))
			case before:
				say(Item, "seen-gone", f.ID, f.Label[lang], shown(was))
			}
		}
	}
	if len(r.Statements) > 0 {
		say(Heading, "statements")
		for _, s := range r.Statements {
			text := s.Ref.String()
			if s.Status != "" {
				text += " (" + Text(lang, s.Status) + ")"
			}
			if s.Kind != Changed {
				text += " [" + Text(lang, string(s.Kind)) + "]"
			}
			if s.Text[lang] != "" {
				text += ": " + s.Text[lang]
			}
			put(Item, text)
			say(Under, "statement-by", ids(s.By))
		}
	}
	changes := func(key string, list []Change) {
		if len(list) == 0 {
			return
		}
		say(Heading, key)
		for _, k := range Kinds {
			first := true
			for _, c := range list {
				if c.Kind != k {
					continue
				}
				if first {
					say(Sub, string(k))
					first = false
				}
				out = append(out, c.blocks(lang)...)
			}
		}
	}
	changes("definitions", r.Changes)
	changes("suite", r.Suite)
	if r.Cases != nil {
		say(Heading, "cases")
		say(Para, "cases-count", r.Cases.Old, r.Cases.New, r.Cases.Same)
		for _, w := range Ways {
			first := true
			for i := range r.Cases.Flips {
				f := &r.Cases.Flips[i]
				if f.Way != w {
					continue
				}
				if first {
					say(Sub, "way-"+string(w))
					first = false
				}
				out = append(out, f.blocks(lang)...)
			}
		}
	}
	if r.Games != nil {
		say(Heading, "games")
		for _, g := range r.Games.Games {
			out = append(out, g.blocks(lang)...)
		}
	}
	if r.Find != nil {
		say(Heading, "search")
		out = append(out, r.Find.blocks(lang)...)
	}
	return append(out, r.Step.blocks(lang)...)
}

func (s *Search) blocks(lang string) []Block {
	var out []Block
	put := func(k BlockKind, text string) { out = append(out, Block{k, text}) }
	switch s.Outcome {
	case NoneIn:
		put(Para, Text(lang, "search-none", s.Made, s.Cases, s.Random))
		return out
	case GivenUp:
		put(Para, Text(lang, "search-gaveup", s.Made, s.Cases, s.Random, s.Bound))
		return out
	}
	w := s.Witness
	put(Para, Text(lang, "search-found"))
	story := w.Story
	if len(story) == 0 {
		for _, l := range w.Lines {
			story = append(story, Told{Line: l})
		}
	}
	for _, t := range story {
		put(Code, t.Line)
		for _, x := range []struct {
			key  string
			list []string
		}{{"both", t.Both[lang]}, {"before", t.Old[lang]}, {"after", t.New[lang]}} {
			if len(x.list) > 0 {
				put(Under, Text(lang, x.key)+" "+strings.Join(x.list, " "))
			}
		}
	}
	for i, taken := range w.Taken {
		if !taken {
			put(Item, Text(lang, []string{"untaken-old", "untaken-new"}[i], w.Why[lang]))
		}
	}
	if w.Taken[0] && w.Taken[1] {
		if w.Question != "" {
			put(Item, Text(lang, "search-asked", w.Question, w.Old, w.New))
		} else {
			put(Item, Text(lang, "search-told"))
		}
		for _, x := range []struct {
			key  string
			list []string
		}{{"before", w.Before[lang]}, {"after", w.After[lang]}} {
			if len(x.list) > 0 {
				put(Under, Text(lang, x.key)+" "+strings.Join(x.list, " "))
			}
		}
	}
	if len(w.Through) > 0 {
		put(Under, Text(lang, "through", refs(w.Through)))
	}
	if len(w.By) > 0 {
		put(Under, Text(lang, "because", ids(w.By)))
	}
	return out
}

// InForce is the name of a side that is the rules in force.
const InForce = "-"

// shown is a side as a title names it.
func (v Version) shown(lang string) string {
	name := v.Name
	if name == InForce {
		name = Text(lang, "in-force")
	}
	if v.Version != "" {
		return fmt.Sprintf("%s (%s %s)", name, v.Pack, v.Version)
	}
	return name
}

// shown is a value in one line.
func shown(s string) string { return strings.Join(strings.Fields(s), " ") }

func ids(list []ID) string {
	var out []string
	for _, id := range list {
		out = append(out, id.String())
	}
	return strings.Join(out, ", ")
}

func refs(list []interpreter.Ref) string {
	var out []string
	for _, r := range list {
		out = append(out, r.String())
	}
	return strings.Join(out, ", ")
}

func (c *Change) blocks(lang string) []Block {
	var out []Block
	put := func(k BlockKind, text string) { out = append(out, Block{k, text}) }
	place := c.New
	if c.Kind == Removed {
		place = c.Old
	}
	head := c.ID.String()
	if c.Kind == Renamed {
		head = Text(lang, "renamed-to", head, c.To)
	}
	if place.File != "" {
		head += "  (" + place.String() + ")"
	}
	put(Item, head)
	for _, n := range c.Names {
		put(Under, Text(lang, "private-name", n[0], n[1]))
	}
	if len(c.Follow) > 0 {
		put(Under, Text(lang, "follows", ids(c.Follow)))
	}
	in := ""
	for _, l := range c.Lines {
		if l.In != in && l.In != "" {
			put(Under, Text(lang, "in", l.In))
		}
		in = l.In
		if l.Old == l.New {
			put(Under, Text(lang, "in", l.New)) // only its margin is another
		} else {
			if l.Old != "" {
				put(Was, l.Old)
			}
			if l.New != "" {
				put(Is, l.New)
			}
		}
		if l.Cited != "" && l.New != "" || l.Old == l.New {
			put(Under, Text(lang, "cites", orNone(l.Cited, lang), orNone(l.Cites, lang)))
		} else if len(l.Rules) > 0 {
			put(Under, Text(lang, "carries", refs(l.Rules)))
		}
	}
	if (c.Kind == Added || c.Kind == Removed) && len(c.Rules) > 0 {
		put(Under, Text(lang, "carries", refs(c.Rules)))
	}
	return out
}

func orNone(s, lang string) string {
	if s == "" {
		return Text(lang, "no-margin")
	}
	return s
}

func (f *Flip) blocks(lang string) []Block {
	var out []Block
	put := func(k BlockKind, text string) { out = append(out, Block{k, text}) }
	head := f.ID
	if t := f.title(lang); t != f.ID {
		head += ": " + t
	}
	if f.Status != "" {
		head += " (" + Text(lang, f.Status) + ")"
	}
	put(Item, head)
	if f.Line != "" {
		put(Under, Text(lang, "at-line", f.Line))
	}
	switch {
	case f.Want != "" && f.Got != "":
		put(Under, Text(lang, "want-got", f.Want, f.Got))
	case f.Got != "":
		put(Under, Text(lang, "comes", f.Got))
	}
	switch {
	case f.Way == New && !f.Passed, f.Way == Rewritten && !f.Passed:
		put(Under, Text(lang, "new-fails"))
	case f.Way == Gone && !f.Still:
		put(Under, Text(lang, "gone-fails"))
	}
	told := func(key string, list map[string][]string) {
		if list == nil {
			return
		}
		if len(list[lang]) == 0 {
			put(Under, Text(lang, key)+" "+Text(lang, "nothing"))
			return
		}
		put(Under, Text(lang, key)+" "+strings.Join(list[lang], " "))
	}
	told("before", f.Before)
	told("after", f.After)
	if len(f.Through) > 0 && f.Way != New {
		put(Under, Text(lang, "through", refs(f.Through)))
	}
	if n := len(f.By); n > 0 {
		list := ids(f.By[:min(n, most)])
		if n > most {
			list += ", " + Text(lang, "and-more", n-most)
		}
		put(Under, Text(lang, "because", list))
	}
	return out
}

func (g *Game) blocks(lang string) []Block {
	var out []Block
	put := func(k BlockKind, text string) { out = append(out, Block{k, text}) }
	switch g.Fate {
	case Misfit:
		put(Item, Text(lang, "game-misfit", g.File, g.Decision, g.Why[lang]))
	case Unplayed:
		put(Item, Text(lang, "game-unplayed", g.File, g.Why[lang]))
		return out
	default:
		put(Item, Text(lang, "game-"+string(g.Fate), g.File))
	}
	if g.Other {
		put(Under, Text(lang, "game-other"))
	}
	if g.Fate == OtherResult {
		put(Under, Text(lang, "game-winner", g.winner(0, lang), g.winner(1, lang)))
	}
	if g.Fate == OtherResult || g.Fate == OtherCourse {
		put(Under, Text(lang, "game-where", g.Decision))
	}
	for i, list := range []map[string]string{g.Old, g.New} {
		if text := list[lang]; text != "" {
			put(Under, Text(lang, []string{"before", "after"}[i])+" "+text)
		}
	}
	if len(g.Rules) > 0 {
		put(Under, Text(lang, "through", refs(g.Rules)))
	}
	return out
}

func (g *Game) winner(side int, lang string) string {
	switch {
	case !g.Over[side]:
		return Text(lang, "unfinished")
	case len(g.Winners[side]) == 0:
		return Text(lang, "nobody")
	}
	var out []string
	for _, p := range g.Winners[side] {
		out = append(out, fmt.Sprint("P", p))
	}
	return strings.Join(out, ", ")
}

func (s *Step) blocks(lang string) []Block {
	var out []Block
	put := func(k BlockKind, text string) { out = append(out, Block{k, text}) }
	put(Heading, Text(lang, "step"))
	put(Para, Text(lang, "step-"+string(s.Size)))
	n := 0
	for _, why := range s.Reasons {
		if why.Size != s.Size {
			continue
		}
		if n++; n <= most {
			put(Item, Text(lang, "why-"+why.Why, why.What))
		}
	}
	if n > most {
		put(Item, Text(lang, "and-more", n-most))
	}
	if s.From != "" && s.Size != None {
		put(Para, Text(lang, "step-to", s.From, s.To))
		if s.Enough {
			put(Para, Text(lang, "step-enough", s.Given))
		} else {
			put(Para, Text(lang, "step-short", s.Given))
		}
	}
	if s.AtLeast && s.Size != None {
		put(Para, Text(lang, "at-least"))
	}
	if len(s.Lines) > 0 {
		put(Heading, Text(lang, "changelog"))
		for _, e := range s.Lines {
			for _, l := range []string{"en", "th"} {
				if e.Text[l] != "" {
					put(Draft, e.Text[l])
				}
			}
		}
	}
	return out
}
