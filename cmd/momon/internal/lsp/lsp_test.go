package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/creachadair/jrpc2"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// patience is how long a test waits for what must come: far longer than any machine
// takes, so that it says what did not come and the time of all tests doesn't run out.
const patience = 4 * time.Minute

// client is a client at the other end of a pair of pipes.
type client struct {
	t      *testing.T
	dir    string
	rpc    *jrpc2.Client
	status chan int
	caps   map[string]any
	log    *logged

	mu      sync.Mutex
	cond    *sync.Cond
	diags   map[string]publishParams
	notes   []string
	version map[string]int
	text    map[string]string
}

type logged struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var modules = Modules{
	Builtin: func(withCases bool) []interpreter.Source {
		out := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}}
		if withCases {
			sub, err := fs.Sub(conformance.Cases, "cases")
			if err != nil {
				panic(err)
			}
			out = append(out, interpreter.Source{Name: "conformance/cases", FS: sub})
		}
		return out
	},
	Folder: func(dir string, _ bool) ([]interpreter.Source, error) {
		st, err := os.Stat(dir)
		if err != nil || !st.IsDir() {
			return nil, fmt.Errorf("no folder %s", dir)
		}
		if isDir(filepath.Join(dir, "rules")) {
			var out []interpreter.Source
			for _, part := range parts {
				if p := filepath.Join(dir, part); isDir(p) {
					out = append(out, interpreter.Source{Name: filepath.ToSlash(p), FS: flat{os.DirFS(p)}})
				}
			}
			return out, nil
		}
		return []interpreter.Source{{Name: filepath.ToSlash(dir), FS: os.DirFS(dir)}}, nil
	},
	Beneath: func(dir string, _ bool) ([]interpreter.Source, error) { // a folder with a lock stands on an archive
		if !exists(filepath.Join(dir, "momon.lock")) {
			return nil, nil
		}
		return []interpreter.Source{{Name: filepath.ToSlash(dir) + "/swell.momonpack/rules",
			FS: fstest.MapFS{"a.momon": {Data: []byte("keyword Swell en \"Swell\" th \"คลื่น\" { always: raise power by 1 }\n")}}}}, nil
	},
	Alone: func(dir string) bool {
		for _, f := range []string{"turn.momon", "rules/turn.momon"} {
			if exists(filepath.Join(dir, f)) {
				return true
			}
		}
		return false
	},
}

// start begins a session with folders of files: name to text.
func start(t *testing.T, files map[string]string, options map[string]any) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := &client{t: t, dir: filepath.ToSlash(dir), diags: map[string]publishParams{}, status: make(chan int, 1), version: map[string]int{}, text: map[string]string{}, log: &logged{}}
	c.cond = sync.NewCond(&c.mu)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() {
		c.status <- Serve(fromClient, toClient, Options{Modules: modules, Log: c.log, Version: "test", Cache: filepath.Join(t.TempDir(), "cache"),
			Say: func(_, key string, args ...any) string { return fmt.Sprint(append([]any{key + ": "}, args...)...) }})
		fromClient.Close()
		toClient.Close()
	}()
	c.rpc = jrpc2.NewClient(newFrames(fromServer, toServer), &jrpc2.ClientOptions{
		OnNotify: func(r *jrpc2.Request) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.notes = append(c.notes, r.Method())
			if r.Method() == "textDocument/publishDiagnostics" {
				var p publishParams
				if err := r.UnmarshalParams(&p); err != nil {
					t.Error(err)
				}
				c.diags[p.URI] = p
			}
			c.cond.Broadcast()
		},
		OnCallback: func(_ context.Context, r *jrpc2.Request) (any, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.notes = append(c.notes, r.Method())
			c.cond.Broadcast()
			return nil, nil
		},
	})
	params := map[string]any{
		"processId": nil, "rootUri": fileURI(c.dir),
		"capabilities": map[string]any{
			"workspace":    map[string]any{"codeLens": map[string]bool{"refreshSupport": true}, "didChangeWatchedFiles": map[string]bool{"dynamicRegistration": true}},
			"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]bool{"snippetSupport": true}}},
		},
	}
	for k, v := range options {
		params[k] = v
	}
	var got struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	c.call("initialize", params, &got)
	c.caps = got.Capabilities
	c.note("initialized", struct{}{})
	t.Cleanup(c.leave)
	return c
}

