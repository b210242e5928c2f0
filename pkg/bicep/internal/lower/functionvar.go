package lower

import (
	"fmt"

	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// FunctionVar is a variable of the template that holds what the compiler got from a
// call, such as the contents of a file, so that it is in the template only once.
type FunctionVar struct {
	Name  string // $fxv#0, $fxv#1, …
	Call  syntax.Expr
	Value ir.Expr
}

// FunctionVars returns the file's function variables in the ordinal order of their names.
func (c *Context) FunctionVars() []*FunctionVar { return c.orderedVars }

// findFunctionVars numbers the calls that get a variable, in the order of the source.
// User functions cannot use variables: values are in them as they are.
func (c *Context) findFunctionVars() {
	parents := c.Model.Binding()
	c.Model.Tree().Walk(c.Model.Tree(), func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Func:
			return false
		case *syntax.Call, *syntax.InstanceCall:
			call := n.(syntax.Expr)
			overload := c.Model.Overload(call)
			if overload == nil {
				break
			}
			wanted := overload.Flags.Has(types.GenerateIntermediateVariableAlways)
			if !wanted && overload.Flags.Has(types.GenerateIntermediateVariableOnIndirectAssignment) {
				_, direct := parents.Parent(n).(*syntax.Var)
				wanted = !direct
			}
			if !wanted {
				break
			}
			value := c.resultOf(call)
			if value == nil {
				break
			}
			if c.functionVars == nil {
				c.functionVars = map[syntax.Node]*FunctionVar{}
			}
			v := &FunctionVar{Name: "$fxv#" + strconv.Itoa(len(c.orderedVars)), Call: call, Value: value}
			c.functionVars[n] = v
			c.orderedVars = append(c.orderedVars, v)
		}
		return true
	})
	slices.SortFunc(c.orderedVars, func(a, b *FunctionVar) int { return strings.Compare(a.Name, b.Name) })
}

// resultOf returns the value that the compiler got from a call, or nil.
func (c *Context) resultOf(n syntax.Expr) ir.Expr {
	r, ok := c.Model.CallResult(n)
	if !ok {
		return nil
	}
	if s := r.Secret; s != nil {
		ref := &ir.KeyVaultReference{At: ir.From(n), VaultID: &ir.String{Value: s.VaultID}, Secret: &ir.String{Value: s.Name}}
		if s.Version != "" {
			ref.Version = &ir.String{Value: s.Version}
		}
		return ref
	}
	if r.Value == nil {
		return nil
	}
	return Value(r.Value, nil)
}

// Value returns the expression of a JSON value. Numbers that are not integers have
// none of their own: the template makes them of text.
func Value(v armjson.Value, from syntax.Node) ir.Expr {
	at := ir.From(from)
	switch v := v.(type) {
	case armjson.String:
		return &ir.String{At: at, Value: string(v)}
	case armjson.Bool:
		return &ir.Bool{At: at, Value: bool(v)}
	case armjson.Number:
		if i, ok := v.Int64(); ok {
			return &ir.Int{At: at, Value: i}
		}
		return &ir.Call{At: at, Name: "json", Args: []ir.Expr{&ir.String{Value: v.Invariant()}}}
	case armjson.Array:
		a := &ir.Array{At: at, Items: make([]ir.Expr, len(v))}
		for i, item := range v {
			a.Items[i] = Value(item, from)
		}
		return a
	case *armjson.Object:
		o := &ir.Object{At: at}
		for key, v := range v.All() {
			o.Props = append(o.Props, &ir.Property{At: at, Key: &ir.String{At: at, Value: key}, Value: Value(v, from)})
		}
		return o
	case nil, armjson.Null: // nil: a member that an ARM template lacks
		return &ir.Null{At: at}
	}
	panic(fmt.Sprintf("lower: no expression known for %T", v))
}
