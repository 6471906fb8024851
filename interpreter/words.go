package interpreter

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/momon-rules/momon/grammar/joined"
	"github.com/momon-rules/momon/grammar/source"
	"github.com/momon-rules/momon/interpreter/internal/program"
	"github.com/momon-rules/momon/interpreter/internal/run"
	"github.com/momon-rules/momon/interpreter/internal/state"
)

// Ref names a numbered rule and, maybe, one statement of what it means:
// 13.2.4 "ward.regrant".
type Ref struct {
	Rule string `json:"rule"`
	Key  string `json:"key,omitempty"`
}

// String returns the rule number, and the key behind it where there is one.
func (r Ref) String() string {
	if r.Key == "" {
		return r.Rule
	}
	return r.Rule + " " + r.Key
}

// Place is a place in a rule file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// String returns file:line, or "" for no place.
func (p Place) String() string {
	if p.File == "" {
		return ""
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}

// PlaceOf is the place of a diagnostic's span.
func PlaceOf(s source.Span) Place { return placeOf(s) }

func placeOf(s source.Span) Place {
	if s.File == nil {
		return Place{}
	}
	return Place{s.File.Name, s.File.Line(s.Start)}
}

func refs(cites ...program.Cite) []Ref {
	var out []Ref
	for _, c := range cites {
		for _, r := range c.Refs {
			ref := Ref{r.Rule, r.Key}
			known := false
			for _, o := range out {
				known = known || o == ref
			}
			if !known {
				out = append(out, ref)
			}
		}
	}
	return out
}

// RuleNumbers returns the rule numbers of refs, each once, in order.
func RuleNumbers(list []Ref) []string {
	var out []string
next:
	for _, r := range list {
		for _, o := range out {
			if o == r.Rule {
				continue next
			}
		}
		out = append(out, r.Rule)
	}
	return out
}

// Language is a language that the data has texts in.
type Language struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Languages lists the languages of the data, in the order in which it declares
// them. The first is the one that missing texts fall back to.
func (p *Program) Languages() []Language {
	var out []Language
	for _, l := range p.p.Languages {
		out = append(out, Language{l.Lang, l.Value})
	}
	return out
}

// text picks the text of a language; a missing one falls back to the first
// language of the data, then to whatever there is.
func (p *Program) text(texts []program.Text, lang, fallback string) string {
	for _, t := range texts {
		if t.Lang == lang {
			return t.Value
		}
	}
	if len(p.p.Languages) > 0 {
		for _, t := range texts {
			if t.Lang == p.p.Languages[0].Lang {
				return t.Value
			}
		}
	}
	if len(texts) > 0 {
		return texts[0].Value
	}
	return fallback
}

func (p *Program) textOf(d *program.Decl, lang string) string { return p.text(d.Texts, lang, d.Name) }

// fill replaces {name} in a template by what value says; a name that it does
// not know stays as it is.
func fill(template string, value func(name string) (string, bool)) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(template, '{')
		if i < 0 {
			break
		}
		j := strings.IndexByte(template[i:], '}')
		if j < 0 {
			break
		}
		b.WriteString(template[:i])
		name := template[i+1 : i+j]
		if v, ok := value(name); ok {
			b.WriteString(v)
		} else {
			b.WriteString(template[i : i+j+1])
		}
		template = template[i+j+1:]
	}
	return b.String() + template
}

// fillIn is fill for a sentence: values are joined with the words around them as
// their script wants it.
func fillIn(template string, value func(name string) (string, bool)) string {
	return joined.Smooth(fill(template, func(name string) (string, bool) {
		v, ok := value(name)
		return joined.Mark + v + joined.Mark, ok
	}))
}

// say returns one of the few sentences that the interpreter itself has to say.
// They are about engine matters; whatever names something of a game comes from
// its data. A language that they have not been translated to is English.
func say(lang, key string, args ...any) string {
	s := sentences[key]
	f := s[0]
	if lang == "th" {
		f = s[1]
	}
	switch {
	case len(args) == 0:
		return f
	case lang == "th":
		return joined.Format(f, args...)
	}
	return fmt.Sprintf(f, args...)
}

