package manifest

import (
	"bytes"
	"errors"
	"io"
	"slices"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/secret"
)

// Hidden is a value in an object that is written, but not shown: it is computed from the
// environment. It prints as null, so that code which does not know it discloses nothing.
type Hidden struct {
	armjson.Null
	Value armjson.Value
}

// revealed returns a value as it is written.
func revealed(v armjson.Value) armjson.Value {
	if h, ok := v.(*Hidden); ok {
		return revealed(h.Value)
	}
	return armjson.WithParts(v, func(_ string, x armjson.Value) armjson.Value { return revealed(x) })
}

// MaskedObjects returns two contents of a file of objects, that which is there and that of the
// list, as a comparison may show them: without what is Hidden. The present content carries no
// marks. So in both contents the same places of all objects of a kind are hidden, and the texts
// wherever else they stand. ok is false if what is there cannot be read.
func MaskedObjects(list []*Object, comments []string, old []byte, f Format) (before, after []byte, ok bool) {
	m := objectMasker{places: map[string]bool{}}
	for _, o := range list {
		m.collect(o.Marked(), o.Kind)
	}
	if len(m.places) == 0 {
		after, err := RenderObjects(list, comments, f)
		return old, after, err == nil
	}
	m.texts.compile()
	roots := make([]*armjson.Object, len(list))
	for i, o := range list {
		roots[i] = m.object(o.Root())
	}
	after, err := renderRoots(roots, comments, f)
	if err != nil || len(bytes.TrimSpace(old)) == 0 {
		return nil, after, err == nil
	}
	former, ok := ReadObjects(old)
	if !ok {
		return nil, nil, false
	}
	for i, o := range former {
		if like := alike(list, o); like != nil {
			o = inOrder(o, like.Root())
		}
		former[i] = m.object(o)
	}
	before, err = renderRoots(former, redacted(commentsOf(old), m.texts.redact), f)
	return before, after, err == nil
}

// alike returns the object of a list that stood in a file before: of the same kind and name,
// or else of the same kind. It may be nil.
func alike(list []*Object, root *armjson.Object) *Object {
	kind, name := textIn(root, "kind"), textIn(objectIn(root, "metadata"), "name")
	var found *Object
	for _, o := range list {
		if o.Kind == kind && (found == nil || o.Name == name) {
			found = o
		}
	}
	return found
}

// ReadObjects reads the objects of a file of YAML or JSON.
func ReadObjects(content []byte) (list []*armjson.Object, ok bool) {
	decoder := yamlv3.NewDecoder(bytes.NewReader(content))
	for {
		var n yamlv3.Node
		if err := decoder.Decode(&n); err != nil {
			return list, errors.Is(err, io.EOF)
		}
		text, err := yamlv3.Marshal(&n)
		if err == nil {
			text, err = yaml.YAMLToJSON(text)
		}
		if err != nil {
			return nil, false
		}
		v, err := armjson.ParseBytes(text, armjson.Options{})
		if err != nil {
			return nil, false
		}
		root, isObject := v.(*armjson.Object)
		items, _ := member(root, "items")
		many, isList := items.(armjson.Array)
		switch {
		case isObject && isList && textIn(root, "kind") == "List":
			for _, x := range many {
				o, isObject := x.(*armjson.Object)
				if !isObject {
					return nil, false
				}
				list = append(list, o)
			}
		case isObject:
			list = append(list, root)
		case v != armjson.Null{}: // an empty document
			return nil, false
		}
	}
}

// objectMasker hides values in objects.
type objectMasker struct {
	places map[string]bool // the kind, and the names that lead to a value, with * for an index
	texts  masker
}

// collect notes where Hidden values are, and their texts.
func (m *objectMasker) collect(v armjson.Value, place string) {
	switch v := v.(type) {
	case *Hidden:
		m.places[place] = true
		m.texts.note(revealed(v.Value))
	case armjson.Array:
		for _, x := range v {
			m.collect(x, place+"\x00*")
		}
	case *armjson.Object:
		for name, x := range v.All() {
			m.collect(x, place+"\x00"+name)
		}
	}
}

// object returns an object without what is hidden.
func (m *objectMasker) object(root *armjson.Object) *armjson.Object {
	kind := textIn(root, "kind")
	out := armjson.NewObject()
	for name, v := range root.All() {
		if name != "apiVersion" && name != "kind" {
			v = m.value(v, kind+"\x00"+name)
		}
		out.Set(name, v)
	}
	return out
}

func (m *objectMasker) value(v armjson.Value, place string) armjson.Value {
	if m.places[place] {
		return armjson.String(secret.Text)
	}
	switch v := v.(type) {
	case armjson.String:
		return armjson.String(m.texts.redact(string(v)))
	case armjson.Number:
		if slices.Contains(m.texts.texts, string(v)) {
			return armjson.String(secret.Text)
		}
	}
	_, isArray := v.(armjson.Array)
	return armjson.WithParts(v, func(name string, x armjson.Value) armjson.Value {
		if isArray {
			name = "*"
		}
		return m.value(x, place+"\x00"+name)
	})
}
