package radiusmanifest

import (
	"encoding/json"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/armjson"
)

// Type is an API version of a resource type that a manifest registers.
type Type struct {
	Name, Version string // NAMESPACE/TYPE and a date
	Capabilities  []string
	Schema        *armjson.Object // all that it says, defaults among it
}

// Types returns the types that a manifest registers. An error begins with the number of the line that it is about.
func Types(text []byte) (list []Type, err error) {
	m, err := read(text)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	for _, v := range m.versions {
		schema, err := r.value(v.schema.node, 0)
		if err != nil {
			return nil, err
		}
		t := Type{Name: m.namespace + "/" + v.name, Version: v.version, Capabilities: v.capabilities}
		t.Schema, _ = schema.(*armjson.Object)
		list = append(list, t)
	}
	return list, nil
}

// value returns a value as Radius reads it: yes, on and dates are texts.
func (r *reader) value(n *yaml.Node, depth int) (armjson.Value, error) {
	n = resolve(n)
	switch r.nodes++; {
	case depth > 4*maxDepth: // a schema is in properties of another one
		return nil, fail(n, "the schema nests deeper than %d", maxDepth)
	case r.nodes > maxNodes:
		return nil, tooMany(n)
	case n.Kind == yaml.SequenceNode:
		list := make(armjson.Array, len(n.Content))
		for i, x := range n.Content {
			var err error
			if list[i], err = r.value(x, depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case n.Kind == yaml.MappingNode:
		members, err := r.members(n, "a schema")
		o := armjson.NewObject()
		for _, m := range members {
			v, err := r.value(m.value, depth+1)
			if err != nil {
				return nil, err
			}
			o.Set(m.key.Value, v)
		}
		return o, err
	}
	var f float64
	switch tag := n.ShortTag(); {
	case tag == "!!null":
		return armjson.Null{}, nil
	case tag == "!!bool":
		return armjson.Bool(strings.EqualFold(n.Value, "true")), nil
	case (tag == "!!int" || tag == "!!float") && n.Decode(&f) == nil && !math.IsNaN(f) && !math.IsInf(f, 0):
		number, _ := json.Marshal(f)
		return armjson.Number(number), nil
	}
	return armjson.String(n.Value), nil
}
