package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// armKind tells the declarations of an ARM template apart that can be imported.
type armKind uint8

const (
	armType armKind = iota
	armVar
	armFunc
)

// armID names a declaration of an ARM template: a type by its JSON pointer, a
// function with its namespace. Names do not depend on case.
type armID struct {
	kind armKind
	name string
}

func (id armID) key() armID { return armID{id.kind, strings.ToLower(id.name)} }

const definitionsPrefix = "#/definitions/"

// armExport returns the declaration that an export of an ARM template stands for.
func armExport(e *bind.Export) armID {
	switch e.Kind {
	case bind.ExportType:
		return armID{armType, definitionsPrefix + e.Name}
	case bind.ExportFunc:
		if strings.Contains(e.Name, ".") {
			return armID{armFunc, e.Name}
		}
		return armID{armFunc, armexpr.UserNamespace + "." + e.Name}
	}
	return armID{armVar, e.Name}
}

// armRef makes the closure's entry for a declaration. A declaration that Bicep compiled has its own
// name there. Any other keeps its name in the template.
func (c *closure) armRef(f *graph.File, template string, id armID) *closureRef {
	name := id.name
	var rest string
	var ok bool
	switch id.kind {
	case armType:
		rest, ok = strings.CutPrefix(name, definitionsPrefix)
	case armFunc:
		rest, ok = strings.CutPrefix(name, armexpr.UserNamespace+".")
	}
	if ok && syntax.IsIdentifier(rest) {
		name = rest
	}
	return &closureRef{kind: armSymbol, template: template, original: name, file: f, armID: id}
}

func (c *closure) template(f *graph.File) *armTemplate {
	t := c.arm[f]
	if t == nil {
		t = &armTemplate{root: f.Template, variables: eval.NewTemplateScope(f.Template, c.Model.Program().Budget),
			names: map[armID]string{}}
		c.arm[f] = t
	}
	return t
}

// armTemplate is an ARM template from which declarations are taken over.
type armTemplate struct {
	root      *armjson.Object
	variables *eval.TemplateScope
	names     map[armID]string // under which declarations are known in the importing template
	from      syntax.Node
	loop      string // the name of the variable's loop that is converted
}

// get returns a member of an object; their names do not depend on case.
func get(v armjson.Value, name string) armjson.Value {
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil
	}
	x, _ := eval.Find(o, name)
	return x
}

func asString(v armjson.Value) (string, bool) {
	s, ok := v.(armjson.String)
	return string(s), ok
}

// schema returns the type at a JSON pointer into the template, or nil.
func (t *armTemplate) schema(pointer string) armjson.Value {
	var v armjson.Value = t.root
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "#/"), "/") {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		if list, ok := v.(armjson.Array); ok {
			n, ok := armjson.Number(part).Int64()
			if !ok || n < 0 || n >= int64(len(list)) {
				return nil
			}
			v = list[n]
			continue
		}
		v = get(v, part)
	}
	return v
}

// function returns the function of that full name, or nil.
func (t *armTemplate) function(name string) armjson.Value {
	ns, name, _ := strings.Cut(name, ".")
	list, _ := get(t.root, "functions").(armjson.Array)
	for _, entry := range list {
		if s, ok := asString(get(entry, "namespace")); ok && strings.EqualFold(s, ns) {
			if f := get(get(entry, "members"), name); f != nil {
				return f
			}
		}
	}
	return nil
}

// uses returns what a declaration refers to.
func (t *armTemplate) uses(id armID) []armID {
	u := armUses{variables: t.variables}
	switch id.kind {
	case armType:
		u.schema(t.schema(id.name))
	case armVar:
		value, count, input := t.variables.Declaration(id.name)
		u.value(value)
		u.value(count)
		u.value(input)
	case armFunc:
		f := t.function(id.name)
		params, _ := get(f, "parameters").(armjson.Array)
		for _, p := range params {
			u.schema(p)
		}
		out := get(f, "output")
		u.value(get(out, "value"))
		u.schema(out)
	}
	return u.list
}

