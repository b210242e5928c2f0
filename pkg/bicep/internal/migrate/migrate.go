// Package migrate rewrites programs with resource types that Radius removes, so that they use those that take their place.
//
// Program changes the files of a program. What a type has no place for, and what cannot be followed, becomes a Note. The
// package works in this order: reads.go rewrites what reads resources, one function for each type (containers.go,
// types.go) rewrites their bodies, and params.go adds the parameters that these need, in the modules first. edit.go is the
// text. Whether a property has a place is asked of the new type, and of no list.
package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
	"github.com/radbicep/rad/pkg/bicep/internal/repair"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Kind tells notes apart.
type Kind uint8

// The kinds of notes.
const (
	NoCounterpart Kind = iota // what a new type has no place for
	NotFollowed               // what is not known, so that nothing can be said of it
	Check                     // what somebody has to look at
)

// Note is what is said about a place.
type Note struct {
	File *source.File
	Span source.Span
	Kind Kind
	Left bool // it is left out of the result
	Text string

	Mentions string // a file that the text names
}

// Result is what became of a program.
type Result struct {
	Texts map[*graph.File]string // the files that change
	Notes []Note
}

// Program migrates the files of a program, which has no errors. drop leaves out what has no counterpart, as far as the rest
// does without.
func Program(p *check.Program, drop bool) *Result {
	r := &Result{Texts: map[*graph.File]string{}}
	files := map[*graph.File]*file{}
	for _, f := range p.Graph.Files {
		if f.Kind == graph.Bicep {
			migrateFile(p, f, files, drop)
		}
	}
	for _, f := range p.Graph.Files {
		if one := files[f]; one != nil {
			r.Notes = append(r.Notes, one.kept()...)
			if len(one.list) > 0 {
				r.Texts[f] = one.result()
			}
		}
	}
	return r
}

// migrateFile migrates a file after those of its modules.
func migrateFile(p *check.Program, of *graph.File, files map[*graph.File]*file, drop bool) *file {
	if f, done := files[of]; done {
		return f
	}
	m := p.Model(of)
	if m == nil || of.Kind != graph.Bicep {
		return nil
	}
	f := &file{m: m, drop: drop, targets: map[*bind.Resource]*target{}, repairs: repair.New(m, nil)}
	files[of] = f
	if f.editor = newEditor(m.Tree()); f.editor == nil {
		f.editor = &editor{}
		f.note(NotFollowed, source.Span{}, "the file has control characters of all kinds: remove them")
		return f
	}
	f.comments = f.repairs.Comments()
	modules := map[*bind.Module]*file{}
	for _, one := range m.Binding().Modules {
		if ref := of.Reference(one.Stmt); ref != nil && ref.File != nil {
			modules[one] = migrateFile(p, ref.File, files, drop)
		}
	}
	f.collect()
	f.readsOfAll()
	for _, t := range f.order {
		f.target(t)
	}
	for _, one := range m.Binding().Modules {
		if inner := modules[one]; inner != nil {
			f.give(one, inner.added)
		}
	}
	f.declare()
	f.mentions()
	return f
}

// file is a file that is migrated.
type file struct {
	*editor
	m       *check.Model
	drop    bool
	repairs *repair.File
	targets map[*bind.Resource]*target
	order   []*target
	added   []parameter // to declare
	notes   []Note
	removed map[syntax.Node]bool              // items that are taken away
	known   map[source.Span]bool              // places where something is wrong already
	left    []source.Span                     // what is left out: what is said of places within does not matter any more
	names   map[string]bool                   // that the file uses
	edges   map[bind.Declared][]bind.Declared // references that were added
	refused map[[2]bind.Declared]int          // how many references of one to the other have no counterpart
}

// target is a resource of a type that Radius removes.
type target struct {
	*resources.Resource
	stmt  *syntax.Resource
	old   string        // the type in lower case, without its version
	use   string        // the type that takes its place, with its version; "" if there is none
	whole types.Type    // that type
	shape *types.Object // of its properties
}

