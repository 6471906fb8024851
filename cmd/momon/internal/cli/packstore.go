package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/momon-rules/momon/cards"
	"github.com/momon-rules/momon/cmd/momon/internal/disk"
	"github.com/momon-rules/momon/interpreter"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
	"github.com/momon-rules/momon/rules"
)

// storeVariable names the environment variable that says where the store is.
const storeVariable = "MOMON_STORE"

// The store is a folder of archives, each under the digest of its bytes, with its
// signatures beside it:
//
//	sha256/DIGEST.momonpack
//	sha256/DIGEST.momonpack.minisig
//
// It holds nothing else, so nothing in it can contradict anything else, and it can
// be copied, shared and thrown away. What is taken out of it is verified anew.

// storeDir is where the store is, whether it is there or not.
func (a *app) storeDir() (string, error) {
	if a.store != "" {
		return a.store, nil
	}
	if dir := os.Getenv(storeVariable); dir != "" {
		return dir, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", errors.New(a.t("no-store-dir", "--store", storeVariable))
	}
	return filepath.Join(dir, "momon", "store"), nil
}

// stored is the name of the file that an archive has in the store.
func (a *app) stored(raw string) (string, error) {
	dir, err := a.storeDir()
	return filepath.Join(dir, "sha256", raw+pack.Ext), err
}

// putStore puts an archive and its signatures into the store. The archive comes
// last, so that it is never there without them.
func (a *app) putStore(p *pack.Pack, sigs []trust.Signature) error {
	name, err := a.stored(p.Raw)
	if err != nil {
		return err
	}
	if err := a.disk.Folder(filepath.Dir(name)); err != nil {
		return err
	}
	var files []disk.File
	for _, s := range sigs {
		files = append(files, disk.File{Name: name + s.File, Data: s.Data})
	}
	return a.disk.WriteAll(append(files, disk.File{Name: name, Data: p.Archive()}), nil)
}

// shelved is an archive in the store, as its beginning tells of it.
type shelved struct {
	pack.Locked
	file string
}

