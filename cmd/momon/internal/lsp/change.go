package lsp

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/format"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// --- layout

type formatParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        *textRange `json:"range"`
}

// format lays a file out, or some lines of it.
func (s *server) format(ctx context.Context, p *formatParams) (any, error) {
	_, _, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	src := f.Source()
	text, _, err := format.File(src, format.Options{})
	if err != nil {
		return nil, err
	}
	text = strings.TrimPrefix(text, bom)
	edits := format.Edits(src, text)
	l := s.linesOf(f)
	if p.Range != nil {
		from, to := l.offset(p.Range.Start), l.offset(p.Range.End)
		edits = format.Range(src, text, src.Line(from), src.Line(to))
	}
	out := []textEdit{}
	for _, e := range edits {
		start, end := len(src.Text), len(src.Text)
		if e.From <= src.Lines() {
			start = src.LineStart(e.From)
		}
		if e.To <= src.Lines() {
			end = src.LineStart(e.To)
		}
		out = append(out, textEdit{l.span(start, end), e.Text})
	}
	return out, nil
}

// --- fixes

// codeActions offers to mend what is wrong at a place.
func (s *server) codeActions(ctx context.Context, p *struct {
	TextDocument documentID `json:"textDocument"`
	Range        textRange  `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}) (any, error) {
	u, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []codeAction{}, ctx.Err()
	}
	wanted := func(kind string) bool {
		for _, o := range p.Context.Only {
			if kind == o || strings.HasPrefix(kind, o+".") {
				return true
			}
		}
		return len(p.Context.Only) == 0
	}
	lang := s.language()
	l := s.linesOf(f)
	from, to := l.offset(p.Range.Start), l.offset(p.Range.End)
	out := []codeAction{}
	var safe []*diag.Diagnostic
	for _, d := range r.Diags {
		if d.Severity != diag.Error && d.Accepted == nil && d.Span.File == f.Source() && d.Span.End >= from && d.Span.Start <= to && wanted("quickfix") {
			if at := s.acceptable(u, r, f, d, lang); at >= 0 {
				var shown diagnostic
				s.locked(func() { shown = s.convert(d, lang) })
				out = append(out, codeAction{Title: fmt.Sprintf(words("accept", lang), d.Code), Kind: "quickfix", Diagnostics: []diagnostic{shown},
					Edit: s.edit(map[*source.File][]textEdit{f.Source(): {{l.span(at, at), acceptance(d.Code, lang)}}})})
			}
		}
		fix := d.Fix
		if fix == nil {
			fix = nearest(d)
		}
		if fix == nil || fix.Span.File != f.Source() {
			continue
		}
		if !fix.Guess {
			safe = append(safe, d)
		}
		if d.Span.File != f.Source() || d.Span.End < from || d.Span.Start > to || !wanted("quickfix") {
			continue
		}
		var shown diagnostic
		s.locked(func() { shown = s.convert(d, lang) })
		out = append(out, codeAction{Title: fixTitle(fix, lang), Kind: "quickfix", Diagnostics: []diagnostic{shown}, Preferred: !fix.Guess,
			Edit: s.edit(map[*source.File][]textEdit{f.Source(): {{l.span(fix.Span.Start, fix.Span.End), fix.Text}}})})
	}
	if len(safe) > 0 && wanted("source.fixAll") {
		sort.SliceStable(safe, func(i, j int) bool { return safe[i].Fix.Span.Before(safe[j].Fix.Span) })
		var edits []textEdit
		end := -1
		for _, d := range safe {
			if d.Fix.Span.Start < end || d.Fix.Span.Start == end && end >= 0 && d.Fix.Span.Start == d.Fix.Span.End {
				continue // it touches another; the next look will offer it again
			}
			end = d.Fix.Span.End
			edits = append(edits, textEdit{l.span(d.Fix.Span.Start, d.Fix.Span.End), d.Fix.Text})
		}
		out = append(out, codeAction{Title: words("fix-all", lang), Kind: "source.fixAll", Edit: s.edit(map[*source.File][]textEdit{f.Source(): edits})})
	}
	return out, nil
}

// acceptance is what accepts a warning in the margin. The reason is the writer's to
// give; what stands there asks for it.
func acceptance(code, lang string) string {
	return " accept " + code + ` because "` + words("reason", lang) + `"`
}

// acceptable finds where the margin of a warning's line is: where an acceptance, once
// put in, takes just that warning away. It is tried out, since the place hangs on what
// sort of line it is; -1 is for none.
func (s *server) acceptable(u *unit, r *result, f *interpreter.RuleFile, d *diag.Diagnostic, lang string) int {
	text := f.Source().Text
	was := map[string]int{}
	for _, x := range r.Diags {
		if x.Accepted == nil {
			was[x.Code]++
		}
	}
	tried := map[int]bool{}
	for _, at := range margins(f, d.Span) {
		if tried[at] {
			continue
		}
		tried[at] = true
		name := f.Source().Name
		file := interpreter.ParseFile(name, text[:at]+acceptance(d.Code, lang)+text[at:])
		if len(file.Slips()) > len(f.Slips()) {
			continue
		}
		now := map[string]int{}
		worse := false
		for _, x := range s.tried(u, map[string]*interpreter.RuleFile{name: file}).Diags {
			if x.Accepted == nil {
				now[x.Code]++
			}
			worse = worse || now[x.Code] > was[x.Code]
		}
		if !worse && now[d.Code] == was[d.Code]-1 {
			return at
		}
	}
	return -1
}

// margins lists the ends of the clauses that hold a place, innermost first, each
// before its block and behind it.
func margins(f *interpreter.RuleFile, span source.Span) []int {
	var out []int
	depth, last, beyond := 0, -1, false
	for _, t := range tokens(f) {
		if t.End <= span.End && t.Kind != grammar.EOF {
			if t.Kind != grammar.EOL && t.Kind != grammar.Comment {
				last = t.End
			}
			continue
		}
		beyond = true
		punct := t.Kind == grammar.Punct
		switch {
		case last < 0 || len(out) > 8:
			return out
		case depth == 0 && (t.Kind == grammar.EOL || t.Kind == grammar.EOF || t.Kind == grammar.Comment || punct && (t.Text == "{" || t.Text == "}" || t.Text == ":")):
			out = append(out, last)
		}
		if punct && t.Text == "{" {
			depth++
		} else if punct && t.Text == "}" {
			depth = max(0, depth-1)
		}
		if t.Kind != grammar.EOL && t.Kind != grammar.Comment {
			last = t.End
		}
		if t.Kind == grammar.EOL && depth == 0 && t.Start > span.End && len(out) > 3 {
			break
		}
	}
	if !beyond && last >= 0 {
		out = append(out, last)
	}
	return out
}

// nearest makes a guess of the nearest known name, where the diagnostic is about
// just the name that stands there.
func nearest(d *diag.Diagnostic) *diag.Fix {
	if d.Near == "" || d.Span.File == nil {
		return nil
	}
	at := inner(d.Span)
	text := grammar.Fold(at.Text())
	for i := 0; i+1 < len(d.Values); i += 2 {
		if v := d.Values[i+1]; v == text && v != "" {
			near := d.Near
			if at == d.Span && strings.Contains(near, " ") && !strings.Contains(text, " ") {
				near = `"` + near + `"`
			}
			return &diag.Fix{Span: at, Text: near, Guess: true}
		}
	}
	return nil
}

func fixTitle(f *diag.Fix, lang string) string {
	old, text := cut(strings.TrimSpace(f.Span.Text()), 40), cut(strings.TrimSpace(f.Text), 40)
	switch {
	case text == "":
		return fmt.Sprintf(words("away", lang), "`"+old+"`")
	case f.Guess:
		return fmt.Sprintf(words("guess", lang), "`"+text+"`")
	case old == "":
		return fmt.Sprintf(words("put", lang), "`"+text+"`")
	}
	return fmt.Sprintf(words("fix", lang), "`"+old+"` → `"+text+"`")
}

// edit makes a workspace edit. Where the client can, it names the versions that the
// edits are meant for.
func (s *server) edit(byFile map[*source.File][]textEdit) *workspaceEdit {
	out := &workspaceEdit{}
	files := make([]*source.File, 0, len(byFile))
	for f := range byFile {
		files = append(files, f)
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name < files[j].Name })
	s.locked(func() {
		for _, f := range files {
			uri := s.uri(f.Name)
			if !s.client.Capabilities.Workspace.WorkspaceEdit.DocumentChanges {
				if out.Changes == nil {
					out.Changes = map[string][]textEdit{}
				}
				out.Changes[uri] = byFile[f]
				continue
			}
			var e documentEdit
			e.TextDocument.URI = uri
			if d := s.docs[f.Name]; d != nil {
				v := d.version
				e.TextDocument.Version = &v
			}
			e.Edits = byFile[f]
			out.DocumentChanges = append(out.DocumentChanges, e)
		}
	})
	return out
}

// --- names

// renamed is what a rename would do.
type renamed struct {
	y    *interpreter.Symbol
	at   interpreter.Mention
	list []interpreter.Mention
}

// target finds what is to be renamed, and refuses what can't be.
func (s *server) target(ctx context.Context, u *unit, r *result, f *interpreter.RuleFile, at int) (*renamed, error) {
	lang := s.language()
	found := r.Index.At(f.Source(), at)
	if len(found) == 0 {
		return nil, fmt.Errorf("%s", words("rename-none", lang))
	}
	m := found[0]
	if len(found) > 1 {
		for _, x := range found {
			if x.Symbol.Sort == interpreter.NameLocal && x.Loose {
				return nil, fmt.Errorf(words("rename-many", lang), x.Symbol.Name)
			}
		}
	}
	list, err := s.everyMention(ctx, u, r, m.Symbol.Key)
	if err != nil {
		return nil, err
	}
	declared := false
	for _, x := range list {
		declared = declared || x.Declares
		if x.Loose {
			return nil, fmt.Errorf(words("rename-many", lang), m.Symbol.Name)
		}
		refused := false
		s.locked(func() {
			refused = s.builtin(x.Span.File.Name) || len(s.folders) > 0 && s.folderOf(x.Span.File.Name) == ""
		})
		if refused {
			return nil, fmt.Errorf(words("rename-own", lang), m.Symbol.Name, x.Span.File.Name)
		}
	}
	if !declared { // the program itself declares it
		return nil, fmt.Errorf(words("rename-own", lang), m.Symbol.Name, words("built-in", lang))
	}
	return &renamed{m.Symbol, m, list}, nil
}

// prepareRename tells what a rename at a place would change.
func (s *server) prepareRename(ctx context.Context, p *positionParams) (any, error) {
	u, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	l := s.linesOf(f)
	t, err := s.target(ctx, u, r, f, l.offset(p.Position))
	if err != nil {
		return nil, err
	}
	at := inner(t.at.Span)
	return map[string]any{"range": l.span(at.Start, at.End), "placeholder": t.y.Name}, nil
}

// inner is a span without its quotation marks.
func inner(s source.Span) source.Span {
	if text := s.Text(); len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		s.Start++
		s.End--
	}
	return s
}

// rename gives a thing another name, in every place that speaks of it. What comes
// of it is checked before it is offered: nothing new may be wrong, and every name
// must still mean what it meant.
func (s *server) rename(ctx context.Context, p *struct {
	positionParams
	NewName string `json:"newName"`
}) (any, error) {
	u, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	lang := s.language()
	t, err := s.target(ctx, u, r, f, s.linesOf(f).offset(p.Position))
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(p.NewName)
	if name == t.y.Name {
		return nil, fmt.Errorf("%s", words("rename-same", lang))
	}
	if !nameable(t.y, name) {
		return nil, fmt.Errorf(words("rename-name", lang), p.NewName)
	}
	spots := map[*source.File][]replacement{}
	for _, m := range t.list {
		spots[m.Span.File] = append(spots[m.Span.File], replacement{m.Span, spelled(t.y, m, name)})
	}
	if err := s.holdsUp(ctx, t, spots, name, lang); err != nil {
		return nil, err
	}
	edits := map[*source.File][]textEdit{}
	for file, list := range spots {
		var l *lines
		s.locked(func() { l = s.lines(file) })
		for _, x := range list {
			edits[file] = append(edits[file], textEdit{l.span(x.at.Start, x.at.End), x.text})
		}
	}
	return s.edit(edits), nil
}

type replacement struct {
	at   source.Span
	text string
}

// nameable reports whether a text can be written where names of the sort stand.
func nameable(y *interpreter.Symbol, name string) bool {
	if name == "" || strings.ContainsAny(name, "\"\\\n\r{}") {
		return false
	}
	switch y.Sort {
	case interpreter.NameCard, interpreter.NameDeck, interpreter.NameCase, interpreter.NameEdition, interpreter.NameReading, interpreter.NameStatement:
		return true
	}
	toks := grammar.Tokens(source.NewFile("", name), &diag.List{})
	n := 0
	for _, t := range toks {
		switch t.Kind {
		case grammar.EOF, grammar.EOL:
			continue
		case grammar.Word, grammar.Ident:
		case grammar.RuleNo, grammar.Int:
			if y.Sort != interpreter.NameRule {
				return false
			}
		default:
			return false
		}
		n++
	}
	switch y.Sort {
	case interpreter.NameHeader, interpreter.NameKeyword, interpreter.NameValue, interpreter.NameToken:
		return n >= 1
	}
	return n == 1
}

// spelled is the new name as it is to be written at a place.
func spelled(y *interpreter.Symbol, m interpreter.Mention, name string) string {
	if strings.HasPrefix(m.Span.Text(), `"`) {
		return `"` + name + `"`
	}
	// Where a line begins with it, a name of several words stands without quotes.
	phrase := (y.Sort == interpreter.NameHeader || y.Sort == interpreter.NameKeyword) && !m.Declares
	if strings.Contains(name, " ") && !phrase {
		return `"` + name + `"`
	}
	return name
}

