package check

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Short names for the types that come up everywhere.
var (
	anyType    types.Type = types.TAny
	nullType   types.Type = types.TNull
	neverType  types.Type = types.TNever
	boolType   types.Type = types.TBool
	intType    types.Type = types.TInt
	stringType types.Type = types.TString
	arrayType  types.Type = types.TArray
	objectType types.Type = types.TObject
)

func boolLiteral(v bool) types.Type {
	if v {
		return types.TTrue
	}
	return types.TFalse
}

func isError(t types.Type) bool { return t.Kind() == types.KindError }

func isAny(t types.Type) bool { return t.Kind() == types.KindAny }

// isUnknown reports whether t is unknown because its type archive is not available.
func isUnknown(t types.Type) bool { return types.IsUnknown(t) }

func isDeferred(r types.Ref) bool {
	_, ok := r.(*types.Deferred)
	return ok
}

// tryNonNull returns a nullable type without its null.
func tryNonNull(t types.Type) (types.Type, bool) {
	n := types.RemoveNullability(t)
	return n, n != nil
}

// errorType returns an error type with diagnostics. They are reported when the type
// reaches a declaration.
func errorType(d ...diag.Diagnostic) types.Type { return types.NewError(d...) }

// silentError is the type of a node whose error was reported already.
var silentError types.Type = types.NewError()

// errorsOf returns the diagnostics of an error type.
func errorsOf(t types.Type) []diag.Diagnostic {
	switch t := t.(type) {
	case *types.Error:
		return t.Diags
	case *types.TypeType:
		return errorsOf(t.Inner)
	}
	return nil
}

// errorOf returns the type of a name that could not be resolved.
func errorOf(s *bind.ErrorSymbol) types.Type {
	if s.Diagnostic == nil {
		return silentError
	}
	return errorType(*s.Diagnostic)
}

// unwrapBody returns the body of a resource or module, and other types unchanged.
func unwrapBody(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Resource:
		return t.Body.Type()
	case *types.Module:
		return t.Body.Type()
	}
	return t
}

// stringerFunc is a part of a message that is computed only when the message is shown.
type stringerFunc func() string

func (f stringerFunc) String() string { return f() }

// sortIgnoringCase orders names for a message.
func sortIgnoringCase(names []string) {
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToUpper(a), strings.ToUpper(b)) })
}

// joined is a list for a message.
func joined(list []string) stringerFunc {
	return func() string { return diag.Names(list) }
}

// narrow checks an expression against the type that is expected of it.
func (m *Model) narrow(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return m.narrower.Expression(report, x, target)
}

// narrowResource checks the value of a resource: its type may be inaccurate.
func (m *Model) narrowResource(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return m.narrower.Resource(report, x, target)
}
