package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which names are compared: Unicode normal form C, the
// curly apostrophe made straight, and the Thai pairs that look like one letter
// joined (two SARA E are one SARA AE; NIKHAHIT and SARA AA are one SARA AM, also
// with a tone mark between). Unicode does not join these itself.
func Fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return s
	}
	s = norm.NFC.String(s)
	s = strings.ReplaceAll(s, "’", "'")
	s = strings.ReplaceAll(s, "\u0e40\u0e40", "\u0e41")
	if strings.ContainsRune(s, '\u0e4d') {
		rs := []rune(s)
		out := rs[:0]
		for i := 0; i < len(rs); i++ {
			switch {
			case rs[i] == '\u0e4d' && i+1 < len(rs) && rs[i+1] == '\u0e32':
				out = append(out, '\u0e33')
				i++
			case rs[i] == '\u0e4d' && i+2 < len(rs) && thaiTone(rs[i+1]) && rs[i+2] == '\u0e32':
				out = append(out, rs[i+1], '\u0e33')
				i += 2
			default:
				out = append(out, rs[i])
			}
		}
		s = string(out)
	}
	return s
}

func thaiTone(r rune) bool { return r >= '\u0e48' && r <= '\u0e4b' }

func thaiMark(r rune) bool {
	return r == '\u0e31' || r >= '\u0e34' && r <= '\u0e3a' || r >= '\u0e47' && r <= '\u0e4e'
}

// doubledMarks finds a Thai mark typed twice in a row, or two tone marks on one
// letter: on screen they lie over each other and look like one.
func doubledMarks(s string) (string, bool) {
	var prev rune
	found := false
	for _, r := range s {
		if doubled(prev, r) {
			found = true
			break
		}
		prev = r
	}
	if !found {
		return s, false
	}
	var b strings.Builder
	prev = 0
	for _, r := range s {
		if doubled(prev, r) {
			continue
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String(), true
}

// doubled reports whether a mark repeats the one before it on the same letter. The
// vowel am is no mark by itself, but no letter has two.
func doubled(prev, r rune) bool {
	return thaiMark(r) && (r == prev || thaiTone(r) && thaiTone(prev)) || r == 'ำ' && prev == r
}

// invisible reports whether a character shows nothing and so must not hide
// between the letters of a name.
func invisible(r rune) bool {
	switch {
	case r >= '\u200b' && r <= '\u200f', r >= '\u2028' && r <= '\u202e', r >= '\u2060' && r <= '\u206f',
		r == '\ufeff', r == '\u00ad', r == '\u180e', r == '\u034f', r == '\u0085', r >= '\ufe00' && r <= '\ufe0f',
		r >= 0x80 && r < 0xa0, r >= 0xe0000 && r <= 0xe01ef:
		return true
	}
	return false
}

// typographic maps signs that word processors put in to what was meant.
var typographic = map[rune]string{
	'–': "-", '—': "-", '−': "-", '‐': "-", '‑': "-", '×': "*", '≥': ">=", '≤': "<=", '≠': "!=", '…': "..",
	'‘': "'", '’': "'", '‚': ",", '·': ".", '•': "*", '،': ",", '；': ";",
}

// narrowRun returns the ordinary form of the full-width characters that s
// begins with, and how many bytes they take.
func narrowRun(s string) (string, int) {
	var b strings.Builder
	n := 0
	for _, r := range s {
		switch {
		case r >= '\uff01' && r <= '\uff5e':
			b.WriteRune(r - '\uff01' + '!')
		case r == '\u3000':
			b.WriteByte(' ')
		default:
			return b.String(), n
		}
		n += utf8.RuneLen(r)
	}
	return b.String(), n
}

// twins maps Cyrillic and Greek letters to the Latin ones that they look like.
var twins = map[rune]rune{
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'У': 'Y', 'Х': 'X',
	'І': 'I', 'Ј': 'J', 'Ѕ': 'S', 'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'у': 'y', 'х': 'x', 'і': 'i', 'ј': 'j',
	'ѕ': 's', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w', 'һ': 'h',
	'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T',
	'Υ': 'Y', 'Χ': 'X', 'ο': 'o', 'ν': 'v', 'α': 'a', 'ι': 'i', 'κ': 'k', 'ρ': 'p', 'υ': 'u',
}

// lookalike reports whether a name has letters of another alphabet that look
// Latin: mixed with Latin ones, or nothing but these. A word that is truly
// Russian or Greek has other letters too and passes.
func lookalike(s string) (string, bool) {
	latin, twin, other, wide := false, false, false, false
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			latin = latin || r >= 'A'
		case r >= '\uff01' && r <= '\uff5e':
			wide = true
		case twins[r] != 0:
			twin = true
		case unicode.Is(unicode.Cyrillic, r) || unicode.Is(unicode.Greek, r):
			other = true
		}
	}
	if !wide && (!twin || other && !latin) {
		return s, false
	}
	var b strings.Builder
	for _, r := range s {
		if r >= '\uff01' && r <= '\uff5e' {
			r = r - '\uff01' + '!'
		} else if t := twins[r]; t != 0 {
			r = t
		}
		b.WriteRune(r)
	}
	return b.String(), true
}
