package aso

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// leaveOut notes the resources that no objects are made of, because the operator has no kind for them or for something
// that they need, and warns of each. It does so only if it is asked for.
func (c *converter) leaveOut() {
	if c.in.Options[SkipUnsupported] != "true" {
		return
	}
	ids := map[string]*expand.Resource{}
	for _, r := range c.in.Program.Resources {
		if id, ok := expand.Known(r.ID); ok {
			ids[strings.ToLower(id)] = r
		}
	}
	needed := map[*expand.Resource][]*expand.Resource{} // what needs a resource
	for _, r := range c.in.Program.Resources {
		for _, of := range needs(r, ids) {
			needed[of] = append(needed[of], r)
		}
	}
	var queue []*expand.Resource
	leave := func(r *expand.Resource, format string, args ...any) {
		if c.left[r] {
			return
		}
		c.left[r] = true
		queue = append(queue, r)
		if text := whatOf(r) + " is left out: " + fmt.Sprintf(format, args...); !r.Existing {
			c.out.Warn(r.Position, CodeType, "%s", text)
			c.out.LeftOut = append(c.out.LeftOut, text)
		}
	}
	for _, r := range c.in.Program.Resources {
		switch {
		case r.Existing:
		case r.Extension != nil:
			leave(r, "it is a resource of the extension %s", r.Extension.Alias)
		case c.table.kinds[strings.ToLower(r.Type)] == nil:
			leave(r, "Azure Service Operator %s has no kind for the type %s", c.table.version, r.Type)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, r := range needed[queue[0]] {
			leave(r, "it needs %s, which is left out", whatOf(queue[0]))
		}
	}
}

// needs returns the resources that another one needs: that it belongs to, depends on, or has an ID or a value of. An
// existing resource needs only what it belongs to.
func needs(r *expand.Resource, ids map[string]*expand.Resource) (list []*expand.Resource) {
	for _, d := range r.Dependencies {
		if d.Resource != nil && (!r.Existing || d.Kind == expand.Parent || d.Kind == expand.Scoped) {
			list = append(list, d.Resource)
		}
	}
	if r.Existing || r.Body == nil {
		return list
	}
	var walk func(v armjson.Value)
	walk = func(v armjson.Value) {
		switch v := v.(type) {
		case armjson.String:
			if of := ids[strings.ToLower(string(v))]; of != nil {
				list = append(list, of)
			}
		case armjson.Array:
			for _, x := range v {
				walk(x)
			}
		case *armjson.Object:
			for _, x := range v.All() {
				walk(x)
			}
		}
	}
	walk(r.Body)
	return append(list, expand.References(r.Body)...)
}

// whatOf is how messages call a resource.
func whatOf(r *expand.Resource) string {
	if r.Symbol == "" {
		return "the resource of the type " + r.Type
	}
	return fmt.Sprintf("%q", r.Symbol)
}
