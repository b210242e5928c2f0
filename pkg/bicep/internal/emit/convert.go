package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// expr turns an expression into one of the template language. Literals that the
// language lacks become calls; objects and arrays become createObject and createArray.
func (c *converter) expr(e ir.Expr) armexpr.Expr {
	if c.nodes++; c.nodes > maxNodes || c.tooLarge {
		c.tooLarge = true
		return armexpr.Null
	}
	switch e := e.(type) {
	case *ir.Bool:
		return armexpr.Bool(e.Value)
	case *ir.Int:
		return armexpr.Integer(e.Value)
	case *ir.String:
		return armexpr.Str(e.Value)
	case *ir.Null:
		return armexpr.Null
	case *ir.Interpolated:
		return c.format(e)
	case *ir.Object:
		args := c.make.List(2 * len(e.Props))
		for _, p := range e.Props {
			args = append(args, c.expr(p.Key), c.expr(p.Value))
		}
		return c.make.Call("createObject", args)
	case *ir.Array:
		return c.make.Call("createArray", c.exprs(e.Items))
	case *ir.Unary:
		if x := c.expr(e.X); e.Op == syntax.Not {
			return c.fn("not", x)
		} else {
			return c.fn("sub", armexpr.Int(0), x)
		}
	case *ir.Binary:
		return c.binary(e.Op, c.expr(e.X), c.expr(e.Y))
	case *ir.Ternary:
		return c.fn("if", c.expr(e.Cond), c.expr(e.Then), c.expr(e.Else))
	case *ir.Call:
		if e.Expansion != nil {
			return expand(e.Expansion, e.Name, c.exprs(e.Args), c.model.Program().Budget)
		}
		return c.make.Call(e.Name, c.exprs(e.Args))
	case *ir.UserCall:
		return c.make.Call(e.Namespace+"."+e.Name, c.exprs(e.Args))
	case *ir.ImportedUserCall:
		return c.make.Call(functionName(c.ctx.Imports().NameOf(e.Symbol)), c.exprs(e.Args))
	case *ir.WildcardUserCall:
		return c.make.Call(functionName(c.ctx.Imports().WildcardName(e.Import, e.Name)), c.exprs(e.Args))
	case *ir.ResourceCall:
		return c.listCall(e)
	case *ir.PropertyAccess:
		switch base := e.Base.(type) {
		case *ir.ResourceRef:
			return c.at(base.Index).resourceProperty(base, e)
		case *ir.ModuleRef:
			return c.at(base.Index).moduleProperty(base, e, nil)
		}
		return c.access(e.Base, c.make.Str(e.Name), e.Flags)
	case *ir.Index:
		return c.access(e.Base, c.expr(e.Access), e.Flags)
	case *ir.ModuleOutput:
		return c.moduleOutput(e)
	case *ir.ResourceRef:
		return c.resourceReference(e.Resource, e.Index, true)
	case *ir.ModuleRef:
		return c.moduleReference(e.Module, e.Index, false)
	case *ir.VarRef:
		return c.make.Named("variables", e.Name)
	case *ir.ImportedVarRef:
		return c.fn("variables", armexpr.Str(c.ctx.Imports().NameOf(e.Symbol)))
	case *ir.WildcardVarRef:
		return c.fn("variables", armexpr.Str(c.ctx.Imports().WildcardName(e.Import, e.Name)))
	case *ir.ParamRef:
		return c.make.Named("parameters", e.Name)
	case *ir.ParamAssignRef:
		return c.make.Named("parameters", e.Name)
	case *ir.ExtensionRef:
		return c.fn("extensions", armexpr.Str(e.Alias))
	case *ir.ExtensionConfigRef: // BCP063, but in the configuration of an extension that is not known
		return c.failf("the configuration of the extension %q as a value", e.Alias)
	case *ir.Lambda:
		args := c.make.List(len(e.Params) + 1)
		for _, p := range e.Params {
			args = append(args, armexpr.Str(p))
		}
		return c.make.Call("lambda", append(args, c.expr(e.Body)))
	case *ir.LambdaVarRef:
		if e.Function {
			return c.make.Named("parameters", e.Name)
		}
		return c.fn("lambdaVariables", armexpr.Str(e.Name))
	case *ir.CopyIndex:
		if e.Name == "" {
			return c.fn("copyIndex")
		}
		return c.fn("copyIndex", armexpr.Str(e.Name))
	case *ir.KeyVaultReference:
		return c.failf("a reference to a Key Vault within another value")
	}
	return c.fail(e)
}

func (c *converter) exprs(list []ir.Expr) []armexpr.Expr {
	if len(list) == 0 {
		return nil
	}
	out := c.make.List(len(list))
	for _, e := range list {
		out = append(out, c.expr(e))
	}
	return out
}

func fn(name string, args ...armexpr.Expr) *armexpr.Call { return armexpr.Fn(name, args...) }

// fn makes a call, in the memory of what is being written.
func (c *converter) fn(name string, args ...armexpr.Expr) *armexpr.Call {
	return c.make.Fn(name, args...)
}

// fnOf makes a call that keeps the list of arguments.
func fnOf(name string, args []armexpr.Expr) *armexpr.Call {
	return &armexpr.Call{Name: name, Args: args}
}

// functionName puts the namespace of user functions before a name that has none.
func functionName(name string) string {
	if strings.IndexByte(name, '.') >= 0 {
		return name
	}
	return armexpr.UserNamespace + "." + name
}

