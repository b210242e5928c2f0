package secrecy

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// typed follows what a file gives to places that types call secret: a property of a resource, an output, a configuration,
// a function's parameter. A value that stands there as a text is in the template, and in no message.
func (s *Program) typed(f *file) {
	m := f.model
	m.Tree().Walk(m.Tree(), func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Resource:
			s.give(m, n.Value, m.DeclaredType(n), 0)
		case *syntax.Module:
			s.give(m, n.Value, m.DeclaredType(n), 0)
		case *syntax.Output:
			s.give(m, n.Value, m.DeclaredType(n), 0)
		case *syntax.Var:
			s.give(m, n.Value, m.DeclaredType(n), 0)
		case *syntax.WithClause:
			s.give(m, n.Config, m.DeclaredType(n.Config), 0)
		case *syntax.TypedLambda:
			if l, ok := m.DeclaredType(n).(*types.Lambda); ok {
				s.give(m, n.Body, l.Return.Type(), 0)
			}
		case *syntax.Call:
			s.giveArguments(m, n, n.Args)
		case *syntax.InstanceCall:
			s.giveArguments(m, n, n.Args)
		}
		return true
	})
}

func (s *Program) giveArguments(m *check.Model, call syntax.Expr, args []syntax.Expr) {
	kind, owner, lambda := s.kind(m, call)
	if kind != callUser {
		return
	}
	for i, p := range lambda.Params[:min(len(args), len(lambda.Params))] {
		s.give(m, args[i], owner.DeclaredType(p), 0)
	}
}

// caller gives a template its parameters.
type caller struct {
	model  *check.Model
	params syntax.Expr                  // of a module
	assign map[string]*bind.ParamAssign // of a parameter file
}

func (s *Program) findCallers() {
	s.callers = map[*check.Model][]caller{}
	add := func(t check.Signature, c caller) {
		if m, ok := t.(*check.Model); ok {
			s.callers[m] = append(s.callers[m], c)
		}
	}
	for _, f := range s.files {
		if f == nil {
			continue
		}
		for _, module := range f.model.Binding().Modules {
			if body := syntax.Body(module.Stmt.Value); body != nil {
				add(f.model.Referenced(module.Stmt), caller{model: f.model, params: body.PropertyValue("params")})
			}
		}
		if used, _ := f.model.Used(); used != nil && f.model.IsParams() {
			byName := map[string]*bind.ParamAssign{}
			for _, p := range f.model.Binding().ParamAssigns {
				byName[p.Name()] = p
			}
			add(used, caller{model: f.model, assign: byName})
		}
	}
}

// flowParam follows a parameter of a template to its default and to what it is given.
func (s *Program) flowParam(m *check.Model, p *bind.Param, r route) {
	if s.callers == nil {
		return
	}
	owner := s.owner(m, p)
	if p.Stmt.Default != nil {
		s.flow(owner, p.Stmt.Default.Value, r)
	}
	for _, c := range s.callers[owner] {
		if c.params != nil {
			s.flow(c.model, c.params, step(p.Name()).then(r))
		}
		if a := c.assign[p.Name()]; a != nil {
			s.flow(s.owner(c.model, a), a.Stmt.Value, r)
		}
	}
}

// maxGiven bounds how deep values and types are followed together.
const maxGiven = 200

// give follows the value of something that has a type of which parts are secure. What
// the type does not know may be a secret under a wrong name.
func (s *Program) give(m *check.Model, x syntax.Expr, t types.Type, depth int) {
	switch body := t.(type) {
	case nil:
		return
	case *types.Resource:
		t = body.Body.Type()
	case *types.Module:
		t = body.Body.Type()
	}
	if depth > maxGiven || t.Flags().Has(types.IsSecure) {
		s.flow(m, x, "")
		return
	}
	if !isCompound(t) {
		return
	}
	switch x := x.(type) {
	case *syntax.Paren:
		s.give(m, x.X, t, depth)
		return
	case *syntax.NonNull:
		s.give(m, x.X, t, depth)
		return
	case *syntax.If:
		s.give(m, x.Body, t, depth)
		return
	case *syntax.Ternary:
		s.give(m, x.Then, t, depth)
		s.give(m, x.Else, t, depth)
		return
	case *syntax.For:
		eachItem(t, -1, func(t types.Type) { s.give(m, x.Body, t, depth+1) })
		return
	case *syntax.Object:
		fits := false
		eachObject(t, func(*types.Object) { fits = true })
		if fits {
			s.giveObject(m, x, t, depth)
			return
		}
	case *syntax.Array:
		fits := false
		for i, item := range x.Items {
			if spread, ok := item.(*syntax.Spread); ok {
				s.give(m, spread.X, t, depth+1)
				continue
			}
			eachItem(t, i, func(t types.Type) { fits = true; s.give(m, item, t, depth+1) })
		}
		if fits {
			return
		}
	case *syntax.VarRef:
		if owner, value, r := s.target(m, m.Symbol(x), ""); value != nil && r == "" {
			s.give(owner, value, t, depth+1)
			return
		}
	}
	s.giveParts(m, x, t, "", 0)
}

