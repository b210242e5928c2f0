package expand

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// # Existing resources that the deployment does not see
//
// Most templates of the classic form are expanded from their symbolic form, which lists the resources that exist
// already. The template that is deployed has not got these, but writes their names and IDs where they are used. So what
// is wrong with one, such as a name that is an empty parameter, makes the deployment fail only where its ID is used.

// isUnlisted reports whether the resource is one that the template that is deployed does not hold.
func (c *declaration) isUnlisted() bool {
	v, _ := find(c.body, "existing")
	places := c.d.module.places
	return v == armjson.Bool(true) && places != nil && !places.ListsExisting()
}

// forgive takes back what was said of resources that are not in the template that is deployed, and not used by it.
func (x *expander) forgive() {
	x.result.Diagnostics = slices.DeleteFunc(x.result.Diagnostics, func(d Diagnostic) bool {
		if d.of == nil || d.of.unlisted == nil {
			return false
		}
		return !slices.ContainsFunc(d.of.unlisted.instances, func(i *instance) bool {
			return i.resource != nil && (i.symbol() == d.of.Name || i.decl.name() == d.of.Name) && x.uses(i.resource)
		})
	})
}

// uses reports whether something that is deployed, or an output, reads a resource or has its ID.
func (x *expander) uses(of *Resource) bool {
	id := strings.ToLower(Text(of.ID))
	if _, known := Known(of.ID); !known {
		id = strings.TrimSuffix(strings.TrimPrefix(id, "["), "]")
	}
	var has func(v Value) bool
	has = func(v Value) bool {
		switch v := v.(type) {
		case armjson.String, *unknown:
			return id != "" && hasID(strings.ToLower(Text(v)), id)
		case armjson.Array:
			return slices.ContainsFunc(v, has)
		case *armjson.Object:
			for k, x := range v.All() { // the names of user assigned identities are IDs
				if has(armjson.String(k)) || has(x) {
					return true
				}
			}
		}
		return false
	}
	uses := func(values ...Value) bool {
		return slices.Contains(References(values...), of) || slices.ContainsFunc(values, has)
	}
	for _, r := range x.result.Resources {
		if r != of && (r.decl == nil || !r.decl.isUnlisted()) && uses(r.Body, r.Condition, r.Name, r.Scope, r.Copies) {
			return true
		}
	}
	return slices.ContainsFunc(x.result.Outputs, func(o Output) bool { return uses(o.Value) })
}

// hasID reports whether a text holds an ID, and not only one that begins in the same way.
func hasID(text, id string) bool {
	for {
		i := strings.Index(text, id)
		if i < 0 {
			return false
		}
		if text = text[i+len(id):]; text == "" || strings.HasSuffix(id, ")") ||
			strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789-_.", text[0]) < 0 {
			return true
		}
	}
}
