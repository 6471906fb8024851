package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/conformance"
	"github.com/momon-rules/momon/conformance/compare"
	"github.com/momon-rules/momon/conformance/fakes"
	"github.com/momon-rules/momon/conformance/protocol"
	"github.com/momon-rules/momon/conformance/prove"
	"github.com/momon-rules/momon/conformance/report"
	"github.com/momon-rules/momon/conformance/runner"
	"github.com/momon-rules/momon/interpreter"
)

// proveFlags are what conformance prove can be told.
type proveFlags struct {
	run, covers, ledger, fakes, second string
	of                                 []string
	jobs, sample, scenarios            int
	modules                            []string
	seed                               uint64
	whole, write, check, verbose       bool
	ruling                             bool
}

// The parts of a proof, in the order in which they are made.
const (
	partCovers   = "covers"
	partMutants  = "mutants"
	partFakes    = "fakes"
	partTwins    = "twins"
	partTrips    = "round-trips"
	partCompare  = "compare"
	partModules  = "modules"
	partCoverage = "coverage"
)

var proveParts = []string{partCovers, partMutants, partFakes, partTwins, partTrips, partCompare, partModules, partCoverage}

// Where a whole proof is written down, in a checkout.
const (
	proofFile    = "conformance/proof.json"
	coverageFile = "docs/coverage.md"
)

func (a *app) proveCmd() *cobra.Command {
	var f proveFlags
	c := &cobra.Command{
		Use:   "prove [PART…]",
		Short: "Show that the cases are good",
		Long: `Shows that the cases see what they say they see. The parts, all unless named:

  covers       a case fails as soon as what it covers is broken
  mutants      small changes of the rules are each seen by a case
  fakes        programs that are wrong on purpose are caught
  twins        cases told otherwise, or saved in between, come out alike
  round-trips  layout, export and replay give back what they were given
  compare      random scenarios come out alike by the second implementation
  modules      the rules beside the game's own are seen by their own cases
  coverage     what there is for each statement

With --with, the rules of those folders or packs are proven by their own cases
alone; --of names others, or some of them, and the rest is only read. The ledger,
ledger.json in the folder, says which mutants no case can see, and why. Exit status 1 means that a proof failed.
docs/conformance.md tells more.`,
		Example: `  momon conformance prove
  momon conformance prove mutants --covers 13.2 -v
  momon conformance prove mutants --sample 50 --seed 7
  momon conformance prove --with ./my-keywords
  momon conformance prove --with ./base --with ./mine --of ./mine
  momon conformance prove fakes --run '^on-'
  momon conformance prove --check`,
		Args: func(c *cobra.Command, args []string) error {
			for _, p := range args {
				if !slices.Contains(proveParts, p) {
					return &misuse{a.t("no-part", p, strings.Join(proveParts, ", ")), c}
				}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.prove(f, args) },
	}
	fl := c.Flags()
	fl.StringVar(&f.run, "run", "", "only cases, mutants and fakes that fit the regular expression `RE`")
	fl.StringVar(&f.covers, "covers", "", "only what speaks to a statement's `KEY`, or to a rule and those below it")
	fl.IntVar(&f.sample, "sample", 0, "only `N` mutants, picked by chance")
	fl.Uint64Var(&f.seed, "seed", 1, "the seed `N` of that chance")
	fl.StringArrayVar(&f.of, "of", nil, "only the rules of `DIR` are proven; it is read with --with or --rules (repeatable)")
	fl.BoolVar(&f.ruling, "no-printed", false, "no mutants of decks, and of the values that cards are printed with")
	fl.StringVar(&f.ledger, "ledger", "", "the ledger in `FILE`, in place of ledger.json in the folder: mutants that no case can see, with the reason")
	fl.StringVar(&f.fakes, "fakes", "", "the mistakes in `FILE`, in place of the built-in table")
	fl.StringVar(&f.second, "second", "conformance/second", "where the second implementation lies, built: `DIR`")
	fl.IntVar(&f.scenarios, "scenarios", 500, "how many random scenarios to compare, `N`")
	fl.StringSliceVar(&f.modules, "modules", []string{"rules/gallery", "rules/also"}, "the modules that are proven: `DIR`, or all in it")
	fl.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "how many to try at once, `N`; the result is the same")
	fl.BoolVar(&f.whole, "whole", false, "ask each fake all cases, not those about it and a sample of the others")
	fl.BoolVar(&f.write, "write", false, "write down what came of it: conformance/proof.json and docs/coverage.md")
	fl.BoolVar(&f.check, "check", false, "see that what was written down is what comes of it")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "name everything that was tried")
	return c
}

