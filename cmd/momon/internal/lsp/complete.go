package lsp

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter"
)

// What can stand at a place is found from the tokens before it alone, so that it
// works in the middle of a line that is not finished. The names come from the last
// look at the files, which knows them also while there are errors.

// spot is a place that something is written at.
type spot struct {
	before []grammar.Token   // of the clause, up to what is being written
	heads  [][]grammar.Token // the clauses whose blocks are open, outermost first
	from   int               // where what is being written begins
	typed  string
	quoted bool     // inside of a text
	locals []string // what the declaration has named so far
}

// spotAt reads the text before a place.
func spotAt(text string, at int) spot {
	sp := spot{from: at}
	// A quotation mark that is still open hides everything behind it from the lexer.
	start := strings.LastIndexByte(text[:at], '\n') + 1
	cut := at
	if i := openQuote(text[start:at]); i >= 0 {
		sp.quoted, sp.from, cut = true, start+i, start+i
	}
	f := source.NewFile("", text[:cut])
	toks := grammar.Tokens(f, &diag.List{})
	if n := len(toks); !sp.quoted {
		for n > 0 && toks[n-1].Kind == grammar.EOF || n > 0 && toks[n-1].Kind == grammar.EOL && toks[n-1].Text != ";" && toks[n-1].End >= len(f.Text) && !strings.Contains(toks[n-1].Span.Text(), "\n") {
			n--
		}
		if n > 0 && toks[n-1].End == cut {
			switch t := toks[n-1]; t.Kind {
			case grammar.Word, grammar.Ident, grammar.RuleNo, grammar.Int:
				sp.from, sp.typed = t.Start, t.Span.Text()
				n--
			case grammar.Comment:
				sp.from = -1
			}
		}
		toks = toks[:n]
	} else {
		sp.typed = text[sp.from:at]
	}
	if sp.from < 0 {
		return sp
	}
	var clause []grammar.Token
	for _, t := range toks {
		sp.named(clause, t)
		switch {
		case t.Kind == grammar.Comment || t.Kind == grammar.EOF:
		case t.Kind == grammar.EOL:
			clause = nil
		case t.Kind == grammar.Word && t.Start == strings.LastIndexByte(text[:t.Start], '\n')+1 && slices.Contains(declHeads, t.Text):
			sp.heads, sp.locals, clause = nil, nil, []grammar.Token{t} // a new declaration, whatever is still open
		case t.Kind == grammar.Punct && t.Text == "{":
			sp.heads = append(sp.heads, clause)
			clause = nil
		case t.Kind == grammar.Punct && t.Text == "}":
			clause = nil
			if n := len(sp.heads); n > 0 {
				sp.heads = sp.heads[:n-1]
			}
		default:
			clause = append(clause, t)
		}
	}
	sp.before = clause
	// A line that the lexer joins to the one before begins a clause all the same,
	// where the place is the first on it and in the first column.
	if strings.TrimSpace(text[start:sp.from]) == "" && sp.from == start && !sp.quoted && !continues(text[:start]) {
		sp.heads, sp.locals, sp.before = nil, nil, nil
	}
	return sp
}

// named notes a name that a clause gives with its next token: the text of a
// declaration that is not finished has no tree that could tell.
func (sp *spot) named(clause []grammar.Token, next grammar.Token) {
	n := len(clause)
	if n == 0 {
		return
	}
	last := clause[n-1]
	name := last.Kind == grammar.Word || last.Kind == grammar.Ident
	first := clause[0].Text
	gives := false
	switch {
	case !name:
	case first == "given":
		gives = (next.Text == ":" || next.Text == ",") && !slices.ContainsFunc(clause, func(t grammar.Token) bool { return t.Text == ":" })
	case first == "keyword":
		gives = next.Text == ":" && n > 2
	case n > 1 && clause[n-2].Text == "record":
		gives = next.Text == "="
	case n > 1 && clause[n-2].Text == "for":
		gives = next.Text == "in"
	case n > 2 && clause[n-2].Text == "to" && clause[n-3].Text == "granted":
		gives = true
	case next.Text == "from":
		gives = slices.ContainsFunc(clause[max(0, n-5):n-1], func(t grammar.Token) bool { return t.Text == "choose" })
	}
	if gives && !slices.Contains(sp.locals, last.Text) {
		sp.locals = append(sp.locals, last.Text)
	}
}

