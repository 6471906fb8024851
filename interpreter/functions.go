package interpreter

import "strings"

// Function is a function of expressions. They belong to the language, whatever the
// rules declare.
type Function struct {
	Name   string
	Args   []string // what it takes, in words
	Method bool     // it is asked of an object: x.has(…)
	en, th string

	InCases bool // only cases can use it
}

// Form is how the function is written.
func (f Function) Form() string {
	form := f.Name + "(" + strings.Join(f.Args, ", ") + ")"
	if f.Method {
		return "x." + form
	}
	return form
}

// Says is what the function gives.
func (f Function) Says(lang string) string {
	if lang == "th" {
		return f.th
	}
	return f.en
}

// Functions lists the functions that expressions can use.
func Functions() []Function { return append([]Function(nil), functions...) }

var functions = []Function{
	{"count", []string{"list"}, false, "How many.", "จำนวน", false},
	{"any", []string{"list", "condition"}, false, "Whether one fits.", "มีสักหนึ่งหรือไม่", false},
	{"all", []string{"list", "condition"}, false, "Whether all fit.", "ทั้งหมดหรือไม่", false},
	{"none", []string{"list", "condition"}, false, "Whether none fits.", "ไม่มีเลยหรือไม่", false},
	{"find", []string{"list", "condition"}, false, "The first that fits.", "สิ่งแรกที่ตรง", false},
	{"first", []string{"list"}, false, "The first.", "สิ่งแรก", false},
	{"filter", []string{"list", "condition"}, false, "Those that fit.", "สิ่งที่ตรง", false},
	{"map", []string{"list", "value"}, false, "The value of each.", "ค่าของแต่ละสิ่ง", false},
	{"union", []string{"list", ".set"}, false, "The names that any of them has.", "ชื่อทั้งหมดที่สิ่งใดสิ่งหนึ่งมี", false},
	{"sum", []string{"list", "number"}, false, "The sum.", "ผลรวม", false},
	{"min", []string{"a", "b"}, false, "The least.", "ค่าน้อยสุด", false},
	{"max", []string{"a", "b"}, false, "The most.", "ค่ามากสุด", false},
	{"sortBy", []string{"list", "number"}, false, "Sorted by a number.", "เรียงตามตัวเลข", false},
	{"abs", []string{"number"}, false, "Without its sign.", "ค่าสัมบูรณ์", false},
	{"look", []string{"card", "direction"}, false, "The first card in a direction.", "การ์ดแรกในทิศนั้น", false},
	{"opposite", []string{"direction"}, false, "The direction that faces back.", "ทิศตรงข้าม", false},
	{"distance", []string{"place", "place"}, false, "Steps on the grid.", "จำนวนก้าวบนตาราง", false},
	{"cell", []string{"0", "0"}, false, "A cell of the grid.", "ช่องของตาราง", false},
	{"has", []string{"Keyword"}, true, "Whether it has the keyword.", "มี Keyword นี้หรือไม่", false},
	{"tally", []string{"Token"}, true, "How many of these tokens lie on it.", "จำนวน Token ที่วางอยู่", false},
	{"is", []string{"Kind"}, true, "Whether it is of the kind.", "เป็นชนิดนี้หรือไม่", false},
	{"fired", []string{"card", "Header"}, false, "In cases: how often an ability under a header of it triggered.", "ในกรณีทดสอบ: ความสามารถใต้หัวข้อนั้น Trigger กี่ครั้ง", true},
	{"order", []string{"card", "characteristic"}, false, "In cases: the effects that change a value, in order.", "ในกรณีทดสอบ: เอฟเฟกต์ที่เปลี่ยนค่า ตามลำดับ", true},
}
