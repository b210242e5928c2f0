package aso

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// reference converts the ID of a resource: to the name of its object, if the program makes
// the resource, else to the ID.
func (w walker) reference(v armjson.Value) armjson.Value {
	if it := w.c.find(v); it != nil {
		return it.reference()
	}
	switch v := v.(type) {
	case armjson.String:
		if !isARMID(string(v)) {
			w.refuse(CodeReference, "%s is %s; Azure Service Operator takes the ID of a resource: /subscriptions/…",
				w.text(), w.shownText())
			return nil
		}
		return armjson.NewObject(armjson.Member{Key: "armId", Value: v})
	case expand.Unknown:
		w.unknown(v)
		return nil
	}
	w.mismatch("the ID of a resource", v)
	return nil
}

// find returns the item that a value is the ID of, or nil.
func (c *converter) find(v armjson.Value) *item {
	switch v := v.(type) {
	case armjson.String:
		return c.byID[strings.ToLower(string(v))]
	case expand.Unknown:
		if it := c.byID[textKey(v)]; it != nil {
			return it
		}
		call, ok := expand.CallOf(v)
		if !ok || call.Function != "reference" || call.Resource == nil {
			return nil
		}
		if len(call.Path) == 1 && call.Path[0] == "id" {
			return c.byResource[call.Resource]
		}
		return c.childAt(call)
	}
	return nil
}

// childAt returns the item that reference(R).subnets[0].id is the ID of: a child that
// is written in the body of R.
func (c *converter) childAt(call expand.Call) *item {
	path := call.Path
	if call.Full && len(path) > 0 && path[0] == "properties" {
		path = path[1:]
	}
	if len(path) != 3 || path[2] != "id" || call.Resource.Body == nil {
		return nil
	}
	n, err := strconv.Atoi(path[1])
	list, _ := member(call.Resource.Body.Object("properties"), path[0]).(armjson.Array)
	if err != nil || n < 0 || n >= len(list) {
		return nil
	}
	o, _ := list[n].(*armjson.Object)
	child, ok := expand.Known(member(o, "name"))
	name, known := expand.Known(call.Resource.Name)
	if !ok || !known {
		return nil
	}
	return c.byPlace[placeKey(call.Resource.Scope, call.Resource.Type+"/"+path[0], name+"/"+child)]
}

// member returns a member of an object that may be nil, in any letter case.
func member(o *armjson.Object, name string) armjson.Value {
	v, _ := o.Lookup(name)
	return v
}

// identities converts the map of the identities that are assigned to a resource, whose
// keys are IDs, to a list of references.
func (w walker) identities(v armjson.Value) armjson.Value {
	o, ok := v.(*armjson.Object)
	if !ok {
		w.mismatch("an object", v)
		return nil
	}
	list := armjson.Array{}
	for id := range o.All() {
		at := w
		if at.shown = (objects.Shown{}); w.shown.Has(id) {
			at.shown = objects.Show(armjson.String(id))
		}
		if converted := at.reference(armjson.String(id)); converted != nil {
			list = append(list, armjson.NewObject(armjson.Member{Key: "reference", Value: converted}))
		}
	}
	return list
}

// reread returns what is read of another resource of the program that its own body says:
// its location, which Azure gives back as it got it, and what may be shown of it. Nil is
// anything else.
func (w walker) reread(v armjson.Value) (armjson.Value, objects.Shown) {
	call, ok := expand.CallOf(v)
	if !ok || len(call.Path) != 1 || call.Path[0] != "location" {
		return nil, objects.Shown{}
	}
	var body *armjson.Object
	var seen objects.Shown
	switch {
	case call.Function == "reference" && call.Full && call.Resource != nil && !call.Resource.Existing:
		body = call.Resource.Body
		if o := w.c.shownOf(call.Resource).Body; o != nil {
			seen = objects.Show(o)
		}
	case strings.EqualFold(call.Function, "resourceGroup"): // of a module in a group that the program makes
		if group := w.c.byID[textKey(w.it.scope)]; group != nil && !group.resource.Existing {
			body, seen = group.body, group.shown.body
		}
	}
	if s, ok := member(body, "location").(armjson.String); ok {
		o, _ := seen.Value().(*armjson.Object)
		return s, objects.Show(member(o, "location"))
	}
	return nil, objects.Shown{}
}

// elsewhere reports whether a value is the location of another group than the one that the
// program is deployed to, which no flag gives.
func (w walker) elsewhere(v armjson.Value) bool {
	call, ok := expand.CallOf(v)
	return ok && strings.EqualFold(call.Function, "resourceGroup") && len(call.Path) == 1 && call.Path[0] == "location" &&
		expand.IsKnown(w.it.scope) && textKey(w.it.scope) != textKey(w.c.in.Program.Root.Scope)
}