// kind returns the name of the type that takes the place of a target's, without its version.
func (t *target) kind() string { kind, _, _ := strings.Cut(t.use, "@"); return kind }

// collect finds the resources to migrate.
func (f *file) collect() {
	for _, r := range resources.IndexOf(f.m).Declared() {
		ns := r.Type.Namespace
		if ns == nil || ns.Settings.ExtensionName != typelib.RadiusSettings().ExtensionName {
			continue
		}
		use, removed := typelib.Replacement(r.TypeRef().Name())
		if !removed {
			continue
		}
		t := &target{Resource: r, stmt: r.Symbol.Stmt, old: strings.ToLower(r.TypeRef().Type), use: use}
		if use != "" {
			of := ns.Resources.DefinedType(ns, types.ParseResourceType(use), 0)
			if tag := lint.RadiusTag(f.m); of == nil || typelib.RemovalLevel(tag) == diag.Off {
				f.older(t, tag)
				return
			}
			t.whole = of.Body.Type()
			t.shape, _ = types.AsObject(within(t.whole, "properties"))
		}
		f.targets[r.Symbol] = t
		f.order = append(f.order, t)
	}
}

// older notes that the file uses the types of a release that lacks some, which are named by a tag, and nothing else.
func (f *file) older(t *target, tag string) {
	where := cmp.Or(f.m.Config().Path, "bicepconfig.json")
	f.targets, f.order = nil, nil
	f.note(NotFollowed, t.stmt.Type.Span(), "the types of Radius %sthat the file uses lack some of those that take the place of others: "+
		"first write \"radius\": \"br:biceptypes.azurecr.io/radius:%s\" below \"extensions\" in %s", strings.TrimLeft(tag+" ", " "),
		typelib.RadiusRelease, where)
	f.notes[len(f.notes)-1].Mentions = where
}

// target rewrites one resource.
func (f *file) target(t *target) {
	if t.use == "" || t.old == "applications.core/volumes" {
		f.lacks(t.stmt.Type.Span(), func() { f.leave(t.stmt, func() { f.replace(f.repairs.Statement(t.stmt), "") }) },
			"no type of Radius takes the place of %s%s; declare a type of your own, with a recipe in a pack", t.TypeRef().Type,
			map[bool]string{true: " with Key Vault", false: ""}[t.use != ""])
		return
	}
	if s, ok := t.stmt.Type.(*syntax.String); ok {
		text := f.text[s.Span().Start:s.Span().End]
		prefix := ""
		if i := strings.IndexByte(text, ':'); i >= 0 {
			prefix = text[1 : i+1]
		}
		f.replace(s.Span(), quote(prefix+t.use))
	}
	if !t.Existing {
		f.body(t)
	}
}

// body rewrites the properties of a resource.
func (f *file) body(t *target) {
	o := t.Body()
	if o == nil {
		f.note(NotFollowed, t.stmt.Span(), "the body of the resource is not written here")
		return
	}
	all := f.object(o)
	f.each(all, "the body of a resource", func(i int, _ *syntax.Property, name string) {
		if !slices.Contains([]string{"name", "properties", "dependsOn", "parent", "scope"}, name) {
			f.rest(t, all, i, t.whole)
		}
	})
	p := o.Property("properties")
	if p == nil {
		return
	}
	props, ok := p.Value.(*syntax.Object)
	if !ok {
		f.opaque(p, "properties")
		return
	}
	move := map[string]func(*target, *object){
		"applications.core/applications": f.application,
		"applications.core/environments": f.environment,
		"applications.core/containers":   f.container,
		"applications.core/gateways":     f.gateway,
		"applications.core/secretstores": f.secretStore,
	}[t.old]
	if move == nil {
		move = f.portable
	}
	of := f.object(props)
	move(t, of)
	f.inEnvironment(t, of)
}

// object is an object that is written in the file.
type object struct {
	*syntax.Object
	items []item
}

func (f *file) object(o *syntax.Object) *object { return &object{o, itemsOf(f.editor, o, o.Items)} }