// shelf lists what is in the store, by name and version. What can't be read is passed
// over and told of: it is to harm only who needs it.
func (a *app) shelf() ([]shelved, error) {
	dir, err := a.storeDir()
	if err != nil {
		return nil, err
	}
	list, err := os.ReadDir(filepath.Join(dir, "sha256"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []shelved
	for _, e := range list {
		raw, ok := strings.CutSuffix(e.Name(), pack.Ext)
		if !ok || !pack.IsDigest(raw) {
			continue
		}
		file := filepath.Join(dir, "sha256", e.Name())
		var h *pack.Head
		data, err := readArchive(file)
		if err == nil {
			h, err = pack.HeadOf(data)
		}
		if err != nil {
			a.passOver(file, err)
			continue
		}
		out = append(out, shelved{pack.Locked{Name: h.Name, Version: h.Version, Content: h.Content, Raw: raw, Stands: h.Stands}, file})
	}
	slices.SortFunc(out, func(x, y shelved) int {
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
		if c := pack.Compare(x.Version, y.Version); c != 0 {
			return c
		}
		return strings.Compare(x.Raw, y.Raw)
	})
	return out, nil
}

// passOver tells, once, that a file in the store is not used and what to do about it.
func (a *app) passOver(file string, why error) {
	if a.passed[file] {
		return
	}
	if a.passed == nil {
		a.passed = map[string]bool{}
	}
	a.passed[file] = true
	a.complain("momon: " + a.t("store-passed", a.damaged(file, why)))
}

// damaged words why a file in the store is not to be used, and what to do about it.
func (a *app) damaged(file string, why error) string {
	var e *pack.Error
	if !errors.As(why, &e) {
		return a.t("store-mend", a.fault(why)) // it names the file
	}
	text := filepath.ToSlash(file) + ": " + e.Text(a.lang)
	if e.Newer() {
		return text
	}
	return a.t("store-mend", text)
}

// fromStore opens an archive of the store. Its name there must be its digest.
func (a *app) fromStore(raw string) (*pack.Pack, string, error) {
	name, err := a.stored(raw)
	if err != nil {
		return nil, "", err
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, name, errors.New(a.t("not-in-store", raw))
	}
	p, err := a.trusted(name)
	var broken *pack.Error
	if errors.As(err, &broken) {
		return nil, name, errors.New(a.damaged(name, err))
	}
	if err != nil {
		return nil, name, err
	}
	if p.Raw != raw {
		return nil, name, errors.New(a.t("store-damaged", filepath.ToSlash(name)))
	}
	return p, name, nil
}

// fetched opens an archive of the store that was chosen by what it says of itself.
func (a *app) fetched(l pack.Locked) (*pack.Pack, string, error) {
	p, file, err := a.fromStore(l.Raw)
	if err == nil && (p.Name != l.Name || p.Version != l.Version || p.Content != l.Content) {
		err = errors.New(a.t("store-damaged", filepath.ToSlash(file)))
	}
	return p, file, err
}

// builtinPacks are the packs that are built into the program.
var builtinPacks = sync.OnceValues(func() ([]*pack.Pack, error) {
	var out []*pack.Pack
	for _, fsys := range []fs.FS{rules.FS, cards.FS} {
		p, err := pack.FromFolder(fsys)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
})

// builtinID says which pack a folder of the program is, once somebody asks.
func builtinID(fsys fs.FS) func() interpreter.PackID {
	return sync.OnceValue(func() interpreter.PackID {
		p, err := pack.FromFolder(fsys)
		if err != nil {
			return interpreter.PackID{}
		}
		return interpreter.PackID{Name: p.Name, Version: p.Version, Content: p.Content}
	})
}

func (a *app) packListCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List what is in the store",
		Long: `Lists the archives in the store, where momon pack get puts them: the folder of
--store, else of the environment variable MOMON_STORE, else momon/store among
your settings. Whatever takes a folder of rules takes NAME@VERSION, too.`,
		Example: `  momon pack list
  momon check --with mine@1.0.0`,
		Args: a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error {
			list, err := a.shelf()
			if err != nil {
				return err
			}
			if a.json {
				out := []pack.Locked{}
				for _, s := range list {
					out = append(out, s.Locked)
				}
				return a.printJSON(out)
			}
			if len(list) == 0 && len(a.passed) == 0 {
				a.println(a.t("store-empty"))
			}
			w := 0
			for _, s := range list {
				w = max(w, len(s.Name)+1+len(s.Version))
			}
			for _, s := range list {
				a.println(pad(s.Name+"@"+s.Version, w+2) + s.Raw[:16])
			}
			return nil
		},
	}
}

func (a *app) packGetCmd() *cobra.Command {
	var digest string
	c := &cobra.Command{
		Use:   "get WHERE",
		Short: "Verify an archive and put it into the store",
		Long: `Takes an archive from WHERE with the signatures that lie beside it, verifies it,
and puts it into the store. WHERE is a file, or an address that begins with
https:// or http://; there the signatures are looked for at the same address
with .minisig behind it, and with .ROLE.minisig for each role that is required;
or oci://HOST/PATH:TAG, in a registry where momon pack push has put it. Nothing
is written before all of it is verified. With --digest it must have that digest
of the archive.`,
		Example: `  momon pack get ./mine-1.0.0.momonpack
  momon pack get https://example.org/mine-1.0.0.momonpack
  momon pack get oci://registry.example.org/rules/mine:1.0.0`,
		Args: a.takes(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return a.packGet(args[0], digest) },
	}
	c.Flags().StringVar(&digest, "digest", "", "the `SHA-256` that the archive must have")
	return c
}

func (a *app) packGet(where, digest string) error {
	var data []byte
	var sigs []trust.Signature // their names without that of the archive
	var err error
	switch scheme, _, ok := strings.Cut(where, "://"); {
	case ok && (scheme == "http" || scheme == "https"):
		data, sigs, err = a.download(where)
	case ok && scheme+"://" == ociScheme:
		data, sigs, err = a.pull(where)
	case ok:
		return errors.New(a.t("get-scheme", where))
	default:
		if data, err = readArchive(where); err != nil {
			return err
		}
		if sigs, err = a.signatures(where); err == nil {
			for i := range sigs {
				sigs[i].File = strings.TrimPrefix(path.Base(sigs[i].File), filepath.Base(where))
			}
		}
	}
	if err != nil {
		return err
	}
	return a.take(where, data, sigs, digest)
}

// take verifies an archive that came from somewhere and puts it into the store.
func (a *app) take(where string, data []byte, sigs []trust.Signature, digest string) error {
	p, err := pack.FromArchive(data)
	if err != nil {
		return refused(where, err)
	}
	if digest != "" && strings.TrimPrefix(digest, "sha256:") != p.Raw {
		return errors.New(a.t("get-digest", where, p.Raw))
	}
	f, err := a.readTrust()
	if err != nil {
		return err
	}
	verdicts := f.Judge(p, sigs)
	var r *trust.Refusal
	if err := f.Decide(verdicts, a.allowUnsigned); errors.As(err, &r) {
		return &trustError{where, r}
	}
	file, err := a.stored(p.Raw)
	if err != nil {
		return err
	}
	a.passed = map[string]bool{file: true} // if it is damaged, it is about to be replaced
	list, err := a.shelf()
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.Name == p.Name && s.Version == p.Version && s.Raw != p.Raw {
			return errors.New(a.t("get-other", p.ID(), s.Raw, p.Raw))
		}
	}
	if err := a.putStore(p, sigs); err != nil {
		return err
	}
	for i := range verdicts { // as it would be called beside the archive
		verdicts[i].File = p.FileName() + verdicts[i].File
	}
	if a.json {
		return a.printJSON(struct {
			packJSON
			Signatures []trust.Verdict `json:"signatures"`
		}{packData(p), verdicts})
	}
	a.println(a.t("pack-got", p.ID()))
	a.packDigests(p)
	a.tellVerdicts(verdicts)
	return nil
}

