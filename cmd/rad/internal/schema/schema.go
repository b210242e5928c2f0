// Package schema makes the JSON schemas of what programs read and write: answers, the settings file and
// the lock file.
package schema

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Schema is a JSON schema, or a part of one.
type Schema map[string]any

// Home is where the schemas are published.
const Home = "https://raw.githubusercontent.com/radbicep/rad/main/docs/schemas/"

// Of returns the schema of a type as encoding/json prints it.
func Of[T any]() Schema { return ofType(reflect.TypeFor[T]()) }

func ofType(t reflect.Type) Schema {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return Schema{}
	case t == reflect.TypeFor[Schema]():
		return Schema{"type": "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return Schema{"anyOf": []Schema{ofType(t.Elem()), {"type": "null"}}}
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Schema{"type": "integer"}
	case reflect.Slice:
		return listOf(ofType(t.Elem()))
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": ofType(t.Elem())}
	case reflect.Struct:
		return ofStruct(t)
	}
	panic("no schema for " + t.String())
}

// ofStruct returns the schema of a struct. The tag doc describes a field, enum lists its
// values, and schema:"plan" names what a raw value is.
func ofStruct(t reflect.Type) Schema {
	properties := Schema{}
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner := ofStruct(f.Type)
			maps.Copy(properties, inner["properties"].(Schema))
			required = append(required, inner["required"].([]string)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		s := ofType(f.Type)
		optional := strings.Contains(options, "omitempty")
		if f.Type.Kind() == reflect.Pointer && optional {
			s = ofType(f.Type.Elem())
		}
		switch f.Tag.Get("schema") {
		case "plan":
			s = onePlan(false)
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			var values []any
			for v := range strings.SplitSeq(enum, ",") {
				var n json.Number
				if f.Type.Kind() == reflect.Int && json.Unmarshal([]byte(v), &n) == nil {
					values = append(values, n)
				} else {
					values = append(values, v)
				}
			}
			s["enum"] = values
		}
		if doc := f.Tag.Get("doc"); doc != "" {
			s["description"] = doc
		}
		properties[name] = s
		if !optional {
			required = append(required, name)
		}
	}
	return Schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// object returns the schema of an object with these properties. Those whose names end in ?
// may be absent.
func object(properties Schema) Schema {
	out := Schema{}
	required := []string{}
	for name, s := range properties {
		plain, optional := strings.CutSuffix(name, "?")
		if out[plain] = s; !optional {
			required = append(required, plain)
		}
	}
	slices.Sort(required)
	return Schema{"type": "object", "properties": out, "required": required, "additionalProperties": false}
}

func listOf(item Schema) Schema { return Schema{"type": "array", "items": item} }

func textSchema(description string) Schema {
	return Schema{"type": "string", "description": description}
}

func enumOf(values ...any) Schema { return Schema{"enum": values} }

func describe(s Schema, text string) Schema {
	out := Schema{"description": text}
	maps.Copy(out, s)
	return out
}

// nullable lets the values of an object be null, which stands for no value.
func nullable(s Schema) Schema {
	properties := s["properties"].(Schema)
	for name, one := range properties {
		if !slices.Contains(s["required"].([]string), name) {
			properties[name] = Schema{"anyOf": []Schema{one.(Schema), {"type": "null"}}}
		}
	}
	return s
}
