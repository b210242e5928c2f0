package bicep

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/jsonscan"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// References returns the local files that a Bicep file names in its module,
// import, using and extends statements, as absolute paths. The path of the file is
// absolute, too. The file is read but not compiled: errors in it do not matter.
func References(fsys source.FS, path string) ([]string, error) {
	refs, _, err := references(fsys, path)
	return refs, err
}

// Using returns the template that a .bicepparam file names in its using
// statement, as an absolute path; "" if it names none, or none that is a file.
func Using(fsys source.FS, path string) (string, error) {
	_, using, err := references(fsys, path)
	return using, err
}

// UsesNone reports whether a .bicepparam file says that it uses no template (using none), so
// that it is only there to be extended.
func UsesNone(fsys source.FS, path string) bool {
	return hasStatement(fsys, path, func(s syntax.Stmt) bool {
		using, ok := s.(*syntax.Using)
		if !ok {
			return false
		}
		_, none := using.Path.(*syntax.None)
		return none
	})
}

func hasStatement(fsys source.FS, path string, is func(syntax.Stmt) bool) bool {
	tree, err := parseFile(fsys, path)
	return err == nil && slices.ContainsFunc(tree.Stmts, is)
}

func isParams(path string) bool { return strings.EqualFold(filepath.Ext(path), ".bicepparam") }

// parseFile reads and parses a file, as compiling it would begin.
func parseFile(fsys source.FS, path string) (*syntax.File, error) {
	text, err := fsys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	parse := syntax.Parse
	if isParams(path) {
		parse = syntax.ParseParams
	}
	tree, _ := parse(&source.File{Path: path, Text: source.Decode(text, "")})
	return tree, nil
}

// resolve returns the absolute path that an expression in a file names; "" if it names no
// file.
func resolve(path string, e syntax.Expr) string {
	s, ok := e.(*syntax.String)
	if !ok {
		return ""
	}
	ref, ok := s.Literal()
	if !ok || ref == "" || strings.Contains(ref, ":") { // br:…, ts:…
		return ""
	}
	return filepath.Join(filepath.Dir(path), filepath.FromSlash(ref))
}

func references(fsys source.FS, path string) (refs []string, using string, err error) {
	tree, err := parseFile(fsys, path)
	if err != nil {
		return nil, "", err
	}
	for _, stmt := range tree.Stmts {
		var ref string
		switch stmt := stmt.(type) {
		case *syntax.Module:
			ref = resolve(path, stmt.Path)
		case *syntax.Import:
			ref = resolve(path, stmt.Path())
		case *syntax.Extends:
			ref = resolve(path, stmt.Path)
		case *syntax.Using:
			ref = resolve(path, stmt.Path)
			using = ref
		}
		if ref != "" {
			refs = append(refs, ref)
		}
	}
	return refs, using, nil
}

// DeclaredParameter is a parameter as a template declares it.
type DeclaredParameter struct {
	Name string
	At   source.Position // of the name
	// Choices are the values that it may have, if they are few and declared: those of @allowed() or allowedValues, of a
	// union of literals, or of a bool.
	Choices []string
}

// DeclaredParameters returns the parameters that a template declares, in order: a .bicep file, an ARM template in JSON, or
// the template that a .bicepparam file uses. Like References, it does not compile.
func DeclaredParameters(fsys source.FS, path string) (list []DeclaredParameter, err error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return declaredInJSON(fsys, path)
	case ".bicepparam":
		using, err := Using(fsys, path)
		if err != nil || using == "" || isParams(using) {
			return nil, err
		}
		return DeclaredParameters(fsys, using)
	}
	tree, err := parseFile(fsys, path)
	if err != nil {
		return nil, err
	}
	for _, stmt := range tree.Stmts {
		p, ok := stmt.(*syntax.Param)
		if !ok || p.Name == nil || p.Name.Name == "" {
			continue
		}
		one := DeclaredParameter{Name: p.Name.Name, At: tree.Source.Position(p.Name.Span().Start)}
		for _, d := range p.Decorators {
			if of, args, ok := syntax.CallName(d.Expr); ok && of != nil && of.Name == "allowed" && len(args) == 1 {
				one.Choices = appendChoices(one.Choices, args[0])
			}
		}
		one.Choices = appendChoices(one.Choices, p.Type)
		list = append(list, one)
	}
	return list, nil
}

