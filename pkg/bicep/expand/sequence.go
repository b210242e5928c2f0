package expand

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// # The order of the official snapshot
//
// The deployment engine goes through the resources of a template in their order. Before a resource come those
// that reference() in it names, in the order of the text, then those of its dependsOn, in the order there, and before
// each of them those that it names in turn:
//
//	"resources": [ {"name": "f", "dependsOn": ["c", "d"]}, {"name": "c"}, {"name": "d", "dependsOn": ["c", "g"]}, {"name": "g"} ]
//
// is c, g, d, f. A resource whose condition is false is not there, and those before it come in its place. The
// resources of a module stand where the module does, and have an order of their own. A module with a loop whose
// number of rounds is not known has none. An entry of dependsOn is a symbolic name, with an index or without, the ID
// or the name of a resource, or the name of a loop. reference() of an ID says nothing of the order.
//
// Each resource is taken once, and each loop that is named as a whole is gone through once (declaration.taken),
// so that the time is linear in the number of entries. The order matters for more than the text: what a resource
// declares is known to those that come after it (reference.go).

// inSequence adds all that the template deploys to the result, in that order.
func (d *deployment) inSequence() error {
	if whole, err := d.unrolled(); err != nil {
		return err
	} else if !whole {
		d.x.result.Diagnostics = append(d.x.result.Diagnostics, Diagnostic{
			Level: "Warning", Code: shortCircuited, Position: d.module.Position,
			Message: fmt.Sprintf("A loop of module %s has a number of rounds that is not known, "+
				"and so the module's resources are not known.", d.module.Path()),
		})
		return nil
	}
	d.byText = map[string]*instance{}
	for _, c := range d.decls {
		for _, i := range c.instances {
			if err := i.identify(); err != nil {
				return err
			}
			if c.symbol == "" && i.id != nil {
				if id, ok := Known(i.id); ok {
					d.byText[strings.ToLower(id)] = i
				}
				if name, ok := Known(i.name); ok && d.byText[strings.ToLower(name)] == nil {
					d.byText[strings.ToLower(name)] = i
				}
			}
		}
	}
	for _, c := range d.decls {
		if err := c.take(); err != nil {
			return err
		}
	}
	return nil
}

// shortCircuited is the code of the diagnostic that says that a deployment has no resources in the snapshot.
const shortCircuited = "NestedDeploymentShortCircuited"

// unrolled tells whether the number of rounds of each loop of the template is known.
func (d *deployment) unrolled() (bool, error) {
	for _, c := range d.decls {
		if _, err := c.all(); err != nil {
			return false, err
		}
	}
	return !d.endless, nil
}

// take adds all rounds of a declaration to the result.
func (c *declaration) take() error {
	if c.taken {
		return nil
	}
	c.taken = true
	if len(c.instances) == 0 && c.symbol == "" {
		if err := c.orderOfNone(); err != nil {
			return err
		}
	}
	for _, i := range c.instances {
		if err := i.take(); err != nil {
			return err
		}
	}
	return nil
}

// orderOfNone evaluates dependsOn of a loop without rounds. In a template without symbolic names its entries are IDs, and
// the deployment engine evaluates those that all rounds would have in common.
func (c *declaration) orderOfNone() error {
	entries, _ := find(c.body, "dependsOn")
	list, _ := entries.(armjson.Array)
	for _, e := range list {
		if s, ok := e.(armjson.String); ok && strings.Contains(strings.ToLower(string(s)), "copyindex(") {
			continue
		}
		if _, err := c.d.ev.Value(e); err != nil {
			return c.fail(err)
		}
	}
	return nil
}

// take adds an instance to the result, after those that it depends on. One whose condition is false adds only these.
func (i *instance) take() error {
	if i.taken {
		return nil
	}
	i.taken = true
	c := i.decl
	c.readDependencies()
	for n, e := range c.before {
		v, err := i.ev.Eval(e)
		if err != nil {
			continue // it fails again, and better, where the value is used
		}
		if id, _ := Known(v); n < c.references && strings.HasPrefix(id, "/") {
			continue // an ID in reference() says nothing of the order
		}
		loop, one := c.d.named(v)
		switch {
		case one != nil:
			err = one.take()
		case loop != nil:
			err = loop.take()
		}
		if err != nil {
			return err
		}
	}
	return i.deploy()
}

// readDependencies finds what names the resources that come before a declaration's: what its expressions refer to, in
// the order of the text, and then the entries of dependsOn.
func (c *declaration) readDependencies() {
	if c.before != nil {
		return
	}
	c.before = []armexpr.Expr{}
	nested := isDeployment(c.body)
	for k, v := range c.body.All() {
		properties, ok := v.(*armjson.Object)
		if !nested || !ok || !strings.EqualFold(k, "properties") {
			c.referred(v)
			continue
		}
		for name, inner := range properties.All() {
			if !strings.EqualFold(name, "template") { // its expressions refer to resources of its own
				c.referred(inner)
			}
		}
	}
	entries, _ := find(c.body, "dependsOn")
	c.references = len(c.before)
	list, _ := entries.(armjson.Array)
	for _, v := range list {
		if s, ok := v.(armjson.String); ok {
			if e, err := armexpr.Parse(string(s)); err == nil {
				c.before = append(c.before, e)
			}
		}
	}
}

// referred adds what the calls of reference() in a value refer to.
func (c *declaration) referred(v Value) {
	switch v := v.(type) {
	case armjson.String:
		if !armexpr.IsExpression(string(v)) || !strings.Contains(strings.ToLower(string(v)), "reference") {
			return
		}
		if e, err := armexpr.Parse(string(v)); err == nil {
			c.called(e)
		}
	case armjson.Array:
		for _, x := range v {
			c.referred(x)
		}
	case *armjson.Object:
		for _, x := range v.All() {
			c.referred(x)
		}
	}
}

// called adds what the calls of reference() in an expression refer to.
func (c *declaration) called(e armexpr.Expr) {
	call, ok := e.(*armexpr.Call)
	if !ok {
		return
	}
	if strings.EqualFold(call.Name, "reference") && len(call.Args) > 0 {
		c.before = append(c.before, call.Args[0])
	}
	for _, x := range call.Args {
		c.called(x)
	}
	for _, x := range call.Access {
		c.called(x)
	}
}

// named returns what an entry of dependsOn names: a declaration or one round of it.
func (d *deployment) named(v Value) (*declaration, *instance) {
	s, ok := v.(armjson.String)
	if !ok { // an ID that is not known is that of no resource, even where one has the same
		return nil, nil
	}
	key := strings.ToLower(string(s))
	if c := d.bySymbol[key]; c != nil {
		return c, nil
	}
	if k := strings.IndexByte(key, '['); k > 0 && strings.HasSuffix(key, "]") {
		c := d.bySymbol[key[:k]]
		if n, err := strconv.Atoi(key[k+1 : len(key)-1]); err == nil && c != nil && 0 <= n && n < len(c.instances) {
			return nil, c.instances[n]
		}
	}
	if c := d.loopOf(key); c != nil {
		return c, nil
	}
	return nil, d.byText[key]
}
