package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/momon-rules/momon/interpreter/pack"
)

// editor is a client of the language server that waits for what is said of one file.
type editor struct {
	t     *testing.T
	rpc   *jrpc2.Client
	uri   string
	said  chan string // codes of the messages about the file, each time that it is looked at
	count int
}

// edits starts the program as an editor does, on a folder with one rule file.
func edits(t *testing.T, text string, args ...string) *editor {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "mine.momon")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	ended := make(chan int, 1)
	var log bytes.Buffer
	go func() {
		ended <- Main(append([]string{"lsp"}, args...), fromEditor, toEditor, &log)
		fromEditor.Close()
		toEditor.Close()
	}()
	e := &editor{t: t, uri: "file://" + filepath.ToSlash(file), said: make(chan string, 1000)}
	e.rpc = jrpc2.NewClient(channel.LSP(fromServer, toServer), &jrpc2.ClientOptions{
		OnNotify: func(r *jrpc2.Request) {
			var p struct {
				URI         string `json:"uri"`
				Diagnostics []struct {
					Code    string `json:"code"`
					Message string `json:"message"`
				} `json:"diagnostics"`
			}
			if r.Method() != "textDocument/publishDiagnostics" || r.UnmarshalParams(&p) != nil || p.URI != e.uri {
				return
			}
			var list []string
			for _, d := range p.Diagnostics {
				list = append(list, d.Code+": "+d.Message)
			}
			e.said <- strings.Join(list, "\n")
		},
		OnCallback: func(context.Context, *jrpc2.Request) (any, error) { return nil, nil },
	})
	e.call("initialize", map[string]any{"processId": nil, "rootUri": "file://" + filepath.ToSlash(dir), "capabilities": map[string]any{
		"workspace": map[string]any{"didChangeWatchedFiles": map[string]bool{"dynamicRegistration": true}},
	}})
	e.note("initialized", struct{}{})
	e.note("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.uri, "languageId": "momon", "version": 1, "text": text}})
	t.Cleanup(func() {
		e.call("shutdown", nil)
		e.note("exit", nil)
		if status := <-ended; status != exitFine {
			t.Errorf("status %d: %s", status, log.String())
		}
		e.rpc.Close()
	})
	return e
}

func (e *editor) call(method string, params any) {
	e.t.Helper()
	ctx, end := context.WithTimeout(context.Background(), 4*time.Minute)
	defer end()
	if _, err := e.rpc.Call(ctx, method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) note(method string, params any) {
	if err := e.rpc.Notify(context.Background(), method, params); err != nil {
		e.t.Error(err)
	}
}

// types puts a blank line before the text, so that it is looked at again.
func (e *editor) types() {
	e.count++
	e.note("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": e.uri, "version": 1 + e.count},
		"contentChanges": []any{map[string]any{"range": map[string]any{"start": map[string]int{"line": 0, "character": 0}, "end": map[string]int{"line": 0, "character": 0}}, "text": "\n"}},
	})
}

// hears goes on typing until what is said of the file has a text in it, or, with "",
// is nothing at all.
func (e *editor) hears(want string) {
	e.t.Helper()
	late := time.After(4 * time.Minute)
	pause := 300 * time.Millisecond
	again := time.NewTimer(pause)
	defer again.Stop()
	last := "nothing"
	for {
		select {
		case last = <-e.said:
			if want == "" && last == "" || want != "" && strings.Contains(last, want) {
				return
			}
		case <-again.C:
			e.types()
			pause *= 2 // a machine that is slower than that would never get to the end
			again.Reset(pause)
		case <-late:
			e.t.Fatalf("want %q; it says: %s", want, last)
		}
	}
}

// TestEditorSeesArchives: an archive that is written over while an editor is open is
// read anew, wherever it lies, and so is whom to trust.
func TestEditorSeesArchives(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	t.Setenv(trustVariable, at("trust.json"))
	t.Setenv(storeVariable, at("store"))
	made := func(name, keyword string) []byte {
		t.Helper()
		if err := os.MkdirAll(at("words"), 0o777); err != nil {
			t.Fatal(err)
		}
		text := "language 1\npack \"words\" en \"Words\" th \"คำ\" { version \"1.0.0\" }\n" +
			"keyword " + keyword + " en \"W\" th \"ค\" { always: raise power by 1 }\n"
		if err := os.WriteFile(at("words/module.momon"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, status := typed("pack", "build", at("words"), "-o", at(name)); status != exitFine {
			t.Fatal(out)
		}
		data, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	archive := at("words" + pack.Ext)
	one, two := made("one"+pack.Ext, "Swell"), made("two"+pack.Ext, "Swill")
	if len(one) != len(two) {
		t.Fatal("the test is of archives of one size")
	}
	put := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(archive, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(one)
	e := edits(t, "keyword Mine en \"Mine\" th \"ของฉัน\" { On Summon: grant Swell to self }\n", "--with", archive, "--lang", "th")
	e.hears("ไม่มีลายเซ็น")
	for _, args := range [][]string{{"pack", "keys", "new", at("k"), "--no-password"}, {"pack", "keys", "trust", at("k.pub")}, {"pack", "sign", archive, "--key", at("k.key")}} {
		if out, status := typed(args...); status != exitFine {
			t.Fatal(out)
		}
	}
	// Nobody tells the server of files outside of its folder; it looks when it is used.
	e.hears("")
	put(two)
	if out, status := typed("pack", "sign", archive, "--key", at("k.key")); status != exitFine {
		t.Fatal(out)
	}
	e.hears("Swell")
	put(one)
	e.hears("ไฟล์") // the signature is not that of this archive
	if out, status := typed("pack", "sign", archive, "--key", at("k.key")); status != exitFine {
		t.Fatal(out)
	}
	e.hears("")
}

// TestEditorCompletesArchives: what an archive stands on comes out of the store here
// too.
func TestEditorCompletesArchives(t *testing.T) {
	dir, archive := signedPack(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.MkdirAll(at("more"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "language 1\npack \"more\" en \"More\" th \"เพิ่ม\" { version \"1.0.0\"; stands on \"mine\" }\n"
	if err := os.WriteFile(at("more/module.momon"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	more := at("more-1.0.0" + pack.Ext)
	for _, args := range [][]string{{"pack", "build", at("more"), "-o", more, "--with", archive}, {"pack", "sign", more, "--key", at("k.key")}} {
		if out, status := typed(args...); status != exitFine {
			t.Fatalf("%s: %s", args, out)
		}
	}
	e := edits(t, "keyword Own en \"Own\" th \"ตน\" { always: raise power by 1 }\n", "--with", more)
	e.hears("momon pack get")
	if out, status := typed("pack", "get", archive); status != exitFine {
		t.Fatal(out)
	}
	e.hears("")
}
