package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aead.dev/minisign"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/momon-rules/momon/grammar/diag"
	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
)

// trustVariable names the environment variable that says where the trust file is.
const trustVariable = "MOMON_TRUST"

// trustFile is where the trust file is, whether it is there or not.
func (a *app) trustFile() (string, error) {
	if a.trust != "" {
		return a.trust, nil
	}
	if name := os.Getenv(trustVariable); name != "" {
		return name, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", errors.New(a.t("no-config-dir", "--trust", trustVariable))
	}
	return filepath.Join(dir, "momon", "trust.json"), nil
}

// readTrust reads the trust file. Where there is none no key is trusted, unless one
// was named that is not there.
func (a *app) readTrust() (*trust.File, error) {
	name, err := a.trustFile()
	if err != nil {
		return &trust.File{}, nil // there is no place for one
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && a.trust == "" {
		return &trust.File{}, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := trust.Parse(data)
	if err != nil {
		return nil, a.trustFault(name, err)
	}
	return f, nil
}

func (a *app) trustFault(name string, err error) error {
	switch {
	case errors.Is(err, trust.ErrNewer):
		return errors.New(a.t("trust-newer", name))
	case errors.Is(err, trust.ErrFile):
		return errors.New(a.t("trust-broken", name, strings.TrimPrefix(err.Error(), trust.ErrFile.Error()+": ")))
	case errors.Is(err, trust.ErrKey):
		return errors.New(a.t("no-public-key", name))
	case errors.Is(err, trust.ErrSecret):
		return errors.New(a.t("no-secret-key", name))
	}
	return err
}

// signatureFiles lists the signature files that lie beside an archive.
func signatureFiles(archive string) ([]string, error) {
	dir, base := filepath.Split(archive)
	if dir == "" {
		dir = "."
	}
	list, err := os.ReadDir(dir)
	var out []string
	for _, e := range list {
		if strings.HasPrefix(e.Name(), base+".") && strings.HasSuffix(e.Name(), trust.Ext) {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, err
}

// signatures reads the signature files that lie beside an archive.
func (a *app) signatures(archive string) ([]trust.Signature, error) {
	files, err := signatureFiles(archive)
	if err != nil {
		return nil, err
	}
	var out []trust.Signature
	for _, name := range files {
		if st, err := os.Stat(name); err != nil {
			return nil, err
		} else if !st.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "read", Path: name, Err: errNoText}
		}
		if len(out) == trust.MaxSignatures {
			return nil, errors.New(a.t("many-signatures", filepath.ToSlash(archive), trust.MaxSignatures))
		}
		data, err := readAtMost(name, trust.MaxSignature+1)
		if err != nil {
			return nil, err
		}
		out = append(out, trust.Signature{File: filepath.ToSlash(name), Data: data})
	}
	return out, nil
}

func readAtMost(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// judged says what the signatures beside an archive are worth, and whether it is to
// be loaded.
func (a *app) judged(name string, p *pack.Pack, h *trust.Hash) ([]trust.Verdict, error) {
	f, err := a.readTrust()
	if err != nil {
		return nil, err
	}
	sigs, err := a.signatures(name)
	if err != nil {
		return nil, err
	}
	v := f.JudgeHashed(p, sigs, h)
	err = f.Decide(v, a.allowUnsigned)
	var r *trust.Refusal
	if errors.As(err, &r) {
		err = &trustError{filepath.ToSlash(name), r}
	}
	return v, err
}

// trustError is why an archive is not to be loaded, and which it is.
type trustError struct {
	name string
	why  *trust.Refusal
}

// Error implements error.
func (e *trustError) Error() string { return e.name + ": " + e.why.Error() }

// trustText words why an archive is not to be loaded.
func (a *app) trustText(e *trustError) string {
	return e.name + ": " + a.distrust(e.why)
}

func (a *app) distrust(r *trust.Refusal) string {
	switch r.Why {
	case "lacks-role":
		return a.t("refused-lacks-role", r.Role)
	case "unsigned":
		return a.t("refused-unsigned")
	case "untrusted":
		return a.t("refused-untrusted", a.t("signature-"+string(r.Verdict.Status), r.Verdict.KeyID, r.Verdict.Role))
	case "revoked":
		return a.t("refused-revoked", r.Verdict.KeyID)
	}
	return a.t("refused-bad", r.Verdict.File)
}

// trusted opens an archive that is to be loaded: it must be what it says and be
// signed as the trust file wants it.
func (a *app) trusted(name string) (*pack.Pack, error) {
	key := realPath(name)
	if p, ok := a.opened[key]; ok {
		return p, nil
	}
	if a.seen != nil {
		a.seen[name] = a.stateOf(name) // before it is read: what changes meanwhile is seen
	}
	data, err := readArchive(name)
	if err != nil {
		return nil, err
	}
	h := trust.StartHash(data)
	p, err := pack.FromArchive(data)
	if err != nil {
		return nil, refused(name, err)
	}
	if _, err := a.judged(name, p, h); err != nil {
		return nil, err
	}
	if a.opened == nil {
		a.opened = map[string]*pack.Pack{}
	}
	a.opened[key] = p
	return p, nil
}

// changed reports whether an archive that was opened, a signature beside it or whom to
// trust is no longer what it was, and forgets those archives.
func (a *app) changed() bool {
	found := false
	for name, was := range a.seen {
		if a.stateOf(name) != was {
			found = true
			delete(a.seen, name)
			delete(a.opened, realPath(name))
		}
	}
	return found
}

// settled is how long a file has to lie untouched until its time and size tell it
// from what it may become: clocks of file systems are coarse.
const settled = 2 * time.Second

// stateOf tells one state of an archive, of the signatures beside it and of the trust
// file from another, without reading them.
func (a *app) stateOf(name string) string {
	files := []string{name}
	if f, err := a.trustFile(); err == nil {
		files = append(files, f)
	}
	if more, err := signatureFiles(name); err == nil {
		files = append(files, more...)
	}
	var b strings.Builder
	for _, f := range files {
		st, err := os.Stat(f)
		if err != nil {
			fmt.Fprintf(&b, "%s none\n", f)
			continue
		}
		fmt.Fprintf(&b, "%s %d %d\n", f, st.Size(), st.ModTime().UnixNano())
		if now := time.Now(); now.Sub(st.ModTime()) < settled {
			fmt.Fprintf(&b, "looked at %d\n", now.UnixNano())
		}
	}
	return b.String()
}

func (a *app) packSignCmd() *cobra.Command {
	var key, role, out, password string
	c := &cobra.Command{
		Use:   "sign FILE",
		Short: "Sign an archive",
		Long: `Signs an archive with a secret key, in a role: publisher unless another is named.
The signature is a file beside it, FILE.minisig or FILE.ROLE.minisig, in the
format of minisign; several can lie there. minisign verifies them too:
  minisign -V -p KEY.pub -m FILE`,
		Example: `  momon pack sign mine-1.0.0.momonpack --key mine.key
  momon pack sign mine-1.0.0.momonpack --key judge.key --role judge`,
		Args: a.takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if key == "" {
				return &misuse{a.t("flag-required", c.CommandPath(), "key"), c}
			}
			return a.packSign(args[0], key, role, out, password)
		},
	}
	c.Flags().StringVar(&key, "key", "", "the secret key `FILE`")
	c.Flags().StringVar(&role, "role", trust.Publisher, "the `ROLE` in which it is signed")
	c.Flags().StringVarP(&out, "output", "o", "", "write the signature to `FILE`")
	c.Flags().StringVar(&password, "password-file", "", "read the password of the key from the first line of `FILE`")
	return c
}

func (a *app) packSign(name, keyFile, role, out, passwordFile string) error {
	if !pack.IsName(role) {
		return errors.New(a.t("no-role-name", role))
	}
	p, err := a.openPack(name)
	if err != nil {
		return err
	}
	if isDir(name) {
		return errors.New(a.t("sign-folder", name))
	}
	key, err := a.signingKey(keyFile, passwordFile)
	if err != nil {
		return err
	}
	sig := trust.Sign(*key, p, role)
	id := trust.IDOf(key.Public().(minisign.PublicKey))
	if out == "" {
		out = signatureName(name, role, id)
	}
	if err := a.overSignature(out); err != nil {
		return err
	}
	if err := a.disk.Write(out, sig); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"file": filepath.ToSlash(out), "key": id, "role": role})
	}
	a.println(a.t("pack-signed", filepath.ToSlash(out), role, id))
	return nil
}