// continues reports whether the line before goes on, or a block is open.
func continues(text string) bool {
	depth := 0
	for _, t := range grammar.Tokens(source.NewFile("", text), &diag.List{}) {
		switch t.Text {
		case "{":
			depth += b2i(t.Kind == grammar.Punct)
		case "}":
			depth -= b2i(t.Kind == grammar.Punct)
		}
	}
	return depth > 0
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

var declHeads = func() []string {
	var out []string
	for _, w := range wordList {
		if strings.HasPrefix(w.in, "file") {
			out = append(out, w.name)
		}
	}
	return out
}()

// openQuote is where a text begins that does not end in the line, or -1.
func openQuote(line string) int {
	open := -1
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && open >= 0:
			i++
		case line[i] == '"' && open >= 0:
			open = -1
		case line[i] == '"':
			open = i
		case line[i] == '#' && open < 0 && strings.TrimSpace(line[:i]) == "":
			return -1
		}
	}
	return open
}

func (sp *spot) last(n int) string {
	if i := len(sp.before) - n; i >= 0 {
		return sp.before[i].Text
	}
	return ""
}

// lead skips override and extend.
func lead(clause []grammar.Token) []grammar.Token {
	for len(clause) > 0 && (clause[0].Text == "override" || clause[0].Text == "extend") {
		clause = clause[1:]
	}
	return clause
}

// block is what sort of block the place is in: a word of word.in.
func (sp *spot) block() string {
	if len(sp.heads) == 0 {
		return "file"
	}
	if len(sp.heads) == 1 {
		if c := lead(sp.heads[0]); len(c) > 0 {
			switch c[0].Text {
			case "card", "errata":
				return "card"
			case "keyword", "header", "token", "zone", "layer", "view", "deck", "statement", "order", "reading", "values", "case", "table", "action", "step":
				return c[0].Text
			case "always":
				return "effect"
			}
		}
		return "body"
	}
	c := sp.heads[len(sp.heads)-1]
	has := func(w string) bool {
		return slices.ContainsFunc(c, func(t grammar.Token) bool { return t.Kind == grammar.Word && t.Text == w })
	}
	switch {
	case len(c) == 0:
		return "body"
	case c[0].Text == "given" && sp.outer() == "case":
		return "given"
	case c[0].Text == "during" && sp.outer() == "case":
		return "case"
	case c[0].Text == "granted":
		return "granted"
	case c[0].Text == "either":
		return "either"
	case has("always"), has("effect"):
		return "effect"
	}
	return "body"
}

// outer is the head word of the declaration.
func (sp *spot) outer() string {
	if len(sp.heads) == 0 {
		if c := lead(sp.before); len(c) > 0 {
			return c[0].Text
		}
		return ""
	}
	if c := lead(sp.heads[0]); len(c) > 0 {
		return c[0].Text
	}
	return ""
}

// The kinds of completion item that clients know.
const (
	itemText    = 1
	itemKeyword = 14
	itemSnippet = 15
)

var itemKinds = map[interpreter.NameSort]int{
	interpreter.NameAction: 3, interpreter.NameStep: 3, interpreter.NameTable: 3, interpreter.NameCharacteristic: 10, interpreter.NameAttribute: 10,
	interpreter.NameRole: 6, interpreter.NameLocal: 6, interpreter.NameLabel: 6, interpreter.NameKind: 7, interpreter.NameValues: 13, interpreter.NameValue: 20,
	interpreter.NameToken: 22, interpreter.NameZone: 9, interpreter.NameLayer: 9, interpreter.NameHeader: 23, interpreter.NameKeyword: 7,
	interpreter.NameCard: 12, interpreter.NameRule: 12, interpreter.NameStatement: 12, interpreter.NameEdition: 12, interpreter.NameCase: 12,
}

