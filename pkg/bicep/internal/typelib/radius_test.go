package typelib_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// at follows properties, through arrays and properties that are not named.
func at(t *testing.T, from types.Type, path ...string) types.Type {
	t.Helper()
	for _, name := range path {
		if a, ok := from.(*types.Array); ok {
			from = a.Item.Type()
		}
		o, ok := from.(*types.Object)
		require.True(t, ok, "%s has no properties, so no %s", from, name)
		switch p := o.Property(name); {
		case p != nil:
			from = p.Type.Type()
		case name == "*" && o.Additional != nil:
			from = o.Additional.Type.Type()
		default:
			t.Fatalf("%s has no %s", o, name)
		}
	}
	return from
}

func TestRadiusBodies(t *testing.T) {
	t.Parallel()
	radius := typelib.RadiusOf("")
	body := func(name string, flags types.GenerationFlags) *types.Object {
		return radius.DefinedType(nil, reference(name), flags).Body.Type().(*types.Object)
	}
	containers := body("applications.core/CONTAINERS@2023-10-01-preview", 0)
	for _, c := range []struct {
		want string
		path []string
	}{
		{"'Applications.Core/containers'", []string{"type"}},
		{"'2023-10-01-preview'", []string{"apiVersion"}},
		{"ContainerProperties", []string{"properties"}},
		{"'TCP' | 'UDP'", []string{"properties", "container", "ports", "*", "protocol"}},
		{"string[]", []string{"properties", "container", "command"}},
		{"Container", []string{"container"}},
		{"any", []string{"properties", "runtimes", "kubernetes", "pod", "*"}},
	} {
		assert.Equal(t, c.want, at(t, containers, c.path...).String(), "%v", c.path)
	}
	within := at(t, containers, "properties").(*types.Object)
	require.Nil(t, within.Additional, "a misspelt property is taken")
	require.Nil(t, within.Property("contaner"), "a misspelt property is taken")
	p := within.Property("application")
	require.True(t, p.Flags.Has(types.Required), "application: flags %b", p.Flags)
	require.False(t, p.Flags.Has(types.ReadOnly), "application: flags %b", p.Flags)
	p = containers.Property("application")
	require.True(t, p.Flags.Has(types.ReadOnly), "application beside properties: flags %b", p.Flags)
	require.False(t, p.Flags.Has(types.Required), "application beside properties: flags %b", p.Flags)
	probe := at(t, within, "container", "livenessProbe").(*types.DiscriminatedObject)
	assert.Equal(t, "command: string!; failureThreshold: int; initialDelaySeconds: int; kind: 'exec'!; periodSeconds: int; timeoutSeconds: int", describe(probe.Member("exec")), "a probe by exec")
	store := body("Applications.Core/secretStores@2023-10-01-preview", 0)
	assert.Nil(t, store.Property("data"), "what is within properties hides a property beside them")
	f := store.Methods.Find("listSecrets")
	require.NotNil(t, f, "listSecrets")
	require.Equal(t, "SecretStoreListSecretsResult", f.Overloads[0].Return.String(), "listSecrets: %v", f)
	assert.Equal(t, "(resourceType: string, name: string): RecipeGetMetadataResponse", body("Applications.Core/environments@2023-10-01-preview", 0).Methods.Find("getMetadata").Overloads[0].Signature(), "getMetadata")
	assert.True(t, at(t, body("Radius.Data/mySqlDatabases@2025-08-01-preview", 0), "properties", "password").Flags().Has(types.IsSecure), "a password is not a secret")
	existing := body("Applications.Core/applications@2023-10-01-preview", types.ExistingResource)
	if existing.Property("name").Flags.Has(types.ReadOnly) || !existing.Property("properties").Flags.Has(types.ReadOnly) || existing.Property("dependsOn") != nil {
		t.Errorf("existing: %s", describe(existing))
	}
}

// BenchmarkRadiusBody reads what the properties of a container are, without a cache.
func BenchmarkRadiusBody(b *testing.B) {
	ref := reference("Applications.Core/containers@2023-10-01-preview")
	b.ReportAllocs()
	for b.Loop() {
		typelib.ForgetShapes()
		walk(typelib.RadiusOf("").DefinedType(nil, ref, 0).Body.Type(), 3)
	}
}
