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
				armjson.Member{Key: "properties", Value: expand.Printable(r.Body)},
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
			s.Outputs.Set(o.Name, expand.Printable(v))
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

func azure(r *expand.Resource) *armjson.Object {
	o := armjson.NewObject()
	set := func(name string, v armjson.Value) {
		if v != nil {
			o.Set(name, expand.Printable(v))
		}
	}
	set("id", r.ID)
	set("type", armjson.String(r.Type))
	set("name", r.Name)
	set("apiVersion", armjson.String(r.APIVersion))
	for k, v := range r.Body.All() {
		if strings.EqualFold(k, "location") {
			set("location", v)
		}
	}
	for k, v := range r.Body.All() {
		if !strings.EqualFold(k, "location") {
			set(k, v)
		}
	}
	return o
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
