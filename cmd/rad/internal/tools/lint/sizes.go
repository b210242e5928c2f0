package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"
	"unicode/utf8"
)

// The sizes beyond which code is hard to hold in mind. Tests count for neither.
const (
	maxPackageLines  = 6000
	maxFunctionLines = 80
	maxColumns       = 140 // of a line, where a tab has four
	maxWideLines     = 60  // that are wider, for the reasons of checkWidth
)

// tables lists files with tables, whose rows may be wide.
var tables = []string{
	"pkg/bicep/internal/config/features.go",
	"pkg/bicep/internal/release/facts.go",
	"pkg/bicep/internal/templatehash/templatehash.go",
	"pkg/manifest/crossplane/kinds.go",
}

// checkWidth reports lines that are too wide, and returns how many there are. It reports neither the rows of
// tables nor what cannot be wrapped: raw strings, and the tags of fields.
func (s *source) checkWidth(text []byte) (wide int) {
	if bytes.HasPrefix(text, []byte("// Code generated ")) {
		return 0
	}
	raw := map[int]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if x, ok := n.(*ast.BasicLit); ok && x.Value[0] == '`' {
			for i := range s.lines(x) {
				raw[s.files.Position(x.Pos()).Line+i] = true
			}
		}
		return true
	})
	number := 0
	for line := range bytes.Lines(text) {
		number++
		columns := utf8.RuneCount(bytes.TrimRight(line, "\n")) + 3*bytes.Count(line, []byte("\t"))
		if columns <= maxColumns {
			continue
		}
		wide++
		if !raw[number] && !slices.Contains(tables, s.name) {
			s.findings = append(s.findings,
				fmt.Sprintf("%s:%d: the line has %d columns, and at most %d are allowed", s.name, number, columns, maxColumns))
		}
	}
	return wide
}

// packageSizes counts the lines of packages, by their folders.
type packageSizes map[string]int

func (p packageSizes) add(name string, text []byte) {
	p[path.Dir(name)] += bytes.Count(text, []byte("\n"))
}

func (p packageSizes) findings() (findings []string) {
	for _, folder := range slices.Sorted(maps.Keys(p)) {
		if n := p[folder]; n > maxPackageLines {
			findings = append(findings, fmt.Sprintf("%s: the package has %d lines, and at most %d are allowed; move what can stand alone",
				folder, n, maxPackageLines))
		}
	}
	return findings
}

// checkFunctions reports functions that are too long. One that is little else than a switch or a
// table may be: its cases are read one by one.
func (s *source) checkFunctions() {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		longest := 0
		for _, statement := range f.Body.List {
			switch x := statement.(type) {
			case *ast.SwitchStmt, *ast.TypeSwitchStmt:
				longest = max(longest, s.lines(x))
			case *ast.ReturnStmt:
				if len(x.Results) == 1 {
					if table, ok := x.Results[0].(*ast.CompositeLit); ok {
						longest = max(longest, s.lines(table))
					}
				}
			}
		}
		if n := s.lines(f); n > maxFunctionLines && n-longest > maxFunctionLines/2 {
			s.report(f, "%s has %d lines, and at most %d are allowed but for a plain switch", f.Name.Name, n, maxFunctionLines)
		}
	}
}

// lines returns over how many lines a node goes.
func (s *source) lines(n ast.Node) int {
	return s.files.Position(n.End()).Line - s.files.Position(n.Pos()).Line + 1
}
