//go:build e2e

package e2e

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestChartValues: Helm and the API server take every combination of values, and Helm refuses what is wrong
// before it is installed. The metrics are for those who may read them.
func TestChartValues(t *testing.T) {
	bin, err := filepath.Abs("../../bin/e2e")
	require.NoError(t, err)
	p, err := startPlane(bin, t.TempDir())
	t.Cleanup(p.stop)
	require.NoError(t, err)
	for _, ns := range []string{"a", "b", system} {
		_, err = p.try("create", "namespace", ns)
		require.NoError(t, err)
	}
	_, err = p.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: podmonitors.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  scope: Namespaced
  names: {kind: PodMonitor, plural: podmonitors}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}
`)
	require.NoError(t, err)
	_, err = p.try("wait", "--for=condition=Established", "crd/podmonitors.monitoring.coreos.com", "--timeout=30s")
	require.NoError(t, err)

	const chart = "../../charts/rad-controller"
	helm := func(verb string, values []string, args ...string) (string, error) {
		args = append([]string{verb}, args...)
		for _, v := range append(values, "image.repository=registry.example/rad-controller") {
			args = append(args, "--set-json", jsonOf(v))
		}
		out, err := exec.Command(filepath.Join(bin, "helm"), args...).CombinedOutput()
		return string(out), err
	}
	// Each dimension with each other one: the values that the templates look at.
	dimensions := [][]string{
		{"metrics.secure=true", "metrics.secure=false", "metrics.enabled=false"},
		{"metrics.podMonitor.enabled=false", `metrics.podMonitor={"enabled":true,"labels":{"release":"p"},"tokenSecret":{"name":"t"}}`},
		{"networkPolicy.enabled=false", `networkPolicy={"enabled":true,"metricsFrom":[{"namespaceSelector":{}}],"egressPorts":[8443]}`},
		{`watchNamespaces=[]`, `watchNamespaces=["a","b"]`},
		{`allowedScopes=[]`, `allowedScopes=["/planes/radius/local/resourceGroups/{namespace}"]`},
		{"admissionPolicy=true", "admissionPolicy=false"},
		{"parametersFrom=true", "parametersFrom=false"},
		{"podDisruptionBudget.enabled=false", `podDisruptionBudget={"enabled":true,"maxUnavailable":"50%"}`},
		{`image.digest=""`, `image.digest="sha256:` + strings.Repeat("0", 64) + `"`},
		{`affinity={}`, `affinity={"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"topologyKey":"kubernetes.io/hostname"}}]}}`},
		{`tolerations=[]`, `tolerations=[{"key":"k","operator":"Exists"}]`},
		{`nodeSelector={}`, `nodeSelector={"kubernetes.io/os":"linux"}`},
		{`imagePullSecrets=[]`, `imagePullSecrets=[{"name":"pull"}]`},
		{"crds.install=true", "crds.install=false"},
		{`logLevel="info"`, `logLevel="debug"`},
	}
	tried := 0
	for _, values := range pairs(dimensions) {
		out, err := helm("lint", values, "--strict", chart)
		require.NoError(t, err, "%v\n%s", values, out)
		out, err = helm("template", values, "other", chart, "-n", "default")
		require.NoError(t, err, "%v\n%s", values, out)
		_, err = p.kubectl(out, "apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-")
		require.NoError(t, err, "%v", values)
		tried++
	}
	t.Logf("%d combinations hold each pair of values of %d kinds", tried, len(dimensions))
	for _, wrong := range []string{`logLevel="loud"`, "replicas=-1", "replica=2", `image.digest="latest"`, `pollInterval="5"`, `watchNamespaces="a"`, `networkPolicy={"egressPorts":[0]}`, `allowedScopes=["x"]`} {
		out, err := helm("lint", []string{wrong}, chart)
		require.Error(t, err, "%s\n%s", wrong, out)
	}
	out, err := helm("template", []string{"metrics.podMonitor.enabled=true"}, "other", chart)
	require.Error(t, err)
	require.Contains(t, out, "metrics.podMonitor.tokenSecret.name is needed")

	out, err = helm("install", nil, "--kubeconfig", p.kubeconfig, "rad-controller", chart, "-n", system)
	require.NoError(t, err, out)
	for _, args := range []string{"reader", "stranger"} {
		_, err = p.try("create", "serviceaccount", args, "-n", "a")
		require.NoError(t, err)
	}
	_, err = p.try("create", "clusterrolebinding", "reader", "--clusterrole=rad-controller-metrics-reader", "--serviceaccount=a:reader")
	require.NoError(t, err)
	address := "127.0.0.1:" + freePort()
	c := p.controller(t, "metrics", "--metrics-secure", "--metrics-bind-address", address)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for account, want := range map[string]int{"reader": 200, "stranger": 403, "": 401} {
		token := ""
		if account != "" {
			token, err = p.try("create", "token", account, "-n", "a")
			require.NoError(t, err)
		}
		require.NoError(t, p.until(30*time.Second, func() error {
			req, _ := http.NewRequest(http.MethodGet, "https://"+address+"/metrics", nil)
			req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
			res, err := client.Do(req)
			if err != nil {
				return err
			}
			defer res.Body.Close()
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != want {
				return fmt.Errorf("%q gets %s %s", account, res.Status, body)
			}
			return nil
		}), "%s", tail(c.output()))
	}
}

// jsonOf makes a value of the form name=text one of the form name="text", where the text is no JSON.
func jsonOf(v string) string {
	name, text, _ := strings.Cut(v, "=")
	if text != "true" && text != "false" && !strings.ContainsAny(text[:1], `[{"-0123456789`) {
		text = `"` + text + `"`
	}
	return name + "=" + text
}

// pairs are choices of one value of each dimension, such that each two values of different dimensions are
// together in one of them.
func pairs(dimensions [][]string) (rows [][]string) {
	type pair struct{ i, a, j, b int }
	open := map[pair]bool{}
	for i := range dimensions {
		for j := i + 1; j < len(dimensions); j++ {
			for a := range dimensions[i] {
				for b := range dimensions[j] {
					open[pair{i, a, j, b}] = true
				}
			}
		}
	}
	for len(open) > 0 {
		var first pair
		for p := range open {
			if first == (pair{}) || p.i < first.i || p.i == first.i && (p.j < first.j || p.j == first.j && (p.a < first.a || p.a == first.a && p.b < first.b)) {
				first = p
			}
		}
		chosen := make([]int, len(dimensions))
		for k := range chosen {
			chosen[k] = -1
		}
		chosen[first.i], chosen[first.j] = first.a, first.b
		for k := range dimensions {
			if chosen[k] >= 0 {
				continue
			}
			best, most := 0, -1
			for v := range dimensions[k] {
				n := 0
				for o, w := range chosen {
					if w < 0 {
						continue
					}
					if o < k && open[pair{o, w, k, v}] || o > k && open[pair{k, v, o, w}] {
						n++
					}
				}
				if n > most {
					best, most = v, n
				}
			}
			chosen[k] = best
		}
		var row []string
		for k, v := range chosen {
			row = append(row, dimensions[k][v])
			for o := k + 1; o < len(chosen); o++ {
				delete(open, pair{k, v, o, chosen[o]})
			}
		}
		rows = append(rows, row)
	}
	return rows
}
