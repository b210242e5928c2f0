package schema

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
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
	for _, document := range documents(text) {
		found, ok := cutDocument(slices.Clone(document))
		if !ok { // it is not in the form that tools write
			if found, ok = readDocument(document); !ok {
				return nil, errors.New("it holds something else than objects in YAML or JSON, or is cut off")
			}
		}
		list = append(list, found...)
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

// readDocument reads a document as a whole, which takes much longer.
func readDocument(text []byte) (list []*Definition, ok bool) {
	var objects []*armjson.Object
	v, err := armjson.ParseBytes(text, armjson.Options{})
	root, isObject := v.(*armjson.Object)
	items, isList := root.Value("items").(armjson.Array)
	switch {
	case err != nil: // YAML
		if objects, ok = manifest.ReadObjects(text); !ok {
			return nil, false
		}
	case isList:
		for _, x := range items {
			o, _ := x.(*armjson.Object)
			if o != nil && root.Str("kind") == crdKind+"List" {
				o.Set("kind", armjson.String(crdKind)) // the API server does not say it again
			}
			objects = append(objects, o)
		}
	case isObject:
		objects = append(objects, root)
	default:
		return nil, false
	}
	for _, o := range objects {
		if d := define(o); d != nil {
			list = append(list, d)
		}
	}
	return list, true
}

// isWhole reports whether nothing is missing that each CRD has.
func (d *Definition) isWhole() bool {
	return d.Group != "" && d.Kind != "" && len(d.Versions) > 0 &&
		!slices.ContainsFunc(d.Versions, func(v *Version) bool { return v.Name == "" || v.schema == nil })
}

// define returns the definition that an object is; nil if it is none.
func define(crd *armjson.Object) *Definition {
	if crd == nil || crd.Str("kind") != crdKind {
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
		root := one.Object("schema").Object("openAPIV3Schema")
		if one.Value("served") != nil && root != nil {
			v.Text = []byte(root.Str("description"))
			v.schema = func() (*armjson.Object, error) { return root, nil }
		}
		d.Versions = append(d.Versions, v)
	}
	return d
}

// documents splits a text of YAML at the lines that begin a document.
func documents(text []byte) (list [][]byte) {
	start := 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		if line := text[at:end]; bytes.HasPrefix(line, []byte("---")) && (len(bytes.TrimSpace(line)) == 3 || line[3] == ' ') {
			list = append(list, text[start:at])
			start = at
			if len(bytes.TrimSpace(line)) == 3 {
				start = end
			}
		}
		at = end
	}
	return append(list, text[start:])
}

func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// cutDocument finds the CRDs of a document by its indentation, without reading the schemas. ok is false if it has another
// form than tools write. It changes the text.
func cutDocument(text []byte) (list []*Definition, ok bool) {
	members, ok := cut(text)
	if !ok {
		return nil, false
	}
	items := [][]byte{text}
	if all, isList := members["items"]; isList {
		if items, ok = cutList(all); !ok {
			return nil, false
		}
		if len(members["kind"]) == 0 { // kubectl writes it at the end
			return []*Definition{{}}, true
		}
	}
	for _, item := range items {
		root, ok := cut(item)
		if !ok {
			return nil, false
		}
		switch kind := scalar(root["kind"]); {
		case kind == crdKind, kind == "" && scalar(members["kind"]) == crdKind+"List":
		case bytes.Contains(root["kind"], []byte(crdKind)):
			return nil, false
		default:
			continue
		}
		d, ok := cutDefinition(root)
		if !ok {
			return nil, false
		}
		list = append(list, d)
	}
	return list, true
}

