package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"aead.dev/minisign"
	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cmd/momon/internal/disk"
	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/diff"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
)

// releaseFlags are what pack release can be told.
type releaseFlags struct {
	previous, key, role, password, out string
	ledger, suite                      string
	only, skip                         []string
	threshold, sample                  int
	dry, force                         bool
}

func (a *app) packReleaseCmd() *cobra.Command {
	var f releaseFlags
	c := &cobra.Command{
		Use:   "release [DIR]",
		Short: "Try everything that a pack must pass, and make its archive",
		Long: `Goes through the gates that the pack in DIR (this folder unless named) must pass
before others get it, and says what came of each. If all are green, it writes the
archive and the signature, reads both from the disk again, and verifies them. If
one is red, nothing is written, and a command is named that shows more. Gates:

  format     the rule files are laid out
  check      no errors and no warnings, but for those that are accepted
  tests      the cases pass: its own, and those of what it stands on
  covers     a case fails as soon as what it covers is broken
  mutants    small changes of its rules are seen by a case
  languages  every text is there in every language of the rules
  diff       what changes since the previous version, and which cases flip
  version    its number is as far up as that wants it
  changelog  CHANGELOG.md speaks of the version and of each case that flips
  export     a suite that lies with it, exported, is that of its cases
  lock       momon.lock is true, if there is one
  git        everything in DIR is committed, if it is in a git repository

The previous version is the highest in the store below this one, unless
--previous names it. A gate that is left out with --skip is told of as such;
check and version can't be. Exit status 1 means that a gate is red. More stands
in docs/packs.md.`,
		Example: `  momon pack release ./mine --dry-run
  momon pack release ./mine --key mine.key
  momon pack release ./mine --previous mine@1.0.0 --key mine.key
  momon pack release ./mine --previous git:v1.0.0 --dry-run --skip git
  momon pack release ./mine --dry-run --gate changelog`,
		Args: a.takes(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if err := a.releaseMisused(c, &f); err != nil {
				return err
			}
			return a.packRelease(dir, &f)
		},
	}
	fl := c.Flags()
	fl.BoolVar(&f.dry, "dry-run", false, "go through the gates and write nothing")
	fl.StringVar(&f.previous, "previous", "", "compare with `WHAT`: an archive, NAME@VERSION, a folder, or git:REV")
	fl.StringVar(&f.key, "key", "", "sign it with the secret key in `FILE`")
	fl.StringVar(&f.role, "role", trust.Publisher, "the `ROLE` in which it is signed")
	fl.StringVar(&f.password, "password-file", "", "read the password of the key from the first line of `FILE`")
	fl.StringVarP(&f.out, "output", "o", "", "write the archive to `FILE` instead of NAME-VERSION.momonpack here")
	fl.BoolVar(&f.force, "force", false, "write over an archive with other bytes")
	fl.StringArrayVar(&f.only, "gate", nil, "with --dry-run: only the gate `NAME`, and those that it needs (repeatable)")
	fl.StringArrayVar(&f.skip, "skip", nil, "leave the gate `NAME` out (repeatable)")
	fl.IntVar(&f.threshold, "threshold", 90, "so many `PERCENT` of the mutants must be seen")
	fl.IntVar(&f.sample, "sample", 1000, "no more than `N` mutants, picked by chance; 0 for all")
	fl.StringVar(&f.ledger, "ledger", "", "the ledger of mutants that no case can see: `FILE`, or else DIR/ledger.json")
	fl.StringVar(&f.suite, "suite", "", "the exported suite: `DIR`, or else the folder suite of the pack")
	return c
}

