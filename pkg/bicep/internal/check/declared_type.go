package check

import (
	"math"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// This file turns expressions of the type language into types. Whatever names a
// type of the file becomes a deferred reference, so that types may recur; what
// is built around such a name is deferred too.

// typeOfSyntax returns what a type expression stands for, or an error that says
// that it stands for nothing.
func (m *Model) typeOfSyntax(n syntax.Node) types.Ref {
	if r := m.tryTypeOfSyntax(n); r != nil {
		return r
	}
	return m.fail(diag.BCP289.At(n.Span()))
}

// tryTypeOfSyntax returns what a type expression stands for, or nil.
func (m *Model) tryTypeOfSyntax(n syntax.Node) types.Ref {
	f := &m.declared[n.ID()]
	if f.state == factDone {
		return f.ref
	}
	if f.state == factBusy {
		return m.emptyError()
	}
	f.state = factBusy
	r := m.computeTypeOfSyntax(n)
	f = &m.declared[n.ID()]
	m.settle(f, n, r, n)
	return r
}

func (m *Model) computeTypeOfSyntax(n syntax.Node) types.Ref {
	switch n := n.(type) {
	case *syntax.Skipped:
		// The parser has complained; anything goes.
		return anyType
	case *syntax.ResourceTypeRef:
		return m.resourceRefType(n)
	case *syntax.TypeName:
		return m.namedType(n)
	case *syntax.TypeCall, *syntax.InstanceTypeCall:
		return m.instantiate(n).Type
	case *syntax.ArrayType:
		return m.arrayOf(n)
	case *syntax.ObjectType:
		return m.objectOf(n)
	case *syntax.TypeProperty:
		return mapRef(m.typeOfSyntax(n.Value), func(t types.Type) types.Type {
			return m.modified(m.noNamespace(unwrapTypeType(t), n.Value), n, false)
		})
	case *syntax.TypeRest:
		return mapRef(m.typeOfSyntax(n.Value), func(t types.Type) types.Type {
			return m.modified(m.noNamespace(t, n.Value), n, false)
		})
	case *syntax.TupleType:
		return m.tupleOf(n)
	case *syntax.TupleItem:
		return mapRef(m.typeOfSyntax(n.Value), func(t types.Type) types.Type {
			return m.modified(m.noNamespace(t, n.Value), n, false)
		})
	case *syntax.StringTypeLit:
		return m.stringTypeLit(n)
	case *syntax.IntTypeLit:
		if n.Value > math.MaxInt64 {
			return m.fail(diag.BCP285.At(n.Span()))
		}
		return types.NewIntLiteral(int64(n.Value), 0)
	case *syntax.BoolTypeLit:
		return boolLiteral(n.Value)
	case *syntax.UnaryType:
		return m.deferIf(m.needsDeferral(n), func() types.Type { return m.finishUnaryType(n) })
	case *syntax.UnionType:
		return m.deferIf(m.needsDeferral(n), func() types.Type { return m.finishUnion(n) })
	case *syntax.ParenType:
		return m.typeOfSyntax(n.X)
	case *syntax.TypePropertyAccess:
		return m.typeProperty(n, n.X, n.Name.Name, n.Name)
	case *syntax.TypeRestAccess:
		base := m.noNamespaceRef(m.typeOfSyntax(n.X), n.X)
		return m.deferIf(m.needsDeferral(n.X), func() types.Type { return m.finishRestAccess(n, base) })
	case *syntax.TypeIndex:
		return m.typeIndex(n)
	case *syntax.TypeItems:
		base := m.noNamespaceRef(m.typeOfSyntax(n.X), n.X)
		return m.deferIf(m.needsDeferral(n.X), func() types.Type { return m.finishItemsAccess(n, base) })
	case *syntax.NullableType:
		return mapRef(m.noNamespaceRef(m.typeOfSyntax(n.X), n.X), func(t types.Type) types.Type {
			if isError(t) {
				return t
			}
			return types.NewUnion(t, nullType)
		})
	case *syntax.NonNullType:
		return mapRef(m.typeOfSyntax(n.X), types.NonNull)
	}
	return nil
}

// memberType is the type of a union's member: null may stand there, and only there.
func (m *Model) memberType(n syntax.TypeExpr) types.Ref {
	if _, ok := n.(*syntax.NullTypeLit); ok {
		return nullType
	}
	return m.noNamespaceRef(m.typeOfSyntax(n), n)
}

// itemType is the type of an array's item.
func (m *Model) itemType(n syntax.TypeExpr) types.Ref {
	return m.noNamespaceRef(m.typeOfSyntax(n), n)
}

// mapRef applies f to a type, or defers that if the type is deferred.
func mapRef(r types.Ref, f func(types.Type) types.Type) types.Ref {
	if isDeferred(r) {
		return types.Defer(func() types.Type { return f(r.Type()) })
	}
	return f(r.Type())
}

func (m *Model) deferIf(yes bool, f func() types.Type) types.Ref {
	if yes {
		return types.Defer(f)
	}
	return f()
}

// noNamespace refuses a namespace where a type is needed.
func (m *Model) noNamespace(t types.Type, n syntax.Node) types.Type {
	if ns, ok := t.(*types.Namespace); ok {
		return m.fail(diag.BCP306.At(n.Span(), ns.Name))
	}
	return t
}

func (m *Model) noNamespaceRef(r types.Ref, n syntax.Node) types.Ref {
	return mapRef(r, func(t types.Type) types.Type { return m.noNamespace(t, n) })
}

// unwrapTypeType returns the type that a name of a type stands for.
func unwrapTypeType(t types.Type) types.Type {
	if tt, ok := t.(*types.Wrapped); ok {
		return tt.Of
	}
	return t
}

// needsDeferral reports whether a type expression reaches the name of one of the
// file's types without a container between.
func (m *Model) needsDeferral(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.NonNullType:
		return m.needsDeferral(n.X)
	case *syntax.ParenType:
		return m.needsDeferral(n.X)
	case *syntax.NullableType:
		return m.needsDeferral(n.X)
	case *syntax.UnaryType:
		return m.needsDeferral(n.X)
	case *syntax.UnionType:
		for _, x := range n.Members {
			if m.needsDeferral(x) {
				return true
			}
		}
	case *syntax.TypePropertyAccess:
		return m.needsDeferral(n.X)
	case *syntax.TypeRestAccess:
		return m.needsDeferral(n.X)
	case *syntax.TypeIndex:
		return m.needsDeferral(n.X)
	case *syntax.TypeItems:
		return m.needsDeferral(n.X)
	case *syntax.TypeName:
		_, ok := m.bound(n).(*bind.TypeAlias)
		return ok
	}
	return false
}

