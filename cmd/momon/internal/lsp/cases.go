package lsp

import (
	"context"
	"fmt"
	"path"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/interpreter"
)

// runs are the results of cases, and the goroutine that plays them.
type runs struct {
	mu   sync.Mutex
	by   map[caseID]*ran
	busy sync.WaitGroup
	turn sync.Mutex // one set of cases is played at a time
	seen map[*unit]bool
	ctx  context.Context
	end  context.CancelFunc
}

type caseID struct {
	unit *unit
	id   string
}

// ran is what came of a case, and what that hung on.
type ran struct {
	inputs   string
	failures []interpreter.Failure
	trouble  string // it could not be played
}

func (r *runs) init() {
	r.by, r.seen = map[caseID]*ran{}, map[*unit]bool{}
	r.ctx, r.end = context.WithCancel(context.Background())
}

func (r *runs) stop() {
	r.end()
	r.busy.Wait()
}

// background is the context of what no request waits for.
func (s *server) background() context.Context { return s.runs.ctx }

// first plays the cases of a unit when it is without errors for the first time.
func (s *server) first(u *unit, r *result) {
	s.runs.mu.Lock()
	seen := s.runs.seen[u]
	if r.Program != nil {
		s.runs.seen[u] = true
	}
	s.runs.mu.Unlock()
	if r.Program != nil && !seen {
		s.rerun(u)
	}
}

// rerun plays the user's cases of a unit whose result may have changed, in the
// background.
func (s *server) rerun(u *unit) {
	s.runs.mu.Lock()
	defer s.runs.mu.Unlock()
	if s.runs.ctx.Err() != nil {
		return
	}
	s.runs.busy.Add(1)
	go func() {
		defer s.runs.busy.Done()
		s.runs.turn.Lock()
		defer s.runs.turn.Unlock()
		defer func() {
			if p := recover(); p != nil {
				s.log("%v\n%s", p, debug.Stack())
			}
		}()
		r := s.analyse(u)
		if r.Program == nil { // something was typed meanwhile: the next time that all is well will do
			s.runs.mu.Lock()
			delete(s.runs.seen, u)
			s.runs.mu.Unlock()
		} else {
			s.play(s.runs.ctx, u, r, func(c interpreter.Case) bool { return !s.runs.current(u, r, c.ID) })
		}
	}()
}

// current reports whether what is known of a case still holds.
func (r *runs) current(u *unit, res *result, id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.by[caseID{u, id}]
	return k != nil && k.inputs != "" && k.inputs == res.inputs(id)
}

// play runs the user's cases that are wanted, and tells the client of the results.
// It returns how many were run, and the ones that failed.
func (s *server) play(ctx context.Context, u *unit, r *result, want func(interpreter.Case) bool) (int, []string, error) {
	lang := s.language()
	own := map[string]bool{}
	for _, n := range r.own {
		own[n] = true
	}
	n, failed := 0, []string{}
	for _, c := range r.Program.Cases(lang) {
		if !own[c.Place.File] || !want(c) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return n, failed, err
		}
		out := &ran{inputs: r.inputs(c.ID)}
		res, err := r.Program.RunCase(ctx, c)
		if err != nil {
			if ctx.Err() != nil {
				return n, failed, ctx.Err()
			}
			out.trouble = err.Error()
		} else {
			out.failures = res.Failures
		}
		n++
		if out.trouble != "" || len(out.failures) > 0 {
			failed = append(failed, c.ID)
		}
		s.runs.mu.Lock()
		s.runs.by[caseID{u, c.ID}] = out
		s.runs.mu.Unlock()
	}
	if n > 0 {
		var base *result
		if u.base != nil {
			base = s.analyse(u.base)
		}
		s.publish(u, r, base)
		if s.client.Capabilities.Workspace.CodeLens.RefreshSupport {
			s.ask("workspace/codeLens/refresh", nil, nil)
		}
	}
	return n, failed, nil
}

