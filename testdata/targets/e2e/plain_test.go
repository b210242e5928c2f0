package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPlainObjects applies objects of the target kubernetes to a whole kube-apiserver, whose programs, and rad, are in the folder
// TARGETS_PLANE.
func TestPlainObjects(t *testing.T) {
	kubectl := startPlane(t)
	answer, err := exec.Command("go", "mod", "download", "-json", "sigs.k8s.io/gateway-api@v1.6.0").Output() // as the table of package schema
	require.NoError(t, err)
	var gateway struct{ Dir string }
	require.NoError(t, json.Unmarshal(answer, &gateway))
	crds, err := filepath.Glob(filepath.Join(gateway.Dir, "config", "crd", "experimental", "gateway*.yaml"))
	require.NoError(t, err)
	for _, crd := range append(crds, filepath.Join("..", "kubernetes", "crds", "thing.yaml")) {
		text, err := kubectl("apply", "--server-side", "-f", crd)
		require.NoError(t, err, text)
	}
	t.Run("are accepted", func(t *testing.T) { areAccepted(t, kubectl) })
	t.Run("leave nothing behind", func(t *testing.T) { leaveNothing(t, kubectl) })
}

// areAccepted applies the objects of the programs, and of the folder TARGETS_OBJECTS: each file in one go and in its order, with
// strict validation. Nothing is refused, and a second apply changes nothing.
func areAccepted(t *testing.T, kubectl func(args ...string) (string, error)) {
	files, err := filepath.Glob(filepath.Join("..", "kubernetes", "*.yaml"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 10)
	if more := os.Getenv("TARGETS_OBJECTS"); more != "" {
		found, err := filepath.Glob(filepath.Join(more, "*.yaml"))
		require.NoError(t, err)
		require.NotEmpty(t, found, more)
		files = append(files, found...)
	}
	files = append(files, throughRecipes(t)...)
	accepted := 0
	for _, file := range files {
		if filepath.Base(file) == "unchecked.yaml" {
			continue // of kinds that nobody defines
		}
		for line := range strings.Lines(string(read(t, file))) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "namespace: "); ok {
				_, _ = kubectl("create", "namespace", name) // it may be there
			}
		}
		apply := func(more ...string) []any {
			t.Helper()
			var text string
			var err error
			for range 3 { // a kind that the file itself defines is served a moment later
				args := append([]string{"apply", "--server-side", "--force-conflicts", "--validate=strict", "-f", file, "-o", "json"}, more...)
				if text, err = kubectl(args...); err == nil {
					break
				}
				time.Sleep(time.Second)
			}
			require.NoError(t, err, "%s\n%s", file, text)
			var v map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &v))
			list, ok := v["items"].([]any)
			if !ok {
				list = []any{v}
			}
			for _, one := range list { // the server writes a Job once more, and changes nothing of it
				delete(one.(map[string]any)["metadata"].(map[string]any), "resourceVersion")
			}
			return list
		}
		made := apply()
		apply("--dry-run=server")
		require.Equal(t, made, apply(), "%s: the second apply changed something", file)
		accepted += len(made)
	}
	t.Logf("%d objects of %d files accepted", accepted, len(files))

	// The server looks, so that being accepted says something.
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	require.NoError(t, os.WriteFile(wrong, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  namespace: default\nnope: 1\n"), 0o600))
	_, err = kubectl("apply", "--server-side", "--validate=strict", "-f", wrong)
	require.Error(t, err)
}

// throughRecipes makes the objects of the applications of Radius, and returns their files.
func throughRecipes(t *testing.T) []string {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("..", "kubernetes", "recipes"))))
	run := func(args ...string) {
		c := exec.Command(filepath.Join(os.Getenv("TARGETS_PLANE"), "rad"), append([]string{"bicep"}, args...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	run("publish-extension", "types/harbor.yaml", "--target", "types/harbor.tgz")
	run("generate-kubernetes-manifest")
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	return files
}

// leaveNothing takes a port, a connection, a scaler and a resource out of an application of Radius whose objects are in the cluster,
// and applies and prunes what is made of it then. What is left is what a fresh deployment has.
func leaveNothing(t *testing.T, kubectl func(args ...string) (string, error)) {
	rad := filepath.Join(os.Getenv("TARGETS_PLANE"), "rad")
	program := string(read(t, "shop.bicep"))
	later := regexp.MustCompile(`(?m)^.*//  *goes\n`).ReplaceAllString(program, "")
	require.Equal(t, strings.Count(program, "\n"), strings.Count(later, "\n")+7)
	dir, list := t.TempDir(), ""
	deploy := func(namespace, program string) (objects map[string]any) {
		t.Helper()
		dir := filepath.Join(dir, namespace)
		_ = os.CopyFS(dir, os.DirFS(filepath.Join("..", "kubernetes", "recipes"))) // it may be there
		env := strings.Replace(string(read(t, filepath.Join(dir, "env.bicep"))), "namespace: 'recipes'", "namespace: '"+namespace+"'", 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "env.bicep"), []byte(env), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "shop.bicep"), []byte(program), 0o600))
		generate := exec.Command(rad, "bicep", "generate-kubernetes-manifest", "shop.bicep", "--group=shop", "--outdir=objects", "--prune")
		generate.Dir = dir
		out, err := generate.CombinedOutput()
		require.NoError(t, err, "%s", out)
		_, _ = kubectl("create", "namespace", namespace)
		text, err := kubectl("apply", "--server-side", "--prune", "--applyset=configmaps/set", "-n", namespace, "-k", filepath.Join(dir, "objects"))
		require.NoError(t, err, text)
		if list == "" {
			list, err = kubectl("api-resources", "--verbs=list", "--namespaced", "-o", "name")
			require.NoError(t, err, list)
		}
		text, err = kubectl("get", strings.Join(strings.Fields(list), ","), "-n", namespace, "-o", "json")
		require.NoError(t, err, text)
		var v struct{ Items []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(text, namespace, "NAMESPACE")), &v))
		objects = map[string]any{}
		for _, o := range v.Items {
			metadata := o["metadata"].(map[string]any)
			for _, set := range []string{"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"} {
				delete(metadata, set)
			}
			labels, _ := metadata["labels"].(map[string]any)
			delete(labels, "applyset.kubernetes.io/part-of")
			spec, _ := o["spec"].(map[string]any)
			delete(spec, "clusterIP")
			delete(spec, "clusterIPs")
			if name := fmt.Sprint(o["kind"], "/", metadata["name"]); name != "ConfigMap/set" && o["kind"] != "Event" {
				objects[name] = o
			}
		}
		return objects
	}
	before := deploy("removed", program)
	after, fresh := deploy("removed", later), deploy("fresh", later)
	require.Equal(t, fresh, after)
	require.Len(t, before, len(after)+3, "a Deployment, its Service, and the scaler")
	t.Logf("%d objects, then %d", len(before), len(after))
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return text
}

