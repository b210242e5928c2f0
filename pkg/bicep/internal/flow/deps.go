package flow

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Dependency is something that a declaration needs.
type Dependency struct {
	On bind.Declared // *bind.Resource, *bind.Module or *bind.Var
	// Index chooses one of a collection; nil means all of it.
	Index syntax.Expr
	// Weak dependencies read only what the declaration itself says about the
	// resource, such as its name. The deployment engine would not wait for them.
	Weak bool
}

// Dependencies holds for every resource, module and variable what it needs, in
// the order of the source and without repetitions.
type Dependencies map[bind.Declared][]Dependency

// ImplicitDependencies returns what every declaration needs without looking at dependsOn.
func (f *Analysis) ImplicitDependencies() Dependencies { return findDependencies(f, true) }

type dependencyFinder struct {
	*Analysis
	needs    Dependencies
	vars     []*bind.Var // in the order of the source
	current  bind.Declared
	found    []Dependency // what current needs from uses on, before that what those around it need
	uses     int
	body     *syntax.Object // of current, if it is a resource or module
	implicit bool
	lists    arena.Arena[Dependency]
	walk     func(syntax.Node) bool // visit, made a function once
}

func findDependencies(f *Analysis, implicit bool) Dependencies {
	d := &dependencyFinder{Analysis: f, needs: make(Dependencies, len(f.binding.Resources)), implicit: implicit}
	d.walk = d.visit
	f.Model.Tree().Walk(f.Model.Tree(), d.walk)
	d.dropVars()
	return d.needs
}

// visit notes what a node declares or uses, and reports whether to visit the nodes below it.
func (d *dependencyFinder) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Resource:
		if r := d.Resources.At(n); r != nil && r.Symbol != nil {
			var first []Dependency
			if up := d.Resources.Ancestors(r); len(up) > 0 {
				parent := up[len(up)-1]
				first = append(first, Dependency{On: parent.Resource.Symbol, Index: parent.Index, Weak: true})
			}
			d.declare(r.Symbol, n, syntax.Body(n.Value), first)
		}
		return false
	case *syntax.Module:
		if s, ok := d.Model.Symbol(n).(*bind.Module); ok {
			d.declare(s, n, syntax.Body(n.Value), nil)
		}
		return false
	case *syntax.Var:
		if s, ok := d.Model.Symbol(n).(*bind.Var); ok {
			d.vars = append(d.vars, s)
			d.declare(s, n, nil, nil)
		}
		return false
	case *syntax.Property:
		return !d.implicit || d.body == nil || d.body.Property("dependsOn") != n || isString(n.Key)
	case *syntax.VarRef:
		d.use(n)
	case *syntax.NestedAccess:
		d.use(n)
		return false // the container is not what is used
	}
	return true
}

// isString distinguishes `'dependsOn': …` from `dependsOn: …`.
func isString(key syntax.Node) bool {
	_, ok := key.(*syntax.String)
	return ok
}

// declare finds what the declaration of s needs. Declarations nest: the body of a
// nested resource counts for that resource only.
func (d *dependencyFinder) declare(s bind.Declared, n syntax.Node, body *syntax.Object, first []Dependency) {
	outer, outerUses, outerBody := d.current, d.uses, d.body
	d.current, d.uses, d.body = s, len(d.found), body
	d.found = append(d.found, first...)
	d.Model.Tree().WalkBelow(n, d.walk)
	d.needs[s] = d.lists.List(d.found[d.uses:])
	d.found = d.found[:d.uses]
	d.current, d.uses, d.body = outer, outerUses, outerBody
}

// use notes that the current declaration uses what n names.
func (d *dependencyFinder) use(n syntax.Expr) {
	if d.current == nil {
		return
	}
	var need Dependency
	switch s := d.Model.Symbol(n).(type) {
	case *bind.Var:
		need = Dependency{On: s, Index: d.index(n, syntax.IsLoop(syntax.Unparen(s.Stmt.Value)))}
	case *bind.Module:
		need = Dependency{On: s, Index: d.index(n, syntax.IsLoop(s.Stmt.Value))}
	case *bind.Resource:
		loop := syntax.IsLoop(s.Stmt.Value)
		need = Dependency{On: s, Index: d.index(n, loop), Weak: d.isWeak(n, s, loop)}
	default:
		return
	}
	if !slices.Contains(d.found[d.uses:], need) {
		d.found = append(d.found, need)
	}
}

