package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// namespaced are the extensions that choose a namespace, which is the environment's now.
var namespaced = map[string]func(*object) string{"kubernetesNamespace": nil}

// application rewrites an application: its extensions go.
func (f *file) application(t *target, o *object) {
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		if name == "extensions" {
			f.extensions(t, o, i, p, namespaced)
			return
		}
		f.rest(t, o, i, t.shape)
	})
}

// usual removes a property that has its default value, and notes another value.
func (f *file) usual(t *target, o *object, i int, value string) {
	p := o.items[i].node.(*syntax.Property)
	if got, ok := f.literal(p.Value); ok && got == value {
		f.take(o, i)
		return
	}
	if b, ok := p.Value.(*syntax.Bool); ok && !b.Value && value == "" {
		f.take(o, i)
		return
	}
	f.noPlace(t, o, i)
}

// environment rewrites an environment: the cluster is a provider now, and recipes are in packs.
func (f *file) environment(t *target, o *object) {
	kubernetes := ""
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		if name == "compute" {
			kubernetes = f.compute(t, o, i, p)
		}
	})
	providers := o.Property("providers")
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		switch name {
		case "compute":
			if providers != nil && kubernetes != "" {
				f.take(o, i)
			} else if kubernetes != "" {
				at := f.indent(p.Span().Start)
				f.swap(o.items[i], "providers: "+f.block("{", at, []string{f.shift(kubernetes, at, at+f.unit)}))
			}
		case "providers":
			f.providers(t, p, kubernetes)
		case "recipes":
			f.recipes(t, o, i, p)
		case "extensions":
			f.extensions(t, o, i, p, namespaced)
		default:
			f.rest(t, o, i, t.shape)
		}
	})
}

// compute returns the provider kubernetes of what an environment says of its cluster; "" if that cannot be said.
func (f *file) compute(t *target, of *object, at int, p *syntax.Property) (kubernetes string) {
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.opaque(p, "compute")
		return ""
	}
	if kind, ok := f.literal(value.PropertyValue("kind")); !ok || kind != "kubernetes" {
		f.note(NotFollowed, p.Span(), "the compute of an environment is moved if its kind is 'kubernetes'; declare the environment by hand")
		return ""
	}
	o := f.object(value)
	f.each(o, "compute", func(i int, p *syntax.Property, name string) {
		switch name {
		case "kind":
		case "namespace":
			at := f.indent(of.items[at].node.Span().Start)
			kubernetes = "kubernetes: " + f.block("{", at, []string{f.line(o.items[i], at+f.unit)})
			f.note(Check, p.Span(), "Radius does not make the namespace of an environment any more: it must exist before")
		case "resourceId":
			f.usual(t, o, i, "self")
		default:
			f.noPlace(t, o, i)
		}
	})
	return kubernetes
}

// providers rewrites the scopes of providers, and adds the cluster.
func (f *file) providers(t *target, p *syntax.Property, kubernetes string) {
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.opaque(p, "providers")
		return
	}
	o := f.object(value)
	want := within(t.shape, "providers")
	parts := map[string][2][2]string{
		"azure": {{"subscriptions", "subscriptionId"}, {"resourceGroups", "resourceGroupName"}},
		"aws":   {{"accounts", "accountId"}, {"regions", "region"}},
	}
	f.each(o, "providers", func(i int, p *syntax.Property, name string) {
		of, ok := p.Value.(*syntax.Object)
		if !ok || parts[name][0][0] == "" {
			f.fits(p.Value, within(want, name))
			return
		}
		inner := f.object(of)
		f.each(inner, name, func(i int, p *syntax.Property, key string) {
			if key != "scope" {
				f.rest(t, inner, i, within(want, name))
				return
			}
			var lines []string
			for _, part := range parts[name] {
				if text := f.segment(p.Value, part[0]); text != "" {
					lines = append(lines, part[1]+": "+text)
				}
			}
			if f.segment(p.Value, parts[name][0][0]) == "" || name == "aws" && len(lines) < len(parts[name]) {
				f.note(NotFollowed, p.Span(), "the scope is %s and %s now, which are no parts of what is written here",
					parts[name][0][1], parts[name][1][1])
				return
			}
			f.swap(inner.items[i], f.several(inner.items[i], lines))
		})
	})
	switch at := f.indent(p.Span().Start); {
	case kubernetes == "":
	case len(o.items) == 0:
		f.replace(value.Span(), f.block("{", at, []string{f.shift(kubernetes, at, at+f.unit)}))
	default:
		f.add(o.items[len(o.items)-1], f.shift(kubernetes, at, f.indent(o.items[0].node.Span().Start)))
	}
}

