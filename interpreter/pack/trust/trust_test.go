package trust

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"aead.dev/minisign"

	"github.com/momon-rules/momon/interpreter/pack"
)

func tides(t *testing.T, version string) *pack.Pack {
	t.Helper()
	p, err := pack.FromFolder(fstest.MapFS{"a.momon": {Data: fmt.Appendf(nil, "language 1\npack \"tides\" en \"Tides\" th \"น้ำ\" { version %q }\n", version)}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pair is a key and its line in a trust file.
func pair(t *testing.T, name string, roles ...string) (minisign.PrivateKey, Key) {
	t.Helper()
	public, secret, err := NewKey(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := OpenKey(secret, "")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(public.String(), "\n")
	return k, Key{ID: IDOf(public), Public: lines[len(lines)-1], Name: name, Roles: roles}
}

// TestJudge holds what each signature is worth, and what follows for the pack.
func TestJudge(t *testing.T) {
	p, other := tides(t, "1.0.0"), tides(t, "1.0.1")
	pub, pubKey := pair(t, "shop", "publisher")
	judge, judgeKey := pair(t, "judge", "judge", "translator")
	gone, goneKey := pair(t, "gone", "publisher")
	goneKey.Revoked = "lost"
	narrow, narrowKey := pair(t, "narrow", "publisher")
	narrowKey.Packs = []string{"waves"}
	stranger, _ := pair(t, "stranger", "publisher")
	f := &File{Keys: []Key{pubKey, judgeKey, goneKey, narrowKey}}
	// Another letter of base64: the file can still be read, whatever the key was.
	edit := func(b []byte, at int) []byte {
		b = bytes.Clone(b)
		if b[at] == 'b' {
			b[at] = 'c'
		} else {
			b[at] = 'b'
		}
		return b
	}
	good := Sign(pub, p, "publisher")
	plain := func(k minisign.PrivateKey, comment string) []byte { // as the ordinary program makes it
		return StartHash(p.Archive()).reader().SignWithComments(k, comment, "signature")
	}
	for _, c := range []struct {
		name  string
		data  []byte
		want  Status
		role  string
		alone string // why it is refused where this is the only signature, "" for not at all
		open  string // the same where unsigned ones are allowed
	}{
		{"good", good, Trusted, "publisher", "", ""},
		{"old form", minisign.SignWithComments(pub, p.Archive(), "momon role:publisher", "x"), Trusted, "publisher", "", ""},
		{"two roles", Sign(judge, p, "judge"), Trusted, "judge", "", ""},
		{"by minisign", plain(pub, "timestamp:1\tfile:x"), Trusted, "publisher", "", ""},
		{"by minisign, two roles", plain(judge, "timestamp:1"), NoRole, "", "untrusted", ""},
		{"another role", Sign(pub, p, "judge"), OtherRole, "judge", "untrusted", ""},
		{"a stranger", Sign(stranger, p, "publisher"), Unknown, "", "untrusted", ""},
		{"revoked", Sign(gone, p, "publisher"), Revoked, "publisher", "revoked", "revoked"},
		{"for another pack only", Sign(narrow, p, "publisher"), OtherPack, "publisher", "untrusted", ""},
		{"of another archive", Sign(pub, other, "publisher"), Bad, "", "bad", "bad"},
		{"a lie about the version", plain(pub, "momon role:publisher version:9.0.0"), OtherNames, "publisher", "bad", "bad"},
		{"a changed comment", bytes.Replace(good, []byte("role:publisher"), []byte("role:judge"), 1), Bad, "", "bad", "bad"},
		{"a changed signature", edit(good, bytes.IndexByte(good, '\n')+40), Bad, "", "bad", "bad"},
		{"nothing", nil, Unreadable, "", "bad", "bad"},
		{"words", []byte("trust me"), Unreadable, "", "bad", "bad"},
		{"much", bytes.Repeat([]byte("x"), MaxSignature+1), Unreadable, "", "bad", "bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := f.Judge(p, []Signature{{"x.minisig", c.data}})
			if len(v) != 1 || v[0].Status != c.want || v[0].Role != c.role {
				t.Fatalf("%+v", v)
			}
			for open, want := range map[bool]string{false: c.alone, true: c.open} {
				if got := why(f.Decide(v, open)); got != want {
					t.Errorf("allowed unsigned %v: %q, not %q", open, got, want)
				}
			}
			// Beside a good one it does no harm, unless somebody changed something.
			both := f.Judge(p, []Signature{{"x.minisig", c.data}, {"y.minisig", good}})
			want := ""
			if c.alone == "bad" {
				want = "bad"
			}
			if got := why(f.Decide(both, false)); got != want {
				t.Errorf("beside a good one: %q", got)
			}
		})
	}
	if got := why(f.Decide(nil, false)); got != "unsigned" {
		t.Error(got)
	}
	if got := why(f.Decide(nil, true)); got != "" {
		t.Error(got)
	}
	f.Require = []string{"publisher", "judge"}
	one := f.Judge(p, []Signature{{"x", good}})
	two := f.Judge(p, []Signature{{"x", good}, {"y", Sign(judge, p, "judge")}})
	if got := why(f.Decide(one, false)); got != "lacks-role" {
		t.Error(got)
	}
	if got := why(f.Decide(two, false)); got != "" {
		t.Error(got)
	}
}

func why(err error) string {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Why
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// TestFile holds that trust files come back as they were written, and that what is
// wrong with one is never passed over.
func TestFile(t *testing.T) {
	_, k := pair(t, "shop", "publisher")
	f := &File{Require: []string{"publisher"}, Keys: []Key{k}}
	text, err := f.Text()
	if err != nil {
		t.Fatal(err)
	}
	g, err := Parse(text)
	if err != nil || g.Find(strings.ToLower(k.ID)) == nil {
		t.Fatal(err)
	}
	_, l := pair(t, "x")
	for name, change := range map[string]func(s string) string{
		"cut":           func(s string) string { return s[:len(s)/2] },
		"behind":        func(s string) string { return s + "{}" },
		"no form":       func(s string) string { return strings.Replace(s, `"momon_trust": 1,`, "", 1) },
		"newer":         func(s string) string { return strings.Replace(s, `"momon_trust": 1`, `"momon_trust": 2`, 1) },
		"unknown":       func(s string) string { return strings.Replace(s, `"roles"`, `"rolls"`, 1) },
		"other id":      func(s string) string { return strings.Replace(s, k.ID, l.ID, 1) },
		"no key":        func(s string) string { return strings.Replace(s, k.Public, "RWQ", 1) },
		"no role":       func(s string) string { return strings.Replace(s, `"publisher"`, `"The Publisher"`, 1) },
		"not an object": func(string) string { return "[]" },
	} {
		changed := change(string(text))
		if changed == string(text) {
			t.Fatal(name)
		}
		if _, err := Parse([]byte(changed)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	f.Keys = append(f.Keys, k)
	if text, _ := f.Text(); !errors.Is(second(Parse(text)), ErrFile) {
		t.Error("a key twice is accepted")
	}
}

func second[T any](_ T, err error) error { return err }

// TestMinisign has the ordinary program verify our signatures, and us its own, with
// a secret key that each reads from the other. It is skipped where the program is
// not there; .ci/run installs it.
func TestMinisign(t *testing.T) {
	if _, err := exec.LookPath("minisign"); err != nil {
		t.Skip("minisign is not installed")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	p := tides(t, "1.0.0")
	public, secret, err := NewKey(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	key, err := OpenKey(secret, "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"p": p.Archive(), "p.minisig": Sign(key, p, "publisher"), "k.pub": append(text, '\n'), "k.key": secret,
	} {
		if err := os.WriteFile(at(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(ok bool, args ...string) string {
		t.Helper()
		out, err := exec.Command("minisign", args...).CombinedOutput()
		if (err == nil) != ok {
			t.Fatalf("minisign %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := run(true, "-V", "-p", at("k.pub"), "-m", at("p")); !strings.Contains(out, "role:publisher pack:tides version:1.0.0") {
		t.Error(out)
	}
	if err := os.WriteFile(at("p"), append(p.Archive(), 'x'), 0o600); err != nil {
		t.Fatal(err)
	}
	run(false, "-V", "-p", at("k.pub"), "-m", at("p"))
	if err := os.WriteFile(at("p"), p.Archive(), 0o600); err != nil {
		t.Fatal(err)
	}
	run(true, "-G", "-W", "-p", at("m.pub"), "-s", at("m.key"))
	run(true, "-S", "-W", "-s", at("m.key"), "-m", at("p"), "-x", at("p.m.minisig"), "-t", "momon role:judge")
	theirs, err := os.ReadFile(at("m.pub"))
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParsePublic(theirs)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := os.ReadFile(at("p.m.minisig"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(q.String(), "\n")
	f := &File{Keys: []Key{{ID: IDOf(q), Public: lines[len(lines)-1], Roles: []string{"judge"}}}}
	if v := f.Judge(p, []Signature{{"x", sig}}); v[0].Status != Trusted || v[0].Role != "judge" {
		t.Errorf("%+v", v)
	}
	if data, err := os.ReadFile(at("m.key")); err != nil {
		t.Error(err)
	} else if _, err := OpenKey(data, ""); err != nil {
		t.Error(err)
	}
}

// TestPassword: a secret key is read with its password and with no other. It takes
// a gigabyte of memory for some seconds, as it is meant to.
func TestPassword(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	public, secret, err := NewKey(nil, "swordfish")
	if err != nil {
		t.Fatal(err)
	}
	if !Encrypted(secret) {
		t.Fatal("not encrypted")
	}
	if k, err := OpenKey(secret, "swordfish"); err != nil || k.ID() != public.ID() {
		t.Error(err)
	}
	if _, err := OpenKey(secret, "Swordfish"); !errors.Is(err, ErrSecret) {
		t.Error(err)
	}
}

// FuzzSignature: whatever lies beside an archive, it is told what it is worth, and
// nothing but a signature counts.
func FuzzSignature(f *testing.F) {
	p, err := pack.FromFolder(fstest.MapFS{"a.momon": {Data: []byte("language 1\npack \"tides\" en \"T\" th \"น้ำ\" { version \"1.0.0\" }\n")}})
	if err != nil {
		f.Fatal(err)
	}
	public, secret, err := NewKey(bytes.NewReader(bytes.Repeat([]byte("12345678"), 100)), "")
	if err != nil {
		f.Fatal(err)
	}
	key, err := OpenKey(secret, "")
	if err != nil {
		f.Fatal(err)
	}
	lines := strings.Split(public.String(), "\n")
	file := &File{Keys: []Key{{ID: IDOf(public), Public: lines[len(lines)-1], Roles: []string{"publisher"}}}}
	good := Sign(key, p, "publisher")
	f.Add(good)
	f.Add([]byte("untrusted comment: x\nRWQ\ntrusted comment: y\nz"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := file.Judge(p, []Signature{{"x", data}})
		var a, b minisign.Signature
		same := a.UnmarshalText(data) == nil && b.UnmarshalText(good) == nil && a.Equal(b)
		if (v[0].Status == Trusted) != same {
			t.Fatalf("%+v", v)
		}
		if file.Decide(v, false) == nil != same {
			t.Fatal("loaded")
		}
	})
}