// releaseMisused looks for flags that do not go together.
func (a *app) releaseMisused(c *cobra.Command, f *releaseFlags) error {
	for _, name := range slices.Concat(f.only, f.skip) {
		if !slices.ContainsFunc(gates(), func(g gate) bool { return g.name == name }) {
			var known []string
			for _, g := range gates() {
				known = append(known, g.name)
			}
			return &misuse{a.t("no-gate", name, strings.Join(known, ", ")), c}
		}
		if slices.Contains(f.only, name) && slices.Contains(f.skip, name) {
			return &misuse{a.t("gate-both", name), c}
		}
	}
	for _, g := range gates() {
		if g.must && slices.Contains(f.skip, g.name) {
			return &misuse{a.t("gate-must", g.name), c}
		}
	}
	switch {
	case len(f.only) > 0 && !f.dry:
		return &misuse{a.t("gate-dry"), c}
	case f.threshold < 0 || f.threshold > 100:
		return &misuse{a.t("threshold-range"), c}
	case f.sample < 0:
		return &misuse{a.t("prove-numbers"), c}
	case f.key == "" && (c.Flags().Changed("role") || f.password != ""):
		return &misuse{a.t("key-flag"), c}
	case !pack.IsName(f.role):
		return &misuse{a.t("no-role-name", f.role), c}
	}
	return nil
}

// releaser is a release under way.
type releaser struct {
	*app
	f     *releaseFlags
	dir   string
	pack  *pack.Pack // nil where the rules can't be read
	alone bool       // its rules are a whole game

	cant    bool                 // the rules have errors
	diags   []*diag.Diagnostic   // what check found
	within  func(string) bool    // whether a file is one of the pack's
	report  *diff.Report         // from the previous version to this one, if there is one
	prev    string               // what was compared with
	shown   string               // the command that compares so
	last    string               // the version of that
	old     *pack.Pack           // the same, where it is an archive
	results map[string]*gateJSON // by gate
}

// gateJSON is what came of a gate.
type gateJSON struct {
	Gate    string   `json:"gate"`
	Status  string   `json:"status"` // green, red, skipped or not-run
	Says    string   `json:"says"`
	Details []string `json:"details,omitempty"`
	Show    string   `json:"show,omitempty"` // the command that shows more
	Millis  int64    `json:"ms"`
}

// What can come of a gate.
const (
	gateGreen   = "green"
	gateRed     = "red"
	gateSkipped = "skipped"
	gateNotRun  = "not-run"
)

// releaseJSON is a release for programs.
type releaseJSON struct {
	Name     string         `json:"name,omitempty"`
	Version  string         `json:"version,omitempty"`
	Previous string         `json:"previous,omitempty"`
	Gates    []*gateJSON    `json:"gates"`
	Passed   bool           `json:"passed"`
	DryRun   bool           `json:"dry_run"`
	Content  string         `json:"content,omitempty"`
	Raw      string         `json:"raw,omitempty"`
	File     string         `json:"file,omitempty"`
	Signed   *signatureJSON `json:"signature,omitempty"`
}

type signatureJSON struct {
	File string `json:"file"`
	Key  string `json:"key"`
	Role string `json:"role"`
}

