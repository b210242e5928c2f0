package imported

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// object makes an object from JSON, with the annotation unless it is Crossplane's.
func object(kind schema.GroupVersionKind, name, fields string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(fields), &o.Object); err != nil {
		panic(err)
	}
	o.SetGroupVersionKind(kind)
	o.SetNamespace("fleet")
	o.SetName(name)
	o.SetUID(types.UID(kind.Kind + name))
	if kind.Group != aksManaged && kind.Group != eksManaged && kind.Group != gkeManaged {
		o.SetAnnotations(map[string]string{ManagedBy: "crossplane"})
	}
	return o
}

func managed(name string) schema.GroupVersionKind { return provisioners[name].managed }

// world is an API server in memory.
type world struct {
	*testing.T
	c client.Client
	r *Reconciler
}

func begin(t *testing.T, list ...*unstructured.Unstructured) *world {
	b := fake.NewClientBuilder().WithScheme(runtime.NewScheme())
	for _, o := range list {
		b = b.WithObjects(o).WithStatusSubresource(o)
	}
	w := &world{T: t, c: b.Build()}
	w.r = &Reconciler{Client: w.c, Recorder: events.NewFakeRecorder(10)}
	return w
}

func (w *world) look(kind schema.GroupVersionKind, name string) *unstructured.Unstructured {
	w.Helper()
	require.NoError(w, w.r.Look(context.Background()))
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	require.NoError(w, w.c.Get(context.Background(), types.NamespacedName{Namespace: "fleet", Name: name}, o))
	return o
}

func (w *world) patch(kind schema.GroupVersionKind, name, status string) {
	w.Helper()
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	o.SetNamespace("fleet")
	o.SetName(name)
	require.NoError(w, w.c.Status().Patch(context.Background(), o, client.RawPatch(types.MergePatchType, []byte(`{"status":`+status+`}`))))
}

// fields returns the spec and the status.
func fields(o *unstructured.Unstructured) string {
	text, _ := json.Marshal([]any{o.Object["spec"], o.Object["status"]})
	return string(text)
}

// TestAKS goes from a cluster that is not observed to one of which Crossplane loses sight.
func TestAKS(t *testing.T) {
	observed := managed(aksCluster.Kind)
	w := begin(t, object(clusterKind, "shop", `{"spec": {"infrastructureRef": {"kind": "AzureASOManagedCluster"}}}`),
		object(aksCluster, "shop", `{"spec": {"resources": [{"kind": "Kept"}]}}`), object(observed, "shop", `{}`))
	reason := func() any { return conditionOf(w.look(clusterKind, "shop"), Condition)["reason"] }
	require.Equal(t, reasonNotObserved, reason())
	require.Equal(t, `[{"resources":[{"kind":"Kept"}]},null]`, fields(w.look(aksCluster, "shop")))

	w.patch(observed, "shop", `{"atProvider": {"location": "westeurope"}}`)
	require.Equal(t, reasonNotObserved, reason(), "it has no endpoint yet")

	w.patch(observed, "shop", `{"atProvider": {"privateFqdn": "private.example"}, "conditions": [{"type": "Synced", "status": "True"}]}`)
	require.Equal(t, reasonObserved, reason())
	const written = `[{"controlPlaneEndpoint":{"host":"private.example","port":443},"resources":[{"kind":"Kept"}]},{"initialization":{"provisioned":true},"ready":true}]`
	require.JSONEq(t, written, fields(w.look(aksCluster, "shop")))
	version := w.look(aksCluster, "shop").GetResourceVersion()
	require.Equal(t, version, w.look(aksCluster, "shop").GetResourceVersion(), "nothing is written again")

	w.patch(observed, "shop", `{"conditions": [{"type": "Synced", "status": "False", "message": "forbidden"}]}`)
	require.Equal(t, reasonNotSynced, reason())
	require.Contains(t, conditionOf(w.look(clusterKind, "shop"), Condition)["message"], "forbidden")
	require.JSONEq(t, written, fields(w.look(aksCluster, "shop")), "it stays as it was")
}

// TestContested: what another controller takes back is written again, but not for ever.
func TestContested(t *testing.T) {
	w := begin(t, object(clusterKind, "shop", `{"spec": {"infrastructureRef": {"kind": "AzureASOManagedCluster"}}}`),
		object(aksCluster, "shop", `{}`), object(managed(aksCluster.Kind), "shop", `{"status": {"atProvider": {"fqdn": "a"}}}`))
	ready := func() any { return w.look(aksCluster, "shop").Object["status"].(map[string]any)["ready"] }
	require.Equal(t, true, ready())
	w.patch(aksCluster, "shop", `{"ready": false}`)
	require.Equal(t, true, ready())
	w.patch(aksCluster, "shop", `{"ready": false}`)
	require.Equal(t, false, ready())
	require.Equal(t, reasonContested, conditionOf(w.look(clusterKind, "shop"), Condition)["reason"])
	require.Equal(t, false, ready())
}

