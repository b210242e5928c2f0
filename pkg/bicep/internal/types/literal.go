package types

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// A type may contain itself, or use its parts so often that its values are far larger than its
// definition. Functions that look at all parts stop at these bounds, and treat the type as one with
// several values.
const (
	maxLiteralDepth = 256
	maxLiteralParts = 1 << 20
	maxFolded       = 1 << 17 // for values that are computed with: a few lines can double a value often
	maxFoldedText   = 1 << 20 // bytes of a text that was computed
)

// IsLiteral reports whether the type is that of one value: constants, and
// tuples and closed objects that are made of them.
func IsLiteral(t Type) bool {
	parts := 0
	return isLiteral(t, 0, &parts)
}

func isLiteral(t Type, depth int, parts *int) bool {
	if *parts++; depth > maxLiteralDepth || *parts > maxLiteralParts {
		return false
	}
	switch t := t.(type) {
	case *StringLiteral, *IntLiteral, *BoolLiteral, *NullType:
		return true
	case *Tuple:
		return !slices.ContainsFunc(t.Items, func(i Ref) bool { return !isLiteral(i.Type(), depth+1, parts) })
	case *Namespace:
		return isLiteral(t.Object, depth, parts)
	case *Object:
		if t.HasExplicitAdditional() {
			return false
		}
		for i := range t.Properties() {
			if p := &t.Properties()[i]; !p.Flags.Has(Required) || !isLiteral(p.Type.Type(), depth+1, parts) {
				return false
			}
		}
		return true
	}
	return false
}

// literalValue returns the only value of a type; false if it has several.
func literalValue(t Type, depth int, parts *int) (armjson.Value, bool) {
	if *parts++; depth > maxLiteralDepth || *parts > maxLiteralParts {
		return nil, false
	}
	switch t := t.(type) {
	case *StringLiteral:
		return armjson.String(t.Value), true
	case *IntLiteral:
		return armjson.Int(t.Value), true
	case *BoolLiteral:
		return armjson.Bool(t.Value), true
	case *NullType:
		return armjson.Null{}, true
	case *Tuple:
		list := make(armjson.Array, len(t.Items))
		for i, item := range t.Items {
			v, ok := literalValue(item.Type(), depth+1, parts)
			if !ok {
				return nil, false
			}
			list[i] = v
		}
		return list, true
	case *Object:
		if t.Additional != nil {
			return nil, false
		}
		obj := armjson.NewObject()
		for i := range t.Properties() {
			v, ok := literalValue(t.Properties()[i].Type.Type(), depth+1, parts)
			if !ok {
				return nil, false
			}
			obj.Set(t.Properties()[i].Name, v)
		}
		return obj, true
	}
	return nil, false
}

// OfLiteral returns the type of one value, or nil for values that the language
// cannot write, such as fractions.
func OfLiteral(v armjson.Value) Type {
	switch v := v.(type) {
	case armjson.Null:
		return TNull
	case armjson.Bool:
		return NewBoolLiteral(bool(v), 0)
	case armjson.Number:
		n, ok := integerOf(string(v))
		if !ok {
			return nil
		}
		return NewIntLiteral(n, 0)
	case armjson.String:
		return Str(string(v))
	case armjson.Array:
		items := make([]Ref, len(v))
		for i, e := range v {
			t := OfLiteral(e)
			if t == nil {
				return nil
			}
			items[i] = t
		}
		return NewTuple(items, 0)
	case *armjson.Object:
		var name ObjectName
		properties := make([]Property, 0, v.Len())
		for k, e := range v.All() {
			t := OfLiteral(e)
			if t == nil {
				return nil
			}
			properties = append(properties, Property{Name: k, Type: t, Flags: Required | DisallowAny})
			name.Property(k, t.String())
		}
		return NewObject(name.String(), 0, properties, nil)
	}
	return nil
}

