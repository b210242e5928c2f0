package bind

import (
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// resolver finds what each use of a name means. A name is looked for in the
// scopes around it, from the inside out, then among the namespaces, and then
// among what the namespaces offer: functions where it is called, types
// elsewhere.
type resolver struct {
	b       *Binding
	names   map[string]meanings // outside of loops, lambdas and bodies
	scopes  []*Scope            // those in force, the innermost last
	allowed types.FunctionFlags // which functions may be called here
	needs   needs
}

// meanings are the numbers of the symbols that a name has outside of inner scopes; 0 if it
// has none, or none has been looked for.
type meanings struct {
	declared uint32 // by the file, and can be referred to
	function uint32 // that a namespace offers
	ambient  uint32 // a type that a namespace offers
}

func newResolver(b *Binding) *resolver {
	r := &resolver{b: b, names: make(map[string]meanings, len(b.Root.Locals)+8)}
	for _, d := range b.Root.Locals {
		if !canBeReferenced(d) {
			continue
		}
		if r.names[d.Name()].declared == 0 {
			r.names[d.Name()] = meanings{declared: b.numberOf(d)}
		} else if d.NameValid() {
			b.sameNames = true
		}
	}
	r.needs.list = make([]Declared, 0, len(b.File.Tree.Stmts)) // and a few more for what is nested
	r.needs.uses = make([]use, 0, b.File.Tree.NodeCount()/5)   // most files have fewer
	return r
}

// visit binds the names in n and below. Where functions are restricted by the
// place at which they are called, it keeps track of that.
func (r *resolver) visit(n syntax.Node) {
	if _, isName := n.(*syntax.Ident); !isName {
		r.at(n, n.ID())
	}
}

// at is visit for a node with an ID.
func (r *resolver) at(n syntax.Node, id syntax.ID) {
	if s := r.b.scope(id); s != nil {
		r.scopes = append(r.scopes, s)
		r.enter(n, id)
		r.scopes = r.scopes[:len(r.scopes)-1]
		return
	}
	r.enter(n, id)
}

// below visits what is below a node.
func (r *resolver) below(id syntax.ID) {
	tree := r.b.File.Tree
	for i, end := id+1, tree.After(id); i < end; i = tree.After(i) {
		r.at(tree.Node(i), i)
	}
}

// enter looks into a node whose scope, if it has one, is in force.
func (r *resolver) enter(n syntax.Node, id syntax.ID) {
	switch n := n.(type) {
	case *syntax.Var, *syntax.Resource, *syntax.Module, *syntax.Test, *syntax.Output, *syntax.Param,
		*syntax.ParamAssign, *syntax.Func, *syntax.TypeDecl, *syntax.ImportItem:
		if d, ok := r.b.Symbol(n).(Declared); ok && r.needs.enter(d) {
			r.statement(n, id)
			r.needs.leave()
			return
		}
		r.statement(n, id)
	case *syntax.Metadata, *syntax.Extension, *syntax.Missing:
		r.statement(n, id)

	case *syntax.If:
		r.under(0, n.Cond)
		r.under(types.RequiresInlining, n.Body)
	case *syntax.Call:
		r.bind(id, r.lookup(n.Name, true))
		arguments(r, n.Args)
	case *syntax.TypeCall:
		r.bind(id, r.lookup(n.Name, false))
		arguments(r, n.Args)
	case *syntax.InstanceCall:
		// The function that it calls is found with the type of the expression before the dot.
		r.b.flags[n] = r.allowed
		r.below(id)
	case *syntax.VarRef:
		r.bindName(id, r.lookup(n.Name, false))
	case *syntax.TypeName:
		r.bindName(id, r.lookup(n.Name, false))
	case *syntax.NestedAccess:
		r.visit(n.X)
		r.bind(id, r.nested(n))

	case *syntax.ArrayType, *syntax.TypeProperty, *syntax.TypeRest, *syntax.TupleItem:
		r.recursive(true, id)
	case *syntax.Index, *syntax.PropertyAccess, *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems:
		r.recursive(false, id)
	default:
		r.below(id)
	}
}

// statement looks into a statement, or an item of one that declares something.
func (r *resolver) statement(n syntax.Node, id syntax.ID) {
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
	default:
		r.below(id)
	}
}

// recursive visits what is below a node, where a declaration may use its own
// name or may not.
func (r *resolver) recursive(may bool, id syntax.ID) {
	outside := r.needs.recursive
	r.needs.recursive = may
	r.below(id)
	r.needs.recursive = outside
}

// bind says which symbol, by its number, a node means.
func (r *resolver) bind(id syntax.ID, symbol uint32) {
	r.b.setSymbol(id, symbol)
	r.needs.use(symbol)
}

