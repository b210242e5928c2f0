package migrate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// container makes Radius.Compute/containers of a container, with one entry: its name is that of the resource.
func (f *file) container(t *target, o *object) {
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		switch name {
		case "container":
			f.image(t, o, i, p)
		case "extensions":
			f.extensions(t, o, i, p, map[string]func(*object) string{"manualScaling": f.replicas(t, p), "daprSidecar": f.sidecar(t, p)})
		case "connections":
			f.connections(t, p)
		case "resourceProvisioning":
			f.usual(t, o, i, "internal")
		default:
			f.rest(t, o, i, t.shape)
		}
	})
	if name, ok := f.literal(f.name(t)); ok && strings.ToLower(name) != name {
		f.note(Check, f.name(t).Span(), "the name has capitals: Kubernetes' objects have it in lower case, and routes do not find the "+
			"container, so write it in lower case where it is deployed for the first time")
	}
}

// name returns the expression that names a resource.
func (f *file) name(t *target) syntax.Expr {
	if x := t.Body().PropertyValue("name"); x != nil {
		return x
	}
	return &syntax.Null{}
}

// key returns the name of a container's entry as a key of an object, as a step of a path, and as a value.
func (f *file) key(t *target) (key, step, value string) {
	x := syntax.Unparen(f.name(t))
	if s, ok := x.(*syntax.String); ok {
		if name, plain := s.Literal(); plain {
			if syntax.IsIdentifier(name) {
				return name, "." + name, quote(name)
			}
			return quote(name), "[" + quote(name) + "]", quote(name)
		}
		if !s.Multiline {
			text := f.slice(s.Span())
			return text, "[" + t.Symbol.Name() + ".name]", text
		}
	}
	text := f.slice(x.Span())
	if strings.ContainsAny(text, "\r\n") {
		f.note(NotFollowed, x.Span(), "the name is not written in one line, and the entry below containers is called like the resource")
	}
	return "'${" + text + "}'", "[" + t.Symbol.Name() + ".name]", text
}

// image moves a container to the entry below containers.
func (f *file) image(t *target, of *object, at int, p *syntax.Property) {
	entry := within(t.shape, "containers", "")
	key, _, _ := f.key(t)
	i := of.items[at]
	indent := f.indent(p.Span().Start)
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.fits(p.Value, entry)
		f.swap(i, "containers: "+f.block("{", indent, []string{key + ": " + f.moved(p.Value, indent+f.unit)}))
		return
	}
	o := f.object(value)
	volumes, ports := "", false
	f.each(o, "container", func(j int, p *syntax.Property, name string) {
		want := within(entry, name)
		switch name {
		case "ports":
			ports = f.ports(t, p, want)
		case "env":
			f.env(p, want)
		case "livenessProbe", "readinessProbe":
			f.probe(t, p, want)
		case "volumes":
			volumes = f.volumes(t, o, j, p)
		default:
			f.rest(t, o, j, entry)
		}
	})
	if ports {
		name := strings.Trim(key, "'")
		f.note(Check, f.name(t).Span(), "the Service of the container is now called %s: change who reaches it by the name %s, as in "+
			"http://%[2]s", serviceName(name), name)
	}
	f.swap(i, "containers: "+f.block("{", indent, []string{key + ": " + f.moved(value, indent+f.unit)}))
	if volumes != "" {
		f.add(i, volumes)
	}
}

// serviceName returns the name of the Service of a container.
func serviceName(name string) string {
	if !strings.Contains(name, "${") {
		name = strings.ToLower(name)
	}
	return name + "-" + name
}

// ports rewrites the ports of a container, and reports whether there are any.
func (f *file) ports(t *target, p *syntax.Property, want types.Type) bool {
	list := f.entries(p, want, func(entry *syntax.Property, o *object) {
		shape := within(want, "")
		f.each(o, "a port", func(i int, p *syntax.Property, name string) {
			if name == "port" && f.same(p.Value, o.PropertyValue("containerPort")) {
				f.take(o, i)
				return
			}
			f.rest(t, o, i, shape)
		})
	})
	return list == nil || len(list.items) > 0
}