// holdsUp checks the files as they would be.
func (s *server) holdsUp(ctx context.Context, t *renamed, spots map[*source.File][]replacement, name, lang string) error {
	texts := map[string]string{}
	shift := map[string][]replacement{}
	for f, list := range spots {
		sort.Slice(list, func(i, j int) bool { return list[i].at.Start < list[j].at.Start })
		var b strings.Builder
		at := 0
		for _, x := range list {
			b.WriteString(f.Text[at:x.at.Start])
			b.WriteString(x.text)
			at = x.at.End
		}
		b.WriteString(f.Text[at:])
		texts[f.Name], shift[f.Name] = b.String(), list
	}
	// moved is where a place of the old text lies in the new one.
	moved := func(file string, at int) int {
		by := 0
		for _, x := range shift[file] {
			if x.at.End <= at {
				by += len(x.text) - (x.at.End - x.at.Start)
			}
		}
		return at + by
	}
	var units []*unit
	s.locked(func() {
		for _, k := range s.keys() {
			u := s.units[k]
			for _, l := range u.layers {
				for _, n := range l.files {
					if _, ok := texts[n]; ok {
						units = append(units, u)
						goto next
					}
				}
			}
		next:
		}
	})
	parsed := map[string]*interpreter.RuleFile{}
	for n, text := range texts {
		parsed[n] = interpreter.ParseFile(n, text)
	}
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return err
		}
		old := s.analyse(u)
		now := s.tried(u, parsed)
		was := map[string]int{}
		for _, d := range old.Diags {
			was[d.Code]++
		}
		for _, d := range now.Diags {
			if was[d.Code]--; was[d.Code] < 0 && d.Severity != diag.Note {
				where := ""
				if d.Span.File != nil {
					where = fmt.Sprintf("%s:%d", d.Span.File.Name, d.Span.File.Line(d.Span.Start))
				}
				return fmt.Errorf(words("rename-bad", lang), where, diag.Message(d, lang))
			}
		}
		if err := sameMeaning(old.Index, now.Index, old, parsed, moved, t, lang); err != nil {
			return err
		}
	}
	return nil
}

