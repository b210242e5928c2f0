package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// mismatch says how to report a value that does not fit at all.
type mismatch struct {
	kind   mismatchKind
	report diag.Sink

	// Of a property.
	name          string
	origin        *syntax.VarRef // the use of the variable that the object is the value of
	warn, inexact bool

	// Of an item of an array.
	item  diag.Kind
	array types.Type // what is expected of the array

	// Of the value of a variable.
	variable *mismatch // how that of its use is reported
	said     *bool     // is set to true
}

type mismatchKind uint8

const (
	notSpecial mismatchKind = iota
	ofProperty
	ofItem
	ofVariable
)

// mismatched reports a value that does not fit.
func (n *narrower) mismatched(m *mismatch, want, actual types.Type, x syntax.Node) {
	switch m.kind {
	case ofVariable:
		*m.said = true
		n.mismatched(m.variable, want, actual, x)
	case ofItem:
		m.report(following(m.item.At(x.Span(), want.String(), actual.String()).As(severity(types.ShouldWarn(m.array))), want, actual))
	case ofProperty:
		at := x.Span()
		if m.origin != nil {
			at = m.origin.Span()
		}
		src := n.nameOf(m.origin)
		if l, ok := actual.(*types.StringLiteral); ok && src == "" {
			if s := suggestLiteral(l, want); s.Name != "" {
				m.report(diag.BCP088.At(at, m.name, want.String(), l.String(), s).As(severity(m.warn)))
				return
			}
		}
		m.report(following(diag.BCP036.At(at, m.name, want.String(),
			inClause(src), actual.String(), clauseIf(m.inexact)).As(severity(m.warn)), want, actual))
	}
}

// following returns a diagnostic about a value that does not fit. If one of the two types is that
// of a mistake, the mistake has its own diagnostic where it was made, and this one follows from it.
func following(d diag.Diagnostic, want, actual types.Type) diag.Diagnostic {
	_, wrongWant := want.(*types.Error)
	_, wrongActual := actual.(*types.Error)
	if wrongWant || wrongActual {
		return d.Follows()
	}
	return d
}

// propertyMismatch says how a value of a property is reported.
func (n *narrower) propertyMismatch(c *narrowing, name string, warn, inexact bool) mismatch {
	return mismatch{kind: ofProperty, report: n.report, name: name, origin: c.origin, warn: warn, inexact: inexact}
}
