package integration

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	template1 "text/template"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/radiustest"
	"github.com/radbicep/rad/controller/internal/rules"
)

// argoHealth runs the script that Argo CD is given, without its standard libraries, as Argo CD does.
func argoHealth(t *testing.T, kind string, o map[string]any) (health, message string) {
	t.Helper()
	text, err := os.ReadFile("../../config/argocd/argocd-cm.yaml")
	require.NoError(t, err)
	var config struct{ Data map[string]string }
	require.NoError(t, yaml.Unmarshal(text, &config))
	script := config.Data["resource.customizations.health.radapp.io_"+kind]
	require.NotEmpty(t, script)
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	for _, lib := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
		require.NoError(t, l.CallByParam(lua.P{Fn: l.NewFunction(lib.open), NRet: 0, Protect: true}, lua.LString(lib.name)))
	}
	l.SetGlobal("obj", luaValue(l, o))
	require.NoError(t, l.DoString(script))
	result := l.Get(-1).(*lua.LTable)
	return result.RawGetString("status").String(), result.RawGetString("message").String()
}

// The scripts for Argo CD's own repository, which make argocd-check gives to its tests, are those of the ConfigMap, and the status that each
// of their cases expects is what they say here.
func TestTheScriptsForArgoCD(t *testing.T) {
	text, err := os.ReadFile("../../config/argocd/argocd-cm.yaml")
	require.NoError(t, err)
	var config struct{ Data map[string]string }
	require.NoError(t, yaml.Unmarshal(text, &config))
	for _, kind := range []string{"DeploymentTemplate", "DeploymentResource"} {
		folder := "../../config/argocd/resource_customizations/radapp.io/" + kind + "/"
		script, err := os.ReadFile(folder + "health.lua")
		require.NoError(t, err)
		require.Equal(t, config.Data["resource.customizations.health.radapp.io_"+kind], string(script))
		text, err := os.ReadFile(folder + "health_test.yaml")
		require.NoError(t, err)
		var cases struct {
			Tests []struct {
				HealthStatus struct{ Status, Message string }
				InputPath    string
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &cases))
		require.NotEmpty(t, cases.Tests)
		for _, c := range cases.Tests {
			text, err := os.ReadFile(folder + c.InputPath)
			require.NoError(t, err)
			var o map[string]any
			require.NoError(t, yaml.Unmarshal(text, &o))
			health, message := argoHealth(t, kind, o)
			require.Equal(t, c.HealthStatus.Status+": "+c.HealthStatus.Message, health+": "+message, c.InputPath)
		}
	}
}

func luaValue(l *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case map[string]any:
		t := l.NewTable()
		for k, e := range v {
			t.RawSetString(k, luaValue(l, e))
		}
		return t
	case []any:
		t := l.NewTable()
		for _, e := range v {
			t.Append(luaValue(l, e))
		}
		return t
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case int64:
		return lua.LNumber(v)
	case float64:
		return lua.LNumber(v)
	}
	return lua.LNil
}

