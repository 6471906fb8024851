// Package joined puts values into texts of languages that write words without
// blanks between them: Thai meets Thai without a blank, and Latin letters and
// figures with one.
package joined

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Mark stands at both ends of a value that has been put into a text, until Smooth
// has joined it with what is around it.
const Mark = "\x01"

var verb = regexp.MustCompile(`%%|%(\[\d+\])?[-+0-9.]*[sdvq]`)

// kept is a blank that stays, whatever is beside it.
const kept = "\x02"

// Format is fmt.Sprintf for such a text. A low line in the format is a blank that
// stays, as between clauses.
func Format(format string, args ...any) string {
	format = strings.ReplaceAll(format, "_", kept)
	marked := verb.ReplaceAllStringFunc(format, func(v string) string {
		if v == "%%" {
			return v
		}
		return Mark + v + Mark
	})
	return strings.ReplaceAll(Smooth(fmt.Sprintf(marked, args...)), kept, " ")
}

// Smooth takes the marks out of a text and sets the blanks beside them.
func Smooth(s string) string {
	if !strings.Contains(s, Mark) {
		return s
	}
	var out []rune
	rs := []rune(s)
	for i := 0; i < len(rs); {
		blanks, marks, k := 0, 0, i
		for ; k < len(rs) && (rs[k] == ' ' || string(rs[k]) == Mark); k++ {
			if rs[k] == ' ' {
				blanks++
			} else {
				marks++
			}
		}
		if k == i {
			out = append(out, rs[i])
			i++
			continue
		}
		var before, after rune
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		if k < len(rs) {
			after = rs[k]
		}
		switch {
		case marks == 0:
		case blanks == 1 && Unspaced(before) && Unspaced(after):
			blanks = 0
		case blanks == 0 && (Unspaced(before) && spaced(after) || spaced(before) && Unspaced(after)):
			blanks = 1
		}
		for range blanks {
			out = append(out, ' ')
		}
		i = k
	}
	return string(out)
}

// Unspaced reports whether a rune is written without spaces between words: a letter
// or mark of a script without capitals.
func Unspaced(r rune) bool {
	return unicode.IsMark(r) || unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsLower(r)
}

func spaced(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !Unspaced(r) }