func (a *app) packRelease(dir string, f *releaseFlags) error {
	p, err := a.folderPack(dir)
	var broken *pack.Error
	if err != nil && (!errors.As(err, &broken) || len(broken.Diags) == 0) {
		return err
	}
	r := &releaser{app: a, f: f, dir: dir, pack: p, alone: a.standsAlone(dir) && len(a.rules) == 0, results: map[string]*gateJSON{}}
	out := ""
	var taken error // another archive is in the place of this one
	if p != nil {
		if out, taken = a.packOut(p, f.out, f.force); taken != nil && !f.dry {
			return taken
		}
	}
	var key *minisign.PrivateKey
	if f.key != "" && !f.dry {
		if key, err = a.signingKey(f.key, f.password); err != nil {
			return err
		}
		if err := a.overSignature(signatureName(out, f.role, trust.IDOf(key.Public().(minisign.PublicKey)))); err != nil {
			return err
		}
	}
	// What was started is ended when somebody gives up.
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	a.ctx = ctx
	title := filepath.ToSlash(filepath.Clean(dir))
	if p != nil {
		title = p.ID()
	}
	if !a.json {
		a.heading(a.t("release-title", title))
	}
	done := &releaseJSON{Gates: []*gateJSON{}, DryRun: f.dry, Passed: true}
	skipped, red := 0, 0
	for _, g := range gates() {
		res := r.run(&g)
		if ctx.Err() != nil {
			return errors.New(a.t("release-given-up"))
		}
		if res == nil {
			continue
		}
		r.results[g.name] = res
		done.Gates = append(done.Gates, res)
		switch res.Status {
		case gateSkipped:
			skipped++
		case gateRed, gateNotRun:
			red++
			done.Passed = false
		}
		if !a.json {
			r.tell(res)
		}
	}
	if p != nil {
		done.Name, done.Version, done.Content, done.Raw = p.Name, p.Version, p.Content, p.Raw
	}
	done.Previous = r.prev
	if !done.Passed || f.dry {
		var err error
		if a.json {
			err = a.printJSON(done)
		} else {
			a.println("")
			switch {
			case !done.Passed:
				a.para(a.t("release-red", red), 0)
			case len(f.only) > 0:
				a.para(a.t("release-some"), 0)
			case skipped > 0:
				a.para(a.t("release-dry-skipped", skipped), 0)
			default:
				a.para(a.t("release-dry"), 0)
			}
			if done.Passed && len(f.only) == 0 {
				a.packDigests(p)
			}
		}
		switch {
		case err == nil && !done.Passed:
			err = errFound
		case err == nil && len(f.only) == 0:
			err = taken
		}
		return err
	}
	again, err := a.openPack(dir)
	if err != nil {
		return err
	}
	if again.Raw != p.Raw {
		return errors.New(a.t("release-changed", dir))
	}
	if done.Signed, err = a.writeOut(p, out, key, f.role); err != nil {
		return err
	}
	done.File = filepath.ToSlash(out)
	if a.json {
		return a.printJSON(done)
	}
	r.tellReleased(done, skipped)
	return nil
}

// packOut is where an archive is to be written. One with other bytes that is there is
// left alone, unless force is given, and what is no archive always is.
func (a *app) packOut(p *pack.Pack, out string, force bool) (string, error) {
	if out == "" {
		out = p.FileName()
	} else if isDir(out) {
		out = filepath.Join(out, p.FileName())
	}
	dir, _ := filepath.Split(out)
	if dir != "" && !isDir(dir) {
		if exists(filepath.Clean(dir)) {
			return "", errors.New(a.t("not-folder", filepath.ToSlash(filepath.Clean(dir))))
		}
		return "", errors.New(a.t("out-no-folder", filepath.ToSlash(dir)))
	}
	have, err := readArchive(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return out, nil
	case err != nil:
		return "", err
	case bytes.Equal(have, p.Archive()):
		return out, nil
	case len(have) > 0 && !looksLikeArchive(have):
		return "", errors.New(a.t("pack-no-archive", diag.Printable(out)))
	case !force:
		return "", errors.New(a.t("pack-other-bytes", out))
	}
	return out, nil
}

// looksLikeArchive reports whether something begins as an archive of a pack does, that
// of a newer program too.
func looksLikeArchive(data []byte) bool {
	_, err := pack.HeadOf(data)
	var e *pack.Error
	return err == nil || errors.As(err, &e) && e.Newer()
}

// signingKey opens a secret key that is to sign. One that was revoked is refused:
// nobody would load what it signs.
func (a *app) signingKey(file, passwordFile string) (*minisign.PrivateKey, error) {
	secret, err := readAtMost(file, trust.MaxSignature)
	if err != nil {
		return nil, err
	}
	password := ""
	if trust.Encrypted(secret) {
		if password, err = a.password(passwordFile, false); err != nil {
			return nil, err
		}
	}
	key, err := trust.OpenKey(secret, password)
	if err != nil {
		return nil, a.trustFault(file, err)
	}
	trusted, err := a.readTrust()
	if err != nil {
		return nil, err
	}
	if k := trusted.Find(trust.IDOf(key.Public().(minisign.PublicKey))); k != nil && k.Revoked != "" {
		return nil, errors.New(a.t("keys-revoked-already", k.ID, k.Revoked))
	}
	return &key, nil
}

