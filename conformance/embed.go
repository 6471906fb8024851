// Package conformance holds the cases that say how the rules work, as data.
package conformance

import "embed"

// Cases is the folder of built-in cases.
//
//go:embed cases/*.momon
var Cases embed.FS

// Loads are the cases of tier data: rule files that must not load. Package load
// reads them.
//
//go:embed load/*.txtar
var Loads embed.FS

// Adapters are the sample adapters, a folder for each language.
//
//go:embed adapters/go/*.go adapters/python/*.py adapters/typescript/*.ts adapters/typescript/*.json
var Adapters embed.FS

// Retired is the list of ids that cases had once and that no other case may take,
// as JSON: id, since, and reason in each language.
//
//go:embed retired.json
var Retired []byte

// Suite is the exported suite of the built-in rules: an index and a file for each
// numbered rule.
//
//go:embed suite/*.json
var Suite embed.FS

// Ledger tells of changes of the built-in rules that no case can see why that is so,
// as JSON (see package prove).
//
//go:embed ledger.json
var Ledger []byte

// CaseSchema is the JSON Schema of a case of the suite.
//
//go:embed schema/case.schema.json
var CaseSchema []byte
