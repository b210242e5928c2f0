// Package capi proves that clusters which Crossplane observes come alive in Cluster API: what --target crossplane writes is
// applied to a kube-apiserver, Cluster API's own reconcilers run on it, and a stand-in of Crossplane observes. `make capi`
// runs it.
package capi

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/cluster-api/core/reconcilers/cluster"
	"sigs.k8s.io/cluster-api/core/reconcilers/machinepool"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/internal/imported"
)

// The modules whose CRDs are installed, and the label that says which contract of Cluster API they keep.
var modules = []struct {
	version, folder, contract, value string
	kinds                            []string
}{
	{"sigs.k8s.io/cluster-api@v1.14.2", "core/config/crd/bases", "", "", []string{"clusters", "machinepools", "machines", "machinedeployments", "machinesets", "clusterclasses"}},
	{"sigs.k8s.io/cluster-api-provider-azure@v1.21.0", "config/crd/bases", "cluster.x-k8s.io/v1beta1", "v1beta1",
		[]string{"azureasomanagedclusters", "azureasomanagedmachinepools"}},
	{"sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0", "config/crd/bases", "cluster.x-k8s.io/v1beta1", "v1beta1_v1beta2",
		[]string{"awsmanagedclusters", "awsmanagedcontrolplanes", "awsmanagedmachinepools"}},
	{"sigs.k8s.io/cluster-api-provider-gcp@v1.13.1", "config/crd/bases", "cluster.x-k8s.io/v1beta1", "v1beta1",
		[]string{"gcpmanagedclusters", "gcpmanagedcontrolplanes", "gcpmanagedmachinepools"}},
}

func crds(t *testing.T) (list []*apiextensionsv1.CustomResourceDefinition) {
	for _, m := range modules {
		answer, err := exec.Command("go", "mod", "download", "-json", m.version).Output()
		require.NoError(t, err, m.version)
		var module struct{ Dir string }
		require.NoError(t, json.Unmarshal(answer, &module))
		for _, kind := range m.kinds {
			files, err := filepath.Glob(filepath.Join(module.Dir, m.folder, "*_"+kind+".yaml"))
			require.NoError(t, err)
			require.Len(t, files, 1, kind)
			text, err := os.ReadFile(files[0])
			require.NoError(t, err)
			crd := &apiextensionsv1.CustomResourceDefinition{}
			require.NoError(t, yaml.Unmarshal(text, crd))
			crd.Spec.Conversion = nil // there is no webhook here
			if m.contract != "" {
				crd.Labels = map[string]string{m.contract: m.value}
			}
			list = append(list, crd)
		}
	}
	// Of Crossplane's kinds it matters only that they have a status.
	for _, one := range []string{"KubernetesCluster.containerservice.azure.m.upbound.io", "KubernetesClusterNodePool.containerservice.azure.m.upbound.io",
		"Cluster.eks.aws.m.upbound.io", "NodeGroup.eks.aws.m.upbound.io", "ClusterAuth.eks.aws.m.upbound.io",
		"Cluster.container.gcp.m.upbound.io", "NodePool.container.gcp.m.upbound.io"} {
		kind, group, _ := strings.Cut(one, ".")
		plural, free := strings.ToLower(kind)+"s", true
		list = append(list, &apiextensionsv1.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group},
			Spec: apiextensionsv1.CustomResourceDefinitionSpec{Group: group, Scope: apiextensionsv1.NamespaceScoped,
				Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, ListKind: kind + "List", Plural: plural, Singular: strings.ToLower(kind)},
				Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1beta1", Served: true, Storage: true,
					Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
					Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
						Type: "object", XPreserveUnknownFields: &free}}}}}})
	}
	return list
}

// noNodes is the cache for pools, which look at the nodes of their cluster: there are none.
type noNodes struct {
	clustercache.ClusterCache
	nodes client.Client
}

func (n noNodes) GetClient(context.Context, client.ObjectKey) (client.Client, error) {
	return n.nodes, nil
}

// world is an API server with Cluster API's reconcilers and ours.
type world struct {
	t   *testing.T
	ctx context.Context
	c   client.Client
	r   *imported.Reconciler
}

