package typelib

import (
	"fmt"
	"regexp/syntax"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/jsonscan"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// fields are the places at which the members of an element begin, by name. What
// is not there is 0.
type fields struct {
	kind string

	additional, base, body, discriminator, elements, evaluated, flags, functions,
	item, maxLength, maxValue, minLength, minValue, name, output, outputType, parameters, pattern,
	properties, readable, readOnly, scope, sensitive, value, visible, writable, builtin int32
}

// element reads the outline of element i.
func (f *typeFile) element(i int) (x fields) {
	c := f.cursor(f.elements[i].start)
	if !c.Optional('{') {
		return x
	}
	c.Object(func(name string) {
		at := int32(c.PeekAt())
		switch name {
		case "$type":
			x.kind = c.Text()
			return
		case "additionalProperties":
			x.additional = at
		case "baseProperties":
			x.base = at
		case "body":
			x.body = at
		case "discriminator":
			x.discriminator = at
		case "elements":
			x.elements = at
		case "evaluatedLanguageExpression":
			x.evaluated = at
		case "flags":
			x.flags = at
		case "functions":
			x.functions = at
		case "itemType":
			x.item = at
		case "kind":
			x.builtin = at
		case "maxLength":
			x.maxLength = at
		case "maxValue":
			x.maxValue = at
		case "minLength":
			x.minLength = at
		case "minValue":
			x.minValue = at
		case "name":
			x.name = at
		case "output":
			x.output = at
		case "outputType":
			x.outputType = at
		case "parameters":
			x.parameters = at
		case "pattern":
			x.pattern = at
		case "properties":
			x.properties = at
		case "readableScopes":
			x.readable = at
		case "readOnlyScopes":
			x.readOnly = at
		case "scopeType":
			x.scope = at
		case "sensitive":
			x.sensitive = at
		case "value":
			x.value = at
		case "visibleInFileKind":
			x.visible = at
		case "writableScopes":
			x.writable = at
		}
		c.Skip()
	})
	return x
}

func (f *typeFile) cursor(at int32) *jsonscan.Cursor { return jsonscan.New(f.text, int(at)) }

func (f *typeFile) str(at int32) string {
	if at == 0 {
		return ""
	}
	return f.cursor(at).Text()
}

func (f *typeFile) integer(at int32) *int64 {
	if at == 0 {
		return nil
	}
	return f.cursor(at).Integer()
}

func (f *typeFile) number(at int32) int {
	if n := f.integer(at); n != nil {
		return int(*n)
	}
	return 0
}

func (f *typeFile) boolean(at int32) bool { return at != 0 && f.cursor(at).Boolean() }

func (f *typeFile) ref(at int32) ref {
	if at == 0 {
		return nowhere
	}
	return f.cursor(at).Ref()
}

// eachRef calls visit with the references of a list.
func (f *typeFile) eachRef(at int32, visit func(ref)) {
	if at == 0 {
		return
	}
	if c := f.cursor(at); c.Optional('[') {
		c.Array(func() { visit(c.Ref()) })
	}
}

// eachNamedRef calls visit with the references of an object, and their names.
func (f *typeFile) eachNamedRef(at int32, visit func(name string, to ref)) {
	if at == 0 {
		return
	}
	if c := f.cursor(at); c.Optional('{') {
		c.Object(func(name string) { visit(name, c.Ref()) })
	}
}

// lazyType refers to the type of an element, which is converted when it is first used.
type lazyType struct {
	file *typeFile
	at   ref
	body bool
}

func (l *lazyType) Type() types.Type { return l.file.resolve(l.at, l.body) }

func (f *typeFile) lazy(at ref, body bool) types.Ref { return &lazyType{f, at, body} }

// resolve returns the type of the element that r points to. If there is none, the file
// cannot be read.
func (f *typeFile) resolve(r ref, body bool) types.Type {
	g, i := f.lib.at(f, r)
	if g == nil {
		f.broken("it refers to a type that it does not hold")
		return types.TAny
	}
	return g.convert(i, body)
}

// broken notes why the file cannot be read.
func (f *typeFile) broken(format string, args ...any) {
	f.lib.mu.Lock()
	defer f.lib.mu.Unlock()
	f.lib.fail(f.name, fmt.Sprintf(format, args...))
}

// convert returns the type of element i. Of two goroutines that get here at once,
// both get what the first one made.
func (f *typeFile) convert(i int, body bool) types.Type {
	slot := &f.elements[i].converted
	if t := slot.Load(); t != nil {
		return *t
	}
	t := f.make(i, body)
	if !slot.CompareAndSwap(nil, &t) {
		return *slot.Load()
	}
	return t
}

func (f *typeFile) make(i int, body bool) types.Type {
	x := f.element(i)
	switch x.kind {
	case "NullType":
		return types.TNull
	case "BooleanType":
		return types.TBool
	case "IntegerType":
		return types.NewInt(f.integer(x.minValue), f.integer(x.maxValue), f.lib.flags(body, false))
	case "StringType":
		return types.NewString(f.integer(x.minLength), f.integer(x.maxLength),
			validPattern(f.str(x.pattern)), f.lib.flags(body, f.boolean(x.sensitive)))
	case "StringLiteralType":
		return types.Str(f.str(x.value))
	case "BuiltInType":
		return builtin(f.number(x.builtin))
	case "ObjectType":
		return f.object(x, body)
	case "ArrayType":
		if !f.finite(i) {
			return types.TArray
		}
		return types.NewTypedArray(f.lazy(f.ref(x.item), body), nil, nil, f.lib.flags(body, false))
	case "UnionType":
		if x.elements == 0 || !f.finite(i) {
			break
		}
		var members []types.Ref
		f.eachRef(x.elements, func(r ref) { members = append(members, f.lazy(r, body)) })
		return types.NewUnion(members...)
	case "DiscriminatedObjectType":
		if !f.finite(i) {
			break
		}
		if d := f.discriminated(x, body); d != nil {
			return d
		}
	case "AnyType":
	case "":
		f.broken("type %d does not say of what kind it is", i)
	default:
		f.broken("type %d is of the kind %q, where a type of values is expected", i, x.kind)
	}
	return types.TAny
}

// builtin are the kinds of the oldest archives.
func builtin(kind int) types.Type {
	switch kind {
	case 2:
		return types.TNull
	case 3:
		return types.TBool
	case 4:
		return types.TInt
	case 5:
		return types.TString
	case 6:
		return types.TObject
	case 7:
		return types.TArray
	case 8:
		return types.TResourceRef
	}
	return types.TAny
}

func (l *Library) flags(body, sensitive bool) (f types.ValidationFlags) {
	if body && l.warnOnMismatch {
		f = types.WarnOnTypeMismatch | types.WarnOnPropertyMismatch
	}
	if sensitive {
		f |= types.IsSecure
	}
	return f
}

func validPattern(p string) string {
	if p == "" {
		return ""
	}
	if _, err := syntax.Parse(p, syntax.Perl); err != nil {
		return ""
	}
	return p
}

func (f *typeFile) object(x fields, body bool) *types.Object {
	return types.NewObject(f.str(x.name), f.lib.flags(body, f.boolean(x.sensitive)),
		f.properties(x.properties, nil, body), f.additional(x, body))
}

func (f *typeFile) additional(x fields, body bool) *types.Property {
	if x.additional == 0 || f.cursor(x.additional).Peek() != '{' {
		return nil
	}
	return &types.Property{Type: f.lazy(f.ref(x.additional), body)}
}

// properties appends the properties that are described at a place to list, except
// those whose names it has already, in any case.
func (f *typeFile) properties(at int32, list []types.Property, body bool) []types.Property {
	if at == 0 {
		return list
	}
	have := list
	f.cursor(at).Properties(func(name string, to ref, flags int) {
		for i := range have {
			if strings.EqualFold(have[i].Name, name) {
				return
			}
		}
		list = append(list, types.Property{Name: name, Type: f.lazy(to, body), Flags: propertyFlags(flags)})
	})
	return list
}

// The flags of a property in an archive.
const (
	required = 1 << iota
	readOnly
	writeOnly
	deployTimeConstant
	identifier
)

func propertyFlags(in int) (out types.PropertyFlags) {
	if in&identifier != 0 {
		out |= types.ResourceIdentifier | types.LoopVariant
	}
	if in&required != 0 {
		out |= types.Required
	}
	if in&readOnly != 0 {
		out |= types.ReadOnly
	}
	if in&writeOnly != 0 {
		out |= types.WriteOnly
	}
	if in&deployTimeConstant != 0 {
		out |= types.DeployTimeConstant
	}
	if in&(required|readOnly) == 0 {
		out |= types.AllowImplicitNull
	}
	return out
}

func (f *typeFile) discriminated(x fields, body bool) *types.DiscriminatedObject {
	var members []types.Ref
	f.eachNamedRef(x.elements, func(key string, r ref) {
		g, i := f.lib.at(f, r)
		if g == nil {
			return
		}
		m := g.element(i)
		if m.kind != "ObjectType" {
			return
		}
		ps := f.properties(x.base, g.properties(m.properties, nil, body), body)
		members = append(members, types.NewObject(key, f.lib.flags(body, g.boolean(m.sensitive)), ps, g.additional(m, body)))
	})
	return types.NewDiscriminatedObject(f.str(x.name), f.lib.flags(body, false), f.str(x.discriminator), members)
}

// finite reports whether the name of element i's type has an end. Unions are
// ordered by the names of their members, and a hostile archive could hold an array
// of itself.
func (f *typeFile) finite(i int) bool {
	type place struct {
		f *typeFile
		i int
	}
	const open, done = 1, 2
	state := make(map[place]int)
	var visit func(f *typeFile, i, depth int) bool
	visit = func(f *typeFile, i, depth int) bool {
		at := place{f, i}
		switch {
		case state[at] == done:
			return true
		case state[at] == open, depth > 100:
			return false
		}
		state[at] = open
		x := f.element(i)
		ok := true
		follow := func(from *typeFile, r ref) {
			if g, j := f.lib.at(from, r); ok && g != nil {
				ok = visit(g, j, depth+1)
			}
		}
		switch x.kind {
		case "ArrayType":
			follow(f, f.ref(x.item))
		case "UnionType":
			f.eachRef(x.elements, func(r ref) { follow(f, r) })
		case "DiscriminatedObjectType":
			// Its discriminator's type is looked at when it is made.
			key := f.str(x.discriminator)
			for _, e := range f.discriminators(x, key) {
				follow(e.from, e.at)
			}
		}
		state[at] = done
		return ok
	}
	return visit(f, i, 0)
}

type refFrom struct {
	from *typeFile
	at   ref
}

// discriminators returns the places of the types that the members give the property key.
func (f *typeFile) discriminators(x fields, key string) (list []refFrom) {
	scan := func(g *typeFile, at int32) {
		if at == 0 {
			return
		}
		g.cursor(at).Properties(func(name string, to ref, _ int) {
			if name == key {
				list = append(list, refFrom{g, to})
			}
		})
	}
	scan(f, x.base)
	f.eachNamedRef(x.elements, func(_ string, r ref) {
		if g, i := f.lib.at(f, r); g != nil {
			scan(g, g.element(i).properties)
		}
	})
	return list
}