// download fetches an archive and its signatures, and keeps them in memory.
func (a *app) download(where string) ([]byte, []trust.Signature, error) {
	u, err := url.Parse(where)
	if err != nil || u.Host == "" {
		return nil, nil, errors.New(a.t("get-address", where))
	}
	client := &http.Client{
		Timeout: 5 * time.Minute,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) >= 5 || via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
				return errors.New(a.t("get-redirect", req.URL))
			}
			return nil
		},
	}
	fetch := func(u *url.URL, most int64) ([]byte, bool, error) {
		req, err := http.NewRequestWithContext(a.ctx, http.MethodGet, u.String(), nil)
		if err != nil {
			return nil, false, err
		}
		req.Header.Set("Accept-Encoding", "identity") // what comes is what is signed
		resp, err := client.Do(req)
		if err != nil {
			var said *url.Error // it names the address again
			if errors.As(err, &said) {
				err = said.Err
			}
			return nil, false, errors.New(a.t("get-failed", u.Redacted(), err))
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusNotFound {
			return nil, false, nil
		}
		if resp.StatusCode != http.StatusOK {
			return nil, false, errors.New(a.t("get-failed", u.Redacted(), resp.Status))
		}
		data, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
		if err != nil {
			return nil, false, errors.New(a.t("get-failed", u.Redacted(), err))
		}
		return data, true, nil
	}
	data, there, err := fetch(u, pack.MaxArchive)
	if err != nil {
		return nil, nil, err
	}
	if !there {
		return nil, nil, errors.New(a.t("get-failed", u.Redacted(), "404"))
	}
	f, err := a.readTrust()
	if err != nil {
		return nil, nil, err
	}
	ends := []string{trust.Ext}
	for _, role := range f.Require {
		if role != trust.Publisher {
			ends = append(ends, "."+role+trust.Ext)
		}
	}
	var sigs []trust.Signature
	for _, end := range ends {
		v := *u
		v.Path, v.RawPath = u.Path+end, ""
		sig, there, err := fetch(&v, trust.MaxSignature)
		if err != nil {
			return nil, nil, err
		}
		if there {
			sigs = append(sigs, trust.Signature{File: end, Data: sig})
		}
	}
	return data, sigs, nil
}

func (a *app) packLockCmd() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "lock [DIR]",
		Short: "Note exactly which packs a folder of rules stands on",
		Long: `Chooses, for what the pack in DIR (this folder unless named) stands on and for all
that these stand on, one version of each: the highest in the store or built into
the program that fits all ranges. They are noted in DIR/momon.lock with their
digests. From then on whatever reads DIR reads exactly these beneath it, from
the store, and refuses others. With --check nothing is written; exit status 1
means that the lock is not one for what DIR stands on, or that something that it
names is not to be had.`,
		Example: `  momon pack lock ./mine
  momon pack lock --check ./mine`,
		Args: a.takes(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if check {
				return a.packLockCheck(dir)
			}
			for _, name := range []string{"with", "rules"} {
				if c.Flags().Changed(name) {
					return &misuse{a.t("lock-store-only", "--"+name), c}
				}
			}
			return a.packLock(dir)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "change nothing; see that momon.lock is true")
	return c
}

