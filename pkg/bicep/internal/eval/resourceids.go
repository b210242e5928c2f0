package eval

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// addResourceIDs adds the functions that put resource ids together, as far as
// all that goes into the id is given: no deployment is known here.
func addResourceIDs(m map[string]builtin) {
	m["tenantresourceid"] = builtin{2, -1, func(c *invocation) (Value, error) {
		return c.resourceID("/providers/", 0)
	}}
	m["extensionresourceid"] = builtin{3, -1, func(c *invocation) (Value, error) {
		scope, err := c.str(0)
		if err != nil {
			return nil, err
		}
		return c.resourceID(strings.TrimRight(scope, "/")+"/providers/", 1)
	}}
	m["subscriptionresourceid"] = builtin{2, -1, func(c *invocation) (Value, error) {
		sub, err := c.str(0)
		if err != nil {
			return nil, err
		}
		if strings.Contains(sub, "/") {
			return nil, c.errorf("the subscription is not known at compile time; give its id as the first argument")
		}
		return c.resourceID("/subscriptions/"+sub+"/providers/", 1)
	}}
	m["managementgroupresourceid"] = builtin{2, -1, func(c *invocation) (Value, error) {
		group, err := c.str(0)
		if err != nil {
			return nil, err
		}
		if strings.Contains(group, "/") {
			return nil, c.errorf("the management group is not known at compile time; give its name as the first argument")
		}
		return c.resourceID("/providers/Microsoft.Management/managementGroups/"+group+"/providers/", 1)
	}}
	m["resourceid"] = builtin{2, -1, func(c *invocation) (Value, error) {
		if len(c.args) < 4 {
			return nil, c.errorf("the resource group is not known at compile time; give the subscription's id and the group's name as the first arguments")
		}
		sub, err := c.str(0)
		if err != nil {
			return nil, err
		}
		group, err := c.str(1)
		if err != nil {
			return nil, err
		}
		if strings.Contains(sub, "/") || strings.Contains(group, "/") {
			return nil, c.errorf("the resource group is not known at compile time; give the subscription's id and the group's name as the first arguments")
		}
		return c.resourceID("/subscriptions/"+sub+"/resourceGroups/"+group+"/providers/", 2)
	}}
}

// resourceID appends to a prefix the type in argument i and the names behind
// it, a segment of the type before each name.
func (c *invocation) resourceID(prefix string, i int) (Value, error) {
	if i >= len(c.args) {
		return nil, c.errorf("the resource type is missing")
	}
	kind, err := c.str(i)
	if err != nil {
		return nil, err
	}
	segments := strings.Split(kind, "/")
	names := c.args[i+1:]
	if len(segments) < 2 || len(names) != len(segments)-1 {
		return nil, c.errorf("a resource type of %d segments does not go with %d names", len(segments), len(names))
	}
	var b strings.Builder
	b.WriteString(prefix)
	b.WriteString(segments[0])
	for k := range names {
		name, err := c.str(i + 1 + k)
		if err != nil {
			return nil, err
		}
		b.WriteString("/" + segments[k+1] + "/" + name)
	}
	if err := c.ev.room(b.Len()); err != nil {
		return nil, err
	}
	return armjson.String(b.String()), nil
}
