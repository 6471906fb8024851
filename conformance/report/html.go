package report

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

// Both files stand in the page itself, so that it needs nothing but itself.
var (
	//go:embed page.tmpl
	pageTemplate string
	//go:embed page.css
	pageStyle string
)

// both are the languages of the page. Each text stands in it in both, and the
// style shows one: so a reader can switch without a server and without scripts.
var both = []string{"en", "th"}

// HTML writes the records as a page for browsers, in English and Thai; lang is the
// language that it shows at first.
func (s *Set) HTML(w io.Writer, lang string) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"t":       bilingual,
		"texts":   texts,
		"figures": figures,
		"link":    link,
		"entry":   Entry,
		"sign":    func(k any) string { return Sign(Kind(fmt.Sprint(k))) },
		"known":   func(c *runner.CaseLine) bool { return c.Known != nil && !c.Expired && c.Verdict != runner.Mended },
	}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	p := &page{Set: s, Lang: lang, Style: template.CSS(pageStyle), One: s.oneSuite(), Kinds: Kinds, Levels: Levels}
	if lang != "th" {
		p.Lang = "en"
	}
	for _, status := range runner.Statuses {
		if s.count(ofStatus(status)).Cases > 0 {
			p.Statuses = append(p.Statuses, status)
		}
	}
	for i, r := range s.Rules {
		p.Parts = append(p.Parts, s.part(i, r))
	}
	var b strings.Builder
	if err := t.Execute(&b, p); err != nil {
		return err
	}
	_, err = io.WriteString(w, clean(b.String()))
	return err
}

// page is what the template shows.
type page struct {
	*Set
	Lang     string
	Style    template.CSS
	One      bool // all records are of one suite
	Statuses []string
	Kinds    []Kind
	Levels   []Level
	Parts    []part
}

// Header is the suite of the first record.
func (p *page) Header() *runner.Header { return &p.Programs[0].Record.Header }

// Of are the figures of a program for the cases of a status.
func (p *page) Of(x *Program, status string) Figures { return Count(x.Record, ofStatus(status)) }

// Brief is the beginning of a digest.
func (p *page) Brief(s string) string { return Brief(s) }

// Width is how many columns a row has beside its head.
func (p *page) Width() int { return len(p.Programs) + 1 }

// Proven says how good the suite is, in both languages.
func (p *page) Proven() []template.HTML {
	if p.Proof == nil {
		return nil
	}
	var out []template.HTML
	for i := range p.Proof.Lines("en") {
		out = append(out, inBoth(func(lang string) string { return p.Proof.Lines(lang)[i] }))
	}
	return out
}

// Row says what there is for a statement of a rule, in both languages; "" where
// that is not told.
func (p *page) Row(r part, statement string) template.HTML {
	if p.Proof == nil {
		return ""
	}
	x := p.Proof.row(r.Rule.Rule.Rule, statement)
	if x == nil {
		return ""
	}
	return inBoth(x.line)
}

// NotRun is how many cases of a record were not run.
func (x *Program) NotRun() int { return x.Record.Unrun() }

// Selection says which cases were run, in both languages.
func (x *Program) Selection() template.HTML { return inBoth(x.selection) }

// Between says what keeps the program from the next level, in both languages.
func (x *Program) Between() template.HTML {
	return inBoth(func(lang string) string { return Obstacles(lang, x.Standing) })
}

// LeftOut is what the program leaves out.
func (x *Program) LeftOut() []leftOut { return leftOuts(x.Record) }

// part is a rule on the page.
type part struct {
	*Rule
	ID      string
	Open    bool // a case of it failed
	Rows    []ruleRow
	Cases   []row
	Summary map[string]string
}

// Title is the rule's number, or that it is the rule language, in both languages.
func (p part) Title() template.HTML { return inBoth(p.Rule.Name) }

// ruleRow is the figures of the rule's cases of a status.
type ruleRow struct {
	Status  string
	Figures []Figures // of each program
}

// row is a case on the page.
type row struct {
	*Case
	Plain   bool // it passed everywhere
	Signs   []sign
	Stories []story
}

// order is where a case stands: what failed comes first, then what did not pass.
func (r *row) order() int {
	switch {
	case len(r.Stories) > 0:
		return 0
	case !r.Plain:
		return 1
	}
	return 2
}

// sign is what a program came to.
type sign struct {
	Kind   string
	Detail string
}

// story is the failure of one or more programs that part from the rules at the
// same step.
type story struct {
	Sign     string
	Names    string
	Step     int
	Asks     string
	Expected string
	Given    []givenLine
	Covers   []coverLine
	Story    *interpreter.Story
	Steps    []*interpreter.StoryStep
}

