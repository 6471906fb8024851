package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/momon-rules/momon/cmd/momon/internal/repository"
	"github.com/momon-rules/momon/grammar/diag"
)

func (a *app) packRepositoryCmd() *cobra.Command {
	var show, force bool
	c := &cobra.Command{
		Use:   "repository [DIR…]",
		Short: "Have GitHub and git look at every change of a pack",
		Long: `Writes, for the packs in the folders DIR (this folder unless named), what a git
repository needs so that every change of them is looked at:

  .github/workflows/PACK.yml  for GitHub: layout, errors, cases and what
                              changes for each pull request; a release for
                              each tag that is the version
  .githooks/pre-commit        layout, errors and cases before each commit
  .pre-commit-config.yaml     the same for who has pre-commit

They go to the top of the git repository that DIR lies in, or into DIR where
there is none yet. A file that is there and differs is left as it is, and told
of. What they say is in the language of --lang.`,
		Example: `  momon pack repository
  momon pack repository ./mine ./set
  momon pack repository --show`,
		Args: a.takes(0, 100),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			return a.packRepository(args, show, force)
		},
	}
	c.Flags().BoolVar(&show, "show", false, "write nothing, and print what the files would be")
	c.Flags().BoolVar(&force, "force", false, "write over files that differ")
	return c
}

// fetchedVersion is the version of the program that others can fetch: that of a
// release, or the newest where this is none.
func fetchedVersion() string {
	v := version()
	if !strings.HasPrefix(v, "v") {
		v = "v" + v
	}
	if semver.Canonical(v) != v || module.IsPseudoVersion(v) {
		return "main"
	}
	return v
}

// gitTop is the folder at the top of the git repository that a folder lies in, or "".
func gitTop(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if exists(filepath.Join(d, ".git")) {
			return d
		}
		if d == filepath.Dir(d) {
			return ""
		}
	}
}

func (a *app) packRepository(dirs []string, show, force bool) error {
	o := &repository.Options{Version: fetchedVersion(), Lang: a.lang}
	if o.Lang != "th" {
		o.Lang = "en"
	}
	top, found := "", false
	for _, dir := range dirs {
		p, err := a.folderPack(dir)
		if err != nil {
			return err
		}
		at := realPath(dir)
		t := gitTop(at)
		if found = t != ""; !found {
			if t = at; len(dirs) > 1 {
				return errors.New(a.t("repository-none", dir))
			}
		}
		if top != "" && t != top {
			return errors.New(a.t("repository-two", dirs[0], dir))
		}
		top = t
		rel, err := filepath.Rel(top, at)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if diag.Printable(rel) != rel || strings.Contains(rel, ":") || strings.HasPrefix(rel, "-") { // a line of a workflow and git's REV:PATH must hold it
			return errors.New(a.t("repository-name", diag.Printable(dir)))
		}
		if slices.ContainsFunc(o.Packs, func(q repository.Pack) bool { return q.Name == p.Name || q.Dir == rel }) {
			return errors.New(a.t("pack-twice", p.Name, dirs[0], dir))
		}
		o.Packs = append(o.Packs, repository.Pack{Name: p.Name, Dir: rel})
	}
	files, err := repository.Files(o)
	if err != nil {
		return err
	}
	if show {
		if a.json {
			out := map[string]string{}
			for _, f := range files {
				out[f.Name] = f.Data
			}
			return a.printJSON(out)
		}
		for i, f := range files {
			if i > 0 {
				a.println("")
			}
			a.heading(f.Name)
			a.printf("%s", f.Data)
		}
		return nil
	}
	wrote, left := []string{}, []string{}
	for _, f := range files {
		name := filepath.Join(top, filepath.FromSlash(f.Name))
		have, err := os.ReadFile(name)
		switch {
		case err == nil && bytes.Equal(have, []byte(f.Data)):
			continue
		case err == nil && !force:
			left = append(left, f.Name)
			continue
		case err != nil && exists(name):
			return err
		}
		if err := a.disk.Folder(filepath.Dir(name)); err != nil {
			return err
		}
		if err := a.disk.Write(name, []byte(f.Data)); err != nil {
			return err
		}
		if f.Mode&0o100 != 0 {
			if err := os.Chmod(name, 0o755); err != nil {
				return err
			}
		}
		wrote = append(wrote, f.Name)
	}
	return a.tellRepository(top, found, wrote, left)
}

func (a *app) tellRepository(top string, found bool, wrote, left []string) error {
	type step struct{ command, why string }
	var next []step
	dir := "" // where the commands are given, if not here
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(realPath(wd), top); err == nil && filepath.IsLocal(rel) && rel != "." {
			dir = filepath.ToSlash(rel)
		}
	}
	if dir != "" {
		next = append(next, step{"cd " + shellQuoted(dir), "repository-cd"})
	}
	if !found {
		next = append(next, step{"git init", "repository-init"})
	}
	next = append(next, step{"git config core.hooksPath .githooks", "repository-hook"}, step{"pre-commit install", "repository-pre-commit"},
		step{"gh secret set MOMON_KEY < FILE.key", "repository-key"})
	if a.json {
		commands := []string{}
		for _, s := range next {
			commands = append(commands, s.command)
		}
		return a.printJSON(map[string]any{"top": filepath.ToSlash(top), "wrote": wrote, "left": left, "next": commands})
	}
	for _, name := range wrote {
		a.println(a.t("new-wrote", name))
	}
	for _, name := range left {
		a.para(a.t("repository-left", name), 0)
	}
	if len(wrote)+len(left) == 0 {
		a.println(a.t("repository-same"))
	}
	a.println("")
	a.println(a.t("new-next"))
	for _, s := range next {
		a.println("  " + s.command)
		a.para(a.t(s.why), 6)
	}
	return nil
}
