package aso

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// name finds the owners of all items and names their objects: after the owner, if it is an
// object too, and the resource, as asoctl does.
func (c *converter) name() {
	for _, it := range c.items {
		c.findOwner(it)
	}
	// Owners come before what they own, and else the order is that of the program: a child or a
	// dependency that is added changes no other name.
	ordered := slices.Clone(c.items)
	slices.SortStableFunc(ordered, func(a, b *item) int { return a.depth() - b.depth() })
	taken, hidden, aliases := map[string]bool{}, map[*item]bool{}, objects.Aliases{}
	for _, it := range ordered {
		text := lastName(it.name)
		if it.owner != nil {
			text = it.owner.objectName + "-" + text
		}
		id := textKey(it.id)
		if it.id == nil {
			id = placeKey(it.scope, it.armType, it.name)
		}
		n := objects.SafeName(text, id, false)
		if taken[it.kind.group+"/"+it.kind.name+"/"+n] {
			n = objects.SafeName(text, id, true)
		}
		taken[it.kind.group+"/"+it.kind.name+"/"+n] = true
		it.objectName = n
		hashed := n != objects.SafeName(text, "", false)
		if it.hidesName() || it.owner != nil && hidden[it.owner] || hashed && (it.shown.id.Hides(it.id) || it.shown.scope.Hides(it.scope)) {
			hidden[it] = true
		} else {
			aliases[n] = true
		}
	}
	for _, it := range c.items {
		if hidden[it] {
			it.alias = aliases.Of(&c.in, it.resource, it.index)
		}
	}
	for _, it := range c.items {
		if it.kind.fixedName == unclear {
			c.out.Refuse(it.at("name"), CodeResource, "the CRD of %s has no place for the name of %s, "+
				"and does not say which name the operator gives; deploy this resource in another way", it.kind.name, it.what())
			continue
		}
		if want := it.kind.fixedName; want != "" && !strings.EqualFold(want, lastName(it.name)) {
			c.out.Refuse(it.at("name"), CodeResource, "%s is called %q, and Azure Service Operator calls every %s %q; change the name",
				it.what(), it.lastName(), it.kind.name, want)
		}
		if it.kind.fixedName == "" {
			if why := it.kind.limits.text(lastName(it.name)); why != "" {
				c.out.Refuse(it.at("name"), CodeValue, "the name %q of %s is not valid: %s", it.lastName(), it.what(), why)
			}
		}
	}
}

// depth returns how many items own an item, one above the other.
func (it *item) depth() int {
	n := 0
	for o := it.owner; o != nil; o = o.owner {
		n++
	}
	return n
}

// findOwner finds what an item belongs to: its parent, what it extends, or the group that
// it is deployed to.
func (c *converter) findOwner(it *item) {
	if it.kind.owner == "-" {
		return
	}
	if i := strings.LastIndexByte(it.name, '/'); i > 0 && it.kind.owner != "*" {
		parentType := it.armType[:strings.LastIndexByte(it.armType, '/')]
		if it.owner = c.byPlace[placeKey(it.scope, parentType, it.name[:i])]; it.owner != nil {
			if it.owner.kind.group+"/"+it.owner.kind.name != it.kind.owner {
				c.out.Refuse(it.at(), CodeResource, "%s belongs to %s in Azure Service Operator, and its parent is not such an object; "+
					"declare it at the top level", it.what(), it.kind.owner)
			}
			return
		}
		if id, ok := expand.Known(it.id); ok {
			it.ownerID = parentID(id)
			return
		}
		c.out.RefuseUnknown(it.at(), "the ID of the parent of "+it.what(), it.id, it.shown.id)
		return
	}
	if it.owner = c.byID[textKey(it.scope)]; it.owner != nil {
		return
	}
	id, ok := expand.Known(it.scope)
	switch {
	case ok && isARMID(id):
		it.ownerID = id
	case ok:
		c.out.Refuse(it.at("scope"), CodeReference, "%s belongs to %q, which Azure Service Operator does not take for an owner",
			it.what(), it.shown.scope.Text())
	default:
		c.out.RefuseUnknown(it.at(), "what "+it.what()+" belongs to", it.scope, it.shown.scope)
	}
}

// parentID returns the ID without its last type and name.
func parentID(id string) string {
	for range 2 {
		id = id[:strings.LastIndexByte(id, '/')]
	}
	return id
}

// isARMID reports whether the operator takes a text for the ID of a resource: that of a
// subscription, a resource group, or a resource in one of them or in the tenant.
func isARMID(s string) bool {
	parts := strings.Split(s, "/")
	if len(parts) < 3 || parts[0] != "" || slices.Contains(parts[1:], "") {
		return false
	}
	parts = parts[1:]
	scoped := strings.EqualFold(parts[0], "subscriptions")
	if scoped {
		parts = parts[2:]
		if len(parts) >= 2 && strings.EqualFold(parts[0], "resourceGroups") {
			parts = parts[2:]
		}
	}
	if len(parts) == 0 {
		return scoped
	}
	return strings.EqualFold(parts[0], "providers") && len(parts) >= 4 && len(parts)%2 == 0
}

// comments returns what stands above the objects: the secrets that somebody has to make.
func (c *converter) comments() []string {
	if len(c.secrets) == 0 {
		return nil
	}
	keys, of := map[string][]string{}, map[string]string{}
	var names []string
	for _, s := range c.secrets {
		if s.of != "" {
			of[s.name] = ": what " + s.of + " has"
		}
		if _, ok := keys[s.name]; !ok {
			names = append(names, s.name)
		}
		if s.key != "" && !slices.Contains(keys[s.name], s.key) {
			keys[s.name] = append(keys[s.name], s.key)
		} else if _, ok := keys[s.name]; !ok {
			keys[s.name] = nil
		}
	}
	slices.Sort(names)
	hold := "the values of secure parameters"
	if slices.ContainsFunc(c.secrets, func(s needed) bool { return s.issued }) {
		hold += ", and keys that Azure issues and the operator does not write"
	}
	lines := []string{"Make these secrets in the namespace of the objects; they hold " + hold + ":"}
	for _, name := range names {
		slices.Sort(keys[name])
		if len(keys[name]) == 0 {
			lines = append(lines, fmt.Sprintf("  %s, with a key for each value", name))
		} else {
			lines = append(lines, fmt.Sprintf("  %s, with the keys %s%s", name, strings.Join(keys[name], ", "), of[name]))
		}
	}
	return lines
}