// overSignature sees that a signature is not written over a file that is none.
func (a *app) overSignature(name string) error {
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() || st.Size() == 0 {
		return nil // what is no file is refused where it is written
	}
	if _, err := signerOf(name); err != nil {
		return errors.New(a.t("no-signature-over", diag.Printable(name)))
	}
	return nil
}

// signerOf is the id of the key that a signature file names.
func signerOf(name string) (string, error) {
	data, err := readAtMost(name, trust.MaxSignature)
	if err != nil {
		return "", err
	}
	var s minisign.Signature
	if err := s.UnmarshalText(data); err != nil {
		return "", err
	}
	return fmt.Sprintf("%016X", s.KeyID), nil
}

// password asks for a password, or reads it from a file. A new one is asked for
// twice.
func (a *app) password(file string, fresh bool) (string, error) {
	if file != "" {
		data, err := readAtMost(file, 4096)
		if err != nil {
			return "", err
		}
		line, _, _ := strings.Cut(string(data), "\n")
		if line = strings.TrimSuffix(line, "\r"); line == "" {
			return "", errors.New(a.t("password-empty"))
		}
		return line, nil
	}
	in, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", errors.New(a.t("password-where"))
	}
	ask := func(key string) (string, error) {
		fmt.Fprint(a.err, a.t(key)+" ")
		b, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(a.err)
		return string(b), err
	}
	first, err := ask("password")
	if err != nil || !fresh {
		return first, err
	}
	if first == "" {
		return "", errors.New(a.t("password-empty"))
	}
	second, err := ask("password-again")
	if err == nil && first != second {
		err = errors.New(a.t("password-differs"))
	}
	return first, err
}