// bindName is bind for a name that is used by itself: in some places a declaration may use
// its own.
func (r *resolver) bindName(id syntax.ID, symbol uint32) {
	r.b.setSymbol(id, symbol)
	if !r.needs.recursive {
		r.needs.use(symbol)
	}
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

// lookup finds what a name means, and returns the number of the symbol.
func (r *resolver) lookup(name *syntax.Ident, call bool) uint32 {
	if !name.Valid() {
		return r.b.add(&ErrorSymbol{symbolName: symbolName{"<error>"}})
	}
	known := r.names[name.Name]
	if symbol := r.local(name.Name, known.declared); symbol != 0 {
		return symbol
	}
	return r.global(name, call, known)
}

// local looks for a name in the scopes in force; outermost is the symbol that it has in
// that of the file. A function's body sees only part of what is around it; a name that is
// found there but hidden from it is not looked for any further. It returns 0 if nothing is found.
func (r *resolver) local(name string, outermost uint32) uint32 {
	restricted := false
	for i := len(r.scopes) - 1; i >= 0; i-- {
		s := r.scopes[i]
		found := outermost
		if s != r.b.Root {
			found = r.inScope(s, name)
		}
		if found != 0 {
			if restricted && !r.visibleInFunction(r.b.symbols[found]) {
				return 0
			}
			return found
		}
		switch s.Resolution {
		case GlobalsOnly:
			return 0
		case InheritFunctionsAndVariables:
			restricted = true
		}
	}
	return 0
}

func (r *resolver) inScope(s *Scope, name string) uint32 {
	for _, d := range s.Locals {
		if d.Name() == name && canBeReferenced(d) {
			return r.b.numberOf(d)
		}
	}
	return 0
}

func (r *resolver) visibleInFunction(s Symbol) bool {
	switch s.(type) {
	case *Var, *ImportedVar, *Func, *ImportedFunc, *WildcardImport:
		return true
	case *Resource:
		return r.b.File.Has(release.ResourcesInFunctions)
	}
	return false
}

// nested finds the resource that `x::name` means, and returns the number of the symbol.
func (r *resolver) nested(n *syntax.NestedAccess) uint32 {
	at := n.Name.Span()
	var outer *Resource
	switch s := r.b.Symbol(n.X).(type) {
	case *ErrorSymbol:
		return r.b.add(s)
	case *Resource:
		outer = s
	case nil:
		return r.fail(diag.BCP158.At(at, "<error>"))
	default:
		return r.fail(diag.BCP158.At(at, string(s.Kind())))
	}
	var names []string
	if s := r.bodyScope(outer.Stmt); s != nil {
		for _, d := range s.Locals {
			inner, ok := d.(*Resource)
			if !ok {
				continue
			}
			if inner.Name() == n.Name.Name {
				return r.b.numberOf(inner)
			}
			names = append(names, inner.Name())
		}
	}
	known := "none"
	if len(names) > 0 {
		sort.Strings(names)
		known = strings.Join(names, ", ")
	}
	return r.fail(diag.BCP159.At(at, outer.Name(), n.Name.Name, known))
}

// bodyScope returns the scope in which a resource's nested resources are
// declared, or nil.
func (r *resolver) bodyScope(res *syntax.Resource) *Scope {
	if body := syntax.Body(res.Value); body != nil {
		for n := syntax.Node(body); n != nil && n != syntax.Node(res); n = r.b.Parent(n) {
			if s := r.b.scope(n.ID()); s != nil {
				return s
			}
		}
	}
	return nil
}

// fail returns the number of a symbol that stands for a mistake.
func (r *resolver) fail(d diag.Diagnostic) uint32 { return r.b.add(failed(d)) }

// global looks for a name outside of the file.
func (r *resolver) global(name *syntax.Ident, call bool, known meanings) uint32 {
	if ns, ok := r.b.implicit[name.Name]; ok {
		return r.b.add(ns)
	}
	if call {
		return r.function(name, known)
	}
	if known.ambient != 0 {
		return known.ambient
	}
	var found []Symbol
	for _, v := range r.b.visible {
		if p := v.ns.Property(name.Name); p != nil {
			found = append(found, &AmbientType{symbolName{name.Name}, p.Type.Type(), v.ns})
		}
	}
	switch len(found) {
	case 1:
		known.ambient = r.b.add(found[0])
		r.names[name.Name] = known
		return known.ambient
	case 0:
		// a function that is not called: say that, rather than that the name is unknown
		if found = r.functions(name); len(found) == 0 {
			return r.missing(name, r.typeNames())
		}
		return r.b.add(r.mayCall(found[0], 0, name))
	}
	return r.fail(ambiguous(name, found))
}

// function looks for a function, or where they are allowed a decorator, outside of the file.
func (r *resolver) function(name *syntax.Ident, known meanings) uint32 {
	decorator := r.allowed&types.AnyDecorator != 0
	if known.function != 0 && !decorator {
		return r.called(known.function, name)
	}
	found := r.functions(name)
	switch len(found) {
	case 0:
		return r.missing(name, r.functionNames())
	case 1:
		symbol := r.b.add(found[0])
		if _, ok := found[0].(*Function); ok && !decorator {
			known.function = symbol
			r.names[name.Name] = known
		}
		return r.called(symbol, name)
	}
	return r.fail(ambiguous(name, found))
}

// called returns a symbol that is called, or an error if it may not be called here.
func (r *resolver) called(symbol uint32, name *syntax.Ident) uint32 {
	s := r.b.symbols[symbol]
	if may := r.mayCall(s, r.allowed, name); may != s {
		return r.b.add(may)
	}
	return symbol
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

func (r *resolver) missing(name *syntax.Ident, known []string) uint32 {
	d := diag.BCP057.At(name.Span(), name.Name)
	if s := types.Guess(name.Name, SortedNames(known)); s.Name != "" {
		d = diag.BCP082.At(name.Span(), name.Name, s)
	}
	return r.fail(r.b.AfterImport(d, name.Name))
}

// AfterImport returns a diagnostic about a name as a consequence, if what has the name could not be imported.
func (b *Binding) AfterImport(d diag.Diagnostic, name string) diag.Diagnostic {
	for _, s := range b.ErroredImports {
		here := s.Name()
		if item, ok := s.Decl().(*syntax.ImportItem); ok {
			if n, _, _ := item.Names(); n != nil {
				here = n.Name
			}
		}
		if name == here || name == s.Name() {
			return d.Follows()
		}
	}
	return d
}

// ambiguous reports a name that several namespaces offer.
func ambiguous(name *syntax.Ident, found []Symbol) diag.Diagnostic {
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
	return diag.BCP056.At(name.Span(), name.Name, strings.Join(names, ", "))
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
