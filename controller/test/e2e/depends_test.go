//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestDependsOnAnotherKind: with the rights that the chart gives for its value dependsOn, and no others, a template waits for objects of
// other kinds, and reads them only while it waits.
func TestDependsOnAnotherKind(t *testing.T) {
	p := newPlane(t)
	run := p.must(t)
	apply := func(text string) {
		t.Helper()
		_, err := p.apply(text)
		require.NoError(t, err)
	}
	for plural, kind := range map[string]string{"databases": "Database", "caches": "Cache"} {
		apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ` + plural + `.db.example.com}
spec:
  group: db.example.com
  scope: Namespaced
  names: {kind: ` + kind + `, plural: ` + plural + `}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`)
		run("wait", "--for=condition=Established", "crd/"+plural+".db.example.com", "--timeout=30s")
	}
	run("create", "namespace", system)
	run("create", "namespace", "shop")
	helm := func(verb, dependsOn string) {
		t.Helper()
		out, err := exec.Command(filepath.Join(p.bin, "helm"), "--kubeconfig", p.kubeconfig, verb, "rad-controller", "../../charts/rad-controller",
			"-n", system, "--set", "image.repository=r,watchNamespaces={shop}", "--set-json", "dependsOn="+dependsOn).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	helm("install", `[{"group": "db.example.com", "resource": "databases"}]`)
	run("wait", "--for=condition=Established", "crd/deploymenttemplates.radapp.io", "crd/deploymentresources.radapp.io", "--timeout=30s")
	c := p.controller(t, "one", "--watch-namespaces=shop")
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(tail(c.output()))
		}
	})
	says := func(want string) {
		t.Helper()
		require.NoError(t, p.until(30*time.Second, func() error {
			ready := `{range .status.conditions[?(@.type=="Ready")]}{.status} {.reason}: {.message}{end}`
			if out, err := p.try("get", "deploymenttemplate/web", "-n", "shop", "-o", "jsonpath="+ready); err != nil || !strings.Contains(out, want) {
				return fmt.Errorf("%q, want %q (%v)", out, want, err)
			}
			return nil
		}))
	}
	both := `{"apiVersion": "db.example.com/v1", "kind": "Database", "name": "db"}, {"apiVersion": "db.example.com/v1", "kind": "Cache", "name": "c"}`
	waiting := func(on string, resources ...string) string {
		return strings.Replace(manifest("shop", "web", resources...), `"spec":{`, `"spec":{"dependsOn": [`+on+`],`, 1)
	}
	apply(waiting(both+`, {"apiVersion": "db.example.com/v2", "kind": "Database", "name": "db"}`, web))
	says("False DependencyNotReady: waits for what spec.dependsOn names: Database db does not exist; " +
		"Cache c may not be read by the controller: see docs/controller.md, Rights; " +
		"Database db is of a kind that the API server does not serve in db.example.com/v2")
	require.Empty(t, p.radius.Puts())

	helm("upgrade", `[{"group": "db.example.com", "resource": "databases"}, {"group": "db.example.com", "resource": "caches"}]`)
	apply(waiting(both, web))
	object := func(kind, name string) string {
		return `{"apiVersion": "db.example.com/v1", "kind": "` + kind + `", "metadata": {"namespace": "shop", "name": "` + name + `"}, "spec": {"size": 1}}`
	}
	apply(object("Database", "db"))
	apply(object("Cache", "c"))
	says("Database db does not say whether it is ready; Cache c does not say whether it is ready")
	status := func(what, ready, generation string) {
		t.Helper()
		run("patch", what, "-n", "shop", "--subresource=status", "--type=merge", "-p", `{"status": {"observedGeneration": `+generation+`, "conditions": [
			{"type": "Ready", "status": "`+ready+`", "reason": "R", "message": "starts", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}`)
	}
	status("cache/c", "True", "1")
	status("database/db", "False", "1")
	says("names: Database db is not ready: starts")
	status("database/db", "True", "1")
	says("True Succeeded")
	require.Len(t, p.radius.Puts(), 1)

	// At rest nothing is read; what is deployed stays when the other object changes, until there is a new spec.
	run("patch", "database/db", "-n", "shop", "--type=merge", "-p", `{"spec": {"size": 2}}`)
	reads := func() int {
		text, err := os.ReadFile(filepath.Join(p.dir, "audit.log"))
		require.NoError(t, err)
		return strings.Count(string(text), `"resource":"databases"`)
	}
	before := reads()
	require.Positive(t, before)
	time.Sleep(6 * time.Second)
	says("True Succeeded")
	require.Equal(t, before, reads())
	apply(waiting(both, web, app))
	says("False DependencyNotReady: waits for what spec.dependsOn names: Database db is not ready in its generation 2")
	status("database/db", "True", "2")
	says("True Succeeded")
	for right := range p.audited(t) {
		if strings.Contains(right, "db.example.com") {
			require.Contains(t, []string{"get db.example.com databases", "get db.example.com caches"}, right)
		}
	}
}