// completer collects what can stand at a place.
type completer struct {
	*spot
	t     *teller
	l     *lines
	at    int
	file  *interpreter.RuleFile
	snips bool
	items []completionItem
	seen  map[string]bool
	rank  int
}

func (c *completer) add(it completionItem, text string) {
	key := fmt.Sprint(it.Label, it.Kind)
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	if c.quoted && !strings.HasPrefix(text, `"`) {
		text = `"` + text + `"`
	}
	if c.quoted {
		it.FilterText = text
	}
	it.Edit = &textEdit{c.l.span(c.from, c.end()), text}
	it.SortText = fmt.Sprintf("%02d%s", c.rank, it.Label)
	c.items = append(c.items, it)
}

// end is where what is being written ends: at the place, or behind the quotation
// mark that an editor has put in by itself.
func (c *completer) end() int {
	if c.quoted && c.at < len(c.l.text) && c.l.text[c.at] == '"' {
		return c.at + 1
	}
	return c.at
}

// word offers a word of the language, as a snippet where the client takes one.
func (c *completer) word(w word) {
	th := c.t.lang == "th"
	doc := w.en
	if th {
		doc = w.th
	}
	it := completionItem{Label: w.name, Kind: itemKeyword, Detail: firstLine(plain(w)), Docs: markdown("```momon\n" + plain(w) + "\n```\n\n" + doc)}
	text := w.name
	if c.snips && w.snippet != "" {
		it.Kind, it.Format, text = itemSnippet, 2, w.snippet
	}
	c.add(it, text)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func (c *completer) words(in string) {
	for _, w := range wordList {
		if slices.Contains(strings.Fields(w.in), in) {
			c.word(w)
		}
	}
	c.rank++
}

func (c *completer) named(names ...string) {
	for _, n := range names {
		found := false
		for _, w := range wordList {
			if w.name == n {
				doc := w.en
				if c.t.lang == "th" {
					doc = w.th
				}
				c.add(completionItem{Label: n, Kind: itemKeyword, Docs: markdown(doc)}, n)
				found = true
				break
			}
		}
		if !found {
			c.add(completionItem{Label: n, Kind: itemKeyword}, n)
		}
	}
	c.rank++
}

// symbols offers every name that fits.
func (c *completer) symbols(want func(*interpreter.Symbol) bool) {
	for _, y := range c.t.r.Index.Symbols() {
		if y.Name != "" && want(y) {
			c.symbol(y)
		}
	}
	c.rank++
}

func (c *completer) sorts(sorts ...interpreter.NameSort) {
	c.symbols(func(y *interpreter.Symbol) bool { return slices.Contains(sorts, y.Sort) })
}

func (c *completer) symbol(y *interpreter.Symbol) {
	it := completionItem{Label: y.Name, Kind: itemKinds[y.Sort], Detail: c.t.head(y)}
	if it.Kind == 0 {
		it.Kind = itemText
	}
	var docs []string
	for _, x := range c.t.r.Index.Texts(y) {
		docs = append(docs, x.Lang+": "+escape(x.Value))
	}
	if y.Sort == interpreter.NameKeyword {
		if w := c.t.word(y.Sort, y.Name); w.Says != "" {
			docs = append(docs, "> "+escape(w.Says))
		}
	}
	if len(docs) > 0 {
		it.Docs = markdown(strings.Join(docs, "\n\n"))
	}
	text := y.Name
	switch y.Sort {
	case interpreter.NameCard, interpreter.NameEdition, interpreter.NameStatement, interpreter.NameDeck, interpreter.NameReading, interpreter.NameCase:
		text = `"` + y.Name + `"`
	case interpreter.NameHeader:
	case interpreter.NameKeyword:
		if n, ok := c.t.form(y); ok && len(n.Parts) > 0 && c.snips && !c.quoted {
			it.Format = 2
			text = snippetText(y.Name)
			for i, p := range n.Parts {
				text += fmt.Sprintf(" ${%d:%s}", i+1, snippetText(p.Name))
			}
		}
	case interpreter.NameAction:
		if n, ok := c.t.form(y); ok && c.snips && !c.quoted && c.calls() {
			it.Format = 2
			text = callSnippet(n)
		}
	default:
		if strings.Contains(y.Name, " ") {
			text = `"` + y.Name + `"`
		}
	}
	c.add(it, text)
}

// calls reports whether an action at the place is one that is done, with its roles.
func (c *completer) calls() bool {
	if len(c.before) == 0 {
		return true
	}
	switch c.last(1) {
	case ":", "legal", "illegal", "needs":
		return true
	}
	return false
}

var roleForm = regexp.MustCompile(`(?:(by|to|from|at|on|of) )?([\pL\pM\pN_']+): `)

// callSnippet is an action with its roles as places to fill: those that can't be
// left out.
func callSnippet(n interpreter.Name) string {
	text := snippetText(n.Name)
	form := regexp.MustCompile(`\[[^\]]*\]`).ReplaceAllString(strings.TrimPrefix(n.Form, n.Name), "")
	for i, m := range roleForm.FindAllStringSubmatch(form, -1) {
		text += " "
		if m[1] != "" {
			text += m[1] + " "
		}
		text += fmt.Sprintf("${%d:%s}", i+1, snippetText(m[2]))
	}
	return text
}

func snippetText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(s)
}

