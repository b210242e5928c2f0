package distribution

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/distribution/distribution/v3/configuration"
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
	"github.com/sirupsen/logrus"
)

// rad is the program under test.
var rad string

func TestMain(m *testing.M) {
	logrus.SetLevel(logrus.PanicLevel)
	dir, err := os.MkdirTemp("", "rad")
	if err != nil {
		panic(err)
	}
	rad = filepath.Join(dir, "rad")
	build := exec.Command("go", "build", "-o", rad, "./cmd/rad")
	build.Dir = "../../../.."
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// world is a registry, a project, and a home.
type world struct {
	*testing.T
	host, storage, project, home string
	env                          []string
}

// start starts a registry; with a line of htpasswd it asks for that user.
func start(t *testing.T, htpasswd string) *world {
	t.Helper()
	w := &world{T: t, storage: t.TempDir(), project: t.TempDir(), home: t.TempDir()}
	config := &configuration.Configuration{}
	config.Storage = configuration.Storage{"filesystem": {"rootdirectory": w.storage}, "delete": {"enabled": true}}
	config.Catalog.MaxEntries = 100
	config.HTTP.Secret = "for tests"
	if htpasswd != "" {
		file := filepath.Join(t.TempDir(), "htpasswd")
		write(t, file, htpasswd)
		config.Auth = configuration.Auth{"htpasswd": {"realm": "test", "path": file}}
	}
	server := httptest.NewServer(handlers.NewApp(context.Background(), config))
	t.Cleanup(server.Close)
	w.host = strings.TrimPrefix(server.URL, "http://")
	w.write("web.bicep", "output who string = 'hello'\n")
	w.write("other.bicep", "output who string = 'goodbye'\n")
	w.write("types/index.json", `{"resources": {"Acme/things@v1": {"$ref": "types.json#/2"}}, "settings": {"name": "Acme", "version": "1.0.0", "isSingleton": false}}`)
	w.write("types/types.json", `[{"$type": "StringType"}, {"$type": "ObjectType", "name": "Acme/things", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}}}, {"$type": "ResourceType", "name": "Acme/things@v1", "scopeType": 8, "body": {"$ref": "#/1"}, "flags": 0}]`)
	w.write("main.bicep", "extension acme\nresource r 'Acme/things@v1' = { name: 'n' }\nmodule a 'br:HOST/mods/web:v1' = { name: 'a' }\nmodule b 'sub/b.bicep' = { name: 'b' }\noutput who string = a.outputs.who\n")
	w.write("sub/b.bicep", "module c 'br/mine:web:V2-Beta' = { name: 'c' }\n")
	w.write("bicepconfig.json", `{"extensions": {"acme": "br:HOST/ext/acme:1.0"}, "moduleAliases": {"br": {"mine": {"registry": "HOST", "modulePath": "mods"}}}}`)
	return w
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (w *world) write(name, text string) {
	w.Helper()
	write(w.T, filepath.Join(w.project, name), strings.ReplaceAll(text, "HOST", w.host))
}

// run runs rad bicep, and holds it to an exit status.
func (w *world) run(status int, args ...string) string {
	w.Helper()
	out, code := w.try(args...)
	if code != status {
		w.Fatalf("rad bicep %s: status %d, want %d\n%s", strings.Join(args, " "), code, status, out)
	}
	return out
}

func (w *world) try(args ...string) (string, int) {
	c := exec.Command(rad, append([]string{"bicep"}, args...)...)
	c.Dir = w.project
	c.Env = append([]string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "BICEP_TRUSTED_REGISTRIES=127.0.0.1"}, w.env...)
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		w.Fatal(err)
	}
	return string(out), c.ProcessState.ExitCode()
}

func (w *world) publish() {
	w.Helper()
	w.run(0, "publish", "web.bicep", "--target", "br:"+w.host+"/mods/web:v1", "--with-source")
	w.run(0, "publish", "--file", "web.bicep", "--target", "br:"+w.host+"/mods/web:V2-Beta", "--plain-http")
	w.run(0, "publish-extension", "types/index.json", "--target", "br:"+w.host+"/ext/acme:1.0")
}

