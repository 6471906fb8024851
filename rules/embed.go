// Package rules holds the rules that are built into the program, as data.
package rules

import "embed"

// FS is the folder of built-in rule files.
//
//go:embed *.momon
var FS embed.FS