// completion lists what can be written at a place.
func (s *server) completion(ctx context.Context, p *positionParams) (any, error) {
	u, r, f, l, err := s.recent(ctx, p.TextDocument.URI)
	if err != nil {
		return completionList{Items: []completionItem{}}, ctx.Err()
	}
	at := l.offset(p.Position)
	sp := spotAt(l.text, at)
	c := &completer{spot: &sp, t: s.teller(u, r), l: l, at: at, file: f, snips: s.client.Capabilities.TextDocument.Completion.Item.Snippets, seen: map[string]bool{}, items: []completionItem{}}
	if sp.from >= 0 {
		c.offer()
	}
	sort.SliceStable(c.items, func(i, j int) bool { return c.items[i].SortText < c.items[j].SortText })
	return completionList{Items: c.items}, nil
}

// offer finds what the place calls for.
func (c *completer) offer() {
	if c.quoted {
		c.inText()
		return
	}
	prev := c.last(1)
	block := c.block()
	switch {
	case c.margin():
	case len(c.before) == 0 || prev == ":" && c.bodyFollows():
		c.begin(block)
	case len(c.heads) == 0 && (prev == "override" || prev == "extend"):
		c.named(declHeads...)
	case len(c.heads) == 0 && len(c.before) == 2 && (c.last(2) == "override" || c.last(2) == "extend"):
		c.existing(prev)
	case len(c.heads) == 0 && len(c.before) == 1 && prev == "errata":
		c.sorts(interpreter.NameCard)
	default:
		c.inside(block, prev)
	}
}

// margin offers rule numbers and the keys of statements behind rule, confirms and
// refutes.
func (c *completer) margin() bool {
	for i := len(c.before) - 1; i >= 0; i-- {
		switch t := c.before[i]; {
		case t.Kind == grammar.Word && (t.Text == "rule" || i == 0 && (t.Text == "confirms" || t.Text == "refutes")):
			last := c.before[len(c.before)-1]
			if last.Kind == grammar.RuleNo || last.Kind == grammar.Int {
				c.keys(last.Text)
				return true
			}
			if last.Kind == grammar.String {
				c.named("provisional")
				return true
			}
			c.sorts(interpreter.NameRule)
			return true
		case t.Kind == grammar.RuleNo, t.Kind == grammar.Int, t.Kind == grammar.String, t.Text == ",":
		default:
			return false
		}
	}
	return (c.outer() == "statement" || c.outer() == "summary") && len(c.heads) == 0 && len(c.before) == 1 && func() bool { c.sorts(interpreter.NameRule); return true }()
}