func (w *world) contains(text, part string) {
	w.Helper()
	if !strings.Contains(text, part) {
		w.Fatalf("%q is not in\n%s", part, text)
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	w := start(t, "")
	w.publish()
	w.contains(w.run(1, "publish", "web.bicep", "--target", "br:"+w.host+"/mods/web:v1"), "--force")
	w.contains(w.run(1, "build", "main.bicep", "--stdout", "--no-restore"), "BCP190")
	if out := w.run(0, "restore", "main.bicep"); out != "" {
		t.Errorf("restore says %q", out)
	}
	w.run(0, "restore", "main.bicep", "--locked", "--offline")
	w.contains(w.run(0, "build", "main.bicep", "--stdout", "--no-restore"), "hello")

	// A tag that moves changes nothing before --update.
	w.run(0, "publish", "other.bicep", "--target", "br:"+w.host+"/mods/web:v1", "--force")
	w.run(0, "cache", "clean", "--all")
	w.contains(w.run(0, "build", "main.bicep", "--stdout"), "hello")
	w.contains(w.run(0, "outdated", "main.bicep"), "moved to sha256:")
	w.run(0, "restore", "main.bicep", "--update")
	w.contains(w.run(0, "build", "main.bicep", "--stdout"), "goodbye")
}

func TestLogin(t *testing.T) {
	t.Parallel()
	// The password is s3cret.
	w := start(t, "me:$2a$04$vYdDXoohVJN70mMjoN7Jfe47B6icxgVuhEq73gRi5IzZVW7w5WEyq\n")
	w.contains(w.run(1, "publish", "web.bicep", "--target", "br:"+w.host+"/mods/web:v1"), "docker login")
	config := filepath.Join(w.home, ".docker", "config.json")
	write(t, config, fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, w.host, base64.StdEncoding.EncodeToString([]byte("me:wrong"))))
	w.contains(w.run(1, "publish", "web.bicep", "--target", "br:"+w.host+"/mods/web:v1"), "status 401")
	write(t, config, fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, w.host, base64.StdEncoding.EncodeToString([]byte("me:s3cret"))))
	w.publish()
	w.run(0, "restore", "main.bicep")
}

func TestCorruption(t *testing.T) {
	t.Parallel()
	w := start(t, "")
	w.publish()
	err := filepath.WalkDir(w.storage, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "data" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), "hello") {
			err = os.WriteFile(path, []byte(strings.Replace(string(text), "hello", "HELLO", 1)), 0o666)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.contains(w.run(1, "restore", "main.bicep"), "BCP192")
	if out, code := w.try("build", "main.bicep", "--stdout", "--no-restore"); code != 1 || !strings.Contains(out, "BCP190") {
		t.Errorf("status %d: %s", code, out)
	}
}

func TestProcessesAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t, "")
	w.publish()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if out, code := w.try("restore", "main.bicep", "--force"); code != 0 {
				t.Errorf("status %d: %s", code, out)
			}
		})
	}
	wg.Wait()
	w.run(0, "restore", "main.bicep", "--locked", "--offline")
	w.run(0, "build", "main.bicep", "--stdout", "--no-restore")
}

// TestBundles pushes a bundle to a real registry, makes the manifest of it, and takes the layer
// that Flux takes.
func TestBundles(t *testing.T) {
	t.Parallel()
	w := start(t, "")
	w.write("app.bicep", "param tag string\noutput o string = tag\n")
	address := "oci://" + w.host + "/acme/app:v1"
	w.run(0, "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v1", "-o", "want.yaml")
	w.run(0, "bundle", "app.bicep", "-p", "tag=v1", "-o", address)
	w.contains(w.run(4, "bundle", "app.bicep", "-p", "tag=v1", "-o", address), "--force replaces it")
	w.run(0, "bundle", "app.bicep", "-p", "tag=v1", "-o", "local.tar")
	w.run(0, "bundle", address, "-o", "copy.tar")
	local, copied := w.read("local.tar"), w.read("copy.tar")
	if !bytes.Equal(local, copied) {
		t.Error("what the registry gave is not what was pushed")
	}
	w.contains(w.run(0, "verify", address, "app.bicep"), "source     ok")
	w.run(0, "generate-kubernetes-manifest", address, "-o", "got.yaml")
	if !bytes.Equal(w.read("want.yaml"), w.read("got.yaml")) {
		t.Error("the manifest differs")
	}
	w.contains(w.run(3, "generate-kubernetes-manifest", address, "-o", "-", "--offline"), "--offline")
	w.contains(w.run(4, "inspect", "oci://"+w.host+"/acme/none:v1"), "404")
	w.publish()
	w.contains(w.run(4, "generate-kubernetes-manifest", "oci://"+w.host+"/mods/web:v1", "-o", "no.yaml"), "not a bundle of rad")

	// Flux asks for the manifest, takes the first layer of its media type, and unpacks it.
	var m struct {
		Layers []struct{ MediaType, Digest string }
	}
	if err := json.Unmarshal(w.get("/v2/acme/app/manifests/v1", "application/vnd.oci.image.manifest.v1+json"), &m); err != nil {
		t.Fatal(err)
	}
	if got := m.Layers[0].MediaType; got != "application/vnd.cncf.flux.content.v1.tar+gzip" {
		t.Fatalf("the first layer is %s", got)
	}
	z, err := gzip.NewReader(bytes.NewReader(w.get("/v2/acme/app/blobs/"+m.Layers[0].Digest, "")))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	h, err := r.Next()
	if err != nil || h.Name != "app.yaml" {
		t.Fatal(h, err)
	}
	text, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(text, w.read("want.yaml")) {
		t.Errorf("the layer holds another manifest: %v\n%s", err, text)
	}
}

