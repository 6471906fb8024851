package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/momon-rules/momon/cmd/momon/internal/changelog"
	"github.com/momon-rules/momon/conformance/export"
	"github.com/momon-rules/momon/conformance/prove"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/diff"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
)

// gate is something that a pack must pass before it is released. It does what a
// command does that people can give themselves, so that they see the same.
type gate struct {
	name   string
	needs  []string // gates without which it can't be run, and those that they need
	weaker []string // of these, those without which it can be run and says less
	must   bool     // it can't be left out: others rely on it
	run    func(r *releaser, res *gateJSON)
}

// gates are all of them, in order.
func gates() []gate {
	return []gate{
		{name: "format", run: (*releaser).gateFormat},
		{name: "check", must: true, run: (*releaser).gateCheck},
		{name: "tests", needs: []string{"check"}, run: (*releaser).gateTests},
		{name: "covers", needs: []string{"check", "tests"}, run: (*releaser).gateCovers}, // a case that fails anyhow proves nothing
		{name: "mutants", needs: []string{"check", "tests"}, run: (*releaser).gateMutants},
		{name: "languages", needs: []string{"check"}, run: (*releaser).gateLanguages},
		{name: "diff", needs: []string{"check"}, run: (*releaser).gateDiff},
		{name: "version", needs: []string{"check", "diff"}, weaker: []string{"diff"}, must: true, run: (*releaser).gateVersion},
		{name: "changelog", needs: []string{"check", "diff"}, weaker: []string{"diff"}, run: (*releaser).gateChangelog},
		{name: "export", needs: []string{"check"}, run: (*releaser).gateExport},
		{name: "lock", run: (*releaser).gateLock},
		{name: "git", run: (*releaser).gateGit},
	}
}

// green and red say what came of a gate.
func (res *gateJSON) green(says string) { res.Status, res.Says = gateGreen, says }
func (res *gateJSON) red(says, show string) {
	res.Status, res.Says, res.Show = gateRed, says, show
}

// broke says that a gate could not be looked at, and why.
func (r *releaser) broke(res *gateJSON, err error, show string) {
	res.red(r.t("gate-broke", strings.Join(strings.Fields(r.fault(err)), " ")), show)
}

func (r *releaser) gateFormat(res *gateJSON) {
	show := r.command("fmt --check", r.dir)
	s, b := r.apart()
	if err := s.fmt([]string{r.dir}, layout{check: true, eol: "keep"}); err != nil && !errors.Is(err, errFound) {
		r.broke(res, err, show)
		return
	}
	var out struct {
		Files       []laid
		Diagnostics []json.RawMessage
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		r.broke(res, err, show)
		return
	}
	for _, f := range out.Files {
		if f.Changed {
			res.Details = append(res.Details, diag.Printable(f.File))
		}
	}
	switch {
	case len(out.Diagnostics) > 0:
		res.red(r.t("gate-format-broken"), show)
	case len(res.Details) > 0:
		res.red(r.t("gate-format-red", len(res.Details), len(out.Files)), show)
	default:
		res.green(r.t("gate-format", len(out.Files)))
	}
}

func (r *releaser) gateCheck(res *gateJSON) {
	r.cant = true
	show := r.command("check --strict", r.dir)
	s, _ := r.apart()
	all, own, err := s.argued([]string{r.dir}, true)
	if err == nil {
		r.diags, err = s.find(all)
	}
	if err != nil && !errors.Is(err, interpreter.ErrRules) {
		r.broke(res, err, show)
		return
	}
	r.within = func(file string) bool { return within(file, own) }
	shown, count, accepted := s.counted(r.diags, own, checkOptions{})
	for _, d := range shown {
		if d.Accepted == nil {
			res.Details = append(res.Details, said(d, r.lang))
		}
	}
	r.cant = count[diag.Error] > 0 || r.pack == nil
	says := r.t("checked", count[diag.Error], count[diag.Warning], count[diag.Note])
	if accepted > 0 {
		says += r.t("checked-accepted", accepted)
	}
	if r.cant || count[diag.Warning] > 0 {
		res.red(says, show)
		return
	}
	res.green(says)
}

