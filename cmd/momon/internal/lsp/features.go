package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"sync"

	"github.com/momon-rules/momon/interpreter"
)

// current is the parsed file of a name as it is now, or nil where it has changed
// since it was parsed.
func (w *workspace) current(name string) *interpreter.RuleFile {
	c := w.cache[name]
	if c == nil {
		return nil
	}
	if d := w.docs[name]; d != nil && (c.doc == nil || c.text != d.text) {
		return nil
	}
	return c.file
}

var written struct {
	sync.Mutex
	dirs map[string]string // by cache folder
}

// builtinDir writes what is built into the program to a folder and returns it. It
// is named after what it holds, so that two versions of the program share none.
func (s *server) builtinDir() (string, error) {
	cache, err := s.cacheDir()
	if err != nil {
		return "", err
	}
	written.Lock()
	defer written.Unlock()
	if dir := written.dirs[cache]; dir != "" {
		return dir, nil
	}
	type file struct{ name, text string }
	var files []file
	h := sha256.New()
	for _, src := range s.opts.Modules.Builtin(true) {
		names, err := src.Files()
		if err != nil {
			return "", err
		}
		for _, n := range names {
			data, err := fs.ReadFile(src.FS, n)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s/%s %d\n", src.Name, n, len(data))
			h.Write(data)
			files = append(files, file{path.Join(src.Name, n), string(data)})
		}
	}
	dir := filepath.Join(cache, "built-in-"+hex.EncodeToString(h.Sum(nil)[:8]))
	for _, f := range files {
		if err := store(filepath.Join(dir, filepath.FromSlash(f.name)), f.text); err != nil {
			return "", err
		}
	}
	if written.dirs == nil {
		written.dirs = map[string]string{}
	}
	written.dirs[cache] = filepath.ToSlash(dir)
	return written.dirs[cache], nil
}

// builtin reports whether a file is one of those that are built in, or their copy.
func (s *server) builtin(name string) bool {
	if s.docs[name] == nil && !isFile(name) {
		return true
	}
	cache, err := s.cacheDir()
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(cache, filepath.FromSlash(name))
	return err == nil && filepath.IsLocal(rel)
}
