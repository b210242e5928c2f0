package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
)

// Deployed is what a DeploymentTemplate deploys, as it is read from a manifest.
type Deployed struct {
	Name, Namespace string
	Template        *armjson.Object
	// Parameters holds {"value": …} or {"reference": …} by name.
	Parameters *armjson.Object
	// The scopes that are deployed to; empty if the manifest does not say.
	RadiusScope, AzureScope, AWSScope string
}

// Read returns the DeploymentTemplates in a text of YAML or JSON: one manifest,
// several documents, or a list such as kubectl prints. Other objects are left out.
func Read(content []byte) ([]Deployed, error) {
	list, _, err := ReadList(content)
	return list, err
}

// ReadList is Read, and reports whether the text is a list of the API server's: one without
// DeploymentTemplates says that there are none.
func ReadList(content []byte) (list []Deployed, isList bool, err error) {
	decoder := yamlv3.NewDecoder(bytes.NewReader(content))
	for {
		var node yamlv3.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return list, isList, nil
		}
		if err != nil {
			return nil, false, fmt.Errorf("not YAML: %s", firstLine(err))
		}
		document, err := yamlv3.Marshal(&node)
		if err != nil {
			return nil, false, fmt.Errorf("not YAML: %s", firstLine(err))
		}
		asJSON, err := yaml.YAMLToJSON(document)
		if err != nil {
			return nil, false, fmt.Errorf("not YAML: %s", firstLine(err))
		}
		v, err := armjson.ParseBytes(asJSON, armjson.Options{})
		if err != nil {
			return nil, false, err
		}
		_, ok := listed(v)
		isList = isList || ok
		if list, err = collect(list, v); err != nil {
			return nil, false, err
		}
	}
}

// firstLine keeps messages of YAML libraries, which can quote the text, short.
func firstLine(err error) string {
	s, _, _ := strings.Cut(err.Error(), "\n")
	if i := strings.Index(s, "line "); i >= 0 {
		if line, _, ok := strings.Cut(s[i:], ":"); ok {
			return line
		}
	}
	return "it cannot be read"
}

// listed returns the objects of a list.
func listed(v armjson.Value) (armjson.Array, bool) {
	o, ok := v.(*armjson.Object)
	if !ok || !strings.HasSuffix(o.Str("kind"), "List") {
		return nil, false
	}
	items, _ := o.Get("items")
	all, ok := items.(armjson.Array)
	return all, ok
}

func collect(list []Deployed, v armjson.Value) ([]Deployed, error) {
	o, ok := v.(*armjson.Object)
	if !ok {
		return list, nil
	}
	if all, ok := listed(o); ok {
		for _, item := range all {
			if one, ok := item.(*armjson.Object); ok && o.Str("kind") == Kind+"List" && one.Find("kind") < 0 {
				// In a list of one kind, as the API server gives it, it is not said again.
				one.Set("kind", armjson.String(Kind))
				one.Set("apiVersion", armjson.String(o.Str("apiVersion")))
			}
			var err error
			if list, err = collect(list, item); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	if o.Str("kind") != Kind || !strings.HasPrefix(o.Str("apiVersion"), "radapp.io/") {
		return list, nil
	}
	d, err := deployed(o, nil)
	if err != nil {
		return nil, fmt.Errorf("DeploymentTemplate %q: %w", d.Name, err)
	}
	return append(list, d), nil
}

// Deployed returns what the manifest deploys.
func (m *Manifest) Deployed() (Deployed, error) { return deployed(m.root, m.template) }

// deployed returns what the manifest in an object deploys. template is the value of its
// template's text, or nil if it was not parsed.
func deployed(o, template *armjson.Object) (Deployed, error) {
	d := Deployed{Name: o.Object("metadata").Str("name"), Namespace: o.Object("metadata").Str("namespace"), Template: template}
	spec := o.Object("spec")
	var err error
	if d.Template == nil {
		if d.Template, err = embedded(spec, "template"); err != nil {
			return d, err
		}
	}
	if d.Template == nil {
		return d, fmt.Errorf("it has no template")
	}
	given, err := embedded(spec, "parameters")
	if err != nil {
		return d, err
	}
	d.Parameters = armjson.NewObject()
	if given != nil {
		for name, v := range given.All() {
			entry, ok := v.(*armjson.Object)
			if !ok || entry.Find("value") < 0 && entry.Find("reference") < 0 {
				entry = armjson.NewObject(armjson.Member{Key: "value", Value: v})
			}
			d.Parameters.Set(name, entry)
		}
	}
	config, err := embedded(spec, "providerConfig")
	if err != nil {
		return d, err
	}
	scope := func(provider string) string {
		return config.Object(provider).Object("value").Str("scope")
	}
	d.RadiusScope, d.AzureScope, d.AWSScope = scope("radius"), scope("az"), scope("aws")
	return d, nil
}

// embedded returns a member that is an object or the JSON text of one; nil if it is
// absent.
func embedded(spec *armjson.Object, name string) (*armjson.Object, error) {
	if spec == nil {
		return nil, nil
	}
	v, _ := spec.Get(name)
	switch v := v.(type) {
	case *armjson.Object:
		return v, nil
	case armjson.String:
		if strings.TrimSpace(string(v)) == "" {
			return nil, nil
		}
		inner, err := armjson.Parse(string(v), armjson.Options{Comments: true, MaxDepth: 1 << 20})
		o, ok := inner.(*armjson.Object)
		if err != nil || !ok {
			return nil, fmt.Errorf("its %s is not a JSON object", name)
		}
		return o, nil
	case nil, armjson.Null:
		return nil, nil
	}
	return nil, fmt.Errorf("its %s is not an object", name)
}
