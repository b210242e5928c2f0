// Package schema holds objects to the schemas of their kinds, before a cluster does. Begin with Kinds.
//
// The kinds of Kubernetes and of Gateway API are in a table (table.gz, which testdata/targets/schematable makes of their
// modules), others come from CRDs, which ReadDefinitions reads. What a cluster checks beyond schemas, such as the rules of
// CEL, is left to it.
package schema

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

// packed is the table. It has three parts, each a list of lines that ends with an empty one:
//
//   - what is in it, and of which release
//   - the kinds: group (- is none), version, kind, n(amespaced) or c(luster), the number of the schema, and that of the release
//   - the schemas, as CRDs write them; {"$ref": "7"} is another of them. The first is that of metadata
//
//go:embed table.gz
var packed []byte

// unpack decompresses the table, once.
var unpack = sync.OnceValue(func() [3][]string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	var parts [3][]string
	for i, part := range strings.SplitN(string(text), "\n\n", 3) {
		parts[i] = strings.Split(strings.TrimSuffix(part, "\n"), "\n")
	}
	return parts
})

// Kinds are those of the table and of CRDs. The zero value has those of the table, which is read when one is asked for.
type Kinds struct {
	own []*Definition
	err error
}

// Kind is a kind in one version of its API.
type Kind struct {
	group, version, name string
	Namespaced           bool
	schema               *armjson.Object
	release              string // that the table has it from; "" if a CRD that was added defines it
	custom               bool   // a CRD defines it
}

// Schema returns the schema of the objects.
func (kind *Kind) Schema() *armjson.Object { return kind.schema }

// Use adds the kinds of CRDs.
func (k *Kinds) Use(list []*Definition) { k.own = append(k.own, list...) }

// Defined returns the CRDs.
func (k *Kinds) Defined() []*Definition {
	if k == nil {
		return nil
	}
	return k.own
}

// Err says which schema could not be read when it was asked for, if there was one.
func (k *Kinds) Err() error { return k.err }

// Add adds the kinds of a CRD in all of its versions; false if the object is none.
func (k *Kinds) Add(crd *armjson.Object) bool {
	d := define(crd, nil)
	if d == nil || d.Group == "" || d.Kind == "" {
		return false
	}
	k.Use([]*Definition{d})
	return len(d.Versions) > 0
}

// Find returns a kind; nil if neither CRDs nor the table have it.
func (k *Kinds) Find(group, version, name string) *Kind {
	for _, d := range k.own {
		for _, v := range d.Versions {
			if d.Group == group && d.Kind == name && v.Name == version {
				return k.kind(d, v)
			}
		}
	}
	if strings.Contains(group, ".") && !strings.HasSuffix(group, "k8s.io") {
		return nil // the table need not be unpacked
	}
	table := unpack()
	want := strings.Join([]string{group, version, name}, " ") + " "
	if group == "" {
		want = "-" + want
	}
	for _, line := range table[1] {
		if rest, ok := strings.CutPrefix(line, want); ok {
			words := strings.Split(rest, " ")
			source, _ := strconv.Atoi(words[2])
			return &Kind{group: group, version: version, name: name, Namespaced: words[0] == "n",
				schema: numbered(words[1]), release: table[0][source], custom: source > 0}
		}
	}
	return nil
}

// kind returns a kind that a CRD defines; nil if its schema cannot be read.
func (k *Kinds) kind(d *Definition, v *Version) *Kind {
	one := &Kind{group: d.Group, version: v.Name, name: d.Kind, Namespaced: d.Namespaced, custom: true}
	if v.schema == nil { // of a program, which need not give one
		return one
	}
	var err error
	if one.schema, err = v.schema(); err != nil {
		k.err = err
		return nil
	}
	return one
}

// read are the schemas of the table that were asked for, by their numbers. All programs of a run share them.
var read sync.Map

// numbered returns a schema of the table.
func numbered(number string) *armjson.Object {
	if s, ok := read.Load(number); ok {
		return s.(*armjson.Object)
	}
	n, err := strconv.Atoi(number)
	lines := unpack()[2]
	if err != nil || n < 0 || n >= len(lines) {
		return nil // of a CRD, where references do not count
	}
	v, err := armjson.Parse(lines[n], armjson.Options{})
	if err != nil {
		panic("schema: the table is damaged: " + err.Error())
	}
	read.Store(number, v)
	return v.(*armjson.Object)
}

// Problem is something about an object that its kind does not take.
type Problem struct {
	Path []string // the names and indexes that lead to it
	Text string   // goes on after what messages call the field: is 1; want a string
	// Unknown says that the schema does not have the field, and Doubtful that a newer release may take it.
	Unknown, Doubtful bool
}

// Check holds an object to the schema of the kind, which is its own.
func (kind *Kind) Check(o *manifest.Object) []Problem {
	c := &checker{kind: kind}
	root := o.Marked()
	if metadata := root.Object("metadata"); metadata != nil {
		c.check(numbered("0"), metadata, []string{"metadata"})
	}
	body := armjson.NewObject()
	for name, v := range root.All() {
		if !slices.Contains(everywhere, name) {
			body.Set(name, v)
		}
	}
	if kind.custom {
		body, _ = defaulted(kind.schema, body).(*armjson.Object)
	}
	c.members(kind.schema, body, nil)
	c.combined(kind.schema, body, nil)
	return c.problems
}

// defaulted returns a value with what a cluster fills in before it checks it.
func defaulted(s *armjson.Object, v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case *armjson.Object:
		out, properties := v.Clone(), s.Object("properties")
		for name, x := range properties.All() {
			if x, ok := x.(*armjson.Object); ok && out.Find(name) < 0 && x.Find("default") >= 0 {
				out.Set(name, x.Value("default"))
			}
		}
		for name, x := range out.All() {
			known := properties.Object(name)
			if known == nil {
				known = s.Object("additionalProperties")
			}
			out.Set(name, defaulted(known, x))
		}
		return out
	case armjson.Array:
		return armjson.WithParts(v, func(_ string, x armjson.Value) armjson.Value { return defaulted(s.Object("items"), x) })
	}
	return v
}