// namedType resolves the name of a type.
func (m *Model) namedType(n *syntax.TypeName) types.Ref {
	switch s := m.bound(n).(type) {
	case *bind.BuiltInNamespace:
		return s.Type
	case *bind.ExtensionNamespace:
		return m.symbolType(s)
	case *bind.WildcardImport:
		return m.symbolType(s)
	case *bind.AmbientType:
		return m.noTemplate(n.Span(), unwrapTypeType(s.Type))
	case *bind.ImportedType:
		return m.noTemplate(n.Span(), unwrapTypeType(m.symbolType(s)))
	case *bind.TypeAlias:
		return types.Defer(func() types.Type {
			t := m.aliasType(s)
			if isError(t) {
				return m.fail(diag.BCP062.At(n.Span(), s.Name()))
			}
			return m.noTemplate(n.Span(), t)
		})
	case bind.Declared:
		return m.fail(diag.BCP287.At(n.Span(), s.Name()))
	}
	return m.fail(diag.BCP302.At(n.Span(), n.Name.Name, m.validTypeNames()))
}

// noTemplate refuses a type that needs arguments where it has none.
func (m *Model) noTemplate(at source.Span, t types.Type) types.Type {
	if tt, ok := t.(*types.Template); ok {
		return m.fail(diag.BCP384.At(at, tt.String(), len(tt.Params)))
	}
	return t
}

// validTypeNames lists the names that could be written where a type is needed.
// It is put together only when a message is shown.
func (m *Model) validTypeNames() stringerFunc {
	return func() string {
		var names []string
		seen := map[string]bool{}
		add := func(s string) {
			if !seen[s] {
				seen[s] = true
				names = append(names, s)
			}
		}
		for _, ns := range m.binding.NamespaceTypes() {
			for i := range ns.Properties {
				add(ns.Properties[i].Name)
			}
		}
		for _, d := range m.binding.Types {
			add(d.Name())
		}
		for _, d := range m.binding.ImportedTypes {
			add(d.Name())
		}
		return strings.Join(names, ", ")
	}
}

