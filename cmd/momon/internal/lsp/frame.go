package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// maxMessage bounds one message of the client. It is far above the largest rule
// file; a length that a slip or an attack makes up must not take all memory.
const maxMessage = 64 << 20

// frames is a channel of jrpc2 with the headers of LSP. jrpc2 has one of its own
// that ends the session at a Content-Type which it doesn't know and takes
// whatever memory Content-Length asks for.
//
// A goroutine of its own reads, so that the session can end while it waits for a
// client that says no more.
type frames struct {
	in   *bufio.Reader
	out  io.Writer
	got  chan received
	stop chan struct{}
	once sync.Once
}

type received struct {
	msg []byte
	err error
}

func newFrames(in io.Reader, out io.Writer) *frames {
	f := &frames{in: bufio.NewReader(in), out: out, got: make(chan received), stop: make(chan struct{})}
	go func() {
		for {
			msg, err := f.read()
			select {
			case f.got <- received{msg, err}:
			case <-f.stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return f
}

// Send implements channel.Channel. The server calls it from one goroutine at a
// time.
func (f *frames) Send(msg []byte) error {
	head := "Content-Length: " + strconv.Itoa(len(msg)) + "\r\n\r\n"
	_, err := f.out.Write(append([]byte(head), msg...))
	return err
}

// Recv implements channel.Channel.
func (f *frames) Recv() ([]byte, error) {
	select {
	case r := <-f.got:
		return r.msg, r.err
	case <-f.stop:
		return nil, io.EOF
	}
}

// read reads one message. Lines of a header that say nothing of the length are
// passed over.
func (f *frames) read() ([]byte, error) {
	size := -1
	for {
		line, err := f.line()
		if err != nil {
			return nil, err
		}
		if line == "" {
			if size < 0 {
				continue // blank lines, or a header without a length: look for the next
			}
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "content-length") {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("the length of a message is %q", value)
		}
		if n > maxMessage {
			return nil, fmt.Errorf("a message has %d bytes, more than %d", n, maxMessage)
		}
		size = n
	}
	data := make([]byte, size)
	_, err := io.ReadFull(f.in, data)
	return data, err
}

// line reads one line of a header.
func (f *frames) line() (string, error) {
	var b []byte
	for {
		part, err := f.in.ReadSlice('\n')
		if len(b)+len(part) > 1<<16 {
			return "", errors.New("the header of a message is too long")
		}
		b = append(b, part...)
		if err == nil {
			return strings.TrimRight(string(b), "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
}

// Close implements channel.Channel. What the streams belong to closes them.
func (f *frames) Close() error {
	f.once.Do(func() { close(f.stop) })
	return nil
}
