//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group of its own, so that what it starts can
// be ended with it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(c *exec.Cmd) {
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // it may have ended by now
}
