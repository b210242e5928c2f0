// Package radius runs the controller against Radius: ucpd and applications-rp of a release, behind a real
// API server, with the engine of package engine in the place of the closed one. `make radius-e2e` builds the
// programs and runs the tests.
package radius

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/test/radius/engine"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

const (
	token  = "the-administrator"
	system = "radius-system"
	// kubeconfig is where Radius looks for it when it is in no pod: below HOME.
	kubeconfig = ".kube/config"
	pathBase   = "/apis/api.ucp.dev/v1alpha3"
)

// plane is a Kubernetes control plane with Radius behind its API server.
type plane struct {
	bin, dir string
	root     string // of the repository
	sources  string // of Radius
	server   string // the API server
	client   *http.Client
	engine   *engine.Server
	ucp      *child
	pulled   atomic.Bool // images with the tag slow or missing can be pulled
	registry *registrytest.Registry
	children []*child
	env      []string             // of the programs
	prepared func(*engine.Server) // what a test does with the engine before it starts; may be nil
}

// child is a program that runs.
type child struct {
	*exec.Cmd
	ended  chan struct{}
	killed atomic.Bool
	mu     sync.Mutex
	log    bytes.Buffer
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

// kill ends it as kill -9 does.
func (c *child) kill() {
	c.killed.Store(true)
	_ = c.Process.Kill()
	<-c.ended
}

// withToken adds the administrator's token to requests.
type withToken struct{ http.RoundTripper }

func (t withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return t.RoundTripper.RoundTrip(r)
}

// startPlane starts all programs. They end with the test. What is in before is done first.
func startPlane(t *testing.T, before ...func(*plane)) *plane {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	p := &plane{root: root, bin: filepath.Join(root, "controller", "bin", "e2e"), dir: t.TempDir()}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: 20}
	p.client = &http.Client{Transport: withToken{transport}, Timeout: time.Minute}
	t.Cleanup(func() { p.stop(t) })
	p.sources = p.module(t, "programs", "github.com/radius-project/radius")
	for _, f := range before {
		f(p)
	}
	p.startKubernetes(t)
	p.startRadius(t)
	return p
}

// module returns the folder of a module that the module in dir builds.
func (p *plane) module(t *testing.T, dir, path string) string {
	c := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// start starts a program.
func (p *plane) start(t *testing.T, name string, args ...string) *child {
	t.Helper()
	c := &child{Cmd: exec.Command(filepath.Join(p.bin, name), args...), ended: make(chan struct{})}
	c.Stdout, c.Stderr, c.Dir = c, c, p.dir
	c.Env = append(os.Environ(), "KUBECONFIG="+p.file(kubeconfig), "HOME="+p.dir, "POD_NAMESPACE="+system)
	c.Env = append(c.Env, p.env...)
	require.NoError(t, c.Start(), "make radius-e2e and make gitops-e2e build the programs")
	p.children = append(p.children, c)
	go func() {
		_ = c.Wait()
		close(c.ended)
	}()
	return c
}

func (p *plane) stop(t *testing.T) {
	for i := len(p.children) - 1; i >= 0; i-- {
		c := p.children[i]
		c.kill()
		if dir := os.Getenv("RADIUS_E2E_LOGS"); dir != "" {
			_ = os.WriteFile(filepath.Join(dir, filepath.Base(c.Path)+".log"), []byte(c.output()), 0o644)
		} else if t.Failed() {
			t.Logf("%s:\n%s", c.Path, tail(c.output()))
		}
	}
}

func tail(s string) string {
	if len(s) > 4000 {
		return "…" + s[len(s)-4000:]
	}
	return s
}

func (p *plane) file(name string) string { return filepath.Join(p.dir, name) }

func (p *plane) write(t *testing.T, name string, text []byte) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(p.file(name)), 0o755))
	require.NoError(t, os.WriteFile(p.file(name), text, 0o600))
	return p.file(name)
}

// config is a kubeconfig.
func (p *plane) config(token string) string {
	return `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "` + p.server + `", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: "` + token + `"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`
}