// same reports whether two expressions have the same value, as far as can be seen.
func (f *file) same(x, y syntax.Expr) bool {
	if x == nil || y == nil {
		return false
	}
	if a, ok := f.m.TypeOf(x).(*types.IntLiteral); ok {
		if b, ok := f.m.TypeOf(y).(*types.IntLiteral); ok {
			return a.Value == b.Value
		}
	}
	return f.m.Source().Slice(x.Span()) == f.m.Source().Slice(y.Span())
}

// env rewrites the variables that are read from secret stores.
func (f *file) env(p *syntax.Property, want types.Type) {
	f.entries(p, want, func(_ *syntax.Property, o *object) {
		f.each(o, "a variable", func(_ int, p *syntax.Property, name string) {
			from, ok := p.Value.(*syntax.Object)
			switch {
			case name == "valueFrom" && ok && len(from.Items) == 1 && from.Property("secretRef") != nil:
				f.secretRef(from.Property("secretRef"))
			case name == "valueFrom":
				f.opaque(p, name)
			}
		})
	})
}

// secretRef makes a secretKeyRef of a secretRef, whose source is the ID of a store.
func (f *file) secretRef(p *syntax.Property) {
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.opaque(p, "secretRef")
		return
	}
	o := f.object(value)
	f.each(o, "secretRef", func(i int, p *syntax.Property, name string) {
		if name != "source" {
			return
		}
		id, ok := syntax.Unparen(p.Value).(*syntax.PropertyAccess)
		if !ok || id.Name.Name != "id" || !f.isStore(id.X) {
			f.note(NotFollowed, p.Value.Span(), "a secret is read by its name now, and this is no ID of a resource that is declared here, "+
				"such as store.id; declare the store as existing, and use its id")
			return
		}
		f.replace(p.Key.Span(), "secretName")
		f.replace(id.Name.Span(), "name")
	})
	f.replace(p.Key.Span(), "secretKeyRef")
}

// isStore reports whether an expression is a secret store of the file.
func (f *file) isStore(x syntax.Expr) bool {
	if i, ok := x.(*syntax.Index); ok {
		x = i.X
	}
	s, _ := f.m.Symbol(x).(*bind.Resource)
	return f.targets[s] != nil && f.targets[s].old == "applications.core/secretstores"
}

// probe rewrites a probe: what its kind says becomes an object of its own.
func (f *file) probe(t *target, p *syntax.Property, want types.Type) {
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.fits(p.Value, want)
		return
	}
	o := f.object(value)
	kind, ok := f.literal(value.PropertyValue("kind"))
	into := map[string]string{"httpGet": "httpGet", "tcp": "tcpSocket", "exec": "exec"}[kind]
	if !ok || into == "" {
		f.opaque(p, "kind")
		return
	}
	indent := f.indent(value.Items[0].Span().Start)
	var anchor int
	var moved []string
	f.each(o, keyOf(p), func(i int, p *syntax.Property, name string) {
		switch {
		case name == "kind":
			anchor = i
		case name == "containerPort":
			f.replace(p.Key.Span(), "port")
			moved = append(moved, f.cut(o.items, i, indent+f.unit))
		case name == "path" && kind == "httpGet":
			moved = append(moved, f.cut(o.items, i, indent+f.unit))
		case name == "command" && kind == "exec":
			f.replace(p.Value.Span(), f.words(p.Value))
			moved = append(moved, f.cut(o.items, i, indent+f.unit))
		default:
			f.rest(t, o, i, want)
		}
	})
	text := f.block("{", indent, moved)
	if !f.ownLines(o.items[anchor]) && !strings.ContainsAny(strings.Join(moved, ""), "\r\n") {
		text = f.inline(moved)
	}
	f.replace(o.items[anchor].node.Span(), into+": "+text)
}

// words returns an array of the words of a command, which Radius split at each blank.
func (f *file) words(x syntax.Expr) string {
	if s, ok := syntax.Unparen(x).(*syntax.String); ok {
		if text, plain := s.Literal(); plain {
			var words []string
			for _, word := range strings.Split(text, " ") {
				words = append(words, quote(word))
			}
			return "[" + strings.Join(words, ", ") + "]"
		}
	}
	return "split(" + f.slice(x.Span()) + ", ' ')"
}

