// Package resources finds the resources of a checked file, their parents, and the scopes to which
// resources and modules are deployed.
//
// Begin with IndexOf. An Index answers questions about one file when they are asked, and keeps the
// answers. index.go finds resources and parents. scope.go finds scopes, and reports resources and
// modules that the file cannot deploy to theirs. No type depends on what is found here.
package resources

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Resource is a resource that the file declares, takes as a parameter, or gets as the
// output of a module.
type Resource struct {
	Type     *types.Resource
	Existing bool

	// One of these says where the resource comes from.
	Symbol *bind.Resource // declared in the file
	Param  *bind.Param
	Module *bind.Module // its output Output
	Output string

	// Parent is the resource that this one is a child of, or nil.
	Parent *ResourceParent

	ancestors      []Ancestor
	knowsAncestors bool
	scope          *Scope // of a declared one, once Index.scopes is made
}

// ResourceParent says of which resource another one is a child.
type ResourceParent struct {
	Resource *Resource
	Index    syntax.Expr // which of a collection, or nil
	Nested   bool        // the child is written within the parent
}

// Ancestor is one of the resources that a resource is a child of.
type Ancestor struct {
	Resource *Resource
	Index    syntax.Expr // which of a collection, or nil
	Nested   bool
}

// TypeRef returns the resource's type and version.
func (r *Resource) TypeRef() *types.ResourceTypeReference { return r.Type.TypeRef }

// IsAz reports whether the resource is Azure's.
func (r *Resource) IsAz() bool { return r.Type.IsAz() }

// IsDeclared reports whether the resource is declared in the file.
func (r *Resource) IsDeclared() bool { return r.Symbol != nil }

// Body returns the object that a declared resource is given, or nil.
func (r *Resource) Body() *syntax.Object {
	if r.Symbol == nil {
		return nil
	}
	return syntax.Body(r.Symbol.Stmt.Value)
}

// identifier returns the value of a property of the body, if the property is part
// of the identity of resources of the type. Of several, the last one counts.
func (r *Resource) identifier(name string) syntax.Expr {
	body := r.Body()
	if body == nil || !slices.Contains(r.Type.Identifiers, name) {
		return nil
	}
	var value syntax.Expr
	for _, item := range body.Items {
		if p, ok := item.(*syntax.Property); ok {
			if key, ok := p.KeyName(); ok && key == name {
				value = p.Value
			}
		}
	}
	return value
}

// NameExpr returns the name that an Azure resource is given, or nil.
func (r *Resource) NameExpr() syntax.Expr {
	if !r.IsAz() {
		return nil
	}
	return r.identifier("name")
}

// scopeExpr returns the scope that an Azure resource is given, or nil.
func (r *Resource) scopeExpr() syntax.Expr {
	if !r.IsAz() {
		return nil
	}
	return r.identifier("scope")
}

// Index holds the resources of a file. There is one for each model.
type Index struct {
	m       *check.Model
	binding *bind.Binding

	answers syntax.NodeMap[answer] // see At
	made    arena.Arena[Resource]

	lists  *lists
	scopes *scopes
}

// lists are the resources that the file declares, and those with its parameters.
type lists struct{ declared, all []*Resource }

// IndexOf returns the index of a file.
func IndexOf(m *check.Model) *Index {
	return check.Memo(m, func() *Index {
		return &Index{m: m, binding: m.Binding(), answers: syntax.NewNodeMap[answer](m.Tree())}
	})
}

// At returns the resource that a node declares or refers to, or nil. The node is a
// statement, a name, or an access to a module's output.
func (x *Index) At(n syntax.Node) *Resource {
	switch n := n.(type) {
	case *syntax.VarRef, *syntax.NestedAccess:
		if d, ok := x.binding.Symbol(n).(bind.Declared); ok && d.Binding() == x.binding && !x.binding.IsCyclic(d) {
			return x.At(d.Decl())
		}
	case *syntax.Resource, *syntax.Param, *syntax.Var, *syntax.PropertyAccess:
		if x.mayBeOne(n) {
			return x.keptAt(n)
		}
	}
	return nil
}

// mayBeOne rules out most nodes that are no resources.
func (x *Index) mayBeOne(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Param:
		_, ok := x.m.TypeOf(n).(*types.Resource)
		return ok
	case *syntax.Var:
		switch n.Value.(type) {
		case *syntax.VarRef, *syntax.NestedAccess, *syntax.PropertyAccess:
			return true
		}
		return false
	case *syntax.PropertyAccess:
		outputs, ok := n.X.(*syntax.PropertyAccess)
		return ok && outputs.Name.Name == "outputs"
	}
	return true
}

