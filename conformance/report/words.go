package report

import (
	"fmt"
	"strings"

	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/grammar/joined"
)

// Text words something that reports say, in a language; other languages than Thai
// get English.
func Text(lang, key string, args ...any) string {
	w, ok := words[key]
	if !ok {
		return key
	}
	switch {
	case lang != "th" && len(args) == 0:
		return w[0]
	case lang != "th":
		return fmt.Sprintf(w[0], args...)
	case len(args) == 0:
		return strings.ReplaceAll(w[1], "_", " ")
	}
	return joined.Format(w[1], args...)
}

// Sign is the sign of a kind. No two are alike, so that nothing hangs on colour.
func Sign(k Kind) string {
	switch k {
	case Passed:
		return "✓"
	case Failed:
		return "✗"
	case Known:
		return "!"
	case Unsupported:
		return "−"
	case Skipped:
		return "»"
	case Reading:
		return "≠"
	case NotRun:
		return "?"
	case NotMeant:
		return "·"
	}
	return "–"
}

// Sentence says what a verdict means.
func Sentence(lang string, v runner.Verdict) string { return Text(lang, "verdict-"+string(v)) }

// Obstacles says in one sentence what keeps a program from the next level; it is ""
// where there is none.
func Obstacles(lang string, s Standing) string {
	if s.Next == "" {
		return ""
	}
	var out []string
	for _, o := range s.Between {
		out = append(out, Text(lang, "between-"+o.Code, o.Count))
	}
	return Text(lang, "not-next", Text(lang, "level-"+string(s.Next)), strings.Join(out, ", "))
}

// Summary says in one line what became of the cases of a status.
func Summary(lang, status string, f Figures) string {
	if f.Cases == f.NotMeant {
		return Text(lang, "summary-built-in", Text(lang, status), f.Cases)
	}
	text := Text(lang, "summary", Text(lang, status), f.Passed, f.Cases, f.Failed)
	for _, k := range Kinds[2:] {
		if n := f.Of(k); n > 0 {
			text += Text(lang, "summary-"+string(k), n)
		}
	}
	if status == runner.Provisional {
		text += Text(lang, "summary-provisional")
	}
	return text
}

