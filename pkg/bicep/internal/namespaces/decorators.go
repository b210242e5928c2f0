package namespaces

import (
	"math"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func decorator(name string, flags types.FunctionFlags, params ...types.Param) *types.Decorator {
	return &types.Decorator{
		Overload:   &types.FunctionOverload{Name: name, Return: types.TAny, Params: params, Flags: flags},
		Attachable: types.TAny,
	}
}

// templateDecorators are those of templates: parameter files have @description only.
func templateDecorators(on features) []*types.Decorator {
	const typed, resource = types.ParameterOutputOrTypeDecorator, types.ResourceDecorator
	str, num := types.TString, types.TInt

	allowed := decorator("allowed", types.ParameterDecorator, constant(req("values", types.TArray)))
	allowed.Validate = validateAllowed

	number := func(name string) *types.Decorator {
		d := decorator(name, typed, constant(req("value", num)))
		d.Attachable = num
		d.Validate = func(ctx types.DecoratorContext, _ types.Type) { notOnAlias(ctx, name) }
		return d
	}
	length := func(name string) *types.Decorator {
		d := decorator(name, typed, constant(req("length", num)))
		d.Attachable = union(str, types.TArray)
		d.Validate = func(ctx types.DecoratorContext, target types.Type) { validateLength(ctx, name, target) }
		return d
	}

	metadata := decorator("metadata", typed, constant(req("object", types.TObject)))
	metadata.Validate = func(ctx types.DecoratorContext, _ types.Type) {
		if arg := soleArgument(ctx); arg != nil {
			ctx.Narrow(arg, types.TMetadata)
		}
	}

	list := []*types.Decorator{secureDecorator(), allowed, number("minValue"),
		number("maxValue"), length("minLength"), length("maxLength"), metadata, batchSizeDecorator()}
	if on.waitUntil {
		list = append(list, decorator("waitUntil", resource,
			req("predicate", lambdaOf(types.TBool, types.TObject)), constant(req("maxWaitTime", str))))
	}
	if on.retryOn {
		list = append(list, decorator("retryOn", resource, constant(req("exceptionCodes", types.TStringArray)),
			constant(opt("retryCount", types.NewInt(types.Len(1), nil, 0)))))
	}
	list = append(list, decorator("onlyIfNotExists", resource))
	if on.patch {
		list = append(list, decorator("patch", resource))
	}

	nullIfNotFound := decorator("nullIfNotFound", resource)
	nullIfNotFound.Validate = func(ctx types.DecoratorContext, _ types.Type) {
		if r, ok := ctx.Decorated().(*syntax.Resource); ok && !r.IsExisting() {
			ctx.Report(diag.BCP445.At(ctx.Decorator().Span()))
		}
	}

	sealed := decorator("sealed", typed)
	sealed.Attachable = types.TObject
	sealed.Validate = func(ctx types.DecoratorContext, _ types.Type) {
		validateSealed(ctx, on.release.Has(release.SealedParts))
	}

	discriminator := decorator("discriminator", typed, constant(req("value", str)))
	discriminator.Attachable = types.TObject
	discriminator.Validate = validateDiscriminator

	export := decorator("export", types.TypeVariableOrFunctionDecorator)
	export.Validate = validateExport

	if on.nullIfNotFound {
		list = append(list, nullIfNotFound)
	}
	list = append(list, sealed, discriminator, export)
	if on.constraints {
		predicate := req("predicate", lambdaOf(types.TBool, types.TAny))
		predicate.Flags |= types.ParamDeployTimeConstant
		predicate.Expected = func(_ func(int) types.Type, attached func() types.Type) types.Type {
			return lambdaOf(types.TBool, attached())
		}
		list = append(list, decorator("validate", typed, predicate, constant(opt("errorMessage", str))))
	}
	return list
}

func secureDecorator() *types.Decorator {
	secure := decorator("secure", types.ParameterOutputOrTypeDecorator)
	secure.Attachable = union(types.TString, types.TObject)
	secure.Validate = func(ctx types.DecoratorContext, target types.Type) {
		if !types.AreAssignable(target, secure.Attachable) {
			return // that is reported already
		}
		if !types.IsUnknown(target) && types.ArmPrimitive(target) == nil {
			ctx.Report(diag.BCP440.At(ctx.Decorator().Span()))
		}
		notOnAlias(ctx, "secure")
	}
	return secure
}

func batchSizeDecorator() *types.Decorator {
	batchSize := decorator("batchSize", types.ResourceOrModuleDecorator, req("batchSize", types.TInt))
	batchSize.Validate = func(ctx types.DecoratorContext, target types.Type) {
		if !types.AreAssignable(target, types.TArray) {
			ctx.Report(diag.BCP155.At(ctx.Decorator().Span(), "batchSize"))
		}
		if arg := soleArgument(ctx); arg != nil {
			if n, ok := integer(arg); ok && n < 1 {
				ctx.Report(diag.BCP154.At(arg.Span(), 1, n))
			}
		}
	}
	return batchSize
}

// soleArgument returns the argument of a decorator that has one.
func soleArgument(ctx types.DecoratorContext) syntax.Expr {
	if args := ctx.Args(); len(args) == 1 {
		return args[0]
	}
	return nil
}

// integer returns the value of an integer, with or without a sign, that fits into 64 bits.
func integer(x syntax.Expr) (int64, bool) {
	switch x := x.(type) {
	case *syntax.Int:
		return int64(x.Value), x.Value <= math.MaxInt64
	case *syntax.Unary:
		if i, ok := x.X.(*syntax.Int); ok && x.Op == syntax.Minus && i.Value <= 1<<63 {
			return -int64(i.Value), true
		}
	}
	return 0, false
}

// typeOfDecorated returns the type that is written where a decorator is, without
// its question mark; nil if none is.
func typeOfDecorated(ctx types.DecoratorContext) syntax.TypeExpr {
	var t syntax.TypeExpr
	switch n := ctx.Decorated().(type) {
	case *syntax.Param:
		t = n.Type
	case *syntax.Output:
		t = n.Type
	case *syntax.Var:
		t = n.Type
	case *syntax.TypeDecl:
		t = n.Value
	case *syntax.TypeProperty:
		t = n.Value
	case *syntax.TypeRest:
		t = n.Value
	case *syntax.TupleItem:
		t = n.Value
	}
	if n, ok := t.(*syntax.NullableType); ok {
		t = n.X
	}
	return t
}

// notOnAlias: what a declared type says cannot be added to where the type is used.
func notOnAlias(ctx types.DecoratorContext, name string) {
	if refersToAlias(ctx, typeOfDecorated(ctx)) {
		ctx.Report(diag.BCP308.At(ctx.Decorator().Span(), name))
	}
}

func refersToAlias(ctx types.DecoratorContext, t syntax.Node) bool {
	switch t := t.(type) {
	case *syntax.NullableType:
		return refersToAlias(ctx, t.X)
	case *syntax.TypeName:
		switch ctx.Symbol(t).(type) {
		case *bind.TypeAlias, *bind.ImportedType, *bind.WildcardImport:
			return true
		}
	case *syntax.TypeIndex:
		return refersToAlias(ctx, t.X) || refersToAlias(ctx, t.Index)
	case syntax.TypeAccess:
		return refersToAlias(ctx, t.Base())
	}
	return false
}

// isLiteral reports whether a type is written as a constant or a choice of constants.
func isLiteral(ctx types.DecoratorContext, t syntax.TypeExpr) bool {
	switch t := t.(type) {
	case *syntax.IntTypeLit, *syntax.BoolTypeLit, *syntax.UnaryType, *syntax.StringTypeLit, *syntax.UnionType:
		return true
	case *syntax.ObjectType, *syntax.TupleType:
		d := ctx.DeclaredType(t)
		return d != nil && types.IsLiteral(d)
	}
	return false
}

func validateAllowed(ctx types.DecoratorContext, target types.Type) {
	notOnAlias(ctx, "allowed")
	if isLiteral(ctx, typeOfDecorated(ctx)) {
		ctx.Report(diag.BCP295.At(ctx.Decorator().Span(), "allowed"))
	}
	arg := soleArgument(ctx)
	if arg == nil {
		return
	}
	if list, ok := arg.(*syntax.Array); ok && types.AreAssignable(target, types.TArray) {
		// Values that are not arrays are those which the items of the parameter may have.
		plain := true
		for _, i := range list.Items {
			if _, ok := i.(*syntax.Array); ok {
				plain = false
			}
		}
		if plain {
			return
		}
	}
	ctx.Narrow(arg, arrayOf(target))
}

func validateLength(ctx types.DecoratorContext, name string, target types.Type) {
	notOnAlias(ctx, name)
	if u, ok := target.(*types.Union); ok && len(u.Members) > 0 || types.IsLiteral(target) {
		ctx.Report(diag.BCP295.At(ctx.Decorator().Span(), name))
	}
	if arg := soleArgument(ctx); arg != nil {
		if n, ok := integer(arg); ok && n < 0 {
			ctx.Report(diag.BCP168.At(arg.Span()))
		}
	}
}

// validateSealed checks @sealed. parts says whether a part of a resource's type is refused, as the
// whole is.
func validateSealed(ctx types.DecoratorContext, parts bool) {
	here := ctx.Decorator().Span()
	of := typeOfDecorated(ctx)
	if parts {
		of = wholeOf(of)
	}
	switch t := of.(type) {
	case *syntax.TypeCall:
		if derivesFromResource(t.Name) {
			ctx.Report(diag.BCP386.At(here, "sealed"))
		}
	case *syntax.InstanceTypeCall:
		if derivesFromResource(t.Name) {
			ctx.Report(diag.BCP386.At(here, "sealed"))
		}
	case *syntax.ObjectType:
		for _, m := range t.Members {
			if _, ok := m.(*syntax.TypeRest); ok {
				ctx.Report(diag.BCP316.At(here))
				break
			}
		}
	}
}

// wholeOf returns the type expression that another one is a part of, or that itself.
func wholeOf(t syntax.TypeExpr) syntax.TypeExpr {
	for {
		n, ok := t.(syntax.TypeAccess)
		if !ok {
			return t
		}
		t = n.Base()
	}
}

func derivesFromResource(name *syntax.Ident) bool {
	switch name.Name {
	case "resource", "resourceInput", "resourceOutput":
		return true
	}
	return false
}

func validateDiscriminator(ctx types.DecoratorContext, target types.Type) {
	switch t := target.(type) {
	case *types.Error:
	case *types.DiscriminatedObject:
		if arg, ok := soleArgument(ctx).(*syntax.String); ok {
			if name, ok := arg.Literal(); ok && name != t.Discriminator.Name {
				ctx.Report(diag.BCP366.At(ctx.Decorator().Span(), name))
			}
		}
	default:
		if !types.IsUnknown(t) {
			ctx.Report(diag.BCP363.At(ctx.Decorator().Span()))
		}
	}
}

// validateExport: an exported declaration must not need what cannot be exported.
func validateExport(ctx types.DecoratorContext, _ types.Type) {
	here := ctx.Decorator().Span()
	target := ctx.Decorated()
	switch target.(type) {
	case *syntax.Metadata, *syntax.Param, *syntax.TypeDecl, *syntax.Var, *syntax.Func, *syntax.Resource, *syntax.Module,
		*syntax.Output, *syntax.Test, *syntax.Assert, *syntax.ParamAssign:
	default:
		ctx.Report(diag.BCP361.At(here))
	}
	d, ok := ctx.Symbol(target).(bind.Declared)
	if !ok {
		return
	}
	var names []string
	for _, s := range d.Binding().Unexportable(d) {
		names = append(names, s.Name())
	}
	if len(names) > 0 {
		sort.Strings(names)
		ctx.Report(diag.BCP372.At(here, strings.Join(names, ", ")))
	}
}