func cutDefinition(root map[string][]byte) (*Definition, bool) {
	spec, ok1 := cut(root["spec"])
	names, ok2 := cut(spec["names"])
	versions, ok3 := cutList(spec["versions"])
	metadata, ok4 := cut(root["metadata"])
	labels, ok5 := cut(metadata["labels"])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return nil, false
	}
	d := &Definition{Group: scalar(spec["group"]), Kind: scalar(names["kind"]), Plural: scalar(names["plural"]),
		Namespaced: scalar(spec["scope"]) != "Cluster", Release: scalar(labels["app.kubernetes.io/version"])}
	for _, text := range versions {
		one, ok := cut(text)
		if !ok {
			return nil, false
		}
		served := scalar(one["served"])
		if !slices.Contains([]string{"true", "false", ""}, served) { // YAML knows more words for them
			return nil, false
		}
		v := &Version{Name: scalar(one["name"]), Served: served == "true", Text: one["schema"]}
		if served != "" && len(v.Text) > 0 {
			v.schema = sync.OnceValues(func() (*armjson.Object, error) { return readSchema(d, v) })
		}
		d.Versions = append(d.Versions, v)
	}
	return d, true
}

func readSchema(d *Definition, v *Version) (*armjson.Object, error) {
	text, err := yaml.YAMLToJSON(v.Text)
	if err == nil {
		var read armjson.Value
		if read, err = armjson.ParseBytes(text, armjson.Options{}); err == nil {
			o, _ := read.(*armjson.Object)
			if root := o.Object("openAPIV3Schema"); root != nil {
				return root, nil
			}
		}
	}
	return nil, fmt.Errorf("the schema of %s (%s/%s) cannot be read as YAML", d.Kind, d.Group, v.Name)
}

// cut takes a mapping apart: what stands behind each of its names. ok is false if it is not written with each name in a line
// of its own. Nothing is a mapping without names.
func cut(text []byte) (members map[string][]byte, ok bool) {
	members = map[string][]byte{}
	indent, key, start := -1, "", 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		first := at
		for first < end && text[first] == ' ' {
			first++
		}
		switch line := bytes.TrimRight(text[first:end], " \r\n"); {
		case len(line) == 0, line[0] == '#', indent >= 0 && first-at > indent:
		case indent >= 0 && first-at == indent && line[0] == '-' && key != "": // of the list behind the name
		case indent >= 0 && first-at < indent:
			return nil, false
		default:
			if key != "" {
				members[key] = text[start:at]
			}
			name, rest, found := bytes.Cut(line, []byte(":"))
			if key = scalar(name); !found || key == "" || len(rest) > 0 && rest[0] != ' ' || bytes.ContainsAny(name, "{[&*!?\t") {
				return nil, false
			}
			indent, start = first-at, first+len(name)+1
		}
		at = end
	}
	if key != "" {
		members[key] = text[start:]
	}
	return members, true
}

// cutList takes a list apart. The hyphens of its elements become blanks.
func cutList(text []byte) (items [][]byte, ok bool) {
	indent, start := -1, 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		first := at
		for first < end && text[first] == ' ' {
			first++
		}
		switch line := bytes.TrimRight(text[first:end], " \r\n"); {
		case len(line) == 0, line[0] == '#', indent >= 0 && first-at > indent:
		case line[0] == '-' && (indent < 0 || first-at == indent) && (len(line) == 1 || line[1] == ' '):
			if indent >= 0 {
				items = append(items, text[start:at])
			}
			indent, start = first-at, at
			text[first] = ' '
		default:
			return nil, false
		}
		at = end
	}
	if indent >= 0 {
		items = append(items, text[start:])
	}
	return items, len(items) > 0
}

// scalar returns a text as it is meant: without what stands around it, and comments. Texts of CRDs that are cut have no escapes.
func scalar(text []byte) string {
	if i := bytes.Index(text, []byte(" #")); i >= 0 {
		text = text[:i]
	}
	if i := bytes.Index(text, []byte("\n#")); i >= 0 {
		text = text[:i]
	}
	text = bytes.TrimSpace(text)
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		text = text[1 : n-1]
	}
	return string(text)
}
