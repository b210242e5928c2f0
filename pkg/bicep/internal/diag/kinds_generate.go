//go:build ignore

// This program writes kinds.go: a constant for each entry of the catalogue.
package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
)

func main() {
	file, err := parser.ParseFile(token.NewFileSet(), "catalogue.go", nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("// Code generated from catalogue.go by go generate; DO NOT EDIT.\n\npackage diag\n\n" +
		"// The kinds of diagnostics. The zero value is none of them.\nconst (\n\t_ Kind = iota\n")
	ast.Inspect(file.Scope.Lookup("catalogue").Decl.(*ast.ValueSpec).Values[0], func(n ast.Node) bool {
		if entry, ok := n.(*ast.KeyValueExpr); ok {
			b.WriteString("\t" + entry.Key.(*ast.Ident).Name + "\n")
			return false
		}
		return true
	})
	b.WriteString(")\n")
	if err := os.WriteFile("kinds.go", b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
