package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/momon-rules/momon/interpreter/pack"
)

// signedPack makes an archive with a signature, and a trust file that has its key.
func signedPack(t *testing.T) (dir, archive string) {
	t.Helper()
	dir = t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.MkdirAll(at("mine"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "language 1\npack \"mine\" en \"Mine\" th \"ของฉัน\" { version \"1.0.0\" }\n"
	if err := os.WriteFile(at("mine/module.momon"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(trustVariable, at("trust.json"))
	t.Setenv(storeVariable, at("store"))
	archive = at("mine-1.0.0" + pack.Ext)
	for _, args := range [][]string{
		{"pack", "build", at("mine"), "-o", archive}, {"pack", "keys", "new", at("k"), "--no-password"},
		{"pack", "keys", "trust", at("k.pub")}, {"pack", "sign", archive, "--key", at("k.key")},
	} {
		if out, status := typed(args...); status != exitFine {
			t.Fatalf("%s: %s", args, out)
		}
	}
	return dir, archive
}

// typed runs a command and returns all that it shows.
func typed(args ...string) (string, int) {
	var b bytes.Buffer
	status := Main(args, strings.NewReader(""), &b, &b)
	return b.String(), status
}

// TestGetHTTP: what comes over the network is verified before any of it is kept.
func TestGetHTTP(t *testing.T) {
	dir, archive := signedPack(t)
	good, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	files := http.FileServer(http.Dir(dir))
	mux.Handle("/p/", http.StripPrefix("/p/", files))
	mux.HandleFunc("/bare/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, pack.Ext) {
			w.Write(good)
			return
		}
		http.NotFound(w, r)
	})
	mux.HandleFunc("/short/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100000")
		w.Write(good)
	})
	mux.HandleFunc("/endless/", func(w http.ResponseWriter, r *http.Request) {
		for part := make([]byte, 1<<20); r.Context().Err() == nil; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/round/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round/"+r.URL.Path, http.StatusFound)
	})
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/p/"+strings.TrimPrefix(r.URL.Path, "/moved/"), http.StatusFound)
	})
	mux.HandleFunc("/broken/", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusInternalServerError) })
	mux.HandleFunc("/changed/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, pack.Ext) {
			w.Write(append(bytes.Clone(good), 0))
			return
		}
		files.ServeHTTP(w, r)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	name := "/" + filepath.Base(archive)
	for _, c := range []struct{ path, want string }{
		{"/bare" + name, "it is not signed"}, {"/short" + name, "could not be fetched"}, {"/endless" + name, "at most 64 MiB"},
		{"/round" + name, "could not be fetched"}, {"/broken" + name, "500"}, {"/p/none" + pack.Ext, "404"}, {"/changed" + name, "behind the end"},
	} {
		if out, status := typed("pack", "get", s.URL+c.path); status != exitCant || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d %s", c.path, status, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "store")); err == nil {
		t.Error("something was kept")
	}
	for _, path := range []string{"/p", "/moved"} {
		if out, status := typed("pack", "get", s.URL+path+name); status != exitFine || !strings.Contains(out, "trusted") {
			t.Errorf("%d %s", status, out)
		}
	}
	if out, status := typed("check", "--with", "mine@1.0.0"); status != exitFine {
		t.Error(out)
	}
	if out, status := typed("pack", "get", "gopher://x/y"); status != exitCant || !strings.Contains(out, "https://") {
		t.Error(out)
	}
}
