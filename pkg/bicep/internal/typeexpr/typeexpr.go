// Package typeexpr turns type expressions, such as { name: string }[], into types.
//
// A name of a type of the file becomes a deferred reference, so that types may contain themselves.
// A type that is built around such a name is deferred too.
//
//   - typeexpr.go: names, containers, constants and unions
//   - part.go: parts of types, such as T.name, and types with arguments, such as
//     resourceInput<'…'>
//   - limit.go: decorators that change a type, such as @secure and @minLength
//   - cycle.go: types that require themselves
//   - union.go: what the members of a union may be
package typeexpr

import (
	"math"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/resourcetypes"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Model is what this package needs to know about the rest of the file: the expressions
// within types, and what names stand for.
type Model interface {
	TypeOf(syntax.Node) types.Type
	SymbolType(bind.Symbol) types.Type
	SystemDecorator(n syntax.Decorated, name string) *syntax.Decorator
	Features() *config.Features
}

// Resolver turns the type expressions of one file into types. Each is looked at once.
type Resolver struct {
	model         Model
	binding       *bind.Binding
	resourceTypes *resourcetypes.Finder

	slots     syntax.NodeMap[slot]
	hasSlots  bool // slots is made for files that have type expressions
	instances map[syntax.ID]*Instance
	missed    map[syntax.ID]bool // parts of types that only a library could describe
	aliases   map[*bind.TypeAlias]types.Type
	members   int // of all unions so far
	cycles    memo.Value[cycles]
	names     memo.Value[[]string] // of the types that the file sees
}

// slot holds the type of a node. A nil ref in state done means that the node stands for
// no type.
type slot struct {
	ref   types.Ref
	state slotState
}

type slotState uint8

const (
	empty slotState = iota
	busy
	done
)

// New returns the Resolver of a file whose names are bound.
func New(m Model, b *bind.Binding, f *resourcetypes.Finder) *Resolver {
	return &Resolver{model: m, binding: b, resourceTypes: f, aliases: map[*bind.TypeAlias]types.Type{}}
}

func (rs *Resolver) slot(n syntax.Node) *slot {
	if !rs.hasSlots {
		rs.slots, rs.hasSlots = syntax.NewNodeMap[slot](rs.binding.File.Tree), true
	}
	return rs.slots.GetOrAdd(n.ID())
}

// Has reports whether a node is a type expression or a part of one that has a type.
func Has(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Skipped:
		return false
	case syntax.TypeExpr, *syntax.TypeProperty, *syntax.TypeRest, *syntax.TupleItem:
		return true
	}
	return false
}

// TypeOf returns the type that a node stands for (see Has), or nil. In a type that requires
// itself it is an error type.
func (rs *Resolver) TypeOf(n syntax.Node) types.Ref {
	f := rs.slot(n)
	switch f.state {
	case busy:
		return nil
	case empty:
		f.state = busy
		var ref types.Ref
		if t := rs.CycleAt(n); t != nil {
			ref = t
		} else {
			ref = rs.compute(n)
		}
		f.state, f.ref = done, ref
	}
	return f.ref
}

// Stated returns the type that a declaration states, or an error that lists the types that
// it could state.
func (rs *Resolver) Stated(te syntax.TypeExpr, missing diag.Kind) types.Ref {
	if te == nil {
		return types.TAny // the parser has reported it
	}
	r := rs.tryType(te)
	if r == nil {
		return types.NewError(missing.At(te.Span(), rs.validTypes()))
	}
	return refuseNamespaceRef(r, te)
}

// typeOf returns what a type expression stands for, or an error if it stands for nothing.
func (rs *Resolver) typeOf(n syntax.Node) types.Ref {
	if r := rs.tryType(n); r != nil {
		return r
	}
	return types.NewError(diag.BCP289.At(n.Span()))
}

// tryType returns what a type expression stands for, or nil.
func (rs *Resolver) tryType(n syntax.Node) types.Ref {
	f := rs.slot(n)
	switch f.state {
	case done:
		return f.ref
	case busy:
		return types.TReported
	}
	f.state = busy
	r := rs.compute(n)
	f.state, f.ref = done, r
	return r
}