func (c *client) leave() {
	if c.rpc == nil {
		return
	}
	c.call("shutdown", nil, nil)
	c.note("exit", nil)
	select {
	case status := <-c.status:
		if status != 0 {
			c.t.Errorf("status %d", status)
		}
	case <-time.After(patience):
		c.t.Error("the server does not end")
	}
	c.rpc.Close()
	c.rpc = nil
	if s := c.log.String(); s != "" {
		c.t.Errorf("the server says: %s", s)
	}
}

func (c *client) uri(name string) string { return fileURI(c.dir + "/" + name) }

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	rsp, err := c.rpc.Call(ctx, method, params)
	if err != nil {
		return err
	}
	if result != nil {
		return rsp.UnmarshalResult(result)
	}
	return nil
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) note(method string, params any) {
	c.t.Helper()
	if err := c.rpc.Notify(context.Background(), method, params); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) open(name, text string) {
	c.text[name], c.version[name] = text, 1
	c.note("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "momon", "version": 1, "text": text}})
}

// edit replaces the first old by new, as a change of a range.
func (c *client) edit(name, old, new string) {
	c.t.Helper()
	text := c.text[name]
	at := strings.Index(text, old)
	if at < 0 {
		c.t.Fatalf("there is no %q in %s", old, name)
	}
	r := linesOf(text).span(at, at+len(old))
	c.text[name] = text[:at] + new + text[at+len(old):]
	c.version[name]++
	c.note("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.uri(name), "version": c.version[name]},
		"contentChanges": []any{map[string]any{"range": r, "text": new}},
	})
}

// at is the place of a text in an open file, off units behind its start.
func (c *client) at(name, text string, off int) map[string]any {
	c.t.Helper()
	i := strings.Index(c.text[name], text)
	if i < 0 {
		c.t.Fatalf("there is no %q in %s", text, name)
	}
	p := linesOf(c.text[name]).position(i)
	p.Character += off
	return map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "position": p}
}

// wait waits until what is said of a file is as wanted.
func (c *client) wait(name string, want func([]diagnostic) bool) []diagnostic {
	c.t.Helper()
	begin := time.Now()
	late := time.AfterFunc(patience, func() { c.mu.Lock(); c.cond.Broadcast(); c.mu.Unlock() })
	defer late.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		p, ok := c.diags[c.uri(name)]
		if ok && (p.Version == nil || c.version[name] == 0 || *p.Version == c.version[name]) && want(p.Diagnostics) {
			return p.Diagnostics
		}
		if time.Since(begin) >= patience {
			b, _ := json.MarshalIndent(c.diags, "", " ")
			c.t.Fatalf("it never came for %s: %s\n%s", name, b, c.log)
		}
		c.cond.Wait()
	}
}

func codes(list []diagnostic) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Code)
	}
	return strings.Join(out, " ")
}

func has(want string) func([]diagnostic) bool {
	return func(list []diagnostic) bool { return codes(list) == want }
}

const hare = `keyword ซ่อน (จำนวน: number) en "Hide {จำนวน}" th "ซ่อน {จำนวน}" {
  says en "Hard to see." th "มองเห็นยาก"; always on each snatch where target == self: raise need by จำนวน
}
card "กระต่าย" en "Hare" th "กระต่าย" {
  element Water; power 1; worth 1; sight North; mark South
  ซ่อน 2
}
`

