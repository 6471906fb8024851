package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// held is what is in a folder, by name.
func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range list {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

// TestFailing stops before each thing that is done: what was there stays, or all of what
// is new is there, and nothing else.
func TestFailing(t *testing.T) {
	big := strings.Repeat("new ", most/4+1) // written in two goes
	for at := 1; ; at++ {
		dir := t.TempDir()
		old := map[string]string{"a": "old a", "b": "old b"}
		for name, text := range old {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		d := &Disk{Before: func(string) error {
			if n++; n == at {
				return syscall.ENOSPC
			}
			return nil
		}}
		err := d.WriteAll([]File{{filepath.Join(dir, "a"), []byte(big)}, {filepath.Join(dir, "b"), []byte("new b")}}, nil)
		got := held(t, dir)
		if err == nil {
			if at < 9 { // create, write, write, sync, create, write, sync, rename, rename
				t.Errorf("only %d things are done", n)
			}
			if got["a"] != big || got["b"] != "new b" || len(got) != 2 {
				t.Error("it says that it is done, and it is not")
			}
			if st, err := os.Stat(filepath.Join(dir, "a")); err != nil || st.Mode().Perm() != 0o600 {
				t.Errorf("the mode is not what it was: %v", err)
			}
			break
		}
		var where *fs.PathError
		if !errors.Is(err, syscall.ENOSPC) || !errors.As(err, &where) || !strings.HasPrefix(where.Path, dir) || strings.Contains(where.Path, partName) {
			t.Errorf("%d: %v", at, err)
		}
		for name, text := range got {
			if was, ok := old[name]; !ok || text != was && text != big && text != "new b" {
				t.Errorf("%d: %s holds %.20q", at, name, text)
			}
		}
		if len(got) != 2 || at < 8 && (got["a"] != old["a"] || got["b"] != old["b"]) {
			t.Errorf("%d: it left %d files, or changed one before all were there", at, len(got))
		}
	}
}

// TestChecked sees that what is read back is what was written, and that an objection to
// it leaves everything as it was.
func TestChecked(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	d := &Disk{}
	objection := errors.New("no")
	err := d.WriteAll([]File{{name, []byte("one")}, {filepath.Join(dir, "b"), nil}}, func(read [][]byte) error {
		if string(read[0]) != "one" || len(read[1]) > 0 {
			t.Errorf("%q", read)
		}
		return objection
	})
	if !errors.Is(err, objection) || len(held(t, dir)) > 0 {
		t.Errorf("%v, %v", err, held(t, dir))
	}
	if err := d.Write(name, []byte("one")); err != nil || held(t, dir)["a"] != "one" {
		t.Error(err)
	}
}

// TestNoFile sees that what is no file is left alone, and that links are followed.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	d := &Disk{}
	if err := d.Write(dir, nil); !errors.Is(err, ErrNotFile) {
		t.Error(err)
	}
	if err := d.Write(filepath.Join(dir, "none", "a"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := d.Write(link, []byte("new")); err != nil || held(t, dir)["real"] != "new" {
		t.Error(err)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}

// TestLitter sees that the next to write takes away what a dead program left, and
// leaves alone what somebody is at work on and what only looks alike.
func TestLitter(t *testing.T) {
	dir := t.TempDir()
	d := &Disk{}
	p, err := d.Prepare(filepath.Join(dir, "a"), []byte("at work"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".momon-12", ".momon-", ".momon-12a", ".momon-new-12", "momon-12"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("left"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".momon-7"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(filepath.Join(dir, "b"), []byte("b")); err != nil {
		t.Fatal(err)
	}
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	if exists(".momon-12") == renamesOpen { // elsewhere only what is old is taken away
		t.Error(".momon-12 was left behind, or taken away while it was new")
	}
	for _, name := range []string{".momon-", ".momon-12a", ".momon-new-12", "momon-12", ".momon-7"} {
		if !exists(name) {
			t.Errorf("%s is gone", name)
		}
	}
	if err := p.Put(); err != nil {
		t.Errorf("the part of somebody who is at work was taken away: %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(data) != "at work" {
		t.Error(err)
	}
	q, err := d.Prepare(filepath.Join(dir, "c"), nil)
	if err != nil {
		t.Fatal(err)
	}
	name := q.name
	q.Drop()
	if _, err := os.Lstat(name); err == nil {
		t.Error("what was dropped is still there")
	}
}