// volumes makes volumes and their mounts of a container's volumes. It returns the former, which are a property of the resource.
func (f *file) volumes(t *target, of *object, at int, p *syntax.Property) string {
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.opaque(p, "volumes")
		return ""
	}
	inner := f.indent(p.Span().Start)
	outer := f.indent(f.m.Parent(of.Object).Span().Start)
	var mounts, volumes []string
	list := f.object(value)
	f.each(list, "volumes", func(i int, p *syntax.Property, name string) {
		volume, ok := p.Value.(*syntax.Object)
		if !ok {
			f.opaque(p, name)
			return
		}
		kind, _ := f.literal(volume.PropertyValue("kind"))
		path := volume.PropertyValue("mountPath")
		switch {
		case kind == "persistent":
			f.lacks(p.Key.Span(), func() { f.leave(p, nil) }, "volumes of Key Vault have no counterpart: "+
				"read the secrets by env, or declare Radius.Compute/persistentVolumes")
			return
		case kind != "ephemeral" || path == nil:
			f.opaque(p, name)
			return
		}
		var medium []string
		o := f.object(volume)
		f.each(o, name, func(j int, p *syntax.Property, key string) {
			switch key {
			case "managedStore":
				medium = append(medium, "medium: "+f.moved(p.Value, outer+f.unit+f.unit+f.unit))
			case "kind", "mountPath":
			default:
				f.noPlace(t, o, j)
			}
		})
		mounts = append(mounts, f.block("{", inner+f.unit, []string{"volumeName: " + quote(name),
			"mountPath: " + f.moved(path, inner+f.unit+f.unit)}))
		empty := "emptyDir: " + f.block("{", outer+f.unit+f.unit, medium)
		volumes = append(volumes, f.slice(p.Key.Span())+": "+f.block("{", outer+f.unit, []string{empty}))
	})
	if len(volumes) == 0 {
		f.remove(of.items, at)
		return ""
	}
	f.swap(of.items[at], "volumeMounts: "+f.block("[", inner, mounts))
	return "volumes: " + f.block("{", outer, volumes)
}

// extensions rewrites an array of extensions, of which kinds are known; nil stands for one that goes.
func (f *file) extensions(t *target, o *object, at int, p *syntax.Property, kinds map[string]func(*object) string) {
	list, ok := p.Value.(*syntax.Array)
	if !ok {
		f.opaque(p, "extensions")
		return
	}
	var lines []string
	seen := map[string]bool{}
	for _, one := range list.Items {
		value, ok := syntax.Unparen(one).(*syntax.Object)
		if !ok {
			f.opaque(one, "extensions")
			return
		}
		kind, known := f.literal(value.PropertyValue("kind"))
		rewrite, ok := kinds[kind]
		switch {
		case !known:
			f.opaque(one, "kind")
		case !ok:
			f.lacks(one.Span(), func() { f.leave(one, nil) }, "%s has no place for the extension %q: %s",
				t.kind(), kind, "labels and annotations, and what else it does, are a recipe's work now")
		case seen[kind]:
			f.note(NotFollowed, one.Span(), "the extension %q is there twice: leave one out", kind)
		case rewrite != nil:
			if line := rewrite(f.object(value)); line != "" {
				lines = append(lines, line)
			}
		default:
			comments := ""
			if f.commented(p.Span()) {
				comments = "; the comments in these lines go, too"
			}
			f.note(Check, one.Span(), "the namespace is that of the environment now, and must exist before%s", comments)
		}
		seen[kind] = true
	}
	if len(lines) == 0 {
		f.take(o, at)
		return
	}
	f.swap(o.items[at], f.several(o.items[at], lines))
}

// replicas returns what makes the property replicas of the extension manualScaling in an array.
func (f *file) replicas(t *target, of *syntax.Property) func(*object) string {
	return func(o *object) (line string) {
		f.each(o, "the extension", func(i int, p *syntax.Property, name string) {
			switch name {
			case "kind":
			case "replicas":
				line = f.line(o.items[i], f.indent(of.Span().Start))
			default:
				f.noPlace(t, o, i)
			}
		})
		return line
	}
}

