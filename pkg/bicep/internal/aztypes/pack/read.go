// Package pack makes a library of package aztypes from the files that Azure's
// types are published as.
package pack

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/jsonscan"
)

// node is a type of a file, or of the library that is made. References are numbers
// in the same list; none is -1.
type node struct {
	kind      aztypes.Kind
	sensitive bool
	min, max  *int64
	name      string // of an object; the value of a literal
	more      string // the pattern of a string; the discriminator
	props     []property
	members   []member
	item      int32 // of an array; of the properties that are not named
}

type property struct {
	name  string
	node  int32
	flags uint8
}

// member is one of a union, without a key, or of a discriminated object.
type member struct {
	key  string
	node int32
}

const none = -1

// The kind of an element that is not a type that a resource can be made of.
const other aztypes.Kind = 255

// resource is a resource type of a file.
type resource struct {
	name               string // type@version
	body               int32
	readable, writable uint8
	element            int // its own place in the file
}

// function is a function of a resource type.
type function struct {
	name, typ, version string
	output, input      int32
}

// typeFile is a file of types.
type typeFile struct {
	path      string
	nodes     []node
	resources []resource
	functions []function
	hashes    []hash
}

// The kinds of the types in a file.
var kinds = map[string]aztypes.Kind{
	"AnyType": aztypes.Any, "NullType": aztypes.Null, "BooleanType": aztypes.Bool, "IntegerType": aztypes.Int, "StringType": aztypes.String,
	"StringLiteralType": aztypes.Literal, "ArrayType": aztypes.Array, "UnionType": aztypes.Union, "ObjectType": aztypes.Object,
	"DiscriminatedObjectType": aztypes.Discriminated,
}

// fields are what an element of a file says, whatever it is.
type fields struct {
	node
	typ, version                          string // of a function
	body, input, output                   int32
	readable, writable, scope, readScopes int
	flags, builtin                        int
}

// readFile reads a file of types. The descriptions are not kept.
func readFile(path, text string) (*typeFile, error) {
	f := &typeFile{path: path}
	c := jsonscan.New(strings.TrimPrefix(text, "\ufeff"), 0)
	names := make(map[string]string)
	long := false
	keep := func(s string) string { // a copy, so that the file's text is not kept for a few of its words
		if len(s) > aztypes.MaxText {
			long = true
			return ""
		}
		if kept, ok := names[s]; ok {
			return kept
		}
		s = strings.Clone(s)
		names[s] = s
		return s
	}
	outside := ""
	place := func(r jsonscan.Ref) int32 {
		if r.File != "" && outside == "" {
			outside = r.File
		}
		return int32(min(r.Index, 1<<30))
	}
	c.Array(func() {
		kind, x := readElement(c, keep, place)
		f.add(kind, x)
	})
	switch {
	case c.Bad || c.Peek() != 0:
		return nil, fmt.Errorf("%s: this is not a file of types", path)
	case long:
		return nil, fmt.Errorf("%s: a text in it has more than %d KiB", path, aztypes.MaxText>>10)
	case outside != "":
		return nil, fmt.Errorf("%s: a type is in another file, %s, which no type of Azure's is", path, outside)
	}
	return f, f.validate()
}

func readElement(c *jsonscan.Cursor, keep func(string) string, place func(jsonscan.Ref) int32) (kind string, x fields) {
	ref := func() int32 { return place(c.Ref()) }
	x = fields{node: node{item: none}, body: none, input: none, output: none}
	if !c.Optional('{') {
		return "", x
	}
	c.Object(func(name string) {
		switch name {
		case "$type":
			kind = c.Text()
		case "name", "value":
			x.name = keep(c.Text())
		case "pattern", "discriminator":
			x.more = keep(c.Text())
		case "sensitive":
			x.sensitive = c.Boolean()
		case "minLength", "minValue":
			x.min = c.Integer()
		case "maxLength", "maxValue":
			x.max = c.Integer()
		case "itemType", "additionalProperties":
			x.item = ref()
		case "properties", "baseProperties":
			x.props = nil
			c.Properties(func(name string, to jsonscan.Ref, flags int) {
				const known = aztypes.Required | aztypes.ReadOnly | aztypes.WriteOnly | aztypes.DeployTimeConstant
				x.props = append(x.props, property{name: keep(name), node: place(to), flags: uint8(flags & known)})
			})
		case "elements":
			if c.Peek() == '[' {
				c.Array(func() { x.members = append(x.members, member{"", ref()}) })
			} else if c.Optional('{') {
				c.Object(func(key string) { x.members = append(x.members, member{keep(key), ref()}) })
			}
		case "body":
			x.body = ref()
		case "readableScopes":
			x.readable = c.Number()
		case "writableScopes":
			x.writable = c.Number()
		case "scopeType":
			x.scope = c.Number()
		case "readOnlyScopes":
			x.readScopes = c.Number()
		case "flags":
			x.flags = c.Number()
		case "kind":
			x.builtin = c.Number()
		case "resourceType":
			x.typ = c.Text()
		case "apiVersion":
			x.version = c.Text()
		case "input":
			x.input = ref()
		case "output":
			x.output = ref()
		default:
			c.Skip()
		}
	})
	return kind, x
}

