package lsp

import (
	"context"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
)

// tokens of a file, comments among them.
func tokens(f *interpreter.RuleFile) []grammar.Token {
	return grammar.Tokens(f.Source(), &diag.List{})
}

// The legend of semantic tokens.
var tokenTypes = []string{"keyword", "comment", "string", "number", "operator", "class", "type", "enumMember", "property", "parameter", "variable", "function", "event", "struct", "macro", "namespace"}

const (
	colKeyword = iota
	colComment
	colString
	colNumber
	colOperator
	colClass
	colType
	colMember
	colProperty
	colParameter
	colVariable
	colFunction
	colEvent
	colStruct
	colMacro
	colNamespace
)

var colourOf = map[interpreter.NameSort]int{
	interpreter.NameKeyword: colClass, interpreter.NameHeader: colEvent, interpreter.NameToken: colStruct, interpreter.NameKind: colType,
	interpreter.NameValues: colType, interpreter.NameValue: colMember, interpreter.NameZone: colNamespace, interpreter.NameLayer: colNamespace,
	interpreter.NameCharacteristic: colProperty, interpreter.NameAttribute: colProperty, interpreter.NameRole: colParameter,
	interpreter.NameLocal: colVariable, interpreter.NameLabel: colVariable, interpreter.NameAction: colFunction, interpreter.NameTable: colFunction,
	interpreter.NameRule: colNumber, interpreter.NameStatement: colString, interpreter.NameCard: colString, interpreter.NameEdition: colString,
}

// semantic lists the tokens of a file with what they are.
func (s *server) semantic(ctx context.Context, p *struct {
	TextDocument documentID `json:"textDocument"`
	Range        *textRange `json:"range"`
}) (any, error) {
	_, r, f, err := s.fresh(ctx, p.TextDocument.URI)
	if err != nil {
		return map[string]any{"data": []int{}}, ctx.Err()
	}
	l := s.linesOf(f)
	from, to := 0, len(l.text)
	if p.Range != nil {
		from, to = l.offset(p.Range.Start), l.offset(p.Range.End)
	}
	data := []int{}
	lastLine, lastChar := 0, 0
	put := func(start, end, typ, mods int) {
		if end <= from || start >= to {
			return
		}
		a, b := l.position(start), l.position(end)
		if a.Line != b.Line {
			return // a token that runs over lines is a slip, and shown as one
		}
		if a.Line != lastLine {
			lastChar = 0
		}
		data = append(data, a.Line-lastLine, a.Character-lastChar, b.Character-a.Character, typ, mods)
		lastLine, lastChar = a.Line, a.Character
	}
	names := r.Index.File(f.Source())
	i := 0
	for _, t := range tokens(f) {
		for i < len(names) && names[i].Span.End <= t.Start {
			i++
		}
		if i < len(names) && names[i].Span.Start <= t.Start && t.End <= names[i].Span.End {
			if typ, ok := colourOf[names[i].Symbol.Sort]; ok {
				mods := 0
				if names[i].Declares {
					mods = 1
				}
				put(t.Start, t.End, typ, mods)
				continue
			}
		}
		switch t.Kind {
		case grammar.Comment:
			put(t.Start, t.End, colComment, 0)
		case grammar.String:
			put(t.Start, t.End, colString, 0)
		case grammar.Int, grammar.RuleNo:
			put(t.Start, t.End, colNumber, 0)
		case grammar.Word:
			put(t.Start, t.End, colKeyword, 0)
		}
	}
	return map[string]any{"data": data}, nil
}
