package narrow

import (
	"slices"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Hints at the end of messages about resources. The type may be wrong, or older than
// the resource if it comes from the tables of package typelib.
const (
	inaccurate = " If the type's definition is wrong, this warning can be ignored."
	unfit      = " If the type's definition is wrong, write the object within any()."
	outdated   = " If a newer release has it, configure the extension's archive in bicepconfig.json, or write the object within any()."
)

// narrowDiscriminated checks a value against the member of target that its
// discriminator selects. It returns nil if nothing more is known of the value.
func (n *narrower) narrowDiscriminated(c narrowing, x syntax.Node, actual types.Type, target *types.DiscriminatedObject) types.Type {
	if n.nodes.HasParseErrors(x) {
		return types.TAny
	}
	value, ok := types.AsObject(actual)
	if !ok {
		return nil
	}
	key := target.Discriminator.Name
	literal, _ := x.(*syntax.Object)
	p := value.Property(key)
	if p == nil {
		n.missingDiscriminator(&c, x, literal, value, target)
		return types.TAny
	}

	at := x.Span()
	if written := literal.Property(key); written != nil {
		at = written.Value.Span()
	}
	if c.origin != nil {
		at = c.origin.Span()
	}
	keys := target.Discriminator.Type.Type()
	system := target.Discriminator.Flags.Has(types.SystemProperty)
	mismatch := func(warn, clause bool) {
		n.report(diag.BCP036.At(at, key, keys.String(), inClause(n.sourceName(&c)),
			p.Type.Type().String(), clauseIf(clause)).As(severity(warn)))
	}
	switch t := p.Type.Type().(type) {
	case *types.AnyType:
	case *types.StringLiteral:
		if m := target.Member(t.Value); m != nil {
			return n.narrowObject(c, x, actual, m)
		}
		warn := c.resource || types.ShouldWarnForProperty(target)
		if n.sourceName(&c) == "" {
			if s := types.Guess(t.String(), memberKeys(target)); s.Name != "" {
				n.report(diag.BCP088.At(at, key, keys.String(), t.String(), s).As(severity(warn)))
				break
			}
		}
		mismatch(warn, c.resource)
	default:
		if types.AreAssignable(t, keys) {
			n.report(diag.BCP225.At(at, key))
			break
		}
		inaccurate := c.resource && !system
		mismatch(inaccurate || types.ShouldWarnForProperty(target), inaccurate)
	}
	return types.TAny
}

func memberKeys(t *types.DiscriminatedObject) []string {
	keys := make([]string, len(t.Members))
	for i, m := range t.Members {
		keys[i] = m.Key.String()
	}
	collate.SortFunc(keys, func(s string) string { return s })
	return keys
}

// missingDiscriminator reports a value without a discriminator. A value with unknown
// properties may have one, so that is only a warning.
func (n *narrower) missingDiscriminator(c *narrowing, x syntax.Node,
	literal *syntax.Object, value *types.Object, target *types.DiscriminatedObject) {
	if value.HasExplicitAdditional() {
		return
	}
	key, keys := target.Discriminator.Name, target.Discriminator.Type.Type()
	warn := types.ShouldWarnForProperty(target)
	mayHave := value.Additional != nil && types.AreAssignable(value.Additional.Type.Type(), types.TString)
	n.report(diag.BCP078.At(c.place(x).Span(), key, keys.String()).As(severity(warn || mayHave)))

	names := make([]string, len(value.Properties()))
	for i := range value.Properties() {
		names[i] = value.Properties()[i].Name
	}
	if misspelt := types.Guess(key, names).Name; misspelt != "" {
		at := x.Span()
		if p := literal.Property(misspelt); p != nil {
			at = p.Key.Span()
		}
		if c.origin != nil {
			at = c.origin.Span()
		}
		n.report(diag.BCP089.At(at, misspelt, keys.String(), key).As(severity(warn)))
	}
}

// narrowObject checks each property. It returns nil if nothing more is known of the
// value.
func (n *narrower) narrowObject(c narrowing, x syntax.Node, actual types.Type, target *types.Object) types.Type {
	if use, ok := x.(*syntax.VarRef); ok {
		if value := n.valueOf(use); value != nil {
			return n.follow(c, use, value, actual, target, func(n *narrower, c narrowing) types.Type {
				return n.narrowObject(c, value, actual, target)
			})
		}
	}
	if n.nodes.HasParseErrors(x) {
		return target
	}
	value, ok := types.AsObject(actual)
	if !ok {
		return nil
	}
	literal, _ := x.(*syntax.Object)
	n.checkRequired(&c, x, value, target)

	given := value.Properties()
	narrowed := n.properties.Make(min(len(target.Properties()), len(given)))[:0]
	for i := range given {
		got := &given[i]
		if want := target.Property(got.Name); want != nil {
			narrowed = append(narrowed, n.narrowProperty(c, x, literal, got, want, target))
		}
	}
	undeclared := len(narrowed) < len(given)

	// Undeclared properties are refused, or checked against the type of additional
	// properties. A value that is not a literal may have more than the type knows.
	if rest := target.Additional; rest == nil || literal != nil && rest.Flags.Has(types.FallbackProperty) {
		if undeclared || literal != nil && slices.ContainsFunc(literal.Items, hasUnknownKey) {
			n.checkUndeclared(&c, x, literal, value, target)
		}
	} else if undeclared {
		n.narrowUndeclared(c, x, literal, value, target)
	}

	if c.resource {
		types.WithoutFlags(narrowed, types.ReadOnly)
		target = n.writable(target)
	}
	return target.VariantIn(&n.objects, narrowed)
}

// writable returns a type without the flag ReadOnly on its properties: a resource is read with the
// type that its check returns.
func (k *Checker) writable(t *types.Object) *types.Object {
	return memo.In(&k.writables, t, func() *types.Object {
		ps := slices.Clone(t.Properties())
		types.WithoutFlags(ps, types.ReadOnly)
		return t.WithProperties(ps)
	})
}

// checkRequired reports required properties that are missing.
func (n *narrower) checkRequired(c *narrowing, x syntax.Node, value, target *types.Object) {
	if value.Additional != nil {
		return // the value may have them
	}
	var missing []string
	system, other := false, false
	for i := range target.Properties() {
		p := &target.Properties()[i]
		if !p.Flags.Has(types.Required) || p.Flags.Has(types.ReadOnly) || value.Property(p.Name) != nil ||
			types.AreAssignable(types.TNull, p.Type.Type()) {
			continue
		}
		missing = append(missing, p.Name)
		if p.Flags.Has(types.SystemProperty) {
			system = true
		} else {
			other = true
		}
	}
	if len(missing) == 0 {
		return
	}
	collate.SortFunc(missing, func(s string) string { return s })
	at, what := n.missingPlace(x)
	if c.origin != nil {
		at = c.origin.Span()
	}
	warn := c.resource && !system || types.ShouldWarnForProperty(target)
	n.report(diag.BCP035.At(at, what, inClause(n.sourceName(c)),
		types.QuoteList(missing), clauseIf(c.resource && other && warn)).As(severity(warn)))
}

// missingPlace returns where to report a missing property, and the word for its owner.
func (n *narrower) missingPlace(x syntax.Node) (source.Span, string) {
	switch p := n.nodes.Parent(x).(type) {
	case *syntax.Property:
		return p.Key.Span(), "object"
	case *syntax.If:
		return n.missingPlace(p)
	case *syntax.For:
		return n.missingPlace(p)
	case *syntax.Resource:
		return p.Name.Span(), "resource"
	case *syntax.Module:
		return p.Name.Span(), "module"
	case *syntax.Test:
		return p.Name.Span(), "test"
	case *syntax.Output:
		return p.Name.Span(), "output"
	case *syntax.Var:
		return p.Name.Span(), "var"
	case *syntax.Metadata:
		return p.Name.Span(), "metadata"
	case *syntax.Assert:
		return p.Name.Span(), "assert"
	case *syntax.Param:
		return p.Name.Span(), "param"
	case *syntax.ParamAssign:
		return p.Name.Span(), "param"
	}
	return x.Span(), "object"
}

// narrowProperty checks a property that the type declares.
func (n *narrower) narrowProperty(c narrowing, x syntax.Node,
	literal *syntax.Object, got, want *types.Property, target *types.Object) types.Property {
	value, key := x, x
	if p := literal.Property(want.Name); p != nil {
		value, key = p.Value, p.Key
	}
	if t := n.plainProperty(&c, value, got, want); t != nil {
		return types.Property{Name: want.Name, Type: t, Flags: want.Flags}
	}
	inner := c.deeper(x, value)
	inner.skipErrors = true
	if !c.skipConstant && want.Flags.Has(types.Constant) {
		Constant(value, n.report)
		inner.skipConstant = true
	}
	if want.Flags.Has(types.ReadOnly) {
		n.reportReadOnly(&c, x, key, got, want, target)
		return *want
	}
	if want.Flags.Has(types.FallbackProperty) {
		n.report(diag.BCP187.At(c.place(key).Span(), want.Name, ""))
	}
	inexact := c.resource && !want.Flags.Has(types.SystemProperty)
	inner.disallowAny = want.Flags.Has(types.DisallowAny)
	inner.mismatch = n.propertyMismatch(&c, want.Name, inexact || types.ShouldWarn(want.Type.Type()), inexact)

	gotType := got.Type.Type()
	pair := typePair{gotType, want.Type.Type(), inner.skipErrors,
		inner.skipConstant, inner.disallowAny, inner.resource, acceptsImplicitNull(want.Flags, gotType)}
	typed := value == x && n.onlyTyped(x)
	if typed {
		if t := n.fitting(pair); t != nil {
			return types.Property{Name: want.Name, Type: t, Flags: want.Flags}
		}
	}
	var ref types.Ref
	if c.seen.add(value, gotType, want.Type.Type()) {
		t := n.propertyType(inner, value, gotType, want)
		if typed {
			c.seen.prove(pair, t)
		}
		ref = t
	} else {
		ref = n.deferPropertyType(inner, value, gotType, *want)
	}
	return types.Property{Name: want.Name, Type: ref, Flags: want.Flags}
}

// plainProperty returns the type of a property about whose value nothing can be said, and
// nil for others.
func (n *narrower) plainProperty(c *narrowing, value syntax.Node, got, want *types.Property) types.Type {
	const restricted = types.Constant | types.ReadOnly | types.FallbackProperty | types.DisallowAny
	t := want.Type.Type()
	if want.Flags&restricted != 0 || !fitsWhole(value, got.Type.Type(), t) {
		return nil
	}
	if acceptsImplicitNull(want.Flags, got.Type.Type()) {
		if _, isAny := t.(*types.AnyType); isAny {
			return nil
		}
		if c.resource {
			return t // as of a choice with null: what is expected tells what the service will return
		}
	}
	return n.narrowFitting(*c, value, got.Type.Type(), t)
}

// propertyType checks the value of a property against the property's type.
func (n *narrower) propertyType(c narrowing, value syntax.Node, got types.Type, want *types.Property) types.Type {
	t := want.Type.Type()
	implicitNull := acceptsImplicitNull(want.Flags, got)
	if implicitNull {
		t = n.orNull(t)
	}
	t = n.narrowTo(c, value, got, t)
	if implicitNull {
		return types.NonNull(t)
	}
	return t
}

// deferPropertyType is propertyType for what is being checked already: the answer is
// found when it is asked for.
func (n *narrower) deferPropertyType(c narrowing, value syntax.Node, got types.Type, want types.Property) types.Ref {
	n.keep(&c)
	c.depth = 0
	return types.Defer(func() (t types.Type) {
		defer endless(n.report, value, want.Type.Type(), &t)
		return n.propertyType(c, value, got, &want)
	})
}

// acceptsImplicitNull reports whether an optional property may be set to null.
func acceptsImplicitNull(f types.PropertyFlags, got types.Type) bool {
	if f.Has(types.Required) || !f.Has(types.AllowImplicitNull) {
		return false
	}
	return !f.Has(types.PerhapsRequired) || types.AreAssignable(got, types.TNull) || types.IsNullable(got)
}

func (n *narrower) reportReadOnly(c *narrowing, x, key syntax.Node, got, want *types.Property, target *types.Object) {
	parent := n.nodes.Parent(x)
	if i, ok := parent.(*syntax.If); ok {
		parent = n.nodes.Parent(i)
	}
	at := c.place(key).Span()
	if r, ok := parent.(*syntax.Resource); ok && r.IsExisting() {
		n.report(diag.BCP173.At(at, want.Name))
		return
	}
	if !got.Flags.Has(types.ReadOnly) {
		inexact := c.resource && !want.Flags.Has(types.SystemProperty)
		warn := inexact || types.ShouldWarnForProperty(target)
		n.report(diag.BCP073.At(at, want.Name, clauseIf(inexact)).As(severity(warn)))
	}
}

// suggestLiteral returns the string that a misspelt one most likely means, if there is one.
func suggestLiteral(l *types.StringLiteral, want types.Type) diag.Suggestion {
	switch w := want.(type) {
	case *types.StringLiteral:
		return types.Guess(l.String(), []string{w.String()})
	case *types.Union:
		names := make([]string, len(w.Members))
		for i, m := range w.Members {
			s, ok := m.Type().(*types.StringLiteral)
			if !ok {
				return diag.Suggestion{}
			}
			names[i] = s.String()
		}
		collate.SortFunc(names, func(s string) string { return s })
		return types.Guess(l.String(), names)
	}
	return diag.Suggestion{}
}

// checkUndeclared reports properties that the type does not declare.
func (n *narrower) checkUndeclared(c *narrowing, x syntax.Node, literal *syntax.Object, value, target *types.Object) {
	// The parts of the messages are computed for the first of them.
	names := sync.OnceValue(func() (free []string) {
		for i := range target.Properties() {
			p := &target.Properties()[i]
			if p.Flags&(types.ReadOnly|types.FallbackProperty) == 0 && value.Property(p.Name) == nil {
				free = append(free, p.Name)
			}
		}
		collate.SortFunc(free, func(s string) string { return s })
		return free
	})
	permitted := sync.OnceValue(func() string {
		if list := names(); len(list) > 0 {
			return " It may have: " + types.QuoteList(list) + "."
		}
		return ""
	})
	described := sync.OnceValue(target.String)
	level := severity(target.Additional != nil && target.Additional.Flags.Has(types.FallbackProperty) ||
		types.ShouldWarnForProperty(target))

	for i := range value.Properties() {
		name := value.Properties()[i].Name
		if target.Property(name) != nil {
			continue
		}
		at := x.Span()
		if p := literal.Property(name); p != nil {
			at = p.Key.Span()
		}
		if c.origin != nil {
			at = c.origin.Span()
		}
		src := n.sourceName(c)
		if src == "" {
			if s := types.Guess(name, names()); s.Name != "" {
				n.report(diag.BCP089.At(at, name, described(), s).As(level))
				continue
			}
		}
		clause := clauseIf(c.resource)
		if level == diag.Error && c.resource {
			clause = unfit
			if target.Flags().Has(types.KnownByHeart) {
				clause = outdated
			}
		}
		n.report(diag.BCP037.At(at, name, inClause(src), described(), permitted(), clause).As(level))
	}
	if literal == nil {
		return
	}
	for _, item := range literal.Items {
		if hasUnknownKey(item) {
			at := item.(*syntax.Property).Key.Span()
			n.report(diag.BCP040.At(at, described(), inClause(n.sourceName(c)), permitted()).As(level))
		}
	}
}

// hasUnknownKey reports whether an item is a property whose name is computed.
func hasUnknownKey(item syntax.ObjectItem) bool {
	p, ok := item.(*syntax.Property)
	if !ok {
		return false
	}
	_, known := p.KeyName()
	return !known
}

// narrowUndeclared checks properties against the type of additional properties.
func (n *narrower) narrowUndeclared(c narrowing, x syntax.Node, literal *syntax.Object, value, target *types.Object) {
	rest := target.Additional
	want := rest.Type.Type()
	warn := types.ShouldWarn(want)
	if rest.Flags.Has(types.AllowImplicitNull) {
		want = n.orNull(want)
	}
	for i := range value.Properties() {
		p := &value.Properties()[i]
		if target.Property(p.Name) != nil {
			continue
		}
		at := x
		if written := literal.Property(p.Name); written != nil {
			at = written.Value
		}
		if rest.Flags&(types.Constant|types.DisallowAny) == 0 && fitsWhole(at, p.Type.Type(), want) {
			continue
		}
		inner := c.deeper(x, at)
		inner.skipErrors = true
		if !c.skipConstant && rest.Flags.Has(types.Constant) {
			Constant(at, n.report)
			inner.skipConstant = true
		}
		inner.disallowAny = rest.Flags.Has(types.DisallowAny)
		inner.mismatch = n.propertyMismatch(&c, p.Name, warn, false)
		actual := p.Type.Type()
		if c.seen.add(at, actual, want) {
			n.narrowTo(inner, at, actual, want)
		}
	}
}

func inClause(name string) string {
	if name == "" {
		return ""
	}
	return " of \"" + name + "\""
}

func clauseIf(inexact bool) string {
	if inexact {
		return inaccurate
	}
	return ""
}