func (p *plane) startKubernetes(t *testing.T) {
	etcd, peer, secure, manager := freePort(), freePort(), freePort(), freePort()
	store := "http://127.0.0.1:" + etcd
	p.server = "https://127.0.0.1:" + secure
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	p.write(t, "sa.key", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	p.write(t, "tokens.csv", []byte(token+",admin,admin,system:masters\n"))
	p.write(t, kubeconfig, []byte(p.config(token)))
	p.start(t, "etcd", "--data-dir", "etcd", "--listen-client-urls", store, "--advertise-client-urls", store,
		"--listen-peer-urls", "http://127.0.0.1:"+peer, "--unsafe-no-fsync", "--log-level", "error")
	p.start(t, "kube-apiserver", "--etcd-servers", store, "--bind-address", "127.0.0.1", "--secure-port", secure,
		"--cert-dir", "certs", "--authorization-mode", "RBAC", "--token-auth-file", "tokens.csv", "--service-cluster-ip-range", "10.0.0.0/16",
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", "sa.key", "--service-account-signing-key-file", "sa.key",
		// No volumes are mounted here, and pods need not wait for the tokens of service accounts.
		"--disable-admission-plugins", "ServiceAccount")
	p.until(t, func() error { _, err := p.get("/readyz"); return err })
	p.start(t, "kube-controller-manager", "--kubeconfig", p.file(kubeconfig), "--leader-elect=false", "--bind-address", "127.0.0.1", "--secure-port", manager,
		"--cert-dir", "certs-manager", "--controllers", "garbage-collector-controller,namespace-controller,deployment-controller,replicaset-controller")
	go p.beNodes(t)
}

// startRadius starts Radius as its chart does, as far as that is not a matter of pods.
func (p *plane) startRadius(t *testing.T) {
	ucp, rp, dynamic := freePort(), freePort(), freePort()
	p.engine = &engine.Server{UCP: p.server + pathBase, Kubernetes: p.server, Client: p.client}
	if p.prepared != nil {
		p.prepared(p.engine)
	}
	listener := httptest.NewServer(p.engine)
	t.Cleanup(listener.Close)
	p.apply(t, "-f", filepath.Join(p.sources, "deploy", "Chart", "crds", "ucpd"))
	p.apply(t, "-f", filepath.Join(p.module(t, "programs", "github.com/projectcontour/contour"), "examples", "contour", "01-crds.yaml"))
	p.apply(t, "-f", p.write(t, "service.yaml", []byte(`
apiVersion: v1
kind: Namespace
metadata: {name: `+system+`}
---
apiVersion: v1
kind: Service
metadata: {name: ucp, namespace: `+system+`}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha3.api.ucp.dev}
spec:
  group: api.ucp.dev
  version: v1alpha3
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {name: ucp, namespace: `+system+`, port: `+ucp+`}
---
apiVersion: v1
kind: Secret
metadata: {name: radius-encryption-key, namespace: `+system+`}
stringData:
  keys.json: '{"currentVersion": 1, "keys": {"1": {"version": 1, "key": "`+base64.StdEncoding.EncodeToString([]byte(rand.Text()+"123456"))+`"}}}'
`)))
	p.certificate(t, "cert", "localhost")
	p.manifests(t, "http://127.0.0.1:"+rp, listener.URL)
	stores := `
environment: {name: self-hosted, roleLocation: global}
databaseProvider: {provider: apiserver, apiserver: {context: "", namespace: ` + system + `}}
queueProvider: {provider: apiserver, name: NAME, apiserver: {context: "", namespace: ` + system + `}}
secretProvider: {provider: kubernetes}
metricsProvider: {enabled: false}
profilerProvider: {enabled: false}
ucp: {kind: kubernetes}
logging: {level: info, json: true}
`
	p.write(t, "ucp.yaml", []byte(strings.Replace(stores, "NAME", "ucp", 1)+`
server: {port: `+ucp+`, pathBase: `+pathBase+`, tlsCertificateDirectory: cert}
identity: {authMethod: default}
routing: {defaultDownstreamEndpoint: "http://127.0.0.1:`+dynamic+`"}
initialization:
  manifestDirectory: manifests
  planes:
    - id: /planes/radius/local
      properties:
        kind: UCPNative
        resourceProviders: {Microsoft.Resources: "`+listener.URL+`"}
`))
	for name, port := range map[string]string{"radius": rp, "dynamic-rp": dynamic} {
		own := ""
		if name == "dynamic-rp" {
			own = "kubernetes: {kind: default}"
		}
		p.write(t, name+".yaml", []byte(strings.Replace(stores, "NAME", name, 1)+own+`
server: {host: 127.0.0.1, port: `+port+`}
workerServer: {maxOperationConcurrency: 50, maxOperationRetryCount: 2}
bicep: {deleteRetryCount: 20, deleteRetryDelaySeconds: 5}
terraform: {path: terraform}
`))
	}
	p.startUCP(t)
	p.start(t, "applications-rp", "--config-file", "radius.yaml")
	p.start(t, "dynamic-rp", "--config-file", "dynamic-rp.yaml")
	p.until(t, func() error {
		_, err := p.get(pathBase + "/planes/radius/local/providers/Applications.Core?api-version=2023-10-01-preview")
		return err
	})
	p.until(t, func() error {
		_, err := p.get(pathBase + "/planes/radius/local/providers/Microsoft.Resources?api-version=2023-10-01-preview")
		return err
	})
	for _, port := range []string{rp, dynamic} {
		p.until(t, func() error { _, err := http.Get("http://127.0.0.1:" + port + "/healthz"); return err })
	}
}

func (p *plane) startUCP(t *testing.T) { p.ucp = p.start(t, "ucpd", "--config-file", "ucp.yaml") }

// manifests copies the types that Radius registers, with the addresses of the programs here.
func (p *plane) manifests(t *testing.T, rp, engine string) {
	from := filepath.Join(p.sources, "deploy", "manifest", "built-in-providers", "dev")
	files, err := os.ReadDir(from)
	require.NoError(t, err)
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".yaml" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, f.Name()))
		require.NoError(t, err)
		p.write(t, "manifests/"+f.Name(), []byte(strings.NewReplacer("http://localhost:8080", rp, "http://localhost:5017", engine).Replace(string(text))))
	}
}