func (c *completer) keys(number string) {
	if r := c.t.rule(number); r != nil {
		for _, st := range r.Statements {
			c.add(completionItem{Label: st.Key, Kind: 12, Detail: st.Status, Docs: markdown(escape(st.Text))}, `"`+st.Key+`"`)
		}
	}
	c.rank++
	c.symbols(func(y *interpreter.Symbol) bool {
		return y.Sort == interpreter.NameStatement && len(c.items) == 0
	})
}

// bodyFollows reports whether the colon before the place begins an instruction or
// an operation, and does not stand before a type.
func (c *completer) bodyFollows() bool {
	lead := lead(c.before)
	if len(lead) == 0 {
		return false
	}
	switch lead[0].Text {
	case "characteristic", "memory", "action", "given", "table", "keyword":
		return false
	}
	return true
}

// existing offers the names that a declaration can take the place of, or add to.
func (c *completer) existing(head string) {
	sort := interpreter.NameSort(head)
	switch head {
	case "step":
		sort = interpreter.NameAction
	case "memory":
		sort = interpreter.NameCharacteristic
	case "text":
		sort = interpreter.NameLanguage
	}
	c.sorts(sort)
}

// begin offers the beginnings of a clause.
func (c *completer) begin(block string) {
	if len(c.before) > 0 { // behind a colon
		head := ""
		for _, t := range c.before {
			switch t.Text {
			case "always", "effect":
				head = "effect"
			case "when", "may", "if", "for", "repeat", "do", "later", "finally", "instead", "option":
				head = "body"
			}
		}
		if head == "effect" {
			c.words("effect")
			return
		}
		if c.before[0].Text == "during" {
			block = "case"
		} else {
			block = "body"
		}
	}
	switch block {
	case "file":
		c.words("file")
	case "card", "given":
		c.fields()
		c.sorts(interpreter.NameHeader, interpreter.NameKeyword)
		c.words(block)
		if block == "given" {
			c.named("owner", "controller")
		}
	case "keyword", "header", "token":
		if block == "keyword" {
			c.sorts(interpreter.NameHeader, interpreter.NameKeyword)
		}
		c.words(block)
	case "case":
		c.words("case")
		c.sorts(interpreter.NameAction)
		c.words("body")
	case "body", "granted":
		c.words(block)
		if block == "granted" {
			c.words("body")
		}
		c.sorts(interpreter.NameAction)
	case "deck":
		c.named("card")
	case "order":
		c.named(orderWords...)
	case "table":
		c.sorts(interpreter.NameValue)
	default:
		c.words(block)
	}
}

// fields offers what is printed on cards, with its values.
func (c *completer) fields() {
	c.symbols(func(y *interpreter.Symbol) bool {
		ch, ok := c.t.r.Index.Characteristic(y, c.t.lang)
		return ok && ch.Printed && y.Name != "name"
	})
}

