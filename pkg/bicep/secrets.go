package bicep

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/secret"
)

// hideSecrets takes the values of secure parameters out of what was found in
// parameter files. A message about a value names the value's type, and that of a
// literal is the literal itself.
//
// It looks at nothing but the syntax, so that it holds for every compiler, and
// where it cannot tell whether a parameter is secure, the value is hidden. tree
// returns the tree of a parameter file as it was compiled, or nil if that is not known.
func (r *Result) hideSecrets(fsys source.FS, template string, tree func(path string) *syntax.File) {
	var secure func(string) bool
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Start.Line < 1 || !isParams(f.Path) {
			continue
		}
		hide := true
		if t := tree(f.Path); t != nil && !extends(t) {
			name := assignedAt(t, f.Start.Line)
			if name != "" && secure == nil {
				secure = securityOf(fsys, template)
			}
			hide = name != "" && secure(name)
		}
		if hide {
			f.Message, f.Line = hideLiterals(f.Message), ""
			if f.Fix != nil {
				f.Fix.Private = true
			}
		}
	}
}

// extends reports whether a parameter file extends others: what is wrong with
// their values is found in this file then, but at the place in theirs.
func extends(tree *syntax.File) bool {
	return slices.ContainsFunc(tree.Stmts, func(s syntax.Stmt) bool { _, ok := s.(*syntax.Extends); return ok })
}

// assignedAt returns the parameter whose assignment is on a line, or "".
func assignedAt(tree *syntax.File, line int) string {
	for _, stmt := range tree.Stmts {
		assign, ok := stmt.(*syntax.ParamAssign)
		if ok && tree.Source.Position(assign.Span().Start).Line <= line && line <= tree.Source.Position(assign.Span().End).Line {
			return assign.Name.Name
		}
	}
	return ""
}

// hideLiterals takes out of a message what may be a part of a value: all from the
// first single quote to the last, and the numbers between double quotes, where
// types are. Apostrophes within words are not such quotes. It takes the
// whole, since not every compiler escapes the quotes in a text that it quotes.
func hideLiterals(s string) string {
	isWord := func(i int) bool { return i >= 0 && i < len(s) && syntax.IsIdentifier("_"+s[i:i+1]) }
	first, last, closed := -1, -1, false
	for i := range len(s) {
		if s[i] != '\'' || isWord(i-1) && isWord(i+1) {
			continue
		}
		if first < 0 {
			first = i
		}
		last, closed = i, i > first && !isWord(i+1)
	}
	if !closed { // a text that was cut off
		last = len(s) - 1
	}
	var b strings.Builder
	inType := false
	for i := 0; i < len(s); i++ {
		switch {
		case i == first:
			b.WriteString(secret.Text)
			i = last
		case inType && '0' <= s[i] && s[i] <= '9' && !isWord(i-1):
			b.WriteString(secret.Text)
			for i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9' {
				i++
			}
		default:
			if s[i] == '"' {
				inType = !inType
			}
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// securityOf returns whether parameters of a template are, or may be, secure.
func securityOf(fsys source.FS, template string) func(name string) bool {
	all := func(string) bool { return true }
	open := map[string]bool{} // the parameters that are known not to be secure
	switch strings.ToLower(filepath.Ext(template)) {
	case ".bicep":
		tree, err := parseFile(fsys, template)
		if err != nil {
			return all
		}
		for _, stmt := range tree.Stmts {
			if p, ok := stmt.(*syntax.Param); ok && p.Name != nil && !mentionsSecure(p) && isPlainType(p.Type) {
				open[p.Name.Name] = true
			}
		}
	case ".json":
		text, err := fsys.ReadFile(template)
		if err != nil {
			return all
		}
		v, err := armjson.Parse(source.Decode(text, ""), armjson.Options{Comments: true})
		tree, ok := v.(*armjson.Object)
		if err != nil || !ok {
			return all
		}
		if parameters := tree.Object("parameters"); parameters != nil {
			for name, v := range parameters.All() {
				// A parameter that refers to definitions, or has properties, may hold a secret.
				if p, ok := v.(*armjson.Object); ok && !strings.Contains(strings.ToLower(armjson.Text(p)), "secure") &&
					p.Find("$ref") < 0 && p.Find("properties") < 0 {
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
// types: one that has a name is declared elsewhere, maybe as secure, and so is
// what is taken from a resource.
func isPlainType(t syntax.Node) bool {
	if t == nil {
		return false
	}
	plain := true
	syntax.Walk(t, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypeName:
			switch n.Name.Name {
			case "string", "int", "bool", "object", "array", "any", "null":
			default:
				plain = false
			}
		case *syntax.TypeCall, *syntax.InstanceTypeCall, *syntax.ResourceTypeRef, *syntax.Skipped:
			plain = false
		}
		return plain
	})
	return plain
}