var sentences = map[string][2]string{
	"yes":            {"yes", "ใช่"},
	"no":             {"no", "ไม่"},
	"nothing":        {"nothing", "ไม่มี"},
	"a-card":         {"a hidden card", "การ์ดที่ปิดอยู่"},
	"card":           {"card", "การ์ด"},
	"token":          {"token", "Token"},
	"player":         {"player", "ผู้เล่น"},
	"place":          {"place", "ตำแหน่ง"},
	"game":           {"the game", "เกม"},
	"rules":          {"the rules", "กติกา"},
	"refused":        {"Not possible: %s (%s)", "ทำไม่ได้: %s (%s)"},
	"prohibited":     {"prohibited by %s", "ห้ามโดย %s"},
	"required":       {"something else is required", "ต้องทำอย่างอื่นก่อน"},
	"needs":          {"it needs: %s", "ต้องเป็นจริง: %s"},
	"needs-deed":     {"it needs this: %s (%s)", "ต้องทำสิ่งนี้ได้: %s (%s)"},
	"gone":           {"what it is about is gone or is not of the right kind", "สิ่งที่กล่าวถึงไม่อยู่แล้วหรือไม่ใช่ชนิดที่ถูกต้อง"},
	"former":         {"%s is another object by now; this is about the one before", "%s เป็น Object ใหม่แล้ว แต่สิ่งนี้กล่าวถึงตัวก่อนหน้า"},
	"former-at":      {"%s is another object since entry %d of the log; this is about the one before", "%s เป็น Object ใหม่ตั้งแต่รายการ %d ของบันทึก แต่สิ่งนี้กล่าวถึงตัวก่อนหน้า"},
	"taken":          {"%s is taken by %s", "%s มี %s อยู่แล้ว"},
	"not-any-more":   {"it no longer fits what it was chosen by", "ไม่ตรงตามเงื่อนไขที่เลือกไว้แล้ว"},
	"resolves":       {"%s: %s resolves", "%s: %s เริ่มทำงาน"},
	"begins":         {"An effect begins: %s", "เอฟเฟกต์เริ่ม: %s"},
	"ends":           {"An effect ends: %s", "เอฟเฟกต์สิ้นสุด: %s"},
	"chooses":        {"%s chooses: %s", "%s เลือก: %s"},
	"chance":         {"By chance: %s", "สุ่มได้: %s"},
	"chooses-hidden": {"%s makes a choice", "%s เลือกแล้ว"},
	"orders":         {"%s orders: %s", "%s จัดลำดับ: %s"},
	"no-choice":      {"There is nothing to choose", "ไม่มีสิ่งที่เลือกได้"},
	"replaces":       {"%s replaces: %s", "%s แทนที่: %s"},
	"concedes":       {"%s concedes", "%s ยอมแพ้"},
	"agree":          {"The players agree on a draw", "ผู้เล่นตกลงเสมอกัน"},
	"undone":         {"Decisions taken back: %d; the choices are made again, chance is not", "ย้อนการตัดสินใจ %d ครั้ง เลือกใหม่ได้ แต่ไม่สุ่มใหม่"},
	"undone-seen":    {"Decisions taken back past what had been seen or come by chance: %d; chance is not rolled anew", "ย้อนการตัดสินใจ %d ครั้ง ผ่านสิ่งที่เปิดเผยหรือสุ่มแล้ว โดยไม่สุ่มใหม่"},
	"choose":         {"choose %s", "เลือก%s"},
	"choose-some":    {"choose %s: %s", "เลือก%s จำนวน %s"},
	"choose-for":     {"choose what to do this with: %s", "เลือกเพื่อ: %s"},
	"may":            {"use it?", "จะใช้หรือไม่"},
	"may-do":         {"%s?", "%s หรือไม่"},
	"either":         {"choose one", "เลือก 1 อย่าง"},
	"order":          {"put these in order, first one first", "จัดลำดับ ตัวแรกก่อน"},
	"replace":        {"choose what replaces: %s", "เลือกสิ่งที่จะแทนที่: %s"},
	"part":           {"%s: %s", "%s: %s"},
	"at":             {"%s (%s)", "%s (%s)"},
	"option":         {"option %d", "ตัวเลือก %d"},
	"effect-gone":    {"an effect that is no more", "เอฟเฟกต์ที่ไม่มีแล้ว"},
	"hidden-cards":   {"%d hidden cards", "การ์ดที่ปิดอยู่ %d ใบ"},

	// Answers in a sentence, and why something is not so.
	"on":                    {"%s on %s", "%s บน %s"},
	"or":                    {" or ", " หรือ"},
	"of":                    {"%[1]s of %[2]s", "%[1]s ของ %[2]s"},
	"tally-of":              {"number of %s on %s", "จำนวน %s บน %s"},
	"whose":                 {"%[2]s of %[1]s", "%[2]s ของ %[1]s"},
	"its-own":               {"its own %s", "%s ของตัวเอง"},
	"its-ability":           {"its own ability", "ความสามารถของตัวเอง"},
	"has-value":             {"%s has %s %s", "%s มี %s %s"},
	"as-printed":            {"%s, as printed; nothing changes it", "%s_ตามที่พิมพ์ ไม่มีสิ่งใดเปลี่ยน"},
	"printed":               {"printed %s", "พิมพ์ไว้_%s"},
	"first":                 {"at first %s", "เริ่มที่ %s"},
	"worked-out-from":       {"worked out from %s", "คำนวณจาก %s"},
	"worked-out":            {"worked out as %s", "คำนวณเป็น %s"},
	"changed-by":            {"%s from %s", "%s จาก %s"},
	"set-by":                {"set to %s by %s", "ถูกกำหนดเป็น %s_โดย %s"},
	"add-by":                {"%s added by %s", "เพิ่ม %s_โดย %s"},
	"add-all":               {"added to by %s", "เพิ่มแล้วโดย %s"},
	"remove-by":             {"%s taken away by %s", "นำ %s ออกโดย %s"},
	"remove-all":            {"taken from by %s", "นำออกโดย %s"},
	"strip-by":              {"%s taken away by %s", "นำ %s ออกโดย %s"},
	"strip-all":             {"all taken away by %s", "นำออกทั้งหมดโดย %s"},
	"lock-by":               {"%s locked by %s", "ล็อก %s_โดย %s"},
	"lock-all":              {"locked by %s", "ล็อกโดย %s"},
	"copied-by":             {"%s copied by %s", "คัดลอกเป็น %s_โดย %s"},
	"bounded":               {"then %s becomes %s, its bound", "แล้ว %s กลายเป็น %s ตามขอบเขต"},
	"did-value":             {"says what %s is", "กำหนดว่า %s คืออะไร"},
	"did-change":            {"%s: %s from %s to %s", "%s: %s จาก %s เป็น %s"},
	"did-ability":           {"%s: changes abilities", "%s: เปลี่ยนความสามารถ"},
	"did-layer":             {"Layer %s: %s became %s", "Layer %s: %s กลายเป็น %s"},
	"did-look":              {"Layer %s: looked at, nothing applied", "Layer %s: พิจารณาแล้ว ไม่มีผล"},
	"did-wait":              {"%s waited for %s", "%s รอ %s"},
	"did-ring":              {"these go by age: %s", "เรียงตามอายุ: %s"},
	"did-skip-condition":    {"%s: its condition is false", "%s: เงื่อนไขไม่จริง"},
	"did-skip-ability":      {"%s: its ability is not there", "%s: ไม่มีความสามารถนั้น"},
	"did-refuse-for":        {"refuses: %s, because %s", "ปฏิเสธ: %s_เพราะ %s"},
	"did-fire":              {"makes %s trigger: %s", "ทำให้ %s Trigger: %s"},
	"cant":                  {"“%s” is not possible", "“%s” ทำไม่ได้"},
	"fired-for":             {"%s triggers (%s), because this happened: %s", "%s Trigger (%s) เพราะเกิดเหตุการณ์นี้: %s"},
	"end-of":                {"the end of “%s”", "จบ “%s”"},
	"only-former":           {"it is about %s of before entry %d of the log, which is another object since", "มีผลต่อ %s ตัวก่อนรายการ %d ของบันทึก ซึ่งเป็น Object ใหม่แล้ว"},
	"only-former-one":       {"it is about %s as it was before it became another object", "มีผลต่อ %s ตัวก่อนที่จะเป็น Object ใหม่"},
	"was-refused":           {"at entry %d of the log “%s” was refused: %s", "ที่รายการ %d ของบันทึก “%s” ถูกปฏิเสธเพราะ %s"},
	"and-then":              {". But ", " แต่"},
	"forbidden-by":          {"%s forbids it", "%s ห้ามไว้"},
	"is-possible":           {"“%s” is possible: no rule is in its way", "“%s” ทำได้ ไม่มีกติกาใดขวาง"},
	"is-possible-alone":     {"“%s” by itself is possible: no rule is in its way", "“%s” ทำได้โดยตัวมันเอง ไม่มีกติกาใดขวาง"},
	"not-within":            {"As part of “%s” it is not: %s", "แต่เป็นส่วนของ “%s” ไม่ได้ เพราะ %s"},
	"not-among":             {"%s is not among the %s", "%s ไม่อยู่ใน%s"},
	"role-missing":          {"it does not say what %s is", "ไม่ได้บอกว่า %s คืออะไร"},
	"role-gone":             {"%s has left", "%s ออกไปแล้ว"},
	"not-for":               {"%s: %s", "%s_เพราะ %s"},
	"not-triggered":         {"%[2]s of %[1]s did not trigger", "%[2]s ของ %[1]s ไม่ได้ Trigger"},
	"did-trigger":           {"%[2]s of %[1]s did trigger, at entry %[3]d of the log, because this happened: %[4]s", "%[2]s ของ %[1]s Trigger แล้ว ที่รายการ %[3]d ของบันทึก เพราะเกิดสิ่งนี้: %[4]s"},
	"did-trigger-often":     {"%[2]s of %[1]s did trigger %[3]d times, at entries %[4]s of the log", "%[2]s ของ %[1]s Trigger แล้ว %[3]d ครั้ง ที่รายการ %[4]s ของบันทึก"},
	"any-ability":           {"An ability", "ความสามารถใด ๆ"},
	"no-such-ability":       {"%s has no such ability: %s", "%s ไม่มีความสามารถนี้: %s"},
	"no-trigger":            {"%s has no ability that triggers", "%s ไม่มีความสามารถที่ Trigger"},
	"not-applied":           {"%[2]s of %[1]s did not apply", "%[2]s ของ %[1]s ไม่ได้มีผล"},
	"none-applied":          {"No ability of %s applied", "ไม่มีความสามารถใดของ %s มีผล"},
	"did-apply":             {"%[2]s of %[1]s did apply, at entry %[3]d of the log", "%[2]s ของ %[1]s มีผลแล้ว ที่รายการ %[3]d ของบันทึก"},
	"not-tried":             {"what it is about was not attempted: %s", "ไม่มีการพยายามทำสิ่งที่เกี่ยวข้อง: %s"},
	"two-sentences":         {"%s %s", "%s_%s"},
	"no-moment":             {"what it waits for did not happen: %s", "สิ่งที่รอไม่ได้เกิดขึ้น: %s"},
	"moment-refused":        {"“%s” was refused: %s", "“%s” ถูกปฏิเสธ: %s"},
	"refused-in":            {"“%s” was refused in it: %s", "ในนั้น “%s” ถูกปฏิเสธ: %s"},
	"nothing-in":            {"it led to nothing that counts (%s: none)", "ไม่ได้นำไปสู่สิ่งที่นับ (%s: ไม่มี)"},
	"none-fits":             {"nothing that came of it fits: %s", "ไม่มีผลใดตรงเงื่อนไข: %s"},
	"used-up":               {"it may trigger only so often (%s), which is used up", "Trigger ได้จำกัด (%s) และใช้ครบแล้ว"},
	"not-in-zone":           {"%s was in %s, and the ability works in %s", "%s อยู่ใน %s_แต่ความสามารถทำงานใน %s"},
	"ability-lost":          {"%s had lost the ability to %s (since Timestamp %d)", "%s เสียความสามารถไปเพราะ %s (ตั้งแต่ Timestamp %d)"},
	"ability-gone":          {"%s did not have the ability then", "ตอนนั้น %s ไม่มีความสามารถนี้"},
	"ability-given-no-more": {"%s had the ability only from %s, which did not give it then", "%s ได้ความสามารถจาก %s เท่านั้น ซึ่งตอนนั้นไม่ได้ให้"},
	"ability-given-ended":   {"%s had the ability only from %s, which is over", "%s ได้ความสามารถจาก %s เท่านั้น ซึ่งสิ้นสุดแล้ว"},
	"ability-missing":       {"%s is not there", "%s ไม่มีอยู่"},
	"ability-taken":         {"%s was taken away by %s", "%s ถูกนำออกโดย %s"},
	"comes-later":           {"%s comes only after Layer %s", "%s มาหลัง Layer %s"},
	"has-keyword":           {"%s has %s", "%s มี %s"},
	"has-no-keyword":        {"%s does not have %s", "%s ไม่มี %s"},
	"nothing-gives":         {"nothing gives it %s", "ไม่มีสิ่งใดให้ %s"},
	"is-not-value":          {"%s has %s %s, not %s", "%s มี %s %s_ไม่ใช่ %s"},
	"nothing-makes":         {"no effect makes it %s", "ไม่มีเอฟเฟกต์ใดทำให้เป็น %s"},
	"overwritten":           {"it was %s until it became %s by %s, later in Layer %s", "เคยเป็น %s_จนกลายเป็น %s_โดย %s_ซึ่งมาทีหลังใน Layer %s"},
	"does-not-reach":        {"%s does nothing to %s", "%s ไม่มีผลต่อ %s"},
	"in-force":              {"%s is in force", "%s มีผลอยู่"},
	"does-not-change":       {"%s changes nothing of the kind", "%s ไม่เปลี่ยนสิ่งเช่นนั้น"},
	"only-itself":           {"it changes only %s", "มีผลต่อ %s เท่านั้น"},
	"only-these":            {"it is about %s", "มีผลต่อ %s"},
	"no-kind":               {"%s is not of this kind: %s", "%s ไม่ใช่ชนิดนี้: %s"},
	"not-about":             {"%s is not about %s: %s", "%s ไม่มีผลต่อ %s: %s"},
	"needs-that":            {"%s does nothing while %s", "%s ไม่มีผลในเมื่อ %s"},
	"not-begun":             {"%s has never begun: %s", "%s ยังไม่เคยเริ่ม: %s"},
	"ended":                 {"%s is over", "%s สิ้นสุดแล้ว"},
	"ended-at":              {"%s is over since entry %d of the log", "%s สิ้นสุดแล้วตั้งแต่รายการ %d ของบันทึก"},
	"ended-in":              {"%s is over since entry %d of the log: %s", "%s สิ้นสุดแล้วตั้งแต่รายการ %d ของบันทึก: %s"},
	"source-left":           {"%s is over: its source has left", "%s สิ้นสุดแล้ว เพราะแหล่งกำเนิดออกไป"},
	"locked-out":            {"%s can't change what is locked", "%s เปลี่ยนสิ่งที่ถูกล็อกไม่ได้"},
	"locked-by":             {"%s can't change what %s has locked", "%s เปลี่ยนสิ่งที่ %s ล็อกไว้ไม่ได้"},
	"cond-eq":               {"%s is %s, not %s", "%s คือ %s_ไม่ใช่ %s"},
	"cond-lt":               {"%s is %s, not less than %s", "%s คือ %s_ไม่น้อยกว่า %s"},
	"cond-le":               {"%s is %s, more than %s", "%s คือ %s_มากกว่า %s"},
	"cond-gt":               {"%s is %s, not more than %s", "%s คือ %s_ไม่มากกว่า %s"},
	"cond-ge":               {"%s is %s, less than %s", "%s คือ %s_น้อยกว่า %s"},
	"cond-both":             {"%s and %s are both %s", "%s และ %s คือ %s ทั้งคู่"},
	"count-of":              {"number of %s", "จำนวน %s"},
	"cond-is":               {"%s is %s", "%s คือ %s"},
	"cond-so":               {"it is %s, and %s is wanted", "คือ %s_แต่ต้องเป็น %s"},
	"cond-in":               {"%s is in %s (%s)", "%s อยู่ใน %s (%s)"},
	"cond-not-in":           {"%s is not in %s (%s)", "%s ไม่อยู่ใน %s (%s)"},
	"cond-has":              {"%s has %s", "%s มี %s"},
	"cond-has-not":          {"%s does not have %s", "%s ไม่มี %s"},
	"cond-kind":             {"%s is of this kind: %s", "%s เป็นชนิดนี้: %s"},
	"cond-not-kind":         {"%s is not of this kind: %s", "%s ไม่ใช่ชนิดนี้: %s"},
	"cond-yes":              {"%s: yes", "%s: ใช่"},
	"cond-no":               {"%s: no", "%s: ไม่"},
	"cond-because":          {"%s (%s)", "%s (%s)"},
	"cond-itself":           {"it is %s itself", "คือ %s เอง"},
	"cond-apart":            {"%s is %s, but another object of that name", "%s คือ %s แต่เป็น Object อื่นที่ชื่อเดียวกัน"},
	"among-nothing":         {"there is none to fit", "ไม่มีสิ่งใดให้ตรงเงื่อนไข"},
	"among-not":             {"none of this fits: %s", "ไม่มีสิ่งใดตรงเงื่อนไข: %s"},
	"among-some-not":        {"this does not fit: %s", "ไม่ตรงเงื่อนไข: %s"},
	"among-is":              {"this fits: %s", "ตรงเงื่อนไข: %s"},
	"role-of-object":        {"what it is done to", "สิ่งที่ถูกกระทำ"},
	"role-of-place":         {"place that it goes to", "ตำแหน่งปลายทาง"},
	"role-of-player":        {"player that it is for", "ผู้เล่นที่ได้รับ"},
	"role-of-token":         {"token", "Token"},
	"role-of-host":          {"what it lies on", "สิ่งที่รองรับ"},
	"role-of-keyword":       {"keyword", "Keyword"},
	"role-of-header":        {"header", "หัวข้อจังหวะ"},
	"role-of-source":        {"what triggers", "สิ่งที่ Trigger"},
	"role-of-cards":         {"cards", "การ์ด"},
	"act-ability-of":        {"the player of the ability", "ผู้เล่นเจ้าของความสามารถ"},
	"act-ability-from":      {"the card of the ability", "การ์ดเจ้าของความสามารถ"},
	"attribute-out_of":      {"the zone it leaves", "โซนต้นทาง"},
	"attribute-into":        {"the zone it goes to", "โซนปลายทาง"},
	"attribute-giver":       {"the player who gives it", "ผู้เล่นที่เสียการควบคุม"},
	"attribute-winners":     {"the winners", "ผู้ชนะ"},
	"attribute-times":       {"how often it triggers", "จำนวนครั้งที่ Trigger"},
	"cond-never":            {"it never holds", "ไม่มีวันเป็นจริง"},
	"cond-true":             {"this is true: %s", "ข้อนี้จริง: %s"},
	"cond-false":            {"this is not true: %s", "ข้อนี้ไม่จริง: %s"},
	"stop":                  {".", ""},
	"has-not-value":         {"%s does not have %s %s", "%s ไม่มี %s %s"},
	"its-condition":         {"its condition is false: %s", "เงื่อนไขไม่จริง: %s"},
	"as-of-layer":           {"%s (as it stands in Layer %s)", "%s (ค่าใน Layer %s)"},
	"an-effect":             {"an effect without a source", "เอฟเฟกต์ที่ไม่มีแหล่งกำเนิด"},
	"ability-of":            {"an ability of %s", "ความสามารถของ %s"},
	"token-limit":           {"no more than %d of %s may lie on %s", "วาง %[2]s บน %[3]s ได้ไม่เกิน %[1]d"},
	"fact-owner":            {"owner", "เจ้าของ"},
	"fact-controller":       {"controller", "ผู้ควบคุม"},
	"fact-zone":             {"zone", "โซน"},
	"fact-cell":             {"place", "ตำแหน่ง"},
	"fact-ability":          {"abilities", "ความสามารถ"},
	"fact-tokens":           {"tokens", "Token"},
	"fact-host":             {"place", "สิ่งที่รองรับ"},
	"fact-kind":             {"kind", "ชนิด"},
	"param-number":          {"number", "จำนวน"},
	"param-text":            {"text", "ข้อความ"},
	"param-flag":            {"yes or no", "ใช่หรือไม่"},
	"none":                  {"none", "ไม่มี"},
	"former-had":            {"%s had %s, and is another object since", "%s เคยมี %s แต่เป็น Object ใหม่แล้ว"},
	"former-had-at":         {"%s had %s before entry %d of the log, and is another object since", "%s เคยมี %s ก่อนรายการที่ %d ของบันทึก แต่เป็น Object ใหม่แล้ว"},
	"while-so":              {"%s as long as this is so: %s", "%s ตราบที่เป็นเช่นนี้: %s"},
	"spent":                 {"%s can't be used again now: %s", "ตอนนี้ใช้ %s อีกไม่ได้: %s"},
	"spent-so":              {"%s; but what it offers could not be used again: %s", "%s_แต่สิ่งที่ให้เลือกใช้อีกไม่ได้: %s"},
	"spent-often":           {"%s; at %s what it offers could not be used again: %s", "%s_แต่ที่รายการ %s สิ่งที่ให้เลือกใช้อีกไม่ได้: %s"},
	"limit":                 {"%d per %s", "%d ครั้งต่อ %s"},
	"with-change":           {"%s (%s)", "%s (%s)"},
	"change-number":         {"%s %+d", "%s %+d"},
	"change-set":            {"%s = %s", "%s = %s"},
	"change-add":            {"%s: with %s", "%s: เพิ่ม %s"},
	"change-remove":         {"%s: without %s", "%s: ไม่มี %s"},
	"which-one":             {"which one is meant: %s?", "หมายถึงสิ่งใด: %s"},
	"moment-as-written":     {"%s (%s)", "%s (%s)"},
	"sentence-waits":        {"%s waits for %s", "%s รอ %s"},
	"only-actions":          {"no effect changes that, only actions do", "เอฟเฟกต์เปลี่ยนสิ่งนี้ไม่ได้ มีแต่การกระทำ"},
	"no-token":              {"there is no %s there", "ที่นั่นไม่มี %s"},
	"moment-replaced":       {"“%s” was replaced by %s", "“%s” ถูกแทนที่โดย %s"},
	"ask-near":              {"%q is no header, keyword or effect, nor a characteristic with a value; did you mean %q?", "%q ไม่ใช่หัวข้อจังหวะ Keyword เอฟเฟกต์ หรือคุณลักษณะพร้อมค่า หมายถึง %q หรือไม่"},
	"none-triggered":        {"No ability of %s triggered", "ไม่มีความสามารถใดของ %s Trigger"},
	"has-none":              {"%s has no %s", "%s ไม่มี%s"},
	"lasted":                {"it lasted %s", "มีผล%s"},
	"ended-with":            {"it ended with “%s”", "สิ้นสุดเมื่อ “%s”"},
	"did-layers":            {"layer %s comes before layer %s", "Layer %s มาก่อน Layer %s"},
	"did-across":            {"%s is older than %s, and goes after it all the same: layer %s comes before layer %s", "%s เก่ากว่า %s แต่ยังใช้ทีหลัง เพราะ Layer %s มาก่อน Layer %s"},
	"did-age-newest":        {"these go by age, the newest first: %s", "เรียงตามอายุ ใหม่ที่สุดก่อน: %s"},
	"did-age":               {"these go by age, the oldest first: %s", "เรียงตามอายุ เก่าที่สุดก่อน: %s"},
	"ask-what":              {"why what not? Name an object and what it lacks, or an action", "ถามเรื่องใด บอก Object และสิ่งที่ไม่มี หรือบอกการกระทำ"},
	"ask-of":                {"what is it that %s lacks? Name a header, a keyword, an effect, or a characteristic with a value", "ถามว่า %s ขาดสิ่งใด ให้บอกหัวข้อจังหวะ Keyword เอฟเฟกต์ หรือคุณลักษณะพร้อมค่าต่อท้าย"},
	"no-char":               {"%s has no characteristic %q; it has %s", "%s ไม่มีคุณลักษณะ %q มี %s"},
	"no-char-near":          {"%s has no characteristic %q; did you mean %q?", "%s ไม่มีคุณลักษณะ %q หมายถึง %q หรือไม่"},
	"ask-begins":            {"%q does not begin with the name of something that is there: %s", "%q ไม่ได้ขึ้นต้นด้วยชื่อของสิ่งที่มีอยู่: %s"},
	"ask-object":            {"there is no %q; these are there: %s", "ไม่มี %q มีเพียง %s"},
	"ask-unknown":           {"%q is no header, keyword or effect, nor a characteristic with a value (%s)", "%q ไม่ใช่หัวข้อจังหวะ Keyword เอฟเฟกต์ หรือคุณลักษณะพร้อมค่า (%s)"},
	"ask-value":             {"which value of %s? Name it behind", "ค่าใดของ %s ระบุค่าต่อท้าย"},
	"ask-no-value":          {"%s has no value %q", "%s ไม่มีค่า %q"},
	"ask-role":              {"%s takes no %q there", "%s ไม่รับ %q ตรงนั้น"},
	"ask-token":             {"%s what? Name a kind of token", "%s สิ่งใด บอกชนิดของ Token"},
}

