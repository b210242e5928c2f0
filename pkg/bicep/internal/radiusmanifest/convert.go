// Package radiusmanifest makes the types of a Bicep extension from a Radius manifest of resource
// types: the YAML or JSON file that registers types with Radius. Begin with Convert.
//
// It makes the files of an extension and packs or publishes none.
package radiusmanifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/Azure/bicep-types/src/bicep-types-go/index"
	"github.com/Azure/bicep-types/src/bicep-types-go/types"
)

// maxTypes bounds the types of an extension. Radius has fewer than 1,000; aliases can make
// a small file say a billion.
const maxTypes = 100_000

// typesFile is the name of the file that holds the types.
const typesFile = "types.json"

// Files are the two files of an extension.
type Files struct {
	Index []byte // index.json
	Types []byte // types.json, to which the index refers
}

// Convert makes the types of an extension from a manifest. An error begins with the number of the line that
// it is about.
func Convert(text []byte) (Files, error) {
	m, err := read(text)
	if err != nil {
		return Files{}, err
	}
	f := file{index: index.NewTypeIndex(), boolean: -1, any: -1}
	f.index.Settings = &index.TypeSettings{
		Name:    "radius" + strings.ReplaceAll(strings.ToLower(m.namespace), ".", ""),
		Version: "0.0.1",
	}
	for _, v := range m.versions {
		f.resource(m.namespace+"/"+v.name, v)
	}
	if f.full() {
		return Files{}, &lineError{1, fmt.Sprintf("the manifest has more than %d types", maxTypes)}
	}
	var out Files
	if out.Types, err = json.MarshalIndent(f.types, "", "  "); err != nil {
		return Files{}, err
	}
	out.Index, err = json.MarshalIndent(f.index, "", "  ")
	return out, err
}

// IsManifest reports whether a JSON file is a manifest, and not the index of an extension.
func IsManifest(text []byte) bool {
	var keys map[string]json.RawMessage
	return json.Unmarshal(text, &keys) == nil && keys["namespace"] != nil && keys["resources"] == nil
}

// file is a file of types as it is made. A type comes before those that refer to it.
type file struct {
	index        *index.TypeIndex
	types        []types.Type
	boolean, any int // where these types are, or -1: one of each is enough
}

func (f *file) full() bool { return len(f.types) > maxTypes }

func (f *file) add(t types.Type) types.ITypeReference {
	f.types = append(f.types, t)
	return types.TypeReference{Ref: len(f.types) - 1}
}

// once adds a type unless at says where it is.
func (f *file) once(at *int, t types.Type) types.ITypeReference {
	if *at < 0 {
		*at = len(f.types)
		return f.add(t)
	}
	return types.TypeReference{Ref: *at}
}

// resource adds the type of a resource: its envelope, its properties, and each property
// once more beside the envelope, to be read there.
func (f *file) resource(name string, v version) {
	if f.full() {
		return
	}
	const constant = types.TypePropertyFlagsReadOnly | types.TypePropertyFlagsDeployTimeConstant
	qualified := name + "@" + v.version
	properties := f.schema(withBase(v.schema), v.name+"Properties")
	body := &types.ObjectType{Name: qualified, Properties: map[string]types.ObjectTypeProperty{}}
	set := func(key string, t types.ITypeReference, flags types.TypePropertyFlags, description string) {
		body.Properties[key] = types.ObjectTypeProperty{Type: t, Flags: flags, Description: description}
	}
	set("name", f.add(&types.StringType{}), types.TypePropertyFlagsRequired|types.TypePropertyFlagsIdentifier, "The name of the resource.")
	set("location", f.add(&types.StringType{}), types.TypePropertyFlagsNone, "The location of the resource.")
	set("properties", properties, types.TypePropertyFlagsRequired, "The properties of the resource.")
	set("apiVersion", f.add(&types.StringLiteralType{Value: v.version}), constant, "The API version of the type.")
	set("type", f.add(&types.StringLiteralType{Value: name}), constant, "The type of the resource.")
	set("id", f.add(&types.StringType{}), types.TypePropertyFlagsReadOnly, "The ID of the resource.")
	if o, ok := f.types[properties.(types.TypeReference).Ref].(*types.ObjectType); ok {
		for key, p := range o.Properties {
			if _, taken := body.Properties[key]; !taken {
				set(key, p.Type, types.TypePropertyFlagsReadOnly, p.Description)
			}
		}
	}
	f.add(&types.ResourceType{Name: qualified, Body: f.add(body)})
	f.index.AddResource(name, v.version, types.CrossFileTypeReference{RelativePath: typesFile, Ref: len(f.types) - 1})
}