func (a *app) fakeCmd() *cobra.Command {
	var second string
	c := &cobra.Command{
		Use:   "fake [NAME]",
		Short: "Answer the suite wrongly, on purpose",
		Long: `Speaks the protocol as a program that is wrong on purpose, to see what a report on
it looks like. Without NAME it lists them. Some are this engine by changed rules,
some are the second implementation, changed, which needs Node and must be built.`,
		Example: `  momon conformance fake
  momon conformance run -- momon conformance fake floor-each`,
		Args: a.takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listFakes()
			}
			return a.fake(args[0], second)
		},
	}
	c.Flags().StringVar(&second, "second", "conformance/second", "where the second implementation lies, built: `DIR`")
	return c
}

func (a *app) listFakes() error {
	list, err := fakes.Table()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(list)
	}
	for _, f := range list {
		a.item("• ", f.Name+": "+report.InLang(f.Title, a.lang), 2)
	}
	return nil
}

func (a *app) fake(name, second string) error {
	f, err := fakes.Find(name)
	if err != nil {
		return errors.New(a.t("no-fake", name))
	}
	switch f.Made {
	case fakes.None:
		return f.Speak(interpreter.ExportFeatures(), interpreter.ExportQuestions(), a.in, a.out)
	case fakes.Second:
		program, clean, err := a.build(f, second)
		if err != nil {
			return err
		}
		defer clean()
		cmd := exec.Command(node, program)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.out, a.err
		return cmd.Run()
	}
	src, err := a.sources(true)
	if err != nil {
		return err
	}
	if src, err = f.Rules(src); err != nil {
		return errors.New(a.unfit(err))
	}
	s, _, err := interpreter.NewStage(src, interpreter.Options{Edition: a.edition})
	if errors.Is(err, interpreter.ErrRules) {
		_, err = a.loadFrom(src)
	}
	if err != nil {
		return err
	}
	return protocol.Serve(&own{a: a, s: s, name: "fake " + f.Name}, a.in, a.out)
}

// node runs the second implementation.
const node = "node"

// built sees that the second implementation can be run.
func (a *app) built(second string) error {
	if _, err := os.Stat(filepath.Join(second, filepath.FromSlash(fakes.Program))); err != nil {
		return errors.New(a.t("second-unbuilt", second))
	}
	if _, err := exec.LookPath(node); err != nil {
		return errors.New(a.t("needs-node"))
	}
	return nil
}

// build makes a fake of the second implementation.
func (a *app) build(f *fakes.Fake, second string) (program string, clean func(), err error) {
	if err := a.built(second); err != nil {
		return "", nil, err
	}
	if program, clean, err = f.Build(second); err != nil {
		err = errors.New(a.unfit(err))
	}
	return program, clean, err
}

// unfit words an edit that does not fit its file.
func (a *app) unfit(err error) string {
	var m *fakes.Misfit
	if errors.As(err, &m) {
		return a.t("fake-misfit", m.Fake, m.File, m.Times, m.Old)
	}
	return a.fault(err)
}