// What Flux and Argo CD make of an object is what is the case, at every stage of its life.
func TestWhatFluxAndArgoCDSay(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime, w.radius.DeleteTime = 1500*time.Millisecond, time.Second })
	w.stop()
	says := func(flux status.Status, argo string) {
		t.Helper()
		w.eventually(func() string {
			o := &unstructured.Unstructured{}
			o.SetAPIVersion("radapp.io/v1alpha3")
			o.SetKind("DeploymentTemplate")
			require.NoError(t, w.Get(context.Background(), client.ObjectKey{Namespace: w.ns, Name: "shop"}, o))
			result, err := status.Compute(o)
			require.NoError(t, err)
			health, message := argoHealth(t, "DeploymentTemplate", o.Object)
			if result.Status != flux || health != argo {
				return "Flux says " + string(result.Status) + ", Argo CD " + health + ": " + message
			}
			return ""
		})
	}
	w.create("shop", template(web), annotate("radapp.io/suspend", "true"))
	says(status.InProgressStatus, "Suspended")
	w.change("shop", annotate("radapp.io/suspend", ""))
	says(status.InProgressStatus, "Progressing") // no controller has seen it yet
	w.start()
	w.eventually(func() string {
		if w.get("shop").Status.Operation == nil {
			return "not sent"
		}
		return ""
	})
	says(status.InProgressStatus, "Progressing")
	w.waitFor("shop", "True/Succeeded")
	says(status.CurrentStatus, "Healthy")
	w.radius.Set(func(s *radiustest.Server) { s.FailResource = func(string) string { return "no" } })
	spec := w.get("shop").Spec.Template
	w.change("shop", func(dt *deploymentTemplate) { dt.Spec.Template = template(web, db) })
	w.waitFor("shop", "False/Failed")
	says(status.InProgressStatus, "Degraded")
	w.change("shop", func(dt *deploymentTemplate) { dt.Spec.Template = "{ ]" })
	w.waitFor("shop", "False/InvalidSpec")
	says(status.FailedStatus, "Degraded")
	w.radius.Set(func(s *radiustest.Server) { s.FailResource = nil })
	w.change("shop", func(dt *deploymentTemplate) { dt.Spec.Template = spec })
	w.waitFor("shop", "True/Succeeded")
	says(status.CurrentStatus, "Healthy")
	dr := &unstructured.Unstructured{}
	dr.SetAPIVersion("radapp.io/v1alpha3")
	dr.SetKind("DeploymentResource")
	w.eventually(func() string {
		require.NoError(t, w.Get(context.Background(), client.ObjectKey{Namespace: w.ns, Name: w.children()[0].Name}, dr))
		result, err := status.Compute(dr)
		require.NoError(t, err)
		if health, _ := argoHealth(t, "DeploymentResource", dr.Object); health != "Healthy" || result.Status != status.CurrentStatus {
			return health + " " + string(result.Status)
		}
		return ""
	})
	w.delete("shop")
	says(status.TerminatingStatus, "Progressing")
	w.waitGone("shop")
}

// allows is true if the rules let a request through, as the API server would decide.
func allows(t *testing.T, rules []rbacv1.PolicyRule, method, path string) bool {
	t.Helper()
	factory := &request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	info, err := factory.NewRequestInfo(httptest.NewRequest(method, path, nil))
	require.NoError(t, err)
	resource := info.Resource
	if info.Subresource != "" {
		resource += "/" + info.Subresource
	}
	return slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool {
		return slices.Contains(r.APIGroups, info.APIGroup) && slices.Contains(r.Resources, resource) && slices.Contains(r.Verbs, info.Verb) &&
			(len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, info.Name))
	})
}

func TestTheRights(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../config/rbac/role.yaml")
	require.NoError(t, err)
	var role rbacv1.ClusterRole
	require.NoError(t, yaml.UnmarshalStrict(text, &role))
	const ucp = "/apis/api.ucp.dev/v1alpha3"
	for path, methods := range map[string]string{
		ucp + "/planes/radius/local/resourceGroups/g":                                                            "GET PUT",
		ucp + "/planes/radius/local/resourceGroups/g/providers/Microsoft.Resources/deployments/d":                "GET PUT DELETE",
		ucp + "/planes/radius/local/providers/System/locations/global/operationstatuses/o":                       "GET",
		ucp + "/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/b":                                   "GET DELETE",
		ucp + "/planes/azure/azurecloud/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/accounts/a": "GET DELETE",
		"/apis/radapp.io/v1alpha3/deploymenttemplates":                                                           "GET",
		"/apis/radapp.io/v1alpha3/namespaces/n/deploymenttemplates/t":                                            "GET PATCH",
		"/apis/radapp.io/v1alpha3/namespaces/n/deploymenttemplates/t/status":                                     "PATCH",
		"/apis/radapp.io/v1alpha3/namespaces/n/deploymentresources":                                              "GET POST",
		"/apis/radapp.io/v1alpha3/namespaces/n/deploymentresources/r":                                            "GET PATCH DELETE",
		"/apis/events.k8s.io/v1/namespaces/n/events":                                                             "POST",
	} {
		for _, m := range strings.Fields(methods) {
			require.True(t, allows(t, role.Rules, m, path), "%s %s", m, path)
		}
	}
	for _, path := range []string{"/api/v1/secrets", "/api/v1/namespaces", ucp + "/planes/radius/other/resourceGroups/g", ucp + "/planes/radius"} {
		require.False(t, allows(t, role.Rules, "GET", path), path)
	}
}

