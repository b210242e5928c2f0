package check

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/narrow"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func (m *Model) assignCall(n *syntax.Call) types.Type {
	var p problems
	for _, a := range n.Args {
		p.addArgument(m.TypeOf(a))
	}
	switch s := m.bound(n).(type) {
	case *bind.ErrorSymbol:
		if s.Diagnostic != nil {
			p.report(*s.Diagnostic)
		}
		return p.typ()
	case *bind.Function:
		return m.callType(s.Func.Overloads, n, &p)
	case *bind.Func, *bind.ImportedFunc:
		return m.callType([]*types.FunctionOverload{m.userFunction(s)}, n, &p)
	case nil:
	default:
		_, decorator := m.Parent(n).(*syntax.Decorator)
		for _, ns := range m.binding.NamespaceTypes() {
			f := ns.Methods.Find(s.Name())
			if f == nil && decorator {
				f = ns.Decorator.Find(s.Name())
			}
			if f != nil {
				p.report(diag.BCP265.At(n.Name.Span(), n.Name.Name, ns.Name, f.Name))
				return p.typ()
			}
		}
	}
	p.report(m.binding.AfterImport(diag.BCP059.At(n.Name.Span(), n.Name.Name), n.Name.Name))
	return p.typ()
}

func (m *Model) assignInstanceCall(n *syntax.InstanceCall) types.Type {
	base := m.TypeOf(n.X)
	if failed := failureOf(base); failed != nil {
		return failed
	}
	base = unwrapBody(base)
	if inner, asserted := withoutAssertions(n.X); !asserted && m.mayBeDisabled(m.bound(inner)) {
		m.report(diag.BCP422.At(n.Name.Span(), types.Nullable(base)))
	}
	obj, ok := types.AsObject(base)
	if !ok {
		return errorType(diag.BCP067.At(n.Name.Span(), base))
	}
	var p problems
	for _, a := range n.Args {
		p.addArgument(m.TypeOf(a))
	}
	if !n.Name.Valid() {
		return silentError
	}
	ns := types.NamespaceOf(obj)
	var f *types.Function
	var failed *diag.Diagnostic
	if d, isDecorator := m.Parent(n).(*syntax.Decorator); isDecorator {
		if ns == nil {
			p.report(diag.BCP059.At(n.Name.Span(), n.Name.Name))
			return p.typ()
		}
		f, failed = bind.ResolveNamespaceFunction(ns, n.Name, decoratorFlags(m.Parent(d)), true)
	} else if ns != nil && m.Has(release.QualifiedPlaces) {
		f, failed = bind.ResolveNamespaceFunction(ns, n.Name, m.binding.InstanceFlags(n), false)
	} else if ns != nil {
		f, failed = bind.ResolveNamespaceFunction(ns, n.Name, 0, false)
		if f != nil {
			failed = nil // it may stand anywhere
		}
	} else {
		f = obj.Methods.Find(n.Name.Name)
		if f == nil {
			d := diag.BCP109.At(n.Name.Span(), base, n.Name.Name)
			if s := types.Guess(n.Name.Name, bind.SortedNames(obj.Methods.Names())); s.Name != "" {
				d = diag.BCP110.At(n.Name.Span(), base, n.Name.Name, s)
			}
			failed = &d
		}
	}
	if failed != nil {
		p.report(*failed)
		return p.typ()
	}
	return m.callType(f.Overloads, n, &p)
}

// decoratorFlags returns which decorators a declaration can have.
func decoratorFlags(n syntax.Node) types.FunctionFlags {
	switch n.(type) {
	case *syntax.Metadata:
		return types.MetadataDecorator
	case *syntax.Resource:
		return types.ResourceDecorator
	case *syntax.Module:
		return types.ModuleDecorator
	case *syntax.Param:
		return types.ParameterDecorator
	case *syntax.TypeDecl:
		return types.TypeDecorator
	case *syntax.Var:
		return types.VariableDecorator
	case *syntax.Output:
		return types.OutputDecorator
	}
	return types.AnyDecorator
}

