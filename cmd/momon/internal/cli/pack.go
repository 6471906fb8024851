package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
)

func (a *app) packCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "pack",
		Short: "Make one file of a folder of rules, and look at such files",
		Long: `A pack is a folder of rules with a pack declaration in it, or one archive of
it. Archives can be named wherever a folder of rules can, as in
--with mine-1.0.0.momonpack. What is in them stands in docs/packs.md.`,
		Example: `  momon pack build ./mine
  momon pack release ./mine --key mine.key
  momon pack sign mine-1.0.0.momonpack --key mine.key
  momon pack verify mine-1.0.0.momonpack`,
		Args: a.takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.packBuildCmd(), a.packVerifyCmd(), a.packShowCmd(), a.packSignCmd(), a.packKeysCmd(),
		a.packReleaseCmd(), a.packGetCmd(), a.packPushCmd(), a.packListCmd(), a.packLockCmd(), a.packRepositoryCmd())
	return c
}

func (a *app) packBuildCmd() *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Make an archive of a folder of rules",
		Long: `Makes an archive of the folder DIR (this one unless named), if its rules have no
errors. The same files give the same bytes, wherever and whenever it is made. An
archive with other bytes and the same name is not written over: a version that
somebody has must stay what it is.`,
		Example: `  momon pack build ./mine
  momon pack build ./mine -o ./out/mine.momonpack`,
		Args: a.takes(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return a.packBuild(dir, out, force)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "write the archive to `FILE` instead of NAME-VERSION.momonpack here")
	c.Flags().BoolVar(&force, "force", false, "write over an archive with other bytes")
	return c
}

func (a *app) packVerifyCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "verify FILE|NAME@VERSION...",
		Short: "See whether archives are what they say",
		Long: `Reads archives and sees that every byte of them is as it must be: the list of
files, their digests, the manifest, the digest of the content; and that they are
signed as the trust file wants it, by the signatures that lie beside them. Exit
status 1 means that one is not. With --allow-unsigned a pack that nobody whom
you trust has signed is fine too. NAME@VERSION is the archive in the store.`,
		Example: `  momon pack verify mine-1.0.0.momonpack
  momon pack verify mine-1.0.0.momonpack --allow-unsigned
  momon pack verify mine@1.0.0`,
		Args: a.takes(1, 1000),
		RunE: func(_ *cobra.Command, args []string) error { return a.packVerify(args) },
	}
	return c
}

func (a *app) packShowCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "show FILE|DIR|NAME@VERSION",
		Short: "Show what a pack says of itself, and its digests",
		Long: `Shows name, version, texts, edition, what the pack needs and stands on, both
digests, and its files. Of a folder the digest of the archive is that of the
archive that would be made of it. NAME@VERSION is the archive in the store.`,
		Example: `  momon pack show mine-1.0.0.momonpack
  momon pack show ./mine --json
  momon pack show mine@1.0.0`,
		Args: a.takes(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return a.packShow(args[0]) },
	}
	return c
}

// packError is what is wrong with a pack, and which it is.
type packError struct {
	name string
	err  *pack.Error
}

// Error implements error.
func (e *packError) Error() string { return e.name + ": " + e.err.Error() }

// Unwrap implements errors.Unwrap.
func (e *packError) Unwrap() error { return e.err }

// refused names the pack that an error is about.
func refused(name string, err error) error {
	var e *pack.Error
	if errors.As(err, &e) {
		return &packError{filepath.ToSlash(name), e}
	}
	return err
}

// isArchive reports whether a name on the command line means an archive.
func isArchive(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular() && filepath.Ext(name) == pack.Ext
}

// errNoText says that something is there that can't be read as a file.
var errNoText = errors.New("it is no file to read")

// readArchive reads the bytes of an archive, if it is not far too large.
func readArchive(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil {
		return nil, err
	} else if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNoText}
	}
	data, err := io.ReadAll(io.LimitReader(f, pack.MaxArchive+1))
	if err != nil {
		return nil, err
	}
	return data, nil
}

// openPack opens a pack for looking at: an archive, or a folder.
func (a *app) openPack(name string) (*pack.Pack, error) {
	if isDir(name) {
		p, err := pack.FromFolder(os.DirFS(name))
		return p, refused(name, placedIn(name, err))
	}
	data, err := readArchive(name)
	if err != nil {
		return nil, err
	}
	p, err := pack.FromArchive(data)
	return p, refused(name, err)
}

