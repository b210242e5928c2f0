package bind

import (
	"cmp"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Bind binds the names of a .bicep or .bicepparam file.
func Bind(f *graph.File, env Env) *Binding {
	b := &Binding{
		File: f, TargetScope: targetScope(f.Tree), env: env,
		implicit: map[string]*BuiltInNamespace{},
		symbols:  make([]Symbol, 1, len(f.Tree.Stmts)+16),
		of:       make([]uint32, f.Tree.NodeCount()),
		flags:    map[*syntax.InstanceCall]types.FunctionFlags{},
		refs:     map[Declared][]Declared{},
	}
	b.setNamespaces(env.Namespaces(f, b.TargetScope))
	d := &declarer{b: b, namespaces: map[*syntax.Extension]types.Type{}}
	for _, ns := range b.Namespaces {
		if ns.Origin != nil {
			d.namespaces[ns.Origin] = ns.Type
		}
	}
	d.scope = &Scope{Resolution: GlobalsOnly, Locals: make([]Declared, 0, len(f.Tree.Stmts))}
	b.Root = d.scope
	b.setScope(f.Tree.ID(), b.Root)
	d.below(f.Tree)
	b.extend()
	b.sortDeclarations()
	b.listResources()

	r := newResolver(b)
	r.visit(f.Tree)
	b.findCycles(&r.needs)
	return b
}

// targetScope returns the scope that the first targetScope statement names.
func targetScope(f *syntax.File) types.ResourceScope {
	for _, s := range f.Stmts {
		t, ok := s.(*syntax.TargetScope)
		if !ok {
			continue
		}
		str, _ := t.Value.(*syntax.String)
		if str == nil {
			break
		}
		switch text, _ := str.Literal(); text {
		case "tenant":
			return types.ScopeTenant
		case "managementGroup":
			return types.ScopeManagementGroup
		case "subscription":
			return types.ScopeSubscription
		case "local":
			return types.ScopeLocal
		}
		break
	}
	return types.ScopeResourceGroup
}

// setNamespaces takes note of what the file's namespaces are. Of two under one
// name the later counts.
func (b *Binding) setNamespaces(list []Namespace) {
	for i, ns := range list {
		if ns.Origin == nil {
			if replaced(ns.Name, list[i+1:]) {
				continue
			}
			b.implicit[ns.Name] = &BuiltInNamespace{symbolName{ns.Name}, ns.Type}
		}
		b.Namespaces = append(b.Namespaces, ns)
		t, ok := ns.Type.(*types.Namespace)
		if !ok {
			continue
		}
		known := false
		for i := range b.visible {
			if b.visible[i].name == ns.Name {
				b.visible[i].ns, known = t, true
			}
		}
		if !known {
			b.visible = append(b.visible, visible{ns.Name, t})
		}
	}
}

// replaced reports whether a namespace that needs no declaration is in list.
func replaced(name string, list []Namespace) bool {
	return slices.ContainsFunc(list, func(ns Namespace) bool { return ns.Origin == nil && ns.Name == name })
}

// declarer collects what the nodes of a file declare. Symbols get into their
// scope once everything below their declaration has been seen.
type declarer struct {
	b          *Binding
	scopes     arena.Arena[Scope]
	locals     arena.Arena[Declared]
	scope      *Scope
	resources  arena.Arena[Resource]
	this       arena.Arena[LocalThis]
	namespaces map[*syntax.Extension]types.Type
}

func (d *declarer) newDeclared(name *syntax.Ident, node syntax.Node) declared {
	return declared{symbolName: symbolName{name.Name}, node: node, span: name.Span(), valid: name.Valid(), binding: d.b}
}

func (d *declarer) declare(s Declared) {
	d.scope.Locals = append(d.scope.Locals, s)
	d.b.setSymbol(s.Decl().ID(), d.b.numberOf(s))
}

// within opens a scope around what visit does. It is in force within a node.
func (d *declarer) within(node syntax.Node, r Resolution, visit func()) {
	s := d.scopes.New(Scope{Resolution: r})
	outer := d.scope
	outer.Children = append(outer.Children, s)
	if node != nil {
		d.b.setScope(node.ID(), s)
	}
	d.scope = s
	visit()
	d.scope = outer
}

// below visits what is below n.
func (d *declarer) below(n syntax.Node) {
	tree, id := d.b.File.Tree, n.ID()
	for i, end := id+1, tree.After(id); i < end; {
		if d.visit(tree.Node(i)) {
			i = tree.After(i)
		} else {
			i++
		}
	}
}

// visit declares what a node declares. It reports whether it has visited what is below it.
func (d *declarer) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Metadata:
		d.below(n)
		d.declare(&Metadata{stateOf(d, n.Name, n)})
	case *syntax.Param:
		d.below(n)
		d.declare(&Param{stateOf(d, n.Name, n)})
	case *syntax.TypeDecl:
		d.below(n)
		d.declare(&TypeAlias{stateOf(d, n.Name, n)})
	case *syntax.Var:
		d.below(n)
		d.declare(&Var{stateOf(d, n.Name, n)})
	case *syntax.Func:
		d.below(n)
		d.declare(&Func{stateOf(d, n.Name, n)})
	case *syntax.Module:
		d.below(n)
		d.declare(&Module{stateOf(d, n.Name, n)})
	case *syntax.Test:
		d.below(n)
		d.declare(&Test{stateOf(d, n.Name, n)})
	case *syntax.Output:
		d.below(n)
		d.declare(&Output{stateOf(d, n.Name, n)})
	case *syntax.Assert:
		d.below(n)
		d.declare(&Assert{stateOf(d, n.Name, n)})
	case *syntax.ParamAssign:
		d.below(n)
		d.declare(&ParamAssign{stateOf(d, n.Name, n)})
	case *syntax.ExtensionConfig:
		d.below(n)
		d.declare(&ExtensionConfig{stateOf(d, n.Alias, n)})
	case *syntax.Resource:
		d.resource(n)
	case *syntax.Extension:
		d.below(n)
		d.extension(n)
	case *syntax.Import:
		d.below(n)
		d.imports(n)
	case *syntax.For:
		d.within(n.Body, InheritAll, func() {
			d.local(n.Item(), ForItem)
			d.local(n.IndexVar(), ForIndex)
			d.below(n)
		})
	case *syntax.Lambda:
		d.within(n.Body, InheritAll, func() {
			for _, p := range n.Params {
				d.local(p, LambdaItem)
			}
			d.below(n)
		})
	case *syntax.TypedLambda:
		d.within(n.Body, InheritFunctionsAndVariables, func() {
			for _, p := range n.Params {
				d.local(p, LambdaItem)
			}
			d.below(n)
		})
	default:
		return false
	}
	return true
}

