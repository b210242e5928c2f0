package armtemplate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// loader turns nodes of the templates' schema language into types.
type loader struct {
	root *armjson.Object
	// allRequired is set where the template's language version knows nullable
	// types: all properties are required then, unless they are nullable.
	allRequired bool
	// open are the discriminators whose branches are being read. A branch that is
	// part of a resource's type is read whole, which may lead back here.
	open map[*armjson.Object]bool
	// deferred are the references within types by their nodes. There is one for each
	// node: a type that holds itself has an end only if it is the same each time.
	deferred map[*armjson.Object]types.Ref
}

func newLoader(root *armjson.Object) *loader {
	l := &loader{root: root, open: map[*armjson.Object]bool{}, deferred: map[*armjson.Object]types.Ref{}}
	version, _ := stringMember(root, "languageVersion")
	l.allRequired = version != "" && version != "1.0"
	return l
}

// node is a node of the schema language together with those that it refers to:
// what a node does not say itself, the one that it refers to says.
type node struct {
	parts    []*armjson.Object // the node itself first
	noMeta   bool              // as if there were no metadata
	metadata *armjson.Object
}

func (n *node) value(name string) (armjson.Value, bool) {
	for _, p := range n.parts {
		if v, ok := member(p, name); ok {
			return v, true
		}
	}
	return nil, false
}

func (n *node) object(name string) *armjson.Object {
	v, _ := n.value(name)
	o, _ := v.(*armjson.Object)
	return o
}

func (n *node) array(name string) (armjson.Array, bool) {
	v, _ := n.value(name)
	a, ok := v.(armjson.Array)
	return a, ok
}

func (n *node) integer(name string) *int64 {
	for _, p := range n.parts {
		if i := intMember(p, name); i != nil {
			return i
		}
	}
	return nil
}

func (n *node) isTrue(name string) bool {
	v, _ := n.value(name)
	b, ok := v.(armjson.Bool)
	return ok && bool(b)
}

// maxReferences is how many references are followed in a row: more than that, and
// they run in a cycle.
const maxReferences = 512

var errCircular = errors.New("the references run in a cycle")

func circular() types.Type { return types.NewError(diag.BCP319.At(source.Span{}, errCircular.Error())) }

// resolve follows the references of a node.
func (l *loader) resolve(o *armjson.Object) (*node, error) {
	n := &node{parts: []*armjson.Object{o}}
	for {
		last := n.parts[len(n.parts)-1]
		ref, ok := stringMember(last, "$ref")
		if !ok {
			break
		}
		next, err := l.definition(ref)
		if err != nil {
			return nil, err
		}
		if len(n.parts) > maxReferences {
			return nil, errCircular
		}
		n.parts = append(n.parts, next)
	}
	merged := false
	for _, p := range n.parts {
		m := objectMember(p, "metadata")
		switch {
		case m == nil:
		case n.metadata == nil:
			n.metadata = m
		default:
			if !merged {
				merged = true
				own := n.metadata
				n.metadata = armjson.NewObject()
				for k, v := range own.All() {
					n.metadata.Set(k, v)
				}
			}
			for k, v := range m.All() {
				if _, taken := n.metadata.Get(k); !taken {
					n.metadata.Set(k, v)
				}
			}
		}
	}
	return n, nil
}

// definition finds what a reference such as #/definitions/name/properties/x means.
func (l *loader) definition(ref string) (*armjson.Object, error) {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, fmt.Errorf("%q refers to nothing in the template", ref)
	}
	var v armjson.Value = l.root
	for part := range strings.SplitSeq(path, "/") {
		part = unescape(part)
		switch x := v.(type) {
		case *armjson.Object:
			v, ok = member(x, part)
		case armjson.Array:
			i, err := strconv.Atoi(part)
			if ok = err == nil && 0 <= i && i < len(x); ok {
				v = x[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, fmt.Errorf("%q refers to nothing in the template", ref)
		}
	}
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil, fmt.Errorf("%q does not refer to a type", ref)
	}
	return o, nil
}

// unescape undoes the escapes of a JSON pointer.
func unescape(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}

// metadata returns the metadata of a node and of those that it refers to, or nil.
func (l *loader) metadata(o *armjson.Object) *armjson.Object {
	n, err := l.resolve(o)
	if err != nil {
		return nil
	}
	return n.metadata
}

// description returns the first description on the way along the references.
// typeOf returns the type that a node describes.
func (l *loader) typeOf(o *armjson.Object, flags types.ValidationFlags) types.Ref {
	n, err := l.resolve(o)
	if err != nil {
		return types.NewError(diag.BCP319.At(source.Span{}, err.Error()))
	}
	return l.nodeType(n, flags)
}

