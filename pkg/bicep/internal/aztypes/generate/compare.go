package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/pack"
)

// compare holds a library to the files that it was made of. It reads them by the
// standard library's parser and fails on what it does not know, so that nothing is
// left out in silence.
func compare(from, file, _ string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	l, err := aztypes.Verified(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	folder, paths, err := pack.Folder(from)
	if err != nil {
		return err
	}
	c := &comparison{library: l, seen: make(map[string]bool)}
	for _, path := range paths {
		if err := c.file(folder, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(c.seen) != l.Len() {
		return fmt.Errorf("the library has %d resource types, the source %d", l.Len(), len(c.seen))
	}
	functions, err := c.functions()
	if err != nil {
		return err
	}
	fmt.Printf("%d resource types of %d files and %d functions are equal; %d pairs of types were compared\n",
		l.Len(), len(paths), functions, c.pairs)
	return nil
}

type comparison struct {
	library *aztypes.Library
	seen    map[string]bool // type@version in lower case
	called  []element       // the functions that count
	pairs   int

	// Of the file that is being compared:
	elements []element
	typ      string
	version  string
	equal    map[pair]bool
}

// pair is a type of a file, and what the library has in its place.
type pair struct {
	element int
	node    aztypes.NodeID
}

// element is a type as a file has it.
type element struct {
	Kind string `json:"$type"`
	Name, Value, Pattern, Discriminator,
	ResourceType, APIVersion string
	Sensitive                      bool
	MinLength, MaxLength           *int64
	MinValue, MaxValue             *int64
	ItemType, AdditionalProperties *reference
	Properties, BaseProperties     members[property]
	Elements                       elements
	Body, Input, Output            *reference
	ReadableScopes, WritableScopes uint8
}

type property struct {
	Type        reference
	Flags       uint8
	Description string
}

type reference int

func (r *reference) UnmarshalJSON(b []byte) error {
	var object struct {
		Ref string `json:"$ref"`
	}
	if err := strict(b, &object); err != nil {
		return err
	}
	number, ok := strings.CutPrefix(object.Ref, "#/")
	if !ok {
		return fmt.Errorf("the reference %q leads out of the file", object.Ref)
	}
	n, err := strconv.Atoi(number)
	*r = reference(n)
	return err
}

// members are those of an object, in order.
type members[T any] []struct {
	Name  string
	Value T
}

func (m *members[T]) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		var one T
		if err := strict(raw, &one); err != nil {
			return err
		}
		*m = append(*m, struct {
			Name  string
			Value T
		}{name.(string), one})
	}
	return nil
}

// elements are those of a union, or those of a discriminated object by their keys.
type elements struct {
	list  []reference
	named members[reference]
}

func (e *elements) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, &e.list)
	}
	return json.Unmarshal(b, &e.named)
}

