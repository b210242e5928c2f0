package lower

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// index lowers `x[i]`. Of a collection of resources or modules it picks one: the
// expressions of that one will need the index for the variables of its loop.
func (b *Builder) index(n *syntax.Index) ir.Expr {
	at := ir.From(n)
	switch n.X.(type) {
	case *syntax.VarRef, *syntax.NestedAccess:
		if r := b.Flow.Resources.At(n.X); r != nil && r.Symbol != nil && b.Model.IsCollection(r.Symbol) {
			return &ir.ResourceRef{At: at, Resource: r, Index: b.resourceIndex(r, n.Index, n)}
		}
		if m, ok := b.Model.Symbol(n.X).(*bind.Module); ok && syntax.IsLoop(m.Stmt.Value) {
			return &ir.ModuleRef{At: at, Module: m, Index: b.moduleIndex(m, n.Index, n)}
		}
	}
	if s, ok := n.Index.(*syntax.String); ok {
		if name, ok := s.Literal(); ok {
			if p := b.baseParam(n.X, name); p != nil {
				return b.assigned(p)
			}
		}
	}
	return element(at, b.Expr(n.X), b.Expr(n.Index), b.accessFlags(n))
}

// accessFlags reads off an access how it is done. The chain of a safe access goes
// on through `!` and any(), which leave nothing behind, but not through parentheses.
func (b *Builder) accessFlags(n syntax.Access) ir.AccessFlags {
	var flags ir.AccessFlags
	if n.IsSafe() {
		flags |= ir.SafeAccess
	}
	if i, ok := n.(*syntax.Index); ok && i.FromEnd {
		flags |= ir.FromEnd
	}
	if b.isAccess(n.Base()) {
		flags |= ir.Chained
	}
	return flags
}

func (b *Builder) isAccess(n syntax.Expr) bool {
	for {
		switch x := n.(type) {
		case *syntax.PropertyAccess, *syntax.Index:
			return true
		case *syntax.NonNull:
			n = x.X
			continue
		}
		name, args, ok := syntax.CallName(n)
		if !ok || name.Name != "any" || len(args) != 1 || !b.isSysFunction(n) {
			return false
		}
		n = args[0]
	}
}

func (b *Builder) isSysFunction(n syntax.Node) bool {
	f, ok := b.Model.Symbol(n).(*bind.Function)
	return ok && f.Namespace != nil && f.Namespace.Settings.ExtensionName == "sys"
}

// baseParam returns the parameter that `base.name` means, or nil.
func (b *Builder) baseParam(x syntax.Expr, name string) *bind.ParamAssign {
	if base, ok := b.Model.Symbol(x).(*bind.BaseParams); ok {
		for _, p := range base.Parents {
			if p.Name() == name {
				return p
			}
		}
	}
	return nil
}

// property lowers `x.name`.
func (b *Builder) property(n *syntax.PropertyAccess) ir.Expr {
	at, flags, name := ir.From(n), b.accessFlags(n), n.Name.Name
	if p := b.baseParam(n.X, name); p != nil {
		return b.assigned(p)
	}
	if r, index := b.accessedResource(n); r != nil {
		ref := b.nodes.resources.New(ir.ResourceRef{At: ir.From(n.X), Resource: r, Index: index})
		return b.nodes.accesses.New(ir.PropertyAccess{At: at, Base: ref, Name: name, Flags: flags})
	}
	if b.isModuleOutputs(n.X) {
		module := b.Model.TypeOf(n.X.(*syntax.PropertyAccess).X)
		return &ir.ModuleOutput{At: at, Base: b.Expr(n.X), Name: name, Secure: isSecureOutput(module, name), Flags: flags}
	}
	if ns, ok := b.Model.Symbol(n.X).(*bind.WildcardImport); ok {
		if !exportsVar(ns.From, name) { // 'm.?name', about which there is a warning
			return b.nodes.accesses.New(ir.PropertyAccess{At: at, Base: &ir.Null{At: ir.From(n.X)}, Name: name, Flags: flags})
		}
		return &ir.WildcardVarRef{At: at, Import: ns, Name: name}
	}
	return b.nodes.accesses.New(ir.PropertyAccess{At: at, Base: b.Expr(n.X), Name: name, Flags: flags})
}

