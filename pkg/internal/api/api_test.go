// Package api compares the exported Go packages with api.txt, which lists what they promise.
package api

import (
	"bytes"
	"flag"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write api.txt")

const module = "github.com/radbicep/rad/"

// TestAPI fails where an exported package has other declarations than api.txt says, and where
// one of them has no comment, or shows a type of an internal package: nobody else can name such a
// type, and go doc does not show its fields.
func TestAPI(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	var lines []string
	for _, dir := range publicFolders(t, filepath.Join(root, "pkg")) {
		rel, err := filepath.Rel(root, dir)
		require.NoError(t, err)
		found := declarations(t, filepath.ToSlash(rel), dir)
		slices.Sort(found)
		lines = append(lines, found...)
	}
	file := "api.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), lines); diff != "" {
		t.Errorf("The exported packages are not what pkg/internal/api/api.txt says. If that is intended, `make golden` writes it; docs/compatibility.md says what may change.\n%s", diff)
	}
}

// publicFolders returns the folders of packages that other modules can import.
func publicFolders(t *testing.T, top string) (dirs []string) {
	require.NoError(t, filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "internal" || d.Name() == "testdata" || d.Name() == "registrytest" { // the last is for tests here
			return fs.SkipDir
		}
		dirs = append(dirs, name)
		return nil
	}))
	return dirs
}

// declarations returns the exported declarations of a package, one a line.
func declarations(t *testing.T, name, dir string) (lines []string) {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	// The same files on every system.
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags = "linux", "amd64", false, nil
	for _, e := range entries {
		if ok, err := c.MatchFile(dir, e.Name()); err != nil || !ok || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution|parser.ParseComments)
		require.NoError(t, err)
		if !ast.FileExports(f) {
			continue
		}
		p := &file{name: name, fset: fset, internal: map[string]bool{}}
		for _, i := range f.Imports {
			at, err := strconv.Unquote(i.Path.Value)
			require.NoError(t, err)
			if strings.HasPrefix(at, module) && strings.Contains(at, "/internal/") {
				p.internal[path.Base(at)] = true
				if i.Name != nil {
					p.internal[i.Name.Name] = true
				}
			}
		}
		for _, d := range f.Decls {
			p.declaration(t, d)
		}
		lines = append(lines, p.lines...)
	}
	return lines
}

// file is a file of a package.
type file struct {
	name     string
	fset     *token.FileSet
	internal map[string]bool // the names of internal packages that it imports
	lines    []string
}

func (f *file) declaration(t *testing.T, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
			return
		}
		f.commented(t, d.Name, d.Doc)
		d.Body, d.Doc = nil, nil
		f.add(t, "", d)
	case *ast.GenDecl:
		var group ast.Expr // the type of constants that repeat the line before
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				f.commented(t, s.Name, d.Doc, s.Doc, s.Comment)
				f.typed(t, s)
			case *ast.ValueSpec:
				if s.Type != nil || s.Values != nil {
					group = s.Type
				}
				for _, n := range s.Names {
					if n.IsExported() {
						f.commented(t, n, d.Doc, s.Doc, s.Comment)
						f.add(t, d.Tok.String()+" ", &ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent(n.Name)}, Type: group})
					}
				}
			}
		}
	}
}

// commented fails where a declaration has no comment: go doc would show only its name.
func (f *file) commented(t *testing.T, name *ast.Ident, comments ...*ast.CommentGroup) {
	for _, c := range comments {
		if strings.TrimSpace(c.Text()) != "" {
			return
		}
	}
	t.Errorf("%s: %s has no comment", f.fset.Position(name.Pos()), name.Name)
}

// receiver returns the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// typed adds a type, and each of its fields or methods on a line of its own.
func (f *file) typed(t *testing.T, s *ast.TypeSpec) {
	var members *ast.FieldList
	kind := ""
	switch x := s.Type.(type) {
	case *ast.StructType:
		members, kind = x.Fields, "struct"
	case *ast.InterfaceType:
		members, kind = x.Methods, "interface"
	default:
		f.add(t, "type ", &ast.TypeSpec{Name: s.Name, TypeParams: s.TypeParams, Assign: s.Assign, Type: s.Type})
		return
	}
	f.add(t, "type ", &ast.TypeSpec{Name: s.Name, TypeParams: s.TypeParams, Type: ast.NewIdent(kind)})
	for _, m := range members.List {
		names := m.Names
		if names == nil {
			f.add(t, "type "+s.Name.Name+" "+kind+", ", m.Type)
		}
		for _, n := range names {
			one := &ast.Field{Names: []*ast.Ident{ast.NewIdent(n.Name)}, Type: m.Type}
			f.add(t, "type "+s.Name.Name+" "+kind+", ", &ast.FieldList{List: []*ast.Field{one}})
		}
	}
}

// add adds a line. What it shows must not be of an internal package.
func (f *file) add(t *testing.T, prefix string, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && f.internal[x.Name] {
				t.Errorf("%s: %s.%s is of an internal package", f.fset.Position(s.Pos()), x.Name, s.Sel.Name)
			}
		}
		return true
	})
	var b bytes.Buffer
	if list, ok := n.(*ast.FieldList); ok {
		b.WriteString(list.List[0].Names[0].Name + " ")
		n = list.List[0].Type
	}
	assert.NoError(t, (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), n))
	f.lines = append(f.lines, f.name+": "+prefix+strings.Join(strings.Fields(b.String()), " "))
}