// With an identity for Azure the pods have what the credential needs; without one nothing of it is there.
func TestTheChartWithAzure(t *testing.T) {
	t.Parallel()
	image := map[string]any{"repository": "r", "tag": "t", "digest": "", "pullPolicy": "Always"}
	for credential, want := range map[string]string{
		"none":              "",
		"workload-identity": "azure.workload.identity/client-id: c; azure.workload.identity/tenant-id: t; azure.workload.identity/use: true; --azure-credential=workload-identity --azure-cloud=AzureUSGovernment --azure-delete=false",
		"environment":       "--azure-credential=environment --azure-cloud=AzureUSGovernment --azure-delete=false; from s",
	} {
		var said []string
		for _, o := range renderChart(t, map[string]any{"image": image, "azure": map[string]any{"credential": credential, "cloud": "AzureUSGovernment", "delete": false, "clientID": "c", "tenantID": "t", "secretName": "s"}}) {
			labels, _, _ := unstructured.NestedStringMap(o.Object, "spec", "template", "metadata", "labels")
			for _, m := range []map[string]string{o.GetAnnotations(), labels} {
				for _, k := range slices.Sorted(maps.Keys(m)) {
					if strings.Contains(k, "azure") {
						said = append(said, k+": "+m[k])
					}
				}
			}
			containers, _, _ := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
			for _, c := range containers {
				args, _, _ := unstructured.NestedStringSlice(c.(map[string]any), "args")
				if args = slices.DeleteFunc(args, func(a string) bool { return !strings.Contains(a, "azure") }); len(args) > 0 {
					said = append(said, strings.Join(args, " "))
				}
				from, _, _ := unstructured.NestedSlice(c.(map[string]any), "envFrom")
				for _, f := range from {
					name, _, _ := unstructured.NestedString(f.(map[string]any), "secretRef", "name")
					said = append(said, "from "+name)
				}
			}
		}
		slices.Sort(said)
		wanted := strings.Split(want, "; ")
		slices.Sort(wanted)
		require.Equal(t, strings.Join(wanted, "\n"), strings.Join(said, "\n"), credential)
	}
}

// The rights for imported clusters are there if they are asked for, and write nothing of Crossplane's.
func TestTheChartWithImportedClusters(t *testing.T) {
	t.Parallel()
	image := map[string]any{"repository": "r", "tag": "t", "digest": "", "pullPolicy": "Always"}
	for mode, want := range map[string]int{"off": 0, "on": 3, "only": 3} {
		found := 0
		for _, o := range renderChart(t, map[string]any{"image": image, "importedClusters": mode}) {
			if strings.HasSuffix(o.GetName(), "-imported-clusters") {
				found++
			}
			containers, _, _ := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
			if len(containers) > 0 && slices.Contains(containers[0].(map[string]any)["args"].([]any), any("--imported-clusters="+mode)) {
				found++
			}
			rules, _, _ := unstructured.NestedSlice(o.Object, "rules")
			for _, r := range rules {
				if rule := r.(map[string]any); strings.HasSuffix(fmt.Sprint(rule["apiGroups"]), ".upbound.io]") {
					require.Equal(t, []any{"get"}, rule["verbs"])
				}
			}
		}
		require.Equal(t, want, found, mode)
	}
}