// aliasType is the type that a type statement defines.
func (m *Model) aliasType(s *bind.TypeAlias) types.Type {
	if t, ok := m.aliases[s]; ok {
		if t == nil { // it is being worked out: its own definition needs it
			return m.emptyError()
		}
		return t
	}
	m.aliases[s] = nil
	var t types.Type
	if cycle := m.binding.Cycle(s); cycle != nil {
		t = m.typeCycleError(s.Stmt.Name.Span(), cycleNames(cycle))
	} else {
		t = m.modified(m.noNamespace(m.typeOfSyntax(s.Stmt.Value).Type(), s.Stmt.Value), s.Stmt, false)
	}
	m.aliases[s] = t
	return t
}

func (m *Model) typeCycleError(at source.Span, names []string) types.Type {
	if len(names) == 1 {
		return m.fail(diag.BCP298.At(at))
	}
	return m.fail(diag.BCP299.At(at, strings.Join(names, " -> ")))
}

// Types with arguments.

// Instance is what a type with arguments comes to, such as resourceInput<'…'>.
type Instance struct {
	Type types.Type // an error type if there was an error
	// Resource is the resource type that the type is derived from, and Variant
	// says which of its sides; nil if there was an error.
	Resource *types.Resource
	Variant  types.DerivedVariant
}

// Instance returns what a *syntax.TypeCall or *syntax.InstanceTypeCall comes to.
func (m *Model) Instance(n syntax.Node) *Instance { return m.instantiate(n) }

func (m *Model) instantiate(n syntax.Node) *Instance {
	if got, ok := m.instances[n.ID()]; ok {
		return got
	}
	if m.instances == nil {
		m.instances = map[syntax.ID]*Instance{}
	}
	i := &Instance{Type: m.emptyError()}
	m.instances[n.ID()] = i
	switch n := n.(type) {
	case *syntax.TypeCall:
		angles := source.Between(n.Open, n.Close)
		switch s := m.bound(n).(type) {
		case *bind.AmbientType:
			m.instantiateTemplate(i, n, s.Name(), s.Type, n.Args, angles)
		case *bind.ImportedType:
			m.instantiateTemplate(i, n, s.Name(), m.symbolType(s), n.Args, angles)
		case *bind.TypeAlias:
			m.instantiateTemplate(i, n, s.Name(), m.aliasType(s), n.Args, angles)
		case bind.Declared:
			i.Type = m.fail(diag.BCP287.At(n.Span(), s.Name()))
		default:
			i.Type = m.fail(diag.BCP302.At(n.Span(), n.Name.Name, m.validTypeNames()))
		}
	case *syntax.InstanceTypeCall:
		base := m.typeOfSyntax(n.X).Type()
		t := m.propertyOfType(base, n.Name.Name, n.Name)
		m.instantiateTemplate(i, n, base.String()+"."+n.Name.Name, t, n.Args, source.Between(n.Open, n.Close))
	}
	return i
}

func (m *Model) instantiateTemplate(i *Instance, n syntax.TypeExpr, name string, t types.Type, args []syntax.TypeExpr, angles source.Span) {
	if isError(t) {
		i.Type = t
		return
	}
	tmpl, ok := t.(*types.Template)
	if !ok {
		i.Type = m.fail(diag.BCP383.At(n.Span(), name))
		return
	}
	if len(args) < tmpl.MinArgs() || len(args) > len(tmpl.Params) {
		c := types.CountMismatch{Count: len(args), Min: tmpl.MinArgs(), Max: len(tmpl.Params)}
		i.Type = m.fail(diag.BCP071.At(angles, countText(c), c.Count))
		return
	}
	for k, a := range args {
		at := m.noNamespace(m.typeOfSyntax(a).Type(), a)
		if bound := tmpl.Params[k].Type; bound != nil && !types.AreAssignable(at, bound) {
			i.Type = m.fail(diag.BCP070.At(a.Span(), at, bound))
			return
		}
	}
	// All types with arguments are derived from a resource type, which the first names.
	lit, ok := firstArg(args).(*syntax.StringTypeLit)
	if !ok || lit.Value.Interpolated() {
		inner := source.Span{Start: angles.Start + 1, End: angles.End - 1}
		i.Type = m.fail(diag.BCP032.At(inner))
		return
	}
	text, _ := lit.Value.Literal()
	r, problem := m.ResourceType(text, 0, nil)
	if problem != nil {
		i.Type = m.fail(problem.At(lit.Span()))
		return
	}
	i.Resource, i.Variant = r, tmpl.Variant
	i.Type = r.Body.Type()
	switch tmpl.Variant {
	case types.DerivedInput:
		i.Type = types.RemovePropertyFlags(i.Type, types.WriteOnly)
	case types.DerivedOutput:
		i.Type = types.RemovePropertyFlags(i.Type, types.ReadOnly)
	}
}

