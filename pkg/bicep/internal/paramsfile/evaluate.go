// Package paramsfile turns a checked parameter file into the JSON that goes with its
// template. It evaluates the assignments, and keeps references to key vaults and external
// inputs, which only the deployment can resolve. Inspector reports what cannot be
// evaluated; Build returns the values of a file without errors.
package paramsfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Assignment is what a parameter, or a setting of an extension, is given. One
// of the fields is set.
type Assignment struct {
	Value armjson.Value
	// Expression is evaluated when the template is deployed: it needs external inputs.
	Expression ir.Expr
	// Secret is a Key Vault's.
	Secret *ir.KeyVaultReference
}

// Inspector is the check.Inspector of this package.
type Inspector struct{}

// Inspect reports what cannot be evaluated.
func (Inspector) Inspect(m *check.Model, report diag.Sink) {
	if !m.IsParams() {
		return
	}
	f := of(m)
	if !broken(m) {
		f.checkExtended(report)
		f.checkAssignments(report)
	}
	for _, d := range f.extensionSettings().problems {
		report(d)
	}
	for _, d := range f.externals().problems {
		report(d)
	}
}

// broken reports whether the text of a file has errors; no parameter is evaluated then.
func broken(m *check.Model) bool { return m.File().Diagnostics.HasErrors() }

// file evaluates the expressions of one parameter file. It is the scope of the names in
// them, and keeps what it has found.
type file struct {
	eval.NoScope
	model *check.Model
	ctx   *lower.Context
	names *bind.Binding
	ev    *eval.Evaluator
	// printed is how many bytes the parameters take that have been evaluated.
	printed int
	spent   bool // it is reported that the budget of the run is used up

	params    map[*bind.ParamAssign]*paramState
	byName    map[string]*bind.ParamAssign // the first of each name
	settings  memo.Value[*settings]
	errored   map[bind.Declared]bool
	variables map[string]*variable
	functions map[string]*eval.Function
	inputs    memo.Value[*inputs]
}

// paramState is the outcome of evaluating a parameter.
type paramState struct {
	result *Assignment
	err    error
}

// variable is a variable that is evaluated when it is first needed.
type variable struct {
	value func() ir.Expr // nil once it has been evaluated
	busy  bool
	v     armjson.Value
	err   error
}

// of returns the evaluator of a file. There is one for each model.
func of(m *check.Model) *file {
	return check.Memo(m, func() *file {
		f := &file{
			model:   m,
			ctx:     lower.ContextOf(m),
			names:   m.Binding(),
			params:  map[*bind.ParamAssign]*paramState{},
			errored: map[bind.Declared]bool{},
		}
		f.ev = eval.NewShared(f, m.Program().Budget)
		if f.partial() {
			f.ev = eval.NewPartial(f, m.Program().Budget)
		}
		return f
	})
}

// partial reports whether values may be unknown: those of the environment, and of what could not be fetched.
func (f *file) partial() bool {
	p := f.model.Program()
	return p.HidesEnv() || p.Graph.Unfetched || f.model.File().Lenient()
}

// extended returns the evaluators of the files that this one extends.
func (f *file) extended() []*file {
	var list []*file
	for _, s := range f.model.Tree().Stmts {
		if e, ok := s.(*syntax.Extends); ok {
			if parent, ok := f.model.Referenced(e).(*check.Model); ok && parent.IsParams() && parent != f.model {
				list = append(list, of(parent))
			}
		}
	}
	return list
}

// checkExtended reports files that cannot be extended.
func (f *file) checkExtended(report diag.Sink) {
	for _, s := range f.model.Tree().Stmts {
		e, ok := s.(*syntax.Extends)
		if !ok {
			continue
		}
		switch r := f.model.File().Reference(e); {
		case r == nil:
		case r.Problem != nil:
			report(r.Problem.At(r.Span()))
		case r.File != nil && r.File.Kind != graph.Params:
			report(diag.BCP404.At(r.Span()))
		}
	}
}

// checkAssignments evaluates the file's own assignments, each after what it uses.
func (f *file) checkAssignments(report diag.Sink) {
	for _, d := range f.names.Declarations() {
		if d.Binding() == f.names {
			f.check(d, report)
		}
	}
}

