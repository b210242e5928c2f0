package typelib_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func TestKubernetesBodies(t *testing.T) {
	t.Parallel()
	var k typelib.Kubernetes
	body := func(name string, flags types.GenerationFlags) *types.Object {
		r := k.DefinedType(nil, reference(name), flags)
		require.NotNil(t, r, "%s is not known", name)
		return r.Body.Type().(*types.Object)
	}
	deployment := body("apps/deployment@V1", 0)
	for _, c := range []struct {
		want string
		path []string
	}{
		{"'apps/v1'", []string{"apiVersion"}},
		{"int", []string{"spec", "replicas"}},
		{"string", []string{"spec", "template", "spec", "containers", "env", "valueFrom", "secretKeyRef", "key"}},
		{"string", []string{"spec", "template", "spec", "containers", "livenessProbe", "httpGet", "port"}},
		{"any", []string{"spec", "template", "spec", "volumes", "csi"}},
		{"string[]", []string{"spec", "template", "spec", "containers", "command"}},
		{"string", []string{"spec", "selector", "matchLabels", "*"}},
	} {
		assert.Equal(t, c.want, at(t, deployment, c.path...).String(), "%v", c.path)
	}
	container := at(t, deployment, "spec", "template", "spec", "containers").(*types.Array).Item.Type().(*types.Object)
	require.Nil(t, deployment.Additional, "a misspelt property is taken")
	require.Nil(t, container.Additional, "a misspelt property is taken")
	require.Nil(t, container.Property("imag"), "a misspelt property is taken")
	assert.True(t, at(t, deployment, "spec").(*types.Object).Property("selector").Flags.Has(types.Required), "the selector may be left out")
	assert.True(t, has(deployment, "metadata", types.Required|types.LoopVariant), "the metadata may be left out")
	o := body("core/Node@v1", 0)
	require.NotNil(t, o.Additional, "the body of a kind that is known by its name alone is closed")
	require.NotNil(t, o.Property("metadata"), "the body of a kind that is known by its name alone is closed")
	existing := body("core/Service@v1", types.ExistingResource)
	metadata := at(t, existing, "metadata").(*types.Object)
	if !existing.Property("spec").Flags.Has(types.ReadOnly) || existing.Property("metadata").Flags.Has(types.ReadOnly) ||
		metadata.Property("name").Flags.Has(types.ReadOnly) || !metadata.Property("labels").Flags.Has(types.ReadOnly) {
		t.Errorf("existing: %s", describe(existing))
	}
	require.Nil(t, body("autoscaling/HorizontalPodAutoscaler@v2", 0).Additional, "one version of a kind has the shape of another")
	require.NotNil(t, body("autoscaling/HorizontalPodAutoscaler@v1", 0).Additional, "one version of a kind has the shape of another")
	require.False(t, k.HasDefinedType(reference("core/Service@v2")), "a kind is known that Kubernetes has not")
	require.False(t, k.HasDefinedType(reference("gateway.networking.k8s.io/HTTPRoute@v1")), "a kind is known that Kubernetes has not")
}

// The bodies of the common kinds refuse what they do not know.
func TestKubernetesShapes(t *testing.T) {
	t.Parallel()
	var k typelib.Kubernetes
	for _, n := range []string{"networking.k8s.io/Ingress", "networking.k8s.io/NetworkPolicy", "policy/PodDisruptionBudget",
		"rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole", "rbac.authorization.k8s.io/RoleBinding",
		"rbac.authorization.k8s.io/ClusterRoleBinding", "core/ConfigMap", "core/Secret", "core/Namespace", "core/ServiceAccount", "core/Service", "core/PersistentVolumeClaim",
		"core/Pod", "apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet", "apps/DaemonSet", "batch/Job", "batch/CronJob"} {
		r := k.DefinedType(nil, reference(n+"@v1"), 0)
		require.NotNil(t, r, "%s has no shape", n)
		require.Nil(t, r.Body.Type().(*types.Object).Additional, "%s has no shape", n)
	}
}