func (rs *Resolver) compute(n syntax.Node) types.Ref {
	switch n := n.(type) {
	case *syntax.Skipped:
		// The parser has reported it.
		return types.TAny
	case *syntax.ResourceTypeRef:
		return rs.resourceRefType(n)
	case *syntax.TypeName:
		return rs.namedType(n)
	case *syntax.TypeCall, *syntax.InstanceTypeCall:
		return rs.Instance(n).Type
	case *syntax.ArrayType:
		return rs.arrayOf(n)
	case *syntax.ObjectType:
		return rs.objectOf(n)
	case *syntax.TypeProperty:
		return types.MapRef(rs.typeOf(n.Value), func(t types.Type) types.Type {
			return rs.Modified(refuseNamespace(types.Unwrap(t), n.Value), n, false)
		})
	case *syntax.TypeRest:
		return types.MapRef(rs.typeOf(n.Value), func(t types.Type) types.Type {
			return rs.Modified(refuseNamespace(t, n.Value), n, false)
		})
	case *syntax.TupleType:
		return rs.tupleOf(n)
	case *syntax.TupleItem:
		return types.MapRef(rs.typeOf(n.Value), func(t types.Type) types.Type {
			return rs.Modified(refuseNamespace(t, n.Value), n, false)
		})
	case *syntax.StringTypeLit:
		return rs.stringTypeLit(n)
	case *syntax.IntTypeLit:
		if n.Value > math.MaxInt64 {
			return types.NewError(diag.BCP285.At(n.Span()))
		}
		return types.NewIntLiteral(int64(n.Value), 0)
	case *syntax.BoolTypeLit:
		return types.BoolType(n.Value)
	case *syntax.UnaryType:
		return deferIf(rs.needsDeferral(n), func() types.Type { return rs.finishUnaryType(n) })
	case *syntax.UnionType:
		return deferIf(rs.needsDeferral(n), func() types.Type { return rs.finishUnion(n) })
	case *syntax.ParenType:
		return rs.typeOf(n.X)
	case syntax.TypeAccess:
		return rs.typePart(n)
	case *syntax.NullableType:
		return types.MapRef(refuseNamespaceRef(rs.typeOf(n.X), n.X), func(t types.Type) types.Type {
			if types.IsError(t) {
				return t
			}
			return types.Nullable(t)
		})
	case *syntax.NonNullType:
		return types.MapRef(rs.typeOf(n.X), types.NonNull)
	}
	return nil
}

// typePart is a part of a type. Where a chain of parts ends in one that only a library
// could describe, that is noted, so that one error says it.
func (rs *Resolver) typePart(n syntax.Node) types.Ref {
	var part types.Ref
	switch n := n.(type) {
	case *syntax.TypePropertyAccess:
		part = rs.typeProperty(n, n.X, n.Name.Name, n.Name)
	case *syntax.TypeRestAccess:
		base := refuseNamespaceRef(rs.typeOf(n.X), n.X)
		part = deferIf(rs.needsDeferral(n.X), func() types.Type { return rs.finishRestAccess(n, base) })
	case *syntax.TypeIndex:
		part = rs.typeIndex(n)
	case *syntax.TypeItems:
		base := refuseNamespaceRef(rs.typeOf(n.X), n.X)
		part = deferIf(rs.needsDeferral(n.X), func() types.Type { return rs.finishItemsAccess(n, base) })
	}
	if _, inner := rs.binding.Parent(n).(syntax.TypeAccess); inner {
		return part
	}
	return types.MapRef(part, func(t types.Type) types.Type {
		if t != types.Type(types.TUnknown) {
			return t
		}
		if rs.missed == nil {
			rs.missed = make(map[syntax.ID]bool)
		}
		rs.missed[n.ID()] = true
		return types.TMissed
	})
}

// Missed reports whether a part of a type is unknown because the library that describes it
// is not available.
func (rs *Resolver) Missed(n syntax.Node) bool { return rs.missed[n.ID()] }

// memberType is the type of a union's member: null is allowed only there.
func (rs *Resolver) memberType(n syntax.TypeExpr) types.Ref {
	if _, ok := n.(*syntax.NullTypeLit); ok {
		return types.TNull
	}
	return refuseNamespaceRef(rs.typeOf(n), n)
}

