package check

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func (m *Model) assignTargetScope(n *syntax.TargetScope) types.Type {
	m.noDecorators(n.Decorators)
	t := m.targetScopeType()
	checkConstant(n.Value, m.report)
	return m.narrow(m.report, n.Value, t)
}

// noDecorators reports decorators on a statement that takes none.
func (m *Model) noDecorators(list []*syntax.Decorator) {
	if len(list) > 0 {
		at := list[0].Span()
		at.End = at.Start + 1 // the @
		m.report(diag.BCP130.At(at))
	}
}

func (m *Model) assignMetadata(n *syntax.Metadata) types.Type {
	t := m.TypeOf(n.Value)
	var p problems
	if p.add(t); p.failed {
		return p.typ(m)
	}
	if !types.AreAssignable(t, anyType) {
		return m.fail(diag.BCP041.At(n.Value.Span(), t))
	}
	m.checkDecorators(n, t)
	checkConstant(n.Value, m.report)
	return t
}

func (m *Model) assignVar(n *syntax.Var) types.Type {
	if n.Type != nil {
		t := m.declaredAndDecorators(n)
		m.checkAssignment(t, n.Value)
		return t
	}
	t := m.TypeOf(n.Value)
	var p problems
	if p.add(t); p.failed {
		return p.typ(m)
	}
	if !types.AreAssignable(t, anyType) {
		return m.fail(diag.BCP041.At(n.Value.Span(), t))
	}
	m.checkDecorators(n, t)
	return t
}

func (m *Model) assignFunc(n *syntax.Func) types.Type {
	t := m.TypeOf(n.Lambda)
	var p problems
	if p.add(t); p.failed {
		return p.typ(m)
	}
	m.checkDecorators(n, t)
	return t
}

func (m *Model) assignOutput(n *syntax.Output) types.Type {
	t := m.declaredAndDecorators(n)
	m.checkAssignment(t, n.Value)
	m.visitChildren(n)
	return t
}

func (m *Model) assignAssert(n *syntax.Assert) types.Type {
	t := m.TypeOf(n.Value)
	var p problems
	if p.add(t); p.failed {
		return p.typ(m)
	}
	if !types.AreAssignable(t, boolType) {
		return m.fail(diag.BCP350.At(n.Value.Span(), t))
	}
	m.checkDecorators(n, t)
	m.visitChildren(n)
	return boolType
}

// declaredAndDecorators returns a declaration's stated type, and checks its decorators against it.
func (m *Model) declaredAndDecorators(n syntax.Decorated) types.Type {
	t := m.DeclaredType(n)
	if t == nil {
		return m.emptyError()
	}
	m.checkDecorators(n, t)
	return t
}

// checkAssignment checks a value against the type that its declaration states.
func (m *Model) checkAssignment(t types.Type, value syntax.Expr) {
	v := m.TypeOf(value)
	if isError(v) {
		m.reportAll(errorsOf(v))
		return
	}
	if isError(t) {
		return
	}
	m.narrow(m.report, value, t)
}

func (m *Model) assignParam(n *syntax.Param) types.Type {
	declared := m.declaredAndDecorators(n)
	m.visitChildren(n)
	if n.Default != nil {
		m.checkDefaultNames(n.Default)
	}
	if types.IsNullable(declared) {
		switch { // what should have been a default counts as one
		case n.Default != nil:
			m.report(diag.BCP326.At(n.Default.Span()))
		case n.Bad != nil:
			m.report(diag.BCP326.At(n.Bad.Span()))
		}
	}
	if isError(declared) {
		return declared
	}
	t := m.paramType(n, declared)
	if n.Default != nil {
		v := m.TypeOf(n.Default.Value)
		if isError(v) {
			m.reportAll(errorsOf(v))
		} else {
			m.narrow(m.report, n.Default.Value, t)
		}
	}
	return t
}

