package interpreter_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

// TestNearMisses: what is only nearly what a code speaks of is not reported. Each
// code that looks beyond the reading of a file has its near misses in a file,
// three or more, and none of them gives a warning at all.
func TestNearMisses(t *testing.T) {
	emits := regexp.MustCompile(`\.(?:warn|note|Warn|Note)\("([a-z][a-z-]*[a-z])"`)
	codes := map[string]bool{}
	files, _ := filepath.Glob("internal/lint/*.go")
	for _, name := range append(files, "load.go") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range emits.FindAllStringSubmatch(string(data), -1) {
			codes[m[1]] = true
		}
	}
	if len(codes) < 20 {
		t.Errorf("only %d codes", len(codes))
	}
	for code := range codes {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			if s, ok := diag.SeverityOf(code); !ok || s == diag.Error {
				t.Error("no warning or note")
			}
			data, err := os.ReadFile(filepath.Join("testdata", "near", code+".momon"))
			if err != nil {
				t.Fatal(err)
			}
			mine := fstest.MapFS{}
			for i, chunk := range strings.Split("\n"+string(data), "\n--- ")[1:] {
				_, text, _ := strings.Cut(chunk, "\n")
				mine[fmt.Sprintf("%02d.momon", i+1)] = &fstest.MapFile{Data: []byte(text)}
			}
			if len(mine) < 3 {
				t.Errorf("%d near misses", len(mine))
			}
			_, ds, err := interpreter.Load(context.Background(), []interpreter.Source{
				{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "mine", FS: mine},
			}, interpreter.Options{Warnings: true})
			if err != nil {
				t.Error(err)
			}
			for _, d := range ds {
				if d.Accepted == nil && (d.Code == code || d.Severity != diag.Note) {
					t.Error(render([]*diag.Diagnostic{d}, "en"))
				}
			}
		})
	}
}

// TestNoFalseAlarm: the rules, the cards, the gallery and the modules that change
// rules get no warning, and no note but those that tell of what is meant.
func TestNoFalseAlarm(t *testing.T) {
	base := []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}, {Name: "cases", FS: conformance.Cases}}
	over := map[string][]interpreter.Source{"": nil}
	dirs, _ := filepath.Glob("../rules/also/*")
	for _, dir := range append(dirs, "../rules/gallery") {
		over[filepath.Base(dir)] = []interpreter.Source{{Name: filepath.Base(dir), FS: os.DirFS(dir)}}
	}
	if len(over) < 7 {
		t.Errorf("only %d modules", len(over))
	}
	// Names that objects of the cases beneath have too.
	over["short names"] = []interpreter.Source{{Name: "short", FS: oneFile("short.momon", `
keyword A en "A" th "ก" { always: raise power by 1 }
extend values Trait { K en "K" th "ข" }
zone B of player en "B" th "ค" { hidden from opponent }
card "Short" en "Short" th "สั้น" { element Water; trait K; power 1; worth 1; sight North; mark South; A }
keyword M en "M" th "ง" { On Summon: move self to B }
card "Tall" en "Tall" th "สูง" { element Water; power 1; worth 1; sight North; mark South; M }
`)}}
	for name, list := range over {
		t.Run("with "+name, func(t *testing.T) {
			t.Parallel()
			_, ds, err := interpreter.Load(context.Background(), append(base[:len(base):len(base)], list...), interpreter.Options{Warnings: true})
			if err != nil {
				t.Error(err)
			}
			for _, d := range ds {
				switch {
				case d.Accepted != nil, d.Code == "stated-duration", d.Code == "unread-memory":
				case d.Code == "not-worded" && (strings.HasPrefix(d.Span.File.Name, "cases/") || strings.HasSuffix(d.Span.File.Name, "/cases.momon")): // what cases alone need is read by nobody
				default:
					t.Error(render([]*diag.Diagnostic{d}, "en"))
				}
			}
		})
	}
}
