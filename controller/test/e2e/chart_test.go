//go:build e2e

package e2e

import (
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// TestChartValues: Helm and the API server take every combination of values, and Helm refuses what is wrong
// before it is installed. The metrics are for those who may read them.
func TestChartValues(t *testing.T) {
	p := newPlane(t)
	for _, ns := range []string{"a", "b", system} {
		_, err := p.try("create", "namespace", ns)
		require.NoError(t, err)
	}
	for plural, kind := range map[string]string{"podmonitors": "PodMonitor", "prometheusrules": "PrometheusRule"} {
		_, err := p.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ` + plural + `.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  scope: Namespaced
  names: {kind: ` + kind + `, plural: ` + plural + `}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}
`)
		require.NoError(t, err)
		_, err = p.try("wait", "--for=condition=Established", "crd/"+plural+".monitoring.coreos.com", "--timeout=30s")
		require.NoError(t, err)
	}

	const chart = "../../charts/rad-controller"
	helm := func(verb string, values []string, args ...string) (string, error) {
		args = append([]string{verb}, args...)
		for _, v := range append(values, "image.repository=registry.example/rad-controller") {
			args = append(args, "--set-json", jsonOf(v))
		}
		out, err := exec.Command(filepath.Join(p.bin, "helm"), args...).CombinedOutput()
		return string(out), err
	}
	// Each dimension with each other one: the values that the templates look at.
	dimensions := [][]string{
		{"metrics.secure=true", "metrics.secure=false", "metrics.enabled=false"},
		{"metrics.podMonitor.enabled=false", `metrics.podMonitor={"enabled":true,"labels":{"release":"p"},"tokenSecret":{"name":"t"}}`},
		{"alerts.enabled=false", `alerts={"enabled":true,"labels":{"release":"p"},"selector":"job=\"x\"","failedFor":"1h","stuckFor":"2h"}`},
		{"networkPolicy.enabled=false", `networkPolicy={"enabled":true,"metricsFrom":[{"namespaceSelector":{}}],"egressPorts":[8443]}`},
		{`watchNamespaces=[]`, `watchNamespaces=["a","b"]`},
		{`allowedScopes=[]`, `allowedScopes=["/planes/radius/local/resourceGroups/{namespace}"]`},
		{`allowedNamespaces=[]`, `allowedNamespaces=["{namespace}","shared-*"]`},
		{"admissionPolicy=true", "admissionPolicy=false"},
		{"parametersFrom=true", "parametersFrom=false"},
		{`dependsOn=[]`, `dependsOn=[{"group":"db.example.com","resource":"databases"}]`},
		{"podDisruptionBudget.enabled=false", `podDisruptionBudget={"enabled":true,"maxUnavailable":"50%"}`},
		{`image.digest=""`, `image.digest="sha256:` + strings.Repeat("0", 64) + `"`},
		{`affinity={}`, `affinity={"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"topologyKey":"kubernetes.io/hostname"}}]}}`},
		{`tolerations=[]`, `tolerations=[{"key":"k","operator":"Exists"}]`},
		{`nodeSelector={}`, `nodeSelector={"kubernetes.io/os":"linux"}`},
		{`imagePullSecrets=[]`, `imagePullSecrets=[{"name":"pull"}]`},
		{"crds.install=true", "crds.install=false"},
		{`logLevel="info"`, `logLevel="debug"`},
		{`logFormat="text"`, `logFormat="json"`},
		{"maxConcurrentReconciles=32", "maxConcurrentReconciles=1"},
		{`resources={}`, `resources={"requests":{"cpu":"1","memory":"128Mi"},"limits":{"memory":"1Gi"}}`},
		{"replicas=2", "replicas=1"},
		{`priorityClassName=""`, `priorityClassName="system-cluster-critical"`},
		{`radiusEndpoint=""`, `radiusEndpoint="https://radius.example"`},
		{`defaultResourceGroup="default"`, `defaultResourceGroup="shop"`},
		{`controllerClass=""`, `controllerClass="blue"`},
		{`requestTimeout="5s"`, `requestTimeout="60s"`},
		{`operationTimeout="5h"`, `operationTimeout="0"`},
		{`azure.credential="none"`, `azure={"credential":"workload-identity","clientID":"c","tenantID":"t"}`, `azure={"credential":"environment","secretName":"s","cloud":"AzureChinaCloud","delete":false}`},
		{`checks=[]`, `checks=[{"type":"A.B/c","expr":"has(resource.properties.url)","reason":"NoURL","message":"it has no URL"}]`},
		{`importedClusters="off"`, `importedClusters="on"`, `importedClusters="only"`},
		{`pollInterval="5s"`, `pollInterval="500ms"`},
		{`driftInterval="10m"`, `driftInterval="0"`},
		{`image.pullPolicy="IfNotPresent"`, `image.pullPolicy="Always"`},
		{`image.tag="latest"`, `image.tag="v1"`},
	}
	for _, name := range chartValues(t, chart) {
		require.True(t, slices.ContainsFunc(dimensions, func(d []string) bool {
			return slices.ContainsFunc(d, func(v string) bool { return strings.HasPrefix(v, name+"=") || strings.HasPrefix(v, name+".") })
		}), "the values of %s are in no combination", name)
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
	for _, wrong := range []string{`logLevel="loud"`, "replicas=-1", "replica=2", `image.digest="latest"`, `pollInterval="5"`, `requestTimeout="1m"`, `operationTimeout="5"`, `azure.credential="x"`, `azure.cloud="Moon"`, `importedClusters="yes"`, `checks=[{"type":"A.B/c"}]`, `dependsOn=[{"group":"a"}]`, `dependsOn=[{"group":"a","resource":"*"}]`, `watchNamespaces="a"`, `networkPolicy={"egressPorts":[0]}`, `allowedScopes=["x"]`, `allowedNamespaces=["a/b"]`, `alerts={"failedFor":"0"}`, `alerts={"selector":"{job=\"x\"}"}`, "maxConcurrentReconciles=0"} {
		out, err := helm("lint", []string{wrong}, chart)
		require.Error(t, err, "%s\n%s", wrong, out)
	}
	for value, needed := range map[string]string{
		"metrics.podMonitor.enabled=true": "metrics.podMonitor.tokenSecret.name", `azure.credential="workload-identity"`: "azure.clientID",
		`azure.credential="environment"`: "azure.secretName",
	} {
		out, err := helm("template", []string{value}, "other", chart)
		require.Error(t, err)
		require.Contains(t, out, needed+" is needed")
	}

	out, err := helm("install", nil, "--kubeconfig", p.kubeconfig, "rad-controller", chart, "-n", system)
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

// chartValues returns the names of the values of a chart that are not under another one.
func chartValues(t *testing.T, chart string) []string {
	text, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	require.NoError(t, err)
	var values map[string]any
	require.NoError(t, yaml.Unmarshal(text, &values))
	return slices.Sorted(maps.Keys(values))
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
