package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Kind says what happens to a resource or a property. Kinds are shown in this order.
type Kind int

// Kinds of changes.
const (
	Delete Kind = iota
	Create
	Modify
	arrayChange // of a property: elements of it change
)

// Change says how a resource changes.
type Change struct {
	Kind  Kind
	ID    string
	Body  *armjson.Object // that is created or deleted
	Delta []delta         // of what is modified

	kind string // the type of the resource
}

// delta is a change of a property, or of an element of an array.
type delta struct {
	kind          Kind
	at            *place // of a property
	index         int    // of an element, where at is nil
	before, after armjson.Value
	children      []delta
}

// path returns the path of a property, or the index of an element.
func (d *delta) path() string {
	if d.at == nil {
		return strconv.Itoa(d.index)
	}
	return d.at.path
}

// place is where a property is: in the resource, or in the element of an array that is
// compared.
type place struct {
	up   *place
	name string
	path string
}

// to returns the place of a member.
func (p *place) to(name string) *place {
	if p == nil {
		return &place{name: name, path: name}
	}
	return &place{p, name, join(p.path, name)}
}

// maxPath is how many bytes of a path are shown: there are programs whose paths would take
// gigabytes.
const maxPath = 1000

// join adds a name to a path.
func join(path, name string) string {
	if len(path) > maxPath {
		return path // it is cut already
	}
	if path += "." + name; len(path) > maxPath {
		path = strings.ToValidUTF8(path[:maxPath], "") + "…"
	}
	return path
}

// Changes tells how the resources of one snapshot differ from those of an older one.
func Changes(before, after *Snapshot) []Change {
	old, now := keyed(before), keyed(after)
	var changes []Change
	for i, j := 0, 0; i < len(old) || j < len(now); {
		switch {
		case j == len(now) || i < len(old) && old[i].key < now[j].key:
			changes = append(changes, Change{Kind: Delete, ID: old[i].id, Body: old[i].body, kind: old[i].body.Str("type")})
			i++
		case i == len(old) || now[j].key < old[i].key:
			changes = append(changes, Change{Kind: Create, ID: now[j].id, Body: now[j].body, kind: now[j].body.Str("type")})
			j++
		default:
			if !armjson.Equal(old[i].body, now[j].body) {
				changes = append(changes,
					Change{Kind: Modify, ID: now[j].id, Delta: objects(old[i].body, now[j].body, nil), kind: now[j].body.Str("type")})
			}
			i++
			j++
		}
	}
	return changes
}

type identified struct {
	key, id string
	body    *armjson.Object
}

// idOf returns the ID of a resource. Those of extensions have none: type and name stand for it.
func idOf(r *armjson.Object) string {
	if id := r.Str("id"); id != "" {
		return id
	}
	id := r.Str("type")
	props := r.Object("properties")
	if name := props.Str("name"); name != "" {
		id += "/" + name
	} else if meta := props.Object("metadata"); meta != nil {
		id += "/" + strings.Trim(meta.Str("namespace")+"/"+meta.Str("name"), "/")
	}
	return id
}

// keyed returns the resources sorted by ID, and those of one ID by their order.
func keyed(s *Snapshot) []identified {
	count := map[string]int{}
	list := make([]identified, len(s.Resources))
	for i, r := range s.Resources {
		id := idOf(r)
		key := strings.ToLower(id)
		count[key]++
		list[i] = identified{fmt.Sprintf("%s\x00%06d", key, count[key]), id, r}
	}
	slices.SortFunc(list, func(a, b identified) int { return cmp.Compare(a.key, b.key) })
	return list
}

// objects returns the changes between two objects. Changes within nested objects
// have paths.
func objects(a, b *armjson.Object, in *place) []delta {
	var list []delta
	for k, x := range a.All() {
		y, ok := b.Get(k)
		if !ok {
			list = append(list, delta{kind: Delete, at: in.to(k), before: x})
			continue
		}
		xo, xok := x.(*armjson.Object)
		yo, yok := y.(*armjson.Object)
		xa, xaok := x.(armjson.Array)
		ya, yaok := y.(armjson.Array)
		switch {
		case xok && yok:
			list = append(list, objects(xo, yo, in.to(k))...)
		case xaok && yaok && len(xa) > 0 && len(ya) > 0:
			if children := arrays(xa, ya); len(children) > 0 {
				list = append(list, delta{kind: arrayChange, at: in.to(k), children: children})
			}
		case !armjson.Equal(x, y):
			list = append(list, delta{kind: Modify, at: in.to(k), before: x, after: y})
		}
	}
	for k, y := range b.All() {
		if a.Find(k) < 0 {
			list = append(list, delta{kind: Create, at: in.to(k), after: y})
		}
	}
	return list
}

// arrays returns the changes between two arrays: elements are compared place by
// place once what both have at the beginning and at the end is set aside.
func arrays(a, b armjson.Array) []delta {
	first := 0
	for first < len(a) && first < len(b) && armjson.Equal(a[first], b[first]) {
		first++
	}
	m, n := len(a), len(b)
	for m > first && n > first && armjson.Equal(a[m-1], b[n-1]) {
		m--
		n--
	}
	var list []delta
	for i := first; i < m || i < n; i++ {
		switch {
		case i >= n:
			list = append(list, delta{kind: Delete, index: i, before: a[i]})
		case i >= m:
			list = append(list, delta{kind: Create, index: i, after: b[i]})
		case armjson.Equal(a[i], b[i]):
		default:
			x, xok := a[i].(*armjson.Object)
			y, yok := b[i].(*armjson.Object)
			if xok && yok {
				list = append(list, delta{kind: Modify, index: i, before: x, after: y, children: objects(x, y, nil)})
				continue
			}
			list = append(list, delta{kind: Modify, index: i, before: a[i], after: b[i]})
		}
	}
	return list
}
