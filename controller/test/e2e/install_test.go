//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var installStep = regexp.MustCompile("(?s)<!-- installs: (\\w+) -->\n```sh\n(.*?)\n```")

// TestInstallBesideRadius runs the commands of docs/controller-install.md beside Radius 0.60, as its
// own chart installs it, and alone.
func TestInstallBesideRadius(t *testing.T) {
	p := newPlane(t)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/radius-project/radius@v0.60.0").Output()
	require.NoError(t, err, "make e2e-programs downloads it")
	radius := strings.TrimSpace(string(module))
	page, err := os.ReadFile(filepath.Join(root, "docs", "controller-install.md"))
	require.NoError(t, err)
	steps := map[string]string{}
	for _, m := range installStep.FindAllStringSubmatch(string(page), -1) {
		steps[m[1]] = m[2]
	}
	shell := func(script string) (string, error) {
		c := exec.Command("sh", "-e", "-c", script)
		c.Dir = root
		c.Env = append(os.Environ(), "PATH="+p.bin+":"+os.Getenv("PATH"), "KUBECONFIG="+p.kubeconfig, "RADIUS="+radius)
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		err := c.Run()
		return out.String(), err
	}
	step := func(name string) string {
		t.Helper()
		require.NotEmpty(t, steps[name], name)
		out, err := shell(steps[name])
		require.NoError(t, err, "%s\n%s", steps[name], out)
		t.Logf("%s\n%s", steps[name], out)
		delete(steps, name)
		return out
	}
	has := func(want bool) {
		t.Helper()
		text, err := p.try("get", "crd", "deploymenttemplates.radapp.io", "-o", "jsonpath={.spec.versions[0].schema.openAPIV3Schema.properties.status.properties}")
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(text, `"obsoleteResources"`), "the CRDs are ours")
	}
	says := func(name, want string) {
		t.Helper()
		require.NoError(t, p.until(time.Minute, func() error {
			out, err := p.try("get", "deploymenttemplate", name, "-o", `jsonpath={.status.phrase} {.status.observedGeneration} {.status.conditions[?(@.type=="Ready")].status}`)
			if err == nil && strings.TrimSpace(out) != want {
				err = fmt.Errorf("%s is %q, want %q", name, out, want)
			}
			return err
		}))
	}

	_, err = p.try("delete", "apiservice", "v1alpha3.api.ucp.dev") // the chart brings its own
	require.NoError(t, err)
	out, err := shell("helm install radius $RADIUS/deploy/Chart -n radius-system --create-namespace")
	require.NoError(t, err, out)
	_, err = p.try("delete", "apiservice", "v1alpha3.api.ucp.dev") // no pods run behind it
	require.NoError(t, err)
	require.NoError(t, p.serveRadius())
	has(false)
	step("stop")
	_, err = shell(strings.ReplaceAll(steps["beside"], "--take-ownership", ""))
	require.Error(t, err, "Helm refuses what another installed")
	require.Contains(t, step("beside"), "It took over the CRD deploymenttemplates.radapp.io, which another program")
	has(true)
	p.controller(t, "beside")
	_, err = p.apply(manifest("default", "shop", web))
	require.NoError(t, err)
	says("shop", "Ready 1 True")

	_, err = shell("kubectl apply --server-side --force-conflicts -f $RADIUS/deploy/Chart/crds/radius")
	require.NoError(t, err)
	has(false)
	_, err = p.apply(manifest("default", "later", db))
	require.NoError(t, err)
	says("later", "Failed -1")
	require.Len(t, p.radius.Puts(), 1)
	step("repair")
	has(true)
	says("later", "Ready 1 True")
	says("shop", "Ready 1 True")
	require.Len(t, p.radius.Puts(), 2)
	step("upgrade")
	has(true)

	last := p.children[len(p.children)-1]
	require.NoError(t, last.Process.Kill())
	_ = last.Wait()
	step("uninstall")
	has(true)
	step("back")
	has(false)
	replicas, err := p.try("get", "deployment", "controller", "-n", "radius-system", "-o", "jsonpath={.spec.replicas}")
	require.NoError(t, err)
	require.Equal(t, "1", replicas)
	for _, name := range []string{"shop", "later"} {
		out, err := p.try("get", "deploymenttemplate", name, "-o", "jsonpath={.metadata.finalizers} {.status.outputResources}")
		require.NoError(t, err)
		require.Contains(t, out, "radapp.io/deployment-template-finalizer")
		require.Contains(t, out, "/providers/")
	}
	step("make")
	has(true)

	// And from nothing.
	_, err = shell("kubectl delete crd deploymenttemplates.radapp.io deploymentresources.radapp.io --wait=false")
	require.NoError(t, err)
	for _, kind := range []string{"deploymenttemplate", "deploymentresource"} {
		names, _ := p.try("get", kind, "-o", "name")
		for _, name := range strings.Fields(names) {
			_, _ = p.try("patch", name, "--type=merge", "-p", `{"metadata":{"finalizers":null}}`)
		}
	}
	_, err = shell("kubectl wait --for=delete crd/deploymenttemplates.radapp.io crd/deploymentresources.radapp.io --timeout=60s")
	require.NoError(t, err)
	require.NotContains(t, step("helm"), "took over")
	has(true)
	require.Empty(t, steps, "blocks of the page that the test does not run")
}