// namer words objects, names and values of one state in one language, as one
// point of view sees them.
type namer struct {
	p       *Program
	s       *state.State
	lang    string
	players [2]string
	called  func(o int64) string // a case's own names, or nil
	hidden  func(o int64) bool   // what the point of view can't see, or nil
	bare    bool                 // objects go without their places
}

// seenBy returns a namer that keeps from a viewer what that viewer can't see now.
func (n namer) seenBy(m *run.Match, v Viewer) *namer {
	l := &log{p: n.p, m: m}
	n.hidden = func(o int64) bool { return !l.sees(v, nil, o) }
	return &n
}

// object words an object.
func (n *namer) object(o int64) string {
	if n.called != nil {
		if s := n.called(o); s != "" {
			return s
		}
	}
	if n.hidden != nil && n.hidden(o) {
		return say(n.lang, "a-card")
	}
	p := n.p.p
	switch {
	case o < state.None: // a zone by its name
		if z := int(-2 - o); z < len(p.Zones) {
			return n.p.textOf(&p.Zones[z].Decl, n.lang)
		}
	case o >= 0 && int(o) < len(n.s.Objects):
		ob := &n.s.Objects[o]
		switch ob.Entity {
		case program.Card:
			return n.p.textOf(&p.Cards[ob.Def].Decl, n.lang)
		case program.Token:
			return n.p.textOf(&p.Tokens[ob.Def].Decl, n.lang)
		case program.Player:
			return n.player(int(ob.Def))
		case program.Place:
			return n.place(ob)
		case program.Game:
			return say(n.lang, "game")
		}
	}
	return say(n.lang, "nothing")
}

