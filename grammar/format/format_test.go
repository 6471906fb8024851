package format

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

var update = flag.Bool("update", false, "write what is laid out as what is wanted")

// parse reads a text; ok says that nothing is wrong with it.
func parse(text string) (*grammar.File, bool) {
	var diags diag.List
	f := grammar.Parse(source.NewFile("a.momon", text), &diags)
	return f, diags.Errors() == 0
}

// hold lays a text out and holds it to all that is promised of every layout.
func hold(t *testing.T, text string) string {
	t.Helper()
	src := source.NewFile("a.momon", text)
	before, ok := parse(text)
	out, found, err := File(src, Options{EOL: "\n"})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !ok {
		if out != src.Text || len(found) == 0 {
			t.Fatalf("a broken file was laid out: %q", text)
		}
		return out
	}
	after, ok := parse(out)
	if !ok || !Same(before, after) {
		t.Fatalf("it says something else\n--- source\n%s\n--- layout\n%s", text, out)
	}
	if again, _, err := File(source.NewFile("a.momon", out), Options{}); err != nil || again != out {
		t.Fatalf("not the same twice, %v\n--- source\n%s\n%s", err, text, cmp.Diff(out, again))
	}
	for _, line := range strings.SplitAfter(out, "\n") {
		if s := strings.TrimRight(line, "\n"); strings.TrimRight(s, " \t\r") != s || strings.HasPrefix(s, "\t") {
			t.Fatalf("blanks at the end of a line, or a tab: %q", line)
		}
	}
	if out != "" && (!strings.HasSuffix(out, "\n") || strings.HasSuffix(out, "\n\n") || strings.HasPrefix(out, "\n") || strings.Contains(out, "\n\n\n")) {
		t.Fatalf("line ends at the wrong places: %q", out)
	}
	if got := Apply(src, Edits(src, out)); got != out {
		t.Fatalf("the edits make something else\n%s", cmp.Diff(out, got))
	}
	return out
}

// corpus is every rule file of the project.
func corpus(t testing.TB) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir("../..", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".momon" {
			return err
		}
		b, err := os.ReadFile(name)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil || len(out) < 50 {
		t.Fatal(len(out), err)
	}
	return out
}

// TestCorpus lays out every rule file. Those that come with the program are laid
// out already.
func TestCorpus(t *testing.T) {
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			out := hold(t, text)
			for _, part := range []string{"rules", "cards", "conformance"} {
				if strings.HasPrefix(name, "../../"+part+"/") && out != text {
					t.Errorf("not laid out; momon fmt does it:\n%s", cmp.Diff(text, out))
				}
			}
		})
	}
}

// sound lists the files that parse and are not very long, by name.
func sound(texts map[string]string) []string {
	var names []string
	for name, text := range texts {
		if _, ok := parse(text); ok && len(text) < 30000 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mangled mangles a text and holds its layout.
func mangled(t *testing.T, text string, r *rand.Rand, often int) {
	t.Helper()
	before, _ := parse(text)
	other := mangle(text, r, often)
	after, ok := parse(other)
	after.Comments = before.Comments // there are more of them
	if !ok || !Same(before, after) {
		t.Fatalf("mangling changed what it says:\n%s", other)
	}
	hold(t, other)
}

// TestMangled lays out files whose blanks, line ends and comments are put anew at
// random wherever the language allows it.
func TestMangled(t *testing.T) {
	texts := corpus(t)
	names := sound(texts)
	if len(names) < 60 {
		t.Fatalf("only %d files to mangle", len(names))
	}
	for i, name := range names {
		t.Run(name, func(t *testing.T) { mangled(t, texts[name], rand.New(rand.NewPCG(uint64(i), 0)), 1+i%3*7) })
	}
}

func FuzzMangled(f *testing.F) {
	texts := corpus(f)
	names := sound(texts)
	f.Add(uint8(0), uint64(1), uint8(1))
	f.Fuzz(func(t *testing.T, file uint8, seed uint64, often uint8) {
		mangled(t, texts[names[int(file)%len(names)]], rand.New(rand.NewPCG(seed, 1)), 1+int(often))
	})
}

// mangle puts a file's blanks and line ends anew; one time in often it does
// something at a place.
func mangle(text string, r *rand.Rand, often int) string {
	src := source.NewFile("a.momon", text)
	var diags diag.List
	p := newPrinter(src, grammar.Parse(src, &diags))
	var b strings.Builder
	blanks := func(most int) string {
		if r.IntN(8) == 0 {
			return "\t"
		}
		return strings.Repeat(" ", r.IntN(most+1))
	}
	braces, brackets := 0, 0
	for i := range p.items {
		it := &p.items[i]
		between := ""
		if i > 0 {
			between = text[p.items[i-1].End:it.Start]
		}
		var prev *item
		if i > 0 {
			prev = &p.items[i-1]
		}
		if isPunct(&it.Token, "}") {
			braces--
		}
		touched := i > 0 && it.Kind != grammar.Comment && prev.Kind != grammar.Comment && r.IntN(often) == 0
		switch inside := braces > 0; {
		case !touched, it.Text == "until" && it.ends:
			b.WriteString(between)
		case it.ends:
			lead := ""
			if inside {
				lead = " " + blanks(6)
			}
			plain := "\n"
			if strings.Contains(between, ";") {
				plain = ";"
			}
			pick := []string{plain, plain + "\n" + "\n\n\n", plain + "\n# a remark  \n", ";" + blanks(3) + "\n", "  # behind \u0e01\u0e33\n"}
			if plain == ";" {
				pick = append(pick[:4], ";  # behind\n")
				if inside {
					pick = append(pick, "; ", " ;;")
				}
			}
			switch s := pick[r.IntN(len(pick))]; {
			case strings.HasSuffix(s, "\n"):
				b.WriteString(s + lead)
			case s == ";":
				b.WriteString(";\n" + lead)
			default:
				b.WriteString(s)
			}
		case strings.Contains(between, "\n") && it.Text == "until":
			b.WriteString("\n" + blanks(6) + " ")
		default:
			goes := isPunct(&prev.Token, ",") || isPunct(&prev.Token, "{") || isPunct(&prev.Token, ":") && !prev.ternary ||
				isPunct(&it.Token, "{") || isPunct(&it.Token, "}") || it.Kind == grammar.Word && slices.Contains([]string{"where", "and", "or", "else"}, it.Text) && !p.member(it)
			switch {
			case (goes || brackets > 0) && r.IntN(3) == 0:
				s := "\n" + " " + blanks(8)
				if brackets == 0 && r.IntN(4) == 0 {
					s = "\n\n # between\n " + blanks(3)
				}
				b.WriteString(s)
			case strings.Contains(between, "\n"):
				b.WriteString(between)
			case glues(prev, it, p.items, i) || p.sign(i-1) || p.sign(i) || prev.Kind == grammar.Ident:
				b.WriteString(" " + blanks(4))
			default:
				b.WriteString(blanks(4))
			}
		}
		b.WriteString(it.text)
		switch {
		case isPunct(&it.Token, "{"):
			braces++
		case isPunct(&it.Token, "(") || isPunct(&it.Token, "["):
			brackets++
		case isPunct(&it.Token, ")") || isPunct(&it.Token, "]"):
			brackets--
		}
	}
	if r.IntN(2) == 0 {
		b.WriteString(strings.Repeat("\n", r.IntN(4)))
	}
	return b.String()
}

// TestLayout compares layouts with what is wanted: testdata/*.txtar hold source
// and layout in turn.
func TestLayout(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	if len(files) == 0 {
		t.Fatal("no examples")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil || len(ar.Files) != 2 {
				t.Fatal(len(ar.Files), err)
			}
			got := hold(t, string(ar.Files[0].Data))
			if _, ok := parse(string(ar.Files[0].Data)); !ok {
				t.Fatal("it does not parse")
			}
			if *update {
				ar.Files[1].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(ar.Files[1].Data), got); d != "" {
				t.Error(d)
			}
		})
	}
}

