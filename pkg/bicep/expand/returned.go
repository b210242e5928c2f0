package expand

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/secret"
)

// # What the deployment of a resource of Radius returns
//
// The ID, the type and the name of a resource are known from its declaration (foreknown in reference.go). Its properties are
// what its recipe makes of them: Options.Returned runs it. That needs the resource's body, and the bodies of the resources
// that it connects to, which may stand later in the template or in another module. So properties are asked for when an
// expression reads one. Two resources that need each other's are a mistake of the program.

// returned returns a member of what reference() of a resource of Radius has, nil if it is not known.
func (i *instance) returned(name string) (Value, error) {
	r, d := i.resource, i.decl.d
	if !strings.EqualFold(name, "properties") || i.index < 0 && i.decl.count != nil {
		return nil, nil
	}
	if !r.Existing {
		if i.filled == running {
			return nil, i.needsItself()
		}
		if i.fill() != nil {
			return nil, nil // it is told where the resource is deployed
		}
	}
	o, err := d.x.options.Returned(r, d.x.find)
	if err != nil {
		return nil, d.fail("resource", i.symbol(), eval.Circular(err))
	}
	if o == nil {
		return nil, nil
	}
	return o, nil
}

func (i *instance) needsItself() error {
	return i.decl.d.fail("resource", i.symbol(), eval.Circular(fmt.Errorf("its properties depend on themselves")))
}

// find is the Finder of the expansion.
func (x *expander) find(id string) (*Resource, error) {
	key := strings.ToLower(id)
	for n := 0; n < len(x.deployments); n++ { // which grows as modules are opened
		d := x.deployments[n]
		if err := d.identifyAll(); err != nil {
			return nil, err
		}
		if i := d.radius[key]; i != nil {
			if i.filled == running {
				return nil, i.needsItself()
			}
			return i.resource, i.fill()
		}
	}
	return nil, nil
}

// identifyAll identifies all that the template deploys, but for what is being identified, and notes the IDs of Radius.
func (d *deployment) identifyAll() error {
	if d.radius != nil && !d.partly {
		return nil
	}
	found, whole := map[string]*instance{}, true
	for _, c := range d.decls {
		if c.at == running {
			whole = false
			continue
		}
		list, err := c.all()
		if err != nil {
			return err
		}
		for _, i := range list {
			if i.at == running {
				whole = false
				continue
			}
			if err := i.identify(); err != nil {
				return err
			}
			if r := i.resource; r != nil && r.IsRadius() && !r.Existing {
				if id, ok := Known(r.ID); ok {
					found[strings.ToLower(id)] = i
				}
			}
		}
	}
	d.radius, d.partly = found, !whole // the next one who asks finds more
	return nil
}

// Secure returns a value, which is not null, that must neither be written nor shown. Messages call it name.
func Secure(v Value, name string) Value {
	u, ok := v.(*unknown)
	if !ok || u.Mark.Written() {
		hidden := eval.Concealed(&absence{inner: true}, armjson.Array{v}, secret.Secure, armexpr.Fn("parameters", armexpr.Str(name)))
		if !ok {
			hidden = hidden.Some()
		}
		return hidden
	}
	if u.IsGiven() {
		return u.Some()
	}
	return u
}

// Within says that the result is what the recipe of a resource makes: the symbol of that leads to its resources, and its
// condition is theirs. more stands behind the symbol.
func (r *Result) Within(maker *Resource, more string) {
	r.Root.Symbol, r.Root.Parent = recipeModule(maker).Symbol+more, maker.Module
	for _, x := range r.Resources {
		x.Maker, x.Condition = maker, both(maker.Condition, x.Condition)
	}
}

// NotKnown returns the resource that stands for all that the recipe of a resource makes, of which nothing is known for a
// reason. given is what decides it.
func NotKnown(maker *Resource, why string, given *armjson.Object) *Resource {
	return &Resource{Type: armexpr.UnknownRecipe, Module: recipeModule(maker), Name: maker.Name, Scope: maker.ID,
		Condition: maker.Condition, Maker: maker, NotKnown: why, Body: given, Position: maker.Position}
}

// recipeModule returns the module that the recipe of a resource is like.
func recipeModule(maker *Resource) *Module {
	return &Module{Symbol: cmp.Or(maker.Symbol, Text(maker.Name)), Parent: maker.Module}
}