// diagnostics of the cases of a file that failed, as far as they still hold.
func (r *runs) diagnostics(s *server, u *unit, res *result, f *interpreter.RuleFile, lang string) []diagnostic {
	var out []diagnostic
	l := s.lines(f.Source())
	for _, d := range f.Tree().Decls {
		if d.Case == nil {
			continue
		}
		r.mu.Lock()
		k := r.by[caseID{u, d.Case.ID.Value}]
		r.mu.Unlock()
		if k == nil || k.trouble == "" && len(k.failures) == 0 || !r.current(u, res, d.Case.ID.Value) {
			continue
		}
		if k.trouble != "" {
			out = append(out, diagnostic{Range: l.span(d.Case.ID.Start, d.Case.ID.End), Severity: 1, Code: "case", Source: "momon test", Message: k.trouble})
		}
		for _, fail := range k.failures {
			start, end := d.Case.ID.Start, d.Case.ID.End
			if at := f.Source(); fail.Place.File == at.Name && fail.Place.Line >= 1 && fail.Place.Line <= at.Lines() {
				text := at.LineText(fail.Place.Line)
				trimmed := strings.TrimLeft(text, " \t")
				start = at.LineStart(fail.Place.Line) + len(text) - len(trimmed)
				end = start + len(strings.TrimRight(trimmed, " \t"))
			}
			out = append(out, diagnostic{Range: l.span(start, end), Severity: 1, Code: "case-" + fail.Code, Source: "momon test", Message: s.failure(lang, fail)})
		}
	}
	return out
}

// failure words what came out otherwise than a case says.
func (s *server) failure(lang string, f interpreter.Failure) string {
	text := s.opts.Say(lang, "fail-"+f.Code)
	if f.Want != "" {
		text += "\n" + s.opts.Say(lang, "want", f.Want)
	}
	if f.Got != "" {
		text += "\n" + s.opts.Say(lang, "got", f.Got)
	}
	for _, r := range f.Rules {
		text += "\n" + s.opts.Say(lang, "rule", r)
	}
	return text
}

// inputs identifies what the outcome of a case can hang on, or is "" while that
// can't be told.
func (r *result) inputs(id string) string {
	if r.Program == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID, r.hangs = map[string]interpreter.Case{}, map[string]string{}
		for _, c := range r.Program.Cases("") {
			r.byID[c.ID] = c
		}
	}
	s, ok := r.hangs[id]
	if !ok {
		s = r.Program.Inputs(r.byID[id])
		r.hangs[id] = s
	}
	return s
}

const (
	runCase  = "momon.runCase"
	runCases = "momon.runCases"
)

// codeLens shows a button and the last result over each case.
func (s *server) codeLens(ctx context.Context, p *documentParams) (any, error) {
	u, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []codeLens{}, ctx.Err()
	}
	lang := s.language()
	out := []codeLens{}
	l := s.linesOf(f)
	n := 0
	for _, d := range f.Tree().Decls {
		if d.Case == nil {
			continue
		}
		n++
		at := l.span(d.At.Start, d.At.End)
		id := d.Case.ID.Value
		out = append(out, codeLens{at, &command{words("run", lang), runCase, []any{p.TextDocument.URI, id}}})
		s.runs.mu.Lock()
		k := s.runs.by[caseID{u, id}]
		s.runs.mu.Unlock()
		if k == nil {
			continue
		}
		title := words("passed", lang)
		switch {
		case !s.runs.current(u, r, id):
			title = words("changed", lang)
		case k.trouble != "":
			title = words("failed", lang) + ": " + k.trouble
		case len(k.failures) > 0:
			title = words("failed", lang) + ": " + strings.ReplaceAll(s.failure(lang, k.failures[0]), "\n", "; ")
		}
		out = append(out, codeLens{at, &command{Title: cut(title, 100), Command: runCase, Arguments: []any{p.TextDocument.URI, id}}})
	}
	if n > 1 && len(f.Tree().Decls) > 0 {
		at := l.span(0, 0)
		out = append([]codeLens{{at, &command{fmt.Sprintf(words("run-all", lang), n), runCases, []any{p.TextDocument.URI}}}}, out...)
	}
	return out, nil
}

func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// execute carries out what a client was offered.
func (s *server) execute(ctx context.Context, p *struct {
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}) (any, error) {
	if p.Command != runCase && p.Command != runCases {
		return nil, fmt.Errorf("there is no command %q", p.Command)
	}
	want := 1
	if p.Command == runCase {
		want = 2
	}
	if len(p.Arguments) != want {
		return nil, fmt.Errorf("%s takes %d arguments", p.Command, want)
	}
	u, r, f, err := s.fresh(ctx, p.Arguments[0])
	if err != nil {
		return nil, err
	}
	lang := s.language()
	if r.Program == nil {
		return nil, fmt.Errorf("%s", words("errors", lang))
	}
	s.runs.turn.Lock()
	defer s.runs.turn.Unlock()
	name := f.Source().Name
	n, failed, err := s.play(ctx, u, r, func(c interpreter.Case) bool {
		return c.Place.File == name && (p.Command == runCases || c.ID == grammar.Fold(p.Arguments[1]) || c.ID == p.Arguments[1])
	})
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf(words("no-case", lang), p.Arguments[len(p.Arguments)-1], path.Base(name))
	}
	kind, text := 3, fmt.Sprintf(words("all-passed", lang), n)
	if len(failed) > 0 {
		kind, text = 1, fmt.Sprintf(words("some-failed", lang), len(failed), n, cut(strings.Join(failed, ", "), 200))
	}
	s.notify("window/showMessage", map[string]any{"type": kind, "message": text})
	return map[string]any{"run": n, "failed": failed}, nil
}

