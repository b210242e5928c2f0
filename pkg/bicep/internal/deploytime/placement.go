package deploytime

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// placement checks functions that may be called only in certain places: getSecret
// as the value of a module's secure parameter, and those that must be the whole
// value of a declaration.
func (c *checker) placement() {
	if c.called&(types.ModuleSecureParameterOnly|types.DirectAssignment) == 0 {
		return
	}
	type region uint8
	const (
		elsewhere region = iota
		inModule
		inParams
		inConfigs
	)
	at := elsewhere
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		outer := at
		switch n := n.(type) {
		case *syntax.Module:
			if _, bad := c.m.TypeOf(n).(*types.Error); bad {
				return
			}
			at = inModule
		case *syntax.Property:
			if id, ok := n.Key.(*syntax.Ident); ok && at != elsewhere {
				switch id.Name {
				case "params":
					at = inParams
				case "extensionConfigs":
					at = inConfigs
				}
			}
		case *syntax.Call, *syntax.InstanceCall:
			c.placeOf(n, at == inParams || at == inConfigs)
		}
		c.m.Tree().Children(n, visit)
		at = outer
	}
	visit(c.m.Tree())
}

// placeOf checks where a call is. secret is set where a module may be given secrets.
func (c *checker) placeOf(call syntax.Node, secret bool) {
	flags, _ := c.flags(call)
	if flags&(types.ModuleSecureParameterOnly|types.DirectAssignment) == 0 {
		return
	}
	name, _, _ := syntax.CallName(call)
	up := c.assignedTo(call)
	if flags&types.ModuleSecureParameterOnly != 0 && !(secret && c.isSecureProperty(up)) {
		c.report(diag.BCP180.At(call.Span(), name.Name))
	}
	if flags&types.DirectAssignment != 0 && !c.isKnown(up) {
		c.report(diag.BCP351.At(call.Span(), name.Name))
	}
}

// assignedTo returns what holds an expression, past conditional expressions.
func (c *checker) assignedTo(n syntax.Node) syntax.Node {
	for {
		n = c.parent(n)
		if _, ok := n.(*syntax.Ternary); !ok {
			return n
		}
	}
}

// isKnown reports whether what holds an expression is a declaration or a
// property that is declared.
func (c *checker) isKnown(n syntax.Node) bool {
	if n == nil {
		return false
	}
	switch n := n.(type) {
	case *syntax.Property:
		if c.typeProperty(n) != nil {
			return true
		}
		if _, ok := n.KeyName(); !ok {
			return false
		}
		o, ok := c.m.DeclaredType(c.parent(n)).(*types.Object)
		return ok && o.Additional != nil && !o.Additional.Flags.Has(types.FallbackProperty)
	case *syntax.Call, *syntax.InstanceCall:
		return false // an argument is a value by itself
	}
	return c.m.Symbol(n) != nil
}

// isSecureProperty reports whether n assigns a property that is declared to hold a secret.
func (c *checker) isSecureProperty(n syntax.Node) bool {
	p, ok := n.(*syntax.Property)
	if !ok {
		return false
	}
	declared := c.typeProperty(p)
	if declared == nil {
		return false
	}
	t := declared.Type.Type()
	if bare := types.RemoveNullability(t); bare != nil {
		t = bare
	}
	return t.Flags().Has(types.IsSecure)
}

// integers refuses literals beyond 64 bits. The lowest integer is a minus and a literal that
// is one too high.
func (c *checker) integers() {
	for _, n := range c.largeInts {
		u, negative := c.parent(n).(*syntax.Unary)
		switch {
		case negative && u.Op == syntax.Minus:
			if n.Value > math.MaxInt64+1 {
				c.report(diag.BCP010.At(u.Span()))
			}
		default:
			c.report(diag.BCP010.At(n.Span()))
		}
	}
}