func (n *namer) player(i int) string {
	if i >= 1 && i <= 2 && n.players[i-1] != "" {
		return n.players[i-1]
	}
	return "P" + strconv.Itoa(i)
}

// place words a place: a cell of a grid by column letter and row number.
func (n *namer) place(ob *state.Object) string {
	z := n.p.p.Zones[ob.Zone]
	if z.Width == 0 {
		return n.p.textOf(&z.Decl, n.lang)
	}
	return cellName(int(ob.X), int(ob.Y))
}

// cellName names a square as chess boards do, from the top left: A1, B1 …
func cellName(x, y int) string {
	col := ""
	for x++; x > 0; x = (x - 1) / 26 {
		col = string(rune('A'+(x-1)%26)) + col
	}
	return col + strconv.Itoa(y+1)
}

// where words the place of an object, or "".
func (n *namer) where(o int64) string {
	if o < 0 || int(o) >= len(n.s.Objects) {
		return ""
	}
	ob := &n.s.Objects[o]
	switch {
	case ob.Entity == program.Token && ob.Host >= 0:
		return n.object(int64(ob.Host))
	case ob.Entity == program.Card && ob.Cell >= 0 && !ob.Gone:
		return n.place(&n.s.Objects[ob.Cell])
	}
	return ""
}