// keptAt is At for nodes whose resources are kept.
func (x *Index) keptAt(n syntax.Node) *Resource {
	a := x.answers.GetOrAdd(n.ID())
	if !a.known {
		a.known = true // in case it leads to itself
		a.resource = x.find(n)
	}
	return a.resource
}

// answer is the resource of a node, or nil.
type answer struct {
	resource *Resource
	known    bool
}

func (x *Index) find(n syntax.Node) *Resource {
	switch n := n.(type) {
	case *syntax.Param:
		if s, ok := x.binding.Symbol(n).(*bind.Param); ok {
			if t, ok := x.m.TypeOf(n).(*types.Resource); ok {
				return &Resource{Type: t, Existing: true, Param: s}
			}
		}
	case *syntax.PropertyAccess:
		return x.moduleOutput(n)
	case *syntax.Resource:
		return x.declaredResource(n)
	case *syntax.Var:
		return x.At(n.Value)
	}
	return nil
}

// moduleOutput is the resource that an output of a module is: mod.outputs.name or
// mod[i].outputs.name.
func (x *Index) moduleOutput(n *syntax.PropertyAccess) *Resource {
	outputs, ok := n.X.(*syntax.PropertyAccess)
	if !ok || outputs.Name.Name != "outputs" {
		return nil
	}
	base := outputs.X
	index, indexed := base.(*syntax.Index)
	if indexed {
		base = index.X
	}
	ref, ok := base.(*syntax.VarRef)
	if !ok {
		return nil
	}
	mod, ok := x.binding.Symbol(ref).(*bind.Module)
	if !ok || indexed && syntax.Body(mod.Stmt.Value).PropertyValue("name") == nil {
		return nil
	}
	t := types.UnwrapModule(x.m.SymbolType(mod))
	if t == nil {
		return nil
	}
	r, ok := t.OutputType(n.Name.Name).(*types.Resource)
	if !ok {
		return nil
	}
	return &Resource{Type: r, Existing: true, Module: mod, Output: n.Name.Name}
}

func (x *Index) declaredResource(n *syntax.Resource) *Resource {
	s, ok := x.binding.Symbol(n).(*bind.Resource)
	if !ok {
		return nil
	}
	t := types.UnwrapResource(x.m.TypeOf(n))
	if t == nil || x.binding.IsCyclic(s) {
		return nil
	}
	r := x.made.New(Resource{Type: t, Existing: n.IsExisting(), Symbol: s})
	if outer := x.binding.EnclosingResource(n); outer != nil {
		parent := x.At(outer)
		if parent == nil {
			return nil
		}
		r.Parent = &ResourceParent{Resource: parent, Nested: true}
		return r
	}
	ref := syntax.Body(n.Value).PropertyValue("parent")
	if ref == nil {
		return r
	}
	var index syntax.Expr
	if i, ok := ref.(*syntax.Index); ok {
		ref, index = i.X, i.Index
	}
	parent := x.At(ref)
	if parent == nil {
		return nil
	}
	r.Parent = &ResourceParent{Resource: parent, Index: index}
	return r
}

func (x *Index) findLists() *lists {
	if x.lists != nil {
		return x.lists
	}
	f := &lists{}
	x.lists = f
	for _, s := range x.binding.DeclaredResources() {
		if r := x.At(s.Stmt); r != nil {
			f.declared = append(f.declared, r)
		}
	}
	f.all = f.declared[:len(f.declared):len(f.declared)]
	for _, p := range x.binding.Params {
		if r := x.At(p.Stmt); r != nil {
			f.all = append(f.all, r)
		}
	}
	return f
}

// Declared returns the resources that are declared in the file, in the order in which
// the template lists them.
func (x *Index) Declared() []*Resource { return x.findLists().declared }

// All returns the declared resources and those that are parameters.
func (x *Index) All() []*Resource { return x.findLists().all }

// Ancestors returns the declared resources that a resource is a child of, the oldest
// first.
func (x *Index) Ancestors(r *Resource) []Ancestor {
	p := r.Parent
	if p == nil || !p.Resource.IsDeclared() {
		return nil
	}
	if r.knowsAncestors {
		return r.ancestors
	}
	r.knowsAncestors = true // in case it is its own ancestor
	older := x.Ancestors(p.Resource)
	list := make([]Ancestor, 0, len(older)+1)
	list = append(append(list, older...), Ancestor{Resource: p.Resource, Index: p.Index, Nested: p.Nested})
	r.ancestors = list
	return list
}