func (a *app) packLock(dir string) error {
	p, err := a.folderPack(dir)
	if err != nil {
		return err
	}
	list, err := a.shelf()
	if err != nil {
		return err
	}
	built, err := builtinPacks()
	if err != nil {
		return err
	}
	lock, err := pack.Resolve(p.Name, p.Stands, func(name string) []pack.Locked {
		var out []pack.Locked
		for _, b := range built { // first, so that of equal versions it is taken
			if b.Name == name {
				out = append(out, pack.Locked{Name: b.Name, Version: b.Version, Content: b.Content, Stands: b.Stands})
			}
		}
		for _, s := range list {
			if s.Name == name {
				out = append(out, s.Locked)
			}
		}
		return out
	})
	if err != nil {
		return refused(dir, err)
	}
	for i, l := range lock.Packs { // what was chosen by what archives say must be so
		if l.Raw == "" {
			continue
		}
		q, _, err := a.fetched(l)
		if err != nil {
			return err
		}
		lock.Packs[i].Content = q.Content
	}
	text, err := lock.Text()
	if err != nil {
		return err
	}
	name := filepath.Join(dir, pack.LockName)
	if err := a.disk.Write(name, text); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"file": filepath.ToSlash(name), "packs": append([]pack.Locked{}, lock.Packs...)})
	}
	a.println(a.t("locked", filepath.ToSlash(name), len(lock.Packs)))
	for _, l := range lock.Packs {
		from := a.t("locked-builtin")
		if l.Raw != "" {
			from = l.Raw[:16]
		}
		a.println("  " + l.Name + " " + l.Version + "  " + from)
	}
	return nil
}

// packLockCheck says whether the lock beside a folder is true.
func (a *app) packLockCheck(dir string) error {
	l, file, err := a.lockOf(dir)
	if err != nil {
		return err
	}
	err = a.lockHolds(dir)
	if a.json {
		out := map[string]any{"file": filepath.ToSlash(file), "ok": err == nil}
		if err != nil {
			out["error"] = a.fault(err)
		}
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else if err != nil {
		a.para(a.fault(err), 0)
	} else {
		a.println(a.t("lock-true", filepath.ToSlash(file), len(l.Packs)))
	}
	if err != nil {
		return errFound
	}
	return nil
}

// held is a lock that what is read must keep to.
type held struct {
	file string
	pack.Locked
}

// lockOf reads the lock beside a folder, if there is one.
func (a *app) lockOf(dir string) (*pack.Lock, string, error) {
	if !isDir(dir) {
		return nil, "", nil
	}
	name := filepath.Join(dir, pack.LockName)
	l, err := a.lockIn(os.DirFS(dir), name)
	return l, name, err
}

// lockIn is lockOf for a folder that is open; file is what its lock is called.
func (a *app) lockIn(fsys fs.FS, file string) (*pack.Lock, error) {
	data, err := fs.ReadFile(fsys, pack.LockName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, placedIn(filepath.Dir(file), err)
	}
	l, err := pack.ParseLock(data)
	return l, refused(file, err)
}

// beneath are the packs that a folder is locked to, as far as they come from the
// store, in the order in which they are read.
func (a *app) beneath(dir string, cases bool) ([]interpreter.Source, error) {
	l, file, err := a.lockOf(dir)
	if err != nil || l == nil {
		return nil, err
	}
	return a.locked(l, file, cases)
}

// locked are the packs of a lock, as far as they come from the store.
func (a *app) locked(l *pack.Lock, file string, cases bool) ([]interpreter.Source, error) {
	var out []interpreter.Source
	for _, p := range l.Packs {
		a.held = append(a.held, held{filepath.ToSlash(file), p})
		if p.Raw == "" || a.readAlready(p.Name) {
			continue
		}
		q, name, err := a.fromStore(p.Raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.ToSlash(file), err)
		}
		src, err := packSources(filepath.ToSlash(name), q, cases)
		if err != nil {
			return nil, err
		}
		out = append(out, src...)
	}
	return out, nil
}