func (d *declarer) local(l *syntax.Local, kind LocalKind) {
	if l != nil && l.Name != nil {
		d.declare(&Local{d.newDeclared(l.Name, l), l, kind})
	}
}

// hasThis reports whether a resource can name itself.
func (b *Binding) hasThis() bool {
	return b.File.Has(release.ThisAndNullAreFree) || b.File.Features().ThisNamespace
}

// resource declares a resource. Its body is a scope, in which nested resources
// are declared; the resource itself is visible to its siblings as well.
func (d *declarer) resource(n *syntax.Resource) {
	var body syntax.Node = n.Value
	if c, ok := n.Value.(*syntax.If); ok {
		body = c.Body
	}
	d.within(body, InheritAll, func() {
		if !n.IsExisting() && body != nil && d.b.hasThis() {
			// The body stands for `this`, since the statement stands for the
			// resource. It is not entered in decl, so that the body of a resource
			// is not a declaration to anyone who asks for its symbol's statement.
			d.scope.Locals = append(d.locals.Make(1)[:0], d.this.New(LocalThis{
				declared{symbolName: symbolName{"this"}, node: body, span: n.Keyword, valid: true, binding: d.b}, n, d.b.env.This()}))
		}
		d.below(n)
	})
	d.declare(d.resources.New(Resource{stateOf(d, n.Name, n)}))
}

// ExtensionName returns the name under which an `extension` statement makes its
// namespace known, if the statement says it.
func ExtensionName(s *syntax.Extension) (string, bool) {
	if s.As != nil && s.As.Name != nil {
		return s.As.Name.Name, true
	}
	if id, ok := s.Spec.(*syntax.Ident); ok {
		return id.Name, true
	}
	return "", false
}

func (d *declarer) extension(n *syntax.Extension) {
	t := d.namespaces[n]
	if t == nil {
		t = types.NewError()
	}
	name, ok := ExtensionName(n)
	if !ok {
		name = t.String()
	}
	span := n.Spec.Span()
	if n.As != nil && n.As.Name != nil {
		span = n.As.Name.Span()
	}
	d.declare(&ExtensionNamespace{declared{symbolName: symbolName{name}, node: n, span: span, valid: true, binding: d.b}, n, t})
}

func (d *declarer) imports(n *syntax.Import) {
	from, problem := d.source(n)
	switch s := n.Symbols.(type) {
	case *syntax.WildcardImport:
		name := s.As.Name
		if problem != nil {
			d.declare(&ErroredImport{d.newDeclared(name, s), diag.List{*problem}})
			return
		}
		d.declare(&WildcardImport{d.newDeclared(name, s), s, n, from})
	case *syntax.ImportList:
		for _, item := range s.Items {
			d.importItem(n, item, from, problem)
		}
	}
}

