package fakes

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing/fstest"

	"github.com/momon-rules/momon/interpreter"
)

// Rules are the sources with the fake's edits in them. Files are named as the
// interpreter names them: by the source, then by their path in it.
func (f *Fake) Rules(sources []interpreter.Source) ([]interpreter.Source, error) {
	at := map[string]int{}
	texts := map[string]string{}
	for i, s := range sources {
		names, err := s.Files()
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			data, err := fs.ReadFile(s.FS, n)
			if err != nil {
				return nil, err
			}
			at[s.Name+"/"+n], texts[s.Name+"/"+n] = i, string(data)
		}
	}
	changed, err := f.Apply(func(name string) (string, error) {
		if text, ok := texts[name]; ok {
			return text, nil
		}
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	})
	if err != nil {
		return nil, err
	}
	out := slices.Clone(sources)
	for name := range changed {
		i := at[name]
		files := fstest.MapFS{}
		for n, text := range texts {
			if at[n] != i {
				continue
			}
			if c, ok := changed[n]; ok {
				text = c
			}
			files[n[len(sources[i].Name)+1:]] = &fstest.MapFile{Data: []byte(text)}
		}
		out[i] = interpreter.Source{Name: sources[i].Name, FS: files}
	}
	return out, nil
}

// Program is the adapter of a build of the second implementation, within its folder.
const Program = "dist/src/adapter.js"

// Build copies a build of the second implementation, which lies in dir, to a new
// folder with the fake's edits in it. The program is the copy's adapter; clean
// removes the folder.
func (f *Fake) Build(dir string) (program string, clean func(), err error) {
	from := filepath.Join(dir, filepath.FromSlash(filepath.Dir(Program)))
	changed, err := f.Apply(func(name string) (string, error) {
		data, err := os.ReadFile(filepath.Join(from, name))
		return string(data), err
	})
	if err != nil {
		return "", nil, err
	}
	to, err := os.MkdirTemp("", "momon-fake")
	if err != nil {
		return "", nil, err
	}
	clean = func() { os.RemoveAll(to) }
	names, err := filepath.Glob(filepath.Join(from, "*.js"))
	if err == nil {
		err = os.WriteFile(filepath.Join(to, "package.json"), []byte(`{"type": "module"}`), 0o666)
	}
	for _, n := range names {
		if err != nil {
			break
		}
		base := filepath.Base(n)
		text, ok := changed[base]
		if !ok {
			var data []byte
			data, err = os.ReadFile(n)
			text = string(data)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, base), []byte(text), 0o666)
		}
	}
	if err != nil {
		clean()
		return "", nil, err
	}
	return filepath.Join(to, filepath.Base(Program)), clean, nil
}