// add appends an element, and notes what it is if it is not a type.
func (f *typeFile) add(kind string, x fields) {
	n := node{kind: other, item: none}
	switch kind {
	case "ResourceType":
		r := resource{name: strings.Clone(x.name), body: x.body, element: len(f.nodes)}
		r.readable, r.writable = x.scopes()
		f.resources = append(f.resources, r)
	case "ResourceFunctionType":
		f.functions = append(f.functions, function{x.name, strings.ToLower(x.typ), strings.ToLower(x.version), x.output, x.input})
	case "BuiltInType":
		n = builtIn(x.builtin)
	default:
		if k, ok := kinds[kind]; ok {
			n = x.node
			n.kind = k
		}
	}
	f.nodes = append(f.nodes, n)
}

// scopes returns where a resource can be read and where it can be deployed. The
// older form has one set of scopes, of which some are for reading only.
func (x *fields) scopes() (readable, writable uint8) {
	const readOnly = 1
	if x.readable != 0 || x.writable != 0 || x.scope == 0 {
		return uint8(x.readable), uint8(x.writable)
	}
	readable = uint8(x.scope)
	if x.flags&readOnly == 0 {
		writable = uint8(x.scope &^ x.readScopes)
	}
	return readable, writable
}

// builtIn returns one of the types that the oldest files have by number.
func builtIn(number int) node {
	n := node{kind: aztypes.Any, item: none}
	switch number {
	case 2:
		n.kind = aztypes.Null
	case 3:
		n.kind = aztypes.Bool
	case 4:
		n.kind = aztypes.Int
	case 5:
		n.kind = aztypes.String
	}
	return n
}

// validate holds the references of a file to what there is, and cuts what has no
// end: unions and arrays are known by the names of what is in them.
func (f *typeFile) validate() error {
	for i := range f.nodes {
		n := &f.nodes[i]
		bad := n.kind == aztypes.Array && n.item == none
		n.each(func(to *int32) { bad = bad || int(*to) >= len(f.nodes) || *to < 0 || f.nodes[*to].kind == other })
		if bad {
			return fmt.Errorf("%s: type %d leads to a type that is not there", f.path, i)
		}
		if n.kind == aztypes.Discriminated {
			for _, m := range n.members {
				if f.nodes[m.node].kind != aztypes.Object {
					return fmt.Errorf("%s: member %q of type %d is not an object", f.path, m.key, i)
				}
			}
		}
	}
	for _, r := range f.resources {
		if int(r.body) >= len(f.nodes) || r.body < 0 ||
			f.nodes[r.body].kind != aztypes.Object && f.nodes[r.body].kind != aztypes.Discriminated {
			return fmt.Errorf("%s: the body of %s is not an object", f.path, r.name)
		}
		if typ, version, ok := strings.Cut(r.name, "@"); !ok || !plain(typ, "./-_") ||
			!plain(version, "-.") || !strings.Contains(typ, "/") {
			return fmt.Errorf("%s: %q is not the name of a resource type", f.path, r.name)
		}
	}
	for _, fn := range f.functions {
		bad := int(fn.output) >= len(f.nodes) || fn.output < 0 || int(fn.input) >= len(f.nodes)
		if bad || f.nodes[fn.output].kind == other || fn.input >= 0 && f.nodes[fn.input].kind == other {
			return fmt.Errorf("%s: the function %s of %s has a type that is not there", f.path, fn.name, fn.typ)
		}
	}
	f.cutEndless()
	return nil
}

// plain reports whether a text is made of ASCII letters, digits and the given others.
func plain(s, others string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(others, c) >= 0) {
			return false
		}
	}
	return s != ""
}

// each calls f with each reference of a node.
func (n *node) each(f func(to *int32)) {
	for i := range n.props {
		f(&n.props[i].node)
	}
	for i := range n.members {
		f(&n.members[i].node)
	}
	if n.item != none {
		f(&n.item)
	}
}

// maxNesting is how deep arrays and unions may be within each other.
const maxNesting = 100

// cutEndless makes types that contain themselves, other than as the property of an
// object, types of anything.
func (f *typeFile) cutEndless() {
	const open, done = 1, 2
	state := make([]uint8, len(f.nodes))
	var visit func(i int32, depth int) bool
	visit = func(i int32, depth int) bool {
		switch {
		case state[i] == done:
			return true
		case state[i] == open, depth > maxNesting:
			return false
		}
		state[i] = open
		n := &f.nodes[i]
		ends := true
		switch n.kind {
		case aztypes.Array:
			ends = visit(n.item, depth+1)
		case aztypes.Union:
			for _, m := range n.members {
				ends = ends && visit(m.node, depth+1)
			}
		case aztypes.Discriminated:
			// The type of the discriminator is looked at when the type is made.
			for _, m := range n.members {
				for _, p := range f.nodes[m.node].props {
					ends = ends && (p.name != n.more || visit(p.node, depth+1))
				}
			}
			for _, p := range n.props {
				ends = ends && (p.name != n.more || visit(p.node, depth+1))
			}
		}
		if !ends {
			*n = node{kind: aztypes.Any, item: none}
		}
		state[i] = done
		return true
	}
	for i := range f.nodes {
		visit(int32(i), 0)
	}
}
