package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A source is a file of Go that is checked.
type source struct {
	name     string // from the repository's root
	files    *token.FileSet
	file     *ast.File
	findings []string
}

func (s *source) report(n ast.Node, format string, args ...any) {
	s.findings = append(s.findings, fmt.Sprintf("%s: %s", s.files.Position(n.Pos()), fmt.Sprintf(format, args...)))
}

// checkNames reports declarations that hide a built-in function or type, such as min. Methods and
// fields hide nothing.
func (s *source) checkNames() {
	check := func(list ...ast.Expr) {
		for _, x := range list {
			if id, ok := x.(*ast.Ident); ok && types.Universe.Lookup(id.Name) != nil {
				s.report(id, "the name %s hides the built-in one", id.Name)
			}
		}
	}
	checkAll := func(names []*ast.Ident) {
		for _, id := range names {
			check(id)
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				check(n.Name)
			}
		case *ast.FuncType:
			for _, list := range []*ast.FieldList{n.Params, n.Results} {
				if list == nil {
					continue
				}
				for _, field := range list.List {
					checkAll(field.Names)
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				check(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				check(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			checkAll(n.Names)
		case *ast.TypeSpec:
			check(n.Name)
		}
		return true
	})
}

var aFlag = regexp.MustCompile(`(^|[\s'"(=])--[a-z]`)

// othersFlags matches texts with a flag or a command of another program.
var othersFlags = regexp.MustCompile(`^kubectl|use kubectl apply --|'az |printed no template|'bicep restore' of the official compiler`)

// aCommand matches a text that names a command: after the name of the program, or in quotes.
var aCommand = func() *regexp.Regexp {
	names := "(" + strings.Join(commands, "|") + ")"
	return regexp.MustCompile(`\brad ` + names + "\\b|['`]" + names + "( [^'`]*)?['`]")
}()

// commands are those that messages may be tempted to name.
var commands = []string{
	"bicep", "version", "generate-kubernetes-manifest", "build", "build-params", "format", "generate-params", "lint", "snapshot", "restore",
	"publish", "publish-extension", "outdated", "cache", "plan", "graph", "affected", "bundle", "inspect", "verify", "types", "init", "explain", "schema",
}

// startsOthers are the files that start other programs with flags.
var startsOthers = []string{"pkg/bicep/external.go", "pkg/bicep/internal/registry/azure.go"}

// checkFlags reports texts of a library that name a flag or a command: programs that embed the
// library have others, or none. A message carries a report.Hint instead.
func (s *source) checkFlags() {
	if s.file.Name.Name == "main" || slices.Contains(startsOthers, s.name) {
		return
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		switch {
		case err != nil || othersFlags.MatchString(text):
		case aFlag.MatchString(text):
			s.report(lit, "a library names a flag: %s", lit.Value)
		case aCommand.MatchString(text) && !strings.Contains(text, "\n") && text != "rad bicep": // tables of types, and the tool in SARIF
			s.report(lit, "a library names a command: %s", lit.Value)
		}
		return true
	})
}
