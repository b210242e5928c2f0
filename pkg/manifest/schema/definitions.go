package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
)

// Definition is a CRD. Its versions are read when one is asked for: those of a cluster are many megabytes.
type Definition struct {
	Group, Kind, Plural string
	Namespaced          bool
	Release             string // what its label app.kubernetes.io/version says
	Versions            []*Version
}

// Version is a kind in one version of its API, as a CRD defines it.
type Version struct {
	Name   string
	Served bool
	Text   []byte // the definition, of which no more than this was read
	schema func() (*armjson.Object, error)
}

const crdKind = "CustomResourceDefinition"

// Schema returns the schema of the objects.
func (v *Version) Schema() (*armjson.Object, error) { return v.schema() }

// ReadDefinitions returns the CRDs among the objects of a text, in its documents and lists. An error says what is wrong
// with the text.
func ReadDefinitions(text []byte) (list []*Definition, err error) {
	var schemas [][]byte
	documents, isJSON := [][]byte{text}, json.Valid(text)
	if !isJSON {
		text, schemas = withoutSchemas(text)
		documents = bytes.Split(text, []byte("\n---"))
	}
	for _, document := range documents {
		if !isJSON {
			document, err = yaml.YAMLToJSON(document)
		}
		v, wrong := armjson.ParseBytes(document, armjson.Options{})
		if v == (armjson.Null{}) { // nothing stands between two lines
			continue
		}
		o, ok := v.(*armjson.Object)
		if err != nil || wrong != nil || !ok {
			return nil, errors.New("it holds something else than objects in YAML or JSON, or is cut off")
		}
		items, isList := o.Value("items").(armjson.Array)
		if !isList {
			items = armjson.Array{o}
		} else if o.Find("kind") < 0 { // kubectl writes it at the end
			list = append(list, &Definition{})
		}
		for _, x := range items {
			one, _ := x.(*armjson.Object)
			if one != nil && o.Str("kind") == crdKind+"List" {
				one.Set("kind", armjson.String(crdKind)) // the API server does not say it again
			}
			if d := define(one, schemas); d != nil {
				list = append(list, d)
			}
		}
	}
	for _, d := range list {
		if !d.isWhole() {
			what := "it"
			if d.Kind != "" && d.Group != "" {
				what = "the definition of " + d.Kind + " (" + d.Group + ")"
			}
			return nil, errors.New(what + " is not whole; the file may be cut off")
		}
	}
	return list, nil
}

// schemaName stands before a schema, in a line of its own where tools have written it.
const schemaName = "openAPIV3Schema"

// withoutSchemas takes the schemas out of a text of YAML, without reading them: numbers stand for them.
func withoutSchemas(text []byte) (rest []byte, schemas [][]byte) {
	within := -1 // how far the line of the schema is indented
	for line := range bytes.Lines(text) {
		words := bytes.TrimLeft(line, " ")
		indent := len(line) - len(words)
		words = bytes.TrimSpace(words)
		if within >= 0 && (len(words) == 0 || words[0] == '#' || indent > within) {
			schemas[len(schemas)-1] = append(schemas[len(schemas)-1], line...)
			continue
		}
		if within = -1; string(words) == schemaName+":" {
			within = indent
			line = fmt.Appendf(nil, "%s %d\n", bytes.TrimRight(line, "\r\n"), len(schemas))
			schemas = append(schemas, nil)
		}
		rest = append(rest, line...)
	}
	return rest, schemas
}

// isWhole reports whether nothing is missing that each CRD has.
func (d *Definition) isWhole() bool {
	return d.Group != "" && d.Kind != "" && len(d.Versions) > 0 &&
		!slices.ContainsFunc(d.Versions, func(v *Version) bool { return v.Name == "" || v.schema == nil })
}

// define returns the definition that an object is; nil if it is none. Numbers stand for some of the schemas.
func define(crd *armjson.Object, schemas [][]byte) *Definition {
	if crd.Str("kind") != crdKind {
		return nil
	}
	spec := crd.Object("spec")
	names := spec.Object("names")
	d := &Definition{Group: spec.Str("group"), Kind: names.Str("kind"), Plural: names.Str("plural"),
		Namespaced: spec.Str("scope") != "Cluster", Release: crd.Object("metadata").Object("labels").Str("app.kubernetes.io/version")}
	versions, _ := spec.Value("versions").(armjson.Array)
	for _, x := range versions {
		one, _ := x.(*armjson.Object)
		v := &Version{Name: one.Str("name"), Served: one.Is("served")}
		d.Versions = append(d.Versions, v)
		if one.Value("served") == nil {
			continue
		}
		switch schema := one.Object("schema").Value(schemaName).(type) {
		case *armjson.Object:
			v.Text = []byte(schema.Str("description"))
			v.schema = func() (*armjson.Object, error) { return schema, nil }
		case armjson.Number:
			if n, ok := schema.Int64(); ok && n >= 0 && n < int64(len(schemas)) {
				v.Text = schemas[n]
				v.schema = sync.OnceValues(func() (*armjson.Object, error) { return readSchema(d, v) })
			}
		}
	}
	return d
}

func readSchema(d *Definition, v *Version) (*armjson.Object, error) {
	if text, err := yaml.YAMLToJSON(v.Text); err == nil {
		read, _ := armjson.ParseBytes(text, armjson.Options{})
		if root, ok := read.(*armjson.Object); ok {
			return root, nil
		}
	}
	return nil, fmt.Errorf("the schema of %s (%s/%s) cannot be read as YAML", d.Kind, d.Group, v.Name)
}
