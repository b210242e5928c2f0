package radius

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

const (
	core      = "Applications.Core/"
	stores    = "Applications.Datastores/"
	messaging = "Applications.Messaging/"
	preview   = "2023-10-01-preview"
	namespace = "e2e"
	installed = "rad-controller-system" // where the controller is
	planes    = pathBase + "/planes/radius/local/resourceGroups/"

	environment = "/planes/radius/local/resourceGroups/base/providers/Applications.Core/environments/dev"
	application = "/planes/radius/local/resourceGroups/base/providers/Applications.Core/applications/shop"
)

// sample is a program of testdata at the root: what it is given, and what Radius has of it afterwards.
type sample struct {
	name string
	// before is a template of ./testdata that is deployed to the same group first, with its arguments; made are its resources.
	before []string
	made   []string
	// args are what it is deployed with, and change what is added to them to change it. edit are pairs of texts of the
	// program instead.
	args, change, edit []string
	// setup are pairs of texts of the program that are replaced before all. REGISTRY stands for the registry of the recipes.
	setup []string
	// namespace is made first: Radius makes those of older types by itself.
	namespace string
	// secrets are the keys of a Secret: that of the name of the sample, with the values of its secure parameters, or another.
	secret  string
	secrets map[string]string
	// makes are the resources that it makes, and left those that are there after the change, if they are others.
	makes, left []string
	// shows is where Radius shows the change: a resource, a path in its properties, and a value at the end.
	shows []string
}

