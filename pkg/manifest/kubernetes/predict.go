package kubernetes

import (
	"maps"
	"slices"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// Predict changes the resources of a program to what Convert makes objects of, for a comparison, and returns them: with the
// namespaces, labels and annotations of the objects, and without what is in none. Nothing is refused: what is not known stays
// so, and what becomes no object stays as it is. Of a Secret that is not written, all values are secret.
func Predict(in objects.Input) []*expand.Resource {
	if in.Kinds == nil {
		in.Kinds = &schema.Kinds{}
	}
	c := &converter{in: in, out: &objects.Output{}}
	c.define(in.Program)
	list := slices.Clone(in.Program.Resources)
	missing, there := map[string]bool{}, map[string]bool{}
	for _, r := range list {
		if r.Existing || !r.IsKubernetes() {
			continue
		}
		c.predict(r)
		if namespace, ok := expand.Known(r.Scope); ok {
			missing[namespace] = true
		}
		if name, ok := expand.Known(r.Name); ok && r.Type == "core/Namespace" {
			there[name] = true
		}
	}
	if in.Options[CreateNamespace] != "true" {
		return list
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !there[name] && !ofAnyCluster[name] {
			metadata := armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(name)})
			list = append(list, &expand.Resource{Type: "core/Namespace", APIVersion: "v1", Name: armjson.String(name),
				Module: in.Program.Root, Extension: &expand.Extension{Provider: "Kubernetes"},
				Body: c.labelled(armjson.NewObject(armjson.Member{Key: "metadata", Value: metadata}))})
		}
	}
	return list
}

func (c *converter) predict(r *expand.Resource) {
	it := newItem(r)
	it.body = c.labelled(withoutNulls(r.Body).(*armjson.Object))
	if r.Maker != nil {
		it.body = c.plainAnnotations(it, it.body).(*armjson.Object)
	}
	if it.isSecret() {
		for _, part := range []string{"data", "stringData"} {
			if o, ok := it.body.Value(part).(*armjson.Object); ok {
				it.body.Set(part, armjson.WithParts(o, func(name string, v armjson.Value) armjson.Value { return expand.Secure(v, name) }))
			}
		}
	}
	r.Body, r.Extension = it.body, &expand.Extension{Alias: r.Extension.Alias, Provider: r.Extension.Provider}
	metadata, ok := it.body.Value("metadata").(*armjson.Object)
	if !ok {
		return
	}
	if own := metadata.Value("namespace"); own != nil { // more is known of the body
		r.Scope = own
	}
	if r.Scope == nil || r.Scope == armjson.String("") {
		if r.Scope = nil; c.in.Namespace != "" {
			r.Scope = armjson.String(c.in.Namespace)
		}
	}
	if kind := c.in.Kinds.Find(it.group, r.APIVersion, it.kind); kind != nil && !kind.Namespaced {
		r.Scope = nil
	}
	metadata = metadata.Clone()
	if metadata.Delete("namespace"); r.Scope != nil {
		metadata.Set("namespace", r.Scope)
	}
	it.body.Set("metadata", metadata)
}