// exportsVar reports whether a file exports a variable under a name.
func exportsVar(from bind.Exporter, name string) bool {
	return slices.ContainsFunc(from.Exports(), func(e *bind.Export) bool { return e.Kind == bind.ExportVar && e.Name == name })
}

// accessedResource returns the resource of which n reads a property: one of the file
// (perhaps an element of a loop), of a parameter, or of a module's output. It returns nil
// if n.X is not a resource.
func (b *Builder) accessedResource(n *syntax.PropertyAccess) (*resources.Resource, *ir.IndexContext) {
	r := b.Flow.Resources.At(n.X)
	if r != nil && r.Symbol != nil {
		return r, nil
	}
	if i, ok := n.X.(*syntax.Index); ok {
		if r := b.Flow.Resources.At(i.X); r != nil && r.Symbol != nil {
			return r, b.resourceIndex(r, i.Index, n)
		}
	}
	if r == nil {
		return nil, nil
	}
	if r.Param != nil {
		return r, nil
	}
	output, ok := n.X.(*syntax.PropertyAccess)
	if !ok || r.Module == nil {
		return nil, nil
	}
	if !syntax.IsLoop(r.Module.Stmt.Value) {
		return r, nil
	}
	if outputs, ok := output.X.(*syntax.PropertyAccess); ok {
		if i, ok := outputs.X.(*syntax.Index); ok {
			return r, b.moduleIndex(r.Module, i.Index, n)
		}
	}
	return nil, nil
}

// isModuleOutputs reports whether x is the outputs of a module.
func (b *Builder) isModuleOutputs(x syntax.Expr) bool {
	outputs, ok := x.(*syntax.PropertyAccess)
	return ok && outputs.Name.Name == "outputs" && !b.replaces(outputs.X) && types.All(b.Model.TypeOf(outputs.X), isModule)
}

// isSecureOutput reports whether the output of a module contains secrets, whichever
// member of the module's type it is.
func isSecureOutput(module types.Type, name string) bool {
	return types.All(module, func(t types.Type) bool {
		m, ok := t.(*types.Module)
		if !ok {
			return false
		}
		out := m.OutputType(name)
		return out != nil && types.HasSecrets(out)
	})
}

func isModule(t types.Type) bool {
	_, ok := t.(*types.Module)
	return ok
}

// call lowers a call of either kind.
func (b *Builder) call(n syntax.Expr) ir.Expr {
	at := ir.From(n)
	name, args, _ := syntax.CallName(n)
	if v := b.functionVars[n]; v != nil && !b.replaces(n) {
		return &ir.VarRef{At: at, Name: v.Name}
	}
	instance, _ := n.(*syntax.InstanceCall)
	if !b.replaces(n) {
		switch s := b.Model.Symbol(n).(type) {
		case *bind.Func:
			return &ir.UserCall{At: at, Namespace: armexpr.UserNamespace, Name: s.Name(), Symbol: s, Args: b.exprs(args)}
		case *bind.ImportedFunc:
			return &ir.ImportedUserCall{At: at, Symbol: s, Args: b.exprs(args)}
		}
	}
	if instance != nil {
		switch ns := b.Model.Symbol(instance.X).(type) {
		case *bind.WildcardImport:
			return &ir.WildcardUserCall{At: at, Import: ns, Name: name.Name, Args: b.exprs(args)}
		case *bind.LocalThis:
			return b.thisCall(instance, ns)
		}
	}
	var overload *types.FunctionOverload
	if !b.replaces(n) {
		if v := b.resultOf(n); v != nil {
			return v
		}
		overload = b.Model.Overload(n)
	}
	if instance != nil {
		if e := b.method(instance); e != nil {
			return e
		}
	}
	call := b.nodes.calls.New(ir.Call{At: at, Name: name.Name, Args: b.exprs(args)})
	if overload != nil {
		return evaluate(call, overload)
	}
	return call
}

// thisCall lowers a question about the resource that the call is in.
func (b *Builder) thisCall(n *syntax.InstanceCall, this *bind.LocalThis) ir.Expr {
	at := ir.From(n)
	full := []ir.Expr{&ir.String{At: at, Value: "full"}}
	if n.Name.Name == "exists" {
		target := &ir.Call{At: at, Name: "target", Args: full}
		empty := &ir.Call{At: at, Name: "empty", Args: []ir.Expr{target}}
		return &ir.Call{At: at, Name: "not", Args: []ir.Expr{empty}}
	}
	if t, ok := b.Model.DeclaredType(this.Resource).(*types.Resource); ok && !t.IsAz() {
		full = nil // only Azure's resources have a long form
	}
	return &ir.Call{At: at, Name: "target", Args: full}
}

