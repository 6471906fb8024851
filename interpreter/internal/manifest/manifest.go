// Package manifest reads the declaration that makes a folder a pack: what the
// pack is called, which version it has, and what it stands on.
package manifest

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// Head is the head word of the declaration.
const Head = "pack"

// MaxName bounds the name of a pack, in bytes: it becomes part of file names.
const MaxName = 60

// Features are what packs can ask for with `needs`: what this program can do that
// not every program for the same version of the language can. A name that was once
// here stays for ever.
func Features() []string { return []string{"cases", "editions", "packs", "readings", "views"} }

// Manifest is what a pack says of itself.
type Manifest struct {
	Name    string
	Version string // a semantic version, without a v
	Texts   []grammar.Text
	Edition string // the edition of the rules that it was made for, or ""
	Date    string // the day from which that edition holds, or ""
	Needs   []string
	Stands  []Stand
	At      source.Span // its name
	Span    source.Span
}

// Stand is a pack that another stands on.
type Stand struct {
	Name   string
	Digest string // of its content, in hexadecimal, or "" for any
	From   string // the lowest version that will do, or ""
	Until  string // the lowest version that no longer does, or ""
	At     source.Span
}

// Fits reports whether a version lies in the range. What only comes before the
// version that no longer fits, such as 2.0.0-draft.1 before 2.0.0, does not fit
// either: it is on the way to it.
func (s *Stand) Fits(version string) bool {
	if s.From != "" && Compare(version, s.From) < 0 {
		return false
	}
	core, _, _ := strings.Cut(version, "-")
	return s.Until == "" || Compare(version, s.Until) < 0 && core != s.Until
}

// Range is the range as it is written.
func (s *Stand) Range() string {
	var parts []string
	if s.From != "" {
		parts = append(parts, `from "`+s.From+`"`)
	}
	if s.Until != "" {
		parts = append(parts, `until "`+s.Until+`"`)
	}
	return strings.Join(parts, " ")
}

// Compare orders versions: below 0 where a comes before b.
func Compare(a, b string) int { return semver.Compare("v"+a, "v"+b) }

// IsVersion reports whether a text is a whole semantic version: three numbers, and
// perhaps what it comes before. What is only said of how it was made has no place
// in it, since two such versions would be equal.
func IsVersion(s string) bool {
	v := "v" + s
	return len(s) <= 64 && semver.IsValid(v) && semver.Canonical(v) == v
}

// IsName reports whether a text can be the name of a pack: small Latin letters,
// figures and hyphens, so that it can stand in the names of files and in addresses
// everywhere.
func IsName(s string) bool {
	if s == "" || len(s) > MaxName || s[0] < 'a' || s[0] > 'z' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-') {
			return false
		}
	}
	return !Device(s)
}

// Device reports whether Windows takes a name, whatever stands behind its first
// point, for a device.
func Device(s string) bool {
	s, _, _ = strings.Cut(strings.ToLower(s), ".")
	switch s = strings.TrimRight(s, " "); s {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	for _, port := range []string{"com", "lpt"} {
		if n, ok := strings.CutPrefix(s, port); ok && len([]rune(n)) == 1 && strings.Contains("0123456789¹²³", n) {
			return true
		}
	}
	return false
}

// IsDigest reports whether a text is a SHA-256 in hexadecimal, in small letters.
func IsDigest(s string) bool {
	if len(s) != 64 {
		return false
	}
	for _, r := range s {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'f') {
			return false
		}
	}
	return true
}

