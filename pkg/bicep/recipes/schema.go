package recipes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/radiusmanifest"
)

// # What Radius knows of resource types
//
// A type is registered with the schema of its properties. The compiled Bicep types have neither the defaults nor all marks of
// secrets, so both are read from here: of the types that Radius registers by itself, of a table; of others, of the manifest
// that registers them.

// builtIn has a line for each schema, as the command generate writes it.
//
//go:embed types.txt
var builtIn string

// Types are the resource types that a manifest registers, by TYPE@VERSION in lower case.
type Types map[string]*Type

// Type is what is known of a resource type.
type Type struct {
	schema *armjson.Object
	manual bool // no recipe deploys it
}

// ReadTypes adds the types of a manifest. An error begins with the number of its line.
func (t Types) ReadTypes(manifest []byte) error {
	list, err := radiusmanifest.Types(manifest)
	for _, one := range list {
		manual := slices.Contains(one.Capabilities, "ManualResourceProvisioning")
		t[strings.ToLower(one.Name+"@"+one.Version)] = &Type{withBase(one.Schema), manual}
	}
	return err
}

// base is what the schema of every type has, as Radius registers it from 0.60 on. A type's own declarations win.
var base = sync.OnceValue(func() *armjson.Object {
	v, _ := armjson.Parse(`{"application": {"type": "string"}, "environment": {"type": "string"}, "codeReference": {"type": "string"},
		"connections": {"type": "object", "additionalProperties": {"type": "object", "required": ["source"], "properties": {
			"source": {"type": "string"}, "disableDefaultEnvVars": {"type": "boolean"}}}}}`, armjson.Options{})
	return v.(*armjson.Object)
})

func withBase(schema *armjson.Object) *armjson.Object {
	out, properties := schema.Clone(), schema.Object("properties").Clone()
	for name, v := range base().All() {
		if properties.Find(name) < 0 {
			properties.Set(name, v)
		}
	}
	out.Set("properties", properties)
	if !slices.Contains(textsOf(schema, "required"), "environment") {
		list, _ := schema.Value("required").(armjson.Array)
		out.Set("required", append(slices.Clip(list), armjson.String("environment")))
	}
	return out
}

// find returns a type of a manifest, or of a release of Radius; nil if there is none.
func (t Types) find(kind, version, release string) *Type {
	name := strings.ToLower(kind + "@" + version)
	if found := t[name]; found != nil {
		return found
	}
	list := builtInTypes()
	var newest uint64
	for _, one := range list {
		newest = max(newest, one.last)
	}
	minor := min(minorOf(release), newest)
	for _, one := range list {
		if one.name == name && one.first <= minor && minor <= one.last {
			return &one.Type
		}
	}
	return nil
}

// registered is a type that Radius registers by itself, from one release to another.
type registered struct {
	Type
	name        string
	first, last uint64
}

var builtInTypes = sync.OnceValue(func() (list []*registered) {
	for line := range strings.Lines(builtIn) {
		part := strings.SplitN(line, " ", 4) // first release, last release, name, schema
		first, _ := strconv.ParseUint(strings.TrimPrefix(part[0], "0."), 10, 64)
		last, _ := strconv.ParseUint(strings.TrimPrefix(part[1], "0."), 10, 64)
		schema, _ := armjson.Parse(part[3], armjson.Options{})
		list = append(list, &registered{Type{schema: withBase(schema.(*armjson.Object))}, strings.ToLower(part[2]), first, last})
	}
	return list
})

// applyDefaults adds defaults to absent properties, also inside of given objects and arrays: not to those that are
// required or read-only.
func applyDefaults(properties, schema *armjson.Object) {
	declared := schema.Object("properties")
	required := textsOf(schema, "required")
	for name, v := range declared.All() {
		of, ok := v.(*armjson.Object)
		if !ok || of.Is("readOnly") {
			continue
		}
		if given, ok := properties.Get(name); ok {
			defaultsWithin(given, of)
			continue
		}
		if standard, ok := of.Get("default"); ok && !slices.Contains(required, name) {
			standard = plain(standard)
			properties.Set(name, standard)
			defaultsWithin(standard, of)
		}
	}
	for name, v := range properties.All() {
		if declared.Find(name) < 0 {
			defaultsWithin(v, schema.Object("additionalProperties"))
		}
	}
}

func defaultsWithin(v expand.Value, schema *armjson.Object) {
	switch v := v.(type) {
	case *armjson.Object:
		applyDefaults(v, schema)
	case armjson.Array:
		for _, x := range v {
			defaultsWithin(x, schema.Object("items"))
		}
	}
}

// hasSecrets reports whether a schema calls any property secret.
func hasSecrets(schema *armjson.Object) bool {
	for name := range schema.Object("properties").All() {
		of := schema.Object("properties").Object(name)
		for _, one := range []*armjson.Object{of, of.Object("items"), of.Object("additionalProperties")} {
			if one.Is(sensitive) || hasSecrets(one) {
				return true
			}
		}
	}
	return false
}

// sensitive is the mark of what is secret in a schema.
const sensitive = "x-radius-sensitive"

// changing is what replaces a secret, of which it gets the schema and the place.
type changing func(v expand.Value, of *armjson.Object, at []string) expand.Value