// armUses collects references, each once.
type armUses struct {
	list      []armID
	variables *eval.TemplateScope
}

func (u *armUses) add(id armID) {
	if !slices.Contains(u.list, id) {
		u.list = append(u.list, id)
	}
}

// value looks for expressions in a value.
func (u *armUses) value(v armjson.Value) {
	switch v := v.(type) {
	case armjson.String:
		if e, ok := parse(string(v)); ok {
			u.expr(e)
		}
	case armjson.Array:
		for _, x := range v {
			u.value(x)
		}
	case *armjson.Object:
		for key, x := range v.All() {
			u.value(armjson.String(key))
			u.value(x)
		}
	}
}

func parse(s string) (armexpr.Expr, bool) {
	if !armexpr.IsExpression(s) {
		return nil, false
	}
	e, err := armexpr.Parse(s)
	return e, err == nil
}

// constantText evaluates an expression to a string, if it is one before the deployment.
func constantText(t *eval.TemplateScope, e armexpr.Expr) (string, bool) {
	if s, ok := e.(armexpr.Str); ok {
		return string(s), true
	}
	v, err := t.Eval(e)
	if err != nil {
		return "", false
	}
	return asString(v)
}

func (u *armUses) expr(e armexpr.Expr) {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return
	}
	if strings.EqualFold(c.Name, "variables") && len(c.Args) == 1 {
		if name, ok := constantText(u.variables, c.Args[0]); ok {
			u.add(armID{armVar, name})
		}
	}
	if strings.Contains(c.Name, ".") {
		u.add(armID{armFunc, c.Name})
	}
	for _, a := range c.Args {
		u.expr(a)
	}
	for _, a := range c.Access {
		u.expr(a)
	}
}

// schema looks for references in a type.
func (u *armUses) schema(n armjson.Value) {
	if ref, ok := asString(get(n, "$ref")); ok {
		u.add(armID{armType, ref})
	}
	u.schemaIfObject(get(n, "additionalProperties"))
	u.schemas(get(n, "properties"))
	u.schemaIfObject(get(n, "items"))
	if items, ok := get(n, "prefixItems").(armjson.Array); ok {
		for _, i := range items {
			u.schema(i)
		}
	}
	u.schemas(get(get(n, "discriminator"), "mapping"))
}

func (u *armUses) schemaIfObject(n armjson.Value) {
	if o, ok := n.(*armjson.Object); ok {
		u.schema(o)
	}
}

func (u *armUses) schemas(n armjson.Value) {
	if o, ok := n.(*armjson.Object); ok {
		for _, x := range o.All() {
			u.schema(x)
		}
	}
}

// declare converts a declaration and adds it to what the imports bring.
func (t *armTemplate) declare(out *Imports, r *closureRef) {
	t.from = r.from
	switch r.armID.kind {
	case armType:
		n := t.schema(r.armID.name)
		out.Types = append(out.Types, &ir.TypeDecl{At: t.at(), Modifiers: t.modifiers(n), Name: r.name, Value: t.typ(n)})
	case armVar:
		out.Vars = append(out.Vars, &ir.Var{At: t.at(), Name: r.name, Value: t.variableValue(r.armID.name)})
	case armFunc:
		f := t.function(r.armID.name)
		l := &ir.Lambda{At: t.at()}
		params, _ := get(f, "parameters").(armjson.Array)
		for _, p := range params {
			name, _ := asString(get(p, "name"))
			l.Params = append(l.Params, name)
			l.Types = append(l.Types, t.typ(p))
		}
		output := get(f, "output")
		l.Body, l.Output = t.value(get(output, "value")), t.typ(output)
		ns, name := splitName(r.name)
		fn := &ir.Func{At: t.at(), Namespace: ns, Name: name, Lambda: l}
		if s, ok := asString(get(get(f, "metadata"), "description")); ok {
			fn.Description = &ir.String{At: t.at(), Value: s}
		}
		out.Funcs = append(out.Funcs, fn)
	}
}

