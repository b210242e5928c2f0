package bind

import (
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// resolver finds what each use of a name means. A name is looked for in the
// scopes around it, from the inside out, then among the namespaces, and then
// among what the namespaces offer: functions where it is called, types
// elsewhere.
type resolver struct {
	b       *Binding
	scopes  []*Scope            // those in force, the innermost last
	allowed types.FunctionFlags // which functions may be called here
	needs   needs
	walk    func(syntax.Node) // visit, made a function once
}

// visit binds the names in n and below. Where functions are restricted by the
// place at which they are called, it keeps track of that.
func (r *resolver) visit(n syntax.Node) {
	if s := r.b.scope(n); s != nil {
		r.scopes = append(r.scopes, s)
		r.enter(n)
		r.scopes = r.scopes[:len(r.scopes)-1]
		return
	}
	r.enter(n)
}

// enter looks into a node whose scope, if it has one, is in force.
func (r *resolver) enter(n syntax.Node) {
	switch n.(type) {
	case *syntax.Var, *syntax.Resource, *syntax.Module, *syntax.Test, *syntax.Output, *syntax.Param,
		*syntax.ParamAssign, *syntax.Func, *syntax.TypeDecl, *syntax.ImportItem:
		if d, ok := r.b.Symbol(n).(Declared); ok && r.needs.enter(d) {
			r.inside(n)
			r.needs.leave()
			return
		}
	}
	r.inside(n)
}

func (r *resolver) inside(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Resource:
		r.declaration(types.ResourceDecorator, n.Decorators, n.Type)
		r.under(types.RequiresInlining, n.Value)
	case *syntax.Module:
		r.declaration(types.ModuleDecorator, n.Decorators, n.Path)
		r.under(types.RequiresInlining, n.Value)
	case *syntax.Test:
		r.decorators(n.Decorators)
		r.one(n.Path)
		r.under(types.RequiresInlining, n.Value)
	case *syntax.If:
		r.under(0, n.Cond)
		r.under(types.RequiresInlining, n.Body)
	case *syntax.Metadata:
		r.declaration(types.MetadataDecorator, n.Decorators, n.Value)
		r.allowed = 0
	case *syntax.Var:
		r.declaration(types.VariableDecorator, n.Decorators)
		r.under(types.TypeDecorator, n.Type)
		r.under(types.RequiresInlining, n.Value)
	case *syntax.Func:
		r.declaration(types.FunctionDecorator, n.Decorators)
		r.under(types.RequiresInlining, n.Lambda)
	case *syntax.Output:
		r.declaration(types.OutputDecorator, n.Decorators)
		r.under(types.TypeDecorator, n.Type)
		r.under(types.RequiresInlining, n.Value)
	case *syntax.Extension:
		r.declaration(types.ExtensionDecorator, n.Decorators, n.Spec)
		if n.With != nil {
			r.visit(n.With)
		}
		if n.As != nil {
			r.visit(n.As)
		}
		r.allowed = 0
	case *syntax.Param:
		r.declaration(types.ParameterDecorator, n.Decorators)
		r.under(types.TypeDecorator, n.Type)
		if n.Default != nil {
			r.under(types.ParamDefaultsOnly, n.Default)
		}
		r.allowed = 0
	case *syntax.TypeDecl:
		r.declaration(types.TypeDecorator, n.Decorators, n.Value)
		r.allowed = 0
	case *syntax.Missing:
		r.declaration(types.AnyDecorator, n.Decorators)
		r.allowed = 0

	case *syntax.Call:
		r.bind(n, r.lookup(n.Name, true))
		arguments(r, n.Args)
	case *syntax.TypeCall:
		r.bind(n, r.lookup(n.Name, false))
		arguments(r, n.Args)
	case *syntax.InstanceCall:
		// What it calls is found with the type of what is before the dot.
		r.b.flags[n] = r.allowed
		r.b.File.Tree.Children(n, r.walk)
	case *syntax.VarRef:
		r.bind(n, r.lookup(n.Name, false))
	case *syntax.TypeName:
		r.bind(n, r.lookup(n.Name, false))
	case *syntax.NestedAccess:
		r.visit(n.X)
		r.bind(n, r.nested(n))

	case *syntax.ArrayType, *syntax.TypeProperty, *syntax.TypeRest, *syntax.TupleItem:
		r.recursive(true, n)
	case *syntax.Index, *syntax.PropertyAccess, *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems:
		r.recursive(false, n)
	default:
		r.b.File.Tree.Children(n, r.walk)
	}
}

