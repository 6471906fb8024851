package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
)

// registryAt starts Debian's docker-registry on loopback. The test is skipped where
// it is not there; .ci/run installs it.
func registryAt(t *testing.T) string {
	t.Helper()
	bin, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("docker-registry is not installed")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yml")
	// The system picks a port that is free, and the registry says which.
	text := fmt.Sprintf("version: 0.1\nlog: {level: info, formatter: json}\nstorage: {filesystem: {rootdirectory: %q}}\nhttp: {addr: \"127.0.0.1:0\"}\n", filepath.Join(dir, "data"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "serve", config)
	cmd.Stdout, cmd.Stderr = write, write
	err = cmd.Start()
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); said.Close() })
	var heard strings.Builder
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		heard.WriteString(lines.Text() + "\n")
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go io.Copy(io.Discard, said) // it must not wait for somebody to listen
			return m[1]
		}
	}
	t.Fatalf("the registry does not say where it listens: %s", &heard)
	return ""
}

var listening = regexp.MustCompile(`listening on (127\.0\.0\.1:\d+)`)

// TestRegistry pushes a pack to a real registry and gets it from there.
func TestRegistry(t *testing.T) {
	host := registryAt(t)
	dir, archive := signedPack(t)
	where := "oci://" + host + "/rules/mine"
	do := func(want int, say string, args ...string) string {
		t.Helper()
		out, status := typed(args...)
		if status != want || !strings.Contains(out, say) {
			t.Fatalf("%s: %d %s", args, status, out)
		}
		return out
	}
	do(exitCant, "no such pack in the registry", "pack", "get", where+":1.0.0")
	do(exitCant, "name a version too", "pack", "get", where)
	do(exitCant, "begins with oci://", "pack", "push", archive, host+"/rules/mine")
	if err := os.Rename(archive+".minisig", filepath.Join(dir, "kept")); err != nil {
		t.Fatal(err)
	}
	do(exitCant, "it is not signed", "pack", "push", archive, where)
	if err := os.Rename(filepath.Join(dir, "kept"), archive+".minisig"); err != nil {
		t.Fatal(err)
	}
	first := do(exitFine, "Put mine 1.0.0 into the registry", "pack", "push", archive, where)
	if again := do(exitFine, "", "pack", "push", archive, where); again != first {
		t.Errorf("pushed again it is another: %s", again)
	}
	if _, err := os.Stat(filepath.Join(dir, "store")); err == nil {
		t.Error("pushing fills the store")
	}
	do(exitFine, "trusted", "pack", "get", where+":1.0.0")
	do(exitFine, "", "check", "--with", "mine@1.0.0")
	good, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Archive string }
	if err := json.Unmarshal([]byte(do(exitFine, "", "pack", "list", "--json")), &list); err != nil || len(list) != 1 {
		t.Fatal(err, list)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "store", "sha256", list[0].Archive+".momonpack"))
	if err != nil || !bytes.Equal(kept, good) {
		t.Error("what came is not what was pushed", err)
	}
	// A tag keeps what it has.
	do(exitFine, "", "pack", "sign", archive, "--key", filepath.Join(dir, "k.key"), "--role", "judge")
	do(exitCant, "is something else", "pack", "push", archive, where)
	do(exitFine, "", "pack", "push", archive, where, "--force")
	if err := os.RemoveAll(filepath.Join(dir, "store")); err != nil {
		t.Fatal(err)
	}
	do(exitFine, "judge.minisig", "pack", "get", where+":1.0.0")
	if err := os.RemoveAll(filepath.Join(dir, "store")); err != nil {
		t.Fatal(err)
	}

	// What somebody else has put there is not taken for a pack, and nothing is kept.
	a := &app{ctx: context.Background(), lang: "en"}
	r, err := a.repository(where)
	if err != nil {
		t.Fatal(err)
	}
	put := func(tag string, m ocispec.Manifest, blobs ...[]byte) {
		t.Helper()
		for _, b := range append(blobs, []byte("{}")) {
			if err := a.pushBlob(r, content.NewDescriptorFromBytes("x/y", b), b); err != nil {
				t.Fatal(err)
			}
		}
		m.SchemaVersion, m.MediaType, m.Config = 2, ocispec.MediaTypeImageManifest, ocispec.DescriptorEmptyJSON
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.PushReference(a.ctx, content.NewDescriptorFromBytes(m.MediaType, text), bytes.NewReader(text), tag); err != nil {
			t.Fatal(err)
		}
	}
	layer := func(kind, title string, b []byte) ocispec.Descriptor {
		d := content.NewDescriptorFromBytes(kind, b)
		d.Annotations = map[string]string{ocispec.AnnotationTitle: title}
		return d
	}
	evil := append(bytes.Clone(good), 0)
	sig := []byte("untrusted comment: x\n")
	for tag, m := range map[string]ocispec.Manifest{
		"image":   {Layers: []ocispec.Descriptor{layer(ociArchive, "x", good)}},
		"none":    {ArtifactType: ociType},
		"two":     {ArtifactType: ociType, Layers: []ocispec.Descriptor{layer(ociArchive, "x", good), layer(ociArchive, "y", evil)}},
		"strange": {ArtifactType: ociType, Layers: []ocispec.Descriptor{layer("x/y", "x", good)}},
		"out":     {ArtifactType: ociType, Layers: []ocispec.Descriptor{layer(ociArchive, "x", good), layer(ociSignature, "/../../evil.minisig", sig)}},
		"up":      {ArtifactType: ociType, Layers: []ocispec.Descriptor{layer(ociArchive, "x", good), layer(ociSignature, "...minisig", sig)}},
	} {
		put(tag, m, good, evil, sig)
		do(exitCant, "is no pack", "pack", "get", where+":"+tag)
	}
	put("evil", ocispec.Manifest{ArtifactType: ociType, Layers: []ocispec.Descriptor{layer(ociArchive, "x", evil)}}, evil)
	do(exitCant, "behind the end", "pack", "get", where+":evil")
	if _, err := os.Stat(filepath.Join(dir, "store")); err == nil {
		t.Error("something was kept")
	}
}
