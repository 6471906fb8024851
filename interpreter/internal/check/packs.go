package check

import (
	"sort"

	"github.com/momon-rules/momon/interpreter/internal/manifest"
	"github.com/momon-rules/momon/interpreter/internal/program"
)

// packs declares the packs that the folders are, and sees that each stands on what
// it says. What lies below may be a folder that somebody works in, so digests are
// no matter here: those who open packs look at them.
func (c *checker) packs() {
	type loaded struct {
		d *decl
		m *manifest.Manifest
	}
	var list []loaded
	byName := map[string]loaded{}
	for _, d := range c.byHead[manifest.Head] {
		if d.Plain == nil {
			continue
		}
		x := loaded{d, manifest.Read(d.Decl, c.diags)}
		list = append(list, x)
		byName[x.m.Name] = x
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].d.module < list[j].d.module })
	for i, x := range list {
		if i > 0 && list[i-1].d.module == x.d.module {
			c.diags.Add("pack-twice", x.m.At, "name", x.m.Name, "other", list[i-1].m.Name).With("declared-here", list[i-1].m.At)
		}
		c.p.Packs = append(c.p.Packs, &program.Pack{Decl: c.head(x.d), Version: x.m.Version, Module: x.d.module})
		c.packEdition(x.m)
		for _, s := range x.m.Stands {
			below, ok := byName[s.Name]
			switch {
			case c.fails(s.Name):
			case !ok || below.d.module >= x.d.module:
				var known []string
				for _, y := range list {
					if y.d.module < x.d.module {
						known = append(known, y.m.Name)
					}
				}
				c.diags.Add("pack-lacks", s.At, "name", x.m.Name, "other", s.Name).Near = nearest(s.Name, known)
			case below.m.Version != "" && manifest.IsVersion(below.m.Version) && !s.Fits(below.m.Version):
				c.diags.Add("pack-unfit", s.At, "name", x.m.Name, "other", s.Name, "range", s.Range(), "version", below.m.Version).With("declared-here", below.m.At)
			}
		}
	}
}

// packEdition sees that the edition that a pack names is there, and of that day.
func (c *checker) packEdition(m *manifest.Manifest) {
	if m.Edition == "" {
		return
	}
	var known []string
	for _, e := range c.p.Editions {
		if e.Name == m.Edition {
			if m.Date != "" && e.From != m.Date && isDate(m.Date) {
				c.diags.Add("pack-edition", m.At, "name", m.Name, "edition", m.Edition, "date", m.Date, "from", e.From).With("declared-here", e.Head)
			}
			return
		}
		known = append(known, e.Name)
	}
	c.diags.Add("unknown-edition", m.At, "name", m.Edition).Near = nearest(m.Edition, known)
}