// precise words an object with the place that it is at, where it has one.
func (n *namer) precise(o int64) string {
	name := n.object(o)
	if w := n.where(o); w != "" && !n.bare {
		return say(n.lang, "at", name, w)
	}
	return name
}

// value words a value of a type.
func (n *namer) value(t program.Type, v state.Val) string {
	switch {
	case t.Mask():
		var parts []string
		for i := range n.p.p.Values[t.ID].Names {
			if v.N>>i&1 != 0 {
				parts = append(parts, n.one(t, int64(i)))
			}
		}
		if len(parts) == 0 {
			return "-"
		}
		return strings.Join(parts, ", ")
	case t.Several:
		var parts []string
		hidden := 0
		for _, x := range v.L {
			if t.Base == program.IsObject && n.hidden != nil && n.hidden(x) && (n.called == nil || n.called(x) == "") {
				hidden++
				continue
			}
			parts = append(parts, n.one(t, x))
		}
		switch {
		case hidden == 1:
			parts = append(parts, say(n.lang, "a-card"))
		case hidden > 1:
			parts = append(parts, say(n.lang, "hidden-cards", hidden))
		}
		if len(parts) == 0 {
			return "-"
		}
		return strings.Join(parts, ", ")
	}
	return n.one(t, v.N)
}