// proof is what came of the parts; those that were not made are absent.
type proof struct {
	Covers   *prove.CoverReport  `json:"covers,omitempty"`
	Mutants  *prove.MutantReport `json:"mutants,omitempty"`
	Fakes    *prove.FakeReport   `json:"fakes,omitempty"`
	Twins    *prove.CheckReport  `json:"twins,omitempty"`
	Trips    *prove.CheckReport  `json:"round_trips,omitempty"`
	Compare  *prove.Comparison   `json:"compare,omitempty"`
	Modules  []moduleProof       `json:"modules,omitempty"`
	Coverage []prove.Row         `json:"coverage,omitempty"`
	Of       []string            `json:"of"`      // the folders whose rules are proven
	Alone    bool                `json:"alone"`   // by their own cases
	Ledgers  []string            `json:"ledgers"` // that were read, but for the built-in one
	Stale    []string            `json:"stale,omitempty"`
	Failed   bool                `json:"failed"`
}

// moduleProof is what came of a module by its own cases.
type moduleProof struct {
	Module  string              `json:"module"`
	Covers  *prove.CoverReport  `json:"covers"`
	Mutants *prove.MutantReport `json:"mutants"`
	cases   int
}

// failed reports whether a part fails that was made.
func (p *proof) failed() bool {
	for i := range p.Modules {
		if m := &p.Modules[i]; m.Covers.Failed() || m.Mutants.Failed() {
			return true
		}
	}
	return p.Covers != nil && p.Covers.Failed() || p.Mutants != nil && p.Mutants.Failed() || p.Fakes != nil && p.Fakes.Failed() ||
		p.Twins != nil && p.Twins.Failed() || p.Trips != nil && p.Trips.Failed() || p.Compare != nil && p.Compare.Failed() || len(p.Stale) > 0
}

// prover makes a proof.
type prover struct {
	*app
	f      proveFlags
	run    *regexp.Regexp
	set    *prove.Set
	suite  *runner.Suite
	of     []string // the sources that are proven
	alone  bool     // by their own cases: they stand on other rules
	fakes  []fakes.Fake
	wrong  []prove.Wrong
	ledger *prove.Ledger
	books  []string            // where ledgers were read, but for the built-in one
	start  map[string][]string // how the fakes are started
	clean  []func()
}

