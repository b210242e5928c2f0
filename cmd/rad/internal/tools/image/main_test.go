package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLayout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, certificates := filepath.Join(dir, "rad"), filepath.Join(dir, "ca.crt")
	require.NoError(t, os.WriteFile(program, []byte("program"), 0o600))
	require.NoError(t, os.WriteFile(certificates, []byte("certificates"), 0o600))
	layoutFile := func(name string) string {
		m := image{out: filepath.Join(dir, name), tag: "v1", name: "rad", certificates: certificates, created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), labels: map[string]string{"a": "b"}}
		require.NoError(t, m.write([]string{"linux/amd64=" + program, "linux/arm64=" + program}))
		return m.out
	}
	out := layoutFile("one")
	read := func(d descriptor, into any) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(out, "blobs", "sha256", strings.TrimPrefix(d.Digest, "sha256:")))
		require.NoError(t, err)
		require.Equal(t, d.Digest, digest(text))
		require.Len(t, text, d.Size)
		if into != nil {
			require.NoError(t, json.Unmarshal(text, into))
		}
		return text
	}
	var top, all index
	text, err := os.ReadFile(filepath.Join(out, "index.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &top))
	require.Len(t, top.Manifests, 1)
	require.Equal(t, "v1", top.Manifests[0].Annotations["org.opencontainers.image.ref.name"])
	read(top.Manifests[0], &all)
	require.Len(t, all.Manifests, 2)
	for i, architecture := range []string{"amd64", "arm64"} {
		require.Equal(t, &platform{architecture, "linux"}, all.Manifests[i].Platform)
		var manifest struct {
			Config descriptor
			Layers []descriptor
		}
		read(all.Manifests[i], &manifest)
		var config struct {
			Architecture, OS string
			Config           struct {
				User       string
				Entrypoint []string
			}
			RootFS struct {
				DiffIDs []string `json:"diff_ids"`
			}
		}
		read(manifest.Config, &config)
		require.Equal(t, "65532:65532", config.Config.User, "it does not run as root")
		require.Equal(t, []string{"/usr/local/bin/rad"}, config.Config.Entrypoint)
		require.Equal(t, architecture, config.Architecture)
		unpacked, err := gzip.NewReader(bytes.NewReader(read(manifest.Layers[0], nil)))
		require.NoError(t, err)
		files, err := io.ReadAll(unpacked)
		require.NoError(t, err)
		require.Equal(t, []string{digest(files)}, config.RootFS.DiffIDs)
		r := tar.NewReader(bytes.NewReader(files))
		modes := map[string]int64{}
		for {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			modes[h.Name] = h.Mode
		}
		require.Equal(t, int64(0o755), modes["usr/local/bin/rad"], "everybody may run it, whatever the mode of the file was")
		require.Equal(t, int64(0o1777), modes["tmp/"])
		require.Contains(t, modes, "etc/ssl/certs/ca-certificates.crt")
	}

	two := layoutFile("two")
	again, err := os.ReadFile(filepath.Join(two, "index.json"))
	require.NoError(t, err)
	require.Equal(t, string(text), string(again), "the same files give the same image")
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	m := image{out: t.TempDir()}
	require.ErrorContains(t, m.write([]string{"linux=rad"}), "want OS/ARCH=PROGRAM")
	require.ErrorContains(t, m.write(nil), "want the flag -out")
}
