package expand

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # What only expressions name
//
// An expression can read of a round by an index that is not known, or of a round of a loop whose number of rounds is not
// known. What it reads is then written with the target in it, and not with the symbol: two programs whose symbols are the same
// may read of different resources, and a symbol that is renamed reads of the same.
//
//	"r": { "copy": { "name": "r", "count": "[parameters('n')]" }, "name": "[format('x{0}', copyIndex())]", … }
//	reference(format('r[{0}]', parameters('i'))).y  is  reference(format('/…/x{0}', parameters('i'))).y
//	references('r')  is  map(range(0, parameters('n')), lambda('i', reference(format('/…/x{0}', lambdaVariables('i')))))
//
// Of a module, it is the output's expression with the index in it. So the declaration is evaluated with the index in place of
// copyIndex(), as an instance that is deployed nowhere (roundAt). There is one for each index that is written in another way.
// What is read of a resource whose condition is false has a target, too (whatever).
//
// Where that fails, nothing tells the value from others of the same text: it is marked as one that may differ from all (unnamed).

// count counts resources and modules, and returns an error if they are too many. Those that only expressions name are counted by
// themselves, so that what is deployed has its room.
func (d *deployment) count(n int) error {
	of, most := &d.x.count, d.x.limits.Resources
	if d.apart {
		of, most = &d.x.apart, min(most, maxApart)
	}
	if *of += n; *of > most {
		return fmt.Errorf("the template deploys more than %d resources", d.x.limits.Resources)
	}
	return nil
}

// maxRounds is how many instances of a declaration are made for what expressions name, maxApart how many resources in all.
const maxRounds, maxApart = 1000, 30_000

// maxIndex is how long an index is, in bytes, that an instance is made for.
const maxIndex = 4000

// roundAt returns the round of a loop that an index names, known or not; of what is no loop, index is nil. It returns nil if it
// cannot be evaluated.
func (c *declaration) roundAt(index Value) *instance {
	if c.d.x.options.Official {
		return nil
	}
	i := &instance{decl: c, apart: true, ev: c.d.ev}
	key := ""
	switch v := index.(type) {
	case armjson.Number:
		n, _ := v.Int64()
		i.index, i.ev = int(n), c.d.ev.WithCopyIndex(c.loop, n)
		key = string(v)
	case *unknown:
		key = string(armexpr.AppendSome(nil, v.Expr, maxIndex))
		i.index, i.ev, i.by = -1, c.d.ev.WithIndex(c.loop, v), v
	}
	if made, ok := c.rounds[key]; ok {
		return made
	}
	x := c.d.x
	if x.apart++; x.apart > maxApart || len(c.rounds) >= maxRounds || len(key) >= maxIndex {
		return nil
	}
	if c.rounds == nil {
		c.rounds = map[string]*instance{}
	}
	c.rounds[key] = nil // while it is evaluated, it cannot name itself
	told := len(x.result.Diagnostics)
	err := i.identify()
	// The loop may have no such round, so it is no mistake that its name has no value.
	x.result.Diagnostics = slices.DeleteFunc(x.result.Diagnostics, func(d Diagnostic) bool { return d.Target == c.kind()+" "+i.symbol() })
	if err != nil || len(x.result.Diagnostics) < told || i.resource == nil && i.inner == nil {
		if x.budget.Passing(err) {
			delete(c.rounds, key)
		}
		return nil
	}
	c.rounds[key] = i
	if i.resource != nil && !c.d.apart && len(c.instances) == 1 && c.instances[0].index < 0 {
		i.resource.of = c.instances[0].resource
	}
	return i
}

// whatever returns an instance whatever its condition is; nil if it cannot be evaluated.
func (i *instance) whatever() *instance {
	if i.decl.count == nil {
		return i.decl.roundAt(nil)
	}
	return i.decl.roundAt(armjson.Int(int64(i.index)))
}

// unknownAt returns what an argument of reference() names that is not known: r[i] as Bicep writes it, or the ID of a module.
func (d *deployment) unknownAt(u *unknown) (*instance, error) {
	call, ok := u.Expr.(*armexpr.Call)
	if !ok || len(call.Access) > 0 {
		return nil, nil
	}
	if c := d.loopNamed(call); c != nil {
		if _, err := c.all(); err != nil {
			return nil, err
		}
		return c.roundAt(u.Rewritten(call.Args[1], maxIndex)), nil
	}
	if !namesDeployment(u) {
		return nil, nil
	}
	if i, err := d.deploymentAt(placeKey(u)); i != nil || err != nil {
		return i, err
	}
	for _, c := range d.decls {
		if !isDeployment(c.body) || c.count == nil || c.symbol != "" {
			continue
		}
		if _, err := c.all(); err != nil {
			return nil, err
		}
		hole := eval.NewUnknown(nil, "lambdaVariables", armjson.String("the index"))
		pattern := c.roundAt(hole)
		if pattern == nil || pattern.inner == nil {
			continue
		}
		var index armexpr.Expr
		if matches(eval.Expression(or(pattern.inner.module.id)), u.Expr, hole.Expr, &index) && index != nil {
			return c.roundAt(u.Rewritten(index, maxIndex)), nil
		}
	}
	return nil, nil
}

