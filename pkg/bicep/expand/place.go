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
	cloud          string
	official       bool // expressions are written as the official engine does
	// groupID is the ID of the resource group where it is not told by the subscription and the name.
	groupID Value
}

func optional(s string) Value {
	if s == "" {
		return nil
	}
	return armjson.String(s)
}

func rootPlace(kind scopeKind, o *Options) place {
	c := o.Context
	p := place{kind: kind, root: true, official: o.Official, cloud: c.Cloud, tenant: optional(c.TenantID),
		location: optional(c.Location), deployment: optional(c.DeploymentName), aws: strings.TrimRight(c.AWSScope, "/")}
	switch kind {
	case groupScope:
		p.subscription, p.group = optional(c.SubscriptionID), optional(c.ResourceGroup)
		if p.official && p.subscription == nil && p.group != nil {
			p.groupID = property("resourceGroup", "id")
		}
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

// ungiven is the source of a part of the context that no option gives: its text.
type ungiven string

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
		switch {
		case p.official && !p.isKnown():
			return eval.NewUnknown(nil, "tenantResourceId", armjson.String(managementType), p.managementName())
		case p.management == nil:
			return property("managementGroup", "id")
		}
		return join(armjson.String("/providers/Microsoft.Management/managementGroups/"), p.management)
	case subscriptionScope:
		return p.subscriptionID()
	}
	switch {
	case p.groupID != nil:
		return p.groupID
	case p.official && !p.isKnown():
		return eval.NewUnknown(nil, "subscriptionResourceId", p.subscriptionName(), armjson.String(groupType), p.groupName())
	case p.group == nil, p.subscription == nil && p.root:
		return property("resourceGroup", "id")
	case p.subscription == nil:
		return join(property("subscription", "id"), armjson.String("/resourceGroups/"), p.group)
	}
	return join(armjson.String("/subscriptions/"), p.subscription, armjson.String("/resourceGroups/"), p.group)
}

func (p *place) subscriptionID() Value {
	switch {
	case p.official:
		return concat(armjson.String("/subscriptions/"), p.subscriptionName())
	case p.subscription == nil:
		return property("subscription", "id")
	}
	return join(armjson.String("/subscriptions/"), p.subscription)
}

// orProperty returns a value, or the property that has it when the template is deployed.
func orProperty(v Value, function, name string) Value {
	if v == nil {
		return property(function, name)
	}
	return v
}

// subscriptionName returns the ID of the subscription, which is its name in other IDs.
func (p *place) subscriptionName() Value {
	return orProperty(p.subscription, "subscription", "subscriptionId")
}

func (p *place) groupName() Value { return orProperty(p.group, "resourceGroup", "name") }

func (p *place) managementName() Value { return orProperty(p.management, "managementGroup", "name") }

// named returns the names that tell a place from others of its kind.
func (p *place) named() []Value {
	switch p.kind {
	case groupScope:
		return []Value{p.subscriptionName(), p.groupName()}
	case subscriptionScope:
		return []Value{p.subscriptionName()}
	case managementScope:
		return []Value{p.managementName()}
	}
	return nil
}

// Located says to the evaluator's functions where the deployment goes.
func (d *deployment) Located(kind string) Value {
	p := &d.place
	switch kind {
	case "subscription":
		if p.kind == groupScope || p.kind == subscriptionScope {
			return p.subscriptionName()
		}
	case "resourceGroup":
		if p.kind == groupScope {
			return p.groupName()
		}
	case "managementGroup":
		if p.kind == managementScope {
			return p.managementName()
		}
	}
	return nil
}

// FillsIDs says that the functions that make IDs are written with the place that they leave out.
func (d *deployment) FillsIDs() bool { return d.place.official }

// contextFunction evaluates resourceGroup() and its like. The result is an object
// of what is known, or unknown as a whole.
func (d *deployment) contextFunction(name string) (Value, error) {
	if name == "resourcegroup" {
		return d.groupFunction()
	}
	return d.placeFunction(name), nil
}

func (d *deployment) placeFunction(name string) Value {
	p := &d.place
	switch name {
	case "subscription":
		if p.subscription != nil || p.official && (p.kind == groupScope || p.kind == subscriptionScope) {
			return object("subscription", "id", p.subscriptionID(), "subscriptionId", p.subscriptionName(),
				"tenantId", orProperty(p.tenant, "tenant", "tenantId"), "displayName", nil)
		}
		if p.tenant != nil && (p.kind == groupScope || p.kind == subscriptionScope) {
			return eval.NewUnknown(nil, "subscription").WithKnown(map[string]Value{"tenantId": p.tenant})
		}
		return eval.NewUnknown(nil, "subscription")
	case "tenant":
		if p.tenant != nil {
			return object("tenant", "countryCode", nil, "displayName", nil,
				"id", join(armjson.String("/tenants/"), p.tenant), "tenantId", p.tenant)
		}
		return eval.NewUnknown(nil, "tenant")
	case "managementgroup":
		if p.management != nil || p.official && p.kind == managementScope {
			return object("managementGroup", "id", p.id(), "name", p.managementName(),
				"type", armjson.String(managementType), "properties", nil)
		}
		return eval.NewUnknown(nil, "managementGroup")
	case "deployment":
		return d.deploymentFunction()
	case "environment":
		return environment(p.cloud)
	case "deployer":
		return eval.NewUnknown(nil, "deployer")
	}
	return nil
}

const (
	groupType      = "Microsoft.Resources/resourceGroups"
	managementType = "Microsoft.Management/managementGroups"
)

// groupFunction evaluates resourceGroup().
func (d *deployment) groupFunction() (Value, error) {
	p := &d.place
	if p.group == nil && (!p.official || p.kind != groupScope) {
		return eval.NewUnknown(nil, "resourceGroup"), nil
	}
	declared, err := d.declaredGroup()
	if err != nil {
		return nil, err
	}
	id, name, location := Value(nil), p.groupName(), p.location
	switch {
	case declared != nil:
		id, name, location = declared.id, declared.name, declared.location
	case p.subscription != nil || p.official:
		id = p.id()
	}
	if p.group == nil {
		location = nil
	}
	if location == nil && !p.root { // the option is about the group that is deployed to
		location = eval.Get(eval.NewUnknown(ungiven("resourceGroup().location"), "resourceGroup"), "location")
	}
	o := object("resourceGroup", "id", id, "name", name, "type", armjson.String(groupType), "location", location, "tags", nil)
	if p.group != nil { // the engine does not know this property of a group that it knows nothing of
		o.Set("managedBy", property("resourceGroup", "managedBy"))
	}
	o.Set("properties", property("resourceGroup", "properties"))
	return o, nil
}

// deploymentFunction evaluates deployment().
func (d *deployment) deploymentFunction() Value {
	p := &d.place
	if p.deployment == nil && !p.official && (p.kind == groupScope || p.location == nil) {
		return eval.NewUnknown(nil, "deployment")
	}
	var properties Value
	if p.contentVersion != nil {
		properties = armjson.NewObject(armjson.Member{
			Key: "template", Value: armjson.NewObject(armjson.Member{Key: "contentVersion", Value: p.contentVersion})})
	}
	o := object("deployment", "name", p.deployment, "properties", properties)
	if p.kind != groupScope {
		o.Set("location", orProperty(p.location, "deployment", "location"))
	}
	return o
}
