package deploytime

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// identifiers are the properties that identify a resource.
var identifiers = [...]string{"name", "scope", "parent"}

// overrideInlined finds the properties that can be read early of existing resources that are
// written out where they are used. These are neither their IDs nor the identifying
// properties whose values are known late.
func (c *checker) overrideInlined() {
	inlined := c.analysis.Inlined().Resources
	if len(inlined) == 0 {
		return
	}
	c.inlinedBodies = map[*bind.Resource]*types.Object{}
	done := map[*bind.Resource]bool{}
	var visit func(r *bind.Resource)
	visit = func(r *bind.Resource) {
		if done[r] {
			return
		}
		done[r] = true
		// The resources that identify this one come first.
		syntax.Walk(r.Stmt, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.VarRef, *syntax.NestedAccess:
				if other, ok := c.m.Symbol(n).(*bind.Resource); ok {
					visit(other)
				}
			}
			return true
		})
		if inlined[r] {
			c.overrideBody(r)
		}
	}
	for _, r := range c.m.Binding().DeclaredResources() {
		visit(r)
	}
}

func (c *checker) overrideBody(r *bind.Resource) {
	body := c.body(r)
	if body == nil {
		return
	}
	late := map[string]bool{"id": true}
	object := syntax.Body(r.Stmt.Value)
	for _, name := range identifiers {
		if p := object.Property(name); p != nil && c.isLate(p) {
			late[name] = true
		}
	}
	c.inlinedBodies[r] = body.MapProperties(func(p types.Property) types.Property {
		if late[p.Name] {
			p.Flags &^= types.ReadableAtDeployTime
		}
		switch p.Name {
		case "id", "name", "scope", "parent":
			if !p.Flags.Has(types.ReadableAtDeployTime) {
				p.Flags &^= types.DeployTimeConstant
			}
		}
		return p
	})
}

// isLate reports whether the property's value is known only during the deployment.
func (c *checker) isLate(p *syntax.Property) bool {
	found := false
	quiet := *c
	// Other resources are not complete yet, so no result that depends on them is kept.
	quiet.constants = &constants{inlinedBodies: c.inlinedBodies, leaks: map[*bind.Var]*leak{}}
	quiet.report = func(diag.Diagnostic) { found = true }
	quiet.placed(place{node: p})
	return found
}

// resolve returns the resource or module that an expression stands for, or one
// of a collection, and the type of its body.
func (c *checker) resolve(x syntax.Expr) (bind.Declared, *types.Object) {
	i, ok := x.(*syntax.Index)
	if !ok {
		return c.resolveSymbol(x, false)
	}
	if _, named := c.m.TypeOf(i.Index).(*types.StringLiteral); named {
		return c.resolveSymbol(x, false)
	}
	return c.resolveSymbol(i.X, true)
}

func (c *checker) resolveSymbol(x syntax.Expr, collection bool) (bind.Declared, *types.Object) {
	switch s := c.m.Symbol(x).(type) {
	case *bind.Resource:
		if bind.IsLoop(s) != collection {
			return nil, nil
		}
		if body := c.inlinedBodies[s]; body != nil {
			return s, body
		}
		return s, c.body(s)
	case *bind.Module:
		if bind.IsLoop(s) == collection {
			return s, c.body(s)
		}
	case *bind.Param:
		if !collection {
			return s, c.body(s)
		}
	}
	return nil, nil
}

// resolveLate returns the existing resource that an expression stands for, if
// it is identified by values that are known only during the deployment.
func (c *checker) resolveLate(x syntax.Expr) (*bind.Resource, *types.Object) {
	s, body := c.resolve(x)
	r, ok := s.(*bind.Resource)
	if !ok || body == nil || !r.Stmt.IsExisting() {
		return nil, nil
	}
	if resource := c.analysis.Resources.At(r.Stmt); resource == nil || !resource.IsAz() {
		return nil, nil
	}
	for _, name := range identifiers {
		if p := body.Property(name); p != nil && !p.Flags.Has(types.ReadableAtDeployTime) {
			return r, body
		}
	}
	return nil, nil
}

// runtimeMembers reports reads of existing resources that are identified by
// values which are themselves known only during the deployment.
func (c *checker) runtimeMembers() {
	if len(c.inlinedBodies) == 0 {
		return
	}
	c.m.Tree().Walk(c.m.Tree(), func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Index:
			s, ok := n.Index.(*syntax.String)
			if !ok {
				return true
			}
			if r, body := c.resolveLate(n.X); r != nil {
				if name, plain := s.Literal(); !plain || c.isRuntime(name, body) {
					c.runtimeMember(n, r, body)
				}
			}
		case *syntax.PropertyAccess:
			if r, body := c.resolveLate(n.X); r != nil && c.isRuntime(n.Name.Name, body) {
				c.runtimeMember(n, r, body)
			}
		case *syntax.InstanceCall:
			if r, body := c.resolveLate(n.X); r != nil {
				if f, ok := c.flags(n); ok && f&types.RequiresInlining != 0 {
					c.runtimeMember(n, r, body)
				}
			}
		}
		return true
	})
}

func (c *checker) isRuntime(name string, body *types.Object) bool {
	p := body.Property(name)
	return p != nil && !flow.IsIdentityProperty(name) && !p.Flags.Has(types.ReadableAtDeployTime)
}

func (c *checker) runtimeMember(at syntax.Node, r *bind.Resource, body *types.Object) {
	names := []string{"id", "name"} // written out from the declaration
	for i := range body.Properties() {
		p := &body.Properties()[i]
		if p.Name != "id" && p.Name != "name" && p.Flags.Has(types.ReadableAtDeployTime) && !p.Flags.Has(types.WriteOnly) {
			names = append(names, p.Name)
		}
	}
	c.report(diag.BCP307.At(at.Span(), r.Name(), strings.Join(lateIdentifiers(body), ", "), strings.Join(names, ", ")))
}

func lateIdentifiers(body *types.Object) []string {
	var names []string
	for _, name := range identifiers {
		if p := body.Property(name); p != nil && !p.Flags.Has(types.ReadableAtDeployTime) {
			names = append(names, name)
		}
	}
	return names
}

// inlinedDependencies refuses dependsOn in, and on, existing resources that are
// not in the template.
func (c *checker) inlinedDependencies() {
	inlined := c.analysis.Inlined().Resources
	if len(inlined) == 0 {
		return
	}
	names := func(r *bind.Resource) string {
		if body := c.inlinedBodies[r]; body != nil {
			return strings.Join(lateIdentifiers(body), ", ")
		}
		return ""
	}
	for _, r := range c.m.Binding().Resources {
		p := syntax.Body(r.Stmt.Value).Property("dependsOn")
		if p == nil {
			continue
		}
		if inlined[r] {
			c.report(diag.BCP433.At(p.Span(), r.Name(), names(r)))
			continue
		}
		syntax.Walk(p.Value, func(n syntax.Node) bool {
			switch n.(type) {
			case *syntax.VarRef, *syntax.NestedAccess:
				if other, ok := c.m.Symbol(n).(*bind.Resource); ok && inlined[other] {
					c.report(diag.BCP434.At(n.Span(), r.Name(), other.Name(), names(other)))
				}
			}
			return true
		})
	}
}

// IsDeployTimeConstant reports whether the value of a property is known when the
// deployment begins.
func IsDeployTimeConstant(m *check.Model, p *syntax.Property) bool {
	late := false
	c := newChecker(m, func(diag.Diagnostic) { late = true })
	at := place{node: p}
	c.direct(p.Value, at)
	c.indirect(p.Value, at)
	return !late
}