// folderPack reads the pack in a folder, for what works on folders alone.
func (a *app) folderPack(dir string) (*pack.Pack, error) {
	if st, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !st.IsDir() {
		return nil, errors.New(a.t("not-folder", dir))
	}
	return a.openPack(dir)
}

// placedIn names the file that an error is about with its folder.
func placedIn(dir string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) && !filepath.IsAbs(at.Path) {
		return &fs.PathError{Op: at.Op, Path: filepath.Join(dir, at.Path), Err: at.Err}
	}
	return err
}

func (a *app) packBuild(dir, out string, force bool) error {
	p, err := a.folderPack(dir)
	if err != nil {
		return err
	}
	src, _, err := a.argued([]string{dir}, true)
	if err != nil {
		return err
	}
	if _, err := a.loadFrom(src); err != nil {
		return err
	}
	if out, err = a.packOut(p, out, force); err != nil {
		return err
	}
	if err := a.disk.Write(out, p.Archive()); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			File string `json:"file"`
			packJSON
		}{filepath.ToSlash(out), packData(p)})
	}
	a.println(a.t("pack-wrote", filepath.ToSlash(out), p.ID(), len(p.Files)))
	a.packDigests(p)
	a.packLeft(p)
	return nil
}

func (a *app) packDigests(p *pack.Pack) {
	w := max(width(a.t("pack-raw")), width(a.t("pack-content"))) + 2
	a.println("  " + pad(a.t("pack-raw"), w) + p.Raw)
	a.println("  " + pad(a.t("pack-content"), w) + p.Content)
}

// packLeft tells what was left out of a pack.
func (a *app) packLeft(p *pack.Pack) {
	for _, l := range p.Left {
		a.println(a.t("pack-left-"+l.Why, diag.Printable(l.Path)))
	}
}

func (a *app) packVerify(names []string) error {
	type result struct {
		File  string    `json:"file"`
		OK    bool      `json:"ok"`
		Code  string    `json:"code,omitempty"`
		Error string    `json:"error,omitempty"`
		Pack  *packJSON `json:"pack,omitempty"`

		Signatures []trust.Verdict `json:"signatures"`
	}
	var list []result
	bad := false
	for _, arg := range names {
		raw, name, err := a.fileOf(arg)
		if err != nil {
			return err
		}
		data, err := readArchive(name)
		if err != nil {
			return err
		}
		h := trust.StartHash(data)
		p, err := pack.FromArchive(data)
		r := result{File: filepath.ToSlash(name), Signatures: []trust.Verdict{}}
		var e *pack.Error
		var distrust *trustError
		if errors.As(err, &e) {
			r.Code, r.Error = e.Code, e.Text(a.lang)
		} else if err != nil {
			return err
		} else if raw != "" && p.Raw != raw {
			err = errors.New(a.t("store-damaged", r.File))
			r.Code, r.Error = "store-damaged", err.Error()
		} else {
			d := packData(p)
			r.Pack = &d
			r.Signatures, err = a.judged(name, p, h)
			if errors.As(err, &distrust) {
				r.Code, r.Error = distrust.why.Why, a.distrust(distrust.why)
			} else if err != nil {
				return err
			}
		}
		r.OK = err == nil
		bad = bad || !r.OK
		list = append(list, r)
		if a.json {
			continue
		}
		if r.OK {
			a.println(a.t("pack-verified", r.File, p.ID()))
		} else {
			a.println(a.t("pack-refused", r.File, r.Error))
		}
		if r.Pack != nil {
			a.packDigests(p)
			a.tellVerdicts(r.Signatures)
		}
	}
	if a.json {
		if err := a.printJSON(list); err != nil {
			return err
		}
	}
	if bad {
		return errFound
	}
	return nil
}

// packJSON is a pack for programs.
type packJSON struct {
	Name     string            `json:"name"`
	Version  string            `json:"version"`
	Texts    map[string]string `json:"texts"`
	Edition  string            `json:"edition,omitempty"`
	Date     string            `json:"date,omitempty"`
	Language int               `json:"language"`
	Needs    []string          `json:"needs"`
	Stands   []standJSON       `json:"stands_on"`
	Content  string            `json:"content"`
	Raw      string            `json:"raw"`
	Files    []fileJSON        `json:"files"`
	Left     []string          `json:"left_out"`
}

