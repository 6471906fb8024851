package cli

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/pack"
)

// revision is the rule files of a folder as a git repository keeps them. A name is
// git:REV, which is this folder at a revision, or REV:PATH, as git has it.
type revision struct{ rev, dir string }

// revisionOf reads the name of a revision.
func revisionOf(name string) (r revision, ok bool) {
	if rev, ok := strings.CutPrefix(name, "git:"); ok && rev != "" {
		if rev, dir, found := strings.Cut(rev, ":"); found {
			return revision{rev, dir}, true
		}
		return revision{rev, "./"}, true
	}
	rev, dir, ok := strings.Cut(name, ":")
	return revision{rev, dir}, ok && len(rev) > 1 // one letter is a disk
}

// git runs git and returns what it prints.
func git(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	var wrong bytes.Buffer
	c := exec.CommandContext(ctx, "git", args...)
	c.Stdin, c.Stderr = in, &wrong
	c.Env = append(os.Environ(), "LC_ALL=C") // what it says is looked into
	out, err := c.Output()
	if err != nil && wrong.Len() > 0 {
		line, _, _ := strings.Cut(strings.TrimSpace(wrong.String()), "\n")
		return nil, errors.New(diag.Printable(strings.TrimPrefix(line, "fatal: ")))
	}
	return out, err
}

// open reads the rule files of a revision into memory, and its lock.
func (r revision) open(ctx context.Context) (fs.FS, error) {
	if strings.HasPrefix(r.rev, "-") {
		return nil, errors.New(diag.Printable(r.rev))
	}
	dir := r.dir
	if dir == "." || strings.HasPrefix(dir, "./") || strings.HasPrefix(dir, "../") {
		at, err := git(ctx, nil, "rev-parse", "--show-prefix")
		if err != nil {
			return nil, err
		}
		dir = path.Join(strings.TrimSpace(string(at)), dir)
	}
	if dir = path.Clean(dir); dir == "." {
		dir = ""
	}
	tree, err := git(ctx, nil, "rev-parse", "--verify", "--end-of-options", r.rev+":"+dir)
	if err != nil {
		return nil, err
	}
	list, err := git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", strings.TrimSpace(string(tree)))
	if err != nil {
		return nil, err
	}
	var names []string
	var ask bytes.Buffer
	for _, entry := range strings.Split(string(list), "\x00") {
		head, name, ok := strings.Cut(entry, "\t")
		f := strings.Fields(head) // mode, kind, hash
		if ok && len(f) == 3 && f[1] == "blob" && strings.HasPrefix(f[0], "100") && (path.Ext(name) == ".momon" || name == pack.LockName) && fs.ValidPath(name) {
			names = append(names, name)
			fmt.Fprintln(&ask, f[2])
		}
	}
	all, err := git(ctx, &ask, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	return filed(names, all)
}

// filed puts files as git cat-file prints them into a folder in memory.
func filed(names []string, all []byte) (fs.FS, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	in := bufio.NewReader(bytes.NewReader(all))
	for _, name := range names {
		line, err := in.ReadString('\n') // hash, kind, size
		if err != nil {
			return nil, err
		}
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil, fmt.Errorf("%s: %s", name, diag.Printable(line))
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return nil, err
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := io.CopyN(to, in, size); err != nil {
			return nil, err
		}
		if _, err := in.ReadByte(); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
}
