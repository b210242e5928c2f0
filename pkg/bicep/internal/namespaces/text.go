package namespaces

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// textFunctions are the functions on strings.
func (t *table) textFunctions() {
	str, num, boolean, anyT := types.TString, types.TInt, types.TBool, types.TAny
	t.add("format", str, req("formatString", str)).many(anyT, 0).folds()
	t.add("base64", str, req("inputString", str)).folds()
	t.add("base64ToString", str, req("base64Value", str)).folds()
	t.add("uri", str, req("baseUri", str), req("relativeUri", str)).folds()
	t.add("uriComponent", str, req("stringToEncode", str)).folds()
	t.add("uriComponentToString", str, req("uriEncodedString", str)).folds()
	t.add("dataUri", str, req("valueToConvert", anyT)).folds()
	t.add("dataUriToString", str, req("dataUriToConvert", str)).folds()
	t.add("replace", str, req("originalString", str), req("oldString", str), req("newString", str)).folds()
	t.add("toLower", str, req("stringToChange", str)).foldsOr(sameString)
	t.add("toUpper", str, req("stringToChange", str)).foldsOr(sameString)
	t.add("trim", str, req("stringToTrim", str)).foldsOr(func(args []types.Type) types.Type {
		if s, ok := args[0].(*types.String); ok {
			return types.NewString(nil, s.MaxLength, "", s.Flags())
		}
		return str
	})
	t.add("padLeft", str, req("valueToPad", union(str, num)), req("totalLength", num), opt("paddingCharacter", str)).foldsOr(padded)
	t.add("startsWith", boolean, req("stringToSearch", str), req("stringToFind", str)).folds()
	t.add("endsWith", boolean, req("stringToSearch", str), req("stringToFind", str)).folds()
	t.add("like", boolean, req("input", str), req("pattern", str)).folds()
	atLeastOne := types.NewTypedArray(str, types.Len(1), nil, 0)
	t.add("split", arrayOf(str), req("inputString", str), req("delimiter", union(str, types.TArray))).
		foldsOr(func([]types.Type) types.Type { return atLeastOne })
	t.add("join", str, req("inputArray", arrayOf(union(str, num, boolean))), req("delimiter", str)).foldsOr(joined)

	start := req("startIndex", types.NewInt(types.Len(0), nil, 0))
	start.Expected = func(arg func(int) types.Type, _ func() types.Type) types.Type {
		_, hi := lengthOf(arg(0))
		return types.NewInt(types.Len(0), hi, 0)
	}
	length := opt("length", types.NewInt(types.Len(0), nil, 0))
	length.Expected = func(arg func(int) types.Type, _ func() types.Type) types.Type {
		_, hi := lengthOf(arg(0))
		if hi != nil {
			if from, _ := bounds(arg(1)); from != nil && *hi >= *from {
				hi = types.Len(*hi - *from)
			}
		}
		return types.NewInt(types.Len(0), hi, 0)
	}
	t.add("substring", str, req("stringToParse", str), start, length).foldsOr(substring)
}

func sameString(args []types.Type) types.Type {
	if s, ok := args[0].(*types.String); ok {
		return s
	}
	return types.TString
}

// lengthOf returns the bounds of the length of a string type.
func lengthOf(t types.Type) (lo, hi *int64) {
	switch t := t.(type) {
	case *types.StringLiteral:
		n := int64(source.UTF16Len(t.Value))
		return &n, &n
	case *types.String:
		return t.MinLength, t.MaxLength
	}
	return nil, nil
}

func padded(args []types.Type) types.Type {
	lo, hi := types.StringifiedLength(args[0])
	n, ok := args[1].(*types.IntLiteral)
	if !ok {
		return types.NewString(&lo, nil, "", args[0].Flags())
	}
	if hi != nil {
		hi = types.Len(max(*hi, n.Value))
	}
	return types.NewString(types.Len(max(lo, n.Value)), hi, "", args[0].Flags())
}

func substring(args []types.Type) types.Type {
	flags := args[0].Flags()
	if len(args) > 2 && types.IsIntegral(args[2]) {
		lo, hi := bounds(args[2])
		return types.NewString(lo, hi, "", flags)
	}
	lo, hi := lengthOf(args[0])
	switch start := args[1].(type) {
	case *types.IntLiteral:
		if lo != nil && *lo >= start.Value {
			lo = types.Len(*lo - start.Value)
		} else {
			lo = nil
		}
		if hi != nil && *hi >= start.Value {
			hi = types.Len(*hi - start.Value)
		}
	case *types.Int:
		if lo != nil && start.Max != nil {
			lo = types.Len(max(0, *lo-*start.Max))
		} else {
			lo = nil
		}
		if hi != nil && start.Min != nil {
			hi = types.Len(max(0, *hi-*start.Min))
		}
	default:
		lo = nil
	}
	return types.NewString(lo, hi, "", flags)
}