// startPlane starts a store and an API server, and returns what runs kubectl.
func startPlane(t *testing.T) (kubectl func(args ...string) (string, error)) {
	t.Helper()
	bin, dir := os.Getenv("TARGETS_PLANE"), t.TempDir()
	if bin == "" {
		t.Skip("TARGETS_PLANE names no folder with etcd, kube-apiserver and kubectl; make targets-e2e builds them")
	}
	port := func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		return port
	}
	run := func(name string, args ...string) {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir = dir
		log, err := os.Create(filepath.Join(dir, name+".log"))
		require.NoError(t, err)
		c.Stdout, c.Stderr = log, log
		require.NoError(t, c.Start())
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	}
	store, secure := "http://127.0.0.1:"+port(), port()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tokens.csv"), []byte("token,admin,admin,system:masters\n"), 0o600))
	key, err := exec.Command("openssl", "genrsa", "2048").Output()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sa.key"), key, 0o600))
	run("etcd", "--data-dir", "etcd", "--listen-client-urls", store, "--advertise-client-urls", store, "--listen-peer-urls", "http://127.0.0.1:"+port(), "--unsafe-no-fsync")
	run("kube-apiserver", "--etcd-servers", store, "--bind-address", "127.0.0.1", "--secure-port", secure, "--cert-dir", "certs",
		"--authorization-mode", "RBAC", "--token-auth-file", "tokens.csv", "--service-cluster-ip-range", "10.0.0.0/24",
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", "sa.key", "--service-account-signing-key-file", "sa.key",
		"--disable-admission-plugins", "ServiceAccount") // nothing makes the account of each namespace
	kubectl = func(args ...string) (string, error) {
		c := exec.Command(filepath.Join(bin, "kubectl"), append([]string{"--server", "https://127.0.0.1:" + secure, "--token", "token",
			"--insecure-skip-tls-verify", "--cache-dir", filepath.Join(dir, "cache")}, args...)...)
		c.Env = append(os.Environ(), "KUBECTL_APPLYSET=true")
		var errs strings.Builder
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil {
			return errs.String(), err
		}
		return string(out), nil
	}
	require.Eventually(t, func() bool { _, err := kubectl("get", "--raw", "/readyz"); return err == nil }, time.Minute, time.Second)
	return kubectl
}
