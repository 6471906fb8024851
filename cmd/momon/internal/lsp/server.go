// Package lsp is a language server for .momon files. It speaks the Language Server
// Protocol over a pair of streams; what it knows of rules it asks the interpreter.
//
// Texts come in as notifications, in order. What is wrong with them is found a
// moment after the last keystroke, by one goroutine; a request that needs to know
// more has the files that it speaks of checked at once, if they have changed.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// Options of a server.
type Options struct {
	Modules Modules
	Rules   []string // folders in place of the built-in rules
	With    []string // folders on top of them
	Edition string
	Lang    string                                     // of messages; "" for the client's
	Version string                                     // of the program
	Say     func(lang, key string, args ...any) string // the words of the terminal's commands
	Fault   func(lang string, err error) string        // words why folders and archives can't be read; nil for the error's own words
	Page    func(code, lang string) (string, bool)     // the page of a diagnostic's code; nil for one that speaks of nothing in particular
	Log     io.Writer                                  // where what goes wrong inside is told
	Cache   string                                     // a folder to which built-in rules are written for reading; "" for the user's
}

// debounce is how long the text must rest before it is checked.
const debounce = 25 * time.Millisecond

type server struct {
	*workspace
	opts   Options
	rpc    *jrpc2.Server
	client initializeParams

	state     sync.Mutex // guards the four below
	begun     bool
	shut      bool
	exited    bool
	lang      string
	published map[string]bool // URIs that have diagnostics at the client

	wake   chan struct{}
	queue  map[*unit]bool
	urgent map[*unit]string // changed by hand, so looked at first, and the file
	done   chan struct{}
	idle   sync.WaitGroup

	runs  runs
	help  helpPages
	calls calls
}

// Serve speaks with a client until it leaves, and returns the exit status that the
// protocol asks for.
func Serve(in io.Reader, out io.Writer, opts Options) int {
	s := &server{
		workspace: &workspace{modules: opts.Modules, edition: opts.Edition, docs: map[string]*document{}, units: map[string]*unit{}, cache: map[string]*cached{}},
		opts:      opts, published: map[string]bool{}, wake: make(chan struct{}, 1), queue: map[*unit]bool{}, urgent: map[*unit]string{}, done: make(chan struct{}),
	}
	s.set = settings{Rules: absolute(opts.Rules), With: absolute(opts.With)}
	s.lang = opts.Lang
	s.runs.init()
	s.rpc = jrpc2.NewServer(s, &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: 64})
	// Most of what a look at the files makes is thrown away by the next, so rubbish is
	// collected less often: it takes memory, of which there is enough, and saves time.
	defer debug.SetGCPercent(debug.SetGCPercent(300))
	s.rpc.Start(newFrames(in, out))
	s.idle.Add(1)
	go s.worker()
	err := s.rpc.Wait()
	close(s.done)
	s.runs.stop()
	s.idle.Wait()
	s.state.Lock()
	defer s.state.Unlock()
	if err != nil && !s.exited && !errors.Is(err, io.EOF) {
		s.log("%v", err)
	}
	if s.shut {
		return 0
	}
	return 1
}

func (s *server) log(format string, args ...any) {
	if s.opts.Log != nil {
		fmt.Fprintf(s.opts.Log, "momon lsp: "+format+"\n", args...)
	}
}

func absolute(dirs []string) []string {
	var out []string
	for _, d := range dirs {
		if p, err := filepath.Abs(d); err == nil {
			out = append(out, filepath.ToSlash(p))
		}
	}
	return out
}