// paramType is the type of a parameter within the file: its allowed values narrow it.
func (m *Model) paramType(n *syntax.Param, declared types.Type) types.Type {
	t := declared
	if d := m.namedDecorator(n, "allowed"); d != nil {
		if _, args, _ := syntax.CallName(d.Expr); len(args) == 1 {
			if list, ok := args[0].(*syntax.Array); ok {
				t = m.allowedType(declared, list)
			}
		}
	}
	if m.namedDecorator(n, "secure") != nil {
		switch t {
		case types.Type(types.TLooseString):
			t = types.TSecureString
		case objectType:
			t = types.TSecureObject
		}
	}
	return t
}

// allowedType is the choice of the values that a parameter allows.
func (m *Model) allowedType(t types.Type, list *syntax.Array) types.Type {
	items := make([]types.Ref, 0, len(list.Items))
	written := 0
	for _, x := range list.Items {
		switch x := x.(type) {
		case *syntax.Skipped, *syntax.Spread:
		default:
			written++
			items = append(items, m.TypeOf(x))
		}
	}
	if written == 0 {
		return m.fail(diag.BCP099.At(list.Span()))
	}
	all := func(is func(types.Type) bool) bool {
		for _, i := range items {
			if !is(i.Type()) {
				return false
			}
		}
		return true
	}
	switch {
	case types.AreAssignable(t, stringType):
		if all(func(t types.Type) bool { _, ok := t.(*types.StringLiteral); return ok }) {
			return types.NewUnion(items...)
		}
	case types.AreAssignable(t, intType):
		if all(func(t types.Type) bool { _, ok := t.(*types.IntLiteral); return ok }) {
			return types.NewUnion(items...)
		}
	case types.AreAssignable(t, boolType):
		if all(func(t types.Type) bool { _, ok := t.(*types.BoolLiteral); return ok }) {
			return types.NewUnion(items...)
		}
	case types.AreAssignable(t, arrayType) && all(types.IsLiteral):
		// An array of arrays lists what is allowed; any other lists of which
		// items the parameter may consist.
		tuples := 0
		for _, i := range items {
			if _, ok := i.Type().(*types.Tuple); ok {
				tuples++
			}
		}
		switch tuples {
		case 0:
			return types.NewTypedArray(types.NewUnion(items...), nil, nil, t.Flags())
		case len(items):
			return types.NewUnion(items...)
		}
	}
	return t
}

// checkDefaultNames reports the use of anything but parameters and functions in
// the default of a parameter.
func (m *Model) checkDefaultNames(d *syntax.ParamDefault) {
	syntax.Walk(d, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.VarRef); ok {
			switch s := m.bound(v).(type) {
			case nil, *bind.Param, *bind.Output, *bind.Metadata:
			default:
				switch s.Kind() {
				case bind.KindError, bind.KindFunction, bind.KindNamespace, bind.KindImported:
				default:
					m.report(diag.BCP072.At(v.Span()))
				}
			}
		}
		return true
	})
}

func (m *Model) assignParamAssign(n *syntax.ParamAssign) types.Type {
	if m.IsParams() {
		m.noDecorators(n.Decorators)
	}
	t := m.TypeOf(n.Value)
	var p problems
	if p.add(t); p.failed {
		return p.typ(m)
	}
	return t
}

func (m *Model) assignTypeDecl(n *syntax.TypeDecl) types.Type {
	t := m.DeclaredType(n)
	if reservedTypeName(n.Name.Name) {
		m.report(diag.BCP301.At(n.Name.Span(), n.Name.Name))
	}
	m.visitChildren(n)
	if t == nil {
		return m.emptyError()
	}
	m.reportAll(errorsOf(t))
	m.checkDecorators(n, unwrapTypeType(t))
	return t
}

func reservedTypeName(s string) bool { return s == "resource" }

func (m *Model) assignResource(n *syntax.Resource) types.Type {
	declared := m.DeclaredType(n)
	if declared == nil {
		return m.emptyError()
	}
	single := types.UnwrapArray(declared)
	m.checkDecorators(n, declared)
	if isError(single) {
		return single
	}
	if r, ok := single.(*types.Resource); ok {
		m.checkResourceType(n, r)
	}
	t := m.narrowResource(m.report, n.Value, declared)
	if r, ok := single.(*types.Resource); ok {
		m.checkTopLevel(n, r)
	}
	return t
}

