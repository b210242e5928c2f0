package radiusmanifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Aliases can make a schema that has no end, and a small file that says a billion things.
const (
	maxDepth = 100       // how deep a schema nests
	maxNodes = 1_000_000 // how many keys and values are read
)

// manifest is what a file declares.
type manifest struct {
	namespace string
	versions  []version // sorted by type, then by version
}

// version is one API version of a resource type.
type version struct {
	name, version string
	capabilities  []string // those of the type, too
	schema        *schema
}

// schema describes the values of a property.
type schema struct {
	node        *yaml.Node
	kind        string
	description string
	properties  []property // sorted by name
	required    []string   // names of properties
	additional  *schema    // of the properties that are not named, or nil
	items       *schema    // of the elements of an array
	enum        []string
	readOnly    bool
	sensitive   bool
}

type property struct {
	name   string
	schema *schema
}

var (
	namespacePattern  = pattern(`^[A-Z][A-Za-z0-9]+\.[A-Z][A-Za-z0-9]+$`)
	typePattern       = pattern(`^[a-z][A-Za-z0-9]+$`)
	versionPattern    = pattern(`^\d{4}-\d{2}-\d{2}(-preview)?$`)
	capabilityPattern = pattern(`^[A-Z][A-Za-z0-9]+$`)
)

// kinds are the types that a schema may have. One without a type is an object.
var kinds = []string{"string", "object", "integer", "boolean", "any", "array", "enum"}

// lineError is an error at a line.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return fmt.Sprintf("%d: %s", e.line, e.text) }

func fail(n *yaml.Node, format string, args ...any) error {
	return &lineError{n.Line, fmt.Sprintf(format, args...)}
}

// pattern returns a regular expression that is compiled when it is used first.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// yamlLine is how the YAML library says where it stopped.
var yamlLine = pattern(`^yaml: (?:line (\d+): )?(.*)`)

// parse reads the one document of a file.
func parse(text []byte) (*yaml.Node, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, &lineError{1, "the file is empty"}
	}
	if err == nil {
		var next yaml.Node
		if err = decoder.Decode(&next); err == nil {
			return nil, fail(&next, "a second document begins here; a manifest is one document")
		}
		if errors.Is(err, io.EOF) {
			return document.Content[0], nil
		}
	}
	line, problem := 1, err.Error()
	if m := yamlLine().FindStringSubmatch(strings.ReplaceAll(problem, "\n", " ")); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
		problem = m[2]
	}
	return nil, &lineError{line, "this is not YAML: " + problem}
}

// resolve follows aliases to the node that they stand for.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// member is a key of a mapping, and its value without aliases.
type member struct {
	key   *yaml.Node
	value *yaml.Node
}

// reader counts what it reads.
type reader struct{ nodes int }

// members returns the members of a mapping in their order, and those of the mappings that
// are merged into it. Null is an empty mapping.
func (r *reader) members(n *yaml.Node, what string) ([]member, error) {
	return r.merged(nil, map[string]bool{}, n, what, 0)
}

