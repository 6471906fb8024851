// Package thai breaks lines of Thai. Thai sets no blanks between words, so a line
// may end inside a run of letters, but not inside a word. Nothing at hand knows
// all Thai words under a licence that fits; the frequent ones of rules, cards and
// messages, below, find most places, and where a stretch has none of them a
// syllable begins at a vowel that is written before its consonant.
package thai

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Pieces cuts a text without blanks into parts that may stand on lines of their
// own. One without Thai letters has them behind hyphens and strokes alone.
func Pieces(s string) []string {
	if !strings.ContainsFunc(s, Is) {
		return strings.FieldsFunc(strings.NewReplacer("-", "-\x00", "/", "/\x00").Replace(s), func(r rune) bool { return r == 0 })
	}
	letters := []rune(s)
	var out []string
	var loose []rune // what no known word has claimed yet
	flush := func() {
		if len(loose) > 0 {
			out = append(out, string(loose))
			loose = nil
		}
	}
	for i := 0; i < len(letters); {
		least := 2
		if len(loose) > 0 && Is(loose[len(loose)-1]) {
			least = 3 // two letters in the middle of the unknown are most often a part of it
		}
		if n := thaiWord(letters[i:], least); n > 0 && mayBegin(loose, letters[i]) {
			flush()
			out = append(out, string(letters[i:i+n]))
			i += n
			continue
		}
		if len(loose) > 0 && Is(letters[i]) != Is(loose[len(loose)-1]) && mayBegin(loose, letters[i]) && !holdsOn(letters[i], loose[len(loose)-1]) {
			flush()
		}
		loose = append(loose, letters[i])
		i++
	}
	flush()
	return closed(out)
}

// holdsOn reports whether two neighbours stay together though one is no Thai
// letter: a mark of punctuation and what it stands at.
func holdsOn(r, before rune) bool {
	return unicode.IsPunct(r) || unicode.IsPunct(before) || unicode.IsSymbol(r) || unicode.IsSymbol(before)
}

// closed joins parts that are punctuation alone to the part they belong to.
func closed(list []string) []string {
	var out []string
	for _, s := range list {
		first, last := []rune(s)[0], rune(0)
		if len(out) > 0 {
			r := []rune(out[len(out)-1])
			last = r[len(r)-1]
		}
		opens := unicode.In(last, unicode.Ps, unicode.Pi) || last == '"' && strings.Count(out[len(out)-1], `"`)%2 == 1
		if len(out) > 0 && (opens || unicode.In(first, unicode.Pe, unicode.Pf, unicode.Po)) {
			out[len(out)-1] += s
			continue
		}
		out = append(out, s)
	}
	return out
}

// Is reports whether a letter or mark is Thai.
func Is(r rune) bool { return r >= 0x0e01 && r <= 0x0e5b }

// Follows reports whether a letter can't begin a word: it belongs to the one before.
func Follows(r rune) bool {
	return unicode.Is(unicode.Mn, r) || strings.ContainsRune("ะาำๅๆฯ", r)
}

// Leads reports whether a letter is a vowel written before its consonant.
func Leads(r rune) bool { return r >= 'เ' && r <= 'ไ' }

func mayBegin(before []rune, r rune) bool {
	return !Follows(r) && (len(before) == 0 || !Leads(before[len(before)-1]))
}

// thaiWord is the length of the longest known word that a text begins with.
func thaiWord(s []rune, least int) int {
	for n := min(len(s), longestThai); n >= least; n-- {
		if frequentThai[string(s[:n])] && (n == len(s) || !Follows(s[n]) && !closes(s[n:])) {
			return n
		}
	}
	return 0
}

// closes reports whether a consonant only ends the syllable before it, because it
// is silent.
func closes(s []rune) bool { return len(s) > 1 && s[1] == '์' }

// Cut cuts what fits on no line: before a vowel that begins a syllable, else
// before a letter that does not belong to the one before.
func Cut(s string, w int, width func(string) int) []string {
	var out []string
	line, n, split := "", 0, 0 // split: bytes of line up to the last good place
	for g := uniseg.NewGraphemes(s); g.Next(); {
		c := g.Str()
		if cw := width(c); n > 0 && n+cw > w && !Follows(g.Runes()[0]) {
			rest := ""
			if split > 0 {
				line, rest = line[:split], line[split:]
			}
			out = append(out, line)
			line, split = rest, 0
			n = width(rest)
		}
		if r := g.Runes()[0]; line != "" && Leads(r) {
			split = len(line)
		}
		line += c
		n += width(c)
	}
	return append(out, line)
}

var longestThai = func() int {
	n := 0
	for w := range frequentThai {
		n = max(n, len([]rune(w)))
	}
	return n
}()

