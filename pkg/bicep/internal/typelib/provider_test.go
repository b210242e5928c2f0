package typelib_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// extension returns the provider of an archive with one file of types.
func extension(t *testing.T, index, text string) *typelib.Extension {
	t.Helper()
	a, err := typelib.NewArchive(pack(t, file{"index.json", index}, file{"t.json", text}))
	require.NoError(t, err)
	l, err := typelib.OpenLibrary(a)
	require.NoError(t, err)
	return typelib.NewExtension(l)
}

func object(t *testing.T, p types.ResourceTypeProvider, name string, flags types.GenerationFlags) *types.Object {
	t.Helper()
	r := p.DefinedType(nil, reference(name), flags)
	require.NotNil(t, r, "%s is not known", name)
	return r.Body.Type().(*types.Object)
}

func has(o *types.Object, property string, flags types.PropertyFlags) bool {
	p := o.Property(property)
	return p != nil && p.Flags.Has(flags)
}

// What the language adds to a body that an archive describes.
func TestFlagsOfBodies(t *testing.T) {
	t.Parallel()
	e := extension(t, `{"resources": {"A/b@v1": {"$ref": "t.json#/1"}, "A/b@v2": {"$ref": "t.json#/1"}, "A/c@v1": {"$ref": "t.json#/1"}}, "settings": {"name": "A", "version": "1"}}`,
		`[{"$type": "StringType"}, {"$type": "ResourceType", "name": "A/b@v1", "body": {"$ref": "#/2"}},
 {"$type": "ObjectType", "name": "B", "additionalProperties": {"$ref": "#/0"}, "properties": {
  "name": {"type": {"$ref": "#/0"}, "flags": 17}, "kind": {"type": {"$ref": "#/0"}, "flags": 1}, "secret": {"type": {"$ref": "#/0"}, "flags": 4},
  "region": {"type": {"$ref": "#/0"}, "flags": 9}, "note": {"type": {"$ref": "#/0"}, "flags": 0}}}]`)
	o := object(t, e, "A/b@v1", 0)
	require.True(t, has(o, "name", types.SystemProperty|types.LoopVariant|types.ResourceIdentifier), "system properties are not those that identify a resource")
	require.False(t, has(o, "kind", types.SystemProperty), "system properties are not those that identify a resource")
	require.True(t, has(o, "secret", types.WriteOnly), "what the archive says of writing and of null is lost")
	require.True(t, has(o, "note", types.AllowImplicitNull), "what the archive says of writing and of null is lost")
	require.False(t, has(o, "kind", types.AllowImplicitNull), "what the archive says of writing and of null is lost")
	require.True(t, has(o, "region", types.ReadableAtDeployTime|types.DeployTimeConstant), "what can be read when the deployment starts is not what is constant and required")
	require.False(t, has(o, "kind", types.ReadableAtDeployTime), "what can be read when the deployment starts is not what is constant and required")
	assert.False(t, o.Additional.Flags.Has(types.ReadOnly), "no further property may be set")
	existing := object(t, e, "A/b@v1", types.ExistingResource)
	if !existing.Additional.Flags.Has(types.ReadOnly) || !has(existing, "kind", types.ReadOnly) || has(existing, "kind", types.Required) || has(existing, "name", types.ReadOnly) {
		t.Errorf("existing: %s", describe(existing))
	}
}

// The first release of Microsoft Graph does not say what identifies its resources.
func TestGraphFlags(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"0.1.8-preview": true, "0.1.9-preview": false} {
		e := extension(t, `{"resources": {"Microsoft.Graph/groups@v1.0": {"$ref": "t.json#/1"}}, "settings": {"name": "MicrosoftGraph", "version": "`+version+`"}}`,
			`[{"$type": "StringType"}, {"$type": "ResourceType", "name": "Microsoft.Graph/groups@v1.0", "body": {"$ref": "#/2"}},
 {"$type": "ObjectType", "name": "Group", "properties": {"uniqueName": {"type": {"$ref": "#/0"}, "flags": 1}, "name": {"type": {"$ref": "#/0"}, "flags": 1}}}]`)
		o := object(t, e, "Microsoft.Graph/groups@v1.0", 0)
		got := has(o, "uniqueName", types.ResourceIdentifier)
		require.Equal(t, want, got, "%s: uniqueName identifies a group", version)
		require.False(t, has(o, "name", types.ResourceIdentifier), "%s: uniqueName identifies a group: %v", version, got)
		assert.True(t, o.Flags() == types.WarnOnTypeMismatch|types.WarnOnPropertyMismatch, "%s: mistakes are not warnings", version)
	}
}

// Older archives have one set of scopes, and say which of them are for reading.
func TestOlderScopes(t *testing.T) {
	t.Parallel()
	const group, subscription = types.ScopeResourceGroup, types.ScopeSubscription
	for _, c := range []struct {
		says            string
		scopes, reading types.ResourceScope
		flags           types.ResourceFlags
	}{
		{`"scopeType": 8`, group, 0, 0},
		{`"scopeType": 8, "flags": 1`, group, group, types.ResourceReadOnly},
		{`"scopeType": 12, "readOnlyScopes": 4`, group | subscription, subscription, 0},
		{`"readableScopes": 12, "writableScopes": 8`, group | subscription, subscription, 0},
	} {
		e := extension(t, `{"resources": {"A/b@v1": {"$ref": "t.json#/0"}}, "settings": {"name": "A", "version": "1"}}`,
			`[{"$type": "ResourceType", "name": "A/b@v1", "body": {"$ref": "#/1"}, `+c.says+`}, {"$type": "ObjectType", "name": "B", "properties": {}}]`)
		r := e.DefinedType(nil, reference("A/b@v1"), 0)
		require.Equal(t, c.scopes, r.ParentScopes, "%s: scopes %s, of which only for reading %s, flags %d", c.says, r.ParentScopes, r.ReadOnlyScopes, r.ResourceFlags)
		require.Equal(t, c.reading, r.ReadOnlyScopes, "%s: scopes %s, of which only for reading %s, flags %d", c.says, r.ParentScopes, r.ReadOnlyScopes, r.ResourceFlags)
		require.Equal(t, c.flags, r.ResourceFlags, "%s: scopes %s, of which only for reading %s", c.says, r.ParentScopes, r.ReadOnlyScopes)
	}
}

