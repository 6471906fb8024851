package lsp

import "strings"

// word is one way to begin a line, or a word inside of one.
type word struct {
	name    string
	in      string // the blocks whose lines it begins, with blanks between; "" for none
	snippet string // what completion puts in, with places to fill; "" for the word alone
	en, th  string
}

// wordList are the words of the language itself. The names in them are
// placeholders; whatever names something of a game comes from its data.
var wordList = []word{
	{"keyword", "file", "keyword ${1:Name} en \"${1:Name}\" th \"${2:ชื่อ}\" {\n  $0\n}", "Rule text with a name, which cards can have.", "ข้อความกติกาที่มีชื่อ ซึ่งการ์ดมีได้"},
	{"card", "file", "card \"${1:Name}\" en \"${1:Name}\" th \"${2:ชื่อ}\" {\n  $0\n}", "A card: what is printed on it, and its rule text.", "การ์ด: สิ่งที่พิมพ์ไว้ และข้อความกติกา"},
	{"header", "file", "header \"${1:Name}\" en \"${1:Name}\" th \"${2:ชื่อ}\" {\n  when $0\n}", "A named moment that lines of rule text begin with.", "จังหวะที่มีชื่อ ซึ่งบรรทัดของข้อความกติกาขึ้นต้นด้วย"},
	{"errata", "file", "errata \"${1:Card}\" from \"${2:edition}\" {\n  $0\n}", "What a card says since an edition.", "สิ่งที่การ์ดระบุตั้งแต่ฉบับหนึ่ง"},
	{"token", "file", "token ${1:Name} on ${2:kind} en \"${1:Name}\" th \"${3:ชื่อ}\"", "Something that lies on another object.", "สิ่งที่วางบน Object อื่น"},
	{"action", "file", "action ${1:name} ${2:target}: ${3:kind} by ${4:source}: ${5:kind} en \"${6:text}\" th \"${7:ข้อความ}\" {\n  do: $0\n}", "A kind of happening, with its roles and what it does.", "เหตุการณ์ชนิดหนึ่ง พร้อมบทบาทและสิ่งที่ทำ"},
	{"step", "file", "step ${1:Name} of ${2:action} after ${3:Step} en \"${1:Name}\" th \"${4:ชื่อ}\" {\n  $0\n}", "A window inside of an action.", "ช่วงหนึ่งภายในการกระทำ"},
	{"characteristic", "file action token", "characteristic ${1:name} of ${2:kind}: ${3:number} = ${4:0}", "A value that objects have, worked out or printed; in an action an attribute of it.", "ค่าที่ Object มี ไม่ว่าคำนวณหรือพิมพ์ไว้ ในการกระทำคือข้อมูลประกอบ"},
	{"memory", "file token", "memory ${1:name} of ${2:kind}: ${3:number}", "A value that record writes, and that is kept.", "ค่าที่ record เขียนและเก็บไว้"},
	{"always", "file card keyword token given", "always on each ${1:kind} where ${2:condition}: $0", "A continuous effect that is there as long as what has it.", "เอฟเฟกต์ต่อเนื่องที่มีตราบเท่าที่สิ่งที่ให้ยังอยู่"},
	{"values", "file", "values ${1:Name} {\n  ${2:Value} en \"${2:Value}\" th \"${3:ชื่อ}\"\n}", "A list of names in their order.", "รายการชื่อตามลำดับ"},
	{"kind", "file", "kind ${1:Name} is ${2:kind} where ${3:condition}", "Objects that meet a condition.", "Object ที่ตรงเงื่อนไข"},
	{"zone", "file", "zone ${1:Name} of player en \"${1:Name}\" th \"${2:ชื่อ}\" { $0 }", "A place for cards: one, or one for each player.", "ที่วางการ์ด: ที่เดียว หรือของผู้เล่นแต่ละคน"},
	{"table", "file", "table ${1:name} (${2:a}: ${3:Values}): number = 0 {\n  $0\n}", "A number for each combination of names.", "ตัวเลขสำหรับชื่อแต่ละชุด"},
	{"layer", "file", "layer ${1:Name} after ${2:Layer} { takes $0 }", "A step in working out characteristics, with the operations that it takes.", "ขั้นหนึ่งในการคำนวณคุณลักษณะ และคำสั่งที่รับ"},
	{"order", "file", "order ${1:what} { $0 }", "The criteria by which things that come together are put in order.", "เกณฑ์เรียงลำดับสิ่งที่มาพร้อมกัน"},
	{"reading", "file", "reading \"${1:name}\" en \"${2:text}\" th \"${3:ข้อความ}\" rule ${4:number} {\n  $0\n}", "A choice between ways to read a rule.", "การเลือกวิธีอ่านกฎข้อหนึ่ง"},
	{"statement", "file", "statement ${1:number} \"${2:key}\" ${3|normative,interpretation,provisional|} en \"${4:text}\" th \"${5:ข้อความ}\"", "One thing that a numbered rule says.", "สิ่งหนึ่งที่กฎซึ่งมีหมายเลขระบุ"},
	{"summary", "file", "summary ${1:number} en \"${2:text}\" th \"${3:ข้อความ}\"", "What a numbered rule says, in own words.", "บทสรุปของกฎด้วยถ้อยคำของเราเอง"},
	{"phrase", "file", "phrase ${1:key} en \"${2:text}\" th \"${3:ข้อความ}\"", "A template for generated texts.", "แม่แบบของข้อความที่สร้างขึ้น"},
	{"view", "file", "view ${1:name} of ${2:kind} {\n  line en \"${3:text}\" th \"${4:ข้อความ}\"\n}", "What a table shows of a kind of object.", "สิ่งที่แสดงของ Object ชนิดหนึ่ง"},
	{"deck", "file", "deck \"${1:Name}\" en \"${1:Name}\" th \"${2:ชื่อ}\" {\n  card \"$0\"\n}", "Cards to play with.", "สำรับการ์ดสำหรับเล่น"},
	{"language", "file", "language 1", "The version of the rule language.", "รุ่นของภาษากติกา"},
	{"text", "file", "text ${1:xx} \"${2:name}\"", "A language in which texts are given.", "ภาษาที่มีข้อความ"},
	{"edition", "file", "edition \"${1:name}\" from \"${2:2026-01-01}\" en \"${3:text}\" th \"${4:ข้อความ}\"", "An edition of the rules and the day from which it holds.", "ฉบับของกติกาและวันที่เริ่มมีผล"},
	{"pack", "file", "pack \"${1:name}\" en \"${2:text}\" th \"${3:ข้อความ}\" {\n  version \"${4:1.0.0}\"\n}", "Makes the folder a pack that can be published: its name and version.", "ทำให้โฟลเดอร์เป็น Pack ที่เผยแพร่ได้: ชื่อและรุ่น"},
	{"provisional", "file", "provisional \"${1:section}\"", "Everything in the file stands in for a section that is not there yet.", "ทั้งไฟล์ใช้แทนหมวดที่ยังไม่มี"},
	{"override", "file", "", "Takes the place of a declaration of the same kind and name.", "แทนที่การประกาศชนิดและชื่อเดียวกัน"},
	{"extend", "file", "", "Adds lines to a declaration.", "เพิ่มบรรทัดให้การประกาศ"},
	{"case", "file", "case \"${1:name}\" en \"${2:text}\" th \"${3:ข้อความ}\" {\n  given ${4:A}: ${5:kind} of P1\n  $0\n}", "A test: what is there, what is done, what must be seen.", "กรณีทดสอบ: มีอะไร ทำอะไร และต้องเห็นอะไร"},

	{"says", "card keyword header action step", "says en \"${1:text}\" th \"${2:ข้อความ}\"", "What people read in place of the generated text.", "สิ่งที่คนอ่านแทนข้อความที่สร้างขึ้น"},
	{"when", "card keyword header effect given", "when ${1:action} where ${2:condition}: $0", "What is done whenever something happens.", "สิ่งที่ทำทุกครั้งที่เกิดเหตุการณ์"},
	{"granted", "keyword", "granted to ${1:m} {\n  $0\n}", "What happens as the keyword is granted.", "สิ่งที่เกิดเมื่อได้รับ Keyword"},

	{"only", "action step granted", "only if ${1:condition}", "Without this the action is impossible.", "ถ้าไม่จริง การกระทำจะทำไม่ได้"},
	{"needs", "action step", "needs ${1:action}", "It is only done if that other action is possible too.", "ทำได้ต่อเมื่อการกระทำนั้นทำได้ด้วย"},
	{"gathers", "action step", "gathers ${1:name} from ${2:action}", "Collects the records of actions inside.", "รวบรวมเหตุการณ์ที่เกิดข้างใน"},
	{"role", "action", "role ${1:name} en \"${2:text}\" th \"${3:ข้อความ}\"", "What people call a role.", "ชื่อที่คนใช้เรียกบทบาท"},
	{"do", "action step", "do {\n  $0\n}", "What the action does.", "สิ่งที่การกระทำทำ"},

	{"renews", "zone", "renews objects", "What enters or leaves becomes a new object.", "สิ่งที่เข้าหรือออกกลายเป็น Object ใหม่"},
	{"abilities", "zone", "abilities work", "Abilities that name no zone work here.", "ความสามารถที่ไม่ระบุโซนทำงานที่นี่"},
	{"pile", "zone", "pile", "It has an order, a top and a bottom.", "มีลำดับ บนสุด และล่างสุด"},
	{"hidden", "zone", "hidden from ${1|opponent,everyone|}", "Who can't see what lies there.", "ผู้ที่มองไม่เห็นสิ่งที่วางอยู่"},
	{"grid", "zone", "grid ${1:3} by ${2:3}", "It has cells.", "มีช่อง"},
	{"takes", "layer", "takes ${1:operations}", "The operations that are applied in this layer.", "คำสั่งที่ใช้ใน Layer นี้"},
	{"ends", "layer", "ends with floors", "Floors and ceilings are applied at its end.", "ใช้ค่าขั้นต่ำและขั้นสูงเมื่อจบ"},
	{"floors", "layer", "floors each", "Floors are applied after each operation.", "ใช้ค่าขั้นต่ำหลังทุกคำสั่ง"},
	{"timestamp", "layer", "timestamp newest", "The newest effect is applied first.", "ใช้เอฟเฟกต์ใหม่สุดก่อน"},
	{"line", "view", "line en \"${1:text}\" th \"${2:ข้อความ}\"", "One line of the view.", "หนึ่งบรรทัดที่แสดง"},
	{"by", "statement", "by \"${1:what}\"", "What carries the statement out where no clause can.", "สิ่งที่ทำตามข้อความเมื่อไม่มีบรรทัดใดทำได้"},
	{"other", "reading", "other ${1:value}", "Another way to read the rule.", "อีกวิธีหนึ่งในการอ่านกฎ"},

	{"record", "body", "record ${1:name} = ${2:value}", "Fixes a value for good, or writes a memory.", "จดค่าไว้ หรือเขียนลงความจำ"},
	{"choose", "body", "choose ${1:m} from each ${2:kind} where ${3:condition}", "A player picks; an empty list ends the block.", "ผู้เล่นเลือก ถ้าไม่มีให้เลือกก็จบบล็อก"},
	{"may", "body", "may {\n  $0\n}", "A player can do it or not.", "ผู้เล่นจะทำหรือไม่ก็ได้"},
	{"either", "body", "either {\n  option en \"${1:text}\" th \"${2:ข้อความ}\": ${3:first}\n  option en \"${4:text}\" th \"${5:ข้อความ}\": $0\n}", "A player picks one of several.", "ผู้เล่นเลือกหนึ่งในหลายอย่าง"},
	{"option", "either", "option en \"${1:text}\" th \"${2:ข้อความ}\": $0", "One of the choices.", "ตัวเลือกหนึ่ง"},
	{"if", "body", "if ${1:condition} {\n  $0\n}", "Only where the condition holds.", "เฉพาะเมื่อเงื่อนไขจริง"},
	{"for", "body", "for ${1:m} in each ${2:kind} where ${3:condition} {\n  $0\n}", "For each of a list, one after another.", "สำหรับแต่ละสิ่งในรายการ ทีละอย่าง"},
	{"repeat", "body", "repeat ${1:2}: $0", "Several times, or until a condition holds.", "หลายครั้ง หรือจนกว่าเงื่อนไขจริง"},
	{"together", "body case", "together {\n  $0\n}", "All judged in one state, then all carried out.", "ตัดสินในสถานะเดียวกัน แล้วทำทั้งหมดพร้อมกัน"},
	{"effect", "body", "effect on ${1:self} until ${2:end of turn}: $0", "Makes a continuous effect.", "สร้างเอฟเฟกต์ต่อเนื่อง"},
	{"later", "body", "later when ${1:action}: $0", "Once, when something happens later.", "หนึ่งครั้ง เมื่อเกิดเหตุการณ์ภายหลัง"},
	{"proceed", "body", "proceed", "In what replaces an action: it goes on all the same.", "ในสิ่งที่แทนการกระทำ: ให้ทำต่อไป"},

	{"raise", "effect", "raise ${1:characteristic} by ${2:1}", "Makes a number larger.", "เพิ่มตัวเลข"},
	{"lower", "effect", "lower ${1:characteristic} by ${2:1}", "Makes a number smaller.", "ลดตัวเลข"},
	{"set", "effect", "set ${1:characteristic} to ${2:value}", "Gives a value.", "กำหนดค่า"},
	{"add", "effect", "add ${1:characteristic} ${2:value}", "Adds a name to a set, or an ability.", "เพิ่มชื่อในชุด หรือความสามารถ"},
	{"remove", "effect", "remove ${1:characteristic} ${2:value}", "Takes a name out of a set, or an ability away.", "นำชื่อออกจากชุด หรือลบความสามารถ"},
	{"strip", "effect", "strip ${1:characteristic}", "Takes everything away.", "ลบทั้งหมด"},
	{"lock", "effect", "lock ${1:characteristic}", "What comes after it changes nothing.", "สิ่งที่มาทีหลังเปลี่ยนไม่ได้"},
	{"copy", "effect", "copy ${1:card}", "Takes the values of another card.", "ใช้ค่าของการ์ดอื่น"},
	{"prohibit", "effect", "prohibit ${1:action} where ${2:condition}", "The action can't be done.", "ห้ามทำการกระทำ"},
	{"permit", "effect", "permit ${1:action} where ${2:condition}", "It can be done although a condition of it fails.", "อนุญาตแม้เงื่อนไขไม่ครบ"},
	{"require", "effect", "require ${1:action} where ${2:condition}", "Whoever can do it must.", "ผู้ที่ทำได้ต้องทำ"},
	{"instead", "effect", "instead of ${1:action} where ${2:condition}: $0", "Done in place of an action.", "ทำแทนการกระทำ"},
	{"until", "effect", "until ${1:end of turn}", "When the effect ends.", "เวลาที่เอฟเฟกต์จบ"},
	{"while", "effect", "while ${1:condition}", "The effect does something only as long as this holds.", "เอฟเฟกต์มีผลเฉพาะขณะเงื่อนไขจริง"},
	{"finally", "effect", "finally: $0", "What is done as the effect ends.", "สิ่งที่ทำเมื่อเอฟเฟกต์จบ"},

	{"given", "case", "given ${1:A}: ${2:kind} of P1", "An object that is there at first.", "Object ที่มีตั้งแต่แรก"},
	{"during", "case", "during ${1:turn} of P1 {\n  $0\n}", "Inside of a window.", "ภายในช่วงเวลา"},
	{"as", "case body", "as ${1:P1}: $0", "As by an ability of an object or a player.", "ทำในฐานะความสามารถของ Object หรือผู้เล่น"},
	{"expect", "case", "expect ${1:condition}", "What must hold now.", "สิ่งที่ต้องจริงตอนนี้"},
	{"refused", "case", "refused ${1:action} by ${2|prohibit,require,impossible|}", "What must have been refused.", "สิ่งที่ต้องถูกปฏิเสธ"},
	{"happened", "case", "happened ${1:action}", "What must have happened.", "สิ่งที่ต้องเกิดขึ้น"},
	{"never", "case", "never ${1:action}", "What must not have happened.", "สิ่งที่ต้องไม่เกิดขึ้น"},
	{"asked", "case", "asked ${1:decision} by P1", "A decision that must have been asked for.", "การตัดสินใจที่ต้องมีการถาม"},
	{"answer", "case", "answer ${1:decision} with ${2:choice}", "What a player decides.", "สิ่งที่ผู้เล่นตัดสินใจ"},
	{"legal", "case", "legal ${1:action}", "What must be possible now.", "สิ่งที่ต้องทำได้ตอนนี้"},
	{"illegal", "case", "illegal ${1:action}", "What must not be possible now.", "สิ่งที่ต้องทำไม่ได้ตอนนี้"},
	{"repair", "case", "repair: $0", "With this the line before would be possible.", "เมื่อทำสิ่งนี้ บรรทัดก่อนจะทำได้"},
	{"confirms", "case", "confirms ${1:number} \"${2:key}\"", "The statement that the case confirms.", "ข้อความที่กรณีนี้ยืนยัน"},
	{"refutes", "case", "refutes ${1:number} \"${2:key}\"", "The statement whose limit the case shows.", "ข้อความที่กรณีนี้แสดงขอบเขต"},

	{"where", "", "", "Which of them; bare words behind it belong to what is looked at.", "สิ่งใดบ้าง คำที่ตามหลังเป็นของสิ่งที่กำลังดู"},
	{"each", "", "", "Every object of a kind, looked at again in every state.", "Object ทุกชิ้นของชนิดนั้น ดูใหม่ทุกสถานะ"},
	{"rule", "", "", "The rules that the line carries out.", "กฎที่บรรทัดนี้ทำตาม"},
	{"self", "", "", "What the text stands on.", "สิ่งที่มีข้อความนี้"},
	{"you", "", "", "The controller of what the text stands on.", "ผู้ควบคุมสิ่งที่มีข้อความนี้"},
	{"it", "", "", "The one that where looks at.", "สิ่งที่ where กำลังดู"},
	{"event", "", "", "The action that is looked at.", "การกระทำที่กำลังดู"},
	{"hits", "", "", "Those that passed among.", "สิ่งที่ผ่าน among"},
	{"game", "", "", "The game itself.", "เกม"},
	{"nothing", "", "", "No object; every member of it has an empty value.", "ไม่มี Object ทุกค่าของมันว่าง"},
	{"once", "", "once per ${1:turn}", "At most one time in each.", "ไม่เกินหนึ่งครั้งในแต่ละช่วง"},
	{"limit", "", "limit ${1:2} per ${2:turn}", "At most so many times in each.", "ไม่เกินจำนวนครั้งในแต่ละช่วง"},
	{"among", "", "", "Looks at the happenings inside of the moment.", "ดูเหตุการณ์ภายในจังหวะนั้น"},
	{"floor", "", "", "The least that a number can be.", "ค่าต่ำสุดของตัวเลข"},
	{"ceiling", "", "", "The most that a number can be.", "ค่าสูงสุดของตัวเลข"},
	{"printed", "", "", "Cards state it.", "การ์ดระบุไว้"},
	{"several", "", "", "Any number of them.", "กี่สิ่งก็ได้"},
	{"within", "", "", "A role that is filled from around.", "บทบาทที่ได้จากสิ่งที่อยู่รอบ"},
}

type wordDoc struct {
	form string
	text [2]string
}

var wordDocs = func() map[string]wordDoc {
	out := map[string]wordDoc{}
	for _, w := range wordList {
		if _, twice := out[w.name]; !twice {
			out[w.name] = wordDoc{plain(w), [2]string{w.en, w.th}}
		}
	}
	return out
}()

// plain is a snippet as people read it: its places filled with what stands in them.
func plain(w word) string {
	if w.snippet == "" {
		return w.name
	}
	var b strings.Builder
	depth := 0
	s := w.snippet
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '$' && i+1 < len(s) && s[i+1] == '{':
			depth++
			i++
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
			i++ // the colon or bar behind the number
		case s[i] == '$':
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
			b.WriteString("…")
		case s[i] == '}' && depth > 0:
			depth--
		case s[i] == '|' && depth > 0:
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// orders and switches that lines of these declarations name.
var (
	orderWords = []string{"dependency", "timestamp", "turn_player", "other_player", "choice", "prohibit", "require", "permit", "arrival", "newest"}
	typeWords  = []string{"number", "flag", "text", "keyword", "header", "object"}
	valueWords = []string{"self", "you", "it", "event", "hits", "game", "nothing"}
)
