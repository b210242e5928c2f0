package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/normal"
)

// changes returns how a resource differs from what it was. unclear says that its name or its scope may be another.
func (p *Plan) changes(was, is *expand.Resource, unclear bool) []Change {
	d := differ{room: &p.room, normal: p.normal}
	if unclear {
		for _, x := range []struct {
			path     string
			was, now expand.Value
		}{{"name", was.Name, is.Name}, {"scope", was.Scope, is.Scope}} {
			if p.normal.relate(x.was, x.now) != normal.Same {
				d.add(Unknown, x.path, x.was, x.now)
			}
		}
	}
	if was.APIVersion != is.APIVersion {
		d.add(Update, "apiVersion", armjson.String(was.APIVersion), armjson.String(is.APIVersion))
	}
	for _, x := range []struct {
		path     string
		was, now expand.Value
	}{{"condition", was.Condition, is.Condition}, {"copies", was.Copies, is.Copies}} {
		if p.normal.relate(x.was, x.now) != normal.Same {
			d.list = append(d.list, Change{Path: x.path, Action: Unknown, Before: x.was, After: x.now})
		}
	}
	d.compare("decorators", decorators(was), decorators(is))
	if was.Extension != nil || is.Extension != nil { // the name is part of the body, and compared above
		d.compare("extension", p.normal.config(was), p.normal.config(is))
		d.objects("", withoutName(was).(*armjson.Object), withoutName(is).(*armjson.Object))
	} else {
		d.objects("", was.Body, is.Body)
	}
	return d.list
}

// decorators returns what a resource asks of the deployment engine, in any order.
func decorators(r *expand.Resource) expand.Value {
	list := armjson.Array{}
	for _, name := range slices.Sorted(slices.Values(r.Decorators)) {
		list = append(list, armjson.String(name))
	}
	return list
}

// config returns how the extension of a resource is configured. A namespace is the scope of resources that name none.
func (n *normalizer) config(r *expand.Resource) expand.Value {
	if r.Extension == nil || r.Extension.Config == nil {
		return armjson.NewObject()
	}
	config, ok := n.value(r.Extension.Config).(*armjson.Object)
	if !ok {
		return n.value(r.Extension.Config)
	}
	out := armjson.NewObject()
	for k, v := range config.All() {
		if k != "namespace" {
			out.Set(k, v)
		}
	}
	return out
}

// differ collects changes.
type differ struct {
	list   []Change
	normal *normalizer
	room   *int // for the paths of all changes of a plan, in bytes

	// Values that were compared before. Elements of an array are compared to align them, and again
	// to tell how they differ.
	objectsSeen map[[2]*armjson.Object]normal.Relation
	arraysSeen  map[[2]*armjson.Value]normal.Relation
}

// maxPaths is how many bytes the paths of all changes take. When they are used up, what changes
// is told of the array or object that it is in.
const maxPaths = 32 << 20

func (d *differ) full() bool { return *d.room < 0 }

func (d *differ) add(a Action, path string, before, after expand.Value) {
	c := Change{Path: path, Action: a, Before: before, After: after}
	c.Secure = before != nil && expand.IsSecure(before) || after != nil && expand.IsSecure(after)
	d.list = append(d.list, c)
	*d.room -= len(path) + 64
}

// compare notes how two values differ: as deep as their structure is the same.
func (d *differ) compare(path string, a, b expand.Value) {
	first := len(d.list)
	if x, ok := a.(expand.Unknown); ok && !d.full() {
		if y, ok := b.(expand.Unknown); ok && d.relate(a, b) != normal.Same {
			names := expand.ChangedNames(x, y)
			for _, name := range names { // another of the objects may have the member, too
				d.add(Unknown, segment(path, name), a, b)
			}
			if len(names) > 0 {
				d.sum(first, path, a, b)
				return
			}
		}
	}
	switch x := a.(type) {
	case *armjson.Object:
		if y, ok := b.(*armjson.Object); ok && !d.full() {
			d.objects(path, x, y)
			d.sum(first, path, a, b)
			return
		}
	case armjson.Array:
		if y, ok := b.(armjson.Array); ok && !d.full() {
			d.arrays(path, x, y)
			d.sum(first, path, a, b)
			return
		}
	}
	d.whole(path, a, b)
}

