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
	template := findObject(props, "template")
	var err error
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
	at, err := i.target()
	if err != nil {
		return err
	}
	r.Scope, r.ID = at.id(), resourceID(at, r.Type, r.Name)
	i.id, i.name, i.version = r.ID, r.Name, r.APIVersion
	if template == nil {
		i.resource = r
		if _, ok := find(props, "templateLink"); ok {
			d.x.result.Diagnostics = append(d.x.result.Diagnostics, Diagnostic{
				Target: Text(r.ID), Level: "Info", Code: "NestedDeploymentShortCircuited", Position: r.Position,
				Message: "The template of this deployment is linked, and so its resources are not known.",
			})
		}
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
	m := &Module{Symbol: i.symbol(), Name: r.Name, Parent: d.module, Condition: r.Condition}
	if d.module.places != nil {
		m.Position, m.places = d.module.places.Module(i.decl.symbol)
	}
	if m.Position.File == "" {
		m.Position = r.Position
	}
	n := &deployment{x: d.x, parent: d, module: m, template: template, depth: d.depth + 1, loops: d.loops}
	if i.decl.count != nil && i.index < 0 {
		n.loops++
	}
	m.at = n
	if n.place, err = i.inside(at, template); err != nil {
		return err
	}
	n.place.deployment = r.Name
	m.Scope = n.place.id()
	i.inner = n
	outer := !local && !strings.EqualFold(findString(findObject(props, "expressionEvaluationOptions"), "scope"), "inner")
	if outer {
		n.exprs, n.ev = d.exprs, i.ev
		return n.open()
	}
	n.exprs = n
	n.ev = d.ev.In(n)
	n.place.contentVersion, _ = find(template, "contentVersion")
	if err := n.open(); err != nil {
		return err
	}
	return i.parameters(n, props)
}

// inside returns the place that a module's template is deployed to.
func (i *instance) inside(at *place, template *armjson.Object) (place, error) {
	p := *at
	p.root = false
	scope, err := i.value("scope")
	if err != nil {
		return p, err
	}
	kind, err := scopeOf(template)
	if err != nil {
		return p, err
	}
	location, err := i.value("location")
	if err != nil {
		return p, err
	}
	if kind != p.kind && kind != groupScope {
		p.location = location
	}
	p.kind = kind
	switch kind {
	case managementScope:
		if s, ok := scope.(armjson.String); ok {
			p.management = s[strings.LastIndexByte(string(s), '/')+1:]
		} else if scope != nil {
			p.management = scope
		}
	case subscriptionScope:
		p.group = nil
	case tenantScope, groupScope:
	}
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
				return i.ev.Value(value)
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
		return eval.Get(e, "value"), nil
	case *sealed:
		if o, ok := e.Value.(*armjson.Object); ok {
			if v, ok := find(o, "value"); ok {
				return eval.NewSecret(v, e.Mark, e.Expr), nil
			}
		}
	case *armjson.Object:
		if v, ok := find(e, "value"); ok {
			return v, nil
		}
		if ref := findObject(e, "reference"); ref != nil {
			return vaultSecret(ref), nil
		}
	}
	return nil, fmt.Errorf("parameter %q has no value", p.name)
}

// vaultSecret stands for a secret that is in a key vault.
func vaultSecret(ref *armjson.Object) Value {
	id, _ := find(findObject(ref, "keyVault"), "id")
	name, _ := find(ref, "secretName")
	args := []Value{or(id), or(name)}
	if v, ok := find(ref, "secretVersion"); ok {
		args = append(args, v)
	}
	u := eval.NewUnknown(nil, "getSecret", args...)
	u.Mark = secret.Secure
	return u
}

func or(v Value) Value {
	if v == nil {
		return armjson.Null{}
	}
	return v
}
