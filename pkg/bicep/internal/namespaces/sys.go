package namespaces

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// newSys makes the namespace of the language itself.
func newSys(alias string, params bool, on features, env Environment) *types.Namespace {
	var decorators []*types.Decorator
	decorators = append(decorators, decorator("description", types.AnyDecorator, constant(req("text", types.TString))))
	if !params {
		decorators = append(decorators, templateDecorators(on)...)
	}
	settings := types.NamespaceSettings{Singleton: true, ExtensionName: "sys", TemplateName: "System", TemplateVersion: "1.0.0"}
	return types.NewNamespace(alias, settings, ambientTypes(params),
		sysFunctions(params, on, env), bannedFunctions(), decorators, typelib.Empty{})
}

// ambientTypes are the types that the language names.
func ambientTypes(params bool) []types.Property {
	var ps []types.Property
	for _, n := range types.BuiltinNames {
		ps = append(ps, prop(n, &types.TypeType{Inner: types.Builtin(n)}))
	}
	if params {
		return ps
	}
	of := []types.TypeParam{{Name: "ResourceTypeIdentifier", Type: types.TStringResourceType, Required: true}}
	return append(ps,
		prop("resourceInput", &types.GenericType{Name: "resourceInput", Params: of, Variant: types.DerivedInput}),
		prop("resourceOutput", &types.GenericType{Name: "resourceOutput", Params: of, Variant: types.DerivedOutput}))
}

// bannedFunctions are functions of templates for which the language has other means.
func bannedFunctions() []types.Banned {
	list := []types.Banned{
		{Name: "variables", At: func(n *syntax.Ident) diag.Diagnostic { return diag.BCP060.At(n.Span()) }},
		{Name: "parameters", At: func(n *syntax.Ident) diag.Diagnostic { return diag.BCP061.At(n.Span()) }},
		{Name: "if", At: func(n *syntax.Ident) diag.Diagnostic { return diag.BCP100.At(n.Span()) }},
		{Name: "createArray", At: func(n *syntax.Ident) diag.Diagnostic { return diag.BCP101.At(n.Span()) }},
		{Name: "createObject", At: func(n *syntax.Ident) diag.Diagnostic { return diag.BCP102.At(n.Span()) }},
	}
	for _, o := range [...][2]string{{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}, {"mod", "%"}, {"less", "<"},
		{"lessOrEquals", "<="}, {"greater", ">"}, {"greaterOrEquals", ">="}, {"equals", "=="}, {"not", "!"}, {"and", "&&"},
		{"or", "||"}, {"coalesce", "??"}} {
		list = append(list,
			types.Banned{Name: o[0], At: func(n *syntax.Ident) diag.Diagnostic { return diag.BCP069.At(n.Span(), o[0], o[1]) }})
	}
	return list
}

// sysFunctions are the functions of the language. All depend on nothing but their arguments, except
// fail() and those that are allowed only in the default of a parameter.
func sysFunctions(params bool, on features, env Environment) []*types.FunctionOverload {
	var t table
	t.valueFunctions()
	t.textFunctions()
	t.collectionFunctions()
	t.lambdaFunctions()
	t.loadFunctions()
	for _, o := range t.list {
		if o.Name != "fail" && !o.Flags.Has(types.ParamDefaultsOnly) {
			o.Flags |= types.Pure
		}
	}
	if params {
		t.paramsFunctions(on, env)
		if _, ok := env.(hidden); ok {
			t.hideNames()
		}
	}
	return t.of(on.release)
}

var (
	guidType         = types.NewString(types.Len(36), types.Len(36), "", 0)
	uniqueStringType = types.NewString(types.Len(13), types.Len(13), "", 0)
)

// uriType is what parseUri gives and buildUri takes.
func uriType() *types.Object {
	return objectOf("parseUri",
		types.Property{Name: "scheme", Type: types.TString, Flags: types.Required},
		types.Property{Name: "host", Type: types.TString, Flags: types.Required},
		prop("port", types.TInt), prop("path", types.TString), prop("query", types.TString))
}

// valueFunctions convert and make plain values.
func (t *table) valueFunctions() {
	str, num, anyT := types.TString, types.TInt, types.TAny
	t.add("any", anyT, req("value", anyT)).Evaluator = types.EvaluateFirstArgument
	t.add("string", str, req("valueToConvert", anyT))
	t.add("int", num, req("valueToConvert", union(str, num)))
	t.add("bool", types.TBool, req("value", anyT))
	t.add("array", types.TArray, req("valueToConvert", anyT))
	t.add("json", anyT, req("json", str)).result(jsonResult)
	t.add("base64ToJson", anyT, req("base64Value", str))
	t.add("fail", types.TNever, req("message", str))
	t.add("nameof", str, req("symbol", anyT)).flags(types.IsArgumentValueIndependent).result(nameofResult)

	t.add("cidrSubnet", str, req("network", str), req("cidr", num), req("subnetIndex", num))
	t.add("cidrHost", str, req("network", str), req("hostIndex", num))
	cidr := objectOf("parseCidr", append(stringProps("network", "netmask", "broadcast", "firstUsable", "lastUsable"),
		prop("cidr", types.NewInt(types.Len(0), types.Len(255), 0)))...)
	t.add("parseCidr", cidr, req("network", str))
	t.add("buildUri", str, req("components", uriType()))
	t.add("parseUri", uriType(), req("baseUrl", str))

	t.add("dateTimeAdd", str, req("base", str), req("duration", str), opt("format", str))
	t.add("dateTimeToEpoch", num, opt("dateTime", str))
	t.add("dateTimeFromEpoch", str, opt("epochTime", num))
	t.add("utcNow", str, opt("format", str)).flags(types.ParamDefaultsOnly)
	t.add("newGuid", guidType).flags(types.ParamDefaultsOnly)
	t.add("uniqueString", uniqueStringType).many(str, 1).folds()
	t.add("guid", guidType).many(str, 1).folds()

	t.add("min", num).many(num, 1).foldsOr(least)
	t.add("min", num, req("intArray", arrayOf(num))).foldsOr(func(args []types.Type) types.Type { return ofItems(args[0], least) })
	t.add("max", num).many(num, 1).foldsOr(greatest)
	t.add("max", num, req("intArray", arrayOf(num))).foldsOr(func(args []types.Type) types.Type { return ofItems(args[0], greatest) })
	t.add("range", arrayOf(num), req("startIndex", num), req("count", num)).typed(rangeType)
}

