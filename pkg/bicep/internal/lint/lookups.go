package lint

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// recognizedType finds types in calls of reference() and list…() that Azure does not have. Without
// Azure's library only the names of its providers are known.
func (l *linter) recognizedType() {
	for _, c := range l.readingCalls() {
		if _, args, _ := syntax.CallName(c); len(args) > 0 {
			if typ := l.typeIn(args[0], l.constantText()); typ != "" && !l.azure().HasType(typ) {
				l.add(c.Span(), typ)
			}
		}
	}
}

// readingCalls returns the calls of reference(), list…() and similar functions.
func (l *linter) readingCalls() []syntax.Expr {
	var found []syntax.Expr
	for _, c := range l.calls {
		name, _, _ := syntax.CallName(c)
		if (strings.Contains(name.Name, "reference") || strings.Contains(name.Name, "list")) && l.function(c, "az") != nil {
			found = append(found, c)
		}
	}
	return found
}

// constantText returns how recognizedType reads an argument.
func (l *linter) constantText() func(syntax.Expr) (string, bool) {
	if l.m.Has(release.RecognizedTypesByType) {
		return l.literal
	}
	return l.assignedText
}

// assignedText returns the text that is written for x, for the variable that it names, or as the
// default of the parameter that it names.
func (l *linter) assignedText(x syntax.Expr) (string, bool) {
	for range len(l.m.Binding().Vars) + 2 { // as often as one can name the next
		switch n := x.(type) {
		case *syntax.String:
			return n.Literal()
		case *syntax.VarRef:
			switch s := l.m.Symbol(n).(type) {
			case *bind.Var:
				x = s.Stmt.Value
				continue
			case *bind.Param:
				if s.Stmt.Default != nil {
					x = s.Stmt.Default.Value
					continue
				}
			}
		}
		break
	}
	return "", false
}

func (l *linter) typeIn(x syntax.Expr, literal func(syntax.Expr) (string, bool)) string {
	if name, args, ok := syntax.CallName(x); ok {
		if name.Name == "resourceId" {
			for _, a := range args {
				if text, ok := literal(a); ok && looksLikeType(text) {
					return text
				}
			}
		}
		return ""
	}
	if text, ok := literal(x); ok && looksLikeType(text) {
		return text
	}
	return ""
}

// looksLikeType: two words with a dot between them, then one or more with slashes before them.
func looksLikeType(s string) bool {
	parts := strings.Split(s, "/")
	if len(parts) < 2 {
		return false
	}
	company, product, ok := strings.Cut(parts[0], ".")
	if !ok || !isWord(company) || !isWord(product) {
		return false
	}
	return !slices.ContainsFunc(parts[1:], func(p string) bool { return !isWord(p) })
}

func isWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// useSymbol finds reference() and list…() of resources that the file declares.
func (l *linter) useSymbol() {
	for _, c := range l.calls {
		name, args, _ := syntax.CallName(c)
		list := strings.HasPrefix(name.Name, "list")
		switch {
		case list && (len(args) < 2 || len(args) > 3):
			continue
		case !list && (name.Name != "reference" || len(args) < 1 || len(args) > 3):
			continue
		}
		if l.function(c, "az") == nil {
			continue
		}
		var version syntax.Expr
		if len(args) > 1 {
			version = args[1]
		}
		if l.matchesVersion(l.resourcesByID(args[0]), version) {
			l.add(c.Span(), name.Name)
		}
	}
}

// resourcesByID returns the declared resources that an ID may mean.
func (l *linter) resourcesByID(x syntax.Expr) []*resources.Resource {
	if a, ok := x.(*syntax.PropertyAccess); ok && (a.Name.Name == "id" || a.Name.Name == "name") {
		if r := l.analysis.Resources.At(a.X); r != nil && r.IsDeclared() {
			return []*resources.Resource{r}
		}
		return nil
	}
	name, args, ok := syntax.CallName(x)
	if !ok || name.Name != "resourceId" || len(args) < 2 || l.function(x, "az") == nil {
		return nil
	}
	typ, ok := literalOf(args[0])
	if !ok || !strings.Contains(typ, "/") {
		return nil
	}
	var found []*resources.Resource
	for _, r := range l.analysis.Resources.All() {
		if !r.IsDeclared() || !r.IsAz() || !strings.EqualFold(r.TypeRef().Type, typ) {
			continue
		}
		var names []syntax.Expr
		for a := r; a != nil && a.IsDeclared(); {
			names = append([]syntax.Expr{a.NameExpr()}, names...)
			if a.Parent == nil {
				break
			}
			a = a.Parent.Resource
		}
		if l.sameNames(names, args[1:]) {
			found = append(found, r)
		}
	}
	return found
}

func (l *linter) sameNames(names, args []syntax.Expr) bool {
	for _, n := range names {
		if n == nil {
			return false
		}
	}
	return l.sameExprs(names, args)
}

func (l *linter) matchesVersion(candidates []*resources.Resource, version syntax.Expr) bool {
	if version == nil {
		return len(candidates) == 1
	}
	if a, ok := version.(*syntax.PropertyAccess); ok && a.Name.Name == "apiVersion" {
		named := l.analysis.Resources.At(a.X)
		return slices.Contains(candidates, named)
	}
	text, ok := literalOf(version)
	if !ok {
		return false
	}
	return slices.ContainsFunc(candidates, func(r *resources.Resource) bool { return strings.EqualFold(r.TypeRef().Version, text) })
}