// What the chart says of checks is a file that the controller takes.
func TestTheChartWithChecks(t *testing.T) {
	t.Parallel()
	image := map[string]any{"repository": "r", "tag": "t", "digest": "", "pullPolicy": "Always"}
	one := map[string]any{"type": "A.B/c", "expr": `resource.properties.url != ""`, "reason": "NoURL", "message": "none"}
	file, hash := "", ""
	for _, o := range renderChart(t, map[string]any{"image": image, "checks": []any{one}}) {
		switch o.GetKind() {
		case "ConfigMap":
			file, _, _ = unstructured.NestedString(o.Object, "data", "checks.yaml")
		case "Deployment":
			hash, _, _ = unstructured.NestedString(o.Object, "spec", "template", "metadata", "annotations", "radapp.io/checks")
			containers, _, _ := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
			require.Contains(t, containers[0].(map[string]any)["args"], "--checks=/etc/rad-controller/checks.yaml")
		}
	}
	require.Len(t, hash, 64, "the pods start anew when it changes")
	path := filepath.Join(t.TempDir(), "checks.yaml")
	require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
	require.NoError(t, rules.Add(check.NewRegistry(), path), file)
}

// The chart's CRDs and rights are those of config, and its templates become objects.
func TestTheChart(t *testing.T) {
	t.Parallel()
	for _, crd := range []string{"radapp.io_deploymenttemplates.yaml", "radapp.io_deploymentresources.yaml"} {
		want, err := os.ReadFile("../../config/crd/" + crd)
		require.NoError(t, err)
		got, err := os.ReadFile("../../charts/rad-controller/crd/" + crd)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "run: cp config/crd/radapp.io_*.yaml charts/rad-controller/crd/")
	}
	var role rbacv1.ClusterRole
	text, err := os.ReadFile("../../config/rbac/role.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(text, &role))

	for _, namespaces := range [][]any{nil, {"a", "b"}} {
		rules, limited := map[string][]rbacv1.PolicyRule{}, false
		for _, o := range renderChart(t, map[string]any{"watchNamespaces": namespaces, "allowedScopes": []any{"/x", "/y"}, "allowedNamespaces": []any{"a", "b-*"}, "requestTimeout": "20s", "dependsOn": []any{map[string]any{"group": "a.example.com", "resource": "bs"}}, "image": map[string]any{"repository": "r", "tag": "t", "digest": "", "pullPolicy": "Always"}}) {
			switch o.GetKind() {
			case "ClusterRole", "Role":
				var r rbacv1.ClusterRole
				data, err := json.Marshal(o.Object)
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(data, &r))
				rules[o.GetKind()+"/"+o.GetNamespace()+"/"+o.GetName()] = r.Rules
			case "ValidatingAdmissionPolicy":
				selected, _, _ := unstructured.NestedSlice(o.Object, "spec", "matchConstraints", "namespaceSelector", "matchExpressions")
				limited = reflect.DeepEqual(selected[0].(map[string]any)["values"], any(namespaces))
			case "Deployment":
				containers, _, _ := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
				args, _, _ := unstructured.NestedStringSlice(containers[0].(map[string]any), "args")
				require.Contains(t, args, "--allowed-scopes=/x,/y")
				require.Contains(t, args, "--allowed-namespaces=a,b-*")
				require.Contains(t, args, "--request-timeout=20s")
				seconds, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "template", "spec", "terminationGracePeriodSeconds")
				require.EqualValues(t, 75, seconds, "a reconcile, and its end")
				require.Equal(t, len(namespaces) > 0, slices.Contains(args, "--watch-namespaces=a,b"))
			}
		}
		values := []rbacv1.PolicyRule{
			{APIGroups: []string{""}, Resources: []string{"secrets", "configmaps"}, Verbs: []string{"get"}},
			{APIGroups: []string{"a.example.com"}, Resources: []string{"bs"}, Verbs: []string{"get"}},
		}
		want := map[string][]rbacv1.PolicyRule{"ClusterRole//demo": role.Rules, "ClusterRole//demo-metrics-auth": rules["ClusterRole//demo-metrics-auth"], "ClusterRole//demo-metrics-reader": rules["ClusterRole//demo-metrics-reader"], "Role/sys/demo-leader-election": rules["Role/sys/demo-leader-election"]}
		if namespaces == nil {
			want["ClusterRole//demo-parameters"] = values
		} else {
			want["Role/a/demo-parameters"], want["Role/b/demo-parameters"] = values, values
		}
		require.Equal(t, want, rules, "no rights on objects of ours are lost with a namespace")
		require.Equal(t, len(namespaces) > 0, limited, "the account may not write elsewhere")
	}
}

