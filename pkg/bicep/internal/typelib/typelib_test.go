package typelib_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

type file struct{ name, text string }

func pack(t testing.TB, files ...file) []byte {
	t.Helper()
	var list []string
	for _, f := range files {
		list = append(list, f.name, f.text)
	}
	return registrytest.Archive(t, list...)
}

const indexText = `{
  "resources": {
    "Shop.Fruit/baskets@v1": {"$ref": "shop/types.json#/8"},
    "Shop.Fruit/crates@v1": {"$ref": "shop/types.json#/9"}
  },
  "resourceFunctions": {"x": {"y": [{"a": "\"}"}]}},
  "settings": {"name": "Shop", "version": "1.2.3", "isSingleton": true, "configurationType": {"$ref": "shop/types.json#/10"}},
  "fallbackResourceType": {"$ref": "shop/types.json#/9"},
  "namespaceFunctions": [{"$ref": "shop/types.json#/12"}]
}`

const typesText = `[
  {"$type": "StringType", "minLength": 2, "sensitive": true},
  {"$type": "IntegerType", "minValue": 1, "maxValue": 9},
  {"$type": "StringLiteralType", "value": "r\u00e9d"},
  {"$type": "StringLiteralType", "value": "green"},
  {"$type": "UnionType", "elements": [{"$ref": "#/2"}, {"$ref": "#/3"}]},
  {"$type": "ArrayType", "itemType": {"$ref": "#/7"}},
  {"$type": "ObjectType", "name": "Basket", "properties": {
    "name": {"type": {"$ref": "#/0"}, "flags": 25, "description": "say \"it\""},
    "kind": {"type": {"$ref": "#/4"}, "flags": 1},
    "items": {"type": {"$ref": "#/5"}, "flags": 0},
    "id": {"type": {"$ref": "#/0"}, "flags": 2}}},
  {"$type": "ObjectType", "name": "Item", "properties": {"count": {"type": {"$ref": "#/1"}, "flags": 0},
    "inner": {"type": {"$ref": "#/5"}, "flags": 0}}, "additionalProperties": {"$ref": "#/0"}},
  {"$type": "ResourceType", "name": "Shop.Fruit/baskets@v1", "body": {"$ref": "#/6"}, "readableScopes": 0, "writableScopes": 8,
    "functions": {"count": {"type": {"$ref": "#/11"}}}},
  {"$type": "ResourceType", "name": "Shop.Fruit/crates@v1", "body": {"$ref": "#/13"}, "readableScopes": 8},
  {"$type": "ObjectType", "name": "Config", "properties": {"region": {"type": {"$ref": "#/0"}, "flags": 1}}},
  {"$type": "FunctionType", "parameters": [{"name": "of", "type": {"$ref": "#/4"}}], "output": {"$ref": "#/1"}},
  {"$type": "NamespaceFunctionType", "name": "price", "parameters": [{"name": "of", "type": {"$ref": "#/4"}, "flags": 3}],
    "outputType": {"$ref": "#/1"}, "evaluatedLanguageExpression": "[externalInput('p', parameters('of'))]", "visibleInFileKind": 2},
  {"$type": "DiscriminatedObjectType", "name": "Crate", "discriminator": "wood", "baseProperties": {"name": {"type": {"$ref": "#/0"}, "flags": 17}},
    "elements": {"oak": {"$ref": "#/14"}, "pine": {"$ref": "#/15"}}},
  {"$type": "ObjectType", "name": "Oak", "properties": {"wood": {"type": {"$ref": "#/16"}, "flags": 1}, "NAME": {"type": {"$ref": "#/1"}, "flags": 0}}},
  {"$type": "ObjectType", "name": "Pine", "properties": {"wood": {"type": {"$ref": "#/17"}, "flags": 1}}},
  {"$type": "StringLiteralType", "value": "oak"},
  {"$type": "StringLiteralType", "value": "pine"}
]`

func shop(t testing.TB) *typelib.Extension {
	t.Helper()
	a, err := typelib.NewArchive(pack(t, file{"index.json", indexText}, file{"shop/types.json", typesText}))
	require.NoError(t, err)
	l, err := typelib.OpenLibrary(a)
	require.NoError(t, err)
	return typelib.NewExtension(l)
}