// instanceSymbol returns the symbol of a function that is called on a value, if the declared type
// of the value has it.
func (m *Model) instanceSymbol(n *syntax.InstanceCall) bind.Symbol {
	t := m.DeclaredType(n.X)
	if t == nil {
		return nil
	}
	obj, ok := types.AsObject(unwrapBody(t))
	if !ok {
		return nil
	}
	ns := types.NamespaceOf(obj)
	if ns != nil {
		if w, ok := m.bound(n.X).(*bind.WildcardImport); ok {
			if e := w.From.FindExport(n.Name.Name); e != nil && e.Kind == bind.ExportFunc {
				return bind.NewWildcardFunc(w, e)
			}
		}
		if _, ok := m.Parent(n).(*syntax.Decorator); ok {
			if f := ns.Decorator.Find(n.Name.Name); f != nil {
				return bind.NewFunction(f, ns)
			}
			return nil
		}
	}
	if f := obj.Methods.Find(n.Name.Name); f != nil {
		return bind.NewFunction(f, ns)
	}
	return nil
}

// userFunction returns the single overload of a function that a file declares or imports.
func (m *Model) userFunction(s bind.Symbol) *types.FunctionOverload {
	if o := m.functions[s]; o != nil {
		return o
	}
	if m.functions == nil {
		m.functions = map[bind.Symbol]*types.FunctionOverload{}
	}
	var o *types.FunctionOverload
	switch s := s.(type) {
	case *bind.Func:
		if s.Binding() != m.binding {
			if other := m.program.modelOf(s.Binding()); other != nil {
				return other.userFunction(s)
			}
		}
		o = &types.FunctionOverload{Name: s.Name(), Return: silentError}
		m.functions[s] = o // its own body may call it, which is reported as a cycle
		if lambda, ok := s.Stmt.Lambda.(*syntax.TypedLambda); ok {
			if l, ok := m.DeclaredType(lambda).(*types.Lambda); ok {
				for i, p := range lambda.Params {
					o.Params = append(o.Params, types.Param{Name: p.Name.Name, Type: l.Param(i).Type(), Flags: types.ParamRequired})
				}
				o.Return = l.Return.Type()
			}
		}
	case *bind.ImportedFunc:
		o = m.exportedFunction(s.Exported())
	case *bind.WildcardFunc:
		o = m.exportedFunction(s.Export)
	default:
		o = &types.FunctionOverload{Name: s.Name(), Return: silentError}
	}
	m.functions[s] = o
	return o
}

// exportedFunction is an imported function as this file sees it: the resource
// types that its types are derived from are looked up here.
func (m *Model) exportedFunction(e *bind.Export) *types.FunctionOverload {
	o := &types.FunctionOverload{Name: e.Name, Return: m.ResolveDerived(e.Return.Type())}
	for _, p := range e.Params {
		o.Params = append(o.Params, types.Param{Name: p.Name, Type: m.ResolveDerived(p.Type.Type()), Flags: types.ParamRequired})
	}
	return o
}

// callType returns the type of a call. p holds the errors of the arguments.
func (m *Model) callType(overloads []*types.FunctionOverload, call syntax.Expr, p *problems) types.Type {
	_, args, _ := syntax.CallName(call)
	start := len(m.parts)
	m.parts = m.addArgTypes(m.parts, args)
	t := m.callTypeFor(overloads, call, m.parts[start:], p)
	m.parts = m.parts[:start]
	return t
}

// addArgTypes appends the types of arguments, which are known, to a list. An argument with
// an error counts as any, so that the call is still checked.
func (m *Model) addArgTypes(list []types.Type, args []syntax.Expr) []types.Type {
	for _, a := range args {
		t := m.TypeOf(a)
		if types.IsError(t) {
			t = anyType
		}
		list = append(list, t)
	}
	return list
}

