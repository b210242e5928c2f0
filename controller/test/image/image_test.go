// Package image builds the controller's image with ko, as make image does, pushes it to a registry
// on this machine, and looks at what is there. No other registry is asked: the base image is made
// here too.
//
// It is a module of its own, so that what ko and the registry need is in no other. make
// image-check runs it.
package image

import (
	"archive/tar"
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/sirupsen/logrus"
	"github.com/stretchr/testify/require"
)

// controller is the folder of the controller's module.
const controller = "../.."

// architectures are those that the image is for; .ko.yaml names them.
var architectures = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// nonRoot is the user of the base image, as that of distroless.
const nonRoot = "65532"

// startRegistry starts a registry and returns its host.
func startRegistry(t *testing.T) string {
	logrus.SetLevel(logrus.PanicLevel)
	config := &configuration.Configuration{Storage: configuration.Storage{"inmemory": {}}}
	config.HTTP.Secret = "for tests"
	server := httptest.NewServer(handlers.NewApp(context.Background(), config))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// pushBase pushes an image that has certificates and a user, and nothing else.
func pushBase(t *testing.T, at string) {
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	for _, f := range []struct{ name, text string }{
		{"etc/passwd", "nonroot:x:" + nonRoot + ":" + nonRoot + ":nonroot:/home/nonroot:/sbin/nologin\n"},
		{"etc/ssl/certs/ca-certificates.crt", "certificates\n"},
	} {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.text))}))
		_, err := io.WriteString(w, f.text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil })
	require.NoError(t, err)
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for arch := range architectures {
		image, err := mutate.ConfigFile(mutate.MediaType(empty.Image, types.OCIManifestSchema1), &v1.ConfigFile{OS: "linux", Architecture: arch, Config: v1.Config{User: nonRoot}})
		require.NoError(t, err)
		image, err = mutate.AppendLayers(image, layer)
		require.NoError(t, err)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
	}
	ref, err := name.ParseReference(at)
	require.NoError(t, err)
	require.NoError(t, remote.WriteIndex(ref, index))
}

// ko runs ko in the controller's folder, and returns what it prints.
func ko(t *testing.T, repository, base string, args ...string) string {
	command := strings.Fields(os.Getenv("KO"))
	if len(command) == 0 {
		t.Skip("KO does not say how ko is run; make image-check does")
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(command[0], append(command[1:], args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = controller, &out, &errs
	cmd.Env = append(os.Environ(), "KO_DOCKER_REPO="+repository, "KO_DEFAULTBASEIMAGE="+base, "DOCKER_CONFIG="+t.TempDir())
	require.NoError(t, cmd.Run(), "ko %s\n%s", strings.Join(args, " "), errs.String())
	return strings.TrimSpace(out.String())
}

func TestImage(t *testing.T) {
	host := startRegistry(t)
	base, repository := host+"/base:nonroot", host+"/rad-controller"
	pushBase(t, base)

	built := ko(t, repository, base, "build", "--bare", "--tags", "test", "./cmd/rad-controller")
	require.Regexp(t, `^`+repository+`(:test)?@sha256:[0-9a-f]{64}$`, built)
	ref, err := name.ParseReference(repository + ":test")
	require.NoError(t, err)
	index, err := remote.Index(ref)
	require.NoError(t, err)
	digest, err := index.Digest()
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(built, "@"+digest.String()), "%s is not %s", built, digest)

	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	var seen []string
	for _, m := range manifest.Manifests {
		require.Equal(t, "linux", m.Platform.OS)
		seen = append(seen, m.Platform.Architecture)
		image, err := index.Image(m.Digest)
		require.NoError(t, err)
		checkImage(t, image, m.Platform.Architecture, "/ko-app/rad-controller")
	}
	slices.Sort(seen)
	require.Equal(t, []string{"amd64", "arm64"}, seen)

	// The manifests that are installed name the image that was pushed.
	resolved := ko(t, repository, base, "resolve", "--bare", "--tags", "test", "-f", "config/manager/manager.yaml")
	require.Contains(t, resolved, "image: "+repository)
	require.Contains(t, resolved, "@"+digest.String(), "the same source gives the same image")
	require.NotContains(t, resolved, "ko://")
}

// checkImage looks at the image of one architecture, and returns what its program says of itself, or what it holds
// where it does not run here.
func checkImage(t *testing.T, image v1.Image, arch, entrypoint string) string {
	config, err := image.ConfigFile()
	require.NoError(t, err)
	require.Equal(t, "linux/"+arch, config.OS+"/"+config.Architecture)
	require.True(t, strings.HasPrefix(config.Config.User, nonRoot), "it does not run as root")
	require.Equal(t, []string{entrypoint}, config.Config.Entrypoint)
	require.Empty(t, config.Config.ExposedPorts)

	files := map[string][]byte{}
	flat := mutate.Extract(image)
	defer flat.Close()
	for r := tar.NewReader(flat); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if h.Typeflag == tar.TypeReg {
			require.Zero(t, h.Mode&0o022, "%s can be written by others", h.Name)
			files["/"+strings.TrimPrefix(h.Name, "/")], err = io.ReadAll(r)
			require.NoError(t, err)
		}
	}
	require.Contains(t, files, "/etc/ssl/certs/ca-certificates.crt", "what the base image has is kept")
	program := files[entrypoint]
	require.NotEmpty(t, program)
	executable, err := elf.NewFile(bytes.NewReader(program))
	require.NoError(t, err)
	require.Equal(t, architectures[arch], executable.Machine)
	for _, p := range executable.Progs {
		require.NotEqual(t, elf.PT_INTERP, p.Type, "the program needs no loader: the image has none")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != arch {
		return string(program)
	}
	at := filepath.Join(t.TempDir(), "rad-controller")
	require.NoError(t, os.WriteFile(at, program, 0o755))
	out, err := exec.Command(at, "--version").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "rad-controller ")
	return string(out)
}
