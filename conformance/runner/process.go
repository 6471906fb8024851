package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/momon-rules/momon/conformance/protocol"
)

// Fault is a breach of the protocol.
type Fault struct {
	Verdict Verdict
	Detail  string // evidence, such as the line that came
	Stderr  string // the end of what the program wrote to its standard error
}

// Error names the verdict and what was seen.
func (f *Fault) Error() string { return string(f.Verdict) + ": " + f.Detail }

// process is a program that is being checked, running.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan line
	quit   chan struct{}
	exited chan struct{}
	state  string // how it ended, once exited is closed
	stderr *tail
	stray  func(text string) // a line that nobody asked for has come
	wait   patience
	extra  int // lines that nobody asked for
}

// mostExtra bounds the lines that nobody asked for: a program that goes on and on is
// ended, and is not waited for.
const mostExtra = 1000

// patience tells when a program has been waited for long enough: for an answer, or
// once its output is closed for its end. Tests have their own, that know when a
// program hangs and need not wait.
type patience func(limit time.Duration, closed bool) <-chan time.Time

func plainPatience(limit time.Duration, _ bool) <-chan time.Time { return time.After(limit) }

type line struct {
	data []byte
	err  error
}

// start runs a command.
func start(command []string, stray func(string), wait patience) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...), lines: make(chan line, 64), quit: make(chan struct{}),
		exited: make(chan struct{}), stderr: &tail{}, stray: stray, wait: wait}
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = 5 * time.Second // what it started may hold its output open
	ownGroup(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in = in
	read := make(chan struct{})
	go func() {
		defer close(read)
		r := bufio.NewReaderSize(out, 1<<16)
		for {
			data, err := protocol.ReadLine(r)
			select {
			case p.lines <- line{data, err}:
			case <-p.quit:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		<-read
		err := p.cmd.Wait()
		p.state = "it ended"
		if err != nil {
			p.state = err.Error()
		}
		close(p.exited)
	}()
	return p, nil
}

// stop ends the process and all that it started.
func (p *process) stop() {
	select {
	case <-p.quit:
		return
	default:
	}
	close(p.quit)
	p.in.Close()
	select {
	case <-p.exited:
	default:
		kill(p.cmd)
		<-p.exited
	}
}

func (p *process) fault(v Verdict, format string, args ...any) *Fault {
	return &Fault{Verdict: v, Detail: fmt.Sprintf(format, args...), Stderr: p.stderr.text()}
}

// ask sends a request and waits for its answer, which it decodes. Requests have
// growing numbers.
func (p *process) ask(q protocol.Request, limit time.Duration, reply any) *Fault {
	p.drain()
	data, err := request(q)
	if err != nil {
		return p.fault(Garbage, "%v", err)
	}
	late := p.wait(limit, false)
	sent := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(data, '\n'))
		sent <- err
	}()
	for {
		select {
		case err := <-sent:
			sent = nil
			if err != nil { // it closed its input: its last words, if any, are still to come
				continue
			}
		case <-late:
			return p.fault(Hang, "no answer within %v", limit)
		case l := <-p.lines:
			switch {
			case errors.Is(l.err, protocol.ErrTooLong):
				return p.fault(TooLong, "a line of more than %d bytes", protocol.MaxLine)
			case l.err != nil:
				select {
				case <-p.exited:
				case <-p.wait(limit, true): // it closed its output and lives on
					return p.fault(Crash, "it closed its output")
				}
				return p.fault(Crash, "%s", p.state)
			}
			var head struct{ Seq *int }
			if err := json.Unmarshal(l.data, &head); err != nil {
				return p.fault(Garbage, "%s", short(l.data))
			}
			switch {
			case head.Seq == nil:
				return p.fault(WrongSeq, "the answer has no seq: %s", short(l.data))
			case *head.Seq > 0 && *head.Seq < q.Seq:
				p.stray(short(l.data))
				if p.extra++; p.extra > mostExtra {
					return p.fault(Talks, "more than %d lines that nobody asked for, such as %s", mostExtra, short(l.data))
				}
				continue
			case *head.Seq != q.Seq:
				return p.fault(WrongSeq, "asked as %d, answered as %d", q.Seq, *head.Seq)
			}
			if err := json.Unmarshal(l.data, reply); err != nil {
				return p.fault(Garbage, "%v: %s", err, short(l.data))
			}
			return nil
		}
	}
}

// request writes a request. A case stands as it is: it is JSON on one line already,
// and reading it again for every program takes longer than all the rest.
func request(q protocol.Request) ([]byte, error) {
	if q.Type == protocol.Play || q.Type == protocol.Load {
		return fmt.Appendf(nil, `{"seq":%d,"type":%q,"case":%s}`, q.Seq, q.Type, q.Case), nil
	}
	return json.Marshal(q)
}

// drain tells of lines that came without a request.
func (p *process) drain() {
	for range cap(p.lines) { // no more: a program may write faster than they are read
		select {
		case l := <-p.lines:
			if l.err != nil { // for who asks next
				p.again(l)
				return
			}
			p.stray(short(l.data))
			p.extra++
		default:
			return
		}
	}
}

// again puts the end of the output back: nothing comes after it.
func (p *process) again(l line) {
	select {
	case p.lines <- l:
	default:
	}
}

func short(data []byte) string {
	s := strings.ToValidUTF8(string(data), "?")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailBytes = 2000

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if n := len(t.b) - tailBytes; n > 0 {
		t.b = append(t.b[:0], t.b[n:]...)
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.TrimSpace(string(t.b)), "?")
}
