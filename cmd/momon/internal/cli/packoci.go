package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"github.com/spf13/cobra"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"

	"github.com/momon-rules/momon/interpreter/pack"
	"github.com/momon-rules/momon/interpreter/pack/trust"
)

// How a pack lies in a registry: an artifact with the archive and its signatures as
// layers. Nothing in it tells when it was pushed, so the same files give the same
// manifest.
const (
	ociType      = "application/vnd.momon.pack.v1"
	ociArchive   = "application/vnd.momon.pack.v1.tar"
	ociSignature = "application/vnd.momon.signature.v1.minisig"
	ociStamp     = "1980-01-01T00:00:00Z"
	ociScheme    = "oci://"

	maxManifest = 1 << 20 // bytes
)

// repository opens a repository by an address such as oci://host/path:tag.
func (a *app) repository(where string) (*remote.Repository, error) {
	r, err := remote.NewRepository(strings.TrimPrefix(where, ociScheme))
	if err != nil {
		return nil, errors.New(a.t("get-address", where))
	}
	host := r.Reference.Host()
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); host == "localhost" || ip != nil && ip.IsLoopback() {
		r.PlainHTTP = true // as every other program takes it; elsewhere nothing goes unencrypted
	}
	client := &auth.Client{Client: &http.Client{Timeout: 5 * time.Minute}, Cache: auth.NewCache()}
	if store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{}); err == nil {
		client.Credential = credentials.Credential(store)
	}
	r.Client = client
	r.MaxMetadataBytes = maxManifest
	return r, nil
}

// ociFault words what a registry said.
func (a *app) ociFault(where string, err error) error {
	if errors.Is(err, errdef.ErrNotFound) {
		return errors.New(a.t("oci-none", where))
	}
	return errors.New(a.t("get-failed", where, err))
}

// pull fetches an archive and its signatures from a registry, and keeps them in
// memory.
func (a *app) pull(where string) ([]byte, []trust.Signature, error) {
	r, err := a.repository(where)
	if err != nil {
		return nil, nil, err
	}
	if r.Reference.Reference == "" {
		return nil, nil, errors.New(a.t("oci-tag", where, where))
	}
	desc, err := r.Resolve(a.ctx, r.Reference.Reference)
	if err != nil {
		return nil, nil, a.ociFault(where, err)
	}
	if desc.MediaType != ocispec.MediaTypeImageManifest || desc.Size > maxManifest {
		return nil, nil, errors.New(a.t("oci-other", where))
	}
	text, err := content.FetchAll(a.ctx, r, desc)
	if err != nil {
		return nil, nil, a.ociFault(where, err)
	}
	var m ocispec.Manifest
	if err := json.Unmarshal(text, &m); err != nil || m.ArtifactType != ociType {
		return nil, nil, errors.New(a.t("oci-other", where))
	}
	var data []byte
	var sigs []trust.Signature
	for _, l := range m.Layers {
		most := int64(trust.MaxSignature)
		if l.MediaType == ociArchive {
			most = pack.MaxArchive
		}
		end := l.Annotations[ocispec.AnnotationTitle]
		switch {
		case l.MediaType != ociArchive && l.MediaType != ociSignature, l.MediaType == ociArchive && data != nil, l.Size > most || l.Size < 0,
			l.MediaType == ociSignature && (!signatureEnd(end) || len(sigs) == trust.MaxSignatures):
			return nil, nil, errors.New(a.t("oci-other", where))
		}
		b, err := content.FetchAll(a.ctx, r, l)
		if err != nil {
			return nil, nil, a.ociFault(where, err)
		}
		if l.MediaType == ociArchive {
			data = b
		} else {
			sigs = append(sigs, trust.Signature{File: end, Data: b})
		}
	}
	if data == nil {
		return nil, nil, errors.New(a.t("oci-other", where))
	}
	return data, sigs, nil
}

