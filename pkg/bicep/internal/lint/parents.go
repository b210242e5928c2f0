package lint

import (
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// useParent finds children that are named by their parent's name.
func (l *linter) useParent() {
	declared := l.analysis.Resources.Declared()
	byType := sync.OnceValue(func() map[string][]*resources.Resource {
		all := map[string][]*resources.Resource{}
		for _, r := range declared {
			if r.IsAz() {
				key := strings.ToLower(r.TypeRef().Type)
				all[key] = append(all[key], r)
			}
		}
		return all
	})
	for _, r := range declared {
		name, ok := r.NameExpr().(*syntax.String)
		if !ok || !r.IsAz() || r.Parent != nil {
			continue
		}
		if parent := l.namedParent(r, name); parent != nil {
			l.childNamed(r, parent)
			continue
		}
		if len(r.TypeRef().Segments) < 3 { // the provider, and one type
			continue
		}
		typ := r.TypeRef().Type
		for _, p := range byType()[strings.ToLower(typ[:strings.LastIndexByte(typ, '/')])] {
			if parentName := p.NameExpr(); parentName != nil && !l.m.IsCollection(p.Symbol) && l.continues(parentName, name) {
				l.childNamed(r, p)
				break
			}
		}
	}
}

func (l *linter) childNamed(child, parent *resources.Resource) {
	body := syntax.Body(child.Symbol.Stmt.Value)
	if body == nil {
		return
	}
	if p := body.Property("name"); p != nil && !l.m.HasParseErrors(body) {
		l.add(p.Value.Span(), child.Symbol.Name(), parent.Symbol.Name())
	}
}

// namedParent returns the parent if a name is '${parent.name}/…'.
func (l *linter) namedParent(child *resources.Resource, name *syntax.String) *resources.Resource {
	if len(name.Exprs()) == 0 || name.Segments()[0] != "" || !strings.HasPrefix(name.Segments()[1], "/") {
		return nil
	}
	a, ok := name.Exprs()[0].(*syntax.PropertyAccess)
	if !ok || a.Name.Name != "name" {
		return nil
	}
	p := l.analysis.Resources.At(a.X)
	if p == nil || !p.IsDeclared() || !p.TypeRef().IsParentOf(child.TypeRef()) {
		return nil
	}
	return p
}

// continues reports whether the child's name is the parent's, a slash, and more.
func (l *linter) continues(parent syntax.Expr, child *syntax.String) bool {
	p, ok := parent.(*syntax.String)
	if !ok {
		return len(child.Segments()) > 1 && strings.HasPrefix(child.Segments()[1], "/") && l.sameSyntax(child.Exprs()[0], parent)
	}
	if len(child.Segments()) < len(p.Segments()) || len(child.Exprs()) < len(p.Exprs()) {
		return false
	}
	last := len(p.Segments()) - 1
	for i, s := range p.Segments() {
		c := child.Segments()[i]
		if i < last && c != s {
			return false
		}
		if i == last && (len(c) <= len(s) || c[len(s)] != '/' || !strings.HasPrefix(c, s)) {
			return false
		}
	}
	return l.sameExprs(child.Exprs()[:len(p.Exprs())], p.Exprs())
}
