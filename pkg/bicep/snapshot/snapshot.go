// Package snapshot writes down what a template deploys, as the official compiler's snapshot command
// does, and tells how two such files differ.
//
// Begin with New, which takes the result of package expand, or with Parse for a file. Changes
// compares two of them. Package plan compares two templates without such a file.
package snapshot

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// Snapshot is what a snapshot file holds.
type Snapshot struct {
	Resources   []*armjson.Object
	Diagnostics []string
	Outputs     *armjson.Object
}

// New returns the snapshot of an expansion that was made with Options.Official.
// Values that are secure are in it as expressions.
func New(result *expand.Result) *Snapshot {
	s := &Snapshot{Outputs: armjson.NewObject()}
	var extensible []*armjson.Object
	for _, r := range result.Resources {
		switch {
		case r.Existing:
		case r.Extension != nil:
			extensible = append(extensible, armjson.NewObject(
				armjson.Member{Key: "properties", Value: printed(r.Body)},
				armjson.Member{Key: "type", Value: armjson.String(versioned(r))}))
		default:
			s.Resources = append(s.Resources, azure(r))
		}
	}
	s.Resources = append(s.Resources, extensible...)
	for _, d := range result.Diagnostics {
		s.Diagnostics = append(s.Diagnostics, d.String())
	}
	for _, o := range result.Outputs {
		v := o.Value
		if expand.IsKnown(v) && !expand.IsSecure(v) {
			s.Outputs.Set(o.Name, printed(v))
			continue
		}
		s.Outputs.Set(o.Name, armjson.String(expand.Expression(v)))
	}
	return s
}

func versioned(r *expand.Resource) string {
	if r.APIVersion == "" {
		return r.Type
	}
	return r.Type + "@" + r.APIVersion
}

// bodyKeys are the members of a resource that Azure's resource manager knows itself, in the order of the file.
var bodyKeys = []string{"location", "extendedLocation", "sku",
	"kind", "managedBy", "managedByExtended", "plan", "identity", "tags", "zones", "scale", "properties"}

// azure returns what the file has of a resource. A member that is null says no more than one that is not there, and
// is left out, except properties, which the resource provider reads.
func azure(r *expand.Resource) *armjson.Object {
	o := armjson.NewObject()
	set := func(name string, v armjson.Value) {
		if v != nil {
			o.Set(name, printed(v))
		}
	}
	set("id", r.ID)
	set("type", armjson.String(r.Type))
	set("condition", r.Condition)
	set("name", r.Name)
	set("apiVersion", armjson.String(r.APIVersion))
	others := r.Body.Clone()
	for _, key := range bodyKeys {
		for k, v := range r.Body.All() {
			if !strings.EqualFold(k, key) {
				continue
			}
			others.Delete(k)
			if v != (armjson.Null{}) || key == "properties" {
				set(key, v)
			}
		}
	}
	for k, v := range others.All() {
		if v != (armjson.Null{}) {
			set(k, v)
		}
	}
	return o
}

// printed returns a value in which expressions stand for what is unknown or secure. A text is as it is, also one
// in brackets, which a template would write with one more: the file holds values, and no program reads it.
func printed(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case expand.Unknown:
		return armjson.String(expand.Text(v))
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			out[i] = printed(x)
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		for k, x := range v.All() {
			out.Set(k, printed(x))
		}
		return out
	}
	return v
}

// Text returns the text of the file.
func (s *Snapshot) Text() []byte {
	resources := make(armjson.Array, len(s.Resources))
	for i, r := range s.Resources {
		resources[i] = r
	}
	diagnostics := make(armjson.Array, len(s.Diagnostics))
	for i, d := range s.Diagnostics {
		diagnostics[i] = armjson.String(d)
	}
	return armjson.Append(nil, armjson.NewObject(
		armjson.Member{Key: "predictedResources", Value: resources},
		armjson.Member{Key: "diagnostics", Value: diagnostics},
		armjson.Member{Key: "outputs", Value: s.Outputs}), armjson.Indented)
}

// Parse reads a snapshot file.
func Parse(text []byte) (*Snapshot, error) {
	v, err := armjson.ParseBytes(text, armjson.Options{})
	if err != nil {
		return nil, err
	}
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil, fmt.Errorf("not a snapshot: the file holds no JSON object")
	}
	list, ok := o.Get("predictedResources")
	resources, isArray := list.(armjson.Array)
	if !ok || !isArray {
		return nil, fmt.Errorf("not a snapshot: the file has no predictedResources")
	}
	s := &Snapshot{Outputs: o.Object("outputs")}
	for i, r := range resources {
		resource, ok := r.(*armjson.Object)
		if !ok {
			return nil, fmt.Errorf("not a snapshot: resource %d is not an object", i+1)
		}
		s.Resources = append(s.Resources, resource)
	}
	return s, nil
}
