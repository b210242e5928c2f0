//go:build e2e

package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatchedNamespaceIsDeleted: with the rights that the chart gives for watchNamespaces, a namespace
// that is deleted is emptied, and goes; a controller that starts after that serves the others; and
// nothing can be written elsewhere.
func TestWatchedNamespaceIsDeleted(t *testing.T) {
	p := newPlane(t)
	run := p.must(t)
	run("apply", "--server-side", "-k", "../../config/crd")
	run("wait", "--for=condition=Established", "crd/deploymenttemplates.radapp.io", "crd/deploymentresources.radapp.io", "--timeout=30s")
	for _, ns := range []string{system, "a", "b", "other"} {
		run("create", "namespace", ns)
	}
	helm := func(verb string) {
		t.Helper()
		out, err := exec.Command(filepath.Join(p.bin, "helm"), "--kubeconfig", p.kubeconfig, verb, "rad-controller", "../../charts/rad-controller", "-n", system, "--take-ownership",
			"--set", "image.repository=r,watchNamespaces={a,b}").CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	helm("install")

	as := "--as=system:serviceaccount:" + system + ":rad-controller"
	_, err := p.apply(manifest("other", "foreign", web))
	require.NoError(t, err)
	require.NoError(t, p.until(30*time.Second, func() error {
		_, err := p.try("annotate", "deploymenttemplate/foreign", "-n", "other", "x=y", "--overwrite", as)
		if err == nil || !strings.Contains(err.Error(), "works in the namespaces a, b only") {
			return fmt.Errorf("it may be written in another namespace: %v", err)
		}
		return nil
	}))

	watch := "--watch-namespaces=a,b"
	one := p.controller(t, "one", watch)
	t.Cleanup(func() {
		if t.Failed() {
			for _, c := range p.children[len(p.children)-2:] {
				t.Log(tail(c.output()))
			}
		}
	})
	ready := func(namespace, name string) {
		t.Helper()
		run("wait", "--for=condition=Ready", "deploymenttemplate/"+name, "-n", namespace, "--timeout=60s")
	}
	for _, text := range []string{manifest("a", "shop", app, web), manifest("b", "shop", db)} {
		_, err = p.apply(text)
		require.NoError(t, err)
	}
	ready("a", "shop")
	ready("b", "shop")

	// Values of Secrets, with the right to read them in these namespaces.
	read := func(namespace, want string) {
		t.Helper()
		out, _ := p.try("auth", "can-i", "get", "secrets", as, "-n", namespace)
		require.Equal(t, want, strings.TrimSpace(out))
	}
	read("b", "yes")
	read("other", "no")
	const secret = "s3cret-value"
	run("create", "secret", "generic", "db", "-n", "b", "--from-literal=password="+secret)
	_, err = p.apply(`{"apiVersion": "radapp.io/v1alpha3", "kind": "DeploymentTemplate", "metadata": {"namespace": "b", "name": "login"}, "spec": {
		"template": "{\"parameters\": {\"password\": {\"type\": \"securestring\"}}, \"resources\": {}}",
		"parametersFrom": [{"name": "password", "secretKeyRef": {"name": "db", "key": "password"}}]}}`)
	require.NoError(t, err)
	ready("b", "login")
	puts := p.radius.Puts()
	require.Contains(t, puts[len(puts)-1].Body, secret)
	for _, what := range []string{"deploymenttemplates,deploymentresources", "events"} {
		require.NotContains(t, run("get", what, "-n", "b", "-o", "yaml"), secret)
	}
	require.NotContains(t, one.output(), secret)

	run("delete", "namespace", "a", "--timeout=90s")
	require.Len(t, p.radius.Resources(), 1)

	require.NoError(t, one.Process.Kill())
	_ = one.Wait()
	p.controller(t, "two", watch)
	helm("upgrade") // with a namespace that is missing
	_, err = p.apply(manifest("b", "later", strings.Replace(db, "db", "later", 1)))
	require.NoError(t, err)
	ready("b", "later")
	run("create", "namespace", "a")
	_, err = p.apply(manifest("a", "again", web))
	require.NoError(t, err)
	ready("a", "again")
}
