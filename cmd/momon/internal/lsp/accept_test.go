package lsp

import (
	"strings"
	"testing"
)

// What is accepted goes on being shown, as a hint with its reason.
func TestAccept(t *testing.T) {
	text := "keyword Idle en \"Idle\" th \"ว่าง\" {\n  always: raise power by 0   rule 13.2   # soon\n}\n"
	c := start(t, map[string]string{"a.momon": text}, nil)
	c.open("a.momon", text)
	c.wait("a.momon", has("changes-nothing"))
	var out []codeAction
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.momon")},
		"range": textRange{position{1, 4}, position{1, 40}}, "context": map[string]any{"diagnostics": []any{}}}, &out)
	for _, a := range out {
		if strings.HasPrefix(a.Title, "Accept ") {
			got := c.apply(a.Edit)["a.momon"]
			c.edit("a.momon", text, got)
			c.wait("a.momon", func(l []diagnostic) bool {
				return len(l) == 1 && l[0].Severity == 4 && strings.Contains(l[0].Message, "say why")
			})
			return
		}
	}
	t.Errorf("%+v", out)
}
