package migrate

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// readsOfAll rewrites what reads the resources.
func (f *file) readsOfAll() {
	f.m.Tree().Walk(f.m.Tree(), func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.VarRef:
			if s, _ := f.m.Symbol(n).(*bind.Resource); f.targets[s] != nil {
				f.read(f.targets[s], n)
			}
		case *syntax.ResourceTypeRef:
			f.named(n.Type)
		case *syntax.TypeCall:
			for _, a := range n.Args {
				f.named(a)
			}
		}
		return true
	})
}

var removedName = regexp.MustCompile(`(?i)\bApplications\.(Core|Dapr|Datastores|Messaging)/`)

// named notes a type expression that names a type that goes.
func (f *file) named(n syntax.Node) {
	if removedName.MatchString(f.m.Source().Slice(n.Span())) {
		f.note(NotFollowed, n.Span(), "the values of this type have another form now; write the new type, and what reads them, by hand")
	}
}

// step is a part of what is read of a resource, such as .properties.
type step struct {
	name string
	at   source.Span // of its text, with the dot
	safe bool
}

// stepsFrom returns what is read of an expression: names that are known, until there is something else.
func (f *file) stepsFrom(x syntax.Expr) (list []step, last syntax.Expr) {
	for last = x; ; {
		next := step{}
		switch p := f.m.Parent(last).(type) {
		case *syntax.PropertyAccess:
			next.name, next.safe = p.Name.Name, p.Safe
		case *syntax.Index:
			name, ok := f.literal(p.Index)
			if p.X != last || !ok {
				return list, last
			}
			next.name, next.safe = name, p.Safe
		case *syntax.NonNull, *syntax.Paren:
			last = p.(syntax.Expr)
			continue
		default:
			return list, last
		}
		around := f.m.Parent(last).(syntax.Expr)
		next.at = source.Span{Start: last.Span().End, End: around.Span().End}
		list, last = append(list, next), around
	}
}

// read rewrites one use of a resource.
func (f *file) read(t *target, x syntax.Expr) {
	if i, ok := f.m.Parent(x).(*syntax.Index); ok && syntax.IsLoop(t.stmt.Value) && i.X == x {
		x = i
	}
	steps, last := f.stepsFrom(x)
	whole := source.Between(x.Span(), last.Span())
	if t.use == "" || t.old == "applications.core/volumes" {
		f.lost(t, x, whole, "this reads %s, which no type takes the place of", t.Symbol.Name())
		return
	}
	if len(steps) == 0 {
		f.whole(t, x, last)
		return
	}
	want, path := types.Type(t.shape), steps // properties can be read beside properties, too
	switch steps[0].name {
	case "properties":
		path = steps[1:]
	case "id", "name", "type", "apiVersion", "location", "tags", "systemData":
		return
	}
	for i := 0; i < len(path); i++ {
		moved, n := f.movedStep(t, path[i:])
		if n == 0 {
			moved, n = []string{path[i].name}, 1
		}
		at := source.Span{Start: path[i].at.Start, End: path[i+n-1].at.End}
		want = within(want, moved...)
		if n > 1 || len(moved) > 1 || moved[0] != path[i].name {
			f.replace(at, f.path(t, moved, path[i].safe, f.m.Source().Slice(x.Span())))
		}
		i += n - 1
	}
	of := f.m.TypeOf(last)
	same := types.AreAssignable(want, of) || types.AreAssignable(of, want)
	if len(path) == 0 || want == types.Type(types.TAny) || isObject(of) || !same {
		name := "properties"
		if len(path) > 0 {
			name = path[len(path)-1].name
		}
		f.lost(t, x, whole, "%s has no %q as it is read here: %s", t.kind(), name, cmp.Or(decisions[name], "read what the new type has"))
	}
}

// lost notes a read of a resource that has no counterpart.
func (f *file) lost(t *target, x syntax.Expr, at source.Span, format string, args ...any) {
	f.lacks(at, f.entryOf(x), format, args...)
	var in syntax.Node = x
	for {
		if d, ok := f.m.Symbol(in).(bind.Declared); ok && d.Decl() == in {
			if f.refused == nil {
				f.refused = map[[2]bind.Declared]int{}
			}
			f.refused[[2]bind.Declared{d, t.Symbol}]++
			return
		}
		if in = f.m.Parent(in); in == nil {
			return
		}
	}
}