func (a *app) packKeysCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Make keys, and say which are trusted",
		Long: `Without a command it lists the keys that are trusted. They stand in the trust
file: that of --trust, else of the environment variable MOMON_TRUST, else
momon/trust.json among your settings.`,
		Example: `  momon pack keys
  momon pack keys new mine
  momon pack keys trust mine.pub --name "Table 5"
  momon pack keys revoke 0123456789ABCDEF --because "the laptop is gone"`,
		Args: a.takes(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.keysList() },
	}
	c.AddCommand(a.keysNewCmd(), a.keysTrustCmd(), a.keysRevokeCmd(), a.keysRequireCmd())
	return c
}

func (a *app) keysNewCmd() *cobra.Command {
	var password string
	var open bool
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a pair of keys",
		Long: `Writes a secret key, NAME.key, and the public key that belongs to it, NAME.pub.
The secret one is encrypted with a password that is asked for. Give the public
one to those who are to trust you, the secret one to nobody. Nothing that is
there is written over.`,
		Example: `  momon pack keys new mine`,
		Args:    a.takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if open && c.Flags().Changed("password-file") {
				return &misuse{a.t("password-both"), c}
			}
			return a.keysNew(args[0], password, open)
		},
	}
	c.Flags().StringVar(&password, "password-file", "", "read the password from the first line of `FILE`")
	c.Flags().BoolVar(&open, "no-password", false, "leave the secret key open to whoever reads the file")
	return c
}

func (a *app) keysNew(name, passwordFile string, open bool) error {
	secretFile, publicFile := name+".key", name+".pub"
	for _, f := range []string{secretFile, publicFile} {
		if _, err := os.Lstat(f); err == nil {
			return errors.New(a.t("new-taken", filepath.ToSlash(f)))
		}
	}
	password := ""
	if !open {
		var err error
		if password, err = a.password(passwordFile, true); err != nil {
			return err
		}
	}
	public, secret, err := trust.NewKey(nil, password)
	if err != nil {
		return err
	}
	text, err := public.MarshalText()
	if err != nil {
		return err
	}
	if err := writeSecret(secretFile, secret); err != nil {
		return err
	}
	if err := a.disk.Write(publicFile, append(text, '\n')); err != nil {
		os.Remove(secretFile)
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"key": trust.IDOf(public), "secret": filepath.ToSlash(secretFile), "public": filepath.ToSlash(publicFile)})
	}
	a.println(a.t("keys-made", trust.IDOf(public)))
	a.println("  " + a.t("keys-secret", filepath.ToSlash(secretFile)))
	a.println("  " + a.t("keys-public", filepath.ToSlash(publicFile)))
	return nil
}

// writeSecret writes a file that is not there yet, for its owner alone.
func writeSecret(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}

func (a *app) keysTrustCmd() *cobra.Command {
	var roles, packs []string
	var name string
	c := &cobra.Command{
		Use:   "trust FILE|KEY",
		Short: "Trust a public key",
		Long: `Puts a public key into the trust file: the file FILE, or KEY itself, the line
that begins with RW. Its signatures count in the roles that are named (publisher
unless others are), and under the packs that are named (any unless some are).
A key that is there is changed; one that was revoked stays revoked.`,
		Example: `  momon pack keys trust mine.pub --name "Table 5"
  momon pack keys trust judge.pub --role judge --pack mine`,
		Args: a.takes(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return a.keysTrust(args[0], name, roles, packs) },
	}
	c.Flags().StringArrayVar(&roles, "role", nil, "a `ROLE` in which it is trusted (repeatable; publisher by default)")
	c.Flags().StringArrayVar(&packs, "pack", nil, "the `NAME` of a pack for which it is trusted (repeatable; any by default)")
	c.Flags().StringVar(&name, "name", "", "`WHO` it belongs to, for you to read")
	return c
}

