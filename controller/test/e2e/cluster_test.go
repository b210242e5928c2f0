//go:build e2e

// Package e2e runs the controller on a whole control plane: etcd, kube-apiserver with RBAC, and
// kube-controller-manager with garbage collection and the deletion of namespaces. `make e2e` builds
// the programs and runs the tests.
package e2e

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/internal/radiustest"
)

// system is the namespace of the controller, as config/default has it.
const system = "rad-controller-system"

// auditPolicy writes down what the controller asks for.
const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, users: ["system:serviceaccount:` + system + `:rad-controller"]}
- {level: None}
`

// plane is a control plane, with a Radius behind its API server.
type plane struct {
	bin, dir   string
	server     string
	kubeconfig string // of the administrator
	aggregated string // the APIService of Radius
	radius     *radiustest.Server
	children   []*child
}

// child is a program of the control plane, or a replica of the controller.
type child struct {
	*exec.Cmd
	mu  sync.Mutex
	log bytes.Buffer
}

func (c *child) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.Write(b)
}

func (c *child) output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.String()
}

func (p *plane) start(name string, args ...string) (*child, error) {
	c := &child{Cmd: exec.Command(filepath.Join(p.bin, name), args...)}
	c.Stdout, c.Stderr = c, c
	c.Dir = p.dir
	c.Env = append(os.Environ(), "POD_NAMESPACE="+system)
	if err := c.Start(); err != nil {
		return nil, err
	}
	p.children = append(p.children, c)
	return c, nil
}

func (p *plane) stop() {
	for i := len(p.children) - 1; i >= 0; i-- {
		_ = p.children[i].Process.Kill()
		_ = p.children[i].Wait()
	}
}

// newPlane is a control plane for a test, of the programs that make e2e-programs puts into bin/e2e.
func newPlane(t *testing.T) *plane {
	t.Helper()
	bin, err := filepath.Abs("../../bin/e2e")
	require.NoError(t, err)
	p, err := startPlane(bin, t.TempDir())
	t.Cleanup(p.stop)
	if err != nil {
		for _, c := range p.children {
			t.Logf("%s:\n%s", c.Path, tail(c.output()))
		}
	}
	require.NoError(t, err)
	return p
}

// must returns what runs kubectl for a test, which ends with an error.
func (p *plane) must(t *testing.T) func(args ...string) string {
	return func(args ...string) string {
		t.Helper()
		out, err := p.try(args...)
		require.NoError(t, err)
		return out
	}
}

// startPlane starts a control plane, and installs the controller's objects with kubectl.
func startPlane(bin, dir string) (*plane, error) {
	p := &plane{bin: bin, dir: dir, radius: &radiustest.Server{BasePath: "/apis/api.ucp.dev/v1alpha3"}}
	etcd, peer, secure, manager := freePort(), freePort(), freePort(), freePort()
	store := "http://127.0.0.1:" + etcd
	if _, err := p.start("etcd", "--data-dir", "etcd", "--listen-client-urls", store, "--advertise-client-urls", store,
		"--listen-peer-urls", "http://127.0.0.1:"+peer, "--unsafe-no-fsync", "--log-level", "error"); err != nil {
		return p, err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return p, err
	}
	const token = "the-administrator"
	for name, text := range map[string][]byte{
		"audit.yaml": []byte(auditPolicy),
		"sa.key":     pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		"tokens.csv": []byte(token + ",admin,admin,system:masters\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return p, err
		}
	}
	p.server = "https://127.0.0.1:" + secure
	if p.kubeconfig, err = p.writeKubeconfig("admin", token); err != nil {
		return p, err
	}
	if _, err := p.start("kube-apiserver", "--etcd-servers", store, "--bind-address", "127.0.0.1", "--secure-port", secure,
		"--cert-dir", "certs", "--authorization-mode", "RBAC", "--token-auth-file", "tokens.csv", "--service-cluster-ip-range", "10.0.0.0/24",
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", "sa.key", "--service-account-signing-key-file", "sa.key",
		"--audit-policy-file", "audit.yaml", "--audit-log-path", "audit.log",
		// Owners whose deletion would be blocked are checked, as OpenShift does.
		"--enable-admission-plugins", "OwnerReferencesPermissionEnforcement"); err != nil {
		return p, err
	}
	if err := p.until(time.Minute, func() error { _, err := p.try("get", "--raw", "/readyz"); return err }); err != nil {
		return p, err
	}
	if _, err := p.start("kube-controller-manager", "--kubeconfig", p.kubeconfig, "--leader-elect=false", "--bind-address", "127.0.0.1", "--secure-port", manager,
		"--cert-dir", "certs-manager", "--service-account-private-key-file", "sa.key",
		"--controllers", "garbage-collector-controller,namespace-controller,serviceaccount-controller"); err != nil {
		return p, err
	}
	return p, p.serveRadius()
}

// serveRadius puts the Radius behind the API server, as an aggregated API: requests pass the API
// server's own authentication and authorisation on the way.
func (p *plane) serveRadius() error {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/apis/api.ucp.dev/v1alpha3" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "api.ucp.dev/v1alpha3", "resources": []}`)
			return
		}
		p.radius.ServeHTTP(w, r)
	}))
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		return err
	}
	p.aggregated = `
apiVersion: v1
kind: Service
metadata: {name: radius, namespace: default}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha3.api.ucp.dev}
spec:
  group: api.ucp.dev
  version: v1alpha3
  groupPriorityMinimum: 1000
  versionPriority: 10
  insecureSkipTLSVerify: true
  service: {name: radius, namespace: default, port: ` + port + `}
`
	return p.aggregate()
}

