package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cmd/momon/internal/disk"
	"github.com/momon-rules/momon/interpreter/pack"
)

// killedAt names the environment variable that makes a test's program the real one,
// which is killed before the so-and-so-manieth thing that it does to the disk; 0 lets
// it live.
const killedAt = "MOMON_TEST_KILLED_AT"

// mortal is the program until it is killed: at once, and with no word to anybody.
func mortal(at string) int {
	n, err := strconv.Atoi(at)
	if err != nil {
		panic(err)
	}
	done := 0
	return run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, disk.Disk{Before: func(string) error {
		if done++; done == n {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			if err != nil {
				panic(err)
			}
			select {}
		}
		return nil
	}})
}

// die runs the program in a folder until it is killed, and reports whether it was.
func die(t *testing.T, dir string, at int, args ...string) bool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", killedAt, at), "MOMON_STORE=store", "MOMON_TRUST=trust.json", "COLUMNS=80")
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &ended) && (ended.ExitCode() == -1 || ended.ExitCode() == 1 && len(out) == 0): // by a signal, or as Windows has it
		return true
	}
	t.Fatalf("%v: %v\n%s", args, err, out)
	return false
}

// tree is every file below a folder, by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// plant writes files below a folder.
func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tides is a pack that passes its gates, with a text that takes several goes to write.
func tides(version string) map[string]string {
	return map[string]string{
		"tides/module.momon": `language 1
pack "tides" en "Tides" th "น้ำขึ้นน้ำลง" {
  version "` + version + `"
  stands on "wonder-rules" from "1.0.0" until "2.0.0"
}
`,
		"tides/keyword.momon": `keyword Tides en "Tides" th "น้ำขึ้นน้ำลง" {
  says en "This Momon has more Power." th "Momon นี้มี Power มากขึ้น"
  always: raise power by 2
}
`,
		"tides/README.md":    strings.Repeat("Tides come and tides go.\n", 36_000),
		"tides/CHANGELOG.md": "# " + version + "\n\n- Tides.\n- น้ำขึ้นน้ำลง\n",
	}
}

// older is an archive of an earlier version.
func older(t *testing.T) string {
	t.Helper()
	p, err := pack.FromFolder(fstest.MapFS{"module.momon": {Data: []byte(tides("0.9.0")["tides/module.momon"])}})
	if err != nil {
		t.Fatal(err)
	}
	return string(p.Archive())
}

// TestKilled kills the program before each thing that it does to the disk. Whenever it
// is, each file is the old one or the whole new one; and when the command is given
// again, it comes out as though nothing had been, with nothing left behind.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the program often")
	}
	begin := t.TempDir()
	plant(t, begin, tides("1.0.0"))
	first := func(args ...string) {
		t.Helper()
		if die(t, begin, 0, args...) {
			t.Fatal("it was killed and should not be")
		}
	}
	first("pack", "keys", "new", "shop", "--no-password")
	first("pack", "keys", "new", "other", "--no-password")
	first("pack", "keys", "trust", "shop.pub")
	first("pack", "build", "tides")
	first("pack", "sign", "tides-1.0.0.momonpack", "--key", "shop.key")
	plain := tree(t, begin)

	skip := []string{"--skip", "tests", "--skip", "covers", "--skip", "mutants", "--skip", "diff", "--skip", "languages", "--skip", "export"}
	for _, k := range []struct {
		name   string
		before func(files map[string]string) // what else is there
		args   []string
		files  []string // that it writes
		goes   int      // so many things it does to the disk, at least
	}{
		{"build", nil, []string{"pack", "build", "tides", "-o", "out.momonpack"}, []string{"out.momonpack"}, 7},
		{"build over another", func(f map[string]string) { f["out.momonpack"] = older(t) },
			[]string{"pack", "build", "tides", "-o", "out.momonpack", "--force"}, []string{"out.momonpack"}, 7},
		{"release", nil, append([]string{"pack", "release", "tides", "--key", "shop.key", "-o", "out.momonpack"}, skip...),
			[]string{"out.momonpack", "out.momonpack.minisig"}, 11},
		{"get", nil, []string{"pack", "get", "tides-1.0.0.momonpack"}, []string{"store/sha256/*.momonpack", "store/sha256/*.minisig"}, 12},
		{"lock", func(f map[string]string) { f["tides/momon.lock"] = `{"momon_lock": 1, "packs": []}` },
			[]string{"pack", "lock", "tides"}, []string{"tides/momon.lock"}, 4},
		{"sign again", func(f map[string]string) {
			f["tides-1.0.0.momonpack.judge.minisig"] = f["tides-1.0.0.momonpack.minisig"]
		},
			[]string{"pack", "sign", "tides-1.0.0.momonpack", "--key", "shop.key", "--role", "judge", "-o", "tides-1.0.0.momonpack.judge.minisig"}, []string{"tides-1.0.0.momonpack.judge.minisig"}, 4},
		{"trust", nil, []string{"pack", "keys", "trust", "other.pub"}, []string{"trust.json"}, 5},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			start := maps.Clone(plain)
			if k.before != nil {
				k.before(start)
			}
			fresh := func() string {
				dir := t.TempDir()
				plant(t, dir, start)
				return dir
			}
			whole := fresh()
			if die(t, whole, 0, k.args...) {
				t.Fatal("it was killed and should not be")
			}
			end := tree(t, whole)
			for _, pattern := range k.files {
				list, err := filepath.Glob(filepath.Join(whole, filepath.FromSlash(pattern)))
				if err != nil || len(list) != 1 {
					t.Fatalf("%s: %v, %v", pattern, list, err)
				}
			}
			if maps.Equal(start, end) {
				t.Fatal("it writes nothing")
			}
			at := 1
			for ; ; at++ {
				dir := fresh()
				if !die(t, dir, at, k.args...) {
					break
				}
				for name, text := range tree(t, dir) {
					old, was := start[name]
					switch new, is := end[name]; {
					case was && text == old, is && text == new:
					case strings.HasPrefix(filepath.Base(name), ".momon-"): // it is taken away below
					default:
						t.Errorf("killed at %d: %s is neither the old file nor the new one", at, name)
					}
				}
				for name := range start {
					if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
						t.Errorf("killed at %d: %v", at, err)
					}
				}
				if die(t, dir, 0, k.args...) {
					t.Fatal("it was killed and should not be")
				}
				if got := tree(t, dir); !maps.Equal(got, end) {
					t.Errorf("killed at %d and run again, there is %v and not %v", at, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(end)))
				}
			}
			if at <= k.goes {
				t.Errorf("it was killed at %d places only", at-1)
			}
		})
	}
}