// recursive visits what is below a node, where a declaration may use its own
// name or may not.
func (r *resolver) recursive(may bool, n syntax.Node) {
	outside := r.needs.recursive
	r.needs.recursive = may
	r.b.File.Tree.Children(n, r.walk)
	r.needs.recursive = outside
}

func (r *resolver) bind(n syntax.Node, s Symbol) {
	r.b.nodes.GetOrAdd(n.ID()).symbol = s
	switch n.(type) {
	case *syntax.VarRef, *syntax.TypeName:
		if r.needs.recursive {
			return
		}
	}
	r.needs.use(s)
}

func (r *resolver) one(n syntax.Node) {
	if n != nil {
		r.visit(n)
	}
}

// under visits a node where certain functions may be called, and none of the
// restricted ones after it.
func (r *resolver) under(flags types.FunctionFlags, n syntax.Node) {
	r.allowed = flags
	r.one(n)
	r.allowed = 0
}

func (r *resolver) decorators(list []*syntax.Decorator) {
	for _, d := range list {
		r.visit(d)
	}
}

// declaration visits the decorators of a declaration, and what else of it is
// under the same rules.
func (r *resolver) declaration(flags types.FunctionFlags, list []*syntax.Decorator, more ...syntax.Node) {
	r.allowed = flags
	r.decorators(list)
	for _, n := range more {
		r.one(n)
	}
}

// arguments visits the arguments of a call. In those of a decorator, no decorators
// can be called.
func arguments[N syntax.Node](r *resolver, args []N) {
	outside := r.allowed
	if outside&types.AnyDecorator != 0 {
		r.allowed = 0
	}
	for _, a := range args {
		r.visit(a)
	}
	r.allowed = outside
}

func failed(d diag.Diagnostic) *ErrorSymbol { return &ErrorSymbol{symbolName{d.Code()}, &d} }

// lookup finds what a name means.
func (r *resolver) lookup(name *syntax.Ident, call bool) Symbol {
	if !name.Valid() {
		return &ErrorSymbol{symbolName: symbolName{"<error>"}}
	}
	if s := r.local(name.Name); s != nil {
		return s
	}
	return r.global(name, call)
}

// local looks for a name in the scopes in force. A function's body sees only
// part of what is around it; a name that is found there but hidden from it is
// not looked for any further.
func (r *resolver) local(name string) Symbol {
	restricted := false
	for i := len(r.scopes) - 1; i >= 0; i-- {
		s := r.scopes[i]
		if found := r.inScope(s, name); found != nil {
			if restricted && !visibleInFunction(found) {
				return nil
			}
			return found
		}
		switch s.Resolution {
		case GlobalsOnly:
			return nil
		case InheritFunctionsAndVariables:
			restricted = true
		}
	}
	return nil
}

func (r *resolver) inScope(s *Scope, name string) Declared {
	if s == r.b.Root {
		if d, ok := r.b.byName[name]; ok {
			return d
		}
		return nil
	}
	for _, d := range s.Locals {
		if d.Name() == name && canBeReferenced(d) {
			return d
		}
	}
	return nil
}

func visibleInFunction(s Symbol) bool {
	switch s.(type) {
	case *Var, *ImportedVar, *Func, *ImportedFunc, *WildcardImport, *Resource:
		return true
	}
	return false
}

