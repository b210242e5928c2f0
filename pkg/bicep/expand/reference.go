package expand

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/secret"
)

// Call evaluates the functions that know the deployment.
func (d *deployment) Call(name string, args []Value) (Value, error) {
	key := strings.ToLower(name)
	if len(args) == 0 {
		if v, err := d.contextFunction(key); v != nil || err != nil {
			return v, err
		}
	}
	switch key {
	case "externalinputs":
		if len(args) == 1 {
			input, _ := args[0].(armjson.String)
			if v, ok := d.x.options.Inputs[string(input)]; ok {
				return v, nil
			}
		}
	case "reference":
		if len(args) > 0 {
			if _, null := args[0].(armjson.Null); null {
				return nil, fmt.Errorf("function %s: its first argument is null; it must name a resource", name)
			}
			return d.referenceOf(name, args)
		}
	case "references":
		if len(args) > 0 {
			return d.referencesOf(name, args)
		}
	case "resourceinfo":
		if len(args) == 1 {
			return d.infoOf(name, args[0])
		}
	case "listoutputswithsecurevalues":
		if len(args) > 0 {
			if i, err := d.instanceAt(args[0]); err != nil {
				return nil, err
			} else if i != nil && i.inner != nil {
				if d.x.options.Official {
					u := i.call(name, args)
					u.Mark = secret.Secure
					return u, nil
				}
				return i.outputs(true)
			}
		}
	}
	if len(args) > 1 && key == "invokeresourcemethod" || len(args) > 0 && strings.HasPrefix(key, "list") {
		r, err := d.resourceAt(args[0])
		switch {
		case err != nil:
			return nil, err
		case r != nil:
			return eval.NewUnknown(r.source(), name, append([]Value{d.nameOf(r)}, args[1:]...)...), nil
		}
		return d.unnamed(name, args), nil
	}
	return eval.NewUnknown(nil, name, args...), nil
}

// instanceAt returns what an argument of reference() names: a symbolic name, maybe
// with an index, or the ID or name of a module. Nil if it cannot be told. It may be one of those in rounds.go.
func (d *deployment) instanceAt(v Value) (*instance, error) {
	if u, ok := v.(*unknown); ok && !d.x.options.Official {
		return d.unknownAt(u)
	}
	s, ok := v.(armjson.String)
	if !ok {
		return nil, nil
	}
	symbol, index := string(s), -1
	if i := strings.IndexByte(symbol, '['); i > 0 && strings.HasSuffix(symbol, "]") {
		n, err := strconv.Atoi(symbol[i+1 : len(symbol)-1])
		if err != nil {
			return nil, nil
		}
		symbol, index = symbol[:i], n
	}
	c := d.bySymbol[strings.ToLower(symbol)]
	if c == nil {
		if strings.Contains(strings.ToLower(string(s)), "/providers/"+deploymentType+"/") {
			return d.deploymentAt(strings.ToLower(string(s)))
		}
		if i := d.byText[strings.ToLower(symbol)]; i != nil && index < 0 {
			return i, nil // reference('name') of a classic template
		}
		if d.byText == nil && !strings.ContainsAny(string(s), "/[") {
			return d.deploymentAt(strings.ToLower(string(s)))
		}
		return nil, nil
	}
	list, err := c.all()
	if err != nil {
		return nil, err
	}
	switch {
	case len(list) == 1 && list[0].index < 0 && index >= 0:
		if i := c.roundAt(armjson.Int(int64(index))); i != nil {
			return i, nil
		}
		return list[0], list[0].identify()
	case index < 0 && c.count == nil || len(list) == 1 && list[0].index < 0:
		return list[0], list[0].identify()
	case index >= 0 && index < len(list) && c.count != nil:
		return list[index], list[index].identify()
	}
	return nil, nil
}

// deploymentAt finds a module of a classic template by its ID or its name.
func (d *deployment) deploymentAt(id string) (*instance, error) {
	if d.nested == nil {
		d.nested = map[string]*instance{}
		for _, c := range d.decls {
			if !isDeployment(c.body) || c.symbol != "" {
				continue
			}
			list, err := c.all()
			if err != nil {
				return nil, err
			}
			for _, i := range list {
				if i.at == running {
					continue
				}
				if err := i.identify(); err != nil {
					return nil, err
				}
				if i.inner == nil {
					continue
				}
				if key := placeKey(i.inner.module.id); key != "" {
					d.nested[key] = i
				}
				if name, ok := Known(i.inner.module.Name); ok && d.nested[strings.ToLower(name)] == nil {
					d.nested[strings.ToLower(name)] = i
				}
			}
		}
	}
	return d.nested[id], nil
}

