package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const ambush = `# Two keywords
# and what has them.
keyword Ambush (n: number) en "Ambush {n}" th "ซุ่มโจมตี {n}" {
  says en "+{n} Power." th "Power +{n}"
  On Summon: effect on self until end of turn: raise power by n   rule 13.3
}

token Growth on Momon limit 3 en "Growth" th "การเติบโต" {
  characteristic sap: number = 1 floor 0 ceiling 9 en "sap" th "น้ำเลี้ยง"
  always on self.host: raise power by self.sap
}

card "Reed Lurker" en "Reed Lurker" th "นักซุ่มในกอกก" {
  element Water; trait Beast; power 2; worth 1; sight North; mark South
  Ambush 2
}

case "ambush" en "Ambush" th "ซุ่มโจมตี" {
  given A: "Reed Lurker" of P1 at Hand
  during turn of P1 {
    summon A to Arena
    place Growth on A
    expect A.power == 5
  }
}
`

func opened(t *testing.T, files map[string]string) *client {
	c := start(t, files, nil)
	for name, text := range files {
		c.open(name, text)
	}
	for name := range files {
		c.wait(name, func([]diagnostic) bool { return true })
	}
	return c
}

func TestHover(t *testing.T) {
	c := opened(t, map[string]string{"a.momon": ambush, "hare.momon": hare})
	for _, q := range []struct {
		text string
		off  int
		want []string
	}{
		{"13.3", 1, []string{"en: ", "th: ", "confirmed by: `"}},
		{"Ambush 2", 1, []string{"keyword Ambush (n: number)", "> +n Power.", "> Power +n", "a.momon:3"}},
		{"power 2", 1, []string{"characteristic power of ", "changed in the layers: ", "built into the program"}},
		{"sap: number", 0, []string{"characteristic sap of Growth: number", "floor: 0", "ceiling: 9", "value: `1`"}},
		{`"Reed Lurker" of`, 4, []string{"card \"Reed Lurker\"", "th: นักซุ่มในกอกก", "> "}},
		{"by n ", 3, []string{"n: number"}},
		{"A.power", 0, []string{"A: card"}},
		{"summon A", 1, []string{"action summon "}},
		{"Water", 0, []string{"value Water of Element"}},
		{"until", 2, []string{"When the effect ends."}},
	} {
		var out hoverResult
		c.call("textDocument/hover", c.at("a.momon", q.text, q.off), &out)
		if out.Contents == nil {
			t.Errorf("nothing at %q", q.text)
			continue
		}
		for _, w := range q.want {
			if !strings.Contains(out.Contents.Value, w) {
				t.Errorf("at %q there is no %q in\n%s", q.text, w, out.Contents.Value)
			}
		}
	}
	var th hoverResult
	c.call("textDocument/hover", c.at("hare.momon", "ซ่อน 2", 2), &th)
	if th.Contents == nil || !strings.Contains(th.Contents.Value, "keyword ซ่อน (จำนวน: number)") || *th.Range != (textRange{position{5, 2}, position{5, 6}}) {
		t.Errorf("%+v", th)
	}
	c.edit("a.momon", "Water", "Watr")
	c.call("textDocument/hover", c.at("a.momon", "Watr", 1), &th)
	if !strings.Contains(th.Contents.Value, "unknown-value") {
		t.Errorf("the page of the code is not there: %s", th.Contents.Value)
	}
	if !strings.Contains(th.Contents.Value, "`Watr`") { // it speaks of what is found here
		t.Errorf("the page leaves out what is wrong: %s", th.Contents.Value)
	}
}

func TestDefinitionAndReferences(t *testing.T) {
	c := opened(t, map[string]string{"a.momon": ambush, "hare.momon": hare})
	var out []location
	c.call("textDocument/definition", c.at("a.momon", "Ambush 2", 1), &out)
	if len(out) != 1 || out[0].URI != c.uri("a.momon") || out[0].Range.Start != (position{2, 8}) {
		t.Errorf("%+v", out)
	}
	// What is built in can be read, in a copy.
	c.call("textDocument/definition", c.at("a.momon", "summon A", 1), &out)
	if len(out) != 1 {
		t.Fatalf("%+v", out)
	}
	file := pathOf(out[0].URI)
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	l := linesOf(string(data))
	if got := l.text[l.offset(out[0].Range.Start):l.offset(out[0].Range.End)]; got != "summon" {
		t.Errorf("%q", got)
	}
	refs := func(name, text string, off int) int {
		p := c.at(name, text, off)
		p["context"] = map[string]bool{"includeDeclaration": true}
		c.call("textDocument/references", p, &out)
		return len(out)
	}
	if n := refs("a.momon", "Growth on Momon", 0); n != 2 {
		t.Errorf("%d: %+v", n, out)
	}
	if n := refs("a.momon", "(n:", 1); n != 6 { // declared, twice in its name, twice in its text, once in its effect
		t.Errorf("%d: %+v", n, out)
	}
	if n := refs("hare.momon", "จำนวน", 0); n != 4 {
		t.Errorf("%d: %+v", n, out)
	}
	var marks []documentHighlight
	c.call("textDocument/documentHighlight", c.at("a.momon", "A.power", 0), &marks)
	if len(marks) != 4 {
		t.Errorf("%+v", marks)
	}
}