// format turns a string with holes into a call of format, which reads its first
// argument as .NET does: braces of the text are doubled.
func (c *converter) format(e *ir.Interpolated) *armexpr.Call {
	args := append(c.make.List(len(e.Exprs)+1), nil)
	var small [64]byte
	b := small[:0]
	for i, s := range e.Segments {
		for {
			at := strings.IndexAny(s, "{}")
			if at < 0 {
				break
			}
			b = append(b, s[:at+1]...)
			b = append(b, s[at])
			s = s[at+1:]
		}
		b = append(b, s...)
		if i < len(e.Exprs) {
			b = append(b, '{')
			b = strconv.AppendInt(b, int64(i), 10)
			b = append(b, '}')
			args = append(args, c.expr(e.Exprs[i]))
		}
	}
	args[0] = armexpr.Str(b)
	return c.make.Call("format", args)
}

func (c *converter) binary(op syntax.BinaryOp, x, y armexpr.Expr) armexpr.Expr {
	switch op {
	case syntax.OpNotEquals:
		return c.fn("not", c.fn("equals", x, y))
	case syntax.OpEqualsFold:
		return c.fn("equals", c.fn("toLower", x), c.fn("toLower", y))
	case syntax.OpNotEqualsFold:
		return c.fn("not", c.fn("equals", c.fn("toLower", x), c.fn("toLower", y)))
	}
	return c.fn(operators[op], x, y)
}

// operators are the functions that stand for operators of two operands.
var operators = [...]string{
	syntax.OpOr:             "or",
	syntax.OpAnd:            "and",
	syntax.OpEquals:         "equals",
	syntax.OpLess:           "less",
	syntax.OpLessOrEqual:    "lessOrEquals",
	syntax.OpGreater:        "greater",
	syntax.OpGreaterOrEqual: "greaterOrEquals",
	syntax.OpAdd:            "add",
	syntax.OpSubtract:       "sub",
	syntax.OpMultiply:       "mul",
	syntax.OpDivide:         "div",
	syntax.OpModulo:         "mod",
	syntax.OpCoalesce:       "coalesce",
}

// access reads a property or an element. A safe access becomes a function that
// gives null where there is nothing; what follows it in the same chain becomes a
// further argument of that function, so that all of the chain is null then.
func (c *converter) access(baseExpr ir.Expr, key armexpr.Expr, flags ir.AccessFlags) armexpr.Expr {
	base := c.expr(baseExpr)
	fromEnd := flags&ir.FromEnd != 0
	if flags&ir.SafeAccess != 0 {
		if fromEnd {
			return c.fn("tryIndexFromEnd", base, key)
		}
		return c.fn("tryGet", base, key)
	}
	if flags&ir.Chained != 0 {
		if call, ok := base.(*armexpr.Call); ok && len(call.Access) == 0 && isSafeAccess(call.Name) {
			if fromEnd {
				key = c.fn("createObject", armexpr.Str("value"), key, armexpr.Str("fromEnd"), armexpr.True)
			}
			return withArgs(call, key)
		}
	}
	if fromEnd {
		return c.fn("indexFromEnd", base, key)
	}
	return c.make.Access(base, key)
}

// isSafeAccess tells the functions of safe accesses. Names of functions do not
// depend on case, and the user can call these as well.
func isSafeAccess(name string) bool {
	return strings.EqualFold(name, "tryGet") || strings.EqualFold(name, "tryIndexFromEnd")
}

func withArgs(call *armexpr.Call, more ...armexpr.Expr) *armexpr.Call {
	args := make([]armexpr.Expr, 0, len(call.Args)+len(more))
	return &armexpr.Call{Name: call.Name, Args: append(append(args, call.Args...), more...)}
}

// isLoop reports whether a resource is declared by a loop.
func isLoop(r *resources.Resource) bool { return r.Symbol != nil && syntax.IsLoop(r.Symbol.Stmt.Value) }

// usesResourceInfo reports whether resourceInfo() gives the id, name, type and API version of a
// resource.
func (c *converter) usesResourceInfo(r *resources.Resource) bool {
	return r.Symbol != nil && c.model.Features().ResourceInfoCodegen && !c.ctx.Flow.Inlined().Resources[r.Symbol]
}

// hasSecureOutput reports whether a module returns any secret.
func (c *converter) hasSecureOutput(m *bind.Module) bool {
	if t := c.model.Referenced(m.Stmt); t != nil {
		for _, o := range t.Outputs() {
			if o.Secure {
				return true
			}
		}
	}
	return false
}

// isCollection reports whether a module is declared by a loop.
func isCollection(m *bind.Module) bool { return syntax.IsLoop(m.Stmt.Value) }

// fail records an expression that an earlier stage should have refused.
func (c *converter) fail(e ir.Expr) armexpr.Expr { return c.failf("an expression of type %T", e) }

// failType records a type that no template can hold, and the reason.
func (c *converter) failType(t ir.Type, format string, args ...any) {
	if c.unfit != nil {
		return
	}
	c.unfit = &UnfitTypeError{Reason: fmt.Sprintf(format, args...)}
	switch n := t.Source().(type) {
	case *syntax.ImportItem, *syntax.WildcardImport:
		c.unfit.Span = n.Span()
	}
}

func (c *converter) failf(format string, args ...any) armexpr.Expr {
	if c.err == nil {
		c.err = fmt.Errorf("no template can hold "+format, args...)
	}
	return armexpr.Null
}
