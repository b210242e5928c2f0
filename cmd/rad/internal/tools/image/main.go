// Command image writes a container image that holds one static program and nothing else, as an
// OCI image layout. It needs no Docker and no base image. The same files give the same image.
//
//	image -out FOLDER -tag TAG [flags] linux/amd64=PROGRAM linux/arm64=PROGRAM
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// user is whom the program runs as: a number that no system gives to a person.
const user = "65532:65532"

type image struct {
	out, tag, name string
	certificates   string // file of the certificates that registries are trusted by
	created        time.Time
	labels         map[string]string
}

func main() {
	var m image
	var created, revision, version string
	flag.StringVar(&m.out, "out", "", "folder of the image layout")
	flag.StringVar(&m.tag, "tag", "latest", "tag of the image in the layout")
	flag.StringVar(&m.name, "name", "rad", "name of the program in the image")
	flag.StringVar(&m.certificates, "certificates", "/etc/ssl/certs/ca-certificates.crt", "file of trusted certificates; empty for none")
	flag.StringVar(&created, "created", "1970-01-01T00:00:00Z", "time of all that is in the image, by RFC 3339")
	flag.StringVar(&revision, "revision", "", "commit, for the label")
	flag.StringVar(&version, "version", "", "version, for the label")
	flag.Parse()
	var err error
	if m.created, err = time.Parse(time.RFC3339, created); err == nil {
		m.created = m.created.UTC()
		m.labels = map[string]string{
			"org.opencontainers.image.source":   "https://github.com/radbicep/rad",
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.title":    m.name,
			"org.opencontainers.image.revision": revision,
			"org.opencontainers.image.version":  version,
		}
		err = m.write(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

type index struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Manifests     []descriptor      `json:"manifests"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// write writes the layout: one manifest for each platform, and an index of them that has the tag.
func (m *image) write(platforms []string) error {
	if m.out == "" || len(platforms) == 0 {
		return errors.New("want the flag -out and OS/ARCH=PROGRAM, once or more")
	}
	all := index{SchemaVersion: 2, MediaType: typeIndex, Annotations: m.labels}
	for _, p := range platforms {
		where, program, ok := strings.Cut(p, "=")
		system, architecture, ok2 := strings.Cut(where, "/")
		if !ok || !ok2 {
			return fmt.Errorf("%q: want OS/ARCH=PROGRAM", p)
		}
		d, err := m.platform(platform{architecture, system}, program)
		if err != nil {
			return err
		}
		all.Manifests = append(all.Manifests, d)
	}
	top, err := m.blobJSON(typeIndex, all)
	if err != nil {
		return err
	}
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": m.tag}
	if err := writeJSON(filepath.Join(m.out, "index.json"), index{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{top}}); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(m.out, "oci-layout"), map[string]string{"imageLayoutVersion": "1.0.0"}); err != nil {
		return err
	}
	fmt.Println(top.Digest)
	return nil
}

func (m *image) platform(p platform, program string) (descriptor, error) {
	files, err := m.files(program)
	if err != nil {
		return descriptor{}, err
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(files); err != nil {
		return descriptor{}, err
	}
	if err := zip.Close(); err != nil {
		return descriptor{}, err
	}
	layer, err := m.blob(typeLayer, packed.Bytes())
	if err != nil {
		return descriptor{}, err
	}
	config, err := m.blobJSON(typeConfig, map[string]any{
		"created": m.created, "architecture": p.Architecture, "os": p.OS,
		"config": map[string]any{
			"User": user, "Entrypoint": []string{"/usr/local/bin/" + m.name}, "WorkingDir": "/work",
			"Env":    []string{"PATH=/usr/local/bin", "HOME=/tmp", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"},
			"Labels": m.labels,
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{digest(files)}},
		"history": []any{map[string]any{"created": m.created, "created_by": "cmd/rad/internal/tools/image"}},
	})
	if err != nil {
		return descriptor{}, err
	}
	d, err := m.blobJSON(typeManifest, map[string]any{
		"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{layer}, "annotations": m.labels,
	})
	d.Platform = &p
	return d, err
}

// files is the content of the image: a tar archive.
func (m *image) files(program string) ([]byte, error) {
	var buffer bytes.Buffer
	w := tar.NewWriter(&buffer)
	folder := func(name string, mode int64) error {
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: mode, ModTime: m.created, Format: tar.FormatPAX})
	}
	file := func(from, to string, mode int64) error {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: to, Mode: mode, Size: int64(len(text)), ModTime: m.created, Format: tar.FormatPAX}); err != nil {
			return err
		}
		_, err = io.Copy(w, bytes.NewReader(text))
		return err
	}
	for _, dir := range []string{"etc", "etc/ssl", "etc/ssl/certs", "usr", "usr/local", "usr/local/bin"} {
		if err := folder(dir, 0o755); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{"tmp", "work"} { // for everybody, since the user is who starts the container
		if err := folder(dir, 0o1777); err != nil {
			return nil, err
		}
	}
	if m.certificates != "" {
		if err := file(m.certificates, "etc/ssl/certs/ca-certificates.crt", 0o644); err != nil {
			return nil, err
		}
	}
	if err := file(program, path.Join("usr/local/bin", m.name), 0o755); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

func digest(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

func (m *image) blobJSON(mediaType string, v any) (descriptor, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return descriptor{}, err
	}
	return m.blob(mediaType, text)
}

func (m *image) blob(mediaType string, content []byte) (descriptor, error) {
	d := descriptor{MediaType: mediaType, Digest: digest(content), Size: len(content)}
	name := filepath.Join(m.out, "blobs", "sha256", strings.TrimPrefix(d.Digest, "sha256:"))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return descriptor{}, err
	}
	return d, os.WriteFile(name, content, 0o666)
}

func writeJSON(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}
