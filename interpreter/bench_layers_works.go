package interpreter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/internal/eval"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// LayersBench is a work ready to run: its rules are loaded, nothing is begun.
type LayersBench struct {
	Rules string // the rule text that the work became

	w     *Work
	p     *program.Program
	en    *run.Engine
	k     *program.Case
	defs  map[int]int // effect id to effect of the program
	chars map[string]*program.Char
	steps []workStep
}

type workStep struct {
	kind   string
	object int32
	n      int64
	bit    int64
	id     int
	effect *WorkEffect
}

// NewLayersBench loads a work through the ordinary loader.
func NewLayersBench(ctx context.Context, w *Work, static bool) (*LayersBench, error) {
	text, err := WorkRules(w, static)
	if err != nil {
		return nil, err
	}
	fsys := memory{"work.momon": text}
	prog, diags, err := Load(ctx, []Source{{Name: "work", FS: fsys}}, Options{})
	if err != nil {
		var b strings.Builder
		diag.Text(&b, diags, "en", false)
		return nil, fmt.Errorf("%w\n%s", err, b.String())
	}
	b := &LayersBench{Rules: text, w: w, p: prog.p, en: prog.en, k: prog.p.Cases[0], defs: map[int]int{}, chars: map[string]*program.Char{}}
	for _, ch := range b.p.Chars {
		if ch.Entity == program.Card && ch.Fact == program.FactNone && !ch.Memory {
			b.chars[ch.Name] = ch
		}
	}
	// The effects stand in the script in the order in which they were written.
	var ids []int
	for i := range w.Effects {
		ids = append(ids, w.Effects[i].ID)
	}
	for i := range w.Changes {
		c := &w.Changes[i]
		s := workStep{kind: c.Kind, object: int32(c.Object), n: int64(c.N), id: c.ID, effect: c.Effect}
		if c.Object < 0 || c.Object >= len(w.Objects) {
			return nil, fmt.Errorf("change %d: no object %d", i, c.Object)
		}
		switch c.Kind {
		case "power", "control", "remove":
		case "trait":
			n, err := strconv.Atoi(strings.TrimPrefix(c.Trait, "t"))
			if err != nil {
				return nil, fmt.Errorf("change %d: %q is no trait", i, c.Trait)
			}
			s.bit = 1 << n
		case "add":
			if c.Effect == nil {
				return nil, fmt.Errorf("change %d: no effect to add", i)
			}
			ids = append(ids, c.Effect.ID)
			s.id = c.Effect.ID
		default:
			return nil, fmt.Errorf("change %d: unknown kind %q", i, c.Kind)
		}
		b.steps = append(b.steps, s)
	}
	for _, st := range b.k.Script {
		if st.Kind != program.StepDo {
			continue
		}
		for _, in := range b.p.Routines[st.Routine].Code {
			if in.Op == program.CodeEffect {
				b.defs[ids[0]] = in.A
				ids = ids[1:]
			}
		}
	}
	if len(ids) > 0 {
		return nil, fmt.Errorf("%d effects of the work are missing from its rules", len(ids))
	}
	return b, nil
}

// LayersRun is a work under way.
type LayersRun struct {
	b     *LayersBench
	m     *run.Match
	first int32 // object number of the work's first object
	frame []state.Val
	live  map[int]int32 // effect id to effect of the state
	full  bool
}

// Start sets the work's objects and effects up. With full every recompute is
// made from nothing.
func (b *LayersBench) Start(full bool) *LayersRun {
	r := &LayersRun{b: b, m: b.en.NewMatch(1), live: make(map[int]int32, len(b.defs)), full: full}
	r.frame = make([]state.Val, b.k.Locals)
	for i, g := range b.k.Givens {
		who := int32(b.w.Objects[i].Controller&1) + 1
		o := r.m.NewCard(g.Card, who, who, g.Zone, state.None)
		if i == 0 {
			r.first = o
		}
		r.frame[g.Local].N = int64(o)
	}
	for i := range b.w.Effects {
		r.begin(&b.w.Effects[i])
	}
	r.board()
	if len(b.w.Objects) > 0 { // a change that is none: from here on the layers follow changes
		ch := b.chars["power"]
		r.m.SetBase(r.first, ch, b.en.C.BaseRow(r.m.S, int64(r.first))[ch.Slot])
		r.board()
	}
	return r
}

// board works the board out. A work is far below every limit, so an error is a
// slip in the engine.
func (r *LayersRun) board() *eval.Board {
	b, err := r.m.Refresh()
	if err != nil {
		panic(err)
	}
	return b
}

func (r *LayersRun) begin(e *WorkEffect) {
	r.live[e.ID] = r.m.Begin(r.b.defs[e.ID], r.first+int32(e.Source), r.frame)
}

// Step makes one change and works the board out.
func (r *LayersRun) Step(i int) *eval.Board {
	s := &r.b.steps[i]
	o := r.first + s.object
	switch s.kind {
	case "power":
		r.m.SetBase(o, r.b.chars["power"], s.n)
	case "trait":
		ch := r.b.chars["trait"]
		r.m.SetBase(o, ch, r.b.en.C.BaseRow(r.m.S, int64(o))[ch.Slot]^s.bit)
	case "control":
		r.m.SetController(o, 3-r.m.S.Objects[o].Controller)
	case "add":
		r.begin(s.effect)
	case "remove":
		if at, ok := r.live[s.id]; ok {
			r.m.End(at)
			delete(r.live, s.id)
		}
	}
	if r.full {
		r.m.Layers().Forget()
	}
	return r.board()
}