func firstArg(args []syntax.TypeExpr) syntax.TypeExpr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// Containers.

func (m *Model) arrayOf(n *syntax.ArrayType) types.Type {
	item := m.itemType(n.Item)
	if isDeferred(item) {
		return types.NewNamedArray(m.textOf(n), item, nil, nil, 0)
	}
	return types.NewTypedArray(item, nil, nil, 0)
}

func (m *Model) objectOf(n *syntax.ObjectType) types.Type {
	var (
		seen  = map[string]bool{}
		props []types.Property
		diags []diag.Diagnostic
		name  types.ObjectName
		rests []*syntax.TypeRest
	)
	for _, member := range n.Members {
		if r, ok := member.(*syntax.TypeRest); ok {
			rests = append(rests, r)
			continue
		}
		p, ok := member.(*syntax.TypeProperty)
		if !ok {
			continue
		}
		t := m.typeOfSyntax(p)
		key, ok := p.KeyName()
		if !ok {
			diags = append(diags, diag.BCP296.At(p.Key.Span()))
			if !isDeferred(t) {
				diags = append(diags, errorsOf(t.Type())...)
			}
			continue
		}
		if seen[key] {
			diags = append(diags, diag.BCP025.At(p.Key.Span(), key))
			continue
		}
		seen[key] = true
		// A property marked with ? may be left out, even where its type swallows
		// the null, as any does.
		flags := types.Required
		if _, ok := p.Value.(*syntax.NullableType); ok {
			flags = 0
		}
		props = append(props, types.Property{Name: key, Type: t, Flags: flags, Description: m.Description(p)})
		name.Property(key, m.memberName(p.Value, t))
	}
	rest := &types.Property{Type: anyType, Flags: types.FallbackProperty}
	if len(rests) > 0 {
		rest = &types.Property{Type: anyType, Description: m.Description(rests[0])}
		if len(rests) == 1 {
			rest.Type = m.typeOfSyntax(rests[0])
		} else {
			for _, r := range rests {
				diags = append(diags, diag.BCP315.At(r.Span()))
			}
		}
		name.Rest(m.memberName(rests[0].Value, rest.Type))
	}
	if len(diags) > 0 {
		// The object is no type, so nobody will look into it: hand on what its
		// properties have to say, except behind deferred types, which may recur.
		for i := range props {
			if !isDeferred(props[i].Type) {
				diags = append(diags, errorsOf(props[i].Type.Type())...)
			}
		}
		return m.fail(diags...)
	}
	return types.NewObject(name.String(), 0, props, rest)
}

// memberName is how a member's type is written in the name of the type around
// it: a deferred one as in the source.
func (m *Model) memberName(n syntax.Node, r types.Ref) string {
	if isDeferred(r) {
		return strings.Trim(m.textOf(n), " ")
	}
	return r.Type().String()
}

func (m *Model) textOf(n syntax.Node) string { return m.Source().Slice(n.Span()) }

func (m *Model) tupleOf(n *syntax.TupleType) types.Type {
	items := make([]types.Ref, 0, len(n.Items))
	var name types.TupleName
	for _, it := range n.Items {
		t := m.typeOfSyntax(it)
		items = append(items, t)
		name.Item(m.memberName(it.Value, t))
	}
	return types.NewNamedTuple(name.String(), items, 0)
}

// Constants.

func (m *Model) stringTypeLit(n *syntax.StringTypeLit) types.Type {
	if s, ok := n.Value.Literal(); ok {
		return types.Str(s)
	}
	var b strings.Builder
	for i, seg := range n.Value.Segments {
		b.WriteString(seg)
		if i < len(n.Value.Exprs) {
			lit, ok := m.TypeOf(n.Value.Exprs[i]).(*types.StringLiteral)
			if !ok {
				return m.fail(diag.BCP285.At(n.Span()))
			}
			b.WriteString(lit.Value)
		}
	}
	return types.Str(b.String())
}

