package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// gamesReplayed is how many games are played and played again.
const gamesReplayed = 20

// RoundTrips lays files out anew, exports cases and tells them again, and plays games
// again: each must come back as it was.
func (s *Set) RoundTrips(ctx context.Context, o Options) (*CheckReport, error) {
	rep := &CheckReport{}
	steps := []func(context.Context) ([]Check, error){s.laidOut, s.exported, s.replayed}
	tick := o.ticker(len(steps))
	for _, step := range steps {
		list, err := step(ctx)
		if err != nil {
			return nil, err
		}
		rep.Checks = append(rep.Checks, list...)
		tick()
	}
	return rep, nil
}

// laidOut takes the layout of every file away and lays it out again: once is enough,
// and the cases, read from that, are the same as data and pass.
func (s *Set) laidOut(ctx context.Context) ([]Check, error) {
	again, meaning := newCheck("fmt-again"), newCheck("fmt-meaning")
	var sources []interpreter.Source
	for i, list := range s.files {
		files := fstest.MapFS{}
		for _, f := range list {
			again.Made++
			once, _, err := format.File(source.NewFile(f.name, flat(f.text)), format.Options{})
			if err != nil {
				again.wrong(f.name, err.Error())
				once = f.text
			} else if twice, _, err := format.File(source.NewFile(f.name, once), format.Options{}); err != nil || twice != once {
				again.wrong(f.name, fmt.Sprintf("laid out again it is another: %v", err))
			}
			files[strings.TrimPrefix(f.name, s.sources[i].Name+"/")] = &fstest.MapFile{Data: []byte(once)}
		}
		sources = append(sources, interpreter.Source{Name: s.sources[i].Name, FS: files})
	}
	p, diags, err := interpreter.Load(ctx, sources, interpreter.Options{Edition: s.edition})
	if err != nil {
		meaning.Made++
		detail := err.Error()
		if len(diags) > 0 {
			detail = diags[0].Span.File.Name + ": " + diag.Message(diags[0], "en")
		}
		meaning.wrong("rules", detail)
		return []Check{again, meaning}, nil
	}
	want, err := export.Cases(s.program, interpreter.Twin{})
	if err != nil {
		return nil, err
	}
	got, err := export.Cases(p, interpreter.Twin{})
	if err != nil {
		return nil, err
	}
	same(&meaning, want.Cases, got.Cases)
	for _, c := range p.Cases("en") {
		meaning.Made++
		if r, err := p.RunCase(ctx, c); err != nil {
			return nil, err
		} else if !r.Passed() {
			meaning.wrong(c.ID, r.Failures[0].Code+": "+r.Failures[0].Line)
		}
	}
	return []Check{again, meaning}, nil
}

// flat is a text without the spaces at the start and end of its lines, but for one
// where a line is set in: a head word at the very start begins a declaration.
func flat(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
		if l != "" && (l[0] == ' ' || l[0] == '\t') && lines[i] != "" {
			lines[i] = " " + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// same holds exported cases against each other.
func same(c *Check, want, got []export.Case) {
	byID := map[string]json.RawMessage{}
	for _, k := range got {
		byID[k.ID] = k.Data
	}
	for _, k := range want {
		c.Made++
		if data, ok := byID[k.ID]; !ok {
			c.wrong(k.ID, "it is gone")
		} else if !bytes.Equal(data, k.Data) {
			c.wrong(k.ID, "it is another case")
		}
	}
}

// exported tells every exported case in the rule language again and plays it.
func (s *Set) exported(ctx context.Context) ([]Check, error) {
	c := newCheck("export")
	told, err := export.Cases(s.program, interpreter.Twin{})
	if err != nil {
		return nil, err
	}
	for _, l := range told.Lacks {
		c.wrong(l.ID, l.Error())
	}
	stage, _, err := interpreter.NewStage(s.sources, interpreter.Options{Edition: s.edition})
	if err != nil {
		return nil, err
	}
	if err := playTold(ctx, stage, told.Cases, &c); err != nil {
		return nil, err
	}
	return []Check{c}, nil
}

// replayed plays games, saves them, and plays their decisions again: the state must
// have the same hash, and the log must tell the same.
func (s *Set) replayed(ctx context.Context) ([]Check, error) {
	c := newCheck("replay")
	for seed := range uint64(gamesReplayed) {
		what := fmt.Sprintf("seed %d", seed)
		m, err := s.program.NewMatch(ctx, interpreter.MatchOptions{Seed: seed})
		if err != nil {
			return nil, err
		}
		c.Made++
		if err := byChance(ctx, m, seed, &strings.Builder{}); err != nil {
			c.wrong(what, err.Error())
			continue
		}
		data, err := m.Save()
		if err != nil {
			return nil, err
		}
		again, err := s.program.LoadMatch(ctx, data, interpreter.LoadOptions{Replay: true})
		switch {
		case err != nil:
			c.wrong(what, err.Error())
		case again.Hash() != m.Hash():
			c.wrong(what, "played again it ends in another state")
		case logged(again) != logged(m):
			c.wrong(what, "played again its log tells otherwise")
		}
	}
	return []Check{c}, nil
}
