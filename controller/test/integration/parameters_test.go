package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// coreObjects are the Secrets and ConfigMaps of the API server, which has no core types of its own. They can
// only be read one by one, which is all that the controller has a right to.
type coreObjects struct {
	mu      sync.Mutex
	version int
	objects map[string]any // NAMESPACE/secrets/NAME
	refused map[string]bool
}

var sources = coreObjects{objects: map[string]any{}, refused: map[string]bool{}}

func (c *coreObjects) answer(w http.ResponseWriter, r *http.Request, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	parts := strings.Split(path, "/")
	object, found := c.objects[path]
	var err *apierrors.StatusError
	switch {
	case r.Method != http.MethodGet || len(parts) != 3 || c.refused[path]:
		err = apierrors.NewForbidden(schema.GroupResource{Resource: parts[1]}, parts[len(parts)-1], nil)
	case !found:
		err = apierrors.NewNotFound(schema.GroupResource{Resource: parts[1]}, parts[2])
	}
	if err != nil {
		w.WriteHeader(int(err.ErrStatus.Code))
		object = err.ErrStatus
	}
	_ = json.NewEncoder(w).Encode(object)
}

// secret makes or changes a Secret; no data deletes it.
func (w *world) secret(name string, data map[string]string) {
	sources.mu.Lock()
	defer sources.mu.Unlock()
	sources.version++
	path := w.ns + "/secrets/" + name
	if data == nil {
		delete(sources.objects, path)
		return
	}
	s := corev1.Secret{Data: map[string][]byte{}}
	s.Kind, s.APIVersion = "Secret", "v1"
	s.Namespace, s.Name, s.UID, s.ResourceVersion = w.ns, name, types.UID(path), fmt.Sprint(sources.version)
	for k, v := range data {
		s.Data[k] = []byte(v)
	}
	sources.objects[path] = s
}

func (w *world) configMap(name string, data map[string]string) {
	sources.mu.Lock()
	defer sources.mu.Unlock()
	sources.version++
	m := corev1.ConfigMap{Data: data}
	m.Kind, m.APIVersion = "ConfigMap", "v1"
	m.Namespace, m.Name, m.UID, m.ResourceVersion = w.ns, name, types.UID(name), fmt.Sprint(sources.version)
	sources.objects[w.ns+"/configmaps/"+name] = m
}

// look wakes the object, and waits until it says ready.
func (w *world) look(name, value, ready string) *deploymentTemplate {
	w.Helper()
	w.change(name, annotate(v1alpha3.ReconcileRequestAnnotation, value))
	w.eventually(func() string {
		dt := w.get(name)
		if dt.Status.LastHandledReconcileAt != value && strings.HasPrefix(ready, "True/") {
			return "not looked at: " + dt.Status.Message
		}
		return ""
	})
	return w.waitFor(name, ready)
}

// TestParametersFrom: values of Secrets and ConfigMaps reach Radius with their types, a change of one deploys
// again, and a value of a Secret is nowhere else.
func TestParametersFrom(t *testing.T) {
	const first, second = "s3cret-first", "s3cret-second"
	w := newWorld(t)
	w.create("shop", template(web), func(dt *deploymentTemplate) {
		dt.Spec.ParametersFrom = []v1alpha3.ParameterSource{
			{Name: "password", SecretKeyRef: &v1alpha3.KeyReference{Name: "db", Key: "password"}},
			{Name: "port", ConfigMapKeyRef: &v1alpha3.KeyReference{Name: "net", Key: "port"}},
			{Name: "tag", SecretKeyRef: &v1alpha3.KeyReference{Name: "build", Key: "tag", Optional: true}},
		}
	})
	dt := w.waitFor("shop", "False/ParametersUnavailable")
	require.Equal(t, "spec.parametersFrom: password: the Secret db of this namespace does not exist", dt.Status.Message)
	require.Equal(t, "True/ParametersUnavailable", condition(dt.Status.Conditions, "Reconciling"))
	w.secret("db", map[string]string{"user": "admin"})
	w.configMap("net", map[string]string{"port": "eighty"})
	missing := func(value, want string) {
		t.Helper()
		w.change("shop", annotate(v1alpha3.ReconcileRequestAnnotation, value))
		w.eventually(func() string {
			if got := w.get("shop").Status.Message; got != want {
				return got
			}
			return ""
		})
	}
	missing("1", "spec.parametersFrom: password: the Secret db has no key password")
	w.secret("db", map[string]string{"password": first})
	missing("2", "spec.parametersFrom: port: the template declares an int, and the text is not one")
	require.Empty(t, w.radius.Requests("", ""))

	w.configMap("net", map[string]string{"port": "8080"})
	w.look("shop", "3", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
	require.Contains(t, w.radius.Puts()[0].Body, `"parameters":{"password":{"value":"`+first+`"},"port":{"value":8080}}`)

	// Something else of the object, which is not sent.
	w.secret("db", map[string]string{"password": first, "user": "other"})
	w.look("shop", "4", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)

	w.secret("db", map[string]string{"password": second})
	w.secret("build", map[string]string{"tag": "v2"})
	w.look("shop", "5", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 2)
	require.Contains(t, w.radius.Puts()[1].Body, second)
	require.Contains(t, w.radius.Puts()[1].Body, `"tag":{"value":"v2"}`)

	w.stop()
	w.start()
	w.look("shop", "6", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 2, "another process knows that it is deployed")

	// Radius quotes what it was sent.
	w.radius.Set(func(s *radiustest.Server) {
		s.FailResource = func(string) string { return "cannot log in as " + first + " nor as " + second }
	})
	w.secret("db", map[string]string{"password": first})
	w.change("shop", annotate(v1alpha3.ReconcileRequestAnnotation, "7"))
	w.eventually(func() string {
		dt = w.get("shop")
		if got := condition(dt.Status.Conditions, "Ready"); got != "False/Failed" {
			return got
		}
		return ""
	})
	for _, o := range []any{dt, w.children()} {
		text, err := json.Marshal(o)
		require.NoError(t, err)
		require.NotContains(t, string(text), "s3cret", "this process has seen both")
	}

	sources.mu.Lock()
	sources.refused[w.ns+"/secrets/db"] = true
	sources.mu.Unlock()
	missing("8", "spec.parametersFrom: password: the controller may not read the Secret db of this namespace: see docs/controller.md, Rights")
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources(), "what is missing does not hold up a deletion")
}

