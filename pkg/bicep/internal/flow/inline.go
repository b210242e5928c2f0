package flow

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// # Which variables are inlined
//
// Azure evaluates the variables of a template before the deployment begins. A variable whose value is known
// only then cannot stand in the template: wherever it is used, its expression is written instead. The same goes
// for the parameters of parameter files that need external inputs, and for existing resources whose names are
// known late or whose parents or scopes are inlined:
//
//	resource r 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: p }
//	var a = r.properties.accessTier    inlined: reference(…) works only during the deployment
//	var b = a                          inlined, because a is
//	var c = r.name                     kept: the name is written in the program
//
// The answer must be the official compiler's, since it shows in the template, and that one walks the tree once.
// While it visits a declaration, it has a decision about it, and each use that it meets changes the decision:
//
//	a use                                        the decision about the declaration that uses it
//	a function that needs inlining               inline
//	another function, a variable that is not     keep, unless it is inline
//	a variable that is inlined                   inline
//	a property that is known in time             skip, unless it is inline
//	a property that is known late                inline
//	a whole resource or module                   inline, unless it is skip
//
// So the order of uses counts. The last rule is a mistake, but it has to be made here too. Of these, the first
// and the third are inlined, while the second is kept, which Azure will refuse:
//
//	var x = { b: r, a: r.id }
//	var y = { a: r.id, b: r }
//	var z = { a: r.id, c: toLower('x'), b: r }
//
// Invariants:
//
//   - inline is final: once it is the decision about the current declaration, no use changes it (settled).
//   - A variable or a parameter is in decided before anything below it is visited, and is visited once in a
//     run. An existing resource comes after its ancestors and its scope, which decide about it.
//   - decided, current and now belong together: decide sets the last two for a declaration and puts those of
//     the outer one back. A parameter that another file assigns is decided with the same decided by an inliner
//     of that file.
//
// It ends because each declaration is visited once and the tree below it is finite. Resources that are
// ancestors or scopes of each other cannot be met: a name that closes a cycle is an error and stands for
// nothing (bind/cycle.go).

// Inlined are the symbols that a template cannot contain, since their values are known only
// during the deployment. Their expressions are written wherever the symbols are used.
type Inlined struct {
	Vars      map[*bind.Var]bool
	Params    map[*bind.ParamAssign]bool
	Resources map[*bind.Resource]bool // existing ones
}

// decision says what happens to a symbol.
type decision uint8

const (
	keep decision = iota
	inline
	// skip keeps a symbol even if it uses a whole resource later on.
	skip
)

// inliner decides which symbols are inlined.
type inliner struct {
	*Analysis
	decided map[bind.Declared]decision
	current bind.Declared
	now     decision // about current

	// trace is set if the question is about one variable. Then path holds the names that lead
	// to the reason.
	trace    bool
	path     []string
	captured []string
	found    bool
	walk     func(syntax.Node) bool // visit, made a function once
}

func newInliner(f *Analysis, decided map[bind.Declared]decision) *inliner {
	in := &inliner{Analysis: f, decided: decided}
	in.walk = in.visit
	return in
}

// below visits what is below a node.
func (in *inliner) below(n syntax.Node) { in.Model.Tree().WalkBelow(n, in.walk) }

func findInlined(f *Analysis) *Inlined {
	b := f.binding
	in := newInliner(f, make(map[bind.Declared]decision, len(b.Vars)))
	for _, v := range b.Vars {
		in.visit(v.Stmt)
	}
	for _, p := range b.ParamAssigns {
		in.declaration(p)
	}
	nested := len(b.DeclaredResources()) > len(b.Resources)
	for _, r := range b.Resources {
		if nested || r.Stmt.IsExisting() {
			in.visit(r.Stmt)
		}
	}
	out := &Inlined{map[*bind.Var]bool{}, map[*bind.ParamAssign]bool{}, map[*bind.Resource]bool{}}
	for s, d := range in.decided {
		if d != inline {
			continue
		}
		switch s := s.(type) {
		case *bind.Var:
			out.Vars[s] = true
		case *bind.ParamAssign:
			out.Params[s] = true
		case *bind.Resource:
			out.Resources[s] = true
		}
	}
	return out
}

