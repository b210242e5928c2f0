package deploytime

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// moduleProperties refuses params and extensionConfigs that are not object literals. A
// template wraps each of their values, so it needs their names.
func (c *checker) moduleProperties() {
	for _, m := range c.m.Binding().Modules {
		body := syntax.Body(m.Stmt.Value)
		c.writtenOut(body.PropertyValue("params"), "params")
		configs := c.extensionConfigs(body)
		c.writtenOut(configs, "extensionConfigs")
		for _, p := range properties(configs) {
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

// extensionConfigs returns the configurations that a module is given, or nil.
func (c *checker) extensionConfigs(body *syntax.Object) syntax.Expr {
	if !c.m.Features().ModuleExtensionConfigs {
		return nil
	}
	return body.PropertyValue("extensionConfigs")
}

// properties returns the properties that are written in an object, if x is one.
func properties(x syntax.Expr) (list []*syntax.Property) {
	if o, ok := x.(*syntax.Object); ok {
		for _, item := range o.Items {
			if p, ok := item.(*syntax.Property); ok {
				list = append(list, p)
			}
		}
	}
	return list
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

// moduleOutputResources refuses reads of resources that are outputs of modules, except for
// the properties that identify them.
func (c *checker) moduleOutputResources() {
	for _, a := range c.accesses {
		p, ok := a.(*syntax.PropertyAccess)
		if !ok || !c.isOutputResource(p.X) {
			continue
		}
		if !flow.IsIdentityProperty(p.Name.Name) {
			c.report(diag.BCP320.At(p.Span()))
		}
	}
	for _, call := range c.calls {
		if call.Name.Name != "getSecret" && c.isOutputResource(call.X) {
			c.report(diag.BCP320.At(call.Span()))
		}
	}
}

func (c *checker) isOutputResource(x syntax.Expr) bool {
	r := c.analysis.Resources.At(x)
	return r != nil && r.Module != nil
}

// localModules refuses modules of local deployments that have secret outputs.
func (c *checker) localModules() {
	if c.m.TargetScope() != types.ScopeLocal {
		return
	}
	for _, m := range c.m.Binding().Modules {
		t := c.m.Referenced(m.Stmt)
		if t != nil && slices.ContainsFunc(t.Outputs(), func(o *check.Output) bool { return o.Secure }) {
			c.report(diag.BCP421.At(m.NameSpan(), m.Name()))
		}
	}
}

// secretReads refuses reads of secret outputs unless the module is named, since the call
// that fetches the output needs the name.
func (c *checker) secretReads() {
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
		return !slices.ContainsFunc(t.Members, func(m types.Ref) bool { return !isModule(m.Type()) })
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
	i, ok := syntax.UnwrapNonNull(x).(*syntax.Index)
	if !ok {
		return false
	}
	m, ok := c.m.Symbol(i.X).(*bind.Module)
	return ok && bind.IsLoop(m)
}
