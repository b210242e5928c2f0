package check

import (
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

func isAny(t types.Type) bool { return t.Kind() == types.KindAny }

// errorType returns an error type with diagnostics. They are reported when the type
// reaches a declaration.
func errorType(d ...diag.Diagnostic) types.Type { return types.NewError(d...) }

// silentError is the type of a node whose error was reported already.
var silentError types.Type = types.TReported

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

// narrow checks an expression against the type that is expected of it.
func (m *Model) narrow(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return m.narrower.Expression(report, x, target)
}

// narrowResource checks the value of a resource: its type may be inaccurate.
func (m *Model) narrowResource(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return m.narrower.Resource(report, x, target)
}
