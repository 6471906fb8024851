// Package protocol is how a runner of the conformance suite speaks with a program
// that it checks: JSON Lines over the program's standard input and output, one
// request and one answer at a time. docs/conformance.md explains it.
package protocol

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Version is the version of the protocol that this package speaks.
const Version = 1

// MaxLine bounds a line, in bytes, without its line feed.
const MaxLine = 1 << 20

// The types of requests.
const (
	Hello = "hello"
	Rules = "rules"
	Play  = "case"
	Load  = "load"
	Bye   = "bye"
)

// Request is a line that the runner sends.
type Request struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Protocols []int           `json:"protocols,omitempty"` // hello
	Suite     *SuiteInfo      `json:"suite,omitempty"`     // hello
	Files     []RuleFile      `json:"files,omitempty"`     // rules
	Case      json.RawMessage `json:"case,omitempty"`      // case and load, without what is expected
}

// SuiteInfo says which suite is about to be asked.
type SuiteInfo struct {
	Version int    `json:"version"`
	Edition string `json:"edition"`
	Digest  string `json:"digest"`
	Cases   int    `json:"cases"`
}

// RuleFile is a file of rule data, for a program that loads ours. Folders stand on
// each other in the order in which they come.
type RuleFile struct {
	Folder string `json:"folder,omitempty"`
	Name   string `json:"name"`
	Text   string `json:"text"`
}

// The kinds of rules that a program can have.
const (
	BuiltIn = "built-in"
	Loaded  = "loaded"
)

// About is what a program says of itself: the answer to hello.
type About struct {
	Seq       int               `json:"seq"`
	Protocol  int               `json:"protocol"`
	Name      string            `json:"name"`
	Version   string            `json:"version"`
	Rules     string            `json:"rules"`
	Features  []string          `json:"features"`
	Questions []string          `json:"questions"`
	Readings  map[string]string `json:"readings,omitempty"` // where it reads an open point otherwise than the suite does
	Lacks     map[string]Lack   `json:"lacks,omitempty"`    // why it has no such feature, or question
}

// Lack says why a program lacks something.
type Lack struct {
	Reason string `json:"reason"`
	Issue  string `json:"issue,omitempty"` // a link to where that is worked on or explained
}

// The outcomes of a case. Done is one of a case that is played; Refused, and Loaded,
// which is a kind of rules as well, are those of one whose files are loaded.
const (
	Done        = "done"
	Refused     = "refused"
	Unsupported = "unsupported"
	Skipped     = "skipped"
	Failed      = "error"
)

// LoadQuestion is the question of a case whose files are loaded, as hello names it.
const LoadQuestion = "load"

// Reply is the answer to rules, case, load and bye.
type Reply struct {
	Seq     int      `json:"seq"`
	OK      *bool    `json:"ok,omitempty"`      // rules, bye
	Outcome string   `json:"outcome,omitempty"` // case, load
	Answers []Answer `json:"answers,omitempty"` // done
	Feature string   `json:"feature,omitempty"` // unsupported
	Reason  string   `json:"reason,omitempty"`  // skipped, unsupported
	Issue   string   `json:"issue,omitempty"`   // skipped, unsupported: a link
	Stage   string   `json:"stage,omitempty"`   // refused
	Code    string   `json:"code,omitempty"`    // error, refused
	Step    int      `json:"step,omitempty"`    // error
	Message string   `json:"message,omitempty"` // error
}

// Yes reports whether the answer is a plain yes, as to rules and bye.
func (r *Reply) Yes() bool { return r.OK != nil && *r.OK }

// Plain is an answer that only says yes or no.
func Plain(ok bool) Reply { return Reply{OK: &ok} }

// Answer answers the question of a step.
type Answer struct {
	Step   int             `json:"step"`
	Answer json.RawMessage `json:"answer"`
}

// ErrTooLong says that a line has more than MaxLine bytes.
var ErrTooLong = errors.New("the line is too long")

// ReadLine reads a line, without its end. At the end of input it is io.EOF; a last
// line without a line feed counts.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine+2 {
			return nil, ErrTooLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			line = line[:len(line)-1]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		default:
			return nil, err
		}
	}
}

// Adapter is a program that can be checked.
type Adapter interface {
	Hello(Request) About
	Rules([]RuleFile) error
	Play(json.RawMessage) Reply
}

// Loader is an adapter that can be asked to load rule files.
type Loader interface {
	Load(json.RawMessage) Reply
}

// Serve speaks for an adapter until the runner says bye or there is no more input.
func Serve(a Adapter, in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for {
		line, err := ReadLine(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var q Request
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("a request is not JSON: %w", err)
		}
		var reply any
		switch q.Type {
		case Hello:
			about := a.Hello(q)
			about.Seq = q.Seq
			reply = about
		case Rules:
			err := a.Rules(q.Files)
			rep := Plain(err == nil)
			if rep.Seq = q.Seq; err != nil {
				rep.Code, rep.Message = "rules", err.Error()
			}
			reply = rep
		case Play:
			rep := a.Play(q.Case)
			rep.Seq = q.Seq
			reply = rep
		case Load:
			rep := Reply{Outcome: Unsupported, Feature: "question " + LoadQuestion}
			if l, ok := a.(Loader); ok {
				rep = l.Load(q.Case)
			}
			rep.Seq = q.Seq
			reply = rep
		case Bye:
			rep := Plain(true)
			rep.Seq = q.Seq
			reply = rep
		default:
			reply = Reply{Seq: q.Seq, Outcome: Failed, Code: "request", Message: fmt.Sprintf("there is no request %q", q.Type)}
		}
		if err := e.Encode(reply); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if q.Type == Bye {
			return nil
		}
	}
}