// segment returns the part of a scope after a name, as it is written in a string: '/subscriptions/${id}/resourceGroups/dev'.
func (f *file) segment(x syntax.Expr, after string) string {
	s, ok := syntax.Unparen(x).(*syntax.String)
	if !ok || s.Multiline {
		return ""
	}
	text, holes, _ := f.pieces(s)
	words := strings.Split(text, "/")
	i := slices.IndexFunc(words, func(w string) bool { return strings.EqualFold(w, after) })
	if i < 0 || i+1 == len(words) || words[i+1] == "" {
		return ""
	}
	return f.assemble(words[i+1], holes)
}

// recipes makes a pack of the recipes of an environment, and a list of packs.
func (f *file) recipes(t *target, of *object, at int, p *syntax.Property) {
	value, ok := p.Value.(*syntax.Object)
	if !ok {
		f.opaque(p, "recipes")
		return
	}
	o := f.object(value)
	outer := f.indent(t.stmt.Keyword.Start)
	level := outer + strings.Repeat(f.unit, 3)
	var lines []string
	f.each(o, "recipes", func(i int, p *syntax.Property, name string) {
		named, ok := p.Value.(*syntax.Object)
		switch {
		case strings.HasPrefix(strings.ToLower(name), "applications."):
			f.lacks(p.Key.Span(), func() { f.leave(p, nil) },
				"the recipes of %s are for a type that goes: add a recipe of the type in its place to a Radius.Core/recipePacks", name)
			return
		case !ok:
			f.opaque(p, name)
			return
		}
		f.each(f.object(named), name, func(j int, r *syntax.Property, recipe string) {
			body, ok := r.Value.(*syntax.Object)
			switch {
			case !ok:
				f.opaque(r, recipe)
			case len(named.Items) > 1 && recipe != "default":
				f.lacks(r.Key.Span(), func() { f.leave(r, nil) }, "a type has one recipe now, which is %q here", "default")
			default:
				f.recipe(t, f.object(body))
				text := f.slice(p.Key.Span()) + ": " + f.moved(body, level)
				lines = append(lines, text)
			}
		})
	})
	if len(lines) == 0 {
		f.take(of, at)
		return
	}
	if syntax.IsLoop(t.stmt.Value) {
		f.note(NotFollowed, p.Key.Span(), "the recipes of a loop of environments need packs of their own: declare them by hand")
		return
	}
	pack := f.unique("recipepack")
	key, _, name := f.key(t)
	if strings.HasPrefix(name, "'") {
		key = name
	}
	text := strings.TrimSuffix(key, "'") + "-recipe-pack'"
	body := []string{"name: " + text}
	if l := t.Body().Property("location"); l != nil {
		body = append(body, f.moved(l, outer+f.unit))
	}
	two := outer + f.unit + f.unit
	body = append(body, "properties: "+f.block("{", outer+f.unit, []string{"recipes: " + f.block("{", two, lines)}))
	f.after(t.stmt, "resource "+pack+" 'Radius.Core/recipePacks@"+version(t.use)+"' = "+f.block("{", outer, body))
	packs := "recipePacks: " + f.block("[", f.indent(p.Span().Start), []string{pack + ".id"})
	f.swap(of.items[at], packs, lines...)
}

// recipe renames what a recipe is called and where it is.
func (f *file) recipe(t *target, o *object) {
	shape := types.Type(types.TAny)
	if ns := t.Type.Namespace; ns != nil {
		ref := types.ParseResourceType("Radius.Core/recipePacks@" + version(t.use))
		if of := ns.Resources.DefinedType(ns, ref, 0); of != nil {
			shape = within(of.Body.Type(), "properties", "recipes", "")
		}
	}
	f.each(o, "a recipe", func(i int, p *syntax.Property, name string) {
		switch name {
		case "templateKind":
			f.replace(p.Key.Span(), "kind")
		case "templatePath":
			f.replace(p.Key.Span(), "source")
		default:
			f.rest(t, o, i, shape)
		}
	})
}

func version(name string) string { _, v, _ := strings.Cut(name, "@"); return v }

