package interpreter

import (
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// memory is a folder of rule files that a bench wrote itself, by name. It holds
// no folders.
type memory map[string]string

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	text, ok := m[name]
	switch {
	case name == ".":
		return &memoryFile{memoryInfo{name: name, dir: true}, strings.NewReader(""), m}, nil
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memoryFile{memoryInfo{name: name, size: int64(len(text))}, strings.NewReader(text), nil}, nil
}

type memoryFile struct {
	info memoryInfo
	io.Reader
	in memory // of the folder itself
}

// Stat implements fs.File.
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close implements fs.File.
func (f *memoryFile) Close() error { return nil }

// ReadDir implements fs.ReadDirFile. It is read at one go.
func (f *memoryFile) ReadDir(int) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(f.in)) {
		out = append(out, fs.FileInfoToDirEntry(memoryInfo{name: name, size: int64(len(f.in[name]))}))
	}
	return out, nil
}

type memoryInfo struct {
	name string
	size int64
	dir  bool
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) IsDir() bool        { return i.dir }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) Sys() any           { return nil }
func (i memoryInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
