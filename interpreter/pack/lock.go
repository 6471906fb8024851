package pack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Locked is a pack that others stand on, exactly.
type Locked struct {
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Content string  `json:"content"`           // digest of its canonical content
	Raw     string  `json:"archive,omitempty"` // digest of its archive; "" for one that is built into the program
	Stands  []Stand `json:"-"`
}

// Lock says exactly which packs a folder of rules stands on, the base first.
type Lock struct {
	Packs []Locked
}

type lockFile struct {
	Format int      `json:"momon_lock"`
	Packs  []Locked `json:"packs"`
}

const lockNumber = 1

// maxLock bounds a lock file, in bytes.
const maxLock = 1 << 20

// ParseLock reads a lock file. What it does not know it refuses.
func ParseLock(data []byte) (*Lock, error) {
	if len(data) > maxLock {
		return nil, fault("lock-form", "too large")
	}
	var f lockFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fault("lock-form", printable(err.Error()))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fault("lock-form", "…}")
	}
	switch {
	case f.Format > lockNumber:
		return nil, fault("lock-newer", f.Format)
	case f.Format < 1:
		return nil, fault("lock-form", "momon_lock")
	}
	seen := map[string]bool{}
	for _, p := range f.Packs {
		if !IsName(p.Name) || !IsVersion(p.Version) || !IsDigest(p.Content) || p.Raw != "" && !IsDigest(p.Raw) || seen[p.Name] {
			return nil, fault("lock-form", printable(p.Name))
		}
		seen[p.Name] = true
	}
	return &Lock{f.Packs}, nil
}

// Text is the lock as it is written.
func (l *Lock) Text() ([]byte, error) {
	b, err := json.MarshalIndent(lockFile{lockNumber, append([]Locked{}, l.Packs...)}, "", "  ")
	return append(b, '\n'), err
}

// maxTries bounds how many ways to choose versions are tried.
const maxTries = 100_000

// Resolve chooses, for what a pack stands on and all that these stand on, one
// version each, so that all ranges and digests fit: of each the highest that will
// do, drafts only where nothing else does. known lists the versions of a pack that
// can be had. The result has each pack behind those that it stands on. The error is
// an *Error that says what does not fit.
func Resolve(root string, stands []Stand, known func(name string) []Locked) (*Lock, error) {
	type want struct {
		by string
		Stand
	}
	var wants []want
	for _, s := range stands {
		wants = append(wants, want{root, s})
	}
	chosen := map[string]Locked{}
	tries := 0
	var worst *Error // of the deepest failure, which says most
	deepest := -1
	fail := func(e *Error) {
		if len(chosen) > deepest {
			worst, deepest = e, len(chosen)
		}
	}
	var solve func(wants []want) bool
	solve = func(wants []want) bool {
		if len(wants) == 0 {
			return true
		}
		if tries++; tries > maxTries {
			worst, deepest = fault("resolve-many", root), int(^uint(0)>>1)
			return false
		}
		w := wants[0]
		fits := func(p Locked) bool { return w.Fits(p.Version) && (w.Digest == "" || w.Digest == p.Content) }
		wanted := strings.TrimSpace(w.Name + " " + w.Range())
		if p, ok := chosen[w.Name]; ok {
			if !fits(p) {
				fail(fault("resolve-conflict", w.by, wanted, p.Version))
				return false
			}
			return solve(wants[1:])
		}
		list := slices.Clone(known(w.Name))
		slices.SortStableFunc(list, func(a, b Locked) int {
			if x, y := strings.Contains(a.Version, "-"), strings.Contains(b.Version, "-"); x != y {
				if x {
					return 1
				}
				return -1
			}
			return -Compare(a.Version, b.Version)
		})
		var versions []string
		found := false
		for _, p := range list {
			if !slices.Contains(versions, p.Version) {
				versions = append(versions, p.Version)
			}
			if !fits(p) {
				continue
			}
			found = true
			chosen[w.Name] = p
			next := slices.Clone(wants[1:])
			for _, s := range p.Stands {
				next = append(next, want{p.Name, s})
			}
			if solve(next) {
				return true
			}
			delete(chosen, w.Name)
		}
		switch {
		case len(list) == 0:
			fail(fault("resolve-none", w.by, wanted))
		case !found && w.Digest != "":
			fail(fault("resolve-digest", w.by, wanted, w.Digest))
		case !found:
			fail(fault("resolve-versions", w.by, wanted, strings.Join(versions, ", ")))
		}
		return false
	}
	if !solve(wants) {
		return nil, worst
	}
	// The base first: each behind what it stands on, and by name where that is open.
	l := &Lock{}
	done := map[string]int{} // 1 under way, 2 done
	var circle *Error
	var place func(name string)
	place = func(name string) {
		if done[name] == 1 && circle == nil {
			circle = fault("resolve-circle", name)
		}
		p, ok := chosen[name]
		if done[name] != 0 || !ok {
			return
		}
		done[name] = 1
		names := slices.Clone(p.Stands)
		slices.SortFunc(names, func(a, b Stand) int { return cmp.Compare(a.Name, b.Name) })
		for _, s := range names {
			if s.Name == root && circle == nil {
				circle = fault("resolve-circle", root)
			}
			place(s.Name)
		}
		done[name] = 2
		l.Packs = append(l.Packs, p)
	}
	var names []string
	for name := range chosen {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		place(name)
	}
	if circle != nil {
		return nil, circle
	}
	return l, nil
}
