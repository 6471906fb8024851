package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The workflow that momon pack repository writes is run here step by step as GitHub runs
// it: the same shell with the same variables, on a repository with a base branch and a
// merged pull request. Only what needs a network is left out or stood in for: the
// actions, go install, and gh.

type workflow struct {
	Env  map[string]string
	Jobs map[string]struct {
		If    string
		Steps []workflowStep
	}
}

type workflowStep struct {
	Name, ID, If, Run, Uses string
	Env                     map[string]string
}

// runner is a machine that GitHub runs jobs on.
type runner struct {
	t     *testing.T
	dir   string // the checkout
	temp  string // RUNNER_TEMP
	env   []string
	known map[string]string // what expressions stand for
}

var (
	expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)
	pinnedUse  = regexp.MustCompile(`^actions/[a-z-]+@v\d+\.\d+\.\d+$`)
	ofStep     = regexp.MustCompile(`^steps\.([a-z]+)\.outcome$`)
)

// newRunner makes a machine with git, this program and a stand-in for gh, and an empty
// repository with a remote that has a branch main.
func newRunner(t *testing.T) *runner {
	t.Helper()
	for _, name := range []string{"git", "bash", "iconv"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("no " + name + " at hand")
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	r := &runner{t: t, dir: filepath.Join(top, "work"), temp: filepath.Join(top, "temp"), known: map[string]string{}}
	bin, home := filepath.Join(top, "bin"), filepath.Join(top, "home")
	for _, dir := range []string{r.dir, r.temp, bin, home} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(self, filepath.Join(bin, "momon")); err != nil { // TestMain knows it by this name
		t.Skip("no links here")
	}
	gh := "#!/bin/sh\necho \"gh $*\" >> \"$GH_LOG\"\ncase \"$*\" in *\"--paginate --jq\"*) cat \"$GH_KNOWN\" ;; esac\n"
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o777); err != nil {
		t.Fatal(err)
	}
	r.env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1",
		"GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1", "RUNNER_TEMP="+r.temp, "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary.md"),
		"GH_LOG="+filepath.Join(r.temp, "gh.log"), "GH_KNOWN="+filepath.Join(r.temp, "gh.known"), "MOMON_STORE="+filepath.Join(home, "store"))
	r.write("../temp/gh.known", "")
	r.must("git config --global user.name Somebody && git config --global user.email somebody@example.com && git config --global init.defaultBranch main")
	r.must("git init -q --bare ../origin && git init -q && git remote add origin ../origin")
	return r
}