// joined is the type of join(array, delimiter): as long as all items and what
// is between them.
func joined(args []types.Type) types.Type {
	between, betweenMost := types.StringifiedLength(args[1])
	var lo int64
	var hi *int64
	switch a := args[0].(type) {
	case *types.Tuple:
		hi = types.Len(0)
		for _, item := range a.Items {
			l, h := types.StringifiedLength(item.Type())
			lo += l
			if hi != nil && h != nil {
				hi = types.Len(*hi + *h)
			} else {
				hi = nil
			}
		}
		gaps := int64(max(len(a.Items)-1, 0))
		lo += gaps * between
		if hi != nil && betweenMost != nil {
			hi = types.Len(*hi + gaps**betweenMost)
		} else {
			hi = nil
		}
	case *types.Array:
		l, h := types.StringifiedLength(a.Item.Type())
		var n int64
		if a.MinLength != nil {
			n = *a.MinLength
		}
		lo = n*l + max(n-1, 0)*between
		if h != nil && betweenMost != nil && a.MaxLength != nil {
			hi = types.Len(*h**a.MaxLength + max(*a.MaxLength-1, 0)**betweenMost)
		}
	}
	if lo <= 0 {
		return types.NewString(nil, hi, "", 0)
	}
	return types.NewString(&lo, hi, "", 0)
}

// spread returns the range of an integer type, with the ends of int64 for bounds
// that are not there.
func spread(t types.Type) (lo, hi int64) {
	l, h := bounds(t)
	lo, hi = math.MinInt64, math.MaxInt64
	if l != nil {
		lo = *l
	}
	if h != nil {
		hi = *h
	}
	return lo, hi
}

// firstOf returns the bounds of the length of the first n of something, for n from lo to hi.
func firstOf(from, to *int64, lo, hi int64) (shortest, longest *int64) {
	if from != nil && lo > 0 {
		shortest = types.Len(min(*from, lo))
	}
	most := hi
	if to != nil {
		most = min(*to, hi)
	}
	switch {
	case most == math.MaxInt64:
	case most < 0:
		longest = types.Len(0)
	default:
		longest = &most
	}
	return shortest, longest
}

// allBut returns the bounds of the length of something without its first n.
func allBut(from, to *int64, lo, hi int64) (shortest, longest *int64) {
	if from != nil && *from > hi {
		shortest = types.Len(*from - hi)
	}
	if to != nil {
		longest = types.Len(max(*to-max(0, lo), 0))
	}
	return shortest, longest
}

func takeText(args []types.Type) types.Type {
	from, to := types.StringifiedLength(args[0])
	n, m := spread(args[1])
	lo, hi := firstOf(&from, to, n, m)
	return types.NewString(lo, hi, "", args[0].Flags())
}

func skipText(args []types.Type) types.Type {
	from, to := types.StringifiedLength(args[0])
	n, m := spread(args[1])
	if m <= 0 {
		return args[0]
	}
	lo, hi := allBut(&from, to, n, m)
	return types.NewString(lo, hi, "", args[0].Flags())
}

func takeArray(args []types.Type) types.Type {
	n, m := spread(args[1])
	flags := args[0].Flags()
	if t, ok := args[0].(*types.Tuple); ok && n == m {
		switch {
		case n >= int64(len(t.Items)):
			return t
		case n <= 0:
			return types.NewTuple(nil, flags)
		}
		return types.NewTuple(t.Items[:n], flags)
	}
	a, ok := types.AsArray(args[0])
	if !ok {
		return types.NewArray(types.TAny, nil, &m, flags)
	}
	from, to := a.Lengths()
	lo, hi := firstOf(from, to, n, m)
	return types.NewArray(a.ItemRef(), lo, hi, flags)
}

func skipArray(args []types.Type) types.Type {
	n, m := spread(args[1])
	flags := args[0].Flags()
	if m <= 0 {
		return args[0]
	}
	if t, ok := args[0].(*types.Tuple); ok && n == m && n <= math.MaxInt32 {
		return types.NewTuple(t.Items[min(int(n), len(t.Items)):], flags)
	}
	a, ok := types.AsArray(args[0])
	if !ok {
		return types.NewArray(types.TAny, nil, nil, flags)
	}
	from, to := a.Lengths()
	lo, hi := allBut(from, to, n, m)
	return types.NewArray(a.ItemRef(), lo, hi, flags)
}