// resourceAt returns the resource that an argument names, or nil.
func (d *deployment) resourceAt(v Value) (*Resource, error) {
	switch v := v.(type) {
	case *unknown:
		// reference(x).id of a resource whose ID is not known
		if r, _, path := Read(v); r != nil && len(path) == 1 && path[0] == "id" {
			return r, nil
		}
		i, err := d.instanceAt(v)
		if i == nil || err != nil {
			return nil, err
		}
		return i.resource, nil
	case armjson.String:
		i, err := d.instanceAt(v)
		if err != nil {
			return nil, err
		}
		if i != nil && i.skipped {
			i = i.whatever()
		}
		if i != nil {
			return i.resource, nil
		}
		return d.x.byID[strings.ToLower(string(v))], nil
	}
	return nil, nil
}

// nameOf returns how expressions name a resource.
func (d *deployment) nameOf(r *Resource) Value {
	if r.apart && !r.noted {
		r.noted = true
		d.x.result.Named = append(d.x.result.Named, r)
	}
	if r.Extension == nil {
		return or(r.ID)
	}
	if d.x.options.Official || r.Name == nil && r.given == nil {
		return armjson.String(r.Symbol)
	}
	parts := []Value{armjson.String(r.Type)}
	if r.IsKubernetes() && r.Scope != nil {
		parts = append(parts, armjson.String("/"), r.Scope)
	}
	for _, part := range []Value{r.Name, r.given} {
		if part != nil {
			parts = append(parts, armjson.String("/"), part)
		}
	}
	return join(parts...)
}

// reference returns reference() of a resource.
func (d *deployment) reference(r *Resource, more []Value) *unknown {
	args := []Value{d.nameOf(r)}
	if r.Extension == nil {
		if len(more) == 0 && r.APIVersion != "" {
			more = []Value{armjson.String(r.APIVersion)}
		}
		args = append(args, more...)
	}
	return eval.NewUnknown(r.source(), "reference", args...)
}

func (d *deployment) referenceOf(name string, args []Value) (Value, error) {
	i, err := d.instanceAt(args[0])
	if err != nil {
		return nil, err
	}
	if i == nil && d.x.options.Declared {
		if other, err := d.instanceOf(args[0]); err != nil {
			return nil, err
		} else if other != nil {
			return d.foreseen(other, eval.NewUnknown(other.resource, name, args...), args[1:]), nil
		}
	}
	if i != nil && i.skipped && !d.x.options.Official {
		i = i.whatever()
		if i != nil && i.inner != nil { // what another deployment of this name left
			return eval.NewUnknown(nil, name, append([]Value{or(i.inner.module.id)}, args[1:]...)...), nil
		}
	}
	if i == nil || i.skipped {
		r, err := d.resourceAt(args[0])
		if err != nil {
			return nil, err
		}
		if r != nil {
			return d.byItsID(r, name, args), nil
		}
		return d.unnamed(name, args), nil
	}
	if i.inner != nil {
		v, err := i.moduleReference(name, args)
		if i.apart && err != nil && !eval.Exhausted(err) {
			return d.unnamed(name, args), nil
		}
		return v, err
	}
	r := i.resource
	if s, _ := Known(args[0]); strings.HasPrefix(s, "/") && !d.x.options.Declared {
		return d.byItsID(r, name, args), nil
	}
	whole := d.reference(r, args[1:])
	if d.x.options.Official {
		return d.declared(r, whole, args[1:]), nil
	}
	if r.Extension != nil {
		whole = d.foreknown(r, whole)
		if d.x.options.Returned != nil && r.IsRadius() {
			return whole.WithMore(i.returned), nil
		}
	}
	return d.foreseen(i, whole, args[1:]), nil
}

