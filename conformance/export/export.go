// Package export makes the conformance suite: the cases as JSON files that a
// program in any language can read, one for each numbered rule, and an index.
// docs/conformance.md explains them, conformance/schema has their schemas.
package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	"github.com/momon-rules/momon/conformance/load"
	"github.com/momon-rules/momon/interpreter"
)

// Version is the version of the suite's form. It counts up where a reader of the
// older form could misread the newer one; additions don't count.
const Version = 1

// Files are the files of a suite, by name.
type Files map[string][]byte

// Names lists the files in order.
func (f Files) Names() []string {
	var out []string
	for n := range f {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Index is the name of the file that lists the others, Loads that of the cases of
// tier data.
const (
	Index = "index.json"
	Loads = "load.json"
)

// Suite is what a suite says, before it is laid out as files.
type Suite struct {
	Cases []Case
	Lacks []*interpreter.NotExportable // cases that the vocabulary can't tell
}

// Case is a case as data, with what is known of it.
type Case struct {
	ID       string            `json:"id"`
	File     string            `json:"file"`
	Status   string            `json:"status"`
	Tier     string            `json:"tier"`
	Repairs  string            `json:"repairs,omitempty"`
	Features []string          `json:"features"`
	Title    map[string]string `json:"title"`

	Rule string          `json:"-"`
	Data json.RawMessage `json:"-"`
}

// Cases exports the cases of a program as one of their twins.
func Cases(p *interpreter.Program, twin interpreter.Twin) (*Suite, error) {
	s := &Suite{}
	for _, c := range p.Cases("en") {
		if c.Status == interpreter.Draft {
			continue
		}
		if len(c.Covers) == 0 || c.Kept != "" {
			continue // of no rule, or kept back by its author
		}
		list, err := p.ExportCase(c, twin)
		if lacks := (*interpreter.NotExportable)(nil); errors.As(err, &lacks) {
			s.Lacks = append(s.Lacks, lacks)
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, k := range list {
			e := Case{Data: k.Data, Rule: k.Rules[0], File: k.Rules[0] + ".json"}
			if err := json.Unmarshal(k.Data, &e); err != nil {
				return nil, fmt.Errorf("%s: %w", k.ID, err)
			}
			s.Cases = append(s.Cases, e)
		}
	}
	sort.SliceStable(s.Cases, func(i, j int) bool {
		a, b := &s.Cases[i], &s.Cases[j]
		if a.Rule != b.Rule {
			return interpreter.LessRule(a.Rule, b.Rule)
		}
		return a.ID < b.ID
	})
	return s, nil
}

// text is a text in the languages of the rules.
func text(langs []string, in func(lang string) string) map[string]string {
	out := map[string]string{}
	for _, l := range langs {
		if t := in(l); t != "" {
			out[l] = t
		}
	}
	return out
}

// Make writes the suite of a program's cases as files. retired is the list of ids
// that are no longer used, as JSON; loads are the cases of tier data, if it has any.
func Make(p *interpreter.Program, retired []byte, loads []*load.Case) (Files, *Suite, error) {
	s, err := Cases(p, interpreter.Twin{})
	if err != nil {
		return nil, nil, err
	}
	bad, err := loadCases(loads)
	if err != nil {
		return nil, nil, err
	}
	s.Cases = append(s.Cases, bad...)
	gone, err := Retired(retired)
	if err != nil {
		return nil, nil, err
	}
	used := map[string]bool{}
	for _, c := range s.Cases {
		if gone[c.ID] {
			return nil, nil, fmt.Errorf("the id %s is retired and can't be used again", c.ID)
		}
		if used[c.ID] {
			return nil, nil, fmt.Errorf("two cases are called %s", c.ID)
		}
		used[c.ID] = true
	}
	var langs []string
	for _, l := range p.Languages() {
		langs = append(langs, l.Code)
	}
	files := Files{}
	byRule := map[string][]json.RawMessage{}
	var ofLoads []json.RawMessage
	for _, c := range s.Cases {
		if c.Rule == "" {
			ofLoads = append(ofLoads, c.Data)
			continue
		}
		byRule[c.Rule] = append(byRule[c.Rule], c.Data)
	}
	byLang := map[string][]interpreter.Rule{}
	for _, l := range langs {
		byLang[l] = p.Rules(l)
	}
	var listed []any
	sum := sha256.New()
	for i, r := range byLang[langs[0]] {
		if byRule[r.Number] == nil && len(r.Statements) == 0 {
			continue
		}
		statements := []any{}
		for k, st := range r.Statements {
			statements = append(statements, ordered{
				{"statement", st.Key}, {"status", st.Status},
				{"text", text(langs, func(l string) string { return byLang[l][i].Statements[k].Text })},
			})
		}
		cases := byRule[r.Number]
		if cases == nil {
			cases = []json.RawMessage{}
		}
		name := r.Number + ".json"
		data, err := lay(ordered{
			{"$schema", "../schema/rule.schema.json"}, {"suite", Version}, {"rule", r.Number},
			{"summary", text(langs, func(l string) string { return byLang[l][i].Summary })},
			{"statements", statements}, {"cases", cases},
		})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = data
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		listed = append(listed, ordered{{"file", name}, {"rule", r.Number}, {"cases", len(cases)}})
		delete(byRule, r.Number)
	}
	for rule := range byRule {
		return nil, nil, fmt.Errorf("a case covers rule %s, which the rules don't have", rule)
	}
	if len(ofLoads) > 0 {
		data, err := lay(ordered{{"$schema", "../schema/load.schema.json"}, {"suite", Version}, {"cases", ofLoads}})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", Loads, err)
		}
		files[Loads] = data
		fmt.Fprintf(sum, "%s %d\n", Loads, len(data))
		sum.Write(data)
	}
	top := ordered{
		{"$schema", "../schema/index.schema.json"}, {"suite", Version}, {"protocols", []int{1}},
		{"edition", p.Edition()}, {"editions", editions(p, langs)}, {"digest", hex.EncodeToString(sum.Sum(nil))}, {"files", listed},
	}
	if len(ofLoads) > 0 {
		top = append(top, ordered{{"load", ordered{{"file", Loads}, {"cases", len(ofLoads)}}}}...)
	}
	index, err := lay(append(top, ordered{{"vocabulary", vocabulary(p, langs)}, {"cases", s.Cases}, {"retired", json.RawMessage(retired)}}...))
	if err != nil {
		return nil, nil, err
	}
	files[Index] = index
	return files, s, nil
}

// editions lists the editions that the rules know. A suite is of one of them.
func editions(p *interpreter.Program, langs []string) []any {
	byLang := map[string][]interpreter.EditionInfo{}
	for _, l := range langs {
		byLang[l] = p.Editions(l)
	}
	out := []any{}
	for i, e := range byLang[langs[0]] {
		out = append(out, ordered{{"edition", e.Name}, {"from", e.From}, {"title", text(langs, func(l string) string { return byLang[l][i].Shown })}})
	}
	return out
}

// loadCases are the cases of tier data, as those of a suite.
func loadCases(list []*load.Case) ([]Case, error) {
	var out []Case
	for _, c := range list {
		data, err := c.Data()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		e := Case{File: Loads, Data: data}
		if err := json.Unmarshal(data, &e); err != nil {
			return nil, fmt.Errorf("%s: %w", c.ID, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// Retired reads the list of ids that are no longer used.
func Retired(data []byte) (map[string]bool, error) {
	var list []struct {
		ID     string            `json:"id"`
		Since  string            `json:"since"`
		Reason map[string]string `json:"reason"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("retired ids: %w", err)
	}
	out := map[string]bool{}
	for _, r := range list {
		switch {
		case r.ID == "" || r.Since == "" || r.Reason["en"] == "" || r.Reason["th"] == "":
			return nil, fmt.Errorf("retired ids: %q needs an id, since when, and the reason in English and Thai", r.ID)
		case out[r.ID]:
			return nil, fmt.Errorf("retired ids: %q stands there twice", r.ID)
		}
		out[r.ID] = true
	}
	return out, nil
}

// ordered is a JSON object whose members stand in order.
type ordered []struct {
	Key   string
	Value any
}

// MarshalJSON writes the members in order.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for k, v := range []any{f.Key, f.Value} {
			if k == 1 {
				b.WriteByte(':')
			}
			if err := encode(&b, v); err != nil {
				return nil, err
			}
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line feed
	return nil
}

func lay(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := encode(&b, v); err != nil {
		return nil, err
	}
	return Layout(b.Bytes())
}

// vocabulary lists the names that cases speak of, as people read them.
func vocabulary(p *interpreter.Program, langs []string) ordered {
	byLang := map[string][]interpreter.Name{}
	for _, l := range langs {
		byLang[l] = p.Names(l)
	}
	lists := map[string][]any{}
	for i, n := range byLang[langs[0]] {
		shown := text(langs, func(l string) string { return byLang[l][i].Shown })
		o := ordered{{"name", n.Name}}
		if n.Of != "" {
			o = append(o, ordered{{"of", n.Of}}...)
		}
		if n.Type != "" {
			o = append(o, ordered{{"type", n.Type}}...)
		}
		if len(shown) > 0 {
			o = append(o, ordered{{"shown", shown}}...)
		}
		if n.Sort == interpreter.NameKeyword && len(n.Rules) == 0 {
			continue // written out where a case uses it
		}
		if n.Sort == interpreter.NameValues {
			var names []any
			for k, part := range n.Parts {
				names = append(names, ordered{{"name", part.Name}, {"shown", text(langs, func(l string) string { return byLang[l][i].Parts[k].Shown })}})
			}
			o = append(o, ordered{{"names", names}}...)
		}
		if n.Sort == interpreter.NameAction || n.Sort == interpreter.NameStep {
			roles, attrs := []any{}, []any{}
			for _, part := range n.Parts {
				e := ordered{{"name", part.Name}, {"type", part.Type}}
				if part.Sort == "role" {
					roles = append(roles, e)
				} else {
					attrs = append(attrs, e)
				}
			}
			o = append(o, ordered{{"roles", roles}, {"attributes", attrs}}...)
		}
		lists[string(n.Sort)] = append(lists[string(n.Sort)], o)
	}
	out := ordered{}
	for _, sort := range []interpreter.NameSort{interpreter.NameValues, interpreter.NameZone, interpreter.NameToken, interpreter.NameHeader, interpreter.NameKeyword,
		interpreter.NameLayer, interpreter.NameKind, interpreter.NameCharacteristic, interpreter.NameAction, interpreter.NameStep} {
		list := lists[string(sort)]
		if list == nil {
			list = []any{}
		}
		out = append(out, ordered{{string(sort), list}}...)
	}
	readings := []any{}
	byReading := map[string][]interpreter.Reading{}
	for _, l := range langs {
		byReading[l] = p.Readings(l)
	}
	for i, r := range byReading[langs[0]] {
		readings = append(readings, ordered{{"name", r.Name}, {"text", text(langs, func(l string) string { return byReading[l][i].Text })},
			{"chosen", r.Value}, {"others", r.Others}})
	}
	return append(out, ordered{{"reading", readings}}...)
}