func (a *app) prove(f proveFlags, parts []string) error {
	if f.write && f.check {
		return errors.New(a.t("write-or-check"))
	}
	if (f.write || f.check) && (len(parts) > 0 || f.ledger != "" || f.fakes != "" || f.run != "" || f.covers != "" || f.sample > 0 || f.ruling || len(a.with) > 0 || len(f.of) > 0) {
		return errors.New(a.t("write-whole"))
	}
	if f.sample < 0 || f.jobs < 1 || f.scenarios < 1 {
		return errors.New(a.t("prove-numbers"))
	}
	// What was started and copied is ended and removed when somebody gives up.
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	a.ctx = ctx
	p, err := a.newProver(f)
	if p != nil {
		defer p.close()
	}
	if err != nil {
		return err
	}
	if (f.write || f.check) && !p.builtIn() {
		return errors.New(a.t("write-whole"))
	}
	if len(parts) == 0 {
		parts = p.defaults()
	}
	out := &proof{Of: p.of, Alone: p.alone, Ledgers: append([]string{}, p.books...)}
	p.tellOf()
	if err := p.make(parts, out); err != nil {
		if ctx.Err() != nil {
			err = errors.New(a.t("proof-given-up"))
		}
		return err
	}
	if f.write || f.check {
		if err := p.writeDown(out); err != nil {
			return err
		}
	}
	out.Failed = out.failed()
	if a.json {
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else if out.Failed {
		a.println(a.t("proof-failed"))
	} else {
		a.println(a.t("proof-holds"))
	}
	if out.Failed {
		return errFound
	}
	return nil
}

// defaults are the parts that are made where none is named: of folders of one's own,
// those that speak of these alone.
func (p *prover) defaults() []string {
	if p.alone {
		return []string{partCovers, partMutants}
	}
	if p.f.run != "" || p.f.covers != "" || p.f.sample > 0 {
		return []string{partCovers, partMutants, partFakes}
	}
	return proveParts
}

func (a *app) newProver(f proveFlags) (*prover, error) {
	p := &prover{app: a, f: f, start: map[string][]string{}}
	if f.run != "" {
		re, err := regexp.Compile(f.run)
		if err != nil {
			return nil, errors.New(a.t("bad-regexp", f.run, err))
		}
		p.run = re
	}
	src, err := a.sources(true)
	if err != nil {
		return nil, err
	}
	if p.set, err = prove.Open(a.ctx, src, a.edition); err != nil {
		if errors.Is(err, interpreter.ErrRules) {
			_, err = a.loadFrom(src) // which tells what is wrong
		}
		return nil, err
	}
	if len(p.set.Cases()) == 0 {
		return nil, errors.New(a.t("no-cases-at-all"))
	}
	if p.of, p.alone, err = p.proven(src); err != nil {
		return nil, err
	}
	return p, p.readLedger()
}

// ledgerFiles are where a ledger lies in a folder of rules: beside them, or with the
// cases of a project.
var ledgerFiles = []string{"ledger.json", "conformance/ledger.json"}

// readLedger reads the ledger that is named, or those that lie in the folders that are
// proven, or the one of the built-in rules.
func (p *prover) readLedger() error {
	var langs []string
	for _, l := range p.set.Program().Languages() {
		langs = append(langs, l.Code)
	}
	p.ledger = &prove.Ledger{}
	read := func(name string, data []byte, from ...string) error {
		l, err := prove.ReadLedger(data, langs)
		if err != nil {
			return errors.New(p.t("bad-ledger", name, err))
		}
		l.Seen(p.set.Has, from...)
		p.ledger.Mutants = append(p.ledger.Mutants, l.Mutants...)
		p.ledger.Claims = append(p.ledger.Claims, l.Claims...)
		if name != "" {
			p.books = append(p.books, name)
		}
		return nil
	}
	if p.f.ledger != "" {
		data, err := os.ReadFile(p.f.ledger)
		if err != nil {
			return err
		}
		return read(p.f.ledger, data, filepath.ToSlash(filepath.Dir(p.f.ledger)))
	}
	for _, dir := range p.toProve() {
		for _, f := range ledgerFiles {
			name := filepath.Join(dir, filepath.FromSlash(f))
			data, err := os.ReadFile(name)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // dir can be an archive
				continue
			}
			if err != nil {
				return err
			}
			if err := read(filepath.ToSlash(name), data, filepath.ToSlash(dir)); err != nil {
				return err
			}
		}
	}
	if len(p.toProve()) == 0 {
		return read("", conformance.Ledger)
	}
	return nil
}

// toProve are the folders that a proof is about: those of --of, else of --with, else of
// --rules.
func (p *prover) toProve() []string {
	switch {
	case len(p.f.of) > 0:
		return p.f.of
	case len(p.with) > 0:
		return p.with
	}
	return p.rules
}

// proven are the names of the sources that a proof is about, and whether they stand on
// rules that are not looked at. Of a project with a whole game these are its rules, and
// all cases speak to them; its cards are examples.
func (p *prover) proven(src []interpreter.Source) (of []string, alone bool, err error) {
	rules, named := builtin(false)[0].Name, len(p.f.of) > 0
	if len(p.toProve()) == 0 {
		return []string{rules}, false, nil
	}
	var whole []string
	for _, dir := range p.toProve() {
		list, err := p.folder(dir, true)
		if err != nil {
			return nil, false, err
		}
		for _, s := range list {
			if named && !slices.ContainsFunc(src, func(t interpreter.Source) bool { return t.Name == s.Name }) {
				return nil, false, errors.New(p.t("of-unread", dir))
			}
			of = append(of, s.Name)
			if path.Base(s.Name) == rules && declaresGame(s.FS) {
				whole = append(whole, s.Name)
			}
		}
	}
	if len(whole) > 0 && (named || len(p.with) == 0) {
		return whole, false, nil
	}
	return of, len(of) < len(src), nil
}