func (m *Model) callTypeFor(overloads []*types.FunctionOverload, call syntax.Expr, argTypes []types.Type, p *problems) types.Type {
	_, args, _ := syntax.CallName(call)
	matches, counts, mismatches := types.MatchOverloads(overloads, argTypes)
	if len(matches) == 0 {
		// An argument that fits unless it is null is accepted.
		for _, mm := range mismatches {
			if inner, ok := types.AssignableIfNonNull(mm.Argument, mm.Param); ok {
				again := append([]types.Type(nil), argTypes...)
				again[mm.Index] = inner
				return m.callTypeFor(overloads, call, again, p)
			}
		}
		reportMismatch(call, args, counts, mismatches, p)
	}
	if p.failed {
		return p.typ()
	}
	if len(matches) != 1 {
		// With arguments of type any, several overloads may fit.
		return anyType
	}
	o := matches[0]
	*m.calls.GetOrAdd(call.ID()) = o
	for i, a := range args {
		if o.ParamFlags(i)&types.ParamConstant != 0 {
			narrow.Constant(a, m.sink)
		}
		if target := m.argumentTarget(o, i, call, args); !narrow.SurelyFits(m.TypeOf(a), target) {
			m.narrow(m.sink, argument{a}, target)
		}
	}
	t := o.Return
	if o.Result != nil {
		r := o.Result(&callContext{model: m, call: call, report: m.sink}, argTypes)
		if r.Value != nil || r.Secret != nil {
			if m.results == nil {
				m.results = map[syntax.ID]types.FunctionResult{}
			}
			m.results[call.ID()] = r
		}
		t = r.Type
	}
	if t == nil {
		return anyType
	}
	return t
}

// argumentTarget is the type that an argument of a call is checked against.
func (m *Model) argumentTarget(o *types.FunctionOverload, i int, call syntax.Expr, args []syntax.Expr) types.Type {
	if i >= len(o.Params) || o.Params[i].Expected == nil {
		return o.ParamType(i, nil, nil)
	}
	return o.ParamType(i, func(i int) types.Type { return m.TypeOf(args[i]) }, func() types.Type { return m.attachedType(call) })
}

// argument hides the kind of an argument's node from package narrow, which then checks
// only its type: a value that does not fit is reported at the whole argument.
type argument struct{ syntax.Node }

// attachedType returns the type of the declaration that a decorator belongs to. call is the call of
// the decorator.
func (m *Model) attachedType(call syntax.Node) types.Type {
	if d, ok := m.Parent(call).(*syntax.Decorator); ok {
		if t := m.DeclaredType(m.Parent(d)); t != nil {
			return t
		}
	}
	return silentError
}

// calledName returns the name of the function or decorator that is called.
func calledName(call syntax.Expr) string {
	switch c := call.(type) {
	case *syntax.Call:
		return c.Name.Name
	case *syntax.InstanceCall:
		return c.Name.Name
	}
	return ""
}

// reportMismatch reports why no overload of a function accepts the arguments.
func reportMismatch(call syntax.Expr, args []syntax.Expr, counts []types.CountMismatch, mismatches []types.TypeMismatch, p *problems) {
	if len(mismatches) > 0 {
		same := len(mismatches) > 1
		last := mismatches[0]
		for _, mm := range mismatches[1:] {
			same = same && mm.Index == mismatches[0].Index
			if mm.Index >= last.Index {
				last = mm
			}
		}
		if same {
			list := make([]string, len(mismatches))
			for i, mm := range mismatches {
				list[i] = mm.Param.String()
			}
			p.report(diag.BCP048.At(args[last.Index].Span(), calledName(call), last.Argument, strings.Join(list, ", ")))
			return
		}
		d := diag.BCP070.At(args[last.Index].Span(), last.Argument, last.Param)
		if l, ok := last.Argument.(*types.Lambda); types.IsError(last.Param) || ok && types.IsError(l.Return.Type()) {
			d = d.Follows()
		}
		p.report(d)
		return
	}
	if len(counts) == 0 {
		return
	}
	c := counts[0]
	for _, o := range counts[1:] {
		c = c.Merge(o)
	}
	p.report(diag.BCP071.At(parens(call), c.Expected(), c.Count))
}

