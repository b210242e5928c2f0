package armtemplate

import (
	"errors"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// Deciding returns which of the given parameters decide what the template
// deploys: those that are left in a resource's ID, version or condition when all
// else that is known has been evaluated. Nested deployments are looked into.
// Names match ignoring case.
func (m *Model) Deciding(given []string) map[string]bool {
	if m.root == nil {
		return nil
	}
	args := map[string]argument{}
	for _, name := range given {
		args[strings.ToLower(name)] = argument{mark: name}
	}
	f := newFrame(m.root, args, m.budget)
	found := marks{}
	if resources, ok := member(m.root, "resources"); ok {
		if _, ok := f.resources(resources, nil, found); !ok {
			return nil
		}
	}
	return found
}

// marks are parameters of the outermost template.
type marks map[string]bool

func (m marks) add(other marks) {
	for name := range other {
		m[name] = true
	}
}

// argument is what a template is given for a parameter: a value of the template
// around it or, in the outermost, nothing but the parameter's name.
type argument struct {
	mark  string
	in    *frame
	value armjson.Value // nil if it is not known, such as a reference to a vault
}

// frame is a template with its arguments.
type frame struct {
	template *armjson.Object
	known    *eval.TemplateScope
	args     map[string]argument // by lower-case name
	budget   *eval.Budget
	values   map[string]*constant
	of       map[string]marks // of variables and parameters, or parts of them
}

// constant is a parameter's value, once it has been asked for.
type constant struct {
	value armjson.Value
	err   error
}

var errUnknown = errors.New("the value is not known before the deployment")

func newFrame(template *armjson.Object, args map[string]argument, b *eval.Budget) *frame {
	f := &frame{template: template, known: eval.NewTemplateScope(template, b),
		args: args, budget: b, values: map[string]*constant{}, of: map[string]marks{}}
	f.known.SetParameters(f.parameter)
	return f
}

// parameter evaluates a parameter: its argument, or its default.
func (f *frame) parameter(name string) (armjson.Value, error) {
	key := strings.ToLower(name)
	c := f.values[key]
	if c == nil {
		c = &constant{err: errUnknown}
		f.values[key] = c // what needs itself is not known
		if in, v, ok := f.source(name); ok {
			c.value, c.err = in.known.Value(v)
		} else if p := objectMember(objectMember(f.template, "parameters"), name); f.args[key] == (argument{}) &&
			boolMember(p, "nullable") {
			c.value, c.err = armjson.Null{}, nil
		}
	}
	return c.value, c.err
}

// source returns what a parameter's value is made from, and where.
func (f *frame) source(name string) (*frame, armjson.Value, bool) {
	if a, ok := f.args[strings.ToLower(name)]; ok {
		return a.in, a.value, a.value != nil
	}
	v, ok := member(objectMember(objectMember(f.template, "parameters"), name), "defaultValue")
	return f, v, ok
}

// resources adds the marks of a list of resources. It returns how many there
// are; it is not ok if that cannot be known before the deployment.
func (f *frame) resources(list armjson.Value, parent, found marks) (n int, ok bool) {
	var all []armjson.Value
	switch list := list.(type) {
	case armjson.Array:
		all = list
	case *armjson.Object: // by symbolic name
		for _, r := range list.All() {
			all = append(all, r)
		}
	}
	for _, item := range all {
		r, ok := item.(*armjson.Object)
		if !ok || boolMember(r, "existing") {
			continue
		}
		rounds, ok := f.rounds(r)
		if !ok {
			return 0, false
		}
		if rounds == 0 || f.isFalse(r, "condition") {
			continue
		}
		count, ok := f.resource(r, parent, found)
		if !ok {
			return 0, false
		}
		n += count
	}
	return n, true
}

// rounds returns how often a resource is deployed.
func (f *frame) rounds(r *armjson.Object) (int64, bool) {
	loop := objectMember(r, "copy")
	if loop == nil {
		return 1, true
	}
	count, _ := member(loop, "count")
	v, err := f.known.Value(count)
	n, ok := v.(armjson.Number)
	if err != nil || !ok {
		return 0, false
	}
	return n.Int64()
}

func (f *frame) isFalse(o *armjson.Object, name string) bool {
	v, ok := member(o, name)
	if !ok {
		return false
	}
	v, err := f.known.Value(v)
	return err == nil && v == armjson.Value(armjson.Bool(false))
}

// resource adds the marks of one resource and of those within it.
func (f *frame) resource(r *armjson.Object, parent, found marks) (n int, ok bool) {
	typ, _ := stringMember(r, "type")
	properties := objectMember(r, "properties")
	if nested := objectMember(properties, "template"); nested != nil && strings.EqualFold(typ, "Microsoft.Resources/deployments") {
		return f.nested(r, properties, nested, found), true
	}
	f.collect(r, found, "condition", "apiVersion")
	for _, name := range [...]string{"import", "extension"} {
		if _, ok := member(r, name); ok {
			return 1, true // the extension says what its IDs are
		}
	}
	id := marks{}
	id.add(parent)
	f.collect(r, id, "type", "name", "scope")
	found.add(id)
	n = 1
	if children, ok := member(r, "resources"); ok {
		count, ok := f.resources(children, id, found)
		if !ok {
			return 0, false
		}
		n += count
	}
	return n, true
}

// nested adds the marks of a nested deployment, whose resources are deployed
// only on its condition and to its scope. One that cannot be laid out before it
// is deployed counts for nothing.
func (f *frame) nested(r, properties, template *armjson.Object, found marks) int {
	inner := f
	if scope, _ := stringMember(objectMember(properties, "expressionEvaluationOptions"), "scope"); strings.EqualFold(scope, "inner") {
		args := map[string]argument{}
		for name, v := range all(objectMember(properties, "parameters")) {
			a := argument{in: f}
			if o, ok := v.(*armjson.Object); ok {
				a.value, _ = member(o, "value")
			}
			args[strings.ToLower(name)] = a
		}
		inner = newFrame(template, args, f.budget)
	}
	resources, ok := member(template, "resources")
	if !ok {
		return 0
	}
	own := marks{}
	n, ok := inner.resources(resources, nil, own)
	if !ok || n == 0 {
		return 0
	}
	found.add(own)
	f.collect(r, found, "condition", "scope", "subscriptionId", "resourceGroup")
	return n
}

// collect adds the marks of members of an object.
func (f *frame) collect(o *armjson.Object, found marks, names ...string) {
	for _, name := range names {
		if v, ok := member(o, name); ok {
			f.value(v, found)
		}
	}
}

// value adds the marks that are left in a value once it has been evaluated as far as it can be.
func (f *frame) value(v armjson.Value, found marks) {
	switch v := v.(type) {
	case armjson.String:
		if e, err := armexpr.Parse(string(v)); err == nil {
			f.expr(e, found)
		}
	case armjson.Array:
		for _, x := range v {
			f.value(x, found)
		}
	case *armjson.Object:
		for k, x := range v.All() {
			f.value(armjson.String(k), found)
			f.value(x, found)
		}
	}
}

func (f *frame) expr(e armexpr.Expr, found marks) {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return
	}
	if _, err := f.known.Eval(e); err == nil {
		return
	}
	if name, ok := f.lookedUpName(c); ok {
		f.lookup(c, name, found)
		return
	}
	args := c.Args
	if strings.EqualFold(c.Name, "if") && len(args) == 3 {
		switch v, err := f.known.Eval(args[0]); {
		case err != nil:
		case v == armjson.Value(armjson.Bool(true)):
			args = args[1:2]
		default:
			args = args[2:]
		}
	}
	for _, x := range args {
		f.expr(x, found)
	}
	for _, x := range c.Access {
		f.expr(x, found)
	}
}

