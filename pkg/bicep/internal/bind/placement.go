package bind

import (
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// checkPlacement reports a function that may not be called where its name is.
// The flags say which functions that are not for everywhere are allowed there.
func checkPlacement(f *types.Function, at source.Span, allowed types.FunctionFlags) *diag.Diagnostic {
	var flags types.FunctionFlags
	for _, o := range f.Overloads {
		flags |= o.Flags
	}
	if flags == 0 && allowed&types.AnyDecorator == 0 {
		return nil
	}
	refuse := func(r diag.Kind) *diag.Diagnostic {
		d := r.At(at, f.Name)
		return &d
	}
	if flags.Has(types.ParamDefaultsOnly) && !allowed.Has(types.ParamDefaultsOnly) {
		return refuse(diag.BCP065)
	}
	if flags.Has(types.RequiresInlining) && !allowed.Has(types.RequiresInlining) {
		return refuse(diag.BCP066)
	}
	isDecorator := flags&types.AnyDecorator != 0
	if isDecorator && allowed.Has(types.AnyDecorator) {
		return nil
	}
	if !isDecorator && allowed&types.AnyDecorator != 0 {
		return refuse(diag.BCP152)
	}
	for _, c := range [...]struct {
		flag types.FunctionFlags
		kind diag.Kind
	}{
		{types.ParameterDecorator, diag.BCP125},
		{types.TypeDecorator, diag.BCP297},
		{types.VariableDecorator, diag.BCP126},
		{types.ResourceDecorator, diag.BCP127},
		{types.ModuleDecorator, diag.BCP128},
		{types.OutputDecorator, diag.BCP129},
		{types.MetadataDecorator, diag.BCP269},
	} {
		if allowed.Has(c.flag) && !flags.Has(c.flag) {
			return refuse(c.kind)
		}
	}
	return nil
}

// ResolveNamespaceFunction finds a function that is called on a namespace, such as
// sys.concat, or, if asked for, a decorator. It returns the function, or what is
// wrong with the name.
func ResolveNamespaceFunction(ns *types.Namespace, name *syntax.Ident,
	allowed types.FunctionFlags, decorator bool) (*types.Function, *diag.Diagnostic) {
	f, problem := findFunction(ns, name, decorator)
	switch {
	case problem != nil:
		return nil, problem
	case f != nil:
		return f, checkPlacement(f, name.Span(), allowed)
	}
	d := diag.BCP107.At(name.Span(), ns.Name, name.Name)
	if s := types.Guess(name.Name, SortedNames(functionNames(ns, allowed))); s.Name != "" {
		d = diag.BCP108.At(name.Span(), ns.Name, name.Name, s)
	}
	return nil, &d
}

// findFunction returns the function of a namespace that has a name, or else, if
// they may be called, the decorator. A function that ARM has and the language has
// not is a problem.
func findFunction(ns *types.Namespace, name *syntax.Ident, decorators bool) (*types.Function, *diag.Diagnostic) {
	if banned := ns.Methods.FindBanned(name.Name); banned != nil {
		d := banned.At(name)
		return nil, &d
	}
	if f := ns.Methods.Find(name.Name); f != nil || !decorators {
		return f, nil
	}
	return ns.Decorator.Find(name.Name), nil
}

// functionNames returns the names of what a namespace offers to be called where
// the flags are in force.
func functionNames(ns *types.Namespace, allowed types.FunctionFlags) []string {
	names := ns.Methods.Names()
	if allowed&types.AnyDecorator != 0 {
		names = append(names, ns.Decorator.Functions().Names()...)
	}
	return names
}

// SortedNames sorts candidates for suggestions, without regard to case, and
// leaves out those that differ from another in case only.
func SortedNames(names []string) []string {
	sort.Slice(names, func(i, j int) bool {
		a, b := strings.ToUpper(names[i]), strings.ToUpper(names[j])
		if a != b {
			return a < b
		}
		return names[i] < names[j]
	})
	out := names[:0]
	for i, n := range names {
		if i == 0 || !strings.EqualFold(n, names[i-1]) {
			out = append(out, n)
		}
	}
	return out
}
