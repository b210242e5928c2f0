// Package test runs the examples with the real programs, which this module builds: kustomize,
// helm and oras. It is a module of its own, so that the program needs none of them.
package test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// bin is the folder of the programs.
var bin string

func TestMain(m *testing.M) {
	var err error
	if bin, err = os.MkdirTemp("", "examples"); err != nil {
		panic(err)
	}
	for _, build := range [][]string{
		{"build", "-o", bin + string(filepath.Separator), "tool"},
		{"build", "-C", "../..", "-o", bin + string(filepath.Separator), "./cmd/rad"},
	} {
		c := exec.Command("go", build...)
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go %s: %v\n%s", strings.Join(build, " "), err, out)
			os.Exit(1)
		}
	}
	status := m.Run()
	_ = os.RemoveAll(bin)
	os.Exit(status)
}

// example is a copy of a folder of examples/, in which commands run.
type example struct {
	*testing.T
	dir string
	env []string
}

func open(t *testing.T, name string) *example {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a shell")
	}
	e := &example{T: t, dir: filepath.Join(t.TempDir(), name)}
	if err := os.CopyFS(e.dir, os.DirFS(filepath.Join("..", name))); err != nil {
		t.Fatal(err)
	}
	e.env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "BICEP=", "RAD_BICEP=")
	return e
}

// sh runs a script and returns its exit status and what it prints.
func (e *example) sh(script string) (int, string) {
	e.Helper()
	c := exec.Command("sh", "-ec", script)
	c.Dir, c.Env = e.dir, e.env
	out, err := c.CombinedOutput()
	if c.ProcessState == nil {
		e.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// page runs the blocks of the example's page that are marked for this test, and returns what
// they print.
func (e *example) page() string {
	e.Helper()
	text, err := os.ReadFile(filepath.Join(e.dir, "README.md"))
	if err != nil {
		e.Fatal(err)
	}
	printed := ""
	for i, part := range strings.Split(string(text), "<!-- examples -->\n```sh\n") {
		if i == 0 {
			continue
		}
		script, _, _ := strings.Cut(part, "```")
		status, out := e.sh(script)
		if status != 0 {
			e.Fatalf("%s\nstatus %d:\n%s", script, status, out)
		}
		printed += out
	}
	if printed == "" {
		e.Fatal("the page has no block for this test")
	}
	return printed
}

func (e *example) expect(text string, parts ...string) {
	e.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			e.Errorf("it lacks %q:\n%s", part, text)
		}
	}
}

func (e *example) replace(file, old, by string) {
	e.Helper()
	path := filepath.Join(e.dir, file)
	text, err := os.ReadFile(path)
	if err != nil {
		e.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		e.Fatalf("%s lacks %q", file, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, by, 1)), 0o666); err != nil {
		e.Fatal(err)
	}
}

// oddNames are names of files that a stranger may choose, without the extension.
var oddNames = []string{"a b", "it's", `say "no"`, "-o", "--check", "@r", "two\nlines", "$(id)"}

// write writes a file of the example.
func (e *example) write(name, text string) {
	e.Helper()
	path := filepath.Join(e.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		e.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		e.Fatal(err)
	}
}

// oddTargets writes a template for each odd name, and returns targets of them in JSON, which is YAML, too. The
// manifests go to the folder out, unless it is "".
func (e *example) oddTargets(out string) string {
	e.Helper()
	var targets []map[string]string
	for i, name := range oddNames {
		e.write(name+".bicep", fmt.Sprintf("output o string = 'odd %d'\n", i))
		target := map[string]string{"template": name + ".bicep", "name": fmt.Sprintf("odd-%d", i)}
		if out != "" {
			target["outfile"] = out + "/" + name + ".yaml"
		}
		targets = append(targets, target)
	}
	return quoted(e, targets)
}

func quoted(e *example, v any) string {
	e.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		e.Fatal(err)
	}
	return string(text)
}

// expectOdd expects what the odd templates become, each once.
func (e *example) expectOdd(text string) {
	e.Helper()
	for i := range oddNames {
		if n := strings.Count(text, fmt.Sprintf("\"odd %d\"", i)); n != 1 {
			e.Errorf("the manifest of %q is there %d times:\n%s", oddNames[i], n, text)
		}
	}
}

func TestKustomize(t *testing.T) {
	e := open(t, "kustomize")
	out := e.page()
	e.expect(out, "kind: DeploymentTemplate", "name: shop", "namespace: shop", "team: shop", `"value": 3`, `"templateHash"`)

	// A mistake in the template fails the build, and says where it is.
	e.replace("prod.bicepparam", "'v1.2.0'", "12")
	status, out := e.sh("kustomize build --enable-alpha-plugins --enable-exec .")
	if status == 0 {
		t.Error("a template with an error was built")
	}
	e.expect(out, "prod.bicepparam(4,13) : Error BCP033")

	// Files may be called anything.
	e.replace("shop.yaml", "  template: prod.bicepparam\n  parameters: [replicas=3]\n  name: shop\n", "  targets: "+e.oddTargets("")+"\n")
	status, out = e.sh("kustomize build --enable-alpha-plugins --enable-exec .")
	if status != 0 {
		t.Error(out)
	}
	e.expectOdd(out)
}