// check evaluates a symbol, if it is a parameter's assignment, and reports what
// is wrong with it or with its uses of parameters that have no value here. It
// reports whether nothing can use the symbol.
func (f *file) check(d bind.Declared, report diag.Sink) (bad bool) {
	if bad, ok := f.errored[d]; ok {
		return bad
	}
	f.errored[d] = true // should it run into itself, which is reported elsewhere
	defer func() { f.errored[d] = bad }()
	if _, ok := f.model.SymbolType(d).(*types.Error); ok {
		return true
	}
	if d.Decl() == nil || d.Binding() == nil {
		return false
	}
	for _, used := range d.Binding().References(d.Decl()) {
		if f.check(used, report) {
			bad = true
			continue
		}
		p, ok := used.(*bind.ParamAssign)
		if !ok {
			continue
		}
		var wrong diag.Kind
		switch a, err := f.assignment(p); {
		case err != nil:
			bad = true
		case a.Secret != nil:
			wrong = diag.BCP368
		case a.Value == armjson.Value(armjson.Null{}):
			wrong = diag.BCP369
		}
		if wrong != 0 {
			bad = true
			if d.Binding() == f.names {
				for _, n := range f.names.Uses(d.Decl(), p) {
					report(wrong.At(n.Span(), p.Name()))
				}
			}
		}
	}
	p, ok := d.(*bind.ParamAssign)
	if bad || !ok {
		return bad
	}
	if _, err := f.assignment(p); err != nil {
		if p.Binding() == f.names {
			f.unevaluated(report, err, diag.BCP338.At(p.Stmt.Value.Span(), "parameter", p.Name(), sentence(err)))
		}
	}
	return false
}

// errPrinted says that all parameters together take too much.
var errPrinted = fmt.Errorf("the parameters would take more than %d MB", maxPrinted>>20)

// unevaluated reports what cannot be evaluated. That the budget of the run is used up is
// reported once: what comes after it is not to blame.
func (f *file) unevaluated(report diag.Sink, err error, d diag.Diagnostic) {
	if eval.Spent(err) || errors.Is(err, errPrinted) {
		if f.spent {
			return
		}
		f.spent = true
	}
	report(d)
}

// sentence is the text of an error, without its final dot, to be used inside another message. Of the
// errors that quote no value, a message about a secret may show it.
func sentence(err error) any {
	text := strings.TrimRight(err.Error(), ".")
	if errors.Is(err, eval.ErrUnknownFunction) || eval.Exhausted(err) {
		return diag.Plain(text)
	}
	return text
}

// assignment evaluates what a parameter is given. Each file evaluates its own.
func (f *file) assignment(p *bind.ParamAssign) (*Assignment, error) {
	if p.Binding() != f.names && p.Binding() != nil {
		if owner := f.model.Program().Model(p.Binding().File); owner != nil {
			return of(owner).assignment(p)
		}
	}
	s := f.params[p]
	if s == nil {
		s = &paramState{err: fmt.Errorf("the parameter %q uses itself", p.Name())}
		f.params[p] = s
		s.result, s.err = f.evaluate(p)
	}
	return s.result, s.err
}

func (f *file) evaluate(p *bind.ParamAssign) (*Assignment, error) {
	if err := f.lacks(p.Stmt.Value); err != nil {
		return nil, err
	}
	x := f.ctx.Builder(nil).Expr(p.Stmt.Value)
	if secret, ok := x.(*ir.KeyVaultReference); ok {
		return &Assignment{Secret: secret}, nil
	}
	if f.ctx.Flow.Inlined().Params[p] {
		folded, err := f.fold(x)
		if err != nil {
			return nil, err
		}
		return &Assignment{Expression: folded}, nil
	}
	v, err := f.value(x)
	if err != nil {
		return nil, err
	}
	if f.printed += printedSize(v, 2, maxPrinted-f.printed); f.printed > maxPrinted {
		return nil, errPrinted
	}
	return &Assignment{Value: v}, nil
}

// maxPrinted is how many bytes the values of a file's parameters may take: Azure
// Resource Manager takes a few megabytes.
const maxPrinted = 64 << 20

