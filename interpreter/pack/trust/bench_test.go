package trust

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/momon-rules/momon/interpreter/pack"
)

// BenchmarkJudge measures how fast a signature and the digest of an archive are
// verified, beside SHA-256 alone over the same bytes.
func BenchmarkJudge(b *testing.B) {
	files := fstest.MapFS{"a.momon": {Data: []byte("language 1\npack \"tides\" en \"T\" th \"น้ำ\" { version \"1.0.0\" }\n")}}
	for i := range 30 {
		files[fmt.Sprintf("t%d.md", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("x", 1<<20))}
	}
	p, err := pack.FromFolder(files)
	if err != nil {
		b.Fatal(err)
	}
	public, secret, err := NewKey(nil, "")
	if err != nil {
		b.Fatal(err)
	}
	key, err := OpenKey(secret, "")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(public.String(), "\n")
	f := &File{Keys: []Key{{ID: IDOf(public), Public: lines[len(lines)-1], Roles: []string{Publisher}}}}
	sigs := []Signature{{"x", Sign(key, p, Publisher)}}
	b.Run("sha256", func(b *testing.B) {
		b.SetBytes(int64(len(p.Archive())))
		for range b.N {
			sha256.Sum256(p.Archive())
		}
	})
	b.Run("judge", func(b *testing.B) {
		b.SetBytes(int64(len(p.Archive())))
		for range b.N {
			sha256.Sum256(p.Archive())
			if f.Judge(p, sigs)[0].Status != Trusted {
				b.Fatal("not trusted")
			}
		}
	})
	b.Run("both", func(b *testing.B) { // as momon does it
		b.SetBytes(int64(len(p.Archive())))
		for range b.N {
			h := StartHash(p.Archive())
			sha256.Sum256(p.Archive())
			if f.JudgeHashed(p, sigs, h)[0].Status != Trusted {
				b.Fatal("not trusted")
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		b.SetBytes(int64(len(p.Archive())))
		for range b.N {
			if _, err := pack.FromArchive(p.Archive()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