type givenLine struct {
	Name string
	Line *runner.CaseLine
	Text string // what it answered, if it is a matter of answers
}

type coverLine struct {
	Rule, Key string
	Side      string
	Text      map[string]string
}

func (s *Set) part(i int, r *Rule) part {
	p := part{Rule: r, ID: fmt.Sprintf("rule-%d", i+1), Summary: r.Summary}
	for _, status := range runner.Statuses {
		x := ruleRow{Status: status}
		n := 0
		for k := range s.Programs {
			f := s.Figures(r, k, status)
			x.Figures = append(x.Figures, f)
			n += f.Cases
		}
		if n > 0 {
			p.Rows = append(p.Rows, x)
		}
	}
	for _, c := range r.Cases {
		x := row{Case: c, Plain: true}
		for i, l := range c.Lines {
			k := s.Kind(c, i)
			d := ""
			if k == Unsupported || k == Skipped || k == Reading {
				d = l.Detail
			}
			x.Signs = append(x.Signs, sign{string(k), d})
			x.Plain = x.Plain && (k == Passed || k == NotMeant)
		}
		x.Stories = s.stories(c)
		p.Open = p.Open || len(x.Stories) > 0
		p.Cases = append(p.Cases, x)
	}
	slices.SortStableFunc(p.Cases, func(a, b row) int { return a.order() - b.order() })
	return p
}

func (s *Set) stories(c *Case) []story {
	var out []story
	for i, l := range c.Lines {
		if l == nil || !failed(l) {
			continue
		}
		step := 0
		if l.At != nil {
			step = l.At.Step
		}
		at := -1
		for k := range out {
			if out[k].Step == step {
				at = k
			}
		}
		if at < 0 {
			x := story{Sign: string(s.Kind(c, i)), Step: step, Asks: l.Asks(), Story: l.Story}
			if l.At != nil {
				x.Expected = string(l.At.Expected)
			}
			for _, cv := range c.Covers {
				x.Covers = append(x.Covers, coverLine{cv.Rule, cv.Statement, cv.Side, s.statement(cv)})
			}
			if l.Story != nil {
				list := Steps(l.Story)
				for i := range list {
					x.Steps = append(x.Steps, &list[i])
				}
			}
			at = len(out)
			out = append(out, x)
		}
		x := &out[at]
		name := s.Programs[i].Name
		if x.Names != "" {
			x.Names += ", "
		}
		x.Names += name
		g := givenLine{Name: name, Line: l}
		if l.At != nil {
			g.Text = string(l.At.Given)
		}
		x.Given = append(x.Given, g)
		if s.Kind(c, i) == Failed {
			x.Sign = string(Failed)
		}
	}
	return out
}

// inBoth is a text in both languages.
func inBoth(f func(lang string) string) template.HTML {
	var b strings.Builder
	for _, l := range both {
		fmt.Fprintf(&b, `<span class="%s" lang="%s">%s</span>`, l, l, html.EscapeString(f(l)))
	}
	return template.HTML(b.String())
}

// bilingual is one of the page's own texts.
func bilingual(key string, args ...any) template.HTML {
	return inBoth(func(lang string) string { return Text(lang, key, args...) })
}

// texts is a text of the record in both languages; where one lacks, the other
// stands in, marked as what it is.
func texts(m map[string]string) template.HTML {
	var b strings.Builder
	for _, l := range both {
		if list := Languages(m, l); len(list) > 0 {
			fmt.Fprintf(&b, `<span class="%s" lang="%s">%s</span>`, l, html.EscapeString(list[0]), html.EscapeString(m[list[0]]))
		}
	}
	return template.HTML(b.String())
}

// figures is a cell of a table: how many passed, and each other kind with its sign
// and its name.
func figures(f Figures) template.HTML {
	if f.Cases == 0 {
		return template.HTML(`<span class="none">–</span><span class="unseen">`) + bilingual("none") + "</span>"
	}
	if f.Cases == f.NotMeant {
		return template.HTML(fmt.Sprintf(`<span class="n not-meant"><i aria-hidden="true">%s</i>%d %s</span>`, Sign(NotMeant), f.Cases, bilingual(string(NotMeant))))
	}
	out := `<span class="n">`
	if f.Passed == f.Cases {
		out = fmt.Sprintf(`<span class="n passed"><i aria-hidden="true">%s</i>`, Sign(Passed))
	}
	out += string(bilingual("of", f.Passed, f.Cases)) + "</span>"
	for _, k := range Kinds[1:] {
		if n := f.Of(k); n > 0 {
			out += fmt.Sprintf(` <span class="n %s"><i aria-hidden="true">%s</i>%d <b>%s</b></span>`, k, Sign(k), n, bilingual(string(k)))
		}
	}
	return template.HTML(out)
}
