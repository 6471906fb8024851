package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/momon-rules/momon/interpreter"
)

func TestPositions(t *testing.T) {
	text := "ก🐇ข\r\nab\rนี้\n\nend"
	l := linesOf(text)
	for _, x := range []struct {
		at   int
		want position
	}{
		{0, position{0, 0}}, {3, position{0, 1}}, {7, position{0, 3}}, {10, position{0, 4}}, {12, position{1, 0}}, {14, position{1, 2}},
		{15, position{2, 0}}, {21, position{2, 2}}, {25, position{3, 0}}, {len(text), position{4, 3}},
	} {
		if got := l.position(x.at); got != x.want {
			t.Errorf("offset %d is at %v, want %v", x.at, got, x.want)
		}
		if got := l.offset(x.want); got != x.at {
			t.Errorf("%v is offset %d, want %d", x.want, got, x.at)
		}
	}
	for _, x := range []struct {
		p    position
		want int
	}{
		{position{0, 2}, 3}, // between the halves of the hare: before it
		{position{0, 99}, 10}, {position{-1, 3}, 0}, {position{1, -2}, 12}, {position{99, 0}, len(text)},
	} {
		if got := l.offset(x.p); got != x.want {
			t.Errorf("%v is offset %d, want %d", x.p, got, x.want)
		}
	}
	marked := fileLines(bom + "ab\ncd")
	if got := marked.position(1); got != (position{0, 2}) {
		t.Errorf("behind a byte-order mark: %v", got)
	}
	if got := marked.offset(position{0, 1}); got != 0 {
		t.Errorf("behind a byte-order mark: %d", got)
	}
	if got := marked.offset(position{1, 1}); got != 4 {
		t.Errorf("in the line after: %d", got)
	}
}

// FuzzChange holds that a change never breaks a text apart, wherever it claims to be.
func FuzzChange(f *testing.F) {
	f.Add("กa\r\n🐇b", 0, 1, 1, 2, "ข")
	f.Fuzz(func(t *testing.T, text string, a, b, c, d int, with string) {
		r := textRange{position{a, b}, position{c, d}}
		got := change(text, &r, with)
		if len(got) > len(text)+len(with) || !strings.Contains(got, with) {
			t.Fatalf("%q", got)
		}
		l := linesOf(text)
		for at := range text {
			if p := l.position(at); l.offset(p) > at {
				t.Fatalf("offset %d is at %v, which is offset %d", at, p, l.offset(p))
			}
		}
	})
}

// FuzzCompletion holds that no text and no place makes completion fail.
func FuzzCompletion(f *testing.F) {
	for _, s := range []string{ambush, hare, "case \"x\" {\n given A: ", "override ", "keyword K { always: raise ", "layer L { takes set, \"", "#\"", "{{{", "statement 1.2 \""} {
		f.Add(s, len(s))
	}
	a := interpreter.Analyse([]interpreter.Folder{{Name: "x", Files: []*interpreter.RuleFile{interpreter.ParseFile("x/a.momon", ambush)}}}, interpreter.Options{Index: true})
	s := &server{workspace: &workspace{}}
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = max(0, min(at, len(text)))
		for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			at-- // no position lies inside of a letter
		}
		sp := spotAt(text, at)
		c := &completer{spot: &sp, t: &teller{s: s, r: &result{Analysis: a}, lang: "en"}, l: linesOf(text), at: at, snips: true, seen: map[string]bool{},
			file: interpreter.ParseFile("x/a.momon", text)}
		if sp.from >= 0 {
			c.offer()
		}
		for _, it := range c.items {
			if e := it.Edit.Range; c.l.offset(e.Start) > at {
				t.Fatalf("%s is put in behind the place", it.Label)
			}
		}
	})
}

func TestBigFile(t *testing.T) {
	if testing.Short() {
		t.Skip("a large file takes its time under the race detector")
	}
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "card \"กระต่าย %d\" en \"Hare %d\" th \"กระต่าย %d\" { element Water; power 1; worth 1; sight North; mark South }\n", i, i, i)
	}
	c := start(t, map[string]string{"big.momon": "# empty\n"}, nil)
	c.open("big.momon", b.String())
	c.wait("big.momon", has(""))
	c.edit("big.momon", `"กระต่าย 1999" en "Hare 1999" th "กระต่าย 1999" { element Water`, `"กระต่าย 1999" en "Hare 1999" th "กระต่าย 1999" { element Watr`)
	list := c.wait("big.momon", has("unknown-value"))
	if list[0].Range.Start.Line != 1999 {
		t.Errorf("%+v", list[0].Range)
	}
	// One that is too large is said to be so, and nothing else of it.
	c.open("huge.momon", strings.Repeat("# comment\n", 500_000))
	c.wait("huge.momon", func(l []diagnostic) bool { return len(l) == 1 })
}

