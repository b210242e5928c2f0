package image

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

// TestRelease makes the files of a release, pushes them to a registry on this machine, and installs from there as
// a user does, up to the manifests: they name the image that was pushed.
func TestRelease(t *testing.T) {
	helm := strings.Fields(os.Getenv("HELM"))
	if len(helm) == 0 {
		t.Skip("HELM does not say how helm is run; make image-check does")
	}
	host, dist := startRegistry(t), t.TempDir()
	run := func(dir string, command ...string) string {
		t.Helper()
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HELM_CONFIG_HOME="+t.TempDir(), "HELM_CACHE_HOME="+t.TempDir(), "DOCKER_CONFIG="+t.TempDir())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", strings.Join(command, " "), out)
		return string(out)
	}
	run(controller, "make", "dist", "DIST="+dist, "VERSION=1.2.3-rc.1", "IMAGE="+host+"/rad-controller", "CHARTS="+host+"/charts")

	index, err := layout.ImageIndexFromPath(filepath.Join(dist, "image"))
	require.NoError(t, err)
	require.NoError(t, validate.Index(index))
	outer, err := index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, outer.Manifests, 1)
	digest := outer.Manifests[0].Digest
	platforms, err := index.ImageIndex(digest)
	require.NoError(t, err)
	list, err := platforms.IndexManifest()
	require.NoError(t, err)
	require.Len(t, list.Manifests, len(architectures))
	for _, m := range list.Manifests {
		image, err := platforms.Image(m.Digest)
		require.NoError(t, err)
		program := checkImage(t, image, m.Platform.Architecture, "/usr/local/bin/rad-controller")
		require.Contains(t, program, "v1.2.3-rc.1")
	}
	ref, err := name.ParseReference(host + "/rad-controller:v1.2.3-rc.1")
	require.NoError(t, err)
	require.NoError(t, remote.WriteIndex(ref, platforms))

	install, err := os.ReadFile(filepath.Join(dist, "install.yaml"))
	require.NoError(t, err)
	require.Contains(t, string(install), "image: "+host+"/rad-controller@"+digest.String())
	require.NotContains(t, string(install), "ko://")
	require.Contains(t, string(install), "kind: CustomResourceDefinition")

	chart := filepath.Join(dist, "rad-controller-1.2.3-rc.1.tgz")
	run(dist, append(helm, "push", chart, "oci://"+host+"/charts", "--plain-http")...)
	out := run(dist, append(helm, "template", "release", "oci://"+host+"/charts/rad-controller", "--version", "1.2.3-rc.1", "--plain-http")...)
	require.Contains(t, out, host+"/rad-controller@"+digest.String())
	require.Contains(t, run(dist, append(helm, "show", "chart", chart)...), "appVersion: v1.2.3-rc.1")
}
