package expand

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// scopeKind is what a template is deployed to.
type scopeKind string

const (
	groupScope        scopeKind = "resourceGroup"
	subscriptionScope scopeKind = "subscription"
	managementScope   scopeKind = "managementGroup"
	tenantScope       scopeKind = "tenant"
)

// TemplateScope returns what a template is deployed to: resourceGroup,
// subscription, managementGroup or tenant.
func TemplateScope(template *armjson.Object) string {
	kind, err := scopeOf(template)
	if err != nil {
		return string(groupScope)
	}
	return string(kind)
}

// scopeOf reads the scope from a template's $schema.
func scopeOf(template *armjson.Object) (scopeKind, error) {
	if template == nil {
		return "", fmt.Errorf("there is no template")
	}
	s := strings.ToLower(findString(template, "$schema"))
	switch {
	case strings.Contains(s, "subscriptiondeploymenttemplate"):
		return subscriptionScope, nil
	case strings.Contains(s, "managementgroupdeploymenttemplate"):
		return managementScope, nil
	case strings.Contains(s, "tenantdeploymenttemplate"):
		return tenantScope, nil
	}
	return groupScope, nil
}

// place is where a deployment goes, as far as it is known. Its values are strings
// or *unknown; nil is what the place does not have, or is all unknown.
type place struct {
	kind           scopeKind
	tenant         Value // ID
	subscription   Value // ID
	group          Value // name
	management     Value // name
	location       Value
	deployment     Value // its name
	contentVersion Value
	radius, aws    string // scopes
	root           bool
}

func optional(s string) Value {
	if s == "" {
		return nil
	}
	return armjson.String(s)
}

func rootPlace(kind scopeKind, c Context) place {
	p := place{kind: kind, root: true, tenant: optional(c.TenantID), location: optional(c.Location), deployment: optional(c.DeploymentName), aws: strings.TrimRight(c.AWSScope, "/")}
	switch kind {
	case groupScope:
		p.subscription, p.group = optional(c.SubscriptionID), optional(c.ResourceGroup)
	case subscriptionScope:
		p.subscription = optional(c.SubscriptionID)
	case managementScope:
		p.management = optional(c.ManagementGroupID)
	}
	if g := strings.TrimRight(c.RadiusGroup, "/"); strings.HasPrefix(g, "/") {
		p.radius = g
	} else if g != "" {
		p.radius = "/planes/radius/local/resourceGroups/" + g
	}
	return p
}

// object makes what a function such as resourceGroup() returns. Members without
// a value are read from the function when the template is deployed.
func object(function string, members ...any) *armjson.Object {
	o := armjson.NewObject()
	for i := 0; i < len(members); i += 2 {
		name := members[i].(string)
		v, ok := members[i+1].(Value)
		if !ok || v == nil {
			v = property(function, name)
		}
		o.Set(name, v)
	}
	return o
}

// property returns function().name as an unknown value.
func property(function, name string) Value { return eval.Get(eval.NewUnknown(nil, function), name) }

// join puts texts and values together: a string if all are known, else format(…).
func join(parts ...Value) Value {
	var known, format strings.Builder
	args := []Value{nil}
	for _, p := range parts {
		switch p := p.(type) {
		case armjson.String:
			known.WriteString(string(p))
			s := string(p)
			if strings.ContainsAny(s, "{}") {
				s = strings.ReplaceAll(strings.ReplaceAll(s, "{", "{{"), "}", "}}")
			}
			format.WriteString(s)
		case nil:
			return nil
		default:
			fmt.Fprintf(&format, "{%d}", len(args)-1)
			args = append(args, p)
		}
	}
	if len(args) == 1 {
		return armjson.String(known.String())
	}
	args[0] = armjson.String(format.String())
	return eval.NewUnknown(nil, "format", args...)
}

// id returns the ID of the place; nil if it is not known at all.
func (p *place) id() Value {
	switch p.kind {
	case tenantScope:
		return armjson.String("/")
	case managementScope:
		if p.management == nil {
			return property("managementGroup", "id")
		}
		return join(armjson.String("/providers/Microsoft.Management/managementGroups/"), p.management)
	case subscriptionScope:
		return p.subscriptionID()
	}
	if p.subscription == nil || p.group == nil {
		return property("resourceGroup", "id")
	}
	return join(armjson.String("/subscriptions/"), p.subscription, armjson.String("/resourceGroups/"), p.group)
}

func (p *place) subscriptionID() Value {
	if p.subscription == nil {
		return property("subscription", "id")
	}
	return join(armjson.String("/subscriptions/"), p.subscription)
}

// Located says to the evaluator's functions where the deployment goes.
func (d *deployment) Located(kind string) Value {
	p := &d.place
	orUnknown := func(v Value, function, name string) Value {
		if v == nil {
			return property(function, name)
		}
		return v
	}
	switch kind {
	case "subscription":
		if p.kind == groupScope || p.kind == subscriptionScope {
			return orUnknown(p.subscription, "subscription", "subscriptionId")
		}
	case "resourceGroup":
		if p.kind == groupScope {
			return orUnknown(p.group, "resourceGroup", "name")
		}
	case "managementGroup":
		if p.kind == managementScope {
			return orUnknown(p.management, "managementGroup", "name")
		}
	}
	return nil
}

// contextFunction evaluates resourceGroup() and its like. The result is an object
// of what is known, or unknown as a whole.
func (d *deployment) contextFunction(name string) Value {
	p := &d.place
	switch name {
	case "resourcegroup":
		if p.group != nil {
			var id Value
			if p.subscription != nil {
				id = p.id()
			}
			return object("resourceGroup", "id", id, "name", p.group, "type", armjson.String("Microsoft.Resources/resourceGroups"),
				"location", p.location, "tags", nil, "managedBy", nil, "properties", nil)
		}
		return eval.NewUnknown(nil, "resourceGroup")
	case "subscription":
		if p.subscription != nil {
			tenant := p.tenant
			if tenant == nil {
				tenant = property("tenant", "tenantId")
			}
			return object("subscription", "id", p.subscriptionID(), "subscriptionId", p.subscription, "tenantId", tenant, "displayName", nil)
		}
		return eval.NewUnknown(nil, "subscription")
	case "tenant":
		if p.tenant != nil {
			return object("tenant", "countryCode", nil, "displayName", nil, "id", join(armjson.String("/tenants/"), p.tenant), "tenantId", p.tenant)
		}
		return eval.NewUnknown(nil, "tenant")
	case "managementgroup":
		if p.management != nil {
			return object("managementGroup", "id", join(armjson.String("/providers/Microsoft.Management/managementGroups/"), p.management),
				"name", p.management, "type", armjson.String("Microsoft.Management/managementGroups"), "properties", nil)
		}
		return eval.NewUnknown(nil, "managementGroup")
	case "deployment":
		if p.deployment != nil || p.kind != groupScope && p.location != nil {
			o := object("deployment", "name", p.deployment, "properties", armjson.NewObject(armjson.Member{
				Key: "template", Value: armjson.NewObject(armjson.Member{Key: "contentVersion", Value: p.contentVersion})}))
			if p.contentVersion == nil {
				o = object("deployment", "name", p.deployment, "properties", nil)
			}
			if p.kind != groupScope {
				location := p.location
				if location == nil {
					location = property("deployment", "location")
				}
				o.Set("location", location)
			}
			return o
		}
		return eval.NewUnknown(nil, "deployment")
	case "environment":
		return eval.NewUnknown(nil, "environment")
	case "deployer":
		return eval.NewUnknown(nil, "deployer")
	}
	return nil
}