// A function asks the deployment for a value if its expression calls externalInput.
func TestFunctionsOfArchives(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]struct{ evaluated, asks bool }{
		`" \n"`:                                {false, false},
		`"[externalInput('p')]"`:               {true, true},
		`"[concat('externalInput(', 'p')]"`:    {true, false},
		`"[concat('a', externalInput ('p'))]"`: {true, true},
		`"[myexternalInput('p')]"`:             {true, false},
		`"[externalInputs('p')]"`:              {true, false},
	} {
		e := extension(t, `{"resources": {}, "settings": {"name": "A", "version": "1"}, "namespaceFunctions": [{"$ref": "t.json#/1"}]}`,
			`[{"$type": "StringType"}, {"$type": "NamespaceFunctionType", "name": "f", "evaluatedLanguageExpression": `+expression+`, "outputType": {"$ref": "#/0"},
 "parameters": [{"name": "a", "type": {"$ref": "#/0"}, "flags": 5}, {"name": "b", "type": {"$ref": "#/0"}}]}]`)
		f := e.Library().Functions(typelib.BicepFile)[0]
		assert.Equal(t, want.evaluated, f.Evaluator == types.EvaluateExtension, "%s: evaluated", expression)
		assert.Equal(t, want.asks, f.Flags.Has(types.RequiresExternalInput), "%s: asks the deployment", expression)
		if f.Params[0].Flags != types.ParamRequired|types.ParamDeployTimeConstant || f.Params[1].Flags != 0 {
			t.Errorf("flags of the parameters: %b, %b", f.Params[0].Flags, f.Params[1].Flags)
		}
	}
}

func TestAWSBodies(t *testing.T) {
	t.Parallel()
	var aws typelib.AWS
	bucket := aws.DefinedType(nil, reference("AWS.S3/Bucket@default"), 0)
	if !slices.Equal(bucket.Identifiers, types.UniqueIdentifiers(bucket.Body.Type())) {
		t.Errorf("identified by %v, but by its properties' flags by %v", bucket.Identifiers, types.UniqueIdentifiers(bucket.Body.Type()))
	}
	if o := object(t, &aws, "AWS.S3/Bucket@default", 0); o.Additional.Flags.Has(types.ReadOnly) || o.Property("dependsOn") == nil || has(o, "name", types.ReadOnly) {
		t.Errorf("a bucket: %s", describe(o))
	}
	o := object(t, &aws, "AWS.S3/Bucket@default", types.ExistingResource)
	if !o.Additional.Flags.Has(types.ReadOnly) || o.Property("dependsOn") != nil || !has(o, "name", types.ReadOnly) || has(o, "alias", types.ReadOnly) {
		t.Errorf("an existing bucket: %s", describe(o))
	}
}

func TestAzBodies(t *testing.T) {
	t.Parallel()
	var az typelib.Az
	fallback := func(name string) *types.Object {
		return az.FallbackType(nil, reference(name), 0).Body.Type().(*types.Object)
	}
	require.False(t, az.HasDefinedType(reference("Microsoft.Web/sites/providers/locks@2020-05-01")), "the type of an extension resource is the part behind `providers`")
	require.True(t, az.HasDefinedType(reference("Microsoft.Web/sites/locks@2020-05-01")), "the type of an extension resource is the part behind `providers`")
	site := object(t, &az, "Microsoft.Web/sites@2022-03-01", 0)
	if !has(site, "name", types.Required) || site.Additional != nil || site.Property("resourceGroup") != nil {
		t.Errorf("a site: %s", describe(site))
	}
	require.True(t, has(site, "placement", types.FallbackProperty), "`placement` is not known to be of machines alone")
	require.False(t, has(site, "kind", types.FallbackProperty), "`placement` is not known to be of machines alone")
	require.False(t, has(object(t, &az, "Microsoft.Compute/virtualMachines@2024-07-01", 0), "placement", types.FallbackProperty), "`placement` is not known to be of machines alone")
	require.NotNil(t, object(t, &az, "Microsoft.Compute/virtualMachines@2024-07-01", 0).Additional, "the types with unusual properties are others")
	require.NotNil(t, object(t, &az, "Microsoft.Billing/x@2019-10-01", 0).Additional, "the types with unusual properties are others")
	require.Nil(t, object(t, &az, "Microsoft.Billing/x@2020-05-01", 0).Additional, "the types with unusual properties are others")
	assert.True(t, at(t, fallback("Contoso.Things/widgets@2024-01-01"), "identity").(*types.Object).Property("type").Flags.Has(types.Required), "the type of an identity may be left out")
	require.Nil(t, fallback("Contoso.Things/widgets@2024-01-01").Property("systemData"), "a type that the library has and one that it has not have the same properties")
	require.NotNil(t, site.Property("systemData"), "a type that the library has and one that it has not have the same properties")
	if d := object(t, &az, "microsoft.resources/deployments@2022-09-01", 0); !has(d, "subscriptionId", types.DeployTimeConstant) || !has(d, "resourceGroup", types.DeployTimeConstant) {
		t.Errorf("a deployment: %s", describe(d))
	}
}
