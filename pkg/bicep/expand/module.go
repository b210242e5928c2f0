package expand

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/secret"
)

// deployment makes the deployment that an instance is: of a nested template. One
// that is linked stays a resource.
func (i *instance) deployment(r *Resource, local bool) error {
	d := i.decl.d
	props := findObject(i.decl.body, "properties")
	template, err := i.template(props)
	if err != nil {
		return err
	}
	from := i.value
	if local {
		from = func(name string) (Value, error) {
			v, ok := find(props, name)
			if !ok {
				return nil, nil
			}
			return i.ev.Value(v)
		}
	}
	if r.Name, err = from("name"); err != nil {
		return err
	}
	if err := i.checkName(r); err != nil {
		return err
	}
	at, err := i.destination(template)
	if err != nil {
		return err
	}
	r.Scope, r.ID = at.id(), resourceID(at, r.Type, r.Name)
	i.id, i.name, i.version = r.ID, r.Name, r.APIVersion
	if template == nil {
		i.withoutTemplate(r, props)
		return nil
	}
	if local {
		v, err := i.ev.Value(template)
		if err != nil {
			return err
		}
		if template, _ = v.(*armjson.Object); template == nil {
			return fmt.Errorf("its template is not an object")
		}
	}
	m := &Module{Symbol: i.symbol(), Name: r.Name, Parent: d.module, Condition: r.Condition, id: r.ID, api: r.APIVersion}
	if d.module.places != nil {
		m.Position, m.places = d.module.places.Module(i.decl.symbol)
	}
	if m.Position.File == "" {
		m.Position = r.Position
	}
	n := &deployment{x: d.x, parent: d, module: m, template: template, depth: d.depth + 1, lengths: i.lengths(), apart: r.apart}
	if n.place, err = i.inside(at, template); err != nil {
		return err
	}
	n.place.deployment = r.Name
	m.Scope = n.place.id()
	i.inner = n
	outer := !local && !isExpression(props, "template") &&
		!strings.EqualFold(findString(findObject(props, "expressionEvaluationOptions"), "scope"), "inner")
	if outer {
		n.exprs, n.ev = d.exprs, i.ev
		return n.open()
	}
	n.exprs = n
	n.ev = i.ev.In(n)
	n.place.contentVersion, _ = find(template, "contentVersion")
	if err := n.open(); err != nil {
		return err
	}
	return i.parameters(n, props)
}

// withoutTemplate makes a deployment the resource that it is. If its template is linked, nobody knows what it deploys.
func (i *instance) withoutTemplate(r *Resource, props *armjson.Object) {
	i.resource = r
	if _, i.linked = find(props, "templateLink"); !i.linked || r.apart {
		return
	}
	x := i.decl.d.x
	level := "Info"
	if x.options.Official {
		level = "Warning"
	}
	x.result.Diagnostics = append(x.result.Diagnostics, Diagnostic{
		Target: Text(r.ID), Level: level, Code: shortCircuited, Position: r.Position,
		Message: "The template of this deployment is linked, and so its resources are not known.",
	})
}

// destination returns the place that a module is deployed to: target, or what its scope says.
func (i *instance) destination(template *armjson.Object) (*place, error) {
	p, err := i.target()
	if err != nil {
		return nil, err
	}
	scope, err := i.value("scope")
	if scope == nil || err != nil {
		return p, err
	}
	text, known := scope.(armjson.String)
	kind := managementScope
	switch {
	case known && text == "/":
		kind = tenantScope
	case known && strings.HasPrefix(strings.ToLower(string(text)), "/providers/microsoft.management/managementgroups/"):
	case known && strings.HasPrefix(strings.ToLower(string(text)), "microsoft.management/managementgroups/"):
	case known:
		return p, nil
	default:
		if k, err := scopeOf(template); err != nil || k != managementScope {
			return p, nil //nolint:nilerr // a template without a scope is refused where it is opened
		}
	}
	p.kind, p.subscription, p.group, p.groupID, p.management = kind, nil, nil, nil, nil
	switch {
	case kind == managementScope && known:
		p.management = text[strings.LastIndexByte(string(text), '/')+1:]
	case kind == managementScope:
		p.management = eval.NewUnknown(nil, "last", eval.NewUnknown(nil, "split", scope, armjson.String("/")))
	}
	return p, nil
}

