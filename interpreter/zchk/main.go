package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/cases"
	"github.com/momon-rules/momon/interpreter/internal/check"
	"github.com/momon-rules/momon/interpreter/internal/run"
)

func main() {
	var d diag.List
	var mods []check.Module
	for _, dir := range os.Args[1:] {
		m := check.Module{Name: dir}
		fs, _ := filepath.Glob(dir + "/*.momon")
		for _, f := range fs {
			b, _ := os.ReadFile(f)
			m.Files = append(m.Files, grammar.Parse(source.NewFile(f, string(b)), &d))
		}
		mods = append(mods, m)
	}
	p := check.Check(mods, check.Options{Stub: os.Getenv("STUB") != ""}, &d)
	diag.Text(os.Stdout, d.Sorted(), "en", false)
	fmt.Println(len(p.Effects), "effects", len(p.Triggers), "triggers", len(p.Cards), "cards", len(p.Cases), "cases", d.Errors(), "errors")
	if d.Errors() > 0 {
		return
	}
	if len(p.Cases) > 0 {
		en := run.New(p)
		t := time.Now()
		bad := 0
		for _, k := range p.Cases {
			r := cases.Run(en, k)
			if len(r.Failures) > 0 {
				bad++
				for _, f := range r.Failures {
					fmt.Printf("%s: %s %s:%d %s | want %q got %q | %s\n", k.ID, f.Code, f.Span.File.Name, f.Span.File.Line(f.Span.Start), "", f.Want, f.Got, strings.TrimSpace(f.Span.File.LineText(f.Span.File.Line(f.Span.Start))))
				}
			}
		}
		fmt.Println(len(p.Cases), "cases", bad, "failed", time.Since(t))
		return
	}
	en := run.New(p)
	decisions := 0
	start := time.Now()
	n := 200
	for seed := range uint64(n) {
		m := en.NewMatch(seed)
		if seed == 0 {
			m.Notes = func(n run.Note) {
				if n.Act != nil {
					fmt.Println(n.Depth, n.Kind, p.Actions[n.Act.Action].Name, n.Act.Roles, n.Verb)
				} else if n.Decision != nil {
					fmt.Println("   ", n.Kind, n.Decision.Name, n.Decision.Player, n.Decision.Options, n.Picks)
				}
			}
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for i := range 2 {
			for _, c := range p.Decks[i].Cards {
				for z, zone := range p.Zones {
					if zone.Name == "Deck" {
						m.NewCard(c, int32(i+1), int32(i+1), z, -1)
					}
				}
			}
		}
		err := m.Start()
		for err == nil && m.S.Pending != nil {
			decisions++
			dd := m.S.Pending
			k := int(dd.Min)
			perm := r.Perm(len(dd.Options))
			err = m.Choose(perm[:k]...)
		}
		if err != nil || !m.S.Over {
			fmt.Println(seed, "error", err, m.S.Over)
		}
		if seed < 3 {
			fmt.Println(seed, m.S.Winners, len(m.S.Objects), len(m.S.Effects), len(m.S.Live), len(m.S.Acts))
		}
	}
	el := time.Since(start)
	fmt.Println(float64(n)/el.Seconds(), "games/s", float64(decisions)/el.Seconds(), "decisions/s")
}
