package lsp

import (
	"context"
	"sort"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// definition lists where the name at a place is declared.
func (s *server) definition(ctx context.Context, p *positionParams) (any, error) {
	_, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []location{}, ctx.Err()
	}
	at := s.linesOf(f).offset(p.Position)
	out := []location{}
	s.locked(func() {
		for _, m := range r.Index.At(f.Source(), at) {
			for _, d := range m.Symbol.Mentions {
				if loc, ok := s.location(d.Span); ok && d.Declares {
					out = append(out, loc)
				}
			}
		}
	})
	return out, nil
}

// everyMention lists the places that speak of a thing: in every unit that has it
// and under every edition. Each place comes once, in the order of the files.
func (s *server) everyMention(ctx context.Context, u *unit, r *result, key any) ([]interpreter.Mention, error) {
	var units []*unit
	s.locked(func() {
		for _, k := range s.keys() {
			if o := s.units[k]; o != u && o.result != nil {
				units = append(units, o)
			}
		}
	})
	seen := map[source.Span]int{}
	var out []interpreter.Mention
	add := func(x *interpreter.Index) {
		y := x.Symbol(key)
		if y == nil {
			return
		}
		for _, m := range y.Mentions {
			if i, ok := seen[m.Span]; ok {
				out[i].Loose = out[i].Loose || m.Loose
				out[i].Declares = out[i].Declares || m.Declares
				continue
			}
			seen[m.Span] = len(out)
			out = append(out, m)
		}
	}
	declared := map[source.Span]bool{}
	for _, x := range s.everywhere(u, r) {
		add(x)
	}
	for _, m := range out {
		if m.Declares {
			declared[m.Span] = true
		}
	}
	for _, o := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		or := s.analyse(o)
		y := or.Index.Symbol(key)
		if y == nil {
			continue
		}
		shared := false // another thing of that name, in folders that have nothing to do with these
		for _, m := range y.Mentions {
			shared = shared || declared[m.Span]
		}
		if !shared {
			continue
		}
		for _, x := range s.everywhere(o, or) {
			add(x)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Span.Before(out[j].Span) })
	return out, nil
}

// references lists where the thing at a place is spoken of.
func (s *server) references(ctx context.Context, p *struct {
	positionParams
	Context struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
}) (any, error) {
	u, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []location{}, ctx.Err()
	}
	at := s.linesOf(f).offset(p.Position)
	out := []location{}
	for _, m := range r.Index.At(f.Source(), at) {
		list, err := s.everyMention(ctx, u, r, m.Symbol.Key)
		if err != nil {
			return nil, err
		}
		s.locked(func() {
			for _, x := range list {
				if loc, ok := s.location(x.Span); ok && (p.Context.Declaration || !x.Declares) {
					out = append(out, loc)
				}
			}
		})
	}
	return out, nil
}

// highlight shows the places of a file that speak of the thing at one.
func (s *server) highlight(ctx context.Context, p *positionParams) (any, error) {
	_, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []documentHighlight{}, ctx.Err()
	}
	l := s.linesOf(f)
	out := []documentHighlight{}
	for _, m := range r.Index.At(f.Source(), l.offset(p.Position)) {
		for _, x := range m.Symbol.Mentions {
			if x.Span.File == f.Source() {
				kind := 2
				if x.Declares {
					kind = 3
				}
				out = append(out, documentHighlight{l.span(x.Span.Start, x.Span.End), kind})
			}
		}
	}
	return out, nil
}

// The kinds of symbol that clients know, for what there is here.
var symbolKinds = map[string]int{
	"keyword": 5, "card": 23, "errata": 23, "header": 24, "token": 22, "action": 12, "step": 12, "zone": 3, "kind": 5, "values": 10, "value": 22,
	"characteristic": 8, "memory": 8, "attribute": 7, "role": 13, "table": 18, "layer": 2, "order": 18, "reading": 14, "deck": 18, "case": 6,
	"edition": 4, "statement": 15, "summary": 15, "rule": 15, "view": 11, "phrase": 15, "text": 15, "language": 15, "always": 24,
}

func symbolKind(sort string) int {
	if k, ok := symbolKinds[sort]; ok {
		return k
	}
	return 13
}

// documentSymbols is the outline of a file.
func (s *server) documentSymbols(ctx context.Context, p *documentParams) (any, error) {
	_, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []documentSymbol{}, ctx.Err()
	}
	l := s.linesOf(f)
	parts := r.Index.File(f.Source())
	out := []documentSymbol{}
	for _, d := range f.Tree().Decls {
		at, name := headOf(d)
		detail := strings.TrimSpace(d.Mod + " " + d.Head)
		y := documentSymbol{Name: name, Detail: detail, Kind: symbolKind(d.Head), Range: l.span(d.Start, d.End), Select: l.span(at.Start, at.End)}
		if name == "" {
			y.Name = detail
		}
		for _, m := range parts {
			if m.Declares && m.Span.Start > at.End && m.Span.End <= d.End && m.Symbol.Sort != interpreter.NameLocal && m.Symbol.Sort != interpreter.NameLabel {
				y.Children = append(y.Children, documentSymbol{Name: m.Symbol.Name, Detail: string(m.Symbol.Sort), Kind: symbolKind(string(m.Symbol.Sort)),
					Range: l.span(m.Whole.Start, m.Whole.End), Select: l.span(m.Span.Start, m.Span.End)})
			}
		}
		out = append(out, y)
	}
	if s.client.Capabilities.TextDocument.DocumentSymbol.Hierarchical {
		return out, nil
	}
	flat := []symbolInformation{}
	for _, y := range out {
		flat = append(flat, symbolInformation{Name: y.Name, Kind: y.Kind, Location: location{p.TextDocument.URI, y.Range}, Container: y.Detail})
		for _, k := range y.Children {
			flat = append(flat, symbolInformation{Name: k.Name, Kind: k.Kind, Location: location{p.TextDocument.URI, k.Range}, Container: y.Name})
		}
	}
	return flat, nil
}