// whole notes that two values differ, or may differ.
func (d *differ) whole(path string, a, b expand.Value) {
	switch d.relate(a, b) {
	case normal.Different:
		d.add(Update, path, a, b)
	case normal.Unclear:
		d.add(Unknown, path, a, b)
	}
}

// sum puts one change in place of those within a value if there are too many in all.
func (d *differ) sum(first int, path string, a, b expand.Value) {
	if d.full() && len(d.list)-first > 1 {
		d.list = d.list[:first]
		d.whole(path, a, b)
	}
}

func (d *differ) objects(path string, a, b *armjson.Object) {
	for k, x := range a.All() {
		y, ok := b.Get(k)
		switch {
		case ok:
			d.compare(segment(path, k), x, y)
		default:
			d.add(Delete, segment(path, k), x, nil)
		}
	}
	for k, y := range b.All() {
		if a.Find(k) < 0 {
			d.add(Create, segment(path, k), nil, y)
		}
	}
}

// arrays compares arrays: elements that have names by their names, others by their
// place between what both have at the beginning and at the end.
func (d *differ) arrays(path string, a, b armjson.Array) {
	if name, x, y, ok := elementKeys(a, b); ok {
		d.aligned(path, name, a, b, x, y)
		return
	}
	first := 0
	for first < len(a) && first < len(b) && d.equal(a[first], b[first]) {
		first++
	}
	m, n := len(a), len(b)
	for m > first && n > first && d.equal(a[m-1], b[n-1]) {
		m--
		n--
	}
	for i := first; (i < m || i < n) && !d.full(); i++ {
		at := join(path, "["+strconv.Itoa(i)+"]")
		switch {
		case i >= n:
			d.add(Delete, at, a[i], nil)
		case i >= m:
			d.add(Create, at, nil, b[i])
		default:
			d.compare(at, a[i], b[i])
		}
	}
}

// names are the members that identify objects in arrays.
var names = []string{"name", "key", "id"}

// elementKeys finds the member by which the elements of both arrays can be told apart,
// and returns where each stands.
func elementKeys(a, b armjson.Array) (name string, x, y map[string]int, ok bool) {
	if len(a) == 0 || len(b) == 0 {
		return "", nil, nil, false
	}
	for _, name := range names {
		if x, ok := places(a, name); ok {
			if y, ok := places(b, name); ok {
				return name, x, y, true
			}
		}
	}
	return "", nil, nil, false
}

func places(list armjson.Array, name string) (map[string]int, bool) {
	m := make(map[string]int, len(list))
	for i, v := range list {
		o, ok := v.(*armjson.Object)
		if !ok {
			return nil, false
		}
		v, _ := o.Get(name)
		s, ok := expand.Known(v)
		if _, twice := m[s]; !ok || twice {
			return nil, false
		}
		m[s] = i
	}
	return m, true
}

// aligned compares elements of one name. That only their order differs is a change
// of the array.
func (d *differ) aligned(path, name string, a, b armjson.Array, x, y map[string]int) {
	at := func(o expand.Value) (string, string) {
		v, _ := o.(*armjson.Object).Get(name)
		s, _ := expand.Known(v)
		return s, elementPath(path, name, o.(*armjson.Object))
	}
	var kept []int
	for _, v := range a {
		s, p := at(v)
		j, ok := y[s]
		switch {
		case !ok:
			d.add(Delete, p, v, nil)
			continue
		default:
			d.compare(p, v, b[j])
		}
		kept = append(kept, j)
	}
	for _, v := range b {
		if s, p := at(v); true {
			if _, ok := x[s]; !ok {
				d.add(Create, p, nil, v)
			}
		}
	}
	if !slices.IsSorted(kept) {
		order := func(list armjson.Array) expand.Value {
			out := make(armjson.Array, len(list))
			for i, v := range list {
				s, _ := at(v)
				out[i] = armjson.String(s)
			}
			return out
		}
		d.list = append(d.list, Change{Path: path, Action: Update, Before: order(a), After: order(b)})
	}
}