func TestDiagnosticsFollowTheText(t *testing.T) {
	c := start(t, map[string]string{"hare.momon": hare}, nil)
	c.open("hare.momon", hare)
	c.wait("hare.momon", has(""))
	c.edit("hare.momon", "Water", "Watre")
	list := c.wait("hare.momon", has("unknown-value"))
	if got, want := list[0].Range, linesOf(c.text["hare.momon"]).span(strings.Index(c.text["hare.momon"], "Watre"), strings.Index(c.text["hare.momon"], "Watre")+5); got != want {
		t.Errorf("at %v, want %v", got, want)
	}
	if list[0].CodeDesc == nil {
		t.Error("there is no page for the code")
	}
	c.edit("hare.momon", "Watre", "Water")
	c.wait("hare.momon", has(""))
	// Behind Thai letters, columns count UTF-16 units and not bytes.
	c.edit("hare.momon", "ซ่อน 2", "ซ่อน 🐇")
	list = c.wait("hare.momon", func(l []diagnostic) bool { return len(l) == 1 })
	if r := list[0].Range; r.Start != (position{5, 7}) || r.End != (position{5, 9}) {
		t.Errorf("%s at %v", list[0].Code, r)
	}
}

// A folder is checked with the packs that it is locked to, which are no files.
func TestLockedPacks(t *testing.T) {
	text := "keyword Big en \"Big\" th \"ใหญ่\" { On Summon: grant Swell to self }\n"
	c := start(t, map[string]string{"big.momon": text, "momon.lock": "{}", "swell.momonpack": "x"}, nil)
	c.open("big.momon", text)
	c.wait("big.momon", has(""))
	c = start(t, map[string]string{"big.momon": text}, nil)
	c.open("big.momon", text)
	c.wait("big.momon", has("unknown-keyword"))
}

