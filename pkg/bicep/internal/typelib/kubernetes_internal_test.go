package typelib

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func TestKubernetesFields(t *testing.T) {
	t.Parallel()
	var k Kubernetes
	ns := types.NewNamespace("k8s", types.NamespaceSettings{}, nil, nil, nil, nil, nil)
	r := k.DefinedType(ns, types.ParseResourceType("apps/Deployment@v1"), 0)
	at := r.Body.Type()
	for _, step := range []string{"spec", "template", "spec", "containers", "livenessProbe", "httpGet", "port"} {
		at = types.UnwrapArray(at)
		o, ok := at.(*types.Object)
		if !ok || o.Property(step) == nil {
			t.Fatalf("no %s in %s", step, at)
		}
		if o.Additional != nil {
			t.Errorf("%s takes any property", at)
		}
		at = o.Property(step).Type.Type()
	}
	open := k.DefinedType(ns, types.ParseResourceType("core/Node@v1"), 0).Body.Type().(*types.Object)
	if open.Additional == nil {
		t.Error("a kind of which little is known refuses what it may have")
	}
}
