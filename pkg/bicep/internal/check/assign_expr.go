package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func (m *Model) assignString(n *syntax.String) types.Type {
	if s, ok := n.Literal(); ok {
		return m.literal(s)
	}
	start := len(m.parts)
	for _, x := range n.Exprs() {
		t := m.TypeOf(x)
		m.parts = append(m.parts, t)
	}
	t := m.interpolated(n.Segments(), m.parts[start:])
	m.parts = m.parts[:start]
	return t
}

// interpolated is the type of a string whose holes have these types.
func (m *Model) interpolated(segments []string, holes []types.Type) types.Type {
	if failed := failureOf(holes...); failed != nil {
		return failed
	}
	if types.MayFold(holes) {
		if t, _ := types.Fold("format", holes, armjson.String(formatString(segments))); t != nil {
			return t
		}
	}
	var lo int64
	for _, s := range segments {
		lo += int64(source.UTF16Len(s))
	}
	hi, bounded := lo, true
	for _, t := range holes {
		l, h := types.StringifiedLength(t)
		lo += l
		if h == nil {
			bounded = false
		} else {
			hi += *h
		}
	}
	if !bounded {
		hi = unbounded
	}
	return m.stringOf(lo, hi)
}

// unbounded is the greatest length of a string that may have any.
const unbounded = -1

// stringOf returns the type of strings of such lengths.
func (m *Model) stringOf(lo, hi int64) types.Type {
	lengths := [2]int64{lo, hi}
	t := m.stringsOf[lengths]
	if t != nil {
		return t
	}
	var minLen, maxLen *int64
	if lo > 0 {
		minLen = types.Len(lo)
	}
	if hi != unbounded {
		maxLen = types.Len(hi)
	}
	t = types.NewString(minLen, maxLen, "", 0)
	if m.stringsOf == nil {
		m.stringsOf = map[[2]int64]types.Type{}
	}
	m.stringsOf[lengths] = t
	return t
}

// literal returns the type of a string. The same few are in every resource of a kind, so
// those that were asked for lately are kept.
func (m *Model) literal(s string) types.Type {
	place := len(s)
	if s != "" {
		place += int(s[0]) + 7*int(s[len(s)-1])
	}
	recent := &m.recent[place%len(m.recent)]
	if *recent == nil || (*recent).Value != s {
		*recent = m.literals.New(types.StringLiteral{Value: s})
	}
	return *recent
}

// formatString is a string with holes as the function format takes it.
func formatString(segments []string) string {
	var b strings.Builder
	for i, s := range segments {
		if i > 0 {
			b.WriteByte('{')
			b.WriteString(strconv.Itoa(i - 1))
			b.WriteByte('}')
		}
		s = strings.ReplaceAll(s, "{", "{{")
		b.WriteString(strings.ReplaceAll(s, "}", "}}"))
	}
	return b.String()
}

func (m *Model) assignObject(n *syntax.Object) types.Type {
	var p problems
	duplicateKeys(n, &p)
	named := 0
	for _, item := range n.Items {
		switch x := item.(type) {
		case *syntax.Property:
			p.add(m.valueType(x))
			named++
		case *syntax.Spread:
			t := m.TypeOf(x.X)
			if !types.IsError(t) && !types.AreAssignable(t, objectType) {
				p.report(diag.BCP402.At(x.Span(), objectType))
				continue
			}
			p.add(t)
		case *syntax.Missing:
			m.TypeOf(x) // decorators for no resource; that is reported, and changes nothing here
		}
	}
	if p.failed {
		return p.typ()
	}
	declared, _ := m.DeclaredType(n).(*types.Object)
	props := m.properties.Make(named)[:0]
	var rest []types.Ref
	for _, item := range n.Items {
		switch x := item.(type) {
		case *syntax.Property:
			t := m.valueType(x)
			name, ok := x.KeyName()
			if !ok {
				rest = append(rest, t)
				continue
			}
			prop := types.Property{Name: name, Type: t, Flags: types.Required}
			if declared != nil {
				// A property that is written here exists and can be read.
				if d := declared.Property(name); d != nil {
					prop.Flags = (d.Flags | types.Required) &^ types.ReadOnly
				}
			}
			props = append(props, prop)
		case *syntax.Spread:
			o, ok := types.AsObject(m.TypeOf(x.X))
			if !ok {
				rest = append(rest, anyType)
				continue
			}
			props = append(props, o.Properties()...)
			if o.Additional != nil {
				rest = append(rest, o.Additional.Type.Type())
			}
		}
	}
	var additional *types.Property
	if len(rest) > 0 {
		additional = &types.Property{Type: types.NewUnion(rest...)}
	}
	return types.NewObjectIn(&m.objects, "object", 0, props, additional)
}

// duplicateKeys reports keys that an object has more than once.
func duplicateKeys(n *syntax.Object, p *problems) {
	if !repeatsKeys(n) {
		return
	}
	count := make(map[string]int, len(n.Items))
	for _, item := range n.Items {
		if key, ok := keyOf(item); ok {
			count[key]++
		}
	}
	for _, item := range n.Items {
		if key, ok := keyOf(item); ok && count[key] > 1 {
			p.report(diag.BCP025.At(item.(*syntax.Property).Key.Span(), key))
		}
	}
}

// repeatsKeys reports whether an object has a key more than once.
func repeatsKeys(n *syntax.Object) bool {
	var few [12]string
	if len(n.Items) <= len(few) {
		keys := few[:0]
		for _, item := range n.Items {
			if key, ok := keyOf(item); ok {
				if slices.Contains(keys, key) {
					return true
				}
				keys = append(keys, key)
			}
		}
		return false
	}
	seen := make(map[string]bool, len(n.Items))
	for _, item := range n.Items {
		if key, ok := keyOf(item); ok {
			if seen[key] {
				return true
			}
			seen[key] = true
		}
	}
	return false
}