type standJSON struct {
	Name    string `json:"name"`
	From    string `json:"from,omitempty"`
	Until   string `json:"until,omitempty"`
	Content string `json:"content,omitempty"`
}

type fileJSON struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func packData(p *pack.Pack) packJSON {
	d := packJSON{p.Name, p.Version, p.Texts, p.Edition, p.Date, p.Language, append([]string{}, p.Needs...), []standJSON{}, p.Content, p.Raw, []fileJSON{}, []string{}}
	for _, s := range p.Stands {
		d.Stands = append(d.Stands, standJSON{s.Name, s.From, s.Until, s.Digest})
	}
	for _, f := range p.Files {
		d.Files = append(d.Files, fileJSON(f))
	}
	for _, l := range p.Left {
		d.Left = append(d.Left, l.Path)
	}
	return d
}

func (a *app) packShow(name string) error {
	raw, file, err := a.fileOf(name)
	if err != nil {
		return err
	}
	p, err := a.openPack(file)
	if err != nil {
		return err
	}
	if raw != "" && p.Raw != raw {
		return errors.New(a.t("store-damaged", filepath.ToSlash(file)))
	}
	if a.json {
		return a.printJSON(packData(p))
	}
	title := p.ID()
	text, ok := p.Texts[a.lang]
	if !ok {
		text = p.Texts["en"]
	}
	if text != "" {
		title += "  " + text
	}
	a.println(title)
	var rows [][2]string
	row := func(key, text string) {
		if text != "" {
			rows = append(rows, [2]string{a.t(key), text})
		}
	}
	edition := p.Edition
	if p.Date != "" {
		edition = a.t("edition-from", p.Edition, p.Date)
	}
	row("pack-edition", edition)
	row("pack-language", fmt.Sprint(p.Language))
	row("pack-needs", strings.Join(p.Needs, ", "))
	for _, s := range p.Stands {
		row("pack-stands", strings.TrimSpace(s.Name+" "+s.Range()))
		row("pack-exactly", s.Digest)
	}
	row("pack-raw", p.Raw)
	row("pack-content", p.Content)
	w := 0
	for _, r := range rows {
		w = max(w, width(r[0]))
	}
	for _, r := range rows {
		a.println("  " + pad(r[0], w+2) + r[1])
	}
	a.println("")
	a.println(a.t("pack-files", len(p.Files)))
	size := 0
	for _, f := range p.Files {
		size = max(size, len(fmt.Sprint(f.Size)))
	}
	for _, f := range p.Files {
		a.printf("  %*d  %s\n", size, f.Size, f.Path)
	}
	a.packLeft(p)
	return nil
}

// archive is the sources that an archive stands for.
func (a *app) archive(name string, cases bool) ([]interpreter.Source, error) {
	p, err := a.trusted(name)
	if err != nil {
		return nil, err
	}
	return packSources(filepath.ToSlash(filepath.Clean(name)), p, cases)
}

// packSources are the parts of an archive, as they are read.
func packSources(name string, p *pack.Pack, cases bool) ([]interpreter.Source, error) {
	out, err := partSources(name, p.FS(), cases)
	id := interpreter.PackID{Name: p.Name, Version: p.Version, Content: p.Content, Archive: p.Raw}
	for i := range out {
		out[i].Pack = func() interpreter.PackID { return id }
	}
	return out, err
}

// partSources are the parts of a folder that is open, as they are read.
func partSources(name string, fsys fs.FS, cases bool) ([]interpreter.Source, error) {
	var out []interpreter.Source
	for _, part := range pack.Parts(fsys) {
		if part.Cases && !cases {
			continue
		}
		sub, err := fs.Sub(fsys, part.Dir)
		if err != nil {
			return nil, err
		}
		if part.Flat {
			sub = flat{sub}
		}
		out = append(out, interpreter.Source{Name: path.Join(name, part.Dir), FS: sub})
	}
	return out, nil
}

// skeletonFolders are the folders of a pack that hold first versions of files.
func skeletonFolders(fsys fs.FS) []fs.FS {
	var out []fs.FS
	for _, dir := range []string{"skeletons", "rules/skeletons"} {
		if st, err := fs.Stat(fsys, dir); err == nil && st.IsDir() {
			if sub, err := fs.Sub(fsys, dir); err == nil {
				out = append(out, sub)
			}
		}
	}
	return slices.Clip(out)
}
