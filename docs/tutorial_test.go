package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tutorials are followed step by step in an empty folder. Their blocks, in
// order:
//
//	momon file=NAME   the reader writes this file, and so with markdown
//	momon is=NAME     the file holds this now
//	diff file=NAME    the reader changes the file: - lines become + lines
//	console           what is typed after $, and all that is shown then; a line
//	                  that is … alone stands for any number of lines
//
// How long something took does not count, nor how many cases the game has. -update writes what is shown now.

var (
	tutorials = []string{"tutorial.md", "tutorial.th.md", "packs.md", "packs.th.md", "diff.md", "diff.th.md", "repositories.md", "repositories.th.md"}
	took      = regexp.MustCompile(`\((\d+(\.\d+)?(h|m|s|ms|µs|ns))+\)`)
	built     = regexp.MustCompile(`\d+ of the rules beneath|กรณีของกติกาเดิม \d+`)
)

func TestTutorials(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell at hand")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "momon"), "../cmd/momon").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	env := surroundings(t, bin)
	for _, page := range tutorials {
		t.Run(page, func(t *testing.T) {
			data, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			l := &learner{t: t, page: page, dir: t.TempDir(), sh: sh, env: env}
			text := l.follow(string(data))
			if l.commands < 5 {
				t.Errorf("only %d commands", l.commands)
			}
			if *update && text != string(data) {
				if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// learner is somebody who does what a tutorial says.
type learner struct {
	t        *testing.T
	page     string
	dir      string
	sh       string
	env      []string
	commands int
}

// follow goes through a page and returns it with what was shown.
func (l *learner) follow(text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		info, ok := strings.CutPrefix(lines[i], fence)
		if !ok || info == "" {
			continue
		}
		at, from := i+1, i+1
		for i++; i < len(lines) && lines[i] != fence; i++ {
		}
		if i == len(lines) {
			l.t.Fatalf("%s:%d: a block that is never closed", l.page, at)
		}
		body := lines[from:i]
		words := strings.Fields(info)
		name := ""
		if len(words) == 2 {
			_, name, _ = strings.Cut(words[1], "=")
			name = filepath.Join(l.dir, filepath.FromSlash(name))
		}
		held := strings.Join(body, "\n") + "\n"
		switch {
		case (words[0] == "momon" || words[0] == "markdown") && strings.HasPrefix(words[1], "file="):
			l.write(at, name, held)
		case words[0] == "momon" && strings.HasPrefix(words[1], "is="):
			if data, err := os.ReadFile(name); err != nil {
				l.t.Errorf("%s:%d: %v", l.page, at, err)
			} else if string(data) != held {
				if *update {
					body = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
				} else {
					l.t.Errorf("%s:%d: the file holds:\n%s", l.page, at, data)
				}
			}
		case words[0] == "diff" && name != "":
			l.edit(at, name, body)
		case words[0] == "console":
			body = l.console(at, body)
		case words[0] == "text", words[0] == "sh":
		default:
			l.t.Errorf("%s:%d: a block that is not followed: %s", l.page, at, info)
		}
		out = append(append(out, body...), fence)
	}
	return strings.Join(out, "\n")
}

func (l *learner) write(at int, name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		l.t.Errorf("%s:%d: %v", l.page, at, err)
	}
}

// edit puts + lines in place of - lines; other lines say where.
func (l *learner) edit(at int, name string, body []string) {
	var old, new strings.Builder
	for _, line := range body {
		if rest, ok := strings.CutPrefix(line, "-"); ok {
			old.WriteString(rest + "\n")
		} else if rest, ok := strings.CutPrefix(line, "+"); ok {
			new.WriteString(rest + "\n")
		} else {
			rest = strings.TrimPrefix(line, " ")
			old.WriteString(rest + "\n")
			new.WriteString(rest + "\n")
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		l.t.Errorf("%s:%d: %v", l.page, at, err)
		return
	}
	if n := strings.Count(string(data), old.String()); n != 1 || old.Len() == 0 {
		l.t.Errorf("%s:%d: what is to be changed stands %d times in:\n%s", l.page, at, n, data)
	}
	l.write(at, name, strings.Replace(string(data), old.String(), new.String(), 1))
}

// console types commands and compares what is shown. It returns the block with
// what was.
func (l *learner) console(at int, body []string) []string {
	var out []string
	for i := 0; i < len(body); {
		command, ok := strings.CutPrefix(body[i], "$ ")
		if !ok {
			l.t.Errorf("%s:%d: a console that does not begin with a command", l.page, at)
			return body
		}
		at := at + 1 + i
		out = append(out, body[i])
		from := i + 1
		for i++; i < len(body) && !strings.HasPrefix(body[i], "$ "); i++ {
		}
		want := body[from:i]
		cmd := exec.Command(l.sh, "-c", command)
		cmd.Dir, cmd.Env = l.dir, l.env
		shown, err := cmd.CombinedOutput()
		l.commands++
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
			l.t.Errorf("%s:%d: %s: %v\n%s", l.page, at, command, err, shown)
		}
		var got []string
		for line := range strings.Lines(string(shown)) {
			got = append(got, strings.TrimRight(line, " \r\n"))
		}
		for len(got) > 0 && got[len(got)-1] == "" {
			got = got[:len(got)-1]
		}
		switch {
		case sameShown(want, got):
			out = append(out, want...)
		case *update && !slices.Contains(want, "…"): // what to leave out is for people to say
			for _, line := range got {
				out = append(out, took.ReplaceAllString(line, "(3ms)"))
			}
		default:
			l.t.Errorf("%s:%d: %s shows:\n%s\nnot:\n%s", l.page, at, command, strings.Join(got, "\n"), strings.Join(want, "\n"))
			out = append(out, want...)
		}
		if i < len(body) && body[i-1] == "" && out[len(out)-1] != "" {
			out = append(out, "") // between commands
		}
	}
	return out
}

// sameShown compares what a page shows with what is shown.
func sameShown(want, got []string) bool {
	for len(want) > 0 && want[len(want)-1] == "" {
		want = want[:len(want)-1]
	}
	if len(want) > 0 && want[0] == "…" {
		for i := 0; i <= len(got); i++ {
			if sameShown(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	if len(want) == 0 || len(got) == 0 {
		return len(want) == len(got)
	}
	same := func(s string) string { return built.ReplaceAllString(took.ReplaceAllString(s, "()"), "") }
	return same(want[0]) == same(got[0]) && sameShown(want[1:], got[1:])
}

// TestSameShown keeps the comparison from passing everything.
func TestSameShown(t *testing.T) {
	for _, x := range []struct {
		want, got string
		same      bool
	}{
		{"a b", "a b", true}, {"a b", "a", false}, {"a", "a b", false}, {"", "a", false}, {"… c", "a b c", true}, {"… c", "a c b", false},
		{"a …", "a b c", true}, {"a …", "a", true}, {"1(3ms)", "1(1.25s)", true}, {"1(3ms)", "2(3ms)", false}, {"a … b … c", "a x b c", true},
	} {
		if got := sameShown(strings.Fields(x.want), strings.Fields(x.got)); got != x.same {
			t.Errorf("%q and %q: %v", x.want, x.got, got)
		}
	}
}

// steps are what a page has a reader do: its headings, blocks and commands.
func steps(t *testing.T, page string) []string {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	inBlock := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if info, ok := strings.CutPrefix(line, fence); ok {
			if inBlock = info != ""; inBlock {
				list = append(list, info)
			}
		} else if c, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, strings.ReplaceAll(c, " --lang th", ""))
		} else if strings.HasPrefix(line, "#") && !inBlock {
			list = append(list, fmt.Sprint(strings.Count(line, "#"), " heading"))
		}
	}
	return list
}

// TestTutorialsAlike sees that a page and its Thai counterpart go through the same steps.
func TestTutorialsAlike(t *testing.T) {
	thai := 0
	for _, page := range tutorials {
		name, ok := strings.CutSuffix(page, ".th.md")
		if !ok {
			continue
		}
		thai++
		en, th := steps(t, name+".md"), steps(t, page)
		for i := range min(len(en), len(th)) {
			if en[i] != th[i] {
				t.Errorf("%s: step %d: %q and %q", page, i, en[i], th[i])
				break
			}
		}
		if len(en) != len(th) {
			t.Errorf("%s: %d and %d steps", page, len(en), len(th))
		}
	}
	if thai == 0 {
		t.Error("there is no page in Thai")
	}
}
