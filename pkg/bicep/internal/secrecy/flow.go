package secrecy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// # Where secrets come from
//
// A secure parameter is given an expression. Whatever the value of that expression comes from is as secret as
// the parameter, wherever else the program uses it:
//
//	var all = { host: 'h', password: readEnvironmentVariable('PW') }
//	param password = all.password                       declared with @secure()
//	param other = readEnvironmentVariable('PW')         secret as well: it reads the same
//	param host = all.host                               no secret: only a part of all is one
//
// flow walks backwards, from the expressions that secure parameters get to literals, files and environment
// variables, and notes what it meets: file.secure has the nodes whose whole value flows into a secure
// parameter, file.masks the text in which a secret is written, sources and names what is read from outside.
// Then mark (mark.go) walks over the same edges for any expression and answers whether its value is secret.
// Nothing is evaluated.
//
// Both follow a part of a value: a route says which members and elements lead to it. In the example, flow
// begins at all.password with the route "". The access adds a step: all, ".password". The name leads to the
// object, of which only the member password is followed, with "" again. That is a call that reads PW, so PW is
// noted in sources.
//
// Invariants:
//
//   - Analyze has called flow for all secure parameters before anything asks mark. What is noted does not
//     depend on the order of the calls: a value is secret if any way leads to it.
//   - What is not certain is followed as a whole: a shorter route leads to more. An index that is computed is a
//     step to each element, a function that is not listed in kind uses all of its arguments, the name of a file
//     that is computed stands for every file. So an error in here hides too much rather than too little, unless
//     a kind of expression is left out: the default of the switch follows all expressions below one that it
//     does not know.
//   - A condition decides on a value and is no part of it: flow leaves it out. mark does not, since a value
//     that was chosen by a secret tells about it.
//
// It ends because flow visits each pair of node and route once, and a node with "" once and for all. bound
// keeps the routes finite and the work linear: one with more than maxParts steps, and all beyond maxRoutes into
// one node, are cut to "".

// flow marks what the value of an expression, or the part of it that a route leads to,
// comes from: it flows into a secure parameter.
func (s *Program) flow(m *check.Model, x syntax.Expr, r route) {
	if x == nil {
		return
	}
	f := s.of(m)
	k := nodeKey{m.File(), x.ID()}
	r = s.bound(k, r)
	v := visit{k, r}
	if f == nil || s.visited[v] || s.visited[visit{k, ""}] {
		return
	}
	s.visited[v] = true
	s.routes[k]++
	if r == "" {
		f.secure[x.ID()] = true
	}
	if base, next, ok := accessed(x); ok {
		if r == "" && s.unknown(m, base) {
			f.hide(x)
		}
		if i, ok := x.(*syntax.Index); ok && s.unknown(m, i.Index) {
			f.hide(i.Index)
		}
		s.flow(m, base, next.then(r))
		return
	}
	switch x := x.(type) {
	case *syntax.Paren:
		s.flow(m, x.X, r)
	case *syntax.NonNull:
		s.flow(m, x.X, r)
	case *syntax.Ternary:
		s.flow(m, x.Then, r)
		s.flow(m, x.Else, r)
	case *syntax.Binary:
		if x.Op != syntax.OpCoalesce {
			r = ""
		}
		s.flow(m, x.X, r)
		s.flow(m, x.Y, r)
	case *syntax.Object:
		s.flowObject(m, x, r)
	case *syntax.Array:
		s.flowArray(m, x, r)
	case *syntax.For:
		_, rest := orEach(r)
		s.flow(m, x.Body, rest)
	case *syntax.VarRef:
		s.flowName(m, x, r)
	case *syntax.Call:
		s.flowCall(m, x, nil, x.Args, r)
	case *syntax.InstanceCall:
		s.flowCall(m, x, x.X, x.Args, r)
	case *syntax.Lambda:
		s.flow(m, x.Body, "")
	case *syntax.String:
		if !x.Interpolated() {
			f.hide(x)
			break
		}
		f.masks = append(f.masks, x.Tokens()...)
		for _, hole := range x.Exprs() {
			s.flow(m, hole, "")
		}
	case *syntax.Int, *syntax.Bool, *syntax.Skipped:
		f.hide(x)
	default:
		syntax.Children(x, func(n syntax.Node) {
			if e, ok := n.(syntax.Expr); ok {
				s.flow(m, e, "")
			}
		})
	}
}

// orEach returns the first step of a route and the rest; no route leads to all parts.
func orEach(r route) (first string, rest route) {
	if r == "" {
		return each, ""
	}
	return r.cut()
}

// unknown reports whether an expression is a name that means nothing: perhaps a value
// that lacks its quotes.
func (s *Program) unknown(m *check.Model, x syntax.Expr) bool {
	_, isName := x.(*syntax.VarRef)
	_, isError := m.Symbol(x).(*bind.ErrorSymbol)
	return isName && isError
}