// printedSize returns how many bytes a value takes when it is printed in a number of
// collections, or something beyond limit. Values are shared, and printing writes each use.
func printedSize(v armjson.Value, depth, limit int) (n int) {
	line := 2*depth + 4
	switch v := v.(type) {
	case armjson.String:
		n = 2 + len(v)
		for i := range len(v) {
			if c := v[i]; c < ' ' {
				n += 5
			} else if c == '"' || c == '\\' {
				n++
			}
		}
	case armjson.Array:
		for i := 0; i < len(v) && n <= limit; i++ {
			n += line + printedSize(v[i], depth+1, limit-n)
		}
	case *armjson.Object:
		for i := 0; i < v.Len() && n <= limit; i++ {
			m := v.At(i)
			n += line + len(m.Key) + printedSize(m.Value, depth+1, limit-n)
		}
	default:
		n = 8
	}
	return n
}

// lacks says what the release that the program is compiled as cannot do with a parameter's value.
func (f *file) lacks(value syntax.Expr) error {
	if _, loop := value.(*syntax.For); loop && !f.model.Has(release.LoopsInParams) {
		return errors.New("a parameter's value cannot be a loop")
	}
	if !f.model.Has(release.BaseSpreads) && f.spreadsBase(value) && slices.ContainsFunc(f.extended(), (*file).asksForInputs) {
		return errors.New("\"base\" cannot be spread, since the file that it stands for has external inputs")
	}
	return nil
}

// spreadsBase reports whether a value spreads what another file assigns.
func (f *file) spreadsBase(value syntax.Expr) (found bool) {
	syntax.Walk(value, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Spread); ok {
			syntax.Walk(s.X, func(n syntax.Node) bool {
				v, ok := n.(*syntax.VarRef)
				if ok {
					_, ok = f.model.Symbol(v).(*bind.BaseParams)
				}
				found = found || ok
				return !found
			})
		}
		return !found
	})
	return found
}

func (f *file) asksForInputs() bool { return len(f.externals().list) > 0 }

// Located implements eval.Locator: it is not known where the parameters will be deployed.
func (f *file) Located(string) eval.Value { return nil }

// FillsIDs implements eval.Locator.
func (f *file) FillsIDs() bool { return false }

// value evaluates an expression.
func (f *file) value(x ir.Expr) (armjson.Value, error) {
	if loop, ok := x.(*ir.ForLoop); ok {
		return f.loop(loop)
	}
	e, err := emit.Expression(f.ctx, x)
	if err != nil {
		return nil, err
	}
	return f.ev.Eval(e)
}

