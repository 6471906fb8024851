package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance/report"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/grammar/diag"
)

// views are the forms in which reports can be had.
var views = []string{"terminal", "markdown", "junit", "html", "json", "badge", "badge-json"}

// diffViews are those of what changed.
var diffViews = []string{"terminal", "markdown", "json"}

func (a *app) reportCmd() *cobra.Command {
	var format, out, proof string
	c := &cobra.Command{
		Use:   "report FILE…",
		Short: "Show records of runs, one program or several side by side",
		Long: `Shows what conformance run --record wrote: the level of each program, the figures
of each rule, and each failure with its story. Everything comes from the records
alone. The forms are terminal; markdown, to stand under a change; junit, for
build servers; html, a page in English and Thai that needs no server and no
scripts; json; badge, a small SVG picture; and badge-json, for services that
draw badges. The last two take one record. Exit status 2 means that a record is
not whole, or that its run was given up.`,
		Example: `  momon conformance report report.jsonl
  momon conformance report a.jsonl b.jsonl --out report.html
  momon conformance report report.jsonl --out badge.svg`,
		Args: a.takes(1, 64),
		RunE: func(c *cobra.Command, args []string) error {
			format, err := a.viewOf(c, format, out, views)
			if err != nil {
				return err
			}
			return a.report(args, format, out, proof)
		},
	}
	c.Flags().StringVar(&format, "format", "terminal", "the `FORM`: terminal, markdown, junit, html, json, badge or badge-json")
	c.Flags().StringVarP(&out, "out", "o", "", "write it to `FILE`, whose ending says the form unless --format does")
	c.Flags().StringVar(&proof, "proof", "", "how good the suite is, as momon conformance prove wrote it down in `FILE`")
	return c
}

func (a *app) diffCmd() *cobra.Command {
	var format, out string
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show what changed between two records of runs",
		Long: `Reads two records that conformance run --record wrote and shows which cases came
out otherwise: worse, better, changed, new or gone, with the figures of the rules
that changed. The records can be of one program at two times, or of two programs.
No program is run. Exit status 1 means that something became worse: a case that
passed does not, one that was left out or is new fails, or the protocol is broken
more often. Provisional cases are shown and do not count.`,
		Example: `  momon conformance diff before.jsonl after.jsonl
  momon conformance diff before.jsonl after.jsonl --format markdown`,
		Args: a.takes(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			format, err := a.viewOf(c, format, out, diffViews)
			if err != nil {
				return err
			}
			return a.diff(args[0], args[1], format, out)
		},
	}
	c.Flags().StringVar(&format, "format", "terminal", "the `FORM`: terminal, markdown or json")
	c.Flags().StringVarP(&out, "out", "o", "", "write it to `FILE`, whose ending says the form unless --format does")
	return c
}

// endings are what the files of a form are called.
var endings = map[string]string{".md": "markdown", ".xml": "junit", ".html": "html", ".json": "json", ".svg": "badge"}

// viewOf is the form that is asked for, with --format or --json, or by the name of
// the file that it goes to.
func (a *app) viewOf(c *cobra.Command, format, out string, known []string) (string, error) {
	if out != "" && !a.json && !c.Flags().Changed("format") {
		ending := strings.ToLower(filepath.Ext(out))
		if format = endings[ending]; !slices.Contains(known, format) {
			return "", &misuse{a.t("no-ending", diag.Printable(out), strings.Join(known[1:], ", ")), c}
		}
	}
	switch {
	case format == "terminal" && out != "":
		return "", &misuse{a.t("terminal-out"), c}
	case !slices.Contains(known, format):
		return "", &misuse{a.t("no-format", format, strings.Join(known, ", ")), c}
	case !a.json:
		return format, nil
	case c.Flags().Changed("format") && format != "json":
		return "", &misuse{a.t("format-json", format), c}
	}
	return "json", nil
}

// readRecord reads a record and says plainly what is wrong with it.
func (a *app) readRecord(name string) (*runner.Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r, err := runner.Read(bytes.NewReader(data))
	if e := (*runner.RecordError)(nil); errors.As(err, &e) {
		name := diag.Printable(name)
		switch e.Code {
		case "empty", "changed":
			return nil, errors.New(a.t("record-"+e.Code, name))
		case "cut", "count":
			return nil, errors.New(a.t("record-"+e.Code, name, e.Count, e.Of))
		case "version":
			return nil, errors.New(a.t("record-version", name, e.Detail, runner.ReportVersion))
		case "header":
			return nil, errors.New(a.t("record-header", name))
		}
		return nil, errors.New(a.t("record-"+e.Code, name, e.Line, diag.Printable(e.Detail)))
	}
	return r, err
}