// gateway makes routes of a gateway.
func (f *file) gateway(t *target, o *object) {
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		switch name {
		case "routes":
			f.routes(t, o, i, p)
		case "hostname":
			host, ok := p.Value.(*syntax.Object)
			if !ok {
				f.opaque(p, name)
				return
			}
			var lines []string
			inner := f.object(host)
			f.each(inner, name, func(j int, h *syntax.Property, key string) {
				if key != "fullyQualifiedHostname" {
					f.noPlace(t, inner, j)
					return
				}
				lines = append(lines, f.moved(h.Value, f.indent(p.Span().Start)+f.unit))
			})
			if len(lines) == 0 {
				f.take(o, i)
				return
			}
			f.swap(o.items[i], "hostnames: "+f.block("[", f.indent(p.Span().Start), lines))
		case "internal":
			f.usual(t, o, i, "")
		default:
			f.rest(t, o, i, t.shape)
		}
	})
}

// routes makes rules of the routes of a gateway.
func (f *file) routes(t *target, of *object, at int, p *syntax.Property) {
	list, ok := p.Value.(*syntax.Array)
	if !ok {
		f.opaque(p, "routes")
		return
	}
	indent := f.indent(p.Span().Start)
	var rules []string
	for _, i := range itemsOf(f.editor, list, list.Items) {
		value, ok := i.node.(*syntax.Object)
		if !ok {
			f.opaque(i.node, "a route")
			continue
		}
		path, to, port := "'/'", (*target)(nil), ""
		o := f.object(value)
		left := false
		f.each(o, "a route", func(i int, p *syntax.Property, name string) {
			switch name {
			case "path":
				path = f.moved(p.Value, indent+strings.Repeat(f.unit, 4))
			case "destination":
				to, port = f.destination(t, p, func() { left = true })
			case "enableWebsockets":
				if b, ok := p.Value.(*syntax.Bool); !ok || b.Value {
					f.noPlace(t, o, i)
				}
			case "replacePrefix": // without it, the program would get another path
				f.lacks(p.Key.Span(), func() { left = true }, "%s has no place for %q: %s", t.kind(), name, decisions[name])
			default:
				f.noPlace(t, o, i)
			}
		})
		if left {
			f.leave(value, nil)
			continue
		}
		if to == nil {
			if value.Property("destination") == nil {
				f.note(NotFollowed, value.Span(), "the route has no destination")
			}
			continue
		}
		_, _, key := f.key(to)
		one, two := indent+f.unit, indent+f.unit+f.unit
		rules = append(rules, f.lead(i, f.indent(value.Span().Start), indent+f.unit)+f.block("{", one, []string{
			"matches: " + f.block("[", two, []string{f.block("{", two+f.unit, []string{"httpPath: " + path})}),
			"destinationContainer: " + f.block("{", two, []string{
				"resourceId: " + to.Symbol.Name() + ".id", "containerName: " + key, "containerPort: " + port}),
		}))
	}
	f.swap(of.items[at], f.several(of.items[at], []string{"kind: 'HTTP'", "rules: " + f.block("[", indent, rules)}))
}

// destination returns the container and the port that a route leads to.
func (f *file) destination(t *target, p *syntax.Property, leave func()) (to *target, port string) {
	to, port, why := f.address(t, p.Value)
	if to == nil {
		f.lacks(p.Value.Span(), leave, "the destination of a route is the ID of a container now, and %s",
			cmp.Or(why, "this is not the address of one that is declared here"))
		return nil, ""
	}
	if port = f.containerPort(to, port); port == "" {
		f.lacks(p.Value.Span(), leave, "the container %s has no such port, or several may be meant", to.Symbol.Name())
		return nil, ""
	}
	return to, port
}

// containerPort returns the containerPort of what a container's Service listens on at a port; "" if that is not known.
func (f *file) containerPort(to *target, port string) string {
	var all []string
	found := ""
	props, _ := to.Body().PropertyValue("properties").(*syntax.Object)
	inner, _ := props.PropertyValue("container").(*syntax.Object)
	ports, _ := inner.PropertyValue("ports").(*syntax.Object)
	if ports == nil {
		return ""
	}
	for _, one := range ports.Items {
		entry, _ := one.(*syntax.Property)
		if entry == nil {
			continue
		}
		o, _ := entry.Value.(*syntax.Object)
		target := o.PropertyValue("containerPort")
		if target == nil {
			continue
		}
		text := f.slice(target.Span())
		all = append(all, text)
		listens := o.PropertyValue("port")
		if listens == nil {
			listens = target
		}
		switch {
		case f.slice(listens.Span()) == port || f.reads(port, to, keyOf(entry)):
			return text
		case text == port:
			found = text
		}
	}
	number := func(text string) bool { return strings.Trim(text, "0123456789") == "" }
	if found == "" && len(all) == 1 && !(number(all[0]) && number(port)) { // what is not a number may be the same
		found = all[0]
	}
	return found
}