// Assign implements jrpc2.Assigner.
func (s *server) Assign(_ context.Context, method string) jrpc2.Handler {
	h, ok := methods[method]
	if !ok {
		if strings.HasPrefix(method, "$/") { // what begins so may be passed over
			return func(context.Context, *jrpc2.Request) (any, error) {
				return nil, &jrpc2.Error{Code: jrpc2.MethodNotFound, Message: "no such method: " + method}
			}
		}
		return nil
	}
	return func(ctx context.Context, req *jrpc2.Request) (result any, err error) {
		defer func() {
			if r := recover(); r != nil {
				s.log("%s: %v\n%s", method, r, debug.Stack())
				result, err = nil, &jrpc2.Error{Code: codeInternal, Message: fmt.Sprintf("%s went wrong inside: %v", method, r)}
			}
		}()
		s.state.Lock()
		begun, shut := s.begun, s.shut
		s.state.Unlock()
		switch {
		case !begun && method != "initialize" && method != "exit":
			return nil, &jrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"}
		case begun && method == "initialize":
			return nil, &jrpc2.Error{Code: codeInvalidRequest, Message: "initialize comes once"}
		case shut && method != "exit":
			return nil, &jrpc2.Error{Code: codeInvalidRequest, Message: "the server was shut down"}
		}
		ctx, done := s.calls.begin(ctx, req.ID())
		defer done()
		result, err = h(s, ctx, req)
		if ctx.Err() != nil {
			return nil, &jrpc2.Error{Code: codeCancelled, Message: "cancelled"}
		}
		var e *jrpc2.Error
		if err != nil && !errors.As(err, &e) {
			err = &jrpc2.Error{Code: codeRequestFailed, Message: err.Error()}
		}
		return result, err
	}
}

type method func(s *server, ctx context.Context, req *jrpc2.Request) (any, error)

// call makes a method of a function that takes its parameters.
func call[P any](f func(*server, context.Context, *P) (any, error)) method {
	return func(s *server, ctx context.Context, req *jrpc2.Request) (any, error) {
		var p P
		if raw := req.ParamString(); raw != "" && raw != "null" {
			if err := json.Unmarshal([]byte(raw), &p); err != nil {
				return nil, &jrpc2.Error{Code: jrpc2.InvalidParams, Message: err.Error()}
			}
		}
		return f(s, ctx, &p)
	}
}

var methods map[string]method

func init() {
	methods = map[string]method{
		"initialize":                          call((*server).initialize),
		"initialized":                         call((*server).initialized),
		"shutdown":                            call((*server).shutdown),
		"exit":                                call((*server).exit),
		"$/cancelRequest":                     call((*server).cancel),
		"$/setTrace":                          call(func(*server, context.Context, *struct{}) (any, error) { return nil, nil }),
		"textDocument/hover":                  call((*server).hover),
		"textDocument/completion":             call((*server).completion),
		"textDocument/definition":             call((*server).definition),
		"textDocument/references":             call((*server).references),
		"textDocument/documentHighlight":      call((*server).highlight),
		"textDocument/documentSymbol":         call((*server).documentSymbols),
		"workspace/symbol":                    call((*server).workspaceSymbols),
		"textDocument/prepareRename":          call((*server).prepareRename),
		"textDocument/rename":                 call((*server).rename),
		"textDocument/formatting":             call((*server).format),
		"textDocument/rangeFormatting":        call((*server).format),
		"textDocument/codeAction":             call((*server).codeActions),
		"textDocument/semanticTokens/full":    call((*server).semantic),
		"textDocument/semanticTokens/range":   call((*server).semantic),
		"textDocument/foldingRange":           call((*server).folding),
		"textDocument/codeLens":               call((*server).codeLens),
		"workspace/executeCommand":            call((*server).execute),
		"textDocument/didOpen":                call((*server).didOpen),
		"textDocument/didChange":              call((*server).didChange),
		"textDocument/didClose":               call((*server).didClose),
		"textDocument/didSave":                call((*server).didSave),
		"workspace/didChangeWatchedFiles":     call((*server).didChangeFiles),
		"workspace/didChangeWorkspaceFolders": call((*server).didChangeFolders),
		"workspace/didChangeConfiguration":    call((*server).didChangeSettings),
	}
}

func (s *server) initialize(_ context.Context, p *initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = *p
	switch {
	case p.WorkspaceFolders != nil:
		for _, f := range p.WorkspaceFolders {
			s.addFolder(f.URI)
		}
	case p.RootURI != "":
		s.addFolder(p.RootURI)
	case p.RootPath != "":
		s.addFolder(fileURI(filepath.ToSlash(p.RootPath)))
	}
	s.take(p.Options)
	s.state.Lock()
	s.begun = true
	if s.lang == "" && strings.HasPrefix(strings.ToLower(p.Locale), "th") {
		s.lang = "th"
	}
	if s.lang == "" {
		s.lang = "en"
	}
	s.state.Unlock()
	return map[string]any{
		"serverInfo":   map[string]string{"name": "momon", "version": s.opts.Version},
		"capabilities": s.capabilities(),
	}, nil
}