// checkTopLevel reports properties that no resource of Azure's has, where the
// library that would say which ones there are is not at hand: what is misspelt,
// the parent of what is no child, and what an existing resource cannot be given.
func (m *Model) checkTopLevel(n *syntax.Resource, r *types.Resource) {
	t, ok := r.Body.Type().(*types.Object)
	body := syntax.Body(n.Value)
	if !ok || body == nil || !r.IsAz() || t.Additional == nil || isError(m.TypeOf(body)) || m.HasParseErrors(body) {
		return
	}
	for _, item := range body.Items {
		p, ok := item.(*syntax.Property)
		if !ok {
			continue
		}
		name, ok := p.KeyName()
		if !ok || t.Property(name) != nil || name == "etag" {
			continue
		}
		var names []string
		for i := range t.Properties {
			q := &t.Properties[i]
			if !q.Flags.Has(types.ReadOnly) && !q.Flags.Has(types.FallbackProperty) && body.Property(q.Name) == nil {
				names = append(names, q.Name)
			}
		}
		if s := types.Suggest(name, names); s != "" {
			m.report(diag.BCP089.At(p.Key.Span(), name, t.String(), s))
		} else if n.IsExisting() || name == "parent" {
			m.report(diag.BCP037.At(p.Key.Span(), name, "", t.String(), "", ""))
		}
	}
}

func (m *Model) checkResourceType(n *syntax.Resource, r *types.Resource) {
	if !r.Namespace.Resources.HasDefinedType(r.TypeRef) {
		if r.IsAz() && hasProvidersSegment(r.TypeRef.Segments) {
			m.report(diag.BCP174.At(n.Type.Span()))
		} else {
			m.report(diag.BCP081.At(n.Type.Span(), r.TypeRef.Name()))
		}
	}
	if !n.IsExisting() && r.ResourceFlags&types.ResourceReadOnly != 0 {
		m.report(diag.BCP245.At(n.Type.Span(), r.TypeRef.Name()))
	}
	if n.IsExisting() && r.ResourceFlags&types.ResourceWriteOnly != 0 {
		m.report(diag.BCP441.At(n.Type.Span(), r.TypeRef.Name()))
	}
}

// hasProvidersSegment finds types that were made of an extension resource's ID.
func hasProvidersSegment(segments []string) bool {
	for i, s := range segments {
		if i > 1 && i < len(segments)-1 && strings.EqualFold(s, "providers") {
			return true
		}
	}
	return false
}

func (m *Model) assignModule(n *syntax.Module) types.Type {
	declared := m.DeclaredType(n)
	if declared == nil {
		return m.emptyError()
	}
	single := types.UnwrapArray(declared)
	m.checkDecorators(n, declared)
	if isError(single) {
		return single
	}
	if mod, ok := single.(*types.Module); ok {
		m.checkModuleResources(n, mod)
	}
	if t := m.Referenced(n); t != nil {
		m.checkReferenced(t, n.Path)
		for _, p := range t.Parameters() {
			m.reportDerived(p.Type, n.Path.Span())
		}
		for _, o := range t.Outputs() {
			m.reportDerived(o.Type, n.Path.Span())
		}
	}
	return m.narrow(m.report, n.Value, declared)
}

// checkReferenced reports a file that has errors where it is used.
func (m *Model) checkReferenced(t Template, at syntax.Node) {
	if !t.HasErrors() {
		return
	}
	if t.File().Kind == graph.ARMTemplate {
		m.report(diag.BCP188.At(at.Span()))
	} else {
		m.report(diag.BCP104.At(at.Span()))
	}
}