func (m *Model) finishUnaryType(n *syntax.UnaryType) types.Type {
	// The smallest integer has no positive counterpart, so look before folding.
	if lit, ok := n.X.(*syntax.IntTypeLit); ok && n.Op == syntax.Minus {
		switch {
		case lit.Value <= math.MaxInt64:
			return types.NewIntLiteral(-int64(lit.Value), 0)
		case lit.Value == math.MaxInt64+1:
			return types.NewIntLiteral(math.MinInt64, 0)
		}
		return m.fail(diag.BCP285.At(n.Span()))
	}
	base := m.noNamespace(m.typeOfSyntax(n.X).Type(), n.X)
	if isError(base) {
		return base
	}
	if t := types.UnaryResult(n.Op, base); t != nil && types.IsLiteral(t) {
		return t
	}
	return m.fail(diag.BCP285.At(n.Span()))
}

// Unions.

func (m *Model) finishUnion(n *syntax.UnionType) types.Type {
	if d := m.unionDecorated(n); d != nil {
		if dec := m.SystemDecorator(d, "discriminator"); dec != nil {
			return m.finishDiscriminated(n, dec)
		}
	}
	members := make([]types.Ref, len(n.Members))
	for i, x := range n.Members {
		members[i] = m.memberType(x)
	}
	return types.NewUnion(members...)
}

// unionDecorated finds the declaration whose decorators speak of a union.
func (m *Model) unionDecorated(n syntax.Node) syntax.Decorated {
	for n != nil {
		switch x := n.(type) {
		case syntax.Decorated:
			return x
		case *syntax.ParenType, *syntax.UnionType, *syntax.NullableType, *syntax.NonNullType:
			n = m.parent(n)
		default:
			return nil
		}
	}
	return nil
}

func (m *Model) finishDiscriminated(n *syntax.UnionType, dec *syntax.Decorator) types.Type {
	key, ok := m.singleStringArg(dec)
	if !ok {
		return m.emptyError() // the decorator's own check reports it
	}
	var (
		diags   []diag.Diagnostic
		objects []types.Type
		seen    = map[string]bool{}
		known   = map[*types.Object]bool{}
	)
	// Once a member does not fit, the property tells no members apart any more:
	// all that follow are refused, whatever their value.
	dead := false
	include := func(t *types.Object, at syntax.Node) {
		if known[t] {
			return
		}
		known[t] = true
		var lit *types.StringLiteral
		if p := t.Property(key); p != nil && p.Flags.Has(types.Required) {
			lit, _ = p.Type.Type().(*types.StringLiteral)
		}
		switch {
		case lit == nil:
			diags = append(diags, diag.BCP364.At(at.Span(), key))
			dead = true
		case dead || seen[strings.ToUpper(lit.Value)]:
			diags = append(diags, diag.BCP365.At(at.Span(), key, lit.String()))
			dead = true
		default:
			seen[strings.ToUpper(lit.Value)] = true
			objects = append(objects, t)
		}
	}
	for _, x := range n.Members {
		switch t := m.memberType(x).Type().(type) {
		case *types.Object:
			include(t, x)
		case *types.DiscriminatedObject:
			for _, v := range t.Members {
				include(v.Object, x)
			}
		default:
			diags = append(diags, diag.BCP286.At(x.Span(), "object"))
		}
	}
	if len(diags) > 0 {
		return m.fail(diags...)
	}
	if len(objects) == 0 {
		return m.emptyError()
	}
	sort.SliceStable(objects, func(i, j int) bool { return types.Compare(objects[i], objects[j]) < 0 })
	names := make([]string, len(objects))
	members := make([]types.Ref, len(objects))
	for i, o := range objects {
		names[i], members[i] = o.String(), o
	}
	t := types.NewDiscriminatedObject(strings.Join(names, " | "), 0, key, members)
	if t == nil {
		return m.emptyError()
	}
	return t
}

// Parts of types.

// canAccess reports whether parts of a type expression may be asked for.
func (m *Model) canAccess(base syntax.Node) bool {
	switch b := base.(type) {
	case *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems, *syntax.TypeName:
		return true
	case *syntax.TypeCall:
		s, ok := m.bound(b).(*bind.AmbientType)
		return ok && isResourceDerivedTypeName(s.Name()) && s.Namespace != nil && s.Namespace.Settings.ExtensionName == "sys"
	case *syntax.InstanceTypeCall:
		s, ok := m.bound(b.X).(*bind.BuiltInNamespace)
		return ok && isResourceDerivedTypeName(b.Name.Name) && namespaceIs(s.Type, "sys")
	}
	return false
}