// labels lists what is offered at |, which stands for the place.
func (c *client) labels(name, text string) []string {
	c.t.Helper()
	at := strings.Index(text, "|")
	clean := text[:at] + text[at+1:]
	c.edit(name, c.text[name], clean)
	var out completionList
	c.call("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "position": linesOf(clean).position(at)}, &out)
	var list []string
	for _, it := range out.Items {
		list = append(list, it.Label)
	}
	return list
}

func TestCompletion(t *testing.T) {
	c := opened(t, map[string]string{"a.momon": ambush, "b.momon": "\n"})
	for _, q := range []struct {
		text string
		want string // with blanks between
		not  string
	}{
		{"ke|", "keyword card override", "raise self Ward"},
		{"override |", "keyword", "Ward"},
		{"override keyword |", "Ward Ambush", "Fire"},
		{"card \"X\" {\n  |\n}", "element power trait Ambush always when says", "keyword given"},
		{"card \"X\" {\n  element |", "Water Fire", "Beast keyword"},
		{"card \"X\" {\n  trait Beast, |", "Elder", "Water"},
		{"keyword K {\n  |", "always when granted", "keyword"},
		{"keyword K { On Summon: |", "effect choose draw move", "keyword"},
		{"keyword K { On Summon: grant |", "Ward Ambush", "Fire Arena"},
		{"keyword K { On Summon: place |", "Growth", "Fire"},
		{"keyword K { always: raise |", "power", "trait element"},
		{"keyword K { always: |", "raise set prohibit", "choose"},
		{"keyword K { always on each |", "Momon card", "Fire"},
		{"keyword K { always on each Momon where |", "power it self count controller", "keyword"},
		{"keyword K { when |", "snatch check turn", "Fire"},
		{"keyword K { when snatch where |", "target source power", ""},
		{"keyword K { when snatch where target.|", "power controller has", "target"},
		{"keyword K { always while self.element == |", "Water", ""},
		{"keyword K { On Summon: draw by you rule |", "13.2.4 11.6.1", "Ward"},
		{"keyword K { On Summon: draw by you rule 13.2.4 |", "ward.regrant", "13.2.4"},
		{"keyword K { On Summon: draw by you rule 13.2.4 \"|", "ward.regrant", "13.2.4"},
		{"keyword Q (n: |", "number flag Element", "Fire"},
		{"characteristic x of |", "card player Momon", "Fire"},
		{"characteristic x of card: |", "number several Element", "Fire"},
		{"case \"x\" {\n  |", "given expect during answer summon", "keyword raise"},
		{"case \"x\" {\n  given A: |", "Momon", "Fire"},
		{"case \"x\" {\n  given A: \"|", "Reed", ""},
		{"case \"x\" {\n  given A: Momon of P1\n  expect |", "A P1", ""},
		{"case \"x\" {\n  given A: Momon of P1\n  expect A.|", "power element has", "A"},
		{"case \"x\" {\n  confirms |", "13.2.4", "Ward"},
		{"errata |", "Reed", "Ward"},
		{"deck \"D\" {\n  card \"|", "Reed", "Ward"},
		{"layer L { takes |", "set raise", "Ward"},
		{"zone Z { |", "renews hidden grid", "raise"},
		{"# a comment ke|", "", "keyword"},
		{"card \"free text|", "", "keyword Ward"},
	} {
		got := c.labels("b.momon", q.text)
		has := func(w string) bool {
			return slices.ContainsFunc(got, func(l string) bool { return l == w || strings.HasPrefix(l, w+" ") })
		}
		for _, w := range strings.Fields(q.want) {
			if !has(w) {
				t.Errorf("%q: there is no %s in %.300v", q.text, w, got)
			}
		}
		for _, w := range strings.Fields(q.not) {
			if slices.Contains(got, w) {
				t.Errorf("%q: %s is offered", q.text, w)
			}
		}
	}
	var out completionList
	c.labels("b.momon", "card \"X\" {\n  Amb|")
	c.call("textDocument/completion", c.at("b.momon", "Amb", 3), &out)
	for _, it := range out.Items {
		if it.Label == "Ambush" {
			if it.Format != 2 || it.Edit.NewText != "Ambush ${1:n}" || it.Edit.Range != (textRange{position{1, 2}, position{1, 5}}) || !strings.Contains(it.Docs.Value, "+n Power.") {
				t.Errorf("%+v", it)
			}
			return
		}
	}
	t.Error("Ambush is not offered")
}

// apply carries out an edit of the texts as the client has them.
func (c *client) apply(e *workspaceEdit) map[string]string {
	out := map[string]string{}
	for uri, edits := range e.Changes {
		name := strings.TrimPrefix(pathOf(uri), c.dir+"/")
		text, ok := c.text[name]
		if !ok {
			data, err := os.ReadFile(filepath.FromSlash(c.dir + "/" + name))
			if err != nil {
				c.t.Fatal(err)
			}
			text = string(data)
		}
		slices.SortFunc(edits, func(a, b textEdit) int {
			if a.Range.Start.Line != b.Range.Start.Line {
				return b.Range.Start.Line - a.Range.Start.Line
			}
			return b.Range.Start.Character - a.Range.Start.Character
		})
		for _, x := range edits {
			text = change(text, &x.Range, x.NewText)
		}
		out[name] = text
	}
	return out
}

func (c *client) rename(name, text string, off int, to string) (map[string]string, error) {
	p := c.at(name, text, off)
	p["newName"] = to
	var e workspaceEdit
	if err := c.try("textDocument/rename", p, &e); err != nil {
		return nil, err
	}
	return c.apply(&e), nil
}

func TestRename(t *testing.T) {
	user := "card \"แมว\" en \"Cat\" th \"แมว\" { element Fire; power 1; worth 1; sight North; mark South\n  ซ่อน 1\n}\n"
	c := start(t, map[string]string{"a.momon": ambush, "hare.momon": hare, "cat.momon": user}, nil)
	c.open("a.momon", ambush)
	c.open("hare.momon", hare)
	c.wait("a.momon", has(""))
	got, err := c.rename("hare.momon", "ซ่อน (", 0, "หลบ")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got["hare.momon"], "ซ่อน (") || !strings.Contains(got["hare.momon"], "  หลบ 2") || !strings.Contains(got["cat.momon"], "  หลบ 1") {
		t.Errorf("%v", got)
	}
	if !strings.Contains(got["hare.momon"], `th "ซ่อน {จำนวน}"`) {
		t.Error("a text that people read was changed")
	}
	got, err = c.rename("hare.momon", "จำนวน", 0, "กี่ช่อง")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(hare, "จำนวน", "กี่ช่อง"); got["hare.momon"] != want {
		t.Errorf("%s", got["hare.momon"])
	}
	got, err = c.rename("a.momon", `"Reed Lurker" en`, 3, "Bog Lurker")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got["a.momon"], `card "Bog Lurker" en "Reed`) || !strings.Contains(got["a.momon"], `given A: "Bog Lurker" of`) {
		t.Errorf("%s", got["a.momon"])
	}
	got, err = c.rename("a.momon", "Ambush (n", 0, "Lie in Wait")
	if err == nil && !strings.Contains(got["a.momon"], "keyword \"Lie in Wait\" (n") {
		t.Errorf("%s", got["a.momon"])
	}
	for _, bad := range []struct{ text, to, why string }{
		{"Ambush (n", "Ward", "twice"},
		{"sap:", "host", ""},
		{"Ambush (n", "a b\"c", "can't be a name"},
		{"Ambush (n", "Ambush", "already"},
		{"summon A", "call", "built into|outside"},
		{"power 2", "might", "built into|outside"},
		{"A.power", "P1", ""},
		{"given A", "", "no name|can't be"},
		{"keyword Ambush", "x", "no name"},
	} {
		_, err := c.rename("a.momon", bad.text, 0, bad.to)
		if err == nil {
			t.Errorf("%q could become %q", bad.text, bad.to)
		} else if bad.why != "" && !regexp.MustCompile(bad.why).MatchString(err.Error()) {
			t.Errorf("%q → %q: %v", bad.text, bad.to, err)
		}
	}
	var prep struct {
		Range       textRange `json:"range"`
		Placeholder string    `json:"placeholder"`
	}
	c.call("textDocument/prepareRename", c.at("a.momon", `"Reed Lurker" of`, 2), &prep)
	if prep.Placeholder != "Reed Lurker" || prep.Range.End.Character-prep.Range.Start.Character != len("Reed Lurker") {
		t.Errorf("%+v", prep)
	}
}

