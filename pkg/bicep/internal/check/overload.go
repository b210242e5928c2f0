package check

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// callFacts is what resolving a call asks. *Model answers.
type callFacts interface {
	nodeFacts
	// attachedType returns the declared type of what a decorator stands before, given its call.
	attachedType(call syntax.Expr) types.Type
	// callContext returns what a function may ask that works out the type of a call.
	callContext(call syntax.Expr, report diag.Sink) types.CallContext
}

// resolvedCall is what came of resolving a call. Overload is nil if there is
// no one overload that it goes to.
type resolvedCall struct {
	Overload *types.FunctionOverload
	Result   types.FunctionResult
}

// resolveCall picks the overload that a call's arguments fit, checks the
// arguments against it and works out the type of the call. args are their types;
// errs is what was wrong with them. Where several overloads fit, because some
// argument is any, nothing is checked and the call is any.
func resolveCall(facts callFacts, report diag.Sink, call syntax.Expr, overloads []*types.FunctionOverload, args []types.Type, errs []diag.Diagnostic) resolvedCall {
	matches, counts, mismatches := types.MatchOverloads(overloads, args)
	_, argSyntax, _ := syntax.CallName(call)

	if len(matches) == 0 {
		switch {
		case len(mismatches) > 0:
			// An argument that would fit if it could not be null is taken to fit: that
			// it may be null is warned about when it is checked.
			for _, m := range mismatches {
				if nonNull, ok := types.AssignableIfNonNull(m.Argument, m.Param); ok {
					again := append([]types.Type(nil), args...)
					again[m.Index] = nonNull
					return resolveCall(facts, report, call, overloads, again, errs)
				}
			}
			errs = append(errs, mismatch(mismatches, argSyntax))
		case len(counts) > 0:
			all := counts[0]
			for _, c := range counts[1:] {
				all = all.Merge(c)
			}
			errs = append(errs, diag.BCP071.At(parentheses(call), expectedCount(all), all.Count))
		}
	}
	for _, e := range errs {
		if e.Severity == diag.Error {
			return resolvedCall{Result: types.FunctionResult{Type: types.NewError(errs...)}}
		}
	}
	if len(matches) != 1 {
		return resolvedCall{Result: types.FunctionResult{Type: types.TAny}}
	}

	o := matches[0]
	argType := func(i int) types.Type {
		if i < 0 || i >= len(argSyntax) {
			return types.TAny
		}
		return facts.TypeOf(argSyntax[i])
	}
	attached := func() types.Type { return facts.attachedType(call) }
	for i, x := range argSyntax {
		if o.ParamFlags(i)&types.ParamConstant != 0 {
			checkConstant(x, report)
		}
		narrowType(facts, report, x, o.ParamType(i, argType, attached), false)
	}
	return resolvedCall{Overload: o, Result: o.ResultOf(facts.callContext(call, report), args)}
}

// mismatch picks what to say about arguments that fit no overload: all that
// could be given, if the overloads differ about one argument, or else what is
// wrong with the last of the arguments that some overload gets to.
func mismatch(list []types.TypeMismatch, args []syntax.Expr) diag.Diagnostic {
	same := len(list) > 1
	last := list[0]
	for _, m := range list[1:] {
		same = same && m.Index == list[0].Index
		if m.Index >= last.Index {
			last = m
		}
	}
	if !same {
		return diag.BCP070.At(args[last.Index].Span(), last.Argument.String(), last.Param.String())
	}
	wanted := make([]string, len(list))
	for i, m := range list {
		wanted[i] = m.Param.String()
	}
	return diag.BCP048.At(args[list[0].Index].Span(), list[0].Argument.String(), strings.Join(wanted, ", "))
}

func parentheses(call syntax.Expr) source.Span {
	switch c := call.(type) {
	case *syntax.Call:
		return source.Between(c.Open, c.Close)
	case *syntax.InstanceCall:
		return source.Between(c.Open, c.Close)
	}
	return call.Span()
}

func expectedCount(c types.CountMismatch) string {
	n := countOf(c.Min, c.Max, "argument")
	if c.Unbounded {
		n = fmt.Sprintf("At least %s", countOf(c.Min, c.Min, "argument"))
	}
	if c.Min == 1 && c.Max == 1 {
		return n + " is"
	}
	return n + " are"
}
