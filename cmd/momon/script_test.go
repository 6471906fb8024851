package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/momon-rules/momon/cmd/momon/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"momon": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			e.Values[talkers{}] = map[string]*talker{}
			e.Values[surroundings{}] = e
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"start": start, "await": await, "interrupt": interrupt, "shows": shows,
		}})
}

// talkLimit is only there so that what is never said fails here and not at the end of
// all tests: no machine is that slow.
const talkLimit = 5 * time.Minute

// talker is a command that runs beside a script and is listened to.
type talker struct {
	cmd  *exec.Cmd
	done chan error

	mu   sync.Mutex
	said bytes.Buffer // what has not been awaited yet
	all  bytes.Buffer
}

type (
	talkers      struct{}
	surroundings struct{}
)

// Write implements io.Writer for the command's output.
func (k *talker) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all.Write(b)
	return k.said.Write(b)
}

// found is where a script finds a command.
func found(ts *testscript.TestScript, command string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p, err := exec.LookPath(filepath.Join(dir, command)); err == nil {
			return p
		}
	}
	ts.Fatalf("there is no command %s", command)
	return ""
}

// start NAME COMMAND… runs a command beside the script.
func start(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: start NAME COMMAND…")
	}
	k := &talker{cmd: exec.Command(found(ts, args[1]), args[2:]...), done: make(chan error, 1)}
	k.cmd.Dir, k.cmd.Env = ts.MkAbs("."), ts.Value(surroundings{}).(*testscript.Env).Vars
	k.cmd.Stdout, k.cmd.Stderr = k, k
	ts.Check(k.cmd.Start())
	go func() { k.done <- k.cmd.Wait() }()
	ts.Value(talkers{}).(map[string]*talker)[args[0]] = k
	ts.Defer(func() { k.cmd.Process.Kill() })
}

// await NAME RE… waits until a command has said what fits, one after the other.
func await(ts *testscript.TestScript, neg bool, args []string) {
	k := ts.Value(talkers{}).(map[string]*talker)[args[0]]
	for _, re := range args[1:] {
		re := regexp.MustCompile("(?m)" + re)
		for end := time.Now().Add(talkLimit); ; time.Sleep(5 * time.Millisecond) {
			k.mu.Lock()
			at := re.FindIndex(k.said.Bytes())
			if at != nil {
				k.said.Next(at[1])
			}
			all := k.all.String()
			k.mu.Unlock()
			if at != nil {
				break
			}
			if time.Now().After(end) {
				ts.Fatalf("%s never said %s; it said:\n%s", args[0], re, all)
			}
		}
	}
}

// interrupt NAME presses Ctrl-C; the command must end with status 0.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	k := ts.Value(talkers{}).(map[string]*talker)[args[0]]
	if runtime.GOOS == "windows" {
		ts.Check(k.cmd.Process.Kill()) // it has no such signal
		return
	}
	ts.Check(k.cmd.Process.Signal(os.Interrupt))
	select {
	case err := <-k.done:
		ts.Check(err)
	case <-time.After(talkLimit):
		ts.Fatalf("%s does not end", args[0])
	}
}

// shows STATUS RE COMMAND sees that the last command named another one on a line of its
// own, to be typed as it is; that it ends with the status; and that it shows what fits.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: shows STATUS RE COMMAND")
	}
	said := ts.ReadFile("stdout")
	if !slices.Contains(strings.Split(said, "\n"), "      "+args[2]) {
		ts.Fatalf("it did not name %s", args[2])
	}
	words := strings.Fields(args[2]) // no file of a script has a blank in its name
	k := exec.Command(found(ts, words[0]), words[1:]...)
	k.Dir = ts.MkAbs(".")
	k.Env = ts.Value(surroundings{}).(*testscript.Env).Vars
	for _, name := range []string{"MOMON_STORE", "MOMON_TRUST"} { // what a script sets
		k.Env = append(k.Env, name+"="+ts.Getenv(name))
	}
	out, err := k.CombinedOutput()
	if k.ProcessState == nil {
		ts.Fatalf("%s: %v", args[2], err)
	}
	if status := fmt.Sprint(k.ProcessState.ExitCode()); status != args[0] {
		ts.Fatalf("%s: exit status %s, not %s:\n%s", args[2], status, args[0], out)
	}
	if !regexp.MustCompile("(?m)" + args[1]).Match(out) {
		ts.Fatalf("%s does not show %s:\n%s", args[2], args[1], out)
	}
}
