package typelib

import (
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// TestKubernetesParts holds the table together: every part that a field names
// is there, every kind is one that Kubernetes has, and nothing is listed twice.
func TestKubernetesParts(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, b := range kubernetesBodies {
		if known[b.name] {
			t.Errorf("%s is there twice", b.name)
		}
		known[b.name] = true
		if group, kind, ok := strings.Cut(b.name, "/"); ok {
			found := false
			for _, g := range kubernetesTypes {
				found = found || g.group == group && strings.Contains(" "+g.kinds+" ", " "+kind+" ")
			}
			if !found {
				t.Errorf("%s is no kind", b.name)
			}
		}
	}
	for _, b := range kubernetesBodies {
		fields := map[string]bool{}
		for f := range strings.FieldsSeq(b.fields) {
			name, of, _ := strings.Cut(f, ":")
			if fields[name] {
				t.Errorf("%s has %s twice", b.name, name)
			}
			fields[name] = true
			part := strings.TrimPrefix(of, "[]")
			if part != "" && part[0] != '{' && types.Builtin(part) == nil && !known[part] {
				t.Errorf("%s.%s: there is no part %s", b.name, name, part)
			}
		}
	}
}

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