// certificate makes one for hosts, in a folder.
func (p *plane) certificate(t *testing.T, dir string, hosts ...string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: hosts, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	secret, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	p.write(t, dir+"/tls.crt", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	p.write(t, dir+"/tls.key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))
}

// until waits for something to hold.
func (p *plane) until(t *testing.T, f func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(4 * time.Minute); time.Now().Before(deadline); time.Sleep(300 * time.Millisecond) {
		if err = f(); err == nil {
			return
		}
		for _, c := range p.children {
			select {
			case <-c.ended:
				if c.killed.Load() {
					continue
				}
				require.FailNow(t, "a program ended", "%s:\n%s", c.Path, tail(c.output()))
			default:
			}
		}
	}
	require.NoError(t, err)
}

// kubectl runs it as the administrator.
func (p *plane) kubectl(args ...string) (string, error) {
	c := exec.Command(filepath.Join(p.bin, "kubectl"), append([]string{"--kubeconfig", p.file(kubeconfig)}, args...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

func (p *plane) apply(t *testing.T, args ...string) {
	t.Helper()
	_, err := p.kubectl(append([]string{"apply", "--server-side", "--force-conflicts"}, args...)...)
	require.NoError(t, err)
}

// get asks the API server.
func (p *plane) get(path string) (object, error) { return p.send(http.MethodGet, path, "", nil) }

func (p *plane) send(method, path, contentType string, body any) (object, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, p.server+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	response, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, &refused{response.StatusCode, fmt.Sprintf("%s %s: %s: %s", method, path, response.Status, answer)}
	}
	var o object
	_ = json.Unmarshal(answer, &o) // /readyz answers ok
	return o, nil
}

// refused is an answer that says no.
type refused struct {
	status int
	text   string
}

func (r *refused) Error() string { return r.text }

// object is a JSON object.
type object map[string]any

// at returns what is at a path in an object; nil if there is nothing.
func (o object) at(path ...string) any {
	var v any = map[string]any(o)
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (o object) text(path ...string) string {
	s, _ := o.at(path...).(string)
	return s
}

func (o object) items(path ...string) (all []object) {
	list, _ := o.at(path...).([]any)
	for _, each := range list {
		m, _ := each.(map[string]any)
		all = append(all, m)
	}
	return all
}

// taken are the ports that have been given out: a port is free again as soon as it is found.
var taken = map[string]bool{}

func freePort() string {
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		l.Close()
		if !taken[port] {
			taken[port] = true
			return port
		}
	}
}
