package bind

import "github.com/radbicep/rad/pkg/bicep/internal/types"

// NewFunction returns the symbol of a function that a namespace or an object
// offers. The checker makes those of functions that are called on a value.
func NewFunction(f *types.Function, ns *types.Namespace, decorator bool) *Function {
	return &Function{named: named{f.Name}, Func: f, Namespace: ns, Decorator: decorator}
}

// NewWildcardFunc returns the symbol of a function of a wildcard import.
func NewWildcardFunc(w *WildcardImport, e *Export) *WildcardFunc {
	return &WildcardFunc{named: named{e.Name}, Import: w, Export: e}
}
