package lower

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Imports is what the imports of a file bring into its template: the symbols it
// names and all that those need, each under the name it has there.
type Imports struct {
	// The declarations, each kind in the order of the names.
	Types []*ir.TypeDecl
	Vars  []*ir.Var
	Funcs []*ir.Func

	names     map[bind.Declared]string // of imported symbols, here and in the files that are imported from
	wildcards map[wildcardMember]string
	origins   map[string]Origin // by name in the template
	arm       bool
}

// FromARM reports whether any of it is from an ARM template.
func (i *Imports) FromARM() bool { return i.arm }

// Origin says where an imported declaration came from.
type Origin struct {
	Template string // the file, seen from the importing one, or the reference of the artifact
	Name     string // in that file
}

type wildcardMember struct {
	ns   *bind.WildcardImport
	name string
}

// NameOf returns the name that a symbol of an import list has in the template.
func (i *Imports) NameOf(s bind.Declared) string { return i.names[s] }

// WildcardName returns the name that a member of a wildcard import has in the template.
func (i *Imports) WildcardName(ns *bind.WildcardImport, name string) string {
	return i.wildcards[wildcardMember{ns, name}]
}

// Origin returns where the declaration of that name came from, if an import brought it.
func (i *Imports) Origin(name string) (Origin, bool) {
	o, ok := i.origins[name]
	return o, ok
}

// refKind tells what the closure is made of.
type refKind uint8

const (
	bicepSymbol refKind = iota // a declaration of a Bicep file
	functionVar                // a variable that holds what a call gave
	armSymbol                  // a declaration of an ARM template
)

// closureRef is one declaration that the template takes over from another file. Two
// are the same if their files and names are.
type closureRef struct {
	kind     refKind
	template string // identifies the file: see templateID
	original string

	symbol bind.Declared // of a bicepSymbol
	model  *check.Model  // of a bicepSymbol or functionVar
	value  ir.Expr       // of a functionVar

	file  *graph.File // of an armSymbol
	armID armID

	from syntax.Node // the import through which it came first
	name string      // in the template
}

type refKey struct{ template, original string }

func (r *closureRef) key() refKey { return refKey{r.template, r.original} }

// closure collects what the template takes over.
type closure struct {
	*Context
	refs      map[refKey]*closureRef
	order     []*closureRef
	imported  map[bind.Declared]*closureRef
	wildcards map[wildcardMember]*closureRef
	queue     []queued
	arm       map[*graph.File]*armTemplate
}

// queued is something to look at: a symbol of an import list, a wildcard import, or
// a declaration that is needed.
type queued struct {
	from     syntax.Node
	imported bind.Imported
	wildcard *bind.WildcardImport
	ref      *closureRef
}

// closureOf works out what a file's imports bring. It looks at everything once, first
// at what is imported and then, breadth first, at what that needs.
func closureOf(c *Context) *Imports {
	cl := &closure{
		Context:   c,
		refs:      map[refKey]*closureRef{},
		imported:  map[bind.Declared]*closureRef{},
		wildcards: map[wildcardMember]*closureRef{},
		arm:       map[*graph.File]*armTemplate{},
	}
	cl.start(c.Model)
	seen := map[*check.Model]bool{c.Model: true}
	for m := c.Model; m != nil; {
		// A parameter file also needs what the file needs that it extends.
		if m = extended(m); m == nil || seen[m] {
			break
		}
		seen[m] = true
		cl.start(m)
	}
	for len(cl.queue) > 0 {
		q := cl.queue[0]
		cl.queue = cl.queue[1:]
		cl.visit(q)
	}
	return cl.finish()
}

// extended returns the parameter file that a parameter file extends, or nil.
func extended(m *check.Model) *check.Model {
	for _, s := range m.Tree().Stmts {
		if e, ok := s.(*syntax.Extends); ok {
			if parent, ok := m.Referenced(e).(*check.Model); ok {
				return parent
			}
		}
	}
	return nil
}

func (c *closure) start(m *check.Model) {
	for _, s := range m.Binding().ImportedByName() {
		c.queue = append(c.queue, queued{from: s.Decl(), imported: s})
	}
	for _, s := range m.Binding().Wildcards {
		c.queue = append(c.queue, queued{from: s.Decl(), wildcard: s})
	}
}

func (c *closure) visit(q queued) {
	switch {
	case q.imported != nil:
		target := c.export(q.imported.Source(), q.imported.ImportStmt(), q.imported.OriginalName(), q.imported.Binding())
		if target != nil {
			c.imported[q.imported] = c.want(q.from, target)
		}
	case q.wildcard != nil:
		for _, e := range q.wildcard.From.Exports() {
			if e.Kind == bind.ExportError {
				continue
			}
			if target := c.export(q.wildcard.From, q.wildcard.Stmt, e.Name, q.wildcard.Binding()); target != nil {
				c.wildcards[wildcardMember{q.wildcard, e.Name}] = c.want(q.from, target)
			}
		}
	default:
		c.need(q.ref)
	}
}

// want adds a declaration to the closure, unless it is there, and returns the one that is.
func (c *closure) want(from syntax.Node, r *closureRef) *closureRef {
	if old := c.refs[r.key()]; old != nil {
		return old
	}
	r.from = from
	c.refs[r.key()] = r
	c.order = append(c.order, r)
	c.queue = append(c.queue, queued{from: from, ref: r})
	return r
}