func keyOf(item syntax.ObjectItem) (string, bool) {
	if p, ok := item.(*syntax.Property); ok {
		return p.KeyName()
	}
	return "", false
}

// valueType is TypeOf for a property, which is part of no cycle without its value.
func (m *Model) valueType(n *syntax.Property) types.Type {
	t := m.assigned[n.ID()]
	if t == nil {
		t = m.assignProperty(n)
		m.assigned[n.ID()] = t
	}
	return t
}

func (m *Model) assignProperty(n *syntax.Property) types.Type {
	var p problems
	if s, ok := n.Key.(*syntax.String); ok && s.Interpolated() {
		p.add(m.TypeOf(s))
	}
	t := m.TypeOf(n.Value)
	if !p.failed {
		return t
	}
	p.add(t)
	return p.typ()
}

func (m *Model) assignArray(n *syntax.Array) types.Type {
	var p problems
	for _, item := range n.Items {
		switch x := item.(type) {
		case *syntax.Spread:
			t := m.TypeOf(x.X)
			if !types.IsError(t) && !types.AreAssignable(t, arrayType) {
				p.report(diag.BCP402.At(x.Span(), arrayType))
				continue
			}
			p.add(t)
		case *syntax.Skipped:
		default:
			p.add(m.TypeOf(x))
		}
	}
	if p.failed {
		return p.typ()
	}
	items := m.refs.Make(len(n.Items))[:0]
	var loose []types.Ref // of spread arrays, whose lengths are not known
	for _, item := range n.Items {
		switch x := item.(type) {
		case *syntax.Spread:
			switch t := m.TypeOf(x.X).(type) {
			case *types.Tuple:
				if len(items)+len(t.Items) > types.MaxTuple {
					loose = append(loose, t.ItemRef().Type())
					continue
				}
				for _, i := range t.Items {
					items = append(items, i.Type())
				}
			case *types.Array:
				loose = append(loose, t.Item.Type())
			default:
				loose = append(loose, anyType)
			}
		case *syntax.Skipped:
		default:
			items = append(items, m.TypeOf(x))
		}
	}
	if len(loose) > 0 {
		return types.NewTypedArray(types.NewUnion(append(items, loose...)...), nil, nil, 0)
	}
	return types.NewTupleIn(&m.tuples, items)
}

func (m *Model) assignTernary(n *syntax.Ternary) types.Type {
	cond, then, els := m.TypeOf(n.Cond), m.TypeOf(n.Then), m.TypeOf(n.Else)
	if failed := failureOf(cond, then, els); failed != nil {
		return failed
	}
	if t, ok := types.AssignableIfNonNull(cond, boolType); ok {
		m.report(diag.BCP321.At(n.Cond.Span(), boolType, "this value", cond))
		cond = t
	}
	if !types.AreAssignable(cond, boolType) {
		return errorType(diag.BCP046.At(n.Cond.Span(), boolType, cond))
	}
	if lit, ok := cond.(*types.BoolLiteral); ok {
		if lit.Value {
			return then
		}
		return els
	}
	return types.CollapseOrUnion(then, els)
}

func (m *Model) assignUnary(n *syntax.Unary) types.Type {
	x := m.TypeOf(n.X)
	if failed := failureOf(x); failed != nil {
		return failed
	}
	if t := types.UnaryResult(n.Op, x); t != nil {
		return t
	}
	if inner, ok := types.TryNonNull(x); ok && m.inTernaryBranch(n) {
		if t := types.UnaryResult(n.Op, inner); t != nil {
			m.report(diag.BCP321.At(n.Span(), inner, "this value", x))
			return t
		}
	}
	return errorType(diag.BCP044.At(n.Span(), n.Op.String(), x))
}

func (m *Model) assignBinary(n *syntax.Binary) types.Type {
	x, y := m.TypeOf(n.X), m.TypeOf(n.Y)
	if failed := failureOf(x, y); failed != nil {
		return failed
	}
	if t := types.BinaryResult(n.Op, n.Span(), x, y, m.sink); t != nil {
		return t
	}
	// An operand that may be null is accepted, with a warning, where the
	// operation is in the branch of a choice that may have tested it.
	xi, xNull := types.TryNonNull(x)
	yi, yNull := types.TryNonNull(y)
	if (xNull || yNull) && m.inTernaryBranch(n) {
		x2, y2 := x, y
		if xNull {
			x2 = xi
		}
		if yNull {
			y2 = yi
		}
		if t := types.BinaryResult(n.Op, n.Span(), x2, y2, m.sink); t != nil {
			if xNull {
				m.report(diag.BCP321.At(n.Span(), xi, "the left operand", x))
			}
			if yNull {
				m.report(diag.BCP321.At(n.Span(), yi, "the right operand", y))
			}
			return t
		}
	}
	hint := ""
	if n.Op == syntax.OpAdd && types.AreAssignable(x, stringType) && types.AreAssignable(y, stringType) {
		hint = " Write '${a}${b}' to join strings."
	}
	return errorType(diag.BCP045.At(n.Span(), n.Op.String(), x, y, hint))
}

// inTernaryBranch reports whether a node is in a branch of a choice, where operands may be null.
func (m *Model) inTernaryBranch(n syntax.Node) bool {
	if !m.Has(release.NullableBranches) {
		return false
	}
	for p := m.Parent(n); p != nil; n, p = p, m.Parent(p) {
		if t, ok := p.(*syntax.Ternary); ok && (syntax.Node(t.Then) == n || syntax.Node(t.Else) == n) {
			return true
		}
	}
	return false
}
