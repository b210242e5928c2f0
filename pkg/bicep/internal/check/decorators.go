package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// checkDecorators checks the decorators of a declaration whose type is known.
func (m *Model) checkDecorators(n syntax.Decorated, target types.Type) {
	list := n.DecoratorList()
	if len(list) == 0 {
		return
	}
	type use struct {
		dec  *types.Decorator
		node *syntax.Decorator
	}
	uses := make([]use, 0, len(list))
	for _, d := range list {
		if t := m.TypeOf(d.Expr); types.IsError(t) {
			m.reportAll(types.ErrorsOf(t))
			continue
		}
		// A decorator that is called through its namespace is not checked any
		// further: the official compiler does not look it up here.
		s, ok := m.bound(d.Expr).(*bind.Function)
		if !ok {
			switch m.bound(d.Expr).(type) {
			case bind.Declared, *bind.BuiltInNamespace:
				m.report(diag.BCP141.At(d.Expr.Span()))
			}
			continue
		}
		if dec := m.matchingDecorator(d, s.Func, types.NamespaceOf(s.Func.Owner)); dec != nil {
			uses = append(uses, use{dec, d})
			m.checkDecorator(dec, d, n, target)
		}
	}
	for i, u := range uses {
		for j, o := range uses {
			if i != j && u.dec == o.dec {
				m.report(diag.BCP166.At(u.node.Span(), u.dec.Overload.Name))
				break
			}
		}
	}
}

func (m *Model) checkDecorator(dec *types.Decorator, d *syntax.Decorator, n syntax.Decorated, target types.Type) {
	// Decorators limit values, and null has no limits.
	target = types.NonNull(target)
	if types.IsError(target) {
		return
	}
	if !dec.CanAttachTo(target) {
		m.report(diag.BCP124.At(d.Span(), dec.Overload.Name, dec.Attachable, target))
	}
	if dec.Validate != nil {
		dec.Validate(&callContext{model: m, call: d.Expr, report: m.sink, decorator: d, decorated: n}, target)
	}
}

// decoratorFunction returns the function that a decorator calls, or nil.
func (m *Model) decoratorFunction(d *syntax.Decorator) *types.Function {
	switch x := d.Expr.(type) {
	case *syntax.Call:
		if s, ok := m.bound(x).(*bind.Function); ok {
			return s.Func
		}
	case *syntax.InstanceCall:
		ns, ok := m.TypeOf(x.X).(*types.Namespace)
		if !ok || !x.Name.Valid() {
			return nil
		}
		f, failed := bind.ResolveNamespaceFunction(ns, x.Name, decoratorFlags(m.Parent(d)), true)
		if failed == nil {
			return f
		}
	}
	return nil
}

// declaredDecoratorFunction returns the function that a decorator calls and its
// namespace, without looking at the types of expressions.
func (m *Model) declaredDecoratorFunction(d *syntax.Decorator) (*types.Function, *types.Namespace) {
	var s bind.Symbol
	switch x := d.Expr.(type) {
	case *syntax.Call:
		s = m.bound(x)
	case *syntax.InstanceCall:
		s = m.instanceSymbol(x)
	}
	f, ok := s.(*bind.Function)
	if !ok {
		return nil, nil
	}
	ns := f.Namespace
	if ns == nil {
		ns = types.NamespaceOf(f.Func.Owner)
	}
	return f.Func, ns
}

// SystemDecorator returns the first decorator of that name that is the language's own, or nil.
func (m *Model) SystemDecorator(n syntax.Decorated, name string) *syntax.Decorator {
	for _, d := range n.DecoratorList() {
		// Comparing the name first is cheaper than looking it up.
		id, _, ok := syntax.CallName(d.Expr)
		if !ok {
			// A decorator without a call counts, too. A missing call is reported elsewhere.
			v, isName := d.Expr.(*syntax.VarRef)
			if !isName || v.Name.Name != name {
				continue
			}
			f, isFunction := m.bound(v).(*bind.Function)
			if isFunction && isSystem(f.Namespace) {
				return d
			}
			continue
		}
		if id.Name != name {
			continue
		}
		f, ns := m.declaredDecoratorFunction(d)
		if f != nil && f.Name == name && isSystem(ns) {
			return d
		}
	}
	return nil
}

// isSystem reports whether a namespace is the one of the language itself.
func isSystem(ns *types.Namespace) bool { return ns != nil && ns.Settings.ExtensionName == "sys" }

// matchingDecorator returns the decorator of a namespace that fits the function and the arguments
// in d, or nil if none fits, or several do.
func (m *Model) matchingDecorator(d *syntax.Decorator, f *types.Function, ns *types.Namespace) *types.Decorator {
	if f == nil || ns == nil {
		return nil
	}
	_, args, _ := syntax.CallName(d.Expr)
	matches := ns.Decorator.Matches(f, m.addArgTypes(nil, args))
	if len(matches) != 1 {
		return nil
	}
	return matches[0]
}

// namedDecorator returns the first decorator of that name whose arguments fit, or nil.
func (m *Model) namedDecorator(n syntax.Decorated, name string) *syntax.Decorator {
	for _, d := range n.DecoratorList() {
		if id, _, ok := syntax.CallName(d.Expr); !ok || id.Name != name {
			continue
		}
		if f, ns := m.declaredDecoratorFunction(d); m.matchingDecorator(d, f, ns) != nil {
			return d
		}
	}
	return nil
}

// Description returns what @description says of a declaration or a member of a
// type, if it says anything that is known.
func (m *Model) Description(n syntax.Decorated) (text string, ok bool) {
	d := m.SystemDecorator(n, "description")
	if d == nil {
		return "", false
	}
	_, args, _ := syntax.CallName(d.Expr)
	if len(args) == 0 {
		return "", false
	}
	s, ok := args[0].(*syntax.String)
	if !ok {
		return "", false
	}
	if text, ok = s.Literal(); ok && s.Multiline {
		text = syntax.Unindent(text)
	}
	return text, ok
}

// IsExported reports whether a declaration has @export().
func (m *Model) IsExported(n syntax.Decorated) bool { return m.SystemDecorator(n, "export") != nil }
