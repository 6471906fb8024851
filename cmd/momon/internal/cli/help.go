package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"strings"
	"testing/fstest"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// helpCmd is help for commands, and for the codes of diagnostics.
func (a *app) helpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | CODE]",
		Short: "Help about a command, or about a code that check shows",
		Long:  "Shows help for a command, or the page of a diagnostic's code: what it means, how\nit comes about, and a broken and a mended example.",
		Example: `  momon help play
  momon help unknown-name
  momon help codes               all codes`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			if c, rest, err := root.Find(args); err == nil && c != root && len(rest) == 0 {
				return c.Help()
			}
			if args[0] == "codes" {
				if a.json {
					return a.printJSON(diag.Codes())
				}
				for _, c := range diag.Codes() {
					a.println(c)
				}
				return nil
			}
			code := strings.Trim(args[0], "[]")
			page, ok := a.page(code, a.lang)
			if !ok {
				near := diag.Nearest(code, diag.Codes())
				if near != "" {
					return errors.New(a.t("no-code-near", code, near))
				}
				return errors.New(a.t("no-code", code))
			}
			if a.json {
				return a.printJSON(map[string]string{"code": code, "page": page})
			}
			fmt.Fprint(a.out, page)
			return nil
		},
	}
}

// page is the page of a code, which speaks of what is found in its own example.
func (a *app) page(code, lang string) (string, bool) {
	if _, ok := diag.SeverityOf(code); !ok {
		return "", false
	}
	if d := a.exampleOf(code); d != nil {
		return diag.HelpFor(d, lang), true
	}
	return diag.Help(code, lang)
}

// exampleOf is what is found in the broken example of a code's page, so that the page
// speaks of that one; nil where the code is not found in it.
func (a *app) exampleOf(code string) *diag.Diagnostic {
	broken, _ := diag.Example(code)
	if broken == "" {
		return nil
	}
	var src []interpreter.Source
	if diag.Stands(code) == "rules" {
		src = builtin(false)
	}
	file := fstest.MapFS{"example.momon": &fstest.MapFile{Data: []byte(broken)}}
	severity, _ := diag.SeverityOf(code)
	_, found, _ := interpreter.Load(a.ctx, append(src, interpreter.Source{Name: "example", FS: file}), interpreter.Options{Warnings: severity != diag.Error})
	for _, d := range found {
		if d.Code == code && (d.Span.File == nil || strings.HasPrefix(d.Span.File.Name, "example/")) {
			return d
		}
	}
	return nil
}

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show the version of the program and of its rules",
		Example: "  momon version\n  momon version --json",
		Args:    a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			p, err := a.load(false)
			if err != nil {
				return err
			}
			suite, err := suiteIndex()
			if err != nil {
				return err
			}
			version := version()
			if a.json {
				return a.printJSON(map[string]any{"momon": version, "go": runtime.Version(), "language": p.Language(), "edition": p.Edition(),
					"digest": p.Digest(), "packs": packsJSON(p), "suite": suite.Suite, "suite_digest": suite.Digest, "suite_edition": suite.Edition})
			}
			a.println("momon     " + version)
			a.println("go        " + runtime.Version())
			a.println(fmt.Sprintf("language  %d", p.Language()))
			a.println("edition   " + p.Edition())
			a.println("rules     " + p.Digest()[:16])
			for _, id := range p.PackIDs() {
				a.println("pack      " + id.String())
			}
			a.println(fmt.Sprintf("suite     %d, %s", suite.Suite, suite.Digest[:16]))
			return nil
		},
	}
}

// suite is what the index of the built-in suite says of itself.
type suite struct {
	Suite   int    `json:"suite"`
	Edition string `json:"edition"`
	Digest  string `json:"digest"`
}

func suiteIndex() (s suite, err error) {
	data, err := fs.ReadFile(conformance.Suite, path.Join("suite", export.Index))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(data, &s)
}
