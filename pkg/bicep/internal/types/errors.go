package types

import "github.com/radbicep/rad/pkg/bicep/internal/diag"

// TReported is the type of a node whose error was reported already.
var TReported = NewError()

// IsError reports whether t is an error type.
func IsError(t Type) bool { return t.Kind() == KindError }

// ErrorsOf returns the diagnostics of an error type. They are reported when the type
// reaches a declaration.
func ErrorsOf(t Type) []diag.Diagnostic {
	switch t := t.(type) {
	case *Error:
		return t.Diags
	case *TypeType:
		return ErrorsOf(t.Inner)
	}
	return nil
}