// Item returns the type of an array's item.
func (rs *Resolver) Item(n syntax.TypeExpr) types.Ref {
	return refuseNamespaceRef(rs.typeOf(n), n)
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
		return types.NewError(diag.BCP306.At(n.Span(), ns.Name))
	}
	return t
}

func refuseNamespaceRef(r types.Ref, n syntax.Node) types.Ref {
	return types.MapRef(r, func(t types.Type) types.Type { return refuseNamespace(t, n) })
}

// needsDeferral reports whether a type expression reaches the name of one of the
// file's types without a container between.
func (rs *Resolver) needsDeferral(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.NonNullType:
		return rs.needsDeferral(n.X)
	case *syntax.ParenType:
		return rs.needsDeferral(n.X)
	case *syntax.NullableType:
		return rs.needsDeferral(n.X)
	case *syntax.UnaryType:
		return rs.needsDeferral(n.X)
	case *syntax.UnionType:
		for _, x := range n.Members {
			if rs.needsDeferral(x) {
				return true
			}
		}
	case syntax.TypeAccess:
		return rs.needsDeferral(n.Base())
	case *syntax.TypeName:
		_, ok := rs.binding.Symbol(n).(*bind.TypeAlias)
		return ok
	}
	return false
}

// namedType resolves the name of a type.
func (rs *Resolver) namedType(n *syntax.TypeName) types.Ref {
	switch s := rs.binding.Symbol(n).(type) {
	case *bind.BuiltInNamespace:
		return s.Type
	case *bind.ExtensionNamespace:
		return rs.model.SymbolType(s)
	case *bind.WildcardImport:
		return rs.model.SymbolType(s)
	case *bind.AmbientType:
		return refuseGeneric(n.Span(), types.Unwrap(s.Type))
	case *bind.ImportedType:
		return refuseGeneric(n.Span(), types.Unwrap(rs.model.SymbolType(s)))
	case *bind.TypeAlias:
		return types.Defer(func() types.Type {
			t := rs.Alias(s)
			if types.IsError(t) {
				return types.NewError(diag.BCP062.At(n.Span(), s.Name()).Follows())
			}
			return refuseGeneric(n.Span(), t)
		})
	case bind.Declared:
		return types.NewError(rs.binding.AfterImport(diag.BCP287.At(n.Span(), s.Name()), n.Name.Name))
	}
	return rs.NotAType(n.Span(), n.Name.Name)
}

// refuseGeneric refuses a type that needs arguments where it has none.
func refuseGeneric(at source.Span, t types.Type) types.Type {
	if tt, ok := t.(*types.GenericType); ok {
		return types.NewError(diag.BCP384.At(at, tt.String(), diag.Arguments(len(tt.Params))))
	}
	return t
}

// validTypes lists the names that could be written where a type is needed.
func (rs *Resolver) validTypes() diag.Text {
	return func() string { return diag.Names(rs.validTypeNames()) }
}

// NotAType returns the error for a name that is not a type. It suggests a type with a
// similar name, or lists the types that the file sees.
func (rs *Resolver) NotAType(at source.Span, name string) types.Type {
	return types.NewError(rs.binding.AfterImport(diag.BCP302.At(at, name, typeHint{rs, name}), name))
}

// typeHint is the part of a message that suggests a type for what was written.
type typeHint struct {
	rs   *Resolver
	name string
}

// Suggestion returns the type that may be meant.
func (h typeHint) Suggestion() diag.Suggestion { return types.Guess(h.name, h.rs.validTypeNames()) }

func (h typeHint) String() string {
	if s := h.Suggestion(); s.Name != "" {
		return `Did you mean "` + s.Name + `"?`
	}
	return "The types are: " + diag.Names(h.rs.validTypeNames()) + "."
}

func (rs *Resolver) validTypeNames() []string { return rs.names.Get(rs.findTypeNames) }

func (rs *Resolver) findTypeNames() []string {
	var names []string
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			names = append(names, s)
		}
	}
	for _, ns := range rs.binding.NamespaceTypes() {
		for i := range ns.Properties() {
			add(ns.Properties()[i].Name)
		}
	}
	for _, d := range rs.binding.Types {
		add(d.Name())
	}
	for _, d := range rs.binding.ImportedTypes {
		add(d.Name())
	}
	return names
}

