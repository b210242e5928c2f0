package manifest

import (
	"maps"
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
// manifest's own, as a comparison may show them: without the values of parameters
// that are secure now, or were when the old content was made. ok is false if the
// old content cannot be read, so that nothing of it may be shown.
func (m *Manifest) Masked(old []byte, f Format) (before, after []byte, ok bool) {
	former, readable := readManifest(old)
	secret := maps.Clone(m.secure)
	for name := range onceSecure(former) {
		secret[name] = true
	}
	if len(secret) == 0 {
		rendered, err := m.Render(f)
		return old, rendered, err == nil
	}
	after, err := render(mask(m.root, secret), f)
	switch {
	case err != nil:
		return nil, nil, false
	case len(old) == 0:
		return nil, after, true
	case !readable:
		return nil, nil, false
	}
	before, err = render(mask(inOrder(former, m.root), secret), f)
	return before, after, err == nil
}

// readManifest reads a manifest in YAML or JSON. ok is false if it is not of the
// form that this package writes.
func readManifest(content []byte) (root *armjson.Object, ok bool) {
	asJSON, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, false
	}
	v, err := armjson.ParseBytes(asJSON, armjson.Options{})
	root, ok = v.(*armjson.Object)
	if err != nil || !ok || !onlyTexts(root) {
		return nil, false
	}
	return root, true
}

// onceSecure returns the parameters that the template in a manifest declares as
// secure, and those of types that may be.
func onceSecure(root *armjson.Object) map[string]bool {
	v, err := armjson.Parse(text(root.Object("spec"), "template"), armjson.Options{})
	template, _ := v.(*armjson.Object)
	parameters := template.Object("parameters")
	if err != nil || parameters == nil {
		return nil
	}
	mentions := func(o *armjson.Object, what string) bool {
		return o != nil && strings.Contains(strings.ToLower(armjson.Text(o)), what)
	}
	names := map[string]bool{}
	definitions := mentions(template.Object("definitions"), `"secure`)
	for name := range parameters.All() {
		if p := parameters.Object(name); mentions(p, `"secure`) || definitions && mentions(p, `"$ref"`) {
			names[name] = true
		}
	}
	return names
}

// mask returns a manifest without the values that are secret.
func mask(root *armjson.Object, secret map[string]bool) *armjson.Object {
	spec := root.Object("spec")
	if spec == nil {
		return root
	}
	out := armjson.NewObject()
	for k, v := range spec.All() {
		switch k {
		case "parameters":
			v = maskParameters(v, secret)
		case "template":
			v = maskDefaults(v, secret)
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

func maskParameters(v armjson.Value, secret map[string]bool) armjson.Value {
	if s, ok := v.(armjson.String); ok {
		inner, err := armjson.Parse(string(s), armjson.Options{})
		o, isObject := inner.(*armjson.Object)
		if err != nil || !isObject {
			return armjson.String(masked)
		}
		for name := range secret {
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
		if secret[name] {
			value = armjson.String(masked)
		}
		out.Set(name, value)
	}
	return out
}

// maskDefaults hides the values that the radius target makes defaults.
func maskDefaults(v armjson.Value, secret map[string]bool) armjson.Value {
	s, _ := v.(armjson.String)
	inner, err := armjson.Parse(string(s), armjson.Options{})
	template, ok := inner.(*armjson.Object)
	if err != nil || !ok {
		return armjson.String(masked)
	}
	declared, changed := template.Object("parameters"), false
	if declared != nil {
		for name := range secret {
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
