package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/interpreter"
)

func (a *app) conformanceCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "conformance",
		Short: "Check another program against the cases of the rules",
		Long: `The cases as a suite that a program in any language can be checked with: files
that any program can read, and a protocol to ask it with. What they mean stands
in docs/conformance.md.`,
		Example: `  momon conformance export --check`,
		Args:    a.takes(0, 0),
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.exportCmd(), a.conformanceRunCmd(), a.serveCmd(), a.adapterCmd(), a.reportCmd(), a.diffCmd(), a.proveCmd(), a.fakeCmd(), a.compareCmd())
	return c
}

func (a *app) exportCmd() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "export [DIR]",
		Short: "Write the cases as JSON, for programs in any language",
		Long: `Writes the cases of the rules to DIR (conformance/suite unless named): an index
and a file for each numbered rule. The same rules give the same bytes. Files of
an older suite that are no longer in it are removed. With --check nothing is
written; exit status 1 means that the files are not those of the rules.`,
		Example: `  momon conformance export
  momon conformance export --check
  momon conformance export ./suite --with ./my-rules`,
		Args: a.takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := filepath.FromSlash("conformance/suite")
			if len(args) > 0 {
				dir = args[0]
			}
			return a.export(dir, check)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "change nothing; say which files are not as they would be")
	return c
}

func (a *app) export(dir string, check bool) error {
	p, err := a.load(true)
	if err != nil {
		return err
	}
	loads, err := a.loadCases()
	if err != nil {
		return err
	}
	files, suite, err := export.Make(p, conformance.Retired, loads)
	if err != nil {
		return err
	}
	if names, err := (interpreter.Source{Name: dir, FS: os.DirFS(dir)}).Files(); err == nil && len(names) > 0 {
		return errors.New(a.t("holds-rules", dir))
	}
	var stale, gone []string
	if !check {
		if err := a.disk.Folder(dir); err != nil {
			return err
		}
	}
	names := slices.DeleteFunc(files.Names(), func(n string) bool { return n == export.Index })
	for _, name := range append(names, export.Index) { // the index last: it speaks of the others
		at := filepath.Join(dir, name)
		have, err := os.ReadFile(at)
		if err == nil && bytes.Equal(have, files[name]) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if name == export.Index && err == nil {
			names, err := dropped(dir, have, files, check)
			if err != nil {
				return err
			}
			stale = append(stale, names...)
			if gone, err = unlisted(have, suite); err != nil {
				return err
			}
		}
		stale = append(stale, name)
		if !check {
			if err := a.disk.Write(at, files[name]); err != nil {
				return err
			}
		}
	}
	if a.json {
		lacks := []map[string]any{}
		for _, l := range suite.Lacks {
			lacks = append(lacks, map[string]any{"id": l.ID, "part": l.Part, "place": l.Place})
		}
		all := map[string]any{"cases": len(suite.Cases), "files": len(files), "changed": append([]string{}, stale...),
			"gone": append([]string{}, gone...), "not_exported": lacks}
		if err := a.printJSON(all); err != nil {
			return err
		}
	} else {
		for _, l := range suite.Lacks {
			a.println(a.t("not-exported", l.ID, l.Part))
		}
		for _, id := range gone {
			a.println(a.t("gone-id", id))
		}
		for _, name := range stale {
			word := "exported-file"
			if check {
				word = "stale-file"
			}
			a.println(a.t(word, name))
		}
		repairs := 0
		for _, c := range suite.Cases {
			if c.Repairs != "" {
				repairs++
			}
		}
		a.println(a.t("exported", len(suite.Cases), len(files)))
		if repairs > 0 {
			a.para(a.t("exported-repairs", len(suite.Cases)-repairs, repairs), 0)
		}
	}
	if check && len(stale) > 0 {
		return errFound
	}
	return nil
}

// dropped finds the files that an index speaks of and that are no longer in the
// suite, and removes them unless they are only to be found.
func dropped(dir string, index []byte, files export.Files, check bool) ([]string, error) {
	type file struct{ File string }
	var old struct {
		Files []file `json:"files"`
		Load  file   `json:"load"`
	}
	if json.Unmarshal(index, &old) != nil {
		return nil, nil // not an index that this program wrote; it is written anew
	}
	var out []string
	for _, f := range append(old.Files, old.Load) {
		if f.File == "" || files[f.File] != nil || f.File != filepath.Base(f.File) {
			continue
		}
		switch _, err := os.Stat(filepath.Join(dir, f.File)); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		out = append(out, f.File)
		if !check {
			if err := os.Remove(filepath.Join(dir, f.File)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// unlisted finds the ids that an index has, and that are neither in the suite nor
// retired: somebody may have a list with them, and looks for the reason.
func unlisted(index []byte, suite *export.Suite) ([]string, error) {
	var old struct {
		Cases []struct{ ID string } `json:"cases"`
	}
	if json.Unmarshal(index, &old) != nil {
		return nil, nil
	}
	known, err := export.Retired(conformance.Retired)
	if err != nil {
		return nil, err
	}
	for _, c := range suite.Cases {
		known[c.ID] = true
	}
	var out []string
	for _, c := range old.Cases {
		if !known[c.ID] {
			out = append(out, c.ID)
		}
	}
	return out, nil
}