func (n *namer) one(t program.Type, v int64) string {
	p := n.p.p
	switch t.Base {
	case program.IsFlag:
		if v != 0 {
			return say(n.lang, "yes")
		}
		return say(n.lang, "no")
	case program.IsText:
		if v >= 0 && int(v) < len(p.Texts) {
			return p.Texts[v]
		}
	case program.IsOneOf:
		return n.oneOf(t.ID, v)
	case program.IsObject:
		return n.object(v)
	case program.IsHappening:
		if v >= 0 && int(v) < len(n.s.Acts) {
			return n.deed(n.s.Acts[v], nil)
		}
		return say(n.lang, "nothing")
	case program.IsNumber:
		return strconv.FormatInt(v, 10)
	}
	return say(n.lang, "nothing")
}

// oneOf words a name out of a values list, also one that Go fills from what is
// declared.
func (n *namer) oneOf(list int, v int64) string {
	p := n.p.p
	if v < 0 {
		return say(n.lang, "nothing")
	}
	i := int(v)
	switch {
	case list == program.ListKeyword && i < len(p.Keywords):
		return n.keyword(i, nil)
	case list == program.ListHeader && i < len(p.Headers):
		return n.p.textOf(&p.Headers[i].Decl, n.lang)
	case list == program.ListToken && i < len(p.Tokens):
		return n.p.textOf(&p.Tokens[i].Decl, n.lang)
	case list == program.ListAction && i < len(p.Actions):
		return n.p.textOf(&p.Actions[i].Decl, n.lang)
	case list == program.ListZone && i < len(p.Zones):
		return n.p.textOf(&p.Zones[i].Decl, n.lang)
	case list < len(p.Values) && i < len(p.Values[list].Names):
		name := &p.Values[list].Names[i]
		return n.p.text(name.Texts, n.lang, name.Name)
	}
	return strconv.FormatInt(v, 10)
}