// headOf is where the name of a declaration stands, and the name.
func headOf(d *grammar.Decl) (source.Span, string) {
	switch {
	case d.Plain != nil && d.Plain.Key != nil && d.Head == "statement":
		return d.Plain.Key.Span, d.Plain.Title.Text + " " + d.Plain.Key.Value
	case d.Plain != nil:
		return known(d, d.Plain.Title)
	case d.Char != nil && d.Char.Of != nil:
		at, name := known(d, d.Char.Name)
		return at, name + " of " + d.Char.Of.Text
	case d.Char != nil:
		return known(d, d.Char.Name)
	case d.Table != nil:
		return known(d, d.Table.Name)
	case d.Action != nil:
		return known(d, d.Action.Name)
	case d.Step != nil:
		return known(d, d.Step.Name)
	case d.Token != nil:
		return known(d, d.Token.Name)
	case d.Rules != nil:
		return known(d, d.Rules.Name)
	case d.Case != nil && d.Case.ID.File != nil:
		return d.Case.ID.Span, d.Case.ID.Value
	}
	return d.At, ""
}

func known(d *grammar.Decl, n grammar.Name) (source.Span, string) {
	if n.File == nil {
		return d.At, n.Text
	}
	return n.Span, n.Text
}

// maxSymbols bounds the answer to a search, as nobody reads more.
const maxSymbols = 400

// workspaceSymbols finds declared names, wherever they are.
func (s *server) workspaceSymbols(ctx context.Context, p *struct {
	Query string `json:"query"`
}) (any, error) {
	var units []*unit
	s.locked(func() {
		for _, k := range s.keys() {
			units = append(units, s.units[k])
		}
	})
	query := strings.ToLower(grammar.Fold(p.Query))
	seen := map[source.Span]bool{}
	type hit struct {
		y    *interpreter.Symbol
		m    interpreter.Mention
		rank int
	}
	var hits []hit
	for _, u := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := s.analyse(u)
		for _, y := range r.Index.Symbols() {
			if y.Sort == interpreter.NameLocal || y.Sort == interpreter.NameLabel || !fuzzy(strings.ToLower(y.Name), query) {
				continue
			}
			rank := 2
			if i := strings.Index(strings.ToLower(y.Name), query); i >= 0 {
				rank = min(i, 1)
			}
			for _, m := range y.Mentions {
				if m.Declares && !seen[m.Span] {
					seen[m.Span] = true
					hits = append(hits, hit{y, m, rank})
				}
			}
		}
	}
	// What begins with the query comes first, then what has it inside.
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].rank < hits[j].rank })
	out := []symbolInformation{}
	s.locked(func() {
		for _, h := range hits[:min(len(hits), maxSymbols)] {
			if loc, ok := s.location(h.m.Span); ok {
				out = append(out, symbolInformation{Name: h.y.Name, Kind: symbolKind(string(h.y.Sort)), Location: loc, Container: strings.TrimSpace(string(h.y.Sort) + " " + h.y.Of)})
			}
		}
	})
	return out, nil
}

// fuzzy reports whether the letters of the query come in a name in their order.
func fuzzy(name, query string) bool {
	for _, r := range query {
		i := strings.IndexRune(name, r)
		if i < 0 {
			return false
		}
		name = name[i+len(string(r)):]
	}
	return true
}

// folding lists the blocks and the runs of comments of more than one line.
func (s *server) folding(ctx context.Context, p *documentParams) (any, error) {
	_, _, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return []foldingRange{}, ctx.Err()
	}
	l := s.linesOf(f)
	out := []foldingRange{}
	var open []int
	first, last := -1, -2
	flush := func() {
		if last > first && first >= 0 {
			out = append(out, foldingRange{first, last, "comment"})
		}
		first, last = -1, -2
	}
	for _, t := range tokens(f) {
		line := l.position(t.Start).Line
		switch {
		case t.Kind == grammar.Comment:
			if strings.TrimSpace(l.text[l.starts[line]:t.Start]) != "" {
				continue // behind a clause
			}
			if line != last+1 {
				flush()
				first = line
			}
			last = line
		case t.Kind == grammar.EOL:
		default:
			flush()
			if t.Kind == grammar.Punct && t.Text == "{" {
				open = append(open, line)
			} else if t.Kind == grammar.Punct && t.Text == "}" && len(open) > 0 {
				start := open[len(open)-1]
				open = open[:len(open)-1]
				if line-1 > start {
					out = append(out, foldingRange{StartLine: start, EndLine: line - 1})
				}
			}
		}
	}
	flush()
	return out, nil
}
