package typelib_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	btindex "github.com/Azure/bicep-types/src/bicep-types-go/index"
	bt "github.com/Azure/bicep-types/src/bicep-types-go/types"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

type file struct{ name, text string }

func pack(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.text)), Typeflag: tar.TypeReg, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
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
	if err != nil {
		t.Fatal(err)
	}
	l, err := typelib.OpenLibrary(a)
	if err != nil {
		t.Fatal(err)
	}
	return typelib.NewExtension(l)
}

func reference(s string) *types.ResourceTypeReference { return types.ParseResourceType(s) }

func describe(o *types.Object) string {
	var b strings.Builder
	for _, p := range o.Properties {
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
	if basket == nil {
		t.Fatal("a type is not found when its name is written in another case")
	}
	if got := basket.TypeRef.Name(); got != "Shop.Fruit/baskets@v1" {
		t.Errorf("the type is spelt %s, want the archive's spelling", got)
	}
	body := basket.Body.Type().(*types.Object)
	want := "dependsOn: (module[] | (resource | module) | resource[])[]W; id: stringR; items: Item[]; kind: 'green' | 'réd'!; name: string!DI"
	if got := describe(body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p := body.Property("name"); !p.Type.Type().Flags().Has(types.IsSecure) {
		t.Errorf("name: flags %b", p.Type.Type().Flags())
	}
	if basket.ParentScopes != types.ScopeResourceGroup || basket.ResourceFlags != types.ResourceWriteOnly {
		t.Errorf("scopes %s, flags %d", basket.ParentScopes, basket.ResourceFlags)
	}
	if f := body.Methods.Find("count"); f == nil || f.Overloads[0].Signature() != "(of: 'green' | 'réd'): int" {
		t.Errorf("method count: %v", f)
	}
	item := body.Property("items").Type.Type().(*types.Array).Item.Type().(*types.Object)
	if got := describe(item); got != "count: int; inner: Item[]; *: string" {
		t.Errorf("item: %s", got)
	}
	if item.Property("inner").Type.Type().(*types.Array).Item.Type() != types.Type(item) {
		t.Error("a type that contains itself is made twice")
	}

	existing := e.DefinedType(nil, reference("Shop.Fruit/baskets@v1"), types.ExistingResource).Body.Type().(*types.Object)
	if got := describe(existing); got != "id: stringR; items: Item[]R; kind: 'green' | 'réd'R; name: string!DI" {
		t.Errorf("existing: %s", got)
	}

	crate := e.DefinedType(nil, reference("Shop.Fruit/crates@v1"), 0)
	d := crate.Body.Type().(*types.DiscriminatedObject)
	if got := describe(d.Member("oak")); got != "NAME: int; dependsOn: (module[] | (resource | module) | resource[])[]W; wood: 'oak'!" {
		t.Errorf("oak: %s", got)
	}
	if crate.ResourceFlags != types.ResourceReadOnly || !slices.Equal(crate.Identifiers, []string{"name"}) {
		t.Errorf("flags %d, identifiers %v", crate.ResourceFlags, crate.Identifiers)
	}
	if e.DefinedType(nil, reference("Shop.Fruit/baskets@v2"), 0) != nil || e.HasDefinedType(reference("Shop.Fruit/basket@v1")) {
		t.Error("a type is found that the archive has not")
	}
	if e.FallbackType(nil, reference("Any/thing"), 0) == nil {
		t.Error("no fallback type")
	}
	if s := e.Library().Settings(); s.TemplateName != "Shop" || s.TemplateVersion != "1.2.3" || !s.Singleton || s.Config.String() != "Config" {
		t.Errorf("settings: %+v", s)
	}
	if n := len(e.Library().Functions(typelib.BicepFile)); n != 0 {
		t.Errorf("%d functions in a .bicep file", n)
	}
	f := e.Library().Functions(typelib.ParamsFile)
	if len(f) != 1 || f[0].Signature() != "(of: 'green' | 'réd'): int" || !f[0].Flags.Has(types.RequiresExternalInput) ||
		f[0].Params[0].Flags != types.ParamRequired|types.ParamConstant {
		t.Errorf("functions in a parameters file: %+v", f)
	}
}

func TestLocalArchive(t *testing.T) {
	t.Parallel()
	inner := string(pack(t, file{"index.json", indexText}))
	a, err := typelib.NewLocalArchive(pack(t, file{"linux-x64.bin", "x"}, file{"types.tgz", inner}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := typelib.OpenLibrary(a); err != nil {
		t.Error(err)
	}
	if _, err := typelib.NewLocalArchive([]byte(inner)); err == nil {
		t.Error("an archive of the published form is taken for a local one")
	}
}

// What is wrong with an archive must end in an error or in an unknown type.
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
		if err == nil {
			t.Errorf("%s: no error", name)
		}
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
		if err != nil {
			t.Fatal(err)
		}
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
	if err == nil {
		t.Errorf("an archive of %d bytes is unpacked to 40 MiB", len(bomb))
	}
}

func TestAz(t *testing.T) {
	t.Parallel()
	var az typelib.Az
	for name, want := range map[string]string{
		"Microsoft.Storage/storageAccounts@2021-01-01":         "defined",
		"microsoft.insights/components@2020-02-02-preview":     "defined",
		"Dynatrace.Observability/monitors@2021-09-01":          "defined",
		"Contoso.Things/widgets/parts@2024-01-01":              "fallback",
		"Microsoft.Storage/storageAccounts@2021-01-01-nightly": "none",
		"Microsoft.Storage/storageAccounts":                    "none",
		"Microsoft.Storage@2021-01-01":                         "none",
		"core/Service@v1":                                      "none",
		"Applications.Core/containers@2023-10-01-preview":      "fallback",
		"A.B/c.d@2020-01-01":                                   "none",
	} {
		got := "none"
		if az.DefinedType(nil, reference(name), 0) != nil {
			got = "defined"
		} else if az.FallbackType(nil, reference(name), 0) != nil {
			got = "fallback"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	part := az.FallbackType(nil, reference("Contoso.Things/widgets/parts@2024-01-01"), 0).Body.Type().(*types.Object)
	if part.Property("parent") == nil || part.Additional != nil || part.Methods.Find("listKeys") == nil || part.Methods.Find("getSecret") != nil {
		t.Errorf("child resource: %s", describe(part))
	}
	if !part.Property("tags").Flags.Has(types.DeployTimeConstant) || part.Property("properties").Flags.Has(types.DeployTimeConstant) {
		t.Error("deploy-time constants are wrong")
	}
	existing := az.FallbackType(nil, reference("Contoso.Things/widgets@2024-01-01"), types.ExistingResource).Body.Type().(*types.Object)
	if !existing.Property("location").Flags.Has(types.ReadOnly) || existing.Property("name").Flags.Has(types.ReadOnly) || existing.Property("scope").Type.Type().String() != "resource | tenant | managementGroup | subscription | resourceGroup" {
		t.Errorf("existing resource: %s", describe(existing))
	}
}

func TestBuiltIn(t *testing.T) {
	t.Parallel()
	var radius typelib.Radius
	if r := radius.DefinedType(nil, reference("applications.messaging/rabbitmqqueues@2023-10-01-preview"), 0); r == nil || r.TypeRef.Type != "Applications.Messaging/rabbitMQQueues" {
		t.Errorf("Radius: %v", r)
	}
	if n := len(typelib.RadiusTypes()); n != 35 || radius.HasDefinedType(reference("Radius.Core/applications@2023-10-01-preview")) {
		t.Errorf("Radius knows %d types", n)
	}
	var aws typelib.AWS
	if aws.DefinedType(nil, reference("AWS.S3/Bucket@default"), 0) == nil || aws.HasDefinedType(reference("AWS.S3/Bucket@v1")) {
		t.Error("AWS")
	}
	var k8s typelib.Kubernetes
	if k8s.FallbackType(nil, reference("core/Anything@v1"), 0) == nil {
		t.Error("Kubernetes")
	}
}

// recorded returns the archives that lie beside the recorded answers, if they are there.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	for _, dir := range []string{"../../../../..", "/work"} {
		if b, err := os.ReadFile(filepath.Join(dir, "shared/conformance/answers", name)); err == nil {
			return b
		}
	}
	t.Skip("there is no ../shared/conformance/answers/" + name + " beside the repository to compare with")
	return nil
}

// The bodies of a real archive read as bicep-types-go reads them.
func TestAgreesWithBicepTypes(t *testing.T) {
	t.Parallel()
	a, err := typelib.NewLocalArchive(recorded(t, "radius.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := typelib.OpenLibrary(a)
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.File("index.json")
	if err != nil {
		t.Fatal(err)
	}
	var ix btindex.TypeIndex
	if err := ix.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	e := typelib.NewExtension(l)
	files := map[string]*reader{}
	n := 0
	for name, versions := range ix.Resources {
		for version, at := range versions {
			at := at.(bt.CrossFileTypeReference)
			r := files[at.RelativePath]
			if r == nil {
				text, err := a.File(at.RelativePath)
				if err != nil {
					t.Fatal(err)
				}
				r = &reader{seen: map[int]bool{}}
				if err := json.Unmarshal([]byte(text), &r.elements); err != nil {
					t.Fatal(err)
				}
				files[at.RelativePath] = r
			}
			if !strings.HasSuffix(name, "@"+version) {
				name += "@" + version
			}
			ours := e.DefinedType(nil, reference(name), 0)
			if ours == nil {
				t.Errorf("%s is not found", name)
				continue
			}
			theirs := r.at(t, at.Ref).(*bt.ResourceType)
			r.compare(t, name, ours.Body.Type(), theirs.Body)
			n++
		}
	}
	if n != 35 {
		t.Errorf("%d resource types were compared, want 35", n)
	}
}

type reader struct {
	elements []json.RawMessage
	seen     map[int]bool
}

func (r *reader) at(t *testing.T, i int) bt.Type {
	x, err := bt.UnmarshalType(r.elements[i])
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (r *reader) compare(t *testing.T, at string, ours types.Type, theirs bt.ITypeReference) {
	i := theirs.(bt.TypeReference).Ref
	if r.seen[i] {
		return
	}
	r.seen[i] = true
	switch x := r.at(t, i).(type) {
	case *bt.ObjectType:
		r.object(t, at, ours, x.Name, x.Properties, nil)
	case *bt.ArrayType:
		r.compare(t, at+"[]", ours.(*types.Array).Item.Type(), x.ItemType)
	case *bt.DiscriminatedObjectType:
		d := ours.(*types.DiscriminatedObject)
		if d.Name != x.Name || d.Discriminator.Name != x.Discriminator || len(d.Members) != len(x.Elements) {
			t.Errorf("%s: %s by %s of %d, want %s by %s of %d", at, d.Name, d.Discriminator.Name, len(d.Members), x.Name, x.Discriminator, len(x.Elements))
		}
		for key, m := range x.Elements {
			o := r.at(t, m.(bt.TypeReference).Ref).(*bt.ObjectType)
			r.object(t, at+"/"+key, d.Member(key), key, o.Properties, x.BaseProperties)
		}
	case *bt.UnionType:
		want := map[string]bool{}
		for _, m := range x.Elements {
			switch m := r.at(t, m.(bt.TypeReference).Ref).(type) {
			case *bt.StringLiteralType:
				want[types.QuoteString(m.Value)] = true
			case *bt.StringType:
				want["string"] = true
			}
		}
		for _, w := range strings.Split(ours.String(), " | ") {
			if !want[w] {
				t.Errorf("%s: %s in %s is too much", at, w, ours)
			}
			delete(want, w)
		}
		if len(want) > 0 {
			t.Errorf("%s: %s lacks %v", at, ours, want)
		}
	case *bt.StringLiteralType:
		if ours.String() != types.QuoteString(x.Value) {
			t.Errorf("%s: %s, want %q", at, ours, x.Value)
		}
	case *bt.StringType:
		if ours.String() != "string" || ours.Flags().Has(types.IsSecure) != x.Sensitive {
			t.Errorf("%s: %s is no string", at, ours)
		}
	case *bt.IntegerType:
		if ours.String() != "int" {
			t.Errorf("%s: %s is no int", at, ours)
		}
	case *bt.BooleanType:
		if ours.String() != "bool" {
			t.Errorf("%s: %s is no bool", at, ours)
		}
	case *bt.AnyType:
		if ours != types.TAny {
			t.Errorf("%s: %s, want any", at, ours)
		}
	}
}

func (r *reader) object(t *testing.T, at string, ours types.Type, name string, ps, base map[string]bt.ObjectTypeProperty) {
	o, ok := ours.(*types.Object)
	if !ok || o.Name != name {
		t.Errorf("%s: %s, want the object %s", at, ours, name)
		return
	}
	all := maps.Clone(base)
	if all == nil {
		all = map[string]bt.ObjectTypeProperty{}
	}
	maps.Copy(all, ps)
	for _, p := range o.Properties {
		q, ok := all[p.Name]
		if !ok {
			if p.Name != "dependsOn" {
				t.Errorf("%s has no %s", at, p.Name)
			}
			continue
		}
		delete(all, p.Name)
		if p.Flags.Has(types.Required) != (q.Flags&bt.TypePropertyFlagsRequired != 0) || p.Flags.Has(types.ReadOnly) != (q.Flags&bt.TypePropertyFlagsReadOnly != 0) {
			t.Errorf("%s.%s: flags %b for %b", at, p.Name, p.Flags, q.Flags)
		}
		r.compare(t, at+"."+p.Name, p.Type.Type(), q.Type)
	}
	for n := range all {
		t.Errorf("%s lacks %s", at, n)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct{ archive, name string }{
		{"radius.tgz", "Applications.Core/containers@2023-10-01-preview"},
		{"radius.tgz", "Radius.Storage/objectStorage@2025-08-01-preview"},
		{"aws.tgz", "AWS.S3/Bucket@default"},
	} {
		data := recorded(b, c.archive)
		b.Run(c.archive+" index", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, _ := typelib.NewLocalArchive(data)
				if _, err := typelib.OpenLibrary(a); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, _ := typelib.NewLocalArchive(data)
				l, err := typelib.OpenLibrary(a)
				if err != nil {
					b.Fatal(err)
				}
				walk(typelib.NewExtension(l).DefinedType(nil, reference(c.name), 0).Body.Type(), 3)
			}
		})
	}
}

func walk(t types.Type, depth int) {
	if o, ok := t.(*types.Object); ok && depth > 0 {
		for _, p := range o.Properties {
			walk(p.Type.Type(), depth-1)
		}
	}
}

// BenchmarkBicepTypes reads with bicep-types-go what BenchmarkOpen reads: the index,
// and the file of one resource type.
func BenchmarkBicepTypes(b *testing.B) {
	a, err := typelib.NewLocalArchive(recorded(b, "radius.tgz"))
	if err != nil {
		b.Fatal(err)
	}
	index, err := a.File("index.json")
	if err != nil {
		b.Fatal(err)
	}
	text, err := a.File("applications/applications.core/2023-10-01-preview/types.json")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var ix btindex.TypeIndex
		if err := ix.UnmarshalJSON([]byte(index)); err != nil {
			b.Fatal(err)
		}
		var elements []json.RawMessage
		if err := json.Unmarshal([]byte(text), &elements); err != nil {
			b.Fatal(err)
		}
		for _, e := range elements {
			if _, err := bt.UnmarshalType(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}