// signatureName is where a signature goes: beside what it signs, and not over one by
// somebody else.
func signatureName(archive, role, id string) string {
	out := archive + trust.Ext
	if role != trust.Publisher {
		out = archive + "." + role + trust.Ext
	}
	if other, err := signerOf(out); err == nil && other != id {
		out = archive + "." + role + "." + id + trust.Ext
	}
	return out
}

// writeOut writes an archive and its signature: both are on the disk, and were read
// from it and verified, before either has its name.
func (a *app) writeOut(p *pack.Pack, out string, key *minisign.PrivateKey, role string) (*signatureJSON, error) {
	signed := (*signatureJSON)(nil)
	var files []disk.File // the archive last, as in the store: it is never there without its signature
	id := ""
	if key != nil {
		id = trust.IDOf(key.Public().(minisign.PublicKey))
		name := signatureName(out, role, id)
		signed = &signatureJSON{filepath.ToSlash(name), id, role}
		files = append(files, disk.File{Name: name, Data: trust.Sign(*key, p, role)})
	}
	files = append(files, disk.File{Name: out, Data: p.Archive()})
	return signed, a.disk.WriteAll(files, func(read [][]byte) error {
		q, err := pack.FromArchive(read[len(read)-1])
		if err != nil {
			return refused(out, err)
		}
		if q.Raw != p.Raw || q.Content != p.Content {
			return errors.New(a.t("release-read-back", filepath.ToSlash(out)))
		}
		if signed == nil {
			return nil
		}
		public := key.Public().(minisign.PublicKey).String()
		lines := strings.Split(strings.TrimSpace(public), "\n")
		f := &trust.File{Keys: []trust.Key{{ID: id, Public: lines[len(lines)-1], Roles: []string{role}}}}
		v := f.Judge(q, []trust.Signature{{File: signed.File, Data: read[0]}})
		if v[0].Status != trust.Trusted {
			return errors.New(a.t("release-read-back", signed.File))
		}
		return nil
	})
}

// run runs a gate, or says why it is not run. It is nil for one that nobody asked for.
func (r *releaser) run(g *gate) *gateJSON {
	res := &gateJSON{Gate: g.name, Status: gateSkipped}
	if len(r.f.only) > 0 && !r.wanted(g.name) {
		return nil
	}
	if slices.Contains(r.f.skip, g.name) {
		res.Says = r.t("gate-skipped")
		return res
	}
	for _, need := range g.needs {
		switch n := r.results[need]; {
		case n.Status == gateSkipped && !slices.Contains(g.weaker, need):
			res.Says = r.t("gate-needs-skipped", need)
			return res
		case n.Status == gateNotRun, n.Status == gateRed && (need != "check" || r.cant):
			res.Status, res.Says = gateNotRun, r.t("gate-needs", need)
			return res
		}
	}
	if r.errTerm {
		fmt.Fprint(r.err, "\r\033[K"+r.t("gate-running", g.name))
	}
	start := time.Now()
	g.run(r, res)
	if r.errTerm {
		fmt.Fprint(r.err, "\r\033[K")
	}
	res.Millis = time.Since(start).Milliseconds()
	return res
}

// wanted reports whether a gate was asked for, or is needed by one that was.
func (r *releaser) wanted(name string) bool {
	return slices.Contains(r.f.only, name) || slices.ContainsFunc(gates(), func(g gate) bool {
		return slices.Contains(r.f.only, g.name) && slices.Contains(g.needs, name)
	})
}

// mostDetails is how many details of a gate are shown, unless it was asked for.
const mostDetails = 5

