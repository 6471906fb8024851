//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package disk

import (
	"os"
	"syscall"
)

// renamesOpen says that a file can be renamed and removed while it is open.
const renamesOpen = true

// hold shows others that a part is in use, as long as it is open and the program
// lives. It is false where the file system has no such thing.
func hold(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == nil }

// removeAbandoned removes a part that nobody holds.
func removeAbandoned(name string) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(name)
	}
}
