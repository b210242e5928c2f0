package radius

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/controller/test/radius/engine"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// recipeSettings are what the settings of a folder say of applications that are deployed through recipes.
type recipeSettings struct {
	Group   string
	Recipes recipeInput
	Targets []*recipeTarget
}

type recipeTarget struct {
	Name, Template, Group, Namespace string
	Parameters                       []string
	Recipes                          recipeInput

	folder, environment string
}

type recipeInput struct {
	Environment string
	Types       []string
	Sources     map[string]string
}

// recording is what Radius made of an application.
type recording struct {
	// Failed is why a deployment failed. What was made before that does not count.
	Failed  string            `json:"failed,omitempty"`
	Objects []json.RawMessage `json:"objects"` // as they were sent to the API server
	Recipes []json.RawMessage `json:"recipes"` // the parameters of each recipe
}

func newRecording(failed string) *recording {
	return &recording{failed, []json.RawMessage{}, []json.RawMessage{}}
}

// recorder keeps what the engine tells, by groups.
type recorder struct {
	mu   sync.Mutex
	made map[string]*recording
}

// add adds a value, whose members are sorted, to what is known of a group.
func (r *recorder) add(scope string, v armjson.Value, to func(*recording) *[]json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, group, _ := strings.Cut(strings.ToLower(scope), "/resourcegroups/")
	group, _, _ = strings.Cut(group, "/")
	if r.made[group] == nil {
		r.made[group] = newRecording("")
	}
	list := to(r.made[group])
	*list = append(*list, json.RawMessage(armjson.Text(armjson.Sorted(v))))
}

// withoutNulls returns a value without members that are null: an API server takes them for absent.
func withoutNulls(v armjson.Value) armjson.Value {
	o, ok := v.(*armjson.Object)
	if !ok {
		if list, ok := v.(armjson.Array); ok {
			return armjson.WithParts(list, func(_ string, x armjson.Value) armjson.Value { return withoutNulls(x) })
		}
		return v
	}
	out := armjson.NewObject()
	for name, x := range o.All() {
		if x != (armjson.Null{}) {
			out.Set(name, withoutNulls(x))
		}
	}
	return out
}

// TestRecipes deploys applications through Radius, and holds what it makes of them to what is recorded: NAME.json beside each
// program. RECIPES_UPDATE writes the recordings. CONTRIB, a git directory of radius-project/resource-types-contrib, adds the
// applications of other people, which RECIPES_DIR is for.
func TestRecipes(t *testing.T) {
	folders := []string{"../../../testdata/targets/kubernetes/recipes"}
	kept := &recorder{made: map[string]*recording{}}
	var targets []*recipeTarget
	p := startPlane(t, func(p *plane) {
		if contrib, dir := os.Getenv("CONTRIB"), os.Getenv("RECIPES_DIR"); contrib != "" && dir != "" { // radius-e2e has CONTRIB alone
			folders = append(folders, layOut(t, dir, p.sources, contrib)...)
		}
		p.registry = registrytest.New(t)
		var hosts []string
		for _, folder := range folders {
			list, of := p.prepare(t, folder)
			targets, hosts = append(targets, list...), append(hosts, of...)
		}
		p.proxy(t, hosts)
		p.prepared = func(e *engine.Server) {
			e.Applied = func(scope string, o *armjson.Object) {
				kept.add(scope, withoutNulls(o), func(r *recording) *[]json.RawMessage { return &r.Objects })
			}
			e.Deployed = func(id string, parameters *armjson.Object) {
				if strings.Contains(id, "/deployments/recipe") {
					kept.add(id, parameters, func(r *recording) *[]json.RawMessage { return &r.Recipes })
				}
			}
		}
	})
	p.apply(t, "-f", filepath.Join(p.module(t, "programs", "github.com/projectcontour/contour"), "examples", "gateway", "00-crds.yaml"))
	started := time.Now()
	t.Run("applications", func(t *testing.T) {
		for _, one := range targets {
			t.Run(filepath.Base(one.folder)+"/"+one.Name, func(t *testing.T) {
				t.Parallel()
				err := p.deployed(t, one)
				kept.mu.Lock()
				made := kept.made[strings.ToLower(one.Group)]
				kept.mu.Unlock()
				if made == nil {
					made = newRecording("")
				}
				if err != nil {
					made = newRecording(err.Error())
				}
				made.compare(t, one)
			})
		}
	})
	t.Logf("%d applications in %s", len(targets), time.Since(started).Round(time.Second))
}

