package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/armjson"
)

// Object is a Kubernetes object of a manifest that is not a DeploymentTemplate.
type Object struct {
	APIVersion, Kind, Name, Namespace string

	// Alias is set where the name and the annotations must not be shown: messages and the names
	// of files call the object so.
	Alias string

	Labels, Annotations map[string]string
	// Metadata is the whole metadata, if it may hold more than the above; it may hold Hidden values.
	Metadata *armjson.Object
	// Fields are the members beside apiVersion, kind and metadata: spec, and the like. They may
	// hold Hidden values.
	Fields []armjson.Member
}

// Group returns the group of the object's apiVersion.
func (o *Object) Group() string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group
}

// Called returns what messages and the names of files call the object.
func (o *Object) Called() string { return cmp.Or(o.Alias, o.Name) }

// CalledIn returns what messages call the object's namespace; "" if it has none.
func (o *Object) CalledIn() string {
	if o.Metadata != nil {
		if v, _ := o.Metadata.Get("namespace"); v != nil {
			if _, hidden := v.(*Hidden); hidden {
				return "…"
			}
		}
	}
	return o.Namespace
}

// Root returns the whole object, as it is written.
func (o *Object) Root() *armjson.Object {
	root, _ := revealed(o.Marked()).(*armjson.Object)
	return root
}

// Marked returns the whole object, in which what must not be shown is Hidden.
func (o *Object) Marked() *armjson.Object {
	whole := o.Metadata
	if whole == nil {
		whole = metadata(o.Name, o.Namespace, o.Labels, o.Annotations)
		for _, key := range []string{"name", "annotations"} {
			if v, ok := whole.Get(key); ok && o.Alias != "" {
				whole.Set(key, &Hidden{Value: v})
			}
		}
	}
	root := armjson.NewObject(
		armjson.Member{Key: "apiVersion", Value: armjson.String(o.APIVersion)},
		armjson.Member{Key: "kind", Value: armjson.String(o.Kind)},
	)
	if whole.Len() > 0 {
		root.Set("metadata", whole)
	}
	for _, m := range o.Fields {
		root.Set(m.Key, m.Value)
	}
	return root
}

// SortObjects orders objects by group, version, kind and name.
func SortObjects(list []*Object) {
	slices.SortStableFunc(list, func(a, b *Object) int {
		return cmp.Or(cmp.Compare(a.Group(), b.Group()), cmp.Compare(a.APIVersion, b.APIVersion),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

// RenderObjects writes objects: as one stream of YAML documents below comments, or as a
// List in JSON, which has none.
func RenderObjects(list []*Object, comments []string, f Format) ([]byte, error) {
	if err := checkChoice(OptionFormat, "format", f, YAML, JSON); err != nil {
		return nil, err
	}
	roots := make([]*armjson.Object, len(list))
	for i, o := range list {
		roots[i] = o.Root()
	}
	return renderRoots(roots, comments, f)
}

func renderRoots(roots []*armjson.Object, comments []string, f Format) ([]byte, error) {
	if f == JSON {
		if len(roots) == 1 {
			return render(roots[0], f)
		}
		items := make(armjson.Array, len(roots))
		for i, o := range roots {
			items[i] = o
		}
		return render(armjson.NewObject(
			armjson.Member{Key: "apiVersion", Value: armjson.String("v1")},
			armjson.Member{Key: "kind", Value: armjson.String("List")},
			armjson.Member{Key: "items", Value: items},
		), f)
	}
	var b bytes.Buffer
	b.Write(commentLines(comments))
	for i, o := range roots {
		if i > 0 {
			b.WriteString("---\n")
		}
		text, err := render(o, f)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}

// Head is what identifies the kind of an object in a file.
type Head struct{ APIVersion, Kind string }

// Heads returns the kinds of the objects in a file of YAML or JSON; ok is false if it holds
// anything else.
func Heads(content []byte) (list []Head, ok bool) {
	type document struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Items      []struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string `yaml:"kind"`
		} `yaml:"items"`
	}
	decoder := yamlv3.NewDecoder(bytes.NewReader(content))
	for {
		var d *document
		err := decoder.Decode(&d)
		switch {
		case errors.Is(err, io.EOF):
			return list, true
		case err != nil:
			return nil, false
		case d == nil: // an empty document
		case d.Kind == "List":
			for _, one := range d.Items {
				list = append(list, Head{one.APIVersion, one.Kind})
			}
		case d.Kind == "" || d.APIVersion == "":
			return nil, false
		default:
			list = append(list, Head{d.APIVersion, d.Kind})
		}
	}
}

// HoldsOne reports whether a file of JSON holds one of some objects: its kind, namespace and name.
func HoldsOne(list []*Object, content []byte) bool {
	if text := bytes.TrimSpace(content); len(text) == 0 || text[0] != '{' {
		return false
	}
	there, ok := ReadObjects(content)
	return ok && slices.ContainsFunc(there, func(root *armjson.Object) bool {
		metadata := root.Object("metadata")
		return slices.ContainsFunc(list, func(o *Object) bool {
			group, _, _ := strings.Cut(root.Str("apiVersion"), "/")
			return group == o.Group() && root.Str("kind") == o.Kind &&
				metadata.Str("namespace") == o.Namespace && metadata.Str("name") == o.Name
		})
	})
}

// CheckMetadata holds what a user gives for the metadata of objects to what Kubernetes takes.
func CheckMetadata(namespace string, labels, annotations map[string]string) error {
	var wrong []error
	if namespace != "" {
		wrong = append(wrong, checkNamespace(namespace))
	}
	wrong = append(wrong, checkLabels(labels), checkAnnotations(annotations))
	return errors.Join(wrong...)
}

// IsSubdomain reports whether Kubernetes takes a text for the name of an object.
func IsSubdomain(name string) bool { return isSubdomain(name) }