func (l *loader) nodeType(n *node, flags types.ValidationFlags) types.Ref {
	r := l.withoutNull(n, flags)
	if n.isTrue("nullable") {
		return types.Nullable(r)
	}
	return r
}

func (l *loader) withoutNull(n *node, flags types.ValidationFlags) types.Ref {
	if !n.noMeta {
		if t := l.derived(n, flags); t != nil {
			return t
		}
	}
	v, _ := n.value("type")
	s, _ := v.(armjson.String)
	switch kindOf(string(s)) {
	case stringKind:
		return stringType(n, flags)
	case secureStringKind:
		return stringType(n, flags|types.IsSecure)
	case intKind:
		if list, ok := n.array("allowedValues"); ok {
			return literals(list, isInteger, "int")
		}
		return types.NewInt(n.integer("minValue"), n.integer("maxValue"), flags)
	case boolKind:
		if list, ok := n.array("allowedValues"); ok {
			return literals(list, func(v armjson.Value) bool { _, ok := v.(armjson.Bool); return ok }, "bool")
		}
		return types.NewBool(flags)
	case arrayKind:
		return l.array(n)
	case objectKind:
		return l.object(n, flags)
	case secureObjectKind:
		return l.object(n, flags|types.IsSecure)
	}
	return types.TAny
}

func isInteger(v armjson.Value) bool {
	n, ok := v.(armjson.Number)
	return ok && !strings.ContainsAny(string(n), ".eE")
}

func stringType(n *node, flags types.ValidationFlags) types.Type {
	if list, ok := n.array("allowedValues"); ok {
		return literals(list, func(v armjson.Value) bool { _, ok := v.(armjson.String); return ok }, "string")
	}
	return types.NewString(n.integer("minLength"), n.integer("maxLength"), "", flags)
}

// literals returns the union of the allowed values. Null is passed over: it
// was there before to say that the whole may be null.
func literals(list armjson.Array, fits func(armjson.Value) bool, name string) types.Type {
	var members []types.Ref
	for _, v := range list {
		if _, ok := v.(armjson.Null); ok {
			continue
		}
		if !fits(v) {
			return types.NewError(diag.BCP286.At(source.Span{}, name))
		}
		t := types.OfLiteral(v)
		if t == nil {
			return types.NewError(diag.BCP286.At(source.Span{}, name))
		}
		members = append(members, t)
	}
	return types.NewUnion(members...)
}

// derived returns the type of a node that says it is a part of a resource's type.
func (l *loader) derived(n *node, flags types.ValidationFlags) types.Ref {
	v, ok := member(n.metadata, armexpr.ResourceDerivedTypeKey)
	if !ok {
		return nil
	}
	plain := *n
	plain.noMeta = true
	fallback := l.nodeType(&plain, flags).Type()
	variant, pointer := types.DerivedNone, ""
	switch v := v.(type) {
	case *armjson.Object:
		if pointer, ok = stringMember(v, "source"); ok {
			variant = types.DerivedInput
			if boolMember(v, "output") {
				variant = types.DerivedOutput
			}
		}
	case armjson.String: // as earlier compilers wrote it
		pointer = string(v)
	default:
		ok = false
	}
	if !ok {
		return &types.UnparsableDerived{Text: armjson.Text(v), Fallback: fallback}
	}
	id, rest, hasRest := strings.Cut(pointer, "#")
	ref := types.ParseResourceType(id)
	if ref == nil {
		return &types.UnparsableDerived{Text: id, Fallback: fallback}
	}
	d := types.ResourceDerived{TypeRef: ref, Variant: variant}
	if hasRest {
		for part := range strings.SplitSeq(rest, "/") {
			d.Pointer = append(d.Pointer, unescape(part))
		}
	}
	return &types.UnresolvedDerived{ResourceDerived: d, Fallback: fallback}
}

// member returns the type of a part of a type, and its name. One that is a
// reference is looked up when it is needed, so that types may hold themselves.
func (l *loader) member(o *armjson.Object) (types.Ref, string) {
	if ref, ok := stringMember(o, "$ref"); ok {
		t := l.deferred[o]
		if t == nil {
			t = types.Defer(func() types.Type { return l.typeOf(o, 0).Type() })
			l.deferred[o] = t
		}
		return t, strings.ReplaceAll(ref, "#/definitions/", "")
	}
	t := l.typeOf(o, 0).Type()
	return t, t.String()
}

