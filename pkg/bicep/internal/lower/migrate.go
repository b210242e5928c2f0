package lower

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// migrator rewrites declarations of another file for the template that imports them:
// what they refer to has other names there.
type migrator struct {
	names   map[bind.Declared]string // of the file's declarations
	vars    map[string]string        // of its function variables
	imports *Imports                 // names what the file itself imports
	from    syntax.Node
	loop    string // the variable that is rewritten: its loops count under its name
}

func (g *migrator) typeDecl(t *ir.TypeDecl, name string) *ir.TypeDecl {
	return &ir.TypeDecl{At: ir.From(g.from), Modifiers: t.Modifiers, Name: name, Value: g.typ(t.Value)}
}

func (g *migrator) variable(v *ir.Var, name string) *ir.Var {
	g.loop = name
	defer func() { g.loop = "" }()
	return &ir.Var{At: ir.From(g.from), Name: name, Value: g.expr(v.Value)}
}

func (g *migrator) function(f *ir.Func, name string) *ir.Func {
	ns, name := splitName(name)
	l := f.Lambda.(*ir.Lambda)
	list := make([]ir.Type, len(l.Types))
	for i, t := range l.Types {
		list[i] = g.typ(t)
	}
	return &ir.Func{
		At: ir.From(g.from), Namespace: ns, Name: name, Description: f.Description,
		Lambda: &ir.Lambda{At: l.At, Params: l.Params, Types: list, Body: g.expr(l.Body), Output: g.typ(l.Output)},
	}
}

func (g *migrator) expr(e ir.Expr) ir.Expr { return ir.Rewrite(e, g.rewrite) }

func (g *migrator) exprs(list []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(list))
	for i, e := range list {
		out[i] = g.expr(e)
	}
	return out
}

func (g *migrator) rewrite(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.VarRef:
		if e.Symbol == nil {
			return &ir.VarRef{At: e.At, Name: g.vars[e.Name]}
		}
		return &ir.VarRef{At: e.At, Name: g.names[e.Symbol]}
	case *ir.ImportedVarRef:
		return &ir.VarRef{At: e.At, Name: g.imports.NameOf(e.Symbol)}
	case *ir.WildcardVarRef:
		return &ir.VarRef{At: e.At, Name: g.imports.WildcardName(e.Import, e.Name)}
	case *ir.CopyIndex:
		return &ir.CopyIndex{At: e.At, Name: g.loop}
	case *ir.UserCall:
		return g.call(e.At, g.names[e.Symbol], e.Args)
	case *ir.ImportedUserCall:
		return g.call(e.At, g.imports.NameOf(e.Symbol), e.Args)
	case *ir.WildcardUserCall:
		return g.call(e.At, g.imports.WildcardName(e.Import, e.Name), e.Args)
	}
	return nil
}

func (g *migrator) call(at ir.At, name string, args []ir.Expr) ir.Expr {
	ns, name := splitName(name)
	return &ir.UserCall{At: at, Namespace: ns, Name: name, Args: g.exprs(args)}
}

// typ rewrites a type expression. Arguments of decorators refer to nothing of the file, and stay as
// they are.
func (g *migrator) typ(t ir.Type) ir.Type {
	switch t := t.(type) {
	case *ir.TypeAlias:
		if t.Symbol != nil {
			return &ir.TypeAlias{At: t.At, TypeInfo: t.TypeInfo, Name: g.names[t.Symbol]}
		}
	case *ir.ImportedType:
		return &ir.TypeAlias{At: t.At, TypeInfo: t.TypeInfo, Name: g.imports.NameOf(t.Symbol)}
	case *ir.WildcardType:
		return &ir.TypeAlias{At: t.At, TypeInfo: t.TypeInfo, Name: g.imports.WildcardName(t.Import, t.Name)}
	case *ir.TypeProperty:
		return &ir.TypeProperty{At: t.At, TypeInfo: t.TypeInfo, Base: g.typ(t.Base), Name: t.Name}
	case *ir.TypeRest:
		return &ir.TypeRest{At: t.At, TypeInfo: t.TypeInfo, Base: g.typ(t.Base)}
	case *ir.TypeIndex:
		return &ir.TypeIndex{At: t.At, TypeInfo: t.TypeInfo, Base: g.typ(t.Base), Index: t.Index}
	case *ir.TypeItems:
		return &ir.TypeItems{At: t.At, TypeInfo: t.TypeInfo, Base: g.typ(t.Base)}
	case *ir.ObjectType:
		o := &ir.ObjectType{At: t.At, TypeInfo: t.TypeInfo}
		for _, p := range t.Props {
			o.Props = append(o.Props, &ir.ObjectTypeProperty{At: p.At, Modifiers: p.Modifiers, Name: p.Name, Value: g.typ(p.Value)})
		}
		if r := t.Rest; r != nil {
			o.Rest = &ir.ObjectTypeRest{At: r.At, Modifiers: r.Modifiers, Value: g.typ(r.Value)}
		}
		return o
	case *ir.TupleType:
		out := &ir.TupleType{At: t.At, TypeInfo: t.TypeInfo}
		for _, i := range t.Items {
			out.Items = append(out.Items, &ir.TupleItem{At: i.At, Modifiers: i.Modifiers, Value: g.typ(i.Value)})
		}
		return out
	case *ir.ArrayType:
		return &ir.ArrayType{At: t.At, TypeInfo: t.TypeInfo, Item: g.typ(t.Item)}
	case *ir.NullableType:
		return &ir.NullableType{At: t.At, TypeInfo: t.TypeInfo, Base: g.typ(t.Base)}
	case *ir.NonNullType:
		return &ir.NonNullType{At: t.At, TypeInfo: t.TypeInfo, Base: g.typ(t.Base)}
	case *ir.UnionType:
		return &ir.UnionType{At: t.At, TypeInfo: t.TypeInfo, Members: g.typs(t.Members)}
	case *ir.DiscriminatedType:
		return &ir.DiscriminatedType{At: t.At, TypeInfo: t.TypeInfo, Members: g.typs(t.Members)}
	}
	return t
}

func (g *migrator) typs(list []ir.Type) []ir.Type {
	out := make([]ir.Type, len(list))
	for i, t := range list {
		out[i] = g.typ(t)
	}
	return out
}