func (p *prover) close() {
	for _, c := range p.clean {
		c()
	}
}

// table reads the fakes that are wanted and makes them ready to start. Where nothing
// else is made, those are enough whose names fit.
func (p *prover) table(alone bool) error {
	if p.fakes != nil {
		return nil
	}
	list, err := fakes.Table()
	switch {
	case p.f.fakes != "":
		data, err := os.ReadFile(p.f.fakes)
		if err != nil {
			return err
		}
		if list, err = fakes.Read(data); err != nil {
			return errors.New(p.t("bad-fakes", p.f.fakes, err))
		}
	case err != nil:
		return err
	case !p.builtIn():
		list = nil // they are of the built-in rules
	}
	p.fakes = []fakes.Fake{}
	for _, f := range list {
		refs := prove.Refs(f.Breaks)
		if p.f.covers != "" && !slices.ContainsFunc(refs, func(r prove.Ref) bool { return r.Under(p.f.covers) }) || alone && p.run != nil && !p.run.MatchString(f.Name) {
			continue
		}
		p.fakes = append(p.fakes, f)
	}
	if p.suite == nil {
		if p.suite, err = suiteOf(""); err != nil {
			return err
		}
	}
	for i := range p.fakes {
		if f := &p.fakes[i]; f.Made == fakes.Second {
			program, clean, err := p.build(f, p.f.second)
			if err != nil {
				return err
			}
			p.clean = append(p.clean, clean)
			p.start[f.Name] = []string{node, program}
		}
	}
	if p.wrong, err = p.set.Mistakes(p.suite, p.fakes, p.command); err != nil {
		return errors.New(p.unfit(err))
	}
	return nil
}

// command starts a fake.
func (p *prover) command(name string) []string {
	if c := p.start[name]; c != nil {
		return c
	}
	c := []string{self(), "conformance", "fake", name}
	for _, dir := range p.rules {
		c = append(c, "--rules", dir)
	}
	for _, dir := range p.with {
		c = append(c, "--with", dir)
	}
	return c
}

// self is this program, as it was called.
func self() string {
	if p, err := exec.LookPath(os.Args[0]); err == nil {
		return p
	}
	if p, err := os.Executable(); err == nil {
		return p
	}
	return os.Args[0]
}

func (p *prover) options(part string) prove.Options {
	o := prove.Options{Jobs: p.f.jobs}
	if p.term {
		o.Done = func(n, of int) {
			if n == of {
				fmt.Fprint(p.err, "\r\033[K")
			} else if n%5 == 0 {
				fmt.Fprintf(p.err, "\r%s %d/%d", part, n, of)
			}
		}
	}
	return o
}