// merged appends the members of a mapping to those of the mappings that it is merged into.
func (r *reader) merged(list []member, taken map[string]bool, n *yaml.Node, what string, depth int) ([]member, error) {
	n = resolve(n)
	r.nodes += 1 + len(n.Content)
	switch {
	case isNull(n):
		return list, nil
	case n.Kind != yaml.MappingNode:
		return nil, fail(n, "%s must be a mapping", what)
	case depth > maxDepth:
		return nil, fail(n, "%s is merged into itself", what)
	case r.nodes > maxNodes:
		return nil, tooMany(n)
	}
	var sources []*yaml.Node
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Tag == "!!merge" {
			if s := resolve(n.Content[i+1]); s.Kind == yaml.SequenceNode {
				sources = append(sources, s.Content...)
			} else {
				sources = append(sources, s)
			}
			continue
		}
		if key.Kind != yaml.ScalarNode {
			return nil, fail(key, "a key of %s must be a string", what)
		}
		if seen[key.Value] {
			return nil, fail(key, "%q occurs twice", key.Value)
		}
		seen[key.Value] = true
		if !taken[key.Value] {
			taken[key.Value] = true
			list = append(list, member{key, resolve(n.Content[i+1])})
		}
	}
	var err error
	for _, s := range sources {
		if list, err = r.merged(list, taken, s, "what is merged", depth+1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func tooMany(n *yaml.Node) error {
	return fail(n, "the manifest has more than %d keys and values, aliases counted", maxNodes)
}

// sorted returns the members of a mapping by their keys.
func (r *reader) sorted(n *yaml.Node, what string) ([]member, error) {
	list, err := r.members(n, what)
	slices.SortFunc(list, func(a, b member) int { return strings.Compare(a.key.Value, b.key.Value) })
	return list, err
}

func stringOf(m member) (string, error) {
	if m.value.Kind != yaml.ScalarNode || isNull(m.value) {
		return "", fail(m.value, "%q must be a string", m.key.Value)
	}
	return m.value.Value, nil
}

func boolOf(m member) (bool, error) {
	if m.value.Kind == yaml.ScalarNode && m.value.Tag == "!!bool" {
		var b bool
		return b, m.value.Decode(&b)
	}
	return false, fail(m.value, "%q must be true or false", m.key.Value)
}

func (r *reader) texts(m member) ([]string, error) {
	if isNull(m.value) {
		return nil, nil
	}
	if m.value.Kind != yaml.SequenceNode {
		return nil, fail(m.value, "%q must be a list", m.key.Value)
	}
	if r.nodes += len(m.value.Content); r.nodes > maxNodes {
		return nil, tooMany(m.value)
	}
	var list []string
	for _, n := range m.value.Content {
		s, err := stringOf(member{m.key, resolve(n)})
		if err != nil {
			return nil, fail(n, "%q must be a list of strings", m.key.Value)
		}
		list = append(list, s)
	}
	return list, nil
}

// read reads a manifest, and reports the first mistake in it.
func read(file []byte) (*manifest, error) {
	root, err := parse(file)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	list, err := r.members(root, "the manifest")
	if err != nil {
		return nil, err
	}
	var m manifest
	var types *yaml.Node
	for _, one := range list {
		switch one.key.Value {
		case "namespace":
			if m.namespace, err = stringOf(one); err != nil {
				return nil, err
			}
			if !namespacePattern().MatchString(m.namespace) {
				return nil, fail(one.value,
					"%q is not a namespace: want two words that begin with a capital letter, as in MyCompany.Resources", m.namespace)
			}
		case "location":
		case "types":
			types = one.value
		default:
			return nil, fail(one.key, "a manifest has no %q; it has namespace, location and types", one.key.Value)
		}
	}
	switch {
	case m.namespace == "":
		return nil, fail(root, "the manifest has no namespace")
	case types == nil:
		return nil, fail(root, "the manifest has no types")
	}
	list, err = r.sorted(types, "types")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fail(types, "the manifest has no types")
	}
	for _, one := range list {
		versions, err := r.readType(one)
		if err != nil {
			return nil, err
		}
		m.versions = append(m.versions, versions...)
	}
	return &m, nil
}

// readType reads the versions of a resource type.
func (r *reader) readType(m member) ([]version, error) {
	name := m.key.Value
	if !typePattern().MatchString(name) {
		return nil, fail(m.key,
			"%q is not the name of a resource type: want letters and digits that begin with a small letter, as in myResources", name)
	}
	list, err := r.members(m.value, "a resource type")
	if err != nil {
		return nil, err
	}
	var versions *yaml.Node
	var capabilities []string
	for _, one := range list {
		switch one.key.Value {
		case "capabilities":
			capabilities, err = r.capabilities(one)
		case "defaultApiVersion":
			err = checkVersion(one)
		case "description":
			_, err = stringOf(one)
		case "apiVersions":
			versions = one.value
		default:
			err = fail(one.key, "a resource type has no %q; it has apiVersions, capabilities, defaultApiVersion and description",
				one.key.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	if versions == nil {
		return nil, fail(m.key, "%s has no apiVersions", name)
	}
	list, err = r.sorted(versions, "apiVersions")
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fail(m.key, "%s has no apiVersions", name)
	}
	var all []version
	for _, one := range list {
		v := version{name: name, version: one.key.Value, capabilities: slices.Clip(capabilities)}
		if !versionPattern().MatchString(v.version) {
			return nil, fail(one.key, "%q is not an API version: want a date, as in 2025-01-01 or 2025-01-01-preview", v.version)
		}
		if err = r.readVersion(&v, one); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// readVersion reads what an API version says.
func (r *reader) readVersion(v *version, m member) error {
	list, err := r.members(m.value, "an API version")
	if err != nil {
		return err
	}
	for _, one := range list {
		switch one.key.Value {
		case "capabilities":
			var more []string
			more, err = r.capabilities(one)
			v.capabilities = append(v.capabilities, more...)
		case "schema":
			if !isNull(one.value) {
				if v.schema, err = r.readSchema(one.value, false, 0); err == nil && v.schema.kind != "object" {
					err = fail(one.value, "the schema of a resource type must be of type object, not %s", v.schema.kind)
				}
			}
		default:
			err = fail(one.key, "an API version has no %q; it has a schema", one.key.Value)
		}
		if err != nil {
			return err
		}
	}
	if v.schema == nil {
		return fail(m.key, "%s@%s has no schema; schema: {} is one without properties", v.name, v.version)
	}
	return nil
}

func (r *reader) capabilities(m member) ([]string, error) {
	list, err := r.texts(m)
	for _, s := range list {
		if !capabilityPattern().MatchString(s) {
			return nil, fail(m.value, "%q is not a capability: want letters and digits that begin with a capital letter, as in Recipes", s)
		}
	}
	return list, err
}

func checkVersion(m member) error {
	s, err := stringOf(m)
	if err == nil && !versionPattern().MatchString(s) {
		err = fail(m.value, "%q is not an API version: want a date, as in 2025-01-01 or 2025-01-01-preview", s)
	}
	return err
}

// readSchema reads a schema. loose says that it is in platformOptions, where the type any is
// allowed. Members such as default and format are ignored: only the registration of a type uses
// them.
func (r *reader) readSchema(n *yaml.Node, loose bool, depth int) (*schema, error) {
	n = resolve(n)
	if depth > maxDepth {
		return nil, fail(n, "the schema nests deeper than %d", maxDepth)
	}
	list, err := r.members(n, "a schema")
	if err != nil {
		return nil, err
	}
	s := &schema{node: n, kind: "object"}
	for _, m := range list {
		switch m.key.Value {
		case "type":
			if s.kind, err = stringOf(m); err == nil && !slices.Contains(kinds, s.kind) {
				err = fail(m.value, "%q is not a type of a schema; want one of %s", s.kind, strings.Join(kinds, ", "))
			}
		case "description":
			s.description, err = stringOf(m)
		case "readOnly":
			s.readOnly, err = boolOf(m)
		case "x-radius-sensitive":
			s.sensitive, err = boolOf(m)
		case "enum":
			s.enum, err = r.texts(m)
		case "required":
			s.required, err = r.texts(m)
		case "properties":
			s.properties, err = r.readProperties(m.value, loose, depth)
		case "items":
			s.items, err = r.readSchema(m.value, loose, depth+1)
		case "additionalProperties":
			if m.value.Tag == "!!bool" {
				err = additionalFlag(m)
			} else {
				s.additional, err = r.readSchema(m.value, loose, depth+1)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return s, s.check(loose)
}

// additionalFlag accepts additionalProperties: false, which is the default.
func additionalFlag(m member) error {
	if allowed, err := boolOf(m); err != nil || !allowed {
		return err
	}
	return fail(m.value, "additionalProperties must be a schema, which says of what type those properties are")
}

func (r *reader) readProperties(n *yaml.Node, loose bool, depth int) ([]property, error) {
	list, err := r.sorted(n, "properties")
	if err != nil {
		return nil, err
	}
	var all []property
	for _, m := range list {
		s, err := r.readSchema(m.value, loose || m.key.Value == "platformOptions", depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, property{name: m.key.Value, schema: s})
	}
	return all, nil
}

// check reports what a schema lacks, and what it must not say.
func (s *schema) check(loose bool) error {
	switch {
	case s.sensitive && s.kind != "string" && s.kind != "object":
		return fail(s.node, "x-radius-sensitive is for strings and objects, not for a schema of type %s", s.kind)
	case s.kind == "any" && !loose:
		return fail(s.node, "a schema of type any may be used in platformOptions only")
	case s.kind == "array" && s.items == nil:
		return fail(s.node, "a schema of type array needs items")
	case s.kind == "enum" && len(s.enum) == 0:
		return fail(s.node, "a schema of type enum needs an enum with its values")
	}
	return nil
}
