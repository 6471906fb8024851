//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package disk

import (
	"os"
	"time"
)

// renamesOpen says that a file can be renamed and removed while it is open.
const renamesOpen = false

// hold can't show anything here.
func hold(*os.File) bool { return false }

// removeAbandoned removes a part that has lain there for so long that nobody can be at
// work on it.
func removeAbandoned(name string) {
	if st, err := os.Lstat(name); err == nil && time.Since(st.ModTime()) > time.Hour {
		os.Remove(name)
	}
}