// lookedUpName returns the name that a call of variables() or parameters() looks up.
func (f *frame) lookedUpName(c *armexpr.Call) (string, bool) {
	if len(c.Args) != 1 || !strings.EqualFold(c.Name, "parameters") && !strings.EqualFold(c.Name, "variables") {
		return "", false
	}
	v, err := f.known.Eval(c.Args[0])
	name, ok := v.(armjson.String)
	return string(name), err == nil && ok
}

// lookup adds the marks of a variable or parameter, or of the part of it that is
// accessed. Each is worked out once.
func (f *frame) lookup(c *armexpr.Call, name string, found marks) {
	in, v, key := f, armjson.Value(nil), strings.ToLower(c.Name+"\x00"+name)
	if strings.EqualFold(c.Name, "parameters") {
		if a := f.args[strings.ToLower(name)]; a.mark != "" {
			found[a.mark] = true
		}
		in, v, _ = f.source(name)
	} else {
		v = variable(f.template, name)
	}
	rest := c.Access
	for ; len(rest) > 0; rest = rest[1:] {
		o, ok := v.(*armjson.Object)
		if !ok {
			break
		}
		k, err := f.known.Eval(rest[0])
		s, ok := k.(armjson.String)
		if err != nil || !ok {
			break
		}
		v, _ = member(o, string(s))
		key += "\x00" + strings.ToLower(string(s))
	}
	for _, x := range rest {
		f.expr(x, found)
	}
	if v == nil {
		return
	}
	of, ok := f.of[key]
	if !ok {
		of = marks{}
		f.of[key] = of // what needs itself adds nothing to itself
		in.value(v, of)
	}
	found.add(of)
}

// variable returns what a variable is made from: its value, or the input of the
// loop that makes it.
func variable(template *armjson.Object, name string) armjson.Value {
	variables := objectMember(template, "variables")
	if loops, ok := member(variables, "copy"); ok {
		list, _ := loops.(armjson.Array)
		for _, l := range list {
			if o, ok := l.(*armjson.Object); ok {
				if n, _ := stringMember(o, "name"); strings.EqualFold(n, name) {
					return armjson.Array{o}
				}
			}
		}
	}
	v, _ := member(variables, name)
	return v
}
