package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Kind says what happens to a resource or a property. Kinds are shown in this order.
type Kind int

// What can happen.
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
}

// delta is a change of a property, or of an element of an array.
type delta struct {
	kind          Kind
	path          string
	before, after armjson.Value
	children      []delta
}

// Changes tells how the resources of one snapshot differ from those of an older one.
func Changes(before, after *Snapshot) []Change {
	old, now := keyed(before), keyed(after)
	var changes []Change
	for i, j := 0, 0; i < len(old) || j < len(now); {
		switch {
		case j == len(now) || i < len(old) && old[i].key < now[j].key:
			changes = append(changes, Change{Kind: Delete, ID: old[i].id, Body: old[i].body})
			i++
		case i == len(old) || now[j].key < old[i].key:
			changes = append(changes, Change{Kind: Create, ID: now[j].id, Body: now[j].body})
			j++
		default:
			if !armjson.Equal(old[i].body, now[j].body) {
				changes = append(changes, Change{Kind: Modify, ID: now[j].id, Delta: objects(old[i].body, now[j].body, "")})
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

// keyed returns the resources sorted by ID. Those of extensions have none: type and
// name, or else their place among those of their type, stand for it.
func keyed(s *Snapshot) []identified {
	count := map[string]int{}
	list := make([]identified, len(s.Resources))
	for i, r := range s.Resources {
		id := text(r, "id")
		if id == "" {
			id = text(r, "type")
			props := r.Object("properties")
			if name := text(props, "name"); name != "" {
				id += "/" + name
			} else if meta := props.Object("metadata"); meta != nil {
				id += "/" + strings.Trim(text(meta, "namespace")+"/"+text(meta, "name"), "/")
			}
		}
		key := strings.ToLower(id)
		count[key]++
		list[i] = identified{fmt.Sprintf("%s\x00%06d", key, count[key]), id, r}
	}
	slices.SortFunc(list, func(a, b identified) int { return cmp.Compare(a.key, b.key) })
	return list
}

func text(o *armjson.Object, name string) string {
	if o == nil {
		return ""
	}
	v, _ := o.Get(name)
	s, _ := v.(armjson.String)
	return string(s)
}

// objects returns the changes between two objects. Changes within nested objects
// have paths.
func objects(a, b *armjson.Object, prefix string) []delta {
	var list []delta
	for k, x := range a.All() {
		y, ok := b.Get(k)
		switch {
		case !ok:
			list = append(list, delta{kind: Delete, path: prefix + k, before: x})
		case !armjson.Equal(x, y):
			xo, xok := x.(*armjson.Object)
			yo, yok := y.(*armjson.Object)
			xa, xaok := x.(armjson.Array)
			ya, yaok := y.(armjson.Array)
			switch {
			case xok && yok:
				list = append(list, objects(xo, yo, prefix+k+".")...)
			case xaok && yaok && len(xa) > 0 && len(ya) > 0:
				list = append(list, delta{kind: arrayChange, path: prefix + k, children: arrays(xa, ya)})
			default:
				list = append(list, delta{kind: Modify, path: prefix + k, before: x, after: y})
			}
		}
	}
	for k, y := range b.All() {
		if a.Find(k) < 0 {
			list = append(list, delta{kind: Create, path: prefix + k, after: y})
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
		path := fmt.Sprint(i)
		switch {
		case i >= n:
			list = append(list, delta{kind: Delete, path: path, before: a[i]})
		case i >= m:
			list = append(list, delta{kind: Create, path: path, after: b[i]})
		case armjson.Equal(a[i], b[i]):
		default:
			x, xok := a[i].(*armjson.Object)
			y, yok := b[i].(*armjson.Object)
			if xok && yok {
				list = append(list, delta{kind: Modify, path: path, before: x, after: y, children: objects(x, y, "")})
				continue
			}
			list = append(list, delta{kind: Modify, path: path, before: a[i], after: b[i]})
		}
	}
	return list
}
