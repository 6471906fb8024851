package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// langOf is the language that a command line asks for with --lang. Help is
// made before the flags are parsed, so it looks for itself.
func langOf(args []string) string {
	lang := "en"
	for i, s := range args {
		if s == "--" {
			break
		}
		if v, ok := strings.CutPrefix(s, "--lang="); ok {
			lang = v
		} else if s == "--lang" && i+1 < len(args) {
			lang = args[i+1]
		}
	}
	return lang
}

// thaiText is the help of one command in Thai. The English stands with the
// command itself.
type thaiText struct {
	short, long string
	flags       map[string]string
}

// inThai puts a command and those below it into Thai.
func inThai(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	toThai(root)
}

func toThai(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	th := thaiHelp[c.CommandPath()]
	if th.short != "" {
		c.Short = th.short
	}
	if th.long != "" {
		c.Long = th.long
	}
	lines := strings.Split(c.Example, "\n")
	for i, line := range lines {
		if n := len(line) - len(remark(line)); n < len(line) {
			if s, ok := thaiRemarks[line[n:]]; ok {
				lines[i] = line[:n] + s
			}
		}
	}
	c.Example = strings.Join(lines, "\n")
	put := func(f *pflag.Flag) {
		if f.Name == "help" {
			f.Usage = "แสดงวิธีใช้ " + c.CommandPath()
		} else if s, ok := th.flags[f.Name]; ok {
			f.Usage = s
		}
	}
	c.LocalNonPersistentFlags().VisitAll(put)
	c.PersistentFlags().VisitAll(put)
	for _, sub := range c.Commands() {
		toThai(sub)
	}
}

// remark is what an example's line says about its command: what follows the
// first two spaces in a row.
func remark(line string) string {
	if _, rest, ok := strings.Cut(strings.TrimLeft(line, " "), "  "); ok {
		return strings.TrimLeft(rest, " ")
	}
	return ""
}

// thaiRemarks has the remarks that stand behind examples.
var thaiRemarks = map[string]string{
	"on the built-in rules":                     "บนกติกาที่มากับโปรแกรม",
	"on rules of your own":                      "บนกติกาของคุณ",
	"messages in Thai":                          "ข้อความเป็นภาษาไทย",
	"watch a complete game":                     "ดูเกมหนึ่งตั้งแต่ต้นจนจบ",
	"play against random choices":               "เล่นกับผู้เล่นที่เลือกแบบสุ่ม",
	"run every case of the rules":               "ทดสอบทุกกรณีของกติกา",
	"what a rule says, and what carries it out": "กฎว่าอย่างไร และข้อมูลใดทำตามกฎ",
	"the same with rules of your own":           "เช่นเดียวกัน แต่ใช้กติกาของคุณ",
	"the last board too":                        "พร้อมกระดานสุดท้าย",
	"the rule text":                             "ข้อความกติกา",
	"the built-in rules":                        "กติกาที่มากับโปรแกรม",
	"cards on top of them":                      "การ์ดที่เพิ่มจากกติกานั้น",
	"all rule files of this folder":             "ไฟล์กติกาทั้งหมดในโฟลเดอร์นี้",
	"all rule files of a folder":                "ไฟล์กติกาทั้งหมดในโฟลเดอร์หนึ่ง",
	"list what is not laid out":                 "แสดงรายชื่อไฟล์ที่ยังไม่จัดรูป",
	"show what would change":                    "แสดงสิ่งที่จะเปลี่ยน",
	"with line ends of one kind":                "ใช้จุดจบบรรทัดแบบเดียวกัน",
	"print the layout":                          "พิมพ์รูปที่จัดแล้ว",
	"mend what can be mended safely":            "แก้สิ่งที่แก้ได้อย่างปลอดภัย",
	"what a code means":                         "ความหมายของรหัส",
	"check and test, for scripts":               "ตรวจและทดสอบ สำหรับสคริปต์",
	"what can be asked about":                   "สิ่งที่ถามได้",
	"why A has that value":                      "เหตุที่ A มีค่านั้น",
	"why it did not trigger":                    "เหตุที่ไม่ Trigger",
	"why A does not have it":                    "เหตุที่ A ไม่มีสิ่งนั้น",
	"why it does not reach A":                   "เหตุที่ไม่มีผลต่อ A",
	"why that can't be done":                    "เหตุที่ทำไม่ได้",
	"… after step 2":                            "… หลังขั้นที่ 2",
	"all codes":                                 "รหัสทั้งหมด",
	"the named interpretations":                 "การตีความที่มีชื่อ",
	"the layers, in order":                      "Layer ตามลำดับ",
}

