package expand

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # IDs of resources
//
// The ID of a resource is put together from the place that it is deployed to, its type and its name. With all of
// them known it is a text. Otherwise it is the call that gives the ID when the template is deployed:
//
//	a resource group    resourceId(SUBSCRIPTION, GROUP, 'T/t', 'n')
//	a subscription      subscriptionResourceId(SUBSCRIPTION, 'T/t', 'n')
//	a management group  managementGroupResourceId(GROUP, 'T/t', 'n')
//	the tenant          tenantResourceId('T/t', 'n')
//	another resource    extensionResourceId(ID, 'T/t', 'n')
//
// The official engine fills in the place, where it is not known too, as in subscription().subscriptionId. So do
// snapshots. Elsewhere, what the template itself is deployed to is left out: people read these expressions.
//
// A resource group is no resource of a provider: its ID is /subscriptions/S/resourceGroups/NAME.

// idFunctions says which function makes the ID of a resource in a place of which a part is not known.
var idFunctions = map[scopeKind]string{
	groupScope: "resourceId", subscriptionScope: "subscriptionResourceId",
	managementScope: "managementGroupResourceId", tenantScope: "tenantResourceId",
}

// prefix is what the IDs of a place's resources begin with, /providers apart.
func (p *place) prefix() Value {
	if p.kind == tenantScope {
		return armjson.String("")
	}
	return p.id()
}

// isKnown reports whether nothing is missing for the IDs of a place's resources.
func (p *place) isKnown() bool {
	isText := func(v Value) bool {
		_, ok := v.(armjson.String)
		return ok
	}
	switch p.kind {
	case groupScope:
		return isText(p.subscription) && isText(p.group)
	case subscriptionScope:
		return isText(p.subscription)
	case managementScope:
		return isText(p.management)
	}
	return true
}

// resourceID returns the ID of a resource in a place.
func resourceID(at *place, kind string, name Value) Value {
	if name == nil {
		return nil
	}
	if at.official {
		if _, ok := name.(armjson.String); !ok || !at.isKnown() {
			return eval.NewUnknown(nil, idFunctions[at.kind], idArguments(at.named(), kind, name)...)
		}
	}
	switch strings.ToLower(kind) {
	case "microsoft.resources/resourcegroups":
		if at.kind == subscriptionScope || at.kind == groupScope {
			sub := *at
			sub.kind = subscriptionScope
			return join(sub.id(), armjson.String("/resourceGroups/"), name)
		}
	case "microsoft.resources/subscriptions", "microsoft.resources/tenants":
		if s, ok := name.(armjson.String); ok {
			return armjson.String("/subscriptions/" + string(s))
		}
	}
	unknown := ""
	switch at.kind {
	case groupScope:
		if at.subscription == nil || at.group == nil {
			unknown = "resourceId"
		}
	case subscriptionScope:
		if at.subscription == nil {
			unknown = "subscriptionResourceId"
		}
	case managementScope:
		if at.management == nil {
			unknown = "managementGroupResourceId"
		}
	}
	if unknown != "" {
		args := []Value{armjson.String(kind)}
		if s, ok := name.(armjson.String); ok {
			for _, n := range strings.Split(string(s), "/") {
				args = append(args, armjson.String(n))
			}
		} else {
			args = append(args, name)
		}
		if unknown == "resourceId" && at.group != nil && !at.root {
			args = append([]Value{at.group}, args...)
		}
		if at.subscription != nil && (!at.root || unknown == "resourceId") {
			args = append([]Value{at.subscription}, args...)
		}
		return eval.NewUnknown(nil, unknown, args...)
	}
	return extensionID(at.prefix(), kind, name)
}