func (t *armTemplate) at() ir.At { return ir.From(t.from) }

func (t *armTemplate) variableValue(name string) ir.Expr {
	value, count, input := t.variables.Declaration(name)
	if value != nil || count == nil {
		return t.value(value)
	}
	t.loop = name
	defer func() { t.loop = "" }()
	items := &ir.Call{At: t.at(), Name: "range", Args: []ir.Expr{&ir.Int{At: t.at()}, t.value(count)}}
	return &ir.ForLoop{At: t.at(), X: items, Body: t.value(input)}
}

// value converts a value of the template, in which strings may be expressions.
func (t *armTemplate) value(v armjson.Value) ir.Expr {
	switch v := v.(type) {
	case armjson.String:
		return t.string(string(v))
	case armjson.Array:
		a := &ir.Array{At: t.at(), Items: make([]ir.Expr, len(v))}
		for i, x := range v {
			a.Items[i] = t.value(x)
		}
		return a
	case *armjson.Object:
		o := &ir.Object{At: t.at()}
		for key, x := range v.All() {
			o.Props = append(o.Props, &ir.Property{At: t.at(), Key: t.string(key), Value: t.value(x)})
		}
		return o
	}
	return Value(v, t.from)
}

// string converts a string: an expression, or text, perhaps with the bracket that
// protects it.
func (t *armTemplate) string(s string) ir.Expr {
	if e, ok := parse(s); ok {
		return t.expr(e)
	}
	if len(s) > 1 && s[0] == '[' && s[1] == '[' && s[len(s)-1] == ']' {
		s = s[1:]
	}
	return &ir.String{At: t.at(), Value: s}
}

// expr converts an expression of the template language.
func (t *armTemplate) expr(e armexpr.Expr) ir.Expr {
	switch e := e.(type) {
	case armexpr.Str:
		return &ir.String{At: t.at(), Value: string(e)}
	case armexpr.Int:
		return &ir.Int{At: t.at(), Value: int64(e)}
	case *armexpr.Call:
		out := t.call(e)
		for _, a := range e.Access {
			key := t.expr(a)
			if s, ok := key.(*ir.String); ok {
				out = &ir.PropertyAccess{At: t.at(), Base: out, Name: s.Value}
				continue
			}
			out = &ir.Index{At: t.at(), Base: out, Access: key}
		}
		return out
	}
	panic(fmt.Sprintf("lower: no expression known for %T", e))
}

func (t *armTemplate) call(c *armexpr.Call) ir.Expr {
	args := make([]ir.Expr, len(c.Args))
	for i, a := range c.Args {
		args[i] = t.expr(a)
	}
	if name, ok := t.names[armID{armFunc, c.Name}.key()]; ok {
		ns, name := splitName(name)
		return &ir.UserCall{At: t.at(), Namespace: ns, Name: name, Args: args}
	}
	switch {
	case strings.EqualFold(c.Name, "variables") && len(args) == 1:
		// A name that is an expression stays one.
		if name, ok := c.Args[0].(armexpr.Str); ok {
			if name, ok := t.names[armID{armVar, string(name)}.key()]; ok {
				return &ir.VarRef{At: t.at(), Name: name}
			}
		}
	case strings.EqualFold(c.Name, "copyIndex") && t.loop != "" && len(args) > 0:
		if name, ok := constantText(t.variables, c.Args[0]); !ok || !strings.EqualFold(name, t.loop) {
			break
		}
		var index ir.Expr = &ir.CopyIndex{At: t.at(), Name: t.names[armID{armVar, t.loop}.key()]}
		if len(args) > 1 {
			index = &ir.Binary{At: t.at(), Op: syntax.OpAdd, X: index, Y: args[1]}
		}
		return index
	}
	return &ir.Call{At: t.at(), Name: c.Name, Args: args}
}
