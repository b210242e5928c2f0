package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// manifests are the goldens of the command's samples, of both targets.
func manifests(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	files, err := filepath.Glob("../../../testdata/*/manifest*.yaml")
	require.NoError(t, err)
	found := map[string]*unstructured.Unstructured{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		o := map[string]any{}
		require.NoError(t, yaml.Unmarshal(text, &o), file)
		if o["kind"] == "DeploymentTemplate" {
			found[strings.TrimPrefix(filepath.ToSlash(file), "../../../testdata/")] = &unstructured.Unstructured{Object: o}
		}
	}
	require.Greater(t, len(found), 30, "the samples of the command are beside the controller")
	return found
}

// Every manifest that the command writes is taken, kept as it is, and unchanged when it is applied again.
func TestEveryManifestIsAppliedAndReadBack(t *testing.T) {
	t.Parallel()
	ctx, c := context.Background(), newClient(t, cluster)
	radiusShape := 0
	for file, manifest := range manifests(t) {
		if strings.Contains(file, "radius") {
			radiusShape++
		}
		name := strings.NewReplacer("/", "-", "_", "-").Replace(file)
		o := manifest.DeepCopy()
		o.SetNamespace("manifests")
		o.SetName(strings.ToLower(name))
		apply := func() *unstructured.Unstructured {
			in := o.DeepCopy()
			require.NoError(t, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(in), client.FieldOwner("test"), client.ForceOwnership), file)
			out := &unstructured.Unstructured{}
			out.SetGroupVersionKind(o.GroupVersionKind())
			require.NoError(t, c.Get(ctx, client.ObjectKeyFromObject(o), out), file)
			return out
		}
		first := apply()
		require.Equal(t, canonical(t, o.Object["spec"]), canonical(t, first.Object["spec"]), file)
		observed, _, _ := unstructured.NestedInt64(first.Object, "status", "observedGeneration")
		require.Equal(t, int64(-1), observed, "a fresh object must not look finished")
		// The first time after the creation, the server may write down the default of the status.
		second := apply()
		require.Equal(t, int64(1), second.GetGeneration(), "%s is changed by applying it again", file)
		require.Equal(t, canonical(t, second.Object), canonical(t, apply().Object), "%s is changed by applying it again", file)
		// This is what kubectl apply compares without --server-side.
		require.Empty(t, patchOf(t, o, second), "%s is not unchanged for kubectl", file)
	}
	require.Greater(t, radiusShape, 10)
}

// patchOf is the patch that brings what is in want into got.
func patchOf(t *testing.T, want, got *unstructured.Unstructured) map[string]any {
	merged := got.DeepCopy()
	for k, v := range want.Object["spec"].(map[string]any) {
		merged.Object["spec"].(map[string]any)[k] = v
	}
	data, err := client.MergeFrom(got).Data(merged)
	require.NoError(t, err)
	patch := map[string]any{}
	require.NoError(t, json.Unmarshal(data, &patch))
	return patch
}

func canonical(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func TestWhatTheSchemaRefuses(t *testing.T) {
	t.Parallel()
	ctx, c := context.Background(), newClient(t, cluster)
	for name, tt := range map[string]struct {
		spec string
		want string
	}{
		"no-template":        {`{}`, "spec.template"},
		"empty-template":     {`{"template": ""}`, "spec.template"},
		"yaml-template":      {`{"template": "resources: []"}`, "begins with {"},
		"number-parameters":  {`{"template": "{}", "parameters": 5}`, "spec.parameters"},
		"boolean-parameters": {`{"template": "{}", "parameters": true}`, "spec.parameters"},
		"list-parameters":    {`{"template": "{}", "parameters": []}`, "spec.parameters"},
		"typed-map":          {`{"template": "{}", "parameters": {"port": 3000}}`, "spec.parameters.port"},
		"list-config":        {`{"template": "{}", "providerConfig": []}`, "spec.providerConfig"},
		"no-scope":           {`{"template": "{}", "providerConfig": {"radius": {"type": "Radius", "value": {}}}}`, "scope"},
		"bad-scope":          {`{"template": "{}", "providerConfig": {"radius": {"type": "Radius", "value": {"scope": "default"}}}}`, "scope"},
	} {
		o := &unstructured.Unstructured{}
		require.NoError(t, json.NewDecoder(bytes.NewBufferString(`{"apiVersion":"radapp.io/v1alpha3","kind":"DeploymentTemplate","spec":`+tt.spec+`}`)).Decode(&o.Object))
		o.SetNamespace("refused")
		o.SetName(name)
		err := c.Create(ctx, o)
		require.Error(t, err, name)
		require.Contains(t, err.Error(), tt.want, name)
	}
	dr := &v1alpha3.DeploymentResource{Spec: v1alpha3.DeploymentResourceSpec{ID: "/planes/a"}}
	dr.Namespace, dr.Name = "refused", "resource"
	require.NoError(t, c.Create(ctx, dr))
	dr.Spec.ID = "/planes/b"
	require.ErrorContains(t, c.Update(ctx, dr), "cannot be changed")
}

// Every field of the Go types is in the schemas, and the other way round.
func TestTheSchemasHaveTheFieldsOfTheTypes(t *testing.T) {
	t.Parallel()
	for file, object := range map[string]any{
		"radapp.io_deploymenttemplates.yaml": reflect.TypeOf(v1alpha3.DeploymentTemplate{}),
		"radapp.io_deploymentresources.yaml": reflect.TypeOf(v1alpha3.DeploymentResource{}),
	} {
		text, err := os.ReadFile("../../config/crd/" + file)
		require.NoError(t, err)
		crd := map[string]any{}
		require.NoError(t, yaml.Unmarshal(text, &crd))
		versions, _, _ := unstructured.NestedSlice(crd, "spec", "versions")
		schema, _, _ := unstructured.NestedMap(versions[0].(map[string]any), "schema", "openAPIV3Schema")
		compareFields(t, file, schema, object)
	}
}