func parens(call syntax.Expr) source.Span {
	switch c := call.(type) {
	case *syntax.Call:
		return source.Between(c.Open, c.Close)
	case *syntax.InstanceCall:
		return source.Between(c.Open, c.Close)
	}
	return call.Span()
}

// declaredArgument returns the type that an argument is declared to have, by all overloads of the
// function together.
func (m *Model) declaredArgument(call syntax.Node, i int) types.Type {
	var overloads []*types.FunctionOverload
	switch s := m.Symbol(call).(type) {
	case *bind.Function:
		overloads = s.Func.Overloads
	case *bind.Func, *bind.ImportedFunc, *bind.WildcardFunc:
		overloads = []*types.FunctionOverload{m.userFunction(s)}
	default:
		return nil
	}
	_, args, _ := syntax.CallName(call)
	arg := func(i int) types.Type { return m.TypeOf(args[i]) }
	attached := func() types.Type { return m.attachedType(call) }
	wild := true
	for _, o := range overloads {
		wild = wild && o.Wildcard != ""
	}
	var list []types.Ref
	for _, o := range overloads {
		if o.Wildcard != "" && !wild {
			continue // it says less than the others
		}
		if hi, bounded := o.MaxArgs(); bounded && i >= hi {
			continue
		}
		list = append(list, o.ParamType(i, arg, attached))
	}
	return types.NewUnion(list...)
}

// Functions of namespaces ask the model for more than types.Model.
var _ namespaces.Model = (*Model)(nil)

// callContext implements types.CallContext and types.DecoratorContext.
type callContext struct {
	model     *Model
	call      syntax.Expr
	report    diag.Sink
	decorator *syntax.Decorator
	decorated syntax.Node
}

func (c *callContext) Call() syntax.Expr { return c.call }

func (c *callContext) Args() []syntax.Expr {
	_, args, _ := syntax.CallName(c.call)
	return args
}

func (c *callContext) Report(d diag.Diagnostic)              { c.report(d) }
func (c *callContext) TypeOf(n syntax.Node) types.Type       { return c.model.TypeOf(n) }
func (c *callContext) DeclaredType(n syntax.Node) types.Type { return c.model.DeclaredType(n) }
func (c *callContext) Narrow(x syntax.Expr, t types.Type) types.Type {
	return c.model.narrow(c.report, x, t)
}
func (c *callContext) Symbol(n syntax.Node) types.Symbol {
	if s := c.model.Symbol(n); s != nil {
		return s
	}
	return nil
}
func (c *callContext) Parent(n syntax.Node) syntax.Node  { return c.model.Parent(n) }
func (c *callContext) Model() types.Model                { return c.model }
func (c *callContext) Decorator() *syntax.Decorator      { return c.decorator }
func (c *callContext) Decorated() syntax.Node            { return c.decorated }
func (c *callContext) HasParseErrors(n syntax.Node) bool { return c.model.HasParseErrors(n) }

// IsPure reports whether a call depends on nothing but its arguments. The call is a
// *syntax.Call or *syntax.InstanceCall of s.
func (m *Model) IsPure(call syntax.Node, s *bind.Function) bool {
	o := m.Overload(call)
	if o == nil {
		var flags types.FunctionFlags
		for _, o := range s.Func.Overloads {
			flags |= o.Flags
		}
		return flags.Has(types.Pure)
	}
	return o.Flags.Has(types.Pure) || o.Pure != nil &&
		o.Pure(&callContext{model: m, call: call.(syntax.Expr), report: func(diag.Diagnostic) {}})
}
