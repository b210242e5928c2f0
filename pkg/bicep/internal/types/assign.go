package types

import (
	"slices"
	"strings"
)

// AreAssignable reports whether values of type source may be used where target is
// expected. It does not look into objects and arrays: package narrow does, when
// it has the syntax of the value.
func AreAssignable(source, target Type) bool {
	if (source.Flags()|target.Flags())&PreventAssignment != 0 {
		return false
	}
	if source.Kind() == KindAny || target.Kind() == KindAny {
		return true
	}
	if s, ok := source.(*Lambda); ok {
		if t, ok := target.(*Lambda); ok {
			return areLambdasAssignable(s, t)
		}
	}
	_, sourceIsScope := AsScope(source)
	if sourceIsScope {
		// Whether the scope fits is checked later, with a clearer message.
		if _, ok := AsScope(target); ok {
			return true
		}
	}
	if target == Type(TDependsOnItem) {
		if sourceIsScope {
			return true
		}
		if a, ok := source.(ArrayLike); ok {
			if item, ok := a.ItemRef().(Type); ok {
				_, ok = AsScope(item)
				return ok
			}
		}
		return false
	}
	switch s := source.(type) {
	case *Resource:
		switch t := target.(type) {
		case *ResourceParent:
			return s.TypeRef.IsParentOf(t.Child)
		case *ResourceParam:
			return strings.EqualFold(s.TypeRef.Type, t.TypeRef.Type)
		}
		// The value of a resource is that of its body.
		return AreAssignable(s.Body.Type(), target)
	case *Module:
		return AreAssignable(s.Body.Type(), target)
	case *Test:
		return AreAssignable(s.Body.Type(), target)
	case *Union:
		return !slices.ContainsFunc(s.Members, func(m Ref) bool { return !AreAssignable(m.Type(), target) })
	}
	if t, ok := target.(*Union); ok {
		return slices.ContainsFunc(t.Candidates(source), func(m Ref) bool { return AreAssignable(source, m.Type()) })
	}
	return areValuesAssignable(source, target)
}

// areValuesAssignable compares types of values that are not choices. A literal is
// assignable to itself and to its kind, an array to any array, an object to any object.
func areValuesAssignable(source, target Type) bool {
	switch s := source.(type) {
	case *StringLiteral:
		switch t := target.(type) {
		case *StringLiteral:
			return s.String() == t.String()
		case *String:
			return true
		}
	case *IntLiteral:
		switch t := target.(type) {
		case *IntLiteral:
			return s.Value == t.Value
		case *Int:
			return true
		}
	case *BoolLiteral:
		switch t := target.(type) {
		case *BoolLiteral:
			return s.Value == t.Value
		case *Bool:
			return true
		}
	case *String:
		switch target.(type) {
		case *StringLiteral:
			return s.flags.Has(AllowLooseAssignment)
		case *String:
			return true
		}
	case *Int:
		switch target.(type) {
		case *IntLiteral:
			return s.flags.Has(AllowLooseAssignment)
		case *Int:
			return true
		}
	case *Bool:
		switch target.(type) {
		case *BoolLiteral:
			return s.flags.Has(AllowLooseAssignment)
		case *Bool:
			return true
		}
	case *NullType:
		_, ok := target.(*NullType)
		return ok
	case *Array, *Tuple:
		switch target.(type) {
		case *Array, *Tuple:
			return true
		}
	case *Object, *Namespace, *DiscriminatedObject:
		switch target.(type) {
		case *Object, *Namespace, *DiscriminatedObject:
			return true
		}
	}
	return false
}

// manyMembers is the size from which a map finds a member of a union faster.
const manyMembers = 32

func areLambdasAssignable(source, target *Lambda) bool {
	if source.MaxArgs() < target.MinArgs() || source.MinArgs() > target.MaxArgs() {
		return false
	}
	if !AreAssignable(source.Return.Type(), target.Return.Type()) {
		return false
	}
	for i := range min(source.MaxArgs(), target.MaxArgs()) {
		if !AreAssignable(source.Param(i).Type(), target.Param(i).Type()) {
			return false
		}
	}
	return true
}

// ShouldWarn reports whether values that do not fit the type are warned about
// instead of refused.
func ShouldWarn(t Type) bool { return anyHas(t, WarnOnTypeMismatch) }

// ShouldWarnForProperty reports whether properties that do not fit the type are
// warned about instead of refused.
func ShouldWarnForProperty(t Type) bool { return anyHas(t, WarnOnPropertyMismatch) }

func anyHas(t Type, flag ValidationFlags) bool {
	if u, ok := t.(*Union); ok {
		return slices.ContainsFunc(u.Members, func(m Ref) bool { return anyHas(m.Type(), flag) })
	}
	return t.Flags().Has(flag)
}

// AssignableIfNonNull reports whether a type would be assignable if it could
// not be null, and returns what it is then. It is false for types that cannot be null.
func AssignableIfNonNull(candidate, target Type) (Type, bool) {
	n := RemoveNullability(candidate)
	if n == nil || !AreAssignable(n, target) {
		return nil, false
	}
	return n, true
}