// secretStore makes secrets of a secret store.
func (f *file) secretStore(t *target, o *object) {
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		switch name {
		case "type":
			kind, ok := f.literal(p.Value)
			if !ok {
				f.opaque(p, name)
				return
			}
			f.replace(p.Key.Span(), "kind")
			if kind == "certificate" {
				f.replace(p.Value.Span(), "'certificate-pem'")
			}
		case "data":
			want := within(t.shape, "data")
			f.entries(p, want, func(entry *syntax.Property, o *object) {
				if o.PropertyValue("value") == nil && o.PropertyValue("valueFrom") == nil {
					f.lacks(entry.Key.Span(), func() { f.dropEntry(entry) }, "%s holds values, and %s has none here: "+
						"read the existing Secret by its name where it is used", t.kind(), keyOf(entry))
				}
				f.each(o, "a secret", func(i int, p *syntax.Property, name string) {
					kind, known := f.literal(p.Value)
					switch {
					case name == "encoding" && !known:
						f.opaque(p, name)
					case name == "encoding" && kind == "raw":
						f.replace(p.Value.Span(), "'string'")
					case name == "valueFrom":
						f.lacks(p.Key.Span(), func() { f.dropEntry(entry) },
							"%s has no place for %q: read the existing Secret by its name where it is used", t.kind(), name)
					default:
						f.rest(t, o, i, within(want, ""))
					}
				})
			})
		default:
			f.rest(t, o, i, t.shape)
		}
	})
}

// portable rewrites a database, a cache or a queue. What the new type needs, and the old one did not, becomes a parameter.
func (f *file) portable(t *target, o *object) {
	f.each(o, "properties", func(i int, p *syntax.Property, name string) {
		switch name {
		case "resourceProvisioning":
			f.usual(t, o, i, "recipe")
		case "recipe":
			recipe, _ := p.Value.(*syntax.Object)
			if named, ok := f.literal(recipe.PropertyValue("name")); ok && named == "default" && len(recipe.Items) == 1 {
				f.take(o, i)
				return
			}
			f.noPlace(t, o, i)
		default:
			f.rest(t, o, i, t.shape)
		}
	})
	for _, p := range t.shape.Properties() {
		if !p.Flags.Has(types.Required) || p.Name == "environment" || p.Name == "application" || o.Property(p.Name) != nil {
			continue
		}
		of, secure := t.Symbol.Name(), p.Type.Type().Flags().Has(types.IsSecure)
		name := of + strings.ToUpper(p.Name[:1]) + p.Name[1:]
		name = f.parameter(parameter{name, "The " + p.Name + " of the resource " + of + ".", secure, t.stmt.Type.Span()})
		f.property(o, p.Name+": "+name)
	}
}

// property adds a property to the properties of a resource.
func (f *file) property(o *object, text string) {
	at := -1
	for i, one := range o.items {
		if f.removed[one.node] {
			continue
		}
		if at < 0 || !isPlace(o.items[at]) || isPlace(one) {
			at = i
		}
	}
	if at < 0 {
		f.replace(o.Span(), f.block("{", f.indent(o.Span().Start), []string{text}))
		return
	}
	f.add(o.items[at], text)
}

// isPlace reports whether an item says where a resource belongs.
func isPlace(i item) bool {
	p, ok := i.node.(*syntax.Property)
	return ok && (keyOf(p) == "application" || keyOf(p) == "environment")
}

// inEnvironment gives a resource its environment, if its new type needs one that the old one took from the application.
func (f *file) inEnvironment(t *target, o *object) {
	if t.shape == nil || o.Property("environment") != nil {
		return
	}
	if p := t.shape.Property("environment"); p == nil || !p.Flags.Has(types.Required) {
		return
	}
	f.property(o, "environment: "+f.environmentOf(o.PropertyValue("application"), t.Symbol))
}

// after puts a statement after another one.
func (f *file) after(stmt syntax.Stmt, text string) {
	f.insert(f.lineEnd(stmt.Span().End), f.eol+f.eol+text)
}