func FuzzFormat(f *testing.F) {
	for _, text := range corpus(f) {
		if len(text) < 2000 {
			f.Add(text)
		}
	}
	for _, text := range []string{
		"values A {\n  B;\n  limit;\n}\nview c of d {\nline en \"a\"\nth \"b\"\n}\n",
		"card \"A\" { On B -2 (c) { if a: b\nelse: d.e(-1 ? 2 : [.x, #.y][0]) } }",
		"card \"A\"\n{ when b where x. y\n  rule 1 . 2\n grant C to d\n until e }\t# ก\u0e33\r\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { hold(t, text) })
}

// TestEdits looks at which lines edits name.
func TestEdits(t *testing.T) {
	src := source.NewFile("a.momon", "# A\r\nkeyword A {\r\n  always:raise power by 1\r\n}\r\n\r\n\r\ncard \"B\" {power 1;\r\nworth 1}\r\n")
	layout, _, err := File(src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Edit{
		{3, 4, "  always: raise power by 1\r\n"},
		{6, 7, ""},
		{7, 8, "card \"B\" {\r\n  power 1\r\n"},
		{8, 9, "  worth 1\r\n}\r\n"},
	}
	if d := cmp.Diff(want, Edits(src, layout)); d != "" {
		t.Error(d)
	}
	for line, edits := range map[int][]Edit{1: nil, 2: nil, 3: want[:1], 4: nil, 6: want[1:2], 8: want[3:]} {
		if d := cmp.Diff(edits, Range(src, layout, line, line)); d != "" {
			t.Errorf("line %d: %s", line, d)
		}
	}
	if got := Edits(source.NewFile("a.momon", layout), layout); len(got) > 0 {
		t.Error("edits where nothing is to be done:", got)
	}
}

// TestRange lays out some lines of mangled files: whatever they are, the file goes
// on saying the same.
func TestRange(t *testing.T) {
	texts := corpus(t)
	for n, name := range sound(texts) {
		if len(texts[name]) > 8000 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(n), 2))
		// In the first column, a line that begins with a head word needs its neighbours.
		text := mangle(strings.ReplaceAll(texts[name], "\n  always", "\nalways"), r, 2)
		before, ok := parse(text)
		if !ok {
			continue
		}
		src := source.NewFile("a.momon", text)
		layout, _, err := File(src, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			first := 1 + r.IntN(src.Lines())
			got := Apply(src, Range(src, layout, first, first+r.IntN(8)))
			if after, ok := parse(got); !ok || !Same(before, after) {
				t.Fatalf("%s: it says something else from line %d:\n%s", name, first, got)
			}
		}
	}
}

// BenchmarkFile lays out a thousand cards that are laid out already.
func BenchmarkFile(b *testing.B) {
	text := strings.Repeat(`card "Card" th "การ์ด" {
  element Fire; trait Beast, Spirit; power 3; worth 2; sight North, East; mark South
  On Summon: grant Ward to self                 # when it comes
  always on each Momon where controller == you and Beast in trait: raise power by 1
}
`, 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if out, _, err := File(source.NewFile("a.momon", text), Options{}); err != nil || out != text {
			b.Fatal(err)
		}
	}
}