// make makes parts of the proof and shows each as it is done.
func (p *prover) make(parts []string, out *proof) error {
	want := func(list ...string) bool {
		return slices.ContainsFunc(list, func(x string) bool { return slices.Contains(parts, x) })
	}
	if want(partCovers, partFakes, partCoverage) {
		if err := p.table(!want(partCovers, partCoverage)); err != nil {
			return err
		}
	}
	var err error
	if want(partCovers, partCoverage) {
		var of []string
		if p.alone {
			of = p.of
		}
		out.Covers, err = p.set.Covers(p.ctx, prove.CoverOptions{Options: p.options(partCovers), Of: of, Run: p.run, Covers: p.f.covers, Wrong: p.wrong, Ledger: p.ledger.Claims})
		if err != nil {
			return err
		}
		p.tellCovers(out.Covers)
	}
	if want(partMutants, partCoverage) {
		out.Mutants, err = p.set.Mutate(p.ctx, prove.MutantOptions{Options: p.options(partMutants), Of: p.of, Alone: p.alone, Ruling: p.f.ruling, Run: p.run, Covers: p.f.covers, Sample: p.f.sample, Seed: p.f.seed, Ledger: p.ledger.Mutants})
		if err != nil {
			return err
		}
		p.tellMutants(out.Mutants)
	}
	if want(partFakes) {
		list := slices.DeleteFunc(slices.Clone(p.fakes), func(f fakes.Fake) bool { return p.run != nil && !p.run.MatchString(f.Name) })
		if len(list) == 0 && (slices.Equal(parts, []string{partFakes}) || p.f.run == "") {
			return errors.New(p.t("no-fakes"))
		}
		out.Fakes, err = prove.Fakes(p.ctx, p.suite, prove.FakeOptions{Options: p.options(partFakes), Fakes: list, Command: p.command, Whole: p.f.whole})
		if err != nil {
			return err
		}
		p.tellFakes(out.Fakes)
	}
	if want(partTwins) {
		if out.Twins, err = p.set.Twins(p.ctx, p.options(partTwins)); err != nil {
			return err
		}
		p.tellChecks(out.Twins)
	}
	if want(partTrips) {
		if out.Trips, err = p.set.RoundTrips(p.ctx, p.options(partTrips)); err != nil {
			return err
		}
		p.tellChecks(out.Trips)
	}
	if want(partCompare) {
		if out.Compare, err = p.compare(); err != nil {
			return err
		}
		p.tellCompared(out.Compare)
	}
	if want(partModules) {
		if out.Modules, err = p.modules(); err != nil {
			return err
		}
	}
	if want(partCoverage) {
		out.Coverage = p.set.Rows(out.Covers, out.Mutants, p.wrong)
		p.tellCoverage(out.Coverage)
	}
	return nil
}

// compareLimit is how long the second implementation may take for a scenario; it is far
// more than any takes.
const compareLimit = time.Minute

// compare has random scenarios played by these rules and by the second implementation.
func (p *prover) compare() (*prove.Comparison, error) {
	program := filepath.Join(p.f.second, filepath.FromSlash(fakes.Program))
	if err := p.built(p.f.second); err != nil {
		return nil, err
	}
	g, err := compare.Parse(compare.Scenarios)
	if err != nil {
		return nil, err
	}
	suite, err := suiteOf("")
	if err != nil {
		return nil, err
	}
	start := func() (*compare.Program, *protocol.About, error) {
		side := &compare.Program{Command: []string{node, program}, Limit: compareLimit, Info: suite.Info}
		about, err := side.Start()
		if e := (*runner.StartError)(nil); errors.As(err, &e) {
			err = errors.New(p.startFault(e))
		}
		return side, about, err
	}
	side, about, err := start()
	if err != nil {
		return nil, err
	}
	side.Close()
	o := compare.Options{Grammar: g, Seed: p.f.seed, Count: p.f.scenarios, Jobs: p.f.jobs, Features: about.Features, Questions: about.Questions}
	o.Open = func() (*interpreter.Stage, compare.Side, func(), error) {
		s, err := p.stage()
		if err != nil {
			return nil, nil, nil, err
		}
		side, _, err := start()
		return s, side, side.Close, err
	}
	if p.term {
		o.Done = func(n int) { fmt.Fprintf(p.err, "\r%s %d/%d", partCompare, n, p.f.scenarios) }
	}
	out, err := prove.Compare(p.ctx, o)
	if p.term {
		fmt.Fprint(p.err, "\r\033[K")
	}
	return out, err
}

// modules proves each module by its own cases, on top of the rules.
func (p *prover) modules() ([]moduleProof, error) {
	var dirs []string
	for _, dir := range p.f.modules {
		if exists(filepath.Join(dir, "module.momon")) {
			dirs = append(dirs, dir)
			continue
		}
		list, err := interpreter.Source{Name: dir, FS: os.DirFS(dir)}.Modules()
		if err != nil || len(list) == 0 {
			return nil, errors.New(p.t("no-modules", dir))
		}
		for _, m := range list {
			dirs = append(dirs, filepath.Join(dir, filepath.FromSlash(m)))
		}
	}
	var out []moduleProof
	for _, dir := range dirs {
		a := *p.app
		a.with, a.loaded = []string{dir}, nil
		m, err := a.newProver(proveFlags{jobs: p.f.jobs, verbose: p.f.verbose, run: p.f.run, covers: p.f.covers})
		if err != nil {
			return nil, err
		}
		m.tellOf()
		var x proof
		if err := m.make([]string{partCovers, partMutants}, &x); err != nil {
			return nil, err
		}
		cases := 0
		for _, c := range m.set.Cases() {
			if m.set.Within(m.of, c.Place.File) {
				cases++
			}
		}
		out = append(out, moduleProof{filepath.ToSlash(dir), x.Covers, x.Mutants, cases})
	}
	return out, nil
}