var samples = []sample{
	{
		name: "environment", makes: []string{core + "environments/shop-env"},
		change: []string{"-p", "recipeTag=1.5"},
		shows:  []string{core + "environments/shop-env", "recipes", "Applications.Datastores/redisCaches", "default", "templatePath", "ghcr.io/example/recipes/redis:1.5"},
	},
	{
		name: "environment-shadow", makes: []string{core + "applications/shadow"},
		edit: []string{"name: 'shadow'", "name: 'shade'"}, left: []string{core + "applications/shade"},
	},
	{
		name: "gateway", makes: []string{core + "gateways/shop-gateway", core + "containers/gw-api", core + "containers/gw-web"},
		change: []string{"-p", "hostname=shop.example.com"},
		shows:  []string{core + "gateways/shop-gateway", "hostname", "fullyQualifiedHostname", "shop.example.com"},
	},
	{
		name: "extender", makes: []string{core + "extenders/messages", core + "containers/notifier"},
		change: []string{"-p", "sender=+15550199"},
		shows:  []string{core + "containers/notifier", "container", "env", "SENDER", "value", "+15550199"},
	},
	{
		name: "secrets", makes: []string{core + "secretStores/tls", core + "gateways/secure-gateway"},
		args:    []string{"-p", "certificate=not in the manifest", "-p", `keyPair:={"private": "not in the manifest"}`},
		secrets: map[string]string{"certificate": "a certificate", "keyPair": `{"private": "a key"}`},
		edit:    []string{"minimumProtocolVersion: '1.2'", "minimumProtocolVersion: '1.3'"},
		shows:   []string{core + "gateways/secure-gateway", "tls", "minimumProtocolVersion", "1.3"},
	},
	{
		name: "datastores", makes: []string{stores + "mongoDatabases/mongo", stores + "sqlDatabases/sql", core + "containers/reader"},
		args: []string{"-p", "host=db.example.com", "-p", "password=not in the manifest"}, secrets: map[string]string{"password": "a-password"},
		change: []string{"-p", "host=other.example.com"},
		shows:  []string{core + "containers/reader", "container", "env", "SQL_HOST", "value", "other.example.com"},
	},
	{
		name: "conditions", args: []string{"-p", "stage=dev", "-p", "monitoring=true"},
		makes:  []string{core + "containers/web-dev", core + "containers/collector"},
		change: []string{"-p", "stage=test"},
		left:   []string{core + "containers/web-test", core + "containers/collector", core + "containers/probe"},
		shows:  []string{core + "containers/web-test", "container", "env", "STAGE", "value", "test"},
	},
	{
		name: "design-sample", before: []string{"base.bicep", "-p", "environmentName=demoenv", "-p", "kubernetesNamespace=design"},
		made:   []string{core + "environments/demoenv", core + "applications/shop"},
		args:   []string{"-p", "app.bicepparam", "-p", "tag=latest"},
		makes:  []string{core + "applications/demoapp", core + "containers/democtnr"},
		change: []string{"-p", "tag=v2"},
		shows:  []string{core + "containers/democtnr", "container", "image", "ghcr.io/radius-project/samples/demo:v2"},
	},
	{
		name: "design-sample-wins", before: []string{"base.bicep", "-p", "environmentName=demoenv", "-p", "kubernetesNamespace=wins"},
		made:   []string{core + "environments/demoenv", core + "applications/shop"},
		args:   []string{"-p", "app.bicepparam", "-p", "tag=latest"},
		makes:  []string{core + "applications/demoapp", core + "containers/democtnr"},
		change: []string{"-p", "appnetworking.bicepparam"},
		shows:  []string{core + "containers/democtnr", "container", "ports", "web", "containerPort", "8080"},
	},
	{
		name: "existing", before: []string{"existing.bicep"},
		made:  []string{core + "environments/prod", core + "applications/shop", stores + "redisCaches/cache"},
		makes: []string{core + "containers/nightly"},
		edit:  []string{"nightly:1", "nightly:2"},
		shows: []string{core + "containers/nightly", "container", "image", "ghcr.io/example/nightly:2"},
	},
	{
		name: "functions", makes: []string{core + "containers/web-dev"},
		edit:  []string{"image('web', '3')", "image('web', '4')"},
		shows: []string{core + "containers/web-dev", "container", "image", "ghcr.io/example/web:4"},
	},
	{
		name: "load-files", makes: []string{core + "containers/loader"},
		edit:  []string{"loader:1", "loader:2"},
		shows: []string{core + "containers/loader", "container", "image", "ghcr.io/example/loader:2"},
	},
	{
		name:   "loops",
		makes:  []string{core + "containers/svc-users", core + "containers/svc-orders", core + "containers/region-eu", core + "containers/region-us", core + "containers/numbered-0", core + "containers/numbered-1"},
		change: []string{"-p", `services:=[{"name": "users", "port": 7001}, {"name": "stock", "port": 7003}]`, "-p", `regions:={"eu": "Ireland"}`},
		left:   []string{core + "containers/svc-users", core + "containers/svc-stock", core + "containers/region-eu", core + "containers/numbered-0", core + "containers/numbered-1"},
		shows:  []string{core + "containers/svc-stock", "container", "ports", "http", "containerPort", "7003"},
	},
	{
		name: "param-chain", makes: []string{core + "containers/chained"},
		args:   []string{"-p", "prod.bicepparam", "-p", "@more.json", "-p", "environment=" + environment, "-p", "application=" + application},
		change: []string{"-p", "limit=9007199254740991"},
		shows:  []string{core + "containers/chained", "container", "env", "LIMIT", "value", "9007199254740991"},
	},
	{
		name: "same-names", makes: []string{core + "applications/demo", core + "containers/demo"},
		edit:  []string{"web:1", "web:2"},
		shows: []string{core + "containers/demo", "container", "image", "ghcr.io/example/web:2"},
	},
	{
		name: "unicode", makes: []string{core + "containers/unicode"},
		change: []string{"-p", "note=другой"},
		shows:  []string{core + "containers/unicode", "container", "env", "NOTE", "value", "другой"},
	},
	{
		name: "user-types", makes: []string{core + "containers/web"},
		args: []string{"-p", `web={"name":"web","ports":[80,443],"size":"medium","endpoint":{"host":"h","port":1}}`,
			"-p", `stores=[{"kind":"disk","gigabytes":5},{"kind":"memory"}]`, "-p", `pair=["answer",42]`},
		change: []string{"-p", "mode=fast"},
		shows:  []string{core + "containers/web", "container", "image", "ghcr.io/example/web:fast"},
	},
	{
		// Recipes run: the cache is an object of Kubernetes, which the engine makes.
		name: "connections", makes: []string{core + "containers/api", core + "containers/worker", stores + "redisCaches/cache", messaging + "rabbitMQQueues/orders"},
		change: []string{"-p", "tag=next", "-p", `logLevels:=["info", "error"]`},
		shows:  []string{core + "containers/worker", "container", "image", "ghcr.io/example/worker:next"},
	},
	{
		name: "modules", makes: []string{core + "applications/modular", stores + "redisCaches/cache", core + "containers/web", core + "containers/api"},
		change: []string{"-p", "images.web=ghcr.io/example/web:2"},
		shows:  []string{core + "containers/web", "container", "image", "ghcr.io/example/web:2"},
	},
	{
		// Types of another API version, of which dynamic-rp has two: it runs recipes of the pack.
		name: "radius-types", namespace: "next",
		setup: []string{"source: 'ghcr.io/example/recipes/redis:1'\n      }", `source: 'REGISTRY/recipes/redis:1'
        plainHttp: true
      }
      'Radius.Compute/containers': {
        kind: 'bicep'
        source: 'REGISTRY/recipes/container:1'
        plainHttp: true
      }`},
		makes: []string{"Radius.Core/recipePacks/kubernetes-pack", "Radius.Core/environments/next-env", "Radius.Core/applications/next-app",
			"Radius.Compute/containers/next-web", "Radius.Data/redisCaches/next-cache"},
		edit:  []string{"web:1", "web:2"},
		shows: []string{"Radius.Compute/containers/next-web", "containers", "web", "image", "ghcr.io/example/web:2"},
	},
	{
		// Objects of Kubernetes are no resources of Radius: the ConfigMap stays when the template is deleted.
		name: "kubernetes", makes: []string{core + "applications/k8s-app", core + "containers/k8s-web"},
		args:   []string{"-p", "namespace=" + namespace, "-p", "greeting=Hello"},
		secret: "credentials", secrets: map[string]string{"user": "somebody"},
		change: []string{"-p", "greeting=Goodbye"},
		shows:  []string{core + "containers/k8s-web", "container", "env", "GREETING", "value", "Goodbye"},
	},
	{
		name: "warnings", makes: []string{core + "containers/warned"},
		edit:  []string{"web:1", "web:2"},
		shows: []string{core + "containers/warned", "container", "image", "ghcr.io/example/web:2"},
	},
}

