package rules

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// placement checks functions that may stand only in certain places: getSecret
// as the value of a module's secure parameter, and those that must be the whole
// value of a declaration.
func (c *checker) placement() {
	if c.called&(types.ModuleSecureParameterOnly|types.DirectAssignment) == 0 {
		return
	}
	const (
		inModule uint8 = iota + 1
		inParams
		inConfigs
	)
	var where []uint8
	var path []syntax.Node
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		path = append(path, n)
		depth := len(where)
		switch n := n.(type) {
		case *syntax.Module:
			if _, bad := c.m.TypeOf(n).(*types.Error); bad {
				path = path[:len(path)-1]
				return
			}
			where = append(where, inModule)
		case *syntax.Property:
			if id, ok := n.Key.(*syntax.Ident); ok && depth > 0 {
				switch head := where[depth-1]; {
				case id.Name == "params" && head != inParams:
					where = append(where, inParams)
				case id.Name == "extensionConfigs" && head != inConfigs:
					where = append(where, inConfigs)
				}
			}
		case *syntax.Call, *syntax.InstanceCall:
			if f, ok := c.flags(n); ok && f&(types.ModuleSecureParameterOnly|types.DirectAssignment) != 0 {
				up := c.assignedTo(path)
				name, _, _ := syntax.CallName(n)
				if f&types.ModuleSecureParameterOnly != 0 {
					head := uint8(0)
					if depth > 0 {
						head = where[depth-1]
					}
					if head != inParams && head != inConfigs || !c.isSecureProperty(up) {
						c.report(diag.BCP180.At(n.Span(), name.Name))
					}
				}
				if f&types.DirectAssignment != 0 && !c.isKnown(up) {
					c.report(diag.BCP351.At(n.Span(), name.Name))
				}
			}
		}
		syntax.Children(n, visit)
		where = where[:depth]
		path = path[:len(path)-1]
	}
	visit(c.m.Tree())
}

