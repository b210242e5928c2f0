package lower

import (
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Program lowers the whole file.
func (b *Builder) Program() *ir.Program {
	names := b.Model.Binding()
	p := &ir.Program{At: ir.From(b.Model.Tree())}
	for _, s := range names.Metadata {
		p.Metadata = append(p.Metadata, b.metadata(s))
	}
	p.Extensions = b.extensions()
	for _, s := range names.Types {
		p.Types = append(p.Types, b.typeDecl(s))
	}
	for _, s := range names.Params {
		p.Params = append(p.Params, b.param(s))
	}
	p.Loops, p.Vars = b.variables(true), b.variables(false)
	for _, s := range names.Funcs {
		p.Funcs = append(p.Funcs, b.function(s))
	}
	p.Resources = b.resources
	for _, s := range names.Modules {
		p.Modules = append(p.Modules, b.module(s))
	}
	for _, s := range names.Outputs {
		p.Outputs = append(p.Outputs, b.output(s))
	}
	for _, s := range names.Asserts {
		p.Asserts = append(p.Asserts, &ir.Assert{At: ir.From(s.Stmt), Name: s.Name(), Value: b.Expr(s.Stmt.Value)})
	}
	return p
}

func (b *Builder) metadata(s *bind.Metadata) *ir.Metadata {
	return &ir.Metadata{At: ir.From(s.Stmt), Name: s.Name(), Value: b.Expr(s.Stmt.Value)}
}

// extensions lowers the extensions that the file declares, and after them those that
// its configuration adds. Bicep's own namespaces are not extensions to the template.
func (b *Builder) extensions() []*ir.Extension {
	var list []*ir.Extension
	names := b.Model.Binding()
	for _, s := range names.Extensions {
		ns := bind.NamespaceType(s)
		if ns == nil {
			continue
		}
		e := &ir.Extension{At: ir.From(s.Stmt), Name: s.Name(), Settings: ns.Settings}
		if s.Stmt.With != nil {
			e.Config = b.Expr(s.Stmt.With.Config)
		}
		list = append(list, e)
	}
	for _, n := range names.Namespaces {
		ns, ok := n.Type.(*types.Namespace)
		if !ok || n.Origin != nil || ns.Settings.ExtensionName == "sys" || ns.Settings.ExtensionName == "az" {
			continue
		}
		list = append(list, &ir.Extension{Name: ns.Name, Settings: ns.Settings})
	}
	return list
}

func (b *Builder) typeDecl(s *bind.TypeAlias) *ir.TypeDecl {
	d := b.decorators(s.Stmt)
	return &ir.TypeDecl{At: ir.From(s.Stmt), Modifiers: d.Modifiers, Name: s.Name(), Value: b.Type(s.Stmt.Value), Exported: d.exported}
}

func (b *Builder) param(s *bind.Param) *ir.Param {
	d := b.decorators(s.Stmt)
	p := &ir.Param{At: ir.From(s.Stmt), Modifiers: d.Modifiers, Name: s.Name(), Type: b.Type(s.Stmt.Type), Allowed: d.allowed}
	if s.Stmt.Default != nil {
		p.Default = b.Expr(s.Stmt.Default.Value)
	}
	return p
}

// variables lowers the variables whose values are loops, or the others.
func (b *Builder) variables(loops bool) ir.Turns[*ir.Var] {
	return func(yield func(*ir.Var) bool) {
		if !loops {
			for _, v := range b.orderedVars {
				if !yield(&ir.Var{At: ir.From(v.Call), Name: v.Name, Value: v.Value}) {
					return
				}
			}
		}
		inlined := b.Flow.Inlined().Vars
		before := b.nodes
		b.nodes = scratch{}
		defer func() { b.nodes = before }()
		for _, s := range b.Model.Binding().Vars {
			if inlined[s] || syntax.IsLoop(s.Stmt.Value) != loops {
				continue
			}
			if !yield(b.variable(s)) {
				return
			}
			b.nodes.reset()
		}
	}
}

// VarType lowers the type that a variable of the template is declared with. It is nil if
// there is none, or if the variable is not in the template.
func (b *Builder) VarType(s *bind.Var) ir.Type {
	if s == nil || s.Stmt.Type == nil || b.Flow.Inlined().Vars[s] {
		return nil
	}
	return b.Type(s.Stmt.Type)
}

func (b *Builder) variable(s *bind.Var) *ir.Var {
	return &ir.Var{At: ir.From(s.Stmt), Name: s.Name(), Value: b.Expr(s.Stmt.Value)}
}

func (b *Builder) function(s *bind.Func) *ir.Func {
	d := b.decorators(s.Stmt)
	return &ir.Func{
		At: ir.From(s.Stmt), Namespace: armexpr.UserNamespace, Name: s.Name(),
		Lambda: b.Expr(s.Stmt.Lambda), Description: d.Description, Exported: d.exported,
	}
}

func (b *Builder) output(s *bind.Output) *ir.Output {
	d := b.decorators(s.Stmt)
	return &ir.Output{At: ir.From(s.Stmt), Modifiers: d.Modifiers, Name: s.Name(), Type: b.Type(s.Stmt.Type), Value: b.Expr(s.Stmt.Value)}
}

// shell is what is around the body of a resource or module: conditions and a loop.
type shell struct {
	cond ir.Expr
	loop *ir.ForLoop
}

func (s *shell) and(cond ir.Expr) {
	if s.cond == nil {
		s.cond = cond
		return
	}
	s.cond = &ir.Binary{At: ir.From(cond.Source()), Op: syntax.OpAnd, X: s.cond, Y: cond}
}

func (s *shell) around(body ir.Expr) ir.Expr {
	if s.cond != nil {
		body = &ir.Condition{At: ir.From(s.cond.Source()), Cond: s.cond, Body: body}
	}
	if s.loop != nil {
		loop := *s.loop
		loop.Body = body
		return &loop
	}
	return body
}

// open takes the loop and the condition off the value of a declaration.
func (b *Builder) open(s *shell, value syntax.Expr, name string) {
	if loop, ok := value.(*syntax.For); ok {
		s.loop = &ir.ForLoop{At: ir.From(loop), X: b.Expr(loop.X), Name: name}
		value = loop.Body
	}
	if c, ok := value.(*syntax.If); ok {
		s.and(b.Expr(c.Cond))
	}
}

// shellOf returns what is around a resource. Nested resources are also in what
// is around those that they are nested in: no one is deployed without its container.
func (b *Builder) shellOf(r *resources.Resource) shell {
	var s shell
	for _, up := range b.Flow.Resources.Ancestors(r) {
		if !up.Nested {
			continue
		}
		switch v := up.Resource.Symbol.Stmt.Value.(type) {
		case *syntax.If:
			s.and(b.Expr(v.Cond))
		case *syntax.For:
			s.loop = &ir.ForLoop{At: ir.From(v), X: b.Expr(v.X), Name: b.SymbolicName(up.Resource)}
		}
	}
	b.open(&s, r.Symbol.Stmt.Value, b.SymbolicName(r))
	return s
}

// ResourceCondition returns the condition under which a resource is deployed, or nil.
func (b *Builder) ResourceCondition(r *resources.Resource) ir.Expr {
	s := b.shellOf(r)
	return s.cond
}

// ModuleCondition returns the condition under which a module is deployed, or nil.
func (b *Builder) ModuleCondition(m *bind.Module) ir.Expr {
	if cond := syntax.Condition(m.Stmt.Value); cond != nil {
		return b.Expr(cond)
	}
	return nil
}

// resources lowers the resources that the template lists, as ir.Turns: the nodes of one are given
// up when the next one is asked for. That does not touch the nodes that were made before the first
// resource, nor those that are made after the last.
func (b *Builder) resources(yield func(*ir.ResourceDecl) bool) {
	inlined := b.Flow.Inlined().Resources
	before := b.nodes
	b.nodes = scratch{}
	defer func() { b.nodes = before }()
	for _, r := range b.Flow.Resources.Declared() {
		if inlined[r.Symbol] {
			continue
		}
		if !yield(b.resource(r)) {
			return
		}
		b.nodes.reset()
	}
}

func (b *Builder) resource(r *resources.Resource) *ir.ResourceDecl {
	stmt := r.Symbol.Stmt
	s, body := b.shellOf(r), syntax.Body(stmt.Value)
	d := b.decorators(stmt)
	if s.loop != nil {
		s.loop.BatchSize = d.batchSize
	}
	o := b.without(body, func(key string) bool {
		return key == "dependsOn" || r.IsAz() && (key == "name" || key == "scope" || key == "parent")
	})
	return b.nodes.decls.New(ir.ResourceDecl{
		At:          ir.From(stmt),
		Resource:    r,
		BodySyntax:  body,
		Body:        s.around(o),
		DependsOn:   b.dependsOn(r.Symbol, body),
		Decorators:  d.config,
		Description: d.Description,
	})
}

// without makes the object of a body, without the properties that are not written there. It has room for one more.
func (b *Builder) without(body *syntax.Object, drops func(key string) bool) *ir.Object {
	o := b.nodes.objects.New(ir.Object{At: ir.From(body), Props: b.nodes.props.Make(len(body.Items) + 1)[:0]})
	for _, item := range body.Items {
		if p, ok := item.(*syntax.Property); ok {
			if key, _ := p.KeyName(); !drops(key) {
				o.Props = append(o.Props, b.objectProperty(p))
			}
		}
	}
	return o
}

func (b *Builder) module(m *bind.Module) *ir.ModuleDecl {
	var s shell
	b.open(&s, m.Stmt.Value, m.Name())
	body := syntax.Body(m.Stmt.Value)
	d := b.decorators(m.Stmt)
	if s.loop != nil {
		s.loop.BatchSize = d.batchSize
	}
	o := b.without(body, func(key string) bool {
		return key == "name" || key == "params" || key == "extensionConfigs" || key == "scope" || key == "dependsOn"
	})
	if name := body.Property("name"); name != nil {
		o.Props = append(o.Props, b.objectProperty(name))
	} else {
		o.Props = append(o.Props, &ir.Property{Key: &ir.String{Value: "name"}, Value: GeneratedModuleName(m, nil)})
	}
	out := &ir.ModuleDecl{
		At:          ir.From(m.Stmt),
		Module:      m,
		BodySyntax:  body,
		Body:        s.around(o),
		DependsOn:   b.dependsOn(m, body),
		Description: d.Description,
	}
	if v := body.PropertyValue("params"); v != nil {
		out.Params = b.Expr(v)
	}
	if v := body.PropertyValue("extensionConfigs"); v != nil {
		out.ExtensionConfigs = b.Expr(v)
	}
	return out
}

// A deployment's name is at most 64 characters long. A name that is made up ends in
// a hash, and in a loop holds the number of the turn; each is set off by a dash.
const (
	maxDeploymentName = 64
	uniqueStringLen   = 13
	maxCopyIndexLen   = len("800")
)

// GeneratedModuleName returns the name of a module that is not given one. In a loop,
// index is the number of the turn; nil means the current one.
func GeneratedModuleName(m *bind.Module, index ir.Expr) ir.Expr {
	name := m.Name()
	room := maxDeploymentName - uniqueStringLen - len("-")
	format := "-{0}"
	hash := &ir.Call{Name: "uniqueString", Args: []ir.Expr{
		&ir.String{Value: name},
		&ir.PropertyAccess{Base: &ir.Call{Name: "deployment"}, Name: "name"},
	}}
	args := []ir.Expr{nil}
	if syntax.IsLoop(m.Stmt.Value) {
		room -= maxCopyIndexLen + len("-")
		format = "-{0}-{1}"
		if index == nil {
			index = &ir.CopyIndex{}
		}
		args = append(args, index)
	}
	args[0] = &ir.String{Value: name[:min(room, len(name))] + format}
	return &ir.Call{Name: "format", Args: append(args, hash)}
}

// decorated is what the decorators of a declaration say.
type decorated struct {
	ir.Modifiers
	exported  ir.Expr
	allowed   ir.Expr
	batchSize uint64
	config    []ir.DecoratorConfig
}

// decorators lowers the decorators of a declaration or of a part of a type.
func (b *Builder) decorators(n syntax.Decorated) decorated {
	var d decorated
	for _, dec := range n.DecoratorList() {
		name, args, ok := syntax.CallName(dec.Expr)
		if !ok || !b.isSysFunction(dec.Expr) {
			continue
		}
		first := func() ir.Expr {
			if len(args) == 0 {
				return nil
			}
			return b.Expr(args[0])
		}
		call := func() ir.Expr { return &ir.Call{At: ir.From(dec.Expr), Name: name.Name, Args: b.exprs(args)} }
		switch name.Name {
		case "description":
			d.Description = first()
			if s, ok := d.Description.(*ir.String); ok {
				d.Description = &ir.String{At: s.At, Value: syntax.Unindent(s.Value)}
			}
		case "secure":
			d.Secure = call()
		case "sealed":
			d.Sealed = call()
		case "export":
			d.exported = call()
		case "allowed":
			d.allowed = first()
		case "minValue":
			d.MinValue = first()
		case "maxValue":
			d.MaxValue = first()
		case "minLength":
			d.MinLength = first()
		case "maxLength":
			d.MaxLength = first()
		case "metadata":
			d.Metadata = first()
		case "validate":
			d.Constraint = &ir.Array{At: ir.From(dec.Expr), Items: b.exprs(args)}
		case "batchSize":
			if len(args) == 1 {
				if i, ok := args[0].(*syntax.Int); ok {
					d.batchSize = i.Value
				}
			}
		case "waitUntil", "retryOn", "onlyIfNotExists", "nullIfNotFound", "patch":
			d.config = append(d.config, ir.DecoratorConfig{
				Name: name.Name,
				Args: &ir.Array{At: ir.From(dec.Expr), Items: b.exprs(args)},
			})
		}
	}
	return d
}