func begin(t *testing.T) *world {
	bin, err := filepath.Abs("../../bin/e2e")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(bin, "kube-apiserver")); err != nil {
		t.Skip("bin/e2e holds no kube-apiserver; make e2e-plane builds it")
	}
	scheme := runtime.NewScheme()
	require.NoError(t, corev1.AddToScheme(scheme))
	require.NoError(t, clusterv1.AddToScheme(scheme))
	require.NoError(t, apiextensionsv1.AddToScheme(scheme))
	env := &envtest.Environment{BinaryAssetsDirectory: bin, CRDs: crds(t), Scheme: scheme}
	config, err := env.Start()
	require.NoError(t, err)
	t.Cleanup(func() { _ = env.Stop() })
	ctrl.SetLogger(logr.Discard())
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	mgr, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}})
	require.NoError(t, err)
	empty := clustercache.NewFakeEmptyClusterCache()
	require.NoError(t, (&cluster.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), ClusterCache: empty,
		RemoteConnectionGracePeriod: time.Minute}).SetupWithManager(ctx, mgr, controller.Options{}))
	connected := noNodes{empty, fake.NewClientBuilder().WithScheme(scheme).Build()}
	require.NoError(t, (&machinepool.Reconciler{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), ClusterCache: connected}).
		SetupWithManager(ctx, mgr, controller.Options{}))
	go func() { _ = mgr.Start(ctx) }()
	c, err := client.New(config, client.Options{Scheme: scheme})
	require.NoError(t, err)
	limited, err := client.New(withRights(t, ctx, env, c), client.Options{Scheme: scheme})
	require.NoError(t, err)
	w := &world{t: t, ctx: ctx, c: c, r: &imported.Reconciler{Client: limited, Recorder: events.NewFakeRecorder(100)}}
	require.NoError(t, c.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "fleet"}}))
	return w
}

// withRights returns the configuration of a user who has the rights that the chart gives the controller for imported clusters,
// and no others.
func withRights(t *testing.T, ctx context.Context, env *envtest.Environment, c client.Client) *rest.Config {
	user, err := env.AddUser(envtest.User{Name: "controller"}, nil)
	require.NoError(t, err)
	chart, err := os.ReadFile("../../charts/rad-controller/templates/imported.yaml")
	require.NoError(t, err)
	role, _, _ := strings.Cut(strings.ReplaceAll(string(chart), "{{ .Release.Name }}", "x"), "---\n")
	_, role, _ = strings.Cut(role, "}}\n")
	for _, text := range []string{role, `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: x}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: x-imported-clusters}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: controller}]`} {
		o := &unstructured.Unstructured{}
		require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object))
		require.NoError(t, c.Create(ctx, o))
	}
	return user.Config()
}

// until looks, as the controller does every few seconds, until a condition holds.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		require.NoError(w.t, w.r.Look(w.ctx))
		if ok() {
			return
		}
	}
	w.t.Fatal(what)
}

// apply applies the objects of a program, but for the Object that copies the kubeconfig.
func (w *world) apply(golden string) (list []*unstructured.Unstructured) {
	text, err := os.ReadFile(filepath.Join("../../../testdata/targets/crossplane", golden))
	require.NoError(w.t, err)
	for document := range strings.SplitSeq(string(text), "---\n") {
		o := &unstructured.Unstructured{}
		require.NoError(w.t, yaml.Unmarshal([]byte(document), &o.Object))
		if o.GetKind() == "Object" {
			continue
		}
		o.SetNamespace("fleet")
		require.NoError(w.t, w.c.Create(w.ctx, o))
		list = append(list, o)
	}
	return list
}

// observe is what Crossplane does: it writes what it sees into the status of its object.
func (w *world) observe(group, kind, name string, synced metav1.ConditionStatus, atProvider map[string]any) {
	w.t.Helper()
	text, err := json.Marshal(map[string]any{"status": map[string]any{"atProvider": atProvider, "conditions": []any{
		map[string]any{"type": "Synced", "status": synced, "reason": "R", "message": "forbidden", "lastTransitionTime": "2026-01-01T00:00:00Z"}}}})
	require.NoError(w.t, err)
	o := w.get(group+"/v1beta1", kind, name)
	require.NoError(w.t, w.c.Status().Patch(w.ctx, o, client.RawPatch(types.MergePatchType, text), client.FieldOwner("crossplane")))
}

