package thai

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// TestThaiLines holds that Thai words stay whole at the end of a line.
func TestThaiLines(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"ผู้เล่นเลือกการ์ดจากกองทิ้ง", "ผู้เล่น|เลือก|การ์ด|จาก|กองทิ้ง"},
		{"จนจบเทิร์น", "จน|จบเทิร์น"},
		{"ให้Wardแก่ตัวนี้", "ให้|Ward|แก่|ตัว|นี้"},
		{"(ยกเว้น", "(ยกเว้น"},
		{"plain", "plain"},
		{"conformance/cases/13-2", "conformance/|cases/|13-|2"},
	} {
		if got := strings.Join(Pieces(x.text), "|"); got != x.want {
			t.Errorf("%s: %s, not %s", x.text, got, x.want)
		}
	}
	for _, l := range Cut("ประกาศพระราชกฤษฎีกาเครื่องราชอิสริยาภรณ์", 8, uniseg.StringWidth) {
		if r := []rune(l)[0]; Follows(r) {
			t.Errorf("a line begins with what belongs to the letter before: %s", l)
		}
		if r := []rune(l); Leads(r[len(r)-1]) {
			t.Errorf("a line ends with a vowel that belongs to the next letter: %s", l)
		}
	}
}
