package lsp

import (
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

var severities = map[diag.Severity]int{diag.Error: 1, diag.Warning: 2, diag.Note: 3}

// message words a diagnostic for one who has the line before their eyes.
func message(d *diag.Diagnostic, lang string) string {
	text := diag.Message(d, lang)
	if todo := diag.Todo(d, lang); todo != "" {
		text += "\n" + todo
	}
	return text
}

// convert makes a diagnostic of the protocol.
func (s *server) convert(d *diag.Diagnostic, lang string) diagnostic {
	out := diagnostic{Severity: severities[d.Severity], Code: d.Code, Source: "momon", Message: message(d, lang)}
	if d.Span.File != nil {
		out.Range = s.lines(d.Span.File).span(d.Span.Start, d.Span.End)
	}
	if href := s.help.page(s, d.Code, lang); href != "" {
		out.CodeDesc = &codeDesc{href}
	}
	for _, x := range d.Related {
		if loc, ok := s.location(x.Span); ok {
			out.Related = append(out.Related, relatedInfo{loc, diag.Label(x.Label, lang)})
		}
	}
	if a := d.Accepted; a != nil { // a hint: clients show little of it, and its reason is there to be read
		out.Severity = 4
		out.Message += "\n" + diag.Label("accepted", lang) + ": " + a.Reason
	}
	if unused[d.Code] {
		out.Tags = []int{1}
	}
	return out
}

// unused are the codes of what can be left out, which clients show paler.
var unused = map[string]bool{"unused-local": true, "unused-parameter": true}

// location is where a span lies, as the client can open it.
func (s *server) location(at source.Span) (location, bool) {
	if at.File == nil {
		return location{}, false
	}
	uri := s.openable(at.File.Name)
	if uri == "" {
		return location{}, false
	}
	return location{uri, s.lines(at.File).span(at.Start, at.End)}, true
}

// openable is the URI of a file by the name that messages have for it. What is
// built in is written to a folder for reading.
func (s *server) openable(name string) string {
	if isFile(name) || s.docs[name] != nil {
		return s.uri(name)
	}
	dir, err := s.builtinDir()
	if err != nil {
		s.log("%v", err)
		return ""
	}
	return fileURI(path.Join(dir, name))
}

// publish tells the client what is wrong with the user's files of a unit.
func (s *server) publish(u *unit, r, base *result) {
	lang := s.language()
	byFile := map[string][]*diag.Diagnostic{}
	for _, d := range r.Diags {
		if d.Span.File != nil {
			byFile[d.Span.File.Name] = append(byFile[d.Span.File.Name], d)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.units[u.dir] != u && s.units[u.dir+"\x00"] != u {
		return // the folder was closed meanwhile
	}
	theirs := r.theirs(base)
	for i, name := range r.own {
		if s.unitFor(name) != u || r.files[name] != s.current(name) {
			continue // what it now holds is looked at next
		}
		out := []diagnostic{}
		for _, d := range byFile[name] {
			out = append(out, s.convert(d, lang))
		}
		if i == 0 {
			for _, d := range theirs {
				out = append(out, s.elsewhere(d, lang))
			}
			if u.err != nil {
				text := u.err.Error()
				if s.opts.Fault != nil {
					text = s.opts.Fault(lang, u.err)
				}
				out = append(out, diagnostic{Severity: 1, Code: "not-read", Source: "momon", Message: text})
			}
		}
		out = append(out, s.runs.diagnostics(s, u, r, r.files[name], lang)...)
		s.send(s.uri(name), s.docs[name], out)
	}
	s.sweep(u, r)
}

// elsewhere tells of something in a file that the user can't change: it came with
// the user's files, so it is shown with the first of them.
func (s *server) elsewhere(d *diag.Diagnostic, lang string) diagnostic {
	out := s.convert(d, lang)
	out.Range = textRange{}
	if d.Span.File != nil {
		out.Message = d.Span.File.Name + ": " + out.Message
		if loc, ok := s.location(d.Span); ok {
			out.Related = append([]relatedInfo{{loc, diag.Message(d, lang)}}, out.Related...)
		}
	}
	return out
}

// sweep takes back what was said of files that are gone, or read with others now.
func (s *server) sweep(u *unit, r *result) {
	if u.loose || s.folderOf(u.dir) == "" {
		for _, name := range r.own { // nothing is said of files that nobody opened
			if s.docs[name] == nil {
				s.retract(s.uri(name))
			}
		}
	}
	for uri := range s.list() {
		if name := pathOf(uri); s.unitFor(name) == u && r.files[name] == nil {
			s.retract(uri)
		}
	}
}

func (s *server) list() map[string]bool {
	s.state.Lock()
	defer s.state.Unlock()
	out := map[string]bool{}
	for uri := range s.published {
		out[uri] = true
	}
	return out
}

func (s *server) retract(uri string) {
	s.state.Lock()
	had := s.published[uri]
	s.state.Unlock()
	if had {
		s.send(uri, nil, []diagnostic{})
	}
}

func (s *server) send(uri string, doc *document, list []diagnostic) {
	s.state.Lock()
	had := s.published[uri]
	if len(list) > 0 {
		s.published[uri] = true
	} else {
		delete(s.published, uri)
	}
	s.state.Unlock()
	if len(list) == 0 && !had && doc == nil {
		return // nothing was wrong, and nobody looks at it
	}
	p := publishParams{URI: uri, Diagnostics: list}
	if doc != nil {
		v := doc.version
		p.Version = &v
	}
	s.notify("textDocument/publishDiagnostics", p)
}

func (s *server) notify(method string, params any) {
	if err := s.rpc.Notify(s.background(), method, params); err != nil {
		select {
		case <-s.done:
		default:
			s.log("%s: %v", method, err)
		}
	}
}

// helpPages are the pages of codes as files, so that a client can open them.
type helpPages struct {
	mu    sync.Mutex
	pages map[string]string
}

func (h *helpPages) page(s *server, code, lang string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := lang + "/" + code
	if uri, ok := h.pages[key]; ok {
		return uri
	}
	if h.pages == nil {
		h.pages = map[string]string{}
	}
	h.pages[key] = ""
	help := s.opts.Page
	if help == nil {
		help = diag.Help
	}
	text, ok := help(code, lang)
	if !ok {
		return ""
	}
	dir, err := s.cacheDir()
	if err != nil {
		return ""
	}
	file := filepath.Join(dir, "help", lang, code+".md")
	if err := store(file, text); err != nil {
		s.log("%v", err)
		return ""
	}
	h.pages[key] = fileURI(filepath.ToSlash(file))
	return h.pages[key]
}

// store writes a file for reading, unless it is there already.
func store(file, text string) error {
	if data, err := os.ReadFile(file); err == nil && string(data) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	// Put in its place whole: another server may be reading it.
	tmp, err := os.CreateTemp(filepath.Dir(file), ".part-*")
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	if err == nil {
		err = tmp.Chmod(0o444)
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