// TestSamples deploys, changes and deletes programs of testdata.
func TestSamples(t *testing.T) {
	p := startPlane(t)
	started := time.Now()
	p.startController(t)
	p.startRegistry(t)
	base := p.baseline(t, "-p", "registry="+p.registry.Host)
	only := regexp.MustCompile(os.Getenv("RADIUS_E2E_ONLY"))
	t.Run("samples", func(t *testing.T) {
		for _, s := range samples {
			if only.MatchString(s.name) {
				t.Run(s.name, func(t *testing.T) {
					t.Parallel()
					p.sample(t, s)
				})
			}
		}
	})
	base.remove(t)
	base.gone(t)
	p.nothing(t)
	t.Logf("%d samples in %s", len(samples), time.Since(started).Round(time.Second))
}

// startRegistry starts a registry with the recipes.
func (p *plane) startRegistry(t *testing.T) {
	p.registry = registrytest.New(t)
	p.publish(t, filepath.Join(p.root, "testdata", "recipe", "app.bicep"), p.registry.Host+"/recipes/redis:1")
	p.publish(t, filepath.Join("testdata", "queue.bicep"), p.registry.Host+"/recipes/queue:1")
	p.publish(t, filepath.Join("testdata", "container.bicep"), p.registry.Host+"/recipes/container:1")
}

// publish publishes a recipe.
func (p *plane) publish(t *testing.T, file, target string) {
	c := exec.Command(filepath.Join(p.bin, "rad"), "bicep", "publish", file, "--target", "br:"+target, "--plain-http")
	host, _, _ := strings.Cut(target, "/")
	c.Env = append(os.Environ(), "BICEP_TRUSTED_REGISTRIES="+host)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// nothing checks that Kubernetes has nothing left of what Radius or a recipe made. Namespaces stay: Radius deletes none.
func (p *plane) nothing(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/apis/apps/v1/deployments", "/api/v1/services", "/api/v1/secrets", "/api/v1/serviceaccounts",
		"/apis/rbac.authorization.k8s.io/v1/roles", "/apis/rbac.authorization.k8s.io/v1/rolebindings", "/apis/projectcontour.io/v1/httpproxies"} {
		list, err := p.get(path)
		require.NoError(t, err)
		for _, o := range list.items("items") {
			switch in := o.text("metadata", "namespace"); in {
			case "default", "kube-system", "kube-public", "kube-node-lease", system, installed, namespace: // what was there before
			default:
				assert.Fail(t, "it is left", "%s: %s in %s: %v", path, o.text("metadata", "name"), in, o.at("metadata", "labels"))
			}
		}
	}
}

// startController installs the controller as its kustomization does, and starts it with the rights of its account. Its own
// pods do not run anything.
func (p *plane) startController(t *testing.T, args ...string) *child {
	p.apply(t, "-k", filepath.Join(p.root, "controller", "config", "default"))
	p.until(t, func() error {
		_, err := p.kubectl("wait", "--for=condition=Established", "crd/deploymenttemplates.radapp.io", "crd/deploymentresources.radapp.io", "--timeout=1s")
		return err
	})
	_, err := p.kubectl("create", "namespace", namespace)
	require.NoError(t, err)
	return p.controller(t, args...)
}