// Read reads the declaration. What is wrong with it goes to diags.
func Read(d *grammar.Decl, diags *diag.List) *Manifest {
	p := d.Plain
	m := &Manifest{Name: p.Title.Text, Texts: p.Tail.Texts, At: p.Title.Span, Span: d.Span}
	unused := func(at source.Span, part string) { diags.Add("unused-part", at, "part", part, "where", Head) }
	if p.Kind == grammar.TitleString && !IsName(m.Name) {
		diags.Add("pack-name", p.Title.Span, "name", m.Name, "limit", strconv.Itoa(MaxName))
	}
	switch d.Mod {
	case "override":
		diags.Add("cannot-override", d.At, "head", Head)
	case "extend":
		diags.Add("cannot-extend", d.At, "head", Head)
	}
	for _, s := range []*grammar.Str{p.Tail.From, p.Tail.Until} {
		if s != nil {
			unused(s.Span, s.Span.Text())
		}
	}
	seen := map[string]source.Span{}
	for _, l := range p.Lines {
		if len(l.Tail.Texts) > 0 {
			unused(l.Tail.Texts[0].Span, l.Tail.Texts[0].Lang)
		}
		for _, j := range l.Joins {
			if l.Head.Text != "stands" || j.Word != "on" && j.Word != "is" {
				unused(j.Span, j.Word)
			}
		}
		if l.Head.Text != "stands" && l.Tail.Until != nil {
			unused(l.Tail.Until.Span, "until")
		}
		if l.Head.Text != "stands" && l.Head.Text != "edition" && l.Tail.From != nil {
			unused(l.Tail.From.Span, "from")
		}
		switch l.Head.Text {
		case "version", "edition":
			if old, dup := seen[l.Head.Text]; dup {
				diags.Add("declared-twice", l.Head.Span, "name", l.Head.Text, "head", Head).With("declared-here", old)
				continue
			}
			seen[l.Head.Text] = l.Head.Span
			text, at, ok := one(l.Exprs)
			switch {
			case !ok:
				diags.Add("bad-line", l.Span, "want", l.Head.Text+` "…"`)
			case l.Head.Text == "version":
				m.Version = text
				version(text, at, diags)
			default:
				m.Edition = text
				if f := l.Tail.From; f != nil {
					m.Date = f.Value
					if _, err := time.Parse(time.DateOnly, f.Value); err != nil {
						diags.Add("bad-date", f.Span, "text", f.Value)
					}
				}
			}
		case "needs":
			if len(l.Exprs) == 0 {
				diags.Add("bad-line", l.Span, "want", `needs "…"`)
			}
			for _, e := range l.Exprs {
				text, at, ok := one([]*grammar.Expr{e})
				if !ok {
					diags.Add("bad-line", l.Span, "want", `needs "…"`)
					break
				}
				m.Needs = append(m.Needs, text)
				if !known(text) {
					diags.Add("pack-feature", at, "name", text, "known", strings.Join(Features(), ", ")).Near = diag.Nearest(text, Features())
				}
			}
		case "stands":
			if s, ok := stand(l, diags); ok {
				for _, o := range m.Stands {
					if o.Name == s.Name {
						diags.Add("declared-twice", s.At, "name", s.Name, "head", "stands on").With("declared-here", o.At)
					}
				}
				if s.Name == m.Name {
					diags.Add("pack-on-itself", s.At, "name", s.Name)
					continue
				}
				m.Stands = append(m.Stands, s)
			}
		default:
			all := []string{"version", "edition", "needs", "stands"}
			g := diags.Add("unknown-line", l.Head.Span, "found", l.Head.Text, "where", Head, "known", strings.Join(all, ", "))
			g.Near = diag.Nearest(l.Head.Text, all)
		}
	}
	if _, ok := seen["version"]; !ok && !d.Failed {
		diags.Add("pack-without-version", p.Title.Span, "name", m.Name)
	}
	return m
}

func known(feature string) bool {
	for _, f := range Features() {
		if f == feature {
			return true
		}
	}
	return false
}

// stand reads a line such as: stands on "name" is "digest" from "1.0.0" until "2.0.0".
func stand(l *grammar.Line, diags *diag.List) (Stand, bool) {
	const want = `stands on "…"`
	var s Stand
	if len(l.Exprs) > 0 || len(l.Joins) == 0 || l.Joins[0].Word != "on" || len(l.Joins) > 2 || len(l.Joins) == 2 && l.Joins[1].Word != "is" {
		diags.Add("bad-line", l.Span, "want", want)
		return s, false
	}
	var ok bool
	if s.Name, s.At, ok = one(l.Joins[0].Exprs); !ok {
		diags.Add("bad-line", l.Span, "want", want)
		return s, false
	}
	if !IsName(s.Name) {
		diags.Add("pack-name", s.At, "name", s.Name, "limit", strconv.Itoa(MaxName))
		return s, false
	}
	if len(l.Joins) == 2 {
		text, _, ok := one(l.Joins[1].Exprs)
		if !ok || !IsDigest(text) {
			diags.Add("pack-digest", l.Joins[1].Span)
			return s, false
		}
		s.Digest = text
	}
	if f := l.Tail.From; f != nil {
		s.From = f.Value
		if !version(f.Value, f.Span, diags) {
			return s, false
		}
	}
	if u := l.Tail.Until; u != nil {
		s.Until = u.Value
		if !version(u.Value, u.Span, diags) {
			return s, false
		}
	}
	if s.From != "" && s.Until != "" && Compare(s.From, s.Until) >= 0 {
		diags.Add("pack-range", l.Tail.Until.Span, "from", s.From, "until", s.Until)
		return s, false
	}
	return s, true
}

func version(text string, at source.Span, diags *diag.List) bool {
	if IsVersion(text) {
		return true
	}
	diags.Add("pack-version", at, "text", text)
	return false
}

// one is the text that a line consists of.
func one(list []*grammar.Expr) (string, source.Span, bool) {
	if len(list) != 1 || len(list[0].Tokens) != 1 || list[0].Tokens[0].Kind != grammar.String {
		return "", source.Span{}, false
	}
	t := list[0].Tokens[0]
	return t.Text, t.Span, true
}
