package fakes

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/momon-rules/momon/conformance/protocol"
)

// Programs that know no rules: each breaks the protocol, or what it says of itself,
// in one way.

// answering is what a fault does with a case, once hello is over: it writes lines.
type fault struct {
	features []string // that hello claims beside the plain ones
	few      bool     // hello claims no feature at all
	play     func(x *exchange) error
}

// exchange is a case that was asked.
type exchange struct {
	seq   int
	line  []byte // of the request
	asked []asked
	n     int // cases so far, this one among them
	out   io.Writer
}

type asked struct {
	Step int `json:"step"`
	Ask  *struct {
		Question string `json:"question"`
	} `json:"ask"`
}

// errEnd makes a program end.
var errEnd = errors.New("it ends")

// answer writes an answer to each question.
func (x *exchange) answer(give func(step int, question string) any) error {
	r := protocol.Reply{Seq: x.seq, Outcome: protocol.Done, Answers: []protocol.Answer{}}
	for _, st := range x.asked {
		if st.Ask == nil {
			continue
		}
		v, err := json.Marshal(give(st.Step, st.Ask.Question))
		if err != nil {
			return err
		}
		r.Answers = append(r.Answers, protocol.Answer{Step: st.Step, Answer: v})
	}
	return x.write(r)
}

func (x *exchange) write(r protocol.Reply) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(x.out, "%s\n", b)
	return err
}

func always(v any) func(*exchange) error {
	return func(x *exchange) error { return x.answer(func(int, string) any { return v }) }
}

var faults = map[string]*fault{
	"always-yes":  {play: always(true)},
	"always-no":   {play: always(false)},
	"always-zero": {play: always(0)},
	"echo": {play: func(x *exchange) error { // the request again, as though it were an answer
		_, err := fmt.Fprintf(x.out, "%s\n", x.line)
		return err
	}},
	"crash": {play: func(x *exchange) error { return errEnd }},
	"crash-later": {play: func(x *exchange) error {
		if x.n > 3 {
			return errEnd
		}
		return x.write(protocol.Reply{Seq: x.seq, Outcome: protocol.Skipped, Reason: "it is not ready"})
	}},
	"hang": {play: func(x *exchange) error {
		time.Sleep(time.Hour)
		return errEnd
	}},
	"leak": {play: func(x *exchange) error { // what it answers depends on how much it was asked before
		return x.answer(func(int, string) any { return x.n })
	}},
	"claims-features": {features: []string{"attributes"}, play: func(x *exchange) error {
		return x.write(protocol.Reply{Seq: x.seq, Outcome: protocol.Unsupported, Feature: "attributes"})
	}},
	"answers-less": {play: func(x *exchange) error {
		return x.write(protocol.Reply{Seq: x.seq, Outcome: protocol.Done, Answers: []protocol.Answer{}})
	}},
	"answers-more": {play: func(x *exchange) error {
		r := protocol.Reply{Seq: x.seq, Outcome: protocol.Done}
		for _, st := range x.asked {
			if st.Ask != nil {
				one := protocol.Answer{Step: st.Step, Answer: json.RawMessage("1")}
				r.Answers = append(r.Answers, one, one)
			}
		}
		return x.write(r)
	}},
	"talkative": {play: func(x *exchange) error {
		later := protocol.Reply{Seq: x.seq, Outcome: protocol.Skipped, Reason: "later"}
		if err := x.write(later); err != nil {
			return err
		}
		return x.write(later) // once more, for the same request
	}},
	"garbage": {play: func(x *exchange) error {
		_, err := fmt.Fprintln(x.out, "thinking…")
		return err
	}},
	"too-long": {play: func(x *exchange) error {
		_, err := fmt.Fprintf(x.out, "{\"seq\":%d,\"outcome\":\"%s\"}\n", x.seq, strings.Repeat("x", protocol.MaxLine))
		return err
	}},
	"wrong-seq": {play: func(x *exchange) error {
		x.seq += 1000
		return always(1)(x)
	}},
	"always-error": {play: func(x *exchange) error {
		return x.write(protocol.Reply{Seq: x.seq, Outcome: protocol.Failed, Code: "lazy", Message: "it would not"})
	}},
	"skips-all": {play: func(x *exchange) error {
		return x.write(protocol.Reply{Seq: x.seq, Outcome: protocol.Skipped, Reason: "later"})
	}},
	"claims-nothing": {few: true, play: always(1)},
}

// Speak speaks the protocol as a program that knows no rules.
func (f *Fake) Speak(all []string, questions []string, in io.Reader, out io.Writer) error {
	w := faults[f.Name]
	if w == nil {
		return fmt.Errorf("%s: there is no such program", f.Name)
	}
	r := bufio.NewReaderSize(in, 1<<16)
	n := 0
	for {
		line, err := protocol.ReadLine(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var q struct {
			protocol.Request
			Case struct {
				Script []asked `json:"script"`
			} `json:"case"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("a request is not JSON: %w", err)
		}
		switch q.Type {
		case protocol.Hello:
			about := protocol.About{Seq: q.Seq, Protocol: protocol.Version, Name: "fake " + f.Name, Version: "1", Rules: protocol.BuiltIn, Features: all, Questions: questions}
			if w.few {
				about.Features, about.Questions = []string{}, []string{}
			}
			b, err := json.Marshal(about)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(out, "%s\n", b); err != nil {
				return err
			}
		case protocol.Play:
			n++
			if err := w.play(&exchange{seq: q.Seq, line: line, asked: q.Case.Script, n: n, out: out}); err != nil {
				return err
			}
		default:
			if _, err := fmt.Fprintf(out, "{\"seq\":%d,\"ok\":true}\n", q.Seq); err != nil || q.Type == protocol.Bye {
				return err
			}
		}
	}
}