// signatureEnd reports whether something can stand behind the name of an archive in
// that of a signature: .minisig, .judge.minisig.
func signatureEnd(s string) bool {
	inner, ok := strings.CutSuffix(s, trust.Ext)
	if !ok || len(s) > 100 {
		return false
	}
	for _, r := range inner {
		if r != '.' && r != '-' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return false
		}
	}
	return (inner == "" || inner[0] == '.') && !strings.Contains(inner, "..")
}

func (a *app) packPushCmd() *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "push FILE oci://HOST/PATH[:TAG]",
		Short: "Put an archive and its signatures into a registry",
		Long: `Puts an archive, with the signatures that lie beside it, into an OCI registry. It
must be signed by somebody whom you trust, as when it is loaded. The tag is the
version unless another is named. One that is there with other contents is left
alone, unless --force is given. Registries on this machine are spoken to without
encryption; who you are elsewhere is taken from docker's settings.`,
		Example: `  momon pack push mine-1.0.0.momonpack oci://registry.example.org/rules/mine
  momon pack get oci://registry.example.org/rules/mine:1.0.0`,
		Args: a.takes(2, 2),
		RunE: func(_ *cobra.Command, args []string) error { return a.packPush(args[0], args[1], force) },
	}
	c.Flags().BoolVar(&force, "force", false, "put it in the place of what has the tag")
	return c
}

func (a *app) packPush(name, where string, force bool) error {
	if !strings.HasPrefix(where, ociScheme) {
		return errors.New(a.t("push-scheme", where))
	}
	p, err := a.trusted(name)
	if err != nil {
		return err
	}
	sigs, err := a.signatures(name)
	if err != nil {
		return err
	}
	r, err := a.repository(where)
	if err != nil {
		return err
	}
	tag := r.Reference.Reference
	if tag == "" {
		tag = p.Version
		where += ":" + tag
	}
	layer := func(mediaType, title string, data []byte) ocispec.Descriptor {
		d := content.NewDescriptorFromBytes(mediaType, data)
		d.Annotations = map[string]string{ocispec.AnnotationTitle: title}
		return d
	}
	layers := []ocispec.Descriptor{layer(ociArchive, p.FileName(), p.Archive())}
	blobs := [][]byte{p.Archive()}
	for _, s := range sigs {
		end := strings.TrimPrefix(path.Base(s.File), filepath.Base(name))
		layers = append(layers, layer(ociSignature, end, s.Data))
		blobs = append(blobs, s.Data)
	}
	empty := ocispec.DescriptorEmptyJSON
	text, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, ArtifactType: ociType, Config: empty, Layers: layers,
		Annotations: map[string]string{
			ocispec.AnnotationCreated: ociStamp, ocispec.AnnotationTitle: p.Name, ocispec.AnnotationVersion: p.Version, "momon.content": p.Content,
		},
	})
	if err != nil {
		return err
	}
	desc := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, text)
	switch old, err := r.Resolve(a.ctx, tag); {
	case err == nil && old.Digest != desc.Digest && !force:
		return errors.New(a.t("push-taken", where))
	case err != nil && !errors.Is(err, errdef.ErrNotFound):
		return a.ociFault(where, err)
	}
	for i, l := range append(layers, empty) {
		data := []byte("{}")
		if i < len(blobs) {
			data = blobs[i]
		}
		if err := a.pushBlob(r, l, data); err != nil {
			return a.ociFault(where, err)
		}
	}
	if err := r.PushReference(a.ctx, desc, bytes.NewReader(text), tag); err != nil { // last: what it speaks of is there
		return a.ociFault(where, err)
	}
	if a.json {
		return a.printJSON(map[string]any{"where": where, "digest": desc.Digest.String(), "archive": p.Raw})
	}
	a.println(a.t("pushed", p.ID(), where))
	a.println("  " + fmt.Sprint(desc.Digest))
	return nil
}

// pushBlob puts bytes into a repository, unless they are there.
func (a *app) pushBlob(r *remote.Repository, d ocispec.Descriptor, data []byte) error {
	ctx, cancel := context.WithTimeout(a.ctx, 5*time.Minute)
	defer cancel()
	if there, err := r.Exists(ctx, d); err != nil || there {
		return err
	}
	return r.Push(ctx, d, bytes.NewReader(data))
}