// byItsID returns reference() of a resource that its ID names. The engine prints the version of the resource if none is given.
func (d *deployment) byItsID(r *Resource, name string, args []Value) Value {
	whole := args
	if len(args) == 1 && d.x.options.Official && r.Extension == nil && r.APIVersion != "" {
		whole = []Value{args[0], armjson.String(r.APIVersion)}
	}
	return d.declared(r, eval.NewUnknown(r, name, whole...), args[1:])
}

// declared returns reference() of a resource with what the resource declares, as the deployment engine does: if it
// comes before, and is asked with its own API version. more are the arguments after the first: the version, 'full'.
func (d *deployment) declared(r *Resource, whole *unknown, more []Value) Value {
	if !d.x.options.Official || r.Body == nil {
		return whole
	}
	if r.Existing {
		id, _ := Known(r.ID)
		if r = d.x.byID[strings.ToLower(id)]; r == nil || r.Existing || r.Body == nil {
			return whole
		}
	}
	if r.Extension != nil {
		return &eval.Declared{Value: r.Body, Whole: whole}
	}
	if len(more) > 0 {
		if version, _ := Known(more[0]); !strings.EqualFold(version, r.APIVersion) {
			return whole
		}
	}
	properties, ok := find(r.Body, "properties")
	if !ok || properties == (armjson.Null{}) {
		return whole
	}
	if len(more) > 1 {
		properties = armjson.NewObject(armjson.Member{Key: "Properties", Value: properties})
	}
	return &eval.Declared{Value: properties, Whole: whole}
}

// Written returns the arguments of a call with the ID of a resource in place of its symbolic name.
func (d *deployment) Written(c *armexpr.Call) []armexpr.Expr {
	if len(c.Args) == 0 || !strings.EqualFold(c.Name, "reference") && !strings.HasPrefix(strings.ToLower(c.Name), "list") {
		return nil
	}
	s, ok := c.Args[0].(armexpr.Str)
	if !ok || d.bySymbol[strings.ToLower(string(s))] == nil {
		return nil
	}
	i, err := d.instanceAt(armjson.String(s))
	if err != nil || i == nil || i.id == nil {
		return nil
	}
	version := i.version
	if i.resource != nil {
		version = i.resource.APIVersion
	}
	args := append([]armexpr.Expr{eval.Expression(i.id)}, c.Args[1:]...)
	if len(args) == 1 {
		args = append(args, armexpr.Str(version))
	}
	return args
}

// foreknown gives what reference() of an extension's resource returns those members
// that are sure: its ID, its type and the name it was given.
func (d *deployment) foreknown(r *Resource, whole *unknown) *unknown {
	if r.IsRadius() {
		known := map[string]Value{"type": armjson.String(r.Type)}
		if r.Name != nil && IsKnown(r.Name) {
			known["name"] = r.Name
		}
		if r.ID != nil && IsKnown(r.ID) {
			known["id"] = r.ID
		}
		return whole.WithKnown(known)
	}
	if r.IsKubernetes() {
		metadata := eval.Get(whole, "metadata").(*unknown)
		known := map[string]Value{}
		if r.Name != nil && IsKnown(r.Name) {
			known["name"] = r.Name
		}
		if r.Scope != nil && IsKnown(r.Scope) {
			known["namespace"] = r.Scope
		}
		return whole.WithKnown(map[string]Value{"metadata": metadata.WithKnown(known)})
	}
	return whole
}

// referencesOf evaluates references('loop'): an array of what all of its rounds are.
func (d *deployment) referencesOf(name string, args []Value) (Value, error) {
	s, _ := Known(args[0])
	c := d.bySymbol[strings.ToLower(s)]
	if c == nil || c.count == nil {
		return eval.NewUnknown(nil, name, args...), nil
	}
	list, err := c.all()
	if err != nil {
		return nil, err
	}
	if len(list) == 1 && list[0].index < 0 {
		return d.referencesOfUnknown(c, args)
	}
	out := make(armjson.Array, len(list))
	for n := range list {
		one := []Value{armjson.String(fmt.Sprintf("%s[%d]", c.symbol, n))}
		if r := list[n].resource; r != nil && len(args) == 2 { // references('loop', 'full')
			one = append(one, armjson.String(r.APIVersion))
		}
		if out[n], err = d.referenceOf("reference", append(one, args[1:]...)); err != nil {
			return nil, err
		}
		if declared, ok := out[n].(*eval.Declared); ok {
			out[n] = declared.Whole
		}
	}
	return out, nil
}