// keyword words a keyword with its arguments; without them it says what each
// parameter takes.
func (n *namer) keyword(i int, args []state.Val) string {
	k := n.p.p.Keywords[i]
	return fill(n.p.textOf(&k.Decl, n.lang), func(name string) (string, bool) {
		for j, prm := range k.Params {
			if prm.Name == name {
				if j < len(args) {
					return n.value(prm.Type, args[j]), true
				}
				return n.param(prm), true
			}
		}
		return "", false
	})
}

// param is what stands for a parameter where no argument is known: what people call
// what it takes. The name that rule data has for it does where that is a letter, or
// in the language that the data is written in.
func (n *namer) param(prm program.Param) string {
	if text := n.kindName(prm.Type); text != "" {
		return text
	}
	for _, r := range prm.Name {
		if r > unicode.MaxASCII {
			return prm.Name // it was named for those who read it
		}
	}
	first := len(n.p.p.Languages) == 0 || n.lang == n.p.p.Languages[0].Lang
	if key := paramKeys[prm.Type.Base]; !first && len(prm.Name) > 1 && key != "" {
		return say(n.lang, key)
	}
	return prm.Name
}

var paramKeys = map[program.Base]string{program.IsNumber: "param-number", program.IsText: "param-text", program.IsFlag: "param-flag"}

