package diff

import (
	"fmt"
	"strings"

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
	case lang != "th":
		if len(args) == 0 {
			return w[0]
		}
		return fmt.Sprintf(w[0], args...)
	case len(args) == 0:
		return strings.ReplaceAll(w[1], "_", " ")
	}
	return joined.Format(w[1], args...)
}

var words = map[string][2]string{
	"title":            {"What changes from %s to %s", "สิ่งที่เปลี่ยนจาก %s เป็น %s"},
	"in-force":         {"the rules in force", "กติกาที่มีผลอยู่"},
	"same":             {"Nothing changes: the two say the same.", "ไม่มีอะไรเปลี่ยน: ทั้งสองชุดมีเนื้อหาเดียวกัน"},
	"unseen":           {"Nothing changes that anybody could see: only private names differ.", "ไม่มีอะไรเปลี่ยนที่มองเห็นได้: ต่างกันเฉพาะชื่อภายใน"},
	"definitions":      {"Declarations", "คำประกาศ"},
	"suite":            {"Cases that were edited", "กรณีที่ถูกแก้ไข"},
	"renamed":          {"Renamed", "เปลี่ยนชื่อ"},
	"changed":          {"Changed", "เปลี่ยน"},
	"added":            {"Added", "เพิ่ม"},
	"removed":          {"Taken out", "นำออก"},
	"private":          {"Only private names changed", "เปลี่ยนเฉพาะชื่อภายใน"},
	"renamed-to":       {"%s is called %s now", "%s เปลี่ยนชื่อเป็น %s"},
	"private-name":     {"%s is called %s now, which nothing outside of it knows", "%s เปลี่ยนชื่อเป็น %s ซึ่งใช้ภายในเท่านั้น"},
	"follows":          {"What speaks of it followed: %s", "ส่วนที่อ้างถึงเปลี่ยนตาม: %s"},
	"in":               {"in: %s", "ใน: %s"},
	"cites":            {"the margin was: %s; and is: %s", "เดิมอ้าง: %s_ตอนนี้อ้าง: %s"},
	"no-margin":        {"nothing", "ไม่มี"},
	"carries":          {"carries out %s", "ทำตาม %s"},
	"seen":             {"What players see", "สิ่งที่ผู้เล่นเห็น"},
	"seen-change":      {"%s: %s was “%s” and is “%s”", "%s: %s เดิม “%s” ตอนนี้ “%s”"},
	"seen-come":        {"%s: %s is “%s”", "%s: %s คือ “%s”"},
	"seen-gone":        {"%s: %s was “%s” and is gone", "%s: %s เดิม “%s” ตอนนี้ไม่มีแล้ว"},
	"seen-name":        {"its name", "ชื่อ"},
	"seen-text":        {"its text", "ข้อความ"},
	"seen-place":       {"its place in the order", "ลำดับที่"},
	"seen-reading":     {"how it is read", "การตีความ"},
	"seen-list":        {"what is in it", "สิ่งที่อยู่ข้างใน"},
	"statements":       {"Statements of the rules that this touches", "ข้อความในกติกาที่เกี่ยวข้อง"},
	"statement-by":     {"through %s", "ผ่าน %s"},
	"normative":        {"normative", "กติกากำหนด"},
	"interpretation":   {"interpretation", "การตีความ"},
	"provisional":      {"provisional", "ชั่วคราว"},
	"cases":            {"Cases", "กรณี"},
	"cases-count":      {"%d before, %d now; %d come out as before.", "เดิม %d กรณี ตอนนี้ %d กรณี_ให้ผลเหมือนเดิม %d กรณี"},
	"way-fails":        {"It passed, and fails under the new rules", "เดิมผ่าน แต่ไม่ผ่านตามกติกาใหม่"},
	"way-passes":       {"It failed, and passes under the new rules", "เดิมไม่ผ่าน แต่ผ่านตามกติกาใหม่"},
	"way-rewritten":    {"It says something else now: what it said fails under the new rules", "กรณีถูกเขียนใหม่: ข้อความเดิมไม่ผ่านตามกติกาใหม่"},
	"way-unreadable":   {"The new rules do not take what it says", "กติกาใหม่อ่านกรณีนี้ไม่ได้"},
	"way-gone":         {"It is gone", "ไม่มีแล้ว"},
	"way-new":          {"It is new", "กรณีใหม่"},
	"new-fails":        {"It fails.", "ไม่ผ่าน"},
	"gone-fails":       {"What it said fails under the new rules.", "ข้อความเดิมไม่ผ่านตามกติกาใหม่"},
	"at-line":          {"At the line: %s", "ที่บรรทัด: %s"},
	"want-got":         {"It says %s; there comes %s.", "กรณีบอกว่า %s แต่ได้ %s"},
	"comes":            {"There comes: %s", "ได้: %s"},
	"before":           {"Before:", "เดิม:"},
	"after":            {"Now:", "ตอนนี้:"},
	"nothing":          {"nothing that could be told", "ไม่มีสิ่งที่บอกได้"},
	"through":          {"Through %s", "ผ่าน %s"},
	"because":          {"Changed there: %s", "สิ่งที่เปลี่ยน: %s"},
	"search":           {"A situation in which they differ", "สถานการณ์ที่ให้ผลต่างกัน"},
	"search-found":     {"Found. No part of it can be left out:", "พบแล้ว_ตัดส่วนใดออกไม่ได้อีก:"},
	"search-none":      {"None within the bound: %d situations made of what changed, %d cases, and %d made up.", "ไม่พบภายในขอบเขต: สถานการณ์จากสิ่งที่เปลี่ยน %d กรณี %d และที่สร้างขึ้น %d"},
	"search-gaveup":    {"Given up when the time was over, after %d situations made of what changed, %d cases, and %d of %d made up.", "หมดเวลาจึงหยุด หลังลองสถานการณ์จากสิ่งที่เปลี่ยน %d กรณี %d และที่สร้างขึ้น %d จาก %d"},
	"search-asked":     {"%s: before the answer was %s, now it is %s", "%s: เดิมตอบ %s_ตอนนี้ตอบ %s"},
	"search-told":      {"No answer differs, but what happens does", "คำตอบไม่ต่าง แต่สิ่งที่เกิดขึ้นต่างกัน"},
	"draft-head":       {"A draft that momon diff --search found: nobody has confirmed it. Say what it speaks\nto (confirms …) and take the word draft away, or throw it away.", "ร่างที่ momon diff --search พบ ยังไม่มีใครยืนยัน ให้ระบุว่ากรณีนี้อ้างข้อความใด (confirms …)\nแล้วลบคำว่า draft หรือลบทิ้ง"},
	"draft-rules":      {"Old rules: %s. New rules: %s.", "กติกาเดิม: %s_กติกาใหม่: %s"},
	"draft-asked":      {"Where it asks, the old rules answer %s and the new ones %s.", "ที่คำถามในกรณี กติกาเดิมตอบ %s_กติกาใหม่ตอบ %s"},
	"untaken-old":      {"The old rules do not take it: %s", "กติกาเดิมอ่านไม่ได้: %s"},
	"untaken-new":      {"The new rules do not take it: %s", "กติกาใหม่อ่านไม่ได้: %s"},
	"both":             {"Both:", "ทั้งสอง:"},
	"games":            {"Recorded games", "เกมที่บันทึกไว้"},
	"game-result":      {"%s: another result", "%s: ผลต่างไป"},
	"game-misfit":      {"%s: decision %d does not fit any more: %s", "%s: การตัดสินใจที่ %d ใช้ไม่ได้แล้ว: %s"},
	"game-course":      {"%s: it goes otherwise, with the same result", "%s: เดินต่างไป แต่ผลเหมือนเดิม"},
	"game-same":        {"%s: nothing differs", "%s: เหมือนเดิม"},
	"game-unplayed":    {"%s: it could not be played again under the old rules: %s", "%s: เล่นซ้ำตามกติกาเดิมไม่ได้: %s"},
	"game-where":       {"They part after decision %d.", "แยกกันหลังการตัดสินใจที่ %d"},
	"game-winner":      {"Winner before: %s; now: %s.", "ผู้ชนะเดิม: %s_ตอนนี้: %s"},
	"game-other":       {"It was recorded under yet other rules.", "บันทึกไว้ภายใต้กติกาชุดอื่นอีกชุด"},
	"nobody":           {"nobody", "ไม่มี"},
	"unfinished":       {"not over", "ยังไม่จบ"},
	"step":             {"Version step", "การเพิ่มเลขรุ่น"},
	"step-none":        {"None: the two say the same.", "ไม่ต้องเพิ่ม: เนื้อหาเดียวกัน"},
	"step-patch":       {"Patch: something changed, and no normative case flips.", "Patch: มีการเปลี่ยน แต่ไม่มีกรณีที่กติกากำหนดกลับผล"},
	"step-minor":       {"Minor: a normative case flips, or there is something new to build on.", "Minor: มีกรณีที่กติกากำหนดกลับผล หรือมีสิ่งใหม่ให้ใช้"},
	"step-major":       {"Major: something that others build on is gone or has another name.", "Major: สิ่งที่ผู้อื่นใช้อยู่หายไปหรือเปลี่ยนชื่อ"},
	"at-least":         {"At least that: --cases finds which cases flip.", "อย่างน้อยเท่านี้: --cases จะหากรณีที่กลับผล"},
	"why-gone":         {"%s is gone", "%s หายไป"},
	"why-renamed":      {"%s has another name", "%s เปลี่ยนชื่อ"},
	"why-new":          {"%s is new", "%s เป็นสิ่งใหม่"},
	"why-flipped":      {"the normative case %s flips", "กรณีที่กติกากำหนด %s กลับผล"},
	"why-play":         {"the case %s flips", "กรณี %s กลับผล"},
	"why-changed":      {"%s changed", "%s เปลี่ยน"},
	"why-private":      {"%s changed in private names", "%s เปลี่ยนชื่อภายใน"},
	"and-more":         {"and %d more", "และอีก %d รายการ"},
	"step-to":          {"From %s it goes to %s or above.", "จาก %s ต้องเป็น %s ขึ้นไป"},
	"step-enough":      {"The new version, %s, will do.", "รุ่นใหม่ %s ใช้ได้"},
	"step-short":       {"The new version, %s, is too small a step.", "รุ่นใหม่ %s เพิ่มน้อยเกินไป"},
	"changelog":        {"Draft for the changelog", "ร่าง Changelog"},
	"entry-both":       {"%s – before: %s; now: %s", "%s – เดิม: %s_ตอนนี้: %s"},
	"entry-after":      {"%s – now: %s", "%s – ตอนนี้: %s"},
	"entry-before":     {"%s – no longer: %s", "%s – ไม่เกิดอีกแล้ว: %s"},
	"entry-fails":      {"%s: this is no longer so", "%s: ไม่เป็นเช่นนี้แล้ว"},
	"entry-passes":     {"%s: this is so now", "%s: ตอนนี้เป็นเช่นนี้"},
	"entry-rewritten":  {"%s: it comes out otherwise now", "%s: ตอนนี้ได้ผลต่างไป"},
	"entry-unreadable": {"%s: this can't be said in the new rules", "%s: กติกาใหม่ไม่มีคำที่ใช้ในกรณีนี้"},
	"entry-gone":       {"%s: this is no longer so", "%s: ไม่เป็นเช่นนี้แล้ว"},
	"old":              {"before", "เดิม"},
	"new":              {"now", "ตอนนี้"},
	"language":         {"Language", "ภาษา"},
}