// bash runs a script as GitHub runs a step.
func (r *runner) bash(script string, env ...string) (string, error) {
	file := filepath.Join(r.temp, "step.sh")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", file)
	cmd.Dir, cmd.Env = r.dir, append(slices.Clone(r.env), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *runner) must(script string) string {
	r.t.Helper()
	out, err := r.bash(script)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}

func (r *runner) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

// read is what a file in the folder for temporary files holds.
func (r *runner) read(name string) string {
	data, err := os.ReadFile(filepath.Join(r.temp, name))
	if err != nil {
		return ""
	}
	return string(data)
}

// value is what an expression stands for.
func (r *runner) value(text string) string {
	r.t.Helper()
	if s, ok := strings.CutPrefix(text, "'"); ok {
		return strings.TrimSuffix(s, "'")
	}
	v, ok := r.known[text]
	if !ok {
		r.t.Fatalf("what is %s?", text)
	}
	return v
}

// holds works out the condition of a step.
func (r *runner) holds(cond string, outcomes map[string]string, failed bool) bool {
	r.t.Helper()
	if cond == "" {
		return !failed
	}
	if m := expression.FindStringSubmatch(cond); m != nil {
		cond = m[1]
	}
	always := false
	for _, term := range strings.Split(cond, " && ") {
		left, right, ok := strings.Cut(term, " == ")
		switch m := ofStep.FindStringSubmatch(left); {
		case term == "!cancelled()":
			always = true
		case !ok:
			r.t.Fatalf("a condition that is not known: %s", term)
		case m != nil:
			if outcomes[m[1]] != r.value(right) {
				return false
			}
		case r.value(left) != r.value(right):
			return false
		}
	}
	return always || !failed
}

// runs runs a job, and returns the steps that failed, and what they said.
func (r *runner) runs(file, job string) (failed []string, said string) {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(file)))
	if err != nil {
		r.t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(data, &w); err != nil {
		r.t.Fatal(err)
	}
	j, ok := w.Jobs[job]
	if !ok {
		r.t.Fatalf("%s has no job %s", file, job)
	}
	for _, name := range []string{"summary.md", "gh.log", "changes.md"} {
		os.Remove(filepath.Join(r.temp, name))
	}
	outcomes := map[string]string{}
	for _, s := range j.Steps {
		switch {
		case s.Uses != "":
			if !pinnedUse.MatchString(s.Uses) {
				r.t.Errorf("%s is not pinned to a version", s.Uses)
			}
			continue
		case strings.HasPrefix(s.Run, "go install "):
			continue
		case expression.MatchString(s.Run):
			r.t.Errorf("%s: what others write comes into a script: %s", s.Name, s.Run)
		}
		if !r.holds(s.If, outcomes, len(failed) > 0) {
			outcomes[s.ID] = "skipped"
			continue
		}
		var env []string
		for _, vars := range []map[string]string{w.Env, s.Env} {
			for _, k := range slices.Sorted(maps.Keys(vars)) {
				v := expression.ReplaceAllStringFunc(vars[k], func(x string) string { return r.value(expression.FindStringSubmatch(x)[1]) })
				env = append(env, k+"="+v)
			}
		}
		out, err := r.bash(s.Run, env...)
		said += fmt.Sprintf("== %s\n%s", s.Name, out)
		outcomes[s.ID] = "success"
		if err != nil {
			outcomes[s.ID] = "failure"
			failed = append(failed, s.Name)
		}
	}
	return failed, said
}

// edit replaces old by new in a file of the checkout.
func (r *runner) edit(name, old, new string) {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	if strings.Count(string(data), old) != 1 {
		r.t.Fatalf("%q stands %d times in %s:\n%s", old, strings.Count(string(data), old), name, data)
	}
	r.write(name, strings.Replace(string(data), old, new, 1))
}

// rulesAt makes a pack at a place in the repository, with its workflow, whose cases pass.
func (r *runner) rulesAt(dir string) {
	r.t.Helper()
	r.must("momon new pack Tides --dir ../temp > ../temp/made; mkdir -p '" + dir + "'; cp ../temp/tides/* '" + dir + "/'; rm -r ../temp/tides")
	r.edit(dir+"/keyword.momon", "  always: raise power by 1", "  always: raise power by 2")
	r.must("momon pack repository '" + dir + "'")
	r.must("git add -A && git commit -qm 'The rules' && git push -q origin HEAD:main && git fetch -q")
}

// merged makes a pull request of an edit, and checks its merge out.
func (r *runner) merged(edit func()) {
	r.t.Helper()
	r.must("git checkout -q -B change origin/main")
	edit()
	r.must("git add -A && git commit -qm 'A change' && git checkout -q --detach origin/main && git merge -q --no-ff -m Merge change")
}

