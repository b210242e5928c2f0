package aso

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/manifest/schema"
)

// packed is the table that asotable makes of the source of Azure Service Operator. It has
// five parts, each a list of lines that ends with an empty one:
//
//   - the version of the operator
//   - the kinds, in each version of their API: group, version, Azure's api-version, kind,
//     Azure's type, owner (group/Kind, * for any resource, - for none), number of the
//     spec's type; then name=… if the operator sets the resource's name itself, limits=…
//     of the name, plural=… if its resources are not called as the kind with an s, secrets=…
//     and maps=…, which the operator can write into secrets and config maps, and status=…,
//     the paths of those texts that only Azure gives, in which * is any key of a map
//   - the object types: a word for each property, MARKS name [<path] : type [#limits].
//     The marks are ! for a property that is required, ~ for one that a config map can give,
//     and . for one that stands under properties in the body. The path is the property's
//     name in the body, where it is another one. A union begins with @discriminator, and
//     its words with value=. A type is s(tring), i(nteger), n(umber), b(oolean), j(SON),
//     e and E with the number of an enumeration of strings or of integers, r(eference),
//     p for a secret, P for a map of secrets, u for a list of identities, or the number of
//     an object type; [ makes a list of it, and { a map
//   - the enumerations: their values, separated by |
//   - the limits: name=value, as CRDs name them
//
//go:embed table.gz
var packed []byte

// table is the table, unpacked. Its lines are read when they are asked for.
type table struct {
	version  string
	operator string              // how messages call the operator
	kinds    map[string][]string // lines by Azure's type, in lower case
	types    []string
	enums    []string
	limits   []string
	read     map[int]*object

	// Of CRDs, if they are given: see define.
	crds    *schema.Kinds
	own     map[string][]*kind // by Azure's type, in lower case
	byKind  map[string][]string
	untyped []string // kinds of which nothing says the type
}

const operatorName = "Azure Service Operator "

// unpack decompresses the table, once.
var unpack = sync.OnceValue(func() []string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return strings.Split(string(text), "\n\n")
})

// newTable returns the table of five parts.
func newTable(parts []string) *table {
	lines := func(i int) []string { return strings.Split(strings.Trim(parts[i], "\n"), "\n") }
	t := &table{version: strings.TrimPrefix(parts[0], "v"), types: lines(2),
		enums: lines(3), limits: lines(4), read: map[int]*object{}, kinds: map[string][]string{}}
	t.operator = operatorName + t.version
	for _, line := range lines(1) {
		key := strings.ToLower(strings.SplitN(line, " ", 6)[4])
		t.kinds[key] = append(t.kinds[key], line)
	}
	return t
}

// kind is a kind of the operator in one version of its API.
type kind struct {
	group, version, apiVersion, name, armType string
	owner                                     string
	spec                                      int
	fixedName                                 string
	plural                                    string // as the API server calls its resources
	limits                                    *limits
	secrets                                   []string
	maps                                      map[string]string // keys by the path in the status
	status                                    []string
	known                                     []*kind  // of a CRD: the same kind in the table
	withoutLists                              []string // of a CRD: the expressions that its operatorSpec cannot hold
}

// armTypes returns the types that the operator has kinds for, in lower case.
func (t *table) armTypes() []string {
	if t.crds != nil {
		return slices.Collect(maps.Keys(t.own))
	}
	return slices.Collect(maps.Keys(t.kinds))
}

// has reports whether the operator has a kind for a type.
func (t *table) has(armType string) bool {
	if t.crds != nil {
		return t.own[strings.ToLower(armType)] != nil
	}
	return t.kinds[strings.ToLower(armType)] != nil
}

// versions returns a kind in all versions of its API; nil if the operator has no such type.
func (t *table) versions(armType string) []*kind {
	if t.crds != nil {
		return t.own[strings.ToLower(armType)]
	}
	var list []*kind
	for _, line := range t.kinds[strings.ToLower(armType)] {
		list = append(list, t.kind(line))
	}
	return list
}