// each calls a function for each property of an object that has a known name, and notes the others, which are not followed.
func (f *file) each(o *object, what string, visit func(i int, p *syntax.Property, name string)) {
	for i, one := range o.items {
		if p, ok := one.node.(*syntax.Property); ok {
			if name, ok := p.KeyName(); ok {
				visit(i, p, name)
				continue
			}
		}
		if _, nested := one.node.(*syntax.Resource); !nested {
			f.opaque(one.node, what)
		}
	}
}

// entries calls a function for each entry of a dictionary: for what is written here, whatever its name. Other values must
// fit the new type.
func (f *file) entries(p *syntax.Property, want types.Type, visit func(entry *syntax.Property, o *object)) *object {
	dictionary, ok := p.Value.(*syntax.Object)
	if !ok {
		f.fits(p.Value, want)
		return nil
	}
	list := f.object(dictionary)
	for _, one := range list.items {
		entry, ok := one.node.(*syntax.Property)
		if !ok {
			f.opaque(one.node, keyOf(p))
			continue
		}
		if value, ok := entry.Value.(*syntax.Object); ok {
			visit(entry, f.object(value))
		} else {
			f.fits(entry.Value, within(want, ""))
		}
	}
	return list
}

// rest keeps a property that the new type has, too, and notes another.
func (f *file) rest(t *target, o *object, i int, shape types.Type) {
	p := o.items[i].node.(*syntax.Property)
	has := member(shape, keyOf(p))
	if has == nil || has.Flags.Has(types.ReadOnly) {
		f.noPlace(t, o, i)
		return
	}
	value, written := p.Value.(*syntax.Object)
	if of, ok := types.AsObject(has.Type.Type()); ok && written && len(of.Properties()) > 0 {
		inner := f.object(value)
		f.each(inner, keyOf(p), func(i int, _ *syntax.Property, _ string) { f.rest(t, inner, i, of) })
		return
	}
	f.holds(p.Value, has.Type.Type())
}

// holds notes what a type has no place for in a value, which had a place in the old type.
func (f *file) holds(x syntax.Expr, want types.Type) {
	if f.known == nil {
		f.known = map[source.Span]bool{}
		for _, d := range f.m.Diagnostics() {
			f.known[d.Span] = true
		}
	}
	f.m.Narrow(func(d diag.Diagnostic) {
		if d.Severity >= diag.Warning && !f.known[d.Span] {
			f.note(NotFollowed, d.Span, "the new type does not take this: 'rad bicep explain %s' says what is wrong", d.Code())
		}
	}, x, want)
}

// fits is holds for a value that is not written in its place, where old and new types differ.
func (f *file) fits(x syntax.Expr, want types.Type) {
	t := f.m.TypeOf(x)
	if o, ok := types.AsObject(t); !ok || o.Additional != nil && o.Additional.Type.Type().Kind() == types.KindAny {
		f.opaque(x, "the value")
		return
	}
	f.holds(x, want)
}

// member returns the property of an object type that has a name, or the one that stands for all others; nil if there is none.
func member(t types.Type, name string) *types.Property {
	o, ok := types.AsObject(t)
	if !ok {
		return nil
	}
	if p := o.Property(name); p != nil {
		return p
	}
	if o.HasExplicitAdditional() {
		return o.Additional
	}
	return nil
}

// within returns the type of what a path leads to in an object type.
func within(t types.Type, path ...string) types.Type {
	for _, name := range path {
		p := member(t, name)
		if p == nil {
			return types.TAny
		}
		t = p.Type.Type()
	}
	return t
}

