package pack

import (
	"fmt"
	"strings"

	"github.com/momon-rules/momon/grammar/diag"
)

// Error says why something is no pack, or why a pack is refused.
type Error struct {
	Code  string             // which of the reasons it is, for programs
	Diags []*diag.Diagnostic // what is wrong with the rules, where that is the reason

	args []any
}

func fault(code string, args ...any) *Error { return &Error{Code: code, args: args} }

// Error implements error.
func (e *Error) Error() string { return e.Text("en") }

// Newer reports whether the reason is that a newer program is wanted, so that nothing
// is wrong with the pack.
func (e *Error) Newer() bool {
	switch e.Code {
	case "newer-form", "newer-language", "feature":
		return true
	}
	return false
}

// Text words the reason, in English or Thai.
func (e *Error) Text(lang string) string {
	words, ok := reasons[e.Code]
	if !ok {
		return e.Code
	}
	s := words[0]
	if lang == "th" {
		s = words[1]
	}
	if strings.Contains(s, "%") {
		s = fmt.Sprintf(s, e.args...)
	}
	if len(e.Diags) > 0 {
		d := e.Diags[0]
		s += ": "
		if d.Span.File != nil {
			s += fmt.Sprintf("%s:%d:%d: ", d.Span.File.Name, d.Span.File.Line(d.Span.Start), d.Span.File.Column(d.Span.Start))
		}
		s += diag.Message(d, lang)
	}
	return s
}

