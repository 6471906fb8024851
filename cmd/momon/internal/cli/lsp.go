package cli

import (
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cmd/momon/internal/lsp"
)

func (a *app) lspCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "lsp",
		Short: "Language server for editors, over standard input and output",
		Long: `Speaks the Language Server Protocol over standard input and output. An editor
starts it; docs/editors.md tells how to set one up. Each folder that is open in
the editor is checked as "momon check DIR" would, on top of the built-in rules
or those of --rules and --with; a folder in it with a file module.momon is a
module of its own.`,
		Example: `  momon lsp                      on the built-in rules
  momon lsp --with ./our-rules   on rules of your own
  momon lsp --lang th            messages in Thai`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			lang := ""
			if f := c.Flags().Lookup("lang"); f != nil && f.Changed {
				lang = a.lang
			}
			a.seen = map[string]string{}
			status := lsp.Serve(a.in, a.out, lsp.Options{
				Modules: lsp.Modules{Builtin: builtin, Folder: a.folder, Alone: a.standsAlone, Beneath: a.beneath, Complete: a.completed, Changed: a.changed},
				Rules:   a.rules, With: a.with, Edition: a.edition, Lang: lang, Version: version(), Log: a.err, Page: a.page,
				Say: func(lang, key string, args ...any) string {
					b := *a
					b.lang = lang
					return b.t(key, args...)
				},
				Fault: func(lang string, err error) string {
					b := *a
					b.lang = lang
					return b.fault(err)
				},
			})
			if status != exitFine {
				return errFound // exit came without shutdown, or the client left without a word
			}
			return nil
		},
	}
	// Clients of some editors say how they talk, though there is no other way here.
	c.Flags().Bool("stdio", false, "talk over standard input and output, which it does in any case")
	return c
}

// release is the version of a program that was built to be handed out; the linker
// sets it.
var release string

// version is that of the program.
func version() string {
	if release != "" {
		return release
	}
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return strings.Trim(b.Main.Version, "()")
	}
	return "devel"
}