func (f *file) note(kind Kind, at source.Span, format string, args ...any) {
	f.notes = append(f.notes, Note{File: f.m.Source(), Span: at, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// opaque notes what cannot be followed.
func (f *file) opaque(n syntax.Node, what string) {
	f.note(NotFollowed, n.Span(), "what %s holds is not written here, so it cannot be followed; write it in its place", what)
}

// lacks notes what has no counterpart; leave leaves it out of the result, nil if nothing can.
func (f *file) lacks(at source.Span, leave func(), format string, args ...any) {
	f.note(NoCounterpart, at, format, args...)
	note := &f.notes[len(f.notes)-1]
	switch {
	case f.drop && leave != nil:
		note.Left = true
		leave()
	case f.drop:
		note.Text += "; it cannot be left out, since something needs a value"
	}
}

// noPlace notes a property that the new type lacks.
func (f *file) noPlace(t *target, o *object, i int) {
	p := o.items[i].node.(*syntax.Property)
	name := keyOf(p)
	_, leaf, _ := strings.Cut(t.kind(), "/")
	f.lacks(p.Key.Span(), func() { f.dropEntry(p) }, "%s has no place for %q: %s", t.kind(), name,
		cmp.Or(decisions[leaf+"."+name], decisions[name], "leave it out, or have a recipe do it"))
}

// leave leaves a node out of the result; remove removes it, unless something else does.
func (f *file) leave(n syntax.Node, remove func()) {
	f.left = append(f.left, n.Span())
	if remove != nil {
		remove()
	}
}

// take removes an item of an object.
func (f *file) take(o *object, i int) {
	if f.removed == nil {
		f.removed = map[syntax.Node]bool{}
	}
	f.removed[o.items[i].node] = true
	f.remove(o.items, i)
}

// kept returns the notes, in the order of the file, without those about what is gone.
func (f *file) kept() []Note {
	var list []Note
	for _, n := range f.notes {
		if n.Left || !slices.ContainsFunc(f.left, func(at source.Span) bool { return at.Contains(n.Span) }) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b Note) int {
		return cmp.Or(int(a.Span.Start-b.Span.Start), int(a.Kind)-int(b.Kind), strings.Compare(a.Text, b.Text))
	})
	return slices.CompactFunc(list, func(a, b Note) bool { return a.Span == b.Span && a.Text == b.Text })
}

// decisions say what to do about properties that no new type has, by their names.
var decisions = map[string]string{
	"iam":                  "give the role to the identity of the pods where that is made",
	"identity":             "give the pods an identity by a recipe",
	"imagePullPolicy":      "Kubernetes decides by the tag of the image, or a recipe does",
	"internal":             "the Gateway of the cluster decides who reaches it",
	"containers.port":      "the Service now listens on the containerPort: change who calls it, or the containerPort",
	"prefix":               "write the whole host name as fullyQualifiedHostname",
	"recipe":               "a type has one recipe now, with the parameters of the environment's recipeParameters",
	"recipeConfig":         "declare Radius.Core/bicepSettings or terraformSettings",
	"replacePrefix":        "let the program take the whole path",
	"resourceProvisioning": "declare the existing resource by a recipe, or read its address from a secret",
	"runtimes":             "platformOptions may hold it, which the recipe must read",
	"scheme":               "name the protocol where the port is used",
	"timeoutPolicy":        "set the time on the HTTPRoute, by a recipe",
	"tags":                 "the new types have none; a recipe may give labels",
	"url":                  "write the address of the Gateway, which the cluster has",
	"tls":                  "the Gateway of the cluster ends TLS",
	"enableWebsockets":     "an HTTPRoute lets them pass",
	"headers":              "check a path that needs no header",
	"protocol":             "the sidecar speaks HTTP unless an annotation says otherwise, which a recipe writes",
	"resource":             "declare the values, or read the existing Secret by its name",
	"secrets":              "the recipe gives secrets; read them from the Secret that it makes",
}

// keyOf returns the name of a property; its text, if it is not known.
func keyOf(p *syntax.Property) string { name, _ := p.KeyName(); return name }

// quote returns a text as a string of the language.
func quote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", `\${`).Replace(text) + "'"
}

// literal returns the text that an expression is known to be.
func (f *file) literal(x syntax.Expr) (string, bool) {
	if s, ok := syntax.Unparen(x).(*syntax.String); ok {
		return s.Literal()
	}
	if s, ok := f.m.TypeOf(x).(*types.StringLiteral); ok {
		return s.Value, true
	}
	return "", false
}
