package bicep

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// hideSecrets takes the values of secure parameters out of what was found in
// parameter files. A message about a value names the value's type, and that of a
// literal is the literal itself.
//
// It looks at nothing but the syntax, so that it holds for every compiler, and
// where it cannot tell whether a parameter is secure, the value is hidden.
func (r *Result) hideSecrets(template string) {
	var secure func(string) bool
	files := map[string]*syntax.File{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Start.Line < 1 || !strings.EqualFold(filepath.Ext(f.Path), ".bicepparam") {
			continue
		}
		tree, ok := files[f.Path]
		if !ok {
			if text, err := os.ReadFile(f.Path); err == nil {
				tree, _ = syntax.ParseParams(source.NewFile(f.Path, string(text)))
			}
			files[f.Path] = tree
		}
		if tree == nil {
			continue
		}
		for _, stmt := range tree.Stmts {
			assign, ok := stmt.(*syntax.ParamAssign)
			if !ok || assign.Name == nil {
				continue
			}
			first, last := tree.Source.Position(assign.Span().Start).Line, tree.Source.Position(assign.Span().End).Line
			if f.Start.Line < first || f.Start.Line > last {
				continue
			}
			if secure == nil {
				secure = securityOf(template)
			}
			if secure(assign.Name.Name) {
				f.Message = hideLiterals(f.Message)
				f.Line = ""
			}
			break
		}
	}
}

// hideLiterals replaces the texts between single quotes.
func hideLiterals(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '\'')
		if open < 0 {
			break
		}
		end := open + 1
		for end < len(s) && s[end] != '\'' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		b.WriteString(s[:open])
		b.WriteString("'…'")
		s = s[min(end+1, len(s)):]
	}
	b.WriteString(s)
	return b.String()
}

// securityOf returns whether parameters of a template are, or may be, secure.
func securityOf(template string) func(name string) bool {
	all := func(string) bool { return true }
	text, err := os.ReadFile(template)
	if err != nil {
		return all
	}
	open := map[string]bool{} // the parameters that are known not to be secure
	switch strings.ToLower(filepath.Ext(template)) {
	case ".bicep":
		tree, _ := syntax.Parse(source.NewFile(template, string(text)))
		for _, stmt := range tree.Stmts {
			if p, ok := stmt.(*syntax.Param); ok && p.Name != nil && !mentionsSecure(p) && isPlainType(p.Type) {
				open[p.Name.Name] = true
			}
		}
	case ".json":
		v, err := armjson.ParseBytes(text, armjson.Options{Comments: true})
		tree, ok := v.(*armjson.Object)
		if err != nil || !ok {
			return all
		}
		if parameters, ok := object(tree, "parameters"); ok {
			for name, v := range parameters.All() {
				// What refers to definitions, or has parts, may hold a secret.
				if p, ok := v.(*armjson.Object); ok && !strings.Contains(strings.ToLower(armjson.Text(p)), "secure") && p.Find("$ref") < 0 && p.Find("properties") < 0 {
					open[name] = true
				}
			}
		}
	default:
		return all
	}
	return func(name string) bool { return !open[name] }
}

// mentionsSecure reports whether a declaration, or a part of it, is decorated as secure.
func mentionsSecure(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.Decorator); ok {
			switch e := d.Expr.(type) {
			case *syntax.Call:
				found = found || e.Name != nil && e.Name.Name == "secure"
			case *syntax.InstanceCall:
				found = found || e.Name != nil && e.Name.Name == "secure"
			}
		}
		return !found
	})
	return found
}

// isPlainType reports whether a type refers to nothing but the language's own
// types: one that has a name is declared elsewhere, maybe as secure.
func isPlainType(t syntax.Node) bool {
	if t == nil {
		return false
	}
	plain := true
	syntax.Walk(t, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.TypeName); ok && name.Name != nil {
			switch name.Name.Name {
			case "string", "int", "bool", "object", "array", "any", "null":
			default:
				plain = false
			}
		}
		return plain
	})
	return plain
}
