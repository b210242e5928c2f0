package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// preferInterpolation finds concat() of strings.
func (l *linter) preferInterpolation() {
	for _, c := range l.callsNamed("sys", "concat") {
		_, args, _ := syntax.CallName(c)
		if len(args) > 1 && !l.m.HasParseErrors(c) && isString(l.m.TypeOf(c)) {
			l.add(c.Span())
		}
	}
}

// unquotedNames finds quotes that a name of a property does not need.
func (l *linter) unquotedNames() {
	for _, p := range l.properties {
		if needless(p.Key) {
			l.add(p.Key.Span())
		}
	}
	for _, n := range l.m.Tree().Nodes() {
		if i, ok := n.(*syntax.Index); ok && needless(i.Index) {
			l.add(source.Between(i.Open, i.Close))
		}
	}
}

func needless(key syntax.Node) bool {
	name, ok := literalOf(key)
	switch {
	case !ok || !syntax.IsIdentifier(name):
		return false
	case name == "true" || name == "false" || name == "null":
		return false
	}
	return true
}

// simplifyInterpolation finds strings that consist of one interpolated string.
func (l *linter) simplifyInterpolation() {
	value := func(x syntax.Expr) {
		s, ok := x.(*syntax.String)
		if ok && len(s.Exprs()) == 1 && s.Segments()[0] == "" && s.Segments()[1] == "" && isString(l.m.TypeOf(s.Exprs()[0])) {
			l.add(s.Span())
		}
	}
	for _, p := range l.properties {
		value(p.Value)
	}
	for _, v := range l.b.Vars {
		value(v.Stmt.Value)
	}
	for _, o := range l.outputs {
		value(o.Value)
	}
	for _, p := range l.b.Params {
		if p.Stmt.Default != nil {
			value(p.Stmt.Default.Value)
		}
	}
}

// simplifyJSONNull finds json('null').
func (l *linter) simplifyJSONNull() {
	for _, c := range l.callsNamed("sys", "json") {
		_, args, _ := syntax.CallName(c)
		if len(args) != 1 {
			continue
		}
		if text, ok := literalOf(args[0]); ok && strings.TrimSpace(text) == "null" {
			l.add(c.Span())
		}
	}
}

// explicitAny finds the type any.
func (l *linter) explicitAny() {
	for _, n := range l.typeNames {
		if s, ok := l.m.Symbol(n).(*bind.AmbientType); ok && s.Name() == "any" && isSys(s.Namespace) {
			l.add(n.Span())
		}
	}
	for _, n := range l.typeParts {
		if n.Name.Name != "any" {
			continue
		}
		if s, ok := l.m.Symbol(n.X).(*bind.BuiltInNamespace); ok {
			if ns, ok := s.Type.(*types.Namespace); ok && isSys(ns) {
				l.add(n.X.Span())
			}
		}
	}
}

func isSys(ns *types.Namespace) bool { return ns != nil && ns.Settings.ExtensionName == "sys" }

// userTypes finds the types object and array, which say nothing of what they hold.
func (l *linter) userTypes() {
	for _, n := range l.typeNames {
		if n.Name.Name == "object" || n.Name.Name == "array" {
			l.add(n.Span())
		}
	}
}

// safeAccess finds conditions that .? can replace.
func (l *linter) safeAccess() {
	for _, t := range l.ternaries {
		name, args, ok := syntax.CallName(t.Cond)
		if !ok || name.Name != "contains" || len(args) != 2 || l.function(t.Cond, "sys") == nil {
			continue
		}
		a, ok := t.Then.(syntax.Access)
		if ok && l.sameSyntax(args[0], a.Base()) && l.reads(a, args[1]) {
			l.add(t.Span(), "contains() and a condition")
		}
	}
	for _, n := range l.m.Tree().Nodes() {
		switch n := n.(type) {
		case *syntax.PropertyAccess:
			l.plainAccess(n)
		case *syntax.Index:
			l.plainAccess(n)
		}
	}
}

// plainAccess finds an access that fails where the property is missing.
func (l *linter) plainAccess(a syntax.Access) {
	if !types.IsNullable(l.m.TypeOf(a)) || a.IsSafe() {
		return
	}
	if _, sure := l.m.Parent(a).(*syntax.NonNull); sure {
		return
	}
	if _, ok := l.m.TypeOf(a.Base()).(*types.Object); ok {
		l.add(a.Span(), "the plain access, which fails where the property is missing")
	}
}

// reads reports whether an access reads the property or item that key names.
func (l *linter) reads(a syntax.Access, key syntax.Expr) bool {
	switch a := a.(type) {
	case *syntax.Index:
		return l.sameSyntax(a.Index, key)
	case *syntax.PropertyAccess:
		name, ok := literalOf(key)
		return ok && name == a.Name.Name
	}
	return false
}

// decompilerCleanup finds names as the decompiler makes them.
func (l *linter) decompilerCleanup() {
	for _, r := range l.analysis.Resources.Declared() {
		if name, ok := r.NameExpr().(*syntax.String); ok && r.IsAz() && madeUp(r.Symbol.Name(), "_resource") {
			l.add(name.Span(), r.Symbol.Name())
		}
	}
	for _, v := range l.b.Vars {
		if madeUp(v.Name(), "_var") {
			l.add(v.NameSpan(), v.Name())
		}
	}
}

func madeUp(name, ending string) bool {
	stem, ok := strings.CutSuffix(name, ending)
	if !ok || stem == "" {
		return false
	}
	return stem[len(stem)-1] != '_'
}

// moduleName finds names of modules, which can be left out.
func (l *linter) moduleName() {
	for _, m := range l.b.Modules {
		if body := syntax.Body(m.Stmt.Value); body != nil {
			if p := body.Property("name"); p != nil {
				l.add(p.Span())
			}
		}
	}
}

// hardcodedOutputs finds outputs that are constants.
func (l *linter) hardcodedOutputs() {
	for _, o := range l.outputs {
		if isConstant(o.Value) {
			l.add(o.Value.Span(), o.Name.Name)
		}
	}
}

func isConstant(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.String:
		return !x.Interpolated()
	case *syntax.Int, *syntax.Bool, *syntax.Null:
		return true
	case *syntax.Unary:
		return isConstant(x.X)
	case *syntax.Paren:
		return isConstant(x.X)
	case *syntax.Array:
		for _, item := range x.Items {
			if _, ok := item.(*syntax.Spread); !ok && !isConstant(item) {
				return false
			}
		}
		return true
	case *syntax.Object:
		for _, item := range x.Items {
			if p, ok := item.(*syntax.Property); ok && !isConstant(p.Value) {
				return false
			}
		}
		return true
	}
	return false
}