func (r *releaser) gateTests(res *gateJSON) {
	show := r.commandOn("test")
	s, b := r.stackedApart()
	if err := s.test(nil, "", "", false); err != nil && !errors.Is(err, errFound) {
		r.broke(res, err, show)
		return
	}
	var out struct {
		Run, Failed, Drafts int
		Cases               []struct {
			ID     string
			Passed bool
			Place  interpreter.Place
		}
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		r.broke(res, err, show)
		return
	}
	own, failed := 0, 0 // of its own
	for _, c := range out.Cases {
		mine := r.within(c.Place.File)
		if mine {
			own++
		}
		if !c.Passed {
			res.Details = append(res.Details, c.ID)
			if mine {
				failed++
			}
		}
	}
	switch {
	case out.Failed > 0:
		res.red(r.t("gate-tests-red", failed, out.Failed-failed), show)
	case out.Drafts > 0:
		res.green(r.t("gate-tests", own, out.Run-own) + "; " + r.t("drafts", out.Drafts))
	default:
		res.green(r.t("gate-tests", own, out.Run-own))
	}
}

// ofPack are the words of a part of the proof that is about the pack alone.
func (r *releaser) ofPack(part string) (string, []string) {
	args := []string{"--of", r.dir}
	if r.f.ledger != "" {
		args = append(args, "--ledger", r.f.ledger)
	}
	return "conformance prove " + part, args
}

func (r *releaser) gateCovers(res *gateJSON) {
	words, args := r.ofPack(partCovers)
	show := r.commandOn(words, args...)
	out, err := r.prover(partCovers)
	if err != nil {
		r.broke(res, err, show)
		return
	}
	c := out.Covers
	proven := c.Totals[prove.ByMistake] + c.Totals[prove.ByOwn] + c.Totals[prove.ByShared]
	for _, u := range c.Unproven {
		res.Details = append(res.Details, r.t("statement-unproven", u))
	}
	for i := range c.Claims {
		if k := &c.Claims[i]; k.Proof == prove.Unmoved || k.Proof == prove.Untried {
			res.Details = append(res.Details, r.t("claim", k.Case, r.t(k.Side, k.Ref))+": "+r.t("proof-"+string(k.Proof), k.Tried))
		}
	}
	res.Details = append(res.Details, r.ledgerFaults(c.Ledger)...)
	says := r.t("gate-covers", proven, len(c.Claims), c.Totals[prove.Accepted], c.Statements-len(c.Unproven), c.Statements)
	if len(c.Claims) == 0 && c.Statements == 0 {
		says = r.t("gate-covers-none")
	}
	if c.Failed() {
		res.red(says, show)
		return
	}
	res.green(says)
}

func (r *releaser) ledgerFaults(list []prove.LedgerFault) []string {
	var out []string
	for _, f := range list {
		out = append(out, r.t("ledger-"+f.Code, f.Want, f.Got)+": "+f.Entry)
	}
	return out
}

func (r *releaser) gateMutants(res *gateJSON) {
	words, args := r.ofPack(partMutants)
	out, err := r.prover(partMutants)
	if err != nil {
		r.broke(res, err, r.commandOn(words, append(args, "--no-printed")...))
		return
	}
	m := out.Mutants
	args = append(args, "--no-printed")
	if r.f.sample > 0 && len(m.Mutants) == r.f.sample { // it can be all of them, which a sample as large is too
		args = append(args, "--sample", fmt.Sprint(r.f.sample))
	}
	for i := range m.Mutants {
		if t := &m.Mutants[i]; t.Fate == prove.Survived {
			res.Details = append(res.Details, fmt.Sprintf("%s:%d: %s", t.File, t.Line, t.String()[len(t.File)+2:]))
		}
	}
	faults := r.ledgerFaults(m.Ledger)
	res.Details = append(faults, res.Details...)
	percent := 100
	if m.Rate.Of > 0 {
		percent = m.Rate.Seen * 100 / m.Rate.Of
	}
	says := r.t("gate-mutants", m.Rate.Seen, m.Rate.Of, percent, m.Totals[prove.Excused], r.f.threshold)
	if len(m.Mutants) == 0 && len(faults) == 0 {
		res.green(r.t("gate-mutants-none"))
		return
	}
	if percent < r.f.threshold || len(faults) > 0 {
		res.red(says, r.commandOn(words, args...))
		return
	}
	res.green(says)
	if !slices.Contains(r.f.only, res.Gate) {
		res.Details = nil // they are within what is let pass; prove lists them
	}
}

// untold are the findings that say that people can't read something in a language.
var untold = []string{"missing-text", "no-text", "not-worded"}

