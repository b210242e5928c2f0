package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// folder is where Radius keeps the types that it publishes.
const folder = "hack/bicep-types-radius/generated/"

// The flags of a property, in the order of their marks.
const (
	required = 1 << iota
	readOnly
	writeOnly
	constant
	identifier
)

// element is a type of a file of types. Fields that are not named here are an error, since they might mean something.
type element struct {
	Kind                           string `json:"$type"`
	Name, Value, Discriminator     string
	Sensitive                      bool
	Properties, BaseProperties     map[string]property
	AdditionalProperties, ItemType *reference
	Body, Output                   *reference
	Elements                       json.RawMessage // a list of a union, an object of a discriminated one
	Parameters                     []parameter
	Functions                      map[string]struct {
		Type        reference
		Description string
	}
	ScopeType, Flags, ReadableScopes, WritableScopes int
}

type property struct {
	Type        reference
	Flags       int
	Description string
}

type parameter struct {
	Name, Description string
	Type              reference
}

type reference struct {
	Ref string `json:"$ref"`
}

// place is where an element is.
type place struct {
	file  string
	index int
}

// reader reads the types of a release.
type reader struct {
	radius, tag string
	files       map[string][]element
	err         error

	leaf  string // of the resource type that is read
	made  map[place]*shape
	order []*shape // as they were met
}

// shape is an element that becomes a line.
type shape struct {
	file string
	of   element
	name string // of the type, or of the property that has a union
	key  string // of its object, for a member of a discriminated one
	by   string // the property whose value is the key
	leaf string // of the first resource type that leads to it
	hash string // of all that it leads to
	line string // its name in the table
}

