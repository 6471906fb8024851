// Package conformance holds the cases that say how the rules work, as data.
package conformance

import "embed"

// Cases is the folder of built-in cases.
//
//go:embed cases/*.momon
var Cases embed.FS
