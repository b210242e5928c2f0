package typelib_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func TestKubernetesBodies(t *testing.T) {
	t.Parallel()
	var k typelib.Kubernetes
	body := func(name string, flags types.GenerationFlags) *types.Object {
		r := k.DefinedType(nil, reference(name), flags)
		if r == nil {
			t.Fatalf("%s is not known", name)
		}
		return r.Body.Type().(*types.Object)
	}
	at := func(o *types.Object, path ...string) types.Type {
		var of types.Type = o
		for _, n := range path {
			if a, ok := of.(*types.Array); ok {
				of = a.Item.Type()
			}
			p := of.(*types.Object).Property(n)
			if p == nil {
				t.Fatalf("%s has no %s", of, n)
			}
			of = p.Type.Type()
		}
		return of
	}
	deployment := body("apps/deployment@V1", 0)
	for _, c := range []struct {
		want string
		path []string
	}{
		{"'apps/v1'", []string{"apiVersion"}},
		{"int", []string{"spec", "replicas"}},
		{"string", []string{"spec", "template", "spec", "containers", "env", "valueFrom", "secretKeyRef", "key"}},
		{"any", []string{"spec", "template", "spec", "volumes", "csi"}},
		{"string[]", []string{"spec", "template", "spec", "containers", "command"}},
	} {
		if got := at(deployment, c.path...).String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.path, got, c.want)
		}
	}
	if deployment.Additional != nil || at(deployment, "spec", "template", "spec", "containers").(*types.Array).Item.Type().(*types.Object).Property("imag") != nil {
		t.Error("a misspelt property is taken")
	}
	if p := at(deployment, "spec").(*types.Object).Property("selector"); !p.Flags.Has(types.Required) {
		t.Error("the selector may be left out")
	}
	if o := body("core/Node@v1", 0); o.Additional == nil || o.Property("metadata") == nil {
		t.Error("the body of a kind that is known by its name alone is closed")
	}
	existing := body("core/Service@v1", types.ExistingResource)
	if !existing.Property("spec").Flags.Has(types.ReadOnly) || existing.Property("metadata").Flags.Has(types.ReadOnly) ||
		at(existing, "metadata").(*types.Object).Property("name").Flags.Has(types.ReadOnly) ||
		!at(existing, "metadata").(*types.Object).Property("labels").Flags.Has(types.ReadOnly) {
		t.Errorf("existing: %s", describe(existing))
	}
	if body("autoscaling/HorizontalPodAutoscaler@v2", 0).Additional != nil || body("autoscaling/HorizontalPodAutoscaler@v1", 0).Additional == nil {
		t.Error("one version of a kind has the shape of another")
	}
	if k.HasDefinedType(reference("core/Service@v2")) || k.HasDefinedType(reference("gateway.networking.k8s.io/HTTPRoute@v1")) {
		t.Error("a kind is known that Kubernetes has not")
	}
}

// Every object that a shape leads to is there, and the shapes come to an end.
func TestKubernetesShapes(t *testing.T) {
	t.Parallel()
	var k typelib.Kubernetes
	seen := map[*types.Object]bool{}
	var visit func(types.Type)
	visit = func(of types.Type) {
		switch of := of.(type) {
		case *types.Array:
			visit(of.Item.Type())
		case *types.Object:
			if seen[of] {
				return
			}
			seen[of] = true
			if len(of.Properties) == 0 && of.Additional == nil {
				t.Errorf("%s is empty", of.Name)
			}
			for _, p := range of.Properties {
				visit(p.Type.Type())
			}
		}
	}
	for _, n := range []string{"networking.k8s.io/Ingress", "networking.k8s.io/NetworkPolicy", "policy/PodDisruptionBudget",
		"rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole", "rbac.authorization.k8s.io/RoleBinding",
		"rbac.authorization.k8s.io/ClusterRoleBinding", "core/ConfigMap", "core/Secret", "core/Namespace", "core/ServiceAccount", "core/Service", "core/PersistentVolumeClaim",
		"core/Pod", "apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet", "apps/DaemonSet", "batch/Job", "batch/CronJob"} {
		r := k.DefinedType(nil, reference(n+"@v1"), 0)
		if r == nil || r.Body.Type().(*types.Object).Additional != nil {
			t.Errorf("%s has no shape", n)
			continue
		}
		visit(r.Body.Type())
	}
}