// infoOf evaluates resourceInfo('symbol'): what is known of a resource without
// its deployment.
func (d *deployment) infoOf(name string, arg Value) (Value, error) {
	i, err := d.instanceAt(arg)
	if err != nil {
		return nil, err
	}
	if i != nil && i.skipped {
		i = i.whatever()
	}
	if i == nil || i.resource == nil {
		return d.unnamed(name, []Value{arg}), nil
	}
	r := i.resource
	return armjson.NewObject(armjson.Member{Key: "id", Value: or(r.ID)}, armjson.Member{Key: "name", Value: or(r.Name)},
		armjson.Member{Key: "type", Value: armjson.String(r.Type)},
		armjson.Member{Key: "apiVersion", Value: armjson.String(r.APIVersion)}), nil
}

// moduleReference returns reference() of a module: its name and its outputs. The official engine knows them only
// if it knows the ID of the module and how many rounds its loops have.
func (i *instance) moduleReference(name string, args []Value) (Value, error) {
	if i.decl.d.x.options.Official {
		_, known := Known(i.inner.module.id)
		if whole, err := i.inner.unrolled(); err != nil {
			return nil, err
		} else if !known || !whole {
			return i.call(name, args), nil
		}
	}
	outputs, err := i.outputs(false)
	if err != nil {
		return nil, err
	}
	o := armjson.NewObject(armjson.Member{Key: "outputs", Value: outputs})
	if len(args) >= 3 {
		o = armjson.NewObject(armjson.Member{Key: "name", Value: or(i.inner.module.Name)}, armjson.Member{Key: "properties", Value: o})
	}
	if i.decl.d.x.options.Official { // an output may be what a resource declares, of which more is known later
		return &eval.Declared{Value: o, Whole: i.call(name, args), Nulls: true}, nil
	}
	return o, nil
}

// call returns a call that asks for a module, by its ID.
func (i *instance) call(name string, args []Value) *unknown {
	m := i.inner.module
	if len(args) == 1 && m.api != "" {
		args = append(args[:1:1], armjson.String(m.api))
	}
	return eval.NewUnknown(nil, name, append([]Value{or(m.id)}, args[1:]...)...)
}

// outputs returns the outputs of a module as reference() has them, or plainly the
// values of the secure ones.
func (i *instance) outputs(secure bool) (Value, error) {
	list, err := i.inner.allOutputs()
	if err != nil {
		return nil, err
	}
	made := &i.referred
	if secure {
		made = &i.revealed
	}
	if *made != nil {
		return *made, nil
	}
	out := armjson.NewObject()
	for _, o := range list {
		switch {
		case secure:
			out.Set(o.Name, o.Value)
		default:
			out.Set(o.Name, i.inner.referred(o))
		}
	}
	*made = out
	return out, nil
}

// referred returns what reference() of a module has for an output.
func (d *deployment) referred(o Output) Value {
	value := armjson.Member{Key: "value", Value: o.Value}
	kind := d.outputType(o.Name)
	if !d.x.options.Official || kind == "" {
		return armjson.NewObject(value)
	}
	return armjson.NewObject(armjson.Member{Key: "type", Value: armjson.String(kind)}, value)
}

// outputTypes are the names of types as the engine writes them.
var outputTypes = map[string]string{
	"string": "String", "int": "Int", "bool": "Bool", "object": "Object",
	"array": "Array", "securestring": "SecureString", "secureobject": "SecureObject",
}

// outputType returns the type of an output, as the engine writes it; "" if it cannot be told.
func (d *deployment) outputType(name string) string {
	return d.typeOf(findObject(findObject(d.template, "outputs"), name))
}

// typeOf returns the type that a schema gives, as the engine writes it; "" if it cannot be told.
func (d *deployment) typeOf(o *armjson.Object) string {
	definitions := findObject(d.template, "definitions")
	for range 100 { // a definition may refer to itself
		ref, ok := strings.CutPrefix(findString(o, "$ref"), "#/definitions/")
		if !ok {
			break
		}
		o = findObject(definitions, ref)
	}
	return outputTypes[strings.ToLower(findString(o, "type"))]
}

var _ eval.Locator = (*deployment)(nil)