func (s *server) capabilities() map[string]any {
	return map[string]any{
		"positionEncoding":                "utf-16",
		"textDocumentSync":                map[string]any{"openClose": true, "change": 2, "save": map[string]bool{"includeText": false}},
		"hoverProvider":                   true,
		"completionProvider":              map[string]any{"triggerCharacters": []string{".", "\"", " ", "(", ":"}},
		"definitionProvider":              true,
		"referencesProvider":              true,
		"documentHighlightProvider":       true,
		"documentSymbolProvider":          true,
		"workspaceSymbolProvider":         true,
		"renameProvider":                  map[string]any{"prepareProvider": true},
		"documentFormattingProvider":      true,
		"documentRangeFormattingProvider": true,
		"codeActionProvider":              map[string]any{"codeActionKinds": []string{"quickfix", "source.fixAll"}},
		"foldingRangeProvider":            true,
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{"declaration"}},
			"full":   true, "range": true,
		},
		"codeLensProvider":       map[string]any{"resolveProvider": false},
		"executeCommandProvider": map[string]any{"commands": []string{runCase, runCases}},
		"workspace": map[string]any{
			"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true},
		},
	}
}

// take sets what a client asks for. What the command line says stands where the
// client says nothing.
func (s *server) take(set settings) {
	rel := func(dirs []string) []string {
		var out []string
		for _, d := range dirs {
			if !filepath.IsAbs(d) && len(s.folders) > 0 {
				d = filepath.Join(filepath.FromSlash(s.folders[0]), d)
			}
			out = append(out, d)
		}
		return absolute(out)
	}
	if set.Rules != nil {
		s.set.Rules = rel(set.Rules)
	}
	if set.With != nil {
		s.set.With = rel(set.With)
	}
	if set.Lang != "" {
		s.state.Lock()
		s.lang = set.Lang
		s.state.Unlock()
	}
}

func (s *server) addFolder(uri string) {
	if p := pathOf(uri); isFile(p) && !slices.Contains(s.folders, p) {
		s.folders = append(s.folders, p)
	}
}

// language is the language of messages.
func (s *server) language() string {
	s.state.Lock()
	defer s.state.Unlock()
	return s.lang
}

func (s *server) initialized(context.Context, *struct{}) (any, error) {
	if s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		s.ask("client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "momon-files", "method": "workspace/didChangeWatchedFiles",
			"registerOptions": map[string]any{"watchers": []any{map[string]any{"globPattern": "**/{*.momon,*.momonpack,*.minisig,momon.lock}"}}},
		}}}, func(err error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.watched = err == nil
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discover()
	for _, u := range s.units {
		s.queue[u] = true
	}
	s.poke()
	return nil, nil
}

// ask sends a request to the client, off the goroutine that takes its messages.
func (s *server) ask(method string, params any, then func(error)) {
	s.idle.Add(1)
	go func() {
		defer s.idle.Done()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			select {
			case <-s.done:
				cancel()
			case <-ctx.Done():
			}
		}()
		_, err := s.rpc.Callback(ctx, method, params)
		if then != nil {
			then(err)
		}
	}()
}

func (s *server) shutdown(context.Context, *struct{}) (any, error) {
	s.state.Lock()
	defer s.state.Unlock()
	s.shut = true
	return nil, nil
}

func (s *server) exit(context.Context, *struct{}) (any, error) {
	s.state.Lock()
	s.exited = true
	s.state.Unlock()
	go s.rpc.Stop()
	return nil, nil
}

func (s *server) cancel(_ context.Context, p *struct {
	ID json.RawMessage `json:"id"`
}) (any, error) {
	s.calls.cancel(string(p.ID))
	return nil, nil
}

