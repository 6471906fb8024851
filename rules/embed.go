// Package rules holds the rules that are built into the program, as data.
package rules

import "embed"

// FS is the folder of built-in rule files.
//
//go:embed *.momon
var FS embed.FS

// Skeletons is the folder of first versions of rule files, for people who write
// their own.
//
//go:embed skeletons
var Skeletons embed.FS
