package secrecy

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/secret"
)

// mark returns what makes the value of an expression secret, or the part of it that a
// route leads to.
func (s *Program) mark(m *check.Model, x syntax.Expr, r route) secret.Mark {
	if x == nil {
		return 0
	}
	f := s.of(m)
	if f == nil {
		return 0
	}
	k := nodeKey{m.File(), x.ID()}
	r = s.bound(k, r)
	if r == "" {
		return s.markWhole(f, x)
	}
	v := visit{k, r}
	if found, ok := s.marks[v]; ok {
		return found
	}
	s.routes[k]++
	s.marks[v] = 0 // should it need itself, which is reported elsewhere
	found := s.find(m, x, r)
	if f.secure[x.ID()] {
		found |= secret.Secure
	}
	s.marks[v] = found
	return found
}

// markWhole is mark for the whole value of an expression. Most expressions are asked for
// so, which is why the answers are in a list.
func (s *Program) markWhole(f *file, x syntax.Expr) secret.Mark {
	id := int(x.ID())
	if more := id + 1 - len(f.marks); more > 0 {
		f.marks = append(f.marks, make([]knownMark, more)...)
	}
	if known := f.marks[id]; known.known {
		return known.mark
	}
	f.marks[id].known = true // should it need itself, which is reported elsewhere
	found := s.find(f.model, x, "")
	if f.secure[x.ID()] {
		found |= secret.Secure
	}
	f.marks[id].mark = found
	return found
}

func (s *Program) find(m *check.Model, x syntax.Expr, r route) secret.Mark {
	if base, next, ok := accessed(x); ok {
		found := s.mark(m, base, next.then(r))
		if i, ok := x.(*syntax.Index); ok {
			found |= s.mark(m, i.Index, "")
		}
		return found
	}
	switch x := x.(type) {
	case *syntax.Paren:
		return s.mark(m, x.X, r)
	case *syntax.NonNull:
		return s.mark(m, x.X, r)
	case *syntax.Ternary:
		return s.mark(m, x.Cond, "") | s.mark(m, x.Then, r) | s.mark(m, x.Else, r)
	case *syntax.Binary:
		if x.Op != syntax.OpCoalesce {
			r = ""
		}
		return s.mark(m, x.X, r) | s.mark(m, x.Y, r)
	case *syntax.Object:
		return s.markObject(m, x, r)
	case *syntax.Array:
		return s.markArray(m, x, r)
	case *syntax.For:
		_, rest := orEach(r)
		found := s.mark(m, x.Body, rest)
		if r == "" { // how many there are says something too
			found |= s.mark(m, x.X, "")
		}
		return found
	case *syntax.VarRef:
		return s.markName(m, x, r)
	case *syntax.Call:
		return s.markCall(m, x, nil, x.Args, r)
	case *syntax.InstanceCall:
		return s.markCall(m, x, x.X, x.Args, r)
	}
	var found secret.Mark
	syntax.Children(x, func(n syntax.Node) {
		if e, ok := n.(syntax.Expr); ok {
			found |= s.mark(m, e, "")
		}
	})
	return found
}

func (s *Program) markObject(m *check.Model, o *syntax.Object, r route) secret.Mark {
	var found secret.Mark
	name, rest := orEach(r)
	for _, item := range o.Items {
		switch item := item.(type) {
		case *syntax.Property:
			key, plain := item.KeyName()
			if e, ok := item.Key.(syntax.Expr); ok && !plain {
				found |= s.mark(m, e, "")
			}
			if !plain || name == each || strings.EqualFold(key, name) {
				found |= s.mark(m, item.Value, rest)
			}
		case *syntax.Spread:
			found |= s.mark(m, item.X, r)
		}
	}
	return found
}

func (s *Program) markArray(m *check.Model, a *syntax.Array, r route) secret.Mark {
	var found secret.Mark
	itemsOn(a, r, func(x syntax.Expr, r route) { found |= s.mark(m, x, r) })
	return found
}

func (s *Program) markName(m *check.Model, x *syntax.VarRef, r route) secret.Mark {
	symbol := m.Symbol(x)
	owner, value, rest := s.target(m, symbol, r)
	if value != nil {
		return s.mark(owner, value, rest)
	}
	var found secret.Mark
	switch d := symbol.(type) {
	case *bind.BaseParams:
		if name, _ := orEach(r); name != each {
			break
		}
		for _, p := range d.Parents {
			found |= s.mark(s.owner(m, p), p.Stmt.Value, "")
		}
	case *bind.ImportedVar:
		if s.isSecureName(d.From.File(), d.Original, r) {
			found = secret.Secure
		}
	case *bind.WildcardImport:
		if r == "" {
			break
		}
		name, rest := r.cut()
		if s.isSecureName(d.From.File(), name, rest) {
			found = secret.Secure
		}
	case *bind.Local:
		if d.Var == bind.LambdaItem {
			return s.markLambdaItem(m, d)
		}
		if loop := s.loopOf(m, d); loop != nil {
			found = s.mark(m, loop.X, "")
		}
	}
	return found
}

// markLambdaItem returns the marks of what the parameter of a lambda takes its values
// from: the arguments of the call that the lambda is given to.
func (s *Program) markLambdaItem(m *check.Model, l *bind.Local) secret.Mark {
	for n := m.Parent(l.Decl()); n != nil; n = m.Parent(n) {
		var args []syntax.Expr
		switch n := n.(type) {
		case *syntax.Call:
			args = n.Args
		case *syntax.InstanceCall:
			args = n.Args
		case syntax.Stmt, *syntax.TypedLambda:
			return 0
		default:
			continue
		}
		var found secret.Mark
		for _, a := range args {
			if _, ok := syntax.Unparen(a).(*syntax.Lambda); !ok {
				found |= s.mark(m, a, "")
			}
		}
		return found
	}
	return 0
}

func (s *Program) markCall(m *check.Model, call, base syntax.Expr, args []syntax.Expr, r route) secret.Mark {
	var found secret.Mark
	kind, owner, lambda := s.kind(m, call)
	switch kind {
	case callEnvironment:
		found = secret.Environment
	case callUser:
		found = s.mark(owner, lambda.Body, r)
	}
	if (kind == callEnvironment || kind == callFile) && s.isSecureSource(m, call, args, r) {
		found |= secret.Secure
	}
	if base != nil {
		if _, isNamespace := m.TypeOf(base).(*types.Namespace); !isNamespace {
			found |= s.mark(m, base, "")
		}
	}
	for _, a := range args {
		found |= s.mark(m, a, argument(kind, r))
	}
	return found
}