func reference(s string) *types.ResourceTypeReference { return types.ParseResourceType(s) }

func describe(o *types.Object) string {
	var b strings.Builder
	for _, p := range o.Properties() {
		fmt.Fprintf(&b, "%s: %s", p.Name, p.Type.Type())
		for _, f := range []struct {
			flag types.PropertyFlags
			mark string
		}{{types.Required, "!"}, {types.ReadOnly, "R"}, {types.WriteOnly, "W"}, {types.ReadableAtDeployTime, "D"}, {types.ResourceIdentifier, "I"}} {
			if p.Flags.Has(f.flag) {
				b.WriteString(f.mark)
			}
		}
		b.WriteString("; ")
	}
	if o.Additional != nil {
		b.WriteString("*: " + o.Additional.Type.Type().String())
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestExtension(t *testing.T) {
	t.Parallel()
	e := shop(t)
	basket := e.DefinedType(nil, reference("shop.fruit/BASKETS@V1"), 0)
	require.NotNil(t, basket, "a type is not found when its name is written in another case")
	assert.Equal(t, "Shop.Fruit/baskets@v1", basket.TypeRef.Name(), "the spelling of the type")
	body := basket.Body.Type().(*types.Object)
	want := "dependsOn: (module[] | (resource | module) | resource[])[]W; id: stringR; items: Item[]; kind: 'green' | 'réd'!; name: string!DI"
	assert.Equal(t, want, describe(body))
	if p := body.Property("name"); !p.Type.Type().Flags().Has(types.IsSecure) {
		t.Errorf("name: flags %b", p.Type.Type().Flags())
	}
	require.Equal(t, types.ScopeResourceGroup, basket.ParentScopes, "scopes %s, flags %d", basket.ParentScopes, basket.ResourceFlags)
	require.Equal(t, types.ResourceWriteOnly, basket.ResourceFlags, "scopes %s", basket.ParentScopes)
	if f := body.Methods.Find("count"); f == nil || f.Overloads[0].Signature() != "(of: 'green' | 'réd'): int" {
		t.Errorf("method count: %v", f)
	}
	item := body.Property("items").Type.Type().(*types.Array).Item.Type().(*types.Object)
	assert.Equal(t, "count: int; inner: Item[]; *: string", describe(item), "item")
	assert.True(t, item.Property("inner").Type.Type().(*types.Array).Item.Type() == types.Type(item), "a type that contains itself is made twice")

	existing := e.DefinedType(nil, reference("Shop.Fruit/baskets@v1"), types.ExistingResource).Body.Type().(*types.Object)
	assert.Equal(t, "id: stringR; items: Item[]R; kind: 'green' | 'réd'R; name: string!DI", describe(existing), "existing")

	crate := e.DefinedType(nil, reference("Shop.Fruit/crates@v1"), 0)
	d := crate.Body.Type().(*types.DiscriminatedObject)
	assert.Equal(t, "NAME: int; dependsOn: (module[] | (resource | module) | resource[])[]W; wood: 'oak'!", describe(d.Member("oak")), "oak")
	require.Equal(t, types.ResourceReadOnly, crate.ResourceFlags, "flags %d, identifiers %v", crate.ResourceFlags, crate.Identifiers)
	require.True(t, slices.Equal(crate.Identifiers, []string{"name"}), "flags %d, identifiers %v", crate.ResourceFlags, crate.Identifiers)
	require.Nil(t, e.DefinedType(nil, reference("Shop.Fruit/baskets@v2"), 0), "a type is found that the archive has not")
	require.False(t, e.HasDefinedType(reference("Shop.Fruit/basket@v1")), "a type is found that the archive has not")
	assert.NotNil(t, e.FallbackType(nil, reference("Any/thing"), 0), "no fallback type")
	s := e.Library().Settings()
	require.Equal(t, "Shop", s.TemplateName, "settings: %+v", s)
	require.Equal(t, "1.2.3", s.TemplateVersion, "settings: %+v", s)
	require.True(t, s.Singleton, "settings: %+v", s)
	require.Equal(t, "Config", s.Config.String(), "settings: %+v", s)
	assert.Equal(t, 0, len(e.Library().Functions(typelib.BicepFile)))
	f := e.Library().Functions(typelib.ParamsFile)
	require.Len(t, f, 1, "functions in a parameter file")
	require.Equal(t, "(of: 'green' | 'réd'): int", f[0].Signature(), "functions in a parameter file: %+v", f)
	require.True(t, f[0].Flags.Has(types.RequiresExternalInput), "functions in a parameter file: %+v", f)
	require.True(t, f[0].Params[0].Flags == types.ParamRequired|types.ParamConstant, "functions in a parameter file: %+v", f)
}

func TestLocalArchive(t *testing.T) {
	t.Parallel()
	inner := string(pack(t, file{"index.json", indexText}))
	a, err := typelib.NewLocalArchive(pack(t, file{"linux-x64.bin", "x"}, file{"types.tgz", inner}))
	require.NoError(t, err)
	_, err = typelib.OpenLibrary(a)
	assert.NoError(t, err)
	_, err = typelib.NewLocalArchive([]byte(inner))
	assert.Error(t, err, "an archive of the published form is taken for a local one")
}

// A mistake in an archive must end in an error or in an unknown type.
func TestHostile(t *testing.T) {
	t.Parallel()
	index := func(at string) file {
		return file{"index.json", `{"resources":{"A/b@v1":{"$ref":"` + at + `"}},"settings":{"name":"A","version":"1"}}`}
	}
	for name, files := range map[string][]file{
		"no index":        {{"x.json", "{}"}},
		"path upwards":    {{"../index.json", "{}"}},
		"absolute path":   {{"/index.json", "{}"}},
		"same file twice": {{"a.json", "1"}, {"a.json", "2"}, index("a.json#/0")},
		"no settings":     {{"index.json", `{"resources":{}}`}},
		"not JSON":        {{"index.json", `{"resources":`}},
		"no reference":    {{"index.json", `{"resources":{"A/b@v1":{}},"settings":{"name":"A"}}`}},
		"no name":         {{"index.json", `{"resources":{"":{"$ref":"t.json#/0"}},"settings":{"name":"A"}}`}},
		"an odd name":     {{"index.json", `{"resources":{"A/b@v1@v2":{"$ref":"t.json#/0"}},"settings":{"name":"A"}}`}},
	} {
		a, err := typelib.NewArchive(pack(t, files...))
		if err == nil {
			_, err = typelib.OpenLibrary(a)
		}
		assert.Error(t, err, "%s: no error", name)
	}
	for name, text := range map[string]string{
		"missing file":            "",
		"out of range":            `[{"$type":"ResourceType","name":"A/b@v1","body":{"$ref":"#/7"}}]`,
		"no array":                `{"$type":"ResourceType"}`,
		"cut off":                 `[{"$type":"ResourceType","name":"A/b@v1","body":{"$ref":"#/1"}},{"$type":"Obj`,
		"a union of itself":       `[{"$type":"ResourceType","name":"A/b@v1","body":{"$ref":"#/1"}},{"$type":"UnionType","elements":[{"$ref":"#/1"},{"$ref":"#/1"}]}]`,
		"an array of itself":      `[{"$type":"ResourceType","name":"A/b@v1","body":{"$ref":"#/1"}},{"$type":"ObjectType","properties":{"a":{"type":{"$ref":"#/2"}}}},{"$type":"ArrayType","itemType":{"$ref":"#/2"}}]`,
		"a choice by itself":      `[{"$type":"ResourceType","name":"A/b@v1","body":{"$ref":"#/1"}},{"$type":"DiscriminatedObjectType","discriminator":"k","elements":{"x":{"$ref":"#/2"}}},{"$type":"ObjectType","properties":{"k":{"type":{"$ref":"#/1"}}}}]`,
		"a body that is a string": `[{"$type":"ResourceType","name":"A/b@v1","body":{"$ref":"#/1"}},{"$type":"StringType"}]`,
	} {
		files := []file{index("t.json#/0")}
		if text != "" {
			files = append(files, file{"t.json", text})
		}
		a, err := typelib.NewArchive(pack(t, files...))
		require.NoError(t, err)
		l, err := typelib.OpenLibrary(a)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r := typelib.NewExtension(l).DefinedType(nil, reference("A/b@v1"), 0)
		if r == nil {
			t.Errorf("%s: the type is not found", name)
			continue
		}
		if o, ok := r.Body.Type().(*types.Object); ok {
			_ = describe(o)
		}
	}
	bomb := pack(t, file{"pad.json", strings.Repeat(" ", 40<<20)}, index("t.json#/0"))
	a, err := typelib.NewArchive(bomb)
	if err == nil {
		_, err = typelib.OpenLibrary(a)
	}
	assert.Error(t, err, "an archive of %d bytes is unpacked to 40 MiB", len(bomb))
}

func TestAz(t *testing.T) {
	t.Parallel()
	var az typelib.Az
	for name, want := range map[string]string{
		"Microsoft.Storage/storageAccounts@2021-01-01":                      "defined",
		"microsoft.insights/components@2020-02-02-preview":                  "defined",
		"Dynatrace.Observability/monitors@2021-09-01":                       "defined",
		"Contoso.Things/widgets/parts@2024-01-01":                           "fallback",
		"Microsoft.Storage/storageAccounts@2021-01-01-nightly":              "none",
		"Microsoft.Storage/storageAccounts":                                 "none",
		"Microsoft.Storage@2021-01-01":                                      "none",
		"core/Service@v1":                                                   "none",
		"Applications.Core/containers@2023-10-01-preview":                   "fallback",
		"A.B/c.d@2020-01-01":                                                "none",
		"Microsoft.Billing/billingPeriods/Microsoft.Consumption@2018-06-30": "defined",
		"microsoft.billing/billingPeriods/microsoft.consumption@2018-06-30": "defined",
		"Microsoft.Billing/billing.Periods@2018-06-30":                      "none",
		"Microsoft.Billing/Microsoft.@2018-06-30":                           "none",
	} {
		got := "none"
		if az.DefinedType(nil, reference(name), 0) != nil {
			got = "defined"
		} else if az.FallbackType(nil, reference(name), 0) != nil {
			got = "fallback"
		}
		assert.Equal(t, want, got, name)
	}
	part := az.FallbackType(nil, reference("Contoso.Things/widgets/parts@2024-01-01"), 0).Body.Type().(*types.Object)
	if part.Property("parent") == nil || part.Additional != nil || part.Methods.Find("listKeys") == nil || part.Methods.Find("getSecret") != nil {
		t.Errorf("child resource: %s", describe(part))
	}
	require.True(t, part.Property("tags").Flags.Has(types.DeployTimeConstant), "deploy-time constants are wrong")
	require.False(t, part.Property("properties").Flags.Has(types.DeployTimeConstant), "deploy-time constants are wrong")
	existing := az.FallbackType(nil, reference("Contoso.Things/widgets@2024-01-01"), types.ExistingResource).Body.Type().(*types.Object)
	if !existing.Property("location").Flags.Has(types.ReadOnly) || existing.Property("name").Flags.Has(types.ReadOnly) || existing.Property("scope").Type.Type().String() != "resource | tenant | managementGroup | subscription | resourceGroup" {
		t.Errorf("existing resource: %s", describe(existing))
	}
}

func TestBuiltIn(t *testing.T) {
	t.Parallel()
	radius := typelib.RadiusOf("")
	r := radius.DefinedType(nil, reference("applications.messaging/rabbitmqqueues@2023-10-01-preview"), 0)
	require.NotNil(t, r, "Radius")
	require.Equal(t, "Applications.Messaging/rabbitMQQueues", r.TypeRef.Type, "Radius: %v", r)
	n := len(radius.Names())
	require.Equal(t, 35, n, "the types that Radius has")
	require.False(t, radius.HasDefinedType(reference("Radius.Core/applications@2023-10-01-preview")), "Radius knows %d types", n)
	var aws typelib.AWS
	require.NotNil(t, aws.DefinedType(nil, reference("AWS.S3/Bucket@default"), 0), "AWS")
	require.False(t, aws.HasDefinedType(reference("AWS.S3/Bucket@v1")), "AWS")
	var k8s typelib.Kubernetes
	assert.NotNil(t, k8s.FallbackType(nil, reference("core/Anything@v1"), 0), "Kubernetes")
}

func walk(t types.Type, depth int) {
	if o, ok := t.(*types.Object); ok && depth > 0 {
		for _, p := range o.Properties() {
			walk(p.Type.Type(), depth-1)
		}
	}
}