// Board words the board in the symbols of the work.
func (r *LayersRun) Board() []WorkBoard {
	board := r.board()
	p := r.b.p
	out := make([]WorkBoard, len(r.b.w.Objects))
	row := func(i int, name string) int64 {
		return board.Vals[int(board.Off[r.first+int32(i)])+r.b.chars[name].Slot]
	}
	syms := func(letter string, mask int64) []string {
		list := []string{}
		for m := uint64(mask); m != 0; m &= m - 1 {
			list = append(list, letter+strconv.Itoa(bits.TrailingZeros64(m)))
		}
		return list
	}
	for i := range out {
		out[i] = WorkBoard{
			Name: fmt.Sprint("n", row(i, "title")), Controller: int(r.m.S.Objects[r.first+int32(i)].Controller - 1),
			Traits: syms("t", row(i, "trait")), Element: fmt.Sprint("e", row(i, "element")), Power: int(row(i, "power")),
			Sight: syms("s", row(i, "sight")), Mark: syms("s", row(i, "mark")), Abilities: syms("a", row(i, "gift")), Token: int(row(i, "worth")),
			Rules: map[string][]string{},
		}
	}
	masks := map[string][]int64{"permit": nil, "prohibit": nil, "require": nil, "replace": nil}
	for k := range masks {
		masks[k] = make([]int64, len(out))
	}
	for a, act := range p.Actions {
		n, ok := strings.CutPrefix(act.Name, "touch")
		if !ok {
			continue
		}
		bit, _ := strconv.Atoi(n)
		for _, rule := range r.m.RulesFor(a) {
			verb := p.Effects[r.m.S.Effects[rule.Effect].Def].Ops[rule.Op].Verb.String()
			if verb == "instead" {
				verb = "replace"
			}
			for _, t := range r.m.Layers().Targets(rule.Effect) {
				masks[verb][int32(t)-r.first] |= 1 << bit
			}
		}
	}
	for i := range out {
		for k, m := range masks {
			out[i].Rules[k] = syms("r", m[i])
		}
	}
	return out
}

// LayersResult is one mode's figures.
type LayersResult struct {
	Mode     string  `json:"mode"`
	Median   float64 `json:"ns_per_recompute"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Runs     int     `json:"runs"`
	Allocs   float64 `json:"allocs_per_recompute"`
	Checksum string  `json:"checksum"`
	Replayed int     `json:"layers_replayed,omitempty"`
	Rerun    int     `json:"layers_rerun,omitempty"`
	Full     int     `json:"recomputes_in_full,omitempty"`
}

// LayersReport is what momon bench layers prints.
type LayersReport struct {
	Objects int            `json:"objects"`
	Effects int            `json:"effects"`
	Changes int            `json:"changes"`
	Seed    uint64         `json:"seed"`
	Order   string         `json:"order"`
	Results []LayersResult `json:"results"`
}

// Measure runs through the work's changes again and again, in each mode: "full"
// works every board out from nothing, "incremental" only what a change reaches.
// It returns the last board too.
func (b *LayersBench) Measure(modes []string, runs int, least time.Duration) (LayersReport, []WorkBoard, error) {
	rep := LayersReport{Objects: len(b.w.Objects), Effects: len(b.w.Effects), Changes: len(b.steps), Seed: b.w.Seed, Order: "stepwise"}
	if b.p.Options.JudgedOnce {
		rep.Order = "static"
	}
	var board []WorkBoard
	for _, mode := range modes {
		if mode != "full" && mode != "incremental" {
			return rep, nil, fmt.Errorf("unknown mode %q: full or incremental", mode)
		}
		full := mode == "full"
		res := LayersResult{Mode: mode}
		r := b.Start(full)
		sum := fnv.New64a()
		begin := time.Now()
		for i := range b.steps {
			bd := r.Step(i)
			for _, v := range bd.Vals {
				var buf [8]byte
				for k := range buf {
					buf[k] = byte(v >> (8 * k))
				}
				sum.Write(buf[:])
			}
		}
		res.Checksum = fmt.Sprintf("%016x", sum.Sum64())
		c := r.m.Layers().Counters
		res.Replayed, res.Rerun, res.Full = c.Replayed, c.Rerun, c.Full
		board = r.Board()
		if len(b.steps) == 0 {
			rep.Results = append(rep.Results, res)
			continue
		}
		n := runs
		if time.Since(begin) > least*10 {
			n = 1
		}
		var times []float64
		var mem1, mem2 runtime.MemStats
		for spent := time.Duration(0); len(times) < n || spent < least; {
			r := b.Start(full)
			runtime.ReadMemStats(&mem1)
			start := time.Now()
			for i := range b.steps {
				r.Step(i)
			}
			took := time.Since(start)
			runtime.ReadMemStats(&mem2)
			res.Allocs = float64(mem2.Mallocs-mem1.Mallocs) / float64(len(b.steps))
			spent += took
			times = append(times, float64(took.Nanoseconds())/float64(len(b.steps)))
		}
		slices.Sort(times)
		res.Median, res.Min, res.Max, res.Runs = times[len(times)/2], times[0], times[len(times)-1], len(times)
		rep.Results = append(rep.Results, res)
	}
	return rep, board, nil
}

// BoardJSON writes a board as the yardstick does.
func BoardJSON(board []WorkBoard) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", " ")
	enc.Encode(board)
	return b.Bytes()
}