var words = map[string][2]string{
	"title":       {"Conformance report", "รายงานผลการทดสอบกติกา"},
	"page-title":  {"Conformance report · รายงานผลการทดสอบกติกา", "รายงานผลการทดสอบกติกา · Conformance report"},
	"skip":        {"Skip to the results", "ข้ามไปที่ผล"},
	"of-suite":    {"Checked by the cases of edition %s (%s).", "ตรวจด้วยกรณีของฉบับ %s (%s)"},
	"suites":      {"The records are of different suites, so that figures can't be compared; each stands beside its program.", "บันทึกเหล่านี้มาจากชุดทดสอบต่างกัน จึงเทียบตัวเลขกันไม่ได้ ชุดของแต่ละโปรแกรมแสดงไว้ข้างชื่อ"},
	"suite":       {"Suite", "ชุดทดสอบ"},
	"overview":    {"Overview", "ภาพรวม"},
	"program":     {"Program", "โปรแกรม"},
	"level":       {"Level", "ระดับ"},
	"next":        {"What is between", "สิ่งที่ยังขาด"},
	"selection":   {"Cases run", "กรณีที่เลือกมาทดสอบ"},
	"all-cases":   {"all %d", "ทั้งหมด %d"},
	"some-cases":  {"%d of %d", "%d จาก %d"},
	"twin":        {"told otherwise: %s", "เล่าอีกแบบ: %s"},
	"isolated":    {"each case in a program of its own", "เริ่มโปรแกรมใหม่ทุกกรณี"},
	"incomplete":  {"The run was given up: %d cases were not run. It says nothing of those.", "การทดสอบหยุดกลางคัน: ยังไม่ได้ทดสอบ %d กรณี จึงไม่บอกสิ่งใดเกี่ยวกับกรณีเหล่านั้น"},
	"status":      {"Status", "สถานะ"},
	"counts":      {"Cases", "กรณี"},
	"count-kinds": {"Result", "ผล"},
	"of":          {"%d of %d", "%d จาก %d"},
	"total":       {"of", "จาก"},
	"none":        {"none", "ไม่มี"},
	"dash":        {"–", "–"},

	"normative":      {"normative", "ข้อความในกติกา"},
	"interpretation": {"interpretation", "การตีความ"},
	"provisional":    {"provisional", "ชั่วคราว"},
	"language":       {"rule language", "ภาษากติกา"},
	"core":           {"core", "หลัก"},
	"extended":       {"extended", "ขยาย"},
	"data":           {"data", "ข้อมูล"},

	"about-normative":      {"The rulebook says it.", "กติกาเขียนไว้"},
	"about-interpretation": {"The rulebook leaves it open; this is one reading.", "กติกาเปิดไว้ นี่คือการตีความแบบหนึ่ง"},
	"about-language":       {"The page of the rule language says it; for programs that load rules.", "หน้าของภาษากติกาเขียนไว้ สำหรับโปรแกรมที่โหลดกติกา"},
	"about-provisional":    {"Of sections whose text is missing. They count for no level.", "ของหมวดที่ยังไม่มีข้อความ ไม่นับในระดับใด"},

	"level-none":              {"no level yet", "ยังไม่ถึงระดับใด"},
	"level-core":              {"core", "หลัก"},
	"level-full-with-reasons": {"full with reasons", "ครบโดยมีเหตุผล"},
	"level-full":              {"full", "ครบ"},
	"levels":                  {"Levels", "ระดับ"},
	"about-core":              {"Each normative case of the core tier passes.", "กรณีที่กติกาเขียนไว้ในชั้นหลักผ่านทุกกรณี"},
	"about-full-with-reasons": {"Core; and each normative case and each interpretation passes, is of a point that the program says it reads otherwise, or is left out with a reason and a link.", "ถึงระดับหลัก และกรณีที่กติกาเขียนไว้กับกรณีการตีความทุกกรณีผ่าน หรือเป็นจุดที่โปรแกรมแจ้งว่าตีความอย่างอื่น หรือเว้นไว้โดยมีเหตุผลและลิงก์"},
	"about-full":              {"Each normative case passes, and each interpretation passes or is of a point that the program says it reads otherwise.", "กรณีที่กติกาเขียนไว้ผ่านทุกกรณี และกรณีการตีความทุกกรณีผ่านหรือเป็นจุดที่โปรแกรมแจ้งว่าตีความอย่างอื่น"},
	"not-next":                {"not %s: %s", "ยังไม่ถึงระดับ %s: %s"},
	"between-twin":            {"the cases are told otherwise (%d)", "เล่ากรณีอีกแบบ (%d)"},
	"between-faults":          {"breaches of the protocol: %d", "ผิดโพรโทคอล: %d"},
	"between-left":            {"not selected: %d", "ไม่ได้เลือก: %d"},
	"between-failed":          {"failed: %d", "ไม่ผ่าน: %d"},
	"between-known":           {"known to fail: %d", "ทราบแล้วว่าไม่ผ่าน: %d"},
	"between-unsupported":     {"unsupported: %d", "ไม่รองรับ: %d"},
	"between-skipped":         {"skipped: %d", "ข้าม: %d"},
	"between-unexplained":     {"left out without a reason and a link: %d", "เว้นโดยไม่มีเหตุผลและลิงก์: %d"},
	"between-reading":         {"read otherwise: %d", "ตีความอย่างอื่น: %d"},
	"between-not-run":         {"not run: %d", "ไม่ได้ทดสอบ: %d"},

	"summary":             {"%s: %d of %d passed, %d failed", "%s: ผ่าน %d จาก %d ไม่ผ่าน %d"},
	"summary-known":       {", %d known to fail", " ทราบแล้วว่าไม่ผ่าน %d"},
	"summary-unsupported": {", %d unsupported", " ไม่รองรับ %d"},
	"summary-skipped":     {", %d skipped", " ข้าม %d"},
	"summary-reading":     {", %d under another reading", " ตีความอย่างอื่น %d"},
	"summary-not-run":     {", %d not run", " ไม่ได้ทดสอบ %d"},
	"summary-built-in":    {"%s: %d not meant for it, because its rules are built in", "%s: ไม่เกี่ยวกับโปรแกรมนี้ %d เพราะกติกาอยู่ในตัวโปรแกรม"},
	"summary-provisional": {"; it does not count", "_(ไม่นับ)"},

	"signs":             {"Signs", "เครื่องหมาย"},
	"passed":            {"passed", "ผ่าน"},
	"failed":            {"failed", "ไม่ผ่าน"},
	"known":             {"known to fail", "ทราบแล้วว่าไม่ผ่าน"},
	"unsupported":       {"unsupported", "ไม่รองรับ"},
	"skipped":           {"skipped", "ข้าม"},
	"reading":           {"read otherwise", "ตีความอย่างอื่น"},
	"not-run":           {"not run", "ไม่ได้ทดสอบ"},
	"not-meant":         {"not meant for it", "ไม่เกี่ยวกับโปรแกรมนี้"},
	"absent":            {"not in the record", "ไม่อยู่ในบันทึก"},
	"about-passed":      {"Every answer is as expected.", "คำตอบทุกข้อตรงกับที่ต้องได้"},
	"about-failed":      {"An answer differs, or the program broke the protocol.", "มีคำตอบที่ต่าง หรือโปรแกรมผิดโพรโทคอล"},
	"about-known":       {"Fails, and is listed as known with a reason and a last day.", "ไม่ผ่าน แต่อยู่ในรายการที่ทราบแล้ว พร้อมเหตุผลและวันสุดท้าย"},
	"about-unsupported": {"The program lacks a feature or a question.", "โปรแกรมขาดความสามารถหรือคำถาม"},
	"about-skipped":     {"The program leaves it out and says why.", "โปรแกรมเว้นไว้และบอกเหตุผล"},
	"about-reading":     {"The program reads the open point otherwise, so the case does not speak of it.", "โปรแกรมตีความจุดที่เปิดไว้อย่างอื่น กรณีนี้จึงไม่เกี่ยว"},
	"about-not-run":     {"The run was given up before.", "การทดสอบหยุดก่อนถึง"},
	"about-not-meant":   {"The case loads rule files, and the program's rules are built in.", "กรณีนี้โหลดไฟล์กติกา แต่กติกาอยู่ในตัวโปรแกรม"},
	"about-absent":      {"It was not selected, or its suite does not have it.", "ไม่ได้เลือก หรือชุดทดสอบไม่มี"},

	"verdict-pass":            {"Every answer is as expected", "คำตอบทุกข้อตรงกับที่ต้องได้"},
	"verdict-unsupported":     {"It lacks a feature or a question", "ขาดความสามารถหรือคำถาม"},
	"verdict-skipped":         {"It leaves the case out", "เว้นกรณีนี้ไว้"},
	"verdict-reading":         {"It reads the open point otherwise", "ตีความจุดที่เปิดไว้อย่างอื่น"},
	"verdict-not-run":         {"It was not run", "ไม่ได้ทดสอบ"},
	"verdict-known-passes":    {"It is listed as a known failure, and passes", "อยู่ในรายการที่ทราบว่าไม่ผ่าน แต่ผ่าน"},
	"verdict-fail":            {"An answer differs", "คำตอบต่างจากที่ต้องได้"},
	"verdict-error":           {"It reports an error", "โปรแกรมแจ้งข้อผิดพลาด"},
	"verdict-missing-answers": {"A question has no answer", "มีคำถามที่ไม่มีคำตอบ"},
	"verdict-extra-answers":   {"It answers what was not asked", "ตอบสิ่งที่ไม่ได้ถาม"},
	"verdict-contradiction":   {"It contradicts itself", "โปรแกรมขัดแย้งกับที่บอกไว้"},
	"verdict-talkative":       {"It writes lines that nobody asked for", "เขียนบรรทัดที่ไม่มีใครขอ"},
	"verdict-leak":            {"Something is left over from case to case", "มีสิ่งตกค้างจากกรณีก่อน"},
	"verdict-crash":           {"It ended", "โปรแกรมจบการทำงาน"},
	"verdict-hang":            {"It did not answer in time", "ไม่ตอบภายในเวลา"},
	"verdict-garbage":         {"Its line is not what the protocol says", "บรรทัดไม่ตรงกับโพรโทคอล"},
	"verdict-too-long":        {"Its line is too long", "บรรทัดยาวเกินไป"},
	"verdict-wrong-seq":       {"Its answer belongs to another request", "คำตอบเป็นของคำขออื่น"},

	"readings":       {"Left open by the rulebook, and read otherwise", "จุดที่เปิดไว้ซึ่งตีความต่างกัน"},
	"reading-line":   {"The suite reads it as %s, %s as %s.", "ชุดทดสอบตีความเป็น %s ส่วน %s ตีความเป็น %s"},
	"left-out":       {"What is left out, and why", "สิ่งที่เว้นไว้และเหตุผล"},
	"what":           {"What", "สิ่งที่เว้น"},
	"why":            {"Why", "เหตุผล"},
	"no-reason":      {"no reason given", "ไม่ได้บอกเหตุผล"},
	"no-link":        {"no link", "ไม่มีลิงก์"},
	"the-link":       {"link", "ลิงก์"},
	"faults":         {"Breaches of the protocol outside the cases", "การผิดโพรโทคอลนอกกรณี"},
	"by-rule":        {"Rule by rule", "ทีละกฎ"},
	"not-everywhere": {"Cases that did not pass everywhere", "กรณีที่ไม่ได้ผ่านทั้งหมด"},
	"all-everywhere": {"Every case passed everywhere.", "ทุกกรณีผ่านทั้งหมด"},
	"by-rule-note":   {"A case stands under the first rule that it speaks to.", "แต่ละกรณีอยู่ใต้กฎข้อแรกที่เกี่ยวข้อง"},
	"rule":           {"Rule", "กฎ"},
	"says":           {"Summary", "ใจความ"},
	"case":           {"Case", "กรณี"},
	"statements":     {"Its statements", "ข้อความของกฎ"},
	"only":           {"Show only cases that did not pass everywhere", "แสดงเฉพาะกรณีที่ไม่ได้ผ่านทั้งหมด"},
	"covers":         {"speaks to", "เกี่ยวกับ"},
	"story-of":       {"What differs: %s", "สิ่งที่ต่าง: %s"},
	"question":       {"Step %d asks", "ขั้นที่ %d ถาม"},
	"at-step":        {"At step %d", "ที่ขั้นที่ %d"},
	"expected":       {"Expected", "ต้องได้"},
	"given":          {"Given by %s", "%s ตอบ"},
	"nothing":        {"no answer", "ไม่มีคำตอบ"},
	"statement":      {"What the rule says", "กฎกล่าวว่า"},
	"start":          {"At the start", "เริ่มต้น"},
	"by-the-rules":   {"What happens by the rules, step by step", "สิ่งที่เกิดขึ้นตามกติกา ทีละขั้น"},
	"explained":      {"Why that is expected", "เหตุที่ต้องได้เช่นนั้น"},
	"asks":           {"asks", "ถาม"},
	"comes":          {"expected: %s", "ต้องได้: %s"},
	"here":           {"here the answers part", "คำตอบต่างกันตรงนี้"},
	"no-story":       {"The case could not be told by the rules that made the record.", "กติกาที่ใช้บันทึกเล่ากรณีนี้ไม่ได้"},
	"stderr":         {"End of its standard error", "ท้ายของ stderr"},
	"known-until":    {"Known, to be mended by %s: %s", "ทราบแล้ว ควรแก้ภายใน %s: %s"},
	"known-over":     {"It was to be mended by %s: %s", "ควรแก้แล้วภายใน %s: %s"},
	"made-by":        {"Made by momon conformance report from the record alone.", "สร้างโดย momon conformance report จากบันทึกเท่านั้น"},

	"proof":         {"How good the suite is", "ชุดทดสอบดีเพียงใด"},
	"proof-claims":  {"Claims of cases to cover a statement that were proven: %d of %d", "คำอ้างของกรณีว่าเกี่ยวกับข้อความ ที่พิสูจน์แล้ว: %d จาก %d"},
	"proof-mutants": {"Small changes of the rules that a case sees: %d of %d. Seen only in games: %d; excused in the ledger, with the reason: %d; unseen: %d", "การเปลี่ยนกติกาเล็กน้อยที่มีกรณีเห็น: %d จาก %d เห็นเฉพาะในเกม: %d ยกเว้นไว้ในบัญชีพร้อมเหตุผล: %d ไม่มีสิ่งใดเห็น: %d"},
	"proof-fakes":   {"Programs that are wrong on purpose, each caught: %d", "โปรแกรมที่จงใจให้ผิด ซึ่งถูกจับได้ทุกตัว: %d"},
	"proof-compare": {"Random scenarios that two engines played: %d with %d questions; alike: %d, different: %d", "สถานการณ์สุ่มที่สองโปรแกรมเล่น: %d แบบ %d คำถาม เหมือนกัน: %d ต่างกัน: %d"},
	"proof-row":     {"Proven: %d of %d that confirm it, %d of %d that refute it. Changes of it that a case sees: %d of %d. Wrong programs that break it: %d", "พิสูจน์แล้ว: ที่ยืนยัน %d จาก %d ที่แสดงขอบเขต %d จาก %d การเปลี่ยนที่มีกรณีเห็น: %d จาก %d โปรแกรมที่ผิดข้อนี้: %d"},

	"failures":    {"Failures", "กรณีที่ไม่ผ่าน"},
	"no-failures": {"No case failed.", "ไม่มีกรณีที่ไม่ผ่าน"},
	"more":        {"Not shown here: %d more. The record has them, and the page (`--format html`) shows them.", "ไม่ได้แสดงที่นี่อีก %d กรณี มีครบในบันทึกและในหน้า HTML (`--format html`)"},

	"badge-label":             {"momon rules", "กติกา momon"},
	"badge-incomplete":        {"incomplete", "ไม่ครบ"},
	"badge-none":              {"%d of %d", "%d จาก %d"},
	"badge-core":              {"core", "หลัก"},
	"badge-full-with-reasons": {"full with reasons", "ครบโดยมีเหตุผล"},
	"badge-full":              {"full", "ครบ"},

	"diff-title":     {"What changed: %s → %s", "สิ่งที่เปลี่ยน: %s → %s"},
	"diff-same":      {"No case came out otherwise.", "ไม่มีกรณีใดที่ผลต่างไป"},
	"diff-suites":    {"The suites differ: edition %s (%s) before, %s (%s) now.", "ชุดทดสอบต่างกัน: เดิมฉบับ %s (%s) ตอนนี้ %s (%s)"},
	"diff-twins":     {"The cases are told differently: %s before, %s now.", "เล่ากรณีต่างกัน: เดิม %s ตอนนี้ %s"},
	"as-they-stand":  {"as they stand", "ตามชุดทดสอบ"},
	"diff-level":     {"Level: %s → %s", "ระดับ: %s → %s"},
	"diff-level-is":  {"Level: %s, as before", "ระดับ: %s เช่นเดิม"},
	"diff-worse":     {"Worse", "แย่ลง"},
	"diff-better":    {"Better", "ดีขึ้น"},
	"diff-changed":   {"Otherwise, but neither better nor worse", "เปลี่ยนไป แต่ไม่ดีขึ้นหรือแย่ลง"},
	"diff-new":       {"New", "ใหม่"},
	"diff-gone":      {"Gone", "หายไป"},
	"diff-faults":    {"Breaches of the protocol outside the cases: %d → %d", "การผิดโพรโทคอลนอกกรณี: %d → %d"},
	"diff-totals":    {"%d worse, %d better, %d otherwise, %d new, %d gone", "แย่ลง %d ดีขึ้น %d เปลี่ยนไป %d ใหม่ %d หายไป %d"},
	"diff-before":    {"before", "เดิม"},
	"diff-now":       {"now", "ตอนนี้"},
	"diff-more":      {"Not shown here: %d more; `--json` has them all.", "ไม่ได้แสดงที่นี่อีก %d กรณี ใช้ `--json` เพื่อดูทั้งหมด"},
	"diff-not-count": {"provisional, does not count", "ชั่วคราว ไม่นับ"},
}