func (l *loader) array(n *node) types.Type {
	lo, hi := n.integer("minLength"), n.integer("maxLength")
	if list, ok := n.array("allowedValues"); ok {
		return arrayLiterals(list, lo, hi)
	}
	if list, ok := n.array("prefixItems"); ok {
		var name types.TupleName
		items := make([]types.Ref, 0, len(list))
		for _, v := range list {
			o, _ := v.(*armjson.Object)
			t, s := l.member(o)
			name.Item(s)
			items = append(items, t)
		}
		return types.NewNamedTuple(name.String(), items, 0)
	}
	if o := n.object("items"); o != nil {
		if _, ok := stringMember(o, "$ref"); ok {
			t, s := l.member(o)
			return types.NewNamedArray(s+"[]", t, lo, hi, 0)
		}
		return types.NewTypedArray(l.typeOf(o, 0), lo, hi, 0)
	}
	return types.NewArray(types.TAny, lo, hi, 0)
}

// arrayLiterals reads the allowed values of an array: either whole arrays, or
// values for its items.
func arrayLiterals(list armjson.Array, lo, hi *int64) types.Type {
	isArray := func(v armjson.Value) bool { _, ok := v.(armjson.Array); return ok }
	if slices.ContainsFunc(list, isArray) {
		return literals(list, isArray, "array")
	}
	items := make([]types.Ref, 0, len(list))
	for _, v := range list {
		t := types.OfLiteral(v)
		if t == nil {
			return types.NewError(diag.BCP285.At(source.Span{}))
		}
		items = append(items, t)
	}
	return types.NewTypedArray(types.NewUnion(items...), lo, hi, 0)
}

func (l *loader) object(n *node, flags types.ValidationFlags) types.Type {
	if list, ok := n.array("allowedValues"); ok {
		return literals(list, func(v armjson.Value) bool { _, ok := v.(*armjson.Object); return ok }, "object")
	}
	own := objectShape{properties: []*armjson.Object{n.object("properties")}}
	own.required, _ = n.array("required")
	own.additional, _ = n.value("additionalProperties")
	d := n.object("discriminator")
	if d == nil {
		return l.shape(own, flags)
	}
	if l.open[d] {
		return circular()
	}
	l.open[d] = true
	defer delete(l.open, d)
	key, _ := stringMember(d, "propertyName")
	var members []types.Ref
	var objects []*types.Object
	for tag, v := range all(objectMember(d, "mapping")) {
		o, _ := v.(*armjson.Object)
		variant, err := l.resolve(o)
		if err != nil {
			return types.NewError(diag.BCP319.At(source.Span{}, err.Error()))
		}
		var t types.Type
		if u, ok := l.derived(variant, flags).(*types.UnresolvedDerived); ok {
			t = types.NewUnresolvedMember(u.ResourceDerived, key, tag)
		} else {
			s := objectShape{properties: append(own.properties[:1:1], variant.object("properties")), additional: own.additional}
			more, _ := variant.array("required")
			s.required = append(own.required[:len(own.required):len(own.required)], more...)
			if a, ok := variant.value("additionalProperties"); ok {
				s.additional = a
			}
			t = l.shape(s, flags)
		}
		members = append(members, t)
		if o, ok := types.AsObject(t); ok {
			objects = append(objects, o)
		}
	}
	if t := types.NewDiscriminatedObject(types.OrderedNames(objects), flags, key, members); t != nil {
		return t
	}
	return types.NewError(diag.BCP319.At(source.Span{}, fmt.Sprintf("the members of the union with the discriminator %q do not fit", key)))
}

// objectShape is what makes an object type.
type objectShape struct {
	properties []*armjson.Object // each may be nil
	required   armjson.Array
	additional armjson.Value // a schema, true, false or nil
}

func (l *loader) shape(s objectShape, flags types.ValidationFlags) types.Type {
	var name types.ObjectName
	var list []types.Property
	described := false
	for _, ps := range s.properties {
		described = described || ps != nil
		for key, v := range all(ps) {
			o, _ := v.(*armjson.Object)
			t, typeName := l.member(o)
			p := types.Property{Name: key, Type: t}
			if l.allRequired && !boolMember(o, "nullable") || !l.allRequired && listed(s.required, key) {
				p.Flags = types.Required
			}
			list = append(list, p)
			name.Property(key, typeName)
		}
	}
	if !described && s.additional == nil {
		if flags.Has(types.IsSecure) {
			return types.TSecureObject
		}
		return types.TObject
	}
	additional := &types.Property{Type: types.TAny}
	switch a := s.additional.(type) {
	case nil:
		additional.Flags = types.FallbackProperty
	case *armjson.Object:
		t, typeName := l.member(a)
		additional.Type = t
		name.Rest(typeName)
	case armjson.Bool:
		if !a {
			additional = nil
		}
	}
	return types.NewObject(name.String(), flags, list, additional)
}

func listed(list armjson.Array, name string) bool {
	return slices.Contains(list, armjson.Value(armjson.String(name)))
}