// checkModuleResources reports resource types of a module's parameters and
// outputs that are unknown here.
func (m *Model) checkModuleResources(n *syntax.Module, mod *types.Module) {
	body, ok := mod.Body.Type().(*types.Object)
	if !ok {
		return
	}
	check := func(ns *types.Namespace, ref *types.ResourceTypeReference) {
		if !m.features.ResourceTypedParamsOutputs {
			m.report(diag.BCP231.At(n.Path.Span()))
		}
		if ns == nil || !ns.Resources.HasDefinedType(ref) {
			m.report(diag.BCP230.At(n.Path.Span(), ref.Name()))
		}
	}
	for _, section := range [...]string{"params", "outputs"} {
		p := body.Property(section)
		if p == nil {
			continue
		}
		o, ok := p.Type.Type().(*types.Object)
		if !ok {
			continue
		}
		for i := range o.Properties {
			switch t := o.Properties[i].Type.Type().(type) {
			case *types.ResourceParam:
				if section == "params" {
					check(t.Namespace, t.TypeRef)
				}
			case *types.Resource:
				if section == "outputs" {
					check(t.Namespace, t.TypeRef)
				}
			}
		}
	}
}

func (m *Model) assignTest(n *syntax.Test) types.Type {
	declared := m.DeclaredType(n)
	if declared == nil {
		return m.emptyError()
	}
	m.checkDecorators(n, declared)
	if single := types.UnwrapArray(declared); isError(single) {
		return single
	}
	if t := m.Referenced(n); t != nil {
		m.checkReferenced(t, n.Path)
	}
	return m.narrow(m.report, n.Value, declared)
}

func (m *Model) assignImportItem(n *syntax.ImportItem) types.Type {
	m.visitChildren(n)
	s, ok := m.bound(n).(bind.Imported)
	if !ok {
		return m.emptyError()
	}
	e := s.Exported()
	if e == nil || e.Type == nil {
		return m.emptyError()
	}
	m.reportDerived(e.Type, n.Span())
	return m.resolveDerived(e.Type.Type())
}

// assignWildcardImport makes a namespace of what a file exports.
func (m *Model) assignWildcardImport(n *syntax.WildcardImport) types.Type {
	m.visitChildren(n)
	s, ok := m.bound(n).(*bind.WildcardImport)
	if !ok || s.From == nil {
		return m.emptyError()
	}
	var props []types.Property
	var funcs []*types.FunctionOverload
	star := n.Span()
	star.End = star.Start + 1
	for _, e := range s.From.Exports() {
		if e.Type == nil {
			continue
		}
		m.reportDerived(e.Type, star)
		if e.Kind == bind.ExportFunc {
			funcs = append(funcs, m.exportedFunction(e))
			continue
		}
		props = append(props, types.Property{
			Name: e.Name, Type: m.resolveDerived(e.Type.Type()), Flags: types.ReadOnly | types.Required, Description: e.Description,
		})
	}
	name := s.Name()
	return types.NewNamespace(name, types.NamespaceSettings{
		Singleton: true, ExtensionName: name, TemplateName: name, TemplateVersion: "1.0.0",
	}, props, funcs, nil, nil, noResources{})
}

// noResources provides no resource types.
type noResources struct{}

func (noResources) DefinedType(*types.Namespace, *types.ResourceTypeReference, types.GenerationFlags) *types.Resource {
	return nil
}
func (noResources) FallbackType(*types.Namespace, *types.ResourceTypeReference, types.GenerationFlags) *types.Resource {
	return nil
}
func (noResources) HasDefinedType(*types.ResourceTypeReference) bool { return false }
func (noResources) Available() []*types.ResourceTypeReference        { return nil }
func (noResources) Versions(string) []*types.ResourceTypeReference   { return nil }

func (m *Model) assignExtension(n *syntax.Extension) types.Type {
	s, ok := m.bound(n).(*bind.ExtensionNamespace)
	if !ok {
		return m.emptyError()
	}
	ns, ok := s.Type.(*types.Namespace)
	if !ok {
		if s.Type != nil && isError(s.Type) {
			return s.Type
		}
		return m.emptyError()
	}
	if m.features.ModuleExtensionConfigs && n.As == nil {
		if _, ok := n.Spec.(*syntax.String); ok {
			return m.fail(diag.BCP423.At(n.Span()))
		}
	}
	m.checkDecorators(n, ns)
	config := ns.Settings.Config
	if obj := withObject(n.With); obj != nil {
		if config == nil {
			m.report(diag.BCP205.At(obj.Span(), ns.Settings.ExtensionName))
		} else {
			m.narrow(m.report, obj, m.extensionTarget(config))
		}
	} else if n.With == nil && config != nil && !m.features.ModuleExtensionConfigs && requiresConfig(config) {
		m.report(diag.BCP206.At(n.Span(), ns.Settings.ExtensionName))
	}
	return ns
}