// TestEKS: the URL, the version and the subnets of a cluster; the replicas of a pool.
func TestEKS(t *testing.T) {
	w := begin(t, object(clusterKind, "shop", `{"spec": {"infrastructureRef": {"kind": "AWSManagedCluster"}}}`),
		object(eksCluster, "shop", `{}`), object(eksControl, "shop", `{"spec": {"region": "eu-west-1"}}`),
		object(managed(eksCluster.Kind), "shop", `{"status": {"atProvider": {"endpoint": "https://a", "version": "1.33", "vpcConfig": [{"subnetIds": ["s1", "s2"]}]}}}`),
		object(poolKind, "shop-spot", `{"spec": {"template": {"spec": {"infrastructureRef": {"kind": "AWSManagedMachinePool"}}}}}`), object(eksPool, "shop-spot", `{}`),
		object(managed(eksPool.Kind), "shop-spot", `{"status": {"atProvider": {"arn": "arn:p", "scalingConfig": {"desiredSize": 3}}}}`))
	require.JSONEq(t, `[{"region": "eu-west-1", "version": "v1.33", "controlPlaneEndpoint": {"host": "https://a", "port": 443}, "network": {"subnets": [{"id": "s1"}, {"id": "s2"}]}},
		{"ready": true, "initialized": true, "externalManagedControlPlane": true, "initialization": {"controlPlaneInitialized": true}}]`, fields(w.look(eksControl, "shop")))
	require.JSONEq(t, `[{"controlPlaneEndpoint": {"host": "https://a", "port": 443}}, {"ready": true, "initialization": {"provisioned": true}}]`, fields(w.look(eksCluster, "shop")))
	require.JSONEq(t, `[{"providerIDList": ["aws:///arn:p"]}, {"ready": true, "replicas": 3, "initialization": {"provisioned": true}}]`, fields(w.look(eksPool, "shop-spot")))
	replicas, _, _ := unstructured.NestedInt64(w.look(poolKind, "shop-spot").Object, "spec", "replicas")
	require.EqualValues(t, 3, replicas)
}

// TestGKE: the address and the version of a cluster; the replicas of a pool, in all its zones.
func TestGKE(t *testing.T) {
	w := begin(t, object(clusterKind, "shop", `{"spec": {"infrastructureRef": {"kind": "GCPManagedCluster"}}}`),
		object(gkeCluster, "shop", `{"spec": {"region": "r"}}`), object(gkeControl, "shop", `{}`),
		object(managed(gkeCluster.Kind), "shop", `{"status": {"atProvider": {"endpoint": "10.0.0.1", "masterVersion": "1.33.1-gke.1"}}}`),
		object(poolKind, "shop-spot", `{"spec": {"template": {"spec": {"infrastructureRef": {"kind": "GCPManagedMachinePool"}}}}}`), object(gkePool, "shop-spot", `{}`),
		object(managed(gkePool.Kind), "shop-spot", `{"status": {"atProvider": {"id": "p", "nodeCount": 2, "nodeLocations": ["a", "b", "c"]}}}`))
	require.JSONEq(t, `[{"endpoint": {"host": "10.0.0.1", "port": 443}}, {"ready": true, "initialized": true, "version": "v1.33.1-gke.1", "initialization": {"controlPlaneInitialized": true}}]`, fields(w.look(gkeControl, "shop")))
	require.JSONEq(t, `[{"region": "r", "controlPlaneEndpoint": {"host": "10.0.0.1", "port": 443}}, {"ready": true, "initialization": {"provisioned": true}}]`, fields(w.look(gkeCluster, "shop")))
	require.JSONEq(t, `[{"providerIDList": ["gce:///p"]}, {"ready": true, "replicas": 6, "initialization": {"provisioned": true}}]`, fields(w.look(gkePool, "shop-spot")))
}

// TestOthersAreLeftAlone: objects without the annotation, of either side.
func TestOthersAreLeftAlone(t *testing.T) {
	infra := object(aksCluster, "shop", `{}`)
	infra.SetAnnotations(nil)
	other := object(clusterKind, "other", `{"spec": {"infrastructureRef": {"kind": "AzureASOManagedCluster"}}}`)
	other.SetAnnotations(map[string]string{ManagedBy: "somebody"})
	w := begin(t, object(clusterKind, "shop", `{"spec": {"infrastructureRef": {"kind": "AzureASOManagedCluster"}}}`), infra, other,
		object(managed(aksCluster.Kind), "shop", `{"status": {"atProvider": {"fqdn": "a"}}}`),
		object(managed(aksCluster.Kind), "other", `{"status": {"atProvider": {"fqdn": "a"}}}`))
	require.Equal(t, `[null,null]`, fields(w.look(aksCluster, "shop")))
	require.Empty(t, conditionOf(w.look(clusterKind, "other"), Condition))
}