func TestFormatting(t *testing.T) {
	crooked := "card \"X\" en \"X\" th \"X\"   {\n element Water;   power 1\n      worth 1; sight North; mark South\n}\n"
	c := opened(t, map[string]string{"a.momon": crooked})
	var edits []textEdit
	c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.momon")}, "options": map[string]any{"tabSize": 2, "insertSpaces": true}}, &edits)
	got := c.apply(&workspaceEdit{Changes: map[string][]textEdit{c.uri("a.momon"): edits}})["a.momon"]
	if !strings.HasPrefix(got, "card \"X\" en \"X\" th \"X\" {\n  element") {
		t.Errorf("%q", got)
	}
	c.edit("a.momon", crooked, got)
	c.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.momon")}}, &edits)
	if len(edits) != 0 {
		t.Errorf("%+v", edits)
	}
	c.edit("a.momon", got, crooked)
	c.call("textDocument/rangeFormatting", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.momon")}, "range": textRange{position{1, 0}, position{1, 1}}}, &edits)
	if len(edits) == 0 {
		t.Error("a line is not laid out")
	}
}

func TestCodeActions(t *testing.T) {
	c := opened(t, map[string]string{"a.momon": "card “Snow Hare” { element Watr; power 1; worth 1; sight North; mark South }\n"})
	var out []codeAction
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri("a.momon")},
		"range": textRange{position{0, 0}, position{0, 60}}, "context": map[string]any{"diagnostics": []any{}}}, &out)
	kinds := map[string]int{}
	for _, a := range out {
		kinds[a.Kind]++
	}
	if kinds["quickfix"] == 0 || kinds["source.fixAll"] != 1 {
		b, _ := json.MarshalIndent(out, "", " ")
		t.Fatalf("%s", b)
	}
	for _, a := range out {
		if a.Kind == "source.fixAll" {
			if got := c.apply(a.Edit)["a.momon"]; !strings.Contains(got, `card "Snow Hare"`) {
				t.Errorf("%q", got)
			}
		}
	}
}