// compare holds a recording to the one that is there.
func (r *recording) compare(t *testing.T, one *recipeTarget) {
	for _, list := range [][]json.RawMessage{r.Objects, r.Recipes} {
		slices.SortFunc(list, func(a, b json.RawMessage) int { return strings.Compare(string(a), string(b)) })
	}
	text, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	text = append(text, '\n')
	file := filepath.Join(one.folder, one.Name+".json")
	if os.Getenv("RECIPES_UPDATE") != "" || strings.HasPrefix(file, os.Getenv("RECIPES_DIR")+"/") { // of other people
		require.NoError(t, os.WriteFile(file, text, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(text))
}

// prepare copies a folder, makes the extensions of its types, and publishes its recipes.
func (p *plane) prepare(t *testing.T, folder string) (targets []*recipeTarget, hosts []string) {
	work := filepath.Join(p.dir, filepath.Base(folder))
	require.NoError(t, os.CopyFS(work, os.DirFS(folder)))
	text, err := os.ReadFile(filepath.Join(work, ".rad", "bicep.yaml"))
	require.NoError(t, err)
	var s recipeSettings
	require.NoError(t, yaml.Unmarshal(text, &s))
	types := slices.Clone(s.Recipes.Types)
	for _, one := range s.Targets {
		one.folder = folder
		one.Template = filepath.Join(work, one.Template)
		if one.Group == "" {
			one.Group = s.Group
		}
		if one.environment = one.Recipes.Environment; one.environment == "" {
			one.environment = s.Recipes.Environment
		}
		if one.environment != "" {
			one.environment = filepath.Join(work, one.environment)
		}
		types = append(types, one.Recipes.Types...)
	}
	for _, name := range types {
		to := filepath.Join("manifests", filepath.Base(name)) // what Radius has itself takes its place
		text, err := os.ReadFile(filepath.Join(work, name))
		require.NoError(t, err)
		p.write(t, to, text)
		p.rad(t, work, "publish-extension", name, "--target", strings.TrimSuffix(name, filepath.Ext(name))+".tgz", "--force")
	}
	for _, of := range append([]*recipeTarget{{Recipes: s.Recipes}}, s.Targets...) {
		for source, file := range of.Recipes.Sources {
			template, err := os.ReadFile(filepath.Join(work, file))
			require.NoError(t, err)
			if filepath.Ext(file) == ".bicep" {
				template = p.rad(t, work, "build", file, "--stdout")
			}
			host, name := registryOf(source)
			p.registry.Module(name, "latest", string(template))
			hosts = append(hosts, host)
		}
	}
	return s.Targets, hosts
}

// registryOf returns the registry of a source, and its name there.
func registryOf(source string) (host, name string) {
	host, rest, ok := strings.Cut(source, "/")
	switch {
	case !ok:
		return "registry-1.docker.io", "library/" + source
	case strings.ContainsAny(host, ".:"):
		return host, rest
	}
	return "registry-1.docker.io", source
}

func (p *plane) rad(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	c := exec.Command(filepath.Join(p.bin, "rad"), append([]string{"bicep"}, args...)...)
	c.Dir = dir
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		require.NoError(t, err, "rad %s: %s", args, failed.Stderr)
	}
	require.NoError(t, err)
	return out
}

// proxy lets the programs of Radius take our registry for every host, and what is there for each tag.
func (p *plane) proxy(t *testing.T, hosts []string) {
	tagged := regexp.MustCompile(`/manifests/[^/:]+$`)
	to, err := url.Parse("http://" + p.registry.Host)
	require.NoError(t, err)
	p.certificate(t, "registry", hosts...)
	pair, err := tls.LoadX509KeyPair(p.file("registry/tls.crt"), p.file("registry/tls.key"))
	require.NoError(t, err)
	registry := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.URL.Path = tagged.ReplaceAllString(r.In.URL.Path, "/manifests/latest")
	}})
	registry.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	registry.StartTLS()
	t.Cleanup(registry.Close)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := net.Dial("tcp", registry.Listener.Addr().String())
		if err != nil || r.Method != http.MethodConnect {
			http.Error(w, "this is no registry", http.StatusBadGateway)
			return
		}
		in, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(in, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(out, in)
			out.Close()
		}()
		_, _ = io.Copy(in, out)
		in.Close()
	}))
	t.Cleanup(front.Close)
	p.env = append(p.env, "HTTPS_PROXY="+front.URL, "SSL_CERT_FILE="+p.file("registry/tls.crt"))
}