// export returns the declaration that a file exports under a name.
func (c *closure) export(src bind.Exporter, stmt *syntax.Import, name string, importer *bind.Binding) *closureRef {
	f := src.File()
	template := c.templateID(f, importer.File.Reference(stmt))
	e := src.FindExport(name)
	if e == nil {
		return nil
	}
	m, ok := src.(*check.Model)
	if !ok {
		return c.armRef(f, template, armExport(e))
	}
	var s bind.Declared
	b := m.Binding()
	switch e.Kind {
	case bind.ExportType:
		s = declaredAs(b.Types, name)
	case bind.ExportVar:
		s = declaredAs(b.Vars, name)
	case bind.ExportFunc:
		s = declaredAs(b.Funcs, name)
	}
	if s == nil {
		return nil
	}
	return &closureRef{kind: bicepSymbol, template: template, original: name, symbol: s, model: m}
}

func declaredAs[D bind.Declared](list []D, name string) bind.Declared {
	for _, d := range list {
		if d.Name() == name {
			return d
		}
	}
	return nil
}

// templateID names the file that an import refers to: by the path to it from the file
// that is compiled, or by its reference if it is an artifact.
func (c *closure) templateID(f *graph.File, ref *graph.Reference) string {
	if ref != nil && ref.Artifact != nil && ref.Artifact.Scheme != artifact.Local {
		return ref.Artifact.String()
	}
	return relativePath(c.Model.File().Path, f.Path)
}

// need looks at what a declaration uses.
func (c *closure) need(r *closureRef) {
	switch r.kind {
	case armSymbol:
		t := c.template(r.file)
		for _, id := range t.uses(r.armID) {
			c.want(r.from, c.armRef(r.file, r.template, id))
		}
	case bicepSymbol:
		for _, s := range r.model.Binding().ReferencedBy(r.symbol) {
			switch s := s.(type) {
			case *bind.TypeAlias, *bind.Var, *bind.Func:
				c.want(r.from, &closureRef{kind: bicepSymbol, template: r.template, original: s.Name(), symbol: s, model: r.model})
			case bind.Imported:
				c.queue = append(c.queue, queued{from: r.from, imported: s})
			case *bind.WildcardImport:
				c.queue = append(c.queue, queued{from: r.from, wildcard: s})
			}
		}
		ctx := ContextOf(r.model)
		if len(ctx.functionVars) == 0 {
			return
		}
		syntax.Walk(r.symbol.Decl(), func(n syntax.Node) bool {
			if v := ctx.functionVars[n]; v != nil {
				c.want(r.from, &closureRef{kind: functionVar, template: r.template, original: v.Name, model: r.model, value: v.Value})
			}
			return true
		})
	}
}

// finish gives everything its name and migrates it.
func (c *closure) finish() *Imports {
	out := &Imports{names: map[bind.Declared]string{}, wildcards: map[wildcardMember]string{},
		origins: map[string]Origin{}, arm: len(c.arm) > 0}
	c.nameAll()
	for s, r := range c.imported {
		out.names[s] = r.name
	}
	for m, r := range c.wildcards {
		out.wildcards[m] = r.name
	}
	byModel := map[*check.Model]*migrator{}
	migratorOf := func(m *check.Model) *migrator {
		g := byModel[m]
		if g == nil {
			g = &migrator{names: map[bind.Declared]string{}, vars: map[string]string{}, imports: out}
			byModel[m] = g
		}
		return g
	}
	for _, r := range c.order {
		switch r.kind {
		case bicepSymbol:
			migratorOf(r.model).names[r.symbol] = r.name
		case functionVar:
			migratorOf(r.model).vars[r.original] = r.name
		case armSymbol:
			c.template(r.file).names[r.armID.key()] = r.name
		}
	}
	for _, r := range c.order {
		out.origins[r.name] = Origin{r.template, r.original}
		switch r.kind {
		case armSymbol:
			c.template(r.file).declare(out, r)
		case functionVar:
			out.Vars = append(out.Vars, &ir.Var{At: ir.From(r.from), Name: r.name, Value: r.value})
		case bicepSymbol:
			b, g := ContextOf(r.model).Builder(nil), migratorOf(r.model)
			g.from = r.from
			switch s := r.symbol.(type) {
			case *bind.TypeAlias:
				out.Types = append(out.Types, g.typeDecl(b.typeDecl(s), r.name))
			case *bind.Var:
				out.Vars = append(out.Vars, g.variable(b.variable(s), r.name))
			case *bind.Func:
				out.Funcs = append(out.Funcs, g.function(b.function(s), r.name))
			}
		}
	}
	collate.SortFunc(out.Types, func(t *ir.TypeDecl) string { return t.Name })
	collate.SortFunc(out.Vars, func(v *ir.Var) string { return v.Name })
	collate.SortFunc(out.Funcs, func(f *ir.Func) string { return f.Name })
	return out
}

// nameAll gives every declaration its name in the template. Declarations that the file imports
// under a name get that name. The rest get names that no Bicep file can declare: `_1.name`, with a
// number for each file; a name that is not an identifier is replaced by a number, too, and both
// kinds of numbers come from one count.
func (c *closure) nameAll() {
	for _, s := range c.Model.Binding().ImportedByName() {
		if r := c.imported[s]; r != nil {
			r.name = s.Name()
		}
	}
	sorted := append([]*closureRef(nil), c.order...)
	collate.SortFunc(sorted, func(r *closureRef) string { return r.template + "_" + r.original })
	next := 1
	number := func() string {
		n := strconv.Itoa(next)
		next++
		return n
	}
	templates := map[string]string{}
	for _, r := range sorted {
		if r.name != "" {
			continue
		}
		id, ok := templates[r.template]
		if !ok {
			id = number()
			templates[r.template] = id
		}
		name := r.original
		if !syntax.IsIdentifier(name) {
			name = "_" + number()
		}
		r.name = "_" + id + "." + name
	}
}

// splitName takes the namespace off a function's name in the template.
func splitName(name string) (namespace, function string) {
	if ns, f, ok := strings.Cut(name, "."); ok {
		return ns, f
	}
	return armexpr.UserNamespace, name
}