// misfit words why a record can't be judged again.
func (a *app) misfit(name string, e *runner.MisfitError) string {
	name = diag.Printable(name)
	switch e.Code {
	case "digest":
		return a.t("misfit-digest", name, diag.Printable(e.Record), e.Suite)
	case "case":
		return a.t("misfit-case", name, diag.Printable(some(e.Cases)))
	case "verdict":
		return a.t("misfit-verdict", name, len(e.Cases), diag.Printable(some(e.Cases)))
	}
	return e.Error()
}

// some are the first few of a list.
func some(list []string) string {
	const few = 5
	if len(list) > few {
		return strings.Join(list[:few], ", ") + " …"
	}
	return strings.Join(list, ", ")
}

func (a *app) report(files []string, format, out, proof string) error {
	var records []*runner.Report
	for _, name := range files {
		r, err := a.readRecord(name)
		if err != nil {
			return err
		}
		records = append(records, r)
	}
	if strings.HasPrefix(format, "badge") && len(records) > 1 {
		return errors.New(a.t("badge-one", len(records)))
	}
	if format == "html" && out == "" && a.term {
		return errors.New(a.t("html-where"))
	}
	set := report.NewSet(records...)
	if proof != "" {
		data, err := os.ReadFile(proof)
		if err != nil {
			return err
		}
		if set.Proof, err = report.ReadProof(data); err != nil {
			return errors.New(a.t("no-proof", diag.Printable(proof)))
		}
		if !set.Proof.Of(set) {
			return errors.New(a.t("other-proof", diag.Printable(proof), diag.Printable(set.Proof.Edition)))
		}
	}
	if err := a.showTo(out, func(w io.Writer) error {
		switch format {
		case "markdown":
			return set.Markdown(w, a.lang)
		case "junit":
			return set.JUnit(w, a.lang)
		case "html":
			return set.HTML(w, a.lang)
		case "json":
			return set.JSON(w)
		case "badge":
			return report.Badge(w, records[0], a.lang)
		case "badge-json":
			return report.Endpoint(w, records[0], a.lang)
		}
		if len(records) == 1 {
			a.reported(records[0])
		} else {
			a.sideBySide(set)
		}
		if set.Proof != nil {
			a.println("")
			a.println(a.bold(report.Text(a.lang, "proof")))
			for _, l := range set.Proof.Lines(a.lang) {
				a.item("• ", l, 2)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	for i, r := range records {
		if !r.Footer.Complete {
			return errors.New(diag.Printable(files[i]) + ": " + a.t("not-complete", r.Unrun()))
		}
	}
	return nil
}

func (a *app) diff(old, new, format, out string) error {
	var both [2]*runner.Report
	for i, name := range []string{old, new} {
		r, err := a.readRecord(name)
		if err != nil {
			return err
		}
		if !r.Footer.Complete {
			return errors.New(diag.Printable(name) + ": " + a.t("not-complete", r.Unrun()))
		}
		both[i] = r
	}
	d := report.Compare(both[0], both[1])
	if err := a.showTo(out, func(w io.Writer) error {
		switch format {
		case "markdown":
			return d.Markdown(w, a.lang)
		case "json":
			return d.JSON(w)
		}
		a.differed(d)
		return nil
	}); err != nil {
		return err
	}
	if d.Worse() {
		return errFound
	}
	return nil
}

// showTo shows something, or writes it to a file whole.
func (a *app) showTo(file string, show func(io.Writer) error) error {
	return a.writeTo(file, report.Made, show)
}

// writeTo is showTo; ours tells what may be written over.
func (a *app) writeTo(file string, ours func([]byte) bool, show func(io.Writer) error) error {
	if file == "" {
		return show(a.out)
	}
	var b bytes.Buffer
	err := show(&b)
	if err != nil {
		return err
	}
	if have, err := os.ReadFile(file); err == nil && len(have) > 0 && !ours(have) {
		return errors.New(a.t("view-taken", diag.Printable(file)))
	}
	return a.disk.Write(file, b.Bytes())
}

// reported shows a report of one program.
func (a *app) reported(r *runner.Report) {
	name := r.Header.Program.String()
	for i := range r.Cases {
		switch c := &r.Cases[i]; {
		case c.Failed():
			a.diverged(r, c)
		case c.Known != nil:
			a.item("• ", a.t("known-failure", c.ID, diag.Printable(c.Known.Reason), c.Known.Until), 2)
		}
	}
	for _, f := range r.Footer.Faults {
		a.item("× ", report.Sentence(a.lang, f.Verdict)+": "+diag.Printable(f.Detail), 2)
		a.stderrOf(f.Stderr)
	}
	a.println(a.t("checked-program", diag.Printable(name), r.Header.Edition))
	a.standing(report.NewSet(r).Programs[0], 0)
}

// standing shows the figures of a program and its level.
func (a *app) standing(p *report.Program, indent int) {
	r := p.Record
	if r.Header.Twin != "" {
		a.para(report.Text(a.lang, "twin", r.Header.Twin), indent)
	}
	if r.Header.Isolated {
		a.para(report.Text(a.lang, "isolated"), indent)
	}
	for _, status := range runner.Statuses {
		f := report.Count(r, func(c *runner.CaseLine) bool { return c.Status == status })
		if f.Cases > 0 {
			a.para(report.Summary(a.lang, status, f), indent)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header.Open)) {
		x := r.Header.Open[name]
		a.item("≠ ", diag.Printable(report.InLang(x.Text, a.lang)+" ("+name+"): "+report.Text(a.lang, "reading-line", x.Chosen, p.Name, x.Own)), indent)
	}
	a.para(report.Text(a.lang, "level")+": "+a.bold(report.Text(a.lang, "level-"+string(p.Standing.Level))), indent)
	if text := report.Obstacles(a.lang, p.Standing); text != "" {
		a.para(text, indent+2)
	}
}

// stderrOf shows the end of what a program wrote to its standard error.
func (a *app) stderrOf(text string) {
	if text == "" {
		return
	}
	a.para(report.Text(a.lang, "stderr")+":", 4)
	for _, l := range strings.Split(text, "\n") {
		a.para(diag.Printable(l), 6)
	}
}

// diverged shows a failed case: what differs first, and what happens by the rules.
func (a *app) diverged(r *runner.Report, c *runner.CaseLine) {
	t := func(key string, args ...any) string { return report.Text(a.lang, key, args...) }
	a.heading(a.t("fail", c.ID))
	a.para(report.InLang(c.Title, a.lang), 2)
	a.println("")
	a.item("× ", report.Sentence(a.lang, c.Verdict), 2)
	if c.Detail != "" {
		a.para(diag.Printable(c.Detail), 4)
	}
	a.stderrOf(c.Stderr)
	if c.Expired {
		a.para(t("known-over", c.Known.Until, diag.Printable(c.Known.Reason)), 4)
	}
	if d := c.At; d != nil && len(d.Question) > 0 {
		a.para(t("question", d.Step)+": "+diag.Printable(c.Asks()), 4)
		a.para(t("comes", string(d.Expected)), 4)
		given := t("nothing")
		if d.Given != nil {
			given = diag.Printable(string(d.Given))
		}
		a.para(t("given", diag.Printable(r.Header.Program.String()))+": "+given, 4)
	}
	if len(c.Covers) > 0 {
		a.println("")
	}
	for _, cv := range c.Covers {
		a.para(cv.Rule+" "+cv.Statement, 2)
		text := r.Statement(cv)
		for _, l := range report.Languages(text, a.lang) {
			a.para(text[l], 4)
		}
	}
	if c.Story != nil {
		a.println("")
		a.story(c)
	}
	a.println("")
}

// story shows what happens in a case by the rules.
func (a *app) story(c *runner.CaseLine) {
	t := func(key string, args ...any) string { return report.Text(a.lang, key, args...) }
	lines := func(text string, indent int) {
		for _, l := range strings.Split(text, "\n") {
			a.println(strings.Repeat(" ", indent) + diag.Printable(l))
		}
	}
	if len(c.Story.Start) > 0 {
		a.para(t("start")+":", 2)
		for _, s := range c.Story.Start {
			lines(s, 4)
		}
	}
	a.para(t("by-the-rules")+":", 2)
	for _, st := range report.Steps(c.Story) {
		first, rest, more := strings.Cut(st.Text, "\n")
		a.item(fmt.Sprintf("%2d  ", st.Step), diag.Printable(first), 2)
		if more {
			lines(rest, 6)
		}
		if st.Expected != nil {
			a.para(t("comes", string(st.Expected)), 8)
		}
		for k, h := range st.Happens[a.lang] {
			for i, part := range strings.Split(h, "\n") {
				mark := "→ " + report.Entry(&st, k)
				if i > 0 {
					mark = "  "
				}
				a.item(mark, diag.Printable(part), 8)
			}
		}
	}
	if why := c.Story.Why[a.lang]; why != "" {
		a.para(t("explained")+":", 2)
		a.para(diag.Printable(why), 4)
	}
}

// sideBySide shows several programs: each one's level and figures, then those of
// each rule, then the cases that did not pass everywhere.
func (a *app) sideBySide(s *report.Set) {
	t := func(key string, args ...any) string { return report.Text(a.lang, key, args...) }
	for i, p := range s.Programs {
		h := &p.Record.Header
		a.heading(fmt.Sprintf("%d  %s", i+1, diag.Printable(p.Name)))
		a.para(t("of-suite", h.Edition, report.Brief(h.Digest)), 2)
		if n := p.Record.Unrun(); n > 0 {
			a.item("! ", t("incomplete", n), 2)
		}
		for _, f := range p.Record.Footer.Faults {
			a.item("× ", report.Sentence(a.lang, f.Verdict)+": "+diag.Printable(f.Detail), 2)
		}
		a.standing(p, 2)
		a.println("")
	}
	a.heading(t("by-rule"))
	for _, r := range s.Rules {
		for _, status := range runner.Statuses {
			var parts []string
			cases := 0
			for i := range s.Programs {
				f := s.Figures(r, i, status)
				cases += f.Cases
				parts = append(parts, fmt.Sprintf("%d: %s", i+1, figures(f)))
			}
			if cases > 0 {
				a.item(pad(fmt.Sprintf("%s  %s", r.Name(a.lang), t(status)), 24), strings.Join(parts, " · "), 2)
			}
		}
	}
	var legend []string
	for _, k := range report.Kinds {
		legend = append(legend, report.Sign(k)+" "+t(string(k)))
	}
	a.para(strings.Join(legend, ", "), 2)
	a.println("")
	any := false
	for _, r := range s.Rules {
		for _, c := range r.Cases {
			var parts []string
			plain := true
			for i := range c.Lines {
				k := s.Kind(c, i)
				plain = plain && (k == report.Passed || k == report.NotMeant)
				parts = append(parts, fmt.Sprintf("%d: %s %s", i+1, report.Sign(k), t(string(k))))
			}
			if plain {
				continue
			}
			if !any {
				a.heading(t("not-everywhere"))
				any = true
			}
			a.item("• ", fmt.Sprintf("%s (%s)", c.ID, r.Name(a.lang)), 2)
			a.para(strings.Join(parts, " · "), 4)
		}
	}
	if !any {
		a.println(t("all-everywhere"))
	}
}

// figures are figures in little room.
func figures(f report.Figures) string {
	switch f.Cases {
	case 0:
		return "–"
	case f.NotMeant:
		return fmt.Sprintf("%s%d", report.Sign(report.NotMeant), f.Cases)
	}
	text := fmt.Sprintf("%d/%d", f.Passed, f.Cases)
	for _, k := range report.Kinds[1:] {
		if n := f.Of(k); n > 0 {
			text += fmt.Sprintf(" %s%d", report.Sign(k), n)
		}
	}
	return text
}

// differed shows what changed from one record to another.
func (a *app) differed(d *report.Diff) {
	t := func(key string, args ...any) string { return report.Text(a.lang, key, args...) }
	a.heading(diag.Printable(d.Title(a.lang)))
	for _, n := range d.Notes(a.lang) {
		a.para(n, 2)
	}
	if len(d.Changes) == 0 {
		a.println(t("diff-same"))
		return
	}
	for _, w := range report.Ways {
		if n := d.Count(w); n > 0 {
			a.println("")
			a.println(a.bold(fmt.Sprintf("%s (%d)", t("diff-"+string(w)), n)))
		}
		for _, c := range d.Changes {
			if c.Way != w {
				continue
			}
			text := fmt.Sprintf("%s (%s): %s", c.ID, c.Where(a.lang), c.Verdicts(a.lang))
			if !c.Counts {
				text += " (" + t("diff-not-count") + ")"
			}
			a.item("• ", text, 2)
			if c.Detail != "" {
				a.para(diag.Printable(c.Detail), 4)
			}
		}
	}
	a.println("")
	a.println(a.bold(t("by-rule")))
	for _, r := range d.Rules {
		a.item(pad(fmt.Sprintf("%s  %s", r.Where(a.lang), t(r.Status)), 24), figures(r.Old)+" → "+figures(r.New), 2)
	}
	a.println("")
	a.println(d.Totals(a.lang))
}