// loop evaluates a loop, turn by turn, with the number of the turn and the
// element in their places.
func (f *file) loop(loop *ir.ForLoop) (armjson.Value, error) {
	v, err := f.value(loop.X)
	if err != nil {
		return nil, err
	}
	if unknown, _ := eval.Marks(v); unknown {
		return f.unknownLoop(loop, v)
	}
	list, ok := v.(armjson.Array)
	if !ok {
		return nil, errors.New("the loop does not run over an array")
	}
	out := make(armjson.Array, 0, len(list))
	nodes := 0
	ir.Walk(loop.Body, func(ir.Expr) bool { nodes++; return true })
	for i, item := range list {
		if err := f.ev.Spend(1 + nodes); err != nil {
			return nil, err
		}
		body := ir.Rewrite(loop.Body, func(x ir.Expr) ir.Expr {
			switch x := x.(type) {
			case *ir.ForLoop:
				return x
			case *ir.CopyIndex:
				return &ir.Int{At: x.At, Value: int64(i)}
			case *ir.Index:
				if _, ok := x.Access.(*ir.CopyIndex); ok && x.Flags == 0 && x.Base.Source() != nil && x.Base.Source() == loop.X.Source() {
					return lower.Value(item, x.Src)
				}
			}
			return nil
		})
		v, err := f.value(body)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// unknownLoop evaluates a loop over what comes from the environment, or over an array in which something does.
func (f *file) unknownLoop(loop *ir.ForLoop, over armjson.Value) (armjson.Value, error) {
	ev := f.ev
	defer func() { f.ev = ev }()
	body := ir.Rewrite(loop.Body, func(x ir.Expr) ir.Expr {
		if index, ok := x.(*ir.CopyIndex); ok {
			return &ir.CopyIndex{At: index.At}
		}
		return nil
	})
	list, known := over.(armjson.Array)
	if !known {
		f.ev = ev.WithUnknownIndex("")
		v, err := f.value(body)
		if err != nil {
			return nil, err
		}
		return eval.NewUnknown(nil, "map", over, v), nil
	}
	out := make(armjson.Array, len(list))
	for i := range list {
		f.ev = ev.WithCopyIndex("", int64(i))
		v, err := f.value(body)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// Call implements eval.Scope. Calls are left of what could not be fetched and, where the environment is hidden, those that
// read a variable of it, or a file whose name may come from it.
func (f *file) Call(name string, args []armjson.Value) (armjson.Value, error) {
	if f.partial() && (name == armexpr.UnfetchedValue || name == armexpr.UnfetchedCall) {
		return eval.NewUnknown(nil, name, args...), nil
	}
	if !f.model.Program().HidesEnv() || name != "readEnvironmentVariable" && !strings.HasPrefix(name, "load") {
		return f.NoScope.Call(name, args)
	}
	return eval.FromEnvironment(name, args...), nil
}

// Variable implements eval.Scope.
func (f *file) Variable(name string) (armjson.Value, error) {
	if f.variables == nil {
		f.findVariables()
	}
	v := f.variables[name]
	if v == nil {
		// Expressions that `base` brings from another file can use that file's variables.
		for _, parent := range f.extended() {
			if v, err := parent.Variable(name); err == nil {
				return v, nil
			}
		}
		return nil, fmt.Errorf("there is no variable %q", name)
	}
	if v.busy {
		return nil, fmt.Errorf("the variable %q uses itself", name)
	}
	if v.value != nil {
		v.busy = true
		v.v, v.err = f.value(v.value())
		v.busy, v.value = false, nil
		v.err = errorIn("variable", name, v.err)
	}
	return v.v, v.err
}

// placeError says in which variable or parameter an evaluation failed.
type placeError struct {
	kind, name string
	err        error
}

func (e *placeError) Error() string { return fmt.Sprintf("the %s %q: %v", e.kind, e.name, e.err) }
func (e *placeError) Unwrap() error { return e.err }

// errorIn returns an error that names the place where err arose. Those that use
// the place add nothing to it, however long the way from there is.
func errorIn(kind, name string, err error) error {
	if place := new(placeError); err == nil || errors.As(err, &place) {
		return err
	}
	return &placeError{kind, name, err}
}

// findVariables collects the variables under the names that they have in the
// template language: the file's own, those that hold what the compiler got from
// calls, and those that are imported.
func (f *file) findVariables() {
	f.variables = map[string]*variable{}
	add := func(name string, value func() ir.Expr) {
		if f.variables[name] == nil {
			f.variables[name] = &variable{value: value}
		}
	}
	for _, v := range f.names.Vars {
		if _, loop := v.Stmt.Value.(*syntax.For); loop && !f.model.Has(release.LoopsInParams) {
			continue
		}
		add(v.Name(), func() ir.Expr { return f.ctx.Builder(nil).Expr(v.Stmt.Value) })
	}
	for _, v := range f.ctx.Imports().Vars {
		add(v.Name, func() ir.Expr { return v.Value })
	}
	for _, v := range f.ctx.FunctionVars() {
		add(v.Name, func() ir.Expr { return v.Value })
	}
}

// Parameter implements eval.Scope.
func (f *file) Parameter(name string) (armjson.Value, error) {
	if f.byName == nil {
		f.byName = make(map[string]*bind.ParamAssign, len(f.names.ParamAssigns))
		for _, p := range f.names.ParamAssigns {
			if f.byName[p.Name()] == nil {
				f.byName[p.Name()] = p
			}
		}
	}
	p := f.byName[name]
	if p == nil {
		return nil, fmt.Errorf("there is no parameter %q", name)
	}
	a, err := f.assignment(p)
	switch {
	case err != nil:
		return nil, errorIn("parameter", name, err)
	case a.Value == nil:
		return nil, fmt.Errorf("the parameter %q has no value before the deployment", name)
	}
	return a.Value, nil
}

// Function implements eval.Scope.
func (f *file) Function(name string) (*eval.Function, error) {
	if f.functions == nil {
		f.functions = map[string]*eval.Function{}
		for _, fn := range f.ctx.Imports().Funcs {
			lambda, ok := fn.Lambda.(*ir.Lambda)
			if !ok {
				continue
			}
			body, err := emit.Expression(f.ctx, lambda.Body)
			if err != nil {
				return nil, err
			}
			f.functions[strings.ToLower(fn.Namespace+"."+fn.Name)] = &eval.Function{Params: lambda.Params, Expr: body, Scope: f}
		}
	}
	return f.functions[strings.ToLower(name)], nil
}

// fold evaluates what it can of an expression that needs external inputs: its
// uses of variables and parameters and its calls of user functions, since
// nothing of that is in the parameters that are written.
func (f *file) fold(x ir.Expr) (ir.Expr, error) {
	var failed error
	constant := func(from ir.Expr, v armjson.Value, err error) ir.Expr {
		if err != nil {
			if failed == nil {
				failed = err
			}
			return from
		}
		if unknown, _ := eval.Marks(v); unknown {
			return from
		}
		return lower.Value(v, from.Source())
	}
	evaluated := func(from ir.Expr) ir.Expr {
		v, err := f.value(from)
		return constant(from, v, err)
	}
	args := func(list []ir.Expr) []ir.Expr {
		out := make([]ir.Expr, len(list))
		for i, a := range list {
			y, err := f.fold(a)
			if err != nil && failed == nil {
				failed = err
			}
			out[i] = y
		}
		return out
	}
	out := ir.Rewrite(x, func(x ir.Expr) ir.Expr {
		switch x := x.(type) {
		case *ir.VarRef:
			if x.Symbol != nil {
				return evaluated(x)
			}
		case *ir.ImportedVarRef, *ir.WildcardVarRef, *ir.ParamAssignRef:
			return evaluated(x)
		case *ir.UserCall:
			y := *x
			y.Args = args(x.Args)
			return evaluated(&y)
		case *ir.ImportedUserCall:
			y := *x
			y.Args = args(x.Args)
			return evaluated(&y)
		case *ir.WildcardUserCall:
			y := *x
			y.Args = args(x.Args)
			return evaluated(&y)
		}
		return nil
	})
	return out, failed
}

// setting is one property of an extension's configuration.
type setting struct {
	name string
	Assignment
}

// settings are the configurations of extensions.
type settings struct {
	of       map[*bind.ExtensionConfig][]setting
	problems diag.List
}

// extensionSettings evaluates the configurations of extensions.
func (f *file) extensionSettings() *settings { return f.settings.Get(f.evaluateSettings) }

func (f *file) evaluateSettings() *settings {
	found := &settings{of: map[*bind.ExtensionConfig][]setting{}}
	for _, s := range f.names.ExtensionConfigs {
		if s.Stmt.With == nil {
			continue
		}
		config, ok := s.Stmt.With.Config.(*syntax.Object)
		if !ok || f.model.HasParseErrors(config) {
			continue // {a}: that the colon is missing is reported behind the property
		}
		for _, item := range config.Items {
			p, ok := item.(*syntax.Property)
			if !ok {
				continue
			}
			name, ok := p.KeyName()
			if !ok {
				continue
			}
			a, err := f.setting(p.Value)
			if err != nil {
				f.unevaluated(found.problems.Add, err,
					diag.BCP338.At(p.Value.Span(), "configuration of the extension", s.Name(), sentence(err)))
				continue
			}
			found.of[s] = append(found.of[s], setting{name, *a})
		}
	}
	return found
}

func (f *file) setting(value syntax.Expr) (*Assignment, error) {
	x := f.ctx.Builder(nil).Expr(value)
	if secret, ok := x.(*ir.KeyVaultReference); ok {
		return &Assignment{Secret: secret}, nil
	}
	v, err := f.value(x)
	if err != nil {
		return nil, err
	}
	return &Assignment{Value: v}, nil
}

// armExpr returns an expression as it is in the parameters that are written.
func (f *file) armExpr(x ir.Expr) (armexpr.Expr, error) {
	e, err := emit.Expression(f.ctx, x)
	if err != nil {
		return nil, err
	}
	return f.externals().replace(e), nil
}
