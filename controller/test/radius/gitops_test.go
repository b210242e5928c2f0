package radius

import (
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repository is a Git repository that is served by HTTP, and a work tree of it.
type repository struct {
	url, tree, rad string
}

// repository makes one of examples/flux, to which a platform team has added what is deployed first.
func (p *plane) repository(t *testing.T) *repository {
	dir := t.TempDir()
	r := &repository{tree: filepath.Join(dir, "tree"), rad: filepath.Join(p.bin, "rad")}
	bare := filepath.Join(dir, "served", "shop.git")
	for _, args := range [][]string{{"init", "-q", "--bare", "-b", "main", bare}, {"clone", "-q", bare, r.tree}} {
		out, err := exec.Command("git", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for key, value := range map[string]string{"user.name": "somebody", "user.email": "somebody@example.com"} {
		r.git(t, "config", key, value)
	}
	server := httptest.NewServer(&cgi.Handler{Path: filepath.Join(strings.TrimSpace(r.git(t, "--exec-path")), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(bare), "GIT_HTTP_EXPORT_ALL=1"}})
	t.Cleanup(server.Close)
	r.url = server.URL + "/shop.git"
	require.NoError(t, os.CopyFS(r.tree, os.DirFS(filepath.Join(p.root, "examples", "flux"))))
	require.NoError(t, os.WriteFile(filepath.Join(r.tree, "platform.bicep"), []byte(edited(t, "testdata/platform.bicep")), 0o644))
	r.edit(t, ".rad/bicep.yaml", "target: radius\ngroup: default\n", "secureParameters: reference\n", "targets:\n", `targets:
  - template: platform.bicep
    outfile: manifests/platform/platform.yaml
    name: platform
    namespace: `+namespace+"\n")
	return r
}

func (r *repository) git(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = r.tree
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// edit replaces texts of a file, each of which must be there.
func (r *repository) edit(t *testing.T, file string, texts ...string) {
	t.Helper()
	file = filepath.Join(r.tree, file)
	require.NoError(t, os.WriteFile(file, []byte(edited(t, file, texts...)), 0o644))
}

func edited(t *testing.T, file string, texts ...string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for i := 0; i < len(texts); i += 2 {
		require.Contains(t, string(text), texts[i], file)
		text = []byte(strings.ReplaceAll(string(text), texts[i], texts[i+1]))
	}
	return string(text)
}

// generate runs rad as a user does.
func (r *repository) generate(args ...string) (string, error) {
	c := exec.Command(r.rad, append([]string{"bicep", "generate-kubernetes-manifest", "--offline"}, args...)...)
	c.Dir = r.tree
	out, err := c.CombinedOutput()
	return string(out), err
}

// push commits what is in the work tree, with manifests that are up to date, and returns the commit.
func (r *repository) push(t *testing.T, args ...string) string {
	t.Helper()
	out, err := r.generate(args...)
	require.NoError(t, err, "%s", out)
	r.git(t, "add", "-A")
	r.git(t, "commit", "-q", "-m", "a change")
	return r.publish(t)
}

func (r *repository) publish(t *testing.T) string {
	r.git(t, "push", "-q", "origin", "HEAD:main")
	return strings.TrimSpace(r.git(t, "rev-parse", "HEAD"))
}

// startFlux installs and starts the two controllers of Flux that read repositories and apply what is in them.
func (p *plane) startFlux(t *testing.T) {
	t.Setenv("RUNTIME_NAMESPACE", "flux-system")
	_, err := p.kubectl("create", "namespace", "flux-system")
	require.NoError(t, err)
	for _, name := range []string{"source-controller", "kustomize-controller"} {
		p.apply(t, "-f", filepath.Join(p.module(t, "flux", "github.com/fluxcd/"+name), "config", "crd", "bases"))
	}
	_, err = p.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=1m")
	require.NoError(t, err)
	files := "127.0.0.1:" + freePort()
	start := func(name string, args ...string) {
		p.start(t, name, append(args, "--metrics-addr", "127.0.0.1:"+freePort(), "--health-addr", "127.0.0.1:"+freePort(), "--log-level", "debug")...)
	}
	start("source-controller", "--storage-path", t.TempDir(), "--storage-addr", files, "--storage-adv-addr", files)
	start("kustomize-controller", "--requeue-dependency", "2s")
}

// flux waits until a Kustomization says of a commit that it is ready, or why not.
func (p *plane) flux(t *testing.T, name, commit, status, message string) {
	t.Helper()
	p.until(t, func() error {
		k, err := p.get("/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/" + name)
		if err != nil {
			return err
		}
		for _, c := range k.items("status", "conditions") {
			if c.text("type") == "Ready" && c.text("status") == status && strings.Contains(c.text("message"), message) &&
				strings.HasSuffix(k.text("status", "lastAttemptedRevision"), commit) {
				return nil
			}
		}
		return fmt.Errorf("%s is %v", name, k.at("status"))
	})
}

// TestGitOps is what radius#12999 asks for, with the controllers of Flux: a commit is deployed by Radius, and what becomes of it is read
// in Flux. The names of its parts are those of the criteria.
func TestGitOps(t *testing.T) {
	const secret, notes, prod = "correct-horse-battery", core + "extenders/notes", core + "environments/prod"
	const app, web = core + "applications/shop", core + "containers/web"
	p := startPlane(t)
	p.startController(t, "--drift-interval", "5s", "--log-level", "debug")
	p.startFlux(t)
	r := p.repository(t)
	_, err := p.kubectl("create", "secret", "generic", "platform", "-n", namespace, "--from-literal=password="+secret)
	require.NoError(t, err)
	platform, shop := p.deployment("platform", ""), p.deployment("shop", "")
	shop.namespace, shop.group, platform.group = "shop", "default", "default"
	shop.also, shop.retried, platform.also = []string{prod, notes}, true, []string{app, web}
	image := func(want string) {
		t.Helper()
		resource, err := p.get(shop.id(web))
		require.NoError(t, err)
		assert.Equal(t, "ghcr.io/radius-project/samples/demo:"+want, resource.text("properties", "container", "image"))
	}
	// The samples are applied as they are, but for the address and the times.
	cluster := func(file string, texts ...string) {
		t.Helper()
		texts = append(texts, "  interval: 10m", "  interval: 5s")
		p.apply(t, "-f", p.write(t, filepath.Base(file), []byte(edited(t, filepath.Join(p.root, file), texts...))))
	}
	const sample = "controller/config/samples/flux/kustomization-flux.yaml"
	var commit string
	then := func(what string, do func(*testing.T)) {
		if !t.Failed() {
			t.Run(what, do)
		}
	}

	then("create, in the order of dependsOn, without rad deploy", func(t *testing.T) {
		commit = r.push(t)
		cluster("examples/flux/clusters/prod/shop.yaml", "https://github.com/acme/shop", r.url, "  interval: 1m", "  interval: 2s",
			"  wait: true", "  wait: true\n  retryInterval: 3s\n  dependsOn: [{name: platform}]")
		p.flux(t, "shop", "", "False", "dependency 'flux-system/platform' not found")
		_, err := shop.object()
		require.Error(t, err, "it is not applied before what it depends on")
		cluster(sample, "  name: shop\n  namespace", "  name: platform\n  namespace",
			"./manifests", "./manifests/platform", "radius-system", namespace)
		p.flux(t, "shop", commit, "True", "")
		p.flux(t, "platform", commit, "True", "")
		shop.ready(t, app, web)
		platform.ready(t, prod, notes)
		image("v1.2.0")
		before, after := p.times(t, platform, shop)
		assert.LessOrEqual(t, before, after, "it is made after what it depends on is deployed")
	})
	then("update", func(t *testing.T) {
		sent := p.engine.Puts("resourcegroups/default/")
		r.edit(t, "apps/prod.bicepparam", "v1.2.0", "v1.3.0")
		commit = r.push(t)
		p.flux(t, "shop", commit, "True", "")
		shop.ready(t, app, web)
		image("v1.3.0")
		assert.Equal(t, sent+1, p.engine.Puts("resourcegroups/default/"), "what is changed is sent once, and nothing else")
	})
	then("failure of a compilation: there is nothing to commit", func(t *testing.T) {
		r.edit(t, "apps/shop.bicep", "app.id", "ap.id")
		out, err := r.generate()
		require.Error(t, err)
		assert.Contains(t, out, "shop.bicep(18,18) : Error BCP057: ")
		assert.Equal(t, " M apps/shop.bicep\n", r.git(t, "status", "--porcelain"))
		r.git(t, "checkout", "-q", ".")
	})
	then("failure of a resource: Flux waits and says where, the object has Radius' reason", func(t *testing.T) {
		r.edit(t, "apps/prod.bicepparam", "v1.3.0", "missing")
		commit = r.push(t)
		sent := p.engine.Puts("resourcegroups/default/")
		p.flux(t, "shop", commit, "Unknown", "")
		p.flux(t, "shop", commit, "False", "failed early due to stalled resources: [DeploymentTemplate/shop/shop status: 'Failed']")
		shop.says(t, "Failed", "ErrImagePull")
		shop.says(t, "Failed", "containers/web")
		assert.GreaterOrEqual(t, p.engine.Puts("resourcegroups/default/"), sent+2, "it is tried again before that is said")
	})
	then("retry: the same commit is deployed when the cause is gone", func(t *testing.T) {
		p.pulled.Store(true)
		_, err := p.kubectl("annotate", "deploymenttemplate", "shop", "-n", "shop", "radapp.io/redeploy-requested-at=now",
			"--field-manager=flux-client-side-apply")
		require.NoError(t, err)
		p.flux(t, "shop", commit, "True", "")
		shop.ready(t, app, web)
		image("missing")
	})
	then("rollback: a commit is reverted", func(t *testing.T) {
		r.git(t, "revert", "--no-edit", "HEAD")
		commit = r.publish(t)
		p.flux(t, "shop", commit, "True", "")
		shop.ready(t, app, web)
		image("v1.3.0")
		o, err := shop.object()
		require.NoError(t, err)
		assert.Equal(t, "now", o.text("metadata", "annotations", "radapp.io/redeploy-requested-at"), "Flux leaves what this manager has written")
	})
	then("drift in the cluster: a parameter", func(t *testing.T) {
		sent := p.engine.Puts("resourcegroups/default/")
		o, err := shop.object()
		require.NoError(t, err)
		patch := fmt.Sprintf(`{"spec": {"parameters": %q}}`, strings.Replace(o.text("spec", "parameters"), "v1.3.0", "v0", 1))
		_, err = p.kubectl("patch", "deploymenttemplate", "shop", "-n", "shop", "--type=merge", "-p", patch)
		require.NoError(t, err)
		p.until(t, func() error {
			if n := p.engine.Puts("resourcegroups/default/"); n < sent+2 {
				return fmt.Errorf("%d deployments", n-sent)
			}
			return nil
		})
		shop.ready(t, app, web)
		image("v1.3.0")
		p.flux(t, "shop", commit, "True", "")
	})
	then("drift in the cluster: an annotation", func(t *testing.T) {
		_, err := p.kubectl("annotate", "deploymenttemplate", "shop", "-n", "shop", "radapp.io/deletion-policy=orphan")
		require.NoError(t, err)
		p.until(t, func() error {
			o, err := shop.object()
			if err == nil && o.text("metadata", "annotations", "radapp.io/deletion-policy") != "" {
				err = fmt.Errorf("the annotation stays: %v", o.at("metadata", "managedFields"))
			}
			return err
		})
	})
	then("drift in Radius", func(t *testing.T) {
		_, err := p.send(http.MethodDelete, shop.id(web), "application/json", nil)
		require.NoError(t, err)
		p.until(t, func() error {
			if _, err := p.get(shop.id(web)); err == nil {
				return fmt.Errorf("the container is still there")
			}
			return nil
		})
		p.until(t, func() error { _, err := p.get(shop.id(web)); return err })
		shop.ready(t, app, web)
		p.flux(t, "shop", commit, "True", "")
	})
	then("plain objects: create, update, deletion", func(t *testing.T) {
		program := edited(t, filepath.Join(p.root, "testdata", "targets", "kubernetes", "app.bicep"))
		require.NoError(t, os.WriteFile(filepath.Join(r.tree, "plain.bicep"), []byte(program), 0o644))
		r.edit(t, ".rad/bicep.yaml", "targets:\n", `targets:
  - template: plain.bicep
    parameters: [ns=plain, 'image=nginx:1.27', 'names:=["a", "b"]']
    outfile: manifests/plain/plain.yaml
    target: kubernetes
`)
		commit := r.push(t)
		cluster(sample, "  name: shop\n  namespace", "  name: plain\n  namespace", "./manifests", "./manifests/plain", "  targetNamespace: radius-system\n", "")
		shows := func(want string) {
			t.Helper()
			p.flux(t, "plain", commit, "True", "")
			out, err := p.kubectl("get", "deployments,configmaps", "-n", "plain", "-o",
				`jsonpath={range .items[*]}{.metadata.name} {.spec.template.spec.containers[0].image} {.status.readyReplicas};{end}`)
			require.NoError(t, err)
			assert.Equal(t, want, out)
		}
		shows("web nginx:1.27 2;cm-a  ;cm-b  ;")
		r.edit(t, ".rad/bicep.yaml", "nginx:1.27", "nginx:1.28", `["a", "b"]`, `["a"]`)
		commit = r.push(t)
		shows("web nginx:1.28 2;cm-a  ;")
		_, err := p.kubectl("delete", "kustomization", "plain", "-n", "flux-system", "--timeout=4m")
		require.NoError(t, err)
		p.until(t, func() error {
			if o, err := p.get("/api/v1/namespaces/plain"); err == nil {
				return fmt.Errorf("the namespace is %v", o.at("status"))
			}
			return nil
		})
	})
	then("secrets are in no manifest, object or log", func(t *testing.T) {
		p.secretIsOnlyIn(t, r, secret, platform.id(notes))
	})
	then("deletion: what is removed from Git is deleted, and then a Kustomization", func(t *testing.T) {
		bicep := filepath.Join(r.tree, ".rad/bicep.yaml")
		text := edited(t, bicep)
		from, to := strings.Index(text, "  - template: apps/prod"), strings.Index(text, "  - template: apps/staging")
		require.NoError(t, os.WriteFile(bicep, []byte(text[:from]+text[to:]), 0o644))
		r.edit(t, "manifests/prod/kustomization.yaml", "  - shop.yaml\n", "")
		commit = r.push(t, "--prune")
		p.flux(t, "shop", commit, "True", "")
		p.goes(t, shop)
		shop.missing(t, web)
		platform.also = nil
		platform.ready(t, prod, notes)
		for _, name := range []string{"shop", "platform"} {
			_, err := p.kubectl("delete", "kustomization", name, "-n", "flux-system", "--timeout=4m")
			require.NoError(t, err)
		}
		p.goes(t, platform)
		platform.missing(t, prod)
		platform.gone(t)
		p.nothing(t)
	})
}

// times returns when one template was deployed, and when the other was made.
func (p *plane) times(t *testing.T, deployed, made *deployment) (string, string) {
	one, err := deployed.object()
	require.NoError(t, err)
	other, err := made.object()
	require.NoError(t, err)
	require.NotEmpty(t, one.text("status", "deployedAt"))
	return one.text("status", "deployedAt"), other.text("metadata", "creationTimestamp")
}

// goes waits until a template is no more.
func (p *plane) goes(t *testing.T, d *deployment) {
	t.Helper()
	p.until(t, func() error {
		if o, err := d.object(); err == nil {
			return fmt.Errorf("%s is %v", d.name, o.at("status"))
		}
		return nil
	})
}

// secretIsOnlyIn checks that Radius has a secret, and that nothing else that a reader of Git, of objects or of logs sees has it.
func (p *plane) secretIsOnlyIn(t *testing.T, r *repository, secret, id string) {
	answer, err := p.send(http.MethodPost, strings.Replace(id, "?", "/listSecrets?", 1), "application/json", map[string]any{})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(answer), secret, "Radius has it")
	hasNot := func(where, text string) {
		for line := range strings.Lines(text) {
			if strings.Contains(line, secret) {
				assert.Fail(t, "a secret is in "+where, line)
				return
			}
		}
	}
	hasNot("the repository", r.git(t, "log", "-p"))
	for _, kind := range []string{"deploymenttemplates", "deploymentresources", "kustomizations", "gitrepositories", "events", "configmaps"} {
		text, err := p.kubectl("get", kind, "-A", "-o", "yaml", "--show-managed-fields")
		require.NoError(t, err)
		require.Contains(t, text, "kind: ", kind)
		hasNot(kind, text)
	}
	for _, program := range p.children {
		hasNot("the log of "+program.Path, program.output())
	}
}