// A module inside of a project stands on that project; settings say what a folder
// stands on otherwise.
func TestWhatFoldersStandOn(t *testing.T) {
	files := map[string]string{
		"game/rules/also/own/module.momon": "# mine\n",
		"game/rules/also/own/own.momon":    "keyword Own { always while self.has(Hidden): raise power by 1 }\n",
		"game/rules/hidden.momon":          "keyword Hidden en \"Hidden\" th \"ซ่อน\" { always: raise power by 1 }\n",
		"more/card.momon":                  "card \"Hare\" en \"Hare\" th \"กระต่าย\" { element Water; power 1; worth 1; sight North; mark South\n  Hidden\n}\n",
	}
	for _, src := range modules.Builtin(true) {
		names, err := src.Files()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			data, err := fs.ReadFile(src.FS, n)
			if err != nil {
				t.Fatal(err)
			}
			files["game/"+src.Name+"/"+n] = string(data)
		}
	}
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
	base := filepath.ToSlash(dir)
	c := start(t, nil, map[string]any{"workspaceFolders": []any{
		map[string]string{"uri": fileURI(base + "/game"), "name": "game"}, map[string]string{"uri": fileURI(base + "/more"), "name": "more"}}})
	c.dir = base
	own := "game/rules/also/own/own.momon"
	c.open(own, files[own])
	c.wait(own, has(""))
	c.open("more/card.momon", files["more/card.momon"])
	c.wait("more/card.momon", has("unknown-header-or-keyword"))
	c.note("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"momon": map[string]any{"with": []string{base + "/game/rules/also/own"}, "lang": "th"}}})
	list := c.wait("more/card.momon", func(l []diagnostic) bool {
		return len(l) > 0 && strings.ContainsFunc(l[0].Message, func(r rune) bool { return r >= 'ก' && r <= '๛' })
	})
	if codes(list) == "" {
		t.Error(list)
	}
	c.note("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"momon": map[string]any{"rules": []string{base + "/game"}, "with": []string{}}}})
	c.wait("more/card.momon", has(""))
	// A rename goes through everything that speaks of the name, in modules too.
	hidden := "game/rules/hidden.momon"
	c.open(hidden, files[hidden])
	c.wait(hidden, has(""))
	got, err := c.rename(hidden, "Hidden en", 0, "Lurking")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got[own], "self.has(Lurking)") || !strings.Contains(got["more/card.momon"], "  Lurking\n") || !strings.HasPrefix(got[hidden], "keyword Lurking en") {
		t.Errorf("%q", got)
	}
}

// A request that is taken back is answered as one that was.
func TestCancelled(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	status := make(chan int, 1)
	go func() { status <- Serve(in, out, Options{Modules: modules, Cache: t.TempDir()}) }()
	far := newFrames(fromServer, toServer)
	say := func(messages ...string) { // in one go: the server has read them all before it looks at the first
		var b bytes.Buffer
		for _, s := range messages {
			fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(s), s)
		}
		if _, err := toServer.Write(b.Bytes()); err != nil {
			t.Error(err)
		}
	}
	hear := func() string {
		for {
			msg, err := far.Recv()
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(msg, []byte(`"id"`)) {
				return string(msg)
			}
		}
	}
	text, err := json.Marshal(ambush)
	if err != nil {
		t.Fatal(err)
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	hear()
	say(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	say(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:One","languageId":"momon","version":1,"text":` + string(text) + `}}}`)
	say(`{"jsonrpc":"2.0","id":"two","method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:One"},"position":{"line":2,"character":9}}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"two"}}`)
	if got := hear(); !strings.Contains(got, `"id":"two"`) || !strings.Contains(got, "-32800") {
		t.Error(got)
	}
	say(`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:One"},"position":{"line":2,"character":9}}}`)
	if got := hear(); !strings.Contains(got, "keyword Ambush (n: number)") {
		t.Error(got)
	}
	say(`{"jsonrpc":"2.0","id":4,"method":"shutdown"}`)
	hear()
	say(`{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{}}`)
	if got := hear(); !strings.Contains(got, "-32600") {
		t.Error(got)
	}
	say(`{"jsonrpc":"2.0","method":"exit"}`)
	go io.Copy(io.Discard, fromServer)
	select {
	case got := <-status:
		if got != 0 {
			t.Errorf("status %d", got)
		}
	case <-time.After(patience):
		t.Error("it does not end")
	}
}
