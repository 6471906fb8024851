package interpreter

import (
	"errors"
	"fmt"
	"slices"

	"github.com/momon-rules/momon/interpreter/internal/run"
)

// fault is an error that can be told in several languages.
type fault struct {
	of   error  // the error that callers tell it by, or nil
	key  string // in faults
	args []any
}

// Error implements error.
func (f *fault) Error() string { return f.text("en") }

// Unwrap returns the error that callers tell it by.
func (f *fault) Unwrap() error { return f.of }

// phrased is an argument of a fault that has words of its own in each language.
type phrased map[string]string

func (f *fault) text(lang string) string {
	s := inLang(faults[f.key], lang)
	if len(f.args) > 0 {
		args := slices.Clone(f.args)
		for i, a := range args {
			if p, ok := a.(phrased); ok {
				if args[i] = p[lang]; p[lang] == "" {
					args[i] = p["en"]
				}
			}
		}
		s = fmt.Sprintf(s, args...)
	}
	if f.of != nil {
		s = ErrorText(f.of, lang) + ": " + s
	}
	return s
}

func inLang(s [2]string, lang string) string {
	if lang == "th" {
		return s[1]
	}
	return s[0]
}

// ErrorText words an error of this package for people, in a language. What it knows
// no words for it tells as the error does itself.
func ErrorText(err error, lang string) string {
	var f *fault
	if errors.As(err, &f) {
		return f.text(lang)
	}
	var m *MisfitError
	if errors.As(err, &m) {
		return fmt.Sprintf(inLang(faults["misfit"], lang), m.Number, m.Player, m.Name, m.ReasonText(lang))
	}
	for _, k := range plainErrors {
		if errors.Is(err, k.err) {
			return inLang(k.words, lang)
		}
	}
	return err.Error()
}

// answerFault is what is wrong with an answer to a decision.
func answerFault(err error) error {
	var u *run.Unfit
	if !errors.As(err, &u) {
		return err
	}
	key, args := "pick-"+u.What, []any{}
	for _, n := range u.Numbers {
		args = append(args, n)
	}
	return &fault{key: key, args: args}
}

var plainErrors = []struct {
	err   error
	words [2]string
}{
	{ErrOver, [2]string{"the game is over", "เกมจบแล้ว"}},
	{ErrNoPile, [2]string{ErrNoPile.Error(), "กติกาไม่ได้ประกาศกองของผู้เล่นแต่ละคนที่ทุกคนมองไม่เห็น จึงไม่มีที่วางสำรับ"}},
	{ErrNoDecks, [2]string{ErrNoDecks.Error(), "กติกาประกาศสำรับไว้ไม่ถึงสองสำรับ จึงต้องระบุสำรับ"}},
	{ErrNothing, [2]string{"there is no decision to take back", "ไม่มีการตัดสินใจที่จะย้อน"}},
	{ErrSeen, [2]string{ErrSeen.Error(), "มีการเปิดเผยการ์ดหรือสุ่มหลังการตัดสินใจนั้น จึงย้อนได้เมื่อขอโดยชัดเจนเท่านั้น"}},
	{ErrIncomplete, [2]string{ErrIncomplete.Error(), "บันทึกไม่ย้อนไปไกลถึงเพียงนั้น"}},
	{ErrOtherRules, [2]string{ErrOtherRules.Error(), "เกมนี้บันทึกไว้ภายใต้กติกาอื่น"}},
	{ErrNotSaved, [2]string{ErrNotSaved.Error(), "ไม่ใช่เกมที่บันทึกไว้"}},
	{ErrDamaged, [2]string{ErrDamaged.Error(), "เกมที่บันทึกไว้เสียหาย"}},
	{ErrOtherLayout, [2]string{ErrOtherLayout.Error(), "เกมนี้บันทึกด้วยโปรแกรมรุ่นอื่น และบันทึกไม่ครบตั้งแต่ต้น"}},
	{ErrFormat, [2]string{ErrFormat.Error(), "เกมที่บันทึกไว้มีรูปแบบที่โปรแกรมนี้ไม่รู้จัก"}},
}

var faults = map[string][2]string{
	"pick-count":    {"options to choose: %d, not %d", "ต้องเลือก %d ตัวเลือก ไม่ใช่ %d"},
	"pick-range":    {"%d to %d of the options are wanted, not %d", "ต้องเลือก %d ถึง %d ตัวเลือก ไม่ใช่ %d"},
	"pick-unknown":  {"there is no option %d", "ไม่มีตัวเลือก %d"},
	"pick-twice":    {"option %d is chosen twice", "เลือกตัวเลือก %d ซ้ำ"},
	"misfit":        {"decision %d of P%d (%s) no longer fits: %s", "การตัดสินใจที่ %d ของ P%d (%s) ไม่ตรงกับกติกาแล้ว: %s"},
	"misfit-over":   {"the game is over by then", "เกมจบไปก่อนแล้ว"},
	"misfit-other":  {"P%d decides on %s there", "ตรงนั้น P%d ตัดสินใจเรื่อง %s"},
	"misfit-option": {"what was chosen is not offered", "ไม่มีตัวเลือกที่เคยเลือก"},

	"many-files": {"there are more than %d rule files", "มีไฟล์กติกามากกว่า %d ไฟล์"},
	"not-begun":  {"the game can't begin: %s", "เริ่มเกมไม่ได้: %s"},

	"save-rules":    {"rules %.12s of edition %q, now %.12s of edition %q", "กติกา %.12s ฉบับ %q ปัจจุบัน %.12s ฉบับ %q"},
	"save-packs":    {"then %s, edition %q; now %s, edition %q", "ตอนนั้น %s ฉบับ %q ปัจจุบัน %s ฉบับ %q"},
	"save-state":    {"its state is not the one that was saved", "สถานะไม่ตรงกับที่บันทึกไว้"},
	"save-unfit":    {"its state does not fit the rules", "สถานะไม่เข้ากับกติกา"},
	"save-cut":      {"it is cut short after %d bytes", "ไฟล์ขาดหลังไบต์ที่ %d"},
	"save-empty":    {"it is empty", "ไฟล์ว่างเปล่า"},
	"save-form":     {"form %d; this program reads up to %d", "รูปแบบ %d โปรแกรมนี้อ่านได้ถึง %d"},
	"save-gap":      {"its gap is below 0", "ค่า gap ต่ำกว่า 0"},
	"save-player":   {"there is no player %d", "ไม่มีผู้เล่น %d"},
	"save-decision": {"nobody can have made its decision %d", "ไม่มีใครตัดสินใจครั้งที่ %d ได้"},
	"json-syntax":   {"it stops being JSON at byte %d", "ไม่ใช่ JSON ที่ไบต์ %d"},
	"json-field":    {"what stands for %[2]q is of the wrong kind: %[1]s", "ค่าของ %[2]q ผิดชนิด: %[1]s"},
	"json-kind":     {"it is of the wrong kind: %s", "ผิดชนิด: %s"},
	"json-value":    {"a value in it has the wrong form", "ค่าหนึ่งในนั้นมีรูปแบบผิด"},
}
