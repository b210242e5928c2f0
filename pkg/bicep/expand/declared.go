package expand

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # What a plan knows of a resource before it is there
//
// The deployment engine takes what a resource declares for what reference() will give, also that a property is null or
// that there is none (declared in reference.go). A plan believes less: with Options.Declared, a text, a number or true
// that a resource declares is what the deployment will find. A null or false may be what the provider changes, and a
// property that is not declared may get a value, so the call stays unknown.
//
// The resource is looked for by its symbolic name, or by its ID as far as that is known, so that it does not matter
// which of the two resources comes first in the template. Its body is evaluated when it is asked for. One that is being
// evaluated already asks for itself, and is unknown. docs/snapshot.md lists how plans and snapshots differ.

// foreseen returns reference() of a resource with what the resource declares. more are the arguments after the first.
func (d *deployment) foreseen(i *instance, whole *unknown, more []Value) Value {
	r := i.resource
	if !d.x.options.Declared || r == nil || r.Existing || i.index < 0 && i.decl.count != nil ||
		r.Condition == armjson.Bool(false) || len(more) > 2 {
		return whole
	}
	if len(more) > 0 {
		if version, _ := Known(more[0]); !strings.EqualFold(version, r.APIVersion) {
			return whole
		}
	}
	if i.filled == running || i.fill() != nil { // an error is told where the resource is deployed
		return whole
	}
	var value Value = r.Body
	if r.Extension == nil && len(more) < 2 {
		var ok bool
		if value, ok = find(r.Body, "properties"); !ok {
			return whole
		}
	}
	return &eval.Declared{Value: value, Whole: whole, Scalars: true}
}

// instanceOf returns the resource of this template that an ID is that of; nil if there is none.
func (d *deployment) instanceOf(id Value) (*instance, error) {
	key := placeKey(id)
	if key == "" {
		return nil, nil
	}
	if d.byPlace == nil {
		found, whole := map[string]*instance{}, true
		for _, c := range d.decls {
			if isDeployment(c.body) || c.at == running {
				whole = whole && c.at != running
				continue
			}
			list, err := c.all()
			if err != nil {
				return nil, err
			}
			for _, i := range list {
				if i.at == running {
					whole = false
					continue
				}
				if err := i.identify(); err != nil {
					return nil, err
				}
				if k := placeKey(i.id); k != "" && i.resource != nil && !i.resource.Existing {
					found[k] = i
				}
			}
		}
		if !whole {
			return found[key], nil
		}
		d.byPlace = found
	}
	return d.byPlace[key], nil
}

// placeKey returns a text that the IDs of one resource have in common, known or not; "" if it is too long.
func placeKey(id Value) string {
	const longest = 2000
	switch id := id.(type) {
	case armjson.String:
		return strings.ToLower(string(id))
	case *unknown:
		if text := armexpr.AppendSome(nil, id.Expr, longest); len(text) <= longest {
			return "[" + strings.ToLower(string(text))
		}
	}
	return ""
}
