package lint

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// deepProperty follows a path of properties through written-out objects.
func deepProperty(o *syntax.Object, path ...string) *syntax.Property {
	for i, name := range path {
		p := o.Property(name)
		if p == nil || i == len(path)-1 {
			return p
		}
		next, ok := p.Value.(*syntax.Object)
		if !ok {
			return nil
		}
		o = next
	}
	return nil
}

// namedProperty returns the first property whose key is a plain name, without
// quotes, that is the one asked for; some rules see no others.
func namedProperty(o *syntax.Object, is func(name string) bool) *syntax.Property {
	if o == nil {
		return nil
	}
	for _, item := range o.Items {
		if p, ok := item.(*syntax.Property); ok {
			if key, ok := p.Key.(*syntax.Ident); ok && is(key.Name) {
				return p
			}
		}
	}
	return nil
}

// nameIs and folded match a name; folded ignores case.
func nameIs(name string) func(string) bool { return func(s string) bool { return s == name } }

func nameIsFold(name string) func(string) bool {
	return func(s string) bool { return strings.EqualFold(s, name) }
}

// hasSuffixFold is strings.HasSuffix ignoring case.
func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// containsFold is strings.Contains ignoring case.
func containsFold(s, part string) bool {
	for ; len(s) >= len(part); s = s[1:] {
		if strings.EqualFold(s[:len(part)], part) {
			return true
		}
	}
	return false
}

// foldedProperty returns a property ignoring the case of its name.
func foldedProperty(o *syntax.Object, name string) *syntax.Property {
	for _, item := range o.Items {
		if p, ok := item.(*syntax.Property); ok {
			if key, ok := p.KeyName(); ok && strings.EqualFold(key, name) {
				return p
			}
		}
	}
	return nil
}

// literalOf returns the text of a plain string.
func literalOf(n syntax.Node) (string, bool) {
	if s, ok := n.(*syntax.String); ok {
		return s.Literal()
	}
	return "", false
}

// sameSyntax reports whether two expressions are written alike, blanks and comments aside.
func (l *linter) sameSyntax(a, b syntax.Node) bool {
	switch x := a.(type) {
	case *syntax.String:
		y, ok := b.(*syntax.String)
		if !ok || len(x.Segments()) != len(y.Segments()) {
			return false
		}
		for i := range x.Segments() {
			if x.Segments()[i] != y.Segments()[i] {
				return false
			}
		}
		return l.sameExprs(x.Exprs(), y.Exprs())
	case *syntax.VarRef:
		y, ok := b.(*syntax.VarRef)
		return ok && x.Name.Name == y.Name.Name
	case *syntax.PropertyAccess:
		y, ok := b.(*syntax.PropertyAccess)
		return ok && x.Safe == y.Safe && x.Name.Name == y.Name.Name && l.sameSyntax(x.X, y.X)
	case *syntax.Index:
		y, ok := b.(*syntax.Index)
		return ok && x.Safe == y.Safe && x.FromEnd == y.FromEnd && l.sameSyntax(x.X, y.X) && l.sameSyntax(x.Index, y.Index)
	case *syntax.NestedAccess:
		y, ok := b.(*syntax.NestedAccess)
		return ok && x.Name.Name == y.Name.Name && l.sameSyntax(x.X, y.X)
	case *syntax.Call:
		y, ok := b.(*syntax.Call)
		return ok && x.Name.Name == y.Name.Name && l.sameExprs(x.Args, y.Args)
	case *syntax.InstanceCall:
		y, ok := b.(*syntax.InstanceCall)
		return ok && x.Name.Name == y.Name.Name && l.sameSyntax(x.X, y.X) && l.sameExprs(x.Args, y.Args)
	case *syntax.Paren:
		y, ok := b.(*syntax.Paren)
		return ok && l.sameSyntax(x.X, y.X)
	}
	return a != nil && b != nil && strings.Join(strings.Fields(l.sourceText(a)), "") == strings.Join(strings.Fields(l.sourceText(b)), "")
}

func (l *linter) sameExprs(a, b []syntax.Expr) bool {
	return slices.EqualFunc(a, b, func(x, y syntax.Expr) bool { return l.sameSyntax(x, y) })
}

// hasCall reports whether decorators hold a call of a plain name, such as
// @secure(), whatever it turns out to be.
func hasCall(n syntax.Decorated, name string) bool {
	return slices.ContainsFunc(n.DecoratorList(), func(d *syntax.Decorator) bool {
		c, ok := d.Expr.(*syntax.Call)
		return ok && c.Name.Name == name
	})
}