// mayBeLeftOut reports whether a property of a type that is marked with ? is optional: in early releases
// it is not, if the type is broken. A type that is not known yet may be recursive, so it is not looked at.
func (rs *Resolver) mayBeLeftOut(n *syntax.NullableType) bool {
	if rs.binding.File.Has(release.OptionalAny) {
		return true
	}
	t, found := types.Found(rs.typeOf(n.X))
	return !found || !types.IsError(t)
}

// Alias returns the type that a type statement defines.
func (rs *Resolver) Alias(s *bind.TypeAlias) types.Type {
	if t, ok := rs.aliases[s]; ok {
		if t == nil { // it is being worked out: its own definition needs it
			return types.TReported
		}
		return t
	}
	rs.aliases[s] = nil
	var t types.Type
	if rs.binding.IsCyclic(s) {
		t = typeCycleError(s, rs.binding.CycleLen(s), func(t *bind.TypeAlias) string { return rs.binding.CycleChain(t) })
	} else {
		t = rs.Modified(refuseNamespace(rs.typeOf(s.Stmt.Value).Type(), s.Stmt.Value), s.Stmt, false)
	}
	rs.aliases[s] = t
	return t
}

func typeCycleError(s *bind.TypeAlias, length int, chain func(*bind.TypeAlias) string) types.Type {
	at := s.Stmt.Name.Span()
	if length == 1 {
		return types.NewError(diag.BCP298.At(at))
	}
	return types.NewError(diag.BCP299.At(at, diag.Text(func() string { return chain(s) })))
}

// Containers.

func (rs *Resolver) arrayOf(n *syntax.ArrayType) types.Type {
	item := rs.Item(n.Item)
	if types.IsDeferred(item) {
		return types.NewNamedArray(rs.textOf(n), item, nil, nil, 0)
	}
	return types.NewTypedArray(item, nil, nil, 0)
}