func TestWorkflowOfPullRequests(t *testing.T) {
	for _, dir := range []string{".", "tides", "rules of ours/น้ำขึ้น"} {
		t.Run(dir, func(t *testing.T) {
			r := newRunner(t)
			r.write("README.md", "# Ours\n")
			r.rulesAt(dir)
			r.known = map[string]string{
				"github.base_ref": "main", "github.token": "t", "github.repository": "ours/rules",
				"github.event.pull_request.number": "7", "github.event.pull_request.head.repo.full_name": "ours/rules",
			}
			const file = ".github/workflows/tides.yml"
			data := func() { r.edit(dir+"/keyword.momon", "  always: raise power by 2", "  always: raise power by 3") }
			text := func() {
				r.edit(dir+"/keyword.momon", "has +2 Power", "has +3 Power")
				r.edit(dir+"/keyword.momon", "มี Power +2", "มี Power +3")
			}
			cases := func() { r.edit(dir+"/cases.momon", "expect A.power == 5", "expect A.power == 6") }

			r.merged(func() { data(); text(); cases() })
			failed, said := r.runs(file, "changes")
			if len(failed) > 0 {
				t.Fatalf("%q failed:\n%s", failed, said)
			}
			changes := r.read("changes.md")
			for _, want := range []string{"## What changes from", "raise power by 3", "tides-makes-strong"} {
				if !strings.Contains(changes, want) {
					t.Errorf("no %q in:\n%s", want, changes)
				}
			}
			if r.read("summary.md") != changes {
				t.Error("the summary of the job is not what changes")
			}
			if c := r.read("comment.md"); !strings.HasPrefix(c, "<!-- momon diff "+dir+" -->\n") || !strings.HasSuffix(c, changes) {
				t.Errorf("the comment:\n%s", c)
			}
			if log := r.read("gh.log"); !strings.Contains(log, "gh pr comment 7 --repo ours/rules --body-file "+filepath.Join(r.temp, "comment.md")) {
				t.Errorf("gh was asked:\n%s", log)
			}

			// The comment that is there is written anew, and one from a fork not at all.
			r.write("../temp/gh.known", "41\n42\n")
			if failed, said := r.runs(file, "changes"); len(failed) > 0 || !strings.Contains(r.read("gh.log"), "--method PATCH repos/ours/rules/issues/comments/41 ") {
				t.Errorf("%q failed:\n%s%s", failed, said, r.read("gh.log"))
			}
			r.known["github.event.pull_request.head.repo.full_name"] = "theirs/rules"
			if failed, said := r.runs(file, "changes"); len(failed) > 0 || r.read("gh.log") != "" {
				t.Errorf("%q failed:\n%s%s", failed, said, r.read("gh.log"))
			}

			for _, x := range []struct {
				name string
				edit func()
				red  []string
				says string // of the steps
				tell string // of the changes
			}{
				{"layout", func() {
					r.edit(dir+"/keyword.momon", "  always: raise power by 2", "    always:   raise power by 2")
				}, []string{"Layout"}, "-    always:   raise power by 2", "Nothing changes"},
				{"an error", func() {
					r.edit(dir+"/keyword.momon", "  always: raise power by 2", "  always: raise powr by 2")
				}, []string{"Errors and warnings", "Cases"}, "error[unknown-characteristic]", "It could not be compared:"},
				{"a warning", func() { data(); cases() }, []string{"Errors and warnings"}, "warning[text-other-number]", "What changes from"},
				{"a case", func() { data(); text() }, []string{"Cases"}, "expect A.power == 5", "tides-makes-strong"},
			} {
				r.merged(x.edit)
				failed, said := r.runs(file, "changes")
				if !slices.Equal(failed, x.red) {
					t.Errorf("%s: %q failed, and %q should:\n%s", x.name, failed, x.red, said)
				}
				if !strings.Contains(said, x.says) {
					t.Errorf("%s: no %q in:\n%s", x.name, x.says, said)
				}
				if !strings.Contains(r.read("changes.md"), x.tell) {
					t.Errorf("%s: no %q in:\n%s", x.name, x.tell, r.read("changes.md"))
				}
			}
		})
	}
}

// TestWorkflowOfNewRules: the base has no rules yet.
func TestWorkflowOfNewRules(t *testing.T) {
	r := newRunner(t)
	r.write("README.md", "# Ours\n")
	r.must("git add -A && git commit -qm Begin && git push -q origin HEAD:main && git fetch -q")
	r.known = map[string]string{
		"github.base_ref": "main", "github.repository": "ours/rules", "github.event.pull_request.head.repo.full_name": "theirs/rules",
	}
	r.merged(func() {
		r.must("momon new pack Tides > ../temp/made; momon pack repository tides --lang th")
		r.edit("tides/keyword.momon", "  always: raise power by 1", "  always: raise power by 2")
	})
	failed, said := r.runs(".github/workflows/tides.yml", "changes")
	if len(failed) > 0 || strings.TrimSpace(r.read("changes.md")) != "ไม่มีรุ่นก่อนหน้าให้เปรียบเทียบ" {
		t.Errorf("%q failed:\n%s%s", failed, said, r.read("changes.md"))
	}
}