// extensionID returns SCOPE/providers/TYPE/NAME, the segments of type and name in turn.
func extensionID(scope Value, kind string, name Value) Value {
	if scope == nil || name == nil {
		return nil
	}
	if s, ok := scope.(armjson.String); ok {
		scope = armjson.String(strings.TrimRight(string(s), "/"))
	}
	segments := strings.Split(kind, "/")
	if n, ok := name.(armjson.String); ok {
		names := strings.Split(string(n), "/")
		if len(names) == len(segments)-1 {
			var b strings.Builder
			b.WriteString("/providers/" + segments[0])
			for i, s := range names {
				b.WriteString("/" + segments[i+1] + "/" + s)
			}
			return join(scope, armjson.String(b.String()))
		}
		return eval.NewUnknown(nil, "extensionResourceId", scope, armjson.String(kind), name)
	}
	if len(segments) == 2 {
		return join(scope, armjson.String("/providers/"+kind+"/"), name)
	}
	return eval.NewUnknown(nil, "extensionResourceId", scope, armjson.String(kind), name)
}

// idArguments returns what a function that makes an ID is called with: the place, the type, and a name for each
// part of the type.
func idArguments(place []Value, kind string, name Value) []Value {
	args := append(place, armjson.String(kind))
	if s, ok := name.(armjson.String); ok {
		for n := range strings.SplitSeq(string(s), "/") {
			args = append(args, armjson.String(n))
		}
		return args
	}
	parts := strings.Count(kind, "/")
	if parts < 2 {
		return append(args, name)
	}
	for i := range parts {
		args = append(args, namePart(name, i))
	}
	return args
}

// namePart returns a part of a name that is not known, as the engine writes it: the parts between the slashes
// that are not empty, and of these one.
func namePart(name Value, i int) Value {
	return eval.Within(name, func(e armexpr.Expr) armexpr.Expr {
		x := armexpr.Str("x")
		filled := armexpr.Fn("lambda", x, armexpr.Fn("not", armexpr.Fn("empty", armexpr.Fn("lambdaVariables", x))))
		return armexpr.Access(armexpr.Fn("filter", armexpr.Fn("split", e, armexpr.Str("/")), filled), armexpr.Int(int64(i)))
	})
}

// printedExtensionID returns the ID of a resource that extends another, of which the ID or the name is not known,
// as the engine writes it. What is extended is a whole ID, or one that begins with the type: this stands in the
// same place as the resource. If it is not known, the deployment tells which it is:
//
//	if(equals(ID, '/'), tenantResourceId('T/t', 'n'),
//	  extensionResourceId(if(startsWith(ID, '/'), ID, concat('/subscriptions/', …, '/providers/', ID)), 'T/t', 'n'))
func printedExtensionID(at *place, scope Value, kind string, name Value) Value {
	none := armjson.String("/")
	of := func(scope Value) Value {
		return eval.NewUnknown(nil, "extensionResourceId", idArguments([]Value{scope}, kind, name)...)
	}
	if s, ok := scope.(armjson.String); ok {
		switch {
		case s == none:
			return resourceID(&place{kind: tenantScope, official: true}, kind, name)
		case strings.HasPrefix(string(s), "/"):
			return of(scope)
		}
		return of(at.sameScope(scope))
	}
	whole := eval.NewUnknown(nil, "if", eval.NewUnknown(nil, "startsWith", scope, none), scope, at.sameScope(scope))
	tenant := eval.NewUnknown(nil, "tenantResourceId", idArguments(nil, kind, name)...)
	return eval.NewUnknown(nil, "if", eval.NewUnknown(nil, "equals", scope, none), tenant, of(whole))
}

// sameScope returns the ID of a resource in a place, of which the rest is TYPE/NAME.
func (p *place) sameScope(rest Value) Value {
	var parts []Value
	for i, v := range p.named() {
		parts = append(parts, armjson.String(idSegments[p.kind][i]), v)
	}
	return concat(append(parts, armjson.String("/providers/"), rest)...)
}

// idSegments are what stands before the parts of a place in an ID.
var idSegments = map[scopeKind][]string{
	groupScope: {"/subscriptions/", "/resourceGroups/"}, subscriptionScope: {"/subscriptions/"},
	managementScope: {"/providers/Microsoft.Management/managementGroups/"},
}

// concat puts texts together: a text if all are known, else concat(…).
func concat(parts ...Value) Value {
	var b strings.Builder
	for _, p := range parts {
		s, ok := p.(armjson.String)
		if !ok {
			return eval.NewUnknown(nil, "concat", parts...)
		}
		b.WriteString(string(s))
	}
	return armjson.String(b.String())
}
