package cli

import (
	"fmt"
	"strings"

	"github.com/momon-rules/momon/grammar/joined"
)

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
	if a.lang == "th" {
		return joined.Format(numbered(s, args), args...)
	}
	return fmt.Sprintf(numbered(s, args), args...)
}

// numbered takes of each {one|many} in a text what fits the number before it:
// that of the last verb so far.
func numbered(s string, args []any) string {
	for {
		i := strings.IndexByte(s, '{')
		if i < 0 {
			return s
		}
		one, rest, _ := strings.Cut(s[i+1:], "|")
		many, rest, _ := strings.Cut(rest, "}")
		if n := strings.Count(strings.ReplaceAll(s[:i], "%%", ""), "%"); n > 0 && n <= len(args) && fmt.Sprint(args[n-1]) == "1" {
			many = one
		}
		s = s[:i] + many + rest
	}
}

var words = map[string][2]string{
	"rules-have-errors": {"The rules have errors, so nothing was run.", "กติกามีข้อผิดพลาด จึงยังไม่ได้ทำงาน"},
	"internal": {"internal error: %v.\nThis is a fault of the program, not of what you did. Please report it with the command that you typed.",
		"ข้อผิดพลาดภายใน: %v\nเป็นความผิดพลาดของโปรแกรม ไม่ใช่ของคุณ โปรดแจ้งพร้อมคำสั่งที่พิมพ์"},
	"limit-steps":             {"the rules go on without end: more than %d steps without a decision", "กติกาทำงานไม่รู้จบ: เกิน %d ขั้นโดยไม่มีการตัดสินใจ"},
	"limit-depth":             {"the rules go on without end: more than %d actions inside each other", "กติกาทำงานไม่รู้จบ: การกระทำซ้อนกันเกิน %d ชั้น"},
	"limit-objects":           {"the rules go on without end: more than %d objects", "กติกาทำงานไม่รู้จบ: มี Object เกิน %d"},
	"limit-effects":           {"the rules go on without end: more than %d effects", "กติกาทำงานไม่รู้จบ: มีเอฟเฟกต์เกิน %d"},
	"limit-queue":             {"the rules go on without end: more than %d triggers wait", "กติกาทำงานไม่รู้จบ: มี Trigger ที่รออยู่เกิน %d"},
	"limit-expression-steps":  {"the rules go on without end: more than %d steps to work out values", "กติกาทำงานไม่รู้จบ: คำนวณค่าเกิน %d ขั้น"},
	"limit-expression-depth":  {"the rules go on without end: values lie more than %d deep in each other", "กติกาทำงานไม่รู้จบ: ค่าซ้อนกันเกิน %d ชั้น"},
	"limit-overflow":          {"a number became too large", "ตัวเลขใหญ่เกินไป"},
	"limit-in":                {"under way, the outermost first: %s", "สิ่งที่กำลังทำอยู่ จากนอกสุดเข้าไป: %s"},
	"no-end":                  {"the game had not ended after %d {decision|decisions}, so the demo stops", "เล่นไปแล้ว %d การตัดสินใจ เกมยังไม่จบ จึงหยุดการสาธิต"},
	"no-decks":                {"the rules declare no deck", "กติกาไม่ได้ประกาศสำรับ"},
	"no-keywords":             {"the rules declare no keyword", "กติกาไม่ได้ประกาศ Keyword"},
	"no-folder":               {"no such file or folder: %q", "ไม่มีไฟล์หรือโฟลเดอร์ %q"},
	"no-permission":           {"%q is not to be read or written: its permissions say so", "ไม่มีสิทธิ์อ่านหรือเขียน %q"},
	"no-command":              {"there is no command %q", "ไม่มีคำสั่ง %q"},
	"no-command-near":         {"there is no command %q; did you mean %q?", "ไม่มีคำสั่ง %q หมายถึง %q หรือไม่"},
	"no-flag":                 {"there is no option %s", "ไม่มีตัวเลือก %s"},
	"no-flag-near":            {"there is no option %s; did you mean %s?", "ไม่มีตัวเลือก %s หมายถึง %s หรือไม่"},
	"flag-lacks":              {"--%s needs a value behind it", "ต้องมีค่าตามหลัง --%s"},
	"flag-swallows":           {"--%s needs a value behind it, but --%s stands there", "ต้องมีค่าตามหลัง --%s แต่พบ --%s แทน"},
	"flag-value":              {"--%s %q: it takes %s", "--%s %q: ต้องเป็น%s"},
	"flag-form":               {"%q is written in a way that no option is", "%q ไม่ใช่รูปแบบของตัวเลือก"},
	"flag-required":           {"%s needs --%s", "%s ต้องมี --%s"},
	"flag-kind-int":           {"a whole number", "จำนวนเต็ม"},
	"flag-kind-uint64":        {"a whole number from 0 on", "จำนวนเต็มตั้งแต่ 0"},
	"flag-kind-bool":          {"true or false, or nothing", " true หรือ false หรือไม่ต้องมีค่า"},
	"flag-kind-duration":      {"a time such as 300ms or 2s", "เวลา เช่น 300ms หรือ 2s"},
	"flag-kind-other":         {"another value", "ค่าอื่น"},
	"flag-type-int":           {"N", "จำนวน"},
	"flag-type-uint":          {"N", "จำนวน"},
	"flag-type-string":        {"TEXT", "ข้อความ"},
	"flag-type-duration":      {"TIME", "เวลา"},
	"flag-default":            {"(default %s)", "(ค่าเริ่มต้น %s)"},
	"args-few":                {"%s: something is missing: %s", "%s: ยังขาด %[2]s"},
	"args-none":               {"%s takes no word behind it, but there is %q", "%s ไม่รับคำใดต่อท้าย แต่มี %q"},
	"args-many":               {"%s takes %d {word|words} at most, and here are %d; put one with blanks in quotation marks", "%s รับได้ไม่เกิน %d คำ แต่มี %d คำ ถ้ามีช่องว่างให้ใส่เครื่องหมายคำพูด"},
	"see-help":                {"see: %s --help", "ดูวิธีใช้: %s --help"},
	"no-lang":                 {"--lang %q: the rules have texts in %s", "--lang %q: กติกามีข้อความในภาษา %s"},
	"no-view":                 {"--view %s: it is P1, P2 or all", "--view %s: ใช้ P1, P2 หรือ all"},
	"no-characteristic-named": {"a characteristic is missing behind %q", "ยังขาดชื่อคุณลักษณะหลัง %q"},
	"deck-twice":              {"--deck must be given twice, once for each player", "ต้องใส่ --deck สองครั้ง สำหรับผู้เล่นคนละครั้ง"},
	"no-deck-there":           {"there is no deck %q; there are %s", "ไม่มีสำรับ %q มีเพียง %s"},
	"bench-order":             {"--order %q: it is stepwise or static", "--order %q: ใช้ stepwise หรือ static"},
	"board-as-list":           {"(This screen is too narrow for the board, which needs %d columns; here it is as a list.)", "(จอแคบเกินไปสำหรับกระดาน ซึ่งต้องกว้าง %d คอลัมน์ จึงแสดงเป็นรายการ)"},
	"usage":                   {"Usage:", "วิธีใช้:"},
	"usage-flags":             {"[flags]", "[ตัวเลือก]"},
	"usage-command":           {"[command]", "[คำสั่ง]"},
	"usage-examples":          {"Examples:", "ตัวอย่าง:"},
	"usage-commands":          {"Available Commands:", "คำสั่งที่ใช้ได้:"},
	"usage-local":             {"Flags:", "ตัวเลือก:"},
	"usage-global":            {"Global Flags:", "ตัวเลือกที่ใช้ได้กับทุกคำสั่ง:"},
	"usage-more":              {"Use \"%s [command] --help\" for more on a command.", "ดูรายละเอียดของแต่ละคำสั่งด้วย \"%s [คำสั่ง] --help\""},
	"not-folder":              {"%s is not a folder", "%s ไม่ใช่โฟลเดอร์"},
	"not-rules":               {"%s is not a rule file: the name of one ends in .momon", "%s ไม่ใช่ไฟล์กติกา ชื่อไฟล์กติกาต้องลงท้ายด้วย .momon"},
	"no-rules":                {"there is no .momon file in %s", "ไม่มีไฟล์ .momon ใน %s"},
	"no-edition":              {"--edition %s: there is no such edition; the rules have %s", "--edition %s: ไม่มีฉบับนี้ กติกามีฉบับ %s"},
	"no-editions":             {"--edition %s: the rules declare no edition", "--edition %s: กติกาไม่ได้ประกาศฉบับใด"},
	"edition-from":            {"%s (from %s)", "%s (ตั้งแต่ %s)"},
	"turn-of":                 {"Turn: %s", "เทิร์น: %s"},
	"empty":                   {"empty", "ว่าง"},
	"game-over":               {"The game is over", "จบเกม"},
	"won":                     {"%s has won.", "%s ชนะ"},
	"draw":                    {"A draw.", "เสมอ"},
	"other-rules": {"%v.\nName the rules that it was played by, with --rules, --with and --edition as then; or add --replay to play its decisions again under the present ones.",
		"%v\nระบุกติกาที่ใช้เล่นเกมนั้นด้วย --rules, --with และ --edition ตามเดิม หรือเพิ่ม --replay เพื่อเล่นการตัดสินใจเดิมซ้ำภายใต้กติกาปัจจุบัน"},
	"bad-save":              {"%v. The file is left as it is.", "%v ไฟล์ยังคงเดิม"},
	"checked":               {"%d {error|errors}, %d {warning|warnings}, %d {note|notes}", "ข้อผิดพลาด %d คำเตือน %d ข้อสังเกต %d"},
	"checked-accepted":      {", %d accepted", " ยอมรับไว้ %d"},
	"fixed":                 {"%d {place|places} mended in %d {file|files}", "แก้ไข %d แห่งใน %d ไฟล์"},
	"fixed-to":              {"%s became %s", "เปลี่ยน %s เป็น %s"},
	"fixed-away":            {"took away %[1]s", "ลบ %[1]s"},
	"fixed-in":              {"put in %[2]s", "เพิ่ม %[2]s"},
	"fixed-none":            {"There was nothing to mend.", "ไม่มีสิ่งที่ต้องแก้"},
	"fixed-nothing":         {"No file was changed.", "ไม่มีไฟล์ใดถูกเปลี่ยน"},
	"fmt-eol":               {"--eol %q: it is lf, crlf or keep", "--eol %q: ต้องเป็น lf, crlf หรือ keep"},
	"fmt-both":              {"- stands for standard input and goes with no file", "- หมายถึงอินพุตมาตรฐาน ใช้ร่วมกับไฟล์ไม่ได้"},
	"fmt-broken":            {"Files left as they are, because they do not parse: %d", "ไฟล์ที่คงไว้ตามเดิมเพราะอ่านไม่ได้: %d"},
	"fmt-check":             {"Files that are not laid out: %d; momon fmt does it.", "ไฟล์ที่ยังไม่จัดรูป: %d ใช้ momon fmt เพื่อจัดรูป"},
	"fix-without-end":       {"after %d {round|rounds} there was still something to mend", "แก้ไขแล้ว %d รอบแต่ยังมีสิ่งที่ต้องแก้"},
	"pass":                  {"pass  %s", "ผ่าน  %s"},
	"fail":                  {"failed: %s", "ไม่ผ่าน: %s"},
	"tested":                {"%d {case|cases}, %d failed (%v)", "%d กรณี ไม่ผ่าน %d (%v)"},
	"run-what":              {"name the program to run behind --, as in: -- ./my-engine", "ระบุโปรแกรมที่จะตรวจหลัง -- เช่น -- ./my-engine"},
	"limit-positive":        {"--limit %v: it must be more than nothing", "--limit %v: ต้องมากกว่าศูนย์"},
	"no-twin":               {"--twin %s: it is swap, rename or bystander", "--twin %s: ต้องเป็น swap, rename หรือ bystander"},
	"bad-known":             {"--known %s: %v", "--known %s: %v"},
	"known-failure":         {"known to fail: %s (%s; until %s)", "ทราบแล้วว่าไม่ผ่าน: %s (%s ถึง %s)"},
	"known-expired":         {"It was to be mended by %s: %s", "ควรแก้แล้วภายใน %s: %s"},
	"conformed-known":       {", %d known to fail", " ทราบแล้วว่าไม่ผ่าน %d"},
	"fault-known-passes":    {"It is listed as a known failure, and passes", "อยู่ในรายการที่ทราบว่าไม่ผ่าน แต่ผ่าน"},
	"no-start":              {"the program could not be started: %s", "เริ่มโปรแกรมไม่ได้: %s"},
	"no-hello":              {"the program did not get past hello. %s: %s", "โปรแกรมไม่ผ่านขั้น hello %s: %s"},
	"its-stderr":            {"Its standard error ends with: %s", "ท้ายของ stderr: %s"},
	"not-complete":          {"the run is not complete: %d {case|cases} not run", "การทดสอบไม่ครบ: ยังไม่ได้ทดสอบ %d กรณี"},
	"checked-program":       {"%s %s, checked by the cases of edition %s", "%s %s ตรวจด้วยกรณีของฉบับ %s"},
	"conformed":             {"%s: %d of %d passed, %d failed", "%s: ผ่าน %d จาก %d ไม่ผ่าน %d"},
	"conformed-unsupported": {", %d unsupported", " ไม่รองรับ %d"},
	"conformed-skipped":     {", %d skipped", " ข้าม %d"},
	"conformed-reading":     {", %d under another reading", " ตีความอย่างอื่น %d"},
	"conformed-not-run":     {", %d not run", " ไม่ได้ทดสอบ %d"},
	"conformed-built-in":    {"%s: %d not run, because its rules are built in", "%s: ไม่ได้ทดสอบ %d เพราะกติกาอยู่ในตัวโปรแกรม"},
	"only-loads":            {"nothing was run: these cases are about loading rules, and the rules of %s are built in", "ไม่ได้ทดสอบสิ่งใด: กรณีเหล่านี้ว่าด้วยการโหลดกติกา แต่กติกาอยู่ในตัวโปรแกรม %s"},
	"at-step":               {"step %d asks: %s", "ขั้นที่ %d ถาม: %s"},
	"given-answer":          {"answered: %s", "ตอบ: %s"},
	"by-the-rules":          {"By the rules:", "ตามกติกา:"},

	"fault-fail":            {"An answer differs", "คำตอบต่างจากที่ต้องได้"},
	"fault-error":           {"It reports an error", "โปรแกรมแจ้งข้อผิดพลาด"},
	"fault-missing-answers": {"A question has no answer", "มีคำถามที่ไม่มีคำตอบ"},
	"fault-extra-answers":   {"It answers what was not asked", "ตอบสิ่งที่ไม่ได้ถาม"},
	"fault-contradiction":   {"It contradicts itself", "โปรแกรมขัดแย้งกับที่บอกไว้"},
	"fault-talkative":       {"It writes lines that nobody asked for", "เขียนบรรทัดที่ไม่มีใครขอ"},
	"fault-leak":            {"Something is left over from case to case", "มีสิ่งตกค้างจากกรณีก่อน"},
	"fault-crash":           {"It ended", "โปรแกรมจบการทำงาน"},
	"fault-hang":            {"It did not answer in time", "ไม่ตอบภายในเวลา"},
	"fault-garbage":         {"Its line is not what the protocol says", "บรรทัดไม่ตรงกับโพรโทคอล"},
	"fault-too-long":        {"Its line is too long", "บรรทัดยาวเกินไป"},
	"fault-wrong-seq":       {"Its answer belongs to another request", "คำตอบเป็นของคำขออื่น"},

	"advice-error":           {"An outcome error means that the engine could not play the case. If it lacks something, unsupported is the outcome, with the feature.", "ผล error หมายความว่าเล่นกรณีไม่ได้ ถ้าขาดความสามารถใดให้ตอบ unsupported พร้อมชื่อ"},
	"advice-missing-answers": {"Every step with ask needs an answer with its step.", "ทุกขั้นที่มี ask ต้องมีคำตอบพร้อมเลขขั้น"},
	"advice-extra-answers":   {"Answer each step with ask once, and no other.", "ตอบขั้นที่มี ask ขั้นละครั้ง และไม่ตอบขั้นอื่น"},
	"advice-contradiction":   {"What hello says holds for the whole run: a feature named there is never unsupported later.", "สิ่งที่บอกใน hello มีผลตลอด ความสามารถที่บอกว่ามีจะกลายเป็นไม่รองรับไม่ได้"},
	"advice-talkative":       {"One request, one line. Write what else there is to say to standard error.", "หนึ่งคำขอตอบหนึ่งบรรทัด ข้อความอื่นให้เขียนที่ stderr"},
	"advice-leak":            {"Start each case from an empty state, and keep nothing from the one before.", "เริ่มทุกกรณีจากสถานะว่าง และไม่เก็บสิ่งใดจากกรณีก่อน"},
	"advice-crash":           {"Read lines until the input ends, and answer a case that fails inside with the outcome error.", "อ่านจนหมดอินพุต และถ้าเกิดข้อผิดพลาดภายในให้ตอบผล error"},
	"advice-hang":            {"Answer each request before waiting for the next, and flush standard output after each line. --limit gives it longer.", "ตอบแต่ละคำขอก่อนรอคำขอถัดไป และ flush stdout ทุกบรรทัด ใช้ --limit เพื่อรอนานขึ้น"},
	"advice-garbage":         {"Each answer is one JSON object on one line, of the shape in conformance/schema/answer.schema.json. Print nothing else to standard output.", "คำตอบเป็น JSON object หนึ่งตัวในหนึ่งบรรทัด ตามรูปใน conformance/schema/answer.schema.json และไม่พิมพ์สิ่งอื่นที่ stdout"},
	"advice-too-long":        {"A line has at most 1048576 bytes. Answer only what is asked.", "หนึ่งบรรทัดยาวได้ไม่เกิน 1048576 ไบต์ ตอบเฉพาะที่ถาม"},
	"advice-wrong-seq":       {"Give each answer the seq of its request.", "ใส่ seq ของคำขอในคำตอบ"},
	"no-sample":              {"there is no sample adapter in %s; there is one in each of %s", "ไม่มีอะแดปเตอร์ตัวอย่างในภาษา %s มีในภาษา %s"},
	"hello-of":               {"%s %s says hello.", "%s %s ทักทายแล้ว"},
	"hello-rules":            {"rules: %s", "กติกา: %s"},
	"hello-features":         {"features: %s", "ความสามารถ: %s"},
	"hello-questions":        {"questions: %s", "คำถาม: %s"},
	"unknown-feature":        {"%s is no feature of the suite", "ชุดทดสอบไม่มีความสามารถ %s"},
	"unknown-question":       {"%s is no question of the suite", "ชุดทดสอบไม่มีคำถาม %s"},
	"adapter-tried":          {"%d {case|cases} tried: %d answered, %d left out", "ลอง %d กรณี: ตอบ %d เว้น %d"},
	"adapter-fine":           {"It keeps to the protocol.", "ทำตามโพรโทคอลถูกต้อง"},
	"exported":               {"%d {case|cases} in %d {file|files}", "%d กรณี ใน %d ไฟล์"},
	"exported-file":          {"written: %s", "เขียนแล้ว: %s"},
	"stale-file":             {"not as the rules have it: %s", "ไม่ตรงกับกติกา: %s"},
	"not-exported":           {"left out: %s, because of %q", "ไม่ส่งออก: %s เพราะ %q"},
	"no-cases":               {"no case fits, so nothing was run", "ไม่มีกรณีที่ตรง จึงไม่ได้ทดสอบ"},
	"confirms":               {"confirms %v", "ยืนยัน %v"},
	"refutes":                {"refutes %v", "แสดงขอบเขตของ %v"},
	"want":                   {"wanted: %s", "ต้องได้: %s"},
	"got":                    {"came: %s", "ได้จริง: %s"},
	"mend-line":              {"write before it, or at the top: %s", "เขียนไว้ก่อนหน้าหรือบนสุด: %s"},
	"rule":                   {"rule %v", "กฎ %v"},
	"rules-of":               {"rule %s", "กฎ %s"},
	"what-happened":          {"What happened:", "สิ่งที่เกิดขึ้น:"},

	"fail-expect":        {"This does not hold", "ข้อนี้ไม่จริง"},
	"fail-refused":       {"This should have been refused", "ข้อนี้ควรถูกปฏิเสธ"},
	"fail-happened":      {"This should have happened", "เหตุการณ์นี้ควรเกิดขึ้น"},
	"fail-never":         {"This should not have happened", "เหตุการณ์นี้ไม่ควรเกิดขึ้น"},
	"fail-asked":         {"This should have been asked", "ควรมีการถามข้อนี้"},
	"fail-never-asked":   {"Nobody should have been asked", "ไม่ควรมีการถาม"},
	"fail-legal":         {"This should be possible", "ข้อนี้ควรทำได้"},
	"fail-illegal":       {"This should not be possible", "ข้อนี้ไม่ควรทำได้"},
	"fail-repair":        {"The repair does not help", "การแก้ไขไม่ช่วย"},
	"fail-answer":        {"This answer does not fit the question", "คำตอบไม่ตรงกับคำถาม"},
	"fail-unanswered":    {"A question has no answer in the case", "มีคำถามที่กรณีไม่ได้ตอบ"},
	"fail-unused-answer": {"Nobody asked for this answer", "ไม่มีการถามถึงคำตอบนี้"},
	"fail-load":          {"The rule files load, or are refused, otherwise", "ไฟล์กติกาโหลดได้หรือถูกปฏิเสธต่างจากที่ควร"},
	"fail-loop":          {"The rules went on without end", "กติกาทำงานไม่รู้จบ"},

	"normative":         {"normative", "ข้อความในกติกา"},
	"interpretation":    {"interpretation", "การตีความ"},
	"provisional":       {"provisional", "ชั่วคราว"},
	"language":          {"rule language", "ภาษากติกา"},
	"by":                {"done by:", "ทำโดย:"},
	"data":              {"data:", "ข้อมูล:"},
	"reading":           {"reading:", "การอ่าน:"},
	"other":             {"also possible:", "อ่านอีกแบบได้:"},
	"confirmed-by":      {"confirmed by:", "ยืนยันโดย:"},
	"confirmed-under":   {"confirmed under %s by:", "ยืนยันภายใต้ %s โดย:"},
	"refuted-under":     {"refuted under %s by:", "ขอบเขตภายใต้ %s แสดงโดย:"},
	"under":             {"played under the reading %s", "เล่นภายใต้การตีความ %s"},
	"refuted-by":        {"refuted by:", "ขอบเขตแสดงโดย:"},
	"none":              {"none", "ไม่มี"},
	"cited-only":        {"(no summary; %d {clause cites|clauses cite} it)", "(ไม่มีบทสรุป มีข้อมูล %d แห่งอ้างถึง)"},
	"no-rule":           {"no rule has the number, key or word %q", "ไม่มีกฎที่มีหมายเลข คีย์ หรือคำว่า %q"},
	"no-rule-at-all":    {"the rule data names no numbered rule", "ข้อมูลกติกาไม่ได้อ้างถึงกฎที่มีหมายเลข"},
	"takes":             {"takes: %s", "รับ: %s"},
	"on-cards":          {"cards: %s", "การ์ด: %s"},
	"cards":             {"%d {card|cards}", "การ์ด %d ใบ"},
	"no-cards":          {"the rules declare no card", "กติกาไม่ได้ประกาศการ์ด"},
	"no-card-deck":      {"no card and no deck is called %q; momon cards lists them", "ไม่มีการ์ดหรือสำรับชื่อ %q ดูรายชื่อด้วย momon cards"},
	"no-card-deck-near": {"no card and no deck is called %q; did you mean %q?", "ไม่มีการ์ดหรือสำรับชื่อ %q หมายถึง %q หรือไม่"},
	"is-folder":         {"%q is a folder; name a file", "%q เป็นโฟลเดอร์ ให้ระบุชื่อไฟล์"},
	"sheet-title":       {"Cards", "การ์ด"},
	"sheet-page":        {"Page %d of %d", "หน้า %d จาก %d"},
	"sheet-format":      {"--format %s: it is html or svg", "--format %s: ใช้ html หรือ svg"},
	"sheet-where":       {"name the file to write: -o cards.%s", "ระบุชื่อไฟล์ที่จะเขียน: -o cards.%s"},
	"sheet-written":     {"%s: %d {card|cards} on %d {page|pages}. Print at 100 %%, without margins.", "%s: การ์ด %d ใบ %d หน้า พิมพ์ที่ 100 %% โดยไม่มีขอบ"},
	"sheet-small":       {"Much text, set in small letters: %s.", "ข้อความยาว จึงใช้ตัวอักษรเล็ก: %s"},
	"no-card":           {"there is no card %q; momon cards lists them", "ไม่มีการ์ด %q ดูรายชื่อด้วย momon cards"},
	"no-deck":           {"there is no deck %q", "ไม่มีสำรับ %q"},
	"no-keyword":        {"there is no keyword %q", "ไม่มี Keyword %q"},
	"deck":              {"%s, %d {card|cards}", "%s การ์ด %d ใบ"},
	"in-decks":          {"decks: %s", "สำรับ: %s"},
	"errata":            {"corrected by errata: %s", "แก้ไขโดย Errata: %s"},
	"no-name":           {"nothing is called %q; momon words lists the names", "ไม่มีสิ่งที่ชื่อ %q ดูรายชื่อด้วย momon words"},
	"no-name-near":      {"nothing is called %q; did you mean %q?", "ไม่มีสิ่งที่ชื่อ %q หมายถึง %q หรือไม่"},

	"names-action":         {"Actions", "การกระทำ"},
	"names-step":           {"Steps", "ขั้นตอน"},
	"names-characteristic": {"Characteristics of %s", "คุณลักษณะของ %s"},
	"names-memory":         {"Memories of %s", "ความจำของ %s"},
	"names-kind":           {"Kinds of object", "ชนิดของ Object"},
	"names-table":          {"Tables", "ตาราง"},
	"names-token":          {"Tokens", "Token"},
	"names-zone":           {"Zones", "โซน"},
	"names-header":         {"Headers", "หัวข้อจังหวะ"},
	"names-keyword":        {"Keywords", "Keyword"},
	"names-values":         {"Lists of values", "รายการค่า"},
	"names-layer":          {"Layers", "Layer"},

	"no-code":      {"there is no code %q; momon help codes lists them", "ไม่มีรหัส %q ดูรายการด้วย momon help codes"},
	"no-code-near": {"there is no code %q; did you mean %q?", "ไม่มีรหัส %q หมายถึง %q หรือไม่"},

	"no-case":        {"there is no case %q; momon test -v lists them, and --with FOLDER reads more", "ไม่มีกรณี %q ดูรายการด้วย momon test -v และอ่านเพิ่มด้วย --with โฟลเดอร์"},
	"no-case-near":   {"there is no case %q; did you mean %q? momon test -v lists them, and --with FOLDER reads more", "ไม่มีกรณี %q หมายถึง %q หรือไม่ ดูรายการด้วย momon test -v และอ่านเพิ่มด้วย --with โฟลเดอร์"},
	"explain-file":   {"explain takes a case: momon explain CASE-ID --with %s", "explain ใช้กับกรณี: momon explain CASE-ID --with %s"},
	"none-of-kind":   {"none of that kind", "ไม่มีการกระทำเช่นนั้น"},
	"none-since":     {"none of that kind with the line right before. An earlier line led to it: ask right behind that line, inside the window if it stands in one (its end is a line too)", "บรรทัดก่อนหน้านี้ไม่มีการกระทำเช่นนั้น แต่บรรทัดก่อนนั้นมี ให้ถามทันทีหลังบรรทัดนั้น หากอยู่ในช่วงเวลาให้ถามภายในช่วง (การจบช่วงนับเป็นหนึ่งบรรทัด)"},
	"let-through":    {"the action itself would be let through (what it does inside can still be refused)", "การกระทำนี้เองผ่านได้ (แต่สิ่งที่ทำภายในอาจยังถูกปฏิเสธ)"},
	"after-decision": {"After decision %d (--at %d)", "หลังการตัดสินใจที่ %d (--at %d)"},
	"no-case-in":     {"there is no case in %s", "ไม่มีกรณีใน %s"},
	"at-below":       {"--at %d: it counts from 0, where everything begins", "--at %d: นับจาก 0 ซึ่งเป็นจุดเริ่ม"},
	"no-entry":       {"--event %d: the entries of the log count from 1 to %d", "--event %d: รายการของบันทึกนับจาก 1 ถึง %d"},
	"not-told":       {"an entry that is not told in the log", "รายการที่บันทึกไม่ได้เล่า"},
	"same-names":     {"--names: both players are called %s; give them different names", "--names: ผู้เล่นทั้งสองชื่อ %s เหมือนกัน ตั้งชื่อให้ต่างกัน"},
	"many-names":     {"--names: %d names, and there are two players", "--names: มี %d ชื่อ แต่มีผู้เล่น 2 คน"},
	"square-empty":   {"%s is empty.", "%s ว่าง"},
	"which-one":      {"Which one: %s?", "หมายถึงใบใด: %s"},
	"at-above":       {"--at %d: there are only %d", "--at %d: มีเพียง %d"},
	"no-size":        {"--size %s: it is sentence, statements or full", "--size %s: ต้องเป็น sentence, statements หรือ full"},
	"since-below":    {"--since %d: it counts from 0, where everything begins", "--since %d: นับจาก 0 ซึ่งเป็นจุดเริ่ม"},
	"since-alone":    {"--since belongs to --why-not", "--since ใช้กับ --why-not"},
	"explain-many":   {"name one object and one characteristic; a question of more words takes --why-not", "บอก Object และคุณลักษณะอย่างละหนึ่ง คำถามที่ยาวกว่านี้ใช้ --why-not"},
	"no-statements":  {"No statement of the rules is cited there.", "ไม่มีข้อความของกติกาถูกอ้างถึง"},
	"here":           {"here:", "ที่นี่:"},
	"is-false":       {"not true:", "ไม่จริง:"},
	"is-true":        {"true:", "จริง:"},
	"in-the-way":     {"in the way:", "สิ่งที่ขวาง:"},
	"all-offered":    {"The pending decision leaves nothing out.", "การตัดสินใจที่รออยู่ไม่ได้ตัดตัวเลือกใดออก"},
	"no-object":      {"there is no %q; there are %s", "ไม่มี %q มีเพียง %s"},
	"no-event":       {"Nothing of that kind happened.", "ไม่มีเหตุการณ์เช่นนั้น"},
	"misfit":         {"Decision %d, of P%d (%s: %s), no longer fits: %s", "การตัดสินใจที่ %d ของ P%d (%s: %s) ไม่ตรงกับกติกาแล้ว: %s"},
	"objects":        {"Objects", "Object"},
	"log":            {"What happened", "สิ่งที่เกิดขึ้น"},
	"why":            {"why:", "เหตุผล:"},
	"source":         {"from:", "จาก:"},
	"waits-for":      {"it waits for:", "รอ:"},
	"came-with":      {"it came with:", "เกิดพร้อม:"},
	"card-text":      {"the card says:", "การ์ดเขียนว่า:"},
	"rule-says":      {"rule", "กฎ"},
	"effect":         {"effect:", "เอฟเฟกต์:"},
	"stamp":          {"Timestamp:", "Timestamp:"},
	"not-begun":      {"none, it has not begun", "ยังไม่มี เพราะยังไม่เริ่ม"},
	"until":          {"until:", "จนถึง:"},
	"formula":        {"worked out as:", "คำนวณจาก:"},
	"base":           {"base:", "ฐาน:"},
	"layer":          {"Layer %s", "Layer %s"},
	"from-to":        {"%s → %s", "%s → %s"},
	"waits":          {"%s waits for %s, on which it depends", "%s ต้องรอ %s เพราะขึ้นอยู่ด้วย"},
	"ring":           {"these depend on each other in a ring, so the oldest goes first: %s", "เอฟเฟกต์เหล่านี้ขึ้นต่อกันเป็นวง จึงใช้ตัวเก่าที่สุดก่อน: %s"},
	"bounded":        {"%s → %s by a floor or ceiling", "%s → %s ตามค่าขั้นต่ำหรือขั้นสูง"},
	"skip-condition": {"not applied, its condition is false: %s", "ไม่มีผล เพราะเงื่อนไขไม่จริง: %s"},
	"skip-ability":   {"not applied, its ability is gone: %s", "ไม่มีผล เพราะความสามารถหายไป: %s"},
	"unchanged":      {"Nothing changes it.", "ไม่มีสิ่งใดเปลี่ยนค่านี้"},
	"as-stated":      {"All came out as the case says.", "ผลตรงตามที่กรณีระบุทั้งหมด"},
	"waits-player":   {"%s is to decide.", "รอ %s ตัดสินใจ"},

	"new-args":       {"new takes a KIND and a NAME: momon new %s \"My Name\"", "new ใช้กับ KIND และ NAME: momon new %s \"ชื่อของฉัน\""},
	"new-kind":       {"momon new can't write %q; it can write %s", "momon new สร้าง %q ไม่ได้ สร้างได้: %s"},
	"new-kind-near":  {"momon new can't write %q; did you mean %q?", "momon new สร้าง %q ไม่ได้ หมายถึง %q หรือไม่"},
	"new-sign":       {"the name %q can't have %q in it", "ในชื่อ %q มี %q ไม่ได้"},
	"new-no-letter":  {"the name %q has no letter in it", "ชื่อ %q ไม่มีตัวอักษร"},
	"new-long":       {"the name is longer than %d characters", "ชื่อยาวเกิน %d ตัวอักษร"},
	"new-small":      {"the name %q begins with a small letter, as words of a sentence do; write %q", "ชื่อ %q ขึ้นต้นด้วยตัวพิมพ์เล็กเหมือนคำในประโยค ให้เขียน %q"},
	"new-first":      {"the name %q must begin with a letter: a capital, or one of a script without capitals", "ชื่อ %q ต้องขึ้นต้นด้วยตัวอักษร: ตัวพิมพ์ใหญ่หรือตัวอักษรไทย"},
	"new-text-lang":  {"--text %s=…: the rules have texts in %s", "--text %s=…: กติกามีข้อความในภาษา %s"},
	"new-taken":      {"%s is there already; nothing was written", "มี %s อยู่แล้ว จึงไม่ได้เขียนสิ่งใด"},
	"new-project":    {"%s is laid out as a project: files beside its folders are not read. Use --dir %s", "%s จัดเป็นโครงการ ไฟล์ที่อยู่ข้างโฟลเดอร์ย่อยจะไม่ถูกอ่าน ให้ใช้ --dir %s"},
	"new-there":      {"%q is there already: %v. Nothing was written; choose another name", "มี %q อยู่แล้ว: %v จึงไม่ได้เขียนสิ่งใด ให้ใช้ชื่ออื่น"},
	"new-case-there": {"there is a case %q already: %v. Nothing was written; choose another name", "มีกรณี %q อยู่แล้ว: %v จึงไม่ได้เขียนสิ่งใด ให้ใช้ชื่ออื่น"},
	"new-unfit":      {"the name %q can't be used here: %s. Nothing was written", "ใช้ชื่อ %q ที่นี่ไม่ได้: %s จึงไม่ได้เขียนสิ่งใด"},
	"new-wrote":      {"wrote %s", "เขียน %s แล้ว"},
	"new-next":       {"What to do next:", "ขั้นต่อไป:"},
	"new-test":       {"a case fails, and its title says what to do", "กรณีหนึ่งไม่ผ่าน ชื่อของกรณีบอกว่าต้องทำอะไร"},
	"new-watch":      {"the same again whenever a file is saved", "ทำอีกทุกครั้งที่บันทึกไฟล์"},

	"watch-poll":       {"the system can't watch these folders (%v); they are looked at again and again", "ระบบเฝ้าดูโฟลเดอร์เหล่านี้ไม่ได้ (%v) จึงตรวจดูซ้ำเป็นระยะแทน"},
	"watch-errors":     {"%d {error|errors}, %d {warning|warnings}; no case was run (%v)", "ข้อผิดพลาด %d คำเตือน %d จึงยังไม่ได้ทดสอบกรณี (%v)"},
	"watch-cases":      {"%d {case|cases} here, %d failed; %d of the rules beneath, %d failed", "กรณีที่นี่ %d ไม่ผ่าน %d กรณีของกติกาเดิม %d ไม่ผ่าน %d"},
	"watch-run":        {"%d {was|were} run, the others can't have changed (%v)", "ทดสอบ %d กรณี ที่เหลือไม่มีทางเปลี่ยน (%v)"},
	"watch-ran-all":    {"all were run (%v)", "ทดสอบทุกกรณี (%v)"},
	"watch-waits":      {"Waiting for changes in %s (Ctrl-C ends)", "รอการเปลี่ยนแปลงใน %s (กด Ctrl-C เพื่อจบ)"},
	"watch-now-passes": {"passes now: %s", "ผ่านแล้ว: %s"},
	"watch-now-fails":  {"fails now: %s", "ไม่ผ่านแล้ว: %s"},

	"sheet-ending":             {"%s ends neither in .html nor in .svg: name such a file, or say with --format what it is to be", "%s ไม่ได้ลงท้ายด้วย .html หรือ .svg ให้ใช้ชื่อเช่นนั้น หรือระบุด้วย --format"},
	"sheet-taken":              {"%s is there already and is no page of cards; it is left as it is. Name another file", "มี %s อยู่แล้วและไม่ใช่หน้าการ์ด จึงคงไว้ตามเดิม ให้ใช้ชื่อไฟล์อื่น"},
	"kept":                     {"%s holds the game as you saved it; its end is not saved.", "%s ยังเก็บเกมตามที่คุณบันทึกไว้ ไม่ได้บันทึกตอนจบ"},
	"flag-kind-stringToString": {"LANG=NAME, such as th=\"…\"", " LANG=NAME เช่น th=\"…\""},
	"flag-below":               {"--%s %d: it must be %d at least", "--%s %d: ต้องไม่น้อยกว่า %d"},
	"found-more":               {"%d more {is|are} not shown; --all shows them.", "ยังมีอีก %d ข้อที่ไม่ได้แสดง ใช้ --all เพื่อแสดงทั้งหมด"},
	"found-more-errors":        {"%d more {error is|errors are} not shown; %s shows them.", "ยังมีข้อผิดพลาดอีก %d ข้อที่ไม่ได้แสดง ใช้ %s เพื่อแสดงทั้งหมด"},
	"no-game":                  {"%s: no game is declared there. To read it on top of the built-in rules: --with %s", "%s: ที่นี่ไม่ได้ประกาศเกม ถ้าต้องการอ่านร่วมกับกติกาที่มากับโปรแกรม: --with %s"},
	"no-two-decks":             {"the rules declare fewer than two decks, so that there is nothing to play with. Add a folder of cards: --with cards", "กติกาประกาศสำรับไว้ไม่ถึงสองสำรับ จึงเล่นไม่ได้ ให้เพิ่มโฟลเดอร์การ์ด: --with cards"},
	"no-cases-at-all":          {"there is no case in these rules, so nothing was run. Add a folder of cases: --with conformance/cases", "กติกาเหล่านี้ไม่มีกรณี จึงไม่ได้ทดสอบ ให้เพิ่มโฟลเดอร์กรณี: --with conformance/cases"},
	"dangling":                 {"%q is a link that leads nowhere", "%q เป็นลิงก์ที่ไม่มีปลายทาง"},
	"not-in-file":              {"%q: a part of that path is a file, not a folder", "%q: ส่วนหนึ่งของเส้นทางนี้เป็นไฟล์ ไม่ใช่โฟลเดอร์"},
	"disk-full":                {"%q: there is no room left to write it", "%q: ไม่มีที่ว่างพอจะเขียน"},
	"not-file":                 {"%q is there and is not a file, so that it can't be written over", "มี %q อยู่แล้วและไม่ใช่ไฟล์ จึงเขียนทับไม่ได้"},
	"bad-regexp":               {"--run %q is no regular expression: it can't be read at %q", "--run %q ไม่ใช่ regular expression อ่านไม่ได้ที่ %q"},
	"why-not-how":              {"Say what: why not NAME WHAT, or why not ACTION …; ? shows both.", "บอกว่าสิ่งใด: why not ชื่อ สิ่งใด หรือ why not การกระทำ … พิมพ์ ? เพื่อดูวิธีใช้"},
	"none-refused":             {"Nothing has been refused so far. why N tells of option N, ? shows more.", "ยังไม่มีสิ่งใดถูกปฏิเสธ ใช้ why N เพื่อถามถึงตัวเลือก N พิมพ์ ? เพื่อดูเพิ่ม"},
	"so-often":                 {"%s (%d times)", "%s (%d ครั้ง)"},
	"holds-rules":              {"%s holds rule files; name another folder to write the suite to", "%s มีไฟล์กติกาอยู่ ให้ระบุโฟลเดอร์อื่นสำหรับเขียนชุดทดสอบ"},
	"decks-were":               {"the decks: %s", "สำรับ: %s"},
	"only-modules":             {"there is no .momon file in %s outside of the modules in it: %s. Name the one that you mean: %s", "ใน %s ไม่มีไฟล์ .momon นอกโมดูลที่อยู่ข้างใน: %s ให้ระบุโมดูลที่ต้องการ: %s"},
	"left-out":                 {"%d {module of its own was|modules of their own were} left out: %s. To look there:", "ไม่ได้รวมโมดูลที่แยกเป็นของตัวเอง %d แห่ง: %s ดูได้ด้วย:"},
	"and-more":                 {"%s and %d more", "%s และอีก %d"},

	"play-json":       {"play talks to people; momon run FILE --json shows a saved game to programs", "play ใช้โต้ตอบกับคน ให้โปรแกรมใช้ momon run FILE --json"},
	"play-hello":      {"Choose by number; ? shows the other commands.", "เลือกด้วยหมายเลข พิมพ์ ? เพื่อดูคำสั่งอื่น"},
	"pass-on":         {"It is %s's choice. Press Enter once only this player looks. ", "ถึงคราว %s เลือก กด Enter เมื่อมีเพียงผู้เล่นนี้มองจอ "},
	"saved":           {"The game is saved in %s", "บันทึกเกมไว้ใน %s แล้ว"},
	"file-taken":      {"%s is there already: go on with that game by --load, or name another file", "มี %s อยู่แล้ว เล่นเกมนั้นต่อด้วย --load หรือใช้ชื่อไฟล์อื่น"},
	"write-over":      {"%s is there already. Write over it? (y/n) ", "มี %s อยู่แล้ว เขียนทับหรือไม่ (y/n) "},
	"load-over":       {"The game under way is not saved. Leave it all the same? (y/n) ", "เกมนี้ยังไม่ได้บันทึก ทิ้งเกมนี้หรือไม่ (y/n) "},
	"load-what":       {"Name the file: load FILE.", "บอกชื่อไฟล์ด้วย: load FILE"},
	"record-lost":     {"The decisions in %s do not lead to the game in it. The game counts; it can't be taken back to before this point.", "การตัดสินใจใน %s ไม่นำไปสู่เกมในไฟล์ จึงใช้เกมตามที่บันทึก และย้อนไปก่อนจุดนี้ไม่ได้"},
	"save-too-large":  {"%s is no saved game: it has more than %d MB", "%s ไม่ใช่เกมที่บันทึกไว้ เพราะใหญ่กว่า %d MB"},
	"go-on":           {"Go on with: %s", "เล่นต่อด้วย: %s"},
	"not-now":         {"(not possible now: %s; why %d tells the reason)", "(ตอนนี้ทำไม่ได้: %s พิมพ์ why %d เพื่อดูเหตุผล)"},
	"pick-some":       {"Type %d numbers with spaces between, in the order wanted.", "พิมพ์ %d หมายเลขตามลำดับ คั่นด้วยช่องว่าง"},
	"pick-range":      {"Type %d to %d numbers with spaces between.", "พิมพ์ %d ถึง %d หมายเลข คั่นด้วยช่องว่าง"},
	"pick-none":       {"Press Enter alone to choose nothing.", "กด Enter เปล่าเพื่อไม่เลือก"},
	"type-number":     {"Type the number of an option, or ? for help.", "พิมพ์หมายเลขตัวเลือก หรือ ? เพื่อดูวิธีใช้"},
	"cant":            {"That does not work: %v", "ทำไม่ได้: %v"},
	"undo-seen":       {"Hidden cards were seen or chance was rolled since then. To go back all the same: undo seen (it is noted in the log, and chance is not rolled anew).", "มีการเปิดเผยการ์ดหรือสุ่มหลังจากนั้น ถ้าต้องการย้อนอยู่ดี พิมพ์ undo seen (จะบันทึกไว้ และไม่สุ่มใหม่)"},
	"no-draw":         {"A random player agrees to nothing.", "ผู้เล่นสุ่มไม่ตกลงสิ่งใด"},
	"agree-draw":      {"%s, do you agree on a draw? (y/n) ", "%s ตกลงเสมอหรือไม่ (y/n) "},
	"unknown-command": {"There is no command %q; ? shows them.", "ไม่มีคำสั่ง %q พิมพ์ ? เพื่อดูคำสั่ง"},
	"is-possible":     {"That is possible: type its number alone to choose it.", "ข้อนั้นทำได้ พิมพ์หมายเลขเพื่อเลือก"},
	"why-how":         {"why N, why NAME CHARACTERISTIC, why not …, or why alone for the last refusal.", "why N หรือ why ชื่อ คุณลักษณะ หรือ why not … หรือ why เพื่อดูสิ่งที่ถูกปฏิเสธล่าสุด"},
	"no-such":         {"You see nothing called %q.", "ไม่เห็นสิ่งที่ชื่อ %q"},
	"play-help": {`  N            choose option N; several with spaces between
  b, board     the board and your hidden cards
  c NAME       the whole card; a square such as B2 works too
  why N        why option N is not possible now
  why          why the last thing was refused
  why NAME CHARACTERISTIC    why a value is what it is
  why not NAME WHAT    why a header of it did not trigger, or why it lacks a
               keyword, an effect, or a characteristic with a value
  why not ACTION …     why that can't be done; behind any why, sentence or
               statements makes the answer shorter
  l, log       all that happened, as you saw it
  u, undo      take your last decision back (undo seen: past what was seen)
  s, save [FILE]    save;  load [FILE]    go on with a saved game
  concede      give up;  draw    offer a draw
  q, quit      save and leave`,
		`  N            เลือกตัวเลือก N ถ้าหลายตัวให้คั่นด้วยช่องว่าง
  b, board     กระดานและการ์ดที่ปิดของคุณ
  c ชื่อ         ดูการ์ดทั้งใบ ใช้ชื่อช่องเช่น B2 ก็ได้
  why N        เหตุผลที่ตัวเลือก N ทำไม่ได้ตอนนี้
  why          เหตุผลที่สิ่งล่าสุดถูกปฏิเสธ
  why ชื่อ คุณลักษณะ    เหตุผลที่ค่าเป็นเช่นนั้น
  why not ชื่อ สิ่งใด    เหตุผลที่หัวข้อจังหวะไม่ Trigger หรือไม่มี Keyword เอฟเฟกต์
               หรือคุณลักษณะพร้อมค่า
  why not การกระทำ …    เหตุผลที่ทำไม่ได้ ต่อท้าย why ด้วย sentence หรือ statements
               เพื่อให้คำตอบสั้นลง
  l, log       ทุกอย่างที่เกิดขึ้นเท่าที่คุณเห็น
  u, undo      ย้อนการตัดสินใจล่าสุดของคุณ (undo seen: ย้อนผ่านสิ่งที่เปิดเผยแล้ว)
  s, save [FILE]    บันทึก;  load [FILE]    เล่นเกมที่บันทึกไว้ต่อ
  concede      ยอมแพ้;  draw    ขอเสมอ
  q, quit      บันทึกแล้วออก`},
}
