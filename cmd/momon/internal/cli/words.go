package cli

import "fmt"

// t words something that the program itself says. Whatever names a thing of the
// game comes from its data.
func (a *app) t(key string, args ...any) string {
	w, ok := words[key]
	if !ok {
		return key
	}
	s := w[0]
	if a.lang == "th" {
		s = w[1]
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}

var words = map[string][2]string{
	"rules-have-errors": {"The rules have errors, so nothing was run.", "กติกามีข้อผิดพลาด จึงยังไม่ได้ทำงาน"},
	"turn-of":           {"Turn: %s", "เทิร์น: %s"},
	"empty":             {"empty", "ว่าง"},
	"game-over":         {"The game is over", "จบเกม"},
	"wins":              {"%s wins.", "%s ชนะ"},
	"draw":              {"A draw.", "เสมอ"},
	"other-rules": {"%v.\nAdd --replay to play its decisions again under the present rules.",
		"%v\nเพิ่ม --replay เพื่อเล่นการตัดสินใจเดิมซ้ำภายใต้กติกาปัจจุบัน"},
	"bad-save": {"%v. The file is left as it is.", "%v ไฟล์ยังคงเดิม"},
}