func (w *world) read(name string) []byte {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.project, name))
	if err != nil {
		w.Fatal(err)
	}
	return text
}

// get asks the registry as any client does.
func (w *world) get(path, accept string) []byte {
	w.Helper()
	request, err := http.NewRequest(http.MethodGet, "http://"+w.host+path, nil)
	if err != nil {
		w.Fatal(err)
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		w.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		w.Fatal(answer.Status, err)
	}
	return body
}

// TestRecipes: recipes are pulled as rad of Radius publishes them, with a configuration and a layer of any type. What is pinned and
// vendored needs no registry.
func TestRecipes(t *testing.T) {
	t.Parallel()
	w := start(t, "")
	w.write("redis.bicep", "param context object\nextension kubernetes with { namespace: context.runtime.kubernetes.namespace, kubeConfig: '' }\n"+
		"resource redis 'core/ConfigMap@v1' = { metadata: { name: context.resource.name } }\n")
	w.run(0, "build", "redis.bicep", "--outfile", "redis.json")
	template, err := os.ReadFile(filepath.Join(w.project, "redis.json"))
	if err != nil {
		t.Fatal(err)
	}
	layer, config := w.push(template), w.push([]byte("{}"))
	manifest := fmt.Sprintf(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.unknown.config.v1+json","digest":%q,"size":2},"layers":[{"mediaType":"application/vnd.acme.anything","digest":%q,"size":%d}]}`,
		config, layer, len(template))
	w.send(http.MethodPut, "/v2/recipes/redis/manifests/1.2", "application/vnd.oci.image.manifest.v1+json", []byte(manifest))
	w.write("env.bicep", `extension radius
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: { recipes: { 'Radius.Data/redisCaches': { kind: 'bicep', source: 'HOST/recipes/redis:1.2' } } }
}
resource dev 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: { recipePacks: [ pack.id ], providers: { kubernetes: { namespace: 'shop' } } }
}
`)
	w.write("app.bicep", "extension radius\nparam environment string\nresource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {\n"+
		"  name: 'cache'\n  properties: { environment: environment }\n}\n")
	w.write("bicepconfig.json", "{}")
	w.write(".rad/bicep.yaml", "target: kubernetes\ngroup: shop\nrecipes: {environment: env.bicep}\ntargets: [{template: app.bicep}]\n")
	w.contains(w.run(2, "generate-kubernetes-manifest", "-o", "-", "--no-restore"), "recipe-source")
	w.run(0, "restore", "app.bicep", "--vendor", "vendored")
	w.send(http.MethodDelete, "/v2/recipes/redis/manifests/1.2", "", nil)
	w.home = t.TempDir()
	w.contains(w.run(0, "generate-kubernetes-manifest", "-o", "-", "--offline"), "name: cache")
}

// push puts a blob into the registry.
func (w *world) push(data []byte) (digest string) {
	w.Helper()
	digest = fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	to := w.send(http.MethodPost, "/v2/recipes/redis/blobs/uploads/", "", nil)
	mark := "?"
	if strings.Contains(to, "?") {
		mark = "&"
	}
	w.send(http.MethodPut, to+mark+"digest="+digest, "application/octet-stream", data)
	return digest
}

// send sends a request to the registry, and returns the place that the answer names.
func (w *world) send(method, path, kind string, body []byte) (location string) {
	w.Helper()
	if !strings.HasPrefix(path, "http") {
		path = "http://" + w.host + path
	}
	q, err := http.NewRequest(method, path, bytes.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	q.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		w.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode >= 300 {
		w.Fatalf("%s %s: %s", method, path, answer.Status)
	}
	return answer.Header.Get("Location")
}