// keywordName is what a keyword is called without its arguments.
func (n *namer) keywordName(k *program.Keyword) string {
	if name := bare(n.p.textOf(&k.Decl, n.lang)); name != "" {
		return name
	}
	return k.Name
}

// bare is a template without its holes.
func bare(template string) string {
	return strings.Join(strings.Fields(fill(template, func(string) (string, bool) { return "", true })), " ")
}

// act fills a template with the roles and attributes of an act.
func (n *namer) act(template string, a *state.Act, hide func(o int64) bool) string {
	p := n.p.p
	def := p.Actions[a.Action]
	return fillIn(template, func(name string) (string, bool) {
		for i, r := range def.Roles {
			if r.Name != name {
				continue
			}
			if r.Type.Base == program.IsObject && !r.Type.Several && hide != nil && hide(a.Roles[i].N) {
				return say(n.lang, "a-card"), true
			}
			if (def.Basic == program.BasicRemove || def.Basic == program.BasicPlace) && i == 0 && a.Roles[0].N < 0 && a.Kind >= 0 { // there was none, or came none
				return n.oneOf(program.ListToken, int64(a.Kind)), true
			}
			if def.Basic == program.BasicGrant && i == 0 && a.Roles[0].N >= 0 {
				return n.keyword(int(a.Roles[0].N), a.Args), true
			}
			return n.value(r.Type, a.Roles[i]), true
		}
		for slot, c := range def.Attrs {
			if p.Chars[c].Name == name && a.Have&(1<<slot) != 0 {
				return n.value(p.Chars[c].Type, a.Attrs[slot]), true
			}
		}
		return "", false
	})
}

// deed words what an act does, as the action's own text has it: "Snatch X".
func (n *namer) deed(a *state.Act, hide func(o int64) bool) string {
	def := n.p.p.Actions[a.Action]
	if def.Basic != program.NotBasic && len(def.Texts) == 0 {
		if ph := n.p.phrase(def.Name); ph != nil {
			return n.act(n.p.textOf(&ph.Decl, n.lang), a, hide)
		}
	}
	return n.act(n.p.textOf(&def.Decl, n.lang), a, hide)
}

func (p *Program) phrase(key string) *program.Phrase {
	for _, ph := range p.p.Phrases {
		if ph.Key == key {
			return ph
		}
	}
	return nil
}

// kindName words what a value of a type is, for prompts.
func (n *namer) kindName(t program.Type) string {
	p := n.p.p
	switch t.Base {
	case program.IsObject:
		if t.ID >= 0 && t.ID < len(p.Kinds) {
			k := p.Kinds[t.ID]
			if len(k.Texts) > 0 {
				return n.p.textOf(&k.Decl, n.lang)
			}
			switch k.Entity {
			case program.Card:
				return say(n.lang, "card")
			case program.Token:
				return say(n.lang, "token")
			case program.Player:
				return say(n.lang, "player")
			case program.Place:
				return say(n.lang, "place")
			}
		}
	case program.IsOneOf:
		if t.ID < len(p.Values) {
			return n.p.textOf(&p.Values[t.ID].Decl, n.lang)
		}
	}
	return ""
}

// sourceLine is one line of rule text, cut to something that fits a message.
func sourceLine(s source.Span, most int) string {
	var b strings.Builder
	for line := range strings.Lines(s.Text()) {
		b.WriteString(margin.ReplaceAllString(strings.TrimRight(line, "\r\n"), "") + " ")
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	if r := []rune(text); len(r) > most { // behind a word, where there is one
		text = string(r[:most-1])
		if at := strings.LastIndexByte(text, ' '); at > 0 {
			text = text[:at+1]
		}
		return text + "…"
	}
	return text
}

// margin is what stands to the right of a clause: the rules that it carries out,
// and a comment.
var margin = regexp.MustCompile(`\s+(rule \d[^\n]*|  +# [^\n]*)$`)

// clause is the clause that a place lies in, without what stands in its margin:
// the text of the place where that takes several lines, else its line.
func clause(s source.Span, most int) string {
	if s.File == nil || strings.Contains(strings.TrimSpace(s.Text()), "\n") {
		return sourceLine(s, most)
	}
	text := strings.TrimSpace(margin.ReplaceAllString(s.File.LineText(s.File.Line(s.Start)), ""))
	if r := []rune(text); len(r) > most {
		return sourceLine(s, most)
	}
	return text
}
