package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

// source is one package of the module: the types of a group and version, or the ARM
// bodies that belong to them.
type source struct {
	dir     string
	structs map[string]*ast.StructType
	named   map[string]ast.Expr // other named types
	enums   map[string][]string
	methods map[string]map[string]*ast.FuncDecl // by receiver and name
	docs    map[string]map[string]string        // by struct and field
}

var enumMark = regexp.MustCompile(`\+kubebuilder:validation:Enum=\{(.*)\}`)

// load parses the files of a package. Nothing is compiled.
func load(dir string) (*source, error) {
	s := &source{
		dir: dir, structs: map[string]*ast.StructType{}, named: map[string]ast.Expr{}, enums: map[string][]string{},
		methods: map[string]map[string]*ast.FuncDecl{}, docs: map[string]map[string]string{},
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.addMethod(d)
			case *ast.GenDecl:
				if err := s.addTypes(d); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return s, nil
}

func (s *source) addMethod(d *ast.FuncDecl) {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return
	}
	of := typeName(d.Recv.List[0].Type)
	if s.methods[of] == nil {
		s.methods[of] = map[string]*ast.FuncDecl{}
	}
	s.methods[of][d.Name.Name] = d
}

func (s *source) addTypes(d *ast.GenDecl) error {
	for _, spec := range d.Specs {
		t, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		if st, ok := t.Type.(*ast.StructType); ok {
			s.structs[t.Name.Name] = st
			docs := map[string]string{}
			for _, f := range st.Fields.List {
				if len(f.Names) == 1 && f.Doc != nil {
					var b strings.Builder
					for _, c := range f.Doc.List {
						b.WriteString(c.Text + "\n")
					}
					docs[f.Names[0].Name] = b.String()
				}
			}
			s.docs[t.Name.Name] = docs
			continue
		}
		s.named[t.Name.Name] = t.Type
		if d.Doc == nil {
			continue
		}
		for _, c := range d.Doc.List {
			if m := enumMark.FindStringSubmatch(c.Text); m != nil {
				var values []any
				if err := json.Unmarshal([]byte("["+m[1]+"]"), &values); err != nil {
					return fmt.Errorf("%s: %w", c.Text, err)
				}
				for _, v := range values {
					s.enums[t.Name.Name] = append(s.enums[t.Name.Name], fmt.Sprint(v))
				}
			}
		}
	}
	return nil
}

// method returns a method of a type, or nil.
func (s *source) method(of, name string) *ast.FuncDecl { return s.methods[of][name] }

// field returns the field of a struct by its Go name, or nil.
func (s *source) field(of, name string) *ast.Field {
	st := s.structs[of]
	if st == nil {
		return nil
	}
	for _, f := range st.Fields.List {
		if len(f.Names) == 1 && f.Names[0].Name == name {
			return f
		}
	}
	return nil
}

// fields returns the JSON names of a struct's fields.
func (s *source) fields(of string) []string {
	st := s.structs[of]
	if st == nil {
		return nil
	}
	var out []string
	for _, f := range st.Fields.List {
		if name := jsonName(f); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// typeName returns the name of a type, without pointers: T, or package.T.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}

// element returns what a pointer, list or map is of.
func element(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.StarExpr:
		return element(e.X)
	case *ast.ArrayType:
		return element(e.Elt)
	case *ast.MapType:
		return element(e.Value)
	}
	return e
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
}

func jsonName(f *ast.Field) string {
	name, _, _ := strings.Cut(tagOf(f).Get("json"), ",")
	return name
}

// returned returns the literal, or the last name of the selector, that a method returns.
func returned(f *ast.FuncDecl) string {
	if f == nil {
		return ""
	}
	out := ""
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
			switch e := r.Results[0].(type) {
			case *ast.BasicLit:
				out = strings.Trim(e.Value, `"`)
			case *ast.SelectorExpr:
				out = e.Sel.Name
			case *ast.Ident:
				out = e.Name
			}
		}
		return true
	})
	return out
}

// chain returns the names of a selector root.A.B, without indexes; ok is false if it
// begins with another root.
func chain(e ast.Expr, root string) (names []string, ok bool) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if id, isIdent := e.X.(*ast.Ident); isIdent {
			return []string{e.Sel.Name}, id.Name == root
		}
		names, ok = chain(e.X, root)
		return append(names, e.Sel.Name), ok
	case *ast.IndexExpr:
		return chain(e.X, root)
	case *ast.StarExpr:
		return chain(e.X, root)
	case *ast.ParenExpr:
		return chain(e.X, root)
	}
	return nil, false
}

// targets says into which property of the ARM body each field of a type goes, as the
// statements of its ConvertToARM say it: Go names, by field.
func targets(f *ast.FuncDecl) map[string][]string {
	out := map[string][]string{}
	if f == nil || len(f.Recv.List[0].Names) == 0 {
		return out
	}
	receiver := f.Recv.List[0].Names[0].Name
	temporary := map[string]string{} // variables that a field's value is collected in
	for _, statement := range f.Body.List {
		used := map[string]bool{}
		var paths [][]string
		var collected []string
		ast.Inspect(statement, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if id, ok := n.X.(*ast.Ident); ok && id.Name == receiver {
					used[n.Sel.Name] = true
				}
			case *ast.Ident:
				if field := temporary[n.Name]; field != "" {
					used[field] = true
				}
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if c, ok := chain(l, "result"); ok {
						paths = append(paths, c)
					} else if id, ok := l.(*ast.Ident); ok {
						collected = append(collected, id.Name)
					}
				}
			}
			return true
		})
		if len(used) != 1 {
			continue
		}
		for field := range used {
			if len(paths) == 0 {
				for _, name := range collected {
					temporary[name] = field
				}
				continue
			}
			longest := paths[0]
			for _, p := range paths {
				if len(p) > len(longest) {
					longest = p
				}
			}
			// The statement that makes the object around comes before that for the property.
			if len(longest) > len(out[field]) {
				out[field] = longest
			}
		}
	}
	return out
}

// variants returns the discriminator of a union and the value of it for each field, as
// UnmarshalJSON of its ARM type says; "" if the type is no union.
func variants(f *ast.FuncDecl) (discriminator string, values map[string]string) {
	if f == nil {
		return "", nil
	}
	values = map[string]string{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if id, ok := n.X.(*ast.Ident); ok && id.Name == "rawJson" {
				if l, ok := n.Index.(*ast.BasicLit); ok {
					discriminator = strings.Trim(l.Value, `"`)
				}
			}
		case *ast.IfStmt:
			condition, ok := n.Cond.(*ast.BinaryExpr)
			if !ok {
				return true
			}
			value, ok := condition.Y.(*ast.BasicLit)
			if !ok {
				return true
			}
			for _, statement := range n.Body.List {
				if a, ok := statement.(*ast.AssignStmt); ok {
					if to, ok := a.Lhs[0].(*ast.SelectorExpr); ok {
						values[to.Sel.Name] = strings.Trim(value.Value, `"`)
					}
				}
			}
		}
		return true
	})
	return discriminator, values
}