// calls are the requests under way. jrpc2 can cancel them too, but answers one that
// it has not begun with a code that clients of editors don't know.
type calls struct {
	mu    sync.Mutex
	by    map[string]context.CancelFunc
	early []string // taken back before they were begun
}

func (c *calls) begin(ctx context.Context, id string) (context.Context, func()) {
	if id == "" {
		return ctx, func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	if c.by == nil {
		c.by = map[string]context.CancelFunc{}
	}
	c.by[id] = cancel
	if i := slices.Index(c.early, id); i >= 0 {
		c.early = slices.Delete(c.early, i, i+1)
		cancel()
	}
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.by, id)
		cancel()
	}
}

func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.by[id]; cancel != nil {
		cancel()
		return
	}
	// Most likely it was answered already; that many may still be on their way.
	if c.early = append(c.early, id); len(c.early) > 64 {
		c.early = c.early[1:]
	}
}

// --- texts

func (s *server) didOpen(_ context.Context, p *didOpenParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &document{uri: p.TextDocument.URI, path: pathOf(p.TextDocument.URI), version: p.TextDocument.Version, text: p.TextDocument.Text}
	s.docs[d.path] = d
	u := s.unitFor(d.path)
	if u.own == nil || !u.own[d.path] { // a new file, or the first of its folder
		u.listed = time.Time{}
	}
	s.touched(d.path)
	return nil, nil
}

func (s *server) didChange(_ context.Context, p *didChangeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.docs[pathOf(p.TextDocument.URI)]
	if d == nil {
		return nil, nil
	}
	text := d.text
	for _, c := range p.Changes {
		text = change(text, c.Range, c.Text)
	}
	next := *d
	next.text = text
	if p.TextDocument.Version != nil {
		next.version = *p.TextDocument.Version
	}
	s.docs[d.path] = &next
	s.touched(d.path)
	return nil, nil
}

func (s *server) didClose(_ context.Context, p *documentParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := pathOf(p.TextDocument.URI)
	if s.docs[name] == nil {
		return nil, nil
	}
	u := s.unitFor(name)
	delete(s.docs, name)
	u.listed = time.Time{}
	s.touched(name)
	return nil, nil
}

func (s *server) didSave(_ context.Context, p *documentParams) (any, error) {
	var list []*unit
	s.locked(func() {
		name := pathOf(p.TextDocument.URI)
		if path.Base(name) == "module.momon" {
			s.discover()
		}
		list = s.holding(name)
		for _, u := range list {
			u.listed = time.Time{}
		}
		s.touched(name)
	})
	for _, u := range list {
		s.rerun(u)
	}
	return nil, nil
}

func (s *server) didChangeFiles(_ context.Context, p *struct {
	Changes []struct {
		URI string `json:"uri"`
	} `json:"changes"`
}) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	s.discover()
	for _, u := range s.units {
		s.queue[u] = true
	}
	s.poke()
	return nil, nil
}

func (s *server) didChangeFolders(_ context.Context, p *struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range p.Event.Removed {
		gone := pathOf(f.URI)
		s.folders = slices.DeleteFunc(s.folders, func(d string) bool { return d == gone })
	}
	for _, f := range p.Event.Added {
		s.addFolder(f.URI)
	}
	s.afresh()
	return nil, nil
}

func (s *server) didChangeSettings(_ context.Context, p *struct {
	Settings struct {
		Momon *settings `json:"momon"`
	} `json:"settings"`
}) (any, error) {
	if p.Settings.Momon == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take(*p.Settings.Momon)
	s.afresh()
	return nil, nil
}

// afresh finds every unit anew, since where they lie or what they stand on changed.
func (s *server) afresh() {
	s.units = map[string]*unit{}
	s.queue, s.urgent = map[*unit]bool{}, map[*unit]string{}
	s.discover()
	for p := range s.docs {
		s.unitFor(p)
	}
	for _, u := range s.units {
		s.queue[u] = true
	}
	s.poke()
}

// touched has everything that reads a file looked at again.
func (s *server) touched(name string) {
	for i, u := range s.holding(name) {
		u.stale = true
		s.queue[u] = true
		if i == 0 {
			s.urgent[u] = name
		}
	}
	s.poke()
}

func (s *server) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// --- the worker

