package paramsfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// inputs are the external inputs that a file asks for. Calls of the same text
// ask for the same input, except in releases that make one for each call.
type inputs struct {
	byText   map[string][]*input
	each     bool     // each call has its own
	list     []*input // in the order in which they are found
	problems diag.List
}

// input is one external input.
type input struct {
	key    string // its name in the parameters that are written
	kind   armexpr.Expr
	config armexpr.Expr // or nil
}

const (
	externalInput  = "externalInput"  // as the source calls it
	externalInputs = "externalInputs" // as the parameters that are written refer to it
)

// externals finds the external inputs of the file: in its parameters, its
// variables, and in how it is deployed, in this order.
func (f *file) externals() *inputs { return f.inputs.Get(f.findInputs) }

func (f *file) findInputs() *inputs {
	found := &inputs{byText: map[string][]*input{}, each: !f.model.Has(release.InputsOnce)}
	if broken(f.model) {
		return found
	}
	for _, p := range f.names.ParamAssigns {
		f.find(found, p, p.Stmt)
	}
	for _, v := range f.names.Vars {
		f.find(found, v, v.Stmt)
	}
	if u := f.names.Using(); u != nil && u.With != nil {
		f.findIn(found, f, u.With.Config)
	}
	return found
}

// find looks for inputs in a declaration, which may be that of a file that this
// one extends.
func (f *file) find(found *inputs, d bind.Declared, n syntax.Node) {
	owner := f
	if d.Binding() != f.names && d.Binding() != nil {
		if m := f.model.Program().Model(d.Binding().File); m != nil {
			owner = of(m)
		}
	}
	f.findIn(found, owner, n)
}

func (f *file) findIn(found *inputs, owner *file, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Call:
			f.request(found, owner, n, n.Args)
		case *syntax.InstanceCall:
			f.request(found, owner, n, n.Args)
		}
		return true
	})
}

// request collects the input of a call, if it is one of a function that asks for inputs.
func (f *file) request(found *inputs, owner *file, call syntax.Expr, args []syntax.Expr) {
	if !asksForInput(owner.model, call) {
		return
	}
	for _, a := range args {
		if _, ok := owner.model.TypeOf(a).(*types.Error); ok {
			return
		}
	}
	e, err := owner.folded(call)
	if err != nil {
		if owner == f {
			f.unevaluated(found.problems.Add, err, diag.BCP338.At(call.Span(), "function", nameOfCall(call), sentence(err)))
		}
		return
	}
	found.collect(e)
}

func (f *file) folded(call syntax.Expr) (armexpr.Expr, error) {
	x, err := f.fold(f.ctx.Builder(nil).Expr(call))
	if err != nil {
		return nil, err
	}
	return emit.Expression(f.ctx, x)
}

// asksForInput reports whether a call is one of a function whose result only the
// deployment knows.
func asksForInput(m *check.Model, call syntax.Expr) bool {
	s, ok := m.Symbol(call).(*bind.Function)
	if !ok {
		return false
	}
	return slices.ContainsFunc(s.Func.Overloads, func(o *types.FunctionOverload) bool { return o.Flags.Has(types.RequiresExternalInput) })
}

// collect adds the inputs that an expression asks for.
func (in *inputs) collect(e armexpr.Expr) {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return
	}
	if !strings.EqualFold(c.Name, externalInput) {
		for _, a := range c.Args {
			in.collect(a)
		}
		for _, a := range c.Access {
			in.collect(a)
		}
		return
	}
	if len(c.Args) == 0 {
		return
	}
	kind := ""
	switch k := c.Args[0].(type) {
	case armexpr.Str:
		kind = string(k)
	case armexpr.Int:
		kind = strconv.FormatInt(int64(k), 10)
	default:
		return
	}
	text := armexpr.Text(c)
	if in.byText[text] != nil && !in.each {
		return
	}
	x := &input{key: keyOf(kind, len(in.list)), kind: c.Args[0]}
	if len(c.Args) > 1 {
		x.config = c.Args[1]
	}
	in.byText[text] = append(in.byText[text], x)
	in.list = append(in.list, x)
}

// keyOf makes the name of the n-th input: its kind, with what is neither letter
// nor digit replaced, and its number.
func keyOf(kind string, n int) string {
	kind = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.Is(unicode.Nd, r) || unicode.IsMark(r) || unicode.Is(unicode.Pc, r) {
			return r
		}
		return '_'
	}, kind)
	return kind + "_" + strconv.Itoa(n)
}

// replace puts references to the inputs in the place of the calls that ask for them.
func (in *inputs) replace(e armexpr.Expr) armexpr.Expr {
	if len(in.list) == 0 {
		return e
	}
	return armexpr.Rewrite(e, func(e armexpr.Expr) armexpr.Expr {
		c, ok := e.(*armexpr.Call)
		if !ok || !strings.EqualFold(c.Name, externalInput) {
			return e
		}
		text := armexpr.Text(c)
		if same := in.byText[text]; len(same) > 0 {
			x := same[0]
			if len(same) > 1 { // calls are replaced in the order in which they were found
				in.byText[text] = append(same[1:len(same):len(same)], x)
			}
			return armexpr.Fn(externalInputs, armexpr.Str(x.key))
		}
		return e
	})
}

// definitions returns what the parameters that are written say of each input, or
// nil if there are none or one cannot be evaluated.
func (f *file) definitions() *armjson.Object {
	list := append([]*input(nil), f.externals().list...)
	if len(list) == 0 {
		return nil
	}
	collate.SortFunc(list, func(x *input) string { return x.key })
	out := armjson.NewObject()
	for _, x := range list {
		kind, err := f.ev.Eval(x.kind)
		if err != nil {
			return nil
		}
		if n, ok := kind.(armjson.Number); ok {
			kind = armjson.String(n)
		}
		d := armjson.NewObject(armjson.Member{Key: "kind", Value: kind})
		if x.config != nil {
			config, err := f.ev.Eval(x.config)
			if err != nil {
				return nil
			}
			d.Set("config", config)
		}
		out.Set(x.key, d)
	}
	return out
}

// nameOfCall returns the name of the function that is called.
func nameOfCall(call syntax.Expr) string {
	if name, _, ok := syntax.CallName(call); ok && name != nil {
		return name.Name
	}
	return ""
}