// tell shows what came of a gate.
func (r *releaser) tell(res *gateJSON) {
	mark, point := map[string]string{gateGreen: r.paint("32", "✓ "), gateRed: r.paint("31", "× "), gateSkipped: "– ", gateNotRun: "? "}[res.Status], "· "
	if r.plain { // what every screen reader knows
		mark, point = res.Status+" ", "- "
	}
	text := res.Gate + ": " + res.Says
	if res.Status == gateGreen || res.Status == gateRed {
		text += fmt.Sprintf(" (%.1fs)", float64(res.Millis)/1000)
	}
	r.item(mark, text, 2)
	few := res.Details
	if len(few) > mostDetails && !slices.Contains(r.f.only, res.Gate) {
		few = few[:mostDetails]
	}
	for _, d := range few {
		r.item(point, d, 6)
	}
	if n := len(res.Details) - len(few); n > 0 {
		r.para(r.t("gate-more", n), 6)
	}
	if res.Show != "" {
		r.println("      " + res.Show) // whole, to be copied
	}
}

func (r *releaser) tellReleased(done *releaseJSON, skipped int) {
	r.println("")
	r.para(r.t("released", r.pack.ID(), done.File), 0)
	r.packDigests(r.pack)
	r.packLeft(r.pack)
	file := shellQuoted(done.File)
	if done.Signed == nil {
		r.para(r.t("release-unsigned"), 0)
		r.println("  momon pack sign " + file + " --key FILE")
	} else {
		r.para(r.t("pack-signed", done.Signed.File, done.Signed.Role, done.Signed.Key), 0)
	}
	r.para(r.t("release-verified"), 0)
	if skipped > 0 {
		r.para(r.t("release-skipped", skipped), 0)
	}
	r.println("")
	r.para(r.t("release-next"), 0)
	r.println("  momon pack push " + file + " oci://HOST/PATH")
	get := "  momon pack get " + file
	if _, err := r.judged(filepath.FromSlash(done.File), r.pack, nil); err != nil && !r.allowUnsigned {
		get += " --allow-unsigned" // nobody whom the trust file knows has signed it
	}
	r.println(get)
}

// apart is a copy of the program's state that a part of it can work in: what it would
// print goes elsewhere, for programs.
func (r *releaser) apart() (*app, *bytes.Buffer) {
	var b bytes.Buffer
	s := *r.app
	s.out, s.err, s.json, s.color, s.term, s.errTerm = &b, new(bytes.Buffer), true, false, false, false
	s.held, s.opened, s.loaded = nil, nil, nil
	s.rules, s.with = slices.Clone(r.rules), slices.Clone(r.with)
	return &s, &b
}

// stacked is apart with the pack among the rules that the flags name.
func (r *releaser) stackedApart() (*app, *bytes.Buffer) {
	s, b := r.apart()
	if r.alone {
		s.rules = []string{r.dir}
	} else {
		s.with = append(s.with, r.dir)
	}
	return s, b
}

// command is a command that shows more, on the pack alone or with it among the rules.
func (r *releaser) command(words string, args ...string) string {
	for _, x := range args {
		words += " " + shellQuoted(x)
	}
	return "momon " + words + r.flagsAgain()
}

func (r *releaser) commandOn(words string, args ...string) string {
	s, _ := r.stackedApart()
	for _, x := range args {
		words += " " + shellQuoted(x)
	}
	return "momon " + words + s.flagsAgain()
}

// prover makes a part of the proof that a gate asks for.
func (r *releaser) prover(part string) (*proof, error) {
	s, _ := r.stackedApart()
	s.term, s.err = r.term, r.err
	p, err := s.newProver(r.proveFlags())
	if p != nil {
		defer p.close()
	}
	if err != nil {
		return nil, err
	}
	out := &proof{}
	return out, p.make([]string{part}, out)
}

func (r *releaser) proveFlags() proveFlags {
	return proveFlags{of: []string{r.dir}, ledger: r.f.ledger, second: "conformance/second", jobs: runtime.NumCPU(), sample: r.f.sample, seed: 1, ruling: true}
}
