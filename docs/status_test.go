package docs_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/rules"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/status.md from the rule data")

const tablesBegin, tablesEnd = "<!-- statements -->\n", "<!-- end -->\n"

// TestStatusListsEveryStatement holds the tables of status.md to the statements of
// the rule data: numbers, keys and standing. Wording may lag until -update.
func TestStatusListsEveryStatement(t *testing.T) {
	p, _, err := interpreter.Load(context.Background(), []interpreter.Source{{Name: "rules", FS: rules.FS}, {Name: "cards", FS: cards.FS}}, interpreter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("status.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	before, rest, ok := strings.Cut(page, tablesBegin)
	have, after, closed := strings.Cut(rest, tablesEnd)
	if !ok || !closed {
		t.Fatal("status.md has no place for the tables")
	}
	var want, rows strings.Builder
	for _, status := range []string{"normative", "interpretation", "provisional"} {
		fmt.Fprintf(&rows, "\n### %s\n\n| rule | key | in short |\n| --- | --- | --- |\n", strings.ToUpper(status[:1])+status[1:])
		for _, r := range p.Rules("en") {
			for _, s := range r.Statements {
				if s.Status == status {
					fmt.Fprintf(&rows, "| %s | `%s` | %s |\n", s.Rule, s.Key, s.Text)
				}
			}
		}
	}
	rows.WriteString("\n")
	want.WriteString(before + tablesBegin + rows.String() + tablesEnd + after)
	if *update {
		if err := os.WriteFile("status.md", []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, want := keysOnly(have), keysOnly(rows.String()); got != want {
		t.Errorf("the tables of status.md are out of date: run go test ./docs -update\nhave:\n%s\nwant:\n%s", got, want)
	}
	for _, r := range p.Readings("en") {
		if !strings.Contains(before, "| `"+r.Name+"` |") {
			t.Errorf("status.md does not tell of the reading %s", r.Name)
		}
	}
}

// keysOnly drops the wording of a table.
func keysOnly(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		b.WriteString(strings.TrimSpace(cells[0]))
		if len(cells) > 1 {
			b.WriteString(" " + cells[1])
		}
		b.WriteString("\n")
	}
	return b.String()
}