// integerOf reads the text of a number, if it is written as an integer.
func integerOf(s string) (int64, bool) {
	if strings.ContainsAny(s, ".eE") {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// FoldError says that a function failed for constant arguments: the
// deployment would most likely fail as well.
type FoldError struct {
	Function string
	Args     []armjson.Value
	Err      error
}

// At reports the failure.
func (e *FoldError) At(at source.Span) diag.Diagnostic {
	list := make([]string, len(e.Args))
	for i, a := range e.Args {
		if s, ok := a.(armjson.String); ok {
			list[i] = string(s)
		} else {
			list[i] = armjson.Text(a)
		}
	}
	return diag.BCP234.At(at, e.Function, strings.Join(list, ", "), e.Err.Error())
}

// Fold evaluates an ARM function for arguments that are constants: first the
// given values, then those of the types. It returns nil where an argument is no
// constant or the result cannot be written as a type.
func Fold(function string, args []Type, first ...armjson.Value) (Type, *FoldError) {
	if !MayFold(args) {
		return nil, nil
	}
	if len(args) == 2 && len(first) == 0 {
		x, isInt := args[0].(*IntLiteral)
		y, both := args[1].(*IntLiteral)
		if isInt && both {
			if t := foldInts(function, x.Value, y.Value); t != nil {
				return t, nil
			}
		}
	}
	values := make([]armjson.Value, 0, len(first)+len(args))
	values = append(values, first...)
	parts := maxLiteralParts - maxFolded
	for _, a := range args {
		v, ok := literalValue(a, 0, &parts)
		if !ok {
			return nil, nil
		}
		values = append(values, v)
	}
	result, err := callFunction(function, values)
	if err != nil {
		return nil, &FoldError{Function: function, Args: values, Err: err}
	}
	if s, ok := result.(armjson.String); result == nil || ok && len(s) > maxFoldedText {
		return nil, nil
	}
	return OfLiteral(result), nil
}

// MayFold reports whether the arguments may be constants. It does not look into them.
func MayFold(args []Type) bool {
	for _, a := range args {
		switch a := a.(type) {
		case *StringLiteral, *IntLiteral, *BoolLiteral, *NullType, *Tuple:
		case *Object:
			if a.Additional != nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// foldInts is Fold for two small integers. It returns nil for functions that it does not
// know, and where the result may be an error.
func foldInts(function string, x, y int64) Type {
	const small = 1 << 30
	if x < -small || x > small || y < -small || y > small {
		return nil
	}
	switch function {
	case "equals":
		return NewBoolLiteral(x == y, 0)
	case "less":
		return NewBoolLiteral(x < y, 0)
	case "lessOrEquals":
		return NewBoolLiteral(x <= y, 0)
	case "greater":
		return NewBoolLiteral(x > y, 0)
	case "greaterOrEquals":
		return NewBoolLiteral(x >= y, 0)
	case "add":
		return NewIntLiteral(x+y, 0)
	case "sub":
		return NewIntLiteral(x-y, 0)
	case "mul":
		return NewIntLiteral(x*y, 0)
	case "div":
		if x >= 0 && y > 0 {
			return NewIntLiteral(x/y, 0)
		}
	case "mod":
		if x >= 0 && y > 0 {
			return NewIntLiteral(x%y, 0)
		}
	}
	return nil
}

// StringifiedLength returns the least and the greatest length that values of
// a type can have as text.
func StringifiedLength(t Type) (lo int64, hi *int64) {
	if f, _ := Fold("string", []Type{t}); f != nil {
		if l, ok := f.(*StringLiteral); ok {
			n := int64(source.UTF16Len(l.Value))
			return n, &n
		}
	}
	switch t := t.(type) {
	case *Union:
		if len(t.Members) == 0 {
			return 0, Len(0)
		}
		lo, hi = StringifiedLength(t.Members[0].Type())
		for _, m := range t.Members[1:] {
			l, h := StringifiedLength(m.Type())
			lo = min(lo, l)
			if hi == nil || h == nil {
				hi = nil
			} else {
				hi = Len(max(*hi, *h))
			}
		}
		return lo, hi
	case *String:
		if t.MinLength != nil {
			lo = *t.MinLength
		}
		return lo, t.MaxLength
	case *Int:
		return integerLength(t)
	case *Bool:
		return 4, Len(5)
	case ArrayLike, ObjectLike:
		return 2, nil
	}
	return 0, nil
}

func integerLength(t *Int) (int64, *int64) {
	lo, hi := int64(-1<<63), int64(1<<63-1)
	if t.Min != nil {
		lo = *t.Min
	}
	if t.Max != nil {
		hi = *t.Max
	}
	a, b := int64(len(strconv.FormatInt(lo, 10))), int64(len(strconv.FormatInt(hi, 10)))
	if lo < 0 && hi >= 0 {
		return 1, Len(max(a, b))
	}
	return min(a, b), Len(max(a, b))
}