// index returns the index that n is used with, if that index can be written at the
// level of the declaration: it must not use locals of loops inside it.
func (d *dependencyFinder) index(n syntax.Expr, collection bool) syntax.Expr {
	if !collection {
		return nil
	}
	access, ok := d.binding.Parent(n).(*syntax.Index)
	if !ok || access.X != n {
		return nil
	}
	var at syntax.Node
	switch s := d.current.(type) {
	case *bind.Var:
		at = VarBody(s)
	default:
		if d.body == nil {
			return nil
		}
		at = d.body
	}
	if len(d.LostLocals(access.Index, at)) > 0 {
		return nil
	}
	return access.Index
}

// VarBody returns the value of a variable, or what its loop produces.
func VarBody(v *bind.Var) syntax.Expr {
	e := syntax.Unparen(v.Stmt.Value)
	if loop, ok := e.(*syntax.For); ok {
		return loop.Body
	}
	return e
}

// isWeak reports whether a use of an Azure resource reads only what the
// declaration says: its identifiers, its functions, or its place as a parent or scope.
func (d *dependencyFinder) isWeak(n syntax.Expr, s *bind.Resource, loop bool) bool {
	if t := types.UnwrapResource(d.Model.SymbolType(s)); t == nil || !t.IsAz() {
		return false
	}
	return d.readsIdentifier(n, loop) || d.callsFunction(n) ||
		d.isInProperty(n, "parent") || d.isInProperty(n, "scope")
}

func (d *dependencyFinder) readsIdentifier(n syntax.Expr, loop bool) bool {
	switch p := d.binding.Parent(n).(type) {
	case *syntax.NonNull:
		return d.readsIdentifier(p, loop)
	case *syntax.PropertyAccess:
		return IsIdentityProperty(p.Name.Name)
	case *syntax.Index:
		t := d.Model.TypeOf(p.Index)
		if s, ok := t.(*types.StringLiteral); ok {
			return IsIdentityProperty(s.Value)
		}
		return loop && types.AreAssignable(t, types.TInt) && d.readsIdentifier(p, loop)
	}
	return false
}

// IsIdentityProperty reports whether a property says which resource is meant: it is known
// from the resource's declaration.
func IsIdentityProperty(name string) bool {
	switch name {
	case "id", "name", "type", "apiVersion":
		return true
	}
	return false
}

func (d *dependencyFinder) callsFunction(n syntax.Expr) bool {
	switch p := d.binding.Parent(n).(type) {
	case *syntax.NonNull:
		return d.callsFunction(p)
	case *syntax.InstanceCall:
		return p.X == n // an argument is read whole
	case *syntax.Index:
		r, ok := d.Model.Symbol(p.X).(*bind.Resource)
		return ok && syntax.IsLoop(r.Stmt.Value) && types.AreAssignable(d.Model.TypeOf(p.Index), types.TInt) && d.callsFunction(p)
	}
	return false
}

// isInProperty reports whether n is in a property of the current declaration itself.
func (d *dependencyFinder) isInProperty(n syntax.Node, name string) bool {
	p := d.body.Property(name)
	return p != nil && Within(n, p)
}

// dropVars leaves out variables that need nothing, and those that then need
// nothing any more. Each dependency is looked at once.
func (d *dependencyFinder) dropVars() {
	if len(d.vars) == 0 {
		return
	}
	users := map[bind.Declared][]*bind.Var{}
	left := make(map[bind.Declared]int, len(d.vars)) // how many needs a variable still has
	empty := map[bind.Declared]bool{}
	var queue []*bind.Var
	for _, v := range d.vars {
		left[v] = len(d.needs[v])
		if left[v] == 0 {
			empty[v] = true
			queue = append(queue, v)
		}
		for _, need := range d.needs[v] {
			if _, ok := need.On.(*bind.Var); ok {
				users[need.On] = append(users[need.On], v)
			}
		}
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, user := range users[v] {
			if left[user]--; left[user] == 0 {
				empty[user] = true
				queue = append(queue, user)
			}
		}
	}
	for s, list := range d.needs {
		d.needs[s] = slices.DeleteFunc(list, func(need Dependency) bool { return empty[need.On] })
	}
}
