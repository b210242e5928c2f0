package typeexpr

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// maxMembers bounds the members of all types that are made in a file: one repeats those of the types that it is made of, and
// so does the template, which writes each in a line or more. A file with so many is no template: a deployment takes 4 MB.
const maxMembers = 2_000_000

// tooLarge is Count for a member of a union, before the union is formed.
func (rs *Resolver) tooLarge(n *syntax.UnionType, member types.Type) types.Type {
	size := 0
	switch member.(type) {
	case *types.Union, *types.DiscriminatedObject:
		size = types.Size(member)
	}
	if failed := rs.Count(n, size); failed != nil {
		return failed
	}
	return nil
}

// Count counts the members of a type. It returns an error type if a file has too many of them, and nil otherwise. One
// error says so.
func (rs *Resolver) Count(n syntax.Node, members int) *types.Error {
	if rs.members > maxMembers {
		return types.TReported
	}
	if rs.members += members; rs.members <= maxMembers {
		return nil
	}
	return types.NewError(diag.TemplateTooLarge.At(n.Span(), "its types have more than 2,000,000 members together, because a union, "+
		"an array or an object repeats the members of those that it is made of. Use fewer of them in each other"))
}

// unionMember is a member of a union, with the node that it was written as.
type unionMember struct {
	typ types.Type
	at  syntax.Node
}

func flattenMember(list []unionMember, t types.Type, at syntax.Node) []unionMember {
	if u, ok := t.(*types.Union); ok {
		for _, x := range u.Members {
			list = flattenMember(list, x.Type(), at)
		}
		return list
	}
	return append(list, unionMember{t, at})
}

// CheckUnion reports members of a union that are not constants of one kind. t is the type
// of the union.
func (rs *Resolver) CheckUnion(n *syntax.UnionType, t types.Type, report diag.Sink) {
	switch t.(type) {
	case *types.DiscriminatedObject, *types.Error:
		return
	}
	var members []unionMember
	for _, x := range n.Members {
		members = flattenMember(members, rs.memberType(x).Type(), x)
	}
	var kinds []types.Ref
	for _, x := range members {
		if types.IsUnknown(x.typ) {
			return // whether the others fit it, only the library could tell
		}
		if k := kindOf(x.typ); k != nil {
			kinds = append(kinds, k)
		}
	}
	keystone := types.NewUnion(kinds...)
	kind := keystone
	if u, ok := keystone.(*types.Union); ok && len(u.Members) > 0 {
		if inner, ok := types.TryNonNull(keystone); ok {
			kind = inner
		}
		if !isDeclarationType(kind) {
			// Any constants may be mixed in what becomes the type of an array's items.
			hasArray := false
			for _, x := range u.Members {
				hasArray = hasArray || x.Type() == types.TArray
			}
			if rs.mayBeArrayOfAny(n) && !hasArray {
				for _, x := range members {
					requireLiteral(x, report)
				}
				return
			}
		}
	}
	if !isDeclarationType(kind) {
		report(diag.BCP294.At(n.Span()))
		return
	}
	for _, x := range members {
		if requireLiteral(x, report) && !types.AreAssignable(x.typ, keystone) {
			report(diag.BCP286.At(x.at.Span(), keystone))
		}
	}
}

func requireLiteral(x unionMember, report diag.Sink) bool {
	if types.IsLiteral(x.typ) {
		return true
	}
	d := diag.BCP293.At(x.at.Span())
	if types.IsError(x.typ) {
		d = d.Follows()
	}
	report(d)
	return false
}

// kindOf is the type of which a constant is one value.
func kindOf(t types.Type) types.Type {
	switch t.(type) {
	case *types.StringLiteral, *types.String:
		return types.TString
	case *types.IntLiteral, *types.Int:
		return types.TInt
	case *types.BoolLiteral, *types.Bool:
		return types.TBool
	case *types.Object:
		return types.TObject
	case *types.Tuple:
		return types.TArray
	case *types.NullType:
		return types.TNull
	}
	return nil
}

// isDeclarationType reports whether a type is one that the language offers by name.
func isDeclarationType(t types.Type) bool {
	switch t {
	case types.TAny, types.TArray, types.TBool, types.TInt, types.TObject, types.TString:
		return true
	}
	return false
}

// mayBeArrayOfAny reports whether a union is the type of an array's items.
func (rs *Resolver) mayBeArrayOfAny(n syntax.Node) bool {
	for {
		switch p := rs.binding.Parent(n).(type) {
		case *syntax.ParenType:
			n = p
		case *syntax.ArrayType:
			return true
		default:
			return false
		}
	}
}
