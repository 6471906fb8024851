package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
)

// Program is a side that is a program: it is started once and asked over the
// protocol, and started anew after a fault.
type Program struct {
	Command []string
	Limit   time.Duration // for one answer
	Info    protocol.SuiteInfo
	Files   []protocol.RuleFile // for one that loads rules

	session *runner.Session
	faults  int
}

// mostFaults is after how many faults a program is given up.
const mostFaults = 20

// Start starts the program, and tells what it says of itself. It is a
// runner.StartError if it can't be spoken with.
func (p *Program) Start() (*protocol.About, error) {
	s, err := runner.Open(p.Command, p.Info, p.Files, p.Limit)
	if err != nil {
		return nil, err
	}
	p.session = s
	return &s.About, nil
}

// Play implements Side. A fault is an outcome like an error, with the verdict as
// its code.
func (p *Program) Play(_ context.Context, data json.RawMessage) (*protocol.Reply, error) {
	if p.session == nil {
		if _, err := p.Start(); err != nil {
			return nil, err
		}
	}
	reply, fault := p.session.Play(data)
	if fault == nil {
		return reply, nil
	}
	p.Close()
	if p.faults++; p.faults > mostFaults {
		return nil, fmt.Errorf("%d faults, the last one: %w", p.faults, fault)
	}
	return &protocol.Reply{Outcome: protocol.Failed, Code: string(fault.Verdict), Message: fault.Detail}, nil
}

// Close ends the program.
func (p *Program) Close() {
	if p.session != nil {
		p.session.Close()
		p.session = nil
	}
}