// worker looks at what has changed, once the text has rested.
func (s *server) worker() {
	defer s.idle.Done()
	rest := time.NewTimer(time.Hour)
	rest.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-s.wake:
			rest.Reset(debounce)
		case <-rest.C:
			for s.step() {
				select {
				case <-s.done:
					return
				default:
				}
				if len(s.wake) > 0 { // something was typed meanwhile, which comes first
					break
				}
			}
		}
	}
}

// step looks at one unit, the most urgent. It reports whether there was one.
func (s *server) step() bool {
	defer func() {
		if r := recover(); r != nil {
			s.log("%v\n%s", r, debug.Stack())
		}
	}()
	var next *unit
	typed := ""
	s.locked(func() {
		for _, k := range s.keys() {
			if u := s.units[k]; s.queue[u] && (next == nil || s.urgent[u] != "" && s.urgent[next] == "") {
				next = u
			}
		}
		typed = s.urgent[next]
		if next == nil {
			clear(s.queue)
			return
		}
		delete(s.urgent, next)
		if typed == "" {
			delete(s.queue, next)
		}
	})
	if next == nil {
		return false
	}
	if typed != "" { // the file under the hand first; the rest when nothing more was typed
		s.peek(next, typed)
		return true
	}
	s.look(next)
	return true
}

// look finds what is wrong with a unit and tells the client.
func (s *server) look(u *unit) *result {
	var base *result
	if u.base != nil {
		base = s.analyse(u.base)
	}
	r := s.analyse(u)
	s.publish(u, r, base)
	s.first(u, r)
	return r
}

// peek tells what is wrong with one file, before the whole is looked at.
func (s *server) peek(u *unit, name string) {
	a, file := s.glance(u, name)
	if a == nil {
		return
	}
	lang := s.language()
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := s.docs[name]
	if doc == nil || s.current(name) != file {
		return
	}
	// Warnings and notes can hang on what was left out, so only those are told that
	// were there at the last whole look.
	noted := map[string]bool{}
	if u.result != nil {
		for _, d := range u.result.Diags {
			if d.Severity != diag.Error && d.Span.File != nil && d.Span.File.Name == name {
				noted[d.Code+d.Span.Text()] = true
			}
		}
	}
	out := []diagnostic{}
	for _, d := range a.Diags {
		if d.Span.File == file.Source() && (d.Severity == diag.Error || noted[d.Code+d.Span.Text()]) {
			out = append(out, s.convert(d, lang))
		}
	}
	s.send(doc.uri, doc, out)
}

// recent is what was last found of the file of a request, which may be older than
// its text: enough for the names in it.
func (s *server) recent(ctx context.Context, uri string) (*unit, *result, *interpreter.RuleFile, *lines, error) {
	name := pathOf(uri)
	var u *unit
	var r *result
	var doc *document
	s.locked(func() {
		if doc = s.docs[name]; doc != nil {
			u = s.unitFor(name)
			r = u.result
		}
	})
	if doc != nil && r != nil && r.files[name] != nil {
		return u, r, r.files[name], fileLines(doc.text), ctx.Err()
	}
	u, r, f, err := s.fresh(ctx, uri)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	return u, r, f, s.linesOf(f), nil
}

// fresh is what is known of the file of a request now, and the file.
func (s *server) fresh(ctx context.Context, uri string) (*unit, *result, *interpreter.RuleFile, error) {
	name := pathOf(uri)
	var u *unit
	s.locked(func() {
		if s.docs[name] != nil || isFile(name) && exists(filepath.FromSlash(name)) {
			u = s.unitFor(name)
		}
	})
	if u == nil {
		return nil, nil, nil, fmt.Errorf("there is no %s", path.Base(name))
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, nil, err
	}
	r := s.analyse(u)
	f := r.files[name]
	if f == nil {
		return nil, nil, nil, fmt.Errorf("%s is none of the files that are read with %s", path.Base(name), u.dir)
	}
	return u, r, f, ctx.Err()
}

// cacheDir is where what is built in is written for reading.
func (s *server) cacheDir() (string, error) {
	if s.opts.Cache != "" {
		return s.opts.Cache, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "momon"), nil
}