// MustInline reports whether a variable can only be inlined and, if that is because
// of other variables it uses, the names that lead to the one with the reason.
func (f *Analysis) MustInline(v *bind.Var) (path []string, ok bool) {
	in := newInliner(f, map[bind.Declared]decision{})
	in.trace = true
	in.visit(v.Stmt)
	return in.captured, in.decided[v] == inline
}

// visit decides about what a node declares or uses, and reports whether to visit the nodes
// below it.
func (in *inliner) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Var:
		if s, ok := in.Model.Symbol(n).(*bind.Var); ok {
			in.declare(s, n)
		}
	case *syntax.ParamAssign:
		if s, ok := in.Model.Symbol(n).(*bind.ParamAssign); ok {
			in.declare(s, n)
		}
	case *syntax.Resource:
		in.resource(n)
	case *syntax.Call:
		return in.call(n)
	case *syntax.InstanceCall:
		return in.call(n)
	case *syntax.VarRef:
		in.use(n)
	case *syntax.PropertyAccess:
		return in.property(n)
	default:
		return true
	}
	return false
}

// declare decides about a variable or a parameter of a parameter file.
func (in *inliner) declare(s bind.Declared, n syntax.Node) {
	if _, ok := in.decided[s]; ok {
		return
	}
	in.decide(s, func() { in.below(n) })
}

// decide visits what decides about a declaration.
func (in *inliner) decide(s bind.Declared, visit func()) {
	outer, before := in.current, in.now
	in.current, in.now = s, keep
	in.decided[s] = keep
	visit()
	in.current, in.now = outer, before
}

// declaration decides about what a symbol declares, which may be in another file.
func (in *inliner) declaration(s bind.Declared) {
	if b := s.Binding(); b != nil && b != in.binding {
		// A parameter that a parent file assigns.
		parent := newInliner(Analyze(in.Model.Program().Model(b.File)), in.decided)
		parent.current, parent.trace = in.current, in.trace
		parent.path, parent.captured, parent.found = in.path, in.captured, in.found
		parent.declaration(s)
		in.path, in.captured = parent.path, parent.captured
		return
	}
	in.visit(s.Decl())
}

// resource decides about an existing Azure resource. It is inlined if its name is
// known only at run time, or if it belongs to one that is inlined.
func (in *inliner) resource(n *syntax.Resource) {
	r := in.Resources.At(n)
	if r == nil || r.Symbol == nil {
		return
	}
	s := r.Symbol
	if _, ok := in.decided[s]; ok {
		return
	}
	body, _ := n.Value.(*syntax.Object)
	switch {
	case !n.IsExisting() || !r.IsAz():
		in.decided[s] = skip
	case in.belongsToInlined(r):
		in.decided[s] = inline
	default:
		in.decide(s, func() { in.properties(body) })
	}
	if body != nil {
		for _, item := range body.Items {
			if child, ok := item.(*syntax.Resource); ok {
				in.resource(child)
			}
		}
	}
}

// properties visits the properties of an existing resource that decide about it.
func (in *inliner) properties(body *syntax.Object) {
	if body == nil {
		return
	}
	for _, item := range body.Items {
		p, ok := item.(*syntax.Property)
		if !ok {
			continue
		}
		switch key, _ := p.KeyName(); key {
		case "dependsOn", "parent", "scope":
		default:
			in.below(p)
		}
	}
}

func (in *inliner) belongsToInlined(r *resources.Resource) bool {
	byAncestor := false
	for _, up := range in.Resources.Ancestors(r) {
		if !up.Resource.Existing {
			byAncestor = false
			continue
		}
		in.visit(up.Resource.Symbol.Stmt)
		byAncestor = byAncestor || in.decided[up.Resource.Symbol] == inline
	}
	byScope := false
	if scope := in.Resources.Scope(r); scope != nil && scope.Resource != nil {
		in.visit(scope.Resource.Symbol.Stmt)
		byScope = in.decided[scope.Resource.Symbol] == inline
	}
	return byAncestor || byScope
}