func TestOutlineColoursAndFolding(t *testing.T) {
	c := opened(t, map[string]string{"a.momon": ambush})
	doc := map[string]any{"textDocument": map[string]any{"uri": c.uri("a.momon")}}
	var flat []symbolInformation
	c.call("textDocument/documentSymbol", doc, &flat)
	var names []string
	for _, y := range flat {
		names = append(names, y.Name)
	}
	if got := strings.Join(names, " "); got != "Ambush Growth sap Reed Lurker ambush" {
		t.Error(got)
	}
	var folds []foldingRange
	c.call("textDocument/foldingRange", doc, &folds)
	if len(folds) != 6 || folds[0] != (foldingRange{0, 1, "comment"}) {
		t.Errorf("%+v", folds)
	}
	var colours struct {
		Data []int `json:"data"`
	}
	c.call("textDocument/semanticTokens/full", doc, &colours)
	l := linesOf(ambush)
	what := map[string]string{}
	line, char := 0, 0
	for i := 0; i+4 < len(colours.Data); i += 5 {
		d := colours.Data[i : i+5]
		if d[0] > 0 {
			char = 0
		}
		line, char = line+d[0], char+d[1]
		what[l.text[l.offset(position{line, char}):l.offset(position{line, char + d[2]})]] = tokenTypes[d[3]]
	}
	for text, want := range map[string]string{"Ambush": "class", "Growth": "struct", "power": "property", "keyword": "keyword", "13.3": "number", "Water": "enumMember",
		"On": "event", "Summon": "event", "n": "variable", "# Two keywords": "comment", "summon": "function", `"ซุ่มโจมตี"`: "string"} {
		if what[text] != want {
			t.Errorf("%s is a %q, want %q", text, what[text], want)
		}
	}
	var found []symbolInformation
	c.call("workspace/symbol", map[string]any{"query": "growt"}, &found)
	if len(found) == 0 || found[0].Name != "Growth" {
		t.Errorf("%+v", found)
	}
}