// writeDown writes what a whole proof came to, or sees that it stands there.
func (p *prover) writeDown(out *proof) error {
	w := &prove.Whole{Covers: out.Covers, Mutants: out.Mutants, Fakes: out.Fakes, Twins: out.Twins, Trips: out.Trips, Compare: out.Compare, Modules: []prove.ModuleRow{}, Wrong: p.wrong}
	for _, m := range out.Modules {
		w.Modules = append(w.Modules, prove.ModuleRow{Module: m.Module, Cases: m.cases, Claims: m.Covers.Totals, Mutants: m.Mutants.Totals})
	}
	rec := p.set.NewRecord(w)
	data, err := rec.JSON()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
	}{{proofFile, data}, {coverageFile, rec.Page()}} {
		at := filepath.FromSlash(file.name)
		have, err := os.ReadFile(at)
		if err == nil && bytes.Equal(have, file.data) {
			continue
		}
		if p.f.check {
			out.Stale = append(out.Stale, file.name)
			if !p.json {
				p.item("× ", p.t("proof-stale", file.name), 2)
			}
			continue
		}
		if err := p.disk.Write(at, file.data); err != nil {
			return err
		}
		if !p.json {
			p.println(p.t("exported-file", file.name))
		}
	}
	return nil
}

// builtIn reports whether the proof is of the built-in rules, or of a checkout of them.
func (p *prover) builtIn() bool { return slices.Equal(p.of, []string{builtin(false)[0].Name}) }

// tellOf says what is proven, where it is not the built-in rules.
func (p *prover) tellOf() {
	switch {
	case p.json:
		return
	case p.alone:
		p.para(p.t("proof-alone", strings.Join(p.of, ", ")), 0)
	}
	if len(p.books) > 0 {
		p.para(p.t("proof-ledger", strings.Join(p.books, ", ")), 0)
	}
}

func (p *prover) tellCovers(r *prove.CoverReport) {
	if p.json {
		return
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		what := p.t("claim", c.Case, p.t(c.Side, c.Ref))
		switch {
		case c.Proof == prove.Accepted:
			if p.f.verbose {
				p.item("• ", what+": "+p.t("proof-accepted"), 2)
				p.para(report.InLang(c.Reason, p.lang), 4)
			}
		case !c.Proof.Proven():
			p.item("× ", what+": "+p.t("proof-"+string(c.Proof), c.Tried), 2)
		case p.f.verbose:
			p.item("• ", what+": "+p.t("proof-"+string(c.Proof), c.By), 2)
		}
	}
	for _, u := range r.Unproven {
		p.item("× ", p.t("statement-unproven", u), 2)
	}
	p.faults(r.Ledger)
	if len(r.Claims) == 0 && r.Statements == 0 {
		p.para(p.t("covers-none"), 0)
		return
	}
	n := r.Totals[prove.ByMistake] + r.Totals[prove.ByOwn] + r.Totals[prove.ByShared]
	p.para(p.t("covers-done", n, len(r.Claims), r.Totals[prove.ByMistake], r.Totals[prove.ByOwn], r.Totals[prove.ByShared], r.Statements-len(r.Unproven), r.Statements), 0)
}

