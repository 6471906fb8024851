package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/conformance/protocol"
)

// judge gives verdicts: what a program said of itself and to each case is all that
// they hang on, so that they can be given again from a record.
type judge struct {
	suite *Suite
	about protocol.About
}

// leaveOut sets aside a case that is not for this program, by what it says of
// itself, and reports whether it did.
func (j *judge) leaveOut(r *Result) bool {
	c := r.Case
	if !meant(&j.about, c) {
		r.Verdict, r.Detail = NotRun, "its rules are built in"
		return true
	}
	lacks := func(name, key string) {
		r.Verdict, r.Detail = Unsupported, name
		r.Reason, r.Issue = j.about.Lacks[key].Reason, j.about.Lacks[key].Issue
	}
	for _, f := range c.Features {
		if !slices.Contains(j.about.Features, f) {
			lacks(f, f)
			return true
		}
	}
	for i := range c.Script {
		if q := c.Script[i].Question(); q != "" && !slices.Contains(j.about.Questions, q) {
			lacks("question "+q, q)
			return true
		}
	}
	for _, name := range sorted(j.about.Readings) {
		own := j.about.Readings[name]
		if choice, ok := c.Readings[name]; ok {
			if choice != own {
				r.Verdict, r.Detail = Reading, name+" "+own
				return true
			}
			continue
		}
		covers := slices.ContainsFunc(c.Covers, func(cv Cover) bool { return cv.Statement == name })
		if p, ok := j.suite.Readings[name]; ok && covers && p.Chosen != own && c.Status != "normative" {
			r.Verdict, r.Detail = Reading, name+" "+own
			return true
		}
	}
	return false
}

func sorted[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// settle gives the verdict on what the program has said.
func (j *judge) settle(r *Result) {
	*r = Result{Case: r.Case, Verdict: NotRun, Said: r.Said}
	for i := range r.Said {
		said := &r.Said[i]
		switch {
		case said.Fault != nil && i == 0:
			r.Verdict, r.Detail, r.Stderr = said.Fault.Verdict, said.Fault.Detail, said.Fault.Stderr
		case said.Fault != nil:
			r.Verdict, r.Detail, r.Stderr = said.Fault.Verdict, "asked again: "+said.Fault.Detail, said.Fault.Stderr
		case i == 0:
			j.judge(r, said.Answer)
		case !again(r.Case, r.Said[0].Answer, said.Answer):
			r.Verdict, r.Detail = Leak, "asked again at the end, it answers otherwise"
		}
		if said.Stray != "" && !r.Verdict.Bad() {
			r.Verdict, r.Detail = Talks, said.Stray
		}
		if said.Fault != nil {
			return
		}
	}
}

// claims reports whether hello names what a reply says that it lacks: a feature, or
// a question with that word before it.
func (j *judge) claims(lack string) bool {
	q, isQuestion := strings.CutPrefix(lack, "question ")
	return slices.Contains(j.about.Features, lack) || isQuestion && slices.Contains(j.about.Questions, q)
}

// Judge compares a reply to a case with what is expected.
func Judge(c *Case, reply *protocol.Reply) *Result {
	r := &Result{Case: c, Verdict: NotRun}
	new(judge).judge(r, reply)
	return r
}

// judge compares a reply with what is expected.
func (j *judge) judge(r *Result, reply *protocol.Reply) {
	c := r.Case
	switch reply.Outcome {
	case protocol.Unsupported:
		r.Verdict, r.Detail, r.Reason, r.Issue = Unsupported, reply.Feature, reply.Reason, reply.Issue
		switch {
		case reply.Feature == "":
			r.Verdict, r.Detail = Garbage, "unsupported, and no feature is named"
		case j.claims(reply.Feature):
			r.Verdict, r.Detail = Lie, fmt.Sprintf("it said that it has %s", reply.Feature)
		}
		return
	case protocol.Skipped:
		r.Verdict, r.Detail, r.Issue = Skipped, reply.Reason, reply.Issue
		if reply.Reason == "" {
			r.Verdict, r.Detail = Garbage, "skipped, and no reason is given"
		}
		return
	case protocol.Failed:
		r.Verdict, r.Detail = Errored, reply.Code
		if reply.Message != "" {
			r.Detail += ": " + reply.Message
		}
		for i := range c.Script {
			if c.Script[i].Step == reply.Step {
				r.Step = &c.Script[i]
			}
		}
		return
	}
	list, problem := answers(c, reply)
	if problem != "" {
		r.Verdict, r.Detail = Garbage, problem
		return
	}
	given := map[int]json.RawMessage{}
	for _, a := range list {
		if _, twice := given[a.Step]; twice {
			r.Verdict, r.Detail = Extra, fmt.Sprintf("step %d is answered twice", a.Step)
			return
		}
		given[a.Step] = a.Answer
	}
	r.Verdict = Pass
	for i := range c.Script {
		st := &c.Script[i]
		if st.Ask == nil {
			continue
		}
		got, ok := given[st.Step]
		delete(given, st.Step)
		if r.Verdict != Pass {
			continue // the first is what counts
		}
		switch {
		case !ok || len(got) == 0:
			r.Verdict, r.Step, r.Detail = Missing, st, fmt.Sprintf("step %d has no answer", st.Step)
		case !Equal(st.Question(), st.Expect, got):
			r.Verdict, r.Step, r.Given = Fail, st, got
		}
	}
	if r.Verdict == Pass && len(given) > 0 {
		for _, a := range list {
			if _, ok := given[a.Step]; ok {
				r.Verdict, r.Detail = Extra, fmt.Sprintf("step %d asks nothing", a.Step)
				return
			}
		}
	}
}

// answers are those of a reply to a case that came to its end, or what is wrong
// with it. That files load or not answers the one question of such a case.
func answers(c *Case, reply *protocol.Reply) ([]protocol.Answer, string) {
	switch o := reply.Outcome; {
	case o == protocol.Done && !c.Loads():
		return reply.Answers, ""
	case o == protocol.Refused && c.Loads() && (reply.Stage == "" || reply.Code == ""):
		return nil, "refused, and the stage or the code is missing"
	case (o == protocol.Loaded || o == protocol.Refused) && c.Loads():
		given, err := json.Marshal(load.Result{Load: o, Stage: reply.Stage, Code: reply.Code})
		if err != nil {
			return nil, err.Error()
		}
		return []protocol.Answer{{Step: 1, Answer: given}}, ""
	case c.Loads():
		return nil, fmt.Sprintf("there is no outcome %q of load", o)
	default:
		return nil, fmt.Sprintf("there is no outcome %q", o)
	}
}

// answered reports whether a program has answered a case, well or not.
func answered(r *Result) bool {
	if len(r.Said) == 0 || r.Said[0].Answer == nil {
		return false
	}
	_, problem := answers(r.Case, r.Said[0].Answer)
	return problem == ""
}

// again reports whether a reply answers a case as it was answered before.
func again(c *Case, before, now *protocol.Reply) bool {
	a, _ := answers(c, before)
	b, problem := answers(c, now)
	return problem == "" && alike(a, b)
}

func alike(a, b []protocol.Answer) bool {
	return slices.EqualFunc(a, b, func(x, y protocol.Answer) bool {
		return x.Step == y.Step && bytes.Equal(compact(x.Answer), compact(y.Answer))
	})
}

func compact(data json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return data
	}
	return b.Bytes()
}
