package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestThaiHelp holds that every command, flag and remark has a Thai text, and
// that the help pages keep to 80 cells.
func TestThaiHelp(t *testing.T) {
	fresh := func() *cobra.Command {
		root := (&app{out: new(bytes.Buffer), err: new(bytes.Buffer)}).root()
		root.InitDefaultHelpCmd()
		root.InitDefaultCompletionCmd()
		return root
	}
	en, th := fresh(), fresh()
	inThai(th)
	used := map[string]bool{}
	isThai := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x0e01 && r <= 0x0e5b })
	}
	var walk func(en, th *cobra.Command)
	walk = func(en, th *cobra.Command) {
		path := en.CommandPath()
		used[path] = true
		en.InitDefaultHelpFlag()
		if en.Short == th.Short || !isThai(th.Short) {
			t.Errorf("%s: Short is not in Thai", path)
		}
		if (en.Long == "") != (th.Long == "") || en.Long != "" && (en.Long == th.Long || !isThai(th.Long)) {
			t.Errorf("%s: Long is not in Thai", path)
		}
		lines := strings.Split(th.Example, "\n")
		for i, line := range strings.Split(en.Example, "\n") {
			r := remark(line)
			if command := strings.TrimSuffix(line, r); !strings.HasPrefix(lines[i], command) {
				t.Errorf("%s: another command in the example %s", path, lines[i])
			}
			if used[r] = true; r != "" && (thaiRemarks[r] == "" || !strings.HasSuffix(lines[i], thaiRemarks[r])) {
				t.Errorf("%s: the remark %q is not in Thai", path, r)
			}
		}
		named := map[string]bool{}
		en.LocalFlags().VisitAll(func(f *pflag.Flag) {
			named[f.Name] = true
			got := th.LocalFlags().Lookup(f.Name)
			if got == nil || got.Usage == f.Usage || !isThai(got.Usage) {
				t.Errorf("%s --%s is not in Thai", path, f.Name)
			}
			if strings.Count(got.Usage, "`") != strings.Count(f.Usage, "`") {
				t.Errorf("%s --%s does not name its value", path, f.Name)
			}
		})
		for name := range thaiHelp[path].flags {
			if !named[name] {
				t.Errorf("%s has no --%s", path, name)
			}
		}
		var out, errs bytes.Buffer
		args := append(strings.Fields(path)[1:], "--help", "--lang=th")
		if code := Main(args, strings.NewReader(""), &out, &errs); code != exitFine {
			t.Error(path, errs.String())
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimRight(line, "\n"); width(line) > lineWidth {
				t.Errorf("%s --help: %d cells: %s", path, width(line), line)
			}
		}
		for _, head := range []string{"Usage:", "Examples:", "Flags:", "Commands:", "(default", "help for", "[flags]", "[command]"} {
			if strings.Contains(out.String(), head) {
				t.Errorf("%s --help in Thai says %s", path, head)
			}
		}
		for i, c := range en.Commands() {
			walk(c, th.Commands()[i])
		}
	}
	walk(en, th)
	for path := range thaiHelp {
		if !used[path] {
			t.Errorf("there is no command %s", path)
		}
	}
	for r := range thaiRemarks {
		if !used[r] {
			t.Errorf("no example has the remark %q", r)
		}
	}
}

func TestLangOf(t *testing.T) {
	for line, want := range map[string]string{
		"": "en", "play --help": "en", "--lang th play": "th", "play --lang=th": "th", "--lang": "en",
		"--lang th --lang en": "en", "run -- --lang th": "en",
	} {
		if got := langOf(strings.Fields(line)); got != want {
			t.Errorf("%q: %s, not %s", line, got, want)
		}
	}
}