func (p *plane) aggregate() error {
	if _, err := p.apply(p.aggregated); err != nil {
		return err
	}
	_, err := p.try("wait", "--for=condition=Available", "apiservice/v1alpha3.api.ucp.dev", "--timeout=60s")
	return err
}

func (p *plane) writeKubeconfig(name, token string) (string, error) {
	path := filepath.Join(p.dir, name+".kubeconfig")
	return path, os.WriteFile(path, []byte(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "`+p.server+`", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: "`+token+`"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`), 0o600)
}

// try runs kubectl as the administrator.
func (p *plane) try(args ...string) (string, error) { return p.kubectl("", args...) }

func (p *plane) apply(text string) (string, error) {
	return p.kubectl(text, "apply", "--server-side", "--force-conflicts", "-f", "-")
}

func (p *plane) kubectl(input string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(p.bin, "kubectl"), append([]string{"--kubeconfig", p.kubeconfig}, args...)...)
	c.Stdin = strings.NewReader(input)
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, problems.String())
	}
	return out.String(), nil
}

func (p *plane) until(limit time.Duration, f func() error) (err error) {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}

// controller starts a replica with the token of the controller's service account.
func (p *plane) controller(t *testing.T, name string, flags ...string) *child {
	t.Helper()
	token, err := p.try("create", "token", "rad-controller", "-n", system)
	require.NoError(t, err)
	kubeconfig, err := p.writeKubeconfig(name, strings.TrimSpace(token))
	require.NoError(t, err)
	c, err := p.start("rad-controller", append([]string{"--kubeconfig", kubeconfig, "--leader-elect", "--metrics-bind-address", "0", "--health-probe-bind-address", "0", "--poll-interval", "500ms"}, flags...)...)
	require.NoError(t, err)
	return c
}

func freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// manifest is a DeploymentTemplate whose resources are given as symbol=type@version.
func manifest(namespace, name string, resources ...string) string {
	template := map[string]any{}
	for _, r := range resources {
		symbol, typ, _ := strings.Cut(r, "=")
		template[symbol] = map[string]any{"import": "radius", "type": typ, "properties": map[string]any{"name": symbol}}
	}
	text, _ := json.Marshal(map[string]any{"languageVersion": "2.0", "contentVersion": "1.0.0.0", "resources": template})
	whole, _ := json.Marshal(map[string]any{
		"apiVersion": "radapp.io/v1alpha3", "kind": "DeploymentTemplate", "metadata": map[string]any{"namespace": namespace, "name": name},
		"spec": map[string]any{"template": string(text)},
	})
	return string(whole)
}