// evaluate rewrites a call of a function that the template language lacks.
func evaluate(c *ir.Call, o *types.FunctionOverload) ir.Expr {
	switch o.Evaluator {
	case types.EvaluateFirstArgument:
		return c.Args[0]
	case types.EvaluateExternalInput:
		args := c.Args
		if o.EvaluatorArg != "" {
			args = append([]ir.Expr{&ir.String{Value: o.EvaluatorArg}}, args...)
		}
		return &ir.Call{At: c.At, Name: "externalInput", Args: args}
	case types.EvaluateExtension:
		c.Expansion = o.Expansion
	case types.EvaluateGetSecret:
		id := &ir.Call{At: c.At, Name: "resourceId", Args: []ir.Expr{
			c.Args[0], c.Args[1], &ir.String{Value: "Microsoft.KeyVault"}, &ir.String{Value: "vaults"}, c.Args[2],
		}}
		ref := &ir.KeyVaultReference{At: c.At, VaultID: id, Secret: c.Args[3]}
		if len(c.Args) > 4 {
			ref.Version = c.Args[4]
		}
		return ref
	}
	return c
}

// method lowers a call of a resource's function. It returns nil for functions of namespaces.
func (b *Builder) method(n *syntax.InstanceCall) ir.Expr {
	base, _ := unindex(unwrapBase(n.X))
	switch b.Model.Symbol(base).(type) {
	case *bind.ExtensionNamespace, *bind.BuiltInNamespace, *bind.LocalThis, *bind.WildcardImport:
		return nil
	}
	at := ir.From(n)
	r, index, context := b.methodResource(n.X, n)
	if r == nil {
		return nil
	}
	if r.Symbol != nil && !r.IsAz() {
		from := ir.From(base)
		var target ir.Expr = &ir.String{At: from, Value: r.Symbol.Name()}
		if index != nil {
			target = &ir.Call{At: from, Name: "format", Args: []ir.Expr{
				&ir.String{At: from, Value: r.Symbol.Name() + "[{0}]"}, b.Expr(index),
			}}
		}
		return &ir.Call{At: at, Name: "invokeResourceMethod", Args: []ir.Expr{
			target,
			&ir.String{At: ir.From(n.Name), Value: n.Name.Name},
			&ir.Array{At: at, Items: b.exprs(n.Args)},
		}}
	}
	return &ir.ResourceCall{
		At:       at,
		Resource: &ir.ResourceRef{At: ir.From(n.X), Resource: r, Index: context},
		Name:     n.Name.Name,
		Args:     b.exprs(n.Args),
	}
}

// methodResource finds the resource whose function is called, looking through variables.
func (b *Builder) methodResource(x syntax.Expr, at syntax.Node) (*resources.Resource, syntax.Expr, *ir.IndexContext) {
	base, index := unindex(unwrapBase(x))
	if r := b.Flow.Resources.At(base); r != nil {
		switch {
		case r.Symbol != nil && r.IsAz():
			return r, index, b.indexContext([]Moved{{X: r.NameExpr()}}, index, at)
		case r.Module != nil:
			return r, index, b.moduleIndex(r.Module, index, at)
		}
		return r, index, nil
	}
	if v, ok := b.Model.Symbol(base).(*bind.Var); ok && index == nil && !b.Model.Binding().IsCyclic(v) {
		return b.methodResource(v.Stmt.Value, at)
	}
	return nil, nil, nil
}

func unindex(x syntax.Expr) (base, index syntax.Expr) {
	if i, ok := x.(*syntax.Index); ok {
		return i.X, i.Index
	}
	return x, nil
}

// unwrapBase takes parentheses and `!` off.
func unwrapBase(x syntax.Expr) syntax.Expr {
	for {
		switch y := x.(type) {
		case *syntax.NonNull:
			x = y.X
		case *syntax.Paren:
			x = y.X
		default:
			return x
		}
	}
}