// template returns the template of a deployment; nil if it has none. It may be an expression, as in
// template: loadJsonContent('t.json').
func (i *instance) template(props *armjson.Object) (*armjson.Object, error) {
	v, _ := find(props, "template")
	if s, ok := v.(armjson.String); ok {
		var err error
		if v, err = i.ev.Value(s); err != nil {
			return nil, err
		}
	}
	template, _ := v.(*armjson.Object)
	return template, nil
}

// isExpression reports whether a member is a text. Where a deployment's template is one, it is evaluated as a whole around
// the deployment, whatever the deployment says of that; the expressions in what it gives belong to the new template.
func isExpression(o *armjson.Object, name string) bool {
	v, _ := find(o, name)
	_, ok := v.(armjson.String)
	return ok
}

// inside returns the place that a module's template is deployed to.
func (i *instance) inside(at *place, template *armjson.Object) (place, error) {
	p := *at
	kind, err := scopeOf(template)
	if err != nil {
		return p, err
	}
	up := &i.decl.d.place // a module that goes where the template goes has the same IDs
	p.root = up.root && kind == up.kind && armjsonText(p.subscription) == armjsonText(up.subscription) &&
		armjsonText(p.group) == armjsonText(up.group) && armjsonText(p.management) == armjsonText(up.management)
	location, err := i.value("location")
	if err != nil {
		return p, err
	}
	if kind != groupScope {
		if location == nil && i.decl.d.place.kind != groupScope {
			location = i.decl.d.place.location
		}
		p.location, p.group, p.groupID = location, nil, nil
	}
	if kind == tenantScope || kind == managementScope {
		p.subscription = nil
	}
	p.kind = kind
	return p, nil
}

// parameters gives the parameters of a module their values.
func (i *instance) parameters(n *deployment, props *armjson.Object) error {
	list := findObject(props, "parameters")
	if list == nil {
		return nil
	}
	for name, v := range list.All() {
		p := n.params[strings.ToLower(name)]
		if p == nil && strings.EqualFold(name, "copy") {
			continue
		}
		if p == nil {
			return fmt.Errorf("it is given a parameter %q, which its template does not declare", name)
		}
		o, ok := v.(*armjson.Object)
		if !ok {
			if s, isText := v.(armjson.String); isText { // the whole entry is an expression
				p.set(func() (Value, error) {
					entry, err := i.ev.Value(s)
					if err != nil {
						return nil, err
					}
					return i.entry(n, p, entry)
				})
			}
			continue
		}
		p.set(func() (Value, error) {
			if value, ok := find(o, "value"); ok {
				v, err := i.ev.Value(value)
				return n.given(p, v), err
			}
			entry, err := i.ev.Value(o)
			if err != nil {
				return nil, err
			}
			return i.entry(n, p, entry)
		})
	}
	return nil
}

// entry reads {value: …} or {reference: …} that expressions made.
func (i *instance) entry(n *deployment, p *param, entry Value) (Value, error) {
	switch e := entry.(type) {
	case *unknown:
		return n.given(p, eval.Get(e, "value")), nil
	case *armjson.Object:
		if v, ok := find(e, "value"); ok {
			return n.given(p, v), nil
		}
		if ref := findObject(e, "reference"); ref != nil {
			function := "getSecret"
			if n.x.options.Official {
				function = "getKeyVaultSecret"
			}
			return vaultSecret(function, ref), nil
		}
	}
	return nil, fmt.Errorf("parameter %q has no value", p.name)
}

// vaultSecret stands for a secret that is in a key vault.
func vaultSecret(function string, ref *armjson.Object) Value {
	id, _ := find(findObject(ref, "keyVault"), "id")
	name, _ := find(ref, "secretName")
	args := []Value{or(id), or(name)}
	if v, ok := find(ref, "secretVersion"); ok {
		args = append(args, v)
	}
	u := eval.NewUnknown(nil, function, args...)
	u.Mark = secret.Secure
	return u
}

func or(v Value) Value {
	if v == nil {
		return armjson.Null{}
	}
	return v
}