func declaredInJSON(fsys source.FS, path string) (list []DeclaredParameter, err error) {
	raw, err := fsys.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := source.Decode(raw, "")
	tree, err := ParseTemplate([]byte(text))
	if err != nil {
		return nil, err
	}
	declared := tree.Object("parameters")
	if declared == nil {
		return nil, nil
	}
	file, c, places := source.NewFile(path, text), jsonscan.New(text, 0), map[string]source.Position{}
	c.Object(func(name string) { // which ends at a comment
		if name == "parameters" {
			c.Object(func(name string) {
				places[name] = file.Position(int32(c.PeekAt()))
				c.Skip()
			})
			return
		}
		c.Skip()
	})
	for name := range declared.All() {
		one := DeclaredParameter{Name: name, At: places[name]}
		if o := declared.Object(name); o != nil {
			allowed, _ := o.Get("allowedValues")
			values, _ := allowed.(armjson.Array)
			for _, v := range values {
				text, ok := v.(armjson.String)
				if !ok {
					text = armjson.String(armjson.Text(v))
				}
				one.Choices = append(one.Choices, string(text))
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// appendChoices appends the literals that an expression, or a type, lists.
func appendChoices(list []string, n syntax.Node) []string {
	switch n := n.(type) {
	case *syntax.Array:
		for _, item := range n.Items {
			list = appendChoices(list, item)
		}
	case *syntax.UnionType:
		for _, member := range n.Members {
			list = appendChoices(list, member)
		}
	case *syntax.NullableType:
		return appendChoices(list, n.X)
	case *syntax.StringTypeLit:
		return appendChoices(list, n.Value)
	case *syntax.String:
		if text, ok := n.Literal(); ok {
			return append(list, text)
		}
	case *syntax.Int:
		return append(list, strconv.FormatUint(n.Value, 10))
	case *syntax.IntTypeLit:
		return append(list, strconv.FormatUint(n.Value, 10))
	case *syntax.TypeName:
		if n.Name.Name == "bool" {
			return append(list, "true", "false")
		}
	}
	return list
}

// AssignedParameters returns the names of the parameters to which a .bicepparam file, or a
// file that it extends, assigns a value. An assignment of null gives none. Like References,
// it does not compile.
func AssignedParameters(fsys source.FS, path string) (map[string]bool, error) {
	assigned := map[string]bool{}
	decided := map[string]bool{} // an assignment counts more than those of extended files
	seen := map[string]bool{}
	for path != "" && !seen[path] {
		seen[path] = true
		tree, err := parseFile(fsys, path)
		if err != nil {
			return nil, err
		}
		extended := ""
		for _, stmt := range tree.Stmts {
			switch stmt := stmt.(type) {
			case *syntax.Extends:
				extended = resolve(path, stmt.Path)
			case *syntax.ParamAssign:
				_, null := stmt.Value.(*syntax.Null)
				if name := stmt.Name; name != nil && !decided[name.Name] {
					decided[name.Name] = true
					assigned[name.Name] = !null
				}
			}
		}
		path = extended
	}
	return assigned, nil
}

// Outline is what can be seen of a .bicep file without compiling it.
type Outline struct {
	Required []string // the parameters that need a value and are not secure
	Secure   []string // the secure parameters that need a value
	Deploys  bool     // it declares a resource, a module or an output
}

// OutlineOf returns the outline of a .bicep file. Errors in the file do not matter.
func OutlineOf(fsys source.FS, path string) (*Outline, error) {
	tree, err := parseFile(fsys, path)
	if err != nil {
		return nil, err
	}
	o := &Outline{}
	secure := map[string]bool{} // names of types
	for _, stmt := range tree.Stmts {
		if s, ok := stmt.(*syntax.TypeDecl); ok && s.Name != nil && mentionsSecure(s) {
			secure[s.Name.Name] = true
		}
	}
	for _, stmt := range tree.Stmts {
		switch s := stmt.(type) {
		case *syntax.Resource, *syntax.Module, *syntax.Output:
			o.Deploys = true
		case *syntax.Param:
			_, optional := s.Type.(*syntax.NullableType)
			of, _ := s.Type.(*syntax.TypeName)
			switch {
			case s.Default != nil || optional || s.Name == nil || s.Name.Name == "":
			case mentionsSecure(s) || of != nil && secure[of.Name.Name]:
				o.Secure = append(o.Secure, s.Name.Name)
			default:
				o.Required = append(o.Required, s.Name.Name)
			}
		}
	}
	return o, nil
}