// sidecar returns what makes the extension daprSidecar of one in an array.
func (f *file) sidecar(t *target, of *syntax.Property) func(*object) string {
	return func(o *object) string {
		indent := f.indent(of.Span().Start)
		shape := within(t.shape, "extensions", "daprSidecar")
		var lines []string
		f.each(o, "the extension", func(i int, p *syntax.Property, name string) {
			if name == "kind" {
				return
			}
			before := len(f.notes)
			if f.rest(t, o, i, shape); len(f.notes) == before {
				lines = append(lines, f.line(o.items[i], indent+f.unit+f.unit))
			}
		})
		return "extensions: " + f.block("{", indent, []string{"daprSidecar: " + f.block("{", indent+f.unit, lines)})
	}
}

// connections rewrites what a container is connected to: IDs, and no addresses.
func (f *file) connections(t *target, p *syntax.Property) {
	want := within(t.shape, "connections")
	f.entries(p, want, func(entry *syntax.Property, o *object) {
		f.each(o, "a connection", func(i int, p *syntax.Property, name string) {
			if name != "source" {
				f.rest(t, o, i, within(want, ""))
				return
			}
			switch to, _, why := f.address(t, p.Value); {
			case to != nil:
				f.replace(p.Value.Span(), to.Symbol.Name()+".id")
				f.note(Check, p.Value.Span(), "the variables HOSTNAME, PORT and SCHEME of a connection to an address are gone: "+
					"HOSTS has the host names of the resource")
			case why != "":
				f.lacks(p.Value.Span(), func() { f.dropEntry(entry) },
					"the source of a connection is an ID now, and %s; without a connection, write the address into env", why)
			}
		})
	})
}

// dropEntry removes a property from the object around it, and the whole object with its last one.
func (f *file) dropEntry(p *syntax.Property) {
	outer, ok := f.m.Parent(p).(*syntax.Object)
	if !ok {
		return
	}
	o := f.object(outer)
	f.leave(p, func() { f.take(o, slices.IndexFunc(o.items, func(i item) bool { return i.node == p })) })
	empty := !slices.ContainsFunc(o.items, func(i item) bool { return !f.removed[i.node] })
	if of, ok := f.m.Parent(outer).(*syntax.Property); ok && empty && keyOf(of) != "properties" && keyOf(of) != "data" { // must be there
		f.dropEntry(of)
	}
}

// address finds the container that an address such as http://web:3000 leads to, and its port. why says why there is none;
// "" if the value may stay what it is, since it is no address.
func (f *file) address(from *target, x syntax.Expr) (to *target, port, why string) {
	const unknown = "this is the address of no container of this file: use the ID, which a module can have as an output"
	text, holes, known := f.pieces(x)
	if !known && f.namesAddress(x, 0) {
		return nil, "", "this may be an address: use the ID of what it leads to"
	}
	scheme, rest, isURL := strings.Cut(text, "://")
	switch {
	case !known || !isURL && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, "\x00")):
		return nil, "", ""
	case !isURL:
		return nil, "", "this is none"
	}
	rest, _, _ = strings.Cut(rest, "/")
	host, port, _ := strings.Cut(rest, ":")
	if to = f.hosted(host, holes); to == nil || to == from {
		return nil, "", unknown
	}
	if why = f.mayRefer(from, to); why != "" {
		return nil, "", why
	}
	if n, ok := hole(port); ok {
		port = f.slice(holes[n].Span())
	}
	return to, cmp.Or(port, map[string]string{"http": "80", "https": "443"}[scheme]), ""
}

// pieces returns the text of a string, followed through variables. A hole is its number between the bytes 0 and 1.
func (f *file) pieces(x syntax.Expr) (text string, holes []syntax.Expr, ok bool) {
	s, ok := f.follow(x).(*syntax.String)
	if !ok {
		text, ok = f.literal(x)
		return text, nil, ok
	}
	for i, segment := range s.Segments() {
		if i > 0 {
			text += "\x00" + strconv.Itoa(i-1) + "\x01"
		}
		if strings.ContainsAny(segment, "\x00\x01") {
			return "", nil, false
		}
		text += segment
	}
	return text, s.Exprs(), true
}

// hole returns the number of the hole that a text of pieces is, if it is one and nothing else.
func hole(text string) (n int, ok bool) {
	digits, starts := strings.CutPrefix(text, "\x00")
	digits, ends := strings.CutSuffix(digits, "\x01")
	n, err := strconv.Atoi(digits)
	return n, starts && ends && err == nil
}
