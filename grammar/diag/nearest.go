package diag

import "unicode/utf8"

// Nearest returns the known name that the word was most likely meant to be, or
// "" if none is near: at most one change in three characters, two changed places
// counting as one, and capital and small letters the same. Of equally near names
// the first wins.
func Nearest(word string, known []string) string {
	w := []rune(lower(word))
	best, bound := "", max(1, (len(w)+1)/3)
	bound++ // distance must be below it
	for _, k := range known {
		if k == word || k == "" {
			continue
		}
		n := utf8.RuneCountInString(k)
		if n-len(w) >= bound || len(w)-n >= bound {
			continue
		}
		if d := distance(w, []rune(lower(k)), bound); d < bound && d < max(n, len(w)) {
			best, bound = k, d
			if d == 0 {
				break
			}
		}
	}
	return best
}

func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if b[j] >= 'A' && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// distance is the optimal string alignment distance, or bound if it is not below.
func distance(a, b []rune, bound int) int {
	prev2 := make([]int, len(b)+1)
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
			low = min(low, d)
		}
		if low >= bound {
			return bound
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
