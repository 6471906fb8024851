package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/check"
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
	p := check.Check(mods, check.Options{}, &d)
	diag.Text(os.Stdout, d.Sorted(), "en", false)
	fmt.Println(len(p.Effects), "effects", len(p.Triggers), "triggers", len(p.Cards), "cards", len(p.Cases), "cases", d.Errors(), "errors")
}
