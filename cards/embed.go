// Package cards holds the cards that are built into the program, as data.
package cards

import "embed"

// FS is the folder of built-in cards, keywords of the set and decks.
//
//go:embed *.momon
var FS embed.FS
