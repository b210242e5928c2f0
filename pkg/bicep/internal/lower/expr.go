package lower

import (
	"fmt"
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Expr lowers an expression. The file has no errors.
func (b *Builder) Expr(n syntax.Node) ir.Expr {
	if b.inlining > 0 {
		b.inlined++
	}
	at := ir.From(n)
	switch n := n.(type) {
	case *syntax.String:
		if s, ok := n.Literal(); ok {
			return b.nodes.strings.New(ir.String{At: at, Value: s})
		}
		return b.nodes.interpolated.New(ir.Interpolated{At: at, Segments: n.Segments(), Exprs: b.exprs(n.Exprs())})
	case *syntax.Int:
		return b.nodes.ints.New(ir.Int{At: at, Value: int64(n.Value)})
	case *syntax.Bool:
		return &ir.Bool{At: at, Value: n.Value}
	case *syntax.Null, *syntax.None:
		return &ir.Null{At: at}
	case *syntax.Paren:
		return b.Expr(n.X)
	case *syntax.NonNull:
		return b.Expr(n.X)
	case *syntax.Object:
		return b.object(n)
	case *syntax.Array:
		return b.array(n)
	case *syntax.Ternary:
		return b.nodes.ternaries.New(ir.Ternary{At: at, Cond: b.Expr(n.Cond), Then: b.Expr(n.Then), Else: b.Expr(n.Else)})
	case *syntax.Binary:
		return b.binary(n)
	case *syntax.Unary:
		if i, ok := n.X.(*syntax.Int); ok && n.Op == syntax.Minus {
			if i.Value == 1<<63 {
				return &ir.Int{At: at, Value: math.MinInt64}
			}
			return &ir.Int{At: at, Value: -int64(i.Value)}
		}
		return &ir.Unary{At: at, Op: n.Op, X: b.Expr(n.X)}
	case *syntax.Call, *syntax.InstanceCall:
		return b.call(n.(syntax.Expr))
	case *syntax.Index:
		return b.index(n)
	case *syntax.PropertyAccess:
		return b.property(n)
	case *syntax.NestedAccess:
		return &ir.ResourceRef{At: at, Resource: b.Flow.Resources.At(n)}
	case *syntax.VarRef:
		return b.name(n)
	case *syntax.Lambda:
		names := make([]string, len(n.Params))
		for i, p := range n.Params {
			names[i] = p.Name.Name
		}
		return &ir.Lambda{At: at, Params: names, Body: b.Expr(n.Body)}
	case *syntax.TypedLambda:
		names, list := make([]string, len(n.Params)), make([]ir.Type, len(n.Params))
		for i, p := range n.Params {
			names[i], list[i] = p.Name.Name, b.Type(p.Type)
		}
		return &ir.Lambda{At: at, Params: names, Types: list, Body: b.Expr(n.Body), Output: b.Type(n.Return)}
	case *syntax.For:
		return &ir.ForLoop{At: at, X: b.Expr(n.X), Body: b.Expr(n.Body)}
	case *syntax.If:
		return &ir.Condition{At: at, Cond: b.Expr(n.Cond), Body: b.Expr(n.Body)}
	}
	panic(fmt.Sprintf("lower: no expression known for %T", n))
}

func (b *Builder) exprs(list []syntax.Expr) []ir.Expr {
	if len(list) == 0 {
		return nil
	}
	out := b.nodes.exprs.Make(len(list))
	for i, e := range list {
		out[i] = b.Expr(e)
	}
	return out
}

// binary lowers a chain of operators without recursing into its left side: long
// sums are deep there.
func (b *Builder) binary(n *syntax.Binary) ir.Expr {
	var few [8]*syntax.Binary
	chain := append(few[:0], n)
	for {
		left, ok := chain[len(chain)-1].X.(*syntax.Binary)
		if !ok {
			break
		}
		chain = append(chain, left)
	}
	x := b.Expr(chain[len(chain)-1].X)
	for i := len(chain) - 1; i >= 0; i-- {
		c := chain[i]
		x = b.nodes.binaries.New(ir.Binary{At: ir.From(c), Op: c.Op, X: x, Y: b.Expr(c.Y)})
	}
	return x
}

// object lowers an object. One with spreads becomes a merge of its parts.
func (b *Builder) object(n *syntax.Object) ir.Expr {
	at := ir.From(n)
	var parts []ir.Expr
	var props []*ir.Property
	spread := false
	for _, item := range n.Items {
		switch item := item.(type) {
		case *syntax.Property:
			if props == nil {
				props = b.nodes.props.Make(len(n.Items))[:0]
			}
			props = append(props, b.objectProperty(item))
		case *syntax.Spread:
			if len(props) > 0 {
				parts = append(parts, &ir.Object{At: at, Props: props})
				props = nil
			}
			parts = append(parts, b.Expr(item.X))
			spread = true
		}
	}
	if !spread {
		return b.nodes.objects.New(ir.Object{At: at, Props: props})
	}
	if len(props) > 0 {
		parts = append(parts, &ir.Object{At: at, Props: props})
	}
	return &ir.Call{At: at, Name: "shallowMerge", Args: []ir.Expr{&ir.Array{At: at, Items: parts}}}
}

func (b *Builder) objectProperty(p *syntax.Property) *ir.Property {
	var key ir.Expr
	if id, ok := p.Key.(*syntax.Ident); ok {
		key = b.nodes.strings.New(ir.String{At: ir.From(id), Value: id.Name})
	} else {
		key = b.Expr(p.Key)
	}
	return b.nodes.properties.New(ir.Property{At: ir.From(p), Key: key, Value: b.Expr(p.Value)})
}

// array lowers an array. One with spreads becomes the parts, flattened.
func (b *Builder) array(n *syntax.Array) ir.Expr {
	at := ir.From(n)
	var parts, items []ir.Expr
	spread := false
	for _, item := range n.Items {
		if s, ok := item.(*syntax.Spread); ok {
			if len(items) > 0 {
				parts = append(parts, &ir.Array{At: at, Items: items})
				items = nil
			}
			parts = append(parts, b.Expr(s.X))
			spread = true
			continue
		}
		if items == nil {
			items = b.nodes.exprs.Make(len(n.Items))[:0]
		}
		items = append(items, b.Expr(item))
	}
	if !spread {
		return b.nodes.arrays.New(ir.Array{At: at, Items: items})
	}
	if len(items) > 0 {
		parts = append(parts, &ir.Array{At: at, Items: items})
	}
	return &ir.Call{At: at, Name: "flatten", Args: []ir.Expr{&ir.Array{At: at, Items: parts}}}
}

// name lowers the use of a name.
func (b *Builder) name(n *syntax.VarRef) ir.Expr {
	at := ir.From(n)
	if r := b.Flow.Resources.At(n); r != nil {
		return b.nodes.resources.New(ir.ResourceRef{At: at, Resource: r})
	}
	switch s := b.Model.Symbol(n).(type) {
	case *bind.Param:
		return b.nodes.params.New(ir.ParamRef{At: at, Name: s.Name()})
	case *bind.ParamAssign:
		if b.Flow.Inlined().Params[s] {
			return b.assigned(s)
		}
		return &ir.ParamAssignRef{At: at, Name: s.Name()}
	case *bind.Var:
		if b.Flow.Inlined().Vars[s] {
			return b.inline(s)
		}
		return b.nodes.vars.New(ir.VarRef{At: at, Name: s.Name(), Symbol: s})
	case *bind.Module:
		return &ir.ModuleRef{At: at, Module: s}
	case *bind.Local:
		return b.local(n, s)
	case *bind.ImportedVar:
		return &ir.ImportedVarRef{At: at, Symbol: s}
	case *bind.ExtensionNamespace:
		return &ir.ExtensionRef{At: at, Alias: s.Name()}
	case *bind.ExtensionConfig:
		return &ir.ExtensionConfigRef{At: at, Alias: s.Name()}
	case *bind.BaseParams:
		o := &ir.Object{At: at}
		for _, p := range s.Parents {
			key := &ir.String{At: ir.From(p.Stmt.Name), Value: p.Name()}
			o.Props = append(o.Props, &ir.Property{At: ir.From(p.Stmt), Key: key, Value: b.assigned(p)})
		}
		return o
	case *bind.BuiltInNamespace:
		return &ir.Null{At: at} // the base of 'sys.?name', where sys has no such member
	default:
		panic(fmt.Sprintf("lower: the name %q means a %T, which has no value", n.Name.Name, s))
	}
}

// assigned lowers the value of a parameter, which another file may assign.
func (b *Builder) assigned(p *bind.ParamAssign) ir.Expr { return b.of(p).Expr(p.Stmt.Value) }

// of returns a builder for the file that declares d.
func (b *Builder) of(d bind.Declared) *Builder {
	if m := b.Model.Program().Model(d.Binding().File); m != nil && m != b.Model {
		return ContextOf(m).Builder(nil)
	}
	return b
}

// local lowers the use of a local variable.
func (b *Builder) local(n *syntax.VarRef, s *bind.Local) ir.Expr {
	if v := b.locals.Lookup(s); v != nil {
		return v
	}
	decl, _ := b.Flow.Scope(s)
	switch decl := decl.(type) {
	case *syntax.For:
		return b.loopVar(s, decl, &ir.CopyIndex{At: ir.From(n), Name: b.copyName(decl)})
	case *syntax.TypedLambda:
		return &ir.LambdaVarRef{At: ir.From(n), Name: s.Name(), Function: true}
	}
	return &ir.LambdaVarRef{At: ir.From(n), Name: s.Name()}
}

// copyName returns the name by which copyIndex knows a loop; the loops of
// resources, modules and outputs need none.
func (b *Builder) copyName(loop *syntax.For) string {
	switch p := b.Model.Binding().Parent(loop).(type) {
	case *syntax.Var:
		return p.Name.Name
	case *syntax.ParamAssign:
		return p.Name.Name
	case *syntax.Property:
		name, _ := p.KeyName()
		return name
	}
	return ""
}

// loopVar returns what stands for a loop's variable in the turn with the given
// number: the number itself, or the element there.
func (b *Builder) loopVar(s *bind.Local, loop *syntax.For, index ir.Expr) ir.Expr {
	if s.Var == bind.ForIndex {
		return index
	}
	return element(ir.From(index.Source()), b.Expr(loop.X), index, 0)
}

// element makes an access to an element, or to a property if the index is a name.
func element(at ir.At, base, index ir.Expr, flags ir.AccessFlags) ir.Expr {
	if s, ok := index.(*ir.String); ok {
		return &ir.PropertyAccess{At: at, Base: base, Name: s.Value, Flags: flags}
	}
	return &ir.Index{At: at, Base: base, Access: index, Flags: flags}
}
