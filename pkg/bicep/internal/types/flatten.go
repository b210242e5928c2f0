package types

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Flatten returns the type of an array of arrays that is made one array, as
// flatten() does. at is where the argument is.
func Flatten(t Type, at source.Span) Type { return flatten(t, t, at) }

func flatten(whole, t Type, at source.Span) Type {
	switch t := t.(type) {
	case *AnyType:
		return TArray
	case *Tuple:
		return flattenTuple(whole, t, at)
	case *Union:
		flat := make([]Ref, len(t.Members))
		for i, m := range t.Members {
			flat[i] = flatten(t, m.Type(), at)
		}
		return joinArrays(whole, flat, at)
	case *Array:
		return flattenArray(whole, t, at)
	}
	return notFlattened(whole, t, at)
}

func notFlattened(whole, t Type, at source.Span) *Error {
	return NewError(diag.BCP309.At(at, whole.String(), t.String()))
}

// flattenTuple keeps the items of a tuple of tuples apart.
func flattenTuple(whole Type, t *Tuple, at source.Span) Type {
	var items []Ref
	var flags ValidationFlags
	for _, i := range t.Items {
		inner, ok := i.(*Tuple)
		if !ok || len(items)+len(inner.Items) > MaxTuple {
			return flattenArray(whole, t, at)
		}
		items = append(items, inner.Items...)
		flags |= inner.flags
	}
	return NewTuple(items, flags)
}

func flattenArray(whole Type, a ArrayLike, at source.Span) Type {
	switch item := a.ItemRef().Type().(type) {
	case *Error:
		return item
	case *AnyType:
		return TArray
	case *Union:
		return joinArrays(whole, item.Members, at)
	case *Tuple:
		return NewTypedArray(item.ItemRef(), nil, nil, item.flags)
	case *Array:
		return item
	default:
		return notFlattened(whole, item, at)
	}
}

// joinArrays returns an array of the items of all arrays.
func joinArrays(whole Type, arrays []Ref, at source.Span) Type {
	var items []Ref
	var flags ValidationFlags
	var diags []diag.Diagnostic
	failed := false
	for _, r := range arrays {
		switch t := r.Type().(type) {
		case *AnyType:
			return TArray
		case *Error:
			failed = true
			diags = append(diags, t.Diags...)
		case *Array:
			items = append(items, t.Item)
			if !t.untyped {
				flags |= t.flags
			}
		case *Tuple:
			items = append(items, t.ItemRef())
		default:
			failed = true
			diags = append(diags, notFlattened(whole, t, at).Diags...)
		}
	}
	if failed {
		return NewError(diags...)
	}
	return NewTypedArray(NewUnion(items...), nil, nil, flags)
}