func TestHelm(t *testing.T) {
	e := open(t, "helm")
	out := e.page()
	e.expect(out, "kind: DeploymentTemplate", "1 chart(s) linted, 0 chart(s) failed")

	// Braces of a template are not Helm templates.
	e.replace("shop.bicep", "demo:${tag}'", "demo:${tag}-{{ .Values.stage }}'")
	if status, out := e.sh("rad bicep generate-kubernetes-manifest"); status != 0 {
		t.Fatal(out)
	}
	status, out := e.sh("helm template shop chart")
	if status != 0 {
		t.Error(out)
	}
	e.expect(out, "-{{{{ .Values.stage }}}}") // as format() has braces
	status, out = e.sh("helm template shop chart --set stage=nowhere")
	if status == 0 {
		t.Error("a stage that does not exist was taken")
	}
	e.expect(out, "there is no files/nowhere.yaml")

	// Files may be called anything.
	e.write(".rad/bicep.yaml", "targets: "+e.oddTargets("chart/files")+"\n")
	if status, out := e.sh("rm chart/files/prod.yaml && rad bicep generate-kubernetes-manifest && rad bicep generate-kubernetes-manifest --check"); status != 0 {
		t.Fatal(out)
	}
	all := ""
	for _, name := range oddNames {
		e.write("values.yaml", "stage: "+quoted(e, name)+"\n")
		status, out := e.sh("helm template shop chart -f values.yaml")
		if status != 0 {
			t.Errorf("%q: %s", name, out)
		}
		all += out
	}
	e.expectOdd(all)
}

func TestFlux(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	e := open(t, "flux")
	e.env = append(e.env, "REGISTRY="+strings.Replace(server.URL, "http://127.0.0.1", "localhost", 1))
	out := e.page()
	e.expect(out, "kind: DeploymentTemplate", "kind: Namespace", "kustomize.toolkit.fluxcd.io/substitute: disabled", "v1.3.0-rc1")

	// The artifact has the form that source-controller unpacks: one layer, a gzip archive of the folder.
	var manifest struct {
		Config struct{ MediaType string }
		Layers []struct{ MediaType, Digest string }
	}
	if err := json.Unmarshal(get(t, server.URL+"/v2/acme/shop-manifests/manifests/prod"), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Config.MediaType != "application/vnd.cncf.flux.config.v1+json" || len(manifest.Layers) != 1 || manifest.Layers[0].MediaType != "application/vnd.cncf.flux.content.v1.tar+gzip" {
		t.Fatalf("%+v", manifest)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(get(t, server.URL+"/v2/acme/shop-manifests/blobs/"+manifest.Layers[0].Digest)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(unpacked); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, "./")] = string(text)
	}
	want, err := os.ReadFile(filepath.Join(e.dir, "manifests", "prod", "shop.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if files["shop.yaml"] != string(want) || files["kustomization.yaml"] == "" {
		t.Errorf("the artifact holds %v", files)
	}

	// Files may be called anything.
	e.write(".rad/bicep.yaml", "targets: "+e.oddTargets("manifests/odd")+"\n")
	var resources []string
	for _, name := range oddNames {
		resources = append(resources, "./"+name+".yaml")
	}
	e.write("manifests/odd/kustomization.yaml", "resources: "+quoted(e, resources)+"\n")
	status, odd := e.sh("rad bicep generate-kubernetes-manifest >&2 && rad bicep generate-kubernetes-manifest --check && kustomize build manifests/odd")
	if status != 0 {
		t.Fatal(odd)
	}
	e.expectOdd(odd)
}

// TestImage makes the container image of releases and pushes it as a release does.
func TestImage(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	layout := filepath.Join(t.TempDir(), "image")
	c := exec.Command("../../.ci/image", layout, "v1", "none", "1970-01-01T00:00:00Z", "", "linux/amd64="+filepath.Join(bin, "rad"))
	c.Env = append(os.Environ(), "ORAS="+filepath.Join(bin, "oras"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	repository := strings.Replace(server.URL, "http://127.0.0.1", "localhost", 1) + "/radbicep/rad"
	for _, args := range [][]string{
		{"cp", "--recursive", "--from-oci-layout", layout + ":v1", repository + ":v1,latest"},
	} {
		if out, err := exec.Command(filepath.Join(bin, "oras"), args...).CombinedOutput(); err != nil {
			t.Fatalf("oras %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	out, err := exec.Command(filepath.Join(bin, "oras"), "manifest", "fetch-config", "--platform", "linux/amd64", repository+":latest").Output()
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Config struct {
			User       string
			Entrypoint []string
		}
	}
	if err := json.Unmarshal(out, &config); err != nil {
		t.Fatal(err)
	}
	if config.Config.User != "65532:65532" || len(config.Config.Entrypoint) != 1 {
		t.Errorf("%s", out)
	}
}

func get(t *testing.T, url string) []byte {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/vnd.oci.image.manifest.v1+json, */*")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, response.Status, err)
	}
	return text
}