// extensionTarget is what the configuration in a template is checked against.
// Where modules can be configured from outside, nothing is required of it.
func (m *Model) extensionTarget(config types.ObjectLike) types.Type {
	if !m.features.ModuleExtensionConfigs {
		return config
	}
	switch c := config.(type) {
	case *types.Object:
		return optional(c, "")
	case *types.DiscriminatedObject:
		return c.MapMembers(func(o *types.Object) *types.Object { return optional(o, c.Discriminator.Name) })
	}
	return config
}

// optional is an object type of which no property is required, but one.
func optional(o *types.Object, except string) *types.Object {
	return o.MapProperties(func(p types.Property) types.Property {
		if except == "" || p.Name != except {
			p.Flags &^= types.Required
		}
		return p
	})
}

func requiresConfig(config types.Type) bool {
	o, ok := config.(*types.Object)
	if !ok {
		return true
	}
	for i := range o.Properties {
		if o.Properties[i].Flags.Has(types.Required) {
			return true
		}
	}
	return false
}

func withObject(w *syntax.WithClause) *syntax.Object {
	if w == nil {
		return nil
	}
	o, _ := w.Config.(*syntax.Object)
	return o
}

func (m *Model) assignExtensionConfig(n *syntax.ExtensionConfig) types.Type {
	if !m.features.ModuleExtensionConfigs {
		return m.fail(diag.BCP337.At(n.Span()))
	}
	s, ok := m.bound(n).(*bind.ExtensionConfig)
	if !ok {
		return m.emptyError()
	}
	t := m.DeclaredType(n)
	m.visitChildren(n)
	if t == nil || isError(t) {
		m.report(diag.BCP205.At(n.Alias.Span(), s.Name()))
		return m.emptyError()
	}
	if obj := withObject(n.With); obj != nil {
		m.narrow(m.report, obj, t)
	} else if n.With == nil && requiresConfig(t) {
		m.report(diag.BCP206.At(n.Span(), s.Name()))
	}
	return t
}

func (m *Model) assignUsingWith(n *syntax.WithClause) types.Type {
	if _, ok := m.parent(n).(*syntax.Using); !ok {
		m.visitChildren(n)
		return m.emptyError()
	}
	t := m.DeclaredType(n.Config)
	if t == nil {
		return m.emptyError()
	}
	return m.narrow(m.report, n.Config, t)
}

// assignMissing reports decorators that nothing follows.
func (m *Model) assignMissing(n *syntax.Missing) types.Type {
	if len(n.Decorators) == 0 || m.HasParseErrors(n) {
		return anyType
	}
	for _, d := range n.Decorators {
		m.reportAll(errorsOf(m.TypeOf(d.Expr)))
	}
	last := n.Decorators[len(n.Decorators)-1]
	rule := diag.BCP132
	if f := m.decoratorFunction(last); f != nil {
		var flags types.FunctionFlags
		for _, o := range f.Overloads {
			flags |= o.Flags
		}
		switch flags {
		case types.MetadataDecorator:
			rule = diag.BCP267
		case types.ParameterDecorator:
			rule = diag.BCP147
		case types.ParameterOutputOrTypeDecorator:
			rule = diag.BCP292
		case types.ParameterOrTypeDecorator:
			rule = diag.BCP290
		case types.VariableDecorator:
			rule = diag.BCP148
		case types.ResourceDecorator:
			rule = diag.BCP149
		case types.ModuleDecorator:
			rule = diag.BCP150
		case types.OutputDecorator:
			rule = diag.BCP151
		case types.ResourceOrModuleDecorator:
			rule = diag.BCP153
		}
	}
	m.report(rule.At(last.Span()))
	return anyType
}