func (r *releaser) gateLanguages(res *gateJSON) {
	for _, d := range r.diags {
		if slices.Contains(untold, d.Code) && d.Span.File != nil && r.within(d.Span.File.Name) {
			res.Details = append(res.Details, said(d, r.lang))
		}
	}
	if len(res.Details) > 0 {
		res.red(r.t("gate-languages-red", len(res.Details)), r.command("check --notes --accepted --all", r.dir))
		return
	}
	s, _ := r.stackedApart()
	src, err := s.sources(true)
	if err != nil {
		r.broke(res, err, r.command("check", r.dir))
		return
	}
	p, err := s.loadFrom(src)
	if err != nil {
		r.broke(res, err, r.command("check", r.dir))
		return
	}
	var codes []string
	for _, l := range p.Languages() {
		codes = append(codes, l.Code)
	}
	res.green(r.t("gate-languages", strings.Join(codes, ", ")))
}

// before finds the version that this one follows: "" where there is none.
func (r *releaser) before() (string, error) {
	if r.f.previous != "" {
		return r.f.previous, nil
	}
	list, err := r.shelf()
	if err != nil {
		return "", err
	}
	best, higher := "", []string{}
	for _, s := range list { // by version, upward
		switch {
		case s.Name != r.pack.Name:
		case pack.Compare(s.Version, r.pack.Version) > 0:
			higher = append(higher, s.Version)
		default:
			best = s.Version
		}
	}
	if best != "" {
		return r.pack.Name + "@" + best, nil
	}
	if len(higher) > 0 {
		return "", errors.New(r.t("previous-higher", strings.Join(higher, ", ")))
	}
	return "", nil
}

func (r *releaser) gateDiff(res *gateJSON) {
	old, err := r.before()
	if err != nil {
		r.broke(res, err, r.command("pack list"))
		return
	}
	if old == "" {
		// A changelog that speaks of older versions knows better.
		for _, s := range r.changes() {
			if pack.Compare(s.Version, r.pack.Version) < 0 {
				res.red(r.t("gate-diff-lost", s.Version), r.command("pack list"))
				return
			}
		}
		res.green(r.t("gate-diff-first", r.pack.Name))
		return
	}
	if r.another(res, old) {
		return
	}
	s, _ := r.apart()
	s.with = append(s.with, r.alike(old)...)
	show := "momon diff --cases " + shellQuoted(old) + " " + shellQuoted(r.dir) + s.flagsAgain()
	x, y, err := s.sides(old, r.dir, true)
	switch {
	case errors.Is(err, errFound):
		res.red(r.t("gate-diff-errors", old), show)
		return
	case err != nil:
		r.broke(res, err, show)
		return
	}
	i := slices.IndexFunc(x.Program.Packs("en"), func(p interpreter.PackInfo) bool { return p.Name == r.pack.Name })
	if i < 0 {
		res.red(r.t("gate-diff-other", old, r.pack.Name), r.command("version --with", old))
		return
	}
	r.last = x.Program.Packs("en")[i].Version
	if p, err := s.archived(old); err == nil {
		r.old = p
	}
	rep := diff.Compare(x, y)
	if err := rep.PlayCases(r.ctx); err != nil {
		r.broke(res, err, show)
		return
	}
	r.report, r.prev, r.shown = rep, old, show
	res.green(r.t("gate-diff", old, len(rep.Changes), len(rep.Suite), len(rep.Step.Lines)) + r.readOn(old, x.Program))
	for _, reason := range rep.Step.Reasons {
		res.Details = append(res.Details, diff.Text(r.lang, "why-"+reason.Why, reason.What))
	}
	if !slices.Contains(r.f.only, res.Gate) {
		res.Details = nil
	}
}

// packBefore is the pack that the version before is named as.
func (r *releaser) packBefore(old string) (*pack.Pack, error) {
	s, _ := r.apart()
	if old != diff.InForce {
		return s.packNamed(old)
	}
	built, err := builtinPacks()
	if err != nil {
		return nil, err
	}
	for _, p := range built {
		if p.Name == r.pack.Name {
			return p, nil
		}
	}
	return nil, errors.New(r.t("gate-diff-other", old, r.pack.Name))
}

// another refuses what is not a version of this pack.
func (r *releaser) another(res *gateJSON, old string) bool {
	p, err := r.packBefore(old)
	if err != nil || p.Name == r.pack.Name {
		return false // what is wrong with it is told where it is read
	}
	show := r.command("version --with", old)
	if _, ok := revisionOf(old); ok && !exists(old) {
		show = r.command("diff", old, r.dir)
	}
	res.red(r.t("gate-diff-another", old, p.ID(), r.pack.Name), show)
	return true
}

