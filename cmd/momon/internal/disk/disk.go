// Package disk writes files whole or not at all, also when the program is killed on
// the way or the disk is full.
//
// What a file is to hold is written to a part, a new file beside it, and put in place
// by a rename once all of it is on the disk. A program that is killed leaves a part
// behind; whoever writes into that folder next takes it away. To tell it from the part
// of somebody who is still at work, that one holds a lock on it, which a system takes
// from the dead.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotFile says that something is there that a file can't take the place of.
var ErrNotFile = errors.New("it is there and is not a file")

// Disk is where files are written.
type Disk struct {
	// Before, unless it is nil, is told what is about to be done, in one word. An error
	// is returned in place of doing it. It is for tests, which stop at each of these.
	Before func(what string) error
}

func (d *Disk) before(what string) error {
	if d.Before == nil {
		return nil
	}
	return d.Before(what)
}

// File is a file to write.
type File struct {
	Name string
	Data []byte
}

// Write writes a file.
func (d *Disk) Write(name string, data []byte) error {
	return d.WriteAll([]File{{name, data}}, nil)
}

// WriteAll writes files: all of them are on the disk before the first is put in place.
// Unless it is nil, check is given what the disk has of each, before that, and its
// error leaves everything as it was.
func (d *Disk) WriteAll(files []File, check func(read [][]byte) error) error {
	var parts []*Part
	drop := func() {
		for _, p := range parts {
			p.Drop()
		}
	}
	var read [][]byte
	for _, f := range files {
		p, err := d.Prepare(f.Name, f.Data)
		if err == nil {
			parts = append(parts, p)
			if check != nil {
				var data []byte
				data, err = p.Read()
				read = append(read, data)
			}
		}
		if err != nil {
			drop()
			return err
		}
	}
	if check != nil {
		if err := check(read); err != nil {
			drop()
			return err
		}
	}
	for len(parts) > 0 {
		if err := parts[0].Put(); err != nil {
			drop()
			return err
		}
		parts = parts[1:]
	}
	return nil
}

// Folder makes a folder, and those that it lies in.
func (d *Disk) Folder(name string) error {
	if err := d.before("mkdir"); err != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: err}
	}
	return os.MkdirAll(name, 0o777)
}

// Part is what a file is to hold, on the disk and not in its place yet.
type Part struct {
	d      *Disk
	f      *os.File // held until it is in its place
	name   string   // that of the part
	target string   // the file to replace, links followed
	shown  string   // as somebody named it
}

// most is how much is written at once.
const most = 256 << 10

// Prepare writes what a file is to hold beside it. What is there and is no file, such
// as a device, is left alone.
func (d *Disk) Prepare(name string, data []byte) (*Part, error) {
	p := &Part{d: d, target: name, shown: name}
	if err := p.write(data); err != nil {
		p.Drop()
		return nil, p.blame(err)
	}
	return p, nil
}

func (p *Part) write(data []byte) error {
	if t, err := filepath.EvalSymlinks(p.target); err == nil {
		p.target = t
	}
	mode := os.FileMode(0)
	if st, err := os.Stat(p.target); err == nil {
		if !st.Mode().IsRegular() {
			return &fs.PathError{Op: "write", Path: p.shown, Err: ErrNotFile}
		}
		mode = st.Mode().Perm()
		if w, err := os.OpenFile(p.target, os.O_WRONLY, 0); err != nil {
			return err // it is not to be written to
		} else if err := w.Close(); err != nil {
			return err
		}
	}
	clearParts(filepath.Dir(p.target))
	if err := p.d.before("create"); err != nil {
		return err
	}
	if err := p.create(); err != nil {
		return err
	}
	if mode != 0 {
		if err := p.f.Chmod(mode); err != nil {
			return err
		}
	}
	for first := true; first || len(data) > 0; first = false {
		if err := p.d.before("write"); err != nil {
			return err
		}
		n := min(len(data), most)
		if _, err := p.f.Write(data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	if err := p.d.before("sync"); err != nil {
		return err
	}
	return p.f.Sync()
}

// blame names the file that somebody asked for in an error, and not the part.
func (p *Part) blame(err error) error {
	var at *fs.PathError
	var two *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: at.Op, Path: p.shown, Err: at.Err}
	case errors.As(err, &two):
		return &fs.PathError{Op: two.Op, Path: p.shown, Err: two.Err}
	}
	return &fs.PathError{Op: "write", Path: p.shown, Err: err}
}

// create makes the part, with the permissions that new files have; a temporary file of
// the system would be for its owner alone.
func (p *Part) create() error {
	for {
		name := filepath.Join(filepath.Dir(p.target), fmt.Sprint(partName, rand.Uint64()))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		p.f, p.name = f, name
		if !hold(f) {
			return nil // nobody can see that it is in use, so nobody takes it away soon
		}
		// Somebody can have taken it for abandoned before it was held.
		here, err := f.Stat()
		if err != nil {
			return err
		}
		if there, err := os.Stat(name); err == nil && os.SameFile(here, there) {
			return nil
		}
		f.Close()
		p.f, p.name = nil, ""
	}
}

// Read is what the disk has of the part.
func (p *Part) Read() ([]byte, error) {
	data, err := os.ReadFile(p.name)
	if err != nil {
		return nil, p.blame(err)
	}
	return data, nil
}

// Put puts the part in place.
func (p *Part) Put() error {
	if !renamesOpen {
		if err := p.f.Close(); err != nil {
			return p.blame(err)
		}
		p.f = nil
	}
	err := p.d.before("rename")
	if err == nil {
		err = os.Rename(p.name, p.target)
	}
	if err != nil {
		p.Drop()
		return p.blame(err)
	}
	p.name = ""
	if p.f == nil {
		return nil
	}
	f := p.f
	p.f = nil
	if err := f.Close(); err != nil {
		return p.blame(err)
	}
	return nil
}

// Drop takes a part away that is not put in place.
func (p *Part) Drop() {
	if !renamesOpen && p.f != nil {
		p.f.Close() // what is open can't be removed there
		p.f = nil
	}
	if p.name != "" {
		os.Remove(p.name)
	}
	if p.f != nil {
		p.f.Close()
	}
	p.f, p.name = nil, ""
}

// partName is how the names of parts begin; a number follows.
const partName = ".momon-"

// clearParts takes away the parts in a folder that nobody is at work on any more. What
// can't be taken away stays: it is in nobody's way.
func clearParts(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		number, ok := strings.CutPrefix(e.Name(), partName)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		removeAbandoned(filepath.Join(dir, e.Name()))
	}
}
