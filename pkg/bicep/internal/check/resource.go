package check

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
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

// resourceIndex are all resources of a file.
type resourceIndex struct {
	declared  []*Resource
	all       []*Resource
	ancestors map[*Resource][]Ancestor
}

// Resource returns the resource that a node declares or refers to, or nil. The node is a
// statement, a name, or an access to a module's output.
func (m *Model) Resource(n syntax.Node) *Resource {
	if n == nil {
		return nil
	}
	place := &m.chosen[n.ID()]
	if *place == 0 { // not asked for yet
		*place = noResource // should it lead to itself
		if r := m.findResource(n); r != nil {
			m.found = append(m.found, r)
			*place = int32(len(m.found))
		}
	}
	if *place == noResource {
		return nil
	}
	return m.found[*place-1]
}

const noResource = -1

func (m *Model) findResource(n syntax.Node) *Resource {
	switch n := n.(type) {
	case *syntax.NestedAccess, *syntax.VarRef:
		if d, ok := m.bound(n).(bind.Declared); ok && d.Binding() == m.binding && !m.binding.IsCyclic(d) {
			return m.Resource(d.Decl())
		}
	case *syntax.Param:
		if s, ok := m.bound(n).(*bind.Param); ok {
			if t, ok := m.TypeOf(n).(*types.Resource); ok {
				return &Resource{Type: t, Existing: true, Param: s}
			}
		}
	case *syntax.PropertyAccess:
		return m.moduleOutput(n)
	case *syntax.Resource:
		return m.findDeclaredResource(n)
	case *syntax.Var:
		return m.Resource(n.Value)
	}
	return nil
}

// moduleOutput is the resource that an output of a module is: mod.outputs.name or
// mod[i].outputs.name.
func (m *Model) moduleOutput(n *syntax.PropertyAccess) *Resource {
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
	mod, ok := m.bound(ref).(*bind.Module)
	if !ok || indexed && syntax.Body(mod.Stmt.Value).PropertyValue("name") == nil {
		return nil
	}
	t := types.UnwrapModule(m.symbolType(mod))
	if t == nil {
		return nil
	}
	r, ok := t.OutputType(n.Name.Name).(*types.Resource)
	if !ok {
		return nil
	}
	return &Resource{Type: r, Existing: true, Module: mod, Output: n.Name.Name}
}

func (m *Model) findDeclaredResource(n *syntax.Resource) *Resource {
	s, ok := m.bound(n).(*bind.Resource)
	if !ok {
		return nil
	}
	t := types.UnwrapResource(m.TypeOf(n))
	if t == nil || m.binding.IsCyclic(s) {
		return nil
	}
	r := &Resource{Type: t, Existing: n.IsExisting(), Symbol: s}
	if outer := m.enclosingResource(n); outer != nil {
		parent := m.Resource(outer)
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
	parent := m.Resource(ref)
	if parent == nil {
		return nil
	}
	r.Parent = &ResourceParent{Resource: parent, Index: index}
	return r
}

func (m *Model) allResources() *resourceIndex {
	if m.resources != nil {
		return m.resources
	}
	f := &resourceIndex{}
	m.resources = f
	for _, s := range m.binding.DeclaredResources() {
		if r := m.Resource(s.Stmt); r != nil {
			f.declared = append(f.declared, r)
		}
	}
	f.all = f.declared[:len(f.declared):len(f.declared)]
	for _, p := range m.binding.Params {
		if r := m.Resource(p.Stmt); r != nil {
			f.all = append(f.all, r)
		}
	}
	f.ancestors = make(map[*Resource][]Ancestor)
	return f
}

// DeclaredResources returns the resources that are declared in the file, in the
// order in which the template takes them.
func (m *Model) DeclaredResources() []*Resource { return m.allResources().declared }

// AllResources returns the declared resources and those that are parameters.
func (m *Model) AllResources() []*Resource { return m.allResources().all }

// Ancestors returns the declared resources that a resource is a child of, the
// oldest first.
func (m *Model) Ancestors(r *Resource) []Ancestor {
	p := r.Parent
	if p == nil || !p.Resource.IsDeclared() {
		return nil
	}
	f := m.allResources()
	if a, ok := f.ancestors[r]; ok {
		return a
	}
	f.ancestors[r] = nil // should it be its own ancestor
	older := m.Ancestors(p.Resource)
	list := make([]Ancestor, 0, len(older)+1)
	list = append(append(list, older...), Ancestor{Resource: p.Resource, Index: p.Index, Nested: p.Nested})
	f.ancestors[r] = list
	return list
}
