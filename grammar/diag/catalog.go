package diag

import (
	"embed"
	"path"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The words of every code stand in a file of their own, so that a translator or
// a rules author changes them without reading Go:
//
//	stage: names       of an error: where reading the rules ends (see StageNames)
//	severity: warning  or note; an error where nothing is said
//	on: rules          the example stands on the built-in rules, not alone
//	-- summary.en --   one line: what is wrong, with {values} filled in
//	-- todo.en --      what to do; a line with a value that is not there is left out
//	-- cause.en --     how it comes about, for the help page
//	-- broken.momon -- a file that shows it
//	-- mended.momon -- the same, put right
//
// and .th beside each .en. {near} is the nearest known name. A value that begins
// with @ is a term, looked up in terms.txt.

//go:embed codes terms.txt
var files embed.FS

type entry map[string]string

type book struct {
	codes map[string]entry
	terms map[string]map[string]string // term, language
	names []string
}

var catalog = sync.OnceValue(func() *book {
	b := &book{codes: map[string]entry{}, terms: map[string]map[string]string{}}
	list, err := files.ReadDir("codes")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, f := range list {
		data, err := files.ReadFile(path.Join("codes", f.Name()))
		code, ok := strings.CutSuffix(f.Name(), ".txt")
		if err != nil || !ok {
			continue
		}
		b.codes[code] = sections(string(data))
		b.names = append(b.names, code)
	}
	sort.Strings(b.names)
	data, err := files.ReadFile("terms.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(data)) {
		part := strings.Split(line, "|")
		if len(part) == 3 {
			b.terms[strings.TrimSpace(part[0])] = map[string]string{"en": strings.TrimSpace(part[1]), "th": strings.TrimSpace(part[2])}
		}
	}
	return b
})

// sections reads a text archive. The format is txtar's; its package would bring
// in golang.org/x/tools for these few lines.
func sections(text string) entry {
	e := entry{}
	name := ""
	for line := range strings.Lines(text) {
		if s, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- "); ok && strings.HasSuffix(s, " --") {
			name = strings.TrimSuffix(s, " --")
			continue
		}
		e[name] += line
	}
	for k, v := range e {
		if !strings.HasSuffix(k, ".momon") {
			e[k] = strings.TrimSpace(v)
		}
	}
	return e
}

// Codes returns all codes that the catalog knows, sorted.
func Codes() []string { return append([]string(nil), catalog().names...) }

// Example returns a rule file that shows the code's slip and the same one
// mended, or "" where the catalog has none.
func Example(code string) (broken, mended string) {
	e := catalog().codes[code]
	return e["broken.momon"], e["mended.momon"]
}

// Stands returns what a code's example stands on: "rules" for the built-in rules,
// "" for nothing.
func Stands(code string) string { return headed(code, "on: ") }

// StageNames are the parts of reading rules, in order. Each error belongs to one, by
// its code:
//
//	text     bytes, characters, numbers and texts in quotation marks
//	form     how words make up lines and blocks
//	names    what a name stands for
//	meaning  whether what is said makes sense: types, places, amounts
func StageNames() []string { return []string{"text", "form", "names", "meaning"} }

// Stage returns the stage to which a code belongs, or "" for one that is never an
// error.
func Stage(code string) string { return headed(code, "stage: ") }

// headed returns what a code's entry says behind a word of its head, or "".
func headed(code, word string) string {
	for _, line := range strings.Split(catalog().codes[code][""], "\n") {
		if rest, ok := strings.CutPrefix(line, word); ok {
			return rest
		}
	}
	return ""
}

// SeverityOf returns how bad the findings of a code are, and whether there is such
// a code.
func SeverityOf(code string) (Severity, bool) {
	e, ok := catalog().codes[code]
	for _, line := range strings.Split(e[""], "\n") {
		switch line {
		case "severity: warning":
			return Warning, ok
		case "severity: note":
			return Note, ok
		}
	}
	return Error, ok
}

// Acceptable lists the codes that data can accept: those of warnings and notes.
func Acceptable() []string {
	var out []string
	for _, code := range catalog().names {
		if s, _ := SeverityOf(code); s != Error {
			out = append(out, code)
		}
	}
	return out
}

// lookup returns a section in the language, or in English.
func (e entry) lookup(section, lang string) string {
	if s := e[section+"."+lang]; s != "" {
		return s
	}
	return e[section+".en"]
}

// term returns the words for a term, or for a label that is not in terms.txt the
// label itself, readable.
func term(key, lang string) string {
	t := catalog().terms[key]
	if s := t[lang]; s != "" {
		return s
	}
	if s := t["en"]; s != "" {
		return s
	}
	return strings.ReplaceAll(key, "-", " ")
}

// Label returns the words for the label of a related place.
func Label(label, lang string) string { return term(label, lang) }

