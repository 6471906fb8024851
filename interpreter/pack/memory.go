package pack

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"
)

// memory is a folder in memory. What stands on it are files that came from an
// archive, so that a folder has to be found in no more time than a file.
type memory struct {
	files map[string][]byte
	dirs  map[string][]fs.DirEntry // by name, sorted by fill
}

func newMemory(files []item) *memory {
	m := &memory{files: make(map[string][]byte, len(files)), dirs: map[string][]fs.DirEntry{".": nil}}
	for _, f := range files {
		m.files[f.path] = f.data
		m.enter(entry{path.Base(f.path), int64(len(f.data)), false}, path.Dir(f.path))
	}
	for _, list := range m.dirs {
		slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	}
	return m
}

// enter puts an entry into a folder, which is made where it is not there yet.
func (m *memory) enter(e entry, dir string) {
	if _, there := m.dirs[dir]; !there {
		m.dirs[dir] = nil
		m.enter(entry{path.Base(dir), 0, true}, path.Dir(dir))
	}
	m.dirs[dir] = append(m.dirs[dir], e)
}

// Open implements fs.FS.
func (m *memory) Open(name string) (fs.File, error) {
	e, err := m.find("open", name)
	if err != nil {
		return nil, err
	}
	if e.dir {
		return &openDir{entry: e, name: name, list: m.dirs[name]}, nil
	}
	return &openFile{e, bytes.NewReader(m.files[name])}, nil
}

// Stat implements fs.StatFS.
func (m *memory) Stat(name string) (fs.FileInfo, error) { return m.find("stat", name) }

// ReadFile implements fs.ReadFileFS.
func (m *memory) ReadFile(name string) ([]byte, error) {
	if data, ok := m.files[name]; ok {
		return bytes.Clone(data), nil
	}
	_, err := m.find("read", name)
	if err == nil {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return nil, err
}

// ReadDir implements fs.ReadDirFS.
func (m *memory) ReadDir(name string) ([]fs.DirEntry, error) {
	if list, ok := m.dirs[name]; ok {
		return slices.Clone(list), nil
	}
	_, err := m.find("readdir", name)
	if err == nil {
		err = &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return nil, err
}

func (m *memory) find(op, name string) (entry, error) {
	if data, ok := m.files[name]; ok {
		return entry{path.Base(name), int64(len(data)), false}, nil
	}
	if _, ok := m.dirs[name]; ok {
		return entry{path.Base(name), 0, true}, nil
	}
	err := fs.ErrNotExist
	if !fs.ValidPath(name) {
		err = fs.ErrInvalid
	}
	return entry{}, &fs.PathError{Op: op, Path: name, Err: err}
}

// entry is a file or a folder. It implements fs.FileInfo and fs.DirEntry.
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }

// Mode implements fs.FileInfo.
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type openFile struct {
	entry
	*bytes.Reader
}

func (f *openFile) Size() int64                { return f.entry.size }
func (f *openFile) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	entry
	name string
	list []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.entry, nil }
func (d *openDir) Close() error               { return nil }

// Read implements fs.File.
func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.list)
	} else if len(d.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.list))
	out := slices.Clone(d.list[:n])
	d.list = d.list[n:]
	return out, nil
}