// isCompound reports whether values of a type have parts.
func isCompound(t types.Type) bool {
	switch t := t.(type) {
	case *types.Object, *types.DiscriminatedObject, *types.Namespace, *types.Array, *types.Tuple:
		return true
	case *types.Union:
		for _, member := range t.Members {
			if m := member.Type(); m.Flags().Has(types.IsSecure) || isCompound(m) {
				return true
			}
		}
	}
	return false
}

// eachObject calls f for the types of objects among those that a value can have.
func eachObject(t types.Type, f func(*types.Object)) {
	switch t := t.(type) {
	case *types.Object:
		f(t)
	case *types.Namespace:
		eachObject(t.Object, f)
	case *types.DiscriminatedObject:
		for _, member := range t.Members {
			f(member.Object)
		}
	case *types.Union:
		for _, member := range t.Members {
			eachObject(member.Type(), f)
		}
	}
}

// eachItem calls f for the types that an item of an array can have; a negative index is that of any item.
func eachItem(t types.Type, index int, f func(types.Type)) {
	switch t := t.(type) {
	case *types.Array:
		f(t.Item.Type())
	case *types.Tuple:
		for i, item := range t.Items {
			if index < 0 || i == index {
				f(item.Type())
			}
		}
	case *types.Union:
		for _, member := range t.Members {
			eachItem(member.Type(), index, f)
		}
	}
}

func (s *Program) giveObject(m *check.Model, o *syntax.Object, t types.Type, depth int) {
	for _, item := range o.Items {
		known := false
		eachObject(t, func(t *types.Object) {
			switch item := item.(type) {
			case *syntax.Spread:
				known = true
				s.give(m, item.X, t, depth+1)
			case *syntax.Property:
				name, plain := item.KeyName()
				if declared := t.Property(name); plain && declared != nil {
					known = true
					s.give(m, item.Value, declared.Type.Type(), depth+1)
				} else if plain && t.HasExplicitAdditional() {
					known = true
					s.give(m, item.Value, t.Additional.Type.Type(), depth+1)
				}
			}
		})
		if !known && lacksSecret(o, t) {
			s.flowItem(m, item)
		}
	}
}

// lacksSecret reports whether an object does not set a property with secrets: one with a wrong name may be meant to be it.
func lacksSecret(o *syntax.Object, t types.Type) bool {
	lacks := false
	eachObject(t, func(t *types.Object) {
		for _, p := range t.Properties() {
			lacks = lacks || o.PropertyValue(p.Name) == nil && hasSecrets(p.Type.Type(), map[types.Type]bool{})
		}
	})
	return lacks
}

// giveParts follows the secret parts of a value that is not written out here.
func (s *Program) giveParts(m *check.Model, x syntax.Expr, t types.Type, r route, depth int) {
	switch {
	case t.Flags().Has(types.IsSecure):
		s.flow(m, x, r)
	case depth <= maxParts && hasSecrets(t, map[types.Type]bool{}):
		eachPart(t, func(next route, t types.Type) { s.giveParts(m, x, t, r.then(next), depth+1) })
	}
}

// hasSecrets is types.HasSecrets that looks into the choices between objects as well.
func hasSecrets(t types.Type, seen map[types.Type]bool) bool {
	found := t.Flags().Has(types.IsSecure)
	if found || seen[t] {
		return found
	}
	seen[t] = true
	eachPart(t, func(_ route, t types.Type) { found = found || hasSecrets(t, seen) })
	return found
}

// eachPart calls f for the types of the parts that a value can have, and for those of the choices that a type is made of.
func eachPart(t types.Type, f func(route, types.Type)) {
	if u, ok := t.(*types.Union); ok {
		for _, member := range u.Members {
			f("", member.Type())
		}
		return
	}
	eachObject(t, func(o *types.Object) {
		for _, p := range o.Properties() {
			f(step(p.Name), p.Type.Type())
		}
		if o.HasExplicitAdditional() {
			f(step(each), o.Additional.Type.Type())
		}
	})
	eachItem(t, -1, func(t types.Type) { f(step(each), t) })
}
