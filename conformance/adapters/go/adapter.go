// Command go is a sample adapter: glue between the protocol of docs/conformance.md and
// an engine in Go. This one drives the public library of momon with the rules that the
// runner sends, so it also answers which rule files load. An engine with rules of its
// own says "built-in" and leaves out rules and load.
//
// Copy the folder and put your engine where the comments say so.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// adapter holds what stays from case to case: here, the rules.
type adapter struct {
	// Here you hold your engine.
	engine *interpreter.Stage
}

func (a *adapter) answer(q *protocol.Request) map[string]any {
	switch q.Type {
	case protocol.Hello:
		return map[string]any{"protocol": 1, "name": "sample-go", "version": "1", "rules": "loaded",
			"features": interpreter.ExportFeatures(), "questions": append(interpreter.ExportQuestions(), "load")}
	case protocol.Rules:
		if err := a.rules(q.Files); err != nil {
			return map[string]any{"ok": false, "code": "rules", "message": err.Error()}
		}
	case protocol.Play:
		return a.play(q.Case)
	case protocol.Load:
		return a.load(q.Case)
	}
	return map[string]any{"ok": true} // rules, bye
}

// play plays a case. Here you build its start in your engine, do the steps of its
// script, and answer those that ask.
func (a *adapter) play(data json.RawMessage) map[string]any {
	answers, err := a.engine.Play(context.Background(), data)
	if e := (*interpreter.StageError)(nil); errors.As(err, &e) {
		return map[string]any{"outcome": "error", "code": e.Code, "step": e.Step, "message": e.Text}
	}
	if err != nil {
		return map[string]any{"outcome": "error", "code": "engine", "message": err.Error()}
	}
	return map[string]any{"outcome": "done", "answers": answers} // and what it lacks: unsupported, with the feature
}

// rules takes the rule files, which stand in folders on each other.
func (a *adapter) rules(files []protocol.RuleFile) (err error) {
	var folders []interpreter.Folder
	for _, f := range files {
		if n := len(folders); n == 0 || folders[n-1].Name != f.Folder {
			folders = append(folders, interpreter.Folder{Name: f.Folder})
		}
		last := &folders[len(folders)-1]
		last.Files = append(last.Files, interpreter.ParseFile(f.Folder+"/"+f.Name, f.Text))
	}
	var found []*diag.Diagnostic
	if a.engine, found, err = interpreter.StageOf(folders, interpreter.Options{}); err != nil && len(found) > 0 {
		return fmt.Errorf("%w: %s", err, diag.Message(found[0], "en"))
	}
	return err
}

// load tells whether the files of a case load, and else why not.
func (a *adapter) load(data json.RawMessage) map[string]any {
	var c load.Case
	if err := json.Unmarshal(data, &c); err != nil {
		return map[string]any{"outcome": "error", "code": "case", "message": err.Error()}
	}
	got, _ := c.Try(a.engine)
	return map[string]any{"outcome": got.Load, "stage": got.Stage, "code": got.Code}
}

func main() {
	a, in, out := &adapter{}, json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var q protocol.Request
		err := in.Decode(&q)
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			reply := a.answer(&q)
			reply["seq"] = q.Seq
			err = out.Encode(reply) // one line, written at once
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if q.Type == protocol.Bye {
			return
		}
	}
}
