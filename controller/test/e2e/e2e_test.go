//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/internal/radiustest"
)

const (
	app = "app=Applications.Core/applications@2023-10-01-preview"
	env = "env=Applications.Core/environments@2023-10-01-preview"
	web = "web=Applications.Core/containers@2023-10-01-preview"
	db  = "db=Radius.Data/redisCaches@2025-08-01-preview"
)

// TestControlPlane goes from an empty cluster to an empty cluster.
func TestControlPlane(t *testing.T) {
	p := newPlane(t)
	run := p.must(t)
	apply := func(text string) {
		t.Helper()
		_, err := p.apply(text)
		require.NoError(t, err)
	}

	// The kustomization is what a user applies; no node runs its pods here.
	text := run("kustomize", "../../config/default")
	apply(text)
	run("wait", "--for=condition=Established", "crd/deploymenttemplates.radapp.io", "crd/deploymentresources.radapp.io", "--timeout=30s")
	built, err := exec.Command(filepath.Join(p.bin, "kustomize"), "build", "../../config/default").Output()
	require.NoError(t, err)
	require.Equal(t, text, string(built), "kustomize and kubectl make the same")
	for _, dir := range []string{"crd", "rbac", "manager", "prometheus", "samples"} {
		out, err := exec.Command(filepath.Join(p.bin, "kustomize"), "build", "../../config/"+dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}

	t.Run("the chart", func(t *testing.T) {
		helm := func(args ...string) string {
			t.Helper()
			out, err := exec.Command(filepath.Join(p.bin, "helm"), args...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			return string(out)
		}
		helm("lint", "--strict", "../../charts/rad-controller", "--set", "image.repository=registry.example/rad-controller")
		for _, set := range []string{"replicas=1", "watchNamespaces={a,b}", "allowedScopes={/planes/radius/local/resourceGroups/a-*},radiusEndpoint=http://radius", "crds.install=false", "parametersFrom=false"} {
			objects := helm("template", "other", "../../charts/rad-controller", "-n", "default", "--set", "image.repository=registry.example/rad-controller,"+set)
			for _, ns := range []string{"a", "b"} {
				_, _ = p.try("create", "namespace", ns)
			}
			_, err := p.kubectl(objects, "apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-")
			require.NoError(t, err)
		}
		// Helm's own way, with the API server's checks of every object.
		helm("--kubeconfig", p.kubeconfig, "install", "other", "../../charts/rad-controller", "-n", "default", "--take-ownership", "--set", "image.repository=registry.example/rad-controller")
		helm("--kubeconfig", p.kubeconfig, "uninstall", "other", "-n", "default")
	})

	t.Run("the rights", func(t *testing.T) {
		can := func(verb, resource string, want bool) {
			t.Helper()
			out, _ := p.try("auth", "can-i", verb, resource, "--as", "system:serviceaccount:"+system+":rad-controller", "-n", "shop")
			require.Equal(t, want, strings.TrimSpace(out) == "yes", "%s %s", verb, resource)
		}
		can("list", "deploymenttemplates.radapp.io", true)
		can("delete", "deploymentresources.radapp.io", true)
		can("delete", "deploymenttemplates.radapp.io", false)
		can("get", "secrets", true)
		can("list", "secrets", false)
		can("list", "namespaces", false)
		can("get", "leases.coordination.k8s.io", false)
	})

	replicas := map[string]*childOf{}
	for _, name := range []string{"one", "two"} {
		replicas[name] = &childOf{child: p.controller(t, name)}
	}
	t.Cleanup(func() {
		if t.Failed() {
			for name, c := range replicas {
				t.Logf("replica %s:\n%s", name, tail(c.output()))
			}
		}
	})
	leader := func() (holder string, err error) {
		out, err := p.try("get", "leases", "-n", system, "-o", "jsonpath={.items[*].spec.holderIdentity}")
		if err == nil && out == "" {
			err = fmt.Errorf("no replica holds the lease")
		}
		return out, err
	}
	ready := func(namespace, name string) {
		t.Helper()
		run("wait", "--for=condition=Ready", "deploymenttemplate/"+name, "-n", namespace, "--timeout=60s")
	}
	empty := func(what string) {
		t.Helper()
		require.NoError(t, p.until(60*time.Second, func() error {
			if left := p.radius.Resources(); len(left) > 0 {
				return fmt.Errorf("%s: Radius still has %v", what, left)
			}
			if left := p.radius.Deployments(); len(left) > 0 {
				return fmt.Errorf("%s: Radius still has deployments: %v", what, left)
			}
			return nil
		}))
	}

	t.Run("a deployment through the API server", func(t *testing.T) {
		run("create", "namespace", "shop")
		apply(manifest("shop", "shop", app, env, web, db))
		ready("shop", "shop")
		require.Len(t, p.radius.Puts(), 1, "two replicas send it once")
		require.Len(t, strings.Fields(run("get", "deploymentresources", "-n", "shop", "-o", "name")), 4)
		require.Contains(t, run("get", "events", "-n", "shop"), "DeploymentSucceeded")
		run("wait", "--for=condition=Ready", "deploymentresources", "--all", "-n", "shop", "--timeout=30s")
	})

	t.Run("another replica takes over", func(t *testing.T) {
		before, err := leader()
		require.NoError(t, err)
		for _, c := range replicas {
			if strings.Contains(c.output(), "DeploymentStarted") { // the one that works
				require.NoError(t, c.Process.Signal(syscall.SIGTERM))
				require.NoError(t, c.Wait(), "a replica that is told to stop ends with 0")
				c.ended = true
			}
		}
		apply(manifest("shop", "shop", app, env, web))
		ready("shop", "shop")
		require.NoError(t, p.until(30*time.Second, func() error {
			if n := len(p.radius.Resources()); n != 3 {
				return fmt.Errorf("Radius has %d resources", n)
			}
			return nil
		}))
		after, err := leader()
		require.NoError(t, err)
		require.NotEqual(t, before, after)
		require.Len(t, p.radius.Puts(), 2)
	})

	t.Run("garbage collection", func(t *testing.T) {
		// In the foreground the children are deleted first, by the garbage collector and not in our order.
		run("delete", "deploymenttemplate/shop", "-n", "shop", "--cascade=foreground", "--timeout=90s")
		require.Empty(t, run("get", "deploymentresources", "-n", "shop", "-o", "name"))
		empty("in the foreground")
		gone := p.radius.Gone()
		require.Contains(t, gone[len(gone)-2], "/applications/app", "%v", gone)
		require.Contains(t, gone[len(gone)-1], "/environments/env", "%v", gone)

		apply(manifest("shop", "again", app, web))
		ready("shop", "again")
		run("delete", "deploymenttemplate/again", "-n", "shop", "--cascade=background", "--timeout=90s")
		empty("in the background")

		// The garbage collector takes the owner references away; the controller takes the objects back.
		apply(manifest("shop", "kept", app, web))
		ready("shop", "kept")
		run("delete", "deploymenttemplate/kept", "-n", "shop", "--cascade=orphan", "--timeout=90s")
		empty("as orphans")
		require.Empty(t, run("get", "deploymentresources", "-n", "shop", "-o", "name"))

		// Objects whose owner is gone by force are collected. What they stand for is left: only an owner gives
		// the right to delete.
		apply(manifest("shop", "orphan", app, web))
		ready("shop", "orphan")
		for _, c := range replicas {
			if !c.ended {
				require.NoError(t, c.Process.Signal(syscall.SIGTERM))
				require.NoError(t, c.Wait())
				c.ended = true
			}
		}
		run("delete", "deploymenttemplate/orphan", "-n", "shop", "--wait=false")
		run("patch", "deploymenttemplate/orphan", "-n", "shop", "--type=merge", "-p", `{"metadata": {"finalizers": null}}`)
		replicas["three"] = &childOf{child: p.controller(t, "three")}
		require.NoError(t, p.until(90*time.Second, func() error {
			if left, err := p.try("get", "deploymentresources", "-n", "shop", "-o", "name"); err != nil || left != "" {
				return fmt.Errorf("left: %s %v", left, err)
			}
			return nil
		}))
		require.Len(t, p.radius.Resources(), 2)
		require.Contains(t, run("get", "events", "-n", "shop"), "DeletionSkipped")
		for _, id := range p.radius.Resources() {
			p.radius.Remove(id)
		}
		p.radius.Set(func(s *radiustest.Server) { s.DropDeployments() })
	})

	t.Run("the deletion of a namespace", func(t *testing.T) {
		p.radius.Set(func(s *radiustest.Server) { s.DeployTime, s.DeleteTime = 300*time.Millisecond, 300*time.Millisecond })
		run("create", "namespace", "doomed")
		for i := range 5 {
			apply(manifest("doomed", fmt.Sprint("t", i), strings.Replace(app, "app", fmt.Sprint("app", i), 1), strings.Replace(web, "web", fmt.Sprint("web", i), 1)))
		}
		apply(manifest("doomed", "running", db)) // deleted while it may still be deployed
		for i := range 5 {
			ready("doomed", fmt.Sprint("t", i))
		}
		run("delete", "namespace", "doomed", "--timeout=110s")
		require.NoError(t, p.until(30*time.Second, func() error {
			if left := p.radius.Resources(); len(left) > 0 {
				return fmt.Errorf("Radius still has %v", left)
			}
			return nil
		}))
	})

	t.Run("Radius is away", func(t *testing.T) {
		apply(manifest("shop", "away", app, web))
		ready("shop", "away")
		run("delete", "apiservice/v1alpha3.api.ucp.dev")
		run("delete", "deploymenttemplate/away", "-n", "shop", "--wait=false")
		require.NoError(t, p.until(30*time.Second, func() error {
			said, err := p.try("get", "deploymentresources", "-n", "shop", "-o", "jsonpath={.items[*].status.message}")
			if err != nil || !strings.Contains(said, "what answered is not Radius: 404 Not Found") {
				return fmt.Errorf("%s %v", said, err)
			}
			return nil
		}))
		time.Sleep(5 * time.Second)
		run("get", "deploymenttemplate/away", "-n", "shop")
		require.Len(t, p.radius.Resources(), 2)
		require.NoError(t, p.aggregate())
		run("wait", "--for=delete", "deploymenttemplate/away", "-n", "shop", "--timeout=90s")
		empty("when Radius is back")
	})

	t.Run("two hundred at once", func(t *testing.T) {
		const n = 200
		p.radius.Set(func(s *radiustest.Server) { s.DeployTime, s.DeleteTime = 2*time.Second, 0 })
		run("create", "namespace", "many")
		var list []string
		for i := range n {
			list = append(list, manifest("many", fmt.Sprint("t", i), strings.Replace(web, "web", fmt.Sprint("many", i), 1)))
		}
		began := time.Now()
		apply(strings.Join(list, "\n---\n"))
		run("wait", "--for=condition=Ready", "deploymenttemplates", "--all", "-n", "many", "--timeout=110s")
		took := time.Since(began)
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", replicas["three"].Process.Pid))
		require.NoError(t, err)
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "VmHWM") {
				t.Logf("%d templates, each deployed for 2 s, were ready after %v, kubectl's time included; %s", n, took.Round(time.Second), strings.Join(strings.Fields(line), " "))
			}
		}
		require.Less(t, took, n*2*time.Second/10)
		run("delete", "namespace", "many", "--timeout=110s")
	})

	t.Run("no complaint of the API server", func(t *testing.T) {
		for name, c := range replicas {
			for line := range strings.Lines(c.output()) {
				if strings.Contains(line, "forbidden") && !strings.Contains(line, "because it is being terminated") {
					t.Errorf("replica %s lacks a right: %s", name, line)
				}
			}
		}
	})
	t.Run("every right is used", func(t *testing.T) {
		used := p.audited(t)
		for _, right := range []string{
			"list radapp.io deploymenttemplates",                          // newer API servers stream what an older one lists
			"update radapp.io deploymenttemplates/finalizers",             // the admission plugin asks for it
			"get api.ucp.dev planes/aws", "delete api.ucp.dev planes/aws", // no template here has a resource of AWS or Azure
			"get api.ucp.dev planes/azurecloud", "delete api.ucp.dev planes/azurecloud",
			"patch events.k8s.io events", "patch  events", // an event that comes again within minutes
			"create  events",                  // client-go chooses the group of the events of leases
			"get  secrets", "get  configmaps", // no template here refers to one
		} {
			used[right] = true
		}
		var unused []string
		for _, file := range []string{"role.yaml", "leader_election.yaml", "parameters.yaml"} {
			text, err := os.ReadFile("../../config/rbac/" + file)
			require.NoError(t, err)
			for _, doc := range strings.Split(string(text), "\n---\n") {
				var role rbacv1.ClusterRole
				require.NoError(t, yaml.Unmarshal([]byte(doc), &role))
				for _, rule := range role.Rules {
					for _, group := range rule.APIGroups {
						for _, resource := range rule.Resources {
							for _, verb := range rule.Verbs {
								if right := verb + " " + group + " " + resource; !used[right] {
									unused = append(unused, file+": "+right)
								}
							}
						}
					}
				}
			}
		}
		require.Empty(t, unused, "rights that nothing uses")
	})
	if dir := os.Getenv("E2E_LOGS"); dir != "" {
		for name, c := range replicas {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".log"), []byte(c.output()), 0o644))
		}
	}
}

// audited are the rights that the controller has used: verb, group and resource.
func (p *plane) audited(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "audit.log"))
	require.NoError(t, err)
	used := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Verb      string
			ObjectRef struct{ APIGroup, Resource, Subresource string }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		resource := e.ObjectRef.Resource
		if e.ObjectRef.Subresource != "" {
			resource += "/" + e.ObjectRef.Subresource
		}
		used[e.Verb+" "+e.ObjectRef.APIGroup+" "+resource] = true
	}
	return used
}

// childOf is a replica.
type childOf struct {
	*child
	ended bool
}

func tail(s string) string {
	if len(s) > 6000 {
		s = s[len(s)-6000:]
	}
	return s
}