func (w *world) get(apiVersion, kind, name string) *unstructured.Unstructured {
	w.t.Helper()
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	require.NoError(w.t, w.c.Get(w.ctx, types.NamespacedName{Namespace: "fleet", Name: name}, o))
	return o
}

func text(o *unstructured.Unstructured, path ...string) string {
	s, _, _ := unstructured.NestedString(o.Object, path...)
	return s
}

// condition returns the reason of our condition.
func condition(o *unstructured.Unstructured) string {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range list {
		if one := c.(map[string]any); one["type"] == imported.Condition {
			return one["reason"].(string)
		}
	}
	return ""
}

const core = "cluster.x-k8s.io/v1beta2"

// TestImportedClusters: Cluster API's own reconcilers take the clusters for provisioned.
func TestImportedClusters(t *testing.T) {
	w := begin(t)
	for _, program := range []struct {
		golden, group, kind, poolKind string
		cluster, pool                 map[string]any
		count                         func(n int) map[string]any
		host, version, infrastructure string
	}{
		{"aks.yaml", "containerservice.azure.m.upbound.io", "KubernetesCluster", "KubernetesClusterNodePool",
			map[string]any{"fqdn": "shop.hcp.westeurope.azmk8s.io", "privateFqdn": "private"},
			map[string]any{"id": "/subscriptions/s/agentPools/p"}, func(n int) map[string]any { return map[string]any{"nodeCount": n} },
			"shop.hcp.westeurope.azmk8s.io", "", "AzureASOManagedCluster"},
		{"aks-paused.yaml", "containerservice.azure.m.upbound.io", "KubernetesCluster", "KubernetesClusterNodePool",
			map[string]any{"privateFqdn": "shop.privatelink"},
			map[string]any{"id": "/subscriptions/s/agentPools/p"}, func(n int) map[string]any { return map[string]any{"nodeCount": n} },
			"shop.privatelink", "", "AzureASOManagedCluster"},
		{"eks.yaml", "eks.aws.m.upbound.io", "Cluster", "NodeGroup",
			map[string]any{"endpoint": "https://ABC.gr7.eu-west-1.eks.amazonaws.com", "version": "1.33", "vpcConfig": map[string]any{"subnetIds": []any{"subnet-1", "subnet-2"}}},
			map[string]any{"arn": "arn:aws:eks:eu-west-1:1:nodegroup/shop/spot/1"},
			func(n int) map[string]any { return map[string]any{"scalingConfig": map[string]any{"desiredSize": n}} },
			"https://ABC.gr7.eu-west-1.eks.amazonaws.com", "v1.33", "AWSManagedCluster"},
		{"gke.yaml", "container.gcp.m.upbound.io", "Cluster", "NodePool",
			map[string]any{"endpoint": "203.0.113.1", "masterVersion": "1.33.1-gke.1"},
			map[string]any{"id": "projects/p/nodePools/n"}, func(n int) map[string]any { return map[string]any{"nodeCount": n} },
			"203.0.113.1", "", "GCPManagedCluster"},
	} {
		t.Run(program.golden, func(t *testing.T) {
			w := &world{t: t, ctx: w.ctx, c: w.c, r: w.r}
			objects, name := w.apply(program.golden), ""
			for _, o := range objects {
				if o.GetAPIVersion() == core && o.GetKind() == "Cluster" {
					name = o.GetName()
				}
			}
			secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: name + "-kubeconfig", Labels: map[string]string{"cluster.x-k8s.io/cluster-name": name}},
				Type: "cluster.x-k8s.io/secret", Data: map[string][]byte{"value": []byte("of Crossplane")}}
			require.NoError(t, w.c.Create(w.ctx, secret))
			w.until("the cluster is not said to be unobserved", func() bool { return condition(w.get(core, "Cluster", name)) == "NotObserved" })
			require.NotEqual(t, "Provisioned", text(w.get(core, "Cluster", name), "status", "phase"))

			w.observe(program.group, program.kind, name, metav1.ConditionTrue, program.cluster)
			w.until("the cluster is not provisioned", func() bool { return text(w.get(core, "Cluster", name), "status", "phase") == "Provisioned" })
			live := w.get(core, "Cluster", name)
			require.Equal(t, program.host, text(live, "spec", "controlPlaneEndpoint", "host"))
			if program.version != "" {
				control := w.get("controlplane.cluster.x-k8s.io/v1beta2", "AWSManagedControlPlane", name)
				require.Equal(t, program.version, text(control, "spec", "version"))
				subnets, _, _ := unstructured.NestedSlice(control.Object, "spec", "network", "subnets")
				require.Len(t, subnets, 2)
			}

			for _, o := range objects {
				if o.GetKind() != "MachinePool" {
					continue
				}
				for _, n := range []int{3, 5, 0} {
					pool := program.count(n)
					for k, v := range program.pool {
						pool[k] = v
					}
					w.observe(program.group, program.poolKind, o.GetName(), metav1.ConditionTrue, pool)
					w.until("the replicas do not follow", func() bool {
						live := w.get(core, "MachinePool", o.GetName())
						asked, _, _ := unstructured.NestedInt64(live.Object, "spec", "replicas")
						have, _, _ := unstructured.NestedInt64(live.Object, "status", "replicas")
						return asked == int64(n) && have == int64(n)
					})
				}
			}

			w.observe(program.group, program.kind, name, metav1.ConditionFalse, program.cluster)
			w.until("it is not told that Crossplane fails", func() bool { return condition(w.get(core, "Cluster", name)) == "NotSynced" })
			require.Equal(t, "Provisioned", text(w.get(core, "Cluster", name), "status", "phase"))

			// Somebody takes back what is written, twice.
			for range 2 {
				o := w.get("infrastructure.cluster.x-k8s.io/"+map[bool]string{true: "v1beta1", false: "v1beta2"}[program.version == ""], program.infrastructure, name)
				require.NoError(t, w.c.Status().Patch(w.ctx, o, client.RawPatch(types.MergePatchType, []byte(`{"status": {"ready": false}}`))))
				require.NoError(t, w.r.Look(w.ctx))
			}
			w.until("it is not told that somebody else writes", func() bool { return condition(w.get(core, "Cluster", name)) == "Contested" })

			require.NoError(t, w.c.Get(w.ctx, client.ObjectKeyFromObject(secret), secret))
			require.Equal(t, "of Crossplane", string(secret.Data["value"]))
			for _, o := range objects {
				if strings.HasSuffix(o.GroupVersionKind().Group, ".m.upbound.io") {
					require.Equal(t, o.GetGeneration(), w.get(o.GetAPIVersion(), o.GetKind(), o.GetName()).GetGeneration())
					for _, f := range w.get(o.GetAPIVersion(), o.GetKind(), o.GetName()).GetManagedFields() {
						require.Contains(t, []string{"crossplane", "capi.test"}, f.Manager, "%s is the cloud's", o.GetName())
					}
				}
			}
			require.NoError(t, w.c.Delete(w.ctx, w.get(core, "Cluster", name)))
			w.until("the cluster is not deleted", func() bool {
				o := &unstructured.Unstructured{}
				o.SetAPIVersion(core)
				o.SetKind("Cluster")
				return client.IgnoreNotFound(w.c.Get(w.ctx, types.NamespacedName{Namespace: "fleet", Name: name}, o)) == nil && o.GetName() == ""
			})
			for _, o := range append([]client.Object{secret}, asObjects(objects)...) {
				require.NoError(t, client.IgnoreNotFound(w.c.Delete(w.ctx, o)))
			}
		})
	}
}

func asObjects(list []*unstructured.Unstructured) (out []client.Object) {
	for _, o := range list {
		out = append(out, o)
	}
	return out
}