// inside offers what can stand in the middle of a clause.
func (c *completer) inside(block, prev string) {
	head := lead(c.before)
	first := ""
	if len(head) > 0 {
		first = head[0].Text
	}
	last := c.before[len(c.before)-1]
	switch prev {
	case "each":
		c.sorts(interpreter.NameKind, interpreter.NameToken)
		c.builtinKinds()
		return
	case "when", "until", "prohibit", "permit", "require", "refused", "happened", "never", "per", "next", "legal", "illegal", "needs":
		if prev == "when" || prev == "until" {
			c.named("start of", "end of", "during", "next")
		}
		if prev == "never" {
			c.named("asked")
		}
		c.sorts(interpreter.NameAction)
		return
	case "during":
		c.sorts(interpreter.NameAction)
		return
	case "of":
		switch c.last(2) {
		case "start", "end", "instead":
			c.sorts(interpreter.NameAction)
			return
		}
		switch first {
		case "characteristic", "memory", "view":
			c.builtinKinds()
			c.sorts(interpreter.NameKind, interpreter.NameToken, interpreter.NameAction)
			return
		case "step":
			c.sorts(interpreter.NameAction)
			return
		case "given":
			c.players()
			return
		}
	case "is":
		if first == "kind" {
			c.builtinKinds()
			c.sorts(interpreter.NameKind)
			return
		}
	case "after":
		if first == "layer" {
			c.sorts(interpreter.NameLayer)
		} else {
			c.sorts(interpreter.NameAction)
		}
		return
	case "grant":
		c.sorts(interpreter.NameKeyword)
		return
	case "ability":
		c.sorts(interpreter.NameKeyword)
		return
	case "place":
		c.sorts(interpreter.NameToken)
		return
	case "gathers":
		return
	case "set", "raise", "lower", "strip", "lock", "add", "remove", "base":
		if block == "effect" || slices.ContainsFunc(c.before, func(t grammar.Token) bool { return t.Text == "always" || t.Text == "effect" }) {
			c.changeable(prev)
			if prev == "add" || prev == "remove" {
				c.named("ability")
			}
			if prev == "set" {
				c.named("base")
			}
			return
		}
		if prev == "remove" {
			c.sorts(interpreter.NameToken)
			return
		}
	case "takes":
		c.named("set", "base", "copy", "add", "remove", "strip", "lock", "raise", "lower", "prohibit", "permit", "require", "instead")
		return
	case ".":
		c.members()
		return
	case "for":
		c.sorts(interpreter.NameAction)
		return
	case "under":
		return
	case "rule":
		c.sorts(interpreter.NameRule)
		return
	case "answer", "asked":
		c.named("may", "either", "order", "replace")
		c.sorts(interpreter.NameLocal)
		return
	case "on", "from", "in":
		c.named("each")
	}
	if prev == ":" || prev == "several" {
		switch {
		case first == "given":
			c.sorts(interpreter.NameKind, interpreter.NameCard)
			return
		case slices.Contains([]string{"characteristic", "memory", "action", "table", "keyword"}, first):
			c.types(prev == ":")
			return
		}
	}
	if prev == "(" && len(c.before) > 2 {
		switch c.last(2) {
		case "has":
			c.sorts(interpreter.NameKeyword)
			return
		case "tally":
			c.sorts(interpreter.NameToken)
			return
		case "is":
			c.sorts(interpreter.NameKind)
			return
		}
	}
	if prev == "in" && (first == "always" || first == "when") && len(c.before) <= 3 {
		c.sorts(interpreter.NameZone)
		return
	}
	if (block == "card" || block == "given") && (len(c.before) == 1 || prev == ",") {
		if list := c.valuesOf(first); list != "" {
			c.symbols(func(y *interpreter.Symbol) bool { return y.Sort == interpreter.NameValue && y.Of == list })
			return
		}
	}
	switch prev {
	case "==", "!=", "to":
		if n := len(c.before) - 2; n >= 0 {
			for i := n; i >= 0; i-- {
				if list := c.valuesOf(c.before[i].Text); list != "" && c.before[i].Kind == grammar.Word {
					c.symbols(func(y *interpreter.Symbol) bool { return y.Sort == interpreter.NameValue && y.Of == list })
					break
				}
				if c.before[i].Text == "and" || c.before[i].Text == "or" || c.before[i].Text == "where" {
					break
				}
			}
		}
	}
	if last.Kind == grammar.Word || last.Kind == grammar.Ident || last.Kind == grammar.Int || last.Kind == grammar.String || prev == ")" || prev == "]" {
		if !operatorWord(prev) {
			c.joins()
		}
	}
	c.expression()
}

func operatorWord(s string) bool {
	switch s {
	case "where", "and", "or", "not", "in", "while", "if", "by", "to", "from", "at", "on", "of", "with", "expect", "among", "each", "copy", "repeat", "until", "as":
		return true
	}
	return false
}

// joins offers the words that go on with a clause.
func (c *completer) joins() {
	c.named("where", "until", "while", "by", "to", "from", "at", "on", "of", "with", "once", "limit", "among", "rule", "and", "or", "in")
}

func (c *completer) builtinKinds() {
	for _, n := range c.t.all() {
		if n.Sort == interpreter.NameKind {
			c.add(completionItem{Label: n.Name, Kind: 7, Detail: n.Form}, n.Name)
		}
	}
	c.rank++
}

