package runner_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/momon-rules/momon/conformance/runner"
)

// record runs the first cases against a mode of the checked program and writes the
// record.
func record(t *testing.T, mode string, n int, opts runner.Options) (*runner.Suite, *runner.Report, []byte) {
	t.Helper()
	s, o, err := run(t, mode, n, opts)
	if err != nil {
		t.Fatal(err)
	}
	r := runner.NewReport(s, o, tell)
	return s, r, written(t, r)
}

func written(t testing.TB, r *runner.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestReplay sees that a record judged again without the program comes to the same,
// to the byte, whatever the program did.
func TestReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs, one at a time")
	}
	for _, mode := range []string{"knows", "loads rules", "crashes", "prints", "list", "other types", "no seq", "wrong seq", "long", "talks", "misses one",
		"answers twice", "answers more", "always yes", "wrong at third", "leaks", "unsupported", "unsupported nameless", "lies", "skips",
		"skips without reason", "errors", "no such outcome", "few features", "few questions", "other reading", "says what it lacks",
		"unsupported with reason", "loads all", "crashes often", "always crashes", "crashes when asked again"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			n := 40
			switch mode {
			case "few features", "few questions", "says what it lacks":
				n = 150
			case "other reading", "loads all": // what it turns on comes late
				n = 0
			}
			s, first, _ := record(t, mode, n, runner.Options{Faults: 5})
			known := map[string]runner.Known{first.Cases[1].ID: {ID: first.Cases[1].ID, Reason: "known", Until: "2020-01-01"},
				first.Cases[3].ID: {ID: first.Cases[3].ID, Reason: "known too", Until: "2090-01-01"}}
			first.Expect(known, "2026-06-01")
			data := written(t, first)
			rec, err := runner.Read(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			o, err := runner.Replay(s, rec, s.Cases)
			if err != nil {
				t.Fatal(err)
			}
			again := runner.NewReport(s, o, tell)
			again.ExpectAgain(rec)
			if diff := cmp.Diff(string(data), string(written(t, again))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestJobs sees that the record does not hang on how many programs run, also where
// they break the protocol or the run is given up.
func TestJobs(t *testing.T) {
	for _, mode := range []string{"knows", "crashes", "prints", "wrong seq", "talks", "always crashes", "crashes when asked again", "says what it lacks", "always yes"} {
		if testing.Short() && mode != "talks" && mode != "always crashes" && mode != "crashes when asked again" {
			continue
		}
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			var one []byte
			for _, jobs := range []int{1, 2, 5} {
				_, _, data := record(t, mode, 40, runner.Options{Jobs: jobs, Faults: 4})
				if one == nil {
					one = data
				} else if diff := cmp.Diff(string(one), string(data)); diff != "" {
					t.Errorf("%d jobs: %s", jobs, diff)
				}
			}
		})
	}
}

// TestMisfit sees that a record which does not fit the suite is refused.
func TestMisfit(t *testing.T) {
	s, r, data := record(t, "knows", 6, runner.Options{})
	for code, spoil := range map[string]func(*runner.Report){
		"digest":  func(r *runner.Report) { r.Header.Digest = "another" },
		"twin":    func(r *runner.Report) { r.Header.Twin = "swap" },
		"case":    func(r *runner.Report) { r.Cases[2].ID = "no-such-case" },
		"verdict": func(r *runner.Report) { r.Cases[2].Verdict = runner.Fail },
		"verdict of one left out": func(r *runner.Report) {
			r.Cases[3].Verdict = runner.Unsupported
		},
		"verdict of nothing said": func(r *runner.Report) { r.Cases[4].Said = nil },
	} {
		rec, err := runner.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		spoil(rec)
		var e *runner.MisfitError
		if _, err := runner.Replay(s, rec, s.Cases); !errors.As(err, &e) || !strings.HasPrefix(code, e.Code) {
			t.Errorf("%s: %v", code, err)
		}
	}
	if _, err := runner.Replay(s, r, s.Cases[100:]); !errors.Is(err, runner.ErrNone) {
		t.Errorf("cases that the record does not have: %v", err)
	}
}

// TestDamaged sees that a record which is not whole, or not as it was written, is
// refused with what is wrong.
func TestDamaged(t *testing.T) {
	_, _, data := record(t, "wrong at third", 6, runner.Options{})
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	join := func(l ...[]byte) []byte { return bytes.Join(l, nil) }
	for _, c := range []struct {
		name, code string
		line       int
		data       []byte
	}{
		{"empty", "empty", 0, nil},
		{"blank", "empty", 0, []byte("\n \n")},
		{"another file", "json", 1, []byte("something else\n")},
		{"other JSON", "header", 1, []byte("{}\n")},
		{"no header", "header", 1, join(lines[1:]...)},
		{"without footer", "cut", 0, join(lines[:7]...)},
		{"cut in a line", "cut", 0, join(append(slices.Clone(lines[:5]), lines[5][:20])...)},
		{"a line missing", "count", 0, join(slices.Delete(slices.Clone(lines), 3, 4)...)},
		{"a line twice", "case", 5, join(slices.Insert(slices.Clone(lines), 4, lines[3])...)},
		{"behind the footer", "behind", 9, append(slices.Clone(data), []byte("{}\n")...)},
		{"a line of another kind", "type", 3, join(slices.Insert(slices.Clone(lines), 2, []byte("{\"type\": \"note\"}\n"))...)},
		{"a verdict that is none", "case", 2, bytes.Replace(data, []byte(`"verdict":"pass"`), []byte(`"verdict":"fine"`), 1)},
		{"a verdict changed", "changed", 0, bytes.Replace(data, []byte(`"verdict":"leak"`), []byte(`"verdict":"pass"`), 1)},
		{"an answer changed", "changed", 0, bytes.Replace(data, []byte(`"answer":"wrong"`), []byte(`"answer":"right"`), 1)},
		{"the totals changed", "changed", 0, bytes.Replace(data, []byte(`"leak":1`), []byte(`"leak":2`), 1)},
		{"another form", "version", 1, bytes.Replace(data, []byte(`"report":1`), []byte(`"report":2`), 1)},
	} {
		if bytes.Equal(c.data, data) {
			t.Errorf("%s: nothing was changed", c.name)
		}
		var e *runner.RecordError
		if _, err := runner.Read(bytes.NewReader(c.data)); !errors.As(err, &e) || e.Code != c.code || e.Line != c.line {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// Other line ends are no change.
	if _, err := runner.Read(bytes.NewReader(bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")))); err != nil {
		t.Error(err)
	}
}

// FuzzRead sees that no file, however it is made, makes reading it, or judging
// again what it says, fail in another way than by an error.
func FuzzRead(f *testing.F) {
	s, err := suite()
	if err != nil {
		f.Fatal(err)
	}
	r := runner.NewReport(s, &runner.Outcome{Results: []*runner.Result{{Case: s.Cases[0], Verdict: runner.NotRun}}}, nil)
	r.Header.Rules, r.Header.Tiers = nil, nil // short ones are looked through sooner
	f.Add(written(f, r))
	f.Add([]byte(`{"type":"header","report":1}` + "\n" + `{"type":"footer"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := runner.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		_, _ = runner.Replay(s, rec, s.Cases)
		rec.Header.Digest, rec.Header.Edition, rec.Header.Cases = s.Info.Digest, s.Info.Edition, s.Info.Cases
		_, _ = runner.Replay(s, rec, s.Cases)
		if _, err := runner.Read(bytes.NewReader(written(t, rec))); err != nil {
			t.Error(fmt.Errorf("written again, it can't be read: %w", err))
		}
	})
}
