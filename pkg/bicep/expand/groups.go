package expand

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # The locations of resource groups
//
// resourceGroup().location of the group that a module is deployed to is known if the program declares this
// group: in the template around the module, or anywhere else.
//
//	"g":  { "type": "Microsoft.Resources/resourceGroups", "name": "web", "location": "westeurope" }
//	"m":  { "type": "Microsoft.Resources/deployments", "resourceGroup": "WEB", … }      no dependsOn is needed
//
// The group is found by its subscription and its name. Where they are not known, expressions that are the same name one
// group, too; the official engine does not know that. So all groups of the program must be identified, and the modules too, because
// these may declare groups. That is done when the first module asks for its group: the groups that can be seen
// come first, then one module after the other, until the group is found.
//
// What is identified on this search may need something that is being evaluated just now: the location of a group
// can be an output of the module that asks. Such an error is passing (eval.Circular, Budget.Retry): it is not
// kept, and the group or module stays in the list for the next search. A module that asks for its group on a
// search of another gets this error as well, if the group is not found yet.
//
// It ends because each round of a search takes something off the list, or is the last one.

// groupIndex knows the resource groups that the program declares.
type groupIndex struct {
	groups, modules []*declaration            // not looked at yet
	found           map[string]*declaredGroup // by groupKey
	declared        bool                      // some template declares a group
	looked          bool                      // whether it does is known
}

// declaredGroup is what a declaration says of a resource group.
type declaredGroup struct{ id, name, location Value }

// add notes a declaration that is, or may declare, a group.
func (g *groupIndex) add(c *declaration) {
	switch {
	case isDeployment(c.body):
		g.modules = append(g.modules, c)
	case isGroup(c.body):
		g.groups = append(g.groups, c)
	}
}

// isGroup reports whether a resource is a resource group that the template makes.
func isGroup(o *armjson.Object) bool {
	kind, _, _ := strings.Cut(findString(o, "type"), "@")
	existing, _ := find(o, "existing")
	return strings.EqualFold(kind, groupType) && existing != armjson.Bool(true)
}

// declaresGroup reports whether a template or a module in it makes a resource group.
func declaresGroup(template *armjson.Object) bool {
	declares := func(v Value) bool {
		o, ok := v.(*armjson.Object)
		switch {
		case !ok:
			return false
		case isDeployment(o):
			inner := findObject(findObject(o, "properties"), "template")
			return inner != nil && declaresGroup(inner)
		}
		return isGroup(o)
	}
	list, _ := find(template, "resources")
	switch list := list.(type) {
	case armjson.Array:
		for _, v := range list {
			if declares(v) {
				return true
			}
		}
	case *armjson.Object:
		for _, v := range list.All() {
			if declares(v) {
				return true
			}
		}
	}
	return false
}

// declaredGroup returns the declaration of the group that a module is deployed to; nil if there is none. The
// error is passing.
func (d *deployment) declaredGroup() (*declaredGroup, error) {
	p, x := &d.place, d.x
	if d.parent == nil || p.kind != groupScope || p.location != nil {
		return nil, nil
	}
	key := p.groupKey(p.group)
	if key == "" {
		return nil, nil
	}
	g := &x.groups
	if !g.looked {
		g.looked, g.declared = true, declaresGroup(x.result.Root.at.template)
	}
	if !g.declared {
		return nil, nil
	}
	found := g.found[key]
	switch {
	case found != nil || len(g.groups)+len(g.modules) == 0:
		return found, nil
	case x.budget.Retry:
		return nil, eval.Circular(fmt.Errorf("the location of its resource group is not known yet"))
	}
	x.budget.Retry = true
	defer func() { x.budget.Retry = false }()
	for progress := true; progress; {
		progress = x.identifyGroups()
		if found = g.found[key]; found != nil {
			break
		}
		progress = x.openModules() || progress
	}
	return found, nil
}

// groupKey returns what tells the group of a name in the subscription of a place from others; "" if nothing does.
func (p *place) groupKey(name Value) string {
	if name == nil || IsSecure(name) || p.official && (p.subscription == nil || !IsKnown(p.subscription) || !IsKnown(name)) {
		return "" // texts of secrets may be equal where these are not
	}
	subscription := ""
	if p.subscription != nil {
		subscription = Text(p.subscription)
	}
	return strings.ToLower(subscription + "/" + Text(name))
}

// identifyGroups takes the groups off the list that can be identified, and returns whether there was one.
func (x *expander) identifyGroups() bool {
	g := &x.groups
	list := g.groups
	g.groups = nil
	for _, c := range list {
		if !x.identifyGroup(c) {
			g.groups = append(g.groups, c)
		}
	}
	return len(g.groups) < len(list)
}

// identifyGroup notes the groups that a declaration makes. It returns false if that is not known yet.
func (x *expander) identifyGroup(c *declaration) bool {
	list, err := c.all()
	if err != nil {
		return !x.budget.Passing(err)
	}
	for _, i := range list {
		if err := i.identify(); err != nil {
			if x.budget.Passing(err) {
				return false
			}
			continue
		}
		if i.skipped || i.resource == nil {
			continue
		}
		key := c.d.place.groupKey(i.resource.Name)
		if key == "" || x.groups.found[key] != nil {
			continue
		}
		location, err := i.value("location")
		if err != nil {
			if x.budget.Passing(err) {
				return false
			}
			continue
		}
		if x.groups.found == nil {
			x.groups.found = map[string]*declaredGroup{}
		}
		x.groups.found[key] = &declaredGroup{id: i.resource.ID, name: i.resource.Name, location: location}
	}
	return true
}

// openModules takes modules off the list until one of them has declared a group, and returns whether there was
// one. Identifying a module opens its template.
func (x *expander) openModules() bool {
	g := &x.groups
	groups := len(g.groups)
	list := g.modules
	g.modules = nil
	var left []*declaration
	taken := false
	for n, c := range list {
		if len(g.groups) > groups {
			left = append(left, list[n:]...)
			break
		}
		if x.openModule(c) {
			taken = true
		} else {
			left = append(left, c)
		}
	}
	g.modules = append(left, g.modules...)
	return taken
}

func (x *expander) openModule(c *declaration) bool {
	list, err := c.all()
	if err != nil {
		return !x.budget.Passing(err)
	}
	for _, i := range list {
		if err := i.identify(); err != nil && x.budget.Passing(err) {
			return false
		}
	}
	return true
}