var namespaces = regexp.MustCompile(`amespace": (?:{\s*"type": "string",\s*"defaultValue": )?"([a-z0-9-]+)"`)

// deployed deploys the environment of an application, and the application.
func (p *plane) deployed(t *testing.T, one *recipeTarget) error {
	if _, err := p.send(http.MethodPut, planes+one.Group+"?api-version="+preview, "application/json", object{"location": "global"}); err != nil {
		return err
	}
	var environment string
	if one.environment != "" {
		ids, err := p.put(t, one, "environment", one.environment, nil)
		if err != nil {
			return fmt.Errorf("the environment: %w", err)
		}
		for _, id := range ids {
			if strings.Contains(id, "/Radius.Core/environments/") {
				environment = strings.Replace(id, "/resourcegroups/", "/resourceGroups/", 1)
			}
		}
	}
	if _, err := p.put(t, one, "app", one.Template, object{"environment": object{"value": environment}}); err != nil {
		return err
	}
	// Radius does not wait for the Secrets of what recipes return.
	p.until(t, func() error {
		list, err := p.get(planes + one.Group + "/providers/Radius.Security/secrets?api-version=2025-08-01-preview")
		if err != nil {
			return err
		}
		for _, s := range list.items("value") {
			if state := s.text("properties", "provisioningState"); state != "Succeeded" && state != "Failed" {
				return fmt.Errorf("%s is %s", s.text("id"), state)
			}
		}
		return nil
	})
	return nil
}

// put deploys a file, and returns the IDs of its resources. As rad does, it gives the values in standard to parameters that get none
// on the command line, also if they have a default.
func (p *plane) put(t *testing.T, one *recipeTarget, name, file string, standard object) (ids []string, err error) {
	var template object
	text := p.rad(t, filepath.Dir(file), "build", file, "--stdout")
	require.NoError(t, json.Unmarshal(text, &template))
	for _, m := range append(namespaces.FindAllStringSubmatch(string(text), -1), []string{"", one.Namespace}) {
		if m[1] != "" {
			_, _ = p.kubectl("create", "namespace", m[1]) // it may be there
		}
	}
	parameters := object{}
	for name, value := range standard {
		parameters[name] = value
	}
	for _, text := range one.Parameters {
		key, value, _ := strings.Cut(text, "=")
		var v any = value
		if key, ok := strings.CutSuffix(key, ":"); ok {
			parameters[key] = object{"value": json.RawMessage(value)}
		} else {
			parameters[key] = object{"value": v}
		}
	}
	for name := range parameters {
		if template.at("parameters", name) == nil {
			delete(parameters, name)
		}
	}
	scope := "/planes/radius/local/resourceGroups/" + one.Group
	value := object{"scope": scope}
	where := pathBase + scope + "/providers/Microsoft.Resources/deployments/" + name + "?api-version=2020-10-01"
	_, err = p.send(http.MethodPut, where, "application/json", object{"properties": object{
		"mode": "Incremental", "template": json.RawMessage(text), "parameters": parameters,
		"providerconfig": object{"radius": object{"type": "Radius", "value": value}, "deployments": object{"type": "Microsoft.Resources", "value": value}},
	}})
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(8 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Second) {
		d, err := p.get(where)
		if err != nil {
			return nil, err
		}
		switch d.text("properties", "provisioningState") {
		case "Succeeded":
			for _, r := range d.items("properties", "outputResources") {
				ids = append(ids, r.text("id"))
			}
			return ids, nil
		case "Failed":
			return nil, fmt.Errorf("%v", d.at("properties", "error"))
		}
	}
	return nil, errors.New("the deployment does not end")
}
