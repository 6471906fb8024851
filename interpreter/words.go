package interpreter

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

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

// say returns one of the few sentences that the interpreter itself has to say.
// They are about engine matters; whatever names something of a game comes from
// its data. A language that they have not been translated to is English.
func say(lang, key string, args ...any) string {
	s := sentences[key]
	f := s[0]
	if lang == "th" {
		f = s[1]
	}
	if len(args) == 0 {
		return f
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
	"undone":         {"%d decisions were taken back; the choices are made again, chance is not", "ย้อนการตัดสินใจ %d ครั้ง เลือกใหม่ได้ แต่ไม่สุ่มใหม่"},
	"undone-seen":    {"%d decisions were taken back past what had been seen or come by chance; chance is not rolled anew", "ย้อนการตัดสินใจ %d ครั้ง ผ่านสิ่งที่เปิดเผยหรือสุ่มแล้ว โดยไม่สุ่มใหม่"},
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
	"no-effect":      {"nothing changes it", "ไม่มีสิ่งใดเปลี่ยน"},
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
	case ob.Entity == program.Card && ob.Cell >= 0:
		return n.place(&n.s.Objects[ob.Cell])
	}
	return ""
}

// precise words an object with the place that it is at, where it has one.
func (n *namer) precise(o int64) string {
	name := n.object(o)
	if w := n.where(o); w != "" {
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
			return n.p.textOf(&p.Actions[n.s.Acts[v].Action].Decl, n.lang)
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

// keyword words a keyword with its arguments; without them its parameters'
// names stand in their places.
func (n *namer) keyword(i int, args []state.Val) string {
	k := n.p.p.Keywords[i]
	return fill(n.p.textOf(&k.Decl, n.lang), func(name string) (string, bool) {
		for j, prm := range k.Params {
			if prm.Name == name {
				if j < len(args) {
					return n.value(prm.Type, args[j]), true
				}
				return prm.Name, true
			}
		}
		return "", false
	})
}

// act fills a template with the roles and attributes of an act.
func (n *namer) act(template string, a *state.Act, hide func(o int64) bool) string {
	p := n.p.p
	def := p.Actions[a.Action]
	return fill(template, func(name string) (string, bool) {
		for i, r := range def.Roles {
			if r.Name != name {
				continue
			}
			if r.Type.Base == program.IsObject && !r.Type.Several && hide != nil && hide(a.Roles[i].N) {
				return say(n.lang, "a-card"), true
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
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
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