// tried analyses a unit with some files put in place of others.
func (s *server) tried(u *unit, instead map[string]*interpreter.RuleFile) *interpreter.Analysis {
	s.work.Lock()
	defer s.work.Unlock()
	var folders []interpreter.Folder
	s.locked(func() { folders, _ = s.gather(u) })
	for i := range folders {
		files := append([]*interpreter.RuleFile(nil), folders[i].Files...)
		for k, f := range files {
			if n := instead[f.Source().Name]; n != nil {
				files[k] = n
			}
		}
		folders[i].Files = files
	}
	return interpreter.Analyse(folders, interpreter.Options{Edition: s.edition, Index: true, Warnings: true})
}

// sameMeaning holds two indexes against each other: whatever named a thing before
// must name what was declared in the same place after.
func sameMeaning(was, is *interpreter.Index, old *result, parsed map[string]*interpreter.RuleFile, moved func(string, int) int, t *renamed, lang string) error {
	for n, f := range parsed {
		before := old.files[n]
		if before == nil {
			continue
		}
		var a, b []string
		list := func(x *interpreter.Index, f *source.File, move bool) []string {
			var out []string
			for _, m := range x.File(f) {
				home := ""
				for _, d := range m.Symbol.Mentions {
					if d.Declares {
						at := d.Span.Start
						if move {
							at = moved(d.Span.File.Name, at)
						}
						home = fmt.Sprint(d.Span.File.Name, at)
						break
					}
				}
				at := m.Span.Start
				if move {
					at = moved(n, at)
				}
				out = append(out, fmt.Sprint(at, " ", m.Symbol.Sort, " ", home))
			}
			sort.Strings(out)
			return out
		}
		a, b = list(was, before.Source(), true), list(is, f.Source(), false)
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				return fmt.Errorf(words("rename-else", lang), n)
			}
		}
	}
	return nil
}