// nested finds the resource that `x::name` means.
func (r *resolver) nested(n *syntax.NestedAccess) Symbol {
	at := n.Name.Span()
	var outer *Resource
	switch s := r.b.Symbol(n.X).(type) {
	case *ErrorSymbol:
		return s
	case *Resource:
		outer = s
	case nil:
		return failed(diag.BCP158.At(at, "<error>"))
	default:
		return failed(diag.BCP158.At(at, string(s.Kind())))
	}
	var names []string
	if s := r.bodyScope(outer.Stmt); s != nil {
		for _, d := range s.Locals {
			inner, ok := d.(*Resource)
			if !ok {
				continue
			}
			if inner.Name() == n.Name.Name {
				return inner
			}
			names = append(names, inner.Name())
		}
	}
	known := "none"
	if len(names) > 0 {
		sort.Strings(names)
		known = strings.Join(names, ", ")
	}
	return failed(diag.BCP159.At(at, outer.Name(), n.Name.Name, known))
}

// bodyScope returns the scope in which a resource's nested resources are
// declared, or nil.
func (r *resolver) bodyScope(res *syntax.Resource) *Scope {
	if body := syntax.Body(res.Value); body != nil {
		for n := syntax.Node(body); n != nil && n != syntax.Node(res); n = r.b.Parent(n) {
			if s := r.b.scope(n); s != nil {
				return s
			}
		}
	}
	return nil
}

// global looks for a name outside of the file.
func (r *resolver) global(name *syntax.Ident, call bool) Symbol {
	if ns, ok := r.b.implicit[name.Name]; ok {
		return ns
	}
	if call {
		found := r.functions(name)
		if len(found) > 1 {
			return ambiguous(name, found)
		}
		if len(found) == 0 {
			return r.missing(name, r.functionNames())
		}
		return r.mayCall(found[0], r.allowed, name)
	}
	var found []Symbol
	for _, v := range r.b.visible {
		if p := v.ns.Property(name.Name); p != nil {
			found = append(found, &AmbientType{symbolName{name.Name}, p.Type.Type(), v.ns})
		}
	}
	if len(found) > 1 {
		return ambiguous(name, found)
	}
	if len(found) == 0 {
		// a function that is not called: say that, rather than that the name is unknown
		if found = r.functions(name); len(found) == 0 {
			return r.missing(name, r.typeNames())
		}
	}
	return r.mayCall(found[0], 0, name)
}

// functions returns what namespaces offer to be called by a name: functions,
// and decorators where they are allowed.
func (r *resolver) functions(name *syntax.Ident) []Symbol {
	var found []Symbol
	for _, v := range r.b.visible {
		f, problem := findFunction(v.ns, name, r.allowed&types.AnyDecorator != 0)
		switch {
		case problem != nil:
			found = append(found, failed(*problem))
		case f != nil:
			found = append(found, NewFunction(f, v.ns))
		}
	}
	return found
}

func (r *resolver) functionNames() []string {
	var names []string
	for _, v := range r.b.visible {
		names = append(names, functionNames(v.ns, r.allowed)...)
	}
	return names
}

func (r *resolver) typeNames() []string {
	var names []string
	for _, v := range r.b.visible {
		for _, p := range v.ns.Properties() {
			names = append(names, p.Name)
		}
	}
	return names
}

func (r *resolver) missing(name *syntax.Ident, known []string) Symbol {
	if s := types.Guess(name.Name, SortedNames(known)); s.Name != "" {
		return failed(diag.BCP082.At(name.Span(), name.Name, s))
	}
	return failed(diag.BCP057.At(name.Span(), name.Name))
}

// ambiguous reports a name that several namespaces offer.
func ambiguous(name *syntax.Ident, found []Symbol) Symbol {
	var names []string
	for _, s := range found {
		switch s := s.(type) {
		case *Function:
			names = append(names, s.Namespace.Name)
		case *AmbientType:
			names = append(names, s.Namespace.Name)
		}
	}
	sort.Strings(names)
	return failed(diag.BCP056.At(name.Span(), name.Name, strings.Join(names, ", ")))
}

// mayCall returns s, or an error if it is a function that cannot be called where
// the flags are in force.
func (r *resolver) mayCall(s Symbol, allowed types.FunctionFlags, name *syntax.Ident) Symbol {
	if f, ok := s.(*Function); ok {
		if d := checkPlacement(f.Func, name.Span(), allowed); d != nil {
			return failed(*d)
		}
	}
	return s
}