func (rs *Resolver) objectOf(n *syntax.ObjectType) types.Type {
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
		t := rs.typeOf(p)
		key, ok := p.KeyName()
		if !ok {
			diags = append(diags, diag.BCP296.At(p.Key.Span()))
			if !types.IsDeferred(t) {
				diags = append(diags, types.ErrorsOf(t.Type())...)
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
		if n, ok := p.Value.(*syntax.NullableType); ok && rs.mayBeLeftOut(n) {
			flags = 0
		}
		props = append(props, types.Property{Name: key, Type: t, Flags: flags})
		name.Property(key, rs.memberName(p.Value, t))
	}
	rest := &types.Property{Type: types.TAny, Flags: types.FallbackProperty}
	if len(rests) > 0 {
		rest = &types.Property{Type: types.TAny}
		if len(rests) == 1 {
			rest.Type = rs.typeOf(rests[0])
		} else {
			for _, r := range rests {
				diags = append(diags, diag.BCP315.At(r.Span()))
			}
		}
		name.Rest(rs.memberName(rests[0].Value, rest.Type))
	}
	if len(diags) > 0 {
		// The object is not a type, so it is not looked into: hand on what its
		// properties have to say, except inside deferred types, which may be recursive.
		for i := range props {
			if !types.IsDeferred(props[i].Type) {
				diags = append(diags, types.ErrorsOf(props[i].Type.Type())...)
			}
		}
		return types.NewError(diags...)
	}
	return types.NewObject(name.String(), 0, props, rest)
}

// memberName is how a member's type is written in the name of the type around
// it: a deferred one as in the source.
func (rs *Resolver) memberName(n syntax.Node, r types.Ref) string {
	if types.IsDeferred(r) {
		return strings.Trim(rs.textOf(n), " ")
	}
	return r.Type().String()
}

func (rs *Resolver) textOf(n syntax.Node) string { return rs.binding.File.Source.Slice(n.Span()) }

func (rs *Resolver) tupleOf(n *syntax.TupleType) types.Type {
	items := make([]types.Ref, 0, len(n.Items))
	var name types.TupleName
	for _, it := range n.Items {
		t := rs.typeOf(it)
		items = append(items, t)
		name.Item(rs.memberName(it.Value, t))
	}
	return types.NewNamedTuple(name.String(), items, 0)
}

// Constants.

func (rs *Resolver) stringTypeLit(n *syntax.StringTypeLit) types.Type {
	if s, ok := n.Value.Literal(); ok {
		return types.Str(s)
	}
	var b strings.Builder
	for i, seg := range n.Value.Segments() {
		b.WriteString(seg)
		if i < len(n.Value.Exprs()) {
			lit, ok := rs.model.TypeOf(n.Value.Exprs()[i]).(*types.StringLiteral)
			if !ok {
				return types.NewError(diag.BCP285.At(n.Span()))
			}
			b.WriteString(lit.Value)
		}
	}
	return types.Str(b.String())
}

func (rs *Resolver) finishUnaryType(n *syntax.UnaryType) types.Type {
	// The smallest integer has no positive counterpart, so look before folding.
	if lit, ok := n.X.(*syntax.IntTypeLit); ok && n.Op == syntax.Minus {
		switch {
		case lit.Value <= math.MaxInt64:
			return types.NewIntLiteral(-int64(lit.Value), 0)
		case lit.Value == math.MaxInt64+1:
			return types.NewIntLiteral(math.MinInt64, 0)
		}
		return types.NewError(diag.BCP285.At(n.Span()))
	}
	base := refuseNamespace(rs.typeOf(n.X).Type(), n.X)
	if types.IsError(base) {
		return base
	}
	if t := types.UnaryResult(n.Op, base); t != nil && types.IsLiteral(t) {
		return t
	}
	return types.NewError(diag.BCP285.At(n.Span()))
}

// Unions.

func (rs *Resolver) finishUnion(n *syntax.UnionType) types.Type {
	members := make([]types.Ref, len(n.Members))
	for i, x := range n.Members {
		members[i] = rs.memberType(x)
		if t := rs.tooLarge(n, members[i].Type()); t != nil {
			return t
		}
	}
	if d := rs.unionDecorated(n); d != nil {
		if dec := rs.model.SystemDecorator(d, "discriminator"); dec != nil {
			return rs.finishDiscriminated(n, dec)
		}
	}
	return types.NewUnion(members...)
}

// unionDecorated finds the declaration whose decorators speak of a union.
func (rs *Resolver) unionDecorated(n syntax.Node) syntax.Decorated {
	for n != nil {
		switch x := n.(type) {
		case syntax.Decorated:
			return x
		case *syntax.ParenType, *syntax.UnionType, *syntax.NullableType, *syntax.NonNullType:
			n = rs.binding.Parent(n)
		default:
			return nil
		}
	}
	return nil
}

func (rs *Resolver) finishDiscriminated(n *syntax.UnionType, dec *syntax.Decorator) types.Type {
	key, ok := rs.singleStringArg(dec)
	if !ok {
		return types.TReported // the decorator's own check reports it
	}
	var (
		diags   []diag.Diagnostic
		objects []types.Type
		seen    = map[string]bool{}
		known   = map[*types.Object]bool{}
	)
	// Once a member does not fit, the property cannot be a discriminator any more:
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
		switch t := rs.memberType(x).Type().(type) {
		case *types.Object:
			include(t, x)
		case *types.DiscriminatedObject:
			for _, v := range t.Members {
				include(v.Object, x)
			}
		default:
			if types.IsUnknown(t) {
				missed = true
				continue
			}
			d := diag.BCP286.At(x.Span(), "object")
			if types.IsError(t) {
				d = d.Follows()
			}
			diags = append(diags, d)
		}
	}
	if len(diags) > 0 {
		return types.NewError(diags...)
	}
	switch {
	case missed:
		return types.TMissed
	case len(objects) == 0:
		return types.TReported
	}
	sort.SliceStable(objects, func(i, j int) bool { return types.Compare(objects[i], objects[j]) < 0 })
	names, members := make([]string, len(objects)), make([]types.Ref, len(objects))
	for i, o := range objects {
		names[i], members[i] = o.String(), o
	}
	if t := types.NewDiscriminatedObject(strings.Join(names, " | "), 0, key, members); t != nil {
		return t
	}
	return types.TReported
}