// importItem declares what an item of an import list imports.
func (d *declarer) importItem(n *syntax.Import, item *syntax.ImportItem, from Exporter, problem *diag.Diagnostic) {
	name, original, ok := item.Names()
	if !ok {
		return // the parser has said so
	}
	failed := func(list ...diag.Diagnostic) {
		// a symbol that failed has its name in the other file
		at := item.Original.Span()
		e := &ErroredImport{declared{symbolName: symbolName{original}, node: item, span: at, valid: true, binding: d.b}, list}
		if name != nil {
			e.span, e.valid = name.Span(), name.Valid()
		}
		d.declare(e)
	}
	if problem != nil {
		failed(*problem)
		return
	}
	at := item.Original.Span()
	x := from.FindExport(original)
	if x == nil {
		failed(diag.BCP360.At(at, original))
		return
	}
	base := imported{declared{symbolName: symbolName{original}, node: item, span: at, valid: false, binding: d.b},
		item, n, original, from, x}
	if name != nil {
		base.name, base.span, base.valid = name.Name, name.Span(), name.Valid()
	}
	switch x.Kind {
	case ExportType:
		d.declare(&ImportedType{base})
	case ExportVar:
		d.declare(&ImportedVar{base})
	case ExportFunc:
		d.declare(&ImportedFunc{base})
	default:
		why := cmp.Or(x.Why, "it has errors")
		failed(diag.BCP373.At(at, original, why))
	}
}

// source returns the file that a statement imports from, or what is wrong with it.
func (d *declarer) source(n *syntax.Import) (Exporter, *diag.Diagnostic) {
	fail := func(x diag.Diagnostic) (Exporter, *diag.Diagnostic) { return nil, &x }
	ref := d.b.File.Reference(n)
	if ref == nil {
		return fail(diag.BCP358.At(source.Span{Start: n.Span().End, End: n.Span().End}))
	}
	if ref.Problem != nil {
		return fail(ref.Problem.At(ref.Span()))
	}
	from := d.b.env.Exporter(ref.File)
	if from.HasErrors() {
		if ref.File.Kind == graph.ARMTemplate {
			return fail(diag.BCP188.At(n.From.Span()))
		}
		return fail(diag.BCP104.At(n.From.Span()).Follows())
	}
	return from, nil
}

// extend makes the assignments of the parameter files that this one extends
// visible: those that it does not make itself as if it made them, and all of
// them through `base`.
func (b *Binding) extend() {
	var inherited []*ParamAssign
	taken := map[string]bool{}
	for _, stmt := range b.File.Tree.Stmts {
		s, ok := stmt.(*syntax.Extends)
		if !ok {
			continue
		}
		ref := b.File.Reference(s)
		if ref == nil || ref.File == nil || ref.File.Tree == nil {
			continue
		}
		base := b.env.Binding(ref.File)
		if base == nil {
			continue
		}
		own := map[string]bool{}
		for _, l := range b.Root.Locals {
			own[l.Name()] = true
		}
		for _, a := range base.ParamAssigns {
			if !taken[a.Name()] {
				taken[a.Name()] = true
				inherited = append(inherited, a)
			}
			if !own[a.Name()] {
				b.Root.Locals = append(b.Root.Locals, a)
			}
		}
	}
	if len(inherited) > 0 {
		first := inherited[0]
		b.Root.Locals = append(b.Root.Locals, &BaseParams{
			declared{symbolName: symbolName{"base"}, node: nil, span: first.span, valid: first.valid, binding: b}, inherited})
	}
}

// sortDeclarations puts the symbols of the file's scope into lists by kind.
func (b *Binding) sortDeclarations() {
	for _, s := range b.Root.Locals {
		switch s := s.(type) {
		case *ExtensionNamespace:
			b.Extensions = append(b.Extensions, s)
		case *ExtensionConfig:
			b.ExtensionConfigs = append(b.ExtensionConfigs, s)
		case *Metadata:
			b.Metadata = append(b.Metadata, s)
		case *Param:
			b.Params = append(b.Params, s)
		case *TypeAlias:
			b.Types = append(b.Types, s)
		case *Var:
			b.Vars = append(b.Vars, s)
		case *Func:
			b.Funcs = append(b.Funcs, s)
		case *Resource:
			b.Resources = append(b.Resources, s)
		case *Module:
			b.Modules = append(b.Modules, s)
		case *Output:
			b.Outputs = append(b.Outputs, s)
		case *Assert:
			b.Asserts = append(b.Asserts, s)
		case *ParamAssign:
			b.ParamAssigns = append(b.ParamAssigns, s)
		case *BaseParams:
			b.Base = s
		case *Test:
			b.Tests = append(b.Tests, s)
		case *ImportedType:
			b.ImportedTypes = append(b.ImportedTypes, s)
		case *ImportedVar:
			b.ImportedVars = append(b.ImportedVars, s)
		case *ImportedFunc:
			b.ImportedFuncs = append(b.ImportedFuncs, s)
		case *ErroredImport:
			b.ErroredImports = append(b.ErroredImports, s)
		case *WildcardImport:
			b.Wildcards = append(b.Wildcards, s)
		}
	}
}
