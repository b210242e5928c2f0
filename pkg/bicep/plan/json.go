package plan

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/secret"
)

// JSON returns the plan as a value to print. Resources that do not change are
// counted only. display returns how a file is named; nil names it in full.
func (p *Plan) JSON(display func(path string) string) *armjson.Object {
	o := armjson.NewObject()
	actions := []Action{Create, Update, Delete, Replace, Rename, Unknown, Unchanged}
	if !p.Compared {
		actions = []Action{Deploy}
	}
	counts := func(byRecipes bool) *armjson.Object {
		list := armjson.NewObject()
		for _, a := range actions {
			list.Set(string(a), armjson.Int(int64(p.count(byRecipes, a))))
		}
		return list
	}
	o.Set("summary", counts(false))
	if slices.ContainsFunc(p.Items, func(i Item) bool { return i.Resource.Maker != nil }) {
		o.Set("objects", counts(true))
	}
	resources := armjson.Array{}
	for i := range p.Items {
		if p.Items[i].Action != Unchanged {
			resources = append(resources, p.Items[i].json(display, p.Deletion(&p.Items[i])))
		}
	}
	o.Set("resources", resources)
	o.Set("outputs", changesJSON(p.Outputs))
	if len(p.NotDeployed) > 0 {
		list := armjson.Array{}
		for i := range p.NotDeployed {
			list = append(list, p.NotDeployed[i].json(display, Kept))
		}
		o.Set("notDeployed", list)
	}
	if len(p.Values) > 0 {
		values := armjson.NewObject()
		for _, v := range p.Values {
			values.Set(v.Name, shown(v.Value))
		}
		o.Set("values", values)
	}
	unknowns := armjson.Array{}
	for _, c := range p.Unknowns {
		u := object("expression", c.Call, "reason", string(c.Kind))
		if c.Option != "" {
			u.Set("option", armjson.String(c.Option))
		}
		list := armjson.Array{}
		for _, r := range c.Resources {
			list = append(list, armjson.String(r))
		}
		u.Set("resources", list)
		unknowns = append(unknowns, u)
	}
	o.Set("unknowns", unknowns)
	return o
}

// object returns an object of texts; empty ones are left out.
func object(pairs ...string) *armjson.Object {
	o := armjson.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			o.Set(pairs[i], armjson.String(pairs[i+1]))
		}
	}
	return o
}

func (i *Item) json(display func(path string) string, deletes Deletion) *armjson.Object {
	r := i.Resource
	o := object("action", string(i.Action), "type", r.Type, "name", Label(r), "id", identity(r), "apiVersion", r.APIVersion,
		"symbol", r.Symbol, "module", r.Module.Path(), "application", i.Application, "environment", i.Environment,
		"renamedFrom", i.RenamedFrom, "deletes", string(deletes), "notKnown", r.NotKnown)
	if r.Maker != nil {
		o.Set("recipeOf", armjson.String(identity(r.Maker)))
	}
	if r.Condition != nil {
		o.Set("condition", shown(r.Condition))
	}
	if r.Copies != nil {
		o.Set("copies", shown(r.Copies))
	}
	if file := r.Position.File; file != "" {
		if display != nil {
			file = display(file)
		}
		o.Set("file", armjson.String(file))
		o.Set("line", armjson.Int(int64(r.Position.Line)))
		o.Set("column", armjson.Int(int64(r.Position.Column)))
		if end := r.Position.EndLine; end > 0 {
			o.Set("endLine", armjson.Int(int64(end)))
		}
	}
	switch i.Action {
	case Deploy, Create, Delete:
		o.Set("body", shown(r.Body))
	default:
		o.Set("changes", changesJSON(i.Changes))
	}
	return o
}

// identity returns the ID of a resource; of one that has none, type, scope and name.
func identity(r *expand.Resource) string {
	if r.ID != nil {
		return expand.Text(r.ID)
	}
	parts := []string{r.Type, scopeText(r), Label(r)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}

// shown returns a value that can be printed: what is unknown as an expression,
// what is secure as (secure).
func shown(v expand.Value) expand.Value {
	switch v := v.(type) {
	case expand.Unknown:
		if v.IsSecure() {
			return armjson.String(secret.Text)
		}
	case armjson.Array, *armjson.Object:
		return armjson.WithParts(v, func(_ string, x armjson.Value) armjson.Value { return shown(x) })
	}
	return expand.Printable(v)
}

func changesJSON(list []Change) armjson.Array {
	out := armjson.Array{}
	for _, c := range list {
		o := object("path", c.Path, "change", string(c.Action))
		if c.Secure {
			o.Set("secure", armjson.Bool(true))
		} else {
			if c.Before != nil {
				o.Set("before", shown(c.Before))
			}
			if c.After != nil {
				o.Set("after", shown(c.After))
			}
		}
		out = append(out, o)
	}
	return out
}