// schema adds the type of a schema. name is for objects.
func (f *file) schema(s *schema, name string) types.ITypeReference {
	if f.full() {
		return types.TypeReference{}
	}
	switch s.kind {
	case "string":
		if len(s.enum) > 0 {
			return f.union(s)
		}
		return f.add(&types.StringType{Sensitive: s.sensitive})
	case "enum":
		return f.union(s)
	case "integer":
		return f.add(&types.IntegerType{})
	case "boolean":
		return f.once(&f.boolean, &types.BooleanType{})
	case "any":
		return f.once(&f.any, &types.AnyType{})
	case "array":
		return f.add(&types.ArrayType{ItemType: f.schema(s.items, name+"Item")})
	}
	o := &types.ObjectType{Name: name, Properties: map[string]types.ObjectTypeProperty{}}
	for _, p := range s.properties {
		flags := types.TypePropertyFlagsNone
		if slices.Contains(s.required, p.name) {
			flags |= types.TypePropertyFlagsRequired
		}
		if p.schema.readOnly {
			flags |= types.TypePropertyFlagsReadOnly
		}
		o.Properties[p.name] = types.ObjectTypeProperty{Type: f.schema(p.schema, p.name), Flags: flags, Description: p.schema.description}
	}
	if s.sensitive {
		o.Sensitive = &s.sensitive
	}
	if s.additional != nil {
		o.AdditionalProperties = f.schema(s.additional, name+"AdditionalProperties")
	}
	return f.add(o)
}

// union adds the type of one of several strings.
func (f *file) union(s *schema) types.ITypeReference {
	u := &types.UnionType{}
	for _, value := range s.enum {
		u.Elements = append(u.Elements, f.add(&types.StringLiteralType{Value: value, Sensitive: s.sensitive}))
	}
	return f.add(u)
}

// base are the properties that Radius gives each resource type that does not declare them.
var base = []property{
	{"application", &schema{kind: "string", description: "The ID of the application that the resource belongs to."}},
	{"codeReference", &schema{kind: "string", description: "The address of the resource's source code."}},
	{"connections", &schema{kind: "object", description: "The resources that this one connects to, by the connection's name.",
		additional: &schema{kind: "object",
			properties: []property{
				{"disableDefaultEnvVars", &schema{kind: "boolean", description: "Whether the connection sets no environment variables."}},
				{"source", &schema{kind: "string", description: "The ID of the resource that is connected to."}},
			},
			required: []string{"source"},
		}}},
	{"environment", &schema{kind: "string", description: "The ID of the environment that the resource is deployed into."}},
}

// withBase returns a schema with the properties that every resource type has. Its own
// declarations win, but an environment is always required.
func withBase(s *schema) *schema {
	with := *s
	with.properties = slices.Clone(s.properties)
	with.required = append(slices.Clone(s.required), "environment")
	for _, b := range base {
		i, found := slices.BinarySearchFunc(with.properties, b.name,
			func(p property, name string) int { return strings.Compare(p.name, name) })
		if !found {
			with.properties = slices.Insert(with.properties, i, b)
		}
	}
	return &with
}