// words are the few that the server itself has to say.
func words(key, lang string) string {
	pair := map[string][2]string{
		"run":         {"▶ run", "▶ ทดสอบ"},
		"run-all":     {"▶ run all %d cases", "▶ ทดสอบทั้ง %d กรณี"},
		"passed":      {"✓ passed", "✓ ผ่าน"},
		"failed":      {"✗ failed", "✗ ไม่ผ่าน"},
		"changed":     {"· not run since the last change", "· ยังไม่ได้ทดสอบหลังการแก้ไขล่าสุด"},
		"errors":      {"the rules have errors, so no case can be run", "กติกามีข้อผิดพลาด จึงทดสอบไม่ได้"},
		"no-case":     {"there is no case %q in %s", "ไม่มีกรณี %q ใน %s"},
		"all-passed":  {"%d cases passed", "ผ่าน %d กรณี"},
		"some-failed": {"%d of %d cases failed: %s", "ไม่ผ่าน %d จาก %d กรณี: %s"},
		"fix":         {"Mend: %s", "แก้: %s"},
		"guess":       {"Change to %s", "เปลี่ยนเป็น %s"},
		"away":        {"Take away %s", "ลบ %s"},
		"put":         {"Put in %s", "เพิ่ม %s"},
		"accept":      {"Accept %s, with a reason", "ยอมรับ %s พร้อมเหตุผล"},
		"reason":      {"say why", "บอกเหตุผล"},
		"fix-all":     {"Mend all that can be mended safely", "แก้ทุกจุดที่แก้ได้อย่างปลอดภัย"},
		"type":        {"type", "ชนิด"},
		"floor":       {"floor", "ขั้นต่ำ"},
		"ceiling":     {"ceiling", "ขั้นสูง"},
		"value":       {"value", "ค่า"},
		"layers":      {"changed in the layers", "เปลี่ยนได้ใน Layer"},
		"printed":     {"printed on cards", "พิมพ์บนการ์ด"},
		"cases":       {"cases", "กรณีทดสอบ"},
		"confirm":     {"confirmed by", "ยืนยันโดย"},
		"refute":      {"its limits shown by", "ขอบเขตแสดงโดย"},
		"declared":    {"declared in", "ประกาศใน"},
		"built-in":    {"built into the program", "อยู่ในโปรแกรม"},
		"of":          {"of", "ของ"},
		"rename-own":  {"%q is declared outside of the open folders (%s), so it can't be renamed here", "%q ประกาศนอกโฟลเดอร์ที่เปิดอยู่ (%s) จึงเปลี่ยนชื่อที่นี่ไม่ได้"},
		"rename-none": {"there is no name here that can be changed", "ตรงนี้ไม่มีชื่อที่เปลี่ยนได้"},
		"rename-name": {"%q can't be a name of this sort", "%q ใช้เป็นชื่อประเภทนี้ไม่ได้"},
		"rename-bad":  {"%s: with the new name, %s", "%s: เมื่อใช้ชื่อใหม่ %s"},
		"rename-else": {"with the new name, %s would mean something else", "เมื่อใช้ชื่อใหม่ %s จะหมายถึงสิ่งอื่น"},
		"rename-many": {"several decisions are called %q, and the cases that answer one of them don't say which", "มีการตัดสินใจหลายอย่างชื่อ %q และกรณีที่ตอบไม่ได้บอกว่าหมายถึงอันใด"},
		"rename-same": {"that is its name already", "ชื่อนี้เหมือนชื่อเดิม"},
		"rename-err":  {"the rules have errors; mend them first, so that every place that says %q is known", "กติกามีข้อผิดพลาด โปรดแก้ก่อน เพื่อให้รู้ทุกแห่งที่ใช้ %q"},
	}[key]
	if lang == "th" {
		return pair[1]
	}
	return pair[0]
}
