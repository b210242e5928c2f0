package deploytime

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// An identity is a text: two resources are the same if their texts are equal. A value that
// is not known before the deployment is identified by its node, since two expressions may
// have different values.

// alike groups things with the same key, in the order of the source.
type alike struct {
	list   []namedPlace
	groups map[string]group
	room   int    // of groups
	upper  []byte // the name that was added last, in upper case
}

// group holds the first and the last place in the list of things with the same key.
type group struct{ first, last int32 }

type namedPlace struct {
	name string
	at   source.Span
	next int32 // the place in the list of the next one with the same key; 0 at the last
	more bool  // there is one before it
}

// begin forgets all things. There is room for n.
func (a *alike) begin(n int) {
	a.list = slices.Grow(a.list[:0], n)
	if a.groups == nil || a.room > 2*n+16 { // to clear a large map for few things would take long
		a.groups = make(map[string]group, n)
		a.room = n
	}
	clear(a.groups)
	a.room = max(a.room, n)
}

func (a *alike) add(key []byte, name string, at source.Span) {
	place := int32(len(a.list))
	g, known := a.groups[string(key)]
	if known {
		a.list[g.last].next = place
	} else {
		g.first = place
	}
	g.last = place
	a.groups[string(key)] = g
	a.list = append(a.list, namedPlace{name: name, at: at, more: known})
}

// addName adds a name, of which letter case does not count.
func (a *alike) addName(name string, at source.Span) {
	a.upper = append(a.upper[:0], name...)
	for i, c := range a.upper {
		switch {
		case 'a' <= c && c <= 'z':
			a.upper[i] = c - 'a' + 'A'
		case c >= utf8.RuneSelf:
			a.add([]byte(strings.ToUpper(name)), name, at)
			return
		}
	}
	a.add(a.upper, name, at)
}

// several calls f with each group of more than one thing.
func (a *alike) several(take func(group []namedPlace)) {
	for i := range a.list {
		if d := a.list[i]; d.next == 0 || d.more {
			continue
		}
		group := []namedPlace{a.list[i]}
		for d := a.list[i]; d.next != 0; {
			d = a.list[d.next]
			group = append(group, d)
		}
		take(group)
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

// duplicateIdentities refuses two resources, or two modules, that are the same in the
// deployment, because they have the same type, scope and name. Those with conditions are
// accepted, since the conditions may exclude each other.
func (c *checker) duplicateIdentities() {
	declared := c.analysis.Resources.Declared()
	c.alike.begin(len(declared))
	for _, r := range declared {
		name := r.NameExpr()
		if !r.IsAz() || name == nil || !c.always(r.Symbol.Stmt.Value) {
			continue
		}
		if key, ok := c.resourceIdentity(r, name); ok {
			c.alike.add(key, r.Symbol.Name(), name.Span())
		}
	}
	c.identical(diag.BCP121)
	c.alike.begin(len(c.m.Binding().Modules))
	for _, m := range c.m.Binding().Modules {
		name := syntax.Body(m.Stmt.Value).PropertyValue("name")
		if name == nil || !c.always(m.Stmt.Value) {
			continue // a module without a name gets one of its own
		}
		if key, ok := c.moduleIdentity(m, name); ok {
			c.alike.add(key, m.Name(), name.Span())
		}
	}
	c.identical(diag.BCP122)
}

func (c *checker) identical(kind diag.Kind) {
	c.alike.several(func(group []namedPlace) {
		names := listed(group)
		for _, d := range group {
			c.report(kind.At(d.at, names))
		}
	})
}

// always reports whether there is no condition, or one that is always true.
func (c *checker) always(value syntax.Expr) bool {
	cond := syntax.Condition(value)
	if cond == nil {
		return true
	}
	b, ok := c.m.TypeOf(cond).(*types.BoolLiteral)
	return ok && b.Value
}

// resourceIdentity returns the identity of a resource. It is valid until the next call.
func (c *checker) resourceIdentity(r *resources.Resource, name syntax.Expr) ([]byte, bool) {
	scope := c.analysis.Resources.Scope(r)
	if scope == nil {
		return nil, false
	}
	child := r
	for ; scope.Inherited != nil; scope = scope.Inherited {
		if c.scopeMoves(scope, child) {
			return nil, false
		}
		child = scope.Via.Resource
	}
	// The deployment ignores the case of types, but the official compiler tells
	// those apart that differ in it.
	b := append(c.identity[:0], r.TypeRef().Type...)
	b = append(b, '\n')
	b = strconv.AppendInt(b, int64(scope.Requested), 10)
	for _, x := range [...]syntax.Expr{scope.ManagementGroup, scope.SubscriptionID, scope.ResourceGroup, scope.Index} {
		b = appendNode(b, x)
	}
	if scope.Resource != nil && scope.Resource.Symbol != nil {
		b = appendNode(b, scope.Resource.Symbol.Stmt)
	}
	for _, a := range c.analysis.Resources.Ancestors(r) {
		if n := a.Resource.NameExpr(); n != nil {
			b = c.appendSegment(b, n)
		}
		if a.Index != nil {
			b = c.appendSegment(b, a.Index)
		}
	}
	c.identity = c.appendSegment(b, name)
	return c.identity, true
}

// scopeMoves reports whether the scope that a child inherits from its parent is written
// again for the child. The official compiler then treats it as another scope.
func (c *checker) scopeMoves(scope *resources.Scope, child *resources.Resource) bool {
	if scope.Resource != nil {
		return true
	}
	parts := []syntax.Expr{scope.ManagementGroup, scope.SubscriptionID, scope.ResourceGroup, scope.Index}
	return slices.ContainsFunc(parts, func(x syntax.Expr) bool {
		return x != nil && scope.Via.Index != nil && len(c.analysis.LostLocals(x, child.NameExpr())) > 0
	})
}

// moduleIdentity is resourceIdentity for a module.
func (c *checker) moduleIdentity(m *bind.Module, name syntax.Expr) ([]byte, bool) {
	scope := c.analysis.Resources.ModuleScope(m)
	if scope == nil {
		return nil, false
	}
	b := c.identity[:0]
	for _, x := range [...]syntax.Expr{scope.ManagementGroup, scope.SubscriptionID, scope.ResourceGroup} {
		if x == nil {
			b = append(b, '\n')
			continue
		}
		b = c.appendSegment(b, x)
	}
	c.identity = c.appendSegment(b, name)
	return c.identity, true
}

// appendSegment appends the value of x if it is a known string or number, and otherwise the
// ID of its node.
func (c *checker) appendSegment(b []byte, x syntax.Expr) []byte {
	switch t := c.m.TypeOf(x).(type) {
	case *types.StringLiteral:
		// The length comes first, since a value may contain the separator.
		b = append(b, "\n='"...)
		b = strconv.AppendInt(b, int64(len(t.Value)), 10)
		b = append(b, ':')
		return append(b, t.Value...)
	case *types.IntLiteral:
		return strconv.AppendInt(append(b, "\n="...), t.Value, 10)
	}
	return appendNode(b, x)
}

func appendNode(b []byte, n syntax.Node) []byte {
	b = append(b, "\n#"...)
	if n == nil {
		return b
	}
	return strconv.AppendInt(b, int64(n.ID()), 10)
}
