package check

import (
	"math"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
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
	return errorType(diag.BCP289.At(n.Span()))
}

// tryTypeOfSyntax returns what a type expression stands for, or nil.
func (m *Model) tryTypeOfSyntax(n syntax.Node) types.Ref {
	f := m.declared.GetOrAdd(n.ID())
	if f.state == slotDone {
		return f.ref
	}
	if f.state == slotBusy {
		return silentError
	}
	f.state = slotBusy
	r := m.computeTypeOfSyntax(n)
	m.storeDeclared(f, n, r, n)
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
			return m.modified(refuseNamespace(unwrapTypeType(t), n.Value), n, false)
		})
	case *syntax.TypeRest:
		return mapRef(m.typeOfSyntax(n.Value), func(t types.Type) types.Type {
			return m.modified(refuseNamespace(t, n.Value), n, false)
		})
	case *syntax.TupleType:
		return m.tupleOf(n)
	case *syntax.TupleItem:
		return mapRef(m.typeOfSyntax(n.Value), func(t types.Type) types.Type {
			return m.modified(refuseNamespace(t, n.Value), n, false)
		})
	case *syntax.StringTypeLit:
		return m.stringTypeLit(n)
	case *syntax.IntTypeLit:
		if n.Value > math.MaxInt64 {
			return errorType(diag.BCP285.At(n.Span()))
		}
		return types.NewIntLiteral(int64(n.Value), 0)
	case *syntax.BoolTypeLit:
		return boolLiteral(n.Value)
	case *syntax.UnaryType:
		return deferIf(m.needsDeferral(n), func() types.Type { return m.finishUnaryType(n) })
	case *syntax.UnionType:
		return deferIf(m.needsDeferral(n), func() types.Type { return m.finishUnion(n) })
	case *syntax.ParenType:
		return m.typeOfSyntax(n.X)
	case *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems:
		return m.typePart(n)
	case *syntax.NullableType:
		return mapRef(refuseNamespaceRef(m.typeOfSyntax(n.X), n.X), func(t types.Type) types.Type {
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

// typePart is a part of a type. Where a chain of parts ends in one that only a library
// could describe, that is noted, so that one error says it.
func (m *Model) typePart(n syntax.Node) types.Ref {
	var part types.Ref
	switch n := n.(type) {
	case *syntax.TypePropertyAccess:
		part = m.typeProperty(n, n.X, n.Name.Name, n.Name)
	case *syntax.TypeRestAccess:
		base := refuseNamespaceRef(m.typeOfSyntax(n.X), n.X)
		part = deferIf(m.needsDeferral(n.X), func() types.Type { return m.finishRestAccess(n, base) })
	case *syntax.TypeIndex:
		part = m.typeIndex(n)
	case *syntax.TypeItems:
		base := refuseNamespaceRef(m.typeOfSyntax(n.X), n.X)
		part = deferIf(m.needsDeferral(n.X), func() types.Type { return m.finishItemsAccess(n, base) })
	}
	if isTypeAccess(m.parent(n)) {
		return part
	}
	return mapRef(part, func(t types.Type) types.Type {
		if t != types.Type(types.TUnknown) {
			return t
		}
		if m.missed == nil {
			m.missed = make(map[syntax.ID]bool)
		}
		m.missed[n.ID()] = true
		return types.TMissed
	})
}

// memberType is the type of a union's member: null may stand there, and only there.
func (m *Model) memberType(n syntax.TypeExpr) types.Ref {
	if _, ok := n.(*syntax.NullTypeLit); ok {
		return nullType
	}
	return refuseNamespaceRef(m.typeOfSyntax(n), n)
}

// itemType is the type of an array's item.
func (m *Model) itemType(n syntax.TypeExpr) types.Ref {
	return refuseNamespaceRef(m.typeOfSyntax(n), n)
}

// mapRef applies f to a type, or defers that if the type is deferred.
func mapRef(r types.Ref, f func(types.Type) types.Type) types.Ref {
	if isDeferred(r) {
		return types.Defer(func() types.Type { return f(r.Type()) })
	}
	return f(r.Type())
}

func deferIf(yes bool, f func() types.Type) types.Ref {
	if yes {
		return types.Defer(f)
	}
	return f()
}

// refuseNamespace refuses a namespace where a type is needed.
func refuseNamespace(t types.Type, n syntax.Node) types.Type {
	if ns, ok := t.(*types.Namespace); ok {
		return errorType(diag.BCP306.At(n.Span(), ns.Name))
	}
	return t
}

func refuseNamespaceRef(r types.Ref, n syntax.Node) types.Ref {
	return mapRef(r, func(t types.Type) types.Type { return refuseNamespace(t, n) })
}

// unwrapTypeType returns the type that a name of a type stands for.
func unwrapTypeType(t types.Type) types.Type {
	if tt, ok := t.(*types.TypeType); ok {
		return tt.Inner
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
		return refuseGeneric(n.Span(), unwrapTypeType(s.Type))
	case *bind.ImportedType:
		return refuseGeneric(n.Span(), unwrapTypeType(m.symbolType(s)))
	case *bind.TypeAlias:
		return types.Defer(func() types.Type {
			t := m.aliasType(s)
			if isError(t) {
				return errorType(diag.BCP062.At(n.Span(), s.Name()))
			}
			return refuseGeneric(n.Span(), t)
		})
	case bind.Declared:
		return errorType(diag.BCP287.At(n.Span(), s.Name()))
	}
	return m.notAType(n.Span(), n.Name.Name)
}

// refuseGeneric refuses a type that needs arguments where it has none.
func refuseGeneric(at source.Span, t types.Type) types.Type {
	if tt, ok := t.(*types.GenericType); ok {
		return errorType(diag.BCP384.At(at, tt.String(), arguments(len(tt.Params))))
	}
	return t
}

// validTypes lists the names that could be written where a type is needed.
func (m *Model) validTypes() stringerFunc {
	return func() string { return diag.Names(m.validTypeNames()) }
}

// notAType refuses a name that is not a type, with the one that may be meant or
// those that there are.
func (m *Model) notAType(at source.Span, name string) types.Type {
	return errorType(diag.BCP302.At(at, name, typeHint{m, name}))
}

// typeHint is the part of a message that suggests a type for what was written.
type typeHint struct {
	m    *Model
	name string
}

// Suggestion returns the type that may be meant.
func (h typeHint) Suggestion() diag.Suggestion { return types.Guess(h.name, h.m.validTypeNames()) }

func (h typeHint) String() string {
	if s := h.Suggestion(); s.Name != "" {
		return `Did you mean "` + s.Name + `"?`
	}
	return "These are: " + diag.Names(h.m.validTypeNames()) + "."
}

func (m *Model) validTypeNames() []string { return m.typeNames.Get(m.findTypeNames) }

func (m *Model) findTypeNames() []string {
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
	return names
}

// aliasType is the type that a type statement defines.
func (m *Model) aliasType(s *bind.TypeAlias) types.Type {
	if t, ok := m.aliases[s]; ok {
		if t == nil { // it is being worked out: its own definition needs it
			return silentError
		}
		return t
	}
	m.aliases[s] = nil
	var t types.Type
	if m.binding.IsCyclic(s) {
		t = typeCycleError(s, m.binding.CycleLen(s), func(t *bind.TypeAlias) string { return m.binding.CycleChain(t) })
	} else {
		t = m.modified(refuseNamespace(m.typeOfSyntax(s.Stmt.Value).Type(), s.Stmt.Value), s.Stmt, false)
	}
	m.aliases[s] = t
	return t
}

func typeCycleError(s *bind.TypeAlias, length int, chain func(*bind.TypeAlias) string) types.Type {
	at := s.Stmt.Name.Span()
	if length == 1 {
		return errorType(diag.BCP298.At(at))
	}
	return errorType(diag.BCP299.At(at, stringerFunc(func() string { return chain(s) })))
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
		props = append(props, types.Property{Name: key, Type: t, Flags: flags})
		name.Property(key, m.memberName(p.Value, t))
	}
	rest := &types.Property{Type: anyType, Flags: types.FallbackProperty}
	if len(rests) > 0 {
		rest = &types.Property{Type: anyType}
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
		// The object is not a type, so it is not looked into: hand on what its
		// properties have to say, except behind deferred types, which may recur.
		for i := range props {
			if !isDeferred(props[i].Type) {
				diags = append(diags, errorsOf(props[i].Type.Type())...)
			}
		}
		return errorType(diags...)
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
				return errorType(diag.BCP285.At(n.Span()))
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
		return errorType(diag.BCP285.At(n.Span()))
	}
	base := refuseNamespace(m.typeOfSyntax(n.X).Type(), n.X)
	if isError(base) {
		return base
	}
	if t := types.UnaryResult(n.Op, base); t != nil && types.IsLiteral(t) {
		return t
	}
	return errorType(diag.BCP285.At(n.Span()))
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
		return silentError // the decorator's own check reports it
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
	missed := false // whether only the library could tell what a member is
	include := func(t *types.Object, at syntax.Node) {
		if known[t] {
			return
		}
		known[t] = true
		var lit *types.StringLiteral
		p := t.Property(key)
		if p == nil && t.LeavesOpen() {
			diags = append(diags, diag.BCP411.At(at.Span()))
			return
		}
		if p != nil && p.Flags.Has(types.Required) {
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
			if isUnknown(t) {
				missed = true
				continue
			}
			diags = append(diags, diag.BCP286.At(x.Span(), "object"))
		}
	}
	if len(diags) > 0 {
		return errorType(diags...)
	}
	switch {
	case missed:
		return types.TMissed
	case len(objects) == 0:
		return silentError
	}
	sort.SliceStable(objects, func(i, j int) bool { return types.Compare(objects[i], objects[j]) < 0 })
	names := make([]string, len(objects))
	members := make([]types.Ref, len(objects))
	for i, o := range objects {
		names[i], members[i] = o.String(), o
	}
	t := types.NewDiscriminatedObject(strings.Join(names, " | "), 0, key, members)
	if t == nil {
		return silentError
	}
	return t
}