func renderChart(t *testing.T, change map[string]any) []*unstructured.Unstructured {
	t.Helper()
	const chart = "../../charts/rad-controller/"
	text, err := os.ReadFile(chart + "values.yaml")
	require.NoError(t, err)
	values := map[string]any{}
	require.NoError(t, yaml.Unmarshal(text, &values))
	for k, v := range change {
		values[k] = v
	}
	files, err := filepath.Glob(chart + "templates/*.yaml")
	require.NoError(t, err)
	var objects []*unstructured.Unstructured
	for _, file := range files {
		if slices.Contains([]string{"crds.yaml", "admission.yaml"}, filepath.Base(file)) {
			continue // the tests of the control plane install them
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		functions := template1.FuncMap{
			"toJson": func(v any) string { b, _ := json.Marshal(v); return string(b) },
			"join": func(sep string, v []any) string {
				var parts []string
				for _, p := range v {
					parts = append(parts, p.(string))
				}
				return strings.Join(parts, sep)
			},
			"required": func(_ string, v any) any { return v },
			"default": func(other, v any) any {
				if v == nil || reflect.ValueOf(v).Len() == 0 {
					return other
				}
				return v
			},
			"list":       func(v ...any) []any { return v },
			"add":        func(a, b int) int { return a + b },
			"mul":        func(a, b int) int { return a * b },
			"trimSuffix": func(suffix, s string) string { return strings.TrimSuffix(s, suffix) },
			"int":        func(s string) int { n, _ := strconv.Atoi(s); return n },
			"sha256sum":  func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) },
			"ternary": func(yes, no any, is bool) any {
				if is {
					return yes
				}
				return no
			},
			"lookup": func(...string) map[string]any { return nil }, // as without a cluster
		}
		tpl, err := template1.New(file).Funcs(functions).Option("missingkey=error").Parse(string(text))
		require.NoError(t, err)
		var out bytes.Buffer
		require.NoError(t, tpl.Execute(&out, map[string]any{"Values": values, "Release": map[string]any{"Name": "demo", "Namespace": "sys"}}))
		for _, doc := range strings.Split(out.String(), "\n---\n") {
			if strings.TrimSpace(doc) == "" {
				continue
			}
			o := &unstructured.Unstructured{}
			require.NoError(t, yaml.UnmarshalStrict([]byte(doc), &o.Object), "%s", doc)
			objects = append(objects, o)
		}
	}
	return objects
}

// Every file that a kustomization names is there, and every document has a kind.
func TestTheKustomizations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../config/*/kustomization.yaml")
	require.NoError(t, err)
	require.Greater(t, len(files), 5)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var k struct{ Resources []string }
		require.NoError(t, yaml.Unmarshal(text, &k))
		for _, r := range k.Resources {
			path := filepath.Join(filepath.Dir(file), r)
			info, err := os.Stat(path)
			require.NoError(t, err)
			if info.IsDir() {
				require.FileExists(t, filepath.Join(path, "kustomization.yaml"))
				continue
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, doc := range strings.Split(string(text), "\n---\n") {
				o := &unstructured.Unstructured{}
				require.NoError(t, yaml.UnmarshalStrict([]byte(doc), &o.Object), path)
				require.NotEmpty(t, o.GetKind(), path)
			}
		}
	}
}