func (p *plane) controller(t *testing.T, args ...string) *child {
	account, err := p.kubectl("create", "token", "rad-controller", "-n", installed)
	require.NoError(t, err)
	config := p.write(t, "controller.kubeconfig", []byte(p.config(strings.TrimSpace(account))))
	return p.start(t, "rad-controller", append([]string{"--kubeconfig", config, "--metrics-bind-address", "0", "--health-probe-bind-address", "0",
		"--poll-interval", "1s"}, args...)...)
}

func (p *plane) sample(t *testing.T, s sample) {
	if s.before != nil {
		before := p.deployment(s.name, filepath.Join("testdata", s.before[0]), s.before[1:]...)
		before.name = "before-" + s.name
		before.apply(t)
		before.ready(t, s.made...)
		defer func() {
			before.remove(t)
			before.gone(t)
		}()
	}
	if s.left == nil {
		s.left = s.makes
	}
	d := p.deployment(s.name, filepath.Join(p.root, "testdata", s.name, "app.bicep"), s.args...)
	d.also = s.made
	if s.setup != nil {
		d.edit(t, append([]string{}, s.setup[0], strings.ReplaceAll(s.setup[1], "REGISTRY", p.registry.Host)))
	}
	if s.namespace != "" {
		_, err := p.kubectl("create", "namespace", s.namespace)
		require.NoError(t, err)
	}
	if s.secrets != nil {
		literals := []string{"create", "secret", "generic", cmp.Or(s.secret, s.name), "-n", namespace}
		for key, value := range s.secrets {
			literals = append(literals, "--from-literal="+key+"="+value)
		}
		_, err := p.kubectl(literals...)
		require.NoError(t, err)
	}
	d.apply(t)
	d.ready(t, s.makes...)
	d.args = append(d.args, s.change...)
	if s.edit != nil {
		d.edit(t, s.edit)
	}
	d.apply(t)
	d.ready(t, s.left...)
	sent := 2
	if s.before != nil {
		sent++
	}
	assert.Equal(t, sent, p.engine.Puts("/resourcegroups/"+d.group+"/providers/microsoft.resources/deployments/deploymenttemplate-"), "each spec is sent once")
	if s.shows != nil {
		last := len(s.shows) - 1
		resource, err := p.get(d.id(s.shows[0]))
		require.NoError(t, err)
		assert.Equal(t, s.shows[last], fmt.Sprint(resource.at(append([]string{"properties"}, s.shows[1:last]...)...)), "%v", resource)
	}
	for _, id := range s.makes {
		if !slices.Contains(s.left, id) {
			d.missing(t, id)
		}
	}
	d.remove(t)
	for _, id := range s.left {
		d.missing(t, id)
	}
	if s.before == nil {
		d.gone(t)
	}
}

// baseline deploys what the samples are deployed to.
func (p *plane) baseline(t *testing.T, args ...string) *deployment {
	base := p.deployment("base", filepath.Join("testdata", "base.bicep"), append([]string{"-p", "kubernetesNamespace=e2e-base"}, args...)...)
	base.apply(t)
	base.ready(t, core+"environments/dev", core+"applications/shop")
	return base
}

// deployment is a DeploymentTemplate in the namespace of the tests.
type deployment struct {
	*plane
	name, group, file string
	namespace         string
	args              []string
	also              []string // resources of the group that others made
	retried           bool     // it may fail on the way
}

func (p *plane) deployment(name, file string, args ...string) *deployment {
	return &deployment{plane: p, name: name, group: name, namespace: namespace, file: file, args: args}
}

// apply makes the manifest as a user does, and applies it.
func (d *deployment) apply(t *testing.T) {
	t.Helper()
	manifest := filepath.Join(t.TempDir(), d.name+".yaml")
	args := append([]string{"bicep", "generate-kubernetes-manifest", filepath.Base(d.file), "--offline", "-g", d.group, "--name", d.name, "--namespace", d.namespace, "-o", manifest,
		"--environment", environment, "--application", application, "--secure-parameters", "reference"}, d.args...)
	c := exec.Command(filepath.Join(d.bin, "rad"), args...)
	c.Dir = filepath.Dir(d.file)
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	_, err = d.kubectl("apply", "-f", manifest)
	require.NoError(t, err)
}

// edit changes a copy of the program.
func (d *deployment) edit(t *testing.T, texts []string) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Dir(d.file))))
	d.file = filepath.Join(dir, filepath.Base(d.file))
	text, err := os.ReadFile(d.file)
	require.NoError(t, err)
	changed := strings.NewReplacer(texts...).Replace(string(text))
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(d.file, []byte(changed), 0o600))
}

