package cli

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
)

// A folder of rules says in its lock what is read beneath it. An archive has no lock
// with it: what it stands on and nobody named is looked for in the store, each time
// anew, by the rules by which a lock is made.

// bundle is what is read in one go: an archive with its parts, or one other source.
type bundle struct {
	file    string     // where the archive lies; "" for what is none
	pack    *pack.Pack // nil for what is no archive
	sources []interpreter.Source
	placed  bool
}

// completed puts beneath the archives among what is read what they stand on: what is
// there comes before them, and what is not there is taken out of the store. Of what is
// built in another version is taken where that one does not fit.
func (a *app) completed(all []interpreter.Source, cases bool) ([]interpreter.Source, error) {
	var list []*bundle
	archives := 0
	for _, s := range all {
		file, p := a.archiveOf(s)
		if n := len(list); p != nil && n > 0 && list[n-1].pack == p {
			list[n-1].sources = append(list[n-1].sources, s)
			continue
		}
		if p != nil {
			archives++
		}
		list = append(list, &bundle{file: file, pack: p, sources: []interpreter.Source{s}})
	}
	if archives == 0 {
		return all, nil
	}
	at := map[string]*bundle{} // by the name of the pack
	for _, b := range list {
		if b.pack != nil {
			at[b.pack.Name] = b
			continue
		}
		for _, name := range packsIn(b.sources[0].FS) {
			at[name] = b
		}
	}
	chosen, err := a.beneathArchives(list, at)
	if err != nil {
		return nil, err
	}
	for _, l := range chosen {
		p, file, err := a.fetched(l)
		if err != nil {
			return nil, err
		}
		src, err := packSources(filepath.ToSlash(file), p, cases)
		if err != nil {
			return nil, err
		}
		b := at[l.Name]
		if b == nil {
			b = &bundle{}
			at[l.Name] = b
		}
		b.file, b.pack, b.sources = file, p, src // in the place of what is built in, where that is its name
	}
	var out []interpreter.Source
	var place func(b *bundle)
	place = func(b *bundle) {
		if b.placed {
			return
		}
		b.placed = true
		if b.pack != nil {
			for _, s := range b.pack.Stands {
				// A folder stays where it was named: what is read with it is not known here.
				if on := at[s.Name]; on != nil && on.pack != nil {
					place(on)
				}
			}
		}
		out = append(out, b.sources...)
	}
	for _, b := range list {
		place(b)
	}
	return out, nil
}

// beneathArchives chooses what has to come out of the store beneath archives.
func (a *app) beneathArchives(list []*bundle, at map[string]*bundle) ([]pack.Locked, error) {
	built, err := builtinPacks()
	if err != nil {
		return nil, err
	}
	lacks := false
	for _, b := range list {
		if b.pack == nil {
			continue
		}
		for _, s := range b.pack.Stands {
			on := at[s.Name]
			if on != nil && !isBuiltin(on) {
				continue // whether it fits is told where the rules are checked
			}
			lacks = lacks || on == nil || !slices.ContainsFunc(built, func(p *pack.Pack) bool {
				return p.Name == s.Name && s.Fits(p.Version) && (s.Digest == "" || s.Digest == p.Content)
			})
		}
	}
	if !lacks {
		return nil, nil
	}
	shelf, err := a.shelf()
	if err != nil {
		return nil, err
	}
	var roots []pack.Stand
	var names []string
	there := map[string]pack.Locked{} // what is read, in this version and no other
	for _, name := range slices.Sorted(maps.Keys(at)) {
		b := at[name]
		switch {
		case b.pack != nil:
			p := b.pack
			there[name] = pack.Locked{Name: p.Name, Version: p.Version, Content: p.Content, Raw: p.Raw, Stands: p.Stands}
		case !isBuiltin(b):
			version, content, _, err := a.identity(b.sources[0])
			if err != nil {
				return nil, err
			}
			there[name] = pack.Locked{Name: name, Version: version, Content: content}
		}
	}
	for _, b := range list {
		if b.pack != nil {
			roots = append(roots, pack.Stand{Name: b.pack.Name})
			names = append(names, filepath.ToSlash(filepath.Base(b.file)))
		}
	}
	lock, err := pack.Resolve(strings.Join(names, ", "), roots, func(name string) []pack.Locked {
		if l, ok := there[name]; ok {
			return []pack.Locked{l}
		}
		var out []pack.Locked
		for _, p := range built { // first, so that of equal versions it is taken
			if p.Name == name && at[name] != nil {
				out = append(out, pack.Locked{Name: p.Name, Version: p.Version, Content: p.Content, Stands: p.Stands})
			}
		}
		for _, s := range shelf {
			if s.Name == name {
				out = append(out, s.Locked)
			}
		}
		return out
	})
	if err != nil {
		return nil, refused(strings.Join(names, ", "), err)
	}
	return slices.DeleteFunc(lock.Packs, func(l pack.Locked) bool {
		_, read := there[l.Name]
		return read || l.Raw == ""
	}), nil
}

// isBuiltin reports whether a bundle is a pack that is built into the program.
func isBuiltin(b *bundle) bool { return b.pack == nil && b.sources[0].Pack != nil }

// archiveOf is the archive that a source is a part of, or nil.
func (a *app) archiveOf(s interpreter.Source) (string, *pack.Pack) {
	if onDisk(s.FS) {
		return "", nil
	}
	at := realPath(s.Name)
	for file, p := range a.opened {
		if file == at || strings.HasPrefix(at, file+string(filepath.Separator)) {
			return file, p
		}
	}
	return "", nil
}