// TestWorkflowOfReleases: a tag that is the version hands the pack out, compared with the
// tag before, and nothing else does.
func TestWorkflowOfReleases(t *testing.T) {
	r := newRunner(t)
	r.write("README.md", "# Ours\n")
	r.rulesAt("tides")
	const file, job = ".github/workflows/tides.yml", "release"
	tagged := func(tag string) (failed []string, said string) {
		t.Helper()
		r.known["github.ref_name"] = tag
		r.must("git add -A && git commit -q --allow-empty -m 'A version' && git tag " + tag + " && rm -rf ../temp/release")
		return r.runs(file, job)
	}
	handedOut := func() string { return r.read("gh.log") }
	r.must("momon pack keys new ../temp/shop --no-password > ../temp/made")
	r.known = map[string]string{"github.repository": "ours/rules", "github.token": "t", "secrets.MOMON_KEY": "", "secrets.MOMON_PASSWORD": ""}

	changelog := func(version, about string) {
		r.write("tides/CHANGELOG.md", "# Changelog\n\n## "+version+"\n\n- "+about+" (tides-makes-strong).\n- คลื่น "+about+" (tides-makes-strong)\n")
	}
	changelog("0.1.0", "The first")
	failed, said := tagged("v0.2.0")
	if !slices.Equal(failed, []string{"The tag is the version"}) || !strings.Contains(said, "::error::") || !strings.Contains(said, "v0.2.0, v0.1.0") {
		t.Fatalf("%q failed:\n%s", failed, said)
	}
	r.must("git tag -d v0.2.0")
	failed, said = tagged("v0.1.0")
	if !slices.Equal(failed, []string{"momon pack release"}) || !strings.Contains(said, "::error::the secret MOMON_KEY is missing") || handedOut() != "" {
		t.Fatalf("%q failed:\n%s", failed, said)
	}
	r.must("git tag -d v0.1.0")
	r.known["secrets.MOMON_KEY"] = strings.TrimSuffix(r.read("shop.key"), "\n")
	failed, said = tagged("v0.1.0")
	if len(failed) > 0 {
		t.Fatalf("%q failed:\n%s", failed, said)
	}
	released := func(version string) {
		t.Helper()
		archive := filepath.Join(r.temp, "release", "tides-"+version+".momonpack")
		want := "gh release create v" + version + " --repo ours/rules --verify-tag --title v" + version + " --notes-file " + filepath.Join(r.temp, "changes.md") +
			" " + archive + " " + archive + ".minisig\n"
		if got := handedOut(); got != want {
			t.Errorf("gh was asked:\n%swant:\n%s", got, want)
		}
		r.must("momon pack keys trust ../temp/shop.pub --trust ../temp/trust.json > ../temp/made; momon pack verify --trust ../temp/trust.json " + archive)
	}
	released("0.1.0")
	if c := r.read("changes.md"); c != "There is no earlier version to compare with.\n" {
		t.Error(c)
	}

	// The next: a step that is too small is refused, one that is not is compared with the tag.
	r.edit("tides/keyword.momon", "  always: raise power by 2", "  always: raise power by 3")
	r.edit("tides/keyword.momon", "has +2 Power", "has +3 Power")
	r.edit("tides/keyword.momon", "มี Power +2", "มี Power +3")
	r.edit("tides/cases.momon", "expect A.power == 5", "expect A.power == 6")
	r.edit("tides/module.momon", `version "0.1.0"`, `version "0.1.1"`)
	changelog("0.1.1", "It is 3")
	failed, said = tagged("v0.1.1")
	if !slices.Equal(failed, []string{"momon pack release"}) || !strings.Contains(said, "0.1.1 is too small a step: from 0.1.0 it goes to 0.2.0") || handedOut() != "" {
		t.Fatalf("%q failed:\n%s", failed, said)
	}
	r.must("git tag -d v0.1.1")
	r.edit("tides/module.momon", `version "0.1.1"`, `version "0.2.0"`)
	changelog("0.2.0", "It is 3")
	failed, said = tagged("v0.2.0")
	if len(failed) > 0 {
		t.Fatalf("%q failed:\n%s", failed, said)
	}
	released("0.2.0")
	if c := r.read("changes.md"); !strings.Contains(c, "What changes from v0.1.0:tides") || !strings.Contains(c, "tides-makes-strong") {
		t.Error(c)
	}
}