// TestFull lets the disk be full at each thing that is done to it: the program says so
// in plain words, and everything is as it was.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, tides("1.0.0"))
	t.Chdir(dir)
	for at := 1; ; at++ {
		n := 0
		full := disk.Disk{Before: func(string) error {
			if n++; n == at {
				return syscall.ENOSPC
			}
			return nil
		}}
		before := tree(t, dir)
		var out, errs bytes.Buffer
		code := run([]string{"pack", "build", "tides", "--lang", []string{"en", "th"}[at%2]}, strings.NewReader(""), &out, &errs, full)
		if code == exitFine {
			if at < 7 {
				t.Errorf("it ran full at %d places only", at-1)
			}
			break
		}
		if code != exitCant || !strings.Contains(errs.String(), []string{"there is no room left", "ไม่มีที่ว่างพอ"}[at%2]) || strings.Contains(errs.String(), ".momon-") || out.Len() > 0 {
			t.Errorf("%d: %d\n%s%s", at, code, out.String(), errs.String())
		}
		if !maps.Equal(before, tree(t, dir)) {
			t.Errorf("%d: something was written", at)
		}
	}
	if p, err := os.ReadFile("tides-1.0.0.momonpack"); err != nil {
		t.Error(err)
	} else if _, err := pack.FromArchive(p); err != nil {
		t.Error(err)
	}
}

// TestReadBack has the disk give back something else than was written to it: nothing is
// put in place.
func TestReadBack(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, tides("1.0.0"))
	t.Chdir(dir)
	t.Setenv("MOMON_STORE", filepath.Join(dir, "store"))
	t.Setenv("MOMON_TRUST", filepath.Join(dir, "trust.json"))
	var out, errs bytes.Buffer
	if code := Main([]string{"pack", "keys", "new", "shop", "--no-password"}, strings.NewReader(""), &out, &errs); code != exitFine {
		t.Fatal(errs.String())
	}
	args := []string{"pack", "release", "tides", "--key", "shop.key", "-o", "out.momonpack"}
	for _, name := range []string{"tests", "covers", "mutants", "diff", "languages", "export"} {
		args = append(args, "--skip", name)
	}
	for which := 1; which <= 2; which++ { // the signature, the archive
		before := tree(t, dir)
		n := 0
		faulty := disk.Disk{Before: func(what string) error {
			if what != "sync" {
				return nil
			}
			if n++; n != which {
				return nil
			}
			list, err := filepath.Glob(".momon-*")
			if err != nil || len(list) != n {
				return fmt.Errorf("%v, %v", list, err)
			}
			for _, name := range list {
				data, err := os.ReadFile(name)
				if err != nil || (len(data) < 1000) != (which == 1) {
					continue // it is the other
				}
				data[len(data)/2] ^= 1
				if err := os.WriteFile(name, data, 0o666); err != nil {
					return err
				}
			}
			return nil
		}}
		out.Reset()
		errs.Reset()
		code := run(args, strings.NewReader(""), &out, &errs, faulty)
		if code != exitCant || !strings.Contains(errs.String(), "out.momonpack") || strings.Contains(out.String(), "Released") {
			t.Errorf("%d: %d\n%s%s", which, code, out.String(), errs.String())
		}
		if !maps.Equal(before, tree(t, dir)) {
			t.Errorf("%d: something was written", which)
		}
	}
}