func (c *completer) types(first bool) {
	c.named(typeWords...)
	if first {
		c.named("several")
	}
	c.sorts(interpreter.NameValues, interpreter.NameKind, interpreter.NameToken)
	c.builtinKinds()
	c.sorts(interpreter.NameAction)
}

func (c *completer) players() {
	c.add(completionItem{Label: "P1", Kind: 21}, "P1")
	c.add(completionItem{Label: "P2", Kind: 21}, "P2")
	c.rank++
}

// changeable offers the characteristics that an operation can change.
func (c *completer) changeable(verb string) {
	c.symbols(func(y *interpreter.Symbol) bool {
		ch, ok := c.t.r.Index.Characteristic(y, c.t.lang)
		if !ok || ch.Memory {
			return false
		}
		switch verb {
		case "raise", "lower":
			return ch.Type == "number"
		case "add", "remove":
			return strings.HasPrefix(ch.Type, "several ") && len(ch.Layers) > 0
		}
		return y.Sort == interpreter.NameAttribute || len(ch.Layers) > 0
	})
}

// valuesOf is the values list that a characteristic, role or local name has its
// values from, or "".
func (c *completer) valuesOf(name string) string {
	for _, y := range c.t.r.Index.Symbols() {
		if y.Name != name {
			continue
		}
		typ := y.Type
		if ch, ok := c.t.r.Index.Characteristic(y, c.t.lang); ok {
			typ = ch.Type
		}
		typ = strings.TrimPrefix(typ, "several ")
		for _, n := range c.t.all() {
			if n.Sort == interpreter.NameValues && n.Name == typ {
				return typ
			}
		}
	}
	return ""
}

// members offers what stands behind a point: of the type before it, where that can
// be told.
func (c *completer) members() {
	typ := ""
	if n := len(c.before) - 2; n >= 0 {
		typ = c.typeBefore(n)
	}
	any := false
	names := c.t.all()
	family := map[string]string{"card": "card", "token": "token", "player": "player", "game": "game", "place": "place"}
	for _, n := range names {
		switch n.Sort {
		case interpreter.NameKind:
			if _, base, ok := strings.Cut(n.Form, ": "); ok {
				family[n.Name] = base
			}
		case interpreter.NameToken:
			family[n.Name] = "token"
		}
	}
	root := func(k string) string {
		for i := 0; i < 20; i++ {
			up, ok := family[k]
			if !ok || up == k {
				break
			}
			k = up
		}
		return k
	}
	for _, n := range names {
		switch {
		case n.Sort == interpreter.NameCharacteristic || n.Sort == interpreter.NameMemory:
			if typ == "" || root(n.Of) == root(typ) {
				any = true
				c.add(completionItem{Label: n.Name, Kind: 10, Detail: n.Form, Docs: markdown(escape(n.Shown))}, n.Name)
			}
		case (n.Sort == interpreter.NameAction || n.Sort == interpreter.NameStep) && n.Name == typ:
			for _, p := range n.Parts {
				any = true
				c.add(completionItem{Label: p.Name, Kind: 6, Detail: p.Sort + " " + p.Type}, p.Name)
			}
			c.named("number", "ability_of", "ability_from")
		}
	}
	c.rank++
	if r := root(typ); any && (typ == "" || r == "card" || r == "token") {
		c.functions(true)
	}
}

// typeBefore is the type of the path of names that ends at a token, or "".
func (c *completer) typeBefore(i int) string {
	var path []string
	for ; i >= 0; i -= 2 {
		path = append([]string{c.before[i].Text}, path...)
		if i == 0 || c.before[i-1].Text != "." {
			break
		}
	}
	typ := ""
	for k, name := range path {
		next := ""
		for _, n := range c.t.all() {
			if n.Name == name && n.Type != "" && (n.Sort == interpreter.NameCharacteristic || n.Sort == interpreter.NameMemory) {
				next = n.Type
			}
		}
		if k == 0 {
			switch name {
			case "self", "it":
				next = "card"
			case "you":
				next = "player"
			case "game":
				next = "game"
			case "P1", "P2":
				next = "player"
			default:
				for _, y := range c.t.r.Index.Symbols() {
					switch {
					case y.Name == name && y.Sort == interpreter.NameLocal && c.near(y):
						next = y.Type
					case y.Name == name && y.Sort == interpreter.NameAction:
						next = name
					}
				}
				if t := c.roleType(name); t != "" {
					next = t
				}
			}
		}
		typ = next
	}
	return typ
}