// elementPath returns the path of an element of an array that is known by its name.
func elementPath(path, name string, o *armjson.Object) string {
	v, _ := o.Get(name)
	s, _ := expand.Known(v)
	return join(path, "["+name+"="+quoteName(clip(s, maxName))+"]")
}

func quoteName(s string) string {
	if s != "" && !strings.ContainsAny(s, "]['\" \t\n") {
		return s
	}
	return strconv.Quote(s)
}

// segment adds a member's name to a path.
func segment(path, name string) string {
	plain := name != ""
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$' || r >= 0x80
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '-') {
			plain = false
		}
	}
	name = clip(name, maxName)
	switch {
	case !plain:
		return join(path, "['"+strings.ReplaceAll(name, "'", "''")+"']")
	case path == "":
		return name
	}
	return join(path, "."+name)
}

// A path shows so many bytes of a name, and has so many in all.
const maxName, maxPath = 200, 600

// join adds a step to a path.
func join(path, step string) string {
	if len(path) > maxPath {
		return path // it was cut before
	}
	return clip(path+step, maxPath)
}

// relate is the relation of two values, kept for those within arrays.
func (d *differ) relate(a, b expand.Value) normal.Relation {
	switch x := a.(type) {
	case armjson.Array:
		y, ok := b.(armjson.Array)
		if !ok || len(x) != len(y) || len(x) == 0 {
			break
		}
		key := [2]*armjson.Value{&x[0], &y[0]}
		r, known := d.arraysSeen[key]
		if !known {
			r = all(len(x), func(i int) normal.Relation { return d.relate(x[i], y[i]) })
			if d.arraysSeen == nil {
				d.arraysSeen = map[[2]*armjson.Value]normal.Relation{}
			}
			d.arraysSeen[key] = r
		}
		return r
	case *armjson.Object:
		y, ok := b.(*armjson.Object)
		if !ok || x.Len() != y.Len() {
			break
		}
		key := [2]*armjson.Object{x, y}
		r, known := d.objectsSeen[key]
		if !known {
			r = relateMembers(x, y, d.relate)
			if d.objectsSeen == nil {
				d.objectsSeen = map[[2]*armjson.Object]normal.Relation{}
			}
			d.objectsSeen[key] = r
		}
		return r
	}
	return d.normal.relate(a, b)
}

func (d *differ) equal(a, b expand.Value) bool { return d.relate(a, b) == normal.Same }

// groupOf returns the application and the environment that a resource belongs to.
func (p *Plan) groupOf(r *expand.Resource) (application, environment string) {
	props := r.Body.Object("properties")
	if props == nil {
		return "", ""
	}
	kind := strings.ToLower(r.Type)
	switch {
	case strings.HasSuffix(kind, ".core/applications"):
		application = Label(r)
	default:
		v, _ := props.Get("application")
		var up *expand.Resource
		if application, up = p.owner(v); up != nil && up != r {
			_, environment = p.groupOf(up)
		}
	}
	if v, ok := props.Get("environment"); ok {
		environment, _ = p.owner(v)
	}
	if strings.HasSuffix(kind, ".core/environments") {
		environment = Label(r)
	}
	return application, environment
}

// owner returns the name of an application or environment that a value is the ID of, and the resource if it is known.
// What is not known is an expression in brackets.
func (p *Plan) owner(v expand.Value) (string, *expand.Resource) {
	if v == nil {
		return "", nil
	}
	if s, ok := expand.Known(v); ok {
		if r := p.byID[strings.ToLower(s)]; r != nil {
			return Label(r), r
		}
		return s[strings.LastIndexByte(s, '/')+1:], nil
	}
	if expand.IsSecure(v) {
		return "", nil
	}
	if r, _, path := expand.Read(v); r != nil && len(path) == 1 && path[0] == "id" {
		return Label(r), r
	}
	return clip(expand.Text(v), longestLabel), nil
}
