package runner

import (
	"encoding/json"
	"time"

	"github.com/momon-rules/momon/conformance/protocol"
)

// Session is a program that was started and greeted, and that is asked cases one
// after the other. It is not safe for several goroutines.
type Session struct {
	About protocol.About
	p     *process
	limit time.Duration
	seq   int // of the last request
}

// Open starts a program. It is a StartError if it can't be started or does not
// answer hello as the protocol says.
func Open(command []string, info protocol.SuiteInfo, files []protocol.RuleFile, limit time.Duration) (*Session, error) {
	s := &Session{limit: limit, seq: seqRules}
	p, err := start(command, func(string) {}, plainPatience)
	if err != nil {
		return nil, &StartError{Err: err}
	}
	if f := greet(p, info, files, limit, &s.About); f != nil {
		p.stop()
		return nil, &StartError{Fault: f}
	}
	s.p = p
	return s, nil
}

// greet says hello, and hands the rules over where the program asks for them. However
// short the limit, a program has the ordinary time to start.
func greet(p *process, info protocol.SuiteInfo, files []protocol.RuleFile, limit time.Duration, about *protocol.About) *Fault {
	limit = max(limit, DefaultLimit)
	if f := p.ask(protocol.Request{Seq: seqHello, Type: protocol.Hello, Protocols: []int{protocol.Version}, Suite: &info}, limit, about); f != nil {
		return f
	}
	if problem := greeting(about); problem != "" {
		return p.fault(Garbage, "%s", problem)
	}
	if about.Rules != protocol.Loaded {
		return nil
	}
	var r protocol.Reply
	f := p.ask(protocol.Request{Seq: seqRules, Type: protocol.Rules, Files: files}, limit, &r)
	if f == nil && !r.Yes() {
		f = p.fault(Errored, "it does not take the rules: %s", r.Message)
	}
	return f
}

// Play asks a case. After a fault the program is of no more use.
func (s *Session) Play(data json.RawMessage) (*protocol.Reply, *Fault) {
	var r protocol.Reply
	s.seq++
	if f := s.p.ask(protocol.Request{Seq: s.seq, Type: protocol.Play, Case: data}, s.limit, &r); f != nil {
		return nil, f
	}
	return &r, nil
}

// Close says bye and ends the program.
func (s *Session) Close() {
	var r protocol.Reply
	s.p.ask(protocol.Request{Seq: s.seq + 1, Type: protocol.Bye}, s.limit, &r) // that it ends without an answer is as good
	s.p.stop()
}