func (s *Program) flowObject(m *check.Model, o *syntax.Object, r route) {
	name, rest := orEach(r)
	for _, item := range o.Items {
		p, ok := item.(*syntax.Property)
		switch {
		case r == "":
			s.flowItem(m, item)
		case ok:
			if key, plain := p.KeyName(); !plain || name == each || strings.EqualFold(key, name) {
				s.flow(m, p.Value, rest)
			}
		default:
			if spread, ok := item.(*syntax.Spread); ok {
				s.flow(m, spread.X, r)
			}
		}
	}
}

func (s *Program) flowArray(m *check.Model, a *syntax.Array, r route) {
	itemsOn(a, r, func(x syntax.Expr, r route) { s.flow(m, x, r) })
}

// itemsOn calls f with the items of an array that a route leads to, and the rest of the route.
func itemsOn(a *syntax.Array, r route, f func(x syntax.Expr, r route)) {
	name, rest := orEach(r)
	exact := name != each
	for _, item := range a.Items {
		if _, ok := item.(*syntax.Spread); ok {
			exact = false
		}
	}
	for i, item := range a.Items {
		if spread, ok := item.(*syntax.Spread); ok {
			f(spread.X, step(each).then(rest))
		} else if !exact || name == strconv.Itoa(i) {
			f(item, rest)
		}
	}
}

// flowName follows a name to what it stands for.
func (s *Program) flowName(m *check.Model, x *syntax.VarRef, r route) {
	owner, value, r := s.target(m, m.Symbol(x), r)
	switch {
	case value != nil:
		s.flow(owner, value, r)
	default:
		switch d := m.Symbol(x).(type) {
		case *bind.ImportedVar:
			k := nameKey{d.From.File(), d.Original}
			s.names[k] = append(s.names[k], r)
		case *bind.WildcardImport:
			name, rest := orEach(r)
			k := nameKey{d.From.File(), name}
			s.names[k] = append(s.names[k], rest)
		case *bind.BaseParams:
			for _, p := range d.Parents {
				s.flow(s.owner(m, p), p.Stmt.Value, "")
			}
		case *bind.Param:
			s.flowParam(m, d, r)
		case bind.Declared: // a value of the deployment, or of a lambda, whose call gives it its values
		default: // a value that lacks its quotes
			s.of(m).hide(x)
		}
	}
}

// target returns the expression that a name stands for, the model that it belongs to,
// and where in it the route leads. The expression is nil if there is none.
func (s *Program) target(m *check.Model, symbol bind.Symbol, r route) (*check.Model, syntax.Expr, route) {
	switch d := symbol.(type) {
	case *bind.Var:
		return s.owner(m, d), d.Stmt.Value, r
	case *bind.ParamAssign:
		return s.owner(m, d), d.Stmt.Value, r
	case *bind.ImportedVar:
		return s.exported(d.From, d.Original, r)
	case *bind.WildcardImport:
		if r != "" {
			name, rest := r.cut()
			if owner, value, rest := s.exported(d.From, name, rest); value != nil {
				return owner, value, rest
			}
		}
	case *bind.BaseParams:
		if r == "" {
			break
		}
		name, rest := r.cut()
		for _, p := range d.Parents {
			if p.Name() == name {
				return s.owner(m, p), p.Stmt.Value, rest
			}
		}
	case *bind.Local:
		if loop := s.loopOf(m, d); loop != nil && d.Var == bind.ForItem {
			return m, loop.X, step(each).then(r)
		}
	}
	return nil, nil, r
}

// loopOf returns the loop that declares a variable, or nil.
func (s *Program) loopOf(m *check.Model, l *bind.Local) *syntax.For {
	for n := m.Parent(l.Decl()); n != nil; n = m.Parent(n) {
		switch n := n.(type) {
		case *syntax.For:
			return n
		case *syntax.ForVars:
		default:
			return nil
		}
	}
	return nil
}

func (s *Program) owner(m *check.Model, d bind.Declared) *check.Model {
	if b := d.Binding(); b != nil && b != m.Binding() {
		if owner := s.program.Model(b.File); owner != nil {
			return owner
		}
	}
	return m
}

// exported returns the value of a variable that a Bicep file exports.
func (s *Program) exported(from bind.Exporter, name string, r route) (*check.Model, syntax.Expr, route) {
	m, ok := from.(*check.Model)
	if !ok {
		return nil, nil, r
	}
	for _, v := range m.Binding().Vars {
		if v.Name() == name {
			return m, v.Stmt.Value, r
		}
	}
	return nil, nil, r
}

// A call is of one of these kinds.
const (
	callOther       = iota
	callEnvironment // of readEnvironmentVariable
	callFile        // of a function that reads a file
	callUnion       // of one that joins its arguments, objects or arrays
	callMerge       // of one that joins the objects in an array
	callUser        // of a function that a Bicep file declares
)