// roleType is the type of a role or attribute of an action that the clause speaks
// of, or "".
func (c *completer) roleType(name string) string {
	for _, n := range c.actionsAround() {
		for _, p := range n.Parts {
			if p.Name == name {
				return p.Type
			}
		}
	}
	return ""
}

// actionsAround lists the actions that the clause and those around it speak of.
func (c *completer) actionsAround() []interpreter.Name {
	said := map[string]bool{}
	note := func(list []grammar.Token) {
		for _, t := range list {
			if t.Kind == grammar.Word || t.Kind == grammar.Ident {
				said[t.Text] = true
			}
		}
	}
	note(c.before)
	for _, h := range c.heads {
		note(h)
	}
	var out []interpreter.Name
	for _, n := range c.t.all() {
		if (n.Sort == interpreter.NameAction || n.Sort == interpreter.NameStep) && said[n.Name] {
			out = append(out, n)
		}
	}
	return out
}

// near reports whether a local name is given in the declaration of the place.
func (c *completer) near(y *interpreter.Symbol) bool {
	for _, d := range c.file.Tree().Decls {
		if d.Start <= c.at && c.at <= d.End {
			for _, m := range y.Mentions {
				if m.Declares && m.Span.File == d.File && d.Start <= m.Span.Start && m.Span.Start < c.at && m.Span.End <= d.End {
					return true
				}
			}
		}
	}
	return false
}

// expression offers what a condition or an amount can be made of.
func (c *completer) expression() {
	c.symbols(func(y *interpreter.Symbol) bool { return y.Sort == interpreter.NameLocal && c.near(y) })
	c.rank--
	for _, n := range c.locals {
		c.add(completionItem{Label: n, Kind: 6}, n)
	}
	c.rank++
	for _, n := range c.actionsAround() {
		for _, p := range n.Parts {
			c.add(completionItem{Label: p.Name, Kind: 6, Detail: p.Sort + " of " + n.Name + ": " + p.Type, Docs: markdown(escape(p.Shown))}, p.Name)
		}
	}
	c.rank++
	if c.outer() == "case" {
		c.players()
	}
	c.sorts(interpreter.NameCharacteristic)
	c.named(valueWords...)
	c.sorts(interpreter.NameValue, interpreter.NameToken, interpreter.NameZone, interpreter.NameTable, interpreter.NameKeyword)
	c.functions(false)
	c.rank++
	c.sorts(interpreter.NameAction)
}

// functions offers the functions of expressions, or those that are asked of an object.
func (c *completer) functions(methods bool) {
	for _, f := range interpreter.Functions() {
		if f.Method != methods || f.InCases && c.outer() != "case" {
			continue
		}
		args := ""
		for i, a := range f.Args {
			if i > 0 {
				args += ", "
			}
			args += fmt.Sprintf("${%d:%s}", i+1, a)
		}
		c.word(word{f.Name, "", f.Name + "(" + args + ")", f.Says("en"), f.Says("th")})
	}
}

// inText offers what a text in quotation marks can name.
func (c *completer) inText() {
	prev := c.last(1)
	switch {
	case c.last(1) == "card", prev == "errata", prev == ":" && len(c.before) > 0 && c.before[0].Text == "given":
		c.sorts(interpreter.NameCard)
	case prev == "from", prev == "until":
		c.sorts(interpreter.NameEdition)
	case prev == "," && c.last(4) == "fired":
		c.sorts(interpreter.NameHeader)
	default:
		for i := len(c.before) - 1; i >= 0; i-- {
			if t := c.before[i]; t.Kind == grammar.RuleNo {
				c.keys(t.Text)
				return
			} else if t.Text != "," {
				return
			}
		}
	}
}
