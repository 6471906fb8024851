// Package load holds the cases of tier data: rule files that must not load. They are
// for programs that take rules in our language, and say at which stage reading ends
// and with which code. Beside each stands the same with its slip mended, which must
// load, so that nothing but the slip is what is refused.
//
// A case lies in one of the archives *.txtar, as files under its id:
//
//	-- unknown-keyword/about --
//	stage: names
//	code: unknown-keyword
//	on: nothing         it stands on no rules; without this line, on those in force
//	en: A card has a keyword that nobody declared
//	th: …
//	-- unknown-keyword/my.momon --
//	-- unknown-keyword/mended/my.momon --
//
// A name with a folder in it (base/a.momon, house/b.momon) puts the file there;
// folders stand on each other in the order in which they come. A name that ends in
// .base64 is that of a file whose bytes are so written.
package load

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// Tier and Status are those of all these cases: the page of the rule language says
// what they expect, and not the rulebook.
const (
	Tier   = "data"
	Status = "language"
)

// What a case stands on.
const (
	OnRules   = "rules"
	OnNothing = "nothing"
)

// The outcomes.
const (
	Loaded  = "loaded"
	Refused = "refused"
)

// Result is what comes of loading the files of a case.
type Result struct {
	Load  string `json:"load"`
	Stage string `json:"stage,omitempty"` // refused: where reading ended
	Code  string `json:"code,omitempty"`  // refused: that of the first error
}

// File is a rule file of a case.
type File struct {
	Folder string  `json:"folder"`
	Name   string  `json:"name"`
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"` // in place of a text that is not UTF-8
}

// Case is a case as it is exported.
type Case struct {
	ID       string            `json:"id"`
	Repairs  string            `json:"repairs,omitempty"` // the case that this one mends
	Status   string            `json:"status"`
	Tier     string            `json:"tier"`
	Title    map[string]string `json:"title"`
	Features []string          `json:"features"`
	On       string            `json:"on"`
	Files    []File            `json:"files"`
	Expect   *Result           `json:"expect,omitempty"` // nil in what a program is sent

	Place interpreter.Place `json:"-"` // in the archive
}

// Cases are the built-in ones, by id, each before the one that mends it.
func Cases() ([]*Case, error) { return Read(conformance.Loads, "load") }

// Read reads the archives of a folder.
func Read(fsys fs.FS, dir string) ([]*Case, error) {
	names, err := fs.Glob(fsys, path.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var out []*Case
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		list, err := archive(path.Join("conformance", name), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, list...)
	}
	slices.SortStableFunc(out, func(a, b *Case) int { return strings.Compare(a.ID, b.ID) })
	for i := 1; i < len(out); i++ {
		if out[i].ID == out[i-1].ID {
			return nil, fmt.Errorf("two cases are called %s", out[i].ID)
		}
	}
	return out, nil
}

// repair is how the id of a mended case ends.
const repair = "~repair"

func archive(name string, data []byte) ([]*Case, error) {
	var out []*Case
	byID := map[string]*Case{}
	for _, f := range txtar.Parse(data).Files {
		id, rest, ok := strings.Cut(f.Name, "/")
		if !ok {
			return nil, fmt.Errorf("%s belongs to no case", f.Name)
		}
		if rest == "about" {
			c, err := about(id, string(f.Data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			c.Place = interpreter.Place{File: name, Line: 1 + strings.Count(before(string(data), "-- "+f.Name+" --"), "\n")}
			m := *c
			m.ID, m.Repairs, m.Expect = id+repair, id, &Result{Load: Loaded}
			out = append(out, c, &m)
			byID[id], byID[m.ID] = c, &m
			continue
		}
		if mended, ok := strings.CutPrefix(rest, "mended/"); ok {
			id, rest = id+repair, mended
		}
		c := byID[id]
		if c == nil {
			return nil, fmt.Errorf("%s stands before %s/about", f.Name, id)
		}
		file := File{Folder: "case", Name: rest}
		if dir, base := path.Split(rest); dir != "" {
			file.Folder, file.Name = path.Clean(dir), base
		}
		if plain, ok := strings.CutSuffix(file.Name, ".base64"); ok {
			b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(f.Data)))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			file.Name, file.Base64 = plain, b
		} else {
			text := string(f.Data)
			file.Text = &text
		}
		c.Files = append(c.Files, file)
	}
	for _, c := range out {
		if len(c.Files) == 0 {
			return nil, fmt.Errorf("%s has no files", c.ID)
		}
	}
	return out, nil
}

func before(s, sep string) string {
	a, _, _ := strings.Cut(s, sep)
	return a
}

func about(id, text string) (*Case, error) {
	c := &Case{ID: id, Status: Status, Tier: Tier, Title: map[string]string{}, Features: []string{}, On: OnRules, Expect: &Result{Load: Refused}}
	for line := range strings.Lines(text) {
		key, v, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case !ok:
			return nil, fmt.Errorf("the line %q says nothing", strings.TrimSpace(line))
		case key == "stage":
			c.Expect.Stage = v
		case key == "code":
			c.Expect.Code = v
		case key == "on" && v == OnNothing:
			c.On = v
		case key == "en" || key == "th":
			c.Title[key] = v
		default:
			return nil, fmt.Errorf("there is no %q here", strings.TrimSpace(line))
		}
	}
	if c.Expect.Stage == "" || c.Expect.Code == "" || len(c.Title) < 2 {
		return nil, fmt.Errorf("the stage, the code or a title is missing")
	}
	return c, nil
}

// Folders are the folders of a case, parsed.
func (c *Case) Folders() []interpreter.Folder {
	var out []interpreter.Folder
	for _, f := range c.Files {
		text := string(f.Base64)
		if f.Text != nil {
			text = *f.Text
		}
		i := slices.IndexFunc(out, func(d interpreter.Folder) bool { return d.Name == f.Folder })
		if i < 0 {
			i = len(out)
			out = append(out, interpreter.Folder{Name: f.Folder})
		}
		out[i].Files = append(out[i].Files, interpreter.ParseFile(path.Join(f.Folder, f.Name), text))
	}
	return out
}

// Try loads the files of a case, on the rules of a stage where it says so, and
// returns what came of it with all errors that were found.
func (c *Case) Try(s *interpreter.Stage) (Result, []*diag.Diagnostic) {
	var a *interpreter.Analysis
	if c.On == OnNothing {
		a = interpreter.Analyse(c.Folders(), interpreter.Options{})
	} else {
		a = s.Analyse(c.Folders()...)
	}
	errs := slices.DeleteFunc(slices.Clone(a.Diags), func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
	if a.Program != nil {
		return Result{Load: Loaded}, nil
	}
	// What is found earlier hides what would be found later, so it comes first.
	stage := func(d *diag.Diagnostic) int { return slices.Index(diag.StageNames(), diag.Stage(d.Code)) }
	slices.SortStableFunc(errs, func(a, b *diag.Diagnostic) int { return stage(a) - stage(b) })
	return Result{Load: Refused, Stage: diag.Stage(errs[0].Code), Code: errs[0].Code}, errs
}

// Data is the case as JSON.
func (c *Case) Data() (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(c)
	return bytes.TrimSpace(b.Bytes()), err
}
