// Package trust says whose signatures under a pack count. Signatures are Ed25519 in
// the format of minisign, so that the ordinary program can make and verify them;
// they lie beside the archive, several of them where several people vouch for it,
// each in a role. Which keys are trusted in which roles stands in a file of the
// person who loads packs. Nothing here uses a network or the clock.
package trust

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"aead.dev/minisign"

	"github.com/momon-rules/momon/interpreter/pack"
)

// Ext is how the names of signature files end.
const Ext = ".minisig"

// Publisher is the role of whom a pack is from.
const Publisher = "publisher"

// MaxSignature bounds a signature file, and MaxSignatures how many lie beside one
// archive.
const (
	MaxSignature  = 4096
	MaxSignatures = 32
)

const formatNumber = 1

// File is a trust file.
type File struct {
	Format  int      `json:"momon_trust"`
	Require []string `json:"require,omitempty"` // the roles in which a pack must be signed; any one where there are none
	Keys    []Key    `json:"keys"`
}

// Key is a public key that is known.
type Key struct {
	ID      string   `json:"id"`              // 16 hexadecimal figures
	Public  string   `json:"public"`          // as minisign writes it
	Name    string   `json:"name,omitempty"`  // whose it is
	Roles   []string `json:"roles,omitempty"` // in which its signatures count
	Packs   []string `json:"packs,omitempty"` // under which packs; any where there are none
	Revoked string   `json:"revoked,omitempty"`
}

// Errors of trust files and keys.
var (
	ErrFile   = errors.New("the trust file can't be read")
	ErrNewer  = errors.New("the trust file is of a newer form")
	ErrKey    = errors.New("this is no public key of minisign")
	ErrSecret = errors.New("this is no secret key of minisign, or the password is another")
)

// Parse reads a trust file. What it does not know it refuses, so that no line is
// passed over.
func Parse(data []byte) (*File, error) {
	f := &File{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFile, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: something stands behind its end", ErrFile)
	}
	if f.Format > formatNumber {
		return nil, ErrNewer
	}
	if f.Format < 1 {
		return nil, fmt.Errorf("%w: it does not begin with \"momon_trust\": 1", ErrFile)
	}
	seen := map[string]bool{}
	for _, k := range f.Keys {
		p, err := k.key()
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: key %s: %w", ErrFile, k.ID, err)
		case IDOf(p) != k.ID:
			return nil, fmt.Errorf("%w: key %s has the id %s", ErrFile, k.ID, IDOf(p))
		case seen[k.ID]:
			return nil, fmt.Errorf("%w: key %s is there twice", ErrFile, k.ID)
		}
		seen[k.ID] = true
		for _, r := range slices.Concat(k.Roles, k.Packs) {
			if !pack.IsName(r) {
				return nil, fmt.Errorf("%w: key %s: %q is no role and no pack", ErrFile, k.ID, r)
			}
		}
	}
	for _, r := range f.Require {
		if !pack.IsName(r) {
			return nil, fmt.Errorf("%w: %q is no role", ErrFile, r)
		}
	}
	return f, nil
}