const (
	thaiView     = "มุมมองที่ใช้ดูเกมที่บันทึกไว้: P1, P2 หรือ all (ทุกคน)"
	thaiDeck     = "สำรับชื่อ `NAME` ใส่สองครั้งสำหรับผู้เล่นสองคน"
	thaiReplay   = "ใช้เกมที่บันทึกภายใต้กติกาอื่น โดยเล่นการตัดสินใจเดิมซ้ำ"
	thaiNoDesc   = "ไม่แสดงคำอธิบายของตัวเลือกที่เติมให้"
	thaiNewShell = "\n\nต้องเปิด Shell ใหม่ก่อน การตั้งค่านี้จึงจะมีผล"
	thaiNow      = "โหลดเข้า Shell ที่ใช้อยู่:\n\n    "
	thaiAlways   = "\n\nโหลดทุกครั้งที่เปิด Shell ใหม่ ให้สั่งครั้งเดียว:\n\n"
)

// thaiHelp has the help of every command, by what one types for it.
var thaiHelp = map[string]thaiText{
	"momon": {
		short: "กติกาเกมการ์ดในรูปข้อมูล: เล่น ทดสอบ และอธิบาย",
		long: `momon อ่านกติกาของเกมการ์ดสำหรับผู้เล่นสองคนจากไฟล์ .momon แล้วเล่นตามนั้น
ไม่มีส่วนใดของเกมฝังอยู่ในโปรแกรม เมื่อแก้ไฟล์กติกาแล้วสั่งอีกครั้ง
เกมก็เปลี่ยนไปตามนั้น`,
		flags: map[string]string{
			"rules":   "อ่านกติกา การ์ด และกรณีจาก `DIR` แทนชุดที่มากับโปรแกรม (ใส่ซ้ำได้)",
			"with":    "อ่านกติกาจาก `DIR` เพิ่มจากชุดอื่น (ใส่ซ้ำได้)",
			"edition": "ฉบับที่ใช้: ชื่อฉบับ `NAME` หรือวันที่ในช่วงของฉบับ (YYYY-MM-DD) ถ้าไม่ระบุจะใช้ฉบับล่าสุด",
			"lang":    "ภาษาที่ใช้แสดงผล: `LANG` คือ en, th หรือภาษาอื่นที่กติกามี",
			"json":    "แสดงผลเป็น JSON สำหรับโปรแกรม",
			"plain":   "ไม่ตีกรอบและไม่ใช้สี แสดงบรรทัดละหนึ่งเรื่อง",
		},
	},
	"momon demo": {
		short: "ดูเกมหนึ่งตั้งแต่ต้นจนจบ",
		long: `เล่นเกมหนึ่งจนจบด้วยสองสำรับแรกของกติกา โดยเลือกทุกอย่างแบบสุ่ม
และแสดงสิ่งที่เกิดขึ้น: กฎแต่ละข้อเมื่อมีผล โดยมีหมายเลขที่ขอบขวา
และกระดานหลังจบแต่ละเทิร์น ค่า seed เดียวกันจะได้เกมเดียวกัน`,
		flags: map[string]string{
			"seed": "เกมที่จะเล่น",
			"deck": thaiDeck,
			"all":  "แสดงเหตุการณ์ย่อยด้วย: เอฟเฟกต์ที่เริ่มและสิ้นสุด ความสามารถที่ทำงาน",
		},
	},
	"momon play": {
		short: "เล่นเกมที่เทอร์มินัล",
		long: `เล่นสองคนที่เทอร์มินัลเดียวกัน หรือคนเดียวกับผู้เล่นที่เลือกแบบสุ่ม
เลือกสิ่งต่าง ๆ ด้วยหมายเลข หน้าจอจะถูกล้างก่อนให้อีกฝ่ายดู
จึงไม่มีใครเห็นการ์ดที่ปิดของอีกฝ่าย พิมพ์ ? เพื่อดูคำสั่งอื่น:
undo, save, load, why, concede เมื่อกด Ctrl-C หรือข้อมูลเข้าสิ้นสุด
โปรแกรมจะบันทึกเกมและบอกชื่อไฟล์`,
		flags: map[string]string{
			"random": "ให้ผู้เล่นคนที่สองเลือกแบบสุ่ม",
			"seed":   "จุดเริ่มของการสุ่ม ถ้าไม่ระบุจะต่างกันทุกครั้ง",
			"deck":   thaiDeck,
			"names":  "ชื่อผู้เล่น คั่นด้วยจุลภาค",
			"load":   "เล่นเกมที่บันทึกไว้ต่อ",
			"replay": "ใช้คู่กับ --load: " + thaiReplay,
			"save":   "ไฟล์ `FILE` ที่จะบันทึก ถ้ามีอยู่แล้วจะไม่เขียนทับ",
		},
	},
	"momon check": {
		short: "หาข้อผิดพลาดในกติกา การ์ด และกรณี",
		long: `อ่านกติกา การ์ด และกรณี แล้วแสดงทุกอย่างที่ผิด พร้อมตำแหน่งและวิธีแก้
DIR ใช้ร่วมกับกติกาที่มากับโปรแกรมหรือกติกาของ --rules
ถ้า DIR ประกาศการกระทำ game ถือว่าเป็นกติกาที่ครบในตัวและใช้แทนกัน
สถานะจบโปรแกรม 1 หมายความว่าพบข้อผิดพลาด

เมื่อใช้ --fix ข้อผิดพลาดที่แก้ได้อย่างปลอดภัยจะถูกแก้ในไฟล์:
แก้ทุกไฟล์หรือไม่แก้เลย และไม่แก้สิ่งที่มากับโปรแกรม
แสดงสิ่งที่เปลี่ยนก่อน แล้วจึงแสดงสิ่งที่ยังเหลือ`,
		flags: map[string]string{
			"notes": "แสดงข้อสังเกตด้วย: สิ่งที่ควรรู้แต่ไม่ผิด",
			"fix":   "แก้สิ่งที่แก้ได้อย่างปลอดภัยในไฟล์",
		},
	},
	"momon conformance": {
		short: "ตรวจโปรแกรมอื่นด้วยกรณีของกติกา",
		long: `กรณีของกติกาเป็นชุดทดสอบที่ใช้ตรวจโปรแกรมในภาษาใดก็ได้
มีไฟล์ที่โปรแกรมใดก็อ่านได้ และโพรโทคอลสำหรับถาม
ความหมายทั้งหมดอยู่ใน docs/conformance.md`,
	},
	"momon conformance export": {
		short: "เขียนกรณีเป็น JSON สำหรับโปรแกรมในภาษาใดก็ได้",
		long: `เขียนกรณีของกติกาลงใน DIR (ถ้าไม่ระบุคือ conformance/suite)
เป็นดัชนีและไฟล์ละหนึ่งหมายเลขกฎ กติกาเดียวกันให้ไฟล์เหมือนกันทุกไบต์
ไฟล์ของชุดเก่าที่ไม่อยู่ในชุดแล้วจะถูกลบ ถ้าใช้ --check จะไม่เขียนสิ่งใด
สถานะจบโปรแกรม 1 หมายความว่าไฟล์ไม่ตรงกับกติกา`,
		flags: map[string]string{
			"check": "ไม่เปลี่ยนสิ่งใด บอกเฉพาะไฟล์ที่ไม่ตรง",
		},
	},
	"momon test": {
		short: "ทดสอบกรณีที่บอกว่ากติกาทำงานอย่างไร",
		long: `ทดสอบกรณี: เรื่องสั้น ๆ ในไฟล์กติกาที่บอกว่าต้องเกิดผลอย่างไร
ถ้าไม่ระบุ DIR จะใช้กรณีของกติกาที่มีผลอยู่ ถ้าระบุจะใช้กรณีใน DIR
กรณีที่ไม่ผ่านจะแสดงสิ่งที่ต่างไปและสิ่งที่เกิดขึ้น พร้อมกฎที่เป็นต้นเหตุ
สถานะจบโปรแกรม 1 หมายความว่ามีกรณีที่ไม่ผ่าน`,
		flags: map[string]string{
			"run":     "เฉพาะกรณีที่ ID ตรงกับนิพจน์ปรกติ `RE`",
			"covers":  "เฉพาะกรณีที่เกี่ยวกับข้อความซึ่งมีคีย์ `KEY` หรือกับหมายเลขกฎ",
			"verbose": "บอกชื่อทุกกรณี",
		},
	},
	"momon fmt": {
		short: "จัดรูปไฟล์กติกา",
		long: `จัดไฟล์ .momon ให้มีรูปเดียวกัน: ย่อหน้า ช่องว่าง บรรทัดว่าง และคอลัมน์
คำ ข้อความ หมายเหตุ และลำดับคงเดิม ความหมายของไฟล์จึงคงเดิมด้วย
แล้วพิมพ์ชื่อไฟล์ที่ถูกเปลี่ยน DIR หมายถึงโฟลเดอร์พร้อมโฟลเดอร์ย่อย
ยกเว้นลิงก์และโฟลเดอร์ที่ชื่อขึ้นต้นด้วย . หรือ _ ส่วนลิงก์ที่ระบุชื่อเองจะถูกติดตาม
- อ่านจากอินพุตมาตรฐานแล้วพิมพ์รูปที่จัดแล้ว fmt ที่ไม่มีอาร์กิวเมนต์
ก็ทำเช่นนั้นเมื่อมีข้อมูลส่งเข้ามา ถ้าไม่มีจะใช้โฟลเดอร์นี้

เมื่อใช้ --check หรือ --diff จะไม่เปลี่ยนไฟล์ใด ไฟล์ที่อ่านไม่ได้จะคงเดิม
และแสดงสิ่งที่ผิด เครื่องหมาย byte-order จะถูกลบ

สถานะจบโปรแกรม 1 หมายความว่ามีไฟล์ที่อ่านไม่ได้ หรือเมื่อใช้ --check
มีไฟล์ที่ยังไม่จัดรูป ส่วน 2 หมายความว่าอ่านหรือเขียนไม่ได้ และไม่มีสิ่งใดถูกเปลี่ยน`,
		flags: map[string]string{
			"check": "ไม่เปลี่ยนสิ่งใด แสดงรายชื่อไฟล์ที่ยังไม่จัดรูป",
			"diff":  "ไม่เปลี่ยนสิ่งใด แสดงสิ่งที่จะเปลี่ยน",
			"eol":   "จุดจบบรรทัด: `EOL` คือ lf, crlf หรือ keep ตามที่บรรทัดส่วนใหญ่ใช้",
		},
	},
	"momon new": {
		short: "สร้าง Keyword การ์ด กรณี หรือชุดกติกาฉบับแรก",
		long: `เขียนไฟล์กติกาที่โหลดได้ทันที พร้อมหมายเหตุอธิบายแต่ละบรรทัดและกรณีทดสอบ
กรณีแรกไม่ผ่าน และชื่อของกรณีบอกว่าต้องทำอะไร ถ้าไม่ระบุ KIND จะแสดงรายการ
สิ่งที่สร้างได้ กติกาของคุณเพิ่มได้อีก เป็นไฟล์กติกาในโฟลเดอร์ชื่อ skeletons
ส่วน pack คือโฟลเดอร์ของตัวเอง หมายเหตุใช้ภาษาของ --lang
ข้อความมีทุกภาษา ใช้ --text เพื่อให้ต่างจาก NAME ไม่เขียนทับสิ่งที่มีอยู่`,
		flags: map[string]string{
			"dir":  "โฟลเดอร์ `DIR` ที่จะเขียน ถ้าไม่มีจะสร้างให้",
			"text": "ชื่อที่ผู้เล่นอ่านในภาษาหนึ่ง ในรูป `LANG=NAME` (ใส่ซ้ำได้)",
		},
	},
	"momon watch": {
		short: "ตรวจกติกาและทดสอบกรณีทุกครั้งที่บันทึกไฟล์",
		long: `ตรวจกติกาและทดสอบกรณี แล้วทำอีกทุกครั้งที่ไฟล์กติกาใน DIR ถูกบันทึก เพิ่ม
เปลี่ยนชื่อ หรือลบ จากกรณีทั้งหมดรวมทั้งของกติกาเดิมที่ DIR ใช้ร่วม
จะทดสอบเฉพาะกรณีที่การเปลี่ยนแปลงไปถึงได้ และกรณีที่ไม่ผ่านครั้งก่อน
ถ้าไม่ระบุ DIR จะเฝ้าดูโฟลเดอร์ของ --rules และ --with หรือโฟลเดอร์นี้
กด Ctrl-C เพื่อจบ โดยมีสถานะจบโปรแกรม 0

ถ้าใช้ --once จะจบหลังครั้งแรก โดยมีสถานะ 1 ถ้าพบสิ่งใด
ถ้าใช้ --json จะแสดงครั้งละหนึ่งบรรทัด`,
		flags: map[string]string{
			"once": "จบหลังครั้งแรก",
			"poll": "ตรวจดูไฟล์ซ้ำเป็นระยะ ใช้เมื่อระบบไม่แจ้งการเปลี่ยนแปลง",
		},
	},
	"momon run": {
		short: "เล่นกรณีหรือเกมที่บันทึกไว้ทีละขั้น",
		long: `เล่นสิ่งที่อยู่ในไฟล์และแสดงแต่ละขั้นพร้อมผลที่เกิด: กรณีในไฟล์ .momon
หรือการตัดสินใจของเกมที่บันทึกไว้ตั้งแต่ต้น
เกมที่บันทึกภายใต้กติกาอื่นจะถูกปฏิเสธ ถ้าใช้ --replay
จะเล่นการตัดสินใจเดิมภายใต้กติกาปัจจุบัน และบอกข้อแรกที่ไม่ตรงกับกติกาแล้ว`,
		flags: map[string]string{
			"case":   "เฉพาะกรณีที่มี `ID` นี้",
			"view":   thaiView,
			"replay": "เล่นเกมที่บันทึกภายใต้กติกาอื่น ด้วยกติกาปัจจุบัน",
			"all":    "แสดงเหตุการณ์ย่อยด้วย",
		},
	},
	"momon explain": {
		short: "บอกเหตุผลว่าทำไมเป็นเช่นนั้น หรือทำไมไม่เป็น",
		long: `เล่นกรณีหรือเกมที่บันทึกไว้จนถึงช่วงหนึ่งแล้วตอบว่าเพราะเหตุใด
ถ้าระบุ Object และคุณลักษณะ: แสดงค่าทีละ Layer และทีละเอฟเฟกต์
พร้อมที่มา Timestamp สิ่งที่ต้องรอ และกฎ
ถ้าใช้ --refused: ทุกการปฏิเสธ พร้อมข้อห้ามที่มีผล
ถ้าใช้ --fired: ทุก Trigger พร้อมสิ่งที่รอ
ถ้าใช้ --event: รายการหนึ่งในบันทึก ตามหมายเลข
ถ้าไม่ระบุสิ่งใด: แสดงสิ่งที่ถามได้

ถ้าใช้ --why-not: เหตุผลที่บางอย่างไม่เป็นเช่นนั้น ต่อท้ายกรณีด้วย Object และสิ่งที่ไม่มี
(หัวข้อจังหวะที่ไม่ Trigger, "trigger" แทนความสามารถใดก็ได้, Keyword,
คุณลักษณะพร้อมค่า หรือเอฟเฟกต์ที่ไม่มีผลต่อมัน) หรือการกระทำพร้อมผู้เกี่ยวข้อง
ตามที่ข้อมูลกติกาเขียน สำหรับเกมที่บันทึกไว้ --why-not เดี่ยว ๆ
บอกสิ่งที่การตัดสินใจที่รออยู่ไม่ได้เสนอ

--size เลือกขนาดคำตอบ: ประโยคเดียวสำหรับผู้เล่น
ข้อความของกติกาที่ใช้พร้อมสิ่งที่แต่ละข้อทำ หรือทั้งหมด`,
		flags: map[string]string{
			"why-not": "เหตุที่บางอย่างไม่เป็นเช่นนั้น",
			"since":   "ใช้กับ --why-not: ดูเฉพาะสิ่งที่เกิดหลังกี่ขั้น หรือหลังกี่การตัดสินใจ",
			"size":    "ตอบมากน้อยเพียงใด: `SIZE` คือ sentence, statements หรือ full",
			"at":      "ช่วงที่ถามถึง: หลังกี่ขั้นของกรณี หรือหลังกี่การตัดสินใจของเกมที่บันทึกไว้",
			"refused": "เหตุที่การกระทำถูกปฏิเสธ",
			"fired":   "เหตุที่ Trigger ทำงาน",
			"event":   "เหตุที่เกิดรายการหมายเลข `NUMBER` ในบันทึก",
			"view":    thaiView,
			"replay":  thaiReplay,
		},
	},
	"momon rules": {
		short: "แสดงกฎตามหมายเลข ข้อมูลที่ทำตามกฎ และกรณีของกฎ",
		long: `แสดงรายการกฎตามหมายเลข พร้อมบทสรุปด้วยถ้อยคำของเราเอง
ถ้าระบุหมายเลข จะแสดงข้อความของกฎ: เป็นข้อความในกติกา การตีความ
หรือชั่วคราว ส่วนของข้อมูลกติกาที่ทำตามข้อนั้น
และกรณีที่ยืนยันหรือแสดงขอบเขตของข้อนั้น
คีย์ใช้ระบุข้อความเดียว ส่วนคำอื่นใช้ค้นหา`,
	},
	"momon cards": {
		short: "แสดงรายการการ์ดและสำรับ และดูการ์ดทีละใบ",
		long: `ถ้าไม่ระบุชื่อ จะแสดงรายการการ์ด ถ้าระบุชื่อการ์ดในภาษาใดก็ได้
หรือส่วนหนึ่งของชื่อ จะแสดงสิ่งที่พิมพ์บนการ์ด ข้อความ
และความสามารถตามข้อมูลกติกา`,
	},
	"momon cards list":  {short: "แสดงรายการการ์ดทั้งหมด หรือเฉพาะที่ตรงกับคำ"},
	"momon cards show":  {short: "ดูการ์ดหนึ่งใบ"},
	"momon cards decks": {short: "แสดงรายการสำรับพร้อมการ์ดในสำรับ"},
	"momon cards sheet": {
		short: "จัดการ์ดลงหน้ากระดาษสำหรับพิมพ์และตัด",
		long: `เขียนหน้าสำหรับพิมพ์: การ์ดขนาดโป๊กเกอร์ (63 x 88 มม.) เก้าใบต่อกระดาษ A4
พร้อมเครื่องหมายสำหรับตัด แต่ละใบมีสิ่งที่กติกากำหนดให้พิมพ์ ข้อความกติกา
และฉบับกับ Errata เป็นตัวพิมพ์เล็ก ถ้าไม่ระบุชื่อจะใช้การ์ดทั้งหมด
ชื่อสำรับหมายถึงการ์ดทุกใบในสำรับ ถ้าใช้ --lang จะใช้ภาษานั้น
ถ้าไม่ใช้ หรือใช้ --lang both จะใช้ทุกภาษาของกติกา ให้พิมพ์ที่ 100 %
โดยไม่มีขอบ HTML ใช้กับเบราว์เซอร์ SVG ใช้กับโปรแกรมวาดภาพ`,
		flags: map[string]string{
			"output": "ไฟล์ `FILE` ที่จะเขียน ถ้าไม่ระบุ หรือใช้ - จะเขียนไปยังเอาต์พุตมาตรฐาน",
			"format": "html หรือ svg ถ้าไม่ระบุจะดูจากท้ายชื่อ FILE หรือใช้ html",
		},
	},
	"momon keywords": {
		short: "แสดง Keyword ความหมาย และการ์ดที่มี Keyword นั้น",
		long: `แสดง Keyword และหัวข้อจังหวะของกติกา: ความหมายของแต่ละคำ กฎที่เป็นที่มา
การ์ดที่มีคำนั้น และตำแหน่งที่ประกาศ`,
	},
	"momon words": {
		short: "แสดงรายการชื่อที่กติกาประกาศ สำหรับใช้เขียนกติกา",
		long: `แสดงสิ่งที่ข้อความกติกากล่าวถึงได้: การกระทำพร้อมบทบาทและข้อมูลประกอบ
ขั้นตอน สิ่งที่ Object แต่ละชนิดมี ตาราง Token โซน หัวข้อจังหวะ
Keyword และรายการค่า ทั้งหมดอ่านจากกติกาที่มีผลอยู่
ถ้าระบุชื่อ จะแสดงเฉพาะสิ่งที่มีชื่อนั้น: ในชื่อเอง ในส่วนประกอบ
หรือในข้อความที่คนอ่าน`,
	},
	"momon lsp": {
		short: "Language server สำหรับโปรแกรมแก้ไข ผ่าน standard input และ output",
		long: `สื่อสารด้วย Language Server Protocol ผ่าน standard input และ output
โปรแกรมแก้ไขเป็นผู้เริ่มคำสั่งนี้ docs/editors.md บอกวิธีตั้งค่า
แต่ละโฟลเดอร์ที่เปิดอยู่จะถูกตรวจเหมือนคำสั่ง "momon check DIR"
คือวางบนกติกาที่มากับโปรแกรม หรือบนกติกาของ --rules และ --with
โฟลเดอร์ย่อยที่มีไฟล์ module.momon เป็นโมดูลของตัวเอง`,
		flags: map[string]string{"stdio": "สื่อสารผ่าน standard input และ output ซึ่งเป็นเช่นนั้นเสมอ"},
	},
	"momon version": {short: "แสดงรุ่นของโปรแกรมและของกติกา"},
	"momon help": {
		short: "วิธีใช้คำสั่ง หรือความหมายของรหัสที่ check แสดง",
		long: `แสดงวิธีใช้คำสั่ง หรือหน้าอธิบายรหัสของข้อความวินิจฉัย: ความหมาย สาเหตุ
และตัวอย่างที่ผิดกับที่แก้แล้ว`,
	},
	"momon bench": {short: "วัดความเร็วของ Layer การเล่นเกม และการโหลด"},
	"momon bench layers": {
		short: "คำนวณกระดานที่กำหนดซ้ำ ๆ โดยเปลี่ยนทีละอย่าง",
		long: `bench layers อ่านคำบรรยายงาน (Object เอฟเฟกต์ และการเปลี่ยนแปลง ในรูป JSON)
แปลงเป็นข้อความกติกา โหลดเหมือนกติกาทั่วไป ทำการเปลี่ยนแปลงทีละอย่าง
แล้วแสดงเวลาที่ใช้คำนวณใหม่หนึ่งครั้งเป็นนาโนวินาที: แบบคำนวณทั้งหมด
และแบบตามเฉพาะสิ่งที่การเปลี่ยนแปลงไปถึง`,
		flags: map[string]string{
			"work":       "คำบรรยายงาน เป็นไฟล์ JSON ชื่อ `FILE`",
			"dump":       "เขียนกระดานหลังการเปลี่ยนแปลงสุดท้ายลงใน `FILE`",
			"order":      "เวลาที่ตัดสินว่าอะไรขึ้นกับอะไร: stepwise (ทีละขั้น) หรือ static (ครั้งเดียว)",
			"modes":      "แบบที่จะวัด",
			"rules-text": "แสดงข้อความกติกาแล้วหยุด",
			"time":       "เวลาอย่างน้อยที่ใช้วัดแต่ละแบบ",
		},
	},
	"momon bench games": {
		short: "เล่นเกมแบบสุ่มจนจบหลาย ๆ เกม",
		flags: map[string]string{"games": "จำนวนเกม", "seed": "ค่า seed ของเกมแรก"},
	},
	"momon bench load": {
		short: "โหลดการ์ดที่สร้างจากค่า seed เทียบกับ JSON ที่เหมือนกัน",
		flags: map[string]string{
			"cards":  "จำนวนการ์ด",
			"shapes": "จำนวนรูปแบบของความสามารถ ใส่ 0 ให้ทุกใบต่างกัน",
			"runs":   "จำนวนครั้งที่โหลดแต่ละอย่าง",
			"seed":   "ค่า seed",
		},
	},
	"momon completion": {
		short: "สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ Shell ที่ระบุ",
		long: `สร้างสคริปต์เติมคำสั่ง momon อัตโนมัติสำหรับ Shell ที่ระบุ
ดูวิธีใช้สคริปต์ได้ใน --help ของคำสั่งย่อยแต่ละคำสั่ง`,
	},
	"momon completion bash": {
		short: "สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ bash",
		long: `สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ bash

สคริปต์นี้ต้องใช้แพ็กเกจ 'bash-completion'
ถ้ายังไม่มี ติดตั้งได้ด้วยตัวจัดการแพ็กเกจของระบบ

` + thaiNow + "source <(momon completion bash)" + thaiAlways + `#### Linux:

    momon completion bash > /etc/bash_completion.d/momon

#### macOS:

    momon completion bash > $(brew --prefix)/etc/bash_completion.d/momon` + thaiNewShell,
		flags: map[string]string{"no-descriptions": thaiNoDesc},
	},
	"momon completion zsh": {
		short: "สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ zsh",
		long: `สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ zsh

ถ้ายังไม่ได้เปิดใช้การเติมคำสั่งใน Shell ให้สั่งครั้งเดียว:

    print "autoload -U compinit; compinit" >> ~/.zshrc

` + thaiNow + "source <(momon completion zsh)" + thaiAlways + `#### Linux:

    momon completion zsh > "${fpath[1]}/_momon"

#### macOS:

    momon completion zsh > $(brew --prefix)/share/zsh/site-functions/_momon` + thaiNewShell,
		flags: map[string]string{"no-descriptions": thaiNoDesc},
	},
	"momon completion fish": {
		short: "สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ fish",
		long: `สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ fish

` + thaiNow + "momon completion fish | source" + thaiAlways +
			"    momon completion fish > ~/.config/fish/completions/momon.fish" + thaiNewShell,
		flags: map[string]string{"no-descriptions": thaiNoDesc},
	},
	"momon completion powershell": {
		short: "สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ powershell",
		long: `สร้างสคริปต์เติมคำสั่งอัตโนมัติสำหรับ powershell

` + thaiNow + `momon completion powershell | Out-String | Invoke-Expression

โหลดทุกครั้งที่เปิด Shell ใหม่ ให้นำผลของคำสั่งข้างต้น
ไปใส่ในโปรไฟล์ของ powershell`,
		flags: map[string]string{"no-descriptions": thaiNoDesc},
	},
}
