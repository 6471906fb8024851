package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

// TestMain lets the test program play a program that is checked: one that knows
// every answer, and one for each way to break the protocol.
func TestMain(m *testing.M) {
	if mode := os.Getenv("CHECKED_PROGRAM"); mode != "" {
		if err := play(mode); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func late(c *runner.Case) bool { return c.Status == "provisional" || c.Loads() }

func suite() (*runner.Suite, error) {
	sub, err := fs.Sub(conformance.Suite, "suite")
	if err != nil {
		return nil, err
	}
	s, err := runner.Load(sub)
	if err != nil {
		return nil, err
	}
	// The tests play with the first ones, and a provisional case fails nothing.
	slices.SortStableFunc(s.Cases, func(a, b *runner.Case) int {
		switch {
		case late(a) == late(b):
			return 0
		case late(b):
			return -1
		default:
			return 1
		}
	})
	return s, nil
}

// knower answers out of the suite itself.
type knower struct {
	cases map[string]*runner.Case
	mode  string
	n     int
	asked string // the case
	seen  map[string]bool
	twice bool // it was asked before
}

func (k *knower) Hello(protocol.Request) protocol.About {
	a := protocol.About{Protocol: protocol.Version, Name: "knower", Version: "1", Rules: protocol.BuiltIn,
		Features: interpreter.ExportFeatures(), Questions: interpreter.ExportQuestions()}
	switch k.mode {
	case "old protocol":
		a.Protocol = 0
	case "no name":
		a.Name = ""
	case "rules of its own kind":
		a.Rules = "some"
	case "loads rules", "takes no rules", "loads all", "refuses all", "other stage", "other code", "refuses without code", "done loading":
		a.Rules = protocol.Loaded
		a.Questions = append(a.Questions, protocol.LoadQuestion)
	case "only plays by rules":
		a.Rules = protocol.Loaded
	case "few features":
		a.Features = []string{}
	case "few questions":
		a.Questions = []string{"value"}
	case "says what it lacks":
		a.Features = []string{}
		a.Lacks = map[string]protocol.Lack{"conditions": {Reason: "not yet", Issue: "https://issues.example/2"}}
	case "other reading":
		a.Readings = map[string]string{"live.others": "keeps_cards"}
	}
	return a
}

func (k *knower) Rules(files []protocol.RuleFile) error {
	if k.mode == "takes no rules" || len(files) == 0 || files[0].Text == "" {
		return errors.New("these it can't read")
	}
	return nil
}

func (k *knower) Play(data json.RawMessage) protocol.Reply {
	var c struct{ ID string }
	if err := json.Unmarshal(data, &c); err != nil {
		return protocol.Reply{Outcome: protocol.Failed, Code: "case", Message: err.Error()}
	}
	if bytes.Contains(data, []byte(`"expect"`)) {
		return protocol.Reply{Outcome: protocol.Failed, Code: "case", Message: "it was told what is expected"}
	}
	k.n++
	k.asked = c.ID
	k.twice = k.seen[c.ID]
	if k.seen == nil {
		k.seen = map[string]bool{}
	}
	k.seen[c.ID] = true
	r := protocol.Reply{Outcome: protocol.Done}
	for _, st := range k.cases[c.ID].Script {
		if st.Ask == nil {
			continue
		}
		v := st.Expect
		if k.mode == "always yes" {
			v = json.RawMessage("true")
		}
		if k.mode == "wrong at third" && k.n == 3 {
			v = json.RawMessage(`"wrong"`)
		}
		if k.mode == "leaks" {
			v = json.RawMessage(fmt.Sprint(k.n))
		}
		if (st.Question() == "refused" || st.Question() == "legal") && bytes.HasPrefix(v, []byte("[")) {
			var list []json.RawMessage
			if json.Unmarshal(v, &list) == nil {
				v = list[0]
			}
		}
		r.Answers = append(r.Answers, protocol.Answer{Step: st.Step, Answer: v})
	}
	last := len(r.Answers) - 1
	switch k.mode {
	case "misses one":
		r.Answers = r.Answers[:last]
	case "answers twice":
		r.Answers = append(r.Answers, r.Answers[last])
	case "answers more":
		r.Answers = append(r.Answers, protocol.Answer{Step: 900, Answer: json.RawMessage("1")})
	case "unsupported":
		return protocol.Reply{Outcome: protocol.Unsupported, Feature: "a thing"}
	case "unsupported with reason":
		return protocol.Reply{Outcome: protocol.Unsupported, Feature: "a thing", Reason: "not yet", Issue: "https://issues.example/3"}
	case "unsupported nameless":
		return protocol.Reply{Outcome: protocol.Unsupported}
	case "lies about a question":
		return protocol.Reply{Outcome: protocol.Unsupported, Feature: "question value"}
	case "lies":
		return protocol.Reply{Outcome: protocol.Unsupported, Feature: "groups"}
	case "skips":
		return protocol.Reply{Outcome: protocol.Skipped, Reason: "not yet", Issue: "https://issues.example/1"}
	case "skips without reason":
		return protocol.Reply{Outcome: protocol.Skipped}
	case "errors":
		return protocol.Reply{Outcome: protocol.Failed, Code: "decision", Step: r.Answers[0].Step, Message: "no answer"}
	case "no such outcome":
		return protocol.Reply{Outcome: "maybe"}
	}
	return r
}

// Load implements protocol.Loader.
func (k *knower) Load(data json.RawMessage) protocol.Reply {
	var c load.Case
	if err := json.Unmarshal(data, &c); err != nil || c.Expect != nil {
		return protocol.Reply{Outcome: protocol.Failed, Code: "case", Message: "it was told what is expected, or nothing that can be read"}
	}
	var want load.Result
	if err := json.Unmarshal(k.cases[c.ID].Script[0].Expect, &want); err != nil {
		return protocol.Reply{Outcome: protocol.Failed, Code: "case", Message: err.Error()}
	}
	r := protocol.Reply{Outcome: want.Load, Stage: want.Stage, Code: want.Code}
	switch k.mode {
	case "loads all":
		return protocol.Reply{Outcome: protocol.Loaded}
	case "refuses all":
		return protocol.Reply{Outcome: protocol.Refused, Stage: "names", Code: "unknown-name"}
	case "other stage":
		if r.Outcome == protocol.Refused {
			r.Stage = "late"
		}
	case "other code":
		if r.Outcome == protocol.Refused {
			r.Code = "syntax-error"
		}
	case "refuses without code":
		r = protocol.Reply{Outcome: protocol.Refused, Stage: "form"}
	case "done loading":
		r = protocol.Reply{Outcome: protocol.Done}
	}
	return r
}

// TestLoads sees what becomes of the cases of tier data: for a program that loads
// rules they pass by stage and code, for one with built-in rules they are not run
// and don't make the run incomplete, and for one that can't be asked they are
// unsupported.
func TestLoads(t *testing.T) {
	s, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Select(runner.Selection{Tier: "data"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(list); n < 80 {
		t.Errorf("only %d cases", n)
	}
	for _, c := range []struct {
		mode            string
		refused, loaded runner.Verdict // of cases that expect that
	}{
		{"loads rules", runner.Pass, runner.Pass},
		{"loads all", runner.Fail, runner.Pass},
		{"refuses all", runner.Fail, runner.Fail},
		{"other stage", runner.Fail, runner.Pass},
		{"other code", runner.Fail, runner.Pass},
		{"refuses without code", runner.Garbage, runner.Garbage},
		{"done loading", runner.Garbage, runner.Garbage},
		{"only plays by rules", runner.Unsupported, runner.Unsupported},
		{"knows", runner.NotRun, runner.NotRun},
	} {
		o, err := runner.Run(context.Background(), s, list, runner.Options{Command: command(t, c.mode), Limit: time.Hour, Jobs: 2,
			Files: []protocol.RuleFile{{Folder: "rules", Name: "a.momon", Text: "language 1"}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range o.Results {
			want := c.refused
			if bytes.Contains(r.Case.Script[0].Expect, []byte("loaded")) {
				want = c.loaded
			}
			if r.Verdict != want && !(c.mode == "refuses all" && bytes.Contains(r.Case.Script[0].Expect, []byte("unknown-name"))) {
				t.Errorf("%s: %s: %s (%s), want %s", c.mode, r.Case.ID, r.Verdict, r.Detail, want)
			}
		}
		r := runner.NewReport(s, o, nil)
		if !r.Footer.Complete || r.Unrun() != 0 {
			t.Errorf("%s: complete %v, %d not run", c.mode, r.Footer.Complete, r.Unrun())
		}
		if failed := c.refused == runner.Fail || c.refused == runner.Garbage; r.Failed() != failed {
			t.Errorf("%s: failed %v", c.mode, r.Failed())
		}
	}
}

// play is the checked program.
func play(mode string) error {
	s, err := suite()
	if err != nil {
		return err
	}
	k := &knower{cases: map[string]*runner.Case{}, mode: mode}
	for _, c := range s.Cases {
		k.cases[c.ID] = c
	}
	return protocol.Serve(k, os.Stdin, &spoiler{mode: mode, k: k, spoilt: s.Cases[1].ID})
}

// spoiler writes answers, or something else.
type spoiler struct {
	mode   string
	k      *knower
	spoilt string // the case that goes wrong
}

func (w *spoiler) Write(b []byte) (int, error) {
	n := len(b)
	if w.k.asked == w.spoilt {
		switch w.mode {
		case "crashes":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(9)
		case "ends":
			os.Exit(0)
		case "hangs":
			if err := os.WriteFile(os.Args[1], nil, 0o600); err != nil {
				return 0, err
			}
			time.Sleep(time.Hour)
		case "closes its output":
			os.Stdout.Close()
			if err := os.WriteFile(os.Args[1]+closedMark, nil, 0o600); err != nil {
				return 0, err
			}
			time.Sleep(time.Hour)
		case "prints":
			b = []byte("now for the second one\n")
		case "list":
			b = []byte("[]\n")
		case "other types":
			b = []byte(strings.Replace(string(b), `"done"`, "5", 1))
		case "no seq":
			b = []byte(`{"outcome": "done"}` + "\n")
		case "wrong seq":
			b = bytes.Replace(b, []byte(`"seq":`), []byte(`"seq":77`), 1)
		case "long":
			b = append(bytes.Repeat([]byte(" "), protocol.MaxLine+10), b...)
		case "talks":
			b = append(b, b...)
		case "floods":
			for {
				if _, err := os.Stdout.Write([]byte(`{"seq":1}` + "\n")); err != nil {
					return 0, err
				}
			}
		}
	}
	switch {
	case w.mode == "crashes often" && w.k.n == 5, w.mode == "always crashes" && w.k.n > 0:
		os.Exit(9)
	case w.mode == "crashes when asked again" && w.k.twice:
		os.Exit(9)
	case w.mode == "hello crashes":
		os.Exit(9)
	case w.mode == "hello hangs", w.mode == "says no bye" && bytes.Contains(b, []byte(`"ok":true`)):
		if err := os.WriteFile(os.Args[1], nil, 0o600); err != nil {
			return 0, err
		}
		time.Sleep(time.Hour)
	case w.mode == "hello prints":
		b = []byte("Welcome!\n")
	case w.mode == "echo":
		b = []byte("{}\n")
	}
	_, err := os.Stdout.Write(b)
	return n, err
}

func command(t *testing.T, mode string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"/usr/bin/env", "CHECKED_PROGRAM=" + mode, exe}
}

// run runs the first cases of a tier against a mode of the checked program.
func run(t *testing.T, mode string, n int, opts runner.Options) (*runner.Suite, *runner.Outcome, error) {
	t.Helper()
	s, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Select(runner.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		list = list[:n]
	}
	if opts.Command == nil {
		opts.Command = command(t, mode)
	}
	opts.Files = []protocol.RuleFile{{Name: "a.momon", Text: "language 1"}}
	if opts.Limit == 0 {
		opts.Limit = time.Hour
	}
	o, err := runner.Run(context.Background(), s, list, opts)
	return s, o, err
}

// closedMark ends the name of the file that says that a program has closed its output
// and lives on.
const closedMark = ".closed"

// hung waits for a program until it has said, in a file, that it hangs: so no test
// waits for long, and none is hasty on a slow machine.
type hung struct {
	test context.Context // over when the test is
	mark string
	turn atomic.Int64 // of the wait that is the latest: those before are over
}

func (h *hung) wait(_ time.Duration, closed bool) <-chan time.Time {
	mark := h.mark
	if closed {
		mark += closedMark
	}
	turn, out := h.turn.Add(1), make(chan time.Time, 1)
	go func() {
		for {
			if h.turn.Load() != turn || h.test.Err() != nil {
				return
			}
			if _, err := os.Stat(mark); err == nil && h.turn.Load() == turn {
				os.Remove(mark)
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		out <- time.Now()
	}()
	return out
}

// TestVerdicts sees that each way to break the protocol gets its verdict, and that
// the cases around it are not drawn in.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		mode    string
		second  runner.Verdict // of the second of four cases
		others  runner.Verdict
		details string
	}{
		{"knows", runner.Pass, runner.Pass, ""},
		{"loads rules", runner.Pass, runner.Pass, ""},
		{"crashes", runner.Crash, runner.Pass, "exit status 9"},
		{"ends", runner.Crash, runner.Pass, "ended"},
		{"hangs", runner.Hang, runner.Pass, "no answer"},
		{"closes its output", runner.Crash, runner.Pass, "output"},
		{"prints", runner.Garbage, runner.Pass, "now for the second"},
		{"list", runner.Garbage, runner.Pass, "[]"},
		{"other types", runner.Garbage, runner.Pass, "outcome"},
		{"no seq", runner.WrongSeq, runner.Pass, "no seq"},
		{"wrong seq", runner.WrongSeq, runner.Pass, "answered as 77"},
		{"long", runner.TooLong, runner.Pass, "bytes"},
		{"talks", runner.Talks, runner.Pass, "seq"},
		{"floods", runner.Talks, runner.Pass, "more than 1000"},
		{"misses one", runner.Missing, runner.Missing, "no answer"},
		{"answers twice", runner.Extra, runner.Extra, "twice"},
		{"answers more", runner.Extra, runner.Extra, "900"},
		{"always yes", runner.Fail, runner.Fail, ""},
		{"leaks", runner.Fail, runner.Fail, ""}, // wrong, before it is seen to leak
		{"unsupported", runner.Unsupported, runner.Unsupported, "a thing"},
		{"unsupported nameless", runner.Garbage, runner.Garbage, "no feature"},
		{"lies", runner.Lie, runner.Lie, "groups"},
		{"lies about a question", runner.Lie, runner.Lie, "question value"},
		{"skips", runner.Skipped, runner.Skipped, "not yet"},
		{"skips without reason", runner.Garbage, runner.Garbage, "no reason"},
		{"errors", runner.Errored, runner.Errored, "decision"},
		{"no such outcome", runner.Garbage, runner.Garbage, "maybe"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			opts := runner.Options{}
			h := &hung{test: t.Context(), mark: filepath.Join(t.TempDir(), "mark")}
			opts.Wait(h.wait)
			opts.Command = append(command(t, c.mode), h.mark)
			_, o, err := run(t, c.mode, 4, opts)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range o.Results {
				want := c.others
				if i == 1 {
					want = c.second
				}
				if c.mode == "leaks" && r.Verdict == runner.Leak {
					continue
				}
				if c.mode == "floods" && i == 0 {
					continue // whose line it is that comes before an answer can't be told
				}
				if r.Verdict != want {
					t.Errorf("case %d: %s (%s), want %s", i, r.Verdict, r.Detail, want)
				}
			}
			if r := o.Results[1]; !strings.Contains(r.Detail, c.details) {
				t.Errorf("%q does not speak of %q", r.Detail, c.details)
			}
			if c.mode == "crashes" && !strings.Contains(o.Results[1].Stderr, "out of luck") {
				t.Errorf("its last words are not kept: %q", o.Results[1].Stderr)
			}
		})
	}
}

// TestLeak sees that a program which answers otherwise when asked again is caught,
// though each answer was right the first time.
func TestLeak(t *testing.T) {
	_, o, err := run(t, "leaks", 4, runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range o.Results {
		if r.Verdict != runner.Leak {
			t.Errorf("case %d: %s, want leak", i, r.Verdict)
		}
	}
	if _, o, err = run(t, "leaks", 4, runner.Options{Isolate: true}); err != nil {
		t.Fatal(err)
	}
	for i, r := range o.Results { // each program plays one case, so each answers 1
		if r.Verdict == runner.Leak {
			t.Errorf("case %d leaks into a program of its own", i)
		}
	}
}

// TestHello sees that a program which can't be spoken with is told apart.
func TestHello(t *testing.T) {
	for mode, want := range map[string]string{
		"old protocol": "protocol 0", "no name": "no name", "rules of its own kind": "some", "hello crashes": "exit status 9",
		"hello prints": "Welcome!", "echo": "no seq", "takes no rules": "can't read",
	} {
		_, _, err := run(t, mode, 4, runner.Options{})
		var e *runner.StartError
		if !errors.As(err, &e) || e.Fault == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", mode, err, want)
		}
	}
	h := &hung{test: t.Context(), mark: filepath.Join(t.TempDir(), "mark")}
	opts := runner.Options{Command: append(command(t, "hello hangs"), h.mark)}
	opts.Wait(h.wait)
	var e *runner.StartError
	if _, _, err := run(t, "hello hangs", 4, opts); !errors.As(err, &e) || e.Fault == nil || e.Fault.Verdict != runner.Hang {
		t.Errorf("hello hangs: %v", err)
	}
	s, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runner.Run(context.Background(), s, s.Cases, runner.Options{Command: []string{"/no/such/program"}}); !errors.As(err, &e) || e.Err == nil {
		t.Errorf("no program: %v", err)
	}
}

// TestBye sees that a program which does not answer bye is ended, and that this is a
// fault of the run and of no case.
func TestBye(t *testing.T) {
	h := &hung{test: t.Context(), mark: filepath.Join(t.TempDir(), "mark")}
	opts := runner.Options{Command: append(command(t, "says no bye"), h.mark)}
	opts.Wait(h.wait)
	s, o, err := run(t, "says no bye", 4, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range o.Results {
		if r.Verdict != runner.Pass {
			t.Errorf("case %d: %s", i, r.Verdict)
		}
	}
	if len(o.Faults) != 1 || o.Faults[0].Verdict != runner.Hang || !runner.NewReport(s, o, nil).Failed() {
		t.Errorf("faults: %v", o.Faults)
	}
}

// TestLeftOut sees that cases which are not for a program are not sent, and not
// counted as failed.
func TestLeftOut(t *testing.T) {
	for mode, want := range map[string]runner.Verdict{"few features": runner.Unsupported, "few questions": runner.Unsupported, "other reading": runner.Reading} {
		_, o, err := run(t, mode, 0, runner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range o.Results {
			switch {
			case r.Verdict == want:
				n++
				if want == runner.Reading && r.Case.Status == "normative" {
					t.Errorf("%s: a reading keeps the normative %s away", mode, r.Case.ID)
				}
			case r.Verdict != runner.Pass && !r.Case.Loads():
				t.Errorf("%s: %s: %s", mode, r.Case.ID, r.Verdict)
			}
		}
		if n == 0 {
			t.Errorf("%s: no case is %s", mode, want)
		}
	}
}

// TestGivenUp sees that a run against a program which breaks down again and again
// ends, and is not complete.
func TestGivenUp(t *testing.T) {
	_, o, err := run(t, "crashes often", 0, runner.Options{Faults: 3})
	if err != nil {
		t.Fatal(err)
	}
	crashed := 0
	for _, r := range o.Results {
		if r.Verdict == runner.Crash {
			crashed++
		}
	}
	if o.Complete() || crashed != 3 {
		t.Errorf("complete %v, %d crashes", o.Complete(), crashed)
	}
}

// tell is a teller of its own, which knows no rules.
func tell(failed []*runner.Result) []*interpreter.Story {
	var out []*interpreter.Story
	for _, r := range failed {
		st := &interpreter.Story{Start: []string{"given A"}, Why: map[string]string{"en": "because", "th": "เพราะ"}}
		for i := range r.Case.Script {
			x := &r.Case.Script[i]
			st.Steps = append(st.Steps, interpreter.StoryStep{Step: x.Step, Text: "does " + x.Question(), Expected: x.Expect,
				Happens: map[string][]string{"en": {"it is done"}, "th": {"ทำแล้ว"}}})
			if r.Step != nil && x.Step == r.Step.Step {
				break
			}
		}
		out = append(out, st)
	}
	return out
}

// TestReport sees that several programs at once give the report that one gives, and
// that a failure tells its first divergence.
func TestReport(t *testing.T) {
	var one []byte
	for _, jobs := range []int{1, 2, 7} {
		s, o, err := run(t, "always yes", 60, runner.Options{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		r := runner.NewReport(s, o, tell)
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		if one == nil {
			one = b.Bytes()
			lines := strings.Split(strings.TrimSpace(b.String()), "\n")
			if len(lines) != 62 || !strings.Contains(lines[0], `"type":"header"`) || !strings.Contains(lines[61], `"complete":true`) {
				t.Errorf("%d lines: %s … %s", len(lines), lines[0], lines[len(lines)-1])
			}
			for i, c := range r.Cases {
				if c.Verdict != runner.Fail {
					continue
				}
				if c.At == nil || c.At.Step == 0 || string(c.At.Given) != "true" || c.Asks() == "" || r.Statement(c.Covers[0])["th"] == "" || c.Story == nil {
					t.Errorf("line %d has no divergence: %+v", i, c)
				}
			}
			if !r.Failed() {
				t.Error("it is not seen as failed")
			}
		} else if diff := cmp.Diff(string(one), b.String()); diff != "" {
			t.Errorf("%d jobs: %s", jobs, diff)
		}
	}
}

// TestKnown sees that a known failure is set apart, that one which passes or whose
// day is over is a failure, and that a list which says too little is refused.
func TestKnown(t *testing.T) {
	s, o, err := run(t, "crashes", 4, runner.Options{})
	if err != nil {
		t.Fatal(err)
	}
	crashing, passing := s.Cases[1].ID, s.Cases[2].ID
	for _, c := range []struct {
		list   string
		failed bool
		second runner.Verdict
		third  runner.Verdict
	}{
		{`[]`, true, runner.Crash, runner.Pass},
		{`[{"id": "` + crashing + `", "reason": "not yet", "until": "2030-01-01"}]`, false, runner.Crash, runner.Pass},
		{`[{"id": "` + crashing + `", "reason": "not yet", "until": "2020-01-01"}]`, true, runner.Crash, runner.Pass},
		{`[{"id": "` + crashing + `", "reason": "not yet", "until": "2030-01-01"}, {"id": "` + passing + `", "reason": "nor this", "until": "2030-01-01"}]`,
			true, runner.Crash, runner.Mended},
	} {
		known, err := runner.LoadKnown(s, []byte(c.list))
		if err != nil {
			t.Fatal(err)
		}
		r := runner.NewReport(s, o, nil)
		r.Expect(known, "2026-06-01")
		if r.Failed() != c.failed || r.Cases[1].Verdict != c.second || r.Cases[2].Verdict != c.third {
			t.Errorf("%s: failed %v, %s, %s", c.list, r.Failed(), r.Cases[1].Verdict, r.Cases[2].Verdict)
		}
		total := 0
		for _, by := range r.Footer.Totals {
			for _, n := range by {
				total += n
			}
		}
		if total != 4 {
			t.Errorf("%s: the totals count %d of 4", c.list, total)
		}
	}
	for _, list := range []string{
		`{}`, `[{"id": "no-such-case", "reason": "x", "until": "2030-01-01"}]`, `[{"id": "` + crashing + `", "until": "2030-01-01"}]`,
		`[{"id": "` + crashing + `", "reason": "x"}]`, `[{"id": "` + crashing + `", "reason": "x", "until": "soon"}]`,
		`[{"id": "` + crashing + `", "reason": "x", "until": "2030-01-01", "unitl": ""}]`,
		`[{"id": "` + crashing + `", "reason": "x", "until": "2030-01-01"}, {"id": "` + crashing + `", "reason": "y", "until": "2030-01-01"}]`,
	} {
		if _, err := runner.LoadKnown(s, []byte(list)); err == nil {
			t.Errorf("%s is taken", list)
		}
	}
}

// TestSelect sees what each selection leaves.
func TestSelect(t *testing.T) {
	s, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sel  runner.Selection
		fits func(*runner.Case) bool
	}{
		{runner.Selection{Run: regexp.MustCompile("^ward-")}, func(c *runner.Case) bool { return strings.HasPrefix(c.ID, "ward-") }},
		{runner.Selection{Skip: regexp.MustCompile("^ward-")}, func(c *runner.Case) bool { return !strings.HasPrefix(c.ID, "ward-") }},
		{runner.Selection{Tier: "core"}, func(c *runner.Case) bool { return c.Tier == "core" }},
		{runner.Selection{Status: "normative"}, func(c *runner.Case) bool { return c.Status == "normative" }},
		{runner.Selection{Covers: "13.2"}, func(c *runner.Case) bool {
			for _, cv := range c.Covers {
				if strings.HasPrefix(cv.Rule, "13.2.") {
					return true
				}
			}
			return false
		}},
	} {
		list, err := s.Select(c.sel)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, k := range s.Cases {
			if c.fits(k) {
				n++
			}
		}
		if len(list) != n || n == 0 || n == len(s.Cases) {
			t.Errorf("%+v: %d cases, want %d", c.sel, len(list), n)
		}
	}
	if _, err := s.Select(runner.Selection{Run: regexp.MustCompile("^nothing-like-it$")}); !errors.Is(err, runner.ErrNone) {
		t.Errorf("an empty selection: %v", err)
	}
}

// TestSchemas holds requests, answers and reports to their schemas.
func TestSchemas(t *testing.T) {
	c := jsonschema.NewCompiler()
	ids := map[string]string{}
	names, err := filepath.Glob("../schema/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no schemas", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ids[filepath.Base(name)] = doc.(map[string]any)["$id"].(string)
		if err := c.AddResource(ids[filepath.Base(name)], doc); err != nil {
			t.Fatal(err)
		}
	}
	check := func(schema string, v any, fits bool) {
		t.Helper()
		s, err := c.Compile(ids[schema+".schema.json"])
		if err != nil {
			t.Fatal(err)
		}
		data, ok := v.([]byte)
		if !ok {
			if data, err = json.Marshal(v); err != nil {
				t.Fatal(err)
			}
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); (err == nil) != fits {
			t.Errorf("%s: %s: %v", schema, data, err)
		}
	}
	s, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	check("request", protocol.Request{Seq: 1, Type: protocol.Hello, Protocols: []int{1}, Suite: &s.Info}, true)
	check("request", protocol.Request{Seq: 1, Type: protocol.Hello}, false)
	check("request", protocol.Request{Seq: 2, Type: protocol.Rules, Files: []protocol.RuleFile{{Name: "a", Text: ""}}}, true)
	check("request", protocol.Request{Seq: 3, Type: protocol.Play, Case: s.Cases[0].Asked}, true)
	check("request", protocol.Request{Seq: 3, Type: protocol.Play, Case: s.Cases[0].Data}, false) // with what is expected
	check("request", protocol.Request{Seq: 4, Type: protocol.Bye}, true)
	for _, c := range s.Cases {
		if c.Loads() {
			check("request", protocol.Request{Seq: 3, Type: protocol.Load, Case: c.Asked}, true)
			check("request", protocol.Request{Seq: 3, Type: protocol.Load, Case: c.Data}, false)
		}
	}
	check("answer", protocol.Reply{Seq: 3, Outcome: protocol.Loaded}, true)
	check("answer", protocol.Reply{Seq: 3, Outcome: protocol.Refused, Stage: "names", Code: "unknown-name"}, true)
	check("answer", protocol.Reply{Seq: 3, Outcome: protocol.Refused, Stage: "late", Code: "unknown-name"}, false)
	check("answer", protocol.Reply{Seq: 3, Outcome: protocol.Refused, Stage: "names"}, false)
	k := &knower{cases: map[string]*runner.Case{s.Cases[0].ID: s.Cases[0]}}
	about := k.Hello(protocol.Request{})
	about.Seq = 1
	check("answer", about, true)
	about.Lacks = map[string]protocol.Lack{"loops": {Reason: "not yet", Issue: "https://issues.example/1"}}
	check("answer", about, true)
	about.Lacks = map[string]protocol.Lack{"loops": {}}
	check("answer", about, false)
	about.Lacks = nil
	about.Name = ""
	check("answer", about, false)
	for mode, fits := range map[string]bool{"knows": true, "unsupported": true, "unsupported nameless": false, "unsupported with reason": true, "skips": true, "skips without reason": false,
		"errors": true, "no such outcome": false} {
		k.mode = mode
		r := k.Play(s.Cases[0].Asked)
		r.Seq = 3
		check("answer", r, fits)
	}
	for _, ok := range []bool{true, false} {
		r := protocol.Plain(ok)
		r.Seq = 2
		check("answer", r, true)
	}
	for _, mode := range []string{"always yes", "crashes", "errors", "other reading", "says what it lacks", "unsupported with reason", "skips", "talks"} {
		n := 4
		if mode == "other reading" || mode == "says what it lacks" {
			n = 0
		}
		_, o, err := run(t, mode, n, runner.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o.Faults = append(o.Faults, &runner.Fault{Verdict: runner.Hang, Detail: "at bye", Stderr: "x"})
		r := runner.NewReport(s, o, tell)
		r.Expect(map[string]runner.Known{s.Cases[1].ID: {ID: s.Cases[1].ID, Reason: "a", Until: "2020-01-01"}}, "2026-06-01")
		var b bytes.Buffer
		if err := r.Write(&b); err != nil {
			t.Fatal(err)
		}
		for _, l := range bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n")) {
			check("report", l, true)
		}
	}
	check("report", []byte(`{"type": "footer"}`), false)
	list, err := s.Select(runner.Selection{Tier: "data"})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"knows", "loads all"} {
		o, err := runner.Run(context.Background(), s, list, runner.Options{Command: command(t, mode), Limit: time.Hour, Files: []protocol.RuleFile{{Name: "a", Text: "b"}}})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := runner.NewReport(s, o, nil).Write(&b); err != nil {
			t.Fatal(err)
		}
		for _, l := range bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n")) {
			check("report", l, true)
		}
	}
	check("known-failures", []runner.Known{{ID: "a", Reason: "b", Until: "2030-01-01"}}, true)
	check("known-failures", []runner.Known{{ID: "a", Until: "2030-01-01"}}, false)
}

// BenchmarkProtocol runs the whole suite against a program that answers at once, and
// counts the cases that it was asked.
func BenchmarkProtocol(b *testing.B) {
	s, err := suite()
	if err != nil {
		b.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cases := 0
	start := time.Now()
	for b.Loop() {
		o, err := runner.Run(context.Background(), s, s.Cases, runner.Options{Command: []string{"/usr/bin/env", "CHECKED_PROGRAM=knows", exe}})
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range o.Results {
			if r.Verdict == runner.Pass {
				cases++
			}
		}
	}
	b.ReportMetric(float64(cases)/time.Since(start).Seconds(), "cases/s")
}
