// Command manpages writes the program's manual pages and shell completions into a
// folder: man1 and th/man1, and completions. What stands in them is what the program's
// help says. It is for whoever packs the program; the program itself has no need of it.
//
//	go run ./cmd/momon/internal/manpages DIR
//
// The date in the pages is that of SOURCE_DATE_EPOCH, in seconds since 1970, or none,
// so that two runs write the same bytes.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/momon-rules/momon/cmd/momon/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manpages DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(2)
	}
}

func write(dir, epoch string) error {
	date := time.Unix(0, 0).UTC()
	if epoch != "" {
		n, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		date = time.Unix(n, 0).UTC()
	}
	for lang, sub := range map[string]string{"en": "man1", "th": filepath.Join("th", "man1")} {
		root := cli.Commands(lang)
		root.DisableAutoGenTag = true
		to := filepath.Join(dir, sub)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "momon", Manual: "momon", Date: &date}, to); err != nil {
			return err
		}
	}
	to := filepath.Join(dir, "completions")
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for shell, name := range map[string]string{"bash": "momon.bash", "zsh": "momon.zsh", "fish": "momon.fish", "powershell": "momon.ps1"} {
		var b bytes.Buffer
		if status := cli.Main([]string{"completion", shell}, strings.NewReader(""), &b, os.Stderr); status != 0 {
			return fmt.Errorf("completion %s: status %d", shell, status)
		}
		if err := os.WriteFile(filepath.Join(to, name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