func (t *table) kind(line string) *kind {
	words := strings.Split(line, " ")
	k := &kind{group: words[0], version: words[1], apiVersion: words[2],
		name: words[3], armType: words[4], owner: words[5], spec: number(words[6]), plural: strings.ToLower(words[3]) + "s"}
	for _, word := range words[7:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "name":
			k.fixedName = value
		case "plural":
			k.plural = value
		case "limits":
			k.limits = t.limit(value)
		case "secrets":
			k.secrets = strings.Split(value, ",")
		case "maps":
			k.maps = map[string]string{}
			for _, one := range strings.Split(value, ",") {
				key, path, _ := strings.Cut(one, "=")
				k.maps[path] = key
			}
		case "status":
			k.status = strings.Split(value, ",")
		}
	}
	return k
}

// object is an object type of the table.
type object struct {
	discriminator string
	fields        []*field
	byPath        map[string]*field // by the name in the body, in lower case, with properties. before it if it is there
}

// field is a property of an object type.
type field struct {
	name     string
	path     string // its name in the body
	value    string // of the discriminator, in a union
	required bool
	config   bool // a config map can give it
	nested   bool // it stands under properties in the body
	typ      string
	limits   *limits
	inBody   string // properties.path, or path
}

// object returns the object type of a number.
func (t *table) object(id int) *object {
	if o := t.read[id]; o != nil {
		return o
	}
	o := &object{byPath: map[string]*field{}}
	t.read[id] = o
	if t.types[id] == "-" {
		return o
	}
	for _, word := range strings.Split(t.types[id], " ") {
		if d, ok := strings.CutPrefix(word, "@"); ok {
			o.discriminator = d
			continue
		}
		f := &field{}
		if word, limit, ok := strings.Cut(word, "#"); ok {
			f.limits = t.limit(limit)
			f.parse(word)
		} else {
			f.parse(word)
		}
		o.fields = append(o.fields, f)
		o.byPath[strings.ToLower(f.inBody)] = f
	}
	return o
}

func (f *field) parse(word string) {
marks:
	for ; ; word = word[1:] {
		switch word[0] {
		case '!':
			f.required = true
		case '~':
			f.config = true
		case '.':
			f.nested = true
		default:
			break marks
		}
	}
	word, f.typ, _ = strings.Cut(word, ":")
	if value, name, ok := strings.Cut(word, "="); ok {
		f.value, word = value, name
	}
	if name, path, ok := strings.Cut(word, "<"); ok {
		f.name, f.path = name, path
	} else {
		f.name, f.path = word, word
	}
	f.inBody = f.path
	if f.nested {
		f.inBody = "properties." + f.path
	}
}

// enum returns the values of an enumeration.
func (t *table) enum(id int) []string { return strings.Split(t.enums[id], "|") }

// limits are what a CRD demands of a value beside its type. Those that are not given are
// nil, and empty.
type limits struct {
	minLength, maxLength, minItems, maxItems, minimum, maximum, multipleOf *int64

	pattern string
}

// bounds returns the numbers by their names.
func (l *limits) bounds() map[string]**int64 {
	return map[string]**int64{
		"MinLength": &l.minLength, "MaxLength": &l.maxLength, "MinItems": &l.minItems, "MaxItems": &l.maxItems,
		"Minimum": &l.minimum, "Maximum": &l.maximum, "MultipleOf": &l.multipleOf,
	}
}

func (t *table) limit(id string) *limits {
	l := &limits{}
	fields := l.bounds()
	rest := t.limits[number(id)]
	for rest != "" {
		var word string
		if pattern, ok := strings.CutPrefix(rest, "Pattern="); ok {
			l.pattern = pattern
			break
		}
		word, rest, _ = strings.Cut(rest, " ")
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			continue
		}
		if field := fields[key]; field != nil {
			*field = &n
		}
	}
	return l
}

// number reads a number of the table, in which there is no other text at such a place.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("aso: the table is damaged: " + s)
	}
	return n
}
