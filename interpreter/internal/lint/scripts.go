package lint

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/momon-rules/momon/grammar"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/grammar/source"
)

// Letters tell languages apart where these are written in scripts of their own: of a
// text that stands under the name of the other language, and of one that was never
// translated. Of languages that share a script, and of those that are not here,
// nothing is said.

// scripts are the letters of languages, by their codes.
var scripts = map[string][]*unicode.RangeTable{
	"en": {unicode.Latin}, "de": {unicode.Latin}, "fr": {unicode.Latin}, "es": {unicode.Latin}, "it": {unicode.Latin}, "pt": {unicode.Latin},
	"id": {unicode.Latin}, "vi": {unicode.Latin}, "th": {unicode.Thai}, "lo": {unicode.Lao}, "km": {unicode.Khmer}, "my": {unicode.Myanmar},
	"ja": {unicode.Han, unicode.Hiragana, unicode.Katakana}, "zh": {unicode.Han}, "ko": {unicode.Hangul, unicode.Han},
	"ru": {unicode.Cyrillic}, "uk": {unicode.Cyrillic}, "el": {unicode.Greek}, "he": {unicode.Hebrew}, "ar": {unicode.Arabic}, "hi": {unicode.Devanagari},
}

// written is what letters a text has.
type written struct {
	own, other bool
	small      int // words of small Latin letters, which no name is made of
}

// letters looks at the letters of a text outside its holes.
func letters(s, lang string) written {
	var w written
	own := scripts[lang]
	hole := 0
	for _, word := range strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?()[]\"“”’'—–-/+", r)
	}) {
		n, small := 0, true
		for _, r := range word {
			switch {
			case r == '{':
				hole++
			case r == '}':
				hole = max(0, hole-1)
				small = false
			case hole > 0 || !unicode.IsLetter(r):
			default:
				n++
				small = small && unicode.Is(unicode.Latin, r) && unicode.IsLower(r)
				if unicode.In(r, own...) {
					w.own = true
				} else {
					w.other = true
				}
			}
		}
		if small && n > 1 {
			w.small++
		}
	}
	return w
}

// languages looks whether the texts of every declaration are in the languages that they
// are given for.
func (l *linter) languages() {
	known := false // two languages can be told apart
	for _, a := range l.p.Languages {
		for _, b := range l.p.Languages {
			known = known || apart(a.Lang, b.Lang)
		}
	}
	if !known {
		return
	}
	text := reflect.TypeFor[[]grammar.Text]()
	for _, k := range l.kept {
		if k.Case != nil || k.Head == "text" {
			continue
		}
		tail := k.Decl.Common()
		var look func(v reflect.Value)
		look = func(v reflect.Value) {
			switch v.Kind() {
			case reflect.Pointer:
				if !v.IsNil() && v.Type() != reflect.TypeFor[*source.File]() {
					look(v.Elem())
				}
			case reflect.Struct:
				for i := range v.NumField() {
					look(v.Field(i))
				}
			case reflect.Slice:
				if v.Type() == text {
					list := v.Interface().([]grammar.Text)
					name := tail != nil && len(list) > 0 && len(tail.Texts) > 0 && &list[0] == &tail.Texts[0] && k.Head != "summary" && k.Head != "statement"
					l.inLanguage(list, name)
					return
				}
				for i := range v.Len() {
					look(v.Index(i))
				}
			}
		}
		look(reflect.ValueOf(k.Decl))
	}
}

// apart reports whether two languages have no letters in common.
func apart(a, b string) bool {
	if len(scripts[a]) == 0 || len(scripts[b]) == 0 {
		return false
	}
	for _, x := range scripts[a] {
		for _, y := range scripts[b] {
			if x == y {
				return false
			}
		}
	}
	return true
}

// inLanguage warns of two texts of which each is in the language of the other, and of a
// text of which no word is in its own. What people are called by can be the same
// everywhere, so a name is left alone.
func (l *linter) inLanguage(list []grammar.Text, name bool) {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if !apart(a.Lang, b.Lang) {
				continue
			}
			if swapped(a, b) || swapped(b, a) {
				d := l.warn("texts-swapped", a.Span.To(b.Span), "language", a.Lang, "other", b.Lang)
				if strings.TrimSpace(a.File.Text[a.End:b.Start]) == "" {
					quoted := func(t grammar.Text) string {
						return strings.TrimSpace(strings.TrimPrefix(t.Span.Text(), t.Lang))
					}
					d.Fix = &diag.Fix{Span: a.Span.To(b.Span), Text: a.Lang + " " + quoted(b) + a.File.Text[a.End:b.Start] + b.Lang + " " + quoted(a)}
				}
				return
			}
		}
	}
	if name {
		return
	}
	for _, t := range list {
		if len(scripts[t.Lang]) == 0 {
			continue
		}
		w := letters(t.Value, t.Lang)
		latin := unicode.Latin == scripts[t.Lang][0]
		if !w.own && (latin && w.other || w.small > 1) {
			l.warn("text-other-language", t.Span, "language", t.Lang)
			return
		}
	}
}

// swapped reports whether a text of one language is written in the letters of another's,
// and the other's in its own. Names in the first, which can be the same everywhere, do not
// count where the other is a sentence.
func swapped(a, b grammar.Text) bool {
	of, in := letters(a.Value, a.Lang), letters(b.Value, b.Lang)
	if in.own || !letters(a.Value, b.Lang).own || !letters(b.Value, a.Lang).own {
		return false
	}
	return !of.own || of.small == 0 && in.small > 1
}