// loopNamed returns the loop of which a call of format() names a round: format('r[{0}]', INDEX).
func (d *deployment) loopNamed(call *armexpr.Call) *declaration {
	if len(call.Args) != 2 || !strings.EqualFold(call.Name, "format") {
		return nil
	}
	text, _ := call.Args[0].(armexpr.Str)
	symbol, ok := strings.CutSuffix(string(text), "[{0}]")
	if c := d.bySymbol[strings.ToLower(symbol)]; ok && c != nil && c.count != nil {
		return c
	}
	return nil
}

// namesDeployment reports whether a value is the ID of a deployment.
func namesDeployment(u *unknown) bool {
	return strings.Contains(strings.ToLower(string(armexpr.AppendSome(nil, u.Expr, maxIndex))), deploymentType)
}

// matches reports whether an expression is a pattern with another expression in place of the hole, and finds that one.
func matches(pattern, e, hole armexpr.Expr, found *armexpr.Expr) bool {
	if armexpr.Same(pattern, hole) {
		if *found == nil {
			*found = e
		}
		return armexpr.Same(*found, e)
	}
	p, isCall := pattern.(*armexpr.Call)
	c, ok := e.(*armexpr.Call)
	if !isCall || !ok {
		return !isCall && !ok && armexpr.Same(pattern, e)
	}
	return strings.EqualFold(p.Name, c.Name) && allMatch(p.Args, c.Args, hole, found) && allMatch(p.Access, c.Access, hole, found)
}

func allMatch(patterns, list []armexpr.Expr, hole armexpr.Expr, found *armexpr.Expr) bool {
	for i, p := range patterns {
		if len(patterns) != len(list) || !matches(p, list[i], hole, found) {
			return false
		}
	}
	return len(patterns) == len(list)
}

// unnamed returns a call of which it is not known what its first argument names. If that is a declaration of the template, the
// value may differ from others of the same text.
func (d *deployment) unnamed(name string, args []Value) *unknown {
	u := eval.NewUnknown(nil, name, args...)
	if d.x.options.Official {
		return u
	}
	switch v := args[0].(type) {
	case *unknown:
		call, ok := v.Expr.(*armexpr.Call)
		if ok && d.loopNamed(call) != nil || namesDeployment(v) &&
			slices.ContainsFunc(d.decls, func(c *declaration) bool { return isDeployment(c.body) }) {
			return u.Alone()
		}
	case armjson.String:
		if i, err := d.instanceAt(v); i != nil && err == nil { // there is such a resource, and its name has no value
			return u.Alone()
		}
	}
	return u
}

// referencesOfUnknown evaluates references('loop') of a loop whose number of rounds is not known: the value for an index, for
// each index.
func (d *deployment) referencesOfUnknown(c *declaration, args []Value) (Value, error) {
	index := armjson.String(c.d.ev.Free("i"))
	symbol := eval.NewUnknown(nil, "format", armjson.String(c.symbol+"[{0}]"), eval.NewUnknown(nil, "lambdaVariables", index))
	one := []Value{symbol}
	if len(args) == 2 { // references('loop', 'full')
		version := ""
		if r := c.instances[0].resource; r != nil {
			version = r.APIVersion
		}
		one = append(one, armjson.String(version))
	}
	if err := c.instances[0].identify(); err != nil {
		return nil, err
	}
	v, err := d.referenceOf("reference", append(one, args[1:]...))
	if err != nil {
		return nil, err
	}
	body := eval.Within(v, func(e armexpr.Expr) armexpr.Expr { return armexpr.Fn("lambda", armexpr.Str(index), e) })
	return eval.NewUnknown(nil, "map", eval.NewUnknown(nil, "range", armjson.Int(0), c.count), body), nil
}

// source is what values read of that are known when the resource is deployed: the resource, or the one that stands for it.
func (r *Resource) source() any {
	switch {
	case r.of != nil:
		return r.of
	case r.apart:
		return nil
	}
	return r
}