// kind returns what a call does, and the user's function that it calls.
func (s *Program) kind(m *check.Model, call syntax.Expr) (kind int, owner *check.Model, lambda *syntax.TypedLambda) {
	user := func(owner *check.Model, f *bind.Func) (int, *check.Model, *syntax.TypedLambda) {
		if l, ok := f.Stmt.Lambda.(*syntax.TypedLambda); ok {
			return callUser, owner, l
		}
		return callOther, nil, nil
	}
	imported := func(from bind.Exporter, name string) (int, *check.Model, *syntax.TypedLambda) {
		if owner, ok := from.(*check.Model); ok {
			for _, f := range owner.Binding().Funcs {
				if f.Name() == name {
					return user(owner, f)
				}
			}
		}
		return callOther, nil, nil
	}
	switch d := m.Symbol(call).(type) {
	case *bind.Function:
		switch name := d.Name(); {
		case name == readsEnvironment:
			return callEnvironment, nil, nil
		case strings.HasPrefix(name, "load"):
			return callFile, nil, nil
		case name == "union":
			return callUnion, nil, nil
		case name == "shallowMerge":
			return callMerge, nil, nil
		}
	case *bind.Func:
		return user(s.owner(m, d), d)
	case *bind.ImportedFunc:
		return imported(d.From, d.Original)
	case *bind.WildcardFunc:
		return imported(d.Import.From, d.Export.Name)
	}
	return callOther, nil, nil
}

func (s *Program) flowCall(m *check.Model, call, base syntax.Expr, args []syntax.Expr, r route) {
	kind, owner, lambda := s.kind(m, call)
	switch kind {
	case callEnvironment, callFile:
		key := s.sourceKey(m, call, args)
		s.sources[key] = append(s.sources[key], s.sourceRoute(m, call, args, r))
		if kind == callEnvironment && len(args) > 1 {
			s.flow(m, args[1], "") // the default
		}
		return
	case callUser:
		s.flow(owner, lambda.Body, r)
	}
	if base != nil {
		if _, isName := m.Symbol(base).(*bind.WildcardImport); !isName {
			if _, isNamespace := m.TypeOf(base).(*types.Namespace); !isNamespace {
				s.flow(m, base, "")
			}
		}
	}
	for _, a := range args {
		s.flow(m, a, argument(kind, r))
	}
}

// argument returns what leads in the arguments of a call to the part of its value that a
// route leads to.
func argument(kind int, r route) route {
	switch {
	case r == "":
	case kind == callMerge:
		return step(each).then(r)
	case kind == callUnion:
		name, rest := r.cut()
		if _, err := strconv.Atoi(name); err == nil { // in which array, and where, depends on the values
			name = each
		}
		return step(name).then(rest)
	}
	return ""
}

// sourceKey names what a call reads. Calls that read the same have the same key. A name
// that is computed could be any.
func (s *Program) sourceKey(m *check.Model, call syntax.Expr, args []syntax.Expr) string {
	name, _, _ := syntax.CallName(call)
	if name == nil || len(args) == 0 {
		return anySource
	}
	text, ok := m.TypeOf(args[0]).(*types.StringLiteral) // the others say what is done with it
	if !ok {
		return anySource
	}
	if name.Name == readsEnvironment {
		return name.Name + separator + text.Value
	}
	folder := m.File().Path[:strings.LastIndexAny(m.File().Path, `/\`)+1]
	return "load" + separator + text.Value + separator + folder // the same file is read, whichever function does it
}

// sourceRoute returns what leads in a whole file to the part of what a call reads that a
// route leads to: the call may select a part itself.
func (s *Program) sourceRoute(m *check.Model, call syntax.Expr, args []syntax.Expr, r route) route {
	name, _, _ := syntax.CallName(call)
	if name == nil || len(args) < 2 || name.Name != "loadJsonContent" && name.Name != "loadYamlContent" {
		return r
	}
	path, ok := m.TypeOf(args[1]).(*types.StringLiteral)
	if !ok {
		return "" // perhaps any part
	}
	var selected route
	for part := range strings.SplitSeq(strings.TrimPrefix(path.Value, "$."), ".") {
		if !syntax.IsIdentifier(part) { // not the JSONPath of a member
			return ""
		}
		selected = selected.then(step(part))
	}
	return selected.then(r)
}

const anySource = "*"

// isSecureSource reports whether what a call reads flows into a secure parameter.
func (s *Program) isSecureSource(m *check.Model, call syntax.Expr, args []syntax.Expr, r route) bool {
	r = s.sourceRoute(m, call, args, r)
	return slices.ContainsFunc([]string{s.sourceKey(m, call, args), anySource}, func(key string) bool {
		return slices.ContainsFunc(s.sources[key], r.meets)
	})
}

// isSecureName does so for a variable that is imported from a file that is not Bicep.
func (s *Program) isSecureName(f *graph.File, name string, r route) bool {
	return slices.ContainsFunc(s.names[nameKey{f, name}], r.meets)
}
