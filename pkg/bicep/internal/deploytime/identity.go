package deploytime

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// An identity is put together as text: two things are one if their texts are
// equal. What is not known before the deployment is identified by the node that
// says it, since two expressions may come to different values.

// alike groups what has one key, in the order of the source.
type alike struct {
	order  []string
	groups map[string][]namedPlace
}

type namedPlace struct {
	name string
	at   source.Span
}

func (a *alike) add(key, name string, at source.Span) {
	if a.groups == nil {
		a.groups = map[string][]namedPlace{}
	}
	if _, ok := a.groups[key]; !ok {
		a.order = append(a.order, key)
	}
	a.groups[key] = append(a.groups[key], namedPlace{name, at})
}

// several hands over the groups of more than one.
func (a *alike) several(take func(group []namedPlace)) {
	for _, key := range a.order {
		if group := a.groups[key]; len(group) > 1 {
			take(group)
		}
	}
}

// listed writes the names of a group for a message.
func listed(group []namedPlace) string {
	names := make([]string, len(group))
	for i, d := range group {
		names[i] = d.name
	}
	return diag.Names(names)
}

// duplicateIdentities refuses two resources, or two modules, that are one and
// the same in the deployment: of one type, scope and name. Those under a
// condition may exclude each other.
func (c *checker) duplicateIdentities() {
	var resources, modules alike
	for _, r := range c.analysis.Resources.Declared() {
		name := r.NameExpr()
		if !r.IsAz() || name == nil || !c.always(r.Symbol.Stmt.Value) {
			continue
		}
		if key, ok := c.resourceIdentity(r, name); ok {
			resources.add(key, r.Symbol.Name(), name.Span())
		}
	}
	c.identical(diag.BCP121, &resources)
	for _, m := range c.m.Binding().Modules {
		name := syntax.Body(m.Stmt.Value).PropertyValue("name")
		if name == nil || !c.always(m.Stmt.Value) {
			continue // a module without a name gets one of its own
		}
		if key, ok := c.moduleIdentity(m, name); ok {
			modules.add(key, m.Name(), name.Span())
		}
	}
	c.identical(diag.BCP122, &modules)
}

func (c *checker) identical(kind diag.Kind, a *alike) {
	a.several(func(group []namedPlace) {
		names := listed(group)
		for _, d := range group {
			c.report(kind.At(d.at, names))
		}
	})
}

// always reports whether there is no condition, or one that holds in any case.
func (c *checker) always(value syntax.Expr) bool {
	cond := syntax.Condition(value)
	if cond == nil {
		return true
	}
	b, ok := c.m.TypeOf(cond).(*types.BoolLiteral)
	return ok && b.Value
}

func (c *checker) resourceIdentity(r *resources.Resource, name syntax.Expr) (string, bool) {
	scope := c.analysis.Resources.Scope(r)
	if scope == nil {
		return "", false
	}
	child := r
	for ; scope.Inherited != nil; scope = scope.Inherited {
		if c.scopeMoves(scope, child) {
			return "", false
		}
		child = scope.Via.Resource
	}
	var b strings.Builder
	// The deployment ignores the case of types, but the official compiler tells
	// those apart that differ in it.
	b.WriteString(r.TypeRef().Type)
	b.WriteByte('\n')
	b.WriteString(strconv.Itoa(int(scope.Requested)))
	for _, x := range []syntax.Expr{scope.ManagementGroup, scope.SubscriptionID, scope.ResourceGroup, scope.Index} {
		writeNode(&b, x)
	}
	if scope.Resource != nil && scope.Resource.Symbol != nil {
		writeNode(&b, scope.Resource.Symbol.Stmt)
	}
	for _, a := range c.analysis.Resources.Ancestors(r) {
		if n := a.Resource.NameExpr(); n != nil {
			c.writeSegment(&b, n)
		}
		if a.Index != nil {
			c.writeSegment(&b, a.Index)
		}
	}
	c.writeSegment(&b, name)
	return b.String(), true
}

// scopeMoves reports whether the scope that a child takes over from its parent is
// written again for it. The official compiler then takes it for a scope of its own.
func (c *checker) scopeMoves(scope *resources.Scope, child *resources.Resource) bool {
	if scope.Resource != nil {
		return true
	}
	for _, x := range []syntax.Expr{scope.ManagementGroup, scope.SubscriptionID, scope.ResourceGroup, scope.Index} {
		if x != nil && scope.Via.Index != nil && len(c.analysis.LostLocals(x, child.NameExpr())) > 0 {
			return true
		}
	}
	return false
}

func (c *checker) moduleIdentity(m *bind.Module, name syntax.Expr) (string, bool) {
	scope := c.analysis.Resources.ModuleScope(m)
	if scope == nil {
		return "", false
	}
	var b strings.Builder
	for _, x := range []syntax.Expr{scope.ManagementGroup, scope.SubscriptionID, scope.ResourceGroup} {
		if x == nil {
			b.WriteByte('\n')
			continue
		}
		c.writeSegment(&b, x)
	}
	c.writeSegment(&b, name)
	return b.String(), true
}

// writeSegment writes the value of x, if it is a known string or number, or which node it is.
func (c *checker) writeSegment(b *strings.Builder, x syntax.Expr) {
	switch t := c.m.TypeOf(x).(type) {
	case *types.StringLiteral:
		// With its length, since a value may hold what stands between two.
		b.WriteString("\n='")
		b.WriteString(strconv.Itoa(len(t.Value)))
		b.WriteByte(':')
		b.WriteString(t.Value)
	case *types.IntLiteral:
		b.WriteString("\n=")
		b.WriteString(strconv.FormatInt(t.Value, 10))
	default:
		writeNode(b, x)
	}
}

func writeNode(b *strings.Builder, n syntax.Node) {
	b.WriteString("\n#")
	if n != nil {
		b.WriteString(strconv.Itoa(int(n.ID())))
	}
}