// extensionReferences refuses names of extensions other than before a dot, and
// in the configurations that a module is given.
func (c *checker) extensionReferences() {
	if len(c.m.Binding().Extensions) == 0 {
		return
	}
	var module, configs bool
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Module:
			module = true
			c.m.Tree().Children(n, visit)
			module = false
			return
		case *syntax.Property:
			if name, ok := n.KeyName(); ok && name == "extensionConfigs" && module && !configs && c.isModuleBody(c.parent(n)) {
				configs = true
				c.m.Tree().Children(n, visit)
				configs = false
				return
			}
		case *syntax.VarRef:
			if _, ok := c.m.Symbol(n).(*bind.ExtensionNamespace); ok && !(configs && c.m.Features().ModuleExtensionConfigs) {
				call, ok := c.parent(n).(*syntax.InstanceCall)
				if !ok || call.X != syntax.Expr(n) {
					c.report(diag.BCP418.At(n.Span()))
				}
			}
		}
		c.m.Tree().Children(n, visit)
	}
	visit(c.m.Tree())
}

// isModuleBody reports whether n is the object that a module is given, also in a loop.
func (c *checker) isModuleBody(n syntax.Node) bool {
	if _, ok := n.(*syntax.Object); !ok {
		return false
	}
	p := c.parent(n)
	if loop, ok := p.(*syntax.For); ok {
		p = c.parent(loop)
	}
	_, ok := p.(*syntax.Module)
	return ok
}

// parents requires that a parent is a resource by name, since its name and type
// must be known.
func (c *checker) parents() {
	for _, r := range c.m.Binding().Resources {
		body := syntax.Body(r.Stmt.Value)
		if body == nil {
			continue
		}
		value := body.PropertyValue("parent")
		if value == nil {
			continue
		}
		base := value
		if i, ok := base.(*syntax.Index); ok {
			base = i.X
		}
		if c.analysis.Resources.At(base) != nil {
			continue
		}
		if _, bad := c.m.TypeOf(base).(*types.Error); !bad {
			c.report(diag.BCP240.At(value.Span()))
		}
	}
}

// safeCollectionAccess refuses r[?i], since all members of a collection exist.
func (c *checker) safeCollectionAccess() {
	for _, i := range c.safeIndexes {
		if bind.IsLoop(c.m.Symbol(i.X)) {
			mark := i.Open
			mark.Start, mark.End = mark.End, mark.End+1
			c.report(diag.BCP323.At(mark))
		}
	}
}

// wholeResourceTypes refuses resourceInput<…> without a part after it, since a template can
// describe only parts of a resource's type.
func (c *checker) wholeResourceTypes() {
	for _, t := range c.typeCalls {
		if c.isResourceDerived(t) && c.m.Instance(t).Resource != nil && !c.isPartTaken(c.parent(t)) {
			c.report(diag.BCP394.At(t.Span()))
		}
	}
}

// isResourceDerived reports whether t is resourceInput<…> or resourceOutput<…> of the sys namespace.
func (c *checker) isResourceDerived(t syntax.TypeExpr) bool {
	switch t := t.(type) {
	case *syntax.TypeCall:
		s, ok := c.m.Symbol(t).(*bind.AmbientType)
		return ok && s.Namespace != nil && s.Namespace.Settings.ExtensionName == "sys" && isDerivedName(t.Name.Name)
	case *syntax.InstanceTypeCall:
		s, ok := c.m.Symbol(t.X).(*bind.BuiltInNamespace)
		if !ok {
			return false
		}
		ns, ok := s.Type.(*types.Namespace)
		return ok && ns.Settings.ExtensionName == "sys" && isDerivedName(t.Name.Name)
	}
	return false
}

func isDerivedName(name string) bool { return name == "resourceInput" || name == "resourceOutput" }

func (c *checker) isPartTaken(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.NullableType:
		return c.isPartTaken(c.parent(n))
	case *syntax.TypePropertyAccess, *syntax.TypeItems, *syntax.TypeRestAccess, *syntax.TypeIndex:
		return true
	}
	return false
}
