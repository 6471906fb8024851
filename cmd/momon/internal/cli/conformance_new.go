package cli

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cmd/momon/internal/skeleton"
	"github.com/momon-rules/momon/conformance"
)

// samples are the languages of the sample adapters, with what makes a program of
// one in a folder, which stands for %, and how it is started.
var samples = []struct {
	name, start string
	make        []string
}{
	{"go", "%/adapter", []string{"go mod init adapter", "go mod tidy", "go build -o adapter ."}},
	{"python", "python3 %/adapter.py", nil},
	{"typescript", "node %/dist/adapter.js", []string{"npm install", "npm run build"}},
}

func (a *app) adapterNewCmd() *cobra.Command {
	var names []string
	for _, s := range samples {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:   "new LANG DIR",
		Short: "Write a sample adapter, to begin with",
		Long: `Writes the sample adapter in LANG (go, python or typescript) to a new folder DIR:
glue to the protocol, beside a small engine that plays a few rules. It passes
adapter check as it stands, and says of all that its engine lacks that it is
unsupported. Put your engine in its place and map more.`,
		Example: `  momon conformance adapter new python ./my-adapter
  momon conformance adapter check -- python3 ./my-adapter/adapter.py`,
		Args: a.takes(2, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return errors.New(a.t("no-sample", args[0], strings.Join(names, ", ")))
			}
			return a.newAdapter(i, args[1])
		},
	}
}

func (a *app) newAdapter(i int, dir string) error {
	s := samples[i]
	dir = filepath.Clean(dir)
	sub, err := fs.Sub(conformance.Adapters, path.Join("adapters", s.name))
	if err != nil {
		return err
	}
	list, err := fs.ReadDir(sub, ".")
	if err != nil {
		return err
	}
	top := filepath.Base(dir)
	var files []skeleton.File
	var names []string
	for _, f := range list {
		data, err := fs.ReadFile(sub, f.Name())
		if err != nil {
			return err
		}
		files = append(files, skeleton.File{Name: top + "/" + f.Name(), Data: string(data)})
		names = append(names, filepath.ToSlash(filepath.Join(dir, f.Name())))
	}
	shown := filepath.ToSlash(dir)
	if _, err := os.Lstat(dir); err == nil {
		return errors.New(a.t("new-taken", shown))
	}
	if err := writeNew(filepath.Dir(dir), top, true, files); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return errors.New(a.t("new-taken", shown))
		}
		return err
	}
	at := shellQuoted(shown)
	if !filepath.IsAbs(dir) {
		at = shellQuoted("./" + shown)
	}
	var next []string
	if len(s.make) > 0 {
		next = append(next, "(cd "+at+" && "+strings.Join(s.make, " && ")+")")
	}
	start := strings.ReplaceAll(s.start, "%", at)
	next = append(next, "momon conformance adapter check -- "+start, "momon conformance run -- "+start)
	if a.json {
		return a.printJSON(map[string]any{"files": names, "next": next})
	}
	for _, n := range names {
		a.println(a.t("new-wrote", n))
	}
	a.println(a.t("new-next"))
	for _, n := range next {
		a.println("  " + n) // not broken, so that it can be copied
	}
	return nil
}