func strict(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func (c *comparison) file(folder fs.FS, path string) error {
	b, err := fs.ReadFile(folder, path)
	if err != nil {
		return err
	}
	c.elements = nil
	if err := strict(bytes.TrimPrefix(b, []byte("\ufeff")), &c.elements); err != nil {
		return err
	}
	for i := range c.elements {
		e := &c.elements[i]
		if e.Kind == "ResourceFunctionType" && len(e.Name) >= 4 && strings.EqualFold(e.Name[:4], "list") {
			c.called = append(c.called, *e)
			if err := c.function(e); err != nil {
				return err
			}
		}
		if e.Kind != "ResourceType" || c.seen[strings.ToLower(e.Name)] {
			continue
		}
		c.seen[strings.ToLower(e.Name)] = true
		if err := c.resource(e); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return nil
}

func (c *comparison) resource(e *element) error {
	typ, version, _ := strings.Cut(e.Name, "@")
	r, ok := c.library.Find(strings.ToUpper(typ), strings.ToUpper(version))
	if !ok {
		return errors.New("the library does not have it")
	}
	if r.Type+"@"+r.Version != e.Name || r.Readable != e.ReadableScopes || r.Writable != e.WritableScopes {
		return fmt.Errorf("the library has %s@%s with scopes %d and %d", r.Type, r.Version, r.Readable, r.Writable)
	}
	c.typ, c.version, c.equal = typ, version, make(map[pair]bool)
	return c.node(int(*e.Body), r.Body)
}

// node compares a type with what the library has in its place, and all that it leads to.
func (c *comparison) node(i int, id aztypes.NodeID) error {
	if c.equal[pair{i, id}] {
		return nil
	}
	c.equal[pair{i, id}] = true
	c.pairs++
	e, n := &c.elements[i], c.library.Node(id)
	if err := c.same(e, &n); err != nil {
		return fmt.Errorf("type %d: %w", i, err)
	}
	follow := func(r *reference, to aztypes.NodeID) error {
		if (r == nil) != (to == aztypes.None) {
			return fmt.Errorf("type %d: the library leads elsewhere", i)
		}
		if r == nil {
			return nil
		}
		return c.node(int(*r), to)
	}
	err := follow(first(e.ItemType, e.AdditionalProperties), n.Item)
	for k, p := range append(e.Properties, e.BaseProperties...) {
		if err == nil {
			err = follow(&p.Value.Type, n.Properties[k].Type)
		}
	}
	for k, r := range e.Elements.list {
		if err == nil && n.Literals == nil {
			err = follow(&r, n.Members[k])
		}
	}
	for k, m := range e.Elements.named {
		if err == nil {
			err = follow(&m.Value, n.Members[k])
		}
	}
	return err
}

func first(list ...*reference) *reference {
	for _, r := range list {
		if r != nil {
			return r
		}
	}
	return nil
}

var kinds = map[string]aztypes.Kind{
	"AnyType": aztypes.Any, "NullType": aztypes.Null, "BooleanType": aztypes.Bool, "IntegerType": aztypes.Int,
	"StringType": aztypes.String, "StringLiteralType": aztypes.Literal, "ArrayType": aztypes.Array, "UnionType": aztypes.Union,
	"ObjectType": aztypes.Object, "DiscriminatedObjectType": aztypes.Discriminated,
}

// same compares what a type says by itself.
func (c *comparison) same(e *element, n *aztypes.Node) error {
	kind, name := n.Kind, n.Name
	switch kind {
	case aztypes.SelfType:
		kind, name = aztypes.Literal, c.typ
	case aztypes.SelfVersion:
		kind, name = aztypes.Literal, c.version
	}
	if name == aztypes.Self {
		name = c.typ
	}
	properties := append(e.Properties, e.BaseProperties...)
	differs := ""
	switch {
	case kind != kinds[e.Kind]:
		differs = "kind"
	case name != e.Name+e.Value:
		differs = "name"
	case n.Pattern != e.Pattern || n.Discriminator != e.Discriminator || n.Sensitive != e.Sensitive:
		differs = "pattern, discriminator or secrecy"
	case !equalBound(n.Min, e.MinLength, e.MinValue) || !equalBound(n.Max, e.MaxLength, e.MaxValue):
		differs = "bounds"
	case len(n.Properties) != len(properties):
		differs = "number of properties"
	case len(n.Members)+len(n.Literals) != len(e.Elements.list)+len(e.Elements.named) || len(n.Keys) != len(e.Elements.named):
		differs = "number of members"
	}
	for k, p := range n.Properties {
		if differs == "" && (p.Name != properties[k].Name || p.Flags != properties[k].Value.Flags) {
			differs = "property " + properties[k].Name
		}
	}
	for k, key := range n.Keys {
		if differs == "" && key != e.Elements.named[k].Name {
			differs = "key " + key
		}
	}
	for k, s := range n.Literals {
		m := &c.elements[e.Elements.list[k]]
		if differs == "" && (m.Kind != "StringLiteralType" || m.Value != s) {
			differs = "member " + s
		}
	}
	if differs != "" {
		return fmt.Errorf("%s differs: the source has %+v, the library %+v", differs, *e, *n)
	}
	return nil
}

func equalBound(have *int64, want ...*int64) bool {
	for _, w := range want {
		if w != nil {
			return have != nil && *have == *w
		}
	}
	return have == nil
}

// function compares a function whose type is in the file.
func (c *comparison) function(e *element) error {
	r, ok := c.library.Find(e.ResourceType, e.APIVersion)
	if !ok {
		return nil
	}
	k := slices.IndexFunc(r.Functions, func(f aztypes.Function) bool { return f.Name == e.Name })
	if k < 0 {
		return fmt.Errorf("the library does not have the function %s of %s@%s", e.Name, e.ResourceType, e.APIVersion)
	}
	c.typ, c.version, c.equal = "", "", make(map[pair]bool)
	if err := c.node(int(*e.Output), r.Functions[k].Output); err != nil {
		return fmt.Errorf("the output of %s of %s@%s: %w", e.Name, e.ResourceType, e.APIVersion, err)
	}
	if (e.Input == nil) != (r.Functions[k].Input == aztypes.None) {
		return fmt.Errorf("the input of %s of %s@%s differs", e.Name, e.ResourceType, e.APIVersion)
	}
	if e.Input == nil {
		return nil
	}
	return c.node(int(*e.Input), r.Functions[k].Input)
}

// functions counts those of the library, which all have to be in the source.
func (c *comparison) functions() (n int, err error) {
	source := make(map[string]bool)
	for _, e := range c.called {
		source[strings.ToLower(e.ResourceType+"@"+e.APIVersion+":"+e.Name)] = true
	}
	for t := range c.library.Types() {
		for r := range c.library.Versions(t) {
			for _, f := range r.Functions {
				n++
				if !source[strings.ToLower(r.Type+"@"+r.Version+":"+f.Name)] {
					return 0, fmt.Errorf("the library has a function %s of %s@%s that the source does not have", f.Name, r.Type, r.Version)
				}
			}
		}
	}
	return n, nil
}