// buildRad builds the command of the root module, once for all tests.
var buildRad = sync.OnceValues(func() ([]byte, error) {
	cmd := exec.Command("go", "build", "-o", filepath.Join(serverDir, "rad"), "./cmd/rad")
	cmd.Dir = "../../.."
	return cmd.CombinedOutput()
})

func radProgram(t *testing.T) string {
	out, err := buildRad()
	require.NoError(t, err, "%s", out)
	return filepath.Join(serverDir, "rad")
}

// What the command writes with --secure-parameters reference is taken by the CRD, and read by the controller.
func TestWhatTheCommandRefersTo(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "db.bicep"), []byte("@secure()\nparam password string\nparam port int = 1\noutput port int = port\n"), 0o644))
	cmd := exec.Command(radProgram(t), "bicep", "generate-kubernetes-manifest", filepath.Join(dir, "db.bicep"), "--root", dir, "--name", "db", "--namespace", w.ns,
		"-p", "password=not-this-one", "-p", "port=7", "--secure-parameters=reference", "-o", filepath.Join(dir, "db.yaml"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, w.Create(context.Background(), readManifest(t, filepath.Join(dir, "db.yaml"))))
	dt := w.waitFor("db", "False/ParametersUnavailable")
	require.Equal(t, "spec.parametersFrom: password: the Secret db of this namespace does not exist", dt.Status.Message)
	w.secret("db", map[string]string{"password": "s3cret-value"})
	w.look("db", "1", "True/Succeeded")
	require.Contains(t, w.radius.Puts()[0].Body, `"parameters":{"password":{"value":"s3cret-value"},"port":{"value":7}}`)
}

// TestTheExampleOfAzureServiceOperator: what the objects of examples/aso make the operator write is what the
// DeploymentTemplate of the example reads.
func TestTheExampleOfAzureServiceOperator(t *testing.T) {
	w := newWorld(t)
	example, dir := "../../../examples/aso", t.TempDir()
	page, err := os.ReadFile(filepath.Join(example, "README.md"))
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(string(page))[1]
	commands := strings.Split(strings.ReplaceAll(block, "\\\n", ""), "\n")
	program := radProgram(t)
	for _, command := range commands[:2] {
		words := strings.Fields(command)
		for i := range words {
			if words[i] == "-o" {
				words[i+1] = filepath.Join(dir, words[i+1])
			}
		}
		cmd := exec.Command(program, words[1:]...)
		cmd.Dir = example
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", command, out)
	}

	// The operator: it writes what its objects ask for.
	text, err := os.ReadFile(filepath.Join(dir, "azure.yaml"))
	require.NoError(t, err)
	written := 0
	write := func() {
		for _, doc := range strings.Split(string(text), "\n---\n") {
			o := &unstructured.Unstructured{}
			require.NoError(t, yaml.Unmarshal([]byte(doc), &o.Object))
			maps, _, _ := unstructured.NestedMap(o.Object, "spec", "operatorSpec", "configMaps")
			for _, at := range maps {
				written++
				w.configMap(at.(map[string]any)["name"].(string), map[string]string{at.(map[string]any)["key"].(string): "11111111-2222-3333-4444-555555555555"})
			}
		}
	}

	// kustomize: the patch of the example.
	var k struct {
		Patches []struct{ Patch string }
	}
	text2, err := os.ReadFile(filepath.Join(example, "kustomization.yaml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text2, &k))
	var patch []struct {
		Op, Path string
		Value    map[string]any
	}
	require.NoError(t, yaml.Unmarshal([]byte(k.Patches[0].Patch), &patch))
	require.Equal(t, "/spec/parametersFrom/-", patch[0].Path)
	o := readManifest(t, filepath.Join(dir, "app.yaml"))
	o.SetNamespace(w.ns)
	from, found, err := unstructured.NestedSlice(o.Object, "spec", "parametersFrom")
	require.NoError(t, err)
	require.True(t, found, "the path is there")
	require.NoError(t, unstructured.SetNestedSlice(o.Object, append(from, patch[0].Value), "spec", "parametersFrom"))
	require.NoError(t, w.Create(context.Background(), o))

	w.secret("shop", map[string]string{"cookieKey": "s3cret-key"})
	w.waitFor("shop", "False/ParametersUnavailable")
	require.Empty(t, w.radius.Puts())
	write()
	require.Equal(t, 1, written)
	w.look("shop", "1", "True/Succeeded")
	require.Contains(t, w.radius.Puts()[0].Body, `"parameters":{"cookieKey":{"value":"s3cret-key"},"principalId":{"value":"11111111-2222-3333-4444-555555555555"}}`)
}
