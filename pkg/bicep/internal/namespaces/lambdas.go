package namespaces

import "github.com/radbicep/rad/pkg/bicep/internal/types"

// lambdaFunctions are the functions that take lambdas. The array or object that a lambda is applied
// to gives the types of its parameters.
func (t *table) lambdaFunctions() {
	str, num, boolean, anyT := types.TString, types.TInt, types.TBool, types.TAny
	arr, obj := types.TArray, types.TObject
	t.add("filter", arr, req("array", arr),
		lambda(req("predicate", indexed(boolean, num, anyT)),
			items(func(item types.Type) types.Type { return indexed(boolean, num, item) }))).
		typed(func(args []types.Type) types.Type {
			a, ok := types.AsArray(args[0])
			if !ok {
				return args[0]
			}
			_, hi := a.Lengths()
			if t, ok := a.(*types.Tuple); ok {
				return types.NewTypedArray(t.ItemRef(), nil, hi, t.Flags())
			}
			return types.NewArray(a.ItemRef(), nil, hi, a.Flags())
		})
	t.add("map", arr, req("array", arr),
		lambda(req("predicate", indexed(anyT, num, anyT)), items(func(item types.Type) types.Type { return indexed(anyT, num, item) }))).
		typed(returned(1, func(r types.Type) types.Type { return arrayOf(r) }))
	t.add("mapValues", arr, req("object", obj),
		lambda(req("predicate", lambdaOf(anyT, anyT)), func(arg func(int) types.Type) types.Type {
			o, ok := types.AsObject(arg(0))
			if !ok {
				return nil
			}
			_, values := readable(o)
			return lambdaOf(anyT, types.NewUnion(values...))
		})).
		typed(returned(1, func(r types.Type) types.Type { return types.NewDictionary("object", 0, r) }))
	t.add("sort", arr, req("array", arr),
		lambda(req("predicate", lambdaOf(boolean, anyT, anyT)),
			items(func(item types.Type) types.Type { return lambdaOf(boolean, item, item) }))).
		typed(func(args []types.Type) types.Type {
			if t, ok := args[0].(*types.Tuple); ok {
				return t.ToArray()
			}
			return args[0]
		})
	t.add("reduce", anyT, req("array", arr), req("initialValue", anyT),
		lambda(req("predicate", indexed(anyT, num, anyT, anyT)), reducer)).
		typed(returned(2, func(r types.Type) types.Type { return r }))
	key := lambda(req("keyPredicate", lambdaOf(str, anyT)), items(func(item types.Type) types.Type { return lambdaOf(str, item) }))
	value := lambda(opt("valuePredicate", lambdaOf(anyT, anyT)), items(func(item types.Type) types.Type { return lambdaOf(anyT, item) }))
	t.add("toObject", obj, req("array", arr), key, value).typed(func(args []types.Type) types.Type {
		if a, ok := types.AsArray(args[0]); ok && len(args) == 2 {
			return types.NewDictionary("object", 0, a.ItemRef())
		}
		if len(args) == 3 {
			if l, ok := args[2].(*types.Lambda); ok {
				return types.NewDictionary("object", 0, l.Return)
			}
		}
		return obj
	})
	t.add("groupBy", obj, req("array", arr), key, value).typed(func(args []types.Type) types.Type {
		if a, ok := types.AsArray(args[0]); ok && len(args) == 2 {
			return types.NewDictionary("object", 0, types.NewTypedArray(a.ItemRef(), nil, nil, a.Flags()))
		}
		if len(args) == 3 {
			if l, ok := args[2].(*types.Lambda); ok {
				return types.NewDictionary("object", 0, types.NewTypedArray(l.Return, nil, nil, l.Return.Type().Flags()))
			}
		}
		return obj
	})
}

// returned gives a function the type that f makes of what its argument n, a lambda, returns.
func returned(n int, f func(types.Type) types.Type) func(args []types.Type) types.Type {
	return func(args []types.Type) types.Type {
		if l, ok := args[n].(*types.Lambda); ok {
			return f(l.Return.Type())
		}
		return types.TAny
	}
}

// items gives a lambda the items of the first argument.
func items(f func(item types.Type) types.Type) func(arg func(int) types.Type) types.Type {
	return func(arg func(int) types.Type) types.Type {
		a, ok := types.AsArray(arg(0))
		if !ok {
			return nil
		}
		return f(a.ItemRef().Type())
	}
}

// reducer is the lambda of reduce(array, initial, lambda). Its first parameter is the result of the
// call before, of which only the kind is known if there are several calls.
func reducer(arg func(int) types.Type) types.Type {
	var item types.Type
	single := false
	whole := arg(0)
	if a, ok := types.AsArray(whole); ok {
		item = a.ItemRef().Type()
		_, hi := a.Lengths()
		single = hi != nil && *hi <= 1
	} else if whole.Kind() == types.KindAny {
		item = types.TAny
	}
	seed := arg(1)
	if item == nil || item.Kind() == types.KindError || seed.Kind() == types.KindError {
		return nil
	}
	sum := types.ArmPrimitive(seed)
	if sum == nil {
		sum = types.TAny
	}
	first := sum
	if single {
		first = seed
	}
	return indexed(sum, indexOf(whole), first, item)
}

// indexOf is the type of an array's indexes.
func indexOf(t types.Type) types.Type {
	var hi *int64
	if a, ok := types.AsArray(t); ok {
		_, hi = a.Lengths()
	}
	return types.NewInt(types.Len(0), hi, t.Flags())
}
