package integration

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
)

// process is the controller in a process of its own.
type process struct {
	*exec.Cmd
	mu  sync.Mutex
	log bytes.Buffer
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

func (w *world) process(args ...string) *process {
	w.Helper()
	return w.processOn(cluster, args...)
}

// processOn is a controller of a cluster.
func (w *world) processOn(cluster *rest.Config, args ...string) *process {
	w.Helper()
	kubeconfig := filepath.Join(w.TempDir(), "kubeconfig")
	require.NoError(w, os.WriteFile(kubeconfig, []byte(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "`+cluster.Host+`"}}]
contexts: [{name: c, context: {cluster: c}}]
current-context: c
`), 0o600))
	p := &process{Cmd: exec.Command(os.Args[0], append([]string{"--kubeconfig", kubeconfig, "--radius-endpoint", w.endpoint, "--watch-namespaces", w.ns,
		"--metrics-bind-address", "0", "--health-probe-bind-address", "0"}, args...)...)}
	p.Env = append(os.Environ(), asController+"=1")
	p.Stdout, p.Stderr = p, p
	require.NoError(w, p.Start())
	w.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	return p
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

func fetch(url string) (int, string) {
	res, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(body)
}

func TestTheProgram(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime = time.Second })
	w.stop()
	metrics, health := freeAddress(t), freeAddress(t)
	p := w.process("--metrics-bind-address", metrics, "--health-probe-bind-address", health)
	w.create("shop", template(web))
	w.waitFor("shop", "True/Succeeded")
	for _, path := range []string{"/healthz", "/readyz"} {
		status, body := fetch("http://" + health + path)
		require.Equal(t, 200, status, body)
	}
	status, body := fetch("http://" + metrics + "/metrics")
	require.Equal(t, 200, status)
	require.Contains(t, body, `rad_controller_deployment_templates{phrase="Ready"} 1`)
	require.Contains(t, body, `rad_controller_radius_request_seconds_count{code="201",kind="deployment",method="PUT"} 1`)
	if runtime.GOOS != "windows" {
		require.NoError(t, p.Process.Signal(syscall.SIGTERM))
		require.NoError(t, p.Wait(), "it ends with status 0")
	}
}

// The process is killed at each request in turn, before it is carried out and after. A new one
// must bring the work to its end, with one deployment.
func TestKilledAtEveryRequest(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 1200 * time.Millisecond })
	w.stop()
	p := w.process()
	for _, at := range []string{"PUT deployment", "GET operation", "GET deployment", "GET resource", "DELETE resource"} {
		name := strings.ToLower(strings.ReplaceAll(at, " ", "-"))
		w.create(name, template(fmt.Sprintf("%s=Applications.Core/containers@2023-10-01-preview", name)))
		if strings.HasPrefix(at, "DELETE") {
			w.waitFor(name, "True/Succeeded")
			w.delete(name)
		}
		method, kind, _ := strings.Cut(at, " ")
		path := map[string]string{"deployment": "/microsoft.resources/deployments/", "operation": "/operationstatuses/", "resource": "/containers/" + name}[kind]
		before := len(w.radius.Requests(method, path))
		w.eventually(func() string {
			if len(w.radius.Requests(method, path)) == before && method != "DELETE" {
				return "no " + at
			}
			return ""
		})
		require.NoError(t, p.Process.Kill())
		_ = p.Wait()
		p = w.process()
		if method == "DELETE" {
			w.waitGone(name)
			continue
		}
		w.waitFor(name, "True/Succeeded")
		puts := 0
		for _, r := range w.radius.Puts() {
			if strings.Contains(r.Body, name) {
				puts++
			}
		}
		require.Equal(t, 1, puts, "killed at %s\n%s", at, w.log())
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"--nonsense"}, {"argument"}, {"--poll-interval", "1ms"}, {"--request-timeout", "6m"}, {"--operation-timeout", "1s"},
		{"--allowed-scopes", "nonsense"}, {"--allowed-namespaces", "a"}, {"--azure-credential", "password"}, {"--azure-cloud", "Moon"},
		{"--azure-delete=false"}, {"--checks", "none.yaml"}, {"--imported-clusters", "some"},
	} {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), asController+"=1")
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Equal(t, 2, cmd.ProcessState.ExitCode(), "%s", out)
	}
}
