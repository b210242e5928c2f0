package namespaces

import (
	"math"
	"math/bits"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// collectionFunctions are the functions on arrays and objects, some of which take
// strings as well.
func (t *table) collectionFunctions() {
	str, num, boolean, anyT := types.TString, types.TInt, types.TBool, types.TAny
	arr, obj := types.TArray, types.TObject
	t.add("concat", arr).many(arr, 1).foldsOr(concatenated)
	t.add("concat", str).many(union(str, num, boolean), 1)
	t.add("length", num, req("arg", union(str, obj))).foldsOr(sizeOf)
	t.add("length", num, req("arg", arr)).typed(countOf)
	t.add("take", arr, req("originalValue", arr), req("numberToTake", num)).foldsOr(takeArray)
	t.add("take", str, req("originalValue", str), req("numberToTake", num)).foldsOr(takeText)
	t.add("skip", arr, req("originalValue", arr), req("numberToSkip", num)).foldsOr(skipArray)
	t.add("skip", str, req("originalValue", str), req("numberToSkip", num)).foldsOr(skipText)
	t.add("empty", boolean, req("itemToTest", union(types.TNull, obj, arr, str))).folds()
	t.add("contains", boolean, req("object", obj), req("propertyName", str)).folds()
	t.add("contains", boolean, req("array", arr), req("itemToFind", anyT)).folds()
	t.add("contains", boolean, req("string", str), req("itemToFind", str)).folds()
	t.add("intersection", obj).many(obj, 2).folds()
	t.add("intersection", arr).many(arr, 2).folds()
	t.add("union", obj).many(obj, 2).folds()
	t.add("union", arr).many(arr, 2).folds()
	t.add("shallowMerge", obj, req("entries", arrayOf(obj))).folds()
	t.add("first", anyT, req("array", arr)).typed(func(args []types.Type) types.Type {
		return endItem(args[0], func(n int) int { return 0 })
	})
	t.add("first", str, req("string", str)).foldsOr(oneLetter)
	t.add("last", anyT, req("array", arr)).typed(func(args []types.Type) types.Type {
		return endItem(args[0], func(n int) int { return n - 1 })
	})
	t.add("last", str, req("string", str)).foldsOr(oneLetter)
	t.add("indexOf", num, req("stringToSearch", str), req("stringToFind", str)).folds()
	t.add("indexOf", num, req("array", arr), req("itemToFind", anyT)).folds()
	t.add("lastIndexOf", num, req("stringToSearch", str), req("stringToFind", str)).folds()
	t.add("lastIndexOf", num, req("array", arr), req("itemToFind", anyT)).folds()
	t.add("distinct", arr, req("array", arr)).folds()
	t.add("items", entries(str, anyT), req("object", obj)).typed(itemsType)
	t.add("objectKeys", arrayOf(str), req("object", obj)).typed(keysType)
	t.add("flatten", arr, req("array", arrayOf(arr))).result(func(ctx types.CallContext, args []types.Type) types.FunctionResult {
		return types.FunctionResult{Type: types.Flatten(args[0], ctx.Args()[0].Span())}
	})
}

// concatenated is the type of arrays put together.
func concatenated(args []types.Type) types.Type {
	var tuple []types.Ref
	tuples := true
	for _, a := range args {
		t, ok := a.(*types.Tuple)
		if !ok || len(tuple)+len(t.Items) > types.MaxTuple {
			tuples = false
			break
		}
		tuple = append(tuple, t.Items...)
	}
	if tuples {
		return types.NewTuple(tuple, 0)
	}
	items := make([]types.Ref, len(args))
	var lo int64
	hi := types.Len(0)
	for i, a := range args {
		arr, ok := types.AsArray(a)
		if !ok {
			return types.TArray
		}
		items[i] = arr.ItemRef()
		l, h := arr.Lengths()
		if l != nil {
			lo = saturate(lo, *l)
		}
		if hi != nil && h != nil {
			hi = types.Len(saturate(*hi, *h))
		} else {
			hi = nil
		}
	}
	least := &lo
	if lo <= 0 {
		least = nil
	}
	return types.NewArray(types.NewUnion(items...), least, hi, 0)
}

// saturate adds without overflow.
func saturate(a, b int64) int64 {
	if sum, _ := bits.Add64(uint64(a), uint64(b), 0); a >= 0 && b >= 0 && sum > math.MaxInt64 {
		return math.MaxInt64
	}
	return a + b
}

// sizeOf is the type of the length of a string or an object.
func sizeOf(args []types.Type) types.Type {
	switch t := args[0].(type) {
	case *types.String:
		lo := int64(0)
		if t.MinLength != nil {
			lo = *t.MinLength
		}
		return types.NewInt(&lo, t.MaxLength, t.Flags())
	case *types.Object:
		lo, hi := propertyCount(t)
		return types.NewInt(&lo, hi, t.Flags())
	case *types.DiscriminatedObject:
		var lo int64
		hi := types.Len(0)
		for i, m := range t.Members {
			l, h := propertyCount(m.Object)
			if i == 0 || l < lo {
				lo = l
			}
			if hi != nil && h != nil {
				hi = types.Len(max(*hi, *h))
			} else {
				hi = nil
			}
		}
		return types.NewInt(&lo, hi, 0)
	}
	return types.TInt
}

func propertyCount(o *types.Object) (lo int64, hi *int64) {
	for i := range o.Properties() {
		if p := &o.Properties()[i]; p.Flags.Has(types.Required) && types.RemoveNullability(p.Type.Type()) == nil {
			lo++
		}
	}
	if o.Additional == nil {
		hi = types.Len(int64(len(o.Properties())))
	}
	return lo, hi
}

// countOf is the type of the length of an array.
func countOf(args []types.Type) types.Type {
	switch t := args[0].(type) {
	case *types.Tuple:
		return types.NewIntLiteral(int64(len(t.Items)), 0)
	case *types.Array:
		lo := int64(0)
		if t.MinLength != nil {
			lo = *t.MinLength
		}
		return types.NewInt(&lo, t.MaxLength, 0)
	}
	return types.TInt
}

// endItem is the type of the first or last item of an array.
func endItem(t types.Type, which func(n int) int) types.Type {
	switch t := t.(type) {
	case *types.Tuple:
		if len(t.Items) == 0 {
			return types.TNull
		}
		return t.Items[which(len(t.Items))].Type()
	case *types.Array:
		if t.MinLength != nil && *t.MinLength > 0 {
			return t.Item.Type()
		}
		return union(types.TNull, t.Item.Type())
	}
	return types.TAny
}

// oneLetter is the type of the first or last character of a string.
func oneLetter(args []types.Type) types.Type {
	var lo *int64
	if s, ok := args[0].(*types.String); ok && s.MinLength != nil {
		lo = types.Len(min(*s.MinLength, 1))
	}
	return types.NewString(lo, types.Len(1), "", args[0].Flags())
}

// entries is an array of keys with their values.
func entries(keys, values types.Type) types.Type {
	return arrayOf(objectOf("object", prop("key", keys), prop("value", values)))
}

// readable returns the names and the types of the properties that can be read.
func readable(o *types.Object) (keys, values []types.Ref) {
	for i := range o.Properties() {
		p := &o.Properties()[i]
		if p.Flags.Has(types.WriteOnly) {
			continue
		}
		keys = append(keys, types.Str(p.Name))
		values = append(values, p.Type.Type())
	}
	if o.Additional != nil {
		keys = append(keys, types.TString)
		values = append(values, o.Additional.Type.Type())
	}
	return keys, values
}

func itemsType(args []types.Type) types.Type {
	o, ok := types.AsObject(args[0])
	if !ok {
		return entries(types.TString, types.TAny)
	}
	keys, values := readable(o)
	value := types.CollapseOf(values...)
	switch {
	case value == nil:
		value = types.TAny
	case types.IsEndless(value):
		return value
	}
	return entries(types.NewUnion(keys...), value)
}

func keysType(args []types.Type) types.Type {
	o, ok := types.AsObject(args[0])
	if !ok {
		return types.NewTypedArray(types.TString, nil, nil, args[0].Flags())
	}
	keys, _ := readable(o)
	return types.NewTypedArray(types.NewUnion(keys...), nil, nil, o.Flags())
}