// settled reports that there is nothing left to decide about the current declaration.
func (in *inliner) settled() bool {
	return in.current == nil || in.now == inline
}

func (in *inliner) set(d decision) {
	if in.current != nil && d != in.now {
		in.now, in.decided[in.current] = d, d
	}
}

// call decides about a call, and reports whether its arguments count.
func (in *inliner) call(n syntax.Expr) bool {
	fn, _ := in.Model.Symbol(n).(*bind.Function)
	if fn == nil {
		return true
	}
	flags := fn.Func.Flags
	if !in.settled() {
		if flags&(types.RequiresInlining|types.RequiresExternalInput) != 0 {
			in.set(inline)
		} else {
			in.set(keep)
		}
	}
	return flags&types.IsArgumentValueIndependent == 0
}

// use decides about the use of a name.
func (in *inliner) use(n *syntax.VarRef) {
	if in.settled() {
		return
	}
	switch s := in.Model.Symbol(n).(type) {
	case *bind.Var:
		in.depend(s, n.Name.Name)
	case *bind.ParamAssign:
		in.depend(s, n.Name.Name)
	case *bind.Resource, *bind.Module:
		in.useWhole()
	case *bind.Param:
		if in.Resources.At(n) != nil {
			in.useWhole()
		}
	}
}

func (in *inliner) useWhole() {
	if in.now != skip {
		in.set(inline)
	}
}

// depend decides about a use of a symbol that may itself be inlined.
func (in *inliner) depend(s bind.Declared, name string) {
	d, ok := in.decided[s]
	if !ok {
		depth := len(in.path)
		if in.trace {
			in.path = append(in.path, name)
		}
		in.declaration(s)
		d = in.decided[s]
		if d == inline && in.trace && !in.found {
			// The walk goes no deeper; it returns from here.
			in.captured, in.found = slices.Clone(in.path), true
		}
		in.path = in.path[:depth]
	}
	if d == inline || in.now == inline {
		in.set(inline)
	} else {
		in.set(keep)
	}
}

// property decides about the use of a property, and reports whether to visit the expression that it is read
// from. A property that the type of the resource does not have counts as known in time.
func (in *inliner) property(n *syntax.PropertyAccess) bool {
	if in.settled() {
		return false
	}
	if base, ok := in.Model.Symbol(n.X).(*bind.BaseParams); ok {
		for _, p := range base.Parents {
			if p.Name() == n.Name.Name {
				in.depend(p, n.Name.Name)
				return false
			}
		}
	}
	x := syntax.UnwrapNonNull(n.X)
	for {
		i, ok := x.(*syntax.Index)
		if !ok {
			break
		}
		x = i.X
	}
	s := in.Model.Symbol(x)
	switch s.(type) {
	case *bind.Resource, *bind.Module, *bind.Param:
		if body := BodyOf(in.Model.SymbolType(s)); body != nil {
			if in.canKeep(body, n.Name.Name, s) {
				in.set(skip)
			} else {
				in.set(inline)
			}
			return false
		}
	}
	return true
}

// BodyOf returns what is known of the body of a resource or module, or nil.
func BodyOf(t types.Type) *types.Object {
	var body types.Ref
	if r := types.UnwrapResource(t); r != nil {
		body = r.Body
	} else if m := types.UnwrapModule(t); m != nil {
		body = m.Body
	}
	if body == nil {
		return nil
	}
	o, _ := body.Type().(*types.Object)
	return o
}

func (in *inliner) canKeep(body *types.Object, name string, s bind.Symbol) bool {
	p := body.Property(name)
	if p == nil {
		return true
	}
	if p.Flags&types.DeployTimeConstant == 0 {
		return false
	}
	r, ok := s.(*bind.Resource)
	if !ok {
		return true
	}
	if t := types.UnwrapResource(in.Model.SymbolType(r)); t == nil || !t.IsAz() {
		return true
	}
	switch name {
	case "id", "name":
		in.visit(r.Stmt)
		return in.decided[r] != inline
	}
	return IsIdentityProperty(name)
}