func (p *prover) tellMutants(r *prove.MutantReport) {
	if p.json {
		return
	}
	for i := range r.Mutants {
		t := &r.Mutants[i]
		switch {
		case t.Fate == prove.Survived:
			p.mutant("× ", t)
		case p.f.verbose:
			p.mutant("• ", t)
		}
	}
	p.faults(r.Ledger)
	tried := len(r.Mutants) - r.Totals[prove.Refused]
	p.para(p.t("mutants-done", tried, r.Totals[prove.Killed], r.Totals[prove.Limit], r.Totals[prove.Played], r.Totals[prove.Excused], r.Totals[prove.Survived], r.Totals[prove.Refused]), 0)
	if r.Rate.Of > 0 {
		p.println(p.t("mutants-rate", r.Rate.Seen*100/r.Rate.Of))
	}
}

func (p *prover) mutant(mark string, t *prove.Tried) {
	fate := p.t("mutant-" + string(t.Fate))
	if t.By != "" {
		fate = p.t("mutant-"+string(t.Fate), t.By)
	}
	p.item(mark, fate+": "+t.In+": "+t.Operator, 2)
	p.para(fmt.Sprintf("%s:%d", t.File, t.Line), 4)
	p.item("- ", t.Old, 4)
	to := t.New
	if to == "" {
		to = p.t("left-away")
	}
	p.item("+ ", to, 4)
	if t.Fate == prove.Excused {
		p.para(report.InLang(t.Reason, p.lang), 4)
	}
}

func (p *prover) faults(list []prove.LedgerFault) {
	for _, f := range list {
		p.item("× ", p.t("ledger-"+f.Code, f.Want, f.Got)+": "+f.Entry, 2)
	}
}

func (p *prover) tellFakes(r *prove.FakeReport) {
	if p.json {
		return
	}
	for i := range r.Fakes {
		f := &r.Fakes[i]
		var caught []string
		for _, ref := range f.Breaks {
			if id := f.Caught[ref.String()]; id != "" {
				caught = append(caught, fmt.Sprintf("%s (%s)", id, ref))
			}
		}
		switch {
		case f.Fault != "":
			p.item("× ", f.Fake+": "+p.t("fake-"+f.Fault, f.Want), 2)
			p.para(report.InLang(f.Title, p.lang), 4)
			if f.Detail != "" {
				p.para(f.Detail, 4)
			}
		case p.f.verbose:
			p.item("• ", p.t("fake-caught", f.Fake, f.Want)+": "+report.InLang(f.Title, p.lang), 2)
			for _, c := range caught {
				p.para(c, 4)
			}
		}
	}
	p.println(p.t("fakes-done", r.Fine, len(r.Fakes)))
}

func (p *prover) tellChecks(r *prove.CheckReport) {
	if p.json {
		return
	}
	for _, c := range r.Checks {
		for _, w := range c.Wrong {
			p.item("× ", w.What+": "+w.Detail, 2)
		}
		p.println(p.t("check-"+c.Name, c.Made, len(c.Wrong)))
	}
}

func (p *prover) tellCompared(c *prove.Comparison) {
	if p.json {
		return
	}
	for _, n := range c.Numbers {
		p.item("× ", p.t("compare-differs", p.f.seed, n), 2)
	}
	p.para(p.t("compared-two", c.Scenarios, c.Questions, c.Same, c.Different, c.Uncompared), 0)
}

func (p *prover) tellCoverage(rows []prove.Row) {
	if p.json {
		return
	}
	fmt.Fprintf(p.out, "%-36s %5s %9s %9s %9s %8s\n", "", p.t("col-data"), p.t("col-confirm"), p.t("col-refute"), p.t("col-mutants"), p.t("col-mistakes"))
	for _, r := range rows {
		if p.f.covers != "" && !r.Under(p.f.covers) {
			continue
		}
		of := func(n, all int) string { return fmt.Sprintf("%d/%d", n, all) }
		fmt.Fprintf(p.out, "%-36s %5d %9s %9s %9s %8d\n", r.Ref, r.Data, of(r.ConfirmsProven, r.Confirms), of(r.RefutesProven, r.Refutes), of(r.Killed, r.Mutants), r.Mistakes)
	}
}