// Message returns the diagnostic's summary in the language ("en", "th"; any
// other is English). A code that the catalog does not know is shown with its
// values, so that no finding is lost.
func Message(d *Diagnostic, lang string) string {
	e, ok := catalog().codes[d.Code]
	if !ok || e.lookup("summary", lang) == "" {
		var b strings.Builder
		b.WriteString(strings.ReplaceAll(d.Code, "-", " "))
		for i := 0; i+1 < len(d.Values); i += 2 {
			if i == 0 {
				b.WriteString(": ")
			} else {
				b.WriteString(", ")
			}
			b.WriteString(d.Values[i] + " ")
			v, isTerm := value(d.Values[i+1], lang)
			if isTerm {
				b.WriteString(v)
			} else {
				b.WriteString("`" + v + "`")
			}
		}
		return b.String()
	}
	s, _ := fill(e.lookup("summary", lang), d, lang)
	return s
}

// Todo returns what to do about the diagnostic, in the language, or "".
func Todo(d *Diagnostic, lang string) string {
	var out []string
	near, otherwise := false, term("otherwise", lang)+" "
	for line := range strings.Lines(catalog().codes[d.Code].lookup("todo", lang)) {
		line = strings.TrimSpace(line)
		s, full := fill(line, d, lang)
		if line == "" || !full {
			continue
		}
		if rest, ok := strings.CutPrefix(s, otherwise); ok && len(out) == 0 {
			r, n := utf8.DecodeRuneInString(rest) // there is no other advice before it
			s = string(unicode.ToUpper(r)) + rest[n:]
		}
		near = near || strings.Contains(line, "{near}")
		out = append(out, s)
	}
	if d.Near != "" && !near {
		out = append([]string{strings.ReplaceAll(term("did-you-mean", lang), "{near}", printable(d.Near))}, out...)
	}
	return strings.Join(out, " ")
}

// Help returns the code's page in the language: what it means, how it comes
// about, what to do, and an example. It is plain text with Markdown headings.
func Help(code, lang string) (string, bool) {
	e, ok := catalog().codes[code]
	if !ok {
		return "", false
	}
	any := &Diagnostic{Code: code, Near: "…"}
	for _, k := range placeholders(e) {
		any.Values = append(any.Values, k, "…")
	}
	return HelpFor(any, lang), true
}

// HelpFor is the page of Help with what is said of one finding, such as that in the
// page's own example.
func HelpFor(d *Diagnostic, lang string) string {
	e := catalog().codes[d.Code]
	var b strings.Builder
	section := func(title, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			b.WriteString("\n## " + term(title, lang) + "\n\n" + text + "\n")
		}
	}
	indent := func(s string) string {
		var b strings.Builder
		for line := range strings.Lines(s) {
			b.WriteString("    " + line)
		}
		return b.String()
	}
	b.WriteString("# " + d.Code + "\n\n" + Message(d, lang) + "\n")
	if stage := Stage(d.Code); stage != "" {
		b.WriteString("\n" + term("stage-"+stage, lang) + "\n")
	}
	section("help-cause", e.lookup("cause", lang))
	section("help-todo", Todo(d, lang))
	section("help-broken", indent(e["broken.momon"]))
	section("help-mended", indent(e["mended.momon"]))
	return b.String()
}

func placeholders(e entry) []string {
	var out []string
	for _, s := range []string{"summary.en", "summary.th", "todo.en", "todo.th"} {
		rest := e[s]
		for {
			_, after, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			name, tail, ok := strings.Cut(after, "}")
			if !ok {
				break
			}
			if isSlug(name) && name != "near" {
				out = append(out, name)
			}
			rest = tail
		}
	}
	return out
}

func isSlug(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_' && (r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func value(v, lang string) (string, bool) {
	if len(v) > 1 && v[0] == '@' {
		if _, ok := catalog().terms[v[1:]]; ok {
			return term(v[1:], lang), true
		}
	}
	return printable(v), false
}

// fill puts the diagnostic's values into a template and reports whether all that
// it asks for was there. Code quotes around a term are dropped: `{found}` is
// shown as `foo`, but as: the end of the line.
func fill(s string, d *Diagnostic, lang string) (string, bool) {
	full := true
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "{")
		name, rest, closed := strings.Cut(after, "}")
		if !ok || !closed {
			b.WriteString(s)
			return b.String(), full
		}
		if !isSlug(name) {
			b.WriteString(before + "{")
			s = after
			continue
		}
		v, isTerm := d.Near, false
		if name == "near" {
			v = printable(v)
		} else {
			v, isTerm = value(d.Value(name), lang)
		}
		full = full && v != ""
		if isTerm && strings.HasSuffix(before, "`") && strings.HasPrefix(rest, "`") {
			before, rest = before[:len(before)-1], rest[1:]
			if r, _ := utf8.DecodeRuneInString(v); lang == "th" && r >= utf8.RuneSelf {
				before = strings.TrimSuffix(before, " ") // Thai runs its words together
				if r, _ := utf8.DecodeLastRuneInString(v); r >= utf8.RuneSelf && !strings.HasPrefix(rest, " แต่") {
					rest = strings.TrimPrefix(rest, " ")
				}
			}
		}
		b.WriteString(before + v)
		s = rest
	}
}
