package protocol_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/momon-rules/momon/conformance/protocol"
)

type echo struct{}

func (echo) Hello(q protocol.Request) protocol.About {
	return protocol.About{Protocol: protocol.Version, Name: "echo", Rules: protocol.BuiltIn}
}
func (echo) Rules([]protocol.RuleFile) error { return errors.New("no") }
func (echo) Play(c json.RawMessage) protocol.Reply {
	return protocol.Reply{Outcome: protocol.Done, Answers: []protocol.Answer{{Step: 1, Answer: c}}}
}

// TestServe speaks with an adapter: each answer has the seq of its request, a
// request that is not known is answered, and bye ends it.
func TestServe(t *testing.T) {
	in := `{"seq": 1, "type": "hello", "protocols": [1, 2], "more": true}
{"seq": 2, "type": "rules", "files": []}` + "\r" + `
{"seq": 3, "type": "case", "case": "x"}
{"seq": 4, "type": "dance"}
{"seq": 5, "type": "bye"}
{"seq": 6, "type": "case", "case": "never"}
`
	var out strings.Builder
	if err := protocol.Serve(echo{}, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"seq":1,"protocol":1,"name":"echo"`, `{"seq":2,"ok":false,"code":"rules","message":"no"}`, `{"seq":3,"outcome":"done","answers":[{"step":1,"answer":"x"}]}`,
		`{"seq":4,"outcome":"error","code":"request"`, `{"seq":5,"ok":true}`}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines: %s", len(lines), out.String())
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("line %d: %s, want %s", i+1, lines[i], want[i])
		}
	}
	for _, bad := range []string{"hello\n", "[1]\n", strings.Repeat(" ", protocol.MaxLine+5) + "\n"} {
		if err := protocol.Serve(echo{}, strings.NewReader(bad), io.Discard); err == nil {
			t.Errorf("%.20q is served", bad)
		}
	}
	if err := protocol.Serve(echo{}, strings.NewReader(""), io.Discard); err != nil {
		t.Errorf("no input: %v", err)
	}
}

// loader is an adapter that can be asked to load files.
type loader struct{ echo }

func (loader) Load(c json.RawMessage) protocol.Reply {
	return protocol.Reply{Outcome: protocol.Refused, Stage: "form", Code: string(c)}
}

// TestServeLoad sees that an adapter is asked to load files if it can, and that
// another says that it lacks the question.
func TestServeLoad(t *testing.T) {
	for _, c := range []struct {
		a    protocol.Adapter
		want string
	}{
		{loader{}, `{"seq":1,"outcome":"refused","stage":"form","code":"7"}`},
		{echo{}, `{"seq":1,"outcome":"unsupported","feature":"question load"}`},
	} {
		var out strings.Builder
		if err := protocol.Serve(c.a, strings.NewReader(`{"seq": 1, "type": "load", "case": 7}`), &out); err != nil || strings.TrimSpace(out.String()) != c.want {
			t.Errorf("%T: %s, %v, want %s", c.a, out.String(), err, c.want)
		}
	}
}

// FuzzServe sees that no input makes an adapter's part of the protocol fail in
// another way than by an error.
func FuzzServe(f *testing.F) {
	f.Add(`{"seq": 1, "type": "hello"}` + "\n" + `{"seq": 2, "type": "case", "case": {}}`)
	f.Add("{}\n\n[]")
	f.Fuzz(func(t *testing.T, in string) {
		_ = protocol.Serve(echo{}, strings.NewReader(in), io.Discard)
	})
}

// TestReadLine sees where a line ends, and that a long one is not read without end.
func TestReadLine(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("a\r\n\nb"), 16)
	for _, want := range []string{"a", "", "b"} {
		if l, err := protocol.ReadLine(r); err != nil || string(l) != want {
			t.Errorf("%q, %v, want %q", l, err, want)
		}
	}
	if _, err := protocol.ReadLine(r); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	at := strings.Repeat("x", protocol.MaxLine)
	if l, err := protocol.ReadLine(bufio.NewReader(strings.NewReader(at + "\n"))); err != nil || len(l) != protocol.MaxLine {
		t.Errorf("a line of just the limit: %d, %v", len(l), err)
	}
	if _, err := protocol.ReadLine(bufio.NewReader(strings.NewReader(at + "xxx\n"))); !errors.Is(err, protocol.ErrTooLong) {
		t.Errorf("a line above the limit: %v", err)
	}
}
