package manifest

import (
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
)

// IsManifest reports whether the content of a file is a DeploymentTemplate
// manifest, so that a command that writes manifests may replace it.
func IsManifest(content []byte) bool {
	var head struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	if err := yaml.Unmarshal(content, &head); err != nil {
		return false
	}
	return head.Kind == Kind && strings.HasPrefix(head.APIVersion, "radapp.io/")
}

// masked stands for a secure value where it must not be shown.
const masked = "(secure)"

// Masked returns two contents of the manifest's file, that which is there and the
// manifest's own, as a comparison may show them: without the values of secure
// parameters. ok is false if the old content cannot be read, so that nothing of it
// may be shown.
func (m *Manifest) Masked(old []byte, f Format) (before, after []byte, ok bool) {
	rendered, err := m.Render(f)
	if err != nil {
		return nil, nil, false
	}
	if len(m.secure) == 0 {
		return old, rendered, true
	}
	after, err = render(m.mask(m.root), f)
	if err != nil {
		return nil, nil, false
	}
	if len(old) == 0 {
		return nil, after, true
	}
	asJSON, err := yaml.YAMLToJSON(old)
	if err != nil {
		return nil, nil, false
	}
	v, err := armjson.ParseBytes(asJSON, armjson.Options{})
	root, isObject := v.(*armjson.Object)
	if err != nil || !isObject || !onlyTexts(root) {
		return nil, nil, false
	}
	before, err = render(m.mask(inOrder(root, m.root)), f)
	return before, after, err == nil
}

// mask returns a manifest without its secure values.
func (m *Manifest) mask(root *armjson.Object) *armjson.Object {
	spec := root.Object("spec")
	if spec == nil {
		return root
	}
	out := armjson.NewObject()
	for k, v := range spec.All() {
		switch k {
		case "parameters":
			v = m.maskParameters(v)
		case "template":
			v = m.maskDefaults(v)
		}
		out.Set(k, v)
	}
	copied := armjson.NewObject()
	for k, v := range root.All() {
		if k == "spec" {
			v = out
		}
		copied.Set(k, v)
	}
	return copied
}

func (m *Manifest) maskParameters(v armjson.Value) armjson.Value {
	if s, ok := v.(armjson.String); ok {
		inner, err := armjson.Parse(string(s), armjson.Options{})
		o, isObject := inner.(*armjson.Object)
		if err != nil || !isObject {
			return armjson.String(masked)
		}
		for name := range m.secure {
			if p := o.Object(name); p != nil && p.Find("value") >= 0 {
				p.Set("value", armjson.String(masked))
			}
		}
		return armjson.String(string(escape(armjson.Append(nil, o, "  "))) + "\n")
	}
	o, ok := v.(*armjson.Object)
	if !ok {
		return v
	}
	out := armjson.NewObject()
	for name, value := range o.All() {
		if m.secure[name] {
			value = armjson.String(masked)
		}
		out.Set(name, value)
	}
	return out
}

// maskDefaults hides the values that the radius target makes defaults.
func (m *Manifest) maskDefaults(v armjson.Value) armjson.Value {
	s, _ := v.(armjson.String)
	inner, err := armjson.Parse(string(s), armjson.Options{})
	template, ok := inner.(*armjson.Object)
	if err != nil || !ok {
		return armjson.String(masked)
	}
	declared, changed := template.Object("parameters"), false
	if declared != nil {
		for name := range m.secure {
			if p := declared.Object(name); p != nil && p.Find("defaultValue") >= 0 {
				p.Set("defaultValue", armjson.String(masked))
				changed = true
			}
		}
	}
	if !changed {
		return v
	}
	return armjson.String(string(escape(armjson.Append(nil, template, "  "))) + "\n")
}

// onlyTexts reports whether a manifest holds nothing but objects and texts.
func onlyTexts(v armjson.Value) bool {
	switch v := v.(type) {
	case armjson.String:
		return true
	case *armjson.Object:
		for _, inner := range v.All() {
			if !onlyTexts(inner) {
				return false
			}
		}
		return true
	}
	return false
}

// inOrder returns an object with its members in the order of another's.
func inOrder(o, like *armjson.Object) *armjson.Object {
	out := armjson.NewObject()
	put := func(k string, v armjson.Value) {
		inner, ok1 := v.(*armjson.Object)
		other := like.Object(k)
		if ok1 && other != nil {
			v = inOrder(inner, other)
		}
		out.Set(k, v)
	}
	for k := range like.All() {
		if v, ok := o.Get(k); ok {
			put(k, v)
		}
	}
	for k, v := range o.All() {
		if out.Find(k) < 0 {
			put(k, v)
		}
	}
	return out
}
