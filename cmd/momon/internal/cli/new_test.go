package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/momon-rules/momon/cmd/momon/internal/skeleton"
	"github.com/momon-rules/momon/rules"
)

// edit is what the comment of a skeleton tells to do: `new` in place of `old`.
var edit = regexp.MustCompile("# (?:TO DO|ต้องทำ): .*?`([^`]+)`.*?`([^`]+)`.*\n")

// TestSkeletons writes every skeleton, for names of several kinds and in both
// languages: it must check clean, its first case must fail and say what to do,
// and after the edit that its comment describes all must pass.
func TestSkeletons(t *testing.T) {
	sub, err := fs.Sub(rules.Skeletons, "skeletons")
	if err != nil {
		t.Fatal(err)
	}
	list, err := skeleton.List([]fs.FS{sub})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 5 {
		t.Fatalf("only %d skeletons", len(list))
	}
	for _, s := range list {
		for name, lang := range map[string]string{"Bastion": "en", "กำแพง เหล็ก": "en", "When it's over 2": "th"} {
			t.Run(s.Kind+"/"+name+"/"+lang, func(t *testing.T) {
				if s.About[lang] == "" {
					t.Errorf("says nothing about itself in %s", lang)
				}
				trySkeleton(t, s.Kind, name, lang)
			})
		}
	}
}

func trySkeleton(t *testing.T, kind, name, lang string) {
	dir := t.TempDir()
	momon := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Main(append(args, "--lang", lang), strings.NewReader(""), &out, &errs); code != want {
			t.Fatalf("%v: exit status %d, not %d\n%s%s", args, code, want, out.String(), errs.String())
		}
		return out.String()
	}
	var wrote struct{ Files []string }
	if err := json.Unmarshal([]byte(momon(exitFine, "new", kind, name, "--dir", dir, "--text", "th=ชื่อไทย", "--json")), &wrote); err != nil {
		t.Fatal(err)
	}
	if kind == "pack" {
		dir = filepath.Dir(wrote.Files[0])
	}
	if out := momon(exitFine, "check", dir); !regexp.MustCompile(`^\D*0 \D*0 `).MatchString(out) {
		t.Error(out)
	}
	momon(exitFine, "fmt", "--check", dir)
	out := momon(exitFound, "test", dir)
	if strings.Count(out, "× ") == 0 || !strings.Contains(out, "TO DO") && !strings.Contains(out, "ต้องทำ") {
		t.Errorf("the case does not say what to do:\n%s", out)
	}
	edits := 0
	for _, f := range wrote.Files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if strings.Contains(strings.ToLower(text), "skeleton") || strings.Contains(text, "# en:") || strings.Contains(text, "# th:") {
			t.Errorf("a stand-in is left in %s:\n%s", f, text)
		}
		if !strings.Contains(text, name) {
			t.Errorf("%s does not speak of %s", f, name)
		}
		if filepath.Ext(f) == ".momon" && strings.ContainsFunc(text, func(r rune) bool { return r >= 0x0e01 && r <= 0x0e5b }) &&
			kind != "pack" && !strings.Contains(text, "ชื่อไทย") {
			t.Errorf("%s has the wrong Thai name:\n%s", f, text)
		}
		for _, m := range edit.FindAllStringSubmatch(text, -1) {
			edits++
			code := strings.Replace(text, m[0], "", 1) // but for the comment itself
			if strings.Count(code, m[2]) != 1 {
				t.Errorf("%s: %q is not there once", f, m[2])
			}
			text = strings.Replace(code, m[2], m[1], 1)
		}
		if err := os.WriteFile(f, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if edits != 1 {
		t.Errorf("%d edits are described", edits)
	}
	momon(exitFine, "check", dir)
	if out := momon(exitFine, "test", dir); !strings.Contains(out, " 0 (") && !strings.Contains(out, " 0 failed") {
		t.Error(out)
	}
}