// readOn says on which packs, of those that are not built in, a version before was read,
// since its verdict is one about it on these.
func (r *releaser) readOn(old string, p *interpreter.Program) string {
	built, err := builtinPacks()
	if err != nil {
		return ""
	}
	var list []string
	for _, on := range p.Packs("en") {
		if on.Name != r.pack.Name && !slices.ContainsFunc(built, func(b *pack.Pack) bool { return b.Name == on.Name }) {
			list = append(list, on.Name+" "+on.Version)
		}
	}
	if len(list) == 0 {
		return ""
	}
	key := "gate-diff-lockless"
	if l, err := r.lockOfSide(old); err == nil && l != nil {
		key = "gate-diff-locked"
	}
	return r.t(key, strings.Join(list, ", "))
}

// alike are the packs from the store that the version before is to stand on too, so that
// what changed in them does not count as a change of this one: those of the lock, where
// they fit. One with a lock of its own, in a folder or a revision, is read on that.
func (r *releaser) alike(old string) []string {
	l, _, err := r.lockOf(r.dir)
	if err != nil || l == nil {
		return nil // a lock that can't be read is told of by another gate
	}
	if own, err := r.lockOfSide(old); err != nil || own != nil {
		return nil // what is wrong with it is told where it is read
	}
	s, _ := r.apart()
	p, err := s.archived(old)
	var out []string
	for _, k := range l.Packs {
		if k.Raw == "" || r.readAlready(k.Name) {
			continue
		}
		if err == nil && slices.ContainsFunc(p.Stands, func(on pack.Stand) bool { return on.Name == k.Name && !on.Fits(k.Version) }) {
			return nil
		}
		out = append(out, k.Name+"@"+k.Version)
	}
	return out
}

// archived opens what is named if it is an archive or in the store.
func (a *app) archived(name string) (*pack.Pack, error) {
	raw, _, err := a.byVersion(name)
	if err != nil {
		return nil, err
	}
	if raw != "" {
		p, _, err := a.fromStore(raw)
		return p, err
	}
	if !isArchive(name) {
		return nil, fs.ErrNotExist
	}
	return a.trusted(name)
}

func (r *releaser) gateVersion(res *gateJSON) {
	given := r.pack.Version
	if r.report == nil {
		old, err := r.before()
		switch {
		case r.results["diff"].Status != gateSkipped || err == nil && old == "":
			res.green(r.t("gate-version-first", given))
		case err != nil:
			r.broke(res, err, r.command("pack list"))
		default:
			r.higher(res, old)
		}
		return
	}
	size := r.report.Step.Size
	to := diff.Next(r.last, size)
	same := r.old != nil && r.old.Raw == r.pack.Raw
	if size == diff.None && r.old != nil && !same {
		size, to = diff.Patch, diff.Next(r.last, diff.Patch) // two archives must not have one version
	}
	switch {
	case same:
		res.green(r.t("gate-version-same", given))
	case diff.Promises(given, r.last, to):
		res.green(r.t("gate-version", given, r.last, diff.Text(r.lang, "step-"+string(size))))
	default:
		res.red(r.t("gate-version-red", given, r.last, to), r.shown)
		for _, reason := range r.report.Step.Reasons {
			if reason.Size == size {
				res.Details = append(res.Details, diff.Text(r.lang, "why-"+reason.Why, reason.What))
			}
		}
		if len(res.Details) == 0 {
			res.Details = append(res.Details, r.t("version-other-bytes", r.prev))
			res.Show = r.command("pack show", r.dir)
		}
	}
}

// higher sees that a version is above the one before, where nothing else is known.
func (r *releaser) higher(res *gateJSON, old string) {
	if r.another(res, old) {
		return
	}
	p, err := r.packBefore(old)
	if err != nil {
		r.broke(res, err, r.command("diff", old, r.dir))
		return
	}
	s, _ := r.apart()
	_, notArchive := s.archived(old)
	given := r.pack.Version
	switch c := pack.Compare(given, p.Version); {
	case c > 0:
		res.green(r.t("gate-version-unseen", given))
	case c == 0 && p.Raw == r.pack.Raw:
		res.green(r.t("gate-version-same", given))
	case c == 0 && notArchive != nil: // that is still at work on, and may be this one
		res.green(r.t("gate-version-again", given))
	default:
		res.red(r.t("gate-version-red", given, p.Version, diff.Next(p.Version, diff.Patch)), r.command("pack show", r.dir))
	}
}

// changelogs are the names of the files in which a changelog can stand.
var changelogs = []string{"CHANGELOG.md", "CHANGELOG.th.md"}