// secretsIn returns properties in which change has replaced what their schema calls secret.
func secretsIn(v expand.Value, schema *armjson.Object, at []string, change changing) expand.Value {
	if _, ok := v.(*armjson.Object); !ok {
		return v
	}
	one := func(v expand.Value, of *armjson.Object, at []string) expand.Value {
		if of.Is(sensitive) {
			return change(v, of, at)
		}
		return secretsIn(v, of, at, change)
	}
	return armjson.WithParts(v, func(name string, x expand.Value) expand.Value {
		of, at := schema.Object("properties").Object(name), append(slices.Clip(at), name)
		x = one(x, of, at)
		for _, word := range []string{"items", "additionalProperties"} { // both count for lists and for objects
			if inner := of.Object(word); inner != nil && !of.Is(sensitive) {
				x = armjson.WithParts(x, func(name string, part expand.Value) expand.Value {
					return one(part, inner, append(slices.Clip(at), name))
				})
			}
		}
		return x
	})
}

// redacted returns properties without what is secret, as Radius keeps and returns them.
func redacted(properties, schema *armjson.Object) *armjson.Object {
	return secretsIn(properties, schema, nil, func(expand.Value, *armjson.Object, []string) expand.Value {
		return armjson.Null{}
	}).(*armjson.Object)
}

// marked returns properties in which what is secret has marks, as recipes are given them. An object for a text comes as JSON, since
// Radius has encrypted it.
func (e *Engine) marked(s *state, properties *armjson.Object) *armjson.Object {
	return secretsIn(properties, s.schema, nil, func(v expand.Value, of *armjson.Object, at []string) expand.Value {
		if _, ok := v.(*armjson.Object); ok && of.Str("type") == "string" {
			if expand.IsKnown(v) {
				text, _ := json.Marshal(toGo(v))
				v = armjson.String(text)
			} else {
				v = eval.NewUnknown(nil, "string", v)
			}
		}
		return e.secret(v, s.name+"."+strings.Join(at, "."))
	}).(*armjson.Object)
}

// secret marks a value, which messages call name.
func (e *Engine) secret(v expand.Value, name string) expand.Value {
	if _, null := v.(armjson.Null); null || e.reveal {
		return v
	}
	return expand.Secure(v, name)
}

// mismatch returns where a value does not fit a schema, and why; "" if it does.
func mismatch(v expand.Value, schema *armjson.Object, path []string) (at []string, wrong string) {
	if _, unknown := v.(expand.Unknown); unknown || schema == nil {
		return nil, ""
	}
	kind := schema.Str("type")
	if _, null := v.(armjson.Null); null {
		if schema.Is("nullable") {
			return nil, ""
		}
		return path, "is null, which it may not be"
	}
	if o, ok := v.(*armjson.Object); ok && o.Len() > 0 && schema.Is(sensitive) && (kind == "string" || kind == "object") {
		return nil, "" // Radius takes it for an encrypted value
	}
	if !hasKind(v, kind) {
		return path, "is not of type " + kind
	}
	if allowed, ok := schema.Get("enum"); ok {
		if list, _ := allowed.(armjson.Array); !slices.ContainsFunc(list, func(x armjson.Value) bool { return armjson.Equal(x, v) }) {
			return path, "is not one of " + armjson.Text(allowed)
		}
	}
	inside := func(name string, x expand.Value, of *armjson.Object) bool {
		at, wrong = mismatch(x, of, append(slices.Clip(path), name))
		return wrong != ""
	}
	switch v := v.(type) {
	case armjson.Array:
		for i, x := range v {
			if inside(strconv.Itoa(i), x, schema.Object("items")) {
				return at, wrong
			}
		}
	case *armjson.Object:
		for _, name := range textsOf(schema, "required") {
			if v.Find(name) < 0 {
				return append(slices.Clip(path), name), "is missing"
			}
		}
		declared, rest := schema.Object("properties"), schema.Object("additionalProperties")
		for name, x := range v.All() {
			of := rest
			if declared.Find(name) >= 0 {
				of = declared.Object(name)
			}
			if inside(name, x, of) {
				return at, wrong
			}
		}
	}
	return nil, ""
}

func hasKind(v expand.Value, kind string) bool {
	switch v := v.(type) {
	case armjson.String:
		return !slices.Contains([]string{"object", "array", "integer", "number", "boolean"}, kind)
	case armjson.Bool:
		return slices.Contains([]string{"", "any", "boolean"}, kind)
	case armjson.Number:
		f, _ := strconv.ParseFloat(string(v), 64)
		return slices.Contains([]string{"", "any", "number"}, kind) || kind == "integer" && f == math.Trunc(f)
	case armjson.Array:
		return slices.Contains([]string{"", "any", "array"}, kind)
	case *armjson.Object:
		return slices.Contains([]string{"", "any", "object"}, kind)
	}
	return true
}

func textsOf(o *armjson.Object, word string) (list []string) {
	texts, _ := o.Value(word).(armjson.Array)
	for _, x := range texts {
		if s, ok := x.(armjson.String); ok {
			list = append(list, string(s))
		}
	}
	return list
}

// plain returns a value as it is after it went through Go's maps: names are sorted, and numbers are of 64 bits with a point.
func plain(v expand.Value) expand.Value { return armjson.Sorted(floats(v)) }

// floats returns a value with its numbers as those of 64 bits with a point.
func floats(v expand.Value) expand.Value {
	if x, ok := v.(armjson.Number); ok {
		if f, err := strconv.ParseFloat(string(x), 64); err == nil {
			text, _ := json.Marshal(f)
			return armjson.Number(text)
		}
		return v
	}
	return armjson.WithParts(v, func(_ string, part expand.Value) expand.Value { return floats(part) })
}

// printed returns a value as %v of Go prints it; ok is false if a part of it is not known.
func printed(v expand.Value) (text string, ok bool) {
	if !expand.IsKnown(v) {
		return "", false
	}
	return fmt.Sprintf("%v", toGo(v)), true
}

// toGo returns a value that is known as encoding/json reads it.
func toGo(v expand.Value) (out any) {
	_ = json.Unmarshal([]byte(armjson.Text(v)), &out)
	return out
}