// isObject reports whether a type is that of an object, of which old and new types have other properties.
func isObject(t types.Type) bool { _, ok := types.AsObject(t); return ok }

// entry stands in a path for the name of a container.
const entry = "\x00entry"

// movedStep returns the names that take the place of the first n steps of a path below properties.
func (f *file) movedStep(t *target, path []step) (names []string, n int) {
	is := func(names ...string) bool {
		same := func(s step, name string) bool { return name == "" || s.name == name }
		return len(path) >= len(names) && slices.EqualFunc(path[:len(names)], names, same)
	}
	switch t.old {
	case "applications.core/containers":
		switch {
		case is("container", "ports", "", "port"):
			return []string{"containers", entry, "ports", path[2].name, "containerPort"}, 4
		case is("container"):
			return []string{"containers", entry}, 1
		}
	case "applications.core/environments":
		if is("compute", "namespace") {
			return []string{"providers", "kubernetes", "namespace"}, 2
		}
	case "applications.core/secretstores":
		if is("type") {
			return []string{"kind"}, 1
		}
	}
	return nil, 0
}

// path returns the text that reads a path of names of a resource, which is read as it stands in the source.
func (f *file) path(t *target, names []string, safe bool, resource string) string {
	text := ""
	for _, name := range names {
		var step string
		switch {
		case name == entry:
			key, dotted, _ := f.key(t)
			if step = dotted; strings.Contains(key, "${") {
				step = "[" + resource + ".name]"
			}
		case syntax.IsIdentifier(name):
			step = "." + name
		default:
			step = "[" + quote(name) + "]"
		}
		if safe {
			step = step[:1] + "?" + step[1:]
		}
		text += step
	}
	return text
}

// whole judges the use of a resource as such.
func (f *file) whole(t *target, x, last syntax.Expr) {
	switch p := f.m.Parent(last).(type) {
	case *syntax.InstanceCall:
		f.lost(t, x, source.Between(x.Span(), p.Span()), "%s has no function %s: read its secret by a secretKeyRef or a connection",
			t.kind(), p.Name.Name)
		return
	case *syntax.NestedAccess:
		return
	case *syntax.Property:
		if name := keyOf(p); name == "parent" || name == "scope" {
			return
		}
	case *syntax.Array:
		if of, ok := f.m.Parent(p).(*syntax.Property); ok && keyOf(of) == "dependsOn" {
			return
		}
	}
	f.note(NotFollowed, last.Span(), "the resource is used as a whole, so what is read of it cannot be followed; name what is read")
}

// entryOf returns what leaves out the entry of a dictionary that an expression is in: a variable of a container, or a
// connection, or a dependency. It is nil if the expression is elsewhere.
func (f *file) entryOf(x syntax.Node) func() {
	if list, ok := f.m.Parent(x).(*syntax.Array); ok {
		if p, ok := f.m.Parent(list).(*syntax.Property); ok && keyOf(p) == "dependsOn" {
			items := itemsOf(f.editor, list, list.Items)
			return func() { f.remove(items, slices.IndexFunc(items, func(i item) bool { return i.node == x })) }
		}
	}
	var inner *syntax.Property
	for n := f.m.Parent(x); n != nil; n = f.m.Parent(n) {
		p, ok := n.(*syntax.Property)
		if !ok {
			continue
		}
		if name := keyOf(p); inner != nil && (name == "env" || name == "connections") {
			if r := f.m.Binding().EnclosingResource(p); r != nil {
				if s, ok := f.m.Symbol(r).(*bind.Resource); ok && f.targets[s] != nil {
					return func() { f.dropEntry(inner) }
				}
			}
		}
		inner = p
	}
	return nil
}

// follow returns the expression that a variable of the file stands for.
func (f *file) follow(x syntax.Expr) syntax.Expr {
	for range 100 {
		x = syntax.Unparen(x)
		ref, ok := x.(*syntax.VarRef)
		if !ok {
			return x
		}
		v, ok := f.m.Symbol(ref).(*bind.Var)
		if !ok {
			return x
		}
		x = v.Stmt.Value
	}
	return x
}