// changes is the changelog of the pack.
func (r *releaser) changes() []changelog.Section {
	var out []changelog.Section
	for _, name := range changelogs {
		if data, err := fs.ReadFile(r.pack.FS(), name); err == nil {
			out = append(out, changelog.Read(string(data))...)
		}
	}
	return out
}

func (r *releaser) gateChangelog(res *gateJSON) {
	s, _ := r.apart()
	s.lang = r.lang
	show := "momon pack release " + shellQuoted(r.dir) + " --dry-run --gate changelog"
	if r.f.previous != "" {
		show += " --previous " + shellQuoted(r.f.previous)
	}
	show += r.flagsAgain()
	if r.report != nil && r.report.Step.Size == diff.None && r.last == r.pack.Version {
		res.green(r.t("gate-changelog-same"))
		return
	}
	var langs []string
	for l := range r.pack.Texts {
		langs = append(langs, l)
	}
	if slices.Sort(langs); len(langs) == 0 {
		langs = []string{"en", "th"}
	}
	items, ok := changelog.Of(r.changes(), r.pack.Version)
	if !ok {
		res.Details = append(res.Details, r.t("changelog-heading", changelogs[0], r.pack.Version))
	}
	for _, l := range langs {
		if !changelog.Says(items, l, "", "") {
			res.Details = append(res.Details, r.t("changelog-nothing", l))
		}
	}
	flips := 0
	if r.report != nil {
		flips = len(r.report.Step.Lines)
		for _, e := range r.report.Step.Lines {
			i := slices.IndexFunc(r.report.Cases.Flips, func(f diff.Flip) bool { return f.ID == e.Case })
			for _, l := range langs {
				title := r.report.Cases.Flips[i].Title[l]
				if title == "" {
					title = r.report.Cases.Flips[i].Title["en"]
				}
				if !changelog.Says(items, l, e.Case, title) {
					res.Details = append(res.Details, r.t("changelog-case", e.Case, l, e.Text[l]))
				}
			}
		}
	}
	switch {
	case len(res.Details) > 0:
		res.red(r.t("gate-changelog-red", len(res.Details)), show)
	case r.results["diff"].Status == gateSkipped:
		res.green(r.t("gate-changelog-unseen", r.pack.Version))
	default:
		res.green(r.t("gate-changelog", r.pack.Version, flips))
	}
}

// suiteFolder is where an exported suite lies with the pack, or "".
func (r *releaser) suiteFolder() string {
	if r.f.suite != "" {
		return r.f.suite
	}
	for _, dir := range []string{"suite", "conformance/suite"} {
		if dir = filepath.Join(r.dir, filepath.FromSlash(dir)); exists(filepath.Join(dir, export.Index)) {
			return dir
		}
	}
	return ""
}

func (r *releaser) gateExport(res *gateJSON) {
	dir := r.suiteFolder()
	if dir == "" {
		res.green(r.t("gate-export-none"))
		return
	}
	show := r.commandOn("conformance export --check", dir)
	s, b := r.stackedApart()
	if err := s.export(dir, true); err != nil && !errors.Is(err, errFound) {
		r.broke(res, err, show)
		return
	}
	var out struct {
		Cases   int
		Changed []string
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		r.broke(res, err, show)
		return
	}
	if res.Details = out.Changed; len(out.Changed) > 0 {
		res.red(r.t("gate-export-red", filepath.ToSlash(dir), len(out.Changed)), show)
		return
	}
	res.green(r.t("gate-export", filepath.ToSlash(dir), out.Cases))
}

func (r *releaser) gateLock(res *gateJSON) {
	s, _ := r.apart()
	l, _, err := s.lockOf(r.dir)
	if err == nil && l == nil {
		res.green(r.t("gate-lock-none"))
		return
	}
	if err == nil {
		err = s.lockHolds(r.dir)
	}
	if err != nil {
		r.broke(res, err, r.command("pack lock --check", r.dir))
		return
	}
	res.green(r.t("gate-lock", len(l.Packs)))
}

