// Command momon plays, tests and explains rules that are written as data.
package main

import (
	"os"

	"github.com/momon-rules/momon/cmd/momon/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
