package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExplainShowsWhatIsPrinted runs the commands of explain.md, blocks marked
// "console", in a folder with the example that stands above them. What is printed
// must be what the page shows.
func TestExplainShowsWhatIsPrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell at hand")
	}
	page, err := os.ReadFile("explain.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "momon"), "../cmd/momon").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ran := 0
	lines := strings.Split(string(page), "\n")
	for i := 0; i < len(lines); i++ {
		info, ok := strings.CutPrefix(lines[i], fence)
		if !ok || info == "" {
			continue
		}
		from := i + 1
		for i++; i < len(lines) && lines[i] != fence; i++ {
		}
		if _, name, ok := strings.Cut(info, "file="); ok {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(strings.Join(lines[from:i], "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if info != "console" {
			continue
		}
		ran++
		command, ok := strings.CutPrefix(lines[from], "$ ")
		if !ok {
			t.Fatalf("explain.md:%d: no command", from+1)
		}
		cmd := exec.Command(sh, "-c", command)
		cmd.Dir, cmd.Env = dir, surroundings(t, bin)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("explain.md:%d: %v", from+1, err)
		}
		if d := cmp.Diff(strings.Join(lines[from+1:i], "\n")+"\n", string(out)); d != "" {
			t.Errorf("explain.md:%d: %s (-page +printed):\n%s", from+1, command, d)
		}
	}
	if ran == 0 {
		t.Error("explain.md shows no command")
	}
}