// assignedTo returns what holds the last node of the path, past conditional expressions.
func (c *checker) assignedTo(path []syntax.Node) syntax.Node {
	for i := len(path) - 2; i >= 0; i-- {
		if _, ok := path[i].(*syntax.Ternary); !ok {
			return path[i]
		}
	}
	return nil
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

// integers refuses literals beyond 64 bits. The lowest one is written as a minus and a number one too high.
func (c *checker) integers() {
	for _, n := range c.ints {
		u, negative := c.parent(n).(*syntax.Unary)
		switch {
		case negative && u.Op == syntax.Minus:
			if n.Value > math.MaxInt64+1 {
				c.report(diag.BCP010.At(u.Span()))
			}
		case n.Value > math.MaxInt64:
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
			syntax.Children(n, visit)
			module = false
			return
		case *syntax.Property:
			if name, ok := n.KeyName(); ok && name == "extensionConfigs" && module && !configs && c.isModuleBody(c.parent(n)) {
				configs = true
				syntax.Children(n, visit)
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
		syntax.Children(n, visit)
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

// moduleProperties refuses params and extensionConfigs that are not written
// out: each value in them is wrapped in a template, which needs its name.
func (c *checker) moduleProperties() {
	for _, m := range c.m.Binding().Modules {
		body := syntax.Body(m.Stmt.Value)
		if body == nil {
			continue
		}
		c.writtenOut(body.PropertyValue("params"), "params")
		if !c.m.Features().ModuleExtensionConfigs {
			continue
		}
		configs := body.PropertyValue("extensionConfigs")
		c.writtenOut(configs, "extensionConfigs")
		object, ok := configs.(*syntax.Object)
		if !ok {
			continue
		}
		for _, item := range object.Items {
			p, ok := item.(*syntax.Property)
			if !ok {
				continue
			}
			switch p.Value.(type) {
			case *syntax.Skipped, *syntax.Object:
			default:
				if !c.isExtensionConfig(p.Value) {
					name, _ := p.KeyName()
					c.report(diag.BCP431.At(p.Span(), name))
				}
			}
		}
	}
}

func (c *checker) writtenOut(value syntax.Expr, name string) {
	switch value.(type) {
	case nil, *syntax.Object, *syntax.Skipped:
	default:
		c.report(diag.BCP183.At(value.Span(), name))
	}
}

// isExtensionConfig reports whether x is the configuration of an extension of
// this file, or chooses between two of them.
func (c *checker) isExtensionConfig(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Paren:
		return c.isExtensionConfig(x.X)
	case *syntax.Ternary:
		return c.isExtensionConfig(x.Then) && c.isExtensionConfig(x.Else)
	case *syntax.PropertyAccess:
		return x.Name.Name == "config" && c.isExtension(x.X)
	case *syntax.Index:
		s, ok := x.Index.(*syntax.String)
		if !ok {
			return false
		}
		name, ok := s.Literal()
		return ok && name == "config" && c.isExtension(x.X)
	}
	return false
}

func (c *checker) isExtension(x syntax.Expr) bool {
	_, ok := c.m.Symbol(x).(*bind.ExtensionNamespace)
	return ok
}

// spreads refuses ... where every property must be known by its name.
func (c *checker) spreads() {
	inBody := func(o *syntax.Object) {
		for _, item := range o.Items {
			if s, ok := item.(*syntax.Spread); ok {
				c.report(diag.BCP401.At(s.Span()))
			}
		}
	}
	for _, m := range c.m.Binding().Modules {
		body := syntax.Body(m.Stmt.Value)
		if body == nil {
			continue
		}
		inBody(body)
		if params, ok := body.PropertyValue("params").(*syntax.Object); ok {
			inBody(params)
		}
		configs, ok := body.PropertyValue("extensionConfigs").(*syntax.Object)
		if !ok || !c.m.Features().ModuleExtensionConfigs {
			continue
		}
		inBody(configs)
		for _, item := range configs.Items {
			if p, ok := item.(*syntax.Property); ok {
				if config, ok := p.Value.(*syntax.Object); ok {
					inBody(config)
				}
			}
		}
	}
	for _, r := range c.m.Binding().Resources {
		if body := syntax.Body(r.Stmt.Value); body != nil {
			inBody(body)
		}
	}
	for _, s := range c.spreads_ {
		object, ok := c.parent(s).(*syntax.Object)
		if !ok {
			continue
		}
		if c.holdsPropertyLoop(object) {
			c.report(diag.BCP417.At(s.Span()))
		}
		if with, ok := c.parent(object).(*syntax.WithClause); ok && !c.isUsing(with) {
			c.report(diag.BCP401.At(s.Span()))
		}
	}
}

func (c *checker) isUsing(n syntax.Node) bool {
	_, ok := c.parent(n).(*syntax.Using)
	return ok
}

func (c *checker) holdsPropertyLoop(o *syntax.Object) bool {
	found := false
	syntax.Walk(o, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.Property); ok {
			if _, loop := p.Value.(*syntax.For); loop {
				found = true
			}
		}
		return !found
	})
	return found
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
		if c.m.Resource(base) != nil {
			continue
		}
		if _, bad := c.m.TypeOf(base).(*types.Error); !bad {
			c.report(diag.BCP240.At(value.Span()))
		}
	}
}

// moduleOutputResources refuses reads of resources that a module's output
// names, other than of what identifies them.
func (c *checker) moduleOutputResources() {
	for _, a := range c.accesses {
		p, ok := a.(*syntax.PropertyAccess)
		if !ok || !c.isOutputResource(p.X) {
			continue
		}
		switch p.Name.Name {
		case "id", "name", "type", "apiVersion":
		default:
			c.report(diag.BCP320.At(p.Span()))
		}
	}
	for _, x := range c.calls {
		if call, ok := x.(*syntax.InstanceCall); ok && call.Name.Name != "getSecret" && c.isOutputResource(call.X) {
			c.report(diag.BCP320.At(call.Span()))
		}
	}
}

func (c *checker) isOutputResource(x syntax.Expr) bool {
	r := c.m.Resource(x)
	return r != nil && r.Module != nil
}

// safeCollectionAccess refuses r[?i]: a collection's members are there.
func (c *checker) safeCollectionAccess() {
	for _, a := range c.accesses {
		if i, ok := a.(*syntax.Index); ok && i.Safe && isCollection(c.m.Symbol(i.X)) {
			mark := i.Open
			mark.Start, mark.End = mark.End, mark.End+1
			c.report(diag.BCP323.At(mark))
		}
	}
}

// secureOutputs checks how secret outputs of modules are read: only of a module
// that is named, since the call that fetches them needs it.
func (c *checker) secureOutputs() {
	if c.m.TargetScope() == types.ScopeLocal {
		for _, m := range c.m.Binding().Modules {
			t := c.m.Referenced(m.Stmt)
			if t == nil {
				continue
			}
			for _, o := range t.Outputs() {
				if o.Secure {
					c.report(diag.BCP421.At(m.NameSpan(), m.Name()))
					break
				}
			}
		}
	}
	for _, a := range c.accesses {
		outputs, ok := a.Base().(syntax.Access)
		if !ok || !readsOutputs(outputs) {
			continue
		}
		module := outputs.Base()
		if c.isNamedModule(module) {
			continue
		}
		if !isModule(c.m.TypeOf(module)) || !types.HasSecrets(c.m.TypeOf(a)) {
			continue
		}
		switch a := a.(type) {
		case *syntax.PropertyAccess:
			c.report(diag.BCP426.At(a.Name.Span()))
		case *syntax.Index:
			c.report(diag.BCP426.At(a.Index.Span()))
		}
	}
}

// isModule reports whether every value of the type is a module.
func isModule(t types.Type) bool {
	switch t := t.(type) {
	case *types.Module:
		return true
	case *types.Union:
		for _, m := range t.Members {
			if !isModule(m.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

func readsOutputs(a syntax.Access) bool {
	switch a := a.(type) {
	case *syntax.PropertyAccess:
		return a.Name.Name == "outputs"
	case *syntax.Index:
		s, ok := a.Index.(*syntax.String)
		if !ok {
			return false
		}
		name, ok := s.Literal()
		return ok && name == "outputs"
	}
	return false
}

// isNamedModule reports whether x is a module by name, or one of a loop of them.
func (c *checker) isNamedModule(x syntax.Expr) bool {
	if _, ok := c.m.Symbol(x).(*bind.Module); ok {
		return true
	}
	i, ok := unwrapNonNull(x).(*syntax.Index)
	if !ok {
		return false
	}
	m, ok := c.m.Symbol(i.X).(*bind.Module)
	return ok && isCollection(m)
}