// Text is the file as it is written.
func (f *File) Text() ([]byte, error) {
	g := *f
	g.Format = formatNumber
	if g.Keys == nil {
		g.Keys = []Key{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(g)
	return b.Bytes(), err
}

// Find returns the key with an id, or nil.
func (f *File) Find(id string) *Key {
	for i := range f.Keys {
		if strings.EqualFold(f.Keys[i].ID, id) {
			return &f.Keys[i]
		}
	}
	return nil
}

// ParsePublic reads a public key: the file that minisign writes, or its last line.
func ParsePublic(data []byte) (minisign.PublicKey, error) {
	var p minisign.PublicKey
	if len(data) > MaxSignature || p.UnmarshalText(bytes.TrimSpace(data)) != nil {
		return p, ErrKey
	}
	return p, nil
}

func (k *Key) key() (minisign.PublicKey, error) { return ParsePublic([]byte(k.Public)) }

// IDOf is the id of a key as minisign shows it.
func IDOf(p minisign.PublicKey) string { return fmt.Sprintf("%016X", p.ID()) }

// Status says what a signature is worth.
type Status string

// What a signature can be worth.
const (
	Trusted    Status = "trusted"     // it counts
	Unknown    Status = "unknown"     // by a key that the trust file does not have
	Revoked    Status = "revoked"     // by a key that is no longer trusted
	Bad        Status = "bad"         // it is not that of this archive, or was changed
	Unreadable Status = "unreadable"  // it is no signature
	OtherRole  Status = "other-role"  // in a role that the key is not trusted in
	OtherPack  Status = "other-pack"  // under a pack that the key is not trusted for
	NoRole     Status = "no-role"     // in no role, and the key has several
	OtherNames Status = "other-names" // it speaks of another pack or version
)

// Signature is a signature file beside an archive.
type Signature struct {
	File string
	Data []byte
}

// Verdict is what one signature is worth.
type Verdict struct {
	File   string `json:"file"`
	Status Status `json:"status"`
	KeyID  string `json:"key,omitempty"`
	Name   string `json:"name,omitempty"`
	Role   string `json:"role,omitempty"`
}

// Judge looks at the signatures beside a pack.
func (f *File) Judge(p *pack.Pack, signatures []Signature) []Verdict {
	return f.JudgeHashed(p, signatures, nil)
}

// Hash is what signatures of an archive are over, on its way: it is worked out beside
// whatever else is done with the archive. It takes three times as long as a SHA-256 that
// the processor has instructions for.
type Hash struct {
	done chan struct{}
	read *minisign.Reader // of all of the archive, and so it knows the hash
}

// StartHash begins to work out the hash of an archive, which must not be changed
// meanwhile.
func StartHash(archive []byte) *Hash {
	h := &Hash{done: make(chan struct{}), read: minisign.NewReader(bytes.NewReader(archive))}
	go func() {
		defer close(h.done)
		for part := make([]byte, 64<<10); ; {
			if _, err := h.read.Read(part); err != nil {
				return
			}
		}
	}()
	return h
}

// reader waits for the hash.
func (h *Hash) reader() *minisign.Reader {
	<-h.done
	return h.read
}

// JudgeHashed is Judge with a hash that was begun before; nil for none.
func (f *File) JudgeHashed(p *pack.Pack, signatures []Signature, h *Hash) []Verdict {
	out := []Verdict{}
	if len(signatures) == 0 {
		return out
	}
	if h == nil {
		h = StartHash(p.Archive())
	}
	r := h.reader() // once for all
	for _, s := range signatures {
		out = append(out, f.judge(p, r, s))
	}
	return out
}

func (f *File) judge(p *pack.Pack, r *minisign.Reader, s Signature) Verdict {
	v := Verdict{File: s.File, Status: Unreadable}
	var sig minisign.Signature
	if len(s.Data) > MaxSignature || sig.UnmarshalText(s.Data) != nil {
		return v
	}
	v.KeyID = fmt.Sprintf("%016X", sig.KeyID)
	k := f.Find(v.KeyID)
	if k == nil {
		v.Status = Unknown
		return v
	}
	v.Name = k.Name
	public, err := k.key()
	if err != nil {
		return v
	}
	var good bool
	if sig.Algorithm == minisign.HashEdDSA {
		good = r.Verify(public, s.Data)
	} else { // as older programs signed: the whole, not its hash
		good = minisign.Verify(public, p.Archive(), s.Data)
	}
	if !good {
		v.Status = Bad
		return v
	}
	said := fields(sig.TrustedComment)
	v.Role = said["role"]
	if v.Role == "" && len(k.Roles) == 1 {
		v.Role = k.Roles[0]
	}
	switch {
	case said["pack"] != "" && said["pack"] != p.Name, said["version"] != "" && said["version"] != p.Version,
		said["content"] != "" && said["content"] != p.Content:
		v.Status = OtherNames
	case k.Revoked != "":
		v.Status = Revoked
	case v.Role == "":
		v.Status = NoRole
	case !slices.Contains(k.Roles, v.Role):
		v.Status = OtherRole
	case len(k.Packs) > 0 && !slices.Contains(k.Packs, p.Name):
		v.Status = OtherPack
	default:
		v.Status = Trusted
	}
	return v
}

// fields reads a comment such as: momon role:publisher pack:name.
func fields(comment string) map[string]string {
	out := map[string]string{}
	words := strings.Fields(comment)
	if len(words) == 0 || words[0] != "momon" {
		return out
	}
	for _, w := range words[1:] {
		if key, value, ok := strings.Cut(w, ":"); ok && out[key] == "" {
			out[key] = value
		}
	}
	return out
}

// Refusal is why a pack is not to be loaded.
type Refusal struct {
	Why     string  // unsigned, untrusted, lacks-role, bad or revoked
	Role    string  // that it lacks
	Verdict Verdict // that stands in the way, where one does
}

// Error implements error.
func (r *Refusal) Error() string { return "the pack is not signed as it must be: " + r.Why }

// Decide says whether a pack with such signatures is to be loaded. One that is not
// signed, or by nobody who is known, is let through if unsigned ones are allowed;
// one with a signature that is wrong or revoked never is.
func (f *File) Decide(verdicts []Verdict, allowUnsigned bool) error {
	roles := map[string]bool{}
	var revoked *Verdict
	for i, v := range verdicts {
		switch v.Status {
		case Bad, Unreadable, OtherNames:
			return &Refusal{Why: "bad", Verdict: v}
		case Revoked:
			revoked = &verdicts[i]
		case Trusted:
			roles[v.Role] = true
		}
	}
	lacks := ""
	for _, r := range f.Require {
		if !roles[r] {
			lacks = r
			break
		}
	}
	switch {
	case len(roles) > 0 && lacks == "":
		return nil
	case revoked != nil:
		return &Refusal{Why: "revoked", Verdict: *revoked}
	case allowUnsigned:
		return nil
	case lacks != "" && len(verdicts) > 0:
		return &Refusal{Why: "lacks-role", Role: lacks}
	case len(verdicts) == 0:
		return &Refusal{Why: "unsigned"}
	}
	return &Refusal{Why: "untrusted", Verdict: verdicts[0]}
}

// Sign signs a pack in a role. The bytes are those of a signature file.
func Sign(key minisign.PrivateKey, p *pack.Pack, role string) []byte {
	r := StartHash(p.Archive()).reader()
	said := fmt.Sprintf("momon role:%s pack:%s version:%s content:%s", role, p.Name, p.Version, p.Content)
	return append(bytes.TrimRight(r.SignWithComments(key, said, fmt.Sprintf("signature of %s in the role %s", p.ID(), role)), "\n"), '\n')
}

// NewKey makes a key. The secret one is encrypted with the password, unless that is
// empty.
func NewKey(random io.Reader, password string) (public minisign.PublicKey, secret []byte, err error) {
	public, private, err := minisign.GenerateKey(random)
	if err != nil {
		return public, nil, err
	}
	if password == "" {
		secret, err = private.MarshalText()
	} else {
		secret, err = minisign.EncryptKey(password, private)
	}
	return public, append(secret, '\n'), err
}

// Encrypted reports whether a secret key needs a password.
func Encrypted(secret []byte) bool { return minisign.IsEncrypted(secret) }

// OpenKey reads a secret key.
func OpenKey(secret []byte, password string) (minisign.PrivateKey, error) {
	var k minisign.PrivateKey
	var err error
	if Encrypted(secret) {
		k, err = minisign.DecryptKey(password, secret)
	} else {
		err = k.UnmarshalText(secret)
	}
	if err != nil {
		return k, ErrSecret
	}
	return k, nil
}