var frequentThai = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
กฎ กติกา กด กระดาน กระทำ กรณี กลาง กลุ่ม กลับ กว่า กว้าง กว่าจะ กอง กองทิ้ง ก่อน กัน กับ การ การกระทำ การ์ด
การตัดสินใจ การตีความ กำแพง กำลัง กำหนด เก็บ เก่า เกม เกิด เกิน เกี่ยวกับ แก้ แก้ไข ใกล้ ไกล ขอ ของ ข้อ ข้อความ
ข้อผิดพลาด ข้อมูล ข้อสังเกต ข้อห้าม ข้าง ข้างเคียง ขั้น ขั้นตอน ขั้นต่ำ ขั้นสูง ขาด ขึ้น เข้า เขียน แข่ง คง คน คน
ครบ ครั้ง ครั้งแรก คราว ความ ความสามารถ ความหมาย ควบคุม ควร ค่า คำ คำตอบ คำเตือน คำถาม คำสั่ง คำอธิบาย คิด คืน คือ คุณ คุณลักษณะ
คุณสมบัติ คู่แข่ง เครื่องหมาย เคย แคบ โครง งาน ง่าย จน จบ จบเกม จบเทิร์น จริง จะ จัด จาก จาน จำนวน จำ จึง จุด จังหวะ
เจ้าของ แจ้ง ใจ ฉบับ ช่วง ช่วย ช่อง ช่องว่าง ชนะ ชนิด ชั้น ชิ้น ชี้ ชื่อ ใช้ ใช้ได้ ซ้ำ ซ้าย ซึ่ง ซ้อน เซต ด้วย ดัง
ดังนี้ ด้าน ดู ดังนั้น เด็ค เดียว เดียวกัน เดิม โดย ได้ ได้รับ ต้น ตรง ตลอด ต่อ ต่อไป ต้อง ต้องการ ตอบ ตอน ตัด ตัดสินใจ ตัว ตัวเลข
ตัวเลือก ตัวอักษร ตัวอย่าง ตั้งแต่ ตาม ตำแหน่ง ตารางต่าง ตาราง ต่าง ต่างกัน ต่ำ ติด ตีความ ใต้ เต็ม เติม แต้ม แต่ แต่ละ โต๊ะ ถ้า ถ้อยคำ
ถึง ถูก ถือว่า ทดสอบ ทราบ ทั้ง ทั้งหมด ทับ ทาง ทำ ทำให้ ทำงาน ทิ้ง ทิศ ทิศทาง ที ที่ ทีละ ทุก ทุกคน เท่า เท่ากับ เท่านั้น เทิร์น เทียบ
แทน แทรก โทษ นอก นอกจาก นับ น้อย นั้น นำ นาน นี้ นิพจน์ เนื่องจาก เนื้อหา ใน ในเกม บท บทบาท บทสรุป บน บรรทัด บล็อก บวก บอก บันทึก บาง
แบบ ใบ ปกติ ประกาศ ประกอบ ประเภท ปรับ ปล่อย ปลอดภัย ปัจจุบัน ปิด ปุ่ม เป็น เป้าหมาย เปล่า เปลี่ยน เปลี่ยนแปลง เปิด เปิดเผย โปรด โปรแกรม ไป ผล ผ่าน ผิด
ผู้ ผู้เล่น ผู้ควบคุม เผย แผ่น แผ่นการ์ด ฝ่าย พบ พร้อม พร้อมกัน พลาด พลัง พอ พัก พิมพ์ เพราะ เพราะว่า เพียง เพิ่ม เพื่อ เพื่อให้ แพ้ ฟิลด์ ไฟล์ ภาย ภายใต้ ภายใน ภาษา
ม่าน มาก มากกว่า มา มิฉะนั้น มี มีผล มือ มุม มุมมอง เมื่อ แม้ ไม่ ไม่ได้ ไม่ใช่ ไม่มี ยก ยกเว้น ยัง ย่อย ย่อหน้า ย้อน ยาว ยืนยัน แยก ย้าย รวม
รหัส ระบุ ระหว่าง รัน ราย รายการ รายชื่อ รับ รุ่น รู้ รูป รูปแบบ เริ่ม เรียก เรียงลำดับ เรื่อง เร็ว แรก โรงเรียน ละ ลง ลด ลบ ลอง ล่าสุด ลำดับ ลึก
ล้มเหลว เล่น เล่ม เลข เลือก แล้ว และ โลก วง วงเล็บ วัด วัน วันที่ วาง ว่า ว่าง วิธี วิธีใช้ วิธีแก้ เวลา เว้น สถานะ ส่วน ส่วนหนึ่ง สั่ง สั้น สาม สามารถ สาเหตุ สิ่ง
สิ้นสุด สร้าง สรุป สลับ สอง สุด สุดท้าย สุ่ม สี สูง สำรับ สำหรับ เส้น เสมอ เสร็จ แสดง ใส่ หน้า หน้าจอ หนึ่ง หมด หมาย หมายความว่า หมายถึง หมายเลข หมายเหตุ หยุด หรือ
หลัก หลัง หลาย ห้าม หา หาก หาย หายไป หัวข้อ ให้ ให้ได้ ใหม่ ใหญ่ เหตุ เหตุการณ์ เหตุผล เหนือ เหมือน เหลือ แห่ง โหมด โหลด ไหน อนุญาต อย่า อย่าง อยู่ ออก อ่าน
อาจ อายุ อะไร อิง อีก อีกครั้ง อื่น เอง เอฟเฟกต์ โอกาส ไว้ ไว ประโยค ออฟ ธาตุ ปฏิเสธ นำออก สังเกต เก่าที่สุด ที่สุด คะแนน ผลลัพธ์ เทอร์มินัล โฟลเดอร์ วินาที คอลัมน์
`) {
		m[w] = true
	}
	return m
}()

// Over reports whether a mark stands above or below a letter and takes no room
// of its own.
func Over(r rune) bool { return unicode.Is(unicode.Mn, r) }
