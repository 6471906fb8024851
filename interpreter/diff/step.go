package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/interpreter/pack"
)

// Size is how large a step from one version to the next is.
type Size string

// The sizes, the smallest first.
const (
	None  Size = "none"  // the two say the same
	Patch Size = "patch" // something changed that flips no firm case
	Minor Size = "minor" // a normative case flips, or there is something new to build on
	Major Size = "major" // something that others build on is gone or has another name
)

// Sizes lists them in that order.
var Sizes = []Size{None, Patch, Minor, Major}

// Step is how much the version has to go up, and what the changelog has to say.
type Step struct {
	Size    Size     `json:"size"`
	AtLeast bool     `json:"at_least"` // the cases were not played, so it can be more
	Reasons []Reason `json:"reasons"`
	From    string   `json:"from,omitempty"` // the old version
	To      string   `json:"to,omitempty"`   // the lowest that will do
	Given   string   `json:"given,omitempty"`
	Enough  bool     `json:"enough"` // Given will do
	Lines   []Entry  `json:"changelog"`
}

// Reason is what a step has its size from.
type Reason struct {
	Size Size   `json:"size"`
	Why  string `json:"why"` // gone, renamed, new, flipped, play, changed or private
	What string `json:"what"`
}

// Entry is a draft for a line of a changelog, for a case that flips.
type Entry struct {
	Case string            `json:"case"`
	Text map[string]string `json:"text"` // by language
}

// public are the heads of declarations that others build on by their names.
var public = []string{"values", "kind", "characteristic", "memory", "zone", "layer", "table", "action", "step", "token", "keyword", "header", "card", "edition", "reading"}

// step works the version step out, of what is known so far.
func (r *Report) step() {
	s := &Step{Size: None, AtLeast: r.Cases == nil, Reasons: []Reason{}, Lines: []Entry{}}
	because := func(size Size, why, what string) {
		s.Reasons = append(s.Reasons, Reason{size, why, what})
		if slices.Index(Sizes, size) > slices.Index(Sizes, s.Size) {
			s.Size = size
		}
	}
	for _, c := range r.Changes {
		known := slices.Contains(public, c.ID.Head) && c.ID.Name != ""
		switch {
		case c.Kind == Removed && known:
			because(Major, "gone", c.ID.String())
		case c.Kind == Renamed && known:
			because(Major, "renamed", c.ID.String())
		case c.Kind == Added && known:
			because(Minor, "new", c.ID.String())
		case c.Kind == Private:
			because(Patch, "private", c.ID.String())
		default:
			because(Patch, "changed", c.ID.String())
		}
		if c.Kind != Changed || c.ID.Head != "values" {
			continue
		}
		for _, l := range c.Lines { // a value is a name that others build on
			if l.Old == "" {
				because(Minor, "new", c.ID.String()+": "+l.New)
			} else if l.New == "" {
				because(Major, "gone", c.ID.String()+": "+l.Old)
			}
		}
	}
	if r.Cases != nil {
		for i := range r.Cases.Flips {
			f := &r.Cases.Flips[i]
			if !f.flips() {
				continue
			}
			if f.Status == "normative" {
				because(Minor, "flipped", f.ID)
			} else {
				because(Patch, "play", f.ID)
			}
			s.Lines = append(s.Lines, f.entry(r))
		}
	}
	slices.SortStableFunc(s.Reasons, func(a, b Reason) int { return slices.Index(Sizes, b.Size) - slices.Index(Sizes, a.Size) })
	if r.Old.Pack != "" && r.Old.Pack == r.New.Pack {
		s.From, s.Given = r.Old.Version, r.New.Version
		s.To = Next(s.From, s.Size)
		s.Enough = pack.Compare(s.Given, s.To) >= 0
	}
	r.Step = s
}

// flips reports whether a case says that something comes out otherwise than it did.
func (f *Flip) flips() bool {
	switch f.Way {
	case New:
		return false
	case Gone:
		return !f.Still
	}
	return true
}

// entry drafts a line of the changelog for a case.
func (f *Flip) entry(r *Report) Entry {
	e := Entry{Case: f.ID, Text: map[string]string{}}
	var at []string
	for _, ref := range f.Through {
		at = append(at, ref.String())
	}
	for _, lang := range r.languages() {
		tell := func(list []string) string {
			if len(list) == 0 {
				return ""
			}
			return strings.TrimRight(list[len(list)-1], ". ")
		}
		before, after := tell(f.Before[lang]), tell(f.After[lang])
		text := ""
		switch {
		case before != "" && after != "" && before != after:
			text = Text(lang, "entry-both", f.title(lang), before, after)
		case after != "":
			text = Text(lang, "entry-after", f.title(lang), after)
		case before != "":
			text = Text(lang, "entry-before", f.title(lang), before)
		default:
			text = Text(lang, "entry-"+string(f.Way), f.title(lang))
		}
		if len(at) > 0 {
			text += " (" + strings.Join(at, ", ") + ")"
		}
		e.Text[lang] = text
	}
	return e
}

// Promises reports whether a version is high enough where to is the lowest that is. One
// that stands before another, as 1.1.0-rc.1 does before 1.1.0, promises what that one
// does, if it is above last, the version before.
func Promises(version, last, to string) bool {
	core, _, early := strings.Cut(version, "-")
	return pack.Compare(version, to) >= 0 || early && pack.Compare(core, to) >= 0 && pack.Compare(version, last) > 0
}

// Next is the lowest version that is a step of a size above another. Before 1.0.0
// what breaks others counts up the second number, as versions of packs have it.
func Next(version string, size Size) string {
	core, _, early := strings.Cut(version, "-")
	var n [3]int
	for i, part := range strings.SplitN(core, ".", 3) {
		n[i], _ = strconv.Atoi(part)
	}
	switch {
	case size == None:
		return version
	case early: // a version before the one that it names: that one will do
		return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2])
	case size == Major && n[0] > 0:
		n = [3]int{n[0] + 1}
	case size == Patch:
		n[2]++
	default:
		n = [3]int{n[0], n[1] + 1}
	}
	return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2])
}