// id is where a resource is asked for.
func (d *deployment) id(resource string) string {
	version := preview
	if strings.HasPrefix(resource, "Radius.") {
		version = "2025-08-01-preview"
	}
	return planes + d.group + "/providers/" + resource + "?api-version=" + version
}

// ready waits until what was applied is deployed, and looks at the objects and at Radius.
func (d *deployment) ready(t *testing.T, resources ...string) {
	t.Helper()
	var template object
	d.until(t, func() (err error) {
		if template, err = d.object(); err != nil {
			return err
		}
		current := template.at("status", "observedGeneration") == template.at("metadata", "generation")
		if current && !d.retried && template.text("status", "phrase") == "Failed" {
			require.FailNow(t, "it failed", "%s: %v", d.name, template.at("status", "conditions"))
		}
		if template.text("status", "phrase") != "Ready" || !current {
			return fmt.Errorf("%s is %v", d.name, template.at("status"))
		}
		return nil
	})
	for _, c := range template.items("status", "conditions") {
		if c.text("type") == "Ready" {
			assert.Equal(t, "True", c.text("status"), "%v", c)
		} else {
			assert.NotEqual(t, "True", c.text("status"), "%v", c)
		}
	}
	var want []string
	for _, r := range resources {
		want = append(want, strings.ToLower("/planes/radius/local/resourceGroups/"+d.group+"/providers/"+r))
	}
	assert.ElementsMatch(t, want, d.children(t), "children of %s", d.name)
	for _, r := range resources {
		resource, err := d.get(d.id(r))
		require.NoError(t, err)
		assert.Equal(t, "Succeeded", resource.text("properties", "provisioningState"), r)
	}
	for _, r := range d.also {
		want = append(want, strings.ToLower("/planes/radius/local/resourceGroups/"+d.group+"/providers/"+r))
	}
	d.lists(t, want)
}

// object returns the DeploymentTemplate.
func (d *deployment) object() (object, error) {
	return d.get("/apis/radapp.io/v1alpha3/namespaces/" + d.namespace + "/deploymenttemplates/" + d.name)
}

// children returns the IDs of the DeploymentResources of the template.
func (d *deployment) children(t *testing.T) (ids []string) {
	t.Helper()
	list, err := d.get("/apis/radapp.io/v1alpha3/namespaces/" + d.namespace + "/deploymentresources")
	require.NoError(t, err)
	for _, r := range list.items("items") {
		for _, owner := range r.items("metadata", "ownerReferences") {
			if owner.text("kind") == "DeploymentTemplate" && owner.text("name") == d.name {
				ids = append(ids, strings.ToLower(r.text("spec", "id")))
			}
		}
	}
	return ids
}

// lists waits until UCP lists these resources in the group, and no others. It does so some time after they change.
func (d *deployment) lists(t *testing.T, want []string) {
	t.Helper()
	slices.Sort(want)
	d.until(t, func() error {
		list, err := d.get(planes + d.group + "/resources?api-version=" + preview)
		if err != nil {
			return err
		}
		var ids []string
		for _, r := range list.items("value") {
			if id := strings.ToLower(r.text("id")); !strings.Contains(id, "/microsoft.resources/") {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		if !slices.Equal(ids, want) {
			return fmt.Errorf("UCP lists %q, want %q", ids, want)
		}
		return nil
	})
}

func (d *deployment) missing(t *testing.T, resource string) {
	t.Helper()
	_, err := d.get(d.id(resource))
	var no *refused
	assert.True(t, errors.As(err, &no) && no.status == http.StatusNotFound, "%s is deleted: %v", resource, err)
}

func (d *deployment) remove(t *testing.T) {
	t.Helper()
	_, err := d.kubectl("delete", "deploymenttemplate", d.name, "-n", d.namespace, "--timeout=4m")
	require.NoError(t, err)
	assert.Empty(t, d.children(t), "DeploymentResources of %s", d.name)
}

// gone waits until nothing is left in the group, no record of a deployment either. Those of recipes are Radius' own,
// which never deletes them.
func (d *deployment) gone(t *testing.T) {
	t.Helper()
	d.until(t, func() error {
		list, err := d.get(planes + d.group + "/resources?api-version=" + preview)
		if err != nil {
			return err
		}
		for _, r := range list.items("value") {
			if !strings.Contains(r.text("id"), "/deployments/recipe") {
				return fmt.Errorf("UCP still lists %v", r)
			}
		}
		return nil
	})
}