func namespaceIs(t types.Type, extension string) bool {
	ns, ok := t.(*types.Namespace)
	return ok && ns.Settings.ExtensionName == extension
}

func isResourceDerivedTypeName(s string) bool {
	return s == "resource" || s == "resourceInput" || s == "resourceOutput"
}

func (m *Model) typeProperty(n, base syntax.TypeExpr, name string, at syntax.Node) types.Ref {
	bt := m.typeOfSyntax(base)
	return m.deferIf(m.needsDeferral(base), func() types.Type {
		t := m.propertyOfType(bt.Type(), name, at)
		if isError(t) {
			return t
		}
		if !m.canAccess(base) {
			return m.fail(diag.BCP391.At(n.Span()))
		}
		return m.noTemplate(at.Span(), t)
	})
}

func (m *Model) propertyOfType(base types.Type, name string, at syntax.Node) types.Type {
	base = types.NonNull(base)
	if isError(base) || isUnknown(base) {
		return base
	}
	obj, ok := types.AsObject(base)
	if !ok {
		return m.fail(diag.BCP055.At(at.Span(), base))
	}
	p := obj.Property(name)
	if p == nil && obj.Additional != nil && isUnknown(obj.Additional.Type.Type()) {
		return types.TUnknown
	}
	if p == nil {
		return m.fail(types.UnknownProperty(obj, name, types.Access{At: at.Span()}))
	}
	return unwrapTypeType(p.Type.Type())
}

func (m *Model) typeIndex(n *syntax.TypeIndex) types.Ref {
	switch i := n.Index.(type) {
	case *syntax.Int:
		base := m.typeOfSyntax(n.X)
		return m.deferIf(m.needsDeferral(n.X), func() types.Type { return m.finishTypeIndex(n, i.Value, base.Type()) })
	case *syntax.Unary:
		if i.Op == syntax.Minus {
			return m.fail(diag.BCP387.At(i.Span()))
		}
	case *syntax.String:
		if name, ok := i.Literal(); ok {
			return m.typeProperty(n, n.X, name, i)
		}
	}
	return m.fail(diag.BCP032.At(n.Index.Span()))
}

func (m *Model) finishTypeIndex(n *syntax.TypeIndex, index uint64, base types.Type) types.Type {
	base = types.NonNull(base)
	if isError(base) || isUnknown(base) {
		return base
	}
	if !m.canAccess(n.X) {
		return m.fail(diag.BCP391.At(n.Span()))
	}
	tuple, ok := base.(*types.Tuple)
	if !ok {
		return m.fail(diag.BCP388.At(n.Index.Span(), base))
	}
	if index >= uint64(len(tuple.Items)) {
		return m.fail(diag.BCP311.At(n.Index.Span(), tuple.String(), len(tuple.Items), min(index, math.MaxInt64)))
	}
	return m.noTemplate(n.Index.Span(), unwrapTypeType(tuple.Items[index].Type()))
}

func (m *Model) finishRestAccess(n *syntax.TypeRestAccess, ref types.Ref) types.Type {
	base := types.NonNull(ref.Type())
	if isError(base) || isUnknown(base) {
		return base
	}
	if !m.canAccess(n.X) {
		return m.fail(diag.BCP391.At(n.Span()))
	}
	obj, ok := base.(*types.Object)
	if !ok || obj.Additional == nil || isAny(obj.Additional.Type.Type()) {
		return m.fail(diag.BCP389.At(n.Star, base))
	}
	return m.noTemplate(n.Star, unwrapTypeType(obj.Additional.Type.Type()))
}

func (m *Model) finishItemsAccess(n *syntax.TypeItems, ref types.Ref) types.Type {
	base := types.NonNull(ref.Type())
	if isError(base) || isUnknown(base) {
		return base
	}
	if !m.canAccess(n.X) {
		return m.fail(diag.BCP391.At(n.Span()))
	}
	arr, ok := base.(*types.Array)
	if !ok || arr.Untyped() {
		return m.fail(diag.BCP390.At(source.Between(n.Open, n.Close)))
	}
	return m.noTemplate(n.Star, unwrapTypeType(arr.Item.Type()))
}

