package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// candidate is the result of checking a value against one member of a union.
type candidate struct {
	member   types.Type
	narrowed types.Type // nil if the value cannot be of this member
	warnings []diag.Diagnostic
	errors   []diag.Diagnostic
}

func (n *narrower) reportAll(list []diag.Diagnostic) {
	for _, d := range list {
		n.report(d)
	}
}

// narrowUnion checks a value whose type is a union: every member has to fit.
func (n *narrower) narrowUnion(c narrowing, x syntax.Node, actual, target *types.Union) types.Type {
	tried := make([]candidate, len(actual.Members))
	for i, m := range actual.Members {
		t := m.Type()
		if !types.AreAssignable(t, target) {
			tried[i] = candidate{member: t}
			continue
		}
		trial := n.try(c.seen)
		tried[i] = trial.end(t, trial.narrowToUnion(c, x, t, target))
	}
	for _, r := range tried {
		n.reportAll(r.warnings)
	}
	failed := false
	narrowed := make([]types.Ref, 0, len(tried))
	for _, r := range tried {
		n.reportAll(r.errors)
		if r.narrowed == nil || len(r.errors) > 0 {
			failed = true
			n.report(diag.BCP070.At(x.Span(), r.member.String(), target.String()))
			continue
		}
		narrowed = append(narrowed, r.narrowed)
	}
	if failed {
		return target
	}
	return types.NewUnion(narrowed...)
}

// narrowToUnion checks a value against a union: one member has to fit. Warnings are
// reported only if no member fits without one.
func (n *narrower) narrowToUnion(c narrowing, x syntax.Node, actual types.Type, target *types.Union) types.Type {
	if u, ok := actual.(*types.Union); ok {
		return n.narrowUnion(c, x, u, target)
	}
	tried := make([]candidate, 0, 2)
	outOfQuestion := true
	viable := make([]types.Ref, 0, 4)
	clean := false
	for _, m := range target.Candidates(actual) {
		t := m.Type()
		if !types.AreAssignable(actual, t) {
			continue
		}
		outOfQuestion = false
		if isLiteral(actual) && isLiteral(t) {
			viable, clean = append(viable, t), true // they are equal, so that there is nothing to try
			continue
		}
		trial := n.try(c.seen)
		r := trial.end(t, trial.narrowTo(c, x, actual, t))
		tried = append(tried, r)
		if r.narrowed == nil || len(r.errors) > 0 {
			continue
		}
		clean = clean || len(r.warnings) == 0
		if c.resource {
			// The expected type tells what the service will return.
			viable = append(viable, t)
		} else {
			viable = append(viable, r.narrowed)
		}
	}
	if len(viable) > 0 {
		if !clean {
			for _, r := range tried {
				if r.narrowed != nil && len(r.errors) == 0 {
					n.reportAll(r.warnings)
				}
			}
		}
		return types.NewUnion(viable...)
	}
	for _, r := range tried {
		n.reportAll(r.warnings)
		n.reportAll(r.errors)
	}
	if outOfQuestion {
		n.report(diag.BCP070.At(x.Span(), actual.String(), target.String()))
	}
	return target
}

func isLiteral(t types.Type) bool {
	_, ok := t.(*types.StringLiteral)
	return ok
}
