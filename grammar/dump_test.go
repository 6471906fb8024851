package grammar

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/momon-rules/momon/grammar/source"
)

// dump writes a tree as indented text, zero fields and places left out.
func dump(v any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(v), 0, "")
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value, depth int, label string) {
	pad := strings.Repeat("  ", depth)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.IsZero() {
		return
	}
	switch x := v.Interface().(type) {
	case source.Span, source.File:
		return
	case Name:
		fmt.Fprintf(b, "%s%s %s\n", pad, label, x.Text)
		return
	case Str:
		fmt.Fprintf(b, "%s%s %q\n", pad, label, x.Value)
		return
	case Expr:
		fmt.Fprintf(b, "%s%s `%s`\n", pad, label, words(x.Tokens))
		return
	case []Token:
		fmt.Fprintf(b, "%s%s `%s`\n", pad, label, words(x))
		return
	case Text:
		fmt.Fprintf(b, "%s%s %s %q\n", pad, label, x.Lang, x.Value)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		fmt.Fprintf(b, "%s%s:\n", pad, label)
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				dumpValue(b, v.Field(i), depth+1, f.Name)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			dumpValue(b, v.Index(i), depth, label)
		}
	default:
		fmt.Fprintf(b, "%s%s %v\n", pad, label, v.Interface())
	}
}

func words(ts []Token) string {
	var s []string
	for _, t := range ts {
		if t.Kind == String {
			s = append(s, fmt.Sprintf("%q", t.Text))
		} else {
			s = append(s, t.Text)
		}
	}
	return strings.Join(s, " ")
}