// nameofResult gives the name that its argument ends with.
func nameofResult(ctx types.CallContext, _ []types.Type) types.FunctionResult {
	arg := ctx.Args()[0]
	name := ""
	switch x := arg.(type) {
	case *syntax.VarRef:
		name = x.Name.Name
	case *syntax.PropertyAccess:
		name = x.Name.Name
	case *syntax.NestedAccess:
		name = x.Name.Name
	case *syntax.Index:
		if s, ok := x.Index.(*syntax.String); ok {
			if l, ok := s.Literal(); ok {
				return stringResult(l)
			}
		}
		return failed(diag.BCP408.At(arg.Span()))
	default:
		return failed(diag.BCP408.At(arg.Span()))
	}
	return stringResult(name)
}

func failed(d diag.Diagnostic) types.FunctionResult {
	return types.FunctionResult{Type: types.NewError(d)}
}

// bounds returns the least and the greatest integer of a type; nil means no bound.
func bounds(t types.Type) (lo, hi *int64) {
	switch t := t.(type) {
	case *types.Int:
		return t.Min, t.Max
	case *types.IntLiteral:
		return &t.Value, &t.Value
	}
	return nil, nil
}

// least is the type of the smallest of integers: no greater than any of their
// greatest values.
func least(args []types.Type) types.Type {
	lo, hi := bounds(args[0])
	for _, a := range args[1:] {
		l, h := bounds(a)
		if lo == nil || l == nil {
			lo = nil
		} else {
			lo = types.Len(min(*lo, *l))
		}
		hi = tighter(hi, h, func(a, b int64) int64 { return min(a, b) })
	}
	return types.NewInt(lo, hi, 0)
}

func greatest(args []types.Type) types.Type {
	lo, hi := bounds(args[0])
	for _, a := range args[1:] {
		l, h := bounds(a)
		lo = tighter(lo, l, func(a, b int64) int64 { return max(a, b) })
		if hi == nil || h == nil {
			hi = nil
		} else {
			hi = types.Len(max(*hi, *h))
		}
	}
	return types.NewInt(lo, hi, 0)
}

func tighter(a, b *int64, pick func(a, b int64) int64) *int64 {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return types.Len(pick(*a, *b))
}

// ofItems applies least or greatest to the items of an array.
func ofItems(t types.Type, f func([]types.Type) types.Type) types.Type {
	switch t := t.(type) {
	case *types.Tuple:
		if len(t.Items) == 0 {
			return types.TInt
		}
		items := make([]types.Type, len(t.Items))
		for i, r := range t.Items {
			items[i] = r.Type()
		}
		return f(items)
	case *types.Array:
		if item := t.Item.Type(); types.IsIntegral(item) {
			return item
		}
	}
	return types.TInt
}

// rangeType is the type of range(start, count).
func rangeType(args []types.Type) types.Type {
	lo, hi := countBounds(args[1])
	return types.NewArray(rangeItem(args[0], args[1]), lo, hi, 0)
}

func countBounds(t types.Type) (lo, hi *int64) {
	switch t.(type) {
	case *types.Int, *types.IntLiteral:
		return bounds(t)
	}
	switch c := types.Collapse(t).(type) {
	case *types.Int, *types.IntLiteral:
		return bounds(c)
	}
	return nil, nil
}

func rangeItem(start, count types.Type) types.Type {
	if u, ok := start.(*types.Union); ok {
		return eachMember(u, func(m types.Type) types.Type { return rangeItem(m, count) })
	}
	if u, ok := count.(*types.Union); ok {
		return eachMember(u, func(m types.Type) types.Type { return rangeItem(start, m) })
	}
	if !types.IsIntegral(start) {
		return types.TInt
	}
	lo, hi := bounds(start)
	_, most := bounds(count)
	if hi == nil || most == nil {
		return types.NewInt(lo, nil, 0)
	}
	return types.NewInt(lo, types.Len(*hi+*most-1), 0)
}

func eachMember(u *types.Union, f func(types.Type) types.Type) types.Type {
	refs := make([]types.Ref, len(u.Members))
	for i, m := range u.Members {
		refs[i] = f(m.Type())
	}
	return types.CollapseOrUnion(refs...)
}