// A file that is open counts as the client has it, and one that is not as the disk
// has it; a file that was never saved counts too.
func TestOpenFilesOverrideTheDisk(t *testing.T) {
	user := "errata \"กระต่าย\" { worth 3 }\n"
	c := start(t, map[string]string{"hare.momon": hare, "errata.momon": user}, nil)
	c.open("errata.momon", user)
	c.wait("errata.momon", has(""))
	c.open("hare.momon", strings.ReplaceAll(hare, `card "กระต่าย"`, `card "แมว"`))
	c.wait("errata.momon", has("unknown-card"))
	c.note("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("hare.momon")}})
	c.wait("errata.momon", has(""))
	c.open("new.momon", "card \"Otter\" { element Watr; power 1; worth 1; sight North; mark South }\n")
	c.wait("new.momon", has("unknown-value"))
}

func TestFoldersAndModules(t *testing.T) {
	one, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(one, "other.momon"), []byte("keyword Idle { always: raise powr by 1 }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := start(t, map[string]string{
		"hare.momon":       hare,
		"mod/module.momon": "# a module of its own\n",
		"mod/own.momon":    "keyword Own { always: raise power by nothing }\n",
	}, nil)
	c.wait("mod/own.momon", has("wrong-type"))
	// A name of the folder is not known in a module inside of it.
	c.open("mod/own.momon", "keyword Own { always while self.has(ซ่อน): raise power by 1 }\n")
	c.wait("mod/own.momon", has("unknown-keyword"))
	c.note("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]string{"uri": fileURI(filepath.ToSlash(one)), "name": "one"}}, "removed": []any{}}})
	uri := fileURI(filepath.ToSlash(one) + "/other.momon")
	c.mu.Lock()
	for len(c.diags[uri].Diagnostics) == 0 {
		c.cond.Wait()
	}
	if got := codes(c.diags[uri].Diagnostics); got != "unknown-characteristic" {
		t.Error(got)
	}
	c.mu.Unlock()
}

func TestCasesAreRun(t *testing.T) {
	text := "case \"one\" en \"One\" th \"หนึ่ง\" {\n  given A: Momon of P1 { power 3 }\n  expect A.power == 3\n}\n" +
		"case \"two\" en \"Two\" th \"สอง\" {\n  given A: Momon of P1 { power 3 }\n  expect A.power == 4\n}\n"
	c := start(t, map[string]string{"cases.momon": text}, nil)
	c.open("cases.momon", text)
	list := c.wait("cases.momon", has("case-expect"))
	if list[0].Range.Start != (position{6, 2}) {
		t.Errorf("at %v", list[0].Range)
	}
	var lenses []codeLens
	c.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": c.uri("cases.momon")}}, &lenses)
	var titles []string
	for _, l := range lenses {
		titles = append(titles, l.Command.Title)
	}
	if got := strings.Join(titles, " | "); !strings.HasPrefix(got, "▶ run all 2 cases | ▶ run | ✓ passed | ▶ run | ✗ failed: ") {
		t.Error(got)
	}
	c.edit("cases.momon", "== 4", "== 3")
	c.wait("cases.momon", has(""))
	var out struct {
		Run    int      `json:"run"`
		Failed []string `json:"failed"`
	}
	c.call("workspace/executeCommand", map[string]any{"command": runCase, "arguments": []any{c.uri("cases.momon"), "two"}}, &out)
	if out.Run != 1 || len(out.Failed) != 0 {
		t.Errorf("%+v", out)
	}
	c.edit("cases.momon", "== 3", "== 5")
	c.note("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri("cases.momon")}})
	c.wait("cases.momon", has("case-expect"))
}

// What the protocol forbids is refused, and nothing of it ends the session.
func TestBadInput(t *testing.T) {
	c := start(t, map[string]string{"hare.momon": hare}, nil)
	for _, bad := range []struct {
		method string
		params any
	}{
		{"initialize", map[string]any{}},
		{"textDocument/noSuch", map[string]any{}},
		{"$/noSuch", nil},
		{"workspace/executeCommand", map[string]any{"command": "rm", "arguments": []any{}}},
		{"workspace/executeCommand", map[string]any{"command": runCase, "arguments": []any{1, 2}}},
		{"workspace/executeCommand", map[string]any{"command": runCase, "arguments": []any{}}},
	} {
		if err := c.try(bad.method, bad.params, nil); err == nil {
			t.Errorf("%s %v: no error", bad.method, bad.params)
		}
	}
	for m := range methods {
		switch m {
		case "exit", "shutdown", "initialized", "workspace/didChangeSettings":
			continue
		}
		for _, params := range []any{nil, map[string]any{}, []any{}, map[string]any{"textDocument": 3},
			map[string]any{"textDocument": map[string]any{"uri": "%zz"}, "position": map[string]int{"line": -4, "character": -1}},
			map[string]any{"textDocument": map[string]any{"uri": c.uri("none.momon")}, "position": map[string]int{"line": 1 << 30, "character": 1 << 30}}} {
			if strings.HasPrefix(m, "$/") || strings.Contains(m, "/did") {
				c.note(m, params)
			} else {
				c.try(m, params, nil)
			}
		}
	}
	c.open("hare.momon", "card \x00 \xff {{{ \" case \"\n\r\n")
	c.note("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri("hare.momon"), "version": 2},
		"contentChanges": []any{map[string]any{"range": textRange{position{9, 9}, position{-1, -1}}, "text": "🐇"}}})
	c.version["hare.momon"] = 2
	c.wait("hare.momon", func(l []diagnostic) bool { return len(l) > 0 })
}

// A session in which the client breaks off, or says what is no message, ends.
func TestEndings(t *testing.T) {
	for name, in := range map[string]string{
		"at once":      "",
		"no length":    "Content-Length: many\r\n\r\n",
		"far too long": "Content-Length: 99999999999999\r\n\r\n{}",
		"cut short":    "Content-Length: 50\r\n\r\n{",
		"exit":         "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}",
		"no JSON":      "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 3\r\n\r\n{x}",
	} {
		status := make(chan int)
		go func() { status <- Serve(strings.NewReader(in), io.Discard, Options{Modules: modules}) }()
		select {
		case got := <-status:
			if got != 1 {
				t.Errorf("%s: status %d", name, got)
			}
		case <-time.After(patience):
			t.Errorf("%s: it does not end", name)
		}
	}
}
