package cli

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// onSmallDisk names the environment variable that says where a small disk is to be, to
// the test that is run anew in a name space of its own.
const onSmallDisk = "MOMON_TEST_SMALL_DISK"

// TestSmallDisk runs the program on a disk of 1 MiB that is nearly full. The disk is
// there for the test alone: in a name space for mounts, and where that takes rights that
// nobody has here, in one for users too.
func TestSmallDisk(t *testing.T) {
	if dir := os.Getenv(onSmallDisk); dir != "" {
		smallDisk(t, dir)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spaces := []*syscall.SysProcAttr{
		{Cloneflags: syscall.CLONE_NEWNS},
		{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}},
	}
	var why []string
	for _, space := range spaces {
		c := exec.Command(self, "-test.run=^TestSmallDisk$", "-test.v")
		c.SysProcAttr = space
		c.Env = append(os.Environ(), onSmallDisk+"="+t.TempDir())
		out, err := c.CombinedOutput()
		var ended *exec.ExitError
		switch {
		case err != nil && !errors.As(err, &ended):
			why = append(why, err.Error()) // it could not be started
		case bytes.Contains(out, []byte(noSmallDisk)):
			why = append(why, string(out))
		case err != nil:
			t.Fatalf("%s", out)
		case !bytes.Contains(out, []byte("--- PASS: TestSmallDisk")):
			t.Fatalf("the test was not run:\n%s", out)
		default:
			return
		}
	}
	t.Skip("no disk can be mounted here: ", strings.Join(why, "; "))
}

// noSmallDisk is said where no disk could be mounted.
const noSmallDisk = "no small disk: "

func smallDisk(t *testing.T, dir string) {
	// What is mounted here is to be seen nowhere else.
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		t.Skip(noSmallDisk, err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip(noSmallDisk, err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })

	roomy := t.TempDir()
	plant(t, roomy, tides("1.0.0"))
	plant(t, dir, map[string]string{"out.momonpack": older(t), "lock/momon.lock": `{"momon_lock": 1, "packs": []}`,
		"lock/module.momon": tides("1.0.0")["tides/module.momon"]})
	t.Chdir(roomy)
	t.Setenv("MOMON_TRUST", filepath.Join(roomy, "trust.json"))
	said := func(args ...string) (int, string) {
		var out, errs bytes.Buffer
		code := Main(args, strings.NewReader(""), &out, &errs)
		return code, out.String() + errs.String()
	}
	for _, args := range [][]string{{"pack", "keys", "new", "shop", "--no-password"}, {"pack", "keys", "trust", "shop.pub"},
		{"pack", "build", "tides"}, {"pack", "sign", "tides-1.0.0.momonpack", "--key", "shop.key"}} {
		if code, text := said(args...); code != exitFine {
			t.Fatal(text)
		}
	}
	// Room is left for the archive's first part, and for nothing in the end.
	fill(t, filepath.Join(dir, "filler"), 300<<10)
	before := tree(t, dir)
	release := []string{"pack", "release", "tides", "--key", "shop.key", "-o", filepath.Join(dir, "out.momonpack"), "--force"}
	for _, name := range []string{"tests", "covers", "mutants", "diff", "languages", "export"} {
		release = append(release, "--skip", name)
	}
	commands := [][]string{
		{"pack", "build", "tides", "--force", "-o", filepath.Join(dir, "out.momonpack")},
		{"pack", "build", "tides", "-o", filepath.Join(dir, "new.momonpack")},
		release,
		{"pack", "get", "tides-1.0.0.momonpack", "--store", filepath.Join(dir, "store")},
	}
	words := map[string]string{"en": "there is no room left to write it", "th": "ไม่มีที่ว่างพอจะเขียน"}
	full := func(args ...string) {
		t.Helper()
		for lang, want := range words {
			code, text := said(append(args, "--lang", lang)...)
			if code != exitCant || !strings.Contains(text, want) || strings.Contains(text, ".momon-") || strings.Contains(text, "ENOSPC") {
				t.Errorf("%v: %d\n%s", args, code, text)
			}
		}
		if !maps.Equal(tree(t, dir), before) {
			t.Errorf("%v: there is something else on the disk than before", args)
		}
	}
	for _, args := range commands {
		full(args...)
	}
	// Nothing at all fits any more.
	fill(t, filepath.Join(dir, "rest"), 0)
	before = tree(t, dir)
	full("pack", "lock", filepath.Join(dir, "lock"))
	full("pack", "sign", "tides-1.0.0.momonpack", "--key", "shop.key", "-o", filepath.Join(dir, "out.minisig"))
	// With room it goes on as though nothing had been.
	for _, name := range []string{"filler", "rest"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if code, text := said("pack", "lock", filepath.Join(dir, "lock")); code != exitFine {
		t.Error(text)
	}
	if code, text := said(commands[0]...); code != exitFine {
		t.Error(text)
	}
	if code, text := said("pack", "verify", filepath.Join(dir, "out.momonpack"), "--allow-unsigned"); code != exitFine {
		t.Error(text)
	}
}

// fill writes a file until only so many bytes are left on its disk.
func fill(t *testing.T, name string, left int64) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var st syscall.Statfs_t
	for {
		if err := syscall.Statfs(name, &st); err != nil {
			t.Fatal(err)
		}
		if int64(st.Bavail)*st.Bsize <= left {
			return
		}
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			if left == 0 && errors.Is(err, syscall.ENOSPC) {
				return
			}
			t.Fatal(err)
		}
	}
}

// TestDevFull sends what the program says to a device that is always full.
func TestDevFull(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, tides("1.0.0"))
	t.Chdir(dir)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no such device: ", err)
	}
	defer full.Close()
	for lang, want := range map[string]string{"en": "there is no room left to write it", "th": "ไม่มีที่ว่างพอจะเขียน"} {
		for _, args := range [][]string{{"pack", "build", "tides"}, {"pack", "release", "tides", "--dry-run", "--gate", "format"}, {"pack", "show", "tides", "--json"}, {"pack", "lock", "tides"}} {
			var errs bytes.Buffer
			code := Main(append(args, "--lang", lang), strings.NewReader(""), full, &errs)
			if code != exitCant || !strings.Contains(errs.String(), want) || !strings.Contains(errs.String(), "/dev/full") {
				t.Error(fmt.Sprint(args, code), errs.String())
			}
		}
	}
}