var reasons = map[string][2]string{
	// Of folders.
	"no-manifest": {"no rule file in it declares a pack; `momon help pack-without-version` shows how one looks", "ไม่มีไฟล์กติกาใดประกาศ Pack ดูตัวอย่างได้ด้วย `momon help pack-without-version`"},
	"rules":       {"its rule files can't be read", "อ่านไฟล์กติกาไม่ได้"},
	"link":        {"%s is a link; a pack holds the files themselves", "%s เป็นลิงก์ Pack ต้องเก็บไฟล์จริง"},
	"not-file":    {"%s is not a file with text in it", "%s ไม่ใช่ไฟล์ข้อความ"},
	"file-large":  {"%s is too large: at most %d bytes are allowed", "%s ใหญ่เกินไป: อนุญาตไม่เกิน %d ไบต์"},
	"large":       {"it is too large: a pack has at most %d MiB", "ใหญ่เกินไป: Pack มีได้ไม่เกิน %d MiB"},
	"many":        {"it has too many files: a pack has at most %d", "มีไฟล์มากเกินไป: Pack มีได้ไม่เกิน %d ไฟล์"},

	// Of names.
	"path-empty":    {"a file in it has no name", "มีไฟล์ที่ไม่มีชื่อ"},
	"path-utf8":     {"the name %s is not UTF-8", "ชื่อ %s ไม่ใช่ UTF-8"},
	"path-long":     {"the name %s is too long: at most %d bytes are allowed", "ชื่อ %s ยาวเกินไป: อนุญาตไม่เกิน %d ไบต์"},
	"path-absolute": {"the name %s does not lie in the pack: it begins at the top of a disk", "ชื่อ %s ไม่อยู่ใน Pack เพราะเริ่มจากรากของดิสก์"},
	"path-out":      {"the name %s leads out of the pack", "ชื่อ %s พาออกนอก Pack"},
	"path-form":     {"the name %s is not the same on every system: it has an empty part, or a point or a blank where one is dropped", "ชื่อ %s ไม่เหมือนกันทุกระบบ: มีส่วนว่าง หรือมีจุดหรือช่องว่างตรงที่จะถูกตัดทิ้ง"},
	"path-hidden":   {"the name %s begins with a point or a line, and such files are no part of packs", "ชื่อ %s ขึ้นต้นด้วยจุดหรือขีดล่าง ไฟล์แบบนี้ไม่รวมอยู่ใน Pack"},
	"path-device":   {"the name %s is kept for a device by Windows", "ชื่อ %s เป็นชื่อที่ Windows สงวนไว้สำหรับอุปกรณ์"},
	"path-kind":     {"%s is no file for a pack: it holds rules (.momon) and texts (.md, .txt, LICENSE)", "%s ไม่ใช่ไฟล์สำหรับ Pack ซึ่งเก็บกติกา (.momon) และข้อความ (.md, .txt, LICENSE)"},
	"path-sign":     {"the name %s has a sign in it that not every system allows: %s", "ชื่อ %s มีเครื่องหมายที่บางระบบไม่อนุญาต: %s"},
	"path-deep":     {"%s lies too deep: at most %d folders inside each other are allowed", "%s อยู่ลึกเกินไป: ซ้อนโฟลเดอร์ได้ไม่เกิน %d ชั้น"},
	"path-normal":   {"the name %s is not in Unicode normal form C", "ชื่อ %s ไม่อยู่ในรูป Unicode NFC"},
	"path-taken":    {"the name %s is kept for what momon itself writes", "ชื่อ %s สงวนไว้สำหรับไฟล์ที่ momon เขียนเอง"},
	"clash":         {"%s and %s are one name on some systems", "%s กับ %s เป็นชื่อเดียวกันในบางระบบ"},

	// Of what packs stand on.
	"lock-form":        {"the lock file can't be read (%s): write it anew with momon pack lock", "อ่านไฟล์ Lock ไม่ได้ (%s): เขียนใหม่ด้วย momon pack lock"},
	"lock-newer":       {"the lock file is of form %d: take a newer momon", "ไฟล์ Lock เป็นรูปแบบ %d: ใช้ momon รุ่นใหม่กว่า"},
	"resolve-none":     {"%s stands on %s, and no version of that is known", "%s ต้องใช้ %s แต่ไม่มีรุ่นใดอยู่เลย"},
	"resolve-versions": {"%s stands on %s, and only these are known: %s", "%s ต้องใช้ %s แต่มีเพียง %s"},
	"resolve-digest":   {"%s stands on %s with the content %s, and none that is known has that", "%s ต้องใช้ %s ที่มีเนื้อหา %s แต่ไม่มี"},
	"resolve-conflict": {"%s stands on %s, and what else is there needs %s", "%s ต้องใช้ %s แต่ส่วนอื่นต้องใช้ %s"},
	"resolve-circle":   {"%s stands on itself, by way of others", "%s ต้องใช้ตัวเองผ่าน Pack อื่น"},
	"resolve-many":     {"there are too many ways to choose what %s stands on", "มีวิธีเลือก Pack ที่ %s ต้องใช้มากเกินไป"},

	// Of archives.
	"empty":              {"the file is empty", "ไฟล์ว่างเปล่า"},
	"compressed":         {"the file is compressed (%s), and an archive of a pack is not", "ไฟล์ถูกบีบอัด (%s) แต่ไฟล์ Pack ต้องไม่บีบอัด"},
	"not-archive":        {"the file is no archive of a pack", "ไฟล์นี้ไม่ใช่ไฟล์ Pack"},
	"cut":                {"the archive is cut short: it ends after %d bytes", "ไฟล์ Pack ขาดหาย: จบที่ %d ไบต์"},
	"cut-in":             {"the archive is cut short: %s should have %d bytes", "ไฟล์ Pack ขาดหาย: %s ควรมี %d ไบต์"},
	"behind-end":         {"something stands behind the end of the archive, from byte %d on", "มีข้อมูลต่อท้ายไฟล์ Pack ตั้งแต่ไบต์ที่ %d"},
	"padding":            {"something stands in the gap behind %s", "มีข้อมูลในช่องว่างหลัง %s"},
	"header-sum":         {"the header of %s is damaged", "ส่วนหัวของ %s เสียหาย"},
	"header":             {"the header of %s says more than name and size", "ส่วนหัวของ %s ระบุมากกว่าชื่อและขนาด"},
	"size":               {"the size of %s is no number", "ขนาดของ %s ไม่ใช่ตัวเลข"},
	"order":              {"%s comes after %s: files must stand in order", "%s อยู่หลัง %s: ไฟล์ต้องเรียงตามลำดับ"},
	"kind-hard-link":     {"%s is a link, and a pack holds files only", "%s เป็นลิงก์ แต่ Pack เก็บเฉพาะไฟล์"},
	"kind-symbolic-link": {"%s is a symbolic link, and a pack holds files only", "%s เป็น Symbolic link แต่ Pack เก็บเฉพาะไฟล์"},
	"kind-device":        {"%s is a device, and a pack holds files only", "%s เป็นอุปกรณ์ แต่ Pack เก็บเฉพาะไฟล์"},
	"kind-folder":        {"%s is an entry for a folder, and a pack holds files only", "%s เป็นรายการโฟลเดอร์ แต่ Pack เก็บเฉพาะไฟล์"},
	"kind-pipe":          {"%s is a pipe, and a pack holds files only", "%s เป็น Pipe แต่ Pack เก็บเฉพาะไฟล์"},
	"kind-sparse":        {"%s is a file with holes, and a pack holds whole files only", "%s เป็นไฟล์แบบมีช่องว่าง แต่ Pack เก็บเฉพาะไฟล์เต็ม"},
	"kind-extension":     {"the entry %s speaks of others, and an archive of a pack has no such entries", "รายการ %s อธิบายรายการอื่น ซึ่งไฟล์ Pack ไม่มี"},
	"kind-reserved":      {"%s is of a kind that a pack does not hold", "%s เป็นชนิดที่ Pack ไม่เก็บ"},
	"kind-unknown":       {"%s is of a kind that a pack does not hold", "%s เป็นชนิดที่ Pack ไม่เก็บ"},
	"no-sums":            {"it does not begin with its list of files, SHA256SUMS", "ไม่ได้ขึ้นต้นด้วยรายการไฟล์ SHA256SUMS"},
	"sums-again":         {"it has two lists of files", "มีรายการไฟล์สองชุด"},
	"sums-form":          {"line %d of its list of files is none that belongs there", "บรรทัด %d ของรายการไฟล์ไม่ใช่บรรทัดที่ควรมี"},
	"listed-twice":       {"%s is listed twice", "%s อยู่ในรายการสองครั้ง"},
	"not-listed":         {"%s is there and not listed", "มี %s แต่ไม่อยู่ในรายการ"},
	"missing":            {"%s is listed and not there", "%s อยู่ในรายการแต่ไม่มีไฟล์"},
	"other-sum":          {"%s is not the file that is listed: its SHA-256 differs", "%s ไม่ใช่ไฟล์ตามรายการ: SHA-256 ต่างกัน"},
	"no-part":            {"%s is no part of the pack: no rule reads it", "%s ไม่ใช่ส่วนของ Pack: ไม่มีกติกาใดอ่าน"},
	"lie":                {"its list of files says %s %s, and it is %s", "รายการไฟล์ระบุ %s %s แต่จริง ๆ คือ %s"},
	"lie-stands":         {"its list of files does not say what its manifest says of what it needs and stands on", "รายการไฟล์ไม่ตรงกับสิ่งที่ Pack ระบุว่าต้องการและต้องใช้"},
	"not-canonical":      {"it is not the archive that its files would give", "ไม่ใช่ไฟล์ Pack ที่ได้จากไฟล์เหล่านี้"},
	"newer-form":         {"it is a pack of form %d, and this program knows forms up to %d: take a newer momon", "เป็น Pack รูปแบบ %d แต่โปรแกรมนี้รู้จักถึงรูปแบบ %d: ใช้ momon รุ่นใหม่กว่า"},
	"newer-language":     {"it is written in version %d of the rule language, and this program knows versions up to %d: take a newer momon", "เขียนด้วยภาษากติการุ่น %d แต่โปรแกรมนี้รู้จักถึงรุ่น %d: ใช้ momon รุ่นใหม่กว่า"},
	"feature":            {"it needs %s, which this program does not know (it knows %s): take a newer momon", "ต้องการ %s ซึ่งโปรแกรมนี้ไม่รู้จัก (รู้จัก %s): ใช้ momon รุ่นใหม่กว่า"},
}