// namesAddress reports whether an expression may be an address: there is one in it, or in what it stands for.
func (f *file) namesAddress(x syntax.Expr, depth int) (found bool) {
	f.m.Tree().Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.String:
			found = found || strings.Contains(strings.Join(n.Segments(), ""), "://")
		case *syntax.VarRef:
			if depth > 20 {
				return false
			}
			switch s := f.m.Symbol(n).(type) {
			case *bind.Var:
				found = found || f.namesAddress(s.Stmt.Value, depth+1)
			case *bind.Param:
				found = found || s.Stmt.Default != nil && f.namesAddress(s.Stmt.Default.Value, depth+1)
			}
		}
		return !found
	})
	return found
}

// hosted returns the container whose Service has a host name; nil if there is none, or if there are several.
func (f *file) hosted(host string, holes []syntax.Expr) (found *target) {
	for _, t := range f.order {
		if t.old != "applications.core/containers" || syntax.IsLoop(t.stmt.Value) {
			continue
		}
		name, ok := f.literal(f.name(t))
		same := ok && name == host
		if n, ok := hole(host); ok {
			text := f.m.Source().Slice(syntax.Unparen(holes[n]).Span())
			same = text == t.Symbol.Name()+".name" || text == f.m.Source().Slice(f.name(t).Span())
		}
		if same && found != nil {
			return nil
		}
		if same {
			found = t
		}
	}
	return found
}

// reads reports whether an expression is the port of a container by its name.
func (f *file) reads(text string, of *target, port string) bool {
	for _, name := range []string{"port", "containerPort"} {
		for _, key := range []string{"." + port, "[" + quote(port) + "]"} {
			_, step, _ := f.key(of)
			for _, path := range []string{".container", ".containers" + step} {
				if text == of.Symbol.Name()+".properties"+path+".ports"+key+"."+name {
					return true
				}
			}
		}
	}
	return false
}

// mayRefer returns why a resource cannot refer to another one; "" if it can: that one is always there, and does not need the
// former itself.
func (f *file) mayRefer(from, to *target) (why string) {
	condition := func(t *target) string {
		if c := syntax.Condition(t.stmt.Value); c != nil {
			return f.m.Source().Slice(c.Span())
		}
		return ""
	}
	hidden := f.locals(from.Symbol)
	for _, d := range slices.Concat(f.m.Binding().ReferencedBy(to.Symbol), []bind.Declared{to.Symbol}) {
		if hidden[d.Name()] {
			return "a variable of this resource is called " + d.Name() + ", too"
		}
	}
	switch c := condition(to); {
	case c != "" && c != condition(from):
		return to.Symbol.Name() + " is not always there"
	case f.needs(to.Symbol, from.Symbol, map[bind.Declared]bool{}):
		return to.Symbol.Name() + " needs this resource itself"
	}
	if f.edges == nil {
		f.edges = map[bind.Declared][]bind.Declared{}
	}
	f.edges[from.Symbol] = append(f.edges[from.Symbol], to.Symbol)
	return ""
}

// needs reports whether a declaration needs another one, beside by what has no counterpart.
func (f *file) needs(from, to bind.Declared, seen map[bind.Declared]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, d := range f.m.Binding().ReferencedBy(from) {
		if n := f.refused[[2]bind.Declared{from, d}]; n > 0 && n == len(f.m.Binding().Uses(from.Decl(), d)) {
			continue
		}
		if f.needs(d, to, seen) {
			return true
		}
	}
	return slices.ContainsFunc(f.edges[from], func(d bind.Declared) bool { return f.needs(d, to, seen) })
}

// assemble returns the source of a text that pieces returned a part of.
func (f *file) assemble(text string, holes []syntax.Expr) string {
	if n, ok := hole(text); ok {
		return f.slice(holes[n].Span())
	}
	parts := strings.Split(text, "\x00")
	out := strings.TrimSuffix(quote(parts[0]), "'")
	for _, part := range parts[1:] {
		number, rest, _ := strings.Cut(part, "\x01")
		n, _ := strconv.Atoi(number)
		out += "${" + f.slice(holes[n].Span()) + "}" + strings.TrimSuffix(quote(rest)[1:], "'")
	}
	return out + "'"
}