// lockHolds sees that a lock says what the folder beside it stands on, and that what
// it says is to be had.
func (a *app) lockHolds(dir string) error {
	l, file, err := a.lockOf(dir)
	if err != nil {
		return err
	}
	if l == nil {
		return errors.New(a.t("lock-none", filepath.ToSlash(dir)))
	}
	p, err := a.openPack(dir)
	if err != nil {
		return err
	}
	built, err := builtinPacks()
	if err != nil {
		return err
	}
	known := map[string]pack.Locked{}
	for _, k := range l.Packs {
		var q *pack.Pack
		switch i := slices.IndexFunc(built, func(b *pack.Pack) bool { return b.Name == k.Name }); {
		case k.Raw == "" && i < 0, k.Raw == "" && built[i].Content != k.Content:
			if !a.readAlready(k.Name) { // reading it sees whether it is that one
				return errors.New(a.t("lock-not-built-in", filepath.ToSlash(file), k.Name+" "+k.Version))
			}
		case k.Raw == "":
			q = built[i]
		default:
			name := ""
			if q, name, err = a.fromStore(k.Raw); err != nil {
				return fmt.Errorf("%s: %w", filepath.ToSlash(file), err)
			}
			if q.Name != k.Name || q.Version != k.Version || q.Content != k.Content {
				return errors.New(a.t("lock-other", filepath.ToSlash(file), k.Name+" "+k.Version, filepath.ToSlash(name)))
			}
		}
		if q != nil {
			k.Stands = q.Stands
		}
		known[k.Name] = k
	}
	need, err := pack.Resolve(p.Name, p.Stands, func(name string) []pack.Locked {
		if k, ok := known[name]; ok {
			return []pack.Locked{k}
		}
		return nil
	})
	if err != nil {
		return refused(filepath.ToSlash(file), err)
	}
	for _, k := range l.Packs {
		if !slices.ContainsFunc(need.Packs, func(n pack.Locked) bool { return n.Name == k.Name }) {
			return errors.New(a.t("lock-extra", filepath.ToSlash(file), k.Name))
		}
	}
	return nil
}

func (r *releaser) gateGit(res *gateJSON) {
	show := "git -C " + shellQuoted(r.dir) + " status --short ."
	if _, err := exec.LookPath("git"); err != nil {
		res.green(r.t("gate-git-none"))
		return
	}
	if _, err := git(r.ctx, nil, "-C", r.dir, "rev-parse", "--show-toplevel"); err != nil {
		if inRepository(r.dir) { // it is one, and git won't look at it
			r.broke(res, err, show)
		} else {
			res.green(r.t("gate-git-none"))
		}
		return
	}
	files, err := git(r.ctx, nil, "-C", r.dir, "ls-files", "-z", "--", ".")
	if err == nil && len(files) == 0 {
		res.red(r.t("gate-git-unknown"), "git -C "+shellQuoted(r.dir)+" status --short --ignored .")
		return
	}
	var list []byte
	prefix := "" // where the pack lies in the repository: status names files from its top
	if err == nil {
		var out []byte
		out, err = git(r.ctx, nil, "-C", r.dir, "rev-parse", "--show-prefix")
		prefix = strings.TrimRight(string(out), "\r\n")
	}
	if err == nil {
		list, err = git(r.ctx, nil, "-C", r.dir, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", ".")
	}
	if err != nil {
		r.broke(res, err, show)
		return
	}
	listed := map[string]bool{}
	for _, name := range bytes.Split(files, []byte{0}) {
		listed[string(name)] = true
	}
	for _, entry := range bytes.Split(list, []byte{0}) {
		if len(entry) < 4 {
			continue
		}
		name := string(entry[3:])
		if string(entry[:2]) == "??" && (path.Ext(name) == pack.Ext || strings.Contains(path.Base(name), pack.Ext+".") && path.Ext(name) == trust.Ext) {
			continue // what earlier releases made
		}
		listed[strings.TrimPrefix(name, prefix)] = true
		res.Details = append(res.Details, strings.TrimSpace(string(entry[:2]))+" "+diag.Printable(name))
	}
	for _, f := range r.pack.Files { // what git is told to ignore would be released all the same
		if !listed[f.Path] {
			res.Details = append(res.Details, "!! "+diag.Printable(f.Path))
			show = "git -C " + shellQuoted(r.dir) + " status --short --ignored ."
		}
	}
	if len(res.Details) > 0 {
		res.red(r.t("gate-git-red", len(res.Details)), show)
		return
	}
	at, err := git(r.ctx, nil, "-C", r.dir, "rev-parse", "--short", "HEAD")
	if err != nil {
		r.broke(res, err, show)
		return
	}
	res.green(r.t("gate-git", strings.TrimSpace(string(at))))
}

// inRepository reports whether a folder lies in what looks like a git repository.
func inRepository(dir string) bool {
	for d := realPath(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return true
		}
		if d == filepath.Dir(d) {
			return false
		}
	}
}