func (r *reader) read(name string, into any) error {
	text, err := exec.Command("git", "-C", r.radius, "show", r.tag+":"+folder+name).Output()
	if err != nil {
		return fmt.Errorf("git show of %s: %w", name, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// fail notes the first mistake.
func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// at follows a reference of a file.
func (r *reader) at(file string, ref reference) (place, element) {
	other, index, ok := strings.Cut(ref.Ref, "#/")
	other = cmp.Or(other, file)
	if _, known := r.files[other]; !known {
		var list []element
		if err := r.read(other, &list); err != nil {
			r.fail("%w", err)
		}
		r.files[other] = list
	}
	i, err := strconv.Atoi(index)
	if list := r.files[other]; ok && err == nil && i < len(list) {
		return place{other, i}, list[i]
	}
	r.fail("%s has a reference to %q, where nothing is", file, ref.Ref)
	return place{}, element{Kind: "AnyType"}
}

// table returns the lines of the release by their names.
func (r *reader) table() (map[string]string, error) {
	var index struct {
		Resources         map[string]reference
		ResourceFunctions struct{}
		Settings          struct {
			Name, Version string
			IsSingleton   bool
		}
	}
	if err := r.read("index.json", &index); err != nil {
		return nil, err
	}
	if s := index.Settings; s.Name != "Radius" || s.Version != "latest" || s.IsSingleton {
		return nil, fmt.Errorf("the settings are %+v", s)
	}
	r.made = map[place]*shape{}
	lines := map[string]string{}
	names := slices.Sorted(maps.Keys(index.Resources))
	for _, name := range names { // all shapes, so that they have names
		kind, _, _ := strings.Cut(name, "@")
		r.leaf = kind[strings.LastIndexByte(kind, '/')+1:]
		r.resource(lines, name, index.Resources[name])
	}
	for i := 0; i < len(r.order); i++ { // which grows
		r.leaf = r.order[i].leaf
		r.body(r.order[i])
	}
	r.name()
	for _, name := range names {
		r.resource(lines, name, index.Resources[name])
	}
	for _, s := range r.order {
		lines[s.line] = r.body(s)
	}
	for name, line := range lines {
		if line == "" || strings.ContainsAny(name, ": ") {
			r.fail("%q is no line for %q", line, name)
		}
	}
	return lines, r.err
}

// resource adds the line of a resource type, and that of the head of its body.
func (r *reader) resource(lines map[string]string, name string, ref reference) {
	at, of := r.at("", ref)
	_, body := r.at(at.file, *of.Body)
	kind, version, _ := strings.Cut(name, "@")
	head, shown := "Tracked", kind
	if !strings.HasPrefix(kind, "Applications.") && !strings.HasPrefix(kind, "Radius.Core/") {
		head, shown = "Untracked", name
	}
	if of.Kind != "ResourceType" || of.Name != name || body.Name != shown || body.AdditionalProperties != nil ||
		of.ScopeType|of.Flags|of.ReadableScopes|of.WritableScopes != 0 {
		r.fail("%s: the resource type is not as those before: %+v, %s", name, of, body.Name)
	}
	for property, want := range map[string]string{"type": kind, "apiVersion": version} {
		p := body.Properties[property]
		if _, literal := r.at(at.file, p.Type); literal.Value != want || p.Flags != readOnly|constant {
			r.fail("%s: %s is not as those before", name, property)
		}
	}
	rest := maps.Clone(body.Properties)
	beside := r.beside(at.file, name, body, rest)
	fields := []string{"properties" + marks(rest["properties"].Flags) + " " + r.typ(at.file, "properties", rest["properties"].Type)}
	for _, p := range [...]string{"type", "apiVersion", "properties"} {
		delete(rest, p)
	}
	text := strings.Join(r.fields(at.file, rest), ", ")
	if beside {
		text += ", ^"
	}
	if lines[head] == "" || beside {
		lines[head] = text
	}
	if strings.TrimSuffix(lines[head], ", ^") != strings.TrimSuffix(text, ", ^") {
		r.fail("%s: the head of its body is %s", name, text)
	}
	for _, f := range slices.Sorted(maps.Keys(of.Functions)) {
		place, function := r.at(at.file, of.Functions[f].Type)
		fields = append(fields, f+r.parameters(lines, place.file, f, function.Parameters)+" "+r.typ(place.file, f, *function.Output))
	}
	lines[name] = strings.Join(fields, ", ")
}

// beside reports whether what is within the properties of a resource is readable beside them, too, and removes it from the rest.
// Where that would hide something, it is never so.
func (r *reader) beside(file, name string, body element, rest map[string]property) bool {
	_, within := r.at(file, body.Properties["properties"].Type)
	found := 0
	for p, q := range within.Properties {
		if had, ok := body.Properties[p]; ok && had.Flags == readOnly && r.typ(file, p, had.Type) == r.typ(file, p, q.Type) {
			delete(rest, p)
			found++
		}
	}
	if found > 0 && found != len(within.Properties) {
		r.fail("%s: only a part of its properties is readable beside them", name)
	}
	return found > 0
}

// parameters returns the name of the line that has the parameters of a function.
func (r *reader) parameters(lines map[string]string, file, function string, list []parameter) string {
	if len(list) == 0 {
		return "()"
	}
	var fields []string
	for _, p := range list {
		fields = append(fields, p.Name+"! "+r.typ(file, p.Name, p.Type))
	}
	name := function + ".of"
	if text := strings.Join(fields, ", "); lines[name] != "" && lines[name] != text {
		name += r.leaf
	}
	lines[name] = strings.Join(fields, ", ")
	return "(" + name + ")"
}

// fields returns properties in the order of their names.
func (r *reader) fields(file string, properties map[string]property) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if p := properties[name]; strings.Trim(name, "!<=#+().*?^ ") != name || p.Flags&^(required|readOnly|constant|identifier) != 0 {
			r.fail("the property %q has flags %d", name, p.Flags)
		}
		list = append(list, name+marks(properties[name].Flags)+" "+r.typ(file, name, properties[name].Type))
	}
	return list
}

// marks writes the flags of a property.
func marks(flags int) (marks string) {
	for _, f := range [...]struct {
		flag int
		mark string
	}{{required, "!"}, {readOnly, "<"}, {constant, "="}, {identifier, "#"}} {
		if flags&f.flag != 0 {
			marks += f.mark
		}
	}
	return marks
}

// typ writes a type. The property that has it gives unions a name.
func (r *reader) typ(file, property string, ref reference) string {
	at, of := r.at(file, ref)
	switch of.Kind {
	case "AnyType":
		return "*"
	case "BooleanType":
		return "b"
	case "IntegerType":
		return "i"
	case "StringType":
		if of.Sensitive {
			return "x"
		}
		return "s"
	case "StringLiteralType":
		if strings.ContainsAny(of.Value, "'|,=\n") {
			r.fail("the literal %q has no form in the notation", of.Value)
		}
		return "'" + of.Value + "'"
	case "ArrayType":
		return "[" + r.typ(at.file, property, *of.ItemType) + "]"
	case "UnionType":
		if text := r.union(at.file, of); len(text) < 30 {
			return text
		}
		return r.shape(at, of, property).line
	case "ObjectType":
		if len(of.Properties) > 0 {
			return r.shape(at, of, of.Name).line
		}
		if of.AdditionalProperties == nil {
			r.fail("%s is an object without anything", of.Name)
			return "*"
		}
		name := of.Name
		if name == "Record" {
			name = ""
		}
		return name + "{" + r.typ(at.file, property, *of.AdditionalProperties) + "}"
	case "DiscriminatedObjectType":
		return r.shape(at, of, of.Name).line
	}
	r.fail("there is no notation for %+v", of)
	return "*"
}

func (r *reader) union(file string, of element) string {
	var list []reference
	if err := json.Unmarshal(of.Elements, &list); err != nil {
		r.fail("%w", err)
	}
	var members []string
	for _, m := range list {
		_, member := r.at(file, m)
		if member.Kind != "StringLiteralType" {
			r.fail("a union has a member that is not a literal: %+v", member)
		}
		members = append(members, r.typ(file, "", m))
	}
	slices.Sort(members)
	return strings.Join(members, "|")
}

// shape returns what becomes a line.
func (r *reader) shape(at place, of element, name string) *shape {
	s := r.made[at]
	if s == nil {
		s = &shape{file: at.file, of: of, name: name, leaf: r.leaf, hash: name, line: name}
		r.made[at] = s
		r.order = append(r.order, s)
	}
	return s
}

// body writes the line of a shape.
func (r *reader) body(s *shape) string {
	switch s.of.Kind {
	case "UnionType":
		return r.union(s.file, s.of)
	case "ObjectType":
		properties := maps.Clone(s.of.Properties)
		if s.by != "" {
			if _, key := r.at(s.file, properties[s.by].Type); key.Value != s.key || properties[s.by].Flags != required {
				r.fail("%s is not the member %s of an object", s.name, s.key)
			}
			delete(properties, s.by)
		}
		fields := r.fields(s.file, properties)
		if s.of.AdditionalProperties != nil {
			fields = append(fields, "..."+r.typ(s.file, "", *s.of.AdditionalProperties))
		}
		return strings.Join(fields, ", ")
	}
	var members map[string]reference
	if err := json.Unmarshal(s.of.Elements, &members); err != nil {
		r.fail("%w", err)
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(members)) {
		at, of := r.at(s.file, members[key])
		member := r.shape(at, of, of.Name)
		member.key, member.by = key, s.of.Discriminator
		list = append(list, key+"="+member.line)
	}
	fields := append([]string{s.of.Discriminator + "! " + strings.Join(list, "|")}, r.fields(s.file, s.of.BaseProperties)...)
	return strings.Join(fields, ", ")
}

// name gives each shape the name of its line. Shapes of the same name that are the same share it. Of those that differ, the first
// has the name, and the others have the type that leads to them, too.
func (r *reader) name() {
	for range 12 { // as deep as types lead to others
		for _, s := range r.order {
			s.line = s.name + "." + s.hash
		}
		for _, s := range r.order {
			s.hash = fmt.Sprintf("%x", sha256.Sum256([]byte(r.body(s))))[:16]
		}
	}
	lines := map[string]string{} // of a name and a hash
	taken := map[string]bool{}
	for _, s := range r.order {
		key := s.name + "." + s.hash
		if lines[key] == "" {
			line := s.name
			for n := 1; taken[line]; n++ {
				line = s.name + "." + s.leaf
				if n > 1 {
					line += strconv.Itoa(n)
				}
			}
			lines[key], taken[line] = line, true
		}
		s.line = lines[key]
	}
}