func (a *app) keysTrust(arg, name string, roles, packs []string) error {
	data := []byte(arg)
	if _, err := trust.ParsePublic(data); err != nil {
		if data, err = readAtMost(arg, trust.MaxSignature+1); err != nil {
			return err
		}
	}
	public, err := trust.ParsePublic(data)
	if err != nil {
		return a.trustFault(arg, err)
	}
	if len(roles) == 0 {
		roles = []string{trust.Publisher}
	}
	for _, r := range slices.Concat(roles, packs) {
		if !pack.IsName(r) {
			return errors.New(a.t("no-role-name", r))
		}
	}
	lines := strings.Split(strings.TrimSpace(public.String()), "\n")
	k := trust.Key{ID: trust.IDOf(public), Public: lines[len(lines)-1], Name: name, Roles: roles, Packs: packs}
	return a.changeTrust(func(f *trust.File) error {
		old := f.Find(k.ID)
		if old == nil {
			f.Keys = append(f.Keys, k)
		} else {
			if name == "" {
				k.Name = old.Name
			}
			if k.Revoked = old.Revoked; k.Revoked != "" {
				return errors.New(a.t("keys-revoked-already", k.ID, k.Revoked))
			}
			*old = k
		}
		return nil
	}, func() string { return a.t("keys-trusted", k.ID, strings.Join(k.Roles, ", ")) })
}

func (a *app) keysRevokeCmd() *cobra.Command {
	var because string
	c := &cobra.Command{
		Use:   "revoke ID",
		Short: "No longer trust a key, for good",
		Long: `Notes in the trust file that a key is not to be trusted any more, such as when its
secret half is lost. No signature by it counts from then on, whenever it was
made, and a pack that only it has signed is refused.`,
		Example: `  momon pack keys revoke 0123456789ABCDEF --because "the laptop is gone"`,
		Args:    a.takes(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeTrust(func(f *trust.File) error {
				k := f.Find(args[0])
				if k == nil {
					return errors.New(a.t("keys-unknown", args[0]))
				}
				if because == "" {
					because = "revoked"
				}
				k.Revoked = because
				return nil
			}, func() string { return a.t("keys-revoked", strings.ToUpper(args[0])) })
		},
	}
	c.Flags().StringVar(&because, "because", "", "`WHY`, for you to read")
	return c
}

func (a *app) keysRequireCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "require [ROLE...]",
		Short: "Say in which roles a pack must be signed",
		Long: `Notes in the trust file that a pack must have a trusted signature in each of the
roles that are named. Without a role any trusted signature will do again.`,
		Example: `  momon pack keys require publisher judge`,
		Args:    a.takes(0, 20),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, r := range args {
				if !pack.IsName(r) {
					return errors.New(a.t("no-role-name", r))
				}
			}
			return a.changeTrust(func(f *trust.File) error { f.Require = args; return nil }, func() string {
				if len(args) == 0 {
					return a.t("keys-require-any")
				}
				return a.t("keys-require", strings.Join(args, ", "))
			})
		},
	}
}

// changeTrust reads the trust file, changes it, and writes it.
func (a *app) changeTrust(change func(f *trust.File) error, told func() string) error {
	name, err := a.trustFile()
	if err != nil {
		return err
	}
	f := &trust.File{}
	data, err := os.ReadFile(name)
	switch {
	case err == nil:
		if f, err = trust.Parse(data); err != nil {
			return a.trustFault(name, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := change(f); err != nil {
		return err
	}
	text, err := f.Text()
	if err != nil {
		return err
	}
	if !bytes.Equal(text, data) {
		if err := a.disk.Folder(filepath.Dir(name)); err != nil {
			return err
		}
		if err := a.disk.Write(name, text); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(f)
	}
	a.println(told())
	return nil
}

func (a *app) keysList() error {
	f, err := a.readTrust()
	if err != nil {
		return err
	}
	if a.json {
		if f.Keys == nil {
			f.Keys = []trust.Key{}
		}
		return a.printJSON(f)
	}
	if len(f.Keys) == 0 {
		a.println(a.t("keys-none"))
	}
	for _, k := range f.Keys {
		line := k.ID + "  " + strings.Join(k.Roles, ", ")
		if len(k.Packs) > 0 {
			line += " (" + strings.Join(k.Packs, ", ") + ")"
		}
		if k.Name != "" {
			line += "  " + k.Name
		}
		a.println(line)
		if k.Revoked != "" {
			a.println("  " + a.t("keys-is-revoked", k.Revoked))
		}
	}
	if len(f.Require) > 0 {
		a.println(a.t("keys-require", strings.Join(f.Require, ", ")))
	}
	return nil
}

// tellVerdicts says what the signatures beside an archive are worth.
func (a *app) tellVerdicts(list []trust.Verdict) {
	if len(list) == 0 {
		a.println("  " + a.t("no-signature"))
	}
	for _, v := range list {
		who := v.KeyID
		if v.Name != "" {
			who += " (" + v.Name + ")"
		}
		a.println("  " + filepath.ToSlash(filepath.Base(v.File)) + ": " + a.t("signature-"+string(v.Status), who, v.Role))
	}
}