// readAlready reports whether one of the folders of the flags is a pack of that
// name, so that it is not taken from the store as well.
func (a *app) readAlready(name string) bool {
	return slices.ContainsFunc(append(slices.Clone(a.rules), a.with...), func(dir string) bool {
		if raw, _, err := a.byVersion(dir); err == nil && raw != "" {
			n, _, _ := strings.Cut(dir, "@")
			return n == name
		}
		if isArchive(dir) {
			p, err := a.trusted(dir)
			return err == nil && p.Name == name
		}
		return isDir(dir) && slices.ContainsFunc(pack.Parts(os.DirFS(dir)), func(part pack.Part) bool {
			sub, err := fs.Sub(os.DirFS(dir), part.Dir)
			return err == nil && slices.Contains(packsIn(sub), name)
		})
	})
}

// byVersion is the digest and the file of NAME@VERSION in the store, or nothing
// where the name is that of a file or does not look like one of a pack.
func (a *app) byVersion(arg string) (raw, file string, err error) {
	name, version, ok := strings.Cut(arg, "@")
	if !ok || !pack.IsName(name) || !pack.IsVersion(version) || exists(arg) {
		return "", "", nil
	}
	list, err := a.shelf()
	if err != nil {
		return "", "", err
	}
	var have []string
	for _, s := range list {
		if s.Name == name && s.Version == version {
			return s.Raw, s.file, nil
		}
		if s.Name == name {
			have = append(have, s.Version)
		}
	}
	if len(have) > 0 {
		return "", "", errors.New(a.t("store-versions", name, version, strings.Join(have, ", ")))
	}
	return "", "", errors.New(a.t("store-lacks", name))
}

// fileOf is the file that an argument means: that of NAME@VERSION in the store, with
// the digest that it must have, else the one that is named.
func (a *app) fileOf(arg string) (raw, file string, err error) {
	raw, file, err = a.byVersion(arg)
	if err == nil && raw == "" {
		file = arg
	}
	return raw, file, err
}

var pinned = regexp.MustCompile(`(?m)^[ \t;{]*stands on "([^"\n]+)" is "([0-9a-f]{64})"`)

// keepPins sees that what is read is exactly what locks and packs say.
func (a *app) keepPins(all []interpreter.Source) error {
	find := func(name string) int {
		return slices.IndexFunc(all, func(s interpreter.Source) bool { return slices.Contains(packsIn(s.FS), name) })
	}
	for _, h := range a.held {
		i := find(h.Name)
		if i < 0 {
			return errors.New(a.t("lock-missing", h.file, h.Name, h.Version))
		}
		version, content, raw, err := a.identity(all[i])
		if err != nil {
			return err
		}
		if content != h.Content || raw != "" && h.Raw != "" && raw != h.Raw {
			return errors.New(a.t("lock-differs", h.file, h.Name+" "+h.Version, all[i].Name, version))
		}
	}
	for _, s := range all {
		var err error
		eachRuleFile(s.FS, func(text []byte) {
			for _, m := range pinned.FindAllSubmatch(text, -1) {
				i := find(string(m[1]))
				if i < 0 || err != nil {
					continue // that it is not there is told where the rules are checked
				}
				version, content, _, e := a.identity(all[i])
				if err = e; e == nil && content != string(m[2]) {
					err = errors.New(a.t("pin-differs", s.Name, string(m[1]), string(m[2]), version, content))
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// identity is which pack a source is, exactly.
func (a *app) identity(s interpreter.Source) (version, content, raw string, err error) {
	if _, p := a.archiveOf(s); p != nil {
		return p.Version, p.Content, p.Raw, nil
	}
	p, err := pack.FromFolder(wholeOf(s))
	if err != nil {
		return "", "", "", refused(s.Name, err)
	}
	return p.Version, p.Content, "", nil
}

// wholeOf is the folder that a source is a part of: a project is one pack, though it is
// read part by part.
func wholeOf(s interpreter.Source) fs.FS {
	if f, ok := s.FS.(flat); ok && onDisk(f) {
		part := realPath(s.Name)
		for dir := filepath.Dir(part); ; dir = filepath.Dir(dir) {
			fsys := os.DirFS(dir)
			if slices.ContainsFunc(pack.Parts(fsys), func(p pack.Part) bool {
				return p.Flat && filepath.Join(dir, filepath.FromSlash(p.Dir)) == part
			}) {
				return fsys
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return s.FS
}