// resourceRefType is the type of a parameter or output that is a resource.
func (m *Model) resourceRefType(n *syntax.ResourceTypeRef) types.Type {
	if !m.features.ResourceTypedParamsOutputs {
		return m.fail(diag.BCP231.At(n.Span()))
	}
	var t types.Type
	if n.Type == nil {
		// An output's type may be told by its value.
		if out, ok := m.parent(n).(*syntax.Output); ok {
			t = m.TypeOf(out.Value)
		}
	}
	if t == nil {
		t = m.declaredResourceRef(n)
	}
	if r, ok := t.(*types.Resource); ok && !r.IsAz() {
		return m.fail(diag.BCP227.At(n.Span(), r.String()))
	}
	return t
}

// Decorators that change a type.

// modified applies the decorators that make a type another: secure, sealed and
// the limits. What is wrong with decorators is reported elsewhere; here only
// what leaves no type at all.
func (m *Model) modified(t types.Type, n syntax.Decorated, loose bool) types.Type {
	flags := t.Flags()
	if loose {
		switch t.(type) {
		case *types.Bool, *types.Int, *types.String:
			flags |= types.AllowLooseAssignment
		}
	}
	decorated := len(n.DecoratorList()) > 0
	if decorated && m.SystemDecorator(n, "secure") != nil {
		flags |= types.IsSecure
	}
	if !decorated && flags == t.Flags() {
		return t
	}
	if inner, ok := tryNonNull(t); ok {
		return types.NewUnion(nullType, m.modified(inner, n, loose))
	}
	switch t := t.(type) {
	case *types.Int:
		lo, hi, failed := m.limits(n, "minValue", "maxValue", t.Min, t.Max)
		if failed != nil {
			return failed
		}
		return types.NewInt(lo, hi, flags)
	case *types.Tuple:
		if flags == t.Flags() {
			return t
		}
		return types.NewTuple(t.Items, flags)
	case *types.Array:
		lo, hi, failed := m.limits(n, "minLength", "maxLength", t.MinLength, t.MaxLength)
		if failed != nil {
			return failed
		}
		return types.NewArray(t.Item, lo, hi, flags)
	case *types.String:
		lo, hi, failed := m.limits(n, "minLength", "maxLength", t.MinLength, t.MaxLength)
		if failed != nil {
			return failed
		}
		return types.NewString(lo, hi, "", flags)
	case *types.Bool:
		return types.NewBool(flags)
	case *types.Object:
		if m.SystemDecorator(n, "sealed") != nil {
			return types.NewObject(t.Name, flags, t.Properties, nil)
		}
		if flags == t.Flags() {
			return t
		}
		return types.NewObject(t.Name, flags, t.Properties, t.Additional)
	}
	return t
}

// limits reads a pair of decorators such as minLength and maxLength.
func (m *Model) limits(n syntax.Decorated, minName, maxName string, lo, hi *int64) (*int64, *int64, types.Type) {
	minDec, maxDec := m.SystemDecorator(n, minName), m.SystemDecorator(n, maxName)
	if v, ok := m.singleIntArg(minDec); ok {
		lo = &v
	}
	if v, ok := m.singleIntArg(maxDec); ok {
		hi = &v
	}
	if lo != nil && hi != nil && *lo > *hi {
		at := minDec
		if at == nil {
			at = maxDec
		}
		if at != nil {
			return nil, nil, m.fail(diag.BCP331.At(at.Span(), minName, *lo, maxName, *hi))
		}
	}
	return lo, hi, nil
}

func (m *Model) singleIntArg(d *syntax.Decorator) (int64, bool) {
	if d == nil {
		return 0, false
	}
	if _, args, ok := syntax.CallName(d.Expr); ok && len(args) == 1 {
		if lit, ok := m.TypeOf(args[0]).(*types.IntLiteral); ok {
			return lit.Value, true
		}
	}
	return 0, false
}

func (m *Model) singleStringArg(d *syntax.Decorator) (string, bool) {
	if d == nil {
		return "", false
	}
	if _, args, ok := syntax.CallName(d.Expr); ok && len(args) == 1 {
		if lit, ok := m.TypeOf(args[0]).(*types.StringLiteral); ok {
			return lit.Value, true
		}
	}
	return "", false
}
